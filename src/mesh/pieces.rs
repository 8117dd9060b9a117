//! What comes out of meshes that break, one or many at once.

use super::features::{Edge, Features, Numbers};
use super::shares::Shares;
use super::{LocalMotion, Mesh, Origins, Split, SplitProblem, VertexMotion};
use crate::memory::{Block, Buffer, Memory, MemoryError};
use crate::schedule::{Crew, largest_first, rooms};
use crate::simd::StandardFloats;

/// With fewer triangles, waking other workers takes longer than they would save.
pub const FEWEST_FOR_ALL: usize = 4096;

/// The parts of a mesh.
pub struct Pieces {
    pub meshes: Buffer<Mesh>,
    /// The number of each triangle of the split in its part.
    pub numbers: Buffer<u32>,
}

/// A mesh that breaks.
#[derive(Clone, Copy)]
pub struct Broken<'a> {
    pub id: u64,
    pub mesh: &'a Mesh,
    pub split: Split<'a>,
}

impl Broken<'_> {
    /// The parts, with the settings and the motion of the mesh, made by some workers of a crew. The vertices of a part are those that its triangles use, copies behind the
    /// others, in the order of their numbers; its triangles are in their old order.
    pub fn pieces(&self, memory: &Memory, crew: &Crew, worker_count: usize) -> Result<Pieces, SplitProblem> {
        let Broken { id, mesh, split } = self;
        split.check(memory, mesh)?;
        if let Some(pieces) = self.torn(memory)? {
            return Ok(pieces);
        }
        let sorted = Sorted::new(split, worker_count, memory, crew, mesh)?;
        let numbers = split.numbers(memory)?;
        let vertex_count = mesh.vertex_count() + split.copies.len();
        let mut rooms =
            rooms(memory, worker_count, || Numbers::new(memory, vertex_count, sorted.edge_count(mesh)))?;
        let turns = largest_first(memory, (0..split.part_count).map(|part| sorted.triangles.of(part).len()))?;
        let meshes = crew.collect(memory, &mut rooms, split.part_count, &turns, &|room, part| {
            let _floats = StandardFloats::enter();
            split.piece(memory, mesh, *id, &sorted, part, room)
        })?;
        Ok(Pieces { meshes, numbers })
    }
}

impl Split<'_> {
    /// The number of each triangle in its part.
    fn numbers(&self, memory: &Memory) -> Result<Buffer<u32>, MemoryError> {
        let mut counts: Buffer<u32> = Buffer::new(memory.clone());
        counts.resize(self.part_count, 0)?;
        let mut numbers: Buffer<u32> = Buffer::new(memory.clone());
        numbers.reserve_exact(self.parts.len())?;
        for &part in self.parts {
            let count = &mut counts[part as usize];
            numbers.push(*count)?;
            *count += 1;
        }
        Ok(numbers)
    }

    fn piece(
        &self,
        memory: &Memory,
        mesh: &Mesh,
        id: u64,
        sorted: &Sorted,
        part: usize,
        numbers: &mut Numbers,
    ) -> Result<Mesh, MemoryError> {
        let (vertices, triangles) = (sorted.vertices.of(part), sorted.triangles.of(part));
        let mut block = Block::new(memory.clone(), &sorted.sizes(part))?;
        let features = match &sorted.edges {
            // SAFETY: the block goes with the piece.
            Some(edges) => unsafe {
                mesh.features().part(&mut block, triangles, vertices, edges.of(part), numbers)?
            },
            None => {
                numbers.set(vertices, &[]);
                let corners = |triangle: usize| {
                    self.corners(mesh, triangles[triangle] as usize).map(|vertex| numbers.vertex(vertex))
                };
                Features::new(memory, vertices.len(), triangles.len(), &corners)?
            }
        };
        // SAFETY: as above; elements need not be dropped.
        let (mut motions, origins) = unsafe { (block.array(vertices.len()), block.array(vertices.len())) };
        motions.reserve_exact(vertices.len())?;
        for &vertex in vertices {
            motions.push(mesh.motions()[self.origin(mesh, vertex) as usize])?;
        }
        let mut piece = Mesh::assemble(mesh.settings, motions, features, block)?;
        let origin = |vertex: usize| [0, self.origin(mesh, vertices[vertex])];
        piece.origins = Origins::of(memory, [id].into_iter(), origins, vertices.len(), &origin)?;
        Ok(piece)
    }
}

/// What belongs to each part, in the order of its numbers.
struct Sorted {
    triangles: Shares,
    vertices: Shares,
    /// Where corners change there are other edges.
    edges: Option<Shares>,
}

impl Sorted {
    /// Of the three lists, which have nothing to do with each other, workers make one each.
    fn new(
        split: &Split<'_>,
        worker_count: usize,
        memory: &Memory,
        crew: &Crew,
        mesh: &Mesh,
    ) -> Result<Sorted, MemoryError> {
        let Split { part_count, parts, copies, .. } = *split;
        let features = mesh.features();
        let of_parts = || parts.iter().copied();
        let vertices = || {
            let count = mesh.vertex_count() + copies.len();
            match split.corners {
                None => Shares::of_users(
                    memory,
                    part_count,
                    count,
                    features.triangles().iter().copied().zip(of_parts()),
                ),
                Some(corners) => {
                    Shares::of_users(memory, part_count, count, (0..parts.len()).map(corners).zip(of_parts()))
                }
            }
        };
        let triangles = || Shares::of_parts(memory, part_count, parts);
        let edges = || {
            let sides = features.edges_of_triangles().iter().copied().zip(of_parts());
            Shares::of_users(memory, part_count, features.edges().len(), sides)
        };
        let mut rooms = rooms(memory, worker_count, || Ok(()))?;
        let has_edges = split.corners.is_none();
        let mut made: Buffer<Shares> =
            crew.collect(memory, &mut rooms, 2 + usize::from(has_edges), &[], &|_, list| match list {
                0 => vertices(),
                1 => triangles(),
                _ => edges(),
            })?;
        let edges = if has_edges { made.pop() } else { None };
        let (Some(triangles), Some(vertices)) = (made.pop(), made.pop()) else {
            unreachable!("two were made")
        };
        Ok(Sorted { triangles, vertices, edges })
    }

    /// Bytes of the arrays of a part.
    fn sizes(&self, part: usize) -> [usize; 7] {
        let [vertices, triangles] = [&self.vertices, &self.triangles].map(|shares| shares.of(part).len());
        // Where edges are not inherited, features have memory of their own.
        let (triangles, edges, of_vertices) =
            self.edges.as_ref().map_or((0, 0, 0), |edges| (triangles, edges.of(part).len(), vertices));
        [
            triangles * size_of::<[u32; 3]>(),
            edges * size_of::<Edge>(),
            triangles * size_of::<[u32; 3]>(),
            of_vertices * size_of::<u32>(),
            vertices * size_of::<VertexMotion>(),
            vertices * size_of::<[u32; 2]>(),
            vertices * size_of::<LocalMotion>(),
        ]
    }

    /// Edges that parts inherit.
    fn edge_count(&self, mesh: &Mesh) -> usize {
        if self.edges.is_some() { mesh.edge_count() } else { 0 }
    }
}
