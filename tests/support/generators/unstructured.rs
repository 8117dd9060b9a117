//! Random motion without any construction, at several speeds and places.

use super::{Points, join};
use crate::support::random::Random;
use crate::support::vector::{Vec3, along};
use pccd::elementary::{Kind, Query};

fn vector(radius: f64, random: &mut Random) -> Vec3 {
    std::array::from_fn(|_| random.between(-radius, radius))
}

fn points(radius: f64, random: &mut Random) -> Points {
    std::array::from_fn(|_| vector(radius, random))
}

fn moved(start: &Points, distance: f64, random: &mut Random) -> Points {
    std::array::from_fn(|point| along(start[point], vector(1.0, random), distance))
}

pub fn generic(_: Kind, random: &mut Random) -> Query {
    join(points(1.0, random), points(1.0, random))
}

/// Motion that is small beside the primitives; a start in near contact makes hits likely.
pub fn slow(kind: Kind, random: &mut Random) -> Query {
    let distance = *random.pick(&[1e-1, 1e-2, 1e-4, 1e-6]);
    let mut start = points(1.0, random);
    if kind == Kind::VertexFace {
        // Somewhere on the face, lifted about as far as the motion reaches.
        let (first, second) = (random.unit(), random.unit());
        let (first, second) =
            if first + second > 1.0 { (1.0 - first, 1.0 - second) } else { (first, second) };
        start[0] = std::array::from_fn(|axis| {
            let lift = random.between(-distance, distance);
            start[1][axis] * (1.0 - first - second) + start[2][axis] * first + start[3][axis] * second + lift
        });
    } else {
        let (first, second) = (random.unit(), random.between(0.1, 1.0));
        start[3] = std::array::from_fn(|axis| {
            let meeting = start[0][axis] * (1.0 - first) + start[1][axis] * first;
            let lift = random.between(-distance, distance);
            start[2][axis] + (meeting - start[2][axis]) / second + lift
        });
    }
    let end = moved(&start, distance, random);
    join(start, end)
}

/// Primitives move by a multiple of their size.
pub fn fast(_: Kind, random: &mut Random) -> Query {
    let distance = *random.pick(&[5.0, 20.0, 100.0]);
    let middle = points(1.0, random);
    let motion: Points = std::array::from_fn(|_| vector(distance, random));
    let time = random.unit();
    let at = |factor: f64| std::array::from_fn(|point| along(middle[point], motion[point], factor));
    join(at(-time), at(1.0 - time))
}

pub fn single_precision(kind: Kind, random: &mut Random) -> Query {
    let query = match random.below(3) {
        0 => generic(kind, random),
        1 => slow(kind, random),
        _ => fast(kind, random),
    };
    query.map(|value| f64::from(value as f32))
}

pub fn offset_million(kind: Kind, random: &mut Random) -> Query {
    offset(kind, 1e6, random)
}

pub fn offset_billion(kind: Kind, random: &mut Random) -> Query {
    offset(kind, 1e9, random)
}

/// Small features far from the origin, where their own digits are few.
fn offset(kind: Kind, distance: f64, random: &mut Random) -> Query {
    let center = vector(distance, random);
    let query = if random.one_in(2) { generic(kind, random) } else { slow(kind, random) };
    std::array::from_fn(|index| query[index] + center[index % 3])
}

/// One point leaves (or arrives from) very far away.
pub fn one_far_mover(_: Kind, random: &mut Random) -> Query {
    let (start, mut end) = (points(1.0, random), points(1.0, random));
    let exponent = *random.pick(&[10, 30, 100, 300, 900]);
    let point = random.below(4);
    end[point] = end[point].map(|value| value * 2f64.powi(exponent));
    if random.one_in(2) { join(start, end) } else { join(end, start) }
}
