//! The library against the oracle on random and adversarial queries. How many (per kind) and which:
//! `PCCD_FUZZ_QUERIES` and `PCCD_FUZZ_SEED`.

mod support;

use pccd::elementary::{Hit, Kind, Query, Settings};
use pccd::simd::Level;
use support::check;
use support::detector::{Detector, same_bits, supported_levels};
use support::generators::{self, CATEGORIES};
use support::oracle::{Shortcuts, first_contact};
use support::random::Random;
use support::report::{Failures, setting};
use support::transform::random_chain;

/// Queries handed to the library at a time.
const BATCH: u64 = 1024;

/// Widest brackets asked for, in turn; most batches take the default. The finest can't be met by the width where
/// neighbouring doubles are farther apart.
const TOLERANCES: [f64; 8] = [1e-6, 1e-6, 1e-12, 1e-6, 1e-15, 1e-6, 0.25, 1e-9];

/// One batch: its queries and the category of each.
struct Batch {
    names: Vec<&'static str>,
    queries: Vec<Query>,
    settings: Settings,
}

impl Batch {
    fn make(kind: Kind, seed: u64, first: u64, end: u64) -> Batch {
        let (names, queries) = (first..end)
            .map(|number| generators::query(kind, seed, number))
            .map(|(category, query)| (category.name, query))
            .unzip();
        let toi_tolerance = TOLERANCES[(first / BATCH) as usize % TOLERANCES.len()];
        Batch { names, queries, settings: Settings { toi_tolerance, ..Settings::default() } }
    }
}

/// Queries and hits of each category.
struct Counts(Vec<(&'static str, u64, u64)>);

impl Counts {
    fn new() -> Counts {
        Counts(CATEGORIES.iter().map(|category| (category.name, 0, 0)).collect())
    }

    fn add(&mut self, name: &str, is_hit: bool) {
        let entry = self.0.iter_mut().find(|entry| entry.0 == name).expect("a known category");
        entry.1 += 1;
        entry.2 += u64::from(is_hit);
    }

    fn print(&self, kind: Kind) {
        let mut text = format!("{:<24} {:>10} {:>10}   ({kind:?})\n", "category", "queries", "hits");
        for (name, queries, hits) in &self.0 {
            text += &format!("{name:<24} {queries:>10} {hits:>10}\n");
        }
        let total: u64 = self.0.iter().map(|entry| entry.1).sum();
        // One call, so that the tables of tests that run at the same time don't mix.
        println!("{text}{:<24} {total:>10}", "total");
    }
}

fn fuzz(kind: Kind) {
    let seed = setting("PCCD_FUZZ_SEED", 1);
    let total = setting("PCCD_FUZZ_QUERIES", 100_000);
    let mut detector = Detector::new();
    let mut random = Random::stream(seed, u64::MAX);
    let mut failures = Failures::default();
    let mut counts = Counts::new();
    for first in (0..total).step_by(BATCH as usize) {
        let batch = Batch::make(kind, seed, first, (first + BATCH).min(total));
        let answers = detector.run(Level::Scalar, kind, &batch.queries, &batch.settings);
        for (index, answer) in answers.iter().enumerate() {
            let query = &batch.queries[index];
            let exact = first_contact(kind, query, Shortcuts::On);
            counts.add(batch.names[index], exact.is_some());
            if let Err(problem) = check::check(kind, query, &batch.settings, answer.as_ref(), exact.as_ref())
            {
                let label = format!("{} (number {})", batch.names[index], first + index as u64);
                failures.add(&label, kind, query, &problem);
            }
        }
        compare_levels(kind, &batch, &answers, &mut detector, &mut random, &mut failures);
        compare_transforms(kind, &batch, &answers, &mut detector, &mut random, &mut failures);
    }
    counts.print(kind);
    failures.finish(&format!("{kind:?}, PCCD_FUZZ_SEED={seed} PCCD_FUZZ_QUERIES={total}"));
}

/// The same bits from every level, for the batch as it is and for its queries in any order and company.
fn compare_levels(
    kind: Kind,
    batch: &Batch,
    expected: &[Option<Hit>],
    detector: &mut Detector,
    random: &mut Random,
    failures: &mut Failures,
) {
    for level in supported_levels() {
        let whole = detector.run(level, kind, &batch.queries, &batch.settings);
        let scattered = detector.run_scattered(level, kind, &batch.queries, &batch.settings, random);
        for (index, query) in batch.queries.iter().enumerate() {
            for (answer, manner) in [(&whole[index], "in order"), (&scattered[index], "scattered")] {
                if !same_bits(answer, &expected[index]) {
                    let problem = format!(
                        "{level:?}, {manner}, differs from scalar: {answer:?} instead of {:?}",
                        expected[index]
                    );
                    failures.add(batch.names[index], kind, query, &problem);
                }
            }
        }
    }
}

/// The decision must not depend on the order of vertices, axes, primitives or time, nor on the scale.
fn compare_transforms(
    kind: Kind,
    batch: &Batch,
    expected: &[Option<Hit>],
    detector: &mut Detector,
    random: &mut Random,
    failures: &mut Failures,
) {
    let (chains, changed): (Vec<_>, Vec<Query>) =
        batch.queries.iter().map(|query| random_chain(kind, query, random)).unzip();
    let answers = detector.run(Level::best(), kind, &changed, &batch.settings);
    for (index, answer) in answers.iter().enumerate() {
        let chain = &chains[index];
        let before = &expected[index];
        let mut problem = None;
        if answer.is_some() != before.is_some() {
            problem = Some("the decision changes");
        } else if let (Some(new), Some(old)) = (answer, before) {
            let keeps_time = chain.iter().filter(|change| !change.keeps_time()).count() % 2 == 0;
            // Both brackets hold the same exact time.
            if keeps_time && (new.toi_lower > old.toi_upper || old.toi_lower > new.toi_upper) {
                problem = Some("the brackets are disjoint");
            }
        }
        if let Some(problem) = problem {
            failures.add(
                batch.names[index],
                kind,
                &batch.queries[index],
                &format!("{problem} under {chain:?}"),
            );
        }
    }
}

#[test]
fn vertex_face() {
    fuzz(Kind::VertexFace);
}

#[test]
fn edge_edge() {
    fuzz(Kind::EdgeEdge);
}

/// A number that isn't finite is refused, and the first one is named.
#[test]
fn numbers_that_are_not_finite_are_refused() {
    use pccd::elementary::batch::{NotFinite, SCRATCH_LIMBS, run};
    let mut scratch = vec![0; SCRATCH_LIMBS];
    for (value, query, column) in [(f64::NAN, 0, 0), (f64::INFINITY, 9, 23), (f64::NEG_INFINITY, 16, 5)] {
        for level in supported_levels() {
            for kind in [Kind::VertexFace, Kind::EdgeEdge] {
                let mut queries: Vec<Query> =
                    (0..17).map(|number| generators::query(kind, 7, number).1).collect();
                queries[query][column] = value;
                let outcome = run(level, kind, &queries, &Settings::default(), &mut scratch, &mut |_, _| {});
                assert_eq!(outcome, Err(NotFinite { query, column }), "{level:?} {kind:?} {value}");
            }
        }
    }
}
