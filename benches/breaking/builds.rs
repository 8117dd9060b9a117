//! Builds by medians and by a grid: what they take, on one thread and on two, and what the trees are like.

use super::models;
use pccd::bvh::{Bvh, BvhSettings, Tree, Workspace};
use pccd::detect::{MeshQuery, QuerySettings, SchedulerKind};
use pccd::memory::Memory;
use pccd::schedule::{Crew, Pool};
use pccd::simd::Level;
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::time::Instant;

const ROUNDS: usize = 10;

/// The median of some rounds, in milliseconds.
fn time(mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let began = Instant::now();
            work();
            1e3 * began.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[ROUNDS / 2]
}

fn crew(threads: usize) -> Crew {
    let threads = NonZeroUsize::new(threads).expect("at least one thread");
    Crew::Pool(Pool::new(threads).expect("the system has threads"))
}

/// Everything but sorting takes as long as a build of an order that is known.
pub fn table(count: usize, limits: &[usize]) -> String {
    let mut text = String::from(
        "| model | triangles | way | all but sorting ms | build ms | on two threads ms | tests | run ms |\n|---|---:|---|---:|---:|---:|---:|---:|\n",
    );
    let memory = Memory::new(None).expect("the system has memory");
    for model in models::all(count) {
        let mesh = models::mesh(&memory, &model);
        for &grid_limit in limits {
            let settings =
                BvhSettings { volume_ratio: 0.0, rebuild_quality: 0.0, grid_limit, ..BvhSettings::DEFAULT };
            let mut bvh = Bvh::new(&memory, Level::best(), settings);
            let [one, two] = [1, 2].map(|threads| {
                let crew = crew(threads);
                time(|| {
                    bvh.remove(1);
                    bvh.add_on(Some(&crew), 1, &mesh).expect("the system has memory");
                })
            });
            let order: Vec<u32> = bvh.bodies()[0].tree.order().collect();
            let mut workspace = Workspace::new(&memory);
            let given = time(|| {
                Tree::from_order(&memory, Level::best(), &mesh, &order, &mut workspace)
                    .expect("the system has memory");
            });
            let mut query = MeshQuery::new(&memory, QuerySettings::default());
            let crew = crew(1);
            let run = time(|| {
                query
                    .run(&crew, SchedulerKind::Assignment, Level::best(), &mut bvh, &|_| &mesh)
                    .expect("the system has memory");
            });
            let way = if grid_limit == 0 { "medians".into() } else { format!("grid, G = {grid_limit}") };
            writeln!(
                text,
                "| {} | {} | {way} | {given:.2} | {one:.2} | {two:.2} | {} | {run:.2} |",
                model.name,
                model.triangles.len(),
                query.stats().node_pairs
            )
            .expect("a string takes everything");
        }
    }
    text
}
