//! What has to be done: from the records of a run with one worker to the phases of a run with any number.
//!
//! What a run looks like depends on the number of its workers. With one, the front of section 4.2 is the root: all nodes are
//! low-level. For more, the front is found in the recorded tree of units; what is above it is taken out of the low-level phase.
//! The traversals of these high-level nodes become pairs for all workers (section 5), their rebuilds a phase of their own before it.

use pccd::schedule::{NO_PARENT, UnitKind, UnitRecord};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Something to be done by one worker, in nanoseconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Job {
    /// Without the rebuilds.
    pub time: u64,
    /// Rebuilding nodes, which comes first: a node is rebuilt when it is visited (section 6.2).
    pub rebuild: u64,
    /// Rebuilds need the lock in any case: that is so for high-level nodes (section 5).
    pub locks: bool,
    /// Triangles below.
    pub weight: u64,
    /// Can be cut in the middle.
    pub can_split: bool,
    /// What comes out of it when it is done.
    pub children: Vec<usize>,
}

/// Jobs that are done before any of the next phase begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Phase {
    /// The same for the same phase with any number of workers.
    pub key: u64,
    pub name: &'static str,
    /// Time of one worker before it, while the others wait.
    pub serial: u64,
    pub jobs: Vec<Job>,
    /// Those that are dealt to the workers at the beginning.
    pub first: Vec<usize>,
}

impl Phase {
    /// Time of all jobs together.
    pub fn work(&self) -> u64 {
        self.jobs.iter().map(|job| job.time + job.rebuild).sum()
    }

    fn push_first(&mut self, job: Job) {
        self.first.push(self.jobs.len());
        self.jobs.push(job);
    }
}

/// What is assumed about work that the recorded run did not have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assumptions {
    /// Refits and sorting are cut into so many parts per worker, all alike. Section 6.1 has two.
    pub parts_per_worker: usize,
    /// The i-th pair of children of a high-level node has a share of its time proportional to i to the power of minus this. 0: all
    /// alike. Real ones are not: children that lie side by side have most of the work.
    pub skew: f64,
}

impl Default for Assumptions {
    fn default() -> Assumptions {
        Assumptions { parts_per_worker: 2, skew: 1.0 }
    }
}

/// A run with one worker.
pub struct Recording {
    units: Vec<Unit>,
    serial: BTreeMap<u32, u64>,
    /// Time within phases that is in no record. It has been added to the unit before.
    pub between_units: u64,
    /// Time between phases that is in no record. It has been added to the serial part.
    pub between_phases: u64,
}

struct Unit {
    number: u32,
    phase: u32,
    kind: UnitKind,
    time: u64,
    rebuild: u64,
    weight: u64,
    has_parent: bool,
    children: Vec<usize>,
}

impl Recording {
    /// The run must have had one worker: only then nothing else ran at the same time as a unit.
    ///
    /// Every nanosecond counts: what passes between two units of a phase (the next one is fetched, children are queued) is part of
    /// the first, what passes between phases is serial.
    pub fn new(records: &[UnitRecord]) -> Result<Recording, String> {
        let mut by_number = HashMap::new();
        for (place, record) in records.iter().enumerate() {
            if by_number.insert(record.number, place).is_some() {
                return Err(format!("two units have the number {}", record.number));
            }
            if record.end < record.begin {
                return Err(format!("unit {} ends before it begins", record.number));
            }
        }
        let parent_of = |record: &UnitRecord| match record.parent {
            NO_PARENT => Ok(None),
            parent => match by_number.get(&parent) {
                Some(&place) => Ok(Some(place)),
                None => Err(format!("unit {} has the parent {parent}, which does not exist", record.number)),
            },
        };
        let mut order: Vec<usize> = (0..records.len()).collect();
        order.sort_by_key(|&place| (records[place].begin, records[place].end, place));
        let mut recording =
            Recording { units: Vec::new(), serial: BTreeMap::new(), between_units: 0, between_phases: 0 };
        let mut unit_of: HashMap<usize, usize> = HashMap::new();
        let mut rebuilds = Vec::new();
        let (mut now, mut last): (u64, Option<usize>) = (0, None);
        for &place in &order {
            let record = &records[place];
            let parent = parent_of(record)?;
            if let Some(parent) = parent
                && is_within(record, &records[parent])
            {
                rebuilds.push((parent, record.end - record.begin));
                continue;
            }
            let Some(gap) = record.begin.checked_sub(now) else {
                return Err(format!(
                    "unit {} overlaps another: this needs a run with one worker",
                    record.number
                ));
            };
            let time = record.end - record.begin;
            now = record.end;
            if record.kind == UnitKind::Serial {
                *recording.serial.entry(record.phase).or_default() += gap + time;
                recording.between_phases += gap;
                last = None;
                continue;
            }
            match last.filter(|&last| recording.units[last].phase == record.phase) {
                Some(last) => {
                    recording.units[last].time += gap;
                    recording.between_units += gap;
                }
                None => {
                    *recording.serial.entry(record.phase).or_default() += gap;
                    recording.between_phases += gap;
                }
            }
            // A parent in another phase is done anyway.
            let parent = parent.filter(|&parent| records[parent].phase == record.phase);
            let parent = match parent {
                None => None,
                Some(parent) => Some(*unit_of.get(&parent).ok_or_else(|| {
                    format!("unit {} begins before its parent {}", record.number, records[parent].number)
                })?),
            };
            let index = recording.units.len();
            recording.units.push(Unit {
                number: record.number,
                phase: record.phase,
                kind: record.kind,
                time: time - record.rebuild.min(time),
                rebuild: record.rebuild.min(time),
                weight: record.weight,
                has_parent: parent.is_some(),
                children: Vec::new(),
            });
            if let Some(parent) = parent {
                recording.units[parent].children.push(index);
            }
            unit_of.insert(place, index);
            last = Some(index);
        }
        for (parent, time) in rebuilds {
            // A rebuild within a rebuild is a part of it.
            if let Some(&unit) = unit_of.get(&parent) {
                let unit = &mut recording.units[unit];
                let time = time.min(unit.time);
                unit.time -= time;
                unit.rebuild += time;
            }
        }
        for unit in recording.units.iter_mut().filter(|unit| unit.kind == UnitKind::Rebuild) {
            unit.rebuild += std::mem::take(&mut unit.time);
        }
        Ok(recording)
    }

    pub fn unit_count(&self) -> usize {
        self.units.len()
    }

    /// Of the whole run, serial parts included.
    pub fn total(&self) -> u64 {
        self.serial() + self.units.iter().map(|unit| unit.time + unit.rebuild).sum::<u64>()
    }

    pub fn serial(&self) -> u64 {
        self.serial.values().sum()
    }

    /// The time of rebuilds of nodes.
    pub fn rebuilding(&self) -> u64 {
        self.units.iter().map(|unit| unit.rebuild).sum()
    }

    /// Takes the times of another recording of the same run wherever they are shorter.
    pub fn keep_shortest(&mut self, other: Recording) {
        let shape = |unit: &Unit| (unit.number, unit.phase, unit.kind, unit.weight);
        if !self.units.iter().map(shape).eq(other.units.iter().map(shape)) {
            // Another order of events: as a whole, or not at all.
            if other.total() < self.total() {
                *self = other;
            }
            return;
        }
        for (mine, other) in self.units.iter_mut().zip(&other.units) {
            if other.time + other.rebuild < mine.time + mine.rebuild {
                (mine.time, mine.rebuild) = (other.time, other.rebuild);
            }
        }
        for (phase, time) in &mut self.serial {
            *time = (*time).min(*other.serial.get(phase).unwrap_or(time));
        }
        self.between_units = self.between_units.min(other.between_units);
        self.between_phases = self.between_phases.min(other.between_phases);
    }

    /// The phases of the run that was recorded: for those who have recorded one for the right number of workers.
    pub fn as_recorded(&self) -> Vec<Phase> {
        let mut phases: BTreeMap<u64, Phase> = BTreeMap::new();
        for (&phase, &serial) in &self.serial {
            phases.entry(phase.into()).or_default().serial = serial;
        }
        let mut roots: Vec<usize> = (0..self.units.len()).filter(|&i| !self.units[i].has_parent).collect();
        // In the order in which they are dealt.
        roots.sort_by_key(|&index| self.units[index].number);
        for index in roots {
            let unit = &self.units[index];
            let phase = phases.entry(unit.phase.into()).or_default();
            phase.name = name(unit.kind);
            // The library needs no lock for any rebuild.
            let root = self.add_below(index, &mut phase.jobs, false);
            phase.first.push(root);
        }
        phases.into_iter().map(|(key, phase)| Phase { key, ..phase }).collect()
    }

    /// The phases that the same run has with so many workers. All together they are as much work.
    pub fn for_workers(&self, worker_count: usize, assumptions: &Assumptions) -> Vec<Phase> {
        let (front, above) = self.front(worker_count);
        // Room for phases before and after the one of self units, should they not be there.
        let key = |phase: u32| 3 * u64::from(phase) + 3;
        let mut phases: BTreeMap<u64, Phase> = BTreeMap::new();
        for (&phase, &serial) in &self.serial {
            phases.entry(key(phase)).or_default().serial = serial;
        }
        for (index, unit) in self.units.iter().enumerate() {
            let phase = phases.entry(key(unit.phase)).or_default();
            phase.name = name(unit.kind);
            if unit.kind == UnitKind::SelfUnit || unit.has_parent {
                continue;
            }
            if is_divisible(unit.kind) && unit.children.is_empty() && worker_count > 1 {
                let count = self.roots(unit.phase).count();
                let parts = (assumptions.parts_per_worker * worker_count).div_ceil(count);
                cut(unit.time, &vec![1.0; parts]).for_each(|time| {
                    phase.push_first(Job { time, weight: unit.weight / parts as u64, ..Job::default() });
                });
            } else {
                let root = self.add_below(index, &mut phase.jobs, true);
                phase.first.push(root);
            }
        }
        for &index in &front {
            let phase = phases.entry(key(self.units[index].phase)).or_default();
            let root = self.add_below(index, &mut phase.jobs, true);
            phase.first.push(root);
        }
        for &index in &above {
            self.add_high_level(index, &mut phases, key(self.units[index].phase), assumptions);
        }
        phases.into_iter().map(|(key, phase)| Phase { key, ..phase }).collect()
    }

    fn roots(&self, phase: u32) -> impl Iterator<Item = usize> {
        let is_root = move |unit: &Unit| unit.phase == phase && !unit.has_parent;
        self.units.iter().enumerate().filter(move |(_, unit)| is_root(unit)).map(|(index, _)| index)
    }

    /// Section 4.2: nodes are opened breadth-first until there are as many as workers. Returns these, and those above them.
    fn front(&self, worker_count: usize) -> (Vec<usize>, Vec<usize>) {
        let is_root = |unit: &Unit| unit.kind == UnitKind::SelfUnit && !unit.has_parent;
        let mut queue: VecDeque<usize> =
            (0..self.units.len()).filter(|&index| is_root(&self.units[index])).collect();
        let (mut closed, mut above) = (Vec::new(), Vec::new());
        while closed.len() + queue.len() < worker_count
            && let Some(index) = queue.pop_front()
        {
            let children = &self.units[index].children;
            if children.is_empty() {
                closed.push(index);
            } else {
                above.push(index);
                queue.extend(children);
            }
        }
        closed.extend(queue);
        (closed, above)
    }

    /// Adds a unit and what comes out of it. Returns its place. With `high_locks` rebuilds of high-level nodes need the lock, as in the paper.
    fn add_below(&self, index: usize, jobs: &mut Vec<Job>, high_locks: bool) -> usize {
        let base = jobs.len();
        let mut found = vec![index];
        let mut at = 0;
        while at < found.len() {
            let unit = &self.units[found[at]];
            let children = (0..unit.children.len()).map(|i| base + found.len() + i).collect();
            found.extend(&unit.children);
            jobs.push(Job {
                time: unit.time,
                rebuild: unit.rebuild,
                locks: high_locks && matches!(unit.kind, UnitKind::Rebuild | UnitKind::Pair),
                weight: unit.weight,
                can_split: matches!(unit.kind, UnitKind::SelfUnit | UnitKind::Pair),
                children,
            });
            at += 1;
        }
        base
    }

    /// A node above the front: its rebuilds come before the phase of self units, its pairs after it.
    fn add_high_level(
        &self,
        index: usize,
        phases: &mut BTreeMap<u64, Phase>,
        low_level: u64,
        assumptions: &Assumptions,
    ) {
        let unit = &self.units[index];
        if unit.rebuild > 0 {
            let job = Job { rebuild: unit.rebuild, locks: true, weight: unit.weight, ..Job::default() };
            phase_for(phases, UnitKind::Rebuild, low_level - 3, low_level - 1).push_first(job);
        }
        let children = unit.children.len();
        let pair_count = (children * children.saturating_sub(1) / 2).max(1);
        let shares: Vec<f64> = (1..=pair_count).map(|i| (i as f64).powf(-assumptions.skew)).collect();
        let high_level = phase_for(phases, UnitKind::Pair, low_level + 3, low_level + 1);
        for time in cut(unit.time, &shares) {
            let weight = (2 * unit.weight) / children.max(2) as u64;
            high_level.push_first(Job { time, locks: true, weight, can_split: true, ..Job::default() });
        }
    }
}

/// The phase that was `recorded` if it is of this kind, otherwise one at `own`.
fn phase_for(phases: &mut BTreeMap<u64, Phase>, kind: UnitKind, recorded: u64, own: u64) -> &mut Phase {
    // A phase without units has no name.
    let fits = phases.get(&recorded).is_some_and(|phase| ["", name(kind)].contains(&phase.name));
    let phase = phases.entry(if fits { recorded } else { own }).or_default();
    phase.name = name(kind);
    phase
}

/// A rebuild is recorded inside of the unit that did it; all other children begin after their parents.
fn is_within(record: &UnitRecord, parent: &UnitRecord) -> bool {
    record.kind == UnitKind::Rebuild && record.begin >= parent.begin && record.end <= parent.end
}

/// Ranges of vertices, boxes or contacts, which can be cut anywhere.
fn is_divisible(kind: UnitKind) -> bool {
    matches!(kind, UnitKind::RefitVertices | UnitKind::Refit | UnitKind::Sort)
}

fn name(kind: UnitKind) -> &'static str {
    match kind {
        UnitKind::RefitVertices => "refit vertices",
        UnitKind::Refit => "refit boxes",
        UnitKind::Rebuild => "rebuild high",
        UnitKind::SelfUnit => "low-level",
        UnitKind::Pair => "high-level",
        UnitKind::Sort => "sort",
        UnitKind::Serial => "serial",
        UnitKind::Cull => "cull",
    }
}

/// Parts of a time in proportion to `shares`. Nothing is lost by rounding.
fn cut(time: u64, shares: &[f64]) -> impl Iterator<Item = u64> {
    let whole: f64 = shares.iter().sum();
    let (mut until, mut given) = (0.0, 0);
    let count = shares.len();
    shares.iter().enumerate().map(move |(i, share)| {
        until += share;
        let end =
            if i + 1 == count { time } else { ((time as f64 * until / whole) as u64).clamp(given, time) };
        end - std::mem::replace(&mut given, end)
    })
}
