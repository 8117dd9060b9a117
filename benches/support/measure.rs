//! Runs the library and the textbook method side by side.

use super::query_files::QuerySet;
use crate::textbook;
use pccd::elementary::batch::{self, SCRATCH_LIMBS};
use pccd::elementary::{Hit, Kind, Query, Settings};
use pccd::simd::Level;
use std::hint::black_box;
use std::time::Instant;

/// Rounds of alternating measurements, of which the fastest counts.
const ROUNDS: usize = 11;
/// Runs of each query when looking for the slowest: the fastest counts, or an interrupt would win.
const SINGLE_RUNS: usize = 5;

/// A method that decides queries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    Textbook,
    Library(Level),
}

impl Method {
    pub fn name(self) -> &'static str {
        match self {
            Method::Textbook => "textbook",
            Method::Library(Level::Scalar) => "scalar",
            Method::Library(Level::Avx2) => "avx2",
            Method::Library(Level::Avx512) => "avx512",
        }
    }

    /// The textbook method, and the library at every level that this CPU has, lowest first.
    pub fn all() -> Vec<Method> {
        let levels = Level::ALL.into_iter().filter(|level| level.is_supported());
        std::iter::once(Method::Textbook).chain(levels.map(Method::Library)).collect()
    }
}

/// Runs methods with the one piece of working memory that they need.
pub struct Runner {
    scratch: Vec<u64>,
    settings: Settings,
}

impl Runner {
    pub fn new() -> Runner {
        Runner { scratch: vec![0; SCRATCH_LIMBS], settings: Settings::default() }
    }

    pub fn run(
        &mut self,
        method: Method,
        kind: Kind,
        queries: &[Query],
        report: &mut dyn FnMut(usize, &Hit),
    ) {
        match method {
            Method::Textbook => textbook::run(kind, queries, report),
            Method::Library(level) => {
                batch::run(level, kind, queries, &self.settings, &mut self.scratch, report)
                    .expect("the ground truth is finite");
            }
        }
    }

    /// Runs all sets and lets nothing of the results be optimised away.
    pub fn run_sets(&mut self, method: Method, sets: &[&QuerySet]) {
        for set in sets {
            self.run(method, set.kind, black_box(&set.queries), &mut |index, hit| {
                black_box((index, hit));
            });
        }
    }

    /// Nanoseconds a query for each method. The methods take turns, so that a change of the processor's clock or
    /// a busy neighbour meets them all; of each the fastest round counts.
    pub fn nanoseconds(&mut self, methods: &[Method], sets: &[&QuerySet]) -> Vec<f64> {
        let queries: usize = sets.iter().map(|set| set.queries.len()).sum();
        let mut best = vec![f64::INFINITY; methods.len()];
        for _ in 0..ROUNDS {
            for (method, best) in methods.iter().zip(&mut best) {
                let start = Instant::now();
                self.run_sets(*method, sets);
                *best = best.min(start.elapsed().as_secs_f64());
            }
        }
        best.iter().map(|seconds| seconds * 1e9 / queries.max(1) as f64).collect()
    }

    /// Nanoseconds of the slowest single query.
    pub fn worst_nanoseconds(&mut self, method: Method, sets: &[&QuerySet]) -> f64 {
        let mut worst: f64 = 0.0;
        for set in sets {
            for query in &set.queries {
                let mut best = f64::INFINITY;
                for _ in 0..SINGLE_RUNS {
                    let start = Instant::now();
                    self.run(method, set.kind, black_box(std::slice::from_ref(query)), &mut |index, hit| {
                        black_box((index, hit));
                    });
                    best = best.min(start.elapsed().as_secs_f64());
                }
                worst = worst.max(best);
            }
        }
        worst * 1e9
    }

    /// How often the method disagrees with the truth.
    pub fn errors(&mut self, method: Method, sets: &[&QuerySet]) -> Errors {
        let mut errors = Errors { misses: 0, false_alarms: 0 };
        for set in sets {
            let mut missed = set.collides.clone();
            let mut false_alarms = 0;
            self.run(method, set.kind, &set.queries, &mut |index, _| {
                if set.collides[index] {
                    missed[index] = false;
                } else {
                    false_alarms += 1;
                }
            });
            errors.misses += missed.iter().filter(|&&missed| missed).count();
            errors.false_alarms += false_alarms;
        }
        errors
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Errors {
    pub misses: usize,
    pub false_alarms: usize,
}
