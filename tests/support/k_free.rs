//! The k-free predicate in rational numbers, by trying everything.

use super::distance::{between_triangles, cross, dot, subtract};
use super::dyadic::common_scale;
use super::intersection;
use super::scene::{Body, Point};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

type Exact = [BigInt; 3];

/// A quotient with a positive divisor.
#[derive(Clone)]
struct Quotient(BigInt, BigInt);

impl Quotient {
    fn is_below(&self, other: &Quotient) -> bool {
        &self.0 * &other.1 < &other.0 * &self.1
    }
}

/// A polygon as the triangles that it is made of.
struct Polygon {
    triangles: Vec<[usize; 3]>,
    square: Quotient,
}

/// The smallest k of each polygon of some bodies, which are in the order of their ids; `fans` says how many triangles each has.
pub fn smallest_k(bodies: &[&Body], fans: &[u32]) -> Vec<u32> {
    let (mut points, mut triangles): (Vec<Point>, Vec<[usize; 3]>) = (Vec::new(), Vec::new());
    for body in bodies {
        let first = points.len();
        triangles.extend(body.triangles.iter().map(|corners| corners.map(|corner| first + corner as usize)));
        points.extend(&body.frames[1]);
    }
    // One scale for all: these are lengths.
    let integers = common_scale(points.as_flattened()).0;
    let exact: Vec<Exact> = integers.chunks(3).map(|xyz| [0, 1, 2].map(|axis| xyz[axis].clone())).collect();
    let mut rest = &triangles[..];
    let polygons: Vec<Polygon> = fans
        .iter()
        .map(|&size| {
            let (own, others) = rest.split_at(size as usize);
            rest = others;
            let corners: Vec<&Exact> = own.iter().flatten().map(|&corner| &exact[corner]).collect();
            Polygon { triangles: own.to_vec(), square: square_of_diameter(&corners) }
        })
        .collect();
    assert!(rest.is_empty());
    let is_close = |a: &Polygon, b: &Polygon| {
        let sixteen = BigInt::from(16);
        a.triangles.iter().any(|of_a| {
            b.triangles.iter().any(|of_b| {
                let corners = [of_a, of_b].map(|corners| corners.map(|corner| points[corner]));
                if intersection::intersect(corners, [[0, 1, 2], [3, 4, 5]]) {
                    return true;
                }
                let (gap, divisor) = between_triangles([of_a, of_b].map(|t| t.map(|corner| &exact[corner])));
                !a.square.is_below(&Quotient(gap * &sixteen, divisor))
            })
        })
    };
    let of = |i: usize| {
        let close = |j: &usize| {
            let (own, theirs) = (&polygons[i], &polygons[*j]);
            *j != i && !theirs.square.is_below(&own.square) && is_close(own, theirs)
        };
        1 + (0..polygons.len()).filter(close).count() as u32
    };
    (0..polygons.len()).map(of).collect()
}

/// Of all spheres through two, three or four points that contain the others, the smallest one.
fn square_of_diameter(points: &[&Exact]) -> Quotient {
    let mut points = points.to_vec();
    points.sort();
    points.dedup();
    let mut best: Option<Quotient> = (points.len() == 1).then(|| Quotient(BigInt::zero(), BigInt::one()));
    let count = points.len();
    let subsets = (0u32..1 << count).filter(|subset| (2..=4).contains(&subset.count_ones()));
    for subset in subsets {
        let chosen: Vec<usize> = (0..count).filter(|i| subset >> i & 1 != 0).collect();
        let from = |i: usize| subtract(points[i], points[chosen[0]]);
        let edges: Vec<Exact> = chosen[1..].iter().map(|&i| from(i)).collect();
        // Twice the centre, relative to the first point and times a weight.
        let (centre, weight) = match &edges[..] {
            [u] => (u.clone(), BigInt::one()),
            [u, v] => {
                let normal = cross(u, v);
                let sum = add(&times(&cross(v, &normal), &dot(u, u)), &times(&cross(&normal, u), &dot(v, v)));
                (sum, dot(&normal, &normal))
            }
            [u, v, w] => {
                let sum = add(&times(&cross(v, w), &dot(u, u)), &times(&cross(w, u), &dot(v, v)));
                let volume = dot(u, &cross(v, w));
                let sign = volume.signum();
                (times(&add(&sum, &times(&cross(u, v), &dot(w, w))), &sign), volume * sign)
            }
            _ => unreachable!("two to four"),
        };
        let contains = |i: usize| {
            let x = from(i);
            &weight * dot(&x, &x) <= dot(&centre, &x)
        };
        if !weight.is_zero() && (0..count).all(contains) {
            let found = Quotient(dot(&centre, &centre), &weight * &weight);
            if best.as_ref().is_none_or(|best| found.is_below(best)) {
                best = Some(found);
            }
        }
    }
    best.expect("some sphere contains all")
}

fn add(p: &Exact, q: &Exact) -> Exact {
    [0, 1, 2].map(|axis| &p[axis] + &q[axis])
}

fn times(p: &Exact, factor: &BigInt) -> Exact {
    [0, 1, 2].map(|axis| &p[axis] * factor)
}
