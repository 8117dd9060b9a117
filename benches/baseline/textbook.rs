//! The textbook method, as what the library is compared with: solve the cubic of coplanarity in f64, and look at
//! each root whether the contact lies inside.
//!
//! After X. Provot, "Collision and self-collision handling in cloth model dedicated to design garments" (1997),
//! and R. Bridson, R. Fedkiw, J. Anderson, "Robust treatment of collisions, contact and friction for cloth
//! animation" (2002). It does the job of the library in the ordinary way: no allocation, no more work than a
//! query needs, times of impact as accurate as the library's, contact weights and normal. What it lacks are
//! rounding bounds. Its tolerances catch most contacts that rounding would lose, and report some that aren't.

use pccd::elementary::{Hit, Kind, Query};

/// Accuracy of a root, the library's default width of the bracket.
const TIME_TOLERANCE: f64 = 1e-6;
/// How far outside a contact may lie, in terms of its weights.
const WEIGHT_TOLERANCE: f64 = 1e-6;

/// Decides all `queries` and calls `report(index, hit)` for those that seem to collide.
pub fn run(kind: Kind, queries: &[Query], report: &mut dyn FnMut(usize, &Hit)) {
    match kind {
        Kind::VertexFace => run_kind::<VertexFace>(queries, report),
        Kind::EdgeEdge => run_kind::<EdgeEdge>(queries, report),
    }
}

fn run_kind<P: Pair>(queries: &[Query], report: &mut dyn FnMut(usize, &Hit)) {
    for (index, query) in queries.iter().enumerate() {
        if let Some(hit) = first_contact::<P>(query) {
            report(index, &hit);
        }
    }
}

type Vec3 = [f64; 3];

#[inline(always)]
fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
fn point(query: &Query, index: usize) -> Vec3 {
    [query[3 * index], query[3 * index + 1], query[3 * index + 2]]
}

/// A vector at t=0 and by how much it changes until t=1.
#[derive(Clone, Copy)]
struct Moving {
    start: Vec3,
    change: Vec3,
}

impl Moving {
    /// The vector from point `from` to point `to`.
    #[inline(always)]
    fn between(query: &Query, from: usize, to: usize) -> Moving {
        let start = sub(point(query, to), point(query, from));
        let end = sub(point(query, to + 4), point(query, from + 4));
        Moving { start, change: sub(end, start) }
    }

    #[inline(always)]
    fn at(&self, t: f64) -> Vec3 {
        [
            self.start[0] + t * self.change[0],
            self.start[1] + t * self.change[1],
            self.start[2] + t * self.change[2],
        ]
    }
}

/// A contact's weights and normal: what is the same for every time of impact.
struct Inside {
    weights: [f64; 4],
    normal: Vec3,
}

/// A kind of query. Its four points are coplanar where `u`, `v` and `w` are.
trait Pair {
    /// `u` and `v` span the plane, `w` leads from the second primitive to the first.
    fn vectors(query: &Query) -> [Moving; 3];
    /// Where the contact is, if these vectors, known to be coplanar, have one.
    fn inside(u: Vec3, v: Vec3, w: Vec3) -> Option<Inside>;
}

struct VertexFace;

impl Pair for VertexFace {
    #[inline(always)]
    fn vectors(query: &Query) -> [Moving; 3] {
        [Moving::between(query, 1, 2), Moving::between(query, 1, 3), Moving::between(query, 1, 0)]
    }

    /// Barycentric coordinates of `w` in the triangle `0 u v`.
    #[inline(always)]
    fn inside(u: Vec3, v: Vec3, w: Vec3) -> Option<Inside> {
        let normal = cross(u, v);
        let area = dot(normal, normal);
        let w1 = dot(cross(w, v), normal);
        let w2 = dot(cross(u, w), normal);
        let w0 = area - w1 - w2;
        let least = -WEIGHT_TOLERANCE * area;
        // Not `area <= 0`: that would let a NaN through.
        if !(area > 0.0 && w0 >= least && w1 >= least && w2 >= least) {
            return None;
        }
        Some(Inside { weights: [1.0, w0 / area, w1 / area, w2 / area], normal })
    }
}

struct EdgeEdge;

impl Pair for EdgeEdge {
    #[inline(always)]
    fn vectors(query: &Query) -> [Moving; 3] {
        [Moving::between(query, 0, 1), Moving::between(query, 2, 3), Moving::between(query, 2, 0)]
    }

    /// The lines `w + a u` and `b v` meet; solve for `a` and `b`.
    #[inline(always)]
    fn inside(u: Vec3, v: Vec3, w: Vec3) -> Option<Inside> {
        let normal = cross(u, v);
        let area = dot(normal, normal);
        let a = -dot(cross(w, v), normal);
        let b = -dot(cross(w, u), normal);
        let slack = WEIGHT_TOLERANCE * area;
        let range = -slack..=area + slack;
        if !(area > 0.0 && range.contains(&a) && range.contains(&b)) {
            return None;
        }
        let (a, b) = (a / area, b / area);
        Some(Inside { weights: [1.0 - a, a, 1.0 - b, b], normal })
    }
}

fn first_contact<P: Pair>(query: &Query) -> Option<Hit> {
    let vectors = P::vectors(query);
    let cubic = Cubic::coplanarity(&vectors);
    cubic.first_root(|t| {
        let [u, v, w] = vectors.map(|vector| vector.at(t));
        let inside = P::inside(u, v, w)?;
        // The normal points to the side that the first primitive comes from.
        let length = dot(inside.normal, inside.normal).sqrt();
        let scale = if cubic.value(0.0) < 0.0 { -1.0 / length } else { 1.0 / length };
        Some(Hit {
            at_start: t == 0.0,
            toi_lower: (t - TIME_TOLERANCE / 2.0).max(0.0),
            toi_upper: (t + TIME_TOLERANCE / 2.0).min(1.0),
            weights: inside.weights,
            normal: inside.normal.map(|n| n * scale),
        })
    })
}

/// `c[0] + c[1] t + c[2] t² + c[3] t³`
struct Cubic {
    c: [f64; 4],
}

impl Cubic {
    /// The determinant of three moving vectors.
    #[inline(always)]
    fn coplanarity([u, v, w]: &[Moving; 3]) -> Cubic {
        // u × v as a quadratic in t, then its product with w.
        let n0 = cross(u.start, v.start);
        let (x, y) = (cross(u.start, v.change), cross(u.change, v.start));
        let n1 = [x[0] + y[0], x[1] + y[1], x[2] + y[2]];
        let n2 = cross(u.change, v.change);
        Cubic {
            c: [
                dot(n0, w.start),
                dot(n0, w.change) + dot(n1, w.start),
                dot(n1, w.change) + dot(n2, w.start),
                dot(n2, w.change),
            ],
        }
    }

    #[inline(always)]
    fn value(&self, t: f64) -> f64 {
        let [c0, c1, c2, c3] = self.c;
        c0 + t * (c1 + t * (c2 + t * c3))
    }

    #[inline(always)]
    fn slope(&self, t: f64) -> f64 {
        let [_, c1, c2, c3] = self.c;
        c1 + t * (2.0 * c2 + t * (3.0 * c3))
    }

    /// Where the pieces of [0,1] end on which the cubic is monotone, ascending, and how many there are: at the
    /// derivative's roots, and at 1.
    #[inline(always)]
    fn monotone_pieces(&self) -> ([f64; 3], usize) {
        let [_, c1, c2, c3] = self.c;
        let (a, half_b, c) = (3.0 * c3, c2, c1);
        let discriminant = half_b * half_b - a * c;
        if discriminant <= 0.0 {
            return ([1.0; 3], 1);
        }
        // Both roots without cancellation. One is infinite where the derivative is linear, and is then dropped.
        let q = -(half_b + discriminant.sqrt().copysign(half_b));
        let (r0, r1) = (q / a, c / q);
        let (low, high) = if r0 < r1 { (r0, r1) } else { (r1, r0) };
        let within = |t: f64| t > 0.0 && t < 1.0;
        match (within(low), within(high)) {
            (true, true) => ([low, high, 1.0], 3),
            (true, false) => ([low, 1.0, 1.0], 2),
            (false, true) => ([high, 1.0, 1.0], 2),
            (false, false) => ([1.0; 3], 1),
        }
    }

    /// Visits the roots in [0,1] in ascending order until `accept` has an answer.
    #[inline(always)]
    fn first_root(&self, mut accept: impl FnMut(f64) -> Option<Hit>) -> Option<Hit> {
        let (ends, count) = self.monotone_pieces();
        let (mut from, mut value_from) = (0.0, self.c[0]);
        if value_from == 0.0
            && let Some(hit) = accept(0.0)
        {
            return Some(hit);
        }
        for &to in &ends[..count] {
            let value_to = self.value(to);
            if value_to == 0.0 {
                if let Some(hit) = accept(to) {
                    return Some(hit);
                }
            } else if value_from != 0.0 && (value_from < 0.0) != (value_to < 0.0) {
                let root = self.only_root(from, to, value_from < 0.0);
                if let Some(hit) = accept(root) {
                    return Some(hit);
                }
            }
            (from, value_from) = (to, value_to);
        }
        None
    }

    /// The root in an interval in which the cubic is monotone and changes sign: Newton's method, with bisection
    /// where a step would leave the interval.
    #[inline(always)]
    fn only_root(&self, mut low: f64, mut high: f64, rising: bool) -> f64 {
        let mut t = 0.5 * (low + high);
        while high - low > TIME_TOLERANCE {
            let value = self.value(t);
            if (value < 0.0) == rising {
                low = t;
            } else {
                high = t;
            }
            let newton = t - value / self.slope(t);
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if (next - t).abs() < TIME_TOLERANCE / 2.0 {
                return next;
            }
            t = next;
        }
        t
    }
}
