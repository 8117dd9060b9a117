//! The broad phase: pairs of objects whose boxes overlap (section 3.1 of the paper), from scratch at each step.
//!
//! Two ways, both cut into units that any worker can do, in any order:
//!
//! - *Brute force*, the paper's: all n (n − 1) / 2 tests, eight at a time.
//! - *Sort and sweep:* space is cut into columns along x. A box is entered in all columns that it is in; in a column the boxes are sorted by where they begin along x, and each is tested
//!   against those that begin before it ends. Two boxes may share several columns: they are told in the one where both their later lower bounds are. Boxes in many columns are
//!   kept apart and tested against all. Sorting a column is a part of its unit; only very long ones are sorted before, so that several units can share them.
//!
//! Which one is a matter of speed only: the pairs are the same, since both apply the same test to the same floats.

use super::boxes::{self, Boxes8, Planes};
use super::columns::Columns;
use super::entries::{Entries, Entry, Marked};
use crate::memory::{Buffer, Memory, MemoryError};
use crate::schedule::Crew;
use crate::simd::{self, Doubles, Kernel, Level};
use std::ops::Range;

/// Up to so many objects all pairs are tested, eight at a time. Measured with `cargo bench --bench pipeline -- --limit` on one thread: sorting is faster from about 256 boxes on that hardly touch, and from
/// about 400 on in a heap.
pub const BRUTE_FORCE_LIMIT: usize = 256;
/// Rows of boxes of a unit.
const BRUTE_ROWS: usize = 64;
const SWEEP_ROWS: usize = 256;
/// Longer columns are sorted before the units are done.
const LONG_COLUMN: usize = 512;

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
    /// Bit i of a group: its object i is marked by who sets the boxes. Pairs are told with whether both are.
    marks: Buffer<u8>,
    count: usize,
    is_sweep: bool,
    entries: Entries,
    spans: Buffer<Span>,
    /// The boxes of long columns, sorted, each column from a new group on.
    long: Buffer<Boxes8>,
}

/// What a unit of the sorted broad phase is about.
#[derive(Clone, Copy)]
enum Span {
    /// Whole columns: so many entries from the first on.
    Columns { first: u32, end: u32 },
    /// Rows of a long column, whose entries are sorted, and whose boxes begin with a group of `long`.
    Rows { column: u32, rows: [u32; 2], group: u32 },
}

impl Sweep {
    pub fn new(memory: &Memory) -> Sweep {
        Sweep {
            boxes: Buffer::new(memory.clone()),
            marks: Buffer::new(memory.clone()),
            count: 0,
            is_sweep: false,
            entries: Entries::new(memory),
            spans: Buffer::new(memory.clone()),
            long: Buffer::new(memory.clone()),
        }
    }

    /// Makes room for the boxes of so many objects, all of which have to be set.
    pub fn resize(&mut self, count: usize) -> Result<(), MemoryError> {
        self.boxes.resize(count.div_ceil(8), Boxes8::EMPTY)?;
        self.marks.resize(count.div_ceil(8), 0)?;
        self.count = count;
        Ok(())
    }

    /// To set boxes and marks in groups of eight.
    pub fn boxes_mut(&mut self) -> (&mut [Boxes8], &mut [u8]) {
        (&mut self.boxes, &mut self.marks)
    }

    fn is_marked(&self, object: u32) -> bool {
        self.marks[object as usize / 8] >> (object % 8) & 1 != 0
    }

    pub fn box_of(&self, object: usize) -> Planes {
        self.boxes[object / 8].get(object % 8)
    }

    /// What comes before the units, after all boxes have been set.
    pub fn prepare(&mut self, crew: &Crew, level: Level, method: Method) -> Result<(), MemoryError> {
        self.is_sweep = match method {
            Method::Auto => self.count > BRUTE_FORCE_LIMIT,
            Method::BruteForce => false,
            Method::Sweep => true,
        };
        if !self.is_sweep {
            return Ok(());
        }
        self.entries.distribute(crew, level, &self.boxes, &self.marks, self.count)?;
        self.cut()
    }

    pub fn is_sweep(&self) -> bool {
        self.is_sweep
    }

    /// Cuts the columns into units, and sorts the long ones.
    fn cut(&mut self) -> Result<(), MemoryError> {
        self.spans.clear();
        self.long.clear();
        let mut first = 0;
        for column in 0..self.entries.columns.len() {
            let Range { start, end } = self.entries.of(column);
            if end - start > LONG_COLUMN {
                if start > first {
                    self.spans.push(Span::Columns { first: first as u32, end: start as u32 })?;
                }
                self.cut_long(column)?;
                first = end;
            } else if end - first >= SWEEP_ROWS {
                self.spans.push(Span::Columns { first: first as u32, end: end as u32 })?;
                first = end;
            }
        }
        let end = self.entries.all().len() - self.entries.large().len();
        if end > first {
            self.spans.push(Span::Columns { first: first as u32, end: end as u32 })?;
        }
        Ok(())
    }

    fn cut_long(&mut self, column: usize) -> Result<(), MemoryError> {
        let entries = self.entries.of_mut(column);
        entries.sort_unstable_by_key(|entry| sorting_key(entry.planes[0]));
        let group = self.long.len();
        self.long.resize(group + entries.len().div_ceil(8), Boxes8::EMPTY)?;
        for (row, entry) in entries.iter().enumerate() {
            self.long[group + row / 8].set(row % 8, &entry.planes);
        }
        for first in (0..entries.len()).step_by(SWEEP_ROWS) {
            let rows = [first as u32, entries.len().min(first + SWEEP_ROWS) as u32];
            self.spans.push(Span::Rows { column: column as u32, rows, group: group as u32 })?;
        }
        Ok(())
    }

    /// Units of work.
    pub fn unit_count(&self) -> usize {
        if self.is_sweep {
            self.entries.large().len() + self.spans.len()
        } else {
            self.count.div_ceil(BRUTE_ROWS)
        }
    }

    /// Finds the pairs of a unit: each pair of all units once, the smaller number first; and whether both are marked.
    pub fn run(&self, level: Level, unit: usize, found: &mut dyn FnMut(u32, u32, bool)) {
        simd::dispatch(level, Unit { sweep: self, unit, found });
    }
}

/// In numbers that compare like the floats (Herf's trick).
fn sorting_key(x: f32) -> u32 {
    let bits = x.to_bits();
    if bits >> 31 != 0 { !bits } else { bits | 1 << 31 }
}

struct Unit<'a> {
    sweep: &'a Sweep,
    unit: usize,
    found: &'a mut dyn FnMut(u32, u32, bool),
}

impl Kernel for Unit<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Doubles>(self) {
        let Unit { sweep, unit, found } = self;
        if !sweep.is_sweep {
            let first = unit * BRUTE_ROWS;
            for row in first..sweep.count.min(first + BRUTE_ROWS) {
                let is_marked = sweep.is_marked(row as u32);
                against_all::<V>(sweep, row, row + 1, &mut |other| {
                    found(row as u32, other, is_marked && sweep.is_marked(other));
                });
            }
            return;
        }
        let large = sweep.entries.large();
        if let Some(entry) = large.get(unit) {
            let object = entry.object.number();
            against_all::<V>(sweep, object as usize, 0, &mut |other| {
                // Two large ones find each other twice.
                if other != object
                    && (other > object || !large.iter().any(|entry| entry.object.number() == other))
                {
                    let are_marked = entry.object.is_marked() && sweep.is_marked(other);
                    found(object.min(other), object.max(other), are_marked);
                }
            });
            return;
        }
        let columns = &sweep.entries.columns;
        let entries = sweep.entries.all();
        match sweep.spans[unit - large.len()] {
            Span::Columns { first, end } => {
                let mut sorted = SortedColumn::EMPTY;
                let mut rest = &entries[first as usize..end as usize];
                while let Some(entry) = rest.first() {
                    let column = entry.column;
                    let len = rest.iter().position(|entry| entry.column != column).unwrap_or(rest.len());
                    let (here, behind) = rest.split_at(len);
                    sorted.sort(here);
                    let rows = Rows { columns, column, boxes: &sorted.boxes, len };
                    rows.sweep::<V>(0..len, &|row| sorted.objects[row], found);
                    rest = behind;
                }
            }
            Span::Rows { column, rows: [first, end], group } => {
                let of_column = &entries[sweep.entries.of(column as usize)];
                let boxes = &sweep.long[group as usize..];
                let rows = Rows { columns, column, boxes, len: of_column.len() };
                rows.sweep::<V>(first as usize..end as usize, &|row| of_column[row].object, found);
            }
        }
    }
}

/// A column that is not long, by x.
struct SortedColumn {
    keys: [u64; LONG_COLUMN],
    boxes: [Boxes8; LONG_COLUMN / 8],
    objects: [Marked; LONG_COLUMN],
}

impl SortedColumn {
    const EMPTY: SortedColumn = SortedColumn {
        keys: [0; LONG_COLUMN],
        boxes: [Boxes8::EMPTY; LONG_COLUMN / 8],
        objects: [Marked::NONE; LONG_COLUMN],
    };

    fn sort(&mut self, entries: &[Entry]) {
        let keys = &mut self.keys[..entries.len()];
        for (row, (key, entry)) in keys.iter_mut().zip(entries).enumerate() {
            *key = u64::from(sorting_key(entry.planes[0])) << 32 | row as u64;
        }
        keys.sort_unstable();
        for (row, key) in keys.iter().enumerate() {
            let entry = &entries[*key as u32 as usize];
            self.boxes[row / 8].set(row % 8, &entry.planes);
            self.objects[row] = entry.object;
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

/// A column by x.
struct Rows<'a> {
    columns: &'a Columns,
    column: u32,
    boxes: &'a [Boxes8],
    len: usize,
}

impl Rows<'_> {
    /// Some boxes of a column against those behind them.
    #[inline(always)]
    fn sweep<V: Doubles>(
        &self,
        rows: Range<usize>,
        object: &impl Fn(usize) -> Marked,
        found: &mut dyn FnMut(u32, u32, bool),
    ) {
        let end = self.len;
        for row in rows {
            let planes = self.boxes[row / 8].get(row % 8);
            let one = boxes::broadcast::<V::Floats>(&planes);
            let first = row + 1;
            for group in first / 8..end.div_ceil(8) {
                let boxes = &self.boxes[group];
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
                    let (y, z) = (planes[1].max(boxes.planes[1][lane]), planes[2].max(boxes.planes[2][lane]));
                    if self.columns.at(y, z) == self.column as usize {
                        let (own, other) = (object(row), object(group * 8 + lane));
                        let (first, second) = (own.number(), other.number());
                        found(first.min(second), first.max(second), own.is_marked() && other.is_marked());
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::Pool;

    fn random(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*state >> 11) as f64 / (1u64 << 53) as f64
    }

    fn pairs(sweep: &Sweep, level: Level) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for unit in 0..sweep.unit_count() {
            sweep.run(level, unit, &mut |a, b, are_marked| {
                assert_eq!(are_marked, a % 3 == 0 && b % 3 == 0);
                pairs.push((a, b));
            });
        }
        pairs.sort_unstable();
        pairs
    }

    /// Clouds of boxes, dense and sparse, with large ones, flat ones, empty ones, equal ones and some at infinity.
    #[test]
    fn all_methods_find_what_two_loops_find() {
        let memory = Memory::new(None).unwrap();
        let mut sweep = Sweep::new(&memory);
        let crew = Crew::Pool(Pool::new(std::num::NonZeroUsize::new(3).unwrap()).unwrap());
        let mut state = 1;
        let mut total = 0;
        for case in 0..60 {
            let size = [0.01, 0.3, 5.0][case / 10 % 3];
            let boxes: Vec<Planes> =
                (0..[0, 1, 2, 7, 8, 9, 100, 700, 2000, if size < 1.0 { 5000 } else { 10 }][case % 10])
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
                    let (boxes, marks) = sweep.boxes_mut();
                    boxes[i / 8].set(i % 8, planes);
                    marks[i / 8] = marks[i / 8] & !(1 << (i % 8)) | u8::from(i % 3 == 0) << (i % 8);
                }
                sweep.prepare(&crew, Level::best(), method).unwrap();
                for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
                    assert!(pairs(&sweep, level) == expected, "case {case}, {method:?}, {level:?}");
                }
            }
        }
        assert!(total > 10_000);
    }
}
