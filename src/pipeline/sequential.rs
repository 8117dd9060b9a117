//! One phase after the other, each on all workers: the pipeline as it was before the paper, and what a single thread does.

use super::step::Step;
use super::worker::Worker;
use crate::locks::Mutex;
use crate::schedule::Crew;
use crate::simd::StandardFloats;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Candidates that a worker takes at a time, at most.
const SHARE: usize = 64;

impl Step<'_, '_> {
    /// One phase after the other, each on all workers. Returns how long both took, in seconds.
    pub fn sequential(&self, crew: &Crew) -> (f64, f64) {
        let start = Instant::now();
        let unit_count = self.sweep.unit_count();
        let next = AtomicUsize::new(0);
        crew.run(self.workers.len().min(unit_count.max(1)), &|number| {
            let _floats = StandardFloats::enter();
            let mut worker = self.workers[number].lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                let unit = next.fetch_add(1, Ordering::Relaxed);
                if unit >= unit_count || !self.goes_on() {
                    return;
                }
                let unit_start = Instant::now();
                let before = worker.candidates.len();
                let mut result = Ok(());
                let candidates = &mut worker.candidates;
                self.sweep.run(self.level, unit, &mut |a, b, are_marked| {
                    if result.is_ok() && self.filters.meeting(a, b, are_marked).is_some() {
                        result = candidates.push([a, b]);
                    }
                });
                let found = worker.candidates.len() - before;
                worker.candidate_count += found as u64;
                let seconds = unit_start.elapsed().as_secs_f64();
                worker.broad_time += seconds;
                let recorded = self.record(&mut worker, true, found as u32, seconds);
                if let Err(error) = result.and(recorded) {
                    self.fail(error);
                }
            }
        });
        let between = Instant::now();
        // Every worker goes through all lists, and takes a share where one is left. Whose list it is does not matter: it only has to be read, while its
        // owner writes elsewhere.
        let lists: &[Mutex<Worker>] = self.workers;
        let shares = self.lists(lists);
        crew.run(self.workers.len(), &|number| {
            let _floats = StandardFloats::enter();
            let mut worker = self.workers[number].lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                let mut pairs = [[0; 2]; SHARE];
                let count = shares.take(self.workers.len(), &mut pairs);
                if count == 0 || !self.goes_on() {
                    return;
                }
                if let Err(error) = self.test_pairs(number, &pairs[..count], &mut worker) {
                    self.fail(error);
                }
            }
        });
        ((between - start).as_secs_f64(), between.elapsed().as_secs_f64())
    }

    /// Where the candidates of all workers are, as one list.
    fn lists(&self, workers: &[Mutex<Worker>]) -> Shares {
        let mut shares = Shares {
            lists: [(std::ptr::null(), 0); MAX_LISTS],
            list_count: 0,
            total: 0,
            next: AtomicUsize::new(0),
        };
        for worker in workers {
            let worker = worker.lock().unwrap_or_else(PoisonError::into_inner);
            if !worker.candidates.is_empty() {
                shares.lists[shares.list_count] = (worker.candidates.as_ptr(), worker.candidates.len());
                shares.list_count += 1;
                shares.total += worker.candidates.len();
            }
        }
        shares
    }
}

/// The most workers that a crew has.
const MAX_LISTS: usize = 1024;

/// Lists of candidates that nobody changes any more.
struct Shares {
    lists: [(*const [u32; 2], usize); MAX_LISTS],
    list_count: usize,
    total: usize,
    next: AtomicUsize,
}

// SAFETY: the lists are only read: in the narrow phase no worker touches its own.
unsafe impl Sync for Shares {}

impl Shares {
    /// Takes some of the candidates that are left, and says how many. The last ones in small shares, so that all workers end at about the same time.
    fn take(&self, worker_count: usize, pairs: &mut [[u32; 2]; SHARE]) -> usize {
        let share =
            |first: usize| ((self.total - first.min(self.total)).div_ceil(4 * worker_count)).min(SHARE);
        let taken =
            self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |first| match share(first) {
                0 => None,
                count => Some(first + count),
            });
        taken.map_or(0, |first| self.copy(first, &mut pairs[..share(first)]))
    }

    /// Copies candidates from number `first` on, as many as there is room for, and says how many.
    fn copy(&self, first: usize, pairs: &mut [[u32; 2]]) -> usize {
        let (mut skip, mut count) = (first, 0);
        for &(start, len) in &self.lists[..self.list_count] {
            if skip >= len {
                skip -= len;
                continue;
            }
            let here = (len - skip).min(pairs.len() - count);
            for i in 0..here {
                // SAFETY: inside a list that is borrowed by the step and not written to in this phase.
                pairs[count + i] = unsafe { *start.add(skip + i) };
            }
            (count, skip) = (count + here, 0);
            if count == pairs.len() {
                break;
            }
        }
        count
    }
}
