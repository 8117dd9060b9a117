//! What the tests of the C examples share: building the programs, temporary files, and the place of the data.

// Every test binary compiles all of this and uses a part.
#![allow(dead_code)]

pub mod frames;
pub mod mesh_files;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The folder with the built programs; built once for all tests.
pub fn build_folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples_c");
        // Where make runs these tests, its own flags are not meant for this one.
        let output = Command::new("make")
            .arg("-C")
            .arg(&examples)
            .env_remove("MAKEFLAGS")
            .env_remove("MAKELEVEL")
            .output()
            .expect("make can be run");
        assert!(output.status.success(), "make -C examples_c:\n{}", text(&output.stderr));
        examples.join("build")
    })
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Says so where nobody can overlook it: what `println!` writes is hidden when a test passes.
pub fn skip(reason: &str) {
    writeln!(std::io::stderr(), "SKIPPED: {reason}").expect("stderr can be written");
}

/// A folder that is removed in the end.
pub struct TempFolder(pub PathBuf);

impl TempFolder {
    pub fn new(name: &str) -> TempFolder {
        let path = std::env::temp_dir().join(format!("pccd-examples-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder can be made");
        TempFolder(path)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The folder of the ground truth, if it is there. Otherwise says that the test is skipped, or fails where the data is
/// required.
pub fn data_folder() -> Option<PathBuf> {
    let data = match std::env::var_os("PCCD_DATA") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
    };
    if data.is_dir() {
        return Some(data);
    }
    let required = std::env::var_os("CI").is_some()
        || std::env::var_os("PCCD_REQUIRE_DATA").is_some_and(|value| value == "1");
    assert!(!required, "there is no ground truth in {}", data.display());
    skip(&format!("no ground truth in {}; PCCD_DATA names its folder", data.display()));
    None
}
