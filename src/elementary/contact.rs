//! Where a contact is and in which direction: weights and normal.
//!
//! Neither is exact (they are irrational in general); both are always finite, and the same bits for the same query.

use super::Query;
use super::pair::Pair;
use super::vec3::{Vec3, dot, extent, scale, sub};

/// Relative positions of one query, scaled so that no product of them overflows or vanishes.
#[derive(Clone, Copy)]
pub struct ScaledMotion {
    start: [Vec3; 3],
    end: [Vec3; 3],
    reach: f64,
}

/// A vector shorter than this, relative to what it was computed from, is mostly rounding errors: 2⁻⁴⁰.
pub const NEGLIGIBLE: f64 = 1.0 / (1u64 << 40) as f64;

/// Products of up to eight numbers (lengths of cross products, squared twice) between these neither overflow nor vanish: 2^±100.
pub const SMALLEST: f64 = f64::from_bits((1023 - 100) << 52);
pub const LARGEST: f64 = f64::from_bits((1023 + 100) << 52);

impl ScaledMotion {
    /// Also the factor by which the coordinates were multiplied, a power of two.
    pub fn new(query: &Query) -> (ScaledMotion, f64) {
        let motion = ScaledMotion::relative(query, 1.0);
        if motion.reach >= SMALLEST && motion.reach <= LARGEST {
            return (motion, 1.0);
        }
        // Differences first: a common offset may be so large that scaling by it would make them vanish. Only where they overflow is
        // everything made smaller before; what that takes from the smallest coordinates is nothing against such a reach.
        let (motion, first) = if motion.reach.is_finite() {
            (motion, 1.0)
        } else {
            (ScaledMotion::relative(query, 0.25), 0.25)
        };
        let second = power_of_two(-exponent(motion.reach).clamp(-1000, 1000));
        let scaled = ScaledMotion {
            start: motion.start.map(|r| scale(r, second)),
            end: motion.end.map(|r| scale(r, second)),
            reach: motion.reach * second,
        };
        (scaled, first * second)
    }

    fn relative(query: &Query, factor: f64) -> ScaledMotion {
        let relative = |time: usize, other: usize| -> Vec3 {
            std::array::from_fn(|axis| {
                let at = |point: usize| query[12 * time + 3 * point + axis] * factor;
                at(other + 1) - at(0)
            })
        };
        let start = [relative(0, 0), relative(0, 1), relative(0, 2)];
        let end = [relative(1, 0), relative(1, 1), relative(1, 2)];
        let reach = start.iter().chain(&end).fold(0.0, |reach: f64, &r| reach.max(extent(r)));
        ScaledMotion { start, end, reach }
    }

    /// The largest relative coordinate.
    pub fn reach(&self) -> f64 {
        self.reach
    }

    pub fn at(&self, t: f64) -> [Vec3; 3] {
        std::array::from_fn(|other| {
            std::array::from_fn(|axis| {
                let (from, to) = (self.start[other][axis], self.end[other][axis]);
                from + t * (to - from)
            })
        })
    }

    /// The weights of the closest points at time `t`, and the normal there.
    pub fn contact<P: Pair>(&self, t: f64) -> ([f64; 4], Vec3) {
        let r = self.at(t);
        let weights = P::closest_weights(&r);
        (weights, self.normal::<P>(&r, &weights))
    }

    /// The normal of a contact at t = 0 in the points that these weights give.
    pub fn normal_at_start<P: Pair>(&self, weights: &[f64; 4]) -> Vec3 {
        self.normal::<P>(&self.start, weights)
    }

    /// The same for primitives that are still apart: the normal is the direction between the closest points.
    pub fn separated_contact<P: Pair>(&self, t: f64) -> ([f64; 4], Vec3) {
        let r = self.at(t);
        let weights = P::closest_weights(&r);
        let normal = unit_vector(P::difference(&r, &weights), self.reach);
        (weights, normal.unwrap_or_else(|| self.normal::<P>(&r, &weights)))
    }

    /// The unit vector from the second primitive to the first one: of these, the first that can be told from rounding errors:
    /// 1. the normal of the face or of both edges, on the side where the first primitive is at t = 0, or else comes from;
    /// 2. for a face without area or parallel edges: how the points in contact were apart at t = 0, or else their approach,
    ///    perpendicular to the longest edge;
    /// 3. any vector perpendicular to the longest edge, or the x axis if there is none.
    fn normal<P: Pair>(&self, r: &[Vec3; 3], weights: &[f64; 4]) -> Vec3 {
        let apart_at_start = P::difference(&self.start, weights);
        let retreat = sub(apart_at_start, P::difference(&self.end, weights));
        let longest = P::longest_edge(r);
        if let Some(unit) = unit_vector(P::normal_of(r), dot(longest, longest)) {
            let side = [apart_at_start, retreat]
                .iter()
                .map(|&direction| dot(unit, direction))
                .find(|side| side.abs() > NEGLIGIBLE * self.reach);
            return if side.unwrap_or(1.0) < 0.0 { scale(unit, -1.0) } else { unit };
        }
        let Some(along) = unit_vector(longest, self.reach) else {
            let direction =
                unit_vector(apart_at_start, self.reach).or_else(|| unit_vector(retreat, self.reach));
            return direction.unwrap_or([1.0, 0.0, 0.0]);
        };
        let across = |direction: Vec3, size: f64| {
            let perpendicular = sub(direction, scale(along, dot(direction, along)));
            unit_vector(perpendicular, size)
        };
        let least = (0..3).min_by(|&i, &j| along[i].abs().total_cmp(&along[j].abs())).unwrap_or(0);
        let axis: Vec3 = std::array::from_fn(|i| if i == least { 1.0 } else { 0.0 });
        across(apart_at_start, self.reach)
            .or_else(|| across(retreat, self.reach))
            .or_else(|| across(axis, 1.0))
            .unwrap_or(axis)
    }
}

/// `vector` with length one, unless it is negligible against numbers of the given size.
fn unit_vector(vector: Vec3, size: f64) -> Option<Vec3> {
    let largest = extent(vector);
    if largest <= NEGLIGIBLE * size || largest == 0.0 {
        return None;
    }
    // Two passes: after the first, the length is within a few units in the last place of one, whatever the size was.
    let scaled = scale(vector, 1.0 / largest);
    Some(scale(scaled, 1.0 / dot(scaled, scaled).sqrt()))
}

/// e with 2^(e−1) <= `value` < 2^e; 0 for zero.
fn exponent(value: f64) -> i32 {
    match value.to_bits() >> 52 & 0x7ff {
        0 if value == 0.0 => 0,
        0 => -1022,
        field => field as i32 - 1022,
    }
}

/// 2^e for −1022 <= e <= 1023.
fn power_of_two(e: i32) -> f64 {
    f64::from_bits(((1023 + e) as u64) << 52)
}
