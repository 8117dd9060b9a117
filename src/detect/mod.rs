//! Passes that look for collisions, on all workers of a pool.

mod queries;

pub use queries::{CHUNK, Queries, QueriesError, Source};
