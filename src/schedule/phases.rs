//! A run as a sequence of phases, worked on by whoever is there.

use super::sync::{Condvar, Mutex, MutexGuard, lock, wait};
use crate::memory::{Buffer, Memory, MemoryError};

/// What a run does.
pub trait Program: Sync {
    /// The serial part before phase `phase`, called once, by one of the workers. False: there is no such
    /// phase, the run is over.
    ///
    /// All units of the phase before are done, or it was stopped. But other workers may not have returned
    /// from its `work` yet, or even be about to enter it, unless [`waits_for_all`](Program::waits_for_all).
    fn begin(&self, phase: usize) -> bool;

    /// Works on a phase, as worker `worker`, and returns when all its units are done. Who comes late enters
    /// the current phase only.
    fn work(&self, phase: usize, worker: usize);

    /// Whether `begin(phase)` has to wait until all workers have left the phase before: costs the time in
    /// which the last of them wakes up. A constant.
    fn waits_for_all(&self, _phase: usize) -> bool {
        false
    }
}

/// A run that threads can work on and cancel.
pub trait OpenRun: Program {
    fn phases(&self) -> &Phases;

    /// Ends the run soon, from any thread.
    fn cancel(&self);

    /// Takes part as worker `worker`, for crews whose workers have numbers.
    fn participate(&self, worker: usize) {
        self.phases().participate(self, worker);
    }

    /// Takes part, if there is a place left.
    fn donate(&self) {
        self.phases().donate(self);
    }

    /// Takes part, then waits until all donated threads have left. False when a panic broke the run off.
    fn finish(&self) -> bool {
        self.phases().finish(self)
    }
}

/// Leads workers through the phases of a [`Program`]. The first one for whom a phase is over begins the next;
/// so the run never waits for workers that have not come, and one alone is enough.
pub struct Phases {
    state: Mutex<State>,
    /// A phase has begun, all have left one, or the run is over.
    changed: Condvar,
    /// The last one is outside.
    left: Condvar,
}

struct State {
    step: Step,
    phase: usize,
    /// Workers in the current phase's `work` or an earlier one's.
    at_work: usize,
    /// Workers that take part in the run.
    inside: usize,
    /// Somebody panicked: the run has ended in the middle.
    broken: bool,
    /// Places for donated threads.
    free: Buffer<usize>,
    worker_count: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Nothing has been done yet.
    Fresh,
    /// Somebody is in `begin`.
    Beginning,
    /// The phase can be worked on.
    Open,
    Over,
}

impl Phases {
    /// Phases for at most `worker_count` workers; no run is open.
    pub fn new(memory: Memory, worker_count: usize) -> Result<Phases, MemoryError> {
        let mut free = Buffer::new(memory);
        free.reserve_exact(worker_count)?;
        let state =
            State { step: Step::Over, phase: 0, at_work: 0, inside: 0, broken: false, free, worker_count };
        Ok(Phases { state: Mutex::new(state), changed: Condvar::new(), left: Condvar::new() })
    }

    /// Opens a run: from now on workers may take part.
    ///
    /// # Panics
    /// When somebody still takes part in the one before.
    pub fn open(&self) {
        let mut state = lock(&self.state);
        assert!(state.inside == 0, "a run begins after the one before");
        (state.step, state.phase, state.broken) = (Step::Fresh, 0, false);
        state.free.clear();
        for worker in (0..state.worker_count).rev() {
            state.free.push(worker).expect("there is room for all workers");
        }
    }

    /// Takes part in the run as worker `worker` until it is over: for threads that have a number. Nobody else
    /// may have the same, which excludes [`donate`](Phases::donate) and [`finish`](Phases::finish) in the
    /// same run. False when a panic has broken the run off.
    pub fn participate(&self, program: &(impl Program + ?Sized), worker: usize) -> bool {
        self.take_part(lock(&self.state), program, worker, None)
    }

    /// Takes part in the run until it is over, at a place that is free. Returns at once when there is none,
    /// or no run.
    pub fn donate(&self, program: &(impl Program + ?Sized)) {
        let mut state = lock(&self.state);
        if state.step != Step::Over
            && let Some(worker) = state.free.pop()
        {
            self.take_part(state, program, worker, Some(worker));
        }
    }

    /// As the owner of the run: takes part in it, then waits until all donated threads have left. After it
    /// nobody looks at the program any more. False when a panic has broken the run off.
    pub fn finish(&self, program: &(impl Program + ?Sized)) -> bool {
        // If all places are taken, those there do the work. Should a panic come out of this, then only after
        // the others have left, too.
        let outside = WaitUntilLeft(self);
        self.donate(program);
        drop(outside);
        !lock(&self.state).broken
    }

    /// Ends the run before it has begun, or between phases: nobody takes up another one. The phase in work is
    /// not interrupted; that is for its scheduler.
    pub fn cancel(&self) {
        lock(&self.state).step = Step::Over;
        self.changed.notify_all();
    }

    fn take_part(
        &self,
        mut state: MutexGuard<'_, State>,
        program: &(impl Program + ?Sized),
        worker: usize,
        place: Option<usize>,
    ) -> bool {
        state.inside += 1;
        drop(state);
        let mut visit = Visit { phases: self, place, at_work: false, in_order: false };
        let mut worked = None;
        let mut state = lock(&self.state);
        loop {
            match state.step {
                Step::Over => break,
                Step::Beginning => state = wait(&self.changed, state),
                Step::Fresh => state = self.begin(state, program, 0),
                Step::Open if worked == Some(state.phase) => {
                    let next = state.phase + 1;
                    state = self.begin(state, program, next);
                }
                Step::Open => {
                    let phase = state.phase;
                    state.at_work += 1;
                    visit.at_work = true;
                    drop(state);
                    program.work(phase, worker);
                    state = lock(&self.state);
                    visit.at_work = false;
                    self.leave_work(&mut state);
                    worked = Some(phase);
                }
            }
        }
        let broken = state.broken;
        drop(state);
        visit.in_order = true;
        !broken
    }

    /// Begins a phase. A panic of the program is dealt with by `Visit`.
    fn begin<'a>(
        &'a self,
        mut state: MutexGuard<'a, State>,
        program: &(impl Program + ?Sized),
        phase: usize,
    ) -> MutexGuard<'a, State> {
        state.step = Step::Beginning;
        while state.at_work > 0 && program.waits_for_all(phase) && state.step == Step::Beginning {
            state = wait(&self.changed, state);
        }
        if state.step == Step::Beginning {
            drop(state);
            let more = program.begin(phase);
            state = lock(&self.state);
            // Unless it has been cancelled.
            if state.step == Step::Beginning {
                state.step = if more { Step::Open } else { Step::Over };
                state.phase = phase;
            }
        }
        self.changed.notify_all();
        state
    }

    fn leave_work(&self, state: &mut State) {
        state.at_work -= 1;
        if state.at_work == 0 && state.step == Step::Beginning {
            self.changed.notify_all();
        }
    }
}

/// A worker inside; leaves when dropped, panic or not.
struct Visit<'a> {
    phases: &'a Phases,
    place: Option<usize>,
    at_work: bool,
    in_order: bool,
}

impl Drop for Visit<'_> {
    fn drop(&mut self) {
        let mut state = lock(&self.phases.state);
        if !self.in_order {
            state.broken = true;
            state.step = Step::Over;
            self.phases.changed.notify_all();
        }
        if self.at_work {
            self.phases.leave_work(&mut state);
        }
        if let Some(place) = self.place {
            state.free.push(place).expect("it was there before");
        }
        state.inside -= 1;
        if state.inside == 0 {
            // Under the lock: whoever waits for this may free the phases afterwards.
            self.phases.left.notify_all();
        }
    }
}

struct WaitUntilLeft<'a>(&'a Phases);

impl Drop for WaitUntilLeft<'_> {
    fn drop(&mut self) {
        let mut state = lock(&self.0.state);
        while state.inside > 0 {
            state = wait(&self.0.left, state);
        }
    }
}
