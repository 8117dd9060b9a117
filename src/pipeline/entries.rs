//! Boxes by the columns they are in: counted and put there by all workers, each its own part of the boxes (a radix sort of one pass, with a histogram for each part).

use super::boxes::{Boxes8, Planes};
use super::columns::{Columns, Cover8};
use crate::locks::Mutex;
use crate::memory::{Buffer, Memory, MemoryError};
use crate::schedule::Crew;
use crate::simd::{self, Doubles, Floats8, Kernel, Level, StandardFloats};
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
    parts: Buffer<Mutex<Part>>,
}

/// A part of the boxes.
struct Part {
    /// For each column: how many entries there are, then where the next one goes.
    next: Buffer<u32>,
    /// The columns of the boxes, by their groups.
    covers: Buffer<Cover8>,
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
        level: Level,
        boxes: &[Boxes8],
        marks: &[u8],
        count: usize,
    ) -> Result<(), MemoryError> {
        let columns = Columns::choose(boxes, count);
        self.columns = columns;
        let part_count = if boxes.len() <= SHARED_GROUPS { 1 } else { crew.worker_count() };
        while self.parts.len() < part_count {
            let memory = self.parts.memory().clone();
            let part = Part { next: Buffer::new(memory.clone()), covers: Buffer::new(memory) };
            self.parts.push(Mutex::new(part))?;
        }
        let share = boxes.len().div_ceil(part_count);
        let parts = &mut self.parts[..part_count];
        for part in parts.iter_mut() {
            let part = part.get_mut().unwrap_or_else(PoisonError::into_inner);
            part.next.clear();
            part.next.resize(columns.len() + 1, 0)?;
            part.covers.resize(share, Cover8::NONE)?;
        }
        let group = |first| Groups { boxes, marks, count, columns: &columns, first };
        all_parts(crew, parts, share, &|part, groups| {
            let Part { next, covers } = part;
            simd::dispatch(
                level,
                Count { groups: group(groups.start), next, covers: &mut covers[..groups.len()] },
            );
        });
        self.starts.clear();
        self.starts.resize(columns.len() + 2, 0)?;
        let mut sum = 0;
        for column in 0..=columns.len() {
            self.starts[column] = sum;
            for part in parts.iter_mut() {
                let next = &mut part.get_mut().unwrap_or_else(PoisonError::into_inner).next[column];
                (*next, sum) = (sum, sum + *next);
            }
        }
        self.starts[columns.len() + 1] = sum;
        self.all.resize(sum as usize, Entry::NONE)?;
        let all = &Places(self.all.as_mut_ptr(), sum);
        all_parts(crew, parts, share, &|part, groups| {
            let Part { next, covers } = part;
            simd::dispatch(
                level,
                Put { groups: group(groups.start), next, covers: &covers[..groups.len()], all },
            );
        });
        Ok(())
    }
}

/// Calls with every part and the numbers of its groups of boxes.
fn all_parts(
    crew: &Crew,
    parts: &[Mutex<Part>],
    share: usize,
    work: &(impl Fn(&mut Part, Range<usize>) + Sync),
) {
    let next = AtomicUsize::new(0);
    crew.run(parts.len(), &|_| {
        let _floats = StandardFloats::enter();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(part) = parts.get(number) else { return };
            work(
                &mut part.lock().unwrap_or_else(PoisonError::into_inner),
                number * share..(number + 1) * share,
            );
        }
    });
}

/// The boxes, from a group on.
#[derive(Clone, Copy)]
struct Groups<'a> {
    boxes: &'a [Boxes8],
    marks: &'a [u8],
    count: usize,
    columns: &'a Columns,
    first: usize,
}

/// Counts the entries of some boxes in each column.
struct Count<'a> {
    groups: Groups<'a>,
    next: &'a mut [u32],
    covers: &'a mut [Cover8],
}

impl Kernel for Count<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Doubles>(self) {
        let Count { groups: Groups { boxes, count, columns, first, .. }, next, covers } = self;
        for (group, cover) in (first..boxes.len()).zip(covers) {
            *cover = columns.cover::<V::Floats>(&boxes[group]);
            for lane in 0..(count - 8 * group).min(8) {
                columns.each(cover, lane, |column| next[column] += 1);
            }
        }
    }
}

/// Puts some boxes to their places.
struct Put<'a> {
    groups: Groups<'a>,
    next: &'a mut [u32],
    covers: &'a [Cover8],
    all: &'a Places,
}

impl Kernel for Put<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Doubles>(self) {
        let Put { groups: Groups { boxes, marks, count, columns, first }, next, covers, all } = self;
        for (group, cover) in (first..boxes.len()).zip(covers) {
            let mut rows = [V::Floats::splat(0.0); 8];
            for (row, plane) in rows.iter_mut().zip(&boxes[group].planes) {
                *row = V::Floats::load(plane);
            }
            let rows = V::Floats::transpose(rows);
            for (lane, row) in rows[..(count - 8 * group).min(8)].iter().enumerate() {
                let [a, b, c, d, e, f, ..] = row.to_array();
                let object = Marked::new((8 * group + lane) as u32, marks[group] >> lane & 1 != 0);
                columns.each(cover, lane, |column| {
                    let place = next[column];
                    next[column] += 1;
                    let entry = Entry { planes: [a, b, c, d, e, f], object, column: column as u32 };
                    // SAFETY: no other part has this place: the places of a part and a column are as many as were counted for them, by the same covers.
                    unsafe { all.write(place, entry) };
                });
            }
        }
    }
}

/// The array of entries, and how many there are, for several workers that write to different places.
struct Places(*mut Entry, u32);

// SAFETY: workers write to different places, and nobody else has the array meanwhile.
unsafe impl Sync for Places {}

impl Places {
    /// # Safety
    ///
    /// Nobody else may write to this place.
    #[inline(always)]
    unsafe fn write(&self, place: u32, entry: Entry) {
        assert!(place < self.1);
        // SAFETY: inside the array, as asserted, and the caller alone writes there.
        unsafe { self.0.add(place as usize).write(entry) };
    }
}
