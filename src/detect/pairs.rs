//! All contacts of one tree with itself or with another one: down the hierarchies to leaves, to candidates, to elementary tests.
//!
//! The work on a tree with itself is cut into self-CD task units (PCCD paper, section 4.1): that of a node is all pairs of its different children, and all that follows from
//! them. Units of nodes that are not above one another touch different parts of the tree.

use super::candidates::{CAPACITY, Candidates};
use super::contacts::Contacts;
use super::features::{Chunk, ChunkVertices, PairOfFeatures, Pairs, Sides};
use super::leaves::{self, Lists};
use super::query::{Mode, QueryStats};
use crate::bvh::{BoxGroup, Broadcast, Period, Reach, Tree, WIDTH};
use crate::elementary::batch::SCRATCH_LIMBS;
use crate::elementary::edge_edge::EdgeEdge;
use crate::elementary::filter::Frame;
use crate::elementary::stages::{self, CHUNK, Room};
use crate::elementary::vertex_face::VertexFace;
use crate::elementary::{Impact, Settings};
use crate::memory::{Buffer, Memory, MemoryError, Owned};
use crate::mesh::Mesh;
use crate::simd::{Doubles, Floats8, Kernel};
use std::time::Instant;

/// Two boxes that meet: their levels and numbers, and when.
#[derive(Clone, Copy)]
struct NodePair {
    levels: [u8; 2],
    boxes: [u32; 2],
    period: Period,
}

/// The working memory of a worker.
pub struct Workspace {
    waiting: Buffer<NodePair>,
    vertices_faces: Candidates,
    faces_vertices: Candidates,
    edges_edges: Candidates,
    open: Owned<[u32; CAPACITY]>,
    vertices: Owned<ChunkVertices>,
    room: Owned<Room>,
    scratch: Buffer<u64>,
}

impl Workspace {
    pub fn new(memory: &Memory) -> Result<Workspace, MemoryError> {
        let mut scratch = Buffer::new(memory.clone());
        scratch.resize(SCRATCH_LIMBS, 0)?;
        Ok(Workspace {
            waiting: Buffer::new(memory.clone()),
            vertices_faces: Candidates::new(memory)?,
            faces_vertices: Candidates::new(memory)?,
            edges_edges: Candidates::new(memory)?,
            open: Owned::new(memory.clone(), [0; CAPACITY])?,
            vertices: Owned::new(memory.clone(), [[0; 4]; CHUNK])?,
            room: Owned::new(memory.clone(), Room::new())?,
            scratch,
        })
    }
}

impl Workspace {
    /// Forgets what a detection that was refused memory has left.
    fn clear(&mut self) {
        self.waiting.clear();
        for list in [&mut self.vertices_faces, &mut self.faces_vertices, &mut self.edges_edges] {
            list.clear();
        }
    }
}

/// Two sides to be tested against each other; `SAME` for a mesh against itself. Its output is in `contacts`.
pub struct Detection<'a, const SAME: bool> {
    pub sides: Sides<'a>,
    /// The places of both meshes in the hierarchy: what contacts are sorted by.
    pub ranks: [u32; 2],
    /// With the separation that holds for these two.
    pub settings: Settings,
    pub mode: Mode,
    pub workspace: &'a mut Workspace,
    pub contacts: &'a mut Contacts,
    pub stats: &'a mut QueryStats,
}

/// What comes when no pair is waiting.
#[derive(Clone, Copy)]
enum Next {
    /// The task unit of a group of boxes, then of the following ones, then of the levels below.
    Unit {
        level: usize,
        group: usize,
    },
    /// A leaf with itself, then the following ones.
    Leaf(usize),
    Nothing,
}

impl<const SAME: bool> Kernel for Detection<'_, SAME> {
    type Output = Result<(), MemoryError>;

    #[inline(always)]
    fn run<V: Doubles>(mut self) -> Result<(), MemoryError> {
        let [a, b] = self.sides.trees.map(Tree::level_count);
        if a == 0 || b == 0 {
            return Ok(());
        }
        self.workspace.clear();
        let mut next = if SAME {
            Next::Unit { level: a - 1, group: 0 }
        } else {
            let root = NodePair { levels: [a as u8 - 1, b as u8 - 1], boxes: [0, 0], period: Period::WHOLE };
            self.workspace.waiting.push(root)?;
            Next::Nothing
        };
        let mut before = Instant::now();
        loop {
            // Turn by turn, so that candidates are still in the cache when they are tested.
            let is_done = self.collect::<V>(&mut next)?;
            let collected = Instant::now();
            self.stats.ms_traverse += (collected - before).as_secs_f64() * 1e3;
            self.test::<V>()?;
            before = Instant::now();
            self.stats.ms_elementary += (before - collected).as_secs_f64() * 1e3;
            if is_done {
                return Ok(());
            }
        }
    }
}

impl<const SAME: bool> Detection<'_, SAME> {
    /// Collects candidates until the lists are almost full (false) or there are no more (true).
    #[inline(always)]
    fn collect<V: Doubles>(&mut self, next: &mut Next) -> Result<bool, MemoryError> {
        let distance = self.settings.min_separation;
        // Leaves may shorten the period only if the answer cannot depend on it: a list of candidates is one of boxes of features, and with a separation, pairs
        // that come within the tolerance of it may be reported or not.
        let shorten = self.mode != Mode::Candidates && distance == 0.0;
        let period = if shorten { self.contacts.period(&self.settings) } else { Period::WHOLE };
        let reach = Reach::<V::Floats>::new(distance);
        let walk = Walk { reach, period, shorten };
        let trees = self.sides.trees;
        let Workspace { waiting, vertices_faces, faces_vertices, edges_edges, .. } = &mut *self.workspace;
        let mut lists = Lists { vertices_faces, faces_vertices, edges_edges };
        let mut room = leaves::Room::EMPTY;
        while !lists.is_almost_full() {
            if let Some(pair) = waiting.pop() {
                self.stats.node_pairs += 1;
                if pair.levels == [0, 0] {
                    self.stats.leaf_pairs += 1;
                    let leaves = pair.boxes.map(|leaf| leaf as usize);
                    leaves::pair::<V::Floats, SAME>(
                        trees,
                        leaves,
                        pair.period,
                        &reach,
                        &mut room,
                        &mut lists,
                    );
                } else if pair.levels[0] == pair.levels[1] {
                    go_down_both::<V::Floats>(trees, pair, &walk, waiting)?;
                } else {
                    go_down_higher::<V::Floats>(trees, pair, &walk, waiting)?;
                }
                continue;
            }
            match *next {
                Next::Unit { level, group } => {
                    task_unit::<V::Floats>(trees[0], level, group, &walk, waiting)?;
                    *next = if (group + 1) * WIDTH < trees[0].box_count(level) {
                        Next::Unit { level, group: group + 1 }
                    } else if level > 0 {
                        Next::Unit { level: level - 1, group: 0 }
                    } else {
                        Next::Leaf(0)
                    };
                }
                Next::Leaf(leaf) => {
                    leaves::own(trees[0], leaf, &reach, &mut lists);
                    let is_last = leaf + 1 == trees[0].box_count(0);
                    *next = if is_last { Next::Nothing } else { Next::Leaf(leaf + 1) };
                }
                Next::Nothing => return Ok(true),
            }
        }
        Ok(false)
    }

    /// Decides all candidates.
    #[inline(always)]
    fn test<V: Doubles>(&mut self) -> Result<(), MemoryError> {
        let Sides { meshes: [mesh_a, mesh_b], same, .. } = self.sides;
        let Workspace { vertices_faces, faces_vertices, edges_edges, open, vertices, room, scratch, .. } =
            &mut *self.workspace;
        for list in [&mut *vertices_faces, &mut *faces_vertices, &mut *edges_edges] {
            list.pad();
        }
        self.stats.candidates_vf += (vertices_faces.len() + faces_vertices.len()) as u64;
        self.stats.candidates_ee += edges_edges.len() as u64;
        let [rank_a, rank_b] = self.ranks;
        let mut output = Output {
            settings: &self.settings,
            mode: self.mode,
            open,
            vertices,
            room,
            scratch,
            contacts: self.contacts,
            exact_tests: &mut self.stats.exact_tests,
        };
        let pairs = Pairs { meshes: [mesh_a, mesh_b], same, candidates: vertices_faces };
        output.decide::<V, VertexFace>(&pairs, [rank_a, rank_b])?;
        let pairs = Pairs { meshes: [mesh_b, mesh_a], same, candidates: faces_vertices };
        output.decide::<V, VertexFace>(&pairs, [rank_b, rank_a])?;
        let pairs = Pairs { meshes: [mesh_a, mesh_b], same, candidates: edges_edges };
        output.decide::<V, EdgeEdge>(&pairs, [rank_a, rank_b])?;
        for list in [vertices_faces, faces_vertices, edges_edges] {
            list.clear();
        }
        Ok(())
    }
}

struct Output<'a> {
    settings: &'a Settings,
    mode: Mode,
    open: &'a mut [u32; CAPACITY],
    vertices: &'a mut ChunkVertices,
    room: &'a mut Room,
    scratch: &'a mut [u64],
    contacts: &'a mut Contacts,
    exact_tests: &'a mut u64,
}

impl Output<'_> {
    #[inline(always)]
    fn decide<V: Doubles, P: PairOfFeatures>(
        &mut self,
        pairs: &Pairs<'_>,
        ranks: [u32; 2],
    ) -> Result<(), MemoryError> {
        let count = pairs.candidates.len();
        if self.mode == Mode::Candidates {
            for index in 0..count {
                self.contacts.add_candidate(ranks, P::KIND, pairs.name::<P>(index))?;
            }
            return Ok(());
        }
        if count == 0 {
            return Ok(());
        }
        let frame = Frame::new(pairs.meshes.map(Mesh::origin), pairs.meshes.map(Mesh::extent));
        // With a separation, pairs that never touch may still collide.
        let frame = frame.filter(|_| self.settings.min_separation == 0.0);
        let open_count = match &frame {
            Some(frame) => pairs.cull::<V::Singles, P>(frame, self.open),
            None => {
                for (index, place) in self.open[..count].iter_mut().enumerate() {
                    *place = index as u32;
                }
                count
            }
        };
        let mut queries = Chunk::new::<P>(pairs.meshes, self.vertices);
        let mut result = Ok(());
        for indices in self.open[..open_count].chunks(CHUNK) {
            queries.fill::<P>(pairs, indices);
            self.room.take_all(indices.len());
            let contacts = &mut *self.contacts;
            let mut report = |index: u32, impact: Impact| {
                if result.is_ok() && contacts.wants(&impact) {
                    let named = pairs.name::<P>(indices[index as usize] as usize);
                    result = contacts.add(ranks, P::KIND, named, impact);
                }
            };
            *self.exact_tests += stages::decide::<V, P, Chunk<'_>>(
                &queries,
                self.room,
                indices.len(),
                frame.is_some(),
                self.settings,
                self.scratch,
                &mut report,
            );
        }
        result
    }
}

/// How nodes are tested.
#[derive(Clone, Copy)]
struct Walk<F> {
    reach: Reach<F>,
    period: Period,
    shorten: bool,
}

impl<F: Floats8> Walk<F> {
    /// Which of the boxes in `wanted` lanes of a group meet the one, each with the period in which it does.
    #[inline(always)]
    fn meets(&self, one: &Broadcast<F>, group: &BoxGroup, wanted: u32) -> (u32, [f32; 8], [f32; 8]) {
        let meets = one.meets(group, &self.reach) & wanted;
        // The divisions are only worth it where they can change something.
        if meets == 0 || !self.shorten || one.is_apart_once(group, &self.reach) & meets == 0 {
            return (meets, [0.0; 8], [0.0; 8]);
        }
        let (before, after) = one.periods(group, &self.reach);
        let never = before.add(after).greater(F::splat(1.0));
        (meets & !never, before.to_array(), after.to_array())
    }

    /// The period of a lane, and a little more than that.
    #[inline(always)]
    fn period(&self, before: f32, after: f32) -> Period {
        let until = (1.0 - after + f32::EPSILON).min(self.period.until);
        Period { from: before, until: until.max(before) }
    }
}

/// The pairs of the boxes of one group that meet.
#[inline(always)]
fn task_unit<F: Floats8>(
    tree: &Tree,
    level: usize,
    group: usize,
    walk: &Walk<F>,
    waiting: &mut Buffer<NodePair>,
) -> Result<(), MemoryError> {
    let boxes = tree.group(level, group);
    let valid = tree.lanes(level, group);
    for child in 0..WIDTH {
        let later = !1 << child;
        let (mut meets, before, after) = walk.meets(&boxes.broadcast::<F>(child), boxes, valid & later);
        while meets != 0 {
            let other = meets.trailing_zeros() as usize;
            meets &= meets - 1;
            let boxes = [child, other].map(|child| (group * WIDTH + child) as u32);
            let period = walk.period(before[other], after[other]);
            waiting.push(NodePair { levels: [level as u8; 2], boxes, period })?;
        }
    }
    Ok(())
}

/// The pairs of children of two boxes of one level that meet.
#[inline(always)]
fn go_down_both<F: Floats8>(
    trees: [&Tree; 2],
    pair: NodePair,
    walk: &Walk<F>,
    waiting: &mut Buffer<NodePair>,
) -> Result<(), MemoryError> {
    let below = pair.levels[0] as usize - 1;
    let [a, b] = pair.boxes.map(|number| number as usize);
    let (group_a, group_b) = (trees[0].group(below, a), trees[1].group(below, b));
    let reach = &walk.reach;
    let mut near_b = around::<F>(trees[1], below + 1, b).meets(group_a, reach) & trees[0].lanes(below, a);
    let near_a = around::<F>(trees[0], below + 1, a).meets(group_b, reach) & trees[1].lanes(below, b);
    while near_b != 0 {
        let child = near_b.trailing_zeros() as usize;
        near_b &= near_b - 1;
        let (mut meets, before, after) = walk.meets(&group_a.broadcast::<F>(child), group_b, near_a);
        while meets != 0 {
            let other = meets.trailing_zeros() as usize;
            meets &= meets - 1;
            let boxes = [(a * WIDTH + child) as u32, (b * WIDTH + other) as u32];
            let period = walk.period(before[other], after[other]);
            waiting.push(NodePair { levels: [below as u8; 2], boxes, period })?;
        }
    }
    Ok(())
}

/// The children of the box of the higher level that meet the other box.
#[inline(always)]
fn go_down_higher<F: Floats8>(
    trees: [&Tree; 2],
    pair: NodePair,
    walk: &Walk<F>,
    waiting: &mut Buffer<NodePair>,
) -> Result<(), MemoryError> {
    let higher = usize::from(pair.levels[1] > pair.levels[0]);
    let lower = 1 - higher;
    let (below, parent) = (pair.levels[higher] as usize - 1, pair.boxes[higher] as usize);
    let other = around::<F>(trees[lower], pair.levels[lower] as usize, pair.boxes[lower] as usize);
    let valid = trees[higher].lanes(below, parent);
    let (mut meets, before, after) = walk.meets(&other, trees[higher].group(below, parent), valid);
    while meets != 0 {
        let child = meets.trailing_zeros() as usize;
        meets &= meets - 1;
        let mut pair = pair;
        pair.levels[higher] = below as u8;
        pair.boxes[higher] = (parent * WIDTH + child) as u32;
        pair.period = walk.period(before[child], after[child]);
        waiting.push(pair)?;
    }
    Ok(())
}

#[inline(always)]
fn around<F: Floats8>(tree: &Tree, level: usize, number: usize) -> Broadcast<F> {
    tree.group(level, number / WIDTH).broadcast::<F>(number % WIDTH)
}
