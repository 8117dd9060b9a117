//! What the last run of a query has cost.

use super::context::pccd_context;
use super::guard::{enter, enter_context};
use super::query::pccd_query;
use super::status::*;
use super::versioned::{self, Versioned};

/// What pccd_query_stats_get() tells about the last run of a query. Prepare it with
/// pccd_query_stats_init(). Counts and times say how the work was done: unlike contacts, they may change
/// with the hierarchy, the number of threads and the version of the library. After a run that was
/// cancelled they say what had been done by then. Of a query of mode PCCD_MODE_DISCRETE,
/// pccd_discrete_stats_get() tells more.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pccd_query_stats {
    /// Size of this struct in bytes, as the caller knows it. Set by pccd_query_stats_init().
    pub struct_size: u32,
    /// Always 0.
    pub reserved: u32,
    /// Triangles of all meshes in the hierarchy.
    pub triangle_count: u64,
    /// Pairs of nodes whose boxes were compared.
    pub node_pairs: u64,
    /// Pairs of leaves whose triangles were compared.
    pub leaf_pairs: u64,
    /// Pairs of a vertex and a triangle whose boxes meet: what is left for filters and elementary tests.
    pub candidates_vf: u64,
    /// Pairs of edges whose boxes meet.
    pub candidates_ee: u64,
    /// Contacts of a vertex and a triangle.
    pub contacts_vf: u64,
    /// Contacts of two edges.
    pub contacts_ee: u64,
    /// Contacts beyond the capacity of the query.
    pub dropped: u64,
    /// Pairs that needed exact arithmetic.
    pub exact_tests: u64,
    /// Bytes that the library keeps for the hierarchy and its meshes, whatever is found.
    pub state_bytes: u64,
    /// Milliseconds for the update of the hierarchy.
    pub ms_update: f64,
    /// Milliseconds for finding the pairs that need an elementary test, summed over the workers.
    pub ms_traverse: f64,
    /// Milliseconds for the elementary tests, summed over the workers.
    pub ms_elementary: f64,
    /// Milliseconds for sorting the contacts.
    pub ms_sort: f64,
    /// Milliseconds for the run.
    pub ms_total: f64,
    /// state_bytes divided by triangle_count; 0 without triangles.
    pub bytes_per_triangle: f64,
    /// Milliseconds of ms_update in which boxes were fitted to the vertices that had moved.
    pub ms_refit: f64,
    /// Milliseconds in which parts of meshes were tested with themselves.
    pub ms_low: f64,
    /// Milliseconds in which the pairs were tested that are left then: of large parts of a mesh, and of
    /// different meshes.
    pub ms_high: f64,
    /// Milliseconds in which one worker prepared something while the others waited. Counted in the times
    /// above as well.
    pub ms_serial: f64,
    /// Of the time in which all workers were there to work, the share in which they did not: 0 if all
    /// were busy to the end. Workers that did not come to a run that was begun count as idle.
    pub imbalance: f64,
    /// The most workers that could have taken part; 0 before the first run.
    pub worker_count: u64,
    /// Units of work.
    pub units: u64,
    /// Times that an idle worker asked, or looked around, for work.
    pub requests: u64,
    /// Units that a worker gave to another one that had asked.
    pub grants: u64,
    /// Units that a worker took from the place of another one.
    pub steals: u64,
    /// Parts of meshes that were sorted anew because their boxes had become bad.
    pub node_rebuilds: u64,
    /// Triangles of the parts of meshes that were not tested with themselves (see culling in
    /// pccd_query_def), each counted once.
    pub culled_triangles: u64,
    /// Milliseconds for finding these parts.
    pub ms_cull: f64,
}

// SAFETY: `repr(C)`, begins with `struct_size`; numbers only.
unsafe impl Versioned for pccd_query_stats {
    const NAME: &'static str = "pccd_query_stats";
    const INIT: &'static str = "pccd_query_stats_init";
    const MIN_SIZE: usize = 136;
    const SIZES: &'static [usize] = &[136, 224, size_of::<pccd_query_stats>()];

    fn defaults() -> pccd_query_stats {
        pccd_query_stats {
            struct_size: size_of::<pccd_query_stats>() as u32,
            reserved: 0,
            triangle_count: 0,
            node_pairs: 0,
            leaf_pairs: 0,
            candidates_vf: 0,
            candidates_ee: 0,
            contacts_vf: 0,
            contacts_ee: 0,
            dropped: 0,
            exact_tests: 0,
            state_bytes: 0,
            ms_update: 0.0,
            ms_traverse: 0.0,
            ms_elementary: 0.0,
            ms_sort: 0.0,
            ms_total: 0.0,
            bytes_per_triangle: 0.0,
            ms_refit: 0.0,
            ms_low: 0.0,
            ms_high: 0.0,
            ms_serial: 0.0,
            imbalance: 0.0,
            worker_count: 0,
            units: 0,
            requests: 0,
            grants: 0,
            steals: 0,
            node_rebuilds: 0,
            culled_triangles: 0,
            ms_cull: 0.0,
        }
    }
}

/// Prepares a struct for pccd_query_stats_get(). Pass the size of the struct:
/// `pccd_query_stats_init(&stats, sizeof stats)`.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_query_stats_init(stats: *mut pccd_query_stats, size: usize) -> pccd_status {
    // SAFETY: the caller passes the size of its struct.
    enter("pccd_query_stats_init", |call| unsafe { versioned::init(call, "stats", stats, size) })
}

/// Tells what the last run of a query has done; all is 0 before the first. Set the size of the struct
/// with pccd_query_stats_init() before.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_query_stats_get(
    context: *mut pccd_context,
    query: pccd_query,
    out_stats: *mut pccd_query_stats,
) -> pccd_status {
    enter_context("pccd_query_stats_get", context, |call, context| {
        let stats = context.mesh_queries.get(call, query.id)?.run_stats();
        // SAFETY: the caller's struct is as large as it says.
        let size = unsafe { versioned::size(call, "out_stats", out_stats) }?;
        let bytes_per_triangle = match stats.triangle_count {
            0 => 0.0,
            triangles => stats.state_bytes as f64 / triangles as f64,
        };
        let stats = pccd_query_stats {
            triangle_count: stats.triangle_count,
            node_pairs: stats.node_pairs,
            leaf_pairs: stats.leaf_pairs,
            candidates_vf: stats.candidates_vf,
            candidates_ee: stats.candidates_ee,
            contacts_vf: stats.contacts_vf,
            contacts_ee: stats.contacts_ee,
            dropped: stats.dropped,
            exact_tests: stats.exact_tests,
            state_bytes: stats.state_bytes,
            ms_update: stats.ms_update,
            ms_traverse: stats.ms_traverse,
            ms_elementary: stats.ms_elementary,
            ms_sort: stats.ms_sort,
            ms_total: stats.ms_total,
            bytes_per_triangle,
            ms_refit: stats.ms_refit,
            ms_low: stats.ms_low,
            ms_high: stats.ms_high,
            ms_serial: stats.ms_serial,
            imbalance: stats.imbalance,
            worker_count: stats.worker_count,
            units: stats.units,
            requests: stats.requests,
            grants: stats.grants,
            steals: stats.steals,
            node_rebuilds: stats.node_rebuilds,
            culled_triangles: stats.culled_triangles,
            ms_cull: stats.ms_cull,
            ..pccd_query_stats::defaults()
        };
        // SAFETY: the caller's struct is as large as it says, which is no more than this library knows.
        unsafe { versioned::write(out_stats, stats, size) };
        Ok(())
    })
}
