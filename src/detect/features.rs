//! Candidates as queries for the elementary tests: which vertices they are, and where these move.

use super::candidates::{CAPACITY, Candidates};
use crate::bvh::TreeAccess;
use crate::elementary::Query;
use crate::elementary::edge_edge::EdgeEdge;
use crate::elementary::filter::{self, Frame};
use crate::elementary::pair::Pair;
use crate::elementary::stages::{CHUNK, Source};
use crate::elementary::vertex_face::VertexFace;
use crate::mesh::{Features, LocalMotion, Mesh, VertexMotion};
use crate::simd::{Doubles, MAX_LANES, MAX_SINGLES, Mask, Singles, prefetch, rows, set_lanes};

/// Two meshes and their trees; the same ones twice for a mesh against itself.
#[derive(Clone, Copy)]
pub struct Sides<'a> {
    pub trees: [&'a TreeAccess<'a>; 2],
    pub meshes: [&'a Mesh; 2],
    pub same: bool,
}

/// A pair of features.
#[derive(Clone, Copy)]
pub struct Named {
    /// In the order of a query.
    pub vertices: [u32; 4],
    /// The number of the second primitive's triangle, or of both edges.
    pub numbers: [u32; 2],
}

/// What tells candidates of two kinds apart.
pub trait PairOfFeatures: Pair {
    /// On which side each point of a query is.
    const SIDES: [usize; 4];

    /// The triangles that own the features.
    fn triangles(features: [&Features; 2], pair: &Named) -> [u32; 2];

    /// Fetches ahead what [`triangles`](PairOfFeatures::triangles) reads.
    fn prefetch(features: [&Features; 2], pair: &Named);
}

impl PairOfFeatures for VertexFace {
    const SIDES: [usize; 4] = [0, 1, 1, 1];

    #[inline(always)]
    fn triangles(features: [&Features; 2], pair: &Named) -> [u32; 2] {
        [features[0].triangle_of_vertices()[pair.vertices[0] as usize], pair.numbers[1]]
    }

    #[inline(always)]
    fn prefetch(features: [&Features; 2], pair: &Named) {
        prefetch(&features[0].triangle_of_vertices()[pair.vertices[0] as usize]);
    }
}

impl PairOfFeatures for EdgeEdge {
    const SIDES: [usize; 4] = [0, 0, 1, 1];

    #[inline(always)]
    fn triangles(features: [&Features; 2], pair: &Named) -> [u32; 2] {
        [0, 1].map(|side| features[side].edges()[pair.numbers[side] as usize].triangle)
    }

    #[inline(always)]
    fn prefetch(features: [&Features; 2], pair: &Named) {
        for (features, number) in features.into_iter().zip(pair.numbers) {
            prefetch(&features.edges()[number as usize]);
        }
    }
}

/// What became of candidates: numbers of those that may collide, and of those that touch at t = 0.
pub struct Culled {
    pub open: [u32; CAPACITY],
    pub touching: [u32; CAPACITY],
}

/// Candidates of one kind; the first primitive of each is of the first mesh.
pub struct Pairs<'a> {
    pub meshes: [&'a Mesh; 2],
    pub candidates: &'a Candidates,
}

impl Pairs<'_> {
    /// The vertices of a candidate, in the order of a query.
    #[inline(always)]
    fn vertices(&self, index: usize) -> [u32; 4] {
        self.candidates.vertices().map(|list| list[index])
    }

    pub fn name(&self, index: usize) -> Named {
        Named { vertices: self.vertices(index), numbers: self.candidates.features(index) }
    }

    /// Sorts out the candidates that can't collide, and those whose answer is known at once. Returns how many are open, and how many touch.
    #[inline(always)]
    pub fn cull<V: Singles, P: PairOfFeatures>(&self, frame: &Frame, room: &mut Culled) -> (usize, usize) {
        let Culled { open: survivors, touching } = room;
        let count = self.candidates.len();
        let (mut kept, mut together_count) = (0, 0);
        for first in (0..count).step_by(V::COUNT) {
            let lanes = V::COUNT.min(count - first);
            let [a, b, c, d] = self.candidates.vertices();
            let columns = self.columns::<V, P>([
                lanes_of(a, first),
                lanes_of(b, first),
                lanes_of(c, first),
                lanes_of(d, first),
            ]);
            let look = filter::first_look::<V, P>(&columns, P::SIDES, frame);
            let in_use = u32::MAX >> (32 - lanes);
            let mut together = look.together.bits() & in_use;
            let open = !look.apart.bits() & !together & in_use;
            while together != 0 {
                touching[together_count] = first as u32 + together.trailing_zeros();
                together_count += 1;
                together &= together - 1;
            }
            if V::COUNT < 8 {
                survivors[kept] = first as u32;
                kept += open as usize;
                continue;
            }
            for part in 0..V::COUNT / 8 {
                // Eight are written in any case, and those that are meant are counted: no branch depends on which they are.
                let open = open >> (8 * part) & 0xff;
                let set = set_lanes(open);
                for (place, &lane) in survivors[kept..kept + 8].iter_mut().zip(set) {
                    *place = (first + 8 * part) as u32 + lane as u32;
                }
                kept += open.count_ones() as usize;
            }
        }
        let mut touching_count = 0;
        for place in 0..together_count {
            let index = touching[place];
            let touches = self.share_a_point::<P>(index as usize);
            (touching[touching_count], survivors[kept]) = (index, index);
            touching_count += usize::from(touches);
            kept += usize::from(!touches);
        }
        (self.cull_again::<V, P>(frame, survivors, kept), touching_count)
    }

    /// Whether both features have a vertex in the same place at t = 0.
    #[inline(always)]
    fn share_a_point<P: PairOfFeatures>(&self, index: usize) -> bool {
        let vertices = self.vertices(index);
        // With the zero behind it: four numbers fill a register.
        let at_start = |point: usize| -> &[f64; 4] {
            let motion = &self.meshes[P::SIDES[point]].motions()[vertices[point] as usize];
            motion.0.first_chunk().expect("a motion begins with a position")
        };
        P::share_a_point([at_start(0), at_start(1), at_start(2), at_start(3)])
    }

    /// Keeps those of the first `count` survivors that a closer look leaves.
    #[inline(always)]
    fn cull_again<V: Singles, P: PairOfFeatures>(
        &self,
        frame: &Frame,
        survivors: &mut [u32; CAPACITY],
        count: usize,
    ) -> usize {
        let lists = self.candidates.vertices();
        let mut kept = 0;
        for first in (0..count).step_by(V::COUNT) {
            let lanes = V::COUNT.min(count - first);
            let mut indices = [survivors[first]; MAX_SINGLES];
            indices[..lanes].copy_from_slice(&survivors[first..first + lanes]);
            let mut numbers = [[0; MAX_SINGLES]; 4];
            for (numbers, list) in numbers.iter_mut().zip(lists) {
                for lane in 0..V::COUNT {
                    numbers[lane] = list[indices[lane] as usize];
                }
            }
            let columns = self.columns::<V, P>(numbers.each_ref());
            let apart = filter::apart_when_coplanar::<V, P>(&columns, P::SIDES, frame).bits();
            for (lane, &index) in indices.iter().enumerate().take(V::COUNT) {
                survivors[kept] = index;
                kept += usize::from(lane < lanes) & !(apart >> lane) as usize & 1;
            }
        }
        kept
    }

    /// Where the vertices with these numbers move, in floats.
    #[inline(always)]
    fn columns<V: Singles, P: PairOfFeatures>(&self, numbers: [&[u32; MAX_SINGLES]; 4]) -> [[V; 8]; 4] {
        let [a, b, c, d] = P::SIDES.map(|side| self.meshes[side].local_motions());
        // One by one: an array of zeros to begin with would be written to memory each time.
        [
            Self::column(a, numbers[0]),
            Self::column(b, numbers[1]),
            Self::column(c, numbers[2]),
            Self::column(d, numbers[3]),
        ]
    }

    #[inline(always)]
    fn column<V: Singles>(motions: &[LocalMotion], numbers: &[u32; MAX_SINGLES]) -> [V; 8] {
        let picked = rows(motions, numbers, V::COUNT);
        let mut of = [&picked[0].0; MAX_SINGLES];
        for lane in 1..V::COUNT {
            of[lane] = &picked[lane].0;
        }
        V::transpose(of)
    }
}

/// The numbers from `first` on, as many as lanes can take.
#[inline(always)]
fn lanes_of(list: &[u32], first: usize) -> &[u32; MAX_SINGLES] {
    list[first..].first_chunk().expect("lists are padded")
}

/// Room for the vertices of a chunk.
pub type ChunkVertices = [[u32; 4]; CHUNK];

/// Some pairs as queries: the numbers of their vertices, and where these move.
pub struct Chunk<'a> {
    vertices: &'a mut ChunkVertices,
    /// Of each point of a query.
    motions: [&'a [VertexMotion]; 4],
}

impl<'a> Chunk<'a> {
    pub fn new<P: PairOfFeatures>(meshes: [&'a Mesh; 2], vertices: &'a mut ChunkVertices) -> Chunk<'a> {
        Chunk { vertices, motions: P::SIDES.map(|side| meshes[side].motions()) }
    }

    /// Fetches ahead where the vertices of a pair move.
    #[inline(always)]
    pub fn prefetch(&self, vertices: [u32; 4]) {
        for (motions, vertex) in self.motions.iter().zip(vertices) {
            prefetch(&motions[vertex as usize]);
        }
    }

    pub fn set(&mut self, place: usize, vertices: [u32; 4]) {
        self.vertices[place] = vertices;
    }

    /// Takes over some candidates, at most [`CHUNK`].
    #[inline(always)]
    pub fn fill(&mut self, pairs: &Pairs<'_>, indices: &[u32]) {
        for (vertices, &index) in self.vertices.iter_mut().zip(indices) {
            *vertices = pairs.vertices(index as usize);
        }
    }
}

impl Source for Chunk<'_> {
    #[inline(always)]
    fn load<V: Doubles>(&self, indices: &[u32; MAX_LANES]) -> [V; 24] {
        let vertices = rows(&self.vertices[..], indices, V::COUNT);
        let mut columns = [V::splat(0.0); 24];
        for (point, motions) in self.motions.iter().enumerate() {
            let mut numbers = [0; MAX_LANES];
            for lane in 0..V::COUNT {
                numbers[lane] = vertices[lane][point];
            }
            let picked = rows(motions, &numbers, V::COUNT);
            let mut of = [&picked[0].0; MAX_LANES];
            for lane in 1..V::COUNT {
                of[lane] = &picked[lane].0;
            }
            let moving = V::transpose::<8>(of);
            for axis in 0..3 {
                columns[3 * point + axis] = moving[axis];
                columns[12 + 3 * point + axis] = moving[4 + axis];
            }
        }
        columns
    }

    fn query(&self, index: u32) -> Query {
        let mut query = [0.0; 24];
        for (point, motions) in self.motions.iter().enumerate() {
            let motion = &motions[self.vertices[index as usize][point] as usize].0;
            query[3 * point..3 * point + 3].copy_from_slice(&motion[..3]);
            query[12 + 3 * point..15 + 3 * point].copy_from_slice(&motion[4..7]);
        }
        query
    }
}
