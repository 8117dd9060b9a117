//! Polygons by the cells of a hierarchical grid that their boxes are in: what may be close to something.
//!
//! Unlike the [`grid`](super::grid) of a query, it has polygons, in the level of their own spheres, whatever triangles these are made of; and it is searched around what is larger than a cell.

use super::cells::{self, Hashing, LEVELS};
use super::polygons::Polygon;
use crate::memory::{Buffer, Memory, MemoryError};

pub struct Vicinity {
    /// Where the entries of each bucket begin, and at last the number of all.
    places: Buffer<u32>,
    entries: Buffer<u32>,
    mask: u32,
    /// Whether a level has polygons.
    is_used: [bool; LEVELS],
}

impl Vicinity {
    /// `scale` makes diameters local.
    pub fn new(memory: &Memory, polygons: &[Polygon], scale: f64) -> Result<Vicinity, MemoryError> {
        let buckets = polygons.len().next_power_of_two().clamp(64, 1 << 26);
        let mut vicinity = Vicinity {
            places: Buffer::new(memory.clone()),
            entries: Buffer::new(memory.clone()),
            mask: buckets as u32 - 1,
            is_used: [false; LEVELS],
        };
        vicinity.places.resize(buckets + 1, 0)?;
        let mut total = 0u64;
        for polygon in polygons {
            let level = Polygon::level_of(polygon.diameter * scale);
            vicinity.is_used[level as usize] = true;
            for bucket in buckets_of(vicinity.mask, level, &polygon.bounds) {
                vicinity.places[bucket] += 1;
                total += 1;
            }
        }
        let count = u32::try_from(total).map_err(|_| MemoryError::TooLarge)?;
        vicinity.entries.resize(count as usize, 0)?;
        let mut end = 0;
        for place in vicinity.places.iter_mut() {
            end += *place;
            *place = end;
        }
        for (number, polygon) in polygons.iter().enumerate() {
            for bucket in
                buckets_of(vicinity.mask, Polygon::level_of(polygon.diameter * scale), &polygon.bounds)
            {
                vicinity.places[bucket] -= 1;
                vicinity.entries[vicinity.places[bucket] as usize] = number as u32;
            }
        }
        Ok(vicinity)
    }

    /// All polygons whose diameter is at least this one, and whose boxes reach into this one. Others as well, and some more than once.
    pub fn around(&self, diameter: f64, bounds: [f64; 6]) -> impl Iterator<Item = u32> + '_ {
        // Rounding may have put a polygon a level too low: local coordinates are off by less than 2⁻⁵⁰.
        let lowest = Polygon::level_of(diameter * (1.0 - 1e-6) - 1e-12);
        let levels = (lowest..LEVELS as u32).filter(|&level| self.is_used[level as usize]);
        levels.flat_map(move |level| buckets_of(self.mask, level, &bounds)).flat_map(|bucket| {
            self.entries[self.places[bucket] as usize..self.places[bucket + 1] as usize].iter().copied()
        })
    }
}

/// The buckets of the cells that a box is in.
fn buckets_of(mask: u32, level: u32, bounds: &[f64; 6]) -> impl Iterator<Item = usize> + use<> {
    let ([x, y, z], [x_end, y_end, z_end]) = cells::range(level, bounds);
    (z..=z_end).flat_map(move |z| {
        (y..=y_end).flat_map(move |y| {
            (x..=x_end).map(move |x| (Hashing::Morton.hash(level, [x, y, z]) & mask) as usize)
        })
    })
}
