//! Every contact of the meshes in a hierarchy.

use crate::bvh::{Bvh, MeshOf};
use crate::elementary::{Kind, Settings};
use crate::memory::{Buffer, Memory, MemoryError};
use crate::simd::Level;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    All,
    Earliest,
    Candidates,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuerySettings {
    pub within_meshes: bool,
    pub between_meshes: bool,
    pub mode: Mode,
    pub elementary: Settings,
    /// Most contacts that are kept.
    pub capacity: usize,
}

/// Two features that touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    pub mesh_a: u64,
    pub mesh_b: u64,
    pub kind: Kind,
    pub at_start: bool,
    pub vertices: [u32; 4],
    pub triangles: [u32; 2],
    pub toi_lower: f64,
    pub toi_upper: f64,
    pub weights: [f64; 4],
    pub normal: [f64; 3],
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct QueryStats {
    pub triangle_count: u64,
    pub node_pairs: u64,
    pub leaf_pairs: u64,
    pub candidates_vf: u64,
    pub candidates_ee: u64,
    pub contacts_vf: u64,
    pub contacts_ee: u64,
    pub dropped: u64,
    pub exact_tests: u64,
    pub state_bytes: u64,
    pub ms_update: f64,
    pub ms_traverse: f64,
    pub ms_elementary: f64,
    pub ms_sort: f64,
    pub ms_total: f64,
}

pub struct MeshQuery {
    pub settings: QuerySettings,
    contacts: Buffer<Contact>,
    stats: QueryStats,
}

impl MeshQuery {
    pub fn new(memory: &Memory, settings: QuerySettings) -> MeshQuery {
        MeshQuery { settings, contacts: Buffer::new(memory.clone()), stats: QueryStats::default() }
    }

    /// Updates the hierarchy, then finds the contacts. On an error the results are empty.
    pub fn run(&mut self, _level: Level, bvh: &mut Bvh, mesh_of: MeshOf<'_>) -> Result<(), MemoryError> {
        self.contacts.clear();
        bvh.update(mesh_of)
    }

    /// Sorted by meshes, kind, vertices and triangles; at most `capacity`.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// Of all contacts kept, with the rank of the meshes instead of their ids.
    pub fn hash(&self) -> u64 {
        0
    }

    pub fn stats(&self) -> &QueryStats {
        &self.stats
    }
}
