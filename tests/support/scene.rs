//! Bodies that move, and the library that is asked about them.

use super::random::Random;
use pccd::bvh::{Bvh, BvhInfo, BvhSettings, Rebuild, Workspace};
use pccd::detect::{Contact, MeshQuery, Outcome, QuerySettings, QueryStats, SchedulerKind};
use pccd::memory::Memory;
use pccd::mesh::{Mesh, MeshSettings};
use pccd::schedule::{Crew, OpenRun, Pool, UnitKind};
use pccd::simd::Level;
use std::num::NonZeroUsize;

pub type Point = [f64; 3];

/// A mesh with the positions of its vertices in several frames; step i goes from frame i to frame i + 1.
#[derive(Clone)]
pub struct Body {
    pub id: u64,
    pub settings: MeshSettings,
    pub triangles: Vec<[u32; 3]>,
    pub frames: Vec<Vec<Point>>,
}

impl Body {
    pub fn new(id: u64, triangles: Vec<[u32; 3]>, frames: Vec<Vec<Point>>) -> Body {
        Body { id, settings: default_mesh_settings(), triangles, frames }
    }
}

#[derive(Clone)]
pub struct Scene {
    /// What sort of scene it is.
    pub name: &'static str,
    /// In the order in which they are added to a hierarchy; the ids may have another order.
    pub bodies: Vec<Body>,
    pub query: QuerySettings,
}

impl Scene {
    pub fn new(name: &'static str, bodies: Vec<Body>) -> Scene {
        Scene { name, bodies, query: QuerySettings::default() }
    }

    pub fn step_count(&self) -> usize {
        self.bodies.iter().map(|body| body.frames.len() - 1).min().unwrap_or(1)
    }

    pub fn triangle_count(&self) -> usize {
        self.bodies.iter().map(|body| body.triangles.len()).sum()
    }

    pub fn body(&self, id: u64) -> &Body {
        self.bodies.iter().find(|body| body.id == id).unwrap_or_else(|| panic!("no mesh {id} in the scene"))
    }
}

pub fn default_mesh_settings() -> MeshSettings {
    MeshSettings { thickness: 0.0, category: 1, mask: u64::MAX, self_collision: true }
}

/// What one run of a query gave.
pub struct Found {
    pub contacts: Vec<Contact>,
    pub hash: u64,
    pub stats: QueryStats,
}

/// The library's meshes, hierarchy and query for a scene.
pub struct World {
    memory: Memory,
    meshes: Vec<(u64, Mesh)>,
    bvh: Bvh,
    query: MeshQuery,
    /// Who runs the query.
    pub crew: Crew,
    pub scheduler: SchedulerKind,
}

/// A crew of threads.
pub fn pool(workers: usize) -> Crew {
    let workers = NonZeroUsize::new(workers).expect("at least one");
    Crew::Pool(Pool::new(workers).expect("the system has threads"))
}

impl World {
    /// Meshes at the first step of the scene.
    pub fn new(scene: &Scene, rebuild_quality: f64) -> World {
        let memory = Memory::new(None).expect("the system has memory");
        World::in_memory(memory, scene, rebuild_quality)
    }

    pub fn in_memory(memory: Memory, scene: &Scene, rebuild_quality: f64) -> World {
        let bvh = Bvh::new(&memory, Level::best(), BvhSettings { rebuild_quality, ..BvhSettings::default() });
        let query = MeshQuery::new(&memory, scene.query);
        let mut world = World {
            memory,
            meshes: Vec::new(),
            bvh,
            query,
            crew: pool(1),
            scheduler: SchedulerKind::Assignment,
        };
        for body in &scene.bodies {
            world.add(body, 0);
        }
        world
    }

    /// Creates the mesh of a body, moves it from the first to the second frame of a step, and adds it to the hierarchy.
    pub fn add(&mut self, body: &Body, step: usize) {
        let (start, end) = (&body.frames[step], &body.frames[step + 1]);
        let mut mesh =
            Mesh::new(&self.memory, body.settings, start.len(), &|i| start[i], body.triangles.len(), &|i| {
                body.triangles[i]
            })
            .expect("the system has memory");
        // There are two ways to say how a mesh moves, and two times at which it can be said.
        match body.id % 3 {
            0 => mesh.set_motion(&|i| start[i], &|i| end[i]),
            1 => mesh.move_to(&|i| end[i]),
            _ => {}
        }
        self.bvh.add(body.id, &mesh).expect("the system has memory");
        if body.id % 3 == 2 {
            mesh.move_to(&|i| end[i]);
        }
        assert!(self.bvh.contains(body.id), "an added mesh is in the hierarchy");
        self.meshes.push((body.id, mesh));
    }

    /// Takes a mesh out of the hierarchy and destroys it.
    pub fn remove(&mut self, id: u64) {
        assert!(self.bvh.remove(id), "the mesh was in the hierarchy");
        assert!(!self.bvh.contains(id) && !self.bvh.remove(id), "it isn't any more");
        self.meshes.retain(|(other, _)| *other != id);
    }

    /// Moves a mesh on to another frame.
    pub fn move_to(&mut self, id: u64, frame: &[Point]) {
        self.mesh_mut(id).move_to(&|i| frame[i]);
    }

    pub fn set_motion(&mut self, id: u64, start: &[Point], end: &[Point]) {
        self.mesh_mut(id).set_motion(&|i| start[i], &|i| end[i]);
    }

    fn mesh_mut(&mut self, id: u64) -> &mut Mesh {
        &mut self.meshes.iter_mut().find(|(other, _)| *other == id).expect("a mesh of the scene").1
    }

    pub fn mesh(&self, id: u64) -> &Mesh {
        find(&self.meshes, id)
    }

    /// Moves all bodies of the scene to the second frame of a step.
    pub fn move_all(&mut self, scene: &Scene, step: usize) {
        for body in &scene.bodies {
            self.move_to(body.id, &body.frames[step + 1]);
        }
    }

    /// Runs without a copy of the result.
    pub fn run_in_place(&mut self, level: Level, settings: &QuerySettings) -> &[Contact] {
        let meshes = &self.meshes;
        self.query.settings = *settings;
        let World { query, bvh, crew, scheduler, .. } = self;
        let outcome = query.run(crew, *scheduler, level, bvh, &|id| find(meshes, id));
        assert_eq!(outcome.expect("the system has memory"), Outcome::Complete);
        self.query.contacts()
    }

    /// Runs with threads that are not numbered: `work` is called with a function that takes part in the run, which any number of threads may call, or none.
    pub fn run_donated(
        &mut self,
        workers: usize,
        settings: &QuerySettings,
        work: &dyn Fn(&(dyn Fn() + Sync)),
    ) -> Found {
        let meshes = &self.meshes;
        let World { query, bvh, scheduler, .. } = self;
        query.settings = *settings;
        let mesh_of = |id: u64| find(meshes, id);
        // SAFETY: nobody touches them until the end of this function.
        let run = unsafe { query.begin(workers, *scheduler, Level::best(), bvh, &mesh_of) };
        let run = run.expect("the system has memory");
        work(&|| run.donate());
        assert!(run.finish(), "nobody panicked");
        assert_eq!(query.end(bvh, &mesh_of).expect("the system has memory"), Outcome::Complete);
        Found { contacts: query.contacts().to_vec(), hash: query.hash(), stats: *query.stats() }
    }

    pub fn run(&mut self, level: Level, settings: &QuerySettings) -> Found {
        let contacts = self.run_in_place(level, settings).to_vec();
        Found { contacts, hash: self.query.hash(), stats: *self.query.stats() }
    }

    /// Updates the hierarchy and sorts the triangles below some nodes of every tree anew. Returns how many nodes that worked for.
    pub fn rebuild_nodes(&mut self, level: Level, random: &mut Random, count: usize) -> usize {
        let meshes = &self.meshes;
        self.bvh.update(&|id| find(meshes, id)).expect("the system has memory");
        let mut workspace = Workspace::new(&self.memory);
        let mut done = 0;
        for body in self.bvh.bodies_mut() {
            let access = body.tree.shared(level, find(meshes, body.id));
            for _ in 0..count {
                let level = random.below(access.level_count());
                let number = random.below(access.box_count(level));
                // SAFETY: no other thread has the tree, and nothing that was read from it is in use.
                let result = unsafe { access.rebuild_below(level, number, &mut workspace) };
                assert_ne!(result, Rebuild::NoMemory);
                done += usize::from(result == Rebuild::Done);
            }
        }
        done
    }

    /// From now on runs are recorded, unit by unit.
    pub fn record(&mut self) {
        self.query.is_recording = true;
    }

    /// Pairs that were given away in the middle of self-CD task units of the last run, which has to be recorded.
    pub fn given_away(&self) -> usize {
        let records = || self.query.records();
        let Some(low) = records().find(|record| record.kind == UnitKind::SelfUnit).map(|record| record.phase)
        else {
            return 0;
        };
        records().filter(|record| record.phase == low && record.kind == UnitKind::Pair).count()
    }

    pub fn stats(&self) -> &QueryStats {
        self.query.stats()
    }

    pub fn info(&self) -> BvhInfo {
        self.bvh.info()
    }

    /// Triangles that the hierarchy finds in a box.
    pub fn overlap(&mut self, lower: Point, upper: Point) -> Vec<(u64, u32)> {
        let mut found = Vec::new();
        let meshes = &self.meshes;
        self.bvh
            .overlap(&|id| find(meshes, id), lower, upper, &mut |mesh, triangle| found.push((mesh, triangle)))
            .expect("the system has memory");
        found
    }
}

fn find(meshes: &[(u64, Mesh)], id: u64) -> &Mesh {
    &meshes.iter().find(|(other, _)| *other == id).unwrap_or_else(|| panic!("no mesh {id}")).1
}
