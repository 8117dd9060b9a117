//! Meshes: their triangles are found through their feature hierarchies, and each is a convex shape of its own.
//!
//! A mesh is a surface; what is wholly inside of it does not touch it. Triangles are tested in the order of their numbers, so the points do not depend on what the
//! hierarchy looks like.

use super::core::Placed;
use super::dispatch::{self, Body, Pair, Scratch};
use super::manifold::Manifold;
use super::part;
use super::transform::Frame;
use crate::bvh::{Group, MovingBox, Reach, Tree, WIDTH, resting};
use crate::elementary::vec3::{Vec3, extent, sub};
use crate::memory::{Buffer, MemoryError};
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

/// A triangle where its mesh is.
fn placed_triangle(mesh: &Mesh, triangle: u32, frame: &Frame) -> Placed<'static> {
    Placed::triangle(corners(mesh, triangle).map(|corner| frame.to_world(corner)))
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
        if part::by_plane(&placed, &convex, pair.margin) {
            continue;
        }
        dispatch::cores(&convex, &placed, pair.margin, polytope, &mut |mut point| {
            point.triangles[1] = triangle;
            out.add_once(point, same_point(size));
        });
    }
    Ok(())
}

pub fn meshes(pair: &Pair<'_>, scratch: &mut Scratch, out: &mut Manifold) -> Result<(), MemoryError> {
    let (Some(a), Some(b)) = (MeshAt::of(&pair.a), MeshAt::of(&pair.b)) else { return Ok(()) };
    let Scratch { polytope, triangle_pairs, .. } = scratch;
    list_pairs(&a, &b, pair.margin, triangle_pairs)?;
    let size = b.tree.root().map_or(0.0, |root| {
        let planes = root.0.map(f64::from);
        (0..3).fold(0.0f64, |most, axis| most.max(-planes[6 + axis] - planes[9 + axis]))
    });
    for &[first, second] in triangle_pairs.iter() {
        let placed_a = placed_triangle(a.mesh, first, &a.frame);
        let placed_b = placed_triangle(b.mesh, second, &b.frame);
        dispatch::cores(&placed_a, &placed_b, pair.margin, polytope, &mut |mut point| {
            point.triangles = [first, second];
            out.add_once(point, same_point(size));
        });
    }
    Ok(())
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

/// Lists all pairs of triangles of two meshes that may be within a distance, in order. Pairs that are farther apart may be among them.
pub(super) fn list_pairs(
    a: &MeshAt<'_>,
    b: &MeshAt<'_>,
    distance: f64,
    pairs: &mut Buffer<[u32; 2]>,
) -> Result<(), MemoryError> {
    pairs.clear();
    let mut result = Ok(());
    // The triangles of the mesh with fewer of them, seen from the other mesh.
    let a_is_inner = a.mesh.triangle_count() < b.mesh.triangle_count();
    let (outer, inner) = if a_is_inner { (b, a) } else { (a, b) };
    candidates(outer, inner, distance, &mut |of_outer, of_inner| {
        if result.is_ok() {
            result = pairs.push(if a_is_inner { [of_inner, of_outer] } else { [of_outer, of_inner] });
        }
    });
    result?;
    pairs.sort_unstable();
    Ok(())
}

/// Pairs of triangles, of the outer and of the inner mesh, that neither their boxes along the axes of the outer one nor their planes show to be farther apart than the distance.
fn candidates(outer: &MeshAt<'_>, inner: &MeshAt<'_>, distance: f64, found: &mut dyn FnMut(u32, u32)) {
    let (Some(root), Some(top)) = (outer.tree.root(), inner.tree.level_count().checked_sub(1)) else {
        return;
    };
    let to_outer = relative(&outer.frame, &inner.frame);
    let planes = root.0.map(f64::from);
    let whole = [
        [0, 1, 2].map(|axis| planes[axis].min(planes[6 + axis])),
        [0, 1, 2].map(|axis| (-planes[3 + axis]).max(-planes[9 + axis])),
    ];
    let meets = |around: [Vec3; 2]| {
        let [lower, upper] = widened(around, distance);
        (0..3).all(|axis| lower[axis] <= whole[1][axis] && upper[axis] >= whole[0][axis])
    };
    below(
        inner.tree,
        (top, 0),
        &mut |lower, upper| {
            let half = [0, 1, 2].map(|i| 0.5 * (upper[i] - lower[i]));
            let centre = to_outer.to_world([0, 1, 2].map(|i| 0.5 * (upper[i] + lower[i])));
            let reach =
                [0, 1, 2].map(|axis| (0..3).map(|i| to_outer.axes[i][axis].abs() * half[i]).sum::<f64>());
            meets([[0, 1, 2].map(|i| centre[i] - reach[i]), [0, 1, 2].map(|i| centre[i] + reach[i])])
        },
        &mut |leaf| leaf_candidates(outer, inner, leaf, &to_outer, distance, &meets, found),
    );
}

/// All triangles of a leaf of the inner mesh at once.
fn leaf_candidates(
    outer: &MeshAt<'_>,
    inner: &MeshAt<'_>,
    leaf: usize,
    to_outer: &Frame,
    distance: f64,
    meets: &dyn Fn([Vec3; 2]) -> bool,
    found: &mut dyn FnMut(u32, u32),
) {
    let faces = inner.tree.faces(leaf);
    let mut own = [(0, MovingBox([0.0; 16]), Placed::triangle([[0.0; 3]; 3])); WIDTH];
    let mut count = 0;
    let mut all = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for &triangle in &faces.triangles[..faces.count()] {
        let at = corners(inner.mesh, triangle).map(|corner| to_outer.to_world(corner));
        let lower = [0, 1, 2].map(|i| at[0][i].min(at[1][i]).min(at[2][i]));
        let upper = [0, 1, 2].map(|i| at[0][i].max(at[1][i]).max(at[2][i]));
        if meets([lower, upper]) {
            let [lower, upper] = widened([lower, upper], distance);
            own[count] = (triangle, resting(lower, upper), Placed::triangle(at));
            count += 1;
            all = [[0, 1, 2].map(|i| all[0][i].min(lower[i])), [0, 1, 2].map(|i| all[1][i].max(upper[i]))];
        }
    }
    if count == 0 {
        return;
    }
    outer.tree.overlap_leaves(all[0], all[1], &mut |outer_leaf| {
        let faces = outer.tree.faces(outer_leaf);
        for (triangle, around, placed) in &own[..count] {
            let mut hits = around.broadcast::<[f32; 8]>().meets(&faces.boxes, &Reach::new(0.0));
            hits &= (1 << faces.count()) - 1;
            while hits != 0 {
                let other = faces.triangles[hits.trailing_zeros() as usize];
                hits &= hits - 1;
                let other_placed = Placed::triangle(corners(outer.mesh, other));
                if !part::by_plane(placed, &other_placed, distance)
                    && !part::by_plane(&other_placed, placed, distance)
                {
                    found(other, *triangle);
                }
            }
        }
    });
}

/// Goes down where `enter` says so of a node's box, and tells the leaves.
fn below(
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
