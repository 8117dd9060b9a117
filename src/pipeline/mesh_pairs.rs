//! Meshes: their triangles are found through their feature hierarchies, and each is a convex shape of its own.
//!
//! A mesh is a surface; what is wholly inside of it does not touch it. Triangles are tested in the order of their numbers, so the points do not depend on what the
//! hierarchy looks like.

use super::core::{Core, Placed};
use super::dispatch::{self, Body, Pair, Scratch};
use super::manifold::Manifold;
use super::transform::Frame;
use crate::bvh::{Group, Tree, WIDTH};
use crate::elementary::vec3::{Vec3, extent, sub};
use crate::memory::MemoryError;
use crate::mesh::Mesh;

/// The corners of a triangle where the mesh is now, at t = 1.
pub(super) fn corners(mesh: &Mesh, triangle: u32) -> [Vec3; 3] {
    mesh.features().triangles()[triangle as usize].map(|vertex| {
        let motion = &mesh.motions()[vertex as usize].0;
        [motion[4], motion[5], motion[6]]
    })
}

/// `other` as seen from `frame`.
fn relative(frame: &Frame, other: &Frame) -> Frame {
    Frame { origin: frame.to_local(other.origin), axes: other.axes.map(|axis| frame.unrotate(axis)) }
}

/// A little larger on all sides: by the margin, and by more than the rounding errors of changing frames.
fn widened([lower, upper]: [Vec3; 2], margin: f64) -> [Vec3; 2] {
    let more = margin + 1e-12 * (extent(lower).max(extent(upper)) + margin);
    [lower.map(|x| x - more), upper.map(|x| x + more)]
}

fn placed_triangle<'a>(mesh: &Mesh, triangle: u32, frame: &Frame) -> Placed<'a> {
    Placed { core: Core::Triangle(corners(mesh, triangle)), frame: *frame, radius: 0.0 }
}

/// Points closer than this are the same, on neighbouring triangles.
fn same_point(size: f64) -> f64 {
    1e-4 * size
}

pub fn convex_mesh(pair: &Pair<'_>, scratch: &mut Scratch, out: &mut Manifold) -> Result<(), MemoryError> {
    let Body { frame, mesh: Some((mesh, tree)), .. } = pair.b else { return Ok(()) };
    let Some(convex) = pair.a.shape.placed(pair.a.frame) else { return Ok(()) };
    let around = pair.a.shape.bounds(&relative(&frame, &pair.a.frame), None);
    let size = extent(sub(around[1], around[0]));
    let [lower, upper] = widened(around, pair.margin);
    let Scratch { polytope, triangles, .. } = scratch;
    triangles.clear();
    let mut result = Ok(());
    tree.overlap(mesh, lower, upper, &mut |triangle| {
        if result.is_ok() {
            result = triangles.push(triangle);
        }
    });
    result?;
    triangles.sort_unstable();
    for &triangle in triangles.iter() {
        let placed = placed_triangle(mesh, triangle, &frame);
        dispatch::cores(&convex, &placed, pair.margin, polytope, &mut |mut point| {
            point.triangles[1] = triangle;
            out.add_once(point, same_point(size));
        });
    }
    Ok(())
}

pub fn meshes(pair: &Pair<'_>, scratch: &mut Scratch, out: &mut Manifold) -> Result<(), MemoryError> {
    let (Body { mesh: Some((mesh_a, tree_a)), .. }, Body { mesh: Some((mesh_b, tree_b)), .. }) =
        (pair.a, pair.b)
    else {
        return Ok(());
    };
    let (frame_a, frame_b) = (pair.a.frame, pair.b.frame);
    let Scratch { polytope, triangle_pairs, .. } = scratch;
    triangle_pairs.clear();
    let mut result = Ok(());
    // The triangles of the mesh with fewer of them, each as a box in the other mesh.
    let a_is_smaller = mesh_a.triangle_count() < mesh_b.triangle_count();
    let mut found = |outer: u32, inner: u32| {
        if result.is_ok() {
            result = triangle_pairs.push(if a_is_smaller { [inner, outer] } else { [outer, inner] });
        }
    };
    if a_is_smaller {
        candidates((mesh_b, tree_b, &frame_b), (mesh_a, tree_a, &frame_a), pair.margin, &mut found);
    } else {
        candidates((mesh_a, tree_a, &frame_a), (mesh_b, tree_b, &frame_b), pair.margin, &mut found);
    }
    result?;
    triangle_pairs.sort_unstable();
    let size = tree_b.root().map_or(0.0, |root| {
        let planes = root.0.map(f64::from);
        (0..3).fold(0.0f64, |most, axis| most.max(-planes[6 + axis] - planes[9 + axis]))
    });
    for &[first, second] in triangle_pairs.iter() {
        let a = placed_triangle(mesh_a, first, &frame_a);
        let b = placed_triangle(mesh_b, second, &frame_b);
        dispatch::cores(&a, &b, pair.margin, polytope, &mut |mut point| {
            point.triangles = [first, second];
            out.add_once(point, same_point(size));
        });
    }
    Ok(())
}

/// Pairs of triangles, of the outer and of the inner mesh, whose boxes along the axes of the outer one overlap.
fn candidates(
    (outer, outer_tree, outer_frame): (&Mesh, &Tree, &Frame),
    (inner, inner_tree, inner_frame): (&Mesh, &Tree, &Frame),
    margin: f64,
    found: &mut dyn FnMut(u32, u32),
) {
    let (Some(root), Some(top)) = (outer_tree.root(), inner_tree.level_count().checked_sub(1)) else {
        return;
    };
    let to_outer = relative(outer_frame, inner_frame);
    let planes = root.0.map(f64::from);
    let whole = [
        [0, 1, 2].map(|axis| planes[axis].min(planes[6 + axis])),
        [0, 1, 2].map(|axis| (-planes[3 + axis]).max(-planes[9 + axis])),
    ];
    let meets = |around: [Vec3; 2]| {
        let [lower, upper] = widened(around, margin);
        (0..3).all(|axis| lower[axis] <= whole[1][axis] && upper[axis] >= whole[0][axis])
    };
    below(
        inner_tree,
        (top, 0),
        &mut |lower, upper| {
            let half = [0, 1, 2].map(|i| 0.5 * (upper[i] - lower[i]));
            let centre = to_outer.to_world([0, 1, 2].map(|i| 0.5 * (upper[i] + lower[i])));
            let reach =
                [0, 1, 2].map(|axis| (0..3).map(|i| to_outer.axes[i][axis].abs() * half[i]).sum::<f64>());
            meets([[0, 1, 2].map(|i| centre[i] - reach[i]), [0, 1, 2].map(|i| centre[i] + reach[i])])
        },
        &mut |triangle| {
            let at = corners(inner, triangle).map(|corner| to_outer.to_world(corner));
            let lower = [0, 1, 2].map(|i| at[0][i].min(at[1][i]).min(at[2][i]));
            let upper = [0, 1, 2].map(|i| at[0][i].max(at[1][i]).max(at[2][i]));
            if meets([lower, upper]) {
                let [lower, upper] = widened([lower, upper], margin);
                outer_tree.overlap(outer, lower, upper, &mut |other| found(other, triangle));
            }
        },
    );
}

/// Goes down where `enter` says so of a node's box, and tells the triangles.
fn below(
    tree: &Tree,
    (level, group): (usize, usize),
    enter: &mut dyn FnMut([f64; 3], [f64; 3]) -> bool,
    found: &mut dyn FnMut(u32),
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
            let faces = tree.faces(child);
            for lane in 0..faces.count() {
                found(faces.triangles[lane]);
            }
        }
    }
}
