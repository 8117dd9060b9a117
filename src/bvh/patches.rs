//! The surface below each box, its patch: the loop around it and whether it is in one piece. What culling by normals needs to know of the topology.
//!
//! Nothing of it is there until a query asks for it. It is found anew where triangles have been sorted anew, and stays the same when vertices move.

use super::cones::DualCone;
use super::groups::{FaceGroup, Group};
use super::levels::Levels;
use super::tree::{Tree, WIDTH};
use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::{Mesh, NO_EDGE};

/// How patches are excluded from tests with themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Culling {
    #[default]
    None,
    /// Where a proof is found that nothing in the patch touches: see `cull`.
    Exact,
    /// As in section 4 of the FASTCD paper, which may miss contacts: see `cones`.
    DualCone,
}

/// In place of the position of a triangle: there is none.
const NOBODY: u32 = u32::MAX;

/// Several triangles have the edge in the same direction: more than two, or two that are not oriented alike.
const CROWDED: [u32; 2] = [u32::MAX - 1; 2];

/// Flags of boxes: what has to be found anew.
const OUTLINE: u8 = 1;
const PIECES: u8 = 2;
pub(super) const STALE: u8 = OUTLINE | PIECES;

pub(super) struct Patches {
    pub outlines: Outlines,
    /// By box, what has to be found anew. Boxes have the place of their group, times eight, plus their lane.
    pub stale: Buffer<u8>,
    /// By box, whether it, or one above it, was culled.
    pub culled: Buffer<u8>,
    /// By box, the directions that all triangles face throughout: see `facing`.
    pub facing: Buffer<u32>,
    pub cones: Buffer<DualCone>,
    /// By box, how many pieces its patch has, connected by edges.
    pub pieces: Buffer<u32>,
    /// By position, another triangle of the same piece, or the same one: while pieces are counted.
    parents: Buffer<u32>,
}

/// The loops around patches.
pub(super) struct Outlines {
    /// By edge, the positions of the triangle that goes along it from the smaller end to the larger, and of the one that goes the other way. A position is a leaf, times
    /// eight, plus a lane.
    sides: Buffer<[u32; 2]>,
    /// By box, the length of its loop; 0 if its boundary is not a single loop, or too long a one.
    lengths: Buffer<u16>,
    /// Room for a loop for each box.
    vertices: Buffer<u32>,
    /// For the search: edges in the direction of their triangle.
    edges: Buffer<[u32; 2]>,
}

/// Vertices of the longest outline of a level that is kept; none of leaves. Those of compact patches grow with the root of their triangles.
fn longest(level: usize) -> usize {
    match level {
        0 => 0,
        1 => 48,
        2 => 128,
        3 => 384,
        _ => 1024,
    }
}

/// Where the room for the outline of a box is.
fn outline_place(levels: &Levels, level: usize, number: usize) -> usize {
    (0..level).map(|below| levels.boxes(below) * longest(below)).sum::<usize>() + number * longest(level)
}

/// The place of a box among all.
#[inline(always)]
pub(super) fn box_place(levels: &Levels, level: usize, number: usize) -> usize {
    levels.place(level) * WIDTH + number
}

impl Outlines {
    fn new(memory: &Memory) -> Outlines {
        Outlines {
            sides: Buffer::new(memory.clone()),
            lengths: Buffer::new(memory.clone()),
            vertices: Buffer::new(memory.clone()),
            edges: Buffer::new(memory.clone()),
        }
    }

    fn clear(&mut self) {
        self.sides.clear();
        self.lengths.clear();
        self.vertices.clear();
    }

    /// The vertices of the loop around a patch, in the direction of its triangles; empty if there is no such loop.
    #[inline(always)]
    pub fn get(&self, levels: &Levels, level: usize, number: usize) -> &[u32] {
        let first = outline_place(levels, level, number);
        &self.vertices[first..first + self.lengths[box_place(levels, level, number)] as usize]
    }

    /// Whether only one triangle has an edge.
    pub fn is_boundary(&self, edge: u32) -> bool {
        self.sides[edge as usize].contains(&NOBODY)
    }

    /// Notes where the triangles of a leaf are.
    fn note_leaf(&mut self, mesh: &Mesh, leaf: usize, faces: &FaceGroup, is_first: bool) {
        for lane in 0..faces.count() {
            let position = (leaf * WIDTH + lane) as u32;
            for (edge, [from, to]) in sides_of(mesh, faces, lane) {
                if edge == NO_EDGE || self.sides[edge as usize] == CROWDED {
                    continue;
                }
                let sides = &mut self.sides[edge as usize];
                let side = &mut sides[usize::from(from > to)];
                if is_first && *side != NOBODY {
                    *sides = CROWDED;
                } else {
                    *side = position;
                }
            }
        }
    }

    /// Finds the outline of a box.
    fn find(
        &mut self,
        levels: &Levels,
        mesh: &Mesh,
        faces: &[FaceGroup],
        level: usize,
        number: usize,
    ) -> Result<(), MemoryError> {
        self.edges.clear();
        self.edges.reserve(longest(level))?;
        let first = outline_place(levels, level, number);
        let is_found = self.find_edges(levels, mesh, faces, level, number)?;
        let length = if is_found { self.walk(first) } else { 0 };
        self.lengths[box_place(levels, level, number)] = length as u16;
        Ok(())
    }

    /// The edges of a patch that have none of its triangles on their other side. False if there are too many, or edges that are not a surface's.
    fn find_edges(
        &mut self,
        levels: &Levels,
        mesh: &Mesh,
        faces: &[FaceGroup],
        level: usize,
        number: usize,
    ) -> Result<bool, MemoryError> {
        let leaves = levels.leaves_below(level, number);
        let inside = leaves.start * WIDTH..leaves.end * WIDTH;
        for group in &faces[leaves] {
            for lane in 0..group.count() {
                for (edge, ends @ [from, to]) in sides_of(mesh, group, lane) {
                    if edge == NO_EDGE || self.sides[edge as usize] == CROWDED {
                        return Ok(false);
                    }
                    let beyond = self.sides[edge as usize][usize::from(from < to)];
                    if !inside.contains(&(beyond as usize)) {
                        if self.edges.len() == longest(level) {
                            return Ok(false);
                        }
                        self.edges.push(ends)?;
                    }
                }
            }
        }
        Ok(true)
    }

    /// Puts the edges that were found in a row. Returns how many they are; 0 if they are not a single loop that visits each of its vertices once.
    fn walk(&mut self, first: usize) -> usize {
        let Outlines { edges, vertices, .. } = self;
        edges.sort_unstable();
        if edges.windows(2).any(|pair| pair[0][0] == pair[1][0]) {
            return 0;
        }
        let Some(&[start, _]) = edges.first() else { return 0 };
        let mut at = start;
        for place in 0..edges.len() {
            vertices[first + place] = at;
            let Ok(next) = edges.binary_search_by_key(&at, |edge| edge[0]) else { return 0 };
            at = edges[next][1];
            if at == start {
                // A closed loop; if it is not all, there are more.
                return if place + 1 == edges.len() { edges.len() } else { 0 };
            }
        }
        0
    }

    fn bytes(&self) -> usize {
        self.sides.capacity() * 8
            + self.lengths.capacity() * 2
            + self.vertices.capacity() * 4
            + self.edges.capacity() * 8
    }
}

/// The edges of a triangle of a leaf, in its direction.
fn sides_of(mesh: &Mesh, faces: &FaceGroup, lane: usize) -> [(u32, [u32; 2]); 3] {
    let edges = mesh.features().edges_of_triangles()[faces.triangles[lane] as usize];
    let corner = |side: usize| faces.corners[side % 3][lane];
    std::array::from_fn(|side| (edges[side], [corner(side), corner(side + 1)]))
}

impl Patches {
    pub fn new(memory: &Memory) -> Patches {
        Patches {
            outlines: Outlines::new(memory),
            stale: Buffer::new(memory.clone()),
            culled: Buffer::new(memory.clone()),
            facing: Buffer::new(memory.clone()),
            cones: Buffer::new(memory.clone()),
            pieces: Buffer::new(memory.clone()),
            parents: Buffer::new(memory.clone()),
        }
    }

    /// All is to be found anew: there is another order.
    pub fn forget(&mut self) {
        self.outlines.clear();
        self.stale.clear();
        self.culled.clear();
        self.facing.clear();
        self.cones.clear();
        self.pieces.clear();
    }

    pub fn bytes(&self) -> usize {
        self.outlines.bytes()
            + self.stale.capacity()
            + self.culled.capacity()
            + (self.facing.capacity() + self.pieces.capacity() + self.parents.capacity()) * 4
            + self.cones.capacity() * size_of::<DualCone>()
    }

    /// Makes room for what culling needs.
    fn make_room(&mut self, mesh: &Mesh, levels: &Levels, culling: Culling) -> Result<(), MemoryError> {
        let boxes = levels.group_count() * WIDTH;
        self.outlines.sides.resize(mesh.edge_count(), [NOBODY; 2])?;
        self.culled.resize(boxes, 0)?;
        if culling == Culling::DualCone {
            self.cones.resize(boxes, DualCone::EMPTY)?;
            self.pieces.resize(boxes, 0)?;
            self.parents.resize(levels.leaf_count() * WIDTH, 0)?;
        } else {
            self.facing.resize(boxes, 0)?;
            self.outlines.lengths.resize(boxes, 0)?;
            let top = levels.count() - 1;
            self.outlines.vertices.resize(outline_place(levels, top, levels.boxes(top)), 0)?;
        }
        // last, so that a refusal leaves nothing that looks finished
        self.stale.resize(boxes, STALE)
    }

    /// Counts the pieces of all patches. Every edge connects its two triangles in the lowest box that has both, and each connection of different pieces makes one of two.
    fn count_pieces(&mut self, levels: &Levels, faces: &[FaceGroup]) {
        for (place, parent) in self.parents.iter_mut().enumerate() {
            *parent = place as u32;
        }
        for (leaf, faces) in faces.iter().enumerate() {
            self.pieces[box_place(levels, 0, leaf)] = faces.count() as u32;
        }
        for level in 0..levels.count() {
            let box_count = if level > 0 { levels.boxes(level) } else { 0 };
            for number in 0..box_count {
                let children = number * WIDTH..levels.boxes(level - 1).min((number + 1) * WIDTH);
                self.pieces[box_place(levels, level, number)] =
                    children.map(|child| self.pieces[box_place(levels, level - 1, child)]).sum();
            }
            for &sides in self.outlines.sides.iter() {
                if sides == CROWDED || sides.contains(&NOBODY) {
                    continue;
                }
                let box_at = |level: usize| sides.map(|side| (side as usize / WIDTH) >> (3 * level));
                let [a, b] = box_at(level);
                let met_before = level > 0 && box_at(level - 1)[0] == box_at(level - 1)[1];
                if a != b || met_before {
                    continue;
                }
                let [first, second] = sides.map(|side| root_of(&mut self.parents, side));
                if first != second {
                    self.parents[first.max(second) as usize] = first.min(second);
                    self.pieces[box_place(levels, level, a)] -= 1;
                }
            }
        }
    }
}

/// What stands for the piece of a triangle. Ways get shorter as they are used.
fn root_of(parents: &mut [u32], mut place: u32) -> u32 {
    while parents[place as usize] != place {
        parents[place as usize] = parents[parents[place as usize] as usize];
        place = parents[place as usize];
    }
    place
}

impl Tree {
    /// Finds out what culling needs to know of the order of the triangles, where that has changed.
    pub fn prepare_culling(&mut self, mesh: &Mesh, culling: Culling) -> Result<(), MemoryError> {
        let Tree { levels, faces, patches, .. } = self;
        if culling == Culling::None || levels.count() == 0 {
            return Ok(());
        }
        let is_first = patches.stale.is_empty();
        patches.make_room(mesh, levels, culling)?;
        let wanted = if culling == Culling::Exact { OUTLINE } else { PIECES };
        let is_stale = |patches: &Patches, level: usize, number: usize| {
            patches.stale[box_place(levels, level, number)] & wanted != 0
        };
        let mut any = false;
        for leaf in 0..levels.leaf_count() {
            if is_stale(patches, 0, leaf) {
                any = true;
                patches.outlines.note_leaf(mesh, leaf, &faces[leaf], is_first);
            }
        }
        if !any {
            return Ok(());
        }
        if culling == Culling::DualCone {
            patches.count_pieces(levels, faces);
        }
        for level in 0..levels.count() {
            for number in 0..levels.boxes(level) {
                if is_stale(patches, level, number) {
                    if culling == Culling::Exact && level > 0 {
                        patches.outlines.find(levels, mesh, faces, level, number)?;
                    }
                    patches.stale[box_place(levels, level, number)] &= !wanted;
                }
            }
        }
        Ok(())
    }
}
