//! Builds `examples_c/cloth`, lets a small cloth fall, and looks at what it prints and writes.
#![cfg(target_os = "linux")]

mod support_c;

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use support_c::{TempFolder, build_folder, skip, text};

fn program() -> PathBuf {
    build_folder().join("cloth")
}

fn run<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Output {
    Command::new(program()).args(arguments).output().expect("cloth can be run")
}

/// Runs it into a folder that does not exist yet. Returns what it printed, and the file.
fn simulate(folder: &TempFolder, size: usize, frames: usize, threads: usize) -> (String, Vec<u8>) {
    let out = folder.0.join(format!("{size}-{frames}-{threads}"));
    let numbers = [size, frames, threads].map(|number| number.to_string());
    let output = run([
        OsStr::new("--size"),
        numbers[0].as_ref(),
        OsStr::new("--frames"),
        numbers[1].as_ref(),
        OsStr::new("--threads"),
        numbers[2].as_ref(),
        OsStr::new("--out"),
        out.as_os_str(),
    ]);
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}{}", text(&output.stderr));
    (printed, fs::read(out.join("cloth.ply")).expect("the last frame was written"))
}

struct Ply {
    positions: Vec<[f64; 3]>,
    colours: Vec<[u8; 3]>,
    triangles: Vec<[u32; 3]>,
}

/// Reads what `cloth` writes, and nothing else.
fn read_ply(bytes: &[u8]) -> Ply {
    let end = b"end_header\n";
    let start = bytes.windows(end.len()).position(|window| window == end).expect("a header") + end.len();
    let header = std::str::from_utf8(&bytes[..start]).unwrap();
    let count = |element: &str| -> usize {
        let prefix = format!("element {element} ");
        header.lines().find_map(|line| line.strip_prefix(&prefix)).unwrap().parse().unwrap()
    };
    assert!(header.starts_with("ply\nformat binary_little_endian 1.0\n"), "{header}");
    assert!(header.contains("property double x\nproperty double y\nproperty double z\n"), "{header}");
    assert!(header.contains("property uchar red\nproperty uchar green\nproperty uchar blue\n"), "{header}");
    assert!(header.contains("property list uchar int vertex_indices\n"), "{header}");

    const VERTEX: usize = 3 * 8 + 3;
    const FACE: usize = 1 + 3 * 4;
    let (vertices, faces) = bytes[start..].split_at(count("vertex") * VERTEX);
    assert_eq!(faces.len(), count("face") * FACE);
    let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().unwrap());
    let index = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap());
    let vertices = vertices.chunks(VERTEX);
    Ply {
        positions: vertices
            .clone()
            .map(|v| [number(&v[..8]), number(&v[8..16]), number(&v[16..24])])
            .collect(),
        colours: vertices.map(|v| v[24..].try_into().unwrap()).collect(),
        triangles: faces
            .chunks(FACE)
            .map(|face| {
                assert_eq!(face[0], 3);
                [index(&face[1..5]), index(&face[5..9]), index(&face[9..])]
            })
            .collect(),
    }
}

/// The number in front of a word.
fn number_in(line: &str, before: &str) -> u64 {
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.iter().position(|word| *word == before).unwrap_or_else(|| panic!("{before} in {line}"));
    words[at - 1].parse().unwrap_or_else(|_| panic!("a number before {before} in {line}"))
}

#[test]
fn the_cloth_falls_on_the_ball_and_through_nothing() {
    let folder = TempFolder::new("falls");
    let (size, frames) = (21, 70);
    let (printed, bytes) = simulate(&folder, size, frames, 1);

    let line = |label: &str| {
        printed.lines().find(|line| line.starts_with(label)).unwrap_or_else(|| panic!("{label} in {printed}"))
    };
    for heading in ["frames", "contacts", "repeats", "update", "traverse", "elementary", "sort", "simulation"]
    {
        assert!(line("     frames").contains(heading), "{printed}");
    }
    // Ten rows, one for all frames, and every number of them is one.
    let rows: Vec<Vec<&str>> = printed
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|words| words.len() == 10 && words[0].contains('-'))
        .collect();
    assert_eq!(rows.len(), 11, "{printed}");
    assert_eq!((rows[0][0], rows[9][0], rows[10][0]), ("1-7", "64-70", "1-70"));
    for row in &rows {
        assert!(row[1..].iter().all(|word| word.parse::<f64>().is_ok_and(|x| x >= 0.0)), "{row:?}");
    }
    assert!(rows[9][1].parse::<f64>().unwrap() > 0.0, "no contacts: {printed}");
    // Frame 70, every tenth before it, and the beginning.
    assert_eq!(number_in(line("check"), "frames,"), 8);
    assert!(line("check").contains(" 0 intersections"), "{printed}");
    // Without a terminal there are plain lines, and no escape sequences.
    assert!(printed.contains("frame 70 of 70: "), "{printed}");
    assert!(!printed.contains(['\r', '\x1b']), "{printed}");

    let ply = read_ply(&bytes);
    let cloth = size * size;
    assert!(ply.positions.len() > cloth && ply.triangles.len() > 2 * (size - 1) * (size - 1));
    assert!(ply.triangles.as_flattened().iter().all(|&index| (index as usize) < ply.positions.len()));
    // The cloth is neither in the ball nor far away, it hangs down, and it touches the ball.
    let distance = |p: &[f64; 3]| p.iter().map(|x| x * x).sum::<f64>().sqrt();
    assert!(ply.positions[..cloth].iter().all(|p| (0.95..4.0).contains(&distance(p))));
    assert!(ply.positions[cloth..].iter().all(|p| (distance(p) - 1.0).abs() < 1e-12));
    let lowest = ply.positions[..cloth].iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
    assert!(lowest < 0.0, "the lowest vertex is at {lowest}");
    let red = ply.colours[..cloth].iter().filter(|colour| **colour == [214, 69, 38]).count();
    assert!(red > cloth / 20 && red < cloth, "{red} of {cloth} vertices touch the ball");
}

#[test]
fn threads_do_not_change_a_bit() {
    let folder = TempFolder::new("threads");
    // Long enough for the ball to spin.
    let [one, two] = [1, 2].map(|threads| simulate(&folder, 15, 60, threads).1);
    assert!(one == two, "the files differ");
}

#[test]
fn small_cloths_work() {
    let folder = TempFolder::new("small");
    for size in [2, 3, 4] {
        let (printed, bytes) = simulate(&folder, size, 3, 1);
        assert!(printed.contains(&format!("cloth {}, ball 1280", 2 * (size - 1) * (size - 1))), "{printed}");
        assert!(read_ply(&bytes).positions.len() > size * size);
    }
}

#[test]
fn wrong_command_lines_are_refused() {
    let folder = TempFolder::new("usage");
    let file = folder.0.join("file");
    fs::write(&file, "").unwrap();
    let file = file.to_str().unwrap();
    let cases: [(&[&str], &str); 11] = [
        (&["--frames", "0"], "--frames expects an integer from 1 to 1000000, not '0'"),
        (&["--frames", "-1"], "--frames expects"),
        (&["--frames", ""], "--frames expects"),
        (&["--frames", "7x"], "--frames expects"),
        (&["--size", "1"], "--size expects an integer from 2 to 2000, not '1'"),
        (&["--size", "99999999999999999999999"], "--size expects"),
        (&["--threads", "0"], "--threads expects an integer from 1 to 1024, not '0'"),
        (&["--size"], "--size needs a value"),
        (&["--frobnicate", "1"], "unknown option --frobnicate"),
        (&["--out", "/no/such/folder"], "/no/such/folder: No such file"),
        (&["--out", file], "Not a directory"),
    ];
    for (arguments, expected) in cases {
        let output = run(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
    let help = run(["--help"]);
    assert!(help.status.success() && text(&help.stdout).contains("usage: cloth"));
}

#[test]
fn valgrind_finds_nothing() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        // What `println!` writes is hidden when a test passes.
        skip("cloth under valgrind, which is not installed");
        return;
    }
    let folder = TempFolder::new("valgrind");
    let output = Command::new("valgrind")
        .args(["--quiet", "--error-exitcode=99", "--leak-check=full"])
        .arg(program())
        .args(["--size", "6", "--frames", "12", "--threads", "2", "--out"])
        .arg(&folder.0)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}
