//! A part of a tree sorted anew: lazy selective reconstruction (PCCD paper, section 6.2).
//!
//! It is done when a bad node is visited, by the thread that visits it, in the node's own memory (see `access`). The shape of the tree and the sets of features that are owned below the
//! node and elsewhere do not change, and so nothing changes for the other threads.

use super::access::TreeAccess;
use super::assign::{self, Need, Workspace};
use super::build;
use super::groups::Group;
use super::patches::{STALE, box_place};
use super::tree::WIDTH;
use std::sync::atomic::Ordering;

/// What became of a wish to rebuild.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rebuild {
    Done,
    /// In the new order, features need more groups than there are below the node. Everything is as it was; if that happens to much of a tree, it is rebuilt as a whole at
    /// the next update.
    NoRoom,
    /// The workspace could not grow. Everything is as it was.
    NoMemory,
}

impl TreeAccess<'_> {
    /// Sorts the triangles below box `number` of a level by median splits, deals out the features that are owned there, and refits what is below the box. The box itself stays as it is:
    /// it is around the same triangles.
    ///
    /// Whatever happens, the node is not [bad](TreeAccess::is_bad) any more until it becomes worse.
    ///
    /// # Safety
    ///
    /// As for [`refit_below`](TreeAccess::refit_below): nobody else reads or writes anything below the box meanwhile, and this thread uses no reference to
    /// anything below the box from before, nor numbers of features. Boxes are up to date.
    pub unsafe fn rebuild_below(&self, level: usize, number: usize, workspace: &mut Workspace) -> Rebuild {
        let leaves = self.leaves_below(level, number);
        let claim = self.claims.claim(leaves.clone());
        let (first, last) = (*self.leaf(leaves.start), *self.leaf(leaves.end - 1));
        let room = Need {
            edge_groups: last.edges.end() - first.edges.first as usize,
            vertex_groups: last.vertices.end() - first.vertices.first as usize,
        };
        let result = match self.sort_below(level, number, workspace) {
            None => Rebuild::NoMemory,
            Some(need) if need.edge_groups > room.edge_groups || need.vertex_groups > room.vertex_groups => {
                self.crowded_leaf_count.fetch_add(leaves.len(), Ordering::Relaxed);
                Rebuild::NoRoom
            }
            Some(need) => {
                // SAFETY: promised by the caller. The room of the leaves is a range: from the first one's beginning to the last one's end.
                unsafe { self.assign(leaves, first, &room, &need, workspace) };
                // SAFETY: promised by the caller.
                unsafe { self.mark_stale(level, number) };
                self.node_rebuild_count.fetch_add(1, Ordering::Relaxed);
                Rebuild::Done
            }
        };
        debug_assert!(workspace.owned.iter().all(|&waits| waits == 0), "a feature without an owner");
        claim.end();
        // SAFETY: promised by the caller.
        unsafe {
            if result == Rebuild::Done {
                self.refit_below(level, number);
                self.remember_ratios(level, number);
            } else {
                // Not those below: they may fare better.
                self.remember_ratio(level, number);
            }
        }
        result
    }

    /// The patches below a box are others now; that of the box itself is not.
    ///
    /// # Safety
    ///
    /// Nobody else reads or writes anything below the box.
    unsafe fn mark_stale(&self, level: usize, number: usize) {
        if self.stale.len() == 0 {
            return;
        }
        for below in 0..level {
            for number in self.boxes_of((level, number), below) {
                // SAFETY: promised by the caller.
                unsafe { self.stale.at(box_place(self.levels, below, number)).write(STALE) };
            }
        }
    }

    /// The triangles below a box in their new order, and who owns what; returns what groups they need.
    fn sort_below(&self, level: usize, number: usize, workspace: &mut Workspace) -> Option<Need> {
        let leaves = self.leaves_below(level, number);
        workspace.start(self.mesh, leaves.len() * WIDTH).ok()?;
        for leaf in leaves {
            let faces = self.faces(leaf);
            for &triangle in &faces.triangles[..faces.count()] {
                workspace.items.push(build::item(self.mesh, triangle)).ok()?;
            }
        }
        build::split(&mut workspace.items, WIDTH.pow(level as u32));
        self.mark_owned(level, number, workspace);
        Some(assign::deal(self.mesh, workspace))
    }

    /// All features that are owned below a box wait for an owner.
    fn mark_owned(&self, level: usize, number: usize, workspace: &mut Workspace) {
        for leaf in self.leaves_below(level, number) {
            for group in self.vertices(leaf).1 {
                for &vertex in &group.vertices[..group.count()] {
                    workspace.owned[vertex as usize] = 1;
                }
            }
            for group in self.edges(leaf).1 {
                for &edge in &group.edges[..group.count()] {
                    workspace.owned[self.mesh.vertex_count() + edge as usize] = 1;
                }
            }
        }
    }
}
