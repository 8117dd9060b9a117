//! Which triangles are in a box.

use super::bounds::{MovingBox, Reach};
use super::groups::Group;
use super::tree::{Tree, WIDTH};
use crate::mesh::Mesh;

impl Tree {
    /// Calls `found(triangle)` for every triangle whose swept box overlaps the closed box from `lower` to `upper`. Exact: the hierarchy only finds who might.
    pub fn overlap(&self, mesh: &Mesh, lower: [f64; 3], upper: [f64; 3], found: &mut dyn FnMut(u32)) {
        let Some(top) = self.level_count().checked_sub(1) else { return };
        // A box that rests is apart from a moving one at both ends if and only if it is apart from its sweep.
        let wanted = MovingBox::around(lower, lower);
        let mut wanted = wanted.0;
        let corner = MovingBox::around(upper, upper).0;
        wanted[3..6].copy_from_slice(&corner[3..6]);
        wanted[9..12].copy_from_slice(&corner[9..12]);
        self.overlap_below(mesh, &MovingBox(wanted), (top, 0), &lower, &upper, found);
    }

    fn overlap_below(
        &self,
        mesh: &Mesh,
        wanted: &MovingBox,
        (level, group): (usize, usize),
        lower: &[f64; 3],
        upper: &[f64; 3],
        found: &mut dyn FnMut(u32),
    ) {
        let broadcast = wanted.broadcast::<[f32; 8]>();
        let reach = Reach::new(0.0);
        let children = WIDTH.min(self.box_count(level) - group * WIDTH);
        let hits = broadcast.meets(self.group(level, group), &reach);
        for child in (0..children).filter(|child| hits >> child & 1 != 0) {
            let child = group * WIDTH + child;
            if level > 0 {
                self.overlap_below(mesh, wanted, (level - 1, child), lower, upper, found);
                continue;
            }
            let faces = self.faces(child);
            let hits = broadcast.meets(&faces.boxes, &reach);
            for lane in (0..faces.count()).filter(|lane| hits >> lane & 1 != 0) {
                if sweep_overlaps(mesh, faces.corners.map(|corner| corner[lane]), lower, upper) {
                    found(faces.triangles[lane]);
                }
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
