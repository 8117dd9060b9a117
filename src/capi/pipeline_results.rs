//! What a pipeline has found, and how.

use super::context::pccd_context;
use super::guard::{enter, enter_context};
use super::pipeline::pccd_pipeline;
use super::pipeline_object::pccd_object;
use super::status::*;
use super::versioned::{self, Versioned};
use crate::pipeline::PipelineStats;
use crate::pipeline::balance::{self, BalanceRecord};
use crate::pipeline::manifold::ContactPoint;
use crate::pipeline::results::{self, PairResult};
use std::mem::offset_of;
use std::ptr;

/// State of a pair: in contact, which it was not after the step before.
pub const PCCD_PAIR_BEGUN: u32 = 1;
/// State of a pair: in contact, as after the step before.
pub const PCCD_PAIR_KEPT: u32 = 2;
/// State of a pair: was in contact after the step before, and is not any more. It has no points.
pub const PCCD_PAIR_ENDED: u32 = 3;

/// In place of a triangle, where an object is no mesh.
pub const PCCD_NO_TRIANGLE: u32 = u32::MAX;

/// Two objects that are, or were, in contact.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct pccd_pair {
    /// The one that comes first in the order of the pipeline. If the pair has ended, it may have been removed.
    pub object_a: pccd_object,
    /// The other one.
    pub object_b: pccd_object,
    /// One of the PCCD_PAIR_ values.
    pub state: u32,
    /// How many points there are: 1 to 16, or 0 if the pair has ended.
    pub point_count: u32,
    /// The first of them, as an index into what pccd_pipeline_points() gives.
    pub first_point: u64,
    /// When the contact began on the way from the last step (0) to this one (1), if one of both is
    /// PCCD_OBJECT_SWEPT and they met on the way; otherwise 1. If it is less than 1 and they are not in
    /// contact where they are now, the points are those of that time.
    pub toi: f64,
}

/// A point of contact.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct pccd_contact_point {
    /// Where it is, halfway between both surfaces.
    pub point: [f64; 3],
    /// The direction of the contact, of length 1, from object_b to object_a.
    pub normal: [f64; 3],
    /// How deep they overlap there along the normal; below 0 for a gap, which is at most the margin.
    pub depth: f64,
    /// The triangle of object_a, if that is a mesh; otherwise PCCD_NO_TRIANGLE.
    pub triangle_a: u32,
    /// The same of object_b.
    pub triangle_b: u32,
}

/// Flag of a record: it was a control step, at which the split could have been changed.
pub const PCCD_BALANCE_CONTROLLED: u32 = 1;
/// Flag of a record: the split was changed after this step.
pub const PCCD_BALANCE_CHANGED: u32 = 2;
/// Flag of a record: the change took back an earlier one that had made it slower.
pub const PCCD_BALANCE_UNDONE: u32 = 4;
/// Flag of a record: the caller had fixed the split.
pub const PCCD_BALANCE_FIXED: u32 = 8;
/// Flag of a record: the phases ran one after the other, each on all threads.
pub const PCCD_BALANCE_SEQUENTIAL: u32 = 16;

/// How the threads were divided at a step, and what both phases took.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct pccd_balance_record {
    /// The number of the step, from 1.
    pub step: u64,
    /// Threads that began with the broad phase.
    pub broad_threads: u32,
    /// Threads that began with the narrow phase.
    pub narrow_threads: u32,
    /// A sum of PCCD_BALANCE_ flags.
    pub flags: u32,
    /// Steps until the next control step, from 1 after a change to 32.
    pub interval: u32,
    /// Milliseconds that all threads together spent in the broad phase.
    pub ms_broad: f64,
    /// Milliseconds that all threads together spent in the narrow phase.
    pub ms_narrow: f64,
    /// Milliseconds from the beginning of both phases to their end.
    pub ms_phases: f64,
}

/// What the last step of a pipeline did, and how long it took. Prepare it with pccd_pipeline_stats_init().
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pccd_pipeline_stats {
    /// Size of this struct in bytes, as the caller knows it. Set by pccd_pipeline_stats_init().
    pub struct_size: u32,
    /// PCCD_BROAD_BRUTE_FORCE or PCCD_BROAD_SWEEP; 0 before the first step.
    pub broad: u32,
    /// PCCD_PHASES_SEQUENTIAL or PCCD_PHASES_SIMULTANEOUS; 0 before the first step.
    pub phases: u32,
    /// Threads that began with the broad phase.
    pub broad_threads: u32,
    /// Threads that began with the narrow phase.
    pub narrow_threads: u32,
    /// Always 0.
    pub reserved: u32,
    /// Steps that were completed.
    pub step_count: u64,
    /// Objects.
    pub object_count: u64,
    /// Pairs of objects whose boxes overlapped and that may meet.
    pub candidate_count: u64,
    /// Pairs that came into contact.
    pub begun_count: u64,
    /// Pairs that stayed in contact.
    pub kept_count: u64,
    /// Pairs that are in contact no more.
    pub ended_count: u64,
    /// Points of contact.
    pub point_count: u64,
    /// Milliseconds of the step.
    pub ms_total: f64,
    /// Milliseconds for computing the boxes and sorting them.
    pub ms_boxes: f64,
    /// Milliseconds that all threads together spent in the broad phase.
    pub ms_broad: f64,
    /// Milliseconds that all threads together spent in the narrow phase.
    pub ms_narrow: f64,
    /// Milliseconds from the beginning of both phases to their end.
    pub ms_phases: f64,
    /// Milliseconds for bringing the results into order.
    pub ms_order: f64,
}

// SAFETY: `repr(C)`, begins with `struct_size`; numbers only.
unsafe impl Versioned for pccd_pipeline_stats {
    const NAME: &'static str = "pccd_pipeline_stats";
    const INIT: &'static str = "pccd_pipeline_stats_init";
    const MIN_SIZE: usize = 128;

    fn defaults() -> pccd_pipeline_stats {
        pccd_pipeline_stats {
            struct_size: size_of::<pccd_pipeline_stats>() as u32,
            broad: 0,
            phases: 0,
            broad_threads: 0,
            narrow_threads: 0,
            reserved: 0,
            step_count: 0,
            object_count: 0,
            candidate_count: 0,
            begun_count: 0,
            kept_count: 0,
            ended_count: 0,
            point_count: 0,
            ms_total: 0.0,
            ms_boxes: 0.0,
            ms_broad: 0.0,
            ms_narrow: 0.0,
            ms_phases: 0.0,
            ms_order: 0.0,
        }
    }
}

/// What the library calls them has the same fields in the same places, and the same numbers.
const _: () = {
    assert!(size_of::<PairResult>() == size_of::<pccd_pair>());
    assert!(offset_of!(PairResult, object_b) == offset_of!(pccd_pair, object_b));
    assert!(offset_of!(PairResult, state) == offset_of!(pccd_pair, state));
    assert!(offset_of!(PairResult, point_count) == offset_of!(pccd_pair, point_count));
    assert!(offset_of!(PairResult, first_point) == offset_of!(pccd_pair, first_point));
    assert!(offset_of!(PairResult, toi) == offset_of!(pccd_pair, toi));
    assert!(results::BEGUN == PCCD_PAIR_BEGUN && results::KEPT == PCCD_PAIR_KEPT);
    assert!(results::ENDED == PCCD_PAIR_ENDED);
    assert!(size_of::<ContactPoint>() == size_of::<pccd_contact_point>());
    assert!(offset_of!(ContactPoint, normal) == offset_of!(pccd_contact_point, normal));
    assert!(offset_of!(ContactPoint, depth) == offset_of!(pccd_contact_point, depth));
    assert!(offset_of!(ContactPoint, triangles) == offset_of!(pccd_contact_point, triangle_a));
    assert!(size_of::<BalanceRecord>() == size_of::<pccd_balance_record>());
    assert!(offset_of!(BalanceRecord, broad_threads) == offset_of!(pccd_balance_record, broad_threads));
    assert!(offset_of!(BalanceRecord, narrow_threads) == offset_of!(pccd_balance_record, narrow_threads));
    assert!(offset_of!(BalanceRecord, flags) == offset_of!(pccd_balance_record, flags));
    assert!(offset_of!(BalanceRecord, interval) == offset_of!(pccd_balance_record, interval));
    assert!(offset_of!(BalanceRecord, times) == offset_of!(pccd_balance_record, ms_broad));
    assert!(balance::CONTROLLED == PCCD_BALANCE_CONTROLLED && balance::CHANGED == PCCD_BALANCE_CHANGED);
    assert!(balance::UNDONE == PCCD_BALANCE_UNDONE && balance::FIXED == PCCD_BALANCE_FIXED);
    assert!(balance::SEQUENTIAL == PCCD_BALANCE_SEQUENTIAL);
};

/// Where an array is, or null if it is empty.
fn start_of<T, C>(elements: &[T]) -> *const C {
    if elements.is_empty() { ptr::null() } else { elements.as_ptr().cast() }
}

/// Gives the pairs of the last completed step: those in contact, and those that were so after the step before,
/// sorted by object_a, then object_b, in the order in which the pipeline keeps its objects: that in which they
/// were added, as long as none was removed; the place of one removed goes to one added later. If a place has a
/// new object, the ended pair of the old one comes first.
///
/// @param context    the context.
/// @param pipeline   the pipeline.
/// @param out_pairs  receives a pointer to the pairs; null if there are none. They are the pipeline's, to be
///                   read only, and stay where they are until its next step is completed, it is destroyed, or
///                   the context ends.
/// @param out_count  receives their number.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Any number
/// of threads may read the pairs while they are valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_pipeline_pairs(
    context: *mut pccd_context,
    pipeline: pccd_pipeline,
    out_pairs: *mut *const pccd_pair,
    out_count: *mut u64,
) -> pccd_status {
    enter_context("pccd_pipeline_pairs", context, |call, context| {
        let pairs = &context.pipelines.get(call, pipeline.id)?.pipeline.results().pairs;
        call.not_null(out_pairs, "out_pairs")?;
        call.not_null(out_count, "out_count")?;
        // SAFETY: the caller's pointer to a place for a pointer.
        unsafe { out_pairs.write(start_of(pairs)) };
        // SAFETY: the caller's pointer to a place for a number.
        unsafe { out_count.write(pairs.len() as u64) };
        Ok(())
    })
}

/// Gives the points of contact of the last completed step, in the order of their pairs.
///
/// @param context     the context.
/// @param pipeline    the pipeline.
/// @param out_points  receives a pointer to the points; null if there are none. Valid as long as the pairs.
/// @param out_count   receives their number.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Any number
/// of threads may read the points while they are valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_pipeline_points(
    context: *mut pccd_context,
    pipeline: pccd_pipeline,
    out_points: *mut *const pccd_contact_point,
    out_count: *mut u64,
) -> pccd_status {
    enter_context("pccd_pipeline_points", context, |call, context| {
        let points = &context.pipelines.get(call, pipeline.id)?.pipeline.results().points;
        call.not_null(out_points, "out_points")?;
        call.not_null(out_count, "out_count")?;
        // SAFETY: the caller's pointer to a place for a pointer.
        unsafe { out_points.write(start_of(points)) };
        // SAFETY: the caller's pointer to a place for a number.
        unsafe { out_count.write(points.len() as u64) };
        Ok(())
    })
}

/// Gives a hash of all pairs and points of the last completed step, every bit of them. Objects go into it by
/// their places, so that pipelines in different contexts and processes can be compared.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_pipeline_hash(
    context: *mut pccd_context,
    pipeline: pccd_pipeline,
    out_hash: *mut u64,
) -> pccd_status {
    enter_context("pccd_pipeline_hash", context, |call, context| {
        let hash = context.pipelines.get(call, pipeline.id)?.pipeline.results().hash();
        call.not_null(out_hash, "out_hash")?;
        // SAFETY: the caller's pointer to a place for a number.
        unsafe { out_hash.write(hash) };
        Ok(())
    })
}

/// Gives how threads were divided between the phases at the last steps, at least 2048 of them, the oldest
/// first.
///
/// @param context      the context.
/// @param pipeline     the pipeline.
/// @param out_records  receives a pointer to the records; null if there are none. Valid until the next step of
///                     the pipeline, its end, or that of the context.
/// @param out_count    receives their number.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Any number
/// of threads may read the records while they are valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_pipeline_balance(
    context: *mut pccd_context,
    pipeline: pccd_pipeline,
    out_records: *mut *const pccd_balance_record,
    out_count: *mut u64,
) -> pccd_status {
    enter_context("pccd_pipeline_balance", context, |call, context| {
        let records = context.pipelines.get(call, pipeline.id)?.pipeline.balance.history();
        call.not_null(out_records, "out_records")?;
        call.not_null(out_count, "out_count")?;
        // SAFETY: the caller's pointer to a place for a pointer.
        unsafe { out_records.write(start_of(records)) };
        // SAFETY: the caller's pointer to a place for a number.
        unsafe { out_count.write(records.len() as u64) };
        Ok(())
    })
}

/// Prepares a struct for pccd_pipeline_stats_get(). Pass the size of the struct:
/// `pccd_pipeline_stats_init(&stats, sizeof stats)`.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_pipeline_stats_init(
    stats: *mut pccd_pipeline_stats,
    size: usize,
) -> pccd_status {
    // SAFETY: the caller passes the size of its struct.
    enter("pccd_pipeline_stats_init", |call| unsafe { versioned::init(call, "stats", stats, size) })
}

/// Tells what the last completed step did, and how long it took. Set the size of the struct with
/// pccd_pipeline_stats_init() before.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_pipeline_stats_get(
    context: *mut pccd_context,
    pipeline: pccd_pipeline,
    out_stats: *mut pccd_pipeline_stats,
) -> pccd_status {
    enter_context("pccd_pipeline_stats_get", context, |call, context| {
        let stats: PipelineStats = *context.pipelines.get(call, pipeline.id)?.pipeline.stats();
        // SAFETY: the caller's struct is as large as it says.
        let size = unsafe { versioned::size(call, "out_stats", out_stats) }?;
        let (brute_force, sweep) =
            (super::pipeline::PCCD_BROAD_BRUTE_FORCE, super::pipeline::PCCD_BROAD_SWEEP);
        let (one_by_one, at_once) =
            (super::pipeline::PCCD_PHASES_SEQUENTIAL, super::pipeline::PCCD_PHASES_SIMULTANEOUS);
        let ran = stats.steps > 0;
        let told = pccd_pipeline_stats {
            broad: u32::from(ran) * if stats.was_sweep { sweep } else { brute_force },
            phases: u32::from(ran) * if stats.was_sequential { one_by_one } else { at_once },
            broad_threads: stats.broad_threads as u32,
            narrow_threads: stats.narrow_threads as u32,
            step_count: stats.steps,
            object_count: stats.object_count,
            candidate_count: stats.candidates,
            begun_count: stats.begun,
            kept_count: stats.kept,
            ended_count: stats.ended,
            point_count: stats.points,
            ms_total: stats.ms_total,
            ms_boxes: stats.ms_boxes,
            ms_broad: stats.ms_broad,
            ms_narrow: stats.ms_narrow,
            ms_phases: stats.ms_phases,
            ms_order: stats.ms_order,
            ..pccd_pipeline_stats::defaults()
        };
        // SAFETY: the caller's struct has `size` bytes, which were checked.
        unsafe { versioned::write(out_stats, told, size) };
        Ok(())
    })
}
