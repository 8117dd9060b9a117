//! Two meshes: their triangles are found through their feature hierarchies, and each is a convex shape of its own.
//!
//! A mesh is a surface; what is wholly inside of it does not touch it. Triangles are tested in the order of their numbers, so the points do not depend on what the
//! hierarchy looks like.

use super::core::Placed;
use super::dispatch::{self, Body, Pair, Scratch};
use super::manifold::{self, Contact, ContactPoint, Manifold};
use super::transform::Frame;
use super::triangle_axes::{self, Triangles8};
use super::triangle_gap::Waiting;
use super::triangle_pair::{self, Touch};
use crate::bvh::{BoxGroup, Group, Reach, Tree, WIDTH};
use crate::elementary::vec3::{Vec3, add, extent, sub};
use crate::memory::{Buffer, MemoryError};
use crate::mesh::Mesh;
use crate::simd::{self, Doubles, Floats8, Kernel, Level};

/// Pairs of triangles whose closest points are found before their points are added, one after the other.
const CHUNK: usize = 32;

/// The corners of a triangle where the mesh is now, at t = 1.
pub(super) fn corners(mesh: &Mesh, triangle: u32) -> [Vec3; 3] {
    mesh.features().triangles()[triangle as usize].map(|vertex| {
        let motion = &mesh.motions()[vertex as usize].0;
        [motion[4], motion[5], motion[6]]
    })
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
    let Scratch { polytope, triangle_pairs, level, .. } = scratch;
    let margin = pair.margin;
    list_pairs(&a, &b, margin, *level, triangle_pairs)?;
    let size = b.tree.root().map_or(0.0, |root| {
        let planes = root.0.map(f64::from);
        (0..3).fold(0.0f64, |most, axis| most.max(-planes[6 + axis] - planes[9 + axis]))
    });
    let mut corners_of = Corners { a: &a, b: &b, known: (u32::MAX, [[0.0; 3]; 3]) };
    for pairs in triangle_pairs.chunks(CHUNK) {
        let sides: [[[Vec3; 3]; 2]; CHUNK] = std::array::from_fn(|place| {
            pairs.get(place).map_or([[[0.0; 3]; 3]; 2], |pair| corners_of.get(pair))
        });
        let gaps = gaps(pairs, &sides, *level);
        for ((pair, [corners_a, corners_b]), gap) in pairs.iter().zip(&sides).zip(&gaps) {
            if gap.is_some_and(|gap| gap.depth < -margin) {
                continue;
            }
            let (placed_a, placed_b) = (Placed::triangle(*corners_a), Placed::triangle(*corners_b));
            let mut add_point = |mut point: ContactPoint| {
                point.triangles = [pair.of_a, pair.of_b];
                out.add_once(point, same_point(size));
            };
            let touch = match gap {
                Some(gap) => Touch::Faces(*gap),
                None => triangle_pair::touch(corners_a, corners_b, margin),
            };
            match touch {
                Touch::Apart => (),
                Touch::Point(contact) => add_point(contact.point(&placed_a, &placed_b)),
                Touch::Faces(contact) => {
                    manifold::convex(&placed_a, &placed_b, &contact, margin, &mut add_point);
                }
                Touch::Unclear => dispatch::cores(&placed_a, &placed_b, margin, polytope, &mut add_point),
            }
        }
    }
    Ok(())
}

/// The closest points of those pairs of triangles that are apart, as far as they are easily told.
fn gaps(pairs: &[TrianglePair], sides: &[[[Vec3; 3]; 2]; CHUNK], level: Level) -> [Option<Contact>; CHUNK] {
    let mut gaps = [None; CHUNK];
    let mut waiting = Waiting::NONE;
    let mut tell = |place: usize, contact: Contact| gaps[place] = Some(contact);
    for (place, (pair, [a, b])) in pairs.iter().zip(sides).enumerate() {
        if pair.is_apart && waiting.add(a, b, place) {
            waiting.solve(level, &mut tell);
        }
    }
    waiting.solve(level, &mut tell);
    gaps
}

/// Where triangles of two meshes are. Those of one triangle of the first come one after the other.
struct Corners<'a> {
    a: &'a MeshAt<'a>,
    b: &'a MeshAt<'a>,
    known: (u32, [Vec3; 3]),
}

impl Corners<'_> {
    fn get(&mut self, pair: &TrianglePair) -> [[Vec3; 3]; 2] {
        let at = |side: &MeshAt<'_>, triangle: u32| {
            corners(side.mesh, triangle).map(|corner| side.frame.to_world(corner))
        };
        if self.known.0 != pair.of_a {
            self.known = (pair.of_a, at(self.a, pair.of_a));
        }
        [self.known.1, at(self.b, pair.of_b)]
    }
}

/// Two triangles that may be close to each other; in the order of their numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TrianglePair {
    pub of_a: u32,
    pub of_b: u32,
    /// An axis shows it. It is a hint: others may be apart, too.
    pub is_apart: bool,
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
    level: Level,
    pairs: &mut Buffer<TrianglePair>,
) -> Result<(), MemoryError> {
    pairs.clear();
    let mut result = Ok(());
    // The triangles of the mesh with fewer of them, seen from the other mesh.
    let a_is_inner = a.mesh.triangle_count() < b.mesh.triangle_count();
    let (outer, inner) = if a_is_inner { (b, a) } else { (a, b) };
    candidates(outer, inner, distance, level, &mut |of_outer, of_inner, is_apart| {
        if result.is_ok() {
            let [of_a, of_b] = if a_is_inner { [of_inner, of_outer] } else { [of_outer, of_inner] };
            result = pairs.push(TrianglePair { of_a, of_b, is_apart });
        }
    });
    result?;
    pairs.sort_unstable();
    Ok(())
}

/// Pairs of triangles, of the outer and of the inner mesh, that neither their boxes along the axes of the outer one nor their own axes show to be farther apart than the distance.
fn candidates(
    outer: &MeshAt<'_>,
    inner: &MeshAt<'_>,
    distance: f64,
    level: Level,
    found: &mut dyn FnMut(u32, u32, bool),
) {
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
    // The other way round, too: the outer mesh as seen from the inner one.
    let to_inner = relative(&inner.frame, &outer.frame);
    let [least, most] = widened(around(whole, &to_inner), distance);
    below(
        inner.tree,
        (top, 0),
        &mut |lower, upper| {
            if (0..3).any(|axis| lower[axis] > most[axis] || upper[axis] < least[axis]) {
                return false;
            }
            meets(around([lower, upper], &to_outer))
        },
        &mut |leaf| leaf_candidates(outer, inner, leaf, &to_outer, (distance, level), &meets, found),
    );
}

/// The box around a box that is seen in other axes.
fn around([lower, upper]: [Vec3; 2], frame: &Frame) -> [Vec3; 2] {
    let half = [0, 1, 2].map(|i| 0.5 * (upper[i] - lower[i]));
    let centre = frame.to_world([0, 1, 2].map(|i| 0.5 * (upper[i] + lower[i])));
    let reach = |axis: usize| (0..3).map(|i| frame.axes[i][axis].abs() * half[i]).sum::<f64>();
    let reach = [reach(0), reach(1), reach(2)];
    [sub(centre, reach), add(centre, reach)]
}

/// All triangles of a leaf of the inner mesh at once.
fn leaf_candidates(
    outer: &MeshAt<'_>,
    inner: &MeshAt<'_>,
    leaf: usize,
    to_outer: &Frame,
    (distance, level): (f64, Level),
    meets: &dyn Fn([Vec3; 2]) -> bool,
    found: &mut dyn FnMut(u32, u32, bool),
) {
    let faces = inner.tree.faces(leaf);
    let mut own = Own { triangles: [0; WIDTH], bounds: [[0.0; WIDTH]; 6], corners: [[[0.0; 3]; 3]; WIDTH] };
    let mut count = 0;
    let mut all = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for &triangle in &faces.triangles[..faces.count()] {
        let at = corners(inner.mesh, triangle).map(|corner| to_outer.to_world(corner));
        let lower = [0, 1, 2].map(|i| at[0][i].min(at[1][i]).min(at[2][i]));
        let upper = [0, 1, 2].map(|i| at[0][i].max(at[1][i]).max(at[2][i]));
        if meets([lower, upper]) {
            let [lower, upper] = widened([lower, upper], distance);
            (own.triangles[count], own.corners[count]) = (triangle, at);
            for axis in 0..3 {
                (own.bounds[axis][count], own.bounds[3 + axis][count]) = (lower[axis], upper[axis]);
            }
            count += 1;
            all = [[0, 1, 2].map(|i| all[0][i].min(lower[i])), [0, 1, 2].map(|i| all[1][i].max(upper[i]))];
        }
    }
    if count == 0 {
        return;
    }
    let boxes = simd::dispatch(level, Round(&own.bounds));
    outer.tree.overlap_leaves(all[0], all[1], &mut |outer_leaf| {
        let faces = outer.tree.faces(outer_leaf);
        let used = (1 << faces.count()) - 1;
        let hits = simd::dispatch(level, BoxHits { boxes: &boxes, count, group: &faces.boxes })
            .map(|lanes| lanes & used);
        let mut missing = hits.iter().fold(0, |all, lanes| all | lanes);
        if missing == 0 {
            return;
        }
        let mut others = Triangles8::EMPTY;
        while missing != 0 {
            let lane = missing.trailing_zeros() as usize;
            missing &= missing - 1;
            others.set(lane, &corners(outer.mesh, faces.triangles[lane]));
        }
        let close = triangle_axes::close(level, &own.corners[..count], &others, &hits, distance);
        for (triangle, [mut hits, apart]) in own.triangles[..count].iter().zip(close) {
            while hits != 0 {
                let lane = hits.trailing_zeros();
                hits &= hits - 1;
                found(faces.triangles[lane as usize], *triangle, apart >> lane & 1 != 0);
            }
        }
    });
}

/// Triangles of a leaf, in the axes of the other mesh.
struct Own {
    triangles: [u32; WIDTH],
    /// Of their boxes: lower ones by axis, then upper ones.
    bounds: [[f64; WIDTH]; 6],
    corners: [[Vec3; 3]; WIDTH],
}

/// Boxes that do not move, rounded outward.
struct Round<'a>(&'a [[f64; WIDTH]; 6]);

impl Kernel for Round<'_> {
    type Output = BoxGroup;

    #[inline(always)]
    fn run<V: Doubles>(self) -> BoxGroup {
        let mut group = BoxGroup::EMPTY;
        for (plane, values) in self.0.iter().enumerate() {
            let (down, negated_down) = V::Floats::round_down(values);
            let rounded = if plane < 3 { down } else { negated_down }.to_array();
            (group.planes[plane], group.planes[6 + plane]) = (rounded, rounded);
        }
        group
    }
}

/// Which boxes of a group each of some boxes meets.
struct BoxHits<'a> {
    boxes: &'a BoxGroup,
    count: usize,
    group: &'a BoxGroup,
}

impl Kernel for BoxHits<'_> {
    type Output = [u32; WIDTH];

    #[inline(always)]
    fn run<V: Doubles>(self) -> [u32; WIDTH] {
        let mut hits = [0; WIDTH];
        for (lane, hits) in hits[..self.count].iter_mut().enumerate() {
            *hits = self.boxes.broadcast::<V::Floats>(lane).meets(self.group, &Reach::new(0.0));
        }
        hits
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
