//! Two triangles that cut through each other: how deep, along which direction, and where.
//!
//! The difference A − B of two triangles that are not parallel is a polytope. Each of its faces is a face of one triangle, moved by a corner of the other, or spanned by an edge of each: its normal is one of eleven axes. The depth
//! is the distance from the origin to the boundary, so it is the least of the depths along these axes; and in any other direction the depth is not less. So a wrong axis, by rounding, can only tell too much, by
//! as much as the axis is turned times the size of the triangles.
//!
//! Where that is not good enough, [`touch`] says that it does not know, and GJK and EPA have to find out: triangles nearly without area or nearly parallel (sines below [`SINE`]), such that hardly touch or do not, and such whose
//! least depth is not where the argument above says it is. Edges whose sine is below [`PARALLEL`] are passed over: the face that they span is that narrow, so the ones beside it are
//! as close to the origin within that share of an edge.

use super::manifold::{Contact, SLOPE};
use super::triangle_axes::edges;
use crate::elementary::vec3::{Vec3, add, cross, dot, extent, scale, sub};

/// Below this sine the direction of a product is not known well enough: rounding turns it by some 1e-16 over the sine.
pub(super) const SINE: f64 = 1e-5;
pub(super) const PARALLEL: f64 = 1e-12;
/// Gaps and depths below this share of the coordinates are rounding errors.
pub(super) const CLEAR: f64 = 1e-12;
/// An edge has to be this much less deep than a face: contacts of faces do not become contacts of edges because of rounding.
pub(super) const EDGE_BIAS: f64 = 1.0 - 1e-9;
/// How far outside of a triangle or an edge a point is still in it, as a share.
const INSIDE: f64 = 1e-9;

/// What two triangles are to each other.
#[derive(Clone, Copy)]
pub enum Touch {
    Apart,
    /// In one point.
    Point(Contact),
    /// Edges or faces lie close to each other: there may be more points.
    Faces(Contact),
    Unclear,
}

/// The axis along which they are least deep.
#[derive(Clone, Copy)]
pub(super) struct Least {
    /// Of the depth.
    pub square: f64,
    pub axis: Vec3,
    /// Whether a has to move along the axis, or against it.
    pub along: bool,
    pub feature: Feature,
}

#[derive(Clone, Copy)]
pub(super) enum Feature {
    FaceA,
    FaceB,
    Edges(usize, usize),
}

/// Finds where two triangles, given by their corners, are deepest in each other. Gaps up to the margin are not apart, but not found here either.
pub fn touch(a: &[Vec3; 3], b: &[Vec3; 3], margin: f64) -> Touch {
    let origin = a[0];
    let size = a.iter().chain(b).fold(0.0f64, |most, &corner| most.max(extent(corner)));
    let (a, b) = (a.map(|corner| sub(corner, origin)), b.map(|corner| sub(corner, origin)));
    let (edges_a, edges_b) = (edges(&a), edges(&b));
    let squares = |edges: &[Vec3; 3]| edges.map(|edge| dot(edge, edge));
    let (squares_a, squares_b) = (squares(&edges_a), squares(&edges_b));
    let (normal_a, normal_b) = (cross(edges_a[0], edges_a[1]), cross(edges_b[0], edges_b[1]));
    let (area_a, area_b) = (dot(normal_a, normal_a), dot(normal_b, normal_b));
    let longest = |squares: &[f64; 3]| squares[0].max(squares[1]).max(squares[2]);
    let is_sound =
        |area: f64, longest: f64| area > SINE * SINE * longest * longest && area > 1e-200 && area < 1e200;
    let turn = cross(normal_a, normal_b);
    if !is_sound(area_a, longest(&squares_a))
        || !is_sound(area_b, longest(&squares_b))
        || dot(turn, turn) < SINE * SINE * area_a * area_b
    {
        return Touch::Unclear;
    }
    let mut least = Least { square: f64::INFINITY, axis: normal_a, along: true, feature: Feature::FaceA };
    let (mut is_known_well, mut is_clear) = (true, true);
    let reach = margin + CLEAR * (size + margin);
    let clear = CLEAR * size;
    // False if they are farther apart than the margin.
    let mut look =
        |axis: Vec3, square: f64, of_a: [f64; 2], of_b: [f64; 2], bias: f64, feature, well| -> bool {
            // What a has to move by: along the axis, or against it.
            let (along, against) = (of_b[1] - of_a[0], of_a[1] - of_b[0]);
            let depth = along.min(against);
            if depth < 0.0 && depth * depth > reach * reach * square {
                return false;
            }
            is_clear &= depth > 0.0 && depth * depth > clear * clear * square;
            let depth_square = depth * depth / square;
            if depth_square < least.square * bias {
                let along = along <= against;
                least = Least { square: depth_square, axis, along, feature };
                is_known_well = well;
            }
            true
        };
    let heights = |axis: Vec3, p: &[Vec3; 3]| {
        let [x, y, z] = p.map(|corner| dot(axis, corner));
        [x.min(y).min(z), x.max(y).max(z)]
    };
    for (normal, area, feature) in [(normal_a, area_a, Feature::FaceA), (normal_b, area_b, Feature::FaceB)] {
        if !look(normal, area, heights(normal, &a), heights(normal, &b), 1.0, feature, true) {
            return Touch::Apart;
        }
    }
    for i in 0..3 {
        for j in 0..3 {
            let axis = cross(edges_a[i], edges_b[j]);
            let square = dot(axis, axis);
            let whole = squares_a[i] * squares_b[j];
            if square <= PARALLEL * PARALLEL * whole {
                continue;
            }
            let ends = |x: f64, y: f64| [x.min(y), x.max(y)];
            let of_a = ends(dot(axis, a[i]), dot(axis, a[(i + 2) % 3]));
            let of_b = ends(dot(axis, b[j]), dot(axis, b[(j + 2) % 3]));
            let well = square > SINE * SINE * whole;
            if !look(axis, square, of_a, of_b, EDGE_BIAS * EDGE_BIAS, Feature::Edges(i, j), well) {
                return Touch::Apart;
            }
        }
    }
    if is_clear && is_known_well { end(&least, origin, &a, &b, clear) } else { Touch::Unclear }
}

/// Finds the points where they are deepest. Corners are relative to the origin; what is less than `clear` is nothing.
pub(super) fn end(least: &Least, origin: Vec3, a: &[Vec3; 3], b: &[Vec3; 3], clear: f64) -> Touch {
    let depth = least.square.sqrt();
    let length = dot(least.axis, least.axis).sqrt();
    let normal = scale(least.axis, if least.along { 1.0 / length } else { -1.0 / length });
    let found = match least.feature {
        Feature::FaceA => {
            // The corner of b that is farthest along the normal is under the face of a.
            let (corner, is_point) = top(b, normal);
            let on_a = sub(corner, scale(normal, depth));
            is_inside(on_a, a).then_some((on_a, corner, is_point))
        }
        Feature::FaceB => {
            let (corner, is_point) = top(a, scale(normal, -1.0));
            let on_b = add(corner, scale(normal, depth));
            is_inside(on_b, b).then_some((corner, on_b, is_point))
        }
        Feature::Edges(i, j) => {
            let down = scale(normal, -1.0);
            let (u, v) = (sub(a[(i + 1) % 3], a[i]), sub(b[(j + 1) % 3], b[j]));
            let crossing = cross_of_edges(a[i], u, b[j], v);
            let is_point = dot(least.axis, least.axis) > SLOPE * SLOPE * dot(u, u) * dot(v, v)
                && is_steep(a[i], a[(i + 2) % 3], down)
                && is_steep(b[j], b[(j + 2) % 3], normal);
            // The edges have to be where each triangle ends.
            let ends = dot(sub(a[(i + 2) % 3], a[i]), down) <= clear
                && dot(sub(b[(j + 2) % 3], b[j]), normal) <= clear;
            crossing.filter(|_| ends).map(|(on_a, on_b)| (on_a, on_b, is_point))
        }
    };
    match found {
        None => Touch::Unclear,
        Some((on_a, on_b, is_point)) => {
            let contact = Contact { normal, depth, on_a: add(on_a, origin), on_b: add(on_b, origin) };
            if is_point { Touch::Point(contact) } else { Touch::Faces(contact) }
        }
    }
}

/// The corner that is farthest in a direction, and whether the others are well below it.
fn top(corners: &[Vec3; 3], direction: Vec3) -> (Vec3, bool) {
    let heights = corners.map(|corner| dot(corner, direction));
    let best = (1..3).fold(0, |best, i| if heights[i] > heights[best] { i } else { best });
    let is_alone = |i: usize| i == best || is_steep(corners[best], corners[i], direction);
    (corners[best], is_alone(0) && is_alone(1) && is_alone(2))
}

/// Whether the way from a top down to another corner is steeper than within a face.
fn is_steep(top: Vec3, other: Vec3, direction: Vec3) -> bool {
    let way = sub(top, other);
    let below = dot(way, direction);
    below > 0.0 && below * below > SLOPE * SLOPE * dot(way, way)
}

/// Whether a point in the plane of a triangle is in it.
fn is_inside(point: Vec3, corners: &[Vec3; 3]) -> bool {
    let edges = edges(corners);
    let normal = cross(edges[0], edges[1]);
    let least = -INSIDE * dot(normal, normal);
    (0..3).all(|i| dot(cross(edges[i], sub(point, corners[i])), normal) >= least)
}

/// The closest points of the lines of two edges, if they are on these.
fn cross_of_edges(p: Vec3, u: Vec3, q: Vec3, v: Vec3) -> Option<(Vec3, Vec3)> {
    let way = sub(q, p);
    let (uu, vv, uv) = (dot(u, u), dot(v, v), dot(u, v));
    let (along_u, along_v) = (dot(way, u), dot(way, v));
    let whole = uu * vv - uv * uv;
    let (s, t) = ((along_u * vv - uv * along_v) / whole, (uv * along_u - uu * along_v) / whole);
    let is_on = |x: f64| (-INSIDE..=1.0 + INSIDE).contains(&x);
    (is_on(s) && is_on(t)).then(|| (add(p, scale(u, s)), add(q, scale(v, t))))
}
