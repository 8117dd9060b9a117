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

use super::narrow::{self, Decided, Verdict};
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
    verdicts: Verdicts,
}

/// What the lanes found out about each survivor of a chunk.
struct Verdicts {
    /// Bits: no contact, or certainly one.
    miss: [u64; CHUNK / 64],
    hit: [u64; CHUNK / 64],
    /// When, if there certainly is a contact.
    lower: [f64; CHUNK],
    upper: [f64; CHUNK],
}

impl Verdicts {
    /// Takes over a group of survivors, from `start` on.
    #[inline(always)]
    fn set<V: Doubles>(&mut self, start: usize, decided: &Decided<V>, in_use: u32) {
        let (lower, upper) = (decided.lower.to_array(), decided.upper.to_array());
        self.lower[start..start + V::COUNT].copy_from_slice(&lower[..V::COUNT]);
        self.upper[start..start + V::COUNT].copy_from_slice(&upper[..V::COUNT]);
        self.miss[start / 64] |= ((decided.miss & in_use) as u64) << (start % 64);
        self.hit[start / 64] |= ((decided.hit & in_use) as u64) << (start % 64);
    }
}

impl Room {
    pub const fn new() -> Room {
        let (bits, times) = ([0; CHUNK / 64], [0.0; CHUNK]);
        let verdicts = Verdicts { miss: bits, hit: bits, lower: times, upper: times };
        Room { survivors: [0; CHUNK], open: [0; CHUNK], verdicts }
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
    /// The queries with the first of the given indices, one to a lane.
    fn load<V: Doubles>(&self, indices: &[u32; MAX_LANES]) -> [V; 24];

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
    (verdicts.miss, verdicts.hit) = ([0; CHUNK / 64], [0; CHUNK / 64]);
    if exact {
        decide_roots::<V, P, S>(source, &survivors[..count], settings.toi_tolerance, open, verdicts);
    }
    let mut exact_tests = 0;
    for (word, start) in (0..count).step_by(64).enumerate() {
        let in_use = u64::MAX >> (64 - (count - start).min(64));
        let mut left = !verdicts.miss[word] & in_use;
        while left != 0 {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            let (place, index) = (start + bit, survivors[start + bit]);
            let impact = if verdicts.hit[word] >> bit & 1 != 0 {
                let (toi_lower, toi_upper) = (verdicts.lower[place], verdicts.upper[place]);
                Some(Impact { at_start: false, toi_lower, toi_upper })
            } else {
                finish::<P>(&source.query(index), settings, scratch, &mut exact_tests)
            };
            if let Some(impact) = impact {
                report(index, impact);
            }
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
    verdicts: &mut Verdicts,
) {
    let mut open_count = 0;
    for start in (0..survivors.len()).step_by(V::COUNT) {
        let lanes = V::COUNT.min(survivors.len() - start);
        let in_use = u32::MAX >> (32 - lanes);
        let mut indices = [survivors[start]; MAX_LANES];
        indices[..lanes].copy_from_slice(&survivors[start..start + lanes]);
        let decided = narrow::decide_single_root::<V, P>(&source.load::<V>(&indices), toi_tolerance);
        verdicts.set(start, &decided, in_use);
        let mut left = !(decided.miss | decided.hit) & in_use;
        while left != 0 {
            open[open_count] = start as u32 + left.trailing_zeros();
            open_count += 1;
            left &= left - 1;
        }
    }
    for group in open[..open_count].chunks(V::COUNT) {
        let mut indices = [survivors[group[0] as usize]; MAX_LANES];
        for (index, &place) in indices.iter_mut().zip(group) {
            *index = survivors[place as usize];
        }
        let columns = source.load::<V>(&indices);
        let decided = narrow::decide_two_roots::<V, P>(&columns, toi_tolerance);
        let (lower, upper) = (decided.lower.to_array(), decided.upper.to_array());
        for (lane, &place) in group.iter().enumerate() {
            let place = place as usize;
            verdicts.miss[place / 64] |= ((decided.miss >> lane & 1) as u64) << (place % 64);
            verdicts.hit[place / 64] |= ((decided.hit >> lane & 1) as u64) << (place % 64);
            (verdicts.lower[place], verdicts.upper[place]) = (lower[lane], upper[lane]);
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
        let mut indices = [survivors[start]; MAX_LANES];
        indices[..lanes].copy_from_slice(&survivors[start..start + lanes]);
        let columns = source.load::<V>(&indices);
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
    let points = query.as_chunks::<3>().0;
    let verdict = if P::share_a_point([&points[0], &points[1], &points[2], &points[3]]) {
        Verdict::Start
    } else {
        narrow::decide::<P>(query, settings.toi_tolerance)
    };
    match verdict {
        Verdict::Miss => None,
        Verdict::Start => Some(Impact::AT_START),
        Verdict::Hit(toi_lower, toi_upper) => Some(Impact { at_start: false, toi_lower, toi_upper }),
        Verdict::Unknown => {
            *exact_tests += 1;
            exact::first_contact(P::KIND, query, settings.toi_tolerance, scratch)
        }
    }
}
