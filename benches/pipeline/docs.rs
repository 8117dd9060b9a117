//! The results as a page with plots.

use super::compare::Compared;
use super::machine::{date, machine};
use super::plot::{Line, plot};
use super::predict::{CORES, Prediction};
use std::fmt::Write;
use std::fs::write as write_file;
use std::io;
use std::path::Path;

pub const HEADER: &str = "| scene | candidates | pairs | points | boxes | broad | narrow | order | one thread, ms | sequential, ms | simultaneous, ms | against one | against sequential | least of a step |\n\
     |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";

pub fn row(name: &str, compared: &Compared) -> String {
    let steps = compared.steps.max(1) as f64;
    let mean = |x: u64| x as f64 / steps;
    let [one, sequential, simultaneous] = compared.total.map(|ms| ms / steps);
    let [boxes, broad, narrow, order] = compared.parts.map(|ms| ms / steps);
    format!(
        "| {name} | {:.0} | {:.0} | {:.0} | {boxes:.2} | {broad:.2} | {narrow:.2} | {order:.2} | {one:.2} | {sequential:.2} | {simultaneous:.2} | {:.2} | {:.2} | {:.2} |\n",
        mean(compared.candidates),
        mean(compared.pairs),
        mean(compared.points),
        one / simultaneous,
        sequential / simultaneous,
        compared.ratios.iter().copied().fold(f64::INFINITY, f64::min)
    )
}

/// How long a whole simulation takes, by the way its threads are divided.
pub fn predicted(predictions: &[Prediction]) -> String {
    let mut text = String::from("| scene, ms per step | one core | one phase after the other |");
    for split in 1..CORES {
        write!(text, " {split}-{} |", CORES - split).expect("a string takes everything");
    }
    text += " dynamic | dynamic, who is idle helps |\n|---|";
    text += &"---:|".repeat(CORES + 3);
    text.push('\n');
    for it in predictions {
        let mean = |times: &[f64]| 1e3 * times.iter().sum::<f64>() / times.len().max(1) as f64;
        write!(text, "| {} | {:.2} | {:.2} |", it.name, mean(&it.one), mean(&it.sequential))
            .expect("a string takes everything");
        for times in it.fixed.iter().chain([&it.dynamic, &it.helping]) {
            write!(text, " {:.2} |", mean(times)).expect("a string takes everything");
        }
        text.push('\n');
    }
    text
}

/// The fixed splits with the least and with the largest sum.
fn extremes(it: &Prediction) -> [usize; 2] {
    let sum = |split: &usize| it.fixed[*split].iter().sum::<f64>();
    let by_sum = |a: &usize, b: &usize| sum(a).total_cmp(&sum(b));
    let best = (0..it.fixed.len()).min_by(by_sum).unwrap_or(0);
    [best, (0..it.fixed.len()).max_by(by_sum).unwrap_or(0)]
}

/// What was done; what was not is empty.
#[derive(Default)]
pub struct Page {
    pub compared: String,
    pub limits: String,
    pub predictions: Vec<Prediction>,
    /// Seconds until a sleeping thread runs.
    pub wake: f64,
}

impl Page {
    /// Writes the page and its plots.
    pub fn write(&self) -> io::Result<()> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
        let mut text = String::from(
            "# The collision pipeline\n\n\
             Rigid objects through a broad and a narrow phase, after Avril, Gouranton and Arnaldi (2010).\n",
        );
        if !self.compared.is_empty() {
            text += "\n## Both phases at once, against one after the other\n\n\
                 Scenes of the paper, and one of many boxes that hardly touch. Every twentieth step of a simulation is measured, in all ways in turn, the fastest of seven times each; means over these \
                 steps. All\nways give the same results, bit for bit; the benchmark fails if not. *Sequential:* first the broad phase on two threads, then the narrow one on two. *Simultaneous:* both at once, who is idle helps. Boxes \
                 (with sorting), broad,\nnarrow and order (of the results) are the parts of a step on one thread, in milliseconds.\n\n";
            text += &self.compared;
        }
        if !self.limits.is_empty() {
            write!(
                text,
                "\n## All pairs or sorting\n\n\
                 Both broad phases on clouds of boxes, on one thread, with setting the boxes. `PCCD_BROAD_AUTO` goes over to sorting above {} objects.\n\n{}",
                pccd::pipeline::sweep::BRUTE_FORCE_LIMIT, self.limits
            )
            .expect("a string takes everything");
        }
        if !self.predictions.is_empty() {
            write!(
                text,
                "\n## Eight cores: a prediction\n\n\
                 Things that fall and then lie in a heap, with the brute force of the paper, as in its figures 6 and 7. One thread does the work, and every task is timed (the fastest of three); simulated \
                 cores then\ntake these tasks by the rules of the library. A sleeping thread runs after {:.0} µs, which was measured. This knows nothing of memory bandwidth, or of clocks that slow down when all cores work. *X-Y:* X \
                 threads stay with the broad\nphase and Y with the narrow one while it lasts. *Dynamic:* the library's balance moves threads, by the times it would measure; they stay, too. The last column is what the library does by \
                 default.\n\n{}\n",
                1e6 * self.wake,
                predicted(&self.predictions)
            )
            .expect("a string takes everything");
            for prediction in &self.predictions {
                text += &plots(prediction, &folder)?;
            }
        }
        write!(
            text,
            "\nMeasured on {}, {}. To repeat: `cargo bench --bench pipeline -- --write-docs`.\n",
            machine(),
            date()
        )
        .expect("a string takes everything");
        write_file(folder.join("pipeline.md"), text)
    }
}

/// Writes the plots of a prediction, and returns what shows them.
fn plots(it: &Prediction, folder: &Path) -> io::Result<String> {
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
