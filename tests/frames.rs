//! `examples_c/frames`: reads meshes of every format, finds their contacts, and refuses what is broken.
#![cfg(target_os = "linux")]

mod support_c;

use serde_json::Value;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use support_c::frames::{Writer, broken_files, falling, obj_flavours, ply_flavours};
use support_c::mesh_files::{Format, Mesh, PLAIN, Ply};
use support_c::{TempFolder, build_folder, data_folder, skip, text};

fn run_frames<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Output {
    Command::new(build_folder().join("frames")).args(arguments).output().expect("frames can be run")
}

/// Runs `frames`, expects success, and returns its steps, the lines of its contacts and what it printed.
fn run(folder: &TempFolder, options: &[&str], frames: &[&Path]) -> (Vec<Value>, Vec<String>, String) {
    let (json, contacts) = (folder.0.join("result.json"), folder.0.join("contacts.csv"));
    let mut arguments = vec![OsStr::new("--json"), json.as_os_str(), OsStr::new("--contacts")];
    arguments.push(contacts.as_os_str());
    arguments.extend(options.iter().map(OsStr::new));
    arguments.extend(frames.iter().map(|frame| frame.as_os_str()));
    let output = run_frames(&arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
    let result: Value = serde_json::from_slice(&fs::read(json).unwrap()).expect("valid JSON");
    let lines = fs::read_to_string(contacts).unwrap().lines().map(String::from).collect();
    (result["steps"].as_array().expect("an array of steps").clone(), lines, text(&output.stdout))
}

/// A pair of features by their vertices: the first one's, then the second one's. The order of vertices within a feature,
/// and that of two edges, means nothing.
type Pair = (BTreeSet<u32>, BTreeSet<u32>);

fn pair(kind: &str, vertices: [u32; 4]) -> Pair {
    let split = if kind == "vf" { 1 } else { 2 };
    let (first, second) = vertices.split_at(split);
    let (first, second) = (BTreeSet::from_iter(first.to_vec()), BTreeSet::from_iter(second.to_vec()));
    if kind == "ee" && second < first { (second, first) } else { (first, second) }
}

/// Splits a line of contacts into its pair and its two times.
fn parse_contact(line: &str) -> (Pair, [f64; 2]) {
    let columns: Vec<&str> = line.split(',').collect();
    assert_eq!(columns.len(), 7, "{line}");
    assert!(columns[0] == "vf" || columns[0] == "ee", "{line}");
    let vertices = std::array::from_fn(|i| columns[1 + i].parse().expect("a vertex"));
    (pair(columns[0], vertices), std::array::from_fn(|i| columns[5 + i].parse().expect("a time")))
}

fn pairs(lines: &[String]) -> BTreeSet<Pair> {
    lines.iter().map(|line| parse_contact(line).0).collect()
}

/// The contacts of [`falling`], worked out by hand: all of them at t = 1/2.
fn falling_pairs() -> BTreeSet<Pair> {
    [("vf", [4, 0, 2, 3]), ("vf", [8, 0, 1, 2]), ("ee", [7, 8, 0, 1])].map(|(kind, v)| pair(kind, v)).into()
}

fn write_pair(folder: &TempFolder, name: &str, write: &dyn Fn(&Mesh) -> Vec<u8>) -> [PathBuf; 2] {
    [0.0, 1.0].map(|time| folder.write(&format!("{time}-{name}"), write(&falling(time))))
}

fn plain(folder: &TempFolder) -> [PathBuf; 2] {
    write_pair(folder, "plain.ply", &|mesh| PLAIN.write(mesh))
}

#[test]
fn every_flavour_gives_the_same_contacts() {
    let folder = TempFolder::new("flavours");
    let [start, end] = plain(&folder);
    let (steps, lines, printed) = run(&folder, &[], &[&start, &end]);
    assert_eq!(pairs(&lines), falling_pairs());
    assert_eq!(lines.len(), 3);
    for line in &lines {
        let (_, [lower, upper]) = parse_contact(line);
        assert!(lower <= 0.5 && 0.5 <= upper && upper - lower < 2e-6, "{line}");
    }
    assert_eq!(steps.len(), 1);
    let step = &steps[0];
    assert_eq!(
        (&step["triangles"], &step["contacts_vf"], &step["contacts_ee"]),
        (&7.into(), &2.into(), &1.into())
    );
    for time in ["ms_total", "ms_update", "ms_traverse", "ms_elementary", "ms_sort"] {
        assert!(step[time].as_f64().is_some_and(|ms| (0.0..60e3).contains(&ms)), "{time} of {step}");
    }
    let hash = step["hash"].as_str().expect("a text");
    assert!(hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{hash}");
    assert!(printed.contains("triangles") && printed.contains("0-plain.ply"), "{printed}");

    let flavours = ply_flavours().into_iter();
    let flavours =
        flavours.chain(obj_flavours().into_iter().map(|(name, writer)| (name.to_string(), writer)));
    for (name, writer) in flavours {
        let [other_start, other_end] = write_pair(&folder, &name, &writer);
        // Alone, and together with another format.
        for frames in [[&other_start, &other_end], [&start, &other_end]] {
            let (other_steps, other_lines, _) = run(&folder, &[], &frames.map(PathBuf::as_path));
            assert_eq!(lines, other_lines, "{name}");
            assert_eq!(step["hash"], other_steps[0]["hash"], "{name}");
            assert_eq!(step["triangles"], other_steps[0]["triangles"], "{name}");
        }
    }
}

#[test]
fn the_content_tells_the_format_if_the_name_does_not() {
    let folder = TempFolder::new("names");
    let big = Ply { format: Format::Big, ..PLAIN };
    let [obj_flavour, ..] = &obj_flavours()[..] else { panic!("no flavours") };
    for (name, writer) in [
        ("PLAIN.PLY", &(Box::new(|mesh: &Mesh| PLAIN.write(mesh)) as Writer)),
        ("frame", &(Box::new(move |mesh: &Mesh| big.write(mesh)) as Writer)),
        ("frame.Obj", &obj_flavour.1),
        ("frame.txt", &obj_flavour.1),
    ] {
        let [start, end] = write_pair(&folder, name, writer);
        assert_eq!(pairs(&run(&folder, &[], &[&start, &end]).1), falling_pairs(), "{name}");
    }
}

#[test]
fn steps_follow_one_another() {
    let folder = TempFolder::new("steps");
    let frames = [0.0, 1.0, 1.0, 0.0].map(falling);
    let files: Vec<PathBuf> = frames
        .iter()
        .enumerate()
        .map(|(number, mesh)| folder.write(&format!("{number}.ply"), PLAIN.write(mesh)))
        .collect();
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    for options in [&[][..], &["--repeat", "3"], &["--threads", "2"], &["--simd", "scalar"]] {
        let (steps, lines, printed) = run(&folder, options, &files);
        let counts: Vec<usize> = steps
            .iter()
            .map(|step| {
                (step["contacts_vf"].as_u64().unwrap() + step["contacts_ee"].as_u64().unwrap()) as usize
            })
            .collect();
        // At rest the triangles stick in the square, but none of the contacts touches: those are over.
        assert_eq!(counts, [3, 0, 3], "{options:?}");
        assert_eq!(lines.len(), 6);
        assert_eq!(pairs(&lines[..3]), falling_pairs());
        assert_eq!(pairs(&lines[3..]), falling_pairs());
        assert_ne!(steps[0]["hash"], steps[1]["hash"]);
        assert_eq!(printed.lines().count(), 5, "{printed}");
    }
}

#[test]
fn the_json_tells_the_threads() {
    let folder = TempFolder::new("threads");
    let [start, end] = plain(&folder);
    let json = folder.0.join("result.json");
    for threads in ["1", "3"] {
        let arguments =
            [OsStr::new("--threads"), OsStr::new(threads), OsStr::new("--json"), json.as_os_str()];
        let output = run_frames([&arguments[..], &[start.as_os_str(), end.as_os_str()]].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let result: Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
        assert_eq!(result["threads"].to_string(), threads);
    }
}

#[test]
fn the_earliest_contact_gives_the_safe_step() {
    let folder = TempFolder::new("earliest");
    let [start, end] = plain(&folder);
    let (steps, lines, printed) = run(&folder, &["--earliest"], &[&start, &end]);
    let safe = steps[0]["safe_step"].as_f64().unwrap();
    assert!((0.499999..=0.5).contains(&safe), "{safe}");
    assert!(!lines.is_empty() && pairs(&lines).is_subset(&falling_pairs()), "{lines:?}");
    let digits: String = safe.to_string().chars().take(10).collect();
    assert!(printed.contains("safe step") && printed.contains(&digits), "{printed}");
    // Nothing moves, and nothing touches.
    let (steps, lines, _) = run(&folder, &["--earliest"], &[&end, &end]);
    assert_eq!(steps[0]["safe_step"].as_f64(), Some(1.0));
    assert!(lines.is_empty());
    // The key is there only when asked for.
    assert!(run(&folder, &[], &[&start, &end]).0[0].get("safe_step").is_none());
}

#[test]
fn a_separation_finds_what_comes_close() {
    let folder = TempFolder::new("separation");
    let [start, _] = plain(&folder);
    // At rest: the nearest are the vertices 4 and 8 and the edge of 7 and 8, at heights of 0.1 and 0.05.
    for (separation, expected) in [("0.01", 0), ("0.06", 2)] {
        let (_, lines, _) = run(&folder, &["--min-separation", separation], &[&start, &start]);
        let found = pairs(&lines);
        assert_eq!(falling_pairs().intersection(&found).count(), expected, "{separation}: {lines:?}");
    }
}

#[test]
fn broken_files_are_refused() {
    let folder = TempFolder::new("broken");
    let [start, _] = plain(&folder);
    for (name, content, expected) in broken_files() {
        let file = folder.write(name, content);
        // As the first frame and as a later one.
        for frames in [[&file, &start], [&start, &file]] {
            let output = run_frames(frames);
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{name}: {said}");
            assert!(said.contains(name) && said.contains(expected), "{name}: {said}");
            assert_eq!(said.lines().count(), 1, "{name}: {said}");
        }
    }
    for (path, expected) in [("absent.ply", "No such file"), (".", "directory")] {
        let output = run_frames([&folder.0.join(path), &start]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
    }
}

#[test]
fn frames_of_different_meshes_are_refused() {
    let folder = TempFolder::new("different");
    let [start, _] = plain(&folder);
    let mesh = falling(1.0);
    let mut cases = Vec::new();
    let mut changed = mesh.clone();
    changed.vertices.push([0.0; 3]);
    cases.push((changed, "16 vertices, but 15 in "));
    let mut changed = mesh.clone();
    changed.faces.push(vec![0, 1, 2]);
    cases.push((changed, "8 triangles, but 7 in "));
    let mut changed = mesh.clone();
    changed.faces[1] = vec![5, 6, 4];
    cases.push((changed, "triangle 2 has the vertices 5, 6, 4, but 4, 5, 6 in "));
    for (mesh, expected) in cases {
        let other = folder.write("other.ply", PLAIN.write(&mesh));
        let output = run_frames([&start, &start, &other]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("other.ply: ") && said.contains(expected), "{said}");
    }
}

#[test]
fn wrong_command_lines_are_refused() {
    let folder = TempFolder::new("usage");
    let [start, end] = plain(&folder);
    let (start, end) = (start.to_str().unwrap(), end.to_str().unwrap());
    let cases: [(&[&str], &str); 16] = [
        (&[], "a step needs two frames"),
        (&[start], "a step needs two frames"),
        (&["--threads", "0", start, end], "--threads expects an integer from 1 to 4294967295, not '0'"),
        (&["--threads", "5000", start, end], "pccd_context_create: PCCD_ERR_INVALID_ARGUMENT: "),
        (&["--repeat", "0", start, end], "--repeat expects an integer from 1 to 1000000, not '0'"),
        (&["--repeat", "1.5", start, end], "--repeat expects"),
        (&["--repeat", "1000001", start, end], "--repeat expects"),
        (&["--simd", "sse", start, end], "--simd expects auto, scalar, avx2 or avx512, not 'sse'"),
        (&["--min-separation", "-1", start, end], "--min-separation expects"),
        (&["--min-separation", "nan", start, end], "--min-separation expects"),
        (&[start, end, "--json"], "--json needs a value"),
        (&[start, end, "--contacts"], "--contacts needs a value"),
        (&["--frobnicate", start, end], "unknown option --frobnicate"),
        (&["--json", "/no/such/folder/x.json", start, end], "No such file"),
        (&["--contacts", "/no/such/folder/x.csv", start, end], "No such file"),
        (&["--contacts", "/dev/full", start, end], "could not be written"),
    ];
    for (arguments, expected) in cases {
        let output = run_frames(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
    let help = run_frames(["--help"]);
    assert!(help.status.success() && text(&help.stdout).contains("usage: frames"));
    assert!(run_frames(["--earliest", "--", start, end]).status.success());
}

#[test]
fn valgrind_finds_nothing() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        return skip("frames under valgrind, which is not installed");
    }
    let folder = TempFolder::new("valgrind");
    let [start, end] = plain(&folder);
    let extras = Ply { format: Format::Big, real: "float", extras: true, ..PLAIN };
    let [other_start, other_end] = write_pair(&folder, "extras.ply", &|mesh| extras.write(mesh));
    let [obj_start, obj_end] = write_pair(&folder, "frame.obj", &obj_flavours()[3].1);
    let good = vec![start.clone(), end, other_start, other_end, obj_start, obj_end];
    let mut cases = vec![(good, 0)];
    for name in ["cut.ply", "cut_face.ply", "binary_list.ply", "no_z.ply", "binary.obj", "high.obj"] {
        let broken =
            broken_files().into_iter().find(|(broken, ..)| *broken == name).expect("it is in the list");
        cases.push((vec![start.clone(), folder.write(name, broken.1)], 2));
    }
    let (json, contacts) = (folder.0.join("result.json"), folder.0.join("contacts.csv"));
    for (frames, exit_code) in cases {
        let output = Command::new("valgrind")
            .args(["--quiet", "--error-exitcode=99", "--leak-check=full"])
            .arg(build_folder().join("frames"))
            .args(["--repeat", "2", "--json"])
            .arg(&json)
            .arg("--contacts")
            .arg(&contacts)
            .args(&frames)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(exit_code), "{frames:?}: {}", text(&output.stderr));
    }
}

/// The readers with address and undefined behaviour sanitizers, on files that are cut off and changed in many ways.
#[test]
fn the_readers_survive_anything() {
    let folder = TempFolder::new("fuzz");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let program = folder.0.join("fuzz_meshes");
    let compile = |sanitizers: &[&str]| {
        Command::new(&compiler)
            .args(["-std=c99", "-g", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror"])
            .args(sanitizers)
            .arg("-I")
            .arg(root.join("examples_c"))
            .arg(root.join("tests/c/fuzz_meshes.c"))
            .args(
                ["mesh_file.c", "obj.c", "ply.c", "program.c"].map(|name| root.join("examples_c").join(name)),
            )
            .arg("-o")
            .arg(&program)
            .arg("-lm")
            .output()
            .expect("there is a C compiler")
    };
    let output = compile(&["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    if !output.status.success() {
        let plain = compile(&[]);
        assert!(plain.status.success(), "{}", text(&plain.stderr));
        skip("the sanitizers, which this compiler doesn't have");
    }
    let mesh = falling(0.5);
    let mut files = Vec::new();
    for format in [Format::Ascii, Format::Little, Format::Big] {
        for (extras, faces_first) in [(false, false), (true, false), (true, true)] {
            let ply = Ply { format, extras, faces_first, real: "float", ..PLAIN };
            files.push(folder.write(&format!("{format:?}-{extras}-{faces_first}.ply"), ply.write(&mesh)));
        }
    }
    files.extend(obj_flavours().into_iter().map(|(name, writer)| folder.write(name, writer(&mesh))));
    let rounds = std::env::var("PCCD_FUZZ_MESHES").unwrap_or_else(|_| "2000".into());
    let log = folder.0.join("report");
    let options = |name: &str| format!("{name}log_path={}:detect_leaks=1", log.display());
    let output = Command::new(&program)
        .arg(rounds)
        .args(&files)
        .env("ASAN_OPTIONS", options("allocator_may_return_null=0:max_allocation_size_mb=64:"))
        .env("UBSAN_OPTIONS", options("print_stacktrace=1:"))
        .stderr(Stdio::null())
        .output()
        .unwrap();
    let reports: String = fs::read_dir(&folder.0)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("report"))
        .map(|path| text(&fs::read(path).unwrap()))
        .collect();
    let printed = text(&output.stdout);
    assert!(output.status.success(), "{}\n{printed}\n{reports}", output.status);
    let (accepted, rest) = printed.split_once(" accepted, ").expect("two counts");
    // Both are there in good number: otherwise nothing was tried.
    assert!(accepted.parse::<u64>().unwrap() > 100, "{printed}");
    assert!(rest.split_once(' ').unwrap().0.parse::<u64>().unwrap() > 10_000, "{printed}");
    println!("readers: {}", printed.trim());
}

/// The rows of a file of the ground truth that collide.
fn read_truth(path: &Path, kind: &str) -> BTreeSet<Pair> {
    let content = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let rows = content.lines().filter(|line| !line.trim().is_empty()).map(|line| {
        let columns: Vec<u32> = line
            .split(',')
            .map(|column| column.trim().parse().unwrap_or_else(|_| panic!("{line}")))
            .collect();
        let [a, b, c, d, collides] = columns[..] else { panic!("{}: {line}", path.display()) };
        (collides == 1).then(|| pair(kind, [a, b, c, d]))
    });
    rows.flatten().collect()
}

#[test]
fn the_ground_truth_is_met() {
    let Some(data) = data_folder() else { return };
    let mut scenes: Vec<PathBuf> = fs::read_dir(data.join("scenes"))
        .expect("the ground truth has scenes")
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    scenes.sort();
    assert!(!scenes.is_empty(), "no scenes in {}", data.display());
    let folder = TempFolder::new("scenes");
    for scene in scenes {
        let mut frames: Vec<PathBuf> =
            fs::read_dir(scene.join("frames")).unwrap().map(|entry| entry.unwrap().path()).collect();
        frames.sort();
        assert_eq!(frames.len(), 2, "{}", scene.display());
        let (steps, lines, _) = run(&folder, &[], &[&frames[0], &frames[1]]);
        for kind in ["vf", "ee"] {
            let truth = read_truth(&scene.join(format!("truth_{kind}.csv")), kind);
            let kept: Vec<String> = lines.iter().filter(|line| line.starts_with(kind)).cloned().collect();
            let found = pairs(&kept);
            let missed: Vec<_> = truth.difference(&found).collect();
            let added: Vec<_> = found.difference(&truth).collect();
            let first = |pairs: &[&Pair]| format!("{} ({:?}...)", pairs.len(), pairs.first());
            assert!(missed.is_empty(), "{}: {kind} missed: {}", scene.display(), first(&missed));
            assert!(added.is_empty(), "{}: {kind} added: {}", scene.display(), first(&added));
            assert_eq!(kept.len(), found.len(), "{}: {kind} found twice", scene.display());
            assert_eq!(steps[0][format!("contacts_{kind}")], kept.len(), "{}", scene.display());
            println!("{}: {kind}: {} contacts, all that there are", scene.display(), found.len());
        }
    }
}
