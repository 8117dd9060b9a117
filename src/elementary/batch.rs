//! Many queries at once: what is cheap for all of them first, in SIMD lanes; then what is left, with more and more effort.
//!
//! | stage | decides | in |
//! |---|---|---|
//! | [`cull::apart_along_axes`] | separated along an axis | all lanes |
//! | [`cull::apart_otherwise`] | separated along a diagonal, or never coplanar | all lanes |
//! | [`narrow::decide_single_root`] | coplanar once, clearly inside or outside | all lanes |
//! | [`narrow::decide`] | anything that floating point can certify | one query |
//! | [`exact`] | everything | one query |
//!
//! With a minimum separation, the last three are replaced by [`separation`].

use super::contact::ScaledMotion;
use super::edge_edge::EdgeEdge;
use super::narrow::{self, Verdict};
use super::pair::Pair;
use super::vertex_face::VertexFace;
use super::{Hit, Kind, Query, Settings, cull, exact, separation};
use crate::simd::{self, Kernel, Lanes, Level, MAX_LANES, Mask};
use std::marker::PhantomData;

/// Numbers of working memory that [`run`] needs: keep one such slice per worker.
pub const SCRATCH_LIMBS: usize = exact::LIMBS;

/// A coordinate that is NaN or infinite: `queries[query][column]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotFinite {
    pub query: usize,
    pub column: usize,
}

/// Decides all `queries` and calls `report(index, hit)` for those that collide, in the order of their indices.
///
/// # Errors
///
/// The first coordinate that is not finite. Hits of earlier queries may have been reported by then.
///
/// # Panics
///
/// If `scratch` is shorter than [`SCRATCH_LIMBS`] or `level` is not supported.
pub fn run(
    level: Level,
    kind: Kind,
    queries: &[Query],
    settings: &Settings,
    scratch: &mut [u64],
    report: &mut dyn FnMut(usize, &Hit),
) -> Result<(), NotFinite> {
    assert!(scratch.len() >= SCRATCH_LIMBS);
    match kind {
        Kind::VertexFace => simd::dispatch(
            level,
            Batch::<VertexFace> { pair: PhantomData, queries, settings, scratch, report },
        ),
        Kind::EdgeEdge => {
            simd::dispatch(level, Batch::<EdgeEdge> { pair: PhantomData, queries, settings, scratch, report })
        }
    }
}

/// Queries that go through a stage before the survivors go through the next one, in full lanes again: few enough to be still in
/// the cache by then.
const CHUNK: usize = 512;

struct Batch<'a, P> {
    pair: PhantomData<P>,
    queries: &'a [Query],
    settings: &'a Settings,
    scratch: &'a mut [u64],
    report: &'a mut dyn FnMut(usize, &Hit),
}

impl<P: Pair> Kernel for Batch<'_, P> {
    type Output = Result<(), NotFinite>;

    #[inline(always)]
    fn run<V: Lanes>(self) -> Result<(), NotFinite> {
        let Batch { queries, settings, scratch, report, .. } = self;
        let mut survivors = [0; CHUNK];
        for (i, chunk) in queries.chunks(CHUNK).enumerate() {
            let first = i * CHUNK;
            let (mut count, finite) = cull_axes::<V, P>(chunk, settings.min_separation, &mut survivors);
            if !finite {
                return Err(first_not_finite(chunk, first));
            }
            let exact = settings.min_separation == 0.0;
            if exact {
                count = cull_otherwise::<V, P>(chunk, &mut survivors, count);
            }
            for group in survivors[..count].chunks(V::COUNT) {
                let verdicts = if exact {
                    narrow::decide_single_root::<V, P>(&load::<V>(chunk, group), settings.toi_tolerance)
                } else {
                    [Verdict::Unknown; MAX_LANES]
                };
                for (&index, verdict) in group.iter().zip(verdicts) {
                    let index = index as usize;
                    if let Some(hit) = finish::<P>(&chunk[index], verdict, settings, scratch) {
                        report(first + index, &hit);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Writes the indices of the queries that are not separated along an axis to `survivors`. Returns their number, and whether all
/// coordinates are finite.
#[inline(always)]
fn cull_axes<V: Lanes, P: Pair>(
    chunk: &[Query],
    min_separation: f64,
    survivors: &mut [u32; CHUNK],
) -> (usize, bool) {
    let mut count = 0;
    let mut finite = true;
    for start in (0..chunk.len()).step_by(V::COUNT) {
        let lanes = V::COUNT.min(chunk.len() - start);
        let indices: [u32; MAX_LANES] = std::array::from_fn(|lane| (start + lane) as u32);
        let columns = load::<V>(chunk, &indices[..lanes]);
        let in_use = u32::MAX >> (32 - lanes);
        finite &= all_finite(&columns).bits() & in_use == in_use;
        let apart = cull::apart_along_axes::<V, P>(&columns, min_separation).bits();
        count = keep(!apart & in_use, &indices, survivors, count);
    }
    (count, finite)
}

/// Where all coordinates are finite: 0 x is not zero if x is NaN or infinite.
#[inline(always)]
fn all_finite<V: Lanes>(columns: &[V; 24]) -> V::Mask {
    // four sums side by side, so that none waits for the one before
    let mut sums = [V::splat(0.0); 4];
    for (i, &x) in columns.iter().enumerate() {
        sums[i % 4] = sums[i % 4] + x * V::splat(0.0);
    }
    let [a, b, c, d] = sums;
    ((a + b) + (c + d)).lt(V::splat(1.0))
}

/// Keeps those of the first `count` survivors that the other tests can't exclude, and returns their number.
#[inline(always)]
fn cull_otherwise<V: Lanes, P: Pair>(chunk: &[Query], survivors: &mut [u32; CHUNK], count: usize) -> usize {
    let mut kept = 0;
    for start in (0..count).step_by(V::COUNT) {
        let lanes = V::COUNT.min(count - start);
        let mut indices = [0; MAX_LANES];
        indices[..lanes].copy_from_slice(&survivors[start..start + lanes]);
        let columns = load::<V>(chunk, &indices[..lanes]);
        let apart = cull::apart_otherwise::<V, P>(&columns).bits();
        kept = keep(!apart & u32::MAX >> (32 - lanes), &indices, survivors, kept);
    }
    kept
}

/// Appends the indices of the lanes that are set to the first `count` survivors.
#[inline(always)]
fn keep(mut lanes: u32, indices: &[u32; MAX_LANES], survivors: &mut [u32; CHUNK], mut count: usize) -> usize {
    while lanes != 0 {
        survivors[count] = indices[lanes.trailing_zeros() as usize];
        count += 1;
        lanes &= lanes - 1;
    }
    count
}

/// The queries of a chunk with the given indices, one to a lane; the last one also in the lanes that are left.
#[inline(always)]
fn load<V: Lanes>(chunk: &[Query], indices: &[u32]) -> [V; 24] {
    let last = indices.len() - 1;
    V::transpose::<24>(std::array::from_fn(|lane| &chunk[indices[lane.min(last)] as usize]))
}

/// Decides a query that the lanes left open, and describes the contact.
fn finish<P: Pair>(query: &Query, verdict: Verdict, settings: &Settings, scratch: &mut [u64]) -> Option<Hit> {
    if settings.min_separation > 0.0 {
        return separation::first_contact::<P>(query, settings);
    }
    let verdict = match verdict {
        Verdict::Unknown if P::share_a_point(query) => Verdict::Start,
        Verdict::Unknown => narrow::decide::<P>(query, settings.toi_tolerance),
        known => known,
    };
    let (toi_lower, toi_upper, at_start) = match verdict {
        Verdict::Miss => return None,
        Verdict::Start => (0.0, 0.0, true),
        Verdict::Hit(lower, upper) => (lower, upper, false),
        Verdict::Unknown => {
            let contact = exact::first_contact(P::KIND, query, settings.toi_tolerance, scratch)?;
            (contact.toi_lower, contact.toi_upper, contact.at_start)
        }
    };
    let (motion, _) = ScaledMotion::new(query);
    let (weights, normal) = motion.contact::<P>(0.5 * (toi_lower + toi_upper));
    Some(Hit { at_start, toi_lower, toi_upper, weights, normal })
}

fn first_not_finite(chunk: &[Query], first: usize) -> NotFinite {
    let position = chunk.as_flattened().iter().position(|x| !x.is_finite()).unwrap_or(0);
    NotFinite { query: first + position / 24, column: position % 24 }
}
