//! Vertices, edges and faces, each known once.
//!
//! A feature is named to the caller with a triangle that has it: the first one in the caller's list. (Which triangle *owns* a vertex or an
//! edge, so that it is looked at once, is the hierarchy's choice: it takes the first in its own order.)

use crate::memory::{Buffer, Memory, MemoryError};
use std::sync::atomic::{AtomicU64, Ordering};

/// No triangle has the vertex: it is no feature and touches nothing.
pub const NO_TRIANGLE: u32 = u32::MAX;

/// Two different vertices, the smaller one first, and the first triangle that has both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub ends: [u32; 2],
    pub triangle: u32,
}

pub struct Features {
    /// Different for all that are ever made.
    stamp: u64,
    triangles: Buffer<[u32; 3]>,
    /// Sorted by their ends.
    edges: Buffer<Edge>,
    /// The edges of each triangle between corners 0 and 1, 1 and 2, 2 and 0; [`NO_EDGE`] where a corner is repeated.
    edges_of_triangles: Buffer<[u32; 3]>,
    /// The first triangle of each vertex.
    triangle_of_vertices: Buffer<u32>,
}

/// In place of an edge between a vertex and itself.
pub const NO_EDGE: u32 = u32::MAX;

/// An edge as a triangle has it.
#[derive(Clone, Copy)]
struct Side {
    ends: [u32; 2],
    triangle: u32,
    side: u32,
}

impl Features {
    pub fn new(
        memory: &Memory,
        vertex_count: usize,
        triangle_count: usize,
        triangle: &dyn Fn(usize) -> [u32; 3],
    ) -> Result<Features, MemoryError> {
        let mut triangles = Buffer::new(memory.clone());
        triangles.reserve_exact(triangle_count)?;
        let mut triangle_of_vertices = Buffer::new(memory.clone());
        triangle_of_vertices.resize(vertex_count, NO_TRIANGLE)?;
        // Where the sides of a vertex begin, of which it is the smaller end; at first, how many there are.
        let mut starts: Buffer<u32> = Buffer::new(memory.clone());
        starts.resize(vertex_count.checked_add(1).ok_or(MemoryError::TooLarge)?, 0)?;
        let mut side_count = 0usize;
        for i in 0..triangle_count {
            let corners = triangle(i);
            triangles.push(corners)?;
            for side in 0..3 {
                let (from, to) = (corners[side], corners[(side + 1) % 3]);
                let owner: &mut u32 = &mut triangle_of_vertices[from as usize];
                *owner = (*owner).min(i as u32);
                if from != to {
                    starts[from.min(to) as usize + 1] += 1;
                    side_count += 1;
                }
            }
        }
        for vertex in 0..vertex_count {
            starts[vertex + 1] += starts[vertex];
        }
        let mut sides: Buffer<Side> = Buffer::new(memory.clone());
        sides.resize(side_count, Side { ends: [0; 2], triangle: 0, side: 0 })?;
        for (i, corners) in triangles.iter().enumerate() {
            for side in 0..3 {
                let (from, to) = (corners[side], corners[(side + 1) % 3]);
                if from != to {
                    let ends = [from.min(to), from.max(to)];
                    let place = &mut starts[ends[0] as usize];
                    sides[*place as usize] = Side { ends, triangle: i as u32, side: side as u32 };
                    *place += 1;
                }
            }
        }
        // A vertex has few sides: sorted one vertex after the other, they are sorted in linear time. Each place has come to where the next vertex begins.
        let mut begin = 0;
        for &end in &starts[..vertex_count] {
            sides[begin..end as usize].sort_unstable_by_key(|side| (side.ends[1], side.triangle, side.side));
            begin = end as usize;
        }
        let is_new = |i: usize, sides: &[Side]| i == 0 || sides[i - 1].ends != sides[i].ends;
        let edge_count = (0..sides.len()).filter(|&i| is_new(i, &sides)).count();
        let mut edges: Buffer<Edge> = Buffer::new(memory.clone());
        edges.reserve_exact(edge_count)?;
        let mut edges_of_triangles = Buffer::new(memory.clone());
        edges_of_triangles.resize(triangle_count, [NO_EDGE; 3])?;
        for i in 0..sides.len() {
            let Side { ends, triangle, side } = sides[i];
            if is_new(i, &sides) {
                edges.push(Edge { ends, triangle })?;
            }
            edges_of_triangles[triangle as usize][side as usize] = edges.len() as u32 - 1;
        }
        static NEXT_STAMP: AtomicU64 = AtomicU64::new(1);
        let stamp = NEXT_STAMP.fetch_add(1, Ordering::Relaxed);
        Ok(Features { stamp, triangles, edges, edges_of_triangles, triangle_of_vertices })
    }

    /// A number that no other features have had or will have: what follows from them alone can be kept under it.
    pub fn stamp(&self) -> u64 {
        self.stamp
    }

    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    pub fn edges_of_triangles(&self) -> &[[u32; 3]] {
        &self.edges_of_triangles
    }

    pub fn triangle_of_vertices(&self) -> &[u32] {
        &self.triangle_of_vertices
    }

    pub fn bytes(&self) -> usize {
        self.triangles.capacity() * 12
            + self.edges.capacity() * size_of::<Edge>()
            + self.edges_of_triangles.capacity() * 12
            + self.triangle_of_vertices.capacity() * 4
    }
}
