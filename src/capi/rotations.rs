//! Quaternions in the caller's buffers.

use super::check;
use super::guard::{Call, Failure};
use super::status::*;
use super::view::{Elements, Needed, PCCD_FORMAT_F32X4, PCCD_FORMAT_F64X4, ViewName, pccd_view};

/// Quaternions in the caller's memory.
pub(super) struct Rotations<'a> {
    elements: Elements<'a>,
    is_double: bool,
}

impl<'a> Rotations<'a> {
    /// Checks everything but the numbers.
    ///
    /// # Safety
    /// If the view has elements, they are readable for `'a`, and nobody writes to them.
    pub(super) unsafe fn new(
        call: &Call,
        argument: ViewName,
        view: &pccd_view,
        needed: Needed,
    ) -> Result<Rotations<'a>, Failure> {
        let (kind, is_double) = match view.format {
            PCCD_FORMAT_F32X4 => (("PCCD_FORMAT_F32X4", 16), false),
            PCCD_FORMAT_F64X4 => (("PCCD_FORMAT_F64X4", 32), true),
            format => {
                return Err(call.fail(
                    PCCD_ERR_INVALID_ARGUMENT,
                    format_args!(
                        "{argument}format is {format}; expected PCCD_FORMAT_F32X4 (5) or PCCD_FORMAT_F64X4 (6)"
                    ),
                ));
            }
        };
        // SAFETY: promised by the caller.
        let elements = unsafe { Elements::new(call, argument, view, kind, needed) }?;
        Ok(Rotations { elements, is_double })
    }

    /// Quaternion number `index`, widened exactly.
    pub(super) fn get(&self, index: usize) -> [f64; 4] {
        let element = self.elements.at(index);
        if self.is_double {
            // SAFETY: the element is readable; its alignment does not matter.
            unsafe { element.cast::<[f64; 4]>().read_unaligned() }
        } else {
            // SAFETY: as above.
            unsafe { element.cast::<[f32; 4]>().read_unaligned() }.map(f64::from)
        }
    }
}

/// Refuses a quaternion that is no rotation. `what` names it.
pub(super) fn check_rotation(
    call: &Call,
    what: std::fmt::Arguments<'_>,
    rotation: [f64; 4],
) -> Result<(), Failure> {
    if let Some(axis) = rotation.iter().position(|x| !x.is_finite()) {
        return Err(call.fail(
            PCCD_ERR_NOT_FINITE,
            format_args!(
                "{what}, {} is {}",
                ["x", "y", "z", "w"][axis],
                check::not_finite_name(rotation[axis])
            ),
        ));
    }
    if rotation == [0.0; 4] {
        return Err(call.fail(
            PCCD_ERR_INVALID_ARGUMENT,
            format_args!("{what} is 0 0 0 0; expected a quaternion x y z w with a length"),
        ));
    }
    Ok(())
}
