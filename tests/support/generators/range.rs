//! Numbers at the ends of the range of a double.

use super::contact::{Contact, Place};
use super::scaled;
use crate::support::random::Random;
use pccd::elementary::{Kind, Query};

fn small_contact(kind: Kind, random: &mut Random) -> Query {
    let place = *random.pick(&[Place::Interior, Place::Edge, Place::Vertex]);
    let contact = Contact { shape_bits: 8, motion_bits: 6, ..Contact::random(place, random) };
    let shape = contact.shape(kind, random);
    contact.motion_through(&shape, random)
}

/// Contacts stay contacts when every axis has a scale of its own.
pub fn axis_scales(kind: Kind, random: &mut Random) -> Query {
    let query = small_contact(kind, random);
    let exponents: [i32; 3] = std::array::from_fn(|_| random.integer(-1000, 1000) as i32);
    let mut query: Query = std::array::from_fn(|index| query[index] * 2f64.powi(exponents[index % 3]));
    if random.one_in(2) {
        let entry = random.below(24);
        query[entry] = query[entry].next_up();
    }
    query
}

/// Few values of all magnitudes, so that coincidences happen.
pub fn mixed_magnitudes(_: Kind, random: &mut Random) -> Query {
    const EXTREME: [f64; 9] = [0.0, 0.0, 1.0, 1e-300, 1e300, 5e-324, 2.2250738585072014e-308, 1.7e308, 1e-20];
    const MODERATE: [f64; 9] = [0.0, 0.0, 1.0, 1e-30, 1e30, 3.0, 1e-10, 1e16, 1e-20];
    // Integers of thousands of bits make the oracle slow: mostly keep to a part of the range.
    let values = if random.one_in(8) { &EXTREME } else { &MODERATE };
    std::array::from_fn(|_| random.sign() * random.pick(values))
}

/// Every coordinate with an exponent of its own.
pub fn wide_range(_: Kind, random: &mut Random) -> Query {
    let reach = *random.pick(&[20, 100, 1000]);
    std::array::from_fn(|_| random.between(-1.0, 1.0) * 2f64.powi(random.integer(-reach, reach) as i32))
}

/// Contacts in denormal numbers, or across the border to normal ones.
pub fn denormal(kind: Kind, random: &mut Random) -> Query {
    let query = small_contact(kind, random);
    let smallest = f64::from_bits(1);
    let factor = 2f64.powi(random.integer(0, 45) as i32);
    let mut query = query.map(|value| value * factor * smallest);
    if random.one_in(2) {
        let entry = random.below(24);
        query[entry] = query[entry].next_up();
    }
    query
}

/// Contacts whose coordinates are as large as a double can be: every difference may overflow.
pub fn near_overflow(kind: Kind, random: &mut Random) -> Query {
    let query = small_contact(kind, random);
    let largest = query.iter().fold(1.0_f64, |largest, value| largest.max(value.abs()));
    // In two steps, as the factor itself may be out of range.
    let exponent = 1023 - largest.log2().floor() as i32;
    let mut query = scaled(&scaled(&query, exponent / 2), exponent - exponent / 2);
    if random.one_in(2) {
        let entry = random.below(24);
        query[entry] = query[entry].next_down().max(-f64::MAX);
    }
    query
}

/// One axis in small multiples of the smallest double, the others large: what underflow does to one factor of a product, the
/// others make visible.
pub fn one_denormal_axis(_: Kind, random: &mut Random) -> Query {
    let (flat, exponent) = (random.below(3), random.integer(0, 290) as i32);
    std::array::from_fn(|index| {
        let unit = if index % 3 == flat { f64::from_bits(1) } else { 2f64.powi(exponent) };
        random.integer(-6, 6) as f64 * unit
    })
}
