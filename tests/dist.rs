//! `make dist`: the archive has all it should, works where it is unpacked, and the static library gets along with another one that was written in Rust.
#![cfg(target_os = "linux")]

mod support_bindings;
mod support_c;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use support_bindings::{build_godot, has_or_skip, library_folder, must, root, static_library};
use support_c::TempFolder;

/// Makes the archive and unpacks it somewhere else.
fn unpacked(folder: &TempFolder) -> PathBuf {
    let (build, dist) = (folder.0.join("godot"), folder.0.join("dist"));
    build_godot(&build);
    let mut command = Command::new(root().join("packaging/dist.sh"));
    must(command.env("DIST", &dist).env("GODOT_BUILD", &build).env_remove("LIBDIR").env_remove("INCLUDEDIR"));
    let is_archive = |path: &PathBuf| path.to_string_lossy().ends_with(".tar.gz");
    let archive =
        fs::read_dir(&dist).unwrap().map(|entry| entry.unwrap().path()).find(is_archive).expect("an archive");
    let name = archive.file_name().unwrap().to_str().unwrap().strip_suffix(".tar.gz").unwrap().to_owned();
    assert!(name.starts_with(&format!("pccd-{}-", env!("CARGO_PKG_VERSION"))), "{name}");
    let elsewhere = folder.0.join("else where");
    fs::create_dir_all(&elsewhere).unwrap();
    must(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(&elsewhere));
    elsewhere.join(name)
}

#[test]
fn the_archive_is_complete() {
    let folder = TempFolder::new("dist");
    let unpacked = unpacked(&folder);
    for name in [
        "include/pccd.h",
        "include/pccd.hpp",
        "lib/libpccd.so",
        "lib/libpccd.so.0",
        "lib/libpccd.a",
        "lib/cmake/pccd/pccdConfig.cmake",
        "bindings/unity/package.json",
        "bindings/unity/Plugins/x86_64/libpccd.so",
        "bindings/unreal/Pccd/Pccd.uplugin",
        "bindings/unreal/Pccd/Source/ThirdParty/PccdLibrary/lib/Linux/libpccd.so.0",
        "bindings/godot/libpccd_godot.so",
        "bindings/godot/pccd.gdextension",
        "bindings/godot/libpccd_godot4.so",
        "README.md",
        "docs/integration.md",
        "LICENSE-MIT",
        "LICENSE-APACHE",
    ] {
        assert!(unpacked.join(name).is_file(), "{name}");
    }
    // A licence for every crate that is in the library, and for the standard library.
    let mut command = Command::new("cargo");
    command.args(["tree", "--edges", "normal", "--prefix", "none", "--locked"]).current_dir(root());
    let mut crates: Vec<String> = must(&mut command)
        .lines()
        .map(|line| line.split(' ').take(2).collect::<Vec<_>>().join("-").replace("-v", "-"))
        .filter(|name| !name.starts_with("pccd-"))
        .collect();
    assert!(!crates.is_empty());
    crates.push("rust-std".to_owned());
    for name in crates {
        let files = fs::read_dir(unpacked.join("licences").join(&name)).unwrap_or_else(|_| panic!("{name}"));
        assert!(files.count() > 0, "{name}");
    }
    if has_or_skip("pkg-config") {
        let flags = must(
            Command::new("pkg-config")
                .env("PKG_CONFIG_PATH", unpacked.join("lib/pkgconfig"))
                .args(["--modversion", "pccd"]),
        );
        assert_eq!(flags.trim(), env!("CARGO_PKG_VERSION"));
    }
    let program = folder.0.join("hello");
    let mut command = Command::new(std::env::var_os("CC").unwrap_or("cc".into()));
    command
        .arg(root().join("examples_c/hello.c"))
        .arg("-I")
        .arg(unpacked.join("include"))
        .arg("-o")
        .arg(&program);
    must(command.arg("-L").arg(unpacked.join("lib")).arg("-lpccd"));
    let printed = must(Command::new(program).env("LD_LIBRARY_PATH", unpacked.join("lib")));
    assert!(printed.contains("first contact at a time in"), "{printed}");
}

/// Both have the standard library of Rust in them.
#[test]
fn another_static_library_in_rust() {
    let folder = TempFolder::new("two-rusts");
    let source = folder.write(
        "other.rs",
        "#[unsafe(no_mangle)] pub extern \"C\" fn other() -> i32 { std::panic::catch_unwind(|| panic!(\"caught\")).is_err() as i32 + \
         (0..10).map(|i| i.to_string()).collect::<Vec<_>>().concat().len() as i32 }",
    );
    let other = folder.0.join("libother.a");
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    must(
        Command::new(rustc)
            .args(["--edition", "2024", "--crate-type", "staticlib", "-O", "-o"])
            .arg(&other)
            .arg(source),
    );
    let main = folder.write(
        "main.c",
        "#include <pccd.h>\n#include <stdio.h>\nint other(void);\nint main(void) {\n pccd_context *it;\n \
         if (pccd_context_create(NULL, &it) < 0 || pccd_context_destroy(it) < 0) return 1;\n \
         printf(\"%d %d\\n\", other(), pccd_context_destroy(it) == PCCD_ERR_STALE_HANDLE);\n return 0;\n}\n",
    );
    let build = |program: &Path, libraries: [&Path; 2]| {
        let mut command = Command::new(std::env::var_os("CC").unwrap_or("cc".into()));
        command.arg("-I").arg(root().join("include")).arg(&main).args(libraries).arg("-o").arg(program);
        must(command.args(["-lpthread", "-ldl", "-lm"]));
        must(&mut Command::new(program))
    };
    let pccd = static_library();
    assert_eq!(build(&folder.0.join("first"), [&pccd, &other]), "11 1\n");
    assert_eq!(build(&folder.0.join("second"), [&other, &pccd]), "11 1\n");
}

/// Threads that have called the library may outlive it, as far as they know.
#[test]
fn it_can_be_unloaded() {
    let folder = TempFolder::new("unload");
    let main = folder.write(
        "main.c",
        r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pccd.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static pthread_barrier_t called, closed;
static void *library;
static void *call(void *unused) {
    void *found = dlsym(library, "pccd_context_destroy");
    pccd_status (*destroy)(pccd_context *);
    memcpy(&destroy, &found, sizeof destroy);
    /* fails, and so leaves a sentence for this thread */
    if (destroy(NULL) != PCCD_ERR_NULL) return (void *)1;
    pthread_barrier_wait(&called);
    pthread_barrier_wait(&closed);
    return unused;
}
int main(int count, char **arguments) {
    int round;
    for (round = 0; round < 3; round++) {
        pthread_t thread;
        void *result;
        if (count < 2 || (library = dlopen(arguments[1], RTLD_NOW)) == NULL) return puts(dlerror()), 1;
        pthread_barrier_init(&called, NULL, 2);
        pthread_barrier_init(&closed, NULL, 2);
        pthread_create(&thread, NULL, call, NULL);
        pthread_barrier_wait(&called);
        if (dlclose(library) != 0) return 2;
        pthread_barrier_wait(&closed);
        pthread_join(thread, &result);
        if (result != NULL) return 3;
    }
    puts("unloaded");
    return 0;
}
"#,
    );
    let program = folder.0.join("unload");
    let mut command = Command::new(std::env::var_os("CC").unwrap_or("cc".into()));
    command.args(["-Wall", "-Wextra", "-Werror", "-I"]).arg(root().join("include")).arg(main);
    must(command.arg("-o").arg(&program).args(["-lpthread", "-ldl"]));
    assert_eq!(must(Command::new(program).arg(library_folder().join("libpccd.so.0"))), "unloaded\n");
}
