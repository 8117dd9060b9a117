//! Candidates as queries for the elementary tests: which vertices they are, and where these move.

use super::candidates::Candidates;
use crate::bvh::Tree;
use crate::elementary::Query;
use crate::elementary::stages::{CHUNK, Source};
use crate::mesh::{Mesh, VertexMotion};
use crate::simd::{Doubles, MAX_LANES};

/// Two meshes and their trees; the same ones twice for a mesh against itself.
#[derive(Clone, Copy)]
pub struct Sides<'a> {
    pub trees: [&'a Tree; 2],
    pub meshes: [&'a Mesh; 2],
    pub same: bool,
}

/// Vertex-face candidates: the vertex is of the first side, the face of the second.
pub struct VertexFacePairs<'a> {
    pub sides: Sides<'a>,
    pub candidates: &'a Candidates,
}

/// Edge-edge candidates.
pub struct EdgeEdgePairs<'a> {
    pub sides: Sides<'a>,
    pub candidates: &'a Candidates,
}

/// A pair of features, as it is told to the caller.
#[derive(Clone, Copy)]
pub struct Named {
    pub vertices: [u32; 4],
    pub triangles: [u32; 2],
}

/// Candidates of one kind.
pub trait Pairs {
    /// On which side each point of a query is.
    const SIDES: [usize; 4];

    fn meshes(&self) -> [&Mesh; 2];

    /// The vertices of a candidate, in the order of a query. It depends on the features alone, and not on the tree: an edge begins at its smaller vertex, and within a mesh
    /// the smaller edge comes first.
    fn vertices(&self, index: usize) -> [u32; 4];

    fn name(&self, index: usize) -> Named;
}

impl Pairs for VertexFacePairs<'_> {
    const SIDES: [usize; 4] = [0, 1, 1, 1];

    fn meshes(&self) -> [&Mesh; 2] {
        self.sides.meshes
    }

    #[inline(always)]
    fn vertices(&self, index: usize) -> [u32; 4] {
        let (vertex, face) = self.candidates.get(index);
        let vertex = self.sides.trees[0].all_vertices()[vertex as usize / 8].vertices[vertex as usize % 8];
        let corners = &self.sides.trees[1].all_faces()[face as usize / 8].corners;
        let lane = face as usize % 8;
        [vertex, corners[0][lane], corners[1][lane], corners[2][lane]]
    }

    fn name(&self, index: usize) -> Named {
        let vertices = self.vertices(index);
        let (_, face) = self.candidates.get(index);
        let owner = self.sides.meshes[0].features().triangle_of_vertices()[vertices[0] as usize];
        let face = self.sides.trees[1].all_faces()[face as usize / 8].triangles[face as usize % 8];
        Named { vertices, triangles: [owner, face] }
    }
}

impl EdgeEdgePairs<'_> {
    /// The ends of both edges and their numbers, in the right order.
    #[inline(always)]
    fn edges(&self, index: usize) -> [([u32; 2], u32); 2] {
        let (a, b) = self.candidates.get(index);
        let edge = |side: usize, number: u32| {
            let group = &self.sides.trees[side].all_edges()[number as usize / 8];
            let lane = number as usize % 8;
            ([group.ends[0][lane], group.ends[1][lane]], group.edges[lane])
        };
        let (a, b) = (edge(0, a), edge(1, b));
        // edges are numbered in the order of their ends
        if self.sides.same && b.1 < a.1 { [b, a] } else { [a, b] }
    }
}

impl Pairs for EdgeEdgePairs<'_> {
    const SIDES: [usize; 4] = [0, 0, 1, 1];

    fn meshes(&self) -> [&Mesh; 2] {
        self.sides.meshes
    }

    #[inline(always)]
    fn vertices(&self, index: usize) -> [u32; 4] {
        let [([a0, a1], _), ([b0, b1], _)] = self.edges(index);
        [a0, a1, b0, b1]
    }

    fn name(&self, index: usize) -> Named {
        let [(_, a), (_, b)] = self.edges(index);
        let triangle =
            |side: usize, edge: u32| self.sides.meshes[side].features().edges()[edge as usize].triangle;
        Named { vertices: self.vertices(index), triangles: [triangle(0, a), triangle(1, b)] }
    }
}

/// Some candidates as queries: the numbers of their vertices, and where these move.
pub struct Chunk<'a> {
    vertices: [[u32; 4]; CHUNK],
    /// Of each point of a query.
    motions: [&'a [VertexMotion]; 4],
}

impl<'a> Chunk<'a> {
    pub fn new<P: Pairs>(pairs: &'a P) -> Chunk<'a> {
        let meshes = pairs.meshes();
        Chunk { vertices: [[0; 4]; CHUNK], motions: P::SIDES.map(|side| meshes[side].motions()) }
    }

    /// Takes over the candidates `first` …, at most [`CHUNK`] of them.
    #[inline(always)]
    pub fn fill<P: Pairs>(&mut self, pairs: &P, first: usize, count: usize) {
        for (i, vertices) in self.vertices[..count].iter_mut().enumerate() {
            *vertices = pairs.vertices(first + i);
        }
    }
}

impl Source for Chunk<'_> {
    #[inline(always)]
    fn load<V: Doubles>(&self, indices: &[u32]) -> [V; 24] {
        let mut columns = [V::splat(0.0); 24];
        for (point, motions) in self.motions.iter().enumerate() {
            let last = indices.len() - 1;
            let mut rows = [&motions[self.vertices[indices[0] as usize][point] as usize].0; MAX_LANES];
            for lane in 1..V::COUNT {
                let vertices = &self.vertices[indices[lane.min(last)] as usize];
                rows[lane] = &motions[vertices[point] as usize].0;
            }
            let moving = V::transpose::<8>(rows);
            for axis in 0..3 {
                columns[3 * point + axis] = moving[axis];
                columns[12 + 3 * point + axis] = moving[4 + axis];
            }
        }
        columns
    }

    fn query(&self, index: u32) -> Query {
        let mut query = [0.0; 24];
        for (point, motions) in self.motions.iter().enumerate() {
            let motion = &motions[self.vertices[index as usize][point] as usize].0;
            query[3 * point..3 * point + 3].copy_from_slice(&motion[..3]);
            query[12 + 3 * point..15 + 3 * point].copy_from_slice(&motion[4..7]);
        }
        query
    }
}
