//! `pccd-peer-pipeline [--seconds N] [--every N] [--history N] [SCENE ...]`: the pipeline against parry3d's broad phase and contact manifolds, on the scenes of `benches/pipeline`.
//!
//! The library simulates each scene, for so many seconds; both are given the same transforms, and one step of so many (twenty) is measured, in turn, several times. parry3d gets all steps, or only so many before each that
//! is measured: its manifolds remember the last step, and in scenes of large meshes its steps take most of the time. Prints a table.

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

struct Options {
    /// As long as the scene takes to come to rest if it is not said.
    seconds: Option<usize>,
    every: usize,
    history: usize,
    scenes: Vec<String>,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Options {
        let mut options = Options { seconds: None, every: 20, history: usize::MAX, scenes: Vec::new() };
        while let Some(argument) = arguments.next() {
            let mut number = || {
                let value = arguments.next().unwrap_or_else(|| panic!("{argument} needs a value"));
                let number = value.parse().ok().filter(|&number| number > 0 || argument == "--history");
                number.unwrap_or_else(|| panic!("{argument} needs a number, not {value}"))
            };
            match argument.as_str() {
                "--seconds" => options.seconds = Some(number()),
                "--every" => options.every = number(),
                "--history" => options.history = number(),
                name if scenes::ALL.iter().any(|scene| scene.0 == name) => options.scenes.push(argument),
                _ => panic!("{argument} is neither an option nor a scene"),
            }
        }
        options
    }
}

fn main() {
    let options = Options::parse(std::env::args().skip(1));
    print!("{}", include_str!("../header.md"));
    for (name, count, seconds) in scenes::ALL {
        if options.scenes.is_empty() || options.scenes.iter().any(|wanted| wanted == name) {
            let steps = 60 * options.seconds.unwrap_or(seconds);
            assert!(steps >= options.every, "no step of {name} would be measured");
            println!("{}", compare(&scenes::build(name, count), steps, &options));
        }
    }
}

fn compare(scene: &scenes::Scene, step_count: usize, options: &Options) -> String {
    let settings = PipelineSettings { margin: MARGIN, mode: Mode::Auto, ..PipelineSettings::default() };
    let mut ours = [1, 2].map(|threads| Detector::new(scene, settings, threads));
    let mut peer = Parry::new(scene);
    let mut world = World::new(scene);
    let mut sums = [0.0; 3];
    let mut counts = [0; 4];
    let mut measured = 0;
    for step in 0..step_count {
        world.step(&ours[0].pipeline);
        let left = options.every - 1 - step % options.every;
        let is_measured = left == 0;
        let peer_takes_part = left <= options.history;
        let mut best = [f64::INFINITY; 3];
        for _ in 0..if is_measured { REPEATS } else { 1 } {
            for (way, best) in best.iter_mut().enumerate() {
                // Who remembers something between steps gets steps that are not measured, too.
                if (!is_measured && way == 1) || (way == 2 && !peer_takes_part) {
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
        if peer_takes_part {
            peer.tidy_up();
        }
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
