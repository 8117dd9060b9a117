//! Whether two triangles are close: the test of a Minkowski sum (kDet paper, definition 3.1).
//!
//! The closest points are computed in doubles, and may be wrong. "Apart" is said only with a proof: a direction along which all of one triangle is farther from all of the other than asked for.

use super::orientation::Point;
use super::scale::Scale;
use crate::elementary::vec3::{cross, dot, sub};

fn plus(p: Point, q: Point, times: f64) -> Point {
    [p[0] + q[0] * times, p[1] + q[1] * times, p[2] + q[2] * times]
}

/// The closest points so far: the square of their distance, and a direction that may prove it.
#[derive(Clone, Copy)]
struct Nearest {
    square: f64,
    direction: Point,
}

impl Nearest {
    const NONE: Nearest = Nearest { square: f64::INFINITY, direction: [0.0; 3] };

    fn of(gap: Point) -> Nearest {
        Nearest { square: dot(gap, gap), direction: gap }
    }

    fn or(self, other: Nearest) -> Nearest {
        if other.square < self.square { other } else { self }
    }
}

/// Whether two triangles come as close as `reach`, which may be too small by 2⁻⁴⁷ of itself. Never false when they do; where rounding leaves it open it is true.
pub fn is_within(a: &[Point; 3], b: &[Point; 3], reach: f64) -> bool {
    // Relative to a corner of the first, and between one and two.
    let origin = a[0];
    let [p, q] = [a, b].map(|t| t.map(|corner| sub(corner, origin)));
    let size = p.iter().chain(&q).flatten().fold(0.0f64, |most, x| most.max(x.abs()));
    if size == 0.0 || !size.is_finite() {
        return true;
    }
    // What underflows here is far below the error bound.
    let scale = Scale::for_size(size);
    let [p, q] = [p, q].map(|t| t.map(|corner| corner.map(|x| scale.times(x))));
    let reach = scale.times(reach);
    // Of corners and edges, where the gap tells the direction; and of insides, where the normal of both does.
    let (mut outer, mut inner) = (Nearest::NONE, Nearest::NONE);
    for (t, u) in [(&p, &q), (&q, &p)] {
        for &corner in t {
            for i in 0..3 {
                outer = outer.or(from_segment(corner, [u[i], u[(i + 1) % 3]]));
            }
            inner = inner.or(above_triangle(corner, u));
        }
    }
    for i in 0..3 {
        for j in 0..3 {
            inner = inner.or(between_segments([p[i], p[(i + 1) % 3]], [q[j], q[(j + 1) % 3]]));
        }
    }
    if outer.square.min(inner.square) <= reach * reach {
        return true;
    }
    !(are_apart(&p, &q, reach, outer.direction) || are_apart(&p, &q, reach, inner.direction))
}

/// Whether a direction proves that all of one triangle is farther than `reach` from all of the other.
///
/// It is no matter what direction it is. Coordinates are at most two, with a relative error of ε = 2⁻⁵³ as differences; those of the direction are at most one. So a dot product, of three products
/// and two sums, is off by less than 4.1ε of the sum of their magnitudes, 8.2ε of the sum of the direction's, and a difference of two by less than 18ε of it. The length
/// has a relative error of 4ε, `reach` one of 64ε: 2⁻⁴⁶ of either are on the safe side. The longest coordinate of the direction is one, so all of this is far above what underflow takes.
fn are_apart(p: &[Point; 3], q: &[Point; 3], reach: f64, direction: Point) -> bool {
    const SLACK: f64 = 1.0 / (1u64 << 46) as f64;
    let longest = direction.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    if !(1e-300..1e300).contains(&longest) {
        return false;
    }
    let direction = direction.map(|x| x / longest);
    let [(p_least, p_most), (q_least, q_most)] = [p, q].map(|t| {
        let along = t.map(|corner| dot(corner, direction));
        (along[0].min(along[1]).min(along[2]), along[0].max(along[1]).max(along[2]))
    });
    let gap = (q_least - p_most).max(p_least - q_most);
    let sum: f64 = direction.iter().map(|x| x.abs()).sum();
    gap > reach * dot(direction, direction).sqrt() * (1.0 + SLACK) + SLACK * sum
}

/// A point and a segment.
fn from_segment(p: Point, [a, b]: [Point; 2]) -> Nearest {
    let along = sub(b, a);
    let square = dot(along, along);
    let part = if square > 0.0 { (dot(sub(p, a), along) / square).clamp(0.0, 1.0) } else { 0.0 };
    Nearest::of(sub(p, plus(a, along, part)))
}

/// A point and the inside of a triangle, if its foot point is there.
fn above_triangle(p: Point, [a, b, c]: &[Point; 3]) -> Nearest {
    let (u, v, w) = (sub(*b, *a), sub(*c, *a), sub(p, *a));
    let normal = cross(u, v);
    let square = dot(normal, normal);
    let (uu, uv, vv, uw, vw) = (dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w));
    let (s, r) = (uw * vv - vw * uv, vw * uu - uw * uv);
    if square > 0.0 && s >= 0.0 && r >= 0.0 && s + r <= uu * vv - uv * uv {
        return Nearest { square: dot(normal, w).powi(2) / square, direction: normal };
    }
    Nearest::NONE
}

/// The insides of two segments, if that is where they are closest. Of parallel ones an end is as close.
fn between_segments(p: [Point; 2], q: [Point; 2]) -> Nearest {
    let (u, v, w) = (sub(p[1], p[0]), sub(q[1], q[0]), sub(p[0], q[0]));
    let (uu, uv, vv, uw, vw) = (dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w));
    let determinant = uu * vv - uv * uv;
    if determinant <= 1e-14 * uu * vv {
        return Nearest::NONE;
    }
    let (s, t) = ((uv * vw - vv * uw) / determinant, (uu * vw - uv * uw) / determinant);
    if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
        let gap = sub(plus(p[0], u, s), plus(q[0], v, t));
        return Nearest { square: dot(gap, gap), direction: cross(u, v) };
    }
    Nearest::NONE
}
