//! What objects look like.

use super::core::{Core, Placed};
use super::transform::Frame;
use crate::elementary::vec3::{Vec3, dot};
use crate::memory::Buffer;

/// The shape of an object, around its own origin.
pub enum Shape {
    Sphere {
        radius: f64,
    },
    /// Around a segment along y.
    Capsule {
        half_height: f64,
        radius: f64,
    },
    Box {
        half: [f64; 3],
    },
    /// The hull of at least one point.
    Hull {
        points: Buffer<Vec3>,
    },
    /// The surface of a mesh: its tree is among those of the pipeline.
    Mesh {
        tree: usize,
    },
}

/// Which row of the dispatcher's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShapeKind {
    Sphere,
    Capsule,
    Box,
    Hull,
    Mesh,
}

/// How many kinds there are.
pub const KINDS: usize = 5;

impl Shape {
    pub fn kind(&self) -> ShapeKind {
        match self {
            Shape::Sphere { .. } => ShapeKind::Sphere,
            Shape::Capsule { .. } => ShapeKind::Capsule,
            Shape::Box { .. } => ShapeKind::Box,
            Shape::Hull { .. } => ShapeKind::Hull,
            Shape::Mesh { .. } => ShapeKind::Mesh,
        }
    }

    /// As a core with a radius; None for a mesh.
    pub fn placed(&self, frame: Frame) -> Option<Placed<'_>> {
        let (core, radius) = match self {
            Shape::Sphere { radius } => (Core::Point, *radius),
            Shape::Capsule { half_height, radius } => (Core::Segment(*half_height), *radius),
            Shape::Box { half } => (Core::Box(*half), 0.0),
            Shape::Hull { points } => (Core::Points(points), 0.0),
            Shape::Mesh { .. } => return None,
        };
        Some(Placed { core, frame, radius })
    }

    /// The box around the shape in the axes of the world, from the lower to the upper corner. For a mesh that around its own box, which is given.
    pub fn bounds(&self, frame: &Frame, mesh_box: Option<[Vec3; 2]>) -> [Vec3; 2] {
        let around = |half: [f64; 3], centre: Vec3| {
            let reach = |axis: usize| (0..3).map(|i| frame.axes[i][axis].abs() * half[i]).sum::<f64>();
            let reach = [reach(0), reach(1), reach(2)];
            [[0, 1, 2].map(|i| centre[i] - reach[i]), [0, 1, 2].map(|i| centre[i] + reach[i])]
        };
        match self {
            Shape::Sphere { radius } => [frame.origin.map(|x| x - radius), frame.origin.map(|x| x + radius)],
            Shape::Capsule { half_height, radius } => {
                let [lower, upper] = around([0.0, *half_height, 0.0], frame.origin);
                [lower.map(|x| x - radius), upper.map(|x| x + radius)]
            }
            Shape::Box { half } => around(*half, frame.origin),
            Shape::Hull { points } => {
                let (mut lower, mut upper) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
                for &point in points.iter() {
                    let point = frame.to_world(point);
                    for axis in 0..3 {
                        lower[axis] = lower[axis].min(point[axis]);
                        upper[axis] = upper[axis].max(point[axis]);
                    }
                }
                [lower, upper]
            }
            Shape::Mesh { .. } => match mesh_box {
                Some([lower, upper]) => {
                    let half = [0, 1, 2].map(|i| 0.5 * (upper[i] - lower[i]));
                    let centre = [0, 1, 2].map(|i| 0.5 * (upper[i] + lower[i]));
                    around(half, frame.to_world(centre))
                }
                // Without triangles it meets nothing.
                None => [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]],
            },
        }
    }

    /// No point of the shape is farther from its origin.
    pub fn reach(&self, mesh_box: Option<[Vec3; 2]>) -> f64 {
        let farthest = |points: &mut dyn Iterator<Item = Vec3>| {
            points.fold(0.0f64, |most, point| most.max(dot(point, point))).sqrt()
        };
        match self {
            Shape::Sphere { radius } => *radius,
            Shape::Capsule { half_height, radius } => half_height + radius,
            Shape::Box { half } => dot(*half, *half).sqrt(),
            Shape::Hull { points } => farthest(&mut points.iter().copied()),
            Shape::Mesh { .. } => mesh_box.map_or(0.0, |corners| {
                farthest(&mut (0..8usize).map(|i| [0, 1, 2].map(|axis| corners[i >> axis & 1][axis])))
            }),
        }
    }
}
