//! One value in the caller's memory.

use super::{Memory, MemoryError};
use std::alloc::Layout;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// What `Box` is to the global allocator: a value with a stable address, dropped and freed with its owner.
pub struct Owned<T> {
    value: NonNull<T>,
    memory: Memory,
}

// SAFETY: owns its value like a `Box`; the memory may be used from any thread.
unsafe impl<T: Send> Send for Owned<T> {}
// SAFETY: shares its value like a `Box`.
unsafe impl<T: Sync> Sync for Owned<T> {}

impl<T> Owned<T> {
    const HAS_SIZE: () = assert!(size_of::<T>() > 0, "an empty type needs no memory");

    /// Moves `value` into `memory`; when that is refused, `value` is dropped.
    pub fn new(memory: Memory, value: T) -> Result<Owned<T>, MemoryError> {
        let () = Self::HAS_SIZE;
        let place = memory.allocate(Layout::new::<T>())?.cast::<T>();
        // SAFETY: freshly allocated for a `T`.
        unsafe { place.write(value) };
        Ok(Owned { value: place, memory })
    }

    /// The address of the value, which stays where it is while `self` lives.
    pub fn as_ptr(&self) -> NonNull<T> {
        self.value
    }
}

impl<T> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: initialised in `new`, alive until `drop`.
        unsafe { self.value.as_ref() }
    }
}

impl<T> DerefMut for Owned<T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: initialised in `new`, alive until `drop`, and borrowed as `self` is.
        unsafe { self.value.as_mut() }
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // Frees even when dropping the value panics.
        struct Free<'a>(&'a Memory, NonNull<u8>, Layout);
        impl Drop for Free<'_> {
            fn drop(&mut self) {
                // SAFETY: allocated in `new` from this memory with this layout; its value is gone.
                unsafe { self.0.free(self.1, self.2) };
            }
        }
        let _free = Free(&self.memory, self.value.cast(), Layout::new::<T>());
        // SAFETY: initialised in `new`, and nobody can reach it after this.
        unsafe { self.value.drop_in_place() };
    }
}

#[cfg(test)]
mod tests {
    use super::super::counting::Counting;
    use super::*;
    use std::rc::Rc;

    #[test]
    fn drops_its_value_and_frees_its_memory() {
        let counting = Counting::default();
        let witness = Rc::new(());
        let memory = Memory::new(Some(counting.hook())).unwrap();
        let owned = Owned::new(memory, (witness.clone(), 7u64)).unwrap();
        assert_eq!((owned.1, Rc::strong_count(&witness)), (7, 2));
        drop(owned);
        assert_eq!((counting.bytes.get(), Rc::strong_count(&witness)), (0, 1));
    }

    #[test]
    fn a_refusal_drops_the_value() {
        let counting = Counting::default();
        let witness = Rc::new(());
        let memory = Memory::new(Some(counting.hook())).unwrap();
        counting.limit.set(Some(1));
        assert!(Owned::new(memory, witness.clone()).is_err());
        assert_eq!((counting.bytes.get(), Rc::strong_count(&witness)), (0, 1));
    }
}
