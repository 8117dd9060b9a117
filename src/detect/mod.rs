//! Passes that look for collisions, on all workers of a pool.

mod queries;
mod query;

pub use queries::{CHUNK, Queries, QueriesError, Source};
pub use query::{Contact, MeshQuery, Mode, QuerySettings, QueryStats};
