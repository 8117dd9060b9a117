//! What culling by normals saves, what it costs, and what it misses: without it, exact, and by dual cones as published (FASTCD paper, section 4).
//!
//! `cargo bench --bench culling -- --write-docs` writes `docs/culling.md`. `--rounds N` changes how often each way is measured.

#[path = "../deformation/machine.rs"]
mod machine;
#[path = "../../tests/support/mod.rs"]
mod support;

use pccd::bvh::Culling;
use pccd::detect::{QuerySettings, QueryStats};
use pccd::simd::Level;
use std::collections::BTreeSet;
use support::contacts::{self, key};
use support::patches::{folded_pipe, waves};
use support::scene::{Scene, World};
use support::scene_files;

const WAYS: [(Culling, &str); 3] =
    [(Culling::None, "none"), (Culling::Exact, "exact"), (Culling::DualCone, "dual cones")];

/// What came out of one scene with one kind of culling.
struct Row {
    stats: QueryStats,
    found: usize,
    missed: usize,
}

/// Measures all ways in turn, so that what slows the machine down hits all of them.
fn measure(scene: &Scene, rounds: usize) -> [Row; 3] {
    let mut worlds = WAYS.map(|_| World::new(scene, 0.5));
    let mut best: [Option<QueryStats>; 3] = [None; 3];
    let mut results = [const { Vec::new() }; 3];
    for _ in 0..rounds {
        for (way, (culling, _)) in WAYS.into_iter().enumerate() {
            for body in &scene.bodies {
                worlds[way].set_motion(body.id, &body.frames[0], &body.frames[1]);
            }
            let found = worlds[way].run(Level::best(), &QuerySettings { culling, ..scene.query });
            results[way] = found.contacts;
            if best[way].is_none_or(|best| found.stats.ms_total < best.ms_total) {
                best[way] = Some(found.stats);
            }
        }
    }
    let [none, exact, cones] = &results;
    contacts::compare(exact, none).expect("exact culling changes no bit");
    let all: BTreeSet<_> = none.iter().map(key).collect();
    assert!(cones.iter().all(|contact| all.contains(&key(contact))), "cones make nothing up");
    let mut way = 0;
    best.map(|stats| {
        let found = results[way].len();
        way += 1;
        Row { stats: stats.expect("at least one round"), found, missed: none.len() - found }
    })
}

/// In Markdown.
fn table(rows: &[(String, [Row; 3])]) -> String {
    let mut text = String::from(
        "| scene | triangles | culling | triangles culled | pairs of boxes | culling ratio | pairs of leaves | candidates | \
         culling ms | total ms | time saved | contacts | missed |\n\
         |---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for (name, ways) in rows {
        let without = &ways[0].stats;
        for (row, (_, way)) in ways.iter().zip(WAYS) {
            let stats = &row.stats;
            let share = |part: f64, whole: f64| 100.0 * (1.0 - part / whole);
            text += &format!(
                "| {name} | {} | {way} | {:.1} % | {} | {:.1} % | {} | {} | {:.2} | {:.2} | {:.1} % | {} | {} |\n",
                stats.triangle_count,
                100.0 * stats.culled_triangles as f64 / stats.triangle_count as f64,
                stats.node_pairs,
                share(stats.node_pairs as f64, without.node_pairs as f64),
                stats.leaf_pairs,
                stats.candidates_vf + stats.candidates_ee,
                stats.ms_cull,
                stats.ms_total,
                share(stats.ms_total, without.ms_total),
                row.found,
                row.missed,
            );
        }
    }
    text
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    // Without `--bench` this is a test of the benchmark itself.
    let is_measuring = has("--bench");
    let place = arguments.iter().position(|argument| argument == "--rounds");
    let rounds = place.map_or(if is_measuring { 12 } else { 1 }, |place| {
        arguments.get(place + 1).and_then(|text| text.parse().ok()).expect("--rounds is followed by a number")
    });
    let mut scenes: Vec<(String, Scene)> = vec![
        ("folded pipe".into(), folded_pipe(96)),
        ("waves".into(), waves(if is_measuring { 200 } else { 20 }, 0.5, 1)),
        ("breaking waves".into(), waves(if is_measuring { 200 } else { 20 }, 4.0, 1)),
    ];
    if is_measuring {
        let files = scene_files::load_all().unwrap_or_default();
        scenes.splice(0..0, files.into_iter().map(|file| (file.name, file.scene)));
    }
    let rows: Vec<_> = scenes.into_iter().map(|(name, scene)| (name, measure(&scene, rounds))).collect();
    let table = table(&rows);
    println!("{table}");
    if has("--write-docs") {
        let page = page(&table, rounds);
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/culling.md");
        std::fs::write(path, page).expect("docs can be written");
    }
}

fn page(table: &str, rounds: usize) -> String {
    format!(
        "# Culling by normals\n\n\
         Most pairs of features that a surface with itself is tested for are neighbours, and do not touch. `culling` in `pccd_query_def` leaves out parts of a mesh that have no contact with\n\
         themselves:\n\n\
         - *exact* (`PCCD_CULL_EXACT`): parts that are proved to have none. The proof is in [exactness.md](exactness.md). Contacts are the same bits as without culling; the benchmark fails if not.\n\
         - *dual cones* (`PCCD_CULL_DUAL_CONE`): as published (FASTCD paper, section 4). Edges at which a part meets the rest of its mesh are not looked at, so contacts may be missed.\n\n\
         *Triangles culled* are those of the parts that were left out. The *culling ratio* is how many fewer pairs of boxes were compared, as the paper has it (46.5 % on its cloth, with binary trees down to\n\
         single triangles; boxes here are of eight triangles or more). Culling ms are part of the total. The pipe is the paper's figure 4: a floor that is almost flat and crosses itself. One thread, the fastest of\n\
         {rounds} rounds, all ways in turn.\n\n{table}\n\
         ## What to choose\n\
         \n\
         Of boxes of 64 triangles and more, both ways cull about as many in these scenes, and the exact one needs less than half of the time for it. (It leaves single leaves, of eight triangles, alone: to test them\n\
         takes less time than to prove something.) It pays where large parts of a surface lie in one layer: on waves that do not fold it more than halves the time. In the published scenes cloth lies in many layers close to each other: most boxes\n\
         of 64 triangles have pieces of several layers, and what is in several pieces is not culled. There it saves nothing and costs up to 6 %, so it is off by default.\n\
         \n\
         Measured on {}, {}. To repeat: `cargo bench --bench culling -- --write-docs`.\n",
        machine::machine(),
        machine::date()
    )
}
