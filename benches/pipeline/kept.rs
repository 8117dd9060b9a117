//! What was measured last of each scene, kept in `target/pipeline-docs`: so that scenes can be measured one by one, and the page shows all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/pipeline-docs")
}

/// Keeps some lines under a name.
pub fn keep(name: &str, lines: &str) -> io::Result<()> {
    fs::create_dir_all(folder())?;
    fs::write(folder().join(name), lines)
}

/// What is kept under names that begin like this, for each of the scenes in their order.
pub fn all(prefix: &str, scenes: &[&str]) -> String {
    scenes
        .iter()
        .filter_map(|scene| fs::read_to_string(folder().join(format!("{prefix}-{scene}"))).ok())
        .collect()
}
