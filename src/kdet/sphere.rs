//! Minimum enclosing spheres of triangles (kDet paper, definition 3.1).
//!
//! If the triangle is acute it is the sphere around its circumcircle, else the one around its longest edge. So the square of the diameter is a quotient of polynomials of the coordinates, and
//! two of them can be compared without rounding.

use super::algebra::Numbers;
use super::orientation::{Point, integers};
use crate::elementary::exact::int::{Arena, Int};
use crate::elementary::vec3::{cross, dot, sub};
use std::cmp::Ordering;

/// The square of the diameter, with a relative error of less than 32 units of rounding as long as nothing overflows or underflows.
///
/// Squares of edges are off by 5ε. The angles at the ends of the shortest edge of an acute triangle are between 45 and 90 degrees, so that the product of this edge and the next
/// one is computed from coordinates that mostly do not cancel: it is off by 8ε at most.
#[inline]
pub fn square_of_diameter([a, b, c]: &[Point; 3]) -> f64 {
    let edges = [sub(*b, *a), sub(*c, *b), sub(*a, *c)];
    let squares = edges.map(|edge| dot(edge, edge));
    let [u, v, w] = squares;
    let longest = u.max(v).max(w);
    // By the law of cosines the angle opposite the longest edge is less than a right one.
    if u + v + w > 2.0 * longest {
        let shortest = if u <= v && u <= w {
            0
        } else if v <= w {
            1
        } else {
            2
        };
        let (e, f) = (edges[shortest], edges[(shortest + 1) % 3]);
        let normal = cross(e, f);
        let circle = u * v * w / dot(normal, normal);
        // Not a number, or nonsense, where something underflows. Of triangles with even sides it is 4/3, up to rounding.
        if circle >= longest && circle <= longest * 1.34 {
            return circle;
        }
    }
    longest
}

/// Limbs that [`compare`] needs: integers of 34 limbs for any coordinates, and products of up to fourteen of them.
pub const LIMBS: usize = 24 * 1024;

/// Compares diameters of the spheres that rest on these points, exactly: the three of a triangle, or three or four that [`enclosing`](super::enclosing) found. `squares` are what [`square_of_diameter`] says of
/// three, and not numbers for four.
pub fn compare(supports: [&[Point]; 2], squares: [f64; 2], memory: &mut [u64]) -> Ordering {
    let [a, b] = squares;
    // Far from where squares of squares of squares would underflow or overflow.
    let is_moderate = |square: f64| (1e-90..1e90).contains(&square);
    if is_moderate(a) && is_moderate(b) && (a - b).abs() > 64.0 * f64::EPSILON * a.max(b) {
        return a.total_cmp(&b);
    }
    let arena = Arena::new(memory);
    // One scale for all axes: these are lengths.
    let mut coordinates = [0.0; 24];
    for (place, support) in coordinates.chunks_mut(12).zip(supports) {
        place[..3 * support.len()].copy_from_slice(support.as_flattened());
    }
    let numbers = integers(&arena, coordinates);
    let quotient = |first: usize, count: usize| {
        let point = |i: usize| [0, 1, 2].map(|axis| numbers[first + 3 * i + axis]);
        match count {
            4 => exact_square_of_four(&arena, [point(0), point(1), point(2), point(3)]),
            _ => exact_square(&arena, [point(0), point(1), point(2)]),
        }
    };
    let ([p, q], [r, s]) = (quotient(0, supports[0].len()), quotient(12, supports[1].len()));
    let difference = arena.sub(arena.mul(p, s), arena.mul(r, q));
    difference.sign().cmp(&0)
}

/// The square of the diameter as a quotient.
fn exact_square<'m>(arena: &Arena<'m>, [a, b, c]: [[Int<'m>; 3]; 3]) -> [Int<'m>; 2] {
    let square = |p: [Int<'m>; 3]| arena.dot(p, p);
    let (ab, bc, ca) = (arena.minus(b, a), arena.minus(c, b), arena.minus(a, c));
    let (u, v, w) = (square(ab), square(bc), square(ca));
    let larger = |x: Int<'m>, y: Int<'m>| if arena.sub(x, y).sign() >= 0 { x } else { y };
    let longest = larger(larger(u, v), w);
    let sum = arena.add(arena.add(u, v), w);
    if arena.sub(sum, arena.add(longest, longest)).sign() <= 0 {
        return [longest, arena.small(1)];
    }
    [arena.mul(arena.mul(u, v), w), square(arena.cross(ab, bc))]
}

/// The square of the diameter of the sphere through four points that are not in a plane, as a quotient: relative to the first, its centre c has c · u = u² / 2 for each of the others, so that
/// 2c is (u² v × w + v² w × u + w² u × v) / (u · v × w).
fn exact_square_of_four<'m>(arena: &Arena<'m>, [a, b, c, d]: [[Int<'m>; 3]; 4]) -> [Int<'m>; 2] {
    let [u, v, w] = [b, c, d].map(|p| arena.minus(p, a));
    let normals = [arena.cross(v, w), arena.cross(w, u), arena.cross(u, v)];
    let squares = [u, v, w].map(|p| arena.dot(p, p));
    let twice_centre = [0, 1, 2].map(|axis| arena.dot(squares, normals.map(|normal| normal[axis])));
    let volume = arena.dot(u, normals[0]);
    [arena.dot(twice_centre, twice_centre), arena.mul(volume, volume)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(a: [Point; 3], b: [Point; 3]) -> Ordering {
        let mut memory = vec![0; LIMBS];
        compare([&a, &b], [a, b].map(|t| square_of_diameter(&t)), &mut memory)
    }

    #[test]
    fn known_spheres() {
        let right = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        assert_eq!(square_of_diameter(&right), 25.0);
        let obtuse = [[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [5.0, 1.0, 0.0]];
        assert_eq!(square_of_diameter(&obtuse), 100.0);
        let even = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert!((square_of_diameter(&even) - 8.0 / 3.0).abs() < 1e-15);
        assert_eq!(square_of_diameter(&[[7.0; 3]; 3]), 0.0);
        assert_eq!(square_of_diameter(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]), 4.0);
    }

    /// The circle is as much larger than the longest edge as it can be: rounding must not make nonsense of it.
    #[test]
    fn even_sides() {
        for degree in 0..360 {
            let corner = |i: u32| {
                let (sin, cos) = f64::from(degree + 120 * i).to_radians().sin_cos();
                [7.0 + cos, 0.6 * sin - 3.0, 0.8 * sin]
            };
            let square = square_of_diameter(&[corner(0), corner(1), corner(2)]);
            assert!((square - 4.0).abs() < 1e-13, "{degree} degrees: {square}");
        }
    }

    #[test]
    fn comparisons_see_the_last_bit() {
        let triangle = |x: f64| [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.5, x, 0.0]];
        for x in [0.8, 0.9, 1e-3] {
            assert_eq!(order(triangle(x), triangle(x)), Ordering::Equal);
        }
        // Acute: the circle changes with the last bit of a coordinate.
        assert_eq!(order(triangle(1.0), triangle(1.0f64.next_up())), Ordering::Less);
        // Obtuse: it does not.
        assert_eq!(order(triangle(0.25), triangle(0.25f64.next_up())), Ordering::Equal);
        // The same triangle elsewhere, turned.
        let moved = [[3.0, 4.0, 5.0], [3.0, 5.0, 5.0], [3.0, 4.5, 6.0]];
        assert_eq!(order(triangle(1.0), moved), Ordering::Equal);
        // Powers of two, so that nothing is rounded.
        for scale in [2f64.powi(990), 2f64.powi(-990), 5e-324] {
            let scaled = |t: [Point; 3]| t.map(|p| p.map(|x| x * 4.0 * scale));
            assert_eq!(order(scaled(triangle(1.0)), scaled(moved)), Ordering::Equal, "{scale}");
            assert_eq!(order(scaled(triangle(2.0)), scaled(moved)), Ordering::Greater, "{scale}");
        }
        let far = [[f64::MAX, 5e-324, 0.0], [-f64::MAX, 0.0, f64::MAX], [0.0, f64::MAX, 5e-324]];
        assert_eq!(order(far, triangle(1.0)), Ordering::Greater);
        assert_eq!(order(far, far), Ordering::Equal);
    }
}
