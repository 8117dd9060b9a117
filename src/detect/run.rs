//! A query over a hierarchy as a program of phases for any number of workers (PCCD paper, sections 4 to 6).
//!
//! | phase | units | before it, one worker |
//! |---|---|---|
//! | vertices | vertices of large meshes that have moved | looks which these are |
//! | refit | their nodes of one level: at least twice as many as workers (6.1); small meshes as a whole, where there are so many | |
//! | rebuild | high-level nodes, and those of meshes that do not collide with themselves, top down | boxes of the highest levels; rebuilds trees that are bad as a whole |
//! | cull | nodes of one level of meshes that collide with themselves, if the query culls: which boxes below them need no test with themselves | outlines of what was sorted anew |
//! | low | self-CD task units of low-level nodes, one or more for each worker (4.2), then those of their children | culls the highest levels |
//! | high | pairs of high-level nodes and of different meshes, dealt out in turn (5.1) | goes down until there are enough |
//! | count, scatter, describe | pieces and buckets of contacts | places of the buckets |
//!
//! *Who may write to a tree.* While vertices and boxes are refitted and high-level nodes rebuilt, units are of parts that have nothing in common. A self-CD task unit has all
//! that is below its node for itself, and rebuilds nodes there without a lock. Each node is looked at once, before its children are compared: by its own
//! unit if it is a low-level node, and before that if it is a high-level one. So when the pairs of high-level nodes come, every node has been looked at: nobody writes any more, and no
//! lock is needed, where the paper has one (5.1).

use super::contacts::{Contact, Earliest, Findings};
use super::plan::{COUNT, CULL, Clock, DESCRIBE, HIGH, LOW, PHASES, Plan, REBUILD, REFIT, SCATTER, VERTICES};
use super::query::{Mode, QuerySettings};
use super::stats::{QueryStats, WorkerStats};
use super::unit::Work;
use super::worker::{Place, Worker};
use crate::bvh::Bvh;
use crate::locks::Mutex;
use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::Mesh;
use crate::schedule::{
    Assignment, NO_PARENT, OpenRun, Phases, Program, Scheduler, Seat, Stealing, UnitKind, UnitRecord,
};
use crate::simd::{Level, StandardFloats};
use std::cell::UnsafeCell;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// How units of work find their workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchedulerKind {
    /// The paper's (4.3).
    Assignment,
    /// Deques that idle workers steal from.
    Stealing,
    /// As bad as it gets.
    #[cfg(test)]
    Delaying,
}

enum AnyScheduler {
    Assignment(Assignment<Work>),
    Stealing(Stealing<Work>),
    #[cfg(test)]
    Delaying(super::tests::Delaying<Work>),
}

impl AnyScheduler {
    fn new(kind: SchedulerKind, memory: Memory, worker_count: usize) -> Result<AnyScheduler, MemoryError> {
        Ok(match kind {
            SchedulerKind::Assignment => AnyScheduler::Assignment(Assignment::new(memory, worker_count)?),
            SchedulerKind::Stealing => AnyScheduler::Stealing(Stealing::new(memory, worker_count)?),
            #[cfg(test)]
            SchedulerKind::Delaying => AnyScheduler::Delaying(Scheduler::new(memory, worker_count)?),
        })
    }
}

/// The same for whichever scheduler it is.
macro_rules! with {
    ($any:expr, $scheduler:ident => $value:expr) => {
        match &$any {
            AnyScheduler::Assignment($scheduler) => $value,
            AnyScheduler::Stealing($scheduler) => $value,
            #[cfg(test)]
            AnyScheduler::Delaying($scheduler) => $value,
        }
    };
}

/// A query that is being run, or was. It stays where it is from [`Run::prepare`] to the end of the run.
pub struct Run {
    scheduler: AnyScheduler,
    phases: Phases,
    workers: Buffer<WorkerCell>,
    plan: UnsafeCell<Plan>,
    earliest: Earliest,
    failure: Mutex<Option<MemoryError>>,
    /// Different for each phase of each run: [`Scheduler::start`].
    phase_number: AtomicU64,
    is_cancelled: std::sync::atomic::AtomicBool,
    memory: Memory,
}

/// Units that a worker does one after the other without having to wait: to look at the clock before and after each would take longer than some of them.
#[derive(Clone, Copy)]
struct Stretch {
    began: Instant,
    /// What the worker had spent otherwise by then.
    ms_elementary: f64,
    ms_rebuild: f64,
}

impl Stretch {
    fn begin(stats: &WorkerStats) -> Stretch {
        let WorkerStats { ms_elementary, ms_rebuild, .. } = *stats;
        Stretch { began: Instant::now(), ms_elementary, ms_rebuild }
    }

    /// What is neither tests nor rebuilds is going down the trees, in the phases that do that. Returns when it ended.
    fn end(&self, stats: &mut WorkerStats, is_search: bool) -> Instant {
        let ended = Instant::now();
        let ms = (ended - self.began).as_secs_f64() * 1e3;
        stats.ms_busy += ms;
        if is_search {
            let otherwise = (stats.ms_elementary - self.ms_elementary) + (stats.ms_rebuild - self.ms_rebuild);
            stats.ms_traverse += (ms - otherwise).max(0.0);
        }
        ended
    }
}

/// A worker, and what it has found: the others read that when they sort.
struct WorkerCell {
    worker: UnsafeCell<Worker>,
    findings: UnsafeCell<Findings>,
}

// SAFETY: `plan` is changed by one worker between phases, when all others have left the phase (`waits_for_all`), and read during phases. Workers are each used by the thread at their
// place. The pointers are to what the owner of the run keeps alive and leaves alone until its end.
unsafe impl Send for Run {}
// SAFETY: as above.
unsafe impl Sync for Run {}

impl Run {
    /// For at most `worker_count` workers.
    pub fn new(memory: &Memory, kind: SchedulerKind, worker_count: usize) -> Result<Run, MemoryError> {
        let mut workers = Buffer::new(memory.clone());
        for _ in 0..worker_count {
            let (worker, findings) = (Worker::new(memory)?.into(), Findings::new(memory).into());
            workers.push(WorkerCell { worker, findings })?;
        }
        Ok(Run {
            scheduler: AnyScheduler::new(kind, memory.clone(), worker_count)?,
            phases: Phases::new(memory.clone(), worker_count)?,
            workers,
            plan: UnsafeCell::new(Plan::new(memory)),
            earliest: Earliest::new(Mode::All),
            failure: Mutex::new(None),
            phase_number: AtomicU64::new(0),
            is_cancelled: false.into(),
            memory: memory.clone(),
        })
    }

    pub fn worker_count(&self) -> usize {
        self.workers.len()
    }

    pub fn kind(&self) -> SchedulerKind {
        match self.scheduler {
            AnyScheduler::Assignment(_) => SchedulerKind::Assignment,
            AnyScheduler::Stealing(_) => SchedulerKind::Stealing,
            #[cfg(test)]
            AnyScheduler::Delaying(_) => SchedulerKind::Delaying,
        }
    }

    /// Opens a run over `bvh`, whose meshes `mesh_of` finds. Until [`results`](Run::results) it must not be moved.
    ///
    /// # Safety
    ///
    /// The hierarchy and its meshes stay where they are until the end of the run, and nobody else uses them.
    pub unsafe fn prepare<'a>(
        &mut self,
        level: Level,
        settings: &QuerySettings,
        bvh: &mut Bvh,
        mesh_of: &dyn Fn(u64) -> &'a Mesh,
        is_recording: bool,
    ) -> Result<(), MemoryError> {
        let now = Instant::now();
        let plan = self.plan.get_mut();
        plan.level = level;
        plan.settings = *settings;
        plan.clock =
            Clock { started: now, phase_started: now, ms: [0.0; PHASES], ms_serial: 0.0, is_recording };
        (plan.count, plan.kept, plan.culled_triangles) = (0, 0, 0);
        plan.sorted.clear();
        plan.bodies.clear();
        plan.meshes.clear();
        for body in bvh.bodies() {
            plan.meshes.push(std::ptr::from_ref(mesh_of(body.id)))?;
        }
        plan.bvh = std::ptr::from_mut(bvh);
        for cell in self.workers.iter_mut() {
            cell.worker.get_mut().start();
            cell.findings.get_mut().start(settings.mode, &mut plan.spare);
        }
        self.earliest = Earliest::new(settings.mode);
        *self.failure.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
        *self.is_cancelled.get_mut() = false;
        with!(self.scheduler, scheduler => scheduler.reset());
        self.phases.open();
        Ok(())
    }

    /// Makes room for so many contacts, whoever finds them. There are no results then.
    pub fn reserve(&mut self, settings: &QuerySettings, contact_count: usize) -> Result<(), MemoryError> {
        let plan = self.plan.get_mut();
        plan.settings = *settings;
        plan.reserve(contact_count, self.workers.len())?;
        plan.spare.reserve(contact_count, self.workers.iter_mut().map(|cell| cell.findings.get_mut()))
    }

    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    fn stop(&self) {
        with!(self.scheduler, scheduler => scheduler.stop())
    }

    fn is_stopped(&self) -> bool {
        with!(self.scheduler, scheduler => scheduler.is_stopped())
    }

    fn fail(&self, error: MemoryError) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.stop();
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
        // The hierarchy is its owner's again.
        plan.bodies.clear();
        if is_stopped {
            plan.sorted.clear();
        }
        failure.map_or(Ok(()), Err)
    }

    pub fn contacts(&self) -> &[Contact] {
        // SAFETY: no run is open, or the caller would have no reference.
        unsafe { &(*self.plan.get()).sorted }
    }

    /// The stats of the last run, apart from what only the owner of the hierarchy knows.
    pub fn stats(&mut self) -> QueryStats {
        let plan = self.plan.get_mut();
        let Clock { started, ms, ms_serial, .. } = plan.clock;
        let mut stats = QueryStats {
            dropped: (plan.count - plan.kept) as u64,
            ms_update: ms[VERTICES] + ms[REFIT] + ms[REBUILD],
            ms_refit: ms[VERTICES] + ms[REFIT],
            ms_cull: ms[CULL],
            culled_triangles: plan.culled_triangles as u64,
            ms_low: ms[LOW],
            ms_high: ms[HIGH],
            ms_sort: ms[COUNT] + ms[SCATTER] + ms[DESCRIBE],
            ms_serial,
            ms_total: started.elapsed().as_secs_f64() * 1e3,
            worker_count: self.workers.len() as u64,
            ..QueryStats::default()
        };
        let mut ms_busy = 0.0;
        for worker in 0..self.workers.len() {
            let of_worker = self.worker_stats(worker);
            stats.node_pairs += of_worker.node_pairs;
            stats.leaf_pairs += of_worker.leaf_pairs;
            stats.candidates_vf += of_worker.candidates_vf;
            stats.candidates_ee += of_worker.candidates_ee;
            stats.contacts_vf += of_worker.contacts_vf;
            stats.contacts_ee += of_worker.contacts_ee;
            stats.exact_tests += of_worker.exact_tests;
            stats.node_rebuilds += of_worker.node_rebuilds;
            stats.ms_traverse += of_worker.ms_traverse;
            stats.ms_elementary += of_worker.ms_elementary;
            stats.units += of_worker.units;
            stats.requests += of_worker.requests;
            stats.grants += of_worker.grants;
            stats.steals += of_worker.steals;
            ms_busy += of_worker.ms_busy;
        }
        let ms_phases = ms.iter().sum::<f64>() - ms_serial;
        let available = ms_phases * self.workers.len() as f64;
        stats.imbalance = if available > 0.0 { (1.0 - ms_busy / available).max(0.0) } else { 0.0 };
        stats
    }

    /// What a worker did in the last run.
    pub fn worker_stats(&self, worker: usize) -> WorkerStats {
        let counters = with!(self.scheduler, scheduler => scheduler.counters(worker));
        // SAFETY: no run is open, or the caller would have no reference.
        let stats = unsafe { (*self.workers[worker].worker.get()).stats };
        WorkerStats {
            units: counters.units,
            requests: counters.requests,
            grants: counters.grants,
            steals: counters.steals,
            ..stats
        }
    }

    /// What a worker did in the last run, unit by unit, if that was recorded.
    pub fn records(&self, worker: usize) -> &[UnitRecord] {
        // SAFETY: no run is open, or the caller would have no reference.
        unsafe { &(*self.workers[worker].worker.get()).records }
    }

    /// Bytes that workers keep.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The serial part before a phase.
    fn begin_phase(&self, plan: &mut Plan, phase: usize) -> Result<bool, MemoryError> {
        plan.units.clear();
        match phase {
            VERTICES => plan.find_moved_vertices(self.worker_count())?,
            REFIT => plan.refit_nodes()?,
            REBUILD => {
                plan.finish_refit()?;
                plan.find_front(self.worker_count())?;
                plan.rebuild_nodes()?;
            }
            CULL => plan.cull_nodes(self.worker_count())?,
            LOW => plan.low_level_units()?,
            HIGH => plan.high_level_pairs(self.worker_count(), &self.earliest)?,
            COUNT => {
                let lists = self.workers.iter().map(|cell| {
                    // SAFETY: between phases nobody works.
                    unsafe { &*cell.findings.get() }
                });
                plan.count_units(lists.clone())?;
                let count = lists.map(Findings::len).sum();
                let lists = self.workers.iter().map(|cell| {
                    // SAFETY: as above, and the others are not used any more.
                    unsafe { &mut *cell.findings.get() }
                });
                // The next time others may find them.
                plan.spare.reserve(count, lists)?;
            }
            SCATTER => plan.scatter_units()?,
            DESCRIBE => plan.describe_units()?,
            _ => {
                // SAFETY: `describe_units` made room, and in the phase that is over all of them were written.
                unsafe { plan.sorted.set_len(plan.kept) };
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn start_units(&self, plan: &mut Plan, phase: usize) -> Result<(), MemoryError> {
        let worker_count = self.worker_count();
        // SAFETY: between phases nobody works; worker 0 numbers what is there from the beginning.
        let first = unsafe { &mut *self.workers[0].worker.get() };
        for (place, (worker, work)) in plan.units.iter_mut().enumerate() {
            *worker = place % worker_count;
            first.numbered += 1;
            work.number = first.numbered * worker_count as u32;
        }
        let number = self.phase_number.load(Ordering::Relaxed) + 1;
        self.phase_number.store(number, Ordering::Relaxed);
        let units = plan.units.iter().copied();
        with!(self.scheduler, scheduler => {
            scheduler.reserve(plan.most_units(phase))?;
            scheduler.start(number, units)
        })
    }

    fn work_at<S: Scheduler<Work>>(&self, scheduler: &S, index: usize, phase: usize) {
        let Some(mut seat) = scheduler.join(self.phase_number.load(Ordering::Relaxed), index) else { return };
        // SAFETY: nobody else is at this place.
        let worker = unsafe { &mut *self.workers[index].worker.get() };
        // SAFETY: the plan is not changed during a phase.
        let plan = unsafe { &*self.plan.get() };
        // SAFETY: who sorts does not find anything, and until then only the worker at its place uses its findings.
        let findings_of = |worker: u32| unsafe { &*self.workers[worker as usize].findings.get() };
        let scene = plan.scene(&self.earliest, &findings_of);
        let findings = &self.workers[index].findings;
        let worker_count = self.worker_count();
        let mut numbered = worker.numbered;
        let mut next_number = || {
            numbered += 1;
            numbered * worker_count as u32 + index as u32
        };
        let is_stopped = || scheduler.is_stopped();
        let is_search = matches!(phase, LOW | HIGH);
        let mut stretch: Option<Stretch> = None;
        while let Some(work) = seat.next() {
            if let Some(upcoming) = seat.upcoming() {
                upcoming.task.prefetch(&work.task, &scene);
            }
            let begun = *stretch.get_or_insert_with(|| Stretch::begin(&worker.stats));
            let mut place = Place {
                seat: &mut seat,
                scene: &scene,
                next_number: &mut next_number,
                is_stopped: &is_stopped,
                has_given: false,
            };
            let mut result = worker.process(&scene, &mut place, findings, &work);
            // Before this worker may have to wait, and when units are to be told apart.
            let is_end = place.seat.queued() == 0 || plan.clock.is_recording;
            if is_end {
                if result.is_ok() {
                    result = worker.test_candidates(&scene, findings);
                }
                let ended = begun.end(&mut worker.stats, is_search);
                stretch = None;
                if result.is_ok() && plan.clock.is_recording {
                    let since = |time: Instant| (time - plan.clock.started).as_nanos() as u64;
                    result = worker.records.push(UnitRecord {
                        number: work.number,
                        parent: work.parent,
                        phase: phase as u32,
                        worker: index as u32,
                        weight: work.weight,
                        begin: since(begun.began),
                        end: since(ended),
                        rebuild: ((worker.stats.ms_rebuild - begun.ms_rebuild) * 1e6) as u64,
                        kind: work.kind(),
                    });
                }
            }
            if let Err(error) = result {
                self.fail(error);
            }
        }
        // Somebody has ended the run.
        if let Some(begun) = stretch {
            begun.end(&mut worker.stats, is_search);
        }
        worker.numbered = numbered;
        // What was queued may have gone to others. Nobody begins the next phase before this worker has left this one.
        if !scheduler.is_stopped()
            && let Err(error) = worker.test_candidates(&scene, findings)
        {
            self.fail(error);
        }
    }
}

impl OpenRun for Run {
    fn phases(&self) -> &Phases {
        &self.phases
    }

    fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
        self.stop();
    }
}

impl Program for Run {
    fn begin(&self, phase: usize) -> bool {
        let _floats = StandardFloats::enter();
        // SAFETY: between phases nobody works (`waits_for_all`), and one worker at a time begins one.
        let plan = unsafe { &mut *self.plan.get() };
        let began = Instant::now();
        if let Some(before) = phase.checked_sub(1) {
            plan.clock.ms[before] += (began - plan.clock.phase_started).as_secs_f64() * 1e3;
        }
        plan.clock.phase_started = began;
        if self.is_stopped() {
            return false;
        }
        let more = self.begin_phase(plan, phase).and_then(|more| {
            if more {
                self.start_units(plan, phase)?;
            }
            Ok(more)
        });
        let ended = Instant::now();
        plan.clock.ms_serial += (ended - began).as_secs_f64() * 1e3;
        let recorded =
            if plan.clock.is_recording { self.record_serial(plan, phase, began, ended) } else { Ok(()) };
        match recorded.and(more) {
            Ok(more) => more,
            Err(error) => {
                self.fail(error);
                false
            }
        }
    }

    fn work(&self, phase: usize, worker: usize) {
        let _floats = StandardFloats::enter();
        with!(self.scheduler, scheduler => self.work_at(scheduler, worker, phase));
    }

    fn waits_for_all(&self, _phase: usize) -> bool {
        true
    }
}

impl Run {
    fn record_serial(
        &self,
        plan: &Plan,
        phase: usize,
        began: Instant,
        ended: Instant,
    ) -> Result<(), MemoryError> {
        // SAFETY: between phases nobody works.
        let worker = unsafe { &mut *self.workers[0].worker.get() };
        worker.numbered += 1;
        let since = |time: Instant| (time - plan.clock.started).as_nanos() as u64;
        worker.records.push(UnitRecord {
            number: worker.numbered * self.worker_count() as u32,
            parent: NO_PARENT,
            phase: phase as u32,
            worker: 0,
            weight: 0,
            begin: since(began),
            end: since(ended),
            rebuild: 0,
            kind: UnitKind::Serial,
        })
    }
}
