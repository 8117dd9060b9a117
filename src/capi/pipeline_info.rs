//! What an object of a pipeline meets is changed, and what it is is told.

use super::context::pccd_context;
use super::guard::enter_context;
use super::pipeline::{PipelineObject, pccd_pipeline};
use super::pipeline_object::*;
use super::status::pccd_status;
use super::versioned::{self, Versioned};
use crate::pipeline::ObjectSettings;

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
