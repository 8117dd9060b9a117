//! A mesh that tears and stays one: it keeps its triangles, of which some get copies of vertices for corners.
//!
//! Everything keeps its number but edges, and few of these are new or gone: the others are taken over in their order, in a few passes over the mesh and without sorting them.

use super::features::{Edge, Features, NO_EDGE, NO_TRIANGLE, Side, next_stamp};
use super::pieces::{Broken, Pieces};
use super::{Mesh, Origins};
use crate::memory::{Block, Buffer, Memory, MemoryError};

impl Broken<'_> {
    /// Its one part, if it keeps all triangles and gets no others, and all vertices and copies are in use: what is not would be left behind.
    pub(super) fn torn(&self, memory: &Memory) -> Result<Option<Pieces>, MemoryError> {
        let Broken { id, mesh, split } = self;
        let triangle_count = mesh.triangle_count();
        let Some(corners) = split.corners else { return Ok(None) };
        if split.part_count != 1 || split.parts.len() != triangle_count {
            return Ok(None);
        }
        let vertex_count = mesh.vertex_count() + split.copies.len();
        let features = mesh.features().torn(memory, vertex_count, corners)?;
        if features.triangle_of_vertices().contains(&NO_TRIANGLE) {
            return Ok(None);
        }
        let mut motions = Buffer::new(memory.clone());
        motions.reserve_exact(vertex_count)?;
        for &motion in mesh.motions() {
            motions.push(motion)?;
        }
        for &vertex in split.copies {
            motions.push(mesh.motions()[vertex as usize])?;
        }
        let mut piece = Mesh::assemble(mesh.settings, motions, features, Block::empty(memory.clone()))?;
        let origin = |vertex: usize| [0, split.origin(mesh, vertex as u32)];
        let vertices = Buffer::new(memory.clone());
        piece.origins = Origins::of(memory, [*id].into_iter(), vertices, vertex_count, &origin)?;
        let mut meshes = Buffer::new(memory.clone());
        meshes.reserve_exact(1)?;
        meshes.push(piece)?;
        let mut numbers = Buffer::new(memory.clone());
        numbers.reserve_exact(triangle_count)?;
        (0..triangle_count as u32).try_for_each(|triangle| numbers.push(triangle))?;
        Ok(Some(Pieces { meshes, numbers }))
    }
}

impl Features {
    /// Those of the same triangles with other corners. There are at least as many vertices as before.
    fn torn(
        &self,
        memory: &Memory,
        vertex_count: usize,
        corners: &dyn Fn(usize) -> [u32; 3],
    ) -> Result<Features, MemoryError> {
        let triangle_count = self.triangles.len();
        let mut triangles = Buffer::new(memory.clone());
        triangles.reserve_exact(triangle_count)?;
        let mut triangle_of_vertices = Buffer::new(memory.clone());
        triangle_of_vertices.resize(vertex_count, NO_TRIANGLE)?;
        // By edge, the first triangle of those that stay as they are.
        let mut firsts: Buffer<u32> = Buffer::new(memory.clone());
        firsts.resize(self.edges.len(), NO_TRIANGLE)?;
        // Of those that change.
        let mut sides: Buffer<Side> = Buffer::new(memory.clone());
        for triangle in 0..triangle_count {
            let corners = corners(triangle);
            triangles.push(corners)?;
            for vertex in corners {
                let first: &mut u32 = &mut triangle_of_vertices[vertex as usize];
                *first = (*first).min(triangle as u32);
            }
            if corners != self.triangles[triangle] {
                Side::of(triangle as u32, corners).try_for_each(|side| sides.push(side))?;
                continue;
            }
            for edge in self.edges_of_triangles[triangle].into_iter().filter(|&edge| edge != NO_EDGE) {
                let first = &mut firsts[edge as usize];
                *first = (*first).min(triangle as u32);
            }
        }
        sides.sort_unstable_by_key(|side| (side.ends, side.triangle, side.side));
        let mut edges_of_triangles = Buffer::new(memory.clone());
        edges_of_triangles.resize(triangle_count, [NO_EDGE; 3])?;
        let mut edges: Buffer<Edge> = Buffer::new(memory.clone());
        edges.reserve_exact(self.edges.len() + sides.len())?;
        let mut add = |edges: &mut Buffer<Edge>, side: &Side| {
            let Side { ends, triangle, side } = *side;
            match edges.last_mut() {
                Some(edge) if edge.ends == ends => edge.triangle = edge.triangle.min(triangle),
                _ => edges.push(Edge { ends, triangle })?,
            }
            edges_of_triangles[triangle as usize][side as usize] = edges.len() as u32 - 1;
            Ok(())
        };
        let mut sides = &sides[..];
        for (old, first) in self.edges.iter().zip(firsts.iter_mut()) {
            while let Some((side, others)) = sides.split_first()
                && side.ends < old.ends
            {
                add(&mut edges, side)?;
                sides = others;
            }
            if *first != NO_TRIANGLE {
                edges.push(Edge { ends: old.ends, triangle: *first })?;
                // From here on, the number that the edge has now.
                *first = edges.len() as u32 - 1;
            }
        }
        sides.iter().try_for_each(|side| add(&mut edges, side))?;
        let numbers = firsts;
        for (triangle, sides) in edges_of_triangles.iter_mut().enumerate() {
            if triangles[triangle] == self.triangles[triangle] {
                let number = |edge: u32| if edge == NO_EDGE { NO_EDGE } else { numbers[edge as usize] };
                *sides = self.edges_of_triangles[triangle].map(number);
            }
        }
        Ok(Features { stamp: next_stamp(), triangles, edges, edges_of_triangles, triangle_of_vertices })
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_below;
    use super::*;

    /// What tears has the features that it would find out by itself.
    #[test]
    fn what_is_torn_has_the_features_of_its_triangles() {
        let memory = Memory::new(None).unwrap();
        let mut below = random_below(5);
        let (mut gone, mut new) = (0, 0);
        for round in 0..400 {
            let vertex_count = 3 + below(30);
            // corners may be repeated, and so may triangles
            let old: Vec<[u32; 3]> =
                (0..1 + below(60)).map(|_| std::array::from_fn(|_| below(vertex_count) as u32)).collect();
            let copies: Vec<u32> = (0..below(8)).map(|_| below(vertex_count) as u32).collect();
            let one_of = 1 + below(4);
            let torn: Vec<[u32; 3]> = old
                .iter()
                .map(|corners| {
                    corners.map(|vertex| match copies.iter().position(|&copied| copied == vertex) {
                        Some(copy) if below(one_of) == 0 => (vertex_count + copy) as u32,
                        _ => vertex,
                    })
                })
                .collect();
            let count = vertex_count + copies.len();
            let before = Features::new(&memory, vertex_count, old.len(), &|i| old[i]).unwrap();
            let expected = Features::new(&memory, count, torn.len(), &|i| torn[i]).unwrap();
            let got = before.torn(&memory, count, &|i| torn[i]).unwrap();
            assert_eq!(got.triangles(), expected.triangles(), "round {round}");
            assert_eq!(got.edges(), expected.edges(), "round {round}");
            assert_eq!(got.edges_of_triangles(), expected.edges_of_triangles(), "round {round}");
            assert_eq!(got.triangle_of_vertices(), expected.triangle_of_vertices(), "round {round}");
            let has =
                |features: &Features, edge: &Edge| features.edges().iter().any(|it| it.ends == edge.ends);
            gone += before.edges().iter().filter(|edge| !has(&expected, edge)).count();
            new += expected.edges().iter().filter(|edge| !has(&before, edge)).count();
        }
        assert!(gone > 100 && new > 100, "{gone} edges gone, {new} new: not much of a test");
    }
}
