//! The same bits for every number of threads, whoever these are, and however work finds them: pool, hooks of a job system (on threads of its own, all inline, or one after the other
//! at the end), donated threads; both schedulers; several runs of each.

mod support;

use pccd::detect::{Mode, SchedulerKind};
use pccd::schedule::Crew;
use pccd::simd::Level;
use std::thread;
use std::time::Duration;
use support::hooks::{self, Jobs};
use support::random::Random;
use support::scene::{Body, Found, Point, Scene, World, pool};
use support::scene_files;
use support::scenes::shapes;

const COUNTS: [usize; 8] = [1, 2, 3, 4, 7, 8, 16, 32];
const SCHEDULERS: [SchedulerKind; 2] = [SchedulerKind::Assignment, SchedulerKind::Stealing];
const RUNS: usize = 3;

/// Who runs the workers.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Pool,
    HooksOnThreads,
    HooksInline,
    HooksAtTheEnd,
    Donated,
}

const WAYS: [Way; 5] = [Way::Pool, Way::HooksOnThreads, Way::HooksInline, Way::HooksAtTheEnd, Way::Donated];

fn crew(way: Way, workers: usize) -> Crew {
    match way {
        Way::Pool => pool(workers),
        Way::Donated => pool(1),
        Way::HooksOnThreads => hooks::crew(Jobs::OnThreads, workers),
        Way::HooksInline => hooks::crew(Jobs::Inline, workers),
        Way::HooksAtTheEnd => hooks::crew(Jobs::AtTheEnd, workers),
    }
}

fn run(world: &mut World, scene: &Scene, way: Way, workers: usize) -> Found {
    if way != Way::Donated {
        return world.run(Level::best(), &scene.query);
    }
    world.run_donated(workers, &scene.query, &|take_part| {
        // one less than there are places, one of them late; the owner takes the last place
        thread::scope(|scope| {
            let threads: Vec<_> = (1..workers)
                .map(|i| {
                    scope.spawn(move || {
                        if i == 1 {
                            thread::sleep(Duration::from_micros(300));
                        }
                        take_part();
                    })
                })
                .collect();
            threads.into_iter().for_each(|thread| thread.join().expect("no thread panics"));
        });
    })
}

/// What happened on the way to the same contacts.
#[derive(Default)]
struct Seen {
    /// Nodes.
    rebuilds: u64,
    /// Pairs of self-CD task units that were split.
    given_away: usize,
}

/// Runs all steps of a scene in these ways and compares with one thread. Trees of a lower quality are rebuilt as a whole.
fn check(scene: &Scene, quality: f64, counts: &[usize], ways: &[Way], runs: usize) -> Seen {
    // The deques first meet a thread here, before others come: they set up something global, in an order that ThreadSanitizer (`make tsan`) cannot see, because it is the code of `std`
    // that ensures it. That a thread is created after it, it does see.
    let [golden, stealing] = SCHEDULERS.map(|scheduler| {
        let mut world = World::new(scene, quality);
        world.scheduler = scheduler;
        hashes(&mut world, scene, Way::Pool, 1, &mut Seen::default())
    });
    assert_eq!(golden, stealing, "{}: one worker", scene.name);
    assert!(
        golden.iter().any(|&(_, contacts)| contacts > 0),
        "{}: a scene without contacts shows nothing",
        scene.name
    );
    let mut seen = Seen::default();
    for &workers in counts {
        for &way in ways {
            for scheduler in SCHEDULERS {
                for run in 0..runs {
                    let mut world = World::new(scene, quality);
                    world.crew = crew(way, workers);
                    world.scheduler = scheduler;
                    world.record();
                    let found = hashes(&mut world, scene, way, workers, &mut seen);
                    let label =
                        format!("{}: {workers} workers, {way:?}, {scheduler:?}, run {run}", scene.name);
                    assert_eq!(found, golden, "{label}: hashes and numbers of contacts");
                    seen.rebuilds += world.info().node_rebuild_count;
                }
            }
        }
    }
    seen
}

/// The hash and the number of contacts of each step.
fn hashes(world: &mut World, scene: &Scene, way: Way, workers: usize, seen: &mut Seen) -> Vec<(u64, usize)> {
    (0..scene.step_count())
        .map(|step| {
            if step > 0 {
                world.move_all(scene, step);
            }
            let found = run(world, scene, way, workers);
            seen.given_away += world.given_away();
            (found.hash, found.contacts.len())
        })
        .collect()
}

/// A sheet in four layers that shakes and is twisted and pressed from frame to frame, so much that a tree which is only refitted culls nothing any more.
fn twisting_sheet(sheet: &[Point], frames: usize) -> Vec<Vec<Point>> {
    let mut random = Random::new(11);
    (0..frames)
        .map(|frame| {
            let t = frame as f64 / frames as f64;
            let mut twist = |&[x, y, _]: &Point| {
                // the layers move apart again at the end, to other places
                let (layer, along) = ((4.0 * x).floor(), (4.0 * x).fract());
                let along = if layer as i64 % 2 == 0 { along } else { 1.0 - along };
                let height = 0.01 * layer + random.between(-0.01, 0.01) * t * (1.0 - t);
                let (sin, cos) = (9.0 * t * along + 3.0 * t * layer).sin_cos();
                let (y, z) = ((y - 0.5) * (1.0 - 0.5 * t), height + 0.05 * t * (5.0 * y + layer).sin());
                [along * (1.0 - 0.8 * t), cos * y - sin * z, sin * y + cos * z]
            };
            sheet.iter().map(&mut twist).collect()
        })
        .collect()
}

/// Four clouds of 512 triangles, each in eight cells of 64. In the step there is, the triangles of a cell change places with each other: its box stays as it is, and those below it
/// become useless. So nodes of cells are bad, and those of clouds, above them, are not.
///
/// In one of the clouds cells reach into each other, and the first two are one tangle: so its unit has a pair that takes much longer than all others
/// and is the last one to be looked at. In the other clouds there is nothing to do, and who has them is idle soon. So pairs of the long unit are given away, this one
/// first. Then come the units of its cells, and would rebuild them while somebody else still looks at them, were it not forbidden.
fn swarming_clouds() -> Scene {
    const CELL: usize = 64;
    let mut random = Random::new(23);
    let mut frames = vec![Vec::new(); 2];
    for cloud in 0..4 {
        for cell in 0..8 {
            // The distance of cells, the width of places, and that of triangles. Along x the cloud is widest, then along y: this is how it is cut.
            let (distance, width, size) = match (cloud, cell) {
                (1, 0 | 1) => ([1.2, 1.1, 1.0], [0.99; 3], [0.3, 0.3, 2.0]),
                (1, _) => ([1.2, 1.1, 1.0], [0.99; 3], [0.3; 3]),
                _ => ([3.6, 3.3, 3.0], [0.99; 3], [0.01; 3]),
            };
            let place = [cell >> 2, cell >> 1 & 1, cell & 1];
            let mut places: Vec<[Point; 3]> = (0..CELL)
                .map(|_| {
                    let mut centre: Point = [0, 1, 2].map(|axis| {
                        f64::from(place[axis]) * distance[axis] + random.between(0.0, width[axis])
                    });
                    centre[0] += 50.0 * f64::from(cloud);
                    // Around the centre, by which triangles are sorted into cells.
                    let mut corner = || [0, 1, 2].map(|axis| size[axis] * random.between(-0.5, 0.5));
                    let [a, b]: [Point; 2] = [corner(), corner()];
                    [a, b, [0, 1, 2].map(|axis| -a[axis] - b[axis])]
                        .map(|corner| [0, 1, 2].map(|axis| centre[axis] + corner[axis]))
                })
                .collect();
            for frame in &mut frames {
                frame.extend(places.iter().flatten());
                for last in (1..CELL).rev() {
                    places.swap(last, random.below(last + 1));
                }
            }
        }
    }
    let triangles = (0..frames[0].len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    // With this id, it is moved after the tree was built.
    Scene::new("swarming clouds", vec![Body::new(2, triangles, frames)])
}

fn deforming_scenes() -> Vec<Scene> {
    let sheet = shapes::grid(24, 13);
    let mut random = Random::new(7);
    let ball = shapes::sphere(&mut random, 301);
    let fly = |frame: usize| -> Vec<Point> {
        ball.points.iter().map(|&[x, y, z]| [0.2 * x + 0.1 * frame as f64, 0.2 * y, 0.2 * z]).collect()
    };
    let frames = 3;
    let twisting = Body::new(3, sheet.triangles.clone(), twisting_sheet(&sheet.points, frames));
    let flying = Body::new(8, ball.triangles.clone(), (0..frames).map(fly).collect());
    let alone = Scene::new("twisting sheet", vec![Body::new(3, sheet.triangles, twisting.frames.clone())]);
    let mut both = Scene::new("twisting sheet and ball", vec![twisting, flying]);
    both.bodies[1].settings.self_collision = false;
    let mut earliest = Scene::new("earliest", both.bodies.clone());
    earliest.query.mode = Mode::Earliest;
    let mut candidates = Scene::new("candidates", both.bodies.clone());
    candidates.query.mode = Mode::Candidates;
    candidates.query.capacity = 5000;
    vec![alone, both, earliest, candidates]
}

#[test]
fn deformation_that_makes_nodes_bad() {
    for (place, scene) in deforming_scenes().iter().enumerate() {
        // The other scenes differ in what they ask, not in how work is shared.
        let seen = check(scene, 0.5, &COUNTS, &WAYS, if place == 0 { RUNS } else { 1 });
        assert!(seen.rebuilds > 0, "{}: nodes were rebuilt", scene.name);
    }
}

/// Units are split, and nodes rebuilt around what was given away.
#[test]
fn units_that_are_split() {
    let seen = check(&swarming_clouds(), 0.0, &COUNTS[..5], &WAYS, 1);
    println!("nodes rebuilt: {}, pairs given away: {}", seen.rebuilds, seen.given_away);
    assert!(seen.rebuilds > 0 && seen.given_away > 0, "nodes were rebuilt, and units split");
}

/// Little enough for ThreadSanitizer (`make tsan`), under which everything takes ten times as long: three threads are enough for one that gives, one that asks and one
/// that does something else. Both schedulers; the deques of the second one know when they are compiled for it, and do without fences then, of which it knows nothing.
#[test]
fn few_threads() {
    // All that is between meshes and within them; for other questions, the pool.
    for (place, scene) in deforming_scenes().iter().enumerate().skip(1) {
        let seen = check(scene, 0.5, &[3], if place == 1 { &WAYS } else { &WAYS[..1] }, 1);
        assert!(seen.rebuilds > 0, "{}: nodes were rebuilt", scene.name);
    }
    let seen = check(&swarming_clouds(), 0.0, &[3], &[Way::Pool, Way::Donated], RUNS);
    println!("nodes rebuilt: {}, pairs given away: {}", seen.rebuilds, seen.given_away);
    assert!(seen.rebuilds > 0 && seen.given_away > 0, "nodes were rebuilt, and units split");
}

#[test]
fn published_scenes() {
    let Some(files) = scene_files::load_all() else { return };
    for file in &files {
        check(&file.scene, 0.5, &COUNTS, &WAYS, RUNS);
    }
}
