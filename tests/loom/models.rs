//! Models of the scheduling core: loom runs each under every order in which its threads may act and every
//! value that their relaxed loads may see, and reports deadlocks (a lost wake-up is one) and unordered
//! accesses to the queues.
//!
//! `make loom` runs them.
//!
//! The number of times that a thread is interrupted against its will is bounded, by 1 to 3 as each model
//! says, so that all together take about a minute; `LOOM_MAX_PREEMPTIONS` sets another bound. The deques of
//! the work-stealing scheduler are replaced by locked ones: for it only the parking is modelled.

use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use loom::sync::{Arc, Mutex};
use loom::thread;
use pccd_loom::memory::Memory;
use pccd_loom::schedule::{Assignment, Phases, Program, Scheduler, Seat, Stealing, Unit};

/// `units` more come out of it, when it is worked on.
#[derive(Clone, Copy)]
struct Nest {
    units: usize,
}

impl Unit for Nest {
    fn weight(&self) -> u64 {
        self.units as u64 + 1
    }
}

const EMPTY: Nest = Nest { units: 0 };

fn model(preemptions: usize, run: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = builder.preemption_bound.or(Some(preemptions));
    builder.check(run);
}

fn scheduler<S: Scheduler<Nest>>(workers: usize) -> Arc<S> {
    Arc::new(S::new(Memory::new(None).unwrap(), workers).unwrap())
}

/// Counts units without ordering anything: the scheduler has to.
fn work_on_all(mut seat: impl Seat<Nest>) -> usize {
    let mut worked = 0;
    while let Some(unit) = seat.next() {
        worked += 1;
        for _ in 0..unit.units {
            seat.push(EMPTY).unwrap();
        }
    }
    worked
}

/// Workers from 1 on threads, worker 0 here; the sum of what they return.
fn with_workers<S: Scheduler<Nest> + Send + Sync + 'static>(
    scheduler: &Arc<S>,
    workers: usize,
    body: impl Fn(&S, usize) -> usize + Copy + Send + 'static,
) -> usize {
    let threads: Vec<_> = (1..workers)
        .map(|worker| {
            let scheduler = scheduler.clone();
            thread::spawn(move || body(&scheduler, worker))
        })
        .collect();
    let mine = body(scheduler, 0);
    mine + threads.into_iter().map(|thread| thread.join().unwrap()).sum::<usize>()
}

fn every_unit_once<S: Scheduler<Nest> + Send + Sync + 'static>(
    workers: usize,
    preemptions: usize,
    units: &'static [(usize, Nest)],
) {
    model(preemptions, move || {
        let scheduler = scheduler::<S>(workers);
        scheduler.start(1, units.iter().copied()).unwrap();
        let worked = with_workers(&scheduler, workers, |scheduler, worker| {
            work_on_all(scheduler.join(1, worker).unwrap())
        });
        assert_eq!(worked, units.iter().map(|(_, unit)| 1 + unit.units).sum());
    });
}

/// Worker 1 has nothing and asks; worker 0 has something to give after its first unit.
#[test]
fn request_and_grant() {
    every_unit_once::<Assignment<Nest>>(2, 3, &[(0, Nest { units: 2 })]);
}

/// As before, but with so many units that who asks gets some of them at once, the others in its queue while it sleeps.
#[test]
fn a_set_is_granted() {
    every_unit_once::<Assignment<Nest>>(2, 1, &[(0, Nest { units: 4 })]);
}

/// Both run dry at any time, and the last one ends the phase.
#[test]
fn end_of_phase() {
    every_unit_once::<Assignment<Nest>>(2, 3, &[(0, EMPTY), (1, EMPTY)]);
}

#[test]
fn three_workers() {
    every_unit_once::<Assignment<Nest>>(3, 1, &[(0, Nest { units: 1 }), (1, EMPTY)]);
}

/// The one asked runs dry while another one is in the middle of a unit. (One thread has the places of both,
/// which saves interruptions.)
#[test]
fn requests_are_passed_on() {
    model(3, || {
        let scheduler = scheduler::<Assignment<Nest>>(3);
        scheduler.start(1, [(0, EMPTY), (1, EMPTY)]).unwrap();
        let mut seats = [0, 1].map(|worker| scheduler.join(1, worker).unwrap());
        seats.iter_mut().for_each(|seat| assert!(seat.next().is_some()));
        let idle = {
            let scheduler = scheduler.clone();
            thread::spawn(move || work_on_all(scheduler.join(1, 2).unwrap()))
        };
        let [dry, mut busy] = seats;
        drop(dry);
        busy.push(EMPTY).unwrap();
        busy.share();
        let mine = work_on_all(busy);
        assert_eq!(mine + idle.join().unwrap(), 1);
    });
}

/// Two ask the same, and both have to be woken.
#[test]
fn two_requests_at_one_worker() {
    every_unit_once::<Assignment<Nest>>(3, 2, &[(0, EMPTY)]);
}

#[test]
fn stealing_parks_and_ends() {
    every_unit_once::<Stealing<Nest>>(2, 3, &[(0, Nest { units: 2 })]);
}

/// Somebody stops the run and begins the next while a worker, in the middle of its last unit, does not see the stop yet: that worker has to tell when it is done, though it
/// knows of nobody who waits. (It once looked at a flag first, without the lock, could see its old value, and kept silent for ever.)
#[test]
fn stealing_tells_who_waits_for_its_rest() {
    model(3, || {
        let scheduler = scheduler::<Stealing<Nest>>(2);
        // The other unit is there so that the worker's is not the last one: who finishes that takes the lock anyway.
        scheduler.start(1, [(0, EMPTY), (1, EMPTY)]).unwrap();
        let worker = {
            let scheduler = scheduler.clone();
            thread::spawn(move || work_on_all(scheduler.join(1, 1).unwrap()))
        };
        scheduler.stop();
        scheduler.start(2, [(0, EMPTY)]).unwrap();
        assert!(worker.join().unwrap() <= 2);
    });
}

/// The one in work is split as soon as somebody is seen to wait, and the parts are given in the middle of it.
#[test]
fn sharing_in_the_middle_of_a_unit() {
    model(3, || {
        let scheduler = scheduler::<Assignment<Nest>>(2);
        scheduler.start(1, [(0, EMPTY)]).unwrap();
        let pushed = Arc::new(AtomicUsize::new(0));
        let other = {
            let scheduler = scheduler.clone();
            thread::spawn(move || work_on_all(scheduler.join(1, 1).unwrap()))
        };
        let mut seat = scheduler.join(1, 0).unwrap();
        let mut worked = 0;
        while seat.next().is_some() {
            worked += 1;
            if worked == 1 && seat.wants_split() {
                seat.push(EMPTY).unwrap();
                seat.share();
                pushed.fetch_add(1, Relaxed);
            }
        }
        drop(seat);
        assert_eq!(worked + other.join().unwrap(), 1 + pushed.load(Relaxed));
    });
}

/// A stop from a third thread reaches workers wherever they are, and the next phase begins only when they are
/// back.
#[test]
fn stop() {
    model(2, || {
        let scheduler = scheduler::<Assignment<Nest>>(2);
        scheduler.start(1, [(0, Nest { units: 1 })]).unwrap();
        let stopper = {
            let scheduler = scheduler.clone();
            thread::spawn(move || scheduler.stop())
        };
        let worker = {
            let scheduler = scheduler.clone();
            thread::spawn(move || work_on_all(scheduler.join(1, 1).unwrap()))
        };
        let worked = work_on_all(scheduler.join(1, 0).unwrap());
        scheduler.start(2, [(1, EMPTY)]).unwrap();
        assert!(worked + worker.join().unwrap() <= 2);
        stopper.join().unwrap();
        assert!(scheduler.is_stopped());
    });
}

/// Who leaves in the middle leaves its units to whoever stays, asleep or not.
#[test]
fn leaving() {
    model(3, || {
        let scheduler = scheduler::<Assignment<Nest>>(2);
        scheduler.start(1, [(0, Nest { units: 2 }), (0, EMPTY)]).unwrap();
        let worker = {
            let scheduler = scheduler.clone();
            thread::spawn(move || work_on_all(scheduler.join(1, 1).unwrap()))
        };
        let mut seat = scheduler.join(1, 0).unwrap();
        let mine = seat.next();
        for _ in 0..mine.map_or(0, |unit| unit.units) {
            seat.push(EMPTY).unwrap();
        }
        drop(seat);
        assert_eq!(worker.join().unwrap() + usize::from(mine.is_some()), 4);
    });
}

/// A phase begins while the workers of the one before have not woken up yet.
#[test]
fn the_next_phase_overtakes_late_workers() {
    model(2, || {
        let scheduler = scheduler::<Assignment<Nest>>(2);
        scheduler.start(1, [(0, EMPTY)]).unwrap();
        let worker = {
            let scheduler = scheduler.clone();
            thread::spawn(move || {
                let first = work_on_all(scheduler.join(1, 1).unwrap());
                first + work_on_all(scheduler.join(2, 1).unwrap())
            })
        };
        let first = work_on_all(scheduler.join(1, 0).unwrap());
        scheduler.start(2, [(1, EMPTY), (0, EMPTY)]).unwrap();
        let second = work_on_all(scheduler.join(2, 0).unwrap());
        assert_eq!(first + second + worker.join().unwrap(), 3);
    });
}

/// Two phases of one unit each, without a scheduler. Before and during each phase a cell is written that
/// nothing but the phases protects.
struct Plain {
    units: [Mutex<bool>; 2],
    written: UnsafeCell<usize>,
    waits: bool,
}

// SAFETY: loom checks that accesses to the cell are ordered.
unsafe impl Sync for Plain {}

impl Plain {
    fn write(&self) {
        // SAFETY: checked by loom, which is what the model is for.
        self.written.with_mut(|written| unsafe { *written += 1 });
    }
}

impl Program for Plain {
    fn begin(&self, phase: usize) -> bool {
        self.write();
        phase < 2
    }

    fn work(&self, phase: usize, _worker: usize) {
        // Whoever comes second waits until the unit is done.
        let mut done = self.units[phase].lock().unwrap();
        if !std::mem::replace(&mut *done, true) {
            self.write();
        }
    }

    fn waits_for_all(&self, _phase: usize) -> bool {
        self.waits
    }
}

fn plain(waits: bool) -> Arc<(Phases, Plain)> {
    let phases = Phases::new(Memory::new(None).unwrap(), 2).unwrap();
    phases.open();
    let units = [Mutex::new(false), Mutex::new(false)];
    Arc::new((phases, Plain { units, written: UnsafeCell::new(0), waits }))
}

fn hand_over_plain(waits: bool) {
    model(3, move || {
        let run = plain(waits);
        let other = {
            let run = run.clone();
            thread::spawn(move || run.0.participate(&run.1, 1))
        };
        assert!(run.0.participate(&run.1, 0));
        assert!(other.join().unwrap());
        run.1.write();
        // SAFETY: the threads have ended.
        assert_eq!(run.1.written.with(|written| unsafe { *written }), 6);
    });
}

#[test]
fn phases_are_handed_over() {
    hand_over_plain(false);
}

#[test]
fn phases_are_handed_over_with_waiting() {
    hand_over_plain(true);
}

/// A donated thread comes at any time, or too late; the owner returns when it has left.
#[test]
fn donated_thread() {
    model(3, || {
        let run = plain(false);
        let donated = {
            let run = run.clone();
            thread::spawn(move || run.0.donate(&run.1))
        };
        assert!(run.0.finish(&run.1));
        // Nobody is inside any more, though the thread may not have ended.
        run.1.write();
        donated.join().unwrap();
    });
}

/// Two phases, each with a unit for everybody; `begin` looks at what was done before, without any ordering of
/// its own.
struct TwoPhases {
    scheduler: Arc<Assignment<Nest>>,
    worked: AtomicUsize,
    waits: bool,
}

impl Program for TwoPhases {
    fn begin(&self, phase: usize) -> bool {
        assert_eq!(self.worked.load(Relaxed), phase * 2);
        self.scheduler.start(phase as u64 + 1, [(0, EMPTY), (1, EMPTY)]).unwrap();
        phase < 2
    }

    fn work(&self, phase: usize, worker: usize) {
        let mut seat = self.scheduler.join(phase as u64 + 1, worker).unwrap();
        while seat.next().is_some() {
            self.worked.fetch_add(1, Relaxed);
        }
    }

    fn waits_for_all(&self, _phase: usize) -> bool {
        self.waits
    }
}

fn two_phases(waits: bool) -> Arc<(Phases, TwoPhases)> {
    let phases = Phases::new(Memory::new(None).unwrap(), 2).unwrap();
    phases.open();
    Arc::new((phases, TwoPhases { scheduler: scheduler(2), worked: AtomicUsize::new(0), waits }))
}

/// Phases and scheduler together.
#[test]
fn phases_with_a_scheduler() {
    for waits in [false, true] {
        model(1, move || {
            let run = two_phases(waits);
            let other = {
                let run = run.clone();
                thread::spawn(move || run.0.participate(&run.1, 1))
            };
            assert!(run.0.participate(&run.1, 0));
            assert!(other.join().unwrap());
            assert_eq!(run.1.worked.load(Relaxed), 4);
        });
    }
}
