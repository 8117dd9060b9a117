//! New boxes for the same order, from the leaves up (PCCD paper, section 6.1), in parts that several threads can do.
//!
//! First the boxes of all vertices, in any ranges; then everything below the boxes of one level, in any order; then the rest. A box is a minimum over its vertices, which
//! is the same bits in whatever order it is taken (see `rows`), and costs are summed by groups of leaves and then in the order of the groups: so the result does not
//! depend on how the work was cut.

use super::access::TreeAccess;
use super::bounds::{BoxGroup, MovingBox};
use super::cost::TraversalCost;
use super::groups::{EdgeGroup, FaceGroup, Group, VertexGroup};
use super::quality::Volumes;
use super::rows::{Row, VertexBox};
use super::tree::{Tree, WIDTH};
use crate::mesh::Mesh;
use crate::simd::{self, Doubles, Floats8, Kernel, Level};
use std::ops::Range;

impl Tree {
    /// Takes over the positions of the mesh; the order stays.
    pub fn refit(&mut self, simd: Level, mesh: &Mesh) {
        // SAFETY: this thread has the tree for itself.
        unsafe { self.shared(simd, mesh).refit() };
    }
}

impl TreeAccess<'_> {
    /// Takes over the positions of the mesh.
    ///
    /// # Safety
    ///
    /// Nobody else uses the tree meanwhile, and this thread uses no reference to anything in it from before.
    pub unsafe fn refit(&self) {
        let top = self.level_count().saturating_sub(1);
        // SAFETY: promised by the caller.
        unsafe {
            self.refit_vertices(0..self.mesh.vertex_count());
            if self.level_count() > 0 {
                self.refit_below(top, 0);
            }
            self.finish_refit(top);
        }
    }

    /// The rest of a refit, after that of all vertices and everything below the boxes of `level`.
    ///
    /// # Safety
    ///
    /// As for [`refit`](TreeAccess::refit).
    pub unsafe fn finish_refit(&self, level: usize) {
        for level in level..self.level_count() {
            let groups = 0..self.box_count(level).div_ceil(WIDTH);
            // SAFETY: promised by the caller.
            unsafe { self.refit_groups(level, groups) };
        }
        // SAFETY: promised by the caller.
        let fit = unsafe { &mut *self.fit.at(0) };
        let mut sum = 0.0;
        for group in 0..self.levels.leaf_count().div_ceil(WIDTH) {
            // SAFETY: as above.
            sum += unsafe { (*self.qualities.at(group)).areas };
        }
        fit.around = self.root().unwrap_or(MovingBox::EMPTY);
        let area = fit.around.half_areas();
        fit.cost = if area > 0.0 { sum / area } else { 0.0 };
        if fit.is_new {
            (fit.built_cost, fit.is_new) = (fit.cost, false);
        }
        fit.version = self.mesh.version();
    }

    /// Takes over the positions of some vertices.
    ///
    /// # Safety
    ///
    /// Nobody else reads or writes the boxes of these vertices meanwhile: no refit of what is below a node runs.
    pub unsafe fn refit_vertices(&self, vertices: Range<usize>) {
        assert!(vertices.start <= vertices.end && vertices.end < self.vertex_boxes.len());
        simd::dispatch(self.simd, RefitVertices { access: *self, vertices });
    }

    /// Refits what is below box `number` of a level, but not the box itself.
    ///
    /// # Safety
    ///
    /// Nobody else reads or writes anything below the box, nor writes boxes of vertices meanwhile, and this thread uses no reference to anything below the
    /// box from before. Boxes of all vertices are up to date.
    pub unsafe fn refit_below(&self, level: usize, number: usize) {
        let claim = self.claims.claim(self.leaves_below(level, number));
        simd::dispatch(self.simd, RefitBelow { access: *self, level, number });
        claim.end();
    }

    /// Computes the boxes of some groups of a level from what is below them.
    ///
    /// # Safety
    ///
    /// Nobody else uses these groups, or writes what is below them, meanwhile.
    unsafe fn refit_groups(&self, level: usize, groups: Range<usize>) {
        simd::dispatch(self.simd, RefitGroups { access: *self, level, groups });
    }
}

struct RefitVertices<'a> {
    access: TreeAccess<'a>,
    vertices: Range<usize>,
}

impl Kernel for RefitVertices<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Doubles>(self) {
        for vertex in self.vertices {
            let around = VertexBox::around::<V::Floats>(&self.access.mesh.motions()[vertex]);
            // SAFETY: nobody else uses the box meanwhile: promised to `refit_vertices`.
            unsafe { self.access.vertex_boxes.at(vertex).write(around) };
        }
    }
}

struct RefitBelow<'a> {
    access: TreeAccess<'a>,
    level: usize,
    number: usize,
}

impl Kernel for RefitBelow<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Doubles>(self) {
        let RefitBelow { access, level, number } = self;
        let leaves = access.leaves_below(level, number);
        if level == 0 {
            // SAFETY: promised to `refit_below`.
            unsafe { refit_leaf::<V::Floats>(&access, leaves.start) };
            return;
        }
        for group in leaves.start / WIDTH..leaves.end.div_ceil(WIDTH) {
            let mut rows = [Row::<V::Floats>::empty(); WIDTH];
            let first = group * WIDTH;
            let count = WIDTH.min(leaves.end - first);
            for (lane, around) in rows[..count].iter_mut().enumerate() {
                // SAFETY: promised to `refit_below`.
                *around = unsafe { refit_leaf(&access, first + lane) };
            }
            // SAFETY: a group below the box, so nobody else uses it: promised to `refit_below`.
            unsafe { store_group(&access, 0, group, &rows) };
        }
        for between in 1..level {
            let shift = 3 * (level - between);
            let boxes = (number << shift)..((number + 1) << shift).min(access.box_count(between));
            for group in boxes.start / WIDTH..boxes.end.div_ceil(WIDTH) {
                // SAFETY: as above.
                unsafe { refit_group::<V::Floats>(&access, between, group) };
            }
        }
    }
}

struct RefitGroups<'a> {
    access: TreeAccess<'a>,
    level: usize,
    groups: Range<usize>,
}

impl Kernel for RefitGroups<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Doubles>(self) {
        for group in self.groups {
            // SAFETY: promised to `refit_groups`.
            unsafe { refit_group::<V::Floats>(&self.access, self.level, group) };
        }
    }
}

/// The boxes of a leaf's features; returns the one around them.
///
/// # Safety
///
/// Nobody else uses the leaf or writes boxes of vertices.
#[inline(always)]
unsafe fn refit_leaf<F: Floats8>(access: &TreeAccess<'_>, leaf: usize) -> Row<F> {
    // SAFETY: the leaf is this thread's, and its groups are inside of its room.
    unsafe {
        let around = refit_faces::<F>(access, &mut *access.faces.at(leaf));
        let place = *access.leaves.at(leaf);
        for group in place.edges.used() {
            refit_edges::<F>(access, &mut *access.edges.at(group));
        }
        for group in place.vertices.used() {
            refit_own_vertices::<F>(access, &mut *access.vertices.at(group));
        }
        around
    }
}

/// The box of a vertex. Behind the last one there is an empty box, which numbers of lanes that are not in use lead to.
///
/// # Safety
///
/// Nobody writes boxes of vertices.
#[inline(always)]
unsafe fn row<F: Floats8>(access: &TreeAccess<'_>, vertex: u32) -> Row<F> {
    let last = access.vertex_boxes.len() - 1;
    // SAFETY: promised by the caller.
    unsafe { Row::load(&*access.vertex_boxes.at((vertex as usize).min(last))) }
}

/// # Safety
///
/// As for `row`.
#[inline(always)]
unsafe fn refit_faces<F: Floats8>(access: &TreeAccess<'_>, group: &mut FaceGroup) -> Row<F> {
    let mut rows = [Row::<F>::empty(); WIDTH];
    for (lane, around) in rows.iter_mut().enumerate() {
        let [a, b, c] = [group.corners[0][lane], group.corners[1][lane], group.corners[2][lane]];
        // SAFETY: promised by the caller.
        *around = unsafe { row(access, a).union(row(access, b)).union(row(access, c)) };
    }
    // SAFETY: the group is this thread's.
    unsafe { Row::store(&rows, group.boxes.place()) };
    Row::around(&rows)
}

/// # Safety
///
/// As for `row`.
#[inline(always)]
unsafe fn refit_edges<F: Floats8>(access: &TreeAccess<'_>, group: &mut EdgeGroup) {
    let mut rows = [Row::<F>::empty(); WIDTH];
    for (lane, around) in rows.iter_mut().enumerate() {
        // SAFETY: promised by the caller.
        *around = unsafe { row(access, group.ends[0][lane]).union(row(access, group.ends[1][lane])) };
    }
    // SAFETY: the group is this thread's.
    unsafe { Row::store(&rows, group.boxes.place()) };
}

/// # Safety
///
/// As for `row`.
#[inline(always)]
unsafe fn refit_own_vertices<F: Floats8>(access: &TreeAccess<'_>, group: &mut VertexGroup) {
    let mut rows = [Row::<F>::empty(); WIDTH];
    for (lane, around) in rows.iter_mut().enumerate() {
        // SAFETY: promised by the caller.
        *around = unsafe { row(access, group.vertices[lane]) };
    }
    // SAFETY: the group is this thread's.
    unsafe { Row::store(&rows, group.boxes.place()) };
}

/// The boxes of a group from what is below them.
///
/// # Safety
///
/// Nobody else uses the group, or writes what is below it.
#[inline(always)]
unsafe fn refit_group<F: Floats8>(access: &TreeAccess<'_>, level: usize, group: usize) {
    let first = group * WIDTH;
    let mut rows = [Row::<F>::empty(); WIDTH];
    let count = WIDTH.min(access.box_count(level) - first);
    for (lane, around) in rows[..count].iter_mut().enumerate() {
        // SAFETY: promised by the caller.
        let below = unsafe {
            if level == 0 {
                (*access.faces.at(first + lane)).boxes()
            } else {
                &*access.nodes.at(access.levels.place(level - 1) + first + lane)
            }
        };
        *around = Row::around_group(below);
    }
    // SAFETY: promised by the caller.
    unsafe { store_group(access, level, group, &rows) };
}

/// # Safety
///
/// Nobody else uses the group.
#[inline(always)]
unsafe fn store_group<F: Floats8>(
    access: &TreeAccess<'_>,
    level: usize,
    group: usize,
    rows: &[Row<F>; WIDTH],
) {
    // SAFETY: promised by the caller.
    let boxes = unsafe {
        let place = access.nodes.at(access.levels.place(level) + group);
        Row::store(rows, place);
        &*place
    };
    let count = WIDTH.min(access.box_count(level) - group * WIDTH);
    let mut costs = [TraversalCost::LEAF; WIDTH];
    if level > 0 {
        for (lane, cost) in costs[..count].iter_mut().enumerate() {
            // SAFETY: it belongs to what is below the group.
            *cost = unsafe { (*access.quality_around(level, group * WIDTH + lane)).traversal };
        }
    }
    let volumes = Volumes::new(boxes, count);
    // SAFETY: it belongs to the group.
    let quality = unsafe { &mut *access.qualities.at(access.levels.place(level) + group) };
    quality.traversal = TraversalCost::of(&volumes, &costs[..count]);
    // SAFETY: nobody writes it before the end of the refit.
    if unsafe { (*access.fit.at(0)).is_new } {
        (quality.ratio, quality.built_cost) = (volumes.ratio() as f32, quality.traversal.own);
    }
    if level == 0 {
        quality.areas = half_areas(boxes, count);
    }
}

/// Half the surfaces of the first `count` boxes, at t = 0 plus t = 1.
#[inline(always)]
fn half_areas(boxes: &BoxGroup, count: usize) -> f64 {
    let mut areas = [0.0; WIDTH];
    for end in [0, 6] {
        let planes = &boxes.planes;
        for lane in 0..WIDTH {
            let x = -(planes[end][lane] as f64 + planes[end + 3][lane] as f64);
            let y = -(planes[end + 1][lane] as f64 + planes[end + 4][lane] as f64);
            let z = -(planes[end + 2][lane] as f64 + planes[end + 5][lane] as f64);
            areas[lane] += x * y + y * z + z * x;
        }
    }
    let mut sum = 0.0;
    for area in &areas[..count] {
        sum += area;
    }
    sum
}
