//! One lane: a plain double.

use super::{Lanes, MAX_LANES, Mask};

impl Mask for bool {
    #[inline(always)]
    fn from_bits(bits: u32) -> bool {
        bits & 1 != 0
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        self as u32
    }
}

impl Lanes for f64 {
    type Mask = bool;

    const COUNT: usize = 1;

    #[inline(always)]
    fn splat(value: f64) -> f64 {
        value
    }

    #[inline(always)]
    fn load(values: &[f64]) -> f64 {
        values[0]
    }

    #[inline(always)]
    fn to_array(self) -> [f64; MAX_LANES] {
        let mut array = [0.0; MAX_LANES];
        array[0] = self;
        array
    }

    #[inline(always)]
    fn abs(self) -> f64 {
        f64::abs(self)
    }

    #[inline(always)]
    fn min(self, other: f64) -> f64 {
        if self < other { self } else { other }
    }

    #[inline(always)]
    fn max(self, other: f64) -> f64 {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn gt(self, other: f64) -> bool {
        self > other
    }

    #[inline(always)]
    fn select(self, mask: bool, other: f64) -> f64 {
        if mask { self } else { other }
    }

    #[inline(always)]
    fn transpose(rows: [&[f64; 24]; MAX_LANES]) -> [f64; 24] {
        *rows[0]
    }
}
