//! The simulators of `benches/replay` and `benches/pipeline`: schedules that can be computed by hand, and what must hold for all.

#[path = "../benches/pipeline/crossing.rs"]
mod crossing;
#[path = "../benches/replay/csv.rs"]
mod csv;
#[path = "../benches/replay/example.rs"]
mod example;
#[path = "../benches/replay/phase.rs"]
mod phase;
#[path = "../benches/replay/simulate.rs"]
mod simulate;
#[path = "../benches/replay/work.rs"]
mod work;

use pccd::schedule::{NO_PARENT, UnitKind, UnitRecord};
use simulate::{Costs, Outcome, Rules, simulate};
use work::{Assumptions, Job, Phase, Recording};

const FREE: Costs = Costs { request: 0, grant: 0, wake: 0 };

fn job(time: u64) -> Job {
    Job { time, weight: time, can_split: true, ..Job::default() }
}

/// Jobs without dependencies.
fn independent(jobs: impl IntoIterator<Item = Job>) -> Phase {
    let jobs: Vec<Job> = jobs.into_iter().collect();
    Phase { key: 0, name: "test", serial: 0, first: (0..jobs.len()).collect(), jobs }
}

/// Jobs of which each comes out of the one before.
fn chain(times: &[u64]) -> Phase {
    let mut phase = independent(times.iter().map(|&time| Job { can_split: false, ..job(time) }));
    phase.first.truncate(1);
    for i in 1..times.len() {
        phase.jobs[i - 1].children.push(i);
    }
    phase
}

fn run(phase: &Phase, workers: usize, rules: Rules) -> Outcome {
    simulate(std::slice::from_ref(phase), workers, &rules, &FREE)
}

fn all() -> Rules {
    Rules::default()
}

fn no_split() -> Rules {
    Rules { split: false, ..all() }
}

#[test]
fn equal_units_are_shared_equally() {
    let phase = independent((0..12).map(|_| job(100)));
    for (workers, time) in [(1, 1200), (2, 600), (3, 400), (4, 300), (6, 200), (12, 100)] {
        assert_eq!(run(&phase, workers, all()).time, time, "{workers} workers");
    }
    // Without splitting, five workers need three rounds.
    assert_eq!(run(&phase, 5, no_split()).time, 300);
    assert_eq!(run(&phase, 4, all()).idle(), 0.0);
}

#[test]
fn a_chain_takes_its_length_on_any_number() {
    let phase = chain(&[5, 7, 11, 13]);
    for workers in [1, 2, 8] {
        let outcome = run(&phase, workers, all());
        assert_eq!(outcome.time, 36);
        assert_eq!(outcome.phases[0].idle(workers), 1.0 - 1.0 / workers as f64);
    }
}

#[test]
fn a_huge_unit_is_split() {
    let phase = independent([job(1600)]);
    assert_eq!(run(&phase, 2, no_split()).time, 1600);
    // The first moment to cut is after 100: then two times 750.
    let outcome = run(&phase, 2, all());
    assert_eq!((outcome.time, outcome.phases[0].splits), (850, 1));
    // Four parts of 375.
    assert_eq!(run(&phase, 4, all()).time, 475);
    let rough = Rules { granules: 2, ..all() };
    // After 800 there is one granule left, which cannot be cut.
    assert_eq!(run(&phase, 2, rough).time, 1600);
}

#[test]
fn children_do_not_wait_for_parts_that_were_given_away() {
    let mut phase = independent([job(1600), Job { can_split: false, ..job(10) }]);
    phase.first.truncate(1);
    phase.jobs[0].children.push(1);
    assert_eq!(run(&phase, 2, all()).time, 860);
    // The receiver wakes up 40 later than that; the child is done before.
    let costs = Costs { wake: 40, ..FREE };
    assert_eq!(simulate(std::slice::from_ref(&phase), 2, &all(), &costs).time, 100 + 40 + 750);
}

#[test]
fn a_unit_can_be_cut_after_a_while() {
    // After 10: 1590 in two parts.
    let rules = Rules { granule: Some(10), ..all() };
    assert_eq!(run(&independent([job(1600)]), 2, rules).time, 10 + 795);
    assert_eq!(run(&independent([job(15)]), 2, rules).time, 15);
}

#[test]
fn an_idle_worker_gets_the_front_unit() {
    // Dealt: 10, 40, 40 to the first, 5, 0 to the second. At 5 the second one asks, at 10 the first gives.
    let phase = independent([job(10), job(5), job(40), job(0), job(40)]);
    let outcome = run(&phase, 2, no_split());
    assert_eq!((outcome.time, outcome.phases[0].grants), (50, 1));
    assert_eq!(run(&phase, 2, Rules { dynamic: false, ..all() }).time, 90);
}

#[test]
fn one_unit_is_kept() {
    // When the second worker asks, the first has one unit left, which it keeps, and then cuts.
    let phase = independent([job(10), job(5), job(160)]);
    assert_eq!(run(&phase, 2, no_split()).time, 170);
    assert_eq!(run(&phase, 2, Rules { share_within: false, ..all() }).time, 10 + 10 + 75);
    // Or it gives it away at once, and the other one cuts it at 15.
    assert_eq!(run(&phase, 2, all()).time, 15 + 75);
}

#[test]
fn a_unit_with_others_behind_it_is_not_split() {
    // The first has 1600 in work and 100 behind it: the second has to wait, unless waiting units are given within.
    let phase = independent([job(1600), job(10), job(100)]);
    // At 1600 the first takes the 100, after 7 it cuts the other 93.
    assert_eq!(run(&phase, 2, Rules { share_within: false, ..all() }).time, 1600 + 7 + 47);
    let outcome = run(&phase, 2, all());
    // At 100 the waiting unit is given. At 200 it is done, and 1400 are cut into two.
    assert_eq!(outcome.time, 900);
}

#[test]
fn a_set_is_half_of_what_waits() {
    // The second worker is idle at 5; at 10 the first has eight small units left.
    let small = Job { can_split: false, ..job(10) };
    let mut phase = independent([job(10), job(5)].into_iter().chain((0..8).map(|_| small.clone())));
    phase.first.truncate(2);
    phase.jobs[0].children = (2..10).collect();
    let outcome = run(&phase, 2, no_split());
    assert_eq!((outcome.time, outcome.phases[0].grants), (50, 1));
    let one_by_one = run(&phase, 2, Rules { grant_sets: false, ..no_split() });
    // Every second time the first worker does not know of the request yet.
    assert_eq!((one_by_one.time, one_by_one.phases[0].grants), (60, 3));
}

#[test]
fn the_heaviest_worker_is_asked() {
    // The third worker is idle at 1. The first has 20 waiting, the second 30 (twice): that one is asked, and gives at 10.
    let heavy = |time, weight| Job { weight, can_split: false, ..job(time) };
    let phase = independent([
        heavy(10, 9),
        heavy(10, 9),
        heavy(1, 9),
        heavy(20, 20),
        heavy(30, 30),
        heavy(0, 0),
        heavy(20, 20),
        heavy(30, 30),
    ]);
    // First: 10, 20, 20. Second: 10, 30. Third: 1, 0, wait, 30 from 10 on.
    let outcome = run(&phase, 3, no_split());
    assert_eq!((outcome.time, outcome.phases[0].grants), (50, 1));
}

#[test]
fn rebuilds_under_a_lock_follow_each_other() {
    let rebuilding = |locks| Job { rebuild: 50, locks, ..job(100) };
    let phase = independent([rebuilding(false), rebuilding(false)]);
    assert_eq!(run(&phase, 2, all()).time, 150);
    let locked = run(&phase, 2, Rules { lock_free: false, split: false, ..all() });
    assert_eq!((locked.time, locked.phases[0].lock_wait), (200, 50));
    // Those of high-level nodes in any case.
    assert_eq!(run(&independent([rebuilding(true), rebuilding(true)]), 2, no_split()).time, 200);
}

#[test]
fn costs_are_paid() {
    let costs = Costs { request: 3, grant: 5, wake: 7 };
    let phase = independent([job(1600)]);
    assert_eq!(simulate(std::slice::from_ref(&phase), 1, &all(), &costs).time, 1600);
    // The other one has come at 7 and asked. At 100 the unit is cut, and given at 105; the receiver runs at 112.
    assert_eq!(simulate(std::slice::from_ref(&phase), 2, &all(), &costs).time, 112 + 750);
    // A serial part of 20 in between: the last one, which goes on, is at work at once, the other later.
    let second = Phase { serial: 20, ..independent([job(100), job(100)]) };
    let time = simulate(&[phase, second], 2, &no_split(), &costs).time;
    assert_eq!(time, 1600 + 20 + 7 + 100);
}

#[test]
fn serial_parts_are_nobodys_to_share() {
    let phase = Phase { serial: 40, ..independent([job(100), job(100)]) };
    let after = Phase { serial: 60, ..Phase::default() };
    let outcome = simulate(&[phase, after], 2, &all(), &FREE);
    assert_eq!(outcome.time, 40 + 100 + 60);
    assert_eq!(outcome.idle(), 0.25);
}

#[test]
fn no_work_is_lost() {
    let recording = Recording::new(&example::records()).unwrap();
    let costs = Costs { request: 300, grant: 2000, wake: 5000 };
    for workers in [1, 2, 3, 4, 7, 8, 16, 64, 500] {
        let phases = recording.for_workers(workers, &Assumptions::default());
        let work: u64 = phases.iter().map(|phase| phase.work() + phase.serial).sum();
        assert_eq!(work, recording.total(), "{workers} workers");
        let variants = [
            all(),
            no_split(),
            Rules { dynamic: false, ..all() },
            Rules { lock_free: false, ..all() },
            Rules { share_within: false, ..all() },
            Rules { grant_sets: false, ..all() },
            Rules { granule: Some(20_000), ..all() },
        ];
        for rules in variants {
            let outcome = simulate(&phases, workers, &rules, &costs);
            let busy: u64 = outcome.phases.iter().map(|phase| phase.busy + phase.serial).sum();
            assert_eq!(busy, recording.total(), "{workers} workers, {rules:?}");
            assert!(outcome.time * workers as u64 >= busy);
            assert!((0.0..1.0).contains(&outcome.idle()));
            assert_eq!(outcome, simulate(&phases, workers, &rules, &costs), "the same every time");
        }
    }
    let one = recording.for_workers(1, &Assumptions::default());
    assert_eq!(simulate(&one, 1, &all(), &costs).time, recording.total());
}

fn unit(number: u32, parent: u32, phase: u32, kind: UnitKind, begin: u64, end: u64) -> UnitRecord {
    UnitRecord { number, parent, phase, worker: 0, weight: 8, begin, end, rebuild: 0, kind }
}

/// A root with three children, and a rebuild in the root.
fn small_run() -> Vec<UnitRecord> {
    use UnitKind::{Rebuild, SelfUnit, Serial};
    vec![
        unit(0, NO_PARENT, 3, Serial, 0, 10),
        unit(1, NO_PARENT, 3, SelfUnit, 10, 70),
        unit(5, 1, 3, Rebuild, 20, 50),
        unit(2, 1, 3, SelfUnit, 70, 100),
        unit(3, 1, 3, SelfUnit, 102, 150),
        unit(4, 1, 3, SelfUnit, 150, 200),
        unit(6, NO_PARENT, 5, UnitKind::Sort, 205, 305),
    ]
}

#[test]
fn the_front_is_found_in_the_recorded_tree() {
    let recording = Recording::new(&small_run()).unwrap();
    assert_eq!((recording.total(), recording.serial(), recording.rebuilding()), (305, 15, 30));
    assert_eq!(recording.unit_count(), 5);
    assert_eq!((recording.between_units, recording.between_phases), (2, 5));
    let one = recording.for_workers(1, &Assumptions::default());
    assert_eq!(one.iter().map(|phase| phase.name).collect::<Vec<_>>(), ["low-level", "sort"]);
    assert_eq!((one[0].first.len(), one[0].jobs.len(), one[1].jobs.len()), (1, 4, 1));

    let even = Assumptions { skew: 0.0, ..Assumptions::default() };
    let two = recording.for_workers(2, &even);
    assert_eq!(
        two.iter().map(|phase| (phase.name, phase.serial, phase.work())).collect::<Vec<_>>(),
        [("rebuild high", 0, 30), ("low-level", 10, 130), ("high-level", 0, 30), ("sort", 5, 100)]
    );
    assert_eq!(two[1].first.len(), 3);
    // Three children are three pairs.
    assert_eq!(two[2].jobs.iter().map(|job| job.time).collect::<Vec<_>>(), [10, 10, 10]);
    assert_eq!(two[3].jobs.iter().map(|job| job.time).collect::<Vec<_>>(), [25; 4]);
    // The same phases have the same keys.
    assert_eq!((one[0].key, one[1].key), (two[1].key, two[3].key));
    // There are no more than three units to open.
    assert_eq!(recording.for_workers(64, &even)[1].first.len(), 3);
}

#[test]
fn a_run_is_replayed_as_it_was_recorded() {
    let mut recording = Recording::new(&small_run()).unwrap();
    let phases = recording.as_recorded();
    assert_eq!(
        phases.iter().map(|phase| (phase.name, phase.serial, phase.work())).collect::<Vec<_>>(),
        [("low-level", 10, 190), ("sort", 5, 100)]
    );
    assert_eq!((phases[0].first.len(), phases[0].jobs.len()), (1, 4));
    // No rebuild needs a lock.
    assert!(phases.iter().flat_map(|phase| &phase.jobs).all(|job| !job.locks));
    let mut twice = simulate(&phases, 1, &all(), &FREE);
    assert_eq!(twice.time, 305);
    twice.add(twice.clone());
    assert_eq!((twice.time, twice.phases.len(), twice.phases[0].busy), (610, 2, 380));

    // The same run once more: one unit was slower, another one faster.
    let mut again = small_run();
    for (place, more) in [(5, 60), (6, 60)] {
        again[place].end += more;
        again[place].begin += if place == 6 { more } else { 0 };
    }
    again[6].end -= 25;
    recording.keep_shortest(Recording::new(&again).unwrap());
    assert_eq!(recording.total(), 305 - 25);
    // Another run: as a whole, if it is shorter.
    recording.keep_shortest(Recording::new(&again[..6]).unwrap());
    assert_eq!((recording.total(), recording.unit_count()), (260, 4));
}

#[test]
fn broken_records_are_refused() {
    let refused = |change: fn(&mut Vec<UnitRecord>)| {
        let mut records = small_run();
        change(&mut records);
        Recording::new(&records).err().expect("it is refused")
    };
    assert!(refused(|records| records[3].number = 1).contains("two units"));
    assert!(refused(|records| records[3].parent = 77).contains("does not exist"));
    assert!(refused(|records| records[3].end = 60).contains("ends before"));
    assert!(refused(|records| records[3].end = 120).contains("overlaps"));
    assert!(refused(|records| records[3].parent = 4).contains("before its parent"));
}

#[test]
fn records_survive_a_file() {
    let records = example::records();
    assert_eq!(csv::read_records(&csv::write_records(&records)).unwrap(), records);
    let text = csv::write_records(&small_run()).replace(",,", &format!(",{NO_PARENT},"));
    assert_eq!(csv::read_records(&text).unwrap(), small_run());
    assert!(csv::read_records("1,2,3").unwrap_err().contains("first line"));
    let text = csv::write_records(&small_run());
    assert!(csv::read_records(&text.replace(",6\n", ",9\n")).unwrap_err().contains("no kind 9"));
    assert!(csv::read_records(&text.replace("102", "x")).unwrap_err().contains("begin is \"x\""));
    assert_eq!(csv::read_totals("threads,ms\n1,4.5\n\n2, 2.5\n").unwrap(), [(1, 4.5), (2, 2.5)]);
    assert!(csv::read_totals("threads,ms\n1,2,3\n").unwrap_err().contains("3 fields"));
}

/// A unit of the broad phase with its batches.
fn broad_unit(broad: f64, batches: &[f64]) -> crossing::Unit {
    crossing::Unit { broad, batches: batches.to_vec() }
}

/// Steps of the pipeline on simulated cores (`benches/pipeline`), as computed by hand.
#[test]
fn both_phases_on_simulated_cores() {
    let rules = |cores, split, stay| crossing::Rules { cores, split, stay, room: 64, wake: 0.0 };
    // It puts a batch at 1 and at 2 and is ready at 3, when one batch is still there: that takes until 8.
    let one = [broad_unit(3.0, &[5.0, 5.0])];
    assert_eq!(crossing::simulate(&one, &rules(2, 1, true)), 8.0);
    assert_eq!(crossing::simulate(&one, &rules(1, 1, true)), 13.0);
    assert_eq!(crossing::sequential(&one, 2, 0.0), 8.0);
    // The other thread has to be woken: at 1 it sleeps.
    assert_eq!(crossing::simulate(&one, &crossing::Rules { wake: 0.5, ..rules(2, 1, true) }), 8.0);
    // No room: who finds candidates tests them.
    assert_eq!(crossing::simulate(&one, &crossing::Rules { room: 0, ..rules(2, 1, true) }), 13.0);
    // Nothing to test: the thread of the narrow phase looks on, or helps.
    let broad = [(); 4].map(|()| broad_unit(1.0, &[]));
    assert_eq!(crossing::simulate(&broad, &rules(2, 1, true)), 4.0);
    assert_eq!(crossing::simulate(&broad, &rules(2, 1, false)), 2.0);
    assert_eq!(crossing::simulate(&[], &rules(3, 1, true)), 0.0);
    // Any number of cores: never faster than the work allows, and never slower than one core.
    for cores in 2..10 {
        let units: Vec<_> = (0..40u32)
            .map(|i| broad_unit(f64::from(i % 5), &vec![f64::from(i % 3); (i % 4) as usize]))
            .collect();
        let work: f64 = units.iter().map(|unit| unit.broad + unit.batches.iter().sum::<f64>()).sum();
        assert_eq!(crossing::simulate(&units, &rules(1, 1, false)), work);
        for split in 1..cores {
            for stay in [false, true] {
                let time = crossing::simulate(&units, &rules(cores, split, stay));
                assert!(time >= work / cores as f64 && time <= work, "{cores} {split} {stay}: {time}");
            }
        }
    }
}
