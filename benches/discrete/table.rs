//! k and height of meshes.

use super::models::{self, Model};
use super::ply;
use super::{crew, mesh_of};
use pccd::kdet::{DiscreteQuery, DiscreteSettings, Summary, k_free};
use pccd::memory::{Buffer, Memory, MemoryError};
use pccd::simd::Level;
use std::fs;
use std::path::PathBuf;

/// Of a scene of the paper's table 1: its name, thousands of polygons, k, its deviation, and the height.
pub type Published = (&'static str, u32, f64, f64, f64);

/// Scenes of the paper that we do not have.
pub const OTHERS: [Published; 5] = [
    ("exploding dragon", 252, 8.4, 0.9, 7.8),
    ("chair, coarsest", 40, 19.0, 0.3, 10.7),
    ("chair, finest", 130, 21.3, 0.6, 11.8),
    ("breaking Buddha, finest", 120, 13.3, 1.8, 8.3),
    ("cloth on Buddha, finest", 250, 8.2, 0.6, 7.5),
];

pub struct Row {
    pub name: String,
    pub summary: Summary,
    pub pairs: u64,
    /// The same scene in the paper.
    pub published: Option<Published>,
}

/// With `is_short`, of small meshes only.
pub fn measure(is_short: bool) -> Result<Vec<Row>, MemoryError> {
    let mut rows = Vec::new();
    for (name, folder, published) in [
        ("cloth on ball (whirling cloth)", "cloth-ball", ("whirling cloth", 92, 6.6, 0.2, 3.4)),
        ("n-body", "n-body-simulation", ("n-body", 146, 9.7, 0.5, 4.4)),
        ("funnel", "cloth-funnel", ("funnel", 18, 9.5, 2.0, 6.7)),
    ] {
        match last_frame(folder).filter(|_| !is_short) {
            Some(model) => rows.push(row(name, &model, Some(published))?),
            None => eprintln!("{name} is left out"),
        }
    }
    let [spheres, side] = if is_short { [3, 20] } else { [100, 224] };
    let generated = [
        ("sphere", models::sphere(if is_short { 2 } else { 6 })),
        ("random spheres", models::spheres(spheres, 3)),
        ("cloth with wrinkles", models::cloth(side)),
        ("terrain", models::terrain(side)),
        ("terrain on two triangles", models::on_two_triangles(models::terrain(side), 1e6)),
        ("Chazelle polyhedron, 8 + 8 notches", models::chazelle(8)),
        ("Chazelle polyhedron, 32 + 32", models::chazelle(if is_short { 16 } else { 32 })),
        ("Chazelle polyhedron, 128 + 128", models::chazelle(if is_short { 32 } else { 128 })),
    ];
    for (name, model) in generated {
        rows.push(row(name, &model, None)?);
    }
    Ok(rows)
}

fn row(name: &str, model: &Model, published: Option<Published>) -> Result<Row, MemoryError> {
    let memory = Memory::new(None)?;
    let (mesh, crew) = (mesh_of(&memory, model)?, crew(2));
    let mut triangles = Buffer::new(memory.clone());
    let summary = k_free(&memory, &crew, [(1, &mesh)].into_iter(), None, &mut triangles)?;
    let mut query = DiscreteQuery::new(&memory, DiscreteSettings::default());
    query.run(&crew, Level::best(), [(1, &mesh)].into_iter(), None)?;
    Ok(Row { name: name.into(), summary, pairs: query.stats().intersections, published })
}

/// The last frame of a published scene, if it is there.
fn last_frame(folder: &str) -> Option<Model> {
    let data = std::env::var("PCCD_DATA").unwrap_or_else(|_| "../shared/data".into());
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(data);
    let mut frames: Vec<PathBuf> = fs::read_dir(root.join("scenes").join(folder).join("frames"))
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .collect();
    frames.sort();
    let mesh = ply::read_mesh(&fs::read(frames.last()?).ok()?).ok()?;
    Some(Model { points: mesh.positions, triangles: mesh.triangles })
}
