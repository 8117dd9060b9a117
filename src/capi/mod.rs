//! The only `extern "C"`. What C hands over is checked here, and nothing that goes wrong leaves as a panic.
//!
//! `include/pccd.h` is generated from the public items of these files, their comments included: those are written for
//! C programmers. Every entry point is one call of `guard::enter` or `guard::enter_context`.
//!
//! | file | what it is |
//! |---|---|
//! | `guard` | the one way in: panic, null, stale, busy, poisoned |
//! | `status`, `error`, `log` | how a call says what happened: number, sentence, callback |
//! | `versioned` | structs that grow at the end |
//! | `table` | ids that notice when what they named is gone |
//! | `live` | which contexts exist, and who is inside one |
//! | `gate` | how other threads reach a run while somebody else has its context |
//! | `objects` | what handles name: meshes, hierarchies and queries of a context |
//! | `check` | checks that many functions need |
//! | `triangles` | views of triangles; those of points are in `view` |
//! | `version`, `tasks`, `context`, `view`, `ccd` | the functions and structs of the header |
//! | `mesh`, `mesh_info` | those of meshes |
//! | `bvh`, `overlap` | those of hierarchies |
//! | `split`, `merge`, `vertex_origin` | those of bodies that break and become one |
//! | `query`, `query_run`, `contact`, `query_stats`, `worker_stats`, `trace` | those of queries |
//! | `discrete`, `intersection`, `k_free` | those of discrete queries |
//! | `pipeline`, `pipeline_object`, `pipeline_add`, `pipeline_transforms`, `pipeline_info`, `pipeline_step`, `pipeline_results` | those of pipelines |
//! | `rotations` | views of quaternions |
//! | `fault` | faults on demand, for tests; not in the interface |

// Types are named as in the header, and what callers have to ensure is told there in C terms.
#![allow(non_camel_case_types, clippy::missing_safety_doc)]

mod breaking;
mod bvh;
mod ccd;
mod check;
mod contact;
mod context;
mod discrete;
mod error;
pub mod fault;
mod gate;
mod guard;
mod intersection;
mod k_free;
mod live;
mod log;
mod merge;
mod mesh;
mod mesh_info;
mod objects;
mod overlap;
mod pipeline;
mod pipeline_add;
mod pipeline_info;
mod pipeline_object;
mod pipeline_results;
mod pipeline_step;
mod pipeline_transforms;
mod query;
mod query_run;
mod query_stats;
mod rotations;
mod split;
mod status;
mod table;
mod tasks;
mod trace;
mod triangles;
mod version;
mod versioned;
mod vertex_origin;
mod view;
mod worker_stats;

pub use bvh::*;
pub use ccd::*;
pub use contact::*;
pub use context::*;
pub use discrete::*;
pub use error::pccd_last_error;
pub use intersection::*;
pub use k_free::*;
pub use log::*;
pub use merge::*;
pub use mesh::*;
pub use mesh_info::*;
pub use overlap::*;
pub use pipeline::*;
pub use pipeline_add::*;
pub use pipeline_info::*;
pub use pipeline_object::*;
pub use pipeline_results::*;
pub use pipeline_step::*;
pub use pipeline_transforms::*;
pub use query::*;
pub use query_run::*;
pub use query_stats::*;
pub use split::*;
pub use status::*;
pub use tasks::*;
pub use trace::*;
pub use version::*;
pub use vertex_origin::*;
pub use view::*;
pub use worker_stats::*;
