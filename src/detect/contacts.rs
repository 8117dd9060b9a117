//! What was found: collected in any order, then put into one that depends on nothing but the contacts.

use super::features::Named;
use super::query::Mode;
use crate::bvh::Period;
use crate::elementary::{Impact, Kind, Settings};
use crate::memory::{Buffer, Memory, MemoryError};
use std::sync::atomic::{AtomicU64, Ordering};

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
    pub fn at_start(&self) -> bool {
        self.flags & AT_START != 0
    }
}

/// A contact without what can be computed from it, in one cache line. Meshes are known by their ranks in the hierarchy.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Found {
    pub ranks: [u32; 2],
    pub kind: Kind,
    pub pair: Named,
    pub impact: Impact,
}

/// What one worker has found.
pub struct Findings {
    pub list: Buffer<Found>,
    mode: Mode,
    /// The smallest `toi_lower` in the list.
    earliest: f64,
}

impl Findings {
    pub fn new(memory: &Memory) -> Findings {
        Findings { list: Buffer::new(memory.clone()), mode: Mode::All, earliest: 1.0 }
    }

    pub fn start(&mut self, mode: Mode) {
        self.list.clear();
        self.mode = mode;
        self.earliest = 1.0;
    }

    pub fn add(
        &mut self,
        ranks: [u32; 2],
        kind: Kind,
        pair: Named,
        impact: Impact,
    ) -> Result<(), MemoryError> {
        if self.mode == Mode::Earliest && impact.toi_lower < self.earliest {
            self.list.clear();
            self.earliest = impact.toi_lower;
        }
        self.list.push(Found { ranks, kind, pair, impact })
    }

    pub fn add_candidate(&mut self, ranks: [u32; 2], kind: Kind, pair: Named) -> Result<(), MemoryError> {
        self.add(ranks, kind, pair, Impact { at_start: false, toi_lower: 0.0, toi_upper: 1.0 })
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
