//! The pipeline as its user sees it: objects in, a step, results out.

use super::balance::{Balance, Times};
use super::crossing::Crossing;
use super::fill::{self, Filters};
use super::objects::Objects;
use super::order::Order;
use super::poses::Poses;
use super::results::Results;
use super::step::{MeshOf, Step};
use super::sweep::{Method, Sweep};
use super::worker::{BUFFER, Batch, TaskRecord, Worker};
use crate::locks::Mutex;
use crate::memory::{Buffer, Memory, MemoryError};
use crate::schedule::Crew;
use crate::simd::Level;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Whether the phases run at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// At the same time with two threads or more.
    Auto,
    Sequential,
    Simultaneous,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PipelineSettings {
    /// Gaps up to this are contacts.
    pub margin: f64,
    pub method: Method,
    pub mode: Mode,
    /// Workers do not help in the other phase before their own is over.
    pub stay: bool,
}

impl Default for PipelineSettings {
    fn default() -> PipelineSettings {
        PipelineSettings { margin: 0.0, method: Method::Auto, mode: Mode::Auto, stay: false }
    }
}

/// What the last step did, and how long it took; times are in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PipelineStats {
    pub steps: u64,
    pub object_count: u64,
    pub candidates: u64,
    pub begun: u64,
    pub kept: u64,
    pub ended: u64,
    pub points: u64,
    pub broad_threads: u64,
    pub narrow_threads: u64,
    pub was_sequential: bool,
    pub was_sweep: bool,
    pub ms_total: f64,
    /// Boxes, and their order.
    pub ms_boxes: f64,
    /// Of all workers together.
    pub ms_broad: f64,
    pub ms_narrow: f64,
    /// Both phases, by the clock.
    pub ms_phases: f64,
    pub ms_order: f64,
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepOutcome {
    Done,
    /// The results of the last step are still there.
    Cancelled,
}

pub struct Pipeline {
    pub settings: PipelineSettings,
    pub objects: Objects,
    pub balance: Balance,
    /// Threads of the broad and of the narrow phase, if the caller has fixed them.
    fixed: Option<[usize; 2]>,
    /// Whether tasks are recorded.
    pub is_recording: bool,
    living: Buffer<u32>,
    /// What the caller knows these by.
    ids: Buffer<u64>,
    /// The changes of the objects when they were listed.
    listed: Option<u64>,
    filters: Filters,
    poses: Poses,
    sweep: Sweep,
    crossing: Option<Crossing<Batch>>,
    workers: Buffer<Mutex<Worker>>,
    order: Order,
    results: Results,
    next_results: Results,
    stats: PipelineStats,
    memory: Memory,
}

impl Pipeline {
    pub fn new(memory: &Memory, settings: PipelineSettings) -> Pipeline {
        Pipeline {
            settings,
            objects: Objects::new(memory),
            balance: Balance::new(memory),
            fixed: None,
            is_recording: false,
            living: Buffer::new(memory.clone()),
            ids: Buffer::new(memory.clone()),
            listed: None,
            filters: Filters::new(memory),
            poses: Poses::new(memory),
            sweep: Sweep::new(memory),
            crossing: None,
            workers: Buffer::new(memory.clone()),
            order: Order::new(memory),
            results: Results::new(memory),
            next_results: Results::new(memory),
            stats: PipelineStats::default(),
            memory: memory.clone(),
        }
    }

    /// Finds the contacts of all objects where they are now. On an error or if cancelled, the results of the last step stay, and so does the way that swept objects still have to go.
    pub fn step(
        &mut self,
        crew: &Crew,
        level: Level,
        mesh_of: MeshOf<'_, '_>,
        cancelled: &AtomicBool,
    ) -> Result<StepOutcome, MemoryError> {
        let start = Instant::now();
        self.prepare(crew.worker_count(), level)?;
        self.objects.update_meshes(mesh_of, level)?;
        self.list_living()?;
        self.sweep.resize(self.living.len())?;
        self.filters.resize(self.living.len())?;
        self.poses.resize(self.living.len())?;
        let margin = self.settings.margin;
        let Pipeline { objects, living, sweep, filters, poses, .. } = self;
        fill::fill(crew, objects, living, margin, level, sweep, filters, poses);
        self.sweep.prepare(crew, level, self.settings.method)?;
        let ms_boxes = milliseconds(start);

        let unit_count = self.sweep.unit_count();
        let is_small = unit_count == 0;
        let wanted = self.fixed.map_or(usize::MAX, |[broad, narrow]| broad + narrow);
        let threads = if is_small { 1 } else { crew.worker_count().min(wanted) };
        let sequential = match self.settings.mode {
            Mode::Auto => threads < 2,
            Mode::Sequential => true,
            Mode::Simultaneous => false,
        };
        let split = self.balance.split(threads);
        let crossing = self.crossing.as_ref().expect("it was prepared");
        crossing.open(unit_count, split, self.settings.stay);
        let error = Mutex::new(None);
        let step = Step {
            objects: &self.objects,
            living: &self.living,
            mesh_of,
            margin,
            level,
            filters: &self.filters,
            poses: &self.poses,
            sweep: &self.sweep,
            crossing,
            workers: &self.workers[..threads],
            is_recording: self.is_recording,
            cancelled,
            error: &error,
        };
        let wall = if sequential {
            let (broad, narrow) = step.sequential(crew);
            broad + narrow
        } else {
            step.simultaneous(crew)
        };
        if let Some(error) = error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        if cancelled.load(Ordering::Relaxed) {
            return Ok(StepOutcome::Cancelled);
        }
        let order_start = Instant::now();
        let counts = self.order()?;
        self.objects.arrive();
        let mut stats = PipelineStats {
            steps: self.stats.steps + 1,
            object_count: self.objects.len() as u64,
            begun: counts[0],
            kept: counts[1],
            ended: counts[2],
            points: self.results.points.len() as u64,
            broad_threads: if sequential { threads } else { split } as u64,
            narrow_threads: if sequential { threads } else { threads - split.min(threads) } as u64,
            was_sequential: sequential,
            was_sweep: self.sweep.is_sweep(),
            ms_boxes,
            ms_phases: wall * 1e3,
            ms_order: milliseconds(order_start),
            ..PipelineStats::default()
        };
        for worker in self.workers.iter_mut() {
            let worker = worker.get_mut().unwrap_or_else(PoisonError::into_inner);
            stats.candidates += worker.candidate_count;
            stats.ms_broad += worker.broad_time * 1e3;
            stats.ms_narrow += worker.narrow_time * 1e3;
        }
        let times = Times { broad: stats.ms_broad, narrow: stats.ms_narrow, wall: stats.ms_phases };
        self.balance.measured(stats.steps, times, sequential);
        stats.ms_total = milliseconds(start);
        self.stats = stats;
        Ok(StepOutcome::Done)
    }

    /// Fixes how many threads each phase gets, or leaves it to the measurements.
    pub fn fix_split(&mut self, split: Option<[usize; 2]>) {
        self.fixed = split;
        self.balance.fix(split.map(|[broad, _]| broad));
    }

    /// Threads that the caller has fixed for the broad and the narrow phase.
    pub fn fixed_split(&self) -> Option<[usize; 2]> {
        self.fixed
    }

    /// Makes room for what workers need.
    fn prepare(&mut self, worker_count: usize, level: Level) -> Result<(), MemoryError> {
        if self.crossing.is_none() {
            self.crossing = Some(Crossing::new(&self.memory, BUFFER)?);
        }
        self.balance.reserve()?;
        while self.workers.len() < worker_count {
            self.workers.push(Mutex::new(Worker::new(&self.memory)))?;
        }
        for worker in self.workers.iter_mut() {
            let worker = worker.get_mut().unwrap_or_else(PoisonError::into_inner);
            worker.clear();
            worker.scratch.level = level;
        }
        Ok(())
    }

    /// Lists the objects that have boxes, if that is not known from the last step.
    fn list_living(&mut self) -> Result<(), MemoryError> {
        if self.listed == Some(self.objects.changes()) {
            return Ok(());
        }
        self.listed = None;
        self.living.clear();
        self.ids.clear();
        self.living.reserve_exact(self.objects.len())?;
        self.ids.reserve_exact(self.objects.len())?;
        for place in 0..self.objects.place_count() {
            let Some(object) = self.objects.get(place) else { continue };
            // Meshes without triangles have no box.
            let has_box = !matches!(object.shape, super::shapes::Shape::Mesh { tree } if self.objects.trees[tree].bounds.is_none());
            if has_box {
                self.living.push(place as u32)?;
                self.ids.push(object.id)?;
            }
        }
        self.listed = Some(self.objects.changes());
        Ok(())
    }

    /// Brings what the workers have found into order, and makes it the results. On an error these stay as they were.
    fn order(&mut self) -> Result<[u64; 3], MemoryError> {
        let Pipeline { order, workers, living, ids, results, next_results, .. } = self;
        let touches = order.sort(workers, living.len())?;
        let counts = next_results.follow(results, touches.len(), &mut |number, points| {
            let touch = touches[number];
            let numbers = [(touch.key >> 32) as usize, touch.key as u32 as usize];
            let (places, ids) = (numbers.map(|number| living[number]), numbers.map(|number| ids[number]));
            let found = workers[touch.worker as usize].get_mut().unwrap_or_else(PoisonError::into_inner);
            let first = touch.first_point as usize;
            points.append(&found.points[first..first + touch.point_count as usize])?;
            Ok((u64::from(places[0]) << 32 | u64::from(places[1]), ids, touch.toi))
        })?;
        std::mem::swap(results, next_results);
        Ok(counts)
    }

    /// Of the last step that was completed.
    pub fn results(&self) -> &Results {
        &self.results
    }

    pub fn stats(&self) -> &PipelineStats {
        &self.stats
    }

    /// What the workers of the last step did, if that was recorded.
    pub fn records(&mut self) -> impl Iterator<Item = (usize, &TaskRecord)> {
        self.workers.iter_mut().enumerate().flat_map(|(number, worker)| {
            let worker = worker.get_mut().unwrap_or_else(PoisonError::into_inner);
            worker.records.iter().map(move |record| (number, record))
        })
    }
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
