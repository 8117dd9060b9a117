//! A hierarchy over any number of meshes.

use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::Mesh;

/// Finds a mesh by its id.
pub type MeshOf<'a> = &'a dyn Fn(u64) -> &'a Mesh;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BvhSettings {
    /// A mesh's hierarchy is rebuilt at an update when its quality falls below.
    pub rebuild_quality: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BvhInfo {
    pub mesh_count: usize,
    pub triangle_count: usize,
    pub node_count: usize,
    pub depth: usize,
    pub bytes: usize,
    pub quality: f64,
    pub rebuild_count: u64,
}

pub struct Bvh {
    settings: BvhSettings,
    meshes: Buffer<u64>,
}

impl Bvh {
    pub fn new(memory: &Memory, settings: BvhSettings) -> Bvh {
        Bvh { settings, meshes: Buffer::new(memory.clone()) }
    }

    pub fn contains(&self, id: u64) -> bool {
        self.meshes.contains(&id)
    }

    /// Adds a mesh that it doesn't contain. When memory is refused nothing changes.
    pub fn add(&mut self, id: u64, _mesh: &Mesh) -> Result<(), MemoryError> {
        let _ = self.settings;
        self.meshes.push(id)
    }

    /// Returns whether the mesh was in it.
    pub fn remove(&mut self, _id: u64) -> bool {
        false
    }

    /// Takes over what has moved since the last update.
    pub fn update(&mut self, _mesh_of: MeshOf<'_>) -> Result<(), MemoryError> {
        Ok(())
    }

    /// As of the last update.
    pub fn info(&self) -> BvhInfo {
        BvhInfo::default()
    }

    /// Updates, then calls `found(mesh, triangle)` for every triangle whose swept box overlaps a box, sorted.
    pub fn overlap(
        &mut self,
        _mesh_of: MeshOf<'_>,
        _lower: [f64; 3],
        _upper: [f64; 3],
        _found: &mut dyn FnMut(u64, u32),
    ) -> Result<(), MemoryError> {
        Ok(())
    }
}
