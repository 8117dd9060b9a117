//! The locks that threads share: those of `std`. Under `--cfg pccd_tsan`, which only `tests/tsan/run.sh` sets, the
//! same interface on those of the system, for ThreadSanitizer.
//!
//! ThreadSanitizer learns what a lock orders from code that was compiled for it, or from calls that it
//! intercepts. The locks of `std` are neither: they wait by system calls, and their slow paths are in the `std`
//! that comes with the compiler. So it would take everything that a lock protects for a race. Calls of `pthread_mutex_lock` and the like it
//! intercepts.

#[cfg(not(pccd_tsan))]
pub use std::sync::{Condvar, Mutex, MutexGuard, RwLock};

#[cfg(pccd_tsan)]
pub use posix::{Condvar, Mutex, MutexGuard, RwLock};

#[cfg(pccd_tsan)]
mod posix {
    use std::cell::UnsafeCell;
    use std::ffi::c_int;
    use std::marker::PhantomData;
    use std::ops::{Deref, DerefMut};
    // Never poisoned; the type is that of `std`, so that callers need not know.
    use std::sync::LockResult;

    #[cfg(not(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64")))]
    compile_error!("the sizes below, and that a lock begins as zeros, hold for glibc on 64 bits");

    /// A lock or condition of the system: at least as large as glibc's largest, and as it, valid when zero. It
    /// may be moved as long as nobody has used it.
    #[repr(C, align(16))]
    struct Raw(UnsafeCell<[u64; 8]>);

    impl Raw {
        const fn new() -> Raw {
            Raw(UnsafeCell::new([0; 8]))
        }

        /// Makes a call, all of which return 0 unless they are misused.
        fn call(&self, function: unsafe extern "C" fn(*mut Raw) -> c_int) {
            // SAFETY: a lock that lives; the functions are made for several threads.
            let error = unsafe { function(self.0.get().cast()) };
            assert!(error == 0, "a lock was misused: error {error}");
        }
    }

    // SAFETY: only the system looks into it, which is made for several threads.
    unsafe impl Send for Raw {}
    // SAFETY: as above.
    unsafe impl Sync for Raw {}

    unsafe extern "C" {
        fn pthread_mutex_lock(mutex: *mut Raw) -> c_int;
        fn pthread_mutex_unlock(mutex: *mut Raw) -> c_int;
        fn pthread_mutex_destroy(mutex: *mut Raw) -> c_int;
        fn pthread_cond_wait(condition: *mut Raw, mutex: *mut Raw) -> c_int;
        fn pthread_cond_signal(condition: *mut Raw) -> c_int;
        fn pthread_cond_broadcast(condition: *mut Raw) -> c_int;
        fn pthread_cond_destroy(condition: *mut Raw) -> c_int;
        fn pthread_rwlock_rdlock(lock: *mut Raw) -> c_int;
        fn pthread_rwlock_wrlock(lock: *mut Raw) -> c_int;
        fn pthread_rwlock_unlock(lock: *mut Raw) -> c_int;
        fn pthread_rwlock_destroy(lock: *mut Raw) -> c_int;
    }

    /// Tells the system, and with it ThreadSanitizer, that a lock ends: memory at the same place is another one.
    struct RawMutex(Raw);
    struct RawCondvar(Raw);
    struct RawRwLock(Raw);

    impl Drop for RawMutex {
        fn drop(&mut self) {
            self.0.call(pthread_mutex_destroy);
        }
    }

    impl Drop for RawCondvar {
        fn drop(&mut self) {
            self.0.call(pthread_cond_destroy);
        }
    }

    impl Drop for RawRwLock {
        fn drop(&mut self) {
            self.0.call(pthread_rwlock_destroy);
        }
    }

    /// As that of `std`.
    pub struct Mutex<T> {
        raw: RawMutex,
        value: UnsafeCell<T>,
    }

    // SAFETY: the value is used by one thread at a time, who has the lock.
    unsafe impl<T: Send> Sync for Mutex<T> {}

    impl<T> Mutex<T> {
        /// As that of `std`.
        pub const fn new(value: T) -> Mutex<T> {
            Mutex { raw: RawMutex(Raw::new()), value: UnsafeCell::new(value) }
        }

        /// As that of `std`.
        pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
            self.raw.0.call(pthread_mutex_lock);
            Ok(MutexGuard { mutex: self, one_thread: PhantomData })
        }

        /// As that of `std`.
        pub fn get_mut(&mut self) -> LockResult<&mut T> {
            Ok(self.value.get_mut())
        }

        /// As that of `std`.
        pub fn into_inner(self) -> LockResult<T> {
            Ok(self.value.into_inner())
        }
    }

    /// As that of `std`.
    pub struct MutexGuard<'a, T> {
        mutex: &'a Mutex<T>,
        /// The thread that locks has to unlock.
        one_thread: PhantomData<*const ()>,
    }

    // SAFETY: a reference to it gives references to the value, no more.
    unsafe impl<T: Sync> Sync for MutexGuard<'_, T> {}

    impl<T> Deref for MutexGuard<'_, T> {
        type Target = T;

        fn deref(&self) -> &T {
            // SAFETY: the guard has the lock.
            unsafe { &*self.mutex.value.get() }
        }
    }

    impl<T> DerefMut for MutexGuard<'_, T> {
        fn deref_mut(&mut self) -> &mut T {
            // SAFETY: the guard has the lock, and is borrowed for writing.
            unsafe { &mut *self.mutex.value.get() }
        }
    }

    impl<T> Drop for MutexGuard<'_, T> {
        fn drop(&mut self) {
            self.mutex.raw.0.call(pthread_mutex_unlock);
        }
    }

    /// As that of `std`.
    pub struct Condvar(RawCondvar);

    impl Condvar {
        /// As that of `std`.
        pub const fn new() -> Condvar {
            Condvar(RawCondvar(Raw::new()))
        }

        /// As that of `std`.
        pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
            let (condition, mutex) = (self.0.0.0.get().cast(), guard.mutex.raw.0.0.get().cast());
            // SAFETY: both live, and the guard says that this thread has the lock, as it has again afterwards.
            let error = unsafe { pthread_cond_wait(condition, mutex) };
            assert!(error == 0, "a condition was misused: error {error}");
            Ok(guard)
        }

        /// As that of `std`.
        pub fn notify_one(&self) {
            self.0.0.call(pthread_cond_signal);
        }

        /// As that of `std`.
        pub fn notify_all(&self) {
            self.0.0.call(pthread_cond_broadcast);
        }
    }

    /// As that of `std`.
    pub struct RwLock<T> {
        raw: RawRwLock,
        value: UnsafeCell<T>,
    }

    // SAFETY: the value is used by who has the lock: one that may write, or several that read.
    unsafe impl<T: Send + Sync> Sync for RwLock<T> {}

    impl<T> RwLock<T> {
        /// As that of `std`.
        pub const fn new(value: T) -> RwLock<T> {
            RwLock { raw: RawRwLock(Raw::new()), value: UnsafeCell::new(value) }
        }

        /// As that of `std`.
        pub fn read(&self) -> LockResult<ReadGuard<'_, T>> {
            self.raw.0.call(pthread_rwlock_rdlock);
            Ok(ReadGuard { lock: self, one_thread: PhantomData })
        }

        /// As that of `std`.
        pub fn write(&self) -> LockResult<WriteGuard<'_, T>> {
            self.raw.0.call(pthread_rwlock_wrlock);
            Ok(WriteGuard { lock: self, one_thread: PhantomData })
        }
    }

    /// As `RwLockReadGuard` of `std`.
    pub struct ReadGuard<'a, T> {
        lock: &'a RwLock<T>,
        one_thread: PhantomData<*const ()>,
    }

    /// As `RwLockWriteGuard` of `std`.
    pub struct WriteGuard<'a, T> {
        lock: &'a RwLock<T>,
        one_thread: PhantomData<*const ()>,
    }

    impl<T> Deref for ReadGuard<'_, T> {
        type Target = T;

        fn deref(&self) -> &T {
            // SAFETY: who reads has the lock.
            unsafe { &*self.lock.value.get() }
        }
    }

    impl<T> Deref for WriteGuard<'_, T> {
        type Target = T;

        fn deref(&self) -> &T {
            // SAFETY: the guard has the lock.
            unsafe { &*self.lock.value.get() }
        }
    }

    impl<T> DerefMut for WriteGuard<'_, T> {
        fn deref_mut(&mut self) -> &mut T {
            // SAFETY: the guard has the lock for itself, and is borrowed for writing.
            unsafe { &mut *self.lock.value.get() }
        }
    }

    impl<T> Drop for ReadGuard<'_, T> {
        fn drop(&mut self) {
            self.lock.raw.0.call(pthread_rwlock_unlock);
        }
    }

    impl<T> Drop for WriteGuard<'_, T> {
        fn drop(&mut self) {
            self.lock.raw.0.call(pthread_rwlock_unlock);
        }
    }
}
