//! Discrete detection: triangles that intersect at one moment, and a predicate that tells in advance what that can cost (Weller, Debowski, Zachmann: kDet, 2017).
//!
//! [`DiscreteQuery`] is what others use. It takes the triangles of meshes as a [`soup`], finds pairs whose boxes overlap with a [`grid`] that is made anew each time, or with the trees of a hierarchy
//! ([`walk`]), and [`decide`]s them: in lanes where doubles are enough, exactly ([`triangle_triangle`], [`orientation`]) where they are not. So which way pairs are found never shows in the result.

mod algebra;
mod candidates;
mod cells;
mod certain;
mod choice;
mod clean;
mod decide;
mod distance;
mod enclosing;
mod expansion;
mod fans;
mod forest;
mod grid;
mod intersections;
mod kfree;
mod leaves;
mod meetings;
mod neighbours;
pub mod orientation;
mod plan;
mod polygons;
mod query;
mod run;
mod scale;
mod segment;
mod soup;
mod sphere;
mod stats;
pub mod triangle_triangle;
mod vicinity;
mod visit;
mod walk;

pub use cells::Hashing;
pub use choice::{Method, Reason};
pub use intersections::{COPLANAR, HAS_SEGMENT, Intersection};
pub use kfree::{Summary, TriangleK, k_free};
pub use polygons::Fans;
pub use query::DiscreteQuery;
pub use run::Run;
pub use soup::Wanted;
pub use stats::{DiscreteSettings, DiscreteStats};
