//! Many queries at once.

use super::{Hit, Kind, Query, Settings};
use crate::simd::Level;

/// Working memory of one worker: create one per thread and keep it.
pub struct Scratch {
    limbs: Vec<u64>,
}

impl Scratch {
    /// How many 64-bit limbs [`Scratch::new`] wants.
    pub const LIMBS: usize = 64 * 1024;

    /// `limbs` holds [`Scratch::LIMBS`] numbers.
    pub fn new(limbs: Vec<u64>) -> Scratch {
        Scratch { limbs }
    }
}

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
    scratch: &mut Scratch,
    _report: &mut dyn FnMut(usize, Hit),
) -> Result<(), NotFinite> {
    let _ = scratch.limbs.len();
    Ok(())
}
