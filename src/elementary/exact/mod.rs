//! The first contact of a query, decided in integer arithmetic.
//!
//! It is slow (microseconds) and always right: what floating point cannot certify ends here. See
//! `docs/exactness.md` for the proofs in one place.
//!
//! **When.** Two primitives can touch only while their four points are coplanar: at the roots of the cubic
//! `volume`, which are known exactly ([`root`]). If it vanishes identically (the motion stays in a plane, which may
//! move), the first contact is at t = 0 or when an end of one primitive reaches an edge of the other: [`events`].
//!
//! **Where.** [`touch_at`] decides by signs of areas in axis-aligned views.

mod bracket;
mod few;
pub mod int;
mod motion;
mod poly;
mod root;

use super::edge_edge::EdgeEdge;
use super::pair::Pair;
use super::vertex_face::VertexFace;
use super::{Impact, Kind, Query};
use int::Arena;
use motion::Motion;
use poly::{Point, Poly};
use root::{Place, Root};

/// Limbs that [`first_contact`] needs at the most, whatever the coordinates are.
///
/// Coordinates of one axis span at most 2098 bits, from 2⁻¹⁰⁷⁴ to 2¹⁰²⁴, so a relative coordinate has 33 limbs, an area 66 and the volume 99
/// (and one more here and there). The longest numbers are the remainders that the sign of a cubic at its own critical point
/// takes: 750 limbs. At any time there are the motion and the volume (8,000 limbs), the areas of three views (11,000) and two
/// remainder sequences, one within the other (14,000). The test `memory_suffices` measures what is really used.
pub const LIMBS: usize = 40 * 1024;

/// Decides whether the primitives of `query` touch at any time in [0, 1], and when first.
pub fn first_contact(kind: Kind, query: &Query, toi_tolerance: f64, memory: &mut [u64]) -> Option<Impact> {
    let arena = Arena::new(memory);
    let motion = Motion::new(&arena, kind, query);
    let volume = motion.volume(&arena);
    if volume.is_zero() {
        return first_planar_contact(&arena, &motion, toi_tolerance);
    }
    let roots = root::roots(&arena, &volume);
    let first = roots.iter().find(|root| touch_at(&arena, &motion, root))?;
    Some(contact(&arena, first, toi_tolerance))
}

fn contact(arena: &Arena, root: &Root, toi_tolerance: f64) -> Impact {
    let at_start = matches!(root, Root::Point(point) if point.y.is_zero());
    let (toi_lower, toi_upper) =
        if at_start { (0.0, 0.0) } else { bracket::bracket(arena, root, toi_tolerance) };
    Impact { at_start, toi_lower, toi_upper }
}

/// Whether the primitives touch at a time at which their points are coplanar.
///
/// Seen along an axis, primitives that touch overlap. Conversely, if the view is not edge-on, coplanar points that overlap
/// in the view touch. The areas tell both, and when all of them are zero the view is edge-on (or everything is collinear) and
/// says nothing:
/// - vertex-face: areas of both signs put the vertex outside. Otherwise, if one is not zero, neither is their sum, the area
///   of the face in this view: the vertex is inside.
/// - edge-edge: two areas of one sign put an edge's ends on one side of the other edge. Otherwise, if one is not zero, the
///   edges are not parallel in this view (parallel edges have equal areas in pairs) and cross.
///
/// If no view says anything, all points are on one line and the primitives touch if and only if they do along each axis.
fn touch_at<'a>(arena: &Arena<'a>, motion: &Motion<'a>, root: &Root<'a>) -> bool {
    for axis in 0..3 {
        let sign = |poly: &Poly| root.sign_of(arena, poly);
        let areas = motion.areas(arena, axis);
        let mut any = false;
        match motion.kind {
            Kind::VertexFace => {
                let (mut positive, mut negative) = (false, false);
                for area in &areas[..3] {
                    let s = sign(area);
                    positive |= s > 0;
                    negative |= s < 0;
                    if positive && negative {
                        return false;
                    }
                }
                any |= positive || negative;
            }
            Kind::EdgeEdge => {
                for pair in areas.chunks(2) {
                    let (s0, s1) = (sign(&pair[0]), sign(&pair[1]));
                    if s0 * s1 > 0 {
                        return false;
                    }
                    any |= s0 != 0 || s1 != 0;
                }
            }
        }
        if any {
            return true;
        }
    }
    (0..3).all(|axis| overlap_along(arena, motion, root, axis))
}

/// Whether the intervals that the primitives cover along an axis overlap.
fn overlap_along<'a>(arena: &Arena<'a>, motion: &Motion<'a>, root: &Root<'a>, axis: usize) -> bool {
    let pairs = match motion.kind {
        Kind::VertexFace => VertexFace::POINT_PAIRS,
        Kind::EdgeEdge => EdgeEdge::POINT_PAIRS,
    };
    let sign = |&(from, to): &(usize, usize)| root.sign_of(arena, &motion.difference(arena, from, to, axis));
    let first = sign(&pairs[0]);
    first == 0 || pairs[1..].iter().any(|pair| sign(pair) != first)
}

/// The first contact when the points are coplanar at all times.
///
/// Let t* > 0 be the first time of contact. Primitives whose insides meet at t* in a common plane meet shortly before,
/// too. So at t* an end z of one primitive lies on an edge e of the other (a face that degenerates at t* is covered by its edges).
/// There every area of z and e is zero, in every view: t* is a root of any of the three that is not
/// identically zero. If all three are, z stays on the line of e (or e stays a point), and reaches e at t* through one of its ends: t* is a root of
/// any of the three coordinates of their difference that is not identically zero; if there is none, they touch at t = 0 already.
/// So all candidates are found by looking at one polynomial for each z and e, or one for each z and end of e.
fn first_planar_contact<'a>(arena: &Arena<'a>, motion: &Motion<'a>, toi_tolerance: f64) -> Option<Impact> {
    let start = Root::Point(Point::start(arena));
    if touch_at(arena, motion, &start) {
        return Some(contact(arena, &start, toi_tolerance));
    }
    // (area, z, ends of e), in the order of Motion::areas
    let reaches: &[(usize, [usize; 2])] = match motion.kind {
        Kind::VertexFace => &[(0, [1, 2]), (0, [2, 3]), (0, [3, 1])],
        Kind::EdgeEdge => &[(2, [0, 1]), (3, [0, 1]), (0, [2, 3]), (1, [2, 3])],
    };
    let mut first = None;
    for (area, &(end, edge)) in reaches.iter().enumerate() {
        if let Some(event) = (0..3).map(|axis| motion.areas(arena, axis)[area]).find(|poly| !poly.is_zero()) {
            first = earlier_contact(arena, motion, &event, toi_tolerance, first);
            continue;
        }
        for other in edge {
            let mut differences = (0..3).map(|axis| motion.difference(arena, end, other, axis));
            if let Some(event) = differences.find(|poly| !poly.is_zero()) {
                first = earlier_contact(arena, motion, &event, toi_tolerance, first);
            }
        }
    }
    first
}

/// `first`, or the bracket of it and all contacts at roots of `event`.
///
/// Each single bracket is as narrow as asked for, and so is the one from the earliest of the lower to the earliest of the
/// upper bounds, and it holds the earliest contact. Equal roots of different events need not be recognised.
fn earlier_contact<'a>(
    arena: &Arena<'a>,
    motion: &Motion<'a>,
    event: &Poly<'a>,
    toi_tolerance: f64,
    first: Option<Impact>,
) -> Option<Impact> {
    let roots = root::roots(arena, event);
    let contacts = roots.iter().filter(|root| touch_at(arena, motion, root));
    contacts.fold(first, |first, root| {
        let next = contact(arena, root, toi_tolerance);
        Some(first.map_or(next, |first| Impact {
            at_start: false,
            toi_lower: first.toi_lower.min(next.toi_lower),
            toi_upper: first.toi_upper.min(next.toi_upper),
        }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(kind: Kind, points: [[f64; 3]; 8]) -> Option<Impact> {
        let query: Query = std::array::from_fn(|i| points[i / 3][i % 3]);
        first_contact(kind, &query, 1e-6, &mut vec![0; LIMBS])
    }

    const FACE: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

    fn vertex_through_face(from: [f64; 3], to: [f64; 3]) -> Option<Impact> {
        let [a, b, c] = FACE;
        decide(Kind::VertexFace, [from, a, b, c, to, a, b, c])
    }

    #[test]
    fn vertex_hits_inside_edge_and_corner_but_not_beside() {
        let down = |x: f64, y: f64| vertex_through_face([x, y, 1.0], [x, y, -3.0]);
        for (x, y) in [(1.0, 1.0), (2.0, 2.0), (2.0, 0.0), (0.0, 0.0), (4.0, 0.0)] {
            let contact = down(x, y).expect("a hit");
            assert_eq!((contact.toi_lower, contact.toi_upper, contact.at_start), (0.25, 0.25, false));
        }
        for (x, y) in [(2.0, f64::next_up(2.0)), (-5e-324, 1.0), (1.0, -5e-324)] {
            assert_eq!(down(x, y), None);
        }
    }

    #[test]
    fn contact_at_either_end_counts() {
        let start = vertex_through_face([1.0, 1.0, 0.0], [1.0, 1.0, 1.0]).expect("a hit");
        assert_eq!((start.toi_lower, start.toi_upper, start.at_start), (0.0, 0.0, true));
        let end = vertex_through_face([1.0, 1.0, 1.0], [1.0, 1.0, 0.0]).expect("a hit");
        assert_eq!((end.toi_lower, end.toi_upper, end.at_start), (1.0, 1.0, false));
    }

    #[test]
    fn planar_motion_hits_when_the_edge_is_reached() {
        let contact = vertex_through_face([-1.0, 1.0, 0.0], [3.0, 1.0, 0.0]).expect("a hit");
        assert_eq!((contact.toi_lower, contact.toi_upper), (0.25, 0.25));
        assert_eq!(vertex_through_face([-1.0, 5.0, 0.0], [3.0, 5.0, 0.0]), None);
    }

    /// Everything on one line: the edges [0, 1] and [2, 3] move towards each other at relative speed 4.
    #[test]
    fn collinear_edges() {
        let x = |x: f64| [x, 0.0, 0.0];
        let points = [x(0.0), x(1.0), x(2.0), x(3.0), x(2.0), x(3.0), x(0.0), x(1.0)];
        let contact = decide(Kind::EdgeEdge, points).expect("a hit");
        assert_eq!((contact.toi_lower, contact.toi_upper), (0.25, 0.25));
    }

    /// A double root of the volume that is also a contact: the vertex touches the moving face and retreats. Relative to the
    /// face its height is (2t − 1)², times an area.
    #[test]
    fn touch_and_retreat() {
        // The face turns about the x axis through the vertex's path in such a way that the product of two linear
        // functions of time with the same zero is the height.
        let points = [
            [0.5, 1.0, 1.0],
            [0.0, 0.0, 0.0],
            [2.0, 0.0, 0.0],
            [0.0, -1.0, 1.0],
            [0.5, -1.0, -1.0],
            [0.0, 0.0, 0.0],
            [2.0, 0.0, 0.0],
            [0.0, 1.0, -1.0],
        ];
        let contact = decide(Kind::VertexFace, points).expect("a hit");
        assert!(contact.toi_lower <= 0.5 && 0.5 <= contact.toi_upper);
    }

    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
            let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58476d1ce4e5b9);
            let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d049bb133111eb);
            mixed ^ mixed >> 31
        }

        /// Any finite double, small and large exponents alike.
        fn any(&mut self) -> f64 {
            loop {
                let value = f64::from_bits(self.next());
                if value.is_finite() {
                    return value;
                }
            }
        }
    }

    /// The longest numbers there can be: all exponents, planar and spatial motion.
    #[test]
    fn memory_suffices() {
        const UNTOUCHED: u64 = 0x5afe_5afe_5afe_5afe;
        let mut random = Random(1);
        let mut memory = vec![UNTOUCHED; LIMBS];
        for round in 0..600 {
            let mut query: Query = std::array::from_fn(|_| random.any());
            if round % 3 == 1 {
                (2..24).step_by(3).for_each(|z| query[z] = 0.0);
            }
            if round % 3 == 2 {
                // ends of the span on every axis
                query.iter_mut().step_by(5).for_each(|x| *x = 5e-324);
                query.iter_mut().skip(1).step_by(5).for_each(|x| *x = f64::MAX);
            }
            for kind in [Kind::VertexFace, Kind::EdgeEdge] {
                first_contact(kind, &query, 1e-6, &mut memory);
            }
        }
        let used = LIMBS - memory.iter().rev().take_while(|&&limb| limb == UNTOUCHED).count();
        println!("used {used} of {LIMBS} limbs");
        assert!(used > LIMBS / 4, "the test does not come near the bound: {used} limbs");
    }
}
