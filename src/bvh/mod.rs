//! A hierarchy over any number of meshes.
//!
//! Each mesh has a [`Tree`] of its own, which is refitted when the mesh has moved and rebuilt when it has become bad. Over them there is a tree of
//! bodies (`bodies`), which is changed where bodies come, go, break or become one.

mod access;
mod assign;
mod bodies;
mod bounds;
mod breaking;
mod build;
mod build_grid;
mod build_small;
mod claims;
mod cones;
mod contour;
mod cost;
mod cull;
mod facing;
mod groups;
mod inherit;
mod levels;
mod overlap;
mod patches;
mod quality;
mod rebuild;
mod refit;
mod retake;
mod rows;
mod sort;
#[cfg(test)]
mod tests;
mod tree;
mod validate;

pub use access::TreeAccess;
pub use assign::Workspace;
pub use bodies::PairFound;
pub use bounds::{BoxGroup, Broadcast, MovingBox, Period, Reach, Shortening};
pub use breaking::break_all;
pub use contour::ContourRoom;
pub use cost::{Account, Restructuring, TraversalCost};
pub use groups::{EdgeGroup, FaceGroup, Group, NONE, VertexGroup};
pub use patches::Culling;
pub use rebuild::Rebuild;
pub use tree::{Tree, WIDTH};

use bodies::BodyTree;

use crate::memory::{Buffer, Memory, MemoryError, Owned};
use crate::mesh::Mesh;
use crate::schedule::Crew;
use crate::simd::Level;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Finds a mesh by its id.
pub type MeshOf<'a> = &'a dyn Fn(u64) -> &'a Mesh;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BvhSettings {
    /// A mesh's hierarchy is rebuilt at an update when its quality falls below.
    pub rebuild_quality: f64,
    /// A node is rebuilt when it is visited and its volume ratio has fallen below this share of what it was when it was built (see [`TreeAccess::is_bad`]). 0 turns that off.
    pub volume_ratio: f64,
    /// What decides when nodes are rebuilt.
    pub metric: Metric,
    /// By traversal costs, a node is rebuilt only if that is expected to take no more than this share of the time of the last run. 0 turns that off.
    pub loss_limit: f64,
    /// Trees of at least so many triangles are built by a grid, whose cells are sorted by median splits when they have fewer. 0 turns that off.
    pub grid_limit: usize,
}

/// What decides when nodes are rebuilt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// PCCD paper, section 6.2.
    VolumeRatio,
    /// FASTCD paper, sections 5.2 and 5.4.
    TraversalCost,
}

impl Default for BvhSettings {
    /// A tree that is twice as bad as a new one is rebuilt; nodes are at 0.9 (PCCD paper, section 6.2).
    fn default() -> BvhSettings {
        BvhSettings::DEFAULT
    }
}

impl BvhSettings {
    pub const DEFAULT: BvhSettings = BvhSettings {
        rebuild_quality: 0.5,
        volume_ratio: 0.9,
        metric: Metric::VolumeRatio,
        loss_limit: 0.25,
        grid_limit: 0,
    };
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
    /// Trees that were rebuilt.
    pub rebuild_count: u64,
    /// Among them, those that had too many nodes without room to be rebuilt one by one.
    pub crowded_count: u64,
    /// Parts of trees that were rebuilt when they were visited.
    pub node_rebuild_count: u64,
}

/// A mesh in the hierarchy.
pub struct Body {
    pub id: u64,
    /// In a place of its own: bodies are moved when others come and go.
    pub tree: Owned<Tree>,
    triangle_count: usize,
    /// Where it is in the tree over bodies.
    node: u32,
}

impl Body {
    pub fn triangle_count(&self) -> usize {
        self.triangle_count
    }

    /// Whether the mesh has moved since the tree was fitted to it.
    pub fn is_behind(&self, mesh: &Mesh) -> bool {
        self.tree.level_count() > 0 && self.tree.version() != mesh.version()
    }
}

/// The box around a tree, or one that touches nothing.
fn around(tree: &Tree) -> MovingBox {
    tree.root().unwrap_or(MovingBox::EMPTY)
}

pub struct Bvh {
    settings: BvhSettings,
    /// Sorted by id.
    bodies: Buffer<Body>,
    /// For bodies that come in, and for all on the way to their new places; empty in between.
    arriving: Buffer<Body>,
    moving: Buffer<Body>,
    body_tree: BodyTree,
    /// Trees that are going to be in the hierarchy when all has gone well.
    prepared: Buffer<breaking::Prepared>,
    /// Boxes of what comes in, and nodes of what goes out.
    boxes: Buffer<MovingBox>,
    nodes: Buffer<u32>,
    workspace: Workspace,
    rebuild_count: u64,
    crowded_count: u64,
    /// Of trees that are gone.
    node_rebuild_count: u64,
    /// Measured seconds: of sorting n triangles, by n log2 n; of a test of boxes in the last run and what follows from it; of the last run.
    sort_time: f64,
    test_time: AtomicU64,
    run_time: AtomicU64,
    simd: Level,
    memory: Memory,
}

impl Bvh {
    /// `simd` is what trees are refitted with.
    pub fn new(memory: &Memory, simd: Level, settings: BvhSettings) -> Bvh {
        let workspace = Workspace::with_grid(memory, settings.grid_limit);
        Bvh {
            settings,
            bodies: Buffer::new(memory.clone()),
            arriving: Buffer::new(memory.clone()),
            moving: Buffer::new(memory.clone()),
            body_tree: BodyTree::new(memory),
            prepared: Buffer::new(memory.clone()),
            boxes: Buffer::new(memory.clone()),
            nodes: Buffer::new(memory.clone()),
            workspace,
            rebuild_count: 0,
            crowded_count: 0,
            node_rebuild_count: 0,
            sort_time: 0.0,
            test_time: AtomicU64::new(0),
            run_time: AtomicU64::new(0),
            simd,
            memory: memory.clone(),
        }
    }

    /// For one more worker that builds.
    fn new_workspace(&self) -> Workspace {
        Workspace::with_grid(&self.memory, self.settings.grid_limit)
    }

    fn find(&self, id: u64) -> Result<usize, usize> {
        self.bodies.binary_search_by_key(&id, |body| body.id)
    }

    pub fn contains(&self, id: u64) -> bool {
        self.find(id).is_ok()
    }

    /// Adds a mesh that it doesn't contain. When memory is refused nothing changes.
    pub fn add(&mut self, id: u64, mesh: &Mesh) -> Result<(), MemoryError> {
        self.add_on(None, id, mesh)
    }

    /// As [`add`](Bvh::add), by the workers of a crew, if there is one.
    pub fn add_on(&mut self, crew: Option<&Crew>, id: u64, mesh: &Mesh) -> Result<(), MemoryError> {
        let Err(place) = self.find(id) else { return Ok(()) };
        let began = Instant::now();
        let workspace = &mut self.workspace;
        let tree = Tree::new_on(&self.memory, crew, self.simd, mesh, workspace)?;
        let tree = Owned::new(self.memory.clone(), tree)?;
        self.note_build(mesh.triangle_count(), began);
        self.bodies.reserve(1)?;
        self.body_tree.reserve(self.bodies.len() + 1)?;
        let node = self.body_tree.add(&around(&tree), bodies::NONE);
        self.bodies.push(Body { id, tree, triangle_count: mesh.triangle_count(), node })?;
        self.bodies[place..].rotate_right(1);
        Ok(())
    }

    /// Returns whether the mesh was in it.
    pub fn remove(&mut self, id: u64) -> bool {
        let Ok(place) = self.find(id) else { return false };
        self.bodies[place..].rotate_left(1);
        if let Some(body) = self.bodies.pop() {
            self.node_rebuild_count += body.tree.node_rebuild_count();
            self.body_tree.remove(body.node);
        }
        true
    }

    /// Calls `found` with the places of all pairs of bodies whose boxes, as they are now, are not farther than `distance` from each other, the smaller place first, in any
    /// order. Returns how many tests of boxes that took.
    pub fn close_pairs(&mut self, distance: f64, found: PairFound<'_>) -> Result<u64, MemoryError> {
        for (place, body) in self.bodies.iter().enumerate() {
            self.body_tree.set(body.node, place as u32, &body.tree.fit.around);
        }
        self.body_tree.refit()?;
        self.body_tree.pairs(distance, found)
    }

    /// Takes over what has moved since the last update.
    pub fn update(&mut self, mesh_of: MeshOf<'_>) -> Result<(), MemoryError> {
        for place in 0..self.bodies.len() {
            let body = &mut self.bodies[place];
            let mesh = mesh_of(body.id);
            if body.is_behind(mesh) {
                body.tree.refit(self.simd, mesh);
            }
            self.rebuild_if_bad(place, mesh)?;
        }
        Ok(())
    }

    /// The second part of an update, after the tree at a place among the [`bodies`](Bvh::bodies) has been refitted: builds it anew if it [is bad](Bvh::is_bad).
    pub fn rebuild_if_bad(&mut self, place: usize, mesh: &Mesh) -> Result<(), MemoryError> {
        if self.is_bad(place, mesh) {
            let began = Instant::now();
            let tree = &mut self.bodies[place].tree;
            let is_crowded = tree.is_crowded();
            tree.rebuild(self.simd, mesh, &mut self.workspace)?;
            self.note_build(mesh.triangle_count(), began);
            self.rebuild_count += 1;
            self.crowded_count += u64::from(is_crowded);
        }
        Ok(())
    }

    /// Whether a tree has become bad, or could not be built.
    pub fn is_bad(&self, place: usize, mesh: &Mesh) -> bool {
        let tree = &self.bodies[place].tree;
        let is_unfinished = tree.level_count() == 0 && mesh.triangle_count() > 0;
        is_unfinished || tree.is_crowded() || tree.quality() < self.settings.rebuild_quality
    }

    /// Remembers what a build has cost. Small ones tell little.
    fn note_build(&mut self, triangles: usize, began: Instant) {
        let work = triangles as f64 * (triangles as f64).log2();
        if triangles >= 256 || (triangles >= 8 && self.sort_time == 0.0) {
            self.sort_time = began.elapsed().as_secs_f64() / work;
        }
    }

    /// Remembers what a run has cost: the seconds that all workers looked for contacts, and how long it took.
    pub fn note_run(&self, looking: f64, whole: f64) {
        if self.settings.metric != Metric::TraversalCost {
            return;
        }
        let expected: f64 = self.bodies.iter().map(|body| body.tree.traversal_cost().own as f64).sum();
        if expected > 0.0 {
            self.test_time.store((looking / expected).to_bits(), Ordering::Relaxed);
        }
        self.run_time.store(whole.to_bits(), Ordering::Relaxed);
    }

    /// When nodes are rebuilt in the next run. Constants are measured in the first builds and runs, and from then on; before the first run nothing is rebuilt by costs.
    pub fn restructuring(&self) -> Restructuring {
        let BvhSettings { metric, volume_ratio, loss_limit, .. } = self.settings;
        let measured = |time: &AtomicU64| f64::from_bits(time.load(Ordering::Relaxed));
        match metric {
            Metric::VolumeRatio => Restructuring::VolumeRatio(volume_ratio),
            Metric::TraversalCost => Restructuring::TraversalCost(Account {
                test: measured(&self.test_time),
                sort: self.sort_time,
                most: loss_limit * measured(&self.run_time),
            }),
        }
    }

    pub fn settings(&self) -> &BvhSettings {
        &self.settings
    }

    /// The meshes, sorted by id, whose trees may be changed.
    pub fn bodies_mut(&mut self) -> &mut [Body] {
        &mut self.bodies
    }

    /// The meshes, sorted by id.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// As of the last update.
    pub fn info(&self) -> BvhInfo {
        let trees = || self.bodies.iter().map(|body| &*body.tree);
        BvhInfo {
            mesh_count: self.bodies.len(),
            triangle_count: self.bodies.iter().map(|body| body.triangle_count).sum(),
            node_count: trees().map(Tree::node_count).sum(),
            depth: trees().map(Tree::level_count).max().unwrap_or(0),
            bytes: self.bytes(),
            quality: trees().map(Tree::quality).fold(1.0, f64::min),
            rebuild_count: self.rebuild_count,
            crowded_count: self.crowded_count,
            node_rebuild_count: trees().map(Tree::node_rebuild_count).sum::<u64>() + self.node_rebuild_count,
        }
    }

    pub fn bytes(&self) -> usize {
        let bodies: usize = self.bodies.iter().map(|body| size_of::<Tree>() + body.tree.bytes()).sum();
        let room = self.bodies.capacity() + self.arriving.capacity() + self.moving.capacity();
        bodies + room * size_of::<Body>() + self.workspace.bytes() + self.body_tree.bytes()
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
