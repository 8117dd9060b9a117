//! What is certain of candidates, in lanes: by signs of volumes of which it is known how wrong they can be, in floats or doubles.
//!
//! Volumes are of vectors between two corners. Let m₀ m₁ m₂ be the largest of their coordinates by axis, as computed, and ε the largest relative error of an operation.
//!
//! *Doubles.* With each difference off by ε of itself, a computed volume is off by at most 8.01ε of the sum of the magnitudes of its six products (see
//! [`super::orientation::volume_sign`]). That is at most 48.1ε m₀m₁m₂, and 50ε cover the rounding of the bound as well. Coordinates are below 2³⁰⁰
//! ([`Soup::is_tame`](super::soup::Soup::is_tame)), so that underflow adds less than 2⁻⁷⁶⁰.
//!
//! *Floats* are local coordinates, at most one, off by E, which is 1.001ε or nothing, as in [`super::leaves`]. So a coordinate of a vector is off by eᵢ = 2E + 1.001εmᵢ, and each of the six products by
//! (m₀ + e₀)(m₁ + e₁)(m₂ + e₂) − m₀m₁m₂. With E = 1.001ε, s = m₀m₁ + m₁m₂ + m₂m₀, M ≥ mᵢ and, as M ≤ 2.01, eᵢ ≤ 4.1E, that is at most 2Es + 3.01Em₀m₁m₂ + 51E²M + 69E³; with E = 0 it is at most
//! 3.01εm₀m₁m₂. Computing the volume of what the vectors are then takes five roundings of each product, which is 5.01εm₀m₁m₂. Six times all that is less than 12Es + 48.2·1.001εm₀m₁m₂ + 306E²M + 414E³.
//! With 12.1, 48.5, 310 and 420 the rounding of the bound is covered; underflow takes less than 2⁻¹⁴⁰ of all, for which 2⁻¹⁰⁰ is added.

use super::candidates::Candidates;
use crate::elementary::vec3::{cross, dot, sub};
use crate::mesh::VertexMotion;
use crate::simd::{self, Doubles, Lanes, MAX_LANES, MAX_SINGLES, Mask, Singles};

/// Where corners are, and how wrong a volume can be of vectors whose coordinates are, by axis, at most these.
pub trait Source<V: Lanes> {
    /// A corner of `count` candidates from the first one on.
    fn corner(&self, candidates: &Candidates, corner: usize, first: usize, count: usize) -> [V; 3];

    fn bound(&self, largest: [V; 3]) -> V;
}

/// Positions at t = 1 as they are. For tame soups.
pub struct Exact<'a>(pub &'a [VertexMotion]);

/// Local coordinates, and how wrong they are. For affine soups.
pub struct Rounded<'a> {
    pub points: &'a [[f32; 4]],
    pub error: f64,
}

const ROUNDING: f64 = 50.0 * (f64::EPSILON / 2.0);
const UNDERFLOW: f64 = f64::from_bits((1023 - 760) << 52);

impl<V: Doubles> Source<V> for Exact<'_> {
    #[inline(always)]
    fn corner(&self, candidates: &Candidates, corner: usize, first: usize, count: usize) -> [V; 3] {
        let motions = simd::rows::<_, MAX_LANES>(self.0, candidates.corner(corner, first), count);
        let mut rows = [&motions[0].0; MAX_LANES];
        for (row, motion) in rows.iter_mut().zip(motions) {
            *row = &motion.0;
        }
        let columns = V::transpose::<8>(rows);
        [columns[4], columns[5], columns[6]]
    }

    #[inline(always)]
    fn bound(&self, [x, y, z]: [V; 3]) -> V {
        x * y * z * V::splat(ROUNDING) + V::splat(UNDERFLOW)
    }
}

const EPSILON: f64 = 1.001 * (f32::EPSILON / 2.0) as f64;
const UNDERFLOW_OF_FLOATS: f64 = f64::from_bits((1023 - 100) << 52);

impl<V: Singles> Source<V> for Rounded<'_> {
    #[inline(always)]
    fn corner(&self, candidates: &Candidates, corner: usize, first: usize, count: usize) -> [V; 3] {
        let rows = simd::rows::<_, MAX_SINGLES>(self.points, candidates.corner(corner, first), count);
        let [x, y, z, _] = V::transpose_points(rows);
        [x, y, z]
    }

    #[inline(always)]
    fn bound(&self, [x, y, z]: [V; 3]) -> V {
        let e = self.error;
        let product = x * y;
        let squares = product + (x + y) * z;
        V::splat(12.1 * e) * squares
            + V::splat(48.5 * EPSILON) * (product * z)
            + V::splat(310.0 * e * e) * (x + y + z)
            + V::splat(420.0 * e * e * e + UNDERFLOW_OF_FLOATS)
    }
}

/// What is certain of some candidates, by lane.
pub struct Answer {
    pub yes: u32,
    pub no: u32,
    /// Where the corners of the second triangle are, positive and negative, then those of the first.
    sides: [[u32; 2]; 6],
}

/// How wrong a volume of three of these vectors can be.
#[inline(always)]
fn bound<V: Lanes, S: Source<V>, const N: usize>(source: &S, vectors: [[V; 3]; N]) -> V {
    // Without closures, here and below: they would not be compiled for the instruction set.
    let mut largest = [V::splat(0.0); 3];
    for vector in vectors {
        for axis in 0..3 {
            largest[axis] = largest[axis].max(vector[axis].abs());
        }
    }
    source.bound(largest)
}

/// Lanes in which a volume is certainly positive, and negative.
#[inline(always)]
fn signs<V: Lanes>(volume: V, bound: V) -> [u32; 2] {
    [volume.gt(bound).bits(), (V::splat(0.0) - volume).gt(bound).bits()]
}

/// Some corners of each candidate.
#[inline(always)]
fn corners<V: Lanes, S: Source<V>, const N: usize>(
    source: &S,
    candidates: &Candidates,
    first: usize,
    count: usize,
    numbers: [usize; N],
) -> [[V; 3]; N] {
    let mut corners = [[V::splat(0.0); 3]; N];
    for (place, number) in corners.iter_mut().zip(numbers) {
        *place = source.corner(candidates, number, first, count);
    }
    corners
}

/// Lanes in which two triangles certainly meet, and in which they do not, of those in which all corners have certain sides, on both of the other's plane: as
/// [`super::triangle_triangle::cross`].
#[inline(always)]
fn crossings<V: Lanes, S: Source<V>>(
    source: &S,
    first: [[V; 3]; 3],
    sides_of_first: [[u32; 2]; 3],
    second: [[V; 3]; 3],
    sides_of_second: [[u32; 2]; 3],
) -> [u32; 2] {
    let ([p, q, r], first_alone) = lonely_first(first, sides_of_first);
    let ([s, t, u], second_alone) = lonely_first(second, sides_of_second);
    // Turned over where the other's lonely corner is on the negative side.
    let (q, r) = swapped_unless(second_alone, q, r);
    let (t, u) = swapped_unless(first_alone, t, u);
    let (pq, pr, ps, pt, pu) = (sub(q, p), sub(r, p), sub(s, p), sub(t, p), sub(u, p));
    let one = signs(dot(cross(pq, ps), pt), bound::<V, S, 3>(source, [pq, ps, pt]));
    let other = signs(dot(cross(pr, pu), ps), bound::<V, S, 3>(source, [pr, pu, ps]));
    [one[1] & other[1], one[0] | other[0]]
}

/// The corners, turned such that the one alone on its side comes first, and the lanes in which that is the positive side.
#[inline(always)]
fn lonely_first<V: Lanes>([a, b, c]: [[V; 3]; 3], [d, e, f]: [[u32; 2]; 3]) -> ([[V; 3]; 3], u32) {
    let alike = |x: [u32; 2], y: [u32; 2]| (x[0] & y[0]) | (x[1] & y[1]);
    let (is_a, is_b) = (alike(e, f), alike(d, f));
    let positive = (is_a & d[0]) | (is_b & e[0]) | (!is_a & !is_b & f[0]);
    let (is_a, is_b) = (V::Mask::from_bits(is_a), V::Mask::from_bits(is_b));
    let mut corners = [a; 3];
    for axis in 0..3 {
        let (x, y, z) = (a[axis], b[axis], c[axis]);
        corners[0][axis] = x.select(is_a, y.select(is_b, z));
        corners[1][axis] = y.select(is_a, z.select(is_b, x));
        corners[2][axis] = z.select(is_a, x.select(is_b, y));
    }
    (corners, positive)
}

#[inline(always)]
fn swapped_unless<V: Lanes>(lanes: u32, a: [V; 3], b: [V; 3]) -> ([V; 3], [V; 3]) {
    let mask = V::Mask::from_bits(lanes);
    let (mut first, mut second) = (a, b);
    for axis in 0..3 {
        first[axis] = a[axis].select(mask, b[axis]);
        second[axis] = b[axis].select(mask, a[axis]);
    }
    (first, second)
}

impl Answer {
    /// Nothing.
    pub const NONE: Answer = Answer { yes: 0, no: 0, sides: [[0; 2]; 6] };

    /// Of candidates that share as many vertices as this.
    #[inline(always)]
    pub fn new<V: Lanes, S: Source<V>>(
        source: &S,
        candidates: &Candidates,
        shared: usize,
        first: usize,
        count: usize,
    ) -> Answer {
        match shared {
            0 => Answer::of_disjoint(source, candidates, first, count),
            1 => Answer::of_vertex_sharing(source, candidates, first, count),
            _ => Answer::of_edge_sharing(source, candidates, first, count),
        }
    }

    /// On which sides of each other's planes corners are.
    #[inline(always)]
    fn of_disjoint<V: Lanes, S: Source<V>>(
        source: &S,
        candidates: &Candidates,
        first: usize,
        count: usize,
    ) -> Answer {
        let [a, b, c, p, q, r] = corners(source, candidates, first, count, [0, 1, 2, 3, 4, 5]);
        let (ab, ac, ap, aq, ar) = (sub(b, a), sub(c, a), sub(p, a), sub(q, a), sub(r, a));
        let (normal, error) = (cross(ab, ac), bound::<V, S, 5>(source, [ab, ac, ap, aq, ar]));
        let (d, e, f) =
            (signs(dot(normal, ap), error), signs(dot(normal, aq), error), signs(dot(normal, ar), error));
        let mut no = (d[0] & e[0] & f[0]) | (d[1] & e[1] & f[1]);
        let (pq, pr, pa, pb, pc) = (sub(q, p), sub(r, p), sub(a, p), sub(b, p), sub(c, p));
        let (normal, error) = (cross(pq, pr), bound::<V, S, 5>(source, [pq, pr, pa, pb, pc]));
        let (s, t, u) =
            (signs(dot(normal, pa), error), signs(dot(normal, pb), error), signs(dot(normal, pc), error));
        no |= (s[0] & t[0] & u[0]) | (s[1] & t[1] & u[1]);
        let sides = [d, e, f, s, t, u];
        let mut crossing = !no;
        for [positive, negative] in sides {
            crossing &= positive | negative;
        }
        let mut yes = 0;
        if crossing != 0 {
            let [met, missed] = crossings::<V, S>(source, [a, b, c], [s, t, u], [p, q, r], [d, e, f]);
            yes = crossing & met;
            no |= crossing & missed;
        }
        Answer { yes, no, sides }
    }

    /// Of two triangles with a common vertex v, (v, a, b) and (v, c, d), positions relative to it.
    ///
    /// They have more in common only if c and d are on different sides of the plane of the first one, and a and b on different sides of that of the second. Then each meets the line that the
    /// planes have in common in a segment that begins at v, and the question is whether these go in the same direction. For any four vectors
    /// det(b c d) a − det(a c d) b = det(a b c) d − det(a b d) c. On the left, as det(b c d) and det(a c d) have different signs, is a point of the first triangle's segment, or its negative, as
    /// det(b c d) is positive or not; on the right one of the second's, as det(a b c) is. So it is the same direction if det(b c d) and det(a b c) have the same sign.
    #[inline(always)]
    fn of_vertex_sharing<V: Lanes, S: Source<V>>(
        source: &S,
        candidates: &Candidates,
        first: usize,
        count: usize,
    ) -> Answer {
        let [v, a, b, c, d] = corners(source, candidates, first, count, [0, 1, 2, 4, 5]);
        let (a, b, c, d) = (sub(a, v), sub(b, v), sub(c, v), sub(d, v));
        let error = bound::<V, S, 4>(source, [a, b, c, d]);
        let (first, second) = (cross(a, b), cross(c, d));
        let (abc, abd) = (signs(dot(first, c), error), signs(dot(first, d), error));
        let (acd, bcd) = (signs(dot(second, a), error), signs(dot(second, b), error));
        let alike = |x: [u32; 2], y: [u32; 2]| (x[0] & y[0]) | (x[1] & y[1]);
        let unlike = |x: [u32; 2], y: [u32; 2]| (x[0] & y[1]) | (x[1] & y[0]);
        let straddle = unlike(abc, abd) & unlike(acd, bcd);
        Answer {
            yes: straddle & alike(bcd, abc),
            no: alike(abc, abd) | alike(acd, bcd) | (straddle & unlike(bcd, abc)),
            sides: [[0; 2]; 6],
        }
    }

    /// Two triangles with a common edge have nothing else in common if they are not in one plane.
    #[inline(always)]
    fn of_edge_sharing<V: Lanes, S: Source<V>>(
        source: &S,
        candidates: &Candidates,
        first: usize,
        count: usize,
    ) -> Answer {
        let [v, w, a, b] = corners(source, candidates, first, count, [0, 1, 2, 5]);
        let (w, a, b) = (sub(w, v), sub(a, v), sub(b, v));
        let [positive, negative] = signs(dot(cross(w, a), b), bound::<V, S, 3>(source, [w, a, b]));
        Answer { yes: 0, no: positive | negative, sides: [[0; 2]; 6] }
    }

    /// On which sides all six corners of a lane are, if that is certain.
    #[inline(always)]
    pub fn sides_of(&self, lane: usize) -> Option<[i32; 6]> {
        let sides = self
            .sides
            .map(|[positive, negative]| (positive >> lane & 1) as i32 - (negative >> lane & 1) as i32);
        (!sides.contains(&0)).then_some(sides)
    }
}
