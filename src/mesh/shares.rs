//! Which vertices (or edges, or triangles) each part of a mesh has.

use super::NO_EDGE;
use crate::memory::{Buffer, Memory, MemoryError};

/// For each part the numbers of what it has, in ascending order, one part after the other.
pub(super) struct Shares {
    numbers: Buffer<u32>,
    /// Where the numbers of a part end.
    ends: Buffer<u32>,
}

/// No part has it.
const NOBODY: u32 = u32::MAX;

/// The number of no thing.
const NOTHING: u32 = NO_EDGE;

impl Shares {
    /// Each thing belongs to one part, which is given.
    pub fn of_parts(memory: &Memory, part_count: usize, parts: &[u32]) -> Result<Shares, MemoryError> {
        Shares::new(memory, part_count, parts, Buffer::new(memory.clone()))
    }

    /// `uses` are three numbers below `count` each, or [`NOTHING`], with a part that has them, in any order and as often as they come. Most things belong to one part alone, and are dealt out in
    /// linear time. Only what several parts have, along the cracks, is sorted.
    pub fn of_users(
        memory: &Memory,
        part_count: usize,
        count: usize,
        uses: impl Iterator<Item = ([u32; 3], u32)>,
    ) -> Result<Shares, MemoryError> {
        let mut firsts: Buffer<u32> = Buffer::new(memory.clone());
        firsts.resize(count, NOBODY)?;
        let mut others: Buffer<(u32, u32)> = Buffer::new(memory.clone());
        for (numbers, part) in uses {
            for number in numbers {
                if number == NOTHING {
                    continue;
                }
                let first = &mut firsts[number as usize];
                let before = *first;
                *first = if before == NOBODY { part } else { before };
                if before != NOBODY && before != part {
                    others.push((number, part))?;
                }
            }
        }
        Shares::new(memory, part_count, &firsts, others)
    }

    /// For each thing a part that has it, and the other ones.
    fn new(
        memory: &Memory,
        part_count: usize,
        firsts: &[u32],
        mut others: Buffer<(u32, u32)>,
    ) -> Result<Shares, MemoryError> {
        others.sort_unstable();
        let is_new = |i: usize| i == 0 || others[i - 1] != others[i];
        // At first how many there are, then where they begin, and at last where they end.
        let mut ends: Buffer<u32> = Buffer::new(memory.clone());
        ends.resize(part_count + 1, 0)?;
        let alone = firsts.iter().copied().filter(|&part| part != NOBODY);
        let shared = (0..others.len()).filter(|&i| is_new(i)).map(|i| others[i].1);
        for part in alone.chain(shared) {
            ends[part as usize + 1] += 1;
        }
        for part in 0..part_count {
            ends[part + 1] += ends[part];
        }
        let mut numbers: Buffer<u32> = Buffer::new(memory.clone());
        numbers.resize(ends[part_count] as usize, 0)?;
        let mut put = |number: u32, part: u32| {
            let place = &mut ends[part as usize];
            numbers[*place as usize] = number;
            *place += 1;
        };
        let mut next = 0;
        for (number, &first) in firsts.iter().enumerate() {
            if first != NOBODY {
                put(number as u32, first);
            }
            while next < others.len() && others[next].0 == number as u32 {
                if is_new(next) {
                    put(number as u32, others[next].1);
                }
                next += 1;
            }
        }
        ends.truncate(part_count);
        Ok(Shares { numbers, ends })
    }

    pub fn of(&self, part: usize) -> &[u32] {
        let begin = part.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.numbers[begin as usize..self.ends[part] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_below;
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_part_has_what_it_uses_in_order() {
        let memory = Memory::new(None).unwrap();
        let mut below = random_below(3);
        for _ in 0..200 {
            let (count, part_count) = (1 + below(40), 1 + below(6));
            let number = |below: &mut dyn FnMut(usize) -> usize| match below(count + 1) {
                number if number == count => NOTHING,
                number => number as u32,
            };
            let uses: Vec<([u32; 3], u32)> = (0..below(40))
                .map(|_| (std::array::from_fn(|_| number(&mut below)), below(part_count) as u32))
                .collect();
            let shares = Shares::of_users(&memory, part_count, count, uses.iter().copied()).unwrap();
            let parts: Vec<u32> = (0..count).map(|_| below(part_count) as u32).collect();
            let owned = Shares::of_parts(&memory, part_count, &parts).unwrap();
            for part in 0..part_count {
                let own = uses.iter().filter(|it| it.1 == part as u32).flat_map(|it| it.0);
                let own: BTreeSet<u32> = own.filter(|&number| number != NOTHING).collect();
                assert_eq!(shares.of(part), own.into_iter().collect::<Vec<u32>>());
                let expected: Vec<u32> =
                    (0..count as u32).filter(|&it| parts[it as usize] == part as u32).collect();
                assert_eq!(owned.of(part), expected);
            }
        }
    }
}
