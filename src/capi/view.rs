//! The caller's buffers, read where they are.

use super::check;
use super::guard::{Call, Failure};
use super::status::*;
use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::slice;

/// Element format: three 32-bit floats, x y z.
pub const PCCD_FORMAT_F32X3: u32 = 1;
/// Element format: three 64-bit floats, x y z.
pub const PCCD_FORMAT_F64X3: u32 = 2;
/// Element format: three 16-bit unsigned integers, the vertices of a triangle.
pub const PCCD_FORMAT_U16X3: u32 = 3;
/// Element format: three 32-bit unsigned integers, the vertices of a triangle.
pub const PCCD_FORMAT_U32X3: u32 = 4;
/// Element format: four 32-bit floats, a quaternion x y z w.
pub const PCCD_FORMAT_F32X4: u32 = 5;
/// Element format: four 64-bit floats, a quaternion x y z w.
pub const PCCD_FORMAT_F64X4: u32 = 6;

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
enum PointFormat {
    F32x3,
    F64x3,
}

/// How an error speaks of a view: `positions`, whose members are `positions->count` and so on, or `def->positions`
/// with `def->positions.count`.
#[derive(Clone, Copy)]
pub(super) struct ViewName {
    pub(super) name: &'static str,
    access: &'static str,
}

impl ViewName {
    /// The view is an argument of the function: a pointer.
    pub(super) const fn argument(name: &'static str) -> ViewName {
        ViewName { name, access: "->" }
    }

    /// The view is inside a struct.
    pub(super) const fn member(name: &'static str) -> ViewName {
        ViewName { name, access: "." }
    }
}

impl fmt::Display for ViewName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.name, self.access)
    }
}

/// How many elements a view should have.
#[derive(Clone, Copy)]
pub(super) enum Needed {
    /// These are used; there may be more.
    AtLeast(u64),
    Exactly(u64),
    /// All there are, but no more than these.
    AtMost(u64),
}

/// Elements in the caller's memory, checked to be readable as far as the caller can be believed.
pub(super) struct Elements<'a> {
    data: *const u8,
    pub(super) count: usize,
    stride: usize,
    /// Bytes of one element.
    size: usize,
    caller: PhantomData<&'a [u8]>,
}

// SAFETY: the caller's memory is only read, and the caller may not write to it during the call.
unsafe impl Sync for Elements<'_> {}

impl<'a> Elements<'a> {
    /// Checks everything but the format, which has `name` and elements of `size` bytes.
    ///
    /// # Safety
    /// If the view has elements, they are readable for `'a`, and nobody writes to them.
    pub(super) unsafe fn new(
        call: &Call,
        argument: ViewName,
        view: &pccd_view,
        (name, size): (&str, usize),
        needed: Needed,
    ) -> Result<Elements<'a>, Failure> {
        let pccd_view { data, count, stride, reserved, .. } = *view;
        check::reserved(call, format_args!("{argument}reserved"), reserved)?;
        if stride != 0 && stride < size as u64 {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!("{argument}stride is {stride}; expected 0 or at least the {size} of {name}"),
            ));
        }
        let wrong_count = |words: &str, expected: u64| {
            call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!("{argument}count is {count}; expected {words}{expected}"),
            )
        };
        let used = match needed {
            Needed::AtLeast(least) if count < least => return Err(wrong_count("at least ", least)),
            Needed::Exactly(exact) if count != exact => return Err(wrong_count("", exact)),
            Needed::AtMost(most) if count > most => return Err(wrong_count("at most ", most)),
            Needed::AtLeast(least) => least,
            Needed::Exactly(_) | Needed::AtMost(_) => count,
        };
        if count > 0 && data.is_null() {
            return Err(call.fail(
                PCCD_ERR_NULL,
                format_args!("{argument}data is null, but {argument}count is {count}"),
            ));
        }
        let step = if stride == 0 { size as u64 } else { stride };
        if !fits(data.addr(), count, step, size) {
            return Err(call.fail(
                PCCD_ERR_OUT_OF_MEMORY,
                format_args!(
                    "{argument}count is {count} and {argument}stride is {stride}: \
                     that many bytes do not fit the address space"
                ),
            ));
        }
        // Both fit: an array that long fits the address space.
        let (count, stride) = (used as usize, step as usize);
        Ok(Elements { data: data.cast(), count, stride, size, caller: PhantomData })
    }

    /// Where element `index` begins. The bytes of a whole element are readable there.
    pub(super) fn at(&self, index: usize) -> *const u8 {
        assert!(index < self.count);
        // SAFETY: the element is inside the view.
        unsafe { self.data.add(index * self.stride) }
    }
}

/// Points in the caller's memory.
pub(super) struct Points<'a> {
    elements: Elements<'a>,
    format: PointFormat,
}

impl<'a> Points<'a> {
    /// Checks everything but the coordinates. The points live as long as the caller's call, which has to be shorter
    /// than `'a`.
    ///
    /// # Safety
    /// If the view has elements, they are readable for `'a`, and nobody writes to them.
    pub(super) unsafe fn new(
        call: &Call,
        argument: ViewName,
        view: &pccd_view,
        needed: Needed,
    ) -> Result<Points<'a>, Failure> {
        let (kind, format) = match view.format {
            PCCD_FORMAT_F32X3 => (("PCCD_FORMAT_F32X3", 12), PointFormat::F32x3),
            PCCD_FORMAT_F64X3 => (("PCCD_FORMAT_F64X3", 24), PointFormat::F64x3),
            format => {
                return Err(call.fail(
                    PCCD_ERR_INVALID_ARGUMENT,
                    format_args!(
                        "{argument}format is {format}; expected PCCD_FORMAT_F32X3 (1) or PCCD_FORMAT_F64X3 (2)"
                    ),
                ));
            }
        };
        // SAFETY: promised by the caller.
        let elements = unsafe { Elements::new(call, argument, view, kind, needed) }?;
        Ok(Points { elements, format })
    }

    /// Refuses the first coordinate that is NaN or infinite.
    pub(super) fn check_finite(&self, call: &Call, argument: ViewName) -> Result<(), Failure> {
        for vertex in 0..self.count() {
            let point = self.get(vertex);
            if let Some(axis) = point.iter().position(|coordinate| !coordinate.is_finite()) {
                return Err(call.fail(
                    PCCD_ERR_NOT_FINITE,
                    format_args!(
                        "{}: vertex {vertex}, {} is {}",
                        argument.name,
                        ["x", "y", "z"][axis],
                        check::not_finite_name(point[axis])
                    ),
                ));
            }
        }
        Ok(())
    }

    /// The number that were needed: those beyond are never read.
    pub(super) fn count(&self) -> usize {
        self.elements.count
    }

    /// Addresses from the first byte of the first point to the end of the last one.
    pub(super) fn bytes(&self) -> std::ops::Range<usize> {
        let Elements { data, count, stride, size, .. } = self.elements;
        let start = data.addr();
        start..count.checked_sub(1).map_or(start, |last| start + last * stride + size)
    }

    /// `len` rows of `N / 3` points each, from point `first` on, if the caller's memory can be read as
    /// such.
    pub(super) fn in_place<const N: usize>(&self, first: usize, len: usize) -> Option<&[[f64; N]]> {
        let points = N / 3;
        assert!(first.checked_add(len * points).is_some_and(|end| end <= self.count()));
        let start = self.elements.data.wrapping_add(first * self.elements.stride).cast::<[f64; N]>();
        let fitting = self.format == PointFormat::F64x3 && self.elements.stride == 24 && start.is_aligned();
        // SAFETY: tightly packed, aligned f64 from the first to the last element: `len` rows of `points` points that
        // are inside the view, which is readable and not written to during the call.
        fitting.then(|| unsafe { slice::from_raw_parts(start, len) })
    }

    /// Point number `index`, widened exactly.
    pub(super) fn get(&self, index: usize) -> [f64; 3] {
        let element = self.elements.at(index);
        match self.format {
            // SAFETY: the element is readable; its alignment does not matter.
            PointFormat::F32x3 => unsafe { element.cast::<[f32; 3]>().read_unaligned() }.map(f64::from),
            // SAFETY: as above.
            PointFormat::F64x3 => unsafe { element.cast::<[f64; 3]>().read_unaligned() },
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
