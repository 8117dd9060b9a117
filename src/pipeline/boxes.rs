//! The boxes of all objects, eight by plane, for one box against eight.
//!
//! As in `bvh::bounds`: lower bounds and negated upper ones, rounded down to floats. A gap is a sum, and its sign is exact.

#[cfg(test)]
use crate::elementary::vec3::Vec3;
use crate::simd::Floats8;
#[cfg(test)]
use crate::simd::round_down;

/// Eight boxes: lower x y z, negated upper x y z.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct Boxes8 {
    pub planes: [[f32; 8]; 6],
}

/// One box, by the same planes.
pub type Planes = [f32; 6];

impl Boxes8 {
    /// What fills up the last group; not to be looked at, because a box without bounds would meet it.
    pub const EMPTY: Boxes8 = Boxes8 { planes: [[f32::MAX; 8]; 6] };

    #[inline(always)]
    pub fn get(&self, lane: usize) -> Planes {
        // Not by `map`, which would copy all of it first.
        let planes = &self.planes;
        [planes[0][lane], planes[1][lane], planes[2][lane], planes[3][lane], planes[4][lane], planes[5][lane]]
    }

    #[inline(always)]
    pub fn set(&mut self, lane: usize, planes: &Planes) {
        for (plane, value) in self.planes.iter_mut().zip(planes) {
            plane[lane] = *value;
        }
    }
}

/// What the broad phase is tested with: rounded outward as `fill` does it; −infinity stands for bounds beyond the range of floats. None for a box that is empty, its lower bounds above its upper ones.
#[cfg(test)]
pub fn planes([lower, upper]: [Vec3; 2]) -> Option<Planes> {
    if !(0..3).all(|axis| lower[axis] <= upper[axis]) {
        return None;
    }
    let [a, b, c] = lower.map(round_down);
    let [d, e, f] = upper.map(|x| round_down(-x));
    Some([a, b, c, d, e, f])
}

/// One box in all lanes.
#[inline(always)]
pub fn broadcast<F: Floats8>(planes: &Planes) -> [F; 6] {
    let [a, b, c, d, e, f] = *planes;
    [F::splat(a), F::splat(b), F::splat(c), F::splat(d), F::splat(e), F::splat(f)]
}

/// Bit i: the box meets box i of the group.
#[inline(always)]
pub fn meets<F: Floats8>(one: &[F; 6], group: &Boxes8) -> u32 {
    let x = gap(one, 0, group, 3).max(gap(one, 3, group, 0));
    let y = gap(one, 1, group, 4).max(gap(one, 4, group, 1));
    let z = gap(one, 2, group, 5).max(gap(one, 5, group, 2));
    !x.max(y).max(z).greater(F::splat(0.0)) & 0xff
}

/// What is between two planes that look at each other. A function, because a closure would not be compiled for the instruction set.
#[inline(always)]
fn gap<F: Floats8>(one: &[F; 6], own: usize, group: &Boxes8, other: usize) -> F {
    one[own].add(F::load(&group.planes[other]))
}

/// The same for two boxes, in plain words.
#[cfg(test)]
pub fn meet(a: &Planes, b: &Planes) -> bool {
    (0..3).all(|axis| a[axis] + b[axis + 3] <= 0.0 && a[axis + 3] + b[axis] <= 0.0)
}
