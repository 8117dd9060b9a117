//! What to look for in a hierarchy.

use super::ccd::check_settings;
use super::check;
use super::context::{Context, pccd_context};
use super::discrete::{self, PCCD_HASHING_MORTON, PCCD_METHOD_AUTO, QueryObject};
use super::guard::{Call, Failure, enter, enter_context};
use super::query_run::no_memory;
use super::status::*;
use super::versioned::{self, Versioned};
use crate::bvh::Culling;
use crate::detect::{Mode, QuerySettings};
use crate::elementary::Settings;
use crate::memory::MemoryError;

/// Flag of a query: no contacts within a mesh.
pub const PCCD_QUERY_NO_SELF: u32 = 1;
/// Flag of a query: no contacts between different meshes.
pub const PCCD_QUERY_NO_INTER: u32 = 2;
/// Flag of a query of mode PCCD_MODE_DISCRETE: intersections come with their segments.
pub const PCCD_QUERY_SEGMENTS: u32 = 4;

/// Mode of a query: every contact.
pub const PCCD_MODE_ALL: u32 = 1;
/// Mode of a query: only the earliest contact. No pair is in contact before its toi_lower: a step that
/// is safe for a simulation. If several are equally early, the first of them in sorted order.
pub const PCCD_MODE_EARLIEST: u32 = 2;
/// Mode of a query: every pair that cheap tests can't exclude, without elementary tests: their moving boxes
/// meet, and if the separation is 0, a filter in 32-bit floats does not prove them apart either. All
/// colliding pairs are among them. toi_lower is 0, toi_upper 1; flags, weights and normal are 0.
pub const PCCD_MODE_CANDIDATES: u32 = 3;
/// Mode of a query: every pair of triangles that intersect at t = 1, whatever the motion was. They are
/// given by pccd_query_intersections(); there are no contacts. Separations, thicknesses and tolerances
/// are not looked at.
pub const PCCD_MODE_DISCRETE: u32 = 4;

/// Culling of a query: none. Every part of a mesh is tested with itself.
pub const PCCD_CULL_NONE: u32 = 0;
/// Culling of a query: parts of a mesh are not tested with themselves if it is proved that they have no
/// contact. Results are the same bits as without. The proof: seen from a fixed direction, the triangles of
/// the part face the viewer throughout, and the outline of the part never crosses or touches itself. It
/// saves time where large parts of a mesh lie in one layer, and costs some where they do not.
pub const PCCD_CULL_EXACT: u32 = 1;
/// Culling of a query: parts of a mesh are not tested with themselves if cones around their normals, and
/// around the binormals of their edges at the boundary of the mesh, say so (dual cones). Contacts MAY BE
/// MISSED: edges at which a part meets the rest of its mesh are not looked at, so a part that is
/// almost flat but touches or penetrates itself across such an edge is left out. A pipe that is bent into
/// itself is an example. Missed are contacts within a mesh only; nothing is reported that is no contact.
/// What is missed depends on the hierarchy, and so on its settings and on earlier frames, but not on the
/// number of threads, unless the hierarchy is restructured by measured times
/// (PCCD_METRIC_TRAVERSAL_COST).
pub const PCCD_CULL_DUAL_CONE: u32 = 2;

/// The handle of a query: what to look for, and afterwards what was found. It belongs to the context it
/// was created in; any other value of id, that of a query destroyed before included, is answered with
/// PCCD_ERR_STALE_HANDLE.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct pccd_query {
    /// 0 is the null handle, which is answered with PCCD_ERR_NULL. All else is the library's.
    pub id: u64,
}

/// What to look for. Fill it with pccd_query_def_init(), then change what should differ.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pccd_query_def {
    /// Size of this struct in bytes, as the caller knows it. Set by pccd_query_def_init().
    pub struct_size: u32,
    /// A sum of PCCD_QUERY_ flags, by default 0.
    pub flags: u32,
    /// One of the PCCD_MODE_ values, by default PCCD_MODE_ALL.
    pub mode: u32,
    /// Has to be 0.
    pub reserved: u32,
    /// As in pccd_ccd_settings. The distance at which a pair collides is this plus the thickness of both
    /// meshes; the sum has to be finite, which pccd_query_run() checks.
    pub min_separation: f64,
    /// As in pccd_ccd_settings.
    pub toi_tolerance: f64,
    /// As in pccd_ccd_settings.
    pub separation_tolerance: f64,
    /// The most contacts that are kept, the first ones in sorted order; by default 0, which means all.
    /// How many were dropped is told by PCCD_INCOMPLETE from pccd_query_run() and in pccd_query_stats.
    pub capacity: u64,
    /// With mode PCCD_MODE_DISCRETE, one of the PCCD_METHOD_ values, by default PCCD_METHOD_AUTO. Otherwise
    /// it has to be that. Results do not depend on it.
    pub method: u32,
    /// With mode PCCD_MODE_DISCRETE, one of the PCCD_HASHING_ values, by default PCCD_HASHING_MORTON.
    /// Otherwise it has to be that. Results do not depend on it.
    pub hashing: u32,
    /// One of the PCCD_CULL_ values, by default PCCD_CULL_NONE. Only contacts within a mesh at distance 0
    /// are culled: where the separation, thickness included, is more than 0, and with the modes
    /// PCCD_MODE_CANDIDATES and PCCD_MODE_DISCRETE, nothing is.
    pub culling: u32,
    /// Has to be 0.
    pub reserved2: u32,
}

// SAFETY: `repr(C)`, begins with `struct_size`; numbers only.
unsafe impl Versioned for pccd_query_def {
    const NAME: &'static str = "pccd_query_def";
    const INIT: &'static str = "pccd_query_def_init";
    const MIN_SIZE: usize = 48;
    const SIZES: &'static [usize] = &[48, 56, size_of::<pccd_query_def>()];

    fn defaults() -> pccd_query_def {
        let Settings { min_separation, toi_tolerance, separation_tolerance } = Settings::default();
        pccd_query_def {
            struct_size: size_of::<pccd_query_def>() as u32,
            flags: 0,
            mode: PCCD_MODE_ALL,
            reserved: 0,
            min_separation,
            toi_tolerance,
            separation_tolerance,
            capacity: 0,
            method: PCCD_METHOD_AUTO,
            hashing: PCCD_HASHING_MORTON,
            culling: PCCD_CULL_NONE,
            reserved2: 0,
        }
    }
}

/// Fills a struct with defaults: every contact, exactly, times of impact to 1e-6. Pass the size of the
/// struct: `pccd_query_def_init(&def, sizeof def)`.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_query_def_init(def: *mut pccd_query_def, size: usize) -> pccd_status {
    // SAFETY: the caller passes the size of its struct.
    enter("pccd_query_def_init", |call| unsafe { versioned::init(call, "def", def, size) })
}

/// Creates a query, which has no results yet. If def is null, with defaults. It lives until
/// pccd_query_destroy() or the end of the context.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_query_create(
    context: *mut pccd_context,
    def: *const pccd_query_def,
    out_query: *mut pccd_query,
) -> pccd_status {
    enter_context("pccd_query_create", context, |call, context| {
        call.not_null(out_query, "out_query")?;
        let def = if def.is_null() {
            pccd_query_def::defaults()
        } else {
            // SAFETY: the caller's struct is as large as it says.
            unsafe { versioned::read(call, "def", def) }?
        };
        let settings = read_settings(call, &def)?;
        let discrete = discrete::read_settings(call, &def)?;
        let query = QueryObject::new(&context.memory, settings, discrete);
        let id = context.mesh_queries.insert(call, query)?;
        // SAFETY: the caller's pointer to a place for a handle.
        unsafe { out_query.write(pccd_query { id }) };
        Ok(())
    })
}

fn read_settings(call: &Call, def: &pccd_query_def) -> Result<QuerySettings, Failure> {
    let pccd_query_def { flags, mode, reserved, capacity, culling, reserved2, .. } = *def;
    check::flags(
        call,
        "def->flags",
        flags,
        PCCD_QUERY_NO_SELF | PCCD_QUERY_NO_INTER | PCCD_QUERY_SEGMENTS,
        "0 or a sum of PCCD_QUERY_NO_SELF (1), PCCD_QUERY_NO_INTER (2) and PCCD_QUERY_SEGMENTS (4)",
    )?;
    let mode = match mode {
        PCCD_MODE_ALL => Mode::All,
        PCCD_MODE_EARLIEST => Mode::Earliest,
        PCCD_MODE_CANDIDATES => Mode::Candidates,
        // Of the query for contacts, which is not run then.
        PCCD_MODE_DISCRETE => Mode::All,
        _ => {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!(
                    "def->mode is {mode}; expected PCCD_MODE_ALL (1), PCCD_MODE_EARLIEST (2), \
                     PCCD_MODE_CANDIDATES (3) or PCCD_MODE_DISCRETE (4)"
                ),
            ));
        }
    };
    check::reserved(call, format_args!("def->reserved"), reserved)?;
    check::reserved(call, format_args!("def->reserved2"), reserved2)?;
    let culling = match culling {
        PCCD_CULL_NONE => Culling::None,
        PCCD_CULL_EXACT => Culling::Exact,
        PCCD_CULL_DUAL_CONE => Culling::DualCone,
        _ => {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!(
                    "def->culling is {culling}; expected PCCD_CULL_NONE (0), PCCD_CULL_EXACT (1) or \
                     PCCD_CULL_DUAL_CONE (2)"
                ),
            ));
        }
    };
    let pccd_query_def { min_separation, toi_tolerance, separation_tolerance, .. } = *def;
    let elementary =
        check_settings(call, "def", Settings { min_separation, toi_tolerance, separation_tolerance })?;
    Ok(QuerySettings {
        within_meshes: flags & PCCD_QUERY_NO_SELF == 0,
        between_meshes: flags & PCCD_QUERY_NO_INTER == 0,
        mode,
        elementary,
        capacity: if capacity == 0 { usize::MAX } else { capacity as usize },
        culling,
    })
}

/// Makes room for so many contacts, so that later runs that find no more than that ask for no memory to
/// hold them, whichever thread finds which. The memory is written to: the system has handed it out
/// before the frame in which something breaks and everything touches. Without this, room grows with
/// what runs find, and stays. If the context gets another number of threads, it has to be made again.
///
/// A contact takes about 200 bytes; no more than the capacity of the query are counted for those that are
/// kept. The query has no results afterwards, not even if memory is refused, but works as before. For
/// queries of mode PCCD_MODE_DISCRETE it is PCCD_ERR_INVALID_ARGUMENT.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_query_reserve(
    context: *mut pccd_context,
    query: pccd_query,
    contact_count: u64,
) -> pccd_status {
    enter_context("pccd_query_reserve", context, |call, context| {
        let Context { mesh_queries, memory, crew, scheduler, .. } = context;
        let query = mesh_queries.get_mut(call, query.id)?;
        if query.discrete.is_some() {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!("query is of mode PCCD_MODE_DISCRETE (4), which finds no contacts"),
            ));
        }
        let count = usize::try_from(contact_count).map_err(|_| MemoryError::TooLarge);
        let result = count.and_then(|count| query.reserve(crew.worker_count(), *scheduler, count));
        result.map_err(|error| no_memory(call, memory, query, error))
    })
}

/// Destroys a query and its results: the pointers that pccd_query_contacts() and
/// pccd_query_intersections() gave are no longer valid.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_query_destroy(context: *mut pccd_context, query: pccd_query) -> pccd_status {
    enter_context("pccd_query_destroy", context, |call, context| {
        context.mesh_queries.remove(call, query.id)?;
        Ok(())
    })
}
