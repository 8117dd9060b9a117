//! A list of elementary queries, decided by all workers.
//!
//! The list is cut into chunks that the workers take one after the other, so that slow queries do not make the others
//! wait. Nothing is handed out before all chunks have succeeded, and what is handed out depends neither on
//! the number of workers nor on who took which chunk.

use crate::elementary::batch::{self, SCRATCH_LIMBS};
use crate::elementary::{Hit, Kind, Query, Settings};
use crate::locks::Mutex;
use crate::memory::{Buffer, Memory, MemoryError, Store};
use crate::schedule::Crew;
use crate::simd::{Level, StandardFloats};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Queries that a worker takes at a time: enough that taking them costs nothing, and 48 KiB of coordinates.
pub const CHUNK: usize = 256;

/// Where the queries come from.
pub trait Source: Sync {
    /// Number of queries.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The queries `first .. first + room.len()`, in place if they can be read there, otherwise copied to `room`.
    fn chunk<'a>(&'a self, first: usize, room: &'a mut [Query]) -> &'a [Query];
}

/// Why no query of the list was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueriesError {
    Memory(MemoryError),
    /// The first coordinate, in the order of the list, that is NaN or infinite.
    NotFinite {
        query: usize,
        column: usize,
    },
}

impl From<MemoryError> for QueriesError {
    fn from(error: MemoryError) -> QueriesError {
        QueriesError::Memory(error)
    }
}

/// The working memory of [`Queries::run`], and afterwards its answers.
pub struct Queries {
    /// A worker locks its own once per run: no other one wants it.
    workers: Buffer<Mutex<Worker>>,
    chunks: Buffer<Chunk>,
    hits: Store<Found>,
    len: usize,
    memory: Memory,
}

struct Worker {
    scratch: Buffer<u64>,
    room: Buffer<Query>,
    /// The hits of one chunk; as long as a chunk, so that it never grows.
    found: Buffer<Found>,
}

/// Where the hits of a chunk are.
#[derive(Default)]
struct Chunk {
    first_hit: AtomicUsize,
    hit_count: AtomicUsize,
}

#[derive(Clone, Copy)]
struct Found {
    /// Counted from the first query of the chunk.
    query: usize,
    hit: Hit,
}

/// `first_bad` while all coordinates are finite.
const NONE: u64 = u64::MAX;

impl Queries {
    pub fn new(memory: Memory) -> Queries {
        Queries {
            workers: Buffer::new(memory.clone()),
            chunks: Buffer::new(memory.clone()),
            hits: Store::new(memory.clone()),
            len: 0,
            memory,
        }
    }

    /// Decides all queries. On success [`Queries::for_each`] gives the answers, until the next run.
    pub fn run(
        &mut self,
        crew: &Crew,
        level: Level,
        kind: Kind,
        settings: &Settings,
        source: &dyn Source,
    ) -> Result<(), QueriesError> {
        self.len = 0;
        let len = source.len();
        let chunk_count = len.div_ceil(CHUNK);
        self.prepare(crew.worker_count().min(chunk_count), chunk_count)?;

        let next = AtomicUsize::new(0);
        let first_bad = AtomicU64::new(NONE);
        let no_memory = Mutex::new(None);
        let (workers, chunks, hits) = (&self.workers, &self.chunks, &self.hits);
        let work = |index: usize| {
            // A small list has fewer chunks than the crew workers.
            let Some(worker) = workers.get(index) else { return };
            // It may run on a thread of the caller's.
            let _floats = StandardFloats::enter();
            let mut worker = worker.lock().unwrap_or_else(PoisonError::into_inner);
            let Worker { scratch, room, found } = &mut *worker;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                // Chunks are taken in order. So when one is found bad, all before it have been taken and will
                // be looked at, and those after it can be left alone: the first bad query is always found.
                let Some(chunk) = chunks.get(number) else { return };
                let first = number * CHUNK;
                if (first as u64) * 24 > first_bad.load(Ordering::Relaxed) {
                    return;
                }
                let queries = source.chunk(first, &mut room[..CHUNK.min(len - first)]);
                found.clear();
                let mut report = |query, hit: &Hit| {
                    debug_assert!(found.len() < found.capacity());
                    found.push(Found { query, hit: *hit }).expect("room for every query of a chunk");
                };
                if let Err(bad) = batch::run(level, kind, queries, settings, scratch, &mut report) {
                    let (query, column) = first_not_finite(queries).unwrap_or((bad.query, bad.column));
                    first_bad.fetch_min(((first + query) * 24 + column) as u64, Ordering::Relaxed);
                    return;
                }
                match hits.append(found) {
                    Ok(first_hit) => {
                        chunk.first_hit.store(first_hit, Ordering::Relaxed);
                        chunk.hit_count.store(found.len(), Ordering::Relaxed);
                    }
                    Err(error) => {
                        no_memory.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                        next.store(chunk_count, Ordering::Relaxed);
                        return;
                    }
                }
            }
        };
        run_on(crew, chunk_count, &work);

        if let Some(error) = no_memory.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error.into());
        }
        match first_bad.into_inner() {
            NONE => {
                self.len = len;
                Ok(())
            }
            bad => Err(QueriesError::NotFinite { query: (bad / 24) as usize, column: (bad % 24) as usize }),
        }
    }

    /// Makes room for everything but the hits, whose number nobody knows yet.
    fn prepare(&mut self, worker_count: usize, chunk_count: usize) -> Result<(), MemoryError> {
        while self.workers.len() < worker_count {
            let mut scratch = Buffer::new(self.memory.clone());
            scratch.resize(SCRATCH_LIMBS, 0)?;
            let mut room = Buffer::new(self.memory.clone());
            room.resize(CHUNK, [0.0; 24])?;
            let mut found = Buffer::new(self.memory.clone());
            found.reserve_exact(CHUNK)?;
            self.workers.push(Mutex::new(Worker { scratch, room, found }))?;
        }
        self.hits.clear();
        self.chunks.clear();
        self.chunks.reserve_exact(chunk_count)?;
        for _ in 0..chunk_count {
            self.chunks.push(Chunk::default())?;
        }
        Ok(())
    }

    /// Calls `give` once for every query of the last run, on all workers: with its hit, or None for a miss.
    /// After a failed run there is nothing to give.
    pub fn for_each(&mut self, crew: &Crew, give: &(dyn Fn(usize, Option<&Hit>) + Sync)) {
        let len = self.len;
        let chunk_count = len.div_ceil(CHUNK);
        let Some(hits) = self.hits.elements() else { return };
        let next = AtomicUsize::new(0);
        let chunks = &self.chunks;
        let work = |_: usize| {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= chunk_count {
                    return;
                }
                let first_hit = chunks[number].first_hit.load(Ordering::Relaxed);
                let hit_count = chunks[number].hit_count.load(Ordering::Relaxed);
                let mut rest = (first_hit..first_hit + hit_count).map(|hit| hits.get(hit)).peekable();
                let first = number * CHUNK;
                for query in first..len.min(first + CHUNK) {
                    let found = rest.next_if(|found| first + found.query == query);
                    give(query, found.map(|found| &found.hit));
                }
            }
        };
        run_on(crew, chunk_count, &work);
    }
}

/// One chunk is work for one: waking the others would take longer.
fn run_on(crew: &Crew, chunk_count: usize, work: &(dyn Fn(usize) + Sync)) {
    match chunk_count {
        0 => (),
        1 => work(0),
        _ => crew.run(crew.worker_count(), work),
    }
}

/// The first, whatever order a kernel looks at the coordinates in.
fn first_not_finite(queries: &[Query]) -> Option<(usize, usize)> {
    let mut queries = queries.iter().enumerate();
    queries.find_map(|(index, query)| {
        query.iter().position(|coordinate| !coordinate.is_finite()).map(|column| (index, column))
    })
}
