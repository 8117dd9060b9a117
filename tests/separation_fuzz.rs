//! Minimum separation against exact distances: nothing missed, nothing farther than the tolerance allows, nothing late.
//! `PCCD_FUZZ_QUERIES` and `PCCD_FUZZ_SEED` as for the exact test; a fifth as many queries are made, since
//! exact distances at many times cost more.

mod support;

use pccd::elementary::{Hit, Kind, Query, Settings};
use pccd::simd::Level;
use support::check::{check_bracket, check_weights_and_normal};
use support::detector::{Detector, same_bits, supported_levels};
use support::generators;
use support::generators::contact::hover;
use support::random::Random;
use support::report::{Failures, setting};
use support::separation;

/// Queries of one batch share their settings, so batches are small.
const BATCH: u64 = 16;
/// Keeps the queries apart from those of the exact test with the same seed.
const QUERY_STREAMS: u64 = 0x5e9a;
const SEPARATION_TOLERANCES: [f64; 4] = [1e-9, 1e-9, 1e-6, 1e-12];
const TOI_TOLERANCES: [f64; 3] = [1e-6, 1e-3, 1e-9];

/// A batch of queries of one order of magnitude and a separation that matters to it.
fn make_batch(kind: Kind, seed: u64, first: u64, random: &mut Random) -> (&'static str, Vec<Query>, f64) {
    if random.one_in(4) {
        return make_hovering(kind, random);
    }
    // All queries of a category are of similar size, so take one category for all.
    let category = generators::category_of(first / BATCH);
    let queries: Vec<Query> = (first..first + BATCH)
        .map(|number| (category.make)(kind, &mut Random::stream(seed ^ QUERY_STREAMS, number)))
        .collect();
    let extent = queries[0].iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let factor = *random.pick(&[1e-12, 1e-6, 1e-3, 0.01, 0.1, 0.5, 2.0]);
    let separation = (extent * factor).clamp(f64::MIN_POSITIVE, f64::MAX);
    (category.name, queries, separation)
}

/// The least distance equals the separation to the last bit, or differs by one ulp.
fn make_hovering(kind: Kind, random: &mut Random) -> (&'static str, Vec<Query>, f64) {
    let (first, height) = hover(kind, random);
    let mut queries = vec![first];
    queries.extend((1..BATCH).map(|_| hover(kind, random).0));
    let separation = *random.pick(&[height, height, height.next_up(), height.next_down(), height * 0.999]);
    ("hover", queries, separation)
}

fn check(kind: Kind, query: &Query, settings: &Settings, answer: &Option<Hit>) -> Result<(), String> {
    if let Some(hit) = answer {
        check_bracket(hit, settings)?;
        check_weights_and_normal(kind, hit)?;
    }
    separation::check(kind, query, settings, answer.as_ref())
}

fn fuzz(kind: Kind) {
    let seed = setting("PCCD_FUZZ_SEED", 1);
    let total = setting("PCCD_FUZZ_QUERIES", 100_000) / 5;
    let mut detector = Detector::new();
    let mut random = Random::stream(seed, u64::MAX - 1);
    let mut failures = Failures::default();
    let (mut hits, mut starts) = (0, 0);
    for first in (0..total).step_by(BATCH as usize) {
        let (name, queries, min_separation) = make_batch(kind, seed, first, &mut random);
        let settings = Settings {
            min_separation,
            toi_tolerance: *random.pick(&TOI_TOLERANCES),
            separation_tolerance: *random.pick(&SEPARATION_TOLERANCES),
        };
        let answers = detector.run(Level::Scalar, kind, &queries, &settings);
        for (query, answer) in queries.iter().zip(&answers) {
            hits += usize::from(answer.is_some());
            starts += usize::from(answer.is_some_and(|hit| hit.at_start));
            if let Err(problem) = check(kind, query, &settings, answer) {
                failures.add(name, kind, query, &format!("{problem}; {settings:?}; {answer:?}"));
            }
        }
        for level in supported_levels() {
            let scattered = detector.run_scattered(level, kind, &queries, &settings, &mut random);
            for (index, query) in queries.iter().enumerate() {
                if !same_bits(&scattered[index], &answers[index]) {
                    let problem = format!("{level:?} differs: {:?}, {:?}", scattered[index], answers[index]);
                    failures.add(name, kind, query, &problem);
                }
            }
        }
    }
    println!("{kind:?} with separation: {total} queries, {hits} hits, {starts} of them at the start");
    failures.finish(&format!("{kind:?} with separation, PCCD_FUZZ_SEED={seed}"));
}

#[test]
fn vertex_face() {
    fuzz(Kind::VertexFace);
}

#[test]
fn edge_edge() {
    fuzz(Kind::EdgeEdge);
}
