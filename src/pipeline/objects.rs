//! The objects of a pipeline, and the trees of their meshes.

use super::fill::Filter;
use super::shapes::Shape;
use super::step::MeshOf;
use super::transform::{Frame, Transform};
use crate::bvh::{Tree, Workspace};
use crate::elementary::vec3::Vec3;
use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::Mesh;
use crate::simd::Level;

/// How an object takes part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjectSettings {
    /// Two static objects do not meet.
    pub is_static: bool,
    /// Contacts on the way from the last transform count, too.
    pub is_swept: bool,
    pub category: u64,
    pub mask: u64,
    pub user_data: u64,
}

/// A rigid object.
pub struct Object {
    /// What the caller knows it by.
    pub id: u64,
    pub settings: ObjectSettings,
    pub shape: Shape,
    pub transform: Transform,
    /// At the end of the last step, if it is swept.
    pub last: Transform,
    /// No point of it is farther from its origin.
    pub reach: f64,
}

impl Object {
    /// Where it is, as a matrix.
    pub fn frame(&self) -> Frame {
        Frame::new(&self.transform)
    }

    /// Whether two of them may meet.
    pub fn may_meet(&self, other: &Object) -> bool {
        Filter::of(self).may_meet(&Filter::of(other))
    }

    /// Whether its way counts.
    pub fn is_on_its_way(&self) -> bool {
        self.settings.is_swept && self.last != self.transform
    }
}

/// A mesh that objects have as their shape.
pub struct MeshTree {
    pub mesh: u64,
    pub tree: Tree,
    /// Objects that have it. Without any its place is free.
    users: usize,
    /// How many it has.
    pub triangles: u32,
    /// Around the mesh, in its own axes; None without triangles.
    pub bounds: Option<[Vec3; 2]>,
}

impl MeshTree {
    fn measure(&mut self) {
        self.bounds = self.tree.root().map(|root| {
            let planes = root.0.map(f64::from);
            // Of all the motion: the mesh is where it is at t = 1.
            [
                [0, 1, 2].map(|axis| planes[axis].min(planes[6 + axis])),
                [0, 1, 2].map(|axis| (-planes[3 + axis]).max(-planes[9 + axis])),
            ]
        });
    }
}

/// All objects, by their places, and the trees of their meshes.
pub struct Objects {
    places: Buffer<Option<Object>>,
    free: Buffer<u32>,
    pub trees: Buffer<MeshTree>,
    workspace: Workspace,
    count: usize,
    swept_count: usize,
    changes: u64,
    memory: Memory,
}

impl Objects {
    pub fn new(memory: &Memory) -> Objects {
        Objects {
            places: Buffer::new(memory.clone()),
            free: Buffer::new(memory.clone()),
            trees: Buffer::new(memory.clone()),
            workspace: Workspace::new(memory),
            count: 0,
            swept_count: 0,
            changes: 0,
            memory: memory.clone(),
        }
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Places, some of which may be free.
    pub fn place_count(&self) -> usize {
        self.places.len()
    }

    pub fn get(&self, place: usize) -> Option<&Object> {
        self.places.get(place)?.as_ref()
    }

    pub fn get_mut(&mut self, place: usize) -> Option<&mut Object> {
        self.places.get_mut(place)?.as_mut()
    }

    /// The tree of a mesh, which is built if no object has it yet.
    pub fn tree_of(&mut self, id: u64, mesh: &Mesh, simd: Level) -> Result<usize, MemoryError> {
        if let Some(place) = self.trees.iter().position(|tree| tree.users > 0 && tree.mesh == id) {
            return Ok(place);
        }
        let tree = Tree::new(&self.memory, simd, mesh, &mut self.workspace)?;
        let triangles = mesh.triangle_count() as u32;
        let mut tree = MeshTree { mesh: id, tree, users: 0, triangles, bounds: None };
        tree.measure();
        match self.trees.iter().position(|tree| tree.users == 0) {
            Some(place) => {
                self.trees[place] = tree;
                Ok(place)
            }
            None => {
                self.trees.push(tree)?;
                Ok(self.trees.len() - 1)
            }
        }
    }

    pub fn bounds_of(&self, shape: &Shape) -> Option<[Vec3; 2]> {
        match shape {
            Shape::Mesh { tree } => self.trees[*tree].bounds,
            _ => None,
        }
    }

    /// Adds an object and returns its place: the one freed last, or a new one. When memory is refused nothing changes.
    pub fn add(&mut self, mut object: Object) -> Result<usize, MemoryError> {
        object.reach = object.shape.reach(self.bounds_of(&object.shape));
        let tree = if let Shape::Mesh { tree } = object.shape { Some(tree) } else { None };
        let is_swept = object.settings.is_swept;
        // So that all can be removed without asking for memory.
        self.free.reserve(self.count + 1)?;
        let place = match self.free.pop() {
            Some(place) => {
                self.places[place as usize] = Some(object);
                place as usize
            }
            None => {
                self.places.push(Some(object))?;
                self.places.len() - 1
            }
        };
        if let Some(tree) = tree {
            self.trees[tree].users += 1;
        }
        self.count += 1;
        self.swept_count += usize::from(is_swept);
        self.changes += 1;
        Ok(place)
    }

    pub fn remove(&mut self, place: usize) -> Option<Object> {
        let object = self.places.get_mut(place)?.take()?;
        if let Shape::Mesh { tree } = object.shape {
            self.trees[tree].users -= 1;
        }
        self.count -= 1;
        self.swept_count -= usize::from(object.settings.is_swept);
        self.changes += 1;
        let _ = self.free.push(place as u32);
        Some(object)
    }

    /// Counts what changes which objects there are, or which of them have boxes.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Swept objects are at the end of their way: the next one begins here.
    pub fn arrive(&mut self) {
        if self.swept_count > 0 {
            for object in self.places.iter_mut().flatten().filter(|object| object.settings.is_swept) {
                object.last = object.transform;
            }
        }
    }

    /// Takes over meshes that have moved, and what follows from it.
    pub fn update_meshes(&mut self, mesh_of: MeshOf<'_, '_>, simd: Level) -> Result<(), MemoryError> {
        let mut changed = false;
        for tree in self.trees.iter_mut().filter(|tree| tree.users > 0) {
            let mesh = mesh_of(tree.mesh);
            if tree.tree.level_count() > 0 && tree.tree.version() != mesh.version() {
                tree.tree.refit(simd, mesh);
                if tree.tree.quality() < 0.5 {
                    tree.tree.rebuild(simd, mesh, &mut self.workspace)?;
                }
                tree.measure();
                changed = true;
            }
        }
        if changed {
            self.changes += 1;
            for object in self.places.iter_mut().flatten() {
                if let Shape::Mesh { tree } = object.shape {
                    object.reach = object.shape.reach(self.trees[tree].bounds);
                }
            }
        }
        Ok(())
    }
}
