//! Two edges. Relative to a0, U is a1, V is b0 and W is b1.

use super::Kind;
use super::motion::Positions;
use super::pair::{InnerPoints, Location, Pair, SignedArea};
use super::vec3::{
    accurate_cross, add, closest_on_segment, cross, dot, longest, scale, sub, towards, well_shaped, without,
};
use crate::simd::Lanes;

#[derive(Clone, Copy)]
pub struct EdgeEdge;

impl Pair for EdgeEdge {
    const KIND: Kind = Kind::EdgeEdge;
    const POINT_PAIRS: &'static [(usize, usize)] = &[(0, 2), (0, 3), (1, 2), (1, 3)];

    #[inline(always)]
    fn gaps<V: Lanes>(x: [V; 4]) -> [V; 2] {
        let [a0, a1, b0, b1] = x;
        [b0.min(b1) - a0.max(a1), a0.min(a1) - b0.max(b1)]
    }

    /// The edges cross if each has its ends on both sides of the other. The areas of b0 and b1 with edge a are `uv` and `uw`;
    /// those of a0 and a1 with edge b are `vw` and (V − U) × (W − U) = `vw` + `uv` − `uw`.
    #[inline(always)]
    fn locate<V: Lanes>(uv: SignedArea<V>, vw: SignedArea<V>, uw: SignedArea<V>) -> Location<V> {
        // Three errors and two roundings of a sum of at most 12 products of coordinates, each at most half the bound's last
        // term: four bounds are more than enough.
        let mut end_of_a = SignedArea { bound: uv.bound * V::splat(4.0), ..vw };
        for (i, coefficient) in end_of_a.coefficients.iter_mut().enumerate() {
            *coefficient = *coefficient + uv.coefficients[i] - uw.coefficients[i];
        }
        let (b0_left, b0_right) = uv.signs();
        let (b1_left, b1_right) = uw.signs();
        let (a0_left, a0_right) = vw.signs();
        let (a1_left, a1_right) = end_of_a.signs();
        let b_crosses = (b0_left & b1_right) | (b0_right & b1_left);
        let a_crosses = (a0_left & a1_right) | (a0_right & a1_left);
        let b_aside = (b0_left & b1_left) | (b0_right & b1_right);
        let a_aside = (a0_left & a1_left) | (a0_right & a1_right);
        Location { inside: a_crosses & b_crosses, outside: a_aside | b_aside }
    }

    #[inline(always)]
    fn normal<V: Lanes>(uv: V, _vw: V, uw: V) -> V {
        uw - uv
    }

    #[inline(always)]
    fn inner_points<V: Lanes>(r: &Positions<V>) -> InnerPoints<V> {
        let [a1, b0, b1] = *r;
        let along_b = sub(b1, b0);
        let normal = cross(a1, along_b);
        let square = dot(normal, normal);
        let u = dot(cross(b0, along_b), normal) / square;
        let v = dot(cross(b0, a1), normal) / square;
        let (zero, one) = (V::splat(0.0), V::splat(1.0));
        let inside = square.gt(zero) & !(u.lt(zero) | u.gt(one) | v.lt(zero) | v.gt(one));
        let clear = inside & square.gt(well_shaped(Self::longest_square(r)));
        InnerPoints { inside, clear, weights: weights_at(u, v) }
    }

    fn closest_weights(r: &[[f64; 3]; 3]) -> [f64; 4] {
        let [a1, b0, b1] = *r;
        let a0 = [0.0; 3];
        let inner = Self::inner_points::<f64>(r);
        if inner.clear {
            return inner.weights;
        }
        let mut best = (f64::INFINITY, [1.0, 0.0, 1.0, 0.0]);
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
        // An end of one edge against the other: exact for parallel edges, and better for nearly parallel ones.
        offer(weights_at(0.0, closest_on_segment(a0, b0, b1)));
        offer(weights_at(1.0, closest_on_segment(a1, b0, b1)));
        offer(weights_at(closest_on_segment(b0, a0, a1), 0.0));
        offer(weights_at(closest_on_segment(b1, a0, a1), 1.0));
        best.1
    }

    /// Both edges, edge a and an end of b, edge b and an end of a, an end of each.
    const FEATURES: usize = 4;

    fn closest_features(weights: &[f64; 4]) -> usize {
        let inside = |v: f64, w: f64| v > 0.0 && w > 0.0;
        match [inside(weights[0], weights[1]), inside(weights[2], weights[3])] {
            [true, true] => 0,
            [true, false] => 1,
            [false, true] => 2,
            [false, false] => 3,
        }
    }

    fn separating_direction(r: &[[f64; 3]; 3], difference: [f64; 3], features: usize) -> [f64; 3] {
        let (along_a, along_b) = (r[0], sub(r[2], r[1]));
        match features {
            0 => towards(accurate_cross(along_a, along_b), difference),
            1 => without(difference, along_a),
            2 => without(difference, along_b),
            _ => difference,
        }
    }

    fn longest_edge(r: &[[f64; 3]; 3]) -> [f64; 3] {
        longest([r[0], sub(r[2], r[1])])
    }

    #[inline(always)]
    fn longest_square<V: Lanes>(r: &Positions<V>) -> V {
        let along_b = sub(r[2], r[1]);
        dot(r[0], r[0]).max(dot(along_b, along_b))
    }

    #[inline(always)]
    fn difference<V: Lanes>(r: &Positions<V>, weights: &[V; 4]) -> [V; 3] {
        let on_b = add(scale(r[1], weights[2]), scale(r[2], weights[3]));
        sub(scale(r[0], weights[1]), on_b)
    }
}

/// The weights of the points at `u` of edge a and `v` of edge b.
#[inline(always)]
fn weights_at<V: Lanes>(u: V, v: V) -> [V; 4] {
    let one = V::splat(1.0);
    [one - u, u, one - v, v]
}
