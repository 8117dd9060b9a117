//! One thread, both phases one after the other on two, and both at once on two: the same steps in turn.

use super::scenes::Scene;
use super::world::{Detector, MARGIN, World};
use pccd::pipeline::{Mode, PipelineSettings};
use std::time::Instant;

/// A way to make a step.
pub const WAYS: [(&str, Mode, usize); 3] = [
    ("one thread", Mode::Sequential, 1),
    ("sequential", Mode::Sequential, 2),
    ("simultaneous", Mode::Simultaneous, 2),
];

/// Repetitions of a step, of which the fastest counts: so many, and more of short ones, until they have taken so long. Waking a thread takes as long as a tenth of the shortest, or sometimes all of it.
const REPEATS: usize = 7;
const MOST_REPEATS: usize = 100;
const LONG: f64 = 100.0;

/// Of some steps of a scene, in milliseconds: sums of the fastest times.
#[derive(Default)]
pub struct Compared {
    pub steps: usize,
    pub candidates: u64,
    pub pairs: u64,
    pub points: u64,
    /// The whole step by way.
    pub total: [f64; 3],
    /// Of the one thread: boxes and their order, both phases, and the results in order.
    pub parts: [f64; 4],
    /// Each sampled step: how much faster simultaneous is than sequential.
    pub ratios: Vec<f64>,
}

/// Simulates the scene and measures one step of so many.
pub fn compare(scene: &Scene, step_count: usize, every: usize) -> Compared {
    let mut detectors = WAYS.map(|(_, mode, threads)| {
        let settings = PipelineSettings { margin: MARGIN, mode, ..PipelineSettings::default() };
        Detector::new(scene, settings, threads)
    });
    let mut world = World::new(scene);
    let mut compared = Compared::default();
    for step in 0..step_count {
        world.step(&detectors[2].pipeline);
        let is_measured = step % every == every - 1;
        let mut best = [f64::INFINITY; 3];
        let mut taken = 0.0;
        for repeat in 0..if is_measured { MOST_REPEATS } else { 1 } {
            if repeat >= REPEATS && taken > LONG {
                break;
            }
            let mut hash = None;
            for (way, detector) in detectors.iter_mut().enumerate() {
                // The fastest one goes on with the simulation.
                if !is_measured && way < 2 {
                    continue;
                }
                detector.place(&world.bodies);
                let start = Instant::now();
                detector.step();
                let time = 1e3 * start.elapsed().as_secs_f64();
                // Of the first step some pairs may be new in one and old in another.
                if repeat > 0 {
                    let now = detector.pipeline.results().hash();
                    assert_eq!(*hash.get_or_insert(now), now, "the results depend on threads");
                }
                best[way] = best[way].min(time);
                taken += time;
            }
        }
        if is_measured {
            let stats = *detectors[0].pipeline.stats();
            compared.steps += 1;
            compared.candidates += stats.candidates;
            compared.pairs += stats.begun + stats.kept;
            compared.points += stats.points;
            for (sum, time) in compared.total.iter_mut().zip(best) {
                *sum += time;
            }
            for (sum, time) in compared.parts.iter_mut().zip([
                stats.ms_boxes,
                stats.ms_broad,
                stats.ms_narrow,
                stats.ms_order,
            ]) {
                *sum += time;
            }
            compared.ratios.push(best[1] / best[2]);
        }
    }
    compared
}
