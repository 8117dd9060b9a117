//! Every pair of intersecting triangles of some meshes at t = 1.

use super::intersections::{self, Intersection};
use super::run::Run;
use super::stats::{DiscreteSettings, DiscreteStats};
use crate::bvh::Bvh;
use crate::memory::{Buffer, Memory, MemoryError, Owned};
use crate::mesh::Mesh;
use crate::schedule::{Crew, OpenRun};
use crate::simd::Level;

/// What to look for, and afterwards what was found.
pub struct DiscreteQuery {
    pub settings: DiscreteSettings,
    run: Option<Owned<Run>>,
    /// Ids of the meshes of the last run, sorted.
    ids: Buffer<u64>,
    stats: DiscreteStats,
    memory: Memory,
}

impl DiscreteQuery {
    pub fn new(memory: &Memory, settings: DiscreteSettings) -> DiscreteQuery {
        DiscreteQuery {
            settings,
            run: None,
            ids: Buffer::new(memory.clone()),
            stats: DiscreteStats::default(),
            memory: memory.clone(),
        }
    }

    /// Finds the intersections of meshes, whose ids ascend and which are those of `bvh` if there is one, with all workers of a crew. False when the run was cancelled.
    pub fn run<'a>(
        &mut self,
        crew: &Crew,
        level: Level,
        meshes: impl Iterator<Item = (u64, &'a Mesh)>,
        bvh: Option<&mut Bvh>,
    ) -> Result<bool, MemoryError> {
        let worker_count = crew.worker_count();
        // SAFETY: they are borrowed until the end of this function, and so of the run.
        let run = unsafe { self.begin(worker_count, level, meshes, bvh) }?;
        crew.run(worker_count, &|worker| run.participate(worker));
        self.end()
    }

    /// Opens a run, in which threads then take part; [`end`](DiscreteQuery::end) ends it.
    ///
    /// # Safety
    ///
    /// Until then the hierarchy and the meshes stay where they are, and nobody else uses them, nor this query.
    pub unsafe fn begin<'a>(
        &mut self,
        worker_count: usize,
        level: Level,
        meshes: impl Iterator<Item = (u64, &'a Mesh)>,
        bvh: Option<&mut Bvh>,
    ) -> Result<&Run, MemoryError> {
        self.ids.clear();
        self.stats = DiscreteStats::default();
        if self.run.as_ref().is_none_or(|run| run.worker_count() != worker_count) {
            self.run = None;
            let run = Run::new(&self.memory, worker_count)?;
            self.run = Some(Owned::new(self.memory.clone(), run)?);
        }
        let run = self.run.as_mut().expect("just made");
        let ids = &mut self.ids;
        let mut refused = Ok(());
        let meshes = meshes.inspect(|&(id, _)| {
            if refused.is_ok() {
                refused = ids.push(id);
            }
        });
        // SAFETY: promised by the caller.
        unsafe { run.prepare(level, &self.settings, meshes, bvh) }?;
        refused?;
        Ok(run)
    }

    /// Takes over what came out of a run that all threads have left. False when it was cancelled.
    pub fn end(&mut self) -> Result<bool, MemoryError> {
        let Some(run) = &mut self.run else { return Ok(true) };
        let results = run.results();
        self.stats = run.stats();
        results?;
        Ok(!run.is_cancelled())
    }

    /// The run that was begun last.
    pub fn current(&self) -> Option<&Run> {
        self.run.as_deref()
    }

    /// Sorted by mesh, triangle, mesh, triangle; at most `capacity`.
    pub fn intersections(&self) -> &[Intersection] {
        self.run.as_ref().map_or(&[], |run| run.intersections())
    }

    /// Of all intersections kept, with the rank of the meshes instead of their ids.
    pub fn hash(&self) -> u64 {
        let rank_of = |id: u64| self.ids.binary_search(&id).unwrap_or(usize::MAX) as u64;
        intersections::hash(self.intersections(), &rank_of)
    }

    pub fn stats(&self) -> &DiscreteStats {
        &self.stats
    }
}
