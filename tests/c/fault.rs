//! The library with two functions more, with which C tests provoke a panic. It is the same code: all of it comes from the library that is built anyway, and
//! only has to be linked.

use pccd::capi::{fault, pccd_context, pccd_query, pccd_status};

/// Panics inside a call.
///
/// # Safety
///
/// As for any function of the interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_fault_panic(context: *mut pccd_context) -> pccd_status {
    // SAFETY: promised by the caller.
    unsafe { fault::panic_in_call(context) }
}

/// Panics on a thread that was donated to a run.
///
/// # Safety
///
/// As for any function of the interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_fault_work(context: *mut pccd_context, query: pccd_query) -> pccd_status {
    // SAFETY: promised by the caller.
    unsafe { fault::panic_in_work(context, query) }
}
