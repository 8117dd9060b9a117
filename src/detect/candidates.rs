//! Pairs of features that might touch, waiting for the elementary tests.

use crate::bvh::{EdgeGroup, FaceGroup};
use crate::memory::{Buffer, Memory, MemoryError};
use crate::simd::Floats8;

/// Pairs that fit: of all pairs of two leaves, and some more so that the tests are worth starting.
pub const CAPACITY: usize = 2048;

/// Features of one leaf at the most: eight triangles have 24 edges.
const LEAF: usize = 24;

/// Eight more than fit, because all eight lanes are always written.
const ROOM: usize = CAPACITY + 8;

/// Numbers of a pair: its four vertices in the order of a query, then its two features.
const NUMBERS: usize = 6;

/// Pairs of features by their numbers in the meshes. They do not refer to the tree, which may change while they wait.
pub struct Candidates {
    /// One list of [`ROOM`] after the other.
    numbers: Buffer<u32>,
    len: usize,
}

impl Candidates {
    pub fn new(memory: &Memory) -> Result<Candidates, MemoryError> {
        let mut numbers = Buffer::new(memory.clone());
        numbers.resize(NUMBERS * ROOM, 0)?;
        Ok(Candidates { numbers, len: 0 })
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

    /// One of the numbers of all pairs.
    #[inline(always)]
    fn list(&self, number: usize) -> &[u32; ROOM] {
        self.numbers[number * ROOM..][..ROOM].try_into().expect("as long as it was made")
    }

    #[inline(always)]
    pub fn vertices(&self) -> [&[u32; ROOM]; 4] {
        [self.list(0), self.list(1), self.list(2), self.list(3)]
    }

    #[inline(always)]
    pub fn features(&self, index: usize) -> [u32; 2] {
        [self.list(4)[index], self.list(5)[index]]
    }

    /// Room for eight more of one number.
    #[inline(always)]
    fn next(&mut self, number: usize) -> &mut [u32] {
        &mut self.numbers[number * ROOM + self.len..][..8]
    }

    /// Appends the pairs of a vertex and those faces of a group whose lanes are set; their second feature is the triangle.
    ///
    /// Always writes eight of each number and counts those that are meant: no branch depends on which they are.
    #[inline(always)]
    pub fn push_vertex<F: Floats8>(&mut self, vertex: u32, faces: &FaceGroup, lanes: u32) {
        self.next(0).fill(vertex);
        for corner in 0..3 {
            self.next(1 + corner).copy_from_slice(&F::compress(&faces.corners[corner], lanes));
        }
        self.next(5).copy_from_slice(&F::compress(&faces.triangles, lanes));
        self.len += lanes.count_ones() as usize;
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
        let (one, other) = if swapped { (1, 0) } else { (0, 1) };
        for end in 0..2 {
            self.next(2 * one + end).fill(group.ends[end][lane]);
            self.next(2 * other + end).copy_from_slice(&F::compress(&others.ends[end], lanes));
        }
        self.next(4 + one).fill(group.edges[lane]);
        self.next(4 + other).copy_from_slice(&F::compress(&others.edges, lanes));
        self.len += lanes.count_ones() as usize;
    }
}
