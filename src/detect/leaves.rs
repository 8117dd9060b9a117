//! Two leaves against each other, or one against itself: which of their features have boxes that meet.

use super::candidates::Candidates;
use crate::bvh::{Broadcast, EdgeGroup, FaceGroup, Reach, Tree, VertexGroup};
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

/// Groups of edges of a leaf at the most.
const EDGE_GROUPS: usize = 3;

#[inline(always)]
fn lanes(count: u32) -> u32 {
    (1 << count) - 1
}

/// All pairs of features of two different leaves. `SAME` if both are of one tree: then features that share a vertex are left out.
#[inline(always)]
pub fn pair<F: Floats8, const SAME: bool>(
    trees: [&Tree; 2],
    leaves: [usize; 2],
    reach: &Reach<F>,
    lists: &mut Lists<'_>,
) {
    let [a, b] = leaves;
    let box_a = trees[0].group(0, a / 8).broadcast::<F>(a % 8);
    let box_b = trees[1].group(0, b / 8).broadcast::<F>(b % 8);
    let list_ba = if SAME { &mut *lists.vertices_faces } else { &mut *lists.faces_vertices };
    let (first, groups) = trees[1].vertices(b);
    vertices_against_faces::<F, SAME>(first, groups, &box_a, a, trees[0].faces(a), &box_b, reach, list_ba);
    let (first, groups) = trees[0].vertices(a);
    let list_ab = &mut *lists.vertices_faces;
    vertices_against_faces::<F, SAME>(first, groups, &box_b, b, trees[1].faces(b), &box_a, reach, list_ab);

    let (first_a, edges_a) = trees[0].edges(a);
    let (first_b, edges_b) = trees[1].edges(b);
    let (near_b, count_a) = edges_near(edges_a, &box_b, reach);
    if count_a == 0 {
        return;
    }
    let (near_a, count_b) = edges_near(edges_b, &box_a, reach);
    // the fewer are taken one by one
    if count_a <= count_b {
        edges_against_edges::<F, SAME>(
            first_a,
            edges_a,
            near_b,
            first_b,
            edges_b,
            near_a,
            reach,
            lists.edges_edges,
            false,
        );
    } else {
        edges_against_edges::<F, SAME>(
            first_b,
            edges_b,
            near_a,
            first_a,
            edges_a,
            near_b,
            reach,
            lists.edges_edges,
            true,
        );
    }
}

/// All pairs of features of one leaf that share no vertex.
#[inline(always)]
pub fn own<F: Floats8>(tree: &Tree, leaf: usize, reach: &Reach<F>, lists: &mut Lists<'_>) {
    let around = tree.group(0, leaf / 8).broadcast::<F>(leaf % 8);
    let (first, groups) = tree.vertices(leaf);
    let list = &mut *lists.vertices_faces;
    vertices_against_faces::<F, true>(first, groups, &around, leaf, tree.faces(leaf), &around, reach, list);
    let (first, groups) = tree.edges(leaf);
    for (i, group) in groups.iter().enumerate() {
        for lane in 0..group.count as usize {
            let edge = group.boxes.broadcast::<F>(lane);
            for (j, other) in groups.iter().enumerate().skip(i) {
                // each pair once
                let later = if i == j { !0 << (lane + 1) } else { !0 };
                let near = edge.meets(&other.boxes, reach) & lanes(other.count) & later;
                let near = near & !sharing_edges::<F>(group, lane, other);
                lists.edges_edges.push((8 * (first + i) + lane) as u32, first + j, near, false);
            }
        }
    }
}

/// `box_faces` is around the faces' leaf, `box_vertices` around that of the vertices.
#[allow(clippy::too_many_arguments)]
#[inline(always)]
fn vertices_against_faces<F: Floats8, const SAME: bool>(
    first: usize,
    groups: &[VertexGroup],
    box_faces: &Broadcast<F>,
    leaf: usize,
    faces: &FaceGroup,
    box_vertices: &Broadcast<F>,
    reach: &Reach<F>,
    list: &mut Candidates,
) {
    let near_faces = box_vertices.meets(&faces.boxes, reach) & lanes(faces.count);
    if near_faces == 0 {
        return;
    }
    for (i, group) in groups.iter().enumerate() {
        let mut near = box_faces.meets(&group.boxes, reach) & lanes(group.count);
        while near != 0 {
            let lane = near.trailing_zeros() as usize;
            near &= near - 1;
            let mut meets = group.boxes.broadcast::<F>(lane).meets(&faces.boxes, reach) & near_faces;
            if SAME {
                let vertex = group.vertices[lane];
                let [f0, f1, f2] = &faces.corners;
                meets &= !(F::equal(f0, vertex) | F::equal(f1, vertex) | F::equal(f2, vertex));
            }
            list.push((8 * (first + i) + lane) as u32, leaf, meets, false);
        }
    }
}

/// Which edges of each group may meet the box, and how many they are.
#[inline(always)]
fn edges_near<F: Floats8>(
    groups: &[EdgeGroup],
    around: &Broadcast<F>,
    reach: &Reach<F>,
) -> ([u32; EDGE_GROUPS], u32) {
    let mut near = [0; EDGE_GROUPS];
    let mut count = 0;
    for (near, group) in near.iter_mut().zip(groups) {
        *near = around.meets(&group.boxes, reach) & lanes(group.count);
        count += near.count_ones();
    }
    (near, count)
}

#[allow(clippy::too_many_arguments)]
#[inline(always)]
fn edges_against_edges<F: Floats8, const SAME: bool>(
    first: usize,
    groups: &[EdgeGroup],
    near: [u32; EDGE_GROUPS],
    first_other: usize,
    others: &[EdgeGroup],
    near_others: [u32; EDGE_GROUPS],
    reach: &Reach<F>,
    list: &mut Candidates,
    swapped: bool,
) {
    for (i, group) in groups.iter().enumerate() {
        let mut left = near[i];
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let edge = group.boxes.broadcast::<F>(lane);
            for (j, other) in others.iter().enumerate() {
                let mut meets = edge.meets(&other.boxes, reach) & near_others[j];
                if SAME {
                    meets &= !sharing_edges::<F>(group, lane, other);
                }
                list.push((8 * (first + i) + lane) as u32, first_other + j, meets, swapped);
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
