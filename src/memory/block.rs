//! Several arrays in one piece of memory: to allocate takes as long as to write a kilobyte, and what is used together is side by side.

use super::{Buffer, Memory, MemoryError};
use std::ptr::NonNull;

/// Memory that arrays are cut off from.
pub struct Block {
    lines: Buffer<Line>,
    used: usize,
}

/// Every array begins with one: as much as any element here is aligned to.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line {
    _bytes: [u8; 64],
}

fn lines_of(bytes: usize) -> usize {
    bytes.div_ceil(size_of::<Line>())
}

impl Block {
    /// Without room; allocates nothing.
    pub fn empty(memory: Memory) -> Block {
        Block { lines: Buffer::new(memory), used: 0 }
    }

    /// With room for arrays of so many bytes.
    pub fn new(memory: Memory, arrays: &[usize]) -> Result<Block, MemoryError> {
        let mut block = Block::empty(memory);
        let sum = arrays.iter().try_fold(0usize, |sum, &bytes| sum.checked_add(lines_of(bytes)));
        block.lines.reserve_exact(sum.ok_or(MemoryError::TooLarge)?)?;
        Ok(block)
    }

    /// An empty array with the next room, if there is enough left; otherwise without any. When it grows beyond that it has memory of its own.
    ///
    /// # Safety
    ///
    /// The array is not used any more when the block is dropped, but for being dropped itself, with elements for which that does nothing.
    pub unsafe fn array<T: Copy>(&mut self, capacity: usize) -> Buffer<T> {
        const { assert!(align_of::<T>() <= align_of::<Line>()) };
        let memory = self.lines.memory().clone();
        let lines = capacity.checked_mul(size_of::<T>()).map(lines_of);
        match lines.filter(|&lines| lines > 0 && lines <= self.lines.capacity() - self.used) {
            Some(lines) => {
                // SAFETY: the block has so many lines behind those that are used, aligned for any element; nobody else gets them.
                let array = unsafe {
                    let start = NonNull::new_unchecked(self.lines.start()).add(self.used);
                    Buffer::within(start.cast(), capacity, memory)
                };
                self.used += lines;
                array
            }
            None => Buffer::new(memory),
        }
    }

    pub fn bytes(&self) -> usize {
        self.lines.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::super::counting::Counting;
    use super::*;

    #[test]
    fn arrays_have_one_allocation_until_they_grow() {
        let counting = Counting::default();
        let memory = Memory::new(Some(counting.hook())).unwrap();
        let before = counting.allocations.get();
        let mut block = Block::new(memory, &[100, 3 * 8, 0, 7 * 64]).unwrap();
        // SAFETY: the arrays are dropped before the block.
        let (mut bytes, mut numbers, nothing, mut lines) =
            unsafe { (block.array(100), block.array(3), block.array::<u32>(0), block.array::<[u64; 8]>(7)) };
        bytes.resize(100, 1u8).unwrap();
        numbers.resize(3, 2u64).unwrap();
        lines.resize(7, [3; 8]).unwrap();
        assert_eq!((nothing.capacity(), nothing.bytes(), numbers.bytes()), (0, 0, 0));
        assert_eq!(counting.allocations.get(), before + 1);
        assert!(numbers.start().addr().is_multiple_of(64) && lines.start().addr().is_multiple_of(64));

        numbers.push(4).unwrap();
        assert_eq!(counting.allocations.get(), before + 2);
        assert!(numbers.bytes() >= 4 * 8);
        assert_eq!(&*numbers, [2, 2, 2, 4]);
        assert!(bytes.iter().all(|&byte| byte == 1) && lines.iter().all(|line| *line == [3; 8]));
        bytes.clear();
        bytes.shrink();
        assert_eq!((bytes.capacity(), counting.allocations.get()), (0, before + 2));

        // SAFETY: as above.
        let more = unsafe { block.array::<u64>(1) };
        assert_eq!(more.capacity(), 0, "nothing is left");
        drop((bytes, numbers, nothing, lines, more));
        drop(block);
        assert_eq!(counting.bytes.get(), 0);
    }

    #[test]
    fn a_refusal_is_an_error() {
        let counting = Counting::default();
        let memory = Memory::new(Some(counting.hook())).unwrap();
        counting.limit.set(Some(counting.allocations.get()));
        assert!(Block::new(memory.clone(), &[1]).is_err());
        assert!(matches!(Block::new(memory, &[usize::MAX, usize::MAX, 1 << 60]), Err(MemoryError::TooLarge)));
    }
}
