//! One step: boxes, both phases, and the results in order.
//!
//! ```text
//! boxes ── sweep ── candidates ══ ring ══ tests ── touches ── order ── pairs, points
//! (all workers)     (broad workers)        (narrow workers)    (one)
//! ```
//!
//! A candidate is a pair of objects whose boxes overlap; a touch is one with at least one point of contact. Tests know nothing but their pair, and touches are sorted by it: so the results do not depend on who did what when.

use super::crossing::{Crossing, Task};
use super::fill::Filters;
use super::objects::Objects;
use super::poses::Poses;
use super::sweep::Sweep;
use super::worker::{Batch, TaskRecord, Worker};
use crate::locks::Mutex;
use crate::memory::MemoryError;
use crate::mesh::Mesh;
use crate::schedule::Crew;
use crate::simd::{Level, StandardFloats};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

/// Finds a mesh by its id.
pub type MeshOf<'s, 'm> = &'s (dyn Fn(u64) -> &'m Mesh + Sync);

/// What workers share during a step.
pub struct Step<'a, 'm> {
    pub objects: &'a Objects,
    /// The places of the objects that have boxes.
    pub living: &'a [u32],
    pub mesh_of: MeshOf<'a, 'm>,
    pub margin: f64,
    pub level: Level,
    pub filters: &'a Filters,
    pub poses: &'a Poses,
    pub sweep: &'a Sweep,
    pub crossing: &'a Crossing<Batch>,
    pub workers: &'a [Mutex<Worker>],
    pub is_recording: bool,
    pub cancelled: &'a AtomicBool,
    pub error: &'a Mutex<Option<MemoryError>>,
}

/// Ends the step for all if its worker panics: nobody shall wait for it.
struct StopOnPanic<'a>(&'a Crossing<Batch>);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

impl Step<'_, '_> {
    pub(super) fn fail(&self, error: MemoryError) {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.crossing.stop();
    }

    /// Whether to go on.
    pub(super) fn goes_on(&self) -> bool {
        if self.cancelled.load(Ordering::Relaxed) {
            self.crossing.stop();
        }
        !self.crossing.is_stopped()
    }

    /// Both phases at once. Returns how long it took, in seconds.
    pub fn simultaneous(&self, crew: &Crew) -> f64 {
        let start = Instant::now();
        crew.run(self.workers.len(), &|number| {
            let _floats = StandardFloats::enter();
            let _stop = StopOnPanic(self.crossing);
            let mut worker = self.workers[number].lock().unwrap_or_else(PoisonError::into_inner);
            while self.goes_on()
                && let Some(task) = self.crossing.next(number)
            {
                let done = match task {
                    Task::Broad(unit) => self.broad_unit(number, unit, &mut worker),
                    Task::Narrow(batch) => self.test_batch(number, &batch, &mut worker),
                };
                if let Err(error) = done {
                    self.fail(error);
                }
            }
        });
        start.elapsed().as_secs_f64()
    }

    /// Finds the candidates of a unit and hands them on, in full batches but for the last one.
    fn broad_unit(&self, number: usize, unit: usize, worker: &mut Worker) -> Result<(), MemoryError> {
        let start = Instant::now();
        let (narrow_before, candidates_before) = (worker.narrow_time, worker.candidate_count);
        let mut result = Ok(());
        worker.batch.clear();
        self.sweep.run(self.level, unit, &mut |a, b, are_marked| {
            if result.is_ok()
                && let Some(cost) = self.filters.meeting(a, b, are_marked)
            {
                worker.candidate_count += 1;
                if worker.batch.add([a, b], cost) {
                    result = self.hand_on(number, worker);
                }
            }
        });
        if !worker.batch.is_empty() && result.is_ok() {
            result = self.hand_on(number, worker);
        }
        self.crossing.unit_done();
        // Without what it has tested itself because the buffer was full.
        let seconds = start.elapsed().as_secs_f64() - (worker.narrow_time - narrow_before);
        worker.broad_time += seconds;
        self.record(worker, true, (worker.candidate_count - candidates_before) as u32, seconds)?;
        result
    }

    /// Puts the batch of a worker into the buffer. If that is full, there is more than enough for the narrow workers, and it does the batch itself.
    fn hand_on(&self, number: usize, worker: &mut Worker) -> Result<(), MemoryError> {
        let batch = worker.batch;
        worker.batch.clear();
        match self.crossing.offer(batch) {
            Err(batch) if self.goes_on() => self.test_batch(number, &batch, worker),
            _ => Ok(()),
        }
    }

    fn test_batch(&self, number: usize, batch: &Batch, worker: &mut Worker) -> Result<(), MemoryError> {
        self.test_pairs(number, batch.pairs(), worker)
    }

    pub(super) fn record(
        &self,
        worker: &mut Worker,
        is_broad: bool,
        pairs: u32,
        seconds: f64,
    ) -> Result<(), MemoryError> {
        if self.is_recording {
            worker.records.push(TaskRecord { is_broad, pairs, seconds })?;
        }
        Ok(())
    }
}
