//! Objects come to a pipeline, and go.

use super::check;
use super::context::{Context, pccd_context};
use super::guard::{Call, Failure, enter_context};
use super::pipeline::{PipelineObject, pccd_pipeline};
use super::pipeline_object::*;
use super::rotations::check_rotation;
use super::status::*;
use super::versioned;
use super::view::{Needed, Points, ViewName};
use crate::memory::{Buffer, MemoryError};
use crate::pipeline::{Object, ObjectSettings, Shape, Transform};

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
        let object = Object { id: 0, settings, shape, transform, last: transform, reach: 0.0 };
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
