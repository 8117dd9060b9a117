//! The few vector operations that are needed.

use crate::simd::Lanes;

pub type Vec3 = [f64; 3];

#[inline(always)]
pub fn add<V: Lanes>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub fn sub<V: Lanes>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub fn scale<V: Lanes>(a: [V; 3], s: V) -> [V; 3] {
    [a[0] * s, a[1] * s, a[2] * s]
}

#[inline(always)]
pub fn dot<V: Lanes>(a: [V; 3], b: [V; 3]) -> V {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub fn cross<V: Lanes>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The largest magnitude of a coordinate.
pub fn extent(a: Vec3) -> f64 {
    a[0].abs().max(a[1].abs()).max(a[2].abs())
}

/// Where on the segment from `a` (0) to `b` (1) the point closest to `p` lies.
pub fn closest_on_segment(p: Vec3, a: Vec3, b: Vec3) -> f64 {
    let along = sub(b, a);
    let square = dot(along, along);
    if square > 0.0 { (dot(sub(p, a), along) / square).clamp(0.0, 1.0) } else { 0.0 }
}

/// The longest of several vectors, the first of those of equal length.
pub fn longest<const N: usize>(vectors: [Vec3; N]) -> Vec3 {
    vectors.into_iter().reduce(|a, b| if dot(b, b) > dot(a, a) { b } else { a }).unwrap_or([0.0; 3])
}

/// A squared cross product of edges larger than this, given the squared length of the longest of them, is accurate enough to divide by.
#[inline(always)]
pub fn well_shaped<V: Lanes>(longest_square: V) -> V {
    V::splat(1e-16) * longest_square * longest_square
}

/// `a` or −`a`, whichever points more towards `b`.
pub fn towards(a: Vec3, b: Vec3) -> Vec3 {
    if dot(a, b) < 0.0 { scale(a, -1.0) } else { a }
}

/// `a` without its part along `b`.
pub fn without(a: Vec3, b: Vec3) -> Vec3 {
    let square = dot(b, b);
    if square == 0.0 {
        return a;
    }
    // Twice: what the first subtraction leaves of the part along b is a rounding error, which may still be larger than the rest.
    let once = sub(a, scale(b, dot(a, b) / square));
    sub(once, scale(b, dot(once, b) / square))
}

/// The cross product with small errors in every coordinate, also of nearly parallel vectors.
pub fn accurate_cross(a: Vec3, b: Vec3) -> Vec3 {
    [
        difference_of_products(a[1], b[2], a[2], b[1]),
        difference_of_products(a[2], b[0], a[0], b[2]),
        difference_of_products(a[0], b[1], a[1], b[0]),
    ]
}

/// ab − cd, with the rounding errors of both products added in.
fn difference_of_products(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let (ab, ab_error) = exact_product(a, b);
    let (cd, cd_error) = exact_product(c, d);
    (ab - cd) + (ab_error - cd_error)
}

/// A product and its rounding error (Dekker 1971), which is exact as long as nothing overflows or underflows. A fused multiply-add would do the
/// same, but not every CPU has it.
fn exact_product(a: f64, b: f64) -> (f64, f64) {
    let halves = |x: f64| {
        let shifted = x * 134_217_729.0; // 2^27 + 1
        let high = shifted - (shifted - x);
        (high, x - high)
    };
    let product = a * b;
    let ((a_high, a_low), (b_high, b_low)) = (halves(a), halves(b));
    let error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (product, error)
}
