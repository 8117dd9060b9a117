//! What was found: collected in any order, then put into one that depends on nothing but the contacts.

use super::features::Named;
use super::packing::Packer;
use super::query::Mode;
use crate::bvh::Period;
use crate::elementary::{Impact, Kind, Settings};
use crate::locks::Mutex;
use crate::memory::{Buffer, Memory, MemoryError};
use std::ops::Range;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Set in [`Contact::flags`] if the features touch already at t = 0.
pub const AT_START: u32 = 1;

/// Two features that touch. C programs get it as it is: `pccd_contact`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Contact {
    pub mesh_a: u64,
    pub mesh_b: u64,
    pub kind: Kind,
    pub flags: u32,
    pub vertices: [u32; 4],
    pub triangles: [u32; 2],
    pub toi_lower: f64,
    pub toi_upper: f64,
    pub weights: [f64; 4],
    pub normal: [f64; 3],
}

impl Contact {
    /// What room for contacts is filled with.
    pub const NOTHING: Contact = Contact {
        mesh_a: 0,
        mesh_b: 0,
        kind: Kind::VertexFace,
        flags: 0,
        vertices: [0; 4],
        triangles: [0; 2],
        toi_lower: 0.0,
        toi_upper: 0.0,
        weights: [0.0; 4],
        normal: [0.0; 3],
    };

    pub fn at_start(&self) -> bool {
        self.flags & AT_START != 0
    }
}

/// A contact without what can be computed from it, nor what its [`bits`](super::packing::Packer::pack) tell.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub struct Found {
    pub pair: Named,
    pub impact: Impact,
}

impl Found {
    const NOTHING: Found =
        Found { pair: Named { vertices: [0; 4], numbers: [0; 2] }, impact: Impact::AT_START };
}

/// What one worker has found, in segments of equal length: what is there stays where it is when there is more, and what one worker does not need another one can have.
pub struct Findings {
    /// All but the last one in use are full.
    segments: Buffer<Segment>,
    in_use: usize,
    mode: Mode,
    /// The smallest `toi_lower` of all.
    earliest: f64,
}

impl Findings {
    pub fn new(memory: &Memory) -> Findings {
        Findings { segments: Buffer::new(memory.clone()), in_use: 0, mode: Mode::All, earliest: 1.0 }
    }

    /// Forgets everything; others may have the segments.
    pub fn start(&mut self, mode: Mode, spare: &mut Spare) {
        spare.take_back(&mut self.segments);
        self.in_use = 0;
        self.mode = mode;
        self.earliest = 1.0;
    }

    #[inline(always)]
    pub fn add(
        &mut self,
        spare: &Spare,
        packer: &Packer,
        pair: Named,
        impact: Impact,
    ) -> Result<(), MemoryError> {
        if self.mode == Mode::Earliest && impact.toi_lower < self.earliest {
            self.forget();
            self.earliest = impact.toi_lower;
        }
        let last = self.in_use.checked_sub(1).and_then(|last| self.segments.get(last));
        if last.is_none_or(|last| last.len() == SEGMENT) {
            self.begin_segment(spare)?;
        }
        self.segments[self.in_use - 1].push(packer.pack(pair.vertices), Found { pair, impact })
    }

    #[cold]
    fn forget(&mut self) {
        for segment in &mut self.segments[..self.in_use] {
            segment.clear();
        }
        self.in_use = 0;
    }

    #[cold]
    fn begin_segment(&mut self, spare: &Spare) -> Result<(), MemoryError> {
        if self.in_use == self.segments.len() {
            self.segments.reserve(1)?;
            self.segments.push(spare.give()?)?;
        }
        self.in_use += 1;
        Ok(())
    }

    pub fn add_candidate(&mut self, spare: &Spare, packer: &Packer, pair: Named) -> Result<(), MemoryError> {
        self.add(spare, packer, pair, Impact { at_start: false, toi_lower: 0.0, toi_upper: 1.0 })
    }

    pub fn len(&self) -> usize {
        self.in_use.checked_sub(1).map_or(0, |full| full * SEGMENT + self.segments[full].len())
    }

    /// Some in a row, the first of which begins a segment, and what they are sorted by.
    pub fn range(&self, range: Range<usize>) -> impl Iterator<Item = (u64, &Found)> {
        debug_assert!(range.start.is_multiple_of(SEGMENT) && range.end <= self.len());
        let segments = self.segments[range.start / SEGMENT..self.in_use].iter();
        let found = segments.flat_map(|segment| segment.bits.iter().copied().zip(segment.found.iter()));
        found.take(range.len())
    }
}

/// Contacts of a segment.
pub const SEGMENT: usize = 1 << 10;

/// Contacts that were found one after the other.
struct Segment {
    found: Buffer<Found>,
    /// What each is sorted by: nothing else is read when they are dealt out.
    bits: Buffer<u64>,
}

impl Segment {
    fn new(memory: &Memory) -> Result<Segment, MemoryError> {
        let mut segment = Segment { found: Buffer::new(memory.clone()), bits: Buffer::new(memory.clone()) };
        segment.found.reserve_exact(SEGMENT)?;
        segment.bits.reserve_exact(SEGMENT)?;
        Ok(segment)
    }

    /// With memory that was written to, so that the system has handed it out.
    fn touched(memory: &Memory) -> Result<Segment, MemoryError> {
        let mut segment = Segment::new(memory)?;
        segment.found.resize(SEGMENT, Found::NOTHING)?;
        segment.bits.resize(SEGMENT, 0)?;
        segment.clear();
        Ok(segment)
    }

    fn len(&self) -> usize {
        self.bits.len()
    }

    fn clear(&mut self) {
        self.found.clear();
        self.bits.clear();
    }

    #[inline(always)]
    fn push(&mut self, bits: u64, found: Found) -> Result<(), MemoryError> {
        self.found.push(found)?;
        self.bits.push(bits)
    }
}

/// Segments that no worker has.
pub struct Spare {
    segments: Mutex<Buffer<Segment>>,
    /// With those that workers have.
    count: AtomicUsize,
    memory: Memory,
}

impl Spare {
    pub fn new(memory: &Memory) -> Spare {
        let segments = Mutex::new(Buffer::new(memory.clone()));
        Spare { segments, count: AtomicUsize::new(0), memory: memory.clone() }
    }

    /// An empty segment, a new one if there is no other.
    fn give(&self) -> Result<Segment, MemoryError> {
        let mut segments = self.segments.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(segment) = segments.pop() {
            return Ok(segment);
        }
        // So that all can be taken back.
        let count = self.count.load(Ordering::Relaxed) + 1;
        segments.reserve(count)?;
        let segment = Segment::new(&self.memory)?;
        self.count.store(count, Ordering::Relaxed);
        Ok(segment)
    }

    fn take_back(&mut self, segments: &mut Buffer<Segment>) {
        let spare = self.segments.get_mut().unwrap_or_else(PoisonError::into_inner);
        while let Some(mut segment) = segments.pop() {
            segment.clear();
            spare.push(segment).expect("there is room for all");
        }
    }

    /// Makes segments until these workers can find so many contacts, whoever finds which. The memory of new ones is written to, so that the system has handed it out.
    pub fn reserve<'a>(
        &mut self,
        contact_count: usize,
        findings: impl ExactSizeIterator<Item = &'a mut Findings>,
    ) -> Result<(), MemoryError> {
        // Of each worker, one may be left almost empty.
        let most = contact_count / SEGMENT + findings.len().min(contact_count);
        let count = self.count.get_mut();
        let spare = self.segments.get_mut().unwrap_or_else(PoisonError::into_inner);
        spare.reserve(most.saturating_sub(spare.len()))?;
        while *count < most {
            spare.push(Segment::touched(&self.memory)?)?;
            *count += 1;
        }
        for findings in findings {
            let more = most.saturating_sub(findings.segments.len());
            findings.segments.reserve(more)?;
        }
        Ok(())
    }
}

/// The smallest `toi_lower` that any worker has found so far, if that is all that is wanted. Who learns of it late does more than necessary, and nothing wrong.
pub struct Earliest {
    is_wanted: bool,
    /// Its bits; times are not negative, and so their bits are in the same order.
    bits: AtomicU64,
}

impl Earliest {
    pub fn new(mode: Mode) -> Earliest {
        Earliest { is_wanted: mode == Mode::Earliest, bits: AtomicU64::new(1.0f64.to_bits()) }
    }

    pub fn get(&self) -> f64 {
        f64::from_bits(self.bits.load(Ordering::Relaxed))
    }

    /// When contacts still matter. Of a contact with the same `toi_lower` as the earliest one, the exact time is at most a tolerance
    /// later; with twice that, none that could be the first in sorted order is lost.
    pub fn period(&self, settings: &Settings) -> Period {
        let until = if self.is_wanted { (self.get() + 2.0 * settings.toi_tolerance).min(1.0) } else { 1.0 };
        Period { from: 0.0, until: (until as f32).next_up().min(1.0) }
    }

    /// Whether a contact matters, which it makes known then.
    pub fn wants(&self, impact: &Impact) -> bool {
        if !self.is_wanted {
            return true;
        }
        // a zero may have a sign, which would make its bits large
        let bits = (impact.toi_lower + 0.0).to_bits();
        self.bits.fetch_min(bits, Ordering::Relaxed) >= bits
    }

    /// Whether it is one of the earliest, once all are known.
    pub fn is_among_first(&self, found: &Found) -> bool {
        !self.is_wanted || found.impact.toi_lower <= self.get()
    }
}

/// A number that depends on every bit of every contact, with the rank of the meshes among all instead of their ids.
pub fn hash(contacts: &[Contact], rank_of: &dyn Fn(u64) -> u64) -> u64 {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut add = |number: u64| {
        state = (state ^ number).wrapping_mul(0xff51_afd7_ed55_8ccd);
        state ^= state >> 32;
    };
    add(contacts.len() as u64);
    for contact in contacts {
        add(rank_of(contact.mesh_a) << 32 | rank_of(contact.mesh_b));
        add((contact.kind as u64) << 32 | contact.flags as u64);
        let [v0, v1, v2, v3] = contact.vertices.map(u64::from);
        let [t0, t1] = contact.triangles.map(u64::from);
        for pair in [v0 << 32 | v1, v2 << 32 | v3, t0 << 32 | t1] {
            add(pair);
        }
        let numbers = [contact.toi_lower, contact.toi_upper].into_iter();
        for number in numbers.chain(contact.weights).chain(contact.normal) {
            add(number.to_bits());
        }
    }
    state
}

#[cfg(test)]
mod tests {
    use super::super::packing::Packing;
    use super::*;
    use crate::memory::counting::Counting;

    fn add(findings: &mut Findings, spare: &Spare, number: u32, time: f64) {
        let pair = Named { vertices: [number; 4], numbers: [0; 2] };
        let impact = Impact { at_start: false, toi_lower: time, toi_upper: time };
        findings.add(spare, &packer(), pair, impact).unwrap();
    }

    /// For two meshes of a few vertices.
    fn packer() -> Packer {
        let mut packing = Packing::new(&Memory::new(None).unwrap());
        packing.start([1 << 16].into_iter()).unwrap();
        packing.of([0; 2], Kind::EdgeEdge)
    }

    fn numbers(findings: &Findings, range: Range<usize>) -> Vec<u32> {
        let check = |(bits, found): (u64, &Found)| {
            assert_eq!(bits, packer().pack(found.pair.vertices));
            found.pair.vertices[0]
        };
        findings.range(range).map(check).collect()
    }

    #[test]
    fn findings_are_kept_in_order_across_segments() {
        let memory = Memory::new(None).unwrap();
        let (spare, mut findings) = (Spare::new(&memory), Findings::new(&memory));
        assert_eq!((findings.len(), numbers(&findings, 0..0)), (0, vec![]));
        let count = 3 * SEGMENT + 5;
        (0..count as u32).for_each(|number| add(&mut findings, &spare, number, 0.5));
        assert_eq!(findings.len(), count);
        assert_eq!(numbers(&findings, 0..count), (0..count as u32).collect::<Vec<_>>());
        let part = SEGMENT..2 * SEGMENT + 7;
        assert_eq!(numbers(&findings, part.clone()), part.map(|i| i as u32).collect::<Vec<_>>());
        assert_eq!(numbers(&findings, 2 * SEGMENT..2 * SEGMENT + 1), [2 * SEGMENT as u32]);
    }

    #[test]
    fn an_earlier_contact_replaces_all_later_ones() {
        let memory = Memory::new(None).unwrap();
        let (mut spare, mut findings) = (Spare::new(&memory), Findings::new(&memory));
        findings.start(Mode::Earliest, &mut spare);
        (0..2 * SEGMENT as u32).for_each(|number| add(&mut findings, &spare, number, 0.5));
        add(&mut findings, &spare, 7, 0.25);
        add(&mut findings, &spare, 8, 0.25);
        assert_eq!((findings.len(), numbers(&findings, 0..2)), (2, vec![7, 8]));
    }

    #[test]
    fn room_is_enough_for_any_division() {
        let counting = Counting::default();
        let memory = Memory::new(Some(counting.hook())).unwrap();
        let mut spare = Spare::new(&memory);
        let mut findings: Vec<Findings> = (0..3).map(|_| Findings::new(&memory)).collect();
        let count = 4 * SEGMENT;
        spare.reserve(count, findings.iter_mut()).unwrap();
        let allocations = counting.allocations.get();
        // The last two need the most segments: all workers have one that is almost empty.
        let most_segments = [SEGMENT + 1, SEGMENT + 1, 2 * SEGMENT - 2];
        for shares in [[count, 0, 0], [0, 0, count], most_segments, [1, 1, count - 2]] {
            findings.iter_mut().for_each(|findings| findings.start(Mode::All, &mut spare));
            for (share, findings) in shares.into_iter().zip(&mut findings) {
                (0..share as u32).for_each(|number| add(findings, &spare, number, 0.5));
                assert_eq!(findings.len(), share);
            }
        }
        assert_eq!(counting.allocations.get(), allocations);
    }

    #[test]
    fn a_refusal_loses_nothing() {
        let counting = Counting::default();
        let memory = Memory::new(Some(counting.hook())).unwrap();
        let (mut spare, mut findings) = (Spare::new(&memory), Findings::new(&memory));
        (0..SEGMENT as u32).for_each(|number| add(&mut findings, &spare, number, 0.5));
        counting.limit.set(Some(counting.allocations.get()));
        let pair = Named { vertices: [0; 4], numbers: [0; 2] };
        assert!(findings.add_candidate(&spare, &packer(), pair).is_err());
        assert_eq!(findings.len(), SEGMENT);
        assert!(spare.reserve(5 * SEGMENT, [&mut findings].into_iter()).is_err());
        counting.limit.set(None);
        add(&mut findings, &spare, 9, 0.5);
        assert_eq!(numbers(&findings, SEGMENT..SEGMENT + 1), [9]);
        findings.start(Mode::All, &mut spare);
        drop((findings, spare, memory));
        assert_eq!(counting.bytes.get(), 0);
    }
}
