//! The minimum enclosing sphere of a polygon (kDet paper, definition 3.2): the two to four of its corners on which it rests, exactly.
//!
//! A sphere that goes through some points, has its centre in their hull and contains all others is the smallest one. It is found step by step: a corner that is outside of the sphere so far
//! is on the sphere of those that this one rests on and itself. Spheres become larger with each step, so it ends. All is decided by signs: in doubles where these are certain, else in integers.

use super::algebra::Numbers;
use super::orientation::{Point, integers};
use crate::elementary::exact::int::{Arena, Int};

/// The most points that a sphere rests on.
pub const MOST: usize = 4;

/// Points on which a sphere rests, by their numbers: the first `count` of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Support {
    pub points: [u32; MOST],
    pub count: usize,
}

impl Support {
    fn new(points: &[u32]) -> Support {
        let mut all = [points[0]; MOST];
        all[..points.len()].copy_from_slice(points);
        Support { points: all, count: points.len() }
    }

    fn numbers(&self) -> &[u32] {
        &self.points[..self.count]
    }
}

/// What the minimum enclosing sphere of some points, at least one, rests on. `memory` has [`sphere::LIMBS`](super::sphere::LIMBS) limbs.
pub fn support_of(points: &[Point], memory: &mut [u64]) -> Support {
    let square = |p: &Point| {
        let gap = [0, 1, 2].map(|axis| p[axis] - points[0][axis]);
        gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2]
    };
    // One that is far from the first, or at least somewhere else.
    let farthest = (0..points.len()).max_by(|&a, &b| square(&points[a]).total_cmp(&square(&points[b])));
    let elsewhere = farthest
        .filter(|&far| points[far] != points[0])
        .or_else(|| points.iter().position(|point| *point != points[0]));
    let Some(second) = elsewhere else { return Support::new(&[0]) };
    let mut support = Support::new(&[0, second as u32]);
    while let Some(outside) = find_outside(points, &support, memory) {
        support = grown(points, &support, outside, memory);
    }
    support
}

/// The centre of the sphere through four points as doubles have it: not finite, or far off, if these are nearly in a plane.
pub fn centre_of_four(points: &[Point; MOST]) -> Point {
    let first = points[0];
    let scale = scale_of(size_of(points, first)).unwrap_or(f64::NAN);
    let local = points.map(|p| [0, 1, 2].map(|axis| (p[axis] - first[axis]) * scale));
    let ball = Ball::through(&Doubles, local, MOST);
    [0, 1, 2].map(|axis| first[axis] + 0.5 * ball.centre[axis] / ball.weight / scale)
}

/// The largest difference of coordinates from those of the first.
pub fn size_of(points: &[Point], first: Point) -> f64 {
    points.iter().flat_map(|p| (0..3).map(move |axis| (p[axis] - first[axis]).abs())).fold(0.0, f64::max)
}

/// A point outside of the sphere, of those that are certainly so the farthest.
fn find_outside(points: &[Point], support: &Support, memory: &mut [u64]) -> Option<u32> {
    let others = || (0..points.len() as u32).filter(|i| !support.numbers().contains(i));
    let of = |i: u32| points[i as usize];
    let first = of(support.points[0]);
    let resting = support.points.map(of);
    let scale = scale_of(size_of(points, first)).unwrap_or(f64::NAN);
    let local = |p: Point| [0, 1, 2].map(|axis| (p[axis] - first[axis]) * scale);
    let ball = Ball::through(&Doubles, resting.map(local), support.count);
    // Without a scale, or a certain weight, nothing is certain.
    let is_sound = scale.is_finite() && Doubles.sign(ball.weight).is_some();
    let excess = |i: u32| if is_sound { ball.excess(&Doubles, local(of(i))) } else { 0.0 };
    let farthest = others().max_by(|&a, &b| excess(a).total_cmp(&excess(b)))?;
    if excess(farthest) > UNCERTAIN {
        return Some(farthest);
    }
    others().filter(|&i| excess(i) >= -UNCERTAIN).find(|&i| is_outside(resting, support.count, of(i), memory))
}

fn is_outside(resting: [Point; MOST], count: usize, point: Point, memory: &mut [u64]) -> bool {
    let arena = Arena::new(memory);
    let [a, b, c, d] = resting;
    let numbers = relative_integers(&arena, [a, b, c, d, point]);
    let ball = Ball::through(&arena, [numbers[0], numbers[1], numbers[2], numbers[3]], count);
    ball.excess(&arena, numbers[4]).sign() > 0
}

/// The support of a sphere around what another one rests on and a point outside of it. That point is part of it, or the other one would have been the larger.
fn grown(points: &[Point], support: &Support, outside: u32, memory: &mut [u64]) -> Support {
    let old = support.numbers();
    for count in 1..=old.len().min(MOST - 1) {
        for subset in (0u32..1 << old.len()).filter(|subset| subset.count_ones() as usize == count) {
            // The new one, those of the subset, and then those that have to be inside.
            let mut order = [outside; 1 + MOST];
            let inside = |i: &usize| subset >> i & 1 == 0;
            let taken = (0..old.len()).filter(|i| !inside(i)).chain((0..old.len()).filter(inside));
            for (place, i) in order[1..].iter_mut().zip(taken) {
                *place = old[i];
            }
            if is_smallest(order.map(|i| points[i as usize]), 1 + count, 1 + old.len(), memory) {
                return Support::new(&order[..=count]);
            }
        }
    }
    unreachable!("some sphere is the smallest")
}

/// Whether the smallest sphere around the first `all` points rests on the first `count` of them.
fn is_smallest(points: [Point; 1 + MOST], count: usize, all: usize, memory: &mut [u64]) -> bool {
    let certain = scale_of(size_of(&points, points[0])).and_then(|scale| {
        let local = points.map(|p| [0, 1, 2].map(|axis| (p[axis] - points[0][axis]) * scale));
        is_smallest_in(&Doubles, local, count, all)
    });
    certain.unwrap_or_else(|| {
        let arena = Arena::new(memory);
        let numbers = relative_integers(&arena, points);
        is_smallest_in(&arena, numbers, count, all).expect("integers have signs")
    })
}

/// None where a sign is not certain.
fn is_smallest_in<N: Numbers>(
    numbers: &N,
    points: [[N::Number; 3]; 1 + MOST],
    count: usize,
    all: usize,
) -> Option<bool> {
    let [a, b, c, d, _] = points;
    let ball = Ball::through(numbers, [a, b, c, d], count);
    if numbers.sign(ball.weight)? == 0 {
        // In a plane, or on a line: no sphere, or one that rests on fewer.
        return Some(false);
    }
    for weight in &ball.hull[..ball.hull_count] {
        if numbers.sign(*weight)? < 0 {
            return Some(false);
        }
    }
    for &point in &points[count..all] {
        if numbers.sign(ball.excess(numbers, point))? > 0 {
            return Some(false);
        }
    }
    Some(true)
}

/// Signs of what is computed below from numbers of at most one are certain above this.
///
/// Coordinates are differences, scaled exactly, with a relative error of ε = 2⁻⁵³. No value is a sum of products whose magnitudes sum to more than 36 · 12 = 432 (three points: a weight of at most 12 times a square of at
/// most 3, and a centre of at most 3 · 72 / 3 for each axis, times three), and none has more than 20 roundings in a row: errors are below 432 · 20.1ε < 2¹⁴ ε.
const UNCERTAIN: f64 = 1.0 / (1u64 << 39) as f64;

/// A power of two that makes numbers of this size at most one, unless they are too small or too large for squares.
fn scale_of(size: f64) -> Option<f64> {
    let exponent = (size.to_bits() >> 52) as i32 - 1022;
    (1e-290..1e290).contains(&size).then(|| f64::from_bits(((1023 - exponent) as u64) << 52))
}

fn relative_integers<'m>(arena: &Arena<'m>, points: [Point; 1 + MOST]) -> [[Int<'m>; 3]; 1 + MOST] {
    let mut coordinates = [0.0; 3 * (1 + MOST)];
    coordinates.copy_from_slice(points.as_flattened());
    // One scale for all axes: these are lengths.
    let all = integers(arena, coordinates);
    std::array::from_fn(|i| std::array::from_fn(|axis| arena.sub(all[3 * i + axis], all[axis])))
}

/// Numbers of at most one.
struct Doubles;

impl Numbers for Doubles {
    type Number = f64;

    fn zero(&self) -> f64 {
        0.0
    }

    fn one(&self) -> f64 {
        1.0
    }

    fn add(&self, a: f64, b: f64) -> f64 {
        a + b
    }

    fn sub(&self, a: f64, b: f64) -> f64 {
        a - b
    }

    fn mul(&self, a: f64, b: f64) -> f64 {
        a * b
    }

    fn sign(&self, a: f64) -> Option<i32> {
        (a.abs() > UNCERTAIN).then_some(if a > 0.0 { 1 } else { -1 })
    }
}

/// The smallest sphere through up to four points, the first of which is the origin.
struct Ball<T> {
    /// The centre, times two and times the weight, which is not negative.
    centre: [T; 3],
    weight: T,
    /// The first of these are not negative if the centre is in the hull of the points.
    hull: [T; MOST],
    hull_count: usize,
}

impl<T: Copy> Ball<T> {
    fn through<N: Numbers<Number = T>>(n: &N, [_, u, v, w]: [[T; 3]; MOST], count: usize) -> Ball<T> {
        let square = |p: [T; 3]| n.dot(p, p);
        // Sums of squares times directions.
        let sum = |squares: [T; 3], directions: [[T; 3]; 3]| {
            [0, 1, 2].map(|axis| n.dot(squares, directions.map(|direction| direction[axis])))
        };
        match count {
            1 | 2 => {
                let centre = if count == 1 { [n.zero(); 3] } else { u };
                Ball { centre, weight: n.one(), hull: [n.zero(); MOST], hull_count: 0 }
            }
            3 => {
                // In the plane of u and v; no angle is obtuse.
                let normal = n.cross(u, v);
                let (uu, vv, uv) = (square(u), square(v), n.dot(u, v));
                let centre = sum([uu, vv, n.zero()], [n.cross(v, normal), n.cross(normal, u), [n.zero(); 3]]);
                let hull = [uv, n.sub(uu, uv), n.sub(vv, uv), n.zero()];
                Ball { centre, weight: square(normal), hull, hull_count: 3 }
            }
            _ => {
                let normals = [n.cross(v, w), n.cross(w, u), n.cross(u, v)];
                let centre = sum([square(u), square(v), square(w)], normals);
                let volume = n.dot(u, normals[0]);
                // Weights of the corners, times two and times the square of the volume.
                let [p, q, r] = normals.map(|normal| n.dot(centre, normal));
                let twice = n.mul(n.add(volume, volume), volume);
                let hull = [p, q, r, n.sub(n.sub(n.sub(twice, p), q), r)];
                // What has the sign of the volume is made positive; where that is not certain nobody asks further.
                let is_negative = n.sign(volume) == Some(-1);
                let positive = |x: T| if is_negative { n.sub(n.zero(), x) } else { x };
                Ball { centre: centre.map(positive), weight: positive(volume), hull, hull_count: 4 }
            }
        }
    }

    /// Positive if a point is outside, zero if it is on the sphere: with c the centre, x² − 2 c · x, times the weight.
    fn excess<N: Numbers<Number = T>>(&self, n: &N, x: [T; 3]) -> T {
        n.sub(n.mul(self.weight, n.dot(x, x)), n.dot(self.centre, x))
    }
}

#[cfg(test)]
mod tests {
    use super::super::sphere;
    use super::*;

    fn support(points: &[Point]) -> Vec<u32> {
        let mut found = support_of(points, &mut vec![0; sphere::LIMBS]).numbers().to_vec();
        found.sort_unstable();
        found
    }

    #[test]
    fn known_polygons() {
        assert_eq!(support(&[[1.0; 3]]), [0]);
        assert_eq!(support(&[[1.0; 3], [1.0; 3], [1.0; 3]]), [0]);
        let rectangle = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [3.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        assert_eq!(support(&rectangle), [0, 2]);
        let even = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert_eq!(support(&even), [0, 1, 2]);
        // Corners of a cube, not two of which are next to each other.
        let solid = [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]];
        assert_eq!(support(&solid), [0, 1, 2, 3]);
        let within = [solid[0], [0.5, 0.5, 0.5], solid[1], solid[2], [0.25; 3], solid[3]];
        assert_eq!(support(&within), [0, 2, 3, 5]);
        // One more that is a little outside.
        let with_more = [solid[0], solid[1], solid[2], solid[3], [1.0, 1.0, 1.0f64.next_up()]];
        assert!(support(&with_more).contains(&4));
        assert_eq!(support(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.5, 0.0, 0.0]]), [0, 2]);
    }

    #[test]
    fn spheres_contain_all_and_are_the_largest_of_parts() {
        let mut seed = 9u64;
        let mut number = |most: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % (2 * most + 1)
        };
        let mut memory = vec![0; sphere::LIMBS];
        let mut counts = [0; 1 + MOST];
        for round in 0..3000 {
            // Few places, so that many are on one sphere; or flat; or anywhere; or beyond squares.
            let factor = [1.0, 0.1, 2f64.powi(900), 2f64.powi(-1060), 1e-3][round % 5];
            let points: Vec<Point> = (0..2 + number(3))
                .map(|_| {
                    let mut point = [0; 3].map(|_| (number(2) as f64 - 2.0) * factor);
                    if round % 3 == 0 {
                        point[2] = point[0];
                    }
                    point
                })
                .collect();
            let found = support_of(&points, &mut memory);
            counts[found.count] += 1;
            let of = |support: &Support| support.points.map(|i| points[i as usize]);
            let resting = of(&found);
            for &point in &points {
                assert!(!is_outside(resting, found.count, point, &mut memory), "{points:?} {found:?}");
            }
            // The sphere of a part is not larger: by comparing the sizes of all triples.
            let all = points.len();
            let solid = if found.count == 4 { &resting[..] } else { &resting[..3] };
            for triple in (0..all * all * all).map(|i| [i % all, i / all % all, i / all / all]) {
                let triple = triple.map(|i| points[i]);
                let order = sphere::compare([&triple, solid], [f64::NAN; 2], &mut memory);
                assert!(order.is_le(), "{points:?} {found:?} {triple:?}");
            }
        }
        assert!(counts[2..].iter().all(|&count| count > 100), "{counts:?}");
    }

    #[test]
    fn the_largest_numbers_fit_the_memory() {
        let (most, least) = (f64::MAX, 5e-324);
        let points = [
            [most, least, -most],
            [-most, most, least],
            [least, -most, most],
            [-most, -most, -most],
            [most; 3],
        ];
        let mut memory = vec![0; sphere::LIMBS];
        let found = support_of(&points, &mut memory);
        assert_eq!(found.numbers().len(), 2, "opposite corners");
        let four = [points[0], points[1], points[2], [-most, -most, -most / 3.0]];
        assert!(sphere::compare([&four, &four], [f64::NAN; 2], &mut memory).is_eq());
    }
}
