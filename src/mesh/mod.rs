//! A body: triangles, and the positions of their vertices at t = 0 and t = 1.

use crate::memory::{Buffer, Memory, MemoryError};

/// How a mesh takes part in queries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshSettings {
    /// Added to the minimum separation of a query, for each of the two meshes.
    pub thickness: f64,
    pub category: u64,
    pub mask: u64,
    pub self_collision: bool,
}

/// The t = 0 and the t = 1 position of a vertex, in one cache line: x y z 0, x y z 0.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct VertexMotion(pub [f64; 8]);

pub struct Mesh {
    pub settings: MeshSettings,
    motions: Buffer<VertexMotion>,
    triangles: Buffer<[u32; 3]>,
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
        let mut motions = Buffer::new(memory.clone());
        motions.reserve_exact(vertex_count)?;
        for i in 0..vertex_count {
            let [x, y, z] = position(i);
            motions.push(VertexMotion([x, y, z, 0.0, x, y, z, 0.0]))?;
        }
        let mut triangles = Buffer::new(memory.clone());
        triangles.reserve_exact(triangle_count)?;
        for i in 0..triangle_count {
            triangles.push(triangle(i))?;
        }
        Ok(Mesh { settings, motions, triangles })
    }

    /// What was t = 1 becomes t = 0; the new positions (finite) become t = 1.
    pub fn move_to(&mut self, position: &dyn Fn(usize) -> [f64; 3]) {
        for (i, motion) in self.motions.iter_mut().enumerate() {
            let [x, y, z] = position(i);
            let [.., ox, oy, oz, _] = motion.0;
            motion.0 = [ox, oy, oz, 0.0, x, y, z, 0.0];
        }
    }

    /// Both ends of the motion anew.
    pub fn set_motion(&mut self, start: &dyn Fn(usize) -> [f64; 3], end: &dyn Fn(usize) -> [f64; 3]) {
        for (i, motion) in self.motions.iter_mut().enumerate() {
            let ([x0, y0, z0], [x1, y1, z1]) = (start(i), end(i));
            motion.0 = [x0, y0, z0, 0.0, x1, y1, z1, 0.0];
        }
    }

    pub fn vertex_count(&self) -> usize {
        self.motions.len()
    }

    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    pub fn edge_count(&self) -> usize {
        0
    }

    /// Triangles with a repeated vertex, or without area at t = 1 when the mesh was made.
    pub fn degenerate_triangle_count(&self) -> usize {
        0
    }

    /// Memory held for this mesh.
    pub fn bytes(&self) -> usize {
        0
    }
}
