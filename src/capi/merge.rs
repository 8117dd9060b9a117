//! Meshes that become one.

use super::bvh::pccd_bvh;
use super::check;
use super::context::{Context, pccd_context};
use super::guard::{Call, Failure, enter, enter_context};
use super::mesh::{MOST_TRIANGLES, MOST_VERTICES, MeshObject, pccd_mesh};
use super::status::*;
use super::versioned::{self, Versioned};
use crate::bvh::Bvh;
use crate::memory::{Buffer, MemoryError};
use crate::mesh::{Merge, Mesh, WeldProblem};
use std::ptr;

/// Which meshes become one. Fill it with pccd_merge_def_init(), then set meshes and mesh_count, and a
/// weld if vertices should be shared.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pccd_merge_def {
    /// Size of this struct in bytes, as the caller knows it. Set by pccd_merge_def_init().
    pub struct_size: u32,
    /// Has to be 0.
    pub reserved: u32,
    /// The meshes, each once. Their vertices are numbered through, those of the first mesh first.
    pub meshes: *const pccd_mesh,
    /// How many meshes there are, at least 1.
    pub mesh_count: u64,
    /// For each vertex, numbered through, the one that it becomes: itself, or an earlier one that becomes
    /// itself and is at the same place, at t = 0 and at t = 1. By default null: all stay themselves.
    pub weld: *const u32,
    /// How many elements weld has: the number of vertices of all meshes, or 0 if there is no weld.
    pub vertex_count: u64,
}

// SAFETY: `repr(C)`, begins with `struct_size`; numbers and pointers only.
unsafe impl Versioned for pccd_merge_def {
    const NAME: &'static str = "pccd_merge_def";
    const INIT: &'static str = "pccd_merge_def_init";
    const MIN_SIZE: usize = 40;

    fn defaults() -> pccd_merge_def {
        pccd_merge_def {
            struct_size: size_of::<pccd_merge_def>() as u32,
            reserved: 0,
            meshes: ptr::null(),
            mesh_count: 0,
            weld: ptr::null(),
            vertex_count: 0,
        }
    }
}

/// Fills a struct with defaults: no meshes, no weld. Pass the size of the struct:
/// `pccd_merge_def_init(&def, sizeof def)`.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_merge_def_init(def: *mut pccd_merge_def, size: usize) -> pccd_status {
    // SAFETY: the caller passes the size of its struct.
    enter("pccd_merge_def_init", |call| unsafe { versioned::init(call, "def", def, size) })
}

/// Makes one mesh of several, which takes their place in this hierarchy. They are destroyed; contacts of
/// earlier runs may still have their handles in them. On any error nothing has changed.
///
/// The new mesh has the vertices of all of them, without those that become others by the weld, and all
/// their triangles, both in the order of the list. No position changes. Settings and user data are those
/// of the first mesh. pccd_mesh_vertex_origin() tells where a vertex came from. Pieces that share a
/// vertex by the weld are no longer in contact there.
///
/// Another hierarchy that has all of the meshes gets the new one, too. One that has some of them only is
/// an error, PCCD_ERR_INVALID_ARGUMENT: take them out first.
///
/// @param context   the context.
/// @param bvh       a hierarchy that all the meshes are in.
/// @param def       the meshes. May not be null.
/// @param out_mesh  receives the handle of the new mesh.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
/// write to the arrays of the definition during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_bvh_merge(
    context: *mut pccd_context,
    bvh: pccd_bvh,
    def: *const pccd_merge_def,
    out_mesh: *mut pccd_mesh,
) -> pccd_status {
    enter_context("pccd_bvh_merge", context, |call, context| {
        let bvh_id = bvh.id;
        context.bvhs.get(call, bvh_id)?;
        // SAFETY: the caller's struct is as large as it says.
        let def = unsafe { versioned::read(call, "def", def) }?;
        check::reserved(call, format_args!("def->reserved"), def.reserved)?;
        call.not_null(out_mesh, "out_mesh")?;
        if def.mesh_count == 0 {
            return Err(call
                .fail(PCCD_ERR_INVALID_ARGUMENT, format_args!("def->mesh_count is 0; expected at least 1")));
        }
        // SAFETY: the caller promises that the elements are readable and not written to during the call.
        let (handles, weld) = unsafe {
            (
                check::in_array(call, ("def->meshes", def.meshes), ("def->mesh_count", def.mesh_count))?,
                check::in_array(call, ("def->weld", def.weld), ("def->vertex_count", def.vertex_count))?,
            )
        };
        let no_memory =
            |error: MemoryError| call.no_memory(format_args!("a list of {} meshes", handles.len()), error);
        let Context { meshes: table, bvhs, memory, .. } = context;
        let mut gone: Buffer<u64> = Buffer::new(memory.clone());
        let mut meshes: Buffer<(u64, &Mesh)> = Buffer::new(memory.clone());
        gone.reserve_exact(handles.len()).map_err(no_memory)?;
        meshes.reserve_exact(handles.len()).map_err(no_memory)?;
        for handle in handles {
            let mesh = &table.get(call, handle.id)?.mesh;
            gone.push(handle.id).map_err(no_memory)?;
            meshes.push((handle.id, mesh)).map_err(no_memory)?;
        }
        check_members(call, bvh_id, bvhs.iter(), &mut gone, handles)?;
        let has_weld = !def.weld.is_null() || def.vertex_count > 0;
        let merge = Merge { meshes: &meshes, weld: has_weld.then_some(weld) };
        check_counts(call, &merge, &def, has_weld)?;
        let whole = merge.whole(memory).map_err(|problem| word(call, &merge, problem))?;

        let user_data = table.known(handles[0].id).user_data;
        let containing = |bvh: &&mut Bvh| bvh.contains(handles[0].id);
        let triangle_count = whole.triangle_count();
        let mut prepare =
            || bvhs.values_mut().filter(containing).try_for_each(|bvh| bvh.prepare_merge(&merge, &whole));
        if let Err(error) = prepare() {
            bvhs.values_mut().for_each(|bvh| bvh.forget_prepared());
            return Err(call.no_memory(format_args!("a hierarchy over {triangle_count} triangles"), error));
        }
        // From here on nothing fails: a slot becomes free before one is taken.
        drop(meshes);
        for &id in gone.iter() {
            drop(table.remove(call, id)?);
        }
        let id = table.insert(call, MeshObject { mesh: whole, user_data })?;
        for bvh in bvhs.values_mut().filter(|bvh| bvh.has_prepared()) {
            bvh.replace(&gone, &[id], &|_| &table.known(id).mesh);
        }
        // SAFETY: the caller's pointer to a place for a handle.
        unsafe { out_mesh.write(pccd_mesh { id }) };
        Ok(())
    })
}

/// Every mesh is there once, all are in the hierarchy, and none of the others has only some of them. Sorts `ids`.
fn check_members<'a>(
    call: &Call,
    bvh_id: u64,
    bvhs: impl Iterator<Item = (u64, &'a Bvh)>,
    ids: &mut [u64],
    handles: &[pccd_mesh],
) -> Result<(), Failure> {
    ids.sort_unstable();
    let place_of = |id: u64| handles.iter().rposition(|handle| handle.id == id).unwrap_or(0);
    if let Some(pair) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
        let (place, id) = (place_of(pair[0]), pair[0]);
        return Err(call.fail(
            PCCD_ERR_INVALID_ARGUMENT,
            format_args!("def->meshes[{place}].id is {id:#x}, which is in the list before"),
        ));
    }
    for (id, bvh) in bvhs {
        let count = ids.iter().filter(|&&id| bvh.contains(id)).count();
        if count < ids.len() && (id == bvh_id || count > 0) {
            let missing = handles.iter().position(|handle| !bvh.contains(handle.id)).unwrap_or(0);
            let mesh = handles[missing].id;
            let which = if id == bvh_id { "" } else { ", which has others of the list," };
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!("def->meshes[{missing}].id is {mesh:#x}, which is not in bvh {id:#x}{which}"),
            ));
        }
    }
    Ok(())
}

fn check_counts(call: &Call, merge: &Merge<'_>, def: &pccd_merge_def, has_weld: bool) -> Result<(), Failure> {
    let invalid = |what: std::fmt::Arguments<'_>| Err(call.fail(PCCD_ERR_INVALID_ARGUMENT, what));
    let (vertices, triangles) = (merge.vertex_count() as u64, merge.triangle_count() as u64);
    if has_weld && def.vertex_count != vertices {
        return invalid(format_args!("def->vertex_count is {}; expected {vertices}", def.vertex_count));
    }
    if vertices > MOST_VERTICES {
        return invalid(format_args!(
            "def->meshes: {vertices} vertices; at most {MOST_VERTICES} are possible"
        ));
    }
    if triangles > MOST_TRIANGLES {
        return invalid(format_args!(
            "def->meshes: {triangles} triangles; at most {MOST_TRIANGLES} are possible"
        ));
    }
    Ok(())
}

fn word(call: &Call, merge: &Merge<'_>, problem: WeldProblem) -> Failure {
    let target = |vertex: usize| merge.weld.map_or(vertex as u32, |weld| weld[vertex]);
    let invalid = |what: std::fmt::Arguments<'_>| call.fail(PCCD_ERR_INVALID_ARGUMENT, what);
    match problem {
        WeldProblem::Later { vertex } => {
            invalid(format_args!("def->weld[{vertex}] is {}; expected at most {vertex}", target(vertex)))
        }
        WeldProblem::Chain { vertex } => {
            let first = target(vertex);
            let second = target(first as usize);
            invalid(format_args!("def->weld[{vertex}] is {first}, but def->weld[{first}] is {second}"))
        }
        WeldProblem::Elsewhere { vertex, time } => invalid(format_args!(
            "def->weld[{vertex}] is {}, which is at another place at t = {time}",
            target(vertex)
        )),
        WeldProblem::Memory(error) => {
            let (vertices, triangles) = (merge.vertex_count(), merge.triangle_count());
            call.no_memory(format_args!("a mesh of {vertices} vertices and {triangles} triangles"), error)
        }
    }
}
