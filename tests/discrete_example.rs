//! `examples_c/discrete`: intersecting pairs and the k-free report of PLY and OBJ files, with triangles and with polygons.
#![cfg(target_os = "linux")]

mod support_c;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use support_c::{TempFolder, build_folder, text};

fn run(arguments: &[&str], files: &[&Path]) -> Output {
    let program = build_folder().join("discrete");
    Command::new(program).args(arguments).args(files).output().expect("discrete can be run")
}

/// The corners of the faces of a cube.
const FACES: [[usize; 4]; 6] =
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

fn corner(number: usize, at: f64, size: f64) -> [f64; 3] {
    [0, 1, 2].map(|axis| at + size * (number >> axis & 1) as f64)
}

/// A cube of quadrangles as an OBJ file.
fn obj(folder: &TempFolder, name: &str, at: f64, size: f64) -> PathBuf {
    let vertices = (0..8).map(|i| corner(i, at, size)).map(|[x, y, z]| format!("v {x} {y} {z}\n"));
    let faces = FACES.iter().map(|[a, b, c, d]| format!("f {} {} {} {}\n", a + 1, b + 1, c + 1, d + 1));
    folder.write(name, vertices.chain(faces).collect::<String>())
}

/// The same as an ASCII PLY file, of quadrangles or of the triangles into which these are divided.
fn ply(folder: &TempFolder, name: &str, at: f64, size: f64, with_polygons: bool) -> PathBuf {
    let faces: Vec<Vec<usize>> = match with_polygons {
        true => FACES.iter().map(|face| face.to_vec()).collect(),
        false => FACES.iter().flat_map(|&[a, b, c, d]| [vec![a, b, c], vec![a, c, d]]).collect(),
    };
    let mut content = format!(
        "ply\nformat ascii 1.0\nelement vertex 8\nproperty double x\nproperty double y\nproperty double z\n\
         element face {}\nproperty list uchar int vertex_indices\nend_header\n",
        faces.len()
    );
    for [x, y, z] in (0..8).map(|i| corner(i, at, size)) {
        content += &format!("{x} {y} {z}\n");
    }
    for face in faces {
        let corners: Vec<String> = face.iter().map(usize::to_string).collect();
        content += &format!("{} {}\n", face.len(), corners.join(" "));
    }
    folder.write(name, content)
}

/// What is printed, the JSON, and the lines of pairs but for the first.
fn results(folder: &TempFolder, arguments: &[&str], files: &[&Path]) -> (String, Value, Vec<String>) {
    let [json, pairs] = ["out.json", "pairs.csv"].map(|name| folder.0.join(name).display().to_string());
    let output = run(&[arguments, &["--json", &json, "--pairs", &pairs]].concat(), files);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let value = serde_json::from_slice(&fs::read(json).unwrap()).expect("valid JSON");
    let lines: Vec<String> = fs::read_to_string(pairs).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(lines[0], "mesh_a,triangle_a,mesh_b,triangle_b,coplanar,x0,y0,z0,x1,y1,z1");
    (text(&output.stdout), value, lines[1..].to_vec())
}

#[test]
fn all_methods_and_formats_give_the_same_pairs() {
    let folder = TempFolder::new("discrete-cubes");
    let quads = [obj(&folder, "a.obj", 0.0, 1.0), obj(&folder, "b.obj", 0.4, 1.1)];
    let triangles = [ply(&folder, "a.ply", 0.0, 1.0, false), ply(&folder, "b.ply", 0.4, 1.1, false)];
    let polygons = [ply(&folder, "c.ply", 0.0, 1.0, true), ply(&folder, "d.ply", 0.4, 1.1, true)];
    let (printed, first, lines) =
        results(&folder, &["--method", "bvh"], &[triangles[0].as_path(), triangles[1].as_path()]);
    assert!(
        printed.contains("triangles      24\n") && printed.contains("method         bvh: asked for"),
        "{printed}"
    );
    assert!(lines.len() > 6, "three faces of each go through three of the other: {lines:?}");
    assert_eq!(first["intersections"], lines.len());
    assert!(
        lines.iter().all(|line| line.split(',').next() == Some("0") && line.split(',').nth(2) == Some("1"))
    );
    assert_eq!((&first["triangles"], &first["polygons"]), (&24.into(), &24.into()));
    let k = first["k"]["max"].as_u64().unwrap();
    assert_eq!(first["k"]["bound"], 3 * 24 * k);
    assert_eq!(first["worst"].as_array().unwrap().len(), 5);
    assert_eq!(first["worst"][0]["k"], k);
    for arguments in
        [&["--method", "grid"][..], &["--method", "grid", "--hashing", "djb2", "--threads", "3"], &[]]
    {
        let (_, other, other_lines) =
            results(&folder, arguments, &[triangles[0].as_path(), triangles[1].as_path()]);
        assert_eq!((&other["hash"], &other_lines), (&first["hash"], &lines), "{arguments:?}");
        assert_eq!(other["k"], first["k"], "{arguments:?}");
    }
    for files in [&quads, &polygons] {
        let (printed, other, other_lines) =
            results(&folder, &["--worst", "12"], &[files[0].as_path(), files[1].as_path()]);
        assert_eq!(other_lines, lines);
        assert!(printed.contains("24, of 12 polygons"), "{printed}");
        assert_eq!(other["polygons"], 12);
        let k = other["k"]["max"].as_u64().unwrap();
        assert_eq!(other["k"]["bound"], 7 * 12 * k);
        let worst = other["worst"].as_array().unwrap();
        assert_eq!(worst.len(), 12, "all of them");
        let mut places: Vec<(u64, u64)> =
            worst.iter().map(|it| (it["mesh"].as_u64().unwrap(), it["polygon"].as_u64().unwrap())).collect();
        assert!(
            worst.iter().all(|it| it["triangle"].as_u64().unwrap() == 2 * it["polygon"].as_u64().unwrap())
        );
        places.sort_unstable();
        assert_eq!(places, (0..12).map(|i| (i / 6, i % 6)).collect::<Vec<_>>());
        // The faces of the larger cube are close to those of the smaller one, which they go through: a face of the smaller one has four that share an edge and some of the other.
        assert!(k > 5 && printed.contains(&format!("k              {k} at most")), "{printed}");
    }
}

#[test]
fn what_is_wrong_is_refused() {
    let folder = TempFolder::new("discrete-wrong");
    let cube = obj(&folder, "a.obj", 0.0, 1.0);
    let absent = folder.0.join("absent.ply");
    for (arguments, files, expected) in [
        (&["--method", "tree"][..], &[cube.as_path()][..], "--method expects"),
        (&[], &[], "no mesh given"),
        (&[], &[cube.as_path(), absent.as_path()], "absent.ply"),
        (&["--pairs", "/nowhere/pairs.csv"], &[cube.as_path()], "/nowhere/pairs.csv"),
    ] {
        let output = run(arguments, files);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(expected), "{arguments:?}: {}", text(&output.stderr));
    }
}
