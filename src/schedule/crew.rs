//! Who runs the workers: threads of our own, or the job system of an engine.

use super::Pool;
use crate::locks::{Condvar, Mutex, MutexGuard};
use crate::memory::{Buffer, Memory, MemoryError, Owned};
use std::any::Any;
use std::ffi::c_void;
use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::ptr;
use std::sync::PoisonError;

/// A task as the caller's job system sees it: to be called once with its context.
pub type TaskFn = unsafe extern "C" fn(task_context: *mut c_void);
/// The caller's function that takes on a task and returns a handle of it, or null when it has run it already.
pub type EnqueueFn =
    unsafe extern "C" fn(task: TaskFn, task_context: *mut c_void, user: *mut c_void) -> *mut c_void;
/// The caller's function that returns when the task of this handle has been run.
pub type FinishFn = unsafe extern "C" fn(handle: *mut c_void, user: *mut c_void);

/// The caller's job system.
#[derive(Clone, Copy)]
pub struct TaskHooks {
    pub enqueue: EnqueueFn,
    pub finish: FinishFn,
    pub user: *mut c_void,
}

type Work<'a> = dyn Fn(usize) + Sync + 'a;

/// Runs a function as several workers at once.
pub enum Crew {
    Pool(Pool),
    Hooks(Hired),
}

impl Crew {
    /// Workers that [`run`](Crew::run) can have at most.
    pub fn worker_count(&self) -> usize {
        match self {
            Crew::Pool(pool) => pool.worker_count(),
            Crew::Hooks(hired) => hired.tasks.len() + 1,
        }
    }

    /// Calls `work` for the workers below `worker_count` and [`Crew::worker_count`], each once, worker 0 on
    /// the calling thread. When the others run, and whether at the same time, is up to who runs them. All
    /// calls have returned when this returns. A panic in one of them goes on here, after the others have
    /// finished.
    ///
    /// # Panics
    /// When called from inside a run of the same crew, or from two threads at once.
    pub fn run(&self, worker_count: usize, work: &Work<'_>) {
        match self {
            _ if worker_count <= 1 => work(0),
            Crew::Pool(pool) if worker_count >= pool.worker_count() => pool.run(work),
            Crew::Pool(pool) => pool.run(&|worker| {
                if worker < worker_count {
                    work(worker);
                }
            }),
            Crew::Hooks(hired) => hired.run(worker_count, work),
        }
    }
}

/// Workers that the caller's job system runs. What is handed to it lives as long as this does, so that runs
/// allocate nothing.
pub struct Hired {
    hooks: TaskHooks,
    /// Its address is given away: must not move.
    office: Owned<Office>,
    tasks: Buffer<Task>,
}

// SAFETY: that `user` may be used from the threads that use the context is what the C header asks for; the
// pointers in `tasks` are to `office`, which is made for sharing and lives as long.
unsafe impl Send for Hired {}
// SAFETY: see above.
unsafe impl Sync for Hired {}

/// The context of a task.
struct Task {
    office: *const Office,
    worker: usize,
}

struct Office {
    state: Mutex<State>,
    /// A task is done.
    done: Condvar,
}

struct State {
    /// What to run; none between runs.
    job: Option<Job>,
    /// Per task of the current run.
    progress: Buffer<Progress>,
    /// Tasks that are being run.
    running: usize,
    panic: Option<Box<dyn Any + Send>>,
}

#[derive(Clone, Copy)]
struct Progress {
    begun: bool,
    handle: *mut c_void,
}

// SAFETY: the handle is a value of the caller's, given back to it by the thread that starts the run.
unsafe impl Send for Progress {}

/// The closure of the current run, its lifetime erased: `run` outlives every use.
#[derive(Clone, Copy)]
struct Job(*const Work<'static>);

// SAFETY: the closure is `Sync`, so that threads may call it through a shared reference.
unsafe impl Send for Job {}

impl Office {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run_task(&self, worker: usize) {
        let mut state = self.lock();
        // A job system that calls a task twice, or after it has finished it, finds nothing to do.
        let Some(Job(work)) = state.job else { return };
        if mem::replace(&mut state.progress[worker - 1].begun, true) {
            return;
        }
        state.running += 1;
        drop(state);
        // SAFETY: `Hired::run` keeps the closure alive until `running`, which counts this task, is 0.
        let result = panic::catch_unwind(AssertUnwindSafe(|| unsafe { (*work)(worker) }));
        let mut state = self.lock();
        if let Err(payload) = result {
            state.panic.get_or_insert(payload);
        }
        state.running -= 1;
        if state.running == 0 {
            self.done.notify_all();
        }
    }
}

/// What the job system calls.
///
/// # Safety
/// `context` is that of a task of a `Hired` which still exists.
unsafe extern "C" fn run_task(context: *mut c_void) {
    // SAFETY: promised by the caller; tasks and their office are only read through these references.
    let (office, worker) = unsafe {
        let task = &*context.cast::<Task>();
        (&*task.office, task.worker)
    };
    office.run_task(worker);
}

impl Hired {
    /// At most `worker_count` workers, the calling thread included.
    pub fn new(memory: Memory, hooks: TaskHooks, worker_count: usize) -> Result<Hired, MemoryError> {
        let others = worker_count.saturating_sub(1);
        let mut progress = Buffer::new(memory.clone());
        progress.resize(others, Progress { begun: false, handle: ptr::null_mut() })?;
        let state = State { job: None, progress, running: 0, panic: None };
        let office = Owned::new(memory.clone(), Office { state: Mutex::new(state), done: Condvar::new() })?;
        let mut tasks = Buffer::new(memory);
        tasks.reserve_exact(others)?;
        for worker in 1..=others {
            tasks.push(Task { office: office.as_ptr().as_ptr(), worker })?;
        }
        Ok(Hired { hooks, office, tasks })
    }

    fn run(&self, worker_count: usize, work: &Work<'_>) {
        let tasks = &self.tasks[..self.tasks.len().min(worker_count - 1)];
        let mut state = self.office.lock();
        if state.job.is_some() {
            drop(state);
            panic!("a crew runs one job at a time");
        }
        // SAFETY: only the lifetime changes. Tasks use the job only while `running` counts them, and take it
        // up only while it is there; this function does not return, nor unwind, before it is gone and
        // `running` is 0.
        state.job = Some(Job(unsafe { mem::transmute::<&Work<'_>, &'static Work<'static>>(work) }));
        let fresh = Progress { begun: false, handle: ptr::null_mut() };
        state.progress.fill(fresh);
        drop(state);

        for (index, task) in tasks.iter().enumerate() {
            let context = (&raw const *task).cast_mut().cast();
            // SAFETY: the caller's function, called as it was declared. It may run the task at once, hence
            // without lock.
            let handle = unsafe { (self.hooks.enqueue)(run_task, context, self.hooks.user) };
            self.office.lock().progress[index].handle = handle;
        }

        let mine = panic::catch_unwind(AssertUnwindSafe(|| work(0)));

        for index in 0..tasks.len() {
            let handle = self.office.lock().progress[index].handle;
            if !handle.is_null() {
                // SAFETY: a handle that `enqueue` returned, finished once.
                unsafe { (self.hooks.finish)(handle, self.hooks.user) };
            }
        }

        let mut state = self.office.lock();
        // Nobody begins any more; a task that its job system has called finished too early is waited for.
        state.job = None;
        while state.running > 0 {
            state = self.office.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let theirs = state.panic.take();
        drop(state);
        if let Some(payload) = mine.err().or(theirs) {
            panic::resume_unwind(payload);
        }
    }
}
