//! Random polygon soups, each aimed at one way to go wrong.

use super::random::Random;
use super::scene::{Body, Point, Scene, default_mesh_settings};

/// Sorts of soups.
pub const KINDS: [&str; 12] = [
    "lattice",
    "shared vertices",
    "doubles",
    "coplanar",
    "slivers",
    "degenerate",
    "duplicates",
    "height 30",
    "far away",
    "huge and tiny",
    "nearly touching",
    "two meshes",
];

/// The soup of a number: a few triangles in one mesh or several.
pub fn soup(seed: u64, number: u64) -> Scene {
    let mut random = Random::stream(seed, number);
    let kind = number as usize % KINDS.len();
    let count = 2 + random.below(9);
    let body_count = match KINDS[kind] {
        "two meshes" => 2 + random.below(3),
        _ => 1 + usize::from(random.one_in(6)),
    };
    let mut ids: Vec<u64> = (1..=body_count as u64).map(|id| id * 7).collect();
    random.shuffle(&mut ids);
    let mut bodies: Vec<Body> = ids
        .into_iter()
        .map(|id| {
            let (vertices, triangles) = mesh(&mut random, KINDS[kind], count.div_ceil(body_count).max(1));
            Body::new(id, triangles, vec![vertices.clone(), vertices])
        })
        .collect();
    let mut scene = Scene::new(KINDS[kind], Vec::new());
    if random.one_in(5) {
        scene.query.within_meshes = random.one_in(2);
        scene.query.between_meshes = !scene.query.within_meshes || random.one_in(2);
    }
    for body in &mut bodies {
        if random.one_in(12) {
            body.settings.self_collision = false;
        }
        if random.one_in(12) {
            (body.settings.category, body.settings.mask) = (1 << random.below(2), 1 << random.below(2));
        } else {
            body.settings = crate_settings(body.settings.self_collision);
        }
    }
    scene.bodies = bodies;
    scene
}

fn crate_settings(self_collision: bool) -> pccd::mesh::MeshSettings {
    pccd::mesh::MeshSettings { self_collision, ..default_mesh_settings() }
}

fn mesh(random: &mut Random, kind: &str, count: usize) -> (Vec<Point>, Vec<[u32; 3]>) {
    let lattice = |random: &mut Random| [0; 3].map(|_| random.integer(-3, 3) as f64);
    let anywhere = |random: &mut Random| [0; 3].map(|_| random.between(-1.0, 1.0));
    let mut vertices: Vec<Point> = Vec::new();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    let mut add = |points: [Point; 3]| {
        let first = vertices.len() as u32;
        vertices.extend(points);
        triangles.push([first, first + 1, first + 2]);
    };
    // Where small triangles are put: on the first one.
    let mut anchor = [0.25, 0.25, 0.0];
    for place in 0..count {
        match kind {
            "doubles" => add([0; 3].map(|_| anywhere(random))),
            "coplanar" => {
                let (axis, height) = (random.below(3), random.integer(-1, 0) as f64 * 0.1);
                let tilt = random.one_in(3);
                add([0; 3].map(|_| {
                    let mut point = lattice(random);
                    point[axis] = if tilt { point[(axis + 1) % 3] + point[(axis + 2) % 3] } else { height };
                    point
                }));
            }
            "slivers" => {
                let (a, b) = (anywhere(random), anywhere(random));
                let weight = random.unit();
                let c = [0, 1, 2]
                    .map(|axis| a[axis] + weight * (b[axis] - a[axis]) + random.between(-1.0, 1.0) * 1e-12);
                add([a, b, c]);
            }
            "degenerate" => {
                let (a, b) = (lattice(random), lattice(random));
                let steps = random.integer(-1, 3) as f64;
                let c = [0, 1, 2].map(|axis| a[axis] + steps * (b[axis] - a[axis]));
                match random.below(4) {
                    0 => add([a, a, a]),
                    1 => add([a, b, a]),
                    2 => add([a, b, c]),
                    _ => add([a, b, lattice(random)]),
                }
            }
            "height 30" => {
                // Small triangles on large ones, at every scale between; the first two are as different as can be.
                let exponent = [0, 33].get(place).copied().unwrap_or_else(|| random.below(34));
                let size = 0.5f64.powi(exponent as i32);
                let middle = if random.one_in(3) { anywhere(random) } else { anchor };
                let points = [0; 3].map(|_| {
                    let offset = anywhere(random);
                    [0, 1, 2].map(|axis| middle[axis] + size * offset[axis])
                });
                if place == 0 {
                    anchor = [0, 1, 2].map(|axis| points.iter().map(|point| point[axis]).sum::<f64>() / 3.0);
                }
                add(points);
            }
            "far away" => add([0; 3].map(|_| {
                let point = lattice(random);
                [1e9 + point[0], point[1] - 12345.678, 0.1 + point[2]]
            })),
            "huge and tiny" => {
                let scale = *random.pick(&[1e300, 1e308, 1e-300, 1e-320, 5e-324, 1e150, 1e39, 1.0]);
                add([0; 3].map(|_| lattice(random).map(|x| x / 3.0 * scale)));
            }
            "nearly touching" => {
                let point = lattice(random);
                add([0; 3].map(|_| {
                    let corner = lattice(random);
                    let ulps = random.integer(-2, 2);
                    [0, 1, 2].map(|axis| {
                        let x: f64 = (point[axis] + corner[axis]) / 3.0;
                        if x == 0.0 { x } else { f64::from_bits((x.to_bits() as i64 + ulps) as u64) }
                    })
                }));
            }
            _ => add([0; 3].map(|_| lattice(random))),
        }
    }
    if kind == "shared vertices" || random.one_in(4) {
        // Corners of others, so that vertices are shared, and some twice in a triangle.
        for triangle in &mut triangles {
            for corner in triangle {
                if random.one_in(2) {
                    *corner = random.below(vertices.len().min(6)) as u32;
                }
            }
        }
    }
    if kind == "duplicates" || random.one_in(10) {
        for _ in 0..1 + random.below(3) {
            let mut copy = triangles[random.below(triangles.len())];
            random.shuffle(&mut copy);
            if random.one_in(2) {
                // In the same place, but of other vertices.
                let first = vertices.len() as u32;
                for corner in copy {
                    vertices.push(vertices[corner as usize]);
                }
                copy = [first, first + 1, first + 2];
            }
            triangles.push(copy);
        }
    }
    (vertices, triangles)
}
