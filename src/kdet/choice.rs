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
    /// The hierarchy is in order, and few triangles have moved since it was updated.
    Rests = 3,
    /// The hierarchy would have to be sorted anew, and sizes and k are as they should be for a grid.
    Rebuild = 4,
    /// The hierarchy has to be sorted anew, but sizes differ so much that the grid would have many levels.
    Height = 5,
    /// The hierarchy has to be sorted anew, but cells would have too many triangles: k is large.
    Crowded = 6,
    /// The hierarchy is in order, and much has moved: new boxes for it still take less time than a grid.
    Moves = 7,
}

// What follows is from measurements of 2026-11-18 on an Intel Xeon with AVX-512, time of one thread, microseconds a triangle:
//
// | | hierarchy, new boxes | sorting it anew, beside | grid | levels |
// |---|---|---|---|---|
// | cloth-ball, n-body, cloth-funnel, second frames | 0.41, 0.14, 0.16 | 0.32, 0.26, 0.22 | 1.4, 0.49, 0.67 | 6, 5, 8 |
// | 100,000 triangles alone, of one size | 0.09 to 0.15 | 0.56 | 0.55 | 5 |
// | a million | 0.12 | 0.97 | 0.86 | 6 |
// | 100,000, sizes from 1 to 8, and to 64 | 0.09, 0.09 | 0.62, 0.66 | 0.86, 1.17 | 7, 9 |
//
// So as long as its order is good nothing is faster than the hierarchy, whatever has moved. If it has to be sorted anew the grid is, but only just, for triangles of about one size that do not crowd in a
// cell, as those of a surface do.

/// More levels than this are left to the hierarchy.
const MOST_LEVELS: usize = 6;

/// More entries that would be compared than this for each triangle are left to the hierarchy. The scenes above have at least 24, by their numbers of entries and cells; triangles alone should have
/// about 7, if they fill buckets at random.
const MOST_COMPARISONS: f64 = 12.0;

/// Before anything has been done: whether the state of the hierarchy decides. `moved` and `bad` are the numbers of triangles in trees that are behind their meshes, and that have to be sorted anew.
pub fn before(triangles: usize, moved: usize, bad: usize) -> Option<(Method, Reason)> {
    if 2 * bad > triangles {
        return None;
    }
    Some((Method::Bvh, if 2 * moved <= triangles { Reason::Rests } else { Reason::Moves }))
}

/// When all cells are counted: whether to go on with the grid. `comparisons` is the sum of the squares of the numbers of triangles in a bucket.
pub fn after_counting(triangles: usize, levels: usize, comparisons: u64) -> (Method, Reason) {
    if levels > MOST_LEVELS {
        (Method::Bvh, Reason::Height)
    } else if comparisons as f64 > MOST_COMPARISONS * triangles as f64 {
        (Method::Bvh, Reason::Crowded)
    } else {
        (Method::Grid, Reason::Rebuild)
    }
}
