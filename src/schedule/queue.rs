//! The task unit queue of a worker: first in, first out.

use crate::memory::{Buffer, Memory, MemoryError};

/// A ring in the caller's memory. Keeps its room.
pub(super) struct Queue<U: Copy> {
    /// All of it is initialised; its length is the room.
    ring: Buffer<U>,
    head: usize,
    len: usize,
}

/// Room of a queue that has had to grow for the first time.
const FIRST_ROOM: usize = 32;

impl<U: Copy> Queue<U> {
    pub fn new(memory: Memory) -> Queue<U> {
        Queue { ring: Buffer::new(memory), head: 0, len: 0 }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// The unit `index` places behind the front.
    pub fn get(&self, index: usize) -> Option<&U> {
        (index < self.len).then(|| &self.ring[self.place(index)])
    }

    fn place(&self, index: usize) -> usize {
        let place = self.head + index;
        if place < self.ring.len() { place } else { place - self.ring.len() }
    }

    /// Makes room for `room` units in all.
    pub fn reserve(&mut self, room: usize) -> Result<(), MemoryError> {
        self.ring.reserve_exact(room.saturating_sub(self.ring.len()))
    }

    /// Extends the ring to the room that was reserved, or to twice its length. `any` fills the new places.
    fn grow(&mut self, any: U) -> Result<(), MemoryError> {
        let room = match self.ring.capacity() {
            reserved if reserved > self.ring.len() => reserved,
            full => full.checked_mul(2).ok_or(MemoryError::TooLarge)?.max(FIRST_ROOM),
        };
        // Otherwise what has wrapped around would be cut off from the rest.
        self.ring.rotate_left(self.head);
        self.head = 0;
        self.ring.resize(room, any)
    }

    pub fn push_back(&mut self, unit: U) -> Result<(), MemoryError> {
        if self.len == self.ring.len() {
            self.grow(unit)?;
        }
        let place = self.place(self.len);
        self.ring[place] = unit;
        self.len += 1;
        Ok(())
    }

    pub fn pop_front(&mut self) -> Option<U> {
        let front = *self.get(0)?;
        self.head = self.place(1);
        self.len -= 1;
        Some(front)
    }

    pub fn clear(&mut self) {
        self.head = 0;
        self.len = 0;
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    #[test]
    fn agrees_with_a_deque_of_the_standard_library() {
        let mut queue = Queue::new(Memory::new(None).unwrap());
        let mut expected = VecDeque::new();
        let mut seed = 1u32;
        for step in 0..20_000u32 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Grows for a while, then shrinks for a while.
            if (seed >> 16) % 8 < if step / 1000 % 2 == 0 { 5 } else { 3 } {
                queue.push_back(step).unwrap();
                expected.push_back(step);
            } else {
                assert_eq!(queue.pop_front(), expected.pop_front());
            }
            assert_eq!(queue.len(), expected.len());
            assert_eq!(queue.get(3), expected.get(3));
            if step % 4096 == 4095 {
                queue.reserve(queue.len() + step as usize / 100).unwrap();
            }
        }
    }
}
