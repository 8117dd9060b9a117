//! One phase under the rules of the library's assignment (`src/schedule/assignment.rs`), event by event.
//!
//! Who works has a unit in work (or has been granted one and is about to wake up) and a queue, first in, first out. Who has
//! nothing asks the one whose (k+1)-th waiting unit is the heaviest, k requests being there already, and sleeps. Requests are answered
//! between units. If nothing waits anywhere, the largest unit in work is asked to split, and the request is open to anybody who
//! comes to have more than one unit.

use super::simulate::{Costs, PhaseOutcome, Rules};
use super::work::{Job, Phase};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Waiting units of a worker that others can see.
const WINDOW: usize = 8;

/// A job, or a part of one.
#[derive(Clone, Copy, Debug)]
struct Piece {
    job: usize,
    /// Not a part that was given away.
    is_owners: bool,
    rebuild: u64,
    time: u64,
    weight: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nobody is at this place yet, or the one there does not look for work any more.
    Away,
    /// Has a unit, or is about to find out that it has none.
    Working,
    /// Sleeps until it is granted one; whether anybody may do that.
    Asking { target: usize, open: bool },
}

struct Worker {
    state: State,
    queue: VecDeque<Piece>,
    /// The unit in work, or granted.
    piece: Option<Piece>,
    /// Of the unit in work: when it has begun, rebuilds done, and when it will end.
    running: Option<(u64, u64)>,
    /// Who asks, in order.
    asking: VecDeque<usize>,
    /// Requests that have been seen and could not be granted.
    refused: usize,
    /// Events of earlier times do not count any more.
    version: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Action {
    /// A thread has come to the phase.
    Join,
    /// The granted or fetched unit begins.
    Begin,
    /// The unit in work may be cut.
    Check(u64),
    End(u64),
    /// Has nothing left: looks around.
    Look,
}

/// Simulates a phase that begins at `begin`, with workers that are there from `awake` on. Changes that to when they can be at the
/// next one. Returns who has ended it.
pub fn simulate(
    phase: &Phase,
    begin: u64,
    awake: &mut [u64],
    rules: &Rules,
    costs: &Costs,
    outcome: &mut PhaseOutcome,
) -> usize {
    let workers = awake.iter().map(|_| Worker {
        state: State::Away,
        queue: VecDeque::new(),
        piece: None,
        running: None,
        asking: VecDeque::new(),
        refused: 0,
        version: 0,
    });
    let mut simulation = Simulation {
        jobs: &phase.jobs,
        rules,
        costs,
        workers: workers.collect(),
        pieces: vec![1; phase.jobs.len()],
        left: phase.jobs.len(),
        lock_free_at: 0,
        now: begin,
        events: BinaryHeap::new(),
        event_count: 0,
        outcome,
    };
    // Section 4.2; the caller of the library's scheduler deals round robin.
    for (i, &job) in phase.first.iter().enumerate() {
        let piece = simulation.whole(job);
        simulation.workers[i % awake.len()].queue.push_back(piece);
    }
    for (worker, &at) in awake.iter().enumerate() {
        simulation.schedule(at, worker, Action::Join);
    }
    let leader = simulation.run();
    let end = simulation.now;
    for (worker, awake) in simulation.workers.iter().zip(awake) {
        // Who is asleep is woken at the end; who looks around at that moment needs not.
        let is_awake = worker.state == State::Working;
        *awake = if is_awake { end } else { (*awake).max(end + costs.wake) };
    }
    simulation.outcome.time = end - begin;
    leader
}

struct Simulation<'a> {
    jobs: &'a [Job],
    rules: &'a Rules,
    costs: &'a Costs,
    workers: Vec<Worker>,
    /// Of each job, those that are not done.
    pieces: Vec<usize>,
    /// Jobs that are not done.
    left: usize,
    lock_free_at: u64,
    now: u64,
    /// By time; what was scheduled first comes first.
    events: BinaryHeap<Reverse<(u64, u64, usize, Action)>>,
    event_count: u64,
    outcome: &'a mut PhaseOutcome,
}

impl Simulation<'_> {
    /// Returns who has done the last unit.
    fn run(&mut self) -> usize {
        loop {
            let Reverse((at, _, worker, action)) =
                self.events.pop().expect("somebody works while jobs are left");
            self.now = at;
            match action {
                Action::Join | Action::Look => self.look_for_work(worker),
                Action::Begin => self.begin(worker),
                Action::Check(version) if version == self.workers[worker].version => self.split(worker),
                Action::End(version) if version == self.workers[worker].version => self.end(worker),
                Action::Check(_) | Action::End(_) => {}
            }
            if self.left == 0 {
                return worker;
            }
        }
    }

    fn schedule(&mut self, at: u64, worker: usize, action: Action) {
        self.events.push(Reverse((at, self.event_count, worker, action)));
        self.event_count += 1;
    }

    fn whole(&self, job: usize) -> Piece {
        let Job { rebuild, time, weight, .. } = self.jobs[job];
        Piece { job, is_owners: true, rebuild, time, weight }
    }

    fn begin(&mut self, worker: usize) {
        let piece = self.workers[worker].piece.expect("a unit was fetched or granted");
        let mut from = self.now;
        if piece.rebuild > 0 && (self.jobs[piece.job].locks || !self.rules.lock_free) {
            from = from.max(self.lock_free_at);
            self.lock_free_at = from + piece.rebuild;
            self.outcome.lock_wait += from - self.now;
        }
        from += piece.rebuild;
        self.set_running(worker, from, from + piece.time);
        self.outcome.busy += piece.rebuild;
    }

    fn set_running(&mut self, worker: usize, from: u64, until: u64) {
        self.workers[worker].version += 1;
        self.workers[worker].running = Some((from, until));
        self.schedule(until, worker, Action::End(self.workers[worker].version));
        self.look_at_requests(worker);
    }

    /// If somebody wants a part of the unit in work (the library's `wants_split`): schedules the next moment at which it can be cut.
    fn look_at_requests(&mut self, worker: usize) {
        let at = &self.workers[worker];
        let (Some(piece), Some((from, until))) = (at.piece, at.running) else { return };
        let is_wanted = !at.asking.is_empty() && (at.queue.is_empty() || self.rules.share_within);
        if !is_wanted || !self.rules.split || !self.jobs[piece.job].can_split {
            return;
        }
        let granule = granule(&self.jobs[piece.job], self.rules);
        let moment = from + granule * self.now.saturating_sub(from).div_ceil(granule).max(1);
        if moment + granule < until {
            self.schedule(moment, worker, Action::Check(at.version));
        }
    }

    /// Cuts what is left of the unit in work into a part for everybody who asks and one to keep. What waits is given first.
    fn split(&mut self, worker: usize) {
        let (Some(piece), Some((from, until))) = (self.workers[worker].piece, self.workers[worker].running)
        else {
            return;
        };
        let mut grants = 0;
        if !self.workers[worker].queue.is_empty() && self.rules.share_within {
            grants += self.serve(worker, 0);
        }
        let at = &mut self.workers[worker];
        let (rest, mut kept, mut weight) = (until - self.now, until - self.now, piece.weight);
        if !at.asking.is_empty() && at.queue.is_empty() {
            let granule = granule(&self.jobs[piece.job], self.rules);
            let parts = (at.asking.len() as u64 + 1).min(rest.div_ceil(granule));
            let share = rest / parts;
            weight /= parts;
            let part = Piece { is_owners: false, rebuild: 0, time: share, weight, ..piece };
            at.queue.extend((1..parts).map(|_| part));
            kept = rest - share * (parts - 1);
            self.pieces[piece.job] += parts as usize - 1;
            self.outcome.splits += u64::from(parts > 1);
            grants += self.serve(worker, 0);
        }
        self.workers[worker].piece = Some(Piece { weight, ..piece });
        if grants > 0 {
            self.outcome.busy += self.now - from;
            let from = self.now + grants * self.costs.grant;
            self.set_running(worker, from, from + kept);
        }
    }

    fn end(&mut self, worker: usize) {
        let at = &mut self.workers[worker];
        let piece = at.piece.take().expect("a unit has ended");
        let (from, until) = at.running.take().expect("it has begun");
        self.outcome.busy += until - from;
        self.pieces[piece.job] -= 1;
        self.left -= usize::from(self.pieces[piece.job] == 0);
        if piece.is_owners {
            // Parts that were given away are not waited for: below the node of a unit that was split nothing is rebuilt.
            for &child in &self.jobs[piece.job].children {
                let child = self.whole(child);
                self.workers[worker].queue.push_back(child);
            }
        }
        self.next(worker);
    }

    /// Between two units (section 4.3).
    fn next(&mut self, worker: usize) {
        let at = &self.workers[worker];
        let (asked, waiting) = (at.asking.len(), at.queue.len());
        let mut delay = 0;
        if self.rules.dynamic
            && ((waiting > 1 && (asked > 0 || self.first_open().is_some()))
                || (asked > 0 && asked != at.refused))
        {
            delay = self.serve(worker, 1) * self.costs.grant;
        }
        if !self.take_front(worker, delay) {
            self.schedule(self.now + self.costs.request, worker, Action::Look);
        }
    }

    fn take_front(&mut self, worker: usize, delay: u64) -> bool {
        let Some(piece) = self.workers[worker].queue.pop_front() else { return false };
        self.workers[worker].piece = Some(piece);
        self.schedule(self.now + delay, worker, Action::Begin);
        true
    }

    fn first_open(&self) -> Option<usize> {
        self.workers.iter().position(|worker| matches!(worker.state, State::Asking { open: true, .. }))
    }

    /// Gives units to those who ask, all but `keep`. Returns how many.
    fn serve(&mut self, worker: usize, keep: usize) -> u64 {
        let mut grants = 0;
        let (waiting, asked) = (self.workers[worker].queue.len(), self.workers[worker].asking.len());
        let set = if self.rules.grant_sets { waiting / (asked.max(1) + 1) } else { 1 };
        while self.workers[worker].queue.len() > keep {
            let own = self.workers[worker].asking.front().copied();
            let Some(asking) = own.or_else(|| self.first_open()) else { break };
            let piece = self.workers[worker].queue.pop_front();
            let State::Asking { target, .. } = self.workers[asking].state else { break };
            self.workers[target].asking.retain(|&other| other != asking);
            self.workers[asking].state = State::Working;
            self.workers[asking].piece = piece;
            for _ in 1..set.min(self.workers[worker].queue.len()) {
                let more = self.workers[worker].queue.pop_front();
                self.workers[asking].queue.extend(more);
            }
            self.workers[asking].refused = 0;
            grants += 1;
            self.schedule(self.now + grants * self.costs.grant + self.costs.wake, asking, Action::Begin);
        }
        self.outcome.grants += grants;
        // What is left may be answered by anybody.
        for asking in self.workers[worker].asking.clone() {
            self.workers[asking].state = State::Asking { target: worker, open: true };
        }
        self.workers[worker].refused = self.workers[worker].asking.len();
        grants
    }

    /// With nothing in the queue: takes what is at a place where nobody is yet, or asks and sleeps.
    fn look_for_work(&mut self, worker: usize) {
        let has_units = |at: &Worker| at.state == State::Away && !at.queue.is_empty();
        let from = match has_units(&self.workers[worker]) {
            true => Some(worker),
            false if self.rules.dynamic => self.workers.iter().position(has_units),
            false => None,
        };
        if let Some(from) = from {
            let queue = std::mem::take(&mut self.workers[from].queue);
            self.workers[worker].queue = queue;
            self.workers[worker].state = State::Working;
            self.take_front(worker, 0);
            return;
        }
        self.workers[worker].state = State::Away;
        if !self.rules.dynamic {
            return;
        }
        while let Some(asking) = self.workers[worker].asking.pop_front() {
            self.ask(asking);
        }
        self.outcome.requests += 1;
        self.ask(worker);
    }

    /// Places a request with the most promising of those at work.
    fn ask(&mut self, asking: usize) {
        let count = self.workers.len();
        let mut best: Option<(usize, (bool, u64))> = None;
        // From the neighbour on, as the library does.
        for worker in (asking + 1..count).chain(0..asking) {
            if self.workers[worker].state == State::Working {
                let promise = self.promise(worker);
                if best.is_none_or(|(_, most)| promise > most) {
                    best = Some((worker, promise));
                }
            }
        }
        let (target, (waiting, _)) = best.expect("somebody works while jobs are left");
        self.workers[asking].state = State::Asking { target, open: !waiting };
        self.workers[target].asking.push_back(asking);
        self.look_at_requests(target);
    }

    /// How promising a request is: the (k+1)-th waiting unit (section 4.3), or else a share of the one in work.
    fn promise(&self, worker: usize) -> (bool, u64) {
        let at = &self.workers[worker];
        let asked = at.asking.len();
        if asked < at.queue.len() {
            return (true, at.queue[asked.min(WINDOW - 1)].weight);
        }
        (false, at.piece.map_or(0, |piece| piece.weight.max(1)) / (asked as u64 + 1))
    }
}

/// How long a part of a job is at least.
fn granule(job: &Job, rules: &Rules) -> u64 {
    let part = job.time.div_ceil(rules.granules.max(1));
    rules.granule.unwrap_or(part).max(1)
}
