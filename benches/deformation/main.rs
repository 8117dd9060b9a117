//! Drastic deformation: a sheet that is wrung and folded over 200 frames, with a hierarchy that is refitted only, rebuilt lazily where it
//! is visited and bad (PCCD paper, section 6.2), or rebuilt as a whole in every frame.
//!
//! ```text
//! cargo bench --bench deformation -- [--triangles 20000] [--frames 200] [--passes 3] [--write-docs]
//! ```
//! One thread. The time of a frame is that of updating the hierarchy and finding all contacts, the fastest of all passes; passes of the three
//! ways alternate. The contacts must be the same, bit for bit. `--write-docs` writes `docs/deformation.md` and `.svg`.

mod arguments;
mod docs;
mod machine;
mod plot;
mod sheet;

use arguments::Arguments;
use pccd::bvh::{Bvh, BvhSettings};
use pccd::detect::{MeshQuery, QuerySettings, SchedulerKind};
use pccd::memory::{Memory, MemoryError};
use pccd::mesh::{Mesh, MeshSettings};
use pccd::schedule::{Crew, Pool};
use pccd::simd::Level;
use sheet::{Point, Sheet};
use std::error::Error;
use std::num::NonZeroUsize;
use std::time::Instant;

/// What happens to the hierarchy when the sheet has moved.
pub struct Way {
    pub name: &'static str,
    settings: BvhSettings,
}

const WAYS: [Way; 3] = [
    Way {
        name: "refit only",
        settings: BvhSettings { rebuild_quality: 0.0, volume_ratio: 0.0, ..BvhSettings::DEFAULT },
    },
    Way {
        name: "lazy rebuilds",
        settings: BvhSettings { rebuild_quality: 0.0, volume_ratio: 0.9, ..BvhSettings::DEFAULT },
    },
    // No tree is that good: each is built anew at every update.
    Way {
        name: "full rebuild every frame",
        settings: BvhSettings { rebuild_quality: f64::INFINITY, volume_ratio: 0.0, ..BvhSettings::DEFAULT },
    },
];

/// What is measured.
pub struct Plan {
    pub triangle_count: usize,
    pub frame_count: usize,
    pub pass_count: usize,
}

/// What came out, for one way.
#[derive(Clone, Default)]
pub struct Result {
    /// Milliseconds of each frame, the fastest of all passes.
    pub frames: Vec<f64>,
    pub hashes: Vec<u64>,
    pub contact_count: u64,
    pub tree_rebuild_count: u64,
    pub node_rebuild_count: u64,
}

impl Result {
    pub fn total(&self) -> f64 {
        self.frames.iter().sum()
    }

    pub fn mean(&self) -> f64 {
        self.total() / self.frames.len().max(1) as f64
    }

    pub fn worst(&self) -> f64 {
        self.frames.iter().copied().fold(0.0, f64::max)
    }

    /// Takes over another pass.
    fn merge(&mut self, pass: Result) {
        if self.frames.is_empty() {
            *self = pass;
            return;
        }
        assert_eq!(self.hashes, pass.hashes, "the contacts are the same in every pass");
        for (best, time) in self.frames.iter_mut().zip(pass.frames) {
            *best = best.min(time);
        }
    }
}

fn main() -> std::result::Result<(), Box<dyn Error>> {
    let arguments = Arguments::new();
    let (has, value) = (|name| arguments.has(name), |name, default| arguments.value(name, default));
    // Without `--bench` this is a test of the benchmark itself.
    let [triangles, frames, passes] = if has("--bench") { [20_000, 200, 3] } else { [1_000, 20, 1] };
    let plan = Plan {
        triangle_count: value("--triangles", triangles)?,
        frame_count: value("--frames", frames)?,
        pass_count: value("--passes", passes)?,
    };
    let results = measure(&plan).map_err(|error| format!("no memory: {error}"))?;
    for result in &results[1..] {
        assert_eq!(results[0].hashes, result.hashes, "the contacts do not depend on the hierarchy");
    }
    println!("{}", docs::table(&results));
    if has("--write-docs") {
        docs::write(&plan, &results)?;
    }
    Ok(())
}

fn measure(plan: &Plan) -> std::result::Result<[Result; 3], MemoryError> {
    let sheet = Sheet::new(plan.triangle_count);
    let times = (0..=plan.frame_count).map(|frame| frame as f64 / plan.frame_count as f64);
    let positions: Vec<Vec<Point>> = times.map(|time| sheet.at(time)).collect();
    let mut results: [Result; 3] = Default::default();
    for _ in 0..plan.pass_count {
        for (way, result) in WAYS.iter().zip(&mut results) {
            result.merge(run(way, &sheet, &positions)?);
        }
    }
    Ok(results)
}

/// One pass over all frames, with a hierarchy that was built for the flat sheet.
fn run(way: &Way, sheet: &Sheet, positions: &[Vec<Point>]) -> std::result::Result<Result, MemoryError> {
    let memory = Memory::new(None)?;
    let settings = MeshSettings { thickness: 0.0, category: 1, mask: u64::MAX, self_collision: true };
    let flat = &positions[0];
    let triangles = &sheet.triangles;
    let mut mesh =
        Mesh::new(&memory, settings, flat.len(), &|i| flat[i], triangles.len(), &|i| triangles[i])?;
    let mut bvh = Bvh::new(&memory, Level::best(), way.settings);
    bvh.add(1, &mesh)?;
    let mut query = MeshQuery::new(&memory, QuerySettings::default());
    let crew = Crew::Pool(Pool::new(NonZeroUsize::MIN).expect("one worker needs no thread"));
    let mut result = Result::default();
    for motion in positions.windows(2) {
        mesh.set_motion(&|i| motion[0][i], &|i| motion[1][i]);
        let begin = Instant::now();
        query.run(&crew, SchedulerKind::Assignment, Level::best(), &mut bvh, &|_| &mesh)?;
        result.frames.push(1e3 * begin.elapsed().as_secs_f64());
        result.hashes.push(query.hash());
        result.contact_count += query.contacts().len() as u64;
    }
    let info = bvh.info();
    (result.tree_rebuild_count, result.node_rebuild_count) = (info.rebuild_count, info.node_rebuild_count);
    Ok(result)
}
