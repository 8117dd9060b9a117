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
    kind: Kind,
    queries: &[Query],
    settings: &Settings,
    scratch: &mut [u64],
    report: &mut dyn FnMut(usize, &Hit),
) -> Result<(), NotFinite> {
    assert!(scratch.len() >= SCRATCH_LIMBS);
    for (i, q) in queries.iter().enumerate() {
        if let Some(c) = super::exact::first_contact(kind, q, settings.toi_tolerance, scratch) {
            report(
                i,
                &Hit {
                    at_start: c.at_start,
                    toi_lower: c.toi_lower,
                    toi_upper: c.toi_upper,
                    weights: [0.0; 4],
                    normal: [1.0, 0.0, 0.0],
                },
            );
        }
    }
    Ok(())
}
