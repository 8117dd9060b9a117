//! Discrete queries: the grid, the hierarchy, all pairs one by one and an exact oracle find the same intersections.

mod support;

use pccd::bvh::{Bvh, BvhSettings};
use pccd::kdet::triangle_triangle::{self, Triangle};
use pccd::kdet::{
    COPLANAR, DiscreteQuery, DiscreteSettings, HAS_SEGMENT, Hashing, Intersection, Method, Reason, Wanted,
};
use pccd::memory::Memory;
use pccd::mesh::Mesh;
use pccd::schedule::Crew;
use pccd::simd::Level;
use std::env;
use support::scene::{Body, Point, Scene, pool};
use support::{intersection, scene_files, soups};

/// A pair as mesh, triangle, mesh, triangle.
type Pair = (u64, u32, u64, u32);

fn number(name: &str, default: u64) -> u64 {
    match env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is {text:?}; expected a number")),
        Err(_) => default,
    }
}

struct World {
    memory: Memory,
    meshes: Vec<(u64, Mesh)>,
    bvh: Bvh,
}

impl World {
    fn new(scene: &Scene) -> World {
        let memory = Memory::new(None).expect("the system has memory");
        let mut bvh = Bvh::new(&memory, Level::best(), BvhSettings::default());
        let mut meshes = Vec::new();
        for Body { id, settings, triangles, frames } in &scene.bodies {
            let (start, end) = (&frames[0], &frames[1]);
            let mut mesh =
                Mesh::new(&memory, *settings, start.len(), &|i| start[i], triangles.len(), &|i| triangles[i])
                    .expect("the system has memory");
            bvh.add(*id, &mesh).expect("the system has memory");
            mesh.move_to(&|i| end[i]);
            meshes.push((*id, mesh));
        }
        meshes.sort_by_key(|(id, _)| *id);
        World { memory, meshes, bvh }
    }

    fn run(&mut self, crew: &Crew, level: Level, settings: DiscreteSettings) -> DiscreteQuery {
        let mut query = DiscreteQuery::new(&self.memory, settings);
        let meshes = self.meshes.iter().map(|(id, mesh)| (*id, mesh));
        assert!(query.run(crew, level, meshes, Some(&mut self.bvh)).expect("the system has memory"));
        query
    }
}

fn settings_of(scene: &Scene, method: Method) -> DiscreteSettings {
    let wanted =
        Wanted { within_meshes: scene.query.within_meshes, between_meshes: scene.query.between_meshes };
    DiscreteSettings { wanted, method, with_segments: true, ..DiscreteSettings::default() }
}

fn pairs(intersections: &[Intersection]) -> Vec<Pair> {
    intersections.iter().map(|i| (i.mesh_a, i.triangle_a, i.mesh_b, i.triangle_b)).collect()
}

/// All pairs that may be asked for, in their order, with their triangles.
fn all_pairs(scene: &Scene) -> Vec<(Pair, [Triangle; 2])> {
    let mut triangles: Vec<(u64, u32, Triangle, &Body)> = Vec::new();
    for body in &scene.bodies {
        for (i, &vertices) in body.triangles.iter().enumerate() {
            let points = vertices.map(|vertex| body.frames[1][vertex as usize]);
            triangles.push((body.id, i as u32, Triangle { points, vertices }, body));
        }
    }
    triangles.sort_by_key(|(id, i, ..)| (*id, *i));
    let mut pairs = Vec::new();
    for (place, a) in triangles.iter().enumerate() {
        for b in &triangles[place + 1..] {
            let (first, second) = (a.3.settings, b.3.settings);
            let wanted = if a.0 == b.0 {
                scene.query.within_meshes && first.self_collision
            } else {
                scene.query.between_meshes
                    && first.mask & second.category != 0
                    && second.mask & first.category != 0
            };
            if wanted {
                // Vertices of different meshes are never the same.
                let mut other = b.2;
                if a.0 != b.0 {
                    other.vertices = other.vertices.map(|vertex| vertex + 1_000_000);
                }
                pairs.push(((a.0, a.1, b.0, b.1), [a.2, other]));
            }
        }
    }
    pairs
}

#[test]
fn both_methods_all_pairs_and_the_oracle_agree() {
    let (seed, count) = (number("PCCD_SCENE_SEED", 1), number("PCCD_SOUPS", 1200));
    let only = env::var("PCCD_SOUP").is_ok().then(|| number("PCCD_SOUP", 0));
    let crews = [pool(1), pool(3)];
    let (mut found, mut by_kind) = (0, [0; soups::KINDS.len()]);
    // The last one, of coordinates that are nothing as floats, was once cut off by the grid.
    let soups = (0..count).map(|soup| (seed, soup)).chain([(11, 63_741)]);
    for (seed, soup) in soups.filter(|(_, soup)| only.is_none_or(|only| only == *soup)) {
        let scene = soups::soup(seed, soup);
        let name = format!("PCCD_SCENE_SEED={seed} PCCD_SOUP={soup} ({})", scene.name);
        let mut expected = Vec::new();
        for (pair, [a, b]) in all_pairs(&scene) {
            let truth = intersection::intersect([a.points, b.points], [a.vertices, b.vertices]);
            assert_eq!(triangle_triangle::intersect(&a, &b), truth, "{name}: {pair:?} {a:?} {b:?}");
            assert_eq!(triangle_triangle::intersect(&b, &a), truth, "{name}: {pair:?} the other way round");
            if truth {
                expected.push(pair);
            }
        }
        found += expected.len();
        by_kind[soup as usize % soups::KINDS.len()] += expected.len();
        let mut world = World::new(&scene);
        let reference = world.run(&crews[0], Level::Scalar, settings_of(&scene, Method::Bvh));
        assert_eq!(pairs(reference.intersections()), expected, "{name}: hierarchy");
        for (place, (method, hashing)) in
            [(Method::Grid, Hashing::Morton), (Method::Grid, Hashing::Djb2), (Method::Auto, Hashing::Morton)]
                .into_iter()
                .enumerate()
        {
            let settings = DiscreteSettings { hashing, ..settings_of(&scene, method) };
            let crew = &crews[(soup as usize + place) % 2];
            let query = world.run(crew, Level::best(), settings);
            assert_eq!(pairs(query.intersections()), expected, "{name}: {method:?} {hashing:?}");
            assert_eq!(query.intersections(), reference.intersections(), "{name}: {method:?} {hashing:?}");
            assert_eq!(query.hash(), reference.hash(), "{name}");
        }
        for intersection in reference.intersections() {
            check_segment(&scene, intersection, &name);
        }
    }
    println!(
        "{count} soups, {found} intersections: {:?}",
        soups::KINDS.iter().zip(by_kind).collect::<Vec<_>>()
    );
    if only.is_none() && count >= 600 {
        assert!(by_kind.iter().all(|&found| found > 20), "every kind of soup has intersections: {by_kind:?}");
    }
}

/// What soups are there for is really in them.
#[test]
fn soups_have_all_that_can_go_wrong() {
    use pccd::kdet::orientation::volume_sign;
    let minus = |p: Point, q: Point| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
    let square = |p: Point| p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
    let cross = |p: Point, q: Point| {
        [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
    };
    // Sides of a triangle's corners, as seen from another one.
    let sides = |a: &Triangle, b: &Triangle| {
        let [p, q, r] = &a.points;
        b.points.each_ref().map(|corner| volume_sign(p, q, r, corner))
    };
    let longest = |t: &Triangle| {
        let [a, b, c] = t.points;
        square(minus(b, a)).max(square(minus(c, b))).max(square(minus(a, c))).sqrt()
    };
    let area =
        |t: &Triangle| square(cross(minus(t.points[1], t.points[0]), minus(t.points[2], t.points[0]))).sqrt();
    let (mut touching, mut coplanar, mut duplicate, mut same_vertices) = (0, 0, 0, 0);
    let (mut slivers, mut degenerate, mut high, mut high_soups, mut sharing) = (0, 0, 0, 0, 0);
    for number in 0..1200 {
        let scene = soups::soup(1, number);
        let triangles: Vec<Triangle> = scene
            .bodies
            .iter()
            .flat_map(|body| {
                let of = |vertices: &[u32; 3]| vertices.map(|vertex| body.frames[1][vertex as usize]);
                body.triangles
                    .iter()
                    .map(move |vertices| Triangle { points: of(vertices), vertices: *vertices })
            })
            .collect();
        for triangle in triangles.iter().filter(|triangle| longest(triangle).is_finite()) {
            let (area, longest) = (area(triangle), longest(triangle));
            degenerate += u32::from(volume_free(triangle));
            slivers += u32::from(area > 0.0 && area < 1e-9 * longest * longest);
        }
        if scene.name == "height 30" {
            let lengths = triangles.iter().map(longest).filter(|&length| length > 0.0);
            let (least, most) = lengths.fold((f64::INFINITY, 0.0f64), |(a, b), x| (a.min(x), b.max(x)));
            high += u32::from((most / least).log2() >= 30.0);
            high_soups += 1;
        }
        for (_, [a, b]) in all_pairs(&scene) {
            let shared = a.vertices.iter().filter(|vertex| b.vertices.contains(vertex)).count();
            sharing += u32::from(shared > 0);
            let mut corners = [a.points, b.points];
            corners.iter_mut().for_each(|corners| corners.sort_by(|p, q| p.partial_cmp(q).expect("numbers")));
            let is_duplicate = corners[0] == corners[1] && !volume_free(&a);
            duplicate += u32::from(is_duplicate && shared == 0);
            same_vertices += u32::from(is_duplicate && shared == 3);
            if shared > 0 || volume_free(&a) || volume_free(&b) || !triangle_triangle::intersect(&a, &b) {
                continue;
            }
            let both = [sides(&a, &b), sides(&b, &a)];
            let is_coplanar = both[0] == [0; 3];
            coplanar += u32::from(is_coplanar);
            // All of one is on one side of the other, and yet they have a point in common.
            let is_beside = both.iter().any(|sides| !(sides.contains(&1) && sides.contains(&-1)));
            touching += u32::from(is_beside && !is_coplanar);
        }
    }
    let counts = [touching, coplanar, duplicate, same_vertices, slivers, degenerate, sharing];
    println!("{counts:?}, {high} of {high_soups} soups are at least 30 high");
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
    assert!(high_soups == 100 && 3 * high > 2 * high_soups, "{high} of {high_soups}");
}

/// Whether a triangle has no area: it has no volume with any other point.
fn volume_free(triangle: &Triangle) -> bool {
    let [a, b, c] = &triangle.points;
    let beside = [0, 1, 2].map(|axis| {
        let mut point = *a;
        point[axis] += if point[axis].abs() < 1.0 { 1.0 } else { point[axis] };
        point
    });
    beside.iter().all(|point| pccd::kdet::orientation::volume_sign(a, b, c, point) == 0)
}

/// The ends are close to both triangles: within the box of each, and near the plane of each.
fn check_segment(scene: &Scene, intersection: &Intersection, name: &str) {
    assert!(intersection.flags & HAS_SEGMENT != 0);
    let corners = |mesh: u64, triangle: u32| {
        let body = scene.body(mesh);
        body.triangles[triangle as usize].map(|vertex| body.frames[1][vertex as usize])
    };
    let sides = [
        corners(intersection.mesh_a, intersection.triangle_a),
        corners(intersection.mesh_b, intersection.triangle_b),
    ];
    let largest = sides.iter().flatten().flatten().fold(0.0f64, |most, x| most.max(x.abs()));
    for end in intersection.segment {
        for side in &sides {
            for axis in 0..3 {
                let (least, most) =
                    side.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), p| {
                        (least.min(p[axis]), most.max(p[axis]))
                    });
                // And rounding of the smallest numbers.
                let slack = largest * 1e-12 + 1e-321;
                assert!(
                    least - slack <= end[axis] && end[axis] <= most + slack,
                    "{name}: {intersection:?} {side:?}"
                );
            }
        }
    }
}

#[test]
fn segments_of_known_pairs() {
    let at = |points: [[Point; 3]; 2], shared: bool| {
        let vertices: Vec<Point> = points.iter().flatten().copied().collect();
        let second = if shared { [0, 4, 5] } else { [3, 4, 5] };
        let body = Body::new(1, vec![[0, 1, 2], second], vec![vertices.clone(), vertices]);
        let scene = Scene::new("known", vec![body]);
        let mut world = World::new(&scene);
        let query = world.run(&pool(1), Level::best(), settings_of(&scene, Method::Grid));
        query.intersections().first().map(|found| (found.flags & COPLANAR != 0, found.segment))
    };
    let floor = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    let wall = [[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, -3.0, 0.0]];
    let (coplanar, mut ends) = at([floor, wall], false).expect("they cross");
    ends.sort_by(|a, b| a[1].total_cmp(&b[1]));
    assert_eq!((coplanar, ends), (false, [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]));
    let touching = [[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [2.0, 1.0, 1.0]];
    assert_eq!(at([floor, touching], false), Some((false, [[1.0, 1.0, 0.0]; 2])));
    let (coplanar, ends) =
        at([floor, [[1.0, 1.0, 0.0], [9.0, 1.0, 0.0], [1.0, 9.0, 0.0]]], false).expect("overlap");
    assert_eq!((coplanar, ends), (true, [[3.0, 1.0, 0.0], [1.0, 3.0, 0.0]]));
    // With a common vertex: nothing beyond it, and something.
    assert_eq!(at([floor, [[0.0; 3], [-1.0, 0.0, 1.0], [-1.0, 1.0, 1.0]]], true), None);
    let (_, ends) = at([floor, [[0.0; 3], [1.0, 1.0, 1.0], [1.0, 1.0, -1.0]]], true).expect("beyond it");
    assert!(ends.contains(&[0.0; 3]) && ends.contains(&[1.0, 1.0, 0.0]));
}

#[test]
fn capacity_keeps_the_first() {
    let scene = (0..).map(|i| soups::soup(3, i)).find(|scene| {
        let mut world = World::new(scene);
        world.run(&pool(1), Level::best(), settings_of(scene, Method::Grid)).intersections().len() > 8
    });
    let scene = scene.expect("there is one");
    let mut world = World::new(&scene);
    let all = world.run(&pool(1), Level::best(), settings_of(&scene, Method::Bvh));
    for method in [Method::Bvh, Method::Grid] {
        let settings = DiscreteSettings { capacity: 5, ..settings_of(&scene, method) };
        let some = world.run(&pool(2), Level::best(), settings);
        assert_eq!(some.intersections(), &all.intersections()[..5]);
        assert_eq!(some.stats().dropped as usize, all.intersections().len() - 5);
        assert_eq!(some.stats().intersections as usize, all.intersections().len());
    }
}

#[test]
fn auto_says_what_it_chose_and_why() {
    let scene = soups::soup(1, 2);
    let mut world = World::new(&scene);
    let auto = settings_of(&scene, Method::Auto);
    let crew = pool(1);
    let chosen = |query: DiscreteQuery| (query.stats().method, query.stats().reason);
    assert_eq!(chosen(world.run(&crew, Level::best(), auto)), (Method::Bvh, Reason::Moves));
    let meshes = &world.meshes;
    let mesh_of = |id: u64| &meshes.iter().find(|(own, _)| *own == id).expect("a mesh").1;
    world.bvh.update(&mesh_of).expect("the system has memory");
    assert_eq!(chosen(world.run(&crew, Level::best(), auto)), (Method::Bvh, Reason::Rests));
    let mut query = DiscreteQuery::new(&world.memory, auto);
    let meshes = world.meshes.iter().map(|(id, mesh)| (*id, mesh));
    query.run(&crew, Level::best(), meshes, None).expect("the system has memory");
    assert_eq!(chosen(query), (Method::Grid, Reason::NoHierarchy));
    assert_eq!(
        chosen(world.run(&crew, Level::best(), settings_of(&scene, Method::Grid))),
        (Method::Grid, Reason::Asked)
    );
}

/// The numbers are those that CGAL 5.5 finds with exact predicates (`Polygon_mesh_processing::self_intersections`).
#[test]
fn published_scenes_have_the_known_pairs() {
    let Some(files) = scene_files::load_all() else { return };
    for file in files {
        let expected = match file.name.as_str() {
            "cloth-ball" => 99_872,
            "cloth-funnel" => 382,
            "n-body-simulation" => 4_401,
            other => panic!("{other} is a scene whose pairs are not known"),
        };
        let mut world = World::new(&file.scene);
        let mut first: Option<DiscreteQuery> = None;
        for (method, hashing, workers) in [
            (Method::Bvh, Hashing::Morton, 1),
            (Method::Grid, Hashing::Morton, 1),
            (Method::Grid, Hashing::Djb2, 2),
            (Method::Bvh, Hashing::Morton, 3),
            (Method::Grid, Hashing::Morton, 7),
        ] {
            for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
                let settings = DiscreteSettings { hashing, ..settings_of(&file.scene, method) };
                let query = world.run(&pool(workers), level, settings);
                assert_eq!(query.intersections().len(), expected, "{} {method:?} {level:?}", file.name);
                let first = first.get_or_insert(query);
                if first.intersections().len() == expected {
                    let again = world.run(&pool(workers), level, settings);
                    assert_eq!(again.hash(), first.hash(), "{} {method:?} {level:?}", file.name);
                }
            }
        }
        println!("{}: {expected} pairs", file.name);
    }
}
