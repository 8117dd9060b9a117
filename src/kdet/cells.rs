//! Which cells of the hierarchical grid a triangle is in (kDet paper, section 4.1).
//!
//! Level l has cubes of side 2^(l + FLOOR), in coordinates that are at most two ([`View::local`]). A triangle is in the level whose cells are at least as large as its
//! minimum enclosing sphere and less than twice as large, so that it is in at most two cells along each axis. Cells of a level are in one cell of every higher level: the number of the one
//! is that of the other, shifted.
//!
//! A triangle is listed in the cells that it intersects, not in all that its box does. Where rounding might hide an intersection the cell is kept.

use super::soup::View;
use super::sphere;
use crate::elementary::vec3::{cross, dot, sub};

/// The exponent of the smallest cells. Smaller triangles are in these as well.
const FLOOR: i32 = -30;

/// Levels that can occur: coordinates are at most two, diameters less than 16.
pub const LEVELS: usize = 36;

/// A triangle in the grid.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Row {
    /// Lower and upper bounds of local coordinates.
    pub bounds: [f64; 6],
    pub level: u32,
    /// Of the block of 2 x 2 x 2 cells that begins at the lower bounds, those that the triangle intersects: bit x + 2y + 4z.
    pub cells: u32,
    /// The square of the diameter of its minimum enclosing sphere, in local coordinates.
    pub square: f64,
}

impl Row {
    pub const EMPTY: Row = Row { bounds: [0.0; 6], level: 0, cells: 0, square: 0.0 };

    #[inline]
    pub fn new(view: &View<'_>, triangle: u32) -> Row {
        let corners = view.triangles[triangle as usize].map(|vertex| {
            let motion = &view.vertices[vertex as usize].0;
            [0, 1, 2].map(|axis| view.local(axis, motion[4 + axis]))
        });
        let [a, b, c] = corners;
        let mut bounds = [0.0; 6];
        for axis in 0..3 {
            bounds[axis] = a[axis].min(b[axis]).min(c[axis]);
            bounds[3 + axis] = a[axis].max(b[axis]).max(c[axis]);
        }
        let square = sphere::square_of_diameter(&corners);
        let mut level = level_of(square);
        loop {
            let (lower, upper) = (cell_of(level, &bounds, 0), cell_of(level, &bounds, 3));
            let spans = [0, 1, 2].map(|axis| upper[axis] - lower[axis]);
            // Rounding may make a triangle too large for its level.
            if spans.iter().all(|&span| span <= 1) {
                let mut cells = block(spans);
                // Corners that were cut off would make another triangle, of which only the box is right.
                if view.soup.is_affine && spans.iter().sum::<i32>() > 1 {
                    cells = intersected(&corners, level, lower, cells);
                }
                return Row { bounds, level, cells, square };
            }
            level += 1;
        }
    }

    /// The cell of its lower bounds.
    #[inline(always)]
    pub fn lower_cell(&self) -> [i32; 3] {
        cell_of(self.level, &self.bounds, 0)
    }
}

/// The level for spheres whose diameters have this square.
fn level_of(square: f64) -> u32 {
    // 2^(2e) has the exponent 2e; up to the next of these, cells have side 2^(e + 1).
    let exponent = (square.to_bits() >> 52) as i32 - 1023;
    ((exponent >> 1) + 1 - FLOOR).clamp(0, LEVELS as i32 - 3) as u32
}

/// The side of cells.
pub fn side(level: u32) -> f64 {
    f64::from_bits(((1023 + FLOOR + level as i32) as u64) << 52)
}

/// One over the side of cells.
pub fn per_side(level: u32) -> f64 {
    f64::from_bits(((1023 - FLOOR - level as i32) as u64) << 52)
}

/// The cell of the lower bounds (`first` 0), or of the upper ones (3). Scaling by a power of two is exact, and so is rounding down.
#[inline(always)]
fn cell_of(level: u32, bounds: &[f64; 6], first: usize) -> [i32; 3] {
    let per_side = per_side(level);
    [0, 1, 2].map(|axis| floor(bounds[first + axis] * per_side))
}

/// The cells of the lower and of the upper bounds of a box, which may be a little outside of all that there is.
pub fn range(level: u32, bounds: &[f64; 6]) -> ([i32; 3], [i32; 3]) {
    (cell_of(level, bounds, 0), cell_of(level, bounds, 3))
}

/// The largest integer that is not above a number less than 2³¹.
#[inline(always)]
fn floor(x: f64) -> i32 {
    let truncated = x as i32;
    truncated - i32::from(truncated as f64 > x)
}

/// The cells of a block that a box spans.
fn block(spans: [i32; 3]) -> u32 {
    let [x, y, z] = spans;
    let row = if x > 0 { 0b11 } else { 0b01 };
    let layer = if y > 0 { row | row << 2 } else { row };
    if z > 0 { layer | layer << 4 } else { layer }
}

/// How much larger cells are taken than they are: more than the errors of local coordinates, 2⁻⁵¹, are of half the side of the smallest cell, 2⁻³¹.
const MARGIN: f64 = 1.0 + 1.0 / (1 << 18) as f64;

/// Errors of products, by the half side of the cell: coordinates relative to its centre are less than four of these, and edges as well; errors of local coordinates, 2⁻⁵¹, and of rounding
/// become 2⁻⁴⁶ in a product of two, in a product of three 2⁻⁴³.
const SLACK: f64 = 1.0 / (1u64 << 40) as f64;

/// Those of the cells of a block that a triangle intersects: there is no axis that separates them, of its normal and of the products of its edges and the axes of the grid (separating axes). The axes
/// themselves are where its box ends.
fn intersected(corners: &[[f64; 3]; 3], level: u32, lower: [i32; 3], cells: u32) -> u32 {
    let side = side(level);
    let half = 0.5 * side;
    let reach = half * MARGIN;
    // Relative to the centre of the first cell, in units of half a side.
    let middle = [0, 1, 2].map(|axis| (lower[axis] as f64 + 0.5) * side);
    let per_half = 2.0 * per_side(level);
    let [a, b, c] = corners.map(|corner| [0, 1, 2].map(|axis| (corner[axis] - middle[axis]) * per_half));
    let reach = reach * per_half;
    let edges = [sub(b, a), sub(c, b), sub(a, c)];
    let normal = cross(edges[0], edges[1]);
    // Each axis: what the triangle projects to, from least to most, and how the cells are shifted along it.
    let mut axes = [([0.0; 3], 0.0, 0.0); 10];
    let height = dot(normal, a);
    axes[0] = (normal, height, height);
    for (number, edge) in edges.iter().enumerate() {
        for axis in 0..3 {
            let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
            let mut direction = [0.0; 3];
            (direction[i], direction[j]) = (-edge[j], edge[i]);
            let at = [a, b, c].map(|point| direction[i] * point[i] + direction[j] * point[j]);
            let (least, most) = (at[0].min(at[1]).min(at[2]), at[0].max(at[1]).max(at[2]));
            axes[1 + 3 * number + axis] = (direction, least, most);
        }
    }
    let mut left = cells;
    for (direction, least, most) in axes {
        let radius = reach * (direction[0].abs() + direction[1].abs() + direction[2].abs()) + SLACK;
        for cell in 0..8 {
            let shift = 2.0 * dot(direction, [(cell & 1) as f64, (cell >> 1 & 1) as f64, (cell >> 2) as f64]);
            let apart = least - shift > radius || most - shift < -radius;
            left &= !(u32::from(apart) << cell);
        }
    }
    left
}

/// How cells become places in a table (section 5.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hashing {
    /// The bits of the coordinates in turn: cells that are close are close in the table.
    #[default]
    Morton,
    /// Bernstein's hash of the coordinates, spread over the table.
    Djb2,
}

impl Hashing {
    #[inline(always)]
    pub fn hash(self, level: u32, [x, y, z]: [i32; 3]) -> u32 {
        match self {
            Hashing::Morton => {
                let interleaved = spread(x) | spread(y) << 1 | spread(z) << 2;
                interleaved ^ level.wrapping_mul(0x9e37_79b1)
            }
            Hashing::Djb2 => {
                let mut hash = 5381u32;
                for number in [x, y, z, level as i32] {
                    hash = hash.wrapping_mul(33) ^ number as u32;
                }
                // Its lowest bits are not the best.
                hash.wrapping_mul(0x9e37_79b1) >> 7 ^ hash
            }
        }
    }
}

/// The ten lowest bits, with two zeros between them.
#[inline(always)]
fn spread(x: i32) -> u32 {
    let mut x = x as u32 & 0x3ff;
    x = (x | x << 16) & 0x0300_00ff;
    x = (x | x << 8) & 0x0300_f00f;
    x = (x | x << 4) & 0x030c_30c3;
    (x | x << 2) & 0x0924_9249
}

/// By cell of a block and cells of the block: which of the 3 x 3 x 3 cells around that cell are among these, bit (x + 1) + 3 (y + 1) + 9 (z + 1).
static AROUND: [[u32; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut own = 0;
    while own < 8 {
        let mut cells = 0;
        while cells < 256 {
            let mut other = 0;
            while other < 8 {
                if cells >> other & 1 != 0 {
                    let x = (other & 1) + 1 - (own & 1);
                    let y = (other >> 1 & 1) + 1 - (own >> 1 & 1);
                    let z = (other >> 2) + 1 - (own >> 2);
                    table[own][cells] |= 1 << (x + 3 * y + 9 * z);
                }
                other += 1;
            }
            cells += 1;
        }
        own += 1;
    }
    table
};

/// Which of the cells around one of its cells a triangle is in.
#[inline(always)]
pub fn around(own: u32, cells: u32) -> u32 {
    AROUND[own as usize & 7][cells as usize & 255]
}

/// The cell some levels up that a cell is in.
#[inline(always)]
pub fn above(cell: [i32; 3], up: u32) -> [i32; 3] {
    cell.map(|x| (x as i64 >> up) as i32)
}

/// The cells that come before a cell, of those around it.
pub const BEFORE: u32 = (1 << 13) - 1;

/// Of the cells before `cell`, in its own level, those that are in a cell of a triangle which is `up` levels higher; `around` are the triangle's, around the cell that `cell` is in.
pub fn before_within(cell: [i32; 3], up: u32, around: u32) -> u32 {
    // Levels are up to 35 apart.
    let inside = (1i64 << up) - 1;
    let low = cell.map(|x| x as i64 & inside == 0);
    let high = cell.map(|x| x as i64 & inside == inside);
    let mut before = 0;
    for offset in 0..13 {
        let mut place = 0;
        for (axis, step) in [1, 3, 9].into_iter().enumerate() {
            place += step
                * match offset / step % 3 {
                    0 if low[axis] => 0,
                    2 if high[axis] => 2,
                    _ => 1,
                };
        }
        before |= (around >> place & 1) << offset;
    }
    before
}
