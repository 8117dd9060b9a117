//! Meshes to measure with.

use pccd::memory::Memory;
use pccd::mesh::{Mesh, MeshSettings};
use std::f64::consts::{PI, TAU};

pub type Point = [f64; 3];

pub struct Model {
    pub name: &'static str,
    pub points: Vec<Point>,
    pub triangles: Vec<[u32; 3]>,
}

pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    pub fn direction(&mut self) -> Point {
        std::array::from_fn(|_| self.between(-1.0, 1.0))
    }
}

/// A surface over a grid of about so many triangles; `closed` joins the last column with the first.
fn surface(name: &'static str, count: usize, closed: bool, at: impl Fn(f64, f64) -> Point) -> Model {
    let rows = ((count as f64 / 4.0).sqrt() as usize).max(2);
    let columns = 2 * rows;
    let stride = if closed { columns } else { columns + 1 };
    let mut points = Vec::new();
    for row in 0..=rows {
        for column in 0..stride {
            points.push(at(column as f64 / columns as f64, row as f64 / rows as f64));
        }
    }
    let mut triangles = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let next = (column + 1) % stride;
            let [a, b] = [row * stride + column, row * stride + next].map(|i| i as u32);
            let [c, d] = [a + stride as u32, b + stride as u32];
            triangles.extend([[a, c, b], [b, c, d]]);
        }
    }
    Model { name, points, triangles }
}

pub fn shell(count: usize) -> Model {
    surface("shell", count, true, |u, v| {
        let (polar, around) = (0.02 + 3.1 * v, TAU * u);
        let radius = 1.0 + 0.03 * (9.0 * polar).sin() * (11.0 * around).sin();
        [radius * polar.sin() * around.cos(), radius * polar.sin() * around.sin(), radius * polar.cos()]
    })
}

pub fn sheet(count: usize) -> Model {
    surface("sheet", count, false, |u, v| [2.0 * u, v, 0.05 * (20.0 * u).sin() * (15.0 * v).cos()])
}

/// Seven models of different character.
pub fn all(count: usize) -> Vec<Model> {
    let mut random = Random(5);
    let mut soup = Model { name: "soup", points: Vec::new(), triangles: Vec::new() };
    for triangle in 0..count as u32 {
        let centre = random.direction();
        for _ in 0..3 {
            let offset = random.direction();
            soup.points.push(std::array::from_fn(|axis| centre[axis] + 0.05 * offset[axis]));
        }
        soup.triangles.push([3 * triangle, 3 * triangle + 1, 3 * triangle + 2]);
    }
    vec![
        shell(count),
        sheet(count),
        surface("folded cloth", count, false, |u, v| {
            let fold = (4.0 * u).fract();
            let layer = (4.0 * u).floor();
            let x = if (layer as usize).is_multiple_of(2) { fold } else { 1.0 - fold };
            [x, v, 0.03 * 4.0 * u + 0.01 * (9.0 * v).sin()]
        }),
        surface("torus", count, true, |u, v| {
            let (around, along) = (TAU * u, TAU * v);
            let radius = 1.0 + 0.35 * along.cos();
            [radius * around.cos(), radius * around.sin(), 0.35 * along.sin()]
        }),
        surface("gear", count, true, |u, v| {
            let tooth = if (12.0 * u).fract() < 0.5 { 1.0 } else { 0.75 };
            [tooth * (TAU * u).cos(), tooth * (TAU * u).sin(), 0.4 * v]
        }),
        surface("spiral", count, false, |u, v| {
            let turn = 3.0 * TAU * u;
            [(0.2 + u) * turn.cos(), (0.2 + u) * turn.sin(), v * (0.5 + 0.2 * (PI * u).sin())]
        }),
        soup,
    ]
}

pub fn mesh(memory: &Memory, model: &Model) -> Mesh {
    let settings = MeshSettings { thickness: 0.0, category: 1, mask: u64::MAX, self_collision: true };
    let Model { points, triangles, .. } = model;
    Mesh::new(memory, settings, points.len(), &|i| points[i], triangles.len(), &|i| triangles[i])
        .expect("the system has memory")
}
