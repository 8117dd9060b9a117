//! Whether two triangles intersect, and where, in rational numbers.
//!
//! Knows no planes, sides or edges: a point of both is a pair of weights, three for each triangle, that are not negative, sum to one and give the same point. These
//! are the solutions of five equations in six unknowns. All corners of that set are solutions with independent columns; they are found by trying all subsets of unknowns. What the triangles have in
//! common is the hull of the points that the corners stand for.

use super::dyadic::common_scale;
use super::scene::Point;
use num_bigint::BigInt;
use num_traits::{Num, Signed, ToPrimitive};

/// Whether the triangles with these corners and vertex numbers have a point in common beyond the hull of the vertices that they share; or all three.
pub fn intersect(points: [[Point; 3]; 2], vertices: [[u32; 3]; 2]) -> bool {
    let mut shared: Vec<usize> = Vec::new();
    for i in 0..3 {
        let vertex = vertices[0][i];
        if vertices[1].contains(&vertex) && shared.iter().all(|&other| vertices[0][other] != vertex) {
            shared.push(i);
        }
    }
    if shared.len() == 3 {
        return true;
    }
    // The one shortcut: apart along an axis, by comparing numbers. It leaves out most pairs.
    let apart = |axis: usize| {
        let [a, b] = points.map(|triangle| triangle.map(|point| point[axis]));
        let (least, most) = (|x: [f64; 3]| x[0].min(x[1]).min(x[2]), |x: [f64; 3]| x[0].max(x[1]).max(x[2]));
        least(a) > most(b) || least(b) > most(a)
    };
    if (0..3).any(apart) {
        return false;
    }
    // Each axis by a power of two of its own: nothing changes under such maps.
    let mut integers: Vec<[BigInt; 3]> = vec![Default::default(); 6];
    for axis in 0..3 {
        let along: Vec<f64> = points.iter().flatten().map(|point| point[axis]).collect();
        for (place, integer) in integers.iter_mut().zip(common_scale(&along).0) {
            place[axis] = integer;
        }
    }
    let small = |x: &BigInt| x.to_i64().filter(|x| x.abs() < 1 << 17);
    let all_small: Option<Vec<[i128; 3]>> = integers
        .iter()
        .map(|point| {
            let [x, y, z] = point;
            Some([small(x)? as i128, small(y)? as i128, small(z)? as i128])
        })
        .collect();
    match all_small {
        Some(numbers) => has_more(&numbers, &shared),
        None => has_more(&integers, &shared),
    }
}

trait Number: Num + Signed + Clone + PartialOrd {}
impl<T: Num + Signed + Clone + PartialOrd> Number for T {}

/// Whether there is a common point beyond the hull of some corners of the first triangle.
fn has_more<T: Number>(corners: &[[T; 3]], shared: &[usize]) -> bool {
    (1u32..63).any(|subset| {
        let unknowns: Vec<usize> = (0..6).filter(|i| subset >> i & 1 != 0).collect();
        let Some((weights, divisor)) = solve(corners, &unknowns) else { return false };
        if weights.iter().any(|weight| weight.is_negative()) {
            return false;
        }
        let mut point = [T::zero(), T::zero(), T::zero()];
        for (&i, weight) in unknowns.iter().zip(&weights).filter(|(i, _)| **i < 3) {
            for axis in 0..3 {
                point[axis] = point[axis].clone() + weight.clone() * corners[i][axis].clone();
            }
        }
        !is_in_hull(&point, &divisor, corners, shared)
    })
}

/// Weights of the unknowns, all times a positive divisor, if their columns are independent and there is a solution.
fn solve<T: Number>(corners: &[[T; 3]], unknowns: &[usize]) -> Option<(Vec<T>, T)> {
    let count = unknowns.len();
    let mut rows: Vec<Vec<T>> = (0..5)
        .map(|row| {
            let mut coefficients: Vec<T> = unknowns
                .iter()
                .map(|&i| match row {
                    0..3 if i < 3 => corners[i][row].clone(),
                    0..3 => -corners[i][row].clone(),
                    _ => {
                        if (row == 3) == (i < 3) {
                            T::one()
                        } else {
                            T::zero()
                        }
                    }
                })
                .collect();
            coefficients.push(if row < 3 { T::zero() } else { T::one() });
            coefficients
        })
        .collect();
    // Without fractions (Bareiss): all divisions are exact, and what is above the diagonal is eliminated too.
    let mut divisor = T::one();
    for column in 0..count {
        let pivot = (column..5).find(|&row| !rows[row][column].is_zero())?;
        rows.swap(column, pivot);
        let top = rows[column].clone();
        for (number, row) in rows.iter_mut().enumerate() {
            if number != column {
                let factor = row[column].clone();
                for (value, above) in row.iter_mut().zip(&top) {
                    *value = (value.clone() * top[column].clone() - factor.clone() * above.clone())
                        / divisor.clone();
                }
            }
        }
        divisor = top[column].clone();
    }
    if rows[count..].iter().any(|row| !row[count].is_zero()) {
        return None;
    }
    let sign = divisor.signum();
    let weights = rows[..count].iter().map(|row| row[count].clone() * sign.clone()).collect();
    Some((weights, divisor * sign))
}

/// Whether point / divisor is in the hull of at most two corners.
fn is_in_hull<T: Number>(point: &[T; 3], divisor: &T, corners: &[[T; 3]], shared: &[usize]) -> bool {
    let from = |corner: usize| -> [T; 3] {
        std::array::from_fn(|axis| point[axis].clone() - corners[corner][axis].clone() * divisor.clone())
    };
    match *shared {
        [] => false,
        [v] => from(v).iter().all(|x| x.is_zero()),
        [v, w, ..] => {
            let along: [T; 3] =
                std::array::from_fn(|axis| corners[w][axis].clone() - corners[v][axis].clone());
            let to = from(v);
            let dot = |a: &[T; 3], b: &[T; 3]| {
                a[0].clone() * b[0].clone() + a[1].clone() * b[1].clone() + a[2].clone() * b[2].clone()
            };
            let parallel = (0..3).all(|axis| {
                let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
                to[i].clone() * along[j].clone() == to[j].clone() * along[i].clone()
            });
            let (part, whole) = (dot(&to, &along), dot(&along, &along) * divisor.clone());
            // Both vertices may be in one place.
            let at_start = to.iter().all(|x| x.is_zero());
            at_start || (parallel && !whole.is_zero() && !part.is_negative() && part <= whole)
        }
    }
}
