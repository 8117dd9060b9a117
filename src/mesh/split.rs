//! A mesh that breaks or tears: its triangles are dealt out to parts, each of which becomes a mesh (FASTCD paper, section 5.1).
//!
//! A split changes who belongs together, and no position: a part has copies of all vertices that its triangles use. Where the mesh tears without coming apart, triangles get
//! new corners, which are copies of the old ones. What is seen for the first time, the faces of a crack, are new triangles.

use super::Mesh;
use crate::memory::{Buffer, Memory, MemoryError};

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

impl Split<'_> {
    /// The vertex of the mesh that a vertex of the split is, or is a copy of.
    pub(super) fn origin(&self, mesh: &Mesh, vertex: u32) -> u32 {
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
    pub(super) fn check(&self, memory: &Memory, mesh: &Mesh) -> Result<(), SplitProblem> {
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
}
