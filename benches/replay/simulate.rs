//! A run on any number of cores, phase by phase. All times are in nanoseconds.

use super::phase;
use super::work::Phase;

/// Which of the rules are obeyed, so that the effect of each can be seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Idle workers ask busy ones (section 4.3). Without it everybody does what it was dealt, and no more.
    pub dynamic: bool,
    /// The unit in work is cut when somebody asks and nothing waits.
    pub split: bool,
    /// What waits is given also in the middle of a unit, wherever it could be split. The paper does not, the library does: a
    /// long unit would keep others waiting for what is behind it.
    pub share_within: bool,
    /// Who asks gets its share of all that waits, not one unit: section 4.3 speaks of k + 1 sets of roughly equal work for k requests, but then
    /// gives the front node only; the library gives a set. Matters when many small units wait.
    pub grant_sets: bool,
    /// Low-level nodes are rebuilt without a lock (section 4.2). Without it there is one lock for all rebuilds.
    pub lock_free: bool,
    /// After so many nanoseconds a unit looks whether it should be split.
    pub granule: Option<u64>,
    /// If that is not known: it looks so often, however long it is, and cannot be cut into more parts.
    pub granules: u64,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            dynamic: true,
            split: true,
            share_within: true,
            grant_sets: true,
            lock_free: true,
            granule: None,
            granules: 16,
        }
    }
}

/// What the assignment itself takes. With a single worker nothing of it happens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Costs {
    /// From having nothing to do until the request has been placed: of the one who asks.
    pub request: u64,
    /// To hand over a unit and notify its new owner: of the one who gives.
    pub grant: u64,
    /// From the notification until the thread runs.
    pub wake: u64,
}

/// What became of a phase.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PhaseOutcome {
    pub key: u64,
    pub name: &'static str,
    pub serial: u64,
    /// Without the serial part.
    pub time: u64,
    /// Work done by all workers together.
    pub busy: u64,
    pub requests: u64,
    pub grants: u64,
    /// Units that were cut in the middle.
    pub splits: u64,
    /// Waiting for the rebuild lock, all workers together.
    pub lock_wait: u64,
}

impl PhaseOutcome {
    /// The share of the workers' time in which they do no work of this phase, its serial part left out.
    pub fn idle(&self, worker_count: usize) -> f64 {
        match self.time {
            0 => 0.0,
            time => 1.0 - self.busy as f64 / (time * worker_count as u64) as f64,
        }
    }
}

/// What became of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    pub worker_count: usize,
    pub time: u64,
    pub phases: Vec<PhaseOutcome>,
}

impl Outcome {
    /// The next run with as many workers.
    pub fn add(&mut self, other: Outcome) {
        self.time += other.time;
        for more in other.phases {
            let Some(phase) = self.phases.iter_mut().find(|phase| phase.key == more.key) else {
                self.phases.push(more);
                continue;
            };
            phase.name = if phase.name.is_empty() { more.name } else { phase.name };
            phase.serial += more.serial;
            phase.time += more.time;
            phase.busy += more.busy;
            phase.requests += more.requests;
            phase.grants += more.grants;
            phase.splits += more.splits;
            phase.lock_wait += more.lock_wait;
        }
    }

    /// The share of the workers' time in which they do nothing. One of them has work during serial parts.
    pub fn idle(&self) -> f64 {
        let busy: u64 = self.phases.iter().map(|phase| phase.busy + phase.serial).sum();
        1.0 - busy as f64 / (self.time * self.worker_count as u64).max(1) as f64
    }
}

/// Runs phases one after the other.
pub fn simulate(phases: &[Phase], worker_count: usize, rules: &Rules, costs: &Costs) -> Outcome {
    let costs = if worker_count == 1 { Costs::default() } else { *costs };
    let (mut now, mut leader) = (0, 0);
    // Who calls is there; the others sleep before the run begins.
    let mut awake = vec![costs.wake; worker_count];
    let mut outcome = Outcome { worker_count, ..Outcome::default() };
    for phase in phases {
        // Who has ended the phase before does the serial part. Others that are awake before it is over go to sleep again.
        let begin = now + phase.serial;
        for (worker, awake) in awake.iter_mut().enumerate() {
            *awake = match worker == leader || (*awake <= begin && phase.serial == 0) {
                true => begin,
                false if *awake <= begin => begin + costs.wake,
                false => *awake,
            };
        }
        now = begin;
        let Phase { key, name, serial, .. } = *phase;
        let mut done = PhaseOutcome { key, name, serial, ..PhaseOutcome::default() };
        if !phase.jobs.is_empty() {
            leader = phase::simulate(phase, begin, &mut awake, rules, &costs, &mut done);
            now += done.time;
        }
        outcome.phases.push(done);
    }
    outcome.time = now;
    outcome
}
