//! The C tests: compiled against the header and the shared library, run, and run again under valgrind.

#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::{env, fs};

const C_FILES: &[&str] = &[
    "check.c",
    "misuse.c",
    "misuse_batches.c",
    "misuse_breaking.c",
    "misuse_bvhs.c",
    "misuse_contexts.c",
    "misuse_discrete.c",
    "misuse_handles.c",
    "misuse_memory.c",
    "misuse_meshes.c",
    "misuse_object_memory.c",
    "misuse_pipelines.c",
    "misuse_queries.c",
    "misuse_structs.c",
    "misuse_threads.c",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// Runs and prints; fails unless it exits with 0.
fn must(command: &mut Command) -> String {
    let output = run(command);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{text}\n{errors}", output.status);
    text
}

/// The directory of the library of `c/fault.rs`, which `cargo test --release` has built already.
fn library() -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a folder of the target folder");
        must(
            Command::new(env!("CARGO"))
                .current_dir(root())
                .args(["build", "--release", "--example", "pccd_fault", "--target-dir"])
                .arg(target),
        );
        let directory = target.join("release/examples");
        // The name that the dynamic linker looks for.
        let link = directory.join("libpccd.so.0");
        if fs::symlink_metadata(&link).is_err() {
            std::os::unix::fs::symlink("libpccd_fault.so", link).unwrap();
        }
        directory
    })
}

/// Compiles a program of `tests/c` and returns its path.
fn compile(compiler: (&str, &str), standard: &str, files: &[&str], name: &str) -> PathBuf {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let compiler = env::var(compiler.0).unwrap_or_else(|_| compiler.1.to_owned());
    let mut rpath = std::ffi::OsString::from("-Wl,-rpath,");
    rpath.push(library());
    must(
        Command::new(compiler)
            .args([standard, "-g", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-pthread", "-I"])
            .arg(root().join("include"))
            .args(files.iter().map(|file| root().join("tests/c").join(file)))
            .arg("-o")
            .arg(&program)
            .arg("-L")
            .arg(library())
            .args(["-lpccd_fault", "-lm"])
            .arg(rpath),
    );
    program
}

fn check_summary(text: &str) {
    let last = text.lines().last().unwrap_or_default();
    assert!(last.ends_with(" passed, 0 failed") && !last.starts_with("0 "), "{text}");
}

/// Runs under valgrind, or says clearly that it did not; where CI says so, not having it is a failure.
fn valgrind(program: &Path, arguments: &[&str]) {
    if Command::new("valgrind").arg("--version").output().is_err() {
        assert!(env::var_os("CI").is_none(), "valgrind is not installed, and CI must not skip it");
        eprintln!("SKIPPED: {} under valgrind, which is not installed", program.display());
        return;
    }
    let mut suppressions = std::ffi::OsString::from("--suppressions=");
    suppressions.push(root().join("tests/c/valgrind.supp"));
    let text = must(
        Command::new("valgrind")
            .args(["--error-exitcode=9", "--leak-check=full"])
            .arg(suppressions)
            .arg("--errors-for-leak-kinds=definite,possible,indirect")
            .current_dir(env!("CARGO_TARGET_TMPDIR"))
            .arg(program)
            .args(arguments),
    );
    check_summary(&text);
}

#[test]
fn every_misuse_is_answered_with_status_and_sentence() {
    let program = compile(("CC", "cc"), "-std=c99", C_FILES, "misuse");
    let text = must(&mut Command::new(&program));
    print!("{text}");
    check_summary(&text);
    valgrind(&program, &["--no-limits"]);
}

#[test]
fn contacts_are_found() {
    let files = [
        "check.c",
        "contacts.c",
        "contacts_asked.c",
        "contacts_found.c",
        "contacts_given.c",
        "contacts_overlap.c",
        "falling.c",
    ];
    let program = compile(("CC", "cc"), "-std=c99", &files, "contacts");
    let text = must(&mut Command::new(&program));
    print!("{text}");
    check_summary(&text);
    valgrind(&program, &[]);
}

#[test]
fn intersections_are_found() {
    let program = compile(("CC", "cc"), "-std=c99", &["check.c", "intersections.c"], "intersections");
    let text = must(&mut Command::new(&program));
    print!("{text}");
    check_summary(&text);
    valgrind(&program, &[]);
}

/// Threads of the library, of job systems, and donated ones.
#[test]
fn threads_come_from_anywhere() {
    let files = [
        "check.c",
        "sheets.c",
        "threads.c",
        "threads_cancel.c",
        "threads_donated.c",
        "threads_hooks.c",
        "threads_pipeline.c",
        "threads_pool.c",
        "threads_told.c",
    ];
    let program = compile(("CC", "cc"), "-std=c99", &files, "threads");
    // It writes files.
    let text = must(Command::new(&program).current_dir(env!("CARGO_TARGET_TMPDIR")));
    print!("{text}");
    check_summary(&text);
    valgrind(&program, &["--no-limits"]);
}

#[test]
fn cplusplus_can_use_it() {
    let program = compile(("CXX", "c++"), "-std=c++11", &["header.cpp"], "header-cpp");
    check_summary(&must(&mut Command::new(&program)));
    valgrind(&program, &[]);
}

#[test]
fn cplusplus_has_a_layer_of_its_own() {
    let program = compile(("CXX", "c++"), "-std=c++17", &["wrapper.cpp"], "wrapper-cpp");
    check_summary(&must(&mut Command::new(&program)));
    valgrind(&program, &[]);
}

/// What the compiler makes of functions with `pccd.hpp` is what it makes of them without: the same calls, and but for a few moves the same
/// instructions.
#[test]
#[cfg(target_arch = "x86_64")]
fn cplusplus_costs_nothing() {
    let object = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cost.o");
    let compiler = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let mut command = Command::new(compiler);
    command.args(["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-I"]).arg(root().join("include"));
    must(command.arg("-c").arg(root().join("tests/c/cost.cpp")).arg("-o").arg(&object));
    let listed = must(Command::new("objdump").args(["-dr", "--no-show-raw-insn"]).arg(object));
    // The instructions of a function, and what it calls of the library.
    let function = |name: &str| {
        let (_, body) =
            listed.split_once(&format!("<{name}>:\n")).unwrap_or_else(|| panic!("{name}\n{listed}"));
        let body = body.split("\n\n").next().unwrap();
        let calls: Vec<&str> = body
            .lines()
            .filter(|line| line.contains("R_X86_64_"))
            .filter_map(|line| line.split_whitespace().find(|word| word.starts_with("pccd_")))
            .collect();
        let is_instruction = |line: &&str| !line.contains("R_X86_64_") && !line.contains("nop");
        (body.lines().filter(is_instruction).count(), calls.join(" "))
    };
    for (name, more) in [("step", 0), ("first", 2)] {
        let (c, cpp) = (function(&format!("{name}_in_c")), function(&format!("{name}_in_cpp")));
        println!("{name}: {} instructions in C, {} in C++, calls {}", c.0, cpp.0, c.1);
        assert_eq!(c.1, cpp.1, "{listed}");
        assert!(c.1.contains("pccd_") && cpp.0 <= c.0 + more, "{name}: {c:?} {cpp:?}\n{listed}");
    }
}
