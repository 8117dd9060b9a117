//! Triangles and where their vertices are, about one unit large around the origin.

use crate::support::random::Random;
use crate::support::scene::Point;
use std::collections::BTreeMap;
use std::f64::consts::TAU;

#[derive(Clone, Default)]
pub struct Shape {
    pub points: Vec<Point>,
    pub triangles: Vec<[u32; 3]>,
}

/// A random point in a cube around the origin.
pub fn point_in_cube(random: &mut Random, radius: f64) -> Point {
    std::array::from_fn(|_| random.between(-radius, radius))
}

/// A random point with few bits, so that coincidences are exact.
pub fn lattice_point(random: &mut Random, reach: i64) -> Point {
    std::array::from_fn(|_| random.integer(-reach, reach) as f64 / 4.0)
}

/// Triangles without any connection.
pub fn soup(random: &mut Random, count: usize) -> Shape {
    let size = random.between(0.1, 0.6);
    let mut shape = Shape::default();
    for triangle in 0..count as u32 {
        let centre = point_in_cube(random, 1.0);
        for _ in 0..3 {
            let offset = point_in_cube(random, size);
            shape.points.push(std::array::from_fn(|axis| centre[axis] + offset[axis]));
        }
        shape.triangles.push([3 * triangle, 3 * triangle + 1, 3 * triangle + 2]);
    }
    shape
}

/// Triangles over a few common vertices at random: edges and vertices with any number of triangles, repeated vertices.
pub fn tangle(random: &mut Random, count: usize) -> Shape {
    let vertices = 3 + random.below(count + 4);
    let on_lattice = random.one_in(2);
    let mut point = || if on_lattice { lattice_point(random, 4) } else { point_in_cube(random, 1.0) };
    let points = (0..vertices).map(|_| point()).collect();
    let triangles =
        (0..count).map(|_| std::array::from_fn(|_| random.below(vertices) as u32)).collect::<Vec<_>>();
    Shape { points, triangles }
}

/// A flat piece of cloth in the plane z = 0.
pub fn grid(columns: usize, rows: usize) -> Shape {
    let mut shape = Shape::default();
    let stride = columns as u32 + 1;
    for row in 0..=rows {
        for column in 0..=columns {
            let (x, y) = (column as f64 / columns as f64, row as f64 / rows as f64);
            shape.points.push([2.0 * x - 1.0, 2.0 * y - 1.0, 0.0]);
        }
    }
    for row in 0..rows as u32 {
        for column in 0..columns as u32 {
            let corner = row * stride + column;
            let [right, up, across] = [corner + 1, corner + stride, corner + stride + 1];
            if (row + column) % 2 == 0 {
                shape.triangles.extend([[corner, right, across], [corner, across, up]]);
            } else {
                shape.triangles.extend([[corner, right, up], [right, across, up]]);
            }
        }
    }
    shape
}

/// A grid with at most `count` triangles, with hills or without.
pub fn hilly_grid(random: &mut Random, count: usize) -> Shape {
    let columns = 1 + random.below((count / 2).clamp(1, 14));
    let mut shape = grid(columns, (count / 2 / columns).max(1));
    let height = *random.pick(&[0.0, 0.0, 0.02, 0.3]);
    for point in &mut shape.points {
        point[2] = height * random.between(-1.0, 1.0);
    }
    shape
}

/// A grid folded into layers that are `gap` apart, with bends of the same width between them.
pub fn fold(shape: &mut Shape, layers: usize, gap: f64) {
    for point in &mut shape.points {
        let along = 0.5 * (point[0] + 1.0) * layers as f64;
        let layer = (along.floor() as usize).min(layers - 1);
        let within = along - layer as f64;
        let across = if layer.is_multiple_of(2) { within } else { 1.0 - within };
        // Near the end of a layer the cloth climbs half of the way to the next one, which it then climbs on from.
        let climb = |distance: f64| (0.5 - 5.0 * distance).max(0.0);
        let last = layers - 1;
        let up = if layer < last { climb(1.0 - within) } else { 0.0 };
        let down = if layer > 0 { climb(within) } else { 0.0 };
        *point = [2.0 * across - 1.0, point[1], gap * (layer as f64 + up - down) + 0.3 * point[2]];
    }
}

pub fn folded_cloth(random: &mut Random, count: usize) -> Shape {
    let rows = 1 + random.below(6);
    let mut shape = grid((count / 2 / rows).max(4), rows);
    for point in &mut shape.points {
        point[2] = random.between(-0.02, 0.02);
    }
    let layers = 2 + random.below(4);
    fold(&mut shape, layers, *random.pick(&[0.0, 0.01, 0.05, 0.2]));
    shape
}

/// A closed ball of rings of triangles.
pub fn sphere(random: &mut Random, count: usize) -> Shape {
    let sectors = 3 + random.below((count / 4).clamp(1, 14));
    let rings = 1 + count / 2 / sectors;
    let radius = random.between(0.4, 1.0);
    let mut shape = Shape { points: vec![[0.0, 0.0, radius]], triangles: Vec::new() };
    for ring in 0..rings {
        let polar = TAU / 2.0 * (ring + 1) as f64 / (rings + 1) as f64;
        for sector in 0..sectors {
            let azimuth = TAU * sector as f64 / sectors as f64;
            let around = polar.sin() * radius;
            shape.points.push([around * azimuth.cos(), around * azimuth.sin(), radius * polar.cos()]);
        }
    }
    shape.points.push([0.0, 0.0, -radius]);
    let last = shape.points.len() as u32 - 1;
    let at = |ring: usize, sector: usize| 1 + (ring * sectors + sector % sectors) as u32;
    for sector in 0..sectors {
        shape.triangles.push([0, at(0, sector), at(0, sector + 1)]);
        for ring in 1..rings {
            let (a, b) = (at(ring - 1, sector), at(ring - 1, sector + 1));
            let (c, d) = (at(ring, sector), at(ring, sector + 1));
            shape.triangles.extend([[a, c, b], [b, c, d]]);
        }
        shape.triangles.push([last, at(rings - 1, sector + 1), at(rings - 1, sector)]);
    }
    shape
}

/// Pages around a common edge, which has as many triangles as there are pages.
pub fn book(random: &mut Random, pages: usize) -> Shape {
    let mut shape = Shape { points: vec![[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]], triangles: Vec::new() };
    for page in 0..pages as u32 {
        let angle = random.between(0.0, TAU);
        shape.points.push([angle.cos(), angle.sin(), random.between(-1.0, 1.0)]);
        shape.triangles.push([0, 1, 2 + page]);
    }
    shape
}

/// Vertices at equal positions become one.
pub fn weld(shape: &Shape) -> Shape {
    let mut index_of: BTreeMap<[u64; 3], u32> = BTreeMap::new();
    let mut points = Vec::new();
    let map: Vec<u32> = shape
        .points
        .iter()
        .map(|point| {
            *index_of.entry(point.map(f64::to_bits)).or_insert_with(|| {
                points.push(*point);
                points.len() as u32 - 1
            })
        })
        .collect();
    let triangles = shape.triangles.iter().map(|triangle| triangle.map(|v| map[v as usize])).collect();
    Shape { points, triangles }
}
