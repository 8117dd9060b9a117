//! Polynomials of degree at most three with integer coefficients, on the time interval [0, 1].
//!
//! A time t is written as the ratio ρ = y / x of y = t and x = 1 − t, and a polynomial in t of degree n as
//! Σ cᵢ xⁿ⁻ⁱ yⁱ. The cᵢ are the Bernstein coefficients times binomials, so that products of motions are plain
//! products, no division is ever needed, and t = 0 and t = 1 (ρ = 0 and ρ = ∞) are treated alike: they are
//! roots if the first or the last coefficient is zero. In ρ it is an ordinary polynomial Σ cᵢ ρⁱ, with x > 0 a
//! positive factor, and everything known about signs of polynomials on [0, ∞] holds.

use super::int::{Arena, Int};

/// The time y / (x + y); x and y are not negative and not both zero.
#[derive(Clone, Copy, Debug)]
pub struct Point<'a> {
    pub x: Int<'a>,
    pub y: Int<'a>,
}

impl<'a> Point<'a> {
    pub fn start(arena: &Arena<'a>) -> Point<'a> {
        Point { x: arena.small(1), y: Int::ZERO }
    }

    pub fn end(arena: &Arena<'a>) -> Point<'a> {
        Point { x: Int::ZERO, y: arena.small(1) }
    }

    /// The time `t` in [0, 1], exactly.
    pub fn of_time(arena: &Arena<'a>, t: f64) -> Point<'a> {
        let (mantissa, exponent) = decompose(t);
        let scale = (-exponent).max(0) as u32;
        let y = arena.shifted(mantissa, exponent.max(0) as u32);
        Point { x: arena.sub(arena.shifted(1, scale), y), y }
    }
}

/// `value` as m · 2^e with m odd, or (0, 0).
pub fn decompose(value: f64) -> (i64, i32) {
    if value == 0.0 {
        return (0, 0);
    }
    let bits = value.to_bits();
    let field = (bits >> 52 & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (mantissa, exponent) =
        if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
    let zeros = mantissa.trailing_zeros();
    let odd = mantissa >> zeros;
    (if value < 0.0 { -odd } else { odd }, exponent + zeros as i32)
}

/// Coefficients c₀ … cₙ.
#[derive(Clone, Copy, Debug)]
pub struct Poly<'a> {
    c: [Int<'a>; 4],
    len: usize,
}

impl<'a> Poly<'a> {
    pub fn new(coefficients: &[Int<'a>]) -> Poly<'a> {
        let mut c = [Int::ZERO; 4];
        c[..coefficients.len()].copy_from_slice(coefficients);
        Poly { c, len: coefficients.len() }
    }

    pub fn coefficients(&self) -> &[Int<'a>] {
        &self.c[..self.len]
    }

    pub fn is_zero(&self) -> bool {
        self.coefficients().iter().all(|c| c.is_zero())
    }

    /// Number of sign changes in the coefficients: as many roots in (0, 1) as that, or fewer by an even number
    /// (Descartes' rule of signs).
    pub fn variations(&self) -> usize {
        variations(self.coefficients().iter().map(|c| c.sign()))
    }

    /// The one sign of all coefficients, if they have one: then it is the sign everywhere in (0, 1).
    pub fn uniform_sign(&self) -> Option<i32> {
        let mut signs = self.coefficients().iter().map(|c| c.sign());
        let first = signs.next()?;
        (first != 0 && signs.all(|sign| sign == first)).then_some(first)
    }

    /// Without the highest coefficients that are zero.
    pub fn trimmed(&self) -> Poly<'a> {
        let len = self.coefficients().iter().rposition(|c| !c.is_zero()).map_or(0, |last| last + 1);
        Poly { c: self.c, len }
    }

    /// Divided by ρ as often as possible.
    pub fn without_roots_at_zero(&self) -> Poly<'a> {
        let zeros = self.coefficients().iter().position(|c| !c.is_zero()).unwrap_or(self.len);
        Poly::new(&self.coefficients()[zeros..])
    }

    pub fn add(&self, arena: &Arena<'a>, other: &Poly<'a>) -> Poly<'a> {
        debug_assert_eq!(self.len, other.len);
        let mut c = [Int::ZERO; 4];
        for (i, sum) in c.iter_mut().enumerate().take(self.len) {
            *sum = arena.add(self.c[i], other.c[i]);
        }
        Poly { c, len: self.len }
    }

    pub fn negated(&self) -> Poly<'a> {
        Poly { c: self.c.map(|c| c.negated()), len: self.len }
    }

    pub fn sub(&self, arena: &Arena<'a>, other: &Poly<'a>) -> Poly<'a> {
        self.add(arena, &other.negated())
    }

    pub fn mul(&self, arena: &Arena<'a>, other: &Poly<'a>) -> Poly<'a> {
        let mut c = [Int::ZERO; 4];
        for (i, &a) in self.coefficients().iter().enumerate() {
            for (j, &b) in other.coefficients().iter().enumerate() {
                c[i + j] = arena.add(c[i + j], arena.mul(a, b));
            }
        }
        Poly { c, len: self.len + other.len - 1 }
    }

    /// Derivative with respect to ρ.
    pub fn derivative(&self, arena: &Arena<'a>) -> Poly<'a> {
        let mut c = [Int::ZERO; 4];
        for i in 1..self.len {
            c[i - 1] = arena.mul(self.c[i], arena.small(i as i64));
        }
        Poly { c, len: self.len.max(1) - 1 }
    }

    pub fn sign_at(&self, arena: &Arena, point: &Point) -> i32 {
        let Some((&last, rest)) = self.coefficients().split_last() else { return 0 };
        if point.y.is_zero() {
            return self.c[0].sign();
        }
        if point.x.is_zero() {
            return last.sign();
        }
        let mut frame = arena.frame();
        let ar = frame.arena();
        let (mut value, mut power) = (last, ar.small(1));
        for &c in rest.iter().rev() {
            power = ar.mul(power, point.x);
            value = ar.add(ar.mul(value, point.y), ar.mul(c, power));
        }
        value.sign()
    }

    /// The remainder of this polynomial divided by `divisor` (both trimmed, `divisor` not zero), times some
    /// positive number that makes it integer.
    pub fn remainder(&self, arena: &Arena<'a>, divisor: &Poly<'a>) -> Poly<'a> {
        let Some((&lead, low)) = divisor.coefficients().split_last() else { return *self };
        let mut rest = *self;
        let mut sign = 1;
        while rest.len >= divisor.len {
            // rest ← lead · rest − top · divisor · ρ^shift: the highest coefficient cancels
            let (top, shift) = (rest.c[rest.len - 1], rest.len - divisor.len);
            rest.len -= 1;
            for i in 0..rest.len {
                rest.c[i] = arena.mul(rest.c[i], lead);
            }
            for (i, &d) in low.iter().enumerate() {
                rest.c[i + shift] = arena.sub(rest.c[i + shift], arena.mul(top, d));
            }
            rest.c[rest.len] = Int::ZERO;
            sign *= lead.sign();
            rest = rest.trimmed();
        }
        if sign < 0 { rest.negated() } else { rest }
    }
}

/// Number of changes between + and − in a sequence, zeros left out.
pub fn variations(signs: impl Iterator<Item = i32>) -> usize {
    let mut count = 0;
    let mut last = 0;
    for sign in signs.filter(|&sign| sign != 0) {
        count += (last != 0 && sign != last) as usize;
        last = sign;
    }
    count
}
