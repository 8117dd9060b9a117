//! The order of a mesh's triangles by a grid (FASTCD paper, section 5.5). Median splits by selection take as long, and give better trees (`docs/breaking.md`), so this is
//! off by default.
//!
//! Triangles are dealt out to the cells of a grid over their centres, one look at each; then those of each cell to a grid in that cell, and so on, until a cell has less than a limit:
//! these few are sorted by median splits. A grid has 2^k cells a side, which are 3k levels of a binary tree in one pass. The cells of a pass are found by hashing: the bits of the
//! place on three axes are the number of the cell, and a table of counts says where its triangles go.
//!
//! A tree is only an order here, so there are no empty nodes, which the paper warns of. But cells do not end where leaves do. So that no leaf reaches across more than it must, a
//! cell ends at the last full leaf, and the few triangles that are left go to the next cell, which is a neighbour: cells follow each other by a Gray code.

use super::build::{self, Item};
use super::sort::{MOST_PARTS, Part};
use super::tree::WIDTH;

/// k: a grid of 2 cells a side (section 5.5).
const BITS: usize = 1;
const CELLS: usize = 1 << (3 * BITS);
const _: () = assert!(CELLS <= MOST_PARTS);
/// The triangles of a mesh may be at one place: then they are sorted otherwise.
const MOST_PASSES: usize = 20;

/// The triangles of a cell. They go to and fro between two arrays, from one pass to the next, and come home at last.
pub struct Cell<'a> {
    here: &'a mut [Item],
    there: &'a mut [Item],
    is_home: bool,
    /// Triangles of a child of the node that all cells are in.
    child: usize,
    /// Cells with fewer triangles are sorted by median splits.
    limit: usize,
    passes: usize,
}

impl<'a> Cell<'a> {
    /// All triangles of a node whose children hold `child` triangles each. `room` is as long as `items`.
    pub fn new(items: &'a mut [Item], room: &'a mut [Item], child: usize, limit: usize) -> Cell<'a> {
        debug_assert_eq!(items.len(), room.len());
        let limit = limit.max(2 * WIDTH);
        Cell { here: items, there: room, is_home: true, child, limit, passes: MOST_PASSES }
    }

    /// By median splits, at home.
    fn sort(self) {
        let items = if self.is_home {
            self.here
        } else {
            self.there.copy_from_slice(self.here);
            self.there
        };
        build::split(items, self.child);
    }
}

impl Part for Cell<'_> {
    fn len(&self) -> usize {
        self.here.len()
    }

    fn step(self, rest: &mut dyn FnMut(Self)) {
        if self.here.len() < self.limit || self.passes == 0 {
            return self.sort();
        }
        let grid = Grid::around(self.here);
        let mut ends = [0usize; CELLS];
        for item in self.here.iter() {
            ends[grid.cell(item)] += 1;
        }
        if ends.contains(&self.here.len()) {
            // No plane of the grid tells them apart: a median does.
            return self.sort();
        }
        let mut begin = 0;
        for end in &mut ends {
            (*end, begin) = (begin, begin + *end);
        }
        let Cell { here, there, is_home, child, limit, passes } = self;
        for item in here.iter() {
            let place = &mut ends[grid.cell(item)];
            there[*place] = *item;
            *place += 1;
        }
        let count = here.len();
        let (mut here, mut there, mut begin) = (here, there, 0);
        for end in ends {
            let aligned = if end == count { end } else { end / WIDTH * WIDTH };
            if aligned > begin {
                let (of_cell, others) = here.split_at_mut(aligned - begin);
                let (in_cell, elsewhere) = there.split_at_mut(aligned - begin);
                rest(Cell {
                    here: in_cell,
                    there: of_cell,
                    is_home: !is_home,
                    child,
                    limit,
                    passes: passes - 1,
                });
                (here, there, begin) = (others, elsewhere, aligned);
            }
        }
    }
}

/// A grid around some centres.
struct Grid {
    lower: [f32; 3],
    scale: [f32; 3],
}

impl Grid {
    fn around(items: &[Item]) -> Grid {
        let (lower, upper) = build::bounds(items);
        let scale = std::array::from_fn(|axis| {
            let scale = (1 << BITS) as f32 / (upper[axis] - lower[axis]);
            // One place, or more than floats can tell: all in the first cell.
            if scale.is_finite() { scale } else { 0.0 }
        });
        Grid { lower, scale }
    }

    #[inline(always)]
    fn cell(&self, item: &Item) -> usize {
        let mut code = 0;
        for axis in 0..3 {
            let place = ((item.centre[axis] - self.lower[axis]) * self.scale[axis]) as i32;
            code = code << BITS | place.clamp(0, (1 << BITS) - 1) as usize;
        }
        RANKS[code]
    }
}

/// The place of each cell among all, such that cells in a row have a side in common.
const RANKS: [usize; CELLS] = {
    let mut ranks = [0; CELLS];
    let mut code = 0;
    while code < CELLS {
        ranks[code] = rank(code);
        code += 1;
    }
    ranks
};

/// Which number a Gray code is of.
const fn rank(code: usize) -> usize {
    let mut number = code;
    let mut shift = 1;
    while shift < 3 * BITS {
        number ^= number >> shift;
        shift *= 2;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::super::sort;
    use super::*;
    use crate::memory::Memory;
    use crate::schedule::{Crew, Pool};
    use std::collections::BTreeSet;
    use std::num::NonZeroUsize;

    struct Random(u64);

    impl Random {
        fn next(&mut self) -> f32 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 40) as f32 / (1u64 << 24) as f32
        }

        /// A third of them at one place.
        fn items(&mut self, count: u32, spread: f32) -> Vec<Item> {
            let mut items: Vec<Item> =
                (0..count).map(|i| Item::new(std::array::from_fn(|_| self.next() * spread), i)).collect();
            for i in 0..items.len() / 3 {
                items[i].centre = [0.25 * spread; 3];
            }
            items
        }
    }

    fn numbers(items: &[Item]) -> Vec<u32> {
        items.iter().map(|item| item.triangle).collect()
    }

    #[test]
    fn every_triangle_is_there_once_and_neighbours_are_close() {
        let mut random = Random(1);
        for (count, spread) in
            [(0, 1.0), (1, 1.0), (7, 1.0), (1000, 1.0), (5000, 1.0), (5000, 0.0), (3000, 1e38)]
        {
            let mut items = random.items(count, spread);
            let mut room = items.clone();
            Cell::new(&mut items, &mut room, 8usize.pow(4), 100).finish();
            let all: BTreeSet<u32> = numbers(&items).into_iter().collect();
            assert!(all.len() == count as usize && all.into_iter().eq(0..count));
            if spread == 1.0 && count >= 1000 {
                let step = |a: &Item, b: &Item| {
                    (0..3).map(|i| (a.centre[i] - b.centre[i]).abs()).fold(0.0, f32::max)
                };
                let mean = items.windows(2).map(|pair| step(&pair[0], &pair[1])).sum::<f32>() / count as f32;
                // at random it would be about 0.5
                assert!(mean < 0.2, "{mean}");
            }
        }
    }

    /// By medians as well.
    #[test]
    fn the_order_does_not_depend_on_the_number_of_workers() {
        let memory = Memory::new(None).unwrap();
        let given = Random(2).items(20_000, 1.0);
        let mut orders = BTreeSet::new();
        for workers in [1, 2, 5] {
            let crew = Crew::Pool(Pool::new(NonZeroUsize::new(workers).unwrap()).unwrap());
            let (mut by_grid, mut by_medians, mut room) = (given.clone(), given.clone(), given.clone());
            let cell = Cell::new(&mut by_grid, &mut room, 8usize.pow(4), 100);
            sort::on_all(&crew, &memory, cell).unwrap();
            let halves = build::Halves { items: &mut by_medians, child: 8usize.pow(4) };
            sort::on_all(&crew, &memory, halves).unwrap();
            orders.insert((numbers(&by_grid), numbers(&by_medians)));
        }
        assert_eq!(orders.len(), 1);
        let (by_grid, by_medians) = orders.pop_first().unwrap();
        for order in [by_grid, by_medians] {
            assert!(order.into_iter().collect::<BTreeSet<u32>>().into_iter().eq(0..20_000));
        }
    }

    #[test]
    fn cells_in_a_row_have_a_side_in_common() {
        let mut codes: Vec<usize> = (0..CELLS).collect();
        codes.sort_by_key(|&code| RANKS[code]);
        assert!(codes.windows(2).all(|pair| (pair[0] ^ pair[1]).count_ones() == 1));
    }
}
