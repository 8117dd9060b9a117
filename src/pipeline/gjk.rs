//! The distance of two convex cores (Gilbert, Johnson, Keerthi 1988): section 3.2 of the pipeline paper names it for convex objects.
//!
//! The difference A − B of two cores is convex, and its point closest to the origin is as far from it as the cores are from each other. A simplex of
//! its corners is moved towards the origin: the corner that lies farthest against the closest point so far is added, and corners that the new closest point
//! does not need are dropped.
//!
//! *When it ends.* For a point v of the difference and the corner w that is farthest against it, every point of the difference has v·x ≥ v·w. So the
//! distance is between v·w / |v| and |v|, and the search ends when these are close to each other. It also ends when w is a corner that the simplex has or had last,
//! or when |v| does not decrease: then no better point can be told in doubles. As |v| decreases strictly, no simplex comes twice, and there are
//! finitely many; the limit on the number of rounds makes it few.

use super::core::Placed;
use super::simplex::{Corner, Simplex};
use super::transform::unit;
use crate::elementary::vec3::{Vec3, dot, extent, scale, sub};

/// Cores with a thousand corners need some thirty rounds.
const ROUNDS: usize = 128;

/// The bounds of the squared distance are this close when the search ends.
const TOLERANCE: f64 = 1e-14;

/// Distances below this share of the coordinates are rounding errors of these.
const TOUCHING: f64 = 4.0 * f64::EPSILON;

/// Two cores that have no point in common.
#[derive(Clone, Copy, Debug)]
pub struct Apart {
    pub distance: f64,
    /// Of length 1, from b to a.
    pub normal: Vec3,
    /// The closest points: weighted corners.
    pub simplex: Simplex,
}

/// How two cores are.
#[derive(Clone, Copy, Debug)]
pub enum Relation {
    /// Farther apart than the limit.
    Far,
    Apart(Apart),
    /// The origin is in, or within rounding errors of, this simplex of the difference.
    Meeting(Simplex),
}

/// Finds out how two cores are, up to a distance.
pub fn relation(a: &Placed<'_>, b: &Placed<'_>, limit: f64) -> Relation {
    let corner = |direction: Vec3| {
        let against = scale(direction, -1.0);
        Corner::new(a.support(against), b.support(direction))
    };
    let mut start = sub(a.middle(), b.middle());
    if start == [0.0; 3] {
        start = [1.0, 0.0, 0.0];
    }
    let mut simplex = Simplex::new(corner(start));
    let mut v = simplex.closest();
    let mut largest = size(&simplex.corners[0]);
    let mut dropped: Option<Corner> = None;
    for _ in 0..ROUNDS {
        let square = dot(v, v);
        let touching = TOUCHING * largest;
        if square <= touching * touching {
            return Relation::Meeting(simplex);
        }
        let new = corner(v);
        largest = largest.max(size(&new));
        let along = dot(v, new.difference);
        if along > 0.0 && along * along > limit * limit * square {
            return Relation::Far;
        }
        let known = simplex.corners().iter().any(|old| old.difference == new.difference);
        if known || dropped.is_some_and(|old| old.difference == new.difference) {
            break;
        }
        if square - along <= TOLERANCE * square {
            break;
        }
        let next = simplex.with(new);
        if next.len == 4 {
            return Relation::Meeting(next);
        }
        let point = next.closest();
        let closer = dot(point, point) < square;
        if !closer {
            break;
        }
        dropped = simplex.corners().iter().find(|old| !next.corners().contains(old)).copied();
        (simplex, v) = (next, point);
    }
    match unit(v) {
        Some(normal) => Relation::Apart(Apart { distance: dot(v, v).sqrt(), normal, simplex }),
        None => Relation::Meeting(simplex),
    }
}

fn size(corner: &Corner) -> f64 {
    extent(corner.a).max(extent(corner.b))
}
