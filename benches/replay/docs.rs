//! What came out, as a page with a plot.

use super::machine::{date, machine};
use super::report::{Measured, Scene, Settings, paper, variants};
use super::scenes;
use super::simulate::Costs;
use std::fmt::Write;
use std::fs::write as write_file;
use std::io;
use std::path::Path;

/// Tables are collected scene by scene.
pub struct Page {
    costs: Costs,
    /// A row for each scene.
    measured: String,
    /// A section for each scene.
    sections: String,
    /// For the plot: a scene, and its speed-ups by cores.
    lines: Vec<(String, Vec<(usize, f64)>)>,
}

impl Page {
    pub fn new(settings: &Settings) -> Page {
        Page { costs: settings.costs, measured: String::new(), sections: String::new(), lines: Vec::new() }
    }

    pub fn add(
        &mut self,
        settings: &Settings,
        scene: &scenes::Scene,
        shown: &Scene<'_>,
        measured: Option<Measured>,
    ) {
        let name = shown.name;
        let predicted = settings.speed_up(shown, 2, &settings.rules);
        if let Some(Measured { least: [one, two], median }) = measured {
            let (by_least, by_median) = (one / two, median[0] / median[1]);
            put(
                &mut self.measured,
                format_args!(
                    "| {name} | {one:.2} | {two:.2} | {by_least:.2} | {by_median:.2} | {predicted:.2} | {:+.1} % |\n",
                    100.0 * (predicted / by_median - 1.0)
                ),
            );
        }
        let steps = scene.frames.len() - 1 - scene.first_step;
        put(
            &mut self.sections,
            format_args!(
                "\n## {name}\n\n{} triangles{}.\n\n| cores | ms | speed-up | idle | {} |\n|---:|---:|---:|---:|{}\n",
                scene.triangles.len(),
                if steps > 1 { format!(", {steps} steps together") } else { String::new() },
                variants(&settings.rules)[1..].iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" | "),
                "---:|".repeat(variants(&settings.rules).len() - 1),
            ),
        );
        let mut points = Vec::new();
        for cores in settings.cores_of(shown) {
            let outcome = settings.predict(shown, cores, &settings.rules);
            let speed_up = settings.speed_up(shown, cores, &settings.rules);
            points.push((cores, speed_up));
            put(
                &mut self.sections,
                format_args!(
                    "| {cores} | {:.2} | {speed_up:.2} | {:.0} % |",
                    outcome.time as f64 / 1e6,
                    100.0 * outcome.idle()
                ),
            );
            for (_, rules) in &variants(&settings.rules)[1..] {
                put(&mut self.sections, format_args!(" {:.2} |", settings.speed_up(shown, cores, rules)));
            }
            self.sections.push('\n');
        }
        if let (Some(measured), Some((_, predicted))) =
            (paper(name), points.iter().find(|(cores, _)| *cores == 8))
        {
            put(
                &mut self.sections,
                format_args!(
                    "\nOn eight cores the paper measured {measured} for its scene of this kind, with its program on its machine; predicted here: {predicted:.1}.\n"
                ),
            );
        }
        self.lines.push((name.to_owned(), points));
    }

    /// Writes page and plot.
    pub fn write(&self) -> io::Result<()> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
        write_file(folder.join("scaling.svg"), plot(&self.lines))?;
        write_file(folder.join("scaling.md"), self.text())
    }

    fn text(&self) -> String {
        let Costs { request, grant, wake } = self.costs;
        let [request, grant, wake] = [request, grant, wake].map(|time| time as f64 / 1e3);
        format!(
            "# Scaling\n\n\
             How much faster runs become on more cores: measured on two, predicted for more.\n\n\
             ## Two threads against one\n\n\
             Whole runs, update of the hierarchy included, with one and with two threads in turn.\n\n\
             | scene | one thread, ms | two, ms | speed-up, shortest times | medians | predicted | deviation |\n\
             |---|---:|---:|---:|---:|---:|---:|\n{}\n\
             ## How the predictions are made\n\n\
             The benchmark opens a run for as many workers as there are to be cores, lets one thread do all of it, and records how long each unit of work takes and which \
             units come out of it; the shortest of several times counts. A simulated scheduler with the rules of the library (who is dealt what, who asks whom, what is given, when a unit is \
             split) then hands these units to so many cores. A request costs {request:.2} µs, a grant {grant:.2} µs, and a sleeping thread runs after {wake:.0} µs: measured at the same \
             time. It knows nothing of memory bandwidth, shared caches, or clocks that slow down when all cores work.\n\n\
             *Idle* is the share of all cores' time in which they do nothing. The other columns are the speed-up with one rule changed: *no dynamic*: everybody does what it was \
             dealt and no more (PCCD paper, 4.3 switched off); *no splitting*: a unit is never split; *rebuild lock*: one lock for all rebuilds of nodes; *share between*: \
             waiting units are given between two units only, as in the paper, not also in the middle of one; *one by one*: who asks gets one unit, as in the paper, not a \
             share of all that waits.\n\n\
             ![Predicted speed-up](scaling.svg)\n\
             {}\n\
             Measured on {}, {}. To repeat: `cargo bench --bench replay -- --write-docs`.\n",
            self.measured,
            self.sections,
            machine(),
            date()
        )
    }
}

fn put(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("a string takes everything");
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 56.0;
const BOTTOM: f64 = 48.0;
const TOP: f64 = 40.0;
const RIGHT: f64 = 150.0;
/// As far from black as from white: text and axes.
const INK: &str = "#7a7a7a";
const COLOURS: [&str; 4] = ["#d9602b", "#2b8fd9", "#3a9e4f", "#9a5fc4"];

/// Speed-ups over cores, both axes in powers of two.
fn plot(lines: &[(String, Vec<(usize, f64)>)]) -> String {
    let most = lines.iter().flat_map(|(_, points)| points).map(|point| point.0).max().unwrap_or(2).max(2);
    let powers = (most as f64).log2().ceil();
    let x = |cores: f64| LEFT + (WIDTH - LEFT - RIGHT) * cores.log2() / powers;
    let y = |speed_up: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * speed_up.max(1.0).log2() / powers;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\" role=\"img\" \
         aria-label=\"Predicted speed-up\">\n"
    );
    let text = |x: f64, y: f64, anchor: &str, colour: &str, what: &str| {
        format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{what}</text>\n")
    };
    svg += &text(LEFT, 22.0, "start", INK, "Predicted speed-up over cores");
    svg += &text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 10.0, "middle", INK, "cores");
    for power in 0..=powers as i32 {
        let number = 2f64.powi(power);
        svg += &text(x(number), HEIGHT - BOTTOM + 18.0, "middle", INK, &number.to_string());
        svg += &text(LEFT - 8.0, y(number) + 4.0, "end", INK, &number.to_string());
        put(
            &mut svg,
            format_args!(
                "<path d=\"M{LEFT} {0:.1}H{1:.1}M{2:.1} {TOP}V{3:.1}\" stroke=\"{INK}\" stroke-opacity=\"0.2\" fill=\"none\"/>\n",
                y(number),
                WIDTH - RIGHT,
                x(number),
                HEIGHT - BOTTOM
            ),
        );
    }
    let end = 2f64.powf(powers);
    put(
        &mut svg,
        format_args!(
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"{INK}\" stroke-dasharray=\"2 4\" fill=\"none\"/>\n",
            x(1.0),
            y(1.0),
            x(end),
            y(end)
        ),
    );
    svg += &text(x(end) + 8.0, y(end) + 4.0, "start", INK, "ideal");
    // Names beside the ends of the lines, apart from each other.
    let mut ends: Vec<(f64, &str, &str)> = Vec::new();
    for (i, (name, points)) in lines.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        let places: Vec<String> = points
            .iter()
            .map(|&(cores, speed_up)| format!("{:.1},{:.1}", x(cores as f64), y(speed_up)))
            .collect();
        put(
            &mut svg,
            format_args!(
                "<polyline points=\"{}\" stroke=\"{colour}\" stroke-width=\"2\" stroke-linejoin=\"round\" fill=\"none\"/>\n",
                places.join(" ")
            ),
        );
        for &(cores, speed_up) in points {
            put(
                &mut svg,
                format_args!(
                    "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"{colour}\"/>\n",
                    x(cores as f64),
                    y(speed_up)
                ),
            );
        }
        if let Some(&(_, speed_up)) = points.last() {
            ends.push((y(speed_up), name, colour));
        }
    }
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free = y(end) + 16.0;
    for (place, name, colour) in ends {
        let place = place.max(free);
        free = place + 16.0;
        svg += &text(WIDTH - RIGHT + 8.0, place + 4.0, "start", colour, name);
    }
    svg + "</svg>\n"
}
