//! How a table of cells is laid out: as the paper has it (section 5.1), buckets for a few entries that are linked to further ones when they overflow; or counted first, so that all entries of a bucket are
//! in a row, as the library has it. Both get the same entries, one thread, and everything is compared with everything in its bucket.

use super::models::{Model, Point};
use std::time::Instant;

/// Entries of a bucket of the first layout, with which it fills half a cache line.
const ROOM: usize = 6;
const NONE: u32 = u32::MAX;

/// Milliseconds: to populate the table, and to read all of it.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    pub populate: f64,
    pub read: f64,
}

pub struct Layouts {
    pub triangles: usize,
    pub entries: usize,
    pub linked: Times,
    pub counted: Times,
}

/// A triangle and the bucket of a cell that its box meets.
type Entry = (u32, u32);

/// Cells are at least as large as a triangle, so that there are two along an axis at most.
fn entries_of(model: &Model, buckets: usize) -> Vec<Entry> {
    let corners = |t: &[u32; 3]| t.map(|vertex| model.points[vertex as usize]);
    let mut entries = Vec::new();
    for (number, triangle) in model.triangles.iter().enumerate() {
        let points = corners(triangle);
        let least = points.iter().fold(points[0], |a, b| [0, 1, 2].map(|axis| a[axis].min(b[axis])));
        let most = points.iter().fold(points[0], |a, b| [0, 1, 2].map(|axis| a[axis].max(b[axis])));
        let size = (0..3).map(|axis| most[axis] - least[axis]).fold(1e-9, f64::max);
        let side = 2f64.powf(size.log2().ceil());
        let cell = |p: Point| p.map(|x| (x / side).floor() as i64);
        let (low, high) = (cell(least), cell(most));
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    entries.push((number as u32, (morton([x, y, z]) % buckets as u64) as u32));
                }
            }
        }
    }
    entries
}

/// Bits of the coordinates in turn.
fn morton(cell: [i64; 3]) -> u64 {
    let spread = |x: i64| (0..16).fold(0, |bits, bit| bits | (x as u64 >> bit & 1) << (3 * bit));
    spread(cell[0]) | spread(cell[1]) << 1 | spread(cell[2]) << 2
}

/// A number that depends on all pairs, so that none is left out by the compiler.
fn compare(triangles: &[u32]) -> u64 {
    let mut sum = 0;
    for (i, &a) in triangles.iter().enumerate() {
        for &b in &triangles[..i] {
            sum += u64::from(a ^ b);
        }
    }
    sum
}

#[derive(Clone, Copy)]
struct Bucket {
    count: u32,
    next: u32,
    triangles: [u32; ROOM],
}

const EMPTY: Bucket = Bucket { count: 0, next: NONE, triangles: [0; ROOM] };

fn linked(entries: &[Entry], buckets: usize, table: &mut Vec<Bucket>, all: &mut Vec<u32>) -> (Times, u64) {
    let began = Instant::now();
    table.clear();
    table.resize(buckets, EMPTY);
    for &(triangle, bucket) in entries {
        let first = table[bucket as usize];
        if first.count as usize == ROOM {
            // What is full moves to the end, and the first one is empty again.
            table.push(first);
            table[bucket as usize] = Bucket { next: table.len() as u32 - 1, ..EMPTY };
        }
        let bucket = &mut table[bucket as usize];
        bucket.triangles[bucket.count as usize] = triangle;
        bucket.count += 1;
    }
    let populated = Instant::now();
    let mut sum = 0u64;
    for first in 0..buckets {
        all.clear();
        let mut bucket = first as u32;
        while bucket != NONE {
            let Bucket { count, next, triangles } = &table[bucket as usize];
            all.extend_from_slice(&triangles[..*count as usize]);
            bucket = *next;
        }
        sum = sum.wrapping_add(compare(all));
    }
    (times(began, populated), sum)
}

fn counted(entries: &[Entry], buckets: usize, places: &mut Vec<u32>, table: &mut Vec<u32>) -> (Times, u64) {
    let began = Instant::now();
    places.clear();
    places.resize(buckets + 1, 0);
    for &(_, bucket) in entries {
        places[bucket as usize] += 1;
    }
    let mut total = 0;
    for place in places.iter_mut() {
        total += *place;
        *place = total;
    }
    table.resize(total as usize, 0);
    for &(triangle, bucket) in entries {
        let place = &mut places[bucket as usize];
        *place -= 1;
        table[*place as usize] = triangle;
    }
    let populated = Instant::now();
    let mut sum = 0u64;
    for bucket in places.windows(2) {
        sum = sum.wrapping_add(compare(&table[bucket[0] as usize..bucket[1] as usize]));
    }
    (times(began, populated), sum)
}

fn times(began: Instant, populated: Instant) -> Times {
    let ms = |from: Instant, to: Instant| 1e3 * (to - from).as_secs_f64();
    Times { populate: ms(began, populated), read: ms(populated, Instant::now()) }
}

/// The fastest of some runs, in turn.
pub fn measure(model: &Model, repeat: usize) -> Layouts {
    let buckets = model.triangles.len().next_power_of_two();
    let entries = entries_of(model, buckets);
    let (mut table, mut all, mut places, mut row) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let slowest = Times { populate: f64::INFINITY, read: f64::INFINITY };
    let mut best = [slowest; 2];
    // The first run makes room.
    for run in 0..=2 * repeat {
        let runs = [
            linked(&entries, buckets, &mut table, &mut all),
            counted(&entries, buckets, &mut places, &mut row),
        ];
        assert_eq!(runs[0].1, runs[1].1, "both layouts have the same entries");
        for (best, (times, _)) in best.iter_mut().zip(runs).filter(|_| run > 0) {
            best.populate = best.populate.min(times.populate);
            best.read = best.read.min(times.read);
        }
    }
    Layouts { triangles: model.triangles.len(), entries: entries.len(), linked: best[0], counted: best[1] }
}
