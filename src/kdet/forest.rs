//! The trees of a hierarchy at t = 1: their order of triangles, and boxes that are made anew from the leaves up in each run.
//!
//! The trees themselves are for motions. Their boxes are twice as large, and there are some for edges and vertices as well: to refit them takes longer than all that is here.

use super::leaves::{Boxes, Fill, Leaf};
use super::soup::Soup;
use crate::bvh::{Body, Bvh, WIDTH};
use crate::memory::{Buffer, Memory, MemoryError};
use crate::simd::{self, Level};

/// Leaves of a unit of work: whole groups.
const SHARE: usize = 1 << 8;

/// More levels than triangles can be counted.
const LEVELS: usize = 11;

/// A tree: box i of a level is around the boxes of group i of the level below, of the lowest around leaf i.
#[derive(Clone, Copy)]
struct Shape {
    first_leaf: usize,
    leaf_count: usize,
    level_count: usize,
    /// Where the groups of a level begin.
    first_groups: [usize; LEVELS],
}

/// How well the order of a tree has kept.
#[derive(Clone, Copy)]
struct Wear {
    id: u64,
    leaf_count: usize,
    /// The area of leaves, by that of the whole: when it was least, and now.
    least: f64,
    now: f64,
}

pub struct Forest {
    leaves: Buffer<Leaf>,
    groups: Buffer<Boxes>,
    shapes: Buffer<Shape>,
    units: Buffer<[u32; 2]>,
    wear: Buffer<Wear>,
}

impl Forest {
    pub fn new(memory: &Memory) -> Forest {
        Forest {
            leaves: Buffer::new(memory.clone()),
            groups: Buffer::new(memory.clone()),
            shapes: Buffer::new(memory.clone()),
            units: Buffer::new(memory.clone()),
            wear: Buffer::new(memory.clone()),
        }
    }

    /// Whether the order of a tree is so much worse than it was that the hierarchy should look whether to sort it anew; or there is none.
    pub fn is_worn(&self, part: usize, body: &Body, rebuild_quality: f64) -> bool {
        let is_bad = |wear: &Wear| {
            wear.id == body.id
                && wear.leaf_count == body.tree.all_faces().len()
                && wear.least < wear.now * rebuild_quality
        };
        body.tree.level_count() == 0 || body.tree.is_crowded() || self.wear.get(part).is_some_and(is_bad)
    }

    /// Takes the trees of a hierarchy, which has looked at those that were worn. Returns the number of units of work.
    pub fn start(&mut self, bvh: &Bvh, was_updated: bool) -> Result<usize, MemoryError> {
        self.shapes.clear();
        self.units.clear();
        let (mut leaf_count, mut group_count) = (0, 0);
        for (part, body) in bvh.bodies().iter().enumerate() {
            let own = body.tree.all_faces().len();
            let mut shape =
                Shape { first_leaf: leaf_count, leaf_count: own, level_count: 0, first_groups: [0; LEVELS] };
            let mut boxes = own;
            while boxes > 0 {
                shape.first_groups[shape.level_count] = group_count;
                shape.level_count += 1;
                let groups = boxes.div_ceil(WIDTH);
                group_count += groups;
                boxes = if boxes > 1 { groups } else { 0 };
            }
            leaf_count += own;
            self.shapes.push(shape)?;
            for first in (0..own).step_by(SHARE) {
                self.units.push([part as u32, first as u32])?;
            }
            let unknown = Wear { id: body.id, leaf_count: own, least: f64::INFINITY, now: 0.0 };
            match self.wear.get_mut(part) {
                Some(wear) if was_updated || wear.id != body.id || wear.leaf_count != own => *wear = unknown,
                Some(_) => {}
                None => self.wear.push(unknown)?,
            }
        }
        if self.leaves.len() < leaf_count {
            self.leaves.resize(leaf_count, Leaf::EMPTY)?;
        }
        if self.groups.len() < group_count {
            self.groups.resize(group_count, Boxes::EMPTY)?;
        }
        Ok(self.units.len())
    }

    /// Makes the leaves of a unit and the boxes around them.
    ///
    /// # Safety
    ///
    /// Nobody else makes the same ones, or reads any, meanwhile.
    pub unsafe fn make(&self, level: Level, soup: &Soup, clean: &[u8], bvh: &Bvh, unit: usize) {
        let [part, first] = self.units[unit].map(|number| number as usize);
        let shape = &self.shapes[part];
        let faces = bvh.bodies()[part].tree.all_faces();
        let faces = &faces[first..faces.len().min(first + SHARE)];
        let (begin, group) = (shape.first_leaf + first, shape.first_groups[0] + first / WIDTH);
        let group_count = faces.len().div_ceil(WIDTH);
        assert!(begin + faces.len() <= self.leaves.len() && group + group_count <= self.groups.len());
        // SAFETY: inside, as asserted, and promised by the caller.
        let (leaves, boxes) = unsafe {
            (
                std::slice::from_raw_parts_mut(self.leaves.start().add(begin), faces.len()),
                std::slice::from_raw_parts_mut(self.groups.start().add(group), group_count),
            )
        };
        simd::dispatch(
            level,
            Fill { view: soup.view(), clean, part: &soup.parts[part], faces, leaves, boxes },
        );
    }

    /// The rest, after all units: the boxes of higher levels, and how well the orders have kept.
    pub fn finish(&mut self) {
        for (part, shape) in self.shapes.iter().enumerate() {
            let mut boxes = shape.leaf_count;
            for level in 1..shape.level_count {
                boxes = boxes.div_ceil(WIDTH);
                let (below, own) = (shape.first_groups[level - 1], shape.first_groups[level]);
                for group in 0..boxes.div_ceil(WIDTH) {
                    let mut made = Boxes::EMPTY;
                    for lane in 0..WIDTH.min(boxes - group * WIDTH) {
                        made.set(lane, &self.groups[below + group * WIDTH + lane].around());
                    }
                    self.groups[own + group] = made;
                }
            }
            if shape.level_count > 0 {
                let lowest = &self.groups[shape.first_groups[0]..][..shape.leaf_count.div_ceil(WIDTH)];
                let sum = lowest.iter().fold(0.0, |sum, boxes| sum + boxes.area());
                let whole = self.groups[shape.first_groups[shape.level_count - 1]].area();
                let wear = &mut self.wear[part];
                wear.now = if whole > 0.0 { sum / whole } else { 0.0 };
                wear.least = wear.least.min(wear.now);
            }
        }
    }

    /// The highest level of a tree, if it has any.
    pub fn top(&self, part: usize) -> Option<usize> {
        self.shapes[part].level_count.checked_sub(1)
    }

    /// The boxes below a box of level `level + 1`; or the one of the highest level.
    #[inline(always)]
    pub fn group(&self, part: usize, level: usize, group: usize) -> &Boxes {
        &self.groups[self.shapes[part].first_groups[level] + group]
    }

    #[inline(always)]
    pub fn leaf(&self, part: usize, leaf: usize) -> &Leaf {
        &self.leaves[self.shapes[part].first_leaf + leaf]
    }

    /// From where to where a tree is along the x axis.
    pub fn ends(&self, part: usize) -> Option<[f32; 2]> {
        let around = self.group(part, self.top(part)?, 0).around();
        Some([around[0], -around[3]])
    }

    pub fn bytes(&self) -> usize {
        self.leaves.capacity() * size_of::<Leaf>() + self.groups.capacity() * size_of::<Boxes>()
    }
}
