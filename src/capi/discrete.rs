//! Discrete queries: how they are found, and what that has cost.

use super::check;
use super::context::{Context, pccd_context};
use super::guard::{self, Call, Failure, enter, enter_context};
use super::live;
use super::mesh::{MeshObject, pccd_mesh};
use super::objects::Objects;
use super::query::{PCCD_MODE_DISCRETE, PCCD_QUERY_SEGMENTS, pccd_query, pccd_query_def};
use super::query_run;
use super::status::*;
use super::versioned::{self, Versioned};
use crate::bvh::Bvh;
use crate::detect::{MeshQuery, Outcome, QuerySettings, QueryStats};
use crate::kdet::{DiscreteQuery, DiscreteSettings, Hashing, Method, Reason, Run, Wanted};
use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::Mesh;
use crate::schedule::OpenRun;
use crate::simd::Level;
use std::ops::{Deref, DerefMut};
use std::slice;

/// Method of a discrete query: what is likely to be faster, the grid or the hierarchy. pccd_discrete_stats
/// tells which it was, and why.
pub const PCCD_METHOD_AUTO: u32 = 0;
/// Method of a discrete query: the boxes of the hierarchy, which is updated.
pub const PCCD_METHOD_BVH: u32 = 1;
/// Method of a discrete query: a hierarchical grid that is made anew in every run. The hierarchy is neither
/// used nor updated. Takes time that is linear in the number of triangles, if k (see
/// pccd_k_free_report) and the differences in size are bounded, whatever has changed since the last run.
pub const PCCD_METHOD_GRID: u32 = 2;

/// Hashing of the grid's cells: Morton codes. Cells that are close in space are close in memory.
pub const PCCD_HASHING_MORTON: u32 = 0;
/// Hashing of the grid's cells: DJB2, which spreads them.
pub const PCCD_HASHING_DJB2: u32 = 1;

/// Why a method was used: there was no run yet.
pub const PCCD_REASON_NONE: u32 = 0;
/// Why a method was used: the query asks for it.
pub const PCCD_REASON_ASKED: u32 = 1;
/// Why the grid was used: pccd_query_run_meshes() has no hierarchy.
pub const PCCD_REASON_NO_HIERARCHY: u32 = 2;
/// Why the hierarchy was used: most triangles have not moved since it was updated.
pub const PCCD_REASON_RESTS: u32 = 3;
/// Why the grid was used: much of the hierarchy would have to be sorted anew, which takes longer.
pub const PCCD_REASON_REBUILD: u32 = 4;
/// Why the hierarchy was used though it has to be sorted anew: sizes differ so much that a grid would have
/// many levels.
pub const PCCD_REASON_HEIGHT: u32 = 5;
/// Why the hierarchy was used though it has to be sorted anew: cells of a grid would have many triangles
/// (k is large).
pub const PCCD_REASON_CROWDED: u32 = 6;
/// Why the hierarchy was used: most triangles have moved, but it does not have to be sorted anew.
pub const PCCD_REASON_MOVES: u32 = 7;

/// A query, of either sort.
pub(super) struct QueryObject {
    motion: MeshQuery,
    pub(super) discrete: Option<DiscreteQuery>,
    /// Meshes of the run, sorted.
    ids: Buffer<u64>,
}

impl Deref for QueryObject {
    type Target = MeshQuery;

    fn deref(&self) -> &MeshQuery {
        &self.motion
    }
}

impl DerefMut for QueryObject {
    fn deref_mut(&mut self) -> &mut MeshQuery {
        &mut self.motion
    }
}

impl QueryObject {
    pub(super) fn new(
        memory: &Memory,
        settings: QuerySettings,
        discrete: Option<DiscreteSettings>,
    ) -> QueryObject {
        QueryObject {
            motion: MeshQuery::new(memory, settings),
            discrete: discrete.map(|settings| DiscreteQuery::new(memory, settings)),
            ids: Buffer::new(memory.clone()),
        }
    }

    /// Takes the meshes of a hierarchy for the next run.
    pub(super) fn take_bodies(&mut self, bvh: &Bvh) -> Result<(), MemoryError> {
        self.ids.clear();
        bvh.bodies().iter().try_for_each(|body| self.ids.push(body.id))
    }

    /// Begins a discrete run over the meshes that were taken.
    ///
    /// # Safety
    /// As for [`DiscreteQuery::begin`].
    pub(super) unsafe fn begin_discrete<'a>(
        &mut self,
        worker_count: usize,
        level: Level,
        mesh_of: &dyn Fn(u64) -> &'a Mesh,
        bvh: Option<&mut Bvh>,
    ) -> Result<&Run, MemoryError> {
        let discrete = self.discrete.as_mut().expect("a discrete query");
        let meshes = self.ids.iter().map(|&id| (id, mesh_of(id)));
        // SAFETY: promised by the caller.
        unsafe { discrete.begin(worker_count, level, meshes, bvh) }
    }

    pub(super) fn end_discrete(&mut self) -> Result<Outcome, MemoryError> {
        let discrete = self.discrete.as_mut().expect("a discrete query");
        Ok(if discrete.end()? { Outcome::Complete } else { Outcome::Cancelled })
    }

    /// Results beyond the capacity.
    pub(super) fn dropped(&self) -> u64 {
        self.discrete.as_ref().map_or(self.motion.stats().dropped, |discrete| discrete.stats().dropped)
    }

    /// The stats that all queries have.
    pub(super) fn run_stats(&self) -> QueryStats {
        let Some(discrete) = &self.discrete else { return *self.motion.stats() };
        let stats = discrete.stats();
        QueryStats {
            triangle_count: stats.triangle_count,
            node_pairs: stats.node_pairs,
            leaf_pairs: stats.leaf_pairs,
            dropped: stats.dropped,
            exact_tests: stats.exact_tests,
            state_bytes: stats.state_bytes,
            ms_update: stats.ms_update,
            ms_traverse: stats.ms_find,
            ms_sort: stats.ms_sort,
            ms_total: stats.ms_total,
            worker_count: stats.worker_count,
            ..QueryStats::default()
        }
    }
}

/// The settings of a discrete query; none if it is another one.
pub(super) fn read_settings(call: &Call, def: &pccd_query_def) -> Result<Option<DiscreteSettings>, Failure> {
    let pccd_query_def { flags, mode, method, hashing, capacity, .. } = *def;
    let method = match method {
        PCCD_METHOD_AUTO => Method::Auto,
        PCCD_METHOD_BVH => Method::Bvh,
        PCCD_METHOD_GRID => Method::Grid,
        _ => {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!(
                    "def->method is {method}; expected PCCD_METHOD_AUTO (0), PCCD_METHOD_BVH (1) or PCCD_METHOD_GRID (2)"
                ),
            ));
        }
    };
    let hashing = match hashing {
        PCCD_HASHING_MORTON => Hashing::Morton,
        PCCD_HASHING_DJB2 => Hashing::Djb2,
        _ => {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!(
                    "def->hashing is {hashing}; expected PCCD_HASHING_MORTON (0) or PCCD_HASHING_DJB2 (1)"
                ),
            ));
        }
    };
    let with_segments = flags & PCCD_QUERY_SEGMENTS != 0;
    if mode != PCCD_MODE_DISCRETE {
        if method != Method::Auto || hashing != Hashing::Morton || with_segments {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!(
                    "def->mode is {mode}; expected PCCD_MODE_DISCRETE (4), as def->method is {}, def->hashing is {} and \
                     def->flags is {flags:#x}, which are of use in this mode only",
                    def.method, def.hashing
                ),
            ));
        }
        return Ok(None);
    }
    Ok(Some(DiscreteSettings {
        wanted: Wanted {
            within_meshes: flags & super::query::PCCD_QUERY_NO_SELF == 0,
            between_meshes: flags & super::query::PCCD_QUERY_NO_INTER == 0,
        },
        method,
        hashing,
        with_segments,
        capacity: if capacity == 0 { usize::MAX } else { usize::try_from(capacity).unwrap_or(usize::MAX) },
    }))
}

/// The ids of meshes in an array of the caller's, sorted.
///
/// # Safety
/// Unless it is null or not aligned, the array has `mesh_count` elements.
pub(super) unsafe fn read_meshes(
    call: &Call,
    known: &Objects<MeshObject>,
    meshes: *const pccd_mesh,
    mesh_count: u64,
    ids: &mut Buffer<u64>,
) -> Result<(), Failure> {
    check::out_array(call, ("meshes", meshes.cast_mut()), ("mesh_count", mesh_count))?;
    let handles = match mesh_count {
        0 => &[],
        // SAFETY: the caller's array, which is aligned and fits the address space.
        _ => unsafe { slice::from_raw_parts(meshes, mesh_count as usize) },
    };
    for handle in handles {
        known.get(call, handle.id)?;
    }
    ids.clear();
    let taken = handles.iter().try_for_each(|handle| ids.push(handle.id));
    taken.map_err(|error| call.no_memory(format_args!("the list of meshes"), error))?;
    ids.sort_unstable();
    match ids.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(twice) => {
            Err(call
                .fail(PCCD_ERR_INVALID_ARGUMENT, format_args!("meshes has {:#x} more than once", twice[0])))
        }
        None => Ok(()),
    }
}

/// Finds the pairs of triangles of some meshes that intersect at t = 1, without a hierarchy: for meshes
/// that are new in every frame. The query has mode PCCD_MODE_DISCRETE, and its method is
/// PCCD_METHOD_AUTO or PCCD_METHOD_GRID. All else is as told at pccd_query_run().
///
/// @param context  the context.
/// @param query    the query.
/// @param meshes   an array of mesh_count handles, in any order, each of them once. May be null if there
///                 are none.
/// @param mesh_count  the number of meshes.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_query_run_meshes(
    context: *mut pccd_context,
    query: pccd_query,
    meshes: *const pccd_mesh,
    mesh_count: u64,
) -> pccd_status {
    enter("pccd_query_run_meshes", |call| {
        guard::inside(call, &mut live::hold(call, context)?, |held| {
            let (gate, context) = held.parts();
            let Context { mesh_queries, meshes: known, memory, level, crew, .. } = context;
            let (id, query) = (query.id, mesh_queries.get_mut(call, query.id)?);
            let method = query.discrete.as_ref().map(|discrete| discrete.settings.method);
            match method {
                Some(Method::Auto | Method::Grid) => {}
                Some(Method::Bvh) => {
                    return Err(call.fail(
                        PCCD_ERR_INVALID_ARGUMENT,
                        format_args!(
                            "query.id is {id:#x}, whose method is PCCD_METHOD_BVH (1); expected PCCD_METHOD_AUTO (0) or \
                             PCCD_METHOD_GRID (2), as there is no hierarchy"
                        ),
                    ));
                }
                None => {
                    return Err(call.fail(
                        PCCD_ERR_INVALID_ARGUMENT,
                        format_args!("query.id is {id:#x}, whose mode is not PCCD_MODE_DISCRETE (4)"),
                    ));
                }
            }
            // SAFETY: the caller's array has as many elements as it says.
            unsafe { read_meshes(call, known, meshes, mesh_count, &mut query.ids) }?;
            let mesh_of = |id: u64| &known.known(id).mesh;
            let worker_count = crew.worker_count();
            // SAFETY: all of it is borrowed until the end of this function, and so of the run.
            let run = unsafe { query.begin_discrete(worker_count, *level, &mesh_of, None) };
            let done = run.map(|run| {
                let _running = gate.running(id, run);
                crew.run(worker_count, &|worker| run.participate(worker));
            });
            let result = done.and_then(|()| query.end_discrete());
            query_run::outcome(call, memory, query, result)
        })
    })
}

/// What pccd_discrete_stats_get() tells about the last run of a query of mode PCCD_MODE_DISCRETE.
/// Prepare it with pccd_discrete_stats_init(). Unlike intersections, these numbers may change with the
/// method and the version of the library.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pccd_discrete_stats {
    /// Size of this struct in bytes, as the caller knows it. Set by pccd_discrete_stats_init().
    pub struct_size: u32,
    /// The method that was used: PCCD_METHOD_BVH or PCCD_METHOD_GRID; PCCD_METHOD_AUTO before the first
    /// run.
    pub method: u32,
    /// One of the PCCD_REASON_ values: why this method.
    pub reason: u32,
    /// Always 0.
    pub reserved: u32,
    /// Triangles of all meshes.
    pub triangle_count: u64,
    /// Pairs that intersect, those beyond the capacity included.
    pub intersections: u64,
    /// Intersections beyond the capacity of the query.
    pub dropped: u64,
    /// Pairs of triangles whose boxes overlap.
    pub candidates: u64,
    /// Pairs that were not decided by the filter in doubles.
    pub exact_tests: u64,
    /// Pairs of boxes of the hierarchy that were looked at; 0 with the grid.
    pub node_pairs: u64,
    /// Cells of the grid that have triangles; 0 with the hierarchy, as the next two.
    pub cells: u64,
    /// Triangles in cells, each in all cells that it intersects.
    pub entries: u64,
    /// Levels of the grid that have triangles.
    pub levels: u64,
    /// Milliseconds for the population of the grid, or the update of the hierarchy.
    pub ms_update: f64,
    /// Milliseconds for finding pairs and testing them.
    pub ms_find: f64,
    /// Milliseconds for sorting the intersections, and for their segments.
    pub ms_sort: f64,
    /// Milliseconds for the run.
    pub ms_total: f64,
}

// SAFETY: `repr(C)`, begins with `struct_size`; numbers only.
unsafe impl Versioned for pccd_discrete_stats {
    const NAME: &'static str = "pccd_discrete_stats";
    const INIT: &'static str = "pccd_discrete_stats_init";
    const MIN_SIZE: usize = 120;

    fn defaults() -> pccd_discrete_stats {
        pccd_discrete_stats {
            struct_size: size_of::<pccd_discrete_stats>() as u32,
            method: PCCD_METHOD_AUTO,
            reason: PCCD_REASON_NONE,
            reserved: 0,
            triangle_count: 0,
            intersections: 0,
            dropped: 0,
            candidates: 0,
            exact_tests: 0,
            node_pairs: 0,
            cells: 0,
            entries: 0,
            levels: 0,
            ms_update: 0.0,
            ms_find: 0.0,
            ms_sort: 0.0,
            ms_total: 0.0,
        }
    }
}

// The numbers in the header are those of the library.
const _: () = {
    assert!(Method::Auto as u32 == PCCD_METHOD_AUTO && Method::Bvh as u32 == PCCD_METHOD_BVH);
    assert!(Method::Grid as u32 == PCCD_METHOD_GRID);
    assert!(Reason::None as u32 == PCCD_REASON_NONE && Reason::Asked as u32 == PCCD_REASON_ASKED);
    assert!(Reason::NoHierarchy as u32 == PCCD_REASON_NO_HIERARCHY);
    assert!(Reason::Rests as u32 == PCCD_REASON_RESTS && Reason::Rebuild as u32 == PCCD_REASON_REBUILD);
    assert!(Reason::Height as u32 == PCCD_REASON_HEIGHT && Reason::Crowded as u32 == PCCD_REASON_CROWDED);
    assert!(Reason::Moves as u32 == PCCD_REASON_MOVES);
};

/// Prepares a struct for pccd_discrete_stats_get(). Pass the size of the struct:
/// `pccd_discrete_stats_init(&stats, sizeof stats)`.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_discrete_stats_init(
    stats: *mut pccd_discrete_stats,
    size: usize,
) -> pccd_status {
    // SAFETY: the caller passes the size of its struct.
    enter("pccd_discrete_stats_init", |call| unsafe { versioned::init(call, "stats", stats, size) })
}

/// Tells how the last run of a query of mode PCCD_MODE_DISCRETE was done; all is 0 before the first, and of
/// queries of other modes. Set the size of the struct with pccd_discrete_stats_init() before.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_discrete_stats_get(
    context: *mut pccd_context,
    query: pccd_query,
    out_stats: *mut pccd_discrete_stats,
) -> pccd_status {
    enter_context("pccd_discrete_stats_get", context, |call, context| {
        let query = context.mesh_queries.get(call, query.id)?;
        // SAFETY: the caller's struct is as large as it says.
        let size = unsafe { versioned::size(call, "out_stats", out_stats) }?;
        let stats = query.discrete.as_ref().map_or_else(Default::default, |discrete| *discrete.stats());
        let stats = pccd_discrete_stats {
            method: stats.method as u32,
            reason: stats.reason as u32,
            triangle_count: stats.triangle_count,
            intersections: stats.intersections,
            dropped: stats.dropped,
            candidates: stats.candidates,
            exact_tests: stats.exact_tests,
            node_pairs: stats.node_pairs,
            cells: stats.cells,
            entries: stats.entries,
            levels: stats.levels,
            ms_update: stats.ms_update,
            ms_find: stats.ms_find,
            ms_sort: stats.ms_sort,
            ms_total: stats.ms_total,
            ..pccd_discrete_stats::defaults()
        };
        // SAFETY: the caller's struct is as large as it says, which is no more than this library knows.
        unsafe { versioned::write(out_stats, stats, size) };
        Ok(())
    })
}
