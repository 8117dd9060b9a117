//! Who does the work: threads of the library, or the caller's job system.

use super::context::pccd_context;
use super::guard::{Call, Failure, enter_context};
use super::status::*;
use crate::detect::SchedulerKind;
use crate::memory::Memory;
use crate::schedule::{Crew, Hired, Pool, PoolError, TaskHooks};
use std::ffi::c_void;
use std::num::NonZeroUsize;

/// Scheduler: every worker has a queue of its own, and gives from it to those that are idle and ask. The
/// default.
pub const PCCD_SCHEDULER_ASSIGNMENT: u32 = 1;
/// Scheduler: workers that are idle take from the queues of others.
pub const PCCD_SCHEDULER_STEALING: u32 = 2;

/// More threads than this are a mistake.
const MAX_THREADS: u32 = 1024;

/// A task of the library, to be called once, with the task_context that came with it. It may be called on
/// any thread, in any floating-point mode, and never throws.
pub type pccd_task_fn = unsafe extern "C" fn(task_context: *mut c_void);

/// Takes on a task for the job system of the caller: the task and its context, and the task_user of the
/// pccd_context. Returns a handle, which is passed to finish once; or null if it has called the task
/// already, or will never do so.
///
/// Tasks may be run on any threads, in any order, at the same time or one after the other, at any time
/// until finish has returned for them; even all of them in finish. However they are run, the work gets
/// done, with the same results: it does not wait for tasks that have not begun. More threads only make it
/// faster. A task that has begun returns when the call of the library it belongs to has no more work for
/// it; it may wait meanwhile for others that have begun.
///
/// Called on the thread that made the call on the context, before that call returns. It must return: no
/// exception and no longjmp may leave it. A call on the same context from inside it returns PCCD_ERR_BUSY;
/// pccd_query_cancel() works.
pub type pccd_enqueue_fn = Option<
    unsafe extern "C" fn(task: pccd_task_fn, task_context: *mut c_void, user: *mut c_void) -> *mut c_void,
>;

/// Returns when the task of a handle has returned: the handle, which was not null, and the task_user of
/// the pccd_context. It may run the task itself, or other work meanwhile. Called once for each handle,
/// otherwise like the enqueue function.
pub type pccd_finish_fn = Option<unsafe extern "C" fn(handle: *mut c_void, user: *mut c_void)>;

/// Where workers come from. `argument` names the count.
pub(super) fn new_crew(
    call: &Call,
    memory: &Memory,
    hooks: Option<TaskHooks>,
    argument: &str,
    thread_count: u32,
) -> Result<Crew, Failure> {
    let worker_count = usize::try_from(thread_count).ok().and_then(NonZeroUsize::new);
    let Some(worker_count) = worker_count.filter(|_| thread_count <= MAX_THREADS) else {
        return Err(call.fail(
            PCCD_ERR_INVALID_ARGUMENT,
            format_args!("{argument} is {thread_count}; expected 1 to {MAX_THREADS}"),
        ));
    };
    if let Some(hooks) = hooks {
        let hired = Hired::new(memory.clone(), hooks, worker_count.get())
            .map_err(|error| call.no_memory(format_args!("{worker_count} tasks"), error))?;
        return Ok(Crew::Hooks(hired));
    }
    let pool = Pool::new(worker_count).map_err(|error| {
        let status = match error {
            PoolError::OutOfMemory => PCCD_ERR_OUT_OF_MEMORY,
            PoolError::Thread { .. } => PCCD_ERR_THREAD,
        };
        call.fail(status, format_args!("{argument} is {worker_count}: {error}"))
    })?;
    Ok(Crew::Pool(pool))
}

pub(super) fn read_scheduler(call: &Call, scheduler: u32) -> Result<SchedulerKind, Failure> {
    match scheduler {
        PCCD_SCHEDULER_ASSIGNMENT => Ok(SchedulerKind::Assignment),
        PCCD_SCHEDULER_STEALING => Ok(SchedulerKind::Stealing),
        _ => Err(call.fail(
            PCCD_ERR_INVALID_ARGUMENT,
            format_args!(
                "def->scheduler is {scheduler}; expected PCCD_SCHEDULER_ASSIGNMENT (1) or \
                 PCCD_SCHEDULER_STEALING (2)"
            ),
        )),
    }
}

pub(super) fn scheduler_number(scheduler: SchedulerKind) -> u32 {
    match scheduler {
        SchedulerKind::Assignment => PCCD_SCHEDULER_ASSIGNMENT,
        SchedulerKind::Stealing => PCCD_SCHEDULER_STEALING,
        #[cfg(test)]
        SchedulerKind::Delaying => unreachable!("no number of the interface means it"),
    }
}

pub(super) fn read_hooks(
    call: &Call,
    enqueue: pccd_enqueue_fn,
    finish: pccd_finish_fn,
    user: *mut c_void,
) -> Result<Option<TaskHooks>, Failure> {
    match (enqueue, finish) {
        (Some(enqueue), Some(finish)) => Ok(Some(TaskHooks { enqueue, finish, user })),
        (None, None) => Ok(None),
        (enqueue, _) => {
            let (set, null) = if enqueue.is_some() { ("enqueue", "finish") } else { ("finish", "enqueue") };
            Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!("def->{null} is null but def->{set} is not; set both or neither"),
            ))
        }
    }
}

/// Changes the thread_count of a context, 1 to 1024. Threads of the library that are new are created
/// first, then all old ones are ended. With task hooks it is the number of workers that changes. Results
/// do not depend on it, and those that queries have stay as they are. If it fails, for instance with
/// PCCD_ERR_THREAD because the system refuses a thread, the context has the threads that it had.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_context_set_threads(
    context: *mut pccd_context,
    thread_count: u32,
) -> pccd_status {
    enter_context("pccd_context_set_threads", context, |call, context| {
        if context.crew.worker_count() != thread_count as usize {
            // The old one is dropped, its threads joined, after the new one has come about.
            context.crew = new_crew(call, &context.memory, context.hooks, "thread_count", thread_count)?;
        }
        Ok(())
    })
}
