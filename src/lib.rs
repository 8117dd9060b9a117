//! Exact continuous collision detection of triangle meshes behind a C ABI.

pub mod elementary;
pub mod simd;
