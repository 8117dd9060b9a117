//! From pairs of nodes to pairs of their children that meet.

use super::contacts::Earliest;
use super::query::Mode;
use crate::bvh::{BoxGroup, Broadcast, Period, Reach, TreeAccess, WIDTH};
use crate::elementary::Settings;
use crate::memory::{Buffer, MemoryError};
use crate::simd::Floats8;

/// Two boxes that meet: their levels and numbers, and when.
#[derive(Clone, Copy, Debug)]
pub struct NodePair {
    pub levels: [u8; 2],
    pub boxes: [u32; 2],
    pub period: Period,
}

/// How nodes are tested.
#[derive(Clone, Copy)]
pub struct Walk<F> {
    pub reach: Reach<F>,
    pub period: Period,
    pub shorten: bool,
}

impl<F: Floats8> Walk<F> {
    /// Leaves may shorten the period only if the answer cannot depend on it: a list of candidates is one of boxes of features, and with a separation, pairs
    /// that come within the tolerance of it may be reported or not.
    #[inline(always)]
    pub fn new(settings: &Settings, mode: Mode, earliest: &Earliest) -> Walk<F> {
        let shorten = mode != Mode::Candidates && settings.min_separation == 0.0;
        let period = if shorten { earliest.period(settings) } else { Period::WHOLE };
        Walk { reach: Reach::new(settings.min_separation), period, shorten }
    }

    /// Which of the boxes in `wanted` lanes of a group meet the one, each with the period in which it does.
    #[inline(always)]
    fn meets(&self, one: &Broadcast<F>, group: &BoxGroup, wanted: u32) -> (u32, [f32; 8], [f32; 8]) {
        let meets = one.meets(group, &self.reach) & wanted;
        // The divisions are only worth it where they can change something.
        if meets == 0 || !self.shorten || one.is_apart_once(group, &self.reach) & meets == 0 {
            return (meets, [0.0; 8], [0.0; 8]);
        }
        let (before, after) = one.periods(group, &self.reach);
        let never = before.add(after).greater(F::splat(1.0)) | before.greater(F::splat(self.period.until));
        (meets & !never, before.to_array(), after.to_array())
    }

    /// Whether a pair matters: what was found since it was put aside may be earlier than its period.
    #[inline(always)]
    pub fn wants(&self, pair: &NodePair) -> bool {
        pair.period.from <= self.period.until
    }

    /// The period of a lane, and a little more than that.
    #[inline(always)]
    fn period(&self, before: f32, after: f32) -> Period {
        let until = (1.0 - after + f32::EPSILON).min(self.period.until);
        Period { from: before, until: until.max(before) }
    }
}

/// The pairs of the boxes of one group that meet.
#[inline(always)]
pub fn task_unit<F: Floats8>(
    tree: &TreeAccess<'_>,
    level: usize,
    group: usize,
    walk: &Walk<F>,
    waiting: &mut Buffer<NodePair>,
) -> Result<(), MemoryError> {
    let boxes = tree.group(level, group);
    let valid = tree.lanes(level, group);
    for child in 0..WIDTH {
        let later = !1 << child;
        let (mut meets, before, after) = walk.meets(&boxes.broadcast::<F>(child), boxes, valid & later);
        while meets != 0 {
            let other = meets.trailing_zeros() as usize;
            meets &= meets - 1;
            let boxes = [child, other].map(|child| (group * WIDTH + child) as u32);
            let period = walk.period(before[other], after[other]);
            waiting.push(NodePair { levels: [level as u8; 2], boxes, period })?;
        }
    }
    Ok(())
}

/// The pairs of children of two boxes of one level that meet.
#[inline(always)]
pub fn go_down_both<F: Floats8>(
    trees: [&TreeAccess<'_>; 2],
    pair: NodePair,
    walk: &Walk<F>,
    waiting: &mut Buffer<NodePair>,
) -> Result<(), MemoryError> {
    let below = pair.levels[0] as usize - 1;
    let [a, b] = pair.boxes.map(|number| number as usize);
    let (group_a, group_b) = (trees[0].group(below, a), trees[1].group(below, b));
    let reach = &walk.reach;
    let mut near_b = around::<F>(trees[1], below + 1, b).meets(group_a, reach) & trees[0].lanes(below, a);
    let near_a = around::<F>(trees[0], below + 1, a).meets(group_b, reach) & trees[1].lanes(below, b);
    while near_b != 0 {
        let child = near_b.trailing_zeros() as usize;
        near_b &= near_b - 1;
        let (mut meets, before, after) = walk.meets(&group_a.broadcast::<F>(child), group_b, near_a);
        while meets != 0 {
            let other = meets.trailing_zeros() as usize;
            meets &= meets - 1;
            let boxes = [(a * WIDTH + child) as u32, (b * WIDTH + other) as u32];
            let period = walk.period(before[other], after[other]);
            waiting.push(NodePair { levels: [below as u8; 2], boxes, period })?;
        }
    }
    Ok(())
}

/// The children of the box of the higher level that meet the other box.
#[inline(always)]
pub fn go_down_higher<F: Floats8>(
    trees: [&TreeAccess<'_>; 2],
    pair: NodePair,
    walk: &Walk<F>,
    waiting: &mut Buffer<NodePair>,
) -> Result<(), MemoryError> {
    let higher = usize::from(pair.levels[1] > pair.levels[0]);
    let lower = 1 - higher;
    let (below, parent) = (pair.levels[higher] as usize - 1, pair.boxes[higher] as usize);
    let other = around::<F>(trees[lower], pair.levels[lower] as usize, pair.boxes[lower] as usize);
    let valid = trees[higher].lanes(below, parent);
    let (mut meets, before, after) = walk.meets(&other, trees[higher].group(below, parent), valid);
    while meets != 0 {
        let child = meets.trailing_zeros() as usize;
        meets &= meets - 1;
        let mut pair = pair;
        pair.levels[higher] = below as u8;
        pair.boxes[higher] = (parent * WIDTH + child) as u32;
        pair.period = walk.period(before[child], after[child]);
        waiting.push(pair)?;
    }
    Ok(())
}

#[inline(always)]
fn around<F: Floats8>(tree: &TreeAccess<'_>, level: usize, number: usize) -> Broadcast<F> {
    tree.group(level, number / WIDTH).broadcast::<F>(number % WIDTH)
}
