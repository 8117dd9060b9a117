//! Queries made on purpose: each category aims at one way in which an elementary test can go wrong.

pub mod contact;
mod degenerate;
mod planar;
mod range;
mod roots;
mod unstructured;

use super::random::Random;
use super::vector::Vec3;
use pccd::elementary::{Kind, Query};

/// A named way to make queries, of both kinds.
pub struct Category {
    pub name: &'static str,
    /// How many of a hundred-odd queries are of this category.
    pub share: usize,
    pub make: fn(Kind, &mut Random) -> Query,
}

const fn category(name: &'static str, share: usize, make: fn(Kind, &mut Random) -> Query) -> Category {
    Category { name, share, make }
}

pub const CATEGORIES: &[Category] = &[
    category("generic", 4, unstructured::generic),
    category("slow", 3, unstructured::slow),
    category("fast", 3, unstructured::fast),
    category("f32", 4, unstructured::single_precision),
    category("offset-1e6", 2, unstructured::offset_million),
    category("offset-1e9", 2, unstructured::offset_billion),
    category("one-far-mover", 2, unstructured::one_far_mover),
    category("contact-interior", 4, contact::interior),
    category("contact-on-edge", 4, contact::on_edge),
    category("contact-on-vertex", 4, contact::on_vertex),
    category("contact-at-start", 3, contact::at_start),
    category("contact-at-end", 3, contact::at_end),
    category("contact-f32", 3, contact::in_single_precision),
    category("contact-far-mover", 3, contact::with_far_mover),
    category("contact-rounded", 5, contact::rounded),
    category("near-miss-one-ulp", 6, contact::near_miss),
    category("near-miss-boundary", 6, contact::near_miss_boundary),
    category("near-miss-offset", 3, contact::near_miss_offset),
    category("grid-2", 5, degenerate::grid_two),
    category("grid-1", 5, degenerate::grid_one),
    category("grid-one-mover", 3, degenerate::grid_one_mover),
    category("no-motion", 2, degenerate::no_motion),
    category("translation", 3, degenerate::translation),
    category("shared-vertex", 3, degenerate::shared_vertex),
    category("flat-always", 4, degenerate::flat_always),
    category("flat-at-contact", 3, degenerate::flat_at_contact),
    category("single-points", 3, degenerate::single_points),
    category("one-line", 3, degenerate::one_line),
    category("planar-axis", 4, planar::axis_plane),
    category("planar-oblique", 4, planar::oblique_plane),
    category("planar-moving", 3, planar::moving_plane),
    category("planar-contact", 3, planar::contact),
    category("affine-motion", 2, planar::affine_motion),
    category("nearly-planar", 3, planar::nearly),
    category("double-root", 4, roots::double),
    category("double-root-perturbed", 4, roots::double_perturbed),
    category("three-roots", 4, roots::three),
    category("rotating", 3, roots::rotating),
    category("axis-scales", 2, range::axis_scales),
    category("mixed-magnitudes", 1, range::mixed_magnitudes),
    category("wide-range", 1, range::wide_range),
    category("denormal", 2, range::denormal),
    category("near-overflow", 2, range::near_overflow),
    category("one-denormal-axis", 1, range::one_denormal_axis),
];

/// The category of the query with this number: every category appears in every long enough run of numbers.
pub fn category_of(number: u64) -> &'static Category {
    let total: usize = CATEGORIES.iter().map(|category| category.share).sum();
    let mut place = (number % total as u64) as usize;
    for category in CATEGORIES {
        if place < category.share {
            return category;
        }
        place -= category.share;
    }
    unreachable!("the place is below the sum of all shares")
}

/// The query with this number, which depends on nothing else but seed and kind.
pub fn query(kind: Kind, seed: u64, number: u64) -> (&'static Category, Query) {
    let category = category_of(number);
    let kind_bit = u64::from(kind == Kind::EdgeEdge);
    let mut random = Random::stream(seed, 2 * number + kind_bit);
    let query = (category.make)(kind, &mut random);
    assert!(
        query.iter().all(|value| value.is_finite()),
        "{}: made a number that isn't finite",
        category.name
    );
    (category, query)
}

type Points = [Vec3; 4];

fn join(start: Points, end: Points) -> Query {
    std::array::from_fn(
        |index| if index < 12 { start[index / 3][index % 3] } else { end[index / 3 - 4][index % 3] },
    )
}

/// A vector of integers in `-range..=range`.
fn integer_vector(range: i64, random: &mut Random) -> Vec3 {
    std::array::from_fn(|_| random.integer(-range, range) as f64)
}

/// All coordinates times a power of two.
fn scaled(query: &Query, exponent: i32) -> Query {
    query.map(|value| value * 2f64.powi(exponent))
}

/// The same motion with axes in another order, so that no axis is special.
fn with_random_axes(query: &Query, random: &mut Random) -> Query {
    let mut order = [0, 1, 2];
    random.shuffle(&mut order);
    std::array::from_fn(|index| query[index / 3 * 3 + order[index % 3]])
}
