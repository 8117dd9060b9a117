//! Meshes that become one (FASTCD paper, section 5.1).

use super::{Mesh, Origins};
use crate::memory::{Buffer, Memory, MemoryError};

/// What becomes one: vertices and triangles of the meshes, one mesh after the other.
#[derive(Clone, Copy)]
pub struct Merge<'a> {
    /// The meshes and their ids, at least one.
    pub meshes: &'a [(u64, &'a Mesh)],
    /// For each vertex of all meshes the one that it becomes, which has to be itself or an earlier one that becomes itself, at the same place.
    pub weld: Option<&'a [u32]>,
}

/// What is wrong with a weld.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WeldProblem {
    /// A vertex becomes a later one.
    Later {
        vertex: usize,
    },
    /// A vertex becomes one that becomes another one.
    Chain {
        vertex: usize,
    },
    /// A vertex becomes one at another place, at t = 0 or at t = 1.
    Elsewhere {
        vertex: usize,
        time: u32,
    },
    Memory(MemoryError),
}

impl From<MemoryError> for WeldProblem {
    fn from(error: MemoryError) -> WeldProblem {
        WeldProblem::Memory(error)
    }
}

impl Merge<'_> {
    /// Vertices of all meshes; the weld has as many.
    pub fn vertex_count(&self) -> usize {
        self.meshes.iter().map(|(_, mesh)| mesh.vertex_count()).sum()
    }

    pub fn triangle_count(&self) -> usize {
        self.meshes.iter().map(|(_, mesh)| mesh.triangle_count()).sum()
    }

    /// The whole, with the settings of the first mesh. Vertices keep their order; those that become others are left out.
    pub fn whole(&self, memory: &Memory) -> Result<Mesh, WeldProblem> {
        let vertex_count = self.vertex_count();
        // The mesh and the number in it of each vertex of all meshes, and of those that stay; the new number of each vertex.
        let mut sources: Buffer<[u32; 2]> = Buffer::new(memory.clone());
        sources.reserve_exact(vertex_count)?;
        for (place, (_, mesh)) in self.meshes.iter().enumerate() {
            for vertex in 0..mesh.vertex_count() as u32 {
                sources.push([place as u32, vertex])?;
            }
        }
        let motion_of = |[place, vertex]: [u32; 2]| self.meshes[place as usize].1.motions()[vertex as usize];
        let mut staying: Buffer<[u32; 2]> = Buffer::new(memory.clone());
        let mut numbers: Buffer<u32> = Buffer::new(memory.clone());
        staying.reserve_exact(vertex_count)?;
        numbers.reserve_exact(vertex_count)?;
        for vertex in 0..vertex_count {
            let target = self.weld.map_or(vertex, |weld| weld[vertex] as usize);
            if target == vertex {
                numbers.push(staying.len() as u32)?;
                staying.push(sources[vertex])?;
                continue;
            }
            if target > vertex {
                return Err(WeldProblem::Later { vertex });
            }
            if self.weld.is_some_and(|weld| weld[target] as usize != target) {
                return Err(WeldProblem::Chain { vertex });
            }
            let (here, there) = (motion_of(sources[vertex]).0, motion_of(sources[target]).0);
            if let Some(time) = (0..2).find(|time| here[4 * time..][..3] != there[4 * time..][..3]) {
                return Err(WeldProblem::Elsewhere { vertex, time: time as u32 });
            }
            let number = numbers[target];
            numbers.push(number)?;
        }

        let mut triangles: Buffer<[u32; 3]> = Buffer::new(memory.clone());
        triangles.reserve_exact(self.triangle_count())?;
        let mut first = 0;
        for (_, mesh) in self.meshes {
            for corners in mesh.features().triangles() {
                triangles.push(corners.map(|vertex| numbers[first + vertex as usize]))?;
            }
            first += mesh.vertex_count();
        }
        let settings = self.meshes[0].1.settings;
        let motion = |vertex: usize| motion_of(staying[vertex]);
        let mut whole =
            Mesh::in_motion(memory, settings, staying.len(), &motion, triangles.len(), &|i| triangles[i])?;
        let ids = self.meshes.iter().map(|(id, _)| *id);
        whole.origins =
            Origins::of(memory, ids, Buffer::new(memory.clone()), staying.len(), &|vertex| staying[vertex])?;
        Ok(whole)
    }
}
