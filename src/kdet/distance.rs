//! Whether two triangles are close: the test of a Minkowski sum (kDet paper, definition 3.1).

use super::orientation::Point;
use super::triangle_triangle;

fn minus(p: Point, q: Point) -> Point {
    [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}

fn plus(p: Point, q: Point, times: f64) -> Point {
    [p[0] + q[0] * times, p[1] + q[1] * times, p[2] + q[2] * times]
}

fn dot(p: Point, q: Point) -> f64 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

/// More than rounding can take from a distance, in parts of the size of what it was computed from.
///
/// All points are relative to one of them. Each closest point is a combination of corners with weights from quotients; whatever the weights are, the point is in the primitive up to a few roundings of
/// its coordinates, so a computed distance is never less than the exact one by more than about 20ε of the largest coordinate. It may be too large where the weights are wrong, by the square root of
/// their errors in the worst case: this is what the margin is for.
const MARGIN: f64 = 1e-7;

/// Whether two triangles come as close as `reach`. Never false when they do; where rounding leaves it open it is true.
pub fn is_within(a: &[Point; 3], b: &[Point; 3], reach: f64) -> bool {
    let origin = a[0];
    let relative = |t: &[Point; 3]| t.map(|p| minus(p, origin));
    let (p, q) = (relative(a), relative(b));
    let size = p.iter().chain(&q).flatten().fold(0.0f64, |most, x| most.max(x.abs()));
    if !size.is_finite() || size > 1e150 || (size < 1e-150 && size > 0.0) {
        // Too large or small for squares.
        return true;
    }
    let limit = (reach + MARGIN * size).powi(2);
    let corners = |t: &[Point; 3], u: &[Point; 3]| t.iter().any(|corner| from_triangle(*corner, u) <= limit);
    if corners(&p, &q) || corners(&q, &p) {
        return true;
    }
    for i in 0..3 {
        for j in 0..3 {
            if between_segments([p[i], p[(i + 1) % 3]], [q[j], q[(j + 1) % 3]]) <= limit {
                return true;
            }
        }
    }
    // An edge may go through the middle of the other.
    triangle_triangle::meet(a, b)
}

/// The square of the distance of a point and a segment.
fn from_segment(p: Point, [a, b]: [Point; 2]) -> f64 {
    let along = minus(b, a);
    let square = dot(along, along);
    let part = if square > 0.0 { (dot(minus(p, a), along) / square).clamp(0.0, 1.0) } else { 0.0 };
    let gap = minus(p, plus(a, along, part));
    dot(gap, gap)
}

/// The square of the distance of a point and a triangle: of its foot point if that is inside, else of the closest edge.
fn from_triangle(p: Point, t: &[Point; 3]) -> f64 {
    let [a, b, c] = *t;
    let edges = from_segment(p, [a, b]).min(from_segment(p, [b, c])).min(from_segment(p, [c, a]));
    let (u, v, w) = (minus(b, a), minus(c, a), minus(p, a));
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let square = dot(normal, normal);
    if square <= 0.0 {
        return edges;
    }
    let (uu, uv, vv, uw, vw) = (dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w));
    let (s, r) = (uw * vv - vw * uv, vw * uu - uw * uv);
    if s >= 0.0 && r >= 0.0 && s + r <= uu * vv - uv * uv {
        return edges.min(dot(normal, w).powi(2) / square);
    }
    edges
}

/// The square of the distance of two segments: inside of both, or at an end of one.
fn between_segments(p: [Point; 2], q: [Point; 2]) -> f64 {
    let ends = from_segment(p[0], q)
        .min(from_segment(p[1], q))
        .min(from_segment(q[0], p))
        .min(from_segment(q[1], p));
    let (u, v, w) = (minus(p[1], p[0]), minus(q[1], q[0]), minus(p[0], q[0]));
    let (uu, uv, vv, uw, vw) = (dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w));
    let determinant = uu * vv - uv * uv;
    if determinant <= 0.0 {
        return ends;
    }
    let (s, t) = ((uv * vw - vv * uw) / determinant, (uu * vw - uv * uw) / determinant);
    if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
        let gap = minus(plus(p[0], u, s), plus(q[0], v, t));
        return ends.min(dot(gap, gap));
    }
    ends
}
