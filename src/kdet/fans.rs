//! The triangles around a vertex, one after the other: a fan. They follow from the triangles' corners alone, so they are kept as long as a mesh has the same ones.
//!
//! Most candidates are neighbours, and neighbours mostly do not intersect. [`super::clean`] shows it for all triangles of a fan at once.

use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::Features;

/// Fans of more triangles than this are left out, and so are single triangles, which have nothing to meet.
pub const MOST_TRIANGLES: usize = 16;

/// Fans of the same number of triangles, which are worked on in lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Alike {
    /// A fan has a vertex in the middle, and around it as many points as this. A closed one has its first point once more at the end.
    pub point_count: usize,
    pub is_closed: bool,
    /// Of its fans, among all.
    pub first: usize,
    pub count: usize,
    /// Of their points, among all.
    first_point: usize,
}

/// Point counts from 3 to 17, open and closed.
const KINDS: usize = 2 * (MOST_TRIANGLES + 2);

/// The vertices of a mesh whose triangles are one fan: each shares an edge with the one before and the one after it, and with no other.
pub struct Fans {
    /// By kind: `2 * point_count + is_closed`.
    kinds: [Alike; KINDS],
    vertices: Buffer<u32>,
    points: Buffer<u32>,
}

impl Fans {
    pub fn new(memory: &Memory, features: &Features) -> Result<Fans, MemoryError> {
        let triangles = features.triangles();
        let vertex_count = features.triangle_of_vertices().len();
        // Where the sides opposite a vertex begin; at first, how many there are.
        let mut starts: Buffer<u32> = Buffer::new(memory.clone());
        starts.resize(vertex_count.checked_add(1).ok_or(MemoryError::TooLarge)?, 0)?;
        for &vertex in triangles.as_flattened() {
            starts[vertex as usize] += 1;
        }
        let mut total = 0;
        for start in starts.iter_mut() {
            total += std::mem::replace(start, total);
        }
        let mut sides: Buffer<[u32; 2]> = Buffer::new(memory.clone());
        sides.resize(total as usize, [0; 2])?;
        for &[a, b, c] in triangles {
            for (vertex, side) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
                let place = &mut starts[vertex as usize];
                sides[*place as usize] = side;
                *place += 1;
            }
        }
        // Now each start has come to where the next vertex begins. First the sizes of all kinds, then everything goes to its place.
        let mut fans = Fans {
            kinds: [Alike::default(); KINDS],
            vertices: Buffer::new(memory.clone()),
            points: Buffer::new(memory.clone()),
        };
        let mut kind_of: Buffer<u8> = Buffer::new(memory.clone());
        kind_of.resize(vertex_count, 0)?;
        let mut begin = 0;
        for (vertex, &end) in starts[..vertex_count].iter().enumerate() {
            let own = &mut sides[begin..end as usize];
            begin = end as usize;
            if let Some(is_closed) = put_in_order(vertex as u32, own) {
                let kind = 2 * (own.len() + 1) + usize::from(is_closed);
                kind_of[vertex] = kind as u8;
                fans.kinds[kind].count += 1;
            }
        }
        let (mut first, mut first_point) = (0, 0);
        for (number, kind) in fans.kinds.iter_mut().enumerate() {
            (kind.point_count, kind.is_closed) = (number / 2, number % 2 != 0);
            (kind.first, kind.first_point) = (first, first_point);
            first += kind.count;
            first_point += kind.count * kind.point_count;
        }
        fans.vertices.resize(first, 0)?;
        fans.points.resize(first_point, 0)?;
        let mut next = fans.kinds.map(|kind| kind.first);
        let mut begin = 0;
        for (vertex, &end) in starts[..vertex_count].iter().enumerate() {
            let own = &sides[begin..end as usize];
            begin = end as usize;
            if kind_of[vertex] == 0 {
                continue;
            }
            let kind = kind_of[vertex] as usize;
            let Alike { first, first_point, point_count, .. } = fans.kinds[kind];
            let place = next[kind];
            next[kind] += 1;
            fans.vertices[place] = vertex as u32;
            let points = &mut fans.points[first_point + (place - first) * point_count..][..point_count];
            points[0] = own[0][0];
            for (point, side) in points[1..].iter_mut().zip(own) {
                *point = side[1];
            }
        }
        Ok(fans)
    }

    /// All kinds that there are fans of.
    pub fn kinds(&self) -> impl Iterator<Item = Alike> {
        self.kinds.into_iter().filter(|kind| kind.count > 0)
    }

    /// The vertices in the middle, by number of the fan.
    pub fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// The points around the fans of a kind, one fan after the other.
    pub fn points(&self, kind: &Alike) -> &[u32] {
        &self.points[kind.first_point..][..kind.count * kind.point_count]
    }

    pub fn bytes(&self) -> usize {
        (self.vertices.capacity() + self.points.capacity()) * size_of::<u32>()
    }
}

/// Sorts, and turns, the sides opposite a vertex such that each begins where the one before ends. Whether the last ends where the first begins; nothing if there is no such order, or
/// if there are several.
fn put_in_order(vertex: u32, sides: &mut [[u32; 2]]) -> Option<bool> {
    if !(2..=MOST_TRIANGLES).contains(&sides.len()) {
        return None;
    }
    // Triangles with repeated corners are in no fan.
    if sides.iter().any(|&[a, b]| a == b || a == vertex || b == vertex) {
        return None;
    }
    let others_with = |sides: &[[u32; 2]], own: usize, point: u32| {
        (0..sides.len()).filter(|&i| i != own && sides[i].contains(&point)).count()
    };
    // An end that no other side has is where an open fan begins.
    for i in 0..sides.len() {
        let [a, b] = sides[i];
        let ends = [others_with(sides, i, a), others_with(sides, i, b)];
        if ends.iter().any(|&others| others > 1) {
            return None;
        }
        if ends.contains(&0) {
            sides.swap(0, i);
            sides[0] = if ends[0] == 0 { [a, b] } else { [b, a] };
            break;
        }
    }
    for place in 1..sides.len() {
        let end = sides[place - 1][1];
        let next = (place..sides.len()).find(|&i| sides[i].contains(&end))?;
        sides.swap(place, next);
        if sides[place][0] != end {
            sides[place].swap(0, 1);
        }
        // A point that three sides have.
        if (place + 1..sides.len()).any(|i| sides[i].contains(&end)) {
            return None;
        }
    }
    let [begin, end] = [sides[0][0], sides[sides.len() - 1][1]];
    if begin == end {
        return (sides.len() > 2).then_some(true);
    }
    // An open fan ends at a point that nothing else has, and begins at one.
    let is_met = |own: usize, point: u32| others_with(sides, own, point) > 0;
    (!is_met(0, begin) && !is_met(sides.len() - 1, end)).then_some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(sides: &[[u32; 2]]) -> Option<(Vec<[u32; 2]>, bool)> {
        let mut sides = sides.to_vec();
        put_in_order(0, &mut sides).map(|is_closed| (sides, is_closed))
    }

    #[test]
    fn sides_become_chains() {
        assert_eq!(ordered(&[[3, 1], [1, 2], [2, 3]]), Some((vec![[3, 1], [1, 2], [2, 3]], true)));
        // However they are turned.
        assert_eq!(ordered(&[[1, 2], [3, 2], [3, 4]]), Some((vec![[1, 2], [2, 3], [3, 4]], false)));
        assert_eq!(ordered(&[[2, 3], [2, 1]]), Some((vec![[3, 2], [2, 1]], false)));
    }

    #[test]
    fn what_is_no_fan() {
        // One triangle; two that are apart, or the same; three at an edge; a repeated corner; two closed fans; one with a fin.
        for sides in [
            &[[1, 2]][..],
            &[[1, 2], [3, 4]],
            &[[1, 2], [2, 1]],
            &[[1, 2], [1, 3], [1, 4]],
            &[[1, 2], [2, 2]],
            &[[1, 2], [2, 0]],
            &[[1, 2], [2, 3], [3, 1], [4, 5], [5, 6], [6, 4]],
            &[[1, 2], [2, 3], [3, 1], [1, 4]],
            &[[1, 2], [3, 4], [4, 5], [5, 3]],
        ] {
            assert_eq!(ordered(sides), None, "{sides:?}");
        }
    }

    #[test]
    fn fans_of_a_tetrahedron_and_a_strip() {
        let memory = Memory::new(None).expect("the system has memory");
        let triangles = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2], [4, 5, 6], [5, 7, 6]];
        let features =
            Features::new(&memory, 8, triangles.len(), &|i| triangles[i]).expect("there is memory");
        let fans = Fans::new(&memory, &features).expect("there is memory");
        let kinds: Vec<_> = fans.kinds().map(|kind| (kind.point_count, kind.is_closed, kind.count)).collect();
        assert_eq!(kinds, [(3, false, 2), (4, true, 4)]);
        assert_eq!(fans.vertices(), [5, 6, 0, 1, 2, 3]);
        for kind in fans.kinds() {
            let middles = &fans.vertices()[kind.first..][..kind.count];
            for (middle, points) in middles.iter().zip(fans.points(&kind).chunks(kind.point_count)) {
                for side in points.windows(2) {
                    let is_triangle =
                        triangles.iter().any(|t| t.contains(middle) && side.iter().all(|p| t.contains(p)));
                    assert!(is_triangle, "{middle} {points:?}");
                }
                assert_eq!(points.first() == points.last(), kind.is_closed);
            }
        }
    }
}
