//! Which contexts exist, and who is inside one.
//!
//! A `pccd_context *` is no address but an id from the table below. That is what makes a context that was destroyed,
//! or never created, an error instead of a crash: the library never reads memory that only the caller vouches for.
//!
//! The table is, with a count of contexts, the one piece of process-wide state. It has to be: the question it answers is "is this pointer one of
//! ours", and there is nothing else to ask, since the context itself may be gone. It holds no settings, and
//! contexts learn nothing of each other through it. Its slots stay for the life of the process, a few bytes
//! for each context that existed at the same time as the others, from the system's allocator: it belongs to no caller.

use super::context::{Context, pccd_context};
use super::guard::{Call, Failure};
use super::status::*;
use super::table::Table;
use crate::locks::RwLock;
use crate::memory::{Memory, MemoryError, Owned};
use std::cell::UnsafeCell;
use std::mem;
use std::ptr::{self, NonNull};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Locked for writing while a context is added or removed, for reading while one is looked up: never while the caller's
/// callbacks run, so that these may call the library.
static LIVE: RwLock<Option<Table<Owned<Cell>>>> = RwLock::new(None);

/// How many contexts were begun.
static BEGUN: AtomicU32 = AtomicU32::new(0);

/// A number that no other context has, until there were four billion.
pub(super) fn next_number() -> u32 {
    BEGUN.fetch_add(1, Ordering::Relaxed).wrapping_add(1)
}

/// A context and who may touch it.
pub(super) struct Cell {
    busy: AtomicBool,
    poisoned: AtomicBool,
    context: UnsafeCell<Context>,
}

// SAFETY: `context` is only reached through `Held`, of which there is one at a time (`busy`). Its raw pointers are
// the caller's user pointers, which the header says are used from any thread that calls.
unsafe impl Send for Cell {}
// SAFETY: see above.
unsafe impl Sync for Cell {}

/// The right to use a context, which nobody else has meanwhile.
pub(super) struct Held {
    cell: NonNull<Cell>,
    id: u64,
}

/// Puts a new context into the table.
pub(super) fn add(memory: Memory, context: Context) -> Result<*mut pccd_context, MemoryError> {
    let cell =
        Cell { busy: AtomicBool::new(false), poisoned: AtomicBool::new(false), context: context.into() };
    let owned = Owned::new(memory, cell)?;
    let mut live = LIVE.write().unwrap_or_else(PoisonError::into_inner);
    let table = match &mut *live {
        Some(table) => table,
        none => none.insert(Table::new(Memory::new(None)?, 1)),
    };
    let inserted = table.insert(owned);
    // Before a refused context is dropped, which calls the caller's `free`.
    drop(live);
    let id = inserted.map_err(|(error, _refused)| error)?;
    Ok(ptr::without_provenance_mut(id as usize))
}

/// Enters the context, or says why not.
pub(super) fn hold(call: &Call, context: *mut pccd_context) -> Result<Held, Failure> {
    call.not_null(context, "context")?;
    let id = context.addr() as u64;
    let live = LIVE.read().unwrap_or_else(PoisonError::into_inner);
    let Some(cell) = live.as_ref().and_then(|table| table.get(id)) else {
        drop(live);
        return Err(call.fail(
            PCCD_ERR_STALE_HANDLE,
            format_args!(
                "context is {context:p}, which is not a context: destroyed before, or never created"
            ),
        ));
    };
    // While the table is locked the cell exists; once `busy` is ours nobody else can remove it.
    if cell.busy.swap(true, Ordering::Acquire) {
        drop(live);
        return Err(call.fail(
            PCCD_ERR_BUSY,
            format_args!("context is {context:p}, which is inside another call that has not returned yet"),
        ));
    }
    Ok(Held { cell: cell.as_ptr(), id })
}

impl Held {
    fn cell(&self) -> &Cell {
        // SAFETY: only who holds a context can remove it, so the cell lives as long as `self`.
        unsafe { self.cell.as_ref() }
    }

    pub(super) fn context(&mut self) -> &mut Context {
        // SAFETY: `busy` gave the context to `self` alone.
        unsafe { &mut *self.cell().context.get() }
    }

    pub(super) fn is_poisoned(&self) -> bool {
        self.cell().poisoned.load(Ordering::Relaxed)
    }

    /// From now on the context can only be destroyed.
    pub(super) fn poison(&self) {
        self.cell().poisoned.store(true, Ordering::Relaxed);
    }

    /// Takes the context out of the table: nobody finds it any more.
    pub(super) fn remove(self) -> Option<Owned<Cell>> {
        let mut live = LIVE.write().unwrap_or_else(PoisonError::into_inner);
        let owned = live.as_mut().and_then(|table| table.remove(self.id));
        // There is nothing left to leave.
        mem::forget(self);
        owned
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.cell().busy.store(false, Ordering::Release);
    }
}
