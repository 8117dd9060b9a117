//! What is run: the published scenes that resemble those of the paper, and a sheet whose deformation makes nodes bad.

use super::ply;
use super::sheet::Sheet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

pub type Point = [f64; 3];

/// One mesh, and its vertices in several frames.
pub struct Scene {
    pub name: String,
    pub triangles: Vec<[u32; 3]>,
    pub frames: Vec<Vec<Point>>,
    /// Steps from this one on count; the others lead up to it.
    pub first_step: usize,
    /// There is one step, and it leaves the hierarchy as it is: it can be repeated.
    pub is_still: bool,
}

/// Published scenes of which the paper has the like. None if the ground truth is not there.
const PUBLISHED: [&str; 2] = ["cloth-ball", "n-body-simulation"];

const SHEET_TRIANGLES: usize = 80_000;
const SHEET_FRAMES: usize = 26;
const SHEET_LAST_FRAME: f64 = 0.6;
const SHEET_STEPS: usize = 5;

fn data() -> PathBuf {
    match std::env::var_os("PCCD_DATA") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
    }
}

pub fn load() -> Result<Vec<Scene>, Box<dyn Error>> {
    let folder = data().join("scenes");
    let mut scenes = Vec::new();
    for name in PUBLISHED {
        let frames = folder.join(name).join("frames");
        if !frames.is_dir() {
            println!(
                "SKIPPED: there is no {}; PCCD_DATA names the folder of the ground truth",
                frames.display()
            );
            continue;
        }
        scenes.push(published(name, &frames).map_err(|error| format!("{}: {error}", frames.display()))?);
    }
    scenes.push(wrung_sheet());
    Ok(scenes)
}

fn published(name: &str, folder: &Path) -> Result<Scene, Box<dyn Error>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let meshes = paths.iter().map(|path| ply::read_mesh(&fs::read(path)?)).collect::<Result<Vec<_>, _>>()?;
    let [start, end, ..] = <[_; 2]>::try_from(meshes).map_err(|_| "there have to be two frames")?;
    if start.triangles != end.triangles || start.positions.len() != end.positions.len() {
        return Err("the frames are of different meshes".into());
    }
    let frames = vec![start.positions, end.positions];
    Ok(Scene { name: name.into(), triangles: start.triangles, frames, first_step: 0, is_still: true })
}

/// The sheet of `benches/deformation` on its way to being wrung and folded, in large steps: nodes become bad in each.
fn wrung_sheet() -> Scene {
    let sheet = Sheet::new(SHEET_TRIANGLES);
    let time = |frame: usize| SHEET_LAST_FRAME * frame as f64 / (SHEET_FRAMES - 1) as f64;
    let frames: Vec<Vec<Point>> = (0..SHEET_FRAMES).map(|frame| sheet.at(time(frame))).collect();
    let first_step = SHEET_FRAMES - 1 - SHEET_STEPS;
    Scene { name: "wrung sheet".into(), triangles: sheet.triangles, frames, first_step, is_still: false }
}
