//! Structs that grow at the end.
//!
//! A caller tells the size of the struct it was compiled with. A smaller one is from an older header: the fields it
//! lacks get their defaults. A larger one is from a newer header and may ask for what this library does not know: it
//! is refused.

use super::guard::{Call, Failure};
use super::status::PCCD_ERR_STRUCT_SIZE;
use std::fmt;
use std::mem::MaybeUninit;
use std::ptr;

/// # Safety
/// `#[repr(C)]`, begins with `struct_size: u32`, and every bit pattern is a value.
pub(super) unsafe trait Versioned: Copy {
    const NAME: &'static str;
    const INIT: &'static str;
    /// The size in the first header that had it. Never changes.
    const MIN_SIZE: usize;
    /// The sizes in all headers: in between, somebody's pointer would be cut in half.
    const SIZES: &'static [usize] = &[Self::MIN_SIZE, size_of::<Self>()];

    /// What `_init` writes; `struct_size` is that of this library.
    fn defaults() -> Self;
}

fn check_size<T: Versioned>(call: &Call, what: fmt::Arguments<'_>, size: usize) -> Result<(), Failure> {
    const { assert!(T::MIN_SIZE <= size_of::<T>(), "a struct only grows") };
    let known = size_of::<T>();
    if T::SIZES.contains(&size) {
        return Ok(());
    }
    let (name, init) = (T::NAME, T::INIT);
    Err(if size == 0 {
        call.fail(
            PCCD_ERR_STRUCT_SIZE,
            format_args!("{what} is 0: the struct is not initialised; call {init}(p, sizeof *p) first"),
        )
    } else if size > known {
        call.fail(
            PCCD_ERR_STRUCT_SIZE,
            format_args!(
                "{what} is {size}, but {name} has {known} bytes in this library, which is older than the header"
            ),
        )
    } else {
        call.fail(
            PCCD_ERR_STRUCT_SIZE,
            format_args!("{what} is {size}, but {name} has {known} bytes; set it with {init}(p, sizeof *p)"),
        )
    })
}

/// Fills the caller's struct with defaults, as much of it as the caller knows.
///
/// # Safety
/// `place` is null or has room for `size` bytes.
pub(super) unsafe fn init<T: Versioned>(
    call: &Call,
    argument: &str,
    place: *mut T,
    size: usize,
) -> Result<(), Failure> {
    call.not_null(place, argument)?;
    check_size::<T>(call, format_args!("size"), size)?;
    // SAFETY: the caller vouches for `size` bytes, which `check_size` found to be no more than a `T` has.
    unsafe { write(place, T::defaults(), size) };
    Ok(())
}

/// Reads the caller's struct; fields that it does not know have their defaults.
///
/// # Safety
/// `place` is null or points to `struct_size` readable bytes, at least four.
pub(super) unsafe fn read<T: Versioned>(call: &Call, argument: &str, place: *const T) -> Result<T, Failure> {
    // SAFETY: promised by the caller.
    let size = unsafe { size::<T>(call, argument, place) }?;
    let mut value = MaybeUninit::new(T::defaults());
    // SAFETY: the caller vouches for `size` bytes, which are no more than a `T` has. Bytes need no alignment.
    unsafe { ptr::copy_nonoverlapping(place.cast::<u8>(), value.as_mut_ptr().cast::<u8>(), size) };
    // SAFETY: it was initialised with defaults, and every bit pattern is a value.
    Ok(unsafe { value.assume_init() })
}

/// Reads and checks the size in the caller's struct.
///
/// # Safety
/// As for `read`.
pub(super) unsafe fn size<T: Versioned>(
    call: &Call,
    argument: &str,
    place: *const T,
) -> Result<usize, Failure> {
    call.not_null(place, argument)?;
    // SAFETY: the caller vouches for at least these four bytes, with which every versioned struct begins.
    let size = unsafe { place.cast::<u32>().read_unaligned() } as usize;
    check_size::<T>(call, format_args!("{argument}->struct_size"), size)?;
    Ok(size)
}

/// Writes the first `size` bytes of `value`, with that size in it.
///
/// # Safety
/// `place` has room for `size` bytes, which are at least four and at most those of a `T`.
pub(super) unsafe fn write<T: Versioned>(place: *mut T, mut value: T, size: usize) {
    // SAFETY: every versioned struct begins with its size.
    unsafe { (&raw mut value).cast::<u32>().write(size as u32) };
    // SAFETY: promised by the caller.
    unsafe { ptr::copy_nonoverlapping((&raw const value).cast::<u8>(), place.cast::<u8>(), size) };
}

#[cfg(test)]
mod tests {
    use super::super::error::pccd_last_error;
    use super::super::guard;
    use super::super::status::*;
    use super::*;
    use std::ffi::CStr;

    /// A struct that has grown: the first header had no `added`.
    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Grown {
        struct_size: u32,
        old: u32,
        added: u64,
    }

    // SAFETY: `repr(C)`, begins with `struct_size`, integers only.
    unsafe impl Versioned for Grown {
        const NAME: &'static str = "grown";
        const INIT: &'static str = "grown_init";
        const MIN_SIZE: usize = 8;

        fn defaults() -> Grown {
            Grown { struct_size: 16, old: 1, added: 2 }
        }
    }

    fn sentence() -> &'static str {
        // SAFETY: a C string of this thread, used before the next error.
        unsafe { CStr::from_ptr(pccd_last_error()) }.to_str().unwrap()
    }

    #[test]
    fn init_writes_no_more_than_the_caller_knows() {
        let mut place = Grown { struct_size: 99, old: 99, added: 99 };
        // SAFETY: `place` is larger than any size given.
        let status = guard::enter("f", |call| unsafe { init(call, "p", &raw mut place, 8) });
        assert_eq!((status, place), (PCCD_OK, Grown { struct_size: 8, old: 1, added: 99 }));
        // SAFETY: as above.
        let status = guard::enter("f", |call| unsafe { init(call, "p", &raw mut place, 16) });
        assert_eq!((status, place), (PCCD_OK, Grown::defaults()));
    }

    #[test]
    fn what_an_old_caller_lacks_has_its_default() {
        let old = [8u32, 7];
        let mut seen = None;
        let status = guard::enter("f", |call| {
            // SAFETY: as many bytes as it says.
            seen = Some(unsafe { read::<Grown>(call, "p", old.as_ptr().cast()) }?);
            Ok(())
        });
        assert_eq!((status, seen), (PCCD_OK, Some(Grown { struct_size: 8, old: 7, added: 2 })));
    }

    #[test]
    fn sizes_nobody_knows_are_refused() {
        for (size, words) in
            [(0, "grown_init(p, sizeof *p)"), (4, "is 4,"), (12, "is 12,"), (17, "is 17, but grown has 16")]
        {
            let place = Grown { struct_size: size, ..Grown::defaults() };
            let status = guard::enter("f", |call| {
                // SAFETY: a whole struct, whatever it says.
                unsafe { read(call, "p", &raw const place) }.map(|_| ())
            });
            assert_eq!(status, PCCD_ERR_STRUCT_SIZE);
            assert!(
                sentence().starts_with("f: p->struct_size is") && sentence().contains(words),
                "{}",
                sentence()
            );
        }
    }
}
