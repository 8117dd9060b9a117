//! Spheres with what is as simple: closed forms.

use super::dispatch::{Pair, Scratch};
use super::manifold::{ContactPoint, Manifold, NO_TRIANGLE};
use super::poses::Pose;
use super::shapes::Shape;
use super::transform::unit;
use crate::elementary::vec3::{Vec3, add, closest_on_segment, dot, scale, sub};
use crate::memory::MemoryError;

/// A sphere around a point, and a point of the other shape's surface or axis with a radius of its own. Where they coincide, up is as good as any.
#[inline]
fn around(centre: Vec3, radius: f64, other: Vec3, other_radius: f64, margin: f64, out: &mut Manifold) {
    let way = sub(centre, other);
    let square = dot(way, way);
    let reach = radius + other_radius + margin;
    // Most are told apart without a root; a little is left for rounding, and the rest for what is below.
    if square > reach * reach * (1.0 + 1e-12) {
        return;
    }
    let distance = square.sqrt();
    let depth = radius + other_radius - distance;
    if depth < -margin {
        return;
    }
    let normal = if distance > 1e-100 && distance < 1e100 {
        scale(way, 1.0 / distance)
    } else {
        unit(way).unwrap_or([0.0, 1.0, 0.0])
    };
    let on_a = sub(centre, scale(normal, radius));
    let on_b = add(other, scale(normal, other_radius));
    let point = scale(add(on_a, on_b), 0.5);
    out.add(ContactPoint { point, normal, depth, triangles: [NO_TRIANGLE; 2] });
}

/// Two spheres, relative to the origin of the first.
#[inline]
pub fn two_spheres(a: &Pose, b: &Pose, margin: f64, out: &mut Manifold) {
    around([0.0; 3], a.radius(), sub(b.origin(), a.origin()), b.radius(), margin, out);
}

pub fn spheres(pair: &Pair<'_>, _: &mut Scratch, out: &mut Manifold) -> Result<(), MemoryError> {
    if let (Shape::Sphere { radius }, Shape::Sphere { radius: other }) = (pair.a.shape, pair.b.shape) {
        around(pair.a.frame.origin, *radius, pair.b.frame.origin, *other, pair.margin, out);
    }
    Ok(())
}

pub fn sphere_capsule(pair: &Pair<'_>, _: &mut Scratch, out: &mut Manifold) -> Result<(), MemoryError> {
    if let (Shape::Sphere { radius }, Shape::Capsule { half_height, radius: other }) =
        (pair.a.shape, pair.b.shape)
    {
        let centre = pair.a.frame.origin;
        let [from, to] = [-half_height, *half_height].map(|y| pair.b.frame.to_world([0.0, y, 0.0]));
        let t = closest_on_segment(centre, from, to);
        let closest = add(from, scale(sub(to, from), t));
        around(centre, *radius, closest, *other, pair.margin, out);
    }
    Ok(())
}

pub fn sphere_box(pair: &Pair<'_>, _: &mut Scratch, out: &mut Manifold) -> Result<(), MemoryError> {
    if let (Shape::Sphere { radius }, Shape::Box { half }) = (pair.a.shape, pair.b.shape) {
        let frame = &pair.b.frame;
        let local = frame.to_local(pair.a.frame.origin);
        let closest = [0, 1, 2].map(|i| local[i].clamp(-half[i], half[i]));
        if closest != local {
            around(pair.a.frame.origin, *radius, frame.to_world(closest), 0.0, pair.margin, out);
            return Ok(());
        }
        // The centre is inside: it leaves by the closest face.
        let axis =
            (1..3).fold(
                0,
                |best, i| {
                    if half[i] - local[i].abs() < half[best] - local[best].abs() { i } else { best }
                },
            );
        let side = if local[axis] < 0.0 { -1.0 } else { 1.0 };
        let inside = half[axis] - local[axis].abs();
        let mut face = local;
        face[axis] = side * half[axis];
        let normal = scale(frame.axes[axis], side);
        let on_a = sub(pair.a.frame.origin, scale(normal, *radius));
        let point = scale(add(on_a, frame.to_world(face)), 0.5);
        out.add(ContactPoint { point, normal, depth: radius + inside, triangles: [NO_TRIANGLE; 2] });
    }
    Ok(())
}
