//! The library on random scenes against a brute force over all pairs of features: the same contacts, in the same order,
//! with the same bits.

mod support;

use pccd::detect::{Contact, Mode, QuerySettings};
use pccd::simd::Level;
use std::collections::BTreeMap;
use support::brute_force::{self, Features};
use support::contacts::{self, key};
use support::detector::supported_levels;
use support::random::Random;
use support::scene::{Body, Found, Point, Scene, World};
use support::scene_runs::{Outcome, Tally, for_each_scene, variable};
use support::scenes::generate;

/// Scenes of the main test. The others take a share of them.
fn scene_count() -> usize {
    variable("PCCD_SCENES", 3000)
}

#[test]
fn all_contacts() {
    let mut tally = Tally::default();
    for_each_scene("all contacts", scene_count(), &mut tally, |seed, number| {
        let scene = generate(seed, number, 1);
        let expected = brute_force::all_contacts(Level::best(), &scene, 0);
        let outcome = Outcome::of(&scene, &expected);
        let mut world = World::new(&scene, 0.5);
        let mut hashes = Vec::new();
        for level in supported_levels() {
            let found = world.run(level, &scene.query);
            contacts::compare(&found.contacts, &expected).map_err(|e| format!("{level:?}: {e}"))?;
            check_stats(&scene, &found)?;
            hashes.push(found.hash);
        }
        if hashes.iter().any(|hash| *hash != hashes[0]) {
            return Err(format!("the hash depends on the level: {hashes:x?}"));
        }
        check_meshes(&scene, &world)?;
        Ok(outcome)
    });
    tally.print();
    tally.require_variety();
}

fn check_stats(scene: &Scene, found: &Found) -> Result<(), String> {
    let stats = &found.stats;
    let kept = stats.contacts_vf + stats.contacts_ee - stats.dropped;
    let candidates = stats.candidates_vf + stats.candidates_ee;
    let triangles = scene.triangle_count() as u64;
    if kept != found.contacts.len() as u64 || candidates < kept || stats.triangle_count != triangles {
        return Err(format!("{} contacts, {triangles} triangles, but {stats:?}", found.contacts.len()));
    }
    let phases = [stats.ms_update, stats.ms_traverse, stats.ms_elementary, stats.ms_sort, stats.ms_total];
    if !phases.iter().all(|ms| ms.is_finite() && *ms >= 0.0) {
        return Err(format!("times that are none: {stats:?}"));
    }
    Ok(())
}

fn check_meshes(scene: &Scene, world: &World) -> Result<(), String> {
    for body in &scene.bodies {
        let mesh = world.mesh(body.id);
        let counts = (mesh.vertex_count(), mesh.triangle_count(), mesh.edge_count());
        let edges = Features::new(&body.triangles).edges.len();
        let expected = (body.frames[0].len(), body.triangles.len(), edges);
        if counts != expected {
            return Err(format!("vertices, triangles and edges: {counts:?} instead of {expected:?}"));
        }
        let repeating = body.triangles.iter().filter(|[a, b, c]| a == b || b == c || c == a).count();
        let degenerate = mesh.degenerate_triangle_count();
        if degenerate < repeating || degenerate > body.triangles.len() {
            return Err(format!("{degenerate} degenerate triangles, {repeating} with a repeated vertex"));
        }
    }
    let info = world.info();
    if (info.mesh_count, info.triangle_count) != (scene.bodies.len(), scene.triangle_count()) {
        return Err(format!("another scene: {info:?}"));
    }
    Ok(())
}

#[test]
fn earliest_contact() {
    let mut tally = Tally::default();
    for_each_scene("earliest contact", scene_count() / 3, &mut tally, |seed, number| {
        let scene = generate(seed, number, 1);
        let all = brute_force::all_contacts(Level::best(), &scene, 0);
        let first =
            all.iter().min_by(|a, b| a.toi_lower.total_cmp(&b.toi_lower).then_with(|| key(a).cmp(&key(b))));
        let expected: Vec<Contact> = first.copied().into_iter().collect();
        let settings = QuerySettings { mode: Mode::Earliest, ..scene.query };
        let mut world = World::new(&scene, 0.5);
        for level in supported_levels() {
            let found = world.run(level, &settings);
            contacts::compare(&found.contacts, &expected).map_err(|e| format!("{level:?}: {e}"))?;
        }
        Ok(Outcome::of(&scene, &all))
    });
}

#[test]
fn candidates() {
    let mut tally = Tally::default();
    for_each_scene("candidates", scene_count() / 3, &mut tally, |seed, number| {
        let scene = generate(seed, number, 1);
        let all = brute_force::all_contacts(Level::best(), &scene, 0);
        let settings = QuerySettings { mode: Mode::Candidates, ..scene.query };
        let mut world = World::new(&scene, 0.5);
        let found = world.run(Level::best(), &settings);
        check_candidates(&scene, &found, &all)?;
        for level in supported_levels() {
            let same = world.run(level, &settings);
            contacts::compare(&same.contacts, &found.contacts).map_err(|e| format!("{level:?}: {e}"))?;
        }
        Ok(Outcome::of(&scene, &all))
    });
}

fn check_candidates(scene: &Scene, found: &Found, all: &[Contact]) -> Result<(), String> {
    contacts::check_order(&found.contacts)?;
    let keys: Vec<contacts::Key> = found.contacts.iter().map(key).collect();
    if let Some(missed) = all.iter().find(|contact| keys.binary_search(&key(contact)).is_err()) {
        return Err(format!("a contact that is no candidate: {missed:?}"));
    }
    let features: BTreeMap<u64, Features> =
        scene.bodies.iter().map(|body| (body.id, Features::new(&body.triangles))).collect();
    for candidate in &found.contacts {
        brute_force::check_pair(scene, &features, candidate)?;
        let undecided = (candidate.toi_lower, candidate.toi_upper, candidate.at_start()) == (0.0, 1.0, false);
        if !undecided || candidate.weights != [0.0; 4] || candidate.normal != [0.0; 3] {
            return Err(format!("not as candidates are: {candidate:?}"));
        }
    }
    // Those that the filter drops are counted, and with a separation nothing is filtered.
    let counted = found.stats.candidates_vf + found.stats.candidates_ee;
    let listed = found.contacts.len() as u64;
    let separated = scene.query.elementary.min_separation > 0.0;
    if counted < listed || (separated && counted != listed) {
        return Err(format!("{listed} candidates, but {:?}", found.stats));
    }
    Ok(())
}

#[test]
fn capacity() {
    let mut tally = Tally::default();
    for_each_scene("capacity", scene_count() / 6, &mut tally, |seed, number| {
        let scene = generate(seed, number, 1);
        let mut world = World::new(&scene, 0.5);
        for mode in [Mode::All, Mode::Candidates] {
            let unlimited = QuerySettings { mode, ..scene.query };
            let all = world.run(Level::best(), &unlimited).contacts;
            if mode == Mode::All {
                contacts::compare(&all, &brute_force::all_contacts(Level::best(), &scene, 0))?;
            }
            for capacity in [1, 2, 8, all.len() / 2, all.len().saturating_sub(1), all.len(), all.len() + 1] {
                if capacity == 0 {
                    continue;
                }
                let found = world.run(Level::best(), &QuerySettings { capacity, ..unlimited });
                let kept = all.len().min(capacity);
                contacts::compare(&found.contacts, &all[..kept])
                    .map_err(|e| format!("{mode:?}, capacity {capacity} of {}: {e}", all.len()))?;
                if found.stats.dropped != (all.len() - kept) as u64 {
                    return Err(format!("{mode:?}, capacity {capacity} of {}: {:?}", all.len(), found.stats));
                }
            }
        }
        Ok(Outcome { triangles: scene.triangle_count(), ..Outcome::default() })
    });
}

/// Several steps in a row with the same hierarchy, which is refitted and rebuilt; bodies come, rest, jump and go.
#[test]
fn steps_in_a_row() {
    const STEPS: usize = 5;
    let mut tally = Tally::default();
    for_each_scene("steps in a row", scene_count() / 10, &mut tally, |seed, number| {
        let mut random = Random::stream(seed ^ 0x57e9, number as u64);
        let full = generate(seed, number, STEPS);
        let quality = *random.pick(&[0.0, 0.5, 1.0]);
        // What the library should know at the moment: every body with the two frames of its motion.
        let mut now = Scene { bodies: full.bodies.iter().map(|body| at_step(body, 0)).collect(), ..full };
        // The last body waits outside at first.
        let mut outside: Vec<Body> = now.bodies.split_off(now.bodies.len() - random.below(2));
        let mut world = World::new(&now, quality);
        let mut outcome = Outcome::default();
        for step in 0..STEPS {
            if step > 0 {
                for body in &mut now.bodies {
                    let next = &full_frames(&full.bodies, body.id)[step + 1];
                    move_somehow(&mut random, &mut world, body, next);
                }
            }
            let level = *random.pick(&supported_levels());
            let expected = brute_force::all_contacts(Level::best(), &now, 0);
            let found = world.run(level, &now.query);
            contacts::compare(&found.contacts, &expected)
                .map_err(|e| format!("step {step}, quality {quality}, {level:?}: {e}"))?;
            check_meshes(&now, &world).map_err(|e| format!("step {step}: {e}"))?;
            outcome.add(&Outcome::of(&now, &expected));
            if random.one_in(2) {
                if let Some(body) = outside.pop() {
                    world.add(&body, 0);
                    now.bodies.push(body);
                } else if now.bodies.len() > 1 {
                    let gone = now.bodies.remove(random.below(now.bodies.len()));
                    world.remove(gone.id);
                    outside.push(gone);
                }
            }
        }
        Ok(outcome)
    });
    tally.print();
}

fn at_step(body: &Body, step: usize) -> Body {
    Body { frames: body.frames[step..step + 2].to_vec(), triangles: body.triangles.clone(), ..*body }
}

fn full_frames(bodies: &[Body], id: u64) -> &[Vec<Point>] {
    &bodies.iter().find(|body| body.id == id).expect("a body of the scene").frames
}

fn move_somehow(random: &mut Random, world: &mut World, body: &mut Body, next: &[Point]) {
    match random.below(6) {
        // It isn't moved: it keeps the motion that it has.
        0 => {}
        // It jumps, and rests there.
        1 => {
            body.frames = vec![next.to_vec(), next.to_vec()];
            world.set_motion(body.id, next, next);
        }
        _ => {
            body.frames = vec![body.frames[1].clone(), next.to_vec()];
            world.move_to(body.id, next);
        }
    }
}

/// Triangles whose swept box overlaps a box.
#[test]
fn overlap_of_a_box() {
    let mut tally = Tally::default();
    for_each_scene("overlap of a box", scene_count() / 10, &mut tally, |seed, number| {
        let mut random = Random::stream(seed ^ 0xb0c5, number as u64);
        let scene = generate(seed, number, 1);
        let mut world = World::new(&scene, 0.5);
        let points: Vec<Point> = scene.bodies.iter().flat_map(|body| body.frames.concat()).collect();
        for _ in 0..8 {
            // Corners at vertices: boxes that only touch are among them.
            let corner =
                |random: &mut Random| if points.is_empty() { [0.0; 3] } else { *random.pick(&points) };
            let (p, q) = (corner(&mut random), corner(&mut random));
            let lower: Point = std::array::from_fn(|axis| p[axis].min(q[axis]));
            let upper: Point = std::array::from_fn(|axis| p[axis].max(q[axis]));
            let mut found = world.overlap(lower, upper);
            found.sort_unstable();
            let expected = overlap_by_brute_force(&scene, lower, upper);
            if found != expected {
                return Err(format!("{lower:?} to {upper:?}: {found:?} instead of {expected:?}"));
            }
        }
        Ok(Outcome { triangles: scene.triangle_count(), ..Outcome::default() })
    });
}

fn overlap_by_brute_force(scene: &Scene, lower: Point, upper: Point) -> Vec<(u64, u32)> {
    let mut found = Vec::new();
    for body in &scene.bodies {
        for (triangle, vertices) in body.triangles.iter().enumerate() {
            let inside = |axis: usize| {
                let along = || {
                    let frames = body.frames[..2].iter();
                    frames.flat_map(|frame| vertices.map(|vertex| frame[vertex as usize][axis]))
                };
                along().any(|x| x <= upper[axis]) && along().any(|x| x >= lower[axis])
            };
            if (0..3).all(inside) {
                found.push((body.id, triangle as u32));
            }
        }
    }
    found.sort_unstable();
    found
}
