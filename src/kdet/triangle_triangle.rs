//! Whether two triangles intersect: exactly, whatever their shape.
//!
//! A triangle is the convex hull of its corners, which may be a segment or a point. Two of them intersect if these closed sets have a point in common. Corners with the same
//! number are the same vertex: then the hull of the shared vertices is common to both anyway, and what counts is whether there is anything beyond it.
//!
//! All decisions are signs of volumes and areas ([`super::orientation`]). Two facts are used again and again:
//!
//! - Two convex sets in one plane, or on one line, meet if and only if they do as seen along each of the three axes: along one of them at least the plane is not seen edge-on, and
//!   nothing is lost. So nothing has to be chosen, and no case is special.
//! - Two triangles that meet do so at an edge of one of them: the boundary of what they have in common is made of edges.

use super::orientation::{Point, area_sign, volume_sign};

/// Corners and their numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    pub points: [Point; 3],
    pub vertices: [u32; 3],
}

/// How the corners of two triangles can be arranged so that shared ones come first: three numbers for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// How many different vertices are shared.
    pub shared: usize,
    pub orders: [[u8; 3]; 2],
}

impl Arrangement {
    #[inline]
    pub fn new(a: [u32; 3], b: [u32; 3]) -> Arrangement {
        let mut shared = 0;
        let mut orders = [[0, 1, 2], [0, 1, 2]];
        let [first, second] = &mut orders;
        for i in 0..3 {
            let vertex = a[first[i] as usize];
            // A vertex that is there twice counts once.
            if (0..shared).any(|before| a[first[before] as usize] == vertex) {
                continue;
            }
            if let Some(j) = (shared..3).find(|&j| b[second[j] as usize] == vertex) {
                first[shared..=i].rotate_right(1);
                second[shared..=j].rotate_right(1);
                shared += 1;
            }
        }
        Arrangement { shared, orders }
    }
}

/// Whether two triangles intersect, beyond the vertices that they share.
pub fn intersect(a: &Triangle, b: &Triangle) -> bool {
    let Arrangement { shared, orders } = Arrangement::new(a.vertices, b.vertices);
    let pick = |triangle: &Triangle, order: [u8; 3]| order.map(|corner| triangle.points[corner as usize]);
    let (p, q) = (pick(a, orders[0]), pick(b, orders[1]));
    match shared {
        0 => meet(&p, &q),
        1 => meet_beyond_vertex(&p, &q),
        2 => meet_beyond_edge(&p, &q),
        _ => true,
    }
}

/// Whether two triangles without a common vertex meet.
pub fn meet(a: &[Point; 3], b: &[Point; 3]) -> bool {
    let sides_b = sides(a, b);
    if are_one_sided(sides_b) {
        return false;
    }
    let sides_a = sides(b, a);
    if are_one_sided(sides_a) {
        return false;
    }
    if sides_a.iter().chain(&sides_b).all(|&side| side != 0) {
        return cross(a, sides_a, b, sides_b);
    }
    if sides_a == [0; 3]
        && sides_b == [0; 3]
        && let Some(axis) = common_view(a, b)
    {
        return !is_beside(axis, a, b) && !is_beside(axis, b, a);
    }
    edges_meet(a, sides_a, b) || edges_meet(b, sides_b, a)
}

/// An axis along which both of two triangles in one plane have an area. What is seen is all there is: a plane that is not seen edge-on.
fn common_view(a: &[Point; 3], b: &[Point; 3]) -> Option<usize> {
    (0..3)
        .find(|&axis| area_sign(axis, &a[0], &a[1], &a[2]) != 0 && area_sign(axis, &b[0], &b[1], &b[2]) != 0)
}

/// Whether all of b is beyond an edge of a, as seen along an axis along which both have areas. If two convex polygons are apart, one of their edges is such an edge (separating axes).
fn is_beside(axis: usize, a: &[Point; 3], b: &[Point; 3]) -> bool {
    let inside = area_sign(axis, &a[0], &a[1], &a[2]);
    (0..3).any(|i| b.iter().all(|p| area_sign(axis, &a[i], &a[(i + 1) % 3], p) == -inside))
}

/// On which side of the plane of a triangle three points are.
fn sides([a, b, c]: &[Point; 3], points: &[Point; 3]) -> [i32; 3] {
    [0, 1, 2].map(|i| volume_sign(a, b, c, &points[i]))
}

fn are_one_sided(sides: [i32; 3]) -> bool {
    sides == [1; 3] || sides == [-1; 3]
}

/// Whether two triangles meet that both have corners on both sides of the other's plane and none in it (Guigue and Devillers 2003).
///
/// Both meet the line that is common to the planes, in two segments. With p the corner that is alone on its side, and both triangles turned such that they see the
/// other's p on their positive side, the segments are from pq to pr, and the other way round in the second triangle. They meet if neither ends before the other begins, which is where
/// edges are that start at the lonely corners: two volumes tell.
pub fn cross(a: &[Point; 3], sides_a: [i32; 3], b: &[Point; 3], sides_b: [i32; 3]) -> bool {
    let ([p, q, r], alone_a) = lonely_first(a, sides_a);
    let ([s, t, u], alone_b) = lonely_first(b, sides_b);
    // The other triangle is turned over if it sees this one's lonely corner on its negative side.
    let (q, r) = if alone_b > 0 { (q, r) } else { (r, q) };
    let (t, u) = if alone_a > 0 { (t, u) } else { (u, t) };
    volume_sign(p, q, s, t) <= 0 && volume_sign(p, r, u, s) <= 0
}

/// The corners, turned such that the one alone on its side comes first, and which side that is.
fn lonely_first(points: &[Point; 3], sides: [i32; 3]) -> ([&Point; 3], i32) {
    let first = match sides {
        [a, b, c] if b == c && a != b => 0,
        [a, b, c] if a == c && a != b => 1,
        _ => 2,
    };
    ([&points[first], &points[(first + 1) % 3], &points[(first + 2) % 3]], sides[first])
}

/// Whether an edge of a triangle meets the other one. `sides` is where its corners are.
fn edges_meet(points: &[Point; 3], sides: [i32; 3], other: &[Point; 3]) -> bool {
    (0..3).any(|i| {
        let j = (i + 1) % 3;
        segment_meets(&points[i], sides[i], &points[j], sides[j], other)
    })
}

/// Whether a segment meets a triangle, given on which sides of its plane the ends are.
fn segment_meets(p: &Point, side_p: i32, q: &Point, side_q: i32, triangle: &[Point; 3]) -> bool {
    if side_p * side_q > 0 {
        return false;
    }
    let around = turns(p, q, triangle);
    if side_p != 0 || side_q != 0 {
        // It goes through the plane in one point, which is inside if no two edges have it on different sides.
        return !(around.contains(&1) && around.contains(&-1));
    }
    // In the plane of the triangle, or the triangle has none: then it is on a line, which may not even be in a plane with the segment.
    around == [0; 3] && (0..3).all(|axis| meet_in_view(axis, p, q, triangle))
}

/// How the edges of a triangle go around the line through p and q.
fn turns(p: &Point, q: &Point, [a, b, c]: &[Point; 3]) -> [i32; 3] {
    [volume_sign(p, q, a, b), volume_sign(p, q, b, c), volume_sign(p, q, c, a)]
}

/// Whether a segment and a triangle meet as seen along an axis.
fn meet_in_view(axis: usize, p: &Point, q: &Point, triangle: &[Point; 3]) -> bool {
    is_inside_in_view(axis, p, triangle)
        || (0..3).any(|i| segments_meet_in_view(axis, p, q, &triangle[i], &triangle[(i + 1) % 3]))
}

/// Whether a point is in a triangle as seen along an axis.
fn is_inside_in_view(axis: usize, p: &Point, triangle: &[Point; 3]) -> bool {
    let areas = [0, 1, 2].map(|i| area_sign(axis, &triangle[i], &triangle[(i + 1) % 3], p));
    if areas.contains(&1) && areas.contains(&-1) {
        return false;
    }
    if areas != [0; 3] {
        return true;
    }
    // All on one line, as it seems from here.
    (0..3).any(|i| is_between_in_view(axis, p, &triangle[i], &triangle[(i + 1) % 3]))
}

/// Whether a point on the line through a and b, as seen along an axis, is between them.
fn is_between_in_view(axis: usize, p: &Point, a: &Point, b: &Point) -> bool {
    [(axis + 1) % 3, (axis + 2) % 3].into_iter().all(|i| a[i].min(b[i]) <= p[i] && p[i] <= a[i].max(b[i]))
}

fn segments_meet_in_view(axis: usize, p: &Point, q: &Point, a: &Point, b: &Point) -> bool {
    let (pa, pb) = (area_sign(axis, p, q, a), area_sign(axis, p, q, b));
    let (ap, aq) = (area_sign(axis, a, b, p), area_sign(axis, a, b, q));
    if pa * pb < 0 && ap * aq < 0 {
        return true;
    }
    // They touch if an end of one is on the other.
    (pa == 0 && is_between_in_view(axis, a, p, q))
        || (pb == 0 && is_between_in_view(axis, b, p, q))
        || (ap == 0 && is_between_in_view(axis, p, a, b))
        || (aq == 0 && is_between_in_view(axis, q, a, b))
}

/// Whether a segment that goes through the plane of a triangle does so inside of it.
pub fn pierces(p: &Point, q: &Point, triangle: &[Point; 3]) -> bool {
    let around = turns(p, q, triangle);
    !(around.contains(&1) && around.contains(&-1))
}

/// Whether two segments of one plane cross in a point that is no end, and an axis along which that is seen.
pub fn segments_cross(p: &Point, q: &Point, a: &Point, b: &Point) -> Option<usize> {
    (0..3).find(|&axis| {
        area_sign(axis, p, q, a) * area_sign(axis, p, q, b) < 0
            && area_sign(axis, a, b, p) * area_sign(axis, a, b, q) < 0
    })
}

/// Whether a point is in a triangle.
pub fn contains(triangle: &[Point; 3], p: &Point) -> bool {
    let [a, b, c] = triangle;
    volume_sign(a, b, c, p) == 0 && (0..3).all(|axis| is_inside_in_view(axis, p, triangle))
}

/// Whether a point is on a segment.
fn is_on(a: &Point, b: &Point, p: &Point) -> bool {
    (0..3).all(|axis| area_sign(axis, a, b, p) == 0 && is_between_in_view(axis, p, a, b))
}

/// Whether two triangles that share their first vertex v meet anywhere else.
///
/// Take a point that both have in common, and go on from v through it until the first of the two ends: there both still are, on the edge of that one which is opposite v. So it is
/// enough to look for common points of these edges and the other triangle. Should v be on such an edge, the triangle is a segment, and its ends other than v are where it ends.
pub fn meet_beyond_vertex(a: &[Point; 3], b: &[Point; 3]) -> bool {
    let is_in_plane_of_a = |p: &Point| volume_sign(&a[0], &a[1], &a[2], p) == 0;
    if is_in_plane_of_a(&b[1])
        && is_in_plane_of_a(&b[2])
        && let Some(axis) = common_view(a, b)
    {
        // Two sectors around v, each less than half a turn: if they meet, an edge of one is in the other.
        return has_edge_within(axis, a, b) || has_edge_within(axis, b, a);
    }
    opposite_edge_meets(a, b) || opposite_edge_meets(b, a)
}

/// Whether one of the edges that a triangle has at its first vertex is in the sector of another one at the same vertex, as seen along an axis along which both have areas.
fn has_edge_within(axis: usize, [v, p, q]: &[Point; 3], [_, r, s]: &[Point; 3]) -> bool {
    let turn = area_sign(axis, v, r, s);
    [p, q].into_iter().any(|x| area_sign(axis, v, r, x) != -turn && area_sign(axis, v, x, s) != -turn)
}

fn opposite_edge_meets([v, p, q]: &[Point; 3], other: &[Point; 3]) -> bool {
    if is_on(p, q, v) {
        return [p, q].into_iter().any(|end| end != v && contains(other, end));
    }
    let [a, b, c] = other;
    segment_meets(p, volume_sign(a, b, c, p), q, volume_sign(a, b, c, q), other)
}

/// Whether two triangles that share their first two vertices v and w meet anywhere else than on the edge between them.
///
/// If all four points are not in one plane they do not. If they are, and both are more than a segment, they do when they are on the same side of the edge. Otherwise all that both
/// have in common is on the line of a segment, and ends at a vertex.
pub fn meet_beyond_edge(a: &[Point; 3], b: &[Point; 3]) -> bool {
    let [v, w, p] = a;
    let q = &b[2];
    if volume_sign(v, w, p, q) != 0 {
        return false;
    }
    let areas = |x: &Point| [0, 1, 2].map(|axis| area_sign(axis, v, w, x));
    let (of_a, of_b) = (areas(p), areas(q));
    if of_a != [0; 3] && of_b != [0; 3] {
        return of_a == of_b;
    }
    (contains(b, p) && !is_on(v, w, p)) || (contains(a, q) && !is_on(v, w, q))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_vertices_come_first() {
        let arrange = |a, b| Arrangement::new(a, b);
        assert_eq!(arrange([1, 2, 3], [4, 5, 6]).shared, 0);
        for (a, b, shared) in [
            ([1, 2, 3], [4, 5, 3], 1),
            ([1, 2, 3], [3, 2, 7], 2),
            ([1, 2, 3], [3, 1, 2], 3),
            ([1, 1, 3], [1, 4, 5], 1),
            ([1, 1, 3], [3, 1, 1], 2),
            ([1, 2, 3], [1, 1, 1], 1),
            ([7, 1, 1], [1, 1, 8], 1),
        ] {
            let Arrangement { shared: found, orders } = arrange(a, b);
            assert_eq!(found, shared, "{a:?} {b:?}");
            for i in 0..shared {
                assert_eq!(a[orders[0][i] as usize], b[orders[1][i] as usize], "{a:?} {b:?}");
            }
            for mut order in orders {
                order.sort();
                assert_eq!(order, [0, 1, 2]);
            }
        }
    }
}
