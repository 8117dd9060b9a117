//! The order of a mesh's triangles, from which its hierarchy follows: median splits (PCCD paper, section 6.2).
//!
//! A leaf is eight triangles in a row, a node eight nodes of the level below in a row. So all that is built is an order. Every split is at a multiple of what a
//! node one level down holds; all nodes but the last of a level are full, and no pointer is needed anywhere.

use super::build_small::{FEW, Room};
use super::sort::Part;
use super::tree::WIDTH;
use crate::mesh::Mesh;

/// A triangle to be sorted.
#[derive(Clone, Copy)]
pub struct Item {
    /// Three times the centre at t = 1.
    pub centre: [f32; 3],
    pub triangle: u32,
}

impl Item {
    pub fn new(centre: [f32; 3], triangle: u32) -> Item {
        Item { centre, triangle }
    }

    /// What items are compared by: their place along an axis, and by number where that is equal, so that the order is the same on every machine. As one integer, so that comparing takes no
    /// branch, which nobody could predict. (The bits of floats are in the order of `total_cmp` once those of negative ones are inverted.)
    #[inline(always)]
    fn key(&self, axis: usize) -> u64 {
        let bits = self.centre[axis].to_bits();
        let ordered = bits ^ (((bits as i32) >> 31) as u32 | 1 << 31);
        (ordered as u64) << 32 | self.triangle as u64
    }
}

pub fn item(mesh: &Mesh, triangle: u32) -> Item {
    let mut centre = [0.0f32; 3];
    for corner in mesh.features().triangles()[triangle as usize] {
        for (axis, sum) in centre.iter_mut().enumerate() {
            *sum += mesh.motions()[corner as usize].0[4 + axis] as f32;
        }
    }
    Item { centre, triangle }
}

/// Sorts the triangles of a node whose children hold `child` triangles each, neighbours close to each other.
pub fn split(items: &mut [Item], child: usize) {
    Halves { items, child }.finish();
}

/// The triangles of a node, or of some children of it in a row.
pub struct Halves<'a> {
    pub items: &'a mut [Item],
    /// Triangles of a child.
    pub child: usize,
}

impl Part for Halves<'_> {
    fn len(&self) -> usize {
        self.items.len()
    }

    fn step(self, rest: &mut dyn FnMut(Self)) {
        let Halves { items, mut child } = self;
        if items.len() <= FEW {
            return Room::new().split(items, child);
        }
        while child >= items.len() {
            child /= WIDTH;
        }
        let middle = middle(items.len(), child);
        let (lower, upper) = bounds(items);
        let axis = widest(&lower, &upper);
        items.select_nth_unstable_by_key(middle - 1, |item| item.key(axis));
        let (left, right) = items.split_at_mut(middle);
        rest(Halves { items: left, child });
        rest(Halves { items: right, child });
    }
}

/// How many of some triangles are in the first half: as many as so many children hold.
pub fn middle(count: usize, child: usize) -> usize {
    count.div_ceil(child).div_ceil(2) * child
}

/// The box around the centres.
pub fn bounds(items: &[Item]) -> ([f32; 3], [f32; 3]) {
    let mut lower = [f32::INFINITY; 3];
    let mut upper = [f32::NEG_INFINITY; 3];
    for Item { centre, .. } in items {
        for axis in 0..3 {
            // a comparison each: minima that know about NaN take several instructions
            lower[axis] = if centre[axis] < lower[axis] { centre[axis] } else { lower[axis] };
            upper[axis] = if centre[axis] > upper[axis] { centre[axis] } else { upper[axis] };
        }
    }
    (lower, upper)
}

pub fn widest(lower: &[f32; 3], upper: &[f32; 3]) -> usize {
    let width = |axis: usize| upper[axis] - lower[axis];
    let wider = |a: usize, b: usize| if width(b) > width(a) { b } else { a };
    wider(wider(0, 1), 2)
}
