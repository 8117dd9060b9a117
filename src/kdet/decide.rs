//! Candidates, pairs of triangles whose boxes overlap: decided in lanes, of floats, where these are enough, and of doubles; and one by one, exactly, where they are not.

use super::candidates::{Candidates, ENOUGH, MOST, Numbers};
use super::certain::{Answer, Exact, Rounded};
use super::soup::View;
use super::triangle_triangle::{self, Arrangement};
use crate::memory::{Buffer, Memory, MemoryError};
use crate::simd::{Doubles, Lanes};

/// Floats are not tried as often as this where they leave half of the candidates open: triangles that are small against the whole soup.
const PAUSE: u32 = 31;

/// Candidates by the number of vertices that the triangles share, which are their first corners, and those that were found to intersect.
pub struct Decisions {
    lists: [Candidates; 3],
    /// How many more times floats are not tried, as they left too much open.
    pause: u32,
    /// The smaller number of a pair, times 2³², and the larger one.
    pub found: Buffer<u64>,
    pub candidates: u64,
    /// Pairs that the filter could not decide.
    pub exact_tests: u64,
}

impl Decisions {
    pub fn new(memory: &Memory) -> Result<Decisions, MemoryError> {
        let list = || Candidates::new(memory);
        let lists = [list()?, list()?, list()?];
        Ok(Decisions { lists, pause: 0, found: Buffer::new(memory.clone()), candidates: 0, exact_tests: 0 })
    }

    /// Makes room for so many pairs that intersect, and what is set aside for those that wait.
    pub fn make_room(&mut self, found: usize) -> Result<(), MemoryError> {
        self.found.reserve_exact((found + MOST).saturating_sub(self.found.len()))
    }

    pub fn start(&mut self) {
        for list in &mut self.lists {
            list.truncate(0);
        }
        self.found.clear();
        self.pause = 0;
        (self.candidates, self.exact_tests) = (0, 0);
    }

    /// Takes a pair of triangles, if none of the vertices that they share is clean.
    #[inline(always)]
    pub fn add(&mut self, clean: &[u8], first: Numbers, second: Numbers) -> Result<(), MemoryError> {
        self.candidates += 1;
        let (mut shared, mut is_clean) = (false, 0);
        for &x in &first[..3] {
            let is_in = x == second[0] || x == second[1] || x == second[2];
            if is_in {
                shared = true;
                is_clean |= clean[x as usize];
            }
        }
        if is_clean != 0 {
            return Ok(());
        }
        if shared {
            return self.add_sharing(first, second);
        }
        self.lists[0].push(first, second);
        Ok(())
    }

    /// Takes the pairs of a triangle with some of eight that it shares no vertex with, by their numbers.
    #[inline(always)]
    pub fn add_disjoint<V: Doubles>(&mut self, one: u32, others: &[u32; 8], lanes: u32) {
        self.lists[0].push_pairs::<V::Floats>(one, others, lanes);
    }

    /// Takes a pair of triangles that share a vertex.
    #[inline(always)]
    pub fn add_sharing(&mut self, first: Numbers, second: Numbers) -> Result<(), MemoryError> {
        let ([a, b, c, number], [p, q, r, other]) = (first, second);
        let Arrangement { shared, orders } = Arrangement::new([a, b, c], [p, q, r]);
        if shared == 3 {
            return self.found.push(key([number, other]));
        }
        let [[i, j, k], [l, m, n]] = orders.map(|order| order.map(usize::from));
        let first = [first[i], first[j], first[k], number];
        self.lists[shared].push(first, [second[l], second[m], second[n], other]);
        Ok(())
    }

    /// Decides lists that are full. After at most 64 pairs were taken.
    #[inline(always)]
    pub fn empty_full<V: Doubles>(&mut self, view: &View<'_>) -> Result<(), MemoryError> {
        if self.lists.iter().any(|list| list.len() >= ENOUGH) { self.finish::<V>(view) } else { Ok(()) }
    }

    /// Decides all that wait.
    #[inline(always)]
    pub fn finish<V: Doubles>(&mut self, view: &View<'_>) -> Result<(), MemoryError> {
        self.lists[0].look_up(view.triangles);
        let is_sifted = view.soup.is_affine && self.pause == 0;
        if !is_sifted {
            self.pause = self.pause.saturating_sub(1);
            self.lists[0].prefetch(view.vertices);
        }
        for shared in 0..3 {
            self.found.reserve(self.lists[shared].len())?;
            if is_sifted {
                let before = self.lists[shared].len();
                self.sift::<V>(view, shared)?;
                if 2 * self.lists[shared].len() > before.max(ENOUGH / 2) {
                    self.pause = PAUSE;
                }
            }
            self.decide::<V>(view, shared)?;
        }
        Ok(())
    }

    /// Drops what floats can decide from a list.
    #[inline(always)]
    fn sift<V: Doubles>(&mut self, view: &View<'_>, shared: usize) -> Result<(), MemoryError> {
        let source = Rounded { points: &view.soup.points, error: view.soup.error() };
        let list = &mut self.lists[shared];
        let mut kept = 0;
        for first in (0..list.len()).step_by(V::Singles::COUNT) {
            let count = V::Singles::COUNT.min(list.len() - first);
            let Answer { yes, no, .. } = Answer::new::<V::Singles, _>(&source, list, shared, first, count);
            let lanes = u32::MAX >> (32 - count);
            for lane in set_bits(yes & lanes) {
                self.found.push(key(list.pair(first + lane)))?;
            }
            for lane in set_bits(lanes & !yes & !no) {
                list.put(first + lane, kept);
                kept += 1;
            }
        }
        list.truncate(kept);
        Ok(())
    }

    /// Decides a list, and empties it.
    #[inline(always)]
    fn decide<V: Doubles>(&mut self, view: &View<'_>, shared: usize) -> Result<(), MemoryError> {
        let source = Exact(view.vertices);
        let Decisions { lists, found, exact_tests, .. } = self;
        let list = &mut lists[shared];
        for first in (0..list.len()).step_by(V::COUNT) {
            let count = V::COUNT.min(list.len() - first);
            let answer = if view.soup.is_tame {
                Answer::new::<V, _>(&source, list, shared, first, count)
            } else {
                Answer::NONE
            };
            let lanes = u32::MAX >> (32 - count);
            let mut yes = lanes & answer.yes;
            for lane in set_bits(lanes & !answer.no & !answer.yes) {
                let vertices = list.vertices(first + lane);
                let is_met = one_by_one(view, vertices, shared, answer.sides_of(lane), exact_tests);
                yes |= u32::from(is_met) << lane;
            }
            for lane in set_bits(yes) {
                found.push(key(list.pair(first + lane)))?;
            }
        }
        list.truncate(0);
        Ok(())
    }
}

/// The numbers of the bits that are set, the lowest first.
#[inline(always)]
fn set_bits(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = bits.trailing_zeros() as usize;
        let is_left = bits != 0;
        bits &= bits.wrapping_sub(1);
        is_left.then_some(lane)
    })
}

fn key([a, b]: [u32; 2]) -> u64 {
    (a.min(b) as u64) << 32 | a.max(b) as u64
}

/// What the filter cannot decide. Where it knows on which sides all corners are, two volumes are enough.
fn one_by_one(
    view: &View<'_>,
    vertices: [u32; 6],
    shared: usize,
    sides: Option<[i32; 6]>,
    exact_tests: &mut u64,
) -> bool {
    let [a, b, c, p, q, r] = vertices.map(|vertex| view.point(vertex));
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
