//! Which boxes there are: the shape of a tree follows from the number of its leaves alone.

use super::tree::WIDTH;
use std::ops::Range;

/// Enough for 8¹² triangles.
const MOST_LEVELS: usize = 12;

/// Level 0 has a box for each leaf, a higher level one for each group of eight of the level below, up to a level with a single box.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Levels {
    /// Where the groups of a level begin among those of all levels, and how many boxes it has.
    levels: [(usize, usize); MOST_LEVELS],
    count: usize,
    group_count: usize,
}

impl Levels {
    pub fn new(leaf_count: usize) -> Levels {
        let mut levels = Levels::default();
        let mut boxes = leaf_count;
        while boxes > 0 {
            levels.levels[levels.count] = (levels.group_count, boxes);
            levels.count += 1;
            let groups = boxes.div_ceil(WIDTH);
            levels.group_count += groups;
            boxes = if boxes == 1 { 0 } else { groups };
        }
        levels
    }

    /// How many levels there are.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Groups of all levels.
    pub fn group_count(&self) -> usize {
        self.group_count
    }

    /// Boxes of level 0.
    pub fn leaf_count(&self) -> usize {
        self.levels[0].1
    }

    /// Boxes of all levels.
    pub fn box_count(&self) -> usize {
        self.levels[..self.count].iter().map(|level| level.1).sum()
    }

    #[inline(always)]
    pub fn boxes(&self, level: usize) -> usize {
        self.levels[level].1
    }

    /// The first group of a level among all.
    #[inline(always)]
    pub fn place(&self, level: usize) -> usize {
        self.levels[level].0
    }

    /// Which boxes of a group exist.
    #[inline(always)]
    pub fn lanes(&self, level: usize, group: usize) -> u32 {
        (1 << WIDTH.min(self.levels[level].1 - group * WIDTH)) - 1
    }

    /// The leaves below box `number` of a level. The box must exist.
    #[inline(always)]
    pub fn leaves_below(&self, level: usize, number: usize) -> Range<usize> {
        assert!(number < self.levels[level].1);
        let shift = WIDTH.ilog2() as usize * level;
        number << shift..((number + 1) << shift).min(self.levels[0].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_of_a_level_share_all_leaves() {
        for leaf_count in [0, 1, 2, 8, 9, 64, 65, 511, 513, 5000] {
            let levels = Levels::new(leaf_count);
            assert_eq!(levels.count() == 0, leaf_count == 0);
            for level in 0..levels.count() {
                let mut next = 0;
                for number in 0..levels.boxes(level) {
                    let leaves = levels.leaves_below(level, number);
                    assert!(leaves.start == next && leaves.end > next);
                    next = leaves.end;
                }
                assert_eq!(next, leaf_count);
                assert_eq!(levels.boxes(level) == 1, level + 1 == levels.count());
            }
        }
    }
}
