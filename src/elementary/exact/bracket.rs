//! From an exact root to two doubles around it.

use super::int::Arena;
use super::poly::{Point, Poly};
use super::root::{Place, Root};

/// Doubles `lower <= root <= upper`, at most `tolerance` apart (or neighbours, where that is wider); equal if
/// the root is a double and was met.
pub fn bracket(arena: &Arena, root: &Root, tolerance: f64) -> (f64, f64) {
    let (mut lower, mut upper) = (0.0, 1.0);
    let guess = snapped(root.guess());
    // most roots lie close to the guess: three exact signs instead of one for each bit of the tolerance
    for time in [guess, guess - 0.375 * tolerance, guess + 0.375 * tolerance] {
        if time >= lower && time <= upper {
            match side_of(arena, root, time) {
                0 => return (time, time),
                side if side < 0 => lower = time,
                _ => upper = time,
            }
        }
    }
    while upper - lower > tolerance {
        let middle = lower + (upper - lower) / 2.0;
        if middle <= lower || middle >= upper {
            break;
        }
        match side_of(arena, root, middle) {
            0 => return (middle, middle),
            side if side < 0 => lower = middle,
            _ => upper = middle,
        }
    }
    (lower, upper)
}

/// Contacts of handmade input happen at simple times, which a guess misses by a few units in the last place.
fn snapped(time: f64) -> f64 {
    const GRID: f64 = (1u64 << 20) as f64;
    let simple = (time * GRID).round() / GRID;
    if (simple - time).abs() < 1e-13 { simple } else { time }
}

fn side_of(arena: &Arena, root: &Root, time: f64) -> i32 {
    let mut frame = arena.frame();
    let ar = frame.arena();
    let point = Point::of_time(&ar, time);
    root.side_of(&ar, &point)
}

/// About where `poly` changes its sign to `rising` between the times `low` and `high`: Newton's method, kept between them.
pub fn guess_between(poly: &Poly, mut low: f64, mut high: f64, rising: i32) -> f64 {
    let exponent = poly.coefficients().iter().map(|c| c.bits()).max().unwrap_or(0);
    let mut c = [0.0; 4];
    for (approximate, exact) in c.iter_mut().zip(poly.coefficients()) {
        *approximate = exact.approximate(exponent) * rising as f64;
    }
    let degree = poly.coefficients().len() - 1;
    let mut t = low + (high - low) / 2.0;
    for _ in 0..14 {
        // value and slope of Σ cᵢ (1−t)ⁿ⁻ⁱ tⁱ
        let (mut value, mut slope, mut power, mut power_slope) = (c[degree], 0.0, 1.0, 0.0);
        for &coefficient in c[..degree].iter().rev() {
            power_slope = power_slope * (1.0 - t) - power;
            power *= 1.0 - t;
            slope = slope * t + value + coefficient * power_slope;
            value = value * t + coefficient * power;
        }
        if value > 0.0 {
            high = t;
        } else {
            low = t;
        }
        let next = t - value / slope;
        if next == t {
            break;
        }
        t = if next >= low && next <= high { next } else { low + (high - low) / 2.0 };
    }
    t
}
