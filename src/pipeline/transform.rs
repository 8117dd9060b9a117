//! Where a rigid object is.

use crate::elementary::vec3::{Vec3, add, dot, scale, sub};

/// A position and a rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    pub position: Vec3,
    /// A quaternion x y z w of length 1.
    pub rotation: [f64; 4],
}

impl Transform {
    pub const IDENTITY: Transform = Transform { position: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0] };

    /// Makes the rotation one of length 1. None if its length is 0 or beyond all numbers.
    pub fn new(position: Vec3, rotation: [f64; 4]) -> Option<Transform> {
        // Scaled first, so that no square overflows or vanishes.
        let largest = rotation.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        if !(largest > 0.0 && largest.is_finite()) {
            return None;
        }
        let scaled = rotation.map(|x| x / largest);
        let length = scaled.iter().map(|x| x * x).sum::<f64>().sqrt();
        Some(Transform { position, rotation: scaled.map(|x| x / length) })
    }

    /// Between this one (0) and another one (1): the position on a line, the rotation the shorter way round, interpolated
    /// linearly and made a rotation again. Only square roots are needed, so the bits are the same everywhere.
    pub fn between(&self, to: &Transform, t: f64) -> Transform {
        if t >= 1.0 {
            return *to;
        }
        let cosine: f64 = (0..4).map(|i| self.rotation[i] * to.rotation[i]).sum();
        let sign = if cosine < 0.0 { -1.0 } else { 1.0 };
        let mix = |i: usize| self.rotation[i] * (1.0 - t) + sign * to.rotation[i] * t;
        let position = add(self.position, scale(sub(to.position, self.position), t));
        // Halfway round at least one of them is as long as 1/√2: it is a rotation.
        Transform::new(position, [mix(0), mix(1), mix(2), mix(3)]).unwrap_or(*to)
    }

    /// No point of a body at distance 1 from its origin is moved faster than this by the rotation of
    /// [`between`](Transform::between).
    ///
    /// With the angle φ ≤ 90° between the quaternions the speed is largest halfway, where the interpolated one is cos(φ/2)
    /// long and moves by its chord 2 sin(φ/2): 2 tan(φ/2) on the sphere of quaternions, twice that in space.
    pub fn turning_speed(&self, to: &Transform) -> f64 {
        let cosine: f64 = (0..4).map(|i| self.rotation[i] * to.rotation[i]).sum::<f64>().abs().min(1.0);
        4.0 * ((1.0 - cosine) / (1.0 + cosine)).sqrt() * (1.0 + 1e-9) + 1e-15
    }
}

/// The same as a matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    pub origin: Vec3,
    /// The axes of the object in the world.
    pub axes: [Vec3; 3],
}

impl Frame {
    pub const IDENTITY: Frame =
        Frame { origin: [0.0; 3], axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] };

    pub fn new(transform: &Transform) -> Frame {
        let [x, y, z, w] = transform.rotation;
        Frame {
            origin: transform.position,
            axes: [
                [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
                [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
                [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
            ],
        }
    }

    /// The same frame seen from another origin, with the axes of the world.
    pub fn seen_from(&self, origin: Vec3) -> Frame {
        Frame { origin: sub(self.origin, origin), axes: self.axes }
    }

    /// A direction of the object, in the world.
    #[inline]
    pub fn rotate(&self, v: Vec3) -> Vec3 {
        let [a, b, c] = self.axes;
        add(add(scale(a, v[0]), scale(b, v[1])), scale(c, v[2]))
    }

    /// A direction of the world, in the object.
    #[inline]
    pub fn unrotate(&self, v: Vec3) -> Vec3 {
        self.axes.map(|axis| dot(axis, v))
    }

    /// A point of the object, in the world.
    #[inline]
    pub fn to_world(&self, p: Vec3) -> Vec3 {
        add(self.origin, self.rotate(p))
    }

    /// A point of the world, in the object.
    #[inline]
    pub fn to_local(&self, p: Vec3) -> Vec3 {
        self.unrotate(sub(p, self.origin))
    }
}

/// A vector of length 1 in the same direction; None if it has none.
pub fn unit(v: Vec3) -> Option<Vec3> {
    let largest = v[0].abs().max(v[1].abs()).max(v[2].abs());
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let v = scale(v, 1.0 / largest);
    let v = if v.iter().all(|x| x.is_finite()) { v } else { return None };
    Some(scale(v, 1.0 / dot(v, v).sqrt()))
}

/// Some vector of length 1 that is perpendicular to one of length 1.
pub fn perpendicular(v: Vec3) -> Vec3 {
    let [x, y, z] = v;
    let other = if x.abs() <= y.abs() && x.abs() <= z.abs() {
        [0.0, -z, y]
    } else if y.abs() <= z.abs() {
        [z, 0.0, -x]
    } else {
        [-y, x, 0.0]
    };
    unit(other).unwrap_or([1.0, 0.0, 0.0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_about_z_turns_x_into_y() {
        let half = 0.5f64.sqrt();
        let frame = Frame::new(&Transform::new([1.0, 2.0, 3.0], [0.0, 0.0, half * 7.0, half * 7.0]).unwrap());
        let p = frame.to_world([2.0, 0.0, 0.5]);
        for (got, expected) in p.iter().zip([1.0, 4.0, 3.5]) {
            assert!((got - expected).abs() < 1e-15);
        }
        for (got, expected) in frame.to_local(p).iter().zip([2.0, 0.0, 0.5]) {
            assert!((got - expected).abs() < 1e-15);
        }
    }

    #[test]
    fn rotations_without_direction_are_none() {
        assert_eq!(Transform::new([0.0; 3], [0.0; 4]), None);
        assert!(Transform::new([0.0; 3], [1e-320, 0.0, 0.0, 1e-320]).is_some());
        let large = Transform::new([0.0; 3], [1e308, 1e308, 0.0, 0.0]).unwrap();
        assert!((large.rotation[0] - 0.5f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn nothing_turns_faster_than_its_bound() {
        for i in 1..50 {
            let angle = i as f64 * 0.0628;
            let from = Transform::IDENTITY;
            let to = Transform::new([0.0; 3], [0.0, (angle / 2.0).sin(), 0.0, (angle / 2.0).cos()]).unwrap();
            let bound = from.turning_speed(&to);
            let at = |t: f64| Frame::new(&from.between(&to, t)).to_world([1.0, 0.0, 0.0]);
            for step in 0..100 {
                let (a, b) = (at(step as f64 / 100.0), at((step + 1) as f64 / 100.0));
                let way = sub(b, a);
                assert!(dot(way, way).sqrt() <= bound / 100.0 * (1.0 + 1e-12), "{angle} {step}");
            }
        }
    }
}
