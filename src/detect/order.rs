//! The order of contacts: by meshes, kind, vertices and triangles. Edges with the same ends are one edge; only triangles with the same corners are told apart by their numbers.
//!
//! Contacts are found in any order by any worker. They are dealt out to buckets by the highest bits of what they are sorted by, which workers do piece by piece: all pieces
//! are counted, then each knows where its part of every bucket is. Then every bucket is sorted for itself. The result is the same for any number of workers.

use super::contacts::{Earliest, Findings, Found, SEGMENT};
use super::features::Named;
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
            keys: Buffer::new(memory.clone()),
            count: 0,
        }
    }

    /// Begins: cuts what was found into pieces, and returns how many these are. Ranks are those of meshes with so many vertices.
    pub fn start<'a>(
        &mut self,
        lists: impl Iterator<Item = &'a Findings> + Clone,
        vertex_counts: impl ExactSizeIterator<Item = usize>,
    ) -> Result<usize, MemoryError> {
        let total = lists.clone().map(Findings::len).sum();
        let bucket_bits = bucket_bits(total);
        self.bucket_count = 1 << bucket_bits;
        self.packing.start(vertex_counts, bucket_bits)?;
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

    fn part<'a>(&self, piece: usize, findings: &'a Findings) -> impl Iterator<Item = &'a Found> {
        let Piece { first, end, .. } = self.pieces[piece];
        findings.range(first as usize..end as usize)
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
        for found in self.part(piece, findings) {
            if earliest.is_among_first(found) {
                counts[self.packing.bucket(self.packing.pack(found))] += 1;
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

/// How ranks, kind and vertices fit into 64 bits. Each number gets as many as the largest one of its mesh takes: contacts that begin with the same ranks and kind have
/// vertices of the same meshes. The lowest bits of the last vertices are left out if that is too much.
struct Packing {
    /// By rank, the bits of a vertex.
    widths: Buffer<u8>,
    /// The bits of a rank.
    rank: u32,
    /// Bits below ranks and kind, for the vertices.
    below_kind: u32,
    /// Bits below those that tell the bucket.
    below_bucket: u32,
}

/// The bits of a number less than `count`.
fn width(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

impl Packing {
    fn new(memory: &Memory) -> Packing {
        Packing { widths: Buffer::new(memory.clone()), rank: 0, below_kind: 0, below_bucket: 0 }
    }

    fn start(
        &mut self,
        vertex_counts: impl ExactSizeIterator<Item = usize>,
        bucket_bits: u32,
    ) -> Result<(), MemoryError> {
        self.rank = width(vertex_counts.len());
        self.widths.clear();
        self.widths.reserve_exact(vertex_counts.len())?;
        let mut widest = 0;
        for count in vertex_counts {
            self.widths.push(width(count) as u8)?;
            widest = widest.max(width(count));
        }
        // Ranks are below 2³¹, so that they always fit.
        let above = 2 * self.rank + 1;
        self.below_kind = (4 * widest).min(u64::BITS - above);
        self.below_bucket = (above + self.below_kind).saturating_sub(bucket_bits);
        Ok(())
    }

    fn pack(&self, contact: &Found) -> u64 {
        let Found { ranks: [a, b], kind, pair: Named { vertices, .. }, .. } = *contact;
        let [first, last] = [a, b].map(|rank| self.widths[rank as usize] as u32);
        // The mesh that the second vertex is of depends on the kind.
        let second = if kind == Kind::VertexFace { last } else { first };
        let [v, w, x, y] = vertices.map(u128::from);
        let all = ((v << second | w) << last | x) << last | y;
        let too_much = (first + second + 2 * last).saturating_sub(self.below_kind);
        let above = ((a as u64) << self.rank | b as u64) << 1 | (kind as u64 - 1);
        above << self.below_kind | (all >> too_much) as u64
    }

    fn meshes_and_kind(&self, bits: u64) -> u64 {
        bits >> self.below_kind
    }

    fn bucket(&self, bits: u64) -> usize {
        (bits >> self.below_bucket) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elementary::Impact;

    /// Bits are in the order of the numbers, whatever the sizes of the meshes are, also where some are left out.
    #[test]
    fn bits_never_contradict_the_order() {
        let mut state = 5u64;
        let mut below = |limit: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 20) as usize % limit
        };
        let memory = Memory::new(None).unwrap();
        let mut told = 0;
        for round in 0..300 {
            let limit = [4, 300, 1 << 20, 1 << 32][round % 4];
            let counts: Vec<usize> = (0..1 + below(40)).map(|_| 1 + below(limit)).collect();
            let mut packing = Packing::new(&memory);
            packing.start(counts.iter().copied(), bucket_bits(below(1 << 20))).unwrap();
            let mut list: Vec<Found> = (0..100)
                .map(|_| {
                    let ranks = [below(counts.len().min(3)), below(counts.len())];
                    let kind = if below(2) == 0 { Kind::VertexFace } else { Kind::EdgeEdge };
                    let second = usize::from(kind == Kind::VertexFace);
                    let vertices = [0, second, 1, 1].map(|side: usize| {
                        // near each other, so that the last ones matter
                        below(counts[ranks[side]].min(3)) as u32
                    });
                    let pair = Named { vertices, numbers: [0; 2] };
                    Found { ranks: ranks.map(|rank| rank as u32), kind, pair, impact: Impact::AT_START }
                })
                .collect();
            let full = |found: &Found| (found.ranks, found.kind, found.pair.vertices);
            list.sort_by_key(full);
            for two in list.windows(2) {
                let [a, b] = [&two[0], &two[1]].map(|found| packing.pack(found));
                assert!(a <= b, "round {round}");
                assert!(packing.bucket(a) <= packing.bucket(b), "round {round}");
                let alike = full(&two[0]).0 == full(&two[1]).0 && two[0].kind == two[1].kind;
                assert_eq!(packing.meshes_and_kind(a) == packing.meshes_and_kind(b), alike, "round {round}");
                told += usize::from(full(&two[0]) != full(&two[1]) && a != b);
            }
        }
        assert!(told > 10_000, "{told}: not much of a test");
    }
}
