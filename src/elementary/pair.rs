//! What the two kinds of query have in common, and what tells them apart.
//!
//! The first point (the vertex v, or the edge end a0) is the origin of all relative coordinates. The other three are called
//! U, V and W: the corners of the face, or a1, b0 and b1. Everything else is the same code for both kinds.

use super::Kind;
use super::motion::Positions;
use super::vec3::cross;
use crate::simd::Lanes;

/// Vertex-face or edge-edge.
pub trait Pair: Copy {
    const KIND: Kind;

    /// Pairs of points, one of each primitive.
    const POINT_PAIRS: &'static [(usize, usize)];

    /// How far the second primitive is in front of the first one and behind it, along a direction on which the points have the
    /// coordinates `x`. At most one of the two is positive; none is if the primitives overlap in this direction.
    fn gaps<V: Lanes>(x: [V; 4]) -> [V; 2];

    /// Whether both primitives have a point in the same place, given coordinates of all four, and the same number of others behind them. All are compared: which are equal, no branch could guess.
    #[inline(always)]
    fn share_a_point<const N: usize>(points: [&[f64; N]; 4]) -> bool {
        let are_same =
            |a: usize, b: usize| (0..N).fold(true, |same, axis| same & (points[a][axis] == points[b][axis]));
        Self::POINT_PAIRS.iter().fold(false, |any, &(a, b)| any | are_same(a, b))
    }

    /// What the signs of the areas of three pairs of relative positions tell, seen along one axis.
    fn locate<V: Lanes>(uv: SignedArea<V>, vw: SignedArea<V>, uw: SignedArea<V>) -> Location<V>;

    /// A multiple of the normal of the face, or of both edges, from the cross products of the relative positions.
    fn normal<V: Lanes>(uv: V, vw: V, uw: V) -> V;

    /// That normal for positions U, V and W.
    #[inline(always)]
    fn normal_of<V: Lanes>(r: &Positions<V>) -> [V; 3] {
        let [u, v, w] = *r;
        let (uv, vw, uw) = (cross(u, v), cross(v, w), cross(u, w));
        [
            Self::normal(uv[0], vw[0], uw[0]),
            Self::normal(uv[1], vw[1], uw[1]),
            Self::normal(uv[2], vw[2], uw[2]),
        ]
    }

    /// The closest points if they are inside both primitives.
    fn inner_points<V: Lanes>(r: &Positions<V>) -> InnerPoints<V>;

    /// The weights of the four points that give the closest points of both primitives. `r` are U, V and W.
    fn closest_weights(r: &[[f64; 3]; 3]) -> [f64; 4];

    /// The features on which the closest points can lie, where a [`Pair::separating_direction`] depends on it.
    const FEATURES: usize;

    /// The features on which the closest points with the given weights lie.
    fn closest_features(weights: &[f64; 4]) -> usize;

    /// A direction along which the primitives are apart by their distance, given the vector between the closest points, if these lie on the
    /// given features. It is made perpendicular to the edges or the face: of the vector itself that is true only up to
    /// rounding errors, which would tilt it the more, the closer the primitives are.
    fn separating_direction(r: &[[f64; 3]; 3], difference: [f64; 3], features: usize) -> [f64; 3];

    /// The longest edge of both primitives.
    fn longest_edge(r: &[[f64; 3]; 3]) -> [f64; 3];

    /// Its squared length.
    fn longest_square<V: Lanes>(r: &Positions<V>) -> V;

    /// The two points that `weights` give, as the vector from the second primitive's to the first one's.
    fn difference<V: Lanes>(r: &Positions<V>, weights: &[V; 4]) -> [V; 3];
}

/// Points of the plane of a face, or of the lines of two edges.
#[derive(Clone, Copy)]
pub struct InnerPoints<V: Lanes> {
    /// Where they are points of the primitives, too.
    pub inside: V::Mask,
    /// Where they are also accurate: the primitives are neither degenerate nor nearly so.
    pub clear: V::Mask,
    pub weights: [V; 4],
}

/// Twice the area that the origin and two moving points span in a view, over an interval of time: its three Bernstein coefficients
/// (the middle one doubled) and a bound on the error of each.
#[derive(Clone, Copy)]
pub struct SignedArea<V> {
    pub coefficients: [V; 3],
    pub bound: V,
}

/// What is proven for a whole interval of time.
#[derive(Clone, Copy)]
pub struct Location<V: Lanes> {
    /// Seen along the axis, the primitives cross each other's inside.
    pub inside: V::Mask,
    /// Seen along the axis, the primitives do not meet.
    pub outside: V::Mask,
}

impl<V: Lanes> SignedArea<V> {
    /// Where it is certainly positive, and certainly negative, throughout: the Bernstein polynomial lies between its smallest and
    /// its largest coefficient.
    #[inline(always)]
    pub fn signs(&self) -> (V::Mask, V::Mask) {
        let [a, b, c] = self.coefficients;
        let negative_bound = V::splat(0.0) - self.bound;
        (a.min(b).min(c).gt(self.bound), a.max(b).max(c).lt(negative_bound))
    }
}
