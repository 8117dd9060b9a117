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

/// As many are compared at once: their leaves are still in the cache.
const ENOUGH: usize = 64;

struct Meetings<'a> {
    all: [Meeting<'a>; ENOUGH + WIDTH],
    count: usize,
}

impl<'a> Meetings<'a> {
    fn new(any: &'a Leaf) -> Meetings<'a> {
        let none = Meeting { a: any, b: any, one: 0, others: 0, sharing: 0 };
        Meetings { all: [none; ENOUGH + WIDTH], count: 0 }
    }

    /// It is written in any case: nobody can predict which are wanted.
    #[inline(always)]
    fn push_if(&mut self, is_wanted: bool, meeting: Meeting<'a>) {
        self.all[self.count] = meeting;
        self.count += usize::from(is_wanted);
    }

    fn is_full(&self) -> bool {
        self.count >= ENOUGH
    }

    #[inline(always)]
    fn take(&mut self) -> &[Meeting<'a>] {
        let count = std::mem::take(&mut self.count);
        &self.all[..count]
    }
}

/// What waits to be compared: without common vertices, and with some.
struct Waiting<'a> {
    strangers: Meetings<'a>,
    neighbours: Meetings<'a>,
    /// Those of the first that no plane of theirs parts.
    close: Meetings<'a>,
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
        let mut meetings = Waiting {
            strangers: Meetings::new(&Leaf::EMPTY),
            neighbours: Meetings::new(&Leaf::EMPTY),
            close: Meetings::new(&Leaf::EMPTY),
        };
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
                self.leaves::<V>(pair, &mut meetings)?;
            } else {
                step::<V::Floats>(self.forest, pair, self.waiting)?;
            }
        }
        self.compare::<V>(&mut meetings)?;
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
    fn leaves<V: Doubles>(&mut self, pair: Pair, meetings: &mut Waiting<'a>) -> Result<(), MemoryError> {
        let Pair { parts, boxes, .. } = pair;
        let forest = self.forest;
        let a = forest.leaf(parts[0] as usize, boxes[0] as usize);
        let b = forest.leaf(parts[1] as usize, boxes[1] as usize);
        let (is_own, is_same_part) = (pair.is_own(), parts[0] == parts[1]);
        let (mut a, mut b) = (a, b);
        // Lanes that are not in use overlap nothing.
        let (mut ones, mut near) = (0xff, 0xff);
        if !is_own {
            let around = |side: usize| forest.group(parts[side] as usize, 0, boxes[side] as usize / WIDTH);
            let (around_a, around_b) = (around(0), around(1));
            ones = a.boxes().meets(&around_b.one::<V::Floats>(boxes[1] as usize % WIDTH));
            near = b.boxes().meets(&around_a.one::<V::Floats>(boxes[0] as usize % WIDTH));
            if near == 0 {
                return Ok(());
            }
            // The fewer are taken one by one.
            if near.count_ones() < ones.count_ones() {
                (a, b, ones, near) = (b, a, near, ones);
            }
        }
        // First what costs least and is the rule: boxes that do not overlap, and neighbours at a clean vertex.
        while ones != 0 {
            let one = ones.trailing_zeros();
            ones &= ones - 1;
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
            meetings.strangers.push_if(others != 0 && sharing == 0, meeting);
            meetings.neighbours.push_if(sharing != 0, meeting);
        }
        if meetings.strangers.is_full() || meetings.neighbours.is_full() {
            self.compare::<V>(meetings)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn compare<V: Doubles>(&mut self, meetings: &mut Waiting<'_>) -> Result<(), MemoryError> {
        let Waiting { strangers, neighbours, close } = meetings;
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
