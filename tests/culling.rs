//! Parts of meshes that are not tested with themselves: the exact culling changes no bit of any result, whatever the surface; that by dual cones loses contacts where
//! it is known to.

mod support;

use pccd::bvh::Culling;
use pccd::detect::{Mode, QuerySettings};
use pccd::simd::Level;
use support::brute_force;
use support::contacts;
use support::detector::supported_levels;
use support::patches::{folded_pipe, grown_surface, waves};
use support::random::Random;
use support::scene::{Scene, World, pool};
use support::scene_files;
use support::scene_runs::{Outcome, Tally, for_each_scene, variable};
use support::scenes::generate;

fn with(scene: &Scene, culling: Culling) -> QuerySettings {
    QuerySettings { culling, ..scene.query }
}

/// Runs with exact culling on all levels and compares with what is expected; returns the triangles that were culled.
fn check_exact(scene: &Scene, expected: &[pccd::detect::Contact]) -> Result<u64, String> {
    let mut world = World::new(scene, 0.5);
    let mut culled = None;
    for level in supported_levels() {
        let found = world.run(level, &with(scene, Culling::Exact));
        contacts::compare(&found.contacts, expected).map_err(|e| format!("{level:?}: {e}"))?;
        if culled.is_some_and(|culled| culled != found.stats.culled_triangles) {
            return Err(format!("{level:?} culls something else"));
        }
        culled = Some(found.stats.culled_triangles);
    }
    Ok(culled.unwrap_or(0))
}

#[test]
fn exact_culling_of_random_scenes() {
    let mut tally = Tally::default();
    for_each_scene("exact culling", variable("PCCD_SCENES", 3000) / 4, &mut tally, |seed, number| {
        let scene = generate(seed, number, 1);
        let expected = brute_force::all_contacts(Level::best(), &scene, 0);
        check_exact(&scene, &expected)?;
        Ok(Outcome::of(&scene, &expected))
    });
    tally.print();
}

/// Surfaces at the edge of what can be culled, against brute force. Enough of them are culled, wholly or in part, and enough have contacts.
#[test]
fn exact_culling_of_grown_surfaces() {
    let count = variable("PCCD_SCENES", 3000) / 2;
    let (mut culled, mut touching, mut both) = (0, 0, 0);
    for number in 0..count {
        let mut random = Random::stream(0xc0de, number as u64);
        let most = *random.pick(&[16, 32, 120]);
        let triangles = random.integer(9, most) as usize;
        let scene = grown_surface(&mut random, triangles);
        let expected = brute_force::all_contacts(Level::best(), &scene, 0);
        let found = check_exact(&scene, &expected).unwrap_or_else(|e| panic!("surface {number}: {e}"));
        culled += usize::from(found > 0);
        touching += usize::from(!expected.is_empty());
        both += usize::from(found > 0 && !expected.is_empty());
    }
    println!("{count} surfaces: {culled} with culled parts, {touching} with contacts, {both} with both");
    assert!(culled > count / 50 && touching > count / 5 && both > 0);
}

/// Sheets that fold over several frames, with rebuilds, all thread counts: what is found is what is found without culling, and what cones find does not depend on the
/// number of threads either.
#[test]
fn waves_with_any_number_of_threads() {
    const STEPS: usize = 4;
    for steepness in [0.5, 1.5, 4.0] {
        let scene = waves(60, steepness, STEPS);
        let mut expected: [Option<(u64, u64)>; STEPS] = [None; STEPS];
        for workers in [1, 2, 3, 7] {
            let mut worlds = [Culling::None, Culling::Exact, Culling::DualCone].map(|culling| {
                let mut world = World::new(&scene, 0.5);
                world.crew = pool(workers);
                (culling, world)
            });
            for (step, expected) in expected.iter_mut().enumerate() {
                let [none, exact, cones] = worlds.each_mut().map(|(culling, world)| {
                    if step > 0 {
                        world.move_all(&scene, step);
                    }
                    world.run(Level::best(), &with(&scene, *culling))
                });
                assert_eq!(none.stats.culled_triangles, 0);
                assert_eq!(none.hash, exact.hash, "steepness {steepness}, {workers} workers, step {step}");
                contacts::compare(&exact.contacts, &none.contacts).expect("the same bits");
                let triangles = none.stats.triangle_count;
                let culled = exact.stats.culled_triangles as f64 / triangles as f64;
                assert!(steepness > 1.0 || culled > 0.5, "culled only {culled} of waves that do not fold");
                let hashes = (none.hash, cones.hash);
                assert_eq!(*expected.get_or_insert(hashes), hashes, "{workers} workers, step {step}");
            }
        }
    }
}

/// Nodes that are sorted anew between runs have other patches; so have trees that are built anew.
#[test]
fn patches_follow_rebuilds() {
    const STEPS: usize = 12;
    let scene = waves(40, 3.0, STEPS);
    let mut random = Random::new(7);
    let [mut plain, mut culling] = [World::new(&scene, 0.0), World::new(&scene, 0.0)];
    let (mut rebuilt, mut culled, mut touching) = (0, 0, 0);
    for step in 0..STEPS {
        if step > 0 {
            plain.move_all(&scene, step);
            culling.move_all(&scene, step);
        }
        for _ in 0..3 {
            rebuilt += culling.rebuild_nodes(Level::best(), &mut random, 5);
            let way = *random.pick(&[Culling::Exact, Culling::Exact, Culling::DualCone]);
            let none = plain.run(Level::best(), &with(&scene, Culling::None));
            let found = culling.run(Level::best(), &with(&scene, way));
            if way == Culling::Exact {
                contacts::compare(&found.contacts, &none.contacts).expect("the same bits");
                culled += found.stats.culled_triangles;
                touching += usize::from(!none.contacts.is_empty());
            }
        }
    }
    println!("{rebuilt} nodes rebuilt, {culled} triangles culled, {touching} runs with contacts");
    assert!(rebuilt > 20 && culled > 0 && touching > 10);
}

/// Figure 4 of the FASTCD paper: an almost flat part of a pipe that crosses itself.
#[test]
fn a_folded_pipe_defeats_dual_cones() {
    let scene = folded_pipe(96);
    let mut world = World::new(&scene, 0.5);
    let all = world.run(Level::best(), &with(&scene, Culling::None));
    let exact = world.run(Level::best(), &with(&scene, Culling::Exact));
    let cones = world.run(Level::best(), &with(&scene, Culling::DualCone));
    contacts::compare(&exact.contacts, &all.contacts).expect("the same bits");
    assert!(exact.stats.culled_triangles > 0);
    // Cones lose contacts, and make none up.
    let keys: Vec<_> = all.contacts.iter().map(contacts::key).collect();
    assert!(cones.contacts.iter().all(|contact| keys.binary_search(&contacts::key(contact)).is_ok()));
    let missed = all.contacts.len() - cones.contacts.len();
    println!("{} contacts, {missed} missed by dual cones", all.contacts.len());
    assert!(missed > 0);
}

/// Only contacts at distance 0 are culled: lists of candidates and results with a separation are the same, because nothing is.
#[test]
fn only_contacts_are_culled() {
    let flat = waves(20, 0.5, 1);
    let mut thick = flat.clone();
    thick.bodies[0].settings.thickness = 1e-3;
    let mut apart = flat.clone();
    apart.query.elementary.min_separation = 1e-3;
    let mut candidates = flat.clone();
    candidates.query.mode = Mode::Candidates;
    for culling in [Culling::Exact, Culling::DualCone] {
        for scene in [&thick, &apart, &candidates] {
            let mut world = World::new(scene, 0.5);
            let none = world.run(Level::best(), &scene.query);
            let found = world.run(Level::best(), &with(scene, culling));
            assert_eq!(found.stats.culled_triangles, 0);
            contacts::compare(&found.contacts, &none.contacts).expect("the same bits");
        }
        let mut world = World::new(&flat, 0.5);
        assert!(world.run(Level::best(), &with(&flat, culling)).stats.culled_triangles > 0);
        let earliest = QuerySettings { mode: Mode::Earliest, ..flat.query };
        let none = world.run(Level::best(), &earliest);
        let found = world.run(Level::best(), &QuerySettings { culling, ..earliest });
        contacts::compare(&found.contacts, &none.contacts).expect("the same bits");
    }
}

#[test]
fn exact_culling_of_published_scenes() {
    let Some(scenes) = scene_files::load_all() else { return };
    for file in scenes {
        let mut world = World::new(&file.scene, 0.5);
        let none = world.run(Level::best(), &with(&file.scene, Culling::None));
        let exact = world.run(Level::best(), &with(&file.scene, Culling::Exact));
        contacts::compare(&exact.contacts, &none.contacts).unwrap_or_else(|e| panic!("{}: {e}", file.name));
        assert!(exact.stats.culled_triangles > 0, "{}", file.name);
    }
}
