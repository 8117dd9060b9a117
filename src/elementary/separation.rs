//! First time at which two primitives come within a distance d > 0 of each other.
//!
//! Two certificates, both with rounding bounds:
//! - **Apart** between two moments: a unit vector n along which the primitives are more than d apart at both. The gap along n is the
//!   smallest of several functions linear in time, so it is at least the smaller of its values at the ends in between, and even at
//!   least the straight line between these values, which tells how far time can safely advance if only the first one is large enough.
//! - **Within** d + tolerance at a moment: two points of the primitives that are no farther from each other.
//!
//! Where the primitives are farther apart than d, the direction between their closest points is such an n for a while; so time
//! advances from 0 until it reaches 1 or a moment that is within.
//!
//! Bounds, in units of the reach (the largest relative coordinate): coordinates are wrong by at most 8u after interpolation. A dot
//! product with a unit vector has an error of 8√3u + 3√3u, a gap (the difference of two of them) at most 41u with its own rounding. The
//! length of n is within 4u of one. [`MARGIN`] covers all of it.

use super::contact::ScaledMotion;
use super::motion::U;
use super::pair::Pair;
use super::vec3::{Vec3, dot};
use super::{Hit, Query, Settings};

/// More than rounding can add to a gap between primitives, relative to their reach.
const MARGIN: f64 = 64.0 * U;

/// Steps shorter than this make no progress that could be told from rounding; it takes a motion that is nowhere
/// certain to get there, and it then counts as a contact: none is ever missed.
const SHORTEST_STEP: f64 = 1.0 / (1u64 << 45) as f64;

/// The first time at which the primitives of `query` are within the minimum separation.
pub fn first_contact<P: Pair>(query: &Query, settings: &Settings) -> Option<Hit> {
    let (motion, factor) = ScaledMotion::new(query);
    // A product that rounds to zero must not make d vanish; one that overflows is larger than any distance.
    let d = (settings.min_separation * factor).max(f64::MIN_POSITIVE);
    let within = d + 0.5 * settings.separation_tolerance * motion.reach();
    let approach = Approach::<P> {
        motion: &motion,
        apart: d + MARGIN * motion.reach() + d * (8.0 * U),
        pair: Default::default(),
    };
    if approach.distance_at(0.0) <= d {
        return Some(approach.hit(0.0, 0.0, true));
    }
    let (mut time, mut step) = (0.0, 1.0);
    while time < 1.0 {
        let target = f64::min(time + step, 1.0);
        let reached = approach.advance(time, target);
        if reached >= target {
            (time, step) = (target, 2.0 * step);
            continue;
        }
        let probe = f64::min(reached + 0.875 * settings.toi_tolerance, 1.0);
        if approach.distance_at(probe) <= within {
            return Some(approach.hit(reached, probe, false));
        }
        // faster primitives are within d for less time than the probe is ahead
        if approach.distance_at(reached) <= within {
            return Some(approach.hit(reached, reached, false));
        }
        let left = target - reached;
        // half of the interval is left at least when the direction turns too much to be good for all of it
        step = if left > 0.5 * (target - time) { 0.5 * left } else { left };
        time = reached;
        if step < SHORTEST_STEP {
            return Some(approach.hit(time, time, false));
        }
    }
    None
}

struct Approach<'a, P> {
    motion: &'a ScaledMotion,
    /// A computed gap larger than this proves a distance larger than d.
    apart: f64,
    pair: std::marker::PhantomData<P>,
}

impl<P: Pair> Approach<'_, P> {
    /// An upper bound (but for rounding) of the distance at time `t`.
    fn distance_at(&self, t: f64) -> f64 {
        let difference = self.closest_difference(&self.motion.at(t));
        dot(difference, difference).sqrt()
    }

    fn closest_difference(&self, r: &[Vec3; 3]) -> Vec3 {
        P::difference(r, &P::closest_weights(r))
    }

    /// The latest time, up to `target`, until which the primitives are certainly more than d apart from `time` on.
    fn advance(&self, time: f64, target: f64) -> f64 {
        let (start, end) = (self.motion.at(time), self.motion.at(target));
        let middle = self.motion.at(0.5 * (time + target));
        let mut reached = time;
        let directions =
            [self.closest_difference(&middle), P::normal_of(&middle), self.closest_difference(&start)];
        for direction in directions {
            let square = dot(direction, direction);
            if square < f64::MIN_POSITIVE {
                continue;
            }
            let n = direction.map(|x| x / square.sqrt());
            // a normal may point either way
            let gaps = |r: &[Vec3; 3]| P::gaps([0.0, dot(n, r[0]), dot(n, r[1]), dot(n, r[2])]);
            let (before, after) = (gaps(&start), gaps(&end));
            for side in 0..2 {
                if before[side] > self.apart {
                    if after[side] > self.apart {
                        return target;
                    }
                    let share = (before[side] - self.apart) / (before[side] - after[side]);
                    // shortened a little for the roundings in this line
                    reached = f64::max(reached, time + share * (1.0 - 16.0 * U) * (target - time) - 4.0 * U);
                }
            }
        }
        reached
    }

    fn hit(&self, toi_lower: f64, toi_upper: f64, at_start: bool) -> Hit {
        let (weights, normal) = self.motion.separated_contact::<P>(toi_upper);
        Hit { at_start, toi_lower, toi_upper, weights, normal }
    }
}
