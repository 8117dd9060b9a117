//! A mesh that breaks or tears: its triangles are dealt out to parts, each of which becomes a mesh (FASTCD paper, section 5.1).
//!
//! A split changes who belongs together, and no position: a part has copies of all vertices that its triangles use. Where the mesh tears without coming apart, triangles get
//! new corners, which are copies of the old ones. What is seen for the first time, the faces of a crack, are new triangles.

use super::{Mesh, Origins};
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
    pub corners: Option<&'a dyn Fn(usize) -> [u32; 3]>,
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

    /// The parts, with the settings and the motion of the mesh, whose id is `id`. The vertices of a part are those that its triangles use, copies behind the others, in the order of their
    /// numbers; its triangles are in their old order.
    pub fn pieces(&self, memory: &Memory, mesh: &Mesh, id: u64) -> Result<Pieces, SplitProblem> {
        self.check(memory, mesh)?;
        // Triangles by part: where those of a part begin, and then all of them.
        let mut begins: Buffer<usize> = Buffer::new(memory.clone());
        begins.resize(self.part_count + 1, 0)?;
        let mut numbers: Buffer<u32> = Buffer::new(memory.clone());
        numbers.reserve_exact(self.parts.len())?;
        for &part in self.parts {
            let count = &mut begins[part as usize + 1];
            numbers.push(*count as u32)?;
            *count += 1;
        }
        for part in 0..self.part_count {
            begins[part + 1] += begins[part];
        }
        let mut by_part: Buffer<u32> = Buffer::new(memory.clone());
        by_part.resize(self.parts.len(), 0)?;
        for (triangle, &part) in self.parts.iter().enumerate() {
            by_part[begins[part as usize] + numbers[triangle] as usize] = triangle as u32;
        }

        let mut meshes = Buffer::new(memory.clone());
        meshes.reserve_exact(self.part_count)?;
        const UNUSED: u32 = u32::MAX;
        let mut local: Buffer<u32> = Buffer::new(memory.clone());
        local.resize(mesh.vertex_count() + self.copies.len(), UNUSED)?;
        let mut used: Buffer<u32> = Buffer::new(memory.clone());
        for part in 0..self.part_count {
            let triangles = &by_part[begins[part]..begins[part + 1]];
            used.clear();
            for &triangle in triangles {
                for vertex in self.corners(mesh, triangle as usize) {
                    if local[vertex as usize] == UNUSED {
                        local[vertex as usize] = 0;
                        used.push(vertex)?;
                    }
                }
            }
            used.sort_unstable();
            for (number, &vertex) in used.iter().enumerate() {
                local[vertex as usize] = number as u32;
            }
            let origin = |vertex: usize| self.origin(mesh, used[vertex]);
            let mut piece = Mesh::in_motion(
                memory,
                mesh.settings,
                used.len(),
                &|vertex| mesh.motions()[origin(vertex) as usize],
                triangles.len(),
                &|triangle| {
                    self.corners(mesh, triangles[triangle] as usize).map(|vertex| local[vertex as usize])
                },
            )?;
            piece.origins = Origins::of(memory, [id].into_iter(), used.len(), &|vertex| [0, origin(vertex)])?;
            meshes.push(piece)?;
            for &vertex in used.iter() {
                local[vertex as usize] = UNUSED;
            }
        }
        Ok(Pieces { meshes, numbers })
    }
}
