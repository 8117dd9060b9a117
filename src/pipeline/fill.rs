//! The boxes of all objects, and what decides which of them may meet, side by side: on all workers, before the phases.

use super::objects::{Object, ObjectSettings, Objects};
use super::shapes::Shape;
use super::sweep::Sweep;
use super::{boxes, swept};
use crate::elementary::vec3::Vec3;
use crate::memory::{Buffer, Memory, MemoryError};
use crate::schedule::Crew;
use crate::simd::{self, Doubles, Floats8, Kernel, Level, StandardFloats};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Groups of boxes that a worker computes at a time.
const BOX_GROUPS: usize = 16;
/// Fewer groups are computed by the caller alone: waking somebody takes as long.
const SHARED_GROUPS: usize = 512;
/// Of an object that is a mesh: a pair of them takes 36 times as long as a pair of simple shapes, or more if they have many triangles.
const MESH_COST: u32 = 6;

/// What the broad phase has to know of an object besides its box.
#[derive(Clone, Copy, Default)]
pub struct Filter {
    category: u64,
    mask: u64,
    is_static: bool,
    cost: u32,
}

impl Filter {
    pub fn of(object: &Object) -> Filter {
        let ObjectSettings { category, mask, is_static, .. } = object.settings;
        Filter { category, mask, is_static, cost: 1 }
    }

    /// With what a test of it takes. About as many triangles of a mesh are near another object as there are along one of its sides.
    fn with_cost(object: &Object, objects: &Objects) -> Filter {
        let cost = match object.shape {
            Shape::Mesh { tree } => objects.trees[tree].triangles.isqrt().max(MESH_COST),
            _ => 1,
        };
        Filter { cost, ..Filter::of(object) }
    }

    /// Whether two objects may meet.
    #[inline]
    pub fn may_meet(&self, other: &Filter) -> bool {
        self.mask & other.category != 0
            && other.mask & self.category != 0
            && !(self.is_static && other.is_static)
    }

    /// How long a test of two of them takes, roughly.
    #[inline]
    pub fn cost(&self, other: &Filter) -> u32 {
        self.cost * other.cost
    }
}

/// The filters of all objects that have boxes, by their number.
pub struct Filters(Buffer<Filter>);

impl Filters {
    pub fn new(memory: &Memory) -> Filters {
        Filters(Buffer::new(memory.clone()))
    }

    pub fn resize(&mut self, count: usize) -> Result<(), MemoryError> {
        self.0.resize(count, Filter::default())
    }

    #[inline]
    pub fn get(&self, number: u32) -> &Filter {
        &self.0[number as usize]
    }
}

/// The box of an object with half of the margin, around all its way if that counts; empty if it has none.
pub fn bounds_of(objects: &Objects, object: &Object, margin: f64) -> [Vec3; 2] {
    let mesh_box = objects.bounds_of(&object.shape);
    let [lower, upper] = if object.is_on_its_way() {
        swept::bounds(object, mesh_box)
    } else {
        object.shape.bounds(&object.frame, mesh_box)
    };
    // The margin, and more than what rounding has taken from a box: a few units in the last place of its coordinates.
    let more = |i: usize| 0.5 * margin + 1e-14 * (lower[i].abs().max(upper[i].abs()) + margin);
    [[0, 1, 2].map(|i| lower[i] - more(i)), [0, 1, 2].map(|i| upper[i] + more(i))]
}

/// Eight boxes that are not empty, rounded outward: lower bounds by axis, then upper ones.
struct Round<'a>(&'a [[f64; 8]; 6]);

impl Kernel for Round<'_> {
    type Output = boxes::Boxes8;

    #[inline(always)]
    fn run<V: Doubles>(self) -> boxes::Boxes8 {
        let mut eight = boxes::Boxes8::EMPTY;
        for (plane, (values, rounded)) in self.0.iter().zip(&mut eight.planes).enumerate() {
            let (down, negated_down) = V::Floats::round_down(values);
            *rounded = if plane < 3 { down } else { negated_down }.to_array();
        }
        eight
    }
}

/// Computes the boxes of all objects and their filters, on all workers.
pub fn fill(
    crew: &Crew,
    objects: &Objects,
    living: &[u32],
    margin: f64,
    level: Level,
    sweep: &mut Sweep,
    filters: &mut Filters,
) {
    let next = AtomicUsize::new(0);
    let groups = sweep.boxes_mut();
    let group_count = groups.len();
    assert!(living.len() <= 8 * group_count && filters.0.len() == living.len());
    let place = Shared { boxes: groups.as_mut_ptr(), filters: filters.0.as_mut_ptr() };
    let work = |_: usize| {
        let _floats = StandardFloats::enter();
        let place = &place;
        loop {
            let first = next.fetch_add(BOX_GROUPS, Ordering::Relaxed);
            if first >= group_count {
                return;
            }
            for group in first..group_count.min(first + BOX_GROUPS) {
                let mut bounds = [[0.0; 8]; 6];
                for (lane, &object) in living[group * 8..].iter().take(8).enumerate() {
                    let object = objects.get(object as usize).expect("only living ones are listed");
                    let [lower, upper] = bounds_of(objects, object, margin);
                    assert!(
                        (0..3).all(|axis| lower[axis] <= upper[axis]),
                        "only those with a box are listed"
                    );
                    for axis in 0..3 {
                        (bounds[axis][lane], bounds[axis + 3][lane]) = (lower[axis], upper[axis]);
                    }
                    // SAFETY: as below, with eight to a group.
                    unsafe { place.filters.add(group * 8 + lane).write(Filter::with_cost(object, objects)) };
                }
                let eight = simd::dispatch(level, Round(&bounds));
                // SAFETY: inside the array, and each group is computed by the worker alone that was given its number.
                unsafe { place.boxes.add(group).write(eight) };
            }
        }
    };
    if group_count <= SHARED_GROUPS {
        work(0);
    } else {
        crew.run(crew.worker_count(), &work);
    }
}

struct Shared {
    boxes: *mut boxes::Boxes8,
    filters: *mut Filter,
}

// SAFETY: workers write to different groups, and nobody else has the arrays meanwhile.
unsafe impl Sync for Shared {}
