//! Contacts whose times are known get their weights and normals, several at once.
//!
//! Nearly all contacts are clear: inside both primitives, which are well shaped and apart at t = 0. These are described in lanes. The others take the way of
//! [`super::contact`], one by one.

use super::contact::{LARGEST, NEGLIGIBLE, SMALLEST, ScaledMotion};
use super::motion::{Motion, largest};
use super::pair::Pair;
use super::stages::{CHUNK, Source};
use super::vec3::{dot, scale};
use super::{Hit, Impact};
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
    report: &mut dyn FnMut(usize, &Hit),
) {
    let separated = min_separation > 0.0;
    for (group, first) in collisions.chunks(V::COUNT).zip((0..).step_by(V::COUNT)) {
        let (mut indices, mut times) = ([group[0].index; MAX_LANES], [0.0; MAX_LANES]);
        for (lane, collision) in group.iter().enumerate() {
            let Impact { toi_lower, toi_upper, .. } = collision.impact;
            indices[lane] = collision.index;
            times[lane] = if separated { toi_upper } else { 0.5 * (toi_lower + toi_upper) };
        }
        let mut clear = 0;
        let (mut weights, mut normal) = ([[0.0; MAX_LANES]; 4], [[0.0; MAX_LANES]; 3]);
        if !separated {
            let contact = clear_contact::<V, P>(&source.load(&indices), V::load(&times));
            clear = contact.clear.bits();
            for (weight, lanes) in weights.iter_mut().zip(contact.weights) {
                *weight = lanes.to_array();
            }
            for (coordinate, lanes) in normal.iter_mut().zip(contact.normal) {
                *coordinate = lanes.to_array();
            }
        }
        for (lane, collision) in group.iter().enumerate() {
            let (weights, normal) = if clear >> lane & 1 != 0 {
                (
                    [weights[0][lane], weights[1][lane], weights[2][lane], weights[3][lane]],
                    [normal[0][lane], normal[1][lane], normal[2][lane]],
                )
            } else {
                let (motion, _) = ScaledMotion::new(&source.query(collision.index));
                if separated {
                    motion.separated_contact::<P>(times[lane])
                } else {
                    motion.contact::<P>(times[lane])
                }
            };
            let Impact { at_start, toi_lower, toi_upper } = collision.impact;
            report(first + lane, &Hit { at_start, toi_lower, toi_upper, weights, normal });
        }
    }
}

struct ClearContact<V: Lanes> {
    /// Where the rest is right.
    clear: V::Mask,
    weights: [V; 4],
    normal: [V; 3],
}

/// What [`ScaledMotion::contact`] does first, for contacts where that is all.
#[inline(always)]
fn clear_contact<V: Lanes, P: Pair>(columns: &[V; 24], t: V) -> ClearContact<V> {
    let motion = Motion::new(columns);
    let by_axis = largest(&motion.start, &motion.end);
    let reach = by_axis[0].max(by_axis[1]).max(by_axis[2]);
    let in_range = !reach.lt(V::splat(SMALLEST)) & !reach.gt(V::splat(LARGEST));

    let r = motion.at(t);
    let points = P::inner_points(&r);
    let normal = P::normal_of(&r);
    let size = normal[0].abs().max(normal[1].abs()).max(normal[2].abs());
    let distinct = size.gt(V::splat(NEGLIGIBLE) * P::longest_square(&r));

    // In two steps, so that the length is within a few units in the last place of one.
    let scaled = scale(normal, V::splat(1.0) / size);
    let unit = scale(scaled, V::splat(1.0) / dot(scaled, scaled).sqrt());
    let side = dot(unit, P::difference(&motion.start, &points.weights));
    let sided = side.abs().gt(V::splat(NEGLIGIBLE) * reach);
    let behind = side.lt(V::splat(0.0));
    let mut normal = unit;
    for coordinate in &mut normal {
        *coordinate = (V::splat(0.0) - *coordinate).select(behind, *coordinate);
    }
    ClearContact { clear: in_range & points.clear & distinct & sided, weights: points.weights, normal }
}
