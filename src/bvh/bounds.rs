//! Boxes that move: bounds at t = 0 and at t = 1.
//!
//! Vertices move linearly, so at any time t what is bounded lies in the interpolation of both boxes. Two of them can touch only if they are not
//! separated on the same side of the same axis at both ends.
//!
//! A box is twelve planes: three lower bounds and three *negated* upper bounds at t = 0, then the same at t = 1. With that, the union of boxes is
//! a minimum, and every gap is a sum. All planes are rounded down, so the box is rounded outward. They are never NaN nor +infinity; −infinity
//! stands for bounds beyond the range of floats. So a sum of two planes is never NaN, and its sign is right: rounding a sum of floats
//! is monotone and exact at zero.

use crate::simd::{Floats8, round_down};

/// Planes: lower x y z, negated upper x y z at t = 0; then at t = 1.
pub const PLANES: usize = 12;

/// One box; the last four are padding.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct MovingBox(pub [f32; 16]);

/// Eight boxes, by plane.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct BoxGroup {
    pub planes: [[f32; 8]; PLANES],
}

/// One box in all eight lanes.
#[derive(Clone, Copy)]
pub struct Broadcast<F> {
    planes: [F; PLANES],
}

/// How close boxes must come to count as touching.
#[derive(Clone, Copy)]
pub struct Reach<F> {
    distance: F,
}

/// A part of the motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Period {
    pub from: f32,
    pub until: f32,
}

impl Period {
    pub const WHOLE: Period = Period { from: 0.0, until: 1.0 };

    /// Whether boxes shortened to this period would cost more than they save.
    pub fn is_almost_whole(&self) -> bool {
        self.until - self.from > 0.8
    }
}

impl MovingBox {
    /// Contains nothing, and touches nothing.
    pub const EMPTY: MovingBox = MovingBox([f32::MAX; 16]);

    /// The vertex with the given positions at both ends.
    pub fn around(start: [f64; 3], end: [f64; 3]) -> MovingBox {
        let mut planes = [0.0; 16];
        for axis in 0..3 {
            planes[axis] = round_down(start[axis]);
            planes[3 + axis] = round_down(-start[axis]);
            planes[6 + axis] = round_down(end[axis]);
            planes[9 + axis] = round_down(-end[axis]);
        }
        MovingBox(planes)
    }

    #[inline(always)]
    pub fn union(&self, other: &MovingBox) -> MovingBox {
        let mut planes = self.0;
        for (plane, &other) in planes.iter_mut().zip(&other.0) {
            *plane = if *plane < other { *plane } else { other };
        }
        MovingBox(planes)
    }

    /// Half the surface of the box at t = 0 plus that at t = 1.
    pub fn half_areas(&self) -> f64 {
        let mut sum = 0.0;
        for end in [0, 6] {
            let side = |axis: usize| -(self.0[end + axis] as f64 + self.0[end + 3 + axis] as f64);
            sum += side(0) * side(1) + side(1) * side(2) + side(2) * side(0);
        }
        sum
    }

    /// Twice the centre at t = 1.
    pub fn centre(&self) -> [f32; 3] {
        std::array::from_fn(|axis| self.0[6 + axis] - self.0[9 + axis])
    }

    #[inline(always)]
    pub fn broadcast<F: Floats8>(&self) -> Broadcast<F> {
        let mut planes = [F::splat(0.0); PLANES];
        for (lanes, &plane) in planes.iter_mut().zip(&self.0) {
            *lanes = F::splat(plane);
        }
        Broadcast { planes }
    }
}

impl BoxGroup {
    pub const EMPTY: BoxGroup = BoxGroup { planes: [[f32::MAX; 8]; PLANES] };

    pub fn set(&mut self, lane: usize, moving_box: &MovingBox) {
        for (plane, &value) in self.planes.iter_mut().zip(&moving_box.0) {
            plane[lane] = value;
        }
    }

    pub fn get(&self, lane: usize) -> MovingBox {
        let mut planes = [0.0; 16];
        for (value, plane) in planes.iter_mut().zip(&self.planes) {
            *value = plane[lane];
        }
        MovingBox(planes)
    }

    /// The box of one lane in all lanes.
    #[inline(always)]
    pub fn broadcast<F: Floats8>(&self, lane: usize) -> Broadcast<F> {
        let mut planes = [F::splat(0.0); PLANES];
        for (lanes, plane) in planes.iter_mut().zip(&self.planes) {
            *lanes = F::splat(plane[lane]);
        }
        Broadcast { planes }
    }

    /// The union of the boxes.
    pub fn bounds(&self) -> MovingBox {
        let mut planes = [0.0; 16];
        for (value, plane) in planes.iter_mut().zip(&self.planes) {
            *value = plane.iter().fold(f32::MAX, |least, &x| if x < least { x } else { least });
        }
        MovingBox(planes)
    }
}

impl<F: Floats8> Reach<F> {
    /// Boxes closer than `distance`.
    #[inline(always)]
    pub fn new(distance: f64) -> Reach<F> {
        // A rounded gap that exceeds the float d proves that the gap exceeds d, so d is rounded up to a float.
        Reach { distance: F::splat(-round_down(-distance)) }
    }
}

impl<F: Floats8> Broadcast<F> {
    /// The gaps at t = 0 and t = 1 to the boxes of a group, along an axis, this box being in front of the others or behind them.
    #[inline(always)]
    fn gaps(&self, group: &BoxGroup, (own, other): (usize, usize)) -> (F, F) {
        (
            self.planes[own].add(F::load(&group.planes[other])),
            self.planes[own + 6].add(F::load(&group.planes[other + 6])),
        )
    }

    /// Bit i: box i of the group may come within reach of this box: they are not on the same side of each other at both ends.
    #[inline(always)]
    pub fn meets(&self, group: &BoxGroup, reach: &Reach<F>) -> u32 {
        let mut gaps = [F::splat(0.0); 6];
        for (gap, planes) in gaps.iter_mut().zip(FACING) {
            let (start, end) = self.gaps(group, planes);
            *gap = start.min(end);
        }
        let [a, b, c, d, e, f] = gaps;
        // by pairs, so that none waits for long
        let widest = a.max(b).max(c.max(d)).max(e.max(f));
        !widest.greater(reach.distance) & 0xff
    }

    /// Bit i: at one end of the motion at least, box i of the group is out of reach of this box.
    #[inline(always)]
    pub fn is_apart_once(&self, group: &BoxGroup, reach: &Reach<F>) -> u32 {
        let mut widest = F::splat(f32::NEG_INFINITY);
        for planes in FACING {
            let (start, end) = self.gaps(group, planes);
            widest = widest.max(start.max(end));
        }
        widest.greater(reach.distance)
    }

    /// Whether two boxes move a good deal relative to each other, compared with their sizes. If they do not, boxes inside of them that meet at some time mostly do so all the time.
    #[inline(always)]
    pub fn passes(&self, other: &Broadcast<F>) -> bool {
        let mut excess = F::splat(f32::NEG_INFINITY);
        for (own, facing) in FACING {
            let start = self.planes[own].add(other.planes[facing]);
            let end = self.planes[own + 6].add(other.planes[facing + 6]);
            // A gap on one side plus that on the other is less than nothing by the sizes of both boxes.
            let behind = self.planes[facing].add(other.planes[own]);
            let sizes = F::splat(0.0).sub(start.add(behind));
            excess = excess.max(magnitude(end.sub(start)).sub(sizes.mul(F::splat(MUCH))));
        }
        excess.greater(F::splat(0.0)) & 1 != 0
    }

    /// When the boxes of a group may be within reach of this box: from when on, and for what share of the motion not any more at its end. It
    /// is never if the sum is more than one.
    ///
    /// Along each axis, gaps change linearly (those of the interpolated boxes, which contain what moves in them). A gap s at t = 0 that exceeds d and becomes e
    /// exceeds it until (s − d) / ((s − d) + (d − e)). Numerator and denominator are changed by more than their rounding errors,
    /// so that the quotient is too small, and so is the result.
    #[inline(always)]
    pub fn periods(&self, group: &BoxGroup, reach: &Reach<F>) -> (F, F) {
        let (zero, tiny) = (F::splat(0.0), F::splat(f32::MIN_POSITIVE));
        let (mut before, mut after) = (zero, zero);
        for planes in FACING {
            let (start, end) = self.gaps(group, planes);
            let error = magnitude(start).add(magnitude(end)).add(reach.distance).mul(F::splat(ROUNDING));
            let (start, end) = (start.sub(reach.distance), end.sub(reach.distance));
            let start_apart = start.sub(error).max(zero);
            let end_apart = end.sub(error).max(zero);
            let start_near = zero.sub(start).max(zero).add(error);
            let end_near = zero.sub(end).max(zero).add(error);
            before = before.max(start_apart.div(start_apart.add(end_near).max(tiny)));
            after = after.max(end_apart.div(end_apart.add(start_near).max(tiny)));
        }
        let less = F::splat(1.0 - ROUNDING);
        (before.mul(less), after.mul(less))
    }
}

/// Planes that face each other: the lower bounds of one box and the upper ones of the other, for each axis, and the reverse.
const FACING: [(usize, usize); 6] = [(0, 3), (1, 4), (2, 5), (3, 0), (4, 1), (5, 2)];

/// More than underflow adds to a product of floats: 2⁻¹⁴⁰.
const UNDERFLOW: f32 = f32::from_bits(1 << 9);

/// More than a few roundings of floats, 2⁻²⁰.
const ROUNDING: f32 = 1.0 / (1 << 20) as f32;

/// Of the sizes of two boxes: a movement that makes it worth while to look at a part of the motion alone. Measured.
const MUCH: f32 = 1.0 / 16.0;

#[inline(always)]
fn magnitude<F: Floats8>(x: F) -> F {
    x.max(F::splat(0.0).sub(x))
}

/// How boxes inside of one are shortened to a period.
#[derive(Clone, Copy)]
pub struct Shortening<F> {
    from: F,
    until: F,
    /// By axis.
    error: [F; 3],
}

impl<F: Floats8> Shortening<F> {
    /// For boxes in this one.
    ///
    /// Their planes are not larger than its own at the same end, upper or lower. With L the sum of the largest ones at both ends, a plane at time t, s + t (e − s), is off by
    /// at most v L for each of its three roundings (v = 2⁻²⁴), and another one for the error that is subtracted from s. The error is 16v L, and something for the product that may underflow.
    #[inline(always)]
    pub fn new(around: &Broadcast<F>, period: Period) -> Shortening<F> {
        let mut error = [F::splat(0.0); 3];
        for (axis, error) in error.iter_mut().enumerate() {
            let start = magnitude(around.planes[axis]).max(magnitude(around.planes[axis + 3]));
            let end = magnitude(around.planes[axis + 6]).max(magnitude(around.planes[axis + 9]));
            *error = start.add(end).mul(F::splat(ROUNDING)).add(F::splat(UNDERFLOW));
        }
        Shortening { from: F::splat(period.from), until: F::splat(period.until), error }
    }

    /// A plane and the other end's at both ends of the period, rounded down.
    ///
    /// Where s or e is −infinity, or their difference beyond the range of floats, L and the error are infinite, the result is −infinity or NaN, and becomes the lowest float.
    #[inline(always)]
    fn planes(&self, plane: usize, start: F, end: F) -> (F, F) {
        let way = end.sub(start);
        let start = start.sub(self.error[plane % 3]);
        let lowest = F::splat(f32::MIN);
        (start.add(self.from.mul(way)).max(lowest), start.add(self.until.mul(way)).max(lowest))
    }
}

impl<F: Floats8> Broadcast<F> {
    /// The box during a period: its ends are those of the period.
    #[inline(always)]
    pub fn during(&self, shortening: &Shortening<F>) -> Broadcast<F> {
        let mut planes = self.planes;
        for plane in 0..6 {
            (planes[plane], planes[plane + 6]) =
                shortening.planes(plane, self.planes[plane], self.planes[plane + 6]);
        }
        Broadcast { planes }
    }
}

impl BoxGroup {
    /// The boxes during a period, to `shortened`: their ends are those of the period.
    #[inline(always)]
    pub fn shorten<F: Floats8>(&self, shortening: &Shortening<F>, shortened: &mut BoxGroup) {
        for plane in 0..6 {
            let (start, end) = (F::load(&self.planes[plane]), F::load(&self.planes[plane + 6]));
            let (start, end) = shortening.planes(plane, start, end);
            shortened.planes[plane] = start.to_array();
            shortened.planes[plane + 6] = end.to_array();
        }
    }

    /// Some boxes of two groups: those in the given places.
    #[inline(always)]
    pub fn pick<F: Floats8>(&mut self, low: &BoxGroup, high: &BoxGroup, places: F::Places) {
        for plane in 0..PLANES {
            self.planes[plane] = F::pick(&low.planes[plane], &high.planes[plane], places);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_down() {
        for value in [0.1, -0.1, 1.0, 1e300, -1e300, 1e-320, -1e-320, 16777217.0, f64::MAX] {
            let rounded = round_down(value);
            assert!(rounded as f64 <= value && rounded < f32::INFINITY, "{value}");
            assert!(rounded.next_up() as f64 > value || rounded == f32::MAX, "{value}");
        }
    }

    #[test]
    fn boxes_apart_on_one_side_at_both_ends_do_not_meet() {
        let at = |x0: f64, x1: f64| MovingBox::around([x0, 0.0, 0.0], [x1, 0.0, 0.0]);
        let meets = |a: MovingBox, b: MovingBox, distance: f64, until: f64| {
            let mut group = BoxGroup::EMPTY;
            group.set(3, &b);
            let period = Period { from: 0.0, until: until as f32 };
            let mut shortened = BoxGroup::EMPTY;
            group.shorten(&Shortening::new(&b.broadcast::<[f32; 8]>(), period), &mut shortened);
            let one = a.broadcast::<[f32; 8]>();
            let whole = one.meets(&group, &Reach::new(distance)) & 8 != 0;
            let one = one.during(&Shortening::new(&one, period));
            let part = one.meets(&shortened, &Reach::new(distance)) & 8 != 0;
            if until < 1.0 { part } else { whole }
        };
        assert!(!meets(at(0.0, 0.0), at(1.0, 1.0), 0.0, 1.0));
        assert!(meets(at(0.0, 2.0), at(1.0, 1.0), 0.0, 1.0), "passes");
        assert!(meets(at(0.0, 0.0), at(1.0, 1.0), 1.0, 1.0), "within the distance");
        assert!(!meets(at(0.0, 2.0), at(1.0, 1.0), 0.0, 0.49), "not until then");
        assert!(meets(at(0.0, 2.0), at(1.0, 1.0), 0.0, 0.51), "until then");
        assert!(meets(at(-1e300, 1e300), at(1e300, 1e300), 0.0, 0.5), "beyond floats");
        assert!(!meets(MovingBox::EMPTY, at(0.0, 0.0), 0.0, 1.0));
    }

    #[test]
    fn boxes_that_move_alike_do_not_pass() {
        let cube = |x: f64, way: [f64; 3]| {
            let corner = |by: f64| [x + by, by, by];
            let there = |by: f64| std::array::from_fn(|axis| corner(by)[axis] + way[axis]);
            MovingBox::around(corner(0.0), there(0.0)).union(&MovingBox::around(corner(1.0), there(1.0)))
        };
        let passes = |a: MovingBox, b: MovingBox| a.broadcast::<[f32; 8]>().passes(&b.broadcast());
        assert!(!passes(cube(0.0, [9.0, 5.0, 7.0]), cube(0.5, [9.1, 5.0, 7.0])));
        for axis in 0..3 {
            let mut way = [9.0, 5.0, 7.0];
            way[axis] += 0.5;
            assert!(passes(cube(0.0, [9.0, 5.0, 7.0]), cube(0.5, way)), "{axis}");
        }
    }
}
