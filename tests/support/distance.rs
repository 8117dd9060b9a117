//! Exact squared distance between the two primitives of a query at a given time.

use super::dyadic::{Dyadic, common_scale, sign};
use num_bigint::BigInt;
use num_traits::{One, Zero};
use pccd::elementary::{Kind, Query};
use std::cmp::Ordering;

type Point = [BigInt; 3];

/// `numerator / denominator · 4^exponent`, the denominator positive.
#[derive(Clone, Debug)]
pub struct SquaredDistance {
    numerator: BigInt,
    denominator: BigInt,
    exponent: i64,
}

impl SquaredDistance {
    /// This distance against another one that isn't negative.
    pub fn compare_distance(&self, distance: &Dyadic) -> Ordering {
        let square = distance.multiply(distance);
        let ours = Dyadic::new(self.numerator.clone(), 2 * self.exponent);
        ours.compare(&square.multiply(&Dyadic::new(self.denominator.clone(), 0)))
    }

    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }
}

/// Squared distance at the time `time` in [0, 1].
pub fn squared_distance(kind: Kind, query: &Query, time: f64) -> SquaredDistance {
    assert!((0.0..=1.0).contains(&time));
    // One scale for all axes, since distances, unlike contacts, change when an axis is scaled.
    let (coordinates, scale) = common_scale(query);
    let (later, power) = Dyadic::from_f64(time).as_quotient();
    let earlier = (BigInt::one() << power) - &later;
    let points: [Point; 4] = std::array::from_fn(|point| {
        std::array::from_fn(|axis| {
            &coordinates[3 * point + axis] * &earlier + &coordinates[12 + 3 * point + axis] * &later
        })
    });
    let fraction = match kind {
        Kind::VertexFace => vertex_to_face(&points),
        Kind::EdgeEdge => edge_to_edge(&points),
    };
    SquaredDistance {
        numerator: fraction.numerator,
        denominator: fraction.denominator,
        exponent: i64::from(scale) - power as i64,
    }
}

/// The squared distance of two triangles that do not intersect, as a quotient.
pub fn between_triangles(triangles: [[&Point; 3]; 2]) -> (BigInt, BigInt) {
    let [p, q] = triangles.map(|corners| corners.map(Point::clone));
    let mut fractions = Vec::new();
    for (t, u) in [(&p, &q), (&q, &p)] {
        let [a, b, c] = u.clone();
        fractions.extend(
            t.iter().map(|corner| vertex_to_face(&[corner.clone(), a.clone(), b.clone(), c.clone()])),
        );
    }
    for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
        let ends = [&p[i], &p[(i + 1) % 3], &q[j], &q[(j + 1) % 3]].map(Point::clone);
        fractions.push(edge_to_edge(&ends));
    }
    let least = fractions.into_iter().reduce(Fraction::smaller).expect("there are fifteen");
    (least.numerator, least.denominator)
}

struct Fraction {
    numerator: BigInt,
    denominator: BigInt,
}

impl Fraction {
    fn smaller(self, other: Fraction) -> Fraction {
        let difference = &self.numerator * &other.denominator - &other.numerator * &self.denominator;
        if sign(&difference) <= 0 { self } else { other }
    }
}

fn vertex_to_face([vertex, a, b, c]: &[Point; 4]) -> Fraction {
    let normal = cross(&subtract(b, a), &subtract(c, a));
    let area = dot(&normal, &normal);
    let is_above = !area.is_zero()
        && [(a, b), (b, c), (c, a)]
            .iter()
            .all(|(from, to)| sign(&dot(&normal, &cross(&subtract(to, from), &subtract(vertex, from)))) >= 0);
    if is_above {
        let height = dot(&normal, &subtract(vertex, a));
        return Fraction { numerator: &height * &height, denominator: area };
    }
    vertex_to_edge(vertex, a, b).smaller(vertex_to_edge(vertex, b, c)).smaller(vertex_to_edge(vertex, c, a))
}

fn edge_to_edge([a, b, c, d]: &[Point; 4]) -> Fraction {
    let (first, second, gap) = (subtract(b, a), subtract(d, c), subtract(c, a));
    let normal = cross(&first, &second);
    let area = dot(&normal, &normal);
    let within = |weight: &BigInt| sign(weight) >= 0 && weight <= &area;
    if !area.is_zero()
        && within(&dot(&normal, &cross(&gap, &second)))
        && within(&dot(&normal, &cross(&gap, &first)))
    {
        let height = dot(&normal, &gap);
        return Fraction { numerator: &height * &height, denominator: area };
    }
    vertex_to_edge(a, c, d)
        .smaller(vertex_to_edge(b, c, d))
        .smaller(vertex_to_edge(c, a, b))
        .smaller(vertex_to_edge(d, a, b))
}

fn vertex_to_edge(vertex: &Point, from: &Point, to: &Point) -> Fraction {
    let (edge, relative) = (subtract(to, from), subtract(vertex, from));
    let along = dot(&edge, &relative);
    let length = dot(&edge, &edge);
    if sign(&along) <= 0 {
        return Fraction { numerator: dot(&relative, &relative), denominator: BigInt::one() };
    }
    if along >= length {
        let relative = subtract(vertex, to);
        return Fraction { numerator: dot(&relative, &relative), denominator: BigInt::one() };
    }
    let across = cross(&edge, &relative);
    Fraction { numerator: dot(&across, &across), denominator: length }
}

pub fn subtract(first: &Point, second: &Point) -> Point {
    std::array::from_fn(|axis| &first[axis] - &second[axis])
}

pub fn cross(first: &Point, second: &Point) -> Point {
    std::array::from_fn(|axis| {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        &first[next] * &second[last] - &first[last] * &second[next]
    })
}

pub fn dot(first: &Point, second: &Point) -> BigInt {
    &first[0] * &second[0] + &first[1] * &second[1] + &first[2] * &second[2]
}
