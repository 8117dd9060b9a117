//! Vectors of integers, and of whatever else can be computed with in the same way.

use crate::elementary::exact::int::{Arena, Int};

/// Doubles or integers.
pub trait Numbers {
    type Number: Copy;
    fn zero(&self) -> Self::Number;
    fn one(&self) -> Self::Number;
    fn add(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    fn sub(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    fn mul(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// None if it is not certain.
    fn sign(&self, a: Self::Number) -> Option<i32>;

    fn minus(&self, p: [Self::Number; 3], q: [Self::Number; 3]) -> [Self::Number; 3] {
        [0, 1, 2].map(|axis| self.sub(p[axis], q[axis]))
    }

    fn dot(&self, p: [Self::Number; 3], q: [Self::Number; 3]) -> Self::Number {
        let [x, y, z] = [0, 1, 2].map(|axis| self.mul(p[axis], q[axis]));
        self.add(self.add(x, y), z)
    }

    fn cross(&self, p: [Self::Number; 3], q: [Self::Number; 3]) -> [Self::Number; 3] {
        [(1, 2), (2, 0), (0, 1)].map(|(i, j)| self.sub(self.mul(p[i], q[j]), self.mul(p[j], q[i])))
    }
}

impl<'m> Numbers for Arena<'m> {
    type Number = Int<'m>;

    fn zero(&self) -> Int<'m> {
        Int::ZERO
    }

    fn one(&self) -> Int<'m> {
        self.small(1)
    }

    fn add(&self, a: Int<'m>, b: Int<'m>) -> Int<'m> {
        Arena::add(self, a, b)
    }

    fn sub(&self, a: Int<'m>, b: Int<'m>) -> Int<'m> {
        Arena::sub(self, a, b)
    }

    fn mul(&self, a: Int<'m>, b: Int<'m>) -> Int<'m> {
        Arena::mul(self, a, b)
    }

    fn sign(&self, a: Int<'m>) -> Option<i32> {
        Some(Int::sign(a))
    }
}
