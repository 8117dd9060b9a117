//! The results as a table, and as a page with a plot.

use super::machine::{date, machine};
use super::plot::{Line, plot};
use super::{Plan, Result, WAYS};
use std::fs::write as write_file;
use std::io;
use std::path::Path;

/// In Markdown, which can be read on a terminal, too.
pub fn table(results: &[Result; 3]) -> String {
    let mut text = format!(
        "| {:<24} | {:>8} | {:>8} | {:>9} | {:>13} | {:>13} | {:>12} |\n",
        "hierarchy", "mean ms", "worst ms", "total ms", "trees rebuilt", "nodes rebuilt", "contacts"
    );
    text += "|--------------------------|---------:|---------:|----------:|--------------:|--------------:|-------------:|\n";
    for (way, result) in WAYS.iter().zip(results) {
        text += &format!(
            "| {:<24} | {:>8.3} | {:>8.3} | {:>9.1} | {:>13} | {:>13} | {:>12} |\n",
            way.name,
            result.mean(),
            result.worst(),
            result.total(),
            result.tree_rebuild_count,
            result.node_rebuild_count,
            result.contact_count
        );
    }
    text
}

/// Writes the page and its plot.
pub fn write(plan: &Plan, results: &[Result; 3]) -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let lines: Vec<Line<'_>> = WAYS
        .iter()
        .zip(results)
        .map(|(way, result)| Line { name: way.name, values: &result.frames })
        .collect();
    let title = format!("A sheet of {} triangles is wrung and folded", plan.triangle_count);
    write_file(folder.join("deformation.svg"), plot(&title, "frame", "ms per frame, one thread", &lines))?;
    write_file(folder.join("deformation.md"), page(plan, results))
}

fn page(plan: &Plan, results: &[Result; 3]) -> String {
    let Plan { triangle_count, frame_count, pass_count } = plan;
    format!(
        "# Drastic deformation\n\n\
         A flat sheet of {triangle_count} triangles is wrung, its middle turned against its rim, and folded, over {frame_count} frames. \
         Patches that were compact\nwhen the hierarchy was built become long spirals. Three ways to deal with that:\n\n\
         - *Refit only:* new boxes in the old order.\n\
         - *Lazy rebuilds:* a node that is visited and culls badly is rebuilt (PCCD paper, section 6.2; `volume_ratio` 0.9).\n\
         - *Full rebuild every frame:* the best tree there is, at a price. Its time includes the refit that comes before.\n\n\
         ![Time per frame](deformation.svg)\n\n{}\n\
         The time of a frame is that of the update of the hierarchy and of finding all contacts; moving the mesh is not in it. One thread, the \
         fastest of {pass_count}\npasses. All three find the same contacts, bit for bit; the benchmark fails if not.\n\n\
         Measured on {}, {}. To repeat: `cargo bench --bench deformation -- --write-docs`.\n",
        table(results),
        machine(),
        date()
    )
}
