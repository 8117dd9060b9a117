//! What lives in a context and is named by a handle: meshes, hierarchies, queries, pipelines and their objects.

use super::guard::{Call, Failure};
use super::status::*;
use super::table::Table;
use crate::memory::{Memory, MemoryError};

/// What a handle names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ObjectKind {
    Mesh,
    Bvh,
    Query,
    Pipeline,
    Object,
}

impl ObjectKind {
    /// The handle as an argument of the functions is called like that, too.
    fn noun(self) -> &'static str {
        match self {
            ObjectKind::Mesh => "mesh",
            ObjectKind::Bvh => "bvh",
            ObjectKind::Query => "query",
            ObjectKind::Pipeline => "pipeline",
            ObjectKind::Object => "object",
        }
    }
}

/// All objects of one kind in one context.
pub(super) struct Objects<T> {
    kind: ObjectKind,
    table: Table<T>,
}

impl<T> Objects<T> {
    /// An empty collection; allocates nothing.
    pub(super) fn new(memory: &Memory, kind: ObjectKind, context_number: u32) -> Objects<T> {
        Objects { kind, table: Table::new(memory.clone(), first_generation(kind, context_number)) }
    }

    /// Takes a new object and returns the id of its handle.
    pub(super) fn insert(&mut self, call: &Call, object: T) -> Result<u64, Failure> {
        let kind = self.kind.noun();
        self.table.insert(object).map_err(|(error, _)| call.no_memory(format_args!("the {kind}"), error))
    }

    /// Makes room for some more objects.
    pub(super) fn reserve(&mut self, count: usize) -> Result<(), MemoryError> {
        self.table.reserve(count)
    }

    pub(super) fn get(&self, call: &Call, id: u64) -> Result<&T, Failure> {
        self.table.get(id).ok_or_else(|| stale(call, self.kind, id))
    }

    pub(super) fn get_mut(&mut self, call: &Call, id: u64) -> Result<&mut T, Failure> {
        let kind = self.kind;
        self.table.get_mut(id).ok_or_else(|| stale(call, kind, id))
    }

    pub(super) fn remove(&mut self, call: &Call, id: u64) -> Result<T, Failure> {
        self.table.remove(id).ok_or_else(|| stale(call, self.kind, id))
    }

    /// Removes an object that the library itself knows, if it is there.
    pub(super) fn forget(&mut self, id: u64) {
        drop(self.table.remove(id));
    }

    /// The object of an id that the library itself has kept.
    pub(super) fn known(&self, id: u64) -> &T {
        self.table.get(id).expect("an object that is still referred to")
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, &T)> {
        self.table.iter()
    }

    pub(super) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.table.values_mut()
    }
}

fn stale(call: &Call, kind: ObjectKind, id: u64) -> Failure {
    let noun = kind.noun();
    if id == 0 {
        return call.fail(PCCD_ERR_NULL, format_args!("{noun}.id is 0: the handle is null"));
    }
    call.fail(
        PCCD_ERR_STALE_HANDLE,
        format_args!(
            "{noun}.id is {id:#x}, which is no {noun} of this context: destroyed before, of another kind or context, \
             or never created"
        ),
    )
}

/// Where the generations of a table begin: as far from those of all other tables as can be, so that no two of them ever
/// come to give out the same id. An eighth of the circle lies between the kinds of a context; contexts are
/// spread over that eighth by the golden ratio, which keeps any number of them apart.
fn first_generation(kind: ObjectKind, context_number: u32) -> u32 {
    (kind as u32) << 29 | context_number.wrapping_mul(0x9e37_79b9) >> 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generations_of_a_thousand_contexts_are_far_apart() {
        let kinds =
            [ObjectKind::Mesh, ObjectKind::Bvh, ObjectKind::Query, ObjectKind::Pipeline, ObjectKind::Object];
        let mut firsts: Vec<u32> =
            kinds.iter().flat_map(|kind| (1..=1000).map(|number| first_generation(*kind, number))).collect();
        firsts.sort();
        assert!(firsts[0] > 100_000);
        assert!(firsts.windows(2).all(|pair| pair[1] - pair[0] > 100_000));
    }
}
