//! Triangles in the caller's buffers.

use super::guard::{Call, Failure};
use super::status::*;
use super::view::{Elements, Needed, PCCD_FORMAT_U16X3, PCCD_FORMAT_U32X3, ViewName, pccd_view};

#[derive(Clone, Copy)]
enum TriangleFormat {
    U16x3,
    U32x3,
}

/// Triangles in the caller's memory: three indices of vertices each.
pub(super) struct Triangles<'a> {
    elements: Elements<'a>,
    format: TriangleFormat,
}

impl<'a> Triangles<'a> {
    /// Checks everything but the indices. The triangles live as long as the caller's call, which has to be shorter
    /// than `'a`.
    ///
    /// # Safety
    /// If the view has elements, they are readable for `'a`, and nobody writes to them.
    pub(super) unsafe fn new(
        call: &Call,
        argument: ViewName,
        view: &pccd_view,
        needed: Needed,
    ) -> Result<Triangles<'a>, Failure> {
        let (kind, format) = match view.format {
            PCCD_FORMAT_U16X3 => (("PCCD_FORMAT_U16X3", 6), TriangleFormat::U16x3),
            PCCD_FORMAT_U32X3 => (("PCCD_FORMAT_U32X3", 12), TriangleFormat::U32x3),
            format => {
                return Err(call.fail(
                    PCCD_ERR_INVALID_ARGUMENT,
                    format_args!(
                        "{argument}format is {format}; expected PCCD_FORMAT_U16X3 (3) or PCCD_FORMAT_U32X3 (4)"
                    ),
                ));
            }
        };
        // SAFETY: promised by the caller.
        let elements = unsafe { Elements::new(call, argument, view, kind, needed) }?;
        Ok(Triangles { elements, format })
    }

    /// Refuses the first index that names no vertex.
    pub(super) fn check_indices(
        &self,
        call: &Call,
        argument: ViewName,
        vertex_count: usize,
    ) -> Result<(), Failure> {
        for number in 0..self.count() {
            let triangle = self.get(number);
            if let Some(corner) = triangle.iter().position(|vertex| *vertex as usize >= vertex_count) {
                return Err(call.fail(
                    PCCD_ERR_INVALID_ARGUMENT,
                    format_args!(
                        "{}: triangle {number}, corner {corner} is {}; expected less than {vertex_count}",
                        argument.name, triangle[corner]
                    ),
                ));
            }
        }
        Ok(())
    }

    pub(super) fn count(&self) -> usize {
        self.elements.count
    }

    /// Triangle number `index`.
    pub(super) fn get(&self, index: usize) -> [u32; 3] {
        let element = self.elements.at(index);
        match self.format {
            // SAFETY: the element is readable; its alignment does not matter.
            TriangleFormat::U16x3 => unsafe { element.cast::<[u16; 3]>().read_unaligned() }.map(u32::from),
            // SAFETY: as above.
            TriangleFormat::U32x3 => unsafe { element.cast::<[u32; 3]>().read_unaligned() },
        }
    }
}
