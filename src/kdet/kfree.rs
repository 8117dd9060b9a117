//! The k-free predicate (kDet paper, section 3): how many larger triangles are close to a triangle.
//!
//! The same of polygons (section 3.2), which are fans of triangles: their spheres are around all of a fan, and one is close to another if any of its triangles is. The bound is 7 n k for these.
//!
//! With d the diameter of the minimum enclosing sphere of t, the larger triangles that come within d / 4 of t are counted: those that intersect the Minkowski sum of t and a sphere of diameter d / 2. A
//! triangle is k-free if these are fewer than k, so the smallest k is one more. Two k-free sets of n triangles in all have at most 3 n k pairs that intersect (theorem 3.3).
//!
//! Diameters are compared exactly. Distances are computed in doubles and rounded in favour of "close", so that k is never too small.

use super::distance;
use super::polygons::{Fans, Measuring, Polygon};
use super::soup::{Soup, View, Wanted};
use super::sphere;
use super::vicinity::Vicinity;
use crate::locks::Mutex;
use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::Mesh;
use crate::schedule::Crew;
use crate::simd::StandardFloats;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A triangle, or a polygon, and its smallest k.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct TriangleK {
    pub mesh: u64,
    /// The first one of a polygon.
    pub triangle: u32,
    pub k: u32,
    /// Larger ones close to it that share a vertex with it.
    pub neighbours: u32,
    /// The number of the polygon; without polygons 0.
    pub polygon: u32,
    pub diameter: f64,
}

/// What is known of all triangles or polygons.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    pub triangle_count: u64,
    /// As many as triangles if these are no fans.
    pub polygon_count: u64,
    pub k_max: u64,
    pub k_mean: f64,
    pub k_deviation: f64,
    /// Mean of the neighbours.
    pub neighbours_mean: f64,
    /// Of all larger ones that were counted, those that are neighbours.
    pub neighbour_share: f64,
    /// log₂ of the largest over the smallest diameter, of those that are not zero.
    pub height: f64,
    pub diameter_min: f64,
    pub diameter_max: f64,
    /// Those whose diameter is zero.
    pub point_count: u64,
    /// 3 k for each triangle and 7 k for each other polygon.
    pub bound: u64,
}

/// Triangles or polygons of a unit of work.
const UNIT: usize = 256;

/// Finds k for all triangles of some meshes, whose ids ascend, taken together; or for their polygons, if these have fans. Results come out sorted, those with the largest k first.
pub fn k_free<'a>(
    memory: &Memory,
    crew: &Crew,
    meshes: impl Iterator<Item = (u64, &'a Mesh)>,
    fans: Option<&[Fans<'_>]>,
    results: &mut Buffer<TriangleK>,
) -> Result<Summary, MemoryError> {
    results.clear();
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
    let view = soup.view();
    let mut ends = Buffer::new(memory.clone());
    match fans {
        None => (0..soup.triangle_count as u32).try_for_each(|triangle| ends.push(triangle + 1))?,
        Some(fans) => {
            let mut end = 0;
            for size in fans.iter().flat_map(|fans| fans.sizes) {
                end += size;
                ends.push(end)?;
            }
        }
    }
    let count = ends.len();
    let mut polygons = Buffer::new(memory.clone());
    fill(
        crew,
        count,
        &mut polygons,
        || Measuring::new(memory),
        |measuring, i| {
            let first = if i > 0 { ends[i - 1] } else { 0 };
            measuring.measure(&view, first..ends[i])
        },
    )?;
    let vicinity = Vicinity::new(memory, &polygons, soup.scale)?;
    fill(
        crew,
        count,
        results,
        || Counting::new(memory, view, &polygons, &vicinity),
        |counting, i| Ok(counting.of(i as u32)),
    )?;
    let summary = summarize(results, &polygons);
    if let Some(fans) = fans {
        let numbers = fans.iter().flat_map(|fans| fans.first..fans.first + fans.sizes.len() as u32);
        for (result, number) in results.iter_mut().zip(numbers) {
            result.polygon = number;
        }
    }
    results.sort_unstable_by(|a, b| b.k.cmp(&a.k).then((a.mesh, a.triangle).cmp(&(b.mesh, b.triangle))));
    Ok(summary)
}

/// Fills a buffer on all workers, each of which makes what it needs first.
fn fill<T: Copy, W>(
    crew: &Crew,
    count: usize,
    results: &mut Buffer<T>,
    prepare: impl Fn() -> Result<W, MemoryError> + Sync,
    make: impl Fn(&mut W, usize) -> Result<T, MemoryError> + Sync,
) -> Result<(), MemoryError> {
    results.reserve_exact(count)?;
    let (next, failure) = (AtomicUsize::new(0), Mutex::new(None));
    let out = Places(results.start());
    crew.run(crew.worker_count(), &|_| {
        let _floats = StandardFloats::enter();
        let done = prepare().and_then(|mut worker| {
            loop {
                let first = next.fetch_add(UNIT, Ordering::Relaxed);
                if first >= count {
                    return Ok(());
                }
                for place in first..count.min(first + UNIT) {
                    let result = make(&mut worker, place)?;
                    // SAFETY: there is room for all, and each place is handed out once.
                    unsafe { out.at(place).write(result) };
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
    unsafe { results.set_len(count) };
    Ok(())
}

/// Where results go.
struct Places<T>(*mut T);

// SAFETY: threads write to different places, and what they write is copied bits.
unsafe impl<T: Copy> Sync for Places<T> {}

impl<T> Places<T> {
    fn at(&self, index: usize) -> *mut T {
        self.0.wrapping_add(index)
    }
}

/// In the order of the triangles, so that sums are the same for any number of workers.
fn summarize(results: &[TriangleK], polygons: &[Polygon]) -> Summary {
    let count = results.len() as f64;
    let triangle_count = polygons.iter().map(|polygon| polygon.triangle_count as u64).sum();
    let mut summary = Summary { triangle_count, polygon_count: results.len() as u64, ..Summary::default() };
    if results.is_empty() {
        return summary;
    }
    let (mut sum, mut neighbours) = (0u64, 0u64);
    let mut least = f64::INFINITY;
    for result in results {
        summary.k_max = summary.k_max.max(result.k as u64);
        sum += result.k as u64;
        neighbours += result.neighbours as u64;
        summary.diameter_max = summary.diameter_max.max(result.diameter);
        if result.diameter > 0.0 {
            least = least.min(result.diameter);
        } else {
            summary.point_count += 1;
        }
    }
    summary.k_mean = sum as f64 / count;
    let variance: f64 = results.iter().map(|result| (result.k as f64 - summary.k_mean).powi(2)).sum();
    summary.k_deviation = (variance / count).sqrt();
    summary.neighbours_mean = neighbours as f64 / count;
    let others = sum - results.len() as u64;
    summary.neighbour_share = if others > 0 { neighbours as f64 / others as f64 } else { 0.0 };
    if least.is_finite() {
        summary.diameter_min = least;
        summary.height = summary.diameter_max.log2() - least.log2();
    }
    // Each is intersected by so many larger ones at most as circles of half its diameter cover it, times k (lemma 3.1): three for a triangle, seven for another polygon.
    let circles =
        polygons.iter().map(|polygon| if polygon.triangle_count == 1 { 3 } else { 7u64 }).sum::<u64>();
    summary.bound = circles.saturating_mul(summary.k_max);
    summary
}

/// One worker's part.
struct Counting<'a> {
    view: View<'a>,
    polygons: &'a [Polygon],
    vicinity: &'a Vicinity,
    /// The one for which another one was looked at last, plus one.
    seen: Buffer<u32>,
    limbs: Buffer<u64>,
}

impl<'a> Counting<'a> {
    fn new(
        memory: &Memory,
        view: View<'a>,
        polygons: &'a [Polygon],
        vicinity: &'a Vicinity,
    ) -> Result<Counting<'a>, MemoryError> {
        let (mut seen, mut limbs) = (Buffer::new(memory.clone()), Buffer::new(memory.clone()));
        seen.resize(polygons.len(), 0)?;
        limbs.resize(sphere::LIMBS, 0)?;
        Ok(Counting { view, polygons, vicinity, seen, limbs })
    }

    fn of(&mut self, number: u32) -> TriangleK {
        let own = &self.polygons[number as usize];
        // In local coordinates, a little more than a quarter of the diameter.
        let diameter = own.diameter * self.view.soup.scale;
        let reach = diameter * 0.25 * (1.0 + 1e-6) + 1e-12;
        let mut bounds = own.bounds;
        for axis in 0..3 {
            // Nothing is beyond two; what is larger than all numbers would be in too many cells.
            bounds[axis] = (bounds[axis] - reach).max(-2.0);
            bounds[3 + axis] = (bounds[3 + axis] + reach).min(2.0);
        }
        self.seen[number as usize] = number + 1;
        let (mut k, mut neighbours) = (1, 0);
        for other in self.vicinity.around(diameter, bounds) {
            if self.seen[other as usize] == number + 1 {
                continue;
            }
            self.seen[other as usize] = number + 1;
            let theirs = &self.polygons[other as usize];
            let is_apart =
                (0..3).any(|i| theirs.bounds[i] > bounds[3 + i] || theirs.bounds[3 + i] < bounds[i]);
            if is_apart || !own.is_exceeded_by(theirs, &self.view, &mut self.limbs) {
                continue;
            }
            let is_neighbour = have_common_vertex(&self.view, own, theirs);
            if is_neighbour || are_close(&self.view, own, theirs) {
                k += 1;
                neighbours += u32::from(is_neighbour);
            }
        }
        let part = self.view.soup.parts[self.view.part_of(own.first_triangle)];
        TriangleK {
            mesh: part.id,
            triangle: own.first_triangle - part.first_triangle,
            k,
            neighbours,
            polygon: 0,
            diameter: own.diameter,
        }
    }
}

fn have_common_vertex(view: &View<'_>, a: &Polygon, b: &Polygon) -> bool {
    let corners = |polygon: &Polygon| polygon.triangles().map(|triangle| view.triangles[triangle as usize]);
    corners(a).any(|of_a| corners(b).any(|of_b| of_a.iter().any(|vertex| of_b.contains(vertex))))
}

/// Whether the second comes within a quarter of the diameter of the first.
fn are_close(view: &View<'_>, a: &Polygon, b: &Polygon) -> bool {
    let reach = a.reach();
    a.triangles().any(|of_a| {
        let of_a = view.triangle(of_a);
        b.triangles().any(|of_b| distance::is_within(&of_a.points, &view.triangle(of_b).points, reach))
    })
}
