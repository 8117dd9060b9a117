//! What was found, in an order that depends on nothing but the triangles.

use super::segment;
use super::soup::View;
use crate::memory::{Buffer, Memory, MemoryError};

/// Set in [`Intersection::flags`] if both triangles lie in one plane.
pub const COPLANAR: u32 = 1;
/// Set in [`Intersection::flags`] if the segment is there.
pub const HAS_SEGMENT: u32 = 2;

/// Two triangles that intersect. C programs get it as it is: `pccd_intersection`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Intersection {
    pub mesh_a: u64,
    pub mesh_b: u64,
    pub triangle_a: u32,
    pub triangle_b: u32,
    pub flags: u32,
    pub reserved: u32,
    pub segment: [[f64; 3]; 2],
}

impl Intersection {
    /// The pair of a key, as [`super::decide::Decisions::found`] has them.
    pub fn new(view: &View<'_>, key: u64, with_segment: bool) -> Intersection {
        let triangles = [(key >> 32) as u32, key as u32];
        let parts = triangles.map(|triangle| view.soup.parts[view.part_of(triangle)]);
        let mut intersection = Intersection {
            mesh_a: parts[0].id,
            mesh_b: parts[1].id,
            triangle_a: triangles[0] - parts[0].first_triangle,
            triangle_b: triangles[1] - parts[1].first_triangle,
            flags: 0,
            reserved: 0,
            segment: [[0.0; 3]; 2],
        };
        if with_segment {
            let [a, b] = triangles.map(|triangle| view.triangle(triangle));
            let common = segment::common(&a, &b);
            intersection.segment = common.ends;
            intersection.flags = HAS_SEGMENT | if common.is_coplanar { COPLANAR } else { 0 };
        }
        intersection
    }
}

/// A number that depends on every bit of every intersection, with the rank of the meshes among all instead of their ids.
pub fn hash(intersections: &[Intersection], rank_of: &dyn Fn(u64) -> u64) -> u64 {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut add = |number: u64| {
        state = (state ^ number).wrapping_mul(0xff51_afd7_ed55_8ccd);
        state ^= state >> 32;
    };
    add(intersections.len() as u64);
    for intersection in intersections {
        add(rank_of(intersection.mesh_a) << 32 | rank_of(intersection.mesh_b));
        add((intersection.triangle_a as u64) << 32 | intersection.triangle_b as u64);
        add(intersection.flags as u64);
        for number in intersection.segment.as_flattened() {
            add(number.to_bits());
        }
    }
    state
}

/// The most buckets that keys are dealt out to, and how many keys a bucket has then, more or less.
const MOST_BUCKETS: usize = 1 << 14;
const KEYS_OF_BUCKET: usize = 8;

/// Keys of a unit of work.
const SHARE: usize = 1 << 11;

/// Keys on their way into order: dealt out to buckets by their first triangle, list by list; then each bucket is sorted for itself.
pub struct Order {
    /// By list and bucket: first how many, then where the next one goes.
    places: Buffer<u32>,
    ends: Buffer<u32>,
    keys: Buffer<u64>,
    bucket_count: usize,
    /// Buckets for each triangle, times 2³².
    factor: u64,
}

impl Order {
    pub fn new(memory: &Memory) -> Order {
        Order {
            places: Buffer::new(memory.clone()),
            ends: Buffer::new(memory.clone()),
            keys: Buffer::new(memory.clone()),
            bucket_count: 1,
            factor: 0,
        }
    }

    pub fn start(
        &mut self,
        list_count: usize,
        total: usize,
        triangle_count: usize,
    ) -> Result<(), MemoryError> {
        // Fewer if there are many lists: one worker places all of them.
        self.bucket_count = (total / (KEYS_OF_BUCKET * list_count)).clamp(1, MOST_BUCKETS);
        self.factor = ((self.bucket_count as u64) << 32) / triangle_count.max(1) as u64;
        if self.places.len() < list_count * self.bucket_count {
            self.places.resize(list_count * self.bucket_count, 0)?;
        }
        if self.ends.len() < self.bucket_count {
            self.ends.resize(self.bucket_count, 0)?;
        }
        if u32::try_from(total).is_err() {
            return Err(MemoryError::TooLarge);
        }
        if self.keys.len() < total {
            self.keys.resize(total, 0)?;
        }
        Ok(())
    }

    fn bucket(&self, key: u64) -> usize {
        // Less than there are buckets, as the triangle is less than their number.
        (((key >> 32) * self.factor) >> 32) as usize
    }

    /// # Safety
    ///
    /// Nobody else uses the places of this list.
    #[expect(clippy::mut_from_ref, reason = "the list's own part of the array")]
    unsafe fn places_of(&self, list: usize) -> &mut [u32] {
        let count = self.bucket_count;
        assert!((list + 1) * count <= self.places.len());
        // SAFETY: inside, and promised by the caller.
        unsafe { std::slice::from_raw_parts_mut(self.places.start().add(list * count), count) }
    }

    /// Counts a list by buckets.
    ///
    /// # Safety
    ///
    /// Nobody else counts or scatters the same list.
    pub unsafe fn count(&self, list: usize, keys: &[u64]) {
        // SAFETY: promised by the caller.
        let places = unsafe { self.places_of(list) };
        places.fill(0);
        for &key in keys {
            places[self.bucket(key)] += 1;
        }
    }

    /// Between counting and scattering.
    pub fn place(&mut self, list_count: usize) {
        let mut next = 0;
        for bucket in 0..self.bucket_count {
            for list in 0..list_count {
                let place = &mut self.places[list * self.bucket_count + bucket];
                next += std::mem::replace(place, next);
            }
            self.ends[bucket] = next;
        }
    }

    /// Puts a list into its places.
    ///
    /// # Safety
    ///
    /// As for [`count`](Order::count), after [`place`](Order::place).
    pub unsafe fn scatter(&self, list: usize, keys: &[u64]) {
        // SAFETY: promised by the caller.
        let places = unsafe { self.places_of(list) };
        for &key in keys {
            let place = &mut places[self.bucket(key)];
            // SAFETY: counted before, so it is in the list's own part of the bucket.
            unsafe { self.keys.start().add(*place as usize).write(key) };
            *place += 1;
        }
    }

    fn begin_of(&self, bucket: usize) -> usize {
        bucket.checked_sub(1).map_or(0, |before| self.ends[before] as usize)
    }

    /// Ranges of buckets that make units of work.
    pub fn shares(&self) -> impl Iterator<Item = [u32; 2]> {
        let mut bucket = 0;
        std::iter::from_fn(move || {
            let first = bucket;
            let begin = self.begin_of(first);
            while bucket < self.bucket_count
                && (bucket == first || (self.ends[bucket] as usize) < begin + SHARE)
            {
                bucket += 1;
            }
            (first < self.bucket_count).then_some([first as u32, bucket as u32])
        })
    }

    /// The keys of some buckets in order, and where they are among all.
    ///
    /// # Safety
    ///
    /// All lists have been scattered, and nobody else sorts one of these buckets.
    pub unsafe fn sort(&self, [first, end]: [u32; 2]) -> (usize, &[u64]) {
        let (begin, after) = (self.begin_of(first as usize), self.begin_of(end as usize));
        // SAFETY: the keys of these buckets, which are the caller's.
        let keys = unsafe { std::slice::from_raw_parts_mut(self.keys.start().add(begin), after - begin) };
        for bucket in first as usize..end as usize {
            keys[self.begin_of(bucket) - begin..self.begin_of(bucket + 1) - begin].sort_unstable();
        }
        debug_assert!(keys.windows(2).all(|pair| pair[0] < pair[1]), "each pair is found once");
        (begin, keys)
    }
}
