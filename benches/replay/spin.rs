//! The simulator against the scheduler itself: units that spin for as long as recorded ones took, on threads of this machine.

use super::report::{Settings, median};
use super::simulate::{Rules, simulate};
use super::work::{Phase, Recording};
use pccd::memory::Memory;
use pccd::schedule::{Assignment, Pool, Scheduler, Seat, Unit};
use std::error::Error;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

const ROUNDS: usize = 9;

#[derive(Clone, Copy)]
struct Spin {
    job: usize,
    weight: u64,
}

impl Unit for Spin {
    fn weight(&self) -> u64 {
        self.weight
    }
}

/// Compares predicted and measured times of the low-level phase with two workers. There is no splitting: spinning units have no parts.
pub fn compare(settings: &Settings, recording: &Recording) -> Result<(), Box<dyn Error>> {
    let rules = Rules { split: false, ..settings.rules };
    let phases = recording.for_workers(2, &settings.assumptions);
    let Some(phase) = phases.iter().find(|phase| phase.name == "low-level") else { return Ok(()) };
    let phase = Phase { serial: 0, ..phase.clone() };
    let predicted = simulate(std::slice::from_ref(&phase), 2, &rules, &settings.costs);
    let memory = Memory::new(None).map_err(|error| format!("no memory: {error}"))?;
    let scheduler = Assignment::new(memory, 2).map_err(|error| format!("no memory: {error}"))?;
    let pool = Pool::new(NonZeroUsize::new(2).expect("two is not zero")).map_err(|_| "no threads")?;
    let mut times = Vec::new();
    let mut grants = Vec::new();
    for round in 0..ROUNDS as u64 {
        let unit = |job: usize| Spin { job, weight: phase.jobs[job].weight };
        let dealt = phase.first.iter().enumerate().map(|(i, &job)| (i % 2, unit(job)));
        scheduler.reset();
        scheduler.start(round + 1, dealt).map_err(|error| format!("no memory: {error}"))?;
        let begin = Instant::now();
        pool.run(&|worker| {
            let mut seat = scheduler.join(round + 1, worker).expect("everybody has an own place");
            while let Some(Spin { job, .. }) = seat.next() {
                let job = &phase.jobs[job];
                spin(Duration::from_nanos(job.time + job.rebuild));
                job.children.iter().for_each(|&child| seat.push(unit(child)).expect("there is memory"));
            }
        });
        times.push(begin.elapsed().as_secs_f64() * 1e3);
        grants.push((0..2).map(|worker| scheduler.counters(worker).grants as f64).sum());
    }
    let (Some(measured), Some(grants)) = (median(times), median(grants)) else { return Ok(()) };
    let ms = predicted.time as f64 / 1e6;
    println!(
        "the simulator itself: low-level units that spin on two threads, no splitting: predicted {ms:.3} ms and {} grants, measured \
         {measured:.3} ms and {grants} grants (medians of {ROUNDS}): deviation {:+.1} %",
        predicted.phases[0].grants,
        100.0 * (ms / measured - 1.0)
    );
    Ok(())
}

fn spin(time: Duration) {
    let begin = Instant::now();
    while begin.elapsed() < time {
        std::hint::spin_loop();
    }
}
