//! What leaves are made of: features in groups of eight.

use super::bounds::BoxGroup;

/// Up to eight features of one kind, and what a test of them needs without leaving the cache line's neighbours. Lanes from `count` on have the
/// number `u32::MAX`, and boxes that touch nothing.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub struct FaceGroup {
    pub boxes: BoxGroup,
    /// `corners[k][lane]`.
    pub corners: [[u32; 8]; 3],
    pub triangles: [u32; 8],
    pub count: u32,
}

#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub struct EdgeGroup {
    pub boxes: BoxGroup,
    /// `ends[k][lane]`.
    pub ends: [[u32; 8]; 2],
    pub edges: [u32; 8],
    pub count: u32,
}

#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub struct VertexGroup {
    pub boxes: BoxGroup,
    pub vertices: [u32; 8],
    pub count: u32,
}

/// What groups of all kinds have.
pub trait Group {
    fn boxes(&self) -> &BoxGroup;

    /// How many lanes are in use, from the first on.
    fn count(&self) -> u32;
}

/// Implements [`Group`] for a struct with these fields.
macro_rules! group {
    ($type:ident) => {
        impl Group for $type {
            #[inline(always)]
            fn boxes(&self) -> &BoxGroup {
                &self.boxes
            }

            #[inline(always)]
            fn count(&self) -> u32 {
                self.count
            }
        }
    };
}

group!(FaceGroup);
group!(EdgeGroup);
group!(VertexGroup);

/// A leaf's groups of one kind: the first one, how many have features in them, and how many there is room for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Place {
    pub first: u32,
    pub used: u16,
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
    pub fn end(&self) -> usize {
        self.first as usize + self.room as usize
    }
}

impl FaceGroup {
    pub(super) const EMPTY: FaceGroup =
        FaceGroup { boxes: BoxGroup::EMPTY, corners: [[u32::MAX; 8]; 3], triangles: [u32::MAX; 8], count: 0 };

    pub(super) fn push(&mut self, corners: [u32; 3], triangle: u32) {
        let lane = self.count as usize;
        for (corner, vertex) in self.corners.iter_mut().zip(corners) {
            corner[lane] = vertex;
        }
        self.triangles[lane] = triangle;
        self.count += 1;
    }
}

impl EdgeGroup {
    pub(super) const EMPTY: EdgeGroup =
        EdgeGroup { boxes: BoxGroup::EMPTY, ends: [[u32::MAX; 8]; 2], edges: [u32::MAX; 8], count: 0 };

    pub(super) fn push(&mut self, ends: [u32; 2], edge: u32) {
        let lane = self.count as usize;
        for (end, vertex) in self.ends.iter_mut().zip(ends) {
            end[lane] = vertex;
        }
        self.edges[lane] = edge;
        self.count += 1;
    }
}

impl VertexGroup {
    pub(super) const EMPTY: VertexGroup =
        VertexGroup { boxes: BoxGroup::EMPTY, vertices: [u32::MAX; 8], count: 0 };

    pub(super) fn push(&mut self, vertex: u32) {
        self.vertices[self.count as usize] = vertex;
        self.count += 1;
    }
}
