//! Whether traversal costs tell how many tests there will be (FASTCD paper, section 5.2.1): random trees of one model, what they are expected to cost, and what they do cost.

use super::models::{self, Model, Random};
use pccd::bvh::{Bvh, BvhSettings, Tree, Workspace};
use pccd::detect::{MeshQuery, Mode, QuerySettings, SchedulerKind};
use pccd::memory::Memory;
use pccd::schedule::{Crew, Pool};
use pccd::simd::Level;
use std::num::NonZeroUsize;

pub struct Correlation {
    pub name: &'static str,
    pub triangle_count: usize,
    pub own: f64,
    pub inter: f64,
}

/// Splits by random planes along random axes, at multiples of what a leaf holds.
fn random_order(random: &mut Random, centres: &[[f64; 3]], order: &mut [u32]) {
    if order.len() <= 8 {
        return;
    }
    let axis = random.below(3);
    order.sort_unstable_by(|&a, &b| centres[a as usize][axis].total_cmp(&centres[b as usize][axis]));
    let leaves = order.len().div_ceil(8);
    let middle = 8 * (1 + random.below((leaves - 1).max(1))).min(leaves - 1).max(1);
    let (left, right) = order.split_at_mut(middle.min(order.len()));
    random_order(random, centres, left);
    random_order(random, centres, right);
}

fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let count = pairs.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(&|pair| pair.0), mean(&|pair| pair.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|pair| of(pair.0 - x, pair.1 - y)).sum::<f64>();
    sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt()
}

pub fn measure(triangles: usize, trees: usize, placements: usize) -> Vec<Correlation> {
    let models = models::all(triangles);
    let mut results = Vec::new();
    for (number, model) in models.iter().enumerate() {
        // against the next model
        let other = &models[(number + 1) % models.len()];
        results.push(of_model(model, other, trees, placements));
    }
    results
}

fn of_model(model: &Model, other: &Model, trees: usize, placements: usize) -> Correlation {
    let memory = Memory::new(None).expect("the system has memory");
    let mut random = Random(9);
    let mesh = models::mesh(&memory, model);
    let centres: Vec<[f64; 3]> = model
        .triangles
        .iter()
        .map(|t| std::array::from_fn(|axis| t.iter().map(|&v| model.points[v as usize][axis]).sum::<f64>()))
        .collect();
    let crew = Crew::Pool(Pool::new(NonZeroUsize::MIN).expect("one worker needs no thread"));
    let settings = QuerySettings { mode: Mode::Candidates, capacity: 0, ..QuerySettings::default() };
    let never = BvhSettings { rebuild_quality: 0.0, volume_ratio: 0.0, ..BvhSettings::DEFAULT };
    let mut workspace = Workspace::new(&memory);
    // The other model, turned and shifted at random: the same places for all trees.
    let mut others: Vec<pccd::mesh::Mesh> = Vec::new();
    for _ in 0..placements {
        let (turn, shift) = (random.between(0.0, std::f64::consts::TAU), random.direction());
        let mut moved = Model { name: other.name, points: Vec::new(), triangles: other.triangles.clone() };
        let (sin, cos) = turn.sin_cos();
        moved.points.extend(other.points.iter().map(|p| {
            let [x, y, z] = [cos * p[0] - sin * p[1], sin * p[0] + cos * p[1], p[2]];
            [x + 0.5 * shift[0], cos * y - sin * z + 0.5 * shift[1], sin * y + cos * z + 0.5 * shift[2]]
        }));
        others.push(models::mesh(&memory, &moved));
    }
    let (mut own, mut inter) = (Vec::new(), Vec::new());
    let mut query = MeshQuery::new(&memory, settings);
    for _ in 0..trees {
        let mut order: Vec<u32> = (0..model.triangles.len() as u32).collect();
        random_order(&mut random, &centres, &mut order);
        let new_tree = |workspace: &mut Workspace| {
            Tree::from_order(&memory, Level::best(), &mesh, &order, workspace).expect("the system has memory")
        };
        let expected = new_tree(&mut workspace).traversal_cost();
        let mut bvh = Bvh::new(&memory, Level::best(), never);
        bvh.add(1, &mesh).expect("the system has memory");
        *bvh.bodies_mut()[0].tree = new_tree(&mut workspace);
        let tests =
            |query: &mut MeshQuery, bvh: &mut Bvh, within: bool, second: Option<&pccd::mesh::Mesh>| {
                query.settings = QuerySettings { within_meshes: within, between_meshes: !within, ..settings };
                let mesh_of = |id: u64| if id == 1 { &mesh } else { second.expect("there is a second one") };
                query
                    .run(&crew, SchedulerKind::Assignment, Level::best(), bvh, &mesh_of)
                    .expect("the system has memory");
                query.stats().node_pairs as f64
            };
        own.push((expected.own as f64, tests(&mut query, &mut bvh, true, None)));
        let mut sum = 0.0;
        for second in &others {
            bvh.add(2, second).expect("the system has memory");
            sum += tests(&mut query, &mut bvh, false, Some(second));
            bvh.remove(2);
        }
        inter.push((expected.inter as f64, sum / placements as f64));
    }
    Correlation {
        name: model.name,
        triangle_count: model.triangles.len(),
        own: correlation(&own),
        inter: correlation(&inter),
    }
}
