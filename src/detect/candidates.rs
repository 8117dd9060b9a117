//! Pairs of features that might touch, waiting for the elementary tests.

use crate::memory::{Buffer, Memory, MemoryError};

/// Pairs that fit: of all pairs of two leaves, and some more so that the tests are worth starting.
const CAPACITY: usize = 2048;

/// Features of one leaf at the most: eight triangles have 24 edges.
const LEAF: usize = 24;

/// Two lists of equal length: numbers of features in their trees (eight times the group plus the lane).
pub struct Candidates {
    first: Buffer<u32>,
    second: Buffer<u32>,
    len: usize,
}

impl Candidates {
    pub fn new(memory: &Memory) -> Result<Candidates, MemoryError> {
        let mut candidates =
            Candidates { first: Buffer::new(memory.clone()), second: Buffer::new(memory.clone()), len: 0 };
        // eight more, because all eight lanes are always written
        candidates.first.resize(CAPACITY + 8, 0)?;
        candidates.second.resize(CAPACITY + 8, 0)?;
        Ok(candidates)
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn get(&self, index: usize) -> (u32, u32) {
        (self.first[index], self.second[index])
    }

    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Whether the pairs of two more leaves might not fit.
    #[inline(always)]
    pub fn is_almost_full(&self) -> bool {
        self.len + LEAF * LEAF > CAPACITY
    }

    /// Appends the pairs of `one` and those of `group` whose lanes are set. If `swapped`, `one` is the second of each pair.
    ///
    /// Always writes eight numbers and counts those that are meant: no branch depends on which they are.
    #[inline(always)]
    pub fn push(&mut self, one: u32, group: usize, lanes: u32, swapped: bool) {
        let (ones, others) =
            if swapped { (&mut self.second, &mut self.first) } else { (&mut self.first, &mut self.second) };
        ones[self.len..self.len + 8].fill(one);
        let first = 8 * group as u32;
        for (other, &lane) in others[self.len..self.len + 8].iter_mut().zip(&SET_LANES[lanes as usize]) {
            *other = first + lane as u32;
        }
        self.len += lanes.count_ones() as usize;
    }
}

/// The numbers of the bits that are set, the lowest first; then zeros.
static SET_LANES: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut lanes = 0;
    while lanes < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if lanes >> bit & 1 != 0 {
                table[lanes][count] = bit as u8;
                count += 1;
            }
            bit += 1;
        }
        lanes += 1;
    }
    table
};
