//! Exact roots of polynomials of degree at most three in [0, 1], and the signs of other polynomials there.
//!
//! Nothing here iterates towards a root. A root is known by the polynomial and two places between which it
//! alone lies; for a cubic these are its critical points, which are roots of a quadratic, whose own critical
//! point is rational. The sign of another polynomial q at a simple root r of f follows from Sturm's theorem in its
//! general form: with the signed remainder sequence f, q, −rem(f, q), … and the number V of its sign changes,
//!
//! > V(low) − V(high) = Σ over the roots r of f between low and high of sign(f′(r) q(r))
//!
//! (the Cauchy index of q/f; Basu, Pollack and Roy, *Algorithms in Real Algebraic Geometry*, theorem 2.58). With one root
//! between low and high the difference *is* the sign, zero included: no common-factor test is needed.

use super::bracket::guess_between;
use super::few::Few;
use super::int::Arena;
use super::poly::{Point, Poly, variations};

/// The only root of `poly` between `low` and `high`: a simple one, and neither end is a root.
#[derive(Clone, Copy, Debug)]
pub struct Isolated<'a, Bound> {
    poly: Poly<'a>,
    low: Bound,
    high: Bound,
    /// Sign of `poly` behind the root (and of its derivative at the root).
    rising: i32,
}

/// A place that can bound the root of a cubic.
#[derive(Clone, Copy, Debug)]
pub enum Bound<'a> {
    Point(Point<'a>),
    Critical(Isolated<'a, Point<'a>>),
}

/// A time at which a polynomial vanishes.
#[allow(clippy::large_enum_variant, reason = "three live at a time, on the stack; boxes would allocate")]
#[derive(Clone, Copy, Debug)]
pub enum Root<'a> {
    Point(Point<'a>),
    Critical(Isolated<'a, Point<'a>>),
    Isolated(Isolated<'a, Bound<'a>>),
}

/// In the order of time.
pub type Roots<'a> = Few<Root<'a>, 3>;

/// Where signs can be asked for.
pub trait Place {
    /// The sign of `q` here.
    fn sign_of(&self, arena: &Arena, q: &Poly) -> i32;
    /// −1, 0 or 1 as `time` lies before, at or behind this place.
    fn side_of(&self, arena: &Arena, time: &Point) -> i32;
    /// About where in [0, 1] this is: a guess, to be checked with `side_of`.
    fn guess(&self) -> f64;
}

impl Place for Point<'_> {
    fn sign_of(&self, arena: &Arena, q: &Poly) -> i32 {
        q.sign_at(arena, self)
    }

    fn side_of(&self, arena: &Arena, time: &Point) -> i32 {
        // y/x < Y/X  ⇔  y X − Y x < 0
        let mut frame = arena.frame();
        let ar = frame.arena();
        ar.sub(ar.mul(time.y, self.x), ar.mul(self.y, time.x)).sign()
    }

    fn guess(&self) -> f64 {
        let exponent = self.x.bits().max(self.y.bits());
        let (x, y) = (self.x.approximate(exponent), self.y.approximate(exponent));
        y / (x + y)
    }
}

impl<B: Place> Place for Isolated<'_, B> {
    fn sign_of(&self, arena: &Arena, q: &Poly) -> i32 {
        let mut frame = arena.frame();
        let ar = frame.arena();
        // q ≡ rem(q, f) at every root of f, and the smaller degree keeps the numbers small
        let q = q.trimmed();
        let q = if q.coefficients().len() >= self.poly.coefficients().len() {
            q.remainder(&ar, &self.poly)
        } else {
            q
        };
        match q.coefficients() {
            [] => return 0,
            [constant] => return constant.sign(),
            _ => {}
        }
        if let Some(sign) = q.uniform_sign() {
            return sign;
        }
        let mut sequence = [self.poly, q, Poly::new(&[]), Poly::new(&[]), Poly::new(&[])];
        let mut length = 2;
        while length < sequence.len() {
            let next = sequence[length - 2].remainder(&ar, &sequence[length - 1]).negated();
            if next.coefficients().is_empty() {
                break;
            }
            sequence[length] = next;
            length += 1;
        }
        let at = |bound: &B, own: i32| {
            let others = sequence[1..length].iter().map(|poly| bound.sign_of(&ar, poly));
            variations(std::iter::once(own).chain(others)) as i32
        };
        (at(&self.low, -self.rising) - at(&self.high, self.rising)) * self.rising
    }

    fn side_of(&self, arena: &Arena, time: &Point) -> i32 {
        if self.low.side_of(arena, time) <= 0 {
            -1
        } else if self.high.side_of(arena, time) >= 0 {
            1
        } else {
            self.poly.sign_at(arena, time) * self.rising
        }
    }

    fn guess(&self) -> f64 {
        guess_between(&self.poly, self.low.guess(), self.high.guess(), self.rising)
    }
}

impl Place for Bound<'_> {
    fn sign_of(&self, arena: &Arena, q: &Poly) -> i32 {
        match self {
            Bound::Point(point) => point.sign_of(arena, q),
            Bound::Critical(root) => root.sign_of(arena, q),
        }
    }

    fn side_of(&self, arena: &Arena, time: &Point) -> i32 {
        match self {
            Bound::Point(point) => point.side_of(arena, time),
            Bound::Critical(root) => root.side_of(arena, time),
        }
    }

    fn guess(&self) -> f64 {
        match self {
            Bound::Point(point) => point.guess(),
            Bound::Critical(root) => root.guess(),
        }
    }
}

impl Place for Root<'_> {
    fn sign_of(&self, arena: &Arena, q: &Poly) -> i32 {
        match self {
            Root::Point(point) => point.sign_of(arena, q),
            Root::Critical(root) => root.sign_of(arena, q),
            Root::Isolated(root) => root.sign_of(arena, q),
        }
    }

    fn side_of(&self, arena: &Arena, time: &Point) -> i32 {
        match self {
            Root::Point(point) => point.side_of(arena, time),
            Root::Critical(root) => root.side_of(arena, time),
            Root::Isolated(root) => root.side_of(arena, time),
        }
    }

    fn guess(&self) -> f64 {
        match self {
            Root::Point(point) => point.guess(),
            Root::Critical(root) => root.guess(),
            Root::Isolated(root) => root.guess(),
        }
    }
}

/// All roots in [0, 1] of `poly`, which is not zero everywhere.
pub fn roots<'a>(arena: &Arena<'a>, poly: &Poly<'a>) -> Roots<'a> {
    let mut found = Roots::new();
    let trimmed = poly.trimmed();
    let inner = trimmed.without_roots_at_zero();
    if inner.coefficients().len() < trimmed.coefficients().len() {
        found.push(Root::Point(Point::start(arena)));
    }
    inner_roots(arena, &inner, &mut found);
    if trimmed.coefficients().len() < poly.coefficients().len() {
        found.push(Root::Point(Point::end(arena)));
    }
    found
}

/// The roots in the open interval (0, 1) of `f`, whose first and last coefficients are not zero.
///
/// Between neighbouring critical points f is monotone, so it has a root there if and only if its signs differ; a critical point
/// at which f vanishes is a multiple root, and then f has no other root next to it.
fn inner_roots<'a>(arena: &Arena<'a>, f: &Poly<'a>, found: &mut Roots<'a>) {
    let [first, .., last] = f.coefficients() else { return };
    let (start, end) = (Bound::Point(Point::start(arena)), Bound::Point(Point::end(arena)));
    match f.variations() {
        0 => return,
        1 => {
            found.push(Root::Isolated(Isolated { poly: *f, low: start, high: end, rising: last.sign() }));
            return;
        }
        _ => {}
    }
    let mut before = (start, first.sign());
    for critical in critical_points(arena, f).iter() {
        let sign = critical.sign_of(arena, f);
        let here = (*critical, sign);
        push_between(f, before, here, found);
        if sign == 0 {
            found.push(match *critical {
                Bound::Point(point) => Root::Point(point),
                Bound::Critical(root) => Root::Critical(root),
            });
        }
        before = here;
    }
    push_between(f, before, (end, last.sign()), found);
}

fn push_between<'a>(f: &Poly<'a>, low: (Bound<'a>, i32), high: (Bound<'a>, i32), found: &mut Roots<'a>) {
    if low.1 * high.1 < 0 {
        found.push(Root::Isolated(Isolated { poly: *f, low: low.0, high: high.0, rising: high.1 }));
    }
}

/// The roots in (0, ∞) of the derivative with respect to ρ of `f`, of degree two or three.
fn critical_points<'a>(arena: &Arena<'a>, f: &Poly<'a>) -> Few<Bound<'a>, 2> {
    let mut points = Few::new();
    let derivative = f.derivative(arena).without_roots_at_zero();
    match *derivative.coefficients() {
        [c0, c1] if c0.sign() * c1.sign() < 0 => {
            points.push(Bound::Point(Point { x: c1.absolute(), y: c0.absolute() }));
        }
        [c0, c1, c2] => {
            let (start, end) = (Point::start(arena), Point::end(arena));
            let mut isolated = |low, high, rising| {
                points.push(Bound::Critical(Isolated { poly: derivative, low, high, rising }));
            };
            if c0.sign() != c2.sign() {
                isolated(start, end, c2.sign());
            } else if c1.sign() * c2.sign() < 0 {
                // both roots or none are positive; they lie on either side of −c₁ / 2c₂
                let middle = Point { x: arena.add(c2, c2).absolute(), y: c1.absolute() };
                match derivative.sign_at(arena, &middle) * c2.sign() {
                    -1 => {
                        isolated(start, middle, -c2.sign());
                        isolated(middle, end, c2.sign());
                    }
                    0 => points.push(Bound::Point(middle)),
                    _ => {}
                }
            }
        }
        _ => {}
    }
    points
}
