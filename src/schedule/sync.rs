//! What threads share: from `std` (locks by way of [`crate::locks`]), or from loom in the models of `tests/loom`, where every order in
//! which threads may act is tried. Built with `cfg(loom)` only for these.

#[cfg(loom)]
pub use loom::{
    cell::UnsafeCell,
    sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence},
    sync::{Condvar, Mutex, MutexGuard, RwLock},
};

#[cfg(not(loom))]
pub use crate::locks::{Condvar, Mutex, MutexGuard, RwLock};
#[cfg(not(loom))]
pub use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence};

#[cfg(not(loom))]
pub use crossbeam_deque as deque;

use std::sync::PoisonError;

/// Locks, whatever happened to earlier holders: none of ours panics halfway through a change.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits on a condition, as [`lock`] locks.
pub fn wait<'a, T>(condition: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condition.wait(guard).unwrap_or_else(PoisonError::into_inner)
}

/// `std`'s cell with the interface of loom's, which notes who looks when and reports two at once.
#[cfg(not(loom))]
pub struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

#[cfg(not(loom))]
impl<T> UnsafeCell<T> {
    /// A cell with this in it.
    pub fn new(value: T) -> UnsafeCell<T> {
        UnsafeCell(std::cell::UnsafeCell::new(value))
    }

    /// The pointer, for writing. Whoever dereferences it answers for being alone.
    #[inline]
    pub fn with_mut<R>(&self, look: impl FnOnce(*mut T) -> R) -> R {
        look(self.0.get())
    }
}

/// The part of crossbeam's deques that is used here, for loom, which cannot look into the real ones. It
/// models how workers park around them, not the deques.
#[cfg(loom)]
pub mod deque {
    use super::{Mutex, lock};
    use loom::sync::Arc;
    use std::collections::VecDeque;

    /// The owner's end.
    pub struct Worker<T>(Arc<Mutex<VecDeque<T>>>);
    /// The others' end.
    pub struct Stealer<T>(Arc<Mutex<VecDeque<T>>>);

    /// What came of an attempt to steal.
    pub enum Steal<T> {
        Empty,
        Success(T),
        #[allow(dead_code, reason = "only the real ones fail for no reason")]
        Retry,
    }

    impl<T> Worker<T> {
        /// An empty deque whose owner takes what it pushed last.
        pub fn new_lifo() -> Worker<T> {
            Worker(Arc::new(Mutex::new(VecDeque::new())))
        }

        pub fn stealer(&self) -> Stealer<T> {
            Stealer(self.0.clone())
        }

        pub fn push(&self, value: T) {
            lock(&self.0).push_back(value);
        }

        pub fn pop(&self) -> Option<T> {
            lock(&self.0).pop_back()
        }

        pub fn len(&self) -> usize {
            lock(&self.0).len()
        }
    }

    impl<T> Stealer<T> {
        pub fn steal(&self) -> Steal<T> {
            lock(&self.0).pop_front().map_or(Steal::Empty, Steal::Success)
        }

        pub fn is_empty(&self) -> bool {
            lock(&self.0).is_empty()
        }
    }
}
