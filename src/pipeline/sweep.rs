//! The broad phase: pairs of objects whose boxes overlap (section 3.1 of the paper), from scratch at each step.
//!
//! Two ways, both cut into units that any worker can do, in any order:
//!
//! - *Brute force*, the paper's: all n (n − 1) / 2 tests, eight at a time.
//! - *Sort and sweep:* space is cut into columns along x. A box is entered in all columns that it is in; in a column the boxes are sorted by where they begin along x, and each is tested
//!   against those that begin before it ends. Two boxes may share several columns: they are told in the one where both their later lower bounds are. Boxes in many columns are
//!   kept apart and tested against all.
//!
//! Which one is a matter of speed only: the pairs are the same, since both apply the same test to the same floats.

use super::boxes::{self, Boxes8, Planes};
use crate::memory::{Buffer, Memory, MemoryError};
use crate::simd::{self, Doubles, Kernel, Level};
use std::ops::Range;

/// Up to so many objects all pairs are tested, eight at a time. Measured with `cargo bench --bench pipeline -- --limit` on one thread: sorting is faster from about 480 boxes on that hardly touch, and from
/// about 700 on in a heap. With more threads the former is divided among them, and most of the latter is not.
pub const BRUTE_FORCE_LIMIT: usize = 512;
/// Rows of boxes of a unit.
const BRUTE_ROWS: usize = 64;
const SWEEP_ROWS: usize = 512;
/// Boxes in more columns than this are tested against all others.
const MANY_COLUMNS: usize = 16;
/// Columns along y and z at most.
const MOST_COLUMNS: usize = 256;

/// How pairs are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Auto,
    BruteForce,
    Sweep,
}

/// Boxes, and an order of them.
pub struct Sweep {
    /// Of all objects, by their number.
    boxes: Buffer<Boxes8>,
    count: usize,
    is_sweep: bool,
    /// Objects by where they begin along x; then room for sorting.
    order: Buffer<[u32; 2]>,
    other_order: Buffer<[u32; 2]>,
    columns: Columns,
    /// Where the entries of a column begin; the last one is their number.
    starts: Buffer<u32>,
    /// By column, and by x in it.
    entries: Buffer<u32>,
    entry_columns: Buffer<u32>,
    sorted: Buffer<Boxes8>,
    large: Buffer<u32>,
}

/// How y and z are divided.
#[derive(Clone, Copy, Default)]
struct Columns {
    lower: [f32; 2],
    per_length: [f32; 2],
    count: [usize; 2],
}

impl Columns {
    /// Monotone, and inside for all floats: that is all that matters.
    fn place(&self, axis: usize, at: f32) -> usize {
        let place = (at - self.lower[axis]) * self.per_length[axis];
        // Casts of floats saturate; NaN becomes 0, and comes only where all is one column.
        (place as usize).min(self.count[axis] - 1)
    }

    fn range(&self, planes: &Planes, axis: usize) -> Range<usize> {
        self.place(axis, planes[axis + 1])..self.place(axis, -planes[axis + 4]) + 1
    }

    fn column(&self, y: usize, z: usize) -> usize {
        y * self.count[1] + z
    }
}

impl Sweep {
    pub fn new(memory: &Memory) -> Sweep {
        Sweep {
            boxes: Buffer::new(memory.clone()),
            count: 0,
            is_sweep: false,
            order: Buffer::new(memory.clone()),
            other_order: Buffer::new(memory.clone()),
            columns: Columns::default(),
            starts: Buffer::new(memory.clone()),
            entries: Buffer::new(memory.clone()),
            entry_columns: Buffer::new(memory.clone()),
            sorted: Buffer::new(memory.clone()),
            large: Buffer::new(memory.clone()),
        }
    }

    /// Makes room for the boxes of so many objects, all of which have to be set.
    pub fn resize(&mut self, count: usize) -> Result<(), MemoryError> {
        self.boxes.resize(0, Boxes8::EMPTY)?;
        self.boxes.resize(count.div_ceil(8), Boxes8::EMPTY)?;
        self.count = count;
        Ok(())
    }

    /// To set boxes in groups of eight.
    pub fn boxes_mut(&mut self) -> &mut [Boxes8] {
        &mut self.boxes
    }

    pub fn box_of(&self, object: usize) -> Planes {
        self.boxes[object / 8].get(object % 8)
    }

    /// The serial part, after all boxes have been set.
    pub fn prepare(&mut self, method: Method) -> Result<(), MemoryError> {
        self.is_sweep = match method {
            Method::Auto => self.count > BRUTE_FORCE_LIMIT,
            Method::BruteForce => false,
            Method::Sweep => true,
        };
        if !self.is_sweep {
            return Ok(());
        }
        self.sort_by_x()?;
        self.choose_columns();
        self.fill_columns()
    }

    pub fn is_sweep(&self) -> bool {
        self.is_sweep
    }

    /// In numbers that compare like the floats (Herf's trick), eleven bits at a time.
    fn sort_by_x(&mut self) -> Result<(), MemoryError> {
        self.order.clear();
        self.order.reserve_exact(self.count)?;
        for object in 0..self.count {
            let bits = self.boxes[object / 8].planes[0][object % 8].to_bits();
            let key = if bits >> 31 != 0 { !bits } else { bits | 1 << 31 };
            self.order.push([key, object as u32])?;
        }
        self.other_order.resize(self.count, [0; 2])?;
        for pass in 0..3 {
            let shift = 11 * pass;
            let mut starts = [0u32; 2048];
            for [key, _] in self.order.iter() {
                starts[(key >> shift) as usize & 2047] += 1;
            }
            let mut sum = 0;
            for start in &mut starts {
                (*start, sum) = (sum, sum + *start);
            }
            for item in self.order.iter() {
                let place = &mut starts[(item[0] >> shift) as usize & 2047];
                self.other_order[*place as usize] = *item;
                *place += 1;
            }
            std::mem::swap(&mut self.order, &mut self.other_order);
        }
        Ok(())
    }

    /// Columns about three times as wide as the average box, so that most boxes are in few of them, and some sixteen boxes to each.
    fn choose_columns(&mut self) {
        let mut columns = Columns { count: [1; 2], ..Columns::default() };
        let most = (self.count / 16).clamp(1, MOST_COLUMNS * MOST_COLUMNS);
        for axis in 0..2 {
            let (mut lower, mut upper, mut extents, mut count) = (f32::MAX, f32::MIN, 0.0f64, 0u32);
            for object in 0..self.count {
                let planes = &self.boxes[object / 8].planes;
                let (least, greatest) = (planes[axis + 1][object % 8], -planes[axis + 4][object % 8]);
                (lower, upper) = (lower.min(least), upper.max(least));
                // A few large ones do not make all columns wide.
                extents += f64::from(greatest - least).min(f64::from(upper - lower) / 16.0 + 1e-30);
                count += 1;
            }
            let whole = f64::from(upper) - f64::from(lower);
            let wanted = whole / (3.0 * extents / f64::from(count.max(1)));
            if count > 0 && whole.is_finite() && wanted.is_finite() && wanted >= 2.0 {
                let limit = (most as f64).sqrt().max(1.0);
                let number = wanted.min(limit).min(MOST_COLUMNS as f64) as usize;
                let per_length = (number as f64 / whole) as f32;
                if per_length.is_finite() && number > 1 {
                    (columns.lower[axis], columns.per_length[axis], columns.count[axis]) =
                        (lower, per_length, number);
                }
            }
        }
        self.columns = columns;
    }

    fn fill_columns(&mut self) -> Result<(), MemoryError> {
        let columns = self.columns;
        let column_count = columns.count[0] * columns.count[1];
        self.starts.resize(0, 0)?;
        self.starts.resize(column_count + 1, 0)?;
        self.large.clear();
        let mut entry_count = 0u32;
        for &[_, object] in self.order.iter() {
            let planes = self.boxes[object as usize / 8].get(object as usize % 8);
            let (ys, zs) = (columns.range(&planes, 0), columns.range(&planes, 1));
            if ys.len() * zs.len() > MANY_COLUMNS {
                self.large.push(object)?;
                continue;
            }
            for y in ys {
                for z in zs.clone() {
                    self.starts[columns.column(y, z)] += 1;
                    entry_count += 1;
                }
            }
        }
        let mut sum = 0;
        for start in self.starts.iter_mut() {
            (*start, sum) = (sum, sum + *start);
        }
        let count = entry_count as usize;
        self.entries.resize(count, 0)?;
        self.entry_columns.resize(count, 0)?;
        self.sorted.resize(0, Boxes8::EMPTY)?;
        self.sorted.resize(count.div_ceil(8), Boxes8::EMPTY)?;
        for &[_, object] in self.order.iter() {
            let planes = self.boxes[object as usize / 8].get(object as usize % 8);
            let (ys, zs) = (columns.range(&planes, 0), columns.range(&planes, 1));
            if ys.len() * zs.len() > MANY_COLUMNS {
                continue;
            }
            for y in ys {
                for z in zs.clone() {
                    let column = columns.column(y, z);
                    let place = self.starts[column] as usize;
                    self.starts[column] += 1;
                    self.entries[place] = object;
                    self.entry_columns[place] = column as u32;
                    self.sorted[place / 8].set(place % 8, &planes);
                }
            }
        }
        // Each start has moved to the next one's.
        self.starts.rotate_right(1);
        self.starts[0] = 0;
        Ok(())
    }

    /// Units of work.
    pub fn unit_count(&self) -> usize {
        if self.is_sweep {
            self.large.len() + self.entries.len().div_ceil(SWEEP_ROWS)
        } else {
            self.count.div_ceil(BRUTE_ROWS)
        }
    }

    /// Finds the pairs of a unit: each pair of all units once, the smaller number first.
    pub fn run(&self, level: Level, unit: usize, found: &mut dyn FnMut(u32, u32)) {
        simd::dispatch(level, Unit { sweep: self, unit, found });
    }
}

struct Unit<'a> {
    sweep: &'a Sweep,
    unit: usize,
    found: &'a mut dyn FnMut(u32, u32),
}

impl Kernel for Unit<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Doubles>(self) {
        let Unit { sweep, unit, found } = self;
        if !sweep.is_sweep {
            let first = unit * BRUTE_ROWS;
            for row in first..sweep.count.min(first + BRUTE_ROWS) {
                against_all::<V>(sweep, row, row + 1, &mut |other| found(row as u32, other));
            }
        } else if let Some(&object) = sweep.large.get(unit) {
            against_all::<V>(sweep, object as usize, 0, &mut |other| {
                // Two large ones find each other twice.
                if other != object && (other > object || !sweep.large.contains(&other)) {
                    found(object.min(other), object.max(other));
                }
            });
        } else {
            let first = (unit - sweep.large.len()) * SWEEP_ROWS;
            for row in first..sweep.entries.len().min(first + SWEEP_ROWS) {
                sweep_row::<V>(sweep, row, found);
            }
        }
    }
}

/// One box against those from `first` on.
#[inline(always)]
fn against_all<V: Doubles>(sweep: &Sweep, row: usize, first: usize, found: &mut dyn FnMut(u32)) {
    let one = boxes::broadcast::<V::Floats>(&sweep.box_of(row));
    for (group, boxes) in (first / 8..).zip(&sweep.boxes[(first / 8).min(sweep.boxes.len())..]) {
        let mut hits = boxes::meets(&one, boxes);
        if group == first / 8 {
            hits &= !0 << (first % 8);
        }
        if sweep.count < group * 8 + 8 {
            hits &= (1 << (sweep.count - group * 8)) - 1;
        }
        while hits != 0 {
            found(group as u32 * 8 + hits.trailing_zeros());
            hits &= hits - 1;
        }
    }
}

/// One entry of a column against those behind it.
#[inline(always)]
fn sweep_row<V: Doubles>(sweep: &Sweep, row: usize, found: &mut dyn FnMut(u32, u32)) {
    let planes = sweep.sorted[row / 8].get(row % 8);
    let column = sweep.entry_columns[row] as usize;
    let end = sweep.starts[column + 1] as usize;
    let one = boxes::broadcast::<V::Floats>(&planes);
    let object = sweep.entries[row];
    let first = row + 1;
    for group in first / 8..end.div_ceil(8) {
        let boxes = &sweep.sorted[group];
        // The first of the group begins behind the end of this one, and the others later still.
        if group > first / 8 && boxes.planes[0][0] + planes[3] > 0.0 {
            break;
        }
        let mut hits = boxes::meets(&one, boxes);
        if group == first / 8 {
            hits &= !0 << (first % 8);
        }
        if end < group * 8 + 8 {
            hits &= (1 << (end - group * 8)) - 1;
        }
        while hits != 0 {
            let lane = hits.trailing_zeros() as usize;
            hits &= hits - 1;
            let later = |axis: usize| planes[axis].max(boxes.planes[axis][lane]);
            let (y, z) = (sweep.columns.place(0, later(1)), sweep.columns.place(1, later(2)));
            if sweep.columns.column(y, z) == column {
                let other = sweep.entries[group * 8 + lane];
                found(object.min(other), object.max(other));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*state >> 11) as f64 / (1u64 << 53) as f64
    }

    fn pairs(sweep: &Sweep, level: Level) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for unit in 0..sweep.unit_count() {
            sweep.run(level, unit, &mut |a, b| pairs.push((a, b)));
        }
        pairs.sort_unstable();
        pairs
    }

    /// Clouds of boxes, dense and sparse, with large ones, flat ones, empty ones, equal ones and some at infinity.
    #[test]
    fn all_methods_find_what_two_loops_find() {
        let memory = Memory::new(None).unwrap();
        let mut sweep = Sweep::new(&memory);
        let mut state = 1;
        let mut total = 0;
        for case in 0..60 {
            let size = [0.01, 0.3, 5.0][case / 9 % 3];
            let boxes: Vec<Planes> = (0..[0, 1, 2, 7, 8, 9, 100, 700, 2000][case % 9])
                .map(|i| {
                    let centre = [0, 1, 2].map(|_| random(&mut state) * 10.0);
                    let half = [0, 1, 2].map(|_| random(&mut state) * size);
                    let mut corners =
                        [[0, 1, 2].map(|k| centre[k] - half[k]), [0, 1, 2].map(|k| centre[k] + half[k])];
                    match i % 41 {
                        3 => corners = [[-1e9, 2.0, -1e9], [1e9, 2.0, 1e9]],
                        5 => corners = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]],
                        7 => corners = [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]],
                        11 if case % 4 == 0 => corners = [[-1e300; 3], [1e300; 3]],
                        _ => (),
                    }
                    corners
                })
                .filter_map(boxes::planes)
                .collect();
            let count = boxes.len();
            let mut expected = Vec::new();
            for a in 0..count {
                for b in a + 1..count {
                    if boxes::meet(&boxes[a], &boxes[b]) {
                        expected.push((a as u32, b as u32));
                    }
                }
            }
            total += expected.len();
            for method in [Method::Auto, Method::BruteForce, Method::Sweep] {
                sweep.resize(count).unwrap();
                for (i, planes) in boxes.iter().enumerate() {
                    sweep.boxes_mut()[i / 8].set(i % 8, planes);
                }
                sweep.prepare(method).unwrap();
                for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
                    assert!(pairs(&sweep, level) == expected, "case {case}, {method:?}, {level:?}");
                }
            }
        }
        assert!(total > 10_000);
    }
}
