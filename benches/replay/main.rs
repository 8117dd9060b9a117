//! What the schedule would do on more cores than there are: recorded runs, replayed under the rules of the
//! library's assignment. Everything that comes out of it is a prediction, but for what is called measured.
//!
//! ```text
//! cargo bench --bench replay -- --scenes [--measure] [--write-docs]      real runs of the scenes below
//! cargo bench --bench replay -- [options] NAME=RECORDS.csv[,TOTALS.csv] ...
//! ```
//! `--scenes` takes two published scenes like those of the paper (in `PCCD_DATA`) and a sheet that deforms drastically. It does what each number of workers
//! would have to do with one thread, times every unit, and replays that. `--measure` also runs one and two threads in turn, and compares; `--write-docs` does both,
//! and writes `docs/scaling.md` and `.svg`. Nothing else should run on the machine.
//!
//! `RECORDS.csv` has the units of a run with one worker, as `examples_c/build/frames --threads 1 --trace FILE.csv` writes it: `number,parent,phase,worker,weight,begin,end,kind`,
//! times in nanoseconds since the run began, the kind as its number, no parent as nothing. What the run would be for more workers is worked out from it, and assumed where it
//! cannot be. `TOTALS.csv` has times of alternating runs, `threads,ms`: the prediction for two
//! cores is compared with them. Without files a made-up run is replayed. Costs are measured with two threads: if another program keeps a
//! core busy, they are those of two threads on one core, which is wrong; name them then.
//!
//! | option | meaning | default |
//! |---|---|---|
//! | `--cores 1,2,4` | numbers of cores | 1,2,4,8,16,64 |
//! | `--repeats`, `--rounds` | recordings, of which the shortest time of each unit counts; rounds of measuring | 7, 25 |
//! | `--request-us`, `--grant-us`, `--wake-us` | costs in microseconds | measured at the start |
//! | `--granules` | parts into which a unit can be cut, where that is not recorded | 16 |
//! | `--parts` | parts of refits and of sorting, per core (files only) | 2 |
//! | `--skew` | how uneven the pairs of a high-level node are (files only) | 1 |
//! | `--spin 1` | also runs the low-level units of a file on two threads, spinning, to check the simulator | |
//! | `--write-example FILE` | writes the records of the made-up run, to see what a file looks like | |

mod costs;
mod csv;
mod docs;
mod example;
#[path = "../deformation/machine.rs"]
mod machine;
mod phase;
#[allow(dead_code, reason = "the tests read more")]
#[path = "../../tests/support/ply.rs"]
mod ply;
mod record;
mod report;
mod scenes;
#[path = "../deformation/sheet.rs"]
mod sheet;
mod simulate;
mod spin;
mod work;

use docs::Page;
use pccd::schedule::UnitRecord;
use report::{Measured, Scene, Settings, Source};
use simulate::Rules;
use std::error::Error;
use std::fs::read_to_string;
use work::{Assumptions, Recording};

/// What to do besides replaying.
struct Tasks {
    files: Vec<String>,
    scenes: bool,
    measure: bool,
    write_docs: bool,
    spin: bool,
    repeats: usize,
    rounds: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut settings = Settings {
        cores: vec![1, 2, 4, 8, 16, 64],
        rules: Rules::default(),
        costs: costs::measure(),
        assumptions: Assumptions::default(),
    };
    let mut tasks = Tasks {
        files: Vec::new(),
        scenes: false,
        measure: false,
        write_docs: false,
        spin: false,
        repeats: 7,
        rounds: 25,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.strip_prefix("--") {
            Some("bench") => {}
            Some("scenes") => tasks.scenes = true,
            Some("measure") => tasks.measure = true,
            Some("write-docs") => tasks.write_docs = true,
            Some(option) => {
                let value = arguments.next().ok_or_else(|| format!("{argument} needs a value"))?;
                set(&mut settings, &mut tasks, option, &value)
                    .map_err(|error| format!("{argument} {value}: {error}"))?;
            }
            None => tasks.files.push(argument),
        }
    }
    settings.print();
    if tasks.scenes || tasks.measure || tasks.write_docs {
        replay_scenes(&mut settings, &tasks)?;
    }
    if tasks.files.is_empty() && !tasks.scenes && !tasks.measure && !tasks.write_docs {
        replay(&settings, &tasks, "a made-up run", &example::records(), None)?;
    }
    for argument in &tasks.files {
        let (name, files) = argument.split_once('=').ok_or_else(|| format!("{argument} is not NAME=FILE"))?;
        let (records, totals) = files.split_once(',').map_or((files, None), |(a, b)| (a, Some(b)));
        let units = record(records)?;
        replay(&settings, &tasks, name, &units, totals).map_err(|error| format!("{records}: {error}"))?;
    }
    Ok(())
}

/// A run that somebody else has recorded.
fn replay(
    settings: &Settings,
    tasks: &Tasks,
    name: &str,
    units: &[UnitRecord],
    totals: Option<&str>,
) -> Result<(), Box<dyn Error>> {
    let recording = Recording::new(units)?;
    let scene = Scene { name, source: Source::OneWorker(&recording), granule: None };
    settings.print_scene(&scene);
    if tasks.spin {
        spin::compare(settings, &recording)?;
    }
    if let Some(totals) = totals {
        let text = read_to_string(totals).map_err(|error| format!("{totals}: {error}"))?;
        let times = csv::read_totals(&text).map_err(|error| format!("{totals}: {error}"))?;
        settings.print_validation(&scene, &times);
    }
    Ok(())
}

/// Records and replays the scenes.
fn replay_scenes(settings: &mut Settings, tasks: &Tasks) -> Result<(), Box<dyn Error>> {
    // Everything is compared with one, and the measurement with two.
    settings.cores.extend([1, 2]);
    settings.cores.sort_unstable();
    settings.cores.dedup();
    let mut page = Page::new(settings);
    for scene in &scenes::load()? {
        let (recorded, stats) = record::record(scene, &settings.cores, tasks.repeats)?;
        let granule = record::granule(&stats);
        let shown = Scene { name: &scene.name, source: Source::All(&recorded), granule };
        settings.print_scene(&shown);
        let measured = match tasks.measure || tasks.write_docs {
            true => {
                let times = record::measure(scene, tasks.rounds)?;
                settings.print_validation(&shown, &times);
                Measured::new(&times)
            }
            false => None,
        };
        page.add(settings, scene, &shown, measured);
    }
    if tasks.write_docs {
        page.write()?;
    }
    Ok(())
}

/// The units of a run with one worker.
fn record(scene: &str) -> Result<Vec<UnitRecord>, String> {
    let text = read_to_string(scene).map_err(|error| format!("{scene}: {error}"))?;
    csv::read_records(&text).map_err(|error| format!("{scene}: {error}"))
}

fn set(settings: &mut Settings, tasks: &mut Tasks, option: &str, value: &str) -> Result<(), Box<dyn Error>> {
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
        "repeats" => tasks.repeats = value.parse()?,
        "rounds" => tasks.rounds = value.parse()?,
        "spin" => tasks.spin = value != "0",
        "write-example" => std::fs::write(value, csv::write_records(&example::records()))?,
        _ => return Err("there is no such option".into()),
    }
    Ok(())
}
