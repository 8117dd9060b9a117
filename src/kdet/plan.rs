//! What the workers of a run have in common, and what is done in its phases: [`super::run`] has the table.

use super::cells::LEVELS;
use super::choice::{self, Method, Reason};
use super::decide::Decisions;
use super::forest::Forest;
use super::grid::Grid;
use super::intersections::{Intersection, Order};
use super::neighbours::Neighbours;
use super::soup::Soup;
use super::stats::{DiscreteSettings, DiscreteStats};
use super::visit::{Room, Visit};
use super::walk::{Pair, Step, Walk};
use crate::bvh::Bvh;
use crate::memory::{Buffer, Memory, MemoryError};
use crate::simd::{self, Level};
use std::ops::Range;
use std::time::Instant;

pub const COPY: usize = 0;
pub const LOOK: usize = 1;
pub const COUNT: usize = 2;
pub const FILL: usize = 3;
pub const LEAVES: usize = 4;
pub const FIND: usize = 5;
pub const DEAL: usize = 6;
pub const SCATTER: usize = 7;
pub const SORT: usize = 8;
pub const PHASES: usize = 9;

/// Vertices, triangles and buckets of a unit.
const VERTICES: usize = 1 << 12;
const TRIANGLES: usize = 1 << 11;
const BUCKETS: usize = 1 << 9;

/// Pairs of boxes for each worker that are looked for before they are handed out.
const PAIRS_OF_WORKER: usize = 64;

/// What is changed between phases only.
pub struct Plan {
    pub level: Level,
    pub settings: DiscreteSettings,
    pub soup: Soup,
    pub neighbours: Neighbours,
    pub fan_units: usize,
    pub grid: Grid,
    pub bvh: *mut Bvh,
    pub forest: Forest,
    pub pairs: Buffer<Pair>,
    pub order: Order,
    pub shares: Buffer<[u32; 2]>,
    pub sorted: Buffer<Intersection>,
    pub kept: usize,
    pub stats: DiscreteStats,
    pub started: Instant,
    pub phase_started: Instant,
    pub ms: [f64; PHASES + 1],
    pub unit_count: usize,
}

/// What a worker has for itself.
pub struct Worker {
    pub decisions: Decisions,
    pub room: Room,
    pub waiting: Buffer<Pair>,
    pub levels: [u32; LEVELS],
    pub cells: u64,
    pub counts: [u64; 2],
}

impl Worker {
    pub fn new(memory: &Memory) -> Result<Worker, MemoryError> {
        Ok(Worker {
            decisions: Decisions::new(memory)?,
            room: Room::new(memory),
            waiting: Buffer::new(memory.clone()),
            levels: [0; LEVELS],
            cells: 0,
            counts: [0; 2],
        })
    }

    pub fn start(&mut self) {
        self.decisions.start();
        self.room.start();
        (self.cells, self.counts, self.levels) = (0, [0; 2], [0; LEVELS]);
    }
}

impl Plan {
    pub fn new(memory: &Memory) -> Plan {
        let now = Instant::now();
        Plan {
            level: Level::Scalar,
            settings: DiscreteSettings::default(),
            soup: Soup::new(memory),
            neighbours: Neighbours::new(memory),
            fan_units: 0,
            grid: Grid::new(memory),
            bvh: std::ptr::null_mut(),
            forest: Forest::new(memory),
            pairs: Buffer::new(memory.clone()),
            order: Order::new(memory),
            shares: Buffer::new(memory.clone()),
            sorted: Buffer::new(memory.clone()),
            kept: 0,
            stats: DiscreteStats::default(),
            started: now,
            phase_started: now,
            ms: [0.0; PHASES + 1],
            unit_count: 0,
        }
    }

    /// Decides on the method, as far as that can be told now: None of it is the grid, until its cells are counted.
    pub fn choose(&mut self) {
        let asked = self.settings.method;
        let (method, reason) = if self.bvh.is_null() {
            (Method::Grid, if asked == Method::Grid { Reason::Asked } else { Reason::NoHierarchy })
        } else if asked != Method::Auto {
            (asked, Reason::Asked)
        } else {
            // SAFETY: `prepare` was promised that it lives, and nobody else uses it between phases.
            let bvh = unsafe { &*self.bvh };
            let (mut moved, mut bad) = (0, 0);
            for (place, (body, part)) in bvh.bodies().iter().zip(self.soup.parts.iter()).enumerate() {
                // SAFETY: as above.
                let mesh = unsafe { &*part.mesh };
                let is_bad = self.forest.is_worn(place, body, bvh.settings().rebuild_quality);
                moved += if body.is_behind(mesh) { mesh.triangle_count() } else { 0 };
                bad += if is_bad { mesh.triangle_count() } else { 0 };
            }
            choice::before(self.soup.triangle_count, moved, bad).unwrap_or((Method::Auto, Reason::None))
        };
        (self.stats.method, self.stats.reason) = (method, reason);
    }

    /// The triangles of a unit.
    pub fn triangles(&self, unit: usize) -> Range<u32> {
        let first = unit * TRIANGLES;
        first as u32..self.soup.triangle_count.min(first + TRIANGLES) as u32
    }

    fn triangle_units(&self) -> usize {
        self.soup.triangle_count.div_ceil(TRIANGLES)
    }

    /// Units of the second phase: first those of neighbours, then vertices.
    pub fn start_looking(&mut self) -> Result<usize, MemoryError> {
        self.fan_units = self.neighbours.start(&self.soup)?;
        Ok(self.fan_units + self.soup.vertex_count.div_ceil(VERTICES))
    }

    /// # Safety
    ///
    /// Each unit is done once, and nobody reads what comes out of them meanwhile.
    pub unsafe fn look(&self, unit: usize) {
        if unit < self.fan_units {
            // SAFETY: promised by the caller.
            return unsafe { self.neighbours.look(self.level, &self.soup, unit) };
        }
        let first = (unit - self.fan_units) * VERTICES;
        // SAFETY: promised by the caller.
        unsafe { self.soup.round(first..self.soup.vertex_count.min(first + VERTICES)) };
    }

    pub fn start_grid(&mut self, worker_count: usize) -> Result<usize, MemoryError> {
        if self.stats.method == Method::Bvh {
            return Ok(0);
        }
        self.grid.start(self.soup.triangle_count, self.settings.hashing, worker_count > 1)?;
        Ok(self.triangle_units())
    }

    pub fn place(&mut self) -> Result<usize, MemoryError> {
        if self.stats.method == Method::Bvh {
            return Ok(0);
        }
        self.stats.levels = self.grid.levels.iter().filter(|&&count| count > 0).count() as u64;
        if self.stats.method == Method::Auto {
            let (triangles, levels) = (self.soup.triangle_count, self.grid.used_levels().len());
            (self.stats.method, self.stats.reason) =
                choice::after_counting(triangles, levels, self.grid.comparisons());
            if self.stats.method == Method::Bvh {
                return Ok(0);
            }
        }
        self.stats.entries = self.grid.place()? as u64;
        Ok(self.triangle_units())
    }

    /// Has the hierarchy look at trees that are worn, and makes room for leaves.
    pub fn start_leaves(&mut self) -> Result<usize, MemoryError> {
        if self.stats.method == Method::Grid {
            return Ok(0);
        }
        // SAFETY: `prepare` was promised that it lives, and nobody else uses it between phases.
        let bvh = unsafe { &mut *self.bvh };
        let parts = &self.soup.parts;
        let rebuild_quality = bvh.settings().rebuild_quality;
        let is_worn = |(part, body)| self.forest.is_worn(part, body, rebuild_quality);
        let is_updated = bvh.bodies().iter().enumerate().any(is_worn);
        if is_updated {
            // SAFETY: as above, for the meshes.
            bvh.update(&|id| unsafe {
                let part = parts.binary_search_by_key(&id, |part| part.id).expect("a mesh of the hierarchy");
                &*parts[part].mesh
            })?;
        }
        self.forest.start(bvh, is_updated)
    }

    /// Makes the leaves of a unit.
    ///
    /// # Safety
    ///
    /// Nobody else makes the same ones, or reads any, meanwhile.
    pub unsafe fn make_leaves(&self, unit: usize) {
        // SAFETY: `prepare` was promised that it lives, during this phase nobody writes to it, and the rest is promised by the caller.
        unsafe { self.forest.make(self.level, &self.soup, &self.neighbours.clean, &*self.bvh, unit) };
    }

    pub fn find_units(&mut self, worker_count: usize) -> Result<usize, MemoryError> {
        if self.stats.method == Method::Grid {
            return Ok(self.grid.bucket_count().div_ceil(BUCKETS));
        }
        self.forest.finish();
        let parts = &self.soup.parts;
        self.pairs.clear();
        let view = self.soup.view();
        for a in 0..parts.len() {
            let Some(level) = self.forest.top(a) else { continue };
            if view.may_meet([a, a]) {
                self.pairs.push(Pair { parts: [a as u32; 2], levels: [level as u8; 2], boxes: [0; 2] })?;
            }
        }
        if parts.len() > 1 && self.settings.wanted.between_meshes {
            self.sweep()?;
        }
        // Down until there are enough for everybody, the first ones first.
        let (mut next, wanted) = (0, if worker_count > 1 { PAIRS_OF_WORKER * worker_count } else { 0 });
        while next < self.pairs.len() && self.pairs.len() - next < wanted {
            let pair = self.pairs[next];
            next += 1;
            if pair.levels == [0, 0] {
                self.pairs.push(pair)?;
                if self.pairs[next..].iter().all(|pair| pair.levels == [0, 0]) {
                    break;
                }
                continue;
            }
            simd::dispatch(self.level, Step { forest: &self.forest, pair, waiting: &mut self.pairs })?;
        }
        self.pairs.rotate_left(next);
        self.pairs.truncate(self.pairs.len() - next);
        Ok(self.pairs.len())
    }

    /// All pairs of different meshes that may meet and whose boxes overlap along the x axis.
    fn sweep(&mut self) -> Result<(), MemoryError> {
        let (view, forest) = (self.soup.view(), &self.forest);
        // Places among the pairs, for want of another buffer: first the meshes by where they begin.
        self.shares.clear();
        for part in 0..self.soup.parts.len() {
            if forest.top(part).is_some() {
                self.shares.push([part as u32, 0])?;
            }
        }
        let ends = |part: u32| forest.ends(part as usize).unwrap_or_default();
        self.shares.sort_unstable_by(|a, b| ends(a[0])[0].total_cmp(&ends(b[0])[0]).then(a[0].cmp(&b[0])));
        for i in 0..self.shares.len() {
            for j in i + 1..self.shares.len() {
                let [a, b] = [self.shares[i][0], self.shares[j][0]];
                if ends(b)[0] > ends(a)[1] {
                    break;
                }
                let parts = [a.min(b), a.max(b)];
                if view.may_meet(parts.map(|part| part as usize)) {
                    let levels = parts.map(|part| forest.top(part as usize).unwrap_or(0) as u8);
                    self.pairs.push(Pair { parts, levels, boxes: [0; 2] })?;
                }
            }
        }
        Ok(())
    }

    pub fn find(&self, unit: usize, worker: &mut Worker) -> Result<(), MemoryError> {
        let view = self.soup.view();
        let Worker { decisions, room, waiting, cells, counts, .. } = worker;
        if self.stats.method == Method::Grid {
            let first = unit * BUCKETS;
            let buckets = first..self.grid.bucket_count().min(first + BUCKETS);
            let visit = Visit {
                view,
                grid: &self.grid,
                clean: &self.neighbours.clean,
                buckets,
                room,
                decisions,
                cells,
            };
            return simd::dispatch(self.level, visit);
        }
        let (forest, pair) = (&self.forest, self.pairs[unit]);
        simd::dispatch(self.level, Walk { view, forest, pair, waiting, decisions, counts })
    }

    pub fn bytes(&self) -> usize {
        self.soup.bytes() + self.neighbours.bytes() + self.grid.bytes() + self.forest.bytes()
    }
}
