//! What a discrete query has found.

use super::check;
use super::context::pccd_context;
use super::guard::{Success, enter_context};
use super::mesh::pccd_mesh;
use super::query::pccd_query;
use super::status::*;
use crate::kdet::{self, DiscreteQuery, Intersection};
use std::mem::offset_of;
use std::{ptr, slice};

/// Flag of an intersection with a segment: both triangles lie in one plane. What they have in common
/// then mostly is an area.
pub const PCCD_INTERSECTION_COPLANAR: u32 = 1;
/// Flag of an intersection: it comes with its segment.
pub const PCCD_INTERSECTION_SEGMENT: u32 = 2;

/// Two triangles that have a point in common at t = 1. If they share vertices, which only triangles of
/// the same mesh can, they have one in common beyond these and the edge between them. Triangles with
/// the same three vertices intersect. Decided exactly, for triangles of any shape, those without area
/// included.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct pccd_intersection {
    /// The mesh of the first triangle: the one with the smaller id.
    pub mesh_a: pccd_mesh,
    /// The mesh of the second one. The same as mesh_a for triangles of one mesh.
    pub mesh_b: pccd_mesh,
    /// The first triangle, an index into the triangles of mesh_a; less than triangle_b in the same mesh.
    pub triangle_a: u32,
    /// The second triangle, an index into the triangles of mesh_b.
    pub triangle_b: u32,
    /// 0, or a sum of PCCD_INTERSECTION_ flags.
    pub flags: u32,
    /// Always 0.
    pub reserved: u32,
    /// With PCCD_QUERY_SEGMENTS, the ends of what both have in common, x y z of one, then of the other;
    /// twice the same if that is a point. Of an area, the two corners of it that are farthest apart.
    /// Which edges and corners these are on is exact; coordinates are rounded. Without the flag all are
    /// 0.
    pub segment: [f64; 6],
}

/// The intersections as C sees them, without a copy.
fn intersections_of(query: Option<&DiscreteQuery>) -> &[pccd_intersection] {
    // What the library calls an intersection has the same fields in the same places.
    const {
        assert!(size_of::<Intersection>() == size_of::<pccd_intersection>());
        assert!(align_of::<Intersection>() == align_of::<pccd_intersection>());
        assert!(offset_of!(Intersection, mesh_b) == offset_of!(pccd_intersection, mesh_b));
        assert!(offset_of!(Intersection, triangle_a) == offset_of!(pccd_intersection, triangle_a));
        assert!(offset_of!(Intersection, triangle_b) == offset_of!(pccd_intersection, triangle_b));
        assert!(offset_of!(Intersection, flags) == offset_of!(pccd_intersection, flags));
        assert!(offset_of!(Intersection, reserved) == offset_of!(pccd_intersection, reserved));
        assert!(offset_of!(Intersection, segment) == offset_of!(pccd_intersection, segment));
        assert!(kdet::COPLANAR == PCCD_INTERSECTION_COPLANAR);
        assert!(kdet::HAS_SEGMENT == PCCD_INTERSECTION_SEGMENT);
    }
    let intersections = query.map_or(&[][..], DiscreteQuery::intersections);
    // SAFETY: the layouts are the same, as asserted above; every field of `pccd_intersection` takes any bits.
    unsafe { slice::from_raw_parts(intersections.as_ptr().cast(), intersections.len()) }
}

/// Gives the intersections that the last run of a query of mode PCCD_MODE_DISCRETE has found, sorted by
/// mesh_a, triangle_a, mesh_b, triangle_b, in this order.
///
/// @param context            the context.
/// @param query              the query.
/// @param out_intersections  receives a pointer to the intersections; null if there are none. They are the
///                           query's, to be read only, and stay where they are until the next run or the
///                           end of the query, or the end of the context. No other call touches them.
/// @param out_count          receives their number; 0 if the query has not been run or has another mode.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Any number
/// of threads may read the intersections while they are valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_query_intersections(
    context: *mut pccd_context,
    query: pccd_query,
    out_intersections: *mut *const pccd_intersection,
    out_count: *mut u64,
) -> pccd_status {
    enter_context("pccd_query_intersections", context, |call, context| {
        let intersections = intersections_of(context.mesh_queries.get(call, query.id)?.discrete.as_ref());
        call.not_null(out_intersections, "out_intersections")?;
        call.not_null(out_count, "out_count")?;
        let start = if intersections.is_empty() { ptr::null() } else { intersections.as_ptr() };
        // SAFETY: the caller's pointer to a place for a pointer.
        unsafe { out_intersections.write(start) };
        // SAFETY: the caller's pointer to a place for a number.
        unsafe { out_count.write(intersections.len() as u64) };
        Ok(())
    })
}

/// Copies the intersections that the last run of a query has found, sorted as
/// pccd_query_intersections() gives them. Returns PCCD_INCOMPLETE if there are more than fit: the first
/// of them have been written.
///
/// @param context            the context.
/// @param query              the query.
/// @param out_intersections  an array of capacity elements; may be null if capacity is 0.
/// @param capacity           the most intersections that may be written. 0 only counts them.
/// @param out_count          receives the number of intersections that the query has, whatever the
///                           capacity. May not be null.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_query_copy_intersections(
    context: *mut pccd_context,
    query: pccd_query,
    out_intersections: *mut pccd_intersection,
    capacity: u64,
    out_count: *mut u64,
) -> pccd_status {
    enter_context("pccd_query_copy_intersections", context, |call, context| {
        let intersections = intersections_of(context.mesh_queries.get(call, query.id)?.discrete.as_ref());
        check::out_array(call, ("out_intersections", out_intersections), ("capacity", capacity))?;
        call.not_null(out_count, "out_count")?;
        let count = intersections.len() as u64;
        // SAFETY: the caller's array has room for `capacity` elements.
        unsafe { check::write_array(out_intersections, &intersections[..count.min(capacity) as usize]) };
        // SAFETY: the caller's pointer to a place for a number.
        unsafe { out_count.write(count) };
        Ok(if count > capacity { Success::Incomplete } else { Success::Complete })
    })
}
