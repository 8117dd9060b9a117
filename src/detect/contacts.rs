//! What was found: collected in any order, then put into one that depends on nothing but the contacts.

use super::features::Named;
use super::query::Mode;
use crate::bvh::Period;
use crate::elementary::{Hit, Kind, Settings};
use crate::memory::{Buffer, Memory, MemoryError};

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

/// Contacts on their way to the caller. Until they are sorted, meshes are known by their ranks in the hierarchy.
pub struct Contacts {
    found: Buffer<Contact>,
    keys: Buffer<Key>,
    spare: Buffer<Key>,
    mode: Mode,
    /// The smallest `toi_lower` so far; for [`Mode::Earliest`].
    earliest: f64,
    edge_edge_count: u64,
}

/// What a contact is sorted by first, and which it is.
#[derive(Clone, Copy, Default)]
struct Key {
    meshes_and_kind: u64,
    /// The first vertex, and the second but for its last two bits.
    vertices: u64,
    index: u32,
}

impl Contacts {
    pub fn new(memory: &Memory) -> Contacts {
        Contacts {
            found: Buffer::new(memory.clone()),
            keys: Buffer::new(memory.clone()),
            spare: Buffer::new(memory.clone()),
            mode: Mode::All,
            earliest: 1.0,
            edge_edge_count: 0,
        }
    }

    /// How many of the contacts last sorted are of two edges.
    pub fn edge_edge_count(&self) -> u64 {
        self.edge_edge_count
    }

    pub fn start(&mut self, mode: Mode) {
        self.found.clear();
        self.mode = mode;
        self.earliest = 1.0;
    }

    /// When contacts still matter. Of a contact with the same `toi_lower` as the earliest one, the exact time is at most a tolerance
    /// later; with twice that, none that could be the first in sorted order is lost.
    pub fn period(&self, settings: &Settings) -> Period {
        let until = match self.mode {
            Mode::Earliest => (self.earliest + 2.0 * settings.toi_tolerance).min(1.0),
            _ => 1.0,
        };
        Period { from: 0.0, until: (until as f32).next_up().min(1.0) }
    }

    pub fn wants(&self, hit: &Hit) -> bool {
        self.mode != Mode::Earliest || hit.toi_lower <= self.earliest
    }

    pub fn add(&mut self, ranks: [u32; 2], kind: Kind, named: Named, hit: &Hit) -> Result<(), MemoryError> {
        if self.mode == Mode::Earliest && hit.toi_lower < self.earliest {
            self.found.clear();
            self.earliest = hit.toi_lower;
        }
        self.found.push(Contact {
            mesh_a: ranks[0] as u64,
            mesh_b: ranks[1] as u64,
            kind,
            flags: if hit.at_start { AT_START } else { 0 },
            vertices: named.vertices,
            triangles: named.triangles,
            toi_lower: hit.toi_lower,
            toi_upper: hit.toi_upper,
            weights: hit.weights,
            normal: hit.normal,
        })
    }

    pub fn add_candidate(&mut self, ranks: [u32; 2], kind: Kind, named: Named) -> Result<(), MemoryError> {
        let whole =
            Hit { at_start: false, toi_lower: 0.0, toi_upper: 1.0, weights: [0.0; 4], normal: [0.0; 3] };
        self.add(ranks, kind, named, &whole)
    }

    /// Writes the first `capacity` contacts in sorted order to `sorted`, with the ids of their meshes. Returns how many there are.
    pub fn sort(
        &mut self,
        id_of: &dyn Fn(u32) -> u64,
        capacity: usize,
        sorted: &mut Buffer<Contact>,
    ) -> Result<usize, MemoryError> {
        sorted.clear();
        let count = self.found.len();
        self.keys.clear();
        self.keys.reserve_exact(count)?;
        for (index, contact) in self.found.iter().enumerate() {
            self.keys.push(Key {
                meshes_and_kind: contact.mesh_a << 33 | contact.mesh_b << 2 | contact.kind as u64,
                vertices: (contact.vertices[0] as u64) << 30 | contact.vertices[1] as u64 >> 2,
                index: index as u32,
            })?;
        }
        self.spare.resize(count, Key::default())?;
        radix_sort(&mut self.keys, &mut self.spare, |key| key.vertices);
        radix_sort(&mut self.keys, &mut self.spare, |key| key.meshes_and_kind);
        let found = &self.found;
        let same_start =
            |a: &Key, b: &Key| (a.meshes_and_kind, a.vertices) == (b.meshes_and_kind, b.vertices);
        for run in self.keys.chunk_by_mut(same_start) {
            run.sort_unstable_by_key(|key| {
                let contact = &found[key.index as usize];
                (contact.vertices, contact.triangles)
            });
        }
        let kept = match self.mode {
            Mode::Earliest => count.min(1),
            _ => count.min(capacity),
        };
        sorted.reserve(kept)?;
        self.edge_edge_count = 0;
        for key in &self.keys[..kept] {
            let mut contact = found[key.index as usize];
            self.edge_edge_count += (contact.kind == Kind::EdgeEdge) as u64;
            contact.mesh_a = id_of(contact.mesh_a as u32);
            contact.mesh_b = id_of(contact.mesh_b as u32);
            sorted.push(contact)?;
        }
        Ok(if self.mode == Mode::Earliest { kept } else { count })
    }
}

/// Sorts by a 64-bit number and keeps the order of equals: eleven bits at a time, the lowest first, leaving out those that are the same
/// everywhere.
fn radix_sort(keys: &mut Buffer<Key>, spare: &mut Buffer<Key>, number: impl Fn(&Key) -> u64) {
    const BITS: u32 = 11;
    let (all, any) = keys.iter().fold((!0, 0), |(all, any), key| (all & number(key), any | number(key)));
    let mut shift = 0;
    while shift < 64 {
        let digit = |key: &Key| (number(key) >> shift) as usize & ((1 << BITS) - 1);
        if ((all ^ any) >> shift) & ((1 << BITS) - 1) != 0 {
            let mut ends = [0u32; 1 << BITS];
            keys.iter().for_each(|key| ends[digit(key)] += 1);
            let mut next = 0;
            for end in &mut ends {
                next += std::mem::replace(end, next);
            }
            for key in keys.iter() {
                let place = &mut ends[digit(key)];
                spare[*place as usize] = *key;
                *place += 1;
            }
            std::mem::swap(keys, spare);
        }
        shift += BITS;
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
