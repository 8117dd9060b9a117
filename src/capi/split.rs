//! Meshes that break.

use super::bvh::pccd_bvh;
use super::check;
use super::context::{Context, pccd_context};
use super::guard::{Call, Failure, enter, enter_context};
use super::mesh::{MOST_TRIANGLES, MOST_VERTICES, MeshObject, NO_VIEW, pccd_mesh};
use super::status::*;
use super::triangles::Triangles;
use super::versioned::{self, Versioned};
use super::view::{Needed, ViewName, pccd_view};
use crate::memory::{Buffer, MemoryError};
use crate::mesh::{Mesh, Split, SplitProblem};
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
        let (bvh_id, id) = (bvh.id, mesh.id);
        let bvh = context.bvhs.get(call, bvh_id)?;
        let old = context.meshes.get(call, id)?;
        if !bvh.contains(id) {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!("mesh.id is {id:#x}, which is not in bvh {bvh_id:#x}"),
            ));
        }
        // SAFETY: the caller's struct is as large as it says.
        let def = unsafe { versioned::read(call, "def", def) }?;
        check_counts(call, &def, &old.mesh, capacity)?;
        check::out_array(call, ("out_meshes", out_meshes), ("capacity", capacity))?;
        // SAFETY: the caller promises that the elements are readable and not written to during the call.
        let (parts, copies) = unsafe {
            (
                check::in_array(
                    call,
                    ("def->parts", def.parts),
                    ("def->triangle_count", def.triangle_count),
                )?,
                check::in_array(call, ("def->copies", def.copies), ("def->copy_count", def.copy_count))?,
            )
        };
        let has_corners = def.triangles.count > 0 || def.triangles.format != 0;
        let name = ViewName::member("def->triangles");
        // SAFETY: as above.
        let corners = has_corners
            .then(|| unsafe {
                Triangles::new(call, name, &def.triangles, Needed::Exactly(def.triangle_count))
            })
            .transpose()?;
        let corner = corners.as_ref().map(|corners| |triangle: usize| corners.get(triangle));
        let corners = corner.as_ref().map(|corner| corner as &(dyn Fn(usize) -> [u32; 3] + Sync));
        let split = Split { part_count: def.part_count as usize, parts, copies, corners };
        let ids = split_everywhere(call, context, id, &split)?;
        // SAFETY: the caller's array has room for at least as many.
        unsafe { check::write_array(out_meshes, &ids) };
        Ok(())
    })
}

fn check_counts(call: &Call, def: &pccd_split_def, mesh: &Mesh, capacity: u64) -> Result<(), Failure> {
    let pccd_split_def { part_count, triangle_count, copy_count, .. } = *def;
    let invalid = |what: std::fmt::Arguments<'_>| Err(call.fail(PCCD_ERR_INVALID_ARGUMENT, what));
    if part_count == 0 {
        return invalid(format_args!("def->part_count is 0; expected at least 1"));
    }
    if capacity < u64::from(part_count) {
        return invalid(format_args!("capacity is {capacity}, but def->part_count is {part_count}"));
    }
    let known = mesh.triangle_count() as u64;
    let has_corners = def.triangles.count > 0 || def.triangles.format != 0;
    if triangle_count < known || (triangle_count > known && !has_corners) {
        let more = if has_corners { " or more" } else { ", the number of triangles of the mesh" };
        return invalid(format_args!("def->triangle_count is {triangle_count}; expected {known}{more}"));
    }
    if triangle_count > MOST_TRIANGLES {
        return invalid(format_args!(
            "def->triangle_count is {triangle_count}; expected at most {MOST_TRIANGLES}"
        ));
    }
    let most = MOST_VERTICES - mesh.vertex_count() as u64;
    if copy_count > most {
        return invalid(format_args!("def->copy_count is {copy_count}; expected at most {most}"));
    }
    Ok(())
}

/// Does the split in all hierarchies, or nothing.
fn split_everywhere(
    call: &Call,
    context: &mut Context,
    id: u64,
    split: &Split<'_>,
) -> Result<Buffer<pccd_mesh>, Failure> {
    let Context { meshes, bvhs, memory, crew, .. } = context;
    let old = meshes.known(id);
    let pieces =
        split.pieces(memory, crew, &old.mesh, id).map_err(|problem| word(call, &old.mesh, split, problem))?;
    let no_memory = |error: MemoryError| {
        let (parts, triangles) = (split.part_count, split.parts.len());
        call.no_memory(format_args!("{parts} parts of {triangles} triangles"), error)
    };
    let user_data = old.user_data;
    let mut handles: Buffer<pccd_mesh> = Buffer::new(memory.clone());
    let mut ids: Buffer<u64> = Buffer::new(memory.clone());
    let mut prepare = || {
        handles.reserve_exact(split.part_count)?;
        ids.reserve_exact(split.part_count)?;
        bvhs.values_mut()
            .try_for_each(|bvh| bvh.prepare_split(crew, id, &meshes.known(id).mesh, split, &pieces))?;
        meshes.reserve(split.part_count)
    };
    if let Err(error) = prepare() {
        bvhs.values_mut().for_each(|bvh| bvh.forget_prepared());
        return Err(no_memory(error));
    }
    // From here on nothing fails.
    drop(meshes.remove(call, id)?);
    let mut pieces = pieces.meshes;
    pieces.reverse();
    while let Some(mesh) = pieces.pop() {
        let id = meshes.insert(call, MeshObject { mesh, user_data })?;
        ids.push(id).map_err(no_memory)?;
        handles.push(pccd_mesh { id }).map_err(no_memory)?;
    }
    for bvh in bvhs.values_mut().filter(|bvh| bvh.has_prepared()) {
        bvh.replace(&[id], &ids);
    }
    Ok(handles)
}

fn word(call: &Call, mesh: &Mesh, split: &Split<'_>, problem: SplitProblem) -> Failure {
    let (vertex_count, part_count) = (mesh.vertex_count(), split.part_count);
    let invalid = |what: std::fmt::Arguments<'_>| call.fail(PCCD_ERR_INVALID_ARGUMENT, what);
    match problem {
        SplitProblem::Copy { index } => invalid(format_args!(
            "def->copies[{index}] is {}; expected less than {vertex_count}",
            split.copies[index]
        )),
        SplitProblem::Part { triangle } => invalid(format_args!(
            "def->parts[{triangle}] is {}; expected less than {part_count}",
            split.parts[triangle]
        )),
        SplitProblem::Empty { part } => {
            invalid(format_args!("def->parts: no triangle is in part {part} of {part_count}"))
        }
        SplitProblem::Corner { triangle, corner } => invalid(format_args!(
            "def->triangles: triangle {triangle}, corner {corner} is {}; expected less than {}",
            split.corners(mesh, triangle)[corner],
            vertex_count + split.copies.len()
        )),
        SplitProblem::Elsewhere { triangle, corner } => invalid(format_args!(
            "def->triangles: triangle {triangle}, corner {corner} is {}; expected {} or a copy of it",
            split.corners(mesh, triangle)[corner],
            mesh.features().triangles()[triangle][corner]
        )),
        SplitProblem::Memory(error) => {
            call.no_memory(format_args!("{part_count} parts of {} triangles", split.parts.len()), error)
        }
    }
}
