//! Polynomials in one variable with big integer coefficients, of the small degrees that linear motion gives.

use super::dyadic::{Dyadic, sign};
use num_bigint::BigInt;
use num_traits::{One, Zero};
use std::ops::{Add, Mul, Sub};

/// Coefficients from the constant term up; the last one is never zero, the zero polynomial has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polynomial {
    coefficients: Vec<BigInt>,
}

impl Polynomial {
    pub fn new(mut coefficients: Vec<BigInt>) -> Polynomial {
        while coefficients.last().is_some_and(Zero::is_zero) {
            coefficients.pop();
        }
        Polynomial { coefficients }
    }

    /// The linear function with the given values at 0 and at 1.
    pub fn through(at_start: &BigInt, at_end: &BigInt) -> Polynomial {
        Polynomial::new(vec![at_start.clone(), at_end - at_start])
    }

    pub fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    /// Degree; 0 for constants, the zero polynomial included.
    pub fn degree(&self) -> usize {
        self.coefficients.len().saturating_sub(1)
    }

    pub fn derivative(&self) -> Polynomial {
        let terms = self.coefficients.iter().enumerate().skip(1);
        Polynomial::new(terms.map(|(power, coefficient)| coefficient * BigInt::from(power)).collect())
    }

    /// `2^(power · degree) · self(numerator / 2^power)`: an integer with the sign of the value.
    pub fn scaled_value(&self, numerator: &BigInt, power: u64) -> BigInt {
        let mut value = BigInt::zero();
        for (step, coefficient) in self.coefficients.iter().rev().enumerate() {
            value *= numerator;
            value += coefficient << (power * step as u64);
        }
        value
    }

    pub fn sign_at(&self, time: &Dyadic) -> i32 {
        let (numerator, power) = time.as_quotient();
        sign(&self.scaled_value(&numerator, power))
    }

    /// Positive multiples of the Bernstein coefficients over `[cell, cell + 1] / 2^power`.
    fn bernstein(&self, cell: &BigInt, power: u64) -> Vec<BigInt> {
        let degree = self.degree();
        let mut shifted: Vec<BigInt> = self
            .coefficients
            .iter()
            .enumerate()
            .map(|(index, coefficient)| coefficient << (power * (degree - index) as u64))
            .collect();
        // Taylor shift by repeated synthetic division: afterwards the variable runs from 0 to 1 over the cell.
        if !cell.is_zero() {
            for first in 0..degree {
                for index in (first..degree).rev() {
                    let carried = &shifted[index + 1] * cell;
                    shifted[index] += carried;
                }
            }
        }
        let common = (0..=degree).fold(1, |multiple, index| lcm(multiple, binomial(degree, index)));
        (0..=degree)
            .map(|index| {
                (0..=index)
                    .map(|term| &shifted[term] * (common / binomial(degree, term) * binomial(index, term)))
                    .sum()
            })
            .collect()
    }

    /// Signs of the Bernstein coefficients over `[cell, cell + 1] / 2^power`.
    pub fn bernstein_signs(&self, cell: &BigInt, power: u64) -> Vec<i32> {
        self.bernstein(cell, power).iter().map(sign).collect()
    }

    /// Multiple of the quotient and of the remainder of `self / divisor`.
    fn pseudo_divide(&self, divisor: &Polynomial) -> (Polynomial, Polynomial) {
        let lead = divisor.coefficients.last().expect("division by the zero polynomial");
        let mut remainder = self.clone();
        let mut quotient = Polynomial::new(Vec::new());
        while !remainder.is_zero() && remainder.coefficients.len() >= divisor.coefficients.len() {
            let shift = remainder.coefficients.len() - divisor.coefficients.len();
            let factor = remainder.coefficients.last().expect("not zero").clone();
            let mut term = vec![BigInt::zero(); shift + 1];
            term[shift] = factor;
            let term = Polynomial::new(term);
            quotient = &quotient.scale(lead) + &term;
            remainder = &remainder.scale(lead) - &(&term * divisor);
        }
        (quotient, remainder)
    }

    /// A greatest common divisor over the rationals (any constant multiple of it).
    pub fn common_divisor(&self, other: &Polynomial) -> Polynomial {
        let (mut large, mut small) = (self.clone(), other.clone());
        if large.degree() < small.degree() {
            std::mem::swap(&mut large, &mut small);
        }
        while !small.is_zero() {
            if small.degree() == 0 {
                return Polynomial::new(vec![BigInt::one()]);
            }
            let remainder = large.pseudo_divide(&small).1;
            large = small;
            small = remainder;
        }
        large
    }

    /// A polynomial with the same roots, each simple.
    pub fn square_free(&self) -> Polynomial {
        let repeated = self.common_divisor(&self.derivative());
        if repeated.degree() == 0 { self.clone() } else { self.pseudo_divide(&repeated).0 }
    }

    /// Divides by the linear factor of a root as often as it goes.
    pub fn without_root(&self, root: &Dyadic) -> Polynomial {
        let (numerator, power) = root.as_quotient();
        let factor = Polynomial::new(vec![-numerator, BigInt::one() << power]);
        let mut rest = self.clone();
        while rest.degree() > 0 && rest.sign_at(root) == 0 {
            rest = rest.pseudo_divide(&factor).0;
        }
        rest
    }

    fn scale(&self, factor: &BigInt) -> Polynomial {
        Polynomial::new(self.coefficients.iter().map(|coefficient| coefficient * factor).collect())
    }
}

fn binomial(upper: usize, lower: usize) -> u64 {
    (0..lower as u64).fold(1, |value, step| value * (upper as u64 - step) / (step + 1))
}

fn lcm(first: u64, second: u64) -> u64 {
    let (mut large, mut small) = (first, second);
    while small != 0 {
        (large, small) = (small, large % small);
    }
    first / large * second
}

impl Add for &Polynomial {
    type Output = Polynomial;
    fn add(self, other: &Polynomial) -> Polynomial {
        let (long, short) =
            if self.coefficients.len() >= other.coefficients.len() { (self, other) } else { (other, self) };
        let mut sum = long.coefficients.clone();
        sum.iter_mut().zip(&short.coefficients).for_each(|(target, term)| *target += term);
        Polynomial::new(sum)
    }
}

impl Sub for &Polynomial {
    type Output = Polynomial;
    fn sub(self, other: &Polynomial) -> Polynomial {
        let mut difference = self.coefficients.clone();
        difference.resize(difference.len().max(other.coefficients.len()), BigInt::zero());
        difference.iter_mut().zip(&other.coefficients).for_each(|(target, term)| *target -= term);
        Polynomial::new(difference)
    }
}

impl Mul for &Polynomial {
    type Output = Polynomial;
    fn mul(self, other: &Polynomial) -> Polynomial {
        if self.is_zero() || other.is_zero() {
            return Polynomial::new(Vec::new());
        }
        let mut product = vec![BigInt::zero(); self.coefficients.len() + other.coefficients.len() - 1];
        for (low, left) in self.coefficients.iter().enumerate() {
            for (high, right) in other.coefficients.iter().enumerate() {
                product[low + high] += left * right;
            }
        }
        Polynomial::new(product)
    }
}
