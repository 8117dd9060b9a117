//! What the assignment costs on this machine: a lock, a notification, and how long a sleeping thread takes to run again.

#[path = "../support/wake.rs"]
mod wake;

use super::simulate::Costs;
use std::hint::black_box;
use std::sync::Mutex;
use std::time::Instant;

const ROUNDS: usize = 400_000;

/// Measures. Takes about a tenth of a second.
pub fn measure() -> Costs {
    let (notify, wake) = wake::measure();
    let lock = measure_lock();
    // A request is a look at all others and a lock; a grant is a lock and a notification.
    Costs { request: 2 * lock, grant: lock + notify, wake }
}

fn measure_lock() -> u64 {
    let lock = Mutex::new(0u64);
    let begin = Instant::now();
    for _ in 0..ROUNDS {
        *black_box(&lock).lock().unwrap() += 1;
    }
    (begin.elapsed().as_nanos() as usize / ROUNDS).max(1) as u64
}
