//! One worker: what it keeps for itself, and how it does a unit of work.

use super::contacts::{AT_START, Contact, Earliest, Findings, Spare};
use super::detection::{Detection, Helpers, Job, Workspace};
use super::features::{Chunk, ChunkVertices, PairOfFeatures, Sides};
use super::order::{Key, Order};
use super::query::{Mode, QuerySettings};
use super::stats::WorkerStats;
use super::traverse::NodePair;
use super::unit::{Node, Task, Work};
use crate::bvh::{self, ContourRoom, Rebuild, Restructuring, TreeAccess, WIDTH};
use crate::elementary::describe::{Collisions, describe};
use crate::elementary::edge_edge::EdgeEdge;
use crate::elementary::stages::CHUNK;
use crate::elementary::vertex_face::VertexFace;
use crate::elementary::{Hit, Kind, Settings};
use crate::memory::{Buffer, Memory, MemoryError, Owned};
use crate::mesh::Mesh;
use crate::schedule::{Seat, UnitRecord};
use crate::simd::{self, Doubles, Kernel, Level};
use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::time::Instant;

/// A body during a run.
pub struct BodyAccess<'a> {
    pub id: u64,
    pub mesh: &'a Mesh,
    pub tree: TreeAccess<'a>,
    /// Whether the mesh has moved.
    pub is_behind: bool,
    pub refit: BodyRefit,
    /// Whether parts of it are excluded from tests with themselves; boxes of this level are looked at one by one.
    pub culls: bool,
    pub cull_level: usize,
}

/// How a body that has moved is refitted.
#[derive(Clone, Copy)]
pub enum BodyRefit {
    /// At once, by one worker.
    Whole,
    /// First its vertices, then what is below the boxes of this level, one by one.
    Below(usize),
}

/// What all workers read during a phase.
pub struct Scene<'a> {
    pub level: Level,
    pub settings: QuerySettings,
    pub bodies: &'a [BodyAccess<'a>],
    /// When nodes are rebuilt.
    pub restructuring: Restructuring,
    pub order: &'a Order,
    /// Of a worker. Only while nobody finds anything.
    pub findings: &'a dyn Fn(u32) -> &'a Findings,
    pub spare: &'a Spare,
    pub sorted: *mut Contact,
    /// How many contacts are kept.
    pub kept: usize,
    pub earliest: &'a Earliest,
}

/// What a worker keeps for itself.
pub struct Worker {
    workspace: Workspace,
    rebuild: bvh::Workspace,
    contour: ContourRoom,
    vertices: Owned<ChunkVertices>,
    collisions: Owned<Collisions>,
    pub stats: WorkerStats,
    pub records: Buffer<UnitRecord>,
    /// The bodies that waiting candidates are of.
    bodies: [u32; 2],
    /// Units that it has given a number.
    pub numbered: u32,
}

impl Worker {
    pub fn new(memory: &Memory) -> Result<Worker, MemoryError> {
        Ok(Worker {
            workspace: Workspace::new(memory)?,
            rebuild: bvh::Workspace::new(memory),
            contour: ContourRoom::new(memory),
            vertices: Owned::new(memory.clone(), [[0; 4]; CHUNK])?,
            collisions: Owned::new(memory.clone(), Collisions::EMPTY)?,
            stats: WorkerStats::default(),
            records: Buffer::new(memory.clone()),
            bodies: [0; 2],
            numbered: 0,
        })
    }

    pub fn start(&mut self) {
        self.workspace.clear();
        self.stats = WorkerStats::default();
        self.records.clear();
        self.numbered = 0;
    }

    /// Does a unit of work. Candidates may be left.
    pub fn process<S: Seat<Work>>(
        &mut self,
        scene: &Scene<'_>,
        seat: &mut Place<'_, '_, S>,
        findings: &UnsafeCell<Findings>,
        work: &Work,
    ) -> Result<(), MemoryError> {
        match work.task {
            Task::Vertices { body, first, end } => {
                // SAFETY: in this phase vertices are refitted, everyone once, and nothing else is done.
                unsafe { scene.body(body).tree.refit_vertices(first as usize..end as usize) };
                Ok(())
            }
            Task::Refit(Node { body, level, number }) => {
                // SAFETY: in this phase boxes of one level are refitted, everyone once, and nothing else is done; vertices were before.
                unsafe { scene.body(body).tree.refit_below(level as usize, number as usize) };
                Ok(())
            }
            Task::RefitWhole { body } => {
                // SAFETY: in this phase bodies are refitted by one worker each, or in parts, and nothing else is done.
                unsafe { scene.body(body).tree.refit() };
                Ok(())
            }
            Task::Rebuild { node, lowest } => {
                // SAFETY: in this phase units are of nodes that are not above one another, and nothing else is done.
                let rebuilt = unsafe { self.rebuild_if_bad(scene, node) };
                if rebuilt || node.level <= lowest.max(1) {
                    return Ok(());
                }
                for_children(scene, node, |child| seat.push(work, Task::Rebuild { node: child, lowest }))
            }
            Task::Cull(Node { body, level, number }) => {
                let (tree, culling) = (&scene.body(body).tree, scene.settings.culling);
                // SAFETY: in this phase boxes of one level are looked at, everyone once, and nothing else is done.
                unsafe { tree.cull_below(culling, level as usize, number as usize, &mut self.contour) }
            }
            Task::Own { node, may_rebuild } => {
                self.process_own(scene, seat, findings, work, node, may_rebuild)
            }
            Task::Pair { bodies, pair } => self.detect(scene, seat, findings, work, bodies, Job::Pair(pair)),
            Task::Count { piece } => {
                let findings = (scene.findings)(scene.order.worker_of(piece as usize));
                // SAFETY: in this phase every piece is counted once.
                unsafe { scene.order.count_piece(piece as usize, findings, scene.earliest) };
                Ok(())
            }
            Task::Scatter { piece } => {
                let findings = (scene.findings)(scene.order.worker_of(piece as usize));
                // SAFETY: in this phase every piece is scattered once.
                unsafe { scene.order.scatter_piece(piece as usize, findings, scene.earliest) };
                Ok(())
            }
            Task::Describe { first, end } => {
                // SAFETY: in this phase every bucket is sorted and described once.
                unsafe { self.describe(scene, first..end) };
                Ok(())
            }
        }
    }

    /// The self-CD task unit of a node, and then those of its children.
    fn process_own<S: Seat<Work>>(
        &mut self,
        scene: &Scene<'_>,
        seat: &mut Place<'_, '_, S>,
        findings: &UnsafeCell<Findings>,
        work: &Work,
        node: Node,
        may_rebuild: bool,
    ) -> Result<(), MemoryError> {
        if may_rebuild {
            // SAFETY: `may_rebuild` means that all below the node is this worker's alone: nodes that units are of are not above one another, and of the unit that this one
            // came out of no pairs were given away.
            unsafe { self.rebuild_if_bad(scene, node) };
        }
        let job = Job::Own { level: node.level as usize, number: node.number as usize };
        seat.has_given = false;
        self.detect(scene, seat, findings, work, [node.body; 2], job)?;
        let may_rebuild = may_rebuild && !seat.has_given;
        if node.level < 2 {
            return Ok(());
        }
        for_children(scene, node, |child| {
            if scene.is_culled(child) {
                return Ok(());
            }
            seat.push(work, Task::Own { node: child, may_rebuild })
        })
    }

    /// Whether the node was bad, and now is as good as new.
    ///
    /// # Safety
    ///
    /// Nobody else reads or writes anything below the node.
    unsafe fn rebuild_if_bad(&mut self, scene: &Scene<'_>, node: Node) -> bool {
        let tree = &scene.body(node.body).tree;
        let (level, number) = (node.level as usize, node.number as usize);
        if !tree.is_bad(level, number, &scene.restructuring) {
            return false;
        }
        let began = Instant::now();
        // SAFETY: promised by the caller. Candidates that wait do not refer to the tree.
        let done = unsafe { tree.rebuild_below(level, number, &mut self.rebuild) } == Rebuild::Done;
        self.stats.node_rebuilds += u64::from(done);
        self.stats.ms_rebuild += began.elapsed().as_secs_f64() * 1e3;
        done
    }

    fn detect<S: Seat<Work>>(
        &mut self,
        scene: &Scene<'_>,
        seat: &mut Place<'_, '_, S>,
        findings: &UnsafeCell<Findings>,
        work: &Work,
        bodies: [u32; 2],
        job: Job,
    ) -> Result<(), MemoryError> {
        if bodies != self.bodies {
            self.test_candidates(scene, findings)?;
            self.bodies = bodies;
        }
        let mut helpers = SeatHelpers { seat, work, bodies };
        self.dispatch(scene, job, findings, &mut helpers)
    }

    /// Tests the candidates that are left.
    pub fn test_candidates(
        &mut self,
        scene: &Scene<'_>,
        findings: &UnsafeCell<Findings>,
    ) -> Result<(), MemoryError> {
        if !self.workspace.has_candidates() {
            return Ok(());
        }
        self.dispatch(scene, Job::Test, findings, &mut Nobody)
    }

    fn dispatch(
        &mut self,
        scene: &Scene<'_>,
        job: Job,
        findings: &UnsafeCell<Findings>,
        helpers: &mut dyn Helpers,
    ) -> Result<(), MemoryError> {
        let [a, b] = self.bodies.map(|body| scene.body(body));
        let same = self.bodies[0] == self.bodies[1];
        let sides = Sides { trees: [&a.tree, &b.tree], meshes: [a.mesh, b.mesh], same };
        let culls = a.culls;
        let (ranks, settings, mode) = (self.bodies, scene.settings_of(self.bodies), scene.settings.mode);
        let Worker { workspace, stats, .. } = self;
        // SAFETY: these are the worker's own, and nobody sorts yet.
        let found = unsafe { &mut *findings.get() };
        let (spare, earliest, packing) = (scene.spare, scene.earliest, scene.order.packing());
        let detection = Detection {
            job,
            sides,
            culls,
            ranks,
            settings,
            mode,
            workspace,
            found,
            spare,
            packing,
            earliest,
            stats,
            helpers,
        };
        simd::dispatch(scene.level, detection)
    }

    /// Sorts some buckets and writes their contacts, with weights and normals, to where they belong.
    ///
    /// # Safety
    ///
    /// Nobody else does the same buckets.
    unsafe fn describe(&mut self, scene: &Scene<'_>, buckets: std::ops::Range<u32>) {
        let begin = scene.order.begin_of(buckets.start as usize);
        // SAFETY: promised by the caller.
        let all = unsafe { scene.order.sort_buckets(buckets) };
        let all = &all[..all.len().min(scene.kept - begin)];
        let mut start = 0;
        // those of one kind and two meshes together
        for keys in all.chunk_by(|a, b| scene.order.are_alike(a, b)) {
            let (ranks, kind) = scene.order.meshes_and_kind(&keys[0]);
            // SAFETY: these places of the array, which has room for all that is kept, are the caller's.
            let place = unsafe { scene.sorted.add(begin + start) };
            let Worker { vertices, collisions, .. } = self;
            let alike = Alike { scene, keys, following: &all[start..], ranks, place, vertices, collisions };
            match kind {
                Kind::VertexFace => {
                    self.stats.contacts_vf += keys.len() as u64;
                    simd::dispatch(scene.level, Describe::<VertexFace>(alike, PhantomData));
                }
                Kind::EdgeEdge => {
                    self.stats.contacts_ee += keys.len() as u64;
                    simd::dispatch(scene.level, Describe::<EdgeEdge>(alike, PhantomData));
                }
            }
            start += keys.len();
        }
    }
}

impl<'a> Scene<'a> {
    pub fn body(&self, body: u32) -> &'a BodyAccess<'a> {
        &self.bodies[body as usize]
    }

    /// The settings with the separation at which two bodies collide.
    pub fn settings_of(&self, bodies: [u32; 2]) -> Settings {
        let [a, b] = bodies.map(|body| self.body(body).mesh.settings.thickness);
        let mut settings = self.settings.elementary;
        settings.min_separation += a + b;
        settings
    }

    /// Whether a box needs no test with itself, given that those above it do.
    pub fn is_culled(&self, node: Node) -> bool {
        let body = self.body(node.body);
        body.culls && body.tree.is_culled(node.level as usize, node.number as usize)
    }

    /// Triangles below a box, but for the last one of a level, which may have fewer.
    pub fn weight(&self, node: Node) -> u64 {
        (WIDTH * self.body(node.body).tree.leaves_below(node.level as usize, node.number as usize).len())
            as u64
    }
}

fn for_children(
    scene: &Scene<'_>,
    node: Node,
    mut act: impl FnMut(Node) -> Result<(), MemoryError>,
) -> Result<(), MemoryError> {
    let Node { body, level, number } = node;
    let first = number * WIDTH as u32;
    let end = (first + WIDTH as u32).min(scene.body(body).tree.box_count(level as usize - 1) as u32);
    (first..end).try_for_each(|number| act(Node { body, level: level - 1, number }))
}

/// A worker's seat, and what it pushes there.
pub struct Place<'a, 's, S> {
    pub seat: &'a mut S,
    pub scene: &'a Scene<'s>,
    /// Gives a unit the next number.
    pub next_number: &'a mut dyn FnMut() -> u32,
    pub is_stopped: &'a dyn Fn() -> bool,
    /// Whether pairs of the unit in work were given away.
    pub has_given: bool,
}

impl<S: Seat<Work>> Place<'_, '_, S> {
    fn push(&mut self, parent: &Work, task: Task) -> Result<(), MemoryError> {
        let weight = match task {
            Task::Own { node, .. } | Task::Rebuild { node, .. } => self.scene.weight(node),
            Task::Pair { bodies, pair } => pair_weight(self.scene, bodies, &pair),
            _ => 1,
        };
        let number = (self.next_number)();
        self.seat.push(Work { task, weight, number, parent: parent.number })
    }
}

/// Triangles below both boxes.
pub fn pair_weight(scene: &Scene<'_>, bodies: [u32; 2], pair: &NodePair) -> u64 {
    let weight = |side: usize| {
        scene.weight(Node { body: bodies[side], level: pair.levels[side], number: pair.boxes[side] })
    };
    weight(0) + weight(1)
}

struct SeatHelpers<'a, 'b, 's, S> {
    seat: &'a mut Place<'b, 's, S>,
    work: &'a Work,
    bodies: [u32; 2],
}

impl<S: Seat<Work>> Helpers for SeatHelpers<'_, '_, '_, S> {
    fn want_work(&self) -> bool {
        self.seat.seat.asked()
    }

    fn give(&mut self, pairs: &[NodePair]) -> Result<bool, MemoryError> {
        // Other units first: their nodes have nothing to do with the one in work.
        let are_needed = self.seat.seat.queued() == 0;
        if are_needed {
            self.seat.has_given = true;
            for &pair in pairs {
                self.seat.push(self.work, Task::Pair { bodies: self.bodies, pair })?;
            }
        }
        self.seat.seat.share();
        Ok(are_needed)
    }

    fn is_stopped(&self) -> bool {
        (self.seat.is_stopped)()
    }
}

/// For work that is not shared.
struct Nobody;

impl Helpers for Nobody {
    fn want_work(&self) -> bool {
        false
    }

    fn give(&mut self, _: &[NodePair]) -> Result<bool, MemoryError> {
        Ok(false)
    }

    fn is_stopped(&self) -> bool {
        false
    }
}

/// Contacts of one kind between two meshes, in their order, and where they go.
struct Alike<'a, 's> {
    scene: &'a Scene<'s>,
    keys: &'a [Key],
    /// These and all that come after them.
    following: &'a [Key],
    ranks: [u32; 2],
    place: *mut Contact,
    vertices: &'a mut ChunkVertices,
    collisions: &'a mut Collisions,
}

/// By how many contacts what was found is fetched ahead: it is spread over all of the memory that holds it.
const AHEAD: usize = 32;

struct Describe<'a, 's, P>(Alike<'a, 's>, PhantomData<P>);

impl<P: PairOfFeatures> Kernel for Describe<'_, '_, P> {
    type Output = ();

    #[inline(always)]
    fn run<V: Doubles>(self) {
        let Alike { scene, keys, following, ranks, place, vertices, collisions } = self.0;
        let bodies = [scene.body(ranks[0]), scene.body(ranks[1])];
        let meshes = [bodies[0].mesh, bodies[1].mesh];
        let features = meshes.map(Mesh::features);
        // SAFETY: keys of this run.
        let found = |key: &Key| unsafe { key.found() };
        let write = |index: usize, hit: &Hit| {
            let pair = &found(&keys[index]).pair;
            let contact = Contact {
                mesh_a: bodies[0].id,
                mesh_b: bodies[1].id,
                kind: P::KIND,
                flags: if hit.at_start { AT_START } else { 0 },
                vertices: pair.vertices,
                triangles: P::triangles(features, pair),
                toi_lower: hit.toi_lower,
                toi_upper: hit.toi_upper,
                weights: hit.weights,
                normal: hit.normal,
            };
            // SAFETY: there is a place for every key.
            unsafe { place.add(index).write(contact) };
        };
        if scene.settings.mode == Mode::Candidates {
            let hit =
                Hit { at_start: false, toi_lower: 0.0, toi_upper: 1.0, weights: [0.0; 4], normal: [0.0; 3] };
            for index in 0..keys.len() {
                write(index, &hit);
            }
            return;
        }
        let separation = scene.settings_of(ranks).min_separation;
        let mut queries = Chunk::new::<P>(meshes, vertices);
        for (first, chunk) in (0..).step_by(CHUNK).zip(keys.chunks(CHUNK)) {
            collisions.clear();
            for (i, key) in chunk.iter().enumerate() {
                if let Some(later) = following.get(first + i + AHEAD) {
                    simd::prefetch(found(later));
                }
                // Where it goes.
                simd::prefetch(place.wrapping_add(first + i));
                let found = found(key);
                P::prefetch(features, &found.pair);
                queries.prefetch(found.pair.vertices);
                queries.set(i, found.pair.vertices);
                collisions.push(i as u32, found.impact);
            }
            let report = |i: usize, hit: &Hit| write(first + i, hit);
            describe::<V, P, Chunk<'_>>(&queries, collisions.as_slice(), separation, report);
        }
    }
}
