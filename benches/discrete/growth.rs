//! Times over numbers of triangles: random spheres of 1,280 triangles each, with as much room for each whatever their number. So k does not change, and neither does how many pairs a
//! triangle is in.

use super::{crew, mesh_of, models};
use pccd::bvh::{Bvh, BvhSettings};
use pccd::kdet::{DiscreteQuery, DiscreteSettings, DiscreteStats, Method};
use pccd::memory::{Memory, MemoryError};
use pccd::mesh::Mesh;
use pccd::schedule::Crew;
use pccd::simd::Level;
use std::time::Instant;

/// Numbers of spheres: 10K to 1M triangles.
const SPHERES: [usize; 7] = [8, 16, 40, 80, 160, 400, 800];
const DIVISIONS: usize = 3;

/// Milliseconds of the fastest run.
#[derive(Clone, Copy, Default)]
pub struct Times {
    /// The grid is populated, or the hierarchy refitted or built.
    pub update: f64,
    pub find: f64,
    pub sort: f64,
    pub total: f64,
}

impl Times {
    fn of(stats: &DiscreteStats) -> Times {
        let DiscreteStats { ms_update, ms_find, ms_sort, ms_total, .. } = *stats;
        Times { update: ms_update, find: ms_find, sort: ms_sort, total: ms_total }
    }

    fn keep_faster(&mut self, other: Times) {
        if self.total == 0.0 || other.total < self.total {
            *self = other;
        }
    }
}

/// What was measured at one size. Pairs of times are with one thread and with two.
pub struct Row {
    pub triangles: usize,
    pub pairs: usize,
    pub grid: [Times; 2],
    pub refitted: [Times; 2],
    /// One thread builds.
    pub built: [Times; 2],
}

impl Row {
    /// Nanoseconds a triangle, by grid, refitted, built; with one thread (0) or two (1).
    pub fn nanoseconds(&self, threads: usize) -> [f64; 3] {
        [self.grid, self.refitted, self.built].map(|times| 1e6 * times[threads].total / self.triangles as f64)
    }
}

pub fn measure(most: usize, repeat: usize) -> Result<Vec<Row>, MemoryError> {
    let triangles_of = |spheres: usize| spheres * 20 * 4usize.pow(DIVISIONS as u32);
    let sizes = SPHERES.into_iter().filter(|&spheres| triangles_of(spheres) <= most + most / 20);
    sizes.map(|spheres| Row::measure(spheres, repeat)).collect()
}

/// What is measured with, for one method and number of threads.
struct Measuring {
    crew: Crew,
    query: DiscreteQuery,
    bvh: Bvh,
    is_built: bool,
    best: Times,
    hashes: [u64; 2],
}

impl Measuring {
    fn new(memory: &Memory, method: Method, is_built: bool, workers: usize) -> Measuring {
        Measuring {
            crew: crew(workers),
            query: DiscreteQuery::new(memory, DiscreteSettings { method, ..DiscreteSettings::default() }),
            bvh: Bvh::new(memory, Level::best(), BvhSettings::default()),
            is_built,
            best: Times::default(),
            hashes: [0; 2],
        }
    }

    fn run(&mut self, mesh: &Mesh, frame: usize) -> Result<(), MemoryError> {
        let begin = Instant::now();
        let has_tree = self.query.settings.method == Method::Bvh;
        if has_tree && (self.is_built || frame == 0) {
            self.bvh.remove(1);
            self.bvh.add(1, mesh)?;
        }
        let built = 1e3 * begin.elapsed().as_secs_f64();
        let bvh = if has_tree { Some(&mut self.bvh) } else { None };
        self.query.run(&self.crew, Level::best(), [(1, mesh)].into_iter(), bvh)?;
        let mut times = Times::of(self.query.stats());
        if self.is_built {
            times.update += built;
            times.total += built;
        }
        // The first two frames make room.
        if frame > 1 {
            self.best.keep_faster(times);
        }
        self.hashes[frame % 2] = self.query.hash();
        Ok(())
    }
}

impl Row {
    fn measure(spheres: usize, repeat: usize) -> Result<Row, MemoryError> {
        let memory = Memory::new(None)?;
        let model = models::spheres(spheres, DIVISIONS);
        // Two frames in turn: a wave goes through all of them.
        let wave = |[x, y, z]: models::Point| [x + 0.05 * (3.0 * y).sin(), y + 0.05 * (3.0 * z).sin(), z];
        let frames = [model.points.clone(), model.points.iter().map(|&point| wave(point)).collect()];
        let mut mesh = mesh_of(&memory, &model)?;
        let ways = [(Method::Grid, false), (Method::Bvh, false), (Method::Bvh, true)];
        let mut all: Vec<Measuring> = ways
            .into_iter()
            .flat_map(|way| [1, 2].map(|workers| (way, workers)))
            .map(|((method, is_built), workers)| Measuring::new(&memory, method, is_built, workers))
            .collect();
        // They take turns, so that a busy neighbour meets them all.
        for frame in 0..2 + 2 * repeat {
            mesh.move_to(&|i| frames[frame % 2][i]);
            all.iter_mut().try_for_each(|measuring| measuring.run(&mesh, frame))?;
        }
        assert!(all.iter().all(|it| it.hashes == all[0].hashes), "pairs depend on the method");
        let best = |first: usize| [all[first].best, all[first + 1].best];
        Ok(Row {
            triangles: model.triangles.len(),
            pairs: all[0].query.intersections().len(),
            grid: best(0),
            refitted: best(2),
            built: best(4),
        })
    }
}
