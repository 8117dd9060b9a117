//! What the integration tests share. The oracle (`oracle`, `separation` and what they stand on) uses nothing of the
//! library but the plain types of its interface, so that a mistake in one can't hide a mistake in the other.

// Every test binary compiles all of this and uses a part.
#![allow(dead_code)]

pub mod brute_force;
pub mod check;
pub mod contacts;
pub mod detector;
pub mod distance;
pub mod dyadic;
pub mod generators;
pub mod ground_truth;
pub mod hooks;
pub mod intersection;
pub mod k_free;
pub mod models;
pub mod motion;
pub mod oracle;
pub mod patches;
pub mod ply;
pub mod polynomial;
pub mod random;
pub mod report;
pub mod scene;
pub mod scene_files;
pub mod scene_runs;
pub mod scenes;
pub mod separation;
pub mod soups;
pub mod time;
pub mod transform;
pub mod vector;
