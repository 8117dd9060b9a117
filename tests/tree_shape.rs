//! Contacts don't depend on what the tree looks like: whatever its history and the order of its triangles and meshes, the
//! same pairs with the same bits. Scenes are larger than those of `scenes.rs`, so that trees have several levels.

mod support;

use pccd::detect::{Contact, Mode, QuerySettings};
use pccd::elementary::Kind;
use pccd::simd::Level;
use std::collections::{BTreeMap, BTreeSet};
use support::brute_force::Features;
use support::contacts::{self, compare, key};
use support::random::Random;
use support::scene::{Body, Point, Scene, World};
use support::scenes::motions::{Motion, add};
use support::scenes::shapes::{self, Shape};

const MODES: [Mode; 3] = [Mode::All, Mode::Earliest, Mode::Candidates];
const FRAMES: usize = 21;

/// Folded cloths, balls that fly through them, and a soup; they crumple more and more, so that a tree which is
/// only refitted becomes a bad one.
fn scenes() -> Vec<Scene> {
    let mut random = Random::new(0x7ee);
    let random = &mut random;
    let mut cloth = shapes::grid(24, 13);
    for point in &mut cloth.points {
        point[2] = random.between(-0.02, 0.02);
    }
    shapes::fold(&mut cloth, 3, 0.05);
    let ball = shapes::sphere(random, 333);
    let soup = shapes::soup(random, 101);
    let tangle = shapes::tangle(random, 59);
    let book = shapes::book(random, 37);
    let several = vec![cloth.clone(), ball, soup, tangle, book];
    let mut separated = Scene::new("with a separation", bodies(random, several.clone()));
    separated.query.elementary.min_separation = 1.0 / 128.0;
    for body in &mut separated.bodies {
        body.settings.thickness = 1.0 / 256.0;
    }
    vec![
        Scene::new("one cloth", bodies(random, vec![cloth])),
        Scene::new("several bodies", bodies(random, several)),
        separated,
    ]
}

fn bodies(random: &mut Random, shapes: Vec<Shape>) -> Vec<Body> {
    let mut id = 10;
    shapes
        .into_iter()
        .map(|shape| {
            id += 1 + random.below(3) as u64;
            Body::new(id, shape.triangles, frames(random, shape.points))
        })
        .collect()
}

fn frames(random: &mut Random, first: Vec<Point>) -> Vec<Vec<Point>> {
    let mut frames = vec![first];
    while frames.len() < FRAMES {
        let last = &frames[frames.len() - 1];
        let shaken = Motion::Jitter(0.03).apply(random, last);
        let turned = if random.one_in(3) { Motion::Turn.apply(random, &shaken) } else { shaken };
        // Waves of different lengths, which mix what was neighbouring.
        let (length, height) = (random.between(0.3, 2.0), random.between(0.0, 0.3));
        frames.push(turned.iter().map(|&p| add(p, [0.0, 0.0, height * (p[0] / length).sin()])).collect());
    }
    frames
}

/// The last step only.
fn last_step(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    for body in &mut scene.bodies {
        body.frames.drain(..FRAMES - 2);
    }
    scene
}

fn settings(scene: &Scene, mode: Mode) -> QuerySettings {
    QuerySettings { mode, ..scene.query }
}

/// What a fresh tree finds, in all modes. There is something to find.
fn expected(scene: &Scene) -> [Vec<Contact>; 3] {
    let mut world = World::new(scene, 0.5);
    let found = MODES.map(|mode| world.run(Level::best(), &settings(scene, mode)).contacts);
    for (contacts, mode) in found.iter().zip(MODES) {
        contacts::check_order(contacts).unwrap_or_else(|e| panic!("{}, {mode:?}: {e}", scene.name));
    }
    let [all, earliest, candidates] = &found;
    println!("{}: {} contacts, {} candidates", scene.name, all.len(), candidates.len());
    for kind in [Kind::VertexFace, Kind::EdgeEdge] {
        assert!(all.iter().any(|contact| contact.kind == kind), "{}: no {kind:?} contacts", scene.name);
    }
    assert!(earliest.len() == 1 && candidates.len() > all.len(), "{}: odd numbers", scene.name);
    found
}

fn assert_same(label: &str, scene: &Scene, mode: Mode, found: &[Contact], expected: &[Contact]) {
    compare(found, expected).unwrap_or_else(|e| panic!("{label}: {}, {mode:?}: {e}", scene.name));
}

#[test]
fn order_of_triangles() {
    for scene in scenes().iter().map(last_step) {
        let expected = expected(&scene);
        for seed in 0..5 {
            let mut random = Random::new(seed);
            let mut shuffled = scene.clone();
            // By body: the old number of each triangle.
            let mut old = BTreeMap::new();
            for body in &mut shuffled.bodies {
                let mut order: Vec<u32> = (0..body.triangles.len() as u32).collect();
                random.shuffle(&mut order);
                let triangles = order.iter().map(|&triangle| body.triangles[triangle as usize]).collect();
                body.triangles = triangles;
                old.insert(body.id, order);
            }
            let mut world = World::new(&shuffled, 0.5);
            for (mode, expected) in MODES.into_iter().zip(&expected) {
                let mut found = world.run(Level::best(), &settings(&shuffled, mode)).contacts;
                map_triangles(&scene, &shuffled, &old, &mut found);
                assert_same("shuffled triangles", &scene, mode, &found, expected);
            }
        }
    }
}

/// From triangles of the shuffled scene to those of the original one.
fn map_triangles(scene: &Scene, shuffled: &Scene, old: &BTreeMap<u64, Vec<u32>>, contacts: &mut [Contact]) {
    let features = |scene: &Scene| -> BTreeMap<u64, Features> {
        scene.bodies.iter().map(|body| (body.id, Features::new(&body.triangles))).collect()
    };
    let (before, after) = (features(scene), features(shuffled));
    for contact in contacts.iter_mut() {
        let [v0, v1, v2, v3] = contact.vertices;
        let owners = |features: &BTreeMap<u64, Features>, face: u32| match contact.kind {
            Kind::VertexFace => [features[&contact.mesh_a].vertices[&v0], face],
            Kind::EdgeEdge => {
                [features[&contact.mesh_a].edges[&[v0, v1]], features[&contact.mesh_b].edges[&[v2, v3]]]
            }
        };
        let face = contact.triangles[1];
        // The smallest triangle that has a feature is another one after shuffling.
        assert_eq!(contact.triangles, owners(&after, face), "not the smallest triangles: {contact:?}");
        contact.triangles = owners(&before, old[&contact.mesh_b][face as usize]);
    }
    contacts::sort(contacts);
}

#[test]
fn order_of_meshes() {
    for scene in scenes().iter().map(last_step) {
        let expected = expected(&scene);
        let hash = World::new(&scene, 0.5).run(Level::best(), &scene.query).hash;
        for seed in 0..5 {
            let mut random = Random::new(seed);
            let mut other = scene.clone();
            random.shuffle(&mut other.bodies);
            let mut world = World::new(&other, 0.5);
            for (mode, expected) in MODES.into_iter().zip(&expected) {
                let found = world.run(Level::best(), &settings(&other, mode));
                assert_same("shuffled meshes", &scene, mode, &found.contacts, expected);
                assert!(mode != Mode::All || found.hash == hash, "another hash");
            }
            // Some out and in again, in between a run.
            for _ in 0..2 {
                let body = random.pick(&other.bodies);
                world.remove(body.id);
                if random.one_in(2) {
                    world.run(Level::best(), &other.query);
                }
                world.add(body, 0);
            }
            let found = world.run(Level::best(), &scene.query).contacts;
            assert_same("meshes out and in", &scene, Mode::All, &found, &expected[0]);
        }
        // Other ids in the same order: only the ids differ, and the hash doesn't see them.
        let mut renamed = scene.clone();
        renamed.bodies.iter_mut().for_each(|body| body.id = 1000 + 7 * body.id);
        let mut found = World::new(&renamed, 0.5).run(Level::best(), &scene.query);
        assert_eq!(found.hash, hash, "the hash depends on the ids of meshes");
        for contact in &mut found.contacts {
            contact.mesh_a = (contact.mesh_a - 1000) / 7;
            contact.mesh_b = (contact.mesh_b - 1000) / 7;
        }
        assert_same("renamed meshes", &scene, Mode::All, &found.contacts, &expected[0]);
    }
}

#[test]
fn history() {
    for scene in scenes() {
        let last = last_step(&scene);
        let expected = expected(&last);
        for quality in [0.0, 0.5, 1.0] {
            // With runs in between, and with updates that skip frames.
            for every in [1, 7, FRAMES] {
                let mut world = World::new(&scene, quality);
                for step in 0..FRAMES - 1 {
                    if step > 0 {
                        world.move_all(&scene, step);
                    }
                    if step % every == 0 {
                        world.run(Level::best(), &scene.query);
                    }
                }
                let info = world.info();
                // Trees whose parts should have been rebuilt and had no room for it are rebuilt as a whole.
                let asked = quality > 0.0 || info.rebuild_count == info.crowded_count;
                assert!(asked, "rebuilt without being asked to: {info:?}");
                for (mode, expected) in MODES.into_iter().zip(&expected) {
                    let found = world.run(Level::best(), &settings(&scene, mode)).contacts;
                    let label = format!("quality {quality}, run every {every} frames");
                    assert_same(&label, &scene, mode, &found, expected);
                }
            }
        }
    }
}

#[test]
fn parts_rebuilt() {
    for scene in scenes() {
        let expected = expected(&last_step(&scene));
        for seed in 0..4 {
            let mut random = Random::new(seed);
            // Never rebuilt as a whole for its quality: then only its parts are new.
            let mut world = World::new(&scene, 0.0);
            let mut done = 0;
            for step in 0..FRAMES - 1 {
                if step > 0 {
                    world.move_all(&scene, step);
                }
                if random.one_in(2) {
                    done += world.rebuild_nodes(Level::best(), &mut random, 5);
                }
            }
            for (mode, expected) in MODES.into_iter().zip(&expected) {
                done += world.rebuild_nodes(Level::best(), &mut random, 20);
                let found = world.run(Level::best(), &settings(&scene, mode)).contacts;
                assert_same("parts rebuilt", &scene, mode, &found, expected);
            }
            let info = world.info();
            assert!(done > 60 && info.node_rebuild_count == done as u64, "{done} nodes rebuilt: {info:?}");
        }
    }
}

#[test]
fn one_mesh_or_several() {
    for scene in scenes().iter().map(last_step) {
        let expected = expected(&scene);
        // By body: its first vertex and its first triangle in the merged mesh. Ids ascend, so that edges keep their order.
        let mut offsets = BTreeMap::new();
        let mut merged = Body::new(1, Vec::new(), vec![Vec::new(); 2]);
        merged.settings = scene.bodies[0].settings;
        for body in &scene.bodies {
            let first = merged.frames[0].len() as u32;
            offsets.insert(body.id, (first, merged.triangles.len() as u32));
            merged.triangles.extend(body.triangles.iter().map(|triangle| triangle.map(|v| v + first)));
            for (all, frame) in merged.frames.iter_mut().zip(&body.frames) {
                all.extend(frame);
            }
        }
        let one = Scene { name: scene.name, bodies: vec![merged], query: scene.query };
        let mut world = World::new(&one, 0.5);
        for (mode, expected) in MODES.into_iter().zip(&expected) {
            let mut mapped: Vec<Contact> = expected.iter().map(|contact| moved(contact, &offsets)).collect();
            contacts::sort(&mut mapped);
            let found = world.run(Level::best(), &settings(&one, mode)).contacts;
            match mode {
                Mode::All => assert_same("merged", &scene, mode, &found, &mapped),
                Mode::Earliest => {
                    // Of several contacts with the same time, the first one in the order of the merged mesh.
                    let times =
                        |contacts: &[Contact]| contacts.iter().map(|c| c.toi_lower).collect::<Vec<_>>();
                    assert_eq!(times(&found), times(&mapped), "merged: {}", scene.name);
                }
                // The filter is the coarser, the larger a mesh is: some more are left, and hardly one less.
                Mode::Candidates => {
                    let keys: BTreeSet<contacts::Key> = found.iter().map(key).collect();
                    let missed = mapped.iter().filter(|candidate| !keys.contains(&key(candidate))).count();
                    assert!(missed <= mapped.len() / 1000, "merged: {}: {missed} missed", scene.name);
                }
            }
        }
    }
}

/// A contact between bodies as the merged mesh has it.
fn moved(contact: &Contact, offsets: &BTreeMap<u64, (u32, u32)>) -> Contact {
    let (a, b) = (offsets[&contact.mesh_a], offsets[&contact.mesh_b]);
    let of_a = support::brute_force::first_vertices(contact.kind);
    let vertices = std::array::from_fn(|i| contact.vertices[i] + if i < of_a { a.0 } else { b.0 });
    let triangles = [contact.triangles[0] + a.1, contact.triangles[1] + b.1];
    let moved = Contact { mesh_a: 1, mesh_b: 1, vertices, triangles, ..*contact };
    debug_assert!(key(&moved).3 == vertices);
    moved
}
