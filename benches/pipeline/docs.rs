//! The results as a page with plots.

use super::compare::Compared;
use super::kept::all;
use super::machine::{date, machine};
use super::plot::{Line, plot};
use super::predict::{CORES, Prediction};
use super::scenes::{self, Scene};
use std::fmt::Write;
use std::fs::write as write_file;
use std::io;
use std::path::{Path, PathBuf};

pub const HEADER: &str = "| scene | steps | candidates | pairs | points | boxes | broad | narrow | order | one thread, ms | sequential, ms | simultaneous, ms | against one | against sequential | least of a step |\n\
     |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";

/// That of the peer's program.
const PEER_HEADER: &str = include_str!("../peers/pipeline/header.md");

pub fn row(scene: &Scene, simulated: usize, compared: &Compared) -> String {
    let moving = scene.bodies.iter().filter(|body| body.mass > 0.0).count();
    let steps = compared.steps.max(1) as f64;
    let mean = |x: u64| x as f64 / steps;
    let [one, sequential, simultaneous] = compared.total.map(|ms| ms / steps);
    let [boxes, broad, narrow, order] = compared.parts.map(|ms| ms / steps);
    format!(
        "| {moving} {} | {} of {simulated} | {:.0} | {:.0} | {:.0} | {boxes:.2} | {broad:.2} | {narrow:.2} | {order:.2} | {one:.2} | {sequential:.2} | {simultaneous:.2} | {:.2} | {:.2} | {:.2} |\n",
        scene.name,
        compared.steps,
        mean(compared.candidates),
        mean(compared.pairs),
        mean(compared.points),
        one / simultaneous,
        sequential / simultaneous,
        compared.ratios.iter().copied().fold(f64::INFINITY, f64::min)
    )
}

pub fn predict_header() -> String {
    let mut text = String::from("| scene, ms per step | one core | one phase after the other |");
    for split in 1..CORES {
        write!(text, " {split}-{} |", CORES - split).expect("a string takes everything");
    }
    text += " dynamic | dynamic, who is idle helps |\n|---|";
    text += &"---:|".repeat(CORES + 3);
    text.push('\n');
    text
}

/// How long a whole simulation takes, by the way its threads are divided.
pub fn predicted(it: &Prediction) -> String {
    let mean = |times: &[f64]| 1e3 * times.iter().sum::<f64>() / times.len().max(1) as f64;
    let mut text = format!("| {} | {:.2} | {:.2} |", it.name, mean(&it.one), mean(&it.sequential));
    for times in it.fixed.iter().chain([&it.dynamic, &it.helping]) {
        write!(text, " {:.2} |", mean(times)).expect("a string takes everything");
    }
    text.push('\n');
    text
}

/// The fixed splits with the least and with the largest sum.
fn extremes(it: &Prediction) -> [usize; 2] {
    let sum = |split: &usize| it.fixed[*split].iter().sum::<f64>();
    let by_sum = |a: &usize, b: &usize| sum(a).total_cmp(&sum(b));
    let best = (0..it.fixed.len()).min_by(by_sum).unwrap_or(0);
    [best, (0..it.fixed.len()).max_by(by_sum).unwrap_or(0)]
}

/// Writes the page from all that is kept.
pub fn write_page() -> io::Result<()> {
    let names = scenes::ALL.map(|(name, ..)| name);
    let mut text = String::from(
        "# The collision pipeline\n\n\
         Rigid objects through a broad and a narrow phase, after Avril, Gouranton and Arnaldi (2010).\n",
    );
    let compared = all("compare", &names);
    if !compared.is_empty() {
        write!(
            text,
            "\n## Both phases at once, against one after the other\n\n\
             Scenes of the paper, one of many boxes that hardly touch, and one of such boxes beside two large meshes that are stuck in each other (*debris*): there a single pair is most of the narrow phase. Steps of a simulation are measured, so many of how many, in all ways in turn, each seven times or, if they are short, up to a hundred times, of which the fastest counts; means over these \
             steps. All\nways give the same results, bit for bit; the benchmark fails if not. *Sequential:* first the broad phase on two threads, then the narrow one on two. *Simultaneous:* both at once, who is idle helps. Boxes \
             (and putting them into columns), broad,\nnarrow and order (of the results) are the parts of a step on one thread, in milliseconds. *Least of a step:* against sequential, where simultaneous does worst.\n\n{HEADER}{compared}"
        )
        .expect("a string takes everything");
    }
    let peer = all("parry", &names);
    if !peer.is_empty() {
        write!(
            text,
            "\n## Against parry3d\n\n\
             Scenes through parry3d's tree of boxes and its contact manifolds, too (`benches/peers/pipeline.sh`; what is measured: `benches/peers/README.md`).\n\n{PEER_HEADER}{peer}"
        )
        .expect("a string takes everything");
    }
    let limits = all("limit", &["all"]);
    if !limits.is_empty() {
        write!(
            text,
            "\n## All pairs or sorting\n\n\
             Both broad phases on clouds of boxes, on one thread, with setting the boxes. `PCCD_BROAD_AUTO` goes over to sorting above {} objects.\n\n{limits}",
            pccd::pipeline::sweep::BRUTE_FORCE_LIMIT
        )
        .expect("a string takes everything");
    }
    let predicted = all("predict", &names);
    if !predicted.is_empty() {
        write!(
            text,
            "\n## Eight cores: a prediction\n\n\
             Things that fall and then lie in a heap, with the brute force of the paper, as in its figures 6 and 7. One thread does the work, and every task is timed (the fastest of three); simulated \
             cores then\ntake these tasks by the rules of the library. A sleeping thread runs after {} µs, which was measured. This knows nothing of memory bandwidth, or of clocks that slow down when all cores work. *X-Y:* X \
             threads stay with the broad\nphase while it lasts, and then go over to the narrow one, where Y are from the beginning. *Dynamic:* the library's balance moves threads, by the times it would measure; they stay, too. The last column is what the library does by \
             default.\n\n{}{predicted}\n{}",
            all("wake", &["all"]),
            predict_header(),
            all("plots", &names)
        )
        .expect("a string takes everything");
    }
    write!(
        text,
        "\nMeasured on {}, {}. To repeat: `cargo bench --bench pipeline -- --write-docs`.\n",
        machine(),
        date()
    )
    .expect("a string takes everything");
    write_file(folder().join("pipeline.md"), text)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

/// Writes the plots of a prediction, and returns what shows them.
pub fn plots(it: &Prediction) -> io::Result<String> {
    let folder = folder();
    let file = it.name.split(' ').next_back().unwrap_or("scene");
    let numbers = |splits: &[usize]| splits.iter().map(|&split| split as f64).collect::<Vec<_>>();
    let (chosen, best) = (numbers(&it.chosen), numbers(&it.best));
    let lines = [
        Line { name: "best at this step", values: &best },
        Line { name: "chosen by the balance", values: &chosen },
    ];
    let title = format!("Threads of the broad phase, of {CORES}: {} (predicted)", it.name);
    write_file(folder.join(format!("pipeline-split-{file}.svg")), plot(&title, "step", "threads", &lines))?;
    let ms = |times: &[f64]| times.iter().map(|time| 1e3 * time).collect::<Vec<_>>();
    let [least, most] = extremes(it);
    let name = |split: usize, what: &str| format!("{}-{}, {what} fixed", split + 1, CORES - split - 1);
    let names = [name(most, "slowest"), name(least, "fastest")];
    let values = [ms(&it.fixed[most]), ms(&it.fixed[least]), ms(&it.dynamic)];
    let lines = [
        Line { name: &names[0], values: &values[0] },
        Line { name: &names[1], values: &values[1] },
        Line { name: "dynamic", values: &values[2] },
    ];
    let title = format!("Both phases on {CORES} cores: {} (predicted)", it.name);
    write_file(folder.join(format!("pipeline-time-{file}.svg")), plot(&title, "step", "ms", &lines))?;
    Ok(format!(
        "![{0} split](pipeline-split-{file}.svg)\n\n![{0} time](pipeline-time-{file}.svg)\n\n",
        it.name
    ))
}
