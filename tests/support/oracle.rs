//! The exact answer to a query: do two primitives that move linearly touch in the closed interval [0, 1], and when
//! first? Integer polynomials throughout; nothing is rounded.
//!
//! Two primitives can touch only at times at which their four points lie in one plane. The volume they span is a
//! cubic in time. If it isn't identically zero, its roots are the only times to look at. If it is, the motion stays in
//! one (moving) plane, and a first contact after t=0 has a vertex of one primitive on the boundary of the other:
//! in a common plane a contact between two interiors existed a moment before as well. Looking at too many times does
//! no harm, as contact at each is decided in full.

use super::motion::{self, Vector, cross, difference};
use super::polynomial::Polynomial;
use super::time::Time;
use pccd::elementary::{Kind, Query};
use std::cmp::Ordering;

/// Whether cheap exact proofs of "no contact" may be used before the full decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortcuts {
    On,
    Off,
}

/// Exact time of the first contact; `None` if there is none.
pub fn first_contact(kind: Kind, query: &Query, shortcuts: Shortcuts) -> Option<Time> {
    if shortcuts == Shortcuts::On && is_separated_along_an_axis(kind, query) {
        return None;
    }
    let points = motion::points(query);
    let [first, second, third] = [1, 2, 3].map(|index| difference(&points[index], &points[0]));
    let volume = motion::volume(&first, &second, &third);
    if volume.is_zero() {
        let mut contacts: Vec<Time> = planar_events(kind, &points)
            .into_iter()
            .filter_map(|time| contact_at(kind, &points, time))
            .collect();
        contacts.sort_by(Time::compare);
        contacts.into_iter().next()
    } else {
        Time::roots_of(&volume).into_iter().find_map(|time| contact_at(kind, &points, time))
    }
}

/// Whether one primitive is below the other along x, y or z at both ends, and so throughout: along a fixed direction
/// the gap is a minimum of functions linear in time. Comparing doubles is exact.
pub fn is_separated_along_an_axis(kind: Kind, query: &Query) -> bool {
    let first_count = if kind == Kind::VertexFace { 1 } else { 2 };
    (0..3).any(|axis| {
        let range = |from: usize, to: usize| {
            let column = (from..to).map(|row| query[3 * row + axis]);
            column.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            })
        };
        let (start_first, start_second) = (range(0, first_count), range(first_count, 4));
        let (end_first, end_second) = (range(4, 4 + first_count), range(4 + first_count, 8));
        (start_first.1 < start_second.0 && end_first.1 < end_second.0)
            || (start_second.1 < start_first.0 && end_second.1 < end_first.0)
    })
}

/// Every time at which a contact of four points that are always coplanar can begin.
fn planar_events(kind: Kind, points: &[Vector; 4]) -> Vec<Time> {
    let vertex_edge_pairs: &[[usize; 3]] = match kind {
        Kind::VertexFace => &[[0, 1, 2], [0, 2, 3], [0, 3, 1]],
        Kind::EdgeEdge => &[[0, 2, 3], [1, 2, 3], [2, 0, 1], [3, 0, 1]],
    };
    let mut events = vec![Time::start()];
    for &[vertex, from, to] in vertex_edge_pairs {
        let relative = difference(&points[vertex], &points[from]);
        let edge = difference(&points[to], &points[from]);
        let line_test = first_nonzero((0..3).map(|axis| cross(&relative, &edge, axis)));
        match line_test {
            Some(polynomial) => events.extend(Time::roots_of(&polynomial)),
            // Always on the line: the vertex enters the edge at one of its ends.
            None => {
                for end in [from, to] {
                    let offset = difference(&points[vertex], &points[end]);
                    // A vertex that always coincides with an end is in contact from the start.
                    if let Some(polynomial) = first_nonzero(offset.into_iter()) {
                        events.extend(Time::roots_of(&polynomial));
                    }
                }
            }
        }
    }
    events
}

fn first_nonzero(mut polynomials: impl Iterator<Item = Polynomial>) -> Option<Polynomial> {
    polynomials.find(|polynomial| !polynomial.is_zero())
}

/// The time (perhaps known better than before) if the primitives touch at it. The four points must be coplanar then.
fn contact_at(kind: Kind, points: &[Vector; 4], mut time: Time) -> Option<Time> {
    let touches = match kind {
        Kind::VertexFace => vertex_touches_face(points, &mut time),
        Kind::EdgeEdge => edges_touch(points, &mut time),
    };
    touches.then_some(time)
}

fn vertex_touches_face([vertex, a, b, c]: &[Vector; 4], time: &mut Time) -> bool {
    let (to_b, to_c) = (difference(b, a), difference(c, a));
    // Seen along an axis that isn't in its plane, the triangle keeps its shape up to an affine map.
    for axis in 0..3 {
        let orientation = time.sign_of(&cross(&to_b, &to_c, axis));
        if orientation != 0 {
            return [(a, b), (b, c), (c, a)].iter().all(|(from, to)| {
                let side = cross(&difference(to, from), &difference(vertex, from), axis);
                orientation * time.sign_of(&side) >= 0
            });
        }
    }
    // A triangle without area is the union of its edges.
    [(a, b), (b, c), (c, a)].iter().any(|(from, to)| vertex_touches_edge(vertex, from, to, time))
}

fn edges_touch([a, b, c, d]: &[Vector; 4], time: &mut Time) -> bool {
    let (first, second, gap) = (difference(b, a), difference(d, c), difference(c, a));
    for axis in 0..3 {
        // Where the lines meet: a + first · u / scale = c + second · v / scale.
        let scale = cross(&first, &second, axis);
        let orientation = time.sign_of(&scale);
        if orientation != 0 {
            return [&second, &first].iter().all(|direction| {
                let weight = cross(&gap, direction, axis);
                orientation * time.sign_of(&weight) >= 0
                    && orientation * time.sign_of(&(&scale - &weight)) >= 0
            });
        }
    }
    // Parallel edges, and edges without length, touch only if an end of one lies on the other.
    vertex_touches_edge(a, c, d, time)
        || vertex_touches_edge(b, c, d, time)
        || vertex_touches_edge(c, a, b, time)
        || vertex_touches_edge(d, a, b, time)
}

fn vertex_touches_edge(vertex: &Vector, from: &Vector, to: &Vector, time: &mut Time) -> bool {
    let (relative, edge) = (difference(vertex, from), difference(to, from));
    (0..3).all(|axis| time.sign_of(&cross(&relative, &edge, axis)) == 0)
        && (0..3).all(|axis| {
            let (below, above) = (&vertex[axis] - &from[axis], &vertex[axis] - &to[axis]);
            time.sign_of(&below) * time.sign_of(&above) <= 0
        })
}

/// Whether a contact time is `t = 0` exactly.
pub fn is_at_start(time: &Time) -> bool {
    time.compare_f64(0.0) == Ordering::Equal
}
