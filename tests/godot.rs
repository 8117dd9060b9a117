//! The GDNative library in `bindings/godot`, built and loaded by a Godot 3 without a display.
#![cfg(target_os = "linux")]

mod support_bindings;
mod support_c;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use support_bindings::{frames_of_c, has_or_skip, library_folder, must, root};
use support_c::{TempFolder, text};

/// The static library that was built with the shared one.
fn static_library() -> PathBuf {
    library_folder();
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or("target".into());
    root().join(target).join("release/libpccd.a")
}

/// The built library; once, as several tests use it.
fn binding() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let binding = root().join("bindings/godot");
        let mut command = Command::new("make");
        command.arg("-C").arg(&binding).env_remove("MAKEFLAGS").env_remove("MAKELEVEL");
        must(command.arg(format!("LIBRARY={}", static_library().display())));
        binding
    })
}

/// A project with the library in it.
fn project(folder: &TempFolder) -> PathBuf {
    let project = folder.0.join("project");
    fs::create_dir_all(&project).unwrap();
    for name in ["test/project.godot", "test/main.gd", "pccd.gdnlib", "pccd.gdns", "build/libpccd_godot.so"] {
        let path = binding().join(name);
        fs::copy(&path, project.join(path.file_name().unwrap())).unwrap();
    }
    project
}

fn godot(project: &Path) -> Command {
    let mut command = Command::new("godot3-server");
    // It leaves files in the home folder.
    command.env("HOME", project).env("XDG_DATA_HOME", project).env("XDG_CONFIG_HOME", project);
    command.env("XDG_CACHE_HOME", project).arg("--path").arg(project).args(["-s", "main.gd"]);
    command
}

#[test]
fn a_cloth_in_the_engine() {
    if !has_or_skip("godot3-server") {
        return;
    }
    let folder = TempFolder::new("godot");
    let project = project(&folder);
    let output = godot(&project).output().unwrap();
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
        "set_motion: pccd_mesh_set_motion: start->count is 1600; expected 3",
        "create_mesh: the number of indices is not a multiple of three",
        "create_mesh: pccd_mesh_create: def->positions: vertex 0, x is NaN",
        "create_mesh: argument 1 is of type 19; expected type 25",
        "set_query: pccd_query_create: def->mode is 9",
    ] {
        assert!(errors.contains(sentence), "{sentence}\n{errors}");
    }
}

#[test]
fn the_library_exports_what_the_engine_looks_for_and_nothing_else() {
    let library = binding().join("build/libpccd_godot.so");
    let listed = must(Command::new("nm").args(["-D", "--defined-only"]).arg(library));
    let names: Vec<&str> = listed.lines().map(|line| line.rsplit(' ').next().unwrap()).collect();
    assert_eq!(names, ["godot_gdnative_init", "godot_gdnative_terminate", "godot_nativescript_init"]);
}
