//! Checks that many functions need.

use super::guard::{Call, Failure};
use super::status::*;
use std::fmt;

/// A member that is kept for later.
pub(super) fn reserved(call: &Call, member: fmt::Arguments<'_>, value: u32) -> Result<(), Failure> {
    if value != 0 {
        return Err(call.fail(PCCD_ERR_INVALID_ARGUMENT, format_args!("{member} is {value}; expected 0")));
    }
    Ok(())
}

/// Refuses flags that are not in `known`. `expected` tells those in words.
pub(super) fn flags(
    call: &Call,
    member: &str,
    value: u32,
    known: u32,
    expected: &str,
) -> Result<(), Failure> {
    if value & !known != 0 {
        return Err(
            call.fail(PCCD_ERR_INVALID_ARGUMENT, format_args!("{member} is {value:#x}; expected {expected}"))
        );
    }
    Ok(())
}

/// Checks an array that is going to be written to, and returns the address of its end. Without elements it may be null.
pub(super) fn out_array<T>(
    call: &Call,
    (argument, start): (&str, *mut T),
    (count_argument, count): (&str, u64),
) -> Result<usize, Failure> {
    if count == 0 {
        return Ok(start.addr());
    }
    call.not_null(start, argument)?;
    if !start.is_aligned() {
        return Err(call.fail(
            PCCD_ERR_INVALID_ARGUMENT,
            format_args!("{argument} is {start:p}; expected an address aligned to {} bytes", align_of::<T>()),
        ));
    }
    let size = count.checked_mul(size_of::<T>() as u64).filter(|size| *size <= isize::MAX as u64);
    let end = size.and_then(|size| start.addr().checked_add(size as usize));
    end.ok_or_else(|| {
        call.fail(
            PCCD_ERR_OUT_OF_MEMORY,
            format_args!("{count_argument} is {count}: that many elements do not fit the address space"),
        )
    })
}

/// An array of the caller's that is going to be read. Without elements it may be null.
///
/// # Safety
/// If there are elements, they are readable for `'a`, and nobody writes to them.
pub(super) unsafe fn in_array<'a, T: Copy>(
    call: &Call,
    (argument, start): (&str, *const T),
    (count_argument, count): (&str, u64),
) -> Result<&'a [T], Failure> {
    out_array(call, (argument, start.cast_mut()), (count_argument, count))?;
    if count == 0 {
        return Ok(&[]);
    }
    // SAFETY: promised by the caller; aligned, and inside of the address space, as just checked.
    Ok(unsafe { std::slice::from_raw_parts(start, count as usize) })
}

/// Copies to an array of the caller's.
///
/// # Safety
/// If there are elements, `start` is aligned and has room for them, in memory that is not the library's.
pub(super) unsafe fn write_array<T: Copy>(start: *mut T, elements: &[T]) {
    if !elements.is_empty() {
        // SAFETY: promised by the caller.
        unsafe { start.copy_from_nonoverlapping(elements.as_ptr(), elements.len()) };
    }
}

/// What to call a number that is none.
pub(super) fn not_finite_name(value: f64) -> &'static str {
    match value {
        f64::INFINITY => "infinity",
        f64::NEG_INFINITY => "-infinity",
        _ => "NaN",
    }
}
