//! The libraries in `bindings/godot`, built; and loaded, by a Godot 3 and, where there is one, by a Godot 4, both without a display.
#![cfg(target_os = "linux")]

mod support_bindings;
mod support_c;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use support_bindings::{build_godot, frames_of_c, godot_4, has_or_skip, must, root, run_godot};
use support_c::{TempFolder, text};

/// Where the libraries are; built once, as several tests use them.
fn build() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let build = root().join("bindings/godot/build");
        build_godot(&build);
        build
    })
}

/// Runs a script: what it found in each frame must be what C finds. Returns what went to standard error.
fn run(engine: &mut Command, version: u32, script: &str) -> String {
    let folder = TempFolder::new(&format!("godot{version}"));
    let output = run_godot(engine, version, build(), &folder, script);
    let (printed, errors) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{printed}{errors}");
    let frames: String = printed
        .lines()
        .filter(|line| line.starts_with(|first: char| first.is_ascii_digit()))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(frames, frames_of_c(&folder), "{printed}{errors}");
    assert!(printed.ends_with(&format!("ok {}\n", env!("CARGO_PKG_VERSION"))), "{printed}{errors}");
    assert!(!printed.contains("does not hold"), "{printed}");
    assert!(!errors.contains("SCRIPT ERROR"), "{errors}");
    // Misuse is told, with the sentence of the library.
    for sentence in [
        "pccd_mesh_set_motion: start->count is 1600; expected 3",
        "the number of indices is not a multiple of three",
        "pccd_mesh_create: def->positions: vertex 0, x is NaN",
        "1 arguments; expected 3",
        "argument 1 (positions) is something else; expected an array of vectors",
        "pccd_query_create: def->mode is 9",
    ] {
        assert!(errors.contains(sentence), "{sentence}\n{errors}");
    }
    errors
}

fn script() -> String {
    fs::read_to_string(root().join("bindings/godot/test/main.gd")).unwrap()
}

#[test]
fn a_cloth_in_godot_3() {
    if !has_or_skip("godot3-server") {
        return;
    }
    let errors = run(&mut Command::new("godot3-server"), 3, &script());
    assert!(errors.contains("set_query: pccd_query_create"), "the method is named, too: {errors}");
}

/// The script is the one for Godot 3, with the names that things have since.
#[test]
fn a_cloth_in_godot_4() {
    if godot_4().is_none() {
        return;
    }
    let preload = "const PCCD = preload(\"res://pccd.gdns\")\n";
    assert!(script().contains(preload));
    let renamed = script().replace(preload, "").replace("PoolVector3Array", "PackedVector3Array");
    let renamed = renamed.replace("PoolIntArray", "PackedInt32Array");
    // Where types are declared the engine makes other calls.
    let typed = renamed.replace("var pccd = PCCD.new()", "var pccd: PCCD = PCCD.new()");
    assert_ne!(renamed, typed);
    let untyped = renamed.replace("var pccd = PCCD.new()", "var pccd = ClassDB.instantiate(\"PCCD\")");
    for script in [typed, untyped] {
        run(&mut godot_4().unwrap(), 4, &script);
    }
}

#[test]
fn the_libraries_export_what_the_engine_looks_for_and_nothing_else() {
    let names = |library: &str| {
        let listed = must(Command::new("nm").args(["-D", "--defined-only"]).arg(build().join(library)));
        listed.lines().map(|line| line.rsplit(' ').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let of_3 = ["godot_gdnative_init", "godot_gdnative_terminate", "godot_nativescript_init"];
    assert_eq!(names("libpccd_godot.so"), of_3);
    assert_eq!(names("libpccd_godot4.so"), ["pccd_gdextension_init"]);
}
