//! What a call returns.

use std::ffi::{CStr, c_char};

/// What every call returns: 0 when all went well, above 0 for information, below 0 for an error. After
/// an error pccd_last_error() has a sentence about it, and no out-parameter has been written.
pub type pccd_status = i32;

/// All went well.
pub const PCCD_OK: i32 = 0;
/// The results are right but not all: there was no room for the others.
pub const PCCD_INCOMPLETE: i32 = 1;
/// pccd_query_cancel() has ended the run: there are no results.
pub const PCCD_CANCELLED: i32 = 2;
/// A required pointer or handle is null.
pub const PCCD_ERR_NULL: i32 = -1;
/// A value is out of range, an enumeration value unknown, or a count larger than the buffer it is
/// about.
pub const PCCD_ERR_INVALID_ARGUMENT: i32 = -2;
/// The struct_size of a struct is not one that this library knows: not initialised, or from a newer
/// header.
pub const PCCD_ERR_STRUCT_SIZE: i32 = -3;
/// The caller was compiled for another version of the binary interface.
pub const PCCD_ERR_VERSION: i32 = -4;
/// A coordinate is NaN or infinite.
pub const PCCD_ERR_NOT_FINITE: i32 = -5;
/// A size does not fit the address space, or the allocator refused memory. Nothing has changed.
pub const PCCD_ERR_OUT_OF_MEMORY: i32 = -6;
/// The handle or context was destroyed, never existed, or belongs elsewhere.
pub const PCCD_ERR_STALE_HANDLE: i32 = -7;
/// Another call on the same context has not returned yet, or a run was begun in it and not ended.
pub const PCCD_ERR_BUSY: i32 = -8;
/// An earlier call on this context returned PCCD_ERR_PANIC: it can only be destroyed.
pub const PCCD_ERR_POISONED: i32 = -9;
/// A defect of the library showed itself. The context of this call is poisoned, others are not
/// affected.
pub const PCCD_ERR_PANIC: i32 = -10;
/// This CPU lacks the SIMD level that was asked for.
pub const PCCD_ERR_UNSUPPORTED: i32 = -11;
/// The system refused to create a thread.
pub const PCCD_ERR_THREAD: i32 = -12;
/// A file could not be written.
pub const PCCD_ERR_IO: i32 = -13;

/// The name of a status as it is written in this header, "PCCD_OK" for instance. For a number that is
/// no status: "unknown status". The text is never null and lives as long as the library.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub extern "C" fn pccd_status_name(status: pccd_status) -> *const c_char {
    name(status).as_ptr()
}

fn name(status: pccd_status) -> &'static CStr {
    match status {
        PCCD_OK => c"PCCD_OK",
        PCCD_INCOMPLETE => c"PCCD_INCOMPLETE",
        PCCD_CANCELLED => c"PCCD_CANCELLED",
        PCCD_ERR_NULL => c"PCCD_ERR_NULL",
        PCCD_ERR_INVALID_ARGUMENT => c"PCCD_ERR_INVALID_ARGUMENT",
        PCCD_ERR_STRUCT_SIZE => c"PCCD_ERR_STRUCT_SIZE",
        PCCD_ERR_VERSION => c"PCCD_ERR_VERSION",
        PCCD_ERR_NOT_FINITE => c"PCCD_ERR_NOT_FINITE",
        PCCD_ERR_OUT_OF_MEMORY => c"PCCD_ERR_OUT_OF_MEMORY",
        PCCD_ERR_STALE_HANDLE => c"PCCD_ERR_STALE_HANDLE",
        PCCD_ERR_BUSY => c"PCCD_ERR_BUSY",
        PCCD_ERR_POISONED => c"PCCD_ERR_POISONED",
        PCCD_ERR_PANIC => c"PCCD_ERR_PANIC",
        PCCD_ERR_UNSUPPORTED => c"PCCD_ERR_UNSUPPORTED",
        PCCD_ERR_THREAD => c"PCCD_ERR_THREAD",
        PCCD_ERR_IO => c"PCCD_ERR_IO",
        _ => c"unknown status",
    }
}
