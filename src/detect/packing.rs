//! What contacts are sorted by, in a single number.

use crate::elementary::Kind;
use crate::memory::{Buffer, Memory, MemoryError};

/// How ranks, kind and vertices fit into 64 bits. Each number gets as many as the largest one of its mesh takes: contacts that begin with the same ranks and kind have
/// vertices of the same meshes. The lowest bits of the last vertices are left out if that is too much; those of ranks and kind never are.
pub struct Packing {
    /// By rank, the bits of a vertex.
    widths: Buffer<u8>,
    /// The bits of a rank.
    rank: u32,
    /// Bits below ranks and kind, for the vertices.
    below_kind: u32,
}

/// The bits of a number less than `count`.
fn width(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

impl Packing {
    pub fn new(memory: &Memory) -> Packing {
        Packing { widths: Buffer::new(memory.clone()), rank: 0, below_kind: 0 }
    }

    /// For meshes with so many vertices.
    pub fn start(&mut self, vertex_counts: impl ExactSizeIterator<Item = usize>) -> Result<(), MemoryError> {
        self.rank = width(vertex_counts.len());
        self.widths.clear();
        self.widths.reserve_exact(vertex_counts.len())?;
        let mut widest = 0;
        for count in vertex_counts {
            self.widths.push(width(count) as u8)?;
            widest = widest.max(width(count));
        }
        // Ranks are below 2³¹, so that they always fit.
        self.below_kind = (4 * widest).min(u64::BITS - self.above());
        Ok(())
    }

    /// Bits of ranks and kind.
    fn above(&self) -> u32 {
        2 * self.rank + 1
    }

    /// Bits below the highest ones, of which there are so many.
    pub fn below(&self, highest: u32) -> u32 {
        (self.above() + self.below_kind).saturating_sub(highest)
    }

    /// For contacts of one kind of two meshes.
    #[inline]
    pub fn of(&self, [a, b]: [u32; 2], kind: Kind) -> Packer {
        let [first, last] = [a, b].map(|rank| self.widths[rank as usize] as u32);
        // The mesh that the second vertex is of depends on the kind.
        let second = if kind == Kind::VertexFace { last } else { first };
        let above = ((a as u64) << self.rank | b as u64) << 1 | (kind as u64 - 1);
        Packer {
            above: above << self.below_kind,
            second,
            last,
            too_much: (first + second + 2 * last).saturating_sub(self.below_kind),
        }
    }

    /// Whether what was packed is of the same meshes and kind.
    pub fn is_alike(&self, a: u64, b: u64) -> bool {
        a >> self.below_kind == b >> self.below_kind
    }

    /// The ranks of the meshes and the kind of what was packed.
    pub fn meshes_and_kind(&self, bits: u64) -> ([u32; 2], Kind) {
        let above = bits >> self.below_kind;
        let kind = if above & 1 == Kind::VertexFace as u64 - 1 { Kind::VertexFace } else { Kind::EdgeEdge };
        let ranks = above >> 1;
        let [a, b] = [ranks >> self.rank, ranks & ((1 << self.rank) - 1)];
        ([a as u32, b as u32], kind)
    }
}

/// Packs contacts of one kind of two meshes.
#[derive(Clone, Copy)]
pub struct Packer {
    above: u64,
    /// Bits of the second vertex, and of those after it.
    second: u32,
    last: u32,
    too_much: u32,
}

impl Packer {
    #[inline(always)]
    pub fn pack(&self, vertices: [u32; 4]) -> u64 {
        let Packer { above, second, last, too_much } = *self;
        if too_much == 0 {
            let [v, w, x, y] = vertices.map(u64::from);
            return above | ((v << second | w) << last | x) << last | y;
        }
        let [v, w, x, y] = vertices.map(u128::from);
        let all = ((v << second | w) << last | x) << last | y;
        above | (all >> too_much) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            packing.start(counts.iter().copied()).unwrap();
            let below_bucket = packing.below(6 + below(7) as u32);
            let mut list: Vec<([u32; 2], Kind, [u32; 4])> = (0..100)
                .map(|_| {
                    let ranks = [below(counts.len().min(3)), below(counts.len())];
                    let kind = if below(2) == 0 { Kind::VertexFace } else { Kind::EdgeEdge };
                    let second = usize::from(kind == Kind::VertexFace);
                    let vertices = [0, second, 1, 1].map(|side: usize| {
                        // near each other, so that the last ones matter
                        below(counts[ranks[side]].min(3)) as u32
                    });
                    (ranks.map(|rank| rank as u32), kind, vertices)
                })
                .collect();
            list.sort();
            let pack = |&(ranks, kind, vertices): &([u32; 2], Kind, [u32; 4])| {
                let bits = packing.of(ranks, kind).pack(vertices);
                assert_eq!(packing.meshes_and_kind(bits), (ranks, kind), "round {round}");
                bits
            };
            for two in list.windows(2) {
                let [a, b] = [&two[0], &two[1]].map(pack);
                assert!(a <= b, "round {round}");
                let alike = two[0].0 == two[1].0 && two[0].1 == two[1].1;
                assert_eq!(packing.is_alike(a, b), alike, "round {round}");
                assert!(a >> below_bucket <= b >> below_bucket, "round {round}");
                told += usize::from(two[0] != two[1] && a != b);
            }
        }
        assert!(told > 10_000, "{told}: not much of a test");
    }
}
