//! Numbers `mantissa · 2^exponent` with a big integer mantissa: every double is one, and sums and products of
//! them stay exact.

use num_bigint::{BigInt, Sign};
use num_traits::Zero;
use std::cmp::Ordering;

/// Sign of an integer as -1, 0 or 1.
pub fn sign(value: &BigInt) -> i32 {
    match value.sign() {
        Sign::Minus => -1,
        Sign::NoSign => 0,
        Sign::Plus => 1,
    }
}

/// Splits a finite double into an odd integer (or 0) and a power of two.
pub fn split(value: f64) -> (i64, i32) {
    assert!(value.is_finite(), "the oracle takes finite numbers only, got {value}");
    let bits = value.to_bits();
    let field = ((bits >> 52) & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (mantissa, exponent) =
        if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
    if mantissa == 0 {
        return (0, 0);
    }
    let zeros = mantissa.trailing_zeros();
    let magnitude = mantissa >> zeros;
    (if value < 0.0 { -magnitude } else { magnitude }, exponent + zeros as i32)
}

/// Integers `n_i` and one exponent `e` with `values_i = n_i · 2^e`.
pub fn common_scale(values: &[f64]) -> (Vec<BigInt>, i32) {
    let parts: Vec<(i64, i32)> = values.iter().map(|&value| split(value)).collect();
    let lowest = parts.iter().filter(|part| part.0 != 0).map(|part| part.1).min().unwrap_or(0);
    let integers = parts
        .iter()
        .map(|&(mantissa, exponent)| {
            if mantissa == 0 { BigInt::zero() } else { BigInt::from(mantissa) << (exponent - lowest) as u32 }
        })
        .collect();
    (integers, lowest)
}

#[derive(Clone, Debug)]
pub struct Dyadic {
    pub mantissa: BigInt,
    pub exponent: i64,
}

impl Dyadic {
    pub fn new(mantissa: BigInt, exponent: i64) -> Dyadic {
        Dyadic { mantissa, exponent }
    }

    pub fn zero() -> Dyadic {
        Dyadic::new(BigInt::zero(), 0)
    }

    pub fn from_f64(value: f64) -> Dyadic {
        let (mantissa, exponent) = split(value);
        Dyadic::new(BigInt::from(mantissa), i64::from(exponent))
    }

    pub fn add(&self, other: &Dyadic) -> Dyadic {
        let exponent = self.exponent.min(other.exponent);
        Dyadic::new(self.at_exponent(exponent) + other.at_exponent(exponent), exponent)
    }

    pub fn subtract(&self, other: &Dyadic) -> Dyadic {
        self.add(&Dyadic::new(-&other.mantissa, other.exponent))
    }

    pub fn multiply(&self, other: &Dyadic) -> Dyadic {
        Dyadic::new(&self.mantissa * &other.mantissa, self.exponent + other.exponent)
    }

    pub fn sign(&self) -> i32 {
        sign(&self.mantissa)
    }

    pub fn compare(&self, other: &Dyadic) -> Ordering {
        self.subtract(other).sign().cmp(&0)
    }

    /// The mantissa with a lower exponent.
    fn at_exponent(&self, exponent: i64) -> BigInt {
        assert!(exponent <= self.exponent || self.mantissa.is_zero());
        if self.mantissa.is_zero() {
            BigInt::zero()
        } else {
            &self.mantissa << (self.exponent - exponent) as u64
        }
    }

    /// As `numerator / 2^power`.
    pub fn as_quotient(&self) -> (BigInt, u64) {
        if self.exponent >= 0 {
            (&self.mantissa << self.exponent as u64, 0)
        } else {
            (self.mantissa.clone(), self.exponent.unsigned_abs())
        }
    }
}
