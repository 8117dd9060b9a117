//! The frames that the tests of `frames` read: one mesh, written in every way, and in every way that is wrong.

use super::mesh_files::{Format, Mesh, PLAIN, Ply, obj};
use super::text;

/// A square and a pentagon rest; two triangles fall by 2 and by 1 onto the square, at the times 0 and 1. Numbers that are
/// floats, but no short decimals.
pub fn falling(time: f64) -> Mesh {
    let (fast, slow) = (-2.0 * time, -time);
    let vertices = [
        [0.0, 0.0, 0.0],
        [8.0, 0.0, 0.0],
        [8.0, 8.0, 0.0],
        [0.0, 8.0, 0.0],
        [1.0, 2.0, 1.0 + fast],
        [3.0, 2.5, 3.0 + fast],
        [1.0, 6.0, 3.0 + fast],
        [4.0, -1.0, 0.5 + slow],
        [4.0, 3.0, 0.5 + slow],
        [4.5, 1.0, 9.0 + slow],
        [0.0, 0.0, -50.0],
        [2.0, 0.0, -50.0],
        [3.0, 1.0, -50.0],
        [2.0, 2.0, -50.0],
        [0.0, 2.0, -50.0],
    ];
    let faces = vec![vec![0, 1, 2, 3], vec![4, 5, 6], vec![9, 8, 7], vec![10, 11, 12, 13, 14]];
    Mesh { vertices: vertices.map(|point| point.map(|x: f64| f64::from((x * 0.1) as f32))).to_vec(), faces }
}

/// A way to write a mesh.
pub type Writer = Box<dyn Fn(&Mesh) -> Vec<u8>>;

pub fn ply_flavours() -> Vec<(String, Writer)> {
    let mut flavours = Vec::new();
    for format in [Format::Ascii, Format::Little, Format::Big] {
        for extras in [false, true] {
            for real in ["float", "double", "float32", "float64"] {
                flavours.push(Ply { format, extras, real, ..PLAIN });
            }
            for count in ["char", "uint8", "short", "ushort", "int", "uint", "int64", "uint64"] {
                flavours.push(Ply { format, extras, list: (count, "uint32"), ..PLAIN });
                flavours.push(Ply { format, extras, list: ("uchar", count), ..PLAIN });
            }
            for line_end in ["\n", "\r\n", "\r"] {
                flavours.push(Ply { format, extras, line_end, list_name: "vertex_index", ..PLAIN });
                flavours.push(Ply { format, extras, line_end, faces_first: true, ..PLAIN });
            }
        }
    }
    let name = |(number, ply): (usize, Ply)| {
        (format!("{number}.ply"), Box::new(move |mesh: &Mesh| ply.write(mesh)) as Writer)
    };
    flavours.into_iter().enumerate().map(name).collect()
}

pub fn obj_flavours() -> Vec<(&'static str, Writer)> {
    let writer = |write: fn(&Mesh) -> String| Box::new(move |mesh: &Mesh| write(mesh).into_bytes()) as Writer;
    fn v([x, y, z]: [f64; 3]) -> String {
        format!("v {x} {y} {z}")
    }
    fn c(index: i64, _: i64) -> String {
        format!("{}", index + 1)
    }
    vec![
        ("bare.obj", writer(|mesh| obj(mesh, v, c))),
        ("weight.obj", writer(|mesh| obj(mesh, |p| v(p) + " 1.0", c))),
        ("colour.obj", writer(|mesh| obj(mesh, |p| v(p) + " 0.5 .25 1e-1", c))),
        ("texture.obj", writer(|mesh| obj(mesh, v, |i, n| c(i, n) + "/1"))),
        ("normal.obj", writer(|mesh| obj(mesh, v, |i, n| c(i, n) + "//-1"))),
        ("both.obj", writer(|mesh| obj(mesh, v, |i, n| c(i, n) + "/7/2"))),
        ("negative.obj", writer(|mesh| obj(mesh, v, |i, n| format!("{}", i - n)))),
        (
            "mixed.obj",
            writer(|mesh| obj(mesh, v, |i, n| format!("{}//1", if i % 2 == 0 { i - n } else { i + 1 }))),
        ),
        ("crlf.obj", writer(|mesh| obj(mesh, v, c).replace('\n', "\r\n"))),
        ("cr.obj", writer(|mesh| obj(mesh, v, c).replace('\n', "\r"))),
        ("tabs.obj", writer(|mesh| obj(mesh, v, c).replace(' ', "\t \t"))),
        ("indented.obj", writer(|mesh| "  ".to_string() + &obj(mesh, v, c).replace('\n', " \n\n  "))),
        (
            "comments.obj",
            writer(|mesh| "# C:\\models\\\n".to_string() + &obj(mesh, v, c).replace('\n', " # 1 2 3\n")),
        ),
        ("continued.obj", writer(|mesh| obj(mesh, v, c).replace(' ', " \\\n"))),
        ("continued_crlf.obj", writer(|mesh| obj(mesh, v, c).replace(' ', "\\\r\n "))),
        ("no_last_line_end.obj", writer(|mesh| obj(mesh, v, c).trim_end().to_string())),
        (
            "statements.obj",
            writer(|mesh| {
                let text =
                    obj(mesh, v, c).replacen('f', "mtllib a b.mtl\nvt 0 0\nvn 0 0 1\no thing#1\ng\nf", 1);
                text + "s off\nusemtl \\\nf 9 9\nl 1 2\nend\n"
            }),
        ),
        (
            "faces_first.obj",
            writer(|mesh| {
                let text = obj(mesh, v, c);
                let (faces, vertices): (Vec<_>, Vec<_>) =
                    text.lines().partition(|line| line.starts_with('f'));
                [faces, vertices].concat().join("\n")
            }),
        ),
    ]
}

/// Frames that are broken, and what has to be said about each.
pub fn broken_files() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let mesh = falling(1.0);
    let ascii = text(&PLAIN.write(&mesh));
    let replaced = |from: &str, to: &str| {
        assert!(ascii.contains(from), "{from}");
        ascii.replacen(from, to, 1).into_bytes()
    };
    let with_line = |number: usize, line: &str| {
        let mut lines: Vec<&str> = ascii.lines().collect();
        lines[number - 1] = line;
        (lines.join("\n") + "\n").into_bytes()
    };
    let with_face = |face: &[i64]| {
        let mut faces = mesh.faces.clone();
        faces[2] = face.to_vec();
        Mesh { faces, ..mesh.clone() }
    };
    let with_z = |z: f64| {
        let mut vertices = mesh.vertices.clone();
        vertices[4][2] = z;
        Mesh { vertices, ..mesh.clone() }
    };
    let little = Ply { format: Format::Little, ..PLAIN };
    let big = Ply { format: Format::Big, real: "float", ..PLAIN };
    let binary = little.write(&mesh);
    let header = binary.windows(11).position(|window| window == b"end_header\n").unwrap() + 11;
    let hostile = |count: &str| {
        let text = text(&binary[..header]).replace("vertex 15", &format!("vertex {count}"));
        [text.into_bytes(), binary[header..].to_vec()].concat()
    };
    let huge_list = {
        let ply = Ply { list: ("uint", "int"), ..little }.write(&mesh);
        let at = ply.len() - (4 + 5 * 4);
        [&ply[..at], &[0xff; 4], &ply[at + 4..]].concat()
    };
    let plain_obj = text(&obj_flavours()[0].1(&mesh));
    let with_obj_line = |number: usize, line: &str| {
        let mut lines: Vec<&str> = plain_obj.lines().collect();
        lines[number - 1] = line;
        (lines.join("\n") + "\n").into_bytes()
    };
    let only_vertices: String =
        plain_obj.lines().filter(|line| line.starts_with('v')).map(|l| l.to_owned() + "\n").collect();
    // In the ascii file the vertices are the lines 10 to 24, the faces 25 to 28. In the OBJ file: 1 to 15, 16 to 19.
    vec![
        ("empty.ply", vec![], "empty.ply:1: not a PLY file"),
        ("magic.ply", b"plyx\n".to_vec(), ":1: not a PLY file"),
        ("other.ply", plain_obj.clone().into_bytes(), ":1: not a PLY file"),
        ("only_magic.ply", b"ply\n".to_vec(), ":1: the file ends within the header"),
        ("header.ply", ascii.as_bytes()[..60].to_vec(), "header"),
        ("format.ply", with_line(2, "format binary 1.0"), ":2: unknown format 'binary'"),
        ("version.ply", with_line(2, "format ascii 2.0"), ":2: version '2.0' instead of 1.0"),
        ("formats.ply", with_line(8, "format ascii 1.0"), ":8: a second format"),
        ("no_format.ply", with_line(2, "comment"), "the header has no format"),
        (
            "word.ply",
            with_line(8, "propertie list uchar int x"),
            ":8: unknown word in the header: 'propertie'",
        ),
        ("control.ply", with_line(8, "\x1b[2J"), ":8: unknown word in the header: '?[2J'"),
        ("type.ply", replaced("double x", "real x"), ":4: unknown type 'real'"),
        ("list_type.ply", replaced("uchar int", "uchar integer"), ":8: unknown type 'integer'"),
        (
            "count_type.ply",
            replaced("uchar int", "float int"),
            ":8: a list can't have a length of type 'float'",
        ),
        (
            "float_list.ply",
            replaced("uchar int", "uchar float"),
            ":8: 'vertex_indices' is not a list of integers",
        ),
        (
            "no_list.ply",
            replaced("list uchar int vert", "int vert"),
            ":8: 'vertex_indices' is not a list of integers",
        ),
        ("list_x.ply", replaced("double x", "list int double x"), ":4: 'x' of a vertex is a list"),
        ("no_name.ply", replaced("double x", "double"), ":4: a property without a name"),
        ("two_names.ply", replaced("double x", "double x y"), ":4: more than expected: 'y'"),
        ("two_x.ply", replaced("double z", "double x"), ":6: a second property 'x'"),
        ("no_z.ply", replaced("double z", "double w"), ":9: the vertices have no property 'z'"),
        (
            "no_indices.ply",
            replaced("vertex_indices", "indices"),
            ":9: the faces have no list 'vertex_indices'",
        ),
        (
            "no_vertex.ply",
            replaced("element vertex", "element point"),
            ":9: the header has no element 'vertex'",
        ),
        (
            "no_face.ply",
            replaced("element face", "element tristrips"),
            ":9: the header has no element 'face'",
        ),
        ("two_faces.ply", replaced("element vertex", "element face"), ":7: a second element 'face'"),
        ("nameless.ply", with_line(3, "element"), ":3: an element without a name"),
        ("count.ply", replaced("vertex 15", "vertex 15.5"), ":3: not a number of elements: '15.5'"),
        ("minus.ply", replaced("vertex 15", "vertex -1"), ":3: not a number of elements: '-1'"),
        ("no_count.ply", replaced("vertex 15", "vertex"), ":3: not a number of elements: ''"),
        ("many.ply", replaced("vertex 15", "vertex 4294967296"), ":3: more than 4294967295 vertices"),
        (
            "overflow.ply",
            replaced("vertex 15", "vertex 99999999999999999999999"),
            ":3: more than 4294967295 vertices",
        ),
        ("early.ply", with_line(3, "property double x"), ":3: a property before the first element"),
        (
            "hostile.ply",
            replaced("vertex 15", "vertex 4294967295"),
            ":25: element 'vertex' number 15: the line is too long",
        ),
        (
            "hostile_faces.ply",
            replaced("face 4", "face 9223372036854775807"),
            ":28: element 'face' number 4: the file ends",
        ),
        ("less_faces.ply", replaced("face 4", "face 3"), ":28: more lines than the header has promised"),
        (
            "cut.ply",
            ascii.as_bytes()[..ascii.len() - 3].to_vec(),
            ":28: element 'face' number 3: the line is too short",
        ),
        ("letters.ply", with_line(12, "1 2 abc"), ":12: element 'vertex' number 2: not a number: 'abc'"),
        ("comma.ply", with_line(12, "1,5 2 3"), ":12: element 'vertex' number 2: not a number: '1,5'"),
        ("few.ply", with_line(12, "1 2"), ":12: element 'vertex' number 2: the line is too short"),
        ("much.ply", with_line(12, "1 2 3 4"), ":12: element 'vertex' number 2: the line is too long"),
        (
            "nan.ply",
            with_line(12, "1 nan 2"),
            ":12: element 'vertex' number 2: a coordinate that is not finite",
        ),
        (
            "huge.ply",
            with_line(12, "1 1e999 2"),
            ":12: element 'vertex' number 2: a coordinate that is not finite",
        ),
        (
            "index.ply",
            with_line(26, "3 4 5 15"),
            ":26: element 'face' number 1: a vertex index that is out of range: 15",
        ),
        (
            "below.ply",
            with_line(26, "3 4 5 -1"),
            ":26: element 'face' number 1: a vertex index that is out of range: -1",
        ),
        ("half.ply", with_line(26, "3 4 5 6.0"), ":26: element 'face' number 1: not an integer: '6.0'"),
        (
            "wide.ply",
            with_line(26, "256 4 5 6"),
            ":26: element 'face' number 1: an integer that its type can't hold: '256'",
        ),
        (
            "corners.ply",
            with_line(26, "2 4 5"),
            ":26: element 'face' number 1: a face with less than 3 corners: 2",
        ),
        ("short_list.ply", with_line(26, "4 4 5 6"), ":26: element 'face' number 1: the line is too short"),
        ("no_faces.ply", PLAIN.write(&Mesh { faces: vec![], ..mesh.clone() }), "no_faces.ply: has no faces"),
        (
            "cut_vertex.ply",
            binary[..header + 100].to_vec(),
            "byte 269: element 'vertex' number 4: the file ends",
        ),
        ("cut_face.ply", binary[..binary.len() - 1].to_vec(), "element 'face' number 3: the file ends"),
        ("more.ply", [&binary[..], b"\n \0"].concat(), "more data than the header has promised"),
        ("binary_hostile.ply", hostile("4294967295"), "element 'vertex' number 17: the file ends"),
        ("binary_list.ply", huge_list, "element 'face' number 3: the file ends"),
        (
            "binary_nan.ply",
            little.write(&with_z(f64::NAN)),
            "byte 269: element 'vertex' number 4: a coordinate that",
        ),
        (
            "binary_infinite.ply",
            big.write(&with_z(f64::INFINITY)),
            "element 'vertex' number 4: a coordinate that",
        ),
        (
            "binary_index.ply",
            big.write(&with_face(&[0, 1, 15])),
            "'face' number 2: a vertex index that is out of range: 15",
        ),
        (
            "binary_below.ply",
            big.write(&with_face(&[0, 1, -7])),
            "'face' number 2: a vertex index that is out of range: -7",
        ),
        (
            "binary_corners.ply",
            little.write(&with_face(&[0])),
            "'face' number 2: a face with less than 3 corners: 1",
        ),
        (
            "binary_negative.ply",
            Ply { list: ("char", "int"), ..little }.write(&with_face(&[0; 200])),
            "'face' number 2: a list of negative length: -56",
        ),
        ("empty.obj", vec![], "empty.obj: has no faces"),
        ("points.obj", only_vertices.into_bytes(), "points.obj: has no faces"),
        ("unknown.obj", with_obj_line(5, "w 1 2 3"), ":5: unknown statement: 'w'"),
        ("binary.obj", binary.clone(), ":1: unknown statement: 'ply'"),
        ("few.obj", with_obj_line(5, "v 1 2"), ":5: a vertex has 2 coordinates instead of 3"),
        ("letters.obj", with_obj_line(5, "v 1 2 x"), ":5: not a number: 'x'"),
        ("colour.obj", with_obj_line(5, "v 1 2 3 red"), ":5: not a number: 'red'"),
        ("nan.obj", with_obj_line(5, "v 1 nan 3"), ":5: y is not finite"),
        ("huge.obj", with_obj_line(5, "v 1 2 -1e400"), ":5: z is not finite"),
        ("zero.obj", with_obj_line(17, "f 1 0 2"), ":17: vertex 0: they are counted from 1"),
        ("high.obj", with_obj_line(17, "f 1 16 2"), ":17: vertex 16, but there are only 15"),
        (
            "higher.obj",
            with_obj_line(17, "f 1 99999999999999999999 2"),
            ":17: vertex '99999999999999999999' is out of",
        ),
        ("low.obj", with_obj_line(17, "f 1 -16 2"), ":17: vertex -16, but there are only 15 up to here"),
        ("lower.obj", with_obj_line(17, "f 1 -99999999999999999999 2"), "but there are only 15 up to here"),
        ("relative.obj", with_obj_line(2, "f -1 -1 -2"), ":2: vertex -2, but there are only 1 up to here"),
        ("two.obj", with_obj_line(17, "f 1 2"), ":17: a face has 2 corners"),
        ("slash.obj", with_obj_line(17, "f 1/ 2 3"), ":17: not a corner of a face: '1/'"),
        ("slashes.obj", with_obj_line(17, "f 1/2/3/4 2 3"), ":17: not a corner of a face: '1/2/3/4'"),
        ("no_vertex.obj", with_obj_line(17, "f //1 2 3"), ":17: not a corner of a face: '//1'"),
        ("half.obj", with_obj_line(17, "f 1.5 2 3"), ":17: not a corner of a face: '1.5'"),
        ("continued.obj", with_obj_line(17, "f 1 \\\n 2 \\\n x"), ":19: not a corner of a face: 'x'"),
        ("control.obj", with_obj_line(17, "f 1 \x1b[2J 3"), ":17: not a corner of a face: '?[2J'"),
    ]
}
