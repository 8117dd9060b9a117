//! The bounded buffer between the phases (section 4 of the paper). Why it is right: README.md beside this file.

use crate::memory::{Buffer, Memory, MemoryError};
use crate::schedule::sync::{AtomicUsize, Ordering, UnsafeCell};
use std::mem::MaybeUninit;

/// A queue of fixed length that any number of threads put into and take from without a lock: it never waits, it says that it is full or empty.
pub struct Ring<T> {
    slots: Buffer<Slot<T>>,
    /// How many have been put, and how many taken, since it was made.
    put: Apart<AtomicUsize>,
    taken: Apart<AtomicUsize>,
}

/// On a cache line of its own.
#[repr(align(64))]
struct Apart<T>(T);

struct Slot<T> {
    /// 2 r + 0: free for the put of round r; 2 r + 1: full, for the taking of round r.
    turn: AtomicUsize,
    value: UnsafeCell<MaybeUninit<T>>,
}

// SAFETY: values go from thread to thread, each to one; the turns keep all others away from a slot.
unsafe impl<T: Copy + Send> Send for Ring<T> {}
// SAFETY: as above.
unsafe impl<T: Copy + Send> Sync for Ring<T> {}

impl<T: Copy> Ring<T> {
    /// Room for `capacity` values, at least one.
    pub fn new(memory: &Memory, capacity: usize) -> Result<Ring<T>, MemoryError> {
        let mut slots = Buffer::new(memory.clone());
        slots.reserve_exact(capacity.max(1))?;
        for _ in 0..capacity.max(1) {
            let value = UnsafeCell::new(MaybeUninit::uninit());
            slots.push(Slot { turn: AtomicUsize::new(0), value })?;
        }
        Ok(Ring { slots, put: Apart(AtomicUsize::new(0)), taken: Apart(AtomicUsize::new(0)) })
    }

    pub fn capacity(&self) -> usize {
        self.slots.len()
    }

    fn place(&self, number: usize) -> (&Slot<T>, usize) {
        let capacity = self.slots.len();
        (&self.slots[number % capacity], 2 * (number / capacity))
    }

    /// Puts a value, or gives it back when there is no room.
    pub fn push(&self, value: T) -> Result<(), T> {
        let mut number = self.put.0.load(Ordering::Relaxed);
        loop {
            let (slot, turn) = self.place(number);
            let now = slot.turn.load(Ordering::Acquire);
            if now == turn {
                match self.put.0.compare_exchange_weak(
                    number,
                    number + 1,
                    Ordering::Relaxed,
                    Ordering::Relaxed,
                ) {
                    Ok(_) => {
                        // SAFETY: the number is ours alone, and its slot is free until we say that it is full.
                        slot.value.with_mut(|place| unsafe { (*place).write(value) });
                        slot.turn.store(turn + 1, Ordering::Release);
                        return Ok(());
                    }
                    Err(other) => number = other,
                }
            } else if now < turn {
                // Of the round before, and not taken yet.
                return Err(value);
            } else {
                number = self.put.0.load(Ordering::Relaxed);
            }
        }
    }

    /// Takes the value that was put first; None if there is none, or it is still being put.
    pub fn pop(&self) -> Option<T> {
        let mut number = self.taken.0.load(Ordering::Relaxed);
        loop {
            let (slot, turn) = self.place(number);
            let now = slot.turn.load(Ordering::Acquire);
            if now == turn + 1 {
                match self.taken.0.compare_exchange_weak(
                    number,
                    number + 1,
                    Ordering::Relaxed,
                    Ordering::Relaxed,
                ) {
                    Ok(_) => {
                        // SAFETY: the number is ours alone; its value has been written and stays until we say that the slot is free.
                        let value = slot.value.with_mut(|place| unsafe { (*place).assume_init_read() });
                        slot.turn.store(turn + 2, Ordering::Release);
                        return Some(value);
                    }
                    Err(other) => number = other,
                }
            } else if now <= turn {
                return None;
            } else {
                number = self.taken.0.load(Ordering::Relaxed);
            }
        }
    }

    /// Whether a [`pop`](Ring::pop) would find nothing now.
    pub fn is_empty(&self) -> bool {
        let number = self.taken.0.load(Ordering::Relaxed);
        let (slot, turn) = self.place(number);
        // A later turn means that somebody has taken it meanwhile: what is behind is not known.
        slot.turn.load(Ordering::Acquire) <= turn
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;
    use std::thread;

    #[test]
    fn first_in_first_out_until_it_is_full() {
        for capacity in [1, 2, 3, 8] {
            let ring = Ring::new(&Memory::new(None).unwrap(), capacity).unwrap();
            for round in 0..5 {
                assert!(ring.is_empty() && ring.pop().is_none());
                for i in 0..capacity {
                    ring.push(round * 100 + i).unwrap();
                }
                assert_eq!(ring.push(7), Err(7));
                for i in 0..capacity {
                    assert!(!ring.is_empty());
                    assert_eq!(ring.pop(), Some(round * 100 + i));
                }
            }
        }
    }

    #[test]
    fn nothing_is_lost_or_doubled_between_threads() {
        let ring = Ring::new(&Memory::new(None).unwrap(), 4).unwrap();
        let (sum, count) = (AtomicU64::new(0), AtomicU64::new(0));
        thread::scope(|scope| {
            for thread in 0..3u64 {
                let ring = &ring;
                scope.spawn(move || {
                    for i in 0..5000u64 {
                        while ring.push(thread * 5000 + i).is_err() {
                            thread::yield_now();
                        }
                    }
                });
            }
            for _ in 0..3 {
                scope.spawn(|| {
                    while count.load(Ordering::Relaxed) < 15_000 {
                        match ring.pop() {
                            Some(value) => {
                                sum.fetch_add(value, Ordering::Relaxed);
                                count.fetch_add(1, Ordering::Relaxed);
                            }
                            None => thread::yield_now(),
                        }
                    }
                });
            }
        });
        assert_eq!(sum.into_inner(), 15_000 * 14_999 / 2);
    }
}
