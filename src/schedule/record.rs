//! What workers did and when: for traces, and for replays on more cores than there are.

/// One unit of work, as it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitRecord {
    /// Unique within a run.
    pub number: u32,
    /// The unit that this one came out of; [`NO_PARENT`] if it was there when its phase began.
    pub parent: u32,
    pub phase: u32,
    /// Who did it.
    pub worker: u32,
    /// Triangles below it.
    pub weight: u64,
    /// Nanoseconds since the run began.
    pub begin: u64,
    pub end: u64,
    /// Of these, those in which nodes were rebuilt on the way.
    pub rebuild: u64,
    /// What it was: see [`UnitKind`].
    pub kind: UnitKind,
}

/// The parent of a unit that has none.
pub const NO_PARENT: u32 = u32::MAX;

/// What a unit of work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum UnitKind {
    /// Boxes of some vertices.
    RefitVertices = 0,
    /// Boxes below a node.
    Refit = 1,
    /// A node, rebuilt if it culls badly.
    Rebuild = 2,
    /// A node with itself (PCCD paper, section 4.1).
    SelfUnit = 3,
    /// Two nodes with each other (section 5).
    Pair = 4,
    /// Some of the contacts: put in order and described.
    Sort = 5,
    /// The serial part before a phase.
    Serial = 6,
    /// Which boxes below a node need no test with themselves.
    Cull = 7,
}
