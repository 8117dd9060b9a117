//! The order of contacts: by meshes, kind, vertices and triangles. Edges with the same ends are one edge; only triangles with the same corners are told apart by their numbers.
//!
//! Contacts are found in any order by any worker. They are dealt out to buckets by the highest bits of what they are sorted by, which workers do piece by piece: all pieces
//! are counted, then each knows where its part of every bucket is. Then every bucket is sorted for itself. The result is the same for any number of workers.

use super::contacts::{Earliest, Findings, Found, SEGMENT};
use super::packing::Packing;
use crate::elementary::Kind;
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

/// So many buckets, as a power of two, that a few contacts come to each; and no more than the cache has lines for.
fn bucket_bits(contact_count: usize) -> u32 {
    const CONTACTS: usize = 16;
    (contact_count / CONTACTS).max(1).ilog2().clamp(6, 12)
}

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
    bucket_count: usize,
    /// Bits of a key below those that tell the bucket.
    below_bucket: u32,
    keys: Buffer<Key>,
    count: usize,
}

impl Order {
    pub fn new(memory: &Memory) -> Order {
        Order {
            packing: Packing::new(memory),
            pieces: Buffer::new(memory.clone()),
            places: Buffer::new(memory.clone()),
            ends: Buffer::new(memory.clone()),
            bucket_count: 0,
            below_bucket: 0,
            keys: Buffer::new(memory.clone()),
            count: 0,
        }
    }

    /// Before anything is found. Ranks are those of meshes with so many vertices.
    pub fn start(&mut self, vertex_counts: impl ExactSizeIterator<Item = usize>) -> Result<(), MemoryError> {
        self.packing.start(vertex_counts)
    }

    /// What contacts are sorted by.
    pub fn packing(&self) -> &Packing {
        &self.packing
    }

    /// When all is found: cuts it into pieces, and returns how many these are.
    pub fn cut<'a>(
        &mut self,
        lists: impl Iterator<Item = &'a Findings> + Clone,
    ) -> Result<usize, MemoryError> {
        let total = lists.clone().map(Findings::len).sum();
        let bucket_bits = bucket_bits(total);
        self.bucket_count = 1 << bucket_bits;
        self.below_bucket = self.packing.below(bucket_bits);
        self.pieces.clear();
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
        let buckets = 1 << bucket_bits(contact_count);
        if self.places.len() < most * buckets {
            self.places.resize(most * buckets, 0)?;
        }
        if self.ends.len() < buckets {
            self.ends.resize(buckets, 0)?;
        }
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

    fn part<'a>(&self, piece: usize, findings: &'a Findings) -> impl Iterator<Item = (u64, &'a Found)> {
        let Piece { first, end, .. } = self.pieces[piece];
        findings.range(first as usize..end as usize)
    }

    fn bucket(&self, bits: u64) -> usize {
        (bits >> self.below_bucket) as usize
    }

    /// The places of a piece, by bucket.
    ///
    /// # Safety
    ///
    /// The piece is one of those that `start` made, and nobody else uses its places.
    #[expect(clippy::mut_from_ref, reason = "pieces are dealt out to workers, each once")]
    unsafe fn places_of(&self, piece: usize) -> &mut [u32] {
        let count = self.bucket_count;
        // SAFETY: there is room for every piece; this one is the caller's.
        unsafe { std::slice::from_raw_parts_mut(self.places.start().add(piece * count), count) }
    }

    /// Counts the contacts of a piece by buckets.
    ///
    /// # Safety
    ///
    /// Nobody else counts the same piece.
    pub unsafe fn count_piece(&self, piece: usize, findings: &Findings, earliest: &Earliest) {
        // SAFETY: `start` made room for every piece; this one is the caller's.
        let counts = unsafe { self.places_of(piece) };
        counts.fill(0);
        for (bits, found) in self.part(piece, findings) {
            if earliest.is_among_first(found) {
                counts[self.bucket(bits)] += 1;
            }
        }
    }

    /// Between counting and scattering: where everything goes. Returns how many contacts there are.
    pub fn place(&mut self) -> usize {
        let ends = &mut self.ends[..self.bucket_count];
        let pieces = &mut self.places[..self.pieces.len() * self.bucket_count];
        ends.fill(0);
        // Row by row, in lanes: buckets are many.
        for counts in pieces.chunks(self.bucket_count) {
            ends.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        let mut next = 0;
        for sum in ends.iter_mut() {
            next += std::mem::replace(sum, next);
        }
        for places in pieces.chunks_mut(self.bucket_count) {
            for (end, place) in ends.iter_mut().zip(places) {
                let count = std::mem::replace(place, *end);
                *end += count;
            }
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
        let places = unsafe { self.places_of(piece) };
        for (bits, found) in self.part(piece, findings) {
            if earliest.is_among_first(found) {
                let place = &mut places[self.bucket(bits)];
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
            if first == self.bucket_count || begin >= kept {
                return None;
            }
            while bucket < self.bucket_count
                && (bucket == first || (self.ends[bucket] as usize) < begin + SHARE)
            {
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
            let Found { pair, .. } = *unsafe { key.found() };
            (pair.vertices, pair.numbers)
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
        self.packing.is_alike(a.bits, b.bits)
    }

    /// The ranks of a contact's meshes, and its kind.
    pub fn meshes_and_kind(&self, key: &Key) -> ([u32; 2], Kind) {
        self.packing.meshes_and_kind(key.bits)
    }
}
