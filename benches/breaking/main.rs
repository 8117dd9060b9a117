//! What breaking costs: frames in which a shell shatters, with hierarchies from scratch, by volume ratios, and by traversal costs and a grid (FASTCD paper, section 6);
//! builds by a grid against builds by medians; and how well traversal costs foretell tests.
//!
//! `cargo bench --bench breaking -- --write-docs` writes `docs/breaking.md` and its plot. `--triangles N` and `--trees N` change the sizes.

mod correlation;
mod models;
#[path = "../deformation/plot.rs"]
mod plot;
mod stopwatch;

use models::{Model, Point, Random};
use pccd::bvh::{Bvh, BvhSettings, Metric};
use pccd::detect::{MeshQuery, QuerySettings, SchedulerKind};
use pccd::memory::Memory;
use pccd::mesh::{Mesh, Split};
use pccd::schedule::{Crew, Pool};
use pccd::simd::Level;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::num::NonZeroUsize;
use stopwatch::Stopwatch;

/// How the hierarchy of the parts comes about.
struct Way {
    name: &'static str,
    settings: BvhSettings,
    from_scratch: bool,
}

const WAYS: [Way; 3] = [
    Way { name: "full rebuild", settings: BvhSettings::DEFAULT, from_scratch: true },
    Way { name: "split, volume ratio", settings: BvhSettings::DEFAULT, from_scratch: false },
    Way {
        name: "split, traversal cost, grid",
        settings: BvhSettings {
            metric: Metric::TraversalCost,
            rebuild_quality: 0.0,
            grid_limit: 512,
            ..BvhSettings::DEFAULT
        },
        from_scratch: false,
    },
];

const EVENTS: usize = 4;

#[derive(Default)]
struct Frames {
    ms: Vec<f64>,
    is_breaking: Vec<bool>,
    hashes: Vec<u64>,
    body_count: usize,
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

impl Frames {
    /// The first frame makes room for everything.
    fn median(&self) -> f64 {
        median(self.ms[1..].to_vec())
    }

    fn breaking(&self) -> Vec<f64> {
        self.ms
            .iter()
            .zip(&self.is_breaking)
            .filter(|(_, is_breaking)| **is_breaking)
            .map(|(ms, _)| *ms)
            .collect()
    }

    fn longest(&self) -> f64 {
        self.breaking().into_iter().fold(0.0, f64::max)
    }
}

struct Piece {
    mesh: Mesh,
    velocity: Point,
}

/// How much smaller a part becomes when cracks open.
const SMALLER: f64 = 0.99;

/// Opens the cracks around a part: it shrinks a little.
fn shrink(mesh: &mut Mesh) {
    let at: Vec<Point> =
        mesh.motions().iter().map(|motion| [motion.0[4], motion.0[5], motion.0[6]]).collect();
    let middle: Point =
        std::array::from_fn(|axis| at.iter().map(|point| point[axis]).sum::<f64>() / at.len() as f64);
    let smaller =
        |i: usize| std::array::from_fn(|axis| middle[axis] + SMALLER * (at[i][axis] - middle[axis]));
    mesh.set_motion(&smaller, &smaller);
}

fn shatter(way: &Way, model: &Model, frames: usize, opens: bool) -> Frames {
    let memory = Memory::new(None).expect("the system has memory");
    let crew = Crew::Pool(Pool::new(NonZeroUsize::MIN).expect("one worker needs no thread"));
    let mut bvh = Bvh::new(&memory, Level::best(), way.settings);
    let mut query = MeshQuery::new(&memory, QuerySettings::default());
    let mut pieces: BTreeMap<u64, Piece> = BTreeMap::new();
    let mut random = Random(3);
    let mut next_id = 2;
    let mesh = models::mesh(&memory, model);
    bvh.add(1, &mesh).expect("the system has memory");
    pieces.insert(1, Piece { mesh, velocity: [0.0; 3] });
    let mut result = Frames::default();
    for frame in 0..frames {
        let is_breaking =
            frame > 0 && frame % (frames / (EVENTS + 1)) == 0 && result.breaking().len() < EVENTS;
        let mut spent = 0.0;
        if is_breaking {
            for id in pieces.keys().copied().collect::<Vec<u64>>() {
                let old = pieces.remove(&id).expect("a piece");
                let (parts, part_count) = cut(&mut random, &old.mesh);
                let began = Stopwatch::start();
                let split = Split { part_count, parts: &parts, copies: &[], corners: None };
                let made = split.pieces(&memory, &crew, &old.mesh, id).expect("the split is right");
                let ids: Vec<u64> = (next_id..next_id + part_count as u64).collect();
                next_id += part_count as u64;
                if way.from_scratch {
                    bvh.remove(id);
                    for (&id, mesh) in ids.iter().zip(made.meshes.iter()) {
                        bvh.add(id, mesh).expect("the system has memory");
                    }
                } else {
                    bvh.prepare_split(&crew, id, &old.mesh, &split, &made).expect("the system has memory");
                    bvh.replace(&[id], &ids);
                }
                spent += began.seconds();
                let mut made = made.meshes;
                for &id in ids.iter().rev() {
                    let mut mesh = made.pop().expect("a mesh for each id");
                    if opens {
                        shrink(&mut mesh);
                    }
                    let first = mesh.motions()[0].0;
                    let push = random.direction();
                    let velocity = std::array::from_fn(|axis| 0.004 * (first[4 + axis] + push[axis]));
                    pieces.insert(id, Piece { mesh, velocity });
                }
            }
        }
        for piece in pieces.values_mut() {
            let points: Vec<Point> = piece
                .mesh
                .motions()
                .iter()
                .map(|motion| std::array::from_fn(|axis| motion.0[4 + axis] + piece.velocity[axis]))
                .collect();
            piece.mesh.move_to(&|i| points[i]);
        }
        let began = Stopwatch::start();
        query
            .run(&crew, SchedulerKind::Assignment, Level::best(), &mut bvh, &|id| &pieces[&id].mesh)
            .expect("the system has memory");
        spent += began.seconds();
        result.ms.push(1e3 * spent);
        result.is_breaking.push(is_breaking);
        result.hashes.push(query.hash());
    }
    result.body_count = pieces.len();
    result
}

/// By three planes through the middle.
fn cut(random: &mut Random, mesh: &Mesh) -> (Vec<u32>, usize) {
    let count = mesh.vertex_count() as f64;
    let at = |vertex: u32, axis: usize| mesh.motions()[vertex as usize].0[4 + axis];
    let middle: Point =
        std::array::from_fn(|axis| (0..mesh.vertex_count() as u32).map(|v| at(v, axis)).sum::<f64>() / count);
    let planes: [Point; 3] = std::array::from_fn(|_| random.direction());
    let side = |vertex: u32, plane: &Point| {
        (0..3).map(|axis| (at(vertex, axis) - middle[axis]) * plane[axis]).sum::<f64>() > 0.0
    };
    let mut parts: Vec<u32> = mesh
        .features()
        .triangles()
        .iter()
        .map(|t| planes.iter().fold(0, |part, plane| 2 * part + u32::from(side(t[0], plane))))
        .collect();
    let mut used = parts.clone();
    used.sort_unstable();
    used.dedup();
    parts.iter_mut().for_each(|part| *part = used.binary_search(part).expect("it is used") as u32);
    (parts, used.len())
}

/// Builds by medians and by a grid: milliseconds of the build, tests of a run within the mesh, milliseconds of that run.
fn builds(count: usize) -> String {
    let mut text = String::from(
        "| model | triangles | median ms | grid ms | times faster | median tests | grid tests | more tests | median run ms | grid run ms |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    let memory = Memory::new(None).expect("the system has memory");
    let crew = Crew::Pool(Pool::new(NonZeroUsize::MIN).expect("one worker needs no thread"));
    for model in models::all(count) {
        let mesh = models::mesh(&memory, &model);
        let measured = [0, 512].map(|grid_limit| {
            let settings =
                BvhSettings { volume_ratio: 0.0, rebuild_quality: 0.0, grid_limit, ..BvhSettings::DEFAULT };
            const ROUNDS: usize = 20;
            let mut bvh = Bvh::new(&memory, Level::best(), settings);
            let began = Stopwatch::start();
            for round in 0..ROUNDS {
                if round > 0 {
                    bvh.remove(1);
                }
                bvh.add(1, &mesh).expect("the system has memory");
            }
            let build = 1e3 * began.seconds() / ROUNDS as f64;
            let mut query = MeshQuery::new(&memory, QuerySettings::default());
            let began = Stopwatch::start();
            for _ in 0..ROUNDS {
                query
                    .run(&crew, SchedulerKind::Assignment, Level::best(), &mut bvh, &|_| &mesh)
                    .expect("the system has memory");
            }
            let run = 1e3 * began.seconds() / ROUNDS as f64;
            let tests = query.stats().node_pairs;
            (build, tests, run)
        });
        let [(median, median_tests, median_run), (grid, grid_tests, grid_run)] = measured;
        writeln!(
            text,
            "| {} | {} | {median:.2} | {grid:.2} | {:.2} | {median_tests} | {grid_tests} | {:.1} % | {median_run:.2} | {grid_run:.2} |",
            model.name,
            model.triangles.len(),
            median / grid,
            100.0 * (grid_tests as f64 / median_tests as f64 - 1.0)
        )
        .expect("a string takes everything");
    }
    text
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let value = |name: &str, default: usize| {
        let place = arguments.iter().position(|argument| argument == name);
        place.map_or(default, |place| arguments[place + 1].parse().expect("a number"))
    };
    // Without `--bench` this is a test of the benchmark itself.
    let [triangles, frames, trees, placements, of_model] =
        if has("--bench") { [252_000, 100, 500, 100, 2000] } else { [2000, 20, 5, 2, 300] };
    let (triangles, frames) = (value("--triangles", triangles), value("--frames", frames));
    let (trees, placements) = (value("--trees", trees), value("--placements", placements));

    let model = models::shell(triangles);
    let mut text = String::from(
        "| hierarchy | cracks | median frame ms | median breaking frame ms | longest breaking frame ms | longest / median |\n|---|---|---:|---:|---:|---:|\n",
    );
    let mut results: Vec<Frames> = Vec::new();
    // Those with open cracks are the ones that are plotted.
    for (way, opens) in [false, true].into_iter().flat_map(|opens| WAYS.iter().map(move |way| (way, opens))) {
        let result = shatter(way, &model, frames, opens);
        if opens && results.len() == WAYS.len() {
            results.clear();
        }
        writeln!(
            text,
            "| {} | {} | {:.2} | {:.2} | {:.2} | {:.2} |",
            way.name,
            if opens { "open" } else { "closed" },
            result.median(),
            median(result.breaking()),
            result.longest(),
            result.longest() / result.median()
        )
        .expect("a string takes everything");
        results.push(result);
        let hashes = results.iter().map(|result| &result.hashes);
        assert!(
            hashes.clone().all(|of_way| *of_way == results[0].hashes),
            "contacts depend on the hierarchy"
        );
    }
    println!("{} triangles, {} bodies at the end\n\n{text}", model.triangles.len(), results[0].body_count);
    let build_table = builds(triangles / 4);
    println!("{build_table}");
    let mut correlation_table = String::from("| model | triangles | TC_S | TC_I |\n|---|---:|---:|---:|\n");
    let correlations = correlation::measure(of_model, trees, placements);
    for it in &correlations {
        writeln!(
            correlation_table,
            "| {} | {} | {:.2} | {:.2} |",
            it.name, it.triangle_count, it.own, it.inter
        )
        .expect("a string takes everything");
    }
    let mean = |of: &dyn Fn(&correlation::Correlation) -> f64| {
        correlations.iter().map(of).sum::<f64>() / correlations.len() as f64
    };
    writeln!(correlation_table, "| **mean** | | {:.2} | {:.2} |", mean(&|it| it.own), mean(&|it| it.inter))
        .expect("a string takes everything");
    println!("{correlation_table}");
    if has("--write-docs") {
        write_docs(&model, frames, &results, [&text, &build_table, &correlation_table], [trees, placements]);
    }
}

fn write_docs(
    model: &Model,
    frames: usize,
    results: &[Frames],
    tables: [&str; 3],
    [trees, placements]: [usize; 2],
) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let lines: Vec<plot::Line<'_>> = WAYS
        .iter()
        .zip(results)
        .map(|(way, result)| plot::Line { name: way.name, values: &result.ms[1..] })
        .collect();
    let title = format!("A shell of {} triangles shatters", model.triangles.len());
    let [stability, builds, correlation] = tables;
    let page = format!(
        "# Breaking bodies\n\n\
         A shell of {} triangles shatters at {EVENTS} of {frames} frames, into {} bodies at last. The time of a frame is that of splitting the meshes, of bringing the hierarchy up to \
         date and of finding\nall contacts. One thread, whose time on the processor is measured. All ways find the same contacts, bit for bit; the benchmark fails if not.\n\n\
         - *Full rebuild:* the trees of all parts are built from scratch, by medians.\n\
         - *Split, volume ratio:* parts keep the order of their triangles but for runs of 512, which are sorted; nodes are sorted anew by their volume ratio. This is the default.\n\
         - *Split, traversal cost, grid:* nodes are sorted anew by their expected cost, and trees are built by a grid.\n\n\
         Right after a split, the parts touch each other all along their cracks, and each of these contacts is found (*closed*). In the other rows every part is made smaller by 1 % as it \
         breaks off (*open*), which is\nwhat a simulation does that keeps bodies apart, and what the plot shows.\n\n\
         ![Time per frame](breaking.svg)\n\n{stability}\n\
         ## Builds by medians and by a grid\n\nTests are pairs of nodes that were compared in a run within the mesh. The grid goes down to 512 triangles a cell. Means of 20.\n\n{builds}\n\
         ## Do traversal costs foretell tests?\n\nCorrelation of the cost of the root with the number of pairs of nodes compared, over {trees} random trees of each model, for a mesh with \
         itself (TC_S) and with\nanother one (TC_I; mean over {placements} random places). The FASTCD paper, with other models and binary trees, tells 0.48 and 0.71.\n\n{correlation}\n\
         ## What to choose\n\nThe order that parts inherit is good at large. Runs of 512 triangles are sorted, because leaves have to end where the mesh was cut: without \
         that, all frames after a\nsplit took 30 % longer. A grid saves little time against medians here, and its trees take more tests: it is off by default.\n\n\
         To repeat: `cargo bench --bench breaking -- --write-docs`.\n",
        model.triangles.len(),
        results[0].body_count
    );
    std::fs::write(
        folder.join("breaking.svg"),
        plot::plot(&title, "frame", "ms per frame, one thread", &lines),
    )
    .expect("docs can be written");
    std::fs::write(folder.join("breaking.md"), page).expect("docs can be written");
}
