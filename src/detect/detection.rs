//! A unit of work on one or two trees: down the hierarchies to leaves, to candidates, to elementary tests.

use super::candidates::{CAPACITY, Candidates};
use super::contacts::{Earliest, Findings, Spare};
use super::features::{Chunk, ChunkVertices, Culled, PairOfFeatures, Pairs, Sides};
use super::leaves::{self, Lists};
use super::packing::Packing;
use super::query::Mode;
use super::stats::WorkerStats;
use super::traverse::{self, NodePair, Walk};
use crate::elementary::batch::SCRATCH_LIMBS;
use crate::elementary::edge_edge::EdgeEdge;
use crate::elementary::filter::Frame;
use crate::elementary::stages::{self, CHUNK, Room};
use crate::elementary::vertex_face::VertexFace;
use crate::elementary::{Impact, Settings};
use crate::memory::{Buffer, Memory, MemoryError, Owned};
use crate::mesh::Mesh;
use crate::simd::{Doubles, Kernel};
use std::time::Instant;

/// The working memory of a worker.
pub struct Workspace {
    waiting: Buffer<NodePair>,
    vertices_faces: Candidates,
    faces_vertices: Candidates,
    edges_edges: Candidates,
    leaves: Owned<leaves::Room>,
    culled: Owned<Culled>,
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
            leaves: Owned::new(memory.clone(), leaves::Room::EMPTY)?,
            culled: Owned::new(memory.clone(), Culled { open: [0; CAPACITY], touching: [0; CAPACITY] })?,
            vertices: Owned::new(memory.clone(), [[0; 4]; CHUNK])?,
            room: Owned::new(memory.clone(), Room::new())?,
            scratch,
        })
    }

    /// Forgets what a run that was stopped has left.
    pub fn clear(&mut self) {
        self.waiting.clear();
        for list in [&mut self.vertices_faces, &mut self.faces_vertices, &mut self.edges_edges] {
            list.clear();
        }
    }

    /// Whether there are candidates that wait for their tests.
    pub fn has_candidates(&self) -> bool {
        self.vertices_faces.len() + self.faces_vertices.len() + self.edges_edges.len() > 0
    }
}

/// What to do.
#[derive(Clone, Copy)]
pub enum Job {
    /// All pairs of the children of a box; of a leaf, or of one above leaves, also those within leaves.
    Own {
        level: usize,
        number: usize,
    },
    Pair(NodePair),
    /// Only the tests of candidates that are left from before.
    Test,
}

/// To whom pairs can be given in the middle of a unit.
pub trait Helpers {
    /// Whether somebody has nothing to do.
    fn want_work(&self) -> bool;

    /// Gives pairs away, unless there is something better to give. Whether they are gone.
    fn give(&mut self, pairs: &[NodePair]) -> Result<bool, MemoryError>;

    /// Whether the run is to end.
    fn is_stopped(&self) -> bool;
}

/// Two sides to be tested against each other. Candidates that do not fill the lists stay there for the next unit of the same meshes.
pub struct Detection<'a> {
    pub job: Job,
    pub sides: Sides<'a>,
    /// Whether leaves may have been excluded from tests with themselves.
    pub culls: bool,
    /// The places of both meshes in the hierarchy: what contacts are sorted by.
    pub ranks: [u32; 2],
    /// With the separation that holds for these two.
    pub settings: Settings,
    pub mode: Mode,
    pub workspace: &'a mut Workspace,
    pub found: &'a mut Findings,
    pub spare: &'a Spare,
    pub packing: &'a Packing,
    pub earliest: &'a Earliest,
    pub stats: &'a mut WorkerStats,
    pub helpers: &'a mut dyn Helpers,
}

/// Pairs of nodes between two looks at who wants work: some tenths of a millisecond.
const PATIENCE: usize = 512;

/// Fewer pairs are not worth giving away.
const FEWEST_PAIRS: usize = 4;

impl Kernel for Detection<'_> {
    type Output = Result<(), MemoryError>;

    #[inline(always)]
    fn run<V: Doubles>(mut self) -> Result<(), MemoryError> {
        if matches!(self.job, Job::Test) {
            return self.timed_test::<V>();
        }
        let mut own_leaves = 0..0;
        match self.job {
            Job::Own { level: 0, number } => own_leaves = number..number + 1,
            Job::Own { level, number } => {
                traverse::task_unit::<V::Floats>(
                    self.sides.trees[0],
                    level - 1,
                    number,
                    &self.walk::<V>(),
                    &mut self.workspace.waiting,
                )?;
                if level == 1 {
                    own_leaves = self.sides.trees[0].leaves_below(1, number);
                }
            }
            Job::Pair(pair) => self.workspace.waiting.push(pair)?,
            Job::Test => {}
        }
        loop {
            // Turn by turn, so that candidates are still in the cache when they are tested.
            let (is_done, is_full) = self.collect::<V>(&mut own_leaves)?;
            if is_full {
                self.timed_test::<V>()?;
            }
            if is_done || self.helpers.is_stopped() {
                return Ok(());
            }
            self.give_away()?;
        }
    }
}

impl Detection<'_> {
    #[inline(always)]
    fn walk<V: Doubles>(&self) -> Walk<V::Floats> {
        Walk::new(&self.settings, self.mode, self.earliest)
    }

    /// Collects candidates. Tells whether there are no more, and whether the lists are almost full; if neither, it is time to look around.
    #[inline(always)]
    fn collect<V: Doubles>(
        &mut self,
        own_leaves: &mut std::ops::Range<usize>,
    ) -> Result<(bool, bool), MemoryError> {
        let walk = self.walk::<V>();
        let Sides { trees, same, .. } = self.sides;
        let Workspace { waiting, vertices_faces, faces_vertices, edges_edges, leaves: room, .. } =
            &mut *self.workspace;
        let mut lists = Lists { vertices_faces, faces_vertices, edges_edges };
        for _ in 0..PATIENCE {
            if lists.is_almost_full() {
                return Ok((false, true));
            }
            if let Some(pair) = waiting.pop() {
                if !walk.wants(&pair) {
                    continue;
                }
                self.stats.node_pairs += 1;
                if pair.levels == [0, 0] {
                    self.stats.leaf_pairs += 1;
                    let leaves = pair.boxes.map(|leaf| leaf as usize);
                    let (period, reach) = (pair.period, &walk.reach);
                    if let Some(NodePair { levels: [0, 0], boxes, .. }) = waiting.last() {
                        // It is the next one, and leaves are large: half of the time would be spent waiting for them.
                        for (tree, &leaf) in trees.iter().zip(boxes) {
                            tree.prefetch_leaf(leaf as usize);
                        }
                    }
                    if same {
                        leaves::pair::<V::Floats, true>(trees, leaves, period, reach, room, &mut lists);
                    } else {
                        leaves::pair::<V::Floats, false>(trees, leaves, period, reach, room, &mut lists);
                    }
                } else if pair.levels[0] == pair.levels[1] {
                    traverse::go_down_both::<V::Floats>(trees, pair, &walk, waiting)?;
                } else {
                    traverse::go_down_higher::<V::Floats>(trees, pair, &walk, waiting)?;
                }
            } else if let Some(leaf) = own_leaves.next() {
                if !self.culls || !trees[0].is_culled(0, leaf) {
                    leaves::own(trees[0], leaf, &walk.reach, &mut lists);
                }
            } else {
                return Ok((true, lists.is_almost_full()));
            }
        }
        Ok((false, false))
    }

    /// The last long unit must not leave others idle: the pairs that have waited longest, which are the highest ones, go to whoever asks.
    fn give_away(&mut self) -> Result<(), MemoryError> {
        let waiting = &mut self.workspace.waiting;
        if waiting.len() >= FEWEST_PAIRS && self.helpers.want_work() {
            let half = waiting.len() / 2;
            if self.helpers.give(&waiting[..half])? {
                waiting.rotate_left(half);
                waiting.truncate(waiting.len() - half);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn timed_test<V: Doubles>(&mut self) -> Result<(), MemoryError> {
        let before = Instant::now();
        self.test::<V>()?;
        self.stats.ms_elementary += before.elapsed().as_secs_f64() * 1e3;
        Ok(())
    }

    /// Decides all candidates.
    #[inline(always)]
    fn test<V: Doubles>(&mut self) -> Result<(), MemoryError> {
        let Sides { meshes: [mesh_a, mesh_b], same, .. } = self.sides;
        let Workspace {
            vertices_faces, faces_vertices, edges_edges, culled, vertices, room, scratch, ..
        } = &mut *self.workspace;
        for list in [&mut *vertices_faces, &mut *faces_vertices, &mut *edges_edges] {
            list.pad();
        }
        if same {
            edges_edges.order_features();
        }
        self.stats.candidates_vf += (vertices_faces.len() + faces_vertices.len()) as u64;
        self.stats.candidates_ee += edges_edges.len() as u64;
        let [rank_a, rank_b] = self.ranks;
        let mut output = Output {
            settings: &self.settings,
            mode: self.mode,
            culled,
            vertices,
            room,
            scratch,
            found: self.found,
            spare: self.spare,
            packing: self.packing,
            earliest: self.earliest,
            exact_tests: &mut self.stats.exact_tests,
        };
        for (meshes, ranks, candidates) in [
            ([mesh_a, mesh_b], [rank_a, rank_b], &*vertices_faces),
            ([mesh_b, mesh_a], [rank_b, rank_a], &*faces_vertices),
        ] {
            output.decide::<V, VertexFace>(&Pairs { meshes, candidates }, ranks)?;
        }
        let pairs = Pairs { meshes: [mesh_a, mesh_b], candidates: edges_edges };
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
    culled: &'a mut Culled,
    vertices: &'a mut ChunkVertices,
    room: &'a mut Room,
    scratch: &'a mut [u64],
    found: &'a mut Findings,
    spare: &'a Spare,
    packing: &'a Packing,
    earliest: &'a Earliest,
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
        if count == 0 {
            return Ok(());
        }
        let frame = Frame::new(pairs.meshes.map(Mesh::origin), pairs.meshes.map(Mesh::extent));
        // With a separation, pairs that never touch may still collide.
        let frame = frame.filter(|_| self.settings.min_separation == 0.0);
        let (open_count, touching_count) = match &frame {
            Some(frame) => pairs.cull::<V::Singles, P>(frame, self.culled),
            None => {
                for (index, place) in self.culled.open[..count].iter_mut().enumerate() {
                    *place = index as u32;
                }
                (count, 0)
            }
        };
        let packer = &self.packing.of(ranks, P::KIND);
        let (open, touching) = (&self.culled.open[..open_count], &self.culled.touching[..touching_count]);
        if self.mode == Mode::Candidates {
            for &index in open.iter().chain(touching) {
                self.found.add_candidate(self.spare, packer, pairs.name(index as usize))?;
            }
            return Ok(());
        }
        for &index in touching {
            if self.earliest.wants(&Impact::AT_START) {
                self.found.add(self.spare, packer, pairs.name(index as usize), Impact::AT_START)?;
            }
        }
        let mut queries = Chunk::new::<P>(pairs.meshes, self.vertices);
        let mut result = Ok(());
        for indices in open.chunks(CHUNK) {
            queries.fill(pairs, indices);
            self.room.take_all(indices.len());
            let (found, spare, earliest) = (&mut *self.found, self.spare, self.earliest);
            let mut report = |index: u32, impact: Impact| {
                if result.is_ok() && earliest.wants(&impact) {
                    let named = pairs.name(indices[index as usize] as usize);
                    result = found.add(spare, packer, named, impact);
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
