//! Where vertices go from one frame to the next.

use super::shapes::point_in_cube;
use crate::support::random::Random;
use crate::support::scene::Point;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motion {
    Rest,
    /// All vertices by the same vector of about this length.
    Drift(f64),
    /// Every vertex on its own, by at most this.
    Jitter(f64),
    /// A turn around a random axis, up to half a turn, and a drift.
    Turn,
    /// Towards the plane z = 0 or through it: a factor for z.
    Squash(f64),
    /// Towards the origin: a factor for all axes.
    Shrink(f64),
    /// Only some of the vertices, each by at most this.
    Tug(f64),
    /// By whole quarters, so that what was on a lattice stays there.
    Hop,
}

impl Motion {
    pub fn random(random: &mut Random) -> Motion {
        match random.below(12) {
            0 => Motion::Rest,
            1 => Motion::Drift(0.01),
            2 => Motion::Drift(2.0),
            3 => Motion::Jitter(0.02),
            4 => Motion::Jitter(0.3),
            5 => Motion::Jitter(3.0),
            6 => Motion::Turn,
            7 => Motion::Squash(*random.pick(&[0.0, -1.0, 0.5, -0.25])),
            8 => Motion::Shrink(*random.pick(&[0.0, -1.0, 0.25, 2.0])),
            9 => Motion::Tug(0.5),
            10 => Motion::Tug(5.0),
            _ => Motion::Hop,
        }
    }

    pub fn apply(self, random: &mut Random, points: &[Point]) -> Vec<Point> {
        match self {
            Motion::Rest => points.to_vec(),
            Motion::Drift(length) => {
                let by = point_in_cube(random, length);
                points.iter().map(|&point| add(point, by)).collect()
            }
            Motion::Jitter(length) => {
                points.iter().map(|&point| add(point, point_in_cube(random, length))).collect()
            }
            Motion::Turn => {
                let turn = Turn::random(random);
                let by = point_in_cube(random, 0.3);
                points.iter().map(|&point| add(turn.apply(point), by)).collect()
            }
            Motion::Squash(factor) => points.iter().map(|&[x, y, z]| [x, y, factor * z]).collect(),
            // To one point: everything touches everything, which takes a brute force long.
            Motion::Shrink(0.0) if points.len() > 50 => Motion::Shrink(0.25).apply(random, points),
            Motion::Shrink(factor) => points.iter().map(|point| point.map(|x| factor * x)).collect(),
            Motion::Tug(length) => {
                let mut tug = |point: Point| {
                    if random.one_in(6) { add(point, point_in_cube(random, length)) } else { point }
                };
                points.iter().map(|&point| tug(point)).collect()
            }
            Motion::Hop => {
                let mut hop = |x: f64| x + random.integer(-2, 2) as f64 / 4.0;
                points.iter().map(|point| point.map(&mut hop)).collect()
            }
        }
    }
}

pub fn add(a: Point, b: Point) -> Point {
    std::array::from_fn(|axis| a[axis] + b[axis])
}

/// A rotation, as the unit quaternion w x y z.
pub struct Turn([f64; 4]);

impl Turn {
    pub fn random(random: &mut Random) -> Turn {
        let [x, y, z] = point_in_cube(random, 1.0);
        let w = random.between(0.0, 1.0);
        let length = (w * w + x * x + y * y + z * z).sqrt().max(1e-3);
        Turn([w, x, y, z].map(|part| part / length))
    }

    pub fn apply(&self, [px, py, pz]: Point) -> Point {
        let [w, x, y, z] = self.0;
        let cross = |[ax, ay, az]: Point| [y * az - z * ay, z * ax - x * az, x * ay - y * ax];
        let first = cross([px, py, pz]);
        let second = cross(first);
        add([px, py, pz], std::array::from_fn(|axis| 2.0 * (w * first[axis] + second[axis])))
    }
}
