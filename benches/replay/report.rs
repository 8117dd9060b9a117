//! Tables. Whatever comes out of the replay is called a prediction.

use super::record::Recorded;
use super::simulate::{Costs, Outcome, PhaseOutcome, Rules, simulate};
use super::work::{Assumptions, Recording};
use std::collections::BTreeMap;

/// How the replay is done.
pub struct Settings {
    pub cores: Vec<usize>,
    pub rules: Rules,
    pub costs: Costs,
    pub assumptions: Assumptions,
}

/// A scene, and what is known about it.
pub struct Scene<'a> {
    pub name: &'a str,
    pub source: Source<'a>,
    /// How long a unit works before it looks whether it should be split, in nanoseconds, if that is known.
    pub granule: Option<u64>,
}

/// Where the units come from.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// A run for one worker. What it would be for more is worked out, and assumed where it can't be.
    OneWorker(&'a Recording),
    /// Runs for all numbers of workers that are asked for, each done by one thread.
    All(&'a [Recorded]),
}

impl Source<'_> {
    /// The run for one worker.
    fn one(&self) -> &[Recording] {
        match self {
            Source::OneWorker(recording) => std::slice::from_ref(recording),
            Source::All(recorded) => {
                let one = recorded.iter().find(|recorded| recorded.worker_count == 1);
                &one.expect("one worker is always recorded").steps
            }
        }
    }

    fn sum(&self, of: impl Fn(&Recording) -> u64) -> u64 {
        self.one().iter().map(of).sum()
    }

    /// Numbers of cores that something can be said about.
    pub fn has(&self, cores: usize) -> bool {
        match self {
            Source::OneWorker(_) => true,
            Source::All(recorded) => recorded.iter().any(|recorded| recorded.worker_count == cores),
        }
    }
}

/// The speed-up that the paper measured on eight cores (section 7.1), for scenes of the same kind.
pub fn paper(scene: &str) -> Option<f64> {
    let scene = scene.to_lowercase();
    match () {
        _ if scene.contains("cloth") => Some(6.4),
        _ if scene.contains("body") => Some(7.3),
        _ => None,
    }
}

impl Settings {
    /// The predicted run with so many workers.
    pub fn predict(&self, scene: &Scene<'_>, cores: usize, rules: &Rules) -> Outcome {
        let rules = Rules { granule: rules.granule.or(scene.granule), ..*rules };
        match scene.source {
            Source::OneWorker(recording) => {
                let phases = recording.for_workers(cores, &self.assumptions);
                let work: u64 = phases.iter().map(|phase| phase.serial + phase.work()).sum();
                assert_eq!(work, recording.total(), "another number of cores is not another amount of work");
                simulate(&phases, cores, &rules, &self.costs)
            }
            Source::All(recorded) => {
                let recorded = recorded.iter().find(|recorded| recorded.worker_count == cores);
                let mut outcome = Outcome { worker_count: cores, ..Outcome::default() };
                for step in &recorded.expect("only what was recorded is asked for").steps {
                    outcome.add(simulate(&step.as_recorded(), cores, &rules, &self.costs));
                }
                outcome
            }
        }
    }

    pub fn speed_up(&self, scene: &Scene<'_>, cores: usize, rules: &Rules) -> f64 {
        let one = self.predict(scene, 1, rules).time;
        one as f64 / self.predict(scene, cores, rules).time.max(1) as f64
    }

    pub fn cores_of(&self, scene: &Scene<'_>) -> impl Iterator<Item = usize> {
        self.cores.iter().copied().filter(|&cores| scene.source.has(cores))
    }

    pub fn print(&self) {
        let Costs { request, grant, wake } = self.costs;
        let [request, grant, wake] = [request, grant, wake].map(|time| time as f64 / 1e3);
        println!(
            "All numbers of this program are PREDICTIONS by replay, but for those marked as measured or recorded. The replay knows nothing"
        );
        println!("of shared caches, memory bandwidth or clocks that slow down when all cores work.");
        println!("costs: request {request:.2} µs, grant {grant:.2} µs, wake-up {wake:.1} µs");
    }

    pub fn print_scene(&self, scene: &Scene<'_>) {
        let Scene { name, source, granule } = *scene;
        let total = source.sum(Recording::total) as f64;
        let percent = |of: fn(&Recording) -> u64| 100.0 * source.sum(of) as f64 / total;
        println!();
        println!(
            "{name}: {} units, {:.2} ms on one core (recorded); serial {:.2} %, rebuilds {:.2} %; in no record: {:.2} % between \
             units, {:.2} % between phases (counted as serial)",
            source.sum(|recording| recording.unit_count() as u64),
            total / 1e6,
            percent(Recording::serial),
            percent(Recording::rebuilding),
            percent(|recording| recording.between_units),
            percent(|recording| recording.between_phases),
        );
        match granule {
            Some(granule) => println!(
                "a unit looks every {:.2} ms whether it should be split (recorded)",
                granule as f64 / 1e6
            ),
            None => println!("assumed: a unit can be cut into {} parts", self.rules.granules),
        }
        if let Source::OneWorker(_) = source {
            let Assumptions { parts_per_worker, skew } = self.assumptions;
            println!(
                "assumed: refit and sort in {parts_per_worker} parts per core; pairs of high-level nodes with skew {skew}"
            );
        }
        self.print_predictions(scene);
        self.print_idle(scene);
        self.print_rules(scene);
        if let Some(measured) = paper(name)
            && self.cores_of(scene).any(|cores| cores == 8)
        {
            let predicted = self.speed_up(scene, 8, &self.rules);
            println!(
                "eight cores: predicted speed-up {predicted:.2}; the paper measured {measured} with its own program, scene and machine"
            );
        }
    }

    fn print_predictions(&self, scene: &Scene<'_>) {
        println!(
            "{:>6} {:>13} {:>19} {:>10} {:>7} | {:>8} {:>7} {:>7} {:>12}",
            "cores",
            "predicted ms",
            "predicted speed-up",
            "efficiency",
            "idle %",
            "requests",
            "grants",
            "splits",
            "lock wait ms"
        );
        let one = self.predict(scene, 1, &self.rules).time as f64;
        for cores in self.cores_of(scene) {
            let outcome = self.predict(scene, cores, &self.rules);
            let time = outcome.time.max(1) as f64;
            let sum = |of: fn(&PhaseOutcome) -> u64| outcome.phases.iter().map(of).sum::<u64>();
            println!(
                "{cores:>6} {:>13.3} {:>19.2} {:>9.1}% {:>7.1} | {:>8} {:>7} {:>7} {:>12.3}",
                time / 1e6,
                one / time,
                100.0 * one / time / cores as f64,
                100.0 * outcome.idle(),
                sum(|phase| phase.requests),
                sum(|phase| phase.grants),
                sum(|phase| phase.splits),
                sum(|phase| phase.lock_wait) as f64 / 1e6,
            );
        }
    }

    /// By phase: how long it takes, and how much of that workers are idle.
    fn print_idle(&self, scene: &Scene<'_>) {
        println!("predicted ms, and idle share in percent, by phase (its own serial part is before it)");
        let outcomes: Vec<Outcome> =
            self.cores_of(scene).map(|cores| self.predict(scene, cores, &self.rules)).collect();
        let mut names: BTreeMap<u64, &str> = BTreeMap::new();
        for phase in outcomes.iter().flat_map(|outcome| &outcome.phases) {
            let name = names.entry(phase.key).or_default();
            *name = if phase.name.is_empty() { *name } else { phase.name };
        }
        print!("{:<16}", "cores");
        outcomes.iter().for_each(|outcome| print!(" | {:>16}", outcome.worker_count));
        println!();
        for (key, name) in names {
            let part_of = |outcome: &Outcome| outcome.phases.iter().find(|phase| phase.key == key).cloned();
            let parts: Vec<(usize, Option<PhaseOutcome>)> =
                outcomes.iter().map(|outcome| (outcome.worker_count, part_of(outcome))).collect();
            let has = |of: fn(&PhaseOutcome) -> u64| {
                parts.iter().any(|(_, part)| part.as_ref().is_some_and(|part| of(part) > 0))
            };
            if has(|part| part.serial) {
                print!("{:<16}", "  serial");
                for (_, part) in &parts {
                    print!(
                        " | {:>9.3} {:>6}",
                        part.as_ref().map_or(0.0, |part| part.serial as f64 / 1e6),
                        ""
                    );
                }
                println!();
            }
            if has(|part| part.busy) {
                print!("{name:<16}");
                for (cores, part) in &parts {
                    match part {
                        Some(part) if part.busy > 0 => {
                            print!(" | {:>9.3} {:>5.1}%", part.time as f64 / 1e6, 100.0 * part.idle(*cores))
                        }
                        _ => print!(" | {:>16}", "-"),
                    }
                }
                println!();
            }
        }
    }

    /// The speed-up with one rule at a time switched off.
    fn print_rules(&self, scene: &Scene<'_>) {
        let variants = variants(&self.rules);
        println!(
            "predicted speed-up with a rule switched off; then as in the paper: waiting units are given between units only; who asks gets one \
             unit, not a set"
        );
        print!("{:>6}", "cores");
        variants.iter().for_each(|(name, _)| print!(" {name:>13}"));
        println!();
        for cores in self.cores_of(scene) {
            print!("{cores:>6}");
            variants.iter().for_each(|(_, rules)| print!(" {:>13.2}", self.speed_up(scene, cores, rules)));
            println!();
        }
    }

    /// Compares the prediction for two cores with times of alternating runs with one and two threads.
    pub fn print_validation(&self, scene: &Scene<'_>, totals: &[(u32, f64)]) {
        let Some(Measured { least, median }) = Measured::new(totals) else {
            println!("validation: there are no times of one and of two threads");
            return;
        };
        let predicted = self.speed_up(scene, 2, &self.rules);
        for (name, [one, two]) in [("least", least), ("median", median)] {
            let measured = one / two;
            println!(
                "validation by {name:<6} times: {one:.3} and {two:.3} ms; two cores, measured speed-up {measured:.3}, predicted \
                 {predicted:.3}: deviation {:+.1} %",
                100.0 * (predicted / measured - 1.0),
            );
        }
        println!("the recorded run took {:.3} ms", scene.source.sum(Recording::total) as f64 / 1e6);
    }
}

/// Rules, and the same with one at a time switched off.
pub fn variants(rules: &Rules) -> [(&'static str, Rules); 6] {
    [
        ("all rules", *rules),
        ("no dynamic", Rules { dynamic: false, ..*rules }),
        ("no splitting", Rules { split: false, ..*rules }),
        ("rebuild lock", Rules { lock_free: false, ..*rules }),
        ("share between", Rules { share_within: false, ..*rules }),
        ("one by one", Rules { grant_sets: false, ..*rules }),
    ]
}

/// Milliseconds of alternating runs with one and with two threads.
pub struct Measured {
    pub least: [f64; 2],
    pub median: [f64; 2],
}

impl Measured {
    pub fn new(totals: &[(u32, f64)]) -> Option<Measured> {
        let of = |threads: u32| -> Vec<f64> {
            totals.iter().filter(|row| row.0 == threads).map(|row| row.1).collect()
        };
        let least = |times: Vec<f64>| times.into_iter().fold(f64::INFINITY, f64::min);
        let median = [median(of(1))?, median(of(2))?];
        Some(Measured { least: [least(of(1)), least(of(2))], median })
    }
}

/// The middle one.
pub fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let (middle, count) = (numbers.len() / 2, numbers.len());
    match count {
        0 => None,
        _ if count.is_multiple_of(2) => Some((numbers[middle - 1] + numbers[middle]) / 2.0),
        _ => Some(numbers[middle]),
    }
}
