//! Which patches need not be tested with themselves.
//!
//! *The exact proof.* Let a patch be some triangles of a mesh, seen along an axis: a map f of its points to a plane, linear in space. Suppose that at some time
//!
//! 1. every triangle is seen from the same side, with an area (`facing`);
//! 2. no edge has two of the triangles in the same direction, and the edges that have a triangle of the patch on one side only are a single loop that visits each of its
//!    vertices once (`patches`);
//! 3. the image of the loop neither crosses nor touches itself (`contour`).
//!
//! Then no vertex of the patch touches a triangle of it that it is not a corner of, and no two edges of the patch without a common vertex touch each other: not even their images do.
//!
//! The proof is in docs/exactness.md, 10.6. 1 and 3 are certified for all times of the motion, against rounding, so a culled patch has no contact with itself, and leaving it out
//! changes no result. Vertices and edges that a leaf owns are those of its triangles, so what a box would have tested with itself is inside its patch. A part of a patch without contacts
//! has none either.
//!
//! This holds for contacts at distance 0 only. It says nothing of pairs that come close.

use super::access::TreeAccess;
use super::contour::{self, ContourRoom};
use super::facing;
use super::patches::{Culling, box_place};
use super::tree::WIDTH;
use crate::memory::MemoryError;
use crate::simd::{self, Doubles, Floats8, Kernel};
use std::ops::Range;

impl TreeAccess<'_> {
    /// Whether a box, or one above it, was found to have no contacts with itself in the last search.
    #[inline(always)]
    pub fn is_culled(&self, level: usize, number: usize) -> bool {
        let place = box_place(self.levels, level, number);
        // SAFETY: nobody writes what this thread reads (see the type).
        place < self.culled.len() && unsafe { *self.culled.at(place) } != 0
    }

    /// Finds out which boxes have no contacts with themselves: a box and all below it. `Tree::prepare_culling` has been called.
    ///
    /// # Safety
    ///
    /// Nobody else reads or writes what belongs to the box or to those below it. Boxes of all vertices are up to date.
    pub unsafe fn cull_below(
        &self,
        culling: Culling,
        level: usize,
        number: usize,
        room: &mut ContourRoom,
    ) -> Result<(), MemoryError> {
        let task = Cull { access: *self, culling, levels: 0..level + 1, from: (level, number), room };
        simd::dispatch(self.simd, task)
    }

    /// The same for all boxes above a level, after those of this level.
    ///
    /// # Safety
    ///
    /// Nobody else uses the tree.
    pub unsafe fn cull_above(
        &self,
        culling: Culling,
        level: usize,
        room: &mut ContourRoom,
    ) -> Result<(), MemoryError> {
        let top = self.level_count() - 1;
        let task = Cull { access: *self, culling, levels: level + 1..top + 1, from: (top, 0), room };
        simd::dispatch(self.simd, task)
    }

    /// How many triangles are in patches that were culled.
    pub fn culled_triangle_count(&self) -> usize {
        let mut count = 0;
        for level in (0..self.level_count()).rev() {
            for number in 0..self.box_count(level) {
                let is_new = level + 1 == self.level_count() || !self.is_culled_at(level + 1, number / WIDTH);
                if is_new && self.is_culled(level, number) {
                    let leaves = self.leaves_below(level, number);
                    let end = (leaves.end * WIDTH).min(self.mesh.triangle_count());
                    count += end - leaves.start * WIDTH;
                }
            }
        }
        count
    }

    /// Whether a box or any above it was culled.
    pub fn is_culled_at(&self, level: usize, number: usize) -> bool {
        (level..self.level_count()).any(|above| self.is_culled(above, number >> (3 * (above - level))))
    }
}

struct Cull<'a> {
    access: TreeAccess<'a>,
    culling: Culling,
    /// From the bottom up.
    levels: Range<usize>,
    /// The box whose part of these levels is meant.
    from: (usize, usize),
    room: &'a mut ContourRoom,
}

impl Kernel for Cull<'_> {
    type Output = Result<(), MemoryError>;

    #[inline(always)]
    fn run<V: Doubles>(self) -> Result<(), MemoryError> {
        let Cull { access, culling, levels, from, room } = self;
        let rounding = facing::rounding(access.mesh);
        for level in levels.clone() {
            for number in access.boxes_of(from, level) {
                // SAFETY: promised to `cull_below` and `cull_above`.
                unsafe {
                    match culling {
                        Culling::Exact => access.find_facing::<V::Floats>(level, number, rounding),
                        Culling::DualCone => access.find_cones(level, number),
                        Culling::None => {}
                    }
                }
            }
        }
        for level in levels.rev() {
            for number in access.boxes_of(from, level) {
                let is_culled = (level < from.0 && access.is_culled(level + 1, number / WIDTH))
                    || match culling {
                        // A leaf is tested with itself in less time than its outline.
                        Culling::Exact if level == 0 => false,
                        Culling::Exact => {
                            access.is_free_of_contacts::<V::Floats>(level, number, rounding, room)?
                        }
                        Culling::DualCone => access.cones_exclude_contacts(level, number),
                        Culling::None => false,
                    };
                // SAFETY: promised to `cull_below` and `cull_above`.
                unsafe {
                    access.culled.at(box_place(access.levels, level, number)).write(u8::from(is_culled))
                };
            }
        }
        Ok(())
    }
}

impl TreeAccess<'_> {
    /// The boxes of a level below a box, or the box itself.
    pub(super) fn boxes_of(&self, (level, number): (usize, usize), below: usize) -> Range<usize> {
        let shift = 3 * (level - below);
        number << shift..((number + 1) << shift).min(self.box_count(below))
    }

    /// The places of the boxes right below a box of a level above 0.
    fn children(&self, level: usize, number: usize) -> impl Iterator<Item = usize> {
        let levels = self.levels;
        self.boxes_of((level, number), level - 1).map(move |child| box_place(levels, level - 1, child))
    }

    /// # Safety
    ///
    /// Nobody else uses what is known of the box, or writes that of those below it.
    #[inline(always)]
    unsafe fn find_facing<F: Floats8>(&self, level: usize, number: usize, rounding: Option<f32>) {
        let faced = match rounding {
            None => 0,
            Some(rounding) if level == 0 => {
                facing::of_leaf::<F>(self.mesh.local_motions(), self.faces(number), rounding)
            }
            Some(_) => self.children(level, number).fold(facing::EVERYWHERE, |all, child| {
                // SAFETY: promised by the caller.
                all & unsafe { *self.facing.at(child) }
            }),
        };
        // SAFETY: promised by the caller.
        unsafe { self.facing.at(box_place(self.levels, level, number)).write(faced) };
    }

    /// Whether it is proved that nothing in a patch touches.
    #[inline(always)]
    fn is_free_of_contacts<F: Floats8>(
        &self,
        level: usize,
        number: usize,
        rounding: Option<f32>,
        room: &mut ContourRoom,
    ) -> Result<bool, MemoryError> {
        // SAFETY: nobody writes what this thread reads.
        let faced = unsafe { *self.facing.at(box_place(self.levels, level, number)) };
        let outline = self.outlines.get(self.levels, level, number);
        let Some(rounding) = rounding.filter(|_| faced != 0 && !outline.is_empty()) else { return Ok(false) };
        let axis = facing::middle_axis(faced);
        contour::is_simple::<F>(self.mesh.local_motions(), outline, axis, rounding, room)
    }

    /// # Safety
    ///
    /// Nobody else uses what is known of the box, or writes that of those below it.
    unsafe fn find_cones(&self, level: usize, number: usize) {
        let cones = if level == 0 {
            self.cones_of_leaf(number)
        } else {
            // SAFETY: promised by the caller.
            let cones = self.children(level, number).map(|child| unsafe { *self.cones.at(child) });
            cones.reduce(|all, cones| all.merge(cones)).expect("a box has boxes below it")
        };
        // SAFETY: promised by the caller.
        unsafe { self.cones.at(box_place(self.levels, level, number)).write(cones) };
    }

    fn cones_exclude_contacts(&self, level: usize, number: usize) -> bool {
        let place = box_place(self.levels, level, number);
        // SAFETY: nobody writes what this thread reads.
        self.pieces[place] == 1 && unsafe { *self.cones.at(place) }.excludes_contacts()
    }
}
