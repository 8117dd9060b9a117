//! The library under test, as a function from queries to answers.

use super::random::Random;
use pccd::elementary::{Hit, Kind, Query, Settings, batch};
use pccd::simd::Level;

/// One worker's view of the library.
pub struct Detector {
    scratch: Vec<u64>,
}

impl Detector {
    pub fn new() -> Detector {
        Detector { scratch: vec![0; batch::SCRATCH_LIMBS] }
    }

    /// The answer to each query. Fails if the library refuses finite input, or reports out of order or out of range.
    pub fn run(
        &mut self,
        level: Level,
        kind: Kind,
        queries: &[Query],
        settings: &Settings,
    ) -> Vec<Option<Hit>> {
        let mut answers = vec![None; queries.len()];
        let mut next = 0;
        let outcome = batch::run(level, kind, queries, settings, &mut self.scratch, &mut |index, hit| {
            assert!(index >= next, "query {index} reported twice or after {next}");
            next = index + 1;
            answers[index] = Some(*hit);
        });
        assert!(outcome.is_ok(), "finite queries were refused: {outcome:?}");
        answers
    }

    /// The same queries shuffled and cut into batches of random lengths; answers in the original order.
    pub fn run_scattered(
        &mut self,
        level: Level,
        kind: Kind,
        queries: &[Query],
        settings: &Settings,
        random: &mut Random,
    ) -> Vec<Option<Hit>> {
        let mut order: Vec<usize> = (0..queries.len()).collect();
        random.shuffle(&mut order);
        let mut answers = vec![None; queries.len()];
        let mut rest = order.as_slice();
        while !rest.is_empty() {
            // Short batches, as the remainder of a vector loop is where lanes go wrong.
            let longest = if random.one_in(4) { rest.len() } else { rest.len().min(37) };
            let (batch, tail) = rest.split_at(1 + random.below(longest));
            let part: Vec<Query> = batch.iter().map(|&index| queries[index]).collect();
            for (&index, answer) in batch.iter().zip(self.run(level, kind, &part, settings)) {
                answers[index] = answer;
            }
            rest = tail;
        }
        answers
    }
}

/// Every level that this CPU can run, lowest first.
pub fn supported_levels() -> Vec<Level> {
    Level::ALL.into_iter().filter(|level| level.is_supported()).collect()
}

/// Whether two answers are the same bit for bit.
pub fn same_bits(first: &Option<Hit>, second: &Option<Hit>) -> bool {
    let bits = |hit: &Hit| {
        let numbers = [hit.toi_lower, hit.toi_upper].into_iter().chain(hit.weights).chain(hit.normal);
        (hit.at_start, numbers.map(f64::to_bits).collect::<Vec<u64>>())
    };
    first.as_ref().map(bits) == second.as_ref().map(bits)
}
