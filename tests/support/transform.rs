//! Changes of a query that cannot change its answer, each exact in floating point.

use super::random::Random;
use pccd::elementary::{Kind, Query};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Transform {
    /// Point `i` of the new query is point `order[i]` of the old one.
    ReorderPoints([usize; 4]),
    /// Axis `i` of the new query is axis `order[i]` of the old one.
    ReorderAxes([usize; 3]),
    MirrorAxis(usize),
    /// Start and end change places: the same contacts, in reverse order.
    ReverseTime,
    /// All coordinates times `2^exponent`.
    Scale(i32),
}

impl Transform {
    /// Whether the first contact happens at the same time as before.
    pub fn keeps_time(self) -> bool {
        self != Transform::ReverseTime
    }

    /// The changed query; `None` where rounding would make it another one.
    pub fn apply(self, query: &Query) -> Option<Query> {
        let entry = |index: usize| (index / 12, index / 3 % 4, index % 3);
        let at = |(end, point, axis): (usize, usize, usize)| query[12 * end + 3 * point + axis];
        Some(match self {
            Transform::ReorderPoints(order) => std::array::from_fn(|index| {
                let (end, point, axis) = entry(index);
                at((end, order[point], axis))
            }),
            Transform::ReorderAxes(order) => std::array::from_fn(|index| {
                let (end, point, axis) = entry(index);
                at((end, point, order[axis]))
            }),
            Transform::MirrorAxis(mirrored) => {
                std::array::from_fn(|index| if index % 3 == mirrored { -query[index] } else { query[index] })
            }
            Transform::ReverseTime => std::array::from_fn(|index| query[(index + 12) % 24]),
            Transform::Scale(exponent) => {
                let (up, down) = (2f64.powi(exponent), 2f64.powi(-exponent));
                let scaled: Query = std::array::from_fn(|index| query[index] * up);
                let is_exact =
                    scaled.iter().zip(query).all(|(new, old)| new.is_finite() && new * down == *old);
                return is_exact.then_some(scaled);
            }
        })
    }

    /// Every reordering of the points which leaves the two primitives what they are, or swaps them where they are
    /// of one sort.
    pub fn reorderings(kind: Kind) -> &'static [[usize; 4]] {
        match kind {
            Kind::VertexFace => {
                &[[0, 1, 3, 2], [0, 2, 1, 3], [0, 2, 3, 1], [0, 3, 1, 2], [0, 3, 2, 1], [0, 1, 2, 3]]
            }
            Kind::EdgeEdge => &[
                [1, 0, 2, 3],
                [0, 1, 3, 2],
                [1, 0, 3, 2],
                [2, 3, 0, 1],
                [3, 2, 0, 1],
                [2, 3, 1, 0],
                [3, 2, 1, 0],
                [0, 1, 2, 3],
            ],
        }
    }

    pub fn random(kind: Kind, random: &mut Random) -> Transform {
        match random.below(6) {
            0 | 1 => Transform::ReorderPoints(*random.pick(Transform::reorderings(kind))),
            2 => {
                Transform::ReorderAxes(*random.pick(&[[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]))
            }
            3 => Transform::MirrorAxis(random.below(3)),
            4 => Transform::ReverseTime,
            _ => Transform::Scale(random.integer(-60, 60) as i32),
        }
    }
}

/// A few transforms one after another, and the query they lead to. Inexact ones are left out.
pub fn random_chain(kind: Kind, query: &Query, random: &mut Random) -> (Vec<Transform>, Query) {
    let mut chain = Vec::new();
    let mut changed = *query;
    for _ in 0..random.integer(1, 4) {
        let transform = Transform::random(kind, random);
        if let Some(next) = transform.apply(&changed) {
            changed = next;
            chain.push(transform);
        }
    }
    (chain, changed)
}
