//! Where the library's memory comes from: the caller's allocator, or the system's.
//!
//! Nothing here aborts: every allocation can be refused, and says so. A [`Memory`] is shared by all that one
//! context owns, so that it counts what the context holds.

mod block;
mod buffer;
mod owned;
mod source;
mod store;

pub use block::Block;
pub use buffer::Buffer;
pub use owned::Owned;
use source::Source;
pub use store::Store;

use std::alloc::Layout;
use std::ffi::c_void;
use std::fmt;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The caller's `malloc`: size, alignment, user pointer.
pub type AllocFn = unsafe extern "C" fn(size: usize, alignment: usize, user: *mut c_void) -> *mut c_void;
/// The caller's `free`: memory, and the size and alignment it was asked for with.
pub type FreeFn = unsafe extern "C" fn(memory: *mut c_void, size: usize, alignment: usize, user: *mut c_void);

/// An allocator of the caller's.
#[derive(Clone, Copy)]
pub struct Hook {
    pub alloc: AllocFn,
    pub free: FreeFn,
    pub user: *mut c_void,
}

/// Why there is no memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryError {
    /// The size does not fit the address space; nobody was asked.
    TooLarge,
    /// The allocator said no.
    Refused { size: usize },
    /// The caller's allocator returned memory that is not aligned as asked. It got it back.
    Misaligned { address: usize, alignment: usize },
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MemoryError::TooLarge => write!(f, "the size in bytes does not fit the address space"),
            MemoryError::Refused { size } => write!(f, "the allocator refused {size} bytes"),
            MemoryError::Misaligned { address, alignment } => {
                write!(f, "alloc returned {address:#x}, which is not aligned to {alignment} bytes")
            }
        }
    }
}

/// A counted reference to one allocator. Itself lives in the memory that it hands out.
pub struct Memory {
    shared: NonNull<Shared>,
}

struct Shared {
    source: Source,
    bytes: AtomicUsize,
    references: AtomicUsize,
}

// SAFETY: the hook's functions are called one at a time; that the caller's `user` may be used from the threads
// of the context is what the C header asks for. Everything else in `Shared` is atomic or a mutex.
unsafe impl Send for Memory {}
// SAFETY: see above.
unsafe impl Sync for Memory {}

impl Memory {
    /// Memory from the caller's hook, or without one from the system.
    pub fn new(hook: Option<Hook>) -> Result<Memory, MemoryError> {
        let source = Source::new(hook);
        let layout = Layout::new::<Shared>();
        let shared = source.allocate(layout)?.cast::<Shared>();
        let bytes = AtomicUsize::new(layout.size());
        // SAFETY: freshly allocated for a `Shared`, with its size and alignment.
        unsafe { shared.write(Shared { source, bytes, references: AtomicUsize::new(1) }) };
        Ok(Memory { shared })
    }

    /// Bytes now held from this allocator, including a few for its own record.
    pub fn allocated_bytes(&self) -> usize {
        self.shared().bytes.load(Ordering::Relaxed)
    }

    fn shared(&self) -> &Shared {
        // SAFETY: `Shared` lives until the last reference is dropped, and this is one.
        unsafe { self.shared.as_ref() }
    }

    /// Uninitialised memory for `layout`, which must not be empty.
    fn allocate(&self, layout: Layout) -> Result<NonNull<u8>, MemoryError> {
        let memory = self.shared().source.allocate(layout)?;
        self.shared().bytes.fetch_add(layout.size(), Ordering::Relaxed);
        Ok(memory)
    }

    /// # Safety
    /// `memory` came from `allocate` of the same `Memory` (or a clone) with the same layout, and nobody uses it
    /// any more.
    unsafe fn free(&self, memory: NonNull<u8>, layout: Layout) {
        // SAFETY: promised by the caller.
        unsafe { self.shared().source.free(memory, layout) };
        self.shared().bytes.fetch_sub(layout.size(), Ordering::Relaxed);
    }
}

impl Clone for Memory {
    fn clone(&self) -> Memory {
        self.shared().references.fetch_add(1, Ordering::Relaxed);
        Memory { shared: self.shared }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // Release what this reference did, and see what all others did before freeing: as `Arc` does.
        if self.shared().references.fetch_sub(1, Ordering::AcqRel) != 1 {
            return;
        }
        // SAFETY: this was the last reference; `source` is moved out and the rest of `Shared` needs no drop.
        let source = unsafe { ptr::read(&raw const (*self.shared.as_ptr()).source) };
        // SAFETY: `new` allocated it from this source with this layout; nobody refers to it any more.
        unsafe { source.free(self.shared.cast(), Layout::new::<Shared>()) };
    }
}

/// Room for `count` elements of `T`: an error where `Layout` or `Vec` would overflow or abort.
fn array_layout<T>(count: usize) -> Result<Layout, MemoryError> {
    Layout::array::<T>(count).map_err(|_| MemoryError::TooLarge)
}

#[cfg(test)]
pub(crate) mod counting {
    //! An allocator for tests: counts, refuses and misaligns as told.

    use super::*;
    use std::cell::Cell;

    #[derive(Default)]
    pub struct Counting {
        pub bytes: Cell<usize>,
        pub allocations: Cell<usize>,
        /// Refuse when this many allocations have been granted.
        pub limit: Cell<Option<usize>>,
        pub misalign: Cell<bool>,
    }

    unsafe extern "C" fn alloc(size: usize, alignment: usize, user: *mut c_void) -> *mut c_void {
        // SAFETY: `user` is the `Counting` of `hook`.
        let counting = unsafe { &*user.cast::<Counting>() };
        if counting.limit.get().is_some_and(|limit| counting.allocations.get() >= limit) {
            return ptr::null_mut();
        }
        counting.allocations.set(counting.allocations.get() + 1);
        counting.bytes.set(counting.bytes.get() + size);
        let shift = usize::from(counting.misalign.get());
        // SAFETY: not an empty layout.
        unsafe { std::alloc::alloc(Layout::from_size_align(size + 1, alignment).unwrap()).add(shift).cast() }
    }

    unsafe extern "C" fn free(memory: *mut c_void, size: usize, alignment: usize, user: *mut c_void) {
        // SAFETY: `user` is the `Counting` of `hook`.
        let counting = unsafe { &*user.cast::<Counting>() };
        counting.bytes.set(counting.bytes.get() - size);
        let shift = usize::from(counting.misalign.get());
        let layout = Layout::from_size_align(size + 1, alignment).unwrap();
        // SAFETY: what `alloc` did, undone.
        unsafe { std::alloc::dealloc(memory.cast::<u8>().sub(shift), layout) };
    }

    impl Counting {
        pub fn hook(&self) -> Hook {
            Hook { alloc, free, user: (&raw const *self).cast_mut().cast() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::counting::Counting;
    use super::*;

    #[test]
    fn counts_bytes_and_frees_its_own_record_last() {
        let counting = Counting::default();
        let memory = Memory::new(Some(counting.hook())).unwrap();
        let clone = memory.clone();
        let mut buffer = Buffer::<u64>::new(clone);
        buffer.reserve(10).unwrap();
        assert_eq!(memory.allocated_bytes(), counting.bytes.get());
        drop(memory);
        assert!(counting.bytes.get() >= 80);
        drop(buffer);
        assert_eq!(counting.bytes.get(), 0);
    }

    #[test]
    fn misaligned_memory_goes_back_to_the_hook() {
        let counting = Counting::default();
        counting.misalign.set(true);
        let error = Memory::new(Some(counting.hook())).err().unwrap();
        assert!(matches!(error, MemoryError::Misaligned { .. }), "{error}");
        assert_eq!((counting.allocations.get(), counting.bytes.get()), (1, 0));
    }

    #[test]
    fn a_refusal_is_an_error() {
        let counting = Counting::default();
        counting.limit.set(Some(0));
        assert!(matches!(Memory::new(Some(counting.hook())), Err(MemoryError::Refused { .. })));
    }
}
