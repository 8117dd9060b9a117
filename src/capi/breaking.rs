//! Meshes that break: what the functions for one and for many of them do.

use super::check;
use super::context::Context;
use super::guard::{Call, Failure};
use super::mesh::{MOST_TRIANGLES, MOST_VERTICES, MeshObject, pccd_mesh};
use super::split::pccd_split_def;
use super::status::*;
use super::triangles::Triangles;
use super::versioned;
use super::view::{Needed, ViewName};
use crate::bvh::{Bvh, break_all};
use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::{Broken, Mesh, Split, SplitProblem};

/// The caller's lists: meshes, as many definitions, and room for handles of parts.
pub(super) struct Lists<'a> {
    pub meshes: &'a [pccd_mesh],
    pub defs: *const pccd_split_def,
    pub out_meshes: *mut pccd_mesh,
    pub capacity: u64,
    /// Whether the caller knows them as lists, so that elements have to be named.
    pub are_lists: bool,
}

/// One mesh that is going to break, as the caller has told.
struct Input<'a> {
    part_count: usize,
    parts: &'a [u32],
    copies: &'a [u32],
    corners: Option<Triangles<'a>>,
}

/// Breaks meshes in all hierarchies, all of them or none.
///
/// # Safety
///
/// There is a definition for each mesh, each of them as large as it says, one behind the other. Their arrays are readable, and not written to. There is room for as many handles as `capacity` says.
pub(super) unsafe fn split(
    call: &Call,
    context: &mut Context,
    bvh_id: u64,
    lists: &Lists<'_>,
) -> Result<(), Failure> {
    let Lists { meshes: handles, out_meshes, are_lists, .. } = *lists;
    // SAFETY: promised by the caller.
    let inputs = unsafe { inputs(call, context, bvh_id, lists) }?;
    let Context { meshes, bvhs, memory, crew, .. } = context;
    let no_memory = |error: MemoryError| {
        let triangles: usize = inputs.iter().map(|input| input.parts.len()).sum();
        let parts: usize = inputs.iter().map(|input| input.part_count).sum();
        call.no_memory(format_args!("{parts} parts of {triangles} triangles"), error)
    };
    let mut readers = Buffer::new(memory.clone());
    let mut broken: Buffer<Broken<'_>> = Buffer::new(memory.clone());
    readers.reserve_exact(inputs.len()).map_err(no_memory)?;
    broken.reserve_exact(inputs.len()).map_err(no_memory)?;
    for Input { corners, .. } in inputs.iter() {
        let reader = corners.as_ref().map(|corners| move |triangle: usize| corners.get(triangle));
        readers.push(reader).map_err(no_memory)?;
    }
    for ((input, reader), &pccd_mesh { id }) in inputs.iter().zip(readers.iter()).zip(handles) {
        let Input { part_count, parts, copies, .. } = *input;
        let corners = reader.as_ref().map(|reader| reader as &(dyn Fn(usize) -> [u32; 3] + Sync));
        let split = Split { part_count, parts, copies, corners };
        broken.push(Broken { id, mesh: &meshes.known(id).mesh, split }).map_err(no_memory)?;
    }
    let part_count = inputs.iter().map(|input| input.part_count).sum();
    let mut ids: Buffer<u64> = Buffer::new(memory.clone());
    let mut gone: Buffer<u64> = Buffer::new(memory.clone());
    let mut hierarchies: Buffer<&mut Bvh> = Buffer::new(memory.clone());
    ids.reserve_exact(part_count).map_err(no_memory)?;
    gone.reserve_exact(handles.len()).map_err(no_memory)?;
    bvhs.values_mut().try_for_each(|bvh| hierarchies.push(bvh)).map_err(no_memory)?;
    let mut pieces = break_all(memory, crew, &mut hierarchies, &broken).map_err(|(place, problem)| {
        if let SplitProblem::Memory(error) = problem {
            return no_memory(error);
        }
        call.at_element(are_lists.then_some(place));
        word(call, &broken[place], problem)
    })?;
    drop(broken);
    if let Err(error) = meshes.reserve(part_count) {
        hierarchies.iter_mut().for_each(|bvh| bvh.forget_prepared());
        return Err(no_memory(error));
    }
    // From here on nothing fails.
    for (pieces, &pccd_mesh { id }) in pieces.iter_mut().zip(handles) {
        let user_data = meshes.remove(call, id)?.user_data;
        gone.push(id).map_err(no_memory)?;
        pieces.meshes.reverse();
        while let Some(mesh) = pieces.meshes.pop() {
            ids.push(meshes.insert(call, MeshObject { mesh, user_data })?).map_err(no_memory)?;
        }
    }
    for bvh in hierarchies.iter_mut().filter(|bvh| bvh.has_prepared()) {
        bvh.replace(&gone, &ids, &|place| &meshes.known(ids[place]).mesh);
    }
    for (place, &id) in ids.iter().enumerate() {
        // SAFETY: the caller's array has room for at least as many: it was checked to be aligned.
        unsafe { out_meshes.add(place).write(pccd_mesh { id }) };
    }
    Ok(())
}

/// Checks what the caller has given, as far as it can be seen without looking at each triangle.
///
/// # Safety
///
/// As for `split`.
unsafe fn inputs<'a>(
    call: &Call,
    context: &Context,
    bvh_id: u64,
    lists: &Lists<'a>,
) -> Result<Buffer<Input<'a>>, Failure> {
    let Lists { meshes: handles, defs, out_meshes, capacity, are_lists } = *lists;
    let Context { meshes, bvhs, memory, .. } = context;
    let bvh = bvhs.get(call, bvh_id)?;
    let no_memory =
        |error: MemoryError| call.no_memory(format_args!("a list of {} meshes", handles.len()), error);
    let mut inputs: Buffer<Input<'_>> = Buffer::new(memory.clone());
    inputs.reserve_exact(handles.len()).map_err(no_memory)?;
    let (mut parts_before, mut size) = (0, 0);
    for (place, &pccd_mesh { id }) in handles.iter().enumerate() {
        call.at_element(are_lists.then_some(place));
        let mesh = &meshes.get(call, id)?.mesh;
        if !bvh.contains(id) {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!("mesh.id is {id:#x}, which is not in bvh {bvh_id:#x}"),
            ));
        }
        // Those of an older header are smaller, and so is the way from one to the next.
        // SAFETY: the caller's struct is as large as it says.
        let def = unsafe { versioned::read(call, "def", defs.wrapping_byte_add(place * size)) }?;
        if place > 0 && def.struct_size as usize != size {
            return Err(call.fail(
                PCCD_ERR_STRUCT_SIZE,
                format_args!("def->struct_size is {}, but that of element 0 is {size}", def.struct_size),
            ));
        }
        size = def.struct_size as usize;
        check_counts(call, &def, mesh, (parts_before, capacity))?;
        parts_before += u64::from(def.part_count);
        // SAFETY: promised by the caller.
        inputs.push(unsafe { Input::new(call, &def) }?).map_err(no_memory)?;
    }
    call.at_element(None);
    check::out_array(call, ("out_meshes", out_meshes), ("capacity", capacity))?;
    check_once(call, memory, handles)?;
    Ok(inputs)
}

/// No mesh breaks twice.
fn check_once(call: &Call, memory: &Memory, handles: &[pccd_mesh]) -> Result<(), Failure> {
    let mut sorted: Buffer<(u64, usize)> = Buffer::new(memory.clone());
    handles
        .iter()
        .enumerate()
        .try_for_each(|(place, handle)| sorted.push((handle.id, place)))
        .map_err(|error| call.no_memory(format_args!("a list of {} meshes", handles.len()), error))?;
    sorted.sort_unstable();
    if let Some(&[(_, first), (id, second)]) = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        call.at_element(Some(second));
        return Err(call.fail(
            PCCD_ERR_INVALID_ARGUMENT,
            format_args!("mesh.id is {id:#x}, which is element {first} as well"),
        ));
    }
    Ok(())
}

impl<'a> Input<'a> {
    /// # Safety
    ///
    /// The arrays of the definition are readable for `'a`, and nobody writes to them.
    unsafe fn new(call: &Call, def: &pccd_split_def) -> Result<Input<'a>, Failure> {
        // SAFETY: promised by the caller.
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
        let name = ViewName::member("def->triangles");
        // SAFETY: as above.
        let corners = has_corners(def)
            .then(|| unsafe {
                Triangles::new(call, name, &def.triangles, Needed::Exactly(def.triangle_count))
            })
            .transpose()?;
        Ok(Input { part_count: def.part_count as usize, parts, copies, corners })
    }
}

fn has_corners(def: &pccd_split_def) -> bool {
    def.triangles.count > 0 || def.triangles.format != 0
}

/// `parts_before` are those of earlier elements, which need room as well.
fn check_counts(
    call: &Call,
    def: &pccd_split_def,
    mesh: &Mesh,
    (parts_before, capacity): (u64, u64),
) -> Result<(), Failure> {
    let pccd_split_def { part_count, triangle_count, copy_count, .. } = *def;
    let invalid = |what: std::fmt::Arguments<'_>| Err(call.fail(PCCD_ERR_INVALID_ARGUMENT, what));
    if part_count == 0 {
        return invalid(format_args!("def->part_count is 0; expected at least 1"));
    }
    if capacity - parts_before < u64::from(part_count) {
        if parts_before > 0 {
            return invalid(format_args!(
                "capacity is {capacity}, but def->part_count is {part_count}, and {parts_before} parts come before"
            ));
        }
        return invalid(format_args!("capacity is {capacity}, but def->part_count is {part_count}"));
    }
    let known = mesh.triangle_count() as u64;
    if triangle_count < known || (triangle_count > known && !has_corners(def)) {
        let more = if has_corners(def) { " or more" } else { ", the number of triangles of the mesh" };
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

fn word(call: &Call, Broken { mesh, split, .. }: &Broken<'_>, problem: SplitProblem) -> Failure {
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
