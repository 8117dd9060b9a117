//! Every contact of the meshes in a hierarchy.

use super::contacts::{self, Contact};
use super::run::{Run, SchedulerKind};
use super::stats::{QueryStats, WorkerStats};
use crate::bvh::{Bvh, Culling};
use crate::elementary::Settings;
use crate::memory::{Buffer, Memory, MemoryError, Owned};
use crate::mesh::Mesh;
use crate::schedule::{Crew, OpenRun, UnitRecord};
use crate::simd::Level;

/// What is wanted of the contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Every contact.
    All,
    /// Only the first one in time; of several, the first in sorted order.
    Earliest,
    /// Pairs whose moving boxes meet and that the filter in floats leaves, without elementary tests.
    Candidates,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuerySettings {
    pub within_meshes: bool,
    pub between_meshes: bool,
    pub mode: Mode,
    pub elementary: Settings,
    /// Most contacts that are kept.
    pub capacity: usize,
    /// How parts of meshes are excluded from tests with themselves.
    pub culling: Culling,
}

impl Default for QuerySettings {
    fn default() -> QuerySettings {
        QuerySettings {
            within_meshes: true,
            between_meshes: true,
            mode: Mode::All,
            elementary: Settings::default(),
            capacity: usize::MAX,
            culling: Culling::None,
        }
    }
}

/// How a run came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Complete,
    /// Somebody ended it: there are no results.
    Cancelled,
}

/// What to look for, and afterwards what was found.
pub struct MeshQuery {
    pub settings: QuerySettings,
    /// Whether units of work are recorded.
    pub is_recording: bool,
    run: Option<Owned<Run>>,
    /// Ids of the meshes of the last run, sorted.
    ids: Buffer<u64>,
    stats: QueryStats,
    memory: Memory,
}

impl MeshQuery {
    pub fn new(memory: &Memory, settings: QuerySettings) -> MeshQuery {
        MeshQuery {
            settings,
            is_recording: false,
            run: None,
            ids: Buffer::new(memory.clone()),
            stats: QueryStats::default(),
            memory: memory.clone(),
        }
    }

    /// Updates the hierarchy, then finds the contacts, with all workers of a crew. On an error the results are empty.
    pub fn run<'a>(
        &mut self,
        crew: &Crew,
        scheduler: SchedulerKind,
        level: Level,
        bvh: &mut Bvh,
        mesh_of: &dyn Fn(u64) -> &'a Mesh,
    ) -> Result<Outcome, MemoryError> {
        let worker_count = crew.worker_count();
        // SAFETY: they are borrowed until the end of this function, and so of the run.
        let run = unsafe { self.begin(worker_count, scheduler, level, bvh, mesh_of) }?;
        crew.run(worker_count, &|worker| run.participate(worker));
        self.end(bvh, mesh_of)
    }

    /// Opens a run, in which threads then take part; [`end`](MeshQuery::end) ends it.
    ///
    /// # Safety
    ///
    /// Until then the hierarchy and its meshes stay where they are, and nobody else uses them, nor this query.
    pub unsafe fn begin<'a>(
        &mut self,
        worker_count: usize,
        scheduler: SchedulerKind,
        level: Level,
        bvh: &mut Bvh,
        mesh_of: &dyn Fn(u64) -> &'a Mesh,
    ) -> Result<&Run, MemoryError> {
        self.ids.clear();
        self.stats = QueryStats::default();
        for body in bvh.bodies() {
            self.ids.push(body.id)?;
        }
        let (settings, is_recording) = (self.settings, self.is_recording);
        let run = self.run_of(worker_count, scheduler)?;
        // SAFETY: promised by the caller.
        unsafe { run.prepare(level, &settings, bvh, mesh_of, is_recording) }?;
        Ok(run)
    }

    /// The last run if it was one of so many workers, or a new one.
    fn run_of(&mut self, worker_count: usize, scheduler: SchedulerKind) -> Result<&mut Run, MemoryError> {
        let fits = |run: &Owned<Run>| run.worker_count() == worker_count && run.kind() == scheduler;
        if !self.run.as_ref().is_some_and(fits) {
            self.run = None;
            let run = Run::new(&self.memory, scheduler, worker_count)?;
            self.run = Some(Owned::new(self.memory.clone(), run)?);
        }
        Ok(self.run.as_mut().expect("just made"))
    }

    /// Makes room for so many contacts, so that runs of so many workers which find no more need no memory for them. There are no results then.
    pub fn reserve(
        &mut self,
        worker_count: usize,
        scheduler: SchedulerKind,
        contact_count: usize,
    ) -> Result<(), MemoryError> {
        self.ids.clear();
        self.stats = QueryStats::default();
        let settings = self.settings;
        self.run_of(worker_count, scheduler)?.reserve(&settings, contact_count)
    }

    /// Takes over what came out of a run that all threads have left.
    pub fn end<'a>(&mut self, bvh: &Bvh, mesh_of: &dyn Fn(u64) -> &'a Mesh) -> Result<Outcome, MemoryError> {
        let Some(run) = &mut self.run else { return Ok(Outcome::Complete) };
        run.results()?;
        self.stats = run.stats();
        let QueryStats { ms_traverse, ms_elementary, ms_total, .. } = self.stats;
        bvh.note_run((ms_traverse + ms_elementary) * 1e-3, ms_total * 1e-3);
        let mut bytes = bvh.bytes();
        for body in bvh.bodies() {
            self.stats.triangle_count += body.triangle_count() as u64;
            bytes += mesh_of(body.id).bytes();
        }
        self.stats.state_bytes = bytes as u64;
        Ok(if run.is_cancelled() { Outcome::Cancelled } else { Outcome::Complete })
    }

    /// The run that was begun last.
    pub fn current(&self) -> Option<&Run> {
        self.run.as_deref()
    }

    /// Sorted by meshes, kind, vertices and triangles; at most `capacity`.
    pub fn contacts(&self) -> &[Contact] {
        self.run.as_ref().map_or(&[], |run| run.contacts())
    }

    /// Of all contacts kept, with the rank of the meshes instead of their ids.
    pub fn hash(&self) -> u64 {
        let rank_of = |id: u64| self.ids.binary_search(&id).unwrap_or(usize::MAX) as u64;
        contacts::hash(self.contacts(), &rank_of)
    }

    pub fn stats(&self) -> &QueryStats {
        &self.stats
    }

    /// What a worker did in the last run.
    pub fn worker_stats(&self, worker: usize) -> Option<WorkerStats> {
        self.run.as_ref().filter(|run| worker < run.worker_count()).map(|run| run.worker_stats(worker))
    }

    /// The units of work of the last run, if it was recorded, worker by worker.
    pub fn records(&self) -> impl Iterator<Item = &UnitRecord> {
        let run = self.run.iter();
        run.flat_map(|run| (0..run.worker_count()).flat_map(|worker| run.records(worker)))
    }
}
