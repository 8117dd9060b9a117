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
use super::narrow;
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

/// Positions relative to the first point at both ends of a part of the motion, and how wrong they can be by axis.
#[derive(Clone, Copy)]
struct Part<V> {
    start: Positions<V>,
    end: Positions<V>,
    error: [V; 3],
}

impl<V: Lanes> Part<V> {
    /// The whole motion. `columns` are, for each of the four points, x, y, z, any number, at t = 0 and then at t = 1; `sides` tells which mesh it is of.
    #[inline(always)]
    fn whole(columns: &[[V; 8]; 4], sides: [usize; 4], frame: &Frame) -> Part<V> {
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
        let [start, end] = ends;
        Part { start, end, error: [V::splat(frame.error); 3] }
    }

    /// The part from one time to another, both relative to this one.
    ///
    /// With m the largest coordinate of an axis, a coordinate at a time is r₀ + t (r₁ − r₀), with |r₁ − r₀| ≤ 2m: the errors of r₀ and r₁ are carried over (weights sum to
    /// one), and the difference, the product and the sum are each off by 2v m at most. The error claimed is 8v m and a thousandth more, for its own roundings and for
    /// underflow, which is nothing against the error of a [`Frame`], 2⁻⁵² at least.
    #[inline(always)]
    fn between(&self, from: V, until: V) -> Part<V> {
        let mut part = *self;
        for (axis, large) in largest(&self.start, &self.end).into_iter().enumerate() {
            for point in 0..3 {
                let (start, way) = (self.start[point][axis], self.end[point][axis] - self.start[point][axis]);
                part.start[point][axis] = start + from * way;
                part.end[point][axis] = start + until * way;
            }
            let rounding = large * V::splat(8.0 * V::UNIT_ROUNDOFF);
            part.error[axis] = (self.error[axis] + rounding) * V::splat(1.0 + 1.0 / 1024.0);
        }
        part
    }
}

/// Where the primitives certainly never touch, as a look at the times tells at which the four points are coplanar: there are none, or the primitives are apart at all of them.
///
/// Takes more time than [`first_look`], for what that leaves.
#[inline(always)]
pub fn apart_when_coplanar<V: Lanes, P: Pair>(
    columns: &[[V; 8]; 4],
    sides: [usize; 4],
    frame: &Frame,
) -> V::Mask {
    let mut part = Part::whole(columns, sides, frame);
    let mut apart = V::Mask::from_bits(0);
    for _ in 0..ROUNDS {
        let volume = volume_between(&part.start, &part.end, &part.error);
        let (from, until) = volume.hull();
        part = part.between(from, until);
        apart =
            apart | volume.never_zero() | narrow::locate::<V, P>(&part.start, &part.end, &part.error).outside;
    }
    apart
}

/// Of 411 thousand candidates of a cloth on a ball, of which 114 thousand are contacts, 226, 159 and 143 thousand are left after one, two and three rounds. Two took the
/// least time in all, compared with one.
const ROUNDS: usize = 2;

/// What a first look tells.
#[derive(Clone, Copy)]
pub struct FirstLook<V: Lanes> {
    /// Where the primitives certainly never touch: the four points are never coplanar, or stay apart along the diagonal of two axes.
    pub apart: V::Mask,
    /// Where both primitives seem to have a point in the same place at t = 0, as parts have that just broke off from each other. Nothing is claimed but that it is worth a look.
    pub together: V::Mask,
}

/// `columns` are, for each of the four points, x, y, z, any number, at t = 0 and then at t = 1; `sides` tells which mesh it is of.
#[inline(always)]
pub fn first_look<V: Lanes, P: Pair>(
    columns: &[[V; 8]; 4],
    sides: [usize; 4],
    frame: &Frame,
) -> FirstLook<V> {
    let Part { start, end, error } = Part::whole(columns, sides, frame);
    let volume = volume_between(&start, &end, &error);
    let mut apart = volume.never_zero();
    let mut together = V::Mask::from_bits(0);
    if (!apart).bits() != 0 {
        apart = apart | apart_along_diagonals::<V, P>(&start, &end, error[0]);
        // Points that are the same span no volume: few others do not either, and most lanes are done here.
        let flat = !apart & !volume.c[0].abs().gt(volume.bound);
        if flat.bits() != 0 {
            together = flat & near_points::<V, P>(&start, error[0]);
        }
    }
    FirstLook { apart, together }
}

/// Where a point of one primitive is as close to one of the other as rounding lets the same point seem.
#[inline(always)]
fn near_points<V: Lanes, P: Pair>(positions: &Positions<V>, error: V) -> V::Mask {
    let zero = V::splat(0.0);
    let [u, v, w] = *positions;
    let points = [[zero; 3], u, v, w];
    // both coordinates with their error, and the rounding of the difference
    let margin = error * V::splat(3.0);
    let mut near = V::Mask::from_bits(0);
    for &(a, b) in P::POINT_PAIRS {
        let way = |axis: usize| (points[b][axis] - points[a][axis]).abs();
        near = near | !way(0).max(way(1)).max(way(2)).gt(margin);
    }
    near
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elementary::edge_edge::EdgeEdge;
    use crate::elementary::vertex_face::VertexFace;

    /// A coordinate of one of the four points at t = 0 and t = 1: where all is exact in floats, and the sum of both, twice the position at t = 1/2, is given.
    fn around_the_middle(middle: i32, way: i32) -> [f32; 2] {
        [(middle - way) as f32, (middle + way) as f32]
    }

    /// Primitives that touch at t = 1/2 in the given points, with everything else at random; how often that was taken for apart.
    fn mistakes<P: Pair>(contact: fn([[i32; 3]; 4]) -> [[i32; 3]; 4]) -> [usize; 2] {
        let mut seed = 1u64;
        let mut random = |range: i32| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((seed >> 33) as i32).rem_euclid(2 * range + 1) - range
        };
        let mut wrong = [0; 2];
        for i in 0..20_000 {
            // large and small ones against the extent, which decides about the error
            let (size, speed) = (1 << (4 + i % 8), 1 << (i / 8 % 12));
            let mut points = [[0; 3]; 4];
            for coordinate in points.as_flattened_mut() {
                *coordinate = random(size);
            }
            let points = contact(points);
            let mut columns = [[0.0f32; 8]; 4];
            for (column, point) in columns.iter_mut().zip(points) {
                for axis in 0..3 {
                    let [start, end] = around_the_middle(point[axis], random(speed));
                    (column[axis], column[4 + axis]) = (start, end);
                }
            }
            let frame = Frame::new([[0.0; 3]; 2], [8192.0; 2]).unwrap();
            wrong[0] += usize::from(first_look::<f32, P>(&columns, [0; 4], &frame).apart);
            wrong[1] += usize::from(apart_when_coplanar::<f32, P>(&columns, [0; 4], &frame));
        }
        wrong
    }

    #[test]
    fn what_touches_is_not_apart() {
        // the vertex in the middle of an edge of the face, or in a corner: nothing is farther from being clear
        let on_an_edge = |[_, a, b, c]: [[i32; 3]; 4]| {
            let [a, b] = [a, b].map(|corner| corner.map(|x| x & !1));
            [std::array::from_fn(|axis| (a[axis] + b[axis]) / 2), a, b, c]
        };
        let in_a_corner = |[_, a, b, c]: [[i32; 3]; 4]| [a, a, b, c];
        let inside = |[_, a, b, c]: [[i32; 3]; 4]| {
            let [a, b, c] = [a, b, c].map(|corner| corner.map(|x| x & !3));
            [std::array::from_fn(|axis| (2 * a[axis] + b[axis] + c[axis]) / 4), a, b, c]
        };
        for contact in [on_an_edge, in_a_corner, inside] {
            assert_eq!(mistakes::<VertexFace>(contact), [0; 2]);
        }
        // two edges that cross in the middle of both, or where one ends
        let crossing =
            |[a, b, c, _]: [[i32; 3]; 4]| [a, b, c, std::array::from_fn(|axis| a[axis] + b[axis] - c[axis])];
        let at_an_end = |[a, b, _, d]: [[i32; 3]; 4]| {
            let [a, b] = [a, b].map(|end| end.map(|x| x & !1));
            [a, b, std::array::from_fn(|axis| (a[axis] + b[axis]) / 2), d]
        };
        for contact in [crossing, at_an_end] {
            assert_eq!(mistakes::<EdgeEdge>(contact), [0; 2]);
        }
    }

    #[test]
    fn a_closer_look_finds_what_is_apart_when_coplanar() {
        // A vertex that falls through the plane of a face, inside or just beside it, where no axis and no diagonal tells.
        let frame = Frame::new([[0.0; 3]; 2], [100.0; 2]).unwrap();
        for (y, is_beside) in [(18.0, true), (22.0, false)] {
            let mut columns = [[0.0f32; 8]; 4];
            for (column, [x, y, z0, z1]) in columns.iter_mut().zip([
                [40.0, y, 30.0, -20.0],
                [0.0, 0.0, 0.0, 0.0],
                [100.0, 50.0, 0.0, 0.0],
                [0.0, 50.0, 0.0, 0.0],
            ]) {
                *column = [x, y, z0, 0.0, x, y, z1, 0.0];
            }
            assert!(!first_look::<f32, VertexFace>(&columns, [0; 4], &frame).apart);
            assert_eq!(apart_when_coplanar::<f32, VertexFace>(&columns, [0; 4], &frame), is_beside);
        }
    }
}
