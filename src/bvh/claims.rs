//! Who is writing where: the check of what workers promise each other. In release builds it is nothing.
//!
//! Workers write below nodes without a lock, because their nodes are not above one another (self-CD task units, PCCD paper, section 4). A debug build marks the leaves
//! below a node while somebody writes there, and panics when another thread writes or reads there at the same time.

use crate::memory::{Memory, MemoryError};
use std::ops::Range;

#[cfg(debug_assertions)]
pub struct Claims {
    /// By leaf, the writing thread; 0 for none.
    writers: crate::memory::Buffer<std::sync::atomic::AtomicUsize>,
}

#[cfg(not(debug_assertions))]
pub struct Claims;

/// Holds leaves until it is dropped.
pub struct Claim<'a> {
    #[cfg(debug_assertions)]
    claims: &'a Claims,
    #[cfg(debug_assertions)]
    leaves: Range<usize>,
    #[cfg(not(debug_assertions))]
    nothing: std::marker::PhantomData<&'a Claims>,
}

impl Claim<'_> {
    /// Gives the leaves up.
    pub fn end(self) {}
}

#[cfg(debug_assertions)]
mod checking {
    use super::*;
    use crate::memory::Buffer;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A number that no other running thread has, and not 0.
    fn this_thread() -> usize {
        thread_local! {
            static PLACE: u8 = const { 0 };
        }
        PLACE.with(|place| std::ptr::from_ref(place).addr())
    }

    impl Claims {
        pub fn new(memory: &Memory) -> Claims {
            Claims { writers: Buffer::new(memory.clone()) }
        }

        pub fn resize(&mut self, leaf_count: usize) -> Result<(), MemoryError> {
            self.writers.clear();
            self.writers.reserve_exact(leaf_count)?;
            for _ in 0..leaf_count {
                self.writers.push(AtomicUsize::new(0))?;
            }
            Ok(())
        }

        pub fn bytes(&self) -> usize {
            self.writers.capacity() * size_of::<AtomicUsize>()
        }

        /// Panics if another thread writes to one of the leaves.
        pub fn claim(&self, leaves: Range<usize>) -> Claim<'_> {
            for leaf in leaves.clone() {
                let before = self.writers[leaf].compare_exchange(
                    0,
                    this_thread(),
                    Ordering::Acquire,
                    Ordering::Relaxed,
                );
                assert!(before.is_ok(), "two threads write below one node at once: leaf {leaf}");
            }
            Claim { claims: self, leaves }
        }

        /// Panics if another thread writes to the leaf.
        #[inline(always)]
        pub fn check_read(&self, leaf: usize) {
            let writer = self.writers[leaf].load(Ordering::Relaxed);
            assert!(
                writer == 0 || writer == this_thread(),
                "a thread reads what another one writes: leaf {leaf}"
            );
        }
    }

    impl Drop for Claim<'_> {
        fn drop(&mut self) {
            for leaf in self.leaves.clone() {
                self.claims.writers[leaf].store(0, Ordering::Release);
            }
        }
    }
}

#[cfg(not(debug_assertions))]
impl Claims {
    pub fn new(_: &Memory) -> Claims {
        Claims
    }

    pub fn resize(&mut self, _: usize) -> Result<(), MemoryError> {
        Ok(())
    }

    pub fn bytes(&self) -> usize {
        0
    }

    pub fn claim(&self, _: Range<usize>) -> Claim<'_> {
        Claim { nothing: std::marker::PhantomData }
    }

    #[inline(always)]
    pub fn check_read(&self, _: usize) {}
}
