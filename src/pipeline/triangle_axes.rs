//! A quick way to see that triangles are far apart: along the normals of both, and along the nine products of their edges, in floats, as many pairs at a time as there are lanes.
//!
//! Any direction n that keeps two sets apart by g |n| shows that they are g apart, whatever it was meant to be: so rounding errors of n do not matter. Those of heights along it do. With u = 2⁻²⁴ and
//! coordinates of at most 1:
//!
//! - *Corners.* Rounding a coordinate to a float, and subtracting the origin (also rounded), which is at most 2, moves it by no more than 4 u: a corner moves by less than 7 u, and two of them come closer by less
//!   than [`SLACK`] = 16 u.
//! - *Heights.* Let R be the largest coordinate of the corners as they are now. Edges are at most 2 R, coordinates of an axis 8 R², and the three products of a height together 24 R³, which are rounded three times: 72 u R³ for each
//!   of both heights, and 48 u R³ for their difference, make 192 u R³.
//! - *Edges.* Both ends of an edge should be at the same height along a product with it, and only one is looked at. The edge is wrong by 2 u R, and the axis by 16 u R²: with the sums above 48 u R³ and 96 u R³. As either triangle has such an
//!   edge, that is 288 u R³ more. So [`ERROR`] R³ with 512 u covers all.

use crate::elementary::vec3::{cross, dot, sub};
use crate::simd::{self, Doubles, Kernel, Lanes, Level, MAX_LANES, MAX_SINGLES, Mask, Singles};

/// By how much corners may be closer than they seem.
const SLACK: f64 = 16.0 * UNIT_ROUNDOFF;
/// By how much a difference of heights may be less than it seems, in units of R³.
const ERROR: f64 = 512.0 * UNIT_ROUNDOFF;
const UNIT_ROUNDOFF: f64 = 1.0 / (1 << 24) as f64;
/// More than what is lost when both sides of a comparison are computed in floats.
const ROUNDING: f64 = 1.0 + 64.0 * UNIT_ROUNDOFF;
/// Axes whose square is less part nothing: above it no product that matters leaves the range of floats, as distances are at least [`SLACK`].
const SMALLEST: f64 = 1e-24;

/// The corners of a triangle, with coordinates of at most 1, and nothing in the fourth place.
pub type Corners32 = [[f32; 4]; 3];

/// Couples that are looked at together, at most.
pub const LIST: usize = 1024;

/// Couples of triangles, by their numbers in two lists.
pub struct Couples {
    numbers: [[u32; LIST]; 2],
    count: usize,
}

impl Couples {
    pub const EMPTY: Couples = Couples { numbers: [[0; LIST]; 2], count: 0 };

    pub fn has_room(&self, count: usize) -> bool {
        self.count + count <= LIST
    }

    /// Adds the triangles of some lanes, the first of which has the given number, each with the same other one. There has to be room for eight.
    #[inline(always)]
    pub fn add(&mut self, first: u32, lanes: u32, other: u32) {
        // All eight places are written, whatever is in them: how many lanes there are is hard to foresee for the CPU.
        let end = self.count + MAX_LANES;
        let ones = &mut self.numbers[0][self.count..end];
        for (one, &lane) in ones.iter_mut().zip(simd::set_lanes(lanes)) {
            *one = first + u32::from(lane);
        }
        self.numbers[1][self.count..end].fill(other);
        self.count += lanes.count_ones() as usize;
    }
}

/// Tells those couples that no axis shows to be farther apart than the distance, and whether one seems to show that they are apart at all. Forgets all couples.
pub fn close(
    level: Level,
    sides: [&[Corners32]; 2],
    couples: &mut Couples,
    distance: f64,
    tell: &mut impl FnMut([u32; 2], bool),
) {
    if couples.count == 0 {
        return;
    }
    let parted = simd::dispatch(level, Part { sides, couples, distance });
    for (place, [far, apart]) in parted[..couples.count.div_ceil(MAX_SINGLES)].iter().enumerate() {
        let first = place * MAX_SINGLES;
        let here = (couples.count - first).min(MAX_SINGLES);
        let mut close = !far & ((1 << here) - 1);
        while close != 0 {
            let lane = close.trailing_zeros();
            close &= close - 1;
            let couple = first + lane as usize;
            tell(couples.numbers.each_ref().map(|numbers| numbers[couple]), apart >> lane & 1 != 0);
        }
    }
    couples.count = 0;
}

struct Part<'a> {
    sides: [&'a [Corners32]; 2],
    couples: &'a Couples,
    distance: f64,
}

impl Kernel for Part<'_> {
    /// For each sixteen couples those that are far from each other, and those that are apart.
    type Output = [[u32; 2]; LIST / MAX_SINGLES];

    #[inline(always)]
    fn run<V: Doubles>(self) -> Self::Output {
        let mut out = [[0; 2]; LIST / MAX_SINGLES];
        let reach = self.distance + SLACK;
        // The square of a margin may be beyond floats; then nothing is parted.
        let square = V::Singles::splat(reach * reach * ROUNDING);
        let lanes = <V::Singles as Lanes>::COUNT;
        for first in (0..self.couples.count).step_by(lanes) {
            let here = (self.couples.count - first).min(lanes);
            let mut sides = [[[V::Singles::splat(0.0); 3]; 3]; 2];
            for ((corners, rows), numbers) in sides.iter_mut().zip(self.sides).zip(&self.couples.numbers) {
                let mut wanted = [0; MAX_SINGLES];
                wanted[..here].copy_from_slice(&numbers[first..first + here]);
                let rows = simd::rows(rows, &wanted, here);
                for (place, corner) in corners.iter_mut().enumerate() {
                    let [x, y, z, _] = V::Singles::transpose_points(rows.map(|row| &row[place]));
                    *corner = [x, y, z];
                }
            }
            let [far, apart] = parted(sides[0], sides[1], square, (1 << here) - 1);
            out[first / MAX_SINGLES][0] |= far << (first % MAX_SINGLES);
            out[first / MAX_SINGLES][1] |= apart << (first % MAX_SINGLES);
        }
        out
    }
}

/// The lanes whose triangles are parted by more than a distance, given by its square, and those that are parted at all. Ends early if all the wanted ones are parted.
#[inline(always)]
fn parted<V: Lanes>(a: [[V; 3]; 3], b: [[V; 3]; 3], square: V, wanted: u32) -> [u32; 2] {
    // Relative to a corner of the first, where heights are small.
    let (a, b) = (relative(a, a[0]), relative(b, a[0]));
    let mut size = V::splat(0.0);
    for corner in [a[1], a[2], b[0], b[1], b[2]] {
        size = size.max(corner[0].abs().max(corner[1].abs()).max(corner[2].abs()));
    }
    let limits = [square, V::splat(ERROR) * size * size * size];
    let (edges_a, edges_b) = (edges(&a), edges(&b));
    let normal = cross(edges_a[0], edges_a[1]);
    let [mut far, mut apart] = parts(normal, ends(normal, &a), ends(normal, &b), limits);
    let normal = cross(edges_b[0], edges_b[1]);
    let [is_far, is_apart] = parts(normal, ends(normal, &a), ends(normal, &b), limits);
    (far, apart) = (far | is_far, apart | is_apart);
    for i in 0..3 {
        if wanted & !far.bits() == 0 {
            break;
        }
        for j in 0..3 {
            let axis = cross(edges_a[i], edges_b[j]);
            // Both ends of an edge are at the same height, but for rounding.
            let of_a = [dot(axis, a[i]), dot(axis, a[(i + 2) % 3])];
            let of_b = [dot(axis, b[j]), dot(axis, b[(j + 2) % 3])];
            let [is_far, is_apart] = parts(axis, of_a, of_b, limits);
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

/// Where the gap between two ranges of heights, over the length of the axis, has more than this square, and where there is a gap; less the error of heights.
#[inline(always)]
fn parts<V: Lanes>(axis: [V; 3], of_a: [V; 2], of_b: [V; 2], [square, error]: [V; 2]) -> [V::Mask; 2] {
    let above = of_b[0].min(of_b[1]) - of_a[0].max(of_a[1]);
    let below = of_a[0].min(of_a[1]) - of_b[0].max(of_b[1]);
    let gap = above.max(below) - error;
    let length = dot(axis, axis);
    let is_gap = gap.gt(V::splat(0.0)) & length.gt(V::splat(SMALLEST));
    [is_gap & (gap * gap).gt(square * length), is_gap]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elementary::vec3::Vec3;
    use crate::pipeline::core::Placed;
    use crate::pipeline::gjk::{self, Relation};
    use crate::pipeline::random;

    /// Of triangles all over the place, some of them flat, degenerate or equal.
    #[test]
    fn nothing_close_is_parted_and_all_levels_agree() {
        let mut state = 3;
        let (mut kept, mut parted, mut needless, mut misled) = (0, 0, 0, 0);
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
            let distance = [0.0, 0.1][case % 2];
            // In units of 4: no coordinate is more.
            let single =
                |corners: &[Vec3; 3]| corners.map(|[x, y, z]| [x, y, z, 0.0].map(|x| (0.25 * x) as f32));
            // Twice the same, so that levels come to them in other lanes.
            let others: [Corners32; 16] = std::array::from_fn(|place| single(&corners[place % 8]));
            let some = [single(&one)];
            let close = |level, wanted: u32| {
                let mut couples = Couples::EMPTY;
                couples.add(0, wanted & 0xff, 0);
                couples.add(8, wanted >> 8, 0);
                let mut found = [0; 2];
                close(level, [&others, &some], &mut couples, 0.25 * distance, &mut |[other, _], is_apart| {
                    found[0] |= 1 << other;
                    found[1] |= u32::from(is_apart) << other;
                });
                assert!(couples.has_room(LIST));
                found
            };
            let [found, apart] = close(Level::Scalar, 0xffff);
            for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
                for wanted in [0xffff, 0x9c5a, 1, 0] {
                    assert_eq!(close(level, wanted), [found & wanted, apart & wanted], "{level:?}");
                }
            }
            assert_eq!([found & 0xff, apart & 0xff], [found >> 8, apart >> 8]);
            for (lane, other) in corners.iter().enumerate() {
                let (is_close, is_apart) =
                    match gjk::relation(&Placed::triangle(one), &Placed::triangle(*other), f64::INFINITY) {
                        Relation::Apart(apart) => (apart.distance <= distance, true),
                        _ => (true, false),
                    };
                misled += usize::from(!is_apart && apart >> lane & 1 != 0);
                let is_found = found >> lane & 1 != 0;
                assert!(is_found || !is_close, "case {case}, lane {lane}");
                kept += usize::from(is_found && is_close);
                needless += usize::from(is_found && !is_close);
                parted += usize::from(!is_found);
            }
        }
        // It is a filter: some that are apart may be left, but not many.
        assert!(kept > 5000 && parted > 5000 && 4 * needless < kept + parted, "{kept} {parted} {needless}");
        assert!(misled < 10, "{misled}");
    }
}
