//! An array that many threads append to at once.

use super::{Memory, MemoryError, array_layout};
use crate::locks::Mutex;
use std::ptr::{self, NonNull};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

/// Elements of the first segment; every further one is twice as long.
const FIRST: usize = 256;
/// Together these hold more elements than an address space.
const SEGMENTS: usize = 56;

/// Append-only storage in segments that never move. How many segments it needs depends on the number of elements
/// alone, not on which thread appended what: that is why a second run of the same work allocates nothing,
/// which growing lists per thread could not promise.
pub struct Store<T: Copy> {
    segments: [AtomicPtr<T>; SEGMENTS],
    len: AtomicUsize,
    /// An append failed, so that some elements below `len` were never written.
    torn: AtomicBool,
    growing: Mutex<()>,
    memory: Memory,
}

/// All elements of a [`Store`], while nobody appends.
pub struct Elements<'a, T: Copy> {
    store: &'a Store<T>,
}

/// Segment and position in it.
fn place(index: usize) -> (usize, usize) {
    let segment = (index / FIRST + 1).ilog2() as usize;
    (segment, index - first_index(segment))
}

fn first_index(segment: usize) -> usize {
    FIRST * ((1 << segment) - 1)
}

fn length(segment: usize) -> usize {
    FIRST << segment
}

impl<T: Copy> Store<T> {
    const HAS_SIZE: () = assert!(size_of::<T>() > 0, "an array of an empty type needs no memory");

    /// An empty store; allocates nothing.
    pub fn new(memory: Memory) -> Store<T> {
        let () = Self::HAS_SIZE;
        Store {
            segments: [const { AtomicPtr::new(ptr::null_mut()) }; SEGMENTS],
            len: AtomicUsize::new(0),
            torn: AtomicBool::new(false),
            growing: Mutex::new(()),
            memory,
        }
    }

    /// Appends `items` in a row and returns the index of the first.
    pub fn append(&self, items: &[T]) -> Result<usize, MemoryError> {
        let first = self.len.fetch_add(items.len(), Ordering::Relaxed);
        let mut index = first;
        let mut rest = items;
        while !rest.is_empty() {
            let (segment, offset) = place(index);
            let start = self.segment(segment).inspect_err(|_| self.torn.store(true, Ordering::Relaxed))?;
            let (now, later) = rest.split_at(rest.len().min(length(segment) - offset));
            // SAFETY: `offset` and the items fit the segment; the indices were given to this call alone.
            unsafe { start.add(offset).copy_from_nonoverlapping(NonNull::from(now).cast(), now.len()) };
            index += now.len();
            rest = later;
        }
        Ok(first)
    }

    fn segment(&self, segment: usize) -> Result<NonNull<T>, MemoryError> {
        let slot = self.segments.get(segment).ok_or(MemoryError::TooLarge)?;
        if let Some(start) = NonNull::new(slot.load(Ordering::Acquire)) {
            return Ok(start);
        }
        let _one = self.growing.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been faster.
        if let Some(start) = NonNull::new(slot.load(Ordering::Acquire)) {
            return Ok(start);
        }
        let start = self.memory.allocate(array_layout::<T>(length(segment))?)?.cast::<T>();
        slot.store(start.as_ptr(), Ordering::Release);
        Ok(start)
    }

    /// Forgets all elements, keeps the room.
    pub fn clear(&mut self) {
        *self.len.get_mut() = 0;
        *self.torn.get_mut() = false;
    }

    /// The elements, for any number of readers. None when an append failed since the last `clear`.
    pub fn elements(&mut self) -> Option<Elements<'_, T>> {
        if *self.torn.get_mut() { None } else { Some(Elements { store: self }) }
    }
}

impl<T: Copy> Elements<'_, T> {
    /// The element at `index`, which must be below the number of elements.
    pub fn get(&self, index: usize) -> &T {
        assert!(index < self.store.len.load(Ordering::Relaxed));
        let (segment, offset) = place(index);
        let start = self.store.segments[segment].load(Ordering::Acquire);
        // SAFETY: `append` wrote every element below `len`, or `elements` had refused; nobody appends
        // while the store is borrowed.
        unsafe { &*start.add(offset) }
    }
}

impl<T: Copy> Drop for Store<T> {
    fn drop(&mut self) {
        for (segment, slot) in self.segments.iter_mut().enumerate() {
            if let Some(start) = NonNull::new(*slot.get_mut()) {
                let layout = array_layout::<T>(length(segment)).expect("the layout it was allocated with");
                // SAFETY: allocated in `segment` from this memory with this layout.
                unsafe { self.memory.free(start.cast(), layout) };
            }
        }
    }
}

// SAFETY: owns its elements like a `Vec`. Sharing it lets threads write to different elements, and read
// them only through `elements`, which needs the store for itself.
unsafe impl<T: Copy + Send> Send for Store<T> {}
// SAFETY: see above; `Elements` hands out `&T`, hence `T: Sync`.
unsafe impl<T: Copy + Send + Sync> Sync for Store<T> {}

#[cfg(test)]
mod tests {
    use super::super::counting::Counting;
    use super::*;
    use std::thread;

    #[test]
    fn places_cover_every_segment_without_gap() {
        let mut expected = (0, 0);
        for index in 0..100_000 {
            assert_eq!(place(index), expected);
            expected.1 += 1;
            if expected.1 == length(expected.0) {
                expected = (expected.0 + 1, 0);
            }
        }
    }

    #[test]
    fn threads_append_and_all_is_found() {
        let mut store = Store::new(Memory::new(None).unwrap());
        let ranges: Vec<(usize, u64)> = thread::scope(|scope| {
            let threads: Vec<_> = (0..4u64)
                .map(|thread| {
                    let store = &store;
                    scope.spawn(move || {
                        (0..200)
                            .map(|run| {
                                let value = thread * 1000 + run;
                                (store.append(&[value; 37]).unwrap(), value)
                            })
                            .collect::<Vec<_>>()
                    })
                })
                .collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        let elements = store.elements().unwrap();
        for (first, value) in ranges {
            assert!((first..first + 37).all(|index| *elements.get(index) == value));
        }
    }

    #[test]
    fn room_is_kept_and_a_refusal_is_remembered_until_cleared() {
        let counting = Counting::default();
        let mut store = Store::new(Memory::new(Some(counting.hook())).unwrap());
        store.append(&[1u32; 300]).unwrap();
        let allocations = counting.allocations.get();
        store.clear();
        store.append(&[2u32; 700]).unwrap();
        assert_eq!(counting.allocations.get(), allocations);
        counting.limit.set(Some(allocations));
        assert!(store.append(&[3u32; 100]).is_err());
        assert!(store.elements().is_none());
        store.clear();
        store.append(&[4u32; 10]).unwrap();
        assert_eq!(*store.elements().unwrap().get(9), 4);
        drop(store);
        assert_eq!(counting.bytes.get(), 0);
    }
}
