//! The caller's buffers, read where they are.

use super::guard::{Call, Failure};
use super::status::*;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::slice;

/// Element format: three 32-bit floats, x y z.
pub const PCCD_FORMAT_F32X3: u32 = 1;
/// Element format: three 64-bit floats, x y z.
pub const PCCD_FORMAT_F64X3: u32 = 2;

/// A buffer of the caller's, which the library reads in place during a call: never past its last
/// element, and without ever writing to it. The elements need not be aligned.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pccd_view {
    /// The first element. May be null only if count is 0.
    pub data: *const c_void,
    /// Number of elements. The last one has to be readable, padding behind it need not be.
    pub count: u64,
    /// Bytes from one element to the next; 0 if there are none between them.
    pub stride: u64,
    /// What an element is: one of the PCCD_FORMAT_ values.
    pub format: u32,
    /// Has to be 0.
    pub reserved: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum Format {
    F32x3,
    F64x3,
}

impl Format {
    fn size(self) -> usize {
        match self {
            Format::F32x3 => 12,
            Format::F64x3 => 24,
        }
    }
}

/// Points in the caller's memory, checked to be readable as far as the caller can be believed.
pub(super) struct Points<'a> {
    data: *const u8,
    count: usize,
    stride: usize,
    format: Format,
    caller: PhantomData<&'a [u8]>,
}

// SAFETY: the caller's memory is only read, and the caller may not write to it during the call.
unsafe impl Sync for Points<'_> {}

impl<'a> Points<'a> {
    /// Checks everything that can be checked: `needed` points have to be in the view. The points live as
    /// long as the caller's call, which has to be shorter than `'a`.
    ///
    /// # Safety
    /// If the view has elements, they are readable for `'a`, and nobody writes to them.
    pub(super) unsafe fn new(
        call: &Call,
        argument: &str,
        view: &pccd_view,
        needed: u64,
    ) -> Result<Points<'a>, Failure> {
        let pccd_view { data, count, stride, format, reserved } = *view;
        let (name, format) = match format {
            PCCD_FORMAT_F32X3 => ("PCCD_FORMAT_F32X3", Format::F32x3),
            PCCD_FORMAT_F64X3 => ("PCCD_FORMAT_F64X3", Format::F64x3),
            _ => {
                return Err(call.fail(
                    PCCD_ERR_INVALID_ARGUMENT,
                    format_args!(
                        "{argument}->format is {format}; expected PCCD_FORMAT_F32X3 (1) or PCCD_FORMAT_F64X3 (2)"
                    ),
                ));
            }
        };
        if reserved != 0 {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!("{argument}->reserved is {reserved}; expected 0"),
            ));
        }
        let size = format.size();
        if stride != 0 && stride < size as u64 {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!("{argument}->stride is {stride}; expected 0 or at least the {size} of {name}"),
            ));
        }
        if count < needed {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!("{argument}->count is {count}; expected at least {needed}"),
            ));
        }
        if count > 0 && data.is_null() {
            return Err(call.fail(
                PCCD_ERR_NULL,
                format_args!("{argument}->data is null, but {argument}->count is {count}"),
            ));
        }
        let step = if stride == 0 { size as u64 } else { stride };
        if !fits(data.addr(), count, step, size) {
            return Err(call.fail(
                PCCD_ERR_OUT_OF_MEMORY,
                format_args!(
                    "{argument}->count is {count} and {argument}->stride is {stride}: \
                     that many bytes do not fit the address space"
                ),
            ));
        }
        // Both fit: an array that long fits the address space.
        let (count, stride) = (needed as usize, step as usize);
        Ok(Points { data: data.cast(), count, stride, format, caller: PhantomData })
    }

    /// The number that were needed: those beyond are never read.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Addresses from the first byte of the first point to the end of the last one.
    pub(super) fn bytes(&self) -> std::ops::Range<usize> {
        let start = self.data.addr();
        start..self.count.checked_sub(1).map_or(start, |last| start + last * self.stride + self.format.size())
    }

    /// `len` rows of `N / 3` points each, from point `first` on, if the caller's memory can be read as
    /// such.
    pub(super) fn in_place<const N: usize>(&self, first: usize, len: usize) -> Option<&[[f64; N]]> {
        let points = N / 3;
        assert!(first.checked_add(len * points).is_some_and(|end| end <= self.count));
        let start = self.data.wrapping_add(first * self.stride).cast::<[f64; N]>();
        let fitting = self.format == Format::F64x3 && self.stride == 24 && start.is_aligned();
        // SAFETY: tightly packed, aligned f64 from the first to the last element: `len` rows of `points` points that
        // are inside the view, which is readable and not written to during the call.
        fitting.then(|| unsafe { slice::from_raw_parts(start, len) })
    }

    /// Point number `index`, widened exactly.
    pub(super) fn get(&self, index: usize) -> [f64; 3] {
        assert!(index < self.count);
        // SAFETY: the element is inside the view.
        let element = unsafe { self.data.add(index * self.stride) };
        match self.format {
            // SAFETY: the element is readable; its alignment does not matter.
            Format::F32x3 => unsafe { element.cast::<[f32; 3]>().read_unaligned() }.map(f64::from),
            // SAFETY: as above.
            Format::F64x3 => unsafe { element.cast::<[f64; 3]>().read_unaligned() },
        }
    }
}

/// Whether `count` elements at `address` end within the address space. Rust's pointers may reach half
/// of it at most.
fn fits(address: usize, count: u64, stride: u64, size: usize) -> bool {
    let Some(last) = count.checked_sub(1) else { return true };
    let bytes = last.checked_mul(stride).and_then(|start| start.checked_add(size as u64));
    bytes.is_some_and(|bytes| bytes <= isize::MAX as u64 && (address as u64).checked_add(bytes).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_at_the_edge_of_the_address_space() {
        let most = isize::MAX as u64;
        assert!(fits(8, 0, u64::MAX, 24));
        assert!(fits(8, 1, u64::MAX, 24));
        assert!(fits(8, 2, most - 24, 24));
        assert!(!fits(8, 2, most - 23, 24));
        assert!(!fits(8, 3, most, 24));
        assert!(!fits(8, u64::MAX, u64::MAX, 24));
        assert!(fits(8, most / 12, 12, 12));
        assert!(!fits(8, most / 12 + 1, 12, 12));
        assert!(fits(usize::MAX - 24, 1, 24, 24));
        assert!(!fits(usize::MAX - 23, 1, 24, 24));
    }
}
