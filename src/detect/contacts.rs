//! What was found: collected in any order, then put into one that depends on nothing but the contacts.

use super::features::{Chunk, Named, PairOfFeatures};
use super::order::Order;
use super::query::Mode;
use crate::bvh::Period;
use crate::elementary::describe::{Collisions, describe};
use crate::elementary::edge_edge::EdgeEdge;
use crate::elementary::stages::CHUNK;
use crate::elementary::vertex_face::VertexFace;
use crate::elementary::{Hit, Impact, Kind, Settings};
use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::Mesh;
use crate::simd::{self, Doubles, Kernel, Level};
use std::marker::PhantomData;

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

/// A contact without what can be computed from it. Meshes are known by their ranks in the hierarchy.
#[derive(Clone, Copy)]
pub struct Found {
    pub ranks: [u32; 2],
    pub kind: Kind,
    pub pair: Named,
    pub impact: Impact,
}

/// Contacts on their way to the caller.
pub struct Contacts {
    found: Buffer<Found>,
    order: Order,
    mode: Mode,
    /// The smallest `toi_lower` so far; for [`Mode::Earliest`].
    earliest: f64,
}

/// The meshes that ranks stand for.
pub trait Ranks {
    fn id(&self, rank: u32) -> u64;

    fn mesh(&self, rank: u32) -> &Mesh;

    /// At which distance two of them collide.
    fn separation(&self, ranks: [u32; 2]) -> f64;
}

impl Contacts {
    pub fn new(memory: &Memory) -> Contacts {
        Contacts {
            found: Buffer::new(memory.clone()),
            order: Order::new(memory),
            mode: Mode::All,
            earliest: 1.0,
        }
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

    pub fn wants(&self, impact: &Impact) -> bool {
        self.mode != Mode::Earliest || impact.toi_lower <= self.earliest
    }

    pub fn add(
        &mut self,
        ranks: [u32; 2],
        kind: Kind,
        pair: Named,
        impact: Impact,
    ) -> Result<(), MemoryError> {
        if self.mode == Mode::Earliest && impact.toi_lower < self.earliest {
            self.found.clear();
            self.earliest = impact.toi_lower;
        }
        self.found.push(Found { ranks, kind, pair, impact })
    }

    pub fn add_candidate(&mut self, ranks: [u32; 2], kind: Kind, pair: Named) -> Result<(), MemoryError> {
        self.add(ranks, kind, pair, Impact { at_start: false, toi_lower: 0.0, toi_upper: 1.0 })
    }

    /// Writes the first `capacity` contacts in sorted order to `sorted`, with weights and normals. Returns how many there are.
    pub fn finish(
        &mut self,
        level: Level,
        ranks: &dyn Ranks,
        capacity: usize,
        sorted: &mut Buffer<Contact>,
    ) -> Result<usize, MemoryError> {
        let order = self.order.sort(&self.found)?;
        let count = if self.mode == Mode::Earliest { order.len().min(1) } else { order.len() };
        let kept = count.min(capacity);
        sorted.clear();
        sorted.reserve_exact(kept)?;
        let found = &self.found;
        let first = |place: usize| &found[order[place] as usize];
        let mut start = 0;
        while start < kept {
            // those of one kind and two meshes
            let Found { ranks: of, kind, .. } = *first(start);
            let end = start
                + order[start..kept].partition_point(|&i| {
                    let found = &found[i as usize];
                    (found.ranks, found.kind) == (of, kind)
                });
            let alike = Alike { found, order: &order[start..end], of, ranks, mode: self.mode, sorted };
            match kind {
                Kind::VertexFace => simd::dispatch(level, Describe::<VertexFace>(alike, PhantomData))?,
                Kind::EdgeEdge => simd::dispatch(level, Describe::<EdgeEdge>(alike, PhantomData))?,
            }
            start = end;
        }
        Ok(count)
    }
}

/// Contacts of one kind between two meshes, in their order.
struct Alike<'a> {
    found: &'a [Found],
    order: &'a [u32],
    of: [u32; 2],
    ranks: &'a dyn Ranks,
    mode: Mode,
    sorted: &'a mut Buffer<Contact>,
}

struct Describe<'a, P>(Alike<'a>, PhantomData<P>);

impl<P: PairOfFeatures> Kernel for Describe<'_, P> {
    type Output = Result<(), MemoryError>;

    #[inline(always)]
    fn run<V: Doubles>(self) -> Result<(), MemoryError> {
        let Alike { found, order, of, ranks, mode, sorted } = self.0;
        let meshes = [ranks.mesh(of[0]), ranks.mesh(of[1])];
        let (ids, features) = ([ranks.id(of[0]), ranks.id(of[1])], meshes.map(Mesh::features));
        let nothing =
            Hit { at_start: false, toi_lower: 0.0, toi_upper: 1.0, weights: [0.0; 4], normal: [0.0; 3] };
        let contact = |found: &Found, hit: &Hit| Contact {
            mesh_a: ids[0],
            mesh_b: ids[1],
            kind: P::KIND,
            flags: if hit.at_start { AT_START } else { 0 },
            vertices: found.pair.vertices,
            triangles: P::triangles(features, &found.pair),
            toi_lower: hit.toi_lower,
            toi_upper: hit.toi_upper,
            weights: hit.weights,
            normal: hit.normal,
        };
        if mode == Mode::Candidates {
            for &index in order {
                sorted.push(contact(&found[index as usize], &nothing))?;
            }
            return Ok(());
        }
        let mut vertices = [[0; 4]; CHUNK];
        let mut queries = Chunk::new::<P>(meshes, &mut vertices);
        let mut collisions = Collisions::EMPTY;
        let mut result = Ok(());
        for chunk in order.chunks(CHUNK) {
            collisions.clear();
            for (place, &index) in chunk.iter().enumerate() {
                let found = &found[index as usize];
                queries.set(place, found.pair.vertices);
                collisions.push(place as u32, found.impact);
            }
            let mut report = |place: usize, hit: &Hit| {
                if result.is_ok() {
                    result = sorted.push(contact(&found[chunk[place] as usize], hit));
                }
            };
            describe::<V, P, Chunk<'_>>(&queries, collisions.as_slice(), ranks.separation(of), &mut report);
        }
        result
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
