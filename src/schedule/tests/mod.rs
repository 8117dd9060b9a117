//! Both schedulers, through what they have in common; and whole runs. The models of `tests/loom`
//! try all orders of few events; these try many events.

mod runs;
mod units;

use super::*;
use crate::memory::Memory;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};

/// A node of a random tree: a unit whose children come out of it.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub id: usize,
    /// Generations below it, at most.
    depth: u32,
}

impl Unit for Node {
    fn weight(&self) -> u64 {
        1 << self.depth
    }
}

/// Counts how often each node is worked on.
pub struct Forest {
    seed: u64,
    next_id: AtomicUsize,
    worked: Vec<AtomicU8>,
}

const MOST_NODES: usize = 20_000;

impl Forest {
    pub fn new(seed: u64) -> Forest {
        let worked = (0..MOST_NODES).map(|_| AtomicU8::new(0)).collect();
        Forest { seed, next_id: AtomicUsize::new(0), worked }
    }

    pub fn node(&self, depth: u32) -> Node {
        Node { id: self.next_id.fetch_add(1, Relaxed), depth }
    }

    fn random(&self, id: usize) -> u64 {
        let mixed = (id as u64 ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33
    }

    /// Works on a node: up to four children, half of them in the middle of the work.
    pub fn work(&self, node: Node, seat: &mut impl Seat<Node>) {
        self.worked[node.id].fetch_add(1, Relaxed);
        let random = self.random(node.id);
        let children = if node.depth == 0 { 0 } else { random % 5 };
        for child in 0..children {
            if self.next_id.load(Relaxed) + 100 < MOST_NODES {
                seat.push(self.node(node.depth - 1)).unwrap();
            }
            if child == children / 2 {
                if seat.asked() {
                    seat.share();
                }
                (0..random % 512).for_each(|_| std::hint::spin_loop());
            }
        }
        if seat.wants_split() && node.depth > 0 && self.next_id.load(Relaxed) + 100 < MOST_NODES {
            seat.push(self.node(0)).unwrap();
            seat.share();
        }
        if random.is_multiple_of(64) {
            std::thread::yield_now();
        }
    }

    /// Takes all units that there are, as one worker.
    pub fn work_on_all(&self, mut seat: impl Seat<Node>) {
        while let Some(node) = seat.next() {
            self.work(node, &mut seat);
        }
    }

    /// All nodes, each once.
    pub fn check(&self) -> usize {
        let count = self.next_id.load(Relaxed);
        for (id, worked) in self.worked.iter().enumerate() {
            assert_eq!(worked.load(Relaxed), u8::from(id < count), "unit {id} of {count}");
        }
        count
    }

    pub fn worked(&self) -> usize {
        self.worked.iter().map(|worked| usize::from(worked.load(Relaxed))).sum()
    }
}

pub fn scheduler<S: Scheduler<Node>>(worker_count: usize) -> S {
    S::new(Memory::new(None).unwrap(), worker_count).unwrap()
}

/// The units that all workers have counted.
pub fn counted(scheduler: &impl Scheduler<Node>) -> usize {
    (0..scheduler.worker_count()).map(|worker| scheduler.counters(worker).units as usize).sum()
}

/// A panic without the panic hook, which would print.
pub fn told_to_panic() -> ! {
    std::panic::resume_unwind(Box::new("told to"))
}
