//! Two boxes: which axis tells how deep they are (`box_axes`), and the faces clipped.
//!
//! If they are apart, but closer than the margin, the axis along which they are farthest apart tells a lower bound of their distance. Where points are found that are no farther apart than that, they are the closest: in the middle
//! of faces and edges they are. Else a corner or the end of an edge is closest to something, and it is GJK's turn.

use super::box_axes::{self, Axis};
use super::box_face;
use super::core::{Core, Placed};
use super::dispatch::{self, Pair, Scratch};
use super::epa::Polytope;
use super::manifold::{self, ContactPoint, Manifold, NO_TRIANGLE};
use super::poses::{BOX, Pose};
use super::shapes::Shape;
use super::transform::Frame;
use crate::elementary::vec3::{Vec3, add, cross, dot, scale, sub};
use crate::memory::MemoryError;

pub fn test(pair: &Pair<'_>, scratch: &mut Scratch, out: &mut Manifold) -> Result<(), MemoryError> {
    let (Shape::Box { half: half_a }, Shape::Box { half: half_b }) = (pair.a.shape, pair.b.shape) else {
        return Ok(());
    };
    let (a, b) = (Pose::new(&pair.a.frame, *half_a, BOX), Pose::new(&pair.b.frame, *half_b, BOX));
    if let Some(least) = box_axes::least_of_one(&a, &b, pair.margin) {
        points(&a, &b, least, pair.margin, &mut scratch.polytope, out);
        dispatch::to_world(out, pair.a.frame.origin);
    }
    Ok(())
}

/// The points of two boxes, relative to the origin of the first, which are close to each other as the axes tell.
pub fn points(
    a: &Pose,
    b: &Pose,
    (depth, axis): (f64, Axis),
    margin: f64,
    polytope: &mut Polytope,
    out: &mut Manifold,
) {
    let (half_a, half_b) = (&a.half(), &b.half());
    let (a, b) = (&a.seen_from(a.origin()), &b.seen_from(a.origin()));
    let is_apart = depth < 0.0;
    let (placed_a, placed_b) =
        (box_face::Placed { frame: a, half: half_a }, box_face::Placed { frame: b, half: half_b });
    let side = |along: f64| if along < 0.0 { -1.0 } else { 1.0 };
    let way = sub(a.origin, b.origin);
    let mut found = match axis {
        Axis::FaceA(i) => {
            let side = side(dot(a.axes[i], way));
            box_face::clip(&placed_a, (i, -side), &placed_b, scale(a.axes[i], side), depth, margin)
        }
        Axis::FaceB(j) => {
            let side = side(dot(b.axes[j], way));
            box_face::clip(&placed_b, (j, side), &placed_a, scale(b.axes[j], side), depth, margin)
        }
        Axis::Edges(i, j) => {
            let (point, is_closest) = edges(&placed_a, &placed_b, depth, (i, j), way);
            if is_closest || !is_apart {
                out.add(point);
            } else {
                closest(&placed_a, &placed_b, margin, polytope, out);
            }
            return;
        }
    };
    let normal = found.normal;
    let points = &mut found.points[..found.len];
    let deepest = points.iter().fold(f64::NEG_INFINITY, |most, point| most.max(point.depth));
    if is_apart && deepest < depth - 1e-9 * margin {
        closest(&placed_a, &placed_b, margin, polytope, out);
        return;
    }
    if deepest < depth - 1e-6 * (depth + margin) {
        // A corner that is deepest touches if the clip finds nothing as deep.
        let half_way = scale(normal, 0.5 * depth);
        let point = match axis {
            Axis::FaceA(_) => sub(corner_of(b, half_b, normal), half_way),
            _ => add(corner_of(a, half_a, scale(normal, -1.0)), half_way),
        };
        out.add(ContactPoint { point, normal, depth, triangles: [NO_TRIANGLE; 2] });
    }
    for point in manifold::reduce(points) {
        out.add(*point);
    }
}

/// The points of boxes that are apart, and whose closest points the axes do not tell.
fn closest(
    a: &box_face::Placed<'_>,
    b: &box_face::Placed<'_>,
    margin: f64,
    polytope: &mut Polytope,
    out: &mut Manifold,
) {
    let [a, b] = [a, b].map(|side| Placed { core: Core::Box(*side.half), frame: *side.frame, radius: 0.0 });
    dispatch::cores(&a, &b, margin, polytope, &mut |point| out.add(point));
}

/// The corner of a box that is farthest in a direction.
fn corner_of(frame: &Frame, half: &[f64; 3], direction: Vec3) -> Vec3 {
    let local = frame.unrotate(direction);
    frame.to_world([0, 1, 2].map(|i| if local[i] < 0.0 { -half[i] } else { half[i] }))
}

/// Where two edges, along these axes, cross; and whether they are on both, and no farther apart than the axis tells.
fn edges(
    a: &box_face::Placed<'_>,
    b: &box_face::Placed<'_>,
    depth: f64,
    (i, j): (usize, usize),
    way: Vec3,
) -> (ContactPoint, bool) {
    let (half_a, half_b) = (a.half, b.half);
    let (a, b) = (a.frame, b.frame);
    let axis = cross(a.axes[i], b.axes[j]);
    let length = dot(axis, axis).sqrt();
    let normal = scale(axis, if dot(axis, way) < 0.0 { -1.0 / length } else { 1.0 / length });
    // The edges that touch: half a box along the normal, in the middle of the edge.
    let middle =
        |corner: Vec3, origin: Vec3, axis: Vec3| sub(corner, scale(axis, dot(sub(corner, origin), axis)));
    let p = middle(corner_of(a, half_a, scale(normal, -1.0)), a.origin, a.axes[i]);
    let q = middle(corner_of(b, half_b, normal), b.origin, b.axes[j]);
    let (s, t) = closest_of_lines(p, a.axes[i], q, b.axes[j]);
    let (on_a, on_b) = (add(p, scale(a.axes[i], s)), add(q, scale(b.axes[j], t)));
    let point = scale(add(on_a, on_b), 0.5);
    let gap = sub(on_a, on_b);
    let is_closest =
        s.abs() <= half_a[i] && t.abs() <= half_b[j] && dot(gap, gap) <= depth * depth * (1.0 + 1e-9);
    (ContactPoint { point, normal, depth, triangles: [NO_TRIANGLE; 2] }, is_closest)
}

/// Where the closest points of two lines that are not parallel are, along their directions, which have length 1.
fn closest_of_lines(p: Vec3, u: Vec3, q: Vec3, v: Vec3) -> (f64, f64) {
    let way = sub(q, p);
    let cosine = dot(u, v);
    let sine_square = 1.0 - cosine * cosine;
    let (along_u, along_v) = (dot(way, u), dot(way, v));
    let s = (along_u - cosine * along_v) / sine_square;
    let t = (cosine * along_u - along_v) / sine_square;
    (s, t)
}
