//! `pccd-peer-parry FOLDER REPEAT`: how long parry3d takes to find the candidates within a deforming mesh.
//!
//! The folder holds `start` and `end` (three little-endian doubles a vertex) and `triangles` (three u32 a triangle).
//! The tree is built over the triangles at t=0; each repetition gives every leaf the box of its triangle's whole
//! motion, refits, and collects what overlaps: pairs of triangles, which is all that the tree knows, and then also the pairs of
//! features with overlapping boxes, each once, which is what elementary tests need. Prints both as JSON.

use parry3d::bounding_volume::Aabb;
use parry3d::math::Vector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, repeat] = &arguments[..] else { return Err("usage: pccd-peer-parry FOLDER REPEAT".into()) };
    let mesh = Mesh::read(Path::new(folder))?;
    let repeat: usize = repeat.parse()?;

    let at_start =
        mesh.triangles.iter().map(|vertices| bound(vertices.iter().map(|&v| mesh.start[v as usize])));
    let mut tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &at_start.collect::<Vec<_>>());
    let mut workspace = BvhWorkspace::default();
    let owned = mesh.owned_features();
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    let mut features: Vec<(u32, u32)> = Vec::new();
    let mut best = [f64::INFINITY; 3];
    for _ in 0..repeat {
        let begin = Instant::now();
        for (triangle, vertices) in mesh.triangles.iter().enumerate() {
            tree.insert_or_update_partially(mesh.swept(vertices), triangle as u32, 0.0);
        }
        tree.refit_without_opt();
        let refitted = Instant::now();
        pairs.clear();
        tree.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |a, b| pairs.push((a, b)));
        let traversed = Instant::now();
        features.clear();
        mesh.feature_pairs(&owned, &pairs, &mut features);
        let ms = |from: Instant, to: Instant| 1e3 * (to - from).as_secs_f64();
        let times = [ms(begin, refitted), ms(begin, traversed), ms(begin, Instant::now())];
        best.iter_mut().zip(times).for_each(|(best, time)| *best = best.min(time));
    }
    println!(
        r#"{{"ms_refit": {}, "ms_triangle_pairs": {}, "ms_feature_pairs": {}, "triangle_pairs": {}, "feature_pairs": {}}}"#,
        best[0],
        best[1],
        best[2],
        pairs.len(),
        features.len()
    );
    Ok(())
}

struct Mesh {
    start: Vec<Vector>,
    end: Vec<Vector>,
    triangles: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
    /// The edges of each triangle.
    sides: Vec<[u32; 3]>,
}

/// Which vertices and edges of each triangle are its own: bits by corner, so that no feature is met twice.
struct Owned {
    vertices: Vec<[bool; 3]>,
    edges: Vec<[bool; 3]>,
}

impl Mesh {
    fn read(folder: &Path) -> Result<Mesh, Box<dyn Error>> {
        let positions = |name: &str| -> Result<Vec<Vector>, Box<dyn Error>> {
            let bytes = fs::read(folder.join(name))?;
            let numbers: Vec<f32> =
                bytes.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap()) as f32).collect();
            Ok(numbers.chunks_exact(3).map(|p| Vector::new(p[0], p[1], p[2])).collect())
        };
        let bytes = fs::read(folder.join("triangles"))?;
        let indices: Vec<u32> =
            bytes.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect();
        let triangles: Vec<[u32; 3]> = indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
        let mut index_of = HashMap::new();
        let mut edges = Vec::new();
        let mut side = |a: u32, b: u32| {
            let edge = [a.min(b), a.max(b)];
            *index_of.entry(edge).or_insert_with(|| {
                edges.push(edge);
                edges.len() as u32 - 1
            })
        };
        let sides = triangles.iter().map(|&[a, b, c]| [side(a, b), side(b, c), side(c, a)]).collect();
        Ok(Mesh { start: positions("start")?, end: positions("end")?, triangles, edges, sides })
    }

    /// The box of a whole motion.
    fn swept(&self, vertices: &[u32]) -> Aabb {
        bound(vertices.iter().flat_map(|&v| [self.start[v as usize], self.end[v as usize]]))
    }

    fn owned_features(&self) -> Owned {
        let mut vertex_taken = vec![false; self.start.len()];
        let mut edge_taken = vec![false; self.edges.len()];
        let take =
            |taken: &mut Vec<bool>, feature: u32| !std::mem::replace(&mut taken[feature as usize], true);
        Owned {
            vertices: self.triangles.iter().map(|t| t.map(|v| take(&mut vertex_taken, v))).collect(),
            edges: self.sides.iter().map(|s| s.map(|e| take(&mut edge_taken, e))).collect(),
        }
    }

    /// Vertex-face and edge-edge pairs of triangle pairs: those that share no vertex and whose boxes overlap.
    fn feature_pairs(&self, owned: &Owned, pairs: &[(u32, u32)], found: &mut Vec<(u32, u32)>) {
        for &(a, b) in pairs {
            for (a, b) in [(a as usize, b as usize), (b as usize, a as usize)] {
                let face = self.swept(&self.triangles[b]);
                for (&vertex, own) in self.triangles[a].iter().zip(owned.vertices[a]) {
                    let shared = self.triangles[b].contains(&vertex);
                    if own && !shared && overlap(&self.swept(&[vertex]), &face) {
                        found.push((vertex, b as u32));
                    }
                }
            }
            let (a, b) = (a as usize, b as usize);
            let boxes = self.sides[b].map(|edge| self.swept(&self.edges[edge as usize]));
            for (&first, own) in self.sides[a].iter().zip(owned.edges[a]) {
                if !own {
                    continue;
                }
                let [p, q] = self.edges[first as usize];
                let bounds = self.swept(&[p, q]);
                for ((&second, own), other) in self.sides[b].iter().zip(owned.edges[b]).zip(&boxes) {
                    let [r, s] = self.edges[second as usize];
                    let shared = p == r || p == s || q == r || q == s;
                    if own && !shared && overlap(&bounds, other) {
                        found.push((first, second));
                    }
                }
            }
        }
    }
}

fn bound(points: impl Iterator<Item = Vector>) -> Aabb {
    let mut bounds = Aabb::new_invalid();
    points.for_each(|point| bounds.take_point(point));
    bounds
}

fn overlap(a: &Aabb, b: &Aabb) -> bool {
    a.mins.cmple(b.maxs).all() && b.mins.cmple(a.maxs).all()
}
