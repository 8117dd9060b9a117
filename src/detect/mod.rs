//! Passes that look for collisions.

mod candidates;
mod contacts;
mod features;
mod leaves;
mod order;
mod pairs;
mod queries;
mod query;

pub use contacts::{AT_START, Contact};
pub use queries::{CHUNK, Queries, QueriesError, Source};
pub use query::{MeshQuery, Mode, QuerySettings, QueryStats};
