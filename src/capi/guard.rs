//! The one way in. Every entry point is a call of `enter` or `enter_context`.

use super::context::{Context, pccd_context};
use super::error::{self, Sentence};
use super::live::{self, Held};
use super::log::Log;
use super::status::*;
use crate::memory::MemoryError;
use crate::simd::StandardFloats;
use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};

/// The entry point that is being executed.
pub(super) struct Call {
    name: &'static str,
    /// Which element of lists it is at, if it has lists.
    element: Cell<Option<usize>>,
}

/// A call that failed. Its sentence is the last error of this thread already: a failure is cheap to pass on.
#[must_use]
pub(super) struct Failure {
    status: pccd_status,
}

/// A call that did not fail.
pub(super) enum Success {
    Complete,
    /// The results are right, but there was no room for all of them.
    Incomplete,
    /// Somebody ended it: there are no results.
    Cancelled,
}

impl From<()> for Success {
    fn from((): ()) -> Success {
        Success::Complete
    }
}

impl Call {
    /// Words a failure. `what` names the argument and its value.
    pub(super) fn fail(&self, status: pccd_status, what: fmt::Arguments<'_>) -> Failure {
        error::remember(&match self.element.get() {
            None => Sentence::new(format_args!("{}: {what}", self.name)),
            Some(element) => Sentence::new(format_args!("{}: element {element}: {what}", self.name)),
        });
        Failure { status }
    }

    /// From now on failures are those of an element of the caller's lists, or of none.
    pub(super) fn at_element(&self, element: Option<usize>) {
        self.element.set(element);
    }

    pub(super) fn not_null<T>(&self, pointer: *const T, argument: &str) -> Result<(), Failure> {
        if pointer.is_null() {
            return Err(self.fail(PCCD_ERR_NULL, format_args!("{argument} is null")));
        }
        Ok(())
    }

    /// `what` is the purpose of the memory.
    pub(super) fn no_memory(&self, what: fmt::Arguments<'_>, error: MemoryError) -> Failure {
        let status = match error {
            MemoryError::TooLarge | MemoryError::Refused { .. } => PCCD_ERR_OUT_OF_MEMORY,
            // There may be plenty; the hook is wrong.
            MemoryError::Misaligned { .. } => PCCD_ERR_INVALID_ARGUMENT,
        };
        self.fail(status, format_args!("no memory for {what}: {error}"))
    }

    pub(super) fn panicked(&self, payload: Box<dyn Any + Send>) -> Failure {
        let message = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("no message");
        self.fail(PCCD_ERR_PANIC, format_args!("a defect of the library showed itself: {message}"))
    }
}

/// Runs an entry point that has no context.
pub(super) fn enter<S: Into<Success>>(
    name: &'static str,
    body: impl FnOnce(&Call) -> Result<S, Failure>,
) -> pccd_status {
    let call = Call { name, element: Cell::new(None) };
    let _floats = StandardFloats::enter();
    // What a panic leaves half done is dropped with the closure, or belongs to a context, which gets poisoned.
    match panic::catch_unwind(AssertUnwindSafe(|| body(&call))) {
        Ok(Ok(success)) => match success.into() {
            Success::Complete => PCCD_OK,
            Success::Incomplete => PCCD_INCOMPLETE,
            Success::Cancelled => PCCD_CANCELLED,
        },
        Ok(Err(failure)) => failure.status,
        Err(payload) => call.panicked(payload).status,
    }
}

/// Runs an entry point on a context: not null, not stale, not busy, not poisoned.
pub(super) fn enter_context<S: Into<Success>>(
    name: &'static str,
    context: *mut pccd_context,
    body: impl FnOnce(&Call, &mut Context) -> Result<S, Failure>,
) -> pccd_status {
    enter(name, |call| inside(call, &mut live::hold(call, context)?, |held| body(call, held.context())))
}

/// Does something with a context that is held, unless it is poisoned.
pub(super) fn inside<T>(
    call: &Call,
    held: &mut Held,
    body: impl FnOnce(&mut Held) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let result = if held.is_poisoned() {
        Err(live::poisoned(call, held.pointer()))
    } else {
        panic::catch_unwind(AssertUnwindSafe(|| body(held))).unwrap_or_else(|payload| {
            held.poison();
            Err(call.panicked(payload))
        })
    };
    // Logged while the context is held: a callback that calls it again gets PCCD_ERR_BUSY, and no endless loop.
    result.inspect_err(|_| log_failure(&held.context().log))
}

/// Sends the last error of this thread to the log. The callback may cause other errors: they are not the last one.
pub(super) fn log_failure(log: &Log) {
    let sentence = error::recall();
    log.error(&sentence);
    error::remember(&sentence);
}
