//! Grid or hierarchy.

/// How intersecting triangles are found. All find the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum Method {
    /// What is likely to be faster.
    #[default]
    Auto = 0,
    /// The boxes of the hierarchy.
    Bvh = 1,
    /// A grid that is made anew in each run.
    Grid = 2,
}

/// Why a method was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum Reason {
    /// There was no run.
    #[default]
    None = 0,
    /// The caller said so.
    Asked = 1,
    /// There is no hierarchy.
    NoHierarchy = 2,
    /// Few triangles have moved since the hierarchy was updated.
    Rests = 3,
    /// The hierarchy would have to be sorted anew.
    Rebuild = 4,
    /// Sizes differ too much: the grid would have many levels.
    Height = 5,
    /// Cells would have too many triangles: k is large.
    Crowded = 6,
    /// Much has moved, and sizes and k are as they should be for a grid.
    Moves = 7,
}

/// More levels than this are left to the hierarchy: most triangles would be compared with mostly empty cells.
const MOST_LEVELS: usize = 12;

/// More entries that would be compared than this for each triangle are left to the hierarchy. A smooth surface has about 20.
const MOST_COMPARISONS: f64 = 200.0;

/// Before anything has been done: whether the state of the hierarchy decides. `moved` and `bad` are the numbers of triangles in trees that have to be refitted, and that have to be rebuilt.
pub fn before(triangles: usize, moved: usize, bad: usize) -> Option<(Method, Reason)> {
    // Sorting triangles into a tree takes much longer than sorting them into a grid.
    if 4 * bad > triangles {
        return Some((Method::Grid, Reason::Rebuild));
    }
    (2 * moved <= triangles).then_some((Method::Bvh, Reason::Rests))
}

/// When all cells are counted: whether to go on with the grid. `comparisons` is the sum of the squares of the numbers of triangles in a bucket.
pub fn after_counting(triangles: usize, levels: usize, comparisons: u64) -> (Method, Reason) {
    if levels > MOST_LEVELS {
        (Method::Bvh, Reason::Height)
    } else if comparisons as f64 > MOST_COMPARISONS * triangles as f64 {
        (Method::Bvh, Reason::Crowded)
    } else {
        (Method::Grid, Reason::Moves)
    }
}
