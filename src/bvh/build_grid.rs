//! The order of a mesh's triangles by a grid, in less time than median splits need (FASTCD paper, section 5.5).
//!
//! Triangles are dealt out to the cells of a grid over their centres, one look at each; then those of each cell to a grid in that cell, and so on, until a cell has less than a limit:
//! these few are sorted by median splits. A grid has 2^k cells a side, which are 3k levels of a binary tree in one pass. The cells of a pass are found by hashing: the bits of the
//! place on three axes are the number of the cell, and a table of counts says where its triangles go.
//!
//! A tree is only an order here, so there are no empty nodes, which the paper warns of. But cells do not end where leaves do. So that no leaf reaches across more than it must, a
//! cell ends at the last full leaf, and the few triangles that are left go to the next cell, which is a neighbour: cells follow each other by a Gray code.

use super::build::{self, Item};
use super::tree::WIDTH;
use crate::memory::{Buffer, MemoryError};

/// k: a grid of 2 cells a side (section 5.5).
const BITS: usize = 1;
const CELLS: usize = 1 << (3 * BITS);
/// The triangles of a mesh may be at one place: then they are sorted otherwise.
const MOST_PASSES: usize = 20;

/// Sorts the triangles of a node whose children hold `child` triangles each. Cells with fewer than `limit` are sorted by median splits. `room` is as long as `items` while it runs.
pub fn sort(
    items: &mut [Item],
    room: &mut Buffer<Item>,
    child: usize,
    limit: usize,
) -> Result<(), MemoryError> {
    room.clear();
    room.reserve_exact(items.len())?;
    for &item in items.iter() {
        room.push(item)?;
    }
    pass(items, room, child, limit.max(2 * WIDTH), MOST_PASSES);
    room.clear();
    room.shrink();
    Ok(())
}

fn pass(items: &mut [Item], room: &mut [Item], child: usize, limit: usize, passes: usize) {
    if items.len() < limit || passes == 0 {
        let mut fitting = child;
        while fitting >= items.len() && fitting > WIDTH {
            fitting /= WIDTH;
        }
        return build::split(items, fitting);
    }
    let (lower, upper) = build::bounds(items);
    let scale: [f32; 3] = std::array::from_fn(|axis| {
        let scale = (1 << BITS) as f32 / (upper[axis] - lower[axis]);
        // One place, or more than floats can tell: all in the first cell.
        if scale.is_finite() { scale } else { 0.0 }
    });
    let cell_of = |item: &Item| {
        let mut code = 0;
        for axis in 0..3 {
            let place = ((item.centre[axis] - lower[axis]) * scale[axis]) as usize;
            code = code << BITS | place.min((1 << BITS) - 1);
        }
        rank(code)
    };
    let mut ends = [0usize; CELLS];
    for item in items.iter() {
        ends[cell_of(item)] += 1;
    }
    if ends.contains(&items.len()) {
        // No plane of the grid tells them apart: a median does.
        return build::split(items, child);
    }
    let mut begin = 0;
    for end in &mut ends {
        (*end, begin) = (begin, begin + *end);
    }
    for item in items.iter() {
        let place = &mut ends[cell_of(item)];
        room[*place] = *item;
        *place += 1;
    }
    items.copy_from_slice(room);
    let mut begin = 0;
    for end in ends {
        let aligned = if end == items.len() { end } else { end / WIDTH * WIDTH };
        if aligned > begin {
            pass(&mut items[begin..aligned], &mut room[begin..aligned], child, limit, passes - 1);
            begin = aligned;
        }
    }
}

/// The place of a cell among all, such that cells in a row have a side in common.
fn rank(code: usize) -> usize {
    // Which number is this Gray code of?
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
    use super::*;
    use crate::memory::Memory;
    use std::collections::BTreeSet;

    #[test]
    fn every_triangle_is_there_once_and_neighbours_are_close() {
        let memory = Memory::new(None).unwrap();
        let mut room = Buffer::new(memory);
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f32 / (1u64 << 24) as f32
        };
        for (count, spread) in
            [(0, 1.0), (1, 1.0), (7, 1.0), (1000, 1.0), (5000, 1.0), (5000, 0.0), (3000, 1e38)]
        {
            let mut items: Vec<Item> =
                (0..count).map(|i| Item::new(std::array::from_fn(|_| next() * spread), i)).collect();
            // many at one place
            for i in 0..items.len() / 3 {
                items[i].centre = [0.25 * spread; 3];
            }
            sort(&mut items, &mut room, 8usize.pow(4), 100).unwrap();
            let numbers: BTreeSet<u32> = items.iter().map(|item| item.triangle).collect();
            assert!(numbers.len() == count as usize && numbers.into_iter().eq(0..count));
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

    #[test]
    fn cells_in_a_row_have_a_side_in_common() {
        let mut codes: Vec<usize> = (0..CELLS).collect();
        codes.sort_by_key(|&code| rank(code));
        assert!(codes.windows(2).all(|pair| (pair[0] ^ pair[1]).count_ones() == 1));
    }
}
