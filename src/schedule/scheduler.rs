//! What a scheduler is: it hands units of work to workers until none is left.

use crate::memory::{Memory, MemoryError};
use crate::schedule::sync::{AtomicU64, Ordering};

/// A piece of work: a small value that says what to do.
pub trait Unit: Copy + Send {
    /// How much work this is likely to be: the triangles below it (section 4.3 of the paper).
    fn weight(&self) -> u64;
}

/// Hands units of work to workers, phase by phase.
///
/// A phase begins with [`start`](Scheduler::start) and is over when every unit, those included that came out
/// of others, has been worked on. Nothing depends on how many workers come, or when: units dealt to a place
/// that nobody has taken are given to others, and a worker waits only while another one is in the middle of a
/// unit. So the work gets done even when all workers run one after the other on one thread.
pub trait Scheduler<U: Unit>: Sync + Sized {
    /// A worker at its place.
    type Seat<'a>: Seat<U>
    where
        Self: 'a;

    /// A scheduler with places for `worker_count` workers, and no phase.
    fn new(memory: Memory, worker_count: usize) -> Result<Self, MemoryError>;

    /// Places for workers.
    fn worker_count(&self) -> usize;

    /// Makes room for `waiting` units at every place, so that no unit needs memory as long as no more wait
    /// there. Call it between phases.
    fn reserve(&self, waiting: usize) -> Result<(), MemoryError>;

    /// Forgets a [`stop`](Scheduler::stop) and the counters: a new run. Call it between phases.
    fn reset(&self);

    /// Begins a phase with these units, each for the queue of the worker named with it. After a
    /// [`stop`](Scheduler::stop) the phase is over at once. `phase` is any number that the phase before did
    /// not have, nor any other that somebody may still join.
    ///
    /// May be called as soon as one `next` of the phase before has returned `None`, whatever the other
    /// workers do; it waits for those that a stop has left in the middle of a unit. Never call it with a unit
    /// in work. On an error the phase is over and has no units.
    fn start(&self, phase: u64, units: impl IntoIterator<Item = (usize, U)>) -> Result<(), MemoryError>;

    /// Takes a place in a phase. None when somebody has it already. Who comes too late, to a phase that is
    /// over while the next one may even have begun, gets a place but no unit.
    fn join(&self, phase: u64, worker: usize) -> Option<Self::Seat<'_>>;

    /// Ends the phase early, and all further ones up to [`reset`](Scheduler::reset); units that nobody has
    /// begun are dropped. From any thread.
    fn stop(&self);

    /// Whether there has been a stop since the last [`reset`](Scheduler::reset).
    fn is_stopped(&self) -> bool;

    /// What the worker at this place has done since the last [`reset`](Scheduler::reset). Exact between phases.
    fn counters(&self, worker: usize) -> Counters;
}

/// A worker at its place in a phase.
///
/// Dropping it gives the place up; what waits there is left to the others. When that happens because of a
/// panic, the phase is stopped: the unit in work will never be done, and nobody shall wait for it.
pub trait Seat<U: Unit> {
    /// The next unit; the one before is done. Waits while others may still give some. None when all units of
    /// the phase are done, or after a stop; what was done in all units is then visible to this thread.
    ///
    /// Others may go on to the next phase as soon as this has returned `None` to one of them. What belongs to
    /// the phase (emptying a buffer, say) therefore has to be done before `next` is called with nothing
    /// [queued](Seat::queued).
    fn next(&mut self) -> Option<U>;

    /// The unit that [`next`](Seat::next) would most likely return now, if that is known.
    fn upcoming(&mut self) -> Option<U> {
        None
    }

    /// Queues a unit that has come out of the one in work.
    ///
    /// # Panics
    /// When there is no unit in work.
    fn push(&mut self, unit: U) -> Result<(), MemoryError>;

    /// Units that wait at this place.
    fn queued(&self) -> usize;

    /// Whether somebody idle waits for work of this worker. A plain load, fit for an inner loop; `next` looks
    /// itself.
    fn asked(&self) -> bool;

    /// Whether somebody idle waits for work of this worker, and nothing is queued that could be given: then
    /// the unit in work should be split. Two plain loads.
    fn wants_split(&self) -> bool {
        self.asked() && self.queued() == 0
    }

    /// Gives what is queued to those who asked, now, in the middle of a unit.
    fn share(&mut self);
}

/// What a worker did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Units worked on.
    pub units: u64,
    /// Times that it had nothing to do and asked, or looked around.
    pub requests: u64,
    /// Units given to workers that asked.
    pub grants: u64,
    /// Times that it helped itself: from the place of a worker that has not come, or from another's deque.
    pub steals: u64,
}

/// Counters of one place. Only the worker at the place adds, hence without atomic addition; others may read.
#[derive(Default)]
pub(super) struct Tally {
    pub units: Count,
    pub requests: Count,
    pub grants: Count,
    pub steals: Count,
}

#[derive(Default)]
pub(super) struct Count(AtomicU64);

impl Count {
    #[inline]
    pub fn add(&self, more: u64) {
        self.0.store(self.0.load(Ordering::Relaxed) + more, Ordering::Relaxed);
    }
}

impl Tally {
    pub fn read(&self) -> Counters {
        let [units, requests, grants, steals] = [&self.units, &self.requests, &self.grants, &self.steals]
            .map(|count| count.0.load(Ordering::Relaxed));
        Counters { units, requests, grants, steals }
    }

    pub fn reset(&self) {
        for count in [&self.units, &self.requests, &self.grants, &self.steals] {
            count.0.store(0, Ordering::Relaxed);
        }
    }
}
