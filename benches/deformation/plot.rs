//! A plot as SVG, with colours that can be seen on white and on black.

use std::fmt::Write;

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 52.0;
/// As far from black as from white: text and axes.
const INK: &str = "#7a7a7a";
/// With dashes, for those who do not see the difference between the colours.
const STYLES: [(&str, &str); 3] = [("#d9602b", "none"), ("#2b8fd9", "none"), ("#3a9e4f", "6 3")];

pub struct Line<'a> {
    pub name: &'a str,
    pub values: &'a [f64],
}

/// Lines over frames, from 0 up.
pub fn plot(title: &str, x_label: &str, y_label: &str, lines: &[Line<'_>]) -> String {
    plot_over(title, x_label, y_label, &[], lines)
}

/// Lines over places that have names, if there are any.
pub fn plot_over(title: &str, x_label: &str, y_label: &str, names: &[String], lines: &[Line<'_>]) -> String {
    let count = lines.iter().map(|line| line.values.len()).max().unwrap_or(0).max(2);
    let highest = lines.iter().flat_map(|line| line.values).copied().fold(0.0, f64::max);
    let (x_step, y_step) = (step(count as f64), step(highest));
    let top = (highest / y_step).ceil().max(1.0) * y_step;
    let x = |frame: f64| LEFT + (WIDTH - LEFT - RIGHT) * frame / (count - 1) as f64;
    let y = |value: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\" \
         role=\"img\" aria-label=\"{title}\">\n"
    );
    let mut text = |place: [f64; 2], anchor: &str, more: &str, what: &str| {
        let [x, y] = place;
        writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{INK}\"{more}>{what}</text>"
        )
        .expect("a string takes everything");
    };
    text([LEFT, 22.0], "start", " font-size=\"15\" font-weight=\"bold\"", title);
    text([(LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12.0], "middle", "", x_label);
    let middle = (TOP + HEIGHT - BOTTOM) / 2.0;
    text([18.0, middle], "middle", &format!(" transform=\"rotate(-90 18 {middle})\""), y_label);
    let mut grid = String::new();
    let steps = |end: f64, step: f64| (0..=(end / step + 1e-9) as usize).map(move |i| i as f64 * step);
    for value in steps(top, y_step) {
        text([LEFT - 8.0, y(value) + 4.0], "end", "", &number(value));
        write!(grid, "M{LEFT:.1} {:.1}H{:.1}", y(value), WIDTH - RIGHT).expect("a string takes everything");
    }
    for (place, name) in names.iter().enumerate() {
        text([x(place as f64), HEIGHT - BOTTOM + 18.0], "middle", "", name);
    }
    for frame in steps((count - 1) as f64, x_step).filter(|_| names.is_empty()) {
        text([x(frame), HEIGHT - BOTTOM + 18.0], "middle", "", &number(frame));
    }
    for (i, line) in lines.iter().enumerate() {
        text([LEFT + 34.0 + 250.0 * i as f64, 46.0], "start", "", line.name);
    }
    let bottom = HEIGHT - BOTTOM;
    svg += &format!("<path d=\"{grid}\" stroke=\"{INK}\" stroke-opacity=\"0.25\" fill=\"none\"/>\n");
    svg +=
        &format!("<path d=\"M{LEFT} {TOP}V{bottom}H{}\" stroke=\"{INK}\" fill=\"none\"/>\n", WIDTH - RIGHT);
    for (i, line) in lines.iter().enumerate() {
        let (colour, dashes) = STYLES[i % STYLES.len()];
        let start = LEFT + 250.0 * i as f64;
        let mut points = String::new();
        for (frame, &value) in line.values.iter().enumerate() {
            write!(points, "{:.1},{:.1} ", x(frame as f64), y(value)).expect("a string takes everything");
        }
        let style =
            format!("stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\" fill=\"none\"");
        svg += &format!("<path d=\"M{start} 42h26\" {style}/>\n");
        svg += &format!("<polyline points=\"{}\" stroke-linejoin=\"round\" {style}/>\n", points.trim_end());
    }
    svg + "</svg>\n"
}

/// A round number of which four to ten make up the whole.
fn step(whole: f64) -> f64 {
    let power = 10f64.powf((whole.max(1e-9) / 4.0).log10().floor());
    [5.0, 2.0, 1.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|&step| 4.0 * step <= whole)
        .unwrap_or(power)
}

fn number(value: f64) -> String {
    let rounded = (value * 1e6).round() / 1e6;
    format!("{rounded}")
}
