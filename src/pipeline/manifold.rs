//! Where two objects touch: a few points that carry the contact.
//!
//! From the direction in which two convex shapes touch: the corners of each that are close to its farthest in that direction are a feature of it, a corner, an edge or a face. One of two
//! faces is clipped by the sides of the other. Which corners belong to a feature is a matter of taste; depths are not: each is that of its own point.

use super::core::{Core, Placed};
use super::transform::{perpendicular, unit};
use crate::elementary::vec3::{Vec3, add, cross, dot, scale, sub};

/// Points of a manifold at most.
pub const MAX_POINTS: usize = 16;
/// Of two convex shapes.
const CONVEX_POINTS: usize = 4;
/// Corners of a feature at most.
const FEATURE: usize = 8;
/// After a clip by another feature, with room for one more point.
const CLIPPED: usize = 2 * FEATURE + 2;
/// The same of two triangles.
const CLIPPED_TRIANGLE: usize = 8;
/// Corners this share of their distance from each other below the farthest belong to a feature: about 3 degrees.
pub(super) const SLOPE: f64 = 0.05;
/// The same for hulls, whose corners may lie in different faces.
const HULL_SLOPE: f64 = 1e-3;
/// Points in the same place are the same if the square of the difference of their normals is less than this.
pub(super) const SAME_NORMAL: f64 = 0.01;
/// In place of a triangle, where there is no mesh.
pub const NO_TRIANGLE: u32 = u32::MAX;

/// One point of contact.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct ContactPoint {
    /// Halfway between both surfaces.
    pub point: Vec3,
    /// Of length 1, from the second object to the first.
    pub normal: Vec3,
    /// How deep they are in each other; below 0 for a gap.
    pub depth: f64,
    /// Of the meshes of both objects, or [`NO_TRIANGLE`].
    pub triangles: [u32; 2],
}

/// Points of contact of a pair.
#[derive(Clone, Copy)]
pub struct Manifold {
    pub(super) points: [ContactPoint; MAX_POINTS],
    pub(super) len: usize,
    /// When it is full: for each point, which one of those before it is closest, and how far away it is.
    pub(super) closest: [(f64, usize); MAX_POINTS],
    pub(super) is_measured: bool,
}

impl Default for Manifold {
    fn default() -> Manifold {
        let nothing =
            ContactPoint { point: [0.0; 3], normal: [0.0; 3], depth: 0.0, triangles: [NO_TRIANGLE; 2] };
        let closest = [(f64::INFINITY, 0); MAX_POINTS];
        Manifold { points: [nothing; MAX_POINTS], len: 0, closest, is_measured: false }
    }
}

impl Manifold {
    pub fn points(&self) -> &[ContactPoint] {
        &self.points[..self.len]
    }

    pub fn points_mut(&mut self) -> &mut [ContactPoint] {
        &mut self.points[..self.len]
    }

    pub fn clear(&mut self) {
        (self.len, self.is_measured) = (0, false);
    }

    /// Adds a point. When there are too many, the one that matters least goes: of the two closest points the less deep one.
    pub fn add(&mut self, new: ContactPoint) {
        if self.len < MAX_POINTS {
            self.points[self.len] = new;
            self.len += 1;
            return;
        }
        if !self.is_measured {
            for i in 0..MAX_POINTS {
                self.closest[i] = self.closest_before(i);
            }
            self.is_measured = true;
        }
        let (mut least, mut pair) = (f64::INFINITY, (0, None));
        for (i, &(away, other)) in self.closest.iter().enumerate() {
            if away < least {
                (least, pair) = (away, (i, Some(other)));
            }
        }
        for (i, old) in self.points.iter().enumerate() {
            let away = apart(old, &new);
            if away < least {
                (least, pair) = (away, (i, None));
            }
        }
        match pair {
            (place, None) if new.depth > self.points[place].depth => self.replace(place, new),
            (_, None) => (),
            (i, Some(j)) => {
                let less = if self.points[i].depth < self.points[j].depth { i } else { j };
                self.replace(less, new);
            }
        }
    }

    fn closest_before(&self, place: usize) -> (f64, usize) {
        let mut best = (f64::INFINITY, 0);
        for (i, point) in self.points[..place].iter().enumerate() {
            let away = apart(point, &self.points[place]);
            if away < best.0 {
                best = (away, i);
            }
        }
        best
    }

    fn replace(&mut self, place: usize, new: ContactPoint) {
        self.points[place] = new;
        if !self.is_measured {
            return;
        }
        self.closest[place] = self.closest_before(place);
        for i in place + 1..MAX_POINTS {
            if self.closest[i].1 == place {
                self.closest[i] = self.closest_before(i);
            } else {
                let away = apart(&self.points[i], &new);
                if away < self.closest[i].0 {
                    self.closest[i] = (away, place);
                }
            }
        }
    }

    /// As [`add`](Manifold::add), unless the point is there already: neighbouring triangles have it in common.
    pub fn add_once(&mut self, new: ContactPoint, distance: f64) {
        let same = self.points().iter().position(|old| {
            let (way, turn) = (sub(old.point, new.point), sub(old.normal, new.normal));
            dot(way, way) <= distance * distance && dot(turn, turn) < SAME_NORMAL
        });
        match same {
            Some(place) if self.points[place].depth >= new.depth => (),
            Some(place) => self.replace(place, new),
            None => self.add(new),
        }
    }
}

/// How far two points are apart, squared. Points with other normals carry something else, however close they are.
fn apart(p: &ContactPoint, q: &ContactPoint) -> f64 {
    let (way, turn) = (sub(p.point, q.point), sub(p.normal, q.normal));
    dot(way, way) * (1.0 + 4.0 * dot(turn, turn))
}

/// The corners of a core that face a direction: a polygon, seen against it, counterclockwise.
#[derive(Clone, Copy)]
struct Feature<const SIZE: usize = FEATURE> {
    corners: [Vec3; SIZE],
    len: usize,
}

fn feature(shape: &Placed<'_>, direction: Vec3) -> Feature {
    let mut feature = Feature { corners: [[0.0; 3]; FEATURE], len: 0 };
    if let Some(corners) = shape.triangle_corners() {
        let of_triangle = feature_of_triangle(corners, direction);
        feature.len = of_triangle.len;
        feature.corners[..3].copy_from_slice(&of_triangle.corners);
        return feature;
    }
    let local = shape.frame.unrotate(direction);
    if let Core::Box(half) = shape.core {
        // A face of a box is known.
        let axis = (0..3).fold(0, |best, i| if local[i].abs() > local[best].abs() { i } else { best });
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let side = if local[axis] < 0.0 { -1.0 } else { 1.0 };
        for (place, (s, t)) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].into_iter().enumerate() {
            let mut corner = [0.0; 3];
            // The other way round for the other side.
            let t = t * side;
            (corner[axis], corner[u], corner[v]) = (side * half[axis], s * half[u], t * half[v]);
            feature.corners[place] = shape.frame.to_world(corner);
        }
        feature.len = 4;
        return feature;
    }
    let top = shape.core.support(local);
    let height = dot(top, local);
    let slope = if matches!(shape.core, Core::Points(_)) { HULL_SLOPE } else { SLOPE };
    let belongs = |corner: Vec3| {
        let way = sub(corner, top);
        let below = height - dot(corner, local);
        below * below <= slope * slope * dot(way, way) || below <= 0.0
    };
    let count = shape.core.corner_count();
    let u = perpendicular(local);
    let v = cross(local, u);
    // The farthest in eight directions of the plane: all corners if there are no more, and a good part of the face otherwise.
    for step in 0..FEATURE {
        let (c, s) = [
            (1.0, 0.0),
            (0.7, 0.7),
            (0.0, 1.0),
            (-0.7, 0.7),
            (-1.0, 0.0),
            (-0.7, -0.7),
            (0.0, -1.0),
            (0.7, -0.7),
        ][step];
        let along = add(scale(u, c), scale(v, s));
        let mut best: Option<(f64, Vec3)> = None;
        for corner in (0..count).map(|i| shape.core.corner(i)).filter(|&corner| belongs(corner)) {
            let here = dot(corner, along);
            if best.is_none_or(|(most, _)| here > most) {
                best = Some((here, corner));
            }
        }
        if let Some((_, corner)) = best {
            let world = shape.frame.to_world(corner);
            let known = feature.corners().contains(&world);
            if !known {
                feature.corners[feature.len] = world;
                feature.len += 1;
            }
        }
    }
    feature
}

/// All corners that belong, and a whole triangle the right way round.
fn feature_of_triangle(corners: [Vec3; 3], direction: Vec3) -> Feature<3> {
    let heights = corners.map(|corner| dot(corner, direction));
    let top = (1..3).fold(0, |best, i| if heights[i] > heights[best] { i } else { best });
    let mut feature = Feature { corners: [[0.0; 3]; 3], len: 0 };
    for (corner, height) in corners.into_iter().zip(heights) {
        let (way, below) = (sub(corner, corners[top]), heights[top] - height);
        let belongs = below * below <= SLOPE * SLOPE * dot(way, way) || below <= 0.0;
        if belongs && !feature.corners().contains(&corner) {
            feature.corners[feature.len] = corner;
            feature.len += 1;
        }
    }
    let [a, b, c] = corners;
    if feature.len == 3 && dot(cross(sub(b, a), sub(c, a)), direction) < 0.0 {
        feature.corners.swap(1, 2);
    }
    feature
}

impl<const SIZE: usize> Feature<SIZE> {
    fn corners(&self) -> &[Vec3] {
        &self.corners[..self.len]
    }

    /// The normal of the polygon, of length 1, in the given direction; that direction itself if it is none.
    fn normal(&self, direction: Vec3) -> Vec3 {
        let mut sum = [0.0; 3];
        for i in 1..self.len.saturating_sub(1) {
            let (a, b) = (sub(self.corners[i], self.corners[0]), sub(self.corners[i + 1], self.corners[0]));
            sum = add(sum, cross(a, b));
        }
        match unit(sum) {
            Some(normal) if dot(normal, direction) > 0.5 => normal,
            _ => direction,
        }
    }
}

/// Two convex shapes in contact: the direction from b to a, and where their cores are closest or deepest.
#[derive(Clone, Copy)]
pub struct Contact {
    pub normal: Vec3,
    /// Of the shapes: radii included.
    pub depth: f64,
    pub on_a: Vec3,
    pub on_b: Vec3,
}

impl Contact {
    /// The point of the contact itself.
    pub fn point(&self, a: &Placed<'_>, b: &Placed<'_>) -> ContactPoint {
        let on_a = sub(self.on_a, scale(self.normal, a.radius));
        let on_b = add(self.on_b, scale(self.normal, b.radius));
        ContactPoint {
            point: scale(add(on_a, on_b), 0.5),
            normal: self.normal,
            depth: self.depth,
            triangles: [NO_TRIANGLE; 2],
        }
    }
}

/// Adds the points of two convex shapes that touch. Those with a gap of more than `margin` are left out.
pub fn convex(
    a: &Placed<'_>,
    b: &Placed<'_>,
    contact: &Contact,
    margin: f64,
    add_point: &mut dyn FnMut(ContactPoint),
) {
    // Triangles are many: what is larger than they need takes longer to be filled than to be used.
    let (up, down) = (contact.normal, scale(contact.normal, -1.0));
    if let (Some(corners_a), Some(corners_b)) = (a.triangle_corners(), b.triangle_corners()) {
        let faces = [feature_of_triangle(corners_a, down), feature_of_triangle(corners_b, up)];
        points::<CLIPPED_TRIANGLE, 3>([a, b], &faces, contact, margin, add_point);
    } else {
        points::<CLIPPED, FEATURE>([a, b], &[feature(a, down), feature(b, up)], contact, margin, add_point);
    }
}

/// With room for so many corners of a clipped feature.
fn points<const ROOM: usize, const SIZE: usize>(
    [a, b]: [&Placed<'_>; 2],
    [face_a, face_b]: &[Feature<SIZE>; 2],
    contact: &Contact,
    margin: f64,
    add_point: &mut dyn FnMut(ContactPoint),
) {
    let witness = contact.point(a, b);
    let mut found = [witness; ROOM];
    let mut count = 0;
    if face_a.len >= 2 && face_b.len >= 2 && face_a.len + face_b.len > 4 {
        clip(a, b, face_a, face_b, contact, margin, &mut found, &mut count);
    } else if face_a.len == 2 && face_b.len == 2 {
        parallel_edges(a, b, face_a, face_b, contact, margin, &mut found, &mut count);
    }
    // The clip found nothing, or nothing as deep: then it is the closest points that touch.
    let deepest = found[..count].iter().fold(f64::NEG_INFINITY, |most, point| most.max(point.depth));
    let size = 1e-6 * (contact.depth.abs() + margin);
    if count == 0 || deepest < contact.depth - size {
        if count == ROOM {
            count -= 1;
        }
        found[count] = witness;
        count += 1;
    }
    for point in reduce(&mut found[..count]) {
        add_point(*point);
    }
}

/// The signed distance from corners of one polygon to the plane of the other, along the normal.
#[allow(clippy::too_many_arguments, reason = "two shapes with their faces, what is known and where it goes")]
fn clip<const ROOM: usize, const SIZE: usize>(
    a: &Placed<'_>,
    b: &Placed<'_>,
    face_a: &Feature<SIZE>,
    face_b: &Feature<SIZE>,
    contact: &Contact,
    margin: f64,
    found: &mut [ContactPoint; ROOM],
    count: &mut usize,
) {
    let normal = contact.normal;
    let (down, up) = (scale(normal, -1.0), normal);
    let (normal_a, normal_b) = (face_a.normal(down), face_b.normal(up));
    // The face that is more square to the normal; that of b if they are equally so, an edge never.
    let (square_a, square_b) = (dot(normal_a, down), dot(normal_b, up));
    let a_is_reference = face_b.len < 3 || (face_a.len >= 3 && square_a > square_b + 1e-9);
    let (reference, plane, incident) =
        if a_is_reference { (face_a, normal_a, face_b) } else { (face_b, normal_b, face_a) };
    let toward = if a_is_reference { down } else { up };
    let mut polygon = [[0.0; 3]; ROOM];
    polygon[..incident.len].copy_from_slice(incident.corners());
    let mut len = incident.len;
    for side in 0..reference.len {
        let (from, to) = (reference.corners[side], reference.corners[(side + 1) % reference.len]);
        // Along the normal of the contact, as points are moved to the plane: so they stay inside of the face.
        let inward = cross(toward, sub(to, from));
        let mut kept = [[0.0; 3]; ROOM];
        let mut kept_len = 0;
        let mut keep = |point: Vec3| {
            if kept_len < ROOM {
                kept[kept_len] = point;
                kept_len += 1;
            }
        };
        for i in 0..len {
            let (here, next) = (polygon[i], polygon[(i + 1) % len]);
            let (h, n) = (dot(inward, sub(here, from)), dot(inward, sub(next, from)));
            if h >= 0.0 {
                keep(here);
            }
            if (h < 0.0) != (n < 0.0) && !(len == 2 && i == 1) {
                keep(add(here, scale(sub(next, here), h / (h - n))));
            }
        }
        (polygon, len) = (kept, kept_len);
        if len == 0 {
            return;
        }
    }
    let across = dot(plane, toward);
    // Corners of a feature need not be in one plane: below the lowest of them is the inside of the shape.
    let height =
        reference.corners().iter().fold(f64::INFINITY, |least, &corner| least.min(dot(corner, plane)));
    for &corner in &polygon[..len] {
        // Along the normal, to the plane of the reference. Where that goes on beyond its face it may lie too deep: nothing is deeper than the contact.
        let gap = (dot(corner, plane) - height) / across;
        let gap = gap.max(a.radius + b.radius - contact.depth);
        let depth = a.radius + b.radius - gap;
        if depth < -margin || *count == ROOM {
            continue;
        }
        let (on_a, on_b) = if a_is_reference {
            (add(corner, scale(normal, gap)), corner)
        } else {
            (corner, sub(corner, scale(normal, gap)))
        };
        let on_a = sub(on_a, scale(normal, a.radius));
        let on_b = add(on_b, scale(normal, b.radius));
        let point = scale(add(on_a, on_b), 0.5);
        found[*count] = ContactPoint { point, normal, depth, triangles: [NO_TRIANGLE; 2] };
        *count += 1;
    }
}

/// Two edges: the ends of what they have in common, if they are parallel.
#[allow(clippy::too_many_arguments, reason = "as for clip")]
fn parallel_edges<const ROOM: usize, const SIZE: usize>(
    a: &Placed<'_>,
    b: &Placed<'_>,
    face_a: &Feature<SIZE>,
    face_b: &Feature<SIZE>,
    contact: &Contact,
    margin: f64,
    found: &mut [ContactPoint; ROOM],
    count: &mut usize,
) {
    let normal = contact.normal;
    let along_b = sub(face_b.corners[1], face_b.corners[0]);
    let along_a = sub(face_a.corners[1], face_a.corners[0]);
    let turned = cross(along_a, along_b);
    let squares = dot(along_a, along_a) * dot(along_b, along_b);
    if dot(turned, turned) > SLOPE * SLOPE * squares || squares == 0.0 {
        return;
    }
    let at = |point: Vec3| dot(sub(point, face_b.corners[0]), along_b) / dot(along_b, along_b);
    let (from, to) = (at(face_a.corners[0]), at(face_a.corners[1]));
    let (least, most) = (from.min(to).max(0.0), from.max(to).min(1.0));
    if least >= most {
        return;
    }
    for t in [least, most] {
        let on_b = add(face_b.corners[0], scale(along_b, t));
        let share = (t - from) / (to - from);
        let on_a = add(face_a.corners[0], scale(along_a, share));
        let depth = (a.radius + b.radius - dot(sub(on_a, on_b), normal)).min(contact.depth);
        if depth >= -margin {
            let on_a = sub(on_a, scale(normal, a.radius));
            let on_b = add(on_b, scale(normal, b.radius));
            let point = scale(add(on_a, on_b), 0.5);
            found[*count] = ContactPoint { point, normal, depth, triangles: [NO_TRIANGLE; 2] };
            *count += 1;
        }
    }
}

/// At most four of them: the deepest, the one farthest from it, the one farthest from their line, and the one farthest on its other side.
pub(super) fn reduce(points: &mut [ContactPoint]) -> &[ContactPoint] {
    if points.len() <= CONVEX_POINTS {
        return points;
    }
    bring(points, 0, |point, _| point.depth);
    let square = |v: Vec3| dot(v, v);
    bring(points, 1, |point, chosen| square(sub(point.point, chosen[0].point)));
    let area = |point: &ContactPoint, chosen: &[ContactPoint]| {
        let (p, q) = (chosen[0].point, chosen[1].point);
        dot(cross(sub(q, p), sub(point.point, p)), point.normal)
    };
    bring(points, 2, |point, chosen| area(point, chosen).abs());
    bring(points, 3, |point, chosen| {
        let side = if area(&chosen[2], chosen) < 0.0 { 1.0 } else { -1.0 };
        side * area(point, chosen)
    });
    &points[..CONVEX_POINTS]
}

/// Brings the point with the greatest value to a place, of those from there on; `value` may look at the ones before.
#[inline(always)]
fn bring(points: &mut [ContactPoint], place: usize, value: impl Fn(&ContactPoint, &[ContactPoint]) -> f64) {
    let (chosen, rest) = points.split_at_mut(place);
    let (mut best, mut most) = (0, f64::NEG_INFINITY);
    for (i, point) in rest.iter().enumerate() {
        let here = value(point, chosen);
        if here > most {
            (best, most) = (i, here);
        }
    }
    rest.swap(0, best);
}
