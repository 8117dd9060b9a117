//! Motion built through a contact that is exact: everything is an integer, so nothing is rounded. The contact need not
//! be the first one.

use super::{Points, integer_vector, join, scaled};
use crate::support::random::Random;
use crate::support::vector::{Vec3, along};
use pccd::elementary::{Kind, Query};

/// Where on the primitives the contact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Interior,
    /// On an edge of the face; at an end of one edge.
    Edge,
    /// On a corner of the face; at ends of both edges.
    Vertex,
}

/// The recipe of an exact contact.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    pub place: Place,
    /// The contact is at `time.0 / time.1`.
    pub time: (i64, i64),
    /// Integers up to `2^bits` make shapes and velocities.
    pub shape_bits: u32,
    pub motion_bits: u32,
}

/// Denominators of times and weights; those that aren't powers of two give contacts no double can express.
const DENOMINATORS: [i64; 7] = [2, 3, 5, 7, 8, 10, 16];

impl Contact {
    pub fn random(place: Place, random: &mut Random) -> Contact {
        let denominator = *random.pick(&DENOMINATORS);
        Contact {
            place,
            time: (random.integer(0, denominator), denominator),
            shape_bits: *random.pick(&[2, 4, 10, 20, 40]),
            motion_bits: *random.pick(&[1, 4, 10, 20, 40]),
        }
    }

    /// The four points at the moment of contact.
    pub fn shape(&self, kind: Kind, random: &mut Random) -> Points {
        let range = 1 << self.shape_bits;
        let meeting = integer_vector(range, random);
        let parts = *random.pick(&DENOMINATORS);
        match kind {
            Kind::VertexFace => {
                // Corners differ from a common point by multiples of `parts`, so that weights in units of
                // 1 / parts lead to integers.
                let weights = face_weights(self.place, parts, random);
                let spokes: [Vec3; 3] = std::array::from_fn(|_| integer_vector(range, random));
                let vertex =
                    (0..3).fold(meeting, |sum, corner| along(sum, spokes[corner], weights[corner] as f64));
                let corner = |index: usize| along(meeting, spokes[index], parts as f64);
                [vertex, corner(0), corner(1), corner(2)]
            }
            Kind::EdgeEdge => {
                let weights = edge_weights(self.place, parts, random);
                let directions = [integer_vector(range, random), integer_vector(range, random)];
                let end =
                    |edge: usize, last: i64| along(meeting, directions[edge], (last - weights[edge]) as f64);
                [end(0, 0), end(0, parts), end(1, 0), end(1, parts)]
            }
        }
    }

    /// Sends four points, each with a velocity of its own, through the given places at the time of contact.
    pub fn motion_through(&self, shape: &Points, random: &mut Random) -> Query {
        let velocities: [Vec3; 4] = std::array::from_fn(|_| integer_vector(1 << self.motion_bits, random));
        self.move_with(shape, &velocities)
    }

    pub fn move_with(&self, shape: &Points, velocities: &[Vec3; 4]) -> Query {
        let at =
            |steps: i64| std::array::from_fn(|point| along(shape[point], velocities[point], steps as f64));
        join(at(-self.time.0), at(self.time.1 - self.time.0))
    }

    pub fn make(&self, kind: Kind, random: &mut Random) -> Query {
        let shape = self.shape(kind, random);
        let query = self.motion_through(&shape, random);
        scaled(&query, random.integer(-30, 30) as i32)
    }
}

/// Three weights in units of `1 / parts`.
fn face_weights(place: Place, parts: i64, random: &mut Random) -> [i64; 3] {
    let mut weights = match place {
        Place::Interior => {
            let first = random.integer(0, parts);
            let second = random.integer(0, parts - first);
            [first, second, parts - first - second]
        }
        Place::Edge => {
            let first = random.integer(0, parts);
            [first, parts - first, 0]
        }
        Place::Vertex => [parts, 0, 0],
    };
    random.shuffle(&mut weights);
    weights
}

/// Place of the contact on each edge, in units of `1 / parts`.
fn edge_weights(place: Place, parts: i64, random: &mut Random) -> [i64; 2] {
    let end = *random.pick(&[0, parts]);
    let mut weights = match place {
        Place::Interior => [random.integer(0, parts), random.integer(0, parts)],
        Place::Edge => [end, random.integer(0, parts)],
        Place::Vertex => [end, *random.pick(&[0, parts])],
    };
    random.shuffle(&mut weights);
    weights
}

fn any_place(random: &mut Random) -> Place {
    *random.pick(&[Place::Interior, Place::Interior, Place::Edge, Place::Vertex])
}

pub fn interior(kind: Kind, random: &mut Random) -> Query {
    Contact::random(Place::Interior, random).make(kind, random)
}

pub fn on_edge(kind: Kind, random: &mut Random) -> Query {
    Contact::random(Place::Edge, random).make(kind, random)
}

pub fn on_vertex(kind: Kind, random: &mut Random) -> Query {
    Contact::random(Place::Vertex, random).make(kind, random)
}

pub fn at_start(kind: Kind, random: &mut Random) -> Query {
    Contact { time: (0, 1), ..Contact::random(any_place(random), random) }.make(kind, random)
}

pub fn at_end(kind: Kind, random: &mut Random) -> Query {
    Contact { time: (1, 1), ..Contact::random(any_place(random), random) }.make(kind, random)
}

pub fn in_single_precision(kind: Kind, random: &mut Random) -> Query {
    // 10 + 10 + 4 bits for sums of shape and motion: 24, what an f32 holds.
    let contact = Contact { shape_bits: 10, motion_bits: 10, ..Contact::random(any_place(random), random) };
    let query = contact.make(kind, random);
    query.map(|value| f64::from(value as f32))
}

/// The contact happens after a tiny part of the motion, or before a tiny last part.
pub fn with_far_mover(kind: Kind, random: &mut Random) -> Query {
    let parts = 1i64 << random.integer(10, 30);
    let early = random.integer(1, 4);
    let time = if random.one_in(2) { (early, parts) } else { (parts - early, parts) };
    let contact =
        Contact { time, shape_bits: 8, motion_bits: 4, ..Contact::random(any_place(random), random) };
    let shape = contact.shape(kind, random);
    let mut velocities: [Vec3; 4] = [[0.0; 3]; 4];
    for _ in 0..random.integer(1, 2) {
        velocities[random.below(4)] = integer_vector(16, random);
    }
    contact.move_with(&shape, &velocities)
}

/// A contact in numbers with all 53 bits, so that it holds up to rounding only.
pub fn rounded(kind: Kind, random: &mut Random) -> Query {
    let contact = Contact::random(any_place(random), random);
    let shape = Contact { shape_bits: 4, ..contact }.shape(kind, random);
    // A random rotation-like map and a random time turn all integers into full mantissas.
    let map: [Vec3; 3] = std::array::from_fn(|_| std::array::from_fn(|_| random.between(-1.0, 1.0)));
    let shape: Points = shape.map(|point| {
        let sum = (0..3).fold([0.0; 3], |sum, axis| along(sum, map[axis], point[axis]));
        along(sum, map[0], 0.125)
    });
    let time = random.unit();
    let velocities: [Vec3; 4] = std::array::from_fn(|_| std::array::from_fn(|_| random.between(-4.0, 4.0)));
    let at = |factor: f64| std::array::from_fn(|point| along(shape[point], velocities[point], factor));
    join(at(-time), at(1.0 - time))
}

/// An exact contact with one to three coordinates moved by one unit in the last place.
pub fn near_miss(kind: Kind, random: &mut Random) -> Query {
    let contact = Contact::random(any_place(random), random);
    let query = contact.make(kind, random);
    moved_by_ulps(query, random)
}

/// As before, but at the boundary of a primitive and with coarse numbers, where an ulp decides the inside test.
pub fn near_miss_boundary(kind: Kind, random: &mut Random) -> Query {
    let place = *random.pick(&[Place::Edge, Place::Vertex]);
    let contact = Contact { shape_bits: 4, motion_bits: 4, ..Contact::random(place, random) };
    let query = contact.make(kind, random);
    moved_by_ulps(query, random)
}

/// Near misses far from the origin: one ulp is coarse there.
pub fn near_miss_offset(kind: Kind, random: &mut Random) -> Query {
    let contact = Contact { shape_bits: 4, motion_bits: 4, ..Contact::random(any_place(random), random) };
    let shape = contact.shape(kind, random);
    let query = contact.motion_through(&shape, random);
    let offset: Vec3 = integer_vector(1 << 40, random);
    let query = std::array::from_fn(|index| query[index] + offset[index % 3]);
    moved_by_ulps(query, random)
}

fn moved_by_ulps(mut query: Query, random: &mut Random) -> Query {
    let magnitude = query.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    for _ in 0..random.integer(1, 3) {
        let entry = &mut query[random.below(24)];
        *entry = if *entry == 0.0 && !random.one_in(8) {
            // The neighbours of zero are denormal numbers: most of the time take one of the size of the others.
            random.sign() * magnitude * f64::EPSILON
        } else if random.one_in(2) {
            entry.next_up()
        } else {
            entry.next_down()
        };
    }
    query
}

/// A motion whose least distance is known exactly: the first primitive moves straight above the second one, which rests
/// in a plane, and is at `height` at the end, at the start, or always. Returns the query and that height.
pub fn hover(kind: Kind, random: &mut Random) -> (Query, f64) {
    let contact = Contact { shape_bits: 6, ..Contact::random(Place::Interior, random) };
    let mut shape = contact.shape(kind, random);
    let height = random.integer(1, 64) as f64;
    let fall = random.integer(0, 256) as f64;
    let first_count = if kind == Kind::VertexFace { 1 } else { 2 };
    let mut at_height = |height: f64| -> Points {
        shape.iter_mut().take(first_count).for_each(|point| point[2] = height);
        shape.iter_mut().skip(first_count).for_each(|point| point[2] = 0.0);
        shape
    };
    let (far, near) = (at_height(height + fall), at_height(height));
    let query = if random.one_in(3) { join(near, far) } else { join(far, near) };
    (super::with_random_axes(&query, random), height)
}
