//! Passes that look for collisions.

mod candidates;
mod contacts;
mod detection;
mod features;
mod leaves;
mod order;
mod packing;
mod plan;
mod queries;
mod query;
mod run;
mod stats;
mod traverse;
mod unit;
mod worker;

#[cfg(test)]
mod tests;

pub use contacts::{AT_START, Contact};
pub use queries::{CHUNK, Queries, QueriesError, Source};
pub use query::{MeshQuery, Mode, Outcome, QuerySettings};
pub use run::{Run, SchedulerKind};
pub use stats::{QueryStats, WorkerStats};
