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

/// Writes the page and its plots.
pub fn write(compared: &str, limits: &str, predictions: &[Prediction], wake: f64) -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let mut plots = String::new();
    for it in predictions {
        let file = it.name.split(' ').next_back().unwrap_or("scene");
        let numbers = |splits: &[usize]| splits.iter().map(|&split| split as f64).collect::<Vec<_>>();
        let (chosen, best) = (numbers(&it.chosen), numbers(&it.best));
        let lines = [
            Line { name: "best at this step", values: &best },
            Line { name: "chosen by the balance", values: &chosen },
        ];
        let title = format!("Threads of the broad phase, of {CORES}: {} (predicted)", it.name);
        write_file(
            folder.join(format!("pipeline-split-{file}.svg")),
            plot(&title, "step", "threads", &lines),
        )?;
        let ms = |times: &[f64]| times.iter().map(|time| 1e3 * time).collect::<Vec<_>>();
        let [least, most] = extremes(it);
        let name = |split: usize, what: &str| {
            format!("{}-{}, the {what} of all fixed", split + 1, CORES - split - 1)
        };
        let names = [name(most, "slowest"), name(least, "fastest")];
        let values = [ms(&it.fixed[most]), ms(&it.fixed[least]), ms(&it.dynamic)];
        let lines = [
            Line { name: &names[0], values: &values[0] },
            Line { name: &names[1], values: &values[1] },
            Line { name: "dynamic", values: &values[2] },
        ];
        let title = format!("Both phases on {CORES} cores: {} (predicted)", it.name);
        write_file(folder.join(format!("pipeline-time-{file}.svg")), plot(&title, "step", "ms", &lines))?;
        write!(
            plots,
            "![{} split](pipeline-split-{file}.svg)\n\n![{} time](pipeline-time-{file}.svg)\n\n",
            it.name, it.name
        )
        .expect("a string takes everything");
    }
    let page = format!(
        "# The collision pipeline\n\n\
         Rigid objects through a broad and a narrow phase, after Avril, Gouranton and Arnaldi (2010). Scenes of that paper, and one of many boxes that hardly touch; every twentieth step of a \
         simulation is\nmeasured, in all ways in turn, the fastest of seven times each; means over these steps. All ways give the same results, bit for bit; the benchmark fails if not.\n\n\
         ## Both phases at once, against one after the other\n\n\
         *Sequential:* first the broad phase on two threads, then the narrow one on two. *Simultaneous:* both at once, who is idle helps. Boxes (with sorting), broad, narrow and order (of the results) \
         are the parts\nof a step on one thread, in milliseconds.\n\n{compared}\n\
         ## All pairs or sorting\n\n\
         Both broad phases on clouds of boxes, on one thread, with setting the boxes. `PCCD_BROAD_AUTO` goes over to sorting above {} objects.\n\n{limits}\n\
         ## Eight cores: a prediction\n\n\
         Things that fall and then lie in a heap, with the brute force of the paper, as in its figures 6 and 7. One thread does the work, and every task is timed (the fastest of three); simulated cores \
         then take\nthese tasks by the rules of the library. A sleeping thread runs after {:.0} µs, which was measured. It knows nothing of memory bandwidth, or of clocks that slow down when all cores work. *X-Y:* X threads stay with the \
         broad phase and Y with the\nnarrow one while it lasts. *Dynamic:* the library's balance moves threads, with the times it would measure. The last column is what the library does by default.\n\n{}\n{plots}\
         Measured on {}, {}. To repeat: `cargo bench --bench pipeline -- --write-docs`.\n",
        pccd::pipeline::sweep::BRUTE_FORCE_LIMIT,
        1e6 * wake,
        predicted(predictions),
        machine(),
        date()
    );
    write_file(folder.join("pipeline.md"), page)
}
