//! `pccd-peer-pipeline [SCENE ...]`: the pipeline against parry3d's broad phase and contact manifolds, on the scenes of `benches/pipeline`.
//!
//! The library simulates each scene; both are given the same transforms at every step, and every twentieth step is measured, in turn, several times. Prints a table.

#[path = "../../../pipeline/scenes.rs"]
mod scenes;
#[path = "../../../../tests/support/vector.rs"]
mod vector;
#[path = "../../../pipeline/world.rs"]
mod world;

mod parry;

use parry::Parry;
use pccd::pipeline::{Mode, PipelineSettings};
use std::time::Instant;
use world::{Detector, MARGIN, World};

/// Repetitions of a step that is measured, of which the fastest counts.
const REPEATS: usize = 5;
const EVERY: usize = 20;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    print!("{}", include_str!("../header.md"));
    for (name, count, seconds) in scenes::ALL {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            println!("{}", compare(&scenes::build(name, count), 60 * seconds));
        }
    }
}

fn compare(scene: &scenes::Scene, step_count: usize) -> String {
    let settings = PipelineSettings { margin: MARGIN, mode: Mode::Auto, ..PipelineSettings::default() };
    let mut ours = [1, 2].map(|threads| Detector::new(scene, settings, threads));
    let mut peer = Parry::new(scene);
    let mut world = World::new(scene);
    let mut sums = [0.0; 3];
    let mut counts = [0; 4];
    let mut measured = 0;
    for step in 0..step_count {
        world.step(&ours[0].pipeline);
        let is_measured = step % EVERY == EVERY - 1;
        let mut best = [f64::INFINITY; 3];
        for _ in 0..if is_measured { REPEATS } else { 1 } {
            for (way, best) in best.iter_mut().enumerate() {
                // Who remembers something between steps gets every step.
                if !is_measured && way == 1 {
                    continue;
                }
                let start = Instant::now();
                if way < 2 {
                    ours[way].place(&world.bodies);
                    ours[way].step();
                } else {
                    peer.place(&world.bodies);
                    peer.step();
                }
                *best = best.min(1e3 * start.elapsed().as_secs_f64());
            }
        }
        peer.tidy_up();
        if is_measured {
            measured += 1;
            sums.iter_mut().zip(best).for_each(|(sum, time)| *sum += time);
            let stats = ours[0].pipeline.stats();
            let (pairs, points) = peer.counts();
            let now = [stats.begun + stats.kept, pairs, stats.points, points];
            counts.iter_mut().zip(now).for_each(|(sum, count)| *sum += count);
        }
    }
    let [one, two, parry] = sums.map(|sum| sum / f64::from(measured));
    let counts = counts.map(|count| count / u64::from(measured as u32));
    format!(
        "| {} | {} | {one:.2} | {two:.2} | {parry:.2} | {:.1} | {:.1} | {} | {} | {} | {} |",
        scene.name,
        scene.bodies.len(),
        parry / one,
        parry / two,
        counts[0],
        counts[1],
        counts[2],
        counts[3]
    )
}
