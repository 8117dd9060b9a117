//! The hierarchy of one mesh: an order of its triangles, and boxes over it.
//!
//! Eight triangles are a leaf. A leaf owns those of its vertices and edges that no earlier leaf has, so every feature is in exactly one leaf
//! (representative triangles, PCCD paper, section 3.1). Level 0 has a box for each leaf, in groups of eight; level 1 has a box for each group of level 0;
//! and so on up to a level with a single box. Box i of a level above 0 is around group i of the level below: there are no pointers.

use super::bounds::{BoxGroup, MovingBox};
use super::build::{self, Item};
use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::{Mesh, NO_EDGE};

/// Triangles of a leaf, children of a node.
pub const WIDTH: usize = 8;

/// Enough for 8¹² triangles.
const MOST_LEVELS: usize = 12;

/// Up to eight features of one kind, and what a test of them needs without leaving the cache line's neighbours.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub struct FaceGroup {
    pub boxes: BoxGroup,
    /// `corners[k][lane]`.
    pub corners: [[u32; 8]; 3],
    pub triangles: [u32; 8],
    pub count: u32,
}

#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub struct EdgeGroup {
    pub boxes: BoxGroup,
    /// `ends[k][lane]`.
    pub ends: [[u32; 8]; 2],
    pub edges: [u32; 8],
    pub count: u32,
}

#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub struct VertexGroup {
    pub boxes: BoxGroup,
    pub vertices: [u32; 8],
    pub count: u32,
}

/// What groups of all kinds have.
pub trait Group {
    fn boxes(&self) -> &BoxGroup;

    /// How many lanes are in use, from the first on.
    fn count(&self) -> u32;
}

/// Implements [`Group`] for a struct with these fields.
macro_rules! group {
    ($type:ident) => {
        impl Group for $type {
            #[inline(always)]
            fn boxes(&self) -> &BoxGroup {
                &self.boxes
            }

            #[inline(always)]
            fn count(&self) -> u32 {
                self.count
            }
        }
    };
}

group!(FaceGroup);
group!(EdgeGroup);
group!(VertexGroup);

/// Where the groups of a leaf begin; they end where those of the next leaf begin. Its faces are group number leaf.
#[derive(Clone, Copy, Default)]
struct Leaf {
    edges: u32,
    vertices: u32,
}

pub struct Tree {
    faces: Buffer<FaceGroup>,
    edges: Buffer<EdgeGroup>,
    vertices: Buffer<VertexGroup>,
    /// One more than there are leaves.
    leaves: Buffer<Leaf>,
    /// All levels, the lowest first.
    nodes: Buffer<BoxGroup>,
    /// Where the groups of a level begin in `nodes`, and how many boxes it has.
    levels: [(usize, usize); MOST_LEVELS],
    level_count: usize,
    /// The cost of the hierarchy when it was built, and now.
    built_cost: f64,
    cost: f64,
    version: u64,
}

/// Working memory that all trees of a hierarchy share.
pub struct Workspace {
    items: Buffer<Item>,
    /// Whether a vertex or an edge has an owner.
    owned: Buffer<bool>,
    vertex_boxes: Buffer<MovingBox>,
}

impl Workspace {
    pub fn new(memory: &Memory) -> Workspace {
        Workspace {
            items: Buffer::new(memory.clone()),
            owned: Buffer::new(memory.clone()),
            vertex_boxes: Buffer::new(memory.clone()),
        }
    }

    pub fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<Item>()
            + self.owned.capacity()
            + self.vertex_boxes.capacity() * size_of::<MovingBox>()
    }
}

impl Tree {
    pub fn new(memory: &Memory, mesh: &Mesh, workspace: &mut Workspace) -> Result<Tree, MemoryError> {
        let mut tree = Tree {
            faces: Buffer::new(memory.clone()),
            edges: Buffer::new(memory.clone()),
            vertices: Buffer::new(memory.clone()),
            leaves: Buffer::new(memory.clone()),
            nodes: Buffer::new(memory.clone()),
            levels: [(0, 0); MOST_LEVELS],
            level_count: 0,
            built_cost: 0.0,
            cost: 0.0,
            version: 0,
        };
        tree.rebuild(mesh, workspace)?;
        tree.edges.shrink();
        tree.vertices.shrink();
        Ok(tree)
    }

    /// Sorts the triangles anew. When memory is refused the tree is empty and has to be rebuilt.
    pub fn rebuild(&mut self, mesh: &Mesh, workspace: &mut Workspace) -> Result<(), MemoryError> {
        self.level_count = 0;
        build::sort_triangles(mesh, &mut workspace.items)?;
        self.assign_features(mesh, &workspace.items, &mut workspace.owned)?;
        self.make_levels()?;
        // Builds are rare: what only they need is not kept.
        workspace.items.clear();
        workspace.items.shrink();
        workspace.owned.clear();
        workspace.owned.shrink();
        self.refit(mesh, workspace)?;
        self.built_cost = self.cost;
        Ok(())
    }

    /// Gives every vertex and edge to the first leaf that has it.
    fn assign_features(
        &mut self,
        mesh: &Mesh,
        order: &[Item],
        owned: &mut Buffer<bool>,
    ) -> Result<(), MemoryError> {
        let features = mesh.features();
        owned.clear();
        owned.resize(mesh.vertex_count() + mesh.edge_count(), false)?;
        self.faces.clear();
        self.edges.clear();
        self.vertices.clear();
        self.leaves.clear();
        self.faces.reserve_exact(order.len().div_ceil(WIDTH))?;
        self.leaves.reserve_exact(order.len().div_ceil(WIDTH) + 1)?;
        for leaf in order.chunks(WIDTH) {
            let (first_edge, first_vertex) = (self.edges.len(), self.vertices.len());
            self.leaves.push(Leaf { edges: first_edge as u32, vertices: first_vertex as u32 })?;
            let mut faces = FaceGroup::EMPTY;
            for &Item { triangle, .. } in leaf {
                let corners = features.triangles()[triangle as usize];
                faces.push(corners, triangle);
                for vertex in corners {
                    let is_owned = &mut owned[vertex as usize];
                    if !std::mem::replace(is_owned, true) {
                        if self.vertices.len() == first_vertex
                            || self.vertices.last().is_some_and(|g| g.count == 8)
                        {
                            self.vertices.push(VertexGroup::EMPTY)?;
                        }
                        self.vertices.last_mut().expect("just pushed").push(vertex);
                    }
                }
                for edge in features.edges_of_triangles()[triangle as usize] {
                    if edge == NO_EDGE {
                        continue;
                    }
                    let is_owned = &mut owned[mesh.vertex_count() + edge as usize];
                    if !std::mem::replace(is_owned, true) {
                        if self.edges.len() == first_edge || self.edges.last().is_some_and(|g| g.count == 8) {
                            self.edges.push(EdgeGroup::EMPTY)?;
                        }
                        let ends = features.edges()[edge as usize].ends;
                        self.edges.last_mut().expect("just pushed").push(ends, edge);
                    }
                }
            }
            self.faces.push(faces)?;
        }
        self.leaves.push(Leaf { edges: self.edges.len() as u32, vertices: self.vertices.len() as u32 })
    }

    /// Makes room for the boxes of all levels.
    fn make_levels(&mut self) -> Result<(), MemoryError> {
        let mut levels = [(0, 0); MOST_LEVELS];
        let (mut first, mut boxes, mut level_count) = (0, self.faces.len(), 0);
        while boxes > 0 {
            levels[level_count] = (first, boxes);
            level_count += 1;
            let groups = boxes.div_ceil(WIDTH);
            first += groups;
            boxes = if boxes == 1 { 0 } else { groups };
        }
        self.nodes.clear();
        self.nodes.resize(first, BoxGroup::EMPTY)?;
        (self.levels, self.level_count) = (levels, level_count);
        Ok(())
    }

    /// Takes over the positions of the mesh; the order stays.
    pub fn refit(&mut self, mesh: &Mesh, workspace: &mut Workspace) -> Result<(), MemoryError> {
        let boxes = &mut workspace.vertex_boxes;
        boxes.clear();
        boxes.reserve_exact(mesh.vertex_count())?;
        for motion in mesh.motions() {
            let [x0, y0, z0, _, x1, y1, z1, _] = motion.0;
            boxes.push(MovingBox::around([x0, y0, z0], [x1, y1, z1]))?;
        }
        for group in self.vertices.iter_mut() {
            for lane in 0..group.count as usize {
                group.boxes.set(lane, &boxes[group.vertices[lane] as usize]);
            }
        }
        for group in self.edges.iter_mut() {
            for lane in 0..group.count as usize {
                let [a, b] = group.ends.map(|end| &boxes[end[lane] as usize]);
                group.boxes.set(lane, &a.union(b));
            }
        }
        self.cost = 0.0;
        for (leaf, group) in self.faces.iter_mut().enumerate() {
            let mut around_leaf = MovingBox::EMPTY;
            for lane in 0..group.count as usize {
                let [a, b, c] = group.corners.map(|corner| &boxes[corner[lane] as usize]);
                let around_face = a.union(b).union(c);
                group.boxes.set(lane, &around_face);
                around_leaf = around_leaf.union(&around_face);
            }
            self.nodes[leaf / WIDTH].set(leaf % WIDTH, &around_leaf);
            self.cost += around_leaf.half_areas();
        }
        for level in 1..self.level_count {
            let ((below, _), (here, boxes)) = (self.levels[level - 1], self.levels[level]);
            for i in 0..boxes {
                let around_group = self.nodes[below + i].bounds();
                self.nodes[here + i / WIDTH].set(i % WIDTH, &around_group);
            }
        }
        if let Some(root) = self.root() {
            let area = root.half_areas();
            self.cost = if area > 0.0 { self.cost / area } else { 0.0 };
        }
        self.version = mesh.version();
        Ok(())
    }

    /// The version of the mesh that the boxes are around.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The box around everything, if there is anything.
    pub fn root(&self) -> Option<MovingBox> {
        let top = self.level_count.checked_sub(1)?;
        Some(self.nodes[self.levels[top].0].get(0))
    }

    /// Levels of boxes; the highest has a single one.
    pub fn level_count(&self) -> usize {
        self.level_count
    }

    pub fn box_count(&self, level: usize) -> usize {
        self.levels[level].1
    }

    /// Boxes 8 `group` … of a level.
    #[inline(always)]
    pub fn group(&self, level: usize, group: usize) -> &BoxGroup {
        &self.nodes[self.levels[level].0 + group]
    }

    /// Which boxes of that group exist.
    #[inline(always)]
    pub fn lanes(&self, level: usize, group: usize) -> u32 {
        (1 << WIDTH.min(self.levels[level].1 - group * WIDTH)) - 1
    }

    #[inline(always)]
    pub fn faces(&self, leaf: usize) -> &FaceGroup {
        &self.faces[leaf]
    }

    #[inline(always)]
    pub fn edges(&self, leaf: usize) -> (usize, &[EdgeGroup]) {
        let first = self.leaves[leaf].edges as usize;
        (first, &self.edges[first..self.leaves[leaf + 1].edges as usize])
    }

    #[inline(always)]
    pub fn vertices(&self, leaf: usize) -> (usize, &[VertexGroup]) {
        let first = self.leaves[leaf].vertices as usize;
        (first, &self.vertices[first..self.leaves[leaf + 1].vertices as usize])
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

    /// 1 right after a build; less as the leaves grow against the whole.
    pub fn quality(&self) -> f64 {
        if self.cost > 0.0 { (self.built_cost / self.cost).min(1.0) } else { 1.0 }
    }

    pub fn node_count(&self) -> usize {
        self.levels[..self.level_count].iter().map(|level| level.1).sum()
    }

    pub fn bytes(&self) -> usize {
        self.faces.capacity() * size_of::<FaceGroup>()
            + self.edges.capacity() * size_of::<EdgeGroup>()
            + self.vertices.capacity() * size_of::<VertexGroup>()
            + self.leaves.capacity() * size_of::<Leaf>()
            + self.nodes.capacity() * size_of::<BoxGroup>()
    }
}

impl FaceGroup {
    const EMPTY: FaceGroup =
        FaceGroup { boxes: BoxGroup::EMPTY, corners: [[u32::MAX; 8]; 3], triangles: [u32::MAX; 8], count: 0 };

    fn push(&mut self, corners: [u32; 3], triangle: u32) {
        let lane = self.count as usize;
        for (corner, vertex) in self.corners.iter_mut().zip(corners) {
            corner[lane] = vertex;
        }
        self.triangles[lane] = triangle;
        self.count += 1;
    }
}

impl EdgeGroup {
    const EMPTY: EdgeGroup =
        EdgeGroup { boxes: BoxGroup::EMPTY, ends: [[u32::MAX; 8]; 2], edges: [u32::MAX; 8], count: 0 };

    fn push(&mut self, ends: [u32; 2], edge: u32) {
        let lane = self.count as usize;
        for (end, vertex) in self.ends.iter_mut().zip(ends) {
            end[lane] = vertex;
        }
        self.edges[lane] = edge;
        self.count += 1;
    }
}

impl VertexGroup {
    const EMPTY: VertexGroup = VertexGroup { boxes: BoxGroup::EMPTY, vertices: [u32::MAX; 8], count: 0 };

    fn push(&mut self, vertex: u32) {
        self.vertices[self.count as usize] = vertex;
        self.count += 1;
    }
}
