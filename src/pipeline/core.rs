//! Convex sets as the narrow phase sees them: a polytope, its core, and all that is within a radius of it.
//!
//! A sphere is a point with a radius, a capsule a segment with one. Distances are found between the cores, which have
//! corners only, and the radii are subtracted: so round shapes are as exact as the others.

use super::transform::Frame;
use crate::elementary::vec3::{Vec3, add, dot, scale};

/// The corners of a core, in the object.
#[derive(Clone, Copy, Debug)]
pub enum Core<'a> {
    Point,
    /// Along y, so far up and down.
    Segment(f64),
    /// Half its sides.
    Box([f64; 3]),
    /// Any points, at least one.
    Points(&'a [Vec3]),
    /// Corners that are turned already: the axes of its frame are those of the world.
    Triangle([Vec3; 3]),
}

/// A core at its place, with its radius.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    pub core: Core<'a>,
    pub frame: Frame,
    pub radius: f64,
}

impl Core<'_> {
    /// A corner that no other one is beyond in this direction.
    #[inline]
    pub fn support(&self, direction: Vec3) -> Vec3 {
        match self {
            Core::Point => [0.0; 3],
            Core::Segment(half) => [0.0, if direction[1] < 0.0 { -half } else { *half }, 0.0],
            Core::Box(half) => {
                let side = |axis: usize| if direction[axis] < 0.0 { -half[axis] } else { half[axis] };
                [side(0), side(1), side(2)]
            }
            Core::Points(points) => farthest(points, direction),
            Core::Triangle(corners) => farthest(corners, direction),
        }
    }

    pub fn corner_count(&self) -> usize {
        match self {
            Core::Point => 1,
            Core::Segment(_) => 2,
            Core::Box(_) => 8,
            Core::Points(points) => points.len(),
            Core::Triangle(_) => 3,
        }
    }

    pub fn corner(&self, index: usize) -> Vec3 {
        match self {
            Core::Point => [0.0; 3],
            Core::Segment(half) => [0.0, if index == 0 { -half } else { *half }, 0.0],
            Core::Box(half) => {
                let side = |axis: usize| if index >> axis & 1 == 0 { -half[axis] } else { half[axis] };
                [side(0), side(1), side(2)]
            }
            Core::Points(points) => points[index],
            Core::Triangle(corners) => corners[index],
        }
    }
}

/// The first of those that are farthest.
#[inline]
fn farthest(points: &[Vec3], direction: Vec3) -> Vec3 {
    let mut best = points[0];
    let mut most = dot(best, direction);
    for &point in &points[1..] {
        let here = dot(point, direction);
        if here > most {
            (best, most) = (point, here);
        }
    }
    best
}

impl Placed<'_> {
    /// A triangle at its place.
    pub fn triangle(corners: [Vec3; 3]) -> Placed<'static> {
        Placed { core: Core::Triangle(corners), frame: Frame::IDENTITY, radius: 0.0 }
    }

    /// The corner of the core that is farthest in a direction of the world.
    #[inline]
    pub fn support(&self, direction: Vec3) -> Vec3 {
        if let Core::Triangle(corners) = &self.core {
            return add(self.frame.origin, farthest(corners, direction));
        }
        self.frame.to_world(self.core.support(self.frame.unrotate(direction)))
    }

    /// Of a triangle, in the world.
    #[inline]
    pub fn triangle_corners(&self) -> Option<[Vec3; 3]> {
        match &self.core {
            Core::Triangle([a, b, c]) => {
                let origin = self.frame.origin;
                Some([add(origin, *a), add(origin, *b), add(origin, *c)])
            }
            _ => None,
        }
    }

    pub fn corner(&self, index: usize) -> Vec3 {
        self.frame.to_world(self.core.corner(index))
    }

    /// A point of the core, in its middle as far as that is easily told.
    pub fn middle(&self) -> Vec3 {
        match self.core {
            Core::Points(_) => self.corner(0),
            Core::Triangle([a, b, c]) => self.frame.to_world(scale(add(add(a, b), c), 1.0 / 3.0)),
            _ => self.frame.origin,
        }
    }
}
