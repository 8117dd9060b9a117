//! Meshes whose k and height are known to be small, or to be large (kDet paper, figures 1 and 5). Uses nothing else, so that benchmarks can have it too.

use std::collections::HashMap;

pub type Point = [f64; 3];

#[derive(Clone, Default)]
pub struct Model {
    pub points: Vec<Point>,
    pub triangles: Vec<[u32; 3]>,
}

impl Model {
    pub fn add(&mut self, other: &Model) {
        let first = self.points.len() as u32;
        self.points.extend(&other.points);
        self.triangles.extend(other.triangles.iter().map(|triangle| triangle.map(|corner| corner + first)));
    }

    pub fn moved(mut self, place: impl Fn(Point) -> Point) -> Model {
        self.points.iter_mut().for_each(|point| *point = place(*point));
        self
    }

    /// Each triangle with corners of its own: what is left of a mesh that has lost its connections.
    pub fn torn(&self) -> Model {
        let points = self.triangles.iter().flatten().map(|&corner| self.points[corner as usize]).collect();
        let triangles = (0..self.triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Model { points, triangles }
    }
}

/// Numbers from 0 to 1, the same ones each time.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A sphere of radius one: an icosahedron whose triangles are divided into four several times.
pub fn sphere(divisions: usize) -> Model {
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    let mut model = Model::default();
    for axis in 0..3 {
        for (x, y) in [(1.0, golden), (1.0, -golden), (-1.0, golden), (-1.0, -golden)] {
            let mut point = [0.0; 3];
            (point[axis], point[(axis + 1) % 3]) = (x, y);
            model.points.push(point);
        }
    }
    // Corners of the icosahedron that are two apart are an edge.
    let square = |p: &Point, q: &Point| (0..3).map(|axis| (p[axis] - q[axis]).powi(2)).sum::<f64>();
    let is_edge = |a: usize, b: usize| square(&model.points[a], &model.points[b]) < 4.1;
    for (a, b, c) in (0..12).flat_map(|a| (a..12).flat_map(move |b| (b..12).map(move |c| (a, b, c)))) {
        if a < b && b < c && is_edge(a, b) && is_edge(b, c) && is_edge(c, a) {
            model.triangles.push([a as u32, b as u32, c as u32]);
        }
    }
    for _ in 0..divisions {
        let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
        let points = &mut model.points;
        let mut middle = |a: u32, b: u32| {
            *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                let (p, q) = (points[a as usize], points[b as usize]);
                points.push([0, 1, 2].map(|axis| 0.5 * (p[axis] + q[axis])));
                points.len() as u32 - 1
            })
        };
        model.triangles = model
            .triangles
            .iter()
            .flat_map(|&[a, b, c]| {
                let [p, q, r] = [middle(a, b), middle(b, c), middle(c, a)];
                [[a, p, r], [p, b, q], [r, q, c], [p, q, r]]
            })
            .collect();
    }
    model.moved(|p| {
        let length = p.iter().map(|x| x * x).sum::<f64>().sqrt();
        p.map(|x| x / length)
    })
}

/// Spheres at random places of a cube that has as much room for each of them whatever their number, with radii from 1/2 to 1.
pub fn spheres(count: usize, divisions: usize) -> Model {
    let mut numbers = Numbers(11);
    let sphere = sphere(divisions);
    let side = (12.0 * count as f64).cbrt();
    let mut model = Model::default();
    for _ in 0..count {
        let radius = 0.5 + 0.5 * numbers.next();
        let centre = [0; 3].map(|_| side * numbers.next());
        model.add(&sphere.clone().moved(|p| [0, 1, 2].map(|axis| centre[axis] + radius * p[axis])));
    }
    model
}

/// A sheet over a square of cells with two triangles each.
fn sheet(side: usize, place: impl Fn(f64, f64) -> Point) -> Model {
    let mut model = Model::default();
    for (row, column) in (0..=side).flat_map(|row| (0..=side).map(move |column| (row, column))) {
        model.points.push(place(column as f64 / side as f64, row as f64 / side as f64));
    }
    let stride = side as u32 + 1;
    for corner in (0..side as u32).flat_map(|row| (0..side as u32).map(move |column| row * stride + column)) {
        let [right, up, across] = [corner + 1, corner + stride, corner + stride + 1];
        model.triangles.extend([[corner, right, across], [corner, across, up]]);
    }
    model
}

/// A cloth with wrinkles.
pub fn cloth(side: usize) -> Model {
    sheet(side, |u, v| {
        let wave = (19.0 * u + 4.0 * v).sin() + 0.7 * (23.0 * v - 7.0 * u).sin();
        [u + 0.01 * (31.0 * v).sin(), v + 0.01 * (29.0 * u).cos(), 0.02 * wave]
    })
}

/// Hills.
pub fn terrain(side: usize) -> Model {
    sheet(side, |u, v| {
        let waves = (0..5).map(|octave| {
            let f = f64::from(3 << octave);
            (f * u + f64::from(octave)).sin() * (1.3 * f * v - f64::from(octave)).cos() / f
        });
        [u, v, 0.4 * waves.sum::<f64>()]
    })
}

/// A model, and below it a square of two triangles that are so many times as long as it is.
pub fn on_two_triangles(mut model: Model, times: f64) -> Model {
    let of = |axis: usize, least: bool| {
        let all = model.points.iter().map(|point| point[axis]);
        if least { all.fold(f64::INFINITY, f64::min) } else { all.fold(f64::NEG_INFINITY, f64::max) }
    };
    let [x, y] = [0, 1].map(|axis| 0.5 * (of(axis, true) + of(axis, false)));
    let half = 0.5 * times * (of(0, false) - of(0, true));
    let z = of(2, true);
    let corners =
        [[x - half, y - half, z], [x + half, y - half, z], [x + half, y + half, z], [x - half, y + half, z]];
    model.add(&Model { points: corners.to_vec(), triangles: vec![[0, 1, 2], [0, 2, 3]] });
    model
}

/// A polyhedron of Chazelle's: a block with notches from above whose edges are on the surface z = xy / (n + 1) + 1/8, along y, and with as many from below whose edges are on z = xy / (n + 1),
/// along x. Both sets of edges come close everywhere.
///
/// A notch is a wedge with flat sides: at a height h above its edge it is h times `SLOPE` wide to each side. Notches of both sets are apart: where x = i + a and y = j + b, one ends 1/8 + |a| / SLOPE above ij / (n + 1) plus at
/// most |b|, and the other |b| / SLOPE below it plus at most |a|.
pub fn chazelle(notches: usize) -> Model {
    let n = notches as f64;
    let (end, top, bottom) = (n + 1.0, n + 2.0, -1.0);
    let slope = 0.25 / (n + 3.0);
    let mut corners: HashMap<[u64; 3], u32> = HashMap::new();
    let mut model = Model::default();
    for from_above in [true, false] {
        let (face, opposite, lift) = if from_above { (top, bottom, 0.125) } else { (bottom, top, 0.0) };
        // Along the notches t, across them s.
        let mut at = |s: f64, t: f64, z: f64| {
            let point = if from_above { [s, t, z] } else { [t, s, z] };
            *corners.entry(point.map(f64::to_bits)).or_insert_with(|| {
                model.points.push(point);
                model.points.len() as u32 - 1
            })
        };
        // At both ends: the edges of notches, and where these begin and end in the face.
        let [near, far] = [0.0, end].map(|t| {
            let mut rows = vec![];
            for number in 1..=notches {
                let s = number as f64;
                let edge = s * t / end + lift;
                let width = slope * (face - edge).abs();
                rows.push([at(s - width, t, face), at(s, t, edge), at(s + width, t, face)]);
            }
            let sides = [0.0, end].map(|s| [at(s, t, face), at(s, t, opposite)]);
            (rows, sides)
        });
        let mut fan = |corners: &[u32]| {
            model.triangles.extend(corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]));
        };
        // Sides of notches, and what is left of the face between them.
        for (p, q) in near.0.iter().zip(&far.0) {
            fan(&[p[0], p[1], q[1], q[0]]);
            fan(&[p[1], p[2], q[2], q[1]]);
        }
        let starts = |end: &(Vec<[u32; 3]>, [[u32; 2]; 2])| {
            [&[end.1[0][0]][..], &end.0.iter().map(|row| row[2]).collect::<Vec<_>>()].concat()
        };
        let stops = |end: &(Vec<[u32; 3]>, [[u32; 2]; 2])| {
            [&end.0.iter().map(|row| row[0]).collect::<Vec<_>>()[..], &[end.1[1][0]]].concat()
        };
        for i in 0..=notches {
            fan(&[starts(&near)[i], stops(&near)[i], stops(&far)[i], starts(&far)[i]]);
        }
        // The walls in which notches end: from edge to edge, above that what is between notches, below it all the rest.
        for (rows, [[left, left_base], [right, right_base]]) in [&near, &far] {
            fan(&[*left, rows[0][0], rows[0][1], *left_base]);
            fan(&[*right, *right_base, rows[notches - 1][1], rows[notches - 1][2]]);
            for pair in rows.windows(2) {
                fan(&[pair[0][2], pair[1][0], pair[1][1], pair[0][1]]);
            }
            for pair in rows.windows(2) {
                fan(&[*left_base, pair[0][1], pair[1][1]]);
            }
            fan(&[*left_base, rows[notches - 1][1], *right_base]);
        }
    }
    model
}
