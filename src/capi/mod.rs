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
//! | `query`, `query_run`, `contact`, `query_stats`, `worker_stats`, `trace` | those of queries |
//! | `discrete`, `intersection`, `k_free` | those of discrete queries |
//! | `fault` | faults on demand, for tests; behind a feature |

// Types are named as in the header, and what callers have to ensure is told there in C terms.
#![allow(non_camel_case_types, clippy::missing_safety_doc)]

mod bvh;
mod ccd;
mod check;
mod contact;
mod context;
mod discrete;
mod error;
#[cfg(feature = "fault-injection")]
mod fault;
mod gate;
mod guard;
mod intersection;
mod k_free;
mod live;
mod log;
mod mesh;
mod mesh_info;
mod objects;
mod overlap;
mod query;
mod query_run;
mod query_stats;
mod status;
mod table;
mod tasks;
mod trace;
mod triangles;
mod version;
mod versioned;
mod view;
mod worker_stats;

pub use bvh::*;
pub use ccd::*;
pub use contact::*;
pub use context::*;
pub use discrete::*;
pub use error::pccd_last_error;
#[cfg(feature = "fault-injection")]
pub use fault::*;
pub use intersection::*;
pub use k_free::*;
pub use log::*;
pub use mesh::*;
pub use mesh_info::*;
pub use overlap::*;
pub use query::*;
pub use query_run::*;
pub use query_stats::*;
pub use status::*;
pub use tasks::*;
pub use trace::*;
pub use version::*;
pub use view::*;
pub use worker_stats::*;
