//! Tables. Whatever comes out of the replay is called a prediction.

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

/// A scene, and what it did on one core.
pub struct Scene<'a> {
    pub name: &'a str,
    pub recording: &'a Recording,
}

/// The speed-up that the paper measured on eight cores (section 7.1), for scenes of the same kind.
fn paper(scene: &str) -> Option<f64> {
    let scene = scene.to_lowercase();
    match () {
        _ if scene.contains("cloth") => Some(6.4),
        _ if scene.contains("body") => Some(7.3),
        _ => None,
    }
}

impl Settings {
    /// The predicted run with so many workers.
    pub fn predict(&self, recording: &Recording, cores: usize, rules: &Rules) -> Outcome {
        let phases = recording.for_workers(cores, &self.assumptions);
        let work: u64 = phases.iter().map(|phase| phase.serial + phase.work()).sum();
        assert_eq!(work, recording.total(), "another number of cores is not another amount of work");
        simulate(&phases, cores, rules, &self.costs)
    }

    fn speed_up(&self, recording: &Recording, cores: usize, rules: &Rules) -> f64 {
        let one = self.predict(recording, 1, rules).time;
        one as f64 / self.predict(recording, cores, rules).time.max(1) as f64
    }

    pub fn print(&self) {
        let Costs { request, grant, wake } = self.costs;
        let [request, grant, wake] = [request, grant, wake].map(|time| time as f64 / 1e3);
        println!(
            "All numbers of this program are PREDICTIONS by replay, but for those marked as measured or recorded. The replay knows nothing"
        );
        println!("of shared caches, memory bandwidth or clocks that slow down when all cores work.");
        println!("costs: request {request:.2} µs, grant {grant:.2} µs, wake-up {wake:.1} µs");
        println!(
            "assumed: units can be cut into {} parts; refit and sort in {} parts per core; pairs of high-level nodes with skew {}",
            self.rules.granules, self.assumptions.parts_per_worker, self.assumptions.skew
        );
    }

    pub fn print_scene(&self, scene: &Scene<'_>) {
        let Scene { name, recording } = *scene;
        let total = recording.total() as f64;
        let percent = |time: u64| 100.0 * time as f64 / total;
        println!();
        println!(
            "{name}: {} units, {:.2} ms on one core (recorded); serial {:.2} %, rebuilds {:.2} %; in no record: {:.2} % between \
             units, {:.2} % between phases (counted as serial)",
            recording.unit_count(),
            total / 1e6,
            percent(recording.serial()),
            percent(recording.rebuilding()),
            percent(recording.between_units),
            percent(recording.between_phases),
        );
        self.print_predictions(recording);
        self.print_idle(recording);
        self.print_rules(recording);
        if let Some(measured) = paper(name)
            && self.cores.contains(&8)
        {
            let predicted = self.speed_up(recording, 8, &self.rules);
            println!(
                "eight cores: predicted speed-up {predicted:.2}; the paper measured {measured} with its own program, scene and machine"
            );
        }
    }

    fn print_predictions(&self, recording: &Recording) {
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
        let one = self.predict(recording, 1, &self.rules).time as f64;
        for &cores in &self.cores {
            let outcome = self.predict(recording, cores, &self.rules);
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
    fn print_idle(&self, recording: &Recording) {
        println!("predicted ms, and idle share in percent, by phase (its own serial part is before it)");
        let outcomes: Vec<Outcome> =
            self.cores.iter().map(|&cores| self.predict(recording, cores, &self.rules)).collect();
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

    /// The speed-up with one rule at a time switched off; then with rules that the library does not have.
    fn print_rules(&self, recording: &Recording) {
        let rules = self.rules;
        let variants = [
            ("all rules", rules),
            ("no dynamic", Rules { dynamic: false, ..rules }),
            ("no splitting", Rules { split: false, ..rules }),
            ("rebuild lock", Rules { lock_free: false, ..rules }),
            ("share between", Rules { share_within: false, ..rules }),
            ("grant sets", Rules { grant_sets: true, ..rules }),
        ];
        println!(
            "predicted speed-up with a rule switched off (share between: waiting units are given between units only, as in the paper); then \
             with one that the library does not have: who asks gets a set of units instead of one"
        );
        print!("{:>6}", "cores");
        variants.iter().for_each(|(name, _)| print!(" {name:>13}"));
        println!();
        for &cores in &self.cores {
            print!("{cores:>6}");
            variants
                .iter()
                .for_each(|(_, rules)| print!(" {:>13.2}", self.speed_up(recording, cores, rules)));
            println!();
        }
    }

    /// Compares the prediction for two cores with times of alternating runs with one and two threads.
    pub fn print_validation(&self, scene: &Scene<'_>, totals: &[(u32, f64)]) {
        let of =
            |threads: u32| median(totals.iter().filter(|row| row.0 == threads).map(|row| row.1).collect());
        let (Some(one), Some(two)) = (of(1), of(2)) else {
            println!("validation: there are no times of one and of two threads");
            return;
        };
        let predicted = self.speed_up(scene.recording, 2, &self.rules);
        let measured = one / two;
        println!(
            "validation: two cores, predicted speed-up {predicted:.3}, measured {measured:.3} (medians {one:.3} and {two:.3} ms): \
             deviation {:+.1} %; the recorded run took {:.3} ms",
            100.0 * (predicted / measured - 1.0),
            scene.recording.total() as f64 / 1e6,
        );
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
