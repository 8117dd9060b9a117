//! Up to four corners of a difference of two cores, and the point of their hull that is closest to the origin.
//!
//! The method of signed volumes (Montanari, Petrinic, Barbieri 2017): weights are ratios of signed lengths, areas and volumes;
//! where one has the wrong sign, the faces without that corner are looked at. Of several faces the one with the closest point is
//! taken. So the result is a point of the hull, whatever is rounded, and at worst not quite the closest.

use crate::elementary::vec3::{Vec3, accurate_cross, add, dot, scale, sub};

/// A corner of the difference, and the corners it is the difference of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    pub difference: Vec3,
    pub a: Vec3,
    pub b: Vec3,
}

impl Corner {
    pub fn new(a: Vec3, b: Vec3) -> Corner {
        Corner { difference: sub(a, b), a, b }
    }
}

/// One to four corners, with weights that add up to 1.
#[derive(Clone, Copy, Debug)]
pub struct Simplex {
    pub corners: [Corner; 4],
    pub weights: [f64; 4],
    pub len: usize,
}

/// A choice among the corners of a simplex.
#[derive(Clone, Copy)]
struct Choice {
    corners: [usize; 4],
    weights: [f64; 4],
    len: usize,
    /// The squared distance of its point.
    square: f64,
}

impl Simplex {
    pub fn new(corner: Corner) -> Simplex {
        Simplex { corners: [corner; 4], weights: [1.0, 0.0, 0.0, 0.0], len: 1 }
    }

    pub fn corners(&self) -> &[Corner] {
        &self.corners[..self.len]
    }

    /// The weighted points of both cores.
    pub fn points(&self) -> (Vec3, Vec3) {
        let mut points = ([0.0; 3], [0.0; 3]);
        for (corner, &weight) in self.corners().iter().zip(&self.weights) {
            points.0 = add(points.0, scale(corner.a, weight));
            points.1 = add(points.1, scale(corner.b, weight));
        }
        points
    }

    /// The weighted difference.
    pub fn point(&self) -> Vec3 {
        let corners = self.corners().iter().zip(&self.weights);
        corners.fold([0.0; 3], |sum, (corner, &weight)| add(sum, scale(corner.difference, weight)))
    }

    /// The point of the line or plane through the corners that is closest to the origin: what [`point`](Simplex::point) is after a reduction, with a direction that is accurate even
    /// where the corners are far away and the point is close. It is made from cross products with small relative errors instead of a sum in which all leading digits cancel.
    pub fn closest(&self) -> Vec3 {
        let [p, q, r] = [0, 1, 2].map(|corner| self.at(corner));
        match self.len {
            1 => p,
            2 => {
                // From the closer end, with e the side: e × (p × e) = e² v.
                let p = if dot(q, q) < dot(p, p) { q } else { p };
                let side = sub(self.at(1), self.at(0));
                let square = dot(side, side);
                let closest = accurate_cross(side, accurate_cross(p, side));
                if square > 0.0 { scale(closest, 1.0 / square) } else { p }
            }
            3 => {
                let normal = accurate_cross(sub(q, p), sub(r, p));
                let square = dot(normal, normal);
                let nearest = [q, r].into_iter().fold(p, |a, b| if dot(b, b) < dot(a, a) { b } else { a });
                if square > 0.0 { scale(normal, dot(normal, nearest) / square) } else { self.point() }
            }
            _ => [0.0; 3],
        }
    }

    /// The same with one more corner, reduced to those that the closest point needs. All four are left if the origin is between them.
    pub fn with(&self, corner: Corner) -> Simplex {
        let mut all = *self;
        all.corners[all.len] = corner;
        all.len += 1;
        all.reduced()
    }

    /// Only the corners that the closest point needs, with its weights.
    pub fn reduced(&self) -> Simplex {
        let choice = match self.len {
            1 => self.one(0),
            2 => self.two([0, 1]),
            3 => self.three([0, 1, 2]),
            _ => self.four(),
        };
        let mut reduced = *self;
        for (place, &corner) in choice.corners[..choice.len].iter().enumerate() {
            reduced.corners[place] = self.corners[corner];
        }
        (reduced.weights, reduced.len) = (choice.weights, choice.len);
        reduced
    }

    fn at(&self, corner: usize) -> Vec3 {
        self.corners[corner].difference
    }

    fn chosen<const N: usize>(&self, corners: [usize; N], weights: [f64; N]) -> Choice {
        let mut choice = Choice { corners: [0; 4], weights: [0.0; 4], len: N, square: 0.0 };
        let mut point = [0.0; 3];
        for i in 0..N {
            (choice.corners[i], choice.weights[i]) = (corners[i], weights[i]);
            point = add(point, scale(self.at(corners[i]), weights[i]));
        }
        choice.square = dot(point, point);
        choice
    }

    fn one(&self, corner: usize) -> Choice {
        self.chosen([corner], [1.0])
    }

    fn two(&self, [i, j]: [usize; 2]) -> Choice {
        let (a, b) = (self.at(i), self.at(j));
        let along = sub(b, a);
        let square = dot(along, along);
        // From the end that is closer: what is small is then exact.
        let from_b = dot(b, b) < dot(a, a);
        let share = if from_b { dot(b, along) } else { -dot(a, along) };
        if share.is_nan() || share <= 0.0 || square <= 0.0 {
            return self.one(if from_b { j } else { i });
        }
        if share >= square {
            return self.one(if from_b { i } else { j });
        }
        let t = share / square;
        self.chosen([i, j], if from_b { [t, 1.0 - t] } else { [1.0 - t, t] })
    }

    fn three(&self, [i, j, k]: [usize; 3]) -> Choice {
        let (a, b, c) = (self.at(i), self.at(j), self.at(k));
        let normal = accurate_cross(sub(b, a), sub(c, a));
        let square = dot(normal, normal);
        let mut areas = [-1.0; 3];
        let mut whole = 0.0;
        if square > 0.0 {
            // Twice the areas of the origin's shadow with each side, seen along the normal.
            areas = [
                dot(accurate_cross(b, c), normal),
                dot(accurate_cross(c, a), normal),
                dot(accurate_cross(a, b), normal),
            ];
            whole = areas[0] + areas[1] + areas[2];
            if areas.iter().all(|&area| area > 0.0) && whole > 0.0 {
                return self.chosen([i, j, k], areas.map(|area| area / whole));
            }
        }
        let has_area = whole > 0.0;
        let sides = [[j, k], [k, i], [i, j]];
        let mut best: Option<Choice> = None;
        for (side, area) in sides.into_iter().zip(areas) {
            if !has_area || area <= 0.0 {
                keep_closer(&mut best, self.two(side));
            }
        }
        best.unwrap_or_else(|| self.one(i))
    }

    fn four(&self) -> Choice {
        let p = [self.at(0), self.at(1), self.at(2), self.at(3)];
        let volume = |a: Vec3, b: Vec3, c: Vec3| dot(a, accurate_cross(b, c));
        let whole = volume(sub(p[1], p[0]), sub(p[2], p[0]), sub(p[3], p[0]));
        // Volumes with the origin in place of one corner.
        let mut parts = [
            volume(p[1], p[2], p[3]),
            -volume(p[0], p[2], p[3]),
            volume(p[0], p[1], p[3]),
            -volume(p[0], p[1], p[2]),
        ];
        if whole < 0.0 {
            parts = parts.map(|part| -part);
        }
        let sum: f64 = parts.iter().sum();
        if whole != 0.0 && sum > 0.0 && parts.iter().all(|&part| part > 0.0) {
            let mut choice = self.chosen([0, 1, 2, 3], parts.map(|part| part / sum));
            choice.square = 0.0;
            return choice;
        }
        let has_volume = sum > 0.0;
        let faces = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
        let mut best: Option<Choice> = None;
        for (face, part) in faces.into_iter().zip(parts) {
            if part <= 0.0 || !has_volume {
                keep_closer(&mut best, self.three(face));
            }
        }
        best.unwrap_or_else(|| self.one(0))
    }
}

fn keep_closer(best: &mut Option<Choice>, other: Choice) {
    if best.is_none_or(|best| other.square < best.square) {
        *best = Some(other);
    }
}
