//! Many points of contact of a pair of meshes, of which a manifold keeps a few: [`Manifold::add_once`] for one after the other, bit for bit, with the distances to all points that are kept in lanes.

use super::manifold::{ContactPoint, MAX_POINTS, Manifold, SAME_NORMAL};
use crate::elementary::vec3::{dot, sub};
use crate::simd::{self, Doubles, Kernel, Level, Mask};

impl Manifold {
    /// Adds points that are not there already.
    pub fn add_all_once(&mut self, new: &[ContactPoint], distance: f64, level: Level) {
        if !new.is_empty() {
            simd::dispatch(level, Gather { manifold: self, new, distance });
        }
    }
}

struct Gather<'a> {
    manifold: &'a mut Manifold,
    new: &'a [ContactPoint],
    distance: f64,
}

impl Kernel for Gather<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Doubles>(self) {
        let Gather { manifold, new, distance } = self;
        let mut kept = Kept::new(manifold);
        for point in new {
            let (aways, same) = kept.aways::<V>(point, distance * distance);
            if same == 0 {
                kept.add::<V>(point, &aways);
                continue;
            }
            let place = same.trailing_zeros() as usize;
            if kept.manifold.points[place].depth < point.depth {
                kept.replace::<V>(place, point, &aways);
            }
        }
    }
}

/// A manifold with its points in rows.
struct Kept<'a> {
    manifold: &'a mut Manifold,
    /// Their coordinates, then those of their normals.
    rows: [[f64; MAX_POINTS]; 6],
    /// If it is full and measured: the point that is closest to one of those before it, and how far it is away.
    least: (f64, usize),
}

impl<'a> Kept<'a> {
    #[inline(always)]
    fn new(manifold: &'a mut Manifold) -> Kept<'a> {
        let mut kept = Kept { manifold, rows: [[0.0; MAX_POINTS]; 6], least: (f64::INFINITY, 0) };
        for place in 0..kept.manifold.len {
            kept.set_row(place);
        }
        if kept.manifold.is_measured {
            kept.find_least();
        }
        kept
    }

    #[inline(always)]
    fn set_row(&mut self, place: usize) {
        let ContactPoint { point, normal, .. } = &self.manifold.points[place];
        for axis in 0..3 {
            (self.rows[axis][place], self.rows[3 + axis][place]) = (point[axis], normal[axis]);
        }
    }

    #[inline(always)]
    fn find_least(&mut self) {
        self.least = (f64::INFINITY, 0);
        for (place, &(away, _)) in self.manifold.closest.iter().enumerate() {
            if away < self.least.0 {
                self.least = (away, place);
            }
        }
    }

    /// How far a point is from all that are kept, and which of those are the same.
    #[inline(always)]
    fn aways<V: Doubles>(&self, new: &ContactPoint, distance_square: f64) -> ([f64; MAX_POINTS], u32) {
        let mut aways = [0.0; MAX_POINTS];
        let mut same = 0;
        let ContactPoint { point: [x, y, z], normal: [p, q, r], .. } = *new;
        let point = [V::splat(x), V::splat(y), V::splat(z)];
        let normal = [V::splat(p), V::splat(q), V::splat(r)];
        let [x, y, z, p, q, r] = &self.rows;
        for first in (0..MAX_POINTS).step_by(V::COUNT) {
            let way = sub([V::load(&x[first..]), V::load(&y[first..]), V::load(&z[first..])], point);
            let turn = sub([V::load(&p[first..]), V::load(&q[first..]), V::load(&r[first..])], normal);
            let (way, turn) = (dot(way, way), dot(turn, turn));
            let away = way * (V::splat(1.0) + V::splat(4.0) * turn);
            aways[first..first + V::COUNT].copy_from_slice(&away.to_array()[..V::COUNT]);
            let is_same = !way.gt(V::splat(distance_square)) & turn.lt(V::splat(SAME_NORMAL));
            same |= is_same.bits() << first;
        }
        (aways, same & ((1 << self.manifold.len) - 1))
    }

    /// As [`Manifold::add`].
    #[inline(always)]
    fn add<V: Doubles>(&mut self, new: &ContactPoint, aways: &[f64; MAX_POINTS]) {
        if self.manifold.len < MAX_POINTS {
            self.manifold.points[self.manifold.len] = *new;
            self.set_row(self.manifold.len);
            self.manifold.len += 1;
            return;
        }
        if !self.manifold.is_measured {
            for place in 0..MAX_POINTS {
                self.manifold.closest[place] = self.closest_before::<V>(place);
            }
            self.manifold.is_measured = true;
            self.find_least();
        }
        let (closest, away) = least_of(aways, MAX_POINTS);
        let points = &self.manifold.points;
        let place = if away < self.least.0 {
            if new.depth > points[closest].depth { closest } else { return }
        } else {
            let place = self.least.1;
            let other = self.manifold.closest[place].1;
            if points[place].depth < points[other].depth { place } else { other }
        };
        self.replace::<V>(place, new, aways);
    }

    #[inline(always)]
    fn closest_before<V: Doubles>(&self, place: usize) -> (f64, usize) {
        let (aways, _) = self.aways::<V>(&self.manifold.points[place], 0.0);
        let (closest, away) = least_of(&aways, place);
        (away, closest)
    }

    #[inline(always)]
    fn replace<V: Doubles>(&mut self, place: usize, new: &ContactPoint, aways: &[f64; MAX_POINTS]) {
        self.manifold.points[place] = *new;
        self.set_row(place);
        if !self.manifold.is_measured {
            return;
        }
        let (closest, away) = least_of(aways, place);
        self.manifold.closest[place] = (away, closest);
        for (later, &away) in aways.iter().enumerate().skip(place + 1) {
            if self.manifold.closest[later].1 == place {
                self.manifold.closest[later] = self.closest_before::<V>(later);
            } else if away < self.manifold.closest[later].0 {
                self.manifold.closest[later] = (away, place);
            }
        }
        self.find_least();
    }
}

/// The first of the least ones among so many.
#[inline(always)]
fn least_of(aways: &[f64; MAX_POINTS], count: usize) -> (usize, f64) {
    let mut least = (0, f64::INFINITY);
    for (place, &away) in aways[..count].iter().enumerate() {
        if away < least.1 {
            least = (place, away);
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::random;

    #[test]
    fn lanes_keep_what_one_after_the_other_keeps() {
        let mut state = 5;
        let mut full = 0;
        for case in 0..400 {
            let flat = [1.0, 0.0][case % 2];
            let points: Vec<ContactPoint> = (0..case % 120)
                .map(|number| {
                    let grid = [0; 3].map(|_| (8.0 * random(&mut state)).round() / 8.0);
                    let off = [0; 3].map(|_| flat * random(&mut state));
                    let normal = [[0.0, 1.0, 0.0], [0.0, 0.6, 0.8], [0.01, 1.0, 0.0]][number % 3];
                    let point = [0, 1, 2].map(|axis| grid[axis] + off[axis]);
                    ContactPoint { point, normal, depth: random(&mut state), triangles: [number as u32; 2] }
                })
                .collect();
            let mut expected = Manifold::default();
            points.iter().for_each(|&point| expected.add_once(point, 0.1));
            full += usize::from(expected.points().len() == MAX_POINTS);
            for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
                let mut manifold = Manifold::default();
                // In pieces, between which nothing is lost.
                points.chunks(1 + case % 37).for_each(|points| manifold.add_all_once(points, 0.1, level));
                assert_eq!(manifold.points(), expected.points(), "case {case}, {level:?}");
            }
        }
        assert!(full > 200, "{full}");
    }
}
