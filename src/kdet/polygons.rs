//! Polygons as fans of triangles (kDet paper, section 3.2), each with one minimum enclosing sphere. A triangle is a fan of one.

use super::cells;
use super::enclosing::{self, MOST, Support};
use super::orientation::Point;
use super::scale::Scale;
use super::soup::View;
use super::sphere;
use crate::memory::{Buffer, Memory, MemoryError};
use std::cmp::Ordering;
use std::ops::Range;

/// How the triangles of a mesh, one after the other, make up polygons.
#[derive(Clone, Copy, Debug)]
pub struct Fans<'a> {
    /// The number of the first polygon.
    pub first: u32,
    /// How many triangles each polygon has. Together these are all of the mesh.
    pub sizes: &'a [u32],
}

/// A polygon of a soup, and its minimum enclosing sphere.
#[derive(Clone, Copy, Debug)]
pub struct Polygon {
    pub first_triangle: u32,
    pub triangle_count: u32,
    /// Lower and upper bounds of local coordinates.
    pub bounds: [f64; 6],
    /// The vertices that the sphere rests on; some of them more than once if there are less than four.
    support: [u32; MOST],
    /// Of the sphere, as [`sphere::square_of_diameter`] has it; not a number if it rests on four.
    square: f64,
    /// Rounded; not too small by more than 2⁻⁴⁸ of itself.
    pub diameter: f64,
}

impl Polygon {
    /// A quarter of the diameter, not too small either.
    pub fn reach(&self) -> f64 {
        let reach = 0.25 * self.diameter;
        if self.diameter > 0.0 && reach < f64::MIN_POSITIVE { reach.next_up() } else { reach }
    }

    pub fn triangles(&self) -> Range<u32> {
        self.first_triangle..self.first_triangle + self.triangle_count
    }

    /// Whether another one is at least as large. Exact.
    pub fn is_exceeded_by(&self, other: &Polygon, view: &View<'_>, limbs: &mut [u64]) -> bool {
        let [own, theirs] = [self, other].map(|polygon| polygon.support.map(|vertex| view.point(vertex)));
        let resting = |polygon: &Polygon| if polygon.square.is_nan() { MOST } else { 3 };
        let supports = [&own[..resting(self)], &theirs[..resting(other)]];
        sphere::compare(supports, [self.square, other.square], limbs) != Ordering::Greater
    }

    /// The level of cells that are at least as large as a sphere of this diameter, in local coordinates.
    pub fn level_of(diameter: f64) -> u32 {
        let exponent = |x: f64| (x.to_bits() >> 52) as i32;
        (exponent(diameter.max(0.0)) + 1 - exponent(cells::side(0))).clamp(0, cells::LEVELS as i32 - 1) as u32
    }
}

/// What it takes to measure polygons, for one worker.
pub struct Measuring {
    corners: Buffer<Point>,
    vertices: Buffer<u32>,
    limbs: Buffer<u64>,
}

impl Measuring {
    pub fn new(memory: &Memory) -> Result<Measuring, MemoryError> {
        let mut limbs = Buffer::new(memory.clone());
        limbs.resize(sphere::LIMBS, 0)?;
        Ok(Measuring { corners: Buffer::new(memory.clone()), vertices: Buffer::new(memory.clone()), limbs })
    }

    /// The polygon of these triangles.
    pub fn measure(&mut self, view: &View<'_>, triangles: Range<u32>) -> Result<Polygon, MemoryError> {
        let mut bounds = [f64::INFINITY, f64::INFINITY, f64::INFINITY, -2.0, -2.0, -2.0];
        for corner in triangles.clone().flat_map(|triangle| view.triangles[triangle as usize]) {
            let point = view.point(corner);
            for axis in 0..3 {
                let at = view.local(axis, point[axis]);
                bounds[axis] = bounds[axis].min(at);
                bounds[3 + axis] = bounds[3 + axis].max(at);
            }
        }
        let (first_triangle, triangle_count) = (triangles.start, triangles.len() as u32);
        let [a, b, c] = view.triangles[first_triangle as usize];
        let mut support = [a, b, c, c];
        let mut is_solid = false;
        if triangle_count > 1 {
            self.collect(view, triangles)?;
            let Support { points, count } = enclosing::support_of(&self.corners, &mut self.limbs);
            support = points.map(|i| self.vertices[i as usize]);
            is_solid = count == MOST;
        }
        let resting = support.map(|vertex| view.point(vertex));
        let [p, q, r, _] = resting;
        let (square, diameter) = match is_solid {
            false => (sphere::square_of_diameter(&[p, q, r]), diameter_of_three(&[p, q, r])),
            true => (f64::NAN, self.diameter_of_four(&resting)),
        };
        // The smallest numbers have few digits: rounded up, it is not too small.
        let is_tiny = diameter > 0.0 && diameter < f64::MIN_POSITIVE;
        let diameter = if is_tiny { diameter.next_up() } else { diameter };
        Ok(Polygon { first_triangle, triangle_count, bounds, support, square, diameter })
    }

    /// The corners of some triangles. Those that two in a row share are taken once.
    fn collect(&mut self, view: &View<'_>, triangles: Range<u32>) -> Result<(), MemoryError> {
        self.corners.clear();
        self.vertices.clear();
        let mut last: &[u32] = &[];
        for triangle in triangles {
            let corners = &view.triangles[triangle as usize];
            for &vertex in corners.iter().filter(|vertex| !last.contains(vertex)) {
                self.vertices.push(vertex)?;
                self.corners.push(view.point(vertex))?;
            }
            last = corners;
        }
        Ok(())
    }

    /// The diameter of the sphere through four corners, never too small.
    ///
    /// Twice the distance of the farthest corner from any point is one bound; here from the centre as doubles have it. Another one for nearly flat polygons, whose centre may be far off: with R the radius, the centre is a mean
    /// of the four, so one of them has a weight λ of at most 1/4. The mean q of the others is R λ / (1 − λ) ≤ R / 3 from the centre. From any point x, the mean of the squares of their distances is R² − 2 q · x + x² ≥
    /// R² − q² ≥ 8/9 R². So the sphere of some three has at least √8/9 of the diameter.
    fn diameter_of_four(&self, resting: &[Point; MOST]) -> f64 {
        let triples = (0..MOST).map(|i| diameter_of_three(&[1, 2, 3].map(|j| resting[(i + j) % MOST])));
        let most = triples.fold(0.0, f64::max) * 1.125f64.sqrt() * (1.0 + f64::EPSILON);
        let centre = enclosing::centre_of_four(resting);
        let farthest = self.corners.iter().map(|&corner| distance(corner, centre)).fold(0.0, f64::max);
        if centre.iter().all(|x| x.is_finite()) { most.min(2.0 * farthest) } else { most }
    }
}

/// A distance, also where squares are beyond doubles.
fn distance(p: Point, q: Point) -> f64 {
    let gap = [0, 1, 2].map(|axis| p[axis] - q[axis]);
    let size = enclosing::size_of(&[gap], [0.0; 3]);
    if size == 0.0 {
        return 0.0;
    }
    let scale = Scale::for_size(size);
    scale.over(gap.iter().map(|&x| scale.times(x).powi(2)).sum::<f64>().sqrt())
}

/// The diameter of the smallest sphere around three points, also where its square is beyond doubles.
fn diameter_of_three(points: &[Point; 3]) -> f64 {
    let size = enclosing::size_of(points, points[0]);
    if size == 0.0 {
        return 0.0;
    }
    let scale = Scale::for_size(size);
    // Scaled as they are, not as differences, so that these are computed once. A coordinate that all have in common may be too large for that, and any other is at most 2⁵³ times the size.
    let mut scaled = *points;
    for axis in 0..3 {
        let is_common = points.iter().all(|point| point[axis] == points[0][axis]);
        for point in &mut scaled {
            point[axis] = if is_common { 0.0 } else { scale.times(point[axis]) };
        }
    }
    scale.over(sphere::square_of_diameter(&scaled).sqrt())
}
