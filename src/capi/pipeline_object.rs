//! The objects of a pipeline.

use super::check;
use super::context::{Context, pccd_context};
use super::guard::{Call, Failure, enter, enter_context};
use super::mesh::pccd_mesh;
use super::pipeline::{PipelineObject, pccd_pipeline};
use super::rotations::{Rotations, check_rotation};
use super::status::*;
use super::versioned::{self, Versioned};
use super::view::{Needed, Points, ViewName, pccd_view};
use crate::memory::{Buffer, MemoryError};
use crate::pipeline::{Frame, Object, ObjectSettings, Shape, Transform};
use std::ptr;

/// Shape of an object: all within radius of its origin.
pub const PCCD_SHAPE_SPHERE: u32 = 1;
/// Shape of an object: all within radius of a segment along y, from -half_height to half_height.
pub const PCCD_SHAPE_CAPSULE: u32 = 2;
/// Shape of an object: a box around its origin, of twice the half_extents.
pub const PCCD_SHAPE_BOX: u32 = 3;
/// Shape of an object: the convex hull of points.
pub const PCCD_SHAPE_HULL: u32 = 4;
/// Shape of an object: the triangles of a mesh where they are at t = 1. Only the surface counts: what is
/// wholly inside does not touch it.
pub const PCCD_SHAPE_MESH: u32 = 5;

/// Flag of an object: it does not meet other static ones.
pub const PCCD_OBJECT_STATIC: u32 = 1;
/// Flag of an object: contacts on its way from its transform at the last step to the new one are found, too,
/// and pairs have a time of impact. Its origin moves on a straight line and it turns the shorter way round.
/// The time is never late, and early by so much that the gap is at most a millionth of the size of both.
/// Two meshes are followed triangle by triangle, which takes the longer the farther they go in a step.
pub const PCCD_OBJECT_SWEPT: u32 = 2;

/// The handle of an object. It belongs to the pipeline it was added to; any other value of id, that of an
/// object removed before included, is answered with PCCD_ERR_STALE_HANDLE.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct pccd_object {
    /// 0 is the null handle, which is answered with PCCD_ERR_NULL. All else is the library's.
    pub id: u64,
}

/// What to add to a pipeline. Fill it with pccd_object_def_init(), then set a shape and what belongs to it,
/// and change what should differ.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pccd_object_def {
    /// Size of this struct in bytes, as the caller knows it. Set by pccd_object_def_init().
    pub struct_size: u32,
    /// A sum of PCCD_OBJECT_ flags, by default 0.
    pub flags: u32,
    /// One of the PCCD_SHAPE_ values. There is no default.
    pub shape: u32,
    /// Has to be 0.
    pub reserved: u32,
    /// Of a sphere or capsule. Finite, at least 0; a sphere's or capsule's is more than 0.
    pub radius: f64,
    /// Of a capsule. Finite, at least 0.
    pub half_height: f64,
    /// Of a box, along x, y and z. Finite, more than 0.
    pub half_extents: [f64; 3],
    /// Of a hull: PCCD_FORMAT_F32X3 or PCCD_FORMAT_F64X3, 1 to 65535, all coordinates finite. Copied. They may
    /// be anywhere, in a plane, or repeated.
    pub points: pccd_view,
    /// Of a mesh shape. The object follows when the mesh is moved, and is removed when it is destroyed.
    /// Thickness and filter of the mesh do not matter here.
    pub mesh: pccd_mesh,
    /// Where the origin of the shape is. Finite; by default 0 0 0.
    pub position: [f64; 3],
    /// How it is rotated: a quaternion x y z w, which is divided by its length. Finite and not 0; by default
    /// 0 0 0 1.
    pub rotation: [f64; 4],
    /// Bits that tell what the object is; by default 1. Two objects meet only if a.mask & b.category and
    /// b.mask & a.category are both not 0.
    pub category: u64,
    /// Bits that tell what the object meets; by default all.
    pub mask: u64,
    /// For the caller; by default 0. The library gives it back in pccd_object_info.
    pub user_data: u64,
}

// SAFETY: `repr(C)`, begins with `struct_size`; numbers and pointers only.
unsafe impl Versioned for pccd_object_def {
    const NAME: &'static str = "pccd_object_def";
    const INIT: &'static str = "pccd_object_def_init";
    const MIN_SIZE: usize = 176;

    fn defaults() -> pccd_object_def {
        pccd_object_def {
            struct_size: size_of::<pccd_object_def>() as u32,
            flags: 0,
            shape: 0,
            reserved: 0,
            radius: 0.0,
            half_height: 0.0,
            half_extents: [0.0; 3],
            points: pccd_view { data: ptr::null(), count: 0, stride: 0, format: 0, reserved: 0 },
            mesh: pccd_mesh { id: 0 },
            position: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            category: 1,
            mask: u64::MAX,
            user_data: 0,
        }
    }
}

/// What pccd_object_info_get() tells about an object. Prepare it with pccd_object_info_init().
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pccd_object_info {
    /// Size of this struct in bytes, as the caller knows it. Set by pccd_object_info_init().
    pub struct_size: u32,
    /// As in pccd_object_def.
    pub flags: u32,
    /// One of the PCCD_SHAPE_ values.
    pub shape: u32,
    /// Always 0.
    pub reserved: u32,
    /// Where it is.
    pub position: [f64; 3],
    /// How it is rotated: x y z w, of length 1.
    pub rotation: [f64; 4],
    /// As in pccd_object_def.
    pub category: u64,
    /// As in pccd_object_def.
    pub mask: u64,
    /// As in pccd_object_def.
    pub user_data: u64,
}

// SAFETY: `repr(C)`, begins with `struct_size`; numbers only.
unsafe impl Versioned for pccd_object_info {
    const NAME: &'static str = "pccd_object_info";
    const INIT: &'static str = "pccd_object_info_init";
    const MIN_SIZE: usize = 96;

    fn defaults() -> pccd_object_info {
        pccd_object_info {
            struct_size: size_of::<pccd_object_info>() as u32,
            flags: 0,
            shape: 0,
            reserved: 0,
            position: [0.0; 3],
            rotation: [0.0; 4],
            category: 0,
            mask: 0,
            user_data: 0,
        }
    }
}

/// Fills a struct with defaults: an object at the origin that meets all others, without a shape. Pass the size
/// of the struct: `pccd_object_def_init(&def, sizeof def)`.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_object_def_init(def: *mut pccd_object_def, size: usize) -> pccd_status {
    // SAFETY: the caller passes the size of its struct.
    enter("pccd_object_def_init", |call| unsafe { versioned::init(call, "def", def, size) })
}

/// Prepares a struct for pccd_object_info_get(). Pass the size of the struct:
/// `pccd_object_info_init(&info, sizeof info)`.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_object_info_init(info: *mut pccd_object_info, size: usize) -> pccd_status {
    // SAFETY: the caller passes the size of its struct.
    enter("pccd_object_info_init", |call| unsafe { versioned::init(call, "info", info, size) })
}

/// Adds an object to a pipeline. It takes part from the next step on, and stays until
/// pccd_pipeline_remove(), the end of its mesh, or that of the pipeline.
///
/// @param context     the context.
/// @param pipeline    the pipeline.
/// @param def         its shape, where it is and what it meets. May not be null.
/// @param out_object  receives the handle.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
/// write to the points during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_pipeline_add(
    context: *mut pccd_context,
    pipeline: pccd_pipeline,
    def: *const pccd_object_def,
    out_object: *mut pccd_object,
) -> pccd_status {
    enter_context("pccd_pipeline_add", context, |call, context| {
        context.pipelines.get(call, pipeline.id)?;
        call.not_null(out_object, "out_object")?;
        // SAFETY: the caller's struct is as large as it says.
        let def = unsafe { versioned::read(call, "def", def) }?;
        let transform = read_transform(call, &def)?;
        let settings = read_settings(call, &def)?;
        let no_memory = |error: MemoryError| call.no_memory(format_args!("an object"), error);
        let shape = match def.shape {
            PCCD_SHAPE_SPHERE => Shape::Sphere { radius: positive(call, "def->radius", def.radius)? },
            PCCD_SHAPE_CAPSULE => Shape::Capsule {
                radius: positive(call, "def->radius", def.radius)?,
                half_height: check_half_height(call, def.half_height)?,
            },
            PCCD_SHAPE_BOX => Shape::Box { half: read_half_extents(call, def.half_extents)? },
            PCCD_SHAPE_HULL => {
                let name = ViewName::member("def->points");
                // SAFETY: the caller promises that the elements are readable and not written to during the call.
                let points = unsafe { Points::new(call, name, &def.points, Needed::AtMost(65535)) }?;
                if points.count() == 0 {
                    return Err(call.fail(
                        PCCD_ERR_INVALID_ARGUMENT,
                        format_args!("def->points.count is 0; expected at least 1"),
                    ));
                }
                points.check_finite(call, name)?;
                let mut copy = Buffer::new(context.memory.clone());
                copy.reserve_exact(points.count()).map_err(no_memory)?;
                for point in 0..points.count() {
                    copy.push(points.get(point)).map_err(no_memory)?;
                }
                Shape::Hull { points: copy }
            }
            PCCD_SHAPE_MESH => {
                let Context { meshes, pipelines, level, .. } = context;
                let mesh = &meshes.get(call, def.mesh.id)?.mesh;
                let objects = &mut pipelines.get_mut(call, pipeline.id)?.pipeline.objects;
                Shape::Mesh { tree: objects.tree_of(def.mesh.id, mesh, *level).map_err(no_memory)? }
            }
            shape => {
                return Err(call.fail(
                    PCCD_ERR_INVALID_ARGUMENT,
                    format_args!(
                        "def->shape is {shape}; expected PCCD_SHAPE_SPHERE (1), PCCD_SHAPE_CAPSULE (2), \
                         PCCD_SHAPE_BOX (3), PCCD_SHAPE_HULL (4) or PCCD_SHAPE_MESH (5)"
                    ),
                ));
            }
        };
        let PipelineObject { pipeline, places } = context.pipelines.get_mut(call, pipeline.id)?;
        let frame = Frame::new(&transform);
        let object = Object { id: 0, settings, shape, transform, frame, last: transform, reach: 0.0 };
        let place = pipeline.objects.add(object).map_err(no_memory)?;
        let id = places.insert(call, place).inspect_err(|_| {
            pipeline.objects.remove(place);
        })?;
        pipeline.objects.get_mut(place).expect("just added").id = id;
        // SAFETY: the caller's pointer to a place for a handle.
        unsafe { out_object.write(pccd_object { id }) };
        Ok(())
    })
}

fn positive(call: &Call, name: &str, value: f64) -> Result<f64, Failure> {
    if !(value.is_finite() && value > 0.0) {
        return Err(call.fail(
            PCCD_ERR_INVALID_ARGUMENT,
            format_args!("{name} is {value}; expected a finite number, more than 0"),
        ));
    }
    Ok(value)
}

fn check_half_height(call: &Call, value: f64) -> Result<f64, Failure> {
    if !(value.is_finite() && value >= 0.0) {
        return Err(call.fail(
            PCCD_ERR_INVALID_ARGUMENT,
            format_args!("def->half_height is {value}; expected a finite number, at least 0"),
        ));
    }
    Ok(value + 0.0)
}

fn read_half_extents(call: &Call, half: [f64; 3]) -> Result<[f64; 3], Failure> {
    for (name, value) in
        ["def->half_extents[0]", "def->half_extents[1]", "def->half_extents[2]"].iter().zip(half)
    {
        positive(call, name, value)?;
    }
    Ok(half)
}

fn read_settings(call: &Call, def: &pccd_object_def) -> Result<ObjectSettings, Failure> {
    check::flags(
        call,
        "def->flags",
        def.flags,
        PCCD_OBJECT_STATIC | PCCD_OBJECT_SWEPT,
        "0 or a sum of PCCD_OBJECT_STATIC (1) and PCCD_OBJECT_SWEPT (2)",
    )?;
    check::reserved(call, format_args!("def->reserved"), def.reserved)?;
    Ok(ObjectSettings {
        is_static: def.flags & PCCD_OBJECT_STATIC != 0,
        is_swept: def.flags & PCCD_OBJECT_SWEPT != 0,
        category: def.category,
        mask: def.mask,
        user_data: def.user_data,
    })
}

fn read_transform(call: &Call, def: &pccd_object_def) -> Result<Transform, Failure> {
    let pccd_object_def { position, rotation, .. } = *def;
    if let Some(axis) = position.iter().position(|x| !x.is_finite()) {
        return Err(call.fail(
            PCCD_ERR_NOT_FINITE,
            format_args!("def->position[{axis}] is {}", check::not_finite_name(position[axis])),
        ));
    }
    check_rotation(call, format_args!("def->rotation"), rotation)?;
    Ok(Transform::new(position, rotation).expect("it was checked"))
}

/// Removes an object. Pairs that it was in have ended at the next step.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_pipeline_remove(
    context: *mut pccd_context,
    pipeline: pccd_pipeline,
    object: pccd_object,
) -> pccd_status {
    enter_context("pccd_pipeline_remove", context, |call, context| {
        let PipelineObject { pipeline, places } = context.pipelines.get_mut(call, pipeline.id)?;
        let place = places.remove(call, object.id)?;
        drop(pipeline.objects.remove(place));
        Ok(())
    })
}

/// Moves objects: many in one call. Either all are moved, or, if anything is wrong, none. Where an object
/// was at the last step is remembered until the next one, see PCCD_OBJECT_SWEPT.
///
/// @param context    the context.
/// @param pipeline   the pipeline.
/// @param objects    count handles. If one is there twice, the later transform counts. May be null if count
///                   is 0.
/// @param count      how many objects.
/// @param positions  PCCD_FORMAT_F32X3 or PCCD_FORMAT_F64X3, exactly count, all finite.
/// @param rotations  quaternions x y z w, PCCD_FORMAT_F32X4 or PCCD_FORMAT_F64X4, exactly count, all finite
///                   and not 0. They are divided by their lengths. If null, rotations stay as they are.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
/// write to the buffers during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_pipeline_set_transforms(
    context: *mut pccd_context,
    pipeline: pccd_pipeline,
    objects: *const pccd_object,
    count: u64,
    positions: *const pccd_view,
    rotations: *const pccd_view,
) -> pccd_status {
    enter_context("pccd_pipeline_set_transforms", context, |call, context| {
        let PipelineObject { pipeline, places } = context.pipelines.get_mut(call, pipeline.id)?;
        let handles = pccd_view { data: objects.cast(), count, stride: 0, format: 0, reserved: 0 };
        let handles_name = ViewName::argument("objects");
        if count > 0 {
            call.not_null(objects, "objects")?;
        }
        // SAFETY: the caller promises that the elements are readable and not written to during the call.
        let handles = unsafe {
            super::view::Elements::new(
                call,
                handles_name,
                &handles,
                ("pccd_object", 8),
                Needed::Exactly(count),
            )
        }?;
        call.not_null(positions, "positions")?;
        let name = ViewName::argument("positions");
        // SAFETY: the caller's struct; it need not even be aligned.
        let view = unsafe { positions.read_unaligned() };
        // SAFETY: as for the handles.
        let points = unsafe { Points::new(call, name, &view, Needed::Exactly(count)) }?;
        let turns = if rotations.is_null() {
            None
        } else {
            // SAFETY: the caller's struct; it need not even be aligned.
            let view = unsafe { rotations.read_unaligned() };
            let name = ViewName::argument("rotations");
            // SAFETY: as for the handles.
            Some(unsafe { Rotations::new(call, name, &view, Needed::Exactly(count)) }?)
        };
        // SAFETY: the element is readable; its alignment does not matter.
        let id_of = |index: usize| unsafe { handles.at(index).cast::<u64>().read_unaligned() };
        for index in 0..handles.count {
            places.get(call, id_of(index))?;
            let position = points.get(index);
            if let Some(axis) = position.iter().position(|x| !x.is_finite()) {
                return Err(call.fail(
                    PCCD_ERR_NOT_FINITE,
                    format_args!(
                        "positions: object {index}, {} is {}",
                        ["x", "y", "z"][axis],
                        check::not_finite_name(position[axis])
                    ),
                ));
            }
            if let Some(turns) = &turns {
                check_rotation(call, format_args!("rotations: object {index}"), turns.get(index))?;
            }
        }
        for index in 0..handles.count {
            let place = *places.get(call, id_of(index))?;
            let object = pipeline.objects.get_mut(place).expect("its handle is known");
            let rotation = turns.as_ref().map_or(object.transform.rotation, |turns| turns.get(index));
            let position = points.get(index);
            object.transform = match turns {
                Some(_) => Transform::new(position, rotation).expect("it was checked"),
                // As it is, without dividing by a length that is 1 already.
                None => Transform { position, rotation },
            };
            object.frame = Frame::new(&object.transform);
        }
        Ok(())
    })
}

/// Changes what an object is and what it meets, from the next step on. What the bits mean is told at
/// pccd_object_def. All values are allowed.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_pipeline_set_filter(
    context: *mut pccd_context,
    pipeline: pccd_pipeline,
    object: pccd_object,
    category: u64,
    mask: u64,
) -> pccd_status {
    enter_context("pccd_pipeline_set_filter", context, |call, context| {
        let PipelineObject { pipeline, places } = context.pipelines.get_mut(call, pipeline.id)?;
        let place = *places.get(call, object.id)?;
        let settings = &mut pipeline.objects.get_mut(place).expect("its handle is known").settings;
        (settings.category, settings.mask) = (category, mask);
        Ok(())
    })
}

/// Tells about an object. Set the size of the struct with pccd_object_info_init() before.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_object_info_get(
    context: *mut pccd_context,
    pipeline: pccd_pipeline,
    object: pccd_object,
    out_info: *mut pccd_object_info,
) -> pccd_status {
    enter_context("pccd_object_info_get", context, |call, context| {
        let PipelineObject { pipeline, places } = context.pipelines.get(call, pipeline.id)?;
        let place = *places.get(call, object.id)?;
        // SAFETY: the caller's struct is as large as it says.
        let size = unsafe { versioned::size(call, "out_info", out_info) }?;
        let object = pipeline.objects.get(place).expect("its handle is known");
        let ObjectSettings { is_static, is_swept, category, mask, user_data } = object.settings;
        let info = pccd_object_info {
            flags: u32::from(is_static) * PCCD_OBJECT_STATIC + u32::from(is_swept) * PCCD_OBJECT_SWEPT,
            shape: object.shape.kind() as u32 + 1,
            position: object.transform.position,
            rotation: object.transform.rotation,
            category,
            mask,
            user_data,
            ..pccd_object_info::defaults()
        };
        // SAFETY: the caller's struct has `size` bytes, which were checked.
        unsafe { versioned::write(out_info, info, size) };
        Ok(())
    })
}
