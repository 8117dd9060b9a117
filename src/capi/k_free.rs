//! A predicate that tells what discrete detection can cost, of triangles and of polygons.

use super::check;
use super::context::{Context, pccd_context};
use super::guard::{Call, Failure, Success, enter, enter_context};
use super::mesh::pccd_mesh;
use super::status::*;
use super::versioned::{self, Versioned};
use crate::kdet::{self, Fans, Summary, TriangleK};
use crate::memory::Buffer;
use std::fmt;
use std::mem::offset_of;
use std::slice;

/// What pccd_mesh_k_free() and pccd_mesh_k_free_polygons() tell about some meshes. Prepare it with
/// pccd_k_free_report_init(). The latter speaks of polygons where the former does of triangles.
///
/// The size d of a triangle is the diameter of its minimum enclosing sphere. A triangle is k-free if
/// fewer than k others that are at least as large come as close to it as d / 4. What is told is the
/// smallest such k, of single triangles and of all of them: the larger it is, the more triangles can
/// intersect at one place, and the longer a query of mode PCCD_MODE_DISCRETE can take. Surfaces of even
/// triangles have about 6 to 20.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pccd_k_free_report {
    /// Size of this struct in bytes, as the caller knows it. Set by pccd_k_free_report_init().
    pub struct_size: u32,
    /// Always 0.
    pub reserved: u32,
    /// Triangles of all meshes.
    pub triangle_count: u64,
    /// The smallest k for which all triangles are k-free; 0 without triangles. Never too small: where
    /// rounding leaves open whether a triangle is close enough, it counts.
    pub k_max: u64,
    /// The mean of the smallest k of each triangle.
    pub k_mean: f64,
    /// The standard deviation of the smallest k of each triangle.
    pub k_deviation: f64,
    /// The mean number of larger triangles that are counted for a triangle and share a vertex with it.
    pub neighbours_mean: f64,
    /// Of all larger triangles that are counted, the share of those that share a vertex: what of k
    /// comes from the mere connection of the triangles.
    pub neighbour_share: f64,
    /// The binary logarithm of the largest size divided by the smallest one that is not 0: how many
    /// levels the grid has.
    pub height: f64,
    /// The smallest size that is not 0; 0 if there is none.
    pub diameter_min: f64,
    /// The largest size.
    pub diameter_max: f64,
    /// Triangles whose corners are all in one place.
    pub point_count: u64,
    /// 3 n k, n being the number of triangles and k k_max: no more pairs can intersect between two sets
    /// that have n triangles together and are both k-free. A polygon of more than one triangle counts 7 k
    /// instead of 3 k, which is proved for flat ones. UINT64_MAX if it is more than that.
    pub bound: u64,
    /// Polygons of all meshes; as many as triangles from pccd_mesh_k_free().
    pub polygon_count: u64,
}

// SAFETY: `repr(C)`, begins with `struct_size`; numbers only.
unsafe impl Versioned for pccd_k_free_report {
    const NAME: &'static str = "pccd_k_free_report";
    const INIT: &'static str = "pccd_k_free_report_init";
    const MIN_SIZE: usize = 96;

    fn defaults() -> pccd_k_free_report {
        pccd_k_free_report {
            struct_size: size_of::<pccd_k_free_report>() as u32,
            reserved: 0,
            triangle_count: 0,
            k_max: 0,
            k_mean: 0.0,
            k_deviation: 0.0,
            neighbours_mean: 0.0,
            neighbour_share: 0.0,
            height: 0.0,
            diameter_min: 0.0,
            diameter_max: 0.0,
            point_count: 0,
            bound: 0,
            polygon_count: 0,
        }
    }
}

/// A triangle or a polygon, and the smallest k for which it is k-free.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct pccd_triangle_k {
    /// The mesh.
    pub mesh: pccd_mesh,
    /// The triangle, an index into the triangles of the mesh; of a polygon the first one.
    pub triangle: u32,
    /// One more than there are other triangles or polygons that are at least as large and as close as told at
    /// pccd_k_free_report.
    pub k: u32,
    /// How many of these share a vertex with it.
    pub neighbours: u32,
    /// The polygon, an index into the fans of pccd_mesh_k_free_polygons(); 0 from pccd_mesh_k_free().
    pub polygon: u32,
    /// The diameter of its minimum enclosing sphere, rounded.
    pub diameter: f64,
}

/// Prepares a struct for pccd_mesh_k_free(). Pass the size of the struct:
/// `pccd_k_free_report_init(&report, sizeof report)`.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_k_free_report_init(
    report: *mut pccd_k_free_report,
    size: usize,
) -> pccd_status {
    // SAFETY: the caller passes the size of its struct.
    enter("pccd_k_free_report_init", |call| unsafe { versioned::init(call, "report", report, size) })
}

/// Finds the smallest k for which triangles are k-free: each of them, and all together. Some meshes are
/// taken as one set of triangles, at t = 1. Sizes are compared exactly. Takes longer than a query, and
/// needs memory that is given back: meant for looking at models, not for every frame. The numbers are
/// the same for any number of threads.
///
/// Returns PCCD_INCOMPLETE if there are more triangles than fit into out_triangles, which is no
/// mistake: the worst ones have been written.
///
/// @param context        the context.
/// @param meshes         an array of mesh_count handles, each of them once. May be null if there are none.
/// @param mesh_count     the number of meshes.
/// @param out_report     receives what holds for all triangles. Set its size with
///                       pccd_k_free_report_init() before.
/// @param out_triangles  an array of capacity elements, which receives the triangles with the largest k, the
///                       worst first, those with the same k by mesh and number. May be null if capacity is 0.
/// @param capacity       the most triangles that may be written.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_mesh_k_free(
    context: *mut pccd_context,
    meshes: *const pccd_mesh,
    mesh_count: u64,
    out_report: *mut pccd_k_free_report,
    out_triangles: *mut pccd_triangle_k,
    capacity: u64,
) -> pccd_status {
    enter_context("pccd_mesh_k_free", context, |call, context| {
        let mut ids = Buffer::new(context.memory.clone());
        // SAFETY: the caller's array has as many elements as it says.
        unsafe { super::discrete::read_meshes(call, &context.meshes, meshes, mesh_count, &mut ids) }?;
        // SAFETY: promised by the caller.
        unsafe { report(call, context, &ids, None, out_report, (("out_triangles", out_triangles), capacity)) }
    })
}

/// Finds the smallest k for which polygons are k-free: each of them, and all together. Like
/// pccd_mesh_k_free(), but triangles that follow each other in a mesh are taken as one polygon, as fans of
/// triangles are into which a file of polygons was divided. A polygon has one size, the diameter of the
/// minimum enclosing sphere of all its corners, and is close to another one if one of its triangles is.
///
/// Returns PCCD_INCOMPLETE if there are more polygons than fit into out_polygons, which is no mistake:
/// the worst ones have been written.
///
/// @param context        the context.
/// @param meshes         an array of mesh_count handles, each of them once. May be null if there are none.
/// @param mesh_count     the number of meshes.
/// @param fans           an array of fan_count numbers: how many triangles each polygon has, at least 1. The
///                       first fans are those of the first mesh of the array, in the order of its
///                       triangles, and so on. All triangles have to be in a fan, and no fan may go on
///                       from one mesh to the next. May be null if there are none.
/// @param fan_count      the number of polygons.
/// @param out_report     receives what holds for all polygons. Set its size with
///                       pccd_k_free_report_init() before.
/// @param out_polygons   an array of capacity elements, which receives the polygons with the largest k, the
///                       worst first, those with the same k by mesh and number. May be null if capacity is 0.
/// @param capacity       the most polygons that may be written.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_mesh_k_free_polygons(
    context: *mut pccd_context,
    meshes: *const pccd_mesh,
    mesh_count: u64,
    fans: *const u32,
    fan_count: u64,
    out_report: *mut pccd_k_free_report,
    out_polygons: *mut pccd_triangle_k,
    capacity: u64,
) -> pccd_status {
    enter_context("pccd_mesh_k_free_polygons", context, |call, context| {
        let mut ids = Buffer::new(context.memory.clone());
        // SAFETY: the caller's arrays have as many elements as it says.
        let (handles, sizes) = unsafe {
            super::discrete::read_meshes(call, &context.meshes, meshes, mesh_count, &mut ids)?;
            (
                check::in_array(call, ("meshes", meshes), ("mesh_count", mesh_count))?,
                check::in_array(call, ("fans", fans), ("fan_count", fan_count))?,
            )
        };
        let mut fans = Buffer::new(context.memory.clone());
        let room = fans.resize(ids.len(), Fans { first: 0, sizes: &[] });
        room.map_err(|error| call.no_memory(format_args!("the fans of {mesh_count} meshes"), error))?;
        let mut first = 0;
        for (place, handle) in handles.iter().enumerate() {
            let triangle_count = context.meshes.known(handle.id).mesh.triangle_count();
            let count = count_fans(call, &sizes[first..], first, place, triangle_count)?;
            let sorted = ids.binary_search(&handle.id).expect("all are there");
            fans[sorted] = Fans { first: first as u32, sizes: &sizes[first..first + count] };
            first += count;
        }
        if first < sizes.len() {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!(
                    "fan_count is {fan_count}, but the first {first} fans have all triangles of the meshes"
                ),
            ));
        }
        // SAFETY: promised by the caller.
        unsafe {
            report(call, context, &ids, Some(&fans), out_report, (("out_polygons", out_polygons), capacity))
        }
    })
}

/// How many fans, of those from `first` on, the triangles of a mesh make up.
fn count_fans(
    call: &Call,
    sizes: &[u32],
    first: usize,
    place: usize,
    triangle_count: usize,
) -> Result<usize, Failure> {
    let invalid = |words: fmt::Arguments<'_>| Err(call.fail(PCCD_ERR_INVALID_ARGUMENT, words));
    let (mut count, mut left) = (0, triangle_count);
    while left > 0 {
        let fan = first + count;
        let Some(&size) = sizes.get(count) else {
            let triangle = triangle_count - left;
            return invalid(format_args!(
                "fan_count is {fan}, but triangle {triangle} of meshes[{place}] is in none of these fans"
            ));
        };
        if size == 0 {
            return invalid(format_args!("fans[{fan}] is 0; expected at least 1"));
        }
        if size as usize > left {
            return invalid(format_args!(
                "fans[{fan}] is {size}; expected at most {left}, the triangles of meshes[{place}] that are left"
            ));
        }
        left -= size as usize;
        count += 1;
    }
    Ok(count)
}

/// What both functions do.
///
/// # Safety
/// The caller's struct is as large as it says, and its array as long.
unsafe fn report(
    call: &Call,
    context: &mut Context,
    ids: &[u64],
    fans: Option<&[Fans<'_>]>,
    out_report: *mut pccd_k_free_report,
    (out, capacity): ((&str, *mut pccd_triangle_k), u64),
) -> Result<Success, Failure> {
    const {
        assert!(size_of::<TriangleK>() == size_of::<pccd_triangle_k>());
        assert!(align_of::<TriangleK>() == align_of::<pccd_triangle_k>());
        assert!(offset_of!(TriangleK, triangle) == offset_of!(pccd_triangle_k, triangle));
        assert!(offset_of!(TriangleK, k) == offset_of!(pccd_triangle_k, k));
        assert!(offset_of!(TriangleK, neighbours) == offset_of!(pccd_triangle_k, neighbours));
        assert!(offset_of!(TriangleK, polygon) == offset_of!(pccd_triangle_k, polygon));
        assert!(offset_of!(TriangleK, diameter) == offset_of!(pccd_triangle_k, diameter));
    }
    let Context { meshes: known, memory, crew, .. } = context;
    // SAFETY: promised by the caller.
    let size = unsafe { versioned::size(call, "out_report", out_report) }?;
    check::out_array(call, out, ("capacity", capacity))?;
    let mut results = Buffer::new(memory.clone());
    let meshes = ids.iter().map(|&id| (id, &known.known(id).mesh));
    let summary = kdet::k_free(memory, crew, meshes, fans, &mut results)
        .map_err(|error| call.no_memory(format_args!("the neighbourhood of the triangles"), error))?;
    let Summary { triangle_count, k_max, k_mean, k_deviation, neighbours_mean, .. } = summary;
    let report = pccd_k_free_report {
        triangle_count,
        k_max,
        k_mean,
        k_deviation,
        neighbours_mean,
        neighbour_share: summary.neighbour_share,
        height: summary.height,
        diameter_min: summary.diameter_min,
        diameter_max: summary.diameter_max,
        point_count: summary.point_count,
        bound: summary.bound,
        polygon_count: summary.polygon_count,
        ..pccd_k_free_report::defaults()
    };
    let written = results.len().min(usize::try_from(capacity).unwrap_or(usize::MAX));
    // SAFETY: the layouts are the same, as asserted above; every field of `pccd_triangle_k` takes any bits.
    let worst: &[pccd_triangle_k] = unsafe { slice::from_raw_parts(results.as_ptr().cast(), written) };
    // SAFETY: promised by the caller: an array that has room, and a struct that is no larger than this library knows.
    unsafe {
        check::write_array(out.1, worst);
        versioned::write(out_report, report, size);
    }
    Ok(if written < results.len() { Success::Incomplete } else { Success::Complete })
}
