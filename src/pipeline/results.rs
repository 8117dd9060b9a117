//! What a step has found: pairs with their points, in order.

use super::manifold::ContactPoint;
use crate::memory::{Buffer, Memory, MemoryError};

/// They touch, and did not after the last step.
pub const BEGUN: u32 = 1;
/// They touch, and did before.
pub const KEPT: u32 = 2;
/// They touched after the last step, and do no more.
pub const ENDED: u32 = 3;

/// Two objects that touch, or did.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct PairResult {
    pub object_a: u64,
    pub object_b: u64,
    pub state: u32,
    pub point_count: u32,
    pub first_point: u64,
    pub toi: f64,
}

/// Tells a pair that touches by its number: its places, ids and time; appends its points.
pub type Tell<'a> =
    &'a mut dyn FnMut(usize, &mut Buffer<ContactPoint>) -> Result<(u64, [u64; 2], f64), MemoryError>;

/// Pairs, sorted, and their points.
pub struct Results {
    pub pairs: Buffer<PairResult>,
    pub points: Buffer<ContactPoint>,
    /// The places of each pair's objects, by which they are sorted.
    keys: Buffer<u64>,
}

impl Results {
    pub fn new(memory: &Memory) -> Results {
        Results {
            pairs: Buffer::new(memory.clone()),
            points: Buffer::new(memory.clone()),
            keys: Buffer::new(memory.clone()),
        }
    }

    pub fn clear(&mut self) {
        self.pairs.clear();
        self.points.clear();
        self.keys.clear();
    }

    /// Pairs that touch, without those that ended.
    fn touching(&self) -> impl Iterator<Item = (u64, &PairResult)> {
        self.keys.iter().copied().zip(self.pairs.iter()).filter(|(_, pair)| pair.state != ENDED)
    }

    /// Makes these the results that follow `before`: of `count` pairs that touch, in order, `tell` gives places, ids and time, and appends the points. Returns how many of each state there are.
    pub fn follow(
        &mut self,
        before: &Results,
        count: usize,
        tell: Tell<'_>,
    ) -> Result<[u64; 3], MemoryError> {
        self.clear();
        let mut counts = [0; 3];
        let mut old = before.touching().peekable();
        for number in 0..count {
            let first_point = self.points.len() as u64;
            let (key, ids, toi) = tell(number, &mut self.points)?;
            let point_count = (self.points.len() as u64 - first_point) as u32;
            let mut state = BEGUN;
            while let Some((old_key, pair)) = old.next_if(|(old_key, _)| *old_key <= key) {
                // A place may have been given to another object since.
                if old_key == key && [pair.object_a, pair.object_b] == ids {
                    state = KEPT;
                } else {
                    self.end(old_key, pair, first_point, &mut counts)?;
                }
            }
            counts[state as usize - 1] += 1;
            self.keys.push(key)?;
            let [object_a, object_b] = ids;
            self.pairs.push(PairResult { object_a, object_b, state, point_count, first_point, toi })?;
        }
        for (key, pair) in old {
            self.end(key, pair, self.points.len() as u64, &mut counts)?;
        }
        Ok(counts)
    }

    fn end(
        &mut self,
        key: u64,
        pair: &PairResult,
        first_point: u64,
        counts: &mut [u64; 3],
    ) -> Result<(), MemoryError> {
        counts[ENDED as usize - 1] += 1;
        self.keys.push(key)?;
        self.pairs.push(PairResult { state: ENDED, point_count: 0, first_point, toi: 1.0, ..*pair })
    }

    /// Of every bit of all results. Objects go into it by their places, which do not depend on the context.
    pub fn hash(&self) -> u64 {
        let mut hash = Hash(0xcbf2_9ce4_8422_2325);
        for (&key, pair) in self.keys.iter().zip(self.pairs.iter()) {
            hash.add(key);
            hash.add(u64::from(pair.state) << 32 | u64::from(pair.point_count));
            hash.add(pair.toi.to_bits());
            let first = pair.first_point as usize;
            for point in &self.points[first..first + pair.point_count as usize] {
                for number in point.point.iter().chain(&point.normal).chain([&point.depth]) {
                    hash.add(number.to_bits());
                }
                hash.add(u64::from(point.triangles[0]) << 32 | u64::from(point.triangles[1]));
            }
        }
        hash.0
    }
}

/// FNV-1a over words, with a shuffle that spreads the high bits.
struct Hash(u64);

impl Hash {
    fn add(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 = mixed ^ (mixed >> 32);
    }
}
