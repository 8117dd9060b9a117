//! Who runs what when. Knows no geometry.
//!
//! A run is a [`Program`] of phases. A [`Crew`] runs one worker on each of its threads (threads of a
//! [`Pool`], or of the caller's job system), [`Phases`] leads them from phase to phase, and within a phase a
//! [`Scheduler`] hands them units of work: [`Assignment`], the paper's, or [`Stealing`].

mod assignment;
mod collect;
mod crew;
mod phases;
mod pool;
mod queue;
mod record;
mod scheduler;
mod stealing;
pub(crate) mod sync;

pub use assignment::{Assignment, AssignmentSeat};
pub use collect::{largest_first, rooms};
pub use crew::{Crew, EnqueueFn, FinishFn, Hired, TaskFn, TaskHooks};
pub use phases::{OpenRun, Phases, Program};
pub use pool::{Pool, PoolError};
pub use record::{NO_PARENT, UnitKind, UnitRecord};
pub use scheduler::{Counters, Scheduler, Seat, Unit};
pub use stealing::{Stealing, StealingSeat};

#[cfg(all(test, not(loom)))]
mod tests;
