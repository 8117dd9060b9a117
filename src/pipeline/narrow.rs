//! The narrow phase of candidates. Pairs of spheres and pairs of boxes are most of them in most scenes: they are decided from the poses alone, boxes several in lanes. All others go through `dispatch`.
//!
//! Both ways give the same bits: what is in lanes is what `dispatch` does with one lane.

use super::dispatch::{self, Body};
use super::objects::Object;
use super::poses::{BOX, OTHER, Pose, ROUND};
use super::shapes::Shape;
use super::step::Step;
use super::swept::{self, First};
use super::transform::Frame;
use super::worker::{Touch, Worker};
use super::{box_axes, box_box, round};
use crate::memory::MemoryError;
use crate::simd::MAX_LANES;
use std::time::Instant;

/// Poses of so many pairs ahead are fetched: they lie anywhere in memory.
const AHEAD: usize = 8;

/// Pairs of boxes that wait until there are enough for all lanes.
struct Waiting {
    pairs: [[u32; 2]; MAX_LANES],
    count: usize,
}

impl Step<'_, '_> {
    pub(super) fn test_pairs(
        &self,
        number: usize,
        pairs: &[[u32; 2]],
        worker: &mut Worker,
    ) -> Result<(), MemoryError> {
        let start = Instant::now();
        for pair in pairs.iter().take(AHEAD) {
            pair.iter().for_each(|&number| self.poses.prefetch(number));
        }
        let mut boxes = Waiting { pairs: [[0; 2]; MAX_LANES], count: 0 };
        for (place, &pair) in pairs.iter().enumerate() {
            for &number in pairs.get(place + AHEAD).into_iter().flatten() {
                self.poses.prefetch(number);
            }
            let [a, b] = pair.map(|number| self.poses.get(number));
            if a.kind() == BOX && b.kind() == BOX {
                boxes.pairs[boxes.count] = pair;
                boxes.count += 1;
                if boxes.count == MAX_LANES {
                    self.test_boxes(number, &mut boxes, worker)?;
                }
            } else if a.kind() == ROUND && b.kind() == ROUND {
                worker.manifold.clear();
                round::two_spheres(a, b, self.margin, &mut worker.manifold);
                self.tell(number, pair, (a.origin(), 1.0), worker)?;
            } else {
                self.test_pair(number, pair, worker)?;
            }
        }
        self.test_boxes(number, &mut boxes, worker)?;
        let seconds = start.elapsed().as_secs_f64();
        worker.narrow_time += seconds;
        self.record(worker, false, pairs.len() as u32, seconds)
    }

    /// Those that wait.
    fn test_boxes(&self, number: usize, boxes: &mut Waiting, worker: &mut Worker) -> Result<(), MemoryError> {
        let count = boxes.count;
        if count == 0 {
            return Ok(());
        }
        boxes.count = 0;
        let mut poses = [[self.poses.get(boxes.pairs[0][0]); MAX_LANES]; 2];
        for (lane, pair) in boxes.pairs[..count].iter().enumerate() {
            for (poses, &number) in poses.iter_mut().zip(pair) {
                poses[lane] = self.poses.get(number);
            }
        }
        let least = box_axes::least(self.level, &poses, count, self.margin);
        let mut close = least.close;
        while close != 0 {
            let lane = close.trailing_zeros() as usize;
            close &= close - 1;
            let (a, b) = (poses[0][lane], poses[1][lane]);
            let Worker { scratch, manifold, .. } = worker;
            manifold.clear();
            box_box::points(a, b, least.get(lane), self.margin, &mut scratch.polytope, manifold);
            self.tell(number, boxes.pairs[lane], (a.origin(), 1.0), worker)?;
        }
        Ok(())
    }

    fn object(&self, number: u32) -> &Object {
        self.objects.get(self.living[number as usize] as usize).expect("only living ones are listed")
    }

    fn body<'b>(&'b self, object: &'b Object, frame: Frame) -> Body<'b> {
        let mesh = match object.shape {
            Shape::Mesh { tree } => {
                let tree = &self.objects.trees[tree];
                Some(((self.mesh_of)(tree.mesh), &tree.tree))
            }
            _ => None,
        };
        Body { shape: &object.shape, frame, mesh }
    }

    /// One candidate of any shapes.
    fn test_pair(&self, number: usize, pair: [u32; 2], worker: &mut Worker) -> Result<(), MemoryError> {
        let [first, second] = pair.map(|number| self.object(number));
        let poses = pair.map(|number| self.poses.get(number));
        // Relative to the first one: numbers are small there, wherever in the world they are.
        let mut origin = poses[0].origin();
        let [x, y] = poses.map(|pose| pose.seen_from(origin));
        let bodies = [self.body(first, x), self.body(second, y)];
        let Worker { scratch, manifold, .. } = worker;
        dispatch::test(bodies[0], bodies[1], self.margin, scratch, manifold)?;
        let mut toi = 1.0;
        let may_be_on_its_way = |pose: &Pose| pose.kind() == OTHER;
        if (may_be_on_its_way(poses[0]) && first.is_on_its_way())
            || (may_be_on_its_way(poses[1]) && second.is_on_its_way())
        {
            let first_touch =
                swept::first_contact((first, bodies[0]), (second, bodies[1]), self.margin, scratch)?;
            if let Some(First { time, gap }) = first_touch {
                toi = time;
                if manifold.points().is_empty() {
                    // Where they touch on the way.
                    let frames = [first, second].map(|object| swept::frame_at(object, time));
                    origin = frames[0].origin;
                    let [x, y] = frames.map(|frame| frame.seen_from(origin));
                    let slack = 1e-5 * (first.reach + second.reach) + gap;
                    let (x, y) = (self.body(first, x), self.body(second, y));
                    dispatch::test(x, y, self.margin + slack, scratch, manifold)?;
                }
            }
        }
        self.tell(number, pair, (origin, toi), worker)
    }

    /// Keeps what was found of a pair, relative to an origin, if it was found to touch.
    fn tell(
        &self,
        number: usize,
        [a, b]: [u32; 2],
        (origin, toi): ([f64; 3], f64),
        worker: &mut Worker,
    ) -> Result<(), MemoryError> {
        let Worker { manifold, touches, points, .. } = worker;
        if manifold.points().is_empty() {
            return Ok(());
        }
        dispatch::to_world(manifold, origin);
        let first_point = points.len();
        points.append(manifold.points())?;
        let (first_point, worker_number) = (first_point as u32, number as u32);
        let point_count = manifold.points().len() as u32;
        let key = u64::from(a) << 32 | u64::from(b);
        touches.push(Touch { key, worker: worker_number, first_point, point_count, toi })
    }
}
