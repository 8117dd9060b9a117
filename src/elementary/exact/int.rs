//! Signed integers of any size, in memory that the caller lends.
//!
//! The exact tests need a few hundred numbers of a few hundred bits for each undecided query. They are
//! bump-allocated from one slice per worker, so that nothing is ever allocated while detecting, and nothing
//! has to be freed: a [`Frame`] gives back at once all that was made in it.

use std::cell::Cell;
use std::cmp::Ordering;

/// A stack of limbs from which integers are made. All of them live as long as the slice is lent.
pub struct Arena<'m> {
    free: Cell<&'m mut [u64]>,
}

/// A stretch of an arena that is given back when it is dropped.
pub struct Frame<'p, 'm> {
    parent: &'p Arena<'m>,
    memory: &'m mut [u64],
}

impl<'m> Frame<'_, 'm> {
    /// The arena of this frame. What it makes cannot outlive the frame; the borrow checker sees to it.
    pub fn arena(&mut self) -> Arena<'_> {
        Arena { free: Cell::new(&mut *self.memory) }
    }
}

impl Drop for Frame<'_, '_> {
    fn drop(&mut self) {
        self.parent.free.set(std::mem::take(&mut self.memory));
    }
}

/// Sign and magnitude; the magnitude has no leading zero limb, and zero has no limb at all and no sign.
#[derive(Clone, Copy, Debug)]
pub struct Int<'a> {
    negative: bool,
    limbs: &'a [u64],
}

impl<'m> Arena<'m> {
    pub fn new(memory: &'m mut [u64]) -> Arena<'m> {
        Arena { free: Cell::new(memory) }
    }

    /// Everything made in the frame is forgotten with it; the arena itself is empty as long as it is open.
    pub fn frame(&self) -> Frame<'_, 'm> {
        Frame { parent: self, memory: self.free.take() }
    }

    /// Limbs that are still free.
    #[cfg(test)]
    pub fn remaining(&self) -> usize {
        let free = self.free.take();
        let count = free.len();
        self.free.set(free);
        count
    }

    fn take(&self, count: usize) -> &'m mut [u64] {
        let free = self.free.take();
        assert!(count <= free.len(), "the exact arithmetic's memory bound is wrong: {count} limbs wanted");
        let (taken, rest) = free.split_at_mut(count);
        self.free.set(rest);
        taken
    }

    /// `mantissa` times two to the power of `shift`.
    pub fn shifted(&self, mantissa: i64, shift: u32) -> Int<'m> {
        if mantissa == 0 {
            return Int::ZERO;
        }
        let (whole, bits) = (shift as usize / 64, shift % 64);
        let limbs = self.take(whole + 2);
        limbs.fill(0);
        let wide = (mantissa.unsigned_abs() as u128) << bits;
        limbs[whole] = wide as u64;
        limbs[whole + 1] = (wide >> 64) as u64;
        Int::normalized(mantissa < 0, limbs)
    }

    pub fn small(&self, value: i64) -> Int<'m> {
        self.shifted(value, 0)
    }

    pub fn add<'a>(&self, a: Int<'a>, b: Int<'a>) -> Int<'a>
    where
        'm: 'a,
    {
        if a.negative == b.negative { self.add_magnitudes(a, b) } else { self.subtract_magnitudes(a, b) }
    }

    pub fn sub<'a>(&self, a: Int<'a>, b: Int<'a>) -> Int<'a>
    where
        'm: 'a,
    {
        self.add(a, b.negated())
    }

    /// |a| + |b| with the sign of `a`.
    fn add_magnitudes<'a>(&self, a: Int<'a>, b: Int<'a>) -> Int<'a>
    where
        'm: 'a,
    {
        let (long, short) =
            if a.limbs.len() >= b.limbs.len() { (a.limbs, b.limbs) } else { (b.limbs, a.limbs) };
        if short.is_empty() {
            return if a.limbs.is_empty() { b } else { a };
        }
        let sum = self.take(long.len() + 1);
        let (low, high) = long.split_at(short.len());
        let mut carry = false;
        for ((place, &x), &y) in sum.iter_mut().zip(low).zip(short) {
            let (partial, over) = x.overflowing_add(y);
            let (total, over_carry) = partial.overflowing_add(carry as u64);
            *place = total;
            carry = over | over_carry;
        }
        for (place, &x) in sum[short.len()..].iter_mut().zip(high) {
            (*place, carry) = x.overflowing_add(carry as u64);
        }
        sum[long.len()] = carry as u64;
        Int::normalized(a.negative, sum)
    }

    /// |a| − |b| with the sign of `a` when |a| is larger, else with the sign of `b`.
    fn subtract_magnitudes<'a>(&self, a: Int<'a>, b: Int<'a>) -> Int<'a>
    where
        'm: 'a,
    {
        let (large, small) = match compare_magnitudes(a.limbs, b.limbs) {
            Ordering::Equal => return Int::ZERO,
            Ordering::Greater => (a, b),
            Ordering::Less => (b, a),
        };
        if small.limbs.is_empty() {
            return large;
        }
        let difference = self.take(large.limbs.len());
        let (low, high) = large.limbs.split_at(small.limbs.len());
        let mut borrow = false;
        for ((place, &x), &y) in difference.iter_mut().zip(low).zip(small.limbs) {
            let (partial, under) = x.overflowing_sub(y);
            let (total, under_borrow) = partial.overflowing_sub(borrow as u64);
            *place = total;
            borrow = under | under_borrow;
        }
        for (place, &x) in difference[small.limbs.len()..].iter_mut().zip(high) {
            (*place, borrow) = x.overflowing_sub(borrow as u64);
        }
        Int::normalized(large.negative, difference)
    }

    pub fn mul<'a>(&self, a: Int<'a>, b: Int<'a>) -> Int<'a>
    where
        'm: 'a,
    {
        if a.limbs.is_empty() || b.limbs.is_empty() {
            return Int::ZERO;
        }
        let (long, short) =
            if a.limbs.len() >= b.limbs.len() { (a.limbs, b.limbs) } else { (b.limbs, a.limbs) };
        let product = self.take(long.len() + short.len());
        // The first row writes, the others add.
        product[long.len()] = multiply_into(&mut product[..long.len()], long, short[0], |_| 0);
        for (i, &factor) in short.iter().enumerate().skip(1) {
            let row = &mut product[i..];
            row[long.len()] = multiply_into(&mut row[..long.len()], long, factor, |old| old);
        }
        Int::normalized(a.negative != b.negative, product)
    }
}

impl<'a> Int<'a> {
    pub const ZERO: Int<'static> = Int { negative: false, limbs: &[] };

    fn normalized(negative: bool, limbs: &'a [u64]) -> Int<'a> {
        let length = limbs.iter().rposition(|&limb| limb != 0).map_or(0, |last| last + 1);
        Int { negative: negative && length > 0, limbs: &limbs[..length] }
    }

    pub fn sign(self) -> i32 {
        match (self.limbs.is_empty(), self.negative) {
            (true, _) => 0,
            (_, true) => -1,
            (_, false) => 1,
        }
    }

    pub fn is_zero(self) -> bool {
        self.limbs.is_empty()
    }

    pub fn negated(self) -> Int<'a> {
        Int { negative: !self.negative && !self.limbs.is_empty(), limbs: self.limbs }
    }

    pub fn absolute(self) -> Int<'a> {
        Int { negative: false, limbs: self.limbs }
    }

    /// How many bits the magnitude has; 0 for zero.
    pub fn bits(self) -> u32 {
        self.limbs.last().map_or(0, |top| self.limbs.len() as u32 * 64 - top.leading_zeros())
    }

    /// This number divided by two to the power of `exponent`, up to a few units in the last place: for guesses
    /// that are checked, never for proofs.
    pub fn approximate(self, exponent: u32) -> f64 {
        let mut value = 0.0;
        let first = self.limbs.len().saturating_sub(2);
        for (i, &limb) in self.limbs.iter().enumerate().skip(first) {
            let scale = (i as i32 * 64 - exponent as i32).clamp(-1000, 900);
            value += limb as f64 * f64::from_bits(((1023 + scale) as u64) << 52);
        }
        if self.negative { -value } else { value }
    }
}

/// Sets each limb of `row` to its part of `keep(limb) + limbs * factor`, and returns the carry.
#[inline(always)]
fn multiply_into(row: &mut [u64], limbs: &[u64], factor: u64, keep: impl Fn(u64) -> u64) -> u64 {
    let mut carry = 0;
    for (place, &limb) in row.iter_mut().zip(limbs) {
        let wide = limb as u128 * factor as u128 + keep(*place) as u128 + carry as u128;
        *place = wide as u64;
        carry = (wide >> 64) as u64;
    }
    carry
}

fn compare_magnitudes(a: &[u64], b: &[u64]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All pairs of numbers that stress carries and signs, against 128-bit arithmetic.
    #[test]
    fn agrees_with_i128() {
        let edges = [0, 1, 2, 3, u32::MAX as i64, 1 << 32, 1 << 62, i64::MAX, i64::MAX - 1];
        let values: Vec<i64> = edges.iter().flat_map(|&v| [v, -v]).collect();
        let mut memory = vec![0u64; 1 << 10];
        let arena = Arena::new(&mut memory);
        for &x in &values {
            for &y in &values {
                let mut frame = arena.frame();
                let ar = frame.arena();
                let (a, b) = (ar.small(x), ar.small(y));
                assert_eq!(to_i128(ar.add(a, b)), x as i128 + y as i128, "{x} + {y}");
                assert_eq!(to_i128(ar.sub(a, b)), x as i128 - y as i128, "{x} - {y}");
                assert_eq!(to_i128(ar.mul(a, b)), x as i128 * y as i128, "{x} * {y}");
                assert_eq!(a.sign() as i64, x.signum());
            }
        }
        assert_eq!(arena.remaining(), 1 << 10, "frames give their memory back");
    }

    /// (2^k − 1)(2^k + 1) = 2^2k − 1 crosses every limb boundary.
    #[test]
    fn long_products_and_shifts() {
        let mut memory = vec![0u64; 1 << 12];
        let arena = Arena::new(&mut memory);
        for k in 1..400 {
            let mut frame = arena.frame();
            let ar = frame.arena();
            let (power, one) = (ar.shifted(1, k), ar.small(1));
            let product = ar.mul(ar.sub(power, one), ar.add(power, one));
            let expected = ar.sub(ar.shifted(1, 2 * k), one);
            assert!(ar.sub(product, expected).is_zero());
            assert_eq!(product.bits(), 2 * k);
            assert_eq!(ar.shifted(-3, k).approximate(k), -3.0);
        }
    }

    fn to_i128(value: Int) -> i128 {
        let magnitude = value.limbs.iter().rev().fold(0i128, |sum, &limb| (sum << 64) + limb as i128);
        if value.negative { -magnitude } else { magnitude }
    }
}
