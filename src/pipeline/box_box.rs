//! Two boxes: the fifteen axes of Gottschalk, Lin and Manocha (1996), and the faces clipped.
//!
//! Boxes that overlap are least deep along the normal of a face or along a product of two edges. If they are apart, but closer than the margin, the axes tell
//! that they are apart, not how far: then it is GJK's turn.

use super::dispatch::{self, Pair, Scratch};
use super::manifold::{self, Contact, Manifold};
use super::shapes::Shape;
use crate::elementary::vec3::{Vec3, add, dot, scale, sub};
use crate::memory::MemoryError;

/// An edge has to be this much less deep than a face: contacts of faces do not become contacts of edges because of rounding.
const EDGE_BIAS: f64 = 1.0 - 1e-6;
/// Edges whose product is shorter are parallel: then one of the faces tells as much.
const PARALLEL: f64 = 1e-6;

#[derive(Clone, Copy)]
struct Least {
    depth: f64,
    /// From b to a.
    normal: Vec3,
    /// Of both boxes, or of the face alone.
    axes: (Option<usize>, Option<usize>),
}

pub fn test(pair: &Pair<'_>, scratch: &mut Scratch, out: &mut Manifold) -> Result<(), MemoryError> {
    let (Shape::Box { half: half_a }, Shape::Box { half: half_b }) = (pair.a.shape, pair.b.shape) else {
        return Ok(());
    };
    let (a, b) = (&pair.a.frame, &pair.b.frame);
    let way = sub(a.origin, b.origin);
    let cosines = a.axes.map(|axis| b.axes.map(|other| dot(axis, other)));
    let mut least = Least { depth: f64::INFINITY, normal: [0.0; 3], axes: (None, None) };
    let mut widest_gap = f64::NEG_INFINITY;
    // Axes have a length: what is measured along one is that many times too long. False if the boxes are too far apart.
    let mut look = |along: f64, reach: f64, length: f64, bias: f64, axes, axis: &dyn Fn() -> Vec3| -> bool {
        let depth = reach - along.abs();
        if -depth > pair.margin * length {
            return false;
        }
        widest_gap = widest_gap.max(-depth);
        if depth < least.depth * bias * length {
            let axis = scale(axis(), if along < 0.0 { -1.0 / length } else { 1.0 / length });
            least = Least { depth: depth / length, normal: axis, axes };
        }
        true
    };
    let way_a = a.axes.map(|axis| dot(way, axis));
    for i in 0..3 {
        let reach = half_a[i] + (0..3).map(|j| cosines[i][j].abs() * half_b[j]).sum::<f64>();
        if !look(way_a[i], reach, 1.0, 1.0, (Some(i), None), &|| a.axes[i]) {
            return Ok(());
        }
    }
    for j in 0..3 {
        let reach = half_b[j] + (0..3).map(|i| cosines[i][j].abs() * half_a[i]).sum::<f64>();
        if !look(dot(way, b.axes[j]), reach, 1.0, 1.0 - 1e-9, (None, Some(j)), &|| b.axes[j]) {
            return Ok(());
        }
    }
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            // The product of both edges in the axes of a: nothing along i, and so much along the others.
            let (u, v) = (-cosines[i2][j], cosines[i1][j]);
            let length = (u * u + v * v).sqrt();
            if length < PARALLEL {
                continue;
            }
            let along = way_a[i1] * u + way_a[i2] * v;
            let reach_a = half_a[i1] * u.abs() + half_a[i2] * v.abs();
            let reach_b = half_b[j1] * cosines[i][j2].abs() + half_b[j2] * cosines[i][j1].abs();
            let axes = (Some(i), Some(j));
            let is_close = look(along, reach_a + reach_b, length, EDGE_BIAS, axes, &|| {
                add(scale(a.axes[i1], u), scale(a.axes[i2], v))
            });
            if !is_close {
                return Ok(());
            }
        }
    }
    if widest_gap > 0.0 {
        return dispatch::convex(pair, scratch, out);
    }
    let (Some(placed_a), Some(placed_b)) = (pair.a.shape.placed(*a), pair.b.shape.placed(*b)) else {
        return Ok(());
    };
    let Least { depth, normal, axes } = least;
    let (on_a, on_b) = match axes {
        (Some(i), Some(j)) => {
            // The edges that touch: half a box along the normal, in the middle of the edge.
            let middle = |corner: Vec3, origin: Vec3, axis: Vec3| {
                sub(corner, scale(axis, dot(sub(corner, origin), axis)))
            };
            let p = middle(placed_a.support(scale(normal, -1.0)), a.origin, a.axes[i]);
            let q = middle(placed_b.support(normal), b.origin, b.axes[j]);
            closest_of_lines(p, a.axes[i], q, b.axes[j])
        }
        (Some(_), None) => {
            let corner = placed_b.support(normal);
            (sub(corner, scale(normal, depth)), corner)
        }
        _ => {
            let corner = placed_a.support(scale(normal, -1.0));
            (corner, add(corner, scale(normal, depth)))
        }
    };
    let contact = Contact { normal, depth, on_a, on_b };
    if matches!(axes, (Some(_), Some(_))) {
        out.add(contact.point(&placed_a, &placed_b));
    } else {
        manifold::convex(&placed_a, &placed_b, &contact, pair.margin, &mut |point| out.add(point));
    }
    Ok(())
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
