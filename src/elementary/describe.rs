//! Contacts whose times are known get their weights and normals, several at once.
//!
//! Nearly all contacts are clear: inside both primitives, which are well shaped, or in a point that both have in the same place at t = 0. These are described in lanes. The others
//! take the way of [`super::contact`], one by one.

use super::contact::{LARGEST, NEGLIGIBLE, SMALLEST, ScaledMotion};
use super::motion::{Motion, largest};
use super::pair::{InnerPoints, Pair};
use super::stages::{CHUNK, Source};
use super::vec3::{dot, scale, sub};
use super::{Hit, Impact, Query};
use crate::simd::{Doubles, Lanes, MAX_LANES, Mask};

/// A query of a source that collides, and when.
#[derive(Clone, Copy)]
pub struct Collision {
    pub index: u32,
    pub impact: Impact,
}

/// Room for the collisions of a chunk.
pub struct Collisions {
    list: [Collision; CHUNK],
    len: usize,
}

impl Collisions {
    pub const EMPTY: Collisions = {
        let nothing = Impact { at_start: false, toi_lower: 0.0, toi_upper: 0.0 };
        Collisions { list: [Collision { index: 0, impact: nothing }; CHUNK], len: 0 }
    };

    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// At most [`CHUNK`] fit.
    pub fn push(&mut self, index: u32, impact: Impact) {
        self.list[self.len] = Collision { index, impact };
        self.len += 1;
    }

    pub fn as_slice(&self) -> &[Collision] {
        &self.list[..self.len]
    }
}

/// Calls `report(place, hit)` for each of the collisions, in their order.
#[inline(always)]
pub fn describe<V: Doubles, P: Pair, S: Source + ?Sized>(
    source: &S,
    collisions: &[Collision],
    min_separation: f64,
    mut report: impl FnMut(usize, &Hit),
) {
    let separated = min_separation > 0.0;
    for (group, first) in collisions.chunks(V::COUNT).zip((0..).step_by(V::COUNT)) {
        let (mut indices, mut times) = ([group[0].index; MAX_LANES], [0.0; MAX_LANES]);
        for (lane, collision) in group.iter().enumerate() {
            indices[lane] = collision.index;
            times[lane] = time_of(&collision.impact, separated);
        }
        let starts = group.iter().any(|collision| collision.impact.at_start);
        let (mut clear, mut common) = (0, 0);
        let (mut weights, mut normal) = ([[0.0; MAX_LANES]; 4], [[0.0; MAX_LANES]; 3]);
        if !separated {
            let contact = clear_contact::<V, P>(&source.load(&indices), V::load(&times), starts);
            (clear, common) = (contact.clear.bits(), contact.common.bits());
            for (weight, lanes) in weights.iter_mut().zip(contact.weights) {
                *weight = lanes.to_array();
            }
            for (coordinate, lanes) in normal.iter_mut().zip(contact.normal) {
                *coordinate = lanes.to_array();
            }
        }
        for (lane, collision) in group.iter().enumerate() {
            let [a, b, c, d] = &weights;
            let weights = [a[lane], b[lane], c[lane], d[lane]];
            if clear >> lane & 1 != 0 {
                // A call of its own, so that numbers go from lanes to where they stay: arrays on the way, written one by one and read as a whole, would have the CPU wait.
                let [x, y, z] = &normal;
                let Impact { at_start, toi_lower, toi_upper } = collision.impact;
                let normal = [x[lane], y[lane], z[lane]];
                report(first + lane, &Hit { at_start, toi_lower, toi_upper, weights, normal });
            } else {
                let common = (common >> lane & 1 != 0).then_some(weights);
                report(
                    first + lane,
                    &one_by_one::<P>(&source.query(collision.index), collision, common, separated),
                );
            }
        }
    }
}

/// When a contact is looked at.
#[inline(always)]
fn time_of(impact: &Impact, separated: bool) -> f64 {
    if separated { impact.toi_upper } else { 0.5 * (impact.toi_lower + impact.toi_upper) }
}

/// What is not clear; `common` are the weights of a point that both primitives have in the same place at t = 0.
#[inline(never)]
fn one_by_one<P: Pair>(
    query: &Query,
    collision: &Collision,
    common: Option<[f64; 4]>,
    separated: bool,
) -> Hit {
    let (motion, _) = ScaledMotion::new(query);
    let time = time_of(&collision.impact, separated);
    let (weights, normal) = match common {
        _ if separated => motion.separated_contact::<P>(time),
        Some(weights) => (weights, motion.normal_at_start::<P>(&weights)),
        None => motion.contact::<P>(time),
    };
    let Impact { at_start, toi_lower, toi_upper } = collision.impact;
    Hit { at_start, toi_lower, toi_upper, weights, normal }
}

struct ClearContact<V: Lanes> {
    /// Where the rest is right.
    clear: V::Mask,
    /// Where both primitives have a point in the same place at t = 0: at least the weights are right.
    common: V::Mask,
    weights: [V; 4],
    normal: [V; 3],
}

/// What [`ScaledMotion::contact`] does first, for contacts where that is all. Points in the same place at t = 0 are looked for only if there may be some.
#[inline(always)]
fn clear_contact<V: Lanes, P: Pair>(columns: &[V; 24], t: V, starts: bool) -> ClearContact<V> {
    let motion = Motion::new(columns);
    let by_axis = largest(&motion.start, &motion.end);
    let reach = by_axis[0].max(by_axis[1]).max(by_axis[2]);
    let in_range = !reach.lt(V::splat(SMALLEST)) & !reach.gt(V::splat(LARGEST));

    let r = motion.at(t);
    let InnerPoints { clear: mut located, mut weights, .. } = P::inner_points(&r);
    let mut common = V::Mask::from_bits(0);
    if starts {
        common = common_point::<V, P>(columns, &mut weights);
        located = located | common;
    }
    let normal = P::normal_of(&r);
    let size = normal[0].abs().max(normal[1].abs()).max(normal[2].abs());
    let distinct = size.gt(V::splat(NEGLIGIBLE) * P::longest_square(&r));

    // In two steps, so that the length is within a few units in the last place of one.
    let scaled = scale(normal, V::splat(1.0) / size);
    let unit = scale(scaled, V::splat(1.0) / dot(scaled, scaled).sqrt());
    let apart_at_start = P::difference(&motion.start, &weights);
    let mut side = dot(unit, apart_at_start);
    let negligible = V::splat(NEGLIGIBLE) * reach;
    let sided = side.abs().gt(negligible);
    if (!sided).bits() != 0 {
        let approach = dot(unit, sub(apart_at_start, P::difference(&motion.end, &weights)));
        let approach = approach.select(approach.abs().gt(negligible), V::splat(1.0));
        side = side.select(sided, approach);
    }
    let behind = side.lt(V::splat(0.0));
    let mut normal = unit;
    for coordinate in &mut normal {
        *coordinate = (V::splat(0.0) - *coordinate).select(behind, *coordinate);
    }
    ClearContact { clear: in_range & located & distinct, common, weights, normal }
}

/// Where both primitives have a point in the same place at t = 0. There, the weights become those of the first two such points.
#[inline(always)]
fn common_point<V: Lanes, P: Pair>(columns: &[V; 24], weights: &mut [V; 4]) -> V::Mask {
    let zero = V::splat(0.0);
    let mut common = V::Mask::from_bits(0);
    // The first ones are written last.
    for &(a, b) in P::POINT_PAIRS.iter().rev() {
        // A difference of two doubles is zero only if they are equal.
        let way = |axis: usize| (columns[3 * a + axis] - columns[3 * b + axis]).abs();
        let same = !way(0).max(way(1)).max(way(2)).gt(zero);
        for (point, weight) in weights.iter_mut().enumerate() {
            let share = if point == a || point == b { 1.0 } else { 0.0 };
            *weight = V::splat(share).select(same, *weight);
        }
        common = common | same;
    }
    common
}
