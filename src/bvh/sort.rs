//! The order of a mesh's triangles, found by all workers: what both ways to build, by medians and by a grid, have in common.

use crate::locks::Mutex;
use crate::memory::{Buffer, Memory, MemoryError};
use crate::schedule::Crew;
use std::sync::PoisonError;

/// Some triangles in a row that are to be sorted. Others have nothing to do with it.
pub trait Part: Sized + Send {
    /// How many triangles there are.
    fn len(&self) -> usize;

    /// The first step: afterwards there are up to [`MOST_PARTS`] smaller parts left to be sorted, or none.
    fn step(self, rest: &mut dyn FnMut(Self));

    /// All steps.
    fn finish(self) {
        self.step(&mut |part| part.finish());
    }
}

/// What a step leaves at most.
pub const MOST_PARTS: usize = 8;

/// Parts for each worker, since they are not equally large.
const PARTS_OF_WORKER: usize = 8;

/// Parts of fewer triangles are not cut any more for the sake of others.
const SMALLEST: usize = 1024;

/// With fewer triangles nobody else is called: one worker has sorted them in two or three milliseconds.
const FEWEST_FOR_ALL: usize = 16 * 1024;

/// Sorts on all workers: one of them does steps until there are parts enough for all. The order does not depend on how many there are.
pub fn on_all<P: Part>(crew: &Crew, memory: &Memory, whole: P) -> Result<(), MemoryError> {
    if crew.worker_count() == 1 || whole.len() < FEWEST_FOR_ALL {
        whole.finish();
        return Ok(());
    }
    let wanted = PARTS_OF_WORKER * crew.worker_count();
    let mut parts: Buffer<P> = Buffer::new(memory.clone());
    parts.reserve_exact(wanted + MOST_PARTS)?;
    let mut tasks: Buffer<Mutex<Option<P>>> = Buffer::new(memory.clone());
    tasks.reserve_exact(wanted + MOST_PARTS)?;
    parts.push(whole)?;
    while parts.len() < wanted {
        let Some(largest) = (0..parts.len()).max_by_key(|&part| parts[part].len()) else { break };
        if parts[largest].len() < SMALLEST {
            break;
        }
        let last = parts.len() - 1;
        parts.swap(largest, last);
        let part = parts.pop().expect("there is one");
        part.step(&mut |part| parts.push(part).expect("room was made"));
    }
    while let Some(part) = parts.pop() {
        tasks.push(Mutex::new(Some(part)))?;
    }
    crew.for_each(crew.worker_count(), tasks.len(), &|_, task| {
        let part = tasks[task].lock().unwrap_or_else(PoisonError::into_inner).take();
        part.expect("each is taken once").finish();
    });
    Ok(())
}
