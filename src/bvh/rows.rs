//! Boxes one by one, in the order of a vertex' coordinates: what boxes are united in before eight of them become a group.
//!
//! A union of rows is two minima. Eight rows are turned into planes by shuffles, where writing lane by lane would be 96 scattered stores.

use super::bounds::{BoxGroup, PLANES};
use crate::mesh::VertexMotion;
use crate::simd::Floats8;
use std::mem::MaybeUninit;

/// Lower bounds x y z · at t = 0 and x y z · at t = 1, as a [`VertexMotion`] has them, then the negated upper bounds. The fourth ones mean nothing. Rounded
/// down, and without negative zeros: so the union of some boxes is the same bits in whatever order they are united.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct VertexBox {
    lower: [f32; 8],
    upper: [f32; 8],
}

impl VertexBox {
    /// Contains nothing, and touches nothing.
    pub const EMPTY: VertexBox = VertexBox { lower: [f32::MAX; 8], upper: [f32::MAX; 8] };

    #[inline(always)]
    pub fn around<F: Floats8>(motion: &VertexMotion) -> VertexBox {
        let (lower, upper) = F::round_down(&motion.0);
        VertexBox { lower: lower.to_array(), upper: upper.to_array() }
    }
}

/// A [`VertexBox`] in registers.
#[derive(Clone, Copy)]
pub struct Row<F> {
    lower: F,
    upper: F,
}

impl<F: Floats8> Row<F> {
    #[inline(always)]
    pub fn empty() -> Row<F> {
        Row { lower: F::splat(f32::MAX), upper: F::splat(f32::MAX) }
    }

    #[inline(always)]
    pub fn load(vertex: &VertexBox) -> Row<F> {
        Row { lower: F::load(&vertex.lower), upper: F::load(&vertex.upper) }
    }

    #[inline(always)]
    pub fn union(self, other: Row<F>) -> Row<F> {
        Row { lower: self.lower.min(other.lower), upper: self.upper.min(other.upper) }
    }

    /// The box around eight.
    #[inline(always)]
    pub fn around(rows: &[Row<F>; 8]) -> Row<F> {
        let [a, b, c, d, e, f, g, h] = *rows;
        a.union(b).union(c.union(d)).union(e.union(f).union(g.union(h)))
    }

    /// Writes eight boxes as a group.
    ///
    /// # Safety
    ///
    /// It is a place for a group, and nobody else uses it.
    #[inline(always)]
    pub unsafe fn store(rows: &[Row<F>; 8], group: *mut BoxGroup) {
        let [a, b, c, d, e, f, g, h] = *rows;
        let lower = F::transpose([a.lower, b.lower, c.lower, d.lower, e.lower, f.lower, g.lower, h.lower]);
        let upper = F::transpose([a.upper, b.upper, c.upper, d.upper, e.upper, f.upper, g.upper, h.upper]);
        // SAFETY: promised by the caller; a group is nothing but its planes.
        let planes = unsafe { &mut *group.cast::<[MaybeUninit<[f32; 8]>; PLANES]>() };
        for axis in 0..3 {
            planes[axis].write(lower[axis].to_array());
            planes[axis + 3].write(upper[axis].to_array());
            planes[axis + 6].write(lower[axis + 4].to_array());
            planes[axis + 9].write(upper[axis + 4].to_array());
        }
    }

    /// The box around those of a group.
    #[inline(always)]
    pub fn around_group(group: &BoxGroup) -> Row<F> {
        let mut lower = [F::splat(f32::MAX); 8];
        let mut upper = lower;
        for axis in 0..3 {
            lower[axis] = F::load(&group.planes[axis]);
            upper[axis] = F::load(&group.planes[axis + 3]);
            lower[axis + 4] = F::load(&group.planes[axis + 6]);
            upper[axis + 4] = F::load(&group.planes[axis + 9]);
        }
        let (lower, upper) = (F::transpose(lower), F::transpose(upper));
        let mut rows = [Row::empty(); 8];
        for lane in 0..8 {
            rows[lane] = Row { lower: lower[lane], upper: upper[lane] };
        }
        Row::around(&rows)
    }
}
