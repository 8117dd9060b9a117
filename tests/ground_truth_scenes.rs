//! The library on all published scenes: every contact there is and no other, on every SIMD level.

mod support;

use pccd::elementary::Kind;
use support::contacts;
use support::detector::supported_levels;
use support::scene::World;
use support::scene_files::{self, pairs_of};

#[test]
fn published_scenes() {
    let Some(files) = scene_files::load_all() else { return };
    println!(
        "{:<24} {:>7} {:>9} {:>11} {:>10} {:>10} {:>9} {:>9} {:>8} {:>8}",
        "scene", "level", "triangles", "candidates", "vf", "ee", "missed", "added", "ms", "hash"
    );
    let mut failures = Vec::new();
    for file in &files {
        let mut first = None;
        for level in supported_levels() {
            let mut world = World::new(&file.scene, 0.5);
            let found = world.run(level, &file.scene.query);
            let (mut missed, mut added) = (0, 0);
            for (kind, truth) in [(Kind::VertexFace, &file.vertex_face), (Kind::EdgeEdge, &file.edge_edge)] {
                let pairs = pairs_of(&found.contacts, kind);
                missed += truth.difference(&pairs).count();
                added += pairs.difference(truth).count();
            }
            let stats = &found.stats;
            println!(
                "{:<24} {:>7} {:>9} {:>11} {:>10} {:>10} {missed:>9} {added:>9} {:>8.1} {:>8x}",
                file.name,
                format!("{level:?}"),
                stats.triangle_count,
                stats.candidates_vf + stats.candidates_ee,
                stats.contacts_vf,
                stats.contacts_ee,
                stats.ms_total,
                found.hash >> 32
            );
            let mut problems = vec![contacts::check_order(&found.contacts)];
            if missed + added > 0 {
                problems.push(Err(format!("{missed} contacts missed, {added} added")));
            }
            match &first {
                None => first = Some(found.contacts),
                Some(first) => problems.push(contacts::compare(&found.contacts, first)),
            }
            let label = |problem| format!("{} on {level:?}: {problem}", file.name);
            failures.extend(problems.into_iter().filter_map(Result::err).map(label));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
