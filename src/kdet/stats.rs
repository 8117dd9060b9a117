//! What a discrete query is asked for, and what it has done.

use super::cells::Hashing;
use super::choice::{Method, Reason};
use super::soup::Wanted;

/// What is looked for, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiscreteSettings {
    pub wanted: Wanted,
    pub method: Method,
    pub hashing: Hashing,
    pub with_segments: bool,
    /// Most intersections that are kept.
    pub capacity: usize,
}

impl Default for DiscreteSettings {
    fn default() -> DiscreteSettings {
        DiscreteSettings {
            wanted: Wanted { within_meshes: true, between_meshes: true },
            method: Method::Auto,
            hashing: Hashing::Morton,
            with_segments: false,
            capacity: usize::MAX,
        }
    }
}

/// What a run has done. Times are in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DiscreteStats {
    pub method: Method,
    pub reason: Reason,
    pub triangle_count: u64,
    pub intersections: u64,
    pub dropped: u64,
    pub candidates: u64,
    pub exact_tests: u64,
    /// Pairs of boxes of the hierarchy, and of leaves among them.
    pub node_pairs: u64,
    pub leaf_pairs: u64,
    /// Cells with triangles, triangles in cells, and levels with triangles.
    pub cells: u64,
    pub entries: u64,
    pub levels: u64,
    pub ms_update: f64,
    pub ms_find: f64,
    pub ms_sort: f64,
    pub ms_total: f64,
    pub worker_count: u64,
    pub state_bytes: u64,
}
