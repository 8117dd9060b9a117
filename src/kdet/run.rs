//! A discrete query as a program of phases for any number of workers (kDet paper, section 4.3).
//!
//! | phase | units | before it, one worker |
//! |---|---|---|
//! | copy | meshes, if there are several | decides on the method, as far as the hierarchy tells |
//! | count | triangles: their cells | |
//! | fill | triangles: into their cells | places of the buckets; or it turns to the hierarchy |
//! | find | buckets of the grid, or pairs of boxes | updates the hierarchy and goes down until there are enough pairs |
//! | deal, scatter, sort | lists and buckets of pairs | places of the buckets |
//!
//! Units of a phase are taken one after the other, by a count that all workers add to.

use super::cells::{Hashing, LEVELS};
use super::choice::{self, Method, Reason};
use super::decide::Decisions;
use super::grid::Grid;
use super::intersections::{Intersection, Order};
use super::soup::{Soup, Wanted};
use super::visit::{Room, Visit};
use super::walk::{Pair, Step, Walk};
use crate::bvh::Bvh;
use crate::locks::Mutex;
use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::Mesh;
use crate::schedule::{Phases, Program};
use crate::simd::{self, Level, StandardFloats};
use std::cell::UnsafeCell;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// What is looked for, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiscreteSettings {
    pub wanted: Wanted,
    pub method: Method,
    pub hashing: Hashing,
    pub with_segments: bool,
    /// Most intersections that are kept.
    pub capacity: usize,
}

impl Default for DiscreteSettings {
    fn default() -> DiscreteSettings {
        DiscreteSettings {
            wanted: Wanted { within_meshes: true, between_meshes: true },
            method: Method::Auto,
            hashing: Hashing::Morton,
            with_segments: false,
            capacity: usize::MAX,
        }
    }
}

/// What a run has done. Times are in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DiscreteStats {
    pub method: Method,
    pub reason: Reason,
    pub triangle_count: u64,
    pub intersections: u64,
    pub dropped: u64,
    pub candidates: u64,
    pub exact_tests: u64,
    /// Pairs of boxes of the hierarchy, and of leaves among them.
    pub node_pairs: u64,
    pub leaf_pairs: u64,
    /// Cells with triangles, triangles in cells, and levels with triangles.
    pub cells: u64,
    pub entries: u64,
    pub levels: u64,
    pub ms_update: f64,
    pub ms_find: f64,
    pub ms_sort: f64,
    pub ms_total: f64,
    pub worker_count: u64,
    pub state_bytes: u64,
}

const COPY: usize = 0;
const COUNT: usize = 1;
const FILL: usize = 2;
const FIND: usize = 3;
const DEAL: usize = 4;
const SCATTER: usize = 5;
const SORT: usize = 6;
const PHASES: usize = 7;

/// Triangles, and buckets, of a unit.
const TRIANGLES: usize = 1 << 11;
const BUCKETS: usize = 1 << 9;

/// Pairs of boxes for each worker that are looked for before they are handed out.
const PAIRS_OF_WORKER: usize = 64;

/// What is changed between phases only.
struct Plan {
    level: Level,
    settings: DiscreteSettings,
    soup: Soup,
    grid: Grid,
    bvh: *mut Bvh,
    pairs: Buffer<Pair>,
    order: Order,
    shares: Buffer<[u32; 2]>,
    sorted: Buffer<Intersection>,
    kept: usize,
    stats: DiscreteStats,
    started: Instant,
    phase_started: Instant,
    ms: [f64; PHASES + 1],
    unit_count: usize,
}

struct Worker {
    decisions: Decisions,
    room: Room,
    waiting: Buffer<Pair>,
    levels: [u32; LEVELS],
    cells: u64,
    counts: [u64; 2],
}

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
            workers.push(WorkerCell(UnsafeCell::new(Worker {
                decisions: Decisions::new(memory)?,
                room: Room::new(memory),
                waiting: Buffer::new(memory.clone()),
                levels: [0; LEVELS],
                cells: 0,
                counts: [0; 2],
            })))?;
        }
        let now = Instant::now();
        let plan = Plan {
            level: Level::Scalar,
            settings: DiscreteSettings::default(),
            soup: Soup::new(memory),
            grid: Grid::new(memory),
            bvh: std::ptr::null_mut(),
            pairs: Buffer::new(memory.clone()),
            order: Order::new(memory),
            shares: Buffer::new(memory.clone()),
            sorted: Buffer::new(memory.clone()),
            kept: 0,
            stats: DiscreteStats::default(),
            started: now,
            phase_started: now,
            ms: [0.0; PHASES + 1],
            unit_count: 0,
        };
        Ok(Run {
            phases: Phases::new(memory.clone(), worker_count)?,
            workers,
            plan: UnsafeCell::new(plan),
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
            let worker = cell.0.get_mut();
            worker.decisions.start();
            worker.room.start();
            (worker.cells, worker.counts, worker.levels) = (0, [0; 2], [0; LEVELS]);
        }
        *self.failure.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
        (*self.is_stopped.get_mut(), *self.is_cancelled.get_mut()) = (false, false);
        // SAFETY: promised by the caller.
        unsafe { plan.soup.fill(meshes, settings.wanted) }?;
        plan.stats.triangle_count = plan.soup.triangle_count as u64;
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
        self.is_stopped.store(true, Ordering::Relaxed);
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
        let stats = &mut plan.stats;
        stats.ms_update = plan.ms[..=FILL].iter().sum();
        stats.ms_find = plan.ms[FIND];
        stats.ms_sort = plan.ms[DEAL..].iter().sum();
        stats.ms_total = plan.started.elapsed().as_secs_f64() * 1e3;
        stats.state_bytes = (plan.soup.bytes() + plan.grid.bytes()) as u64;
        for cell in self.workers.iter_mut() {
            let worker = cell.0.get_mut();
            stats.candidates += worker.decisions.candidates;
            stats.exact_tests += worker.decisions.exact_tests;
            stats.cells += worker.cells;
            stats.node_pairs += worker.counts[0];
            stats.leaf_pairs += worker.counts[1];
        }
        failure.map_or(Ok(()), Err)
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
            COUNT => {
                // SAFETY: all parts were copied in the phase before.
                unsafe { plan.soup.finish() };
                plan.start_grid(worker_count)?
            }
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
        let triangles = || {
            let first = unit * TRIANGLES;
            first as u32..plan.soup.triangle_count.min(first + TRIANGLES) as u32
        };
        // SAFETY: nobody else is at this place, and while workers are changed nobody reads what is another's.
        let own = || unsafe { &mut *self.workers[worker].0.get() };
        // SAFETY: nobody finds anything any more when these are read.
        let found = |list: usize| unsafe { &(&*self.workers[list].0.get()).decisions.found };
        // Below, each unit is handed out once, and phases follow each other.
        match phase {
            // SAFETY: as above.
            COPY => unsafe { plan.soup.copy(unit) },
            // SAFETY: as above.
            COUNT => unsafe { plan.grid.count(&plan.soup.view(), triangles(), &mut own().levels) },
            // SAFETY: as above.
            FILL => unsafe { plan.grid.fill(triangles()) },
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

impl Plan {
    /// Decides on the method, as far as that can be told now: None of it is the grid, until its cells are counted.
    fn choose(&mut self) {
        let asked = self.settings.method;
        let (method, reason) = if self.bvh.is_null() {
            (Method::Grid, if asked == Method::Grid { Reason::Asked } else { Reason::NoHierarchy })
        } else if asked != Method::Auto {
            (asked, Reason::Asked)
        } else {
            // SAFETY: `prepare` was promised that it lives, and nobody else uses it between phases.
            let bvh = unsafe { &*self.bvh };
            let (mut moved, mut bad) = (0, 0);
            for (body, part) in bvh.bodies().iter().zip(self.soup.parts.iter()) {
                // SAFETY: as above.
                let mesh = unsafe { &*part.mesh };
                let is_bad = body.tree.level_count() == 0
                    || body.tree.is_crowded()
                    || body.tree.quality() < bvh.settings().rebuild_quality;
                moved += if body.is_behind(mesh) { mesh.triangle_count() } else { 0 };
                bad += if is_bad { mesh.triangle_count() } else { 0 };
            }
            choice::before(self.soup.triangle_count, moved, bad).unwrap_or((Method::Auto, Reason::None))
        };
        (self.stats.method, self.stats.reason) = (method, reason);
    }

    fn triangle_units(&self) -> usize {
        self.soup.triangle_count.div_ceil(TRIANGLES)
    }

    fn start_grid(&mut self, worker_count: usize) -> Result<usize, MemoryError> {
        if self.stats.method == Method::Bvh {
            return Ok(0);
        }
        self.grid.start(self.soup.triangle_count, self.settings.hashing, worker_count > 1)?;
        Ok(self.triangle_units())
    }

    fn place(&mut self) -> Result<usize, MemoryError> {
        if self.stats.method == Method::Bvh {
            return Ok(0);
        }
        self.stats.levels = self.grid.levels.iter().filter(|&&count| count > 0).count() as u64;
        if self.stats.method == Method::Auto {
            let (triangles, levels) = (self.soup.triangle_count, self.grid.used_levels().len());
            (self.stats.method, self.stats.reason) =
                choice::after_counting(triangles, levels, self.grid.comparisons());
            if self.stats.method == Method::Bvh {
                return Ok(0);
            }
        }
        self.stats.entries = self.grid.place()? as u64;
        Ok(self.triangle_units())
    }

    fn find_units(&mut self, worker_count: usize) -> Result<usize, MemoryError> {
        if self.stats.method == Method::Grid {
            return Ok(self.grid.bucket_count().div_ceil(BUCKETS));
        }
        let before = Instant::now();
        // SAFETY: `prepare` was promised that it lives, and nobody else uses it between phases.
        let bvh = unsafe { &mut *self.bvh };
        let parts = &self.soup.parts;
        // SAFETY: as above, for the meshes.
        bvh.update(&|id| unsafe {
            let part = parts.binary_search_by_key(&id, |part| part.id).expect("a mesh of the hierarchy");
            &*parts[part].mesh
        })?;
        self.ms[FILL] += before.elapsed().as_secs_f64() * 1e3;
        self.ms[FIND] -= before.elapsed().as_secs_f64() * 1e3;
        self.pairs.clear();
        let (view, bvh) = (self.soup.view(), &*bvh);
        let top = |part: usize| bvh.bodies()[part].tree.level_count().checked_sub(1);
        for a in 0..parts.len() {
            let Some(level) = top(a) else { continue };
            if view.may_meet([a, a]) {
                self.pairs.push(Pair { parts: [a as u32; 2], levels: [level as u8; 2], boxes: [0; 2] })?;
            }
        }
        if parts.len() > 1 && self.settings.wanted.between_meshes {
            self.sweep(bvh)?;
        }
        // Down until there are enough for everybody, the first ones first.
        let (mut next, wanted) = (0, if worker_count > 1 { PAIRS_OF_WORKER * worker_count } else { 0 });
        while next < self.pairs.len() && self.pairs.len() - next < wanted {
            let pair = self.pairs[next];
            next += 1;
            if pair.levels == [0, 0] {
                self.pairs.push(pair)?;
                if self.pairs[next..].iter().all(|pair| pair.levels == [0, 0]) {
                    break;
                }
                continue;
            }
            simd::dispatch(self.level, Step { bvh, pair, waiting: &mut self.pairs })?;
        }
        self.pairs.rotate_left(next);
        self.pairs.truncate(self.pairs.len() - next);
        Ok(self.pairs.len())
    }

    /// All pairs of different meshes that may meet and whose boxes overlap along the x axis.
    fn sweep(&mut self, bvh: &Bvh) -> Result<(), MemoryError> {
        let view = self.soup.view();
        // Places among the pairs, for want of another buffer: first the meshes by where they begin.
        self.shares.clear();
        for part in 0..self.soup.parts.len() as u32 {
            if bvh.bodies()[part as usize].tree.root().is_some() {
                self.shares.push([part, 0])?;
            }
        }
        let ends = |part: u32| {
            let planes = bvh.bodies()[part as usize].tree.root().map_or([0.0; 16], |root| root.0);
            (planes[6], -planes[9])
        };
        self.shares.sort_unstable_by(|a, b| ends(a[0]).0.total_cmp(&ends(b[0]).0).then(a[0].cmp(&b[0])));
        for i in 0..self.shares.len() {
            for j in i + 1..self.shares.len() {
                let [a, b] = [self.shares[i][0], self.shares[j][0]];
                if ends(b).0 > ends(a).1 {
                    break;
                }
                let parts = [a.min(b), a.max(b)];
                if view.may_meet(parts.map(|part| part as usize)) {
                    let levels = parts.map(|part| bvh.bodies()[part as usize].tree.level_count() as u8 - 1);
                    self.pairs.push(Pair { parts, levels, boxes: [0; 2] })?;
                }
            }
        }
        Ok(())
    }

    fn find(&self, unit: usize, worker: &mut Worker) -> Result<(), MemoryError> {
        let view = self.soup.view();
        let Worker { decisions, room, waiting, cells, counts, .. } = worker;
        if self.stats.method == Method::Grid {
            let first = unit * BUCKETS;
            let buckets = first..self.grid.bucket_count().min(first + BUCKETS);
            let visit = Visit { view, grid: &self.grid, buckets, room, decisions, cells };
            return simd::dispatch(self.level, visit);
        }
        // SAFETY: `prepare` was promised that it lives; during this phase nobody writes to it.
        let bvh = unsafe { &*self.bvh };
        simd::dispatch(self.level, Walk { view, bvh, pair: self.pairs[unit], waiting, decisions, counts })
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
