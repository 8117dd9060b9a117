//! Vertices whose triangles have nothing in common but what they share: shown for a whole fan at once, in floats.
//!
//! *The argument.* Look at a fan along some direction n. Let aᵢ be the points around it, relative to the vertex, and xᵢ, yᵢ what is seen of them. If each turn from aᵢ to aᵢ₊₁ is to the left, by
//! less than half a turn, no triangle is seen edge-on, so each is a graph over what is seen of it; and if all turns together are no more than one (a closed fan), or less (an open one), these sectors have
//! nothing in common but their ends, where neighbours meet in the edge that they share. So no two triangles of the fan have more in common than the vertex or an edge: they do not
//! intersect in the sense of [`super::triangle_triangle`].
//!
//! *How often it turns.* Take φᵢ, the sum of the turns up to aᵢ, and the sign of sin φᵢ, which is the side of a₀ that aᵢ is on. While signs are positive φ stays below π, since a step is less
//! than π and cannot skip the half turn where they are negative. The first that is not certainly positive is below 2π, for the same reason; if all after it are negative they are between π and 2π. Then the
//! end of an open fan is below 2π. That of a closed one is a multiple of 2π, and less than 3π. With a sign that is negative or unknown followed by one that is not negative nothing is claimed.
//!
//! *What is seen.* With any two vectors e and f, x = a·e and y = a·f: then xᵢyⱼ − yᵢxⱼ = (aᵢ × aⱼ)·(e × f), so the direction is e × f, exactly, whatever rounding did to e and f.
//!
//! *Errors.* ε = 2⁻²⁴. Local coordinates are off by E ≤ 1.001ε times the extent of the mesh, so differences of them, with A the largest of the fan, by 2E + εA. With g the larger sum of the
//! magnitudes of e and f, coordinates x and y are at most X = gA, and off by η = g(2E + εA) + 3.01εX, for the rounding of three products and two sums. A product of two is off by 2Xη + η²,
//! and by εX² for its rounding; the difference of two by twice as much and 2.01εX²: by 4Xη + 2η² + 4.02εX². With 4.1, 2.1 and 4.1 the rounding of the bound itself is covered. Extents are between 2⁻³⁰ and 2³⁰, and e
//! and f at most about one: underflow takes less than 2⁻¹⁴⁷ of x and y, and so 2⁻¹¹² of the difference, for which 2⁻¹⁰⁰ is added. Not a number claims nothing.

use super::fans::{Alike, Fans, MOST_TRIANGLES};
use crate::elementary::vec3::{cross, dot, scale};
use crate::mesh::{LocalMotion, Mesh};
use crate::simd::{self, Doubles, Kernel, Lanes, MAX_SINGLES, Mask, Singles};
use std::ops::Range;

/// Looks at some fans of a kind.
pub struct Clean<'a> {
    pub mesh: &'a Mesh,
    pub fans: &'a Fans,
    pub kind: Alike,
    /// Fans, counted from the first of the kind.
    pub range: Range<usize>,
    /// By vertex of the mesh: becomes 1 where it is shown.
    ///
    /// It is written to at the vertices of these fans only.
    pub clean: *mut u8,
}

/// Whether the bounds hold for a mesh of this extent.
fn is_in_range(extent: f64) -> bool {
    let limit = (1u64 << 30) as f64;
    (1.0 / limit..=limit).contains(&extent)
}

impl Kernel for Clean<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Doubles>(self) {
        if !is_in_range(self.mesh.extent()) {
            return;
        }
        let count = <V::Singles as Lanes>::COUNT;
        let Alike { point_count, is_closed, first, .. } = self.kind;
        let points = self.fans.points(&self.kind);
        let motions = self.mesh.local_motions();
        for begin in self.range.clone().step_by(count) {
            let lanes = count.min(self.range.end - begin);
            let middles = &self.fans.vertices()[first + begin..][..lanes];
            let mut numbers = [0; MAX_SINGLES];
            numbers[..lanes].copy_from_slice(middles);
            let middle = ends::<V::Singles>(motions, &numbers, lanes);
            let mut around = [[V::Singles::splat(0.0); 3]; MOST_TRIANGLES + 1];
            let used = point_count - usize::from(is_closed);
            for (i, place) in around[..used].iter_mut().enumerate() {
                for (lane, number) in numbers[..lanes].iter_mut().enumerate() {
                    *number = points[(begin + lane) * point_count + i];
                }
                let point = ends::<V::Singles>(motions, &numbers, lanes);
                *place = [point[0] - middle[0], point[1] - middle[1], point[2] - middle[2]];
            }
            if is_closed {
                around[used] = around[0];
            }
            let shown = is_clean(&around[..point_count], is_closed, self.mesh.extent());
            for (lane, &vertex) in middles.iter().enumerate() {
                // SAFETY: a vertex of the mesh, and of this fan only.
                unsafe { *self.clean.add(vertex as usize) = (shown >> lane & 1) as u8 };
            }
        }
    }
}

/// Positions at t = 1.
#[inline(always)]
fn ends<S: Singles>(motions: &[LocalMotion], numbers: &[u32; MAX_SINGLES], lanes: usize) -> [S; 3] {
    let picked = simd::rows(motions, numbers, lanes);
    let mut rows = [&picked[0].0; MAX_SINGLES];
    for (row, motion) in rows.iter_mut().zip(picked) {
        *row = &motion.0;
    }
    let columns = S::transpose(rows);
    [columns[4], columns[5], columns[6]]
}

#[inline(always)]
fn sum_of_magnitudes<S: Lanes>(a: [S; 3]) -> S {
    a[0].abs() + a[1].abs() + a[2].abs()
}

/// Bit i: the fan in lane i, whose points relative to the vertex are given, has no triangles that intersect.
#[inline(always)]
fn is_clean<S: Singles>(around: &[[S; 3]], is_closed: bool, extent: f64) -> u32 {
    // Seen along the mean of the normals, or what rounding makes of it: any direction would do for the proof.
    let mut normal = [S::splat(0.0); 3];
    let mut largest = S::splat(0.0);
    for (i, &point) in around.iter().enumerate() {
        largest = largest.max(point[0].abs()).max(point[1].abs()).max(point[2].abs());
        if i > 0 {
            let own = cross(around[i - 1], point);
            normal = [normal[0] + own[0], normal[1] + own[1], normal[2] + own[2]];
        }
    }
    let one = S::splat(1.0);
    let normal = scale(normal, one / dot(normal, normal).sqrt());
    let height = dot(normal, around[0]);
    let [x, y, z] = normal;
    let first = [around[0][0] - height * x, around[0][1] - height * y, around[0][2] - height * z];
    let e = scale(first, one / dot(first, first).sqrt());
    let f = cross(normal, e);
    // See the top of the file.
    let epsilon = S::splat(S::UNIT_ROUNDOFF);
    let off = S::splat(2.0 * 1.001 * S::UNIT_ROUNDOFF * extent);
    let g = sum_of_magnitudes(e).max(sum_of_magnitudes(f));
    let most = g * largest;
    let eta = g * (off + epsilon * largest) + S::splat(3.01) * epsilon * most;
    let bound = S::splat(4.1) * most * eta
        + S::splat(2.1) * eta * eta
        + S::splat(4.1) * epsilon * most * most
        + S::splat(FLOOR);
    let seen_first = [dot(around[0], e), dot(around[0], f)];
    let mut before = seen_first;
    let (mut shown, mut has_turned) = (u32::MAX, 0);
    // The last point of a closed fan is the first.
    let last_side = around.len() - usize::from(is_closed);
    for (i, &point) in around.iter().enumerate().skip(1) {
        let [x, y] = [dot(point, e), dot(point, f)];
        let turn = before[0] * y - before[1] * x;
        shown &= turn.gt(bound).bits();
        if i < last_side {
            let side = seen_first[0] * y - seen_first[1] * x;
            let is_negative = (S::splat(0.0) - side).gt(bound).bits();
            shown &= is_negative | !has_turned;
            has_turned |= !side.gt(bound).bits();
        }
        before = [x, y];
    }
    shown
}

const FLOOR: f64 = 1.0 / (1u128 << 100) as f64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kdet::triangle_triangle::{Triangle, intersect};
    use crate::memory::Memory;
    use crate::mesh::MeshSettings;
    use crate::simd::Level;

    /// Whether vertex 0 of a mesh is shown to be clean, the same on all levels, and whether it is so.
    fn look(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> (bool, bool) {
        let memory = Memory::new(None).expect("the system has memory");
        let settings = MeshSettings { thickness: 0.0, category: 1, mask: 1, self_collision: true };
        let mesh =
            Mesh::new(&memory, settings, points.len(), &|i| points[i], triangles.len(), &|i| triangles[i])
                .expect("there is memory");
        let fans = Fans::new(&memory, mesh.features()).expect("there is memory");
        let mut answers = Vec::new();
        for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
            let mut clean = vec![0; points.len()];
            for kind in fans.kinds() {
                let range = 0..kind.count;
                let clean = clean.as_mut_ptr();
                simd::dispatch(level, Clean { mesh: &mesh, fans: &fans, kind, range, clean });
            }
            answers.push(clean[0] != 0);
        }
        assert!(answers.iter().all(|&answer| answer == answers[0]), "{answers:?}");
        let triangle =
            |t: &[u32; 3]| Triangle { points: t.map(|vertex| points[vertex as usize]), vertices: *t };
        let own: Vec<_> = triangles.iter().filter(|t| t.contains(&0)).map(triangle).collect();
        let is_clean = (0..own.len()).all(|i| own[i + 1..].iter().all(|other| !intersect(&own[i], other)));
        (answers[0], is_clean)
    }

    /// A fan around vertex 0, whose points are at these angles (in turns) and heights.
    fn fan(around: &[(f64, f64, f64)], is_closed: bool) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
        let mut points = vec![[0.1, 0.2, 0.3]];
        for &(turns, radius, height) in around {
            let angle = turns * std::f64::consts::TAU;
            points.push([0.1 + radius * angle.cos(), 0.2 + radius * angle.sin(), 0.3 + height]);
        }
        let count = around.len() as u32;
        let sides = if is_closed { count } else { count - 1 };
        (points, (0..sides).map(|i| [0, 1 + i, 1 + (i + 1) % count]).collect())
    }

    #[test]
    fn flat_and_steep_fans_are_clean() {
        for (count, height) in [(4, 0.0), (6, 0.0), (6, 2.0), (16, 0.5)] {
            let around: Vec<_> = (0..count).map(|i| (i as f64 / count as f64, 1.0, height)).collect();
            let (points, triangles) = fan(&around, true);
            assert_eq!(look(&points, &triangles), (true, true), "{count} {height}");
            let (points, triangles) = fan(&around, false);
            assert_eq!(look(&points, &triangles), (true, true), "{count} {height}, open");
        }
    }

    #[test]
    fn what_turns_twice_is_not_shown() {
        // Around twice, and a little up, so that it comes above itself: it does not intersect, but may do so seen from above.
        for (count, is_closed) in [(9, true), (11, false), (13, true)] {
            let around: Vec<_> =
                (0..count).map(|i| (2.0 * i as f64 / count as f64, 1.0, 0.01 * i as f64)).collect();
            let (points, triangles) = fan(&around, is_closed);
            assert!(!look(&points, &triangles).0, "{count}");
        }
        // A little more than once.
        let around: Vec<_> = (0..8).map(|i| (1.02 * i as f64 / 7.0, 1.0, 0.0)).collect();
        let (points, triangles) = fan(&around, false);
        assert_eq!(look(&points, &triangles), (false, false));
        // A little less.
        let around: Vec<_> = (0..8).map(|i| (0.98 * i as f64 / 7.0, 1.0, 0.0)).collect();
        let (points, triangles) = fan(&around, false);
        assert_eq!(look(&points, &triangles), (true, true));
    }

    #[test]
    fn nothing_is_shown_that_is_not_so() {
        let mut seed = 3u64;
        let mut number = |limit: f64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 * limit
        };
        let (mut shown, mut clean) = (0, 0);
        for round in 0..20_000 {
            let count = 3 + round % 7;
            // From well-behaved to wild, and within a few roundings of being folded.
            let wild = [0.01, 0.3, 1.0, 3.0, 1e-7][round / 7 % 5];
            let flat = if round % 3 == 0 { 0.0 } else { wild };
            let around: Vec<_> = (0..count)
                .map(|i| {
                    let turns = i as f64 / count as f64 * if round % 5 == 0 { 1.9 } else { 1.0 };
                    (turns + wild * (number(1.0) - 0.5), 1.0 + number(1.0), flat * (number(2.0) - 1.0))
                })
                .collect();
            let (mut points, triangles) = fan(&around, round % 2 == 0);
            if round % 4 == 0 && wild < 1e-6 {
                // Two points that are nearly in the same direction, or exactly.
                points[2] = [0, 1, 2].map(|axis| points[1][axis] + (number(2.0) - 1.0) * 3e-8);
            }
            let (is_shown, is_clean) = look(&points, &triangles);
            assert!(is_clean || !is_shown, "round {round}: {points:?} {triangles:?}");
            shown += usize::from(is_shown);
            clean += usize::from(is_clean);
        }
        assert!(shown > 4000 && shown < clean && clean < 19_000, "{shown} {clean}");
    }
}
