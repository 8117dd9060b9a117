//! Where the vertices of a mesh came from that was made by a split or a merge.

use crate::memory::{Buffer, Memory, MemoryError};

/// A vertex of a mesh that may be gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VertexOrigin {
    /// The id of the mesh.
    pub mesh: u64,
    pub vertex: u32,
}

/// Nothing is kept for a mesh that the caller has made: its vertices come from nowhere.
pub struct Origins {
    /// Ids of the meshes.
    meshes: Buffer<u64>,
    /// Of each vertex: which of these meshes, and which vertex.
    vertices: Buffer<[u32; 2]>,
}

impl Origins {
    pub fn new(memory: &Memory) -> Origins {
        Origins { meshes: Buffer::new(memory.clone()), vertices: Buffer::new(memory.clone()) }
    }

    /// `origin` gives the place of the mesh among `meshes`, and the vertex. `vertices` is an empty array, with or without room.
    pub(super) fn of(
        memory: &Memory,
        meshes: impl ExactSizeIterator<Item = u64>,
        vertices: Buffer<[u32; 2]>,
        vertex_count: usize,
        origin: &dyn Fn(usize) -> [u32; 2],
    ) -> Result<Origins, MemoryError> {
        let mut origins = Origins { meshes: Buffer::new(memory.clone()), vertices };
        origins.meshes.reserve_exact(meshes.len())?;
        for mesh in meshes {
            origins.meshes.push(mesh)?;
        }
        origins.vertices.reserve_exact(vertex_count)?;
        for vertex in 0..vertex_count {
            origins.vertices.push(origin(vertex))?;
        }
        Ok(origins)
    }

    /// None for a mesh that was not made by a split or a merge, and for vertices that do not exist.
    pub fn get(&self, vertex: usize) -> Option<VertexOrigin> {
        let [mesh, vertex] = *self.vertices.get(vertex)?;
        Some(VertexOrigin { mesh: self.meshes[mesh as usize], vertex })
    }

    pub fn bytes(&self) -> usize {
        self.meshes.bytes() + self.vertices.bytes()
    }
}
