//! Pipelines: many rigid objects through a broad and a narrow phase.

use super::check;
use super::context::pccd_context;
use super::guard::{Call, Failure, enter, enter_context};
use super::live;
use super::objects::{ObjectKind, Objects};
use super::status::*;
use super::versioned::{self, Versioned};
use crate::memory::Memory;
use crate::pipeline::{Method, Mode, Pipeline, PipelineSettings, Shape};

/// Flag of a pipeline: threads stay with their phase while it lasts. Otherwise who finds nothing to do in
/// its own phase helps in the other one. Only speed depends on it.
pub const PCCD_PIPELINE_STAY: u32 = 1;

/// Phases of a pipeline: at the same time if the context has two threads or more, else one after the other.
pub const PCCD_PHASES_AUTO: u32 = 1;
/// Phases of a pipeline: first the broad phase on all threads, then the narrow one on all threads.
pub const PCCD_PHASES_SEQUENTIAL: u32 = 2;
/// Phases of a pipeline: both at the same time, also on one thread.
pub const PCCD_PHASES_SIMULTANEOUS: u32 = 3;

/// Broad phase: one of the others, by the number of objects.
pub const PCCD_BROAD_AUTO: u32 = 1;
/// Broad phase: every box against every other one.
pub const PCCD_BROAD_BRUTE_FORCE: u32 = 2;
/// Broad phase: boxes are sorted into columns and along them.
pub const PCCD_BROAD_SWEEP: u32 = 3;

/// The handle of a pipeline: rigid objects, and the contacts between them. It belongs to the context it was
/// created in; any other value of id, that of a pipeline destroyed before included, is answered with
/// PCCD_ERR_STALE_HANDLE.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct pccd_pipeline {
    /// 0 is the null handle, which is answered with PCCD_ERR_NULL. All else is the library's.
    pub id: u64,
}

/// How to create a pipeline. Fill it with pccd_pipeline_def_init(), then change what should differ.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pccd_pipeline_def {
    /// Size of this struct in bytes, as the caller knows it. Set by pccd_pipeline_def_init().
    pub struct_size: u32,
    /// 0, which is the default, or PCCD_PIPELINE_STAY.
    pub flags: u32,
    /// One of the PCCD_PHASES_ values, by default PCCD_PHASES_AUTO. Only speed depends on it.
    pub phases: u32,
    /// One of the PCCD_BROAD_ values, by default PCCD_BROAD_AUTO. Only speed depends on it.
    pub broad: u32,
    /// Threads that begin with the broad phase, if narrow_threads is set, too. Both are 0 by default: the
    /// library measures and decides. See pccd_pipeline_set_split().
    pub broad_threads: u32,
    /// Threads that begin with the narrow phase.
    pub narrow_threads: u32,
    /// Objects are in contact when the gap between them is at most this. Finite, at least 0, by default 0:
    /// when they touch or overlap.
    pub margin: f64,
}

// SAFETY: `repr(C)`, begins with `struct_size`; numbers only.
unsafe impl Versioned for pccd_pipeline_def {
    const NAME: &'static str = "pccd_pipeline_def";
    const INIT: &'static str = "pccd_pipeline_def_init";
    const MIN_SIZE: usize = 32;

    fn defaults() -> pccd_pipeline_def {
        pccd_pipeline_def {
            struct_size: size_of::<pccd_pipeline_def>() as u32,
            flags: 0,
            phases: PCCD_PHASES_AUTO,
            broad: PCCD_BROAD_AUTO,
            broad_threads: 0,
            narrow_threads: 0,
            margin: 0.0,
        }
    }
}

/// What a `pccd_pipeline` names.
pub(super) struct PipelineObject {
    pub(super) pipeline: Pipeline,
    /// Where the object of a handle is.
    pub(super) places: Objects<usize>,
}

impl PipelineObject {
    fn new(memory: &Memory, settings: PipelineSettings) -> PipelineObject {
        // Handles of other pipelines are foreign: hence a number that no other one has.
        let places = Objects::new(memory, ObjectKind::Object, live::next_number());
        PipelineObject { pipeline: Pipeline::new(memory, settings), places }
    }

    /// Removes the objects that have a mesh as their shape.
    pub(super) fn remove_mesh(&mut self, mesh: u64) {
        for place in 0..self.pipeline.objects.place_count() {
            let objects = &mut self.pipeline.objects;
            let uses_mesh = |shape: &Shape| match shape {
                Shape::Mesh { tree } => objects.trees[*tree].mesh == mesh,
                _ => false,
            };
            if objects.get(place).is_some_and(|object| uses_mesh(&object.shape))
                && let Some(object) = objects.remove(place)
            {
                self.places.forget(object.id);
            }
        }
    }
}

/// Fills a struct with defaults: no margin, both phases at the same time, threads divided by measurement. Pass
/// the size of the struct: `pccd_pipeline_def_init(&def, sizeof def)`.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_pipeline_def_init(def: *mut pccd_pipeline_def, size: usize) -> pccd_status {
    // SAFETY: the caller passes the size of its struct.
    enter("pccd_pipeline_def_init", |call| unsafe { versioned::init(call, "def", def, size) })
}

/// Creates a pipeline without objects. If def is null, with defaults. It lives until pccd_pipeline_destroy()
/// or the end of the context.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_pipeline_create(
    context: *mut pccd_context,
    def: *const pccd_pipeline_def,
    out_pipeline: *mut pccd_pipeline,
) -> pccd_status {
    enter_context("pccd_pipeline_create", context, |call, context| {
        call.not_null(out_pipeline, "out_pipeline")?;
        let def = if def.is_null() {
            pccd_pipeline_def::defaults()
        } else {
            // SAFETY: the caller's struct is as large as it says.
            unsafe { versioned::read(call, "def", def) }?
        };
        let settings = read_settings(call, &def)?;
        let split = read_split(call, "def->", def.broad_threads, def.narrow_threads)?;
        let mut object = PipelineObject::new(&context.memory, settings);
        object.pipeline.fix_split(split);
        let id = context.pipelines.insert(call, object)?;
        // SAFETY: the caller's pointer to a place for a handle.
        unsafe { out_pipeline.write(pccd_pipeline { id }) };
        Ok(())
    })
}

fn read_settings(call: &Call, def: &pccd_pipeline_def) -> Result<PipelineSettings, Failure> {
    let pccd_pipeline_def { flags, phases, broad, margin, .. } = *def;
    check::flags(call, "def->flags", flags, PCCD_PIPELINE_STAY, "0 or PCCD_PIPELINE_STAY (1)")?;
    let mode = match phases {
        PCCD_PHASES_AUTO => Mode::Auto,
        PCCD_PHASES_SEQUENTIAL => Mode::Sequential,
        PCCD_PHASES_SIMULTANEOUS => Mode::Simultaneous,
        _ => {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!(
                    "def->phases is {phases}; expected PCCD_PHASES_AUTO (1), PCCD_PHASES_SEQUENTIAL (2) or \
                     PCCD_PHASES_SIMULTANEOUS (3)"
                ),
            ));
        }
    };
    let method = match broad {
        PCCD_BROAD_AUTO => Method::Auto,
        PCCD_BROAD_BRUTE_FORCE => Method::BruteForce,
        PCCD_BROAD_SWEEP => Method::Sweep,
        _ => {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!(
                    "def->broad is {broad}; expected PCCD_BROAD_AUTO (1), PCCD_BROAD_BRUTE_FORCE (2) or \
                     PCCD_BROAD_SWEEP (3)"
                ),
            ));
        }
    };
    if !(margin.is_finite() && margin >= 0.0) {
        return Err(call.fail(
            PCCD_ERR_INVALID_ARGUMENT,
            format_args!("def->margin is {margin}; expected a finite number, at least 0"),
        ));
    }
    Ok(PipelineSettings { margin: margin + 0.0, method, mode, stay: flags & PCCD_PIPELINE_STAY != 0 })
}

/// Both numbers, or neither. `prefix` is how their names begin.
fn read_split(call: &Call, prefix: &str, broad: u32, narrow: u32) -> Result<Option<[usize; 2]>, Failure> {
    match (broad, narrow) {
        (0, 0) => Ok(None),
        (0, _) | (_, 0) => Err(call.fail(
            PCCD_ERR_INVALID_ARGUMENT,
            format_args!(
                "{prefix}broad_threads is {broad} and {prefix}narrow_threads is {narrow}; \
                 expected both 0, or both at least 1"
            ),
        )),
        _ => Ok(Some([broad as usize, narrow as usize])),
    }
}

/// Destroys a pipeline with its objects and results: pointers that it gave are no longer valid.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_pipeline_destroy(
    context: *mut pccd_context,
    pipeline: pccd_pipeline,
) -> pccd_status {
    enter_context("pccd_pipeline_destroy", context, |call, context| {
        context.pipelines.remove(call, pipeline.id)?;
        Ok(())
    })
}

/// Fixes how many threads begin with which phase, or with 0 and 0 leaves it to the library again, which is the
/// default: it measures how long both phases take and moves threads to the longer one; see
/// pccd_pipeline_balance(). Steps then use as many threads as both numbers together; the context has to have
/// that many at a step, which checks it. Results do not depend on it.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_pipeline_set_split(
    context: *mut pccd_context,
    pipeline: pccd_pipeline,
    broad_threads: u32,
    narrow_threads: u32,
) -> pccd_status {
    enter_context("pccd_pipeline_set_split", context, |call, context| {
        let object = context.pipelines.get_mut(call, pipeline.id)?;
        object.pipeline.fix_split(read_split(call, "", broad_threads, narrow_threads)?);
        Ok(())
    })
}
