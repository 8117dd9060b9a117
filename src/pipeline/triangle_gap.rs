//! Triangles that are apart: their closest points, several pairs in lanes.
//!
//! The closest points of two triangles that have none in common are on an edge of each, or one is a corner and the other inside of a face. All nine pairs of edges and all six corners are tried, without
//! asking whether rounding has spoilt one of them. Instead the result is proved: the points are in the triangles, so these are no farther apart; and the way between the points has to keep the triangles apart by as much as it is long, up
//! to [`PROVED`]. Where it does not, because the triangles meet, or hardly do not, nothing is told, and it is GJK's turn.

use super::manifold::Contact;
use super::near_triangles::{Row, Waiting, lanes};
use super::triangle_axes::{edges, ends, relative};
use crate::elementary::vec3::{add, cross, dot, scale, sub};
use crate::simd::{self, Doubles, Kernel, Lanes, Level, MAX_LANES, Mask};

/// How close the bounds of a distance have to be, as a share of it.
const PROVED: f64 = 1e-9;
/// Distances below this share of the triangles' extent are left to others: rounding would turn the normal.
const SMALLEST: f64 = 1e-6;

/// Tells the closest points of those that can be told, and forgets all.
pub fn solve(waiting: &mut Waiting<'_>, level: Level, tell: &mut impl FnMut(usize, Contact)) {
    if waiting.count == 0 {
        return;
    }
    let gaps = simd::dispatch(level, Solve { sides: &waiting.sides, count: waiting.count });
    let mut proved = gaps.proved & ((1 << waiting.count) - 1);
    while proved != 0 {
        let lane = proved.trailing_zeros() as usize;
        proved &= proved - 1;
        tell(waiting.places[lane], gaps.contact(lane));
    }
    waiting.count = 0;
}

/// The closest points of eight pairs.
struct Gaps8 {
    proved: u32,
    on_a: [[f64; MAX_LANES]; 3],
    on_b: [[f64; MAX_LANES]; 3],
    /// Between them.
    squares: [f64; MAX_LANES],
}

impl Gaps8 {
    fn contact(&self, lane: usize) -> Contact {
        let (on_a, on_b) = (self.on_a.map(|row| row[lane]), self.on_b.map(|row| row[lane]));
        let distance = self.squares[lane].sqrt();
        let normal = scale(sub(on_a, on_b), 1.0 / distance);
        Contact { normal, depth: -distance, on_a, on_b }
    }
}

struct Solve<'a> {
    sides: &'a [[&'a Row; MAX_LANES]; 2],
    count: usize,
}

impl Kernel for Solve<'_> {
    type Output = Gaps8;

    #[inline(always)]
    fn run<V: Doubles>(self) -> Gaps8 {
        let mut gaps = Gaps8 {
            proved: 0,
            on_a: [[0.0; MAX_LANES]; 3],
            on_b: [[0.0; MAX_LANES]; 3],
            squares: [0.0; MAX_LANES],
        };
        for first in (0..self.count).step_by(V::COUNT) {
            let (a, b) = (lanes::<V>(&self.sides[0], first), lanes::<V>(&self.sides[1], first));
            let closest = closest(relative(a, a[0]), relative(b, a[0]));
            gaps.proved |= closest.proved.bits() << first;
            // Back to where they were.
            let (on_a, on_b) = (add(closest.on_a, a[0]), add(closest.on_b, a[0]));
            let end = first + V::COUNT;
            for axis in 0..3 {
                gaps.on_a[axis][first..end].copy_from_slice(&on_a[axis].to_array()[..V::COUNT]);
                gaps.on_b[axis][first..end].copy_from_slice(&on_b[axis].to_array()[..V::COUNT]);
            }
            gaps.squares[first..end].copy_from_slice(&closest.square.to_array()[..V::COUNT]);
        }
        gaps
    }
}

/// The closest points so far.
struct Closest<V: Lanes> {
    on_a: [V; 3],
    on_b: [V; 3],
    square: V,
    proved: V::Mask,
}

impl<V: Lanes> Closest<V> {
    /// Takes over what is closer, where it counts.
    #[inline(always)]
    fn offer(&mut self, on_a: [V; 3], on_b: [V; 3], counts: V::Mask) {
        let way = sub(on_a, on_b);
        let square = dot(way, way);
        let is_closer = counts & square.lt(self.square);
        self.square = square.select(is_closer, self.square);
        for axis in 0..3 {
            self.on_a[axis] = on_a[axis].select(is_closer, self.on_a[axis]);
            self.on_b[axis] = on_b[axis].select(is_closer, self.on_b[axis]);
        }
    }
}

#[inline(always)]
fn closest<V: Lanes>(a: [[V; 3]; 3], b: [[V; 3]; 3]) -> Closest<V> {
    let zero = V::splat(0.0);
    let all = zero.lt(V::splat(1.0));
    let (edges_a, edges_b) = (edges(&a), edges(&b));
    let mut closest = Closest { on_a: a[0], on_b: b[0], square: V::splat(f64::INFINITY), proved: all };
    for i in 0..3 {
        let (u, square_u) = (edges_a[i], dot(edges_a[i], edges_a[i]));
        for j in 0..3 {
            let (v, square_v) = (edges_b[j], dot(edges_b[j], edges_b[j]));
            let way = sub(a[i], b[j]);
            let (along_u, along_v, cosine) = (dot(u, way), dot(v, way), dot(u, v));
            let whole = square_u * square_v - cosine * cosine;
            // Where lines are closest; then, from a point of one edge, the closest of the other, there and back.
            let s = clamp((cosine * along_v - along_u * square_v) / whole);
            let t = clamp((cosine * s + along_v) / square_v);
            let s = clamp((cosine * t - along_u) / square_u);
            closest.offer(add(a[i], scale(u, s)), add(b[j], scale(v, t)), all);
        }
    }
    for corner in b {
        let (foot, is_inside) = foot(corner, &a, &edges_a);
        closest.offer(foot, corner, is_inside);
    }
    for corner in a {
        let (foot, is_inside) = foot(corner, &b, &edges_b);
        closest.offer(corner, foot, is_inside);
    }
    let way = sub(closest.on_a, closest.on_b);
    let least_gap = ends(way, &a)[0] - ends(way, &b)[1];
    let mut size = zero;
    for edge in [edges_a[0], edges_a[1], edges_b[0], edges_b[1]] {
        size = size.max(dot(edge, edge));
    }
    closest.proved = least_gap.gt(closest.square * V::splat(1.0 - PROVED))
        & closest.square.gt(size * V::splat(SMALLEST * SMALLEST))
        & closest.square.gt(V::splat(1e-200))
        & closest.square.lt(V::splat(1e200));
    closest
}

/// From 0 to 1; 0 where there is no number.
#[inline(always)]
fn clamp<V: Lanes>(x: V) -> V {
    x.max(V::splat(0.0)).min(V::splat(1.0))
}

/// The point of a triangle's plane below another point, and where it is in the triangle.
#[inline(always)]
fn foot<V: Lanes>(point: [V; 3], corners: &[[V; 3]; 3], edges: &[[V; 3]; 3]) -> ([V; 3], V::Mask) {
    let normal = cross(edges[0], edges[1]);
    let ways = relative(*corners, point);
    let height = dot(normal, ways[0]) / dot(normal, normal);
    // A corner less the point: so the products have the other sign.
    let outside = dot(cross(edges[0], ways[0]), normal)
        .max(dot(cross(edges[1], ways[1]), normal))
        .max(dot(cross(edges[2], ways[2]), normal));
    (add(point, scale(normal, height)), !outside.gt(V::splat(0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elementary::vec3::Vec3;
    use crate::pipeline::core::Placed;
    use crate::pipeline::gjk::{self, Relation};
    use crate::pipeline::random;

    /// Of triangles all over the place, some of them flat, degenerate or equal.
    #[test]
    fn gaps_are_those_that_gjk_finds_and_all_levels_agree() {
        let mut state = 7;
        let (mut told, mut left) = (0, 0);
        for case in 0..4000 {
            let spread = [0.5, 2.0, 4.0][case % 3];
            let mut triangle = || {
                let centre = [0; 3].map(|_| spread * random(&mut state));
                let mut corners = [0; 3].map(|_| [0, 1, 2].map(|axis| centre[axis] + random(&mut state)));
                match case % 13 {
                    3 => corners.iter_mut().for_each(|corner| corner[2] = 0.25),
                    5 => corners[2] = corners[1],
                    7 => corners = [corners[0]; 3],
                    9 => corners.iter_mut().flatten().for_each(|x| *x = (4.0 * *x).round()),
                    _ => (),
                }
                corners
            };
            let pairs = [(); 8].map(|()| [triangle(), triangle()]);
            let rows = pairs.each_ref().map(|pair| pair.each_ref().map(Row::new));
            let count = 1 + case % 8;
            let solve = |level: Level| {
                let mut waiting = Waiting::NONE;
                let mut found = [None; 8];
                for (place, pair) in rows[..count].iter().enumerate() {
                    assert_eq!(waiting.add(pair.each_ref(), place), place == 7);
                }
                solve(&mut waiting, level, &mut |place, contact| found[place] = Some(contact));
                found.map(|contact| {
                    contact.map(|Contact { normal, depth, on_a, on_b }| [normal, on_a, on_b, [depth; 3]])
                })
            };
            let found = solve(Level::Scalar);
            for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
                let bits =
                    |found: [Option<[Vec3; 4]>; 8]| found.map(|c| c.map(|c| c.map(|v| v.map(f64::to_bits))));
                assert_eq!(bits(solve(level)), bits(found), "case {case}, {level:?}");
            }
            for ([a, b], found) in pairs[..count].iter().zip(found) {
                let relation = gjk::relation(&Placed::triangle(*a), &Placed::triangle(*b), f64::INFINITY);
                match (relation, found) {
                    (Relation::Apart(apart), Some([normal, on_a, on_b, [depth, ..]])) => {
                        assert!((apart.distance + depth).abs() <= 2e-9 * apart.distance, "case {case}");
                        let turn = sub(normal, apart.normal);
                        assert!(dot(turn, turn) < 1e-8, "case {case}");
                        let way = sub(on_a, on_b);
                        assert!((dot(way, way).sqrt() + depth).abs() <= 1e-9 * apart.distance);
                        told += 1;
                    }
                    (_, Some(_)) => panic!("case {case}: these meet"),
                    (Relation::Apart(_), None) => left += 1,
                    _ => (),
                }
            }
        }
        // Parallel edges and such may be left to others, but not many.
        assert!(told > 5000 && 20 * left < told, "{told} {left}");
    }
}
