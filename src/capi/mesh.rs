//! Bodies: triangles, and the positions of their vertices at t = 0 and t = 1.

use super::check;
use super::context::pccd_context;
use super::guard::{Call, Failure, enter, enter_context};
use super::status::*;
use super::triangles::Triangles;
use super::versioned::{self, Versioned};
use super::view::{Needed, Points, ViewName, pccd_view};
use crate::mesh::{Mesh, MeshSettings};
use std::ptr;

/// Flag of a mesh: no contacts of the mesh with itself.
pub const PCCD_MESH_NO_SELF: u32 = 1;

/// Vertices are numbered with 32 bits, and the largest number means none.
pub(super) const MOST_VERTICES: u64 = u32::MAX as u64 - 1;
/// Edges are numbered like that, too, and a triangle may have three that no other one has.
pub(super) const MOST_TRIANGLES: u64 = u32::MAX as u64 / 3;

/// The handle of a mesh: a body made of triangles. It belongs to the context it was created in; any
/// other value of id, that of a mesh destroyed before included, is answered with PCCD_ERR_STALE_HANDLE.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct pccd_mesh {
    /// 0 is the null handle, which is answered with PCCD_ERR_NULL. All else is the library's.
    pub id: u64,
}

/// How to create a mesh. Fill it with pccd_mesh_def_init(), then set positions and triangles and change
/// what should differ.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pccd_mesh_def {
    /// Size of this struct in bytes, as the caller knows it. Set by pccd_mesh_def_init().
    pub struct_size: u32,
    /// 0, which is the default, or PCCD_MESH_NO_SELF.
    pub flags: u32,
    /// The vertices: PCCD_FORMAT_F32X3 or PCCD_FORMAT_F64X3, at most 4294967294, all coordinates finite.
    /// Copied. The mesh rests at these positions until it is moved.
    pub positions: pccd_view,
    /// Three vertices for each triangle: PCCD_FORMAT_U16X3 or PCCD_FORMAT_U32X3, at most 1431655765, all
    /// indices less than the number of vertices. Copied. Any set of triangles will do: open or closed,
    /// connected or not, edges with more than two triangles, triangles without area or with a repeated
    /// vertex. Vertices that no triangle uses are no features: they are never in contact.
    pub triangles: pccd_view,
    /// Added to the min_separation of a query, once for each of the two meshes of a pair, so twice for a
    /// mesh with itself. Finite, at least 0, by default 0.
    pub thickness: f64,
    /// Bits that tell what the mesh is; by default 1. Two different meshes meet only if a.mask &
    /// b.category and b.mask & a.category are both not 0. A mesh meets itself whatever they are.
    pub category: u64,
    /// Bits that tell what the mesh meets; by default all.
    pub mask: u64,
    /// For the caller; by default 0. The library gives it back in pccd_mesh_info and does nothing else
    /// with it.
    pub user_data: u64,
}

pub(super) const NO_VIEW: pccd_view =
    pccd_view { data: ptr::null(), count: 0, stride: 0, format: 0, reserved: 0 };

// SAFETY: `repr(C)`, begins with `struct_size`; numbers and pointers only.
unsafe impl Versioned for pccd_mesh_def {
    const NAME: &'static str = "pccd_mesh_def";
    const INIT: &'static str = "pccd_mesh_def_init";
    const MIN_SIZE: usize = 104;

    fn defaults() -> pccd_mesh_def {
        pccd_mesh_def {
            struct_size: size_of::<pccd_mesh_def>() as u32,
            flags: 0,
            positions: NO_VIEW,
            triangles: NO_VIEW,
            thickness: 0.0,
            category: 1,
            mask: u64::MAX,
            user_data: 0,
        }
    }
}

/// What a `pccd_mesh` names.
pub(super) struct MeshObject {
    pub(super) mesh: Mesh,
    pub(super) user_data: u64,
}

/// Fills a struct with defaults: a mesh that meets all others and itself, without thickness. The views
/// are empty and without format. Pass the size of the struct: `pccd_mesh_def_init(&def, sizeof def)`.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_mesh_def_init(def: *mut pccd_mesh_def, size: usize) -> pccd_status {
    // SAFETY: the caller passes the size of its struct.
    enter("pccd_mesh_def_init", |call| unsafe { versioned::init(call, "def", def, size) })
}

/// Creates a mesh at rest: its positions at t = 0 and at t = 1 are the same. Vertices and triangles are
/// copied; the buffers may go after the call. A mesh is in no hierarchy until pccd_bvh_add(). It lives
/// until pccd_mesh_destroy() or the end of the context.
///
/// @param context   the context.
/// @param def       vertices, triangles and how the mesh takes part in queries. May not be null.
/// @param out_mesh  receives the handle. Handles of a context compare (by id) in the order in which
///                  the meshes were created, as long as none has been destroyed.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
/// write to the buffers during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_mesh_create(
    context: *mut pccd_context,
    def: *const pccd_mesh_def,
    out_mesh: *mut pccd_mesh,
) -> pccd_status {
    enter_context("pccd_mesh_create", context, |call, context| {
        call.not_null(out_mesh, "out_mesh")?;
        // SAFETY: the caller's struct is as large as it says.
        let def = unsafe { versioned::read(call, "def", def) }?;
        let settings = read_settings(call, &def)?;
        let (positions, triangles) = (ViewName::member("def->positions"), ViewName::member("def->triangles"));
        // SAFETY: the caller promises that the elements are readable and not written to during the call.
        let points = unsafe { Points::new(call, positions, &def.positions, Needed::AtMost(MOST_VERTICES)) }?;
        // SAFETY: as above.
        let corners =
            unsafe { Triangles::new(call, triangles, &def.triangles, Needed::AtMost(MOST_TRIANGLES)) }?;
        points.check_finite(call, positions)?;
        corners.check_indices(call, triangles, points.count())?;

        let mesh = Mesh::new(
            &context.memory,
            settings,
            points.count(),
            &|vertex| points.get(vertex),
            corners.count(),
            &|triangle| corners.get(triangle),
        );
        let mesh = mesh.map_err(|error| {
            let (vertices, triangles) = (points.count(), corners.count());
            call.no_memory(format_args!("a mesh of {vertices} vertices and {triangles} triangles"), error)
        })?;
        let id = context.meshes.insert(call, MeshObject { mesh, user_data: def.user_data })?;
        // SAFETY: the caller's pointer to a place for a handle.
        unsafe { out_mesh.write(pccd_mesh { id }) };
        Ok(())
    })
}

fn read_settings(call: &Call, def: &pccd_mesh_def) -> Result<MeshSettings, Failure> {
    let pccd_mesh_def { flags, thickness, category, mask, .. } = *def;
    check::flags(call, "def->flags", flags, PCCD_MESH_NO_SELF, "0 or PCCD_MESH_NO_SELF (1)")?;
    if !(thickness.is_finite() && thickness >= 0.0) {
        return Err(call.fail(
            PCCD_ERR_INVALID_ARGUMENT,
            format_args!("def->thickness is {thickness}; expected a finite number, at least 0"),
        ));
    }
    // Adding 0 turns the zero below 0 into the one above it.
    let (thickness, self_collision) = (thickness + 0.0, flags & PCCD_MESH_NO_SELF == 0);
    Ok(MeshSettings { thickness, category, mask, self_collision })
}

/// Destroys a mesh and takes it out of all hierarchies that it is in. Objects of pipelines that have it as
/// their shape are removed. Contacts of earlier runs stay where they are: they may still have its handle in
/// them.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_mesh_destroy(context: *mut pccd_context, mesh: pccd_mesh) -> pccd_status {
    enter_context("pccd_mesh_destroy", context, |call, context| {
        let destroyed = context.meshes.remove(call, mesh.id)?;
        for bvh in context.bvhs.values_mut() {
            bvh.remove(mesh.id);
        }
        for pipeline in context.pipelines.values_mut() {
            pipeline.remove_mesh(mesh.id);
        }
        drop(destroyed);
        Ok(())
    })
}

/// Moves a mesh on: its positions at t = 1 become those at t = 0, and the new ones those at t = 1.
/// Between them every vertex moves on a straight line with constant speed. The positions are copied.
/// Hierarchies notice at their next update. Moving to the same positions brings the mesh to rest.
///
/// @param context    the context.
/// @param mesh       the mesh.
/// @param positions  PCCD_FORMAT_F32X3 or PCCD_FORMAT_F64X3, exactly as many as the mesh has vertices,
///                   all coordinates finite. The format need not be that of the creation.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
/// write to the buffer during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_mesh_move(
    context: *mut pccd_context,
    mesh: pccd_mesh,
    positions: *const pccd_view,
) -> pccd_status {
    enter_context("pccd_mesh_move", context, |call, context| {
        let mesh = &mut context.meshes.get_mut(call, mesh.id)?.mesh;
        // SAFETY: the caller promises that the elements are readable and not written to during the call.
        let points = unsafe { read_positions(call, "positions", positions, mesh) }?;
        mesh.move_to(&|vertex| points.get(vertex));
        Ok(())
    })
}

/// Sets the positions of a mesh at t = 0 and at t = 1, whatever they were. As pccd_mesh_move() in all
/// else. Both views may be of the same buffer.
///
/// @param context  the context.
/// @param mesh     the mesh.
/// @param start    the positions at t = 0.
/// @param end      the positions at t = 1; the format may be another than that of start.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
/// write to the buffers during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_mesh_set_motion(
    context: *mut pccd_context,
    mesh: pccd_mesh,
    start: *const pccd_view,
    end: *const pccd_view,
) -> pccd_status {
    enter_context("pccd_mesh_set_motion", context, |call, context| {
        let mesh = &mut context.meshes.get_mut(call, mesh.id)?.mesh;
        // SAFETY: the caller promises that the elements are readable and not written to during the call.
        let start = unsafe { read_positions(call, "start", start, mesh) }?;
        // SAFETY: as above.
        let end = unsafe { read_positions(call, "end", end, mesh) }?;
        mesh.set_motion(&|vertex| start.get(vertex), &|vertex| end.get(vertex));
        Ok(())
    })
}

/// Positions for all vertices of `mesh`.
///
/// # Safety
/// If the view has elements, they are readable for `'a`, and nobody writes to them.
unsafe fn read_positions<'a>(
    call: &Call,
    argument: &'static str,
    view: *const pccd_view,
    mesh: &Mesh,
) -> Result<Points<'a>, Failure> {
    call.not_null(view, argument)?;
    let argument = ViewName::argument(argument);
    // SAFETY: the caller's struct; it need not even be aligned.
    let view = unsafe { view.read_unaligned() };
    // SAFETY: promised by the caller.
    let points = unsafe { Points::new(call, argument, &view, Needed::Exactly(mesh.vertex_count() as u64)) }?;
    points.check_finite(call, argument)?;
    Ok(points)
}

/// Changes what a mesh is and which meshes it meets, from the next run of a query on. What the bits
/// mean is told at pccd_mesh_def. All values are allowed.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_mesh_set_filter(
    context: *mut pccd_context,
    mesh: pccd_mesh,
    category: u64,
    mask: u64,
) -> pccd_status {
    enter_context("pccd_mesh_set_filter", context, |call, context| {
        let settings = &mut context.meshes.get_mut(call, mesh.id)?.mesh.settings;
        (settings.category, settings.mask) = (category, mask);
        Ok(())
    })
}
