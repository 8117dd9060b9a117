//! Meshes of a hierarchy that break or become one (FASTCD paper, sections 5.1 and 5.3).
//!
//! A tree is an order of triangles. Parts of a mesh keep the order that their triangles had in its tree, and a whole has those of its parts one after the other: trees are made from orders
//! that are there already. What is sorted are new triangles, and runs of neighbours: leaves have to end where the mesh was cut.
//!
//! It is done in two steps, so that everything or nothing happens: first trees are made, which may be refused for lack of memory; then they take the place of the old ones, which
//! cannot fail.

use super::build::{self, Item};
use super::inherit::Inheritance;
use super::retake::Retaken;
use super::{Body, Bvh, MovingBox, Tree, Workspace, bodies};
use crate::memory::{Buffer, Memory, MemoryError, Owned};
use crate::mesh::{Broken, FEWEST_FOR_ALL, Merge, Mesh, Pieces, SplitProblem, VertexMotion};
use crate::schedule::{Crew, largest_first, rooms};
use crate::simd::{Level, StandardFloats};

/// A tree that waits to be in the hierarchy.
pub(super) struct Prepared {
    tree: Owned<Tree>,
    /// Where a mesh only tears, its tree takes the place of the empty one that is here until then.
    retaken: Option<Retaken>,
    triangle_count: usize,
    /// The box around the mesh: the tree may have none yet.
    around: MovingBox,
    /// Which of the new meshes it is of, and in the place of which of the old ones.
    number: usize,
    of: usize,
}

/// What comes of a mesh that breaks: its parts, and their trees for each hierarchy, none for those that do not contain it.
struct Parts {
    pieces: Pieces,
    trees: Buffer<Buffer<Prepared>>,
}

impl Parts {
    fn new(
        memory: &Memory,
        crew: &Crew,
        worker_count: usize,
        bvhs: &[&mut Bvh],
        broken: &Broken<'_>,
    ) -> Result<Parts, SplitProblem> {
        let pieces = broken.pieces(memory, crew, worker_count)?;
        let mut trees = Buffer::new(memory.clone());
        trees.reserve_exact(bvhs.len())?;
        for bvh in bvhs {
            trees.push(if bvh.contains(broken.id) {
                Prepared::parts(bvh, crew, worker_count, broken, &pieces)?
            } else {
                Buffer::new(memory.clone())
            })?;
        }
        Ok(Parts { pieces, trees })
    }
}

/// A mesh is small for a worker if all that break are at least so many times as much for each.
const SMALL: usize = 8;

/// Makes the parts of meshes and their trees for all of some hierarchies that contain them, on the workers of a crew. Nothing is in the hierarchies before [`replace`](Bvh::replace). Otherwise it
/// tells what is wrong with which mesh.
pub fn break_all(
    memory: &Memory,
    crew: &Crew,
    bvhs: &mut [&mut Bvh],
    broken: &[Broken<'_>],
) -> Result<Buffer<Pieces>, (usize, SplitProblem)> {
    let result = parts_of_all(memory, crew, bvhs, broken)
        .and_then(|parts| prepare(memory, bvhs, parts).map_err(|error| (0, SplitProblem::Memory(error))));
    if result.is_err() {
        bvhs.iter_mut().for_each(|bvh| bvh.forget_prepared());
    }
    result
}

/// Meshes are shared out among the workers, each of which makes what comes of some. A mesh that the others would have to wait for is for all of them. What is made of a mesh is still in the
/// cache when its trees are made.
fn parts_of_all(
    memory: &Memory,
    crew: &Crew,
    bvhs: &[&mut Bvh],
    broken: &[Broken<'_>],
) -> Result<Buffer<Parts>, (usize, SplitProblem)> {
    let refused = |error: MemoryError| (0, SplitProblem::Memory(error));
    let size = |broken: &Broken<'_>| broken.split.parts.len();
    let large = (broken.iter().map(size).sum::<usize>() / (SMALL * crew.worker_count())).max(FEWEST_FOR_ALL);
    let is_for_all = |broken: &Broken<'_>| size(broken) >= large;
    let shared: usize = broken.iter().filter(|it| !is_for_all(it)).map(size).sum();
    let worker_count = if shared < FEWEST_FOR_ALL { 1 } else { crew.worker_count() };
    let mut rooms = rooms(memory, worker_count, || Ok(())).map_err(refused)?;
    let turns = largest_first(memory, broken.iter().map(size)).map_err(refused)?;
    let mut made = crew
        .collect(memory, &mut rooms, broken.len(), &turns, &|_, place| {
            let _floats = StandardFloats::enter();
            let broken = &broken[place];
            Ok((!is_for_all(broken)).then(|| Parts::new(memory, crew, 1, bvhs, broken)))
        })
        .map_err(refused)?;
    let mut all = Buffer::new(memory.clone());
    all.reserve_exact(broken.len()).map_err(refused)?;
    for (place, broken) in broken.iter().enumerate() {
        let by_all = || Parts::new(memory, crew, crew.worker_count(), bvhs, broken);
        let parts = made[place].take().unwrap_or_else(by_all);
        all.push(parts.map_err(|problem| (place, problem))?).map_err(refused)?;
    }
    Ok(all)
}

/// Hands the trees over to their hierarchies.
fn prepare(
    memory: &Memory,
    bvhs: &mut [&mut Bvh],
    mut parts: Buffer<Parts>,
) -> Result<Buffer<Pieces>, MemoryError> {
    for (place, bvh) in bvhs.iter_mut().enumerate() {
        let (mut first, mut gone_count) = (0, 0);
        let part_count = parts.iter().map(|parts| parts.trees[place].len()).sum();
        bvh.prepared.reserve_exact(part_count)?;
        let retaken = parts.iter().flat_map(|parts| parts.trees[place].iter());
        for retaken in retaken.filter_map(|part| part.retaken.as_ref()) {
            let body = bvh.find(retaken.mesh).expect("the hierarchy contains it");
            bvh.bodies[body].tree.make_room_for_torn(retaken)?;
        }
        for (of, Parts { pieces, trees }) in parts.iter_mut().enumerate() {
            gone_count += usize::from(!trees[place].is_empty());
            trees[place].reverse();
            let mut number = first;
            while let Some(part) = trees[place].pop() {
                bvh.prepared.push(Prepared { number, of, ..part })?;
                number += 1;
            }
            first += pieces.meshes.len();
        }
        bvh.make_room_for(part_count, gone_count)?;
    }
    let mut pieces = Buffer::new(memory.clone());
    pieces.reserve_exact(parts.len())?;
    while let Some(parts) = parts.pop() {
        pieces.push(parts.pieces)?;
    }
    pieces.reverse();
    Ok(pieces)
}

impl Bvh {
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

    /// Takes out those of some meshes that it contains, and puts the prepared ones in, whose ids are given in their order: parts for each of the meshes, or one for all. `new` are the
    /// meshes with these ids, by their place among them.
    pub fn replace<'a>(&mut self, gone: &[u64], ids: &[u64], new: &dyn Fn(usize) -> &'a Mesh) {
        self.nodes.clear();
        self.boxes.clear();
        self.retake(new);
        for &id in gone {
            if let Ok(place) = self.find(id) {
                let node = std::mem::replace(&mut self.bodies[place].node, bodies::NONE);
                self.nodes.push(node).expect("room was made");
            }
        }
        self.take_out_gone();
        // The last one first, and so the parts of the last mesh.
        let is_merge = self.prepared.len() < self.nodes.len();
        while let Some(Prepared { tree, triangle_count, around, number, of, .. }) = self.prepared.pop() {
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

    /// Trees of meshes that only tear go over to what these become.
    fn retake<'a>(&mut self, new: &dyn Fn(usize) -> &'a Mesh) {
        for place in 0..self.prepared.len() {
            let Some(retaken) = self.prepared[place].retaken.take() else { continue };
            let body = self.find(retaken.mesh).expect("the hierarchy contains it");
            let prepared = &mut self.prepared[place];
            std::mem::swap(&mut prepared.tree, &mut self.bodies[body].tree);
            prepared.tree.retake(self.simd, new(prepared.number), &retaken);
        }
    }

    /// Takes out those that have no node any more. The others keep their order.
    fn take_out_gone(&mut self) {
        let is_gone = |body: &Body| body.node == bodies::NONE;
        let first = self.bodies.iter().position(is_gone).unwrap_or(self.bodies.len());
        let mut kept = first;
        for place in first..self.bodies.len() {
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
    pub fn new(
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

    pub fn with(memory: &Memory, mesh: &Mesh, tree: Tree) -> Result<Prepared, MemoryError> {
        let tree = Owned::new(memory.clone(), tree)?;
        let (triangle_count, around) = (mesh.triangle_count(), around_vertices(mesh));
        Ok(Prepared { tree, retaken: None, triangle_count, around, number: 0, of: 0 })
    }

    /// With the tree of a mesh that only tears.
    pub fn again(memory: &Memory, torn: &Mesh, retaken: Retaken) -> Result<Prepared, MemoryError> {
        let prepared = Prepared::with(memory, torn, Tree::empty(memory))?;
        Ok(Prepared { retaken: Some(retaken), ..prepared })
    }

    /// Those of the parts of a mesh that the hierarchy contains.
    fn parts(
        bvh: &Bvh,
        crew: &Crew,
        worker_count: usize,
        broken: &Broken<'_>,
        pieces: &Pieces,
    ) -> Result<Buffer<Prepared>, MemoryError> {
        let memory = &bvh.memory;
        let inheritance = Inheritance::new(bvh, broken, pieces)?;
        let mut rooms = rooms(memory, worker_count, || Ok(bvh.new_workspace()))?;
        let turns = largest_first(memory, pieces.meshes.iter().map(Mesh::triangle_count))?;
        crew.collect(memory, &mut rooms, pieces.meshes.len(), &turns, &|room, part| {
            let _floats = StandardFloats::enter();
            inheritance.tree_of(bvh, &pieces.meshes[part], part, room)
        })
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
