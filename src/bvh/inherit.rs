//! What the trees of parts take over from the tree of the mesh that they were.

use super::breaking::Prepared;
use super::retake::Retaken;
use super::{Bvh, Tree, Workspace};
use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::{Broken, Mesh, Pieces, Split};

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

/// What the trees of parts take over from the tree of the whole.
pub(super) struct Inheritance<'a> {
    old: &'a Tree,
    /// The mesh that it was of.
    mesh: u64,
    /// The triangles of each part in their order, one part after the other; empty if there was none.
    order: Buffer<u32>,
    /// Where the parts begin.
    begins: Buffer<usize>,
    /// There is one part, with all triangles and no others.
    is_whole: bool,
}

impl<'a> Inheritance<'a> {
    pub fn new(bvh: &'a Bvh, broken: &Broken<'_>, pieces: &Pieces) -> Result<Inheritance<'a>, MemoryError> {
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
        let mut order: Buffer<u32> = Buffer::new(memory.clone());
        if old.level_count() == 0 {
            return Ok(Inheritance { old, mesh: *id, order, begins, is_whole: false });
        }
        let whole = order_of_split(memory, old, mesh, split)?;
        if is_whole {
            return Ok(Inheritance { old, mesh: *id, order: whole, begins, is_whole });
        }
        order.resize(whole.len(), 0)?;
        let mut next: Buffer<usize> = Buffer::new(memory.clone());
        next.reserve_exact(begins.len())?;
        begins.iter().try_for_each(|&begin| next.push(begin))?;
        for &triangle in whole.iter() {
            let next = &mut next[split.parts[triangle as usize] as usize];
            order[*next] = pieces.numbers[triangle as usize];
            *next += 1;
        }
        Ok(Inheritance { old, mesh: *id, order, begins, is_whole })
    }

    pub fn tree_of(
        &self,
        bvh: &Bvh,
        piece: &Mesh,
        part: usize,
        workspace: &mut Workspace,
    ) -> Result<Prepared, MemoryError> {
        let (memory, begin) = (&bvh.memory, self.begins[part]);
        let order = self.order.get(begin..begin + piece.triangle_count());
        if self.is_whole
            && let Some(order) = order
        {
            return match Retaken::new(memory, self.old, self.mesh, piece)? {
                Some(retaken) => Prepared::again(memory, piece, retaken),
                None => {
                    let tree = Tree::from_old(memory, bvh.simd, piece, order, self.old, workspace)?;
                    Prepared::with(memory, piece, tree)
                }
            };
        }
        Prepared::new(memory, bvh.simd, piece, order, workspace)
    }
}
