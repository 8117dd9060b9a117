//! Cheap proofs of "no" over the whole motion. Most queries end here.
//!
//! For a fixed direction, the gap between two primitives is the smallest of several differences that are linear in time. So if
//! they are apart by more than d along it at t = 0 and, on the same side, at t = 1, they are throughout.

use super::motion::Motion;
use super::pair::Pair;
use crate::simd::{Lanes, Mask};

/// Where the primitives certainly stay more than `min_separation` apart along one of the axes.
#[inline(always)]
pub fn apart_along_axes<V: Lanes, P: Pair>(columns: &[V; 24], min_separation: f64) -> V::Mask {
    let distance = V::splat(min_separation);
    let mut apart = V::Mask::from_bits(0);
    for axis in 0..3 {
        apart = apart | apart_along::<V, P>(distance, &coordinates(columns, axis));
    }
    apart
}

/// Where the four points are certainly never coplanar, or the primitives certainly stay apart along the diagonal of two axes.
///
/// A sum of two doubles is rounded monotonically, too, so that comparing rounded sums is a proof without any error bound.
#[inline(always)]
pub fn apart_otherwise<V: Lanes, P: Pair>(columns: &[V; 24]) -> V::Mask {
    let mut apart = Motion::new(columns).volume().never_zero();
    if (!apart).bits() == 0 {
        return apart;
    }
    for (i, j) in [(0, 1), (1, 2), (2, 0)] {
        let mut sums = coordinates(columns, i);
        let mut differences = sums;
        let others = coordinates(columns, j);
        for point in 0..8 {
            sums[point] = sums[point] + others[point];
            differences[point] = differences[point] - others[point];
        }
        let distance = V::splat(0.0);
        apart = apart | apart_along::<V, P>(distance, &sums) | apart_along::<V, P>(distance, &differences);
    }
    apart
}

/// The coordinates of the four points at t = 0 and then at t = 1 along one axis.
#[inline(always)]
fn coordinates<V: Lanes>(columns: &[V; 24], axis: usize) -> [V; 8] {
    let mut along = [V::splat(0.0); 8];
    for (point, coordinate) in along.iter_mut().enumerate() {
        *coordinate = columns[3 * point + axis];
    }
    along
}

/// Where the primitives are apart by more than `distance` in one direction at both ends, given the points' coordinates on it.
///
/// Rounding is monotone: if a rounded gap exceeds the double `distance`, so does the exact one.
#[inline(always)]
fn apart_along<V: Lanes, P: Pair>(distance: V, x: &[V; 8]) -> V::Mask {
    let [front0, back0] = P::gaps([x[0], x[1], x[2], x[3]]);
    let [front1, back1] = P::gaps([x[4], x[5], x[6], x[7]]);
    (front0.gt(distance) & front1.gt(distance)) | (back0.gt(distance) & back1.gt(distance))
}
