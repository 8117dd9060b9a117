//! Columns along x that space is cut into, for the sorted broad phase: how y and z are divided.

use super::boxes::{Boxes8, Planes};
use std::ops::Range;

/// Columns along y and z at most.
const MOST_COLUMNS: usize = 256;
/// Boxes in more columns than this are tested against all others.
const MANY_COLUMNS: usize = 16;

#[derive(Clone, Copy, Default)]
pub struct Columns {
    lower: [f32; 2],
    per_length: [f32; 2],
    count: [usize; 2],
}

impl Columns {
    /// Columns about four times as wide as the average box, so that most boxes are in few of them, and some sixteen boxes to each.
    pub fn choose(boxes: &[Boxes8], count: usize) -> Columns {
        let mut columns = Columns { count: [1; 2], ..Columns::default() };
        let most = (count / 16).clamp(1, MOST_COLUMNS * MOST_COLUMNS);
        for axis in 0..2 {
            let rows = |group: usize| {
                let used = (count - 8 * group).min(8);
                let planes = &boxes[group].planes;
                planes[axis + 1][..used].iter().zip(&planes[axis + 4][..used])
            };
            let (mut lower, mut upper) = (f32::MAX, f32::MIN);
            for (&least, _) in (0..boxes.len()).flat_map(rows) {
                (lower, upper) = (lower.min(least), upper.max(least));
            }
            let whole = f64::from(upper) - f64::from(lower);
            // A few large ones do not make all columns wide.
            let widest = (whole / 16.0 + 1e-30) as f32;
            let extents = (0..boxes.len()).flat_map(rows).fold(0.0, |sum, (&least, &greatest)| {
                let extent = -greatest - least;
                sum + f64::from(if extent < widest { extent } else { widest })
            });
            let wanted = whole / (4.0 * extents / count.max(1) as f64);
            if count > 0 && whole.is_finite() && wanted.is_finite() && wanted >= 2.0 {
                let limit = (most as f64).sqrt().max(1.0);
                let number = wanted.min(limit).min(MOST_COLUMNS as f64) as usize;
                let per_length = (number as f64 / whole) as f32;
                if per_length.is_finite() && number > 1 {
                    (columns.lower[axis], columns.per_length[axis], columns.count[axis]) =
                        (lower, per_length, number);
                }
            }
        }
        columns
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count[0] * self.count[1]
    }

    /// Monotone, and inside for all floats: that is all that matters.
    #[inline(always)]
    fn place(&self, axis: usize, at: f32) -> usize {
        let place = (at - self.lower[axis]) * self.per_length[axis];
        // Casts of floats saturate; NaN becomes 0, and comes only where all is one column.
        (place as u32 as usize).min(self.count[axis] - 1)
    }

    #[inline(always)]
    fn range(&self, planes: &Planes, axis: usize) -> Range<usize> {
        self.place(axis, planes[axis + 1])..self.place(axis, -planes[axis + 4]) + 1
    }

    /// The column where a box begins along y and z.
    #[inline(always)]
    pub fn at(&self, y: f32, z: f32) -> usize {
        self.place(0, y) * self.count[1] + self.place(1, z)
    }

    /// Calls with every column that a box is in; with the one behind the last if these are many.
    #[inline(always)]
    pub fn each(&self, planes: &Planes, mut of: impl FnMut(usize)) {
        let (ys, zs) = (self.range(planes, 0), self.range(planes, 1));
        if ys.len() * zs.len() > MANY_COLUMNS {
            of(self.len());
            return;
        }
        for y in ys {
            for z in zs.clone() {
                of(y * self.count[1] + z);
            }
        }
    }
}
