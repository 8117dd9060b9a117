//! Objects of a pipeline are moved.

use super::check;
use super::context::pccd_context;
use super::guard::enter_context;
use super::pipeline::{PipelineObject, pccd_pipeline};
use super::pipeline_object::pccd_object;
use super::rotations::{Rotations, check_rotation};
use super::status::*;
use super::view::{Needed, Points, ViewName, pccd_view};
use crate::pipeline::Transform;

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
        }
        Ok(())
    })
}
