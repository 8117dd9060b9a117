//! The same pairs from the trees of a hierarchy: pairs of boxes at t = 1 that overlap, down to leaves of eight triangles.

use super::decide::Decisions;
use super::forest::Forest;
use super::leaves::Leaf;
use super::soup::View;
use crate::bvh::WIDTH;
use crate::memory::{Buffer, MemoryError};
use crate::simd::{self, Doubles, Floats8, Kernel};

/// Two boxes of trees, by part of the soup, level and number. Twice the same: the pairs within.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    pub parts: [u32; 2],
    pub levels: [u8; 2],
    pub boxes: [u32; 2],
}

impl Pair {
    fn is_own(&self) -> bool {
        self.parts[0] == self.parts[1] && self.levels[0] == self.levels[1] && self.boxes[0] == self.boxes[1]
    }
}

/// All that is below a pair of boxes.
pub struct Walk<'a> {
    pub view: View<'a>,
    pub forest: &'a Forest,
    pub pair: Pair,
    pub waiting: &'a mut Buffer<Pair>,
    pub decisions: &'a mut Decisions,
    /// Pairs of boxes, and of leaves.
    pub counts: &'a mut [u64; 2],
    /// How many more times no plane between centres is looked for, as the last one parted nothing: where surfaces meet it seldom does, and all along one it mostly does.
    pub pause: u32,
}

const PAUSE: u32 = 7;

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

/// A triangle of a leaf, and those of another one that have to be compared with it.
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
const ENOUGH: usize = 16;

/// Meetings of so many pairs of leaves.
const MOST: usize = ENOUGH * WIDTH;

/// Things in a row. What is not wanted is written, too, and then overwritten: nobody can predict which are wanted.
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
struct Room<'a> {
    leaves: List<Leaves<'a>, ENOUGH>,
    /// The triangles of a pair that are taken one by one: eight times its place, and which.
    ones: List<u32, { MOST + WIDTH }>,
    /// Without common vertices, and with some.
    strangers: List<Meeting<'a>, { MOST + 1 }>,
    neighbours: List<Meeting<'a>, { MOST + 1 }>,
    /// Those of the first that no plane of theirs parts.
    close: List<Meeting<'a>, { MOST + 1 }>,
}

impl<'a> Room<'a> {
    fn new(any: &'a Leaf) -> Room<'a> {
        let meeting = Meeting { a: any, b: any, one: 0, others: 0, sharing: 0 };
        Room {
            leaves: List::new(Leaves { a: any, b: any, near: 0, is_own: false, is_same_part: false }),
            ones: List::new(0),
            strangers: List::new(meeting),
            neighbours: List::new(meeting),
            close: List::new(meeting),
        }
    }
}

/// One step down: what comes out of a pair of boxes that are not both leaves.
pub struct Step<'a> {
    pub forest: &'a Forest,
    pub pair: Pair,
    pub waiting: &'a mut Buffer<Pair>,
}

impl Kernel for Walk<'_> {
    type Output = Result<(), MemoryError>;

    #[inline(always)]
    fn run<V: Doubles>(mut self) -> Result<(), MemoryError> {
        let mut room = Room::new(&Leaf::EMPTY);
        self.waiting.clear();
        self.waiting.push(self.pair)?;
        while let Some(pair) = self.waiting.pop() {
            self.counts[0] += 1;
            if pair.levels == [0, 0] {
                self.counts[1] += 1;
                // By the time that this one is done, the next one is there.
                if let Some(next) = self.waiting.last().filter(|next| next.levels == [0, 0]) {
                    for side in 0..2 {
                        if next.boxes[side] != pair.boxes[side] {
                            let leaf = self.forest.leaf(next.parts[side] as usize, next.boxes[side] as usize);
                            simd::prefetch(leaf);
                        }
                    }
                }
                self.leaves::<V>(pair, &mut room)?;
            } else {
                step::<V::Floats>(self.forest, pair, self.waiting)?;
            }
        }
        self.compare::<V>(&mut room)?;
        self.decisions.finish::<V>(&self.view)
    }
}

impl Kernel for Step<'_> {
    type Output = Result<(), MemoryError>;

    #[inline(always)]
    fn run<V: Doubles>(self) -> Result<(), MemoryError> {
        step::<V::Floats>(self.forest, self.pair, self.waiting)
    }
}

#[inline(always)]
fn step<F: Floats8>(forest: &Forest, pair: Pair, waiting: &mut Buffer<Pair>) -> Result<(), MemoryError> {
    let Pair { parts, levels, boxes } = pair;
    if pair.is_own() {
        let below = levels[0] as usize - 1;
        let first = boxes[0] * WIDTH as u32;
        let group = forest.group(parts[0] as usize, below, boxes[0] as usize);
        for child in 0..WIDTH as u32 {
            // A lane that is not in use does not even overlap itself.
            let mut others = group.meets(&group.one::<F>(child as usize)) & !0 << child;
            while others != 0 {
                let other = others.trailing_zeros();
                others &= others - 1;
                waiting.push(Pair {
                    parts,
                    levels: [below as u8; 2],
                    boxes: [first + child, first + other],
                })?;
            }
        }
        return Ok(());
    }
    // The higher one is opened.
    let higher = usize::from(levels[1] > levels[0]);
    let other = 1 - higher;
    let below = levels[higher] as usize - 1;
    let group = forest.group(parts[other] as usize, levels[other] as usize, boxes[other] as usize / WIDTH);
    let one = group.one::<F>(boxes[other] as usize % WIDTH);
    let number = boxes[higher];
    let mut hits = forest.group(parts[higher] as usize, below, number as usize).meets(&one);
    while hits != 0 {
        let child = hits.trailing_zeros();
        hits &= hits - 1;
        let mut pair = pair;
        pair.levels[higher] = below as u8;
        pair.boxes[higher] = number * WIDTH as u32 + child;
        waiting.push(pair)?;
    }
    Ok(())
}

impl<'a> Walk<'a> {
    #[inline(always)]
    fn leaves<V: Doubles>(&mut self, pair: Pair, room: &mut Room<'a>) -> Result<(), MemoryError> {
        let Pair { parts, boxes, .. } = pair;
        let leaf = |side: usize| self.forest.leaf(parts[side] as usize, boxes[side] as usize);
        let leaves = [leaf(0), leaf(1)];
        let is_own = pair.is_own();
        // Lanes that are not in use overlap nothing.
        let mut near = [0xff; 2];
        if !is_own {
            for side in 0..2 {
                let other = 1 - side;
                let around = self.forest.group(parts[other] as usize, 0, boxes[other] as usize / WIDTH);
                near[side] =
                    leaves[side].boxes().meets(&around.one::<V::Floats>(boxes[other] as usize % WIDTH));
            }
        }
        // The fewer are taken one by one.
        let one = usize::from(near[1].count_ones() < near[0].count_ones());
        let lanes = if near[1 - one] == 0 { 0 } else { near[one] };
        let first = (room.leaves.count * WIDTH) as u32;
        let ones = [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| first + lane);
        let count = room.ones.count;
        room.ones.all[count..count + WIDTH].copy_from_slice(&V::Floats::compress(&ones, lanes));
        room.ones.count += lanes.count_ones() as usize;
        let [a, b] = [leaves[one], leaves[1 - one]];
        let pair = Leaves { a, b, near: near[1 - one], is_own, is_same_part: parts[0] == parts[1] };
        room.leaves.push_if(lanes != 0, pair);
        if room.leaves.count == ENOUGH { self.compare::<V>(room) } else { Ok(()) }
    }

    #[inline(always)]
    fn compare<V: Doubles>(&mut self, room: &mut Room<'_>) -> Result<(), MemoryError> {
        let Room { leaves, ones, strangers, neighbours, close } = room;
        let leaves = leaves.take();
        // First what costs least and is the rule: boxes that do not overlap, and neighbours at a clean vertex.
        for &number in ones.take() {
            let Leaves { a, b, near, is_own, is_same_part } = leaves[number as usize / WIDTH];
            let one = number % WIDTH as u32;
            let later = if is_own { !1 << one } else { !0 };
            let mut others = b.boxes().meets(&a.boxes().one::<V::Floats>(one as usize)) & near & later;
            self.decisions.candidates += others.count_ones() as u64;
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
                if self.pause == 0 {
                    let beside = b.beside::<V::Floats>(a, one);
                    self.pause = if others & beside == 0 { PAUSE } else { 0 };
                    others &= !beside;
                } else {
                    self.pause -= 1;
                }
                self.decisions.add_disjoint::<V>(a.triangles[one], &b.triangles, others);
            }
            self.decisions.empty_full::<V>(&self.view)?;
        }
        for some in neighbours.take().chunks(WIDTH) {
            for &Meeting { a, b, one, mut others, mut sharing } in some {
                let one = one as usize;
                let shared = b.shared::<V::Floats>(a, one);
                others &= !b.apart::<V::Floats>(a, one, Some(&shared));
                let numbers = a.numbers(one);
                self.decisions.add_disjoint::<V>(numbers[3], &b.triangles, others & !sharing);
                sharing &= others;
                while sharing != 0 {
                    let other = sharing.trailing_zeros() as usize;
                    sharing &= sharing - 1;
                    self.decisions.add_sharing(numbers, b.numbers(other))?;
                }
            }
            self.decisions.empty_full::<V>(&self.view)?;
        }
        Ok(())
    }
}
