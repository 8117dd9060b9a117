//! One lane: a plain double or float. Eight floats: a plain array.

use super::{
    Doubles, Floats8, Lanes, MAX_LANES, MAX_SINGLES, Mask, SET_LANES, Singles, round_down, set_places,
};

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

/// Implements [`Lanes`] for a number type of the language.
macro_rules! one_lane {
    ($type:ident) => {
        impl Lanes for $type {
            type Mask = bool;

            const COUNT: usize = 1;
            const UNIT_ROUNDOFF: f64 = ($type::EPSILON / 2.0) as f64;

            #[inline(always)]
            fn splat(value: f64) -> $type {
                value as $type
            }

            #[inline(always)]
            fn abs(self) -> $type {
                $type::abs(self)
            }

            #[inline(always)]
            fn sqrt(self) -> $type {
                $type::sqrt(self)
            }

            #[inline(always)]
            fn min(self, other: $type) -> $type {
                if self < other { self } else { other }
            }

            #[inline(always)]
            fn max(self, other: $type) -> $type {
                if self > other { self } else { other }
            }

            #[inline(always)]
            fn gt(self, other: $type) -> bool {
                self > other
            }

            #[inline(always)]
            fn select(self, mask: bool, other: $type) -> $type {
                if mask { self } else { other }
            }
        }
    };
}

one_lane!(f64);
one_lane!(f32);

impl Doubles for f64 {
    type Floats = [f32; 8];
    type Singles = f32;

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
    fn transpose<const N: usize>(rows: [&[f64; N]; MAX_LANES]) -> [f64; N] {
        *rows[0]
    }
}

impl Singles for f32 {
    #[inline(always)]
    fn transpose(rows: [&[f32; 8]; MAX_SINGLES]) -> [f32; 8] {
        *rows[0]
    }

    #[inline(always)]
    fn transpose_points(rows: [&[f32; 4]; MAX_SINGLES]) -> [f32; 4] {
        *rows[0]
    }
}

impl Floats8 for [f32; 8] {
    type Places = [u8; 8];

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
    fn equal_to_any(rows: &[[u32; 8]; 3], numbers: [u32; 3]) -> [u32; 2] {
        let mut any = [0; 2];
        for number in numbers {
            let lanes = rows.iter().fold(0, |lanes, row| lanes | <[f32; 8]>::equal(row, number));
            any[0] |= lanes;
            any[1] |= if number >> 31 == 0 { lanes } else { 0 };
        }
        any
    }

    #[inline(always)]
    fn compress(numbers: &[u32; 8], lanes: u32) -> [u32; 8] {
        std::array::from_fn(|i| numbers[SET_LANES[lanes as usize & 0xff][i] as usize & 7])
    }

    #[inline(always)]
    fn places(lanes: u32) -> [u8; 8] {
        set_places(lanes).to_le_bytes()
    }

    #[inline(always)]
    fn pick(low: &[f32; 8], high: &[f32; 8], places: [u8; 8]) -> [f32; 8] {
        pick(low, high, places)
    }

    #[inline(always)]
    fn pick_numbers(low: &[u32; 8], high: &[u32; 8], places: [u8; 8]) -> [u32; 8] {
        pick(low, high, places)
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
    fn transpose_points(rows: [&[f32; 4]; 8]) -> [[f32; 8]; 4] {
        std::array::from_fn(|column| rows.map(|row| row[column]))
    }

    #[inline(always)]
    fn round_down(values: &[f64; 8]) -> ([f32; 8], [f32; 8]) {
        // adding zero makes zeros positive
        (values.map(|value| round_down(value) + 0.0), values.map(|value| round_down(-value) + 0.0))
    }
}

/// What is in these places of two rows.
#[inline(always)]
fn pick<T: Copy>(low: &[T; 8], high: &[T; 8], places: [u8; 8]) -> [T; 8] {
    places.map(|place| if place < 8 { low[place as usize] } else { high[place as usize - 8] })
}
