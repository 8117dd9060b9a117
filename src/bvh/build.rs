//! The order of a mesh's triangles, from which its hierarchy follows: median splits (PCCD paper, section 6.2).
//!
//! A leaf is eight triangles in a row, a node eight nodes of the level below in a row. So all that is built is an order. Every split is at a multiple of what a
//! node one level down holds; all nodes but the last of a level are full, and no pointer is needed anywhere.

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
        if items.len() <= WIDTH {
            return;
        }
        while child >= items.len() {
            child /= WIDTH;
        }
        let middle = items.len().div_ceil(child).div_ceil(2) * child;
        let axis = widest_axis(items);
        select(items, middle, axis);
        let (left, right) = items.split_at_mut(middle);
        rest(Halves { items: left, child });
        rest(Halves { items: right, child });
    }
}

/// So few items are put in order at once.
const FEW: usize = 16;

/// Puts the `first` smallest items along an axis before the others. As `select_nth_unstable` of the standard library does, but most calls are for a few items, where that one sorts by insertion,
/// which nobody can predict. Which items come first is the same: no two have the same key.
fn select(mut items: &mut [Item], mut first: usize, axis: usize) {
    // More steps than this take none that are worth anything.
    let mut steps = 4 * items.len().ilog2();
    while items.len() > FEW {
        if steps == 0 {
            items.select_nth_unstable_by_key(first - 1, |item| item.key(axis));
            return;
        }
        steps -= 1;
        let less = partition(items, axis);
        if first > less + 1 {
            items = &mut items[less + 1..];
            first -= less + 1;
        } else if first < less {
            items = &mut items[..less];
        } else {
            return;
        }
    }
    sort_few(items, axis);
}

/// Takes a middle one of three items, and puts those that are less before it, and the others behind it, without a branch that depends on them. Returns how many are less.
fn partition(items: &mut [Item], axis: usize) -> usize {
    let last = items.len() - 1;
    let [a, b, c] = [0, items.len() / 2, last].map(|place| items[place].key(axis));
    let pivot = a.max(b).min(a.min(b).max(c));
    let place = if pivot == a {
        0
    } else if pivot == b {
        items.len() / 2
    } else {
        last
    };
    items.swap(place, last);
    let mut less = 0;
    for i in 0..last {
        let is_less = items[i].key(axis) < pivot;
        items.swap(i, less);
        less += usize::from(is_less);
    }
    items.swap(less, last);
    less
}

/// Each item goes to the place that is the number of those that are less.
fn sort_few(items: &mut [Item], axis: usize) {
    let count = items.len();
    let mut keys = [0; FEW];
    let mut copies = [Item::new([0.0; 3], 0); FEW];
    let mut places = [0u32; FEW];
    for (i, item) in items.iter().enumerate() {
        keys[i] = item.key(axis);
        copies[i] = *item;
    }
    for i in 1..count {
        for j in 0..i {
            let is_less = u32::from(keys[j] < keys[i]);
            places[i] += is_less;
            places[j] += 1 - is_less;
        }
    }
    for i in 0..count {
        items[places[i] as usize] = copies[i];
    }
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

fn widest_axis(items: &[Item]) -> usize {
    let (lower, upper) = bounds(items);
    let width = |axis: usize| upper[axis] - lower[axis];
    let wider = |a: usize, b: usize| if width(b) > width(a) { b } else { a };
    wider(wider(0, 1), 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_come_first() {
        let mut state = 5u64;
        let mut below = |limit: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % limit
        };
        for round in 0..3000 {
            let count = 2 + below(if round % 10 == 0 { 2000 } else { 60 });
            // many have the same place, and some are in order already
            let places = [1, 3, 1000][below(3)];
            let mut items: Vec<Item> = (0..count)
                .map(|i| {
                    let centre = if round % 3 == 0 { i as f32 } else { below(places) as f32 - 1.0 };
                    Item::new([0.0, centre, 0.0], i as u32)
                })
                .collect();
            let mut expected: Vec<u64> = items.iter().map(|item| item.key(1)).collect();
            expected.sort_unstable();
            let first = 1 + below(count - 1);
            select(&mut items, first, 1);
            let mut found: Vec<u64> = items.iter().map(|item| item.key(1)).collect();
            found[..first].sort_unstable();
            found[first..].sort_unstable();
            assert_eq!(found, expected, "{round}");
        }
    }
}
