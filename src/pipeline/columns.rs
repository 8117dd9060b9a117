//! Columns along x that space is cut into, for the sorted broad phase: how y and z are divided.

use super::boxes::Boxes8;
use crate::simd::Floats8;

/// Columns along y and z at most: their numbers are bytes.
const MOST_COLUMNS: usize = 256;
/// Boxes in more columns than this are tested against all others.
const MANY_COLUMNS: usize = 16;
/// Places are taken to be within so many average deviations.
const SPREAD: f64 = 2.2;
/// So many groups of boxes tell how large the others are.
const SAMPLE: usize = 512;

#[derive(Clone, Copy, Default)]
pub struct Columns {
    lower: [f32; 2],
    per_length: [f32; 2],
    count: [usize; 2],
}

impl Columns {
    /// Columns about four times as wide as the average box, so that most boxes are in few of them, and some sixteen boxes to each. Of very many boxes some are looked at: what lies beyond
    /// most of them is in the outermost columns.
    pub fn choose(boxes: &[Boxes8], count: usize) -> Columns {
        let mut columns = Columns { count: [1; 2], ..Columns::default() };
        let most = (count / 16).clamp(1, MOST_COLUMNS * MOST_COLUMNS);
        for axis in 0..2 {
            let sample = || (0..boxes.len()).step_by(boxes.len().div_ceil(SAMPLE).max(1));
            let sample_count: usize = sample().map(|group| (count - 8 * group).min(8)).sum();
            let rows = |group: usize| {
                let used = (count - 8 * group).min(8);
                let planes = &boxes[group].planes;
                planes[axis + 1][..used].iter().zip(&planes[axis + 4][..used])
            };
            let places = || sample().flat_map(rows).map(|(&least, _)| f64::from(least));
            let [lower, upper] = middle_of(&places);
            let whole = upper - lower;
            // A few large ones do not make all columns wide.
            let widest = (whole / 16.0 + 1e-30) as f32;
            let extents = sample().flat_map(rows).fold(0.0, |sum, (&least, &greatest)| {
                let extent = -greatest - least;
                sum + f64::from(if extent < widest { extent } else { widest })
            });
            let wanted = whole / (4.0 * extents / sample_count.max(1) as f64);
            if count > 0 && whole.is_finite() && wanted.is_finite() && wanted >= 2.0 {
                let limit = (most as f64).sqrt().max(1.0);
                let number = wanted.min(limit).min(MOST_COLUMNS as f64) as usize;
                let per_length = (number as f64 / whole) as f32;
                if per_length.is_finite() && number > 1 {
                    (columns.lower[axis], columns.per_length[axis], columns.count[axis]) =
                        (lower as f32, per_length, number);
                }
            }
        }
        columns
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count[0] * self.count[1]
    }

    /// Monotone, and inside for all floats: that is all that matters. NaN becomes 0, and comes only where all is one column.
    #[inline(always)]
    fn place(&self, axis: usize, at: f32) -> usize {
        let place = (at - self.lower[axis]) * self.per_length[axis];
        place.max(0.0).min((self.count[axis] - 1) as f32) as u32 as usize
    }

    /// The same for eight.
    #[inline(always)]
    fn places<F: Floats8>(&self, axis: usize, at: F) -> [u8; 8] {
        let place = at.sub(F::splat(self.lower[axis])).mul(F::splat(self.per_length[axis]));
        let most = F::splat((self.count[axis] - 1) as f32);
        place.max(F::splat(0.0)).min(most).to_array().map(|place| place as u8)
    }

    /// The column where a box begins along y and z.
    #[inline(always)]
    pub fn at(&self, y: f32, z: f32) -> usize {
        self.place(0, y) * self.count[1] + self.place(1, z)
    }

    /// The columns of eight boxes.
    #[inline(always)]
    pub fn cover<F: Floats8>(&self, boxes: &Boxes8) -> Cover8 {
        let planes = &boxes.planes;
        let zero = F::splat(0.0);
        Cover8 {
            first: [self.places(0, F::load(&planes[1])), self.places(1, F::load(&planes[2]))],
            last: [
                self.places(0, zero.sub(F::load(&planes[4]))),
                self.places(1, zero.sub(F::load(&planes[5]))),
            ],
        }
    }

    /// Calls with every column that a box of the eight is in; with the one behind the last if these are many.
    #[inline(always)]
    pub fn each(&self, cover: &Cover8, lane: usize, mut of: impl FnMut(usize)) {
        let [y, z] = [0, 1].map(|axis| cover.first[axis][lane] as usize);
        let [last_y, last_z] = [0, 1].map(|axis| cover.last[axis][lane] as usize);
        // Most are in one.
        if y == last_y && z == last_z {
            of(y * self.count[1] + z);
            return;
        }
        if (last_y + 1 - y) * (last_z + 1 - z) > MANY_COLUMNS {
            of(self.len());
            return;
        }
        for y in y..last_y + 1 {
            for z in z..last_z + 1 {
                of(y * self.count[1] + z);
            }
        }
    }
}

/// Where most of these places are. What has rolled away from a heap does not make its columns wide.
fn middle_of<I: Iterator<Item = f64>>(places: &impl Fn() -> I) -> [f64; 2] {
    let count = places().count() as f64;
    let mean = places().sum::<f64>() / count;
    let deviation = places().map(|place| (place - mean).abs()).sum::<f64>() / count;
    // Twice that is where they end if they are all over the same range.
    let (lower, upper) = places().fold((f64::MAX, f64::MIN), |(l, u), place| (l.min(place), u.max(place)));
    [lower.max(mean - SPREAD * deviation), upper.min(mean + SPREAD * deviation)]
}

/// The first and the last columns, along y and z, of eight boxes.
#[derive(Clone, Copy)]
pub struct Cover8 {
    first: [[u8; 8]; 2],
    last: [[u8; 8]; 2],
}

impl Cover8 {
    pub const NONE: Cover8 = Cover8 { first: [[0; 8]; 2], last: [[0; 8]; 2] };
}
