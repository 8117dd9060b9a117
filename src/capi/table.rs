//! Ids that notice when what they named is gone.

use crate::memory::{Buffer, Memory, MemoryError};

/// Values named by ids: `generation << 32 | index + 1`, never 0. Removing a value gives its slot the next generation,
/// so that old ids find nothing. A slot whose generations are used up is never used again: no id names
/// two values, ever.
pub struct Table<T> {
    slots: Buffer<Slot<T>>,
    /// Head of the list of free slots, `index + 1`; 0 when there is none.
    free: u32,
    /// Where every slot begins. Tables that begin elsewhere do not take each other's ids for their own.
    first_generation: u32,
}

struct Slot<T> {
    generation: u32,
    /// For a free slot: the next free one, `index + 1`; 0 when it is the last.
    next_free: u32,
    value: Option<T>,
}

impl<T> Table<T> {
    /// An empty table; allocates nothing. Generation 0 is never used, so that small numbers are no ids.
    pub fn new(memory: Memory, first_generation: u32) -> Table<T> {
        Table { slots: Buffer::new(memory), free: 0, first_generation: first_generation.max(1) }
    }

    /// Makes room, so that as many values can be taken without fail.
    pub fn reserve(&mut self, count: usize) -> Result<(), MemoryError> {
        let total = self.slots.len().checked_add(count).ok_or(MemoryError::TooLarge)?;
        u32::try_from(total).map_err(|_| MemoryError::TooLarge)?;
        self.slots.reserve(count)
    }

    /// Takes a value and returns its id. Without memory the value comes back, for the caller to drop when it suits.
    pub fn insert(&mut self, value: T) -> Result<u64, (MemoryError, T)> {
        let place = match self.free {
            0 => {
                let Ok(place) = u32::try_from(self.slots.len() + 1) else {
                    return Err((MemoryError::TooLarge, value));
                };
                if let Err(error) = self.slots.reserve(1) {
                    return Err((error, value));
                }
                let slot = Slot { generation: self.first_generation, next_free: 0, value: None };
                self.slots.push(slot).expect("room was made");
                place
            }
            place => {
                self.free = self.slots[place as usize - 1].next_free;
                place
            }
        };
        let slot = &mut self.slots[place as usize - 1];
        slot.value = Some(value);
        Ok(u64::from(slot.generation) << 32 | u64::from(place))
    }

    /// Gives up the value of `id`; None if there is none.
    pub fn remove(&mut self, id: u64) -> Option<T> {
        let slot = self.slots.get_mut(index(id)?).filter(|slot| slot.generation == generation(id))?;
        let value = slot.value.take()?;
        slot.generation = slot.generation.wrapping_add(1).max(1);
        // Back where it began, the slot would name something new with an old id: it is retired instead.
        if slot.generation != self.first_generation {
            slot.next_free = self.free;
            self.free = id as u32;
        }
        Some(value)
    }

    /// The value of `id`; None if it was removed, or `id` never came from this table.
    pub fn get(&self, id: u64) -> Option<&T> {
        self.slots.get(index(id)?).filter(|slot| slot.generation == generation(id))?.value.as_ref()
    }

    /// The value of `id`, to be changed.
    pub fn get_mut(&mut self, id: u64) -> Option<&mut T> {
        self.slots.get_mut(index(id)?).filter(|slot| slot.generation == generation(id))?.value.as_mut()
    }

    /// All values and their ids, in the order of their slots.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &T)> {
        self.slots.iter().zip(1u32..).filter_map(|(slot, place)| {
            slot.value.as_ref().map(|value| (u64::from(slot.generation) << 32 | u64::from(place), value))
        })
    }

    /// All values, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.slots.iter_mut().filter_map(|slot| slot.value.as_mut())
    }
}

fn index(id: u64) -> Option<usize> {
    (id as u32).checked_sub(1).map(|index| index as usize)
}

fn generation(id: u64) -> u32 {
    (id >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Memory;
    use std::collections::HashMap;

    fn table(first_generation: u32) -> Table<u64> {
        Table::new(Memory::new(None).unwrap(), first_generation)
    }

    /// A table and what it should contain.
    struct Model {
        table: Table<u64>,
        living: HashMap<u64, u64>,
        issued: Vec<u64>,
    }

    impl Model {
        fn new() -> Model {
            Model { table: table(1), living: HashMap::new(), issued: Vec::new() }
        }

        fn insert(&mut self) {
            let value = self.issued.len() as u64;
            let id = self.table.insert(value).unwrap();
            assert!(id != 0 && !self.issued.contains(&id), "an id names one value only");
            self.living.insert(id, value);
            self.issued.push(id);
        }

        fn remove(&mut self, issued: usize) {
            let id = self.issued[issued];
            assert_eq!(self.table.remove(id), self.living.remove(&id));
        }

        fn check(&mut self) {
            let all: HashMap<u64, u64> = self.table.iter().map(|(id, value)| (id, *value)).collect();
            assert_eq!(all, self.living);
            assert!(self.table.values_mut().all(|value| all.values().any(|other| other == value)));
            assert_eq!(self.table.values_mut().count(), all.len());
            for id in &self.issued {
                assert_eq!(self.table.get(*id), self.living.get(id));
                assert_eq!(self.table.get_mut(*id), self.living.get_mut(id));
                for foreign in
                    [id ^ (1 << 32), id ^ (1 << 63), id + 1000, id & 0xffff_ffff, id & !0xffff_ffff]
                {
                    assert_eq!(self.table.get(foreign), self.living.get(&foreign));
                }
            }
            for never in [0, 1, 0x1234, u64::MAX, u64::MAX << 32, 0xffff_ffff] {
                assert_eq!(self.table.get(never), None);
                assert_eq!(self.table.remove(never), None);
            }
        }
    }

    /// Every sequence of seven steps, each of which adds a value or removes one of those ever added.
    #[test]
    fn every_short_history_agrees_with_the_model() {
        fn extend(history: &mut Vec<usize>, issued: usize, histories: &mut usize) {
            let mut model = Model::new();
            for step in history.iter() {
                if *step == 0 { model.insert() } else { model.remove(step - 1) }
            }
            model.check();
            *histories += 1;
            if history.len() == 7 {
                return;
            }
            for step in 0..=issued {
                history.push(step);
                extend(history, issued + usize::from(step == 0), histories);
                history.pop();
            }
        }
        let mut histories = 0;
        extend(&mut Vec::new(), 0, &mut histories);
        assert!(histories > 1000, "{histories}");
    }

    #[test]
    fn a_long_random_history_agrees_with_the_model() {
        let mut model = Model::new();
        let mut random = 88172645463325252u64;
        for step in 0..3000 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            if model.issued.is_empty() || random % 5 < 3 {
                model.insert();
            } else {
                model.remove((random >> 8) as usize % model.issued.len());
            }
            if step % 100 == 0 {
                model.check();
            }
        }
        model.check();
    }

    #[test]
    fn a_slot_without_generations_left_is_retired() {
        for first in [1, 2, 77, u32::MAX] {
            let mut table = table(first);
            let id = table.insert(1).unwrap();
            assert_eq!(id, u64::from(first) << 32 | 1);
            table.remove(id).unwrap();
            // As if it had been used four billion times.
            let last = if first == 1 { u32::MAX } else { first - 1 };
            table.slots[0].generation = last;
            let id = table.insert(2).unwrap();
            assert_eq!(id, u64::from(last) << 32 | 1);
            assert_eq!(table.remove(id), Some(2));
            let next = table.insert(3).unwrap();
            assert_eq!(next, u64::from(first) << 32 | 2, "a new slot");
            assert_eq!((table.get(id), table.get(u64::from(first) << 32 | 1)), (None, None));
        }
    }

    #[test]
    fn generation_zero_is_skipped() {
        let mut table = table(5);
        let id = table.insert(1).unwrap();
        table.remove(id).unwrap();
        table.slots[0].generation = u32::MAX;
        let id = table.insert(2).unwrap();
        table.remove(id).unwrap();
        assert_eq!(table.insert(3).unwrap(), 1 << 32 | 1);
    }

    #[test]
    fn ids_of_a_table_that_begins_elsewhere_are_foreign() {
        let (mut one, mut other) = (table(1), table(1000));
        let id = one.insert(1).unwrap();
        other.insert(2).unwrap();
        assert_eq!(other.get(id), None);
        assert_eq!(other.remove(id), None);
    }

    #[test]
    fn without_memory_the_value_comes_back() {
        use crate::memory::counting::Counting;
        let counting = Counting::default();
        let mut table = Table::new(Memory::new(Some(counting.hook())).unwrap(), 1);
        counting.limit.set(Some(1));
        assert_eq!(table.insert("value").unwrap_err().1, "value");
        assert_eq!(table.iter().count(), 0);
    }
}
