//! What the tests of the bindings share: the library, programs in C to compare with, and what to do without a tool.

// Every test binary compiles all of this and uses a part.
#![allow(dead_code)]

use crate::support_c::{TempFolder, build_folder, skip, text};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs; fails unless it exits with 0. Returns what it printed.
pub fn must(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let printed = text(&output.stdout);
    assert!(output.status.success(), "{command:?}: {}\n{printed}{}", output.status, text(&output.stderr));
    printed
}

/// Whether a program is there. Where everything has to be tested, it has to be.
pub fn has_or_skip(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).any(|folder| folder.join(program).is_file());
    if !found {
        assert!(std::env::var_os("CI").is_none(), "{program} is needed: make test-bindings installs it");
        skip(&format!("{program} is not installed; make test-bindings installs it"));
    }
    found
}

/// A folder with the library, under its plain name as well.
pub fn library_folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = build_folder();
        // Under another name first: other tests may be loading it.
        let (waiting, library) =
            (folder.join(format!("libpccd.so.{}", std::process::id())), folder.join("libpccd.so"));
        fs::copy(folder.join("libpccd.so.0"), &waiting).unwrap();
        fs::rename(&waiting, &library).unwrap();
        folder.to_owned()
    })
}

/// Compiles a program in C against the library. Returns its path.
pub fn compile_c(folder: &TempFolder, source: &Path) -> PathBuf {
    compile_c_with(folder, source, &root().join("include"))
}

pub fn compile_c_with(folder: &TempFolder, source: &Path, include: &Path) -> PathBuf {
    let program = folder.0.join(source.file_stem().unwrap());
    let mut command = Command::new(std::env::var_os("CC").unwrap_or("cc".into()));
    // Without contraction numbers are the same as in other languages.
    command.args(["-std=c99", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"]);
    command.arg(include).arg(source).arg("-o").arg(&program);
    command.arg(library_folder().join("libpccd.so.0")).args(["-lm", "-pthread"]);
    command.arg(format!("-Wl,-rpath,{}", library_folder().display()));
    must(&mut command);
    program
}

/// What C finds in the scene that all bindings are tested with.
pub fn frames_of_c(folder: &TempFolder) -> String {
    let frames = must(&mut Command::new(compile_c(folder, &root().join("tests/c/wave.c"))));
    let counts: Vec<u64> =
        frames.lines().map(|line| line.split(' ').nth(1).unwrap().parse().unwrap()).collect();
    assert!(counts.len() == 6 && counts.iter().all(|&count| count > 100), "{frames}");
    frames
}
