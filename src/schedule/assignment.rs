//! Initial and dynamic task assignment (Kim, Heo, Yoon: *PCCD: Parallel Continuous Collision Detection*, 2008,
//! sections 4.2 and 4.3): the scheduler is embedded in the workers, and a busy one gives only when it is asked.
//!
//! Every worker works on its own queue, first in, first out. An idle one picks the busiest: the one whose
//! (k+1)-th waiting unit has the most triangles, where k requests are there already. It places a request and
//! sleeps. A busy worker looks between two units whether somebody has asked, and gives the front units of its
//! queue, which are the largest, to those who did, keeping one for itself.
//!
//! Section 4.3 speaks of k + 1 sets of about the same work for k requests, and then gives the front unit only. Here the
//! front unit comes with those behind it, up to an equal share of all that wait: where many small units wait, there are
//! fewer requests and less sleep. A tenth faster on two cores, on the scenes of `docs/scaling.md`, which predicts it for more.
//!
//! Beyond the paper: when nothing waits anywhere, the request goes to the worker with the largest unit *in
//! work*, which may then split it ([`Seat::wants_split`](super::Seat::wants_split)), and anybody else who comes to have more than one
//! unit may serve it instead. A worker that runs out of units passes the requests at its place on.
//!
//! # Who may touch what
//!
//! | what | who writes | who reads |
//! |---|---|---|
//! | `Slot::queue` | the holder of the place, see below | the same |
//! | `Slot::weights`, `waiting`, `in_work` | as `queue` | anybody, relaxed: a hint whom to ask |
//! | `Slot::woken` | the seat at the place | the same |
//! | `Slot::asked`, `open`, `ended` | who holds the lock of the lobby | anybody, relaxed: a hint to take the lock |
//! | `Lobby` | who holds its lock | the same |
//!
//! A place is in one of four states, which change under the lock only. `Working`: the seat at the place holds
//! it; the seat knows by `Seat::working`, which it sets and clears together with the state. `Asking`, `Idle`
//! and `Unclaimed` (units are there, nobody works on them): whoever has the lock holds it. So a queue always
//! has exactly one holder, and passing it on goes through the lock, which orders all accesses. (A place that has
//! been granted a unit is `Working`, but its seat sleeps until it gets the lock: as long as the giver has not let go of
//! that, the giver holds the place.)
//!
//! A busy worker whom nobody asks does relaxed loads and stores only: no lock, no atomic read-modify-write.
//! It takes the lock when it has been asked, and when it has nothing left. The paper has one lock per
//! scheduling queue. Here one lock is around all of them, because who sleeps, who is asked and whether the
//! phase is over have to be seen together. It is held for a few instructions; the search for the busiest
//! worker is done before.
//!
//! # Why the phase ends, and nobody sleeps for ever
//!
//! Under the lock these hold:
//! 1. Every unit that is not done is in work at a `Working` place, in the queue (or the grant) of one, or in
//!    the queue of an `Unclaimed` one. `working` and `unclaimed` count these places.
//! 2. Every `Asking` place is in the request list of exactly one `Working` place.
//!
//! But for a stop, a worker goes from `Working` to `Asking` or `Idle` only with an empty queue, after its last
//! unit; who leaves earlier makes its place `Unclaimed`. A grant makes the receiver `Working` before the giver,
//! who still is, lets go of the lock: the sum of both counts cannot drop to 0 while a unit is on its way. When
//! it is 0 all units are done, and the one who made it so ends the phase.
//!
//! A worker sleeps only while it is `Asking`, and tests that under the lock: who changes the state notifies
//! it afterwards, so no wake-up is lost. By 2 there is a `Working` place that it waits for: a thread in the
//! middle of a unit, or one that has been granted a unit and is about to wake up. That thread calls `next`
//! again (or drops its seat) and there either sees `asked`, or, if its relaxed load was too early, has units
//! left and looks again after the next one, or has none, takes the lock and passes all requests on. It never
//! sleeps or leaves with requests at its place. Units do not come out of nothing: since each is done some
//! time, so is the phase.
//!
//! A place that nobody has joined is `Unclaimed` or `Idle`, never waited for: its units are taken by the
//! first worker that has none.
//!
//! `None` is returned under the lock after all others have finished their last unit and taken the lock: what
//! they did is visible. A seat of an earlier phase that wakes up late sees that the phase number is not its
//! own, and touches nothing.

mod seat;

pub use seat::AssignmentSeat;

use super::queue::Queue;
use super::scheduler::{Counters, Scheduler, Tally, Unit};
use super::sync::{
    AtomicBool, AtomicU64, AtomicUsize, Condvar, Mutex, MutexGuard, Ordering::Relaxed, UnsafeCell, lock, wait,
};
use crate::memory::{Buffer, Memory, MemoryError};

/// Waiting units of a worker whose weights others can see. Fewer in models, which try every value that a load
/// may see.
const WINDOW: usize = if cfg!(loom) { 2 } else { 8 };
/// No worker.
const NOBODY: usize = usize::MAX;

/// The paper's scheduler. See the module's comment.
pub struct Assignment<U: Unit> {
    slots: Buffer<Slot<U>>,
    signals: Signals,
    lobby: Mutex<Lobby<U>>,
    /// The last worker that a stop had left in the middle of a unit is back.
    quiet: Condvar,
}

/// What all workers look at between units. Changes rarely, so that it stays in every cache.
#[repr(align(128))]
struct Signals {
    /// Requests that anybody may serve.
    open: AtomicUsize,
    /// The phase is over.
    ended: AtomicBool,
}

/// What belongs to a place, outside of the lock. Aligned, so that neighbours do not share a cache line.
#[repr(align(128))]
struct Slot<U: Unit> {
    /// Requests in this worker's scheduling queue.
    asked: AtomicUsize,
    /// Weight of the unit in work, 0 if there is none.
    in_work: AtomicU64,
    /// Units in the queue.
    waiting: AtomicUsize,
    /// Weights of the first of them.
    weights: [AtomicU64; WINDOW],
    queue: UnsafeCell<Queue<U>>,
    /// Whom to wake as soon as the lock is free again.
    woken: UnsafeCell<Buffer<usize>>,
    wake: Condvar,
    tally: Tally,
}

// SAFETY: all but `queue` and `woken` is made for sharing. These have one user at a time, see the module's
// comment, and users follow each other through the lock. Units change threads, hence they are `Send` (part of
// `Unit`).
unsafe impl<U: Unit> Sync for Slot<U> {}

/// Who works, who asks whom.
struct Lobby<U> {
    /// The caller's number of the current one.
    phase: u64,
    over: bool,
    stopped: bool,
    /// Places that are `Working`.
    working: usize,
    /// Places that are `Unclaimed`.
    unclaimed: usize,
    places: Buffer<Place<U>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Idle,
    Unclaimed,
    Working,
    Asking,
}

#[derive(Clone, Copy)]
struct Place<U> {
    state: State,
    /// A seat is there.
    taken: bool,
    /// What was granted, until its new owner wakes up.
    grant: Option<U>,
    /// While asking: whom, and whether anybody else may answer.
    target: usize,
    open: bool,
    /// The scheduling queue: those who ask this worker, in order, linked by `next`.
    first: usize,
    last: usize,
    next: usize,
}

impl<U: Unit> Slot<U> {
    fn new(memory: &Memory, worker_count: usize) -> Result<Slot<U>, MemoryError> {
        let mut woken = Buffer::new(memory.clone());
        woken.reserve_exact(worker_count)?;
        Ok(Slot {
            asked: AtomicUsize::new(0),
            in_work: AtomicU64::new(0),
            waiting: AtomicUsize::new(0),
            weights: std::array::from_fn(|_| AtomicU64::new(0)),
            queue: UnsafeCell::new(Queue::new(memory.clone())),
            woken: UnsafeCell::new(woken),
            wake: Condvar::new(),
            tally: Tally::default(),
        })
    }

    /// Shows others that nothing is here.
    fn publish_nothing(&self) {
        self.waiting.store(0, Relaxed);
        self.in_work.store(0, Relaxed);
    }

    /// Shows others what waits here.
    fn publish(&self, queue: &Queue<U>) {
        for (index, weight) in self.weights.iter().enumerate() {
            let Some(unit) = queue.get(index) else { break };
            weight.store(unit.weight(), Relaxed);
        }
        self.waiting.store(queue.len(), Relaxed);
    }

    fn begin(&self, unit: &U) {
        self.in_work.store(unit.weight().max(1), Relaxed);
    }

    /// How promising a request here is: the (k+1)-th waiting unit, k requests being here already (section
    /// 4.3); if there is no such unit, a share of the one in work, which counts less than any that waits.
    fn promise(&self) -> (bool, u64) {
        let asked = self.asked.load(Relaxed);
        if asked < self.waiting.load(Relaxed) {
            return (true, self.weights[asked.min(WINDOW - 1)].load(Relaxed));
        }
        (false, self.in_work.load(Relaxed) / (asked as u64 + 1))
    }
}

impl<U: Unit> Assignment<U> {
    /// # Safety
    /// The caller holds this place (see the module's comment), and does not ask for the same queue inside
    /// `look`.
    unsafe fn queue<R>(&self, worker: usize, look: impl FnOnce(&mut Queue<U>) -> R) -> R {
        // SAFETY: promised by the caller.
        self.slots[worker].queue.with_mut(|queue| look(unsafe { &mut *queue }))
    }

    /// Whom to ask: the most promising of the workers that are `eligible`, and whether it has a unit to give.
    fn busiest(&self, asking: usize, eligible: impl Fn(usize) -> bool) -> Option<(usize, bool)> {
        let count = self.slots.len();
        let mut best: Option<(usize, (bool, u64))> = None;
        // From the neighbour on, so that equally good ones are not all asked in the same order.
        for worker in (asking + 1..count).chain(0..asking) {
            if eligible(worker) {
                let promise = self.slots[worker].promise();
                if best.is_none_or(|(_, most)| promise > most) {
                    best = Some((worker, promise));
                }
            }
        }
        best.map(|(worker, (waiting, _))| (worker, waiting))
    }

    /// Places a request for `asking`, who thereby has to sleep. Somebody else is working.
    fn ask(&self, lobby: &mut Lobby<U>, asking: usize, guess: Option<(usize, bool)>) {
        let places = &mut lobby.places;
        let guess = guess.filter(|&(target, _)| places[target].state == State::Working);
        let (target, waiting) = guess
            .or_else(|| self.busiest(asking, |worker| places[worker].state == State::Working))
            .expect("who has nothing to wait for does not ask");
        let place = &mut places[asking];
        (place.state, place.target, place.open, place.next) = (State::Asking, target, !waiting, NOBODY);
        match places[target].last {
            NOBODY => places[target].first = asking,
            last => places[last].next = asking,
        }
        places[target].last = asking;
        add(&self.slots[target].asked, 1);
        add(&self.signals.open, usize::from(!waiting));
    }

    /// Takes a request back: `asking` is `Idle` after it.
    fn withdraw(&self, lobby: &mut Lobby<U>, asking: usize) {
        let places = &mut lobby.places;
        let Place { target, open, next, .. } = places[asking];
        let mut before = NOBODY;
        let mut at = places[target].first;
        while at != asking {
            (before, at) = (at, places[at].next);
        }
        match before {
            NOBODY => places[target].first = next,
            _ => places[before].next = next,
        }
        if places[target].last == asking {
            places[target].last = before;
        }
        places[asking].state = State::Idle;
        subtract(&self.slots[target].asked, 1);
        subtract(&self.signals.open, usize::from(open));
    }

    /// Gives a unit to a worker that asks.
    fn grant(&self, lobby: &mut Lobby<U>, asking: usize, unit: U) {
        self.withdraw(lobby, asking);
        lobby.places[asking].state = State::Working;
        lobby.places[asking].grant = Some(unit);
        lobby.working += 1;
        // So that it can be found busy before it has woken up.
        self.slots[asking].begin(&unit);
    }

    /// The end of the phase: nobody asks any more. Those to be woken are told to `wake`.
    fn end(&self, lobby: &mut Lobby<U>, mut wake: impl FnMut(usize)) {
        lobby.over = true;
        self.signals.ended.store(true, Relaxed);
        for worker in 0..lobby.places.len() {
            if lobby.places[worker].state == State::Asking {
                self.withdraw(lobby, worker);
                wake(worker);
            }
        }
    }

    /// The worker has no unit left and is `Idle` after it. Whoever asked it asks somebody else; if there is
    /// nobody, all units are done.
    fn run_dry(&self, lobby: &mut Lobby<U>, worker: usize, mut wake: impl FnMut(usize)) {
        lobby.places[worker].state = State::Idle;
        lobby.working -= 1;
        if lobby.working + lobby.unclaimed == 0 {
            self.end(lobby, wake);
            return;
        }
        while let asking @ 0..NOBODY = lobby.places[worker].first {
            self.withdraw(lobby, asking);
            if lobby.working > 0 {
                self.ask(lobby, asking, None);
            } else {
                // There are units that nobody works on: it may have them.
                wake(asking);
            }
        }
    }

    /// A worker comes back after a stop.
    fn retire(&self, lobby: &mut Lobby<U>, worker: usize) {
        lobby.places[worker].state = State::Idle;
        lobby.places[worker].grant = None;
        lobby.working -= 1;
        if lobby.working == 0 {
            self.quiet.notify_all();
        }
    }

    /// Waits until no place is `Working`: then whoever has the lock holds them all.
    fn lock_all(&self) -> MutexGuard<'_, Lobby<U>> {
        let mut lobby = lock(&self.lobby);
        while lobby.working > 0 {
            lobby = wait(&self.quiet, lobby);
        }
        lobby
    }
}

/// A counter that only changes under the lock needs no atomic addition.
fn add(counter: &AtomicUsize, more: usize) {
    counter.store(counter.load(Relaxed) + more, Relaxed);
}

fn subtract(counter: &AtomicUsize, less: usize) {
    counter.store(counter.load(Relaxed) - less, Relaxed);
}

impl<U: Unit> Scheduler<U> for Assignment<U> {
    type Seat<'a>
        = AssignmentSeat<'a, U>
    where
        U: 'a;

    fn new(memory: Memory, worker_count: usize) -> Result<Self, MemoryError> {
        let mut slots = Buffer::new(memory.clone());
        let mut places = Buffer::new(memory.clone());
        slots.reserve_exact(worker_count)?;
        places.reserve_exact(worker_count)?;
        for _ in 0..worker_count {
            slots.push(Slot::new(&memory, worker_count)?)?;
            let state = State::Idle;
            let [target, first, last, next] = [NOBODY; 4];
            places.push(Place {
                state,
                taken: false,
                grant: None,
                target,
                open: false,
                first,
                last,
                next,
            })?;
        }
        let signals = Signals { open: AtomicUsize::new(0), ended: AtomicBool::new(true) };
        let lobby = Lobby { phase: 0, over: true, stopped: false, working: 0, unclaimed: 0, places };
        Ok(Assignment { slots, signals, lobby: Mutex::new(lobby), quiet: Condvar::new() })
    }

    fn worker_count(&self) -> usize {
        self.slots.len()
    }

    fn reserve(&self, waiting: usize) -> Result<(), MemoryError> {
        let _lobby = self.lock_all();
        for worker in 0..self.slots.len() {
            // SAFETY: who has the lock while nobody works holds all places.
            unsafe { self.queue(worker, |queue| queue.reserve(waiting)) }?;
        }
        Ok(())
    }

    fn reset(&self) {
        let mut lobby = self.lock_all();
        lobby.stopped = false;
        self.slots.iter().for_each(|slot| slot.tally.reset());
    }

    fn start(&self, phase: u64, units: impl IntoIterator<Item = (usize, U)>) -> Result<(), MemoryError> {
        let mut lobby = self.lock_all();
        assert!(lobby.over, "a phase begins after the one before");
        // The scheduling queues are empty: nobody asks in a phase that is over.
        lobby.phase = phase;
        lobby.unclaimed = 0;
        for worker in 0..self.slots.len() {
            // SAFETY: who has the lock while nobody works holds all places. This empties what a stop has left.
            unsafe { self.queue(worker, Queue::clear) };
            self.slots[worker].publish_nothing();
            lobby.places[worker].state = State::Idle;
        }
        if lobby.stopped {
            return Ok(());
        }
        for (worker, unit) in units {
            // SAFETY: as above.
            if let Err(error) = unsafe { self.queue(worker, |queue| queue.push_back(unit)) } {
                lobby.unclaimed = 0;
                lobby.places.iter_mut().for_each(|place| place.state = State::Idle);
                return Err(error);
            }
            if lobby.places[worker].state == State::Idle {
                lobby.places[worker].state = State::Unclaimed;
                lobby.unclaimed += 1;
            }
        }
        lobby.over = lobby.unclaimed == 0;
        self.signals.ended.store(lobby.over, Relaxed);
        Ok(())
    }

    fn join(&self, phase: u64, worker: usize) -> Option<AssignmentSeat<'_, U>> {
        let mut lobby = lock(&self.lobby);
        if std::mem::replace(&mut lobby.places[worker].taken, true) {
            return None;
        }
        Some(AssignmentSeat::new(self, phase, worker))
    }

    fn stop(&self) {
        let mut lobby = lock(&self.lobby);
        lobby.stopped = true;
        self.end(&mut lobby, |worker| self.slots[worker].wake.notify_one());
    }

    fn is_stopped(&self) -> bool {
        lock(&self.lobby).stopped
    }

    fn counters(&self, worker: usize) -> Counters {
        self.slots[worker].tally.read()
    }
}
