//! The scenes of the paper (section 6) and one of many boxes that hardly touch: the same as those of `examples_c/rigid_scenes.c`. And one whose phases are uneven: boxes that are a lot of work for the broad phase, beside a single pair
//! of meshes that is as much for the narrow one. Knows no library: a peer gets them, too.

use std::f64::consts::TAU;

pub type Point = [f64; 3];

/// A surface of triangles.
pub struct Surface {
    pub points: Vec<Point>,
    pub triangles: Vec<[u32; 3]>,
}

#[derive(Clone, Copy)]
pub enum Form {
    Sphere(f64),
    /// Half its sides.
    Box(Point),
    /// Its number among the surfaces of the scene.
    Mesh(usize),
}

/// A body where the simulation begins. Without mass it never moves.
#[derive(Clone, Copy)]
pub struct Start {
    pub form: Form,
    pub position: Point,
    pub rotation: [f64; 4],
    pub velocity: Point,
    pub spin: Point,
    pub mass: f64,
    /// Of a ball that is as hard to turn.
    pub radius: f64,
}

pub struct Scene {
    pub name: &'static str,
    pub gravity: f64,
    pub surfaces: Vec<Surface>,
    pub bodies: Vec<Start>,
}

/// The names of all scenes, with the number of moving bodies and the seconds until they lie in heaps.
pub const ALL: [(&str, usize, usize); 6] = [
    ("screws", 500, 6),
    ("tori", 2000, 5),
    ("cubes", 3000, 5),
    ("spheres", 2500, 5),
    ("boxes", 100_000, 1),
    ("debris", 100_000, 1),
];

/// The same numbers everywhere, from 0 to 1.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / 9007199254740992.0
    }

    fn three(&mut self) -> Point {
        [0; 3].map(|_| self.next() - 0.5)
    }

    fn rotation(&mut self) -> [f64; 4] {
        let [x, y, z, w] = [0; 4].map(|_| self.next() - 0.5);
        [x, y, z, w + 1.0]
    }
}

const STILL: Start = Start {
    form: Form::Sphere(1.0),
    position: [0.0; 3],
    rotation: [0.0, 0.0, 0.0, 1.0],
    velocity: [0.0; 3],
    spin: [0.0; 3],
    mass: 0.0,
    radius: 1.0,
};

/// Turns an outline of radii and heights about the y axis. A closed one ends where it begins.
fn lathe(outline: &[(f64, f64)], is_closed: bool, segments: usize) -> Surface {
    let rows = if is_closed { outline.len() } else { outline.len() - 1 };
    let mut surface = Surface { points: Vec::new(), triangles: Vec::new() };
    for &(radius, height) in outline {
        for j in 0..segments {
            let angle = TAU * j as f64 / segments as f64;
            surface.points.push([radius * angle.cos(), height, radius * angle.sin()]);
        }
    }
    for i in 0..rows {
        for j in 0..segments {
            let at = |row: usize, place: usize| (row % outline.len() * segments + place % segments) as u32;
            let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)];
            surface.triangles.extend([[a, b, c], [b, d, c]]);
        }
    }
    surface
}

/// Its radii, that of the circle in the middle of the tube and that of the tube, and how many quadrangles it is made of each way round.
fn torus([large, small]: [f64; 2], segments: usize) -> Surface {
    let turned = |i: usize| TAU * i as f64 / segments as f64;
    let circle: Vec<_> =
        (0..segments).map(|i| (large + small * turned(i).cos(), small * turned(i).sin())).collect();
    lathe(&circle, true, segments)
}

fn ground() -> Start {
    Start { form: Form::Box([500.0, 5.0, 500.0]), position: [0.0, -5.0, 0.0], ..STILL }
}

/// How bodies are put above each other, in layers of so many to a side.
struct Layers {
    side: usize,
    gap: f64,
    height: f64,
    radius: f64,
}

/// A little out of line, and each turned in its own way.
fn add_layers(bodies: &mut Vec<Start>, forms: &[Form], count: usize, layers: &Layers) {
    let mut draw = Draw(1);
    let Layers { side, gap, height, radius } = *layers;
    for i in 0..count {
        let (layer, row, column) = (i / (side * side), i / side % side, i % side);
        let mut off = |place: usize| gap * (place as f64 - 0.5 * (side - 1) as f64) + 0.2 * gap * draw.next();
        let (x, z) = (off(column), off(row));
        bodies.push(Start {
            form: forms[i % forms.len()],
            position: [x, height + gap * layer as f64, z],
            rotation: draw.rotation(),
            mass: 1.0,
            radius,
            ..STILL
        });
    }
}

/// Boxes all over a cube, with a `gap` from one to the next, more or less.
fn add_cloud(bodies: &mut Vec<Start>, count: usize, gap: f64) {
    let mut draw = Draw(1);
    let side = gap * (count as f64).cbrt();
    for _ in 0..count {
        bodies.push(Start {
            form: Form::Box([0.3; 3]),
            position: draw.three().map(|x| side * x),
            rotation: draw.rotation(),
            velocity: draw.three(),
            spin: draw.three(),
            mass: 1.0,
            radius: 0.4,
        });
    }
}

/// The scene of this name with so many moving bodies.
pub fn build(name: &'static str, count: usize) -> Scene {
    let gravity = if matches!(name, "boxes" | "debris") { 0.0 } else { 9.81 };
    let mut scene = Scene { name, gravity, surfaces: Vec::new(), bodies: Vec::new() };
    let Scene { surfaces, bodies, .. } = &mut scene;
    match name {
        "screws" => {
            let quarter = |i: usize| TAU / 4.0 * i as f64 / 15.0;
            let bowl: Vec<_> =
                (0..16).map(|i| (8.0 * quarter(i).sin(), 8.0 - 8.0 * quarter(i).cos())).collect();
            let screw = [(0.0, 0.6), (0.25, 0.6), (0.25, 0.4), (0.1, 0.4), (0.1, -0.55), (0.0, -0.6)];
            let nut = [(0.15, -0.1), (0.3, -0.1), (0.3, 0.1), (0.15, 0.1)];
            surfaces.extend([lathe(&bowl, false, 48), lathe(&screw, false, 8), lathe(&nut, true, 6)]);
            bodies.extend([Start { form: Form::Mesh(0), ..STILL }, ground()]);
            let layers = Layers { side: 6, gap: 1.3, height: 6.0, radius: 0.4 };
            add_layers(bodies, &[Form::Mesh(1), Form::Mesh(2)], count, &layers);
        }
        "tori" => {
            let cone = [(4.0, 0.0), (2.0, 3.0), (0.0, 6.0)];
            surfaces.extend([lathe(&cone, false, 24), torus([0.7, 0.3], 24)]);
            bodies.push(ground());
            for i in 0..25 {
                let position = [9.0 * ((i % 5) as f64 - 2.0), 0.0, 9.0 * ((i / 5) as f64 - 2.0)];
                bodies.push(Start { form: Form::Mesh(0), position, ..STILL });
            }
            let layers = Layers { side: 15, gap: 2.4, height: 8.0, radius: 0.8 };
            add_layers(bodies, &[Form::Mesh(1)], count, &layers);
        }
        "cubes" => {
            bodies.push(ground());
            let layers = Layers { side: 15, gap: 1.6, height: 2.0, radius: 0.6 };
            add_layers(bodies, &[Form::Box([0.5; 3])], count, &layers);
        }
        "spheres" => {
            bodies.push(ground());
            let layers = Layers { side: 15, gap: 1.3, height: 2.0, radius: 0.5 };
            add_layers(bodies, &[Form::Sphere(0.5)], count, &layers);
        }
        "boxes" => add_cloud(bodies, count, 1.8),
        "debris" => {
            add_cloud(bodies, count, 3.0);
            // Two rings, one stuck in the hole of the other, where no box is.
            surfaces.push(torus([6.0, 3.2], 160));
            let beside = 2.0 * (count as f64).cbrt() + 20.0;
            let ring = Start { form: Form::Mesh(0), position: [beside, 0.0, 0.0], radius: 9.0, ..STILL };
            let half = 0.5f64.sqrt();
            let other = Start {
                position: [beside + 6.0, 0.0, 0.0],
                rotation: [half, 0.0, 0.0, half],
                mass: 1e9,
                ..ring
            };
            bodies.extend([ring, other]);
        }
        _ => unreachable!("scenes are named by the table above"),
    }
    scene
}
