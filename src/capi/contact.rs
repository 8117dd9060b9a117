//! What a query has found.

use super::ccd::{PCCD_EDGE_EDGE, PCCD_VERTEX_FACE};
use super::check;
use super::context::pccd_context;
use super::guard::{Success, enter_context};
use super::mesh::pccd_mesh;
use super::query::pccd_query;
use super::status::*;
use crate::detect::{AT_START, Contact, MeshQuery};
use crate::elementary::Kind;
use crate::kdet::DiscreteQuery;
use std::mem::offset_of;
use std::{ptr, slice};

/// Flag of a contact: the pair touches, or is closer than the minimum separation, already at t = 0.
pub const PCCD_CONTACT_AT_START: u32 = 1;

/// Two features in contact: a vertex and a triangle, or two edges.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct pccd_contact {
    /// The mesh of the vertex, or of edge a. Of two edges the first one in the order of mesh and vertices
    /// is a.
    pub mesh_a: pccd_mesh,
    /// The mesh of the triangle, or of edge b. The same as mesh_a for a contact of a mesh with itself.
    pub mesh_b: pccd_mesh,
    /// PCCD_VERTEX_FACE or PCCD_EDGE_EDGE.
    pub kind: u32,
    /// 0 or PCCD_CONTACT_AT_START.
    pub flags: u32,
    /// v f0 f1 f2 for a vertex and a triangle, the latter in the order of its definition; a0 a1 b0 b1 for
    /// two edges, each with the smaller vertex first. Indices into the vertices of their meshes.
    pub vertices: [u32; 4],
    /// A triangle of each feature, as indices into the triangles of their meshes: the triangle itself; for
    /// a vertex or an edge the first triangle that has it.
    pub triangles: [u32; 2],
    /// There is no contact of this pair before this time.
    pub toi_lower: f64,
    /// The first contact of this pair is not after this time; see pccd_ccd_result.
    pub toi_upper: f64,
    /// The contact point on each feature, as weights of the four vertices: 1, f0, f1, f2 or a0, a1, b0, b1.
    pub weights: [f64; 4],
    /// Direction of the contact, of length 1, from the second feature to the first; see pccd_ccd_result.
    pub normal: [f64; 3],
}

/// The contacts as C sees them, without a copy.
pub(super) fn contacts_of(query: &MeshQuery) -> &[pccd_contact] {
    // What the library calls a contact has the same fields in the same places, and the same numbers for the kinds.
    const {
        assert!(size_of::<Contact>() == size_of::<pccd_contact>());
        assert!(align_of::<Contact>() == align_of::<pccd_contact>());
        assert!(offset_of!(Contact, mesh_b) == offset_of!(pccd_contact, mesh_b));
        assert!(offset_of!(Contact, kind) == offset_of!(pccd_contact, kind));
        assert!(offset_of!(Contact, flags) == offset_of!(pccd_contact, flags));
        assert!(offset_of!(Contact, vertices) == offset_of!(pccd_contact, vertices));
        assert!(offset_of!(Contact, triangles) == offset_of!(pccd_contact, triangles));
        assert!(offset_of!(Contact, toi_lower) == offset_of!(pccd_contact, toi_lower));
        assert!(offset_of!(Contact, toi_upper) == offset_of!(pccd_contact, toi_upper));
        assert!(offset_of!(Contact, weights) == offset_of!(pccd_contact, weights));
        assert!(offset_of!(Contact, normal) == offset_of!(pccd_contact, normal));
        assert!(Kind::VertexFace as u32 == PCCD_VERTEX_FACE && Kind::EdgeEdge as u32 == PCCD_EDGE_EDGE);
        assert!(AT_START == PCCD_CONTACT_AT_START);
    }
    let contacts = query.contacts();
    // SAFETY: the layouts are the same, as asserted above; every field of `pccd_contact` takes any bits.
    unsafe { slice::from_raw_parts(contacts.as_ptr().cast(), contacts.len()) }
}

/// Gives the contacts that the last run of a query has found, sorted by mesh_a, mesh_b, kind, vertices,
/// triangles, in this order.
///
/// @param context       the context.
/// @param query         the query.
/// @param out_contacts  receives a pointer to the contacts; null if there are none. They are the
///                      query's, to be read only, and stay where they are until the next
///                      pccd_query_run(), pccd_query_begin() or pccd_query_destroy() of this query, or
///                      the end of the context. No other call touches them.
/// @param out_count     receives their number; 0 if the query has not been run.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Any number
/// of threads may read the contacts while they are valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_query_contacts(
    context: *mut pccd_context,
    query: pccd_query,
    out_contacts: *mut *const pccd_contact,
    out_count: *mut u64,
) -> pccd_status {
    enter_context("pccd_query_contacts", context, |call, context| {
        let contacts = contacts_of(context.mesh_queries.get(call, query.id)?);
        call.not_null(out_contacts, "out_contacts")?;
        call.not_null(out_count, "out_count")?;
        let start = if contacts.is_empty() { ptr::null() } else { contacts.as_ptr() };
        // SAFETY: the caller's pointer to a place for a pointer.
        unsafe { out_contacts.write(start) };
        // SAFETY: the caller's pointer to a place for a number.
        unsafe { out_count.write(contacts.len() as u64) };
        Ok(())
    })
}

/// Copies the contacts that the last run of a query has found, sorted as pccd_query_contacts() gives
/// them. Returns PCCD_INCOMPLETE if there are more than fit: the first of them have been written.
///
/// @param context       the context.
/// @param query         the query.
/// @param out_contacts  an array of capacity elements; may be null if capacity is 0.
/// @param capacity      the most contacts that may be written. 0 only counts them.
/// @param out_count     receives the number of contacts that the query has, whatever the capacity. May
///                      not be null.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_query_copy_contacts(
    context: *mut pccd_context,
    query: pccd_query,
    out_contacts: *mut pccd_contact,
    capacity: u64,
    out_count: *mut u64,
) -> pccd_status {
    enter_context("pccd_query_copy_contacts", context, |call, context| {
        let contacts = contacts_of(context.mesh_queries.get(call, query.id)?);
        check::out_array(call, ("out_contacts", out_contacts), ("capacity", capacity))?;
        call.not_null(out_count, "out_count")?;
        let count = contacts.len() as u64;
        // SAFETY: the caller's array has room for `capacity` elements.
        unsafe { check::write_array(out_contacts, &contacts[..count.min(capacity) as usize]) };
        // SAFETY: the caller's pointer to a place for a number.
        unsafe { out_count.write(count) };
        Ok(if count > capacity { Success::Incomplete } else { Success::Complete })
    })
}

/// Gives a hash of all contacts, or intersections, that the last run has kept, every bit of them.
/// Meshes go into it by their rank among the ids, so that runs in different contexts and processes can
/// be compared.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_query_hash(
    context: *mut pccd_context,
    query: pccd_query,
    out_hash: *mut u64,
) -> pccd_status {
    enter_context("pccd_query_hash", context, |call, context| {
        let query = context.mesh_queries.get(call, query.id)?;
        let hash = query.discrete.as_ref().map_or_else(|| query.hash(), DiscreteQuery::hash);
        call.not_null(out_hash, "out_hash")?;
        // SAFETY: the caller's pointer to a place for a number.
        unsafe { out_hash.write(hash) };
        Ok(())
    })
}
