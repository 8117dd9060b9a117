//! Meshes of a hierarchy that break or become one (FASTCD paper, sections 5.1 and 5.3).
//!
//! A tree is an order of triangles. Parts of a mesh keep the order that their triangles had in its tree, and a whole has those of its parts one after the other: trees are made from orders
//! that are there already. What is sorted are new triangles, and runs of neighbours: leaves have to end where the mesh was cut.
//!
//! It is done in two steps, so that everything or nothing happens: first trees are made, which may be refused for lack of memory; then they take the place of the old ones, which
//! cannot fail.

use super::build::{self, Item};
use super::{Body, Bvh, MovingBox, Tree, Workspace, bodies};
use crate::locks::Mutex;
use crate::memory::{Buffer, Memory, MemoryError, Owned};
use crate::mesh::{FEWEST_FOR_ALL, Merge, Mesh, Pieces, Split, VertexMotion};
use crate::schedule::Crew;
use crate::simd::{Level, StandardFloats};

/// A tree that waits to be in the hierarchy.
pub(super) struct Prepared {
    tree: Owned<Tree>,
    triangle_count: usize,
    /// The box around the mesh: the tree may have none yet.
    around: MovingBox,
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
    /// Makes the trees of the parts of a mesh that it contains, on the workers of a crew. Nothing is in the hierarchy before [`replace`](Bvh::replace).
    pub fn prepare_split(
        &mut self,
        crew: &Crew,
        id: u64,
        mesh: &Mesh,
        split: &Split<'_>,
        pieces: &Pieces,
    ) -> Result<(), MemoryError> {
        let Ok(place) = self.find(id) else { return Ok(()) };
        let memory = self.memory.clone();
        let old = &self.bodies[place].tree;
        // A tree that could not be built has no order.
        let mut by_part: Buffer<u32> = Buffer::new(memory.clone());
        if old.level_count() > 0 {
            let order = order_of_split(&memory, old, mesh, split)?;
            let mut next: Buffer<usize> = Buffer::new(memory.clone());
            next.reserve_exact(pieces.meshes.len())?;
            let mut begin = 0;
            for piece in pieces.meshes.iter() {
                next.push(begin)?;
                begin += piece.triangle_count();
            }
            by_part.resize(order.len(), 0)?;
            for &triangle in order.iter() {
                let next = &mut next[split.parts[triangle as usize] as usize];
                by_part[*next] = pieces.numbers[triangle as usize];
                *next += 1;
            }
        }
        let mut begins: Buffer<usize> = Buffer::new(memory.clone());
        begins.reserve_exact(pieces.meshes.len())?;
        let mut begin = 0;
        for piece in pieces.meshes.iter() {
            begins.push(begin)?;
            begin += piece.triangle_count();
        }
        let worker_count = if split.parts.len() < FEWEST_FOR_ALL { 1 } else { crew.worker_count() };
        let mut rooms: Buffer<Mutex<Workspace>> = Buffer::new(memory.clone());
        for _ in 0..worker_count {
            rooms.push(Mutex::new(self.new_workspace()))?;
        }
        let simd = self.simd;
        self.prepared = crew.collect(&memory, &mut rooms, pieces.meshes.len(), &|room, part| {
            let _floats = StandardFloats::enter();
            let (piece, begin) = (&pieces.meshes[part], begins[part]);
            Prepared::new(&memory, simd, piece, by_part.get(begin..begin + piece.triangle_count()), room)
        })?;
        self.make_room_for(pieces.meshes.len(), 1)
    }

    /// For bodies that replace others.
    fn make_room_for(&mut self, new: usize, gone: usize) -> Result<(), MemoryError> {
        self.arriving.reserve(new)?;
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

    /// Takes some meshes out, and puts the prepared ones in, whose ids are given in their order: one for one or more, or several for one.
    pub fn replace(&mut self, gone: &[u64], ids: &[u64]) {
        self.nodes.clear();
        self.boxes.clear();
        for &id in gone {
            let place = self.find(id).expect("it is in the hierarchy");
            let body = &mut self.bodies[place];
            self.nodes.push(body.node).expect("room was made");
            body.node = bodies::NONE;
        }
        self.take_out_gone();
        for &id in ids.iter().rev() {
            let Prepared { tree, triangle_count, around } = self.prepared.pop().expect("an id for each");
            self.boxes.push(around).expect("room was made");
            let body = Body { id, tree, triangle_count, node: bodies::NONE };
            self.arriving.push(body).expect("room was made");
        }
        self.forget_prepared();
        let new = &mut self.arriving;
        if let [whole] = &self.nodes[..] {
            self.body_tree.split(*whole, &self.boxes, |part, node| new[part].node = node);
        } else {
            new[0].node = self.body_tree.merge(&self.nodes, &self.boxes[0]);
        }
        self.sort_in();
    }

    /// Takes out those that have no node any more. The others keep their order.
    fn take_out_gone(&mut self) {
        let mut kept = 0;
        for place in 0..self.bodies.len() {
            if self.bodies[place].node != bodies::NONE {
                self.bodies.swap(kept, place);
                kept += 1;
            }
        }
        for body in &self.bodies[kept..] {
            self.node_rebuild_count += body.tree.node_rebuild_count();
        }
        self.bodies.truncate(kept);
    }

    /// Puts those that arrive between the others, which are sorted: in linear time, since many may break one after the other.
    fn sort_in(&mut self) {
        self.arriving.sort_unstable_by_key(|body| body.id);
        loop {
            // The largest first.
            let [old, new] = [&self.bodies, &self.arriving].map(|list| list.last().map(|body| body.id));
            let Some(body) = (if old > new { self.bodies.pop() } else { self.arriving.pop() }) else { break };
            self.moving.push(body).expect("room was made");
        }
        self.moving.reverse();
        std::mem::swap(&mut self.bodies, &mut self.moving);
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
        let tree = Owned::new(memory.clone(), tree)?;
        Ok(Prepared { tree, triangle_count: mesh.triangle_count(), around: around_vertices(mesh) })
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
