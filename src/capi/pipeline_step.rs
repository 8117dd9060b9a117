//! Steps of a pipeline.

use super::context::{Context, pccd_context};
use super::guard::{self, Success, enter};
use super::live;
use super::pipeline::{PipelineObject, pccd_pipeline};
use super::status::*;
use crate::pipeline::StepOutcome;

/// Finds all pairs of objects that are in contact where they are now, and how. Both phases run on the threads
/// of the context, or on tasks of the caller's job system if it has such.
///
/// The results replace those of the last step. They are the same, bit for bit, for any number of threads,
/// however these are divided between the phases, for phases at the same time or one after the other, any broad
/// phase and any SIMD level. Where swept objects were is now where they are.
///
/// Returns PCCD_CANCELLED if pccd_pipeline_cancel() has ended it. After that, and after any error, the results
/// of the last completed step are still there.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_pipeline_step(
    context: *mut pccd_context,
    pipeline: pccd_pipeline,
) -> pccd_status {
    enter("pccd_pipeline_step", |call| {
        guard::inside(call, &mut live::hold(call, context)?, |held| {
            let (gate, context) = held.parts();
            let Context { pipelines, meshes, level, crew, .. } = context;
            let PipelineObject { pipeline: object, .. } = pipelines.get_mut(call, pipeline.id)?;
            let worker_count = crew.worker_count();
            if let Some([broad, narrow]) = object.fixed_split()
                && broad.saturating_add(narrow) > worker_count
            {
                return Err(call.fail(
                    PCCD_ERR_INVALID_ARGUMENT,
                    format_args!(
                        "broad_threads is {broad} and narrow_threads is {narrow}, but thread_count of the \
                         context is {worker_count}; expected no more than that together"
                    ),
                ));
            }
            let mesh_of = |id: u64| &meshes.known(id).mesh;
            let (_stepping, cancelled) = gate.stepping(pipeline.id);
            match object.step(crew, *level, &mesh_of, cancelled) {
                Ok(StepOutcome::Done) => Ok(Success::Complete),
                Ok(StepOutcome::Cancelled) => Ok(Success::Cancelled),
                Err(error) => Err(call.no_memory(format_args!("a step of the pipeline"), error)),
            }
        })
    })
}

/// Ends the step of a pipeline soon, which then returns PCCD_CANCELLED. Does nothing if there is no step; a
/// step that begins later is not affected. Any value of the handle is allowed.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_pipeline_cancel(
    context: *mut pccd_context,
    pipeline: pccd_pipeline,
) -> pccd_status {
    enter("pccd_pipeline_cancel", |call| live::cancel_step(call, context, pipeline.id))
}
