//! What the benchmarks need besides the things they measure.

pub mod inputs;
pub mod measure;
#[allow(dead_code)] // The tests read triangles, too.
#[path = "../../tests/support/ply.rs"]
pub mod ply;
pub mod query_files;
pub mod summary;
