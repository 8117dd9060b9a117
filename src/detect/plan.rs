//! What the phases of a run consist of: found out by one worker between them.

use super::contacts::{Contact, Earliest, Findings, Spare};
use super::order::Order;
use super::query::{Mode, QuerySettings};
use super::traverse::{self, NodePair, Walk};
use super::unit::{Node, Task, Work};
use super::worker::{BodyAccess, BodyRefit, Scene, pair_weight};
use crate::bvh::{Bvh, ContourRoom, Culling, MovingBox, Period, Reach, Restructuring, WIDTH};
use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::Mesh;
use crate::simd::{self, Doubles, Kernel, Level};
use std::time::Instant;

pub const VERTICES: usize = 0;
pub const REFIT: usize = 1;
pub const REBUILD: usize = 2;
pub const CULL: usize = 3;
pub const LOW: usize = 4;
pub const HIGH: usize = 5;
pub const COUNT: usize = 6;
pub const SCATTER: usize = 7;
pub const DESCRIBE: usize = 8;
pub const PHASES: usize = 9;

/// Vertices of a unit.
const VERTICES_OF_UNIT: usize = 1 << 12;

/// Pairs for each worker that are looked for before these are dealt out: their work differs a lot, and some more even it out.
const PAIRS_OF_WORKER: usize = 16;

/// By how many bodies their trees and meshes are fetched ahead: these are anywhere.
const AHEAD: usize = 4;

/// What is changed between phases only.
pub struct Plan {
    pub level: Level,
    pub settings: QuerySettings,
    pub bvh: *mut Bvh,
    pub meshes: Buffer<*const Mesh>,
    pub bodies: Buffer<BodyAccess<'static>>,
    /// Expanded and unexpanded nodes of the breadth-first traversal: high-level nodes, and the front.
    pub high: Buffer<Node>,
    pub front: Buffer<Node>,
    pub pairs: Buffer<([u32; 2], NodePair)>,
    /// Places of bodies whose boxes meet, both in one number.
    meetings: Buffer<u64>,
    pub children: Buffer<NodePair>,
    pub units: Buffer<(usize, Work)>,
    contour: ContourRoom,
    pub culled_triangles: usize,
    pub order: Order,
    pub spare: Spare,
    pub sorted: Buffer<Contact>,
    pub count: usize,
    pub kept: usize,
    pub clock: Clock,
}

/// When phases began and ended.
pub struct Clock {
    pub started: Instant,
    pub phase_started: Instant,
    pub ms: [f64; PHASES],
    pub ms_serial: f64,
    pub is_recording: bool,
}

impl Plan {
    pub fn new(memory: &Memory) -> Plan {
        let now = Instant::now();
        Plan {
            level: Level::Scalar,
            settings: QuerySettings::default(),
            bvh: std::ptr::null_mut(),
            meshes: Buffer::new(memory.clone()),
            bodies: Buffer::new(memory.clone()),
            high: Buffer::new(memory.clone()),
            front: Buffer::new(memory.clone()),
            pairs: Buffer::new(memory.clone()),
            meetings: Buffer::new(memory.clone()),
            children: Buffer::new(memory.clone()),
            units: Buffer::new(memory.clone()),
            contour: ContourRoom::new(memory),
            culled_triangles: 0,
            order: Order::new(memory),
            spare: Spare::new(memory),
            sorted: Buffer::new(memory.clone()),
            count: 0,
            kept: 0,
            clock: Clock {
                started: now,
                phase_started: now,
                ms: [0.0; PHASES],
                ms_serial: 0.0,
                is_recording: false,
            },
        }
    }

    pub fn scene<'a>(
        &'a self,
        earliest: &'a Earliest,
        findings: &'a dyn Fn(u32) -> &'a Findings,
    ) -> Scene<'a> {
        Scene {
            level: self.level,
            settings: self.settings,
            bodies: &self.bodies,
            restructuring: self.restructuring(),
            order: &self.order,
            findings,
            spare: &self.spare,
            // room was made before the phase
            sorted: self.sorted.start(),
            kept: self.kept,
            earliest,
        }
    }

    fn bvh(&mut self) -> &mut Bvh {
        // SAFETY: `prepare` was promised that it lives, and nobody else uses it between phases.
        unsafe { &mut *self.bvh }
    }

    fn restructuring(&self) -> Restructuring {
        // SAFETY: it does not change during a run.
        unsafe { (*self.bvh).restructuring() }
    }

    /// Takes the trees from the hierarchy anew, which may have changed them.
    fn access_bodies(&mut self) -> Result<(), MemoryError> {
        self.bodies.clear();
        // SAFETY: `prepare` was promised that the hierarchy and its meshes live until the end of the run, and that nobody else uses them; references for so long are not given to anybody else.
        let (mut bodies, level) = unsafe { ((*self.bvh).bodies_mut(), self.level) };
        for place in 0..self.meshes.len() {
            let Some((body, rest)) = bodies.split_first_mut() else { break };
            bodies = rest;
            if let (Some(body), Some(&mesh)) = (bodies.get(AHEAD), self.meshes.get(place + 1 + AHEAD)) {
                simd::prefetch(std::ptr::from_ref(&*body.tree));
                simd::prefetch(mesh);
            }
            // SAFETY: as above.
            let mesh = unsafe { &*self.meshes[place] };
            let is_behind = body.is_behind(mesh);
            let (id, tree) = (body.id, body.tree.shared(level, mesh));
            let refit = BodyRefit::Whole;
            let access = BodyAccess { id, mesh, tree, is_behind, refit, culls: false, cull_level: 0 };
            self.bodies.push(access)?;
        }
        Ok(())
    }

    fn unit(&mut self, task: Task, weight: u64) -> Result<(), MemoryError> {
        // Whom it is dealt to is decided when all are there.
        self.units.push((0, Work::new(task, weight)))
    }

    pub fn find_moved_vertices(&mut self, worker_count: usize) -> Result<(), MemoryError> {
        self.access_bodies()?;
        self.order.start(self.bodies.iter().map(|body| body.mesh.vertex_count()))?;
        let moved = self.bodies.iter().filter(|body| body.is_behind).count();
        for body in 0..self.bodies.len() {
            let BodyAccess { is_behind, mesh, ref tree, .. } = self.bodies[body];
            if !is_behind {
                continue;
            }
            let count = mesh.vertex_count();
            let level = self.level_of_units(body, moved, worker_count);
            let is_small = worker_count == 1 || count <= VERTICES_OF_UNIT;
            let refit = if is_small && level + 1 == tree.level_count() {
                BodyRefit::Whole
            } else {
                BodyRefit::Below(level)
            };
            self.bodies[body].refit = refit;
            if matches!(refit, BodyRefit::Whole) {
                continue;
            }
            for first in (0..count).step_by(VERTICES_OF_UNIT) {
                let end = count.min(first + VERTICES_OF_UNIT);
                let task = Task::Vertices { body: body as u32, first: first as u32, end: end as u32 };
                self.unit(task, (end - first) as u64)?;
            }
        }
        Ok(())
    }

    pub fn refit_nodes(&mut self) -> Result<(), MemoryError> {
        for body in 0..self.bodies.len() {
            let BodyAccess { is_behind, refit, mesh, .. } = self.bodies[body];
            match refit {
                _ if !is_behind => {}
                BodyRefit::Whole => {
                    self.unit(Task::RefitWhole { body: body as u32 }, mesh.triangle_count() as u64)?;
                }
                BodyRefit::Below(level) => self.share_out(body, level, Task::Refit)?,
            }
        }
        Ok(())
    }

    /// The level of one of several bodies whose boxes are dealt out: twice as many nodes as there are workers (6.1), unless bodies are many.
    fn level_of_units(&self, body: usize, body_count: usize, worker_count: usize) -> usize {
        let tree = &self.bodies[body].tree;
        let mut level = tree.level_count() - 1;
        while worker_count > 1 && level > 1 && body_count * tree.box_count(level) < 2 * worker_count {
            level -= 1;
        }
        level
    }

    /// Makes units of the boxes of one level of a body.
    fn share_out(&mut self, body: usize, level: usize, task: fn(Node) -> Task) -> Result<(), MemoryError> {
        let tree = self.bodies[body].tree;
        for number in 0..tree.box_count(level) {
            let node = Node { body: body as u32, level: level as u8, number: number as u32 };
            let weight = WIDTH * tree.leaves_below(level, number).len();
            self.unit(task(node), weight as u64)?;
        }
        Ok(())
    }

    /// What is left of the refit, and what has become bad as a whole.
    pub fn finish_refit(&mut self) -> Result<(), MemoryError> {
        // SAFETY: `prepare` was promised that it lives; between phases nobody changes it.
        let bvh = unsafe { &*self.bvh };
        let mut is_any_bad = false;
        for (place, BodyAccess { is_behind, refit, mesh, tree, .. }) in self.bodies.iter().enumerate() {
            if let (true, &BodyRefit::Below(level)) = (is_behind, refit) {
                // SAFETY: between phases nobody works.
                unsafe { tree.finish_refit(level) };
            }
            is_any_bad |= bvh.is_bad(place, mesh);
        }
        if !is_any_bad {
            return Ok(());
        }
        for place in 0..self.bodies.len() {
            let mesh = self.bodies[place].mesh;
            self.bvh().rebuild_if_bad(place, mesh)?;
        }
        self.access_bodies()
    }

    fn collides_with_itself(&self, body: usize) -> bool {
        self.settings.within_meshes
            && self.bodies[body].mesh.settings.self_collision
            && self.bodies[body].tree.level_count() > 0
    }

    /// The breadth-first traversal of all trees until there is a node for each worker (4.2).
    pub fn find_front(&mut self, worker_count: usize) -> Result<(), MemoryError> {
        self.high.clear();
        self.front.clear();
        for body in 0..self.bodies.len() {
            if self.collides_with_itself(body) {
                let level = self.bodies[body].tree.level_count() as u8 - 1;
                self.front.push(Node { body: body as u32, level, number: 0 })?;
            }
        }
        let mut next = 0;
        while self.front.len() - next < worker_count && next < self.front.len() {
            let node @ Node { body, level, number } = self.front[next];
            next += 1;
            if level < 2 {
                // too small to be cut: it goes to the end of the front
                if self.front[next..].iter().all(|node| node.level < 2) {
                    next -= 1;
                    break;
                }
                self.front.push(node)?;
                continue;
            }
            self.high.push(node)?;
            let first = number * WIDTH as u32;
            let boxes = self.bodies[body as usize].tree.box_count(level as usize - 1) as u32;
            for number in first..boxes.min(first + WIDTH as u32) {
                self.front.push(Node { body, level: level - 1, number })?;
            }
        }
        self.front.rotate_left(next);
        self.front.truncate(self.front.len() - next);
        Ok(())
    }

    /// High-level nodes, and all nodes that no self-CD task unit will look at.
    pub fn rebuild_nodes(&mut self) -> Result<(), MemoryError> {
        if self.restructuring().is_off() {
            return Ok(());
        }
        for body in 0..self.bodies.len() {
            let levels = self.bodies[body].tree.level_count();
            if levels < 2 {
                continue;
            }
            let lowest = if self.collides_with_itself(body) && self.settings.culling == Culling::None {
                self.high.iter().filter(|node| node.body == body as u32).map(|node| node.level).min()
            } else {
                Some(1)
            };
            if let Some(lowest) = lowest {
                let node = Node { body: body as u32, level: levels as u8 - 1, number: 0 };
                let weight = self.bodies[body].mesh.triangle_count() as u64;
                self.unit(Task::Rebuild { node, lowest }, weight)?;
            }
        }
        Ok(())
    }

    /// Looks for boxes that need no test with themselves. That is known for contacts only, not for pairs that come close.
    pub fn cull_nodes(&mut self, worker_count: usize) -> Result<(), MemoryError> {
        let (Culling::Exact | Culling::DualCone) = self.settings.culling else { return Ok(()) };
        if self.settings.mode == Mode::Candidates {
            return Ok(());
        }
        let culls = |plan: &Plan, body: usize| {
            let separation = plan.settings.elementary.min_separation;
            plan.collides_with_itself(body)
                && separation + 2.0 * plan.bodies[body].mesh.settings.thickness == 0.0
        };
        let mut body_count = 0;
        for body in 0..self.bodies.len() {
            if culls(self, body) {
                let (mesh, culling) = (self.bodies[body].mesh, self.settings.culling);
                self.bvh().bodies_mut()[body].tree.prepare_culling(mesh, culling)?;
                body_count += 1;
            }
        }
        self.access_bodies()?;
        for body in 0..self.bodies.len() {
            if culls(self, body) {
                let level = self.level_of_units(body, body_count, worker_count);
                (self.bodies[body].culls, self.bodies[body].cull_level) = (true, level);
                self.share_out(body, level, Task::Cull)?;
            }
        }
        Ok(())
    }

    /// The highest levels, after all others.
    fn finish_culling(&mut self) -> Result<(), MemoryError> {
        self.culled_triangles = 0;
        let Plan { bodies, settings, contour, culled_triangles, .. } = self;
        for body in bodies.iter().filter(|body| body.culls) {
            // SAFETY: between phases nobody works.
            unsafe { body.tree.cull_above(settings.culling, body.cull_level, contour) }?;
            *culled_triangles += body.tree.culled_triangle_count();
        }
        Ok(())
    }

    /// Whether a box, or one above it, needs no test with itself.
    fn is_culled(&self, Node { body, level, number }: Node) -> bool {
        let body = &self.bodies[body as usize];
        body.culls && body.tree.is_culled_at(level as usize, number as usize)
    }

    pub fn low_level_units(&mut self) -> Result<(), MemoryError> {
        self.finish_culling()?;
        // With culling it is done before: patches have to be known, and results of cones must not depend on who was given what.
        let may_rebuild = !self.restructuring().is_off() && self.settings.culling == Culling::None;
        for place in 0..self.front.len() {
            let node = self.front[place];
            if self.is_culled(node) {
                continue;
            }
            let tree = &self.bodies[node.body as usize].tree;
            let weight = WIDTH * tree.leaves_below(node.level as usize, node.number as usize).len();
            self.unit(Task::Own { node, may_rebuild }, weight as u64)?;
        }
        Ok(())
    }

    /// Pairs of children of high-level nodes, and of different meshes.
    pub fn high_level_pairs(&mut self, worker_count: usize, earliest: &Earliest) -> Result<(), MemoryError> {
        self.pairs.clear();
        if self.settings.between_meshes {
            self.pair_meshes()?;
        }
        let Plan { level, high, bodies, pairs, children, .. } = self;
        let scene_settings = self.settings;
        let no_findings = |_| unreachable!("nobody sorts yet");
        let scene = Scene {
            level: *level,
            settings: scene_settings,
            bodies,
            restructuring: Restructuring::OFF,
            order: &self.order,
            findings: &no_findings,
            spare: &self.spare,
            sorted: std::ptr::null_mut(),
            kept: 0,
            earliest,
        };
        for &Node { body, level, number } in high.iter() {
            let BodyAccess { culls, tree, .. } = &bodies[body as usize];
            if *culls && tree.is_culled_at(level as usize, number as usize) {
                continue;
            }
            children.clear();
            let expand = Expand { scene: &scene, bodies: [body; 2], of: Of::Node(level, number), children };
            simd::dispatch(scene.level, expand)?;
            for &pair in children.iter() {
                pairs.push(([body; 2], pair))?;
            }
        }
        if worker_count > 1 {
            // From the first on, so that those of the same kind stay side by side and are dealt to different workers.
            let (mut next, wanted) = (0, PAIRS_OF_WORKER * worker_count);
            while next < pairs.len() && pairs.len() - next < wanted {
                let (bodies, pair) = pairs[next];
                if pair.levels == [0, 0] {
                    break;
                }
                next += 1;
                children.clear();
                let expand = Expand { scene: &scene, bodies, of: Of::Pair(pair), children };
                simd::dispatch(scene.level, expand)?;
                for &pair in children.iter() {
                    pairs.push((bodies, pair))?;
                }
            }
            pairs.rotate_left(next);
            pairs.truncate(pairs.len() - next);
        }
        for &(bodies, pair) in pairs.iter() {
            let weight = pair_weight(&scene, bodies, &pair);
            self.units.push((0, Work::new(Task::Pair { bodies, pair }, weight)))?;
        }
        Ok(())
    }

    /// All pairs of different meshes whose boxes meet.
    fn pair_meshes(&mut self) -> Result<(), MemoryError> {
        let thickness = |body: &BodyAccess<'_>| body.mesh.settings.thickness;
        let thickest = self.bodies.iter().map(thickness).fold(0.0, f64::max);
        let most = self.settings.elementary.min_separation + 2.0 * thickest;
        // Boxes of nodes are compared with the distance rounded up to a float, in floats.
        let distance = (most * (1.0 + f32::EPSILON as f64) + f32::MIN_POSITIVE as f64).next_up();
        let Plan { bvh, bodies, pairs, meetings, settings, .. } = self;
        meetings.clear();
        // SAFETY: `prepare` was promised that it lives, and nobody else uses it between phases. What the bodies here are of is not touched by it.
        let bvh = unsafe { &mut **bvh };
        bvh.close_pairs(distance, &mut |first, second| {
            let places = [first, second];
            let [a, b] = places.map(|place| &bodies[place as usize]);
            let separation = settings.elementary.min_separation + (thickness(a) + thickness(b));
            if a.mesh.settings.may_meet(&b.mesh.settings)
                && [a, b].iter().all(|body| body.tree.level_count() > 0)
                && (separation == most || roots_meet([a, b].map(|body| body.tree.root()), separation))
            {
                meetings.push((first as u64) << 32 | second as u64)?;
            }
            Ok(())
        })?;
        // In the order of the meshes, whatever the tree over them looks like.
        meetings.sort_unstable();
        for &both in meetings.iter() {
            let places = [(both >> 32) as u32, both as u32];
            let levels = places.map(|place| bodies[place as usize].tree.level_count() as u8 - 1);
            pairs.push((places, NodePair { levels, boxes: [0, 0], period: Period::WHOLE }))?;
        }
        Ok(())
    }

    /// Makes room for so many contacts of so many workers; the memory is written to, so that the system has handed it out. There are no results then.
    pub fn reserve(&mut self, contact_count: usize, worker_count: usize) -> Result<(), MemoryError> {
        self.order.reserve(contact_count, worker_count)?;
        let kept = contact_count.min(self.settings.capacity);
        self.sorted.clear();
        if kept > self.sorted.capacity() {
            self.sorted.resize(kept, Contact::NOTHING)?;
            self.sorted.clear();
        }
        Ok(())
    }

    pub fn count_units<'a>(
        &mut self,
        lists: impl Iterator<Item = &'a Findings> + Clone,
    ) -> Result<(), MemoryError> {
        let pieces = self.order.cut(lists)?;
        (0..pieces as u32).try_for_each(|piece| self.unit(Task::Count { piece }, 1))
    }

    pub fn scatter_units(&mut self) -> Result<(), MemoryError> {
        let count = self.order.place();
        self.count = if self.settings.mode == Mode::Earliest { count.min(1) } else { count };
        self.kept = self.count.min(self.settings.capacity);
        (0..self.order.piece_count() as u32).try_for_each(|piece| self.unit(Task::Scatter { piece }, 1))
    }

    pub fn describe_units(&mut self) -> Result<(), MemoryError> {
        self.sorted.clear();
        // What is found grows from run to run as bodies come to rest, and all at once when they break. Memory that nothing is written to costs nothing yet.
        if self.kept > self.sorted.capacity() {
            let room = self.kept.saturating_mul(2).min(self.settings.capacity);
            if self.sorted.reserve_exact(room).is_err() {
                self.sorted.reserve_exact(self.kept)?;
            }
        }
        let Plan { order, units, .. } = self;
        for (buckets, count) in order.shares(self.kept) {
            let task = Task::Describe { first: buckets.start, end: buckets.end };
            units.push((0, Work::new(task, count as u64)))?;
        }
        Ok(())
    }

    /// The most units that may ever wait at one place in a phase: in the low-level one all nodes that have a unit; otherwise those that are there, and pairs that are
    /// given away.
    pub fn most_units(&self, phase: usize) -> usize {
        let nodes = match phase {
            REBUILD | CULL | LOW => self
                .bodies
                .iter()
                .map(|body| body.tree.box_count(1.min(body.tree.level_count().saturating_sub(1))))
                .sum(),
            HIGH => 1024,
            _ => 0,
        };
        nodes + self.units.len()
    }
}

fn roots_meet(roots: [Option<MovingBox>; 2], distance: f64) -> bool {
    let [Some(a), Some(b)] = roots else { return false };
    let mut group = crate::bvh::BoxGroup::EMPTY;
    group.set(0, &b);
    a.broadcast::<[f32; 8]>().meets(&group, &Reach::new(distance)) & 1 != 0
}

/// One step down from a node or a pair.
struct Expand<'a, 's> {
    scene: &'a Scene<'s>,
    bodies: [u32; 2],
    of: Of,
    children: &'a mut Buffer<NodePair>,
}

enum Of {
    /// Its level and number.
    Node(u8, u32),
    Pair(NodePair),
}

impl Kernel for Expand<'_, '_> {
    type Output = Result<(), MemoryError>;

    #[inline(always)]
    fn run<V: Doubles>(self) -> Result<(), MemoryError> {
        let Expand { scene, bodies, of, children } = self;
        let walk = Walk::<V::Floats>::new(&scene.settings_of(bodies), scene.settings.mode, scene.earliest);
        let trees = [&scene.body(bodies[0]).tree, &scene.body(bodies[1]).tree];
        match of {
            Of::Node(level, number) => {
                traverse::task_unit(trees[0], level as usize - 1, number as usize, &walk, children)
            }
            Of::Pair(pair) if pair.levels[0] == pair.levels[1] => {
                traverse::go_down_both(trees, pair, &walk, children)
            }
            Of::Pair(pair) => traverse::go_down_higher(trees, pair, &walk, children),
        }
    }
}
