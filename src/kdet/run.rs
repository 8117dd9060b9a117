//! A discrete query as a program of phases for any number of workers (kDet paper, section 4.3).
//!
//! | phase | units | before it, one worker |
//! |---|---|---|
//! | copy | meshes, if there are several | decides on the method, as far as the hierarchy tells |
//! | look | fans of vertices: whether neighbours can be left out ([`super::clean`]); vertices, to be rounded | fans of meshes that are new |
//! | count | triangles: their cells | |
//! | fill | triangles: into their cells | places of the buckets; or it turns to the hierarchy |
//! | leaves | leaves of the hierarchy, as they are compared ([`super::leaves`]) | updates the hierarchy |
//! | find | buckets of the grid, or pairs of boxes | goes down the hierarchy until there are enough pairs |
//! | deal, scatter, sort | lists and buckets of pairs | places of the buckets |
//!
//! Units of a phase are taken one after the other, by a count that all workers add to.

use super::intersections::Intersection;
use super::plan::{COPY, COUNT, DEAL, FILL, FIND, LEAVES, LOOK, PHASES, Plan, SCATTER, SORT, Worker};
use super::stats::{DiscreteSettings, DiscreteStats};
use crate::bvh::Bvh;
use crate::locks::Mutex;
use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::Mesh;
use crate::schedule::{OpenRun, Phases, Program};
use crate::simd::{Level, StandardFloats};
use std::cell::UnsafeCell;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

struct WorkerCell(UnsafeCell<Worker>);

/// A discrete query that is being run, or was. It stays where it is from [`Run::prepare`] to the end of the run.
pub struct Run {
    phases: Phases,
    workers: Buffer<WorkerCell>,
    plan: UnsafeCell<Plan>,
    next: AtomicUsize,
    is_stopped: AtomicBool,
    is_cancelled: AtomicBool,
    failure: Mutex<Option<MemoryError>>,
}

// SAFETY: `plan` is changed by one worker between phases, when all others have left the phase (`waits_for_all`), and read during phases. Workers are each used by the thread at
// their place. The pointers are to what the owner of the run keeps alive and leaves alone until its end.
unsafe impl Send for Run {}
// SAFETY: as above.
unsafe impl Sync for Run {}

impl Run {
    /// For at most `worker_count` workers.
    pub fn new(memory: &Memory, worker_count: usize) -> Result<Run, MemoryError> {
        let mut workers = Buffer::new(memory.clone());
        for _ in 0..worker_count {
            workers.push(WorkerCell(UnsafeCell::new(Worker::new(memory)?)))?;
        }
        Ok(Run {
            phases: Phases::new(memory.clone(), worker_count)?,
            workers,
            plan: UnsafeCell::new(Plan::new(memory)),
            next: AtomicUsize::new(0),
            is_stopped: AtomicBool::new(false),
            is_cancelled: AtomicBool::new(false),
            failure: Mutex::new(None),
        })
    }

    pub fn worker_count(&self) -> usize {
        self.workers.len()
    }

    /// Opens a run over meshes whose ids ascend, and that are those of `bvh`, if there is one.
    ///
    /// # Safety
    ///
    /// The hierarchy and the meshes stay where they are until the end of the run, and nobody else uses them.
    pub unsafe fn prepare<'a>(
        &mut self,
        level: Level,
        settings: &DiscreteSettings,
        meshes: impl Iterator<Item = (u64, &'a Mesh)>,
        bvh: Option<&mut Bvh>,
    ) -> Result<(), MemoryError> {
        let plan = self.plan.get_mut();
        let now = Instant::now();
        (plan.level, plan.settings) = (level, *settings);
        (plan.started, plan.phase_started, plan.ms) = (now, now, [0.0; PHASES + 1]);
        plan.sorted.clear();
        plan.kept = 0;
        plan.stats = DiscreteStats { worker_count: self.workers.len() as u64, ..DiscreteStats::default() };
        plan.bvh = bvh.map_or(std::ptr::null_mut(), std::ptr::from_mut);
        for cell in self.workers.iter_mut() {
            cell.0.get_mut().start();
        }
        *self.failure.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
        (*self.is_stopped.get_mut(), *self.is_cancelled.get_mut()) = (false, false);
        // SAFETY: promised by the caller.
        unsafe { plan.soup.fill(meshes, settings.wanted) }?;
        plan.stats.triangle_count = plan.soup.triangle_count as u64;
        self.phases.open();
        Ok(())
    }

    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    fn fail(&self, error: MemoryError) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// What came out, after all workers have left.
    ///
    /// # Errors
    ///
    /// When memory was refused. Then there are no results.
    pub fn results(&mut self) -> Result<(), MemoryError> {
        let failure = self.failure.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        let is_stopped = self.is_stopped();
        let plan = self.plan.get_mut();
        if is_stopped {
            plan.sorted.clear();
        }
        let bytes = plan.bytes();
        let stats = &mut plan.stats;
        stats.ms_update = plan.ms[..=LEAVES].iter().sum();
        stats.ms_find = plan.ms[FIND];
        stats.ms_sort = plan.ms[DEAL..].iter().sum();
        stats.ms_total = plan.started.elapsed().as_secs_f64() * 1e3;
        stats.state_bytes = bytes as u64;
        for cell in self.workers.iter_mut() {
            let worker = cell.0.get_mut();
            stats.candidates += worker.decisions.candidates;
            stats.exact_tests += worker.decisions.exact_tests;
            stats.cells += worker.cells;
            stats.node_pairs += worker.counts[0];
            stats.leaf_pairs += worker.counts[1];
        }
        failure.map_or(Ok(()), Err)?;
        // Refused here is refused: the run has failed, as if the memory had been needed a moment earlier.
        self.even_out().inspect_err(|_| self.plan.get_mut().sorted.clear())
    }

    /// Gives every worker as much room as any of them needed: whoever does what in the next run, if that is the same work it allocates nothing.
    fn even_out(&mut self) -> Result<(), MemoryError> {
        let found = self.plan.get_mut().stats.intersections as usize;
        if self.workers.len() < 2 {
            return Ok(());
        }
        // The first one gets as much as any, and then all others as much as the first.
        for _ in 0..2 {
            let Some((first, others)) = self.workers.split_first_mut() else { return Ok(()) };
            let first = first.0.get_mut();
            first.decisions.make_room(found)?;
            for other in others {
                let other = other.0.get_mut();
                other.decisions.make_room(found)?;
                first.room.even_out(&mut other.room)?;
                first.waiting.even_out(&mut other.waiting)?;
            }
        }
        Ok(())
    }

    pub fn intersections(&self) -> &[Intersection] {
        // SAFETY: no run is open, or the caller would have no reference.
        unsafe { &(*self.plan.get()).sorted }
    }

    pub fn stats(&self) -> DiscreteStats {
        // SAFETY: as above.
        unsafe { (*self.plan.get()).stats }
    }

    /// The serial part before a phase. False when there is no such phase.
    fn begin_phase(&self, plan: &mut Plan, phase: usize) -> Result<bool, MemoryError> {
        let worker_count = self.worker_count();
        plan.unit_count = match phase {
            COPY => {
                plan.choose();
                if plan.soup.parts.len() > 1 { plan.soup.parts.len() } else { 0 }
            }
            LOOK => {
                // SAFETY: all parts were copied in the phase before.
                unsafe { plan.soup.finish() };
                plan.start_looking()?
            }
            COUNT => plan.start_grid(worker_count)?,
            FILL => {
                for cell in self.workers.iter() {
                    // SAFETY: between phases nobody works.
                    let levels = unsafe { &(*cell.0.get()).levels };
                    for (sum, count) in plan.grid.levels.iter_mut().zip(levels) {
                        *sum += count;
                    }
                }
                plan.place()?
            }
            LEAVES => plan.start_leaves()?,
            FIND => plan.find_units(worker_count)?,
            DEAL => {
                let total = self.workers.iter().map(|cell| {
                    // SAFETY: between phases nobody works.
                    unsafe { (&*cell.0.get()).decisions.found.len() }
                });
                let total = total.sum();
                plan.order.start(worker_count, total, plan.soup.triangle_count)?;
                plan.stats.intersections = total as u64;
                plan.kept = total.min(plan.settings.capacity);
                plan.stats.dropped = (total - plan.kept) as u64;
                worker_count
            }
            SCATTER => {
                plan.order.place(worker_count);
                worker_count
            }
            SORT => {
                plan.shares.clear();
                for share in plan.order.shares() {
                    plan.shares.push(share)?;
                }
                plan.sorted.reserve(plan.kept)?;
                plan.shares.len()
            }
            _ => {
                // SAFETY: there is room, and in the phase that is over all of them were written.
                unsafe { plan.sorted.set_len(plan.kept) };
                return Ok(false);
            }
        };
        Ok(true)
    }

    /// A unit of a phase.
    fn unit(&self, plan: &Plan, phase: usize, unit: usize, worker: usize) -> Result<(), MemoryError> {
        // SAFETY: nobody else is at this place, and while workers are changed nobody reads what is another's.
        let own = || unsafe { &mut *self.workers[worker].0.get() };
        // SAFETY: nobody finds anything any more when these are read.
        let found = |list: usize| unsafe { &(&*self.workers[list].0.get()).decisions.found };
        // Below, each unit is handed out once, and phases follow each other.
        match phase {
            // SAFETY: as above.
            COPY => unsafe { plan.soup.copy(unit) },
            // SAFETY: as above.
            LOOK => unsafe { plan.look(unit) },
            // SAFETY: as above.
            COUNT => unsafe { plan.grid.count(&plan.soup.view(), plan.triangles(unit), &mut own().levels) },
            // SAFETY: as above.
            FILL => unsafe { plan.grid.fill(plan.triangles(unit)) },
            // SAFETY: as above.
            LEAVES => unsafe { plan.make_leaves(unit) },
            FIND => return plan.find(unit, own()),
            // SAFETY: as above.
            DEAL => unsafe { plan.order.count(unit, found(unit)) },
            // SAFETY: as above.
            SCATTER => unsafe { plan.order.scatter(unit, found(unit)) },
            _ => {
                // SAFETY: as above.
                let (begin, keys) = unsafe { plan.order.sort(plan.shares[unit]) };
                let keys = &keys[..keys.len().min(plan.kept.saturating_sub(begin))];
                let view = plan.soup.view();
                for (i, &key) in keys.iter().enumerate() {
                    let intersection = Intersection::new(&view, key, plan.settings.with_segments);
                    // SAFETY: room was made for all that is kept, and these places are those of the unit.
                    unsafe { plan.sorted.start().add(begin + i).write(intersection) };
                }
            }
        }
        Ok(())
    }
}

impl OpenRun for Run {
    fn phases(&self) -> &Phases {
        &self.phases
    }

    fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
        self.is_stopped.store(true, Ordering::Relaxed);
    }
}

impl Program for Run {
    fn begin(&self, phase: usize) -> bool {
        let _floats = StandardFloats::enter();
        // SAFETY: between phases nobody works (`waits_for_all`), and one worker at a time begins one.
        let plan = unsafe { &mut *self.plan.get() };
        let now = Instant::now();
        if let Some(before) = phase.checked_sub(1) {
            plan.ms[before] += (now - plan.phase_started).as_secs_f64() * 1e3;
        }
        plan.phase_started = now;
        if self.is_stopped() {
            return false;
        }
        self.next.store(0, Ordering::Relaxed);
        match self.begin_phase(plan, phase) {
            Ok(more) => more,
            Err(error) => {
                self.fail(error);
                false
            }
        }
    }

    fn work(&self, phase: usize, worker: usize) {
        let _floats = StandardFloats::enter();
        // SAFETY: the plan is not changed during a phase.
        let plan = unsafe { &*self.plan.get() };
        loop {
            let unit = self.next.fetch_add(1, Ordering::Relaxed);
            if unit >= plan.unit_count || self.is_stopped() {
                return;
            }
            if let Err(error) = self.unit(plan, phase, unit, worker) {
                return self.fail(error);
            }
        }
    }

    fn waits_for_all(&self, _phase: usize) -> bool {
        true
    }
}
