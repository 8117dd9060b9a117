//! Real runs: the units of a scene as they would be dealt to any number of workers, each done by one thread and timed.
//!
//! What a run consists of depends on the number of its workers: the front of section 4.2, the pairs of high-level nodes, the parts of refit and
//! sorting. So a run is opened for as many workers as there are to be cores, and one thread does all of it: nobody disturbs it, nobody
//! asks it for work, and every unit is as long as it is. Several runs are made and the shortest time of each unit is kept.

use super::scenes::{Point, Scene};
use super::work::Recording;
use pccd::bvh::{Bvh, BvhSettings};
use pccd::detect::{MeshQuery, QuerySettings, QueryStats, SchedulerKind};
use pccd::memory::Memory;
use pccd::mesh::{Mesh, MeshSettings};
use pccd::schedule::{Crew, OpenRun, Pool, UnitRecord};
use pccd::simd::Level;
use std::error::Error;
use std::num::NonZeroUsize;
use std::time::Instant;

/// A unit looks at who wants work after so many node pairs (`PATIENCE` of `src/detect/detection.rs`), and whenever a list of candidates is full (`CAPACITY` of
/// `candidates.rs`).
const PATIENCE: f64 = 512.0;
const CAPACITY: f64 = 2048.0;

/// The steps of a scene with a plan for some number of workers.
pub struct Recorded {
    pub worker_count: usize,
    /// One for each step that counts.
    pub steps: Vec<Recording>,
}

/// How long a unit works before it looks whether it should be split, in nanoseconds: on average.
pub fn granule(stats: &[QueryStats]) -> Option<u64> {
    let sum = |of: fn(&QueryStats) -> f64| stats.iter().map(of).sum::<f64>();
    let candidates = sum(|stats| (stats.candidates_vf + stats.candidates_ee) as f64);
    // Of three lists, the first one that is full counts.
    let looks = sum(|stats| stats.node_pairs as f64) / PATIENCE + candidates / (3.0 * CAPACITY);
    let time = 1e6 * sum(|stats| stats.ms_traverse + stats.ms_elementary);
    (looks >= 1.0).then(|| (time / looks) as u64)
}

/// The mesh of a scene, its hierarchy, and queries over it.
struct Stage<'a> {
    scene: &'a Scene,
    mesh: Mesh,
    bvh: Bvh,
    memory: Memory,
}

impl<'a> Stage<'a> {
    fn new(scene: &'a Scene) -> Result<Stage<'a>, Box<dyn Error>> {
        let memory = Memory::new(None).map_err(|error| format!("no memory: {error}"))?;
        let settings = MeshSettings { thickness: 0.0, category: 1, mask: u64::MAX, self_collision: true };
        let Scene { triangles, frames, .. } = scene;
        let (start, end): (&[Point], &[Point]) = (&frames[0], &frames[1]);
        let mut mesh =
            Mesh::new(&memory, settings, start.len(), &|i| start[i], triangles.len(), &|i| triangles[i])
                .map_err(|error| format!("no memory: {error}"))?;
        mesh.set_motion(&|i| start[i], &|i| end[i]);
        let mut bvh = Bvh::new(&memory, Level::best(), BvhSettings::default());
        bvh.add(1, &mesh).map_err(|error| format!("no memory: {error}"))?;
        Ok(Stage { scene, mesh, bvh, memory })
    }

    /// As if the mesh had just moved: boxes are refitted.
    fn move_to_step(&mut self, step: usize) {
        let (start, end) = (&self.scene.frames[step], &self.scene.frames[step + 1]);
        self.mesh.set_motion(&|i| start[i], &|i| end[i]);
    }

    fn query(&self) -> MeshQuery {
        MeshQuery::new(&self.memory, QuerySettings::default())
    }

    /// One thread does the work of all.
    fn run_alone(&mut self, query: &mut MeshQuery, worker_count: usize) -> Result<(), String> {
        let Stage { mesh, bvh, .. } = self;
        let mesh_of = |_| &*mesh;
        // SAFETY: nobody touches them until `end`.
        let run =
            unsafe { query.begin(worker_count, SchedulerKind::Assignment, Level::best(), bvh, &mesh_of) };
        let is_whole = run.map_err(|error| format!("no memory: {error}"))?.finish();
        assert!(is_whole, "nobody panics");
        query.end(bvh, &mesh_of).map_err(|error| format!("no memory: {error}"))?;
        Ok(())
    }

    fn run(&mut self, query: &mut MeshQuery, crew: &Crew) -> Result<f64, String> {
        let Stage { mesh, bvh, .. } = self;
        let begin = Instant::now();
        query
            .run(crew, SchedulerKind::Assignment, Level::best(), bvh, &|_| &*mesh)
            .map_err(|error| format!("no memory: {error}"))?;
        Ok(begin.elapsed().as_secs_f64() * 1e3)
    }
}

/// Records a scene for some numbers of workers. The shortest of `repeats` times is taken of each unit; they are made in turn, so that all have the same luck.
pub fn record(
    scene: &Scene,
    counts: &[usize],
    repeats: usize,
) -> Result<(Vec<Recorded>, Vec<QueryStats>), Box<dyn Error>> {
    let mut recorded: Vec<Recorded> = Vec::new();
    let mut stats = Vec::new();
    for (place, &worker_count) in (0..repeats.max(1)).flat_map(|_| counts.iter().enumerate()) {
        let mut stage = Stage::new(scene)?;
        let mut query = stage.query();
        let mut steps = Vec::new();
        let last = scene.frames.len() - 2;
        for step in 0..=last {
            stage.move_to_step(step);
            // The first time buffers grow. A step that changes the hierarchy can be made only once.
            if step == last && scene.is_still {
                stage.run_alone(&mut query, worker_count)?;
                stage.move_to_step(step);
            }
            query.is_recording = step >= scene.first_step;
            stage.run_alone(&mut query, worker_count)?;
            if query.is_recording {
                let records: Vec<UnitRecord> = query.records().copied().collect();
                steps.push(Recording::new(&records)?);
                stats.push(*query.stats());
            }
        }
        match recorded.get_mut(place) {
            None => recorded.push(Recorded { worker_count, steps }),
            Some(recorded) => {
                recorded.steps.iter_mut().zip(steps).for_each(|(best, step)| best.keep_shortest(step));
            }
        }
    }
    Ok((recorded, stats))
}

/// Times of whole steps with one and with two threads, in turn: rows of threads and milliseconds. Nothing is recorded meanwhile.
pub fn measure(scene: &Scene, rounds: usize) -> Result<Vec<(u32, f64)>, Box<dyn Error>> {
    let crews = [1, 2].map(|count| Pool::new(NonZeroUsize::new(count).expect("not zero")).map(Crew::Pool));
    let [Ok(one), Ok(two)] = crews else { return Err("the system refuses a thread".into()) };
    let mut times = Vec::new();
    if scene.is_still {
        // The same step again and again, in one hierarchy.
        let mut stage = Stage::new(scene)?;
        let mut queries = [stage.query(), stage.query()];
        for round in 0..rounds + 2 {
            for (threads, crew) in [(1, &one), (2, &two)] {
                stage.move_to_step(0);
                let time = stage.run(&mut queries[threads as usize - 1], crew)?;
                if round >= 2 {
                    times.push((threads, time));
                }
            }
        }
        return Ok(times);
    }
    // A step changes the hierarchy: two of them, which go through all steps side by side.
    for _ in 0..rounds {
        let mut stages = [Stage::new(scene)?, Stage::new(scene)?];
        let mut queries = [stages[0].query(), stages[1].query()];
        let mut sums = [0.0; 2];
        for step in 0..scene.frames.len() - 1 {
            for (place, crew) in [&one, &two].into_iter().enumerate() {
                stages[place].move_to_step(step);
                let time = stages[place].run(&mut queries[place], crew)?;
                sums[place] += if step >= scene.first_step { time } else { 0.0 };
            }
        }
        times.extend([(1, sums[0]), (2, sums[1])]);
    }
    Ok(times)
}
