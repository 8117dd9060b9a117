//! The shared library exports what `tests/exported_symbols.txt` lists and nothing else, under the right name.

#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn output(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Builds the library as users do, and returns the directory it is in.
fn release() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    output(
        Command::new(env!("CARGO"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(["build", "--release", "--lib", "--target-dir"])
            .arg(target),
    );
    target.join("release")
}

#[test]
fn the_library_has_its_name_and_exports_only_its_functions() {
    let library = release().join("libpccd.so");

    let dynamic = output(Command::new("readelf").arg("-d").arg(&library));
    assert!(dynamic.contains("[libpccd.so.0]"), "no SONAME libpccd.so.0:\n{dynamic}");

    let symbols = output(Command::new("nm").args(["-D", "--defined-only"]).arg(&library));
    let mut exported: Vec<&str> = symbols.lines().filter_map(|line| line.split_whitespace().last()).collect();
    exported.sort();
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exported_symbols.txt");
    let list = fs::read_to_string(list).unwrap();
    assert_eq!(exported, list.lines().collect::<Vec<_>>());
}

#[test]
fn the_static_library_is_built_too() {
    assert!(release().join("libpccd.a").exists());
}
