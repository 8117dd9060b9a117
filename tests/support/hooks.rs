//! Job systems of all manners, for the library's hooks.

use pccd::memory::Memory;
use pccd::schedule::{Crew, Hired, TaskFn, TaskHooks};
use std::ffi::c_void;
use std::thread::{self, JoinHandle};

/// When and where tasks are run.
#[derive(Clone, Copy, Debug)]
pub enum Jobs {
    /// Each on a thread of its own.
    OnThreads,
    /// At once, by whom the library calls.
    Inline,
    /// One after the other, when they are waited for.
    AtTheEnd,
}

/// Workers that are tasks of such a job system.
pub fn crew(jobs: Jobs, workers: usize) -> Crew {
    let user = std::ptr::null_mut();
    let hooks = match jobs {
        Jobs::OnThreads => TaskHooks { enqueue: enqueue_on_thread, finish: join, user },
        Jobs::Inline => TaskHooks { enqueue: run_now, finish: never, user },
        Jobs::AtTheEnd => TaskHooks { enqueue: keep, finish: run_kept, user },
    };
    let memory = Memory::new(None).expect("the system has memory");
    Crew::Hooks(Hired::new(memory, hooks, workers).expect("the system has memory"))
}

struct Task(TaskFn, *mut c_void);

// SAFETY: the library says that tasks may run on any thread.
unsafe impl Send for Task {}

impl Task {
    fn run(self) {
        // SAFETY: a task of the library with its context, run once.
        unsafe { (self.0)(self.1) }
    }
}

unsafe extern "C" fn enqueue_on_thread(task: TaskFn, context: *mut c_void, _: *mut c_void) -> *mut c_void {
    let task = Task(task, context);
    Box::into_raw(Box::new(thread::spawn(move || task.run()))).cast()
}

unsafe extern "C" fn join(handle: *mut c_void, _: *mut c_void) {
    // SAFETY: a handle of `enqueue_on_thread`, once.
    let thread = unsafe { Box::from_raw(handle.cast::<JoinHandle<()>>()) };
    thread.join().expect("no task panics");
}

unsafe extern "C" fn run_now(task: TaskFn, context: *mut c_void, _: *mut c_void) -> *mut c_void {
    Task(task, context).run();
    std::ptr::null_mut()
}

unsafe extern "C" fn never(_: *mut c_void, _: *mut c_void) {
    panic!("nothing to finish: all tasks ran at once");
}

unsafe extern "C" fn keep(task: TaskFn, context: *mut c_void, _: *mut c_void) -> *mut c_void {
    Box::into_raw(Box::new(Task(task, context))).cast()
}

unsafe extern "C" fn run_kept(handle: *mut c_void, _: *mut c_void) {
    // SAFETY: a handle of `keep`, once.
    unsafe { Box::from_raw(handle.cast::<Task>()) }.run();
}
