//! The narrow phase: which test a pair of shapes gets (section 3.2 of the paper).
//!
//! To add a shape: add it to [`ShapeKind`](super::shapes::ShapeKind), as the last one, and a column and a row to [`TABLE`]. The row says how the new shape is tested
//! against those before it and itself; entries below the diagonal are not used, because a pair is turned round if it has to.

use super::box_box;
use super::convex_mesh;
use super::core::Placed;
use super::epa::{Overlap, Polytope};
use super::gjk::{self, Relation};
use super::manifold::{self, Contact, ContactPoint, Manifold};
use super::mesh_pairs;
use super::near_triangles::NearTriangles;
use super::round;
use super::shapes::{KINDS, Shape};
use super::transform::Frame;
use crate::bvh::Tree;
use crate::elementary::vec3::{Vec3, add, dot, scale, sub};
use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::Mesh;
use crate::simd::Level;

/// An object as a test sees it.
#[derive(Clone, Copy)]
pub struct Body<'a> {
    pub shape: &'a Shape,
    /// Relative to the origin of the pair.
    pub frame: Frame,
    /// Of a mesh.
    pub mesh: Option<(&'a Mesh, &'a Tree)>,
}

/// Two objects, that of the lower kind first.
#[derive(Clone, Copy)]
pub struct Pair<'a> {
    pub a: Body<'a>,
    pub b: Body<'a>,
    /// Gaps up to this are contacts.
    pub margin: f64,
}

/// What tests need for a while. A worker has one.
pub struct Scratch {
    pub polytope: Polytope,
    pub triangles: Buffer<u32>,
    pub near: NearTriangles,
    pub points: Buffer<ContactPoint>,
    /// What kernels are run with.
    pub level: Level,
}

impl Scratch {
    pub fn new(memory: &Memory) -> Scratch {
        Scratch {
            polytope: Polytope::default(),
            triangles: Buffer::new(memory.clone()),
            near: NearTriangles::new(memory),
            points: Buffer::new(memory.clone()),
            level: Level::Scalar,
        }
    }
}

/// Finds the points of contact of a pair.
type Test = fn(&Pair<'_>, &mut Scratch, &mut Manifold) -> Result<(), MemoryError>;

#[rustfmt::skip]
const TABLE: [[Test; KINDS]; KINDS] = [
    // sphere            capsule              box               hull       mesh
    [round::spheres,     round::sphere_capsule, round::sphere_box, convex,  convex_mesh::test], // sphere
    [never,              convex,              convex,           convex,    convex_mesh::test], // capsule
    [never,              never,               box_box::test,    convex,    convex_mesh::test], // box
    [never,              never,               never,            convex,    convex_mesh::test], // hull
    [never,              never,               never,            never,     mesh_pairs::meshes],      // mesh
];

fn never(_: &Pair<'_>, _: &mut Scratch, _: &mut Manifold) -> Result<(), MemoryError> {
    unreachable!("pairs are turned round before they are looked up")
}

/// Finds the points of contact of two objects, relative to the origin of the pair.
pub fn test(
    first: Body<'_>,
    second: Body<'_>,
    margin: f64,
    scratch: &mut Scratch,
    out: &mut Manifold,
) -> Result<(), MemoryError> {
    out.clear();
    let turned = first.shape.kind() > second.shape.kind();
    let (a, b) = if turned { (second, first) } else { (first, second) };
    TABLE[a.shape.kind() as usize][b.shape.kind() as usize](&Pair { a, b, margin }, scratch, out)?;
    if turned {
        for point in out.points_mut() {
            point.normal = scale(point.normal, -1.0);
            point.triangles.swap(0, 1);
        }
    }
    Ok(())
}

/// Any two shapes that are no meshes.
pub fn convex(pair: &Pair<'_>, scratch: &mut Scratch, out: &mut Manifold) -> Result<(), MemoryError> {
    if let (Some(a), Some(b)) = (pair.a.shape.placed(pair.a.frame), pair.b.shape.placed(pair.b.frame)) {
        cores(&a, &b, pair.margin, &mut scratch.polytope, &mut |point| out.add(point));
    }
    Ok(())
}

/// Two cores with their radii, by GJK, and EPA if the cores themselves meet.
pub fn cores(
    a: &Placed<'_>,
    b: &Placed<'_>,
    margin: f64,
    polytope: &mut Polytope,
    add_point: &mut dyn FnMut(ContactPoint),
) {
    if let Some(contact) = contact(a, b, margin, polytope) {
        manifold::convex(a, b, &contact, margin, add_point);
    }
}

/// Where two cores with their radii touch; None if the gap is more than `margin`.
pub fn contact(a: &Placed<'_>, b: &Placed<'_>, margin: f64, polytope: &mut Polytope) -> Option<Contact> {
    let radii = a.radius + b.radius;
    match gjk::relation(a, b, radii + margin) {
        Relation::Far => None,
        Relation::Apart(apart) => {
            let (on_a, on_b) = apart.simplex.points();
            let depth = radii - apart.distance;
            (depth >= -margin).then_some(Contact { normal: apart.normal, depth, on_a, on_b })
        }
        Relation::Meeting(simplex) => {
            let Overlap { depth, normal, on_a, on_b } = polytope.overlap(a, b, &simplex);
            let (on_a, on_b) = deepest_points(a, b, depth, normal, [on_a, on_b]);
            Some(Contact { normal, depth: depth + radii, on_a, on_b })
        }
    }
}

/// The points of two cores that are deepest in each other, which are the depth apart along the normal. Where the difference of the cores has a face of more than three corners, the triangle that
/// the depth was found at may lie beside the origin. Then the points are found anew: with the first core moved out of the other one, along the normal, they are the closest ones.
fn deepest_points(
    a: &Placed<'_>,
    b: &Placed<'_>,
    depth: f64,
    normal: Vec3,
    known: [Vec3; 2],
) -> (Vec3, Vec3) {
    let [on_a, on_b] = known;
    let beside = sub(sub(on_b, on_a), scale(normal, depth));
    if dot(beside, beside) <= 1e-12 * depth * depth {
        return (on_a, on_b);
    }
    let way = scale(normal, 2.0 * depth);
    let mut moved = *a;
    moved.frame.origin = add(a.frame.origin, way);
    match gjk::relation(&moved, b, f64::INFINITY) {
        Relation::Apart(apart) => {
            let (on_moved, on_b) = apart.simplex.points();
            (sub(on_moved, way), on_b)
        }
        _ => (on_a, on_b),
    }
}

/// Moves points from the origin of the pair to the world.
pub fn to_world(out: &mut Manifold, origin: [f64; 3]) {
    for point in out.points_mut() {
        point.point = add(point.point, origin);
    }
}
