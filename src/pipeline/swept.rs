//! When two objects first touch on their way from one transform to another: conservative advancement (Mirtich 1996).
//!
//! Two convex shapes that are d apart along n cannot touch before they have come closer by d along n. Their origins do so with a constant speed; what rotation adds is at most the turning speed times the
//! distance from the origin, for each. So time can be advanced by d over that speed, and again from there. It never steps over a contact. It ends when they are within a
//! tolerance, at the end of the way, or after a number of steps; in the latter case the time told is not late, and the gap that is left is told with it.

use super::core::Placed;
use super::dispatch::{Body, Scratch};
use super::gjk::{self, Relation};
use super::mesh_pairs::{self, MeshAt};
use super::objects::Object;
use super::shapes::Shape;
use super::transform::{Frame, Transform};
use crate::elementary::vec3::{Vec3, dot, extent, sub};
use crate::memory::MemoryError;
use crate::mesh::Mesh;

const STEPS: usize = 64;

/// A contact on the way.
#[derive(Clone, Copy, Debug)]
pub struct First {
    /// Not late.
    pub time: f64,
    /// What is between them then, beyond the margin: next to nothing, unless the steps did not suffice.
    pub gap: f64,
}

/// How an object moves: where its origin goes, how fast it turns, and how far it reaches.
struct Way<'a> {
    object: &'a Object,
    velocity: Vec3,
    turning: f64,
}

impl<'a> Way<'a> {
    fn new(object: &'a Object) -> Way<'a> {
        let (from, to) = (&object.last, &object.transform);
        let turning = if from.rotation == to.rotation { 0.0 } else { from.turning_speed(to) };
        Way { object, velocity: sub(to.position, from.position), turning }
    }

    fn at(&self, t: f64) -> Transform {
        self.object.last.between(&self.object.transform, t)
    }
}

/// The box around an object on all its way.
pub fn bounds(object: &Object, mesh_box: Option<[Vec3; 2]>) -> [Vec3; 2] {
    let still = |transform: &Transform| {
        let frame = Frame { origin: [0.0; 3], ..Frame::new(transform) };
        object.shape.bounds(&frame, mesh_box)
    };
    let (from, to) = (&object.last, &object.transform);
    let (start, end) = (still(from), still(to));
    // On its arc a point leaves the chord by at most this.
    let cosine: f64 = (0..4).map(|i| from.rotation[i] * to.rotation[i]).sum::<f64>().abs().min(1.0);
    let sag = if from.rotation == to.rotation { 0.0 } else { object.reach * (1.0 - cosine) * (1.0 + 1e-9) };
    let lower = |i: usize| start[0][i].min(end[0][i]) - sag + from.position[i].min(to.position[i]);
    let upper = |i: usize| start[1][i].max(end[1][i]) + sag + from.position[i].max(to.position[i]);
    [[lower(0), lower(1), lower(2)], [upper(0), upper(1), upper(2)]]
}

/// When two objects first come within the margin. None if they never do.
pub fn first_contact(
    a: (&Object, Body<'_>),
    b: (&Object, Body<'_>),
    margin: f64,
    scratch: &mut Scratch,
) -> Result<Option<First>, MemoryError> {
    let (way_a, way_b) = (Way::new(a.0), Way::new(b.0));
    match (&a.0.shape, &b.0.shape) {
        (Shape::Mesh { .. }, Shape::Mesh { .. }) => meshes((&way_a, a.1), (&way_b, b.1), margin, scratch),
        (Shape::Mesh { .. }, _) => with_mesh(&way_b, &way_a, a.1, margin, scratch),
        (_, Shape::Mesh { .. }) => with_mesh(&way_a, &way_b, b.1, margin, scratch),
        _ => {
            let reaches = (a.0.reach, b.0.reach);
            Ok(advance(&way_a, &way_b, reaches, margin, 1.0, &|frame_a, frame_b| {
                Some((a.0.shape.placed(frame_a)?, b.0.shape.placed(frame_b)?))
            }))
        }
    }
}

/// With every triangle that the convex one may meet on its way.
fn with_mesh(
    convex: &Way<'_>,
    way: &Way<'_>,
    body: Body<'_>,
    margin: f64,
    scratch: &mut Scratch,
) -> Result<Option<First>, MemoryError> {
    let Some((mesh, tree)) = body.mesh else { return Ok(None) };
    let [lower, upper] = bounds(convex.object, None);
    // The mesh is looked at where it is in the end. Nothing of it was farther from there than it has moved.
    let moved = dot(way.velocity, way.velocity).sqrt() + way.turning * way.object.reach;
    let half = [0, 1, 2].map(|i| 0.5 * (upper[i] - lower[i]) + moved + margin);
    let frame = Frame::new(&way.object.transform);
    let centre = frame.to_local([0, 1, 2].map(|i| 0.5 * (upper[i] + lower[i])));
    let reach = [0, 1, 2].map(|axis| (0..3).map(|i| frame.axes[axis][i].abs() * half[i]).sum::<f64>());
    let more = 1e-9 * (extent(centre) + extent(reach));
    scratch.triangles.clear();
    let triangles = &mut scratch.triangles;
    let mut result = Ok(());
    tree.overlap(
        mesh,
        [0, 1, 2].map(|i| centre[i] - reach[i] - more),
        [0, 1, 2].map(|i| centre[i] + reach[i] + more),
        &mut |triangle| {
            if result.is_ok() {
                result = triangles.push(triangle);
            }
        },
    );
    result?;
    triangles.sort_unstable();
    let mut first: Option<First> = None;
    for &triangle in triangles.iter() {
        let triangle = Triangle::new(mesh, triangle);
        let reaches = (convex.object.reach, triangle.reach);
        let time = advance(
            convex,
            way,
            reaches,
            margin,
            first.map_or(1.0, |first| first.time),
            &|frame_a, frame_b| Some((convex.object.shape.placed(frame_a)?, triangle.placed(&frame_b))),
        );
        first = time.or(first);
    }
    Ok(first)
}

/// Two meshes: every pair of triangles that may meet on the way, each as two convex shapes.
fn meshes(
    (way_a, body_a): (&Way<'_>, Body<'_>),
    (way_b, body_b): (&Way<'_>, Body<'_>),
    margin: f64,
    scratch: &mut Scratch,
) -> Result<Option<First>, MemoryError> {
    let (Some(a), Some(b)) = (MeshAt::of(&body_a), MeshAt::of(&body_b)) else { return Ok(None) };
    // They are looked at where they are in the end. Two points that met before are no farther apart there than both have moved against each other since.
    let velocity = sub(way_a.velocity, way_b.velocity);
    let turned = way_a.turning * way_a.object.reach + way_b.turning * way_b.object.reach;
    let moved = (dot(velocity, velocity).sqrt() + turned) * (1.0 + 1e-9);
    scratch.near.list(&a, &b, margin + moved, scratch.level)?;
    let mut first: Option<First> = None;
    for pair in scratch.near.pairs.iter() {
        let [of_a, of_b] = pair.triangles();
        let (of_a, of_b) = (Triangle::new(a.mesh, of_a), Triangle::new(b.mesh, of_b));
        let reaches = (of_a.reach, of_b.reach);
        let time = advance(
            way_a,
            way_b,
            reaches,
            margin,
            first.map_or(1.0, |first| first.time),
            &|frame_a, frame_b| Some((of_a.placed(&frame_a), of_b.placed(&frame_b))),
        );
        first = time.or(first);
    }
    Ok(first)
}

/// A triangle of a mesh, in the axes of that.
struct Triangle {
    corners: [Vec3; 3],
    /// How far from the origin its corners are.
    reach: f64,
}

impl Triangle {
    fn new(mesh: &Mesh, triangle: u32) -> Triangle {
        let corners = mesh_pairs::corners(mesh, triangle);
        let reach = corners.iter().fold(0.0f64, |most, corner| most.max(dot(*corner, *corner))).sqrt();
        Triangle { corners, reach }
    }

    fn placed(&self, frame: &Frame) -> Placed<'static> {
        Placed::triangle(self.corners.map(|corner| frame.to_world(corner)))
    }
}

type Shapes<'a, 'b> = &'b dyn Fn(Frame, Frame) -> Option<(Placed<'a>, Placed<'a>)>;

/// The time of the first contact, if that is before `end`, or at it if that is 1.
fn advance(
    a: &Way<'_>,
    b: &Way<'_>,
    reaches: (f64, f64),
    margin: f64,
    end: f64,
    shapes: Shapes<'_, '_>,
) -> Option<First> {
    let turning = a.turning * reaches.0 + b.turning * reaches.1;
    let velocity = sub(a.velocity, b.velocity);
    let tolerance = 1e-6 * (reaches.0 + reaches.1);
    let mut t = 0.0;
    let mut before = First { time: 0.0, gap: 0.0 };
    for _ in 0..STEPS {
        let (at_a, at_b) = (a.at(t), b.at(t));
        // Relative to one of them, where numbers are small.
        let origin = at_b.position;
        let frames = [at_a, at_b].map(|at| Frame::new(&at).seen_from(origin));
        let (placed_a, placed_b) = shapes(frames[0], frames[1])?;
        let Relation::Apart(apart) = gjk::relation(&placed_a, &placed_b, f64::INFINITY) else {
            return Some(First { time: t, gap: 0.0 });
        };
        let gap = apart.distance - placed_a.radius - placed_b.radius - margin;
        if gap <= tolerance {
            return Some(First { time: t, gap: gap.max(0.0) });
        }
        // The normal points to a: they close in when a moves against it.
        let closing = turning - dot(velocity, apart.normal);
        if closing <= 0.0 {
            return None;
        }
        before = First { time: t, gap };
        t += gap / closing;
        if t > 1.0 || (t >= end && end < 1.0) {
            return None;
        }
    }
    Some(before)
}

/// Where an object is at a time of its way.
pub fn frame_at(object: &Object, t: f64) -> Frame {
    Frame::new(&object.last.between(&object.transform, t))
}
