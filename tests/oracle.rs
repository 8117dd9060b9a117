//! Is the oracle itself right? Cases worked out by hand, invariances, two independent ways to the same answer, and
//! all published answers. None of this uses the library's elementary tests.

mod support;

use pccd::elementary::{Kind, Query};
use std::cmp::Ordering;
use std::time::Instant;
use support::distance::squared_distance;
use support::dyadic::{Dyadic, split};
use support::generators::contact::{Contact, Place, hover};
use support::generators::{self, CATEGORIES};
use support::oracle::{Shortcuts, first_contact, is_at_start};
use support::polynomial::Polynomial;
use support::random::Random;
use support::report::{Failures, describe, setting};
use support::time::Time;
use support::transform::{Transform, random_chain};
use support::{ground_truth, separation};

const KINDS: [Kind; 2] = [Kind::VertexFace, Kind::EdgeEdge];

/// Seed of the generated queries; any will do.
const SEED: u64 = 2024;

fn query(start: [[f64; 3]; 4], end: [[f64; 3]; 4]) -> Query {
    std::array::from_fn(|index| [start, end][index / 12][index / 3 % 4][index % 3])
}

/// The first contact, found with and without shortcuts.
fn contact(kind: Kind, query: &Query) -> Option<Time> {
    let full = first_contact(kind, query, Shortcuts::Off);
    let short = first_contact(kind, query, Shortcuts::On);
    assert_eq!(full.is_some(), short.is_some(), "a shortcut is wrong\n{}", describe(kind, query));
    full
}

/// Asserts that the first contact is at `numerator / denominator` exactly.
fn assert_contact(kind: Kind, query: &Query, numerator: i64, denominator: i64) {
    let found = contact(kind, query).unwrap_or_else(|| panic!("no contact\n{}", describe(kind, query)));
    let expected = &Time::roots_of(&Polynomial::new(vec![(-numerator).into(), denominator.into()]))[0];
    assert_eq!(
        found.compare(expected),
        Ordering::Equal,
        "contact at {} instead of {numerator}/{denominator}\n{}",
        found.approximate(),
        describe(kind, query)
    );
}

fn assert_no_contact(kind: Kind, query: &Query) {
    let found = contact(kind, query);
    assert!(found.is_none(), "contact at {}\n{}", found.unwrap().approximate(), describe(kind, query));
}

const FACE: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

/// A vertex that moves while the face rests.
fn falling(from: [f64; 3], to: [f64; 3]) -> Query {
    let [a, b, c] = FACE;
    query([from, a, b, c], [to, a, b, c])
}

/// Edge b moves while edge a rests.
fn passing(a: [[f64; 3]; 2], from: [[f64; 3]; 2], to: [[f64; 3]; 2]) -> Query {
    query([a[0], a[1], from[0], from[1]], [a[0], a[1], to[0], to[1]])
}

#[test]
fn vertex_through_resting_face() {
    let kind = Kind::VertexFace;
    assert_contact(kind, &falling([1.0, 1.0, 1.0], [1.0, 1.0, -1.0]), 1, 2);
    assert_contact(kind, &falling([1.0, 1.0, 1.0], [1.0, 1.0, -2.0]), 1, 3);
    assert_contact(kind, &falling([1.0, 1.0, 0.0], [1.0, 1.0, -2.0]), 0, 1);
    assert_contact(kind, &falling([1.0, 1.0, 5.0], [1.0, 1.0, 0.0]), 1, 1);
    assert_no_contact(kind, &falling([1.0, 1.0, 5.0], [1.0, 1.0, 5e-324]));
    // On an edge, on a corner, and just beside them.
    assert_contact(kind, &falling([2.0, 2.0, 1.0], [2.0, 2.0, -1.0]), 1, 2);
    assert_contact(kind, &falling([4.0, 0.0, 1.0], [4.0, 0.0, -3.0]), 1, 4);
    assert_no_contact(kind, &falling([2.0, 2.0_f64.next_up(), 1.0], [2.0, 2.0, -1.0]));
    assert_no_contact(kind, &falling([2.0, -5e-324, 1.0], [2.0, -5e-324, -1.0]));
    assert_contact(kind, &falling([2.0, 5e-324, 1.0], [2.0, 5e-324, -1.0]), 1, 2);
}

#[test]
fn edge_through_resting_edge() {
    let kind = Kind::EdgeEdge;
    let a = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
    let b = |x: f64, z: f64| [[x, -1.0, z], [x, 1.0, z]];
    assert_contact(kind, &passing(a, b(0.0, 1.0), b(0.0, -2.0)), 1, 3);
    assert_contact(kind, &passing(a, b(1.0, 1.0), b(1.0, -1.0)), 1, 2);
    assert_no_contact(kind, &passing(a, b(1.0_f64.next_up(), 1.0), b(1.0_f64.next_up(), -1.0)));
    // Parallel edges that meet side by side, end to end, and not at all.
    let c = |x: f64, z: f64| [[x, 0.0, z], [x + 1.0, 0.0, z]];
    assert_contact(kind, &passing(a, c(0.0, 1.0), c(0.0, -1.0)), 1, 2);
    assert_contact(kind, &passing(a, c(1.0, 3.0), c(1.0, -1.0)), 3, 4);
    assert_no_contact(kind, &passing(a, c(1.5, 3.0), c(1.5, -1.0)));
    // On one line from the start, sliding together.
    assert_contact(kind, &passing(a, c(4.0, 0.0), c(-2.0, 0.0)), 1, 2);
    assert_no_contact(kind, &passing(a, c(4.0, 0.0), c(1.5, 0.0)));
}

#[test]
fn planar_motion() {
    let kind = Kind::VertexFace;
    // The vertex slides in the plane of the face and enters over an edge.
    assert_contact(kind, &falling([-1.0, 1.0, 0.0], [2.0, 1.0, 0.0]), 1, 3);
    assert_contact(kind, &falling([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]), 1, 2);
    assert_contact(kind, &falling([1.0, 1.0, 0.0], [9.0, 9.0, 0.0]), 0, 1);
    assert_contact(kind, &falling([4.0, 4.0, 0.0], [2.0, 2.0, 0.0]), 1, 1);
    assert_no_contact(kind, &falling([4.0, 4.0, 0.0], [2.0_f64.next_up(), 2.0, 0.0]));
    // Past a corner, through the corner itself only.
    assert_contact(kind, &falling([5.0, -1.0, 0.0], [3.0, 1.0, 0.0]), 1, 2);
    assert_no_contact(kind, &falling([5.0_f64.next_up(), -1.0, 0.0], [3.0_f64.next_up(), 1.0, 0.0]));
    // Edges in one plane: the end of one runs into the side of the other.
    let kind = Kind::EdgeEdge;
    let a = [[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]];
    let b = |x: f64| [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0]];
    assert_contact(kind, &passing(a, b(3.0), b(-6.0)), 1, 3);
    assert_contact(kind, &passing(a, b(-3.0), b(0.0)), 2, 3);
    assert_no_contact(kind, &passing(a, b(3.0), b(5e-324)));
}

#[test]
fn degenerate_primitives() {
    let kind = Kind::VertexFace;
    let p = [0.0, 0.0, 0.0];
    // A triangle that is a point, met or missed by the vertex.
    let point = |x: f64| query([[x, 1.0, 1.0], p, p, p], [[x, -1.0, -1.0], p, p, p]);
    assert_contact(kind, &point(0.0), 1, 2);
    assert_no_contact(kind, &point(5e-324));
    // A triangle that is a segment from -1 to 3 on the x axis.
    let line = [[-1.0, 0.0, 0.0], [3.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
    let segment = |x: f64| {
        query([[x, 0.0, 2.0], line[0], line[1], line[2]], [[x, 0.0, -1.0], line[0], line[1], line[2]])
    };
    assert_contact(kind, &segment(3.0), 2, 3);
    assert_no_contact(kind, &segment(3.0_f64.next_up()));
    // Edges without length.
    let kind = Kind::EdgeEdge;
    let a = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
    let dot = |x: f64, z: f64| [[x, 0.0, z]; 2];
    assert_contact(kind, &passing(a, dot(1.0, 1.0), dot(1.0, -3.0)), 1, 4);
    assert_no_contact(kind, &passing(a, dot(-1.5, 1.0), dot(-1.5, -3.0)));
    assert_contact(kind, &passing([p, p], dot(0.0, 1.0), dot(0.0, -1.0)), 1, 2);
    // Nothing moves.
    assert_contact(kind, &passing(a, dot(0.0, 0.0), dot(0.0, 0.0)), 0, 1);
    assert_no_contact(kind, &passing(a, dot(0.0, 1.0), dot(0.0, 1.0)));
}

#[test]
fn touch_and_retreat() {
    // The volume is -(t - 1/3)² · 9 · 16 by construction: the face tilts about the place the vertex slides over.
    let at =
        |s: f64, lift: f64| [[1.0 + s, 1.0, s + lift], [0.0, 0.0, 0.0], [4.0, 0.0, 4.0 * s], [0.0, 4.0, 0.0]];
    assert_contact(Kind::VertexFace, &query(at(-1.0, 0.0), at(2.0, 0.0)), 1, 3);
    let [below, above] = [-1e-9, 1e-9].map(|lift| query(at(-1.0, lift), at(2.0, lift)));
    assert_no_contact(Kind::VertexFace, &below);
    // Volume ∝ s² - 1e-9 when lifted the other way: first contact at s = -sqrt(1e-9).
    let first = contact(Kind::VertexFace, &above).expect("passes through twice").approximate();
    assert!((first - (1.0 - 1e-9_f64.sqrt()) / 3.0).abs() < 1e-12, "{first}");
}

#[test]
fn irrational_time_is_bracketed_exactly() {
    let start = [[0.25, 0.25, 1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let end = [[0.75, 0.25, 1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 2.0], [0.0, 1.0, 0.0]];
    // Height of the vertex over the face: 1 - 2 t (1/4 + t/2), zero at t = (sqrt(17) - 1) / 4.
    let mut time = contact(Kind::VertexFace, &query(start, end)).expect("contact");
    let expected = (17.0_f64.sqrt() - 1.0) / 4.0;
    assert_eq!(time.compare_f64(expected.next_up().next_up()), Ordering::Less);
    assert_eq!(time.compare_f64(expected.next_down().next_down()), Ordering::Greater);
    time.refine_to(500);
    let width = time.upper().subtract(&time.lower());
    assert!(width.compare(&Dyadic::new(1.into(), -500)).is_le());
    assert!((time.approximate() - expected).abs() < 1e-15);
}

#[test]
fn extreme_numbers() {
    let kind = Kind::VertexFace;
    for scale in [5e-324, 2f64.powi(-1000), 2f64.powi(1000), 2f64.powi(1021)] {
        let face = FACE.map(|point| point.map(|value| value * scale));
        let vertex = |height: f64| [scale, scale, height * scale];
        let [a, b, c] = face;
        assert_contact(kind, &query([vertex(1.0), a, b, c], [vertex(-3.0), a, b, c]), 1, 4);
    }
    // From 1e300 above to 5e-324 below: contact a little before the end, at no double but 1.
    let [a, b, c] = FACE;
    let found =
        contact(kind, &query([[1.0, 1.0, 1e300], a, b, c], [[1.0, 1.0, -5e-324], a, b, c])).expect("contact");
    assert_eq!(found.compare_f64(1.0), Ordering::Less);
    assert_eq!(found.compare_f64(1.0_f64.next_down()), Ordering::Greater);
    // The same backwards: after t = 0, before the smallest double.
    let found =
        contact(kind, &query([[1.0, 1.0, -5e-324], a, b, c], [[1.0, 1.0, 1e300], a, b, c])).expect("contact");
    assert!(!is_at_start(&found));
    assert_eq!(found.compare_f64(5e-324), Ordering::Less);
}

#[test]
fn doubles_are_taken_exactly() {
    let mut random = Random::new(SEED);
    for _ in 0..10_000 {
        let value = f64::from_bits(random.next_u64());
        if value.is_finite() {
            let (mantissa, exponent) = split(value);
            let half = exponent / 2;
            assert_eq!(mantissa as f64 * 2f64.powi(half) * 2f64.powi(exponent - half), value);
        }
    }
    assert_eq!(ground_truth::quotient("-3", "4"), Some(-0.75));
    assert_eq!(ground_truth::quotient("10", "5"), Some(2.0));
    assert_eq!(ground_truth::quotient("1", "3"), None);
    assert_eq!(ground_truth::quotient("9007199254740993", "1"), None);
    assert_eq!(ground_truth::quotient("1", &(1u128 << 100).to_string()), Some(2f64.powi(-100)));
}

/// A contact that was built is found, and none is found later than that.
#[test]
fn constructed_contacts_are_found() {
    let mut random = Random::new(SEED);
    for number in 0..4_000 {
        let kind = KINDS[number % 2];
        let place = [Place::Interior, Place::Edge, Place::Vertex][number % 3];
        let recipe = Contact::random(place, &mut random);
        let query = recipe.make(kind, &mut random);
        let found = contact(kind, &query).unwrap_or_else(|| panic!("{recipe:?}\n{}", describe(kind, &query)));
        let (numerator, denominator) = recipe.time;
        let built = &Time::roots_of(&Polynomial::new(vec![(-numerator).into(), denominator.into()]))[0];
        assert!(found.compare(built).is_le(), "{recipe:?}\n{}", describe(kind, &query));
    }
}

/// Shortcuts change nothing, transforms change nothing, and time reversed the answer stays.
#[test]
fn answers_are_invariant() {
    let mut failures = Failures::default();
    let mut random = Random::new(SEED);
    for number in 0..setting("PCCD_ORACLE_QUERIES", 6_000) {
        let kind = KINDS[number as usize % 2];
        let (category, query) = generators::query(kind, SEED, number / 2);
        let before = contact(kind, &query);
        let (chain, changed) = random_chain(kind, &query, &mut random);
        let after = contact(kind, &changed);
        let problem = match (&before, &after) {
            (None, None) => continue,
            (Some(_), None) | (None, Some(_)) => "the decision changes",
            (Some(first), Some(second)) => {
                if chain.iter().filter(|change| !change.keeps_time()).count() % 2 == 0
                    && first.compare(second).is_ne()
                {
                    "the time changes"
                } else {
                    continue;
                }
            }
        };
        failures.add(category.name, kind, &query, &format!("{problem} under {chain:?}"));
    }
    failures.finish("invariance of the oracle");
}

/// Another way to the same answer: the exact distance is zero at a contact time that a double can express, and
/// isn't at any time tried before it, or at all where no contact was found.
#[test]
fn contact_is_distance_zero() {
    let mut failures = Failures::default();
    for number in 0..setting("PCCD_ORACLE_QUERIES", 6_000) {
        let kind = KINDS[number as usize % 2];
        let (category, query) = generators::query(kind, SEED + 1, number / 2);
        let found = contact(kind, &query);
        let mut times = separation::close_times(kind, &query, 1.0);
        times.extend((0..=16).map(|step| f64::from(step) / 16.0));
        for time in times {
            let touches = squared_distance(kind, &query, time).is_zero();
            let order = found.as_ref().map_or(Ordering::Greater, |found| found.compare_f64(time));
            if touches && order.is_gt() {
                failures.add(category.name, kind, &query, &format!("contact at {time} was not found"));
            }
            if !touches && order.is_eq() {
                failures.add(
                    category.name,
                    kind,
                    &query,
                    &format!("distance at contact time {time} is not 0"),
                );
            }
        }
    }
    failures.finish("oracle against distance");
}

/// The heights of hovering primitives are their exact distances.
#[test]
fn distance_of_hovering_primitives_is_known() {
    let mut random = Random::new(SEED);
    for number in 0..2_000 {
        let kind = KINDS[number % 2];
        let (query, height) = hover(kind, &mut random);
        let exact = Dyadic::from_f64(height);
        let distances = [0.0, 1.0].map(|time| squared_distance(kind, &query, time).compare_distance(&exact));
        assert!(distances.iter().all(|order| order.is_ge()), "{}", describe(kind, &query));
        assert!(distances.iter().any(|order| order.is_eq()), "{}", describe(kind, &query));
    }
}

/// Reversing, mirroring and reordering twice leads back.
#[test]
fn transforms_are_exact() {
    let query: Query = std::array::from_fn(|index| index as f64 + 0.1);
    for transform in
        [Transform::ReverseTime, Transform::MirrorAxis(1), Transform::ReorderPoints([2, 3, 0, 1])]
    {
        let twice = transform.apply(&query).and_then(|once| transform.apply(&once));
        assert_eq!(twice, Some(query));
    }
    assert_eq!(Transform::Scale(60).apply(&[1e300; 24]), None);
}

/// Each category yields what it is meant to stress: both answers occur over all, and the table tells how often.
#[test]
fn categories_hit_and_miss() {
    const EACH: u64 = 400;
    println!("{:<24} {:>12} {:>8} {:>12} {:>8}", "category", "vf hits %", "vf us", "ee hits %", "ee us");
    for (index, category) in CATEGORIES.iter().enumerate() {
        let mut line = format!("{:<24}", category.name);
        for kind in KINDS {
            let mut hits = 0;
            let start = Instant::now();
            for number in 0..EACH {
                let mut random = Random::stream(SEED, index as u64 * EACH + number);
                let query = (category.make)(kind, &mut random);
                hits += u64::from(first_contact(kind, &query, Shortcuts::On).is_some());
            }
            let micros = start.elapsed().as_micros() as f64 / EACH as f64;
            line += &format!(" {:>12.1} {micros:>8.1}", 100.0 * hits as f64 / EACH as f64);
            let must_hit = category.name.starts_with("contact-") && category.name != "contact-rounded";
            assert!(!must_hit || hits == EACH, "{} {kind:?}: {hits} of {EACH} hit", category.name);
        }
        println!("{line}");
    }
}

/// Agreement with every published answer.
#[test]
fn agrees_with_ground_truth() {
    let Some(files) = ground_truth::load_all() else { return };
    let mut failures = Failures::default();
    println!("{:<56} {:>8} {:>8} {:>8} {:>10}", "file", "queries", "hits", "wrong", "us/query");
    for file in &files {
        let (mut hits, before) = (0, failures.count());
        let start = Instant::now();
        for (query, &collides) in file.queries.iter().zip(&file.collides) {
            let found = first_contact(file.kind, query, Shortcuts::On).is_some();
            hits += usize::from(found);
            if found != collides {
                failures.add(&file.name, file.kind, query, &format!("found {found}, published {collides}"));
            }
        }
        let micros = start.elapsed().as_micros() as f64 / file.queries.len() as f64;
        let wrong = failures.count() - before;
        println!("{:<56} {:>8} {hits:>8} {wrong:>8} {micros:>10.2}", file.name, file.queries.len());
    }
    failures.finish("oracle against ground truth");
}
