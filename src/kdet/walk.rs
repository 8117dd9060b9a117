//! The same pairs from the trees of a hierarchy: pairs of boxes at t = 1 that overlap, down to leaves of eight triangles.

use super::decide::Decisions;
use super::leaves::Leaf;
use super::soup::View;
use crate::bvh::{BoxGroup, Bvh, Tree, WIDTH};
use crate::memory::{Buffer, MemoryError};
use crate::simd::{Doubles, Floats8, Kernel};

/// Two boxes of trees, by part of the soup, level and number. Twice the same: the pairs within.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    pub parts: [u32; 2],
    pub levels: [u8; 2],
    pub boxes: [u32; 2],
}

impl Pair {
    fn is_own(&self) -> bool {
        self.parts[0] == self.parts[1] && self.levels[0] == self.levels[1] && self.boxes[0] == self.boxes[1]
    }
}

/// All that is below a pair of boxes.
pub struct Walk<'a> {
    pub view: View<'a>,
    pub bvh: &'a Bvh,
    /// By part, where its leaves begin.
    pub first_leaves: &'a [u32],
    pub leaves: &'a [Leaf],
    pub pair: Pair,
    pub waiting: &'a mut Buffer<Pair>,
    pub decisions: &'a mut Decisions,
    /// Pairs of boxes, and of leaves.
    pub counts: &'a mut [u64; 2],
}

/// One step down: what comes out of a pair of boxes that are not both leaves.
pub struct Step<'a> {
    pub bvh: &'a Bvh,
    pub pair: Pair,
    pub waiting: &'a mut Buffer<Pair>,
}

impl Kernel for Walk<'_> {
    type Output = Result<(), MemoryError>;

    #[inline(always)]
    fn run<V: Doubles>(mut self) -> Result<(), MemoryError> {
        self.waiting.clear();
        self.waiting.push(self.pair)?;
        while let Some(pair) = self.waiting.pop() {
            self.counts[0] += 1;
            if pair.levels == [0, 0] {
                self.counts[1] += 1;
                self.leaves::<V>(pair)?;
            } else {
                step::<V::Floats>(self.bvh, pair, self.waiting)?;
            }
        }
        self.decisions.finish::<V>(&self.view)
    }
}

impl Kernel for Step<'_> {
    type Output = Result<(), MemoryError>;

    #[inline(always)]
    fn run<V: Doubles>(self) -> Result<(), MemoryError> {
        step::<V::Floats>(self.bvh, self.pair, self.waiting)
    }
}

/// The planes of boxes at t = 1.
const END: usize = 6;

/// Bit i: box i of the group overlaps box `lane` of the other one, at t = 1.
#[inline(always)]
fn meets<F: Floats8>(one: &[F; 6], group: &BoxGroup) -> u32 {
    let mut gaps = [F::splat(0.0); 6];
    for (i, gap) in gaps.iter_mut().enumerate() {
        *gap = one[i].add(F::load(&group.planes[END + (i + 3) % 6]));
    }
    let [a, b, c, d, e, f] = gaps;
    !a.max(b).max(c.max(d)).max(e.max(f)).greater(F::splat(0.0)) & 0xff
}

#[inline(always)]
fn broadcast<F: Floats8>(group: &BoxGroup, lane: usize) -> [F; 6] {
    let mut one = [F::splat(0.0); 6];
    for (lanes, plane) in one.iter_mut().zip(&group.planes[END..]) {
        *lanes = F::splat(plane[lane]);
    }
    one
}

#[inline(always)]
fn step<F: Floats8>(bvh: &Bvh, pair: Pair, waiting: &mut Buffer<Pair>) -> Result<(), MemoryError> {
    let tree = |side: usize| &bvh.bodies()[pair.parts[side] as usize].tree;
    let Pair { parts, levels, boxes } = pair;
    if pair.is_own() {
        let below = levels[0] as usize - 1;
        let (group, first) = (tree(0).group(below, boxes[0] as usize), boxes[0] * WIDTH as u32);
        let lanes = tree(0).lanes(below, boxes[0] as usize);
        for child in (0..WIDTH as u32).filter(|child| lanes >> child & 1 != 0) {
            let mut others = meets(&broadcast::<F>(group, child as usize), group) & lanes & !0 << child;
            while others != 0 {
                let other = others.trailing_zeros();
                others &= others - 1;
                waiting.push(Pair {
                    parts,
                    levels: [below as u8; 2],
                    boxes: [first + child, first + other],
                })?;
            }
        }
        return Ok(());
    }
    // The higher one is opened.
    let higher = usize::from(levels[1] > levels[0]);
    let other = 1 - higher;
    let below = levels[higher] as usize - 1;
    let one = box_of::<F>(tree(other), levels[other] as usize, boxes[other] as usize);
    let number = boxes[higher] as usize;
    let mut hits = meets(&one, tree(higher).group(below, number)) & tree(higher).lanes(below, number);
    while hits != 0 {
        let child = hits.trailing_zeros();
        hits &= hits - 1;
        let mut pair = pair;
        pair.levels[higher] = below as u8;
        pair.boxes[higher] = number as u32 * WIDTH as u32 + child;
        waiting.push(pair)?;
    }
    Ok(())
}

#[inline(always)]
fn box_of<F: Floats8>(tree: &Tree, level: usize, number: usize) -> [F; 6] {
    broadcast(tree.group(level, number / WIDTH), number % WIDTH)
}

impl Walk<'_> {
    #[inline(always)]
    fn leaves<V: Doubles>(&mut self, pair: Pair) -> Result<(), MemoryError> {
        let Pair { parts, boxes, .. } = pair;
        let [tree_a, tree_b] = parts.map(|part| &self.bvh.bodies()[part as usize].tree);
        let (faces_a, faces_b) = (tree_a.faces(boxes[0] as usize), tree_b.faces(boxes[1] as usize));
        let (is_own, is_same_part) = (pair.is_own(), parts[0] == parts[1]);
        let [first_a, first_b] = parts.map(|part| self.view.soup.parts[part as usize]);
        let [a, b] = [0, 1].map(|side| self.first_leaves[parts[side] as usize] + boxes[side]);
        let (a, b) = (&self.leaves[a as usize], &self.leaves[b as usize]);
        let mut ones = a.lanes();
        if !is_own {
            let around = box_of::<V::Floats>(tree_b, 0, boxes[1] as usize);
            ones &= meets(&around, &faces_a.boxes);
        }
        while ones != 0 {
            let one = ones.trailing_zeros() as usize;
            ones &= ones - 1;
            let mut others = b.meets(&a.one::<V::Floats>(one));
            if is_own {
                others &= !1 << one;
            }
            if others == 0 {
                continue;
            }
            self.decisions.candidates += others.count_ones() as u64;
            // First what costs least and is the rule: neighbours at a clean vertex.
            let corners = [faces_a.corners[0][one], faces_a.corners[1][one], faces_a.corners[2][one]];
            let mut sharing = 0;
            if is_same_part {
                for (corner, vertex) in corners.into_iter().enumerate() {
                    let mut with = 0;
                    for own in &faces_b.corners {
                        with |= V::Floats::equal(own, vertex);
                    }
                    if a.is_clean(corner, one) {
                        others &= !with;
                    }
                    sharing |= with;
                }
                if others == 0 {
                    continue;
                }
            }
            others &= !b.apart::<V::Floats>(a, one);
            if others == 0 {
                continue;
            }
            let first = corners.map(|corner| corner + first_a.first_vertex);
            while others != 0 {
                let other = others.trailing_zeros() as usize;
                others &= others - 1;
                let numbers = [
                    faces_a.triangles[one] + first_a.first_triangle,
                    faces_b.triangles[other] + first_b.first_triangle,
                ];
                let second = faces_b.corners.map(|corner| corner[other] + first_b.first_vertex);
                if sharing >> other & 1 == 0 {
                    self.decisions.add_disjoint::<V>(&self.view, numbers, [first, second])?;
                } else {
                    self.decisions.add_sharing::<V>(&self.view, numbers, [first, second])?;
                }
            }
        }
        Ok(())
    }
}
