//! The collision pipeline on the scenes of the paper, at full size.
//!
//! ```text
//! cargo bench --bench pipeline -- [--compare] [--limit] [--predict] [--write-docs] [--scene NAME] [--seconds N] [--every N]
//! ```
//! `--compare` simulates each scene and measures steps of it, the same one in all ways in turn: on one thread; both phases one after the other, each on two threads; and both at
//! once on two threads. The results must be the same, bit for bit. `--limit` compares the broad phases by the number of objects. `--predict` tells what would happen on eight cores. Without any of these
//! it does all. `--write-docs` writes what was done to `docs/pipeline.md`, with plots. Nothing else should run on the machine.

mod compare;
mod crossing;
mod docs;
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
    let names_parts = ["--compare", "--limit", "--predict"].into_iter().any(has);
    let does = |part: &str| has(part) || !names_parts;
    let is_wanted = |name: &str| text("--scene").is_none_or(|wanted| wanted == name);
    let mut page = docs::Page::default();
    if does("--compare") {
        print!("{}", docs::HEADER);
        page.compared = docs::HEADER.to_owned();
        for (name, count, seconds) in scenes::ALL {
            if !is_wanted(name) {
                continue;
            }
            let scene = scenes::build(name, if is_bench { count } else { count / 50 });
            let steps = if is_bench { 60 * number("--seconds", seconds) } else { every };
            let row = docs::row(scene.name, &compare::compare(&scene, steps, every));
            print!("{row}");
            page.compared += &row;
        }
    }
    if does("--limit") {
        page.limits = limit::table(if is_bench { 200 } else { 1 });
        println!("{}", page.limits);
    }
    if does("--predict") {
        page.wake = 1e-9 * wake::measure().1 as f64;
        for (name, count, seconds) in [("cubes", 3000, 8), ("tori", 500, 6)] {
            if !is_wanted(name) {
                continue;
            }
            let mut scene = scenes::build(name, if is_bench { count } else { count / 20 });
            predict::lift(&mut scene);
            let steps = if is_bench { 60 * number("--seconds", seconds) } else { 30 };
            page.predictions.push(predict::predict(&scene, steps, page.wake));
        }
        println!("{}", docs::predicted(&page.predictions));
    }
    if has("--write-docs") {
        page.write()?;
    }
    Ok(())
}
