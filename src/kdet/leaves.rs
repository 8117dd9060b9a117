//! Leaves of the hierarchy at t = 1, eight triangles each: all that is needed to compare one triangle with eight without looking anything up. And boxes, eight at once.
//!
//! *Coordinates* are local ones ([`View::local`]), at most one, rounded to floats: off by E = 1.001ε, with ε = 2⁻²⁴. Rounding is monotone: boxes that overlap still do.
//!
//! *Planes.* Of a triangle a, b, c with u = b − a and v = c − a, A the largest of their coordinates, and S the longest side of its box: coordinates of u and v are off by e = 2E + εA. A coordinate of
//! n = u × v is off by 4Ae + 2e² for that and 4.1εA² for its rounding; with ε ≤ E, by less than ω = E (8A + 13A² + 16E).
//!
//! *Heights.* n·p + d with d = −n·a is, of a point p at a distance of at most W from a along each axis, off by 3ωW for n, 2E|n| for both points, with |n| the sum of magnitudes, and for rounding by 3.01ε|n| for
//! each of n·p and d and 2.02ε|n| for their sum: less than 3ωW + 10.1E|n|. For the corners of a triangle whose box overlaps, W ≤ 1.001 (S + S′) + 2E. So heights beyond
//! α + γS′ have the right sign, with γ = 3.1ω and α = γ (S + 3E) + 10.2E|n| + 2⁻¹⁰⁰; underflow takes less than the last term.

use super::candidates::Numbers;
use super::soup::{Part, View};
use crate::bvh::{FaceGroup, Group};
use crate::simd::{self, Doubles, Floats8, Kernel};

/// Eight boxes: lower bounds, and negated upper bounds. Lanes that are not in use overlap nothing.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Boxes([[f32; 8]; 6]);

/// Eight triangles.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Leaf {
    boxes: Boxes,
    /// Numbers of the corners, and of the triangles, in the soup.
    vertices: [[u32; 8]; 3],
    pub triangles: [u32; 8],
    /// x, y and z of the first corners, of the second, of the third.
    corners: [[f32; 8]; 9],
    /// n and d.
    planes: [[f32; 8]; 4],
    /// α and γ.
    bounds: [[f32; 8]; 2],
    /// S.
    sizes: [f32; 8],
    /// Bit i: there is a triangle i.
    pub lanes: u8,
    /// By corner, bit i: that of triangle i is clean ([`super::clean`]).
    clean: [u8; 3],
}

impl Boxes {
    pub const EMPTY: Boxes = Boxes([[f32::MAX; 8]; 6]);

    /// One of them, in all lanes.
    #[inline(always)]
    pub fn one<F: Floats8>(&self, lane: usize) -> [F; 6] {
        let mut one = [F::splat(0.0); 6];
        for (lanes, plane) in one.iter_mut().zip(&self.0) {
            *lanes = F::splat(plane[lane]);
        }
        one
    }

    /// Bit i: box i overlaps the other one.
    #[inline(always)]
    pub fn meets<F: Floats8>(&self, other: &[F; 6]) -> u32 {
        let mut gaps = [F::splat(0.0); 6];
        for (i, gap) in gaps.iter_mut().enumerate() {
            *gap = other[i].add(F::load(&self.0[(i + 3) % 6]));
        }
        let [a, b, c, d, e, f] = gaps;
        !a.max(b).max(c.max(d)).max(e.max(f)).greater(F::splat(0.0)) & 0xff
    }

    /// The box around all.
    #[inline(always)]
    pub fn around(&self) -> [f32; 6] {
        let mut around = [f32::MAX; 6];
        for (least, plane) in around.iter_mut().zip(&self.0) {
            for &bound in plane {
                *least = if bound < *least { bound } else { *least };
            }
        }
        around
    }

    #[inline(always)]
    pub fn set(&mut self, lane: usize, bounds: &[f32; 6]) {
        for (plane, &bound) in self.0.iter_mut().zip(bounds) {
            plane[lane] = bound;
        }
    }

    /// The sum of half their areas.
    pub fn area(&self) -> f64 {
        let mut sum = 0.0;
        for lane in (0..8).filter(|&lane| self.0[0][lane] < f32::MAX) {
            let [x, y, z] =
                [0, 1, 2].map(|axis| -(self.0[3 + axis][lane] as f64) - self.0[axis][lane] as f64);
            sum += x * y + y * z + z * x;
        }
        sum
    }
}

/// Makes leaves of faces of a part of the soup, and boxes around them.
pub struct Fill<'a> {
    pub view: View<'a>,
    /// By vertex of the soup.
    pub clean: &'a [u8],
    pub part: &'a Part,
    pub faces: &'a [FaceGroup],
    pub leaves: &'a mut [Leaf],
    /// For eight leaves each.
    pub boxes: &'a mut [Boxes],
}

/// Vertices are fetched for so many leaves ahead: they are anywhere, and a leaf is filled in less time than that takes.
const AHEAD: usize = 3;

impl Kernel for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Doubles>(self) {
        self.boxes.fill(Boxes::EMPTY);
        let first_vertex = self.part.first_vertex;
        for (number, (leaf, faces)) in self.leaves.iter_mut().zip(self.faces).enumerate() {
            if let Some(later) = self.faces.get(number + AHEAD) {
                for corners in &later.corners {
                    let numbers = corners.map(|vertex| vertex.wrapping_add(first_vertex));
                    simd::prefetch_rows(&self.view.soup.points, &numbers);
                    simd::prefetch_rows(self.clean, &numbers);
                }
            }
            leaf.fill::<V::Floats>(&self.view, self.clean, faces, self.part);
            self.boxes[number / 8].set(number % 8, &leaf.boxes.around());
        }
    }
}

const E: f32 = 1.001 * (f32::EPSILON / 2.0);
const TINY: f32 = f32::from_bits((127 - 100) << 23);

impl Leaf {
    pub const EMPTY: Leaf = Leaf {
        boxes: Boxes::EMPTY,
        vertices: [[0; 8]; 3],
        triangles: [0; 8],
        corners: [[0.0; 8]; 9],
        planes: [[0.0; 8]; 4],
        bounds: [[0.0; 8]; 2],
        sizes: [0.0; 8],
        lanes: 0,
        clean: [0; 3],
    };

    #[inline(always)]
    fn fill<F: Floats8>(&mut self, view: &View<'_>, clean: &[u8], faces: &FaceGroup, part: &Part) {
        let count = faces.count();
        self.lanes = ((1u32 << count) - 1) as u8;
        self.clean = [0; 3];
        self.triangles = faces.triangles.map(|triangle| triangle.wrapping_add(part.first_triangle));
        let mut corners = [F::splat(0.0); 9];
        for corner in 0..3 {
            // A leaf has at least one triangle. In lanes that are not in use there may be anything.
            let numbers = faces.corners[corner].map(|vertex| vertex.wrapping_add(part.first_vertex));
            self.vertices[corner] = numbers;
            let columns = F::transpose_points(simd::rows(&view.soup.points, &numbers, count));
            corners[3 * corner..][..3].copy_from_slice(&columns[..3]);
            for (lane, flag) in simd::rows(clean, &numbers, count).into_iter().enumerate() {
                self.clean[corner] |= flag << lane;
            }
        }
        for (place, lanes) in self.corners.iter_mut().zip(corners) {
            *place = lanes.to_array();
        }
        let zero = F::splat(0.0);
        let (mut size, mut u, mut v) = (zero, [zero; 3], [zero; 3]);
        let mut largest = zero;
        for axis in 0..3 {
            let [a, b, c] = [corners[axis], corners[3 + axis], corners[6 + axis]];
            let (lower, upper) = (a.min(b).min(c), a.max(b).max(c));
            size = size.max(upper.sub(lower));
            (u[axis], v[axis]) = (b.sub(a), c.sub(a));
            largest = largest.max(magnitude(u[axis])).max(magnitude(v[axis]));
            self.boxes.0[axis] = lower.to_array();
            self.boxes.0[3 + axis] = zero.sub(upper).to_array();
        }
        for lanes in &mut self.boxes.0 {
            lanes[count..].fill(f32::MAX);
        }
        let mut plane = [zero; 4];
        let mut sum = zero;
        for (axis, coordinate) in plane[..3].iter_mut().enumerate() {
            let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
            *coordinate = u[i].mul(v[j]).sub(u[j].mul(v[i]));
            sum = sum.add(magnitude(*coordinate));
        }
        plane[3] = zero.sub(dot(&plane, &[corners[0], corners[1], corners[2]]));
        let e = F::splat(E);
        // Nothing is claimed of coordinates that are not what they should be.
        let floor = if view.soup.is_affine { TINY } else { f32::INFINITY };
        let factor = F::splat(8.0).add(F::splat(13.0).mul(largest)).mul(largest).add(F::splat(16.0 * E));
        let gamma = F::splat(3.1).mul(e.mul(factor));
        let alpha =
            gamma.mul(size.add(F::splat(3.0 * E))).add(F::splat(10.2 * E).mul(sum)).add(F::splat(floor));
        for (place, lanes) in self.planes.iter_mut().zip(plane) {
            *place = lanes.to_array();
        }
        self.bounds = [alpha.to_array(), gamma.to_array()];
        self.sizes = size.to_array();
    }

    #[inline(always)]
    pub fn boxes(&self) -> &Boxes {
        &self.boxes
    }

    /// Has the CPU fetch it.
    #[inline(always)]
    pub fn prefetch(&self) {
        for lanes in self.boxes.0.iter().step_by(2) {
            simd::prefetch(lanes);
        }
        for lanes in self.vertices.iter().step_by(2) {
            simd::prefetch(lanes);
        }
        for lanes in self.corners.iter().chain(&self.planes).step_by(2) {
            simd::prefetch(lanes);
        }
    }

    /// Whether a corner of a triangle is clean.
    #[inline(always)]
    pub fn is_clean(&self, corner: usize, lane: usize) -> bool {
        self.clean[corner] >> lane & 1 != 0
    }

    /// Those of one triangle.
    #[inline(always)]
    pub fn numbers(&self, lane: usize) -> Numbers {
        let [a, b, c] = &self.vertices;
        [a[lane], b[lane], c[lane], self.triangles[lane]]
    }

    /// Which corners are shared with a triangle.
    #[inline(always)]
    pub fn shared<F: Floats8>(&self, one: Numbers) -> Shared {
        let mut shared = Shared::default();
        for (lanes, &vertex) in shared.one.iter_mut().zip(&one) {
            for (others, vertices) in shared.others.iter_mut().zip(&self.vertices) {
                let equal = F::equal(vertices, vertex);
                *lanes |= equal;
                *others |= equal;
            }
        }
        shared
    }

    /// Bit i: triangle i is certainly on one side of the plane of triangle `lane` of the other leaf, or that one on one side of its plane, but for corners that they share. For triangles whose
    /// boxes overlap.
    ///
    /// Shared corners are in the plane of the other triangle. If all others, and there is one, are on one side of it, then the triangle has nothing but the hull of the shared ones
    /// in that plane: there is nothing in common beyond them.
    #[inline(always)]
    pub fn apart<F: Floats8>(&self, other: &Leaf, lane: usize, shared: Option<&Shared>) -> u32 {
        let mut plane = [F::splat(0.0); 4];
        for (lanes, number) in plane.iter_mut().zip(&other.planes) {
            *lanes = F::splat(number[lane]);
        }
        let [alpha, gamma] = [F::splat(other.bounds[0][lane]), F::splat(other.bounds[1][lane])];
        let mut heights = [F::splat(0.0); 3];
        for (corner, height) in heights.iter_mut().enumerate() {
            let [x, y, z] = [3 * corner, 3 * corner + 1, 3 * corner + 2];
            let point = [F::load(&self.corners[x]), F::load(&self.corners[y]), F::load(&self.corners[z])];
            *height = dot(&plane, &point).add(plane[3]);
        }
        let bound = alpha.add(gamma.mul(F::load(&self.sizes)));
        let mut apart = one_sided(heights, bound, shared.map(|shared| &shared.others));
        let mut plane = [F::splat(0.0); 4];
        for (lanes, numbers) in plane.iter_mut().zip(&self.planes) {
            *lanes = F::load(numbers);
        }
        let [alpha, gamma] = [F::load(&self.bounds[0]), F::load(&self.bounds[1])];
        for (corner, height) in heights.iter_mut().enumerate() {
            let [x, y, z] = [3 * corner, 3 * corner + 1, 3 * corner + 2];
            let corners = &other.corners;
            let point = [F::splat(corners[x][lane]), F::splat(corners[y][lane]), F::splat(corners[z][lane])];
            *height = dot(&plane, &point).add(plane[3]);
        }
        let bound = alpha.add(gamma.mul(F::splat(other.sizes[lane])));
        apart |= one_sided(heights, bound, shared.map(|shared| &shared.one));
        apart
    }
}

/// Which corners a triangle and eight others have in common: by corner, bit i, that of the one is one of triangle i; and that of triangle i is one of the one.
#[derive(Clone, Copy, Default)]
pub struct Shared {
    pub one: [u32; 3],
    others: [u32; 3],
}

impl Shared {
    /// Lanes with any.
    #[inline(always)]
    pub fn lanes(&self) -> u32 {
        self.one[0] | self.one[1] | self.one[2]
    }
}

/// Lanes in which all heights are above the bound, or all below its negative; but for those of shared corners, unless all are.
#[inline(always)]
fn one_sided<F: Floats8>(heights: [F; 3], bound: F, shared: Option<&[u32; 3]>) -> u32 {
    let below = F::splat(0.0).sub(bound);
    let Some(shared) = shared else {
        let [a, b, c] = heights;
        return a.min(b).min(c).greater(bound) | below.greater(a.max(b).max(c));
    };
    let (mut positive, mut negative, mut all) = (!0, !0, !0);
    for (height, is_shared) in heights.into_iter().zip(shared) {
        positive &= height.greater(bound) | is_shared;
        negative &= below.greater(height) | is_shared;
        all &= is_shared;
    }
    (positive | negative) & !all
}

#[inline(always)]
fn magnitude<F: Floats8>(x: F) -> F {
    x.max(F::splat(0.0).sub(x))
}

#[inline(always)]
fn dot<F: Floats8>(plane: &[F; 4], point: &[F; 3]) -> F {
    plane[0].mul(point[0]).add(plane[1].mul(point[1])).add(plane[2].mul(point[2]))
}
