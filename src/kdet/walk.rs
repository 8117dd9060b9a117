//! The same pairs from the trees of a hierarchy: pairs of boxes at t = 1 that overlap, down to leaves of eight triangles.

use super::decide::Decisions;
use super::forest::Forest;
use super::meetings::Meetings;
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
    fn run<V: Doubles>(self) -> Result<(), MemoryError> {
        let mut meetings = Meetings::new();
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
                self.add::<V::Floats>(pair, &mut meetings);
                if meetings.is_full() {
                    meetings.compare::<V>(&self.view, self.decisions)?;
                }
            } else {
                step::<V::Floats>(self.forest, pair, self.waiting)?;
            }
        }
        meetings.compare::<V>(&self.view, self.decisions)?;
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
    fn add<F: Floats8>(&self, pair: Pair, meetings: &mut Meetings<'a>) {
        let Pair { parts, boxes, .. } = pair;
        let leaf = |side: usize| self.forest.leaf(parts[side] as usize, boxes[side] as usize);
        let leaves = [leaf(0), leaf(1)];
        let mut near = [0xff; 2];
        if !pair.is_own() {
            for side in 0..2 {
                let other = 1 - side;
                let around = self.forest.group(parts[other] as usize, 0, boxes[other] as usize / WIDTH);
                near[side] = leaves[side].boxes().meets(&around.one::<F>(boxes[other] as usize % WIDTH));
            }
        }
        meetings.add::<F>(leaves, near, parts[0] == parts[1]);
    }
}
