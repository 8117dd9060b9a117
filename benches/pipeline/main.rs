//! The collision pipeline on the scenes of the paper, at full size.
//!
//! ```text
//! cargo bench --bench pipeline -- [--compare] [--limit] [--predict] [--write-docs] [--page] [--scene NAME] [--seconds N] [--every N]
//! ```
//! `--compare` simulates each scene and measures steps of it, the same one in all ways in turn: on one thread; both phases one after the other, each on two threads; and both at
//! once on two threads. The results must be the same, bit for bit. `--limit` compares the broad phases by the number of objects. `--predict` tells what would happen on eight cores. Without any of these
//! it does all. `--write-docs` writes `docs/pipeline.md`, with plots: what was done, and what calls with `--write-docs` before it did. So scenes can be measured one by one. `benches/peers/pipeline.sh`
//! adds its table in the same way. `--page` writes the page without measuring anything. Nothing else should run on the machine.

mod compare;
mod crossing;
mod docs;
mod kept;
mod limit;
#[path = "../deformation/machine.rs"]
mod machine;
#[path = "../deformation/plot.rs"]
mod plot;
mod predict;
mod scenes;
#[path = "../../tests/support/vector.rs"]
mod vector;
#[path = "../support/wake.rs"]
mod wake;
mod world;

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let text = |name: &str| {
        let place = arguments.iter().position(|argument| argument == name)?;
        Some(arguments.get(place + 1).unwrap_or_else(|| panic!("{name} needs a value")))
    };
    let number = |name: &str, default: usize| {
        text(name).map_or(default, |value| value.parse().unwrap_or_else(|_| panic!("{name} needs a number")))
    };
    // Without `--bench` this is a test of the benchmark itself.
    let is_bench = has("--bench");
    let every = number("--every", 20);
    let names_parts = ["--compare", "--limit", "--predict", "--page"].into_iter().any(has);
    let does = |part: &str| has(part) || !names_parts;
    let is_wanted = |name: &str| text("--scene").is_none_or(|wanted| wanted == name);
    let writes = has("--write-docs") || has("--page");
    let keep = |name: &str, lines: &str| if writes { kept::keep(name, lines) } else { Ok(()) };
    if does("--compare") {
        print!("{}", docs::HEADER);
        for (name, count, seconds) in scenes::ALL {
            if !is_wanted(name) {
                continue;
            }
            let scene = scenes::build(name, if is_bench { count } else { count / 50 });
            let steps = if is_bench { 60 * number("--seconds", seconds) } else { every };
            let row = docs::row(&scene, steps, &compare::compare(&scene, steps, every));
            print!("{row}");
            keep(&format!("compare-{name}"), &row)?;
        }
    }
    if does("--limit") {
        let limits = limit::table(if is_bench { 200 } else { 1 });
        println!("{limits}");
        keep("limit-all", &limits)?;
    }
    if does("--predict") {
        let wake = 1e-9 * wake::measure().1 as f64;
        print!("{}", docs::predict_header());
        for (name, count, seconds) in [("cubes", 3000, 8), ("tori", 500, 4)] {
            if !is_wanted(name) {
                continue;
            }
            let mut scene = scenes::build(name, if is_bench { count } else { count / 20 });
            predict::lift(&mut scene);
            let steps = if is_bench { 60 * number("--seconds", seconds) } else { 30 };
            let prediction = predict::predict(&scene, steps, wake);
            let row = docs::predicted(&prediction);
            print!("{row}");
            keep(&format!("predict-{name}"), &row)?;
            keep("wake-all", &format!("{:.0}", 1e6 * wake))?;
            if writes {
                keep(&format!("plots-{name}"), &docs::plots(&prediction)?)?;
            }
        }
    }
    if writes {
        docs::write_page()?;
    }
    Ok(())
}
