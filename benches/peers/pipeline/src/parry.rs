//! A scene in parry3d, used as an engine would: a tree of boxes that is refitted, and manifolds that are kept from step to step.

use crate::scenes::{Form, Scene};
use crate::world::{Body, MARGIN};
use parry3d::bounding_volume::BoundingVolume;
use parry3d::math::{Pose, Rotation, Vector};
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use parry3d::query::{
    ContactManifold, ContactManifoldsWorkspace, DefaultQueryDispatcher, PersistentQueryDispatcher,
};
use parry3d::shape::SharedShape;
use std::collections::HashMap;

/// What is kept of a pair whose boxes overlap.
#[derive(Default)]
struct Kept {
    manifolds: Vec<ContactManifold<(), ()>>,
    workspace: Option<ContactManifoldsWorkspace>,
    step: u64,
}

pub struct Parry {
    shapes: Vec<SharedShape>,
    is_static: Vec<bool>,
    poses: Vec<Pose>,
    tree: Bvh,
    workspace: BvhWorkspace,
    candidates: Vec<(u32, u32)>,
    pairs: HashMap<(u32, u32), Kept>,
    step: u64,
}

fn vector(at: [f64; 3]) -> Vector {
    Vector::new(at[0] as f32, at[1] as f32, at[2] as f32)
}

fn pose(position: [f64; 3], rotation: [f64; 4]) -> Pose {
    let [x, y, z, w] = rotation.map(|x| x as f32);
    Pose::from_parts(vector(position), Rotation::from_xyzw(x, y, z, w).normalize())
}

impl Parry {
    pub fn new(scene: &Scene) -> Parry {
        let meshes: Vec<SharedShape> = scene
            .surfaces
            .iter()
            .map(|surface| {
                let points = surface.points.iter().map(|&at| vector(at)).collect();
                SharedShape::trimesh(points, surface.triangles.clone()).expect("a mesh")
            })
            .collect();
        let shape = |form: &Form| match *form {
            Form::Sphere(radius) => SharedShape::ball(radius as f32),
            Form::Box(half) => SharedShape::cuboid(half[0] as f32, half[1] as f32, half[2] as f32),
            Form::Mesh(number) => meshes[number].clone(),
        };
        let shapes: Vec<SharedShape> = scene.bodies.iter().map(|body| shape(&body.form)).collect();
        let poses: Vec<Pose> = scene.bodies.iter().map(|body| pose(body.position, body.rotation)).collect();
        let boxes: Vec<_> = shapes.iter().zip(&poses).map(|(shape, pose)| shape.compute_aabb(pose)).collect();
        Parry {
            shapes,
            is_static: scene.bodies.iter().map(|body| body.mass == 0.0).collect(),
            poses,
            tree: Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes),
            workspace: BvhWorkspace::default(),
            candidates: Vec::new(),
            pairs: HashMap::new(),
            step: 0,
        }
    }

    pub fn place(&mut self, bodies: &[Body]) {
        for (own, body) in self.poses.iter_mut().zip(bodies) {
            *own = pose(body.position, body.rotation);
        }
    }

    pub fn step(&mut self) {
        self.step += 1;
        for (place, (shape, pose)) in self.shapes.iter().zip(&self.poses).enumerate() {
            if !self.is_static[place] {
                let around = shape.compute_aabb(pose).loosened(0.5 * MARGIN as f32);
                self.tree.insert_or_update_partially(around, place as u32, 0.0);
            }
        }
        self.tree.refit(&mut self.workspace);
        let Parry { tree, workspace, candidates, is_static, .. } = self;
        candidates.clear();
        tree.traverse_bvtt_single_tree::<false>(workspace, &mut |a, b| {
            if !(is_static[a as usize] && is_static[b as usize]) {
                candidates.push((a.min(b), a.max(b)));
            }
        });
        for &(a, b) in &self.candidates {
            let kept = self.pairs.entry((a, b)).or_default();
            kept.step = self.step;
            let (a, b) = (a as usize, b as usize);
            let relative = self.poses[a].inv_mul(&self.poses[b]);
            DefaultQueryDispatcher
                .contact_manifolds(
                    &relative,
                    &*self.shapes[a],
                    &*self.shapes[b],
                    MARGIN as f32,
                    &mut kept.manifolds,
                    &mut kept.workspace,
                )
                .expect("parry3d knows these shapes");
        }
    }

    /// Not measured: forgets pairs whose boxes are apart, and keeps the tree good.
    pub fn tidy_up(&mut self) {
        self.pairs.retain(|_, kept| kept.step == self.step);
        self.tree.optimize_incremental(&mut self.workspace);
        self.tree.refit(&mut self.workspace);
    }

    /// Pairs in contact, and points of contact.
    pub fn counts(&self) -> (u64, u64) {
        let points = self.pairs.values().map(|kept| {
            let points = kept.manifolds.iter().flat_map(|manifold| &manifold.points);
            points.filter(|point| point.dist <= MARGIN as f32).count() as u64
        });
        points.fold((0, 0), |(pairs, all), points| (pairs + u64::from(points > 0), all + points))
    }
}
