//! Which triangles of two meshes may be close to each other: by the boxes of both hierarchies, and then by axes of the triangles themselves (`triangle_axes.rs`).
//!
//! Everything is seen in the axes of one mesh, the *outer* one, whose triangles then need not be moved. What has passed the boxes is listed first, whatever leaves it came from, so that the lanes are full.

use super::mesh_pairs::{MeshAt, corners, relative, widened};
use super::transform::Frame;
use super::triangle_axes::{self, Corners32, Couples};
use crate::bvh::{BoxGroup, Group, Reach, Tree, WIDTH};
use crate::elementary::vec3::{Vec3, add, extent, sub};
use crate::memory::{Buffer, Memory, MemoryError};
use crate::simd::{self, Doubles, Floats8, Kernel, Level, MAX_LANES};

/// Two triangles that may be close to each other, the one of the first mesh above.
#[derive(Clone, Copy)]
pub struct TrianglePair {
    key: u64,
    /// Where their corners are, in the order of the meshes.
    rows: [u32; 2],
    /// An axis seems to show it. It is a hint: others may be apart, too, and rounding may have misled it.
    pub is_apart: bool,
}

impl TrianglePair {
    /// Their numbers in their meshes.
    pub fn triangles(&self) -> [u32; 2] {
        [(self.key >> 32) as u32, self.key as u32]
    }
}

/// The corners of a triangle one after the other, as the outer mesh has them; what is behind them means nothing. Two cache lines, to be put into lanes.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Row(pub [f64; 16]);

impl Row {
    pub const EMPTY: Row = Row([0.0; 16]);

    pub fn new(corners: &[Vec3; 3]) -> Row {
        let mut row = [0.0; 16];
        row[..9].copy_from_slice(corners.as_flattened());
        Row(row)
    }

    pub fn corners(&self) -> [Vec3; 3] {
        let [a, b, c, d, e, f, g, h, i, ..] = self.0;
        [[a, b, c], [d, e, f], [g, h, i]]
    }
}

/// The corners of as many triangles as there are lanes, from the given one on.
#[inline(always)]
pub fn lanes<V: Doubles>(rows: &[&Row; MAX_LANES], first: usize) -> [[V; 3]; 3] {
    let mut wanted = [&rows[first].0; MAX_LANES];
    for (wanted, row) in wanted[..V::COUNT].iter_mut().zip(&rows[first..]) {
        *wanted = &row.0;
    }
    let [a, b, c, d, e, f, g, h, i, ..] = V::transpose(wanted);
    [[a, b, c], [d, e, f], [g, h, i]]
}

/// Up to eight pairs of triangles that wait to be looked at in lanes, with what their owner knows them by.
pub struct Waiting<'a> {
    pub sides: [[&'a Row; MAX_LANES]; 2],
    pub places: [usize; MAX_LANES],
    pub count: usize,
}

impl<'a> Waiting<'a> {
    pub const NONE: Waiting<'a> =
        Waiting { sides: [[&Row::EMPTY; MAX_LANES]; 2], places: [0; MAX_LANES], count: 0 };

    /// True if there is no room for another one.
    pub fn add(&mut self, [a, b]: [&'a Row; 2], place: usize) -> bool {
        (self.sides[0][self.count], self.sides[1][self.count]) = (a, b);
        self.places[self.count] = place;
        self.count += 1;
        self.count == MAX_LANES
    }
}

/// Some triangles of one of the meshes.
struct Side {
    numbers: Buffer<u32>,
    rows: Buffer<Row>,
    /// The same in floats, in units of the size of both meshes.
    floats: Buffer<Corners32>,
}

impl Side {
    fn push(&mut self, triangle: u32, corners: &[Vec3; 3], unit: f64) -> Result<(), MemoryError> {
        self.numbers.push(triangle)?;
        self.rows.push(Row::new(corners))?;
        self.floats
            .push(corners.map(|[x, y, z]| [(x * unit) as f32, (y * unit) as f32, (z * unit) as f32, 0.0]))
    }
}

/// What was found of two meshes. A worker has one, and fills it anew for every pair of them.
pub struct NearTriangles {
    /// In the order of their numbers.
    pub pairs: Buffer<TrianglePair>,
    /// Of the outer mesh, and of the inner one.
    sides: [Side; 2],
    a_is_inner: bool,
    /// Where the triangles of the leaves of the outer mesh are, for those with the stamp of this time.
    leaves: Buffer<[u32; 2]>,
    stamp: u32,
    couples: Couples,
}

impl NearTriangles {
    pub fn new(memory: &Memory) -> NearTriangles {
        let side = || Side {
            numbers: Buffer::new(memory.clone()),
            rows: Buffer::new(memory.clone()),
            floats: Buffer::new(memory.clone()),
        };
        NearTriangles {
            pairs: Buffer::new(memory.clone()),
            sides: [side(), side()],
            a_is_inner: false,
            leaves: Buffer::new(memory.clone()),
            stamp: 0,
            couples: Couples::EMPTY,
        }
    }

    /// The corners of both triangles of a pair, in the axes of the outer mesh.
    pub fn rows(&self, pair: &TrianglePair) -> [&Row; 2] {
        let [outer, inner] = &self.sides;
        let [a, b] = if self.a_is_inner { [inner, outer] } else { [outer, inner] };
        [&a.rows[pair.rows[0] as usize], &b.rows[pair.rows[1] as usize]]
    }

    /// Lists all pairs of triangles of two meshes that may be within a distance. Pairs that are farther apart may be among them. Returns the frame that the corners are in.
    pub(super) fn list(
        &mut self,
        a: &MeshAt<'_>,
        b: &MeshAt<'_>,
        distance: f64,
        level: Level,
    ) -> Result<Frame, MemoryError> {
        self.pairs.clear();
        for side in &mut self.sides {
            side.numbers.clear();
            side.rows.clear();
            side.floats.clear();
        }
        // The triangles of the mesh with fewer of them, seen from the other mesh.
        self.a_is_inner = a.mesh.triangle_count() < b.mesh.triangle_count();
        let (outer, inner) = if self.a_is_inner { (b, a) } else { (a, b) };
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.leaves.iter_mut().for_each(|leaf| *leaf = [0; 2]);
            self.stamp = 1;
        }
        let leaf_count = if outer.tree.level_count() > 0 { outer.tree.box_count(0) } else { 0 };
        if self.leaves.len() < leaf_count {
            self.leaves.resize(leaf_count, [0; 2])?;
        }
        self.search(outer, inner, distance, level)?;
        self.pairs.sort_unstable_by_key(|pair| pair.key);
        Ok(outer.frame)
    }

    /// Pairs of triangles, of the outer and of the inner mesh, that neither their boxes along the axes of the outer one nor their own axes show to be farther apart than the distance.
    fn search(
        &mut self,
        outer: &MeshAt<'_>,
        inner: &MeshAt<'_>,
        distance: f64,
        level: Level,
    ) -> Result<(), MemoryError> {
        let (Some(root), Some(inner_root)) = (outer.tree.root(), inner.tree.root()) else { return Ok(()) };
        let top = inner.tree.level_count() - 1;
        let to_outer = relative(&outer.frame, &inner.frame);
        let (whole, inner_whole) = (sweep(&root.0), sweep(&inner_root.0));
        let [least, most] = around(inner_whole, &to_outer);
        let size =
            [whole[0], whole[1], least, most].into_iter().fold(0.0f64, |size, at| size.max(extent(at)));
        // The other way round, too: the outer mesh as seen from the inner one.
        let to_inner = relative(&inner.frame, &outer.frame);
        let [least, most] = widened(around(whole, &to_inner), distance);
        let mut search =
            Search { near: self, outer, inner, to_outer, whole, distance, unit: unit(size), level };
        let mut result = Ok(());
        Wanted::new([least, most], level).below(
            inner.tree,
            (top, 0),
            &|boxes, child| meets(around(sweep(&boxes.get(child).0), &to_outer), &whole, distance),
            &mut |leaf| {
                if result.is_ok() {
                    result = search.leaf(leaf);
                }
            },
        );
        result?;
        search.tell_apart()
    }
}

/// The box around all the motion of a box.
fn sweep(planes: &[f32; 16]) -> [Vec3; 2] {
    let planes = planes.map(f64::from);
    [
        [0, 1, 2].map(|axis| planes[axis].min(planes[6 + axis])),
        [0, 1, 2].map(|axis| (-planes[3 + axis]).max(-planes[9 + axis])),
    ]
}

/// Whether two boxes come within a distance.
fn meets(around: [Vec3; 2], whole: &[Vec3; 2], distance: f64) -> bool {
    let [lower, upper] = widened(around, distance);
    (0..3).all(|axis| lower[axis] <= whole[1][axis] && upper[axis] >= whole[0][axis])
}

/// The power of two that makes coordinates up to `size` at most 1. Zero for such at the end of the range of doubles: without a size triangles are not told apart.
fn unit(size: f64) -> f64 {
    // 2^(e − 1023) <= size < 2^(e − 1022).
    match size.to_bits() >> 52 & 0x7ff {
        exponent @ 0..=2044 => f64::from_bits((2045 - exponent) << 52),
        _ => 0.0,
    }
}

/// The box around a box that is seen in other axes.
fn around([lower, upper]: [Vec3; 2], frame: &Frame) -> [Vec3; 2] {
    let half = [0, 1, 2].map(|i| 0.5 * (upper[i] - lower[i]));
    let centre = frame.to_world([0, 1, 2].map(|i| 0.5 * (upper[i] + lower[i])));
    let reach = |axis: usize| (0..3).map(|i| frame.axes[i][axis].abs() * half[i]).sum::<f64>();
    let reach = [reach(0), reach(1), reach(2)];
    [sub(centre, reach), add(centre, reach)]
}

struct Search<'a> {
    near: &'a mut NearTriangles,
    outer: &'a MeshAt<'a>,
    inner: &'a MeshAt<'a>,
    to_outer: Frame,
    whole: [Vec3; 2],
    distance: f64,
    unit: f64,
    level: Level,
}

impl Search<'_> {
    /// All triangles of a leaf of the inner mesh at once.
    fn leaf(&mut self, leaf: usize) -> Result<(), MemoryError> {
        let faces = self.inner.tree.faces(leaf);
        let first = self.near.sides[1].rows.len() as u32;
        let mut bounds = [[0.0; WIDTH]; 6];
        let mut count = 0;
        let mut all = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        for &triangle in &faces.triangles[..faces.count()] {
            let at = corners(self.inner.mesh, triangle).map(|corner| self.to_outer.to_world(corner));
            let lower = [0, 1, 2].map(|i| at[0][i].min(at[1][i]).min(at[2][i]));
            let upper = [0, 1, 2].map(|i| at[0][i].max(at[1][i]).max(at[2][i]));
            if meets([lower, upper], &self.whole, self.distance) {
                let [lower, upper] = widened([lower, upper], self.distance);
                self.near.sides[1].push(triangle, &at, self.unit)?;
                for axis in 0..3 {
                    (bounds[axis][count], bounds[3 + axis][count]) = (lower[axis], upper[axis]);
                }
                count += 1;
                all =
                    [[0, 1, 2].map(|i| all[0][i].min(lower[i])), [0, 1, 2].map(|i| all[1][i].max(upper[i]))];
            }
        }
        if count == 0 {
            return Ok(());
        }
        let boxes = simd::dispatch(self.level, Round(&bounds));
        let mut result = Ok(());
        let top = self.outer.tree.level_count() - 1;
        Wanted::new(all, self.level).below(self.outer.tree, (top, 0), &|_, _| true, &mut |leaf| {
            if result.is_ok() {
                result = self.leaves(leaf, &boxes, first, count);
            }
        });
        result
    }

    /// Some triangles of the inner mesh, from the given one on, and a leaf of the outer one.
    fn leaves(&mut self, leaf: usize, boxes: &BoxGroup, first: u32, count: usize) -> Result<(), MemoryError> {
        let faces = self.outer.tree.faces(leaf);
        let hits = simd::dispatch(self.level, BoxHits { boxes, count, group: faces.boxes() });
        if hits[..count].iter().all(|&lanes| lanes == 0) {
            return Ok(());
        }
        let outer = self.outer_leaf(leaf)?;
        let used = (1 << faces.count()) - 1;
        if !self.near.couples.has_room(count * WIDTH) {
            self.tell_apart()?;
        }
        for (inner, lanes) in (first..).zip(&hits[..count]) {
            self.near.couples.add(outer, lanes & used, inner);
        }
        Ok(())
    }

    /// Where the triangles of a leaf of the outer mesh are.
    fn outer_leaf(&mut self, leaf: usize) -> Result<u32, MemoryError> {
        let NearTriangles { leaves, stamp, sides: [side, _], .. } = &mut *self.near;
        let [known, first] = leaves[leaf];
        if known == *stamp {
            return Ok(first);
        }
        let first = side.rows.len() as u32;
        let faces = self.outer.tree.faces(leaf);
        for &triangle in &faces.triangles[..faces.count()] {
            side.push(triangle, &corners(self.outer.mesh, triangle), self.unit)?;
        }
        leaves[leaf] = [*stamp, first];
        Ok(first)
    }

    /// Looks at the axes of those that are listed.
    fn tell_apart(&mut self) -> Result<(), MemoryError> {
        let NearTriangles { pairs, sides: [outer, inner], couples, a_is_inner, .. } = &mut *self.near;
        let mut result = Ok(());
        let distance = self.distance * self.unit;
        let sides = [&outer.floats[..], &inner.floats[..]];
        triangle_axes::close(self.level, sides, couples, distance, &mut |mut rows, is_apart| {
            let mut numbers = [outer.numbers[rows[0] as usize], inner.numbers[rows[1] as usize]];
            if *a_is_inner {
                (rows, numbers) = ([rows[1], rows[0]], [numbers[1], numbers[0]]);
            }
            let key = u64::from(numbers[0]) << 32 | u64::from(numbers[1]);
            if result.is_ok() {
                result = pairs.push(TrianglePair { key, rows, is_apart });
            }
        });
        result
    }
}

/// A box in which leaves of a tree are looked for, eight nodes at a time.
struct Wanted {
    boxes: BoxGroup,
    level: Level,
}

impl Wanted {
    fn new([lower, upper]: [Vec3; 2], level: Level) -> Wanted {
        let bounds = [lower[0], lower[1], lower[2], upper[0], upper[1], upper[2]].map(|x| [x; WIDTH]);
        Wanted { boxes: simd::dispatch(level, Round(&bounds)), level }
    }

    /// Goes down where a node's box, one of eight, meets this one and `enter` says so, and tells the leaves.
    fn below(
        &self,
        tree: &Tree,
        (level, group): (usize, usize),
        enter: &impl Fn(&BoxGroup, usize) -> bool,
        found: &mut impl FnMut(usize),
    ) {
        let boxes = tree.group(level, group);
        let children = WIDTH.min(tree.box_count(level) - group * WIDTH);
        let hits = simd::dispatch(self.level, BoxHits { boxes: &self.boxes, count: 1, group: boxes });
        let mut hits = hits[0] & ((1 << children) - 1);
        while hits != 0 {
            let child = hits.trailing_zeros() as usize;
            hits &= hits - 1;
            if !enter(boxes, child) {
                continue;
            }
            let child = group * WIDTH + child;
            if level > 0 {
                self.below(tree, (level - 1, child), enter, found);
            } else {
                found(child);
            }
        }
    }
}

/// Boxes that do not move, rounded outward.
struct Round<'a>(&'a [[f64; WIDTH]; 6]);

impl Kernel for Round<'_> {
    type Output = BoxGroup;

    #[inline(always)]
    fn run<V: Doubles>(self) -> BoxGroup {
        let mut group = BoxGroup::EMPTY;
        for (plane, values) in self.0.iter().enumerate() {
            let (down, negated_down) = V::Floats::round_down(values);
            let rounded = if plane < 3 { down } else { negated_down }.to_array();
            (group.planes[plane], group.planes[6 + plane]) = (rounded, rounded);
        }
        group
    }
}

/// Which boxes of a group each of some boxes meets.
struct BoxHits<'a> {
    boxes: &'a BoxGroup,
    count: usize,
    group: &'a BoxGroup,
}

impl Kernel for BoxHits<'_> {
    type Output = [u32; WIDTH];

    #[inline(always)]
    fn run<V: Doubles>(self) -> [u32; WIDTH] {
        let mut hits = [0; WIDTH];
        for (lane, hits) in hits[..self.count].iter_mut().enumerate() {
            *hits = self.boxes.broadcast::<V::Floats>(lane).meets(self.group, &Reach::new(0.0));
        }
        hits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_make_sizes_at_most_one() {
        for size in [1.0, 0.75, 2.0, 1e-9, 1e9, 3.5e-200, 1e250] {
            let scaled = size * unit(size);
            assert!((0.5..=1.0).contains(&scaled), "{size} {scaled}");
            assert_eq!(unit(size).to_bits() << 12, 0, "a power of two");
        }
        assert!(unit(0.0).is_finite() && 5e-324 * unit(5e-324) <= 1.0);
        assert_eq!([unit(f64::MAX), unit(f64::INFINITY)], [0.0; 2]);
    }
}
