//! Random scenes that are small enough for a brute force. A scene depends on seed and number only.

pub mod defects;
pub mod motions;
pub mod shapes;

use super::random::Random;
use super::scene::{Body, Point, Scene, default_mesh_settings};
use motions::{Motion, Turn, add};
use pccd::detect::QuerySettings;
use pccd::elementary::Settings;
use pccd::mesh::MeshSettings;
use shapes::Shape;

pub const SORTS: [&str; 10] = [
    "few triangles",
    "soup",
    "tangle",
    "grids",
    "folded cloth",
    "spheres",
    "books",
    "mixed bodies",
    "lattice",
    "through each other",
];

/// Numbers are multiplied by the first and then moved by at most the second.
const PLACES: [(f64, f64, &str); 9] = [
    (1.0, 1e6, "1e6 away"),
    (1e-6, 0.0, "tiny"),
    (1e-6, 1.0, "tiny, 1 away"),
    (1e30, 0.0, "huge"),
    (1e40, 0.0, "beyond f32"),
    (1e-42, 0.0, "below f32"),
    (1e3, 1e9, "1e9 away"),
    (1e100, 0.0, "1e100"),
    (1.0 / 1048576.0, 0.0, "small by a power of two"),
];

/// The scene with the given number, with one more frame than it has steps.
pub fn generate(seed: u64, number: usize, steps: usize) -> Scene {
    let mut random = Random::stream(seed, number as u64);
    let random = &mut random;
    let sort = number % SORTS.len();
    let bodies = bodies(random, sort);
    // Most scenes are where the numbers are fine; a third is in one of the other places.
    let place = if random.one_in(3) { Some(*random.pick(&PLACES)) } else { None };
    let (scale, far, _) = place.unwrap_or((1.0, 0.0, ""));
    let offset = shapes::point_in_cube(random, far);
    let as_floats = random.one_in(2);
    let query = query_settings(random, scale);
    let mut ids: Vec<u64> = (0..bodies.len() as u64).map(|i| 3 * i + random.below(3) as u64).collect();
    if random.one_in(2) {
        ids.iter_mut().for_each(|id| *id += 0x1_0000_0000);
    }
    random.shuffle(&mut ids);
    // Separation makes nearly everything in a tight scene a contact: keep that rare and the rest exact.
    let separation = query.min_separation > 0.0 || random.one_in(8);
    let common = Motion::random(random);
    let bodies = bodies
        .into_iter()
        .zip(ids)
        .map(|(shape, id)| {
            let motion = if random.one_in(2) { common } else { Motion::random(random) };
            let mut frames = vec![shape.points];
            for step in 0..steps {
                let motion = if step == 0 { motion } else { Motion::random(random) };
                let next = motion.apply(random, &frames[step]);
                // Steps that grow would leave the place within a few frames.
                frames.push(next.iter().map(|point| point.map(|x| x.clamp(-1e20, 1e20))).collect());
            }
            for point in frames.iter_mut().flatten() {
                *point = placed(*point, scale, offset, as_floats);
            }
            let settings = mesh_settings(random, if separation { scale } else { 0.0 });
            Body { id, settings, triangles: shape.triangles, frames }
        })
        .collect();
    let mut settings = QuerySettings { elementary: query, ..QuerySettings::default() };
    if random.one_in(12) {
        settings.within_meshes = false;
    } else if random.one_in(12) {
        settings.between_meshes = false;
    }
    Scene { name: SORTS[sort], bodies, query: settings }
}

fn placed(point: Point, scale: f64, offset: Point, as_floats: bool) -> Point {
    std::array::from_fn(|axis| {
        let x = scale * point[axis] + offset[axis];
        let float = f64::from(x as f32);
        if as_floats && float.is_finite() { float } else { x }
    })
}

/// How many triangles: mostly few, and not a multiple of anything.
fn triangle_count(random: &mut Random) -> usize {
    match random.below(20) {
        0..8 => 1 + random.below(12),
        8..15 => 8 + random.below(40),
        15..19 => 40 + random.below(100),
        _ => 100 + random.below(250),
    }
}

fn bodies(random: &mut Random, sort: usize) -> Vec<Shape> {
    let count = triangle_count(random);
    let mut bodies = match SORTS[sort] {
        "few triangles" => (0..1 + random.below(3)).map(|_| few_triangles(random)).collect(),
        "soup" => vec![shapes::soup(random, count)],
        "tangle" => vec![shapes::tangle(random, count.min(60))],
        "grids" => several(random, count, shapes::hilly_grid),
        "folded cloth" => vec![shapes::folded_cloth(random, count)],
        "spheres" => several(random, count, shapes::sphere),
        "books" => several(random, count.min(40), shapes::book),
        "mixed bodies" => (0..2 + random.below(5)).map(|_| any_shape(random, count / 3 + 1)).collect(),
        "lattice" => lattice(random, count.min(80)),
        _ => {
            // A body and its copy, turned and a little aside: everything is close to everything.
            let first = any_shape(random, count / 2 + 1);
            let mut second = first.clone();
            place_body(random, &mut second);
            vec![first, second]
        }
    };
    for body in &mut bodies {
        if random.one_in(3) {
            defects::add_some(random, body);
        }
    }
    bodies
}

fn any_shape(random: &mut Random, count: usize) -> Shape {
    let make: [fn(&mut Random, usize) -> Shape; 6] = [
        shapes::soup,
        shapes::tangle,
        shapes::hilly_grid,
        shapes::folded_cloth,
        shapes::sphere,
        shapes::book,
    ];
    let mut shape = random.pick(&make)(random, count.min(80));
    if random.one_in(2) {
        place_body(random, &mut shape);
    }
    shape
}

/// One to four bodies with `count` triangles together.
fn several(random: &mut Random, count: usize, make: fn(&mut Random, usize) -> Shape) -> Vec<Shape> {
    let bodies = 1 + random.below(4);
    (0..bodies)
        .map(|_| {
            let mut shape = make(random, count / bodies + 1);
            place_body(random, &mut shape);
            shape
        })
        .collect()
}

/// Turns a body and moves it a little.
fn place_body(random: &mut Random, shape: &mut Shape) {
    let turn = Turn::random(random);
    let by = shapes::point_in_cube(random, 0.6);
    for point in &mut shape.points {
        *point = add(turn.apply(*point), by);
    }
}

/// No triangle at all, one, two; vertices without triangles.
fn few_triangles(random: &mut Random) -> Shape {
    let count = random.below(4);
    let vertices = if count == 0 { random.below(3) } else { 3 * count };
    let points = (0..vertices).map(|_| shapes::point_in_cube(random, 0.5)).collect();
    let triangles = (0..count as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Shape { points, triangles }
}

/// Coordinates with few bits: touching, coplanar, collinear and coincident features everywhere.
fn lattice(random: &mut Random, count: usize) -> Vec<Shape> {
    let bodies = 1 + random.below(3);
    (0..bodies)
        .map(|_| {
            let mut shape = shapes::soup(random, count / bodies + 1);
            let reach = 2 + random.integer(0, 6);
            for triangle in &shape.triangles {
                let corner = shapes::lattice_point(random, reach);
                for &vertex in triangle {
                    shape.points[vertex as usize] = add(corner, shapes::lattice_point(random, 2));
                }
            }
            if random.one_in(2) { shapes::weld(&shape) } else { shape }
        })
        .collect()
}

/// A length for separations at a scale: a power of two, so that sums of a few of them are exact in any order.
fn separation_unit(scale: f64) -> f64 {
    if scale == 0.0 { 0.0 } else { (0.01 * scale).log2().floor().exp2() }
}

fn query_settings(random: &mut Random, scale: f64) -> Settings {
    let mut settings = Settings::default();
    if random.one_in(4) {
        settings.min_separation = *random.pick(&[0.25, 1.0, 3.0]) * separation_unit(scale);
    }
    if random.one_in(4) {
        settings.toi_tolerance = *random.pick(&[1e-3, 1e-9]);
    }
    settings
}

fn mesh_settings(random: &mut Random, scale: f64) -> MeshSettings {
    let mut settings = default_mesh_settings();
    if random.one_in(3) {
        settings.thickness = random.below(4) as f64 * separation_unit(scale);
    }
    if random.one_in(8) {
        settings.self_collision = false;
    }
    if random.one_in(4) {
        settings.category = *random.pick(&[1, 2, 6, 1 << 63, 0]);
        settings.mask = *random.pick(&[u64::MAX, 1, 3, 1 | 1 << 63, 0]);
    }
    settings
}
