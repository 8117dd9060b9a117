//! One tree, read and written by several threads at once.
//!
//! *The invariant.* The leaves below box i of level L are a range, and so is everything that belongs to them: faces, entries of leaves, room for groups of edges and
//! vertices, groups of boxes of every level below L, the cost and the remembered ratios of these groups. Boxes that are not above one another have nothing in common.
//! What is written below a box ([`refit_below`](TreeAccess::refit_below), [`rebuild_below`](TreeAccess::rebuild_below)) is in its ranges, and so is what
//! is read for it, apart from the mesh and the boxes of vertices, which nobody writes then. Hence threads with such boxes need no lock
//! (PCCD paper, section 4.1). The box itself does not change when what is below it is sorted anew: it is around the same triangles.
//!
//! References are made to single elements, and to the groups of one leaf: never to an array that another thread may be writing in.

use super::bounds::{BoxGroup, MovingBox};
use super::claims::Claims;
use super::cones::DualCone;
use super::groups::{EdgeGroup, FaceGroup, Leaf, VertexGroup};
use super::patches::Outlines;
use super::quality::Quality;
use super::rows::VertexBox;
use super::tree::{Fit, Levels, Tree};
use crate::memory::Buffer;
use crate::mesh::Mesh;
use crate::simd::{Level, prefetch};
use std::marker::PhantomData;
use std::ops::Range;
use std::slice;
use std::sync::atomic::{AtomicU64, AtomicUsize};

/// An array whose elements are reached one by one.
pub(super) struct Elements<T> {
    start: *mut T,
    len: usize,
}

impl<T> Clone for Elements<T> {
    fn clone(&self) -> Elements<T> {
        *self
    }
}

impl<T> Copy for Elements<T> {}

impl<T> Elements<T> {
    fn new(elements: &mut [T]) -> Elements<T> {
        Elements { start: elements.as_mut_ptr(), len: elements.len() }
    }

    /// Room in an array, whose elements need not be there yet.
    pub fn room(buffer: &Buffer<T>, len: usize) -> Elements<T> {
        assert!(len <= buffer.capacity());
        Elements { start: buffer.start(), len }
    }

    /// The place of an element, which exists.
    #[inline(always)]
    pub fn at(&self, index: usize) -> *mut T {
        assert!(index < self.len);
        // SAFETY: inside the array.
        unsafe { self.start.add(index) }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Fetches the first elements ahead.
    #[inline(always)]
    fn prefetch(&self) {
        prefetch_bytes(self.start.cast(), self.len * size_of::<T>());
    }
}

/// Bytes of an array that are fetched ahead at most: what comes after them, the CPU will guess.
const AHEAD: usize = 4096;

/// Fetches the first bytes of an array ahead.
#[inline(always)]
fn prefetch_bytes(start: *const u8, count: usize) {
    for line in (0..count.min(AHEAD)).step_by(64) {
        prefetch(start.wrapping_add(line));
    }
}

/// A tree in the hands of several threads, each of which has a copy. Reading is safe because whoever calls one of the unsafe functions, which write,
/// promises that nobody else reads there meanwhile.
#[derive(Clone, Copy)]
pub struct TreeAccess<'a> {
    pub(super) mesh: &'a Mesh,
    pub(super) simd: Level,
    pub(super) levels: &'a Levels,
    pub(super) vertex_boxes: Elements<VertexBox>,
    pub(super) faces: Elements<FaceGroup>,
    pub(super) edges: Elements<EdgeGroup>,
    pub(super) vertices: Elements<VertexGroup>,
    pub(super) leaves: Elements<Leaf>,
    pub(super) nodes: Elements<BoxGroup>,
    pub(super) qualities: Elements<Quality>,
    /// A single one.
    pub(super) fit: Elements<Fit>,
    pub(super) outlines: &'a Outlines,
    pub(super) pieces: &'a [u32],
    /// These four are empty without culling.
    pub(super) stale: Elements<u8>,
    pub(super) culled: Elements<u8>,
    pub(super) facing: Elements<u32>,
    pub(super) cones: Elements<DualCone>,
    pub(super) crowded_leaf_count: &'a AtomicUsize,
    pub(super) node_rebuild_count: &'a AtomicU64,
    pub(super) claims: &'a Claims,
    tree: PhantomData<&'a mut Tree>,
}

// SAFETY: it is as good as `&mut Tree` in the hands of one thread; that several of them do not get in each other's way is what callers of its unsafe functions promise.
// Everything in the tree may be used from any thread.
unsafe impl Send for TreeAccess<'_> {}
// SAFETY: as above; and it can be copied anyway.
unsafe impl Sync for TreeAccess<'_> {}

impl Tree {
    /// Gives the tree to several threads. `mesh` is the one that the tree is of; `simd` is what it is refitted with.
    pub fn shared<'a>(&'a mut self, simd: Level, mesh: &'a Mesh) -> TreeAccess<'a> {
        assert!(simd.is_supported(), "{simd:?} is not supported by this CPU");
        TreeAccess {
            mesh,
            simd,
            levels: &self.levels,
            vertex_boxes: Elements::new(&mut self.vertex_boxes),
            faces: Elements::new(&mut self.faces),
            edges: Elements::new(&mut self.edges),
            vertices: Elements::new(&mut self.vertices),
            leaves: Elements::new(&mut self.leaves),
            nodes: Elements::new(&mut self.nodes),
            qualities: Elements::new(&mut self.qualities),
            fit: Elements::new(std::slice::from_mut(&mut self.fit)),
            outlines: &self.patches.outlines,
            pieces: &self.patches.pieces,
            stale: Elements::new(&mut self.patches.stale),
            culled: Elements::new(&mut self.patches.culled),
            facing: Elements::new(&mut self.patches.facing),
            cones: Elements::new(&mut self.patches.cones),
            crowded_leaf_count: &self.crowded_leaf_count,
            node_rebuild_count: &self.node_rebuild_count,
            claims: &self.claims,
            tree: PhantomData,
        }
    }
}

impl<'a> TreeAccess<'a> {
    /// Levels of boxes; the highest has a single one.
    pub fn level_count(&self) -> usize {
        self.levels.count()
    }

    pub fn box_count(&self, level: usize) -> usize {
        self.levels.boxes(level)
    }

    /// Which boxes of a group exist.
    #[inline(always)]
    pub fn lanes(&self, level: usize, group: usize) -> u32 {
        self.levels.lanes(level, group)
    }

    /// The leaves below a box.
    pub fn leaves_below(&self, level: usize, number: usize) -> Range<usize> {
        self.levels.leaves_below(level, number)
    }

    /// The box around everything, if there is anything.
    pub fn root(&self) -> Option<MovingBox> {
        let top = self.level_count().checked_sub(1)?;
        Some(self.group(top, 0).get(0))
    }

    /// Boxes 8 `group` … of a level.
    #[inline(always)]
    pub fn group(&self, level: usize, group: usize) -> &'a BoxGroup {
        // the first leaf below it
        self.claims.check_read(group << (3 * (level + 1)));
        // SAFETY: nobody writes what this thread reads (see the type).
        unsafe { &*self.nodes.at(self.levels.place(level) + group) }
    }

    #[inline(always)]
    pub fn faces(&self, leaf: usize) -> &'a FaceGroup {
        self.claims.check_read(leaf);
        // SAFETY: nobody writes what this thread reads (see the type).
        unsafe { &*self.faces.at(leaf) }
    }

    /// The edges of a leaf, and the number of the first group.
    #[inline(always)]
    pub fn edges(&self, leaf: usize) -> (usize, &'a [EdgeGroup]) {
        let used = self.leaf(leaf).edges.used();
        assert!(used.end <= self.edges.len());
        // SAFETY: inside the array; these groups are the leaf's alone, and nobody writes what this thread reads (see the type).
        (used.start, unsafe { slice::from_raw_parts(self.edges.start.add(used.start), used.len()) })
    }

    /// The vertices of a leaf, and the number of the first group.
    #[inline(always)]
    pub fn vertices(&self, leaf: usize) -> (usize, &'a [VertexGroup]) {
        let used = self.leaf(leaf).vertices.used();
        assert!(used.end <= self.vertices.len());
        // SAFETY: as for edges.
        (used.start, unsafe { slice::from_raw_parts(self.vertices.start.add(used.start), used.len()) })
    }

    /// Fetches a leaf's boxes ahead of their use.
    #[inline(always)]
    pub fn prefetch_leaf(&self, leaf: usize) {
        prefetch(self.faces(leaf));
        for group in self.edges(leaf).1 {
            prefetch(group);
        }
        for group in self.vertices(leaf).1 {
            prefetch(group);
        }
    }

    /// Fetches ahead what going down the tree begins with.
    pub fn prefetch_nodes(&self) {
        self.nodes.prefetch();
        self.leaves.prefetch();
    }

    /// Fetches ahead what a refit of the whole tree begins with: of a small tree, nearly all. Trees are made of many arrays, and their beginnings are what the CPU cannot guess.
    pub fn prefetch_all(&self) {
        let motions = self.mesh.motions();
        prefetch_bytes(motions.as_ptr().cast(), size_of_val(motions));
        self.vertex_boxes.prefetch();
        self.faces.prefetch();
        self.edges.prefetch();
        self.vertices.prefetch();
        self.leaves.prefetch();
        self.nodes.prefetch();
        self.qualities.prefetch();
    }

    /// How many vertices and edges a leaf has.
    #[inline(always)]
    pub fn feature_counts(&self, leaf: usize) -> [usize; 2] {
        let Leaf { edges, vertices } = self.leaf(leaf);
        [vertices.features as usize, edges.features as usize]
    }

    /// A group of edges by its number.
    #[inline(always)]
    pub fn edge_group(&self, group: usize) -> &'a EdgeGroup {
        // SAFETY: nobody writes what this thread reads (see the type).
        unsafe { &*self.edges.at(group) }
    }

    /// A group of vertices by its number.
    #[inline(always)]
    pub fn vertex_group(&self, group: usize) -> &'a VertexGroup {
        // SAFETY: nobody writes what this thread reads (see the type).
        unsafe { &*self.vertices.at(group) }
    }

    #[inline(always)]
    pub(super) fn leaf(&self, leaf: usize) -> &'a Leaf {
        self.claims.check_read(leaf);
        // SAFETY: nobody writes what this thread reads (see the type).
        unsafe { &*self.leaves.at(leaf) }
    }
}
