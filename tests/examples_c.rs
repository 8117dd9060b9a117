//! Builds the C examples with `make -C examples_c` and runs them as a user would.
#![cfg(target_os = "linux")]

mod support_c;

use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use support_c::{TempFolder, build_folder, data_folder, skip, text};

fn run_queries<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Output {
    Command::new(build_folder().join("queries")).args(arguments).output().expect("queries can be run")
}

/// A vertex that falls from z = 1 to z = -1 at (x, y), and the resting triangle (0,0,0) (8,0,0) (0,8,0).
fn falling_vertex(x: i64, y: i64) -> [[i64; 3]; 8] {
    let face = [[0, 0, 0], [8, 0, 0], [0, 8, 0]];
    [[x, y, 1], face[0], face[1], face[2], [x, y, -1], face[0], face[1], face[2]]
}

/// Rows of one query with all coordinates divided by `denominator`.
fn csv(points: [[i64; 3]; 8], denominator: &str, collides: u8) -> String {
    points
        .map(|[x, y, z]| format!("{x},{denominator},{y},{denominator},{z},{denominator},{collides}\n"))
        .concat()
}

fn record(points: [[i64; 3]; 8], collides: u8) -> Vec<u8> {
    let mut bytes: Vec<u8> = points.as_flattened().iter().flat_map(|&x| (x as f64).to_le_bytes()).collect();
    bytes.push(collides);
    bytes
}

/// 2^exponent in decimal.
fn power_of_two(exponent: u32) -> String {
    let mut digits = vec![1u8];
    for _ in 0..exponent {
        let mut carry = 0;
        for digit in &mut digits {
            let doubled = 2 * *digit + carry;
            *digit = doubled % 10;
            carry = doubled / 10;
        }
        if carry > 0 {
            digits.push(carry);
        }
    }
    digits.iter().rev().map(|digit| char::from(b'0' + digit)).collect()
}

/// Runs `queries` with `--json`, expects this exit code, and returns the entries of its files.
fn run_json(folder: &TempFolder, arguments: &[&OsStr], exit_code: i32) -> Vec<Value> {
    let json = folder.0.join("result.json");
    let output = run_queries([&[OsStr::new("--json"), json.as_os_str()], arguments].concat());
    assert_eq!(output.status.code(), Some(exit_code), "{}{}", text(&output.stdout), text(&output.stderr));
    let result: Value = serde_json::from_slice(&fs::read(json).unwrap()).expect("valid JSON");
    result["files"].as_array().expect("an array of files").clone()
}

#[test]
fn hello_finds_the_contact_and_the_miss() {
    let output = Command::new(build_folder().join("hello")).output().unwrap();
    // Zero may have either sign.
    let printed = text(&output.stdout).replace("-0.000", "0.000");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(printed.contains("first contact at a time in [0.2"), "{printed}");
    assert!(printed.contains("0.500*f0 + 0.250*f1 + 0.250*f2"), "{printed}");
    assert!(printed.contains("contact normal: (0.000, 0.000, 1.000)"), "{printed}");
    assert!(printed.contains("no collision"), "{printed}");
}

#[test]
fn a_moved_build_folder_still_works() {
    let folder = TempFolder::new("moved");
    for name in ["hello", "libpccd.so.0"] {
        fs::copy(build_folder().join(name), folder.0.join(name)).unwrap();
    }
    let output = Command::new(folder.0.join("hello")).current_dir("/").output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn the_job_system_finds_what_one_thread_finds() {
    let run = |arguments: &[&str]| {
        Command::new(build_folder().join("job_system"))
            .args(arguments)
            .output()
            .expect("job_system can be run")
    };
    for threads in ["1", "2", "5"] {
        let output = run(&["--threads", threads, "--frames", "6", "--size", "40"]);
        let printed = text(&output.stdout);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(printed.contains("found the same contacts in every frame"), "{printed}");
        let rows: Vec<Vec<u64>> = printed
            .lines()
            .map(|line| line.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<u64>>())
            .filter(|row| row.len() > 3)
            .collect();
        assert_eq!(rows.len(), 6, "{printed}");
        assert!(rows.iter().any(|row| row[1] > 0), "no contacts: {printed}");
        // Frame and contacts, then the counts by thread: the library's tasks and the engine's jobs.
        let workers: usize = threads.parse().unwrap();
        for row in &rows {
            assert_eq!(row.len(), 2 + 2 * workers, "{printed}");
            assert_eq!(row[2..2 + workers].iter().sum::<u64>(), workers as u64 - 1, "{printed}");
            assert_eq!(row[2 + workers..].iter().sum::<u64>(), 24, "{printed}");
        }
    }
    for (arguments, expected) in [
        (&["--threads", "65"][..], "--threads expects"),
        (&["--size", "1"], "--size expects"),
        (&["--frames", "0"], "--frames expects"),
        (&["x.obj"], "no files"),
        (&["--speed", "2"], "unknown option --speed"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(expected), "{arguments:?}: {}", text(&output.stderr));
    }
    assert!(text(&run(&["--help"]).stdout).contains("usage: job_system"));
}

/// Counts calls of malloc and its kin, and of pthread_create, in a whole process, and tells at its end.
const COUNTING: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void *__libc_malloc(size_t); void *__libc_calloc(size_t, size_t); void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
static unsigned long allocations, threads;
static void count(unsigned long *it) { __atomic_fetch_add(it, 1, __ATOMIC_RELAXED); }
void *malloc(size_t size) { count(&allocations); return __libc_malloc(size); }
void *calloc(size_t number, size_t size) { count(&allocations); return __libc_calloc(number, size); }
void *realloc(void *old, size_t size) { count(&allocations); return __libc_realloc(old, size); }
void *aligned_alloc(size_t alignment, size_t size) { count(&allocations); return __libc_memalign(alignment, size); }
int posix_memalign(void **out, size_t alignment, size_t size) {
    count(&allocations);
    *out = __libc_memalign(alignment, size);
    return *out ? 0 : ENOMEM;
}
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *data) {
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    void *found = dlsym(RTLD_NEXT, "pthread_create");
    memcpy(&real, &found, sizeof real);
    count(&threads);
    return real(thread, attributes, body, data);
}
__attribute__((destructor)) static void tell(void) { fprintf(stderr, "counted %lu %lu\n", allocations, threads); }
"#;

#[test]
fn the_engine_loop_allocates_nothing_and_creates_no_threads() {
    let run = |arguments: &[&str], preload: Option<&Path>| {
        let mut command = Command::new(build_folder().join("engine_loop"));
        if let Some(library) = preload {
            command.env("LD_PRELOAD", library);
        }
        command.args(arguments).output().expect("engine_loop can be run")
    };
    for threads in ["1", "2", "4", "7"] {
        let output = run(&["--threads", threads, "--size", "24"], None);
        let printed = text(&output.stdout);
        assert!(output.status.success(), "{threads} threads: {printed}{}", text(&output.stderr));
        for line in ["allocator    0 calls", "threads      0 created", "cancelled    a step", "0 errors"] {
            assert!(printed.contains(line), "{printed}");
        }
        assert!(printed.contains("shut down    0 of "), "{printed}");
        let contacts = printed.split("steps, ").nth(1).and_then(|rest| rest.split(' ').next());
        assert!(contacts.unwrap().parse::<u64>().unwrap() > 100, "{printed}");
    }
    // The program counts what comes from its allocator. This counts everything: three times the steps must not make a
    // difference. On one thread, so that all is the same in every run.
    let folder = TempFolder::new("counting");
    let (source, library) = (folder.write("counting.c", COUNTING), folder.0.join("counting.so"));
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&library)
        .arg(&source)
        .arg("-ldl")
        .output();
    let compiled = compiled.unwrap();
    assert!(compiled.status.success(), "{}", text(&compiled.stderr));
    let count = |threads: &str, steps: &str| {
        let arguments = ["--threads", threads, "--size", "20", "--steps", steps];
        let output = run(&arguments, Some(&library));
        let errors = text(&output.stderr);
        let line = errors.lines().find_map(|line| line.strip_prefix("counted ")).expect("it counts");
        line.split(' ').map(|word| word.parse().unwrap()).collect::<Vec<u64>>()
    };
    let (short, long) = (count("1", "100"), count("1", "300"));
    assert!(short[0] > 50, "{short:?}");
    assert_eq!(short, long);
    assert_eq!(count("4", "60")[1], 3, "the threads of the engine, and no other");

    for (arguments, expected) in [
        (&["--size", "1"][..], "--size expects"),
        (&["--steps", "0"], "--steps expects"),
        (&["x"], "no files"),
    ] {
        let output = run(arguments, None);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(expected), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn csv_and_binary_give_the_same() {
    let folder = TempFolder::new("formats");
    let (inside, outside) = (falling_vertex(1, 1), falling_vertex(7, 7));
    // Also with the line ends of another system, without the last one, and with an empty line at the end.
    let rows = csv(inside, "1", 1) + &csv(outside, "1", 0) + &csv(inside, "1", 1);
    let files = [
        folder.write("plain_vf.csv", &rows),
        folder.write("crlf_vf.csv", rows.replace('\n', "\r\n")),
        folder.write("no_end_vf.csv", rows.trim_end()),
        folder.write("empty_line_vf.csv", rows.clone() + "\n"),
        folder.write("x_vf.bin", [record(inside, 1), record(outside, 0), record(inside, 1)].concat()),
    ];
    let arguments: Vec<&OsStr> = files.iter().map(|file| file.as_os_str()).collect();
    let results = run_json(&folder, &arguments, 0);
    assert_eq!(results.len(), files.len());
    for (result, file) in results.iter().zip(&files) {
        assert_eq!(result["file"], file.to_str().unwrap());
        assert_eq!(result["queries"], 3, "{result}");
        assert_eq!(result["hits"], 2, "{result}");
        assert_eq!(result["false_negatives"], 0, "{result}");
        assert_eq!(result["false_positives"], 0, "{result}");
        assert!(result["mean_us"].as_f64().unwrap() > 0.0, "{result}");
        assert!(result["max_us"].as_f64().unwrap() > 0.0, "{result}");
    }
}

/// Exactly on the slanted edge is a hit, one unit beside it is none: a coordinate that was rounded would show.
#[test]
fn numbers_of_any_length_are_exact() {
    let folder = TempFolder::new("long");
    let (on_edge, beside) = (falling_vertex(3, 5), falling_vertex(4, 5));
    for exponent in [0, 40, 64, 100, 1022, 1060, 1074] {
        let denominator = power_of_two(exponent);
        let rows = csv(on_edge, &denominator, 1) + &csv(beside, &denominator, 0);
        let file = folder.write("small_vf.csv", rows);
        let results = run_json(&folder, &[file.as_os_str()], 0);
        assert_eq!(
            (&results[0]["hits"], &results[0]["false_positives"]),
            (&1.into(), &0.into()),
            "{exponent}"
        );
    }
    // Large numerators, and fractions that are not reduced: the zeros of 8000...0 are a power of ten.
    for (zeros, denominator) in [(20, "1"), (20, "3"), (300, "1"), (22, "10000000000000000000000")] {
        let factor = if denominator == "3" { 3 } else { 1 };
        let scaled =
            |x: i64| if x == 0 { "0".to_string() } else { format!("{}", x * factor) + &"0".repeat(zeros) };
        let rows: String = [(on_edge, 1), (beside, 0)]
            .into_iter()
            .flat_map(|(points, collides)| points.map(|point| (point, collides)))
            .map(|(point, collides)| {
                point.map(|x| format!("{},{denominator},", scaled(x))).concat() + &format!("{collides}\n")
            })
            .collect();
        let file = folder.write("large_vf.csv", &rows);
        if zeros == 300 {
            // 10^300 is no double: this must be refused, not rounded.
            let output = run_queries([&file]);
            assert_eq!(output.status.code(), Some(2));
            assert!(
                text(&output.stderr).contains("the quotient is not a double"),
                "{}",
                text(&output.stderr)
            );
        } else {
            let results = run_json(&folder, &[file.as_os_str()], 0);
            assert_eq!(
                (&results[0]["hits"], &results[0]["false_positives"]),
                (&1.into(), &0.into()),
                "{rows}"
            );
        }
    }
}

#[test]
fn wrong_answers_are_counted() {
    let folder = TempFolder::new("wrong");
    let (inside, outside) = (falling_vertex(1, 1), falling_vertex(7, 7));
    let claims_more = folder.write("a_vf.csv", csv(outside, "1", 1) + &csv(inside, "1", 1));
    let claims_less = folder.write("b_vf.bin", [record(inside, 0), record(outside, 0)].concat());
    let results = run_json(&folder, &[claims_more.as_os_str(), claims_less.as_os_str()], 1);
    let counts = |index: usize| (&results[index]["false_negatives"], &results[index]["false_positives"]);
    assert_eq!(counts(0), (&1.into(), &0.into()));
    assert_eq!(counts(1), (&0.into(), &1.into()));
    run_json(&folder, &[claims_less.as_os_str()], 0);
}

#[test]
fn with_a_separation_false_positives_have_no_meaning() {
    let folder = TempFolder::new("separation");
    // 1 unit beside the edge in x and y: the distance is the square root of 2.
    let file = folder.write("x_vf.csv", csv(falling_vertex(5, 5), "1", 0));
    for (separation, hits) in [("0.5", 0), ("2", 1)] {
        let arguments = ["--min-separation", separation].map(OsStr::new);
        let results = run_json(&folder, &[&arguments[..], &[file.as_os_str()]].concat(), 0);
        assert_eq!(results[0]["hits"], hits, "{separation}");
        assert_eq!(results[0]["false_negatives"], 0);
        assert!(results[0]["false_positives"].is_null());
    }
    let output = run_queries([OsStr::new("--min-separation"), OsStr::new("2"), file.as_os_str()]);
    assert!(text(&output.stdout).contains("false hits are not counted"), "{}", text(&output.stdout));
}

#[test]
fn every_level_and_thread_count_gives_the_same() {
    let folder = TempFolder::new("levels");
    let queries: Vec<u8> = (0..9)
        .flat_map(|x| (0..9).map(move |y| (x, y)))
        .flat_map(|(x, y)| record(falling_vertex(x, y), u8::from(x + y <= 8)))
        .collect();
    let file = folder.write("x_vf.bin", queries);
    for simd in ["auto", "scalar", "avx2", "avx512"] {
        for threads in ["1", "2", "7"] {
            let arguments = ["--simd", simd, "--threads", threads].map(OsStr::new);
            let output = run_queries([&arguments[..], &[file.as_os_str()]].concat());
            if text(&output.stderr).contains("PCCD_ERR_UNSUPPORTED") {
                assert_eq!(output.status.code(), Some(2));
                continue;
            }
            let results = run_json(&folder, &[&arguments[..], &[file.as_os_str()]].concat(), 0);
            assert_eq!(results[0]["hits"], 45, "{simd} {threads}");
            assert_eq!(results[0]["false_positives"], 0, "{simd} {threads}");
        }
    }
}

#[test]
fn the_last_word_of_the_path_tells_the_kind() {
    let folder = TempFolder::new("kind");
    let rows = csv(falling_vertex(1, 1), "1", 1);
    for (path, kind) in [
        ("edge-edge/x_vf.csv", "(vertex-face)"),
        ("a_vf/edge-edge/vertex-face/data.csv", "(vertex-face)"),
        ("vertex-face/a_ee.csv", "(edge-edge)"),
        ("vertex-face/edge-edge/data.csv", "(edge-edge)"),
    ] {
        let file = folder.write(path, &rows);
        assert!(text(&run_queries([&file]).stdout).contains(kind), "{path}");
    }
    let file = folder.write("vertex-face/data.csv", &rows);
    let output = run_queries([OsStr::new("--kind"), OsStr::new("ee"), file.as_os_str()]);
    assert!(text(&output.stdout).contains("(edge-edge)"));
}

#[test]
fn any_file_name_gives_valid_json() {
    let folder = TempFolder::new("names");
    let rows = csv(falling_vertex(1, 1), "1", 1);
    let cases: [(&[u8], &str); 4] = [
        (b"quote\"back\\slash_vf.csv", "quote\"back\\slash_vf.csv"),
        (b"line\nbreak\x01_vf.csv", "line\nbreak\u{1}_vf.csv"),
        ("Stoß→_vf.csv".as_bytes(), "Stoß→_vf.csv"),
        (b"latin\xe9_vf.csv", "latin\u{fffd}_vf.csv"),
    ];
    for (bytes, expected) in cases {
        let file = folder.0.join(OsStr::from_bytes(bytes));
        fs::write(&file, &rows).unwrap();
        let results = run_json(&folder, &[file.as_os_str()], 0);
        let name = results[0]["file"].as_str().unwrap();
        assert!(name.ends_with(expected), "{name}");
    }
}

#[test]
fn the_demonstration_needs_no_files() {
    let folder = TempFolder::new("demo");
    let results = run_json(&folder, &["--demo", "1000"].map(OsStr::new), 0);
    assert_eq!(results.len(), 2);
    for result in results {
        assert_eq!(result["queries"], 1000);
        let hits = result["hits"].as_u64().unwrap();
        assert!(0 < hits && hits < 500, "{hits} hits");
        assert!(result["false_negatives"].is_null());
    }
}

/// Files that are broken, and what has to be said about each.
fn broken_files() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let good = csv(falling_vertex(1, 1), "1", 1);
    let with_line_3 = |line: &str| {
        let mut lines: Vec<&str> = good.lines().collect();
        lines[2] = line;
        (lines.join("\n") + "\n").into_bytes()
    };
    let one_record = record(falling_vertex(1, 1), 1);
    let with_number_5 = |value: f64| {
        let mut bytes = [one_record.clone(), one_record.clone()].concat();
        bytes[193 + 32..193 + 40].copy_from_slice(&value.to_le_bytes());
        bytes
    };
    let mut truth_of_2 = one_record.clone();
    truth_of_2[192] = 2;
    vec![
        ("empty_vf.csv", vec![], "empty_vf.csv: has no queries"),
        ("blank_vf.csv", b"\n\n".to_vec(), "has no queries"),
        (
            "rows_vf.csv",
            (good.clone() + "0,1,0,1,0,1,1\n").into_bytes(),
            ":9: the file ends after 1 of the 8 rows",
        ),
        ("cut_vf.csv", good.as_bytes()[..good.len() - 3].to_vec(), ":8: 6 columns instead of 7"),
        ("few_vf.csv", with_line_3("0,1,0,1,0,1"), "few_vf.csv:3: 6 columns instead of 7"),
        ("many_vf.csv", with_line_3("0,1,0,1,0,1,1,1"), ":3: 8 columns instead of 7"),
        ("letters_vf.csv", with_line_3("0,1,abc,1,0,1,1"), ":3: y = 'abc' / '1': not an integer"),
        ("control_vf.csv", with_line_3("0,1,0,1,\x1b[2J\0,1,1"), ":3: z = '?[2J?' / '1': not an integer"),
        ("space_vf.csv", with_line_3("0, 1,0,1,0,1,1"), ":3: x = '0' / ' 1': not an integer"),
        ("fraction_vf.csv", with_line_3("0.5,1,0,1,0,1,1"), "not an integer"),
        ("sign_vf.csv", with_line_3("1,-1,0,1,0,1,1"), "not an integer"),
        ("only_sign_vf.csv", with_line_3("-,1,0,1,0,1,1"), "a number is missing"),
        ("missing_vf.csv", with_line_3(",1,0,1,0,1,1"), "a number is missing"),
        ("zero_vf.csv", with_line_3("1,0,0,1,0,1,1"), ":3: x = '1' / '0': the denominator is zero"),
        ("third_vf.csv", with_line_3("1,3,0,1,0,1,1"), "the quotient is not a double"),
        ("wide_vf.csv", with_line_3("9007199254740993,1,0,1,0,1,1"), "the quotient is not a double"),
        (
            "tiny_vf.csv",
            with_line_3(&format!("1,{},0,1,0,1,1", power_of_two(1075))),
            "the quotient is not a double",
        ),
        (
            "huge_vf.csv",
            with_line_3(&format!("{},1,0,1,0,1,1", power_of_two(1024))),
            "the quotient is not a double",
        ),
        ("long_vf.csv", with_line_3(&format!("{},1,0,1,0,1,1", "7".repeat(5000))), "more than 400 digits"),
        ("truth_vf.csv", with_line_3("0,1,0,1,0,1,2"), ":3: collides is neither 0 nor 1: '2'"),
        ("differs_vf.csv", with_line_3("0,1,0,1,0,1,0"), ":3: collides is 0, but 1 in the rows"),
        ("empty_vf.bin", vec![], "has no queries"),
        (
            "cut_vf.bin",
            [&one_record[..], &one_record[..100]].concat(),
            "record 2 is cut off: 100 of its 193 bytes",
        ),
        ("nan_vf.bin", with_number_5(f64::NAN), "record 2: number 5 is not finite"),
        ("infinite_vf.bin", with_number_5(f64::NEG_INFINITY), "record 2: number 5 is not finite"),
        ("truth_vf.bin", truth_of_2, "record 1: the last byte is 2, neither 0 nor 1"),
        ("unknown.csv", good.into_bytes(), "the path doesn't tell edge-edge or vertex-face"),
    ]
}

#[test]
fn broken_files_are_refused() {
    let folder = TempFolder::new("broken");
    for (name, content, expected) in broken_files() {
        let file = folder.write(name, content);
        let output = run_queries([&file]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {said}");
        assert!(said.contains(name) && said.contains(expected), "{name}: {said}");
    }
    for (path, expected) in [("absent_vf.csv", "No such file"), (".", "directory")] {
        let path = folder.0.join(path);
        let output = run_queries([OsStr::new("--kind"), OsStr::new("vf"), path.as_os_str()]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
    }
}

#[test]
fn wrong_command_lines_are_refused() {
    let folder = TempFolder::new("usage");
    let file = folder.write("x_vf.csv", csv(falling_vertex(1, 1), "1", 1));
    let file = file.to_str().unwrap();
    let cases: [(&[&str], &str); 15] = [
        (&[], "no files"),
        (&["--threads", "0", file], "--threads expects"),
        (&["--threads", "-1", file], "--threads expects"),
        (&["--threads", "2x", file], "--threads expects"),
        (&["--threads", "4294967296", file], "--threads expects"),
        (&["--simd", "sse", file], "--simd expects auto, scalar, avx2 or avx512, not 'sse'"),
        (&["--min-separation", "-1", file], "--min-separation expects"),
        (&["--min-separation", "nan", file], "--min-separation expects"),
        (&["--min-separation", "inf", file], "--min-separation expects"),
        (&["--min-separation", "", file], "--min-separation expects"),
        (&["--kind", "fv", file], "--kind expects ee or vf"),
        (&["--demo", "10", file], "--demo runs without files"),
        (&[file, "--json"], "--json needs a value"),
        (&["--frobnicate", file], "unknown option --frobnicate"),
        (&["--json", "/no/such/folder/x.json", file], "No such file"),
    ];
    for (arguments, expected) in cases {
        let output = run_queries(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
    let help = run_queries(["--help"]);
    assert!(help.status.success() && text(&help.stdout).contains("usage: queries"));
    assert!(run_queries(["--threads", "2", "--", file]).status.success());
}

#[test]
fn valgrind_finds_nothing() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        return skip("the examples under valgrind, which is not installed");
    }
    let folder = TempFolder::new("valgrind");
    let (inside, outside) = (falling_vertex(1, 1), falling_vertex(7, 7));
    let mut files = vec![
        (folder.write("good_vf.csv", csv(inside, "1", 1) + &csv(outside, &power_of_two(1074), 0)), 0),
        (folder.write("good_vf.bin", [record(inside, 1), record(outside, 0)].concat()), 0),
    ];
    files.extend(broken_files().into_iter().map(|(name, content, _)| (folder.write(name, content), 2)));
    let valgrind = |program: &str| {
        let mut command = Command::new("valgrind");
        command
            .args(["--quiet", "--error-exitcode=99", "--leak-check=full"])
            .arg(build_folder().join(program));
        command
    };
    let json = folder.0.join("result.json");
    for (file, exit_code) in files {
        let output = valgrind("queries").arg("--json").arg(&json).arg(&file).output().unwrap();
        assert_eq!(output.status.code(), Some(exit_code), "{}: {}", file.display(), text(&output.stderr));
    }
    let output =
        valgrind("job_system").args(["--threads", "3", "--frames", "3", "--size", "30"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "job_system: {}", text(&output.stderr));
    let output = valgrind("hello").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "hello: {}", text(&output.stderr));
}

#[test]
fn the_ground_truth_is_met() {
    let Some(data) = data_folder() else { return };
    let mut files = Vec::new();
    collect_query_files(&data.join("queries"), &mut files);
    collect_query_files(&data.join("candidates"), &mut files);
    assert!(files.len() > 20, "only {} files in {}", files.len(), data.display());

    let folder = TempFolder::new("truth");
    let arguments: Vec<&OsStr> = files.iter().map(|file| file.as_os_str()).collect();
    for result in run_json(&folder, &arguments, 0) {
        assert_eq!(result["false_negatives"], 0, "{result}");
        assert_eq!(result["false_positives"], 0, "{result}");
    }
}

fn collect_query_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the ground truth has queries and candidates") {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect_query_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "csv" || extension == "bin") {
            files.push(path);
        }
    }
    files.sort();
}
