//! The results as tables, and as a page with plots.

use super::growth::{self, Times};
use super::layout::Layouts;
use super::machine::{date, machine};
use super::plot::{Line, plot_over};
use super::table::{self, OTHERS};
use std::fs::write as write_file;
use std::io;
use std::path::Path;

const WAYS: [&str; 3] = ["grid", "hierarchy, refitted", "hierarchy, built anew"];

/// Milliseconds, the columns of a way.
fn columns([one, two]: &[Times; 2]) -> String {
    let split = |times: &Times| {
        format!("{:.2} = {:.2} + {:.2} + {:.2}", times.total, times.update, times.find, times.sort)
    };
    format!("{} | {}", split(one), split(two))
}

pub fn growth_table(rows: &[growth::Row]) -> String {
    let mut text = String::from("| triangles | pairs |");
    for way in WAYS {
        text += &format!(" {way}: total = update + find + sort, ms | two threads |");
    }
    text += &format!("\n|---:|---:|{}\n", "---|---|".repeat(3));
    for row in rows {
        let [grid, refitted, built] = [&row.grid, &row.refitted, &row.built].map(columns);
        text += &format!("| {} | {} | {grid} | {refitted} | {built} |\n", row.triangles, row.pairs);
    }
    text
}

/// How much the time of a triangle differs between the smallest and the largest size, by way.
fn growth_of_times(rows: &[growth::Row]) -> String {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return String::new() };
    let (before, after) = (first.nanoseconds(0), last.nanoseconds(0));
    let parts = |times: &dyn Fn(&growth::Row) -> f64| {
        let each = |row: &growth::Row| 1e6 * times(row) / row.triangles as f64;
        format!("{:.0} and {:.0} ns", each(first), each(last))
    };
    format!(
        "A triangle takes, with {} and with {} triangles: {:.0} and {:.0} ns by the grid ({} to populate it, {} to find pairs), {:.0} and {:.0} ns by a hierarchy that is refitted, {:.0} and {:.0} ns by one that is \
         built anew. ",
        first.triangles,
        last.triangles,
        before[0],
        after[0],
        parts(&|row| row.grid[0].update),
        parts(&|row| row.grid[0].find),
        before[1],
        after[1],
        before[2],
        after[2]
    )
}

/// Which way is the fastest at which sizes, in words.
fn winners(rows: &[growth::Row]) -> String {
    let mut text = String::new();
    for (way, others) in [(0, [1, 2]), (1, [0, 2]), (2, [0, 1])] {
        let is_fastest = |row: &&growth::Row| {
            let times = row.nanoseconds(0);
            others.iter().all(|&other| times[way] <= times[other])
        };
        let sizes: Vec<String> =
            rows.iter().filter(is_fastest).map(|row| row.triangles.to_string()).collect();
        if !sizes.is_empty() {
            text += &format!("Fastest with {} triangles: {}. ", sizes.join(", "), WAYS[way]);
        }
    }
    let ratio = |of: &dyn Fn(&growth::Row) -> f64| {
        let ratios: Vec<f64> = rows.iter().map(of).collect();
        let (least, most) = ratios.iter().fold((f64::INFINITY, 0.0f64), |(a, b), &x| (a.min(x), b.max(x)));
        format!("{least:.2} to {most:.2}")
    };
    text += &format!(
        "The grid takes {} times as long as a hierarchy that is refitted, and {} times as long as one that is built anew. ",
        ratio(&|row| row.grid[0].total / row.refitted[0].total),
        ratio(&|row| row.grid[0].total / row.built[0].total)
    );
    text + &format!(
        "Two threads are {} times as fast as one with the grid, {} times with a hierarchy that is refitted.",
        ratio(&|row| row.grid[0].total / row.grid[1].total),
        ratio(&|row| row.refitted[0].total / row.refitted[1].total)
    )
}

pub fn k_table(rows: &[table::Row]) -> String {
    let mut text = String::from(
        "| mesh | triangles | k mean (sd) | k max | from neighbours | height | pairs | bound 3nk | paper: polygons | k (sd) | height |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for row in rows {
        let summary = &row.summary;
        let published = row.published.map_or(" | | ".into(), |(_, thousands, k, deviation, height)| {
            format!("{thousands}k | {k:.1} ({deviation:.1}) | {height:.1}")
        });
        text += &format!(
            "| {} | {} | {:.1} ({:.1}) | {} | {:.0} % | {:.1} | {} | {} | {published} |\n",
            row.name,
            summary.triangle_count,
            summary.k_mean,
            summary.k_deviation,
            summary.k_max,
            100.0 * summary.neighbour_share,
            summary.height,
            row.pairs,
            summary.bound
        );
    }
    for (name, thousands, k, deviation, height) in OTHERS {
        text +=
            &format!("| *{name}* | | | | | | | | {thousands}k | {k:.1} ({deviation:.1}) | {height:.1} |\n");
    }
    text
}

pub fn layout_table(layouts: &[Layouts]) -> String {
    let mut text = String::from(
        "| triangles | entries | linked: populate + read | counted: populate + read |\n|---:|---:|---:|---:|\n",
    );
    for Layouts { triangles, entries, linked, counted } in layouts {
        text += &format!(
            "| {triangles} | {entries} | {:.2} + {:.2} | {:.2} + {:.2} |\n",
            linked.populate, linked.read, counted.populate, counted.read
        );
    }
    text
}

/// Writes the page and its plots.
pub fn write(
    growth: &[growth::Row],
    rows: &[table::Row],
    layouts: &[Layouts],
    repeat: usize,
) -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let names: Vec<String> = growth.iter().map(|row| format!("{}K", row.triangles / 1000)).collect();
    for (threads, file, y_label) in [
        (0, "discrete.svg", "ns per triangle, one thread"),
        (1, "discrete-two.svg", "ns per triangle, two threads"),
    ] {
        let of = |way: usize| growth.iter().map(|row| row.nanoseconds(threads)[way]).collect::<Vec<f64>>();
        let values = [0, 1, 2].map(of);
        let lines: Vec<Line<'_>> =
            WAYS.iter().zip(&values).map(|(name, values)| Line { name, values }).collect();
        let title = "Random spheres: intersecting pairs of triangles at one moment";
        write_file(folder.join(file), plot_over(title, "triangles", y_label, &names, &lines))?;
    }
    write_file(folder.join("discrete.md"), page(growth, rows, layouts, repeat))
}

fn page(growth: &[growth::Row], rows: &[table::Row], layouts: &[Layouts], repeat: usize) -> String {
    format!(
        "# Intersections at one moment\n\n\
         `PCCD_MODE_DISCRETE` finds them with a grid or with the hierarchy; `pccd_mesh_k_free` tells in advance what that can cost. Both follow Weller, Debowski and Zachmann, *kDet: Parallel\n\
         Constant Time Collision Detection for Polygonal Objects*, 2017.\n\n\
         ## Time over size\n\n\
         Random spheres of 1,280 triangles each, with as much room for each of them whatever their number: k is the same at every size, and so is the number of pairs a triangle is in. All triangles\n\
         move in every frame. Time is linear if a triangle takes as long in a large mesh as in a small one: lines that do not rise.\n\n\
         ![Time per triangle, one thread](discrete.svg)\n\n![Time per triangle, two threads](discrete-two.svg)\n\n{}\n\
         *Update* is the population of the grid (copying, counting and filling its cells), the refit of the hierarchy, or its build, which is done by one thread. *Find* goes through cells or boxes and decides pairs. The fastest of\n\
         {} runs, ways taking turns. All find the same pairs, bit for bit; the benchmark fails if not.\n\n\
         {}\n\n{}\n\n\
         What to choose: a hierarchy, if there is one or triangles are to be seen again. On surfaces like these it is the faster one even when it is built anew; what it takes to build grows a little faster than the number of triangles.\n\
         The grid takes as long for a triangle at any size, keeps nothing between frames, and its cost is bounded by k. Neither sizes that differ by many powers of two nor a large k suit it: `PCCD_METHOD_AUTO` leaves those to the hierarchy.\n\n\
         ## The table of the grid\n\n\
         The paper's buckets have room for a few entries, and are linked to further ones when they overflow. Ours are counted first, then filled: two passes, but all entries of a bucket are in a row. The same entries of random spheres,\n\
         buckets of six where they are linked, one thread, milliseconds:\n\n{}\n\
         ## k and height\n\n\
         A triangle is k-free if fewer than k others that are at least as large come within a quarter of its diameter. The table has the mean, standard deviation and maximum of the smallest k over all triangles; what share of the\n\
         larger ones that were counted share a vertex; and the height, log₂ of the largest diameter over the smallest. Pairs are those that intersect within the mesh, at the last frame of scenes. On the right is what\n\
         table 1 of the paper tells of the same scenes or, in italics, of others. Its deviations are over the frames of an animation, ours over triangles.\n\n{}\n\
         Ordinary surfaces have a small k at any size. Two huge triangles under a terrain change the height, and k hardly. The polyhedra of Chazelle (figure 1 of the paper) are made to have all edges of one set of\n\
         notches close to all of the other: their k grows with their size, and so the bound on intersecting pairs grows with its square. `tests/k_free.rs` asserts all of that.\n\n\
         Measured on {}, {}. To repeat: `cargo bench --bench discrete -- --write-docs`.\n",
        growth_table(growth),
        2 * repeat,
        growth_of_times(growth),
        winners(growth),
        layout_table(layouts),
        k_table(rows),
        machine(),
        date()
    )
}
