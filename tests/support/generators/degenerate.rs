//! Geometry without volume, area, length or motion.

use super::contact::{Contact, Place};
use super::{Points, integer_vector, join, scaled};
use crate::support::random::Random;
use crate::support::vector::{Vec3, along};
use pccd::elementary::{Kind, Query};

fn grid(range: i64, random: &mut Random) -> Query {
    std::array::from_fn(|_| random.integer(-range, range) as f64)
}

pub fn grid_two(_: Kind, random: &mut Random) -> Query {
    grid(2, random)
}

/// So coarse that most queries are degenerate in several ways at once.
pub fn grid_one(_: Kind, random: &mut Random) -> Query {
    grid(1, random)
}

/// Small grid, one point moves and three rest.
pub fn grid_one_mover(_: Kind, random: &mut Random) -> Query {
    let mut query = grid(2, random);
    let mover = random.below(4);
    for entry in (0..12).filter(|entry| entry / 3 != mover) {
        query[12 + entry] = query[entry];
    }
    query
}

pub fn no_motion(kind: Kind, random: &mut Random) -> Query {
    let mut query = match random.below(3) {
        0 => grid(2, random),
        1 => std::array::from_fn(|_| random.between(-1.0, 1.0)),
        _ => Contact { time: (0, 1), ..Contact::random(Place::Interior, random) }.make(kind, random),
    };
    query.copy_within(..12, 12);
    query
}

/// All points move alike, or each primitive as a whole does.
pub fn translation(kind: Kind, random: &mut Random) -> Query {
    let contact = Contact { motion_bits: 6, ..Contact::random(Place::Interior, random) };
    let shape = if random.one_in(2) {
        contact.shape(kind, random)
    } else {
        [(); 4].map(|()| integer_vector(3, random))
    };
    let first = integer_vector(8, random);
    let second = if random.one_in(3) { first } else { integer_vector(8, random) };
    let first_count = if kind == Kind::VertexFace { 1 } else { 2 };
    let velocities = std::array::from_fn(|point| if point < first_count { first } else { second });
    contact.move_with(&shape, &velocities)
}

/// The primitives have a vertex in common: always, or at one end of the motion only.
pub fn shared_vertex(kind: Kind, random: &mut Random) -> Query {
    let mut query: Query =
        if random.one_in(2) { grid(4, random) } else { std::array::from_fn(|_| random.between(-1.0, 1.0)) };
    let first = if kind == Kind::VertexFace { 0 } else { random.below(2) };
    let second = if kind == Kind::VertexFace { 1 + random.below(3) } else { 2 + random.below(2) };
    let (at_start, at_end) = *random.pick(&[(true, true), (true, false), (false, true)]);
    for end in [(0, at_start), (1, at_end)].into_iter().filter(|end| end.1).map(|end| end.0) {
        query.copy_within(12 * end + 3 * second..12 * end + 3 * second + 3, 12 * end + 3 * first);
    }
    query
}

/// A triangle of three collinear points, or two parallel edges, at all times; built to touch or nearly so.
pub fn flat_always(kind: Kind, random: &mut Random) -> Query {
    let line_at = |random: &mut Random| (integer_vector(4, random), integer_vector(3, random));
    let (start, end) = (line_at(random), line_at(random));
    let flat = |(origin, direction): (Vec3, Vec3), places: &[i64; 4], gap: Vec3| -> Points {
        std::array::from_fn(|point| {
            let is_first = if kind == Kind::VertexFace { point == 0 } else { point < 2 };
            let shift = if is_first { gap } else { [0.0; 3] };
            along(along(origin, direction, places[point] as f64), shift, 1.0)
        })
    };
    // Places on the line stay or change; the gap between the primitives closes at a time of the form i / 8.
    let places: [i64; 4] = std::array::from_fn(|_| random.integer(-3, 3));
    let other: [i64; 4] =
        if random.one_in(2) { places } else { std::array::from_fn(|_| random.integer(-3, 3)) };
    let gap = integer_vector(3, random);
    let steps = random.integer(0, 8) as f64;
    let (before, after) = (gap.map(|value| -value * steps), gap.map(|value| value * (8.0 - steps)));
    join(flat(start, &places, before), flat(end, &other, after))
}

/// Flat at one moment of contact only.
pub fn flat_at_contact(kind: Kind, random: &mut Random) -> Query {
    let contact = Contact { motion_bits: 4, ..Contact::random(Place::Interior, random) };
    let (origin, direction) = (integer_vector(4, random), integer_vector(3, random));
    let mut shape: Points = std::array::from_fn(|_| along(origin, direction, random.integer(-3, 3) as f64));
    if random.one_in(4) {
        shape[random.below(4)] = integer_vector(4, random);
    }
    if random.one_in(4) && kind == Kind::VertexFace {
        shape[2] = shape[1];
    }
    let query = contact.motion_through(&shape, random);
    scaled(&query, random.integer(-20, 20) as i32)
}

/// A triangle or an edge that is one point.
pub fn single_points(kind: Kind, random: &mut Random) -> Query {
    let place = *random.pick(&[Place::Interior, Place::Vertex]);
    let contact = Contact { shape_bits: 3, motion_bits: 2, ..Contact::random(place, random) };
    let mut shape = contact.shape(kind, random);
    let mut velocities: [Vec3; 4] = std::array::from_fn(|_| integer_vector(3, random));
    let mut merge = |target: usize, source: usize| {
        shape[target] = shape[source];
        velocities[target] = velocities[source];
    };
    match kind {
        Kind::VertexFace => {
            merge(2, 1);
            merge(3, 1);
        }
        Kind::EdgeEdge if random.one_in(2) => merge(1, 0),
        Kind::EdgeEdge => {
            merge(1, 0);
            merge(3, 2);
        }
    }
    // Let the first primitive pass through a point of the second one, most of the time.
    if !random.one_in(4) {
        let target = if kind == Kind::VertexFace || random.one_in(2) {
            shape[3]
        } else {
            // The middle between two points of even distance.
            shape[3] = along(shape[2], integer_vector(4, random), 2.0);
            std::array::from_fn(|axis| (shape[2][axis] + shape[3][axis]) / 2.0)
        };
        shape[0] = target;
        if kind == Kind::EdgeEdge {
            shape[1] = target;
        }
    }
    contact.move_with(&shape, &velocities)
}

/// All four points on one line that may move: contact begins where ends meet.
pub fn one_line(_: Kind, random: &mut Random) -> Query {
    let fixed = random.one_in(2);
    let (origin, direction) = (integer_vector(4, random), integer_vector(3, random));
    let (other_origin, other_direction) =
        if fixed { (origin, direction) } else { (integer_vector(4, random), integer_vector(3, random)) };
    let mut on = |origin: Vec3, direction: Vec3| -> Points {
        std::array::from_fn(|_| along(origin, direction, random.integer(-6, 6) as f64))
    };
    let start = on(origin, direction);
    join(start, on(other_origin, other_direction))
}
