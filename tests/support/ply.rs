//! Vertices and triangles of a binary PLY file of either byte order, with float or double coordinates and any further
//! properties of vertices that have a fixed size.

use std::error::Error;

pub type Point = [f64; 3];

pub struct PlyMesh {
    pub positions: Vec<Point>,
    pub triangles: Vec<[u32; 3]>,
}

/// Positions and triangles. The faces have to follow the vertices and to have three vertices and nothing else.
pub fn read_mesh(bytes: &[u8]) -> Result<PlyMesh, Box<dyn Error>> {
    let positions = read_positions(bytes)?;
    let header = Header::parse(bytes)?;
    let faces = &bytes[header.length + header.vertex_size * header.vertex_count..];
    // A byte for the number of vertices, and three indices.
    const FACE: usize = 1 + 3 * 4;
    let size = header.face_count.checked_mul(FACE).ok_or("PLY: too many faces")?;
    let faces = faces.get(..size).ok_or("PLY: the faces are cut off")?;
    let mut triangles = Vec::with_capacity(header.face_count);
    for face in faces.chunks_exact(FACE) {
        if face[0] != 3 {
            return Err(format!("PLY: a face with {} vertices", face[0]).into());
        }
        let index = |corner: usize| {
            let bytes = face[1 + 4 * corner..5 + 4 * corner].try_into().unwrap();
            if header.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
        };
        let triangle = [index(0), index(1), index(2)];
        if triangle.iter().any(|&vertex| vertex as usize >= positions.len()) {
            return Err("PLY: a vertex that there isn't".into());
        }
        triangles.push(triangle);
    }
    Ok(PlyMesh { positions, triangles })
}

pub fn read_positions(bytes: &[u8]) -> Result<Vec<Point>, Box<dyn Error>> {
    let header = Header::parse(bytes)?;
    let body = &bytes[header.length..];
    let size = header.vertex_size.checked_mul(header.vertex_count).ok_or("PLY: too many vertices")?;
    let vertices = body.get(..size).ok_or("PLY: the vertices are cut off")?;
    Ok(vertices
        .chunks_exact(header.vertex_size)
        .map(|vertex| header.axes.map(|axis| axis.read(vertex, header.big_endian)))
        .collect())
}

/// Where a coordinate lies within a vertex.
#[derive(Clone, Copy)]
struct Axis {
    offset: usize,
    double: bool,
}

impl Axis {
    fn read(self, vertex: &[u8], big_endian: bool) -> f64 {
        // The header has placed every axis within its vertex: slices of these sizes are there.
        if self.double {
            let bytes = vertex[self.offset..self.offset + 8].try_into().unwrap();
            if big_endian { f64::from_be_bytes(bytes) } else { f64::from_le_bytes(bytes) }
        } else {
            let bytes = vertex[self.offset..self.offset + 4].try_into().unwrap();
            f64::from(if big_endian { f32::from_be_bytes(bytes) } else { f32::from_le_bytes(bytes) })
        }
    }
}

struct Header {
    /// In bytes; the body starts there.
    length: usize,
    big_endian: bool,
    vertex_count: usize,
    vertex_size: usize,
    axes: [Axis; 3],
    /// Zero if the faces are not of the one sort that is understood.
    face_count: usize,
}

impl Header {
    fn parse(bytes: &[u8]) -> Result<Header, Box<dyn Error>> {
        const END: &[u8] = b"end_header\n";
        let end = bytes.windows(END.len()).position(|window| window == END).ok_or("PLY: no end_header")?;
        let mut lines = str::from_utf8(&bytes[..end])?.lines();
        if lines.next() != Some("ply") {
            return Err("not a PLY file".into());
        }
        let (mut big_endian, mut vertex_count, mut vertex_size) = (None, None, 0);
        let mut axes = [None; 3];
        let (mut in_vertices, mut faces_declared, mut face_count) = (false, 0, 0);
        for line in lines {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["format", "binary_big_endian", _] => big_endian = Some(true),
                ["format", "binary_little_endian", _] => big_endian = Some(false),
                ["element", "vertex", count] => {
                    vertex_count = Some(count.parse()?);
                    in_vertices = true;
                }
                // What comes before the vertices would have to be skipped, which none of our files needs.
                ["element", name, _] if vertex_count.is_none() => {
                    return Err(format!("PLY: {name} before the vertices").into());
                }
                ["element", name, count] => {
                    in_vertices = false;
                    faces_declared = if name == "face" { count.parse()? } else { 0 };
                }
                ["property", "list", "uchar" | "uint8", "int" | "uint" | "int32" | "uint32", name]
                    if !in_vertices && matches!(name, "vertex_indices" | "vertex_index") =>
                {
                    face_count = faces_declared;
                }
                ["property", ..] if !in_vertices => return Err("PLY: an unknown property of faces".into()),
                ["property", kind, name] if in_vertices => {
                    let size = scalar_size(kind)?;
                    if let Some(axis) = ["x", "y", "z"].iter().position(|&axis| axis == name) {
                        let double = match kind {
                            "float" | "float32" => false,
                            "double" | "float64" => true,
                            _ => return Err(format!("PLY: coordinate of type {kind}").into()),
                        };
                        axes[axis] = Some(Axis { offset: vertex_size, double });
                    }
                    vertex_size += size;
                }
                ["property", ..] if in_vertices => return Err("PLY: vertices with lists".into()),
                _ => {}
            }
        }
        let [Some(x), Some(y), Some(z)] = axes else { return Err("PLY: no coordinates".into()) };
        Ok(Header {
            length: end + END.len(),
            big_endian: big_endian.ok_or("PLY: not binary")?,
            vertex_count: vertex_count.ok_or("PLY: no vertices")?,
            vertex_size,
            axes: [x, y, z],
            face_count,
        })
    }
}

fn scalar_size(kind: &str) -> Result<usize, Box<dyn Error>> {
    Ok(match kind {
        "char" | "uchar" | "int8" | "uint8" => 1,
        "short" | "ushort" | "int16" | "uint16" => 2,
        "int" | "uint" | "float" | "int32" | "uint32" | "float32" => 4,
        "double" | "float64" => 8,
        _ => return Err(format!("PLY: unknown type {kind}").into()),
    })
}
