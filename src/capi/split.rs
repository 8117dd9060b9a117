//! Meshes that break.

use super::breaking::{Lists, split};
use super::bvh::pccd_bvh;
use super::check;
use super::context::pccd_context;
use super::guard::{enter, enter_context};
use super::mesh::{NO_VIEW, pccd_mesh};
use super::status::*;
use super::versioned::{self, Versioned};
use super::view::pccd_view;
use std::ptr;

/// How a mesh breaks. Fill it with pccd_split_def_init(), then set part_count, parts and triangle_count,
/// and the rest if the mesh tears or shows new faces.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pccd_split_def {
    /// Size of this struct in bytes, as the caller knows it. Set by pccd_split_def_init().
    pub struct_size: u32,
    /// How many meshes come out, at least 1.
    pub part_count: u32,
    /// For each triangle the number of its part, less than part_count. Every part has to have a triangle.
    pub parts: *const u32,
    /// How many elements parts has: the number of triangles of the mesh, or more if triangles are given.
    pub triangle_count: u64,
    /// Vertices of the mesh that are there once more: copies[i] gets a copy, which has the number
    /// vertex_count + i. By default there are none. A vertex that several parts use needs no copy: each
    /// part gets its own anyway. Copies are for what tears without coming apart.
    pub copies: *const u32,
    /// How many elements copies has.
    pub copy_count: u64,
    /// New corners of the triangles: PCCD_FORMAT_U16X3 or PCCD_FORMAT_U32X3, triangle_count of them, or
    /// an empty view (the default) if all stay as they are. Those that the mesh has keep their shape: a
    /// corner is what it was, or a copy of that. Those beyond are new triangles, between any vertices and
    /// copies: the faces of a crack, for instance.
    pub triangles: pccd_view,
}

// SAFETY: `repr(C)`, begins with `struct_size`; numbers and pointers only.
unsafe impl Versioned for pccd_split_def {
    const NAME: &'static str = "pccd_split_def";
    const INIT: &'static str = "pccd_split_def_init";
    const MIN_SIZE: usize = 72;

    fn defaults() -> pccd_split_def {
        pccd_split_def {
            struct_size: size_of::<pccd_split_def>() as u32,
            part_count: 0,
            parts: ptr::null(),
            triangle_count: 0,
            copies: ptr::null(),
            copy_count: 0,
            triangles: NO_VIEW,
        }
    }
}

/// Fills a struct with defaults: no parts, no copies, no new corners. Pass the size of the struct:
/// `pccd_split_def_init(&def, sizeof def)`.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_split_def_init(def: *mut pccd_split_def, size: usize) -> pccd_status {
    // SAFETY: the caller passes the size of its struct.
    enter("pccd_split_def_init", |call| unsafe { versioned::init(call, "def", def, size) })
}

/// Breaks a mesh into parts, which take its place in this hierarchy and in all others that it is in. The
/// mesh is destroyed; contacts of earlier runs may still have its handle in them. On any error nothing
/// has changed.
///
/// Each part is a new mesh with the settings, the user data and the motion of the old one: no position
/// changes, neither at t = 0 nor at t = 1. It has the vertices that its triangles use, in the order of
/// their numbers (copies come last), and its triangles in the order they had; vertices that no triangle
/// uses are left behind. pccd_mesh_vertex_origin() tells where a vertex came from.
///
/// The parts keep what the hierarchy knows about the order of their triangles, so nothing is built anew,
/// and other meshes do not notice. The time is in proportion to the size of the mesh.
///
/// @param context     the context.
/// @param bvh         a hierarchy that the mesh is in; otherwise it is PCCD_ERR_INVALID_ARGUMENT.
/// @param mesh        the mesh.
/// @param def         which triangle goes where. May not be null.
/// @param out_meshes  receives def->part_count handles, that of part 0 first.
/// @param capacity    how many handles out_meshes has room for: at least def->part_count.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
/// write to the arrays of the definition during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_bvh_split(
    context: *mut pccd_context,
    bvh: pccd_bvh,
    mesh: pccd_mesh,
    def: *const pccd_split_def,
    out_meshes: *mut pccd_mesh,
    capacity: u64,
) -> pccd_status {
    enter_context("pccd_bvh_split", context, |call, context| {
        let lists = Lists { meshes: &[mesh], defs: def, out_meshes, capacity, are_lists: false };
        // SAFETY: the caller promises what is asked for.
        unsafe { split(call, context, bvh.id, &lists) }
    })
}

/// Breaks many meshes at once: as pccd_bvh_split() of each, but all threads of the context take part
/// however small the meshes are, and either all of them break or, on any error, none. When many things
/// break in a frame, this takes less time than one call after the other.
///
/// An error tells the element of the lists that it is about, and says mesh and def for what is there.
///
/// @param context     the context.
/// @param bvh         a hierarchy that all the meshes are in; otherwise it is PCCD_ERR_INVALID_ARGUMENT.
/// @param meshes      the meshes, each of them once.
/// @param defs        which triangles go where, one for each mesh. All have the same struct_size.
/// @param count       how many elements meshes and defs have. With 0 nothing happens.
/// @param out_meshes  receives the handles of the parts of the first mesh, that of part 0 first, then those
///                    of the second one, and so on.
/// @param capacity    how many handles out_meshes has room for: at least the sum of all part_count.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
/// write to the arrays, or to those of the definitions, during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_bvh_split_all(
    context: *mut pccd_context,
    bvh: pccd_bvh,
    meshes: *const pccd_mesh,
    defs: *const pccd_split_def,
    count: u64,
    out_meshes: *mut pccd_mesh,
    capacity: u64,
) -> pccd_status {
    enter_context("pccd_bvh_split_all", context, |call, context| {
        // SAFETY: the caller promises that the elements are readable and not written to during the call.
        let meshes = unsafe { check::in_array(call, ("meshes", meshes), ("count", count)) }?;
        let lists = Lists { meshes, defs, out_meshes, capacity, are_lists: true };
        // SAFETY: as above; and that there are as many definitions.
        unsafe { split(call, context, bvh.id, &lists) }
    })
}
