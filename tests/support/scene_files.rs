//! Published scenes: two frames of a deforming mesh and all pairs that collide between them.

use super::ground_truth;
use super::ply;
use super::scene::{Body, Point, Scene};
use pccd::detect::Contact;
use pccd::elementary::Kind;
use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// A vertex and the sorted vertices of a face, or two edges: the smaller vertex first, the smaller edge first.
pub type Pair = [u32; 4];

pub struct SceneFile {
    pub name: String,
    pub scene: Scene,
    pub vertex_face: BTreeSet<Pair>,
    pub edge_edge: BTreeSet<Pair>,
}

/// All scenes, in the order of their names. `None` if the data is absent, after saying so; fails then if it is required.
pub fn load_all() -> Option<Vec<SceneFile>> {
    let folder = ground_truth::folder().join("scenes");
    let mut folders: Vec<PathBuf> = fs::read_dir(&folder)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    folders.retain(|path| path.join("frames").is_dir());
    folders.sort();
    if folders.is_empty() {
        ground_truth::skip(&format!("no scenes found at {}; set PCCD_DATA", folder.display()));
        return None;
    }
    let load = |path: &PathBuf| load(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Some(folders.iter().map(load).collect())
}

fn load(folder: &Path) -> Result<SceneFile, Box<dyn Error>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder.join("frames"))?.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut triangles: Option<Vec<[u32; 3]>> = None;
    let mut frames: Vec<Vec<Point>> = Vec::new();
    for path in &paths {
        let mesh = ply::read_mesh(&fs::read(path)?)?;
        if triangles.as_ref().is_some_and(|triangles| *triangles != mesh.triangles) {
            return Err("the frames have different triangles".into());
        }
        triangles = Some(mesh.triangles);
        frames.push(mesh.positions);
    }
    if frames.len() < 2 || frames.iter().any(|frame| frame.len() != frames[0].len()) {
        return Err("no two frames of the same mesh".into());
    }
    let body = Body::new(1, triangles.unwrap_or_default(), frames);
    Ok(SceneFile {
        name: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        scene: Scene::new("published", vec![body]),
        vertex_face: read_truth(&folder.join("truth_vf.csv"), Kind::VertexFace)?,
        edge_edge: read_truth(&folder.join("truth_ee.csv"), Kind::EdgeEdge)?,
    })
}

/// Rows of four vertices and whether the pair collides.
fn read_truth(path: &Path, kind: Kind) -> Result<BTreeSet<Pair>, Box<dyn Error>> {
    let mut pairs = BTreeSet::new();
    for (row, line) in fs::read_to_string(path)?.lines().enumerate() {
        let columns: Vec<u32> = line.split(',').map(str::parse).collect::<Result<_, _>>()?;
        match columns[..] {
            [a, b, c, d, 1] => pairs.insert(canonical(kind, [a, b, c, d])),
            [_, _, _, _, 0] => continue,
            _ => return Err(format!("{}: row {}: {line}", path.display(), row + 1).into()),
        };
    }
    Ok(pairs)
}

/// The pair, however its face or edges are turned and ordered.
pub fn canonical(kind: Kind, [a, b, c, d]: [u32; 4]) -> Pair {
    match kind {
        Kind::VertexFace => {
            let mut face = [b, c, d];
            face.sort_unstable();
            [a, face[0], face[1], face[2]]
        }
        Kind::EdgeEdge => {
            let mut edges = [[a.min(b), a.max(b)], [c.min(d), c.max(d)]];
            edges.sort_unstable();
            [edges[0][0], edges[0][1], edges[1][0], edges[1][1]]
        }
    }
}

/// The pairs of one kind among contacts within a mesh.
pub fn pairs_of(contacts: &[Contact], kind: Kind) -> BTreeSet<Pair> {
    contacts.iter().filter(|c| c.kind == kind).map(|c| canonical(kind, c.vertices)).collect()
}
