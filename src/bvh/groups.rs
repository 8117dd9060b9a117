//! What leaves are made of: features in groups of eight.

use super::bounds::BoxGroup;
use super::tree::WIDTH;
use crate::simd::Floats8;
use std::mem::MaybeUninit;
use std::ops::Range;

/// Boxes of features. Whoever sorts triangles leaves them as they are, whatever that is: all of them are written by the refit that follows, and nobody looks at them before (a tree has no version then, and
/// its nodes have empty boxes). They are three quarters of a tree: writing them twice would be a tenth of what it takes to split a mesh.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Boxes(MaybeUninit<BoxGroup>);

impl Boxes {
    const EMPTY: Boxes = Boxes(MaybeUninit::new(BoxGroup::EMPTY));

    /// Where they are to be written.
    #[inline(always)]
    pub(super) fn place(&mut self) -> *mut BoxGroup {
        self.0.as_mut_ptr()
    }
}

/// Up to eight features of one kind, and what a test of them needs without leaving the cache line's neighbours. Lanes that are not in use, the last ones, have the
/// number [`NONE`], and boxes that touch nothing.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub struct FaceGroup {
    pub(super) boxes: Boxes,
    /// `corners[k][lane]`.
    pub corners: [[u32; 8]; 3],
    pub triangles: [u32; 8],
}

#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub struct EdgeGroup {
    pub(super) boxes: Boxes,
    /// `ends[k][lane]`.
    pub ends: [[u32; 8]; 2],
    pub edges: [u32; 8],
}

#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub struct VertexGroup {
    pub(super) boxes: Boxes,
    pub vertices: [u32; 8],
}

/// The number of a feature that there is none of.
pub const NONE: u32 = u32::MAX;

/// What groups of all kinds have.
pub trait Group {
    /// Those of a group that is fitted.
    fn boxes(&self) -> &BoxGroup;

    /// The features by their numbers.
    fn numbers(&self) -> &[u32; 8];

    /// How many lanes are in use, from the first on.
    fn count(&self) -> usize {
        self.numbers().iter().filter(|&&number| number != NONE).count()
    }
}

/// Implements [`Group`] for a struct whose features are in the given field.
macro_rules! group {
    ($type:ident, $numbers:ident) => {
        impl Group for $type {
            #[inline(always)]
            fn boxes(&self) -> &BoxGroup {
                // SAFETY: whoever has a group but for sorting and refitting it has one that was refitted.
                unsafe { self.boxes.0.assume_init_ref() }
            }

            #[inline(always)]
            fn numbers(&self) -> &[u32; 8] {
                &self.$numbers
            }
        }
    };
}

group!(FaceGroup, triangles);
group!(EdgeGroup, edges);
group!(VertexGroup, vertices);

/// A leaf's groups of one kind: the first one, how many features are in them, and how many groups there is room for. All groups but the last one with features in it
/// are full.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Place {
    pub first: u32,
    pub features: u16,
    pub room: u16,
}

/// Where the groups of a leaf are. Its faces are group number leaf. The room of a leaf ends where that of the next one begins, but this is told twice: a worker that
/// rebuilds a subtree looks at its own leaves only.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Leaf {
    pub edges: Place,
    pub vertices: Place,
}

impl Place {
    /// The groups that have features in them.
    #[inline(always)]
    pub fn used(&self) -> Range<usize> {
        let first = self.first as usize;
        first..first + (self.features as usize).div_ceil(WIDTH)
    }

    pub fn end(&self) -> usize {
        self.first as usize + self.room as usize
    }
}

/// Groups to be filled.
pub(super) trait Fill {
    /// Writes what an empty group is, but for its boxes.
    ///
    /// # Safety
    ///
    /// It is a place for a group, and nobody else uses it.
    unsafe fn begin(place: *mut Self);
}

impl Fill for FaceGroup {
    #[inline(always)]
    unsafe fn begin(place: *mut FaceGroup) {
        // SAFETY: promised by the caller.
        unsafe {
            (&raw mut (*place).corners).write([[NONE; 8]; 3]);
            (&raw mut (*place).triangles).write([NONE; 8]);
        }
    }
}

impl Fill for EdgeGroup {
    #[inline(always)]
    unsafe fn begin(place: *mut EdgeGroup) {
        // SAFETY: promised by the caller.
        unsafe {
            (&raw mut (*place).ends).write([[NONE; 8]; 2]);
            (&raw mut (*place).edges).write([NONE; 8]);
        }
    }
}

impl Fill for VertexGroup {
    #[inline(always)]
    unsafe fn begin(place: *mut VertexGroup) {
        // SAFETY: promised by the caller.
        unsafe { (&raw mut (*place).vertices).write([NONE; 8]) };
    }
}

impl FaceGroup {
    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, corners: [u32; 3], triangle: u32) {
        for (corner, vertex) in self.corners.iter_mut().zip(corners) {
            corner[lane] = vertex;
        }
        self.triangles[lane] = triangle;
    }
}

impl EdgeGroup {
    pub const EMPTY: EdgeGroup = EdgeGroup { boxes: Boxes::EMPTY, ends: [[NONE; 8]; 2], edges: [NONE; 8] };

    /// Boxes of a group that is fitted, or was empty, become some of two others: those in the given places.
    #[inline(always)]
    pub fn pick_boxes<F: Floats8>(&mut self, low: &BoxGroup, high: &BoxGroup, places: F::Places) {
        // SAFETY: as for those that are looked at.
        unsafe { self.boxes.0.assume_init_mut() }.pick::<F>(low, high, places);
    }

    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, ends: [u32; 2], edge: u32) {
        for (end, vertex) in self.ends.iter_mut().zip(ends) {
            end[lane] = vertex;
        }
        self.edges[lane] = edge;
    }
}
