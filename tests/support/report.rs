//! Collects what went wrong, so that one run shows several failures with all that is needed to repeat them.

use pccd::elementary::{Kind, Query};
use std::fmt::Write;

/// Failures after the first ones are counted, not shown.
const SHOWN: usize = 10;

#[derive(Default)]
pub struct Failures {
    shown: Vec<String>,
    count: usize,
}

impl Failures {
    pub fn add(&mut self, label: &str, kind: Kind, query: &Query, problem: &str) {
        self.count += 1;
        if self.shown.len() < SHOWN {
            self.shown.push(format!("{label}: {problem}\n{}", describe(kind, query)));
        }
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// Fails the test if anything was added.
    pub fn finish(self, context: &str) {
        if self.count > 0 {
            panic!("{context}: {} failures, the first ones:\n\n{}", self.count, self.shown.join("\n"));
        }
    }
}

/// The query as exact bits, ready to be pasted into a test, with readable values beside them.
pub fn describe(kind: Kind, query: &Query) -> String {
    let names = match kind {
        Kind::VertexFace => ["v ", "f0", "f1", "f2"],
        Kind::EdgeEdge => ["a0", "a1", "b0", "b1"],
    };
    let mut text = format!("  {kind:?}, bits of x, y, z:\n");
    for (row, point) in query.chunks_exact(3).enumerate() {
        let bits: Vec<String> = point.iter().map(|value| format!("0x{:016x}", value.to_bits())).collect();
        writeln!(
            text,
            "    {}, // {} at t={}: {:e} {:e} {:e}",
            bits.join(", "),
            names[row % 4],
            row / 4,
            point[0],
            point[1],
            point[2]
        )
        .expect("writing to a string");
    }
    text
}

/// A query from its bits, as `describe` prints them.
pub fn from_bits(bits: [u64; 24]) -> Query {
    bits.map(f64::from_bits)
}

/// A number from the environment, or the default.
pub fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.replace('_', "").parse().unwrap_or_else(|_| panic!("{name}={text} is no number")),
        Err(_) => default,
    }
}
