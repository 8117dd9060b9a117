//! Bodies that break, become one, come, go and move, in random order: after every step the hierarchy is valid, and contacts are those of a hierarchy from scratch and of
//! brute force, bit for bit.
//!
//! `PCCD_SEQUENCES` is how many sequences there are; `PCCD_SCENE_SEED` gives others; `PCCD_SCENE` repeats one of them.

mod support;

use pccd::bvh::{Bvh, BvhSettings, Metric, Restructuring, break_all};
use pccd::detect::{MeshQuery, Mode, QuerySettings, SchedulerKind};
use pccd::memory::Memory;
use pccd::mesh::{Broken, Merge, Mesh, Split};
use pccd::schedule::Crew;
use pccd::simd::Level;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use support::brute_force;
use support::contacts::compare;
use support::random::Random;
use support::scene::{Body, Point, Scene, World, pool};
use support::scenes::shapes::{self, Shape};

/// Bodies as the caller knows them, and as the library does.
struct Sequence {
    random: Random,
    memory: Memory,
    scene: Scene,
    meshes: BTreeMap<u64, Mesh>,
    /// The same in two hierarchies: the first one is used after every operation; in the other one, operations pile up until there is a run.
    bvhs: [Bvh; 2],
    query: MeshQuery,
    next_id: u64,
    log: Vec<String>,
}

/// How a body breaks.
struct Crack {
    part_count: usize,
    parts: Vec<u32>,
    copies: Vec<u32>,
    corners: Vec<[u32; 3]>,
    has_corners: bool,
}

/// What the sequences did, to see that there was something to find.
#[derive(Default)]
struct Tally {
    operations: BTreeMap<&'static str, usize>,
    runs: usize,
    contacts: usize,
}

impl Sequence {
    fn new(seed: u64, number: u64) -> Sequence {
        let memory = Memory::new(None).unwrap();
        let mut random = Random::stream(seed, number);
        let bvhs = [0; 2].map(|_| {
            let settings = BvhSettings {
                rebuild_quality: *random.pick(&[0.0, 0.5, 1.0]),
                volume_ratio: *random.pick(&[0.0, 0.9, 1.0]),
                metric: *random.pick(&[Metric::VolumeRatio, Metric::TraversalCost]),
                loss_limit: 1.0,
                grid_limit: *random.pick(&[0, 20]),
            };
            Bvh::new(&memory, Level::best(), settings)
        });
        let mut scene = Scene::new("breaking", Vec::new());
        if random.one_in(4) {
            scene.query.elementary.min_separation = 1.0 / 64.0;
        }
        Sequence {
            random,
            scene,
            meshes: BTreeMap::new(),
            bvhs,
            query: MeshQuery::new(&memory, QuerySettings::default()),
            next_id: 1000,
            log: Vec::new(),
            memory,
        }
    }

    /// Ids go up and down, as those of a table with free slots do.
    fn new_id(&mut self) -> u64 {
        loop {
            self.next_id = self.next_id.wrapping_add(self.random.integer(-40, 60) as u64);
            if self.next_id != 0 && !self.meshes.contains_key(&self.next_id) {
                return self.next_id;
            }
        }
    }

    fn jitter(&mut self, points: &[Point], size: f64) -> Vec<Point> {
        points.iter().map(|p| p.map(|x| x + self.random.between(-size, size))).collect()
    }

    fn add(&mut self) {
        let count = 1 + self.random.below(40);
        let random = &mut self.random;
        let Shape { points, triangles } = match random.below(5) {
            0 => shapes::soup(random, count),
            1 => shapes::tangle(random, count),
            2 => shapes::sphere(random, count),
            3 => shapes::folded_cloth(random, count),
            _ => shapes::hilly_grid(random, count),
        };
        let id = self.new_id();
        let shift: Point = std::array::from_fn(|_| self.random.between(-1.0, 1.0));
        let start: Vec<Point> =
            points.iter().map(|p| [p[0] + shift[0], p[1] + shift[1], p[2] + shift[2]]).collect();
        let end = self.jitter(&start, 0.1);
        let body = Body::new(id, triangles, vec![start, end]);
        let mut mesh = mesh_of(&self.memory, &body);
        if self.random.one_in(2) {
            // Added at rest, moved then.
            let (start, end) = (&body.frames[0], &body.frames[1]);
            mesh.set_motion(&|i| start[i], &|i| start[i]);
            self.bvhs.iter_mut().for_each(|bvh| bvh.add(id, &mesh).unwrap());
            mesh.move_to(&|i| end[i]);
        } else {
            self.bvhs.iter_mut().for_each(|bvh| bvh.add(id, &mesh).unwrap());
        }
        self.meshes.insert(id, mesh);
        self.scene.bodies.push(body);
    }

    fn pick(&mut self) -> usize {
        self.random.below(self.scene.bodies.len())
    }

    fn remove(&mut self) {
        let place = self.pick();
        let body = self.scene.bodies.swap_remove(place);
        assert!(self.bvhs.iter_mut().all(|bvh| bvh.remove(body.id)));
        self.meshes.remove(&body.id);
    }

    fn move_on(&mut self) {
        let place = self.pick();
        let size = *self.random.pick(&[0.0, 0.05, 0.5]);
        let end = self.scene.bodies[place].frames[1].clone();
        let next = self.jitter(&end, size);
        let body = &mut self.scene.bodies[place];
        self.meshes.get_mut(&body.id).unwrap().move_to(&|i| next[i]);
        body.frames = vec![end, next];
    }

    /// How a body breaks; None if there is nothing to break.
    fn crack(&mut self, old: &Body) -> Option<Crack> {
        if old.triangles.is_empty() {
            return None;
        }
        let (vertex_count, triangle_count) = (old.frames[0].len(), old.triangles.len());
        // Copies, corners that use them, new triangles.
        let (mut copies, mut corners) = (Vec::new(), old.triangles.clone());
        if self.random.one_in(2) {
            copies = (0..self.random.below(8)).map(|_| self.random.below(vertex_count) as u32).collect();
            for corner in corners.as_flattened_mut() {
                let fitting: Vec<u32> =
                    (0..copies.len()).filter(|&i| copies[i] == *corner).map(|i| i as u32).collect();
                if !fitting.is_empty() && self.random.one_in(2) {
                    *corner = vertex_count as u32 + self.random.pick(&fitting);
                }
            }
        }
        let has_corners = corners != old.triangles || self.random.one_in(4);
        if has_corners && self.random.one_in(2) {
            let all = vertex_count + copies.len();
            for _ in 0..self.random.below(6) {
                corners.push(std::array::from_fn(|_| self.random.below(all) as u32));
            }
        }
        let wanted = 1 + self.random.below(6);
        let mut parts: Vec<u32> = (0..corners.len()).map(|_| self.random.below(wanted) as u32).collect();
        if self.random.one_in(2) {
            // by place, as a crack does
            parts = corners
                .iter()
                .map(|c| u32::from(old.frames[0][c[0] as usize % vertex_count][0] > 0.0))
                .collect();
        }
        // Every part has a triangle.
        let used: Vec<u32> = parts.iter().copied().collect::<BTreeSet<u32>>().into_iter().collect();
        parts.iter_mut().for_each(|part| *part = used.binary_search(part).unwrap() as u32);
        assert!(has_corners || corners.len() == triangle_count);
        Some(Crack { part_count: used.len(), parts, copies, corners, has_corners })
    }

    /// Breaks some bodies at once.
    fn split(&mut self) {
        let mut broken: Vec<(Body, Crack)> = Vec::new();
        for _ in 0..1 + self.random.below(self.scene.bodies.len().min(3)) {
            let place = self.pick();
            let old = self.scene.bodies.swap_remove(place);
            match self.crack(&old) {
                Some(crack) => broken.push((old, crack)),
                None => self.scene.bodies.push(old),
            }
        }

        // The library.
        let crew = pool(1 + self.random.below(2));
        let meshes: Vec<Mesh> = broken.iter().map(|(old, _)| self.meshes.remove(&old.id).unwrap()).collect();
        let corners: Vec<_> =
            broken.iter().map(|(_, crack)| |triangle: usize| crack.corners[triangle]).collect();
        let list: Vec<Broken<'_>> = broken
            .iter()
            .enumerate()
            .map(|(place, (old, crack))| {
                let corners: &(dyn Fn(usize) -> [u32; 3] + Sync) = &corners[place];
                let split = Split {
                    part_count: crack.part_count,
                    parts: &crack.parts,
                    copies: &crack.copies,
                    corners: crack.has_corners.then_some(corners),
                };
                Broken { id: old.id, mesh: &meshes[place], split }
            })
            .collect();
        let [first, second] = &mut self.bvhs;
        let mut pieces = break_all(&self.memory, &crew, &mut [first, second], &list).unwrap();
        let part_count = broken.iter().map(|(_, crack)| crack.part_count).sum();
        let ids: Vec<u64> = (0..part_count).map(|_| self.new_id()).collect();
        let ids = unique(ids, &mut self.next_id);
        let gone: Vec<u64> = broken.iter().map(|(old, _)| old.id).collect();
        let new: Vec<&Mesh> = pieces.iter().flat_map(|pieces| pieces.meshes.iter()).collect();
        self.bvhs.iter_mut().for_each(|bvh| bvh.replace(&gone, &ids, &|place| new[place]));
        let mut next = ids.len();
        while let Some(mut pieces) = pieces.pop() {
            while let Some(mesh) = pieces.meshes.pop() {
                next -= 1;
                self.meshes.insert(ids[next], mesh);
            }
        }
        assert_eq!(next, 0);
        for (old, crack) in &broken {
            let (own, _) = ids[next..].split_at(crack.part_count);
            self.check_parts(old, crack, own);
            next += crack.part_count;
        }
    }

    /// What the caller, who needs no library for it, expects of a split.
    fn check_parts(&mut self, old: &Body, crack: &Crack, ids: &[u64]) {
        let Crack { parts, copies, corners, .. } = crack;
        let vertex_count = old.frames[0].len();
        for (part, &id) in ids.iter().enumerate() {
            let own: Vec<[u32; 3]> =
                (0..corners.len()).filter(|&i| parts[i] == part as u32).map(|i| corners[i]).collect();
            let vertices: Vec<u32> =
                own.iter().flatten().copied().collect::<BTreeSet<u32>>().into_iter().collect();
            let origin = |vertex: u32| match (vertex as usize).checked_sub(vertex_count) {
                Some(copy) => copies[copy],
                None => vertex,
            };
            let triangles: Vec<[u32; 3]> =
                own.iter().map(|t| t.map(|vertex| vertices.binary_search(&vertex).unwrap() as u32)).collect();
            let frames: Vec<Vec<Point>> = (0..2)
                .map(|frame| {
                    vertices.iter().map(|&vertex| old.frames[frame][origin(vertex) as usize]).collect()
                })
                .collect();
            let mesh = &self.meshes[&id];
            assert_eq!(mesh.features().triangles(), triangles);
            for (number, &vertex) in vertices.iter().enumerate() {
                let told = mesh.origins().get(number).unwrap();
                assert_eq!((told.mesh, told.vertex), (old.id, origin(vertex)));
            }
            self.scene.bodies.push(Body { id, settings: old.settings, triangles, frames });
        }
    }

    fn merge(&mut self) {
        let count = 1 + self.random.below(self.scene.bodies.len().min(10));
        self.random.shuffle(&mut self.scene.bodies);
        let old: Vec<Body> = self.scene.bodies.drain(..count).collect();
        // Vertices numbered through.
        let mut all: Vec<[Point; 2]> = Vec::new();
        let mut owners = Vec::new();
        for (place, body) in old.iter().enumerate() {
            for vertex in 0..body.frames[0].len() {
                all.push([body.frames[0][vertex], body.frames[1][vertex]]);
                owners.push((place, vertex as u32));
            }
        }
        let mut weld: Vec<u32> = (0..all.len() as u32).collect();
        let with_weld = self.random.one_in(2);
        if with_weld {
            for vertex in 0..all.len() {
                let same =
                    (0..vertex).find(|&other| weld[other] as usize == other && all[other] == all[vertex]);
                if let Some(other) = same.filter(|_| !self.random.one_in(4)) {
                    weld[vertex] = other as u32;
                }
            }
        }
        let meshes: Vec<(u64, &Mesh)> = old.iter().map(|body| (body.id, &self.meshes[&body.id])).collect();
        let merge = Merge { meshes: &meshes, weld: with_weld.then_some(&weld[..]) };
        let whole = merge.whole(&self.memory).unwrap();
        self.bvhs.iter_mut().for_each(|bvh| bvh.prepare_merge(&merge, &whole).unwrap());
        let gone: Vec<u64> = old.iter().map(|body| body.id).collect();
        for id in &gone {
            self.meshes.remove(id);
        }
        let id = self.new_id();
        self.bvhs.iter_mut().for_each(|bvh| bvh.replace(&gone, &[id], &|_| &whole));

        let staying: Vec<u32> =
            (0..all.len() as u32).filter(|&vertex| weld[vertex as usize] == vertex).collect();
        let mut triangles = Vec::new();
        let mut first = 0;
        for body in &old {
            for triangle in &body.triangles {
                triangles
                    .push(triangle.map(|v| staying.binary_search(&weld[first + v as usize]).unwrap() as u32));
            }
            first += body.frames[0].len();
        }
        assert_eq!(whole.features().triangles(), triangles);
        for (number, &vertex) in staying.iter().enumerate() {
            let (told, (place, own)) = (whole.origins().get(number).unwrap(), owners[vertex as usize]);
            assert_eq!((told.mesh, told.vertex), (old[place].id, own));
        }
        let frames =
            (0..2).map(|f| staying.iter().map(|&vertex| all[vertex as usize][f]).collect()).collect();
        self.meshes.insert(id, whole);
        self.scene.bodies.push(Body { id, settings: old[0].settings, triangles, frames });
    }

    /// Looks for contacts with one of the hierarchies, or both, and compares them with those of brute force and of a hierarchy from scratch.
    fn run(&mut self, both: bool) -> Result<usize, String> {
        let expected = brute_force::all_contacts(Level::best(), &self.scene, 0);
        let mut world = World::new(&self.scene, 0.5);
        let fresh = world.run(Level::best(), &self.scene.query);
        compare(&fresh.contacts, &expected).map_err(|problem| format!("from scratch: {problem}"))?;
        let crew = pool(1 + self.random.below(2));
        self.query.settings = self.scene.query;
        let meshes = &self.meshes;
        for (number, bvh) in self.bvhs.iter_mut().enumerate().take(1 + usize::from(both)) {
            self.query.run(&crew, SchedulerKind::Assignment, Level::best(), bvh, &|id| &meshes[&id]).unwrap();
            compare(self.query.contacts(), &expected)
                .map_err(|problem| format!("hierarchy {number}: {problem}"))?;
            if self.query.hash() != fresh.hash {
                return Err("the hash differs from that of a hierarchy from scratch".into());
            }
        }
        Ok(expected.len())
    }

    /// One operation, and whether all is well after it.
    fn step(&mut self, tally: &mut Tally) -> Result<(), String> {
        let is_empty = self.scene.bodies.is_empty();
        let is_large = self.scene.triangle_count() > 120;
        let name = match self.random.below(12) {
            _ if is_empty => "add",
            0 | 1 if !is_large => "add",
            0..=2 => "remove",
            3..=5 => "split",
            6 | 7 => "merge",
            8 | 9 => "move",
            _ => "run",
        };
        self.log.push(name.into());
        *tally.operations.entry(name).or_default() += 1;
        match name {
            "add" => self.add(),
            "remove" => self.remove(),
            "split" => self.split(),
            "merge" => self.merge(),
            "move" => self.move_on(),
            _ => {}
        }
        self.validate()?;
        tally.contacts += self.run(name == "run")?;
        tally.runs += 1;
        self.validate()
    }

    fn validate(&self) -> Result<(), String> {
        let meshes = &self.meshes;
        for bvh in &self.bvhs {
            bvh.validate(&|id| &meshes[&id])?;
            if bvh.bodies().len() != self.scene.bodies.len() {
                return Err("another number of meshes".into());
            }
        }
        Ok(())
    }
}

/// Makes ids differ from each other.
fn unique(mut ids: Vec<u64>, next_id: &mut u64) -> Vec<u64> {
    for place in 0..ids.len() {
        while ids[..place].contains(&ids[place]) {
            *next_id += 1000;
            ids[place] = *next_id;
        }
    }
    ids
}

fn mesh_of(memory: &Memory, body: &Body) -> Mesh {
    let (start, end) = (&body.frames[0], &body.frames[1]);
    let mut mesh = Mesh::new(memory, body.settings, start.len(), &|i| start[i], body.triangles.len(), &|i| {
        body.triangles[i]
    })
    .unwrap();
    mesh.set_motion(&|i| start[i], &|i| end[i]);
    mesh
}

fn variable(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is {text}")))
}

#[test]
fn random_sequences() {
    let seed = variable("PCCD_SCENE_SEED", 1);
    let numbers = match std::env::var_os("PCCD_SCENE") {
        Some(_) => {
            let only = variable("PCCD_SCENE", 0);
            only..only + 1
        }
        None => 0..variable("PCCD_SEQUENCES", 200),
    };
    let mut tally = Tally::default();
    for number in numbers.clone() {
        let mut sequence = Sequence::new(seed, number);
        for _ in 0..16 {
            let result = catch_unwind(AssertUnwindSafe(|| sequence.step(&mut tally)));
            if let Err(problem) = result.unwrap_or_else(|_| Err("a panic, see above".into())) {
                panic!("PCCD_SCENE_SEED={seed} PCCD_SCENE={number}: {problem}, after {:?}", sequence.log);
            }
        }
        tally.contacts +=
            sequence.run(true).unwrap_or_else(|e| panic!("PCCD_SCENE_SEED={seed} PCCD_SCENE={number}: {e}"));
        tally.runs += 1;
    }
    println!(
        "{} sequences: {:?}; {} runs, {} contacts",
        numbers.count(),
        tally.operations,
        tally.runs,
        tally.contacts
    );
    if std::env::var_os("PCCD_SCENE").is_none() {
        assert!(tally.operations.len() == 6 && tally.contacts > 0);
    }
}

/// What a test and sorting cost is measured in the first build and the first run. Before the second run, which is the first that may sort anything anew, both are known.
#[test]
fn costs_are_measured_before_anything_is_sorted() {
    let memory = Memory::new(None).unwrap();
    let settings = BvhSettings { metric: Metric::TraversalCost, ..BvhSettings::default() };
    let mut bvh = Bvh::new(&memory, Level::best(), settings);
    let shape = shapes::grid(20, 20);
    let body = Body::new(1, shape.triangles, vec![shape.points.clone(), shape.points]);
    let mesh = mesh_of(&memory, &body);
    bvh.add(1, &mesh).unwrap();
    assert!(bvh.restructuring().is_off());
    let mut query = MeshQuery::new(&memory, QuerySettings::default());
    query.run(&pool(1), SchedulerKind::Assignment, Level::best(), &mut bvh, &|_| &mesh).unwrap();
    let Restructuring::TraversalCost(account) = bvh.restructuring() else { panic!("another metric") };
    assert!(account.test > 0.0 && account.sort > 0.0 && account.most > 0.0, "{account:?}");
}

/// Breaks all meshes, whose parts get the ids from `first` on.
fn break_meshes(
    memory: &Memory,
    crew: &Crew,
    bvh: &mut Bvh,
    meshes: &mut BTreeMap<u64, Mesh>,
    part_of: &dyn Fn(&Mesh, usize) -> u32,
    first: u64,
) {
    let gone: Vec<u64> = meshes.keys().copied().collect();
    let parts: Vec<Vec<u32>> = meshes
        .values()
        .map(|mesh| (0..mesh.triangle_count()).map(|triangle| part_of(mesh, triangle)).collect())
        .collect();
    let broken: Vec<Broken<'_>> = meshes
        .iter()
        .zip(&parts)
        .map(|((&id, mesh), parts)| {
            let part_count = 1 + *parts.iter().max().unwrap() as usize;
            Broken { id, mesh, split: Split { part_count, parts, copies: &[], corners: None } }
        })
        .collect();
    let mut pieces = break_all(memory, crew, &mut [bvh], &broken).unwrap();
    let mut next = first + pieces.iter().map(|pieces| pieces.meshes.len() as u64).sum::<u64>();
    let new: Vec<&Mesh> = pieces.iter().flat_map(|pieces| pieces.meshes.iter()).collect();
    bvh.replace(&gone, &(first..next).collect::<Vec<u64>>(), &|place| new[place]);
    meshes.clear();
    while let Some(mut pieces) = pieces.pop() {
        while let Some(mesh) = pieces.meshes.pop() {
            next -= 1;
            meshes.insert(next, mesh);
        }
    }
    assert_eq!(next, first);
}

/// Right after a split, after one of many small meshes at once, and in the frames after them, contacts have the same bits whatever the number of threads is, and those of a hierarchy from
/// scratch.
#[test]
fn threads_do_not_matter_after_a_split() {
    let mut random = Random::new(77);
    let memory = Memory::new(None).unwrap();
    // large enough to be broken by all threads
    let mut shape = shapes::grid(70, 32);
    for point in &mut shape.points {
        point[2] = random.between(-0.02, 0.02);
    }
    shapes::fold(&mut shape, 3, 0.05);
    let end: Vec<Point> = shape.points.iter().map(|p| p.map(|x| x + random.between(-0.05, 0.05))).collect();
    let later: Vec<Point> = end.iter().map(|p| p.map(|x| x + random.between(-0.05, 0.05))).collect();
    let body = Body::new(5, shape.triangles, vec![shape.points, end]);
    let mut expected: Option<[u64; 3]> = None;
    for threads in [1, 2, 3, 7, 16] {
        for scheduler in [SchedulerKind::Assignment, SchedulerKind::Stealing] {
            let crew = pool(threads);
            let mesh = mesh_of(&memory, &body);
            let mut bvh = Bvh::new(&memory, Level::best(), BvhSettings::default());
            let mut query =
                MeshQuery::new(&memory, QuerySettings { mode: Mode::All, ..QuerySettings::default() });
            bvh.add(5, &mesh).unwrap();
            query.run(&crew, scheduler, Level::best(), &mut bvh, &|_| &mesh).unwrap();
            let mut meshes = BTreeMap::from([(5, mesh)]);
            let mut hashes = [0; 3];
            for (frame, hash) in hashes.iter_mut().enumerate() {
                match frame {
                    0 => {
                        let column =
                            |mesh: &Mesh, triangle: usize| mesh.features().triangles()[triangle][0] % 71 / 9;
                        break_meshes(&memory, &crew, &mut bvh, &mut meshes, &column, 100);
                        assert_eq!(meshes.len(), 8);
                    }
                    1 => {
                        for mesh in meshes.values_mut() {
                            let points: Vec<Point> = (0..mesh.vertex_count())
                                .map(|vertex| later[mesh.origins().get(vertex).unwrap().vertex as usize])
                                .collect();
                            mesh.move_to(&|i| points[i]);
                        }
                    }
                    _ => {
                        let third =
                            |mesh: &Mesh, triangle: usize| (3 * triangle / mesh.triangle_count()) as u32;
                        break_meshes(&memory, &crew, &mut bvh, &mut meshes, &third, 50);
                        assert_eq!(meshes.len(), 24);
                    }
                }
                query.run(&crew, scheduler, Level::best(), &mut bvh, &|id| &meshes[&id]).unwrap();
                bvh.validate(&|id| &meshes[&id]).unwrap();
                assert!(query.contacts().len() > 100);
                *hash = query.hash();
                let mut fresh = Bvh::new(&memory, Level::best(), BvhSettings::default());
                meshes.iter().for_each(|(&id, mesh)| fresh.add(id, mesh).unwrap());
                let mut other = MeshQuery::new(&memory, QuerySettings::default());
                other.run(&pool(1), scheduler, Level::best(), &mut fresh, &|id| &meshes[&id]).unwrap();
                compare(query.contacts(), other.contacts()).unwrap();
                assert_eq!(*hash, other.hash());
            }
            assert_eq!(*expected.get_or_insert(hashes), hashes, "{threads} threads, {scheduler:?}");
        }
    }
}
