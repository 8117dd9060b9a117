//! What culling saves and what it costs.
#[path = "../../tests/support/mod.rs"]
mod support;

use pccd::bvh::Culling;
use pccd::detect::QuerySettings;
use pccd::simd::Level;
use support::scene::World;

fn main() {
    let mut scenes: Vec<(String, support::scene::Scene)> = Vec::new();
    for file in support::scene_files::load_all().unwrap_or_default() {
        scenes.push((file.name, file.scene));
    }
    scenes.push(("pipe".into(), support::patches::folded_pipe(96)));
    scenes.push(("waves".into(), support::patches::waves(200, 0.5, 1)));
    let repeat: usize = std::env::var("REPEAT").ok().and_then(|x| x.parse().ok()).unwrap_or(3);
    for (name, scene) in &scenes {
        let mut all = 0;
        for culling in [Culling::None, Culling::Exact, Culling::DualCone] {
            let mut world = World::new(scene, 0.5);
            let settings = QuerySettings { culling, ..scene.query };
            let mut best: Option<pccd::detect::QueryStats> = None;
            let mut contacts = 0;
            for _ in 0..repeat {
                let found = world.run(Level::best(), &settings);
                contacts = found.contacts.len();
                if best.is_none_or(|best| found.stats.ms_total < best.ms_total) {
                    best = Some(found.stats);
                }
            }
            let s = best.unwrap();
            if culling == Culling::None {
                all = contacts;
            }
            println!(
                "{name} {culling:?}: total {:.2} cull {:.2} traverse {:.2} elem {:.2} | node pairs {} leaf pairs {} cand {} | culled {:.1} % of {} | contacts {contacts} missed {} | {:.0} B/tri",
                s.ms_total, s.ms_cull, s.ms_traverse, s.ms_elementary, s.node_pairs, s.leaf_pairs,
                s.candidates_vf + s.candidates_ee,
                100.0 * s.culled_triangles as f64 / s.triangle_count as f64, s.triangle_count,
                all - contacts, s.state_bytes as f64 / s.triangle_count as f64
            );
        }
    }
}
