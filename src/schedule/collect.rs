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

    /// `make(room, number)` for each number below `count`, in the order of the numbers. There are as many workers as rooms, each with one for itself, and they take numbers in turn. When memory is
    /// refused, nothing is left.
    pub fn collect<R: Send, T: Send>(
        &self,
        memory: &Memory,
        rooms: &mut Buffer<Mutex<R>>,
        count: usize,
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
        self.for_each(rooms.len(), count, &|worker, number| {
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

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::schedule::Pool;
    use std::num::NonZeroUsize;

    fn squares(workers: usize, refused: usize) -> Result<Vec<usize>, MemoryError> {
        let memory = Memory::new(None).unwrap();
        let crew = Crew::Pool(Pool::new(NonZeroUsize::new(workers).unwrap()).unwrap());
        let mut rooms = Buffer::new(memory.clone());
        (0..workers).for_each(|_| rooms.push(Mutex::new(0usize)).unwrap());
        let made = crew.collect(&memory, &mut rooms, 1000, &|room, number| {
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
