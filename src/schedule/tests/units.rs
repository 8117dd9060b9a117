//! One phase: every unit once, nobody waits for ever.

use super::*;
use crate::memory::{MemoryError, counting::Counting};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Barrier;
use std::thread;

const WORKER_COUNTS: [usize; 8] = [1, 2, 3, 4, 7, 8, 16, 32];

/// Runs each test with both schedulers.
macro_rules! with_both {
    ($($test:ident)*) => {
        mod assignment { $(#[test] fn $test() { super::$test::<super::Assignment<super::Node>>() })* }
        mod stealing { $(#[test] fn $test() { super::$test::<super::Stealing<super::Node>>() })* }
    };
}

with_both! {
    every_unit_is_worked_on_once
    all_units_in_one_place
    workers_one_after_another_on_one_thread
    workers_that_never_come
    workers_that_come_late
    a_panic_leaves_nobody_waiting
    a_stop_ends_the_phase_and_those_after_it
    a_new_phase_waits_for_units_that_a_stop_has_interrupted
    a_phase_without_units_is_over
    a_place_is_taken_once
    who_leaves_gives_its_units_back
    who_is_late_for_a_phase_gets_nothing_of_the_next
    an_idle_worker_gets_what_is_shared_in_the_middle_of_a_unit
    an_idle_worker_is_served_between_units
}

/// All workers at once, each on its own thread.
fn work_in_threads<S: Scheduler<Node>>(scheduler: &S, forest: &Forest, phase: u64) {
    thread::scope(|scope| {
        for worker in 0..scheduler.worker_count() {
            scope.spawn(move || forest.work_on_all(scheduler.join(phase, worker).unwrap()));
        }
    });
}

fn every_unit_is_worked_on_once<S: Scheduler<Node>>() {
    for workers in WORKER_COUNTS {
        let scheduler = scheduler::<S>(workers);
        for phase in 0..12 {
            let forest = Forest::new(phase);
            scheduler.reset();
            // As many places as workers, or fewer, or more than one for each.
            let places = [workers, workers.div_ceil(2), 2 * workers][phase as usize % 3];
            scheduler.start(phase, (0..places).map(|place| (place % workers, forest.node(6)))).unwrap();
            work_in_threads(&scheduler, &forest, phase);
            assert_eq!(forest.check(), counted(&scheduler));
        }
    }
}

fn all_units_in_one_place<S: Scheduler<Node>>() {
    for workers in WORKER_COUNTS {
        let scheduler = scheduler::<S>(workers);
        for phase in 0..5 {
            let forest = Forest::new(phase);
            scheduler.start(phase, (0..40).map(|_| (workers - 1, forest.node(4)))).unwrap();
            work_in_threads(&scheduler, &forest, phase);
            forest.check();
        }
    }
}

fn workers_one_after_another_on_one_thread<S: Scheduler<Node>>() {
    for workers in WORKER_COUNTS {
        let scheduler = scheduler::<S>(workers);
        for (phase, backwards) in [false, true].into_iter().enumerate() {
            let phase = phase as u64;
            let forest = Forest::new(phase);
            scheduler.start(phase, (0..workers).map(|worker| (worker, forest.node(5)))).unwrap();
            for worker in 0..workers {
                let worker = if backwards { workers - 1 - worker } else { worker };
                forest.work_on_all(scheduler.join(phase, worker).unwrap());
                forest.check();
            }
        }
    }
}

fn workers_that_never_come<S: Scheduler<Node>>() {
    let scheduler = scheduler::<S>(16);
    for phase in 0..40 {
        let forest = Forest::new(phase);
        let come = 1 + phase as usize % 4;
        scheduler.start(phase, (0..16).map(|worker| (worker, forest.node(5)))).unwrap();
        thread::scope(|scope| {
            for worker in (0..16).step_by(5).take(come) {
                let (scheduler, forest) = (&scheduler, &forest);
                scope.spawn(move || forest.work_on_all(scheduler.join(phase, worker).unwrap()));
            }
        });
        forest.check();
    }
}

fn workers_that_come_late<S: Scheduler<Node>>() {
    let scheduler = scheduler::<S>(6);
    for phase in 0..40 {
        let forest = Forest::new(phase);
        scheduler.start(phase, (0..6).map(|worker| (worker, forest.node(6)))).unwrap();
        thread::scope(|scope| {
            for worker in 0..6 {
                let (scheduler, forest) = (&scheduler, &forest);
                scope.spawn(move || {
                    while forest.worked() < 40 * worker && forest.worked() < forest.next_id.load(Relaxed) {
                        thread::yield_now();
                    }
                    forest.work_on_all(scheduler.join(phase, worker).unwrap());
                });
            }
        });
        forest.check();
    }
}

fn a_panic_leaves_nobody_waiting<S: Scheduler<Node>>() {
    for workers in [1, 2, 4, 8] {
        let scheduler = scheduler::<S>(workers);
        for phase in 0..10 {
            let forest = Forest::new(phase);
            scheduler.reset();
            scheduler.start(2 * phase, (0..workers).map(|worker| (worker, forest.node(6)))).unwrap();
            let panics = AtomicUsize::new(0);
            thread::scope(|scope| {
                for worker in 0..workers {
                    let (scheduler, forest, panics) = (&scheduler, &forest, &panics);
                    scope.spawn(move || {
                        let work = AssertUnwindSafe(|| {
                            let mut seat = scheduler.join(2 * phase, worker).unwrap();
                            while let Some(node) = seat.next() {
                                forest.work(node, &mut seat);
                                if forest.worked() > 3 * phase as usize {
                                    told_to_panic();
                                }
                            }
                        });
                        panics.fetch_add(usize::from(panic::catch_unwind(work).is_err()), Relaxed);
                    });
                }
            });
            if panics.load(Relaxed) > 0 {
                assert!(scheduler.is_stopped());
            } else {
                forest.check();
            }
            // As good as new.
            scheduler.reset();
            let forest = Forest::new(phase);
            scheduler.start(2 * phase + 1, (0..workers).map(|worker| (worker, forest.node(3)))).unwrap();
            work_in_threads(&scheduler, &forest, 2 * phase + 1);
            forest.check();
        }
    }
}

fn a_stop_ends_the_phase_and_those_after_it<S: Scheduler<Node>>() {
    let scheduler = scheduler::<S>(4);
    let forest = Forest::new(1);
    scheduler.start(1, (0..400).map(|unit| (unit % 4, forest.node(0)))).unwrap();
    thread::scope(|scope| {
        for worker in 0..4 {
            let (scheduler, forest) = (&scheduler, &forest);
            scope.spawn(move || {
                let mut seat = scheduler.join(1, worker).unwrap();
                while let Some(node) = seat.next() {
                    forest.work(node, &mut seat);
                    if forest.worked() >= 20 {
                        scheduler.stop();
                    }
                }
            });
        }
    });
    // Each worker can have had one more in work.
    assert!((20..=24).contains(&forest.worked()), "{}", forest.worked());
    let worked = forest.worked();
    scheduler.start(2, [(0, forest.node(0))]).unwrap();
    work_in_threads(&scheduler, &forest, 2);
    assert_eq!(forest.worked(), worked);
    assert!(scheduler.is_stopped());
    scheduler.reset();
    assert!(!scheduler.is_stopped());
    assert_eq!(counted(&scheduler), 0);
    scheduler.start(3, [(0, forest.node(0))]).unwrap();
    work_in_threads(&scheduler, &forest, 3);
    assert_eq!(forest.worked(), worked + 1);
}

fn a_new_phase_waits_for_units_that_a_stop_has_interrupted<S: Scheduler<Node>>() {
    let scheduler = scheduler::<S>(2);
    let forest = Forest::new(1);
    scheduler.start(1, [(1, forest.node(0))]).unwrap();
    let in_work = Barrier::new(2);
    let (begun, finished) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut seat = scheduler.join(1, 1).unwrap();
            seat.next().unwrap();
            in_work.wait();
            while begun.load(Relaxed) == 0 {
                thread::yield_now();
            }
            // The other one is in `start` now, or soon; it must not take this unit for one of the new phase.
            (0..100).for_each(|_| thread::yield_now());
            seat.push(forest.node(0)).unwrap();
            finished.store(1, Relaxed);
            assert!(seat.next().is_none());
        });
        in_work.wait();
        scheduler.stop();
        assert!(scheduler.join(1, 0).unwrap().next().is_none());
        begun.store(1, Relaxed);
        scheduler.reset();
        let last = forest.node(0);
        scheduler.start(2, [(0, last)]).unwrap();
        assert_eq!(finished.load(Relaxed), 1);
        let mut seat = scheduler.join(2, 0).unwrap();
        assert_eq!(seat.next().unwrap().id, last.id);
        assert!(seat.next().is_none());
    });
}

fn a_phase_without_units_is_over<S: Scheduler<Node>>() {
    let scheduler = scheduler::<S>(3);
    for phase in 0..3 {
        scheduler.start(phase, []).unwrap();
        for worker in 0..3 {
            assert!(scheduler.join(phase, worker).unwrap().next().is_none());
        }
    }
}

fn a_place_is_taken_once<S: Scheduler<Node>>() {
    let scheduler = scheduler::<S>(2);
    let seat = scheduler.join(0, 1).unwrap();
    assert!(scheduler.join(0, 1).is_none());
    assert!(scheduler.join(0, 0).is_some());
    drop(seat);
    assert!(scheduler.join(0, 1).is_some());
}

fn who_leaves_gives_its_units_back<S: Scheduler<Node>>() {
    let scheduler = scheduler::<S>(3);
    for phase in 0..100 {
        let forest = Forest::new(phase);
        scheduler.start(phase, (0..9).map(|unit| (unit % 3, forest.node(3)))).unwrap();
        thread::scope(|scope| {
            for worker in 0..3 {
                let (scheduler, forest) = (&scheduler, &forest);
                scope.spawn(move || {
                    loop {
                        let mut seat = scheduler.join(phase, worker).unwrap();
                        // A few units, then it leaves and comes again.
                        for _ in 0..3 {
                            let Some(node) = seat.next() else { return };
                            forest.work(node, &mut seat);
                        }
                    }
                });
            }
        });
        forest.check();
    }
}

fn who_is_late_for_a_phase_gets_nothing_of_the_next<S: Scheduler<Node>>() {
    let scheduler = scheduler::<S>(2);
    let forest = Forest::new(1);
    scheduler.start(1, [(0, forest.node(0))]).unwrap();
    let mut late = scheduler.join(1, 1).unwrap();
    forest.work_on_all(scheduler.join(1, 0).unwrap());
    scheduler.start(2, [(0, forest.node(0)), (1, forest.node(0))]).unwrap();
    assert!(late.next().is_none());
    drop(late);
    assert!(scheduler.join(1, 1).unwrap().next().is_none());
    forest.work_on_all(scheduler.join(2, 1).unwrap());
    assert_eq!(forest.check(), 3);
}

/// Also shows that an idle worker is noticed when nothing waits anywhere.
fn an_idle_worker_gets_what_is_shared_in_the_middle_of_a_unit<S: Scheduler<Node>>() {
    let scheduler = scheduler::<S>(2);
    let forest = Forest::new(1);
    scheduler.start(1, [(0, forest.node(9))]).unwrap();
    thread::scope(|scope| {
        let mut seat = scheduler.join(1, 0).unwrap();
        let node = seat.next().unwrap();
        forest.worked[node.id].fetch_add(1, Relaxed);
        scope.spawn(|| {
            let mut seat = scheduler.join(1, 1).unwrap();
            while let Some(node) = seat.next() {
                forest.worked[node.id].fetch_add(1, Relaxed);
            }
        });
        for round in 0..50 {
            while !seat.wants_split() {
                thread::yield_now();
            }
            seat.push(forest.node(0)).unwrap();
            seat.share();
            while forest.worked() < 2 + round {
                thread::yield_now();
            }
        }
        assert!(seat.next().is_none());
    });
    assert_eq!(forest.check(), 51);
    assert_eq!(scheduler.counters(0).units, 1);
    assert_eq!(scheduler.counters(1).units, 50);
    assert_eq!(scheduler.counters(0).grants + scheduler.counters(1).steals, 50);
}

fn an_idle_worker_is_served_between_units<S: Scheduler<Node>>() {
    let scheduler = scheduler::<S>(2);
    let forest = Forest::new(1);
    scheduler.start(1, [(0, forest.node(9))]).unwrap();
    let other_has_one = Barrier::new(2);
    thread::scope(|scope| {
        let mut seat = scheduler.join(1, 0).unwrap();
        seat.next().unwrap();
        scope.spawn(|| {
            let mut seat = scheduler.join(1, 1).unwrap();
            seat.next().unwrap();
            other_has_one.wait();
            while seat.next().is_some() {}
        });
        while !seat.asked() {
            thread::yield_now();
        }
        seat.push(forest.node(3)).unwrap();
        seat.push(forest.node(2)).unwrap();
        seat.next().unwrap();
        // Would wait for ever if both were kept.
        other_has_one.wait();
        while seat.next().is_some() {}
    });
    assert_eq!(counted(&scheduler), 3);
}

#[test]
fn who_asks_gets_a_share_of_what_waits() {
    let scheduler = scheduler::<Assignment<Node>>(2);
    let forest = Forest::new(1);
    let waiting: Vec<Node> = (0..6).map(|_| forest.node(0)).collect();
    scheduler.start(1, [(0, forest.node(9))]).unwrap();
    thread::scope(|scope| {
        let mut busy = scheduler.join(1, 0).unwrap();
        busy.next().unwrap();
        let idle = scope.spawn(|| {
            let mut seat = scheduler.join(1, 1).unwrap();
            [(); 3].map(|()| seat.next().unwrap().id)
        });
        while !busy.asked() {
            thread::yield_now();
        }
        waiting.iter().for_each(|&node| busy.push(node).unwrap());
        // The first three are gone at once, though nobody has asked again.
        for node in &waiting[3..] {
            assert_eq!(busy.next().unwrap().id, node.id);
        }
        assert_eq!(idle.join().unwrap(), [0, 1, 2].map(|i| waiting[i].id));
        assert!(busy.next().is_none());
    });
    assert_eq!([0, 1].map(|worker| scheduler.counters(worker).grants), [3, 0]);
    assert_eq!(counted(&scheduler), 7);
}

#[test]
fn the_front_unit_is_granted_and_the_request_goes_to_the_largest() {
    let scheduler = scheduler::<Assignment<Node>>(3);
    let forest = Forest::new(1);
    let [small, large, rest_of_small, rest_of_large] = [1, 2, 3, 6].map(|depth| forest.node(depth));
    let last = forest.node(1);
    scheduler.start(1, [(0, small), (1, large)]).unwrap();
    let granted = thread::scope(|scope| {
        let mut first = scheduler.join(1, 0).unwrap();
        let mut second = scheduler.join(1, 1).unwrap();
        assert_eq!(first.next().unwrap().id, small.id);
        assert_eq!(second.next().unwrap().id, large.id);
        first.push(rest_of_small).unwrap();
        second.push(rest_of_large).unwrap();
        second.push(last).unwrap();
        let idle = scope.spawn(|| {
            let mut seat = scheduler.join(1, 2).unwrap();
            let granted = seat.next().unwrap();
            (granted.id, seat.next().is_none())
        });
        while !second.asked() {
            thread::yield_now();
        }
        assert!(!first.asked());
        // It keeps the one behind the front.
        assert_eq!(second.next().unwrap().id, last.id);
        drop(second);
        assert_eq!(first.next().unwrap().id, rest_of_small.id);
        drop(first);
        idle.join().unwrap()
    });
    assert_eq!(granted, (rest_of_large.id, true));
    let counters = [0, 1, 2].map(|worker| scheduler.counters(worker));
    assert_eq!(counters.map(|counters| counters.grants), [0, 1, 0]);
    assert_eq!(counters.map(|counters| counters.units), [2, 2, 1]);
    assert!(counters[2].requests >= 1);
}

#[test]
fn what_comes_next_is_known() {
    let scheduler = scheduler::<Assignment<Node>>(2);
    let forest = Forest::new(1);
    let [first, second, pushed] = [1, 2, 3].map(|depth| forest.node(depth));
    scheduler.start(1, [(0, first), (0, second)]).unwrap();
    let mut seat = scheduler.join(1, 0).unwrap();
    let mut coming = Some(first.id);
    for unit in [first, second, pushed] {
        let next = seat.next().unwrap().id;
        assert_eq!(next, unit.id);
        assert!(coming.is_none_or(|coming| coming == next));
        if unit.id == first.id {
            seat.push(pushed).unwrap();
        }
        coming = seat.upcoming().map(|unit| unit.id);
        assert_eq!(coming.is_none(), unit.id == pushed.id);
    }
    assert!(seat.next().is_none());
}

#[test]
fn with_room_reserved_nothing_is_allocated() {
    let counting = Counting::default();
    let memory = Memory::new(Some(counting.hook())).unwrap();
    let scheduler = Assignment::<Node>::new(memory, 4).unwrap();
    scheduler.reserve(MOST_NODES).unwrap();
    let allocations = counting.allocations.get();
    for phase in 0..20 {
        let forest = Forest::new(phase);
        scheduler.start(phase, (0..4).map(|worker| (worker, forest.node(6)))).unwrap();
        work_in_threads(&scheduler, &forest, phase);
        forest.check();
    }
    assert_eq!(counting.allocations.get(), allocations);
    drop(scheduler);
    assert_eq!(counting.bytes.get(), 0);
}

#[test]
fn lack_of_memory_is_an_error_and_leaves_no_phase() {
    let counting = Counting::default();
    let memory = Memory::new(Some(counting.hook())).unwrap();
    let scheduler = Assignment::<Node>::new(memory, 2).unwrap();
    let forest = Forest::new(1);
    counting.limit.set(Some(counting.allocations.get() + 1));
    let refused = scheduler.start(1, [(0, forest.node(0)), (1, forest.node(0))]);
    assert!(matches!(refused, Err(MemoryError::Refused { .. })));
    assert!(scheduler.join(1, 0).unwrap().next().is_none());
    // The first queue has its room.
    scheduler.start(2, [(0, forest.node(0))]).unwrap();
    let mut seat = scheduler.join(2, 0).unwrap();
    assert!(seat.next().is_some());
    let pushed = (0..100).map(|_| seat.push(forest.node(0))).take_while(Result::is_ok).count();
    assert!((1..100).contains(&pushed));
    assert_eq!(seat.queued(), pushed);
    assert_eq!((0..).take_while(|_| seat.next().is_some()).count(), pushed);
}
