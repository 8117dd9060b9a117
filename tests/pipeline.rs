//! The pipeline: every pair that touches and no other, the same bits from any number of threads, however these are divided, one phase after the other or both at once.

#[path = "support/hooks.rs"]
#[allow(dead_code)]
mod hooks;
#[path = "support/random.rs"]
#[allow(dead_code)]
mod random;

use hooks::Jobs;
use pccd::memory::{Buffer, Memory};
use pccd::mesh::{Mesh, MeshSettings};
use pccd::pipeline::core::{Core, Placed};
use pccd::pipeline::dispatch::{self, Body, Scratch};
use pccd::pipeline::epa::Polytope;
use pccd::pipeline::manifold::Manifold;
use pccd::pipeline::results::{BEGUN, ENDED, KEPT};
use pccd::pipeline::{
    Frame, Method, Mode, Object, ObjectSettings, Pipeline, PipelineSettings, Shape, StepOutcome, Transform,
};
use pccd::schedule::{Crew, Pool};
use pccd::simd::Level;
use random::Random;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

fn memory() -> Memory {
    Memory::new(None).unwrap()
}

fn pool(threads: usize) -> Crew {
    Crew::Pool(Pool::new(NonZeroUsize::new(threads).unwrap()).unwrap())
}

/// A ring, bent from squares.
fn torus(rings: usize, sides: usize) -> Mesh {
    let position = move |i: usize| {
        let (u, v) = ((i / sides) as f64 / rings as f64, (i % sides) as f64 / sides as f64);
        let (u, v) = (u * std::f64::consts::TAU, v * std::f64::consts::TAU);
        let r = 0.8 + 0.3 * v.cos();
        [r * u.cos(), 0.3 * v.sin(), r * u.sin()]
    };
    let triangle = move |t: usize| {
        let (i, j) = (t / 2 / sides, t / 2 % sides);
        let at = |i: usize, j: usize| (i % rings * sides + j % sides) as u32;
        if t.is_multiple_of(2) {
            [at(i, j), at(i, j + 1), at(i + 1, j)]
        } else {
            [at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)]
        }
    };
    let settings = MeshSettings { thickness: 0.0, category: 1, mask: 1, self_collision: false };
    Mesh::new(&memory(), settings, rings * sides, &position, 2 * rings * sides, &triangle).unwrap()
}

struct World {
    mesh: Mesh,
    pipeline: Pipeline,
}

const FREE: ObjectSettings =
    ObjectSettings { is_static: false, is_swept: false, category: 1, mask: !0, user_data: 0 };

fn turned(random: &mut Random) -> [f64; 4] {
    [0; 4].map(|_| random.between(-1.0, 1.0))
}

impl World {
    fn new(settings: PipelineSettings) -> World {
        World { mesh: torus(8, 6), pipeline: Pipeline::new(&memory(), settings) }
    }

    fn add(&mut self, shape: Shape, settings: ObjectSettings, transform: Transform) -> usize {
        let object = Object { id: 0, settings, shape, transform, last: transform, reach: 0.0 };
        let place = self.pipeline.objects.add(object).unwrap();
        self.pipeline.objects.get_mut(place).unwrap().id = place as u64 + 1000;
        place
    }

    fn mesh_shape(&mut self) -> Shape {
        Shape::Mesh { tree: self.pipeline.objects.tree_of(7, &self.mesh, Level::best()).unwrap() }
    }

    fn move_to(&mut self, place: usize, position: [f64; 3]) {
        let object = self.pipeline.objects.get_mut(place).unwrap();
        object.transform.position = position;
    }

    fn step(&mut self, crew: &Crew, level: Level) {
        let mesh = &self.mesh;
        let outcome = self.pipeline.step(crew, level, &|_| mesh, &AtomicBool::new(false)).unwrap();
        assert_eq!(outcome, StepOutcome::Done);
    }

    /// Objects of all shapes in a box of this size.
    fn fill(&mut self, random: &mut Random, count: usize, size: f64) {
        for i in 0..count {
            let shape = match i % 6 {
                0 => Shape::Sphere { radius: random.between(0.2, 0.8) },
                1 => {
                    Shape::Capsule { half_height: random.between(0.0, 0.8), radius: random.between(0.1, 0.5) }
                }
                2 | 3 => Shape::Box { half: [0; 3].map(|_| random.between(0.2, 0.8)) },
                4 => {
                    let mut points = Buffer::new(memory());
                    for _ in 0..4 + random.below(12) {
                        points.push([0; 3].map(|_| random.between(-0.8, 0.8))).unwrap();
                    }
                    Shape::Hull { points }
                }
                _ => self.mesh_shape(),
            };
            let settings = ObjectSettings {
                is_static: random.one_in(6),
                is_swept: random.one_in(5),
                category: 1 << random.below(2),
                mask: if random.one_in(8) { 1 } else { !0 },
                user_data: i as u64,
            };
            let position = [0; 3].map(|_| random.between(-size, size));
            let transform = Transform::new(position, turned(random)).unwrap();
            self.add(shape, settings, transform);
        }
    }

    /// The next place of all objects, by a generator of its own.
    fn shake(&mut self, random: &mut Random, by: f64) {
        for place in 0..self.pipeline.objects.place_count() {
            let moves = random.one_in(2);
            let (way, turn) = ([0; 3].map(|_| random.between(-by, by)), turned(random));
            let Some(object) = self.pipeline.objects.get_mut(place) else { continue };
            if moves {
                let at = object.transform.position;
                let rotation = [0, 1, 2, 3].map(|i| object.transform.rotation[i] + 0.2 * turn[i]);
                let position = [at[0] + way[0], at[1] + way[1], at[2] + way[2]];
                object.transform = Transform::new(position, rotation).unwrap();
            }
        }
    }

    fn body(&self, place: usize, origin: [f64; 3]) -> Body<'_> {
        let object = self.pipeline.objects.get(place).unwrap();
        let mesh = match object.shape {
            Shape::Mesh { tree } => Some((&self.mesh, &self.pipeline.objects.trees[tree].tree)),
            _ => None,
        };
        Body { shape: &object.shape, frame: object.frame().seen_from(origin), mesh }
    }
}

/// Hashes of several steps.
fn hashes(
    settings: PipelineSettings,
    crew: &Crew,
    level: Level,
    split: Option<[usize; 2]>,
    count: usize,
) -> Vec<u64> {
    let mut random = Random::new(3);
    let mut world = World::new(settings);
    world.fill(&mut random, count, 0.62 * (count as f64).cbrt());
    world.pipeline.fix_split(split);
    (0..3)
        .map(|step| {
            world.step(crew, level);
            let stats = world.pipeline.stats();
            assert!(stats.begun + stats.kept > 50, "a scene without contacts shows nothing");
            let hash = world.pipeline.results().hash();
            world.shake(&mut random, 0.3);
            if step == 1 {
                world.pipeline.objects.remove(5);
                world.pipeline.objects.remove(11);
            }
            hash
        })
        .collect()
}

#[test]
fn the_same_bits_from_any_number_of_threads() {
    // Sorted and swept, which otherwise comes with more objects.
    let (count, method) = (420, Method::Sweep);
    let base =
        PipelineSettings { margin: 0.05, method, mode: Mode::Sequential, ..PipelineSettings::default() };
    let golden = hashes(base, &pool(1), Level::Scalar, None, count);
    for threads in [1, 2, 3, 4, 7, 8, 16, 32] {
        for mode in [Mode::Sequential, Mode::Simultaneous] {
            for stay in [false, true] {
                if stay && mode == Mode::Sequential {
                    continue;
                }
                let settings = PipelineSettings { mode, stay, ..base };
                let crew = pool(threads);
                assert_eq!(
                    hashes(settings, &crew, Level::best(), None, count),
                    golden,
                    "{threads} {mode:?} {stay}"
                );
                if threads >= 2 && mode != Mode::Sequential {
                    for broad in [1, threads / 2, threads - 1] {
                        let split = Some([broad, threads - broad]);
                        assert_eq!(
                            hashes(settings, &crew, Level::best(), split, count),
                            golden,
                            "{threads} {split:?}"
                        );
                    }
                }
            }
        }
        for jobs in [Jobs::Inline, Jobs::AtTheEnd] {
            for stay in [false, true] {
                let settings = PipelineSettings { mode: Mode::Simultaneous, stay, ..base };
                let crew = hooks::crew(jobs, threads);
                assert_eq!(hashes(settings, &crew, Level::best(), None, count), golden, "{threads} {jobs:?}");
            }
        }
    }
    for method in [Method::BruteForce, Method::Sweep] {
        for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
            let settings = PipelineSettings { method, mode: Mode::Auto, ..base };
            assert_eq!(hashes(settings, &pool(2), level, None, count), golden, "{method:?} {level:?}");
        }
    }
}

/// The small part of the test above that ThreadSanitizer runs.
#[test]
fn few_threads() {
    let base = PipelineSettings { margin: 0.05, mode: Mode::Sequential, ..PipelineSettings::default() };
    let golden = hashes(base, &pool(1), Level::Scalar, None, 200);
    for stay in [false, true] {
        let settings = PipelineSettings { mode: Mode::Simultaneous, stay, method: Method::Sweep, ..base };
        let crew = pool(3);
        for split in [None, Some([1, 2]), Some([2, 1])] {
            assert_eq!(hashes(settings, &crew, Level::Scalar, split, 200), golden, "{stay} {split:?}");
        }
        assert_eq!(hashes(base, &crew, Level::Scalar, None, 200), golden);
    }
}

#[test]
fn pairs_are_those_that_touch() {
    let mut random = Random::new(11);
    for scene in 0..12 {
        let margin = [0.0, 0.1][scene % 2];
        let mut world = World::new(PipelineSettings { margin, ..PipelineSettings::default() });
        world.fill(&mut random, 150, 3.0);
        world.step(&pool(2), Level::best());
        let mut expected = Vec::new();
        let mut scratch = Scratch::new(&memory());
        for a in 0..150 {
            for b in a + 1..150 {
                let objects = &world.pipeline.objects;
                let (first, second) = (objects.get(a).unwrap(), objects.get(b).unwrap());
                if !first.may_meet(second) {
                    continue;
                }
                let origin = first.transform.position;
                let mut manifold = Manifold::default();
                dispatch::test(
                    world.body(a, origin),
                    world.body(b, origin),
                    margin,
                    &mut scratch,
                    &mut manifold,
                )
                .unwrap();
                if !manifold.points().is_empty() {
                    expected.push((a as u64 + 1000, b as u64 + 1000));
                }
            }
        }
        let found: Vec<_> =
            world.pipeline.results().pairs.iter().map(|pair| (pair.object_a, pair.object_b)).collect();
        assert_eq!(found, expected, "scene {scene}");
        assert!(found.len() > 20);
    }
}

/// Every test of the table against GJK and EPA on the same shapes.
#[test]
fn tests_of_simple_shapes_agree_with_the_general_one() {
    let mut random = Random::new(5);
    let mut world = World::new(PipelineSettings::default());
    world.fill(&mut random, 400, 2.2);
    let (mut scratch, mut polytope) = (Scratch::new(&memory()), Box::<Polytope>::default());
    let margin = 0.1;
    let mut touching = [0; 16];
    for a in 0..400 {
        for b in a + 1..400 {
            let (x, y) = (world.body(a, [0.0; 3]), world.body(b, [0.0; 3]));
            let (Some(p), Some(q)) = (x.shape.placed(x.frame), y.shape.placed(y.frame)) else { continue };
            let mut manifold = Manifold::default();
            dispatch::test(x, y, margin, &mut scratch, &mut manifold).unwrap();
            let general = dispatch::contact(&p, &q, margin, &mut polytope);
            let deepest = manifold.points().iter().map(|point| point.depth).fold(f64::NEG_INFINITY, f64::max);
            match general {
                // Within rounding of the margin either is right.
                None => assert!(manifold.points().is_empty() || deepest < 1e-9 - margin, "{a} {b}"),
                Some(contact) => {
                    let kinds = [x.shape.kind() as usize, y.shape.kind() as usize];
                    touching[kinds[0].min(kinds[1]) * 4 + kinds[0].max(kinds[1])] += 1;
                    assert!(
                        (deepest - contact.depth).abs() < 1e-6 + 2e-6 * contact.depth.abs(),
                        "{a} {b}: {deepest} against {} {kinds:?}",
                        contact.depth
                    );
                    for point in manifold.points() {
                        assert!(point.depth >= -margin);
                        let length: f64 = point.normal.iter().map(|n| n * n).sum();
                        assert!((length - 1.0).abs() < 1e-9);
                        // The point is as far from both shapes as its depth says: on the axis of the contact, inside of both or between them.
                        for shape in [&p, &q] {
                            let probe = Placed {
                                core: Core::Point,
                                frame: Frame { origin: point.point, ..Frame::IDENTITY },
                                radius: 0.0,
                            };
                            let near =
                                dispatch::contact(&probe, shape, f64::INFINITY, &mut polytope).unwrap();
                            assert!(near.depth >= -0.5 * point.depth.abs() - 1e-6, "{a} {b}: {}", near.depth);
                        }
                    }
                }
            }
        }
    }
    // Every entry of the table for convex shapes was tried.
    for first in 0..4 {
        for second in first..4 {
            assert!(touching[first * 4 + second] > 10, "{first} {second}: {touching:?}");
        }
    }
}

#[test]
fn a_box_that_lies_on_another_touches_it_at_four_corners() {
    let mut world = World::new(PipelineSettings { margin: 0.02, ..PipelineSettings::default() });
    let below = world.add(
        Shape::Box { half: [5.0, 0.5, 5.0] },
        ObjectSettings { is_static: true, ..FREE },
        Transform::IDENTITY,
    );
    let above = Transform { position: [1.0, 1.49, 0.5], ..Transform::IDENTITY };
    world.add(Shape::Box { half: [1.0; 3] }, FREE, above);
    world.step(&pool(1), Level::best());
    let results = world.pipeline.results();
    assert_eq!((results.pairs.len(), results.pairs[0].object_a), (1, below as u64 + 1000));
    let mut corners: Vec<[i64; 3]> = Vec::new();
    for point in results.points.iter() {
        assert!((point.depth - 0.01).abs() < 1e-12);
        assert_eq!(point.normal, [0.0, -1.0, 0.0], "from b, which is above, to a");
        corners.push(point.point.map(|x| (x * 1000.0).round() as i64));
    }
    corners.sort_unstable();
    assert_eq!(corners, [[0, 495, -500], [0, 495, 1500], [2000, 495, -500], [2000, 495, 1500]]);
}

#[test]
fn pairs_begin_go_on_and_end() {
    let crew = pool(2);
    let mut world = World::new(PipelineSettings::default());
    let at = |x: f64| Transform { position: [x, 0.0, 0.0], ..Transform::IDENTITY };
    let sphere = || Shape::Sphere { radius: 1.0 };
    let a = world.add(sphere(), FREE, at(0.0));
    let b = world.add(sphere(), FREE, at(1.5));
    let c = world.add(sphere(), FREE, at(10.0));
    let states = |world: &World| -> Vec<(u64, u64, u32)> {
        let pairs = world.pipeline.results().pairs.iter();
        pairs.map(|pair| (pair.object_a - 1000, pair.object_b - 1000, pair.state)).collect()
    };
    world.step(&crew, Level::best());
    assert_eq!(states(&world), [(0, 1, BEGUN)]);
    world.step(&crew, Level::best());
    assert_eq!(states(&world), [(0, 1, KEPT)]);
    world.move_to(c, [3.0, 0.0, 0.0]);
    world.move_to(a, [-3.0, 0.0, 0.0]);
    world.step(&crew, Level::best());
    assert_eq!(states(&world), [(0, 1, ENDED), (1, 2, BEGUN)]);
    world.step(&crew, Level::best());
    assert_eq!(states(&world), [(1, 2, KEPT)]);
    // Another object in the same place.
    world.pipeline.objects.remove(b);
    let again = world.add(sphere(), FREE, at(2.0));
    assert_eq!(again, b);
    world.pipeline.objects.get_mut(again).unwrap().id = 2000;
    world.step(&crew, Level::best());
    assert_eq!(states(&world), [(1, 2, ENDED), (1000, 2, BEGUN)]);
    world.pipeline.objects.remove(c);
    world.step(&crew, Level::best());
    assert_eq!(states(&world), [(1000, 2, ENDED)]);
    world.step(&crew, Level::best());
    assert_eq!(states(&world), []);
}

#[test]
fn a_cancelled_step_leaves_the_last_results() {
    for mode in [Mode::Sequential, Mode::Simultaneous] {
        let mut random = Random::new(9);
        let mut world = World::new(PipelineSettings { mode, ..PipelineSettings::default() });
        world.fill(&mut random, 300, 3.0);
        let crew = pool(2);
        world.step(&crew, Level::best());
        let (hash, pairs) = (world.pipeline.results().hash(), world.pipeline.results().pairs.len());
        world.shake(&mut random, 0.5);
        let mesh = &world.mesh;
        let outcome = world.pipeline.step(&crew, Level::best(), &|_| mesh, &AtomicBool::new(true)).unwrap();
        assert_eq!(outcome, StepOutcome::Cancelled);
        assert_eq!((world.pipeline.results().hash(), world.pipeline.results().pairs.len()), (hash, pairs));
        assert_eq!(world.pipeline.stats().steps, 1);
        world.step(&crew, Level::best());
        assert_ne!(world.pipeline.results().hash(), hash);
    }
}

/// A bullet through a thin wall, and past it; a stick that turns into it.
#[test]
fn swept_objects_do_not_pass_through_others() {
    let crew = pool(1);
    let swept = ObjectSettings { is_swept: true, ..FREE };
    for wall_is_mesh in [false, true] {
        let mut world = World::new(PipelineSettings::default());
        let wall = if wall_is_mesh {
            // A ring around the x axis after a quarter turn: the bullet hits its rim.
            let half = 0.5f64.sqrt();
            let shape = world.mesh_shape();
            world.add(shape, FREE, Transform::new([0.0; 3], [0.0, 0.0, half, half]).unwrap());
            0.3
        } else {
            let wall = Shape::Box { half: [0.01, 5.0, 5.0] };
            world.add(wall, ObjectSettings { is_static: true, ..FREE }, Transform::IDENTITY);
            0.01
        };
        let at = |y: f64| Transform { position: [-10.0, y, 0.0], ..Transform::IDENTITY };
        let hits = world.add(Shape::Sphere { radius: 0.1 }, swept, at(0.8));
        let misses = world.add(Shape::Sphere { radius: 0.1 }, swept, at(8.0));
        let ghost = world.add(Shape::Sphere { radius: 0.1 }, FREE, at(-0.8));
        world.step(&crew, Level::best());
        assert_eq!(world.pipeline.results().pairs.len(), 0);
        for (place, y) in [(hits, 0.8), (misses, 8.0), (ghost, -0.8)] {
            world.move_to(place, [10.0, y, 0.0]);
        }
        world.step(&crew, Level::best());
        let results = world.pipeline.results();
        assert_eq!(results.pairs.len(), 1);
        let pair = results.pairs[0];
        assert_eq!((pair.object_a, pair.object_b, pair.state), (1000, 1000 + hits as u64, BEGUN));
        assert!(pair.point_count > 0);
        let expected = (10.0 - 0.1 - wall) / 20.0;
        let early = if wall_is_mesh { 0.02 } else { 1e-6 };
        assert!(
            pair.toi <= expected + 1e-9 + early && pair.toi > expected - early,
            "{} {expected}",
            pair.toi
        );
        world.step(&crew, Level::best());
        assert_eq!(world.pipeline.results().pairs[0].state, ENDED);
    }
    // A stick that is turned by a quarter, and a sphere in the middle of its way.
    let mut world = World::new(PipelineSettings::default());
    let stick = world.add(Shape::Capsule { half_height: 2.0, radius: 0.05 }, swept, Transform::IDENTITY);
    let diagonal = Transform { position: [1.2, 1.2, 0.0], ..Transform::IDENTITY };
    world.add(Shape::Sphere { radius: 0.1 }, FREE, diagonal);
    world.step(&crew, Level::best());
    let half = 0.5f64.sqrt();
    let object = world.pipeline.objects.get_mut(stick).unwrap();
    object.transform = Transform::new([0.0; 3], [0.0, 0.0, -half, half]).unwrap();
    world.step(&crew, Level::best());
    let pairs = &world.pipeline.results().pairs;
    assert_eq!(pairs.len(), 1);
    assert!(pairs[0].toi > 0.3 && pairs[0].toi < 0.5, "{}", pairs[0].toi);
}

/// Two rings on random ways, against many moments of these: nobody who meets is missed, no time is late, and who is told does touch then.
#[test]
fn swept_meshes_do_not_pass_through_each_other() {
    const MOMENTS: usize = 300;
    let crew = pool(1);
    let swept = ObjectSettings { is_swept: true, ..FREE };
    let mut random = Random::new(21);
    let (mut scratch, mut met_on_the_way, mut passed) = (Scratch::new(&memory()), 0, 0);
    for case in 0..60 {
        let mut world = World::new(PipelineSettings::default());
        let places = [0, 1].map(|_| {
            let shape = world.mesh_shape();
            world.add(shape, swept, Transform::IDENTITY)
        });
        // One through or past the other; in some cases they only turn.
        let far = [3.0, 1.3, 6.0][case % 3];
        // Some pass over it.
        let above = if case % 4 == 0 { 2.4 } else { 0.0 };
        let mut ends = [[Transform::IDENTITY; 2]; 2];
        for (number, ends) in ends.iter_mut().enumerate() {
            let turned_at_first = turned(&mut random);
            for (end, transform) in ends.iter_mut().enumerate() {
                let mut position = [0; 3].map(|_| random.between(-0.7, 0.7));
                if number == 1 {
                    let side = if end == 0 { -1.0 } else { 1.0 };
                    position = [position[0] + side * far, position[1] + above, position[2]];
                }
                let more = turned(&mut random);
                let rotation = [0, 1, 2, 3].map(|i| turned_at_first[i] + 0.4 * end as f64 * more[i]);
                *transform = Transform::new(position, rotation).unwrap();
            }
        }
        for end in 0..2 {
            for (place, ends) in places.iter().zip(&ends) {
                let object = world.pipeline.objects.get_mut(*place).unwrap();
                object.transform = ends[end];
                if end == 0 {
                    object.last = object.transform;
                }
            }
            world.step(&crew, Level::best());
        }
        let results = world.pipeline.results();
        let told = results.pairs.iter().find(|pair| pair.state != ENDED);
        let mut touches = |time: f64, margin: f64| {
            let [mut a, mut b] = places.map(|place| world.body(place, [0.0; 3]));
            a.frame = Frame::new(&ends[0][0].between(&ends[0][1], time));
            b.frame = Frame::new(&ends[1][0].between(&ends[1][1], time));
            let mut manifold = Manifold::default();
            dispatch::test(a, b, margin, &mut scratch, &mut manifold).unwrap();
            !manifold.points().is_empty()
        };
        let seen = (0..=MOMENTS).map(|k| k as f64 / MOMENTS as f64).find(|&time| touches(time, 0.0));
        match (told, seen) {
            (None, None) => passed += 1,
            (Some(pair), seen) => {
                assert!(pair.toi <= seen.unwrap_or(1.0), "case {case}: {} is after {seen:?}", pair.toi);
                assert!(touches(pair.toi, 1e-4), "case {case}: nothing touches at {}", pair.toi);
                let before = (pair.toi - 0.02).max(0.0);
                assert!(
                    pair.toi == 0.0 || !touches(before, 0.0),
                    "case {case}: they touch before {}",
                    pair.toi
                );
                met_on_the_way += usize::from(pair.toi > 0.0);
            }
            (None, Some(time)) => panic!("case {case}: they touch at {time}, and that was missed"),
        }
    }
    assert!(met_on_the_way >= 20 && passed >= 3, "{met_on_the_way} {passed}");
}
