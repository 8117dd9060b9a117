//! Sums of doubles that are exact: expansions (Shewchuk 1997, Priest 1991).
//!
//! An expansion is a list of doubles, the smallest first, none of which overlaps another in its bits; their sum is the number. The last one is the largest and has its sign.
//! Zeros are left out, so that numbers which happen to need few terms are cheap: that is how the effort adapts.
//!
//! Everything here is exact as long as nothing overflows or underflows, which the callers see to.

/// a + b and the rounding error of that sum.
#[inline(always)]
pub fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    (sum, (a - a_part) + (b - b_part))
}

/// a − b and the rounding error of that difference.
#[inline(always)]
pub fn two_difference(a: f64, b: f64) -> (f64, f64) {
    two_sum(a, -b)
}

/// The same for |a| ≥ |b|.
#[inline(always)]
fn fast_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// A double as a sum of two with half as many bits (Dekker 1971).
#[inline(always)]
fn halves(x: f64) -> (f64, f64) {
    let shifted = x * 134_217_729.0; // 2^27 + 1
    let high = shifted - (shifted - x);
    (high, x - high)
}

/// a b and the rounding error of that product. A fused multiply-add would do the same, but not every CPU has it.
#[inline(always)]
pub fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((a_high, a_low), (b_high, b_low)) = (halves(a), halves(b));
    let error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (product, error)
}

/// An exact number with at most `N` terms.
#[derive(Clone, Copy)]
pub struct Expansion<const N: usize> {
    terms: [f64; N],
    len: usize,
}

impl<const N: usize> Expansion<N> {
    pub fn zero() -> Expansion<N> {
        Expansion { terms: [0.0; N], len: 0 }
    }

    fn push(&mut self, term: f64) {
        if term != 0.0 {
            self.terms[self.len] = term;
            self.len += 1;
        }
    }

    fn terms(&self) -> &[f64] {
        &self.terms[..self.len]
    }

    pub fn sign(&self) -> i32 {
        match self.terms().last() {
            Some(&largest) if largest > 0.0 => 1,
            Some(_) => -1,
            None => 0,
        }
    }

    /// The number, up to a rounding error.
    pub fn value(&self) -> f64 {
        self.terms().iter().sum()
    }

    pub fn negated(mut self) -> Expansion<N> {
        for term in &mut self.terms[..self.len] {
            *term = -*term;
        }
        self
    }

    /// The sum of both, which needs `M` = `N` + `K` terms at most.
    pub fn add<const K: usize, const M: usize>(&self, other: &Expansion<K>) -> Expansion<M> {
        const { assert!(M >= N + K) };
        let mut sum = Expansion::zero();
        let (a, b) = (self.terms(), other.terms());
        let (mut i, mut j) = (0, 0);
        // Merged by magnitude; then added up from the smallest.
        let mut next = || {
            let take_a = j >= b.len() || (i < a.len() && a[i].abs() < b[j].abs());
            if take_a {
                i += 1;
                a.get(i - 1).copied()
            } else {
                j += 1;
                Some(b[j - 1])
            }
        };
        let Some(mut carry) = next() else { return sum };
        while let Some(term) = next() {
            let (total, error) = two_sum(carry, term);
            sum.push(error);
            carry = total;
        }
        sum.push(carry);
        sum
    }

    /// This number times a double: at most `M` = 2 `N` terms.
    fn scale<const M: usize>(&self, factor: f64) -> Expansion<M> {
        const { assert!(M >= 2 * N) };
        let mut product = Expansion::zero();
        let Some((&first, rest)) = self.terms().split_first() else { return product };
        let (mut carry, error) = two_product(first, factor);
        product.push(error);
        for &term in rest {
            let (high, low) = two_product(term, factor);
            let (total, error) = two_sum(carry, low);
            product.push(error);
            let (total, error) = fast_two_sum(high, total);
            product.push(error);
            carry = total;
        }
        product.push(carry);
        product
    }

    /// This number times a difference of doubles: at most `M` = 4 `N` terms. `H` is 2 `N`.
    pub fn times<const H: usize, const M: usize>(&self, factor: &Expansion<2>) -> Expansion<M> {
        match *factor.terms() {
            [] => Expansion::zero(),
            [one] => self.scale::<H>(one).add(&Expansion::<0>::zero()),
            [low, high, ..] => self.scale::<H>(low).add(&self.scale::<H>(high)),
        }
    }
}

/// a − b.
pub fn difference(a: f64, b: f64) -> Expansion<2> {
    let (sum, error) = two_sum(a, -b);
    let mut difference = Expansion::zero();
    difference.push(error);
    difference.push(sum);
    difference
}
