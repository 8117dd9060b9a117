//! Candidates, pairs of triangles whose boxes overlap: decided in lanes where doubles are enough, one by one and exactly where they are not.
//!
//! *The filter.* Signs of volumes of coordinates relative to one of the points. With each difference off by ε of itself, a computed volume is off by at most 8.01ε of the sum of the
//! magnitudes of its six products (see [`super::orientation::volume_sign`]). With m₀ m₁ m₂ the largest coordinates by axis, that is at most 48.1ε m₀ m₁ m₂, and 50ε cover the
//! rounding of the bound as well. Coordinates are below 2³⁰⁰ ([`Soup::is_tame`](super::soup::Soup::is_tame)), so that underflow adds less than 2⁻⁷⁶⁰.

use super::soup::View;
use super::triangle_triangle::{self, Arrangement};
use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::VertexMotion;
use crate::simd::{self, Doubles, Lanes, MAX_LANES, Mask};

/// Two triangles that may intersect: corners, those that are shared first, and numbers.
#[derive(Clone, Copy)]
struct Candidate {
    vertices: [u32; 6],
    pair: [u32; 2],
}

/// Candidates that are decided at once: they and their vertices stay in the cache.
const CAPACITY: usize = 512;

/// Candidates by the number of vertices that the triangles share, and those that were found to intersect.
pub struct Decisions {
    lists: [Buffer<Candidate>; 3],
    /// The smaller number of a pair, times 2³², and the larger one.
    pub found: Buffer<u64>,
    pub candidates: u64,
    /// Pairs that the filter could not decide.
    pub exact_tests: u64,
}

impl Decisions {
    pub fn new(memory: &Memory) -> Result<Decisions, MemoryError> {
        let mut lists = [(); 3].map(|()| Buffer::new(memory.clone()));
        for list in &mut lists {
            list.reserve_exact(CAPACITY)?;
        }
        Ok(Decisions { lists, found: Buffer::new(memory.clone()), candidates: 0, exact_tests: 0 })
    }

    pub fn start(&mut self) {
        for list in &mut self.lists {
            list.clear();
        }
        self.found.clear();
        (self.candidates, self.exact_tests) = (0, 0);
    }

    /// Takes a pair of triangles, if none of the vertices that they share is clean.
    #[inline(always)]
    pub fn add<V: Doubles>(
        &mut self,
        view: &View<'_>,
        clean: &[u8],
        pair: [u32; 2],
        corners: [[u32; 3]; 2],
    ) -> Result<(), MemoryError> {
        let [a, b] = corners;
        self.candidates += 1;
        let (mut shared, mut is_clean) = (false, 0);
        for x in a {
            let is_in = x == b[0] || x == b[1] || x == b[2];
            if is_in {
                shared = true;
                is_clean |= clean[x as usize];
            }
        }
        if is_clean != 0 {
            return Ok(());
        }
        if shared {
            self.add_sharing::<V>(view, pair, corners)
        } else {
            self.add_disjoint::<V>(view, pair, corners)
        }
    }

    /// Takes a pair of triangles that share no vertex.
    #[inline(always)]
    pub fn add_disjoint<V: Doubles>(
        &mut self,
        view: &View<'_>,
        pair: [u32; 2],
        [a, b]: [[u32; 3]; 2],
    ) -> Result<(), MemoryError> {
        self.push::<V>(view, 0, Candidate { vertices: [a[0], a[1], a[2], b[0], b[1], b[2]], pair })
    }

    /// Takes a pair of triangles that share a vertex.
    #[inline(always)]
    pub fn add_sharing<V: Doubles>(
        &mut self,
        view: &View<'_>,
        pair: [u32; 2],
        [a, b]: [[u32; 3]; 2],
    ) -> Result<(), MemoryError> {
        let mut matches = 0u32;
        for (i, x) in a.into_iter().enumerate() {
            for (j, y) in b.into_iter().enumerate() {
                matches |= u32::from(x == y) << (3 * i + j);
            }
        }
        if matches.is_power_of_two() {
            // One corner of each, which is the rule.
            let bit = matches.trailing_zeros() as usize;
            let (i, j) = (bit / 3, bit % 3);
            let vertices = [a[i], a[NEXT[i]], a[NEXT[NEXT[i]]], b[j], b[NEXT[j]], b[NEXT[NEXT[j]]]];
            return self.push::<V>(view, 1, Candidate { vertices, pair });
        }
        let Arrangement { shared, orders } = Arrangement::new(a, b);
        let [p, q] = orders.map(|order| order.map(usize::from));
        if shared == 3 {
            return self.found.push(key(pair));
        }
        let vertices = [a[p[0]], a[p[1]], a[p[2]], b[q[0]], b[q[1]], b[q[2]]];
        self.push::<V>(view, shared, Candidate { vertices, pair })
    }

    #[inline(always)]
    fn push<V: Doubles>(
        &mut self,
        view: &View<'_>,
        shared: usize,
        candidate: Candidate,
    ) -> Result<(), MemoryError> {
        self.lists[shared].push(candidate)?;
        if self.lists[shared].len() == CAPACITY { self.decide::<V>(view, shared) } else { Ok(()) }
    }

    /// Decides all that wait.
    #[inline(always)]
    pub fn finish<V: Doubles>(&mut self, view: &View<'_>) -> Result<(), MemoryError> {
        for shared in 0..3 {
            self.decide::<V>(view, shared)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn decide<V: Doubles>(&mut self, view: &View<'_>, shared: usize) -> Result<(), MemoryError> {
        let Decisions { lists, found, exact_tests, .. } = self;
        let list = &mut lists[shared];
        found.reserve(list.len())?;
        for candidates in list.chunks(V::COUNT) {
            let lanes = u32::MAX >> (32 - candidates.len());
            let mut answer = if view.soup.is_tame {
                match shared {
                    0 => Answer::of_disjoint::<V>(view.vertices, candidates),
                    1 => Answer::of_vertex_sharing::<V>(view.vertices, candidates),
                    _ => Answer::of_edge_sharing::<V>(view.vertices, candidates),
                }
            } else {
                Answer { yes: 0, no: 0, sides: [[0; 2]; 6] }
            };
            answer.yes &= lanes;
            let mut open = lanes & !answer.no & !answer.yes;
            while open != 0 {
                let lane = open.trailing_zeros() as usize;
                open &= open - 1;
                let yes = one_by_one(view, &candidates[lane], shared, answer.sides_of(lane), exact_tests);
                answer.yes |= u32::from(yes) << lane;
            }
            while answer.yes != 0 {
                let lane = answer.yes.trailing_zeros() as usize;
                answer.yes &= answer.yes - 1;
                found.push(key(candidates[lane].pair))?;
            }
        }
        list.clear();
        Ok(())
    }
}

const NEXT: [usize; 3] = [1, 2, 0];

fn key([a, b]: [u32; 2]) -> u64 {
    (a.min(b) as u64) << 32 | a.max(b) as u64
}

/// What the filter cannot decide. Where it knows on which sides all corners are, two volumes are enough.
fn one_by_one(
    view: &View<'_>,
    candidate: &Candidate,
    shared: usize,
    sides: Option<[i32; 6]>,
    exact_tests: &mut u64,
) -> bool {
    let [a, b, c, p, q, r] = candidate.vertices.map(|vertex| view.point(vertex));
    let (first, second) = ([a, b, c], [p, q, r]);
    if let Some([d, e, f, s, t, u]) = sides.filter(|_| shared == 0) {
        return triangle_triangle::cross(&first, [s, t, u], &second, [d, e, f]);
    }
    *exact_tests += 1;
    match shared {
        0 => triangle_triangle::meet(&first, &second),
        1 => triangle_triangle::meet_beyond_vertex(&first, &second),
        _ => triangle_triangle::meet_beyond_edge(&first, &second),
    }
}

/// What is certain of some candidates, by lane.
struct Answer {
    yes: u32,
    no: u32,
    /// Where the corners of the second triangle are, positive and negative, then those of the first.
    sides: [[u32; 2]; 6],
}

const ROUNDING: f64 = 50.0 * (f64::EPSILON / 2.0);
const UNDERFLOW: f64 = f64::from_bits((1023 - 760) << 52);

#[inline(always)]
fn minus<V: Lanes>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn dot<V: Lanes>(a: [V; 3], b: [V; 3]) -> V {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn cross<V: Lanes>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// How wrong a volume of three of these vectors can be.
#[inline(always)]
fn bound<V: Lanes, const N: usize>(vectors: [[V; 3]; N]) -> V {
    // Without closures, here and below: they would not be compiled for the instruction set.
    let mut largest = [V::splat(0.0); 3];
    for vector in vectors {
        for axis in 0..3 {
            largest[axis] = largest[axis].max(vector[axis].abs());
        }
    }
    largest[0] * largest[1] * largest[2] * V::splat(ROUNDING) + V::splat(UNDERFLOW)
}

/// Lanes in which a volume is certainly positive, and negative.
#[inline(always)]
fn signs<V: Lanes>(volume: V, bound: V) -> [u32; 2] {
    [volume.gt(bound).bits(), (V::splat(0.0) - volume).gt(bound).bits()]
}

/// The positions at t = 1 of some corners of each candidate.
#[inline(always)]
fn corners<V: Doubles, const N: usize>(
    vertices: &[VertexMotion],
    candidates: &[Candidate],
    numbers: [usize; N],
) -> [[V; 3]; N] {
    let mut corners = [[V::splat(0.0); 3]; N];
    for (place, number) in corners.iter_mut().zip(numbers) {
        *place = corner(vertices, candidates, number);
    }
    corners
}

/// The positions at t = 1 of one corner of each candidate.
#[inline(always)]
fn corner<V: Doubles>(vertices: &[VertexMotion], candidates: &[Candidate], corner: usize) -> [V; 3] {
    let mut numbers = [0; MAX_LANES];
    for (number, candidate) in numbers.iter_mut().zip(candidates) {
        *number = candidate.vertices[corner];
    }
    let motions = simd::rows(vertices, &numbers, candidates.len());
    let mut rows = [&motions[0].0; MAX_LANES];
    for (row, motion) in rows.iter_mut().zip(motions) {
        *row = &motion.0;
    }
    let columns = V::transpose::<8>(rows);
    [columns[4], columns[5], columns[6]]
}

/// Lanes in which two triangles certainly meet, and in which they do not, of those in which all corners have certain sides, on both of the other's plane: as
/// [`triangle_triangle::cross`].
#[inline(always)]
fn crossings<V: Lanes>(
    first: [[V; 3]; 3],
    sides_of_first: [[u32; 2]; 3],
    second: [[V; 3]; 3],
    sides_of_second: [[u32; 2]; 3],
) -> [u32; 2] {
    let ([p, q, r], first_alone) = lonely_first(first, sides_of_first);
    let ([s, t, u], second_alone) = lonely_first(second, sides_of_second);
    // Turned over where the other's lonely corner is on the negative side.
    let (q, r) = swapped_unless(second_alone, q, r);
    let (t, u) = swapped_unless(first_alone, t, u);
    let (pq, pr, ps, pt, pu) = (minus(q, p), minus(r, p), minus(s, p), minus(t, p), minus(u, p));
    let one = signs(dot(cross(pq, ps), pt), bound([pq, ps, pt]));
    let other = signs(dot(cross(pr, pu), ps), bound([pr, pu, ps]));
    [one[1] & other[1], one[0] | other[0]]
}

/// The corners, turned such that the one alone on its side comes first, and the lanes in which that is the positive side.
#[inline(always)]
fn lonely_first<V: Lanes>([a, b, c]: [[V; 3]; 3], [d, e, f]: [[u32; 2]; 3]) -> ([[V; 3]; 3], u32) {
    let alike = |x: [u32; 2], y: [u32; 2]| (x[0] & y[0]) | (x[1] & y[1]);
    let (is_a, is_b) = (alike(e, f), alike(d, f));
    let positive = (is_a & d[0]) | (is_b & e[0]) | (!is_a & !is_b & f[0]);
    let (is_a, is_b) = (V::Mask::from_bits(is_a), V::Mask::from_bits(is_b));
    let mut corners = [a; 3];
    for axis in 0..3 {
        let (x, y, z) = (a[axis], b[axis], c[axis]);
        corners[0][axis] = x.select(is_a, y.select(is_b, z));
        corners[1][axis] = y.select(is_a, z.select(is_b, x));
        corners[2][axis] = z.select(is_a, x.select(is_b, y));
    }
    (corners, positive)
}

#[inline(always)]
fn swapped_unless<V: Lanes>(lanes: u32, a: [V; 3], b: [V; 3]) -> ([V; 3], [V; 3]) {
    let mask = V::Mask::from_bits(lanes);
    let (mut first, mut second) = (a, b);
    for axis in 0..3 {
        first[axis] = a[axis].select(mask, b[axis]);
        second[axis] = b[axis].select(mask, a[axis]);
    }
    (first, second)
}

impl Answer {
    /// On which sides of each other's planes corners are.
    #[inline(always)]
    fn of_disjoint<V: Doubles>(vertices: &[VertexMotion], candidates: &[Candidate]) -> Answer {
        let [a, b, c, p, q, r] = corners::<V, 6>(vertices, candidates, [0, 1, 2, 3, 4, 5]);
        let (ab, ac, ap, aq, ar) = (minus(b, a), minus(c, a), minus(p, a), minus(q, a), minus(r, a));
        let (normal, error) = (cross(ab, ac), bound([ab, ac, ap, aq, ar]));
        let (d, e, f) =
            (signs(dot(normal, ap), error), signs(dot(normal, aq), error), signs(dot(normal, ar), error));
        let mut no = (d[0] & e[0] & f[0]) | (d[1] & e[1] & f[1]);
        let (pq, pr, pa, pb, pc) = (minus(q, p), minus(r, p), minus(a, p), minus(b, p), minus(c, p));
        let (normal, error) = (cross(pq, pr), bound([pq, pr, pa, pb, pc]));
        let (s, t, u) =
            (signs(dot(normal, pa), error), signs(dot(normal, pb), error), signs(dot(normal, pc), error));
        no |= (s[0] & t[0] & u[0]) | (s[1] & t[1] & u[1]);
        let sides = [d, e, f, s, t, u];
        let mut crossing = !no;
        for [positive, negative] in sides {
            crossing &= positive | negative;
        }
        let mut yes = 0;
        if crossing != 0 {
            let [met, missed] = crossings([a, b, c], [s, t, u], [p, q, r], [d, e, f]);
            yes = crossing & met;
            no |= crossing & missed;
        }
        Answer { yes, no, sides }
    }

    /// Of two triangles with a common vertex v, (v, a, b) and (v, c, d), positions relative to it.
    ///
    /// They have more in common only if c and d are on different sides of the plane of the first one, and a and b on different sides of that of the second. Then each meets the line that the
    /// planes have in common in a segment that begins at v, and the question is whether these go in the same direction. For any four vectors
    /// det(b c d) a − det(a c d) b = det(a b c) d − det(a b d) c. On the left, as det(b c d) and det(a c d) have different signs, is a point of the first triangle's segment, or its negative, as
    /// det(b c d) is positive or not; on the right one of the second's, as det(a b c) is. So it is the same direction if det(b c d) and det(a b c) have the same sign.
    #[inline(always)]
    fn of_vertex_sharing<V: Doubles>(vertices: &[VertexMotion], candidates: &[Candidate]) -> Answer {
        let [v, a, b, c, d] = corners::<V, 5>(vertices, candidates, [0, 1, 2, 4, 5]);
        let (a, b, c, d) = (minus(a, v), minus(b, v), minus(c, v), minus(d, v));
        let error = bound([a, b, c, d]);
        let (first, second) = (cross(a, b), cross(c, d));
        let (abc, abd) = (signs(dot(first, c), error), signs(dot(first, d), error));
        let (acd, bcd) = (signs(dot(second, a), error), signs(dot(second, b), error));
        let alike = |x: [u32; 2], y: [u32; 2]| (x[0] & y[0]) | (x[1] & y[1]);
        let unlike = |x: [u32; 2], y: [u32; 2]| (x[0] & y[1]) | (x[1] & y[0]);
        let straddle = unlike(abc, abd) & unlike(acd, bcd);
        Answer {
            yes: straddle & alike(bcd, abc),
            no: alike(abc, abd) | alike(acd, bcd) | (straddle & unlike(bcd, abc)),
            sides: [[0; 2]; 6],
        }
    }

    /// Two triangles with a common edge have nothing else in common if they are not in one plane.
    #[inline(always)]
    fn of_edge_sharing<V: Doubles>(vertices: &[VertexMotion], candidates: &[Candidate]) -> Answer {
        let [v, w, a, b] = corners::<V, 4>(vertices, candidates, [0, 1, 2, 5]);
        let (w, a, b) = (minus(w, v), minus(a, v), minus(b, v));
        let [positive, negative] = signs(dot(cross(w, a), b), bound([w, a, b]));
        Answer { yes: 0, no: positive | negative, sides: [[0; 2]; 6] }
    }

    /// On which sides all six corners of a lane are, if that is certain.
    #[inline(always)]
    fn sides_of(&self, lane: usize) -> Option<[i32; 6]> {
        let sides = self
            .sides
            .map(|[positive, negative]| (positive >> lane & 1) as i32 - (negative >> lane & 1) as i32);
        (!sides.contains(&0)).then_some(sides)
    }
}
