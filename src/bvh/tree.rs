//! The hierarchy of one mesh: an order of its triangles, and boxes over it.
//!
//! Eight triangles are a leaf. A leaf owns those of its vertices and edges that no earlier leaf has, so every feature is in exactly one leaf
//! (representative triangles, PCCD paper, section 3.1). Level 0 has a box for each leaf, in groups of eight; level 1 has a box for each group of level 0;
//! and so on up to a level with a single box. Box i of a level above 0 is around group i of the level below: there are no pointers.

use super::access::Elements;
use super::assign::{self, Need, Workspace};
use super::bounds::{BoxGroup, MovingBox};
use super::build::{self, Halves, Item};
use super::build_grid::Cell;
use super::build_small::{FEW, Room};
use super::claims::Claims;
use super::groups::{EdgeGroup, FaceGroup, Leaf, VertexGroup};
pub use super::levels::Levels;
use super::patches::Patches;
use super::quality::Quality;
use super::rows::VertexBox;
use super::sort::{self, Part};
use crate::memory::{Block, Buffer, Memory, MemoryError};
use crate::mesh::Mesh;
use crate::schedule::Crew;
use crate::simd::Level;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Triangles of a leaf, children of a node.
pub const WIDTH: usize = 8;

pub struct Tree {
    pub(super) levels: Levels,
    pub(super) faces: Buffer<FaceGroup>,
    pub(super) edges: Buffer<EdgeGroup>,
    pub(super) vertices: Buffer<VertexGroup>,
    pub(super) leaves: Buffer<Leaf>,
    /// All levels, the lowest first.
    pub(super) nodes: Buffer<BoxGroup>,
    /// Of each vertex, and an empty one.
    pub(super) vertex_boxes: Buffer<VertexBox>,
    /// By group of any level.
    pub(super) qualities: Buffer<Quality>,
    /// For culling; empty without it.
    pub(super) patches: Patches,
    pub(super) fit: Fit,
    /// Leaves of nodes that could not be rebuilt, because these leaves have no room for their features in another order.
    pub(super) crowded_leaf_count: AtomicUsize,
    pub(super) node_rebuild_count: AtomicU64,
    pub(super) claims: Claims,
    /// The memory that arrays were made in at first.
    block: Block,
}

/// How the boxes fit the mesh.
pub(super) struct Fit {
    /// The cost of the hierarchy when it was built, and now.
    pub built_cost: f64,
    pub cost: f64,
    /// The box around everything, or one that touches nothing.
    pub around: MovingBox,
    /// The version of the mesh that boxes are around.
    pub version: u64,
    /// Whether boxes are still to be fitted to the order for the first time: then it will be remembered how good they are.
    pub is_new: bool,
}

impl Fit {
    /// See [`Tree::quality`].
    pub fn quality(&self) -> f64 {
        if self.cost > 0.0 && self.cost.is_finite() { (self.built_cost / self.cost).min(1.0) } else { 1.0 }
    }
}

/// The version of no mesh.
pub(super) const NEVER: u64 = u64::MAX;

/// In which order triangles come into a tree.
#[derive(Clone, Copy)]
enum Order<'a> {
    /// By their places, found by the workers of a crew, if there is one.
    New(Option<&'a Crew>),
    Given(&'a [u32]),
    /// As given, but for triangles in a row that are [`FEW`].
    Inherited(&'a [u32]),
}

impl Tree {
    pub fn new(
        memory: &Memory,
        simd: Level,
        mesh: &Mesh,
        workspace: &mut Workspace,
    ) -> Result<Tree, MemoryError> {
        Tree::new_on(memory, None, simd, mesh, workspace)
    }

    /// Sorts its triangles on all workers of a crew, if there is one.
    pub fn new_on(
        memory: &Memory,
        crew: Option<&Crew>,
        simd: Level,
        mesh: &Mesh,
        workspace: &mut Workspace,
    ) -> Result<Tree, MemoryError> {
        let mut tree = Tree::empty(memory);
        tree.build(simd, mesh, Order::New(crew), workspace)?;
        Ok(tree)
    }

    /// A tree whose triangles are in a given order.
    pub fn from_order(
        memory: &Memory,
        simd: Level,
        mesh: &Mesh,
        order: &[u32],
        workspace: &mut Workspace,
    ) -> Result<Tree, MemoryError> {
        let mut tree = Tree::empty(memory);
        tree.build(simd, mesh, Order::Given(order), workspace)?;
        Ok(tree)
    }

    /// A tree whose triangles are in a given order at large: those that are close to each other in it are sorted by place. It has no boxes before the first refit, which a run does on all
    /// workers, and which most often would be the second one: what has just broken moves.
    pub fn from_inherited_order(
        memory: &Memory,
        simd: Level,
        mesh: &Mesh,
        order: &[u32],
        workspace: &mut Workspace,
    ) -> Result<Tree, MemoryError> {
        let mut tree = Tree::empty(memory);
        tree.sort(simd, mesh, Order::Inherited(order), workspace)?;
        Ok(tree)
    }

    /// A tree whose triangles are in the order that they have in another one, where they are at the same places: what tears is as good as it was. It has no boxes before the first refit either.
    pub fn from_old(
        memory: &Memory,
        simd: Level,
        mesh: &Mesh,
        order: &[u32],
        old: &Tree,
        workspace: &mut Workspace,
    ) -> Result<Tree, MemoryError> {
        let mut tree = Tree::empty(memory);
        tree.sort(simd, mesh, Order::Given(order), workspace)?;
        if !old.fit.is_new {
            tree.qualities.copy_from_slice(&old.qualities);
            (tree.fit.built_cost, tree.fit.is_new) = (old.fit.built_cost, false);
        }
        Ok(tree)
    }

    pub(super) fn empty(memory: &Memory) -> Tree {
        Tree {
            levels: Levels::default(),
            faces: Buffer::new(memory.clone()),
            edges: Buffer::new(memory.clone()),
            vertices: Buffer::new(memory.clone()),
            leaves: Buffer::new(memory.clone()),
            nodes: Buffer::new(memory.clone()),
            vertex_boxes: Buffer::new(memory.clone()),
            qualities: Buffer::new(memory.clone()),
            patches: Patches::new(memory),
            fit: Fit { built_cost: 0.0, cost: 0.0, around: MovingBox::EMPTY, version: NEVER, is_new: false },
            crowded_leaf_count: AtomicUsize::new(0),
            node_rebuild_count: AtomicU64::new(0),
            claims: Claims::new(memory),
            block: Block::empty(memory.clone()),
        }
    }

    /// Sorts the triangles anew. When memory is refused the tree is empty and has to be rebuilt.
    pub fn rebuild(
        &mut self,
        simd: Level,
        mesh: &Mesh,
        workspace: &mut Workspace,
    ) -> Result<(), MemoryError> {
        self.build(simd, mesh, Order::New(None), workspace)
    }

    fn build(
        &mut self,
        simd: Level,
        mesh: &Mesh,
        order: Order<'_>,
        workspace: &mut Workspace,
    ) -> Result<(), MemoryError> {
        let result = self.sort(simd, mesh, order, workspace);
        // Builds are rare: what only they need is not kept.
        workspace.free();
        result?;
        self.refit(simd, mesh);
        Ok(())
    }

    /// Everything but the boxes.
    fn sort(
        &mut self,
        simd: Level,
        mesh: &Mesh,
        order: Order<'_>,
        workspace: &mut Workspace,
    ) -> Result<(), MemoryError> {
        self.levels = Levels::default();
        self.patches.forget();
        (self.fit.version, self.fit.is_new, self.fit.around) = (NEVER, true, MovingBox::EMPTY);
        self.sort_all(simd, mesh, order, workspace)
    }

    fn sort_all(
        &mut self,
        simd: Level,
        mesh: &Mesh,
        order: Order<'_>,
        workspace: &mut Workspace,
    ) -> Result<(), MemoryError> {
        workspace.start(mesh, mesh.triangle_count())?;
        let levels = Levels::new(mesh.triangle_count().div_ceil(WIDTH));
        if let Order::Given(triangles) = order {
            debug_assert_eq!(triangles.len(), mesh.triangle_count());
            for &triangle in triangles {
                workspace.items.push(Item::new([0.0; 3], triangle))?;
            }
        } else if let Order::Inherited(triangles) = order {
            debug_assert_eq!(triangles.len(), mesh.triangle_count());
            for &triangle in triangles {
                workspace.items.push(build::item(mesh, triangle))?;
            }
            // What was cut out of it has left gaps: leaves would have triangles from both sides of these.
            let Workspace { items, few, .. } = workspace;
            if few.is_empty() {
                few.push(Room::new())?;
            }
            for run in items.chunks_mut(FEW) {
                few[0].split(run, FEW / WIDTH);
            }
        } else if let Order::New(crew) = order {
            for triangle in 0..mesh.triangle_count() as u32 {
                workspace.items.push(build::item(mesh, triangle))?;
            }
            let child = WIDTH.pow(levels.count().saturating_sub(1) as u32);
            let Workspace { items, room, grid_limit, .. } = workspace;
            let memory = self.faces.memory();
            if *grid_limit > 0 && items.len() >= *grid_limit {
                room.resize(items.len(), Item::new([0.0; 3], 0))?;
                let cell = Cell::new(items, room, child, *grid_limit);
                if let Some(crew) = crew { sort::on_all(crew, memory, cell)? } else { cell.finish() }
            } else {
                let halves = Halves { items, child };
                if let Some(crew) = crew { sort::on_all(crew, memory, halves)? } else { halves.finish() }
            }
        }
        let need = assign::deal_all(mesh, workspace);
        let room = need.with_spare(levels.leaf_count());
        self.make_room(mesh, &levels, &room)?;
        self.levels = levels;
        let leaf_count = levels.leaf_count();
        let faces = Elements::room(&self.faces, leaf_count);
        let edges = Elements::room(&self.edges, room.edge_groups);
        let vertices = Elements::room(&self.vertices, room.vertex_groups);
        let mut access = self.shared(simd, mesh);
        (access.faces, access.edges, access.vertices) = (faces, edges, vertices);
        // SAFETY: this thread has the tree for itself. There is room for everything, and all of it is written.
        unsafe {
            access.assign(0..leaf_count, Leaf::default(), &room, &need, workspace);
            self.faces.set_len(leaf_count);
            self.edges.set_len(room.edge_groups);
            self.vertices.set_len(room.vertex_groups);
        }
        Ok(())
    }

    /// Makes all arrays as long as they have to be, or room in them where everything is going to be written.
    fn make_room(&mut self, mesh: &Mesh, levels: &Levels, room: &Need) -> Result<(), MemoryError> {
        let leaf_count = levels.leaf_count();
        if self.faces.capacity() == 0 {
            self.make_block(mesh, levels, room)?;
        }
        self.faces.clear();
        self.edges.clear();
        self.vertices.clear();
        self.faces.reserve_exact(leaf_count)?;
        self.edges.reserve_exact(room.edge_groups)?;
        self.vertices.reserve_exact(room.vertex_groups)?;
        self.leaves.resize(leaf_count, Leaf::default())?;
        self.nodes.resize(levels.group_count(), BoxGroup::EMPTY)?;
        self.vertex_boxes.resize(mesh.vertex_count() + 1, VertexBox::EMPTY)?;
        self.qualities.resize(levels.group_count(), Quality::UNKNOWN)?;
        self.claims.resize(leaf_count)?;
        *self.crowded_leaf_count.get_mut() = 0;
        Ok(())
    }

    /// Makes all arrays anew in one piece of memory.
    fn make_block(&mut self, mesh: &Mesh, levels: &Levels, room: &Need) -> Result<(), MemoryError> {
        let (leaves, groups, boxes) = (levels.leaf_count(), levels.group_count(), mesh.vertex_count() + 1);
        let sizes = [
            leaves * size_of::<FaceGroup>(),
            room.edge_groups * size_of::<EdgeGroup>(),
            room.vertex_groups * size_of::<VertexGroup>(),
            leaves * size_of::<Leaf>(),
            groups * size_of::<BoxGroup>(),
            boxes * size_of::<VertexBox>(),
            groups * size_of::<Quality>(),
        ];
        let mut block = Block::new(self.faces.memory().clone(), &sizes)?;
        // SAFETY: the block is kept as long as the arrays, whose elements need not be dropped.
        unsafe {
            self.faces = block.array(leaves);
            self.edges = block.array(room.edge_groups);
            self.vertices = block.array(room.vertex_groups);
            self.leaves = block.array(leaves);
            self.nodes = block.array(groups);
            self.vertex_boxes = block.array(boxes);
            self.qualities = block.array(groups);
        }
        self.block = block;
        Ok(())
    }

    /// The version of the mesh that the boxes are around.
    pub fn version(&self) -> u64 {
        self.fit.version
    }

    /// The box around everything, if there is anything.
    pub fn root(&self) -> Option<MovingBox> {
        let top = self.level_count().checked_sub(1)?;
        Some(self.group(top, 0).get(0))
    }

    /// Levels of boxes; the highest has a single one.
    pub fn level_count(&self) -> usize {
        self.levels.count()
    }

    pub fn box_count(&self, level: usize) -> usize {
        self.levels.boxes(level)
    }

    /// Boxes 8 `group` … of a level.
    #[inline(always)]
    pub fn group(&self, level: usize, group: usize) -> &BoxGroup {
        &self.nodes[self.levels.place(level) + group]
    }

    /// Which boxes of that group exist.
    #[inline(always)]
    pub fn lanes(&self, level: usize, group: usize) -> u32 {
        self.levels.lanes(level, group)
    }

    #[inline(always)]
    pub fn faces(&self, leaf: usize) -> &FaceGroup {
        &self.faces[leaf]
    }

    /// The edges of a leaf, and the number of the first group.
    #[inline(always)]
    pub fn edges(&self, leaf: usize) -> (usize, &[EdgeGroup]) {
        let used = self.leaves[leaf].edges.used();
        (used.start, &self.edges[used])
    }

    /// The vertices of a leaf, and the number of the first group.
    #[inline(always)]
    pub fn vertices(&self, leaf: usize) -> (usize, &[VertexGroup]) {
        let used = self.leaves[leaf].vertices.used();
        (used.start, &self.vertices[used])
    }

    /// How many vertices and edges a leaf has.
    #[inline(always)]
    pub fn feature_counts(&self, leaf: usize) -> [usize; 2] {
        let Leaf { edges, vertices } = &self.leaves[leaf];
        [vertices.features as usize, edges.features as usize]
    }

    pub fn all_faces(&self) -> &[FaceGroup] {
        &self.faces
    }

    pub fn all_edges(&self) -> &[EdgeGroup] {
        &self.edges
    }

    pub fn all_vertices(&self) -> &[VertexGroup] {
        &self.vertices
    }

    /// 1 right after a build; less as the leaves grow against the whole. As of the last refit. Unknown, and taken for 1, where areas are beyond all numbers.
    pub fn quality(&self) -> f64 {
        self.fit.quality()
    }

    /// Whether parts that should have been rebuilt and could not are more than an eighth of the tree: then the whole is rebuilt. A few small nodes that stay bad cost less
    /// than that.
    pub fn is_crowded(&self) -> bool {
        WIDTH * self.crowded_leaf_count.load(Ordering::Relaxed) > self.levels.leaf_count()
    }

    /// How often a part of the tree was rebuilt.
    pub fn node_rebuild_count(&self) -> u64 {
        self.node_rebuild_count.load(Ordering::Relaxed)
    }

    pub fn node_count(&self) -> usize {
        self.levels.box_count()
    }

    pub fn bytes(&self) -> usize {
        self.block.bytes()
            + self.faces.bytes()
            + self.edges.bytes()
            + self.vertices.bytes()
            + self.leaves.bytes()
            + self.nodes.bytes()
            + self.vertex_boxes.bytes()
            + self.qualities.bytes()
            + self.patches.bytes()
            + self.claims.bytes()
    }
}
