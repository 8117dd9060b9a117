//! Models of the buffer between the phases of the pipeline, and of a split that changes while workers are at it: loom runs each under every order in which
//! its threads may act, and reports deadlocks (a lost wake-up is one) and unordered accesses to the slots.
//!
//! `make loom` runs them.

use loom::sync::Arc;
use loom::thread;
use pccd_loom::memory::Memory;
use pccd_loom::pipeline::buffer::Ring;
use pccd_loom::pipeline::crossing::{Crossing, Task};

fn model(preemptions: usize, run: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = builder.preemption_bound.or(Some(preemptions));
    builder.check(run);
}

fn ring(capacity: usize) -> Arc<Ring<u32>> {
    Arc::new(Ring::new(&Memory::new(None).unwrap(), capacity).unwrap())
}

/// Two put, one takes: the slots come round again.
#[test]
fn ring_of_one_slot() {
    model(3, || {
        let ring = ring(1);
        let other = {
            let ring = ring.clone();
            thread::spawn(move || u32::from(ring.push(1).is_ok()))
        };
        let mine = if ring.push(2).is_ok() { 2 } else { 0 };
        let taken: u32 = ring.pop().unwrap_or(0);
        let theirs = other.join().unwrap();
        let rest = ring.pop().unwrap_or(0);
        assert_eq!(taken + rest, mine + theirs);
        assert!(ring.pop().is_none() && ring.is_empty());
    });
}

/// Two take what one puts: each value once.
#[test]
fn each_value_is_taken_once() {
    model(3, || {
        let ring = ring(2);
        let takers: Vec<_> = (0..2)
            .map(|_| {
                let ring = ring.clone();
                thread::spawn(move || ring.pop().unwrap_or(0))
            })
            .collect();
        ring.push(1).unwrap();
        ring.push(2).unwrap();
        let taken: u32 = takers.into_iter().map(|taker| taker.join().unwrap()).sum();
        let rest: u32 = std::iter::from_fn(|| ring.pop()).sum();
        assert_eq!(taken + rest, 3);
    });
}

/// A worker as the step has it: every unit yields as many values as its number says, plus one, and what does not fit the buffer is done at once. Returns how many values it got.
fn work(crossing: &Crossing<u32>, worker: usize) -> usize {
    let mut tested = 0;
    while let Some(task) = crossing.next(worker) {
        match task {
            Task::Narrow(_) => tested += 1,
            Task::Broad(unit) => {
                for value in 0..unit as u32 + 1 {
                    tested += usize::from(crossing.offer(value).is_err());
                }
                crossing.unit_done();
            }
        }
    }
    tested
}

fn crossing(units: usize, split: usize, stay: bool, capacity: usize) -> Arc<Crossing<u32>> {
    let crossing = Crossing::new(&Memory::new(None).unwrap(), capacity).unwrap();
    crossing.open(units, split, stay);
    Arc::new(crossing)
}

/// One produces, one consumes, which sleeps while there is nothing: nothing is lost, and both come to an end.
#[test]
fn both_phases_to_the_end() {
    for stay in [false, true] {
        model(2, move || {
            let crossing = crossing(1, 1, stay, 2);
            let other = {
                let crossing = crossing.clone();
                thread::spawn(move || work(&crossing, 1))
            };
            let mine = work(&crossing, 0);
            assert_eq!(mine + other.join().unwrap(), 1);
        });
    }
}

/// A buffer of one slot is full most of the time.
#[test]
fn a_full_buffer_stops_nobody() {
    model(2, || {
        let crossing = crossing(2, 1, false, 1);
        let other = {
            let crossing = crossing.clone();
            thread::spawn(move || work(&crossing, 1))
        };
        let mine = work(&crossing, 0);
        assert_eq!(mine + other.join().unwrap(), 3);
    });
}

/// All workers one after the other on one thread.
#[test]
fn one_after_the_other() {
    for stay in [false, true] {
        model(1, move || {
            let crossing = crossing(2, 1, stay, 1);
            let tested = work(&crossing, 1) + work(&crossing, 0);
            assert_eq!(tested, 3);
        });
    }
}

/// The split moves while both are at work.
#[test]
fn the_split_changes() {
    for stay in [false, true] {
        model(1, move || {
            let crossing = crossing(2, 1, stay, 2);
            let other = {
                let crossing = crossing.clone();
                thread::spawn(move || work(&crossing, 1))
            };
            crossing.set_split(2);
            let mut tested = 0;
            if let Some(task) = crossing.next(0) {
                match task {
                    Task::Narrow(_) => tested += 1,
                    Task::Broad(unit) => {
                        crossing.set_split(0);
                        for value in 0..unit as u32 + 1 {
                            tested += usize::from(crossing.offer(value).is_err());
                        }
                        crossing.unit_done();
                    }
                }
            }
            tested += work(&crossing, 0);
            assert_eq!(tested + other.join().unwrap(), 3);
        });
    }
}

/// A stop wakes who sleeps.
#[test]
fn a_stop_wakes_all() {
    model(3, || {
        let crossing = crossing(1, 1, true, 1);
        assert_eq!(crossing.next(0), Some(Task::Broad(0)));
        let other = {
            let crossing = crossing.clone();
            thread::spawn(move || work(&crossing, 1))
        };
        crossing.stop();
        assert_eq!(other.join().unwrap(), 0);
    });
}
