//! What the workers of a step have found, in order: touches by the places of their objects, whoever found them.

use super::worker::{Touch, Worker};
use crate::locks::Mutex;
use crate::memory::{Buffer, Memory, MemoryError};
use std::sync::PoisonError;

/// Touches of all workers, sorted; it keeps its memory.
pub struct Order {
    touches: Buffer<Touch>,
    /// Where the touches of each first object begin.
    starts: Buffer<u32>,
}

impl Order {
    pub fn new(memory: &Memory) -> Order {
        Order { touches: Buffer::new(memory.clone()), starts: Buffer::new(memory.clone()) }
    }

    /// Sorts the touches that workers have found between so many objects: by the first object, counting, then the few of each by the second.
    pub fn sort(
        &mut self,
        workers: &mut [Mutex<Worker>],
        object_count: usize,
    ) -> Result<&[Touch], MemoryError> {
        fn of(worker: &mut Mutex<Worker>) -> &[Touch] {
            &worker.get_mut().unwrap_or_else(PoisonError::into_inner).touches
        }
        let first = |touch: &Touch| (touch.key >> 32) as usize;
        self.starts.clear();
        self.starts.resize(object_count + 1, 0)?;
        let mut count = 0;
        for worker in workers.iter_mut() {
            for touch in of(worker) {
                self.starts[first(touch) + 1] += 1;
                count += 1;
            }
        }
        for object in 0..object_count {
            self.starts[object + 1] += self.starts[object];
        }
        self.touches.clear();
        self.touches.resize(count, Touch { key: 0, worker: 0, first_point: 0, point_count: 0, toi: 0.0 })?;
        for worker in workers.iter_mut() {
            for touch in of(worker) {
                let place = &mut self.starts[first(touch)];
                self.touches[*place as usize] = *touch;
                *place += 1;
            }
        }
        // Each start has moved to the next one's.
        let mut start = 0;
        for &end in &self.starts[..object_count] {
            if end as usize > start + 1 {
                self.touches[start..end as usize].sort_unstable_by_key(|touch| touch.key);
            }
            start = end as usize;
        }
        Ok(&self.touches)
    }
}
