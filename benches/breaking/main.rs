//! What breaking costs: frames in which a wall, a shell and a sheet break, with hierarchies from scratch, by volume ratios, and by traversal costs and a grid (FASTCD paper, section 6);
//! builds by a grid against builds by medians; and how well traversal costs foretell tests.
//!
//! `cargo bench --bench breaking -- --only wall` (or `shell`, `sheet`, `builds`, `costs`) measures one part and keeps it in `target/breaking`; without `--only`, all of them. `--write-docs` makes
//! `docs/breaking.md` and its plot of what is kept there. `--plays N`, `--percent N`, `--frames N`, `--trees N` and `--placements N` change the sizes.

mod builds;
mod correlation;
#[path = "../deformation/machine.rs"]
mod machine;
mod models;
mod play;
#[path = "../deformation/plot.rs"]
mod plot;
mod scenes;

use play::{Frame, Show, WAYS, play_often};
use scenes::Scene;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// How large everything is.
struct Sizes {
    /// How often each scene is played: the time of a frame is the least.
    plays: usize,
    percent: usize,
    frames: usize,
    trees: usize,
    placements: usize,
    of_model: usize,
    of_build: usize,
}

/// Contacts for which room is made ahead: more than are ever found.
const ROOM: usize = 800_000;

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/breaking").join(name)
}

/// A row for each way to have the hierarchy, with cracks that are closed and open; of the usual way also on two threads, and with room for contacts that was made ahead. All of them find
/// the same contacts.
fn stability(scene: &Scene, sizes: &Sizes) -> (String, String) {
    let (mut rows, mut plotted) = (String::new(), Vec::new());
    let mut lines: Vec<(&str, Vec<f64>)> = Vec::new();
    for opens in [false, true] {
        let mut hashes: Option<Vec<u64>> = None;
        let usual = [(2, 0), (1, ROOM), (2, ROOM)].map(|(threads, room)| (&WAYS[1], threads, room));
        let ways = WAYS.iter().map(|way| (way, 1, 0)).chain(usual);
        for (way, threads, room) in ways {
            let Sizes { plays, percent, frames, .. } = *sizes;
            let show = Show { way, scene, percent, frames, threads, opens, room };
            let (frames, [bodies, triangles]) = play_often(plays, &show);
            let of_frames: Vec<u64> = frames.iter().map(|frame| frame.hash).collect();
            assert_eq!(
                *hashes.get_or_insert(of_frames.clone()),
                of_frames,
                "contacts depend on the hierarchy"
            );
            writeln!(
                rows,
                "| {}, to {bodies} bodies, {triangles} triangles | {} | {}{} | {threads} | {} |",
                scene.name,
                if opens { "open" } else { "closed" },
                way.name,
                if room > 0 { ", room made ahead" } else { "" },
                row(&frames)
            )
            .expect("a string takes everything");
            if opens && threads == 1 && room == 0 {
                // The first frame makes room for everything.
                lines.push((way.name, frames[1..].iter().map(|frame| frame.ms).collect()));
            }
        }
    }
    plotted.extend(lines.iter().map(|(name, values)| plot::Line { name, values }));
    let title = format!("A {} breaks, with open cracks", scene.name);
    (rows, plot::plot(&title, "frame", "ms per frame, one thread", &plotted))
}

/// Medians over all frames, and the longest of those in which something broke.
fn row(frames: &[Frame]) -> String {
    // The first frame makes room for everything. Where most frames break, those that do not are what a frame takes otherwise.
    let breaking = frames.iter().filter(|frame| frame.is_breaking).count();
    let calm: Vec<&Frame> =
        frames[1..].iter().filter(|it| 2 * breaking < frames.len() || !it.is_breaking).collect();
    let usual = median(calm.iter().map(|frame| frame.ms).collect());
    let contacts = median(calm.iter().map(|frame| frame.contacts as f64).collect());
    let longest = frames
        .iter()
        .filter(|frame| frame.is_breaking)
        .max_by(|a, b| a.ms.total_cmp(&b.ms))
        .copied()
        .unwrap_or_default();
    format!(
        "{usual:.1} | {contacts:.0} | {:.1} | {:.1} | {} | {:.2}",
        longest.ms,
        longest.ms_split,
        longest.contacts,
        longest.ms / usual
    )
}

const STABILITY_HEAD: &str = "| scene | cracks | hierarchy | threads | median frame ms | contacts | longest breaking frame ms | of which splits ms | contacts | longest / median |\n\
                              |---|---|---|---:|---:|---:|---:|---:|---:|---:|\n";

fn costs(sizes: &Sizes) -> String {
    let mut text = String::from("| model | triangles | TC_S | TC_I |\n|---|---:|---:|---:|\n");
    let correlations = correlation::measure(sizes.of_model, sizes.trees, sizes.placements);
    for it in &correlations {
        writeln!(text, "| {} | {} | {:.2} | {:.2} |", it.name, it.triangle_count, it.own, it.inter)
            .expect("a string takes everything");
    }
    let mean = |of: &dyn Fn(&correlation::Correlation) -> f64| {
        correlations.iter().map(of).sum::<f64>() / correlations.len() as f64
    };
    writeln!(text, "| **mean** | | {:.2} | {:.2} |", mean(&|it| it.own), mean(&|it| it.inter))
        .expect("a string takes everything");
    text
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let after = |name: &str| {
        let place = arguments.iter().position(|argument| argument == name)?;
        arguments.get(place + 1)
    };
    let value =
        |name: &str, default: usize| after(name).map_or(default, |text| text.parse().expect("a number"));
    // Without `--bench` this is a test of the benchmark itself.
    let is_bench = has("--bench");
    let [plays, percent, frames, trees, placements, of_model, of_build] =
        if is_bench { [3, 100, 80, 500, 5, 2000, 100_000] } else { [1, 2, 20, 5, 2, 300, 500] };
    let sizes = Sizes {
        plays: value("--plays", plays),
        percent: value("--percent", percent),
        frames: value("--frames", frames),
        trees: value("--trees", trees),
        placements: value("--placements", placements),
        of_model,
        of_build,
    };
    let keep = |name: &str, text: &str| {
        println!("{text}");
        if is_bench {
            fs::create_dir_all(kept("")).expect("a folder can be made");
            fs::write(kept(name), text).expect("results can be written");
        }
    };
    let is_wanted = |name: &str| after("--only").map_or(!has("--write-docs"), |only| only == name);
    for scene in scenes::ALL.iter().filter(|scene| is_wanted(scene.name)) {
        let (rows, plot) = stability(scene, &sizes);
        print!("{STABILITY_HEAD}");
        keep(scene.name, &rows);
        if is_bench {
            fs::write(kept(&format!("{}.svg", scene.name)), plot).expect("results can be written");
        }
    }
    if is_wanted("builds") {
        keep("builds", &builds::table(sizes.of_build, &[0, 512, 128]));
    }
    if is_wanted("costs") {
        keep("costs", &costs(&sizes));
    }
    if has("--write-docs") {
        write_docs(&sizes);
    }
}

/// Of what is kept.
fn write_docs(sizes: &Sizes) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let read = |name: &str| {
        fs::read_to_string(kept(name)).unwrap_or_else(|_| panic!("{name} was not measured: --only {name}"))
    };
    let stability: String = scenes::ALL.iter().map(|scene| read(scene.name)).collect();
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/breaking/page.md"))
        .expect("the page is there")
        .replace("{stability}", &format!("{STABILITY_HEAD}{stability}"))
        .replace("{builds}", &read("builds"))
        .replace("{costs}", &read("costs"))
        .replace("{plays}", &sizes.plays.to_string())
        .replace("{frames}", &sizes.frames.to_string())
        .replace("{trees}", &sizes.trees.to_string())
        .replace("{machine}", &machine::machine())
        .replace("{date}", &machine::date())
        .replace("{placements}", &sizes.placements.to_string());
    for scene in &scenes::ALL {
        fs::copy(kept(&format!("{}.svg", scene.name)), folder.join(format!("breaking-{}.svg", scene.name)))
            .expect("docs can be written");
    }
    fs::write(folder.join("breaking.md"), page).expect("docs can be written");
}
