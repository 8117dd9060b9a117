//! Surfaces for tests of culling: some that look harmless and are not, some that are at the edge of it.

use super::random::Random;
use super::scene::{Body, Point, Scene};
use std::f64::consts::PI;

/// A pipe along a figure eight, which penetrates itself where it crosses itself (FASTCD paper, figure 4). Its floor is almost flat, and higher parts are so far above it that a
/// hierarchy separates them first: then the floor of a loop is a part of its own, in one piece, with normals that are almost the same, and without an edge at the boundary of the
/// mesh; but it crosses itself.
///
/// During the motion the two branches pass through each other. `around` points along the figure.
pub fn folded_pipe(around: usize) -> Scene {
    // The section: a floor with many points, walls, and a ceiling. From left to right, then back.
    const FLOOR: usize = 9;
    let mut section: Vec<[f64; 2]> = Vec::new();
    for i in 0..FLOOR {
        let across = 2.0 * i as f64 / (FLOOR - 1) as f64 - 1.0;
        section.push([across, 0.1 * across * across]);
    }
    for i in (0..FLOOR).rev() {
        let across = 2.0 * i as f64 / (FLOOR - 1) as f64 - 1.0;
        section.push([across, 60.0 - 0.1 * across * across]);
    }
    let ring = section.len();
    let frame = |sign: f64| -> Vec<Point> {
        let mut points = Vec::new();
        for i in 0..around {
            let s = 2.0 * PI * i as f64 / around as f64;
            let at = [8.0 * s.sin(), 4.0 * (2.0 * s).sin()];
            let along = [8.0 * s.cos(), 8.0 * (2.0 * s).cos()];
            let length = along[0].hypot(along[1]);
            let across = [along[1] / length, -along[0] / length];
            let lift = 0.002 * sign * s.cos();
            for [side, height] in &section {
                points.push([at[0] + side * across[0], at[1] + side * across[1], height + lift]);
            }
        }
        points
    };
    let mut triangles = Vec::new();
    for i in 0..around {
        for j in 0..ring {
            let corner = |i: usize, j: usize| (i % around * ring + j % ring) as u32;
            let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Scene::new("folded pipe", vec![Body::new(1, triangles, vec![frame(1.0), frame(-1.0)])])
}

/// A surface that grows triangle by triangle at its boundary, with corners at small whole numbers, over itself and into itself: seen from above, triangles overlap,
/// touch and share places, and may be without an area. It moves by a little; now and then corners of different vertices are in one place, edges have more
/// than two triangles, and triangles are turned over.
pub fn grown_surface(random: &mut Random, triangle_count: usize) -> Scene {
    let side = random.integer(2, 5);
    let height = random.integer(0, 2);
    let motion = random.integer(0, 1);
    let is_careful = random.one_in(2);
    let place = |random: &mut Random| -> Point {
        [random.integer(0, side) as f64, random.integer(0, side) as f64, random.integer(0, height) as f64]
    };
    let mut points: Vec<Point> = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mut triangles: Vec<[u32; 3]> = vec![[0, 1, 2]];
    let mut boundary: Vec<[u32; 2]> = vec![[0, 1], [1, 2], [2, 0]];
    while triangles.len() < triangle_count {
        let edge = random.below(boundary.len());
        let [from, to] = boundary[edge];
        // Near the edge, or anywhere.
        let apex_near = |random: &mut Random| {
            let near = points[*random.pick(&[from, to]) as usize];
            let at = place(random);
            if !is_careful {
                return at;
            }
            [near[0] + random.integer(-1, 1) as f64, near[1] + random.integer(-1, 1) as f64, at[2]]
        };
        let mut apex = apex_near(random);
        // To the right of the edge, so that the new triangle faces up as well, and across no other edge; touching is allowed.
        let [a, b] = [points[from as usize], points[to as usize]];
        let crosses = |apex: Point| {
            triangles.iter().any(|triangle| {
                let corners = triangle.map(|corner| points[corner as usize]);
                (0..3).any(|i| {
                    let other = [corners[i], corners[(i + 1) % 3]];
                    cross_from_above([a, apex], other) || cross_from_above([apex, b], other)
                })
            })
        };
        let next = boundary.iter().position(|other| other[0] == to).filter(|_| random.one_in(4));
        if let Some(next) = next.filter(|&next| boundary[next][1] != from && next != edge) {
            // closes the corner between two edges in a row
            let end = boundary[next][1];
            let at = points[end as usize];
            if !is_careful || (doubled_area(a, b, at) < 0.0 && !crosses(at)) {
                triangles.push([to, from, end]);
                boundary[edge] = [from, end];
                boundary.swap_remove(next);
                continue;
            }
        }
        for _ in 0..20 {
            if !is_careful || (doubled_area(a, b, apex) < 0.0 && !crosses(apex)) {
                break;
            }
            apex = apex_near(random);
        }
        let new = points.len() as u32;
        points.push(apex);
        triangles.push(if random.one_in(if is_careful { 300 } else { 60 }) {
            [from, to, new]
        } else {
            [to, from, new]
        });
        boundary[edge] = [from, new];
        boundary.push([new, to]);
    }
    if random.one_in(10) {
        let copy = *random.pick(&triangles);
        triangles.push(copy);
    }
    let turn = random.below(3);
    let scale = *random.pick(&[1.0, 1.0, 1e-3, 3.7]);
    let shift = *random.pick(&[0.0, 0.0, 100.0]);
    let turned = |p: Point| [0, 1, 2].map(|axis| scale * p[(axis + turn) % 3] + shift);
    let start: Vec<Point> = points.iter().map(|&p| turned(p)).collect();
    let share = *random.pick(if is_careful { &[0.1, 1e-2, 1e-4] } else { &[1.0, 0.25, 1e-4] });
    let end: Vec<Point> = points
        .iter()
        .map(|&p| turned(p.map(|x| x + share * random.integer(-motion, motion) as f64)))
        .collect();
    Scene::new("grown surface", vec![Body::new(1, triangles, vec![start, end])])
}

/// Of a triangle that is seen from above; positive if its corners go round to the left.
fn doubled_area(a: Point, b: Point, c: Point) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Whether inner points of two segments cross, seen from above.
fn cross_from_above([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    doubled_area(a, b, c) * doubled_area(a, b, d) < 0.0 && doubled_area(c, d, a) * doubled_area(c, d, b) < 0.0
}

/// A sheet with waves that roll over it: `side` by `side` squares. Steep waves fold it.
pub fn waves(side: usize, steepness: f64, steps: usize) -> Scene {
    let frame = |step: usize| -> Vec<Point> {
        let point = |i: usize| {
            let [x, y] = [i % (side + 1), i / (side + 1)].map(|i| i as f64 / side as f64);
            let phase = 6.0 * PI * (x + 0.3 * y) + 0.1 * step as f64;
            let lean = steepness * phase.cos() / (6.0 * PI);
            [x + lean, y + 0.2 * lean, steepness * phase.sin() / (6.0 * PI) + 0.01 * (17.0 * y).sin()]
        };
        (0..(side + 1) * (side + 1)).map(point).collect()
    };
    let mut triangles = Vec::new();
    for y in 0..side {
        for x in 0..side {
            let corner = |x: usize, y: usize| (y * (side + 1) + x) as u32;
            let [a, b, c, d] = [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)];
            triangles.extend(if (x + y) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
        }
    }
    Scene::new("waves", vec![Body::new(1, triangles, (0..=steps).map(frame).collect())])
}
