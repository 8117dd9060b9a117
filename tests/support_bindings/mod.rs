//! What the tests of the bindings share: the library, programs in C to compare with, and what to do without a tool.

// Every test binary compiles all of this and uses a part.
#![allow(dead_code)]

use crate::support_c::{TempFolder, build_folder, skip, text};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
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

/// The static library that was built with the shared one.
pub fn static_library() -> PathBuf {
    library_folder();
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or("target".into());
    root().join(target).join("release/libpccd.a")
}

/// Builds the libraries for Godot into a folder.
pub fn build_godot(build: &Path) {
    let mut command = Command::new("make");
    command.arg("-C").arg(root().join("bindings/godot")).env_remove("MAKEFLAGS").env_remove("MAKELEVEL");
    command.arg(format!("LIBRARY={}", static_library().display())).arg(format!("BUILD={}", build.display()));
    must(&mut command);
}

/// Makes a project for a version of Godot, with what was built into `build` and a script, and runs that.
pub fn run_godot(
    engine: &mut Command,
    version: u32,
    build: &Path,
    folder: &TempFolder,
    script: &str,
) -> Output {
    let binding = root().join("bindings/godot");
    let project = folder.0.join("project");
    // The older one finds its native script from where that is used, the newer one in a list that the editor makes.
    folder.write(
        "project/project.godot",
        format!("config_version={}\n\n[application]\n\nconfig/name=\"libpccd test\"\n", version + 1),
    );
    folder.write("project/main.gd", script);
    let files = if version == 3 {
        vec![binding.join("pccd.gdnlib"), binding.join("pccd.gdns"), build.join("libpccd_godot.so")]
    } else {
        folder.write("project/.godot/extension_list.cfg", "res://pccd.gdextension\n");
        vec![binding.join("pccd.gdextension"), build.join("libpccd_godot4.so")]
    };
    for file in files {
        fs::copy(&file, project.join(file.file_name().unwrap())).unwrap();
    }
    // It leaves files in the home folder.
    engine.env("HOME", &project).env("XDG_DATA_HOME", &project).env("XDG_CONFIG_HOME", &project);
    engine.env("XDG_CACHE_HOME", &project).arg("--path").arg(&project).args(["-s", "main.gd"]);
    engine.output().unwrap()
}

/// A Godot 4, if there is one to be tried.
pub fn godot_4() -> Option<Command> {
    let Some(engine) = std::env::var_os("GODOT4") else {
        println!("not tried in Godot 4: make test-godot4 fetches one, and GODOT4 names one");
        return None;
    };
    let mut command = Command::new(engine);
    command.arg("--headless");
    Some(command)
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
