//! A scene in the library's pipeline, and a small integrator that keeps its bodies apart where they touch: that of `examples_c/rigid.c`.

use super::scenes::{Form, Point, Scene};
use super::vector::{along, cross, dot, norm, subtract};
use pccd::memory::Memory;
use pccd::mesh::{Mesh, MeshSettings};
use pccd::pipeline::results::ENDED;
use pccd::pipeline::{Object, ObjectSettings, Pipeline, PipelineSettings, Shape, Transform};
use pccd::schedule::{Crew, Pool};
use pccd::simd::Level;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

/// Gaps up to this are contacts, in all scenes.
pub const MARGIN: f64 = 0.01;
/// Seconds.
pub const STEP: f64 = 1.0 / 60.0;
const ROUNDS: usize = 4;
const FRICTION: f64 = 0.4;
/// The share of a depth that is corrected in a step, and the depth that is left alone.
const CORRECTION: f64 = 0.2;
const SLOP: f64 = 0.005;

/// So many workers.
pub fn crew(threads: usize) -> Crew {
    let threads = NonZeroUsize::new(threads).expect("at least one thread");
    Crew::Pool(Pool::new(threads).expect("the system has threads"))
}

/// A pipeline with the objects of a scene.
pub struct Detector {
    pub pipeline: Pipeline,
    meshes: Vec<Mesh>,
    crew: Crew,
}

impl Detector {
    pub fn new(scene: &Scene, settings: PipelineSettings, threads: usize) -> Detector {
        let memory = Memory::new(None).expect("the system has memory");
        let of_mesh = MeshSettings { thickness: 0.0, category: 1, mask: 1, self_collision: false };
        let mut pipeline = Pipeline::new(&memory, settings);
        let meshes: Vec<Mesh> = scene
            .surfaces
            .iter()
            .map(|surface| {
                let (points, triangles) = (&surface.points, &surface.triangles);
                Mesh::new(&memory, of_mesh, points.len(), &|i| points[i], triangles.len(), &|i| triangles[i])
                    .expect("the system has memory")
            })
            .collect();
        for (place, body) in scene.bodies.iter().enumerate() {
            let shape = match body.form {
                Form::Sphere(radius) => Shape::Sphere { radius },
                Form::Box(half) => Shape::Box { half },
                Form::Mesh(number) => {
                    let tree = pipeline.objects.tree_of(number as u64, &meshes[number], Level::best());
                    Shape::Mesh { tree: tree.expect("the system has memory") }
                }
            };
            let settings = ObjectSettings {
                is_static: body.mass == 0.0,
                is_swept: false,
                category: 1,
                mask: !0,
                user_data: 0,
            };
            let transform = Transform::new(body.position, body.rotation).expect("a rotation");
            let id = place as u64;
            let object = Object { id, settings, shape, transform, last: transform, reach: 0.0 };
            pipeline.objects.add(object).expect("the system has memory");
        }
        Detector { pipeline, meshes, crew: crew(threads) }
    }

    pub fn step(&mut self) {
        let meshes = &self.meshes;
        self.pipeline
            .step(&self.crew, Level::best(), &|id| &meshes[id as usize], &AtomicBool::new(false))
            .expect("the system has memory");
    }

    /// Places the objects where the bodies are.
    pub fn place(&mut self, bodies: &[Body]) {
        for (place, body) in bodies.iter().enumerate() {
            let object = self.pipeline.objects.get_mut(place).expect("nothing is ever removed");
            object.transform = Transform { position: body.position, rotation: body.rotation };
        }
    }
}

pub struct Body {
    pub position: Point,
    pub rotation: [f64; 4],
    velocity: Point,
    spin: Point,
    inverse_mass: f64,
    inverse_inertia: f64,
}

impl Body {
    fn velocity_at(&self, arm: Point) -> Point {
        along(self.velocity, cross(self.spin, arm), 1.0)
    }

    fn push(&mut self, arm: Point, impulse: Point) {
        self.velocity = along(self.velocity, impulse, self.inverse_mass);
        self.spin = along(self.spin, cross(arm, impulse), self.inverse_inertia);
    }

    /// How much a velocity along a direction gives way to an impulse along it.
    fn yielding(&self, arm: Point, direction: Point) -> f64 {
        let turned = cross(arm, direction);
        self.inverse_mass + self.inverse_inertia * dot(turned, turned)
    }

    fn advance(&mut self) {
        self.velocity = self.velocity.map(|x| 0.999 * x);
        self.spin = self.spin.map(|x| 0.99 * x);
        self.position = along(self.position, self.velocity, STEP);
        let [x, y, z, w] = self.rotation;
        let s = self.spin.map(|x| 0.5 * STEP * x);
        let turned = [
            x + s[0] * w + s[1] * z - s[2] * y,
            y + s[1] * w + s[2] * x - s[0] * z,
            z + s[2] * w + s[0] * y - s[1] * x,
            w - s[0] * x - s[1] * y - s[2] * z,
        ];
        let length = turned.iter().map(|x| x * x).sum::<f64>().sqrt();
        self.rotation = turned.map(|x| x / length);
    }
}

/// Bodies that move.
pub struct World {
    pub bodies: Vec<Body>,
    gravity: f64,
}

impl World {
    pub fn new(scene: &Scene) -> World {
        let bodies = scene.bodies.iter().map(|start| {
            let inverse = |x: f64| if start.mass > 0.0 { 1.0 / x } else { 0.0 };
            Body {
                position: start.position,
                rotation: Transform::new(start.position, start.rotation).expect("a rotation").rotation,
                velocity: start.velocity,
                spin: start.spin,
                inverse_mass: inverse(start.mass),
                inverse_inertia: inverse(0.4 * start.mass * start.radius * start.radius),
            }
        });
        World { bodies: bodies.collect(), gravity: scene.gravity }
    }

    /// Moves all bodies on, with the contacts that a pipeline has found.
    pub fn step(&mut self, pipeline: &Pipeline) {
        for body in self.bodies.iter_mut().filter(|body| body.inverse_mass > 0.0) {
            body.velocity[1] -= self.gravity * STEP;
        }
        let results = pipeline.results();
        for _ in 0..ROUNDS {
            for pair in results.pairs.iter().filter(|pair| pair.state != ENDED) {
                let first = pair.first_point as usize;
                for point in &results.points[first..first + pair.point_count as usize] {
                    let objects = [pair.object_a as usize, pair.object_b as usize];
                    self.resolve(objects, pair.point_count, point.point, point.normal, point.depth);
                }
            }
        }
        for body in self.bodies.iter_mut().filter(|body| body.inverse_mass > 0.0) {
            body.advance();
        }
    }

    /// Keeps two bodies from coming closer at a point.
    fn resolve(&mut self, objects: [usize; 2], points: u32, point: Point, normal: Point, depth: f64) {
        let [a, b] = self.bodies.get_disjoint_mut(objects).expect("two bodies");
        let (arm_a, arm_b) = (subtract(point, a.position), subtract(point, b.position));
        let relative = subtract(a.velocity_at(arm_a), b.velocity_at(arm_b));
        let deeper = depth - SLOP;
        // Bodies that are deep in each other are moved apart slowly.
        let wanted = if deeper > 0.0 { (CORRECTION * deeper / STEP).min(2.0) } else { deeper / STEP };
        let gives = a.yielding(arm_a, normal) + b.yielding(arm_b, normal);
        let strength = (wanted - dot(relative, normal)) / gives / f64::from(points);
        if gives <= 0.0 || strength <= 0.0 {
            return;
        }
        a.push(arm_a, normal.map(|x| x * strength));
        b.push(arm_b, normal.map(|x| -x * strength));
        let slipping = along(relative, normal, -dot(relative, normal));
        let slip = norm(slipping);
        if slip > 1e-9 {
            let direction = slipping.map(|x| x / slip);
            let gives = a.yielding(arm_a, direction) + b.yielding(arm_b, direction);
            let brake = (slip / gives / f64::from(points)).min(FRICTION * strength);
            a.push(arm_a, direction.map(|x| -x * brake));
            b.push(arm_b, direction.map(|x| x * brake));
        }
    }
}
