//! Many rigid objects through a broad and a narrow phase.

pub mod balance;
mod box_box;
mod boxes;
pub mod buffer;
pub mod core;
pub mod crossing;
pub mod dispatch;
pub mod epa;
pub mod gjk;
pub mod manifold;
mod mesh_pairs;
mod round;
pub mod shapes;
pub mod simplex;
pub mod sweep;
pub mod transform;
