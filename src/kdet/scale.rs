//! Powers of two that make numbers of any size ones whose squares and products are doubles.

/// A power of two, as two factors: for the smallest numbers it is no double itself.
#[derive(Clone, Copy)]
pub struct Scale([f64; 2]);

impl Scale {
    /// Makes a number of this size, which is not zero, one from one to two. An infinite size is taken as that of the largest number.
    pub fn for_size(size: f64) -> Scale {
        let mut rest = size.min(f64::MAX);
        Scale([1, 2].map(|_| {
            let exponent = ((rest.to_bits() >> 52) as i32 - 1023).clamp(-1000, 1000);
            let factor = f64::from_bits(((1023 - exponent) as u64) << 52);
            rest *= factor;
            factor
        }))
    }

    /// Exact, unless it underflows.
    pub fn times(self, x: f64) -> f64 {
        x * self.0[0] * self.0[1]
    }

    /// The inverse.
    pub fn over(self, x: f64) -> f64 {
        x / self.0[1] / self.0[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sizes_become_one_to_two() {
        for size in [5e-324, 1e-310, 3e-200, 1.0, 1.5, 7.0, 1e200, f64::MAX] {
            let scale = Scale::for_size(size);
            assert!((1.0..2.0).contains(&scale.times(size)), "{size}");
            assert_eq!(scale.over(scale.times(size)), size);
        }
        assert!(Scale::for_size(f64::INFINITY).times(f64::MAX) < 2.0);
    }
}
