//! Leaves of the hierarchy at t = 1, eight triangles each: all that is needed to compare one triangle with eight without looking anything up. And boxes, eight at once.
//!
//! *Coordinates* are local ones ([`View::local`]), at most one, rounded to floats: off by E = 1.001ε, with ε = 2⁻²⁴, or by nothing if the origin is zero and all are floats anyway. Rounding is monotone: boxes that overlap still do.
//!
//! *Planes.* Of a triangle a, b, c with u = b − a and v = c − a, A the largest of their coordinates, and S the longest side of its box: coordinates of u and v are off by e = 2E + εA. A coordinate of
//! n = u × v is off by 4Ae + 2e² for that and 4.1εA² for its rounding. That is 8EA + 8E² + 8EεA + (8.1 + 2ε) εA², and, as 8EεA ≤ 4E² + 4ε²A², less than ω = 8EA + 12E² + 8.2εA².
//!
//! *Heights.* n·(p − a) is, of a point p at a distance of at most W from a along each axis, off by 3ωW for n; with |n| the sum of magnitudes, by |n| (2E + ε (W + 2E)) for p − a, and by 3.02ε|n| (W + 2.1E) for the
//! rounding of three products and two sums: less than 3ωW + |n| (2.1E + 4.03εW). For the corners of a triangle whose box overlaps, W ≤ 1.001 (S + S′) + 2E. So heights beyond α + γS′ have the
//! right sign, with γ = 3.1ω + 4.1ε|n| and α = γ (S + 3E) + 2.2E|n| + 2⁻¹⁰⁰; underflow takes less than the last term. Where coordinates are floats all of that is relative to the size of the triangles, however
//! small they are against the whole.
//!
//! *Between centres.* Neighbours but one often are in each other's plane, by a corner, but not beside each other. With d, the difference of the sums of their corners, as computed, and |d| the sum of its magnitudes: of two corners of
//! triangles whose boxes overlap, d·(p − o) with o a corner of one of them is off by ε|d|W for p − o and 3.02ε|d|W for products and sums, W ≤ 1.001 (S + S′), and d·(p − q) by 2E|d| for both points. So if the least
//! of one triangle is more than the largest of the other by |d| (β + β′) + 2⁻¹⁰⁰, with β = 9.5εS + 1.1E, they have nothing in common: 8.1 are for the two heights, the rest for the rounding of the bound and of its sum.

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
    /// Numbers of the corners in the soup, with [`UNCLEAN`]; and of the triangles.
    vertices: [[u32; 8]; 3],
    pub triangles: [u32; 8],
    /// x, y and z of the first corners, of the second, of the third.
    corners: [[f32; 8]; 9],
    /// n.
    normals: [[f32; 8]; 3],
    /// α, γ and β.
    bounds: [[f32; 8]; 3],
    /// S.
    sizes: [f32; 8],
}

/// Set in the number of a vertex that is not clean ([`super::clean`]). There are less than 2³¹ vertices.
const UNCLEAN: u32 = 1 << 31;

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
        let (first_vertex, error) = (self.part.first_vertex, self.view.soup.error());
        for (number, (leaf, faces)) in self.leaves.iter_mut().zip(self.faces).enumerate() {
            if let Some(later) = self.faces.get(number + AHEAD) {
                for corners in &later.corners {
                    let numbers = corners.map(|vertex| vertex.wrapping_add(first_vertex));
                    simd::prefetch_rows(&self.view.soup.points, &numbers);
                    simd::prefetch_rows(self.clean, &numbers);
                }
            }
            leaf.fill::<V::Floats>(&self.view, error, self.clean, faces, self.part);
            self.boxes[number / 8].set(number % 8, &leaf.boxes.around());
        }
    }
}

const EPSILON: f32 = f32::EPSILON / 2.0;
const TINY: f32 = f32::from_bits((127 - 100) << 23);

impl Leaf {
    pub const EMPTY: Leaf = Leaf {
        boxes: Boxes::EMPTY,
        vertices: [[0; 8]; 3],
        triangles: [0; 8],
        corners: [[0.0; 8]; 9],
        normals: [[0.0; 8]; 3],
        bounds: [[0.0; 8]; 3],
        sizes: [0.0; 8],
    };

    #[inline(always)]
    fn fill<F: Floats8>(
        &mut self,
        view: &View<'_>,
        error: f64,
        clean: &[u8],
        faces: &FaceGroup,
        part: &Part,
    ) {
        let count = faces.count();
        self.triangles = faces.triangles.map(|triangle| triangle.wrapping_add(part.first_triangle));
        let mut corners = [F::splat(0.0); 9];
        for corner in 0..3 {
            // A leaf has at least one triangle. In lanes that are not in use there may be anything.
            let numbers = faces.corners[corner].map(|vertex| vertex.wrapping_add(part.first_vertex));
            let columns = F::transpose_points(simd::rows(&view.soup.points, &numbers, count));
            corners[3 * corner..][..3].copy_from_slice(&columns[..3]);
            let flags = simd::rows(clean, &numbers, count);
            for (place, (number, &flag)) in self.vertices[corner].iter_mut().zip(numbers.iter().zip(flags)) {
                *place = number | (flag as u32 ^ 1) << 31;
            }
        }
        self.measure::<F>(view, error, &corners, count);
    }

    /// Everything that follows from the corners of the first `count` triangles.
    #[inline(always)]
    fn measure<F: Floats8>(&mut self, view: &View<'_>, error: f64, corners: &[F; 9], count: usize) {
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
        let mut normal = [zero; 3];
        let mut sum = zero;
        for (axis, coordinate) in normal.iter_mut().enumerate() {
            let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
            *coordinate = u[i].mul(v[j]).sub(u[j].mul(v[i]));
            sum = sum.add(magnitude(*coordinate));
        }
        let e = error as f32;
        // Nothing is claimed of coordinates that are not what they should be.
        let floor = if view.soup.is_affine { TINY } else { f32::INFINITY };
        let omega = F::splat(8.0 * e)
            .add(F::splat(8.2 * EPSILON).mul(largest))
            .mul(largest)
            .add(F::splat(12.0 * e * e));
        let gamma = F::splat(3.1).mul(omega).add(F::splat(4.1 * EPSILON).mul(sum));
        let alpha =
            gamma.mul(size.add(F::splat(3.0 * e))).add(F::splat(2.2 * e).mul(sum)).add(F::splat(floor));
        for (place, lanes) in self.normals.iter_mut().zip(normal) {
            *place = lanes.to_array();
        }
        let beta = F::splat(9.5 * EPSILON).mul(size).add(F::splat(1.1 * e)).add(F::splat(floor));
        self.bounds = [alpha.to_array(), gamma.to_array(), beta.to_array()];
        self.sizes = size.to_array();
    }

    #[inline(always)]
    pub fn boxes(&self) -> &Boxes {
        &self.boxes
    }

    #[inline(always)]
    fn corners_of(&self, lane: usize) -> [u32; 3] {
        let [a, b, c] = &self.vertices;
        [a[lane], b[lane], c[lane]]
    }

    /// Those of one triangle.
    #[inline(always)]
    pub fn numbers(&self, lane: usize) -> Numbers {
        let [a, b, c] = self.corners_of(lane);
        [a & !UNCLEAN, b & !UNCLEAN, c & !UNCLEAN, self.triangles[lane]]
    }

    /// Bit i: triangle i shares a vertex with triangle `lane` of the other leaf; and one that is clean.
    #[inline(always)]
    pub fn sharing<F: Floats8>(&self, other: &Leaf, lane: usize) -> [u32; 2] {
        F::equal_to_any(&self.vertices, other.corners_of(lane))
    }

    /// Which corners are shared with triangle `lane` of the other leaf.
    #[inline(always)]
    pub fn shared<F: Floats8>(&self, other: &Leaf, lane: usize) -> Shared {
        let mut shared = Shared::default();
        for (lanes, vertex) in shared.one.iter_mut().zip(other.corners_of(lane)) {
            for (others, vertices) in shared.others.iter_mut().zip(&self.vertices) {
                let equal = F::equal(vertices, vertex);
                *lanes |= equal;
                *others |= equal;
            }
        }
        shared
    }

    /// Bit i: triangle i and triangle `lane` of the other leaf certainly are on different sides of a plane between their centres. For triangles whose boxes overlap.
    #[inline(always)]
    pub fn beside<F: Floats8>(&self, other: &Leaf, lane: usize) -> u32 {
        let zero = F::splat(0.0);
        let (mut one, mut others, mut sum) = ([zero; 2], [zero; 3], zero);
        for axis in 0..3 {
            let corners = &other.corners;
            let a = F::splat(corners[axis][lane]);
            let b = F::splat(corners[3 + axis][lane]);
            let c = F::splat(corners[6 + axis][lane]);
            let p = F::load(&self.corners[axis]);
            let q = F::load(&self.corners[3 + axis]);
            let r = F::load(&self.corners[6 + axis]);
            let direction = a.add(b).add(c).sub(p.add(q).add(r));
            sum = sum.add(magnitude(direction));
            one = [one[0].add(direction.mul(b.sub(a))), one[1].add(direction.mul(c.sub(a)))];
            let [x, y, z] = others;
            others = [
                x.add(direction.mul(p.sub(a))),
                y.add(direction.mul(q.sub(a))),
                z.add(direction.mul(r.sub(a))),
            ];
        }
        let beta = F::splat(other.bounds[2][lane]).add(F::load(&self.bounds[2]));
        let most = others[0].max(others[1]).max(others[2]).add(sum.mul(beta).add(F::splat(TINY)));
        one[0].min(one[1]).min(zero).greater(most)
    }

    /// Bit i: triangle i is certainly on one side of the plane of triangle `lane` of the other leaf, or that one on one side of its plane, but for corners that they share. For triangles whose
    /// boxes overlap.
    ///
    /// Shared corners are in the plane of the other triangle. If all others, and there is one, are on one side of it, then the triangle has nothing but the hull of the shared ones
    /// in that plane: there is nothing in common beyond them.
    #[inline(always)]
    pub fn apart<F: Floats8>(&self, other: &Leaf, lane: usize, shared: Option<&Shared>) -> u32 {
        let (mut normal, mut first) = ([F::splat(0.0); 3], [F::splat(0.0); 3]);
        for axis in 0..3 {
            normal[axis] = F::splat(other.normals[axis][lane]);
            first[axis] = F::splat(other.corners[axis][lane]);
        }
        let [alpha, gamma] = [F::splat(other.bounds[0][lane]), F::splat(other.bounds[1][lane])];
        let mut heights = [F::splat(0.0); 3];
        for (corner, height) in heights.iter_mut().enumerate() {
            let [x, y, z] = [3 * corner, 3 * corner + 1, 3 * corner + 2];
            let point = [F::load(&self.corners[x]), F::load(&self.corners[y]), F::load(&self.corners[z])];
            *height = above(&normal, &first, &point);
        }
        let bound = alpha.add(gamma.mul(F::load(&self.sizes)));
        let mut apart = one_sided(heights, bound, shared.map(|shared| &shared.others));
        for axis in 0..3 {
            normal[axis] = F::load(&self.normals[axis]);
            first[axis] = F::load(&self.corners[axis]);
        }
        let [alpha, gamma] = [F::load(&self.bounds[0]), F::load(&self.bounds[1])];
        for (corner, height) in heights.iter_mut().enumerate() {
            let [x, y, z] = [3 * corner, 3 * corner + 1, 3 * corner + 2];
            let corners = &other.corners;
            let point = [F::splat(corners[x][lane]), F::splat(corners[y][lane]), F::splat(corners[z][lane])];
            *height = above(&normal, &first, &point);
        }
        let bound = alpha.add(gamma.mul(F::splat(other.sizes[lane])));
        apart |= one_sided(heights, bound, shared.map(|shared| &shared.one));
        apart
    }
}

/// Which corners a triangle and eight others have in common: by corner, bit i, that of the one is one of triangle i; and that of triangle i is one of the one.
#[derive(Clone, Copy, Default)]
pub struct Shared {
    one: [u32; 3],
    others: [u32; 3],
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

/// How high a point is above the plane through the first one, times the length of its normal.
#[inline(always)]
fn above<F: Floats8>(normal: &[F; 3], first: &[F; 3], point: &[F; 3]) -> F {
    let [x, y, z] = [point[0].sub(first[0]), point[1].sub(first[1]), point[2].sub(first[2])];
    normal[0].mul(x).add(normal[1].mul(y)).add(normal[2].mul(z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kdet::soup::{Soup, Wanted};
    use crate::kdet::triangle_triangle::intersect;
    use crate::memory::Memory;
    use crate::mesh::{Mesh, MeshSettings};
    use crate::simd::{Level, dispatch};

    /// What is claimed of the first triangle and seven others: that they are apart, and beside each other.
    struct Claims<'a>(View<'a>);

    impl Kernel for Claims<'_> {
        type Output = [u32; 2];

        #[inline(always)]
        fn run<V: Doubles>(self) -> [u32; 2] {
            let view = self.0;
            let mut leaf = Leaf::EMPTY;
            let mut corners = [F8::default(); 9];
            for (lane, triangle) in view.triangles.iter().enumerate() {
                for (corner, &vertex) in triangle.iter().enumerate() {
                    for axis in 0..3 {
                        corners[3 * corner + axis][lane] = view.soup.points[vertex as usize][axis];
                    }
                    leaf.vertices[corner][lane] = vertex | UNCLEAN;
                }
            }
            let mut columns = [V::Floats::splat(0.0); 9];
            for (column, numbers) in columns.iter_mut().zip(&corners) {
                *column = V::Floats::load(numbers);
            }
            leaf.measure::<V::Floats>(&view, view.soup.error(), &columns, 8);
            let meets = leaf.boxes.meets(&leaf.boxes.one::<V::Floats>(0)) & !1;
            [leaf.apart::<V::Floats>(&leaf, 0, None) & meets, leaf.beside::<V::Floats>(&leaf, 0) & meets]
        }
    }

    type F8 = [f32; 8];

    /// Triangles whose corners are within roundings of the first one's plane or edge, far from the origin or not, as floats or not.
    #[test]
    fn nothing_is_apart_that_intersects() {
        let memory = Memory::new(None).expect("the system has memory");
        let settings = MeshSettings { thickness: 0.0, category: 1, mask: 1, self_collision: true };
        let mut seed = 5u64;
        let mut number = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        let mut counts = [0; 3];
        for round in 0..30_000 {
            let (away, is_float) = ([0.0, 3.0, 3000.0][round % 3], round % 2 == 0);
            let mut points: Vec<[f64; 3]> = Vec::new();
            let center = [number() * away, number() * away, number() * away];
            let first: [[f64; 3]; 3] = std::array::from_fn(|_| center.map(|x| x + number()));
            points.extend(first);
            for _ in 0..7 {
                // A point of an edge, or of the inside, and two others on one side of it, or in the plane.
                let (s, t) = (0.5 + 0.5 * number(), if round % 5 < 3 { 0.0 } else { 0.25 });
                let touch: [f64; 3] = std::array::from_fn(|i| {
                    first[0][i] + s * (first[1][i] - first[0][i]) + t * (first[2][i] - first[0][i])
                });
                points.push(touch);
                for _ in 0..2 {
                    points.push(touch.map(|x| x + 0.7 * number()));
                }
            }
            if is_float {
                points = points.iter().map(|point| point.map(|x| x as f32 as f64)).collect();
            }
            let triangles: Vec<[u32; 3]> = (0..8).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
            let mesh = Mesh::new(&memory, settings, 24, &|i| points[i], 8, &|i| triangles[i]);
            let mesh = mesh.expect("there is memory");
            let mut soup = Soup::new(&memory);
            let wanted = Wanted { within_meshes: true, between_meshes: true };
            // SAFETY: the mesh lives as long as the soup, and nobody else uses either.
            unsafe {
                soup.fill([(1, &mesh)].into_iter(), wanted).expect("there is memory");
                soup.round(0..24);
            }
            let view = soup.view();
            let mut claims = Vec::new();
            for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
                claims.push(dispatch(level, Claims(view)));
            }
            assert!(claims.iter().all(|claim| claim == &claims[0]), "{claims:?}");
            for other in 1..8 {
                let [apart, beside] = claims[0].map(|lanes| lanes >> other & 1);
                let is_met = intersect(&view.triangle(0), &view.triangle(other));
                assert!(
                    !is_met || apart | beside == 0,
                    "round {round}, {other}: {apart} {beside} {points:?}"
                );
                for (count, one) in counts.iter_mut().zip([apart, beside, is_met as u32]) {
                    *count += one;
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
    }
}
