//! A quick way to see that a triangle and a convex core are far apart: the plane of the triangle. Most triangles whose boxes overlap are parted by it, and need no GJK.

use super::core::{Core, Placed};
use crate::elementary::vec3::{add, cross, dot, extent, scale, sub};

/// Distances are taken to be larger by this share of the coordinates. Rounding errors of what is computed here are below 8 ε of them each, and those of GJK below 1e-14:
/// so nothing is parted here that would be in contact there.
const SLACK: f64 = 1e-12;
/// Squares below this are too close to the end of the range of doubles to be compared.
const SMALLEST: f64 = 1e-280;

/// Whether along the normal of a triangle a core, with its radius, is farther away than the distance.
///
/// Any direction n that keeps two sets apart by g |n| shows that they are g apart, whatever it is the normal of: so the rounding errors of n itself do not matter. Only heights along it do, each the
/// product of n with a difference of corners.
pub fn by_plane(triangle: &Placed<'_>, other: &Placed<'_>, distance: f64) -> bool {
    let Core::Triangle(corners) = triangle.core else { return false };
    let [a, b, c] = corners.map(|corner| add(triangle.frame.origin, corner));
    let mut normal = cross(sub(b, a), sub(c, a));
    let mut size = extent(a).max(extent(b)).max(extent(c));
    // The side that the other one is on.
    if dot(normal, sub(other.middle(), a)) < 0.0 {
        normal = scale(normal, -1.0);
    }
    let at = other.support(scale(normal, -1.0));
    // Its other corners are not larger in a way that matters: what is far away is far up.
    size = size.max(extent(at)).max(extent(other.frame.origin));
    let lowest = dot(normal, sub(at, a));
    let highest = dot(normal, sub(b, a)).max(dot(normal, sub(c, a))).max(0.0);
    let gap = lowest - highest;
    let square = dot(normal, normal);
    let reach = distance + other.radius;
    let reach = reach + SLACK * (size + reach);
    gap > 0.0 && square > SMALLEST && gap * gap > reach * reach * square * (1.0 + SLACK)
}
