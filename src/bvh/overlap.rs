//! Which triangles are in a box.

use super::bounds::{Broadcast, MovingBox, Reach};
use super::groups::Group;
use super::tree::{Tree, WIDTH};
use crate::mesh::Mesh;

/// A box that rests. It is apart from a moving one at both ends if and only if it is apart from its sweep.
fn resting(lower: [f64; 3], upper: [f64; 3]) -> MovingBox {
    let mut around = MovingBox::around(lower, lower);
    let corner = MovingBox::around(upper, upper);
    around.0[3..6].copy_from_slice(&corner.0[3..6]);
    around.0[9..12].copy_from_slice(&corner.0[9..12]);
    around
}

impl Tree {
    /// Calls `found(triangle)` for every triangle whose swept box overlaps the closed box from `lower` to `upper`. Exact: the hierarchy only finds who might.
    pub fn overlap(&self, mesh: &Mesh, lower: [f64; 3], upper: [f64; 3], found: &mut dyn FnMut(u32)) {
        let broadcast = resting(lower, upper).broadcast::<[f32; 8]>();
        self.overlap_leaves(lower, upper, &mut |leaf| {
            let faces = self.faces(leaf);
            let hits = broadcast.meets(faces.boxes(), &Reach::new(0.0));
            for lane in (0..faces.count()).filter(|lane| hits >> lane & 1 != 0) {
                if sweep_overlaps(mesh, faces.corners.map(|corner| corner[lane]), &lower, &upper) {
                    found(faces.triangles[lane]);
                }
            }
        });
    }

    /// Calls `found(leaf)` for every leaf with a box that overlaps the one from `lower` to `upper`, up to rounding to floats.
    pub fn overlap_leaves(&self, lower: [f64; 3], upper: [f64; 3], found: &mut dyn FnMut(usize)) {
        let Some(top) = self.level_count().checked_sub(1) else { return };
        self.overlap_below(&resting(lower, upper).broadcast(), (top, 0), found);
    }

    fn overlap_below(
        &self,
        wanted: &Broadcast<[f32; 8]>,
        (level, group): (usize, usize),
        found: &mut dyn FnMut(usize),
    ) {
        let children = WIDTH.min(self.box_count(level) - group * WIDTH);
        let hits = wanted.meets(self.group(level, group), &Reach::new(0.0));
        for child in (0..children).filter(|child| hits >> child & 1 != 0) {
            let child = group * WIDTH + child;
            if level > 0 {
                self.overlap_below(wanted, (level - 1, child), found);
            } else {
                found(child);
            }
        }
    }
}

fn sweep_overlaps(mesh: &Mesh, corners: [u32; 3], lower: &[f64; 3], upper: &[f64; 3]) -> bool {
    (0..3).all(|axis| {
        let ends = corners.iter().flat_map(|&corner| {
            let motion = &mesh.motions()[corner as usize].0;
            [motion[axis], motion[4 + axis]]
        });
        let (least, most) =
            ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), x| (least.min(x), most.max(x)));
        least <= upper[axis] && most >= lower[axis]
    })
}
