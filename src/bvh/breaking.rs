//! Meshes of a hierarchy that break or become one (FASTCD paper, sections 5.1 and 5.3).
//!
//! A tree is an order of triangles. Parts of a mesh keep the order that their triangles had in its tree, and a whole has those of its parts one after the other: trees are made from orders
//! that are there already. What is sorted are new triangles, and runs of neighbours: leaves have to end where the mesh was cut.
//!
//! It is done in two steps, so that everything or nothing happens: first trees are made, which may be refused for lack of memory; then they take the place of the old ones, which
//! cannot fail.

use super::build::{self, Item};
use super::{Body, Bvh, MovingBox, Tree, Workspace, bodies};
use crate::memory::{Buffer, Memory, MemoryError, Owned};
use crate::mesh::{Broken, Merge, Mesh, Pieces, Split, VertexMotion};
use crate::schedule::{Crew, largest_first, rooms};
use crate::simd::{Level, StandardFloats};

/// A tree that waits to be in the hierarchy.
pub(super) struct Prepared {
    tree: Owned<Tree>,
    triangle_count: usize,
    /// The box around the mesh: the tree may have none yet.
    around: MovingBox,
    /// Which of the new meshes it is of, and in the place of which of the old ones.
    number: usize,
    of: usize,
}

/// Neither old nor new triangles have this number.
const NOWHERE: u32 = u32::MAX;

impl Tree {
    /// The triangles in their order.
    pub fn order(&self) -> impl Iterator<Item = u32> {
        use super::groups::Group;
        let leaves = 0..self.levels.leaf_count();
        leaves.flat_map(|leaf| self.faces[leaf].triangles[..self.faces[leaf].count()].iter().copied())
    }
}

/// Where the triangles of a split are in the order of the old tree: those that are new beside others that have a corner at the same vertex.
fn order_of_split(
    memory: &Memory,
    tree: &Tree,
    mesh: &Mesh,
    split: &Split<'_>,
) -> Result<Buffer<u32>, MemoryError> {
    let old_count = mesh.triangle_count();
    let mut order: Buffer<u32> = Buffer::new(memory.clone());
    order.reserve_exact(split.parts.len())?;
    if split.parts.len() == old_count {
        tree.order().try_for_each(|triangle| order.push(triangle))?;
        return Ok(order);
    }
    // By vertex, where the first triangle is that has it.
    let mut places: Buffer<u32> = Buffer::new(memory.clone());
    places.resize(mesh.vertex_count(), NOWHERE)?;
    for (place, triangle) in tree.order().enumerate() {
        for vertex in mesh.features().triangles()[triangle as usize] {
            let first = &mut places[vertex as usize];
            *first = (*first).min(place as u32);
        }
    }
    let mut new: Buffer<(u32, u32)> = Buffer::new(memory.clone());
    new.reserve_exact(split.parts.len() - old_count)?;
    for triangle in old_count..split.parts.len() {
        let [a, b, c] = split.origins(mesh, triangle).map(|vertex| places[vertex as usize]);
        new.push((a.min(b).min(c), triangle as u32))?;
    }
    new.sort_unstable();
    let mut next = 0;
    for (place, triangle) in tree.order().enumerate() {
        order.push(triangle)?;
        while next < new.len() && new[next].0 as usize <= place {
            order.push(new[next].1)?;
            next += 1;
        }
    }
    new[next..].iter().try_for_each(|&(_, triangle)| order.push(triangle))?;
    Ok(order)
}

impl Bvh {
    /// Makes the trees of the parts of meshes, of those that it contains, on the workers of a crew. Nothing is in the hierarchy before [`replace`](Bvh::replace).
    pub fn prepare_split(
        &mut self,
        crew: &Crew,
        broken: &[Broken<'_>],
        pieces: &[Pieces],
    ) -> Result<(), MemoryError> {
        let (this, memory) = (&*self, &self.memory);
        let mut rooms = rooms(memory, Broken::workers_for_each(broken, crew), || Ok(self.new_workspace()))?;
        let mut small = crew.collect(memory, &mut rooms, broken.len(), &[], &|room, of| {
            let _floats = StandardFloats::enter();
            let is_small = this.contains(broken[of].id) && !broken[of].is_for_all();
            is_small.then(|| Prepared::parts_by_one(this, &broken[of], &pieces[of], room)).transpose()
        })?;
        let mut prepared: Buffer<Prepared> = Buffer::new(memory.clone());
        prepared.reserve_exact(pieces.iter().map(|pieces| pieces.meshes.len()).sum())?;
        let (mut first, mut gone_count) = (0, 0);
        for (of, (broken, pieces)) in broken.iter().zip(pieces).enumerate() {
            if this.contains(broken.id) {
                let mut parts = match small[of].take() {
                    Some(parts) => parts,
                    None => Prepared::parts_by_all(this, crew, broken, pieces)?,
                };
                let begin = prepared.len();
                while let Some(part) = parts.pop() {
                    prepared.push(Prepared { number: first + parts.len(), of, ..part })?;
                }
                prepared[begin..].reverse();
                gone_count += 1;
            }
            first += pieces.meshes.len();
        }
        let new_count = prepared.len();
        self.prepared = prepared;
        self.make_room_for(new_count, gone_count)
    }

    /// For bodies that replace others.
    fn make_room_for(&mut self, new: usize, gone: usize) -> Result<(), MemoryError> {
        self.arriving.reserve(new)?;
        self.bodies.reserve(new)?;
        self.moving.reserve((self.bodies.len() + new).saturating_sub(gone))?;
        self.boxes.reserve(new)?;
        self.nodes.reserve(gone)?;
        self.body_tree.reserve(self.bodies.len() + new)
    }

    /// Makes the tree of a mesh that several ones become, all of which it contains.
    pub fn prepare_merge(&mut self, merge: &Merge<'_>, whole: &Mesh) -> Result<(), MemoryError> {
        let memory = self.memory.clone();
        // Meshes that are close to each other are side by side.
        let mut items: Buffer<Item> = Buffer::new(memory.clone());
        let mut firsts: Buffer<u32> = Buffer::new(memory.clone());
        let (mut first, mut has_order) = (0, true);
        for (place, &(id, mesh)) in merge.meshes.iter().enumerate() {
            let tree = self.find(id).ok().map(|place| &self.bodies[place].tree);
            has_order &= tree.is_some_and(|tree| tree.level_count() > 0 || mesh.triangle_count() == 0);
            let centre = tree.and_then(|tree| tree.root()).map_or([0.0; 3], |root| root.centre());
            items.push(Item::new(centre, place as u32))?;
            firsts.push(first)?;
            first += mesh.triangle_count() as u32;
        }
        build::split(&mut items, 1);
        let mut order: Buffer<u32> = Buffer::new(memory);
        order.reserve_exact(whole.triangle_count())?;
        for item in items.iter().filter(|_| has_order) {
            let (id, _) = merge.meshes[item.triangle as usize];
            let place = self.find(id).expect("the hierarchy contains all of them");
            let first = firsts[item.triangle as usize];
            self.bodies[place].tree.order().try_for_each(|triangle| order.push(first + triangle))?;
        }
        let order = has_order.then_some(&order[..]);
        let prepared = Prepared::new(&self.memory, self.simd, whole, order, &mut self.workspace)?;
        self.prepared.push(prepared)?;
        self.make_room_for(1, merge.meshes.len())
    }

    /// Gives up what was prepared.
    pub fn forget_prepared(&mut self) {
        self.prepared.clear();
        self.prepared.shrink();
    }

    /// Whether something was prepared.
    pub fn has_prepared(&self) -> bool {
        !self.prepared.is_empty()
    }

    /// Takes out those of some meshes that it contains, and puts the prepared ones in, whose ids are given in their order: parts for each of the meshes, or one for all.
    pub fn replace(&mut self, gone: &[u64], ids: &[u64]) {
        self.nodes.clear();
        self.boxes.clear();
        for &id in gone {
            if let Ok(place) = self.find(id) {
                let node = std::mem::replace(&mut self.bodies[place].node, bodies::NONE);
                self.nodes.push(node).expect("room was made");
            }
        }
        self.take_out_gone();
        // The last one first, and so the parts of the last mesh.
        let is_merge = self.prepared.len() < self.nodes.len();
        while let Some(Prepared { tree, triangle_count, around, number, of }) = self.prepared.pop() {
            self.boxes.push(around).expect("room was made");
            let body = Body { id: ids[number], tree, triangle_count, node: bodies::NONE };
            self.arriving.push(body).expect("room was made");
            let is_first = self.prepared.last().is_none_or(|before| before.of != of);
            if is_first && !is_merge {
                let begin = self.arriving.len() - self.boxes.len();
                let (whole, new) = (self.nodes.pop().expect("each is of one"), &mut self.arriving[begin..]);
                self.body_tree.split(whole, &self.boxes, |part, node| new[part].node = node);
                self.boxes.clear();
            }
        }
        if is_merge {
            self.arriving[0].node = self.body_tree.merge(&self.nodes, &self.boxes[0]);
        }
        self.forget_prepared();
        self.sort_in();
    }

    /// Takes out those that have no node any more. The others keep their order.
    fn take_out_gone(&mut self) {
        let is_gone = |body: &Body| body.node == bodies::NONE;
        let mut kept = self.bodies.iter().position(is_gone).unwrap_or(self.bodies.len());
        for place in kept..self.bodies.len() {
            if is_gone(&self.bodies[place]) {
                self.node_rebuild_count += self.bodies[place].tree.node_rebuild_count();
            } else {
                self.bodies.swap(kept, place);
                kept += 1;
            }
        }
        self.bodies.truncate(kept);
    }

    /// Puts those that arrive between the others, which are sorted: in linear time, since many may break one after the other.
    fn sort_in(&mut self) {
        self.arriving.sort_unstable_by_key(|body| body.id);
        // The largest first, down to the smallest that arrives.
        while let Some(new) = self.arriving.last().map(|body| body.id) {
            let is_old = self.bodies.last().is_some_and(|body| body.id > new);
            let body = if is_old { self.bodies.pop() } else { self.arriving.pop() };
            self.moving.push(body.expect("there is one")).expect("room was made");
        }
        while let Some(body) = self.moving.pop() {
            self.bodies.push(body).expect("room was made");
        }
    }
}

impl Prepared {
    /// Makes a tree of an order, if there is one.
    fn new(
        memory: &Memory,
        simd: Level,
        mesh: &Mesh,
        order: Option<&[u32]>,
        workspace: &mut Workspace,
    ) -> Result<Prepared, MemoryError> {
        let tree = match order {
            Some(order) => Tree::from_inherited_order(memory, simd, mesh, order, workspace)?,
            None => Tree::new(memory, simd, mesh, workspace)?,
        };
        Prepared::with(memory, mesh, tree)
    }

    fn with(memory: &Memory, mesh: &Mesh, tree: Tree) -> Result<Prepared, MemoryError> {
        let tree = Owned::new(memory.clone(), tree)?;
        let around = around_vertices(mesh);
        Ok(Prepared { tree, triangle_count: mesh.triangle_count(), around, number: 0, of: 0 })
    }

    /// The parts of a mesh that the hierarchy contains.
    fn parts_by_one(
        bvh: &Bvh,
        broken: &Broken<'_>,
        pieces: &Pieces,
        workspace: &mut Workspace,
    ) -> Result<Buffer<Prepared>, MemoryError> {
        let inheritance = Inheritance::new(bvh, broken, pieces)?;
        let mut parts = Buffer::new(bvh.memory.clone());
        parts.reserve_exact(pieces.meshes.len())?;
        for (part, piece) in pieces.meshes.iter().enumerate() {
            parts.push(inheritance.tree_of(bvh, piece, part, workspace)?)?;
        }
        Ok(parts)
    }

    /// The same on the workers of a crew.
    fn parts_by_all(
        bvh: &Bvh,
        crew: &Crew,
        broken: &Broken<'_>,
        pieces: &Pieces,
    ) -> Result<Buffer<Prepared>, MemoryError> {
        let memory = &bvh.memory;
        let inheritance = Inheritance::new(bvh, broken, pieces)?;
        let mut rooms = rooms(memory, crew.worker_count(), || Ok(bvh.new_workspace()))?;
        let turns = largest_first(memory, pieces.meshes.iter().map(Mesh::triangle_count))?;
        crew.collect(memory, &mut rooms, pieces.meshes.len(), &turns, &|room, part| {
            let _floats = StandardFloats::enter();
            inheritance.tree_of(bvh, &pieces.meshes[part], part, room)
        })
    }
}

/// What the trees of parts take over from the tree of the whole.
struct Inheritance<'a> {
    old: &'a Tree,
    /// The triangles of each part in their order, one part after the other; empty if there was none.
    order: Buffer<u32>,
    /// Where the parts begin.
    begins: Buffer<usize>,
    /// There is one part, with all triangles and no others.
    is_whole: bool,
}

impl<'a> Inheritance<'a> {
    fn new(bvh: &'a Bvh, broken: &Broken<'_>, pieces: &Pieces) -> Result<Inheritance<'a>, MemoryError> {
        let (memory, Broken { id, mesh, split }) = (&bvh.memory, broken);
        let old = &*bvh.bodies[bvh.find(*id).expect("the hierarchy contains it")].tree;
        let mut begins: Buffer<usize> = Buffer::new(memory.clone());
        begins.reserve_exact(pieces.meshes.len())?;
        let mut begin = 0;
        for piece in pieces.meshes.iter() {
            begins.push(begin)?;
            begin += piece.triangle_count();
        }
        let is_whole = pieces.meshes.len() == 1 && begin == mesh.triangle_count();
        // A tree that could not be built has no order.
        if old.level_count() == 0 {
            return Ok(Inheritance { old, order: Buffer::new(memory.clone()), begins, is_whole: false });
        }
        let whole = order_of_split(memory, old, mesh, split)?;
        if is_whole {
            return Ok(Inheritance { old, order: whole, begins, is_whole });
        }
        let mut order: Buffer<u32> = Buffer::new(memory.clone());
        order.resize(whole.len(), 0)?;
        let mut next: Buffer<usize> = Buffer::new(memory.clone());
        next.reserve_exact(begins.len())?;
        begins.iter().try_for_each(|&begin| next.push(begin))?;
        for &triangle in whole.iter() {
            let next = &mut next[split.parts[triangle as usize] as usize];
            order[*next] = pieces.numbers[triangle as usize];
            *next += 1;
        }
        Ok(Inheritance { old, order, begins, is_whole })
    }

    fn tree_of(
        &self,
        bvh: &Bvh,
        piece: &Mesh,
        part: usize,
        workspace: &mut Workspace,
    ) -> Result<Prepared, MemoryError> {
        let begin = self.begins[part];
        let order = self.order.get(begin..begin + piece.triangle_count());
        if self.is_whole && let Some(order) = order {
            let tree = Tree::from_old(&bvh.memory, bvh.simd, piece, order, self.old, workspace)?;
            return Prepared::with(&bvh.memory, piece, tree);
        }
        Prepared::new(&bvh.memory, bvh.simd, piece, order, workspace)
    }
}

/// The box around all vertices of a mesh.
fn around_vertices(mesh: &Mesh) -> MovingBox {
    let mut lower = [f64::INFINITY; 8];
    let mut upper = [f64::NEG_INFINITY; 8];
    for VertexMotion(motion) in mesh.motions() {
        for i in 0..8 {
            lower[i] = if motion[i] < lower[i] { motion[i] } else { lower[i] };
            upper[i] = if motion[i] > upper[i] { motion[i] } else { upper[i] };
        }
    }
    if mesh.motions().is_empty() {
        return MovingBox::EMPTY;
    }
    let corner = |c: [f64; 8]| MovingBox::around([c[0], c[1], c[2]], [c[4], c[5], c[6]]);
    corner(lower).union(&corner(upper))
}
