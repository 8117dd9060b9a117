//! Runs a check on many scenes, on all cores, and tells how to repeat what failed.

use super::scene::Scene;
use super::scenes::SORTS;
use pccd::detect::Contact;
use pccd::elementary::Kind;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What there was to find in a scene.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    pub scenes: usize,
    pub triangles: usize,
    pub vertex_face: usize,
    pub edge_edge: usize,
    pub at_start: usize,
    pub between: usize,
    /// Scenes with a contact.
    pub touching: usize,
    /// Scenes with a minimum separation or a thickness.
    pub separated: usize,
}

impl Outcome {
    pub fn of(scene: &Scene, contacts: &[Contact]) -> Outcome {
        let count = |wanted: &dyn Fn(&Contact) -> bool| contacts.iter().filter(|c| wanted(c)).count();
        let thick = scene.bodies.iter().any(|body| body.settings.thickness > 0.0);
        Outcome {
            scenes: 1,
            triangles: scene.triangle_count(),
            vertex_face: count(&|c| c.kind == Kind::VertexFace),
            edge_edge: count(&|c| c.kind == Kind::EdgeEdge),
            at_start: count(&|c| c.at_start()),
            between: count(&|c| c.mesh_a != c.mesh_b),
            touching: usize::from(!contacts.is_empty()),
            separated: usize::from(thick || scene.query.elementary.min_separation > 0.0),
        }
    }

    pub fn add(&mut self, other: &Outcome) {
        self.scenes += other.scenes;
        self.triangles += other.triangles;
        self.vertex_face += other.vertex_face;
        self.edge_edge += other.edge_edge;
        self.at_start += other.at_start;
        self.between += other.between;
        self.touching += other.touching;
        self.separated += other.separated;
    }
}

/// Outcomes by sort of scene.
#[derive(Default)]
pub struct Tally {
    sorts: BTreeMap<&'static str, Outcome>,
}

impl Tally {
    pub fn print(&self) {
        println!(
            "{:<20} {:>7} {:>9} {:>12} {:>12} {:>12} {:>12} {:>9} {:>9}",
            "scenes",
            "number",
            "triangles",
            "vertex-face",
            "edge-edge",
            "at start",
            "between",
            "touching",
            "separated"
        );
        for (sort, outcome) in &self.sorts {
            println!(
                "{sort:<20} {:>7} {:>9} {:>12} {:>12} {:>12} {:>12} {:>9} {:>9}",
                outcome.scenes,
                outcome.triangles,
                outcome.vertex_face,
                outcome.edge_edge,
                outcome.at_start,
                outcome.between,
                outcome.touching,
                outcome.separated
            );
        }
    }

    /// Fails if some sort of scene has nothing to find: the comparison would prove nothing.
    pub fn require_variety(&self) {
        for sort in SORTS {
            let outcome = self.sorts.get(sort).copied().unwrap_or_default();
            // A repeated single scene, or a handful, may lack anything.
            if outcome.scenes < 50 {
                continue;
            }
            assert!(outcome.vertex_face > 0 && outcome.edge_edge > 0, "{sort}: no contacts of some kind");
            assert!(outcome.touching * 5 > outcome.scenes, "{sort}: hardly any scene has contacts");
            assert!(outcome.touching < outcome.scenes, "{sort}: every scene has contacts");
            assert!(outcome.separated > 0, "{sort}: no separation");
        }
    }
}

/// A number from the environment.
pub fn variable(name: &str, default: usize) -> usize {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")),
        Err(_) => default,
    }
}

/// Calls `check` with the seed and the numbers 0 to `count`, or with the number `PCCD_SCENE` only. Fails with all that it found wrong.
pub fn for_each_scene(
    context: &str,
    count: usize,
    tally: &mut Tally,
    check: impl Fn(u64, usize) -> Result<Outcome, String> + Sync,
) {
    let seed = variable("PCCD_SCENE_SEED", 1) as u64;
    let numbers = match std::env::var_os("PCCD_SCENE") {
        Some(_) => {
            let only = variable("PCCD_SCENE", 0);
            only..only + 1
        }
        None => 0..count,
    };
    let next = AtomicUsize::new(numbers.start);
    let failures = Mutex::new(Vec::new());
    let shared = Mutex::new(tally);
    let work = || loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= numbers.end {
            break;
        }
        let sort = SORTS[number % SORTS.len()];
        let result = catch_unwind(AssertUnwindSafe(|| check(seed, number)));
        match result.unwrap_or_else(|_| Err("a panic, see above".into())) {
            Ok(outcome) => shared.lock().unwrap().sorts.entry(sort).or_default().add(&outcome),
            Err(problem) => failures.lock().unwrap().push((number, format!("{sort}: {problem}"))),
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(work);
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    let shown: Vec<String> = failures
        .iter()
        .take(10)
        .map(|(number, problem)| format!("PCCD_SCENE_SEED={seed} PCCD_SCENE={number}: {problem}"))
        .collect();
    let total = numbers.len();
    assert!(
        failures.is_empty(),
        "{context}: {} of {total} scenes fail\n{}",
        failures.len(),
        shown.join("\n")
    );
}
