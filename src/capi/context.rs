//! Threads, memory, log: what everything else lives in.

use super::check;
use super::discrete::QueryObject;
use super::guard::{Call, Failure, enter, enter_context, log_failure};
use super::live;
use super::log::{Log, pccd_log_fn};
use super::mesh::MeshObject;
use super::objects::{ObjectKind, Objects};
use super::overlap::pccd_triangle_ref;
use super::pipeline::PipelineObject;
use super::status::*;
use super::tasks::{self, PCCD_SCHEDULER_ASSIGNMENT, pccd_enqueue_fn, pccd_finish_fn};
use super::version::PCCD_ABI_VERSION;
use super::versioned::{self, Versioned};
use crate::bvh::Bvh;
use crate::detect::{Queries, SchedulerKind};
use crate::memory::{Buffer, Hook, Memory, MemoryError};
use crate::schedule::{Crew, TaskHooks};
use crate::simd::Level;
use std::ffi::c_void;
use std::ptr;

/// SIMD level: the highest that this CPU has.
pub const PCCD_SIMD_AUTO: i32 = 0;
/// SIMD level: none. Runs on every CPU.
pub const PCCD_SIMD_SCALAR: i32 = 1;
/// SIMD level: AVX2 of x86-64.
pub const PCCD_SIMD_AVX2: i32 = 2;
/// SIMD level: AVX-512 (F, DQ and VL) of x86-64.
pub const PCCD_SIMD_AVX512: i32 = 3;

/// Threads, memory and log of the library, and all that is created with them. The pointer is a token:
/// it points to nothing that could be read. A context that was destroyed, or a pointer that is no
/// context, is answered with PCCD_ERR_STALE_HANDLE.
///
/// A context is used by one thread at a time, by any. A second one gets PCCD_ERR_BUSY, but for
/// pccd_query_work() and pccd_query_cancel(). Different contexts do not affect each other.
pub struct pccd_context {
    _private: (),
}

/// Allocates memory: size in bytes (never 0), alignment in bytes (a power of two), and the memory_user
/// of the context. Returns null to refuse. Called during calls on the context, on the calling thread, on
/// a thread of the context, or on one that runs its tasks or was donated to a run, but never on two at
/// once. It must return: no exception and no longjmp may leave it. It must not call functions on the same
/// context.
pub type pccd_alloc_fn =
    Option<unsafe extern "C" fn(size: usize, alignment: usize, user: *mut c_void) -> *mut c_void>;

/// Frees memory that the alloc function of the same context returned: the memory (never null), size and
/// alignment that it was allocated with, and the memory_user of the context. Called like the alloc
/// function.
pub type pccd_free_fn =
    Option<unsafe extern "C" fn(memory: *mut c_void, size: usize, alignment: usize, user: *mut c_void)>;

/// How to create a context. Fill it with pccd_context_def_init(), then change what should differ.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pccd_context_def {
    /// Size of this struct in bytes, as the caller knows it. Set by pccd_context_def_init().
    pub struct_size: u32,
    /// Version of the binary interface. pccd_context_def_init() sets that of the library; assign
    /// PCCD_ABI_VERSION to have the header checked against the library.
    pub abi_version: u32,
    /// Threads that work on a call, the calling one included: 1 to 1024, by default 1. The library creates
    /// all but the calling one, so with 1 it creates none. They sleep between calls.
    /// pccd_context_set_threads() changes it. 0 is an error: the library does not guess how many it may
    /// have. Results do not depend on it.
    pub thread_count: u32,
    /// One of the PCCD_SIMD_ levels, by default PCCD_SIMD_AUTO. All levels give the same results, bit for
    /// bit.
    pub simd: i32,
    /// Receives messages; may be null, and is by default.
    pub log: pccd_log_fn,
    /// Passed to log, otherwise not touched.
    pub log_user: *mut c_void,
    /// Allocates the memory of the context. Set alloc and free both, or neither, which is the default and
    /// means the allocator of the system. What the system needs for starting threads does not come from
    /// here.
    pub alloc: pccd_alloc_fn,
    /// Frees what alloc allocated.
    pub free: pccd_free_fn,
    /// Passed to alloc and free, otherwise not touched.
    pub memory_user: *mut c_void,
    /// One of the PCCD_SCHEDULER_ values: how queries hand out work to their workers. All give the same
    /// results.
    pub scheduler: u32,
    /// Has to be 0.
    pub reserved: u32,
    /// Runs the work of the context on the caller's job system. Set enqueue and finish both, or neither,
    /// which is the default. With them the library creates no thread: a call enqueues thread_count - 1
    /// tasks, or fewer, and works itself as well.
    pub enqueue: pccd_enqueue_fn,
    /// Waits for what enqueue has taken on.
    pub finish: pccd_finish_fn,
    /// Passed to enqueue and finish, otherwise not touched.
    pub task_user: *mut c_void,
}

// SAFETY: `repr(C)`, begins with `struct_size`; integers and pointers, null functions being None.
unsafe impl Versioned for pccd_context_def {
    const NAME: &'static str = "pccd_context_def";
    const INIT: &'static str = "pccd_context_def_init";
    const MIN_SIZE: usize = 56;

    fn defaults() -> pccd_context_def {
        pccd_context_def {
            struct_size: size_of::<pccd_context_def>() as u32,
            abi_version: PCCD_ABI_VERSION,
            thread_count: 1,
            simd: PCCD_SIMD_AUTO,
            log: None,
            log_user: ptr::null_mut(),
            alloc: None,
            free: None,
            memory_user: ptr::null_mut(),
            scheduler: PCCD_SCHEDULER_ASSIGNMENT,
            reserved: 0,
            enqueue: None,
            finish: None,
            task_user: ptr::null_mut(),
        }
    }
}

/// What pccd_context_info_get() tells about a context. Prepare it with pccd_context_info_init().
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pccd_context_info {
    /// Size of this struct in bytes, as the caller knows it. Set by pccd_context_info_init().
    pub struct_size: u32,
    /// Threads that work on a call, the calling one included.
    pub thread_count: u32,
    /// The SIMD level in use: never PCCD_SIMD_AUTO.
    pub simd: i32,
    /// Always 0.
    pub reserved: u32,
    /// Bytes that the context holds now, from the alloc function or from the system.
    pub allocated_bytes: u64,
    /// One of the PCCD_SCHEDULER_ values.
    pub scheduler: u32,
    /// 1 if the work is done by tasks of the caller's job system, 0 if by threads of the library.
    pub uses_tasks: u32,
}

// SAFETY: `repr(C)`, begins with `struct_size`; integers only.
unsafe impl Versioned for pccd_context_info {
    const NAME: &'static str = "pccd_context_info";
    const INIT: &'static str = "pccd_context_info_init";
    const MIN_SIZE: usize = 24;

    fn defaults() -> pccd_context_info {
        pccd_context_info {
            struct_size: size_of::<pccd_context_info>() as u32,
            thread_count: 0,
            simd: 0,
            reserved: 0,
            allocated_bytes: 0,
            scheduler: 0,
            uses_tasks: 0,
        }
    }
}

/// What a `pccd_context` names. Lives, like all it owns, in the caller's memory.
pub(super) struct Context {
    // First: its threads end before the memory they work on goes.
    pub(super) crew: Crew,
    pub(super) hooks: Option<TaskHooks>,
    pub(super) scheduler: SchedulerKind,
    pub(super) queries: Queries,
    pub(super) level: Level,
    pub(super) log: Log,
    pub(super) meshes: Objects<MeshObject>,
    pub(super) bvhs: Objects<Bvh>,
    pub(super) mesh_queries: Objects<QueryObject>,
    pub(super) pipelines: Objects<PipelineObject>,
    /// The hierarchy of the run that was begun and not ended.
    pub(super) begun_bvh: u64,
    /// What the last overlap query found.
    pub(super) overlaps: Buffer<pccd_triangle_ref>,
    pub(super) memory: Memory,
}

/// Fills a struct with defaults: one thread, highest SIMD level, no log, the system's allocator. Pass
/// the size of the struct: `pccd_context_def_init(&def, sizeof def)`.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_context_def_init(def: *mut pccd_context_def, size: usize) -> pccd_status {
    // SAFETY: the caller passes the size of its struct.
    enter("pccd_context_def_init", |call| unsafe { versioned::init(call, "def", def, size) })
}

/// Prepares a struct for pccd_context_info_get(). Pass the size of the struct:
/// `pccd_context_info_init(&info, sizeof info)`.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_context_info_init(info: *mut pccd_context_info, size: usize) -> pccd_status {
    // SAFETY: the caller passes the size of its struct.
    enter("pccd_context_info_init", |call| unsafe { versioned::init(call, "info", info, size) })
}

/// Creates a context and its threads. If def is null, with defaults. The definition is copied; it and
/// its functions' user pointers are not touched otherwise, but the functions and what they use have to
/// work until the context is destroyed. Destroy the context with pccd_context_destroy().
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_context_create(
    def: *const pccd_context_def,
    out_context: *mut *mut pccd_context,
) -> pccd_status {
    enter("pccd_context_create", |call| {
        call.not_null(out_context, "out_context")?;
        let def = if def.is_null() {
            pccd_context_def::defaults()
        } else {
            // SAFETY: the caller's struct is as large as it says.
            unsafe { versioned::read(call, "def", def) }?
        };
        let log = Log { function: def.log, user: def.log_user };
        let context = create(call, &def, log).inspect_err(|_| log_failure(&log))?;
        // SAFETY: the caller's pointer to a place for a pointer.
        unsafe { out_context.write(context) };
        Ok(())
    })
}

fn create(call: &Call, def: &pccd_context_def, log: Log) -> Result<*mut pccd_context, Failure> {
    if def.abi_version != PCCD_ABI_VERSION {
        return Err(call.fail(
            PCCD_ERR_VERSION,
            format_args!(
                "def->abi_version is {}; this library has version {PCCD_ABI_VERSION}",
                def.abi_version
            ),
        ));
    }
    let level = simd_level(call, def.simd)?;
    let hook = match (def.alloc, def.free) {
        (Some(alloc), Some(free)) => Some(Hook { alloc, free, user: def.memory_user }),
        (None, None) => None,
        (alloc, _) => {
            let (set, null) = if alloc.is_some() { ("alloc", "free") } else { ("free", "alloc") };
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!("def->{null} is null but def->{set} is not; set both or neither"),
            ));
        }
    };
    let scheduler = tasks::read_scheduler(call, def.scheduler)?;
    check::reserved(call, format_args!("def->reserved"), def.reserved)?;
    let hooks = tasks::read_hooks(call, def.enqueue, def.finish, def.task_user)?;
    let no_memory = |error: MemoryError| call.no_memory(format_args!("the context"), error);
    let memory = Memory::new(hook).map_err(no_memory)?;
    let crew = tasks::new_crew(call, &memory, hooks, "def->thread_count", def.thread_count)?;
    let number = live::next_number();
    let context = Context {
        crew,
        hooks,
        scheduler,
        queries: Queries::new(memory.clone()),
        level,
        log,
        meshes: Objects::new(&memory, ObjectKind::Mesh, number),
        bvhs: Objects::new(&memory, ObjectKind::Bvh, number),
        mesh_queries: Objects::new(&memory, ObjectKind::Query, number),
        pipelines: Objects::new(&memory, ObjectKind::Pipeline, number),
        begun_bvh: 0,
        overlaps: Buffer::new(memory.clone()),
        memory: memory.clone(),
    };
    let context = live::add(memory, context).map_err(no_memory)?;
    log.info(format_args!(
        "context {context:p} created: {} {}, {}",
        def.thread_count,
        if hooks.is_some() { "worker(s) of the caller" } else { "thread(s)" },
        simd_name(simd_number(level))
    ));
    Ok(context)
}

fn simd_level(call: &Call, simd: i32) -> Result<Level, Failure> {
    let level = match simd {
        PCCD_SIMD_AUTO => return Ok(Level::best()),
        PCCD_SIMD_SCALAR => Level::Scalar,
        PCCD_SIMD_AVX2 => Level::Avx2,
        PCCD_SIMD_AVX512 => Level::Avx512,
        _ => {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!(
                    "def->simd is {simd}; expected PCCD_SIMD_AUTO (0), PCCD_SIMD_SCALAR (1), \
                     PCCD_SIMD_AVX2 (2) or PCCD_SIMD_AVX512 (3)"
                ),
            ));
        }
    };
    if !level.is_supported() {
        let best = simd_number(Level::best());
        return Err(call.fail(
            PCCD_ERR_UNSUPPORTED,
            format_args!(
                "def->simd is {} ({simd}), which this CPU lacks; the highest it has is {} ({best})",
                simd_name(simd),
                simd_name(best)
            ),
        ));
    }
    Ok(level)
}

fn simd_number(level: Level) -> i32 {
    match level {
        Level::Scalar => PCCD_SIMD_SCALAR,
        Level::Avx2 => PCCD_SIMD_AVX2,
        Level::Avx512 => PCCD_SIMD_AVX512,
    }
}

fn simd_name(simd: i32) -> &'static str {
    match simd {
        PCCD_SIMD_SCALAR => "PCCD_SIMD_SCALAR",
        PCCD_SIMD_AVX2 => "PCCD_SIMD_AVX2",
        _ => "PCCD_SIMD_AVX512",
    }
}

/// Destroys a context and all that was created in it, ends its threads and frees its memory. While
/// another call on it has not returned, or a run was begun and not ended, this is refused with
/// PCCD_ERR_BUSY. Works for a poisoned context. Destroying it a second time is PCCD_ERR_STALE_HANDLE.
///
/// Thread safety: may be called from any thread, not necessarily the one that created the context.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_context_destroy(context: *mut pccd_context) -> pccd_status {
    enter("pccd_context_destroy", |call| {
        let mut held = live::hold(call, context)?;
        held.context().log.info(format_args!("context {context:p} destroyed"));
        drop(held.remove());
        Ok(())
    })
}

/// Tells how a context works and what it holds. Set the size of the struct with
/// pccd_context_info_init() before.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_context_info_get(
    context: *mut pccd_context,
    out_info: *mut pccd_context_info,
) -> pccd_status {
    enter_context("pccd_context_info_get", context, |call, context| {
        // SAFETY: the caller's struct is as large as it says.
        let size = unsafe { versioned::size(call, "out_info", out_info) }?;
        let info = pccd_context_info {
            thread_count: context.crew.worker_count() as u32,
            simd: simd_number(context.level),
            allocated_bytes: context.memory.allocated_bytes() as u64,
            scheduler: tasks::scheduler_number(context.scheduler),
            uses_tasks: u32::from(context.hooks.is_some()),
            ..pccd_context_info::defaults()
        };
        // SAFETY: the caller's struct is as large as it says, which is no more than this library knows.
        unsafe { versioned::write(out_info, info, size) };
        Ok(())
    })
}
