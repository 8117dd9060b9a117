//! Discrete queries: k and height of meshes beside what the kDet paper tells of its scenes, and how the time grows with the number of triangles, with the grid and with the hierarchy.
//!
//! ```text
//! cargo bench --bench discrete -- [--most 1000000] [--repeat 5] [--write-docs]
//! ```
//! `--write-docs` writes `docs/discrete.md` and its plots. Meshes of the table that come from files are left out if there are none (`PCCD_DATA`).

#[path = "../deformation/arguments.rs"]
mod arguments;
mod docs;
mod growth;
mod layout;
#[path = "../deformation/machine.rs"]
mod machine;
#[path = "../../tests/support/models.rs"]
#[allow(dead_code)]
mod models;
#[path = "../deformation/plot.rs"]
#[allow(dead_code)]
mod plot;
#[path = "../../tests/support/ply.rs"]
#[allow(dead_code)]
mod ply;
mod table;

use arguments::Arguments;
use models::Model;
use pccd::memory::{Memory, MemoryError};
use pccd::mesh::{Mesh, MeshSettings};
use pccd::schedule::{Crew, Pool};
use std::error::Error;
use std::num::NonZeroUsize;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::new();
    let (has, value) = (|name| arguments.has(name), |name, default| arguments.value(name, default));
    // Without `--bench` this is a test of the benchmark itself.
    let is_short = !has("--bench");
    let [most, repeat] = if is_short { [20_000, 1] } else { [1_000_000, 5] };
    let (most, repeat) = (value("--most", most)?, value("--repeat", repeat)?);
    let failed = |error: MemoryError| format!("no memory: {error}");
    let growth = growth::measure(most, repeat).map_err(failed)?;
    println!("{}\n", docs::growth_table(&growth));
    let rows = table::measure(is_short).map_err(failed)?;
    println!("{}", docs::k_table(&rows));
    let layouts: Vec<_> = [most / 10_000, most / 1000]
        .map(|spheres| layout::measure(&models::spheres(spheres.max(1), 3), repeat))
        .into();
    println!("{}", docs::layout_table(&layouts));
    if has("--write-docs") {
        docs::write(&growth, &rows, &layouts, repeat)?;
    }
    Ok(())
}

fn crew(workers: usize) -> Crew {
    let workers = NonZeroUsize::new(workers).expect("at least one");
    Crew::Pool(Pool::new(workers).expect("threads can be started"))
}

fn mesh_of(memory: &Memory, model: &Model) -> Result<Mesh, MemoryError> {
    let settings = MeshSettings { thickness: 0.0, category: 1, mask: u64::MAX, self_collision: true };
    let Model { points, triangles } = model;
    Mesh::new(memory, settings, points.len(), &|i| points[i], triangles.len(), &|i| triangles[i])
}
