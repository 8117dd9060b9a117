//! Many rigid objects through a broad and a narrow phase.

pub mod core;
pub mod epa;
pub mod gjk;
pub mod simplex;
pub mod transform;
