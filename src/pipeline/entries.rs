//! Boxes by the columns they are in: counted and put there by all workers, each its own part of the boxes (a radix sort of one pass, with a histogram for each part).

use super::boxes::{Boxes8, Planes};
use super::columns::Columns;
use crate::locks::Mutex;
use crate::memory::{Buffer, Memory, MemoryError};
use crate::schedule::Crew;
use crate::simd::StandardFloats;
use std::ops::Range;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Fewer groups of boxes are done by the caller alone: waking somebody takes as long.
const SHARED_GROUPS: usize = 512;

/// A box in a column.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub struct Entry {
    pub planes: Planes,
    pub object: Marked,
    pub column: u32,
}

/// An object, and in the highest bit whether it is marked: no number of an object has that.
#[derive(Clone, Copy)]
pub struct Marked(u32);

impl Marked {
    pub const NONE: Marked = Marked(0);
    const MARK: u32 = 1 << 31;

    fn new(number: u32, is_marked: bool) -> Marked {
        assert!(number < Marked::MARK);
        Marked(number | u32::from(is_marked) << 31)
    }

    #[inline(always)]
    pub fn number(self) -> u32 {
        self.0 & !Marked::MARK
    }

    #[inline(always)]
    pub fn is_marked(self) -> bool {
        self.0 & Marked::MARK != 0
    }
}

impl Entry {
    const NONE: Entry = Entry { planes: [0.0; 6], object: Marked::NONE, column: 0 };
}

/// All boxes in their columns. Boxes that are in many are together behind the last one.
pub struct Entries {
    pub columns: Columns,
    all: Buffer<Entry>,
    /// Where the entries of a column begin; that of the large ones, and the end of all, come last.
    starts: Buffer<u32>,
    /// For each part of the boxes and each column: how many entries there are, then where the next one goes.
    parts: Buffer<Mutex<Buffer<u32>>>,
}

impl Entries {
    pub fn new(memory: &Memory) -> Entries {
        Entries {
            columns: Columns::default(),
            all: Buffer::new(memory.clone()),
            starts: Buffer::new(memory.clone()),
            parts: Buffer::new(memory.clone()),
        }
    }

    /// Those of a column, in no order.
    pub fn of(&self, column: usize) -> Range<usize> {
        self.starts[column] as usize..self.starts[column + 1] as usize
    }

    /// The objects whose boxes are in many columns.
    pub fn large(&self) -> &[Entry] {
        &self.all[self.of(self.columns.len())]
    }

    pub fn all(&self) -> &[Entry] {
        &self.all
    }

    pub fn of_mut(&mut self, column: usize) -> &mut [Entry] {
        let range = self.of(column);
        &mut self.all[range]
    }

    /// Puts all boxes into their columns.
    pub fn distribute(
        &mut self,
        crew: &Crew,
        boxes: &[Boxes8],
        marks: &[u8],
        count: usize,
    ) -> Result<(), MemoryError> {
        let columns = Columns::choose(boxes, count);
        self.columns = columns;
        let part_count = if boxes.len() <= SHARED_GROUPS { 1 } else { crew.worker_count() };
        while self.parts.len() < part_count {
            let memory = self.parts.memory().clone();
            self.parts.push(Mutex::new(Buffer::new(memory)))?;
        }
        let parts = &mut self.parts[..part_count];
        for part in parts.iter_mut() {
            let part = part.get_mut().unwrap_or_else(PoisonError::into_inner);
            part.clear();
            part.resize(columns.len() + 1, 0)?;
        }
        let share = Share { boxes, count, columns: &columns, parts: &*parts };
        share.all_parts(crew, &|counts, _, column, _| counts[column] += 1);
        self.starts.clear();
        self.starts.resize(columns.len() + 2, 0)?;
        let mut sum = 0;
        for column in 0..=columns.len() {
            self.starts[column] = sum;
            for part in parts.iter_mut() {
                let next = &mut part.get_mut().unwrap_or_else(PoisonError::into_inner)[column];
                (*next, sum) = (sum, sum + *next);
            }
        }
        self.starts[columns.len() + 1] = sum;
        self.all.resize(sum as usize, Entry::NONE)?;
        let all = Places(self.all.as_mut_ptr());
        let share = Share { boxes, count, columns: &columns, parts: &*parts };
        share.all_parts(crew, &|next, object, column, planes| {
            let place = next[column];
            next[column] += 1;
            assert!(place < sum);
            let is_marked = marks[object as usize / 8] >> (object % 8) & 1 != 0;
            let object = Marked::new(object, is_marked);
            let entry = Entry { planes: *planes, object, column: column as u32 };
            // SAFETY: inside the array, as asserted; and no other part has this place: the places of a part and a column are as many as were counted for them, from the same boxes in the same way.
            unsafe { all.at(place).write(entry) };
        });
        Ok(())
    }
}

/// The array of entries, for several workers that write to different places.
struct Places(*mut Entry);

// SAFETY: workers write to different places, and nobody else has the array meanwhile.
unsafe impl Sync for Places {}

impl Places {
    /// # Safety
    ///
    /// The place has to be inside the array.
    unsafe fn at(&self, place: u32) -> *mut Entry {
        // SAFETY: as the caller ensures.
        unsafe { self.0.add(place as usize) }
    }
}

/// The boxes, to be gone through part by part.
struct Share<'a> {
    boxes: &'a [Boxes8],
    count: usize,
    columns: &'a Columns,
    parts: &'a [Mutex<Buffer<u32>>],
}

impl Share<'_> {
    /// Calls with the numbers of a part, an object, a column that its box is in, and the box.
    fn all_parts(&self, crew: &Crew, visit: &(impl Fn(&mut [u32], u32, usize, &Planes) + Sync)) {
        let next = AtomicUsize::new(0);
        let share = self.boxes.len().div_ceil(self.parts.len().max(1));
        crew.run(self.parts.len(), &|_| {
            let _floats = StandardFloats::enter();
            loop {
                let part = next.fetch_add(1, Ordering::Relaxed);
                let Some(numbers) = self.parts.get(part) else { return };
                let mut numbers = numbers.lock().unwrap_or_else(PoisonError::into_inner);
                for group in part * share..self.boxes.len().min((part + 1) * share) {
                    let boxes = &self.boxes[group];
                    for lane in 0..(self.count - 8 * group).min(8) {
                        let planes = boxes.get(lane);
                        self.columns.each(&planes, |column| {
                            visit(&mut numbers, (8 * group + lane) as u32, column, &planes);
                        });
                    }
                }
            }
        });
    }
}
