//! Faults on demand, so that tests can see what a defect would do. C cannot call them: `tests/c/fault.rs` is a library that can be asked to.

use super::context::pccd_context;
use super::guard::{Failure, enter, enter_context};
use super::live;
use super::query::pccd_query;
use super::status::pccd_status;

/// Panics inside the guard, as a defect of the library would.
///
/// # Safety
///
/// As for any function of the interface that has these parameters.
pub unsafe fn panic_in_call(context: *mut pccd_context) -> pccd_status {
    enter_context("pccd_fault_panic", context, |_, _| -> Result<(), Failure> { panic!("asked to panic") })
}

/// Panics on a thread that was donated to a run.
///
/// # Safety
///
/// As for any function of the interface that has these parameters.
pub unsafe fn panic_in_work(context: *mut pccd_context, query: pccd_query) -> pccd_status {
    enter("pccd_fault_work", |call| live::visit(call, context, query.id, |_| panic!("asked to panic")))
}
