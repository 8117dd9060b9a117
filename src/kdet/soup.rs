//! All triangles of some meshes at t = 1, under numbers of their own: a polygon soup.
//!
//! Triangles and vertices are numbered through, mesh after mesh in the order of their ids. Vertices with the same number are the same vertex, so a shared one is always of one mesh.

use crate::kdet::orientation::Point;
use crate::kdet::triangle_triangle::Triangle;
use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::{Mesh, VertexMotion};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Which pairs of triangles are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    pub within_meshes: bool,
    pub between_meshes: bool,
}

/// A mesh in the soup.
#[derive(Clone, Copy)]
pub struct Part {
    pub id: u64,
    pub mesh: *const Mesh,
    pub first_vertex: u32,
    pub first_triangle: u32,
}

/// The soup: meshes of the caller's, and for more than one of them copies that are numbered through.
pub struct Soup {
    pub parts: Buffer<Part>,
    vertices: Buffer<VertexMotion>,
    triangles: Buffer<[u32; 3]>,
    /// Local coordinates at t = 1, rounded to floats, after [`round`](Soup::round).
    pub points: Buffer<[f32; 4]>,
    pub vertex_count: usize,
    pub triangle_count: usize,
    pub wanted: Wanted,
    /// Coordinates are taken relative to this one, and then times a power of two, so that they are at most one.
    pub origin: Point,
    pub scale: f64,
    /// Whether all coordinates, and differences of them, are far from overflow: 2³⁰⁰.
    pub is_tame: bool,
    /// Whether local coordinates are those of the vertices but for rounding: none is cut off, nor lost for its smallness.
    pub is_affine: bool,
    /// Whether `points` may differ from the positions times the scale. Mostly they do not: positions are often floats, as those of models in files are. Relative to an origin other than zero they
    /// do, as differences of doubles are rounded, too.
    is_rounded: AtomicBool,
}

// SAFETY: the pointers are to meshes that whoever fills the soup keeps alive, and that nobody changes meanwhile.
unsafe impl Send for Soup {}
// SAFETY: as above.
unsafe impl Sync for Soup {}

impl Soup {
    pub fn new(memory: &Memory) -> Soup {
        Soup {
            parts: Buffer::new(memory.clone()),
            vertices: Buffer::new(memory.clone()),
            triangles: Buffer::new(memory.clone()),
            points: Buffer::new(memory.clone()),
            vertex_count: 0,
            triangle_count: 0,
            wanted: Wanted { within_meshes: true, between_meshes: true },
            origin: [0.0; 3],
            scale: 1.0,
            is_tame: true,
            is_affine: true,
            is_rounded: AtomicBool::new(false),
        }
    }

    /// Takes these meshes, whose ids ascend. Vertices and triangles are there after [`copy`](Soup::copy) for each part.
    ///
    /// # Safety
    ///
    /// The meshes stay where they are, unchanged, as long as the soup is used.
    pub unsafe fn fill<'a>(
        &mut self,
        meshes: impl Iterator<Item = (u64, &'a Mesh)>,
        wanted: Wanted,
    ) -> Result<(), MemoryError> {
        self.parts.clear();
        self.wanted = wanted;
        let (mut vertices, mut triangles) = (0usize, 0usize);
        let mut extent = 0.0f64;
        for (id, mesh) in meshes {
            if self.parts.is_empty() {
                self.origin = origin_for(mesh);
            }
            let (first_vertex, first_triangle) = (vertices as u32, triangles as u32);
            self.parts.push(Part { id, mesh, first_vertex, first_triangle })?;
            vertices += mesh.vertex_count();
            triangles += mesh.triangle_count();
            if vertices.max(triangles) > u32::MAX as usize / 2 {
                return Err(MemoryError::TooLarge);
            }
            for axis in 0..3 {
                let distance = (mesh.origin()[axis] - self.origin[axis]).abs();
                extent = extent.max(distance + extent_of(mesh) * (1.0 + 1e-6));
            }
        }
        (self.vertex_count, self.triangle_count) = (vertices, triangles);
        let farthest = self.origin.iter().fold(extent, |most, x| most.max(x.abs() + extent));
        self.is_tame = farthest < f64::from_bits((1023 + 299) << 52);
        // The extent of a mesh is a float, which is wrong below 2⁻¹²⁶.
        self.is_affine = self.is_tame && extent > f64::from_bits((1023 - 100) << 52);
        // A power of two, so that nothing is rounded but what underflows.
        let exponent = (extent.to_bits() >> 52) as i32 - 1022;
        self.scale = f64::from_bits(((1023 - exponent.clamp(-1000, 1022)) as u64) << 52);
        *self.is_rounded.get_mut() = self.origin != [0.0; 3];
        self.vertices.clear();
        self.triangles.clear();
        if self.points.len() < vertices {
            self.points.resize(vertices, [0.0; 4])?;
        }
        if self.parts.len() > 1 {
            self.vertices.reserve_exact(vertices)?;
            self.triangles.reserve_exact(triangles)?;
        }
        Ok(())
    }

    /// Copies the vertices and triangles of a part, if copies are needed.
    ///
    /// # Safety
    ///
    /// Nobody else copies the same part, and nobody reads the soup before all parts are copied and [`finish`](Soup::finish) was called.
    pub unsafe fn copy(&self, part: usize) {
        if self.parts.len() < 2 {
            return;
        }
        let Part { mesh, first_vertex, first_triangle, .. } = self.parts[part];
        // SAFETY: `fill` was promised that the mesh stays; it made room for all of them, and this part's places are the caller's.
        unsafe {
            let mesh = &*mesh;
            let place = self.vertices.start().add(first_vertex as usize);
            place.copy_from_nonoverlapping(mesh.motions().as_ptr(), mesh.vertex_count());
            let place = self.triangles.start().add(first_triangle as usize);
            for (i, corners) in mesh.features().triangles().iter().enumerate() {
                place.add(i).write(corners.map(|corner| corner + first_vertex));
            }
        }
    }

    /// Ends the copying.
    ///
    /// # Safety
    ///
    /// All parts have been copied.
    pub unsafe fn finish(&mut self) {
        if self.parts.len() > 1 {
            // SAFETY: promised by the caller.
            unsafe {
                self.vertices.set_len(self.vertex_count);
                self.triangles.set_len(self.triangle_count);
            }
        }
    }

    /// Rounds the local coordinates of some vertices.
    ///
    /// # Safety
    ///
    /// There is room for all ([`fill`](Soup::fill)), nobody else rounds the same ones, and nobody reads any of them meanwhile.
    pub unsafe fn round(&self, vertices: Range<usize>) {
        let view = self.view();
        assert!(vertices.end <= self.points.len());
        let mut is_rounded = false;
        for (vertex, motion) in vertices.clone().zip(&view.vertices[vertices]) {
            let [x, y, z] = [motion.0[4], motion.0[5], motion.0[6]];
            let local = [view.local(0, x), view.local(1, y), view.local(2, z)];
            let point = [local[0] as f32, local[1] as f32, local[2] as f32, 0.0];
            for axis in 0..3 {
                is_rounded |= point[axis] as f64 != local[axis];
            }
            // SAFETY: inside, as asserted, and promised by the caller.
            unsafe { self.points.start().add(vertex).write(point) };
        }
        if is_rounded {
            self.is_rounded.store(true, Ordering::Relaxed);
        }
    }

    /// How far coordinates of `points` can be from the exact local ones, which are at most one: nothing if these are floats. After [`round`](Soup::round) of all vertices, for affine soups.
    pub fn error(&self) -> f64 {
        if self.is_rounded.load(Ordering::Relaxed) { ERROR } else { 0.0 }
    }

    /// What there is to read, after [`finish`](Soup::finish).
    pub fn view(&self) -> View<'_> {
        let (vertices, triangles): (&[VertexMotion], &[[u32; 3]]) = match &*self.parts {
            // SAFETY: `fill` was promised that the mesh stays.
            [only] => unsafe { ((*only.mesh).motions(), (*only.mesh).features().triangles()) },
            _ => (&self.vertices, &self.triangles),
        };
        View { soup: self, vertices, triangles }
    }

    pub fn bytes(&self) -> usize {
        self.parts.capacity() * size_of::<Part>()
            + self.vertices.capacity() * size_of::<VertexMotion>()
            + self.triangles.capacity() * size_of::<[u32; 3]>()
            + self.points.capacity() * size_of::<[f32; 4]>()
    }
}

/// A soup that is complete.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub soup: &'a Soup,
    pub vertices: &'a [VertexMotion],
    pub triangles: &'a [[u32; 3]],
}

impl View<'_> {
    pub fn point(&self, vertex: u32) -> Point {
        let motion = &self.vertices[vertex as usize].0;
        [motion[4], motion[5], motion[6]]
    }

    pub fn triangle(&self, triangle: u32) -> Triangle {
        let vertices = self.triangles[triangle as usize];
        Triangle { points: vertices.map(|vertex| self.point(vertex)), vertices }
    }

    /// A coordinate relative to the origin and scaled, at least -2 and less than 2. Monotone: what is not below stays not below, so boxes that overlap still do.
    #[inline(always)]
    pub fn local(&self, axis: usize, coordinate: f64) -> f64 {
        ((coordinate - self.soup.origin[axis]) * self.soup.scale).clamp(-2.0, 2.0 - f64::EPSILON)
    }

    /// The part that a triangle belongs to.
    #[inline(always)]
    pub fn part_of(&self, triangle: u32) -> usize {
        let parts = &self.soup.parts;
        if parts.len() == 1 { 0 } else { parts.partition_point(|part| part.first_triangle <= triangle) - 1 }
    }

    /// Whether the triangles of two parts are tested against each other.
    #[inline(always)]
    pub fn may_meet(&self, [a, b]: [usize; 2]) -> bool {
        let Wanted { within_meshes, between_meshes } = self.soup.wanted;
        // SAFETY: `fill` was promised that the meshes stay.
        let settings = |part: usize| unsafe { (*self.soup.parts[part].mesh).settings };
        if a == b {
            within_meshes && settings(a).self_collision
        } else {
            between_meshes && settings(a).may_meet(&settings(b))
        }
    }
}

/// Of a number of at most one, and of half a unit in the last place more.
const ERROR: f64 = 1.001 * (f32::EPSILON / 2.0) as f64;

/// Its own origin; or zero if that is not far outside and coordinates seem to be floats. For then local ones are, too, as they are the same times a power of two.
fn origin_for(mesh: &Mesh) -> Point {
    let origin = mesh.origin();
    let is_float = origin.iter().all(|&x| x as f32 as f64 == x);
    let is_near = origin.iter().all(|x| x.abs() <= mesh.extent());
    if is_float && is_near { [0.0; 3] } else { origin }
}

/// How far a mesh reaches from its origin. It knows, unless that is beyond floats.
fn extent_of(mesh: &Mesh) -> f64 {
    if mesh.extent().is_finite() {
        return mesh.extent();
    }
    let origin = mesh.origin();
    let ends =
        mesh.motions().iter().flat_map(|motion| (0..3).map(|axis| (motion.0[4 + axis] - origin[axis]).abs()));
    ends.fold(0.0f64, f64::max).min(f64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::MeshSettings;

    fn error_of(points: [[f64; 3]; 3]) -> f64 {
        let memory = Memory::new(None).expect("the system has memory");
        let settings = MeshSettings { thickness: 0.0, category: 1, mask: 1, self_collision: true };
        let mesh = Mesh::new(&memory, settings, 3, &|i| points[i], 1, &|_| [0, 1, 2]).expect("memory");
        let mut soup = Soup::new(&memory);
        let wanted = Wanted { within_meshes: true, between_meshes: true };
        // SAFETY: the mesh lives as long as the soup, and nobody else uses either.
        unsafe {
            soup.fill([(1, &mesh)].into_iter(), wanted).expect("memory");
            soup.round(0..3);
        }
        assert!(soup.is_affine);
        soup.error()
    }

    #[test]
    fn only_what_is_not_rounded_is_without_error() {
        let triangle = |[x, y, z]: Point| [[x, y, z], [x + 1.0, y, z], [x, y + 1.0, z]];
        assert_eq!(error_of(triangle([0.0; 3])), 0.0);
        assert_eq!(error_of(triangle([0.5, 0.25, -0.125])), 0.0);
        assert_eq!(error_of(triangle([0.1, 0.25, -0.125])), ERROR);
        // Far away they are taken relative to the first one, which rounds differences.
        assert_eq!(error_of(triangle([1024.0, 0.0, 0.0])), ERROR);
        // Differences to the first one are floats once they are rounded, though they are not the true ones.
        let half = f64::EPSILON / 2.0;
        let y = 1e-17;
        assert_eq!(error_of([[half, y, 0.0], [1.5, y, 0.0], [1.5 + 2.0 * half, y, 1.0]]), ERROR);
    }
}
