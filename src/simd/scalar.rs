//! One lane: a plain double. Eight floats: a plain array.

use super::{Floats8, Lanes, MAX_LANES, Mask, round_down};

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
    type Floats = [f32; 8];

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
    fn transpose<const N: usize>(rows: [&[f64; N]; MAX_LANES]) -> [f64; N] {
        *rows[0]
    }
}

impl Floats8 for [f32; 8] {
    #[inline(always)]
    fn splat(value: f32) -> [f32; 8] {
        [value; 8]
    }

    #[inline(always)]
    fn load(values: &[f32; 8]) -> [f32; 8] {
        *values
    }

    #[inline(always)]
    fn add(self, other: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| self[i] + other[i])
    }

    #[inline(always)]
    fn sub(self, other: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| self[i] - other[i])
    }

    #[inline(always)]
    fn mul(self, other: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| self[i] * other[i])
    }

    #[inline(always)]
    fn div(self, other: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| self[i] / other[i])
    }

    #[inline(always)]
    fn to_array(self) -> [f32; 8] {
        self
    }

    #[inline(always)]
    fn min(self, other: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| if self[i] < other[i] { self[i] } else { other[i] })
    }

    #[inline(always)]
    fn max(self, other: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| if self[i] > other[i] { self[i] } else { other[i] })
    }

    #[inline(always)]
    fn greater(self, other: [f32; 8]) -> u32 {
        (0..8).fold(0, |bits, i| bits | ((self[i] > other[i]) as u32) << i)
    }

    #[inline(always)]
    fn equal(numbers: &[u32; 8], number: u32) -> u32 {
        (0..8).fold(0, |bits, i| bits | ((numbers[i] == number) as u32) << i)
    }

    #[inline(always)]
    fn transpose(rows: [[f32; 8]; 8]) -> [[f32; 8]; 8] {
        let mut columns = [[0.0; 8]; 8];
        for (i, row) in rows.iter().enumerate() {
            for (column, &value) in columns.iter_mut().zip(row) {
                column[i] = value;
            }
        }
        columns
    }

    #[inline(always)]
    fn round_down(values: &[f64; 8]) -> ([f32; 8], [f32; 8]) {
        // adding zero makes zeros positive
        (values.map(|value| round_down(value) + 0.0), values.map(|value| round_down(-value) + 0.0))
    }
}
