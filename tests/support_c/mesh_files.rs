//! Writes PLY and OBJ files of all flavours.

/// Polygons over vertices.
#[derive(Clone)]
pub struct Mesh {
    pub vertices: Vec<[f64; 3]>,
    pub faces: Vec<Vec<i64>>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Format {
    Ascii,
    Little,
    Big,
}

/// How to write a PLY file.
#[derive(Clone, Copy, Debug)]
pub struct Ply {
    pub format: Format,
    /// The type of the coordinates.
    pub real: &'static str,
    /// The type of a face's number of corners, and that of its corners.
    pub list: (&'static str, &'static str),
    pub list_name: &'static str,
    pub line_end: &'static str,
    /// Comments, and properties and elements that the mesh doesn't need.
    pub extras: bool,
    pub faces_first: bool,
}

pub const PLAIN: Ply = Ply {
    format: Format::Ascii,
    real: "double",
    list: ("uchar", "int"),
    list_name: "vertex_indices",
    line_end: "\n",
    extras: false,
    faces_first: false,
};

impl Ply {
    pub fn write(&self, mesh: &Mesh) -> Vec<u8> {
        let mut file = self.header(mesh).into_bytes();
        let mut put = Put { ply: self, out: &mut file, row: Vec::new() };
        if self.extras {
            for number in 0..2 {
                put.list("ushort", "short", &[number, -1, 300]);
                put.end_row();
            }
        }
        if self.faces_first {
            put.faces(mesh);
            put.vertices(mesh);
        } else {
            put.vertices(mesh);
            if self.extras {
                for number in [0.5, -1e30, f64::NAN] {
                    put.list("char", "double", &[]);
                    put.value("float64", number);
                    put.end_row();
                }
            }
            put.faces(mesh);
        }
        file
    }

    fn header(&self, mesh: &Mesh) -> String {
        let format = match self.format {
            Format::Ascii => "ascii",
            Format::Little => "binary_little_endian",
            Format::Big => "binary_big_endian",
        };
        let real = self.real;
        let mut vertex = vec![format!("element vertex {}", mesh.vertices.len())];
        let mut face = vec![format!("element face {}", mesh.faces.len())];
        if self.extras {
            vertex.extend([
                "property uint8 red".into(),
                format!("property {real} y"),
                "property list uint16 float32 neighbours".into(),
                format!("property {real} x"),
                "property int64 time".into(),
                format!("property {real} z"),
                "property double nx".into(),
            ]);
            face.push("property list uchar float texcoord".into());
        } else {
            vertex.extend(["x", "y", "z"].map(|axis| format!("property {real} {axis}")));
        }
        face.push(format!("property list {} {} {}", self.list.0, self.list.1, self.list_name));
        if self.extras {
            face.push("property ushort flags".into());
        }
        let mut lines = vec!["ply".to_string(), format!("format {format} 1.0")];
        if self.extras {
            lines.extend(
                [
                    "comment element vertex 99",
                    "obj_info  from a  test",
                    "element strip 2",
                    "property list ushort short things",
                    "element nothing 5",
                ]
                .map(String::from),
            );
        }
        let between =
            ["element between 3", "property list char double x", "property float64 y"].map(String::from);
        if self.faces_first {
            lines.extend(face);
            lines.extend(vertex);
        } else {
            lines.extend(vertex);
            lines.extend(between.into_iter().filter(|_| self.extras));
            lines.extend(face);
        }
        lines.push("end_header".into());
        lines.into_iter().map(|line| line + self.line_end).collect()
    }
}

struct Put<'a> {
    ply: &'a Ply,
    out: &'a mut Vec<u8>,
    /// The words of an ascii row.
    row: Vec<String>,
}

impl Put<'_> {
    fn value(&mut self, kind: &str, value: f64) {
        if self.ply.format == Format::Ascii {
            let single = kind == "float" || kind == "float32";
            let word = if single { (value as f32).to_string() } else { value.to_string() };
            return self.row.push(word);
        }
        // An integer that the type can't hold is cut off, as a careless program would do it.
        let mut bytes = match kind {
            "char" | "int8" => (value as i64 as i8).to_le_bytes().to_vec(),
            "uchar" | "uint8" => (value as i64 as u8).to_le_bytes().to_vec(),
            "short" | "int16" => (value as i64 as i16).to_le_bytes().to_vec(),
            "ushort" | "uint16" => (value as i64 as u16).to_le_bytes().to_vec(),
            "int" | "int32" => (value as i64 as i32).to_le_bytes().to_vec(),
            "uint" | "uint32" => (value as i64 as u32).to_le_bytes().to_vec(),
            "int64" => (value as i64).to_le_bytes().to_vec(),
            "uint64" => (value as u64).to_le_bytes().to_vec(),
            "float" | "float32" => (value as f32).to_le_bytes().to_vec(),
            "double" | "float64" => value.to_le_bytes().to_vec(),
            _ => panic!("{kind} is no type"),
        };
        if self.ply.format == Format::Big {
            bytes.reverse();
        }
        self.out.extend(bytes);
    }

    fn list(&mut self, count: &str, kind: &str, values: &[i64]) {
        self.value(count, values.len() as f64);
        values.iter().for_each(|&value| self.value(kind, value as f64));
    }

    fn end_row(&mut self) {
        if self.ply.format == Format::Ascii {
            self.out.extend(self.row.join(" ").bytes());
            self.out.extend(self.ply.line_end.bytes());
            self.row.clear();
        }
    }

    fn vertices(&mut self, mesh: &Mesh) {
        let real = self.ply.real;
        for (number, &[x, y, z]) in mesh.vertices.iter().enumerate() {
            if self.ply.extras {
                self.value("uint8", 200.0);
                self.value(real, y);
                self.list("uint16", "float32", &[7, 8, 9][..number % 4]);
                self.value(real, x);
                self.value("int64", -5.0);
                self.value(real, z);
                self.value("double", f64::INFINITY);
            } else {
                [x, y, z].iter().for_each(|&value| self.value(real, value));
            }
            self.end_row();
        }
    }

    fn faces(&mut self, mesh: &Mesh) {
        for face in &mesh.faces {
            if self.ply.extras {
                self.list("uchar", "float", &[1, 0]);
            }
            self.list(self.ply.list.0, self.ply.list.1, face);
            if self.ply.extras {
                self.value("ushort", 65535.0);
            }
            self.end_row();
        }
    }
}

/// An OBJ file; `vertex` and `corner` (given the index of a vertex, and how many there are) write a part of it.
pub fn obj(mesh: &Mesh, vertex: impl Fn([f64; 3]) -> String, corner: impl Fn(i64, i64) -> String) -> String {
    let count = mesh.vertices.len() as i64;
    let vertices: String = mesh.vertices.iter().map(|&position| vertex(position) + "\n").collect();
    let faces = mesh.faces.iter().map(|face| {
        let corners: Vec<String> = face.iter().map(|&index| corner(index, count)).collect();
        format!("f {}\n", corners.join(" "))
    });
    vertices + &faces.collect::<String>()
}
