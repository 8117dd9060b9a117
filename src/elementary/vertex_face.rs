//! A vertex against a face. Relative to the vertex, U, V and W are the face's corners.

use super::Kind;
use super::motion::Positions;
use super::pair::{InnerPoints, Location, Pair, SignedArea};
use super::vec3::{
    accurate_cross, add, closest_on_segment, cross, dot, longest, scale, sub, towards, well_shaped, without,
};
use crate::simd::Lanes;

#[derive(Clone, Copy)]
pub struct VertexFace;

impl Pair for VertexFace {
    const KIND: Kind = Kind::VertexFace;
    const POINT_PAIRS: &'static [(usize, usize)] = &[(0, 1), (0, 2), (0, 3)];

    #[inline(always)]
    fn gaps<V: Lanes>(x: [V; 4]) -> [V; 2] {
        let [v, f0, f1, f2] = x;
        [f0.min(f1).min(f2) - v, v - f0.max(f1).max(f2)]
    }

    /// The vertex is inside if it is on the same side of all three edges; with one area positive and one negative it is outside.
    #[inline(always)]
    fn locate<V: Lanes>(uv: SignedArea<V>, vw: SignedArea<V>, uw: SignedArea<V>) -> Location<V> {
        let (p0, n0) = uv.signs();
        let (p1, n1) = vw.signs();
        let (n2, p2) = uw.signs();
        Location { inside: (p0 & p1 & p2) | (n0 & n1 & n2), outside: (p0 | p1 | p2) & (n0 | n1 | n2) }
    }

    #[inline(always)]
    fn normal<V: Lanes>(uv: V, vw: V, uw: V) -> V {
        uv + vw - uw
    }

    #[inline(always)]
    fn inner_points<V: Lanes>(r: &Positions<V>) -> InnerPoints<V> {
        let [a, b, c] = *r;
        let normal = cross(sub(b, a), sub(c, a));
        let square = dot(normal, normal);
        let wa = dot(normal, cross(b, c)) / square;
        let wb = dot(normal, cross(c, a)) / square;
        let (zero, one) = (V::splat(0.0), V::splat(1.0));
        let wc = one - wa - wb;
        let inside = square.gt(zero) & !(wa.lt(zero) | wb.lt(zero) | wc.lt(zero));
        let clear = inside & square.gt(well_shaped(Self::longest_square(r)));
        InnerPoints { inside, clear, weights: [one, wa, wb, wc] }
    }

    fn closest_weights(r: &[[f64; 3]; 3]) -> [f64; 4] {
        let [a, b, c] = *r;
        let inner = Self::inner_points::<f64>(r);
        if inner.clear {
            return inner.weights;
        }
        let mut best = (f64::INFINITY, [1.0, 1.0, 0.0, 0.0]);
        let mut offer = |weights: [f64; 4]| {
            let difference = Self::difference(r, &weights);
            let distance = dot(difference, difference);
            if distance < best.0 {
                best = (distance, weights);
            }
        };
        if inner.inside {
            offer(inner.weights);
        }
        // The foot on an edge is right also where a nearly degenerate face spoiled the one inside.
        let origin = [0.0; 3];
        let s = closest_on_segment(origin, a, b);
        offer([1.0, 1.0 - s, s, 0.0]);
        let s = closest_on_segment(origin, b, c);
        offer([1.0, 0.0, 1.0 - s, s]);
        let s = closest_on_segment(origin, c, a);
        offer([1.0, s, 0.0, 1.0 - s]);
        best.1
    }

    /// The vertex and: the face, its edges, a corner.
    const FEATURES: usize = 5;

    fn closest_features(weights: &[f64; 4]) -> usize {
        match [weights[1] > 0.0, weights[2] > 0.0, weights[3] > 0.0] {
            [true, true, true] => 0,
            [true, true, false] => 1,
            [false, true, true] => 2,
            [true, false, true] => 3,
            _ => 4,
        }
    }

    fn separating_direction(r: &[[f64; 3]; 3], difference: [f64; 3], features: usize) -> [f64; 3] {
        let [a, b, c] = *r;
        match features {
            0 => towards(accurate_cross(sub(b, a), sub(c, a)), difference),
            1 => without(difference, sub(b, a)),
            2 => without(difference, sub(c, b)),
            3 => without(difference, sub(a, c)),
            _ => difference,
        }
    }

    fn longest_edge(r: &[[f64; 3]; 3]) -> [f64; 3] {
        let [a, b, c] = *r;
        longest([sub(b, a), sub(c, b), sub(a, c)])
    }

    #[inline(always)]
    fn longest_square<V: Lanes>(r: &Positions<V>) -> V {
        let [a, b, c] = *r;
        let (ab, bc, ca) = (sub(b, a), sub(c, b), sub(a, c));
        dot(ab, ab).max(dot(bc, bc)).max(dot(ca, ca))
    }

    #[inline(always)]
    fn difference<V: Lanes>(r: &Positions<V>, weights: &[V; 4]) -> [V; 3] {
        let on_face = add(add(scale(r[0], weights[1]), scale(r[1], weights[2])), scale(r[2], weights[3]));
        scale(on_face, V::splat(-1.0))
    }
}
