//! What the objects of a pipeline are: their structs and flags.

use super::guard::enter;
use super::mesh::pccd_mesh;
use super::status::pccd_status;
use super::versioned::{self, Versioned};
use super::view::pccd_view;
use std::ptr;

/// Shape of an object: all within radius of its origin.
pub const PCCD_SHAPE_SPHERE: u32 = 1;
/// Shape of an object: all within radius of a segment along y, from -half_height to half_height.
pub const PCCD_SHAPE_CAPSULE: u32 = 2;
/// Shape of an object: a box around its origin, of twice the half_extents.
pub const PCCD_SHAPE_BOX: u32 = 3;
/// Shape of an object: the convex hull of points.
pub const PCCD_SHAPE_HULL: u32 = 4;
/// Shape of an object: the triangles of a mesh where they are at t = 1. Only the surface counts: what is
/// wholly inside does not touch it.
pub const PCCD_SHAPE_MESH: u32 = 5;

/// Flag of an object: it does not meet other static ones.
pub const PCCD_OBJECT_STATIC: u32 = 1;
/// Flag of an object: contacts on its way from its transform at the last step to the new one are found, too,
/// and pairs have a time of impact. Its origin moves on a straight line and it turns the shorter way round.
/// The time is never late, and early by so much that the gap is at most a millionth of the size of both.
/// Two meshes are followed triangle by triangle, which takes the longer the farther they go in a step.
pub const PCCD_OBJECT_SWEPT: u32 = 2;

/// The handle of an object. It belongs to the pipeline it was added to; any other value of id, that of an
/// object removed before included, is answered with PCCD_ERR_STALE_HANDLE.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct pccd_object {
    /// 0 is the null handle, which is answered with PCCD_ERR_NULL. All else is the library's.
    pub id: u64,
}

/// What to add to a pipeline. Fill it with pccd_object_def_init(), then set a shape and what belongs to it,
/// and change what should differ.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pccd_object_def {
    /// Size of this struct in bytes, as the caller knows it. Set by pccd_object_def_init().
    pub struct_size: u32,
    /// A sum of PCCD_OBJECT_ flags, by default 0.
    pub flags: u32,
    /// One of the PCCD_SHAPE_ values. There is no default.
    pub shape: u32,
    /// Has to be 0.
    pub reserved: u32,
    /// Of a sphere or capsule. Finite, at least 0; a sphere's or capsule's is more than 0.
    pub radius: f64,
    /// Of a capsule. Finite, at least 0.
    pub half_height: f64,
    /// Of a box, along x, y and z. Finite, more than 0.
    pub half_extents: [f64; 3],
    /// Of a hull: PCCD_FORMAT_F32X3 or PCCD_FORMAT_F64X3, 1 to 65535, all coordinates finite. Copied. They may
    /// be anywhere, in a plane, or repeated.
    pub points: pccd_view,
    /// Of a mesh shape. The object follows when the mesh is moved, and is removed when it is destroyed.
    /// Thickness and filter of the mesh do not matter here.
    pub mesh: pccd_mesh,
    /// Where the origin of the shape is. Finite; by default 0 0 0.
    pub position: [f64; 3],
    /// How it is rotated: a quaternion x y z w, which is divided by its length. Finite and not 0; by default
    /// 0 0 0 1.
    pub rotation: [f64; 4],
    /// Bits that tell what the object is; by default 1. Two objects meet only if a.mask & b.category and
    /// b.mask & a.category are both not 0.
    pub category: u64,
    /// Bits that tell what the object meets; by default all.
    pub mask: u64,
    /// For the caller; by default 0. The library gives it back in pccd_object_info.
    pub user_data: u64,
}

// SAFETY: `repr(C)`, begins with `struct_size`; numbers and pointers only.
unsafe impl Versioned for pccd_object_def {
    const NAME: &'static str = "pccd_object_def";
    const INIT: &'static str = "pccd_object_def_init";
    const MIN_SIZE: usize = 176;

    fn defaults() -> pccd_object_def {
        pccd_object_def {
            struct_size: size_of::<pccd_object_def>() as u32,
            flags: 0,
            shape: 0,
            reserved: 0,
            radius: 0.0,
            half_height: 0.0,
            half_extents: [0.0; 3],
            points: pccd_view { data: ptr::null(), count: 0, stride: 0, format: 0, reserved: 0 },
            mesh: pccd_mesh { id: 0 },
            position: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            category: 1,
            mask: u64::MAX,
            user_data: 0,
        }
    }
}

/// What pccd_object_info_get() tells about an object. Prepare it with pccd_object_info_init().
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pccd_object_info {
    /// Size of this struct in bytes, as the caller knows it. Set by pccd_object_info_init().
    pub struct_size: u32,
    /// As in pccd_object_def.
    pub flags: u32,
    /// One of the PCCD_SHAPE_ values.
    pub shape: u32,
    /// Always 0.
    pub reserved: u32,
    /// Where it is.
    pub position: [f64; 3],
    /// How it is rotated: x y z w, of length 1.
    pub rotation: [f64; 4],
    /// As in pccd_object_def.
    pub category: u64,
    /// As in pccd_object_def.
    pub mask: u64,
    /// As in pccd_object_def.
    pub user_data: u64,
}

// SAFETY: `repr(C)`, begins with `struct_size`; numbers only.
unsafe impl Versioned for pccd_object_info {
    const NAME: &'static str = "pccd_object_info";
    const INIT: &'static str = "pccd_object_info_init";
    const MIN_SIZE: usize = 96;

    fn defaults() -> pccd_object_info {
        pccd_object_info {
            struct_size: size_of::<pccd_object_info>() as u32,
            flags: 0,
            shape: 0,
            reserved: 0,
            position: [0.0; 3],
            rotation: [0.0; 4],
            category: 0,
            mask: 0,
            user_data: 0,
        }
    }
}

/// Fills a struct with defaults: an object at the origin that meets all others, without a shape. Pass the size
/// of the struct: `pccd_object_def_init(&def, sizeof def)`.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_object_def_init(def: *mut pccd_object_def, size: usize) -> pccd_status {
    // SAFETY: the caller passes the size of its struct.
    enter("pccd_object_def_init", |call| unsafe { versioned::init(call, "def", def, size) })
}

/// Prepares a struct for pccd_object_info_get(). Pass the size of the struct:
/// `pccd_object_info_init(&info, sizeof info)`.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_object_info_init(info: *mut pccd_object_info, size: usize) -> pccd_status {
    // SAFETY: the caller passes the size of its struct.
    enter("pccd_object_info_init", |call| unsafe { versioned::init(call, "info", info, size) })
}
