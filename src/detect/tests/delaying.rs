//! The worst that a scheduler may do to those who give work away, without a second thread: somebody asks all the time, and does what it was
//! given only when everything else has been done. Whatever the giver does meanwhile to what the given units refer to, they see.

use crate::memory::{Memory, MemoryError};
use crate::schedule::{Counters, Scheduler, Seat, Unit};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// For one worker.
pub struct Delaying<U>(Mutex<State<U>>);

struct State<U> {
    own: VecDeque<U>,
    /// What the unit in work has queued so far.
    fresh: Vec<U>,
    given: Vec<U>,
    stopped: bool,
    counters: Counters,
}

impl<U> Delaying<U> {
    fn state(&self) -> MutexGuard<'_, State<U>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<U: Unit> Scheduler<U> for Delaying<U> {
    type Seat<'a>
        = &'a Delaying<U>
    where
        U: 'a;

    fn new(_: Memory, worker_count: usize) -> Result<Self, MemoryError> {
        assert_eq!(worker_count, 1);
        let (own, fresh, given) = (VecDeque::new(), Vec::new(), Vec::new());
        let counters = Counters::default();
        Ok(Delaying(Mutex::new(State { own, fresh, given, stopped: false, counters })))
    }

    fn worker_count(&self) -> usize {
        1
    }

    fn reserve(&self, _: usize) -> Result<(), MemoryError> {
        Ok(())
    }

    fn reset(&self) {
        let mut state = self.state();
        state.stopped = false;
        state.counters = Counters::default();
    }

    fn start(&self, _: u64, units: impl IntoIterator<Item = (usize, U)>) -> Result<(), MemoryError> {
        self.state().own.extend(units.into_iter().map(|(_, unit)| unit));
        Ok(())
    }

    fn join(&self, _: u64, _: usize) -> Option<&Delaying<U>> {
        Some(self)
    }

    fn stop(&self) {
        self.state().stopped = true;
    }

    fn is_stopped(&self) -> bool {
        self.state().stopped
    }

    fn counters(&self, _: usize) -> Counters {
        self.state().counters
    }
}

impl<U: Unit> Seat<U> for &Delaying<U> {
    fn next(&mut self) -> Option<U> {
        let State { own, fresh, given, counters, .. } = &mut *self.state();
        own.extend(fresh.drain(..));
        counters.units += 1;
        own.pop_front().or_else(|| given.pop())
    }

    fn push(&mut self, unit: U) -> Result<(), MemoryError> {
        self.state().fresh.push(unit);
        Ok(())
    }

    /// Nothing that could be given instead of a part of the unit in work.
    fn queued(&self) -> usize {
        0
    }

    fn asked(&self) -> bool {
        true
    }

    fn share(&mut self) {
        let State { fresh, given, counters, .. } = &mut *self.state();
        counters.grants += fresh.len() as u64;
        given.append(fresh);
    }
}
