//! Queries given as eight points each: what is not separated along an axis goes through the [`stages`].

use super::describe::{Collisions, describe};
use super::edge_edge::EdgeEdge;
use super::pair::Pair;
use super::stages::{self, CHUNK, Room, Source, keep};
use super::vertex_face::VertexFace;
use super::{Hit, Impact, Kind, Query, Settings, cull, exact};
use crate::simd::{self, Doubles, Kernel, Level, MAX_LANES, Mask};
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
    fn run<V: Doubles>(self) -> Result<(), NotFinite> {
        let Batch { queries, settings, scratch, report, .. } = self;
        let mut room = Room::new();
        let mut collisions = Collisions::EMPTY;
        for (i, chunk) in queries.chunks(CHUNK).enumerate() {
            let first = i * CHUNK;
            let (count, finite) =
                cull_axes::<V, P>(queries, first, chunk, settings.min_separation, &mut room.survivors);
            if !finite {
                return Err(first_not_finite(chunk, first));
            }
            collisions.clear();
            let collide = &mut |index: u32, impact: Impact| collisions.push(index, impact);
            stages::decide::<V, P, [Query]>(chunk, &mut room, count, false, settings, scratch, collide);
            let found = collisions.as_slice();
            let report = |i: usize, hit: &Hit| report(first + found[i].index as usize, hit);
            describe::<V, P, [Query]>(chunk, found, settings.min_separation, report);
        }
        Ok(())
    }
}

/// How far ahead queries are fetched: beyond what the CPU does by itself, which stops at the end of a page.
const AHEAD: usize = 32;

/// Writes the indices of the queries that are not separated along an axis to `survivors`. Returns their number, and whether all
/// coordinates are finite.
#[inline(always)]
fn cull_axes<V: Doubles, P: Pair>(
    queries: &[Query],
    first: usize,
    chunk: &[Query],
    min_separation: f64,
    survivors: &mut [u32; CHUNK],
) -> (usize, bool) {
    let mut count = 0;
    let mut finite = true;
    for start in (0..chunk.len()).step_by(V::COUNT) {
        let lanes = V::COUNT.min(chunk.len() - start);
        // the last one also in the lanes that are left
        let indices: [u32; MAX_LANES] = std::array::from_fn(|lane| (start + lane.min(lanes - 1)) as u32);
        let columns = chunk.load::<V>(&indices);
        for ahead in start + AHEAD..start + AHEAD + lanes {
            if let Some(query) = queries.get(first + ahead) {
                simd::prefetch(query);
            }
        }
        let in_use = u32::MAX >> (32 - lanes);
        finite &= all_finite(&columns).bits() & in_use == in_use;
        let apart = cull::apart_along_axes::<V, P>(&columns, min_separation).bits();
        count = keep(!apart & in_use, &indices, survivors, count);
    }
    (count, finite)
}

/// Where all coordinates are finite: 0 x is not zero if x is NaN or infinite.
#[inline(always)]
fn all_finite<V: Doubles>(columns: &[V; 24]) -> V::Mask {
    // four sums side by side, so that none waits for the one before
    let mut sums = [V::splat(0.0); 4];
    for (i, &x) in columns.iter().enumerate() {
        sums[i % 4] = sums[i % 4] + x * V::splat(0.0);
    }
    let [a, b, c, d] = sums;
    ((a + b) + (c + d)).lt(V::splat(1.0))
}

impl Source for [Query] {
    #[inline(always)]
    fn load<V: Doubles>(&self, indices: &[u32; MAX_LANES]) -> [V; 24] {
        V::transpose::<24>(simd::rows(self, indices, V::COUNT))
    }

    fn query(&self, index: u32) -> Query {
        self[index as usize]
    }
}

fn first_not_finite(chunk: &[Query], first: usize) -> NotFinite {
    let position = chunk.as_flattened().iter().position(|x| !x.is_finite()).unwrap_or(0);
    NotFinite { query: first + position / 24, column: position % 24 }
}
