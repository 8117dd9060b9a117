//! A node must not be rebuilt while pairs of boxes below it have been given away: who got them would look into a tree that is another one by
//! now. With threads that goes wrong rarely, and nobody may notice. Here it goes wrong every time.

mod delaying;
#[path = "../../../benches/deformation/sheet.rs"]
mod sheet;

pub use delaying::Delaying;

use super::{MeshQuery, QuerySettings, QueryStats, SchedulerKind};
use crate::bvh::{Bvh, BvhSettings};
use crate::memory::Memory;
use crate::mesh::{Mesh, MeshSettings};
use crate::schedule::{Crew, Pool};
use crate::simd::Level;
use sheet::Sheet;
use std::num::NonZeroUsize;

const FRAMES: usize = 12;

/// The hash of every frame of a sheet that is wrung, and what all frames took.
fn wring(scheduler: SchedulerKind) -> (Vec<u64>, QueryStats) {
    let memory = Memory::new(None).unwrap();
    let sheet = Sheet::new(6000);
    let flat = sheet.at(0.0);
    let settings = MeshSettings { thickness: 0.0, category: 1, mask: u64::MAX, self_collision: true };
    let (points, triangles) = (|i: usize| flat[i], |i: usize| sheet.triangles[i]);
    let mut mesh =
        Mesh::new(&memory, settings, flat.len(), &points, sheet.triangles.len(), &triangles).unwrap();
    // Only nodes are rebuilt, not the whole tree.
    let settings = BvhSettings { rebuild_quality: 0.0, volume_ratio: 0.9, ..BvhSettings::default() };
    let mut bvh = Bvh::new(&memory, Level::best(), settings);
    bvh.add(1, &mesh).unwrap();
    let mut query = MeshQuery::new(&memory, QuerySettings::default());
    let crew = Crew::Pool(Pool::new(NonZeroUsize::MIN).unwrap());
    let (mut hashes, mut sum) = (Vec::new(), QueryStats::default());
    for frame in 1..=FRAMES {
        let positions = sheet.at(frame as f64 / FRAMES as f64);
        mesh.move_to(&|i| positions[i]);
        query.run(&crew, scheduler, Level::best(), &mut bvh, &|_| &mesh).unwrap();
        hashes.push(query.hash());
        sum.grants += query.stats().grants;
        sum.node_rebuilds += query.stats().node_rebuilds;
        sum.contacts_vf += query.stats().contacts_vf;
    }
    (hashes, sum)
}

#[test]
fn what_was_given_away_is_not_rebuilt() {
    let (expected, alone) = wring(SchedulerKind::Assignment);
    assert!(alone.node_rebuilds > 0 && alone.contacts_vf > 1000, "{alone:?}");
    let (hashes, delayed) = wring(SchedulerKind::Delaying);
    assert!(delayed.grants > 0 && delayed.node_rebuilds > 0, "{delayed:?}");
    assert_eq!(hashes, expected);
}
