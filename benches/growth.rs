//! How the time of a step grows with the size of a scene: a cloth folded over itself, finer and finer.
//!
//! `cargo bench --bench growth` prints a table for 10K, 100K and 1M triangles; `-- 10000 30000` measures these sizes instead. One
//! thread, the fastest of several runs. Layers are as far apart as triangles are long, so that a triangle meets equally many others at every size:
//! whatever grows faster than the output does, grows for no good reason.

use pccd::bvh::{Bvh, BvhSettings};
use pccd::detect::{MeshQuery, Mode, QuerySettings, QueryStats, SchedulerKind};
use pccd::elementary::Settings;
use pccd::memory::Memory;
use pccd::mesh::{Mesh, MeshSettings};
use pccd::schedule::{Crew, Pool};
use pccd::simd::Level;
use std::error::Error;
use std::num::NonZeroUsize;
use std::time::Instant;

type Point = [f64; 3];

const LAYERS: usize = 6;
const REPEAT: usize = 5;
/// Growth by more than this over that of the output isn't caches and chance any more.
const TOLERANCE: f64 = 1.5;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut sizes: Vec<usize> = Vec::new();
    for argument in arguments.iter().filter(|argument| !argument.starts_with('-')) {
        sizes.push(argument.parse().map_err(|_| format!("{argument} is no number of triangles"))?);
    }
    if sizes.is_empty() {
        // Without `--bench` this is a test of the benchmark itself.
        let measuring = arguments.iter().any(|argument| argument == "--bench");
        sizes.extend(if measuring { &[10_000, 100_000, 1_000_000][..] } else { &[1_000, 4_000] });
    }
    println!(
        "{:>9} {:>10} {:>9} | {:>9} {:>8} {:>8} {:>9} {:>8} {:>9} | {:>11} {:>12} {:>10} | {:>8}",
        "triangles",
        "candidates",
        "contacts",
        "total ms",
        "move",
        "update",
        "traverse",
        "tests",
        "sort",
        "ns/triangle",
        "ns/candidate",
        "ns/contact",
        "bytes/tr"
    );
    let mut rows = Vec::new();
    for size in sizes {
        let row = Row::measure(size)?;
        row.print();
        rows.push(row);
    }
    for pair in rows.windows(2) {
        pair[1].print_growth(&pair[0]);
    }
    if let [first, .., last] = &rows[..] {
        last.print_verdict(first);
    }
    Ok(())
}

/// A square of cloth of about `triangles` triangles in layers over each other, and the same after a ripple went through it.
struct Cloth {
    triangles: Vec<[u32; 3]>,
    start: Vec<Point>,
    end: Vec<Point>,
}

impl Cloth {
    fn new(triangles: usize) -> Cloth {
        let side = ((triangles as f64 / 2.0).sqrt().round() as usize).max(1);
        let length = 1.0 / side as f64;
        let mut cloth = Cloth { triangles: Vec::new(), start: Vec::new(), end: Vec::new() };
        for row in 0..=side {
            for column in 0..=side {
                let flat = [column as f64 * length, row as f64 * length];
                cloth.start.push(folded(flat, length, 0.0));
                cloth.end.push(folded(flat, length, 1.0));
            }
        }
        let stride = side as u32 + 1;
        for corner in
            (0..side as u32).flat_map(|row| (0..side as u32).map(move |column| row * stride + column))
        {
            let [right, up, across] = [corner + 1, corner + stride, corner + stride + 1];
            cloth.triangles.extend([[corner, right, across], [corner, across, up]]);
        }
        cloth
    }
}

/// Where a point of the flat unit square is when the cloth is folded. The ripple is higher than the layers are apart.
fn folded([x, y]: [f64; 2], length: f64, time: f64) -> Point {
    let along = x * LAYERS as f64;
    let layer = along.floor().min(LAYERS as f64 - 1.0);
    let within = along - layer;
    let across = if (layer as usize).is_multiple_of(2) { within } else { 1.0 - within };
    let (p, q) = (across / LAYERS as f64 / length, y / length);
    // The same waves per triangle at every size, other ones in every layer.
    let wave = (0.7 * p + 2.1 * layer).sin() * (0.9 * q - 1.3 * layer).cos();
    let slide = 0.3 * length * time * (layer - 2.5);
    let height = 1.2 * layer + 0.1 * (0.37 * q + layer).sin() + 1.6 * time * wave;
    [across / LAYERS as f64 + slide, y + 0.5 * slide, length * height]
}

struct Row {
    ms_total: f64,
    ms_move: f64,
    stats: QueryStats,
}

impl Row {
    fn measure(size: usize) -> Result<Row, Box<dyn Error>> {
        let cloth = Cloth::new(size);
        let failed = |error| format!("no memory: {error}");
        let memory = Memory::new(None).map_err(failed)?;
        let settings = MeshSettings { thickness: 0.0, category: 1, mask: u64::MAX, self_collision: true };
        let mut mesh = Mesh::new(
            &memory,
            settings,
            cloth.start.len(),
            &|i| cloth.start[i],
            cloth.triangles.len(),
            &|i| cloth.triangles[i],
        )
        .map_err(failed)?;
        let mut bvh = Bvh::new(&memory, Level::best(), BvhSettings::default());
        bvh.add(1, &mesh).map_err(failed)?;
        let settings = QuerySettings {
            within_meshes: true,
            between_meshes: true,
            mode: Mode::All,
            elementary: Settings::default(),
            capacity: usize::MAX,
            ..QuerySettings::default()
        };
        let mut query = MeshQuery::new(&memory, settings);
        let crew = Crew::Pool(Pool::new(NonZeroUsize::MIN).map_err(|error| error.to_string())?);
        let mut best: Option<Row> = None;
        for _ in 0..REPEAT + 2 {
            let begin = Instant::now();
            mesh.set_motion(&|i| cloth.start[i], &|i| cloth.end[i]);
            let ms_move = 1e3 * begin.elapsed().as_secs_f64();
            query
                .run(&crew, SchedulerKind::Assignment, Level::best(), &mut bvh, &|_| &mesh)
                .map_err(failed)?;
            let row = Row { ms_total: 1e3 * begin.elapsed().as_secs_f64(), ms_move, stats: *query.stats() };
            if best.as_ref().is_none_or(|best| row.ms_total < best.ms_total) {
                best = Some(row);
            }
        }
        Ok(best.ok_or("nothing measured")?)
    }

    fn triangles(&self) -> f64 {
        self.stats.triangle_count as f64
    }

    fn candidates(&self) -> f64 {
        (self.stats.candidates_vf + self.stats.candidates_ee) as f64
    }

    fn contacts(&self) -> f64 {
        (self.stats.contacts_vf + self.stats.contacts_ee) as f64
    }

    fn print(&self) {
        let stats = &self.stats;
        let nanoseconds = 1e6 * self.ms_total;
        println!(
            "{:>9} {:>10} {:>9} | {:>9.2} {:>8.2} {:>8.2} {:>9.2} {:>8.2} {:>9.2} | {:>11.1} {:>12.1} {:>10.1} | {:>8.1}",
            self.triangles(),
            self.candidates(),
            self.contacts(),
            self.ms_total,
            self.ms_move,
            stats.ms_update,
            stats.ms_traverse,
            stats.ms_elementary,
            stats.ms_sort,
            nanoseconds / self.triangles(),
            nanoseconds / self.candidates(),
            nanoseconds / self.contacts(),
            stats.state_bytes as f64 / self.triangles()
        );
    }

    fn print_growth(&self, smaller: &Row) {
        println!(
            "from {} to {} triangles: candidates {:.1} times, contacts {:.1} times, time {:.1} times",
            smaller.triangles(),
            self.triangles(),
            self.candidates() / smaller.candidates(),
            self.contacts() / smaller.contacts(),
            self.ms_total / smaller.ms_total
        );
    }

    /// Each phase against that which it has to handle.
    fn print_verdict(&self, smallest: &Row) {
        let pairs = |row: &Row| row.triangles() + row.candidates();
        let phases: [(&str, f64, f64, &str); 6] = [
            ("move", self.ms_move / smallest.ms_move, self.triangles() / smallest.triangles(), "triangles"),
            (
                "update",
                self.stats.ms_update / smallest.stats.ms_update,
                self.triangles() / smallest.triangles(),
                "triangles",
            ),
            (
                "traversal",
                self.stats.ms_traverse / smallest.stats.ms_traverse,
                pairs(self) / pairs(smallest),
                "triangles and candidates",
            ),
            (
                "elementary tests",
                self.stats.ms_elementary / smallest.stats.ms_elementary,
                self.candidates() / smallest.candidates(),
                "candidates",
            ),
            (
                "sorting",
                self.stats.ms_sort / smallest.stats.ms_sort,
                self.contacts() / smallest.contacts(),
                "contacts",
            ),
            (
                "everything",
                self.ms_total / smallest.ms_total,
                pairs(self) / pairs(smallest),
                "triangles and candidates",
            ),
        ];
        let mut slow = Vec::new();
        for (phase, time, output, what) in phases {
            println!("{phase:<17} {time:>7.1} times the time for {output:.1} times the {what}");
            if time > TOLERANCE * output {
                slow.push(phase);
            }
        }
        match slow.is_empty() {
            true => println!("nothing grows faster than the output (by more than {TOLERANCE} times)"),
            false => {
                println!("GROWS FASTER than the output by more than {TOLERANCE} times: {}", slow.join(", "))
            }
        }
    }
}
