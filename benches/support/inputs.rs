//! The three inputs: what a broad phase hands over, nothing but hits, and nasty handcrafted cases.

use super::query_files::{QuerySet, entries, read_binary, read_query_folder, read_scene_hits};
use pccd::elementary::Kind;
use std::error::Error;
use std::path::Path;

/// Queries that are measured together.
pub struct Input {
    pub name: String,
    pub sets: Vec<QuerySet>,
}

/// Pairs of which most don't collide, one input for each file.
pub fn candidates(data: &Path) -> Result<Vec<Input>, Box<dyn Error>> {
    let mut inputs = Vec::new();
    for path in entries(&data.join("candidates"))? {
        let Some(name) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
        let kind = match name {
            _ if name.ends_with("_ee") => Kind::EdgeEdge,
            _ if name.ends_with("_vf") => Kind::VertexFace,
            _ => continue,
        };
        inputs.push(Input { name: name.to_string(), sets: vec![read_binary(&path, kind)?] });
    }
    Ok(inputs)
}

/// Pairs that all collide: those of the simulated query files, and those between the frames of each scene.
pub fn all_hits(data: &Path) -> Result<Vec<Input>, Box<dyn Error>> {
    let mut inputs = Vec::new();
    for name in ["cloth-funnel", "n-body-simulation"] {
        let sets = read_query_folder(&data.join("queries").join(name))?;
        let sets = sets.into_iter().map(QuerySet::into_hits).collect();
        inputs.push(Input { name: format!("{name} queries"), sets });
    }
    for scene in entries(&data.join("scenes"))? {
        if scene.is_dir() {
            let sets = read_scene_hits(&scene).map_err(|error| format!("{}: {error}", scene.display()))?;
            inputs.push(Input { name: format!("{} scene", file_name(&scene)), sets });
        }
    }
    Ok(inputs)
}

/// Degenerate cases that people made up to break collision detection.
pub fn handcrafted(data: &Path) -> Result<Vec<Input>, Box<dyn Error>> {
    let mut inputs = Vec::new();
    for folder in entries(&data.join("queries"))? {
        let name = file_name(&folder);
        if folder.is_dir() && (name.starts_with("erleben-") || name == "unit-tests") {
            inputs.push(Input { sets: read_query_folder(&folder)?, name });
        }
    }
    Ok(inputs)
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
