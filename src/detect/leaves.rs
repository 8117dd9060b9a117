//! Two leaves against each other, or one against itself: which of their features have boxes that meet.

use super::candidates::Candidates;
use crate::bvh::{BoxGroup, Broadcast, EdgeGroup, FaceGroup, Period, Reach, Tree, VertexGroup};
use crate::simd::Floats8;

/// What the two trees yield. For one tree against itself, `faces_vertices` is not used.
pub struct Lists<'a> {
    /// Vertices of the first tree, faces of the second.
    pub vertices_faces: &'a mut Candidates,
    /// Vertices of the second tree, faces of the first.
    pub faces_vertices: &'a mut Candidates,
    pub edges_edges: &'a mut Candidates,
}

impl Lists<'_> {
    #[inline(always)]
    pub fn is_almost_full(&self) -> bool {
        self.vertices_faces.is_almost_full()
            || self.faces_vertices.is_almost_full()
            || self.edges_edges.is_almost_full()
    }
}

/// Groups of vertices, and of edges, that a leaf has at the most.
const GROUPS: usize = 3;

/// A leaf: its features by groups, with the numbers of the first ones, and their boxes.
struct Leaf<'a> {
    number: usize,
    faces: &'a FaceGroup,
    vertices: &'a [VertexGroup],
    first_vertices: usize,
    edges: &'a [EdgeGroup],
    first_edges: usize,
    boxes: Boxes<'a>,
}

/// The boxes of a leaf and its features, for the whole motion or a part of it.
#[derive(Clone, Copy)]
struct Boxes<'a> {
    /// Among them, in the lane of the leaf, the box around all.
    leaves: &'a BoxGroup,
    faces: &'a BoxGroup,
    vertices: [&'a BoxGroup; GROUPS],
    edges: [&'a BoxGroup; GROUPS],
}

/// Room for boxes of a part of the motion.
struct Shortened {
    groups: [BoxGroup; 2 + 2 * GROUPS],
}

impl<'a> Leaf<'a> {
    #[inline(always)]
    fn new(tree: &'a Tree, number: usize) -> Leaf<'a> {
        let faces = tree.faces(number);
        let (first_vertices, vertices) = tree.vertices(number);
        let (first_edges, edges) = tree.edges(number);
        let mut boxes = Boxes {
            leaves: tree.group(0, number / 8),
            faces: &faces.boxes,
            // where there are fewer, no lane of the others is in use
            vertices: [&faces.boxes; GROUPS],
            edges: [&faces.boxes; GROUPS],
        };
        for (place, group) in boxes.vertices.iter_mut().zip(vertices) {
            *place = &group.boxes;
        }
        for (place, group) in boxes.edges.iter_mut().zip(edges) {
            *place = &group.boxes;
        }
        Leaf { number, faces, vertices, first_vertices, edges, first_edges, boxes }
    }

    /// The box around all.
    #[inline(always)]
    fn around<F: Floats8>(&self) -> Broadcast<F> {
        self.boxes.leaves.broadcast::<F>(self.number % 8)
    }

    /// Copies the boxes of a part of the motion.
    #[inline(always)]
    fn shorten<F: Floats8>(&self, period: Period, room: &mut Shortened) {
        let [leaves, faces, others @ ..] = &mut room.groups;
        *leaves = self.boxes.leaves.during::<F>(period);
        *faces = self.boxes.faces.during::<F>(period);
        let (vertices, edges) = others.split_at_mut(GROUPS);
        for (copy, group) in vertices.iter_mut().zip(self.vertices) {
            *copy = group.boxes.during::<F>(period);
        }
        for (copy, group) in edges.iter_mut().zip(self.edges) {
            *copy = group.boxes.during::<F>(period);
        }
    }
}

impl Shortened {
    const EMPTY: Shortened = Shortened { groups: [BoxGroup::EMPTY; 2 + 2 * GROUPS] };

    #[inline(always)]
    fn boxes(&self) -> Boxes<'_> {
        let [leaves, faces, v0, v1, v2, e0, e1, e2] = &self.groups;
        Boxes { leaves, faces, vertices: [v0, v1, v2], edges: [e0, e1, e2] }
    }
}

/// All pairs of features of two different leaves whose boxes meet during a period. `SAME` if both are of one tree: then features that share a
/// vertex are left out.
#[inline(always)]
pub fn pair<F: Floats8, const SAME: bool>(
    trees: [&Tree; 2],
    leaves: [usize; 2],
    period: Period,
    reach: &Reach<F>,
    lists: &mut Lists<'_>,
) {
    let mut a = Leaf::new(trees[0], leaves[0]);
    let mut b = Leaf::new(trees[1], leaves[1]);
    let (mut room_a, mut room_b);
    if !period.is_almost_whole() {
        // Every box is compared many times: shortened copies cost less than to interpolate each time.
        (room_a, room_b) = (Shortened::EMPTY, Shortened::EMPTY);
        a.shorten::<F>(period, &mut room_a);
        b.shorten::<F>(period, &mut room_b);
        (a.boxes, b.boxes) = (room_a.boxes(), room_b.boxes());
    }
    let around = [a.around::<F>(), b.around::<F>()];
    vertices_against_faces::<F, SAME>(&a, &b, &around, reach, lists.vertices_faces);
    let list = if SAME { &mut *lists.vertices_faces } else { &mut *lists.faces_vertices };
    vertices_against_faces::<F, SAME>(&b, &a, &[around[1], around[0]], reach, list);

    let (near_b, count_a) = edges_near(&a, &around[1], reach);
    if count_a == 0 {
        return;
    }
    let (near_a, count_b) = edges_near(&b, &around[0], reach);
    // the fewer are taken one by one
    if count_a <= count_b {
        edges_against_edges::<F, SAME>(&a, near_b, &b, near_a, reach, lists.edges_edges, false);
    } else {
        edges_against_edges::<F, SAME>(&b, near_a, &a, near_b, reach, lists.edges_edges, true);
    }
}

/// All pairs of features of one leaf that share no vertex.
#[inline(always)]
pub fn own<F: Floats8>(tree: &Tree, number: usize, reach: &Reach<F>, lists: &mut Lists<'_>) {
    let leaf = Leaf::new(tree, number);
    let around = [leaf.around::<F>(); 2];
    vertices_against_faces::<F, true>(&leaf, &leaf, &around, reach, lists.vertices_faces);
    for (i, group) in leaf.edges.iter().enumerate() {
        for lane in 0..group.count as usize {
            let edge = group.boxes.broadcast::<F>(lane);
            for (j, other) in leaf.edges.iter().enumerate().skip(i) {
                // each pair once
                let later = if i == j { !1 << lane } else { !0 };
                let near = edge.meets(&other.boxes, reach) & lanes(other.count) & later;
                let near = near & !sharing_edges::<F>(group, lane, other);
                let first = leaf.first_edges;
                lists.edges_edges.push((8 * (first + i) + lane) as u32, first + j, near, false);
            }
        }
    }
}

#[inline(always)]
fn lanes(count: u32) -> u32 {
    (1 << count) - 1
}

/// Vertices of one leaf, faces of the other (or the same) one, given the boxes around both.
#[inline(always)]
fn vertices_against_faces<F: Floats8, const SAME: bool>(
    of_vertices: &Leaf<'_>,
    of_faces: &Leaf<'_>,
    [around_vertices, around_faces]: &[Broadcast<F>; 2],
    reach: &Reach<F>,
    list: &mut Candidates,
) {
    let faces = of_faces.faces;
    let near_faces = around_vertices.meets(of_faces.boxes.faces, reach) & lanes(faces.count);
    if near_faces == 0 {
        return;
    }
    for (i, group) in of_vertices.vertices.iter().enumerate() {
        let boxes = of_vertices.boxes.vertices[i];
        let mut near = around_faces.meets(boxes, reach) & lanes(group.count);
        while near != 0 {
            let lane = near.trailing_zeros() as usize;
            near &= near - 1;
            let mut meets = boxes.broadcast::<F>(lane).meets(of_faces.boxes.faces, reach) & near_faces;
            if SAME {
                let vertex = group.vertices[lane];
                let [f0, f1, f2] = &faces.corners;
                meets &= !(F::equal(f0, vertex) | F::equal(f1, vertex) | F::equal(f2, vertex));
            }
            let number = (8 * (of_vertices.first_vertices + i) + lane) as u32;
            list.push(number, of_faces.number, meets, false);
        }
    }
}

/// Which edges of a leaf may meet the box around the other leaf, by group, and how many they are.
#[inline(always)]
fn edges_near<F: Floats8>(leaf: &Leaf<'_>, around: &Broadcast<F>, reach: &Reach<F>) -> ([u32; GROUPS], u32) {
    let mut near = [0; GROUPS];
    let mut count = 0;
    for (i, group) in leaf.edges.iter().enumerate() {
        near[i] = around.meets(leaf.boxes.edges[i], reach) & lanes(group.count);
        count += near[i].count_ones();
    }
    (near, count)
}

/// The edges of one leaf that are near the other, against those of the other that are near the first. If `swapped`, the first is the
/// second tree's.
#[inline(always)]
fn edges_against_edges<F: Floats8, const SAME: bool>(
    leaf: &Leaf<'_>,
    near: [u32; GROUPS],
    others: &Leaf<'_>,
    near_others: [u32; GROUPS],
    reach: &Reach<F>,
    list: &mut Candidates,
    swapped: bool,
) {
    for (i, group) in leaf.edges.iter().enumerate() {
        let mut left = near[i];
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let edge = leaf.boxes.edges[i].broadcast::<F>(lane);
            for (j, other) in others.edges.iter().enumerate() {
                let mut meets = edge.meets(others.boxes.edges[j], reach) & near_others[j];
                if SAME {
                    meets &= !sharing_edges::<F>(group, lane, other);
                }
                let number = (8 * (leaf.first_edges + i) + lane) as u32;
                list.push(number, others.first_edges + j, meets, swapped);
            }
        }
    }
}

/// Which edges of `others` share an end with the one in `lane`.
#[inline(always)]
fn sharing_edges<F: Floats8>(group: &EdgeGroup, lane: usize, others: &EdgeGroup) -> u32 {
    let [from, to] = [group.ends[0][lane], group.ends[1][lane]];
    let [a, b] = &others.ends;
    F::equal(a, from) | F::equal(a, to) | F::equal(b, from) | F::equal(b, to)
}
