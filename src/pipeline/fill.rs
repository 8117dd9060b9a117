//! The boxes of all objects, where they are, and what decides which of them may meet, side by side: on all workers, before the phases.

use super::boxes::Boxes8;
use super::objects::{Object, ObjectSettings, Objects};
use super::poses::{BOX, OTHER, Pose, PoseLanes, Poses, ROUND};
use super::shapes::Shape;
use super::sweep::Sweep;
use super::swept;
use crate::elementary::vec3::{Vec3, add, sub};
use crate::memory::{Buffer, Memory, MemoryError};
use crate::schedule::Crew;
use crate::simd::{self, Doubles, Floats8, Kernel, Lanes, Level, StandardFloats};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Groups of boxes that a worker computes at a time.
const BOX_GROUPS: usize = 16;
/// Fewer groups are computed by the caller alone: waking somebody takes as long.
const SHARED_GROUPS: usize = 512;
/// Of an object that is a mesh: a pair of them takes 36 times as long as a pair of simple shapes, or more if they have many triangles.
const MESH_COST: u32 = 6;

/// What the broad phase has to know of an object besides its box.
#[derive(Clone, Copy, Default, PartialEq)]
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
pub struct Filters {
    each: Buffer<Filter>,
    /// That of the objects which the broad phase marks.
    common: Filter,
}

impl Filters {
    pub fn new(memory: &Memory) -> Filters {
        Filters { each: Buffer::new(memory.clone()), common: Filter::default() }
    }

    pub fn resize(&mut self, count: usize) -> Result<(), MemoryError> {
        self.each.resize(count, Filter::default())
    }

    /// Whether two objects may meet, and how long a test of them takes. If both are marked, they need not be looked up.
    #[inline]
    pub fn meeting(&self, a: u32, b: u32, are_marked: bool) -> Option<u32> {
        let (first, second) = if are_marked {
            (&self.common, &self.common)
        } else {
            (&self.each[a as usize], &self.each[b as usize])
        };
        first.may_meet(second).then(|| first.cost(second))
    }
}

/// The box of an object with half of the margin, around all its way if that counts; empty if it has none.
pub fn bounds_of(objects: &Objects, object: &Object, margin: f64) -> [Vec3; 2] {
    let mesh_box = objects.bounds_of(&object.shape);
    let [lower, upper] = if object.is_on_its_way() {
        swept::bounds(object, mesh_box)
    } else {
        object.shape.bounds(&object.frame(), mesh_box)
    };
    let more = [0, 1, 2].map(|i| more(lower[i], upper[i], margin));
    [sub(lower, more), add(upper, more)]
}

/// By how much a box has to be larger: half of the margin, and more than what rounding has taken from it, a few units in the last place of its coordinates.
#[inline(always)]
fn more<V: Lanes>(lower: V, upper: V, margin: f64) -> V {
    V::splat(0.5 * margin) + V::splat(1e-14) * (lower.abs().max(upper.abs()) + V::splat(margin))
}

/// The boxes of eight objects: lower bounds by axis, then upper ones. Of those that are neither round nor boxes, they are set already.
#[inline(always)]
fn bound<V: Doubles>(poses: &[&Pose; 8], margin: f64, bounds: &mut [[f64; 8]; 6]) {
    for first in (0..8).step_by(V::COUNT) {
        let PoseLanes { origin, half, kind, axes } = PoseLanes::<V>::load(poses, first);
        let (is_box, is_other) = (kind.gt(V::splat(ROUND)), kind.gt(V::splat(BOX)));
        for axis in 0..3 {
            let reach =
                axes[0][axis].abs() * half[0] + axes[1][axis].abs() * half[1] + axes[2][axis].abs() * half[2];
            let reach = reach.select(is_box, half[0]);
            let (lower, upper) = (origin[axis] - reach, origin[axis] + reach);
            let more = more(lower, upper, margin);
            for (row, value) in [(axis, lower - more), (axis + 3, upper + more)] {
                let here = &mut bounds[row][first..];
                let value = V::load(here).select(is_other, value);
                here[..V::COUNT].copy_from_slice(&value.to_array()[..V::COUNT]);
            }
        }
    }
}

/// Some groups of eight objects.
struct Groups<'a> {
    objects: &'a Objects,
    living: &'a [u32],
    margin: f64,
    common: Filter,
    numbers: Range<usize>,
    shared: &'a Shared,
}

impl Kernel for Groups<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Doubles>(self) {
        let Groups { objects, living, margin, common, numbers, shared } = self;
        for group in numbers {
            let living = &living[group * 8..living.len().min(group * 8 + 8)];
            let mut bounds = [[0.0; 8]; 6];
            let mut poses = [Pose([0.0; 16]); 8];
            let mut marks = 0;
            for (lane, &place) in living.iter().enumerate() {
                let object = objects.get(place as usize).expect("only living ones are listed");
                let (pose, filter) = (Pose::of(object), Filter::with_cost(object, objects));
                if pose.kind() == OTHER {
                    let [lower, upper] = bounds_of(objects, object, margin);
                    let has_box = (0..3).all(|axis| lower[axis] <= upper[axis]);
                    assert!(has_box, "only those with a box are listed");
                    for axis in 0..3 {
                        (bounds[axis][lane], bounds[axis + 3][lane]) = (lower[axis], upper[axis]);
                    }
                }
                poses[lane] = pose;
                marks |= u8::from(filter == common) << lane;
                // SAFETY: as below, with eight to a group.
                unsafe {
                    shared.poses.add(group * 8 + lane).write(pose);
                    shared.filters.add(group * 8 + lane).write(filter);
                }
            }
            bound::<V>(&poses.each_ref(), margin, &mut bounds);
            let mut eight = Boxes8::EMPTY;
            for (plane, (values, rounded)) in bounds.iter().zip(&mut eight.planes).enumerate() {
                let (down, negated_down) = V::Floats::round_down(values);
                *rounded = if plane < 3 { down } else { negated_down }.to_array();
            }
            // SAFETY: inside the arrays, and each group is computed by the worker alone that was given its number.
            unsafe {
                shared.boxes.add(group).write(eight);
                shared.marks.add(group).write(marks);
            }
        }
    }
}

/// Computes the boxes of all objects, their poses and their filters, on all workers. Marks those with the most common filter, as far as that is easily told.
#[allow(clippy::too_many_arguments, reason = "what is filled, and what it is filled with")]
pub fn fill(
    crew: &Crew,
    objects: &Objects,
    living: &[u32],
    margin: f64,
    level: Level,
    sweep: &mut Sweep,
    filters: &mut Filters,
    poses: &mut Poses,
) {
    let next = AtomicUsize::new(0);
    let (groups, marks) = sweep.boxes_mut();
    let group_count = groups.len();
    assert!(living.len() <= 8 * group_count && marks.len() == group_count);
    assert!(filters.each.len() == living.len() && poses.0.len() == living.len());
    // That of the last one: what does not move is often added first.
    let last = living.last().and_then(|&place| objects.get(place as usize));
    let common = last.map_or(Filter::default(), |object| Filter::with_cost(object, objects));
    filters.common = common;
    let shared = Shared {
        boxes: groups.as_mut_ptr(),
        marks: marks.as_mut_ptr(),
        filters: filters.each.as_mut_ptr(),
        poses: poses.0.as_mut_ptr(),
    };
    let work = |_: usize| {
        let _floats = StandardFloats::enter();
        let shared = &shared;
        loop {
            let first = next.fetch_add(BOX_GROUPS, Ordering::Relaxed);
            if first >= group_count {
                return;
            }
            let numbers = first..group_count.min(first + BOX_GROUPS);
            simd::dispatch(level, Groups { objects, living, margin, common, numbers, shared });
        }
    };
    if group_count <= SHARED_GROUPS {
        work(0);
    } else {
        crew.run(crew.worker_count(), &work);
    }
}

struct Shared {
    boxes: *mut Boxes8,
    marks: *mut u8,
    filters: *mut Filter,
    poses: *mut Pose,
}

// SAFETY: workers write to different groups, and nobody else has the arrays meanwhile.
unsafe impl Sync for Shared {}
