//! What is known about a mesh.

use super::context::pccd_context;
use super::guard::{enter, enter_context};
use super::mesh::{PCCD_MESH_NO_SELF, pccd_mesh};
use super::status::*;
use super::versioned::{self, Versioned};

/// What pccd_mesh_info_get() tells about a mesh. Prepare it with pccd_mesh_info_init().
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pccd_mesh_info {
    /// Size of this struct in bytes, as the caller knows it. Set by pccd_mesh_info_init().
    pub struct_size: u32,
    /// As in the definition.
    pub flags: u32,
    /// Vertices, those included that no triangle uses.
    pub vertex_count: u64,
    /// Triangles, those without area included.
    pub triangle_count: u64,
    /// Edges: pairs of different vertices that are corners of a triangle, each counted once.
    pub edge_count: u64,
    /// Triangles that have a vertex more than once, or had no area when the mesh was created.
    pub degenerate_triangle_count: u64,
    /// Bytes that the library holds for this mesh, without the hierarchies it is in.
    pub bytes: u64,
    /// As in the definition.
    pub thickness: f64,
    /// As in the definition, or as pccd_mesh_set_filter() has set it.
    pub category: u64,
    /// As in the definition, or as pccd_mesh_set_filter() has set it.
    pub mask: u64,
    /// As in the definition.
    pub user_data: u64,
}

// SAFETY: `repr(C)`, begins with `struct_size`; numbers only.
unsafe impl Versioned for pccd_mesh_info {
    const NAME: &'static str = "pccd_mesh_info";
    const INIT: &'static str = "pccd_mesh_info_init";
    const MIN_SIZE: usize = 80;

    fn defaults() -> pccd_mesh_info {
        pccd_mesh_info {
            struct_size: size_of::<pccd_mesh_info>() as u32,
            flags: 0,
            vertex_count: 0,
            triangle_count: 0,
            edge_count: 0,
            degenerate_triangle_count: 0,
            bytes: 0,
            thickness: 0.0,
            category: 0,
            mask: 0,
            user_data: 0,
        }
    }
}

/// Prepares a struct for pccd_mesh_info_get(). Pass the size of the struct:
/// `pccd_mesh_info_init(&info, sizeof info)`.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_mesh_info_init(info: *mut pccd_mesh_info, size: usize) -> pccd_status {
    // SAFETY: the caller passes the size of its struct.
    enter("pccd_mesh_info_init", |call| unsafe { versioned::init(call, "info", info, size) })
}

/// Tells what a mesh is made of and how it takes part in queries. Set the size of the struct with
/// pccd_mesh_info_init() before.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_mesh_info_get(
    context: *mut pccd_context,
    mesh: pccd_mesh,
    out_info: *mut pccd_mesh_info,
) -> pccd_status {
    enter_context("pccd_mesh_info_get", context, |call, context| {
        let object = context.meshes.get(call, mesh.id)?;
        // SAFETY: the caller's struct is as large as it says.
        let size = unsafe { versioned::size(call, "out_info", out_info) }?;
        let (mesh, settings) = (&object.mesh, &object.mesh.settings);
        let info = pccd_mesh_info {
            flags: if settings.self_collision { 0 } else { PCCD_MESH_NO_SELF },
            vertex_count: mesh.vertex_count() as u64,
            triangle_count: mesh.triangle_count() as u64,
            edge_count: mesh.edge_count() as u64,
            degenerate_triangle_count: mesh.degenerate_triangle_count() as u64,
            bytes: mesh.bytes() as u64,
            thickness: settings.thickness,
            category: settings.category,
            mask: settings.mask,
            user_data: object.user_data,
            ..pccd_mesh_info::defaults()
        };
        // SAFETY: the caller's struct is as large as it says, which is no more than this library knows.
        unsafe { versioned::write(out_info, info, size) };
        Ok(())
    })
}
