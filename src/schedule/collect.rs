//! Many things of one kind, made by all workers.

use super::Crew;
use crate::locks::Mutex;
use crate::memory::{Buffer, Memory, MemoryError};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

impl Crew {
    /// Calls `work(worker, number)` for each number below `count` once, on at most `worker_count` workers, who take them in turn.
    pub fn for_each(&self, worker_count: usize, count: usize, work: &(dyn Fn(usize, usize) + Sync)) {
        let next = AtomicUsize::new(0);
        self.run(worker_count.min(count), &|worker| {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    return;
                }
                work(worker, number);
            }
        });
    }

    /// `make(room, number)` for each number below `count`, in the order of the numbers. There are as many workers as rooms, each with one for itself, and they take numbers in turn, in the order of
    /// `turns` if it is not empty. When memory is refused, nothing is left. With one room, the crew does not run.
    pub fn collect<R: Send, T: Send>(
        &self,
        memory: &Memory,
        rooms: &mut Buffer<Mutex<R>>,
        count: usize,
        turns: &[u32],
        make: &(dyn Fn(&mut R, usize) -> Result<T, MemoryError> + Sync),
    ) -> Result<Buffer<T>, MemoryError> {
        let mut made = Buffer::new(memory.clone());
        made.reserve_exact(count)?;
        if rooms.len() == 1 || count == 1 {
            let room = rooms[0].get_mut().unwrap_or_else(PoisonError::into_inner);
            for number in 0..count {
                made.push(make(room, number)?)?;
            }
            return Ok(made);
        }
        let mut places: Buffer<Mutex<Option<Result<T, MemoryError>>>> = Buffer::new(memory.clone());
        places.reserve_exact(count)?;
        for _ in 0..count {
            places.push(Mutex::new(None))?;
        }
        let (shared_rooms, shared_places) = (&*rooms, &places);
        self.for_each(rooms.len(), count, &|worker, turn| {
            let number = turns.get(turn).map_or(turn, |&number| number as usize);
            let mut room = shared_rooms[worker].lock().unwrap_or_else(PoisonError::into_inner);
            let thing = make(&mut room, number);
            *shared_places[number].lock().unwrap_or_else(PoisonError::into_inner) = Some(thing);
        });
        for place in places.iter_mut() {
            let thing = place.get_mut().unwrap_or_else(PoisonError::into_inner).take();
            made.push(thing.expect("all numbers were taken")?)?;
        }
        Ok(made)
    }
}

/// A room for each of some workers.
pub fn rooms<R>(
    memory: &Memory,
    worker_count: usize,
    room: impl Fn() -> Result<R, MemoryError>,
) -> Result<Buffer<Mutex<R>>, MemoryError> {
    let mut rooms = Buffer::new(memory.clone());
    rooms.reserve_exact(worker_count)?;
    for _ in 0..worker_count {
        rooms.push(Mutex::new(room()?))?;
    }
    Ok(rooms)
}

/// The numbers of some pieces of work, the largest first: so that none is left to one worker alone at the end.
pub fn largest_first(
    memory: &Memory,
    sizes: impl ExactSizeIterator<Item = usize>,
) -> Result<Buffer<u32>, MemoryError> {
    let mut sorted: Buffer<(usize, u32)> = Buffer::new(memory.clone());
    sorted.reserve_exact(sizes.len())?;
    for (number, size) in sizes.enumerate() {
        sorted.push((usize::MAX - size, number as u32))?;
    }
    sorted.sort_unstable();
    let mut turns = Buffer::new(memory.clone());
    turns.reserve_exact(sorted.len())?;
    sorted.iter().try_for_each(|&(_, number)| turns.push(number))?;
    Ok(turns)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::schedule::Pool;
    use std::num::NonZeroUsize;

    fn squares(workers: usize, refused: usize) -> Result<Vec<usize>, MemoryError> {
        let memory = Memory::new(None).unwrap();
        let crew = Crew::Pool(Pool::new(NonZeroUsize::new(workers).unwrap()).unwrap());
        let mut rooms = rooms(&memory, workers, || Ok(0usize)).unwrap();
        let turns = largest_first(&memory, (0..1000).map(|number| number % 7)).unwrap();
        assert_eq!((turns[0], turns[999]), (6, 994));
        let made = crew.collect(&memory, &mut rooms, 1000, &turns, &|room, number| {
            *room += 1;
            if number == refused { Err(MemoryError::TooLarge) } else { Ok(number * number) }
        })?;
        assert_eq!(rooms.iter().map(|room| *room.lock().unwrap()).sum::<usize>(), 1000);
        Ok(made.to_vec())
    }

    #[test]
    fn everything_is_made_once_and_in_order() {
        for workers in [1, 2, 5] {
            assert_eq!(squares(workers, 1000).unwrap(), (0..1000).map(|i| i * i).collect::<Vec<_>>());
            assert_eq!(squares(workers, 700), Err(MemoryError::TooLarge));
        }
    }
}
