//! Queries of the grid (kDet paper, sections 4.2 and 4.3): every triangle against the larger ones, up the levels.
//!
//! Not triangle by triangle but cell by cell: all triangles of a cell are compared with each other, and with those of the cells above, which are looked up once for all of them. Two triangles can
//! be in several cells together. They are compared in the first one, as the bits tell in which cells around this one they are as well ([`cells::around`]).

use super::cells::{self, BEFORE, LEVELS};
use super::decide::Decisions;
use super::grid::{Entry, Grid};
use super::soup::View;
use crate::memory::{Buffer, Memory, MemoryError};
use crate::simd::{Doubles, Floats8, Kernel};
use std::ops::Range;

/// Eight triangles of a cell: boxes relative to the cell, as lower bounds and negated upper bounds.
///
/// Coordinates are rounded to the nearest float, all alike: what is not below stays not below, so boxes that overlap still do. A sum of two floats has the right sign.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub struct Group {
    planes: [[f32; 8]; 6],
    around: [u32; 8],
    triangles: [u32; 8],
}

impl Group {
    /// Overlaps nothing.
    const EMPTY: Group = Group { planes: [[f32::MAX; 8]; 6], around: [0; 8], triangles: [0; 8] };

    /// Bit i: box i overlaps the one in all lanes, and the two are in none of the cells `before` together.
    #[inline(always)]
    fn meets<F: Floats8>(&self, one: &[F; 6], before: u32) -> u32 {
        let mut gaps = [F::splat(0.0); 6];
        for (i, gap) in gaps.iter_mut().enumerate() {
            *gap = one[i].add(F::load(&self.planes[(i + 3) % 6]));
        }
        let [a, b, c, d, e, f] = gaps;
        let apart = a.max(b).max(c.max(d)).max(e.max(f)).greater(F::splat(0.0));
        let mut together = self.around;
        for around in &mut together {
            *around &= before;
        }
        !apart & F::equal(&together, 0)
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, planes: [f32; 6], entry: Entry) {
        for (plane, value) in self.planes.iter_mut().zip(planes) {
            plane[lane] = value;
        }
        self.around[lane] = entry.around();
        self.triangles[lane] = entry.triangle();
    }

    #[inline(always)]
    fn broadcast<F: Floats8>(&self, lane: usize) -> [F; 6] {
        let mut one = [F::splat(0.0); 6];
        for (lanes, plane) in one.iter_mut().zip(&self.planes) {
            *lanes = F::splat(plane[lane]);
        }
        one
    }
}

/// The triangles of a cell above the ones that are visited, which mostly is the same as before.
struct Above {
    cell: Option<[i32; 3]>,
    groups: Buffer<Group>,
}

/// What a worker needs.
pub struct Room {
    groups: Buffer<Group>,
    /// By level.
    above: [Above; LEVELS],
    /// Entries of the bucket in work with their cells: level, cell, number among the entries.
    mixed: Buffer<(u32, [i32; 3], u32)>,
}

impl Room {
    pub fn new(memory: &Memory) -> Room {
        Room {
            groups: Buffer::new(memory.clone()),
            above: std::array::from_fn(|_| Above { cell: None, groups: Buffer::new(memory.clone()) }),
            mixed: Buffer::new(memory.clone()),
        }
    }

    /// Forgets what was before.
    pub fn start(&mut self) {
        for above in &mut self.above {
            above.cell = None;
        }
    }

    /// Makes this one and another as large as the larger of both.
    pub fn even_out(&mut self, other: &mut Room) -> Result<(), MemoryError> {
        self.groups.even_out(&mut other.groups)?;
        self.mixed.even_out(&mut other.mixed)?;
        let mut levels = self.above.iter_mut().zip(&mut other.above);
        levels.try_for_each(|(own, other)| own.groups.even_out(&mut other.groups))
    }
}

/// Some buckets of a grid.
pub struct Visit<'a> {
    pub view: View<'a>,
    pub grid: &'a Grid,
    /// By vertex: whether it is clean ([`super::clean`]).
    pub clean: &'a [u8],
    pub buckets: Range<usize>,
    pub room: &'a mut Room,
    pub decisions: &'a mut Decisions,
    /// Cells that were looked at.
    pub cells: &'a mut u64,
}

impl Kernel for Visit<'_> {
    type Output = Result<(), MemoryError>;

    #[inline(always)]
    fn run<V: Doubles>(mut self) -> Result<(), MemoryError> {
        for bucket in self.buckets.clone() {
            self.visit::<V>(bucket)?;
        }
        self.decisions.finish::<V>(&self.view)
    }
}

/// A cell, and how boxes are seen from there.
#[derive(Clone, Copy)]
struct Cell {
    level: u32,
    cell: [i32; 3],
    corner: [f64; 3],
    per_side: f64,
}

impl Cell {
    fn new(level: u32, cell: [i32; 3]) -> Cell {
        let side = cells::side(level);
        Cell { level, cell, corner: cell.map(|x| x as f64 * side), per_side: cells::per_side(level) }
    }

    /// A box, as in a [`Group`].
    #[inline(always)]
    fn planes(&self, bounds: &[f64; 6]) -> [f32; 6] {
        let [x, y, z] = self.corner;
        let corner = [x, y, z, x, y, z];
        let mut planes = [0.0; 6];
        for i in 0..6 {
            planes[i] = ((bounds[i] - corner[i]) * self.per_side) as f32;
        }
        for plane in &mut planes[3..] {
            *plane = -*plane;
        }
        planes
    }
}

impl Visit<'_> {
    #[inline(always)]
    fn visit<V: Doubles>(&mut self, bucket: usize) -> Result<(), MemoryError> {
        let entries = self.grid.entries(bucket);
        if entries.is_empty() {
            return Ok(());
        }
        self.room.mixed.clear();
        for (number, entry) in entries.iter().enumerate() {
            let row = self.grid.row(entry.triangle());
            self.room.mixed.push((row.level, entry.cell(row.lower_cell()), number as u32))?;
        }
        let mut left = &mut self.room.mixed[..];
        let (level, cell, _) = left[0];
        if left.iter().any(|other| (other.0, other.1) != (level, cell)) {
            // Several cells have this hash.
            left.sort_unstable();
        }
        let mut first = 0;
        while first < self.room.mixed.len() {
            left = &mut self.room.mixed[first..];
            let (level, cell, _) = left[0];
            let count = left.iter().take_while(|other| (other.0, other.1) == (level, cell)).count();
            self.cell::<V>(bucket, Cell::new(level, cell), first..first + count)?;
            first += count;
        }
        Ok(())
    }

    #[inline(always)]
    fn cell<V: Doubles>(
        &mut self,
        bucket: usize,
        cell: Cell,
        members: Range<usize>,
    ) -> Result<(), MemoryError> {
        *self.cells += 1;
        let entries = self.grid.entries(bucket);
        let count = members.len();
        let Room { groups, mixed, .. } = &mut *self.room;
        groups.clear();
        let mut bounds =
            [f64::INFINITY, f64::INFINITY, f64::INFINITY, -f64::INFINITY, -f64::INFINITY, -f64::INFINITY];
        for members in mixed[members].chunks(8) {
            let mut group = Group::EMPTY;
            for (lane, &(_, _, number)) in members.iter().enumerate() {
                let entry = entries[number as usize];
                let own = &self.grid.row(entry.triangle()).bounds;
                for axis in 0..3 {
                    bounds[axis] = bounds[axis].min(own[axis]);
                    bounds[3 + axis] = bounds[3 + axis].max(own[3 + axis]);
                }
                group.set(lane, cell.planes(own), entry);
            }
            groups.push(group)?;
        }
        for one in 0..count {
            let (place, lane) = (one / 8, one % 8);
            let broadcast = self.room.groups[place].broadcast::<V::Floats>(lane);
            let (triangle, before) =
                (self.room.groups[place].triangles[lane], self.room.groups[place].around[lane] & BEFORE);
            for other in place..self.room.groups.len() {
                let later = if other == place { !1 << lane } else { !0 };
                let meets = self.room.groups[other].meets(&broadcast, before) & later & 0xff;
                self.add::<V>(triangle, other, meets)?;
            }
        }
        self.above::<V>(cell, &bounds)
    }

    /// Compares the triangles of a cell, which are in the groups and within these bounds, with those of the cells above.
    #[inline(always)]
    fn above<V: Doubles>(&mut self, cell: Cell, bounds: &[f64; 6]) -> Result<(), MemoryError> {
        let grid = self.grid;
        for level in cell.level + 1..grid.used_levels().end {
            if grid.levels[level as usize] == 0 {
                continue;
            }
            let up = level - cell.level;
            let parent = Cell::new(level, cells::above(cell.cell, up));
            if self.room.above[level as usize].cell != Some(parent.cell) {
                self.look_up(parent)?;
            }
            let around = broadcast::<V::Floats>(&parent.planes(bounds));
            for place in 0..self.room.above[level as usize].groups.len() {
                let group = &self.room.above[level as usize].groups[place];
                let mut larger = group.meets(&around, 0) & 0xff;
                while larger != 0 {
                    let lane = larger.trailing_zeros() as usize;
                    larger &= larger - 1;
                    let Group { triangles, around, .. } = &self.room.above[level as usize].groups[place];
                    let (triangle, around) = (triangles[lane], around[lane]);
                    let before = cells::before_within(cell.cell, up, around);
                    let one = broadcast::<V::Floats>(&cell.planes(&grid.row(triangle).bounds));
                    for other in 0..self.room.groups.len() {
                        let meets = self.room.groups[other].meets(&one, before) & 0xff;
                        self.add::<V>(triangle, other, meets)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The triangles of a cell, into the room for its level.
    fn look_up(&mut self, cell: Cell) -> Result<(), MemoryError> {
        let Above { cell: known, groups } = &mut self.room.above[cell.level as usize];
        *known = None;
        groups.clear();
        let mut lane = 8;
        for &entry in self.grid.entries_of(cell.level, cell.cell) {
            let row = self.grid.row(entry.triangle());
            if row.level != cell.level || entry.cell(row.lower_cell()) != cell.cell {
                continue;
            }
            if lane == 8 {
                groups.push(Group::EMPTY)?;
                lane = 0;
            }
            if let Some(group) = groups.last_mut() {
                group.set(lane, cell.planes(&row.bounds), entry);
            }
            lane += 1;
        }
        *known = Some(cell.cell);
        Ok(())
    }

    /// Takes the pairs of a triangle with some of a group.
    #[inline(always)]
    fn add<V: Doubles>(&mut self, triangle: u32, group: usize, mut lanes: u32) -> Result<(), MemoryError> {
        if lanes == 0 {
            return Ok(());
        }
        let View { triangles, .. } = self.view;
        let [a, b, c] = triangles[triangle as usize];
        let part = self.view.part_of(triangle);
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            let other = self.room.groups[group].triangles[lane];
            if !self.view.may_meet([part, self.view.part_of(other)]) {
                continue;
            }
            let [p, q, r] = triangles[other as usize];
            self.decisions.add(self.clean, [a, b, c, triangle], [p, q, r, other])?;
        }
        self.decisions.empty_full::<V>(&self.view)
    }
}

/// A box in all lanes.
#[inline(always)]
fn broadcast<F: Floats8>(planes: &[f32; 6]) -> [F; 6] {
    let mut one = [F::splat(0.0); 6];
    for (lanes, &plane) in one.iter_mut().zip(planes) {
        *lanes = F::splat(plane);
    }
    one
}
