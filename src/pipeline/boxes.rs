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

    pub fn get(&self, lane: usize) -> Planes {
        self.planes.map(|plane| plane[lane])
    }

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
    [0, 1, 2, 3, 4, 5].map(|plane| F::splat(planes[plane]))
}

/// Bit i: the box meets box i of the group.
#[inline(always)]
pub fn meets<F: Floats8>(one: &[F; 6], group: &Boxes8) -> u32 {
    let gap = |own: usize, other: usize| one[own].add(F::load(&group.planes[other]));
    let x = gap(0, 3).max(gap(3, 0));
    let y = gap(1, 4).max(gap(4, 1));
    let z = gap(2, 5).max(gap(5, 2));
    !x.max(y).max(z).greater(F::splat(0.0)) & 0xff
}

/// The same for two boxes, in plain words.
#[cfg(test)]
pub fn meet(a: &Planes, b: &Planes) -> bool {
    (0..3).all(|axis| a[axis] + b[axis + 3] <= 0.0 && a[axis + 3] + b[axis] <= 0.0)
}
