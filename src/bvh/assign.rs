//! Which leaf owns which vertex and edge, once the order of the triangles is known: the first one that has it.
//!
//! The same for a whole tree and for what is below a node. Below a node only those features are dealt out that were owned there before: the others belong to leaves elsewhere, and
//! stay there.

use super::access::{Elements, TreeAccess};
use super::build::Item;
use super::build_small::Room;
use super::groups::{FaceGroup, Fill, Leaf, Place};
use super::tree::WIDTH;
use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::{Mesh, NO_EDGE};
use std::ops::Range;

/// What a build needs while it runs. Every thread that builds has its own, which grows to what was needed most.
pub struct Workspace {
    pub(super) items: Buffer<Item>,
    /// For runs of few triangles: one, or none yet.
    pub(super) few: Buffer<Room>,
    /// For builds by a grid.
    pub(super) room: Buffer<Item>,
    /// From so many triangles on, trees are built by a grid; 0 for never.
    pub(super) grid_limit: usize,
    /// For each vertex, then for each edge: 1 if it waits for an owner. All zero between builds. (Not bits: of features in a row, each would wait until the one before it is written.)
    pub(super) owned: Buffer<u8>,
    /// What each leaf owns, its vertices and then its edges, and how many of both.
    dealt: Buffer<u32>,
    counts: Buffer<[u8; 2]>,
}

impl Workspace {
    pub fn new(memory: &Memory) -> Workspace {
        Workspace {
            items: Buffer::new(memory.clone()),
            few: Buffer::new(memory.clone()),
            room: Buffer::new(memory.clone()),
            grid_limit: 0,
            owned: Buffer::new(memory.clone()),
            dealt: Buffer::new(memory.clone()),
            counts: Buffer::new(memory.clone()),
        }
    }

    pub(super) fn with_grid(memory: &Memory, grid_limit: usize) -> Workspace {
        Workspace { grid_limit, ..Workspace::new(memory) }
    }

    pub fn bytes(&self) -> usize {
        (self.items.capacity() + self.room.capacity()) * size_of::<Item>()
            + self.few.capacity() * size_of::<Room>()
            + self.owned.capacity()
            + self.dealt.capacity() * size_of::<u32>()
            + self.counts.capacity() * size_of::<[u8; 2]>()
    }

    /// Gives all memory back.
    pub(super) fn free(&mut self) {
        self.items.clear();
        self.items.shrink();
        self.few.clear();
        self.few.shrink();
        self.room.clear();
        self.room.shrink();
        self.owned.clear();
        self.owned.shrink();
        self.dealt.clear();
        self.dealt.shrink();
        self.counts.clear();
        self.counts.shrink();
    }

    /// Makes room for some triangles of a mesh.
    pub(super) fn start(&mut self, mesh: &Mesh, triangle_count: usize) -> Result<(), MemoryError> {
        self.items.clear();
        self.items.reserve_exact(triangle_count)?;
        let features = mesh.vertex_count() + mesh.edge_count();
        if self.owned.len() < features {
            self.owned.resize(features, 0)?;
        }
        // A feature is written before it is known whether it counts.
        let most = features.min(MOST_OF_TRIANGLE * triangle_count) + 1;
        if self.dealt.len() < most {
            self.dealt.resize(most, 0)?;
        }
        self.counts.clear();
        self.counts.reserve_exact(triangle_count.div_ceil(WIDTH))
    }
}

/// Vertices and edges.
const MOST_OF_TRIANGLE: usize = 6;

/// A feature waits no more; returns 1 if it did, or 0.
#[inline(always)]
fn take(owned: &mut [u8], feature: usize) -> usize {
    std::mem::take(&mut owned[feature]) as usize
}

/// Groups that some leaves need, or have room for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Need {
    pub edge_groups: usize,
    pub vertex_groups: usize,
}

impl Need {
    /// With some to spare. Sorted anew, the same features are spread differently over the leaves, and leave more or fewer lanes of the last group of a leaf empty.
    pub fn with_spare(self, leaf_count: usize) -> Need {
        Need {
            edge_groups: self.edge_groups + leaf_count.div_ceil(SPARE_EDGES),
            vertex_groups: self.vertex_groups + leaf_count.div_ceil(SPARE_VERTICES),
        }
    }
}

/// One group of edges to spare for so many leaves. In measurements (twisted cloths and balls), no node above level 1 was short of room with that, and one of ten nodes of
/// level 1.
const SPARE_EDGES: usize = 8;
/// One group of vertices to spare for so many leaves.
const SPARE_VERTICES: usize = 12;

/// Deals out the features that wait for an owner to the leaves of the triangles in their new order: the first leaf that has one owns it. Returns how many groups they need.
pub(super) fn deal(mesh: &Mesh, workspace: &mut Workspace) -> Need {
    let features = mesh.features();
    let Workspace { items, owned, dealt, counts, .. } = workspace;
    let mut need = Need { edge_groups: 0, vertex_groups: 0 };
    let mut next = 0;
    for leaf in items.chunks(WIDTH) {
        // Whether a feature is owned elsewhere nobody can predict, so that it is written in any case.
        let begin = next;
        for &Item { triangle, .. } in leaf {
            for vertex in features.triangles()[triangle as usize] {
                dealt[next] = vertex;
                next += take(owned, vertex as usize);
            }
        }
        let middle = next;
        for &Item { triangle, .. } in leaf {
            for edge in features.edges_of_triangles()[triangle as usize] {
                if edge != NO_EDGE {
                    dealt[next] = edge;
                    next += take(owned, mesh.vertex_count() + edge as usize);
                }
            }
        }
        let (vertices, edges) = (middle - begin, next - middle);
        counts.push([vertices as u8, edges as u8]).expect("room was made");
        need.vertex_groups += vertices.div_ceil(WIDTH);
        need.edge_groups += edges.div_ceil(WIDTH);
    }
    need
}

/// [Deals](deal) out all features of a mesh.
pub(super) fn deal_all(mesh: &Mesh, workspace: &mut Workspace) -> Need {
    let features = mesh.vertex_count() + mesh.edge_count();
    workspace.owned[..features].fill(1);
    let need = deal(mesh, workspace);
    // Some are left: vertices that no triangle has.
    workspace.owned[..features].fill(0);
    need
}

impl TreeAccess<'_> {
    /// Writes triangles and the features that were [dealt](deal) out to leaves in their new order, from `first` on. What is to spare is spread over the leaves. Boxes are left to a refit. Everything that belongs to these leaves
    /// is written, whatever was there.
    ///
    /// # Safety
    ///
    /// Nobody else uses these leaves, and the groups from `first` on belong to them, as many as there is `room` for.
    pub(super) unsafe fn assign(
        &self,
        leaves: Range<usize>,
        first: Leaf,
        room: &Need,
        need: &Need,
        workspace: &Workspace,
    ) {
        let features = self.mesh.features();
        let Workspace { items, counts, .. } = workspace;
        let mut dealt = &workspace.dealt[..];
        let spare = (room.edge_groups - need.edge_groups, room.vertex_groups - need.vertex_groups);
        let mut edges = Filler::new(self.edges, first.edges, spare.0, leaves.len());
        let mut vertices = Filler::new(self.vertices, first.vertices, spare.1, leaves.len());
        for ((leaf, items), counts) in leaves.zip(items.chunks(WIDTH)).zip(counts.iter()) {
            // SAFETY: one of these leaves.
            let faces = unsafe {
                FaceGroup::begin(self.faces.at(leaf));
                &mut *self.faces.at(leaf)
            };
            for (lane, &Item { triangle, .. }) in items.iter().enumerate() {
                faces.set(lane, features.triangles()[triangle as usize], triangle);
            }
            let [of_vertices, of_edges] = counts.map(usize::from);
            let (own, others) = dealt.split_at(of_vertices + of_edges);
            dealt = others;
            for &vertex in &own[..of_vertices] {
                // SAFETY: the groups of these leaves.
                let (group, lane) = unsafe { vertices.add() };
                group.vertices[lane] = vertex;
            }
            for &edge in &own[of_vertices..] {
                // SAFETY: the groups of these leaves.
                let (group, lane) = unsafe { edges.add() };
                group.set(lane, features.edges()[edge as usize].ends, edge);
            }
            // SAFETY: these leaves, and their groups.
            unsafe {
                let place = Leaf { edges: edges.finish_leaf(), vertices: vertices.finish_leaf() };
                self.leaves.at(leaf).write(place);
            }
        }
    }
}

/// Gives groups of one kind to leaves in a row.
struct Filler<G> {
    groups: Elements<G>,
    place: Place,
    spare: usize,
    leaf: usize,
    leaf_count: usize,
}

impl<G: Fill> Filler<G> {
    /// From the groups of the first leaf on.
    fn new(groups: Elements<G>, first: Place, spare: usize, leaf_count: usize) -> Filler<G> {
        let place = Place { first: first.first, features: 0, room: 0 };
        Filler { groups, place, spare, leaf: 0, leaf_count }
    }

    /// Room for one more feature of the leaf: a group and a lane of it.
    ///
    /// # Safety
    ///
    /// The group belongs to the leaf, and nobody else uses it.
    #[inline(always)]
    unsafe fn add(&mut self) -> (&mut G, usize) {
        let lane = self.place.features as usize % WIDTH;
        self.place.features += 1;
        let group = self.groups.at(self.place.used().end - 1);
        // SAFETY: promised by the caller; it is written before it is referred to.
        unsafe {
            if lane == 0 {
                G::begin(group);
            }
            (&mut *group, lane)
        }
    }

    /// Adds the leaf's share of what is to spare, and goes on to the next one.
    ///
    /// # Safety
    ///
    /// The groups up to the end of the share belong to the leaf, and nobody else uses them.
    unsafe fn finish_leaf(&mut self) -> Place {
        let spare_until = |leaf: usize| self.spare * leaf / self.leaf_count;
        let spare = spare_until(self.leaf + 1) - spare_until(self.leaf);
        let place = Place { room: (self.place.used().len() + spare) as u16, ..self.place };
        for group in place.used().end..place.end() {
            // SAFETY: promised by the caller.
            unsafe { G::begin(self.groups.at(group)) };
        }
        self.leaf += 1;
        self.place = Place { first: place.end() as u32, features: 0, room: 0 };
        place
    }
}
