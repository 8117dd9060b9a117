//! Dual cones (FASTCD paper, section 4): one around the normals of a patch, one around the binormals of those of its edges that are on the boundary of the mesh.
//!
//! A connected patch that collides with itself has a cone of normals of at least a right angle, or the axis of the normals lies in the cone of the binormals, in one direction or
//! the other (theorem 4.2). But that is true of all edges around the patch, and only those at the boundary of the mesh are looked at (section 4.2, "internal boundary edges"): so
//! contacts may be missed. Nothing here claims to be exact, and rounding is not looked at.
//!
//! During the motion normals are quadratics and binormals cubics in t; cones are around their control vectors (section 4.3).

use super::access::TreeAccess;
use super::groups::Group;
use super::tree::WIDTH;
use crate::mesh::NO_EDGE;

type Vector = [f64; 3];

/// Directions that are not farther than `angle` from `axis`. Negative for none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    axis: [f32; 3],
    angle: f32,
}

/// The cones of a patch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualCone {
    normals: Cone,
    binormals: Cone,
}

const PI: f64 = std::f64::consts::PI;

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// s a + r b
fn sum(s: f64, a: Vector, r: f64, b: Vector) -> Vector {
    std::array::from_fn(|i| s * a[i] + r * b[i])
}

fn unit(a: Vector) -> Option<Vector> {
    let length = dot(a, a).sqrt();
    (length > 0.0 && length.is_finite()).then(|| a.map(|x| x / length))
}

impl Cone {
    pub const EMPTY: Cone = Cone { axis: [0.0; 3], angle: -1.0 };
    const WHOLE: Cone = Cone { axis: [0.0, 0.0, 1.0], angle: PI as f32 };

    fn new(axis: Vector, angle: f64) -> Cone {
        Cone { axis: axis.map(|x| x as f32), angle: angle as f32 }
    }

    fn is_empty(&self) -> bool {
        self.angle < 0.0
    }

    fn axis(&self) -> Vector {
        self.axis.map(f64::from)
    }

    /// Around some vectors, which become unit vectors; everything, if one of them has no direction.
    fn around(vectors: &mut [Vector]) -> Cone {
        if vectors.is_empty() {
            return Cone::EMPTY;
        }
        let mut all = [0.0; 3];
        for vector in vectors.iter_mut() {
            let Some(direction) = unit(*vector) else { return Cone::WHOLE };
            *vector = direction;
            all = sum(1.0, all, 1.0, direction);
        }
        let Some(axis) = unit(all) else { return Cone::WHOLE };
        let least = vectors.iter().map(|&vector| dot(axis, vector)).fold(1.0, f64::min);
        Cone::new(axis, least.max(-1.0).acos())
    }

    /// Around two cones.
    fn merge(self, other: Cone) -> Cone {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        let (wide, narrow) = if self.angle >= other.angle { (self, other) } else { (other, self) };
        let (axis, far) = (wide.axis(), narrow.axis());
        let between = dot(axis, far).clamp(-1.0, 1.0).acos();
        let (wide_angle, narrow_angle) = (wide.angle as f64, narrow.angle as f64);
        if between + narrow_angle <= wide_angle {
            return wide;
        }
        let angle = 0.5 * (between + wide_angle + narrow_angle);
        // from the one axis towards the other
        let across = unit(sum(1.0, far, -dot(axis, far), axis));
        let Some(across) = across.filter(|_| angle < PI) else { return Cone::WHOLE };
        let turn = angle - wide_angle;
        Cone::new(sum(turn.cos(), axis, turn.sin(), across), angle)
    }
}

impl DualCone {
    pub const EMPTY: DualCone = DualCone { normals: Cone::EMPTY, binormals: Cone::EMPTY };

    pub fn merge(self, other: DualCone) -> DualCone {
        DualCone {
            normals: self.normals.merge(other.normals),
            binormals: self.binormals.merge(other.binormals),
        }
    }

    /// Whether theorem 4.2 lets a connected patch with these cones be culled.
    pub fn excludes_contacts(&self) -> bool {
        let DualCone { normals, binormals } = self;
        let is_narrow = (normals.angle as f64) < 0.5 * PI;
        let looks_past = || dot(normals.axis(), binormals.axis()).abs() < (binormals.angle as f64).cos();
        is_narrow && (binormals.is_empty() || looks_past())
    }
}

impl TreeAccess<'_> {
    /// The cones of a leaf.
    pub(super) fn cones_of_leaf(&self, leaf: usize) -> DualCone {
        let faces = self.faces(leaf);
        let motions = self.mesh.local_motions();
        let mut normals = [[0.0; 3]; 3 * WIDTH];
        // four control vectors for each edge
        let mut binormals = [[0.0; 3]; 12 * WIDTH];
        let mut binormal_count = 0;
        let count = faces.count();
        for lane in 0..count {
            let corners = [0, 1, 2].map(|corner| &motions[faces.corners[corner][lane] as usize].0);
            let at = |corner: usize, end: usize| -> Vector {
                std::array::from_fn(|axis| corners[corner % 3][4 * end + axis] as f64)
            };
            let edge = |side: usize, end: usize| sum(1.0, at(side + 1, end), -1.0, at(side, end));
            let [e0, e1, f0, f1] = [edge(0, 0), edge(0, 1), edge(1, 0), edge(1, 1)];
            let middle = sum(0.5, cross(e0, f1), 0.5, cross(e1, f0));
            let [n0, n1, n2] = [cross(e0, f0), middle, cross(e1, f1)];
            normals[3 * lane..3 * lane + 3].copy_from_slice(&[n0, n1, n2]);
            let edges = self.mesh.features().edges_of_triangles()[faces.triangles[lane] as usize];
            for (side, &number) in edges.iter().enumerate() {
                if number == NO_EDGE || !self.outlines.is_boundary(number) {
                    continue;
                }
                let [e0, e1] = [edge(side, 0), edge(side, 1)];
                let third = 1.0 / 3.0;
                let control = [
                    cross(e0, n0),
                    sum(2.0 * third, cross(e0, n1), third, cross(e1, n0)),
                    sum(third, cross(e0, n2), 2.0 * third, cross(e1, n1)),
                    cross(e1, n2),
                ];
                binormals[binormal_count..binormal_count + 4].copy_from_slice(&control);
                binormal_count += 4;
            }
        }
        DualCone {
            normals: Cone::around(&mut normals[..3 * count]),
            binormals: Cone::around(&mut binormals[..binormal_count]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contains(cone: &Cone, vector: Vector) -> bool {
        let cosine = dot(cone.axis(), unit(vector).expect("a direction")).clamp(-1.0, 1.0);
        cosine.acos() <= cone.angle as f64 + 1e-3
    }

    #[test]
    fn a_merged_cone_is_around_both() {
        let grid = || (-2..=2).flat_map(|x| (-2..=2).flat_map(move |y| (-2..=2).map(move |z| [x, y, z])));
        let vectors: Vec<Vector> = grid().map(|v| v.map(f64::from)).filter(|&v| v != [0.0; 3]).collect();
        for first in vectors.windows(2) {
            for second in vectors.chunks(3) {
                let merged = Cone::around(&mut first.to_vec()).merge(Cone::around(&mut second.to_vec()));
                assert!(first.iter().chain(second).all(|&v| contains(&merged, v)), "{first:?} {second:?}");
                assert!(merged.angle as f64 <= PI + 1e-6);
            }
        }
    }

    #[test]
    fn nothing_is_excluded_without_normals() {
        let flat = Cone::around(&mut [[0.0, 0.0, 1.0]]);
        let none = Cone::around(&mut [[0.0, 0.0, 1.0], [0.0; 3]]);
        assert!(DualCone { normals: flat, binormals: Cone::EMPTY }.excludes_contacts());
        assert!(!DualCone { normals: none, binormals: Cone::EMPTY }.excludes_contacts());
        // a boundary on all sides, and one on one side
        let around = Cone::around(&mut [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]);
        assert!(!DualCone { normals: flat, binormals: around }.excludes_contacts());
        let side = Cone::around(&mut [[1.0, 0.1, 0.0], [1.0, -0.1, 0.0]]);
        assert!(DualCone { normals: flat, binormals: side }.excludes_contacts());
    }
}
