//! Who runs what when. Knows no geometry.

mod pool;

pub use pool::{Pool, PoolError};
