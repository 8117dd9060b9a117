//! A query over a hierarchy as a program of phases for any number of workers (PCCD paper, sections 4 to 6).
//!
//! | phase | units | before it, one worker |
//! |---|---|---|
//! | vertices | vertices of meshes that have moved | looks which these are |
//! | refit | their nodes of one level: at least twice as many as workers (6.1) | |
//! | rebuild | high-level nodes, and those of meshes that do not collide with themselves, top down | boxes of the highest levels; rebuilds trees that are bad as a whole |
//! | low | self-CD task units of low-level nodes, one or more for each worker (4.2), then those of their children | |
//! | high | pairs of high-level nodes and of different meshes, dealt out in turn (5.1) | goes down until there are enough |
//! | count, scatter, describe | pieces and buckets of contacts | places of the buckets |
//!
//! *Who may write to a tree.* While vertices and boxes are refitted and high-level nodes rebuilt, units are of parts that have nothing in common. A self-CD task unit has all
//! that is below its node for itself, and rebuilds nodes there without a lock. Each node is looked at once, before its children are compared: by its own
//! unit if it is a low-level node, and before that if it is a high-level one. So when the pairs of high-level nodes come, every node has been looked at: nobody writes any more, and no
//! lock is needed, where the paper has one (5.1).

use super::contacts::{Contact, Earliest, Findings};
use super::order::Order;
use super::query::{Mode, QuerySettings};
use super::stats::{QueryStats, WorkerStats};
use super::traverse::{self, NodePair, Walk};
use super::unit::{Node, Task, Work};
use super::worker::{BodyAccess, Place, Scene, Worker, pair_weight};
use crate::bvh::{Bvh, MovingBox, Period, Reach, WIDTH};
use crate::locks::Mutex;
use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::Mesh;
use crate::schedule::{
    Assignment, NO_PARENT, Phases, Program, Scheduler, Seat, Stealing, UnitKind, UnitRecord,
};
use crate::simd::{self, Doubles, Kernel, Level, StandardFloats};
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
}

enum AnyScheduler {
    Assignment(Assignment<Work>),
    Stealing(Stealing<Work>),
}

const VERTICES: usize = 0;
const REFIT: usize = 1;
const REBUILD: usize = 2;
const LOW: usize = 3;
const HIGH: usize = 4;
const COUNT: usize = 5;
const SCATTER: usize = 6;
const DESCRIBE: usize = 7;
const PHASES: usize = 8;

/// Vertices of a unit.
const VERTICES_OF_UNIT: usize = 1 << 12;

/// Pairs for each worker that are looked for before these are dealt out: their work differs a lot, and some more even it out.
const PAIRS_OF_WORKER: usize = 16;

/// A query that is being run, or was. It stays where it is from [`Run::prepare`] to the end of the run.
pub struct Run {
    scheduler: AnyScheduler,
    phases: Phases,
    workers: Buffer<WorkerCell>,
    state: UnsafeCell<State>,
    earliest: Earliest,
    failure: Mutex<Option<MemoryError>>,
    /// Different for each phase of each run: [`Scheduler::start`].
    phase_number: AtomicU64,
    is_cancelled: std::sync::atomic::AtomicBool,
    memory: Memory,
}

/// A worker, and what it has found: the others read that when they sort.
struct WorkerCell {
    worker: UnsafeCell<Worker>,
    findings: UnsafeCell<Findings>,
}

/// What is changed between phases only.
struct State {
    level: Level,
    settings: QuerySettings,
    bvh: *mut Bvh,
    meshes: Buffer<*const Mesh>,
    bodies: Buffer<BodyAccess<'static>>,
    /// Expanded and unexpanded nodes of the breadth-first traversal: high-level nodes, and the front.
    high: Buffer<Node>,
    front: Buffer<Node>,
    sweep: Buffer<Sweep>,
    pairs: Buffer<([u32; 2], NodePair)>,
    children: Buffer<NodePair>,
    units: Buffer<(usize, Work)>,
    order: Order,
    sorted: Buffer<Contact>,
    count: usize,
    kept: usize,
    clock: Clock,
}

/// Where a mesh begins and ends on the x axis.
#[derive(Clone, Copy)]
struct Sweep {
    lower: f64,
    upper: f64,
    place: u32,
}

/// When phases began and ended.
struct Clock {
    started: Instant,
    phase_started: Instant,
    ms: [f64; PHASES],
    ms_serial: f64,
    is_recording: bool,
}

// SAFETY: `state` is changed by one worker between phases, when all others have left the phase (`waits_for_all`), and read during phases. Workers are each used by the thread at their
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
        let scheduler = match kind {
            SchedulerKind::Assignment => {
                AnyScheduler::Assignment(Assignment::new(memory.clone(), worker_count)?)
            }
            SchedulerKind::Stealing => AnyScheduler::Stealing(Stealing::new(memory.clone(), worker_count)?),
        };
        let now = Instant::now();
        let state = State {
            level: Level::Scalar,
            settings: QuerySettings::default(),
            bvh: std::ptr::null_mut(),
            meshes: Buffer::new(memory.clone()),
            bodies: Buffer::new(memory.clone()),
            high: Buffer::new(memory.clone()),
            front: Buffer::new(memory.clone()),
            sweep: Buffer::new(memory.clone()),
            pairs: Buffer::new(memory.clone()),
            children: Buffer::new(memory.clone()),
            units: Buffer::new(memory.clone()),
            order: Order::new(memory),
            sorted: Buffer::new(memory.clone()),
            count: 0,
            kept: 0,
            clock: Clock {
                started: now,
                phase_started: now,
                ms: [0.0; PHASES],
                ms_serial: 0.0,
                is_recording: false,
            },
        };
        Ok(Run {
            scheduler,
            phases: Phases::new(memory.clone(), worker_count)?,
            workers,
            state: UnsafeCell::new(state),
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
        let state = self.state.get_mut();
        state.level = level;
        state.settings = *settings;
        state.clock =
            Clock { started: now, phase_started: now, ms: [0.0; PHASES], ms_serial: 0.0, is_recording };
        (state.count, state.kept) = (0, 0);
        state.sorted.clear();
        state.bodies.clear();
        state.meshes.clear();
        for body in bvh.bodies() {
            state.meshes.push(std::ptr::from_ref(mesh_of(body.id)))?;
        }
        state.bvh = std::ptr::from_mut(bvh);
        for cell in self.workers.iter_mut() {
            cell.worker.get_mut().start();
            cell.findings.get_mut().start(settings.mode);
        }
        self.earliest = Earliest::new(settings.mode);
        *self.failure.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
        *self.is_cancelled.get_mut() = false;
        match &self.scheduler {
            AnyScheduler::Assignment(scheduler) => scheduler.reset(),
            AnyScheduler::Stealing(scheduler) => scheduler.reset(),
        }
        self.phases.open();
        Ok(())
    }

    /// Takes part as worker `worker`, for crews whose workers have numbers.
    pub fn participate(&self, worker: usize) {
        self.phases.participate(self, worker);
    }

    /// Takes part, if there is a place left.
    pub fn donate(&self) {
        self.phases.donate(self);
    }

    /// Takes part, then waits until all donated threads have left. False when a panic broke the run off.
    pub fn finish(&self) -> bool {
        self.phases.finish(self)
    }

    /// Ends the run soon, from any thread.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
        self.stop();
    }

    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    fn stop(&self) {
        match &self.scheduler {
            AnyScheduler::Assignment(scheduler) => scheduler.stop(),
            AnyScheduler::Stealing(scheduler) => scheduler.stop(),
        }
    }

    fn is_stopped(&self) -> bool {
        match &self.scheduler {
            AnyScheduler::Assignment(scheduler) => scheduler.is_stopped(),
            AnyScheduler::Stealing(scheduler) => scheduler.is_stopped(),
        }
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
        let state = self.state.get_mut();
        // The hierarchy is its owner's again.
        state.bodies.clear();
        if is_stopped {
            state.sorted.clear();
        }
        failure.map_or(Ok(()), Err)
    }

    pub fn contacts(&self) -> &[Contact] {
        // SAFETY: no run is open, or the caller would have no reference.
        unsafe { &(*self.state.get()).sorted }
    }

    /// The stats of the last run, apart from what only the owner of the hierarchy knows.
    pub fn stats(&mut self) -> QueryStats {
        let state = self.state.get_mut();
        let Clock { started, ms, ms_serial, .. } = state.clock;
        let mut stats = QueryStats {
            dropped: (state.count - state.kept) as u64,
            ms_update: ms[VERTICES] + ms[REFIT] + ms[REBUILD],
            ms_refit: ms[VERTICES] + ms[REFIT],
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
        let counters = match &self.scheduler {
            AnyScheduler::Assignment(scheduler) => scheduler.counters(worker),
            AnyScheduler::Stealing(scheduler) => scheduler.counters(worker),
        };
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
    fn begin_phase(&self, state: &mut State, phase: usize) -> Result<bool, MemoryError> {
        state.units.clear();
        match phase {
            VERTICES => state.find_moved_vertices(self.worker_count())?,
            REFIT => state.refit_nodes(self.worker_count())?,
            REBUILD => {
                state.finish_refit()?;
                state.find_front(self.worker_count())?;
                state.rebuild_nodes()?;
            }
            LOW => state.low_level_units()?,
            HIGH => state.high_level_pairs(self.worker_count(), &self.earliest)?,
            COUNT => {
                let lists = self.workers.iter().map(|cell| {
                    // SAFETY: between phases nobody works.
                    unsafe { &*cell.findings.get() }
                });
                state.count_units(lists)?;
            }
            SCATTER => state.scatter_units()?,
            DESCRIBE => state.describe_units()?,
            _ => {
                // SAFETY: `describe_units` made room, and in the phase that is over all of them were written.
                unsafe { state.sorted.set_len(state.kept) };
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn start_units(&self, state: &mut State, phase: usize) -> Result<(), MemoryError> {
        let worker_count = self.worker_count();
        // SAFETY: between phases nobody works; worker 0 numbers what is there from the beginning.
        let first = unsafe { &mut *self.workers[0].worker.get() };
        for (place, (worker, work)) in state.units.iter_mut().enumerate() {
            *worker = place % worker_count;
            first.numbered += 1;
            work.number = first.numbered * worker_count as u32;
        }
        let number = self.phase_number.load(Ordering::Relaxed) + 1;
        self.phase_number.store(number, Ordering::Relaxed);
        let units = state.units.iter().copied();
        match &self.scheduler {
            AnyScheduler::Assignment(scheduler) => {
                scheduler.reserve(state.most_units(phase))?;
                scheduler.start(number, units)
            }
            AnyScheduler::Stealing(scheduler) => scheduler.start(number, units),
        }
    }

    fn work_at<S: Scheduler<Work>>(&self, scheduler: &S, index: usize, phase: usize) {
        let Some(mut seat) = scheduler.join(self.phase_number.load(Ordering::Relaxed), index) else { return };
        // SAFETY: nobody else is at this place.
        let worker = unsafe { &mut *self.workers[index].worker.get() };
        // SAFETY: the state is not changed during a phase.
        let state = unsafe { &*self.state.get() };
        // SAFETY: who sorts does not find anything, and until then only the worker at its place uses its findings.
        let findings_of = |worker: u32| unsafe { &*self.workers[worker as usize].findings.get() };
        let scene = state.scene(&self.earliest, &findings_of);
        let findings = &self.workers[index].findings;
        let worker_count = self.worker_count();
        let mut numbered = worker.numbered;
        let mut next_number = || {
            numbered += 1;
            numbered * worker_count as u32 + index as u32
        };
        let is_stopped = || scheduler.is_stopped();
        while let Some(work) = seat.next() {
            let began = Instant::now();
            let mut place = Place {
                seat: &mut seat,
                scene: &scene,
                next_number: &mut next_number,
                is_stopped: &is_stopped,
                has_given: false,
            };
            let mut result = worker.process(&scene, &mut place, findings, &work);
            // Before this worker may have to wait, and when units are to be told apart.
            if result.is_ok() && (place.seat.queued() == 0 || state.clock.is_recording) {
                result = worker.test_candidates(&scene, findings);
            }
            let ended = Instant::now();
            worker.stats.ms_busy += (ended - began).as_secs_f64() * 1e3;
            if result.is_ok() && state.clock.is_recording {
                let since = |time: Instant| (time - state.clock.started).as_nanos() as u64;
                result = worker.records.push(UnitRecord {
                    number: work.number,
                    parent: work.parent,
                    phase: phase as u32,
                    worker: index as u32,
                    weight: work.weight,
                    begin: since(began),
                    end: since(ended),
                    kind: work.kind(),
                });
            }
            if let Err(error) = result {
                self.fail(error);
            }
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

impl Program for Run {
    fn begin(&self, phase: usize) -> bool {
        let _floats = StandardFloats::enter();
        // SAFETY: between phases nobody works (`waits_for_all`), and one worker at a time begins one.
        let state = unsafe { &mut *self.state.get() };
        let began = Instant::now();
        if let Some(before) = phase.checked_sub(1) {
            state.clock.ms[before] += (began - state.clock.phase_started).as_secs_f64() * 1e3;
        }
        state.clock.phase_started = began;
        if self.is_stopped() {
            return false;
        }
        let more = self.begin_phase(state, phase).and_then(|more| {
            if more {
                self.start_units(state, phase)?;
            }
            Ok(more)
        });
        let ended = Instant::now();
        state.clock.ms_serial += (ended - began).as_secs_f64() * 1e3;
        let recorded =
            if state.clock.is_recording { self.record_serial(state, phase, began, ended) } else { Ok(()) };
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
        match &self.scheduler {
            AnyScheduler::Assignment(scheduler) => self.work_at(scheduler, worker, phase),
            AnyScheduler::Stealing(scheduler) => self.work_at(scheduler, worker, phase),
        }
    }

    fn waits_for_all(&self, _phase: usize) -> bool {
        true
    }
}

impl Run {
    fn record_serial(
        &self,
        state: &State,
        phase: usize,
        began: Instant,
        ended: Instant,
    ) -> Result<(), MemoryError> {
        // SAFETY: between phases nobody works.
        let worker = unsafe { &mut *self.workers[0].worker.get() };
        worker.numbered += 1;
        let since = |time: Instant| (time - state.clock.started).as_nanos() as u64;
        worker.records.push(UnitRecord {
            number: worker.numbered * self.worker_count() as u32,
            parent: NO_PARENT,
            phase: phase as u32,
            worker: 0,
            weight: 0,
            begin: since(began),
            end: since(ended),
            kind: UnitKind::Serial,
        })
    }
}

impl State {
    fn scene<'a>(&'a self, earliest: &'a Earliest, findings: &'a dyn Fn(u32) -> &'a Findings) -> Scene<'a> {
        Scene {
            level: self.level,
            settings: self.settings,
            bodies: &self.bodies,
            volume_ratio: self.volume_ratio(),
            order: &self.order,
            findings,
            // room was made before the phase
            sorted: self.sorted.start(),
            kept: self.kept,
            earliest,
        }
    }

    fn bvh(&mut self) -> &mut Bvh {
        // SAFETY: `prepare` was promised that it lives, and nobody else uses it between phases.
        unsafe { &mut *self.bvh }
    }

    fn volume_ratio(&self) -> f64 {
        // SAFETY: settings do not change during a run.
        unsafe { (*self.bvh).settings().volume_ratio }
    }

    /// Takes the trees from the hierarchy anew, which may have changed them.
    fn access_bodies(&mut self) -> Result<(), MemoryError> {
        self.bodies.clear();
        // SAFETY: `prepare` was promised that the hierarchy and its meshes live until the end of the run, and that nobody else uses them; references for so long are not given to anybody else.
        let (bodies, level) = unsafe { ((*self.bvh).bodies_mut(), self.level) };
        for (body, &mesh) in bodies.iter_mut().zip(self.meshes.iter()) {
            // SAFETY: as above.
            let mesh = unsafe { &*mesh };
            let is_behind = body.is_behind(mesh);
            let (id, tree) = (body.id, body.tree.shared(level, mesh));
            self.bodies.push(BodyAccess { id, mesh, tree, is_behind, refit_level: 0 })?;
        }
        Ok(())
    }

    fn unit(&mut self, task: Task, weight: u64) -> Result<(), MemoryError> {
        // Whom it is dealt to is decided when all are there.
        self.units.push((0, Work::new(task, weight)))
    }

    fn find_moved_vertices(&mut self, worker_count: usize) -> Result<(), MemoryError> {
        self.access_bodies()?;
        for body in 0..self.bodies.len() {
            let BodyAccess { is_behind, mesh, .. } = self.bodies[body];
            if !is_behind {
                continue;
            }
            let count = mesh.vertex_count();
            let step = if worker_count > 1 { VERTICES_OF_UNIT } else { count.max(1) };
            for first in (0..count).step_by(step) {
                let end = count.min(first + step);
                let task = Task::Vertices { body: body as u32, first: first as u32, end: end as u32 };
                self.unit(task, (end - first) as u64)?;
            }
        }
        Ok(())
    }

    /// Twice as many nodes as there are workers (6.1), unless meshes are many.
    fn refit_nodes(&mut self, worker_count: usize) -> Result<(), MemoryError> {
        let moved = self.bodies.iter().filter(|body| body.is_behind).count();
        for body in 0..self.bodies.len() {
            let access = &mut self.bodies[body];
            if !access.is_behind {
                continue;
            }
            let mut level = access.tree.level_count() - 1;
            while worker_count > 1 && level > 1 && moved * access.tree.box_count(level) < 2 * worker_count {
                level -= 1;
            }
            access.refit_level = level;
            for number in 0..access.tree.box_count(level) {
                let node = Node { body: body as u32, level: level as u8, number: number as u32 };
                let weight = WIDTH * self.bodies[body].tree.leaves_below(level, number).len();
                self.unit(Task::Refit(node), weight as u64)?;
            }
        }
        Ok(())
    }

    fn finish_refit(&mut self) -> Result<(), MemoryError> {
        let level = self.level;
        for place in 0..self.bodies.len() {
            let BodyAccess { is_behind, refit_level, mesh, .. } = self.bodies[place];
            if is_behind {
                self.bvh().bodies_mut()[place].tree.finish_refit(level, mesh, refit_level);
            }
        }
        for place in 0..self.bodies.len() {
            let mesh = self.bodies[place].mesh;
            self.bvh().rebuild_if_bad(place, mesh)?;
        }
        self.access_bodies()
    }

    fn collides_with_itself(&self, body: usize) -> bool {
        self.settings.within_meshes
            && self.bodies[body].mesh.settings.self_collision
            && self.bodies[body].tree.level_count() > 0
    }

    /// The breadth-first traversal of all trees until there is a node for each worker (4.2).
    fn find_front(&mut self, worker_count: usize) -> Result<(), MemoryError> {
        self.high.clear();
        self.front.clear();
        for body in 0..self.bodies.len() {
            if self.collides_with_itself(body) {
                let level = self.bodies[body].tree.level_count() as u8 - 1;
                self.front.push(Node { body: body as u32, level, number: 0 })?;
            }
        }
        let mut next = 0;
        while self.front.len() - next < worker_count && next < self.front.len() {
            let node @ Node { body, level, number } = self.front[next];
            next += 1;
            if level < 2 {
                // too small to be cut: it goes to the end of the front
                if self.front[next..].iter().all(|node| node.level < 2) {
                    next -= 1;
                    break;
                }
                self.front.push(node)?;
                continue;
            }
            self.high.push(node)?;
            let first = number * WIDTH as u32;
            let boxes = self.bodies[body as usize].tree.box_count(level as usize - 1) as u32;
            for number in first..boxes.min(first + WIDTH as u32) {
                self.front.push(Node { body, level: level - 1, number })?;
            }
        }
        self.front.rotate_left(next);
        self.front.truncate(self.front.len() - next);
        Ok(())
    }

    /// High-level nodes, and all nodes that no self-CD task unit will look at.
    fn rebuild_nodes(&mut self) -> Result<(), MemoryError> {
        if self.volume_ratio() <= 0.0 {
            return Ok(());
        }
        for body in 0..self.bodies.len() {
            let levels = self.bodies[body].tree.level_count();
            if levels < 2 {
                continue;
            }
            let lowest = if self.collides_with_itself(body) {
                self.high.iter().filter(|node| node.body == body as u32).map(|node| node.level).min()
            } else {
                Some(1)
            };
            if let Some(lowest) = lowest {
                let node = Node { body: body as u32, level: levels as u8 - 1, number: 0 };
                let weight = self.bodies[body].mesh.triangle_count() as u64;
                self.unit(Task::Rebuild { node, lowest }, weight)?;
            }
        }
        Ok(())
    }

    fn low_level_units(&mut self) -> Result<(), MemoryError> {
        let may_rebuild = self.volume_ratio() > 0.0;
        for place in 0..self.front.len() {
            let node = self.front[place];
            let tree = &self.bodies[node.body as usize].tree;
            let weight = WIDTH * tree.leaves_below(node.level as usize, node.number as usize).len();
            self.unit(Task::Own { node, may_rebuild }, weight as u64)?;
        }
        Ok(())
    }

    /// Pairs of children of high-level nodes, and of different meshes.
    fn high_level_pairs(&mut self, worker_count: usize, earliest: &Earliest) -> Result<(), MemoryError> {
        self.pairs.clear();
        if self.settings.between_meshes {
            self.sweep_meshes()?;
        }
        let State { level, high, bodies, pairs, children, .. } = self;
        let scene_settings = self.settings;
        let no_findings = |_| unreachable!("nobody sorts yet");
        let scene = Scene {
            level: *level,
            settings: scene_settings,
            bodies,
            volume_ratio: 0.0,
            order: &self.order,
            findings: &no_findings,
            sorted: std::ptr::null_mut(),
            kept: 0,
            earliest,
        };
        for &Node { body, level, number } in high.iter() {
            children.clear();
            let expand = Expand { scene: &scene, bodies: [body; 2], of: Of::Node(level, number), children };
            simd::dispatch(scene.level, expand)?;
            for &pair in children.iter() {
                pairs.push(([body; 2], pair))?;
            }
        }
        if worker_count > 1 {
            // From the first on, so that those of the same kind stay side by side and are dealt to different workers.
            let (mut next, wanted) = (0, PAIRS_OF_WORKER * worker_count);
            while next < pairs.len() && pairs.len() - next < wanted {
                let (bodies, pair) = pairs[next];
                if pair.levels == [0, 0] {
                    break;
                }
                next += 1;
                children.clear();
                let expand = Expand { scene: &scene, bodies, of: Of::Pair(pair), children };
                simd::dispatch(scene.level, expand)?;
                for &pair in children.iter() {
                    pairs.push((bodies, pair))?;
                }
            }
            pairs.rotate_left(next);
            pairs.truncate(pairs.len() - next);
        }
        for &(bodies, pair) in pairs.iter() {
            let weight = pair_weight(&scene, bodies, &pair);
            self.units.push((0, Work::new(Task::Pair { bodies, pair }, weight)))?;
        }
        Ok(())
    }

    /// All pairs of different meshes whose boxes meet: sorted along the x axis, then one after the other against those that begin before it ends.
    fn sweep_meshes(&mut self) -> Result<(), MemoryError> {
        self.sweep.clear();
        for (place, body) in self.bodies.iter().enumerate() {
            let Some(MovingBox(planes)) = body.tree.root() else { continue };
            let reach = body.mesh.settings.thickness + self.settings.elementary.min_separation;
            // Boxes are compared with the distance rounded up to a float, and so must be sweeps.
            let reach = reach * (1.0 + f32::EPSILON as f64) + f32::MIN_POSITIVE as f64;
            let lower = (planes[0].min(planes[6]) as f64 - reach).next_down();
            let upper = (-(planes[3].min(planes[9]) as f64) + reach).next_up();
            self.sweep.push(Sweep { lower, upper, place: place as u32 })?;
        }
        self.sweep.sort_unstable_by(|a, b| a.lower.total_cmp(&b.lower).then(a.place.cmp(&b.place)));
        for i in 0..self.sweep.len() {
            for j in i + 1..self.sweep.len() {
                let (first, second) = (self.sweep[i], self.sweep[j]);
                if second.lower > first.upper {
                    break;
                }
                let places = [first.place.min(second.place), first.place.max(second.place)];
                let [a, b] = places.map(|place| &self.bodies[place as usize]);
                let separation = self.settings.elementary.min_separation
                    + (a.mesh.settings.thickness + b.mesh.settings.thickness);
                if a.mesh.settings.may_meet(&b.mesh.settings)
                    && roots_meet([a, b].map(|body| body.tree.root()), separation)
                {
                    let levels = [a, b].map(|body| body.tree.level_count() as u8 - 1);
                    let pair = NodePair { levels, boxes: [0, 0], period: Period::WHOLE };
                    self.pairs.push((places, pair))?;
                }
            }
        }
        Ok(())
    }

    fn count_units<'a>(&mut self, lists: impl Iterator<Item = &'a Findings>) -> Result<(), MemoryError> {
        let vertex_count = self.bodies.iter().map(|body| body.mesh.vertex_count()).max().unwrap_or(0);
        let pieces = self.order.start(lists, self.bodies.len(), vertex_count)?;
        (0..pieces as u32).try_for_each(|piece| self.unit(Task::Count { piece }, 1))
    }

    fn scatter_units(&mut self) -> Result<(), MemoryError> {
        let count = self.order.place();
        self.count = if self.settings.mode == Mode::Earliest { count.min(1) } else { count };
        self.kept = self.count.min(self.settings.capacity);
        (0..self.order.piece_count() as u32).try_for_each(|piece| self.unit(Task::Scatter { piece }, 1))
    }

    fn describe_units(&mut self) -> Result<(), MemoryError> {
        self.sorted.clear();
        self.sorted.reserve_exact(self.kept)?;
        let State { order, units, .. } = self;
        for (buckets, count) in order.shares(self.kept) {
            let task = Task::Describe { first: buckets.start, end: buckets.end };
            units.push((0, Work::new(task, count as u64)))?;
        }
        Ok(())
    }

    /// The most units that may ever wait at one place in a phase: in the low-level one all nodes that have a unit; otherwise those that are there, and pairs that are
    /// given away.
    fn most_units(&self, phase: usize) -> usize {
        let nodes = match phase {
            REBUILD | LOW => self
                .bodies
                .iter()
                .map(|body| body.tree.box_count(1.min(body.tree.level_count().saturating_sub(1))))
                .sum(),
            HIGH => 1024,
            _ => 0,
        };
        nodes + self.units.len()
    }
}

fn roots_meet(roots: [Option<MovingBox>; 2], distance: f64) -> bool {
    let [Some(a), Some(b)] = roots else { return false };
    let mut group = crate::bvh::BoxGroup::EMPTY;
    group.set(0, &b);
    a.broadcast::<[f32; 8]>().meets(&group, &Reach::new(distance)) & 1 != 0
}

/// One step down from a node or a pair.
struct Expand<'a, 's> {
    scene: &'a Scene<'s>,
    bodies: [u32; 2],
    of: Of,
    children: &'a mut Buffer<NodePair>,
}

enum Of {
    /// Its level and number.
    Node(u8, u32),
    Pair(NodePair),
}

impl Kernel for Expand<'_, '_> {
    type Output = Result<(), MemoryError>;

    #[inline(always)]
    fn run<V: Doubles>(self) -> Result<(), MemoryError> {
        let Expand { scene, bodies, of, children } = self;
        let walk = Walk::<V::Floats>::new(&scene.settings_of(bodies), scene.settings.mode, scene.earliest);
        let trees = [&scene.body(bodies[0]).tree, &scene.body(bodies[1]).tree];
        match of {
            Of::Node(level, number) => {
                traverse::task_unit(trees[0], level as usize - 1, number as usize, &walk, children)
            }
            Of::Pair(pair) if pair.levels[0] == pair.levels[1] => {
                traverse::go_down_both(trees, pair, &walk, children)
            }
            Of::Pair(pair) => traverse::go_down_higher(trees, pair, &walk, children),
        }
    }
}
