//! Whole runs: phases, with every kind of crew.

use super::*;
use std::ffi::c_void;
use std::num::NonZeroUsize;
use std::panic::{self, AssertUnwindSafe};
use std::ptr;
use std::sync::Mutex;
use std::thread::{self, JoinHandle};

const PHASES: usize = 6;

/// In each phase a forest; before each phase a look at what the one before has done.
struct Growing<S> {
    scheduler: S,
    forests: Vec<Forest>,
    begun: AtomicUsize,
    /// Panics in this phase: in `begin`, or in `work` by the first to come.
    panic_in_begin: Option<usize>,
    panic_in_work: Option<usize>,
    waits: bool,
    at_work: AtomicUsize,
}

impl<S: Scheduler<Node>> Growing<S> {
    fn new(workers: usize, seed: u64) -> Growing<S> {
        Growing {
            scheduler: scheduler(workers),
            forests: (0..PHASES as u64).map(|phase| Forest::new(seed * 100 + phase)).collect(),
            begun: AtomicUsize::new(0),
            panic_in_begin: None,
            panic_in_work: None,
            waits: seed % 2 == 1,
            at_work: AtomicUsize::new(0),
        }
    }

    fn check(&self) {
        self.forests.iter().for_each(|forest| assert!(forest.check() > 0));
        assert_eq!(self.begun.load(Relaxed), PHASES + 1);
    }
}

impl<S: Scheduler<Node>> Program for Growing<S> {
    fn begin(&self, phase: usize) -> bool {
        assert_eq!(self.begun.fetch_add(1, Relaxed), phase);
        if self.panic_in_begin == Some(phase) {
            told_to_panic();
        }
        if self.waits {
            assert_eq!(self.at_work.load(Relaxed), 0);
        }
        if phase > 0 {
            self.forests[phase - 1].check();
        }
        let Some(forest) = self.forests.get(phase) else { return false };
        let places = self.scheduler.worker_count();
        self.scheduler.start(phase as u64, (0..places).map(|place| (place, forest.node(4)))).unwrap();
        true
    }

    fn work(&self, phase: usize, worker: usize) {
        self.at_work.fetch_add(1, Relaxed);
        let mut seat = self.scheduler.join(phase as u64, worker).unwrap();
        while let Some(node) = seat.next() {
            if self.panic_in_work == Some(phase) {
                told_to_panic();
            }
            self.forests[phase].work(node, &mut seat);
        }
        self.at_work.fetch_sub(1, Relaxed);
    }

    fn waits_for_all(&self, _phase: usize) -> bool {
        self.waits
    }
}

fn phases(workers: usize) -> Phases {
    Phases::new(Memory::new(None).unwrap(), workers).unwrap()
}

fn run_with_crew<S: Scheduler<Node>>(crew: &Crew, workers: usize, seed: u64) {
    let (program, phases) = (Growing::<S>::new(workers, seed), phases(workers));
    phases.open();
    crew.run(workers, &|worker| assert!(phases.participate(&program, worker)));
    program.check();
}

fn pool(workers: usize) -> Crew {
    Crew::Pool(Pool::new(NonZeroUsize::new(workers).unwrap()).unwrap())
}

/// How a job system may treat tasks.
enum Manner {
    Inline,
    Threads,
    /// On the thread that calls `finish`.
    AtFinish,
    /// Runs nothing: a defect, which must not become one of ours.
    Never,
    /// Runs everything twice: another.
    Twice,
    /// `finish` returns at once: a third.
    Hasty,
}

struct JobSystem {
    manner: Manner,
    finished: AtomicUsize,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

struct TaskOfTest(TaskFn, *mut c_void, Option<JoinHandle<()>>);

/// A task that goes to another thread.
struct Sent(TaskFn, *mut c_void);

// SAFETY: tasks may be run on any thread.
unsafe impl Send for Sent {}

impl Sent {
    fn run(self) {
        // SAFETY: enqueued, and run as the manner wants it; the crew outlives the run.
        unsafe { (self.0)(self.1) };
    }
}

unsafe extern "C" fn enqueue(task: TaskFn, context: *mut c_void, user: *mut c_void) -> *mut c_void {
    // SAFETY: the `JobSystem` of `hired`.
    let system = unsafe { &*user.cast::<JobSystem>() };
    let mut result = TaskOfTest(task, context, None);
    match system.manner {
        Manner::Inline => {
            Sent(task, context).run();
            return ptr::null_mut();
        }
        Manner::AtFinish | Manner::Never => (),
        Manner::Threads | Manner::Twice => {
            let sent = Sent(task, context);
            result.2 = Some(thread::spawn(move || sent.run()));
            if matches!(system.manner, Manner::Twice) {
                let again = Sent(task, context);
                system.threads.lock().unwrap().push(thread::spawn(move || again.run()));
            }
        }
        Manner::Hasty => {
            let sent = Sent(task, context);
            system.threads.lock().unwrap().push(thread::spawn(move || sent.run()));
        }
    }
    Box::into_raw(Box::new(result)).cast()
}

unsafe extern "C" fn finish(handle: *mut c_void, user: *mut c_void) {
    // SAFETY: the `JobSystem` of `hired`, and what `enqueue` returned.
    let (system, task) = unsafe { (&*user.cast::<JobSystem>(), Box::from_raw(handle.cast::<TaskOfTest>())) };
    system.finished.fetch_add(1, Relaxed);
    if matches!(system.manner, Manner::AtFinish) {
        Sent(task.0, task.1).run();
    }
    if let Some(thread) = task.2 {
        thread.join().unwrap();
    }
}

impl JobSystem {
    fn new(manner: Manner) -> JobSystem {
        JobSystem { manner, finished: AtomicUsize::new(0), threads: Mutex::default() }
    }

    fn hired(&self, workers: usize) -> Crew {
        let hooks = TaskHooks { enqueue, finish, user: (&raw const *self).cast_mut().cast() };
        Crew::Hooks(Hired::new(Memory::new(None).unwrap(), hooks, workers).unwrap())
    }

    /// Joins threads that nobody waited for, while the crew still exists.
    fn calm_down(&self) {
        self.threads.lock().unwrap().drain(..).for_each(|thread| thread.join().unwrap());
    }
}

const MANNERS: [fn() -> Manner; 6] = [
    || Manner::Inline,
    || Manner::Threads,
    || Manner::AtFinish,
    || Manner::Never,
    || Manner::Twice,
    || Manner::Hasty,
];

#[test]
fn a_pool_runs_all_phases() {
    for workers in [1, 2, 3, 8, 32] {
        let crew = pool(workers);
        for seed in 0..6 {
            run_with_crew::<Assignment<Node>>(&crew, workers, seed);
            run_with_crew::<Stealing<Node>>(&crew, workers, seed);
        }
        // Fewer workers than there are threads, and more.
        run_with_crew::<Assignment<Node>>(&crew, workers.div_ceil(2), 7);
        run_with_crew::<Assignment<Node>>(&crew, workers + 2, 8);
    }
}

#[test]
fn any_job_system_runs_all_phases() {
    for manner in MANNERS {
        for workers in [1, 2, 7] {
            let system = JobSystem::new(manner());
            let crew = system.hired(workers);
            assert_eq!(crew.worker_count(), workers);
            for seed in 0..4 {
                run_with_crew::<Assignment<Node>>(&crew, workers, seed);
                run_with_crew::<Stealing<Node>>(&crew, workers, seed);
            }
            let handles = if matches!(system.manner, Manner::Inline) { 0 } else { 8 * (workers - 1) };
            assert_eq!(system.finished.load(Relaxed), handles);
            system.calm_down();
        }
    }
}

#[test]
fn a_panic_in_any_worker_reaches_the_caller_and_every_task_is_finished() {
    for manner in MANNERS {
        let system = JobSystem::new(manner());
        let crew = system.hired(4);
        for guilty in 0..4 {
            let calls = AtomicUsize::new(0);
            let before = system.finished.load(Relaxed);
            let result = panic::catch_unwind(AssertUnwindSafe(|| {
                crew.run(4, &|worker| {
                    calls.fetch_add(1, Relaxed);
                    if worker == guilty {
                        told_to_panic();
                    }
                });
            }));
            system.calm_down();
            let finished = system.finished.load(Relaxed) - before;
            match system.manner {
                Manner::Never => assert_eq!((result.is_err(), calls.into_inner()), (guilty == 0, 1)),
                // A task that has not begun when its job system calls it finished is not begun any more.
                Manner::Hasty => assert!(result.is_err() || guilty > 0),
                _ => {
                    assert_eq!(*result.unwrap_err().downcast::<&str>().unwrap(), "told to");
                    assert_eq!(calls.into_inner(), 4);
                }
            }
            assert_eq!(finished, if matches!(system.manner, Manner::Inline) { 0 } else { 3 });
        }
    }
}

#[test]
fn a_crew_refuses_a_run_inside_a_run() {
    let system = JobSystem::new(Manner::Threads);
    for crew in [system.hired(3), pool(3)] {
        let refused = AtomicUsize::new(0);
        crew.run(3, &|worker| {
            if worker == 1 {
                let nested = panic::catch_unwind(AssertUnwindSafe(|| crew.run(3, &|_| ())));
                refused.fetch_add(usize::from(nested.is_err()), Relaxed);
            }
        });
        assert_eq!(refused.into_inner(), 1);
    }
}

#[test]
fn a_panic_breaks_the_run_off_for_all() {
    for in_begin in [false, true] {
        for phase in [0, 3] {
            let crew = pool(3);
            let mut program = Growing::<Assignment<Node>>::new(3, 1);
            *(if in_begin { &mut program.panic_in_begin } else { &mut program.panic_in_work }) = Some(phase);
            let phases = phases(3);
            phases.open();
            let whole = AtomicUsize::new(0);
            let result = panic::catch_unwind(AssertUnwindSafe(|| {
                crew.run(3, &|worker| {
                    whole.fetch_add(usize::from(phases.participate(&program, worker)), Relaxed);
                });
            }));
            assert!(result.is_err());
            assert_eq!(whole.into_inner(), 0);
            assert!(program.begun.into_inner() <= phase + 1 + usize::from(!in_begin));
            // The next run knows nothing of it.
            let program = Growing::<Assignment<Node>>::new(3, 2);
            phases.open();
            crew.run(3, &|worker| assert!(phases.participate(&program, worker)));
            program.check();
        }
    }
}

#[test]
fn donated_threads_come_and_go() {
    let phases = phases(3);
    for seed in 0..40 {
        let program = Growing::<Assignment<Node>>::new(3, seed);
        // Without a run there is nothing to do.
        phases.donate(&program);
        phases.open();
        thread::scope(|scope| {
            // More than there are places for.
            for donated in 0..seed % 6 {
                let (phases, program) = (&phases, &program);
                scope.spawn(move || {
                    (0..donated * 20).for_each(|_| thread::yield_now());
                    phases.donate(program);
                });
            }
            assert!(phases.finish(&program));
            program.check();
        });
    }
}

#[test]
fn a_panic_of_a_donated_thread_ends_the_run() {
    let phases = phases(2);
    let mut program = Growing::<Assignment<Node>>::new(2, 1);
    program.panic_in_work = Some(2);
    phases.open();
    assert!(panic::catch_unwind(AssertUnwindSafe(|| phases.donate(&program))).is_err());
    assert!(!phases.finish(&program));
    let program = Growing::<Assignment<Node>>::new(2, 2);
    phases.open();
    assert!(phases.finish(&program));
    program.check();
}

#[test]
fn a_cancelled_run_begins_nothing_more() {
    let phases = phases(2);
    let program = Growing::<Stealing<Node>>::new(2, 0);
    phases.open();
    phases.cancel();
    assert!(phases.finish(&program));
    assert_eq!(program.begun.into_inner(), 0);
}
