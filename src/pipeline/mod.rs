//! Many rigid objects through a broad and a narrow phase: the parallel pipeline of Avril, Gouranton and Arnaldi (2010).
//!
//! | file | what it is |
//! |---|---|
//! | `pipeline`, `step`, `sequential`, `narrow`, `worker` | objects in, results out; what a worker does |
//! | `objects`, `shapes`, `transform` | rigid objects, what they look like, and where they are |
//! | `fill`, `poses` | what the phases need of every object, side by side |
//! | `boxes`, `columns`, `entries`, `sweep` | the broad phase: boxes that overlap |
//! | `buffer`, `crossing` | the buffer between the phases, and who does what next; README.md says why it is right |
//! | `balance` | how many threads each phase gets |
//! | `dispatch` | the narrow phase: which test for which pair of shapes |
//! | `round`, `box_axes`, `box_box`, `box_face`, `box_triangle`, `convex_mesh`, `mesh_pairs`, `part` | tests for some of them |
//! | `near_triangles`, `triangle_axes`, `triangle_gap`, `triangle_depth`, `triangle_pair` | triangles of meshes against each other |
//! | `core`, `simplex`, `gjk`, `epa` | distance and depth of convex shapes |
//! | `manifold`, `gather` | points of contact |
//! | `swept` | contacts on the way between two transforms |
//! | `order`, `results` | pairs that begin, go on and end, in order |

pub mod balance;
mod box_axes;
mod box_box;
mod box_face;
mod box_triangle;
mod boxes;
pub mod buffer;
mod columns;
mod convex_mesh;
pub mod core;
pub mod crossing;
pub mod dispatch;
mod entries;
pub mod epa;
mod fill;
mod gather;
pub mod gjk;
pub mod manifold;
mod mesh_pairs;
mod narrow;
mod near_triangles;
pub mod objects;
mod order;
mod part;
#[allow(clippy::module_inception, reason = "it is what the folder is about")]
mod pipeline;
mod poses;
pub mod results;
mod round;
mod sequential;
pub mod shapes;
pub mod simplex;
pub mod step;
pub mod sweep;
mod swept;
pub mod transform;
mod triangle_axes;
mod triangle_depth;
mod triangle_gap;
pub mod triangle_pair;
pub mod worker;

pub use objects::{Object, ObjectSettings};
pub use pipeline::{Mode, Pipeline, PipelineSettings, PipelineStats, StepOutcome};
pub use shapes::Shape;
pub use sweep::Method;
pub use transform::{Frame, Transform};

/// Random numbers for tests, from -0.5 to 0.5.
#[cfg(test)]
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
}
