//! Two leaves against each other, or one against itself: which of their features have boxes that meet.

use super::candidates::Candidates;
use crate::bvh::{
    BoxGroup, Broadcast, EdgeGroup, FaceGroup, Group, MovingBox, Period, Reach, TreeAccess, VertexGroup,
    WIDTH,
};
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

/// Groups of features of one kind and their boxes, for the whole motion or a part of it. In masks of their features, lane l of group g is bit 8g + l.
struct Groups<'a, G> {
    groups: &'a [G],
    boxes: [&'a BoxGroup; GROUPS],
    /// The features that there are.
    valid: u32,
}

impl<'a, G: Group> Groups<'a, G> {
    #[inline(always)]
    fn new(groups: &'a [G]) -> Groups<'a, G> {
        // where there are fewer, the first one again: none of its lanes is valid there
        let mut boxes = [groups.first().map_or(&BoxGroup::EMPTY, G::boxes); GROUPS];
        let mut valid = 0;
        for (i, group) in groups.iter().enumerate().take(GROUPS) {
            boxes[i] = group.boxes();
            valid |= ((1 << group.count()) - 1) << (8 * i);
        }
        Groups { groups, boxes, valid }
    }

    /// Those whose boxes meet another one.
    #[inline(always)]
    fn near<F: Floats8>(&self, other: &Broadcast<F>, reach: &Reach<F>) -> u32 {
        let mut near = 0;
        for i in 0..self.groups.len().min(GROUPS) {
            near |= other.meets(self.boxes[i], reach) << (8 * i);
        }
        near & self.valid
    }
}

/// A leaf's features by groups.
struct Leaf<'a> {
    /// In all lanes.
    around: MovingBox,
    faces: Groups<'a, FaceGroup>,
    vertices: Groups<'a, VertexGroup>,
    edges: Groups<'a, EdgeGroup>,
}

/// Room for the boxes of a leaf during a part of the motion.
pub struct Shortened {
    faces: BoxGroup,
    vertices: [BoxGroup; GROUPS],
    edges: [BoxGroup; GROUPS],
}

impl Shortened {
    pub const EMPTY: Shortened = Shortened {
        faces: BoxGroup::EMPTY,
        vertices: [BoxGroup::EMPTY; GROUPS],
        edges: [BoxGroup::EMPTY; GROUPS],
    };
}

impl<'a> Leaf<'a> {
    #[inline(always)]
    fn new(tree: &TreeAccess<'a>, number: usize) -> Leaf<'a> {
        Leaf {
            around: tree.group(0, number / WIDTH).get(number % WIDTH),
            faces: Groups::new(std::slice::from_ref(tree.faces(number))),
            vertices: Groups::new(tree.vertices(number).1),
            edges: Groups::new(tree.edges(number).1),
        }
    }

    /// The same with copies of the boxes for a part of the motion: every box is compared many times, and to interpolate it each time would cost more.
    #[inline(always)]
    fn during<F: Floats8>(self, period: Period, room: &'a mut Shortened) -> Leaf<'a> {
        let Leaf { around, mut faces, mut vertices, mut edges } = self;
        room.faces = faces.boxes[0].during::<F>(period);
        faces.boxes[0] = &room.faces;
        shorten::<F, VertexGroup>(&mut vertices, period, &mut room.vertices);
        shorten::<F, EdgeGroup>(&mut edges, period, &mut room.edges);
        Leaf { around: around.during(period), faces, vertices, edges }
    }
}

#[inline(always)]
fn shorten<'a, F: Floats8, G>(groups: &mut Groups<'a, G>, period: Period, room: &'a mut [BoxGroup; GROUPS]) {
    let count = groups.groups.len();
    for (i, place) in room.iter_mut().enumerate().take(count) {
        *place = groups.boxes[i].during::<F>(period);
        groups.boxes[i] = place;
    }
}

/// All pairs of features of two different leaves whose boxes meet during a period. `SAME` if both are of one tree: then features that share a
/// vertex are left out.
#[inline(always)]
pub fn pair<F: Floats8, const SAME: bool>(
    trees: [&TreeAccess<'_>; 2],
    leaves: [usize; 2],
    period: Period,
    reach: &Reach<F>,
    room: &mut [Shortened; 2],
    lists: &mut Lists<'_>,
) {
    let (a, b) = (Leaf::new(trees[0], leaves[0]), Leaf::new(trees[1], leaves[1]));
    if period.is_almost_whole() {
        return pair_of_leaves::<F, SAME>(&a, &b, reach, lists);
    }
    let [room_a, room_b] = room;
    let (a, b) = (a.during::<F>(period, room_a), b.during::<F>(period, room_b));
    pair_of_leaves::<F, SAME>(&a, &b, reach, lists);
}

#[inline(always)]
fn pair_of_leaves<F: Floats8, const SAME: bool>(
    a: &Leaf<'_>,
    b: &Leaf<'_>,
    reach: &Reach<F>,
    lists: &mut Lists<'_>,
) {
    let around_b = b.around.broadcast::<F>();
    let vertices_a = a.vertices.near(&around_b, reach);
    let edges_a = a.edges.near(&around_b, reach);
    let around_a = a.around.broadcast::<F>();
    let vertices_b = b.vertices.near(&around_a, reach);
    let edges_b = b.edges.near(&around_a, reach);

    vertices_against_faces::<F, SAME>(&a.vertices, vertices_a, &b.faces, reach, lists.vertices_faces);
    let list = if SAME { &mut *lists.vertices_faces } else { &mut *lists.faces_vertices };
    vertices_against_faces::<F, SAME>(&b.vertices, vertices_b, &a.faces, reach, list);
    if edges_a == 0 || edges_b == 0 {
        return;
    }
    // the fewer are taken one by one
    if edges_a.count_ones() <= edges_b.count_ones() {
        edges_against_edges::<F, SAME>(&a.edges, edges_a, &b.edges, edges_b, reach, lists.edges_edges, false);
    } else {
        edges_against_edges::<F, SAME>(&b.edges, edges_b, &a.edges, edges_a, reach, lists.edges_edges, true);
    }
}

/// All pairs of features of one leaf that share no vertex.
#[inline(always)]
pub fn own<F: Floats8>(tree: &TreeAccess<'_>, number: usize, reach: &Reach<F>, lists: &mut Lists<'_>) {
    let Leaf { faces, vertices, edges, .. } = Leaf::new(tree, number);
    vertices_against_faces::<F, true>(&vertices, vertices.valid, &faces, reach, lists.vertices_faces);
    let mut left = edges.valid;
    while left != 0 {
        // each pair once: with those that come after it
        let bit = left.trailing_zeros() as usize;
        left &= left - 1;
        edge_against_edges::<F, true>(&edges, bit, &edges, left, reach, lists.edges_edges, false);
    }
}

/// The `near` vertices of one leaf, the faces of the other (or the same) one.
#[inline(always)]
fn vertices_against_faces<F: Floats8, const SAME: bool>(
    vertices: &Groups<'_, VertexGroup>,
    mut near: u32,
    faces: &Groups<'_, FaceGroup>,
    reach: &Reach<F>,
    list: &mut Candidates,
) {
    let group_of_faces = &faces.groups[0];
    while near != 0 {
        let bit = near.trailing_zeros() as usize;
        near &= near - 1;
        let (group, lane) = (bit / 8, bit % 8);
        let vertex = vertices.groups[group].vertices[lane];
        let mut meets = vertices.boxes[group].broadcast::<F>(lane).meets(faces.boxes[0], reach) & faces.valid;
        if SAME {
            let [f0, f1, f2] = &group_of_faces.corners;
            meets &= !(F::equal(f0, vertex) | F::equal(f1, vertex) | F::equal(f2, vertex));
        }
        list.push_vertex::<F>(vertex, group_of_faces, meets);
    }
}

/// The `near` edges of one leaf against those of the other. If `swapped`, the first is the second tree's.
#[inline(always)]
fn edges_against_edges<F: Floats8, const SAME: bool>(
    edges: &Groups<'_, EdgeGroup>,
    mut near: u32,
    others: &Groups<'_, EdgeGroup>,
    near_others: u32,
    reach: &Reach<F>,
    list: &mut Candidates,
    swapped: bool,
) {
    while near != 0 {
        let bit = near.trailing_zeros() as usize;
        near &= near - 1;
        edge_against_edges::<F, SAME>(edges, bit, others, near_others, reach, list, swapped);
    }
}

#[inline(always)]
fn edge_against_edges<F: Floats8, const SAME: bool>(
    edges: &Groups<'_, EdgeGroup>,
    bit: usize,
    others: &Groups<'_, EdgeGroup>,
    near_others: u32,
    reach: &Reach<F>,
    list: &mut Candidates,
    swapped: bool,
) {
    let (group, lane) = (&edges.groups[bit / 8], bit % 8);
    let edge = edges.boxes[bit / 8].broadcast::<F>(lane);
    for (i, other) in others.groups.iter().enumerate().take(GROUPS) {
        let mut meets = edge.meets(others.boxes[i], reach) & (near_others >> (8 * i));
        if SAME {
            meets &= !sharing_edges::<F>(group, lane, other);
        }
        list.push_edge::<F>(group, lane, other, meets, swapped);
    }
}

/// Which edges of `others` share an end with the one in `lane`.
#[inline(always)]
fn sharing_edges<F: Floats8>(group: &EdgeGroup, lane: usize, others: &EdgeGroup) -> u32 {
    let [from, to] = [group.ends[0][lane], group.ends[1][lane]];
    let [a, b] = &others.ends;
    F::equal(a, from) | F::equal(a, to) | F::equal(b, from) | F::equal(b, to)
}
