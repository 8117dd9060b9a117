//! A made-up run with one worker, to try the replay without a recording. Its numbers mean nothing.

use pccd::schedule::{NO_PARENT, UnitKind, UnitRecord};

/// Children of a node.
const WIDTH: u64 = 8;
const DEPTH: u32 = 4;

/// A run over a tree in which contacts are localized: below the first children there is much more to do.
pub fn records() -> Vec<UnitRecord> {
    let mut clock = Clock { records: Vec::new(), now: 0 };
    for (phase, kind, time) in [(0, UnitKind::RefitVertices, 400_000), (1, UnitKind::Refit, 1_600_000)] {
        clock.add(NO_PARENT, phase, UnitKind::Serial, 0, 5_000);
        clock.add(NO_PARENT, phase, kind, WIDTH.pow(DEPTH), time);
    }
    clock.add(NO_PARENT, 3, UnitKind::Serial, 0, 10_000);
    let mut queue = std::collections::VecDeque::from([(NO_PARENT, DEPTH, 40_000_000)]);
    while let Some((parent, level, below)) = queue.pop_front() {
        // A fifth of the work of a subtree is done at its root, all of it at a leaf.
        let own = if level == 0 { below } else { below / 5 };
        let number = clock.add(parent, 3, UnitKind::SelfUnit, WIDTH.pow(level), own);
        if number.is_multiple_of(16) {
            let unit = *clock.records.last().expect("a unit was added");
            let rebuild =
                UnitRecord { number: clock.next(), parent: number, kind: UnitKind::Rebuild, ..unit };
            clock.records.push(UnitRecord { end: unit.begin + own / 2, ..rebuild });
        }
        // Shares 8, 7, ... 1 of 36.
        let shares = (1..=WIDTH).rev().filter(|_| level > 0);
        queue.extend(shares.map(|share| (number, level - 1, (below - own) * share / 36)));
    }
    clock.add(NO_PARENT, 5, UnitKind::Serial, 0, 20_000);
    clock.add(NO_PARENT, 5, UnitKind::Sort, 50_000, 1_000_000);
    clock.add(NO_PARENT, 6, UnitKind::Serial, 0, 50_000);
    clock.records
}

struct Clock {
    records: Vec<UnitRecord>,
    now: u64,
}

impl Clock {
    fn next(&self) -> u32 {
        self.records.len() as u32
    }

    fn add(&mut self, parent: u32, phase: u32, kind: UnitKind, weight: u64, time: u64) -> u32 {
        let (number, begin) = (self.next(), self.now);
        self.now += time;
        self.records.push(UnitRecord {
            number,
            parent,
            phase,
            worker: 0,
            weight,
            begin,
            end: self.now,
            rebuild: 0,
            kind,
        });
        number
    }
}
