//! Whether the loop around a patch, seen along an axis, stays free of self-intersections throughout the motion (the contour test of Volino and Thalmann, over time).
//!
//! Seen along the axis, points have two coordinates (u, w), which are linear in those of space, with coefficients 0, ±½ and ±1; so they move linearly, too.
//!
//! - Two edges that have no vertex in common are apart if a direction of the plane separates them at both ends of the motion, on the same side: along a fixed direction
//!   everything moves linearly. Six directions are tried, for eight edges at once, as two boxes with three "axes" each.
//! - If none does, the line through one edge may have the other one on one side, at all times: two quadratics without a zero.
//! - Consecutive edges touch in their common vertex only if both rise along one direction at both ends, or if they are never parallel.
//!
//! *Rounding.* With v and R as in `facing`, local coordinates are off by v R, and u and w by 5v R at the most: x − y by 2v R + 2v R; (x + y) / 2 − z by v R + v R, v R of z, and
//! 2v R of the difference. Along a direction with coefficients 1 and ½, that is 7.5v R, and 3v R for the sum. A gap is off by twice that and by 6v R for itself, less than 32v R: that
//! much it has to be. Lines are tested in doubles, whose own rounding is nothing against that of u and w: with η = 10v R for differences, and M the largest
//! difference, a product of two vectors is off by 4Mη + 2η²; 5η(M + η) is required.

use super::bounds::{BoxGroup, Reach};
use super::tree::WIDTH;
use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::LocalMotion;
use crate::simd::Floats8;

/// Working memory for the test.
pub struct ContourRoom {
    /// u and w at t = 0, then at t = 1, of each vertex; then those of the first one again.
    points: Buffer<[f32; 4]>,
    /// Of each eight edges.
    edges: Buffer<[BoxGroup; 2]>,
    /// By edge, bit k: it rises along direction k, bit 6 + k: it falls.
    courses: Buffer<u16>,
}

impl ContourRoom {
    pub fn new(memory: &Memory) -> ContourRoom {
        ContourRoom {
            points: Buffer::new(memory.clone()),
            edges: Buffer::new(memory.clone()),
            courses: Buffer::new(memory.clone()),
        }
    }

    /// Makes room for a loop.
    fn grow(&mut self, count: usize) -> Result<(), MemoryError> {
        if self.courses.len() < count {
            self.points.resize(count + 1, [0.0; 4])?;
            self.edges.resize(count.div_ceil(WIDTH), [BoxGroup::EMPTY; 2])?;
            self.courses.resize(count, 0)?;
        }
        Ok(())
    }
}

/// Coefficients of u and w, for each of the axes that patches are seen along. Their cross product is a multiple of the axis.
const VIEWS: [[[f32; 3]; 2]; 13] = [
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
    [[1.0, -1.0, 0.0], [0.0, 0.0, 1.0]],
    [[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [[0.0, 1.0, -1.0], [1.0, 0.0, 0.0]],
    [[0.0, 1.0, 1.0], [1.0, 0.0, 0.0]],
    [[1.0, 0.0, -1.0], [0.0, 1.0, 0.0]],
    [[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]],
    [[1.0, -1.0, 0.0], [0.5, 0.5, -1.0]],
    [[1.0, -1.0, 0.0], [0.5, 0.5, 1.0]],
    [[1.0, 1.0, 0.0], [0.5, -0.5, -1.0]],
    [[1.0, 1.0, 0.0], [0.5, -0.5, 1.0]],
];

/// Directions of the plane: about 30 degrees from one to the next.
const DIRECTIONS: [[f32; 2]; 6] = [[1.0, 0.0], [1.0, 0.5], [0.5, 1.0], [0.0, 1.0], [-0.5, 1.0], [-1.0, 0.5]];

#[inline(always)]
fn along(direction: [f32; 2], u: f32, w: f32) -> f32 {
    direction[0] * u + direction[1] * w
}

/// Whether the loop with these vertices, seen along axis `axis` of [`super::facing::AXES`], is certainly free of self-intersections and of points at which it touches itself, at
/// all times.
#[inline(always)]
pub fn is_simple<F: Floats8>(
    motions: &[LocalMotion],
    vertices: &[u32],
    axis: usize,
    rounding: f32,
    room: &mut ContourRoom,
) -> Result<bool, MemoryError> {
    let count = vertices.len();
    if count < 3 {
        return Ok(false);
    }
    let reach = 32.0 * rounding;
    room.grow(count)?;
    let ContourRoom { points, edges, courses } = room;
    let points = &mut points[..count + 1];
    project(motions, vertices, axis, points);
    for (i, course) in courses[..count].iter_mut().enumerate() {
        *course = place_edge(points, i, reach, &mut edges[i / WIDTH], i % WIDTH);
    }
    // Consecutive edges.
    for i in 0..count {
        let next = if i + 1 == count { 0 } else { i + 1 };
        if courses[i] & courses[next] == 0 && !is_bent(points, [i, next], rounding) {
            return Ok(false);
        }
    }
    // All others.
    let reach = Reach::<F>::new(reach as f64);
    for i in 0..count - 2 {
        let [first, second] = &edges[i / WIDTH];
        let (first, second) = (first.broadcast::<F>(i % WIDTH), second.broadcast::<F>(i % WIDTH));
        // the first and the last one are consecutive, too
        let end = if i == 0 { count - 1 } else { count };
        for place in (i + 2) / WIDTH..end.div_ceil(WIDTH) {
            let [a, b] = &edges[place];
            let mut near = first.meets(a, &reach) & second.meets(b, &reach);
            while near != 0 {
                let other = place * WIDTH + near.trailing_zeros() as usize;
                near &= near - 1;
                if other >= i + 2 && other < end && !are_apart(points, [i, other], rounding) {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

/// The vertices as they are seen along an axis.
#[inline(always)]
fn project(motions: &[LocalMotion], vertices: &[u32], axis: usize, points: &mut [[f32; 4]]) {
    let [u, w] = VIEWS[axis];
    // Products with 0, ±½ and ±1 are exact.
    let dot = |a: [f32; 3], x: &[f32]| a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
    for (point, &vertex) in points.iter_mut().zip(vertices) {
        let [start @ .., _, _, _, _] = &motions[vertex as usize].0;
        let [_, _, _, _, end @ ..] = &motions[vertex as usize].0;
        *point = [dot(u, start), dot(w, start), dot(u, end), dot(w, end)];
    }
    points[vertices.len()] = points[0];
}

/// Writes the bounds of an edge along all directions to a lane of two groups; returns its course.
#[inline(always)]
fn place_edge(points: &[[f32; 4]], edge: usize, reach: f32, groups: &mut [BoxGroup; 2], lane: usize) -> u16 {
    let [a, b] = [points[edge], points[edge + 1]];
    let mut course = 0;
    for (k, direction) in DIRECTIONS.into_iter().enumerate() {
        let planes = &mut groups[k / 3].planes;
        let (mut rises, mut falls) = (true, true);
        for end in 0..2 {
            let from = along(direction, a[2 * end], a[2 * end + 1]);
            let to = along(direction, b[2 * end], b[2 * end + 1]);
            rises &= to - from > reach;
            falls &= from - to > reach;
            let (low, high) = if from < to { (from, to) } else { (to, from) };
            planes[6 * end + k % 3][lane] = low;
            planes[6 * end + 3 + k % 3][lane] = -high;
        }
        course |= u16::from(rises) << k | u16::from(falls) << (6 + k);
    }
    course
}

/// A vector between two points, at t = 0 and t = 1.
type Way = [[f64; 2]; 2];

fn way(from: [f32; 4], to: [f32; 4]) -> Way {
    let part = |i: usize| to[i] as f64 - from[i] as f64;
    [[part(0), part(1)], [part(2), part(3)]]
}

/// The sign of a × b that it has at all times; 0 if that is not certain.
fn turn(a: Way, b: Way, rounding: f32) -> i32 {
    let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
    let control = [cross(a[0], b[0]), (cross(a[0], b[1]) + cross(a[1], b[0])) * 0.5, cross(a[1], b[1])];
    let largest = a.iter().chain(&b).flatten().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    let eta = 10.0 * rounding as f64;
    let error = 5.0 * eta * (largest + eta);
    if control.iter().all(|&x| x > error) {
        1
    } else if control.iter().all(|&x| x < -error) {
        -1
    } else {
        0
    }
}

/// Whether two consecutive edges are never parallel.
#[cold]
fn is_bent(points: &[[f32; 4]], [edge, next]: [usize; 2], rounding: f32) -> bool {
    let [a, b] = [edge, next].map(|edge| way(points[edge], points[edge + 1]));
    turn(a, b, rounding) != 0
}

/// Whether the line through one of two edges always has the other on one side.
#[cold]
fn are_apart(points: &[[f32; 4]], edges: [usize; 2], rounding: f32) -> bool {
    let has_on_one_side = |line: usize, other: usize| {
        let origin = points[line];
        let along = way(origin, points[line + 1]);
        let [from, to] =
            [points[other], points[other + 1]].map(|point| turn(along, way(origin, point), rounding));
        from != 0 && from == to
    };
    has_on_one_side(edges[0], edges[1]) || has_on_one_side(edges[1], edges[0])
}

#[cfg(test)]
mod tests {
    use super::super::facing::AXES;
    use super::*;

    #[test]
    fn views_are_along_their_axes() {
        for ([u, w], axis) in VIEWS.into_iter().zip(AXES) {
            let across = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
            let factor = across.iter().zip(axis).map(|(x, a)| x * a).sum::<f32>();
            let square = axis.iter().map(|a| a * a).sum::<f32>();
            assert!(factor != 0.0);
            for (x, a) in across.iter().zip(axis) {
                assert_eq!(x * square, a * factor, "{u:?} {w:?} {axis:?}");
            }
            assert!([u, w].iter().all(|v| v.iter().map(|x| x.abs()).sum::<f32>() <= 2.0));
        }
    }

    /// A loop of points in the plane z = 0, at both ends of the motion.
    fn is_simple_from_above(start: &[[f32; 2]], end: &[[f32; 2]]) -> bool {
        let motions: Vec<LocalMotion> = start
            .iter()
            .zip(end)
            .map(|(a, b)| LocalMotion([a[0], a[1], 0.0, 0.0, b[0], b[1], 0.0, 0.0]))
            .collect();
        let vertices: Vec<u32> = (0..start.len() as u32).collect();
        let mut room = ContourRoom::new(&Memory::new(None).expect("the system has memory"));
        is_simple::<[f32; 8]>(&motions, &vertices, 2, 1e-6, &mut room).expect("the system has memory")
    }

    #[test]
    fn loops_are_told_apart() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let eight = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]];
        assert!(is_simple_from_above(&square, &square));
        assert!(!is_simple_from_above(&eight, &eight));
        // a notch that closes, one that touches at the end only, one that stays open
        let notch = |depth: f32| [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.5, depth], [0.0, 1.0]];
        assert!(is_simple_from_above(&notch(0.9), &notch(0.1)));
        assert!(!is_simple_from_above(&notch(0.9), &notch(0.0)));
        assert!(!is_simple_from_above(&notch(0.9), &notch(-0.1)));
        // an edge that folds back on the one before it
        let spike = |width: f32| [[0.0, 0.0], [2.0, 0.0], [1.0, width], [0.0, 1.0]];
        assert!(is_simple_from_above(&spike(0.3), &spike(0.2)));
        assert!(!is_simple_from_above(&spike(0.3), &spike(0.0)));
        // two vertices in one place
        let pinched = [[0.0, 0.0], [1.0, 0.0], [0.5, 0.5], [1.0, 1.0], [0.0, 1.0], [0.5, 0.5]];
        assert!(!is_simple_from_above(&pinched, &pinched));
    }
}
