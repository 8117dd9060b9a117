//! Motion whose volume cubic has the roots we choose.

use super::{Points, join};
use crate::support::random::Random;
use crate::support::vector::{Vec3, along};
use pccd::elementary::{Kind, Query};

/// Unit in which weights are given.
const PARTS: i64 = 8;

/// Four points from the three vectors that decide contact: the face (or the edges) span `first` and `second`, and
/// `gap` leads from the first point of the face to the vertex (of the first edge to the second edge).
fn four_points(kind: Kind, origin: Vec3, gap: Vec3, first: Vec3, second: Vec3) -> Points {
    let other = along(origin, gap, 1.0);
    match kind {
        Kind::VertexFace => [other, origin, along(origin, first, 1.0), along(origin, second, 1.0)],
        Kind::EdgeEdge => [origin, along(origin, first, 1.0), other, along(other, second, 1.0)],
    }
}

/// Weights (u, v), in parts, with gap = u · first + v · second at contact. The second edge runs away from the first
/// one where v is positive, so v is negative for edges.
fn contact_weights(kind: Kind, random: &mut Random) -> (i64, i64) {
    let first = random.integer(0, PARTS);
    match kind {
        Kind::VertexFace => (first, random.integer(0, PARTS - first)),
        Kind::EdgeEdge => (first, -random.integer(0, PARTS)),
    }
}

/// Touch and retreat: with s the time since contact, the vectors are first = (1, 0, a s), second = (0, 1, b s) and
/// gap = (u + u' s, v + v' s, (a u + b v) s), and the volume is -(a u' + b v') s².
fn touch(kind: Kind, error: f64, random: &mut Random) -> Query {
    let (u, v) = contact_weights(kind, random);
    let (u, v) = (u as f64, v as f64);
    let small = |random: &mut Random| random.integer(-4, 4) as f64;
    let (a, b) = (small(random), small(random));
    let (u_rate, v_rate) = (small(random), small(random));
    let denominator = *random.pick(&[2, 3, 4, 7, 8]);
    let before = random.integer(0, denominator);
    // An integer map that keeps the contact and takes away special directions.
    let map: [Vec3; 3] = std::array::from_fn(|_| super::integer_vector(5, random));
    let (origin, drift) = (super::integer_vector(10, random), super::integer_vector(10, random));
    let parts = PARTS as f64;
    let at = |s: f64| -> Points {
        // Everything times `parts`, so that all is integer.
        let first = [parts, 0.0, parts * a * s];
        let second = [0.0, parts, parts * b * s];
        let gap = [u + parts * u_rate * s, v + parts * v_rate * s, (a * u + b * v) * s + error];
        let mapped = |vector: Vec3| (0..3).fold([0.0; 3], |sum, axis| along(sum, map[axis], vector[axis]));
        four_points(kind, along(origin, drift, s), mapped(gap), mapped(first), mapped(second))
    };
    join(at(-before as f64), at((denominator - before) as f64))
}

pub fn double(kind: Kind, random: &mut Random) -> Query {
    touch(kind, 0.0, random)
}

/// The double root becomes two near ones, or none.
pub fn double_perturbed(kind: Kind, random: &mut Random) -> Query {
    let error = random.sign() * 2f64.powi(-random.integer(1, 40) as i32);
    touch(kind, error, random)
}

/// Three rational roots, each with contact at weights of our choice. With `K` the matrix of rows (1, -u, -v) and
/// `l` the linear factors, the rows gap, first and second of `adj(K) diag(l) R` satisfy that gap = u first + v second
/// where the factor of (u, v) vanishes.
pub fn three(kind: Kind, random: &mut Random) -> Query {
    let rows: [[i64; 3]; 3] = std::array::from_fn(|_| {
        let (u, v) = contact_weights(kind, random);
        [PARTS, -u, -v]
    });
    let adjugate: [[i64; 3]; 3] = std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            // Cofactor of the transposed place.
            let (next_row, last_row) = ((column + 1) % 3, (column + 2) % 3);
            let (next, last) = ((row + 1) % 3, (row + 2) % 3);
            rows[next_row][next] * rows[last_row][last] - rows[next_row][last] * rows[last_row][next]
        })
    });
    let factors: [(i64, i64); 3] = std::array::from_fn(|_| {
        let denominator = *random.pick(&[2, 3, 5, 7, 8, 16]);
        (random.integer(0, denominator), denominator)
    });
    let right: [[i64; 3]; 3] = std::array::from_fn(|_| std::array::from_fn(|_| random.integer(-5, 5)));
    let (origin, drift) = (super::integer_vector(100, random), super::integer_vector(100, random));
    let at = |end: i64| -> Points {
        let vector = |row: usize| -> Vec3 {
            std::array::from_fn(|axis| {
                let term = |index: usize| {
                    let (root, denominator) = factors[index];
                    adjugate[row][index] * (end * denominator - root) * right[index][axis]
                };
                (term(0) + term(1) + term(2)) as f64
            })
        };
        four_points(kind, along(origin, drift, end as f64), vector(0), vector(1), vector(2))
    };
    join(at(0), at(1))
}

/// Primitives that turn by a large angle and so shrink on the way, down to a point for half a turn.
pub fn rotating(kind: Kind, random: &mut Random) -> Query {
    let radius = if random.one_in(2) { 4 } else { 1 << 20 };
    let first_count = if kind == Kind::VertexFace { 1 } else { 2 };
    let mut shape: Points = std::array::from_fn(|_| super::integer_vector(radius, random));
    if kind == Kind::EdgeEdge && random.one_in(2) {
        // Edges centred on the origin meet when they turn.
        shape[1] = shape[0].map(|value| -value);
        shape[3] = shape[2].map(|value| -value);
    }
    let turn = random.below(3);
    let turned: Points = std::array::from_fn(|point| {
        let [x, y, z] = shape[point];
        match (turn, point < first_count) {
            (0, _) => [-x, -y, -z],
            (1, true) => [-x, -y, z],
            (1, false) => [x, y, z],
            (_, true) => [-y, x, z],
            (_, false) => [y, z, x],
        }
    });
    join(shape, turned)
}
