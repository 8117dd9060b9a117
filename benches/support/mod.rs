//! What the benchmarks need besides the things they measure.

pub mod inputs;
pub mod measure;
pub mod ply;
pub mod query_files;
pub mod summary;
