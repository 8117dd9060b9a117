//! A body: triangles, and the positions of their vertices at t = 0 and t = 1.

mod features;
mod merge;
mod origins;
mod pieces;
mod shares;
mod split;
mod tear;

pub use features::{Edge, Features, NO_EDGE, NO_TRIANGLE};
pub use merge::{Merge, WeldProblem};
pub use origins::{Origins, VertexOrigin};
pub use pieces::{Broken, FEWEST_FOR_ALL, Pieces};
pub use split::{Split, SplitProblem};

use crate::memory::{Block, Buffer, Memory, MemoryError};

/// How a mesh takes part in queries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshSettings {
    /// Added to the minimum separation of a query, for each of the two meshes.
    pub thickness: f64,
    pub category: u64,
    pub mask: u64,
    pub self_collision: bool,
}

impl MeshSettings {
    /// Whether two meshes may meet: each has to be willing.
    pub fn may_meet(&self, other: &MeshSettings) -> bool {
        self.mask & other.category != 0 && other.mask & self.category != 0
    }
}

/// The t = 0 and the t = 1 position of a vertex, in one cache line: x y z 0, x y z 0.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct VertexMotion(pub [f64; 8]);

impl VertexMotion {
    fn new([x0, y0, z0]: [f64; 3], [x1, y1, z1]: [f64; 3]) -> VertexMotion {
        VertexMotion([x0, y0, z0, 0.0, x1, y1, z1, 0.0])
    }

    fn end(&self) -> [f64; 3] {
        [self.0[4], self.0[5], self.0[6]]
    }
}

/// The same in floats, relative to the origin of the mesh: x y z 0, x y z 0.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct LocalMotion(pub [f32; 8]);

/// Vertices, triangles and what follows from them.
pub struct Mesh {
    pub settings: MeshSettings,
    motions: Buffer<VertexMotion>,
    /// For filters: see [`crate::elementary::filter`].
    local_motions: Buffer<LocalMotion>,
    origin: [f64; 3],
    /// The largest local coordinate.
    extent: f32,
    features: Features,
    degenerate_triangle_count: usize,
    origins: Origins,
    version: u64,
    /// The memory that arrays were made in, if it was one piece.
    block: Block,
}

impl Mesh {
    /// Copies everything. Positions are finite and indices less than `vertex_count`: the caller has checked it.
    pub fn new(
        memory: &Memory,
        settings: MeshSettings,
        vertex_count: usize,
        position: &dyn Fn(usize) -> [f64; 3],
        triangle_count: usize,
        triangle: &dyn Fn(usize) -> [u32; 3],
    ) -> Result<Mesh, MemoryError> {
        let motion = |vertex: usize| {
            let here = position(vertex);
            VertexMotion::new(here, here)
        };
        Mesh::in_motion(memory, settings, vertex_count, &motion, triangle_count, triangle)
    }

    /// As [`new`](Mesh::new), but not at rest.
    pub fn in_motion(
        memory: &Memory,
        settings: MeshSettings,
        vertex_count: usize,
        motion: &dyn Fn(usize) -> VertexMotion,
        triangle_count: usize,
        triangle: &dyn Fn(usize) -> [u32; 3],
    ) -> Result<Mesh, MemoryError> {
        let mut motions = Buffer::new(memory.clone());
        motions.reserve_exact(vertex_count)?;
        for i in 0..vertex_count {
            motions.push(motion(i))?;
        }
        let features = Features::new(memory, vertex_count, triangle_count, triangle)?;
        Mesh::assemble(settings, motions, features, Block::empty(memory.clone()))
    }

    /// Of what there is already. More is made in the block, as far as it has room.
    fn assemble(
        settings: MeshSettings,
        motions: Buffer<VertexMotion>,
        features: Features,
        mut block: Block,
    ) -> Result<Mesh, MemoryError> {
        let memory = motions.memory().clone();
        let corner = |vertex: u32| motions[vertex as usize].end();
        let degenerate = |t: &&[u32; 3]| has_no_area(t.map(corner));
        let degenerate_triangle_count = features.triangles().iter().filter(degenerate).count();
        // SAFETY: the block goes with the mesh; elements need not be dropped.
        let mut local_motions = unsafe { block.array(motions.len()) };
        local_motions.resize(motions.len(), LocalMotion([0.0; 8]))?;
        let mut mesh = Mesh {
            settings,
            motions,
            local_motions,
            origin: [0.0; 3],
            extent: 0.0,
            features,
            degenerate_triangle_count,
            origins: Origins::new(&memory),
            version: 0,
            block,
        };
        mesh.update_local_motions();
        Ok(mesh)
    }

    /// Takes the first vertex as the origin: any is as good, and it needs no search.
    fn update_local_motions(&mut self) {
        let Some(first) = self.motions.first() else { return };
        let [x, y, z, ..] = first.0;
        self.origin = [x, y, z];
        let mut extents = [0.0f32; 8];
        let origin = [x, y, z, 0.0, x, y, z, 0.0];
        for (local, motion) in self.local_motions.iter_mut().zip(self.motions.iter()) {
            for i in 0..8 {
                // Beyond the range of floats it is infinite, and so is the extent.
                local.0[i] = (motion.0[i] - origin[i]) as f32;
                extents[i] = if extents[i] > local.0[i].abs() { extents[i] } else { local.0[i].abs() };
            }
        }
        self.extent = extents.iter().fold(0.0, |largest: f32, &x| largest.max(x));
    }

    /// What was t = 1 becomes t = 0; the new positions (finite) become t = 1.
    pub fn move_to(&mut self, position: &dyn Fn(usize) -> [f64; 3]) {
        for (i, motion) in self.motions.iter_mut().enumerate() {
            *motion = VertexMotion::new(motion.end(), position(i));
        }
        self.update_local_motions();
        self.version += 1;
    }

    /// Both ends of the motion anew.
    pub fn set_motion(&mut self, start: &dyn Fn(usize) -> [f64; 3], end: &dyn Fn(usize) -> [f64; 3]) {
        for (i, motion) in self.motions.iter_mut().enumerate() {
            *motion = VertexMotion::new(start(i), end(i));
        }
        self.update_local_motions();
        self.version += 1;
    }

    /// How often the mesh has been moved: the hierarchy looks here for what it has to do.
    pub fn version(&self) -> u64 {
        self.version
    }

    pub fn motions(&self) -> &[VertexMotion] {
        &self.motions
    }

    pub fn local_motions(&self) -> &[LocalMotion] {
        &self.local_motions
    }

    /// Where local coordinates are zero.
    pub fn origin(&self) -> [f64; 3] {
        self.origin
    }

    /// The largest local coordinate; infinite if one is beyond floats.
    pub fn extent(&self) -> f64 {
        self.extent as f64
    }

    pub fn features(&self) -> &Features {
        &self.features
    }

    pub fn vertex_count(&self) -> usize {
        self.motions.len()
    }

    pub fn triangle_count(&self) -> usize {
        self.features.triangles().len()
    }

    pub fn edge_count(&self) -> usize {
        self.features.edges().len()
    }

    /// Triangles without area at t = 1 when the mesh was made, repeated vertices included.
    pub fn degenerate_triangle_count(&self) -> usize {
        self.degenerate_triangle_count
    }

    /// Where its vertices came from.
    pub fn origins(&self) -> &Origins {
        &self.origins
    }

    /// Memory held for this mesh.
    pub fn bytes(&self) -> usize {
        self.block.bytes()
            + self.motions.bytes()
            + self.local_motions.bytes()
            + self.features.bytes()
            + self.origins.bytes()
    }
}

fn has_no_area([a, b, c]: [[f64; 3]; 3]) -> bool {
    let edge = |p: [f64; 3]| [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
    let (u, v) = (edge(b), edge(c));
    u[1] * v[2] == u[2] * v[1] && u[2] * v[0] == u[0] * v[2] && u[0] * v[1] == u[1] * v[0]
}

/// Random numbers for tests, each below a limit.
#[cfg(test)]
fn random_below(mut state: u64) -> impl FnMut(usize) -> usize {
    move |limit| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % limit
    }
}
