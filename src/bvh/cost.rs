//! What a search below a node is expected to cost: traversal costs (FASTCD paper, section 5.2), and when it pays to sort a node anew (section 5.4).
//!
//! *TC_I* is the expected number of tests of boxes when a node meets another one, about which nothing is known: one, and those of each child, if that is met as well, which happens with
//! the probability Vol child / Vol node (equation 6). *TC_S* is the number for what is below a node among itself (equation 7). The paper has two children; here are up to eight, of which
//! each meets all others: (n − 1) Σ TC_I + Σ TC_S. Leaves count as one test.

use super::access::TreeAccess;
use super::quality::Volumes;
use super::tree::{Tree, WIDTH};

/// Expected tests of boxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TraversalCost {
    /// Of a node with another one that it meets: TC_I.
    pub inter: f32,
    /// Of what is below a node among itself: TC_S.
    pub own: f32,
}

impl TraversalCost {
    pub(super) const LEAF: TraversalCost = TraversalCost { inter: 1.0, own: 1.0 };

    /// Of a node from its children.
    pub(super) fn of(volumes: &Volumes, costs: &[TraversalCost]) -> TraversalCost {
        let Volumes { whole, parts, .. } = *volumes;
        let (mut inter, mut sum, mut own) = (1.0, 0.0, 0.0);
        for (cost, volume) in costs.iter().zip(parts) {
            // Without extent, or beyond all numbers: as if it were always met.
            let share = volume / whole;
            inter += if share.is_finite() { share as f32 } else { 1.0 } * cost.inter;
            sum += cost.inter;
            own += cost.own;
        }
        TraversalCost { inter, own: own + (costs.len() - 1) as f32 * sum }
    }
}

/// When a node is sorted anew.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Restructuring {
    /// When its volume ratio is less than this share of what it was: see [`TreeAccess::is_bad`]. 0 for never.
    VolumeRatio(f64),
    TraversalCost(Account),
}

impl Restructuring {
    pub const OFF: Restructuring = Restructuring::VolumeRatio(0.0);

    pub fn is_off(&self) -> bool {
        match self {
            Restructuring::VolumeRatio(share) => *share <= 0.0,
            Restructuring::TraversalCost(account) => account.most <= 0.0,
        }
    }
}

/// What it costs to sort, and what it brings, in seconds. These are measured, so which nodes are sorted anew may differ from run to run; contacts do not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Account {
    /// A test of boxes, and what follows from it.
    pub test: f64,
    /// Sorting n triangles, by n log2 n.
    pub sort: f64,
    /// Most that may be spent on one node: a share of the time of the last run.
    pub most: f64,
}

impl Account {
    /// Whether a node that has come from one cost to another should be sorted anew.
    fn pays(&self, built: f32, now: f32, triangles: usize) -> bool {
        let benefit = (now - built) as f64 * self.test;
        let loss = triangles as f64 * (triangles as f64).log2() * self.sort;
        benefit > loss && loss <= self.most
    }
}

impl TreeAccess<'_> {
    /// As of the last refit. Box `number` of a level.
    pub fn traversal_cost(&self, level: usize, number: usize) -> TraversalCost {
        if level == 0 {
            return TraversalCost::LEAF;
        }
        // SAFETY: it belongs to what is below the box, which nobody else writes while this thread reads.
        unsafe { (*self.quality_around(level, number)).traversal }
    }

    /// Whether it pays to sort what is below a box anew: if thereby its cost came to what it was right after it was built or sorted last.
    pub(super) fn is_worth_sorting(&self, level: usize, number: usize, account: &Account) -> bool {
        let leaves = self.leaves_below(level, number);
        let now = self.traversal_cost(level, number).own;
        // SAFETY: as above.
        let built = unsafe { (*self.quality_around(level, number)).built_cost };
        account.pays(built, now, leaves.len() * WIDTH)
    }
}

impl Tree {
    /// Of the whole tree, as of the last refit.
    pub fn traversal_cost(&self) -> TraversalCost {
        match self.level_count() {
            0 => TraversalCost { inter: 0.0, own: 0.0 },
            1 => TraversalCost::LEAF,
            count => self.qualities[self.levels.place(count - 2)].traversal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::{BoxGroup, MovingBox};

    fn cost(children: &BoxGroup, costs: &[TraversalCost]) -> TraversalCost {
        TraversalCost::of(&Volumes::new(children, costs.len()), costs)
    }

    /// Eight cubes of side 1 in a row, which share a box of 8 × 1 × 1.
    fn row() -> BoxGroup {
        let mut group = BoxGroup::EMPTY;
        for lane in 0..WIDTH {
            let low = [lane as f64, 0.0, 0.0];
            let high = [lane as f64 + 1.0, 1.0, 1.0];
            group.set(lane, &MovingBox::around(low, low).union(&MovingBox::around(high, high)));
        }
        group
    }

    #[test]
    fn costs_are_those_of_the_equations() {
        let costs = [TraversalCost::LEAF; WIDTH];
        // Each child is met with probability 1/8; each meets seven others.
        assert_eq!(cost(&row(), &costs), TraversalCost { inter: 2.0, own: 8.0 + 7.0 * 8.0 });
        let mut costs = costs;
        costs[3] = TraversalCost { inter: 5.0, own: 10.0 };
        assert_eq!(cost(&row(), &costs), TraversalCost { inter: 2.5, own: 17.0 + 7.0 * 12.0 });
    }

    #[test]
    fn boxes_without_extent_are_always_met() {
        let mut group = BoxGroup::EMPTY;
        for lane in 0..2 {
            group.set(lane, &MovingBox::around([1.0; 3], [1.0; 3]));
        }
        assert_eq!(cost(&group, &[TraversalCost::LEAF; 2]), TraversalCost { inter: 3.0, own: 4.0 });
    }

    #[test]
    fn sorting_pays_if_it_saves_more_and_is_not_too_much() {
        let account = Account { test: 1e-8, sort: 1e-8, most: 1e-4 };
        // 64 triangles: 384 tests are worth it, but no fewer
        assert!(!account.pays(1000.0, 1384.0, 64) && account.pays(1000.0, 1385.0, 64));
        assert!(!account.pays(1000.0, 900.0, 64));
        assert!(!Account { most: 1e-6, ..account }.pays(1000.0, 1e6, 64), "more than the limit");
        assert!(Restructuring::TraversalCost(Account { most: 0.0, ..account }).is_off());
        assert!(!Restructuring::TraversalCost(account).is_off() && Restructuring::OFF.is_off());
    }
}
