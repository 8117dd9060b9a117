//! Which directions all triangles of a patch face, throughout the motion: its normal cone, as a set of directions.
//!
//! The normal of a triangle that moves linearly is e(t) × f(t) with edges e and f linear in t: a quadratic, whose control normals are e₀ × f₀, (e₀ × f₁ + e₁ × f₀) / 2 and
//! e₁ × f₁. The normal at any time is a combination of these with weights that are not negative and sum to one. So if all three have a positive product with a direction,
//! it has one at all times.
//!
//! The directions are the 26 ones from the middle of a cube to its faces, edges and corners: any other direction is within 28 degrees of one of them, and what a patch
//! faces is what all its parts face, without rounding.
//!
//! *Rounding.* With v = 2⁻²⁴ and R the largest local coordinate of the mesh, a local coordinate is off by at most v R (but for terms of 2⁻⁵³), so the difference of two is off by at most
//! 2v R + 2v R = η. Let M be the largest coordinate of the edges, M ≤ 2R. A product of two coordinates is off by 2Mη + η² + vM², the difference of
//! two such products by 4Mη + 2η² + 4.1vM², the mean of two of these by 4Mη + 2η² + 6.2vM², and the sum of three coordinates of that, ±, by 12Mη + 6η² + 29vM². Since η ≥ 2vM,
//! this is less than 27Mη + 6η². What is required is 32η(M + η). R is between 2⁻³⁰ and 2³⁰ ([`rounding`]): nothing overflows, and what underflow can add, less than
//! 2⁻¹⁴⁰, is nothing against η² ≥ 2⁻¹⁰⁴.

use super::groups::{FaceGroup, Group, NONE};
use super::tree::WIDTH;
use crate::mesh::{LocalMotion, Mesh};
use crate::simd::{Floats8, rows};

/// Half of the directions; the others are their negatives.
pub const AXES: [[f32; 3]; 13] = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [0.0, 1.0, 1.0],
    [0.0, 1.0, -1.0],
    [1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [1.0, 1.0, 1.0],
    [1.0, 1.0, -1.0],
    [1.0, -1.0, 1.0],
    [1.0, -1.0, -1.0],
];

/// All directions: bit a is axis a, bit 13 + a its negative.
pub const EVERYWHERE: u32 = (1 << (2 * AXES.len())) - 1;

/// Largest and smallest extent of a mesh for which anything is claimed: 2^±30.
const LARGEST: f64 = (1u64 << 30) as f64;
const SMALLEST: f64 = 1.0 / LARGEST;

/// v R of a mesh, a little more than that; none if nothing can be claimed.
pub fn rounding(mesh: &Mesh) -> Option<f32> {
    let extent = mesh.extent();
    (SMALLEST..=LARGEST).contains(&extent).then(|| (extent * (1.001 / (1 << 24) as f64)) as f32)
}

/// The vector with these coordinates in lanes.
type Vectors<F> = [F; 3];

#[inline(always)]
fn sub<F: Floats8>(a: Vectors<F>, b: Vectors<F>) -> Vectors<F> {
    [a[0].sub(b[0]), a[1].sub(b[1]), a[2].sub(b[2])]
}

#[inline(always)]
fn cross<F: Floats8>(a: Vectors<F>, b: Vectors<F>) -> Vectors<F> {
    [
        a[1].mul(b[2]).sub(a[2].mul(b[1])),
        a[2].mul(b[0]).sub(a[0].mul(b[2])),
        a[0].mul(b[1]).sub(a[1].mul(b[0])),
    ]
}

/// Its products with all [`AXES`].
#[inline(always)]
fn along_axes<F: Floats8>([x, y, z]: Vectors<F>) -> [F; 13] {
    let (sum, difference) = (x.add(y), x.sub(y));
    [
        x,
        y,
        z,
        sum,
        difference,
        y.add(z),
        y.sub(z),
        x.add(z),
        x.sub(z),
        sum.add(z),
        sum.sub(z),
        difference.add(z),
        difference.sub(z),
    ]
}

/// Where eight vertices are at t = 0 and t = 1.
#[inline(always)]
fn moving<F: Floats8>(motions: &[LocalMotion], numbers: &[u32; WIDTH]) -> [Vectors<F>; 2] {
    let motions = rows(motions, numbers, WIDTH);
    let mut moving = [F::splat(0.0); WIDTH];
    for lane in 0..WIDTH {
        moving[lane] = F::load(&motions[lane].0);
    }
    let [x0, y0, z0, _, x1, y1, z1, _] = F::transpose(moving);
    [[x0, y0, z0], [x1, y1, z1]]
}

/// The directions that all triangles of a leaf certainly face at all times. `rounding` is that of the mesh.
#[inline(always)]
pub fn of_leaf<F: Floats8>(motions: &[LocalMotion], faces: &FaceGroup, rounding: f32) -> u32 {
    let mut corners = faces.corners;
    if faces.triangles[WIDTH - 1] == NONE {
        // lanes that are not in use: the first triangle again
        for numbers in &mut corners {
            let first = numbers[0];
            numbers[faces.count()..].fill(first);
        }
    }
    let [a0, a1] = moving::<F>(motions, &corners[0]);
    let [b0, b1] = moving::<F>(motions, &corners[1]);
    let [c0, c1] = moving::<F>(motions, &corners[2]);
    let (e0, e1, f0, f1) = (sub(b0, a0), sub(b1, a1), sub(c0, a0), sub(c1, a1));
    let zero = F::splat(0.0);
    let (mut highest, mut lowest) = (zero, zero);
    for edge in [e0, e1, f0, f1] {
        highest = highest.max(edge[0].max(edge[1]).max(edge[2]));
        lowest = lowest.min(edge[0].min(edge[1]).min(edge[2]));
    }
    let largest = highest.max(zero.sub(lowest));
    let eta = F::splat(4.0 * rounding);
    let error = F::splat(32.0).mul(eta).mul(largest.add(eta));
    let (middle_e, middle_f) = (cross(e0, f1), cross(e1, f0));
    let half = F::splat(0.5);
    let mut middle = middle_e;
    for axis in 0..3 {
        middle[axis] = middle_e[axis].add(middle_f[axis]).mul(half);
    }
    let (start, middle, end) = (along_axes(cross(e0, f0)), along_axes(middle), along_axes(cross(e1, f1)));
    let mut faced = 0;
    for axis in 0..AXES.len() {
        let least = start[axis].min(middle[axis]).min(end[axis]);
        let most = start[axis].max(middle[axis]).max(end[axis]);
        faced |= u32::from(least.greater(error) == 0xff) << axis;
        faced |= u32::from(zero.sub(most).greater(error) == 0xff) << (axis + AXES.len());
    }
    faced
}

/// The one of some directions that is in the middle of them, as the axis that it is on.
pub fn middle_axis(faced: u32) -> usize {
    let bits = || {
        let mut left = faced;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros() as usize);
            left &= left.wrapping_sub(1);
            bit
        })
    };
    // a unit vector
    let direction = |bit: usize| {
        let length = if bit < AXES.len() { 1.0 } else { -1.0 };
        let axis = bit % AXES.len();
        AXES[axis].map(|x| x * length * SCALES[axis])
    };
    let sum =
        bits().map(direction).fold([0.0; 3], |sum: [f32; 3], next| std::array::from_fn(|i| sum[i] + next[i]));
    let along = |bit: usize| {
        let direction = direction(bit);
        direction[0] * sum[0] + direction[1] * sum[1] + direction[2] * sum[2]
    };
    let best = bits().map(|bit| (along(bit), bit)).max_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(0, |(_, bit)| bit % AXES.len())
}

/// One over the lengths of the axes.
const SCALES: [f32; 13] = {
    let mut scales = [1.0; 13];
    let mut axis = 3;
    while axis < 13 {
        scales[axis] = if axis < 9 { std::f32::consts::FRAC_1_SQRT_2 } else { 0.577_350_3 };
        axis += 1;
    }
    scales
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_faced() {
        for faced in (1..=EVERYWHERE).step_by(7919) {
            let axis = middle_axis(faced);
            assert!((faced >> axis | faced >> (axis + AXES.len())) & 1 != 0, "{faced:x}");
        }
        // all that are above the horizon
        let up = (0..26).filter(|bit| AXES[bit % 13][2] * if *bit < 13 { 1.0 } else { -1.0 } > 0.0);
        assert_eq!(middle_axis(up.fold(0, |faced, bit| faced | 1 << bit)), 2);
    }

    #[test]
    fn scales_make_unit_vectors() {
        for (axis, scale) in AXES.iter().zip(SCALES) {
            let square: f32 = axis.iter().map(|x| x * scale * (x * scale)).sum();
            assert!((square - 1.0).abs() < 1e-6);
        }
    }
}
