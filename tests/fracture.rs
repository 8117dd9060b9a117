//! Builds `examples_c/fracture`, breaks small bodies, and looks at the tables.
#![cfg(target_os = "linux")]

mod support_c;

use std::process::{Command, Output};
use support_c::{build_folder, skip, text};

fn run(arguments: &[&str]) -> Output {
    Command::new(build_folder().join("fracture")).args(arguments).output().expect("fracture can be run")
}

/// A row of a table: whether something changed; bodies, triangles, contacts.
type Row = (bool, [u64; 3]);

fn table(arguments: &[&str]) -> Vec<Row> {
    let output = run(arguments);
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}{}", text(&output.stderr));
    let rows = printed.lines().filter_map(|line| {
        let is_marked = line.contains('*');
        let words: Vec<&str> = line.split_whitespace().filter(|word| *word != "*").collect();
        let numbers: Vec<u64> = words.iter().take(4).filter_map(|word| word.parse().ok()).collect();
        (words.len() == 8 && numbers.len() == 4).then(|| (is_marked, [numbers[1], numbers[2], numbers[3]]))
    });
    rows.collect()
}

/// Contacts are the same whatever the threads, the metric and the way to build.
fn same_for_all(scene: &str, percent: &str) -> Vec<Row> {
    let common = ["--scene", scene, "--percent", percent, "--frames", "20"];
    let with = |more: &[&str]| table(&[&common[..], more].concat());
    let rows = with(&[]);
    assert_eq!(rows.len(), 20, "{scene}");
    for more in [
        &["--threads", "2"][..],
        &["--threads", "5", "--metric", "cost"],
        &["--metric", "cost", "--grid", "100"],
        &["--grid", "1000"],
        &["--room", "100000"],
    ] {
        assert_eq!(with(more), rows, "{scene} with {more:?}");
    }
    rows
}

#[test]
fn a_wall_breaks_in_eight_frames() {
    let rows = same_for_all("wall", "4");
    let events: Vec<usize> = (0..rows.len()).filter(|&frame| rows[frame].0).collect();
    assert_eq!(events.len(), 8, "{rows:?}");
    let (first, last) = (rows[0].1, rows[rows.len() - 1].1);
    // A brick of 192 triangles becomes 64 cubes of 12.
    let broken = (last[0] - first[0]) / 63;
    assert!(broken >= 8 && last[1] - first[1] == broken * (768 - 192), "{rows:?}");
    assert!(events.iter().all(|&frame| rows[frame].1[0] > rows[frame - 1].1[0]), "{rows:?}");
    // Cubes of a broken brick touch each other.
    assert!(rows[events[0]].1[2] > 100, "{rows:?}");
}

#[test]
fn a_shell_shatters_at_four_frames() {
    let rows = same_for_all("shell", "2");
    assert_eq!(rows.iter().filter(|row| row.0).count(), 4, "{rows:?}");
    assert!(rows.iter().all(|row| row.1[1] == rows[0].1[1]), "triangles come or go: {rows:?}");
    assert!(rows[rows.len() - 1].1[0] > 100 && rows[0].1[0] == 1, "{rows:?}");
}

#[test]
fn a_sheet_tears_and_falls_apart() {
    let rows = same_for_all("sheet", "4");
    assert!(rows.iter().filter(|row| row.0).count() > 10, "{rows:?}");
    assert!(rows.iter().all(|row| row.1[1] == rows[0].1[1]), "{rows:?}");
    assert!(rows[0].1[0] == 1 && rows[rows.len() - 1].1[0] == 2, "{rows:?}");
}

#[test]
fn tiles_become_one() {
    let rows = same_for_all("tiles", "4");
    assert!(rows.iter().all(|row| row.1[1] == rows[0].1[1]), "{rows:?}");
    assert!(rows[0].1[0] > 4 && rows[rows.len() - 1].1[0] < rows[0].1[0], "{rows:?}");
    // Tiles side by side touch; where they have become one they do not.
    assert!(rows[1].1[2] > 0 && rows[rows.len() - 1].1[2] < rows[1].1[2], "{rows:?}");
}

#[test]
fn wrong_options_are_refused() {
    for (arguments, expected) in [
        (&["--scene", "sea"][..], "--scene"),
        (&["--percent", "101"], "--percent"),
        (&["--metric", "luck"], "--metric"),
        (&["x.obj"], "no files"),
        (&["--speed", "2"], "unknown option --speed"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(expected), "{arguments:?}: {}", text(&output.stderr));
    }
    assert!(text(&run(&["--help"]).stdout).contains("usage: fracture"));
}

#[test]
fn valgrind_finds_nothing() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        skip("valgrind is not installed");
        return;
    }
    let output = Command::new("valgrind")
        .args(["--quiet", "--error-exitcode=99", "--leak-check=full"])
        .arg(build_folder().join("fracture"))
        .args(["--percent", "1", "--frames", "10", "--summary"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}
