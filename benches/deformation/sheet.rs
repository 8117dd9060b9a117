//! A sheet that is wrung and folded: the deformation that refitted hierarchies cope worst with.

use std::f64::consts::TAU;

pub type Point = [f64; 3];

/// How many times the middle has been turned against the rim at the end.
const TURNS: f64 = 2.0;
/// How far from the middle that reaches; the sheet is 1 wide.
const REACH: f64 = 0.3;
/// Folds at the end.
const FOLDS: f64 = 3.0;

/// A square sheet of two triangles per cell.
pub struct Sheet {
    side: usize,
    pub triangles: Vec<[u32; 3]>,
}

impl Sheet {
    pub fn new(triangle_count: usize) -> Sheet {
        let side = ((triangle_count as f64 / 2.0).sqrt().round() as usize).max(1);
        let stride = side as u32 + 1;
        let corners =
            (0..side as u32).flat_map(|row| (0..side as u32).map(move |column| row * stride + column));
        let cell = |corner| {
            let [right, up, across] = [corner + 1, corner + stride, corner + stride + 1];
            [[corner, right, across], [corner, across, up]]
        };
        Sheet { side, triangles: corners.flat_map(cell).collect() }
    }

    /// The vertices at a time from 0, when it is flat, to 1.
    pub fn at(&self, time: f64) -> Vec<Point> {
        let length = 1.0 / self.side as f64;
        let rows = 0..=self.side;
        let flat = rows.flat_map(|row| (0..=self.side).map(move |column| [column, row]));
        flat.map(|at| place(at.map(|i| i as f64 * length - 0.5), time)).collect()
    }
}

/// Where a point of the flat sheet is.
///
/// Wringing shears the sheet in its plane: what was a compact patch becomes a long spiral, and boxes around it grow. Folding then lays
/// layers over each other, which swing so that they meet.
fn place([x, y]: [f64; 2], time: f64) -> Point {
    let distance = x.hypot(y) / REACH;
    let angle = TURNS * TAU * time * (-distance * distance).exp();
    let [u, v] = [x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos()];
    let fold = time * time * (3.0 - 2.0 * time);
    let phase = TAU * FOLDS * u;
    let swing = 0.015 * (TAU * (5.0 * time + v)).sin();
    // A meander: where the sine of twice the phase pulls back, layers come to lie over each other.
    let along = u * (1.0 - 0.5 * fold) + fold * (0.05 + swing) * (2.0 * phase).sin();
    let height =
        fold * (0.15 * phase.cos() + 0.03 * (TAU * (2.0 * v + 3.0 * time)).sin() * (3.0 * phase).sin());
    [along, v, height]
}
