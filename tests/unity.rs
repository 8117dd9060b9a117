//! The C# bindings in `bindings/unity`, compiled and run by Mono; the parts for Unity with stubs of its types.
#![cfg(target_os = "linux")]

mod support_bindings;
mod support_c;
mod support_header;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use support_bindings::{compile_c, frames_of_c, has_or_skip, library_folder, must, root};
use support_c::TempFolder;
use support_header::{Header, layout};

/// Files of a folder that end like this, sorted.
fn sources(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).unwrap();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "cs"));
    found.sort();
    assert!(!found.is_empty(), "{folder}");
    found
}

fn compile(program: &Path, options: &[&str], folders: &[&str], files: &[PathBuf]) {
    let mut command = Command::new("mcs");
    command.args(["-unsafe", "-warnaserror+", "-langversion:latest"]).args(options);
    command.arg(format!("-out:{}", program.display()));
    for folder in folders {
        command.args(sources(folder));
    }
    must(command.args(files));
}

fn run(program: &Path, arguments: &[&str]) -> String {
    must(Command::new("mono").arg(program).args(arguments).env("LD_LIBRARY_PATH", library_folder()))
}

fn header() -> Header {
    Header::parse(&fs::read_to_string(root().join("include/pccd.h")).unwrap())
}

/// The program without Unity.
fn standalone(folder: &TempFolder) -> PathBuf {
    let program = folder.0.join("Program.exe");
    let layout = folder.write("Layout.cs", layout::in_csharp(&header()));
    let folders =
        ["bindings/unity/Runtime", "bindings/unity/Tests/Runtime", "bindings/unity/Tests/Standalone~"];
    compile(&program, &[], &folders, &[layout]);
    program
}

fn has_mono() -> bool {
    has_or_skip("mcs") && has_or_skip("mono")
}

#[test]
fn structs_are_as_in_c() {
    if !has_mono() {
        return;
    }
    let folder = TempFolder::new("csharp-layout");
    let source = folder.write("layout.c", layout::in_c(&header()));
    let in_c = must(&mut Command::new(compile_c(&folder, &source)));
    // C tells the sizes of fields as well.
    let expected: Vec<String> =
        in_c.lines().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
    assert!(expected.len() > 100, "{in_c}");
    let found = run(&standalone(&folder), &["layout"]);
    assert_eq!(found.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn cloth_errors_and_callbacks() {
    if !has_mono() {
        return;
    }
    let folder = TempFolder::new("csharp");
    let program = standalone(&folder);
    let expected = frames_of_c(&folder);
    assert_eq!(run(&program, &["frames"]), expected);
    let checks = run(&program, &["checks"]);
    let source = fs::read_to_string(root().join("bindings/unity/Tests/Runtime/PccdTests.cs")).unwrap();
    let names = source.lines().filter_map(|line| line.trim().strip_prefix("[Test] public void "));
    let expected_checks: Vec<String> =
        names.map(|line| format!("ok {}", line.split('(').next().unwrap())).collect();
    assert_eq!(checks.lines().collect::<Vec<_>>(), expected_checks, "the same as in Unity");

    let domains = run(&program, &["domains"]);
    let unloaded: String = (1..=5).map(|round| format!("ok domain {round}\n")).collect();
    assert_eq!(domains, unloaded + &expected);
}

#[test]
fn types_of_unity() {
    if !has_mono() {
        return;
    }
    let folder = TempFolder::new("csharp-unity");
    let program = folder.0.join("UnityProgram.exe");
    let scene = [
        "bindings/unity/Tests/Runtime/Wave.cs",
        "tests/bindings/UnityStubs.cs",
        "tests/bindings/UnityProgram.cs",
    ];
    let scene = scene.map(|path| root().join(path));
    let folders = ["bindings/unity/Runtime", "bindings/unity/Samples~/ClothSelfCollision"];
    compile(&program, &["-define:UNITY_5_3_OR_NEWER;UNITY_EDITOR"], &folders, &scene);
    assert_eq!(run(&program, &[]), frames_of_c(&folder));
}

#[test]
fn the_package_is_complete() {
    let folder = TempFolder::new("upm");
    let package = folder.0.join("package");
    let mut command = Command::new(root().join("bindings/unity/pack.sh"));
    must(command.arg(&package).arg(library_folder().join("libpccd.so")));
    let description = fs::read_to_string(package.join("package.json")).unwrap();
    let description: serde_json::Value = serde_json::from_str(&description).unwrap();
    assert_eq!(description["version"], env!("CARGO_PKG_VERSION"));
    for name in ["Runtime/Pccd.asmdef", "Tests/Runtime/Pccd.Tests.asmdef"] {
        let text = fs::read_to_string(package.join(name)).unwrap();
        let described: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(described["allowUnsafeCode"], true, "{name}");
    }
    // Unity ignores what has no .meta in a package that it may not change, except in folders that end with ~.
    let mut guids = Vec::new();
    let mut waiting = vec![package.clone()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if name.ends_with(".meta") || name.ends_with('~') {
                continue;
            }
            let meta = fs::read_to_string(format!("{}.meta", path.display()))
                .unwrap_or_else(|error| panic!("{}.meta: {error}", path.display()));
            let guid = meta.lines().find_map(|line| line.strip_prefix("guid: ")).unwrap().to_owned();
            assert!(guid.len() == 32 && guid.bytes().all(|byte| byte.is_ascii_hexdigit()), "{guid}");
            guids.push(guid);
            if path.is_dir() {
                waiting.push(path);
            }
        }
    }
    let count = guids.len();
    guids.sort();
    guids.dedup();
    assert!(guids.len() == count && count > 15, "{count} files, {} ids", guids.len());
    assert!(package.join("Plugins/x86_64/libpccd.so").is_file());
}
