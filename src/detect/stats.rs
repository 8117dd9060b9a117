//! What a run did, and how long it took.

/// Counts and milliseconds of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct QueryStats {
    pub triangle_count: u64,
    pub node_pairs: u64,
    pub leaf_pairs: u64,
    pub candidates_vf: u64,
    pub candidates_ee: u64,
    pub contacts_vf: u64,
    pub contacts_ee: u64,
    pub dropped: u64,
    /// Pairs that floating point could not decide.
    pub exact_tests: u64,
    pub state_bytes: u64,
    /// Refit and rebuild of the hierarchy.
    pub ms_update: f64,
    /// Summed over the workers, as is the next one.
    pub ms_traverse: f64,
    pub ms_elementary: f64,
    pub ms_sort: f64,
    pub ms_total: f64,
    /// The parts of a run (PCCD paper, figure 8): refit, self-CD task units of low-level nodes, pairs of high-level ones and of different meshes, and what one thread does
    /// while the others wait.
    pub ms_refit: f64,
    pub ms_low: f64,
    pub ms_high: f64,
    pub ms_serial: f64,
    pub worker_count: u64,
    /// Of the time in which all workers were there to work, the share in which they did not.
    pub imbalance: f64,
    pub units: u64,
    pub requests: u64,
    pub grants: u64,
    pub steals: u64,
    /// Parts of trees that were rebuilt during the run.
    pub node_rebuilds: u64,
    /// Triangles of parts that were excluded from tests with themselves, and how long it took to find these.
    pub culled_triangles: u64,
    pub ms_cull: f64,
}

/// What one worker did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WorkerStats {
    pub node_pairs: u64,
    pub leaf_pairs: u64,
    pub candidates_vf: u64,
    pub candidates_ee: u64,
    pub contacts_vf: u64,
    pub contacts_ee: u64,
    pub exact_tests: u64,
    pub node_rebuilds: u64,
    /// For records: rebuilds within units.
    pub ms_rebuild: f64,
    pub ms_traverse: f64,
    pub ms_elementary: f64,
    /// In units of work.
    pub ms_busy: f64,
    pub units: u64,
    pub requests: u64,
    pub grants: u64,
    pub steals: u64,
}
