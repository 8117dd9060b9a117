//! Queries with their true answers, from the files of the ground truth.

use super::ply::{self, Point};
use pccd::elementary::{Kind, Query};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// Queries of one kind, and whether each collides.
pub struct QuerySet {
    pub kind: Kind,
    pub queries: Vec<Query>,
    pub collides: Vec<bool>,
}

impl QuerySet {
    fn new(kind: Kind) -> QuerySet {
        QuerySet { kind, queries: Vec::new(), collides: Vec::new() }
    }

    fn push(&mut self, query: Query, collides: bool) {
        self.queries.push(query);
        self.collides.push(collides);
    }

    /// Keeps the colliding ones.
    pub fn into_hits(self) -> QuerySet {
        let mut hits = QuerySet::new(self.kind);
        for (query, collides) in self.queries.into_iter().zip(self.collides) {
            if collides {
                hits.push(query, true);
            }
        }
        hits
    }
}

/// The folder of the ground truth, if there is one.
pub fn data_folder() -> Option<PathBuf> {
    let folder = match std::env::var_os("PCCD_DATA") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
    };
    folder.is_dir().then_some(folder)
}

/// The entries of a folder, sorted by name.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        paths.push(entry?.path());
    }
    paths.sort();
    Ok(paths)
}

/// Records of 193 bytes: 24 little-endian doubles and one byte, 1 if they collide.
pub fn read_binary(path: &Path, kind: Kind) -> Result<QuerySet, Box<dyn Error>> {
    const RECORD: usize = 193;
    let bytes = fs::read(path)?;
    if bytes.len() % RECORD != 0 {
        return Err(format!("{}: not a multiple of {RECORD} bytes", path.display()).into());
    }
    let mut set = QuerySet::new(kind);
    for record in bytes.chunks_exact(RECORD) {
        let (numbers, truth) = record.split_at(RECORD - 1);
        let mut query = [0.0; 24];
        for (number, bytes) in query.iter_mut().zip(numbers.chunks_exact(8)) {
            *number = f64::from_le_bytes(bytes.try_into()?);
        }
        set.push(query, truth[0] == 1);
    }
    Ok(set)
}

/// All CSV files in `folder/edge-edge` and `folder/vertex-face`.
pub fn read_query_folder(folder: &Path) -> Result<Vec<QuerySet>, Box<dyn Error>> {
    let mut sets = Vec::new();
    for (name, kind) in [("vertex-face", Kind::VertexFace), ("edge-edge", Kind::EdgeEdge)] {
        let files = folder.join(name);
        if !files.is_dir() {
            continue;
        }
        let mut set = QuerySet::new(kind);
        for path in entries(&files)? {
            read_csv(&path, &mut set).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        sets.push(set);
    }
    Ok(sets)
}

/// Eight rows a query, `x_num,x_den,y_num,y_den,z_num,z_den,collides`.
fn read_csv(path: &Path, set: &mut QuerySet) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(path)?;
    let rows: Vec<&str> = text.lines().collect();
    for rows in rows.chunks(8) {
        if rows.len() != 8 {
            return Err("the last query is cut off".into());
        }
        let mut query = [0.0; 24];
        let mut truth = "";
        for (row, point) in rows.iter().zip(query.chunks_exact_mut(3)) {
            let columns: Vec<&str> = row.split(',').collect();
            if columns.len() != 7 {
                return Err("a row doesn't have seven columns".into());
            }
            for (number, fraction) in point.iter_mut().zip(columns.chunks_exact(2)) {
                *number = quotient(fraction[0], fraction[1])?;
            }
            truth = columns[6];
        }
        set.push(query, truth == "1");
    }
    Ok(())
}

/// The fraction is reduced and a double: then its denominator is a power of two, and either the numerator has at
/// most 53 bits or the denominator is 1. Both are doubles, parsing them is exact, and so is the division.
fn quotient(numerator: &str, denominator: &str) -> Result<f64, Box<dyn Error>> {
    let value = numerator.parse::<f64>()? / denominator.parse::<f64>()?;
    if value.is_finite() { Ok(value) } else { Err(format!("{numerator}/{denominator} is not finite").into()) }
}

/// The colliding pairs between the two frames of a scene.
pub fn read_scene_hits(scene: &Path) -> Result<Vec<QuerySet>, Box<dyn Error>> {
    let frames = entries(&scene.join("frames"))?;
    let [before, after] = &frames[..] else { return Err("a scene has two frames".into()) };
    let start = ply::read_positions(&fs::read(before)?)?;
    let end = ply::read_positions(&fs::read(after)?)?;
    let mut sets = Vec::new();
    for (name, kind) in [("truth_vf.csv", Kind::VertexFace), ("truth_ee.csv", Kind::EdgeEdge)] {
        let mut set = QuerySet::new(kind);
        for row in fs::read_to_string(scene.join(name))?.lines() {
            let columns: Vec<usize> = row.split(',').map(str::parse).collect::<Result<_, _>>()?;
            let [a, b, c, d, collides] = columns[..] else {
                return Err("a row of the truth doesn't have five columns".into());
            };
            if collides == 1 {
                set.push(gather(&start, &end, [a, b, c, d])?, true);
            }
        }
        sets.push(set);
    }
    Ok(sets)
}

fn gather(start: &[Point], end: &[Point], vertices: [usize; 4]) -> Result<Query, Box<dyn Error>> {
    let mut query = [0.0; 24];
    for (frame, half) in [start, end].into_iter().zip(query.chunks_exact_mut(12)) {
        for (vertex, point) in vertices.into_iter().zip(half.chunks_exact_mut(3)) {
            point.copy_from_slice(frame.get(vertex).ok_or("a vertex that the frame doesn't have")?);
        }
    }
    Ok(query)
}
