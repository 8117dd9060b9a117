//! Can the checks fail? Each is shown a right answer, which it must accept, and wrong ones, which it must refuse: a test
//! that accepts everything proves nothing.

mod support;

use pccd::elementary::{Hit, Kind, Query, Settings};
use support::check::check;
use support::detector::{Detector, supported_levels};
use support::oracle::{Shortcuts, first_contact};
use support::separation;

/// A vertex falls from height 1 to -1 (contact at t = 1/2), or to another height, onto a face in the plane z = 0.
fn falling(from: f64, to: f64) -> Query {
    let mut query = [0.0; 24];
    for (end, height) in [(0, from), (12, to)] {
        query[end..end + 3].copy_from_slice(&[1.0, 1.0, height]);
        query[end + 6] = 4.0;
        query[end + 10] = 4.0;
    }
    query
}

const RIGHT: Hit = Hit {
    at_start: false,
    toi_lower: 0.5,
    toi_upper: 0.5,
    weights: [1.0, 0.5, 0.25, 0.25],
    normal: [0.0, 0.0, 1.0],
};

fn verdict(hit: Option<Hit>) -> Result<(), String> {
    let (kind, query) = (Kind::VertexFace, falling(1.0, -1.0));
    let exact = first_contact(kind, &query, Shortcuts::Off);
    check(kind, &query, &Settings::default(), hit.as_ref(), exact.as_ref())
}

#[test]
fn exact_check_refuses_wrong_answers() {
    assert_eq!(verdict(Some(RIGHT)), Ok(()));
    assert!(verdict(None).unwrap_err().contains("FALSE NEGATIVE"));
    let wrong = [
        ("late", Hit { toi_lower: 0.5_f64.next_up(), toi_upper: 0.5_f64.next_up(), ..RIGHT }),
        ("early", Hit { toi_lower: 0.4999999, toi_upper: 0.5_f64.next_down(), ..RIGHT }),
        ("wide", Hit { toi_lower: 0.499, ..RIGHT }),
        ("reversed", Hit { toi_lower: 0.5, toi_upper: 0.4999999, ..RIGHT }),
        ("not a number", Hit { toi_upper: f64::NAN, ..RIGHT }),
        ("marked as start", Hit { at_start: true, ..RIGHT }),
        ("weight above 1", Hit { weights: [1.0, 1.5, -0.25, -0.25], ..RIGHT }),
        ("weight not a number", Hit { weights: [1.0, f64::NAN, 0.5, 0.5], ..RIGHT }),
        ("weights do not sum to 1", Hit { weights: [1.0, 0.5, 0.25, 0.2], ..RIGHT }),
        ("another place", Hit { weights: [1.0, 0.25, 0.25, 0.5], ..RIGHT }),
        ("long normal", Hit { normal: [0.0, 0.0, 1.1], ..RIGHT }),
        ("no normal", Hit { normal: [f64::NAN; 3], ..RIGHT }),
        ("leaning normal", Hit { normal: [0.6, 0.0, 0.8], ..RIGHT }),
    ];
    for (name, hit) in wrong {
        assert!(verdict(Some(hit)).is_err(), "accepted: {name}");
    }
    let (kind, query) = (Kind::VertexFace, falling(1.0, 0.5));
    let exact = first_contact(kind, &query, Shortcuts::Off);
    let false_hit = check(kind, &query, &Settings::default(), Some(&RIGHT), exact.as_ref());
    assert!(false_hit.unwrap_err().contains("FALSE POSITIVE"));
}

#[test]
fn separation_check_refuses_wrong_answers() {
    let kind = Kind::VertexFace;
    let judge = |query: &Query, min_separation: f64, hit: Option<Hit>| {
        separation::check(kind, query, &Settings { min_separation, ..Settings::default() }, hit.as_ref())
    };
    // From height 2 to 1, and a separation of 1.5 that is reached half way.
    let query = falling(2.0, 1.0);
    assert_eq!(judge(&query, 1.5, Some(RIGHT)), Ok(()));
    assert!(judge(&query, 1.5, None).unwrap_err().starts_with("missed"));
    let late = Hit { toi_lower: 0.5000001, toi_upper: 0.5000001, ..RIGHT };
    assert!(judge(&query, 1.5, Some(late)).unwrap_err().starts_with("late"));
    let early = Hit { toi_lower: 0.4999, toi_upper: 0.4999, ..RIGHT };
    assert!(judge(&query, 1.5, Some(early)).unwrap_err().starts_with("false hit"));
    // Just met at the end; just not met.
    let at_end = Hit { toi_lower: 1.0, toi_upper: 1.0, ..RIGHT };
    assert_eq!(judge(&query, 1.0, Some(at_end)), Ok(()));
    assert!(judge(&query, 1.0, None).unwrap_err().starts_with("missed"));
    assert_eq!(judge(&query, 1.0_f64.next_down(), None), Ok(()));
    assert!(judge(&query, 0.9, Some(at_end)).unwrap_err().starts_with("false hit"));
    // Too close from the start.
    let at_start = Hit { at_start: true, toi_lower: 0.0, toi_upper: 0.0, ..RIGHT };
    assert_eq!(judge(&query, 2.0, Some(at_start)), Ok(()));
    assert!(judge(&query, 2.0, Some(Hit { at_start: false, ..at_start })).is_err());
    assert!(judge(&query, 1.5, Some(Hit { at_start: true, ..RIGHT })).is_err());
}

/// The normal points from the second primitive to the first, whichever side that is on and however the face is
/// oriented.
#[test]
fn library_normals_point_to_the_first_primitive() {
    let edges = |from: f64, to: f64| {
        let mut query = [0.0; 24];
        for (end, height) in [(0, from), (12, to)] {
            let points = [[-1.0, 0.0, height], [1.0, 0.0, height], [0.0, -1.0, 0.0], [0.0, 1.0, 0.0]];
            query[end..end + 12].copy_from_slice(points.as_flattened());
        }
        query
    };
    let mirrored = |mut query: Query| {
        for point in [6, 18] {
            query[point..point + 6].rotate_left(3);
        }
        query
    };
    let mut detector = Detector::new();
    for level in supported_levels() {
        for (from, to) in [(1.0, -1.0), (-1.0, 1.0), (3.0, -1.0), (-0.5, 2.0), (1.0, 0.0)] {
            for (kind, query) in [
                (Kind::VertexFace, falling(from, to)),
                (Kind::VertexFace, mirrored(falling(from, to))),
                (Kind::EdgeEdge, edges(from, to)),
                (Kind::EdgeEdge, mirrored(edges(from, to))),
            ] {
                let answer = detector.run(level, kind, &[query], &Settings::default())[0];
                let normal = answer.expect("they touch").normal;
                let aligned = normal[2] * from.signum();
                assert!(aligned > 0.999999, "{level:?} {kind:?} from {from}: normal {normal:?}");
            }
        }
    }
}
