//! A box and a triangle that touches one of its faces: what most contacts of a mesh with the ground are.
//!
//! If they overlap, they are least deep along one of thirteen axes: those of the box, the normal of the triangle, and the products of their edges. If that is an axis of the box, and the corner that is deepest along it lies under the face,
//! the contact is known. If they are apart, an axis of the box keeps them apart, and the closest corner lies over the face, then that is the closest point. In all other cases nothing is told: it is the turn of GJK and EPA.

use super::manifold::Contact;
use super::transform::Frame;
use crate::elementary::vec3::{Vec3, cross, dot, scale, sub};

/// Another axis may be less deep than a face by this share: contacts of faces do not become others because of rounding.
const BIAS: f64 = 1.0 - 1e-9;
/// Depths and gaps below this share of the sizes are rounding errors.
const CLEAR: f64 = 1e-12;

/// Where a box touches a triangle, with the normal toward the box.
pub fn touch(frame: &Frame, half: &Vec3, corners: &[Vec3; 3]) -> Option<Contact> {
    let local = corners.map(|corner| frame.to_local(corner));
    let (axis, side, depth) = least_face(half, &local);
    let size = half.iter().chain(local.iter().flatten()).fold(0.0f64, |most, x| most.max(x.abs()));
    if depth.abs() <= CLEAR * size {
        return None;
    }
    let height = |corner: &Vec3| side * corner[axis];
    let lowest = if height(&local[1]) < height(&local[0]) { 1 } else { 0 };
    let lowest = if height(&local[2]) < height(&local[lowest]) { 2 } else { lowest };
    let mut on_face = local[lowest];
    let is_over = (0..3).all(|i| i == axis || on_face[i].abs() <= half[i]);
    if !is_over || (depth > 0.0 && !others_are_deeper(half, &local, depth * BIAS)) {
        return None;
    }
    on_face[axis] = side * half[axis];
    let normal = scale(frame.axes[axis], -side);
    Some(Contact { normal, depth, on_a: frame.to_world(on_face), on_b: corners[lowest] })
}

/// The axis of the box along which it is least deep, or farthest apart; on which side the triangle is; and how deep.
fn least_face(half: &Vec3, corners: &[Vec3; 3]) -> (usize, f64, f64) {
    let mut least = (0, 1.0, f64::INFINITY);
    for axis in 0..3 {
        let [x, y, z] = [0, 1, 2].map(|corner: usize| corners[corner][axis]);
        let (above, below) = (half[axis] - x.min(y).min(z), half[axis] + x.max(y).max(z));
        let (side, depth) = if above <= below { (1.0, above) } else { (-1.0, below) };
        if depth < least.2 {
            least = (axis, side, depth);
        }
    }
    least
}

/// Whether both are deeper than this along the normal of the triangle and along all products of edges that are directions.
fn others_are_deeper(half: &Vec3, corners: &[Vec3; 3], depth: f64) -> bool {
    let edges = [sub(corners[1], corners[0]), sub(corners[2], corners[1]), sub(corners[0], corners[2])];
    let is_deeper = |axis: Vec3| {
        let heights = corners.map(|corner| dot(axis, corner));
        let reach = half[0] * axis[0].abs() + half[1] * axis[1].abs() + half[2] * axis[2].abs();
        let (least, most) =
            (heights[0].min(heights[1]).min(heights[2]), heights[0].max(heights[1]).max(heights[2]));
        let here = (reach - least).min(reach + most);
        here >= 0.0 && here * here >= depth * depth * dot(axis, axis)
    };
    is_deeper(cross(edges[0], edges[1]))
        && edges
            .iter()
            .all(|&[x, y, z]| is_deeper([0.0, -z, y]) && is_deeper([z, 0.0, -x]) && is_deeper([-y, x, 0.0]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::core::{Core, Placed};
    use crate::pipeline::dispatch;
    use crate::pipeline::epa::Polytope;
    use crate::pipeline::random;
    use crate::pipeline::transform::Transform;

    #[test]
    fn what_is_told_is_what_gjk_and_epa_find() {
        let mut state = 11;
        let mut polytope = Polytope::default();
        let (mut apart, mut deep) = (0, 0);
        for case in 0..20_000 {
            let rotation =
                if case % 5 == 0 { [0.0, 0.0, 0.0, 1.0] } else { [0; 4].map(|_| random(&mut state)) };
            let position = [0; 3].map(|_| random(&mut state));
            let frame = Frame::new(&Transform::new(position, rotation).unwrap());
            let half = [0; 3].map(|_| 0.6 + random(&mut state));
            let centre = [0; 3].map(|_| 3.0 * random(&mut state));
            let size = [0.1, 1.0, 3.0][case % 3];
            let mut corners = [0; 3].map(|_| [0, 1, 2].map(|axis| centre[axis] + size * random(&mut state)));
            if case % 7 == 0 {
                corners[2] = corners[1];
            }
            let Some(told) = touch(&frame, &half, &corners) else { continue };
            let a = Placed { core: Core::Box(half), frame, radius: 0.0 };
            let found = dispatch::contact(&a, &Placed::triangle(corners), 100.0, &mut polytope).unwrap();
            assert!((found.depth - told.depth).abs() < 1e-8, "case {case}: {} {}", found.depth, told.depth);
            let way = sub(sub(told.on_b, told.on_a), scale(told.normal, told.depth));
            assert!(dot(way, way) < 1e-20, "case {case}");
            (apart, deep) = (apart + usize::from(told.depth < 0.0), deep + usize::from(told.depth > 0.0));
        }
        assert!(apart > 1000 && deep > 1000, "{apart} {deep}");
    }
}
