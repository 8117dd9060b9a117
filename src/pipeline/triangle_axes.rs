//! A quick way to see that triangles are far apart: along the normals of both, and along the nine products of their edges, one triangle against several in lanes.
//!
//! Any direction n that keeps two sets apart by g |n| shows that they are g apart, whatever it was meant to be: so rounding errors of n do not matter. Only those of
//! heights along it do, each the product of n with a difference of corners.

use crate::elementary::vec3::{Vec3, cross, dot, sub};
use crate::simd::{self, Doubles, Kernel, Lanes, Level, MAX_LANES, Mask};

/// Distances are taken to be larger by this share of the coordinates. Rounding errors of what is computed here are below 8 ε of them each, and those of GJK below 1e-14:
/// so nothing is parted here that would be in contact there.
const SLACK: f64 = 1e-12;
/// Squares below this are too close to the end of the range of doubles to be compared.
const SMALLEST: f64 = 1e-280;

/// Up to eight triangles: coordinate `axis` of corner `corner` is in row `3 * corner + axis`.
pub struct Triangles8(pub [[f64; MAX_LANES]; 9]);

impl Triangles8 {
    pub const EMPTY: Triangles8 = Triangles8([[0.0; MAX_LANES]; 9]);

    /// As many as there are lanes, from the given one on.
    #[inline(always)]
    pub fn lanes<V: Doubles>(&self, first: usize) -> [[V; 3]; 3] {
        let mut corners = [[V::splat(0.0); 3]; 3];
        for (lanes, row) in corners.iter_mut().flatten().zip(&self.0) {
            *lanes = V::load(&row[first..]);
        }
        corners
    }

    pub fn set(&mut self, lane: usize, corners: &[Vec3; 3]) {
        for (row, coordinate) in self.0.iter_mut().zip(corners.iter().flatten()) {
            row[lane] = *coordinate;
        }
    }
}

/// For each of some triangles: which of its lanes hold others that no axis shows to be farther from it than the distance, and which of those an axis shows to be apart.
pub fn close(
    level: Level,
    some: &[[Vec3; 3]],
    others: &Triangles8,
    lanes: &[u32; MAX_LANES],
    distance: f64,
) -> [[u32; 2]; MAX_LANES] {
    simd::dispatch(level, Close { some, others, lanes, distance })
}

struct Close<'a> {
    some: &'a [[Vec3; 3]],
    others: &'a Triangles8,
    lanes: &'a [u32; MAX_LANES],
    distance: f64,
}

impl Kernel for Close<'_> {
    type Output = [[u32; 2]; MAX_LANES];

    #[inline(always)]
    fn run<V: Doubles>(self) -> [[u32; 2]; MAX_LANES] {
        let mut found = [[0; 2]; MAX_LANES];
        for first in (0..MAX_LANES).step_by(V::COUNT) {
            let here = (1u32 << V::COUNT) - 1;
            for ((corners, lanes), found) in self.some.iter().zip(self.lanes).zip(&mut found) {
                let lanes = lanes >> first & here;
                if lanes == 0 {
                    continue;
                }
                let mut one = [[V::splat(0.0); 3]; 3];
                for (lanes, corner) in one.iter_mut().flatten().zip(corners.iter().flatten()) {
                    *lanes = V::splat(*corner);
                }
                let [far, parted] = parted(one, self.others.lanes(first), V::splat(self.distance), lanes);
                found[0] |= (lanes & !far) << first;
                found[1] |= (lanes & !far & parted) << first;
            }
        }
        found
    }
}

/// The lanes whose triangles are parted by more than the distance, and those that are parted at all. Ends early if all the given lanes are parted.
#[inline(always)]
fn parted<V: Doubles>(a: [[V; 3]; 3], b: [[V; 3]; 3], distance: V, lanes: u32) -> [u32; 2] {
    let mut size = V::splat(0.0);
    for corner in [a[0], a[1], a[2], b[0], b[1], b[2]] {
        size = size.max(corner[0].abs().max(corner[1].abs()).max(corner[2].abs()));
    }
    let reach = distance + V::splat(SLACK) * (size + distance);
    let square = reach * reach * V::splat(1.0 + SLACK);
    // Relative to a corner of the first, where heights are small.
    let (a, b) = (relative(a, a[0]), relative(b, a[0]));
    let (edges_a, edges_b) = (edges(&a), edges(&b));
    let normal = cross(edges_a[0], edges_a[1]);
    let [mut far, mut apart] = parts(normal, ends(normal, &a), ends(normal, &b), square);
    let normal = cross(edges_b[0], edges_b[1]);
    let [is_far, is_apart] = parts(normal, ends(normal, &a), ends(normal, &b), square);
    (far, apart) = (far | is_far, apart | is_apart);
    for i in 0..3 {
        if lanes & !far.bits() == 0 {
            break;
        }
        for j in 0..3 {
            let axis = cross(edges_a[i], edges_b[j]);
            // Both ends of an edge are at the same height, but for rounding.
            let of_a = [dot(axis, a[i]), dot(axis, a[(i + 2) % 3])];
            let of_b = [dot(axis, b[j]), dot(axis, b[(j + 2) % 3])];
            let [is_far, is_apart] = parts(axis, of_a, of_b, square);
            (far, apart) = (far | is_far, apart | is_apart);
        }
    }
    [far.bits(), apart.bits()]
}

#[inline(always)]
pub fn relative<V: Lanes>(p: [[V; 3]; 3], origin: [V; 3]) -> [[V; 3]; 3] {
    [sub(p[0], origin), sub(p[1], origin), sub(p[2], origin)]
}

#[inline(always)]
pub fn edges<V: Lanes>(p: &[[V; 3]; 3]) -> [[V; 3]; 3] {
    [sub(p[1], p[0]), sub(p[2], p[1]), sub(p[0], p[2])]
}

/// The least and the greatest height of three corners.
#[inline(always)]
pub fn ends<V: Lanes>(axis: [V; 3], p: &[[V; 3]; 3]) -> [V; 2] {
    let (x, y, z) = (dot(axis, p[0]), dot(axis, p[1]), dot(axis, p[2]));
    [x.min(y).min(z), x.max(y).max(z)]
}

/// Where the gap between two ranges of heights, over the length of the axis, has more than this square, and where there is a gap.
#[inline(always)]
fn parts<V: Lanes>(axis: [V; 3], of_a: [V; 2], of_b: [V; 2], square: V) -> [V::Mask; 2] {
    let above = of_b[0].min(of_b[1]) - of_a[0].max(of_a[1]);
    let below = of_a[0].min(of_a[1]) - of_b[0].max(of_b[1]);
    let gap = above.max(below);
    let length = dot(axis, axis);
    let is_gap = gap.gt(V::splat(0.0)) & length.gt(V::splat(SMALLEST));
    [is_gap & (gap * gap).gt(square * length), is_gap]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::core::Placed;
    use crate::pipeline::gjk::{self, Relation};
    use crate::pipeline::random;

    /// Of triangles all over the place, some of them flat, degenerate or equal.
    #[test]
    fn nothing_close_is_parted_and_all_levels_agree() {
        let mut state = 3;
        let (mut kept, mut parted, mut needless) = (0, 0, 0);
        for case in 0..4000 {
            let spread = [0.2, 1.0, 3.0][case % 3];
            let mut triangle = || {
                let centre = [0; 3].map(|_| spread * random(&mut state));
                let mut corners = [0; 3].map(|_| [0, 1, 2].map(|axis| centre[axis] + random(&mut state)));
                match case % 11 {
                    3 => corners.iter_mut().for_each(|corner| corner[2] = 0.25),
                    5 => corners[2] = corners[1],
                    7 => corners = [corners[0]; 3],
                    _ => (),
                }
                corners
            };
            let one = triangle();
            let mut corners = [0; 8].map(|_| triangle());
            corners[7] = one;
            let mut others = Triangles8::EMPTY;
            corners.iter().enumerate().for_each(|(lane, corners)| others.set(lane, corners));
            let distance = [0.0, 0.1][case % 2];
            let close = |level, lanes| close(level, &[one], &others, &[lanes; 8], distance)[0];
            let [found, apart] = close(Level::Scalar, 0xff);
            for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
                for lanes in [0xff, 0x5a, 1, 0] {
                    assert_eq!(close(level, lanes), [found & lanes, apart & lanes], "{level:?}");
                }
            }
            for (lane, other) in corners.iter().enumerate() {
                let (is_close, is_apart) =
                    match gjk::relation(&Placed::triangle(one), &Placed::triangle(*other), f64::INFINITY) {
                        Relation::Apart(apart) => (apart.distance <= distance, true),
                        _ => (true, false),
                    };
                assert!(is_apart || apart >> lane & 1 == 0, "case {case}, lane {lane}");
                let is_found = found >> lane & 1 != 0;
                assert!(is_found || !is_close, "case {case}, lane {lane}");
                kept += usize::from(is_found && is_close);
                needless += usize::from(is_found && !is_close);
                parted += usize::from(!is_found);
            }
        }
        // It is a filter: some that are apart may be left, but not many.
        assert!(kept > 5000 && parted > 5000 && 4 * needless < kept + parted, "{kept} {parted} {needless}");
    }
}
