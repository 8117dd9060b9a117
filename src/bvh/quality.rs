//! How well a node culls: the volume ratio (PCCD paper, section 6.2, after Larsson and Akenine-Möller).

use super::access::TreeAccess;
use super::bounds::BoxGroup;
use super::cost::{Restructuring, TraversalCost};
use super::tree::WIDTH;

/// A box that is thinner than this share of its node's longest side counts as that thick. So volumes of flat boxes do not vanish: among boxes that are flat
/// in the same direction, their ratio becomes that of areas (or of lengths). It is small enough not to matter for others.
const THINNEST: f64 = 1.0 / 1024.0;

/// How good the boxes of a group are, of any level.
#[derive(Clone, Copy)]
pub(super) struct Quality {
    /// Their areas; of level 0 only.
    pub areas: f64,
    /// What a search below the box around them is expected to cost; and TC_S right after that box was built or rebuilt.
    pub traversal: TraversalCost,
    pub built_cost: f32,
    /// The volume ratio of the box around them right after it was built or rebuilt.
    pub ratio: f32,
}

impl Quality {
    pub const UNKNOWN: Quality =
        Quality { areas: 0.0, traversal: TraversalCost::LEAF, built_cost: 0.0, ratio: 0.0 };
}

/// The volumes of a node and of its children, each at t = 0 plus t = 1.
pub(super) struct Volumes {
    pub whole: f64,
    pub parts: [f64; WIDTH],
    count: usize,
}

impl Volumes {
    pub fn new(children: &BoxGroup, count: usize) -> Volumes {
        let around = children.bounds();
        let (mut whole, mut parts) = (0.0, [0.0; WIDTH]);
        for end in [0, 6] {
            let side = |planes: [f32; 2]| -(planes[0] as f64 + planes[1] as f64);
            let sides: [f64; 3] =
                std::array::from_fn(|axis| side([around.0[end + axis], around.0[end + axis + 3]]));
            let thinnest = sides[0].max(sides[1]).max(sides[2]) * THINNEST;
            whole += sides.iter().fold(1.0, |product, side| product * side.max(thinnest));
            for (lane, part) in parts[..count].iter_mut().enumerate() {
                let child = |axis: usize| {
                    side([children.planes[end + axis][lane], children.planes[end + axis + 3][lane]])
                };
                *part += (0..3).fold(1.0, |product, axis| product * child(axis).max(thinnest));
            }
        }
        Volumes { whole, parts, count }
    }

    /// The volume of the node over the sum of the volumes of its children: more than 1 if children leave space between them, less if they overlap. 1 for a node without extent, where no
    /// order is better than another, and for one beyond the range of floats.
    pub fn ratio(&self) -> f64 {
        let ratio = self.whole / self.parts[..self.count].iter().sum::<f64>();
        if ratio.is_finite() { ratio } else { 1.0 }
    }
}

impl TreeAccess<'_> {
    /// The volume ratio of box `number` of a level above 0.
    pub fn volume_ratio(&self, level: usize, number: usize) -> f64 {
        let count = WIDTH.min(self.box_count(level - 1) - number * WIDTH);
        Volumes::new(self.group(level - 1, number), count).ratio()
    }

    /// Whether a box (of any level) culls so badly that it should be rebuilt: its volume ratio is less than `threshold` times what it was right after it was built or
    /// rebuilt, or times 1 if that was more.
    ///
    /// Children of a good node overlap as well, the more the fewer triangles they have, since triangles reach across every split: there are nodes that have never had a ratio
    /// of 0.9. And a node that does not become better by being rebuilt must not be rebuilt again and again. On the other hand, a ratio that was large (a slanting sheet, whose
    /// children are on the diagonal of its box) may become 1 without any harm.
    ///
    /// By the other metric, whether sorting it anew brings more than it costs.
    pub fn is_bad(&self, level: usize, number: usize, restructuring: &Restructuring) -> bool {
        if level == 0 || restructuring.is_off() {
            return false;
        }
        let threshold = match restructuring {
            Restructuring::VolumeRatio(threshold) => *threshold,
            Restructuring::TraversalCost(account) => return self.is_worth_sorting(level, number, account),
        };
        // SAFETY: it belongs to what is below the box, which nobody else writes while this thread reads.
        let remembered = unsafe { (*self.quality_around(level, number)).ratio } as f64;
        self.volume_ratio(level, number) < threshold * remembered.min(1.0)
    }

    /// Where it is remembered how good a box above level 0 is: it has the number of the group that the box is around.
    pub(super) fn quality_around(&self, level: usize, number: usize) -> *mut Quality {
        self.qualities.at(self.levels.place(level - 1) + number)
    }

    /// Remembers how good a box and all below it are.
    ///
    /// # Safety
    ///
    /// Nobody else reads or writes anything below the box.
    pub(super) unsafe fn remember_ratios(&self, level: usize, number: usize) {
        for below in 1..=level {
            let shift = 3 * (level - below);
            let boxes = number << shift..((number + 1) << shift).min(self.box_count(below));
            for number in boxes {
                // SAFETY: promised by the caller.
                unsafe { self.remember_ratio(below, number) };
            }
        }
    }

    /// Remembers how good a box is.
    ///
    /// # Safety
    ///
    /// Nobody else reads or writes anything below the box.
    pub(super) unsafe fn remember_ratio(&self, level: usize, number: usize) {
        if level > 0 {
            let ratio = self.volume_ratio(level, number) as f32;
            let cost = self.traversal_cost(level, number).own;
            // SAFETY: promised by the caller.
            unsafe {
                let quality = self.quality_around(level, number);
                ((*quality).ratio, (*quality).built_cost) = (ratio, cost);
            }
        }
    }
}
