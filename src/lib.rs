//! Exact continuous collision detection of triangle meshes behind a C ABI.
//!
//! Read this first. Data flows one way: the caller's buffers, then passes over them, then elementary tests,
//! then results in the caller's buffers. A folder is a concept:
//!
//! | module | what it is | what it uses |
//! |---|---|---|
//! | [`capi`] | the only `extern "C"`: checks what C hands over, and names what is wrong with it | all others |
//! | [`detect`] | passes that look for collisions: batches on all workers, meshes on the calling thread | `bvh`, `mesh`, `elementary`, `schedule`, `memory`, `simd` |
//! | [`pipeline`] | many rigid objects through a broad and a narrow phase | `bvh` and all below |
//! | [`kdet`] | intersections at one moment, and the k-free predicate | `bvh`, `mesh`, `elementary` (integers), `schedule`, `memory`, `simd` |
//! | [`bvh`] | a tree of moving boxes for each mesh; knows no pair and no contact | `mesh`, `memory`, `simd` |
//! | [`mesh`] | triangles, their vertices and edges, and where these are at t = 0 and t = 1 | `memory` |
//! | [`elementary`] | eight points in, time of impact out; exact; knows no mesh | `simd` |
//! | [`schedule`] | who runs what when; knows no geometry | nothing |
//! | [`memory`] | the caller's allocator and arrays that live in it | nothing |
//! | [`simd`] | one instruction set or another, chosen at run time | nothing |
//! | `locks` | those of `std`, or others that ThreadSanitizer knows; for all that have locks | nothing |
//!
//! A call from C, `pccd_ccd_batch` say, goes through `capi::guard` (which turns everything that can go wrong into a status
//! and a sentence), is checked in `capi::ccd` and `capi::view`, runs in `detect::Queries`, which cuts it into chunks
//! for the workers of `schedule::Pool`, each of which calls `elementary::batch`. `pccd_query_run` runs in `detect::MeshQuery`: `bvh` is
//! updated, `detect::pairs` goes down the trees to pairs of features, and `elementary::stages` decides these.
//!
//! C programs use `include/pccd.h`, which is generated from `capi`. The modules are public for the benefit of tests and
//! benchmarks; they promise nothing to other crates.

#[cfg(not(target_pointer_width = "64"))]
compile_error!("handles and contexts are 64-bit ids: only 64-bit targets are supported");

#[cfg(panic = "abort")]
compile_error!("the C interface promises never to abort the caller: build with panic = \"unwind\"");

pub mod bvh;
pub mod capi;
pub mod detect;
pub mod elementary;
pub mod kdet;
mod locks;
pub mod memory;
pub mod mesh;
pub mod pipeline;
pub mod schedule;
pub mod simd;
