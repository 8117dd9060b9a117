//! A hierarchy over any number of meshes.
//!
//! Each mesh has a [`Tree`] of its own, which is refitted when the mesh has moved and rebuilt when it has become bad. Over them there is a sweep along
//! one axis, done anew each time: meshes are few, or move a lot.

mod bounds;
mod build;
mod overlap;
mod tree;

pub use bounds::{BoxGroup, Broadcast, MovingBox, Period, Reach};
pub use tree::{EdgeGroup, FaceGroup, Group, Tree, VertexGroup, WIDTH};

use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::Mesh;
use tree::Workspace;

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
    /// Of the worst mesh.
    pub quality: f64,
    pub rebuild_count: u64,
}

/// A mesh in the hierarchy.
pub struct Body {
    pub id: u64,
    pub tree: Tree,
    triangle_count: usize,
}

pub struct Bvh {
    settings: BvhSettings,
    /// Sorted by id.
    bodies: Buffer<Body>,
    workspace: Workspace,
    rebuild_count: u64,
    memory: Memory,
}

impl Bvh {
    pub fn new(memory: &Memory, settings: BvhSettings) -> Bvh {
        Bvh {
            settings,
            bodies: Buffer::new(memory.clone()),
            workspace: Workspace::new(memory),
            rebuild_count: 0,
            memory: memory.clone(),
        }
    }

    fn find(&self, id: u64) -> Result<usize, usize> {
        self.bodies.binary_search_by_key(&id, |body| body.id)
    }

    pub fn contains(&self, id: u64) -> bool {
        self.find(id).is_ok()
    }

    /// Adds a mesh that it doesn't contain. When memory is refused nothing changes.
    pub fn add(&mut self, id: u64, mesh: &Mesh) -> Result<(), MemoryError> {
        let Err(place) = self.find(id) else { return Ok(()) };
        let tree = Tree::new(&self.memory, mesh, &mut self.workspace)?;
        self.bodies.push(Body { id, tree, triangle_count: mesh.triangle_count() })?;
        self.bodies[place..].rotate_right(1);
        Ok(())
    }

    /// Returns whether the mesh was in it.
    pub fn remove(&mut self, id: u64) -> bool {
        let Ok(place) = self.find(id) else { return false };
        self.bodies[place..].rotate_left(1);
        self.bodies.pop();
        true
    }

    /// Takes over what has moved since the last update.
    pub fn update(&mut self, mesh_of: MeshOf<'_>) -> Result<(), MemoryError> {
        for body in self.bodies.iter_mut() {
            let mesh = mesh_of(body.id);
            let unfinished = body.tree.level_count() == 0 && mesh.triangle_count() > 0;
            if !unfinished {
                if body.tree.version() == mesh.version() {
                    continue;
                }
                body.tree.refit(mesh, &mut self.workspace)?;
            }
            if unfinished || body.tree.quality() < self.settings.rebuild_quality {
                body.tree.rebuild(mesh, &mut self.workspace)?;
                self.rebuild_count += 1;
            }
        }
        Ok(())
    }

    /// The meshes, sorted by id.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// As of the last update.
    pub fn info(&self) -> BvhInfo {
        let trees = || self.bodies.iter().map(|body| &body.tree);
        BvhInfo {
            mesh_count: self.bodies.len(),
            triangle_count: self.bodies.iter().map(|body| body.triangle_count).sum(),
            node_count: trees().map(Tree::node_count).sum(),
            depth: trees().map(Tree::level_count).max().unwrap_or(0),
            bytes: self.bytes(),
            quality: trees().map(Tree::quality).fold(1.0, f64::min),
            rebuild_count: self.rebuild_count,
        }
    }

    pub fn bytes(&self) -> usize {
        let bodies: usize = self.bodies.iter().map(|body| body.tree.bytes()).sum();
        bodies + self.bodies.capacity() * size_of::<Body>() + self.workspace.bytes()
    }

    /// Updates, then calls `found(mesh, triangle)` for every triangle whose swept box overlaps a box, in no particular order.
    pub fn overlap(
        &mut self,
        mesh_of: MeshOf<'_>,
        lower: [f64; 3],
        upper: [f64; 3],
        found: &mut dyn FnMut(u64, u32),
    ) -> Result<(), MemoryError> {
        self.update(mesh_of)?;
        for body in self.bodies.iter() {
            let mesh = mesh_of(body.id);
            body.tree.overlap(mesh, lower, upper, &mut |triangle| found(body.id, triangle));
        }
        Ok(())
    }
}
