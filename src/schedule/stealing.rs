//! Work stealing, for comparison with [`Assignment`](super::Assignment): behind the same trait, with the
//! deques of crossbeam.
//!
//! A worker takes from its own deque what it pushed last; who has nothing takes from another's what was
//! pushed first, which is the largest. The owner is not asked; in exchange every push and pop of the owner
//! has a memory fence, and every unit an atomic addition.
//!
//! *Parking.* Who finds nothing counts itself as a sleeper, looks once more, and sleeps. Who pushes looks at
//! the number of sleepers afterwards. Between the write and the read of both there is a sequentially
//! consistent fence: one of the two sees the other. Whoever finishes the last unit takes the lock and wakes
//! all.
//!
//! *Phases.* Thieves search with `field` locked for reading, and look at the phase number there; `start`
//! deals with it locked for writing. So a thief that is late in one phase cannot take a unit of the next.
//!
//! The deques allocate with the global allocator when they grow or shrink, and abort when that is refused;
//! and their memory reclamation keeps a record for each thread that has stolen. Both are reasons not to make
//! this the default.

use super::scheduler::{Counters, Scheduler, Seat, Tally, Unit};
use super::sync::deque::{Steal, Stealer, Worker};
use super::sync::{
    AtomicBool, AtomicU64, AtomicUsize, Condvar, Mutex,
    Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst},
    RwLock, UnsafeCell, fence, lock, wait,
};
use crate::memory::{Buffer, Memory, MemoryError};
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::PoisonError;

/// The work-stealing scheduler. See the module's comment.
pub struct Stealing<U: Unit> {
    slots: Buffer<Slot<U>>,
    /// For reading: search in the deques. For writing: deal units.
    field: RwLock<()>,
    lobby: Mutex<Lobby>,
    /// There may be something to steal, or the phase is over.
    wake: Condvar,
    /// A worker has come back from a unit after a stop.
    quiet: Condvar,
    shared: Shared,
}

#[repr(align(128))]
struct Shared {
    /// Units of the phase that are not done.
    pending: AtomicUsize,
    /// Seats with a unit in work.
    working: AtomicUsize,
    /// Workers that sleep, or are about to. Changes under the lock of the lobby.
    sleepers: AtomicUsize,
    /// Changes with `field` locked for writing.
    phase: AtomicU64,
    ended: AtomicBool,
    stopped: AtomicBool,
}

#[repr(align(128))]
struct Slot<U: Unit> {
    /// The owner's end of the deque.
    deque: UnsafeCell<Worker<U>>,
    stealer: Stealer<U>,
    /// A seat is here.
    taken: AtomicBool,
    tally: Tally,
}

// SAFETY: all but `deque` is made for sharing. `deque` is used by the seat at the place while it has a unit
// in work, or, while nobody has, by who has locked `field` for writing: one at a time.
unsafe impl<U: Unit> Sync for Slot<U> {}

/// What the lock is around: that nobody goes to sleep between a change and the wake-up that follows.
struct Lobby;

impl<U: Unit> Stealing<U> {
    /// Runs `change` while no unit is in work and nobody searches.
    fn alone<R>(&self, change: impl FnOnce() -> R) -> R {
        loop {
            {
                let _field = self.field.write().unwrap_or_else(PoisonError::into_inner);
                if self.shared.working.load(Acquire) == 0 {
                    return change();
                }
            }
            let mut lobby = lock(&self.lobby);
            while self.shared.working.load(Acquire) > 0 {
                lobby = wait(&self.quiet, lobby);
            }
        }
    }

    /// # Safety
    /// See `Slot`: the seat at this place with a unit in work, or inside `alone`.
    unsafe fn deque<R>(&self, worker: usize, look: impl FnOnce(&Worker<U>) -> R) -> R {
        // SAFETY: promised by the caller.
        self.slots[worker].deque.with_mut(|deque| look(unsafe { &*deque }))
    }

    /// The phase is over: nobody sleeps any more.
    fn end(&self) {
        let _lobby = lock(&self.lobby);
        self.shared.ended.store(true, Release);
        self.wake.notify_all();
    }

    /// Whether a seat that joined in this phase has nothing to expect any more.
    fn is_over(&self, phase: u64) -> bool {
        self.shared.phase.load(Acquire) != phase || self.shared.ended.load(Acquire)
    }

    /// Wakes one sleeper, or all.
    fn call(&self, all: bool) {
        // Before the fence a unit was pushed; see the module's comment.
        fence(SeqCst);
        if self.shared.sleepers.load(Relaxed) > 0 {
            let _lobby = lock(&self.lobby);
            if all { self.wake.notify_all() } else { self.wake.notify_one() }
        }
    }

    fn is_empty(&self) -> bool {
        self.slots.iter().all(|slot| slot.stealer.is_empty())
    }
}

impl<U: Unit> Scheduler<U> for Stealing<U> {
    type Seat<'a>
        = StealingSeat<'a, U>
    where
        U: 'a;

    fn new(memory: Memory, worker_count: usize) -> Result<Self, MemoryError> {
        let mut slots = Buffer::new(memory);
        slots.reserve_exact(worker_count)?;
        for _ in 0..worker_count {
            let deque = Worker::new_lifo();
            let stealer = deque.stealer();
            let (deque, taken) = (UnsafeCell::new(deque), AtomicBool::new(false));
            slots.push(Slot { deque, stealer, taken, tally: Tally::default() })?;
        }
        let shared = Shared {
            pending: AtomicUsize::new(0),
            working: AtomicUsize::new(0),
            sleepers: AtomicUsize::new(0),
            phase: AtomicU64::new(0),
            ended: AtomicBool::new(true),
            stopped: AtomicBool::new(false),
        };
        let (field, lobby) = (RwLock::new(()), Mutex::new(Lobby));
        Ok(Stealing { slots, field, lobby, wake: Condvar::new(), quiet: Condvar::new(), shared })
    }

    fn worker_count(&self) -> usize {
        self.slots.len()
    }

    /// The deques decide themselves how much room they keep.
    fn reserve(&self, _waiting: usize) -> Result<(), MemoryError> {
        Ok(())
    }

    fn reset(&self) {
        self.alone(|| {
            self.shared.stopped.store(false, Relaxed);
            self.slots.iter().for_each(|slot| slot.tally.reset());
        });
    }

    fn start(&self, phase: u64, units: impl IntoIterator<Item = (usize, U)>) -> Result<(), MemoryError> {
        self.alone(|| {
            assert!(self.shared.ended.load(Acquire), "a phase begins after the one before");
            for worker in 0..self.slots.len() {
                // SAFETY: inside `alone`. This empties what a stop has left.
                unsafe { self.deque(worker, |deque| while deque.pop().is_some() {}) };
            }
            self.shared.phase.store(phase, Release);
            let mut count = 0;
            for (worker, unit) in units {
                // SAFETY: inside `alone`.
                unsafe { self.deque(worker, |deque| deque.push(unit)) };
                count += 1;
            }
            self.shared.pending.store(count, Relaxed);
            // Under the lock, so that it does not undo a stop.
            let _lobby = lock(&self.lobby);
            self.shared.ended.store(count == 0 || self.shared.stopped.load(Relaxed), Release);
            Ok(())
        })
    }

    fn join(&self, phase: u64, worker: usize) -> Option<StealingSeat<'_, U>> {
        if self.slots[worker].taken.swap(true, AcqRel) {
            return None;
        }
        Some(StealingSeat { scheduler: self, worker, phase, working: false, one_thread: PhantomData })
    }

    fn stop(&self) {
        let _lobby = lock(&self.lobby);
        self.shared.stopped.store(true, Relaxed);
        self.shared.ended.store(true, Release);
        self.wake.notify_all();
    }

    fn is_stopped(&self) -> bool {
        self.shared.stopped.load(Acquire)
    }

    fn counters(&self, worker: usize) -> Counters {
        self.slots[worker].tally.read()
    }
}

/// A worker of a [`Stealing`].
pub struct StealingSeat<'a, U: Unit> {
    scheduler: &'a Stealing<U>,
    worker: usize,
    phase: u64,
    /// There is a unit in work.
    working: bool,
    /// Not `Sync`, as the owner's end of a deque is not.
    one_thread: PhantomData<Cell<()>>,
}

impl<'a, U: Unit> StealingSeat<'a, U> {
    fn slot(&self) -> &'a Slot<U> {
        &self.scheduler.slots[self.worker]
    }

    fn deque<R>(&self, look: impl FnOnce(&Worker<U>) -> R) -> R {
        assert!(self.working, "there is a unit in work");
        // SAFETY: there is one seat at a place, it has a unit in work, and it is not `Sync`.
        unsafe { self.scheduler.deque(self.worker, look) }
    }

    /// The unit in work is done.
    fn finish_unit(&mut self) {
        if self.scheduler.shared.pending.fetch_sub(1, AcqRel) == 1 {
            self.scheduler.end();
        }
    }

    /// Gives up the right to use the deque.
    fn rest(&mut self) {
        // Always under the lock: whether somebody waits for this is nothing that could be seen without it, and the last one to rest is seldom.
        if std::mem::take(&mut self.working) && self.scheduler.shared.working.fetch_sub(1, AcqRel) == 1 {
            let _lobby = lock(&self.scheduler.lobby);
            self.scheduler.quiet.notify_all();
        }
    }

    /// Looks through all deques, its own first: units that were dealt to it are there.
    fn search(&mut self) -> Option<U> {
        let scheduler = self.scheduler;
        let _field = scheduler.field.read().unwrap_or_else(PoisonError::into_inner);
        if scheduler.is_over(self.phase) {
            return None;
        }
        for worker in (self.worker..scheduler.slots.len()).chain(0..self.worker) {
            loop {
                match scheduler.slots[worker].stealer.steal() {
                    Steal::Success(unit) => {
                        scheduler.shared.working.fetch_add(1, AcqRel);
                        self.working = true;
                        self.slot().tally.steals.add(u64::from(worker != self.worker));
                        return Some(unit);
                    }
                    Steal::Empty => break,
                    // Another thief was faster: it has got something.
                    Steal::Retry => std::hint::spin_loop(),
                }
            }
        }
        None
    }

    fn look_for_work(&mut self) -> Option<U> {
        let shared = &self.scheduler.shared;
        self.slot().tally.requests.add(1);
        loop {
            if let Some(unit) = self.search() {
                self.slot().tally.units.add(1);
                return Some(unit);
            }
            let mut lobby = lock(&self.scheduler.lobby);
            if self.scheduler.is_over(self.phase) {
                return None;
            }
            shared.sleepers.store(shared.sleepers.load(Relaxed) + 1, Relaxed);
            fence(SeqCst);
            if self.scheduler.is_empty() {
                lobby = wait(&self.scheduler.wake, lobby);
            }
            shared.sleepers.store(shared.sleepers.load(Relaxed) - 1, Relaxed);
            drop(lobby);
        }
    }
}

impl<U: Unit> Seat<U> for StealingSeat<'_, U> {
    fn next(&mut self) -> Option<U> {
        if self.working {
            self.finish_unit();
            if !self.scheduler.shared.ended.load(Relaxed)
                && let Some(unit) = self.deque(Worker::pop)
            {
                self.slot().tally.units.add(1);
                return Some(unit);
            }
            self.rest();
        }
        self.look_for_work()
    }

    fn push(&mut self, unit: U) -> Result<(), MemoryError> {
        self.scheduler.shared.pending.fetch_add(1, Relaxed);
        self.deque(|deque| deque.push(unit));
        self.scheduler.call(false);
        Ok(())
    }

    fn queued(&self) -> usize {
        if self.working { self.deque(Worker::len) } else { 0 }
    }

    #[inline]
    fn asked(&self) -> bool {
        self.scheduler.shared.sleepers.load(Relaxed) > 0
    }

    /// Thieves do not wait to be given anything; it only wakes them.
    fn share(&mut self) {
        self.scheduler.call(true);
    }
}

impl<U: Unit> Drop for StealingSeat<'_, U> {
    fn drop(&mut self) {
        if self.working {
            if std::thread::panicking() {
                self.scheduler.stop();
            }
            self.finish_unit();
            self.rest();
            // What is left in the deque is for others.
            self.scheduler.call(true);
        }
        self.slot().taken.store(false, Release);
    }
}
