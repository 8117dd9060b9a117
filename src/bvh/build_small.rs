//! Median splits of few triangles, which are most of all splits: every tree ends in them, and bodies that have just broken have no others.
//!
//! Selecting a median by comparing takes a branch for each comparison, and nobody can predict where it goes. Here places are made integers, all different; triangles are dealt out by counting how
//! many have which integer, or for very few, how many have a smaller one. There are no branches that depend on places.

use super::build::{self, Item};
use super::tree::WIDTH;

/// Triangles that are few: as many as are below a node of the third level.
pub const FEW: usize = WIDTH * WIDTH * WIDTH;

/// Bits of the number of a triangle among the few.
const NUMBER_BITS: u32 = FEW.ilog2();
const NUMBER: u32 = FEW as u32 - 1;
const _: () = assert!(FEW.is_power_of_two());

/// Bits of a place between the least and the greatest one. With the number behind them they are a positive `i32`: signed integers are what all processors compare many of at once.
const PLACE_BITS: u32 = 31 - NUMBER_BITS;

/// The highest bits of a key say in which bucket it is.
const BUCKET_BITS: u32 = 6;
const BUCKETS: usize = 1 << BUCKET_BITS;

/// Fewer are put in order by comparing each with each.
const VERY_FEW: usize = 32;

/// What sorting takes. To be made once for many times.
pub struct Room {
    keys: [i32; FEW],
    dealt: [i32; FEW],
    items: [Item; FEW],
}

impl Room {
    pub fn new() -> Room {
        Room { keys: [0; FEW], dealt: [0; FEW], items: [Item::new([0.0; 3], 0); FEW] }
    }

    /// Sorts the triangles of a node whose children hold `child` triangles each, or of some children of it in a row.
    pub fn split(&mut self, items: &mut [Item], mut child: usize) {
        if items.len() <= WIDTH {
            return;
        }
        while child >= items.len() {
            child /= WIDTH;
        }
        let middle = build::middle(items.len(), child);
        self.part(items, middle);
        let (left, right) = items.split_at_mut(middle);
        self.split(left, child);
        self.split(right, child);
    }

    /// Puts the first `middle` of all along their widest axis before the others.
    fn part(&mut self, items: &mut [Item], middle: usize) {
        let count = items.len();
        self.find_keys(items);
        if count <= VERY_FEW {
            let keys = &self.keys[..count];
            for (&key, &item) in keys.iter().zip(&*items) {
                let before: i32 = keys.iter().map(|&other| i32::from(other < key)).sum();
                self.items[before as usize] = item;
            }
        } else {
            self.deal(count, middle);
            for (item, key) in self.items.iter_mut().zip(&self.dealt[..count]) {
                *item = items[(*key as u32 & NUMBER) as usize];
            }
        }
        items.copy_from_slice(&self.items[..count]);
    }

    /// The place of each triangle as an integer, and its number, so that no two are equal.
    fn find_keys(&mut self, items: &[Item]) {
        let (lower, upper) = build::bounds(items);
        let axis = build::widest(&lower, &upper);
        let scale = (1 << PLACE_BITS) as f32 / (upper[axis] - lower[axis]);
        // One place, or more than floats can tell: only numbers tell them apart.
        let scale = if scale.is_finite() { scale } else { 0.0 };
        for (number, (key, item)) in self.keys.iter_mut().zip(items).enumerate() {
            // Rounded, the greatest place may come out a little too far.
            let place = ((item.centre[axis] - lower[axis]) * scale) as i32;
            *key = place.clamp(0, (1 << PLACE_BITS) - 1) << NUMBER_BITS | number as i32;
        }
    }

    /// Deals all keys out to buckets, and those of the bucket that the middle is in to both of its sides.
    fn deal(&mut self, count: usize, middle: usize) {
        let bucket = |key: i32| (key >> (PLACE_BITS + NUMBER_BITS - BUCKET_BITS)) as usize;
        let mut ends = [0u16; BUCKETS];
        for &key in &self.keys[..count] {
            ends[bucket(key)] += 1;
        }
        let (mut begin, mut of_middle) = (0u16, 0..0);
        for end in &mut ends {
            let next = begin + *end;
            if (begin as usize) < middle {
                of_middle = begin as usize..next as usize;
            }
            (*end, begin) = (begin, next);
        }
        for &key in &self.keys[..count] {
            let place = &mut ends[bucket(key)];
            self.dealt[*place as usize] = key;
            *place += 1;
        }
        let last_of_left = middle - 1 - of_middle.start;
        self.dealt[of_middle].select_nth_unstable(last_of_left);
    }
}
