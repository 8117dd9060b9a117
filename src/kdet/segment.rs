//! What two triangles have in common, as a segment.

use super::orientation::{Point, heights, offsets, volume_sign};
use super::triangle_triangle::{Triangle, contains, pierces, segments_cross};

/// The ends of what two triangles that intersect have in common, and whether they lie in one plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Common {
    pub ends: [Point; 2],
    pub is_coplanar: bool,
}

/// Finds the ends: corners of one that are in the other, and where edges go through. Which these are is decided exactly; where they are is computed in doubles, on the edge. Of triangles
/// in one plane, which have an area in common, the two of its corners that are farthest apart.
pub fn common(a: &Triangle, b: &Triangle) -> Common {
    let mut ends = Ends { points: [[0.0; 3]; 24], count: 0 };
    let sides = |of: &Triangle, at: &Triangle| {
        let [p, q, r] = &of.points;
        [0, 1, 2].map(|i| volume_sign(p, q, r, &at.points[i]))
    };
    let (sides_a, sides_b) = (sides(b, a), sides(a, b));
    for (one, other, sides) in [(a, b, sides_a), (b, a, sides_b)] {
        for i in 0..3 {
            if sides[i] == 0 && contains(&other.points, &one.points[i]) {
                ends.add(one.points[i]);
            }
            let (p, q) = (&one.points[i], &one.points[(i + 1) % 3]);
            if sides[i] * sides[(i + 1) % 3] < 0 && pierces(p, q, &other.points) {
                ends.add(between(p, q, heights(&other.points, p, q)));
            }
        }
    }
    let is_coplanar = sides_a == [0; 3] && sides_b == [0; 3];
    if is_coplanar {
        for i in 0..3 {
            for j in 0..3 {
                let (p, q) = (&a.points[i], &a.points[(i + 1) % 3]);
                let (r, s) = (&b.points[j], &b.points[(j + 1) % 3]);
                if let Some(axis) = segments_cross(p, q, r, s) {
                    ends.add(between(p, q, offsets(axis, r, s, p, q)));
                }
            }
        }
    }
    Common { ends: ends.farthest(), is_coplanar }
}

struct Ends {
    points: [Point; 24],
    count: usize,
}

impl Ends {
    fn add(&mut self, point: Point) {
        self.points[self.count] = point;
        self.count += 1;
    }

    /// The two that are farthest apart, the first of those that are equally far.
    fn farthest(&self) -> [Point; 2] {
        let points = &self.points[..self.count];
        // So that squares neither overflow nor underflow.
        let scale = scale_of(points);
        let mut ends = [points.first().copied().unwrap_or([0.0; 3]); 2];
        let mut most = 0.0;
        for (i, p) in points.iter().enumerate() {
            for q in &points[i + 1..] {
                let square: f64 = (0..3).map(|axis| (p[axis] * scale - q[axis] * scale).powi(2)).sum();
                if square > most {
                    (most, ends) = (square, [*p, *q]);
                }
            }
        }
        ends
    }
}

/// A power of two that makes the largest coordinate about one.
fn scale_of(points: &[Point]) -> f64 {
    let largest = points.iter().flatten().fold(0.0f64, |largest, x| largest.max(x.abs()));
    let exponent = ((largest.to_bits() >> 52) as i32 - 1022).clamp(-1020, 1020);
    f64::from_bits(((1023 - exponent) as u64) << 52)
}

/// The point between p and q that is at these distances from them, or in this proportion.
fn between(p: &Point, q: &Point, [from_p, from_q]: [f64; 2]) -> Point {
    let sum = from_p + from_q;
    let (toward_p, toward_q) = if sum > 0.0 { (from_q / sum, from_p / sum) } else { (0.5, 0.5) };
    [0, 1, 2].map(|axis| {
        let (least, most) = (p[axis].min(q[axis]), p[axis].max(q[axis]));
        // Weights that sum to one: no overflow, and not beyond the ends.
        (p[axis] * toward_p + q[axis] * toward_q).clamp(least, most)
    })
}
