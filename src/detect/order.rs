//! The order of contacts: by meshes, kind, vertices and triangles.
//!
//! Edges with the same ends are one edge; only triangles with the same corners are told apart by their numbers.

use super::contacts::Found;
use super::features::Named;
use crate::memory::{Buffer, Memory, MemoryError};

/// Sorts contacts without moving them.
pub struct Order {
    keys: Buffer<Key>,
    spare: Buffer<Key>,
    indices: Buffer<u32>,
}

/// The highest bits of what a contact is sorted by, and which it is.
#[derive(Clone, Copy, Default)]
struct Key {
    bits: u64,
    index: u32,
}

impl Order {
    pub fn new(memory: &Memory) -> Order {
        Order {
            keys: Buffer::new(memory.clone()),
            spare: Buffer::new(memory.clone()),
            indices: Buffer::new(memory.clone()),
        }
    }

    /// The indices of the contacts in sorted order.
    pub fn sort(&mut self, found: &[Found]) -> Result<&[u32], MemoryError> {
        let packing = Packing::new(found);
        self.keys.clear();
        self.keys.reserve_exact(found.len())?;
        for (index, contact) in found.iter().enumerate() {
            self.keys.push(Key { bits: packing.pack(contact), index: index as u32 })?;
        }
        self.spare.resize(found.len(), Key::default())?;
        let mut sorted_from = u64::BITS;
        if found.len() > FEW {
            sorted_from = packing.third_vertex;
            radix_sort(&mut self.keys, &mut self.spare, sorted_from);
        }
        // What is equal so far is sorted in full.
        let high = |key: &Key| key.bits.checked_shr(sorted_from).unwrap_or(0);
        for run in self.keys.chunk_by_mut(|a, b| high(a) == high(b)).filter(|run| run.len() > 1) {
            run.sort_unstable_by(|a, b| {
                let full = |key: &Key| {
                    let Found { ranks, kind, pair, .. } = found[key.index as usize];
                    (ranks, kind, pair.vertices, pair.numbers)
                };
                a.bits.cmp(&b.bits).then_with(|| full(a).cmp(&full(b)))
            });
        }
        self.indices.clear();
        self.indices.reserve_exact(found.len())?;
        for key in self.keys.iter() {
            self.indices.push(key.index)?;
        }
        Ok(&self.indices)
    }
}

/// Fewer are sorted by comparison alone.
const FEW: usize = 256;

/// How ranks, kind and the first three vertices fit into 64 bits: each with as many as the largest of them has, and if that is too much, without the
/// lowest ones.
struct Packing {
    /// Of each rank, and of each vertex.
    widths: [u32; 5],
    /// Lowest bits that are left out.
    dropped: u32,
    /// Bits of the third vertex that are not left out: the others come above them.
    third_vertex: u32,
}

impl Packing {
    fn new(found: &[Found]) -> Packing {
        let mut any = [0; 5];
        for Found { ranks: [a, b], pair: Named { vertices: [v, w, x, _], .. }, .. } in found {
            for (any, number) in any.iter_mut().zip([a, b, v, w, x]) {
                *any |= number;
            }
        }
        let widths = any.map(|bits| u32::BITS - bits.leading_zeros());
        let dropped = (widths.iter().sum::<u32>() + 1).saturating_sub(u64::BITS);
        Packing { widths, dropped, third_vertex: widths[4].saturating_sub(dropped) }
    }

    fn pack(&self, contact: &Found) -> u64 {
        let Found { ranks: [a, b], kind, pair: Named { vertices: [v, w, x, _], .. }, .. } = *contact;
        let [_, width_b, width_v, width_w, width_x] = self.widths;
        let mut bits = (a as u128) << width_b | b as u128;
        bits = bits << 1 | (kind as u128 - 1);
        bits = bits << width_v | v as u128;
        bits = bits << width_w | w as u128;
        bits = bits << width_x | x as u128;
        (bits >> self.dropped) as u64
    }
}

/// Sorts by the bits from `from` on: eleven at a time, the lowest first, leaving out those that are the same everywhere.
fn radix_sort(keys: &mut Buffer<Key>, spare: &mut Buffer<Key>, from: u32) {
    const BITS: u32 = 11;
    let (mut all, mut any) = (!0, 0);
    for key in keys.iter() {
        all &= key.bits;
        any |= key.bits;
    }
    let mut shift = from;
    while shift < u64::BITS {
        let digit = |bits: u64| (bits >> shift) as usize & ((1 << BITS) - 1);
        if digit(all ^ any) != 0 {
            let mut ends = [0u32; 1 << BITS];
            keys.iter().for_each(|key| ends[digit(key.bits)] += 1);
            let mut next = 0;
            for end in &mut ends {
                next += std::mem::replace(end, next);
            }
            for key in keys.iter() {
                let place = &mut ends[digit(key.bits)];
                spare[*place as usize] = *key;
                *place += 1;
            }
            std::mem::swap(keys, spare);
        }
        shift += BITS;
    }
}
