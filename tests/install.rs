//! `make install`: what is there afterwards, programs that find it by pkg-config and CMake, and that nothing is left when it is removed.

#![cfg(target_os = "linux")]

mod support_bindings;
mod support_c;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use support_bindings::{has_or_skip, must, root};
use support_c::{TempFolder, text};

/// What `hello` prints, if it works.
const GREETING: &str = "first contact at a time in";

/// The same in C++, with the layer that is installed, too.
const GREETING_CPP: &str = r#"
#include <pccd.hpp>
#include <cstdio>
#include <vector>
int main() {
    using Point = std::array<float, 3>;
    const std::vector<Point> above{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 1}, {2, 1, 1}, {1, 2, 1}};
    const std::vector<Point> below{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, -1}, {2, 1, -1}, {1, 2, -1}};
    const std::vector<std::array<std::uint16_t, 3>> triangles{{0, 1, 2}, {3, 4, 5}};
    auto context = pccd::context::create();
    auto mesh = context.create_mesh(pccd::view(above), pccd::view(triangles));
    auto bvh = context.create_bvh();
    auto query = context.create_query();
    bvh.add(mesh);
    mesh.move_to(pccd::view(below));
    query.run(bvh);
    for (const pccd_contact &contact : query.contacts()) {
        std::printf("first contact at a time in [%g, %g]\n", contact.toi_lower, contact.toi_upper);
    }
    return query.contacts().size() == 3 ? 0 : 1;
}
"#;

fn make(target: &str, variables: &[(&str, &Path)]) {
    let mut command = Command::new("make");
    command.arg("-C").arg(root()).arg(target);
    // Where make runs these tests, its own flags are not meant for this one.
    for name in ["MAKEFLAGS", "MAKELEVEL", "PREFIX", "DESTDIR", "LIBDIR", "INCLUDEDIR"] {
        command.env_remove(name);
    }
    for (name, value) in variables {
        command.arg(format!("{name}={}", value.display()));
    }
    must(&mut command);
}

/// All files below a folder, with where links lead.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            if path.is_symlink() {
                found.push(format!("{name} -> {}", fs::read_link(&path).unwrap().display()));
            } else if path.is_dir() {
                waiting.push(path);
            } else {
                found.push(name);
            }
        }
    }
    found.sort();
    found
}

fn pkg_config(prefix: &Path, arguments: &[&str]) -> Vec<String> {
    let output = must(
        Command::new("pkg-config")
            .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"))
            .args(arguments)
            .arg("pccd"),
    );
    output.split_whitespace().map(str::to_owned).collect()
}

fn compile(program: &Path, arguments: &[String]) {
    let mut command = Command::new(std::env::var_os("CC").unwrap_or("cc".into()));
    command.args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]).arg("-o").arg(program);
    must(command.arg(root().join("examples_c/hello.c")).args(arguments));
}

fn greets(program: &Path, libraries: Option<PathBuf>) {
    let mut command = Command::new(program);
    command.env_remove("LD_LIBRARY_PATH");
    if let Some(folder) = libraries {
        command.env("LD_LIBRARY_PATH", folder);
    }
    assert!(must(&mut command).contains(GREETING), "{}", program.display());
}

#[test]
fn installed_files_are_those_that_are_listed() {
    let folder = TempFolder::new("install");
    let (prefix, destdir) = (Path::new("/opt/some where"), folder.0.join("stage"));
    let variables = [("PREFIX", prefix), ("DESTDIR", destdir.as_path())];
    make("install", &variables);
    let listed = fs::read_to_string(root().join("tests/installed_files.txt")).unwrap();
    let listed = listed.replace("VERSION", env!("CARGO_PKG_VERSION"));
    assert_eq!(files(&destdir.join("opt/some where")), listed.lines().collect::<Vec<_>>());
    let described = fs::read_to_string(destdir.join("opt/some where/lib/pkgconfig/pccd.pc")).unwrap();
    assert!(described.contains("prefix=/opt/some where\n"), "the stage is not where it will be: {described}");

    let other = destdir.join("opt/some where/lib/other.so");
    fs::write(&other, "").unwrap();
    make("uninstall", &variables);
    assert_eq!(
        files(&destdir),
        ["opt/some where/lib/other.so"],
        "others keep what they have, and nothing else is left"
    );
}

#[test]
fn programs_find_it_by_pkg_config() {
    if !has_or_skip("pkg-config") {
        return;
    }
    let folder = TempFolder::new("pkg-config");
    let prefix = folder.0.join("prefix");
    make("install", &[("PREFIX", &prefix)]);
    assert_eq!(pkg_config(&prefix, &["--modversion"]), [env!("CARGO_PKG_VERSION")]);

    let program = folder.0.join("shared");
    compile(&program, &pkg_config(&prefix, &["--cflags", "--libs"]));
    greets(&program, Some(prefix.join("lib")));

    let program = folder.0.join("static");
    let mut arguments = vec!["-static".to_owned()];
    arguments.extend(pkg_config(&prefix, &["--static", "--cflags", "--libs"]));
    compile(&program, &arguments);
    greets(&program, None);
    make("uninstall", &[("PREFIX", &prefix)]);
    assert_eq!(files(&prefix), [""; 0]);
}

#[test]
fn programs_find_it_by_cmake() {
    if !has_or_skip("cmake") {
        return;
    }
    let folder = TempFolder::new("cmake");
    let prefix = folder.0.join("prefix");
    make("install", &[("PREFIX", &prefix), ("LIBDIR", &prefix.join("lib/here"))]);
    // All paths are relative, so that an unpacked archive works anywhere.
    let moved = folder.0.join("moved");
    fs::rename(&prefix, &moved).unwrap();
    folder.write("project/greeting.cpp", GREETING_CPP);
    let (project, package) = (folder.0.join("project"), moved.join("lib/here/cmake/pccd"));
    // Configures a project that wants some version of the library.
    let configure = |wanted: &str| {
        folder.write(
            "project/CMakeLists.txt",
            format!(
                "cmake_minimum_required(VERSION 3.10)\n\
                 project(greeting C CXX)\n\
                 set(CMAKE_CXX_STANDARD 17)\n\
                 find_package(pccd {wanted} REQUIRED CONFIG)\n\
                 foreach(kind pccd static)\n\
                 add_executable(with_${{kind}} {}/examples_c/hello.c)\n\
                 add_executable(cpp_with_${{kind}} greeting.cpp)\n\
                 target_link_libraries(with_${{kind}} PRIVATE pccd::${{kind}})\n\
                 target_link_libraries(cpp_with_${{kind}} PRIVATE pccd::${{kind}})\n\
                 endforeach()\n",
                root().display()
            ),
        );
        let mut command = Command::new("cmake");
        command.arg("-S").arg(&project).arg("-B").arg(folder.0.join(wanted));
        command.arg(format!("-Dpccd_DIR={}", package.display()));
        command
    };
    must(&mut configure("0.1"));
    must(Command::new("cmake").arg("--build").arg(folder.0.join("0.1")));
    for program in ["with_pccd", "with_static", "cpp_with_pccd", "cpp_with_static"] {
        greets(&folder.0.join("0.1").join(program), None);
    }
    for wanted in ["0.0", "0.2", "1.0"] {
        let output = configure(wanted).output().unwrap();
        let refused = text(&output.stderr).contains(&format!("requested version \"{wanted}\""));
        assert!(!output.status.success() && refused, "{wanted}: {}", text(&output.stderr));
    }
}
