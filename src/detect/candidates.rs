//! Pairs of features that might touch, waiting for the elementary tests.

use crate::bvh::{EdgeGroup, FaceGroup};
use crate::memory::{Memory, MemoryError, Owned};
use crate::simd::{Floats8, MAX_SINGLES};

/// Pairs that fit: of all pairs of two leaves, and some more so that the tests are worth starting.
pub const CAPACITY: usize = 2048;

/// Features of one leaf at the most: eight triangles have 24 edges.
const LEAF: usize = 24;

/// Some more than fit, because all eight lanes are always written, and a few more read.
const ROOM: usize = CAPACITY + MAX_SINGLES;

/// Numbers of a pair: its four vertices in the order of a query, then its two features.
const NUMBERS: usize = 6;

/// Pairs of features by their numbers in the meshes. They do not refer to the tree, which may change while they wait.
pub struct Candidates {
    lists: Owned<Lists>,
    /// At most [`CAPACITY`].
    len: usize,
}

/// A list of each of the numbers.
type Lists = [[u32; ROOM]; NUMBERS];

impl Candidates {
    pub fn new(memory: &Memory) -> Result<Candidates, MemoryError> {
        Ok(Candidates { lists: Owned::new(memory.clone(), [[0; ROOM]; NUMBERS])?, len: 0 })
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Whether the pairs of two more leaves might not fit.
    #[inline(always)]
    pub fn is_almost_full(&self) -> bool {
        self.len + LEAF * LEAF > CAPACITY
    }

    /// Makes what comes behind the last pair vertices, too: the first ones of the meshes, which there are if there is a pair. With that, full lanes can be read.
    pub fn pad(&mut self) {
        for list in &mut self.lists[..4] {
            list[self.len..self.len + MAX_SINGLES].fill(0);
        }
    }

    /// Makes the feature with the smaller number the first one of its pair, for pairs within a mesh whose features are of one kind. So their order depends on the
    /// features alone, and not on the tree.
    #[inline(always)]
    pub fn order_features(&mut self) {
        let [a, b, c, d, first, second] = &mut *self.lists;
        let count = self.len.min(CAPACITY);
        // cut to one length, which makes it a loop in lanes
        let (a, b, c, d) = (&mut a[..count], &mut b[..count], &mut c[..count], &mut d[..count]);
        let (first, second) = (&mut first[..count], &mut second[..count]);
        for i in 0..count {
            let is_swapped = second[i] < first[i];
            (a[i], c[i]) = if is_swapped { (c[i], a[i]) } else { (a[i], c[i]) };
            (b[i], d[i]) = if is_swapped { (d[i], b[i]) } else { (b[i], d[i]) };
            (first[i], second[i]) = if is_swapped { (second[i], first[i]) } else { (first[i], second[i]) };
        }
    }

    #[inline(always)]
    pub fn vertices(&self) -> [&[u32; ROOM]; 4] {
        let [a, b, c, d, ..] = &*self.lists;
        [a, b, c, d]
    }

    #[inline(always)]
    pub fn features(&self, index: usize) -> [u32; 2] {
        [self.lists[4][index], self.lists[5][index]]
    }

    /// Appends the pairs of a vertex and those faces of a group whose lanes are set; their second feature is the triangle.
    ///
    /// Always writes eight of each number and counts those that are meant: no branch depends on which they are.
    #[inline(always)]
    pub fn push_vertex<F: Floats8>(&mut self, vertex: u32, faces: &FaceGroup, lanes: u32) {
        let place = self.len.min(CAPACITY);
        self.lists[0][place..place + 8].fill(vertex);
        for corner in 0..3 {
            self.lists[1 + corner][place..place + 8]
                .copy_from_slice(&F::compress(&faces.corners[corner], lanes));
        }
        self.lists[5][place..place + 8].copy_from_slice(&F::compress(&faces.triangles, lanes));
        self.len = place + lanes.count_ones() as usize;
    }

    /// Appends the pairs of the edge in `lane` of a group and those of another one whose lanes are set; their features are the edges. If
    /// `swapped`, the one is the second of each pair.
    #[inline(always)]
    pub fn push_edge<F: Floats8>(
        &mut self,
        group: &EdgeGroup,
        lane: usize,
        others: &EdgeGroup,
        lanes: u32,
        swapped: bool,
    ) {
        let place = self.len.min(CAPACITY);
        let (one, other) = if swapped { (1, 0) } else { (0, 1) };
        for end in 0..2 {
            self.lists[2 * one + end][place..place + 8].fill(group.ends[end][lane]);
            self.lists[2 * other + end][place..place + 8]
                .copy_from_slice(&F::compress(&others.ends[end], lanes));
        }
        self.lists[4 + one][place..place + 8].fill(group.edges[lane]);
        self.lists[4 + other][place..place + 8].copy_from_slice(&F::compress(&others.edges, lanes));
        self.len = place + lanes.count_ones() as usize;
    }
}
