//! Whether a hierarchy is what it says it is. For tests, after whatever was done to it.

use super::{Body, Bvh, Group, MeshOf, MovingBox, Tree, WIDTH};
use crate::mesh::{Mesh, NO_EDGE, NO_TRIANGLE};

/// The problem, if there is one.
type Verdict = Result<(), String>;

fn must(holds: bool, problem: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(problem()) }
}

/// What the box says; the rest of it means nothing.
fn planes(moving_box: &MovingBox) -> [f32; 12] {
    std::array::from_fn(|plane| moving_box.0[plane])
}

fn around(mesh: &Mesh, vertices: &[u32]) -> MovingBox {
    vertices.iter().fold(MovingBox::EMPTY, |union, &vertex| {
        let [x0, y0, z0, _, x1, y1, z1, _] = mesh.motions()[vertex as usize].0;
        union.union(&MovingBox::around([x0, y0, z0], [x1, y1, z1]))
    })
}

/// Every number from 0 on that is wanted is there once.
fn check_owners(what: &str, mut found: Vec<u32>, wanted: impl Iterator<Item = u32>) -> Verdict {
    found.sort_unstable();
    must(found.into_iter().eq(wanted), || format!("{what}: not every one is in exactly one leaf"))
}

impl Tree {
    /// Every feature is in one leaf, which has a triangle with it, and, if the tree is up to date with the mesh, all boxes are right.
    pub fn validate(&self, mesh: &Mesh) -> Verdict {
        let is_fitted = self.version() == mesh.version();
        let features = mesh.features();
        let leaf_count = self.levels.leaf_count();
        must(leaf_count == mesh.triangle_count().div_ceil(WIDTH) && self.faces.len() == leaf_count, || {
            format!("{leaf_count} leaves for {} triangles", mesh.triangle_count())
        })?;
        let [mut triangles, mut edges, mut vertices] = [const { Vec::new() }; 3];
        let mut end = (0, 0);
        for leaf in 0..leaf_count {
            self.validate_leaf(mesh, leaf, is_fitted)?;
            let faces = self.faces(leaf);
            triangles.extend_from_slice(&faces.triangles[..faces.count()]);
            self.edges(leaf)
                .1
                .iter()
                .for_each(|group| edges.extend_from_slice(&group.edges[..group.count()]));
            let groups = self.vertices(leaf).1.iter();
            groups.for_each(|group| vertices.extend_from_slice(&group.vertices[..group.count()]));
            let places = self.leaves[leaf];
            must((places.edges.first as usize, places.vertices.first as usize) == end, || {
                format!("leaf {leaf}: its groups do not begin where those of the one before end")
            })?;
            for place in [places.edges, places.vertices] {
                must(place.used().end <= place.end(), || format!("leaf {leaf}: more groups than room"))?;
            }
            end = (places.edges.end(), places.vertices.end());
        }
        must(end == (self.edges.len(), self.vertices.len()), || "groups that belong to no leaf".into())?;
        check_owners("triangles", triangles, 0..mesh.triangle_count() as u32)?;
        check_owners("edges", edges, 0..mesh.edge_count() as u32)?;
        let has_triangle = |vertex: &u32| features.triangle_of_vertices()[*vertex as usize] != NO_TRIANGLE;
        check_owners("vertices", vertices, (0..mesh.vertex_count() as u32).filter(has_triangle))?;
        for level in (1..self.level_count()).filter(|_| is_fitted) {
            for number in 0..self.box_count(level) {
                let below = self.group(level - 1, number).bounds();
                let here = self.group(level, number / WIDTH).get(number % WIDTH);
                must(planes(&here) == planes(&below), || {
                    format!("box {number} of level {level} is not around those below it")
                })?;
            }
        }
        Ok(())
    }

    fn validate_leaf(&self, mesh: &Mesh, leaf: usize, is_fitted: bool) -> Verdict {
        let features = mesh.features();
        let faces = self.faces(leaf);
        let fits = |boxes: &dyn Fn() -> MovingBox, vertices: &[u32]| {
            !is_fitted || planes(&boxes()) == planes(&around(mesh, vertices))
        };
        let (mut own_vertices, mut own_edges) = (Vec::new(), Vec::new());
        for lane in 0..faces.count() {
            let triangle = faces.triangles[lane] as usize;
            let corners = faces.corners.map(|corner| corner[lane]);
            must(features.triangles().get(triangle) == Some(&corners), || {
                format!("leaf {leaf}: triangle {triangle} has the corners {corners:?}")
            })?;
            must(fits(&|| faces.boxes().get(lane), &corners), || {
                format!("leaf {leaf}: the box of triangle {triangle}")
            })?;
            own_vertices.extend(corners);
            let edges = features.edges_of_triangles()[triangle];
            own_edges.extend(edges.into_iter().filter(|&edge| edge != NO_EDGE));
        }
        let here = || self.group(0, leaf / WIDTH).get(leaf % WIDTH);
        must(fits(&here, &own_vertices), || format!("the box of leaf {leaf}"))?;
        for group in self.edges(leaf).1 {
            must(group.count() > 0, || format!("leaf {leaf}: a group without edges"))?;
            for lane in 0..group.count() {
                let (edge, ends) = (group.edges[lane], group.ends.map(|end| end[lane]));
                let is_right = own_edges.contains(&edge)
                    && features.edges()[edge as usize].ends == ends
                    && fits(&|| group.boxes().get(lane), &ends);
                must(is_right, || format!("leaf {leaf}: edge {edge} between {ends:?}"))?;
            }
        }
        for group in self.vertices(leaf).1 {
            must(group.count() > 0, || format!("leaf {leaf}: a group without vertices"))?;
            for lane in 0..group.count() {
                let vertex = group.vertices[lane];
                let is_right = own_vertices.contains(&vertex) && fits(&|| group.boxes().get(lane), &[vertex]);
                must(is_right, || format!("leaf {leaf}: vertex {vertex}"))?;
            }
        }
        Ok(())
    }
}

impl Bvh {
    /// Whether all trees are right. Boxes of meshes that have moved since are not looked at.
    pub fn validate(&self, mesh_of: MeshOf<'_>) -> Verdict {
        let is_sorted = self.bodies.windows(2).all(|pair| pair[0].id < pair[1].id);
        must(is_sorted, || "meshes are not sorted by id".into())?;
        let waiting = self.prepared.len() + self.arriving.len() + self.moving.len();
        must(waiting == 0, || "trees are left that nobody took".into())?;
        self.body_tree.validate(&mut self.bodies.iter().map(|body| body.node))?;
        for Body { id, tree, triangle_count, .. } in self.bodies.iter() {
            let mesh = mesh_of(*id);
            must(*triangle_count == mesh.triangle_count(), || {
                format!("mesh {id:#x}: {triangle_count} triangles")
            })?;
            tree.validate(mesh).map_err(|problem| format!("mesh {id:#x}: {problem}"))?;
        }
        Ok(())
    }
}
