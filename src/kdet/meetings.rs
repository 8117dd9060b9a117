//! Pairs of leaves that overlap, compared many at once: their triangles are listed first, then those of them that have to be looked at, and so on. Which of a leaf's triangles that will be nobody
//! can predict, so there is no branch for each of them, and no short loop for each leaf.

use super::decide::Decisions;
use super::leaves::Leaf;
use super::soup::View;
use crate::bvh::WIDTH;
use crate::memory::MemoryError;
use crate::simd::{Doubles, Floats8};

/// Two leaves whose boxes overlap.
#[derive(Clone, Copy)]
struct Leaves<'a> {
    a: &'a Leaf,
    b: &'a Leaf,
    /// Triangles of `b` that overlap the box around `a`.
    near: u32,
    is_own: bool,
    is_same_part: bool,
}

/// A triangle of `a`, and those of `b` that have to be compared with it.
#[derive(Clone, Copy)]
struct Meeting<'a> {
    a: &'a Leaf,
    b: &'a Leaf,
    one: u32,
    others: u32,
    /// Those of them that it shares a vertex with.
    sharing: u32,
}

/// Pairs of leaves that are compared at once: they are still in the cache.
const ENOUGH: usize = 32;

/// Meetings of so many pairs of leaves.
const MOST: usize = ENOUGH * WIDTH;

/// Things in a row. What is not wanted is written, too, and then overwritten.
struct List<T, const N: usize> {
    all: [T; N],
    count: usize,
}

impl<T: Copy, const N: usize> List<T, N> {
    fn new(any: T) -> List<T, N> {
        List { all: [any; N], count: 0 }
    }

    #[inline(always)]
    fn push_if(&mut self, is_wanted: bool, thing: T) {
        self.all[self.count] = thing;
        self.count += usize::from(is_wanted);
    }

    #[inline(always)]
    fn take(&mut self) -> &[T] {
        let count = std::mem::take(&mut self.count);
        &self.all[..count]
    }
}

/// What waits to be compared.
pub struct Meetings<'a> {
    leaves: List<Leaves<'a>, ENOUGH>,
    /// The triangles of a pair that are taken one by one: eight times its place, and which.
    ones: List<u32, { MOST + WIDTH }>,
    /// Without common vertices, and with some.
    strangers: List<Meeting<'a>, { MOST + 1 }>,
    neighbours: List<Meeting<'a>, { MOST + 1 }>,
    /// Those of the first that no plane of theirs parts.
    close: List<Meeting<'a>, { MOST + 1 }>,
    /// How many more times no plane between centres is looked for, as the last one parted nothing: where surfaces meet it seldom does, and all along one it mostly does.
    pause: u32,
}

const PAUSE: u32 = 7;

impl<'a> Meetings<'a> {
    pub fn new() -> Meetings<'a> {
        let any = &Leaf::EMPTY;
        let meeting = Meeting { a: any, b: any, one: 0, others: 0, sharing: 0 };
        Meetings {
            leaves: List::new(Leaves { a: any, b: any, near: 0, is_own: false, is_same_part: false }),
            ones: List::new(0),
            strangers: List::new(meeting),
            neighbours: List::new(meeting),
            close: List::new(meeting),
            pause: 0,
        }
    }

    /// Takes two leaves, or twice the same, of which each has these triangles that overlap the box around the other.
    #[inline(always)]
    pub fn add<F: Floats8>(&mut self, leaves: [&'a Leaf; 2], near: [u32; 2], is_same_part: bool) {
        // The fewer are taken one by one.
        let one = usize::from(near[1].count_ones() < near[0].count_ones());
        let [a, b] = [leaves[one], leaves[1 - one]];
        let [ones, near] = [near[one], near[1 - one]];
        let ones = if near == 0 { 0 } else { ones };
        let first = (self.leaves.count * WIDTH) as u32;
        let numbers = [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| first + lane);
        let count = self.ones.count;
        self.ones.all[count..count + WIDTH].copy_from_slice(&F::compress(&numbers, ones));
        self.ones.count += ones.count_ones() as usize;
        let is_own = std::ptr::eq(a, b);
        self.leaves.push_if(ones != 0, Leaves { a, b, near, is_own, is_same_part });
    }

    /// Whether there is no room for more before [`compare`](Meetings::compare).
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.leaves.count == ENOUGH
    }

    /// Compares all that wait, and gives those that may intersect to be decided.
    #[inline(always)]
    pub fn compare<V: Doubles>(
        &mut self,
        view: &View<'_>,
        decisions: &mut Decisions,
    ) -> Result<(), MemoryError> {
        let Meetings { leaves, ones, strangers, neighbours, close, pause } = self;
        let leaves = leaves.take();
        // First what costs least and is the rule: boxes that do not overlap, and neighbours at a clean vertex.
        for &number in ones.take() {
            let Leaves { a, b, near, is_own, is_same_part } = leaves[number as usize / WIDTH];
            let one = number % WIDTH as u32;
            let later = if is_own { !1 << one } else { !0 };
            let mut others = b.boxes().meets(&a.boxes().one::<V::Floats>(one as usize)) & near & later;
            decisions.candidates += others.count_ones() as u64;
            let mut sharing = 0;
            if is_same_part {
                let [any, clean] = b.sharing::<V::Floats>(a, one as usize);
                others &= !clean;
                sharing = any & others;
            }
            let meeting = Meeting { a, b, one, others, sharing };
            strangers.push_if(others != 0 && sharing == 0, meeting);
            neighbours.push_if(sharing != 0, meeting);
        }
        for &meeting in strangers.take() {
            let Meeting { a, b, one, others, .. } = meeting;
            let others = others & !b.apart::<V::Floats>(a, one as usize, None);
            close.push_if(others != 0, Meeting { others, ..meeting });
        }
        for some in close.take().chunks(WIDTH) {
            for &Meeting { a, b, one, mut others, .. } in some {
                let one = one as usize;
                if *pause == 0 {
                    let beside = b.beside::<V::Floats>(a, one);
                    *pause = if others & beside == 0 { PAUSE } else { 0 };
                    others &= !beside;
                } else {
                    *pause -= 1;
                }
                decisions.add_disjoint::<V>(a.triangles[one], &b.triangles, others);
            }
            decisions.empty_full::<V>(view)?;
        }
        for some in neighbours.take().chunks(WIDTH) {
            for &Meeting { a, b, one, mut others, mut sharing } in some {
                let one = one as usize;
                let shared = b.shared::<V::Floats>(a, one);
                others &= !b.apart::<V::Floats>(a, one, Some(&shared));
                let numbers = a.numbers(one);
                decisions.add_disjoint::<V>(numbers[3], &b.triangles, others & !sharing);
                sharing &= others;
                while sharing != 0 {
                    let other = sharing.trailing_zeros() as usize;
                    sharing &= sharing - 1;
                    decisions.add_sharing(numbers, b.numbers(other))?;
                }
            }
            decisions.empty_full::<V>(view)?;
        }
        Ok(())
    }
}
