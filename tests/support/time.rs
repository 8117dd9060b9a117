//! A time in `[0, 1]` that is a root of an integer polynomial, known exactly: it can be compared with any double,
//! with another such time, and the sign of any polynomial at it can be told.

use super::dyadic::{Dyadic, sign};
use super::polynomial::Polynomial;
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};
use std::cmp::Ordering;

#[derive(Clone, Debug)]
pub enum Time {
    /// A time that is a binary fraction.
    Exact(Dyadic),
    /// The only root of a polynomial in a cell.
    Isolated(Cell),
}

/// The open interval `(index, index + 1) / 2^power`; in its closure the polynomial has exactly one root, which is
/// simple and lies inside.
#[derive(Clone, Debug)]
pub struct Cell {
    polynomial: Polynomial,
    index: BigInt,
    power: u64,
    /// Sign of the polynomial at the lower end.
    lower_sign: i32,
    /// The next refinement cuts the cell into `2^step` parts.
    step: u64,
}

/// What a cell of this size leaves undecided is likely to be equality: look for that before refining on.
const POWER_OF_ZERO_TEST: u64 = 48;
/// The most bits that one refinement may add. Without a limit, a cell that is asked many questions grows without need.
const LARGEST_STEP: u64 = 128;

impl Time {
    pub fn start() -> Time {
        Time::Exact(Dyadic::zero())
    }

    pub fn end() -> Time {
        Time::Exact(Dyadic::new(BigInt::one(), 0))
    }

    /// All roots of a polynomial (not identically zero) in `[0, 1]`, in ascending order.
    pub fn roots_of(polynomial: &Polynomial) -> Vec<Time> {
        assert!(!polynomial.is_zero(), "every time is a root of the zero polynomial");
        // Most polynomials that occur have no root at all: leave as cheaply as possible.
        let signs = polynomial.bernstein_signs(&BigInt::zero(), 0);
        let ends_are_roots = signs[0] == 0 || signs[signs.len() - 1] == 0;
        if !ends_are_roots && sign_changes(&signs) == 0 {
            return Vec::new();
        }
        let mut roots = Vec::new();
        let mut rest = polynomial.clone();
        if ends_are_roots || sign_changes(&signs) > 1 {
            rest = rest.square_free();
        }
        for end in [Dyadic::zero(), Dyadic::new(BigInt::one(), 0)] {
            if rest.degree() > 0 && rest.sign_at(&end) == 0 {
                rest = rest.without_root(&end);
                roots.push(Time::Exact(end));
            }
        }
        // A cut that hits a root yields an exact time; without that root the search starts afresh.
        loop {
            match isolate(&rest) {
                Isolation::Cells(cells) => {
                    roots.extend(cells.into_iter().map(Time::Isolated));
                    break;
                }
                Isolation::RootAtCut(root) => {
                    rest = rest.without_root(&root);
                    roots.push(Time::Exact(root));
                }
            }
        }
        roots.sort_by(|first, second| first.compare(second));
        roots
    }

    /// Exact sign of a polynomial at this time. Refines the cell as far as needed.
    pub fn sign_of(&mut self, polynomial: &Polynomial) -> i32 {
        if polynomial.is_zero() {
            return 0;
        }
        let mut is_known_not_zero = false;
        loop {
            match self {
                Time::Exact(time) => return polynomial.sign_at(time),
                Time::Isolated(cell) => {
                    // Bernstein polynomials are positive inside the cell, so coefficients of one sign (some may be
                    // zero) settle it.
                    let signs = polynomial.bernstein_signs(&cell.index, cell.power);
                    if sign_changes(&signs) == 0 {
                        return signs.into_iter().find(|&sign| sign != 0).expect("not the zero polynomial");
                    }
                    if !is_known_not_zero && cell.power >= POWER_OF_ZERO_TEST {
                        if cell.shares_root_with(polynomial) {
                            return 0;
                        }
                        is_known_not_zero = true;
                    }
                }
            }
            self.refine();
        }
    }

    pub fn compare(&self, other: &Time) -> Ordering {
        let (mut first, mut second) = (self.clone(), other.clone());
        let mut are_known_to_differ = false;
        loop {
            if let Time::Exact(exact) = &second {
                return first.compare_dyadic(exact);
            }
            if let Time::Exact(exact) = &first {
                return second.compare_dyadic(exact).reverse();
            }
            if first.upper().compare(&second.lower()).is_le() {
                return Ordering::Less;
            }
            if second.upper().compare(&first.lower()).is_le() {
                return Ordering::Greater;
            }
            if let (Time::Isolated(left), Time::Isolated(right)) = (&first, &second)
                && !are_known_to_differ
                && left.power.min(right.power) >= POWER_OF_ZERO_TEST
            {
                if left.is_same_root(right) {
                    return Ordering::Equal;
                }
                are_known_to_differ = true;
            }
            first.refine();
            second.refine();
        }
    }

    /// This time against a double, exactly.
    pub fn compare_f64(&self, time: f64) -> Ordering {
        self.compare_dyadic(&Dyadic::from_f64(time))
    }

    fn compare_dyadic(&self, time: &Dyadic) -> Ordering {
        match self {
            Time::Exact(exact) => exact.compare(time),
            Time::Isolated(cell) => {
                if time.compare(&self.lower()).is_le() {
                    return Ordering::Greater;
                }
                if time.compare(&self.upper()).is_ge() {
                    return Ordering::Less;
                }
                match cell.polynomial.sign_at(time) {
                    0 => Ordering::Equal,
                    sign if sign == cell.lower_sign => Ordering::Greater,
                    _ => Ordering::Less,
                }
            }
        }
    }

    /// Largest known number that is not above this time.
    pub fn lower(&self) -> Dyadic {
        match self {
            Time::Exact(time) => time.clone(),
            Time::Isolated(cell) => Dyadic::new(cell.index.clone(), -(cell.power as i64)),
        }
    }

    /// Smallest known number that is not below this time.
    pub fn upper(&self) -> Dyadic {
        match self {
            Time::Exact(time) => time.clone(),
            Time::Isolated(cell) => Dyadic::new(&cell.index + 1, -(cell.power as i64)),
        }
    }

    /// Makes the known interval narrower than `2^-bits`.
    pub fn refine_to(&mut self, bits: u64) {
        while matches!(self, Time::Isolated(cell) if cell.power <= bits) {
            self.refine();
        }
    }

    /// A double next to this time; for reports and tests of rounded quantities only.
    pub fn approximate(&self) -> f64 {
        let mut time = self.clone();
        time.refine_to(80);
        let (numerator, power) = time.lower().as_quotient();
        // Both conversions round but keep the size within the range of a double: the quotient is at most 1.
        let excess = power.saturating_sub(200);
        (numerator >> excess).to_f64().expect("finite") / 2f64.powi((power - excess) as i32)
    }

    fn refine(&mut self) {
        if let Time::Isolated(cell) = self
            && let Some(exact) = cell.refine()
        {
            *self = Time::Exact(exact);
        }
    }
}

impl Cell {
    /// Quadratic interval refinement: cut into many parts, guess by a secant which one holds the root and look; the
    /// number of parts squares after a right guess. Returns the root when it is met exactly.
    fn refine(&mut self) -> Option<Dyadic> {
        let at_lower = self.polynomial.scaled_value(&self.index, self.power);
        let at_upper = self.polynomial.scaled_value(&(&self.index + 1), self.power);
        let (lower, upper) = (at_lower.magnitude(), at_upper.magnitude());
        let part = BigInt::from((lower << self.step) / (lower + upper));
        let power = self.power + self.step;
        let guess = (&self.index << self.step) + part;
        let guess_sign = sign(&self.polynomial.scaled_value(&guess, power));
        let next_sign = sign(&self.polynomial.scaled_value(&(&guess + 1), power));
        if guess_sign == 0 {
            return Some(Dyadic::new(guess, -(power as i64)));
        }
        if next_sign == 0 {
            return Some(Dyadic::new(guess + 1, -(power as i64)));
        }
        if guess_sign == self.lower_sign && next_sign != self.lower_sign {
            self.index = guess;
            self.power = power;
            self.step = (2 * self.step).min(LARGEST_STEP);
            return None;
        }
        self.step = (self.step / 2).max(1);
        self.halve()
    }

    fn halve(&mut self) -> Option<Dyadic> {
        let middle = (&self.index << 1u32) + 1;
        let power = self.power + 1;
        let middle_sign = sign(&self.polynomial.scaled_value(&middle, power));
        if middle_sign == 0 {
            return Some(Dyadic::new(middle, -(power as i64)));
        }
        self.index = if middle_sign == self.lower_sign { middle } else { middle - 1 };
        self.power = power;
        None
    }

    /// Whether another polynomial vanishes at this root. A common divisor with it has the root as a simple one or
    /// not at all, and no other root in the cell: its signs at the ends tell.
    fn shares_root_with(&self, other: &Polynomial) -> bool {
        let common = self.polynomial.common_divisor(other);
        let next = &self.index + 1;
        sign(&common.scaled_value(&self.index, self.power)) != sign(&common.scaled_value(&next, self.power))
    }

    /// Whether two cells that overlap hold the same root: cells are dyadic, so one contains the other, and
    /// a common root can only lie in the smaller.
    fn is_same_root(&self, other: &Cell) -> bool {
        if self.power >= other.power {
            self.shares_root_with(&other.polynomial)
        } else {
            other.shares_root_with(&self.polynomial)
        }
    }
}

enum Isolation {
    Cells(Vec<Cell>),
    RootAtCut(Dyadic),
}

/// Cells of all roots in (0, 1) of a square-free polynomial which is not zero at 0 and 1.
fn isolate(polynomial: &Polynomial) -> Isolation {
    let mut cells = Vec::new();
    let mut waiting = vec![(BigInt::zero(), 0)];
    while let Some((index, power)) = waiting.pop() {
        let signs = polynomial.bernstein_signs(&index, power);
        match sign_changes(&signs) {
            0 => {}
            // One change of sign is exactly one root, a simple one (Descartes).
            1 => cells.push(Cell {
                polynomial: polynomial.clone(),
                lower_sign: signs[0],
                index,
                power,
                step: 4,
            }),
            _ => {
                let middle = (&index << 1u32) + 1;
                if sign(&polynomial.scaled_value(&middle, power + 1)) == 0 {
                    return Isolation::RootAtCut(Dyadic::new(middle, -(power as i64 + 1)));
                }
                waiting.push((&middle - 1, power + 1));
                waiting.push((middle, power + 1));
            }
        }
    }
    Isolation::Cells(cells)
}

fn sign_changes(signs: &[i32]) -> usize {
    let mut last = 0;
    let mut changes = 0;
    for &sign in signs.iter().filter(|&&sign| sign != 0) {
        changes += usize::from(last == -sign);
        last = sign;
    }
    changes
}
