//! The triangles in a box.

use super::bvh::pccd_bvh;
use super::check;
use super::context::pccd_context;
use super::guard::{Call, Failure, Success, enter_context};
use super::mesh::pccd_mesh;
use super::status::*;

/// A triangle of a mesh.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct pccd_triangle_ref {
    /// The mesh.
    pub mesh: pccd_mesh,
    /// Which of its triangles: an index into the triangles it was created with.
    pub triangle: u32,
    /// Always 0.
    pub reserved: u32,
}

/// Updates a hierarchy and finds the triangles whose swept box overlaps a given box, touching included.
/// The swept box of a triangle is the smallest one along the axes around its positions at t = 0 and at t
/// = 1. The comparison is exact. Thickness and filters play no part.
///
/// Returns PCCD_INCOMPLETE if there are more than fit: the first of them have been written, in the order
/// of mesh id, then triangle, and out_count has the number of all.
///
/// @param context        the context.
/// @param bvh            the hierarchy.
/// @param lower          the smallest x, y, z of the box; three finite numbers.
/// @param upper          the largest x, y, z of the box; finite, none less than that of lower.
/// @param out_triangles  an array of capacity elements; may be null if capacity is 0.
/// @param capacity       the most triangles that may be written. 0 only counts them.
/// @param out_count      receives the number of triangles found, whatever the capacity. May not be null.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
///
/// cbindgen:ptrs-as-arrays=[[lower;3], [upper;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_bvh_overlap(
    context: *mut pccd_context,
    bvh: pccd_bvh,
    lower: *const f64,
    upper: *const f64,
    out_triangles: *mut pccd_triangle_ref,
    capacity: u64,
    out_count: *mut u64,
) -> pccd_status {
    enter_context("pccd_bvh_overlap", context, |call, context| {
        let bvh = context.bvhs.get_mut(call, bvh.id)?;
        // SAFETY: the caller's numbers are readable.
        let lower = unsafe { read_corner(call, "lower", lower) }?;
        // SAFETY: as above.
        let upper = unsafe { read_corner(call, "upper", upper) }?;
        if let Some(axis) = (0..3).find(|axis| lower[*axis] > upper[*axis]) {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!("lower[{axis}] is {:?}, but upper[{axis}] is {:?}", lower[axis], upper[axis]),
            ));
        }
        check::out_array(call, ("out_triangles", out_triangles), ("capacity", capacity))?;
        call.not_null(out_count, "out_count")?;

        let (meshes, overlaps) = (&context.meshes, &mut context.overlaps);
        overlaps.clear();
        let (mut count, mut refused) = (0, Ok(()));
        let result = bvh.overlap(&|id| &meshes.known(id).mesh, lower, upper, &mut |id, triangle| {
            if capacity > 0 && refused.is_ok() {
                refused = overlaps.push(pccd_triangle_ref { mesh: pccd_mesh { id }, triangle, reserved: 0 });
            }
            count += 1;
        });
        result
            .and(refused)
            .map_err(|error| call.no_memory(format_args!("the triangles in the box"), error))?;
        overlaps.sort_unstable_by_key(|found| (found.mesh.id, found.triangle));
        let fitting = overlaps.len().min(usize::try_from(capacity).unwrap_or(usize::MAX));
        // SAFETY: the caller's array has room for `capacity` elements.
        unsafe { check::write_array(out_triangles, &overlaps[..fitting]) };
        // SAFETY: the caller's pointer to a place for a number.
        unsafe { out_count.write(count) };
        Ok(if count > capacity { Success::Incomplete } else { Success::Complete })
    })
}

/// # Safety
/// `corner` is null or points to three numbers.
unsafe fn read_corner(call: &Call, argument: &str, corner: *const f64) -> Result<[f64; 3], Failure> {
    call.not_null(corner, argument)?;
    // SAFETY: promised by the caller; they need not even be aligned.
    let corner = unsafe { corner.cast::<[f64; 3]>().read_unaligned() };
    if let Some(axis) = corner.iter().position(|coordinate| !coordinate.is_finite()) {
        let value = check::not_finite_name(corner[axis]);
        return Err(call.fail(PCCD_ERR_NOT_FINITE, format_args!("{argument}[{axis}] is {value}")));
    }
    Ok(corner)
}
