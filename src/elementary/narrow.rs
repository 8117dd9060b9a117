//! Certified decisions by subdividing time alone, in floating point.
//!
//! Where the volume has a certain change of sign and, in some axis-aligned view, the primitives certainly cross during
//! the same short interval, there is a contact: at the volume's root all four points are coplanar, and what crosses in
//! a view that is not edge-on then meets. Where the volume has one certain sign, or the primitives are certainly disjoint in a view, there is
//! none. What is neither, for too long, is left to exact arithmetic.

use super::motion::{Motion, Positions, U, Volume, areas_between, volume_between};
use super::pair::{Location, Pair};
use super::vec3::cross;
use crate::simd::{Doubles, Lanes, Mask};

/// What is known about a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    Miss,
    /// The primitives touch at t = 0.
    Start,
    /// The first contact is at a time in the given interval.
    Hit(f64, f64),
    Unknown,
}

/// What is known about the queries in the lanes.
pub struct Decided<V> {
    /// Bits: no contact, or certainly a first one between two times. Else unknown.
    pub miss: u32,
    pub hit: u32,
    pub lower: V,
    pub upper: V,
}

/// Decides the easy and frequent queries, several at once: exactly one root of the volume, and clearly inside or outside there.
#[inline(always)]
pub fn decide_single_root<V: Doubles, P: Pair>(columns: &[V; 24], toi_tolerance: f64) -> Decided<V> {
    let motion = Motion::new(columns);
    let piece = Piece { volume: motion.volume(), from: V::splat(0.0), to: V::splat(1.0) };
    let Outcome { miss, hit, lower, upper } = piece.decide::<P>(&motion, toi_tolerance);
    Decided { miss: miss.bits(), hit: (hit & !miss).bits(), lower, upper }
}

/// Decides the next frequent ones, several at once: the motion in two pieces, cut where the volume is closest to zero. A volume with the
/// same sign at both ends mostly has no root, or one in each piece.
#[inline(always)]
pub fn decide_two_roots<V: Doubles, P: Pair>(columns: &[V; 24], toi_tolerance: f64) -> Decided<V> {
    let motion = Motion::new(columns);
    let volume = motion.volume();
    let middle = volume.guess_extremum();
    let [first, second] = volume.cut_at(middle);
    let first = Piece { volume: first, from: V::splat(0.0), to: middle }.decide::<P>(&motion, toi_tolerance);
    let second =
        Piece { volume: second, from: middle, to: V::splat(1.0) }.decide::<P>(&motion, toi_tolerance);
    let hit_first = first.hit & !first.miss;
    Decided {
        miss: (first.miss & second.miss).bits(),
        hit: (hit_first | (first.miss & second.hit & !second.miss)).bits(),
        lower: first.lower.select(hit_first, second.lower),
        upper: first.upper.select(hit_first, second.upper),
    }
}

/// The volume during a part of the motion.
struct Piece<V> {
    volume: Volume<V>,
    from: V,
    to: V,
}

/// What is known about a piece: no contact, or that the first one is between two times.
struct Outcome<V: Doubles> {
    miss: V::Mask,
    hit: V::Mask,
    lower: V,
    upper: V,
}

impl<V: Doubles> Piece<V> {
    #[inline(always)]
    fn decide<P: Pair>(&self, motion: &Motion<V>, toi_tolerance: f64) -> Outcome<V> {
        let (falling, once) = self.volume.falling();
        let (span, tolerance) = (self.to - self.from, V::splat(toi_tolerance));
        let width = (tolerance / span).min(V::splat(1.0));
        let (lower, upper, certain) = bracket_root(&falling, once, width);
        // The ends of the piece are exact; the product and the sum are rounded, each by u at most.
        let rounding = V::splat(4.0 * U);
        let lower = (self.from + lower * span - rounding).max(self.from);
        let upper = (self.from + upper * span + rounding).min(self.to);
        let certain = certain & !(upper - lower).gt(tolerance);
        let location = locate::<V, P>(&motion.at(lower), &motion.at(upper), &motion.position_error());
        Outcome {
            miss: self.volume.never_zero() | (certain & location.outside),
            hit: certain & location.inside,
            lower,
            upper,
        }
    }
}

/// An interval of at most `width` that holds the root of a falling volume, which has one `once`; and where that is certain.
#[inline(always)]
fn bracket_root<V: Doubles>(volume: &Volume<V>, once: V::Mask, width: V) -> (V, V, V::Mask) {
    let root = volume.guess_root(once, width);
    let half = V::splat(0.4375) * width;
    let lower = (root - half).max(V::splat(0.0));
    let upper = (root + half).min(V::splat(1.0));
    let before = volume.value_at(lower).gt(volume.bound);
    let behind = volume.value_at(upper).lt(V::splat(0.0) - volume.bound);
    (lower, upper, once & before & behind)
}

/// What is certain between two moments, in the view in which the primitives look largest.
#[inline(always)]
pub fn locate<V: Lanes, P: Pair>(start: &Positions<V>, end: &Positions<V>, error: &[V; 3]) -> Location<V> {
    let [u, v, w] = *start;
    let (uv, vw, uw) = (cross(u, v), cross(v, w), cross(u, w));
    let x = P::normal(uv[0], vw[0], uw[0]).abs();
    let y = P::normal(uv[1], vw[1], uw[1]).abs();
    let z = P::normal(uv[2], vw[2], uw[2]).abs();
    let along_x = x.gt(y) & x.gt(z);
    let along_y = y.gt(z);
    let [uv, vw, uw] = areas_between(start, end, error, (along_x, along_y));
    P::locate(uv, vw, uw)
}

/// Intervals looked at before a query is left to exact arithmetic, which costs about as much as this many.
const MOST_INTERVALS: usize = 24;

/// Intervals of a motion without volume, as far as can be told, are split only down to this width: if the primitives are not
/// disjoint in any view by then, the motion is most likely planar and in need of exact arithmetic.
const NARROWEST_PLANAR: f64 = 0.5;

/// Decides any query, by looking at intervals from the earliest to the latest and splitting those that are not clear.
pub fn decide<P: Pair>(query: &[f64; 24], toi_tolerance: f64) -> Verdict {
    let motion = Motion::<f64>::new(query);
    let error = motion.position_error();
    let mut waiting = [(0.0, 0.0); MOST_INTERVALS];
    waiting[0] = (0.0, 1.0);
    let mut count = 1;
    for _ in 0..MOST_INTERVALS {
        let Some(last) = usize::checked_sub(count, 1) else { return Verdict::Miss };
        let (from, to) = waiting[last];
        count = last;
        let (start, end) = (motion.at(from), motion.at(to));
        let volume = volume_between(&start, &end, &error);
        if volume.never_zero()
            || apart_along_axis::<P>(&start, &end, &error)
            || locate::<f64, P>(&start, &end, &error).outside
        {
            continue;
        }
        if volume.falling().1 {
            let piece = Piece { volume, from, to };
            match decide_root::<P>(&motion, &piece, toi_tolerance) {
                Verdict::Miss => continue,
                known => return known,
            }
        }
        let too_narrow = if volume.maybe_zero_everywhere() { NARROWEST_PLANAR } else { toi_tolerance };
        if to - from <= too_narrow || count + 2 > MOST_INTERVALS {
            return Verdict::Unknown;
        }
        let middle = 0.5 * (from + to);
        waiting[count] = (middle, to);
        waiting[count + 1] = (from, middle);
        count += 2;
    }
    if count == 0 { Verdict::Miss } else { Verdict::Unknown }
}

/// Decides whether there is a contact at the only root of the volume between two times: in shorter and shorter intervals around it,
/// as long as it is certain to be there. A contact close to an edge needs the short ones.
fn decide_root<P: Pair>(motion: &Motion<f64>, piece: &Piece<f64>, toi_tolerance: f64) -> Verdict {
    let mut width = toi_tolerance;
    // Narrower ones than doubles can express are never certain.
    while width > U {
        let outcome = piece.decide::<P>(motion, width);
        if outcome.hit {
            return Verdict::Hit(outcome.lower, outcome.upper);
        }
        if outcome.miss {
            return Verdict::Miss;
        }
        width /= 1024.0;
    }
    Verdict::Unknown
}

/// Whether the primitives are certainly apart along one of the axes between two moments.
fn apart_along_axis<P: Pair>(start: &Positions<f64>, end: &Positions<f64>, error: &[f64; 3]) -> bool {
    (0..3).any(|axis| {
        let gaps = |r: &Positions<f64>| P::gaps([0.0, r[0][axis], r[1][axis], r[2][axis]]);
        let ([front0, back0], [front1, back1]) = (gaps(start), gaps(end));
        // two coordinates, each with its error, and a rounding
        let margin = 4.0 * error[axis];
        (front0 > margin && front1 > margin) || (back0 > margin && back1 > margin)
    })
}
