//! One step: boxes, both phases, and the results in order.
//!
//! ```text
//! boxes ── sweep ── candidates ══ ring ══ tests ── touches ── order ── pairs, points
//! (all workers)     (broad workers)        (narrow workers)    (one)
//! ```
//!
//! A candidate is a pair of objects whose boxes overlap; a touch is one with at least one point of contact. Tests know nothing but their pair, and touches are sorted by it: so the results do not depend on who did what when.

use super::crossing::{Crossing, Task};
use super::dispatch::{self, Body, Scratch};
use super::manifold::{ContactPoint, Manifold};
use super::objects::{Object, Objects};
use super::shapes::Shape;
use super::sweep::Sweep;
use super::{boxes, swept};
use crate::locks::Mutex;
use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::Mesh;
use crate::schedule::Crew;
use crate::simd::{Level, StandardFloats};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

/// Candidates that go through the buffer together: some ten microseconds of tests, and a kibibyte.
pub const BATCH: usize = 127;
/// Batches in the buffer.
pub const BUFFER: usize = 64;
/// Groups of boxes that a worker computes at a time.
const BOX_GROUPS: usize = 16;
/// Candidates that a worker takes at a time when the phases follow one another.
const SHARE: usize = 64;

/// Candidates on their way.
#[derive(Clone, Copy)]
pub struct Batch {
    len: u32,
    pairs: [[u32; 2]; BATCH],
}

/// Two objects that touch.
#[derive(Clone, Copy)]
pub struct Touch {
    /// Their numbers among the living, the smaller one above.
    pub key: u64,
    pub worker: u32,
    pub first_point: u32,
    pub point_count: u32,
    pub toi: f64,
}

/// A piece of work that was done, for simulations of other machines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskRecord {
    pub is_broad: bool,
    /// Candidates found, or tested.
    pub pairs: u32,
    pub seconds: f64,
}

/// What one worker has, keeps, and finds.
pub struct Worker {
    scratch: Scratch,
    batch: Batch,
    candidates: Buffer<[u32; 2]>,
    pub touches: Buffer<Touch>,
    pub points: Buffer<ContactPoint>,
    pub records: Buffer<TaskRecord>,
    pub candidate_count: u64,
    /// In seconds.
    pub broad_time: f64,
    pub narrow_time: f64,
}

impl Worker {
    pub fn new(memory: &Memory) -> Worker {
        Worker {
            scratch: Scratch::new(memory),
            batch: Batch { len: 0, pairs: [[0; 2]; BATCH] },
            candidates: Buffer::new(memory.clone()),
            touches: Buffer::new(memory.clone()),
            points: Buffer::new(memory.clone()),
            records: Buffer::new(memory.clone()),
            candidate_count: 0,
            broad_time: 0.0,
            narrow_time: 0.0,
        }
    }

    /// Before a step: some may not come to it.
    pub fn clear(&mut self) {
        self.batch.len = 0;
        self.candidates.clear();
        self.touches.clear();
        self.points.clear();
        self.records.clear();
        (self.candidate_count, self.broad_time, self.narrow_time) = (0, 0.0, 0.0);
    }
}

/// Finds a mesh by its id.
pub type MeshOf<'s, 'm> = &'s (dyn Fn(u64) -> &'m Mesh + Sync);

/// What workers share during a step.
pub struct Step<'a, 'm> {
    pub objects: &'a Objects,
    /// The places of the objects that have boxes.
    pub living: &'a [u32],
    pub mesh_of: MeshOf<'a, 'm>,
    pub margin: f64,
    pub level: Level,
    pub sweep: &'a Sweep,
    pub crossing: &'a Crossing<Batch>,
    pub workers: &'a [Mutex<Worker>],
    pub is_recording: bool,
    pub cancelled: &'a AtomicBool,
    pub error: &'a Mutex<Option<MemoryError>>,
}

/// Ends the step for all if its worker panics: nobody shall wait for it.
struct StopOnPanic<'a>(&'a Crossing<Batch>);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// The box of an object with half of the margin, around all its way if that counts; None if it has none.
pub fn planes_of(objects: &Objects, object: &Object, margin: f64) -> Option<boxes::Planes> {
    let mesh_box = objects.bounds_of(&object.shape);
    let [lower, upper] = if object.is_on_its_way() {
        swept::bounds(object, mesh_box)
    } else {
        object.shape.bounds(&object.frame, mesh_box)
    };
    // The margin, and more than what rounding has taken from a box: a few units in the last place of its coordinates.
    let more = |i: usize| 0.5 * margin + 1e-14 * (lower[i].abs().max(upper[i].abs()) + margin);
    boxes::planes([[0, 1, 2].map(|i| lower[i] - more(i)), [0, 1, 2].map(|i| upper[i] + more(i))])
}

/// Computes the boxes of all objects, on all workers.
pub fn fill_boxes(crew: &Crew, objects: &Objects, living: &[u32], margin: f64, sweep: &mut Sweep) {
    let next = AtomicUsize::new(0);
    let groups = sweep.boxes_mut();
    let group_count = groups.len();
    let place = SharedBoxes(groups.as_mut_ptr());
    let work = |_: usize| {
        let _floats = StandardFloats::enter();
        let place = &place;
        loop {
            let first = next.fetch_add(BOX_GROUPS, Ordering::Relaxed);
            if first >= group_count {
                return;
            }
            for group in first..group_count.min(first + BOX_GROUPS) {
                let mut eight = boxes::Boxes8::EMPTY;
                for (lane, &object) in living[group * 8..].iter().take(8).enumerate() {
                    let object = objects.get(object as usize).expect("only living ones are listed");
                    let planes =
                        planes_of(objects, object, margin).expect("only those with a box are listed");
                    eight.set(lane, &planes);
                }
                // SAFETY: inside the array, and each group is computed by the worker alone that was given its number.
                unsafe { place.0.add(group).write(eight) };
            }
        }
    };
    if group_count <= 2 * BOX_GROUPS {
        work(0);
    } else {
        crew.run(crew.worker_count(), &work);
    }
}

struct SharedBoxes(*mut boxes::Boxes8);

// SAFETY: workers write to different groups, and nobody else has the array meanwhile.
unsafe impl Sync for SharedBoxes {}

impl Step<'_, '_> {
    fn fail(&self, error: MemoryError) {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.crossing.stop();
    }

    /// Whether to go on.
    fn goes_on(&self) -> bool {
        if self.cancelled.load(Ordering::Relaxed) {
            self.crossing.stop();
        }
        !self.crossing.is_stopped()
    }

    /// Both phases at once. Returns how long it took, in seconds.
    pub fn simultaneous(&self, crew: &Crew) -> f64 {
        let start = Instant::now();
        crew.run(self.workers.len(), &|number| {
            let _floats = StandardFloats::enter();
            let _stop = StopOnPanic(self.crossing);
            let mut worker = self.workers[number].lock().unwrap_or_else(PoisonError::into_inner);
            while self.goes_on()
                && let Some(task) = self.crossing.next(number)
            {
                let done = match task {
                    Task::Broad(unit) => self.broad_unit(number, unit, &mut worker),
                    Task::Narrow(batch) => self.test_batch(number, &batch, &mut worker),
                };
                if let Err(error) = done {
                    self.fail(error);
                }
            }
        });
        start.elapsed().as_secs_f64()
    }

    /// Finds the candidates of a unit and hands them on, in full batches but for the last one.
    fn broad_unit(&self, number: usize, unit: usize, worker: &mut Worker) -> Result<(), MemoryError> {
        let start = Instant::now();
        let (narrow_before, candidates_before) = (worker.narrow_time, worker.candidate_count);
        let mut result = Ok(());
        worker.batch.len = 0;
        self.sweep.run(self.level, unit, &mut |a, b| {
            if self.is_candidate(a, b) {
                worker.candidate_count += 1;
                let batch = &mut worker.batch;
                batch.pairs[batch.len as usize] = [a, b];
                batch.len += 1;
                if batch.len as usize == BATCH && result.is_ok() {
                    result = self.hand_on(number, worker);
                }
            }
        });
        if worker.batch.len > 0 && result.is_ok() {
            result = self.hand_on(number, worker);
        }
        self.crossing.unit_done();
        // Without what it has tested itself because the buffer was full.
        let seconds = start.elapsed().as_secs_f64() - (worker.narrow_time - narrow_before);
        worker.broad_time += seconds;
        self.record(worker, true, (worker.candidate_count - candidates_before) as u32, seconds)?;
        result
    }

    /// Puts the batch of a worker into the buffer. If that is full, there is more than enough for the narrow workers, and it does the batch itself.
    fn hand_on(&self, number: usize, worker: &mut Worker) -> Result<(), MemoryError> {
        let batch = worker.batch;
        worker.batch.len = 0;
        match self.crossing.offer(batch) {
            Err(batch) if self.goes_on() => self.test_batch(number, &batch, worker),
            _ => Ok(()),
        }
    }

    fn test_batch(&self, number: usize, batch: &Batch, worker: &mut Worker) -> Result<(), MemoryError> {
        self.test_pairs(number, &batch.pairs[..batch.len as usize], worker)
    }

    fn test_pairs(&self, number: usize, pairs: &[[u32; 2]], worker: &mut Worker) -> Result<(), MemoryError> {
        let start = Instant::now();
        for &pair in pairs {
            self.test_pair(number, pair, worker)?;
        }
        let seconds = start.elapsed().as_secs_f64();
        worker.narrow_time += seconds;
        self.record(worker, false, pairs.len() as u32, seconds)
    }

    fn record(
        &self,
        worker: &mut Worker,
        is_broad: bool,
        pairs: u32,
        seconds: f64,
    ) -> Result<(), MemoryError> {
        if self.is_recording {
            worker.records.push(TaskRecord { is_broad, pairs, seconds })?;
        }
        Ok(())
    }

    /// One phase after the other, each on all workers. Returns how long both took, in seconds.
    pub fn sequential(&self, crew: &Crew) -> (f64, f64) {
        let start = Instant::now();
        let unit_count = self.sweep.unit_count();
        let next = AtomicUsize::new(0);
        crew.run(self.workers.len().min(unit_count.max(1)), &|number| {
            let _floats = StandardFloats::enter();
            let mut worker = self.workers[number].lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                let unit = next.fetch_add(1, Ordering::Relaxed);
                if unit >= unit_count || !self.goes_on() {
                    return;
                }
                let unit_start = Instant::now();
                let before = worker.candidates.len();
                let mut result = Ok(());
                let candidates = &mut worker.candidates;
                self.sweep.run(self.level, unit, &mut |a, b| {
                    if result.is_ok() && self.is_candidate(a, b) {
                        result = candidates.push([a, b]);
                    }
                });
                let found = worker.candidates.len() - before;
                worker.candidate_count += found as u64;
                let seconds = unit_start.elapsed().as_secs_f64();
                worker.broad_time += seconds;
                let recorded = self.record(&mut worker, true, found as u32, seconds);
                if let Err(error) = result.and(recorded) {
                    self.fail(error);
                }
            }
        });
        let between = Instant::now();
        // Every worker goes through all lists, and takes a share where one is left. Whose list it is does not matter: it only has to be read, while its
        // owner writes elsewhere.
        let lists: &[Mutex<Worker>] = self.workers;
        let shares = self.lists(lists);
        crew.run(self.workers.len(), &|number| {
            let _floats = StandardFloats::enter();
            let mut worker = self.workers[number].lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                let first = shares.next.fetch_add(SHARE, Ordering::Relaxed);
                if first >= shares.total || !self.goes_on() {
                    return;
                }
                let mut pairs = [[0; 2]; SHARE];
                let count = shares.copy(first, &mut pairs);
                if let Err(error) = self.test_pairs(number, &pairs[..count], &mut worker) {
                    self.fail(error);
                }
            }
        });
        ((between - start).as_secs_f64(), between.elapsed().as_secs_f64())
    }

    /// Where the candidates of all workers are, as one list.
    fn lists(&self, workers: &[Mutex<Worker>]) -> Shares {
        let mut shares = Shares {
            lists: [(std::ptr::null(), 0); MAX_LISTS],
            list_count: 0,
            total: 0,
            next: AtomicUsize::new(0),
        };
        for worker in workers {
            let worker = worker.lock().unwrap_or_else(PoisonError::into_inner);
            if !worker.candidates.is_empty() {
                shares.lists[shares.list_count] = (worker.candidates.as_ptr(), worker.candidates.len());
                shares.list_count += 1;
                shares.total += worker.candidates.len();
            }
        }
        shares
    }

    #[inline]
    fn object(&self, number: u32) -> &Object {
        self.objects.get(self.living[number as usize] as usize).expect("only living ones are listed")
    }

    #[inline]
    fn is_candidate(&self, a: u32, b: u32) -> bool {
        self.object(a).may_meet(self.object(b))
    }

    fn body<'b>(&'b self, object: &'b Object, frame: super::transform::Frame) -> Body<'b> {
        let mesh = match object.shape {
            Shape::Mesh { tree } => {
                let tree = &self.objects.trees[tree];
                Some(((self.mesh_of)(tree.mesh), &tree.tree))
            }
            _ => None,
        };
        Body { shape: &object.shape, frame, mesh }
    }

    /// The narrow phase of one candidate.
    fn test_pair(&self, number: usize, [a, b]: [u32; 2], worker: &mut Worker) -> Result<(), MemoryError> {
        let (first, second) = (self.object(a), self.object(b));
        // Relative to the first one: numbers are small there, wherever in the world they are.
        let origin = first.frame.origin;
        let bodies = [first, second].map(|object| self.body(object, object.frame.seen_from(origin)));
        let mut manifold = Manifold::default();
        dispatch::test(bodies[0], bodies[1], self.margin, &mut worker.scratch, &mut manifold)?;
        let mut toi = 1.0;
        let mut origin = origin;
        if first.is_on_its_way() || second.is_on_its_way() {
            let time = swept::first_contact(
                (first, bodies[0]),
                (second, bodies[1]),
                self.margin,
                &mut worker.scratch,
            )?;
            if let Some(time) = time {
                toi = time;
                if manifold.points().is_empty() {
                    // Where they touch on the way.
                    let frames = [first, second].map(|object| swept::frame_at(object, time));
                    origin = frames[0].origin;
                    let [x, y] = frames.map(|frame| frame.seen_from(origin));
                    let slack = 1e-5 * (first.reach + second.reach);
                    let (x, y) = (self.body(first, x), self.body(second, y));
                    dispatch::test(x, y, self.margin + slack, &mut worker.scratch, &mut manifold)?;
                }
            }
        }
        if manifold.points().is_empty() {
            return Ok(());
        }
        dispatch::to_world(&mut manifold, origin);
        let first_point = worker.points.len();
        worker.points.reserve(manifold.points().len())?;
        for point in manifold.points() {
            worker.points.push(*point)?;
        }
        let (first_point, worker_number) = (first_point as u32, number as u32);
        let point_count = manifold.points().len() as u32;
        let key = u64::from(a) << 32 | u64::from(b);
        worker.touches.push(Touch { key, worker: worker_number, first_point, point_count, toi })
    }
}

/// The most workers that a crew has.
const MAX_LISTS: usize = 1024;

/// Lists of candidates that nobody changes any more.
struct Shares {
    lists: [(*const [u32; 2], usize); MAX_LISTS],
    list_count: usize,
    total: usize,
    next: AtomicUsize,
}

// SAFETY: the lists are only read: in the narrow phase no worker touches its own.
unsafe impl Sync for Shares {}

impl Shares {
    /// Copies candidates from number `first` on, as many as there are, and says how many.
    fn copy(&self, first: usize, pairs: &mut [[u32; 2]; SHARE]) -> usize {
        let (mut skip, mut count) = (first, 0);
        for &(start, len) in &self.lists[..self.list_count] {
            if skip >= len {
                skip -= len;
                continue;
            }
            let here = (len - skip).min(SHARE - count);
            for i in 0..here {
                // SAFETY: inside a list that is borrowed by the step and not written to in this phase.
                pairs[count + i] = unsafe { *start.add(skip + i) };
            }
            (count, skip) = (count + here, 0);
            if count == SHARE {
                break;
            }
        }
        count
    }
}
