//! Motion in which the four points always lie in a common plane, so that the volume they span is identically zero.

use super::contact::{Contact, Place};
use super::{Points, integer_vector, join, scaled, with_random_axes};
use crate::support::random::Random;
use crate::support::vector::{Vec3, along};
use pccd::elementary::{Kind, Query};

/// All points in a coordinate plane.
pub fn axis_plane(_: Kind, random: &mut Random) -> Query {
    let is_coarse = random.one_in(2);
    let height = if random.one_in(2) { 0.0 } else { random.integer(-3, 3) as f64 };
    let query: Query = std::array::from_fn(|index| match index % 3 {
        2 => height,
        _ if is_coarse => random.integer(-4, 4) as f64,
        _ => random.between(-1.0, 1.0),
    });
    with_random_axes(&query, random)
}

/// Points `origin + i · first + j · second`.
fn in_plane(origin: Vec3, first: Vec3, second: Vec3, range: i64, random: &mut Random) -> Points {
    std::array::from_fn(|_| {
        let place = along(origin, first, random.integer(-range, range) as f64);
        along(place, second, random.integer(-range, range) as f64)
    })
}

/// All points in a plane that has no axis in it.
pub fn oblique_plane(_: Kind, random: &mut Random) -> Query {
    let range = *random.pick(&[2, 4, 100, 1 << 20]);
    let (origin, first, second) =
        (integer_vector(range, random), integer_vector(20, random), integer_vector(20, random));
    let start = in_plane(origin, first, second, range, random);
    let end = in_plane(origin, first, second, range, random);
    scaled(&join(start, end), random.integer(-40, 40) as i32)
}

/// The plane itself is carried along.
pub fn moving_plane(_: Kind, random: &mut Random) -> Query {
    let range = *random.pick(&[2, 4, 100]);
    let (first, second) = (integer_vector(9, random), integer_vector(9, random));
    let (from, to) = (integer_vector(range, random), integer_vector(range, random));
    let start = in_plane(from, first, second, range, random);
    let end = in_plane(to, first, second, range, random);
    join(start, end)
}

/// A contact in a plane at a known time, on a boundary (where planar contacts begin).
pub fn contact(kind: Kind, random: &mut Random) -> Query {
    let place = *random.pick(&[Place::Edge, Place::Vertex]);
    let contact = Contact { shape_bits: 4, motion_bits: 4, ..Contact::random(place, random) };
    let mut shape = contact.shape(kind, random);
    let mut velocities: [Vec3; 4] = std::array::from_fn(|_| integer_vector(8, random));
    for vector in shape.iter_mut().chain(&mut velocities) {
        vector[2] = 0.0;
    }
    let query = contact.move_with(&shape, &velocities);
    // Tilt the plane by an integer map: z becomes a combination of x and y.
    let (slope, other) = (random.integer(-3, 3) as f64, random.integer(-3, 3) as f64);
    let tilted = std::array::from_fn(|index| match index % 3 {
        2 => query[index - 2] * slope + query[index - 1] * other,
        _ => query[index],
    });
    with_random_axes(&tilted, random)
}

/// Constant coordinates in a frame that turns and shears: contact always, never, or only while the frame is flat.
pub fn affine_motion(_: Kind, random: &mut Random) -> Query {
    let places: [[i64; 2]; 4] = std::array::from_fn(|_| [random.integer(-2, 2), random.integer(-2, 2)]);
    let mut at_one_end = || -> Points {
        let frame: [Vec3; 3] = std::array::from_fn(|_| integer_vector(3, random));
        places.map(|[first, second]| along(along(frame[0], frame[1], first as f64), frame[2], second as f64))
    };
    let start = at_one_end();
    join(start, at_one_end())
}

/// Planar up to one unit in the last place of one coordinate.
pub fn nearly(kind: Kind, random: &mut Random) -> Query {
    let mut query = if random.one_in(2) { oblique_plane(kind, random) } else { contact(kind, random) };
    let entry = random.below(24);
    query[entry] = if query[entry] == 0.0 {
        random.sign() * f64::EPSILON
    } else {
        f64::from_bits(query[entry].to_bits() + 1)
    };
    query
}
