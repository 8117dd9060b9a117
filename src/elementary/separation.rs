//! Minimum separation.
use super::pair::Pair;
use super::{Hit, Query, Settings};
pub fn first_contact<P: Pair>(_query: &Query, _settings: &Settings) -> Option<Hit> {
    todo!()
}
