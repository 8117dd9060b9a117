//! The binary interface: structs are in Rust as they are in C, as they were in the last release, and a program that was compiled with its header
//! works. `docs/abi.md` says what may change when.
#![cfg(target_os = "linux")]

mod support_bindings;
mod support_c;
mod support_header;

use pccd::capi::*;
use std::collections::HashMap;
use std::fs;
use std::mem::offset_of;
use std::process::Command;
use support_bindings::{compile_c, compile_c_with, has_or_skip, must, root};
use support_c::TempFolder;
use support_header::{Header, layout};

type StructLayout<'a> = (&'a str, usize, &'a [(&'a str, usize, usize)]);

fn size_of_field<S, F>(_: impl Fn(&S) -> &F) -> usize {
    size_of::<F>()
}

fn header() -> Header {
    Header::parse(&fs::read_to_string(root().join("include/pccd.h")).unwrap())
}

fn layout_in_c(folder: &TempFolder) -> String {
    let source = folder.write("layout.c", layout::in_c(&header()));
    must(&mut Command::new(compile_c(folder, &source)))
}

#[test]
fn structs_are_in_rust_as_they_are_in_c() {
    let structs: &[StructLayout] = include!("abi/structs.rs");
    let mut in_rust = String::new();
    for (name, size, fields) in structs {
        in_rust += &format!("{name} {size}\n");
        for (field, offset, size) in *fields {
            in_rust += &format!("{name}.{field} {offset} {size}\n");
        }
    }
    let in_c = layout_in_c(&TempFolder::new("abi-layout"));
    assert!(in_c.lines().count() > 100);
    assert_eq!(in_rust.lines().collect::<Vec<_>>(), in_c.lines().collect::<Vec<_>>());
}

/// Structs that begin with `struct_size` may grow at the end. All others stay as they are, and so does every field. No padding: what is
/// added later would lie in bytes that old programs have not set.
#[test]
fn structs_only_grow_at_the_end_since_the_last_release() {
    let now = layout_in_c(&TempFolder::new("abi-released"));
    // At a release: what the next ones are compared with.
    if let Ok(version) = std::env::var("PCCD_UPDATE_LAYOUT") {
        fs::write(root().join(format!("tests/abi/layout-{version}.txt")), &now).unwrap();
    }
    let released = fs::read_to_string(root().join("tests/abi/layout-0.1.txt")).unwrap();
    let now: HashMap<&str, &str> = now.lines().map(|line| line.split_once(' ').unwrap()).collect();
    assert!(released.lines().count() > 100);
    for line in released.lines() {
        let (name, was) = line.split_once(' ').unwrap();
        let is = now.get(name).unwrap_or_else(|| panic!("{name} is gone"));
        let may_grow = now.contains_key(format!("{name}.struct_size").as_str());
        if may_grow {
            let (was, is): (usize, usize) = (was.parse().unwrap(), is.parse().unwrap());
            assert!(is >= was, "{name} has shrunk from {was} to {is} bytes");
        } else {
            assert_eq!(*is, was, "{name} has changed");
        }
    }
    for it in &header().structs {
        let name = &it.name;
        let number = |line: &str| line.split(' ').map(|word| word.parse().unwrap()).collect::<Vec<usize>>();
        let mut end = 0;
        for field in &it.fields {
            let place = number(now[format!("{name}.{}", field.name).as_str()]);
            assert_eq!(place[0], end, "there is padding before {name}.{}", field.name);
            end = place[0] + place[1];
        }
        assert_eq!(number(now[name.as_str()])[0], end, "there is padding at the end of {name}");
    }
}

#[test]
fn a_program_of_the_last_release_works() {
    let folder = TempFolder::new("abi-old");
    // Only the old header is there to be found.
    let program = compile_c_with(&folder, &root().join("tests/abi/old_program.c"), &root().join("tests/abi"));
    assert_eq!(must(&mut Command::new(program)), "all is as it was in 0.1\n");
}

/// Constants are part of what programs were compiled with.
#[test]
fn constants_and_functions_are_those_of_the_last_release_and_more() {
    let released = Header::parse(&fs::read_to_string(root().join("tests/abi/pccd-0.1.h")).unwrap());
    let now = header();
    assert!(released.constants.len() > 30 && released.functions.len() > 30);
    for old in &released.constants {
        let new = now.constants.iter().find(|new| new.name == old.name);
        assert_eq!(new.map(|new| new.value), Some(old.value), "{}", old.name);
    }
    let functions = released.functions.iter().zip([&now.functions].into_iter().cycle());
    let callbacks = released.callbacks.iter().zip([&now.callbacks].into_iter().cycle());
    for (old, all) in functions.chain(callbacks) {
        let new =
            all.iter().find(|new| new.name == old.name).unwrap_or_else(|| panic!("{} is gone", old.name));
        let types = |it: &support_header::Function| {
            it.parameters.iter().map(|parameter| parameter.ctype.clone()).collect::<Vec<_>>()
        };
        assert_eq!((types(new), &new.returns), (types(old), &old.returns), "{}", old.name);
    }
}

#[test]
fn abidiff_finds_no_break() {
    if !has_or_skip("abidiff") {
        return;
    }
    let mut command = Command::new(root().join("tests/abi/diff.sh"));
    must(&mut command);
    // It does find one: a library without one of the functions, and with another type.
    let folder = TempFolder::new("abi-diff");
    let stubs = fs::read_to_string(root().join("tests/abi/stubs.c")).unwrap();
    let broken = stubs.replace("uint32_t pccd_version(", "uint32_t pccd_other(");
    let output = command.arg(folder.write("stubs.c", broken)).output().unwrap();
    assert!(!output.status.success(), "{}", support_c::text(&output.stdout));
    assert!(support_c::text(&output.stdout).contains("pccd_version"));
}
