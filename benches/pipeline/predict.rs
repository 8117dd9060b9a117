//! What would become of a simulation on eight cores: threads divided in a fixed way between the phases, in every one there is, and as the library's own balance does it (sections 5 and 6.2 of
//! the paper, figures 6 and 7). Tasks are recorded on one core, and handed to simulated ones. All of it is a prediction.

use super::crossing::{Rules, Unit, sequential, simulate};
use super::scenes::Scene;
use super::world::{Detector, MARGIN, World};
use pccd::memory::Memory;
use pccd::pipeline::balance::{Balance, Times};
use pccd::pipeline::worker::{BUFFER, TaskRecord};
use pccd::pipeline::{Method, Mode, PipelineSettings};

pub const CORES: usize = 8;
/// Recordings of a step; of each task the shortest time counts.
const RECORDINGS: usize = 3;

/// Seconds of both phases for each step.
pub struct Prediction {
    pub name: String,
    pub one: Vec<f64>,
    pub sequential: Vec<f64>,
    /// Threads stay with their phase, as in the paper: split 1-7, 2-6 and so on.
    pub fixed: Vec<Vec<f64>>,
    pub dynamic: Vec<f64>,
    /// Who has nothing to do helps: what the library does.
    pub helping: Vec<f64>,
    /// Threads of the broad phase that the balance chose, and that would have been best.
    pub chosen: Vec<usize>,
    pub best: Vec<usize>,
}

/// Bodies with room between them, high above the ground: they fall first.
pub fn lift(scene: &mut Scene) {
    for body in scene.bodies.iter_mut().filter(|body| body.mass > 0.0) {
        let [x, y, z] = body.position.map(|x| 1.35 * x);
        body.position = [x, y + 8.0, z];
    }
}

/// What one thread does, unit by unit. Brute force, as in the paper.
fn record(scene: &Scene, step_count: usize) -> Vec<Vec<Unit>> {
    let settings = PipelineSettings {
        margin: MARGIN,
        method: Method::BruteForce,
        mode: Mode::Simultaneous,
        stay: false,
    };
    let mut detector = Detector::new(scene, settings, 1);
    // Candidates first: so the batches of a unit come right after it.
    detector.pipeline.fix_split(Some([0, 1]));
    detector.pipeline.is_recording = true;
    let mut world = World::new(scene);
    let mut steps = Vec::new();
    for _ in 0..step_count {
        world.step(&detector.pipeline);
        detector.place(&world.bodies);
        let mut units: Vec<Unit> = Vec::new();
        for recording in 0..RECORDINGS {
            detector.step();
            let again = units_of(detector.pipeline.records().map(|(_, task)| *task));
            if recording == 0 {
                units = again;
                continue;
            }
            assert_eq!(units.len(), again.len(), "the tasks are the same");
            for (unit, again) in units.iter_mut().zip(again) {
                unit.broad = unit.broad.min(again.broad);
                assert_eq!(unit.batches.len(), again.batches.len(), "the tasks are the same");
                unit.batches.iter_mut().zip(again.batches).for_each(|(a, b)| *a = a.min(b));
            }
        }
        steps.push(units);
    }
    steps
}

/// Units with the batches that came out of them: those that found the buffer full were done before the unit was, the others right after it, and together they have as many pairs as were found.
fn units_of(tasks: impl Iterator<Item = TaskRecord>) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let (mut early, mut early_pairs) = (Vec::new(), 0);
    let mut missing = 0;
    for task in tasks {
        if task.is_broad {
            units.push(Unit { broad: task.seconds, batches: std::mem::take(&mut early) });
            missing = task.pairs - std::mem::take(&mut early_pairs);
        } else if missing > 0 {
            missing -= task.pairs;
            units.last_mut().expect("something is missing of a unit").batches.push(task.seconds);
        } else {
            early.push(task.seconds);
            early_pairs += task.pairs;
        }
    }
    assert!(missing == 0 && early.is_empty(), "batches come out of units");
    units
}

pub fn predict(scene: &Scene, step_count: usize, wake: f64) -> Prediction {
    let steps = record(scene, step_count);
    let rules = |split: usize, stay: bool| Rules { cores: CORES, split, stay, room: BUFFER, wake };
    let memory = Memory::new(None).expect("the system has memory");
    // The balance is the library's own: it sees what the workers have spent in each phase, and the time of both.
    let balanced = |stay: bool| {
        let mut balance = Balance::new(&memory);
        let mut splits = Vec::new();
        let mut times = Vec::new();
        for (number, units) in steps.iter().enumerate() {
            let split = balance.split(CORES);
            let wall = simulate(units, &rules(split, stay));
            let broad: f64 = units.iter().map(|unit| unit.broad).sum();
            let narrow: f64 = units.iter().flat_map(|unit| &unit.batches).sum();
            let now = Times { broad: 1e3 * broad, narrow: 1e3 * narrow, wall: 1e3 * wall };
            balance.measured(number as u64 + 1, now, false);
            splits.push(split);
            times.push(wall);
        }
        (splits, times)
    };
    let fixed: Vec<Vec<f64>> = (1..CORES)
        .map(|split| steps.iter().map(|units| simulate(units, &rules(split, true))).collect())
        .collect();
    let best = (0..steps.len())
        .map(|step| {
            1 + (0..CORES - 1).min_by(|&a, &b| fixed[a][step].total_cmp(&fixed[b][step])).unwrap_or(0)
        })
        .collect();
    let (chosen, dynamic) = balanced(true);
    let work = |units: &[Unit]| units.iter().map(|unit| unit.broad + unit.batches.iter().sum::<f64>()).sum();
    let moving = scene.bodies.iter().filter(|body| body.mass > 0.0).count();
    Prediction {
        name: format!("{moving} {}", scene.name),
        one: steps.iter().map(|units| work(units)).collect(),
        sequential: steps.iter().map(|units| sequential(units, CORES, wake)).collect(),
        fixed,
        dynamic,
        helping: balanced(false).1,
        chosen,
        best,
    }
}
