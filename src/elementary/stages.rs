//! What decides a query, in the order of its cost: first what is cheap, in SIMD lanes; then what is left, with more and more effort.
//!
//! | stage | decides | in |
//! |---|---|---|
//! | [`cull::apart_along_axes`] | separated along an axis | all lanes |
//! | [`cull::apart_otherwise`] | separated along a diagonal, or never coplanar | all lanes |
//! | [`narrow::decide_single_root`] | coplanar once, clearly inside or outside | all lanes |
//! | [`narrow::decide_two_roots`] | coplanar twice or not at all | all lanes |
//! | [`narrow::decide`] | anything that floating point can certify | one query |
//! | [`exact`] | everything | one query |
//!
//! The first stage is the caller's: a hierarchy has done it already, and for its candidates a [`super::filter`] in floats replaces the second one. With a minimum separation, the others are replaced by [`separation`].

use super::narrow::{self, Verdict};
use super::pair::Pair;
use super::{Impact, Query, Settings, cull, exact, separation};
use crate::simd::{Doubles, MAX_LANES, Mask};

/// Queries that go through a stage before the survivors go through the next one, in full lanes again: few enough to be still in
/// the cache by then.
pub const CHUNK: usize = 512;

/// Working memory for a chunk: keep one per worker. What it holds between calls means nothing.
pub struct Room {
    /// Indices of the queries that are not decided.
    pub survivors: [u32; CHUNK],
    open: [u32; CHUNK],
    verdicts: [Verdict; CHUNK],
}

impl Room {
    pub const fn new() -> Room {
        Room { survivors: [0; CHUNK], open: [0; CHUNK], verdicts: [Verdict::Unknown; CHUNK] }
    }

    /// Makes all of the first `count` queries survivors.
    #[inline(always)]
    pub fn take_all(&mut self, count: usize) {
        for (index, survivor) in self.survivors[..count].iter_mut().enumerate() {
            *survivor = index as u32;
        }
    }
}

impl Default for Room {
    fn default() -> Room {
        Room::new()
    }
}

/// Where queries come from.
pub trait Source {
    /// The queries with the given indices, at least one, one to a lane; the last one also in the lanes that are left.
    fn load<V: Doubles>(&self, indices: &[u32]) -> [V; 24];

    fn query(&self, index: u32) -> Query;
}

/// Decides the first `count` of the `survivors` in `room`; if `is_culled`, a [`super::filter`] has done the second stage. Calls `report(index, impact)` for those that collide, in their order. All coordinates
/// are finite. Returns how many it took exact arithmetic for.
#[inline(always)]
pub fn decide<V: Doubles, P: Pair, S: Source + ?Sized>(
    source: &S,
    room: &mut Room,
    mut count: usize,
    is_culled: bool,
    settings: &Settings,
    scratch: &mut [u64],
    report: &mut dyn FnMut(u32, Impact),
) -> u64 {
    let Room { survivors, open, verdicts } = room;
    let exact = settings.min_separation == 0.0;
    if exact && !is_culled {
        count = cull_otherwise::<V, P, S>(source, survivors, count);
    }
    if exact {
        decide_roots::<V, P, S>(source, &survivors[..count], settings.toi_tolerance, open, verdicts);
    } else {
        verdicts[..count].fill(Verdict::Unknown);
    }
    let mut exact_tests = 0;
    for (&index, &verdict) in survivors[..count].iter().zip(&*verdicts) {
        if verdict == Verdict::Miss {
            continue;
        }
        let impact = match verdict {
            Verdict::Hit(toi_lower, toi_upper) => Some(Impact { at_start: false, toi_lower, toi_upper }),
            _ => finish::<P>(&source.query(index), settings, scratch, &mut exact_tests),
        };
        if let Some(impact) = impact {
            report(index, impact);
        }
    }
    exact_tests
}

/// What the lanes can decide: most of it at once, and of the rest, in full lanes again, most.
#[inline(always)]
fn decide_roots<V: Doubles, P: Pair, S: Source + ?Sized>(
    source: &S,
    survivors: &[u32],
    toi_tolerance: f64,
    open: &mut [u32; CHUNK],
    verdicts: &mut [Verdict; CHUNK],
) {
    let mut open_count = 0;
    for (start, group) in (0..).step_by(V::COUNT).zip(survivors.chunks(V::COUNT)) {
        let decided = narrow::decide_single_root::<V, P>(&source.load::<V>(group), toi_tolerance);
        for (lane, &verdict) in decided.iter().enumerate().take(group.len()) {
            verdicts[start + lane] = verdict;
            if verdict == Verdict::Unknown {
                open[open_count] = (start + lane) as u32;
                open_count += 1;
            }
        }
    }
    for group in open[..open_count].chunks(V::COUNT) {
        let mut indices = [0; MAX_LANES];
        for (index, &place) in indices.iter_mut().zip(group) {
            *index = survivors[place as usize];
        }
        let columns = source.load::<V>(&indices[..group.len()]);
        let decided = narrow::decide_two_roots::<V, P>(&columns, toi_tolerance);
        for (&place, verdict) in group.iter().zip(decided) {
            verdicts[place as usize] = verdict;
        }
    }
}

/// Keeps those of the first `count` survivors that the other tests can't exclude, and returns their number.
#[inline(always)]
fn cull_otherwise<V: Doubles, P: Pair, S: Source + ?Sized>(
    source: &S,
    survivors: &mut [u32; CHUNK],
    count: usize,
) -> usize {
    let mut kept = 0;
    for start in (0..count).step_by(V::COUNT) {
        let lanes = V::COUNT.min(count - start);
        let mut indices = [0; MAX_LANES];
        indices[..lanes].copy_from_slice(&survivors[start..start + lanes]);
        let columns = source.load::<V>(&indices[..lanes]);
        let apart = cull::apart_otherwise::<V, P>(&columns).bits();
        kept = keep(!apart & u32::MAX >> (32 - lanes), &indices, survivors, kept);
    }
    kept
}

/// Appends the indices of the lanes that are set to the first `count` survivors.
#[inline(always)]
pub fn keep(
    mut lanes: u32,
    indices: &[u32; MAX_LANES],
    survivors: &mut [u32; CHUNK],
    mut count: usize,
) -> usize {
    while lanes != 0 {
        survivors[count] = indices[lanes.trailing_zeros() as usize];
        count += 1;
        lanes &= lanes - 1;
    }
    count
}

/// Decides a query that the lanes left open.
fn finish<P: Pair>(
    query: &Query,
    settings: &Settings,
    scratch: &mut [u64],
    exact_tests: &mut u64,
) -> Option<Impact> {
    if settings.min_separation > 0.0 {
        return separation::first_contact::<P>(query, settings);
    }
    let verdict = if P::share_a_point(query) {
        Verdict::Start
    } else {
        narrow::decide::<P>(query, settings.toi_tolerance)
    };
    match verdict {
        Verdict::Miss => None,
        Verdict::Start => Some(Impact { at_start: true, toi_lower: 0.0, toi_upper: 0.0 }),
        Verdict::Hit(toi_lower, toi_upper) => Some(Impact { at_start: false, toi_lower, toi_upper }),
        Verdict::Unknown => {
            *exact_tests += 1;
            exact::first_contact(P::KIND, query, settings.toi_tolerance, scratch)
        }
    }
}
