//! Where vertices came from.

use super::check;
use super::context::pccd_context;
use super::guard::enter_context;
use super::mesh::pccd_mesh;
use super::status::*;

/// A vertex of a mesh.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct pccd_vertex_ref {
    /// The mesh.
    pub mesh: pccd_mesh,
    /// Which of its vertices.
    pub vertex: u32,
    /// Always 0.
    pub reserved: u32,
}

/// Tells where vertices of a mesh came from. For a mesh that pccd_bvh_split() or pccd_bvh_merge() has
/// made: which vertex of which mesh each was before, so the handles are those of meshes that are gone. A
/// copy comes from what it is a copy of. For a mesh of pccd_mesh_create(): the vertex itself.
///
/// @param context      the context.
/// @param mesh         the mesh.
/// @param first        the first vertex that is asked for.
/// @param count        how many are asked for; first + count is at most the number of vertices.
/// @param out_origins  an array of count elements, which receives the origins; may be null if count is 0.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_mesh_vertex_origin(
    context: *mut pccd_context,
    mesh: pccd_mesh,
    first: u64,
    count: u64,
    out_origins: *mut pccd_vertex_ref,
) -> pccd_status {
    enter_context("pccd_mesh_vertex_origin", context, |call, context| {
        let id = mesh.id;
        let mesh = &context.meshes.get(call, id)?.mesh;
        check::out_array(call, ("out_origins", out_origins), ("count", count))?;
        let vertex_count = mesh.vertex_count() as u64;
        if first.checked_add(count).is_none_or(|end| end > vertex_count) {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!(
                    "first is {first} and count is {count}; the mesh has the vertices from 0 to less than {vertex_count}"
                ),
            ));
        }
        for place in 0..count as usize {
            let vertex = first as usize + place;
            let (origin, vertex) =
                mesh.origins().get(vertex).map_or((id, vertex as u32), |origin| (origin.mesh, origin.vertex));
            let origin = pccd_vertex_ref { mesh: pccd_mesh { id: origin }, vertex, reserved: 0 };
            // SAFETY: the caller's array has room for `count` elements.
            unsafe { out_origins.add(place).write(origin) };
        }
        Ok(())
    })
}
