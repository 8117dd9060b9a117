//! `include/pccd.h` is what `src/capi` says, and compiles alone as C99 and as C++11. What is made from it in turn is fresh,
//! too: the declarations for C#, and the list of structs for `tests/abi.rs`.
//!
//! `PCCD_UPDATE_HEADER=1 cargo test --test header` rewrites all of them.

mod support_header;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};
use support_header::{Header, csharp, layout};

/// In the order in which the header should tell them.
const SOURCES: &[&str] = &[
    "version",
    "status",
    "error",
    "log",
    "tasks",
    "context",
    "view",
    "ccd",
    "mesh",
    "mesh_info",
    "bvh",
    "overlap",
    "split",
    "merge",
    "vertex_origin",
    "query",
    "query_run",
    "contact",
    "query_stats",
    "worker_stats",
    "trace",
    "discrete",
    "intersection",
    "k_free",
    "pipeline",
    "pipeline_object",
    "pipeline_add",
    "pipeline_transforms",
    "pipeline_info",
    "pipeline_step",
    "pipeline_results",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn header() -> PathBuf {
    root().join("include/pccd.h")
}

fn generate() -> String {
    let config = cbindgen::Config::from_file(root().join("cbindgen.toml")).unwrap();
    let mut builder = cbindgen::Builder::new().with_config(config);
    for source in SOURCES {
        builder = builder.with_src(root().join(format!("src/capi/{source}.rs")));
    }
    let mut text = Vec::new();
    builder.generate().unwrap().write(&mut text);
    let text = String::from_utf8(text).unwrap();
    // Every struct has a typedef of the same name: functions need not say "struct".
    let lines = text.lines().map(|line| {
        if line.starts_with("typedef") { line.to_owned() } else { line.replace("struct pccd_", "pccd_") }
    });
    lines.map(|line| line + "\n").collect()
}

/// Compares a committed file with what it should be, or writes it.
fn assert_fresh(path: &Path, fresh: &str) {
    if env::var_os("PCCD_UPDATE_HEADER").is_some_and(|value| value == "1") {
        fs::write(path, fresh).unwrap();
    }
    let committed = fs::read_to_string(path).unwrap_or_default();
    let path = path.display();
    if let Some((number, (old, new))) =
        (1..).zip(committed.lines().zip(fresh.lines())).find(|(_, (a, b))| a != b)
    {
        panic!("{path} is stale at line {number}:\n committed: {old}\n generated: {new}\n{HOW}");
    }
    assert!(committed == fresh, "{path} is stale: one is longer than the other\n{HOW}");
}

const HOW: &str = "To rewrite it: PCCD_UPDATE_HEADER=1 cargo test --test header";

#[test]
fn the_committed_header_is_fresh() {
    assert_fresh(&header(), &generate());
}

#[test]
fn what_is_made_from_the_header_is_fresh() {
    let model = Header::parse(&generate());
    assert_fresh(&root().join("bindings/unity/Runtime/Native.cs"), &csharp::declarations(&model));
    assert_fresh(&root().join("tests/abi/structs.rs"), &layout::in_rust(&model));
    assert_fresh(&root().join("tests/abi/stubs.c"), &layout::stubs_in_c(&model));
}

#[test]
fn defaults_of_cplusplus_know_every_struct() {
    let wrapper = fs::read_to_string(root().join("include/pccd.hpp")).unwrap();
    for it in Header::parse(&generate()).functions {
        if it.name.ends_with("_init") {
            let call = format!("{}(&def, sizeof def)", it.name);
            assert!(wrapper.contains(&call), "pccd::defaults() in pccd.hpp does not know {}", it.name);
        }
    }
}

#[test]
fn the_parser_finds_every_function() {
    let model = Header::parse(&generate());
    let mut names: Vec<&str> = model.functions.iter().map(|it| it.name.as_str()).collect();
    names.sort();
    let list = fs::read_to_string(root().join("tests/exported_symbols.txt")).unwrap();
    assert_eq!(names, list.lines().collect::<Vec<_>>());
    let view = model.find_struct("pccd_view").unwrap();
    let fields: Vec<&str> = view.fields.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(fields, ["data", "count", "stride", "format", "reserved"]);
    let refused = model.constants.iter().find(|it| it.name == "PCCD_ERR_NULL").unwrap();
    assert_eq!(refused.value, -1);
    assert!(model.is_callback("pccd_alloc_fn") && model.is_opaque("pccd_context"));
}

#[test]
fn every_function_is_exported_documented_and_says_who_may_call_it() {
    let text = generate();
    let mut declared = Vec::new();
    for (index, _) in text.match_indices("/**") {
        let (comment, rest) = text[index..].split_once("*/").expect("a comment ends");
        let item = rest.trim_start().split_once(';').map_or("", |(item, _)| item);
        let Some((before, _)) = item.split_once('(') else { continue };
        if item.starts_with('#') || item.starts_with("typedef") {
            continue;
        }
        let name = before.rsplit([' ', '*']).next().unwrap();
        assert!(comment.contains("Thread safety: "), "{name} does not say who may call it");
        declared.push(name.to_owned());
    }
    declared.sort();
    let list = fs::read_to_string(root().join("tests/exported_symbols.txt")).unwrap();
    assert_eq!(declared, list.lines().collect::<Vec<_>>(), "declared, against exported");
}

#[test]
fn no_rust_in_the_header() {
    let text = generate();
    for word in ["Option", "None", "Some(", "&mut", "`None`", "usize", "::", "unsafe", "][", "Box"] {
        assert!(!text.contains(word), "{word} is not C");
    }
    assert!(
        text.lines().all(|line| line.len() <= 110 && line.trim_end() == line),
        "long lines or blanks at the end"
    );
}

#[test]
fn compiles_alone_as_c_and_cplusplus() {
    // The text that the committed file is compared with: that file may be being rewritten.
    let header = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pccd.h");
    fs::write(&header, generate()).unwrap();
    for (variable, compiler, language, standard) in
        [("CC", "cc", "c", "-std=c99"), ("CXX", "c++", "c++", "-std=c++11")]
    {
        let compiler = env::var(variable).unwrap_or_else(|_| compiler.to_owned());
        let output = Command::new(&compiler)
            .args([standard, "-x", language, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"])
            .arg(&header)
            .output()
            .unwrap_or_else(|error| panic!("{compiler}: {error}"));
        assert!(output.status.success(), "{compiler}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
