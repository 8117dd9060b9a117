//! The plugin in `bindings/unreal`, compiled and run with stand-ins for the types of the engine.
#![cfg(target_os = "linux")]

mod support_bindings;
mod support_c;

use std::fs;
use std::process::Command;
use support_bindings::{frames_of_c, library_folder, must, root};
use support_c::TempFolder;

#[test]
fn the_plugin_finds_what_c_finds() {
    let folder = TempFolder::new("unreal");
    let (plugin, mock) =
        (root().join("bindings/unreal/Pccd/Source/Pccd"), root().join("tests/bindings/unreal"));
    let program = folder.0.join("program");
    let mut command = Command::new(std::env::var_os("CXX").unwrap_or("c++".into()));
    command
        .args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "-pthread", "-o"])
        .arg(&program);
    for include in [&mock, &plugin.join("Public"), &root().join("include")] {
        command.arg("-I").arg(include);
    }
    command.arg(mock.join("program.cpp"));
    for name in ["PccdModule.cpp", "PccdSelfCollisionComponent.cpp"] {
        command.arg(plugin.join("Private").join(name));
    }
    command.arg(library_folder().join("libpccd.so.0"));
    must(command.arg(format!("-Wl,-rpath,{}", library_folder().display())));

    let printed = must(&mut Command::new(program));
    let frames = frames_of_c(&folder);
    let counts: String =
        frames.lines().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ") + "\n").collect();
    let complaint = "Error: pccd_mesh_move: positions->count is 0; expected 1600\n";
    let expected = format!("{frames}vertices\n{counts}{complaint}procedural\n{counts}skeletal\n{counts}ok\n");
    assert_eq!(printed, expected);
}

#[test]
fn the_packed_plugin_is_complete() {
    let folder = TempFolder::new("unreal-pack");
    let packed = folder.0.join("Plugins/Pccd");
    let mut command = Command::new(root().join("bindings/unreal/pack.sh"));
    must(command.arg(&packed).arg(library_folder().join("libpccd.so.0")));
    let text = fs::read_to_string(packed.join("Pccd.uplugin")).unwrap();
    let described: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(described["VersionName"], env!("CARGO_PKG_VERSION"));
    let module = packed.join("Source/ThirdParty/PccdLibrary");
    for name in ["PccdLibrary.Build.cs", "include/pccd.h", "lib/Linux/libpccd.so.0"] {
        assert!(module.join(name).is_file(), "{name}");
    }
    // Every module that is named has its rules.
    for listed in described["Modules"].as_array().unwrap() {
        let name = listed["Name"].as_str().unwrap();
        assert!(packed.join(format!("Source/{name}/{name}.Build.cs")).is_file(), "{name}");
    }
}
