//! The tree of a mesh that tears goes on as the tree of what it becomes: the order of the triangles, their places and so all boxes stay. Only which leaf has which vertices and edges is
//! found anew, in the memory that the tree has.
//!
//! A split must be able to fail without a trace, so this is done in two steps: first it is made sure that everything has room ([`Retaken::new`], [`Tree::make_room_for_torn`]); then, when
//! nothing can fail any more, it is written ([`Tree::retake`]).

use super::Tree;
use super::assign::{self, Need, Workspace};
use super::build::Item;
use super::groups::Leaf;
use super::rows::VertexBox;
use super::tree::NEVER;
use crate::memory::{Memory, MemoryError};
use crate::mesh::Mesh;
use crate::simd::Level;
use std::sync::atomic::Ordering;

/// What is known of the new features of a tree before they are written to it.
pub(super) struct Retaken {
    /// The id of the mesh that tears.
    pub mesh: u64,
    pub vertex_count: usize,
    need: Need,
    /// The triangles in their order, and which leaf owns which features.
    workspace: Workspace,
}

impl Retaken {
    /// None if the tree has not enough room in its leaves: half of what a new tree has to spare has to be left.
    pub fn new(memory: &Memory, tree: &Tree, id: u64, torn: &Mesh) -> Result<Option<Retaken>, MemoryError> {
        let mut workspace = Workspace::new(memory);
        workspace.start(torn, torn.triangle_count())?;
        for triangle in tree.order() {
            workspace.items.push(Item::new([0.0; 3], triangle))?;
        }
        let need = assign::deal_all(torn, &mut workspace);
        let least = need.with_spare(tree.levels.leaf_count() / 2);
        let room = tree.feature_room();
        let has_room = least.edge_groups <= room.edge_groups && least.vertex_groups <= room.vertex_groups;
        Ok(has_room.then_some(Retaken { mesh: id, vertex_count: torn.vertex_count(), need, workspace }))
    }
}

impl Tree {
    /// Groups of features that there is room for.
    fn feature_room(&self) -> Need {
        Need { edge_groups: self.edges.len(), vertex_groups: self.vertices.len() }
    }

    /// For the boxes of new vertices.
    pub(super) fn make_room_for_torn(&mut self, retaken: &Retaken) -> Result<(), MemoryError> {
        self.vertex_boxes.reserve((retaken.vertex_count + 1).saturating_sub(self.vertex_boxes.len()))
    }

    /// Deals out the features of what the mesh has become. Boxes are left to the next refit; how good they were when the tree was built stays known.
    pub(super) fn retake(&mut self, simd: Level, torn: &Mesh, retaken: &Retaken) {
        self.patches.forget();
        self.fit.version = NEVER;
        self.crowded_leaf_count.store(0, Ordering::Relaxed);
        let vertex_count = torn.vertex_count();
        self.vertex_boxes.resize(vertex_count + 1, VertexBox::EMPTY).expect("room was made");
        // Vertices that no triangle used are left behind: then the last box was one of a vertex.
        self.vertex_boxes[vertex_count] = VertexBox::EMPTY;
        let (leaf_count, room) = (self.levels.leaf_count(), self.feature_room());
        let access = self.shared(simd, torn);
        // SAFETY: this thread has the tree for itself, and all groups that there are belong to these leaves.
        unsafe {
            access.assign(0..leaf_count, Leaf::default(), &room, &retaken.need, &retaken.workspace);
        }
    }
}
