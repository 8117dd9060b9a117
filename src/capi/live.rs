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
use super::gate::Gate;
use super::guard::{Call, Failure};
use super::status::*;
use super::table::Table;
use crate::locks::RwLock;
use crate::memory::{Memory, MemoryError, Owned};
use crate::schedule::OpenRun;
use std::cell::UnsafeCell;
use std::mem;
use std::panic::{self, AssertUnwindSafe};
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
    gate: Gate,
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
    let cell = Cell {
        busy: AtomicBool::new(false),
        poisoned: AtomicBool::new(false),
        gate: Gate::new(),
        context: context.into(),
    };
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

/// Looks at the cell of a context, which exists as long as that takes: the table is locked. Not the caller's code.
fn find<R>(
    call: &Call,
    context: *mut pccd_context,
    look: impl FnOnce(&Owned<Cell>) -> Result<R, Failure>,
) -> Result<R, Failure> {
    call.not_null(context, "context")?;
    let live = LIVE.read().unwrap_or_else(PoisonError::into_inner);
    match live.as_ref().and_then(|table| table.get(context.addr() as u64)) {
        Some(cell) => look(cell),
        None => Err(call.fail(
            PCCD_ERR_STALE_HANDLE,
            format_args!(
                "context is {context:p}, which is not a context: destroyed before, or never created"
            ),
        )),
    }
}

/// Enters the context, or says why not.
pub(super) fn hold(call: &Call, context: *mut pccd_context) -> Result<Held, Failure> {
    find(call, context, |cell| {
        // While the table is locked the cell exists; once `busy` is ours nobody else can remove it.
        if cell.busy.swap(true, Ordering::Acquire) {
            return Err(match cell.gate.begun() {
                Some(query) => call.fail(
                    PCCD_ERR_BUSY,
                    format_args!(
                        "context is {context:p}, in which a run of query {query:#x} was begun; only \
                         pccd_query_work(), pccd_query_cancel() and pccd_query_end() may be called until it is ended"
                    ),
                ),
                None => call.fail(
                    PCCD_ERR_BUSY,
                    format_args!(
                        "context is {context:p}, which is inside another call that has not returned yet"
                    ),
                ),
            });
        }
        Ok(Held { cell: cell.as_ptr(), id: context.addr() as u64 })
    })
}

/// Takes the context over from [`Held::stay`], and with it the run that was begun, which the others can still use.
pub(super) fn resume(
    call: &Call,
    context: *mut pccd_context,
    query: u64,
) -> Result<(Held, NonNull<dyn OpenRun>), Failure> {
    find(call, context, |cell| {
        // Whom the gate lets end the run is alone: `busy` is still set, and that right goes over to it.
        let run = cell.gate.end(call, query)?;
        Ok((Held { cell: cell.as_ptr(), id: context.addr() as u64 }, run))
    })
}

/// Does something with a run that was begun, on any thread. Nothing is done when it has ended already.
pub(super) fn visit(
    call: &Call,
    context: *mut pccd_context,
    query: u64,
    body: impl FnOnce(&dyn OpenRun),
) -> Result<(), Failure> {
    let inside = find(call, context, |cell| {
        if cell.poisoned.load(Ordering::Relaxed) {
            return Err(poisoned(call, context));
        }
        Ok(cell.gate.enter(call, query)?.map(|run| (Visitor(cell.as_ptr()), run)))
    })?;
    let Some((visitor, run)) = inside else { return Ok(()) };
    // SAFETY: as long as the visitor is counted, the run is alive and shared.
    let body = AssertUnwindSafe(|| body(unsafe { run.as_ref() }));
    panic::catch_unwind(body).map_err(|payload| {
        visitor.cell().poisoned.store(true, Ordering::Relaxed);
        call.panicked(payload)
    })
}

/// Ends the run of a query soon, if there is one.
pub(super) fn cancel(call: &Call, context: *mut pccd_context, query: u64) -> Result<(), Failure> {
    find(call, context, |cell| {
        cell.gate.cancel(query);
        Ok(())
    })
}

/// Ends the step of a pipeline soon, if there is one.
pub(super) fn cancel_step(call: &Call, context: *mut pccd_context, pipeline: u64) -> Result<(), Failure> {
    find(call, context, |cell| {
        cell.gate.cancel_step(pipeline);
        Ok(())
    })
}

/// That nothing but destroying is left to do.
pub(super) fn poisoned(call: &Call, context: *mut pccd_context) -> Failure {
    call.fail(
        PCCD_ERR_POISONED,
        format_args!(
            "context is {context:p}, in which an earlier call returned PCCD_ERR_PANIC; \
             it can only be destroyed"
        ),
    )
}

/// A thread that the gate has counted in.
struct Visitor(NonNull<Cell>);

impl Visitor {
    fn cell(&self) -> &Cell {
        // SAFETY: a context is not removed before its gate is closed, nor is that before all have left.
        unsafe { self.0.as_ref() }
    }
}

impl Drop for Visitor {
    fn drop(&mut self) {
        // With the table locked: once the gate knows that the last one has left, the cell may be removed.
        let _live = LIVE.read().unwrap_or_else(PoisonError::into_inner);
        self.cell().gate.leave();
    }
}

impl Held {
    fn cell(&self) -> &Cell {
        // SAFETY: only who holds a context can remove it, so the cell lives as long as `self`.
        unsafe { self.cell.as_ref() }
    }

    /// What the caller calls it.
    pub(super) fn pointer(&self) -> *mut pccd_context {
        ptr::without_provenance_mut(self.id as usize)
    }

    pub(super) fn context(&mut self) -> &mut Context {
        self.parts().1
    }

    /// The context, and the gate beside it.
    pub(super) fn parts(&mut self) -> (&Gate, &mut Context) {
        let cell = self.cell();
        // SAFETY: `busy` gave the context to `self` alone.
        (&cell.gate, unsafe { &mut *cell.context.get() })
    }

    /// Lets the calling thread go but keeps the context busy, with a run that others may work on: see [`resume`].
    ///
    /// # Safety
    /// The run is prepared and belongs to a query of this context.
    pub(super) unsafe fn stay(self, query: u64, run: NonNull<dyn OpenRun>) {
        // SAFETY: promised by the caller. The run stays where it is: nobody gets at the query before `resume`.
        unsafe { self.cell().gate.begin(query, run) };
        // Somebody else may be in there already.
        mem::forget(self);
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
