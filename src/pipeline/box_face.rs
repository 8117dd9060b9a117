//! Two boxes that touch with a face of one: the face of the other that lies against it, clipped by its sides.
//!
//! The same as `manifold::clip` for any two polygons, in the axes of the box whose face it is: sides are where a coordinate has a value.

use super::manifold::{ContactPoint, NO_TRIANGLE};
use super::transform::Frame;
use crate::elementary::vec3::{Vec3, add, dot, scale};

/// Corners after a clip: each side adds one at most.
const CLIPPED: usize = 8;

/// A box at its place.
pub struct Placed<'a> {
    pub frame: &'a Frame,
    pub half: &'a [f64; 3],
}

/// Points of one contact.
pub struct Points {
    pub normal: Vec3,
    pub points: [ContactPoint; CLIPPED],
    pub len: usize,
}

/// Clips what lies against the face of `owner` across its axis. `outward` is 1 or −1, the side of the axis, and `normal` the direction of the contact, along or against it; `depth` is that of the contact. Gaps of more than `margin` are left out.
pub fn clip(
    owner: &Placed<'_>,
    (axis, outward): (usize, f64),
    other: &Placed<'_>,
    normal: Vec3,
    depth: f64,
    margin: f64,
) -> Points {
    let toward = scale(owner.frame.axes[axis], outward);
    // The face of the other box that looks against it most.
    let cosines = other.frame.axes.map(|axis| dot(axis, toward));
    let facing = (1..3).fold(0, |best, i| if cosines[i].abs() > cosines[best].abs() { i } else { best });
    let side = if cosines[facing] > 0.0 { -other.half[facing] } else { other.half[facing] };
    let (s, t) = ((facing + 1) % 3, (facing + 2) % 3);
    // In the axes of the owner: its face is a rectangle around the origin.
    let centre = owner.frame.to_local(add(other.frame.origin, scale(other.frame.axes[facing], side)));
    let [along_s, along_t] = [s, t].map(|i| scale(owner.frame.unrotate(other.frame.axes[i]), other.half[i]));
    let corner = |s: f64, t: f64| [0, 1, 2].map(|i| centre[i] + s * along_s[i] + t * along_t[i]);
    let mut polygon = [[0.0; 3]; CLIPPED];
    polygon[..4].copy_from_slice(&[
        corner(1.0, 1.0),
        corner(-1.0, 1.0),
        corner(-1.0, -1.0),
        corner(1.0, -1.0),
    ]);
    let mut len = 4;
    for i in [(axis + 1) % 3, (axis + 2) % 3] {
        for sign in [1.0, -1.0] {
            len = cut(&mut polygon, len, |corner| owner.half[i] - sign * corner[i]);
        }
    }
    let empty = ContactPoint { point: [0.0; 3], normal, depth, triangles: [NO_TRIANGLE; 2] };
    let mut found = Points { normal, points: [empty; CLIPPED], len: 0 };
    let away = if dot(normal, toward) > 0.0 { -0.5 } else { 0.5 };
    for corner in &polygon[..len] {
        // Nothing is deeper than the contact.
        let gap = (outward * corner[axis] - owner.half[axis]).max(-depth);
        if gap <= margin {
            // Halfway between the corner and the face.
            let point = add(owner.frame.to_world(*corner), scale(normal, away * gap));
            found.points[found.len] = ContactPoint { point, depth: -gap, ..empty };
            found.len += 1;
        }
    }
    found
}

/// Cuts off what is outside of a plane, and says how many corners are left.
#[inline(always)]
fn cut(polygon: &mut [Vec3; CLIPPED], len: usize, height: impl Fn(&Vec3) -> f64) -> usize {
    let mut heights = [0.0; CLIPPED];
    let mut is_cut = false;
    for (height_of, corner) in heights[..len].iter_mut().zip(polygon.iter()) {
        *height_of = height(corner);
        is_cut |= *height_of < 0.0;
    }
    if !is_cut {
        return len;
    }
    let old = *polygon;
    let mut kept = 0;
    for i in 0..len {
        let next = if i + 1 < len { i + 1 } else { 0 };
        let (h, n) = (heights[i], heights[next]);
        if h >= 0.0 && kept < CLIPPED {
            polygon[kept] = old[i];
            kept += 1;
        }
        if (h < 0.0) != (n < 0.0) && kept < CLIPPED {
            let t = h / (h - n);
            polygon[kept] = [0, 1, 2].map(|k| old[i][k] + t * (old[next][k] - old[i][k]));
            kept += 1;
        }
    }
    kept
}
