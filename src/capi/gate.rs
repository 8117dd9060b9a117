//! How other threads reach a run while somebody else has its context.
//!
//! A context is one thread's at a time (`live::Held`), but a run may be worked on and cancelled by all. So beside the
//! context, not in it, is a gate that says which run is open. The protocol:
//!
//! 1. A run is put up here after it was prepared, and taken down before its results are looked at: whoever finds it here,
//!    under the lock, finds it alive and made for sharing.
//! 2. `cancel` uses it under the lock, for a moment.
//! 3. `enter` counts a thread in and gives it the run, which it then uses without the lock; `leave` counts it out. `close`
//!    takes the run down first, so that nobody comes any more, and then waits until all have left.
//! 4. A run that was begun keeps its context busy until it is ended. So the context, and this gate with it, can't be
//!    destroyed between begin and end, nor before the last thread has left.
//! 5. The table of contexts is locked for reading while a thread enters, cancels or leaves, and for writing when a context
//!    is removed: the gate is there until the thread has let go of it, the unlocking included. The table is locked
//!    first, the gate second; who waits for others to leave has not locked the table.

use super::guard::{Call, Failure};
use super::status::*;
use crate::schedule::OpenRun;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

pub(super) struct Gate {
    state: Mutex<State>,
    /// The last one has left.
    left: Condvar,
    /// The step of a pipeline that runs should end.
    step_cancelled: AtomicBool,
}

struct State {
    open: Option<Open>,
    /// Threads that use the run without the lock.
    inside: usize,
    /// The query whose run was begun last, or 0: who comes too late to work on it has done nothing wrong.
    last_begun: u64,
    /// The pipeline that is in a step, or 0.
    stepping: u64,
}

#[derive(Clone, Copy)]
struct Open {
    query: u64,
    run: NonNull<dyn OpenRun>,
    stage: Stage,
}

// SAFETY: an `OpenRun` is made for sharing.
unsafe impl Send for Open {}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Inside `pccd_query_run`: it can be cancelled, but takes no donated threads.
    Running,
    /// Between `pccd_query_begin` and `pccd_query_end`.
    Begun,
    /// Inside `pccd_query_end`.
    Ending,
}

/// What keeps a run of `pccd_query_run` in the gate.
pub(super) struct Running<'a>(&'a Gate);

impl Gate {
    pub(super) fn new() -> Gate {
        let state = State { open: None, inside: 0, last_begun: 0, stepping: 0 };
        Gate { state: Mutex::new(state), left: Condvar::new(), step_cancelled: AtomicBool::new(false) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics halfway through a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a run known until what this returns is dropped: borrowed until then, the run is alive and prepared.
    pub(super) fn running<'a>(&'a self, query: u64, run: &'a (impl OpenRun + 'static)) -> Running<'a> {
        let run: &(dyn OpenRun + 'static) = run;
        self.lock().open = Some(Open { query, run: NonNull::from(run), stage: Stage::Running });
        Running(self)
    }

    /// Opens a run to donated threads, until `close`.
    ///
    /// # Safety
    /// The run is prepared, and stays where it is, shared, until `close` has returned.
    pub(super) unsafe fn begin(&self, query: u64, run: NonNull<dyn OpenRun>) {
        let mut state = self.lock();
        state.open = Some(Open { query, run, stage: Stage::Begun });
        state.last_begun = query;
    }

    /// The query whose run was begun and not ended yet.
    pub(super) fn begun(&self) -> Option<u64> {
        self.lock().open.filter(|open| open.stage != Stage::Running).map(|open| open.query)
    }

    /// Makes the caller the one who ends a run that was begun.
    pub(super) fn end(&self, call: &Call, query: u64) -> Result<NonNull<dyn OpenRun>, Failure> {
        let mut state = self.lock();
        match &mut state.open {
            Some(open) if open.query == query && open.stage == Stage::Begun => {
                open.stage = Stage::Ending;
                Ok(open.run)
            }
            Some(open) if open.query == query && open.stage == Stage::Ending => Err(call.fail(
                PCCD_ERR_BUSY,
                format_args!(
                    "query.id is {query:#x}, inside another pccd_query_end() that has not returned yet"
                ),
            )),
            open => Err(not_begun(call, query, open.as_ref())),
        }
    }

    /// Lets nobody in any more, and waits until all have left. Afterwards nobody uses the run.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.open = None;
        while state.inside > 0 {
            state = self.left.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Counts a thread in that wants to work on the run of a query, and gives it the run; None when that has ended
    /// already.
    pub(super) fn enter(&self, call: &Call, query: u64) -> Result<Option<NonNull<dyn OpenRun>>, Failure> {
        let mut state = self.lock();
        match state.open {
            Some(open) if open.query == query && open.stage != Stage::Running => {
                state.inside += 1;
                Ok(Some(open.run))
            }
            None if query != 0 && query == state.last_begun => Ok(None),
            open => Err(not_begun(call, query, open.as_ref())),
        }
    }

    /// Counts out a thread that `enter` has counted in.
    pub(super) fn leave(&self) {
        let mut state = self.lock();
        state.inside -= 1;
        if state.inside == 0 {
            self.left.notify_all();
        }
    }

    /// Makes the step of a pipeline known until what this returns is dropped. The flag is set when it should end.
    pub(super) fn stepping(&self, pipeline: u64) -> (Stepping<'_>, &AtomicBool) {
        let mut state = self.lock();
        state.stepping = pipeline;
        self.step_cancelled.store(false, Ordering::Relaxed);
        (Stepping(self), &self.step_cancelled)
    }

    /// Ends the step of a pipeline soon, if there is one.
    pub(super) fn cancel_step(&self, pipeline: u64) {
        let state = self.lock();
        if pipeline != 0 && state.stepping == pipeline {
            self.step_cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Ends the run of a query soon, if there is one.
    pub(super) fn cancel(&self, query: u64) {
        let state = self.lock();
        if let Some(open) = state.open.filter(|open| open.query == query) {
            // SAFETY: while it is open, and the lock keeps it so, the run is alive and shared.
            unsafe { open.run.as_ref() }.cancel();
        }
    }
}

/// What keeps the step of a pipeline in the gate.
pub(super) struct Stepping<'a>(&'a Gate);

impl Drop for Stepping<'_> {
    fn drop(&mut self) {
        self.0.lock().stepping = 0;
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.lock().open = None;
    }
}

fn not_begun(call: &Call, query: u64, open: Option<&Open>) -> Failure {
    if query == 0 {
        return call.fail(PCCD_ERR_NULL, format_args!("query.id is 0: the handle is null"));
    }
    let what = match open {
        Some(open) if open.query == query => "which pccd_query_run() is running",
        Some(_) => "but the run that was begun is another query's",
        None => "which has no run that was begun",
    };
    call.fail(
        PCCD_ERR_INVALID_ARGUMENT,
        format_args!("query.id is {query:#x}, {what}; call pccd_query_begin() first"),
    )
}
