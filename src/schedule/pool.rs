//! A fixed number of workers that wait for work.

use crate::locks::{Condvar, Mutex, MutexGuard};
use std::any::Any;
use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, PoisonError};
use std::thread::{self, JoinHandle};

/// Exactly as many workers as asked for, the thread that calls [`Pool::run`] being worker 0. With one worker
/// there is no thread, no lock and no allocation. Threads sleep between runs and end with the pool.
///
/// Starting the threads makes small allocations with the global allocator (here and inside `std::thread`): their
/// sizes do not depend on the caller's data. Runs allocate nothing.
pub struct Pool {
    worker_count: usize,
    team: Option<Team>,
}

/// The threads other than the caller's.
struct Team {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    /// A run begins, or the pool ends.
    begin: Condvar,
    /// The last thread has finished its part of the run.
    done: Condvar,
}

struct State {
    /// Counts the runs, so that a thread that wakes up late or for no reason takes part in each exactly once.
    run: u64,
    job: Option<Job>,
    /// Threads that have not finished the current run.
    unfinished: usize,
    panic: Option<Box<dyn Any + Send>>,
    ending: bool,
}

type Work<'a> = dyn Fn(usize) + Sync + 'a;

/// The closure of the current run, its lifetime erased: `run` outlives every use.
#[derive(Clone, Copy)]
struct Job(*const Work<'static>);

// SAFETY: the closure is `Sync`, so that threads may call it through a shared reference.
unsafe impl Send for Job {}

/// Why a pool could not be made.
#[derive(Debug)]
pub enum PoolError {
    OutOfMemory,
    /// The system refused thread number `index`.
    Thread {
        index: usize,
        error: io::Error,
    },
}

impl fmt::Display for PoolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PoolError::OutOfMemory => write!(f, "no memory for the list of threads"),
            PoolError::Thread { index, error } => {
                write!(f, "the system refused to create thread {index}: {error}")
            }
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it holds the lock: the state is consistent even if the mutex says otherwise.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, worker: usize) {
        let mut seen = 0;
        let mut state = self.lock();
        loop {
            if state.ending {
                return;
            }
            if state.run == seen {
                state = self.begin.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            seen = state.run;
            let Job(work) = state.job.expect("a run has a job until its last thread is done");
            drop(state);
            // SAFETY: `run` keeps the closure alive until `unfinished` is 0, which counts this thread.
            let result = panic::catch_unwind(AssertUnwindSafe(|| unsafe { (*work)(worker) }));
            state = self.lock();
            if let Err(payload) = result {
                state.panic.get_or_insert(payload);
            }
            state.unfinished -= 1;
            if state.unfinished == 0 {
                self.done.notify_one();
            }
        }
    }
}

impl Pool {
    /// Starts `worker_count - 1` threads. When the system refuses one, those before it are ended again.
    pub fn new(worker_count: NonZeroUsize) -> Result<Pool, PoolError> {
        Pool::with_spawner(worker_count, |index, body| {
            thread::Builder::new().name(format!("pccd-{index}")).spawn(body)
        })
    }

    fn with_spawner(
        worker_count: NonZeroUsize,
        spawn: impl Fn(usize, Box<dyn FnOnce() + Send>) -> io::Result<JoinHandle<()>>,
    ) -> Result<Pool, PoolError> {
        let worker_count = worker_count.get();
        if worker_count == 1 {
            return Ok(Pool { worker_count, team: None });
        }
        let mut threads = Vec::new();
        threads.try_reserve_exact(worker_count - 1).map_err(|_| PoolError::OutOfMemory)?;
        let state = State { run: 0, job: None, unfinished: 0, panic: None, ending: false };
        let shared =
            Arc::new(Shared { state: Mutex::new(state), begin: Condvar::new(), done: Condvar::new() });
        // From here on dropping the team ends the threads that exist.
        let mut team = Team { shared, threads };
        for index in 1..worker_count {
            let shared = team.shared.clone();
            let body = Box::new(move || shared.serve(index));
            team.threads.push(spawn(index, body).map_err(|error| PoolError::Thread { index, error })?);
        }
        Ok(Pool { worker_count, team: Some(team) })
    }

    /// Workers, the calling thread included.
    pub fn worker_count(&self) -> usize {
        self.worker_count
    }

    /// Calls `work` once for each worker, with numbers from 0, and returns when all calls have returned. A panic
    /// in one of them goes on in the caller, after the others have finished.
    ///
    /// # Panics
    /// When called from inside a run of the same pool, or from two threads at once.
    pub fn run(&self, work: &Work<'_>) {
        let Some(team) = &self.team else { return work(0) };
        let mut state = team.shared.lock();
        if state.job.is_some() {
            drop(state);
            panic!("a pool runs one job at a time");
        }
        // SAFETY: only the lifetime changes. No thread uses the job after `unfinished` has become 0, and this
        // function does not return, nor unwind, before that.
        state.job = Some(Job(unsafe { std::mem::transmute::<&Work<'_>, &'static Work<'static>>(work) }));
        state.run += 1;
        state.unfinished = team.threads.len();
        drop(state);
        team.shared.begin.notify_all();

        let mine = panic::catch_unwind(AssertUnwindSafe(|| work(0)));

        let mut state = team.shared.lock();
        while state.unfinished > 0 {
            state = team.shared.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.job = None;
        let theirs = state.panic.take();
        drop(state);
        if let Some(payload) = mine.err().or(theirs) {
            panic::resume_unwind(payload);
        }
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        self.shared.lock().ending = true;
        self.shared.begin.notify_all();
        for thread in self.threads.drain(..) {
            // A thread catches the panics of its work; there is nothing to learn from its end.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn pool(workers: usize) -> Pool {
        Pool::new(NonZeroUsize::new(workers).unwrap()).unwrap()
    }

    #[test]
    fn every_worker_runs_once_in_every_run() {
        for workers in [1, 2, 3, 8] {
            let pool = pool(workers);
            let calls: Vec<AtomicUsize> = (0..workers).map(|_| AtomicUsize::new(0)).collect();
            for run in 1..=200 {
                pool.run(&|worker| {
                    calls[worker].fetch_add(1, Ordering::Relaxed);
                });
                assert!(calls.iter().all(|calls| calls.load(Ordering::Relaxed) == run));
            }
        }
    }

    #[test]
    fn the_caller_is_worker_zero_and_one_worker_needs_no_thread() {
        let caller = thread::current().id();
        let lone = pool(1);
        assert!(lone.team.is_none());
        for pool in [lone, pool(4)] {
            pool.run(&|worker| assert_eq!(worker == 0, thread::current().id() == caller));
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_pool_goes_on() {
        for guilty in 0..3 {
            let pool = pool(3);
            let finished = AtomicUsize::new(0);
            let result = panic::catch_unwind(AssertUnwindSafe(|| {
                pool.run(&|worker| {
                    if worker == guilty {
                        // Without the panic hook, which would print.
                        panic::resume_unwind(Box::new("told to"));
                    }
                    finished.fetch_add(1, Ordering::Relaxed);
                })
            }));
            assert_eq!(*result.unwrap_err().downcast::<&str>().unwrap(), "told to");
            assert_eq!(finished.load(Ordering::Relaxed), 2);
            pool.run(&|_| {
                finished.fetch_add(1, Ordering::Relaxed);
            });
            assert_eq!(finished.load(Ordering::Relaxed), 5);
        }
    }

    #[test]
    fn a_run_inside_a_run_is_refused() {
        let pool = pool(2);
        let refused = AtomicUsize::new(0);
        pool.run(&|worker| {
            if worker == 1 {
                let nested = panic::catch_unwind(AssertUnwindSafe(|| pool.run(&|_| ())));
                refused.fetch_add(usize::from(nested.is_err()), Ordering::Relaxed);
            }
        });
        assert_eq!(refused.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn a_refused_thread_is_an_error_and_ends_the_others() {
        let ended = Arc::new(AtomicUsize::new(0));
        let result = Pool::with_spawner(NonZeroUsize::new(5).unwrap(), |index, body| {
            if index == 3 {
                return Err(io::Error::other("no more"));
            }
            let ended = ended.clone();
            thread::Builder::new().spawn(move || {
                body();
                ended.fetch_add(1, Ordering::Relaxed);
            })
        });
        assert!(matches!(result, Err(PoolError::Thread { index: 3, .. })));
        assert_eq!(ended.load(Ordering::Relaxed), 2);
    }
}
