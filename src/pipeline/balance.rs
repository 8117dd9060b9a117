//! How many threads each phase gets (section 5 of the paper).
//!
//! The time that the workers have spent in each phase is measured. At control steps the split is moved by one thread, to the broad phase if that is what everybody waits for, and back if it would be
//! fast enough with fewer by more than a threshold: hysteresis, so that it does not flutter. After a change the next step is a control step, too, at which the
//! change has to prove itself: if a unit of work now takes longer than before, it is undone. As long as nothing changes, control steps become rarer (section 5.2).

use crate::memory::{Buffer, Memory, MemoryError};

/// Steps between control steps at most.
const LONGEST_INTERVAL: u32 = 32;
/// How far below its limit the broad phase has to be to give a thread back, and how much worse a change may turn out before it is undone.
const THRESHOLD: f64 = 0.1;
/// What a new measurement counts against those before it.
const WEIGHT: f64 = 0.25;
/// Steps that are remembered.
const HISTORY: usize = 4096;

/// What a step took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// Summed over the workers, in milliseconds.
    pub broad: f64,
    pub narrow: f64,
    /// Of both phases together, as a clock sees it.
    pub wall: f64,
}

/// It was a control step.
pub const CONTROLLED: u32 = 1;
/// The split was changed after it.
pub const CHANGED: u32 = 2;
/// That was the way back from a change that made it slower.
pub const UNDONE: u32 = 4;
/// The caller had fixed the split.
pub const FIXED: u32 = 8;
/// One phase after the other.
pub const SEQUENTIAL: u32 = 16;

/// A step in the history.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct BalanceRecord {
    pub step: u64,
    pub broad_threads: u32,
    pub narrow_threads: u32,
    pub flags: u32,
    /// Steps until the next control step.
    pub interval: u32,
    pub times: [f64; 3],
}

/// The split, and how it came about.
pub struct Balance {
    threads: usize,
    broad: usize,
    fixed: Option<usize>,
    interval: u32,
    steps_left: u32,
    /// What the phases take, as an average over the last steps; anew when it changes a lot.
    average: [f64; 2],
    /// The last change, until it has been judged: the split before, and how long a millisecond of work took then.
    on_trial: Option<(usize, f64)>,
    /// A change that was undone is not tried again before the interval has become this long.
    patience: u32,
    history: Buffer<BalanceRecord>,
}

impl Balance {
    pub fn new(memory: &Memory) -> Balance {
        Balance {
            threads: 0,
            broad: 0,
            fixed: None,
            interval: 1,
            steps_left: 1,
            average: [0.0; 2],
            on_trial: None,
            patience: 0,
            history: Buffer::new(memory.clone()),
        }
    }

    /// Fixes the threads of the broad phase, or leaves them to the measurements.
    pub fn fix(&mut self, broad: Option<usize>) {
        self.fixed = broad;
        self.restart();
    }

    fn restart(&mut self) {
        (self.interval, self.steps_left, self.on_trial, self.patience) = (1, 1, None, 0);
    }

    /// The threads of the broad phase for the next step, of so many in all. Both phases begin with half of them.
    pub fn split(&mut self, threads: usize) -> usize {
        if threads != self.threads {
            self.threads = threads;
            self.broad = (threads / 2).max(1);
            self.restart();
        }
        self.fixed.map_or(self.broad, |broad| broad.min(threads))
    }

    /// Makes room for one more step in the history.
    pub fn reserve(&mut self) -> Result<(), MemoryError> {
        if self.history.capacity() < HISTORY {
            self.history.reserve_exact(HISTORY)?;
        }
        Ok(())
    }

    /// Takes a measured step into account. `sequential` ones have no split to change.
    pub fn measured(&mut self, step: u64, times: Times, sequential: bool) {
        let broad = self.fixed.map_or(self.broad, |broad| broad.min(self.threads));
        let mut flags = 0;
        if sequential {
            flags |= SEQUENTIAL;
        } else if self.fixed.is_some() {
            flags |= FIXED;
        } else if self.threads >= 3 {
            // With two threads there is one split only.
            flags |= self.control(times);
        }
        if self.history.len() == HISTORY {
            // Half of it is kept, so that this is rare.
            self.history.copy_within(HISTORY / 2.., 0);
            self.history.truncate(HISTORY / 2);
        }
        let record = BalanceRecord {
            step,
            broad_threads: broad as u32,
            narrow_threads: (self.threads - broad.min(self.threads)) as u32,
            flags,
            interval: self.steps_left,
            times: [times.broad, times.narrow, times.wall],
        };
        // There is room: `reserve` came before the step. Without it a step is missing, and that is all.
        let _ = self.history.push(record);
    }

    fn control(&mut self, times: Times) -> u32 {
        for (average, now) in self.average.iter_mut().zip([times.broad, times.narrow]) {
            let is_other = now > 2.0 * *average || *average > 2.0 * now;
            *average = if is_other { now } else { *average + WEIGHT * (now - *average) };
        }
        self.steps_left -= 1;
        if self.steps_left > 0 {
            return 0;
        }
        let work = times.broad + times.narrow;
        let pace = if work > 0.0 { times.wall / work } else { 0.0 };
        let mut flags = CONTROLLED;
        if let Some((before, old_pace)) = self.on_trial.take()
            && pace > old_pace * (1.0 + THRESHOLD)
        {
            self.broad = before;
            (self.interval, self.patience) = (1, 8);
            flags |= CHANGED | UNDONE;
        } else if let Some(better) = self.better()
            && self.interval >= self.patience
        {
            self.on_trial = Some((self.broad, pace));
            self.broad = better;
            (self.interval, self.patience) = (1, 0);
            flags |= CHANGED;
        } else {
            self.interval = (2 * self.interval).min(LONGEST_INTERVAL);
        }
        self.steps_left = self.interval;
        flags
    }

    /// A neighbouring split that is better.
    ///
    /// With b of n threads the broad phase takes B / b. Then its threads go over to the narrow one, so all n share what is left: the step takes (B + N) / n, unless the broad phase alone takes longer,
    /// because the other threads have nothing to do before it has found something. So b has to be large enough for B / b ≤ (B + N) / n, and the threads beyond that are for the narrow phase. One is given back only
    /// if the broad phase would still be well below that.
    fn better(&self) -> Option<usize> {
        let [broad, narrow] = self.average;
        let fair = (broad + narrow) / self.threads as f64;
        let takes = |threads: usize| broad / threads as f64;
        if takes(self.broad) > fair && self.broad + 1 < self.threads {
            Some(self.broad + 1)
        } else if self.broad > 1 && takes(self.broad - 1) < fair * (1.0 - THRESHOLD) {
            Some(self.broad - 1)
        } else {
            None
        }
    }

    /// The last steps, the oldest first.
    pub fn history(&self) -> &[BalanceRecord] {
        &self.history
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn balance() -> Balance {
        let mut balance = Balance::new(&Memory::new(None).unwrap());
        balance.reserve().unwrap();
        balance
    }

    /// Threads of the broad phase go over to the narrow one when theirs is over.
    fn run(
        balance: &mut Balance,
        steps: std::ops::Range<u64>,
        threads: usize,
        work: impl Fn(u64) -> (f64, f64),
    ) {
        for step in steps {
            let broad = balance.split(threads);
            let (b, n) = work(step);
            let wall = (b / broad as f64).max((b + n) / threads as f64);
            balance.measured(step, Times { broad: b, narrow: n, wall }, false);
        }
    }

    #[test]
    fn threads_go_where_the_work_is_and_come_back() {
        let mut balance = balance();
        assert_eq!(balance.split(8), 4);
        run(&mut balance, 0..60, 8, |_| (7.0, 1.0));
        assert_eq!(balance.split(8), 7);
        let quiet = balance.history().len();
        run(&mut balance, 60..160, 8, |_| (0.5, 7.5));
        assert_eq!(balance.split(8), 1);
        let history = balance.history();
        assert_eq!(history.len(), 160);
        assert!(history[quiet..].iter().any(|record| record.flags & CHANGED != 0));
        // One thread at a time.
        for pair in history.windows(2) {
            assert!(pair[0].broad_threads.abs_diff(pair[1].broad_threads) <= 1);
            assert_eq!(pair[0].broad_threads != pair[1].broad_threads, pair[0].flags & CHANGED != 0);
        }
    }

    #[test]
    fn control_steps_become_rarer_and_frequent_again() {
        let mut balance = balance();
        run(&mut balance, 0..200, 8, |step| if step < 150 { (4.0, 4.0) } else { (2.0, 6.0) });
        let controlled: Vec<u64> =
            balance.history().iter().filter(|r| r.flags & CONTROLLED != 0).map(|r| r.step).collect();
        let gaps: Vec<u64> = controlled.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(gaps.starts_with(&[2, 4, 8, 16, 32, 32]), "{gaps:?}");
        let change = balance.history().iter().position(|r| r.flags & CHANGED != 0).unwrap();
        assert!(balance.history()[change + 1].flags & CONTROLLED != 0, "a change is judged at once");
    }

    #[test]
    fn it_does_not_flutter_with_noise() {
        let mut balance = balance();
        // Between two splits, with some noise.
        run(&mut balance, 0..1000, 8, |step| (4.4 + 0.2 * (step % 3) as f64, 3.4 + 0.2 * (step % 2) as f64));
        let changes = balance.history().iter().filter(|r| r.flags & CHANGED != 0).count();
        assert!(changes <= 2, "{changes}");
    }

    #[test]
    fn a_change_for_the_worse_is_undone() {
        let mut balance = balance();
        for step in 0..40 {
            let broad = balance.split(8);
            // The more threads the broad phase has, the slower everything gets.
            let wall = if broad > 4 { 100.0 } else { 2.0 };
            balance.measured(step, Times { broad: 7.0, narrow: 1.0, wall }, false);
        }
        assert!(balance.history().iter().any(|r| r.flags & UNDONE != 0));
        let slow = balance.history().iter().filter(|r| r.broad_threads > 4).count();
        assert!(slow < 6, "{slow}");
    }

    #[test]
    fn a_fixed_split_stays() {
        let mut balance = balance();
        balance.fix(Some(2));
        run(&mut balance, 0..50, 8, |_| (7.0, 1.0));
        assert!(balance.history().iter().all(|r| r.broad_threads == 2 && r.flags == FIXED));
        balance.fix(None);
        run(&mut balance, 50..100, 8, |_| (7.0, 1.0));
        assert_eq!(balance.split(8), 7);
    }

    #[test]
    fn history_is_bounded() {
        let mut balance = balance();
        run(&mut balance, 0..10_000, 4, |_| (1.0, 1.0));
        let history = balance.history();
        assert!(history.len() <= HISTORY && history.last().unwrap().step == 9999);
        assert!(history.windows(2).all(|pair| pair[1].step == pair[0].step + 1));
    }
}
