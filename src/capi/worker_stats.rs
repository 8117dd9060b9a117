//! What one worker did.

use super::context::pccd_context;
use super::guard::{enter, enter_context};
use super::query::pccd_query;
use super::status::*;
use super::versioned::{self, Versioned};
use crate::detect::WorkerStats;

/// What pccd_query_worker_stats_get() tells about a worker in the last run of a query. Prepare it with
/// pccd_query_worker_stats_init(). All of it may change from run to run.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pccd_query_worker_stats {
    /// Size of this struct in bytes, as the caller knows it. Set by pccd_query_worker_stats_init().
    pub struct_size: u32,
    /// Always 0.
    pub reserved: u32,
    /// Milliseconds in which it worked on units.
    pub ms_busy: f64,
    /// Units that it worked on.
    pub units: u64,
    /// Times that it had nothing to do and asked, or looked around, for work.
    pub requests: u64,
    /// Units that it gave to others that had asked.
    pub grants: u64,
    /// Units that it took from the places of others.
    pub steals: u64,
    /// Parts of meshes that it sorted anew.
    pub node_rebuilds: u64,
    /// Pairs of nodes whose boxes it compared.
    pub node_pairs: u64,
    /// Pairs of leaves whose triangles it compared.
    pub leaf_pairs: u64,
    /// Pairs of a vertex and a triangle whose boxes meet: what is left for its filters and elementary tests.
    pub candidates_vf: u64,
    /// Pairs of edges whose boxes meet.
    pub candidates_ee: u64,
}

// SAFETY: `repr(C)`, begins with `struct_size`; numbers only.
unsafe impl Versioned for pccd_query_worker_stats {
    const NAME: &'static str = "pccd_query_worker_stats";
    const INIT: &'static str = "pccd_query_worker_stats_init";
    const MIN_SIZE: usize = 88;

    fn defaults() -> pccd_query_worker_stats {
        pccd_query_worker_stats {
            struct_size: size_of::<pccd_query_worker_stats>() as u32,
            reserved: 0,
            ms_busy: 0.0,
            units: 0,
            requests: 0,
            grants: 0,
            steals: 0,
            node_rebuilds: 0,
            node_pairs: 0,
            leaf_pairs: 0,
            candidates_vf: 0,
            candidates_ee: 0,
        }
    }
}

/// Prepares a struct for pccd_query_worker_stats_get(). Pass the size of the struct:
/// `pccd_query_worker_stats_init(&stats, sizeof stats)`.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_query_worker_stats_init(
    stats: *mut pccd_query_worker_stats,
    size: usize,
) -> pccd_status {
    // SAFETY: the caller passes the size of its struct.
    enter("pccd_query_worker_stats_init", |call| unsafe { versioned::init(call, "stats", stats, size) })
}

/// Tells what a worker has done in the last run of a query. Set the size of the struct with
/// pccd_query_worker_stats_init() before.
///
/// @param context    the context.
/// @param query      the query.
/// @param worker     the number of the worker, less than worker_count of pccd_query_stats. Number 0 is the
///                   thread that called pccd_query_run(); in a run that was begun it is any.
/// @param out_stats  receives what it did.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_query_worker_stats_get(
    context: *mut pccd_context,
    query: pccd_query,
    worker: u32,
    out_stats: *mut pccd_query_worker_stats,
) -> pccd_status {
    enter_context("pccd_query_worker_stats_get", context, |call, context| {
        let query = context.mesh_queries.get(call, query.id)?;
        // SAFETY: the caller's struct is as large as it says.
        let size = unsafe { versioned::size(call, "out_stats", out_stats) }?;
        let Some(stats) = query.worker_stats(worker as usize) else {
            let count = query.stats().worker_count;
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!("worker is {worker}; expected less than {count}, the workers of the last run"),
            ));
        };
        let WorkerStats { ms_busy, units, requests, grants, steals, node_rebuilds, .. } = stats;
        let stats = pccd_query_worker_stats {
            ms_busy,
            units,
            requests,
            grants,
            steals,
            node_rebuilds,
            node_pairs: stats.node_pairs,
            leaf_pairs: stats.leaf_pairs,
            candidates_vf: stats.candidates_vf,
            candidates_ee: stats.candidates_ee,
            ..pccd_query_worker_stats::defaults()
        };
        // SAFETY: the caller's struct is as large as it says, which is no more than this library knows.
        unsafe { versioned::write(out_stats, stats, size) };
        Ok(())
    })
}
