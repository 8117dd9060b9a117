//! The hierarchical hashed grid (kDet paper, sections 4.1 and 5.1): which triangles are in a cell.
//!
//! One table for all levels. Its buckets are ranges of one array of entries: all are counted first, then everybody knows where its own go. So nothing is linked and nothing overflows, and
//! what is in a bucket is in a row. Both passes are done by all workers at once, without a lock: counting and taking a place are single atomic additions.
//!
//! Cells with the same hash are in the same bucket. Who reads it compares cells.

use super::cells::{self, Hashing, LEVELS, Row};
use super::soup::View;
use crate::memory::{Buffer, Memory, MemoryError};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

/// A triangle in a cell: which triangle, which cell of its block, and in which of the cells around this one it is as well.
#[derive(Clone, Copy, Debug)]
pub struct Entry(u64);

impl Entry {
    #[inline(always)]
    fn new(triangle: u32, own: u32, cells: u32) -> Entry {
        Entry((triangle as u64) << 32 | (own as u64) << 27 | cells::around(own, cells) as u64)
    }

    #[inline(always)]
    pub fn triangle(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Bits as of [`cells::around`].
    #[inline(always)]
    pub fn around(self) -> u32 {
        self.0 as u32 & ((1 << 27) - 1)
    }

    /// The cell, given the one in which the triangle's block begins.
    #[inline(always)]
    pub fn cell(self, [x, y, z]: [i32; 3]) -> [i32; 3] {
        let own = (self.0 >> 27) as i32;
        [x + (own & 1), y + (own >> 1 & 1), z + (own >> 2 & 1)]
    }
}

pub struct Grid {
    rows: Buffer<Row>,
    /// How many entries buckets have; then where the next entry of each goes, from the last on; then where they begin, and at last the number of all.
    places: Buffer<u32>,
    entries: Buffer<Entry>,
    hashing: Hashing,
    mask: u32,
    /// Whether several workers populate it.
    is_shared: bool,
    /// Triangles by level.
    pub levels: [u32; LEVELS],
}

impl Grid {
    pub fn new(memory: &Memory) -> Grid {
        Grid {
            rows: Buffer::new(memory.clone()),
            places: Buffer::new(memory.clone()),
            entries: Buffer::new(memory.clone()),
            hashing: Hashing::Morton,
            mask: 0,
            is_shared: false,
            levels: [0; LEVELS],
        }
    }

    /// Begins anew.
    pub fn start(
        &mut self,
        triangle_count: usize,
        hashing: Hashing,
        is_shared: bool,
    ) -> Result<(), MemoryError> {
        self.hashing = hashing;
        self.is_shared = is_shared;
        self.levels = [0; LEVELS];
        if self.rows.len() < triangle_count {
            self.rows.resize(triangle_count, Row::EMPTY)?;
        }
        // About as many buckets as triangles: there are a few triangles in a cell, and few cells in a bucket.
        let buckets = triangle_count.next_power_of_two().clamp(64, 1 << 26);
        self.mask = buckets as u32 - 1;
        self.places.resize(buckets + 1, 0)?;
        self.places.fill(0);
        Ok(())
    }

    #[inline(always)]
    fn bucket(&self, level: u32, cell: [i32; 3]) -> usize {
        (self.hashing.hash(level, cell) & self.mask) as usize
    }

    #[inline(always)]
    fn add(&self, bucket: usize, by: u32) -> u32 {
        debug_assert!(bucket < self.places.len());
        // SAFETY: buckets are less than there are places; while the grid is populated they are reached through here only.
        let place = unsafe { AtomicU32::from_ptr(self.places.start().add(bucket)) };
        if self.is_shared {
            return place.fetch_add(by, Ordering::Relaxed);
        }
        let before = place.load(Ordering::Relaxed);
        place.store(before.wrapping_add(by), Ordering::Relaxed);
        before
    }

    /// Finds the cells of some triangles and counts them. Adds to the triangles by level.
    ///
    /// # Safety
    ///
    /// Nobody else counts these triangles.
    pub unsafe fn count(&self, view: &View<'_>, triangles: Range<u32>, levels: &mut [u32; LEVELS]) {
        for triangle in triangles {
            let row = Row::new(view, triangle);
            debug_assert!((triangle as usize) < self.rows.len());
            // SAFETY: there is a row for every triangle, and this one is the caller's.
            unsafe { self.rows.start().add(triangle as usize).write(row) };
            levels[row.level as usize] += 1;
            let lower = row.lower_cell();
            let mut cells = row.cells;
            while cells != 0 {
                let own = cells.trailing_zeros();
                cells &= cells - 1;
                self.add(self.bucket(row.level, in_block(lower, own)), 1);
            }
        }
    }

    /// When all is counted: the sum of the squares of the numbers of triangles in a bucket, which is about how many boxes will be compared.
    pub fn comparisons(&self) -> u64 {
        self.places.iter().map(|&count| count as u64 * count as u64).sum()
    }

    /// Between counting and filling: where everything goes. Returns the number of entries.
    pub fn place(&mut self) -> Result<usize, MemoryError> {
        let mut total = 0u64;
        for place in self.places.iter_mut() {
            total += *place as u64;
            *place = total as u32;
        }
        let count = u32::try_from(total).map_err(|_| MemoryError::TooLarge)? as usize;
        if self.entries.len() < count {
            self.entries.resize(count, Entry(0))?;
        }
        Ok(count)
    }

    /// Puts some triangles into their cells.
    ///
    /// # Safety
    ///
    /// As for [`count`](Grid::count), once each, after [`place`](Grid::place).
    pub unsafe fn fill(&self, triangles: Range<u32>) {
        for triangle in triangles {
            let row = self.rows[triangle as usize];
            let lower = row.lower_cell();
            let mut cells = row.cells;
            while cells != 0 {
                let own = cells.trailing_zeros();
                cells &= cells - 1;
                let bucket = self.bucket(row.level, in_block(lower, own));
                let place = self.add(bucket, u32::MAX).wrapping_sub(1) as usize;
                debug_assert!(place < self.entries.len());
                // SAFETY: as many places as were counted, and this one is taken by nobody else.
                unsafe { self.entries.start().add(place).write(Entry::new(triangle, own, row.cells)) };
            }
        }
    }

    pub fn bucket_count(&self) -> usize {
        self.mask as usize + 1
    }

    /// What is in a bucket.
    #[inline(always)]
    pub fn entries(&self, bucket: usize) -> &[Entry] {
        &self.entries[self.places[bucket] as usize..self.places[bucket + 1] as usize]
    }

    /// What is in the bucket of a cell.
    #[inline(always)]
    pub fn entries_of(&self, level: u32, cell: [i32; 3]) -> &[Entry] {
        self.entries(self.bucket(level, cell))
    }

    #[inline(always)]
    pub fn row(&self, triangle: u32) -> &Row {
        &self.rows[triangle as usize]
    }

    /// The levels that have triangles: the lowest and the one above the highest.
    pub fn used_levels(&self) -> Range<u32> {
        let used = |level: &usize| self.levels[*level] > 0;
        let lowest = (0..LEVELS).find(used).unwrap_or(0) as u32;
        let end = (0..LEVELS).rev().find(used).map_or(0, |highest| highest + 1) as u32;
        lowest..end.max(lowest)
    }

    pub fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Row>()
            + self.places.capacity() * size_of::<u32>()
            + self.entries.capacity() * size_of::<Entry>()
    }
}

#[inline(always)]
fn in_block([x, y, z]: [i32; 3], own: u32) -> [i32; 3] {
    let own = own as i32;
    [x + (own & 1), y + (own >> 1 & 1), z + (own >> 2)]
}
