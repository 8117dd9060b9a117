//! Faults on demand, so that tests can see what a defect would do. Only with the feature `fault-injection`, and not in
//! the header: the tests declare them themselves.

use super::context::pccd_context;
use super::guard::{Failure, enter, enter_context};
use super::live;
use super::query::pccd_query;
use super::status::pccd_status;

/// Panics inside the guard, as a defect of the library would.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_fault_panic(context: *mut pccd_context) -> pccd_status {
    enter_context("pccd_fault_panic", context, |_, _| -> Result<(), Failure> { panic!("asked to panic") })
}

/// Panics on a thread that was donated to a run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_fault_work(context: *mut pccd_context, query: pccd_query) -> pccd_status {
    enter("pccd_fault_work", |call| live::visit(call, context, query.id, |_| panic!("asked to panic")))
}
