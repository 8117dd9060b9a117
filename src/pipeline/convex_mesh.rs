//! A mesh and a convex shape: its triangles are found through its feature hierarchy, and each is a convex shape of its own, as between two meshes.

use super::box_triangle;
use super::core::Core;
use super::dispatch::{self, Body, Pair, Scratch};
use super::manifold::{self, ContactPoint, Manifold};
use super::mesh_pairs::{below, corners, placed_triangle, relative, same_point, widened};
use super::part;
use super::shapes::Shape;
use super::transform::Frame;
use crate::bvh::{Group, Tree};
use crate::elementary::vec3::{Vec3, extent, sub};
use crate::memory::{Buffer, MemoryError};
use crate::mesh::Mesh;

pub fn test(pair: &Pair<'_>, scratch: &mut Scratch, out: &mut Manifold) -> Result<(), MemoryError> {
    let Body { frame, mesh: Some((mesh, tree)), .. } = pair.b else { return Ok(()) };
    let Some(convex) = pair.a.shape.placed(pair.a.frame) else { return Ok(()) };
    let around = pair.a.shape.bounds(&relative(&frame, &pair.a.frame), None);
    let size = extent(sub(around[1], around[0]));
    let Scratch { polytope, triangles, .. } = scratch;
    triangles.clear();
    let around = widened(around, pair.margin);
    if let Shape::Box { half } = pair.a.shape {
        let near =
            NearBox { around, half: *half, seen: relative(&pair.a.frame, &frame), margin: pair.margin };
        near.list(mesh, tree, triangles)?;
    } else {
        let mut result = Ok(());
        tree.overlap(mesh, around[0], around[1], &mut |triangle| {
            if result.is_ok() {
                result = triangles.push(triangle);
            }
        });
        result?;
    }
    triangles.sort_unstable();
    for &triangle in triangles.iter() {
        let placed = placed_triangle(mesh, triangle, &frame);
        if part::by_plane(&placed, &convex, pair.margin) {
            continue;
        }
        let mut add_point = |mut point: ContactPoint| {
            point.triangles[1] = triangle;
            out.add_once(point, same_point(size));
        };
        let known = match (pair.a.shape, &placed.core) {
            (Shape::Box { half }, Core::Triangle(corners)) => {
                box_triangle::touch(&pair.a.frame, half, corners)
            }
            _ => None,
        };
        match known {
            Some(contact) if contact.depth < -pair.margin => (),
            Some(contact) => manifold::convex(&convex, &placed, &contact, pair.margin, &mut add_point),
            None => dispatch::cores(&convex, &placed, pair.margin, polytope, &mut add_point),
        }
    }
    Ok(())
}

/// What is close to a box, seen along the axes of both: the ground is a large box, and turned against it a mesh has all of its triangles in the box around the ground.
struct NearBox {
    /// The box around the box in the axes of the mesh.
    around: [Vec3; 2],
    half: Vec3,
    /// The mesh as seen from the box.
    seen: Frame,
    margin: f64,
}

impl NearBox {
    fn list(&self, mesh: &Mesh, tree: &Tree, triangles: &mut Buffer<u32>) -> Result<(), MemoryError> {
        let Some(top) = tree.level_count().checked_sub(1) else { return Ok(()) };
        let mut result = Ok(());
        below(tree, (top, 0), &mut |lower, upper| self.may_meet(lower, upper), &mut |leaf| {
            let faces = tree.faces(leaf);
            for &triangle in &faces.triangles[..faces.count()] {
                if result.is_ok() && self.may_meet_triangle(corners(mesh, triangle)) {
                    result = triangles.push(triangle);
                }
            }
        });
        result
    }

    /// A box in the axes of the mesh.
    fn may_meet(&self, lower: Vec3, upper: Vec3) -> bool {
        let [least, most] = &self.around;
        if (0..3).any(|axis| lower[axis] > most[axis] || upper[axis] < least[axis]) {
            return false;
        }
        let half = [0, 1, 2].map(|i| 0.5 * (upper[i] - lower[i]));
        let centre = self.seen.to_world([0, 1, 2].map(|i| 0.5 * (upper[i] + lower[i])));
        let reach = |axis: usize| (0..3).map(|i| self.seen.axes[i][axis].abs() * half[i]).sum::<f64>();
        (0..3).all(|axis| {
            let reach = reach(axis);
            self.is_within(axis, centre[axis] - reach, centre[axis] + reach)
        })
    }

    fn may_meet_triangle(&self, corners: [Vec3; 3]) -> bool {
        let [a, b, c] = corners.map(|corner| self.seen.to_world(corner));
        (0..3).all(|i| self.is_within(i, a[i].min(b[i]).min(c[i]), a[i].max(b[i]).max(c[i])))
    }

    /// Whether a range along an axis of the box comes within the margin; with more than the rounding errors of changing frames.
    fn is_within(&self, axis: usize, least: f64, most: f64) -> bool {
        let reach = self.half[axis] + self.margin;
        let reach = reach + 1e-12 * (reach + extent(self.seen.origin) + least.abs().max(most.abs()));
        least <= reach && most >= -reach
    }
}
