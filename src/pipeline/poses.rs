//! What boxes and tests need of every object, side by side: two cache lines each, where the object itself has four and lies anywhere.
//!
//! A row of sixteen doubles, so that eight of them can be turned into lanes. What spheres need is in the first line.

use super::objects::Object;
use super::shapes::Shape;
use super::transform::Frame;
use crate::elementary::vec3::Vec3;
use crate::memory::{Buffer, Memory, MemoryError};
use crate::simd::{Doubles, Lanes, MAX_LANES, prefetch};

/// Which tests an object can get from its row alone.
pub const ROUND: f64 = 0.0;
pub const BOX: f64 = 1.0;
/// The object itself has to be looked at: it is of another shape, or on its way.
pub const OTHER: f64 = 2.0;

/// Origin, half the sides (of a sphere its radius, three times), what it is, and its axes.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Pose(pub [f64; 16]);

const HALF: usize = 3;
const KIND: usize = 6;

impl Pose {
    #[inline(always)]
    pub fn of(object: &Object) -> Pose {
        let (half, kind) = match object.shape {
            _ if object.is_on_its_way() => ([0.0; 3], OTHER),
            Shape::Sphere { radius } => ([radius; 3], ROUND),
            Shape::Box { half } => (half, BOX),
            _ => ([0.0; 3], OTHER),
        };
        Pose::new(&object.frame(), half, kind)
    }

    #[inline(always)]
    pub fn new(frame: &Frame, half: Vec3, kind: f64) -> Pose {
        let Frame { origin: [x, y, z], axes: [a, b, c] } = *frame;
        Pose([x, y, z, half[0], half[1], half[2], kind, a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]])
    }

    #[inline(always)]
    pub fn kind(&self) -> f64 {
        self.0[KIND]
    }

    #[inline(always)]
    pub fn origin(&self) -> Vec3 {
        [self.0[0], self.0[1], self.0[2]]
    }

    #[inline(always)]
    pub fn half(&self) -> Vec3 {
        [self.0[HALF], self.0[HALF + 1], self.0[HALF + 2]]
    }

    /// Of a sphere.
    #[inline(always)]
    pub fn radius(&self) -> f64 {
        self.0[HALF]
    }

    /// As seen from another origin, with the axes of the world.
    #[inline(always)]
    pub fn seen_from(&self, origin: Vec3) -> Frame {
        let PoseLanes { origin: own, axes, .. } = PoseLanes::of(self.0);
        Frame { origin: own, axes }.seen_from(origin)
    }
}

/// Poses in lanes.
pub struct PoseLanes<V> {
    pub origin: [V; 3],
    pub half: [V; 3],
    pub kind: V,
    pub axes: [[V; 3]; 3],
}

impl<V: Lanes> PoseLanes<V> {
    #[inline(always)]
    pub fn of(row: [V; 16]) -> PoseLanes<V> {
        let [x, y, z, h, i, j, kind, a, b, c, d, e, f, k, l, m] = row;
        PoseLanes { origin: [x, y, z], half: [h, i, j], kind, axes: [[a, b, c], [d, e, f], [k, l, m]] }
    }
}

impl<V: Doubles> PoseLanes<V> {
    /// As many as there are lanes, from the given one of the eight on.
    #[inline(always)]
    pub fn load(poses: &[&Pose; MAX_LANES], first: usize) -> PoseLanes<V> {
        let mut rows = [&poses[first].0; MAX_LANES];
        for (row, pose) in rows[..V::COUNT].iter_mut().zip(&poses[first..]) {
            *row = &pose.0;
        }
        PoseLanes::of(V::transpose(rows))
    }
}

/// The poses of all objects that have boxes, by their number.
pub struct Poses(pub(super) Buffer<Pose>);

impl Poses {
    pub fn new(memory: &Memory) -> Poses {
        Poses(Buffer::new(memory.clone()))
    }

    pub fn resize(&mut self, count: usize) -> Result<(), MemoryError> {
        self.0.resize(count, Pose([0.0; 16]))
    }

    #[inline(always)]
    pub fn get(&self, number: u32) -> &Pose {
        &self.0[number as usize]
    }

    /// Has one fetched, which is looked at soon.
    #[inline(always)]
    pub fn prefetch(&self, number: u32) {
        if let Some(Pose(row)) = self.0.get(number as usize) {
            prefetch(&row[0]);
            prefetch(&row[8]);
        }
    }
}
