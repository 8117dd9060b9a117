//! On which side of a plane, or of a line, a point is: exactly, for all finite doubles.
//!
//! A filter in doubles decides nearly always. What it cannot certify is computed without rounding: as expansions, which take as many terms as the numbers need, or, where
//! these could overflow or underflow, in integers.

use super::expansion::{Expansion, difference, two_difference, two_product};
use crate::elementary::exact::int::{Arena, Int};
use std::cmp::Ordering;

pub type Point = [f64; 3];

/// The largest relative error of one operation.
const ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// 2⁻¹⁰⁰⁰: with it, bounds cover what underflow takes.
const TINY: f64 = f64::from_bits(23 << 52);

/// Between these magnitudes, zero aside, products of three differences are exact as expansions: differences are multiples of 2⁻³⁴², products of 2⁻¹⁰²⁶, and below 2⁹¹⁰.
const SMALLEST: f64 = f64::from_bits((1023 - 290) << 52);
const LARGEST: f64 = f64::from_bits((1023 + 300) << 52);

fn minus(a: &Point, b: &Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn sign_of(value: f64) -> i32 {
    i32::from(value > 0.0) - i32::from(value < 0.0)
}

/// The sign of the volume (b − a) × (c − a) · (d − a).
///
/// With u, v, w the three differences, each with a relative error of at most ε: a product of two and their difference is off by (1 + ε)⁴ − 1 of the
/// magnitudes, the product with a coordinate of w by (1 + ε)⁶ − 1, and the sum of three by (1 + ε)⁸ − 1. So it is off by less than 8.1ε of the sum of all magnitudes, the
/// permanent, which is itself computed with such an error: 9ε are on the safe side. Underflow adds at most 2⁻¹⁰⁷⁴ (|w₀| + |w₁| + |w₂|) and 3 · 2⁻¹⁰⁷⁵, far less than 9ε 2⁻¹⁰⁰⁰ times
/// the same. Overflow makes the bound infinite or not a number: then nothing is claimed.
#[inline]
pub fn volume_sign(a: &Point, b: &Point, c: &Point, d: &Point) -> i32 {
    let (u, v, w) = (minus(b, a), minus(c, a), minus(d, a));
    let (mut volume, mut permanent, mut weight) = (0.0, 0.0, 1.0);
    for (axis, along) in w.into_iter().enumerate() {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let (plus, minus) = (u[i] * v[j], u[j] * v[i]);
        volume += along * (plus - minus);
        permanent += along.abs() * (plus.abs() + minus.abs());
        weight += along.abs();
    }
    let bound = 9.0 * ROUNDOFF * (permanent + TINY * weight);
    if volume.abs() > bound {
        return sign_of(volume);
    }
    // Frequent in flat meshes: no extent along an axis, or two points in one place.
    let is_flat = |axis: usize| u[axis] == 0.0 && v[axis] == 0.0 && w[axis] == 0.0;
    if is_flat(0) || is_flat(1) || is_flat(2) || u == [0.0; 3] || v == [0.0; 3] || w == [0.0; 3] {
        return 0;
    }
    exact_volume_sign(a, b, c, d)
}

#[cold]
fn exact_volume_sign(a: &Point, b: &Point, c: &Point, d: &Point) -> i32 {
    let points = [a, b, c, d];
    if points.iter().all(|point| point.iter().all(is_moderate)) {
        volume_expansion(points).sign()
    } else {
        integer_volume_sign(points)
    }
}

fn is_moderate(x: &f64) -> bool {
    *x == 0.0 || (SMALLEST..=LARGEST).contains(&x.abs())
}

/// The volume, for points whose coordinates are moderate.
fn volume_expansion([a, b, c, d]: [&Point; 4]) -> Expansion<192> {
    let relative = |p: &Point| [0, 1, 2].map(|axis| difference(p[axis], a[axis]));
    let (u, v, w) = (relative(b), relative(c), relative(d));
    let part = |axis: usize| -> Expansion<64> {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let plus: Expansion<8> = u[i].times::<4, 8>(&v[j]);
        let minus: Expansion<8> = u[j].times::<4, 8>(&v[i]);
        let area: Expansion<16> = plus.add(&minus.negated());
        area.times::<32, 64>(&w[axis])
    };
    let two: Expansion<128> = part(0).add(&part(1));
    two.add(&part(2))
}

/// How far p and q are from the plane of a triangle, up to a common factor and a few roundings.
pub fn heights([a, b, c]: &[Point; 3], p: &Point, q: &Point) -> [f64; 2] {
    if [a, b, c, p, q].iter().all(|point| point.iter().all(is_moderate)) {
        return [p, q].map(|x| volume_expansion([a, b, c, x]).value().abs());
    }
    let mut memory = [0; HEIGHT_LIMBS];
    let arena = Arena::new(&mut memory);
    let along = [0, 1, 2].map(|axis| integers(&arena, [a, b, c, p, q].map(|point| point[axis])));
    let relative = |k: usize| [0, 1, 2].map(|axis| arena.sub(along[axis][k], along[axis][0]));
    let (u, v) = (relative(1), relative(2));
    let normal = [0, 1, 2].map(|axis| {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        arena.sub(arena.mul(u[i], v[j]), arena.mul(u[j], v[i]))
    });
    proportion([3, 4].map(|k| {
        let [x, y, z] = relative(k);
        arena.add(arena.add(arena.mul(normal[0], x), arena.mul(normal[1], y)), arena.mul(normal[2], z))
    }))
}

/// How far p and q are from the line through a and b as seen along an axis, up to a common factor and a few roundings.
pub fn offsets(axis: usize, a: &Point, b: &Point, p: &Point, q: &Point) -> [f64; 2] {
    let mut memory = [0; HEIGHT_LIMBS];
    let arena = Arena::new(&mut memory);
    let along = [(axis + 1) % 3, (axis + 2) % 3].map(|i| integers(&arena, [a[i], b[i], p[i], q[i]]));
    let relative = |k: usize| [arena.sub(along[0][k], along[0][0]), arena.sub(along[1][k], along[1][0])];
    let [bi, bj] = relative(1);
    proportion([2, 3].map(|k| {
        let [xi, xj] = relative(k);
        arena.sub(arena.mul(bi, xj), arena.mul(bj, xi))
    }))
}

/// Magnitudes, divided by a power of two that makes the larger one about one.
fn proportion(numbers: [Int<'_>; 2]) -> [f64; 2] {
    let bits = numbers[0].bits().max(numbers[1].bits());
    numbers.map(|number| number.absolute().approximate(bits))
}

/// The sign of the area (b − a) × (c − a) as seen along an axis: the coordinate `axis` of that product.
///
/// The error is less than 4.1ε of the magnitudes of both products (see [`volume_sign`]), and what underflow adds is less than 2⁻¹⁰⁷⁴.
#[inline]
pub fn area_sign(axis: usize, a: &Point, b: &Point, c: &Point) -> i32 {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let (plus, minus) = ((b[i] - a[i]) * (c[j] - a[j]), (b[j] - a[j]) * (c[i] - a[i]));
    let area = plus - minus;
    if area.abs() > 5.0 * ROUNDOFF * (plus.abs() + minus.abs() + TINY) {
        return sign_of(area);
    }
    exact_area_sign([i, j], a, b, c)
}

#[cold]
fn exact_area_sign([i, j]: [usize; 2], a: &Point, b: &Point, c: &Point) -> i32 {
    let is_moderate_at = |axis: usize| [a, b, c].iter().all(|point| is_moderate(&point[axis]));
    if is_moderate_at(i) && is_moderate_at(j) {
        let relative = |p: &Point, axis: usize| two_difference(p[axis], a[axis]);
        let differences = [relative(b, i), relative(c, j), relative(b, j), relative(c, i)];
        if differences.iter().all(|&(_, error)| error == 0.0) {
            // Frequent: coordinates were floats. A product and its rounding error are in the order of the products, as rounding is monotone.
            let [(bi, _), (cj, _), (bj, _), (ci, _)] = differences;
            let (plus, minus) = (two_product(bi, cj), two_product(bj, ci));
            return match plus.partial_cmp(&minus) {
                Some(Ordering::Greater) => 1,
                Some(Ordering::Less) => -1,
                _ => 0,
            };
        }
    }
    if [a, b, c].iter().all(|point| is_moderate(&point[i]) && is_moderate(&point[j])) {
        let relative = |p: &Point, axis: usize| difference(p[axis], a[axis]);
        let plus: Expansion<8> = relative(b, i).times::<4, 8>(&relative(c, j));
        let minus: Expansion<8> = relative(b, j).times::<4, 8>(&relative(c, i));
        let area: Expansion<16> = plus.add(&minus.negated());
        return area.sign();
    }
    let mut memory = [0; AREA_LIMBS];
    let arena = Arena::new(&mut memory);
    let along = [i, j].map(|axis| integers(&arena, [a[axis], b[axis], c[axis]]));
    let relative = |k: usize| [arena.sub(along[0][k], along[0][0]), arena.sub(along[1][k], along[1][0])];
    let ([bi, bj], [ci, cj]) = (relative(1), relative(2));
    arena.sub(arena.mul(bi, cj), arena.mul(bj, ci)).sign()
}

/// Coordinates of one axis span at most 2098 bits, so that an integer has 33 limbs and takes 34, as does a difference; a product of two has 66, of three 99.
const AREA_LIMBS: usize = 6 * 34 + 4 * 35 + 3 * 68 + 16;
const HEIGHT_LIMBS: usize = 15 * 34 + 12 * 35 + 9 * 68 + 10 * 104 + 32;
const VOLUME_LIMBS: usize = 12 * 34 + 9 * 35 + 9 * 68 + 5 * 103 + 32;

fn integer_volume_sign(points: [&Point; 4]) -> i32 {
    let mut memory = [0; VOLUME_LIMBS];
    let arena = Arena::new(&mut memory);
    let along = [0, 1, 2].map(|axis| integers(&arena, points.map(|point| point[axis])));
    let relative = |k: usize| [0, 1, 2].map(|axis| arena.sub(along[axis][k], along[axis][0]));
    let (u, v, w) = (relative(1), relative(2), relative(3));
    let part = |axis: usize| {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        arena.mul(arena.sub(arena.mul(u[i], v[j]), arena.mul(u[j], v[i])), w[axis])
    };
    arena.add(arena.add(part(0), part(1)), part(2)).sign()
}

/// Doubles times a power of two that makes integers of all of them. An axis may be scaled without a change of signs.
pub fn integers<'m, const N: usize>(arena: &Arena<'m>, values: [f64; N]) -> [Int<'m>; N] {
    let parts = values.map(split);
    let lowest = parts.iter().filter(|part| part.0 != 0).map(|part| part.1).min().unwrap_or(0);
    parts.map(|(mantissa, exponent)| match mantissa {
        0 => Int::ZERO,
        _ => arena.shifted(mantissa, (exponent - lowest) as u32),
    })
}

/// A finite double as mantissa times a power of two.
fn split(value: f64) -> (i64, i32) {
    let bits = value.to_bits();
    let (field, fraction) = ((bits >> 52 & 0x7ff) as i32, (bits & ((1 << 52) - 1)) as i64);
    let (mantissa, exponent) =
        if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
    (if value < 0.0 { -mantissa } else { mantissa }, exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_agree_where_all_apply() {
        let mut seed = 7u64;
        let mut number = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let small = (seed >> 61) as f64 - 4.0;
            if seed >> 40 & 3 == 0 { small * 0.1 } else { small }
        };
        let mut zeros = 0;
        for _ in 0..20_000 {
            let mut point = || [number(), number(), number()];
            let [a, b, c, d] = [point(), point(), point(), point()];
            let points = [&a, &b, &c, &d];
            let sign = volume_sign(&a, &b, &c, &d);
            assert_eq!(sign, volume_expansion(points).sign());
            assert_eq!(sign, integer_volume_sign(points));
            assert_eq!(sign, -volume_sign(&b, &a, &c, &d));
            zeros += usize::from(sign == 0);
        }
        assert!(zeros > 100, "{zeros}");
    }

    #[test]
    fn the_ends_of_the_range_of_doubles() {
        let (huge, least) = (f64::MAX, 5e-324);
        for s in [huge, least, 1.0, 1e-200, 1e200] {
            for t in [huge, least, 1e-310] {
                let (a, b, c) = ([0.0, 0.0, -s], [t, 0.0, -s], [0.0, t, -s]);
                assert_eq!(volume_sign(&a, &b, &c, &[-huge, huge, s]), 1);
                assert_eq!(volume_sign(&a, &b, &c, &[-huge, huge, -s]), 0);
                assert_eq!(area_sign(2, &a, &b, &c), 1);
                assert_eq!(area_sign(0, &a, &b, &c), 0);
                assert_eq!(area_sign(2, &[-huge, least, 0.0], &[huge, least, 0.0], &[0.0, 0.0, 0.0]), -1);
            }
        }
        // As long as integers can be: every coordinate of one axis at another end of the range.
        let (a, b, c, d) =
            ([-huge, least, huge], [least, huge, -huge], [huge, -huge, least], [huge, huge, huge]);
        assert_ne!(integer_volume_sign([&a, &b, &c, &d]), 0);
        assert_eq!(integer_volume_sign([&a, &b, &c, &a]), 0);
    }
}
