//! Many elementary tests in one call.

use super::check;
use super::context::pccd_context;
use super::guard::{Call, Failure, enter, enter_context};
use super::status::*;
use super::versioned::{self, Versioned};
use super::view::{Needed, Points, ViewName, pccd_view};
use crate::detect::{QueriesError, Source};
use crate::elementary::{Hit, Kind, Query, Settings};

/// Kind of query: a vertex against a triangle. Points: v f0 f1 f2.
pub const PCCD_VERTEX_FACE: u32 = 1;
/// Kind of query: two edges. Points: a0 a1 b0 b1.
pub const PCCD_EDGE_EDGE: u32 = 2;

/// Flag of a result: the pair collides.
pub const PCCD_CCD_HIT: u32 = 1;
/// Flag of a result, beside PCCD_CCD_HIT: it does so already at t = 0, touching or closer than
/// min_separation.
pub const PCCD_CCD_AT_START: u32 = 2;

/// Points of a query: four at t = 0, the same four at t = 1.
const POINTS: usize = 8;

const POSITIONS: ViewName = ViewName::argument("positions");

/// What to look for. Fill it with pccd_ccd_settings_init(), then change what should differ.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pccd_ccd_settings {
    /// Size of this struct in bytes, as the caller knows it. Set by pccd_ccd_settings_init().
    pub struct_size: u32,
    /// Has to be 0.
    pub reserved: u32,
    /// Distance d at which two primitives count as colliding; at least 0, by default 0. With 0 the answer
    /// is exact: a pair is reported if and only if the exact motion of the given numbers collides.
    pub min_separation: f64,
    /// Widest bracket of the time of impact: above 0, at most 1, by default 1e-6.
    pub toi_tolerance: f64,
    /// Only with d above 0: no pair is missed that comes within d, and none is reported that stays
    /// farther away than d plus this times the size of the query, which is the largest difference along
    /// an axis between two of its four points, at t = 0 or at t = 1. From 1e-12 to 1, by default 1e-9.
    pub separation_tolerance: f64,
}

// SAFETY: `repr(C)`, begins with `struct_size`; numbers only.
unsafe impl Versioned for pccd_ccd_settings {
    const NAME: &'static str = "pccd_ccd_settings";
    const INIT: &'static str = "pccd_ccd_settings_init";
    const MIN_SIZE: usize = 32;

    fn defaults() -> pccd_ccd_settings {
        let Settings { min_separation, toi_tolerance, separation_tolerance } = Settings::default();
        let struct_size = size_of::<pccd_ccd_settings>() as u32;
        pccd_ccd_settings { struct_size, reserved: 0, min_separation, toi_tolerance, separation_tolerance }
    }
}

/// The answer to one query. For a pair that does not collide flags is 0, both times are +infinity, and
/// all else is 0. No field is ever NaN.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct pccd_ccd_result {
    /// 0, PCCD_CCD_HIT, or PCCD_CCD_HIT and PCCD_CCD_AT_START.
    pub flags: u32,
    /// Always 0.
    pub reserved: u32,
    /// There is no contact before this time.
    pub toi_lower: f64,
    /// The first contact is not after this time; with a min_separation d above 0, the distance at this
    /// time is at most d plus the tolerance. It is at most toi_tolerance later than toi_lower, or the
    /// next double.
    pub toi_upper: f64,
    /// The contact point on each primitive, as weights of the points in input order: 1, f0, f1, f2 for
    /// vertex and face; a0, a1, b0, b1 for two edges.
    pub weights: [f64; 4],
    /// Direction of the contact, of length 1, from the second primitive (face, edge b) to the first:
    /// the normal of the face or of both edges at the time of contact, on the side where the first
    /// primitive was at t = 0 (or else comes from); with a min_separation, from closest point to
    /// closest point. If the face has no area or the edges are parallel then: how the points in contact
    /// were apart at t = 0, or else how they approach each other, perpendicular to the longest edge. If
    /// they are together and stay so: any direction perpendicular to the longest edge, or the x axis if
    /// all edges are points.
    pub normal: [f64; 3],
}

const MISS: pccd_ccd_result = pccd_ccd_result {
    flags: 0,
    reserved: 0,
    toi_lower: f64::INFINITY,
    toi_upper: f64::INFINITY,
    weights: [0.0; 4],
    normal: [0.0; 3],
};

/// Fills a struct with defaults: the exact test, times of impact to 1e-6. Pass the size of the struct:
/// `pccd_ccd_settings_init(&settings, sizeof settings)`.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_ccd_settings_init(
    settings: *mut pccd_ccd_settings,
    size: usize,
) -> pccd_status {
    // SAFETY: the caller passes the size of its struct.
    enter("pccd_ccd_settings_init", |call| unsafe { versioned::init(call, "settings", settings, size) })
}

/// Decides for each of count pairs of primitives whether they collide while their points move linearly
/// from their positions at t = 0 to those at t = 1, and when they do so first.
///
/// A query is eight points in a row: v f0 f1 f2 (PCCD_VERTEX_FACE) or a0 a1 b0 b1 (PCCD_EDGE_EDGE) at t
/// = 0, then the same four at t = 1. 32-bit floats are widened exactly. All coordinates have to be
/// finite. The work is shared by the threads of the context; the results do not depend on their number,
/// on the SIMD level, or on the other queries.
///
/// @param context    the context.
/// @param kind       PCCD_VERTEX_FACE or PCCD_EDGE_EDGE.
/// @param positions  the points of all queries; at least 8 * count elements. Not written to.
/// @param count      number of queries. May be 0; then positions->data and results may be null.
/// @param settings   what to look for; null for defaults.
/// @param results    an array of count elements, which must not overlap the points. Written only on success.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
/// write to the points during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_ccd_batch(
    context: *mut pccd_context,
    kind: u32,
    positions: *const pccd_view,
    count: u64,
    settings: *const pccd_ccd_settings,
    results: *mut pccd_ccd_result,
) -> pccd_status {
    enter_context("pccd_ccd_batch", context, |call, context| {
        let kind = read_kind(call, kind)?;
        call.not_null(positions, "positions")?;
        // SAFETY: the caller's struct; it need not even be aligned.
        let view = unsafe { positions.read_unaligned() };
        let Some(needed) = count.checked_mul(POINTS as u64) else {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!(
                    "count is {count}, of which each needs {POINTS} points, but positions->count is {}",
                    view.count
                ),
            ));
        };
        // SAFETY: the caller promises that the elements are readable and not written to during the call.
        let points = unsafe { Points::new(call, POSITIONS, &view, Needed::AtLeast(needed)) }?;
        // SAFETY: the caller's struct is as large as it says.
        let settings = unsafe { read_settings(call, settings) }?;
        let results = Results::new(call, results, count, &points)?;

        let source = QueryPoints { points };
        context.queries.run(&context.crew, context.level, kind, &settings, &source).map_err(|error| {
            match error {
                QueriesError::Memory(error) => {
                    call.no_memory(format_args!("the hits of count = {count} queries"), error)
                }
                QueriesError::NotFinite { query, column } => not_finite(call, &source.points, query, column),
            }
        })?;
        context.queries.for_each(&context.crew, &|query, hit| results.write(query, hit));
        Ok(())
    })
}

fn read_kind(call: &Call, kind: u32) -> Result<Kind, Failure> {
    match kind {
        PCCD_VERTEX_FACE => Ok(Kind::VertexFace),
        PCCD_EDGE_EDGE => Ok(Kind::EdgeEdge),
        _ => Err(call.fail(
            PCCD_ERR_INVALID_ARGUMENT,
            format_args!("kind is {kind}; expected PCCD_VERTEX_FACE (1) or PCCD_EDGE_EDGE (2)"),
        )),
    }
}

/// # Safety
/// `settings` is null or as large as it says.
unsafe fn read_settings(call: &Call, settings: *const pccd_ccd_settings) -> Result<Settings, Failure> {
    if settings.is_null() {
        return Ok(Settings::default());
    }
    // SAFETY: promised by the caller.
    let settings = unsafe { versioned::read(call, "settings", settings) }?;
    let pccd_ccd_settings { reserved, min_separation, toi_tolerance, separation_tolerance, .. } = settings;
    check::reserved(call, format_args!("settings->reserved"), reserved)?;
    let settings = Settings { min_separation, toi_tolerance, separation_tolerance };
    check_settings(call, "settings", settings)
}

/// Refuses what the elementary tests can't work with. The settings are members of what `argument` points to.
pub(super) fn check_settings(call: &Call, argument: &str, settings: Settings) -> Result<Settings, Failure> {
    let Settings { min_separation, toi_tolerance, separation_tolerance } = settings;
    let wrong = |field: &str, value: f64, expected: &str| {
        call.fail(
            PCCD_ERR_INVALID_ARGUMENT,
            format_args!("{argument}->{field} is {value}; expected {expected}"),
        )
    };
    if !(min_separation.is_finite() && min_separation >= 0.0) {
        return Err(wrong("min_separation", min_separation, "a finite number, at least 0"));
    }
    if !(toi_tolerance > 0.0 && toi_tolerance <= 1.0) {
        return Err(wrong("toi_tolerance", toi_tolerance, "a number above 0, at most 1"));
    }
    if !(1e-12..=1.0).contains(&separation_tolerance) {
        return Err(wrong("separation_tolerance", separation_tolerance, "a number from 1e-12 to 1"));
    }
    // Adding 0 turns the zero below 0 into the one above it: nobody further down has to think of it.
    Ok(Settings { min_separation: min_separation + 0.0, toi_tolerance, separation_tolerance })
}

fn not_finite(call: &Call, points: &Points<'_>, query: usize, column: usize) -> Failure {
    let (point, axis) = (column / 3, column % 3);
    let value = check::not_finite_name(points.get(query * POINTS + point)[axis]);
    call.fail(
        PCCD_ERR_NOT_FINITE,
        format_args!(
            "positions: query {query}, point {point} (at t={}), {} is {value}",
            point / (POINTS / 2),
            ["x", "y", "z"][axis]
        ),
    )
}

/// The caller's points as queries.
struct QueryPoints<'a> {
    points: Points<'a>,
}

impl Source for QueryPoints<'_> {
    fn len(&self) -> usize {
        self.points.count() / POINTS
    }

    fn chunk<'a>(&'a self, first: usize, room: &'a mut [Query]) -> &'a [Query] {
        if let Some(queries) = self.points.in_place(first * POINTS, room.len()) {
            return queries;
        }
        for (index, query) in room.iter_mut().enumerate() {
            for (number, point) in query.as_chunks_mut::<3>().0.iter_mut().enumerate() {
                *point = self.points.get((first + index) * POINTS + number);
            }
        }
        room
    }
}

/// The caller's array for the answers.
struct Results {
    start: *mut pccd_ccd_result,
    count: usize,
}

// SAFETY: workers write to different elements, since each query is given to one of them.
unsafe impl Sync for Results {}

impl Results {
    fn new(
        call: &Call,
        start: *mut pccd_ccd_result,
        count: u64,
        points: &Points<'_>,
    ) -> Result<Results, Failure> {
        if count == 0 {
            return Ok(Results { start, count: 0 });
        }
        let end = check::out_array(call, ("results", start), ("count", count))?;
        let read = points.bytes();
        if start.addr() < read.end && read.start < end {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!("results is {start:p}, which overlaps the points at {:#x}", read.start),
            ));
        }
        Ok(Results { start, count: count as usize })
    }

    /// Called once for each query.
    fn write(&self, query: usize, hit: Option<&Hit>) {
        assert!(query < self.count);
        let result = hit.map_or(MISS, |hit| pccd_ccd_result {
            flags: if hit.at_start { PCCD_CCD_HIT | PCCD_CCD_AT_START } else { PCCD_CCD_HIT },
            reserved: 0,
            toi_lower: hit.toi_lower,
            toi_upper: hit.toi_upper,
            weights: hit.weights,
            normal: hit.normal,
        });
        // SAFETY: inside the caller's array, which is aligned; nobody else writes this element.
        unsafe { self.start.add(query).write(result) };
    }
}
