//! The elementary tests against the textbook method: one thread, the same queries, in one run.
//!
//! `cargo bench --bench elementary` runs criterion and then prints the summary;
//! `cargo bench --bench elementary -- --summary` prints the summary only.

#[path = "baseline/textbook.rs"]
mod textbook;

mod support;

use criterion::{Criterion, SamplingMode, Throughput};
use std::error::Error;
use std::time::Duration;
use support::inputs::{self, Input};
use support::measure::{Method, Runner};
use support::query_files::{QuerySet, data_folder};
use support::summary::{Target, print_group};

/// Inputs of one sort, and what the library has to achieve with them.
struct Group {
    title: &'static str,
    inputs: Vec<Input>,
    target: Target,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let given = |name: &str| arguments.iter().any(|argument| argument == name);

    let Some(data) = data_folder() else {
        println!("SKIPPED: no ground truth; set PCCD_DATA to its folder");
        return Ok(());
    };
    let groups = [
        Group { title: "candidates", inputs: inputs::candidates(&data)?, target: Target::Ratio(1.0 / 3.0) },
        Group { title: "all hits", inputs: inputs::all_hits(&data)?, target: Target::Ratio(3.0) },
        Group {
            title: "handcrafted",
            inputs: inputs::handcrafted(&data)?,
            target: Target::MeanAndWorst(2_000.0, 200_000.0),
        },
    ];

    if !given("--summary") {
        let mut criterion = Criterion::default()
            .sample_size(10)
            .warm_up_time(Duration::from_millis(300))
            .measurement_time(Duration::from_secs(1))
            .configure_from_args();
        for group in &groups {
            bench_group(&mut criterion, group);
        }
        criterion.final_summary();
    }
    // Cargo passes `--bench`; without it criterion runs everything once, as a test, and numbers are of no use.
    if given("--bench") && !given("--list") {
        println!("\none thread; ratio: time of the library over time of the textbook method");
        println!("the last two columns are wrong answers of the library");
        for group in &groups {
            print_group(group.title, &group.inputs, group.target);
        }
    }
    Ok(())
}

fn bench_group(criterion: &mut Criterion, group: &Group) {
    let everything = group.inputs.iter().flat_map(|input| &input.sets).collect();
    let mut cases: Vec<(&str, Vec<&QuerySet>)> = vec![("total", everything)];
    cases.extend(group.inputs.iter().map(|input| (input.name.as_str(), input.sets.iter().collect())));

    let mut runner = Runner::new();
    for (name, sets) in cases {
        let mut bench = criterion.benchmark_group(format!("{}/{name}", group.title));
        // The same number of runs in each sample: a run over all hits is too long for an increasing number.
        bench.sampling_mode(SamplingMode::Flat);
        bench.throughput(Throughput::Elements(sets.iter().map(|set| set.queries.len() as u64).sum()));
        for method in Method::all() {
            bench.bench_function(method.name(), |bencher| {
                bencher.iter(|| runner.run_sets(method, &sets));
            });
        }
        bench.finish();
    }
}
