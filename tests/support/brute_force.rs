//! Every pair of features, each given to the elementary test. No box, no tree, no shortcut.

use super::contacts;
use super::detector::Detector;
use super::scene::{Body, Point, Scene};
use pccd::detect::{Contact, QuerySettings};
use pccd::elementary::{Kind, Query, Settings};
use pccd::simd::Level;
use std::collections::BTreeMap;

/// Vertices and edges of a body that triangles have, each with the smallest triangle that has it.
pub struct Features {
    pub vertices: BTreeMap<u32, u32>,
    /// By their ends, the smaller first.
    pub edges: BTreeMap<[u32; 2], u32>,
}

impl Features {
    pub fn new(triangles: &[[u32; 3]]) -> Features {
        let mut features = Features { vertices: BTreeMap::new(), edges: BTreeMap::new() };
        for (triangle, &[a, b, c]) in triangles.iter().enumerate() {
            for vertex in [a, b, c] {
                features.vertices.entry(vertex).or_insert(triangle as u32);
            }
            for (from, to) in [(a, b), (b, c), (c, a)] {
                if from != to {
                    features.edges.entry([from.min(to), from.max(to)]).or_insert(triangle as u32);
                }
            }
        }
        features
    }
}

/// Whether contacts between two bodies, or of a body with itself, are asked for.
pub fn is_wanted(query: &QuerySettings, a: &Body, b: &Body) -> bool {
    if a.id == b.id {
        return query.within_meshes && a.settings.self_collision;
    }
    let (a, b) = (&a.settings, &b.settings);
    query.between_meshes && a.mask & b.category != 0 && b.mask & a.category != 0
}

/// Whether features of two bodies have a vertex in common, so that they always touch.
pub fn share_a_vertex(a: &Body, first: &[u32], b: &Body, second: &[u32]) -> bool {
    a.id == b.id && first.iter().any(|vertex| second.contains(vertex))
}

/// All contacts of one step of a scene, sorted.
pub fn all_contacts(level: Level, scene: &Scene, step: usize) -> Vec<Contact> {
    let features: Vec<Features> = scene.bodies.iter().map(|body| Features::new(&body.triangles)).collect();
    let mut found = Vec::new();
    let mut detector = Detector::new();
    for (a, features_a) in scene.bodies.iter().zip(&features) {
        for (b, features_b) in scene.bodies.iter().zip(&features) {
            if !is_wanted(&scene.query, a, b) {
                continue;
            }
            let mut pairs =
                Pairs { level, settings: settings_of(scene, a, b), a, b, step, found: &mut found };
            pairs.vertices_and_faces(&mut detector, features_a);
            if a.id <= b.id {
                pairs.edges(&mut detector, features_a, features_b);
            }
        }
    }
    contacts::sort(&mut found);
    found
}

fn settings_of(scene: &Scene, a: &Body, b: &Body) -> Settings {
    let thickness = a.settings.thickness + b.settings.thickness;
    let mut settings = scene.query.elementary;
    settings.min_separation += thickness;
    settings
}

/// Pairs with the first feature in body `a` and the second in body `b`.
struct Pairs<'a> {
    level: Level,
    settings: Settings,
    a: &'a Body,
    b: &'a Body,
    step: usize,
    found: &'a mut Vec<Contact>,
}

impl Pairs<'_> {
    fn vertices_and_faces(&mut self, detector: &mut Detector, features_a: &Features) {
        let mut pairs = Vec::new();
        for (&vertex, &triangle_a) in &features_a.vertices {
            for (triangle_b, face) in self.b.triangles.iter().enumerate() {
                if !share_a_vertex(self.a, &[vertex], self.b, face) {
                    let [f0, f1, f2] = *face;
                    pairs.push(([vertex, f0, f1, f2], [triangle_a, triangle_b as u32]));
                }
            }
        }
        self.decide(detector, Kind::VertexFace, &pairs);
    }

    fn edges(&mut self, detector: &mut Detector, features_a: &Features, features_b: &Features) {
        let mut pairs = Vec::new();
        for (first, &triangle_a) in &features_a.edges {
            for (second, &triangle_b) in &features_b.edges {
                let is_repeated = self.a.id == self.b.id && first >= second;
                if !is_repeated && !share_a_vertex(self.a, first, self.b, second) {
                    pairs.push(([first[0], first[1], second[0], second[1]], [triangle_a, triangle_b]));
                }
            }
        }
        self.decide(detector, Kind::EdgeEdge, &pairs);
    }

    fn decide(&mut self, detector: &mut Detector, kind: Kind, pairs: &[([u32; 4], [u32; 2])]) {
        for pairs in pairs.chunks(2048) {
            let queries: Vec<Query> = pairs.iter().map(|(vertices, _)| self.query(kind, *vertices)).collect();
            let answers = detector.run(self.level, kind, &queries, &self.settings);
            for (&(vertices, triangles), hit) in pairs.iter().zip(answers) {
                let Some(hit) = hit else { continue };
                self.found.push(Contact {
                    mesh_a: self.a.id,
                    mesh_b: self.b.id,
                    kind,
                    flags: if hit.at_start { pccd::detect::AT_START } else { 0 },
                    vertices,
                    triangles,
                    toi_lower: hit.toi_lower,
                    toi_upper: hit.toi_upper,
                    weights: hit.weights,
                    normal: hit.normal,
                });
            }
        }
    }

    fn query(&self, kind: Kind, vertices: [u32; 4]) -> Query {
        points(self.a, self.b, self.step, kind, vertices).as_flattened().try_into().expect("eight points")
    }
}

/// The four points of a pair at t = 0, then at t = 1.
pub fn points(a: &Body, b: &Body, step: usize, kind: Kind, vertices: [u32; 4]) -> [Point; 8] {
    let of_a = first_vertices(kind);
    std::array::from_fn(|i| {
        let body = if i % 4 < of_a { a } else { b };
        body.frames[step + i / 4][vertices[i % 4] as usize]
    })
}

/// How many of the four vertices belong to the first feature.
pub fn first_vertices(kind: Kind) -> usize {
    match kind {
        Kind::VertexFace => 1,
        Kind::EdgeEdge => 2,
    }
}

/// Says what is wrong with a pair that a query names: features that aren't there, the wrong triangles or orientation,
/// or a pair that wasn't asked for.
pub fn check_pair(
    scene: &Scene,
    features: &BTreeMap<u64, Features>,
    contact: &Contact,
) -> Result<(), String> {
    let (a, b) = (scene.body(contact.mesh_a), scene.body(contact.mesh_b));
    let [v0, v1, v2, v3] = contact.vertices;
    let (first, second) = contact.vertices.split_at(first_vertices(contact.kind));
    let triangles = match contact.kind {
        Kind::VertexFace => {
            let face = b.triangles.get(contact.triangles[1] as usize);
            let is_face = face == Some(&[v1, v2, v3]);
            [features[&a.id].vertices.get(&v0).copied(), is_face.then_some(contact.triangles[1])]
        }
        Kind::EdgeEdge => {
            if (a.id, [v0, v1]) >= (b.id, [v2, v3]) {
                return Err(format!("edges in the wrong order: {contact:?}"));
            }
            let triangle = |body: &Body, edge| features[&body.id].edges.get(&edge).copied();
            [triangle(a, [v0, v1]), triangle(b, [v2, v3])]
        }
    };
    if triangles != contact.triangles.map(Some) {
        return Err(format!("no such features, or not of these triangles ({triangles:?}): {contact:?}"));
    }
    if !is_wanted(&scene.query, a, b) || share_a_vertex(a, first, b, second) {
        return Err(format!("not asked for: {contact:?}"));
    }
    Ok(())
}
