//! Handmade queries at the ends of the range of a double, each of which a plausible implementation gets wrong.

mod support;

use pccd::elementary::{Hit, Kind, Query, Settings};
use pccd::simd::Level;
use support::detector::Detector;

fn query(points: [[f64; 3]; 8]) -> Query {
    std::array::from_fn(|i| points[i / 3][i % 3])
}

fn decide(kind: Kind, query: Query, min_separation: f64) -> Option<Hit> {
    let settings = Settings { min_separation, ..Settings::default() };
    Detector::new().run(Level::Scalar, kind, &[query], &settings)[0]
}

/// Ends of two edges meet at t = 1/2, in coordinates of a few times the smallest double: interpolated, they are rounded by as much as
/// what keeps them apart.
#[test]
fn ends_that_meet_in_denormal_numbers() {
    let smallest = f64::from_bits(1);
    let at = |x: f64, y: f64, z: f64| [x, y * smallest, z * smallest];
    let (start, end) = (
        [at(0., 0., 0.), at(1., 2., 2.), at(1., 3., 1.), at(2., 8., 5.)],
        [at(0., 0., 0.), at(1., 3., 3.), at(1., 2., 4.), at(2., 8., 8.)],
    );
    let points = [start[0], start[1], start[2], start[3], end[0], end[1], end[2], end[3]];
    let hit = decide(Kind::EdgeEdge, query(points), 0.0).expect("they meet");
    assert!(hit.toi_lower <= 0.5 && 0.5 <= hit.toi_upper);
}

/// The face is so thin that the square of its normal underflows; the vertex comes within the separation above it.
#[test]
fn face_whose_normal_has_no_square() {
    let width = 1.1f64.sqrt() * 2f64.powi(-537);
    let face = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, width, 0.0]];
    let fall = |to: f64| {
        let vertex = |z: f64| [-0.25, width / 4.0, z];
        query([vertex(1.0), face[0], face[1], face[2], vertex(to), face[0], face[1], face[2]])
    };
    assert!(decide(Kind::VertexFace, fall(0.097), 0.1).is_some());
    assert_eq!(decide(Kind::VertexFace, fall(0.103), 0.1), None);
    let first = (1.0 - 0.01) / 1.0;
    let hit = decide(Kind::VertexFace, fall(0.0), 0.01).expect("within the separation");
    assert!(hit.toi_lower <= first && first <= hit.toi_upper + 1e-9);
}

/// Primitives that rest 500 units apart with a separation of one unit, in units from the smallest double to huge, also
/// where all points share a coordinate that is larger than all differences.
#[test]
fn resting_apart_in_any_unit() {
    let points = [[0., 0., 0.], [1000., -100., 0.], [-100., 1000., 0.], [1000., 1000., 3.]];
    for unit in [f64::from_bits(1), 1e-310, 1e-300, 1.0, 1e300] {
        for offset in [0.0, 1e300] {
            let resting: Query = std::array::from_fn(|i| {
                if i % 3 == 2 && offset != 0.0 { offset } else { points[i / 3 % 4][i % 3] * unit }
            });
            assert_eq!(decide(Kind::VertexFace, resting, unit), None, "unit {unit:e}, offset {offset:e}");
            let hit = decide(Kind::VertexFace, resting, 700.0 * unit);
            assert!(hit.is_some_and(|hit| hit.at_start), "unit {unit:e}, offset {offset:e}");
        }
    }
}
