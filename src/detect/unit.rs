//! The units of work that a run is cut into.

use super::traverse::NodePair;
use super::worker::Scene;
use crate::schedule::{NO_PARENT, Unit, UnitKind};

/// A box of a body's tree.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub body: u32,
    pub level: u8,
    pub number: u32,
}

/// What to do.
#[derive(Clone, Copy)]
pub enum Task {
    /// Boxes of the vertices `first` … `end` of a body.
    Vertices { body: u32, first: u32, end: u32 },
    /// Boxes below a node.
    Refit(Node),
    /// All boxes of a body.
    RefitWhole { body: u32 },
    /// A node, and those below it as long as they are none that a self-CD task unit looks at: rebuilt if they cull badly.
    Rebuild { node: Node, lowest: u8 },
    /// Which of the boxes below a node, and itself, need no test with themselves.
    Cull(Node),
    /// The self-CD task unit of a node (PCCD paper, section 4.1): all pairs of its children, and then theirs. Whoever has it has all that is below the node for itself, and
    /// may rebuild it, unless a part of it was given away.
    Own { node: Node, may_rebuild: bool },
    /// Two nodes that meet; the bodies may be the same.
    Pair { bodies: [u32; 2], pair: NodePair },
    /// Counts the contacts of a piece by buckets.
    Count { piece: u32 },
    /// Puts the keys of a piece into their buckets.
    Scatter { piece: u32 },
    /// Sorts and describes the contacts of some buckets.
    Describe { first: u32, end: u32 },
}

impl Task {
    /// Fetches ahead what the task begins with, of bodies that the `current` one is not about.
    #[inline]
    pub fn prefetch(&self, current: &Task, scene: &Scene<'_>) {
        match *self {
            Task::RefitWhole { body } => scene.body(body).tree.prefetch_all(),
            Task::Own { node, .. } => current.prefetch_next([node.body; 2], scene),
            Task::Pair { bodies, .. } => current.prefetch_next(bodies, scene),
            _ => {}
        }
    }

    fn prefetch_next(&self, [first, second]: [u32; 2], scene: &Scene<'_>) {
        let known = match *self {
            Task::Own { node, .. } => [node.body; 2],
            Task::Pair { bodies, .. } => bodies,
            _ => return,
        };
        if !known.contains(&first) {
            scene.body(first).tree.prefetch_nodes();
        }
        if second != first && !known.contains(&second) {
            scene.body(second).tree.prefetch_nodes();
        }
    }
}

/// A task with what schedulers and records want to know.
#[derive(Clone, Copy)]
pub struct Work {
    pub task: Task,
    /// Triangles below it, or as much else.
    pub weight: u64,
    /// For records: what it is called, and what it came out of.
    pub number: u32,
    pub parent: u32,
}

impl Work {
    pub fn new(task: Task, weight: u64) -> Work {
        Work { task, weight, number: NO_PARENT, parent: NO_PARENT }
    }

    pub fn kind(&self) -> UnitKind {
        match self.task {
            Task::Vertices { .. } => UnitKind::RefitVertices,
            Task::Refit(_) | Task::RefitWhole { .. } => UnitKind::Refit,
            Task::Rebuild { .. } => UnitKind::Rebuild,
            Task::Cull(_) => UnitKind::Cull,
            Task::Own { .. } => UnitKind::SelfUnit,
            Task::Pair { .. } => UnitKind::Pair,
            Task::Count { .. } | Task::Scatter { .. } | Task::Describe { .. } => UnitKind::Sort,
        }
    }
}

impl Unit for Work {
    fn weight(&self) -> u64 {
        self.weight
    }
}
