//! Two leaves against each other, or one against itself: which of their features have boxes that meet.

use super::candidates::Candidates;
use crate::bvh::{
    BoxGroup, Broadcast, EdgeGroup, FaceGroup, Group, NONE, Period, Reach, Shortening, TreeAccess,
    VertexGroup, WIDTH,
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

/// Groups of features of one kind and their boxes: for the whole motion, or if `SHORT` copies for a part of it. In masks of their features, lane l of group g is bit 8g + l.
#[derive(Clone, Copy)]
struct Groups<'a, G, const SHORT: bool> {
    groups: &'a [G],
    /// Only if `SHORT`.
    shortened: &'a [BoxGroup; GROUPS],
    /// The features that there are.
    valid: u32,
}

impl<'a, G: Group, const SHORT: bool> Groups<'a, G, SHORT> {
    #[inline(always)]
    fn boxes(&self, group: usize) -> &'a BoxGroup {
        if SHORT { &self.shortened[group] } else { self.groups[group].boxes() }
    }

    /// Those whose boxes meet another one.
    #[inline(always)]
    fn near<F: Floats8>(&self, other: &Broadcast<F>, reach: &Reach<F>) -> u32 {
        let mut near = 0;
        for i in 0..self.groups.len().min(GROUPS) {
            near |= other.meets(self.boxes(i), reach) << (8 * i);
        }
        near & self.valid
    }
}

/// A leaf's features by groups.
struct Leaf<'a, F, const SHORT: bool> {
    around: Broadcast<F>,
    faces: &'a FaceGroup,
    boxes_of_faces: &'a BoxGroup,
    vertices: Groups<'a, VertexGroup, SHORT>,
    edges: Groups<'a, EdgeGroup, SHORT>,
}

/// Room for the boxes of a leaf during a part of the motion.
struct Shortened {
    faces: BoxGroup,
    vertices: [BoxGroup; GROUPS],
    edges: [BoxGroup; GROUPS],
}

/// Room for what is made of a pair of leaves.
pub struct Room {
    boxes: [Shortened; 2],
    /// Edges of one that are near the other.
    near: EdgeGroup,
}

impl Room {
    pub const EMPTY: Room = Room { boxes: [Shortened::EMPTY; 2], near: EdgeGroup::EMPTY };
}

impl Shortened {
    const EMPTY: Shortened = Shortened {
        faces: BoxGroup::EMPTY,
        vertices: [BoxGroup::EMPTY; GROUPS],
        edges: [BoxGroup::EMPTY; GROUPS],
    };
}

static NOT_SHORTENED: [BoxGroup; GROUPS] = [BoxGroup::EMPTY; GROUPS];

impl<'a, F: Floats8> Leaf<'a, F, false> {
    #[inline(always)]
    fn new(tree: &TreeAccess<'a>, number: usize) -> Leaf<'a, F, false> {
        let faces = tree.faces(number);
        let [vertex_count, edge_count] = tree.feature_counts(number);
        let shortened = &NOT_SHORTENED;
        Leaf {
            around: tree.group(0, number / WIDTH).broadcast(number % WIDTH),
            faces,
            boxes_of_faces: faces.boxes(),
            vertices: Groups { groups: tree.vertices(number).1, shortened, valid: (1 << vertex_count) - 1 },
            edges: Groups { groups: tree.edges(number).1, shortened, valid: (1 << edge_count) - 1 },
        }
    }

    /// The same with copies of the boxes for a part of the motion: every box is compared many times, and to interpolate it each time would cost more.
    #[inline(always)]
    fn during(self, period: Period, room: &'a mut Shortened) -> Leaf<'a, F, true> {
        let Leaf { around, faces, vertices, edges, .. } = self;
        let shortening = Shortening::new(&around, period);
        faces.boxes().shorten(&shortening, &mut room.faces);
        for (group, place) in vertices.groups.iter().zip(&mut room.vertices) {
            group.boxes().shorten(&shortening, place);
        }
        for (group, place) in edges.groups.iter().zip(&mut room.edges) {
            group.boxes().shorten(&shortening, place);
        }
        Leaf {
            around: around.during(&shortening),
            faces,
            boxes_of_faces: &room.faces,
            vertices: Groups { groups: vertices.groups, shortened: &room.vertices, valid: vertices.valid },
            edges: Groups { groups: edges.groups, shortened: &room.edges, valid: edges.valid },
        }
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
    room: &mut Room,
    lists: &mut Lists<'_>,
) {
    let (a, b) = (Leaf::<F, false>::new(trees[0], leaves[0]), Leaf::<F, false>::new(trees[1], leaves[1]));
    let ([room_a, room_b], near) = (&mut room.boxes, &mut room.near);
    if period.is_almost_whole() || !a.around.passes(&b.around) {
        return pair_of_leaves::<F, SAME, false>(&a, &b, reach, near, lists);
    }
    let (a, b) = (a.during(period, room_a), b.during(period, room_b));
    pair_of_leaves::<F, SAME, true>(&a, &b, reach, near, lists);
}

#[inline(always)]
fn pair_of_leaves<F: Floats8, const SAME: bool, const SHORT: bool>(
    a: &Leaf<'_, F, SHORT>,
    b: &Leaf<'_, F, SHORT>,
    reach: &Reach<F>,
    packed: &mut EdgeGroup,
    lists: &mut Lists<'_>,
) {
    let vertices_a = a.vertices.near(&b.around, reach);
    let edges_a = a.edges.near(&b.around, reach);
    let vertices_b = b.vertices.near(&a.around, reach);
    let edges_b = b.edges.near(&a.around, reach);

    vertices_against_faces::<F, SAME, SHORT>(
        &a.vertices,
        vertices_a,
        b.faces,
        b.boxes_of_faces,
        reach,
        lists.vertices_faces,
    );
    let list = if SAME { &mut *lists.vertices_faces } else { &mut *lists.faces_vertices };
    vertices_against_faces::<F, SAME, SHORT>(&b.vertices, vertices_b, a.faces, a.boxes_of_faces, reach, list);
    if edges_a == 0 || edges_b == 0 {
        return;
    }
    // the fewer are taken one by one
    let swapped = edges_a.count_ones() > edges_b.count_ones();
    let (one, near, others, near_others) =
        if swapped { (&b.edges, edges_b, &a.edges, edges_a) } else { (&a.edges, edges_a, &b.edges, edges_b) };
    let list = &mut *lists.edges_edges;
    if near_others.count_ones() <= 8 && near_others < 1 << 16 {
        // The others in one group: it takes less time than what is saved with the first edge or two.
        let second = others.groups.len().min(2) - 1;
        let places = F::places(near_others);
        packed.pick_boxes::<F>(others.boxes(0), others.boxes(second), places);
        let (low, high) = (&others.groups[0], &others.groups[second]);
        for end in 0..2 {
            packed.ends[end] = F::pick_numbers(&low.ends[end], &high.ends[end], places);
        }
        packed.edges = F::pick_numbers(&low.edges, &high.edges, places);
        let others = Groups::<'_, _, false> {
            groups: std::slice::from_ref(packed),
            shortened: &NOT_SHORTENED,
            valid: (1 << near_others.count_ones()) - 1,
        };
        edges_against_edges::<F, SAME, SHORT, false>(one, near, &others, others.valid, reach, list, swapped);
    } else {
        edges_against_edges::<F, SAME, SHORT, SHORT>(one, near, others, near_others, reach, list, swapped);
    }
}

/// All pairs of features of one leaf that share no vertex.
#[inline(always)]
pub fn own<F: Floats8>(tree: &TreeAccess<'_>, number: usize, reach: &Reach<F>, lists: &mut Lists<'_>) {
    let Leaf { faces, vertices, edges, .. } = Leaf::<F, false>::new(tree, number);
    let boxes = faces.boxes();
    vertices_against_faces::<F, true, false>(
        &vertices,
        vertices.valid,
        faces,
        boxes,
        reach,
        lists.vertices_faces,
    );
    let mut left = edges.valid;
    while left != 0 {
        // each pair once: with those that come after it
        let bit = left.trailing_zeros() as usize;
        left &= left - 1;
        let first = bit / 8;
        let later = Groups { groups: &edges.groups[first..], ..edges };
        edge_against_edges::<F, true, false, false>(
            &edges,
            bit,
            &later,
            left >> (8 * first),
            reach,
            lists.edges_edges,
            false,
        );
    }
}

/// The `near` vertices of one leaf, the faces of the other (or the same) one.
#[inline(always)]
fn vertices_against_faces<F: Floats8, const SAME: bool, const SHORT: bool>(
    vertices: &Groups<'_, VertexGroup, SHORT>,
    mut near: u32,
    faces: &FaceGroup,
    boxes: &BoxGroup,
    reach: &Reach<F>,
    list: &mut Candidates,
) {
    if near == 0 {
        return;
    }
    let valid = !F::equal(&faces.triangles, NONE) & 0xff;
    while near != 0 {
        let bit = near.trailing_zeros() as usize;
        near &= near - 1;
        let (group, lane) = (bit / 8, bit % 8);
        let vertex = vertices.groups[group].vertices[lane];
        let mut meets = vertices.boxes(group).broadcast::<F>(lane).meets(boxes, reach) & valid;
        if SAME {
            let [f0, f1, f2] = &faces.corners;
            meets &= !(F::equal(f0, vertex) | F::equal(f1, vertex) | F::equal(f2, vertex));
        }
        list.push_vertex::<F>(vertex, faces, meets);
    }
}

/// The `near` edges of one leaf against those of the other. If `swapped`, the first is the second tree's.
#[inline(always)]
fn edges_against_edges<F: Floats8, const SAME: bool, const SHORT: bool, const SHORT_OTHERS: bool>(
    edges: &Groups<'_, EdgeGroup, SHORT>,
    mut near: u32,
    others: &Groups<'_, EdgeGroup, SHORT_OTHERS>,
    near_others: u32,
    reach: &Reach<F>,
    list: &mut Candidates,
    swapped: bool,
) {
    while near != 0 {
        let bit = near.trailing_zeros() as usize;
        near &= near - 1;
        edge_against_edges::<F, SAME, SHORT, SHORT_OTHERS>(
            edges,
            bit,
            others,
            near_others,
            reach,
            list,
            swapped,
        );
    }
}

/// An edge of one leaf against those of the other (or the same) one.
#[inline(always)]
fn edge_against_edges<F: Floats8, const SAME: bool, const SHORT: bool, const SHORT_OTHERS: bool>(
    edges: &Groups<'_, EdgeGroup, SHORT>,
    bit: usize,
    others: &Groups<'_, EdgeGroup, SHORT_OTHERS>,
    near_others: u32,
    reach: &Reach<F>,
    list: &mut Candidates,
    swapped: bool,
) {
    let (group, lane) = (&edges.groups[bit / 8], bit % 8);
    let edge = edges.boxes(bit / 8).broadcast::<F>(lane);
    for (i, other) in others.groups.iter().enumerate().take(GROUPS) {
        let mut meets = edge.meets(others.boxes(i), reach) & (near_others >> (8 * i));
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
