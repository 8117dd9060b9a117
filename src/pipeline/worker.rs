//! What one worker of a step has, keeps, and finds.

use super::dispatch::Scratch;
use super::manifold::{ContactPoint, Manifold};
use crate::memory::{Buffer, Memory};

/// Candidates that go through the buffer together: some microseconds of tests, or tens of them. Handing them on takes about a fifth of a microsecond, most of it for a few cache lines that two cores have in common, and little for
/// the pairs themselves.
pub const BATCH: usize = 95;
/// Batches in the buffer.
pub const BUFFER: usize = 256;
/// What a batch takes at most, in units of a pair of simple shapes. Pairs of meshes may take many times as long: a batch of them is short, or the last one would keep everybody waiting. But most of them
/// turn out to be apart at once, so that one alone would take longer to hand on than to test.
const BATCH_COST: u32 = 2500;

/// Candidates on their way.
#[derive(Clone, Copy)]
pub struct Batch {
    len: u32,
    cost: u32,
    pairs: [[u32; 2]; BATCH],
}

impl Batch {
    pub const EMPTY: Batch = Batch { len: 0, cost: 0, pairs: [[0; 2]; BATCH] };

    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs[..self.len as usize]
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn clear(&mut self) {
        (self.len, self.cost) = (0, 0);
    }

    /// Adds a pair that is expected to take so long. True if that makes it full.
    pub fn add(&mut self, pair: [u32; 2], cost: u32) -> bool {
        self.pairs[self.len as usize] = pair;
        self.len += 1;
        self.cost += cost;
        self.len as usize == BATCH || self.cost >= BATCH_COST
    }
}

/// Two objects that touch.
#[derive(Clone, Copy)]
pub struct Touch {
    /// Their numbers among the living, the smaller one above.
    pub key: u64,
    pub worker: u32,
    pub first_point: u32,
    pub point_count: u32,
    pub toi: f64,
}

/// A piece of work that was done, for simulations of other machines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskRecord {
    pub is_broad: bool,
    /// Candidates found, or tested.
    pub pairs: u32,
    pub seconds: f64,
}

/// What one worker has, keeps, and finds.
pub struct Worker {
    pub scratch: Scratch,
    /// Of the pair that is being tested.
    pub manifold: Manifold,
    pub batch: Batch,
    pub candidates: Buffer<[u32; 2]>,
    pub touches: Buffer<Touch>,
    pub points: Buffer<ContactPoint>,
    pub records: Buffer<TaskRecord>,
    pub candidate_count: u64,
    /// In seconds.
    pub broad_time: f64,
    pub narrow_time: f64,
}

impl Worker {
    pub fn new(memory: &Memory) -> Worker {
        Worker {
            scratch: Scratch::new(memory),
            manifold: Manifold::default(),
            batch: Batch::EMPTY,
            candidates: Buffer::new(memory.clone()),
            touches: Buffer::new(memory.clone()),
            points: Buffer::new(memory.clone()),
            records: Buffer::new(memory.clone()),
            candidate_count: 0,
            broad_time: 0.0,
            narrow_time: 0.0,
        }
    }

    /// Before a step: some may not come to it.
    pub fn clear(&mut self) {
        self.batch.clear();
        self.candidates.clear();
        self.touches.clear();
        self.points.clear();
        self.records.clear();
        (self.candidate_count, self.broad_time, self.narrow_time) = (0, 0.0, 0.0);
    }
}
