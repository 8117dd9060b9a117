//! What the schedule would do on more cores than there are: a recorded run with one worker, replayed under the rules of the
//! library's assignment. Everything that comes out of it is a prediction.
//!
//! ```text
//! cargo bench --bench replay -- [options] NAME=RECORDS.csv[,TOTALS.csv] ...
//! ```
//! `RECORDS.csv` has the units of a run with one worker: `number,parent,phase,worker,weight,begin,end,kind`, times in nanoseconds since the
//! run began, the kind as its number, no parent as nothing. `TOTALS.csv` has times of alternating runs, `threads,ms`: the prediction for two
//! cores is compared with them. Without files a made-up run is replayed. Costs are measured with two threads: if another program keeps a
//! core busy, they are those of two threads on one core, which is wrong; name them then.
//!
//! | option | meaning | default |
//! |---|---|---|
//! | `--cores 1,2,4` | numbers of cores | 1,2,4,8,16,64 |
//! | `--request-us`, `--grant-us`, `--wake-us` | costs in microseconds | measured at the start |
//! | `--granules` | parts into which a unit can be cut | 16 |
//! | `--parts` | parts of refits and of sorting, per core | 2 |
//! | `--skew` | how uneven the pairs of a high-level node are | 1 |
//! | `--spin 1` | also runs the low-level units on two threads, spinning, to check the simulator | |
//! | `--write-example FILE` | writes the records of the made-up run, to see what a file looks like | |

mod costs;
mod csv;
mod example;
mod phase;
mod report;
mod simulate;
mod spin;
mod work;

use pccd::schedule::UnitRecord;
use report::{Scene, Settings};
use simulate::Rules;
use std::error::Error;
use std::fs::read_to_string;
use work::{Assumptions, Recording};

fn main() -> Result<(), Box<dyn Error>> {
    let mut settings = Settings {
        cores: vec![1, 2, 4, 8, 16, 64],
        rules: Rules::default(),
        costs: costs::measure(),
        assumptions: Assumptions::default(),
    };
    let mut scenes = Vec::new();
    let mut spinning = false;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--bench" {
            continue;
        }
        let Some(option) = argument.strip_prefix("--") else {
            scenes.push(argument);
            continue;
        };
        let value = arguments.next().ok_or_else(|| format!("{argument} needs a value"))?;
        if option == "spin" {
            spinning = value != "0";
            continue;
        }
        if option == "write-example" {
            std::fs::write(&value, csv::write_records(&example::records()))?;
            continue;
        }
        set(&mut settings, option, &value).map_err(|error| format!("{argument} {value}: {error}"))?;
    }
    settings.print();
    if scenes.is_empty() {
        let recording = Recording::new(&example::records())?;
        settings.print_scene(&Scene { name: "a made-up run", recording: &recording });
        if spinning {
            spin::compare(&settings, &recording)?;
        }
    }
    for argument in &scenes {
        let (name, files) = argument.split_once('=').ok_or_else(|| format!("{argument} is not NAME=FILE"))?;
        let (records, totals) = files.split_once(',').map_or((files, None), |(a, b)| (a, Some(b)));
        let recording = Recording::new(&record(records)?).map_err(|error| format!("{records}: {error}"))?;
        let scene = Scene { name, recording: &recording };
        settings.print_scene(&scene);
        if spinning {
            spin::compare(&settings, &recording)?;
        }
        if let Some(totals) = totals {
            let text = read_to_string(totals).map_err(|error| format!("{totals}: {error}"))?;
            let times = csv::read_totals(&text).map_err(|error| format!("{totals}: {error}"))?;
            settings.print_validation(&scene, &times);
        }
    }
    Ok(())
}

/// The units of a run with one worker.
fn record(scene: &str) -> Result<Vec<UnitRecord>, String> {
    let text = read_to_string(scene).map_err(|error| format!("{scene}: {error}"))?;
    csv::read_records(&text).map_err(|error| format!("{scene}: {error}"))
}

fn set(settings: &mut Settings, option: &str, value: &str) -> Result<(), Box<dyn Error>> {
    let nanoseconds = || value.parse().map(|microseconds: f64| (1e3 * microseconds) as u64);
    match option {
        "cores" => {
            settings.cores = value.split(',').map(str::parse).collect::<Result<_, _>>()?;
            if settings.cores.contains(&0) {
                return Err("there is at least one core".into());
            }
        }
        "request-us" => settings.costs.request = nanoseconds()?,
        "grant-us" => settings.costs.grant = nanoseconds()?,
        "wake-us" => settings.costs.wake = nanoseconds()?,
        "granules" => settings.rules.granules = value.parse()?,
        "parts" => settings.assumptions.parts_per_worker = value.parse()?,
        "skew" => settings.assumptions.skew = value.parse()?,
        _ => return Err("there is no such option".into()),
    }
    Ok(())
}
