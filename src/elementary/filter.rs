//! The cheap proofs of "no" in floats, twice as many at once as doubles, for vertices of meshes.
//!
//! A mesh keeps its vertices in floats, too, relative to one of them, the origin o. With R the largest such coordinate, each is off by at most v R, where v = 2⁻²⁴,
//! but for terms of 2⁻⁵³. For two meshes with origins o₁ and o₂, with d = o₂ − o₁ rounded to floats and S = R₁ + R₂ + |d|, coordinates q of the
//! second become q + d, and positions relative to a point p are differences of two of these. All in all their errors are at most
//!
//! - v (R₁ + R₂) of p and q, and v |d| of d;
//! - v (R₂ + |d|) of the sum q + d;
//! - v S of the difference,
//!
//! which is less than 4v S: the error of a [`Frame`]. From there on [`volume_between`] bounds the errors of the volume, with floats as well as with
//! doubles.

use super::motion::{Positions, largest, volume_between};
use super::pair::Pair;
use crate::simd::{Lanes, Mask};

/// Nothing is claimed unless S is between these: products of three coordinates stay far from overflow, and of the bounds, which contain the error three times,
/// what underflow takes is covered by [`super::motion::underflow`]: 2^±30.
const SMALLEST: f64 = 1.0 / (1u64 << 30) as f64;
const LARGEST: f64 = (1u64 << 30) as f64;

/// How the floats of two meshes go together.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// To be added to coordinates of the second mesh.
    offset: [f32; 3],
    /// How wrong relative coordinates can be.
    error: f64,
}

impl Frame {
    /// Of two meshes with these origins and largest coordinates in floats; none if these are too small or too large for floats.
    pub fn new(origins: [[f64; 3]; 2], extents: [f64; 2]) -> Option<Frame> {
        let mut offset = [0.0; 3];
        let mut size = extents[0] + extents[1];
        for axis in 0..3 {
            let distance = origins[1][axis] - origins[0][axis];
            offset[axis] = distance as f32;
            size = size.max(extents[0] + extents[1] + distance.abs());
        }
        // Twice as large as the largest sum of the three, but for rounding, is on the safe side; and an infinite one is not in the range.
        ((SMALLEST..=LARGEST).contains(&size))
            .then_some(Frame { offset, error: size * (4.0 * <f32 as Lanes>::UNIT_ROUNDOFF) })
    }
}

/// Where the primitives certainly never touch: the four points are never coplanar, or stay apart along the diagonal of two axes.
///
/// `columns` are, for each of the four points, x, y, z, any number, at t = 0 and then at t = 1; `sides` tells which mesh it is of.
#[inline(always)]
pub fn apart<V: Lanes, P: Pair>(columns: &[[V; 8]; 4], sides: [usize; 4], frame: &Frame) -> V::Mask {
    let zero = V::splat(0.0);
    let mut ends = [[[zero; 3]; 3]; 2];
    for (end, positions) in ends.iter_mut().enumerate() {
        for axis in 0..3 {
            // The first point is of the first mesh.
            let origin = columns[0][4 * end + axis];
            for other in 0..3 {
                let mut coordinate = columns[other + 1][4 * end + axis];
                if sides[other + 1] == 1 {
                    coordinate = coordinate + V::splat(frame.offset[axis] as f64);
                }
                positions[other][axis] = coordinate - origin;
            }
        }
    }
    let [start, end] = &ends;
    let error = V::splat(frame.error);
    let apart = volume_between(start, end, &[error; 3]).never_zero();
    if (!apart).bits() == 0 {
        return apart;
    }
    apart | apart_along_diagonals::<V, P>(start, end, error)
}

/// Where the primitives stay apart along the diagonal of two axes.
///
/// With m the largest coordinates of both axes and e their errors, a sum of two coordinates is off by 2e + v (m₁ + m₂), a gap between two sums by 4e + 4v (m₁ + m₂)
/// with its own rounding. The margin is larger by more than its roundings.
#[inline(always)]
fn apart_along_diagonals<V: Lanes, P: Pair>(start: &Positions<V>, end: &Positions<V>, error: V) -> V::Mask {
    let large = largest(start, end);
    let zero = V::splat(0.0);
    let mut apart = V::Mask::from_bits(0);
    for (i, j) in [(0, 1), (1, 2), (2, 0)] {
        let margin = error * V::splat(5.0) + (large[i] + large[j]) * V::splat(8.0 * V::UNIT_ROUNDOFF);
        let (mut sums, mut differences) = ([[zero; 4]; 2], [[zero; 4]; 2]);
        for (moment, positions) in [start, end].into_iter().enumerate() {
            for other in 0..3 {
                sums[moment][other + 1] = positions[other][i] + positions[other][j];
                differences[moment][other + 1] = positions[other][i] - positions[other][j];
            }
        }
        for [from, to] in [sums, differences] {
            let ([front0, back0], [front1, back1]) = (P::gaps(from), P::gaps(to));
            apart = apart | (front0.min(front1).gt(margin) | back0.min(back1).gt(margin));
        }
    }
    apart
}
