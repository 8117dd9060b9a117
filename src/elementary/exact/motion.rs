//! A query as integer polynomials in time.
//!
//! Collision is not changed by scaling an axis, so the coordinates of each axis are multiplied by the power of
//! two that makes them integers. Positions are relative to the first point: the vertex v, or the edge end a0.

use super::int::{Arena, Int};
use super::poly::{Poly, decompose};
use crate::elementary::{Kind, Query};
use std::cell::Cell;

/// The three other points relative to the first one, and what follows from them.
pub struct Motion<'a> {
    pub kind: Kind,
    /// `relative[point][axis]`, linear in time.
    relative: [[Poly<'a>; 3]; 3],
    /// The cross product of the last two, quadratic in time.
    last_cross: [Poly<'a>; 3],
    /// What [`Motion::areas`] has given, by axis.
    areas: [Cell<Option<[Poly<'a>; 4]>>; 3],
}

impl<'a> Motion<'a> {
    pub fn new(arena: &Arena<'a>, kind: Kind, query: &Query) -> Motion<'a> {
        let mut relative = [[Poly::new(&[]); 3]; 3];
        for axis in 0..3 {
            let numbers: [(i64, i32); 8] = std::array::from_fn(|point| decompose(query[3 * point + axis]));
            let smallest = numbers.iter().filter(|n| n.0 != 0).map(|n| n.1).min().unwrap_or(0);
            let points = numbers.map(|(mantissa, exponent)| {
                arena.shifted(mantissa, if mantissa == 0 { 0 } else { (exponent - smallest) as u32 })
            });
            for other in 0..3 {
                let from_first = |end: usize| -> Int<'a> { arena.sub(points[end + other + 1], points[end]) };
                relative[other][axis] = Poly::new(&[from_first(0), from_first(4)]);
            }
        }
        let last_cross = std::array::from_fn(|axis| cross(arena, &relative[1], &relative[2], axis));
        Motion { kind, relative, last_cross, areas: Default::default() }
    }

    /// Six times the signed volume that the four points span: zero when they are coplanar.
    pub fn volume(&self, arena: &Arena<'a>) -> Poly<'a> {
        let terms: [Poly<'a>; 3] =
            std::array::from_fn(|axis| self.relative[0][axis].mul(arena, &self.last_cross[axis]));
        terms[0].add(arena, &terms[1]).add(arena, &terms[2])
    }

    /// The areas, seen along `axis`, whose signs tell whether the primitives overlap in that view: of the vertex with each
    /// edge of the face; or of b0 and b1 with edge a, then of a0 and a1 with edge b. Computed once: the arena is that of the motion, and not one of
    /// its frames.
    pub fn areas(&self, arena: &Arena<'a>, axis: usize) -> [Poly<'a>; 4] {
        if let Some(areas) = self.areas[axis].get() {
            return areas;
        }
        let [u, v, w] = &self.relative;
        let (uv, vw, uw) = (cross(arena, u, v, axis), self.last_cross[axis], cross(arena, u, w, axis));
        let areas = match self.kind {
            Kind::VertexFace => [uv, vw, uw.negated(), Poly::new(&[])],
            Kind::EdgeEdge => [uv, uw, vw, vw.add(arena, &uv).sub(arena, &uw)],
        };
        self.areas[axis].set(Some(areas));
        areas
    }

    /// Relative position of two points (0 is the first one) along an axis.
    pub fn difference(&self, arena: &Arena<'a>, from: usize, to: usize, axis: usize) -> Poly<'a> {
        match (from, to) {
            (0, _) => self.relative[to - 1][axis],
            (_, 0) => self.relative[from - 1][axis].negated(),
            _ => self.relative[to - 1][axis].sub(arena, &self.relative[from - 1][axis]),
        }
    }
}

/// Component `axis` of the cross product of two relative positions: twice the signed area that the first point and these two
/// span when seen along the axis.
fn cross<'a>(arena: &Arena<'a>, u: &[Poly<'a>; 3], v: &[Poly<'a>; 3], axis: usize) -> Poly<'a> {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    u[i].mul(arena, &v[j]).sub(arena, &u[j].mul(arena, &v[i]))
}
