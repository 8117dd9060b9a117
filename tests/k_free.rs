//! The k-free predicate: against rational numbers, and on meshes of which the kDet paper says what to expect.

mod support;

use pccd::kdet::{DiscreteQuery, DiscreteSettings, Fans, Method, Summary, TriangleK, Wanted, k_free};
use pccd::memory::{Buffer, Memory};
use pccd::mesh::Mesh;
use pccd::simd::Level;
use std::env;
use support::models::{self, Model};
use support::random::Random;
use support::scene::{Body, default_mesh_settings, pool};
use support::soups;

fn mesh_of(memory: &Memory, model: &Model) -> Mesh {
    let Model { points, triangles } = model;
    Mesh::new(memory, default_mesh_settings(), points.len(), &|i| points[i], triangles.len(), &|i| {
        triangles[i]
    })
    .expect("the system has memory")
}

fn meshes_of(memory: &Memory, bodies: &[&Body]) -> Vec<(u64, Mesh)> {
    let of = |body: &&Body| {
        let model = Model { points: body.frames[1].clone(), triangles: body.triangles.clone() };
        (body.id, mesh_of(memory, &model))
    };
    bodies.iter().map(of).collect()
}

/// The report of some meshes, and all triangles or polygons, the worst first.
fn report(
    memory: &Memory,
    meshes: &[(u64, Mesh)],
    fans: Option<&[Fans<'_>]>,
    workers: usize,
) -> (Summary, Vec<TriangleK>) {
    let mut results = Buffer::new(memory.clone());
    let meshes = meshes.iter().map(|(id, mesh)| (*id, mesh));
    let summary = k_free(memory, &pool(workers), meshes, fans, &mut results).expect("the system has memory");
    (summary, results.to_vec())
}

fn report_of(model: &Model) -> Summary {
    let memory = Memory::new(None).expect("the system has memory");
    report(&memory, &[(1, mesh_of(&memory, model))], None, 2).0
}

/// Polygons of random numbers of triangles, which need not be fans at all: they are sets of triangles with one sphere.
fn random_fans(random: &mut Random, triangle_count: usize, with_polygons: bool) -> Vec<u32> {
    let (mut fans, mut left) = (Vec::new(), triangle_count);
    while left > 0 {
        let size = if with_polygons { 1 + random.below(left.min(3)) } else { 1 };
        fans.push(size as u32);
        left -= size;
    }
    fans
}

#[test]
fn k_is_that_of_rational_numbers_and_never_too_small() {
    let count = env::var("PCCD_SOUPS").map_or(360, |text| text.parse().expect("PCCD_SOUPS is a number"));
    let (mut compared, mut too_large, mut polygons) = (0, 0, 0);
    for number in 0..count {
        let scene = soups::soup(5, number);
        let mut random = Random::stream(6, number);
        let with_polygons = number % 2 == 1;
        let mut bodies: Vec<&Body> = scene.bodies.iter().collect();
        bodies.sort_by_key(|body| body.id);
        let sizes: Vec<Vec<u32>> =
            bodies.iter().map(|body| random_fans(&mut random, body.triangles.len(), with_polygons)).collect();
        let expected = support::k_free::smallest_k(&bodies, &sizes.concat());
        let mut fans = Vec::new();
        let mut first = 0;
        for sizes in &sizes {
            fans.push(Fans { first, sizes });
            first += sizes.len() as u32;
        }
        let memory = Memory::new(None).expect("the system has memory");
        let meshes = meshes_of(&memory, &bodies);
        let given = with_polygons.then_some(&fans[..]);
        let (summary, mut found) = report(&memory, &meshes, given, 1 + number as usize % 3);
        let name = format!("soup {number} ({})", scene.name);
        assert!(found.windows(2).all(|pair| pair[0].k >= pair[1].k), "{name}: the worst are first");
        found.sort_by_key(|result| (result.mesh, result.triangle));
        assert_eq!(found.len(), expected.len(), "{name}");
        for (place, (result, &k)) in found.iter().zip(&expected).enumerate() {
            assert!(result.k >= k, "{name}: k of polygon {place} is {} and should be {k}", result.k);
            assert_eq!(result.polygon, if with_polygons { place as u32 } else { 0 }, "{name}");
            assert!(result.neighbours < result.k, "{name}");
            too_large += u32::from(result.k > k);
            compared += 1;
        }
        polygons += sizes.iter().flatten().filter(|&&size| size > 1).count();
        assert_eq!(summary.k_max, u64::from(found.iter().map(|result| result.k).max().unwrap_or(0)));
        assert_eq!(summary.polygon_count, found.len() as u64);
        let circles: u64 = sizes.iter().flatten().map(|&size| if size > 1 { 7 } else { 3 }).sum();
        assert_eq!(summary.bound, circles * summary.k_max, "{name}");
        let mean = found.iter().map(|result| f64::from(result.k)).sum::<f64>() / found.len() as f64;
        assert!((summary.k_mean - mean).abs() < 1e-12, "{name}");
    }
    println!("{compared} of them {polygons} polygons; {too_large} are too large");
    assert!(compared > 5 * count as u32 && polygons > count as usize / 2);
    // Where rounding leaves open whether a triangle is close it counts. That is rare.
    assert!(too_large <= compared / 500, "{too_large} of {compared}");
}

#[test]
fn results_are_the_same_for_any_number_of_workers() {
    let memory = Memory::new(None).expect("the system has memory");
    let meshes = [(3, mesh_of(&memory, &models::spheres(6, 3))), (8, mesh_of(&memory, &models::cloth(40)))];
    let first = report(&memory, &meshes, None, 1);
    assert_eq!(first.0.triangle_count, 6 * 1280 + 3200);
    for workers in [2, 3, 7] {
        assert!(report(&memory, &meshes, None, workers) == first, "{workers} workers");
    }
}

/// A polyhedron is closed if each edge has two triangles, and nothing intersects.
#[test]
fn chazelle_polyhedra_are_polyhedra() {
    for notches in [1, 2, 5, 12] {
        let model = models::chazelle(notches);
        let mut edges: Vec<[u32; 2]> = model
            .triangles
            .iter()
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]].map(|[p, q]| [p.min(q), p.max(q)]))
            .collect();
        edges.sort_unstable();
        assert!(edges.chunks(2).all(|pair| pair[0] == pair[1]), "{notches} notches");
        edges.dedup();
        assert_eq!(2 * edges.len(), 3 * model.triangles.len(), "each edge has two triangles");
        let (vertices, faces) = (model.points.len() as i64, model.triangles.len() as i64);
        assert_eq!(vertices - edges.len() as i64 + faces, 2, "it is one sphere by its connections");
        assert_eq!(pairs(&[&model], Wanted { within_meshes: true, between_meshes: false }), 0);
    }
}

fn pairs(models: &[&Model], wanted: Wanted) -> usize {
    let memory = Memory::new(None).expect("the system has memory");
    let meshes: Vec<Mesh> = models.iter().map(|model| mesh_of(&memory, model)).collect();
    let settings = DiscreteSettings { wanted, method: Method::Grid, ..DiscreteSettings::default() };
    let mut query = DiscreteQuery::new(&memory, settings);
    let meshes = meshes.iter().enumerate().map(|(i, mesh)| (1 + i as u64, mesh));
    query.run(&pool(1), Level::best(), meshes, None).expect("the system has memory");
    query.intersections().len()
}

/// Two copies, one turned by a right angle and moved a little: the walls of the one go through all walls of the other.
fn pairs_of_two(model: &Model, side: f64) -> usize {
    let turned = model.clone().moved(|[x, y, z]| [side - y + 0.3, x + 0.2, z - 0.4]);
    pairs(&[model, &turned], Wanted { within_meshes: false, between_meshes: true })
}

#[test]
fn chazelle_polyhedra_have_a_k_that_grows_with_them() {
    let rows: Vec<(Summary, usize)> = [8, 16, 32]
        .map(|notches| {
            let model = models::chazelle(notches);
            (report_of(&model), pairs_of_two(&model, notches as f64 + 1.0))
        })
        .into();
    for pair in rows.windows(2) {
        let [(small, few), (large, many)] = [pair[0], pair[1]];
        let growth = large.triangle_count as f64 / small.triangle_count as f64;
        assert!(large.k_max as f64 > 0.85 * growth * small.k_max as f64, "{small:?} {large:?}");
        assert!(large.k_mean > 0.85 * growth * small.k_mean, "{small:?} {large:?}");
        // And so do intersecting pairs, with its square: no bound with a constant k would hold.
        assert!(many as f64 > 0.85 * growth * growth * few as f64, "{few} {many}");
        assert!(many as u64 <= 2 * large.bound, "{many} {large:?}");
    }
    let last = rows[2].0;
    assert!(last.k_max > last.triangle_count / 4, "{last:?}");
    // It is not that sizes differ.
    assert!(last.height < 7.0, "{last:?}");
}

#[test]
fn ordinary_meshes_have_a_small_k_whatever_their_size() {
    type Generator = fn(usize) -> Model;
    let generators: [(&str, Generator, [usize; 3]); 4] = [
        ("sphere", models::sphere, [3, 4, 5]),
        ("random spheres", |count| models::spheres(count, 3), [4, 12, 40]),
        ("cloth", models::cloth, [40, 80, 160]),
        ("terrain", models::terrain, [40, 80, 160]),
    ];
    for (name, generator, sizes) in generators {
        let reports = sizes.map(|size| report_of(&generator(size)));
        println!("{name}: {reports:#?}");
        for summary in reports {
            assert!(summary.k_mean > 5.0 && summary.k_mean < 15.0, "{name}: {summary:?}");
            assert!(summary.k_max < 60, "{name}: {summary:?}");
            assert!(summary.height < 4.0, "{name}: {summary:?}");
            assert!(summary.neighbour_share > 0.5, "{name}: {summary:?}");
            assert!((summary.k_mean / reports[0].k_mean - 1.0).abs() < 0.35, "{name}: {summary:?}");
        }
        assert!(reports[2].triangle_count > 9 * reports[0].triangle_count, "{name}");
    }
}

/// Figure 5 of the paper: 40,000 polygons, 29 levels. Only the two are large, so k hardly changes.
#[test]
fn two_huge_triangles_make_the_hierarchy_high_but_not_k_large() {
    let terrain = models::terrain(141);
    let alone = report_of(&terrain);
    let times = (29.0 - alone.height).exp2() / 141.0;
    let on_plane = report_of(&models::on_two_triangles(terrain, times));
    assert_eq!(on_plane.triangle_count, alone.triangle_count + 2);
    assert!((28.0..31.0).contains(&on_plane.height), "{on_plane:?}");
    assert!(alone.height < 4.0, "{alone:?}");
    // Each of the small triangles has the two more close to it at most, and the two have each other.
    assert!(on_plane.k_max <= alone.k_max + 2, "{alone:?} {on_plane:?}");
    assert!((alone.k_mean..alone.k_mean + 2.0).contains(&on_plane.k_mean), "{alone:?} {on_plane:?}");
}

#[test]
fn neighbours_are_those_with_common_vertices() {
    let cloth = models::cloth(30);
    let whole = report_of(&cloth);
    let torn = report_of(&cloth.torn());
    assert_eq!((whole.k_max, whole.k_mean, whole.height), (torn.k_max, torn.k_mean, torn.height));
    assert!(whole.neighbour_share > 0.6 && whole.neighbours_mean > 4.0, "{whole:?}");
    assert_eq!((torn.neighbour_share, torn.neighbours_mean), (0.0, 0.0));
}

/// Hexagons side by side, in rows like bricks: as polygons they have their six neighbours and no more; as triangles, of which there are four in each, more.
#[test]
fn polygons_are_fans_with_one_diameter() {
    let memory = Memory::new(None).expect("the system has memory");
    let (columns, rows) = (12, 10);
    let mut model = Model::default();
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let first = model.points.len() as u32;
        let centre = [(column as f64 + 0.5 * f64::from(row % 2)) * 3f64.sqrt(), 1.5 * f64::from(row)];
        for corner in 0..6 {
            let angle = (30.0 + 60.0 * f64::from(corner)).to_radians();
            model.points.push([centre[0] + angle.cos(), centre[1] + angle.sin(), 0.0]);
        }
        model.triangles.extend((1..5).map(|i| [first, first + i, first + i + 1]));
    }
    let meshes = [(1, mesh_of(&memory, &model))];
    let sizes = vec![4; columns * rows as usize];
    let (summary, found) = report(&memory, &meshes, Some(&[Fans { first: 0, sizes: &sizes }]), 2);
    assert_eq!((summary.polygon_count, summary.triangle_count), (120, 480));
    for result in &found {
        assert!((result.diameter - 2.0).abs() < 1e-12, "{result:?}");
        assert_eq!(result.triangle, 4 * result.polygon);
        // Rounding makes some a little smaller than their neighbours, so not all six count.
        assert!(result.k <= 7, "{result:?}");
    }
    assert_eq!(summary.bound, 7 * 120 * summary.k_max);
    let triangles = report(&memory, &meshes, None, 2).0;
    assert_eq!((triangles.polygon_count, triangles.bound), (480, 3 * 480 * triangles.k_max));
    assert!(triangles.k_mean > summary.k_mean + 1.0, "{triangles:?} {summary:?}");
}
