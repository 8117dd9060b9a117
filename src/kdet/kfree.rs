//! The k-free predicate (kDet paper, section 3): how many larger triangles are close to a triangle.
//!
//! With d the diameter of the minimum enclosing sphere of t, the larger triangles that come within d / 4 of t are counted: those that intersect the Minkowski sum of t and a sphere of diameter d / 2. A
//! triangle is k-free if these are fewer than k, so the smallest k is one more. Two k-free sets of n triangles in all have at most 3 n k pairs that intersect (theorem 3.3).
//!
//! Diameters are compared exactly. Distances are computed in doubles and rounded in favour of "close", so that k is never too small.

use super::cells::{self, Hashing};
use super::distance;
use super::grid::Grid;
use super::soup::{Soup, View, Wanted};
use super::sphere;
use crate::locks::Mutex;
use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::Mesh;
use crate::schedule::Crew;
use crate::simd::StandardFloats;
use std::cmp::Ordering as Order;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A triangle and its smallest k.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct TriangleK {
    pub mesh: u64,
    pub triangle: u32,
    pub k: u32,
    /// Larger triangles close to it that share a vertex with it.
    pub neighbours: u32,
    pub reserved: u32,
    pub diameter: f64,
}

/// What is known of all triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    pub triangle_count: u64,
    pub k_max: u64,
    pub k_mean: f64,
    pub k_deviation: f64,
    /// Mean of the neighbours.
    pub neighbours_mean: f64,
    /// Of all larger triangles that were counted, those that are neighbours.
    pub neighbour_share: f64,
    /// log₂ of the largest over the smallest diameter, of those that are not zero.
    pub height: f64,
    pub diameter_min: f64,
    pub diameter_max: f64,
    /// Triangles whose diameter is zero.
    pub point_count: u64,
    /// 3 n k.
    pub bound: u64,
}

/// Triangles of a unit of work.
const UNIT: usize = 256;

/// Finds k for all triangles of some meshes, whose ids ascend, taken together. The triangles come out sorted, those with the largest k first.
pub fn k_free<'a>(
    memory: &Memory,
    crew: &Crew,
    meshes: impl Iterator<Item = (u64, &'a Mesh)>,
    triangles: &mut Buffer<TriangleK>,
) -> Result<Summary, MemoryError> {
    triangles.clear();
    let mut soup = Soup::new(memory);
    let wanted = Wanted { within_meshes: true, between_meshes: true };
    // SAFETY: the meshes are borrowed until the end of this function; nobody else has the soup.
    unsafe {
        soup.fill(meshes, wanted)?;
        for part in 0..soup.parts.len() {
            soup.copy(part);
        }
        soup.finish();
    }
    let count = soup.triangle_count;
    let view = soup.view();
    let mut grid = Grid::new(memory);
    grid.start(count, Hashing::Morton, false)?;
    let mut levels = grid.levels;
    // SAFETY: nobody else has the grid.
    unsafe { grid.count(&view, 0..count as u32, &mut levels) };
    grid.levels = levels;
    grid.place()?;
    // SAFETY: as above.
    unsafe { grid.fill(0..count as u32) };
    triangles.reserve_exact(count)?;
    let (next, failure) = (AtomicUsize::new(0), Mutex::new(None));
    let out = Places(triangles.start());
    crew.run(crew.worker_count(), &|_| {
        let _floats = StandardFloats::enter();
        let done = Counting::new(memory, view, &grid).and_then(|mut counting| {
            loop {
                let first = next.fetch_add(UNIT, Ordering::Relaxed);
                if first >= count {
                    return Ok(());
                }
                for triangle in first..count.min(first + UNIT) {
                    let result = counting.of(triangle as u32);
                    // SAFETY: there is room for all, and each triangle is counted once.
                    unsafe { out.at(triangle).write(result) };
                }
            }
        });
        if let Err(error) = done {
            // Nobody takes another unit.
            next.store(usize::MAX / 2, Ordering::Relaxed);
            failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    });
    if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    // SAFETY: all have been written: units were handed out until there were no more.
    unsafe { triangles.set_len(count) };
    let summary = summarize(triangles);
    triangles.sort_unstable_by(|a, b| b.k.cmp(&a.k).then((a.mesh, a.triangle).cmp(&(b.mesh, b.triangle))));
    Ok(summary)
}

/// Where results go.
struct Places(*mut TriangleK);

// SAFETY: threads write to different places.
unsafe impl Sync for Places {}

impl Places {
    fn at(&self, index: usize) -> *mut TriangleK {
        self.0.wrapping_add(index)
    }
}

/// In the order of the triangles, so that sums are the same for any number of workers.
fn summarize(triangles: &[TriangleK]) -> Summary {
    let count = triangles.len() as f64;
    let mut summary = Summary { triangle_count: triangles.len() as u64, ..Summary::default() };
    if triangles.is_empty() {
        return summary;
    }
    let (mut sum, mut neighbours) = (0u64, 0u64);
    let mut least = f64::INFINITY;
    for triangle in triangles {
        summary.k_max = summary.k_max.max(triangle.k as u64);
        sum += triangle.k as u64;
        neighbours += triangle.neighbours as u64;
        summary.diameter_max = summary.diameter_max.max(triangle.diameter);
        if triangle.diameter > 0.0 {
            least = least.min(triangle.diameter);
        } else {
            summary.point_count += 1;
        }
    }
    summary.k_mean = sum as f64 / count;
    let variance: f64 = triangles.iter().map(|triangle| (triangle.k as f64 - summary.k_mean).powi(2)).sum();
    summary.k_deviation = (variance / count).sqrt();
    summary.neighbours_mean = neighbours as f64 / count;
    let others = sum - triangles.len() as u64;
    summary.neighbour_share = if others > 0 { neighbours as f64 / others as f64 } else { 0.0 };
    if least.is_finite() {
        summary.diameter_min = least;
        summary.height = summary.diameter_max.log2() - least.log2();
    }
    summary.bound = summary.triangle_count.saturating_mul(3).saturating_mul(summary.k_max);
    summary
}

/// One worker's part.
struct Counting<'a> {
    view: View<'a>,
    grid: &'a Grid,
    /// The triangle for which another one was looked at last, plus one.
    seen: Buffer<u32>,
    limbs: Buffer<u64>,
}

impl<'a> Counting<'a> {
    fn new(memory: &Memory, view: View<'a>, grid: &'a Grid) -> Result<Counting<'a>, MemoryError> {
        let (mut seen, mut limbs) = (Buffer::new(memory.clone()), Buffer::new(memory.clone()));
        seen.resize(view.triangles.len(), 0)?;
        limbs.resize(sphere::LIMBS, 0)?;
        Ok(Counting { view, grid, seen, limbs })
    }

    fn of(&mut self, triangle: u32) -> TriangleK {
        let own = self.view.triangle(triangle);
        let row = *self.grid.row(triangle);
        let diameter = diameter_of(&own.points);
        // In local coordinates, a little more than a quarter of the diameter: cells are looked at by them.
        let reach = row.square.sqrt() * 0.25 * (1.0 + 1e-6) + 1e-12;
        let mut bounds = row.bounds;
        for axis in 0..3 {
            bounds[axis] -= reach;
            bounds[3 + axis] += reach;
        }
        let (mut k, mut neighbours) = (1, 0);
        // Rounding may have put this one a level too high.
        for level in row.level.saturating_sub(1)..self.grid.used_levels().end {
            if self.grid.levels[level as usize] == 0 {
                continue;
            }
            let (lower, upper) = cells::range(level, &bounds);
            for z in lower[2]..=upper[2] {
                for y in lower[1]..=upper[1] {
                    for x in lower[0]..=upper[0] {
                        for entry in self.grid.entries_of(level, [x, y, z]) {
                            let other = entry.triangle();
                            if self.seen[other as usize] == triangle + 1 || other == triangle {
                                continue;
                            }
                            self.seen[other as usize] = triangle + 1;
                            let theirs = self.grid.row(other);
                            if (0..3)
                                .any(|i| theirs.bounds[i] > bounds[3 + i] || theirs.bounds[3 + i] < bounds[i])
                            {
                                continue;
                            }
                            let theirs = self.view.triangle(other);
                            if self.is_larger(&own.points, &theirs.points)
                                && (shares(own.vertices, theirs.vertices)
                                    || distance::is_within(&own.points, &theirs.points, 0.25 * diameter))
                            {
                                k += 1;
                                neighbours += u32::from(shares(own.vertices, theirs.vertices));
                            }
                        }
                    }
                }
            }
        }
        let part = self.view.soup.parts[self.view.part_of(triangle)];
        TriangleK {
            mesh: part.id,
            triangle: triangle - part.first_triangle,
            k,
            neighbours,
            reserved: 0,
            diameter,
        }
    }

    /// Whether the second triangle is at least as large as the first.
    fn is_larger(&mut self, a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> bool {
        let squares = [a, b].map(sphere::square_of_diameter);
        sphere::compare([a, b], squares, &mut self.limbs) != Order::Greater
    }
}

fn shares(a: [u32; 3], b: [u32; 3]) -> bool {
    a.iter().any(|vertex| b.contains(vertex))
}

/// The diameter, also where its square is beyond doubles.
fn diameter_of(points: &[[f64; 3]; 3]) -> f64 {
    let largest = points.iter().flatten().fold(0.0f64, |most, x| most.max(x.abs()));
    let exponent = ((largest.to_bits() >> 52) as i32 - 1023).clamp(-1020, 1020);
    let scale = f64::from_bits(((1023 - exponent) as u64) << 52);
    let scaled = points.map(|point| point.map(|x| x * scale));
    sphere::square_of_diameter(&scaled).sqrt() / scale
}
