//! `examples_c/pipeline`: all scenes run, with the same bits on any number of threads; what it prints and writes is what happened; wrong options are refused.
#![cfg(target_os = "linux")]

mod support_c;

use serde_json::Value;
use std::fs;
use std::process::{Command, Output};
use support_c::{TempFolder, build_folder, text};

fn run(arguments: &[&str]) -> Output {
    Command::new(build_folder().join("pipeline")).args(arguments).output().expect("pipeline can be run")
}

/// Runs a scene and returns what it writes.
fn simulate(folder: &TempFolder, arguments: &[&str]) -> Value {
    let json = folder.0.join("steps.json");
    let output = run(&[arguments, &["--json", json.to_str().unwrap()]].concat());
    assert!(output.status.success(), "{arguments:?}: {}{}", text(&output.stdout), text(&output.stderr));
    let written: Value = serde_json::from_slice(&fs::read(&json).unwrap()).expect("valid JSON");
    let hash = written["hash"].as_str().unwrap();
    assert!(text(&output.stdout).contains(&format!("hash of all steps: {hash}")));
    written
}

#[test]
fn every_scene_has_contacts_and_one_hash() {
    let folder = TempFolder::new("rigid");
    for (scene, objects, steps) in [
        ("screws", "60", "90"),
        ("tori", "40", "80"),
        ("cubes", "300", "100"),
        ("spheres", "300", "100"),
        ("boxes", "3000", "20"),
    ] {
        let base = ["--scene", scene, "--objects", objects, "--steps", steps];
        let golden = simulate(&folder, &base);
        let all = golden["steps"].as_array().unwrap();
        assert_eq!((golden["scene"].as_str(), all.len()), (Some(scene), steps.parse().unwrap()));
        assert!(all.iter().any(|step| step["pairs"].as_u64().unwrap() > 10), "{scene}: nothing touches");
        for step in all {
            assert!(step["points"].as_u64() >= step["pairs"].as_u64());
            assert!(step["candidates"].as_u64() >= step["pairs"].as_u64());
            assert!(step["ms_total"].as_f64().unwrap() >= 0.0);
        }
        for more in [
            &["--threads", "3"][..],
            &["--threads", "4", "--broad", "1"],
            &["--threads", "2", "--phases", "sequential"],
            &["--phases", "simultaneous"],
        ] {
            assert_eq!(
                simulate(&folder, &[&base[..], more].concat())["hash"],
                golden["hash"],
                "{scene} {more:?}"
            );
        }
    }
}

/// What falls comes to lie on the ground, and does not fall through it.
#[test]
fn cubes_come_to_lie_on_the_ground() {
    let folder = TempFolder::new("rigid-ground");
    let written = simulate(&folder, &["--scene", "cubes", "--objects", "100", "--steps", "300"]);
    let last = written["steps"].as_array().unwrap().last().unwrap();
    // Each touches something, mostly the ground.
    assert!(last["pairs"].as_u64().unwrap() >= 90, "{last}");
}

#[test]
fn wrong_options_are_refused() {
    for (arguments, words) in [
        (&["--scene", "nothing"][..], "nothing"),
        (&["--objects", "0"], "--objects"),
        (&["--threads", "2", "--broad", "2"], "--broad"),
        (&["file"], "files"),
        (&["--json", "/nowhere/at/all.json"], "/nowhere/at/all.json"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(words), "{arguments:?}: {}", text(&output.stderr));
    }
    let output = run(&["--help"]);
    assert!(output.status.success() && text(&output.stdout).contains("--scene"));
}
