//! How long a sleeping thread takes to run again.

use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

const ROUNDS: usize = 400;
/// The other one has to be asleep when it is notified.
const NAP: Duration = Duration::from_micros(200);

/// The medians of what a notification takes the one who sends it, and of the time until the other one runs, in nanoseconds. Takes about a tenth of a second.
pub fn measure() -> (u64, u64) {
    let state: Mutex<Option<Instant>> = Mutex::new(None);
    let changed = Condvar::new();
    let mut notified = Vec::new();
    let woken = thread::scope(|scope| {
        let sleeper = scope.spawn(|| {
            let mut woken = Vec::new();
            let mut sent = state.lock().unwrap();
            while woken.len() < ROUNDS {
                match sent.take() {
                    Some(time) => woken.push(time.elapsed().as_nanos() as u64),
                    None => sent = changed.wait(sent).unwrap(),
                }
            }
            woken
        });
        for _ in 0..ROUNDS {
            let nap = Instant::now();
            while nap.elapsed() < NAP {
                std::hint::spin_loop();
            }
            // Not before the last message has been read.
            while state.lock().unwrap().is_some() {
                thread::yield_now();
            }
            *state.lock().unwrap() = Some(Instant::now());
            let begin = Instant::now();
            changed.notify_one();
            notified.push(begin.elapsed().as_nanos() as u64);
        }
        sleeper.join().unwrap()
    });
    (median(notified), median(woken))
}

fn median(mut numbers: Vec<u64>) -> u64 {
    numbers.sort_unstable();
    numbers[numbers.len() / 2]
}
