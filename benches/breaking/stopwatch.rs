//! The time that this thread was on a processor: others that want it, too, do not count. With several threads, or where the system does not tell it, the time that passed.

use std::time::Instant;

pub struct Stopwatch {
    on_processor: Option<u64>,
    began: Instant,
}

/// Nanoseconds, from Linux.
fn on_processor() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

impl Stopwatch {
    pub fn start(threads: usize) -> Stopwatch {
        let on_processor = if threads == 1 { on_processor() } else { None };
        Stopwatch { on_processor, began: Instant::now() }
    }

    pub fn seconds(&self) -> f64 {
        match (self.on_processor, self.on_processor.and_then(|_| on_processor())) {
            (Some(before), Some(now)) => 1e-9 * (now - before) as f64,
            _ => self.began.elapsed().as_secs_f64(),
        }
    }
}
