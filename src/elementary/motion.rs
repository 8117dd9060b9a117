//! The motion of a query relative to its first point, in floating point, with the errors that this brings.
//!
//! Notation of all bounds: u = 2⁻⁵³ is the unit roundoff; M is the `reach`: the largest relative coordinate of an axis at either end.
//!
//! - A relative coordinate is one subtraction of inputs: error at most u M (a subtraction never underflows inexactly).
//! - A coordinate at time t is r₀ + t (r₁ − r₀), with |r₁ − r₀| ≤ 2M: errors u M of r₀ and r₁ carried over (weights sum to one),
//!   2u M of the difference, 2u M of the product, 2u M of the sum, to first order 7u M, and 2⁻¹⁰⁷⁴ if the product underflows;
//!   [`Motion::position_error`] claims 8u M + 2⁻¹⁰⁷⁰.
//! - All products are of at most three coordinates. Beyond a reach of 2³⁰⁰ they could overflow, so nothing is claimed there: bounds
//!   become infinite. Underflow adds at most 2⁻¹⁰⁷⁴ to a product of two, times 2³⁰⁰ if it is multiplied again: with all terms far less than
//!   [`UNDERFLOW`], which every bound includes.

use super::pair::SignedArea;
use super::vec3::{cross, dot};
use crate::simd::{Lanes, Mask};

/// Unit roundoff.
pub const U: f64 = f64::EPSILON / 2.0;

/// After a step of Newton's method as short as this, the next one is in the noise.
const ARRIVED: f64 = 1e-9;

/// After a step as short as this, 2⁻¹⁸, the next one would be about its square, 2⁻³⁶: close enough for an interval that is at least [`WIDE`].
const ALMOST_ARRIVED: f64 = 1.0 / (1 << 18) as f64;
const WIDE: f64 = 1.0 / (1 << 30) as f64;

/// More than underflow can add to the error of any product of three coordinates: 2⁻⁷⁰⁰.
pub const UNDERFLOW: f64 = f64::from_bits((1023 - 700) << 52);

/// The same for doubles, or for floats: with coordinates below 2³² (see [`super::filter`]), underflow adds at most 2⁻¹⁴⁹ to a product of two, times 2³² if it is
/// multiplied again; 18 such terms, and twenty of the bound, are far less than 2⁻¹⁰⁰.
pub const fn underflow<V: Lanes>() -> f64 {
    const FLOATS: f64 = f64::from_bits((1023 - 100) << 52);
    if V::UNIT_ROUNDOFF == U { UNDERFLOW } else { FLOATS }
}

/// More than underflow can add to the error of a coordinate at a time, and to that of its bound: 2⁻¹⁰⁷⁰. Of coordinates close to the
/// smallest double this is no small part, and the other two factors of a product can be large.
const POSITION_UNDERFLOW: f64 = f64::from_bits(1 << 4);

/// The longest reach for which anything is claimed: 2³⁰⁰.
const LONGEST_REACH: f64 = f64::from_bits((1023 + 300) << 52);

/// Relative positions U, V and W by axis.
pub type Positions<V> = [[V; 3]; 3];

#[derive(Clone, Copy)]
pub struct Motion<V> {
    pub start: Positions<V>,
    pub end: Positions<V>,
    /// M of each axis, or infinity if anything is too large to claim bounds.
    pub reach: [V; 3],
}

/// The volume that the four points span, over an interval of time: Σ cᵢ (1−τ)³⁻ⁱ τⁱ, and a bound on the errors of the cᵢ.
#[derive(Clone, Copy)]
pub struct Volume<V> {
    pub c: [V; 4],
    pub bound: V,
}

impl<V: Lanes> Motion<V> {
    #[inline(always)]
    pub fn new(columns: &[V; 24]) -> Motion<V> {
        let (start, end) = (relative_positions(columns, 0), relative_positions(columns, 12));
        let mut reach = largest(&start, &end);
        let too_long = reach[0].max(reach[1]).max(reach[2]).gt(V::splat(LONGEST_REACH));
        for m in &mut reach {
            *m = V::splat(f64::INFINITY).select(too_long, *m);
        }
        Motion { start, end, reach }
    }

    /// Where the points are at time `t`.
    #[inline(always)]
    pub fn at(&self, t: V) -> Positions<V> {
        let mut positions = self.start;
        for (position, end) in positions.iter_mut().zip(&self.end) {
            for axis in 0..3 {
                position[axis] = position[axis] + t * (end[axis] - position[axis]);
            }
        }
        positions
    }

    /// How wrong each coordinate of [`Motion::at`] can be, by axis.
    #[inline(always)]
    pub fn position_error(&self) -> [V; 3] {
        let share = V::splat(8.0 * U);
        let underflow = V::splat(POSITION_UNDERFLOW);
        [
            self.reach[0] * share + underflow,
            self.reach[1] * share + underflow,
            self.reach[2] * share + underflow,
        ]
    }

    /// The volume over the whole motion.
    ///
    /// c₁ and c₂ are sums of 18 products of three coordinates. Each coordinate has a relative error of u at most, and each product passes
    /// through at most 8 roundings, so their errors are at most 18 · 11u MₓMᵧM_z = 198u MₓMᵧM_z to first order. The bound is
    /// 256u MₓMᵧM_z. c₀ and c₃ have 6 products, which leaves room to evaluate the polynomial (see [`Volume::value_at`]).
    #[inline(always)]
    pub fn volume(&self) -> Volume<V> {
        let [mx, my, mz] = self.reach;
        let bound = mx * my * mz * V::splat(256.0 * U) + V::splat(UNDERFLOW);
        Volume { c: volume_coefficients(&self.start, &self.end), bound }
    }
}

/// The volume between two moments of a motion, given the positions at both and the error of their coordinates.
///
/// With m the largest coordinate of an axis plus its error e, a product of three is wrong by at most
/// eₓmᵧm_z + mₓeᵧm_z + mₓmᵧe_z because of the coordinates, and by 8u mₓmᵧm_z because of roundings. There are 18 of them; the factors below
/// round this up, which also covers the roundings in the bound itself. All of this holds for floats as well, with their u.
#[inline(always)]
pub fn volume_between<V: Lanes>(start: &Positions<V>, end: &Positions<V>, error: &[V; 3]) -> Volume<V> {
    let large = largest(start, end);
    let m = [large[0] + error[0], large[1] + error[1], large[2] + error[2]];
    let by_position = error[0] * m[1] * m[2] + m[0] * error[1] * m[2] + m[0] * m[1] * error[2];
    let by_rounding = m[0] * m[1] * m[2] * V::splat(10.0 * V::UNIT_ROUNDOFF);
    let bound = (by_position + by_rounding) * V::splat(20.0) + V::splat(underflow::<V>());
    Volume { c: volume_coefficients(start, end), bound }
}

#[inline(always)]
fn volume_coefficients<V: Lanes>(start: &Positions<V>, end: &Positions<V>) -> [V; 4] {
    let [u0, v0, w0] = *start;
    let [u1, v1, w1] = *end;
    let at_start = cross(v0, w0);
    let at_end = cross(v1, w1);
    let (mixed_a, mixed_b) = (cross(v0, w1), cross(v1, w0));
    let mixed = [mixed_a[0] + mixed_b[0], mixed_a[1] + mixed_b[1], mixed_a[2] + mixed_b[2]];
    [dot(u0, at_start), dot(u1, at_start) + dot(u0, mixed), dot(u0, at_end) + dot(u1, mixed), dot(u1, at_end)]
}

/// The areas of the pairs UV, VW and UW between two moments, seen along the axis `view` (one for each lane, given as masks for x and y;
/// else z).
///
/// With m and e as in [`volume_between`], for the two axes i and j of the view: a product of two coordinates is wrong by at most
/// eᵢmⱼ + mᵢeⱼ, and by 4u mᵢmⱼ because of roundings. The middle coefficient has four of them.
#[inline(always)]
pub fn areas_between<V: Lanes>(
    start: &Positions<V>,
    end: &Positions<V>,
    error: &[V; 3],
    view: (V::Mask, V::Mask),
) -> [SignedArea<V>; 3] {
    let mut s = [[V::splat(0.0); 2]; 3];
    let mut t = s;
    let e = in_view(error, view);
    let mut m = [V::splat(0.0); 2];
    for point in 0..3 {
        s[point] = in_view(&start[point], view);
        t[point] = in_view(&end[point], view);
        for k in 0..2 {
            m[k] = m[k].max(s[point][k].abs()).max(t[point][k].abs());
        }
    }
    let m = [m[0] + e[0], m[1] + e[1]];
    let one_product = e[0] * m[1] + m[0] * e[1] + m[0] * m[1] * V::splat(4.0 * V::UNIT_ROUNDOFF);
    let bound = one_product * V::splat(4.5) + V::splat(underflow::<V>());
    [area(&s, &t, 0, 1, bound), area(&s, &t, 1, 2, bound), area(&s, &t, 0, 2, bound)]
}

/// The two coordinates that are seen along an axis, in an order that keeps orientation.
#[inline(always)]
fn in_view<V: Lanes>(r: &[V; 3], (along_x, along_y): (V::Mask, V::Mask)) -> [V; 2] {
    let [x, y, z] = *r;
    [y.select(along_x, z.select(along_y, x)), z.select(along_x, x.select(along_y, y))]
}

#[inline(always)]
fn area<V: Lanes>(s: &[[V; 2]; 3], t: &[[V; 2]; 3], a: usize, b: usize, bound: V) -> SignedArea<V> {
    let middle = determinant(s[a], t[b]) + determinant(t[a], s[b]);
    SignedArea { coefficients: [determinant(s[a], s[b]), middle, determinant(t[a], t[b])], bound }
}

#[inline(always)]
fn determinant<V: Lanes>(p: [V; 2], q: [V; 2]) -> V {
    p[0] * q[1] - p[1] * q[0]
}

/// A time before which the polynomial with these control points, given with the bound of their errors, has no root (see [`Volume::hull`]); at most 1.
#[inline(always)]
fn first_root<V: Lanes>(points: [V; 4], bound: V) -> V {
    let zero = V::splat(0.0);
    let negative = points[0].lt(zero);
    let mut low = [zero; 4];
    for i in 0..4 {
        low[i] = (zero - points[i]).select(negative, points[i]) - bound;
    }
    let mut first = V::splat(1.0);
    for i in 0..3 {
        for j in i + 1..4 {
            let crosses = low[i].gt(zero) & !low[j].gt(zero);
            let share = low[i] / (low[i] - low[j]);
            let time = V::splat(i as f64 / 3.0) + V::splat((j - i) as f64 / 3.0) * share;
            first = time.select(crosses, first).min(first);
        }
    }
    // Unless the first point is certainly on one side, there may be a root right at the start.
    (first - V::splat(8.0 * V::UNIT_ROUNDOFF)).select(low[0].gt(zero), zero).max(zero)
}

/// The largest magnitude of a coordinate by axis, at either of two moments.
#[inline(always)]
pub fn largest<V: Lanes>(start: &Positions<V>, end: &Positions<V>) -> [V; 3] {
    let mut largest = [V::splat(0.0); 3];
    for (from, to) in start.iter().zip(end) {
        for axis in 0..3 {
            largest[axis] = largest[axis].max(from[axis].abs()).max(to[axis].abs());
        }
    }
    largest
}

#[inline(always)]
fn relative_positions<V: Lanes>(columns: &[V; 24], first: usize) -> Positions<V> {
    let mut positions = [[V::splat(0.0); 3]; 3];
    for (other, position) in positions.iter_mut().enumerate() {
        for axis in 0..3 {
            position[axis] = columns[first + 3 * (other + 1) + axis] - columns[first + axis];
        }
    }
    positions
}

impl<V: Lanes> Volume<V> {
    /// Where the volume certainly has one sign throughout.
    #[inline(always)]
    pub fn never_zero(&self) -> V::Mask {
        let [a, b, c, d] = self.c;
        let smallest = a.min(b).min(c).min(d);
        let largest = a.max(b).max(c).max(d);
        smallest.gt(self.bound) | largest.lt(V::splat(0.0) - self.bound)
    }

    /// A part of the interval that all roots are in, as far as there are any: where the convex hull of the control points meets zero. Given for the interval from 0 to 1.
    ///
    /// The control points are (i/3, βᵢ), with β the exact c₀, c₁/3, c₂/3, c₃. All that is known of βᵢ is that it is within the bound of its rounded value, to which the
    /// third and the subtraction of the bound add 2v |cᵢ| at most (v is the unit roundoff): c₁ and c₂ are divided by three, and so is what the
    /// bound has to cover of them; of c₀ and c₃ it has to cover a third. So each βᵢ is more than the lowered bᵢ = c − bound. If b₀ is positive, the graph of the volume comes
    /// from above; where it meets zero for the first time it is not below the lower hull of the bᵢ, so this has met zero by then, on a segment from a point i with bᵢ > 0 to a
    /// point j > i with bⱼ ≤ 0. That is the earliest of all such segments; the sign of the volume and the direction of time do not matter. A quotient and what is made of it are off by
    /// less than 8v.
    #[inline(always)]
    pub fn hull(&self) -> (V, V) {
        let third = V::splat(1.0) / V::splat(3.0);
        let [a, b, c, d] = [self.c[0], self.c[1] * third, self.c[2] * third, self.c[3]];
        let from = first_root([a, b, c, d], self.bound);
        let back = first_root([d, c, b, a], self.bound);
        (from, V::splat(1.0) - back)
    }

    /// Where the coefficients are too small for their signs to be known.
    #[inline(always)]
    pub fn maybe_zero_everywhere(&self) -> V::Mask {
        let [a, b, c, d] = self.c;
        !a.abs().max(b.abs()).max(c.abs().max(d.abs())).gt(self.bound)
    }

    /// The same with the sign that makes c₀ positive; and where then certainly c₀ > 0 > c₃ and the coefficients change their sign only
    /// once, which proves that there is exactly one root.
    #[inline(always)]
    pub fn falling(&self) -> (Volume<V>, V::Mask) {
        let zero = V::splat(0.0);
        let negative = self.c[0].lt(zero);
        let mut c = self.c;
        for coefficient in &mut c {
            *coefficient = (zero - *coefficient).select(negative, *coefficient);
        }
        let below = zero - self.bound;
        let once = c[0].gt(self.bound) & c[3].lt(below) & (c[1].gt(self.bound) | c[2].lt(below));
        (Volume { c, bound: self.bound }, once)
    }

    /// The value at τ in [0, 1], with an error of less than the bound.
    ///
    /// The cᵢ add at most 66u MₓMᵧM_z (see [`Motion::volume`]; the weights of the Bernstein polynomials sum to one). The value is at most
    /// 6 MₓMᵧM_z, and no term passes through more than 9 roundings: 54u MₓMᵧM_z. The bound is 256u.
    #[inline(always)]
    pub fn value_at(&self, tau: V) -> V {
        let [a, b, c, d] = self.c;
        let rest = V::splat(1.0) - tau;
        (a * rest + b * tau) * (rest * rest) + (c * rest + d * tau) * (tau * tau)
    }

    /// The volume before and after time τ in (0, 1), each on an interval of its own.
    ///
    /// De Casteljau's algorithm on cᵢ / (1, 3, 3, 1), whose errors are at most 66u MₓMᵧM_z, and 12u more for the rounded third.
    /// Interpolating three times adds less than 9u · 6 MₓMᵧM_z; times three for the middle coefficients, and 18u for that product, it is
    /// 414u MₓMᵧM_z. The bound is doubled to 512u.
    #[inline(always)]
    pub fn cut_at(&self, tau: V) -> [Volume<V>; 2] {
        let (third, three, rest) = (V::splat(1.0) / V::splat(3.0), V::splat(3.0), V::splat(1.0) - tau);
        let [a, b, c, d] = [self.c[0], self.c[1] * third, self.c[2] * third, self.c[3]];
        let (ab, bc, cd) = (a * rest + b * tau, b * rest + c * tau, c * rest + d * tau);
        let (abc, bcd) = (ab * rest + bc * tau, bc * rest + cd * tau);
        let middle = abc * rest + bcd * tau;
        let bound = self.bound + self.bound;
        [
            Volume { c: [a, ab * three, abc * three, middle], bound },
            Volume { c: [middle, bcd * three, cd * three, d], bound },
        ]
    }

    /// About where between the ends the volume is smallest or largest. Nothing is claimed but that it is between.
    #[inline(always)]
    pub fn guess_extremum(&self) -> V {
        let [a, b, c, d] = self.c;
        let (two, three) = (V::splat(2.0), V::splat(3.0));
        let (k1, k2, k3) = (b - three * a, c - two * b + three * a, d - c + b - a);
        let (low, high) = (V::splat(1.0 / 64.0), V::splat(63.0 / 64.0));
        // Begin at the side of the inner coefficient that differs more from the end next to it.
        let left = (b - three * a).abs().gt((c - three * d).abs());
        let mut t = V::splat(0.375).select(left, V::splat(0.625));
        for _ in 0..4 {
            let slope = (three * k3 * t + two * k2) * t + k1;
            let bend = two * (three * k3 * t + k2);
            // the bounds also replace a quotient that is not a number
            t = (t - slope / bend).max(low).min(high);
        }
        t
    }

    /// About where a falling volume vanishes, where that is `wanted`, for an interval around it of the given width. Nothing is claimed.
    #[inline(always)]
    pub fn guess_root(&self, wanted: V::Mask, width: V) -> V {
        let [a, b, c, d] = self.c;
        let (one, two, three) = (V::splat(1.0), V::splat(2.0), V::splat(3.0));
        // power basis for Newton's method
        let (k1, k2, k3) = (b - three * a, c - two * b + three * a, d - c + b - a);
        let (mut low, mut high) = (V::splat(0.0), one);
        let mut t = a / (a - d);
        let mut open = wanted;
        let arrived = V::splat(ARRIVED).select(width.lt(V::splat(WIDE)), V::splat(ALMOST_ARRIVED));
        for _ in 0..8 {
            let value = ((k3 * t + k2) * t + k1) * t + a;
            let slope = (three * k3 * t + two * k2) * t + k1;
            let positive = value.gt(V::splat(0.0));
            low = t.select(positive, low);
            high = high.select(positive, t);
            let next = t - value / slope;
            let astray = next.lt(low) | next.gt(high);
            let next = ((low + high) * V::splat(0.5)).select(astray, next);
            // A lane stops when it has arrived, whatever the others do: the result depends on nothing but the volume.
            let step = (next - t).abs();
            t = next.select(open, t);
            open = open & !step.lt(arrived);
            if open.bits() == 0 {
                break;
            }
        }
        t
    }
}
