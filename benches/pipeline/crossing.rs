//! A simulated step on any number of cores, with the rules of `src/pipeline/crossing.rs`. Times are in seconds.

/// A unit of the broad phase: how long it takes, and how long each batch of candidates that comes out of it takes in the narrow phase.
#[derive(Clone, Default)]
pub struct Unit {
    pub broad: f64,
    pub batches: Vec<f64>,
}

#[derive(Clone, Copy)]
pub struct Rules {
    pub cores: usize,
    /// Workers below this number prefer the broad phase.
    pub split: usize,
    /// Workers do not help in the other phase while their own lasts: as in the paper.
    pub stay: bool,
    /// Batches in the buffer.
    pub room: usize,
    /// From a notification until the thread runs.
    pub wake: f64,
}

/// What a worker is about to do when its time comes.
#[derive(Clone, Copy, PartialEq)]
enum Next {
    /// Looks for something to do.
    Ask,
    /// Has come to a batch of its unit: puts it into the buffer, or does it.
    Put {
        unit: usize,
        batch: usize,
    },
    /// Goes on with its unit after a batch.
    GoOn {
        unit: usize,
        batch: usize,
    },
    Sleep,
    Done,
}

/// How long a step takes.
pub fn simulate(units: &[Unit], rules: &Rules) -> f64 {
    let mut workers = vec![(0.0, Next::Ask); rules.cores];
    // All but the caller have to be woken.
    workers[1..].iter_mut().for_each(|worker| worker.0 = rules.wake);
    let (mut next_unit, mut producing) = (0, 0);
    let mut buffer = std::collections::VecDeque::new();
    let mut end: f64 = 0.0;
    loop {
        // Who comes first, the lower number of two at the same time.
        let coming = (0..rules.cores).filter(|&w| !matches!(workers[w].1, Next::Sleep | Next::Done));
        let Some(worker) = coming.min_by(|&a, &b| workers[a].0.total_cmp(&workers[b].0)) else {
            return end;
        };
        let (now, what) = workers[worker];
        // Between two batches of a unit, and before the first and after the last one, is the same share of its time.
        let part = |unit: usize| units[unit].broad / (units[unit].batches.len() + 1) as f64;
        let mut wakes = false;
        let after_part = |unit: usize, batch: usize| match batch < units[unit].batches.len() {
            true => Next::Put { unit, batch },
            false => Next::GoOn { unit, batch },
        };
        workers[worker] = match what {
            Next::Ask => {
                let prefers_broad = worker < rules.split;
                let may_help = !rules.stay || producing == 0;
                let is_left = next_unit < units.len();
                if is_left && (prefers_broad || (buffer.is_empty() && may_help)) {
                    let unit = next_unit;
                    next_unit += 1;
                    producing += 1;
                    (now + part(unit), after_part(unit, 0))
                } else if let Some(batch) = buffer.pop_front() {
                    (now + batch, Next::Ask)
                } else if !is_left && producing == 0 {
                    (now, Next::Done)
                } else {
                    (now, Next::Sleep)
                }
            }
            Next::Put { unit, batch } if buffer.len() < rules.room => {
                buffer.push_back(units[unit].batches[batch]);
                wakes = true;
                (now + part(unit), after_part(unit, batch + 1))
            }
            Next::Put { unit, batch } => (now + units[unit].batches[batch], Next::GoOn { unit, batch }),
            Next::GoOn { unit, batch } if batch < units[unit].batches.len() => {
                (now + part(unit), after_part(unit, batch + 1))
            }
            Next::GoOn { .. } => {
                producing -= 1;
                wakes = producing == 0;
                (now, Next::Ask)
            }
            Next::Sleep | Next::Done => unreachable!("they are not asked"),
        };
        end = end.max(now);
        if wakes {
            for other in workers.iter_mut().filter(|other| other.1 == Next::Sleep) {
                *other = (now + rules.wake, Next::Ask);
            }
        }
    }
}

/// First the broad phase on all cores, then the narrow one.
pub fn sequential(units: &[Unit], cores: usize, wake: f64) -> f64 {
    let mut end = 0.0;
    let batches: Vec<f64> = units.iter().flat_map(|unit| unit.batches.iter().copied()).collect();
    let broad: Vec<f64> = units.iter().map(|unit| unit.broad).collect();
    for tasks in [broad, batches] {
        let mut workers = vec![end + wake; cores];
        workers[0] = end;
        for task in tasks {
            let first = workers.iter_mut().min_by(|a, b| a.total_cmp(b)).expect("at least one core");
            *first += task;
        }
        end = workers.into_iter().fold(end, f64::max);
    }
    end
}
