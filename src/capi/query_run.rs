//! Queries at work: on the threads of the context, or on those that others bring along.

use super::bvh::pccd_bvh;
use super::context::{Context, pccd_context};
use super::discrete::QueryObject;
use super::guard::{self, Call, Failure, Success, enter};
use super::live::{self, Held};
use super::query::pccd_query;
use super::status::*;
use crate::detect::Outcome;
use crate::memory::{Memory, MemoryError};
use crate::schedule::OpenRun;
use std::panic::{self, AssertUnwindSafe};
use std::ptr::NonNull;

/// Updates a hierarchy and finds the contacts of its meshes while they move from t = 0 to t = 1: every
/// vertex with every triangle, every edge with every other edge, unless they have a vertex in common.
/// Each pair is found once. Vertices that no triangle uses are left out. A hierarchy without meshes has
/// no contacts. The work is done by all threads of the context, or by tasks of the caller's job system if
/// the context has such.
///
/// In mode PCCD_MODE_DISCRETE it finds pairs of triangles that intersect at t = 1 instead. The hierarchy is
/// updated then only if it is what they are found with.
///
/// The results replace those of the last run. They are the same, bit for bit, for any number of threads,
/// any scheduler, any SIMD level and any state of the hierarchy. A query may be run on different
/// hierarchies in turn.
///
/// Returns PCCD_INCOMPLETE if there were more contacts than the capacity of the query, and PCCD_CANCELLED
/// if pccd_query_cancel() has ended it. If memory is refused the query has no results, but works again; if
/// an argument is wrong it keeps those it had.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_query_run(
    context: *mut pccd_context,
    query: pccd_query,
    bvh: pccd_bvh,
) -> pccd_status {
    enter("pccd_query_run", |call| {
        guard::inside(call, &mut live::hold(call, context)?, |held| {
            let (gate, context) = held.parts();
            check_thickness(call, context, query.id, bvh.id)?;
            let Context { mesh_queries, bvhs, meshes, memory, level, crew, scheduler, .. } = context;
            let (id, query) = (query.id, mesh_queries.get_mut(call, query.id)?);
            let bvh = bvhs.get_mut(call, bvh.id)?;
            let mesh_of = |id: u64| &meshes.known(id).mesh;
            let worker_count = crew.worker_count();
            if query.discrete.is_some() {
                // SAFETY: all of it is borrowed until the end of this function, and so of the run.
                let run = query.take_bodies(bvh).and_then(|()| unsafe {
                    query.begin_discrete(worker_count, *level, &mesh_of, Some(bvh))
                });
                let done = run.map(|run| {
                    let _running = gate.running(id, run);
                    crew.run(worker_count, &|worker| run.participate(worker));
                });
                let result = done.and_then(|()| query.end_discrete());
                return outcome(call, memory, query, result);
            }
            // SAFETY: all of it is borrowed until the end of this function, and so of the run.
            let run = unsafe { query.begin(worker_count, *scheduler, *level, bvh, &mesh_of) };
            let done = run.map(|run| {
                let _running = gate.running(id, run);
                crew.run(worker_count, &|worker| run.participate(worker));
            });
            let result = done.and_then(|()| query.end(bvh, &mesh_of));
            outcome(call, memory, query, result)
        })
    })
}

/// Begins a run that threads of the caller work on, instead of those of the context: as many at once as the
/// context has threads, the one that calls pccd_query_end() included. Looks at the arguments and prepares
/// the run; the work is done by pccd_query_work() and pccd_query_end(). What that is, is told at
/// pccd_query_run().
///
/// From now on the context is busy until pccd_query_end(): all calls but pccd_query_work(),
/// pccd_query_cancel() and pccd_query_end() return PCCD_ERR_BUSY, pccd_context_destroy() too. The results
/// of the last run are gone. If this fails no run was begun; what then becomes of the results is told at
/// pccd_query_run().
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_query_begin(
    context: *mut pccd_context,
    query: pccd_query,
    bvh: pccd_bvh,
) -> pccd_status {
    enter("pccd_query_begin", |call| {
        let mut held = live::hold(call, context)?;
        let run = guard::inside(call, &mut held, |held| {
            let context = held.context();
            check_thickness(call, context, query.id, bvh.id)?;
            context.begun_bvh = bvh.id;
            let Context { mesh_queries, bvhs, meshes, memory, level, crew, scheduler, .. } = context;
            let query = mesh_queries.get_mut(call, query.id)?;
            let bvh = bvhs.get_mut(call, bvh.id)?;
            let mesh_of = |id: u64| &meshes.known(id).mesh;
            // SAFETY: hierarchy, meshes and query are in tables of the context, which nobody gets at before `live::resume`:
            // it stays busy. And then nothing of it is touched before all threads have left the run.
            if query.discrete.is_some() {
                // SAFETY: as above.
                let run = query.take_bodies(bvh).and_then(|()| unsafe {
                    query.begin_discrete(crew.worker_count(), *level, &mesh_of, Some(bvh))
                });
                return match run {
                    Ok(run) => Ok(NonNull::from(run as &dyn OpenRun)),
                    Err(error) => Err(no_memory(call, memory, query, error)),
                };
            }
            // SAFETY: as above.
            match unsafe { query.begin(crew.worker_count(), *scheduler, *level, bvh, &mesh_of) } {
                Ok(run) => Ok(NonNull::from(run as &dyn OpenRun)),
                Err(error) => Err(no_memory(call, memory, query, error)),
            }
        })?;
        // SAFETY: just prepared, and of a query of this context.
        unsafe { held.stay(query.id, run) };
        Ok(())
    })
}

/// Takes part in a run that was begun, until it is over. Any number of threads may call this at any time
/// after pccd_query_begin(), or none at all. Returns PCCD_OK at once if all places are taken, and if the
/// run is over or ended already; it is PCCD_ERR_INVALID_ARGUMENT for a query whose run was not the last
/// that was begun. What came of the run is told by pccd_query_end(). Failures are not logged.
///
/// Thread safety: may be called from any thread, by several at once, between pccd_query_begin() and
/// pccd_query_end(), and while these run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_query_work(context: *mut pccd_context, query: pccd_query) -> pccd_status {
    enter("pccd_query_work", |call| live::visit(call, context, query.id, |run| run.donate()))
}

/// Works on a run that was begun until it is over, waits until all threads have left pccd_query_work(), and
/// makes the results available. Returns what pccd_query_run() would have. The context is free again
/// afterwards, whatever is returned. For a query whose run was not begun it is PCCD_ERR_INVALID_ARGUMENT.
///
/// Thread safety: may be called from any thread, not necessarily the one that began the run; if another one
/// is in it already it returns PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_query_end(context: *mut pccd_context, query: pccd_query) -> pccd_status {
    enter("pccd_query_end", |call| {
        let (mut held, run) = live::resume(call, context, query.id)?;
        // SAFETY: the run is there, and shared, until the gate is closed.
        let finish = AssertUnwindSafe(|| unsafe { run.as_ref() }.finish());
        let finished = panic::catch_unwind(finish);
        // Also when something went wrong: others may still be on their way in or out.
        held.parts().0.close();
        guard::inside(call, &mut held, |held| match finished {
            Ok(true) => end(call, held, query.id),
            Ok(false) => panic!("a thread that worked on the run has panicked"),
            Err(payload) => panic::resume_unwind(payload),
        })
    })
}

/// Ends the run of a query before it is done: soon, but not at once. pccd_query_run() or pccd_query_end()
/// then returns PCCD_CANCELLED, and the query has no results; it can be run again. If no run of this query
/// is in work nothing happens: a later one is not affected. A run may also be done before this takes
/// effect. Failures are not logged.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_query_cancel(context: *mut pccd_context, query: pccd_query) -> pccd_status {
    enter("pccd_query_cancel", |call| {
        // Whether it exists only who has the context could tell. That it is null is a mistake in any case.
        if query.id == 0 {
            return Err(call.fail(PCCD_ERR_NULL, format_args!("query.id is 0: the handle is null")));
        }
        live::cancel(call, context, query.id)
    })
}

/// Takes over the results of a run that nobody works on any more.
fn end(call: &Call, held: &mut Held, query: u64) -> Result<Success, Failure> {
    let Context { mesh_queries, bvhs, meshes, memory, begun_bvh, .. } = held.context();
    let query = mesh_queries.get_mut(call, query)?;
    if query.discrete.is_some() {
        let result = query.end_discrete();
        return outcome(call, memory, query, result);
    }
    let result = query.end(bvhs.known(*begun_bvh), &|id| &meshes.known(id).mesh);
    outcome(call, memory, query, result)
}

/// Refuses meshes whose thickness and the query's separation are too large a sum.
fn check_thickness(call: &Call, context: &Context, query: u64, bvh: u64) -> Result<(), Failure> {
    let query = context.mesh_queries.get(call, query)?;
    let separation = query.settings.elementary.min_separation;
    let bvh = context.bvhs.get(call, bvh)?;
    if query.discrete.is_some() {
        return Ok(());
    }
    // A mesh may meet itself, or another one as thick.
    let too_thick = context.meshes.iter().find(|(id, object)| {
        !(separation + 2.0 * object.mesh.settings.thickness).is_finite() && bvh.contains(*id)
    });
    let Some((id, object)) = too_thick else { return Ok(()) };
    let thickness = object.mesh.settings.thickness;
    Err(call.fail(
        PCCD_ERR_INVALID_ARGUMENT,
        format_args!(
            "the query's min_separation is {separation:?} and the thickness of mesh {id:#x} is {thickness:?}; \
             expected that the one plus twice the other is finite"
        ),
    ))
}

pub(super) fn outcome(
    call: &Call,
    memory: &Memory,
    query: &mut QueryObject,
    result: Result<Outcome, MemoryError>,
) -> Result<Success, Failure> {
    match result {
        Ok(Outcome::Cancelled) => Ok(Success::Cancelled),
        Ok(Outcome::Complete) if query.dropped() > 0 => Ok(Success::Incomplete),
        Ok(Outcome::Complete) => Ok(Success::Complete),
        Err(error) => Err(no_memory(call, memory, query, error)),
    }
}

/// Nothing of an unfinished run is left, and what it held may be of use elsewhere.
pub(super) fn no_memory(
    call: &Call,
    memory: &Memory,
    query: &mut QueryObject,
    error: MemoryError,
) -> Failure {
    let is_recording = query.is_recording;
    let discrete = query.discrete.as_ref().map(|discrete| discrete.settings);
    *query = QueryObject::new(memory, query.settings, discrete);
    query.is_recording = is_recording;
    call.no_memory(format_args!("the results of the query"), error)
}
