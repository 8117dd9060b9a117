//! A growable array in the caller's memory.

use super::{Memory, MemoryError, array_layout};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::slice;

/// What `Vec` is to the global allocator, except that growing can fail and never aborts. Keeps its capacity when
/// it is emptied: buffers grow to the high-water mark and stay there.
pub struct Buffer<T> {
    start: NonNull<T>,
    len: usize,
    capacity: usize,
    /// The memory is a part of a block, whose owner gives it back.
    is_part: bool,
    memory: Memory,
}

// SAFETY: owns its elements like a `Vec`; the memory may be used from any thread.
unsafe impl<T: Send> Send for Buffer<T> {}
// SAFETY: shares its elements like a `Vec`.
unsafe impl<T: Sync> Sync for Buffer<T> {}

impl<T> Buffer<T> {
    const HAS_SIZE: () = assert!(size_of::<T>() > 0, "an array of an empty type needs no memory");

    /// An empty array; allocates nothing.
    pub fn new(memory: Memory) -> Buffer<T> {
        let () = Self::HAS_SIZE;
        Buffer { start: NonNull::dangling(), len: 0, capacity: 0, is_part: false, memory }
    }

    /// An empty array in memory that somebody else gives back.
    ///
    /// # Safety
    ///
    /// There is room for so many elements, aligned, which nobody else uses as long as the array does.
    pub(super) unsafe fn within(start: NonNull<T>, capacity: usize, memory: Memory) -> Buffer<T> {
        let () = Self::HAS_SIZE;
        Buffer { start, len: 0, capacity, is_part: true, memory }
    }

    /// Of its own memory.
    pub fn bytes(&self) -> usize {
        if self.is_part { 0 } else { self.capacity * size_of::<T>() }
    }

    /// Where the array is.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Elements that fit before the next allocation.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Makes room for `additional` more elements. Grows at least by half, so that many small steps stay cheap.
    pub fn reserve(&mut self, additional: usize) -> Result<(), MemoryError> {
        let needed = self.len.checked_add(additional).ok_or(MemoryError::TooLarge)?;
        if needed <= self.capacity {
            return Ok(());
        }
        self.move_to(needed.max(self.capacity.saturating_add(self.capacity / 2)))
    }

    /// Makes room for `additional` more elements and, if it has to grow, for none beyond them.
    pub fn reserve_exact(&mut self, additional: usize) -> Result<(), MemoryError> {
        let needed = self.len.checked_add(additional).ok_or(MemoryError::TooLarge)?;
        if needed <= self.capacity { Ok(()) } else { self.move_to(needed) }
    }

    /// Makes room in the smaller one of two for as many elements as in the larger one.
    pub fn even_out(&mut self, other: &mut Buffer<T>) -> Result<(), MemoryError> {
        let capacity = self.capacity.max(other.capacity);
        self.reserve_exact(capacity - self.len)?;
        other.reserve_exact(capacity - other.len)
    }

    fn move_to(&mut self, capacity: usize) -> Result<(), MemoryError> {
        let layout = array_layout::<T>(capacity)?;
        let start = self.memory.allocate(layout)?.cast::<T>();
        // SAFETY: `len` elements are initialised, the new array has room for them and is not the old one.
        unsafe { start.copy_from_nonoverlapping(self.start, self.len) };
        self.free();
        self.start = start;
        self.capacity = capacity;
        Ok(())
    }

    /// Gives the array back; its elements must have been moved or dropped.
    fn free(&mut self) {
        if std::mem::take(&mut self.is_part) {
            self.capacity = 0;
        } else if self.capacity > 0 {
            let layout = array_layout::<T>(self.capacity).expect("the layout it was allocated with");
            // SAFETY: allocated in `move_to` from this memory with this layout; the elements are gone.
            unsafe { self.memory.free(self.start.cast(), layout) };
            self.capacity = 0;
        }
    }

    /// Appends one element; when growing is refused, drops it and changes nothing.
    pub fn push(&mut self, value: T) -> Result<(), MemoryError> {
        self.reserve(1)?;
        // SAFETY: `reserve` made room for the element behind the last one.
        unsafe { self.start.add(self.len).write(value) };
        self.len += 1;
        Ok(())
    }

    /// Gives back the room that no element uses, if the allocator gives a smaller one for it.
    pub fn shrink(&mut self) {
        if self.len == 0 {
            self.free();
        } else if self.len < self.capacity {
            // When it is refused, the larger one stays.
            let _ = self.move_to(self.len);
        }
    }

    /// Takes the last element out.
    pub fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        // SAFETY: the element was initialised, and `len` no longer counts it: it is moved out once.
        Some(unsafe { self.start.add(self.len).read() })
    }

    /// Where the elements are, and the room behind them. What is written there needs no exclusive reference to the array: threads may write to different elements of it as long as
    /// nobody has a reference to these.
    pub fn start(&self) -> *mut T {
        self.start.as_ptr()
    }

    /// Drops the elements from `len` on; does nothing if there are fewer.
    pub fn truncate(&mut self, len: usize) {
        while self.len > len {
            self.pop();
        }
    }

    /// Declares that there are `len` elements.
    ///
    /// # Safety
    ///
    /// There is room for them, and all of them are initialised.
    pub unsafe fn set_len(&mut self, len: usize) {
        debug_assert!(len <= self.capacity);
        self.len = len;
    }

    /// Drops all elements, keeps the room.
    pub fn clear(&mut self) {
        let elements: *mut [T] = &mut **self;
        self.len = 0;
        // SAFETY: these were the initialised elements; `len` no longer counts them, so nobody sees them again.
        unsafe { elements.drop_in_place() };
    }
}

impl<T: Copy> Buffer<T> {
    /// Appends copies of all elements; when growing is refused, changes nothing.
    #[inline]
    pub fn append(&mut self, elements: &[T]) -> Result<(), MemoryError> {
        self.reserve(elements.len())?;
        // SAFETY: `reserve` made room for them behind the last one, and elements that somebody has a reference to are not in that room.
        unsafe {
            self.start.add(self.len).as_ptr().copy_from_nonoverlapping(elements.as_ptr(), elements.len())
        };
        self.len += elements.len();
        Ok(())
    }

    /// Shortens to `len` elements, or lengthens with copies of `value`; allocates exactly what is needed.
    pub fn resize(&mut self, len: usize, value: T) -> Result<(), MemoryError> {
        if len > self.len {
            self.reserve_exact(len - self.len)?;
            for index in self.len..len {
                // SAFETY: there is room for `len` elements.
                unsafe { self.start.add(index).write(value) };
            }
        }
        self.len = len;
        Ok(())
    }
}

impl<T> Deref for Buffer<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: `len` elements are initialised; an empty buffer points nowhere but is aligned.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T> DerefMut for Buffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and `self` is borrowed for writing.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        self.clear();
        self.free();
    }
}

#[cfg(test)]
mod tests {
    use super::super::counting::Counting;
    use super::*;
    use std::rc::Rc;

    fn memory(counting: &Counting) -> Memory {
        Memory::new(Some(counting.hook())).unwrap()
    }

    #[test]
    fn grows_and_keeps_its_elements() {
        let counting = Counting::default();
        let mut buffer = Buffer::new(memory(&counting));
        for value in 0..1000u32 {
            buffer.push(value).unwrap();
        }
        assert!(buffer.iter().copied().eq(0..1000));
        assert!(counting.allocations.get() < 25, "grows in steps, not one by one");
        drop(buffer);
        assert_eq!(counting.bytes.get(), 0);
    }

    #[test]
    fn appends_all_of_a_slice_or_nothing() {
        let counting = Counting::default();
        let mut buffer = Buffer::new(memory(&counting));
        for first in (0..1000u32).step_by(10) {
            buffer.append(&std::array::from_fn::<u32, 10, _>(|i| first + i as u32)).unwrap();
            buffer.append(&[]).unwrap();
        }
        assert!(buffer.iter().copied().eq(0..1000));
        assert!(counting.allocations.get() < 25, "grows in steps, not one by one");
        drop(buffer);
        assert_eq!(counting.bytes.get(), 0);
    }

    #[test]
    fn emptied_it_keeps_its_room() {
        let counting = Counting::default();
        let mut buffer = Buffer::new(memory(&counting));
        buffer.resize(100, 1u8).unwrap();
        let allocations = counting.allocations.get();
        buffer.clear();
        buffer.resize(100, 2u8).unwrap();
        assert_eq!((buffer.len(), buffer[99], counting.allocations.get()), (100, 2, allocations));
    }

    #[test]
    fn a_refusal_changes_nothing() {
        let counting = Counting::default();
        let mut buffer = Buffer::new(memory(&counting));
        buffer.resize(3, 7u16).unwrap();
        counting.limit.set(Some(counting.allocations.get()));
        assert_eq!(buffer.resize(50, 8), Err(MemoryError::Refused { size: 100 }));
        assert_eq!(&*buffer, [7, 7, 7]);
    }

    #[test]
    fn sizes_beyond_the_address_space_are_refused_without_asking() {
        let counting = Counting::default();
        let mut buffer = Buffer::<[u64; 4]>::new(memory(&counting));
        let asked = counting.allocations.get();
        assert_eq!(buffer.reserve(usize::MAX), Err(MemoryError::TooLarge));
        assert_eq!(buffer.reserve_exact(usize::MAX / 32), Err(MemoryError::TooLarge));
        buffer.push([0; 4]).unwrap();
        assert_eq!(buffer.reserve(usize::MAX), Err(MemoryError::TooLarge));
        assert_eq!(counting.allocations.get(), asked + 1);
    }

    #[test]
    fn drops_its_elements_once() {
        let counting = Counting::default();
        let witness = Rc::new(());
        let mut buffer = Buffer::new(memory(&counting));
        for _ in 0..5 {
            buffer.push(witness.clone()).unwrap();
        }
        assert_eq!(Rc::strong_count(&witness), 6);
        buffer.clear();
        assert_eq!(Rc::strong_count(&witness), 1);
        buffer.push(witness.clone()).unwrap();
        drop(buffer);
        assert_eq!((Rc::strong_count(&witness), counting.bytes.get()), (1, 0));
    }
}
