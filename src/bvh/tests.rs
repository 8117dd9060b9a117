//! Trees as a whole: refits and rebuilds, in parts and at once.

use super::rows::VertexBox;
use super::*;
use crate::memory::counting::Counting;
use crate::mesh::MeshSettings;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const SETTINGS: MeshSettings = MeshSettings { thickness: 0.0, category: 1, mask: 1, self_collision: true };

type Point = [f64; 3];

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }

    fn below(&mut self, limit: usize) -> usize {
        self.next() as usize % limit
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() as f64 / (1u64 << 31) as f64)
    }
}

/// A sheet in the plane z = 0, with some triangles more that are odd.
fn sheet(memory: &Memory, columns: usize, rows: usize) -> Mesh {
    let corner = |column: usize, row: usize| (row * (columns + 1) + column) as u32;
    let mut triangles = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let [a, b] = [corner(column, row), corner(column + 1, row)];
            let [c, d] = [corner(column, row + 1), corner(column + 1, row + 1)];
            triangles.extend([[a, b, c], [b, d, c]]);
        }
    }
    // one that has no area, one with a point for an edge, one that is there twice, one that joins far ends
    triangles.extend([[0, 1, 2], [3, 3, 4], [0, 1, columns as u32 + 1], [0, 5, corner(columns, rows)]]);
    // the last vertex is nobody's
    let count = (columns + 1) * (rows + 1) + 1;
    let position = |i: usize| [(i % (columns + 1)) as f64, (i / (columns + 1)) as f64, 0.0];
    Mesh::new(memory, SETTINGS, count, &position, triangles.len(), &|i| triangles[i]).unwrap()
}

/// Moves every vertex somewhere; what was close stays rather close.
fn crumple(mesh: &mut Mesh, random: &mut Random) {
    let waves: [[f64; 3]; 3] = std::array::from_fn(|_| std::array::from_fn(|_| random.between(-0.4, 0.4)));
    let old: Vec<[f64; 8]> = mesh.motions().iter().map(|motion| motion.0).collect();
    let moved = |[x, y, z]: Point, random: &mut Random| -> Point {
        std::array::from_fn(|axis| {
            let [a, b, c] = waves[axis];
            let wave = 4.0 * (a * x + b * y + c * z).sin();
            [x, y, z][axis] + wave + random.between(-0.2, 0.2)
        })
    };
    let ends: Vec<Point> = old.iter().map(|old| moved([old[4], old[5], old[6]], random)).collect();
    mesh.move_to(&|i| ends[i]);
}

fn memory() -> Memory {
    Memory::new(None).unwrap()
}

fn tree(mesh: &Mesh) -> Tree {
    Tree::new(&memory(), Level::best(), mesh, &mut Workspace::new(&memory())).unwrap()
}

/// Everything that there is in a tree, as bits.
fn bits(tree: &Tree) -> Vec<u32> {
    let mut bits = Vec::new();
    fn add(bits: &mut Vec<u32>, boxes: &BoxGroup) {
        bits.extend(boxes.planes.iter().flatten().map(|x| x.to_bits()));
    }
    for group in tree.nodes.iter() {
        add(&mut bits, group);
    }
    for leaf in 0..tree.faces.len() {
        let faces = tree.faces(leaf);
        add(&mut bits, faces.boxes());
        bits.extend(faces.corners.iter().flatten().chain(&faces.triangles));
        for group in tree.edges(leaf).1 {
            add(&mut bits, group.boxes());
            bits.extend(group.ends.iter().flatten().chain(&group.edges));
        }
        for group in tree.vertices(leaf).1 {
            add(&mut bits, group.boxes());
            bits.extend(group.vertices.iter());
        }
    }
    let halves = |number: f64| [number.to_bits() as u32, (number.to_bits() >> 32) as u32];
    bits.extend(tree.qualities.iter().flat_map(|quality| halves(quality.areas)));
    bits.extend(tree.qualities.iter().map(|quality| quality.ratio.to_bits()));
    bits.extend(halves(tree.fit.cost));
    bits
}

/// Features of a leaf: triangles, edges, vertices.
fn owned(tree: &Tree, leaves: std::ops::Range<usize>) -> [Vec<u32>; 3] {
    let mut owned = [const { Vec::new() }; 3];
    for leaf in leaves {
        let faces = tree.faces(leaf);
        owned[0].extend_from_slice(&faces.triangles[..faces.count()]);
        for group in tree.edges(leaf).1 {
            owned[1].extend_from_slice(&group.edges[..group.count()]);
        }
        for group in tree.vertices(leaf).1 {
            owned[2].extend_from_slice(&group.vertices[..group.count()]);
        }
    }
    owned.iter_mut().for_each(|numbers| numbers.sort());
    owned
}

fn check(tree: &Tree, mesh: &Mesh) {
    tree.validate(mesh).unwrap();
}

#[test]
fn every_level_refits_to_the_same_bits() {
    for (columns, rows) in [(2, 1), (3, 2), (13, 7), (40, 31)] {
        let mut random = Random(1);
        let mut mesh = sheet(&memory(), columns, rows);
        crumple(&mut mesh, &mut random);
        let mut trees = Level::ALL.map(|_| tree(&mesh));
        crumple(&mut mesh, &mut random);
        for (tree, level) in trees.iter_mut().zip(Level::ALL).filter(|(_, level)| level.is_supported()) {
            tree.refit(level, &mesh);
        }
        check(&trees[0], &mesh);
        let expected = bits(&trees[0]);
        for (tree, level) in trees.iter().zip(Level::ALL).filter(|(_, level)| level.is_supported()) {
            assert!(bits(tree) == expected, "{level:?}");
        }
    }
}

#[test]
fn a_refit_in_parts_gives_the_bits_of_one_at_once() {
    let mut random = Random(2);
    let mut mesh = sheet(&memory(), 50, 33);
    let (mut whole, mut parts) = (tree(&mesh), tree(&mesh));
    for level in 0..whole.level_count() {
        crumple(&mut mesh, &mut random);
        whole.refit(Level::best(), &mesh);
        let simd = Level::best();
        let access = parts.shared(simd, &mesh);
        // in pieces of some length, and from the last box to the first
        let step = 1 + random.below(300);
        for first in (0..mesh.vertex_count()).step_by(step) {
            // SAFETY: only this thread has the tree.
            unsafe { access.refit_vertices(first..mesh.vertex_count().min(first + step)) };
        }
        for number in (0..access.box_count(level)).rev() {
            // SAFETY: only this thread has the tree.
            unsafe { access.refit_below(level, number) };
        }
        // SAFETY: only this thread has the tree.
        unsafe { access.finish_refit(level) };
        assert!(bits(&parts) == bits(&whole), "cut at level {level}");
        assert_eq!(parts.quality(), whole.quality());
        assert_eq!(parts.version(), mesh.version());
    }
    check(&parts, &mesh);
}

/// Two threads at once. They are joined one by one, which sanitizers of threads understand.
fn run_two(work: &(dyn Fn(usize) + Sync)) {
    thread::scope(|scope| {
        let threads = [0, 1].map(|half| scope.spawn(move || work(half)));
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn threads_refit_at_once() {
    let mut random = Random(3);
    let mut mesh = sheet(&memory(), 61, 40);
    let (mut whole, mut parts) = (tree(&mesh), tree(&mesh));
    crumple(&mut mesh, &mut random);
    whole.refit(Level::best(), &mesh);
    let access = parts.shared(Level::best(), &mesh);
    let middle = mesh.vertex_count() / 2;
    let arrived = AtomicUsize::new(0);
    let refit = |half: usize| {
        let vertices = [0..middle, middle..mesh.vertex_count()][half].clone();
        // SAFETY: the vertices are cut in two, and the boxes by even and odd; in between, both threads wait for each other.
        unsafe {
            access.refit_vertices(vertices);
            arrived.fetch_add(1, Ordering::AcqRel);
            while arrived.load(Ordering::Acquire) < 2 {
                thread::yield_now();
            }
            for number in (half..access.box_count(1)).step_by(2) {
                access.refit_below(1, number);
            }
        }
    };
    run_two(&refit);
    // SAFETY: the threads are gone.
    unsafe { access.finish_refit(1) };
    assert!(bits(&parts) == bits(&whole));
}

#[test]
fn what_is_rebuilt_below_a_node_keeps_its_features() {
    let mut random = Random(4);
    let mut mesh = sheet(&memory(), 47, 35);
    let mut tree = tree(&mesh);
    let mut workspace = Workspace::new(&memory());
    let mut seen = [0; 3];
    for _ in 0..60 {
        if random.below(3) == 0 {
            crumple(&mut mesh, &mut random);
            tree.refit(Level::best(), &mesh);
        }
        let level = random.below(tree.level_count());
        let number = random.below(tree.box_count(level));
        let leaves = tree.levels.leaves_below(level, number);
        let elsewhere = |tree: &Tree| {
            (owned(tree, 0..leaves.start), owned(tree, leaves.end..tree.faces.len()), tree.root())
        };
        let (before, before_bits, before_elsewhere) =
            (owned(&tree, leaves.clone()), bits(&tree), elsewhere(&tree));
        let access = tree.shared(Level::best(), &mesh);
        // SAFETY: only this thread has the tree.
        let result = unsafe { access.rebuild_below(level, number, &mut workspace) };
        assert!(
            !access.is_bad(level, number, &Restructuring::VolumeRatio(0.999)),
            "it has just been rebuilt"
        );
        seen[result as usize] += 1;
        assert_eq!(owned(&tree, leaves.clone()), before);
        assert!(elsewhere(&tree) == before_elsewhere);
        if result != Rebuild::Done {
            let ratios = tree.qualities.len() + 2;
            let others = before_bits.len() - ratios;
            assert!(bits(&tree)[..others] == before_bits[..others], "not as it was");
        }
        check(&tree, &mesh);
    }
    assert_eq!(tree.node_rebuild_count(), seen[Rebuild::Done as usize]);
    assert!(seen[Rebuild::Done as usize] > 30 && seen[Rebuild::NoRoom as usize] > 0, "{seen:?}");
}

/// Sorted anew from the top, a tree is as good as a new one.
#[test]
fn a_rebuild_below_the_root_is_a_rebuild() {
    let mut random = Random(5);
    let mut mesh = sheet(&memory(), 47, 35);
    let mut tree = tree(&mesh);
    for _ in 0..4 {
        crumple(&mut mesh, &mut random);
    }
    tree.refit(Level::best(), &mesh);
    let top = tree.level_count() - 1;
    let access = tree.shared(Level::best(), &mesh);
    // SAFETY: only this thread has the tree.
    let result = unsafe { access.rebuild_below(top, 0, &mut Workspace::new(&memory())) };
    assert_eq!(result, Rebuild::Done);
    let new = self::tree(&mesh);
    assert!(tree.nodes.iter().zip(new.nodes.iter()).all(|(a, b)| a.planes == b.planes));
    assert!((0..new.faces.len()).all(|leaf| owned(&tree, leaf..leaf + 1) == owned(&new, leaf..leaf + 1)));
}

#[test]
fn threads_rebuild_at_once() {
    let mut random = Random(6);
    let mut mesh = sheet(&memory(), 90, 61);
    for round in 0..6 {
        let (mut serial, mut parallel) = (tree(&mesh), tree(&mesh));
        crumple(&mut mesh, &mut random);
        serial.refit(Level::best(), &mesh);
        parallel.refit(Level::best(), &mesh);
        // neighbours, so that their memory is, too; first all nodes of level 1, then of level 2
        let rebuild = |access: TreeAccess<'_>, half: Option<usize>| {
            let mut workspace = Workspace::new(&memory());
            for level in 1..=2 {
                let (first, step) = (half.unwrap_or(0), if half.is_some() { 2 } else { 1 });
                let twos = (first..access.box_count(2)).step_by(step);
                for two in twos {
                    let boxes = if level == 2 { two..two + 1 } else { 8 * two..8 * two + 8 };
                    for number in boxes.start..boxes.end.min(access.box_count(level)) {
                        // SAFETY: threads have different nodes of level 2, and stay below them.
                        unsafe { access.rebuild_below(level, number, &mut workspace) };
                    }
                }
            }
        };
        rebuild(serial.shared(Level::best(), &mesh), None);
        let access = parallel.shared(Level::best(), &mesh);
        run_two(&|half| rebuild(access, Some(half)));
        assert!(bits(&parallel) == bits(&serial), "round {round}");
        assert_eq!(parallel.node_rebuild_count(), serial.node_rebuild_count());
        check(&parallel, &mesh);
    }
}

#[test]
fn a_workspace_that_cannot_grow_changes_nothing() {
    let mut random = Random(7);
    let mut mesh = sheet(&memory(), 20, 20);
    let mut tree = tree(&mesh);
    crumple(&mut mesh, &mut random);
    tree.refit(Level::best(), &mesh);
    let counting = Counting::default();
    let scarce = Memory::new(Some(counting.hook())).unwrap();
    let mut workspace = Workspace::new(&scarce);
    let before = owned(&tree, 0..tree.faces.len());
    let mut refused = 0;
    loop {
        // one array more each time
        counting.limit.set(Some(counting.allocations.get() + refused.min(1)));
        let access = tree.shared(Level::best(), &mesh);
        // SAFETY: only this thread has the tree.
        let result = unsafe { access.rebuild_below(2, 0, &mut workspace) };
        check(&tree, &mesh);
        assert_eq!(owned(&tree, 0..tree.faces.len()), before);
        if result != Rebuild::NoMemory {
            break;
        }
        refused += 1;
    }
    assert_eq!(refused, 4, "triangles, bits, features and how many of them");
    // and once it has grown, it need not grow again
    counting.limit.set(Some(counting.allocations.get()));
    let access = tree.shared(Level::best(), &mesh);
    for number in 0..access.box_count(1) {
        // SAFETY: only this thread has the tree.
        let result = unsafe { access.rebuild_below(1, number, &mut workspace) };
        assert_ne!(result, Rebuild::NoMemory);
    }
}

/// Which nodes are bad, by the paper's threshold.
fn bad_nodes(tree: &mut Tree, mesh: &Mesh) -> Vec<(usize, usize)> {
    let access = tree.shared(Level::best(), mesh);
    let all =
        (0..access.level_count()).flat_map(|level| (0..access.box_count(level)).map(move |i| (level, i)));
    all.filter(|&(level, number)| access.is_bad(level, number, &Restructuring::VolumeRatio(0.9))).collect()
}

#[test]
fn bad_nodes_are_rebuilt_and_good_ones_are_not() {
    let memory = memory();
    let mut mesh = sheet(&memory, 64, 40);
    let flat: Vec<Point> = mesh.motions().iter().map(|m| [m.0[0], m.0[1], m.0[2]]).collect();
    let mut tree = tree(&mesh);
    assert!(bad_nodes(&mut tree, &mesh).is_empty(), "just built");
    // Turned, shifted, stretched, in motion, flat in another direction, or a point: it is as good as before.
    let moves: [&dyn Fn(Point) -> Point; 6] = [
        &|[x, y, z]| [x * 0.8 - y * 0.6, x * 0.6 + y * 0.8, z],
        &|[x, y, z]| [x + 3.0, y, z - 1.0],
        &|[x, y, z]| [x * 3.0, y * 3.0, z * 3.0],
        &|[x, y, _]| [0.0, x, y],
        &|[x, y, _]| [x, y, 1e-5 * (x + y).sin()],
        &|_| [1.0, 2.0, 3.0],
    ];
    for (i, moved) in moves.iter().enumerate() {
        // The sheet itself; the triangle that joins far ends is in some node, whatever is done.
        mesh.set_motion(&|v| moved(flat[v]), &|v| moved(flat[v]));
        let mut built = self::tree(&mesh);
        assert!(bad_nodes(&mut built, &mesh).is_empty(), "built after move {i}");
        mesh.set_motion(&|v| flat[v], &|v| moved(flat[v]));
        tree.refit(Level::best(), &mesh);
        if i > 0 {
            assert!(
                bad_nodes(&mut tree, &mesh).is_empty(),
                "moved by {i}: {:?}",
                bad_nodes(&mut tree, &mesh)
            );
        }
    }
    // Shuffled, nearly everything is bad. Once rebuilt it is good enough.
    let mut random = Random(8);
    let mut places: Vec<usize> = (0..flat.len()).collect();
    for i in (1..places.len()).rev() {
        // by blocks: triangles stay small, but leaves do not stay together
        let j = random.below(i + 1);
        if i % 5 == 0 {
            places.swap(i, j);
        }
    }
    mesh.set_motion(&|v| flat[places[v]], &|v| flat[places[v]]);
    tree.refit(Level::best(), &mesh);
    let bad = bad_nodes(&mut tree, &mesh);
    assert!(!bad.is_empty());
    let mut workspace = Workspace::new(&memory);
    let access = tree.shared(Level::best(), &mesh);
    for &(level, number) in bad.iter().rev() {
        // SAFETY: only this thread has the tree.
        unsafe { access.rebuild_below(level, number, &mut workspace) };
    }
    assert!(bad_nodes(&mut tree, &mesh).is_empty(), "it would be rebuilt again and again");
}

#[cfg(debug_assertions)]
#[test]
fn a_clash_is_noticed() {
    let mesh = sheet(&memory(), 30, 30);
    let mut tree = tree(&mesh);
    let access = tree.shared(Level::best(), &mesh);
    let claim = access.claims.claim(access.leaves_below(1, 1));
    let panics = |action: &(dyn Fn() + Sync)| {
        thread::scope(|scope| {
            let action = std::panic::AssertUnwindSafe(action);
            scope.spawn(move || std::panic::catch_unwind(action).is_err()).join().unwrap()
        })
    };
    // Other threads may not write above, at or below it, nor read; this one may read.
    assert!(panics(&|| drop(access.claims.claim(access.leaves_below(2, 0)))));
    assert!(panics(&|| drop(access.claims.claim(access.leaves_below(1, 1)))));
    assert!(panics(&|| drop(access.claims.claim(access.leaves_below(0, 9)))));
    assert!(panics(&|| _ = access.faces(15)));
    assert!(panics(&|| _ = access.group(0, 1)));
    assert!(!panics(&|| _ = access.faces(16)));
    assert!(access.faces(15).count() > 0);
    drop(claim);
    assert!(!panics(&|| _ = access.faces(15)));
}

#[test]
fn vertices_beyond_floats_have_boxes() {
    let vertex = crate::mesh::VertexMotion([1e300, -1e300, 1e-320, 0.0, -0.0, 0.0, -1e-320, 0.0]);
    let around = format!("{:?}", VertexBox::around::<[f32; 8]>(&vertex));
    let least = f32::from_bits(1);
    let expected = format!(
        "VertexBox {{ lower: {:?}, upper: {:?} }}",
        [f32::MAX, f32::NEG_INFINITY, 0.0, 0.0, 0.0, 0.0, -least, 0.0],
        [f32::NEG_INFINITY, f32::MAX, -least, 0.0, 0.0, 0.0, 0.0, 0.0]
    );
    assert_eq!(around, expected);
}
