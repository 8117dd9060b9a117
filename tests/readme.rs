//! What the README says under "In your engine" works when it is copied, as far as the engines are there. And the page about the header can
//! be made, without a warning.
#![cfg(target_os = "linux")]

mod support_bindings;
mod support_c;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use support_bindings::{build_godot, has_or_skip, library_folder, must, root, run_godot};
use support_c::{TempFolder, text};

/// What every one of them prints.
const FOUND: &str = "contacts, the first one at t = 0.500\n";

/// The code below a heading of that section.
fn snippet(heading: &str) -> String {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let section = readme.split("\n## In your engine\n").nth(1).expect("the section is there");
    let section = section.split("\n## ").next().unwrap();
    let part = section.split(&format!("\n### {heading}\n")).nth(1).expect(heading);
    let (_, code) = part.split_once("```").expect("there is code");
    let (_, code) = code.split_once('\n').unwrap();
    code.split_once("```").expect("the code ends").0.to_owned()
}

fn link(command: &mut Command) -> &mut Command {
    command
        .arg(library_folder().join("libpccd.so.0"))
        .arg(format!("-Wl,-rpath,{}", library_folder().display()))
}

/// `... contacts, the first one at t = 0.500`, rounded down to 0.499 where times are.
fn assert_found(printed: &str) {
    let printed = printed.replace("0.499", "0.500");
    let (count, rest) = printed.split_once(' ').unwrap_or_default();
    assert!(count.parse::<u32>().is_ok_and(|count| count > 0) && rest == FOUND, "{printed}");
}

#[test]
fn c_and_cplusplus() {
    let folder = TempFolder::new("readme-c");
    for (heading, name, variable, compiler, standard) in
        [("C", "main.c", "CC", "cc", "-std=c99"), ("C++", "main.cpp", "CXX", "c++", "-std=c++17")]
    {
        let (source, program) = (folder.write(name, snippet(heading)), folder.0.join(compiler));
        let mut command = Command::new(std::env::var_os(variable).unwrap_or(compiler.into()));
        command
            .args([standard, "-Wall", "-Wextra", "-Werror", "-I"])
            .arg(root().join("include"))
            .arg(&source);
        must(link(command.arg("-o").arg(&program)));
        assert_found(&must(&mut Command::new(program)));
    }
}

#[test]
fn cmake() {
    if !has_or_skip("cmake") {
        return;
    }
    library_folder();
    let folder = TempFolder::new("readme-cmake");
    let (prefix, build) = (folder.0.join("prefix"), folder.0.join("build"));
    must(
        Command::new(root().join("packaging/install.sh"))
            .arg("install")
            .env("PREFIX", &prefix)
            .env_remove("DESTDIR"),
    );
    folder.write("project/main.cpp", snippet("C++"));
    folder.write("project/CMakeLists.txt", snippet("CMake"));
    let mut command = Command::new("cmake");
    command.arg("-S").arg(folder.0.join("project")).arg("-B").arg(&build);
    must(command.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())));
    must(Command::new("cmake").arg("--build").arg(&build));
    assert_found(&must(&mut Command::new(build.join("my_engine"))));
}

/// Compiled with stubs of Unity's types.
#[test]
fn unity() {
    if !has_or_skip("mcs") {
        return;
    }
    let folder = TempFolder::new("readme-unity");
    let source = folder.write("Cloth.cs", snippet("Unity"));
    let mut command = Command::new("mcs");
    command.args(["-unsafe", "-langversion:latest", "-target:library", "-define:UNITY_5_3_OR_NEWER"]);
    command.arg(format!("-out:{}", folder.0.join("cloth.dll").display())).arg(source);
    for entry in fs::read_dir(root().join("bindings/unity/Runtime")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "cs") {
            command.arg(path);
        }
    }
    must(command.arg(root().join("tests/bindings/UnityStubs.cs")));
}

/// Compiled and run with stand-ins for the engine.
#[test]
fn unreal() {
    let folder = TempFolder::new("readme-unreal");
    let (plugin, mock): (PathBuf, PathBuf) =
        (root().join("bindings/unreal/Pccd/Source/Pccd"), root().join("tests/bindings/unreal"));
    let around = format!(
        r#"
#include "GameFramework/Actor.h"
#include "PccdSelfCollisionComponent.h"
class AMyCloth : public AActor {{
public:
    using Super = AActor;
    void BeginPlay() override;
    void Tick(float) override;
    void Simulate(float, TArray<FVector>& positions) {{ for (int i = 3; i < 6; i++) positions[i].Z = -1; }}
    void Resolve(const pccd_contact& contact) {{ if (Count++ == 0) First = contact.toi_lower; }}
    TObjectPtr<UPccdSelfCollisionComponent> Collisions;
    TArray<FVector> Positions;
    TArray<int32> Triangles;
    int Count = 0;
    double First = 0;
}};
{}
int main() {{
    AMyCloth cloth;
    for (FVector at : {{FVector(0, 0, 0), FVector(1, 0, 0), FVector(0, 1, 0), FVector(.1, .1, 1), FVector(.4, .1, 1), FVector(.1, .4, 1)}})
        cloth.Positions.Add(at);
    for (int32 i = 0; i < 6; i++) cloth.Triangles.Add(i);
    cloth.BeginPlay();
    cloth.Tick(0.016f);
    std::printf("%d contacts, the first one at t = %.3f\n", cloth.Count, cloth.First);
    delete cloth.Collisions;
}}
"#,
        snippet("Unreal")
    );
    let (source, program) = (folder.write("main.cpp", around), folder.0.join("cloth"));
    let mut command = Command::new(std::env::var_os("CXX").unwrap_or("c++".into()));
    command.args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-pthread", "-o"]).arg(&program).arg(source);
    for include in [&mock, &plugin.join("Public"), &root().join("include")] {
        command.arg("-I").arg(include);
    }
    for name in ["PccdModule.cpp", "PccdSelfCollisionComponent.cpp"] {
        command.arg(plugin.join("Private").join(name));
    }
    must(link(&mut command));
    assert_found(&must(&mut Command::new(program)));
}

/// Runs what is printed under a heading in an engine.
fn godot(engine: &mut Command, version: u32) {
    let folder = TempFolder::new(&format!("readme-godot{version}"));
    let build = folder.0.join("build");
    build_godot(&build);
    let output = run_godot(engine, version, &build, &folder, &snippet(&format!("Godot {version}")));
    let printed = text(&output.stdout);
    let line = printed.lines().find(|line| line.contains("contacts")).unwrap_or_default();
    assert!(output.status.success(), "{printed}{}", text(&output.stderr));
    assert_found(&format!("{line}\n"));
}

#[test]
fn godot_3() {
    if has_or_skip("godot3-server") {
        godot(&mut Command::new("godot3-server"), 3);
    }
}

#[test]
fn godot_4() {
    if let Some(mut engine) = support_bindings::godot_4() {
        godot(&mut engine, 4);
    }
}

#[test]
fn links_lead_somewhere() {
    for name in [
        "README.md",
        "bindings/godot/README.md",
        "bindings/unreal/README.md",
        "docs/abi.md",
        "docs/integration.md",
    ] {
        let file = root().join(name);
        let content = fs::read_to_string(&file).unwrap();
        for part in content.split("](").skip(1) {
            let link = part.split([')', '#']).next().unwrap();
            if !link.is_empty() && !link.contains("://") {
                assert!(file.parent().unwrap().join(link).exists(), "{name}: {link}");
            }
        }
    }
}

#[test]
fn doxygen_has_nothing_to_complain_about() {
    if !has_or_skip("doxygen") {
        return;
    }
    let folder = TempFolder::new("doxygen");
    let settings = fs::read_to_string(root().join("docs/doxygen/Doxyfile")).unwrap();
    let settings = settings + &format!("OUTPUT_DIRECTORY = {}\n", folder.0.display());
    let settings = folder.write("Doxyfile", settings);
    let output = Command::new("doxygen").arg(settings).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(text(&output.stderr), "");
    let page = fs::read_to_string(folder.0.join("html/pccd_8h.html")).unwrap();
    let list = fs::read_to_string(root().join("tests/exported_symbols.txt")).unwrap();
    for function in list.lines() {
        assert!(page.contains(function), "{function} is not on the page");
    }
    assert!(Path::new(&folder.0).join("html/index.html").is_file());
}
