//! Two boxes along the fifteen axes of Gottschalk, Lin and Manocha (1996), several pairs in lanes: which pairs are close, and the axis along which each is least deep.
//!
//! Boxes that overlap are least deep along the normal of a face or along a product of two edges. Of boxes that are apart, the axis along which they are farthest apart is told, with a depth below 0: their
//! distance is that gap at least.

use super::poses::{Pose, PoseLanes};
use crate::elementary::vec3::{dot, sub};
use crate::simd::{self, Doubles, Kernel, Lanes, Level, MAX_LANES, Mask};

/// An axis has to be this much less deep than a face of the first box: contacts of faces do not become others because of rounding.
const FACE_BIAS: f64 = 1e-9;
const EDGE_BIAS: f64 = 1e-6;
/// Edges whose product is shorter are parallel: then one of the faces tells as much.
const PARALLEL: f64 = 1e-6;

/// The axis along which boxes are least deep.
#[derive(Clone, Copy)]
pub enum Axis {
    FaceA(usize),
    FaceB(usize),
    Edges(usize, usize),
}

impl Axis {
    /// From its number: three of a, three of b, and nine of edges.
    fn new(number: usize) -> Axis {
        match number {
            0..3 => Axis::FaceA(number),
            3..6 => Axis::FaceB(number - 3),
            _ => Axis::Edges((number - 6) / 3, (number - 6) % 3),
        }
    }
}

/// Up to eight pairs.
pub struct Least8 {
    /// Those that no axis shows to be farther apart than the margin.
    pub close: u32,
    depths: [f64; MAX_LANES],
    axes: [f64; MAX_LANES],
}

impl Least8 {
    /// How deep a pair is along which axis.
    pub fn get(&self, lane: usize) -> (f64, Axis) {
        (self.depths[lane], Axis::new(self.axes[lane] as usize))
    }
}

/// What the axes tell of the first `count` pairs.
pub fn least(level: Level, pairs: &[[&Pose; MAX_LANES]; 2], count: usize, margin: f64) -> Least8 {
    simd::dispatch(level, Test { pairs, count, margin })
}

/// The same for one pair.
pub fn least_of_one(a: &Pose, b: &Pose, margin: f64) -> Option<(f64, Axis)> {
    let (parted, depth, axis) = along_axes::<f64>(&PoseLanes::of(a.0), &PoseLanes::of(b.0), margin);
    (!parted).then(|| (depth, Axis::new(axis as usize)))
}

struct Test<'a> {
    pairs: &'a [[&'a Pose; MAX_LANES]; 2],
    count: usize,
    margin: f64,
}

impl Kernel for Test<'_> {
    type Output = Least8;

    #[inline(always)]
    fn run<V: Doubles>(self) -> Least8 {
        let mut least = Least8 { close: 0, depths: [0.0; MAX_LANES], axes: [0.0; MAX_LANES] };
        for first in (0..self.count).step_by(V::COUNT) {
            let (a, b) =
                (PoseLanes::<V>::load(&self.pairs[0], first), PoseLanes::load(&self.pairs[1], first));
            let (parted, depth, axis) = along_axes(&a, &b, self.margin);
            least.close |= (!parted).bits() << first;
            least.depths[first..first + V::COUNT].copy_from_slice(&depth.to_array()[..V::COUNT]);
            least.axes[first..first + V::COUNT].copy_from_slice(&axis.to_array()[..V::COUNT]);
        }
        least.close &= (1 << self.count) - 1;
        least
    }
}

// Functions, not closures: these would not be compiled for the instruction set.

#[inline(always)]
fn products<V: Lanes>(axes: &[[V; 3]; 3], v: [V; 3]) -> [V; 3] {
    [dot(axes[0], v), dot(axes[1], v), dot(axes[2], v)]
}

#[inline(always)]
fn sizes<V: Lanes>(v: [V; 3]) -> [V; 3] {
    [v[0].abs(), v[1].abs(), v[2].abs()]
}

/// The square, with the sign of the number.
#[inline(always)]
fn signed<V: Lanes>(x: V) -> V {
    x * x.abs()
}

/// Where boxes are farther apart than the margin; and how deep they are along which axis where they are not.
#[inline(always)]
fn along_axes<V: Lanes>(a: &PoseLanes<V>, b: &PoseLanes<V>, margin: f64) -> (V::Mask, V, V) {
    let zero = V::splat(0.0);
    let way = sub(a.origin, b.origin);
    let (way_a, way_b) = (products(&a.axes, way), products(&b.axes, way));
    let cosines = [products(&b.axes, a.axes[0]), products(&b.axes, a.axes[1]), products(&b.axes, a.axes[2])];
    let sizes = [sizes(cosines[0]), sizes(cosines[1]), sizes(cosines[2])];
    let (half_a, half_b) = (a.half, b.half);
    let mut least = V::splat(f64::INFINITY);
    let mut best = zero;
    for i in 0..3 {
        let reach = half_a[i] + sizes[i][0] * half_b[0] + sizes[i][1] * half_b[1] + sizes[i][2] * half_b[2];
        let depth = reach - way_a[i].abs();
        let is_less = depth.lt(least);
        (least, best) = (depth.select(is_less, least), V::splat(i as f64).select(is_less, best));
    }
    for j in 0..3 {
        let reach = half_b[j] + sizes[0][j] * half_a[0] + sizes[1][j] * half_a[1] + sizes[2][j] * half_a[2];
        let depth = reach - way_b[j].abs();
        let bias = V::splat(1.0 - FACE_BIAS).select(least.gt(zero), V::splat(1.0 + FACE_BIAS));
        let is_less = depth.lt(least * bias);
        (least, best) = (depth.select(is_less, least), V::splat((3 + j) as f64).select(is_less, best));
    }
    let mut parted = least.lt(V::splat(-margin));
    if (!parted).bits() == 0 {
        return (parted, least, best);
    }
    // Depths along products of edges are too long by the length of these: their squares are compared, with their signs.
    let farthest = V::splat(-(margin * margin));
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            // The product of both edges in the axes of a: nothing along i, and so much along the others.
            let (u, v) = (zero - cosines[i2][j], cosines[i1][j]);
            let square = u * u + v * v;
            let reach_a = half_a[i1] * sizes[i2][j] + half_a[i2] * sizes[i1][j];
            let reach_b = half_b[j1] * sizes[i][j2] + half_b[j2] * sizes[i][j1];
            let depth = reach_a + reach_b - (way_a[i1] * u + way_a[i2] * v).abs();
            let is_axis = square.gt(V::splat(PARALLEL * PARALLEL));
            parted = parted | (is_axis & signed(depth).lt(farthest * square));
            let bias = V::splat((1.0 - EDGE_BIAS) * (1.0 - EDGE_BIAS))
                .select(least.gt(zero), V::splat((1.0 + EDGE_BIAS) * (1.0 + EDGE_BIAS)));
            let is_less = is_axis & signed(depth).lt(signed(least) * bias * square);
            if is_less.bits() != 0 {
                least = (depth / square.sqrt()).select(is_less, least);
                best = V::splat((6 + 3 * i + j) as f64).select(is_less, best);
            }
        }
    }
    (parted, least, best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::poses::BOX;
    use crate::pipeline::random;
    use crate::pipeline::transform::{Frame, Transform};

    #[test]
    fn lanes_tell_what_one_pair_alone_does() {
        let mut state = 5;
        let mut counts = [0; 4];
        for case in 0..2000 {
            let mut pose = |spread: f64| {
                let position = [0; 3].map(|_| spread * random(&mut state));
                let rotation = match case % 4 {
                    0 => [0.0, 0.0, 0.0, 1.0],
                    _ => [0; 4].map(|_| random(&mut state)),
                };
                let transform = Transform::new(position, rotation).unwrap();
                Pose::new(&Frame::new(&transform), [0; 3].map(|_| 0.6 + random(&mut state)), BOX)
            };
            let poses = [(); 16].map(|()| pose(4.0));
            let pairs = [std::array::from_fn(|i| &poses[i]), std::array::from_fn(|i| &poses[i + 8])];
            let count = 1 + case % 8;
            for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
                let found = least(level, &pairs, count, 0.1);
                for (lane, (a, b)) in pairs[0].iter().zip(&pairs[1]).enumerate() {
                    let one = least_of_one(a, b, 0.1);
                    assert_eq!(found.close >> lane & 1 != 0, lane < count && one.is_some());
                    let Some((depth, axis)) = one.filter(|_| lane < count) else {
                        counts[3] += 1;
                        continue;
                    };
                    let (other_depth, other_axis) = found.get(lane);
                    assert_eq!(depth.to_bits(), other_depth.to_bits());
                    assert_eq!(std::mem::discriminant(&axis), std::mem::discriminant(&other_axis));
                    counts[match axis {
                        Axis::FaceA(_) => 0,
                        Axis::FaceB(_) => 1,
                        Axis::Edges(..) => 2,
                    }] += 1;
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
    }
}
