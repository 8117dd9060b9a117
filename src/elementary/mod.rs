//! Eight points in, time of impact out. Knows no mesh.

pub mod batch;
mod contact;
mod cull;
pub mod describe;
pub mod edge_edge;
pub mod exact;
pub mod filter;
mod motion;
mod narrow;
pub mod pair;
mod separation;
pub mod stages;
pub(crate) mod vec3;
pub mod vertex_face;

/// Which two primitives a query is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum Kind {
    /// Points `v f0 f1 f2`.
    VertexFace = 1,
    /// Points `a0 a1 b0 b1`.
    EdgeEdge = 2,
}

/// One query: four points at t=0, then the same four at t=1, each as x, y, z.
pub type Query = [f64; 24];

/// What a caller may ask of the elementary tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Distance at which two primitives count as colliding; 0 asks for the exact test.
    pub min_separation: f64,
    /// Widest bracket of the time of impact.
    pub toi_tolerance: f64,
    /// With a positive separation: nothing farther than it plus this times the query's size is reported.
    pub separation_tolerance: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { min_separation: 0.0, toi_tolerance: 1e-6, separation_tolerance: 1e-9 }
    }
}

/// When a query's first contact is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    pub at_start: bool,
    pub toi_lower: f64,
    pub toi_upper: f64,
}

impl Impact {
    /// The primitives touch at t = 0.
    pub const AT_START: Impact = Impact { at_start: true, toi_lower: 0.0, toi_upper: 0.0 };
}

/// The first contact of a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    pub at_start: bool,
    pub toi_lower: f64,
    pub toi_upper: f64,
    pub weights: [f64; 4],
    pub normal: [f64; 3],
}
