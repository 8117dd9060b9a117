//! What leaves are made of: features in groups of eight.

use super::bounds::BoxGroup;
use super::tree::WIDTH;
use std::ops::Range;

/// Up to eight features of one kind, and what a test of them needs without leaving the cache line's neighbours. Lanes that are not in use, the last ones, have the
/// number [`NONE`], and boxes that touch nothing.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub struct FaceGroup {
    pub boxes: BoxGroup,
    /// `corners[k][lane]`.
    pub corners: [[u32; 8]; 3],
    pub triangles: [u32; 8],
}

#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub struct EdgeGroup {
    pub boxes: BoxGroup,
    /// `ends[k][lane]`.
    pub ends: [[u32; 8]; 2],
    pub edges: [u32; 8],
}

#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub struct VertexGroup {
    pub boxes: BoxGroup,
    pub vertices: [u32; 8],
}

/// The number of a feature that there is none of.
pub const NONE: u32 = u32::MAX;

/// What groups of all kinds have.
pub trait Group {
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
                &self.boxes
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

impl FaceGroup {
    pub(super) const EMPTY: FaceGroup =
        FaceGroup { boxes: BoxGroup::EMPTY, corners: [[NONE; 8]; 3], triangles: [NONE; 8] };

    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, corners: [u32; 3], triangle: u32) {
        for (corner, vertex) in self.corners.iter_mut().zip(corners) {
            corner[lane] = vertex;
        }
        self.triangles[lane] = triangle;
    }
}

impl EdgeGroup {
    pub const EMPTY: EdgeGroup = EdgeGroup { boxes: BoxGroup::EMPTY, ends: [[NONE; 8]; 2], edges: [NONE; 8] };

    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, ends: [u32; 2], edge: u32) {
        for (end, vertex) in self.ends.iter_mut().zip(ends) {
            end[lane] = vertex;
        }
        self.edges[lane] = edge;
    }
}

impl VertexGroup {
    pub(super) const EMPTY: VertexGroup = VertexGroup { boxes: BoxGroup::EMPTY, vertices: [NONE; 8] };
}
