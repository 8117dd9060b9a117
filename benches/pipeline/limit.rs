//! From how many objects on sorting is worth it: both broad phases on clouds of boxes, on one thread.

use pccd::memory::Memory;
use pccd::pipeline::Method;
use pccd::pipeline::sweep::Sweep;
use pccd::schedule::Crew;
use pccd::simd::Level;
use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

const COUNTS: [usize; 12] = [16, 32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048];

/// Microseconds of a broad phase, its preparation included: the fastest of so many.
fn microseconds(sweep: &mut Sweep, crew: &Crew, boxes: &[[f32; 6]], method: Method, repeats: usize) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..repeats {
        let start = Instant::now();
        sweep.resize(boxes.len()).expect("the system has memory");
        for (place, planes) in boxes.iter().enumerate() {
            sweep.boxes_mut().0[place / 8].set(place % 8, planes);
        }
        sweep.prepare(crew, Level::best(), method).expect("the system has memory");
        let mut count = 0;
        for unit in 0..sweep.unit_count() {
            sweep.run(Level::best(), unit, &mut |_, _, _| count += 1);
        }
        black_box(count);
        best = best.min(1e6 * start.elapsed().as_secs_f64());
    }
    best
}

/// A table of both, for boxes that touch hardly any other one, and for such that lie in a heap.
pub fn table(repeats: usize) -> String {
    let mut text = String::from(
        "| objects | sparse: all pairs, µs | sorted, µs | heap: all pairs, µs | sorted, µs |\n|---:|---:|---:|---:|---:|\n",
    );
    let mut sweep = Sweep::new(&Memory::new(None).expect("the system has memory"));
    let crew = super::world::crew(1);
    let mut state = 1u64;
    let mut draw = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f32 / (1u64 << 24) as f32
    };
    for count in COUNTS {
        write!(text, "| {count} |").expect("a string takes everything");
        for spacing in [1.8, 0.9] {
            let side = spacing * (count as f32).cbrt();
            let boxes: Vec<[f32; 6]> = (0..count)
                .map(|_| {
                    let [x, y, z] = [0; 3].map(|_| side * draw());
                    [x - 0.4, y - 0.4, z - 0.4, -x - 0.4, -y - 0.4, -z - 0.4]
                })
                .collect();
            for method in [Method::BruteForce, Method::Sweep] {
                write!(text, " {:.1} |", microseconds(&mut sweep, &crew, &boxes, method, repeats))
                    .expect("a string takes everything");
            }
        }
        text.push('\n');
    }
    text
}
