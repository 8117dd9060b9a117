//! Who is asked for memory.

use super::{Hook, MemoryError};
use crate::locks::Mutex;
use std::alloc::Layout;
use std::ptr::NonNull;
use std::sync::PoisonError;

/// The caller's allocator, or the system's.
pub(super) struct Source {
    hook: Option<Hook>,
    // Worker threads allocate as well, and a caller's allocator should not have to be thread-safe for that.
    one_at_a_time: Mutex<()>,
}

impl Source {
    pub fn new(hook: Option<Hook>) -> Source {
        Source { hook, one_at_a_time: Mutex::new(()) }
    }

    /// `layout` must not be empty.
    pub fn allocate(&self, layout: Layout) -> Result<NonNull<u8>, MemoryError> {
        debug_assert!(layout.size() > 0);
        let Some(hook) = &self.hook else {
            return system::allocate(layout);
        };
        let _turn = self.one_at_a_time.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the caller gave this function for this purpose, and its user pointer with it.
        let memory = unsafe { (hook.alloc)(layout.size(), layout.align(), hook.user) };
        let Some(memory) = NonNull::new(memory) else {
            return Err(MemoryError::Refused { size: layout.size() });
        };
        if !(memory.addr().get()).is_multiple_of(layout.align()) {
            // SAFETY: the memory came from `alloc` with this size and alignment, and nobody has it yet.
            unsafe { (hook.free)(memory.as_ptr(), layout.size(), layout.align(), hook.user) };
            return Err(MemoryError::Misaligned { address: memory.addr().get(), alignment: layout.align() });
        }
        Ok(memory.cast())
    }

    /// # Safety
    /// `memory` came from `allocate` with the same layout, and nobody uses it any more.
    pub unsafe fn free(&self, memory: NonNull<u8>, layout: Layout) {
        match &self.hook {
            // SAFETY: promised by the caller.
            None => unsafe { system::free(memory, layout) },
            Some(hook) => {
                let _turn = self.one_at_a_time.lock().unwrap_or_else(PoisonError::into_inner);
                // SAFETY: promised by the caller.
                unsafe { (hook.free)(memory.as_ptr().cast(), layout.size(), layout.align(), hook.user) }
            }
        }
    }
}

mod system {
    //! The system's allocator, which is asked for no more than the alignment that it gives to everything: for more, it cuts pieces off on both sides and keeps lists of them, which takes several
    //! times as long. Here the little room in front of what is aligned says where the memory begins.

    use super::*;

    const USUAL: usize = 16;
    const _: () = assert!(USUAL >= size_of::<*mut u8>() && USUAL.is_multiple_of(align_of::<*mut u8>()));

    /// What the system is asked for.
    fn outer(layout: Layout) -> Option<Layout> {
        Layout::from_size_align(layout.size().checked_add(layout.align())?, USUAL).ok()
    }

    pub fn allocate(layout: Layout) -> Result<NonNull<u8>, MemoryError> {
        debug_assert!(layout.size() > 0);
        let refused = MemoryError::Refused { size: layout.size() };
        if layout.align() <= USUAL {
            // SAFETY: the layout is not empty: everything allocated here has at least one element with a size.
            return NonNull::new(unsafe { std::alloc::alloc(layout) }).ok_or(refused);
        }
        let outer = outer(layout).ok_or(MemoryError::TooLarge)?;
        // SAFETY: larger than the layout, which is not empty.
        let Some(start) = NonNull::new(unsafe { std::alloc::alloc(outer) }) else { return Err(refused) };
        // Both are multiples of the usual alignment, so that the next aligned address is at least that far away, and at most as far as the room that was added.
        let shift = layout.align() - start.addr().get() % layout.align();
        // SAFETY: inside of what was allocated, and so is the pointer in front of it, which is aligned since both are.
        unsafe {
            let memory = start.add(shift);
            memory.cast::<NonNull<u8>>().sub(1).write(start);
            Ok(memory)
        }
    }

    /// # Safety
    /// `memory` came from `allocate` with the same layout, and nobody uses it any more.
    pub unsafe fn free(memory: NonNull<u8>, layout: Layout) {
        // SAFETY: promised by the caller: it was allocated with this layout, or with the one around it, and then its start is in front of it.
        unsafe {
            if layout.align() <= USUAL {
                std::alloc::dealloc(memory.as_ptr(), layout);
            } else {
                let start = memory.cast::<NonNull<u8>>().sub(1).read();
                std::alloc::dealloc(start.as_ptr(), outer(layout).expect("it was allocated with it"));
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn memory_is_aligned_and_all_of_it_can_be_written() {
            for align in (0..13).map(|bits| 1usize << bits) {
                for size in [1, 7, 8, 100, 4096, 1 << 20] {
                    let layout = Layout::from_size_align(size, align).unwrap();
                    let both = [(); 2].map(|()| allocate(layout).unwrap());
                    for memory in both {
                        assert!(memory.addr().get().is_multiple_of(align), "{size} {align}");
                        // SAFETY: allocated with this size.
                        unsafe { memory.write_bytes(0xff, size) };
                    }
                    for memory in both {
                        // SAFETY: allocated with this layout.
                        unsafe { free(memory, layout) };
                    }
                }
            }
        }

        #[test]
        fn what_does_not_fit_the_address_space_is_not_asked_for() {
            let layout = Layout::from_size_align(isize::MAX as usize - 63, 64).unwrap();
            assert_eq!(allocate(layout), Err(MemoryError::TooLarge));
        }
    }
}
