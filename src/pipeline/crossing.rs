//! Both phases at once: who does what next (sections 4 and 5 of the paper).
//!
//! Units of the broad phase are numbers, taken in order; what they yield goes through the [`Ring`] to the narrow phase. The first workers, as many as the split says, prefer the broad phase, the
//! others the narrow one. Who finds nothing to do in its own phase helps in the other (unless told to stay while its phase lasts). The split may change at any time.
//!
//! *Full:* who cannot put does not wait, it does the work itself ([`offer`](Crossing::offer) gives the value back). *Empty:* a worker sleeps only while another one is in the middle of a
//! broad unit, out of which something may come; so all workers may also run one after the other on one thread. README.md beside this file has the argument.

use super::buffer::Ring;
use crate::memory::{Memory, MemoryError};
use crate::schedule::sync::{AtomicBool, AtomicUsize, Condvar, Mutex, Ordering, fence, lock, wait};

/// Something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task<T> {
    /// A unit of the broad phase; [`Crossing::unit_done`] has to follow.
    Broad(usize),
    /// Something out of the buffer.
    Narrow(T),
}

/// The state of a step that is shared by its workers.
pub struct Crossing<T> {
    ring: Ring<T>,
    /// The next unit, and how many there are.
    next_unit: AtomicUsize,
    unit_count: AtomicUsize,
    /// Workers in the middle of a unit, or about to take one.
    producing: AtomicUsize,
    /// Workers below this number prefer the broad phase.
    split: AtomicUsize,
    /// Workers do not help before their own phase is over.
    stay: AtomicBool,
    stopped: AtomicBool,
    sleepers: AtomicUsize,
    door: Mutex<()>,
    changed: Condvar,
}

impl<T: Copy + Send> Crossing<T> {
    pub fn new(memory: &Memory, capacity: usize) -> Result<Crossing<T>, MemoryError> {
        Ok(Crossing {
            ring: Ring::new(memory, capacity)?,
            next_unit: AtomicUsize::new(0),
            unit_count: AtomicUsize::new(0),
            producing: AtomicUsize::new(0),
            split: AtomicUsize::new(0),
            stay: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            sleepers: AtomicUsize::new(0),
            door: Mutex::new(()),
            changed: Condvar::new(),
        })
    }

    /// Begins a step. Nobody may be in the one before.
    pub fn open(&self, unit_count: usize, split: usize, stay: bool) {
        while self.ring.pop().is_some() {}
        self.next_unit.store(0, Ordering::Relaxed);
        self.unit_count.store(unit_count, Ordering::Relaxed);
        self.producing.store(0, Ordering::Relaxed);
        self.split.store(split, Ordering::Relaxed);
        self.stay.store(stay, Ordering::Relaxed);
        self.stopped.store(false, Ordering::Release);
    }

    /// Gives so many workers to the broad phase from now on.
    pub fn set_split(&self, split: usize) {
        self.split.store(split, Ordering::Relaxed);
        self.wake();
    }

    /// Ends the step: nobody gets anything more to do.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.wake();
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// What a worker should do next; None when all is done, or after a [`stop`](Crossing::stop).
    pub fn next(&self, worker: usize) -> Option<Task<T>> {
        loop {
            if self.is_stopped() {
                return None;
            }
            let prefers_broad = worker < self.split.load(Ordering::Relaxed);
            if prefers_broad && let Some(unit) = self.claim() {
                return Some(Task::Broad(unit));
            }
            if let Some(value) = self.ring.pop() {
                return Some(Task::Narrow(value));
            }
            if !prefers_broad
                && self.may_help()
                && let Some(unit) = self.claim()
            {
                return Some(Task::Broad(unit));
            }
            if self.is_broad_over() {
                // All that was put before the end can be seen now.
                return self.ring.pop().map(Task::Narrow);
            }
            self.sleep(worker);
        }
    }

    /// Whether a worker of the narrow phase that finds nothing there may work in the broad one: always, unless workers are to stay; and then, too, if nobody else would.
    fn may_help(&self) -> bool {
        !self.stay.load(Ordering::Relaxed) || self.producing.load(Ordering::Relaxed) == 0
    }

    /// The next unit, if there is one left.
    fn claim(&self) -> Option<usize> {
        if self.units_are_claimed() {
            return None;
        }
        // Counted first: who finds all units claimed and nobody counted knows that all are done.
        self.producing.fetch_add(1, Ordering::Relaxed);
        let unit = self.next_unit.fetch_add(1, Ordering::AcqRel);
        if unit < self.unit_count.load(Ordering::Relaxed) {
            return Some(unit);
        }
        self.unit_done();
        None
    }

    fn units_are_claimed(&self) -> bool {
        self.next_unit.load(Ordering::Acquire) >= self.unit_count.load(Ordering::Relaxed)
    }

    /// Whether nothing will be put any more.
    fn is_broad_over(&self) -> bool {
        self.units_are_claimed() && self.producing.load(Ordering::Acquire) == 0
    }

    /// A unit that [`next`](Crossing::next) gave is done: all of it has been offered.
    pub fn unit_done(&self) {
        if self.producing.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.wake();
        }
    }

    /// Puts something for the narrow phase, or gives it back if there is no room: then the caller does it.
    pub fn offer(&self, value: T) -> Result<(), T> {
        self.ring.push(value)?;
        self.wake();
        Ok(())
    }

    /// Until something has been put, the broad phase is over, or this worker may help there.
    fn sleep(&self, worker: usize) {
        let mut guard = lock(&self.door);
        self.sleepers.fetch_add(1, Ordering::Relaxed);
        // With the one in `wake`: either we see what was changed before it, or it sees that we sleep.
        fence(Ordering::SeqCst);
        let has_something = || {
            let prefers_broad = worker < self.split.load(Ordering::Relaxed);
            self.is_stopped()
                || !self.ring.is_empty()
                || self.is_broad_over()
                || ((prefers_broad || self.may_help()) && !self.units_are_claimed())
        };
        while !has_something() {
            guard = wait(&self.changed, guard);
        }
        self.sleepers.fetch_sub(1, Ordering::Relaxed);
        drop(guard);
    }

    /// After every change that sleepers may wait for.
    fn wake(&self) {
        fence(Ordering::SeqCst);
        if self.sleepers.load(Ordering::Relaxed) > 0 {
            // Who has looked and not yet fallen asleep has the lock.
            drop(lock(&self.door));
            self.changed.notify_all();
        }
    }
}
