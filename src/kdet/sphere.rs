//! Minimum enclosing spheres of triangles (kDet paper, definition 3.1).

use super::orientation::Point;

/// The square of the diameter, up to rounding: of the circumcircle if the triangle is acute, else of the longest edge.
#[inline]
pub fn square_of_diameter([a, b, c]: &[Point; 3]) -> f64 {
    let edge = |p: &Point, q: &Point| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
    let dot = |p: Point, q: Point| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let (ab, bc, ca) = (edge(b, a), edge(c, b), edge(a, c));
    let (u, v, w) = (dot(ab, ab), dot(bc, bc), dot(ca, ca));
    let longest = u.max(v).max(w);
    // By the law of cosines the angle opposite the longest edge is less than a right one.
    if u + v + w > 2.0 * longest {
        let normal =
            [ab[1] * ca[2] - ab[2] * ca[1], ab[2] * ca[0] - ab[0] * ca[2], ab[0] * ca[1] - ab[1] * ca[0]];
        let circle = u * v * w / dot(normal, normal);
        // A needle may be so thin that its area is lost.
        if circle >= longest && circle <= longest * (4.0 / 3.0) {
            return circle;
        }
    }
    longest
}
