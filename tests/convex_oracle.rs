//! Distance and depth of convex shapes against exact arithmetic: corners are integers of 26 bits, and everything that decides
//! is computed in 128-bit integers, which nothing here exceeds.
//!
//! *Distance.* The closest points that are told are weighted corners. With the weights as integers the points are exactly in their shapes, so
//! their distance is an upper bound. The normal that is told, as integers, separates the shapes by an exactly known distance: a lower bound.
//! So the true distance is known, without a second algorithm that could be wrong in the same way.
//!
//! *Depth.* The smallest distance from the origin to the boundary of the difference is along the normal of one of its faces: a face of one shape, or spanned by an edge of each. All
//! planes through three corners of a shape, all pairs of edges, and for flat differences the directions within the plane are tried; directions that belong to no face do no harm, since in
//! every direction the support is an upper bound of the depth.
//!
//! *Triangles* of two meshes have a test of their own, which may say that it does not know. What it does say is held against the same depth.

#[path = "support/random.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod random;

use pccd::pipeline::core::{Core, Placed};
use pccd::pipeline::epa::Polytope;
use pccd::pipeline::gjk::{self, Relation};
use pccd::pipeline::transform::Frame;
use pccd::pipeline::triangle_pair::{self, Touch};
use random::Random;

type Int3 = [i64; 3];

/// Coordinates are below 2^25 in magnitude.
const BITS: u32 = 25;

/// Errors are relative to the true value; below this share of the size it is rounding of the coordinates themselves.
const RELATIVE: f64 = 1e-6;
const ABSOLUTE: f64 = 1e-15;

fn pair_count() -> usize {
    std::env::var("PCCD_CONVEX_PAIRS")
        .map_or(20_000, |text| text.parse().expect("PCCD_CONVEX_PAIRS is a number"))
}

fn sub(a: Int3, b: Int3) -> [i128; 3] {
    [0, 1, 2].map(|i| i128::from(a[i]) - i128::from(b[i]))
}

fn cross(a: [i128; 3], b: [i128; 3]) -> [i128; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [i128; 3], b: [i128; 3]) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn length(a: [i128; 3]) -> f64 {
    a.map(|x| x as f64).iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The difference's farthest corner along a direction: exact.
fn support(a: &[Int3], b: &[Int3], n: [i128; 3]) -> i128 {
    let wide = |p: Int3| p.map(i128::from);
    let most = a.iter().map(|&p| dot(n, wide(p))).max().unwrap();
    most - b.iter().map(|&p| dot(n, wide(p))).min().unwrap()
}

/// The exact depth; None if the shapes are apart.
fn depth(a: &[Int3], b: &[Int3]) -> Option<f64> {
    let edges = |points: &[Int3]| {
        let mut edges = Vec::new();
        for i in 0..points.len() {
            for j in 0..i {
                edges.push(sub(points[i], points[j]));
            }
        }
        edges
    };
    let all = [edges(a), edges(b)].concat();
    let mut least = f64::INFINITY;
    let mut apart = false;
    let mut flat_normal = None;
    let mut spans = 0;
    let mut try_direction = |n: [i128; 3]| {
        // With the common factor out, everything fits.
        let divisor = n.iter().fold(0, |a, &b| gcd(a, b));
        if divisor == 0 {
            return;
        }
        for n in [n.map(|x| x / divisor), n.map(|x| -x / divisor)] {
            let height = support(a, b, n);
            apart |= height < 0;
            least = least.min(height as f64 / length(n));
        }
    };
    for (i, &e) in all.iter().enumerate() {
        for &f in &all[..i] {
            let n = cross(e, f);
            if n == [0; 3] {
                continue;
            }
            if flat_normal.is_none_or(|other| cross(other, n) != [0; 3]) {
                spans += 1;
            }
            flat_normal.get_or_insert(n);
            try_direction(n);
        }
    }
    if spans <= 1 {
        // In a plane, on a line, or a point: directions within it.
        for &e in &all {
            match flat_normal {
                Some(n) => try_direction(cross(n, e)),
                None => try_direction(e),
            }
        }
    }
    if all.iter().all(|e| *e == [0; 3]) {
        apart |= sub(a[0], b[0]) != [0; 3];
        least = 0.0;
    } else if spans == 0 {
        // On one line, which may miss the origin.
        let line = *all.iter().find(|e| **e != [0; 3]).unwrap();
        apart |= cross(line, sub(a[0], b[0])) != [0; 3];
        least = 0.0;
    }
    (!apart).then_some(least)
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A lower bound of the distance from a direction.
fn lower(a: &[Int3], b: &[Int3], normal: [f64; 3]) -> f64 {
    let n = normal.map(|x| (x * (1u64 << 60) as f64) as i128);
    // The normal points from b to a.
    -(support(b, a, n) as f64) / length(n)
}

/// An upper bound from weighted corners.
fn upper(simplex: &pccd::pipeline::simplex::Simplex) -> f64 {
    let weights = &simplex.weights[..simplex.len];
    let mut whole = 0i128;
    let mut way = [0i128; 3];
    for (corner, weight) in simplex.corners().iter().zip(weights) {
        assert!((0.0..=1.0).contains(weight), "{weights:?}");
        let weight = (weight * (1u64 << 52) as f64) as i128;
        whole += weight;
        for (i, way) in way.iter_mut().enumerate() {
            *way += weight * (corner.a[i] as i128 - corner.b[i] as i128);
        }
    }
    length(way) / whole as f64
}

struct Pair {
    category: &'static str,
    a: Vec<Int3>,
    b: Vec<Int3>,
}

fn generate(random: &mut Random, number: usize) -> Pair {
    let categories = [
        "apart",
        "deep",
        "touching",
        "thin",
        "flat",
        "segments",
        "degenerate",
        "near",
        "boxes",
        "parallel",
        "far",
    ];
    let category = categories[number % categories.len()];
    let count = |random: &mut Random| 4 + random.below(7);
    let cloud = |random: &mut Random, count: usize, size: [i64; 3], centre: Int3| -> Vec<Int3> {
        (0..count)
            .map(|_| {
                [0, 1, 2]
                    .map(|i| centre[i] + random.below((2 * size[i] as u64 + 1) as usize) as i64 - size[i])
            })
            .collect()
    };
    let large = 1i64 << (BITS - 2);
    let half = large / 2;
    let place = |random: &mut Random, most: i64| -> Int3 {
        [0, 1, 2].map(|_| random.below((2 * most as u64 + 1) as usize) as i64 - most)
    };
    let (na, nb) = (count(random), count(random));
    let (a, b) = match category {
        "apart" => {
            let (p, q) = (place(random, half), place(random, half));
            (cloud(random, na, [half / 4; 3], p), cloud(random, nb, [half / 4; 3], q))
        }
        "deep" => (cloud(random, na, [half; 3], [0; 3]), cloud(random, nb, [half; 3], [3, -5, 7])),
        "touching" => {
            // One corner in common, or a corner in the plane of a face, on different sides of a plane.
            let mut a = cloud(random, na, [half; 3], [0, 0, half]);
            let mut b = cloud(random, nb, [half; 3], [0, 0, -half]);
            for (k, corner) in place(random, half / 2).into_iter().enumerate().take(2) {
                a[0][k] = corner;
                b[0][k] = corner;
            }
            (a[0][2], b[0][2]) = (0, 0);
            if random.below(2) == 0 {
                a[1][2] = 0;
                a[2][2] = 0;
                b[1][2] = 0;
                b[2][2] = 0;
            }
            (a, b)
        }
        "thin" => {
            let thin = |random: &mut Random| {
                let mut size = [half; 3];
                size[random.below(3)] = 1 + random.below(8) as i64;
                size[random.below(3)] = 1 + random.below(1 << 12) as i64;
                size
            };
            let (s, t, q) = (thin(random), thin(random), place(random, half / 2));
            (cloud(random, na, s, [0; 3]), cloud(random, nb, t, q))
        }
        "flat" => {
            // Polygons in one plane, or in parallel ones.
            let height = if random.one_in(2) { 0 } else { random.below(1 << 20) as i64 };
            let q = place(random, half);
            (
                cloud(random, na, [half, half, 0], [0; 3]),
                cloud(random, nb, [half, half, 0], [q[0], q[1], height]),
            )
        }
        "segments" => {
            let (p, q) = (place(random, half / 4), place(random, half / 4));
            let corners = 2 + random.below(2);
            (cloud(random, 2, [half; 3], p), cloud(random, corners, [half; 3], q))
        }
        "degenerate" => {
            // Corners that coincide, lines, single points.
            let mut a = cloud(random, na, [4; 3], [0; 3]);
            let q = place(random, 6);
            let mut b = cloud(random, nb, [4; 3], q);
            let (first, again) = (a[0], b[0]);
            a.truncate(1 + random.below(4));
            b.truncate(1 + random.below(4));
            a.push(first);
            b.push(again);
            (a, b)
        }
        "near" => {
            // A gap of a few units between large shapes.
            let gap = random.below(4) as i64;
            let mut a = cloud(random, na, [half; 3], [0, 0, half + gap]);
            let mut b = cloud(random, nb, [half; 3], [0, 0, -half]);
            a[0][2] = gap;
            a[1][2] = gap + random.below(3) as i64;
            b[0][2] = 0;
            b[1][2] = -(random.below(3) as i64);
            (a, b)
        }
        "boxes" => {
            let mut box_of = |centre: Int3| -> Vec<Int3> {
                let size = [0, 1, 2].map(|_| 1 + random.below((half as u64) as usize) as i64);
                (0..8)
                    .map(|i| [0, 1, 2].map(|k| centre[k] + if i >> k & 1 == 0 { -size[k] } else { size[k] }))
                    .collect()
            };
            let a = box_of([0; 3]);
            let b = box_of([half / 3, half / 2, 0]);
            (a, b)
        }
        "parallel" => {
            // The same shape twice, moved: edges and faces are parallel.
            let a = cloud(random, na, [half / 2; 3], [0; 3]);
            let way = place(random, half / 2);
            let b = a.iter().map(|p| [0, 1, 2].map(|i| p[i] + way[i])).collect();
            (a, b)
        }
        _ => {
            (cloud(random, na, [16; 3], [large - 20, 5, -7]), cloud(random, nb, [16; 3], [20 - large, 9, 3]))
        }
    };
    Pair { category, a, b }
}

#[test]
fn distance_and_depth_are_exact_to_a_millionth() {
    let mut random = Random::new(7);
    let mut polytope = Box::<Polytope>::default();
    let mut worst: std::collections::BTreeMap<&str, (f64, usize, usize)> = Default::default();
    for number in 0..pair_count() {
        let pair = generate(&mut random, number);
        let points =
            |points: &[Int3]| -> Vec<[f64; 3]> { points.iter().map(|p| p.map(|x| x as f64)).collect() };
        let (a, b) = (points(&pair.a), points(&pair.b));
        let placed = |points| Placed { core: Core::Points(points), frame: Frame::IDENTITY, radius: 0.0 };
        let (pa, pb) = (placed(&a[..]), placed(&b[..]));
        let size = a.iter().chain(&b).flatten().fold(1.0f64, |most, x| most.max(x.abs()));
        let truth = depth(&pair.a, &pair.b);
        let row = worst.entry(pair.category).or_default();
        let error = match gjk::relation(&pa, &pb, f64::INFINITY) {
            Relation::Far => panic!("{number}: nothing is beyond infinity"),
            Relation::Apart(apart) => {
                let (lower, upper) = (lower(&pair.a, &pair.b, apart.normal), upper(&apart.simplex));
                row.1 += 1;
                // What the bounds leave open counts as an error.
                let error = (apart.distance - lower).abs().max((apart.distance - upper).abs());
                assert!(
                    truth.is_none() || apart.distance <= ABSOLUTE * size,
                    "{number} {}: said to be {} apart, but they meet",
                    pair.category,
                    apart.distance
                );
                (error - ABSOLUTE * size).max(0.0) / lower.max(f64::MIN_POSITIVE)
            }
            Relation::Meeting(simplex) => {
                row.2 += 1;
                let overlap = polytope.overlap(&pa, &pb, &simplex);
                let true_depth = truth.unwrap_or(0.0);
                if truth.is_none() {
                    // Then they have to be as close as rounding allows.
                    let way = [0, 1, 2].map(|i| overlap.on_a[i] - overlap.on_b[i]);
                    let gap = way.iter().map(|x| x * x).sum::<f64>().sqrt();
                    assert!(gap <= 1e-12 * size, "{number} {}: said to meet, but {gap} apart", pair.category);
                }
                ((overlap.depth - true_depth).abs() - ABSOLUTE * size).max(0.0)
                    / true_depth.max(f64::MIN_POSITIVE)
            }
        };
        if error > RELATIVE {
            println!("{number} {}: error {error:e}, truth {truth:?}", pair.category);
        }
        row.0 = row.0.max(error);
    }
    println!("category     worst relative error      apart    meeting");
    for (category, (error, apart, meeting)) in &worst {
        println!("{category:12} {error:20.3e} {apart:10} {meeting:10}");
    }
    assert!(worst.values().all(|row| row.0 <= RELATIVE));
}

/// Two triangles, in general or nearly degenerate.
fn triangles(random: &mut Random, number: usize) -> (&'static str, [Vec<Int3>; 2]) {
    let categories = [
        "general",
        "small against large",
        "hardly touching",
        "thin",
        "nearly parallel",
        "coplanar",
        "common",
    ];
    let category = categories[number % categories.len()];
    let half = 1i64 << (BITS - 3);
    let corner = |random: &mut Random, size: [i64; 3]| -> Int3 {
        size.map(|size| random.below((2 * size as u64 + 1) as usize) as i64 - size)
    };
    let triangle =
        |random: &mut Random, size: [i64; 3]| -> Vec<Int3> { (0..3).map(|_| corner(random, size)).collect() };
    let mut a = triangle(random, [half; 3]);
    let mut b = triangle(random, [half; 3]);
    match category {
        "small against large" => b = triangle(random, [half >> 6; 3]),
        "hardly touching" => {
            // A corner of one a little above or below a point of the other.
            a.iter_mut().for_each(|corner| corner[2] = 0);
            let middle = [0, 1].map(|i| (a[0][i] + a[1][i] + a[2][i]) / 3);
            b.iter_mut().for_each(|corner| corner[2] = corner[2].abs() + 8);
            b[0] = [middle[0], middle[1], random.below(9) as i64 - 4];
        }
        "thin" => {
            let off = corner(random, [4; 3]);
            b[2] = [0, 1, 2].map(|i| (b[0][i] + b[1][i]) / 2 + off[i]);
        }
        "nearly parallel" => {
            a.iter_mut().for_each(|corner| corner[2] >>= 14);
            b.iter_mut().for_each(|corner| corner[2] >>= 14);
        }
        "coplanar" => {
            a.iter_mut().for_each(|corner| corner[2] = 7);
            b.iter_mut().for_each(|corner| corner[2] = 7);
        }
        // Neighbours in a mesh.
        "common" => (0..1 + random.below(2)).for_each(|i| b[i] = a[i]),
        _ => (),
    }
    (category, [a, b])
}

#[test]
fn triangles_are_as_deep_as_exact_arithmetic_says() {
    let mut random = Random::new(8);
    let mut counts: std::collections::BTreeMap<&str, [usize; 3]> = Default::default();
    for number in 0..10 * pair_count() {
        let (category, [a, b]) = triangles(&mut random, number);
        let points = |points: &[Int3]| -> [[f64; 3]; 3] { [0, 1, 2].map(|i| points[i].map(|x| x as f64)) };
        let (pa, pb) = (points(&a), points(&b));
        let size = pa.iter().chain(&pb).flatten().fold(1.0f64, |most, x| most.max(x.abs()));
        let row = counts.entry(category).or_default();
        let truth = depth(&a, &b);
        match triangle_pair::touch(&pa, &pb, 0.0) {
            Touch::Apart => {
                row[0] += 1;
                assert!(truth.is_none(), "{number} {category}: said to be apart, but they meet");
            }
            Touch::Point(contact) | Touch::Faces(contact) => {
                row[1] += 1;
                let truth = truth.unwrap_or_else(|| panic!("{number} {category}: said to meet, but apart"));
                let error = (contact.depth - truth).abs() - ABSOLUTE * size;
                assert!(error <= RELATIVE * truth, "{number} {category}: {} for {truth}", contact.depth);
                // The points are as far apart, along the normal, and each is in its triangle.
                for i in 0..3 {
                    let way = contact.on_b[i] - contact.on_a[i] - contact.depth * contact.normal[i];
                    assert!(way.abs() <= 1e-9 * size, "{number} {category}: off by {way}");
                }
                for (point, triangle) in [(contact.on_a, &pa), (contact.on_b, &pb)] {
                    let point = [point];
                    let placed =
                        |points| Placed { core: Core::Points(points), frame: Frame::IDENTITY, radius: 0.0 };
                    let off = match gjk::relation(&placed(&point), &placed(triangle), f64::INFINITY) {
                        Relation::Apart(apart) => apart.distance,
                        _ => 0.0,
                    };
                    assert!(off <= 1e-7 * size, "{number} {category}: {off} outside");
                }
            }
            Touch::Unclear => row[2] += 1,
        }
    }
    println!("category                 apart    meeting    unclear");
    for (category, [apart, meeting, unclear]) in &counts {
        println!("{category:20} {apart:10} {meeting:10} {unclear:10}");
    }
    let [apart, meeting, unclear] = counts["general"];
    assert!(meeting > 1000 && apart > 1000 && unclear * 100 < meeting, "the general case is decided");
}
