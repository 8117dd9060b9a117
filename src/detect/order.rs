//! The order of contacts: by meshes, kind, vertices and triangles. Edges with the same ends are one edge; only triangles with the same corners are told apart by their numbers.
//!
//! Contacts are found in any order by any worker. They are dealt out to buckets by the highest bits of what they are sorted by, which workers do piece by piece: all pieces
//! are counted, then each knows where its part of every bucket is. Then every bucket is sorted for itself. The result is the same for any number of workers.

use super::contacts::{Earliest, Findings, Found, SEGMENT};
use super::features::Named;
use crate::memory::{Buffer, Memory, MemoryError};

/// The highest bits of what a contact is sorted by, and where it is: what was found stays in its place until the next run.
#[derive(Clone, Copy)]
pub struct Key {
    bits: u64,
    found: *const Found,
}

impl Key {
    const NONE: Key = Key { bits: 0, found: std::ptr::null() };

    /// What the key stands for.
    ///
    /// # Safety
    ///
    /// The key is one of [`sort_buckets`](Order::sort_buckets), and no other run has begun since.
    #[inline(always)]
    pub unsafe fn found<'a>(&self) -> &'a Found {
        // SAFETY: promised by the caller; then `scatter_piece` set it, and nobody writes to what was found after that.
        unsafe { &*self.found }
    }
}

/// A part of what one worker has found.
#[derive(Clone, Copy)]
struct Piece {
    worker: u32,
    first: u32,
    end: u32,
}

/// Buckets: 2¹².
const BUCKET_BITS: u32 = 12;
const BUCKETS: usize = 1 << BUCKET_BITS;

/// Contacts of a piece.
const PIECE: usize = 16 * SEGMENT;

/// Contacts of a unit of work, but for what does not fit into one bucket.
const SHARE: usize = 1 << 11;

/// Contacts on their way into order.
pub struct Order {
    packing: Packing,
    pieces: Buffer<Piece>,
    /// By piece and bucket: first how many, then where the next one goes.
    places: Buffer<u32>,
    /// Where buckets end.
    ends: Buffer<u32>,
    keys: Buffer<Key>,
    count: usize,
}

impl Order {
    pub fn new(memory: &Memory) -> Order {
        Order {
            packing: Packing::default(),
            pieces: Buffer::new(memory.clone()),
            places: Buffer::new(memory.clone()),
            ends: Buffer::new(memory.clone()),
            keys: Buffer::new(memory.clone()),
            count: 0,
        }
    }

    /// Begins: cuts what was found into pieces, and returns how many these are. Ranks and vertices are less than these numbers.
    pub fn start<'a>(
        &mut self,
        lists: impl Iterator<Item = &'a Findings> + Clone,
        rank_count: usize,
        vertex_count: usize,
    ) -> Result<usize, MemoryError> {
        self.packing = Packing::new(rank_count, vertex_count);
        self.pieces.clear();
        let total = lists.clone().map(Findings::len).sum();
        self.reserve(total, lists.clone().count())?;
        for (worker, findings) in lists.enumerate() {
            let len = findings.len();
            for first in (0..len).step_by(PIECE) {
                let end = len.min(first + PIECE) as u32;
                self.pieces.push(Piece { worker: worker as u32, first: first as u32, end })?;
            }
        }
        self.count = 0;
        Ok(self.pieces.len())
    }

    /// Makes room for so many contacts of so many workers. Who finds how much is different in every run: there is room for any division of the work, so that a run that finds as
    /// much as an earlier one allocates nothing.
    pub fn reserve(&mut self, contact_count: usize, worker_count: usize) -> Result<(), MemoryError> {
        let most = contact_count / PIECE + worker_count.min(contact_count);
        self.pieces.reserve(most.saturating_sub(self.pieces.len()))?;
        if self.places.len() < most * BUCKETS {
            self.places.resize(most * BUCKETS, 0)?;
        }
        self.ends.resize(BUCKETS, 0)?;
        if self.keys.len() < contact_count {
            self.keys.resize(contact_count, Key::NONE)?;
        }
        Ok(())
    }

    pub fn piece_count(&self) -> usize {
        self.pieces.len()
    }

    /// The worker whose list a piece is of.
    pub fn worker_of(&self, piece: usize) -> u32 {
        self.pieces[piece].worker
    }

    fn part<'a>(&self, piece: usize, findings: &'a Findings) -> impl Iterator<Item = &'a Found> {
        let Piece { first, end, .. } = self.pieces[piece];
        findings.range(first as usize..end as usize)
    }

    /// Counts the contacts of a piece by buckets.
    ///
    /// # Safety
    ///
    /// Nobody else counts the same piece.
    pub unsafe fn count_piece(&self, piece: usize, findings: &Findings, earliest: &Earliest) {
        // SAFETY: `start` made room for every piece; this one is the caller's.
        let counts =
            unsafe { std::slice::from_raw_parts_mut(self.places.start().add(piece * BUCKETS), BUCKETS) };
        counts.fill(0);
        for found in self.part(piece, findings) {
            if earliest.is_among_first(found) {
                counts[self.packing.bucket(self.packing.pack(found))] += 1;
            }
        }
    }

    /// Between counting and scattering: where everything goes. Returns how many contacts there are.
    pub fn place(&mut self) -> usize {
        let mut next = 0;
        for bucket in 0..BUCKETS {
            for piece in 0..self.pieces.len() {
                let place = &mut self.places[piece * BUCKETS + bucket];
                next += std::mem::replace(place, next);
            }
            self.ends[bucket] = next;
        }
        self.count = next as usize;
        self.count
    }

    /// Puts the keys of a piece into their buckets.
    ///
    /// # Safety
    ///
    /// As for [`count_piece`](Order::count_piece), after [`place`](Order::place).
    pub unsafe fn scatter_piece(&self, piece: usize, findings: &Findings, earliest: &Earliest) {
        // SAFETY: as above.
        let places =
            unsafe { std::slice::from_raw_parts_mut(self.places.start().add(piece * BUCKETS), BUCKETS) };
        for found in self.part(piece, findings) {
            if earliest.is_among_first(found) {
                let bits = self.packing.pack(found);
                let place = &mut places[self.packing.bucket(bits)];
                // SAFETY: counted before, so it is inside of the piece's part of the bucket, which is the caller's.
                unsafe { self.keys.start().add(*place as usize).write(Key { bits, found }) };
                *place += 1;
            }
        }
    }

    /// Where the contacts of a bucket begin.
    pub fn begin_of(&self, bucket: usize) -> usize {
        bucket.checked_sub(1).map_or(0, |before| self.ends[before] as usize)
    }

    /// Ranges of buckets, each with about as many contacts as make a unit of work, and how many these are. Only as far as there are the first `kept` contacts.
    pub fn shares(&self, kept: usize) -> impl Iterator<Item = (std::ops::Range<u32>, usize)> {
        let mut bucket = 0;
        std::iter::from_fn(move || {
            let first = bucket;
            let begin = self.begin_of(first);
            if first == BUCKETS || begin >= kept {
                return None;
            }
            while bucket < BUCKETS && (bucket == first || (self.ends[bucket] as usize) < begin + SHARE) {
                bucket += 1;
            }
            Some((first as u32..bucket as u32, self.begin_of(bucket) - begin))
        })
    }

    /// The keys of some buckets, sorted.
    ///
    /// # Safety
    ///
    /// All pieces have been scattered, and nobody else sorts one of these buckets.
    pub unsafe fn sort_buckets(&self, buckets: std::ops::Range<u32>) -> &[Key] {
        let (begin, end) = (self.begin_of(buckets.start as usize), self.begin_of(buckets.end as usize));
        // SAFETY: the keys of these buckets, which are the caller's.
        let keys = unsafe { std::slice::from_raw_parts_mut(self.keys.start().add(begin), end - begin) };
        let full = |key: &Key| {
            // SAFETY: scattered in this run: promised by the caller.
            let Found { ranks, kind, pair, .. } = *unsafe { key.found() };
            (ranks, kind, pair.vertices, pair.numbers)
        };
        // One by one: a bucket is short. First by bits alone, which nearly always tell all, and take a sort without branches.
        let mut rest = &mut *keys;
        for bucket in buckets {
            let count = self.ends[bucket as usize] as usize - self.begin_of(bucket as usize);
            let bucket;
            (bucket, rest) = rest.split_at_mut(count);
            bucket.sort_unstable_by_key(|key| key.bits);
            for alike in bucket.chunk_by_mut(|a, b| a.bits == b.bits).filter(|alike| alike.len() > 1) {
                alike.sort_unstable_by_key(full);
            }
        }
        keys
    }

    /// Whether two contacts are of the same meshes and kind.
    pub fn are_alike(&self, a: &Key, b: &Key) -> bool {
        self.packing.meshes_and_kind(a.bits) == self.packing.meshes_and_kind(b.bits)
    }
}

/// How ranks, kind and vertices fit into 64 bits: each with as many as the largest may have, the lowest ones of the last vertices left out if that is too much.
#[derive(Clone, Copy, Default)]
struct Packing {
    /// Of each of these numbers: how many of its lowest bits are left out, and how many bits come after it.
    numbers: [(u32, u32); NUMBERS],
    /// Bits of the vertices.
    below_kind: u32,
    /// Bits below those that tell the bucket.
    below_bucket: u32,
}

/// Two ranks, the kind and four vertices.
const NUMBERS: usize = 7;

impl Packing {
    fn new(rank_count: usize, vertex_count: usize) -> Packing {
        let width = |count: usize| usize::BITS - count.saturating_sub(1).leading_zeros();
        let (rank, vertex) = (width(rank_count), width(vertex_count));
        let widths = [rank, rank, 1, vertex, vertex, vertex, vertex];
        let total = widths.iter().sum::<u32>().min(u64::BITS);
        let mut left = total;
        let numbers = widths.map(|width| {
            let taken = width.min(left);
            left -= taken;
            (width - taken, left)
        });
        let above_vertices = 2 * rank + 1;
        Packing {
            numbers,
            below_kind: total.saturating_sub(above_vertices),
            below_bucket: total.saturating_sub(BUCKET_BITS),
        }
    }

    fn pack(&self, contact: &Found) -> u64 {
        let Found { ranks: [a, b], kind, pair: Named { vertices: [v, w, x, y], .. }, .. } = *contact;
        let numbers = [a, b, kind as u32 - 1, v, w, x, y];
        let places = numbers.iter().zip(self.numbers);
        places.fold(0, |bits, (&number, (dropped, after))| bits | (number as u64 >> dropped) << after)
    }

    /// Ranks are below 2³¹, so that these bits are never left out.
    fn meshes_and_kind(&self, bits: u64) -> u64 {
        bits >> self.below_kind
    }

    fn bucket(&self, bits: u64) -> usize {
        (bits >> self.below_bucket) as usize & (BUCKETS - 1)
    }
}
