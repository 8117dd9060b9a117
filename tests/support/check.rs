//! What an answer of the library must satisfy, given the exact first contact.

use super::oracle::is_at_start;
use super::time::Time;
use super::vector::{cross, dot, norm, subtract};
use pccd::elementary::{Hit, Kind, Query, Settings};

/// Weights and normals are rounded results; this bounds the rounding that is accepted.
const UNIT_TOLERANCE: f64 = 1e-12;
/// A face or a pair of edges counts as well shaped if the sine of its angle is at least this.
const WELL_SHAPED_SINE: f64 = 0.1;

/// What is wrong with an answer of the exact test (no minimum separation); `Ok` if nothing.
pub fn check(
    kind: Kind,
    query: &Query,
    settings: &Settings,
    answer: Option<&Hit>,
    exact: Option<&Time>,
) -> Result<(), String> {
    match (answer, exact) {
        (None, None) => Ok(()),
        (None, Some(time)) => Err(format!("FALSE NEGATIVE: contact at t = {:e}", time.approximate())),
        (Some(hit), None) => Err(format!("FALSE POSITIVE: {hit:?}")),
        (Some(hit), Some(time)) => {
            let problem = check_bracket(hit, settings)
                .and_then(|()| check_time(hit, time))
                .and_then(|()| check_weights_and_normal(kind, hit))
                .and_then(|()| check_contact_point(kind, query, hit));
            problem.map_err(|problem| format!("{problem}; exact t = {:e}; {hit:?}", time.approximate()))
        }
    }
}

/// The bracket alone: ordered, inside [0, 1] and narrow enough.
pub fn check_bracket(hit: &Hit, settings: &Settings) -> Result<(), String> {
    // Written so that NaN fails.
    if !(0.0 <= hit.toi_lower && hit.toi_lower <= hit.toi_upper && hit.toi_upper <= 1.0) {
        return Err("the bracket is not ordered within [0, 1]".into());
    }
    let is_narrow = hit.toi_upper - hit.toi_lower <= settings.toi_tolerance;
    // Two neighbouring doubles cannot be brought closer, whatever the tolerance.
    if !is_narrow && hit.toi_upper > hit.toi_lower.next_up() {
        return Err(format!("the bracket is wider than {:e}", settings.toi_tolerance));
    }
    Ok(())
}

fn check_time(hit: &Hit, exact: &Time) -> Result<(), String> {
    if exact.compare_f64(hit.toi_lower).is_lt() {
        return Err("LATE: toi_lower is after the first contact".into());
    }
    if exact.compare_f64(hit.toi_upper).is_gt() {
        return Err("toi_upper is before the first contact".into());
    }
    if hit.at_start != is_at_start(exact) {
        return Err("at_start does not say whether there is contact at t = 0".into());
    }
    Ok(())
}

pub fn check_weights_and_normal(kind: Kind, hit: &Hit) -> Result<(), String> {
    if !hit.weights.iter().all(|weight| (0.0..=1.0).contains(weight)) {
        return Err("a weight is not in [0, 1]".into());
    }
    let [first, second, third, fourth] = hit.weights;
    let sums = match kind {
        Kind::VertexFace => [first, second + third + fourth],
        Kind::EdgeEdge => [first + second, third + fourth],
    };
    if !sums.iter().all(|sum| (sum - 1.0).abs() <= UNIT_TOLERANCE) {
        return Err("the weights of a primitive do not sum to 1".into());
    }
    let length = dot(hit.normal, hit.normal).sqrt();
    let is_unit = (length - 1.0).abs() <= UNIT_TOLERANCE;
    if !is_unit {
        return Err("the normal does not have unit length".into());
    }
    Ok(())
}

/// The weighted points of both primitives must meet. Only where that can be judged in doubles: well-shaped geometry
/// whose size is within reach of the arithmetic.
fn check_contact_point(kind: Kind, query: &Query, hit: &Hit) -> Result<(), String> {
    let magnitude = query.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if !(1e-60..1e60).contains(&magnitude) {
        return Ok(());
    }
    let at = |time: f64| -> [[f64; 3]; 4] {
        std::array::from_fn(|point| {
            std::array::from_fn(|axis| {
                query[3 * point + axis] * (1.0 - time) + query[12 + 3 * point + axis] * time
            })
        })
    };
    let points = at(hit.toi_upper);
    let (first, second) = match kind {
        Kind::VertexFace => (subtract(points[2], points[1]), subtract(points[3], points[1])),
        Kind::EdgeEdge => (subtract(points[1], points[0]), subtract(points[3], points[2])),
    };
    let (normal, lengths) = (cross(first, second), norm(first) * norm(second));
    let smallest = norm(first).min(norm(second));
    // Cancellation must leave digits, and the motion during the bracket must be small beside the primitives.
    let motion =
        (0..12).fold(0.0_f64, |largest, entry| largest.max((query[12 + entry] - query[entry]).abs()));
    let blur = motion * (hit.toi_upper - hit.toi_lower) + 1e-13 * magnitude;
    let is_well_shaped = norm(normal) >= WELL_SHAPED_SINE * lengths && blur * 1e3 <= smallest;
    if !is_well_shaped {
        return Ok(());
    }
    let sign = match kind {
        Kind::VertexFace => [1.0, -1.0, -1.0, -1.0],
        Kind::EdgeEdge => [1.0, 1.0, -1.0, -1.0],
    };
    let gap: [f64; 3] = std::array::from_fn(|axis| {
        (0..4).map(|point| sign[point] * hit.weights[point] * points[point][axis]).sum()
    });
    // A well-shaped corner turns a shift of its lines into one at most 1 / sine as long, twice for a triangle.
    let allowed = 4.0 * blur / (WELL_SHAPED_SINE * WELL_SHAPED_SINE) + 1e-9 * smallest;
    if norm(gap) > allowed {
        return Err(format!("the contact points are {:e} apart, allowed {allowed:e}", norm(gap)));
    }
    let tilt = dot(hit.normal, first).abs() / norm(first) + dot(hit.normal, second).abs() / norm(second);
    let is_interior = hit.weights.iter().all(|&weight| weight == 1.0 || (0.01..0.99).contains(&weight));
    if is_interior && tilt > 1e-6 + 8.0 * blur / (WELL_SHAPED_SINE * smallest) {
        return Err(format!("the normal leans {tilt:e} against the primitives"));
    }
    Ok(())
}
