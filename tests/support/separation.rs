//! Certified checks of answers with a minimum separation: exact distances at chosen times. Finding the times to look
//! at may be rough, what is concluded from a distance is exact.

use super::distance::squared_distance;
use super::dyadic::Dyadic;
use super::vector::{cross, dot, subtract};
use pccd::elementary::{Hit, Kind, Query, Settings};
use std::cmp::Ordering;

/// Samples of the rough distance by which the search for close times begins.
const COARSE_SAMPLES: usize = 24;
/// Steps of the search that follows; each narrows the interval by a third.
const NARROWING_STEPS: usize = 40;

/// Largest coordinate difference between two of the four points at the same end of the motion, exactly.
pub fn size(query: &Query) -> Dyadic {
    let mut largest = Dyadic::zero();
    for (end, axis) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)] {
        let column = (0..4).map(|point| query[12 * end + 3 * point + axis]);
        let low = column.clone().fold(f64::INFINITY, f64::min);
        let high = column.fold(f64::NEG_INFINITY, f64::max);
        let extent = Dyadic::from_f64(high).subtract(&Dyadic::from_f64(low));
        if extent.compare(&largest).is_gt() {
            largest = extent;
        }
    }
    largest
}

/// What is wrong with the answer for a positive minimum separation; `Ok` if nothing was found.
pub fn check(kind: Kind, query: &Query, settings: &Settings, answer: Option<&Hit>) -> Result<(), String> {
    let separation = Dyadic::from_f64(settings.min_separation);
    let tolerance = Dyadic::from_f64(settings.separation_tolerance).multiply(&size(query));
    let reach = separation.add(&tolerance);
    let compare =
        |time: f64, distance: &Dyadic| squared_distance(kind, query, time).compare_distance(distance);
    let Some(hit) = answer else {
        let mut times = close_times(kind, query, 1.0);
        times.extend([0.0, 1.0]);
        return match times.into_iter().find(|&time| compare(time, &separation).is_le()) {
            Some(time) => Err(format!("missed: within the separation at t = {time:e}")),
            None => Ok(()),
        };
    };
    if compare(hit.toi_upper, &reach) == Ordering::Greater {
        return Err("false hit: farther than separation and tolerance at toi_upper".into());
    }
    if hit.toi_lower > 0.0 {
        let mut times = close_times(kind, query, hit.toi_lower.next_down());
        times.extend([0.0, hit.toi_lower.next_down()]);
        if let Some(time) = times.into_iter().find(|&time| compare(time, &separation).is_le()) {
            return Err(format!("late: within the separation at t = {time:e}, before toi_lower"));
        }
    }
    let at_start = compare(0.0, &separation);
    if at_start.is_le() && !hit.at_start {
        return Err("within the separation at t = 0 but not marked so".into());
    }
    if hit.at_start && compare(0.0, &reach) == Ordering::Greater {
        return Err(
            "marked as within the separation at t = 0 but is farther than the tolerance allows".into()
        );
    }
    Ok(())
}

/// Times in [0, last] at which the primitives are about as close as they get.
pub fn close_times(kind: Kind, query: &Query, last: f64) -> Vec<f64> {
    let unit = largest_magnitude(query);
    let distance = |time: f64| rough_distance(kind, query, unit, time);
    let at = |index: usize| last * index as f64 / COARSE_SAMPLES as f64;
    let samples: Vec<f64> = (0..=COARSE_SAMPLES).map(|index| distance(at(index))).collect();
    // The closest two local minima of the samples, each refined.
    let mut minima: Vec<usize> = (0..=COARSE_SAMPLES)
        .filter(|&index| {
            (index == 0 || samples[index] <= samples[index - 1])
                && (index == COARSE_SAMPLES || samples[index] <= samples[index + 1])
        })
        .collect();
    minima.sort_by(|&first, &second| samples[first].total_cmp(&samples[second]));
    let mut times = Vec::new();
    for &index in minima.iter().take(2) {
        let (mut low, mut high) = (at(index.saturating_sub(1)), at((index + 1).min(COARSE_SAMPLES)));
        times.push(at(index));
        for _ in 0..NARROWING_STEPS {
            let (first, second) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if distance(first) <= distance(second) { high = second } else { low = first }
        }
        let closest = low + (high - low) / 2.0;
        times.push(closest);
        times.extend([closest * (1.0 - 1e-9), (closest * (1.0 + 1e-9)).min(last)]);
        // Exact contacts in the tests are built at times with few bits.
        let snapped = (closest * 1024.0).round() / 1024.0;
        if snapped <= last {
            times.push(snapped);
        }
    }
    times
}

fn largest_magnitude(query: &Query) -> f64 {
    query.iter().fold(f64::MIN_POSITIVE, |largest, value| largest.max(value.abs()))
}

/// Squared distance over `unit` squared, rounded; steers the choice of times only.
fn rough_distance(kind: Kind, query: &Query, unit: f64, time: f64) -> f64 {
    let points: [[f64; 3]; 4] = std::array::from_fn(|point| {
        std::array::from_fn(|axis| {
            let (start, end) = (query[3 * point + axis] / unit, query[12 + 3 * point + axis] / unit);
            start * (1.0 - time) + end * time
        })
    });
    let [a, b, c, d] = points;
    match kind {
        Kind::VertexFace => {
            let normal = cross(subtract(c, b), subtract(d, b));
            let area = dot(normal, normal);
            let is_above = area > 0.0
                && [(b, c), (c, d), (d, b)]
                    .iter()
                    .all(|&(from, to)| dot(normal, cross(subtract(to, from), subtract(a, from))) >= 0.0);
            if is_above {
                return dot(normal, subtract(a, b)).powi(2) / area;
            }
            vertex_to_edge(a, b, c).min(vertex_to_edge(a, c, d)).min(vertex_to_edge(a, d, b))
        }
        Kind::EdgeEdge => {
            let (first, second, gap) = (subtract(b, a), subtract(d, c), subtract(c, a));
            let normal = cross(first, second);
            let area = dot(normal, normal);
            let within = |weight: f64| (0.0..=area).contains(&weight);
            if area > 0.0 && within(dot(normal, cross(gap, second))) && within(dot(normal, cross(gap, first)))
            {
                return dot(normal, gap).powi(2) / area;
            }
            let ends = vertex_to_edge(a, c, d).min(vertex_to_edge(b, c, d));
            ends.min(vertex_to_edge(c, a, b)).min(vertex_to_edge(d, a, b))
        }
    }
}

fn vertex_to_edge(vertex: [f64; 3], from: [f64; 3], to: [f64; 3]) -> f64 {
    let (edge, relative) = (subtract(to, from), subtract(vertex, from));
    let length = dot(edge, edge);
    let along = if length > 0.0 { (dot(edge, relative) / length).clamp(0.0, 1.0) } else { 0.0 };
    let nearest: [f64; 3] = std::array::from_fn(|axis| relative[axis] - along * edge[axis]);
    dot(nearest, nearest)
}
