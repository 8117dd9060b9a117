//! Two boxes: the fifteen axes of Gottschalk, Lin and Manocha (1996), and the faces clipped.
//!
//! Boxes that overlap are least deep along the normal of a face or along a product of two edges. If they are apart, but closer than the margin, the axes tell
//! that they are apart, not how far: then it is GJK's turn.

use super::box_face;
use super::dispatch::{self, Pair, Scratch};
use super::manifold::{self, ContactPoint, Manifold, NO_TRIANGLE};
use super::shapes::Shape;
use super::transform::Frame;
use crate::elementary::vec3::{Vec3, add, cross, dot, scale, sub};
use crate::memory::MemoryError;

/// An edge has to be this much less deep than a face: contacts of faces do not become contacts of edges because of rounding.
const EDGE_BIAS: f64 = 1.0 - 1e-6;
/// Edges whose product is shorter are parallel: then one of the faces tells as much.
const PARALLEL: f64 = 1e-6;

/// Where boxes are least deep.
#[derive(Clone, Copy)]
enum Axis {
    FaceA(usize),
    FaceB(usize),
    Edges(usize, usize),
}

pub fn test(pair: &Pair<'_>, scratch: &mut Scratch, out: &mut Manifold) -> Result<(), MemoryError> {
    let (Shape::Box { half: half_a }, Shape::Box { half: half_b }) = (pair.a.shape, pair.b.shape) else {
        return Ok(());
    };
    let (a, b, margin) = (&pair.a.frame, &pair.b.frame, pair.margin);
    let way = sub(a.origin, b.origin);
    let (way_a, way_b) = (a.unrotate(way), b.unrotate(way));
    let cosines = a.axes.map(|axis| b.axes.map(|other| dot(axis, other)));
    let sizes = cosines.map(|row| row.map(f64::abs));
    let mut least = (f64::INFINITY, Axis::FaceA(0));
    for i in 0..3 {
        let reach = half_a[i] + sizes[i][0] * half_b[0] + sizes[i][1] * half_b[1] + sizes[i][2] * half_b[2];
        let depth = reach - way_a[i].abs();
        if depth < -margin {
            return Ok(());
        }
        if depth < least.0 {
            least = (depth, Axis::FaceA(i));
        }
    }
    for j in 0..3 {
        let reach = half_b[j] + sizes[0][j] * half_a[0] + sizes[1][j] * half_a[1] + sizes[2][j] * half_a[2];
        let depth = reach - way_b[j].abs();
        if depth < -margin {
            return Ok(());
        }
        if depth < least.0 * (1.0 - 1e-9) {
            least = (depth, Axis::FaceB(j));
        }
    }
    let mut is_apart = least.0 < 0.0;
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            // The product of both edges in the axes of a: nothing along i, and so much along the others. What is measured along it is too long by its length.
            let (u, v) = (-cosines[i2][j], cosines[i1][j]);
            let square = u * u + v * v;
            if square < PARALLEL * PARALLEL {
                continue;
            }
            let reach_a = half_a[i1] * sizes[i2][j] + half_a[i2] * sizes[i1][j];
            let reach_b = half_b[j1] * sizes[i][j2] + half_b[j2] * sizes[i][j1];
            let depth = reach_a + reach_b - (way_a[i1] * u + way_a[i2] * v).abs();
            if depth < 0.0 {
                if depth * depth > margin * margin * square {
                    return Ok(());
                }
                is_apart = true;
            } else if !is_apart && depth * depth < least.0 * least.0 * (EDGE_BIAS * EDGE_BIAS) * square {
                least = (depth / square.sqrt(), Axis::Edges(i, j));
            }
        }
    }
    if is_apart {
        return dispatch::convex(pair, scratch, out);
    }
    let (depth, axis) = least;
    let (placed_a, placed_b) =
        (box_face::Placed { frame: a, half: half_a }, box_face::Placed { frame: b, half: half_b });
    let side = |along: f64| if along < 0.0 { -1.0 } else { 1.0 };
    // With what is found by the clip, a corner that is deepest: that which touches if the clip finds nothing as deep.
    let (mut found, corner) = match axis {
        Axis::FaceA(i) => {
            let side = side(way_a[i]);
            let normal = scale(a.axes[i], side);
            let found = box_face::clip(&placed_a, (i, -side), &placed_b, normal, depth, margin);
            (found, sub(corner_of(b, half_b, normal), scale(normal, 0.5 * depth)))
        }
        Axis::FaceB(j) => {
            let side = side(way_b[j]);
            let normal = scale(b.axes[j], side);
            let found = box_face::clip(&placed_b, (j, side), &placed_a, normal, depth, margin);
            (found, add(corner_of(a, half_a, scale(normal, -1.0)), scale(normal, 0.5 * depth)))
        }
        Axis::Edges(i, j) => {
            out.add(edges(pair, (half_a, half_b), depth, (i, j), way));
            return Ok(());
        }
    };
    let normal = found.normal;
    let points = &mut found.points[..found.len];
    let deepest = points.iter().fold(f64::NEG_INFINITY, |most, point| most.max(point.depth));
    if deepest < depth - 1e-6 * (depth + margin) {
        out.add(ContactPoint { point: corner, normal, depth, triangles: [NO_TRIANGLE; 2] });
    }
    for point in manifold::reduce(points) {
        out.add(*point);
    }
    Ok(())
}

/// The corner of a box that is farthest in a direction.
fn corner_of(frame: &Frame, half: &[f64; 3], direction: Vec3) -> Vec3 {
    let local = frame.unrotate(direction);
    frame.to_world([0, 1, 2].map(|i| if local[i] < 0.0 { -half[i] } else { half[i] }))
}

/// Where two edges, along these axes, cross.
fn edges(
    pair: &Pair<'_>,
    (half_a, half_b): (&[f64; 3], &[f64; 3]),
    depth: f64,
    (i, j): (usize, usize),
    way: Vec3,
) -> ContactPoint {
    let (a, b) = (&pair.a.frame, &pair.b.frame);
    let axis = cross(a.axes[i], b.axes[j]);
    let length = dot(axis, axis).sqrt();
    let normal = scale(axis, if dot(axis, way) < 0.0 { -1.0 / length } else { 1.0 / length });
    // The edges that touch: half a box along the normal, in the middle of the edge.
    let middle =
        |corner: Vec3, origin: Vec3, axis: Vec3| sub(corner, scale(axis, dot(sub(corner, origin), axis)));
    let p = middle(corner_of(a, half_a, scale(normal, -1.0)), a.origin, a.axes[i]);
    let q = middle(corner_of(b, half_b, normal), b.origin, b.axes[j]);
    let (on_a, on_b) = closest_of_lines(p, a.axes[i], q, b.axes[j]);
    ContactPoint { point: scale(add(on_a, on_b), 0.5), normal, depth, triangles: [NO_TRIANGLE; 2] }
}

/// The closest points of two lines that are not parallel, whose directions have length 1.
fn closest_of_lines(p: Vec3, u: Vec3, q: Vec3, v: Vec3) -> (Vec3, Vec3) {
    let way = sub(q, p);
    let cosine = dot(u, v);
    let sine_square = 1.0 - cosine * cosine;
    let (along_u, along_v) = (dot(way, u), dot(way, v));
    let s = (along_u - cosine * along_v) / sine_square;
    let t = (cosine * along_u - along_v) / sine_square;
    (add(p, scale(u, s)), add(q, scale(v, t)))
}
