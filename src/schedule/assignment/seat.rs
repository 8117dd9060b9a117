//! A worker's side of the assignment: its own queue, what others ask of it, and what it asks of others.

use super::{Assignment, Lobby, NOBODY, Place, Slot, State, add};
use crate::memory::MemoryError;
use crate::schedule::queue::Queue;
use crate::schedule::scheduler::{Scheduler, Seat, Unit};
use crate::schedule::sync::{Ordering::Relaxed, lock, wait};

/// A worker of an [`Assignment`].
pub struct AssignmentSeat<'a, U: Unit> {
    scheduler: &'a Assignment<U>,
    worker: usize,
    phase: u64,
    /// The place is `Working`: this seat holds it, and has a unit in work.
    working: bool,
    /// Requests that have been seen and could not be granted.
    refused: usize,
}

impl<'a, U: Unit> AssignmentSeat<'a, U> {
    pub(super) fn new(scheduler: &'a Assignment<U>, phase: u64, worker: usize) -> AssignmentSeat<'a, U> {
        AssignmentSeat { scheduler, worker, phase, working: false, refused: 0 }
    }

    fn slot(&self) -> &'a Slot<U> {
        &self.scheduler.slots[self.worker]
    }

    fn queue<R>(&mut self, look: impl FnOnce(&mut Queue<U>) -> R) -> R {
        assert!(self.working, "there is a unit in work");
        // SAFETY: a seat that is `working` holds its place, and is the only one there; it is borrowed for
        // writing.
        unsafe { self.scheduler.queue(self.worker, look) }
    }

    /// Notes whom to wake: not before the lock is free, where it would only have to wait again.
    fn wake_later(&mut self, worker: usize) {
        self.slot().woken.with_mut(|woken| {
            // SAFETY: only the seat touches this, and there is one seat at a place.
            unsafe { &mut *woken }.push(worker).expect("there is room for all workers");
        });
    }

    /// Wakes them. The lock must not be held.
    fn wake_now(&mut self) {
        let slots = &self.scheduler.slots;
        self.slot().woken.with_mut(|woken| {
            // SAFETY: as in `wake_later`.
            let woken = unsafe { &mut *woken };
            woken.iter().for_each(|&worker| slots[worker].wake.notify_one());
            woken.clear();
        });
    }

    fn take_front(&mut self) -> Option<U> {
        let slot = self.slot();
        let unit = self.queue(|queue| {
            let unit = queue.pop_front()?;
            slot.publish(queue);
            Some(unit)
        })?;
        slot.begin(&unit);
        slot.tally.units.add(1);
        Some(unit)
    }

    /// Answers requests: own ones first, then open ones at other places. Keeps `keep` units.
    fn serve(&mut self, keep: usize) {
        let (scheduler, worker, slot) = (self.scheduler, self.worker, self.slot());
        let mut lobby = lock(&scheduler.lobby);
        // One set for each of those who ask, and one to keep.
        let set = self.queue(|queue| queue.len()) / (slot.asked.load(Relaxed).max(1) + 1);
        let mut granted = 0;
        while self.queue(|queue| queue.len()) > keep {
            let asking = match lobby.places[worker].first {
                NOBODY if scheduler.signals.open.load(Relaxed) == 0 => break,
                NOBODY => {
                    let is_open = |place: &Place<U>| place.state == State::Asking && place.open;
                    lobby.places.iter().position(is_open).expect("an open request is somewhere")
                }
                first => first,
            };
            let unit = self.queue(Queue::pop_front).expect("there are more than `keep`");
            scheduler.grant(&mut lobby, asking, unit);
            granted += 1 + self.give_more(&lobby, asking, set.saturating_sub(1), keep);
            self.wake_later(asking);
        }
        self.queue(|queue| slot.publish(queue));
        // What is left here may be answered by anybody.
        let mut asking = lobby.places[worker].first;
        while asking != NOBODY {
            let place = &mut lobby.places[asking];
            if !std::mem::replace(&mut place.open, true) {
                add(&scheduler.signals.open, 1);
            }
            asking = place.next;
        }
        self.refused = slot.asked.load(Relaxed);
        drop(lobby);
        self.wake_now();
        slot.tally.grants.add(granted);
    }

    /// Moves up to `count` more units to a worker that has just been granted one, and has not woken up yet. Keeps `keep`. Returns how many.
    fn give_more(&mut self, lobby: &Lobby<U>, receiver: usize, count: usize, keep: usize) -> u64 {
        debug_assert!(lobby.places[receiver].grant.is_some() && receiver != self.worker);
        let scheduler = self.scheduler;
        self.queue(|mine| {
            // SAFETY: the receiver is `Working` but sleeps until it gets the lock, which this thread has: nobody else touches its queue.
            unsafe {
                scheduler.queue(receiver, |theirs| {
                    let mut moved = 0;
                    for _ in 0..count.min(mine.len().saturating_sub(keep)) {
                        let Some(unit) = mine.pop_front() else { break };
                        if theirs.push_back(unit).is_err() {
                            // No memory for it there; here is the room that it had.
                            mine.push_back(unit).expect("it was here before");
                            break;
                        }
                        moved += 1;
                    }
                    scheduler.slots[receiver].publish(theirs);
                    moved
                })
            }
        })
    }

    /// Takes all units of a place where nobody works on them, its own one first.
    fn claim(&mut self, lobby: &mut Lobby<U>) {
        let is_unclaimed = |place: &Place<U>| place.state == State::Unclaimed;
        let from = match lobby.places[self.worker].state {
            State::Unclaimed => self.worker,
            _ => lobby.places.iter().position(is_unclaimed).expect("they have been counted"),
        };
        lobby.unclaimed -= 1;
        lobby.places[from].state = State::Idle;
        lobby.places[self.worker].state = State::Working;
        lobby.working += usize::from(!self.working);
        self.working = true;
        if from != self.worker {
            let scheduler = self.scheduler;
            // SAFETY: who has the lock holds an `Unclaimed` place. It is another one than this seat's.
            self.queue(|mine| unsafe { scheduler.queue(from, |theirs| std::mem::swap(mine, theirs)) });
            self.slot().tally.steals.add(1);
        }
    }

    /// With nothing in the queue, or after a stop: takes what nobody works on, or asks and sleeps.
    fn look_for_work(&mut self) -> Option<U> {
        let (scheduler, worker, slot) = (self.scheduler, self.worker, self.slot());
        loop {
            if self.working {
                slot.publish_nothing();
            }
            let guess = scheduler.busiest(worker, |_| true);
            let mut lobby = lock(&scheduler.lobby);
            if lobby.phase != self.phase || lobby.over {
                self.retire(&mut lobby);
                return None;
            }
            if lobby.unclaimed > 0 {
                self.claim(&mut lobby);
                drop(lobby);
                return self.take_front();
            }
            if std::mem::take(&mut self.working) {
                scheduler.run_dry(&mut lobby, worker, |asking| self.wake_later(asking));
            }
            if lobby.over {
                drop(lobby);
                self.wake_now();
                return None;
            }
            slot.tally.requests.add(1);
            self.refused = 0;
            scheduler.ask(&mut lobby, worker, guess);
            while lobby.phase == self.phase && lobby.places[worker].state == State::Asking {
                lobby = wait(&slot.wake, lobby);
            }
            self.working = lobby.phase == self.phase && lobby.places[worker].state == State::Working;
            if self.working && !lobby.over {
                slot.tally.units.add(1);
                return lobby.places[worker].grant.take();
            }
            // The phase is over, or whoever was asked has left its units to all.
        }
    }

    /// After a stop: this worker has nothing in work any more.
    fn retire(&mut self, lobby: &mut Lobby<U>) {
        if std::mem::take(&mut self.working) {
            self.scheduler.retire(lobby, self.worker);
        }
    }
}

impl<U: Unit> Seat<U> for AssignmentSeat<'_, U> {
    #[inline]
    fn next(&mut self) -> Option<U> {
        let signals = &self.scheduler.signals;
        if self.working && !signals.ended.load(Relaxed) {
            // The check between two units of section 4.3: plain loads when nobody asks.
            let slot = self.slot();
            let asked = slot.asked.load(Relaxed);
            let can_give = slot.waiting.load(Relaxed) > 1;
            if (can_give && (asked > 0 || signals.open.load(Relaxed) > 0))
                || (asked > 0 && asked != self.refused)
            {
                self.serve(1);
            }
            if let Some(unit) = self.take_front() {
                return Some(unit);
            }
        }
        self.look_for_work()
    }

    #[inline]
    fn upcoming(&mut self) -> Option<U> {
        if self.working { self.queue(|queue| queue.get(0).copied()) } else { None }
    }

    fn push(&mut self, unit: U) -> Result<(), MemoryError> {
        let slot = self.slot();
        self.queue(|queue| {
            queue.push_back(unit)?;
            if let Some(weight) = slot.weights.get(queue.len() - 1) {
                weight.store(unit.weight(), Relaxed);
            }
            slot.waiting.store(queue.len(), Relaxed);
            Ok(())
        })
    }

    fn queued(&self) -> usize {
        if self.working { self.slot().waiting.load(Relaxed) } else { 0 }
    }

    #[inline]
    fn asked(&self) -> bool {
        self.slot().asked.load(Relaxed) > 0
    }

    fn share(&mut self) {
        if self.working {
            self.serve(0);
        }
    }
}

impl<U: Unit> Drop for AssignmentSeat<'_, U> {
    fn drop(&mut self) {
        let (scheduler, worker) = (self.scheduler, self.worker);
        if self.working && std::thread::panicking() {
            scheduler.stop();
        }
        let mut lobby = lock(&scheduler.lobby);
        if self.working {
            self.slot().publish_nothing();
        }
        if lobby.over {
            self.retire(&mut lobby);
        } else if self.working {
            // Counted before `run_dry` looks whether that was all.
            let left = self.queue(|queue| queue.len()) > 0;
            lobby.unclaimed += usize::from(left);
            self.working = false;
            scheduler.run_dry(&mut lobby, worker, |asking| scheduler.slots[asking].wake.notify_one());
            if left {
                lobby.places[worker].state = State::Unclaimed;
            }
        }
        lobby.places[worker].taken = false;
    }
}
