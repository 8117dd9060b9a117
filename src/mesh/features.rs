//! Vertices, edges and faces, each known once.
//!
//! A feature is named to the caller with a triangle that has it: the first one in the caller's list. (Which triangle *owns* a vertex or an
//! edge, so that it is looked at once, is the hierarchy's choice: it takes the first in its own order.)

use crate::memory::{Block, Buffer, Memory, MemoryError};
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
    pub(super) stamp: u64,
    pub(super) triangles: Buffer<[u32; 3]>,
    /// Sorted by their ends.
    pub(super) edges: Buffer<Edge>,
    /// The edges of each triangle between corners 0 and 1, 1 and 2, 2 and 0; [`NO_EDGE`] where a corner is repeated.
    pub(super) edges_of_triangles: Buffer<[u32; 3]>,
    /// The first triangle of each vertex.
    pub(super) triangle_of_vertices: Buffer<u32>,
}

/// In place of an edge between a vertex and itself.
pub const NO_EDGE: u32 = u32::MAX;

/// An edge as a triangle has it.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub ends: [u32; 2],
    pub triangle: u32,
    /// Between which corners: 0 and 1, 1 and 2, or 2 and 0.
    pub side: u32,
}

impl Side {
    /// Those of a triangle; there is none between a corner and itself.
    pub fn of(triangle: u32, corners: [u32; 3]) -> impl Iterator<Item = Side> {
        (0..3).filter_map(move |side| {
            let (from, to) = (corners[side], corners[(side + 1) % 3]);
            let ends = [from.min(to), from.max(to)];
            (from != to).then_some(Side { ends, triangle, side: side as u32 })
        })
    }
}

/// The numbers of a mesh's vertices and edges in one of its parts. Those of others mean nothing: the same arrays serve for one part after the other.
pub(super) struct Numbers {
    vertices: Buffer<u32>,
    edges: Buffer<u32>,
}

impl Numbers {
    pub fn new(memory: &Memory, vertex_count: usize, edge_count: usize) -> Result<Numbers, MemoryError> {
        let mut numbers =
            Numbers { vertices: Buffer::new(memory.clone()), edges: Buffer::new(memory.clone()) };
        numbers.vertices.resize(vertex_count, 0)?;
        numbers.edges.resize(edge_count, 0)?;
        Ok(numbers)
    }

    /// Those of the part that has the given vertices and edges.
    pub fn set(&mut self, vertices: &[u32], edges: &[u32]) {
        for (numbers, used) in [(&mut self.vertices, vertices), (&mut self.edges, edges)] {
            for (number, &old) in used.iter().enumerate() {
                numbers[old as usize] = number as u32;
            }
        }
    }

    pub fn vertex(&self, vertex: u32) -> u32 {
        self.vertices[vertex as usize]
    }
}

pub(super) fn next_stamp() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
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
            for vertex in corners {
                let first: &mut u32 = &mut triangle_of_vertices[vertex as usize];
                *first = (*first).min(i as u32);
            }
            for Side { ends, .. } in Side::of(i as u32, corners) {
                starts[ends[0] as usize + 1] += 1;
                side_count += 1;
            }
        }
        for vertex in 0..vertex_count {
            starts[vertex + 1] += starts[vertex];
        }
        let mut sides: Buffer<Side> = Buffer::new(memory.clone());
        sides.resize(side_count, Side { ends: [0; 2], triangle: 0, side: 0 })?;
        for (i, &corners) in triangles.iter().enumerate() {
            for side in Side::of(i as u32, corners) {
                let place = &mut starts[side.ends[0] as usize];
                sides[*place as usize] = side;
                *place += 1;
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
        Ok(Features { stamp: next_stamp(), triangles, edges, edges_of_triangles, triangle_of_vertices })
    }

    /// A number that no other features have had or will have: what follows from them alone can be kept under it.
    pub fn stamp(&self) -> u64 {
        self.stamp
    }

    /// Those of some triangles, whose corners stay the same vertices. All numbers are ascending: so edges keep their order, and nothing has to be sorted. `vertices` and `edges` are
    /// those that the triangles have. Arrays are made in a block, as far as it has room.
    ///
    /// # Safety
    ///
    /// The block is kept as long as the features.
    pub(super) unsafe fn part(
        &self,
        block: &mut Block,
        triangles: &[u32],
        vertices: &[u32],
        edges: &[u32],
        numbers: &mut Numbers,
    ) -> Result<Features, MemoryError> {
        numbers.set(vertices, edges);
        // SAFETY: promised by the caller; elements need not be dropped.
        let mut part = unsafe {
            Features {
                stamp: next_stamp(),
                triangles: block.array(triangles.len()),
                edges: block.array(edges.len()),
                edges_of_triangles: block.array(triangles.len()),
                triangle_of_vertices: block.array(vertices.len()),
            }
        };
        part.triangles.reserve_exact(triangles.len())?;
        part.edges_of_triangles.reserve_exact(triangles.len())?;
        part.triangle_of_vertices.resize(vertices.len(), NO_TRIANGLE)?;
        part.edges.reserve_exact(edges.len())?;
        for &edge in edges {
            let ends = self.edges[edge as usize].ends.map(|vertex| numbers.vertices[vertex as usize]);
            part.edges.push(Edge { ends, triangle: NO_TRIANGLE })?;
        }
        for (number, &triangle) in triangles.iter().enumerate() {
            let corners = self.triangles[triangle as usize].map(|vertex| numbers.vertices[vertex as usize]);
            for vertex in corners {
                let first = &mut part.triangle_of_vertices[vertex as usize];
                *first = (*first).min(number as u32);
            }
            let mut sides = self.edges_of_triangles[triangle as usize];
            for edge in sides.iter_mut().filter(|edge| **edge != NO_EDGE) {
                *edge = numbers.edges[*edge as usize];
                let first = &mut part.edges[*edge as usize].triangle;
                *first = (*first).min(number as u32);
            }
            part.triangles.push(corners)?;
            part.edges_of_triangles.push(sides)?;
        }
        Ok(part)
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
        self.triangles.bytes()
            + self.edges.bytes()
            + self.edges_of_triangles.bytes()
            + self.triangle_of_vertices.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_below;
    use super::*;

    /// What a part inherits is what it would find out by itself.
    #[test]
    fn a_part_has_the_features_of_its_triangles() {
        let memory = Memory::new(None).unwrap();
        let mut below = random_below(7);
        for round in 0..200 {
            let vertex_count = 3 + below(30);
            // corners may be repeated, and so may triangles
            let corners: Vec<[u32; 3]> =
                (0..1 + below(60)).map(|_| std::array::from_fn(|_| below(vertex_count) as u32)).collect();
            let whole = Features::new(&memory, vertex_count, corners.len(), &|i| corners[i]).unwrap();
            let triangles: Vec<u32> = (0..corners.len() as u32).filter(|_| below(3) > 0).collect();
            let ascending = |mut numbers: Vec<u32>| {
                numbers.sort_unstable();
                numbers.dedup();
                numbers
            };
            let all = |of: &[[u32; 3]]| triangles.iter().flat_map(|&t| of[t as usize]).collect::<Vec<u32>>();
            let vertices = ascending(all(&corners));
            let mut edges = ascending(all(whole.edges_of_triangles()));
            edges.retain(|&edge| edge != NO_EDGE);
            let mut numbers = Numbers::new(&memory, vertex_count, whole.edges().len()).unwrap();
            let sizes = [100 * below(20), 100 * below(20)];
            let mut block = Block::new(memory.clone(), &sizes).unwrap();
            // SAFETY: the block is dropped last.
            let part =
                unsafe { whole.part(&mut block, &triangles, &vertices, &edges, &mut numbers) }.unwrap();
            let own = |i: usize| {
                let number = |vertex: u32| vertices.binary_search(&vertex).unwrap() as u32;
                corners[triangles[i] as usize].map(number)
            };
            let expected = Features::new(&memory, vertices.len(), triangles.len(), &own).unwrap();
            assert_eq!(part.triangles(), expected.triangles(), "{round}");
            assert_eq!(part.edges(), expected.edges(), "{round}");
            assert_eq!(part.edges_of_triangles(), expected.edges_of_triangles(), "{round}");
            assert_eq!(part.triangle_of_vertices(), expected.triangle_of_vertices(), "{round}");
        }
    }
}
