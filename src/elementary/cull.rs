//! Cheap proofs of "no" over the whole motion. Most queries end here.
//!
//! For a fixed direction, the gap between two primitives is the smallest of several differences that are linear in time. So if
//! they are apart by more than d along it at t = 0 and, on the same side, at t = 1, they are throughout.

use super::motion::Motion;
use super::pair::Pair;
use crate::simd::{Lanes, Mask};

/// Queries that stay farther apart than `min_separation`: certain where set.
#[inline(always)]
pub fn stay_apart<V: Lanes, P: Pair>(columns: &[V; 24], min_separation: f64) -> V::Mask {
    let all = V::Mask::from_bits(u32::MAX).bits();
    let distance = V::splat(min_separation);
    let at = |time: usize, point: usize, axis: usize| columns[12 * time + 3 * point + axis];
    let mut apart = V::Mask::from_bits(0);
    for axis in 0..3 {
        apart = apart | apart_along::<V, P>(distance, |time, point| at(time, point, axis));
    }
    if min_separation > 0.0 || apart.bits() == all {
        return apart;
    }
    // The six face diagonals. A sum of two doubles is rounded monotonically as well, so that comparing rounded sums is a
    // proof, too, without any error bound. (Only for d = 0: for others the diagonal's length would have to be rounded.)
    for (i, j) in [(0, 1), (1, 2), (2, 0)] {
        apart = apart | apart_along::<V, P>(distance, |time, point| at(time, point, i) + at(time, point, j));
        apart = apart | apart_along::<V, P>(distance, |time, point| at(time, point, i) - at(time, point, j));
    }
    if apart.bits() == all {
        return apart;
    }
    apart | Motion::new(columns).volume().never_zero()
}

/// Where the primitives are apart by more than `distance` in one direction at both ends, given the points' coordinates on it by
/// time and point.
///
/// Rounding is monotone: if a rounded gap exceeds the double `distance`, so does the exact one.
#[inline(always)]
fn apart_along<V: Lanes, P: Pair>(distance: V, coordinate: impl Fn(usize, usize) -> V) -> V::Mask {
    let gaps = |time: usize| P::gaps(std::array::from_fn(|point| coordinate(time, point)));
    let ([front0, back0], [front1, back1]) = (gaps(0), gaps(1));
    (front0.gt(distance) & front1.gt(distance)) | (back0.gt(distance) & back1.gt(distance))
}
