//! Pairs of triangles that wait to be decided, number by number in rows: what lanes read is side by side.

use crate::memory::{Memory, MemoryError, Owned};
use crate::simd::{self, Floats8, MAX_SINGLES};

/// As many are decided at once: they and their vertices stay in the cache.
pub const ENOUGH: usize = 512;

/// All pairs of two leaves fit in when there are not yet enough.
pub const MOST: usize = ENOUGH + 64;

/// Rows are read, and written to, beyond the last candidate.
const ROOM: usize = MOST + MAX_SINGLES;

/// The corners of the first triangle, those of the second, and the numbers of both.
const ROWS: usize = 8;

/// The corners, and then the number, of a triangle.
pub type Numbers = [u32; 4];

pub struct Candidates {
    rows: Owned<[[u32; ROOM]; ROWS]>,
    len: usize,
}

impl Candidates {
    pub fn new(memory: &Memory) -> Result<Candidates, MemoryError> {
        Ok(Candidates { rows: Owned::new(memory.clone(), [[0; ROOM]; ROWS])?, len: 0 })
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    #[inline(always)]
    pub fn push(&mut self, [a, b, c, first]: Numbers, [p, q, r, second]: Numbers) {
        let place = self.len;
        assert!(place < MOST);
        for (row, number) in self.rows.iter_mut().zip([a, b, c, p, q, r, first, second]) {
            row[place] = number;
        }
        self.len += 1;
    }

    /// The pairs of a triangle with some of eight, without their corners: [`look_up`](Candidates::look_up).
    #[inline(always)]
    pub fn push_pairs<F: Floats8>(&mut self, one: u32, others: &[u32; 8], lanes: u32) {
        let place = self.len;
        assert!(place + 8 <= MOST);
        // Eight are written, and those that are set count: less than it takes to find out how many there are.
        self.rows[6][place..place + 8].copy_from_slice(&[one; 8]);
        self.rows[7][place..place + 8].copy_from_slice(&F::compress(others, lanes));
        self.len += lanes.count_ones() as usize;
    }

    /// The corners of all, from their triangles.
    #[inline(always)]
    pub fn look_up(&mut self, triangles: &[[u32; 3]]) {
        let len = self.len;
        let [a, b, c, p, q, r, first, second] = &mut *self.rows;
        for place in 0..len.min(MOST) {
            [a[place], b[place], c[place]] = triangles[first[place] as usize];
            [p[place], q[place], r[place]] = triangles[second[place] as usize];
        }
    }

    /// Has the CPU fetch the vertices of all.
    #[inline(always)]
    pub fn prefetch<T>(&self, vertices: &[T]) {
        for row in &self.rows[..6] {
            for &vertex in &row[..self.len] {
                simd::prefetch(&vertices[vertex as usize]);
            }
        }
    }

    /// A corner of several candidates; what is behind the last one means nothing.
    #[inline(always)]
    pub fn corner<const N: usize>(&self, corner: usize, first: usize) -> &[u32; N] {
        self.rows[corner][first..]
            .first_chunk()
            .expect("rows are longer than the candidates by the most lanes")
    }

    /// All corners of one.
    #[inline(always)]
    pub fn vertices(&self, place: usize) -> [u32; 6] {
        let rows = &self.rows;
        [0, 1, 2, 3, 4, 5].map(|row| rows[row][place])
    }

    /// The numbers of its triangles.
    #[inline(always)]
    pub fn pair(&self, place: usize) -> [u32; 2] {
        [self.rows[6][place], self.rows[7][place]]
    }

    /// Moves one to another place.
    #[inline(always)]
    pub fn put(&mut self, from: usize, to: usize) {
        for row in self.rows.iter_mut() {
            row[to] = row[from];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Doubles, Kernel, Level, dispatch};

    struct PushPairs<'a>(&'a mut Candidates, u32);

    impl Kernel for PushPairs<'_> {
        type Output = ();

        #[inline(always)]
        fn run<V: Doubles>(self) {
            self.0.push_pairs::<V::Floats>(9, &[0, 1, 2, 3, 4, 5, 6, 7], self.1);
        }
    }

    #[test]
    fn pairs_are_pushed_as_one_by_one() {
        let memory = Memory::new(None).expect("the system has memory");
        let triangles: Vec<[u32; 3]> = (0..10).map(|i| [10 + i, 20 + i, 30 + i]).collect();
        for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
            let mut candidates = Candidates::new(&memory).expect("there is memory");
            let mut expected = Vec::new();
            for lanes in [0b1, 0b1010_0110, 0, 0xff, 0b1000_0000] {
                dispatch(level, PushPairs(&mut candidates, lanes));
                expected.extend((0..8).filter(|lane| lanes >> lane & 1 != 0));
            }
            candidates.push([0, 0, 0, 9], [0, 0, 0, 8]);
            expected.push(8);
            candidates.look_up(&triangles);
            assert_eq!(candidates.len(), expected.len());
            for (place, &lane) in expected.iter().enumerate() {
                assert_eq!(candidates.vertices(place), [19, 29, 39, 10 + lane, 20 + lane, 30 + lane]);
                assert_eq!(candidates.pair(place), [9, lane]);
                assert_eq!(candidates.corner::<1>(4, place), &[20 + lane]);
            }
            candidates.put(1, 0);
            candidates.truncate(1);
            assert_eq!((candidates.len(), candidates.pair(0)), (1, [9, expected[1]]));
        }
    }
}
