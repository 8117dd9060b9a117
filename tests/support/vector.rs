//! Vectors of doubles, for what may be rounded.

pub type Vec3 = [f64; 3];

pub fn subtract(first: Vec3, second: Vec3) -> Vec3 {
    std::array::from_fn(|axis| first[axis] - second[axis])
}

/// `start + direction · factor`.
pub fn along(start: Vec3, direction: Vec3, factor: f64) -> Vec3 {
    std::array::from_fn(|axis| start[axis] + direction[axis] * factor)
}

pub fn cross(first: Vec3, second: Vec3) -> Vec3 {
    std::array::from_fn(|axis| {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        first[next] * second[last] - first[last] * second[next]
    })
}

pub fn dot(first: Vec3, second: Vec3) -> f64 {
    first[0] * second[0] + first[1] * second[1] + first[2] * second[2]
}

pub fn norm(vector: Vec3) -> f64 {
    dot(vector, vector).sqrt()
}
