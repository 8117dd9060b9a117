//! A mesh that breaks or tears: its triangles are dealt out to parts, each of which becomes a mesh (FASTCD paper, section 5.1).
//!
//! A split changes who belongs together, and no position: a part has copies of all vertices that its triangles use. Where the mesh tears without coming apart, triangles get
//! new corners, which are copies of the old ones. What is seen for the first time, the faces of a crack, are new triangles.

use super::features::{Features, NO_EDGE, Numbers};
use super::shares::Shares;
use super::{Mesh, Origins};
use crate::locks::Mutex;
use crate::memory::{Buffer, Memory, MemoryError};
use crate::schedule::Crew;
use crate::simd::StandardFloats;

/// With fewer triangles, waking other workers takes longer than they would save.
pub const FEWEST_FOR_ALL: usize = 4096;

/// What becomes of a mesh.
#[derive(Clone, Copy)]
pub struct Split<'a> {
    pub part_count: usize,
    /// The part of each triangle. More than the mesh has are new ones.
    pub parts: &'a [u32],
    /// Vertices of the mesh that are there once more, numbered behind those of the mesh.
    pub copies: &'a [u32],
    /// The corners of each triangle, if they change: vertices of the mesh, or copies.
    pub corners: Option<&'a (dyn Fn(usize) -> [u32; 3] + Sync)>,
}

/// What is wrong with a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitProblem {
    /// A copy of a vertex that does not exist.
    Copy {
        index: usize,
    },
    /// A triangle is in a part that does not exist.
    Part {
        triangle: usize,
    },
    /// A part has no triangle.
    Empty {
        part: usize,
    },
    /// A corner is no vertex.
    Corner {
        triangle: usize,
        corner: usize,
    },
    /// A corner of a triangle that the mesh has is neither what it was nor a copy of that.
    Elsewhere {
        triangle: usize,
        corner: usize,
    },
    Memory(MemoryError),
}

impl From<MemoryError> for SplitProblem {
    fn from(error: MemoryError) -> SplitProblem {
        SplitProblem::Memory(error)
    }
}

/// The parts of a mesh.
pub struct Pieces {
    pub meshes: Buffer<Mesh>,
    /// The number of each triangle of the split in its part.
    pub numbers: Buffer<u32>,
}

impl Split<'_> {
    /// The vertex of the mesh that a vertex of the split is, or is a copy of.
    fn origin(&self, mesh: &Mesh, vertex: u32) -> u32 {
        match (vertex as usize).checked_sub(mesh.vertex_count()) {
            Some(copy) => self.copies[copy],
            None => vertex,
        }
    }

    pub fn corners(&self, mesh: &Mesh, triangle: usize) -> [u32; 3] {
        match self.corners {
            Some(corners) => corners(triangle),
            None => mesh.features().triangles()[triangle],
        }
    }

    /// The vertices of the mesh that the corners of a triangle are, or are copies of.
    pub fn origins(&self, mesh: &Mesh, triangle: usize) -> [u32; 3] {
        self.corners(mesh, triangle).map(|vertex| self.origin(mesh, vertex))
    }

    /// Finds what is wrong. There have to be at least as many parts of triangles as the mesh has triangles, and no more unless their corners are given.
    fn check(&self, memory: &Memory, mesh: &Mesh) -> Result<(), SplitProblem> {
        let (vertex_count, triangles) = (mesh.vertex_count(), mesh.features().triangles());
        if let Some(index) = self.copies.iter().position(|&vertex| vertex as usize >= vertex_count) {
            return Err(SplitProblem::Copy { index });
        }
        let mut is_used: Buffer<bool> = Buffer::new(memory.clone());
        is_used.resize(self.part_count.min(self.parts.len() + 1), false)?;
        for (triangle, &part) in self.parts.iter().enumerate() {
            if part as usize >= self.part_count {
                return Err(SplitProblem::Part { triangle });
            }
            if let Some(is_used) = is_used.get_mut(part as usize) {
                *is_used = true;
            }
        }
        // With more parts than triangles, there is an empty one among the first as well.
        if let Some(part) = is_used.iter().position(|is_used| !is_used) {
            return Err(SplitProblem::Empty { part });
        }
        let Some(corners) = self.corners else { return Ok(()) };
        for triangle in 0..self.parts.len() {
            for (corner, vertex) in corners(triangle).into_iter().enumerate() {
                if vertex as usize >= vertex_count + self.copies.len() {
                    return Err(SplitProblem::Corner { triangle, corner });
                }
                let is_other = |old: &[u32; 3]| old[corner] != self.origin(mesh, vertex);
                if triangles.get(triangle).is_some_and(is_other) {
                    return Err(SplitProblem::Elsewhere { triangle, corner });
                }
            }
        }
        Ok(())
    }

    /// The parts, with the settings and the motion of the mesh, whose id is `id`, made by the workers of a crew. The vertices of a part are those that its triangles use, copies behind the
    /// others, in the order of their numbers; its triangles are in their old order.
    pub fn pieces(&self, memory: &Memory, crew: &Crew, mesh: &Mesh, id: u64) -> Result<Pieces, SplitProblem> {
        self.check(memory, mesh)?;
        let sorted = Sorted::new(self, memory, mesh)?;
        let numbers = self.numbers(memory)?;
        let worker_count = if self.parts.len() < FEWEST_FOR_ALL { 1 } else { crew.worker_count() };
        let mut rooms: Buffer<Mutex<Numbers>> = Buffer::new(memory.clone());
        rooms.reserve_exact(worker_count)?;
        for _ in 0..worker_count {
            let vertex_count = mesh.vertex_count() + self.copies.len();
            rooms.push(Mutex::new(Numbers::new(memory, vertex_count, sorted.edge_count(mesh))?))?;
        }
        let meshes = crew.collect(memory, &mut rooms, self.part_count, &|room, part| {
            let _floats = StandardFloats::enter();
            self.piece(memory, mesh, id, &sorted, part, room)
        })?;
        Ok(Pieces { meshes, numbers })
    }

    /// The number of each triangle in its part.
    fn numbers(&self, memory: &Memory) -> Result<Buffer<u32>, MemoryError> {
        let mut counts: Buffer<u32> = Buffer::new(memory.clone());
        counts.resize(self.part_count, 0)?;
        let mut numbers: Buffer<u32> = Buffer::new(memory.clone());
        numbers.reserve_exact(self.parts.len())?;
        for &part in self.parts {
            let count = &mut counts[part as usize];
            numbers.push(*count)?;
            *count += 1;
        }
        Ok(numbers)
    }

    fn piece(
        &self,
        memory: &Memory,
        mesh: &Mesh,
        id: u64,
        sorted: &Sorted,
        part: usize,
        numbers: &mut Numbers,
    ) -> Result<Mesh, MemoryError> {
        let (vertices, triangles) = (sorted.vertices.of(part), sorted.triangles.of(part));
        let features = match &sorted.edges {
            Some(edges) => mesh.features().part(memory, triangles, vertices, edges.of(part), numbers)?,
            None => {
                numbers.set(vertices, &[]);
                let corners = |triangle: usize| {
                    self.corners(mesh, triangles[triangle] as usize).map(|vertex| numbers.vertex(vertex))
                };
                Features::new(memory, vertices.len(), triangles.len(), &corners)?
            }
        };
        let mut motions = Buffer::new(memory.clone());
        motions.reserve_exact(vertices.len())?;
        for &vertex in vertices {
            motions.push(mesh.motions()[self.origin(mesh, vertex) as usize])?;
        }
        let mut piece = Mesh::assemble(memory, mesh.settings, motions, features)?;
        let origin = |vertex: usize| [0, self.origin(mesh, vertices[vertex])];
        piece.origins = Origins::of(memory, [id].into_iter(), vertices.len(), &origin)?;
        Ok(piece)
    }
}

/// What belongs to each part, in the order of its numbers.
struct Sorted {
    triangles: Shares,
    vertices: Shares,
    /// Where corners change there are other edges.
    edges: Option<Shares>,
}

impl Sorted {
    fn new(split: &Split<'_>, memory: &Memory, mesh: &Mesh) -> Result<Sorted, MemoryError> {
        let Split { part_count, parts, copies, .. } = *split;
        let features = mesh.features();
        let of_parts = || parts.iter().copied().enumerate();
        let triangles = Shares::new(
            memory,
            part_count,
            parts.len(),
            of_parts().map(|(triangle, part)| (triangle as u32, part)),
        )?;
        let vertex_count = mesh.vertex_count() + copies.len();
        let corners = of_parts()
            .flat_map(|(triangle, part)| split.corners(mesh, triangle).map(|vertex| (vertex, part)));
        let vertices = Shares::new(memory, part_count, vertex_count, corners)?;
        let edges = match split.corners {
            Some(_) => None,
            None => {
                let sides = of_parts()
                    .flat_map(|(triangle, part)| {
                        features.edges_of_triangles()[triangle].map(|edge| (edge, part))
                    })
                    .filter(|&(edge, _)| edge != NO_EDGE);
                Some(Shares::new(memory, part_count, features.edges().len(), sides)?)
            }
        };
        Ok(Sorted { triangles, vertices, edges })
    }

    /// Edges that parts inherit.
    fn edge_count(&self, mesh: &Mesh) -> usize {
        if self.edges.is_some() { mesh.edge_count() } else { 0 }
    }
}
