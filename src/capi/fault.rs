//! Faults on demand, so that tests can see what a defect would do. Only with the feature `fault-injection`, and not in
//! the header: the tests declare it themselves.

use super::context::pccd_context;
use super::guard::{Failure, enter_context};
use super::status::pccd_status;

/// Panics inside the guard, as a defect of the library would.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_fault_panic(context: *mut pccd_context) -> pccd_status {
    enter_context("pccd_fault_panic", context, |_, _| -> Result<(), Failure> { panic!("asked to panic") })
}
