//! The motion of the four points of a query as polynomials in time with integer coefficients.

use super::dyadic::common_scale;
use super::polynomial::Polynomial;
use pccd::elementary::Query;

/// A vector, or a point, that changes with time.
pub type Vector = [Polynomial; 3];

/// Position of each of the four points. Every axis is scaled by a power of two of its own: whether and when
/// primitives touch does not change under affine maps, and the integers stay as small as they can be.
pub fn points(query: &Query) -> [Vector; 4] {
    let axes: [[Polynomial; 4]; 3] = std::array::from_fn(|axis| {
        let column: [f64; 8] = std::array::from_fn(|row| query[3 * row + axis]);
        let (integers, _) = common_scale(&column);
        std::array::from_fn(|point| Polynomial::through(&integers[point], &integers[point + 4]))
    });
    std::array::from_fn(|point| std::array::from_fn(|axis| axes[axis][point].clone()))
}

pub fn difference(first: &Vector, second: &Vector) -> Vector {
    std::array::from_fn(|axis| &first[axis] - &second[axis])
}

/// One component of the cross product: the signed area of the parallelogram seen along `axis`.
pub fn cross(first: &Vector, second: &Vector, axis: usize) -> Polynomial {
    let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
    &(&first[next] * &second[last]) - &(&first[last] * &second[next])
}

/// Volume of the parallelepiped of three vectors.
pub fn volume(first: &Vector, second: &Vector, third: &Vector) -> Polynomial {
    let parts: [Polynomial; 3] = std::array::from_fn(|axis| &first[axis] * &cross(second, third, axis));
    &(&parts[0] + &parts[1]) + &parts[2]
}
