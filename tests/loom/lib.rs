//! The scheduling core of the library and the buffer of the pipeline, and what it needs of the rest, with the locks and atomics of loom.

#![allow(dead_code, unused_imports, reason = "models need a part of it")]

#[path = "../../src/locks.rs"]
mod locks;
#[path = "../../src/memory/mod.rs"]
pub mod memory;
#[path = "../../src/schedule/mod.rs"]
pub mod schedule;
#[path = "phases.rs"]
pub mod pipeline;
