//! Where the phases of the pipeline meet.

#[path = "../../src/pipeline/buffer.rs"]
pub mod buffer;
#[path = "../../src/pipeline/crossing.rs"]
pub mod crossing;
