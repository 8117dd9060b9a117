//! Two meshes: their triangles are found through their feature hierarchies, and each is a convex shape of its own.
//!
//! A mesh is a surface; what is wholly inside of it does not touch it. Triangles are tested in the order of their numbers, so the points do not depend on what the
//! hierarchy looks like.

use super::core::Placed;
use super::dispatch::{self, Body, Pair, Scratch};
use super::manifold::{self, Contact, ContactPoint, Manifold};
use super::near_triangles::{NearTriangles, TrianglePair, Waiting};
use super::transform::Frame;
use super::triangle_pair::Touch;
use super::{triangle_depth, triangle_gap};
use crate::bvh::{Tree, WIDTH};
use crate::elementary::vec3::{Vec3, extent};
use crate::memory::MemoryError;
use crate::mesh::Mesh;
use crate::simd::Level;

/// Pairs of triangles that are looked at in lanes before their points are added.
const CHUNK: usize = 64;

/// The corners of a triangle where the mesh is now, at t = 1.
#[inline]
pub(super) fn corners(mesh: &Mesh, triangle: u32) -> [Vec3; 3] {
    let [a, b, c] = mesh.features().triangles()[triangle as usize];
    [corner(mesh, a), corner(mesh, b), corner(mesh, c)]
}

#[inline]
fn corner(mesh: &Mesh, vertex: u32) -> Vec3 {
    let motion = &mesh.motions()[vertex as usize].0;
    [motion[4], motion[5], motion[6]]
}

/// `other` as seen from `frame`.
pub(super) fn relative(frame: &Frame, other: &Frame) -> Frame {
    Frame { origin: frame.to_local(other.origin), axes: other.axes.map(|axis| frame.unrotate(axis)) }
}

/// A little larger on all sides: by the margin, and by more than the rounding errors of changing frames.
pub(super) fn widened([lower, upper]: [Vec3; 2], margin: f64) -> [Vec3; 2] {
    let more = margin + 1e-12 * (extent(lower).max(extent(upper)) + margin);
    [lower.map(|x| x - more), upper.map(|x| x + more)]
}

/// A triangle where its mesh is.
pub(super) fn placed_triangle(mesh: &Mesh, triangle: u32, frame: &Frame) -> Placed<'static> {
    Placed::triangle(corners(mesh, triangle).map(|corner| frame.to_world(corner)))
}

/// Points closer than this are the same, on neighbouring triangles.
pub(super) fn same_point(size: f64) -> f64 {
    1e-4 * size
}

pub fn meshes(pair: &Pair<'_>, scratch: &mut Scratch, out: &mut Manifold) -> Result<(), MemoryError> {
    let (Some(a), Some(b)) = (MeshAt::of(&pair.a), MeshAt::of(&pair.b)) else { return Ok(()) };
    let Scratch { polytope, near, points, level, .. } = scratch;
    let margin = pair.margin;
    let frame = near.list(&a, &b, margin, *level)?;
    let size = b.tree.root().map_or(0.0, |root| {
        let planes = root.0.map(f64::from);
        (0..3).fold(0.0f64, |most, axis| most.max(-planes[6 + axis] - planes[9 + axis]))
    });
    for pairs in near.pairs.chunks(CHUNK) {
        points.clear();
        let mut result = Ok(());
        for (pair, touch) in pairs.iter().zip(touches(near, pairs, margin, *level)) {
            if let Touch::Apart = touch {
                continue;
            }
            let [a, b] = near.rows(pair).map(|row| Placed::triangle(row.corners()));
            let triangles = pair.triangles();
            let mut add_point = |point: ContactPoint| {
                if result.is_ok() {
                    result = points.push(ContactPoint { triangles, ..point });
                }
            };
            match touch {
                Touch::Apart => (),
                Touch::Point(contact) => add_point(contact.point(&a, &b)),
                Touch::Faces(contact) => manifold::convex(&a, &b, &contact, margin, &mut add_point),
                Touch::Unclear => dispatch::cores(&a, &b, margin, polytope, &mut add_point),
            }
        }
        result?;
        out.add_all_once(points, same_point(size), *level);
    }
    // Out of the axes of one of the meshes.
    for point in out.points_mut() {
        (point.point, point.normal) = (frame.to_world(point.point), frame.rotate(point.normal));
    }
    Ok(())
}

/// What pairs of triangles are to each other, at most [`CHUNK`] of them: in lanes, first those that seem to be apart, then all that are left.
fn touches(near: &NearTriangles, pairs: &[TrianglePair], margin: f64, level: Level) -> [Touch; CHUNK] {
    let mut touches = [Touch::Unclear; CHUNK];
    let mut gaps = Waiting::NONE;
    let mut tell = |place: usize, contact: Contact| {
        touches[place] = if contact.depth < -margin { Touch::Apart } else { Touch::Faces(contact) };
    };
    for (place, pair) in pairs.iter().enumerate() {
        if pair.is_apart && gaps.add(near.rows(pair), place) {
            triangle_gap::solve(&mut gaps, level, &mut tell);
        }
    }
    triangle_gap::solve(&mut gaps, level, &mut tell);
    let mut depths = Waiting::NONE;
    for (place, pair) in pairs.iter().enumerate() {
        if let Touch::Unclear = touches[place]
            && depths.add(near.rows(pair), place)
        {
            triangle_depth::solve(&mut depths, level, margin, &mut |place, touch| touches[place] = touch);
        }
    }
    triangle_depth::solve(&mut depths, level, margin, &mut |place, touch| touches[place] = touch);
    touches
}

/// A mesh and where it is.
pub(super) struct MeshAt<'a> {
    pub mesh: &'a Mesh,
    pub tree: &'a Tree,
    pub frame: Frame,
}

impl<'a> MeshAt<'a> {
    pub fn of(body: &Body<'a>) -> Option<MeshAt<'a>> {
        body.mesh.map(|(mesh, tree)| MeshAt { mesh, tree, frame: body.frame })
    }
}

/// Goes down where `enter` says so of a node's box, and tells the leaves.
pub(super) fn below(
    tree: &Tree,
    (level, group): (usize, usize),
    enter: &mut dyn FnMut([f64; 3], [f64; 3]) -> bool,
    found: &mut dyn FnMut(usize),
) {
    let boxes = tree.group(level, group);
    let children = WIDTH.min(tree.box_count(level) - group * WIDTH);
    for child in 0..children {
        let planes = boxes.get(child).0.map(f64::from);
        let lower = [0, 1, 2].map(|axis| planes[axis].min(planes[6 + axis]));
        let upper = [0, 1, 2].map(|axis| (-planes[3 + axis]).max(-planes[9 + axis]));
        if !enter(lower, upper) {
            continue;
        }
        let child = group * WIDTH + child;
        if level > 0 {
            below(tree, (level - 1, child), enter, found);
        } else {
            found(child);
        }
    }
}
