//! What meshes of the real world have and no textbook expects.

use super::shapes::Shape;
use crate::support::random::Random;

/// Adds one or two defects to a shape that has triangles.
pub fn add_some(random: &mut Random, shape: &mut Shape) {
    for _ in 0..1 + random.below(2) {
        if !shape.triangles.is_empty() {
            add_one(random, shape);
        }
    }
}

fn add_one(random: &mut Random, shape: &mut Shape) {
    let times = 1 + random.below(3);
    match random.below(9) {
        0 => repeat_triangles(random, shape, times),
        1 => split_vertices(random, shape, times),
        2 => index_degenerate(random, shape, times),
        3 => needles(random, shape, times),
        4 => unreferenced_vertices(random, shape, times),
        5 => fins(random, shape, times),
        6 => coincident_vertices(random, shape, times),
        7 => *shape = super::shapes::weld(shape),
        _ => renumber(random, shape),
    }
}

/// The same triangle again: as it is, turned, or seen from behind.
fn repeat_triangles(random: &mut Random, shape: &mut Shape, times: usize) {
    for _ in 0..times {
        let [a, b, c] = *random.pick(&shape.triangles);
        let triangle = *random.pick(&[[a, b, c], [b, c, a], [c, b, a]]);
        let at = random.below(shape.triangles.len() + 1);
        shape.triangles.insert(at, triangle);
    }
}

/// A triangle gets a vertex of its own, at the same position.
fn split_vertices(random: &mut Random, shape: &mut Shape, times: usize) {
    for _ in 0..times {
        let triangle = random.below(shape.triangles.len());
        let corner = random.below(3);
        let point = shape.points[shape.triangles[triangle][corner] as usize];
        shape.triangles[triangle][corner] = shape.points.len() as u32;
        shape.points.push(point);
    }
}

/// Triangles that name a vertex twice or three times.
fn index_degenerate(random: &mut Random, shape: &mut Shape, times: usize) {
    for _ in 0..times {
        let [a, b, _] = *random.pick(&shape.triangles);
        let triangle = *random.pick(&[[a, a, b], [a, b, a], [b, a, a], [a, a, a]]);
        let at = random.below(shape.triangles.len() + 1);
        shape.triangles.insert(at, triangle);
    }
}

/// Triangles whose vertices lie on a line.
fn needles(random: &mut Random, shape: &mut Shape, times: usize) {
    for _ in 0..times {
        let [a, b, _] = *random.pick(&shape.triangles);
        let (p, q) = (shape.points[a as usize], shape.points[b as usize]);
        shape.triangles.push([a, b, shape.points.len() as u32]);
        shape.points.push(std::array::from_fn(|axis| 0.5 * (p[axis] + q[axis])));
    }
}

/// Vertices that no triangle has, some of them very far away: they are in the buffer and nowhere else.
fn unreferenced_vertices(random: &mut Random, shape: &mut Shape, times: usize) {
    for _ in 0..times {
        let far = *random.pick(&[0.1, 1.0, 1e20]);
        let at = random.below(shape.points.len() + 1);
        shape.points.insert(at, [far, -far, far]);
        for vertex in shape.triangles.as_flattened_mut() {
            *vertex += u32::from(*vertex as usize >= at);
        }
    }
}

/// More triangles on an edge that has some already.
fn fins(random: &mut Random, shape: &mut Shape, times: usize) {
    let [a, b, c] = *random.pick(&shape.triangles);
    for _ in 0..times {
        let point = shape.points[c as usize];
        shape.triangles.push([b, a, shape.points.len() as u32]);
        shape.points.push(point.map(|x| x + random.between(-0.5, 0.5)));
    }
}

/// Different vertices at the position of another one.
fn coincident_vertices(random: &mut Random, shape: &mut Shape, times: usize) {
    for _ in 0..times {
        let point = *random.pick(&shape.points);
        let to = random.below(shape.points.len());
        shape.points[to] = point;
    }
}

/// Vertices and triangles in random order.
fn renumber(random: &mut Random, shape: &mut Shape) {
    let mut map: Vec<u32> = (0..shape.points.len() as u32).collect();
    random.shuffle(&mut map);
    let old = shape.points.clone();
    for (from, &to) in map.iter().enumerate() {
        shape.points[to as usize] = old[from];
    }
    for vertex in shape.triangles.as_flattened_mut() {
        *vertex = map[*vertex as usize];
    }
    random.shuffle(&mut shape.triangles);
}
