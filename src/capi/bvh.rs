//! Hierarchies over any number of meshes.

use super::check;
use super::context::pccd_context;
use super::guard::{enter, enter_context};
use super::mesh::pccd_mesh;
use super::status::*;
use super::versioned::{self, Versioned};
use crate::bvh::{Bvh, BvhSettings, Metric};

/// The handle of a bounding volume hierarchy over any number of meshes. It belongs to the context it was
/// created in; any other value of id, that of a hierarchy destroyed before included, is answered with
/// PCCD_ERR_STALE_HANDLE.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct pccd_bvh {
    /// 0 is the null handle, which is answered with PCCD_ERR_NULL. All else is the library's.
    pub id: u64,
}

/// Nodes are sorted anew by their volume ratio: see volume_ratio in pccd_bvh_def.
pub const PCCD_METRIC_VOLUME_RATIO: u32 = 0;
/// Nodes are sorted anew by what a search below them is expected to cost: see loss_limit in pccd_bvh_def.
pub const PCCD_METRIC_TRAVERSAL_COST: u32 = 1;

/// How to create a hierarchy. Fill it with pccd_bvh_def_init(), then change what should differ.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pccd_bvh_def {
    /// Size of this struct in bytes, as the caller knows it. Set by pccd_bvh_def_init().
    pub struct_size: u32,
    /// Has to be 0.
    pub reserved: u32,
    /// What belongs to a mesh is built anew at an update when its quality has fallen below this: from 0
    /// (never) to 1 (whenever it has become worse at all), by default 0.5. Only speed depends on it,
    /// never a result.
    pub rebuild_quality: f64,
    /// A part of a mesh is sorted anew during a run when its box, compared with those of its parts, has come
    /// to less than this share of what it was: from 0 (never) to 1, by default 0.9. Only speed depends on
    /// it, never a result.
    pub volume_ratio: f64,
    /// What decides which parts of meshes are sorted anew during a run: PCCD_METRIC_VOLUME_RATIO, which is
    /// the default, or PCCD_METRIC_TRAVERSAL_COST. Only speed depends on it, never a result.
    pub metric: u32,
    /// Meshes of at least so many triangles are sorted by a grid when they are added or built anew, and
    /// by medians only within its cells, when these have fewer. 0, which is the default, for never; 100 to
    /// 1000 are sensible. Measure before you use it: hierarchies become worse, and on what has been measured
    /// so far no time was saved. Only speed depends on it, never a result.
    pub grid_limit: u32,
    /// With PCCD_METRIC_TRAVERSAL_COST, a part is sorted anew when the time that this is expected to save
    /// is more than what it is expected to take, and the latter is at most this share of the time of the
    /// last run: from 0 (never) to 1, by default 0.25. Both are estimated with constants that are measured
    /// while hierarchies are built and queries run, so what is sorted when may differ from one execution
    /// of a program to the next. Results do not.
    pub loss_limit: f64,
}

// SAFETY: `repr(C)`, begins with `struct_size`; numbers only.
unsafe impl Versioned for pccd_bvh_def {
    const NAME: &'static str = "pccd_bvh_def";
    const INIT: &'static str = "pccd_bvh_def_init";
    const MIN_SIZE: usize = 16;
    const SIZES: &'static [usize] = &[16, 24, size_of::<pccd_bvh_def>()];

    fn defaults() -> pccd_bvh_def {
        let struct_size = size_of::<pccd_bvh_def>() as u32;
        let BvhSettings { rebuild_quality, volume_ratio, loss_limit, grid_limit, .. } = BvhSettings::DEFAULT;
        pccd_bvh_def {
            struct_size,
            reserved: 0,
            rebuild_quality,
            volume_ratio,
            metric: PCCD_METRIC_VOLUME_RATIO,
            grid_limit: grid_limit as u32,
            loss_limit,
        }
    }
}

/// What pccd_bvh_info_get() tells about a hierarchy. Prepare it with pccd_bvh_info_init().
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pccd_bvh_info {
    /// Size of this struct in bytes, as the caller knows it. Set by pccd_bvh_info_init().
    pub struct_size: u32,
    /// Levels from the root to the deepest leaf.
    pub depth: u32,
    /// Meshes in the hierarchy.
    pub mesh_count: u64,
    /// Triangles of all of them.
    pub triangle_count: u64,
    /// Nodes.
    pub node_count: u64,
    /// Bytes that the library holds for this hierarchy, without its meshes.
    pub bytes: u64,
    /// 1 right after a build, less as the boxes grow.
    pub quality: f64,
    /// How often the quality of a mesh had fallen so far that its part was built anew.
    pub rebuild_count: u64,
    /// How often a part of a mesh was sorted anew during a run: see volume_ratio in pccd_bvh_def.
    pub node_rebuild_count: u64,
    /// How many of rebuild_count were because too many parts of a mesh had no room to be sorted anew.
    pub crowded_count: u64,
}

// SAFETY: `repr(C)`, begins with `struct_size`; numbers only.
unsafe impl Versioned for pccd_bvh_info {
    const NAME: &'static str = "pccd_bvh_info";
    const INIT: &'static str = "pccd_bvh_info_init";
    const MIN_SIZE: usize = 56;

    fn defaults() -> pccd_bvh_info {
        pccd_bvh_info {
            struct_size: size_of::<pccd_bvh_info>() as u32,
            depth: 0,
            mesh_count: 0,
            triangle_count: 0,
            node_count: 0,
            bytes: 0,
            quality: 0.0,
            rebuild_count: 0,
            node_rebuild_count: 0,
            crowded_count: 0,
        }
    }
}

/// Fills a struct with defaults. Pass the size of the struct: `pccd_bvh_def_init(&def, sizeof def)`.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_bvh_def_init(def: *mut pccd_bvh_def, size: usize) -> pccd_status {
    // SAFETY: the caller passes the size of its struct.
    enter("pccd_bvh_def_init", |call| unsafe { versioned::init(call, "def", def, size) })
}

/// Prepares a struct for pccd_bvh_info_get(). Pass the size of the struct:
/// `pccd_bvh_info_init(&info, sizeof info)`.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_bvh_info_init(info: *mut pccd_bvh_info, size: usize) -> pccd_status {
    // SAFETY: the caller passes the size of its struct.
    enter("pccd_bvh_info_init", |call| unsafe { versioned::init(call, "info", info, size) })
}

/// Creates an empty hierarchy. If def is null, with defaults. It lives until pccd_bvh_destroy() or the
/// end of the context.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_bvh_create(
    context: *mut pccd_context,
    def: *const pccd_bvh_def,
    out_bvh: *mut pccd_bvh,
) -> pccd_status {
    enter_context("pccd_bvh_create", context, |call, context| {
        call.not_null(out_bvh, "out_bvh")?;
        let def = if def.is_null() {
            pccd_bvh_def::defaults()
        } else {
            // SAFETY: the caller's struct is as large as it says.
            unsafe { versioned::read(call, "def", def) }?
        };
        check::reserved(call, format_args!("def->reserved"), def.reserved)?;
        let pccd_bvh_def { rebuild_quality, volume_ratio, metric, grid_limit, loss_limit, .. } = def;
        let shares = [
            ("rebuild_quality", rebuild_quality),
            ("volume_ratio", volume_ratio),
            ("loss_limit", loss_limit),
        ];
        for (member, value) in shares {
            if !(0.0..=1.0).contains(&value) {
                return Err(call.fail(
                    PCCD_ERR_INVALID_ARGUMENT,
                    format_args!("def->{member} is {value}; expected a number from 0 to 1"),
                ));
            }
        }
        let metric = match metric {
            PCCD_METRIC_VOLUME_RATIO => Metric::VolumeRatio,
            PCCD_METRIC_TRAVERSAL_COST => Metric::TraversalCost,
            _ => {
                return Err(call.fail(
                    PCCD_ERR_INVALID_ARGUMENT,
                    format_args!(
                        "def->metric is {metric}; expected PCCD_METRIC_VOLUME_RATIO (0) or \
                         PCCD_METRIC_TRAVERSAL_COST (1)"
                    ),
                ));
            }
        };
        let grid_limit = grid_limit as usize;
        let settings = BvhSettings { rebuild_quality, volume_ratio, metric, loss_limit, grid_limit };
        let id = context.bvhs.insert(call, Bvh::new(&context.memory, context.level, settings))?;
        // SAFETY: the caller's pointer to a place for a handle.
        unsafe { out_bvh.write(pccd_bvh { id }) };
        Ok(())
    })
}

/// Destroys a hierarchy. The meshes in it live on, and so do the contacts that were found with it.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_bvh_destroy(context: *mut pccd_context, bvh: pccd_bvh) -> pccd_status {
    enter_context("pccd_bvh_destroy", context, |call, context| {
        context.bvhs.remove(call, bvh.id)?;
        Ok(())
    })
}

/// Adds a mesh. It may be in other hierarchies as well; if it is in this one already, that is
/// PCCD_ERR_INVALID_ARGUMENT. Nothing found depends on the order in which meshes are added.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_bvh_add(
    context: *mut pccd_context,
    bvh: pccd_bvh,
    mesh: pccd_mesh,
) -> pccd_status {
    enter_context("pccd_bvh_add", context, |call, context| {
        let (bvh_id, id) = (bvh.id, mesh.id);
        let bvh = context.bvhs.get_mut(call, bvh_id)?;
        let mesh = &context.meshes.get(call, id)?.mesh;
        if bvh.contains(id) {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!("mesh.id is {id:#x}, which is in bvh {bvh_id:#x} already"),
            ));
        }
        let count = mesh.triangle_count();
        bvh.add_on(Some(&context.crew), id, mesh).map_err(|error| {
            call.no_memory(format_args!("a hierarchy over the mesh's {count} triangles"), error)
        })
    })
}

/// Takes a mesh out; it lives on. If it is not in the hierarchy, that is PCCD_ERR_INVALID_ARGUMENT.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_bvh_remove(
    context: *mut pccd_context,
    bvh: pccd_bvh,
    mesh: pccd_mesh,
) -> pccd_status {
    enter_context("pccd_bvh_remove", context, |call, context| {
        let (bvh_id, id) = (bvh.id, mesh.id);
        let bvh = context.bvhs.get_mut(call, bvh_id)?;
        context.meshes.get(call, id)?;
        if !bvh.remove(id) {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!("mesh.id is {id:#x}, which is not in bvh {bvh_id:#x}"),
            ));
        }
        Ok(())
    })
}

/// Takes over what has moved since the last update. pccd_query_run() and pccd_bvh_overlap() do it by
/// themselves: call it to choose when. Meshes that were not moved cost nothing.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_bvh_update(context: *mut pccd_context, bvh: pccd_bvh) -> pccd_status {
    enter_context("pccd_bvh_update", context, |call, context| {
        let bvh = context.bvhs.get_mut(call, bvh.id)?;
        let meshes = &context.meshes;
        bvh.update(&|id| &meshes.known(id).mesh)
            .map_err(|error| call.no_memory(format_args!("the update of the hierarchy"), error))
    })
}

/// Tells what a hierarchy is like, as of its last update. Set the size of the struct with
/// pccd_bvh_info_init() before.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_bvh_info_get(
    context: *mut pccd_context,
    bvh: pccd_bvh,
    out_info: *mut pccd_bvh_info,
) -> pccd_status {
    enter_context("pccd_bvh_info_get", context, |call, context| {
        let known = context.bvhs.get(call, bvh.id)?.info();
        // SAFETY: the caller's struct is as large as it says.
        let size = unsafe { versioned::size(call, "out_info", out_info) }?;
        let info = pccd_bvh_info {
            depth: known.depth as u32,
            mesh_count: known.mesh_count as u64,
            triangle_count: known.triangle_count as u64,
            node_count: known.node_count as u64,
            bytes: known.bytes as u64,
            quality: known.quality,
            rebuild_count: known.rebuild_count,
            node_rebuild_count: known.node_rebuild_count,
            crowded_count: known.crowded_count,
            ..pccd_bvh_info::defaults()
        };
        // SAFETY: the caller's struct is as large as it says, which is no more than this library knows.
        unsafe { versioned::write(out_info, info, size) };
        Ok(())
    })
}
