//! First time at which two primitives come within a distance d > 0 of each other.
//!
//! Two certificates, both with rounding bounds:
//! - **Apart** between two moments s and e: unit vectors n(s) and n(e), and their interpolation n(t) in between, which is no longer than
//!   one. The gap along n(t) between a point x(t) of one primitive and y(t) of the other is n(t)·(x(t) − y(t)), a quadratic in time. If
//!   its Bernstein coefficients exceed d for all pairs of points, the primitives are more than d apart throughout. Because n
//!   turns with the primitives, the certificate holds for steps as long as the square root of what is left of the distance.
//! - **Within** d + tolerance at a moment: two points of the primitives that are no farther from each other.
//!
//! Time advances from 0, by what is certified, until it reaches 1 or a moment that is within.
//!
//! Bounds, in units of the reach (the largest relative coordinate): coordinates are wrong by at most 8u after interpolation. A dot
//! product with a unit vector has an error of 8√3u + 3√3u, a gap (the difference of two of them) at most 41u with its own rounding. The
//! length of n is within 4u of one. [`MARGIN`] covers all of it.

use super::contact::ScaledMotion;
use super::motion::U;
use super::pair::Pair;
use super::vec3::{Vec3, dot, extent, scale};
use super::{Impact, Query, Settings};
use std::marker::PhantomData;

/// More than rounding can add to a gap between primitives, relative to their reach.
const MARGIN: f64 = 64.0 * U;

/// Shorter steps can't be told from rounding. It takes a motion of which nothing is certain to get there, and it then counts as a
/// contact: none is ever missed.
const SHORTEST_STEP: f64 = 1.0 / (1u64 << 50) as f64;

/// Shorter vectors have no direction that division could find: 2⁻¹⁰⁰⁰.
const SHORTEST_DIRECTION: f64 = f64::from_bits((1023 - 1000) << 52);

/// Steps shorter than this may fail because of rounding, so that other directions are tried as well.
const UNSURE_STEP: f64 = 1e-6;

/// The first time at which the primitives of `query` are within the minimum separation.
pub fn first_contact<P: Pair>(query: &Query, settings: &Settings) -> Option<Impact> {
    let (motion, factor) = ScaledMotion::new(query);
    // A product that rounds to zero must not make d vanish; one that overflows is larger than any distance.
    let d = (settings.min_separation * factor).max(f64::MIN_POSITIVE);
    let within = d + 0.5 * settings.separation_tolerance * motion.reach();
    let apart = d + MARGIN * motion.reach() + d * (8.0 * U);
    let approach = Approach::<P> { motion: &motion, pair: PhantomData };
    let mut now = approach.moment(0.0);
    if now.distance <= apart {
        return Some(Impact { at_start: true, toi_lower: 0.0, toi_upper: 0.0 });
    }
    let mut step = 1.0;
    while now.time < 1.0 {
        let next = approach.moment(f64::min(now.time + step, 1.0));
        if approach.stay_apart(&now, &next, apart) {
            now = next;
            step *= 2.0;
            continue;
        }
        let probe = f64::min(now.time + 0.875 * settings.toi_tolerance, 1.0);
        if next.time <= probe {
            // A faster pair is within d for less time than the tolerance.
            for end in [&next, &now] {
                if end.distance <= within {
                    return Some(Impact { at_start: false, toi_lower: now.time, toi_upper: end.time });
                }
            }
        }
        // A little before d is reached, if the distance fell evenly; but at least a bit less than before.
        let span = next.time - now.time;
        let share = (now.distance - apart) / (now.distance - next.distance);
        step = span * if next.distance < apart { share.clamp(0.0625, 0.5) } else { 0.5 };
        if step < SHORTEST_STEP {
            return Some(Impact { at_start: false, toi_lower: now.time, toi_upper: now.time });
        }
    }
    None
}

struct Approach<'a, P> {
    motion: &'a ScaledMotion,
    pair: PhantomData<P>,
}

/// The primitives at one time.
struct Moment {
    time: f64,
    positions: [Vec3; 3],
    weights: [f64; 4],
    /// From the closest point of the second primitive to that of the first.
    difference: Vec3,
    /// An upper bound of the distance, but for rounding.
    distance: f64,
}

impl<P: Pair> Approach<'_, P> {
    fn moment(&self, time: f64) -> Moment {
        let positions = self.motion.at(time);
        let weights = P::closest_weights(&positions);
        let difference = P::difference(&positions, &weights);
        Moment { time, positions, weights, difference, distance: dot(difference, difference).sqrt() }
    }

    /// Whether the primitives are certainly more than d apart from `now` to `next`, where `apart` is d with the bounds of rounding.
    fn stay_apart(&self, now: &Moment, next: &Moment, apart: f64) -> bool {
        let features = |moment: &Moment| P::closest_features(&moment.weights);
        self.gap_exceeds(apart, now, features(now), next, features(next))
            // Which features are closest may be lost in rounding errors if the primitives are close. Until then, shorter steps help.
            || (next.time - now.time < UNSURE_STEP
                && (0..P::FEATURES).any(|both| self.gap_exceeds(apart, now, both, next, both)))
    }

    /// Whether the gap exceeds `apart` throughout, along the directions that belong to the given features.
    fn gap_exceeds(&self, apart: f64, now: &Moment, now_on: usize, next: &Moment, next_on: usize) -> bool {
        let (n0, n1) = (now.direction::<P>(now_on), next.direction::<P>(next_on));
        let (r0, r1) = (&now.positions, &next.positions);
        let gap = |along: &dyn Fn(usize) -> f64| P::gaps([0.0, along(0), along(1), along(2)])[1];
        // the three Bernstein coefficients, the middle one doubled
        gap(&|i| dot(n0, r0[i])) > apart
            && gap(&|i| dot(n1, r1[i])) > apart
            && gap(&|i| dot(n0, r1[i]) + dot(n1, r0[i])) > 2.0 * apart
    }
}

impl Moment {
    /// The unit vector of [`Pair::separating_direction`], or zero if there is none.
    fn direction<P: Pair>(&self, features: usize) -> Vec3 {
        let direction = P::separating_direction(&self.positions, self.difference, features);
        let largest = extent(direction);
        if largest < SHORTEST_DIRECTION {
            return [0.0; 3];
        }
        // In two steps: the square of a short vector underflows, and its root would be wrong by more than rounding.
        let direction = scale(direction, 1.0 / largest);
        scale(direction, 1.0 / dot(direction, direction).sqrt())
    }
}
