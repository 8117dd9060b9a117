/*
 * libpccd: exact, deterministic, parallel continuous collision detection of triangle meshes.
 *
 * Every function that can fail returns a pccd_status: 0 when all went well, below 0 for an error. After an
 * error pccd_last_error() has a sentence that names the argument and its value, and nothing has been
 * written through any pointer. Nothing here aborts the process or throws.
 *
 * Structs that begin with struct_size are filled by their _init function first, and may grow at the end
 * in later versions: programs compiled with this header keep working with newer libraries.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef PCCD_H
#define PCCD_H

/*
 * Generated from src/capi. To change it, change that, then: PCCD_UPDATE_HEADER=1 cargo test --test header
 */

#include <stddef.h>
#include <stdint.h>

/**
 * The version of the binary interface that this header describes. A library refuses to create a
 * context for any other.
 */
#define PCCD_ABI_VERSION 1

/**
 * All went well.
 */
#define PCCD_OK 0

/**
 * The results are right but not all: there was no room for the others.
 */
#define PCCD_INCOMPLETE 1

/**
 * pccd_query_cancel() has ended the run: there are no results.
 */
#define PCCD_CANCELLED 2

/**
 * A required pointer or handle is null.
 */
#define PCCD_ERR_NULL -1

/**
 * A value is out of range, an enumeration value unknown, or a count larger than the buffer it is
 * about.
 */
#define PCCD_ERR_INVALID_ARGUMENT -2

/**
 * The struct_size of a struct is not one that this library knows: not initialised, or from a newer
 * header.
 */
#define PCCD_ERR_STRUCT_SIZE -3

/**
 * The caller was compiled for another version of the binary interface.
 */
#define PCCD_ERR_VERSION -4

/**
 * A coordinate is NaN or infinite.
 */
#define PCCD_ERR_NOT_FINITE -5

/**
 * A size does not fit the address space, or the allocator refused memory. Nothing has changed.
 */
#define PCCD_ERR_OUT_OF_MEMORY -6

/**
 * The handle or context was destroyed, never existed, or belongs elsewhere.
 */
#define PCCD_ERR_STALE_HANDLE -7

/**
 * Another call on the same context has not returned yet, or a run was begun in it and not ended.
 */
#define PCCD_ERR_BUSY -8

/**
 * An earlier call on this context returned PCCD_ERR_PANIC: it can only be destroyed.
 */
#define PCCD_ERR_POISONED -9

/**
 * A defect of the library showed itself. The context of this call is poisoned, others are not
 * affected.
 */
#define PCCD_ERR_PANIC -10

/**
 * This CPU lacks the SIMD level that was asked for.
 */
#define PCCD_ERR_UNSUPPORTED -11

/**
 * The system refused to create a thread.
 */
#define PCCD_ERR_THREAD -12

/**
 * A file could not be written.
 */
#define PCCD_ERR_IO -13

/**
 * Log level: a call failed. The message is the sentence of pccd_last_error().
 */
#define PCCD_LOG_ERROR 1

/**
 * Log level: something works, but not as it probably should.
 */
#define PCCD_LOG_WARNING 2

/**
 * Log level: what happens once in a while, such as the creation of a context.
 */
#define PCCD_LOG_INFO 3

/**
 * Scheduler: every worker has a queue of its own, and gives from it to those that are idle and ask. The
 * default.
 */
#define PCCD_SCHEDULER_ASSIGNMENT 1

/**
 * Scheduler: workers that are idle take from the queues of others.
 */
#define PCCD_SCHEDULER_STEALING 2

/**
 * SIMD level: the highest that this CPU has.
 */
#define PCCD_SIMD_AUTO 0

/**
 * SIMD level: none. Runs on every CPU.
 */
#define PCCD_SIMD_SCALAR 1

/**
 * SIMD level: AVX2 of x86-64.
 */
#define PCCD_SIMD_AVX2 2

/**
 * SIMD level: AVX-512 (F, DQ and VL) of x86-64.
 */
#define PCCD_SIMD_AVX512 3

/**
 * Element format: three 32-bit floats, x y z.
 */
#define PCCD_FORMAT_F32X3 1

/**
 * Element format: three 64-bit floats, x y z.
 */
#define PCCD_FORMAT_F64X3 2

/**
 * Element format: three 16-bit unsigned integers, the vertices of a triangle.
 */
#define PCCD_FORMAT_U16X3 3

/**
 * Element format: three 32-bit unsigned integers, the vertices of a triangle.
 */
#define PCCD_FORMAT_U32X3 4

/**
 * Element format: four 32-bit floats, a quaternion x y z w.
 */
#define PCCD_FORMAT_F32X4 5

/**
 * Element format: four 64-bit floats, a quaternion x y z w.
 */
#define PCCD_FORMAT_F64X4 6

/**
 * Kind of query: a vertex against a triangle. Points: v f0 f1 f2.
 */
#define PCCD_VERTEX_FACE 1

/**
 * Kind of query: two edges. Points: a0 a1 b0 b1.
 */
#define PCCD_EDGE_EDGE 2

/**
 * Flag of a result: the pair collides.
 */
#define PCCD_CCD_HIT 1

/**
 * Flag of a result, beside PCCD_CCD_HIT: it does so already at t = 0, touching or closer than
 * min_separation.
 */
#define PCCD_CCD_AT_START 2

/**
 * Flag of a mesh: no contacts of the mesh with itself.
 */
#define PCCD_MESH_NO_SELF 1

/**
 * Nodes are sorted anew by their volume ratio: see volume_ratio in pccd_bvh_def.
 */
#define PCCD_METRIC_VOLUME_RATIO 0

/**
 * Nodes are sorted anew by what a search below them is expected to cost: see loss_limit in pccd_bvh_def.
 */
#define PCCD_METRIC_TRAVERSAL_COST 1

/**
 * Flag of a query: no contacts within a mesh.
 */
#define PCCD_QUERY_NO_SELF 1

/**
 * Flag of a query: no contacts between different meshes.
 */
#define PCCD_QUERY_NO_INTER 2

/**
 * Flag of a query of mode PCCD_MODE_DISCRETE: intersections come with their segments.
 */
#define PCCD_QUERY_SEGMENTS 4

/**
 * Mode of a query: every contact.
 */
#define PCCD_MODE_ALL 1

/**
 * Mode of a query: only the earliest contact. No pair is in contact before its toi_lower: a step that
 * is safe for a simulation. If several are equally early, the first of them in sorted order.
 */
#define PCCD_MODE_EARLIEST 2

/**
 * Mode of a query: every pair that cheap tests can't exclude, without elementary tests: their moving boxes
 * meet, and if the separation is 0, a filter in 32-bit floats does not prove them apart either. All
 * colliding pairs are among them. toi_lower is 0, toi_upper 1; flags, weights and normal are 0.
 */
#define PCCD_MODE_CANDIDATES 3

/**
 * Mode of a query: every pair of triangles that intersect at t = 1, whatever the motion was. They are
 * given by pccd_query_intersections(); there are no contacts. Separations, thicknesses and tolerances
 * are not looked at.
 */
#define PCCD_MODE_DISCRETE 4

/**
 * Culling of a query: none. Every part of a mesh is tested with itself.
 */
#define PCCD_CULL_NONE 0

/**
 * Culling of a query: parts of a mesh are not tested with themselves if it is proved that they have no
 * contact. Results are the same bits as without. The proof: seen from a fixed direction, the triangles of
 * the part face the viewer throughout, and the outline of the part never crosses or touches itself. It
 * saves time where large parts of a mesh lie in one layer, and costs some where they do not.
 */
#define PCCD_CULL_EXACT 1

/**
 * Culling of a query: parts of a mesh are not tested with themselves if cones around their normals, and
 * around the binormals of their edges at the boundary of the mesh, say so (dual cones). Contacts MAY BE
 * MISSED: edges at which a part meets the rest of its mesh are not looked at, so a part that is
 * almost flat but touches or penetrates itself across such an edge is left out. A pipe that is bent into
 * itself is an example. Missed are contacts within a mesh only; nothing is reported that is no contact.
 * What is missed depends on the hierarchy, and so on its settings and on earlier frames, but not on the
 * number of threads, unless the hierarchy is restructured by measured times
 * (PCCD_METRIC_TRAVERSAL_COST).
 */
#define PCCD_CULL_DUAL_CONE 2

/**
 * Flag of a contact: the pair touches, or is closer than the minimum separation, already at t = 0.
 */
#define PCCD_CONTACT_AT_START 1

/**
 * Method of a discrete query: what is likely to be faster, the grid or the hierarchy. pccd_discrete_stats
 * tells which it was, and why.
 */
#define PCCD_METHOD_AUTO 0

/**
 * Method of a discrete query: the boxes of the hierarchy, which is updated.
 */
#define PCCD_METHOD_BVH 1

/**
 * Method of a discrete query: a hierarchical grid that is made anew in every run. The hierarchy is neither
 * used nor updated. Takes time that is linear in the number of triangles, if k (see
 * pccd_k_free_report) and the differences in size are bounded, whatever has changed since the last run.
 */
#define PCCD_METHOD_GRID 2

/**
 * Hashing of the grid's cells: Morton codes. Cells that are close in space are close in memory.
 */
#define PCCD_HASHING_MORTON 0

/**
 * Hashing of the grid's cells: DJB2, which spreads them.
 */
#define PCCD_HASHING_DJB2 1

/**
 * Why a method was used: there was no run yet.
 */
#define PCCD_REASON_NONE 0

/**
 * Why a method was used: the query asks for it.
 */
#define PCCD_REASON_ASKED 1

/**
 * Why the grid was used: pccd_query_run_meshes() has no hierarchy.
 */
#define PCCD_REASON_NO_HIERARCHY 2

/**
 * Why the hierarchy was used: most triangles have not moved since it was updated.
 */
#define PCCD_REASON_RESTS 3

/**
 * Why the grid was used: much of the hierarchy would have to be sorted anew, which takes longer.
 */
#define PCCD_REASON_REBUILD 4

/**
 * Why the hierarchy was used though it has to be sorted anew: sizes differ so much that a grid would have
 * many levels.
 */
#define PCCD_REASON_HEIGHT 5

/**
 * Why the hierarchy was used though it has to be sorted anew: cells of a grid would have many triangles
 * (k is large).
 */
#define PCCD_REASON_CROWDED 6

/**
 * Why the hierarchy was used: most triangles have moved, but it does not have to be sorted anew.
 */
#define PCCD_REASON_MOVES 7

/**
 * Flag of an intersection with a segment: both triangles lie in one plane. What they have in common
 * then mostly is an area.
 */
#define PCCD_INTERSECTION_COPLANAR 1

/**
 * Flag of an intersection: it comes with its segment.
 */
#define PCCD_INTERSECTION_SEGMENT 2

/**
 * Flag of a pipeline: threads stay with their phase while it lasts. Otherwise who finds nothing to do in
 * its own phase helps in the other one. Only speed depends on it.
 */
#define PCCD_PIPELINE_STAY 1

/**
 * Phases of a pipeline: at the same time if the context has two threads or more, else one after the other.
 */
#define PCCD_PHASES_AUTO 1

/**
 * Phases of a pipeline: first the broad phase on all threads, then the narrow one on all threads.
 */
#define PCCD_PHASES_SEQUENTIAL 2

/**
 * Phases of a pipeline: both at the same time, also on one thread.
 */
#define PCCD_PHASES_SIMULTANEOUS 3

/**
 * Broad phase: one of the others, by the number of objects.
 */
#define PCCD_BROAD_AUTO 1

/**
 * Broad phase: every box against every other one.
 */
#define PCCD_BROAD_BRUTE_FORCE 2

/**
 * Broad phase: boxes are sorted into columns and along them.
 */
#define PCCD_BROAD_SWEEP 3

/**
 * Shape of an object: all within radius of its origin.
 */
#define PCCD_SHAPE_SPHERE 1

/**
 * Shape of an object: all within radius of a segment along y, from -half_height to half_height.
 */
#define PCCD_SHAPE_CAPSULE 2

/**
 * Shape of an object: a box around its origin, of twice the half_extents.
 */
#define PCCD_SHAPE_BOX 3

/**
 * Shape of an object: the convex hull of points.
 */
#define PCCD_SHAPE_HULL 4

/**
 * Shape of an object: the triangles of a mesh where they are at t = 1. Only the surface counts: what is
 * wholly inside does not touch it.
 */
#define PCCD_SHAPE_MESH 5

/**
 * Flag of an object: it does not meet other static ones.
 */
#define PCCD_OBJECT_STATIC 1

/**
 * Flag of an object: contacts on its way from its transform at the last step to the new one are found, too,
 * and pairs have a time of impact. Its origin moves on a straight line and it turns the shorter way round.
 * The time is never late, and early by so much that the gap is at most a millionth of the size of both.
 * Two meshes are followed triangle by triangle, which takes the longer the farther they go in a step.
 */
#define PCCD_OBJECT_SWEPT 2

/**
 * State of a pair: in contact, which it was not after the step before.
 */
#define PCCD_PAIR_BEGUN 1

/**
 * State of a pair: in contact, as after the step before.
 */
#define PCCD_PAIR_KEPT 2

/**
 * State of a pair: was in contact after the step before, and is not any more. It has no points.
 */
#define PCCD_PAIR_ENDED 3

/**
 * In place of a triangle, where an object is no mesh.
 */
#define PCCD_NO_TRIANGLE UINT32_MAX

/**
 * Flag of a record: it was a control step, at which the split could have been changed.
 */
#define PCCD_BALANCE_CONTROLLED 1

/**
 * Flag of a record: the split was changed after this step.
 */
#define PCCD_BALANCE_CHANGED 2

/**
 * Flag of a record: the change took back an earlier one that had made it slower.
 */
#define PCCD_BALANCE_UNDONE 4

/**
 * Flag of a record: the caller had fixed the split.
 */
#define PCCD_BALANCE_FIXED 8

/**
 * Flag of a record: the phases ran one after the other, each on all threads.
 */
#define PCCD_BALANCE_SEQUENTIAL 16

/**
 * Threads, memory and log of the library, and all that is created with them. The pointer is a token:
 * it points to nothing that could be read. A context that was destroyed, or a pointer that is no
 * context, is answered with PCCD_ERR_STALE_HANDLE.
 *
 * A context is used by one thread at a time, by any. A second one gets PCCD_ERR_BUSY, but for
 * pccd_query_work() and pccd_query_cancel(). Different contexts do not affect each other.
 */
typedef struct pccd_context pccd_context;

/**
 * What every call returns: 0 when all went well, above 0 for information, below 0 for an error. After
 * an error pccd_last_error() has a sentence about it, and no out-parameter has been written.
 */
typedef int32_t pccd_status;

/**
 * Receives a message: a PCCD_LOG_ level, a text that is valid during the call, and the log_user of the
 * context. Called on the thread that made the call on the context, before that call returns. A call on
 * the same context from inside it returns PCCD_ERR_BUSY. It must return: no exception and no longjmp
 * may leave it.
 */
typedef void (*pccd_log_fn)(int32_t level, const char *message, void *user);

/**
 * Allocates memory: size in bytes (never 0), alignment in bytes (a power of two), and the memory_user
 * of the context. Returns null to refuse. Called during calls on the context, on the calling thread, on
 * a thread of the context, or on one that runs its tasks or was donated to a run, but never on two at
 * once. It must return: no exception and no longjmp may leave it. It must not call functions on the same
 * context.
 */
typedef void *(*pccd_alloc_fn)(size_t size, size_t alignment, void *user);

/**
 * Frees memory that the alloc function of the same context returned: the memory (never null), size and
 * alignment that it was allocated with, and the memory_user of the context. Called like the alloc
 * function.
 */
typedef void (*pccd_free_fn)(void *memory, size_t size, size_t alignment, void *user);

/**
 * A task of the library, to be called once, with the task_context that came with it. It may be called on
 * any thread, in any floating-point mode, and never throws.
 */
typedef void (*pccd_task_fn)(void *task_context);

/**
 * Takes on a task for the job system of the caller: the task and its context, and the task_user of the
 * pccd_context. Returns a handle, which is passed to finish once; or null if it has called the task
 * already, or will never do so.
 *
 * Tasks may be run on any threads, in any order, at the same time or one after the other, at any time
 * until finish has returned for them; even all of them in finish. However they are run, the work gets
 * done, with the same results: it does not wait for tasks that have not begun. More threads only make it
 * faster. A task that has begun returns when the call of the library it belongs to has no more work for
 * it; it may wait meanwhile for others that have begun.
 *
 * Called on the thread that made the call on the context, before that call returns. It must return: no
 * exception and no longjmp may leave it. A call on the same context from inside it returns PCCD_ERR_BUSY;
 * pccd_query_cancel() works.
 */
typedef void *(*pccd_enqueue_fn)(pccd_task_fn task, void *task_context, void *user);

/**
 * Returns when the task of a handle has returned: the handle, which was not null, and the task_user of
 * the pccd_context. It may run the task itself, or other work meanwhile. Called once for each handle,
 * otherwise like the enqueue function.
 */
typedef void (*pccd_finish_fn)(void *handle, void *user);

/**
 * How to create a context. Fill it with pccd_context_def_init(), then change what should differ.
 */
typedef struct pccd_context_def {
    /**
     * Size of this struct in bytes, as the caller knows it. Set by pccd_context_def_init().
     */
    uint32_t struct_size;
    /**
     * Version of the binary interface. pccd_context_def_init() sets that of the library; assign
     * PCCD_ABI_VERSION to have the header checked against the library.
     */
    uint32_t abi_version;
    /**
     * Threads that work on a call, the calling one included: 1 to 1024, by default 1. The library creates
     * all but the calling one, so with 1 it creates none. They sleep between calls.
     * pccd_context_set_threads() changes it. 0 is an error: the library does not guess how many it may
     * have. Results do not depend on it.
     */
    uint32_t thread_count;
    /**
     * One of the PCCD_SIMD_ levels, by default PCCD_SIMD_AUTO. All levels give the same results, bit for
     * bit.
     */
    int32_t simd;
    /**
     * Receives messages; may be null, and is by default.
     */
    pccd_log_fn log;
    /**
     * Passed to log, otherwise not touched.
     */
    void *log_user;
    /**
     * Allocates the memory of the context. Set alloc and free both, or neither, which is the default and
     * means the allocator of the system. What the system needs for starting threads does not come from
     * here.
     */
    pccd_alloc_fn alloc;
    /**
     * Frees what alloc allocated.
     */
    pccd_free_fn free;
    /**
     * Passed to alloc and free, otherwise not touched.
     */
    void *memory_user;
    /**
     * One of the PCCD_SCHEDULER_ values: how queries hand out work to their workers. All give the same
     * results.
     */
    uint32_t scheduler;
    /**
     * Has to be 0.
     */
    uint32_t reserved;
    /**
     * Runs the work of the context on the caller's job system. Set enqueue and finish both, or neither,
     * which is the default. With them the library creates no thread: a call enqueues thread_count - 1
     * tasks, or fewer, and works itself as well.
     */
    pccd_enqueue_fn enqueue;
    /**
     * Waits for what enqueue has taken on.
     */
    pccd_finish_fn finish;
    /**
     * Passed to enqueue and finish, otherwise not touched.
     */
    void *task_user;
} pccd_context_def;

/**
 * What pccd_context_info_get() tells about a context. Prepare it with pccd_context_info_init().
 */
typedef struct pccd_context_info {
    /**
     * Size of this struct in bytes, as the caller knows it. Set by pccd_context_info_init().
     */
    uint32_t struct_size;
    /**
     * Threads that work on a call, the calling one included.
     */
    uint32_t thread_count;
    /**
     * The SIMD level in use: never PCCD_SIMD_AUTO.
     */
    int32_t simd;
    /**
     * Always 0.
     */
    uint32_t reserved;
    /**
     * Bytes that the context holds now, from the alloc function or from the system.
     */
    uint64_t allocated_bytes;
    /**
     * One of the PCCD_SCHEDULER_ values.
     */
    uint32_t scheduler;
    /**
     * 1 if the work is done by tasks of the caller's job system, 0 if by threads of the library.
     */
    uint32_t uses_tasks;
} pccd_context_info;

/**
 * What to look for. Fill it with pccd_ccd_settings_init(), then change what should differ.
 */
typedef struct pccd_ccd_settings {
    /**
     * Size of this struct in bytes, as the caller knows it. Set by pccd_ccd_settings_init().
     */
    uint32_t struct_size;
    /**
     * Has to be 0.
     */
    uint32_t reserved;
    /**
     * Distance d at which two primitives count as colliding; at least 0, by default 0. With 0 the answer
     * is exact: a pair is reported if and only if the exact motion of the given numbers collides.
     */
    double min_separation;
    /**
     * Widest bracket of the time of impact: above 0, at most 1, by default 1e-6.
     */
    double toi_tolerance;
    /**
     * Only with d above 0: no pair is missed that comes within d, and none is reported that stays
     * farther away than d plus this times the size of the query, which is the largest difference along
     * an axis between two of its four points, at t = 0 or at t = 1. From 1e-12 to 1, by default 1e-9.
     */
    double separation_tolerance;
} pccd_ccd_settings;

/**
 * A buffer of the caller's, which the library reads in place during a call: never past its last
 * element, and without ever writing to it. The elements need not be aligned.
 */
typedef struct pccd_view {
    /**
     * The first element. May be null only if count is 0.
     */
    const void *data;
    /**
     * Number of elements. The last one has to be readable, padding behind it need not be.
     */
    uint64_t count;
    /**
     * Bytes from one element to the next; 0 if there are none between them.
     */
    uint64_t stride;
    /**
     * What an element is: one of the PCCD_FORMAT_ values.
     */
    uint32_t format;
    /**
     * Has to be 0.
     */
    uint32_t reserved;
} pccd_view;

/**
 * The answer to one query. For a pair that does not collide flags is 0, both times are +infinity, and
 * all else is 0. No field is ever NaN.
 */
typedef struct pccd_ccd_result {
    /**
     * 0, PCCD_CCD_HIT, or PCCD_CCD_HIT and PCCD_CCD_AT_START.
     */
    uint32_t flags;
    /**
     * Always 0.
     */
    uint32_t reserved;
    /**
     * There is no contact before this time.
     */
    double toi_lower;
    /**
     * The first contact is not after this time; with a min_separation d above 0, the distance at this
     * time is at most d plus the tolerance. It is at most toi_tolerance later than toi_lower, or the
     * next double.
     */
    double toi_upper;
    /**
     * The contact point on each primitive, as weights of the points in input order: 1, f0, f1, f2 for
     * vertex and face; a0, a1, b0, b1 for two edges.
     */
    double weights[4];
    /**
     * Direction of the contact, of length 1, from the second primitive (face, edge b) to the first:
     * the normal of the face or of both edges at the time of contact, on the side where the first
     * primitive was at t = 0 (or else comes from); with a min_separation, from closest point to
     * closest point. If the face has no area or the edges are parallel then: how the points in contact
     * were apart at t = 0, or else how they approach each other, perpendicular to the longest edge. If
     * they are together and stay so: any direction perpendicular to the longest edge, or the x axis if
     * all edges are points.
     */
    double normal[3];
} pccd_ccd_result;

/**
 * How to create a mesh. Fill it with pccd_mesh_def_init(), then set positions and triangles and change
 * what should differ.
 */
typedef struct pccd_mesh_def {
    /**
     * Size of this struct in bytes, as the caller knows it. Set by pccd_mesh_def_init().
     */
    uint32_t struct_size;
    /**
     * 0, which is the default, or PCCD_MESH_NO_SELF.
     */
    uint32_t flags;
    /**
     * The vertices: PCCD_FORMAT_F32X3 or PCCD_FORMAT_F64X3, at most 4294967294, all coordinates finite.
     * Copied. The mesh rests at these positions until it is moved.
     */
    pccd_view positions;
    /**
     * Three vertices for each triangle: PCCD_FORMAT_U16X3 or PCCD_FORMAT_U32X3, at most 1431655765, all
     * indices less than the number of vertices. Copied. Any set of triangles will do: open or closed,
     * connected or not, edges with more than two triangles, triangles without area or with a repeated
     * vertex. Vertices that no triangle uses are no features: they are never in contact.
     */
    pccd_view triangles;
    /**
     * Added to the min_separation of a query, once for each of the two meshes of a pair, so twice for a
     * mesh with itself. Finite, at least 0, by default 0.
     */
    double thickness;
    /**
     * Bits that tell what the mesh is; by default 1. Two different meshes meet only if a.mask &
     * b.category and b.mask & a.category are both not 0. A mesh meets itself whatever they are.
     */
    uint64_t category;
    /**
     * Bits that tell what the mesh meets; by default all.
     */
    uint64_t mask;
    /**
     * For the caller; by default 0. The library gives it back in pccd_mesh_info and does nothing else
     * with it.
     */
    uint64_t user_data;
} pccd_mesh_def;

/**
 * The handle of a mesh: a body made of triangles. It belongs to the context it was created in; any
 * other value of id, that of a mesh destroyed before included, is answered with PCCD_ERR_STALE_HANDLE.
 */
typedef struct pccd_mesh {
    /**
     * 0 is the null handle, which is answered with PCCD_ERR_NULL. All else is the library's.
     */
    uint64_t id;
} pccd_mesh;

/**
 * What pccd_mesh_info_get() tells about a mesh. Prepare it with pccd_mesh_info_init().
 */
typedef struct pccd_mesh_info {
    /**
     * Size of this struct in bytes, as the caller knows it. Set by pccd_mesh_info_init().
     */
    uint32_t struct_size;
    /**
     * As in the definition.
     */
    uint32_t flags;
    /**
     * Vertices, those included that no triangle uses.
     */
    uint64_t vertex_count;
    /**
     * Triangles, those without area included.
     */
    uint64_t triangle_count;
    /**
     * Edges: pairs of different vertices that are corners of a triangle, each counted once.
     */
    uint64_t edge_count;
    /**
     * Triangles that have a vertex more than once, or had no area when the mesh was created.
     */
    uint64_t degenerate_triangle_count;
    /**
     * Bytes that the library holds for this mesh, without the hierarchies it is in.
     */
    uint64_t bytes;
    /**
     * As in the definition.
     */
    double thickness;
    /**
     * As in the definition, or as pccd_mesh_set_filter() has set it.
     */
    uint64_t category;
    /**
     * As in the definition, or as pccd_mesh_set_filter() has set it.
     */
    uint64_t mask;
    /**
     * As in the definition.
     */
    uint64_t user_data;
} pccd_mesh_info;

/**
 * How to create a hierarchy. Fill it with pccd_bvh_def_init(), then change what should differ.
 */
typedef struct pccd_bvh_def {
    /**
     * Size of this struct in bytes, as the caller knows it. Set by pccd_bvh_def_init().
     */
    uint32_t struct_size;
    /**
     * Has to be 0.
     */
    uint32_t reserved;
    /**
     * What belongs to a mesh is built anew at an update when its quality has fallen below this: from 0
     * (never) to 1 (whenever it has become worse at all), by default 0.5. Only speed depends on it,
     * never a result.
     */
    double rebuild_quality;
    /**
     * A part of a mesh is sorted anew during a run when its box, compared with those of its parts, has come
     * to less than this share of what it was: from 0 (never) to 1, by default 0.9. Only speed depends on
     * it, never a result.
     */
    double volume_ratio;
    /**
     * What decides which parts of meshes are sorted anew during a run: PCCD_METRIC_VOLUME_RATIO, which is
     * the default, or PCCD_METRIC_TRAVERSAL_COST. Only speed depends on it, never a result.
     */
    uint32_t metric;
    /**
     * Meshes of at least so many triangles are sorted by a grid when they are added or built anew, and
     * by medians only within its cells, when these have fewer. 0, which is the default, for never; 100 to
     * 1000 are sensible. Measure before you use it: hierarchies become worse, and on what has been measured
     * so far no time was saved. Only speed depends on it, never a result.
     */
    uint32_t grid_limit;
    /**
     * With PCCD_METRIC_TRAVERSAL_COST, a part is sorted anew when the time that this is expected to save
     * is more than what it is expected to take, and the latter is at most this share of the time of the
     * last run: from 0 (never) to 1, by default 0.25. Both are estimated with constants that are measured
     * while hierarchies are built and queries run, so what is sorted when may differ from one execution
     * of a program to the next. Results do not.
     */
    double loss_limit;
} pccd_bvh_def;

/**
 * What pccd_bvh_info_get() tells about a hierarchy. Prepare it with pccd_bvh_info_init().
 */
typedef struct pccd_bvh_info {
    /**
     * Size of this struct in bytes, as the caller knows it. Set by pccd_bvh_info_init().
     */
    uint32_t struct_size;
    /**
     * Levels from the root to the deepest leaf.
     */
    uint32_t depth;
    /**
     * Meshes in the hierarchy.
     */
    uint64_t mesh_count;
    /**
     * Triangles of all of them.
     */
    uint64_t triangle_count;
    /**
     * Nodes.
     */
    uint64_t node_count;
    /**
     * Bytes that the library holds for this hierarchy, without its meshes.
     */
    uint64_t bytes;
    /**
     * 1 right after a build, less as the boxes grow.
     */
    double quality;
    /**
     * How often the quality of a mesh had fallen so far that its part was built anew.
     */
    uint64_t rebuild_count;
    /**
     * How often a part of a mesh was sorted anew during a run: see volume_ratio in pccd_bvh_def.
     */
    uint64_t node_rebuild_count;
    /**
     * How many of rebuild_count were because too many parts of a mesh had no room to be sorted anew.
     */
    uint64_t crowded_count;
} pccd_bvh_info;

/**
 * The handle of a bounding volume hierarchy over any number of meshes. It belongs to the context it was
 * created in; any other value of id, that of a hierarchy destroyed before included, is answered with
 * PCCD_ERR_STALE_HANDLE.
 */
typedef struct pccd_bvh {
    /**
     * 0 is the null handle, which is answered with PCCD_ERR_NULL. All else is the library's.
     */
    uint64_t id;
} pccd_bvh;

/**
 * A triangle of a mesh.
 */
typedef struct pccd_triangle_ref {
    /**
     * The mesh.
     */
    pccd_mesh mesh;
    /**
     * Which of its triangles: an index into the triangles it was created with.
     */
    uint32_t triangle;
    /**
     * Always 0.
     */
    uint32_t reserved;
} pccd_triangle_ref;

/**
 * How a mesh breaks. Fill it with pccd_split_def_init(), then set part_count, parts and triangle_count,
 * and the rest if the mesh tears or shows new faces.
 */
typedef struct pccd_split_def {
    /**
     * Size of this struct in bytes, as the caller knows it. Set by pccd_split_def_init().
     */
    uint32_t struct_size;
    /**
     * How many meshes come out, at least 1.
     */
    uint32_t part_count;
    /**
     * For each triangle the number of its part, less than part_count. Every part has to have a triangle.
     */
    const uint32_t *parts;
    /**
     * How many elements parts has: the number of triangles of the mesh, or more if triangles are given.
     */
    uint64_t triangle_count;
    /**
     * Vertices of the mesh that are there once more: copies[i] gets a copy, which has the number
     * vertex_count + i. By default there are none. A vertex that several parts use needs no copy: each
     * part gets its own anyway. Copies are for what tears without coming apart.
     */
    const uint32_t *copies;
    /**
     * How many elements copies has.
     */
    uint64_t copy_count;
    /**
     * New corners of the triangles: PCCD_FORMAT_U16X3 or PCCD_FORMAT_U32X3, triangle_count of them, or
     * an empty view (the default) if all stay as they are. Those that the mesh has keep their shape: a
     * corner is what it was, or a copy of that. Those beyond are new triangles, between any vertices and
     * copies: the faces of a crack, for instance.
     */
    pccd_view triangles;
} pccd_split_def;

/**
 * Which meshes become one. Fill it with pccd_merge_def_init(), then set meshes and mesh_count, and a
 * weld if vertices should be shared.
 */
typedef struct pccd_merge_def {
    /**
     * Size of this struct in bytes, as the caller knows it. Set by pccd_merge_def_init().
     */
    uint32_t struct_size;
    /**
     * Has to be 0.
     */
    uint32_t reserved;
    /**
     * The meshes, each once. Their vertices are numbered through, those of the first mesh first.
     */
    const pccd_mesh *meshes;
    /**
     * How many meshes there are, at least 1.
     */
    uint64_t mesh_count;
    /**
     * For each vertex, numbered through, the one that it becomes: itself, or an earlier one that becomes
     * itself and is at the same place, at t = 0 and at t = 1. By default null: all stay themselves.
     */
    const uint32_t *weld;
    /**
     * How many elements weld has: the number of vertices of all meshes, or 0 if there is no weld.
     */
    uint64_t vertex_count;
} pccd_merge_def;

/**
 * A vertex of a mesh.
 */
typedef struct pccd_vertex_ref {
    /**
     * The mesh.
     */
    pccd_mesh mesh;
    /**
     * Which of its vertices.
     */
    uint32_t vertex;
    /**
     * Always 0.
     */
    uint32_t reserved;
} pccd_vertex_ref;

/**
 * What to look for. Fill it with pccd_query_def_init(), then change what should differ.
 */
typedef struct pccd_query_def {
    /**
     * Size of this struct in bytes, as the caller knows it. Set by pccd_query_def_init().
     */
    uint32_t struct_size;
    /**
     * A sum of PCCD_QUERY_ flags, by default 0.
     */
    uint32_t flags;
    /**
     * One of the PCCD_MODE_ values, by default PCCD_MODE_ALL.
     */
    uint32_t mode;
    /**
     * Has to be 0.
     */
    uint32_t reserved;
    /**
     * As in pccd_ccd_settings. The distance at which a pair collides is this plus the thickness of both
     * meshes; the sum has to be finite, which pccd_query_run() checks.
     */
    double min_separation;
    /**
     * As in pccd_ccd_settings.
     */
    double toi_tolerance;
    /**
     * As in pccd_ccd_settings.
     */
    double separation_tolerance;
    /**
     * The most contacts that are kept, the first ones in sorted order; by default 0, which means all.
     * How many were dropped is told by PCCD_INCOMPLETE from pccd_query_run() and in pccd_query_stats.
     */
    uint64_t capacity;
    /**
     * With mode PCCD_MODE_DISCRETE, one of the PCCD_METHOD_ values, by default PCCD_METHOD_AUTO. Otherwise
     * it has to be that. Results do not depend on it.
     */
    uint32_t method;
    /**
     * With mode PCCD_MODE_DISCRETE, one of the PCCD_HASHING_ values, by default PCCD_HASHING_MORTON.
     * Otherwise it has to be that. Results do not depend on it.
     */
    uint32_t hashing;
    /**
     * One of the PCCD_CULL_ values, by default PCCD_CULL_NONE. Only contacts within a mesh at distance 0
     * are culled: where the separation, thickness included, is more than 0, and with the modes
     * PCCD_MODE_CANDIDATES and PCCD_MODE_DISCRETE, nothing is.
     */
    uint32_t culling;
    /**
     * Has to be 0.
     */
    uint32_t reserved2;
} pccd_query_def;

/**
 * The handle of a query: what to look for, and afterwards what was found. It belongs to the context it
 * was created in; any other value of id, that of a query destroyed before included, is answered with
 * PCCD_ERR_STALE_HANDLE.
 */
typedef struct pccd_query {
    /**
     * 0 is the null handle, which is answered with PCCD_ERR_NULL. All else is the library's.
     */
    uint64_t id;
} pccd_query;

/**
 * Two features in contact: a vertex and a triangle, or two edges.
 */
typedef struct pccd_contact {
    /**
     * The mesh of the vertex, or of edge a. Of two edges the first one in the order of mesh and vertices
     * is a.
     */
    pccd_mesh mesh_a;
    /**
     * The mesh of the triangle, or of edge b. The same as mesh_a for a contact of a mesh with itself.
     */
    pccd_mesh mesh_b;
    /**
     * PCCD_VERTEX_FACE or PCCD_EDGE_EDGE.
     */
    uint32_t kind;
    /**
     * 0 or PCCD_CONTACT_AT_START.
     */
    uint32_t flags;
    /**
     * v f0 f1 f2 for a vertex and a triangle, the latter in the order of its definition; a0 a1 b0 b1 for
     * two edges, each with the smaller vertex first. Indices into the vertices of their meshes.
     */
    uint32_t vertices[4];
    /**
     * A triangle of each feature, as indices into the triangles of their meshes: the triangle itself; for
     * a vertex or an edge the first triangle that has it.
     */
    uint32_t triangles[2];
    /**
     * There is no contact of this pair before this time.
     */
    double toi_lower;
    /**
     * The first contact of this pair is not after this time; see pccd_ccd_result.
     */
    double toi_upper;
    /**
     * The contact point on each feature, as weights of the four vertices: 1, f0, f1, f2 or a0, a1, b0, b1.
     */
    double weights[4];
    /**
     * Direction of the contact, of length 1, from the second feature to the first; see pccd_ccd_result.
     */
    double normal[3];
} pccd_contact;

/**
 * What pccd_query_stats_get() tells about the last run of a query. Prepare it with
 * pccd_query_stats_init(). Counts and times say how the work was done: unlike contacts, they may change
 * with the hierarchy, the number of threads and the version of the library. After a run that was
 * cancelled they say what had been done by then. Of a query of mode PCCD_MODE_DISCRETE,
 * pccd_discrete_stats_get() tells more.
 */
typedef struct pccd_query_stats {
    /**
     * Size of this struct in bytes, as the caller knows it. Set by pccd_query_stats_init().
     */
    uint32_t struct_size;
    /**
     * Always 0.
     */
    uint32_t reserved;
    /**
     * Triangles of all meshes in the hierarchy.
     */
    uint64_t triangle_count;
    /**
     * Pairs of nodes whose boxes were compared.
     */
    uint64_t node_pairs;
    /**
     * Pairs of leaves whose triangles were compared.
     */
    uint64_t leaf_pairs;
    /**
     * Pairs of a vertex and a triangle whose boxes meet: what is left for filters and elementary tests.
     */
    uint64_t candidates_vf;
    /**
     * Pairs of edges whose boxes meet.
     */
    uint64_t candidates_ee;
    /**
     * Contacts of a vertex and a triangle.
     */
    uint64_t contacts_vf;
    /**
     * Contacts of two edges.
     */
    uint64_t contacts_ee;
    /**
     * Contacts beyond the capacity of the query.
     */
    uint64_t dropped;
    /**
     * Pairs that needed exact arithmetic.
     */
    uint64_t exact_tests;
    /**
     * Bytes that the library keeps for the hierarchy and its meshes, whatever is found.
     */
    uint64_t state_bytes;
    /**
     * Milliseconds for the update of the hierarchy.
     */
    double ms_update;
    /**
     * Milliseconds for finding the pairs that need an elementary test, summed over the workers.
     */
    double ms_traverse;
    /**
     * Milliseconds for the elementary tests, summed over the workers.
     */
    double ms_elementary;
    /**
     * Milliseconds for sorting the contacts.
     */
    double ms_sort;
    /**
     * Milliseconds for the run.
     */
    double ms_total;
    /**
     * state_bytes divided by triangle_count; 0 without triangles.
     */
    double bytes_per_triangle;
    /**
     * Milliseconds of ms_update in which boxes were fitted to the vertices that had moved.
     */
    double ms_refit;
    /**
     * Milliseconds in which parts of meshes were tested with themselves.
     */
    double ms_low;
    /**
     * Milliseconds in which the pairs were tested that are left then: of large parts of a mesh, and of
     * different meshes.
     */
    double ms_high;
    /**
     * Milliseconds in which one worker prepared something while the others waited. Counted in the times
     * above as well.
     */
    double ms_serial;
    /**
     * Of the time in which all workers were there to work, the share in which they did not: 0 if all
     * were busy to the end. Workers that did not come to a run that was begun count as idle.
     */
    double imbalance;
    /**
     * The most workers that could have taken part; 0 before the first run.
     */
    uint64_t worker_count;
    /**
     * Units of work.
     */
    uint64_t units;
    /**
     * Times that an idle worker asked, or looked around, for work.
     */
    uint64_t requests;
    /**
     * Units that a worker gave to another one that had asked.
     */
    uint64_t grants;
    /**
     * Units that a worker took from the place of another one.
     */
    uint64_t steals;
    /**
     * Parts of meshes that were sorted anew because their boxes had become bad.
     */
    uint64_t node_rebuilds;
    /**
     * Triangles of the parts of meshes that were not tested with themselves (see culling in
     * pccd_query_def), each counted once.
     */
    uint64_t culled_triangles;
    /**
     * Milliseconds for finding these parts.
     */
    double ms_cull;
} pccd_query_stats;

/**
 * What pccd_query_worker_stats_get() tells about a worker in the last run of a query. Prepare it with
 * pccd_query_worker_stats_init(). All of it may change from run to run.
 */
typedef struct pccd_query_worker_stats {
    /**
     * Size of this struct in bytes, as the caller knows it. Set by pccd_query_worker_stats_init().
     */
    uint32_t struct_size;
    /**
     * Always 0.
     */
    uint32_t reserved;
    /**
     * Milliseconds in which it worked on units.
     */
    double ms_busy;
    /**
     * Units that it worked on.
     */
    uint64_t units;
    /**
     * Times that it had nothing to do and asked, or looked around, for work.
     */
    uint64_t requests;
    /**
     * Units that it gave to others that had asked.
     */
    uint64_t grants;
    /**
     * Units that it took from the places of others.
     */
    uint64_t steals;
    /**
     * Parts of meshes that it sorted anew.
     */
    uint64_t node_rebuilds;
    /**
     * Pairs of nodes whose boxes it compared.
     */
    uint64_t node_pairs;
    /**
     * Pairs of leaves whose triangles it compared.
     */
    uint64_t leaf_pairs;
    /**
     * Pairs of a vertex and a triangle whose boxes meet: what is left for its filters and elementary tests.
     */
    uint64_t candidates_vf;
    /**
     * Pairs of edges whose boxes meet.
     */
    uint64_t candidates_ee;
} pccd_query_worker_stats;

/**
 * What pccd_discrete_stats_get() tells about the last run of a query of mode PCCD_MODE_DISCRETE.
 * Prepare it with pccd_discrete_stats_init(). Unlike intersections, these numbers may change with the
 * method and the version of the library.
 */
typedef struct pccd_discrete_stats {
    /**
     * Size of this struct in bytes, as the caller knows it. Set by pccd_discrete_stats_init().
     */
    uint32_t struct_size;
    /**
     * The method that was used: PCCD_METHOD_BVH or PCCD_METHOD_GRID; PCCD_METHOD_AUTO before the first
     * run.
     */
    uint32_t method;
    /**
     * One of the PCCD_REASON_ values: why this method.
     */
    uint32_t reason;
    /**
     * Always 0.
     */
    uint32_t reserved;
    /**
     * Triangles of all meshes.
     */
    uint64_t triangle_count;
    /**
     * Pairs that intersect, those beyond the capacity included.
     */
    uint64_t intersections;
    /**
     * Intersections beyond the capacity of the query.
     */
    uint64_t dropped;
    /**
     * Pairs of triangles whose boxes overlap.
     */
    uint64_t candidates;
    /**
     * Pairs that were not decided by the filter in doubles.
     */
    uint64_t exact_tests;
    /**
     * Pairs of boxes of the hierarchy that were looked at; 0 with the grid.
     */
    uint64_t node_pairs;
    /**
     * Cells of the grid that have triangles; 0 with the hierarchy, as the next two.
     */
    uint64_t cells;
    /**
     * Triangles in cells, each in all cells that it intersects.
     */
    uint64_t entries;
    /**
     * Levels of the grid that have triangles.
     */
    uint64_t levels;
    /**
     * Milliseconds for the population of the grid, or the update of the hierarchy.
     */
    double ms_update;
    /**
     * Milliseconds for finding pairs and testing them.
     */
    double ms_find;
    /**
     * Milliseconds for sorting the intersections, and for their segments.
     */
    double ms_sort;
    /**
     * Milliseconds for the run.
     */
    double ms_total;
} pccd_discrete_stats;

/**
 * Two triangles that have a point in common at t = 1. If they share vertices, which only triangles of
 * the same mesh can, they have one in common beyond these and the edge between them. Triangles with
 * the same three vertices intersect. Decided exactly, for triangles of any shape, those without area
 * included.
 */
typedef struct pccd_intersection {
    /**
     * The mesh of the first triangle: the one with the smaller id.
     */
    pccd_mesh mesh_a;
    /**
     * The mesh of the second one. The same as mesh_a for triangles of one mesh.
     */
    pccd_mesh mesh_b;
    /**
     * The first triangle, an index into the triangles of mesh_a; less than triangle_b in the same mesh.
     */
    uint32_t triangle_a;
    /**
     * The second triangle, an index into the triangles of mesh_b.
     */
    uint32_t triangle_b;
    /**
     * 0, or a sum of PCCD_INTERSECTION_ flags.
     */
    uint32_t flags;
    /**
     * Always 0.
     */
    uint32_t reserved;
    /**
     * With PCCD_QUERY_SEGMENTS, the ends of what both have in common, x y z of one, then of the other;
     * twice the same if that is a point. Of an area, the two corners of it that are farthest apart.
     * Which edges and corners these are on is exact; coordinates are rounded. Without the flag all are
     * 0.
     */
    double segment[6];
} pccd_intersection;

/**
 * What pccd_mesh_k_free() and pccd_mesh_k_free_polygons() tell about some meshes. Prepare it with
 * pccd_k_free_report_init(). The latter speaks of polygons where the former does of triangles.
 *
 * The size d of a triangle is the diameter of its minimum enclosing sphere. A triangle is k-free if
 * fewer than k others that are at least as large come as close to it as d / 4. What is told is the
 * smallest such k, of single triangles and of all of them: the larger it is, the more triangles can
 * intersect at one place, and the longer a query of mode PCCD_MODE_DISCRETE can take. Surfaces of even
 * triangles have about 6 to 20.
 */
typedef struct pccd_k_free_report {
    /**
     * Size of this struct in bytes, as the caller knows it. Set by pccd_k_free_report_init().
     */
    uint32_t struct_size;
    /**
     * Always 0.
     */
    uint32_t reserved;
    /**
     * Triangles of all meshes.
     */
    uint64_t triangle_count;
    /**
     * The smallest k for which all triangles are k-free; 0 without triangles. Never too small: where
     * rounding leaves open whether a triangle is close enough, it counts.
     */
    uint64_t k_max;
    /**
     * The mean of the smallest k of each triangle.
     */
    double k_mean;
    /**
     * The standard deviation of the smallest k of each triangle.
     */
    double k_deviation;
    /**
     * The mean number of larger triangles that are counted for a triangle and share a vertex with it.
     */
    double neighbours_mean;
    /**
     * Of all larger triangles that are counted, the share of those that share a vertex: what of k
     * comes from the mere connection of the triangles.
     */
    double neighbour_share;
    /**
     * The binary logarithm of the largest size divided by the smallest one that is not 0: how many
     * levels the grid has.
     */
    double height;
    /**
     * The smallest size that is not 0; 0 if there is none.
     */
    double diameter_min;
    /**
     * The largest size.
     */
    double diameter_max;
    /**
     * Triangles whose corners are all in one place.
     */
    uint64_t point_count;
    /**
     * 3 n k, n being the number of triangles and k k_max: no more pairs can intersect between two sets
     * that have n triangles together and are both k-free. A polygon of more than one triangle counts 7 k
     * instead of 3 k, which is proved for flat ones. UINT64_MAX if it is more than that.
     */
    uint64_t bound;
    /**
     * Polygons of all meshes; as many as triangles from pccd_mesh_k_free().
     */
    uint64_t polygon_count;
} pccd_k_free_report;

/**
 * A triangle or a polygon, and the smallest k for which it is k-free.
 */
typedef struct pccd_triangle_k {
    /**
     * The mesh.
     */
    pccd_mesh mesh;
    /**
     * The triangle, an index into the triangles of the mesh; of a polygon the first one.
     */
    uint32_t triangle;
    /**
     * One more than there are other triangles or polygons that are at least as large and as close as told at
     * pccd_k_free_report.
     */
    uint32_t k;
    /**
     * How many of these share a vertex with it.
     */
    uint32_t neighbours;
    /**
     * The polygon, an index into the fans of pccd_mesh_k_free_polygons(); 0 from pccd_mesh_k_free().
     */
    uint32_t polygon;
    /**
     * The diameter of its minimum enclosing sphere, rounded.
     */
    double diameter;
} pccd_triangle_k;

/**
 * How to create a pipeline. Fill it with pccd_pipeline_def_init(), then change what should differ.
 */
typedef struct pccd_pipeline_def {
    /**
     * Size of this struct in bytes, as the caller knows it. Set by pccd_pipeline_def_init().
     */
    uint32_t struct_size;
    /**
     * 0, which is the default, or PCCD_PIPELINE_STAY.
     */
    uint32_t flags;
    /**
     * One of the PCCD_PHASES_ values, by default PCCD_PHASES_AUTO. Only speed depends on it.
     */
    uint32_t phases;
    /**
     * One of the PCCD_BROAD_ values, by default PCCD_BROAD_AUTO. Only speed depends on it.
     */
    uint32_t broad;
    /**
     * Threads that begin with the broad phase, if narrow_threads is set, too. Both are 0 by default: the
     * library measures and decides. See pccd_pipeline_set_split().
     */
    uint32_t broad_threads;
    /**
     * Threads that begin with the narrow phase.
     */
    uint32_t narrow_threads;
    /**
     * Objects are in contact when the gap between them is at most this. Finite, at least 0, by default 0:
     * when they touch or overlap.
     */
    double margin;
} pccd_pipeline_def;

/**
 * The handle of a pipeline: rigid objects, and the contacts between them. It belongs to the context it was
 * created in; any other value of id, that of a pipeline destroyed before included, is answered with
 * PCCD_ERR_STALE_HANDLE.
 */
typedef struct pccd_pipeline {
    /**
     * 0 is the null handle, which is answered with PCCD_ERR_NULL. All else is the library's.
     */
    uint64_t id;
} pccd_pipeline;

/**
 * What to add to a pipeline. Fill it with pccd_object_def_init(), then set a shape and what belongs to it,
 * and change what should differ.
 */
typedef struct pccd_object_def {
    /**
     * Size of this struct in bytes, as the caller knows it. Set by pccd_object_def_init().
     */
    uint32_t struct_size;
    /**
     * A sum of PCCD_OBJECT_ flags, by default 0.
     */
    uint32_t flags;
    /**
     * One of the PCCD_SHAPE_ values. There is no default.
     */
    uint32_t shape;
    /**
     * Has to be 0.
     */
    uint32_t reserved;
    /**
     * Of a sphere or capsule. Finite, at least 0; a sphere's or capsule's is more than 0.
     */
    double radius;
    /**
     * Of a capsule. Finite, at least 0.
     */
    double half_height;
    /**
     * Of a box, along x, y and z. Finite, more than 0.
     */
    double half_extents[3];
    /**
     * Of a hull: PCCD_FORMAT_F32X3 or PCCD_FORMAT_F64X3, 1 to 65535, all coordinates finite. Copied. They may
     * be anywhere, in a plane, or repeated.
     */
    pccd_view points;
    /**
     * Of a mesh shape. The object follows when the mesh is moved, and is removed when it is destroyed.
     * Thickness and filter of the mesh do not matter here.
     */
    pccd_mesh mesh;
    /**
     * Where the origin of the shape is. Finite; by default 0 0 0.
     */
    double position[3];
    /**
     * How it is rotated: a quaternion x y z w, which is divided by its length. Finite and not 0; by default
     * 0 0 0 1.
     */
    double rotation[4];
    /**
     * Bits that tell what the object is; by default 1. Two objects meet only if a.mask & b.category and
     * b.mask & a.category are both not 0.
     */
    uint64_t category;
    /**
     * Bits that tell what the object meets; by default all.
     */
    uint64_t mask;
    /**
     * For the caller; by default 0. The library gives it back in pccd_object_info.
     */
    uint64_t user_data;
} pccd_object_def;

/**
 * What pccd_object_info_get() tells about an object. Prepare it with pccd_object_info_init().
 */
typedef struct pccd_object_info {
    /**
     * Size of this struct in bytes, as the caller knows it. Set by pccd_object_info_init().
     */
    uint32_t struct_size;
    /**
     * As in pccd_object_def.
     */
    uint32_t flags;
    /**
     * One of the PCCD_SHAPE_ values.
     */
    uint32_t shape;
    /**
     * Always 0.
     */
    uint32_t reserved;
    /**
     * Where it is.
     */
    double position[3];
    /**
     * How it is rotated: x y z w, of length 1.
     */
    double rotation[4];
    /**
     * As in pccd_object_def.
     */
    uint64_t category;
    /**
     * As in pccd_object_def.
     */
    uint64_t mask;
    /**
     * As in pccd_object_def.
     */
    uint64_t user_data;
} pccd_object_info;

/**
 * The handle of an object. It belongs to the pipeline it was added to; any other value of id, that of an
 * object removed before included, is answered with PCCD_ERR_STALE_HANDLE.
 */
typedef struct pccd_object {
    /**
     * 0 is the null handle, which is answered with PCCD_ERR_NULL. All else is the library's.
     */
    uint64_t id;
} pccd_object;

/**
 * Two objects that are, or were, in contact.
 */
typedef struct pccd_pair {
    /**
     * The one that comes first in the order of the pipeline. If the pair has ended, it may have been removed.
     */
    pccd_object object_a;
    /**
     * The other one.
     */
    pccd_object object_b;
    /**
     * One of the PCCD_PAIR_ values.
     */
    uint32_t state;
    /**
     * How many points there are: 1 to 16, or 0 if the pair has ended.
     */
    uint32_t point_count;
    /**
     * The first of them, as an index into what pccd_pipeline_points() gives.
     */
    uint64_t first_point;
    /**
     * When the contact began on the way from the last step (0) to this one (1), if one of both is
     * PCCD_OBJECT_SWEPT and they met on the way; otherwise 1. If it is less than 1 and they are not in
     * contact where they are now, the points are those of that time.
     */
    double toi;
} pccd_pair;

/**
 * A point of contact.
 */
typedef struct pccd_contact_point {
    /**
     * Where it is, halfway between both surfaces.
     */
    double point[3];
    /**
     * The direction of the contact, of length 1, from object_b to object_a.
     */
    double normal[3];
    /**
     * How deep they overlap there along the normal; below 0 for a gap, which is at most the margin.
     */
    double depth;
    /**
     * The triangle of object_a, if that is a mesh; otherwise PCCD_NO_TRIANGLE.
     */
    uint32_t triangle_a;
    /**
     * The same of object_b.
     */
    uint32_t triangle_b;
} pccd_contact_point;

/**
 * How the threads were divided at a step, and what both phases took.
 */
typedef struct pccd_balance_record {
    /**
     * The number of the step, from 1.
     */
    uint64_t step;
    /**
     * Threads that began with the broad phase.
     */
    uint32_t broad_threads;
    /**
     * Threads that began with the narrow phase.
     */
    uint32_t narrow_threads;
    /**
     * A sum of PCCD_BALANCE_ flags.
     */
    uint32_t flags;
    /**
     * Steps until the next control step, from 1 after a change to 32.
     */
    uint32_t interval;
    /**
     * Milliseconds that all threads together spent in the broad phase.
     */
    double ms_broad;
    /**
     * Milliseconds that all threads together spent in the narrow phase.
     */
    double ms_narrow;
    /**
     * Milliseconds from the beginning of both phases to their end.
     */
    double ms_phases;
} pccd_balance_record;

/**
 * What the last step of a pipeline did, and how long it took. Prepare it with pccd_pipeline_stats_init().
 */
typedef struct pccd_pipeline_stats {
    /**
     * Size of this struct in bytes, as the caller knows it. Set by pccd_pipeline_stats_init().
     */
    uint32_t struct_size;
    /**
     * PCCD_BROAD_BRUTE_FORCE or PCCD_BROAD_SWEEP; 0 before the first step.
     */
    uint32_t broad;
    /**
     * PCCD_PHASES_SEQUENTIAL or PCCD_PHASES_SIMULTANEOUS; 0 before the first step.
     */
    uint32_t phases;
    /**
     * Threads that began with the broad phase.
     */
    uint32_t broad_threads;
    /**
     * Threads that began with the narrow phase.
     */
    uint32_t narrow_threads;
    /**
     * Always 0.
     */
    uint32_t reserved;
    /**
     * Steps that were completed.
     */
    uint64_t step_count;
    /**
     * Objects.
     */
    uint64_t object_count;
    /**
     * Pairs of objects whose boxes overlapped and that may meet.
     */
    uint64_t candidate_count;
    /**
     * Pairs that came into contact.
     */
    uint64_t begun_count;
    /**
     * Pairs that stayed in contact.
     */
    uint64_t kept_count;
    /**
     * Pairs that are in contact no more.
     */
    uint64_t ended_count;
    /**
     * Points of contact.
     */
    uint64_t point_count;
    /**
     * Milliseconds of the step.
     */
    double ms_total;
    /**
     * Milliseconds for computing the boxes and sorting them.
     */
    double ms_boxes;
    /**
     * Milliseconds that all threads together spent in the broad phase.
     */
    double ms_broad;
    /**
     * Milliseconds that all threads together spent in the narrow phase.
     */
    double ms_narrow;
    /**
     * Milliseconds from the beginning of both phases to their end.
     */
    double ms_phases;
    /**
     * Milliseconds for bringing the results into order.
     */
    double ms_order;
} pccd_pipeline_stats;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The version of the library: `major << 16 | minor << 8 | patch`.
 *
 * Thread safety: may be called from any thread at any time.
 */
uint32_t pccd_version(void);

/**
 * The version of the binary interface that the library was built with; compare it with
 * PCCD_ABI_VERSION of the header. pccd_context_create() does so.
 *
 * Thread safety: may be called from any thread at any time.
 */
uint32_t pccd_abi_version(void);

/**
 * The name of a status as it is written in this header, "PCCD_OK" for instance. For a number that is
 * no status: "unknown status". The text is never null and lives as long as the library.
 *
 * Thread safety: may be called from any thread at any time.
 */
const char *pccd_status_name(pccd_status status);

/**
 * A sentence about the last call of this thread that failed, naming the function, the argument and its
 * value: "pccd_ccd_batch: positions->format is 7; expected PCCD_FORMAT_F32X3 (1) or PCCD_FORMAT_F64X3
 * (2)". Calls that succeed leave it alone. Before the first failure it is empty. The text is never
 * null, at most 511 bytes of UTF-8, and stays valid and unchanged until the next call of this thread
 * fails, or the thread ends.
 *
 * Thread safety: may be called from any thread at any time; every thread has its own sentence.
 */
const char *pccd_last_error(void);

/**
 * Changes the thread_count of a context, 1 to 1024. Threads of the library that are new are created
 * first, then all old ones are ended. With task hooks it is the number of workers that changes. Results
 * do not depend on it, and those that queries have stay as they are. If it fails, for instance with
 * PCCD_ERR_THREAD because the system refuses a thread, the context has the threads that it had.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_context_set_threads(pccd_context *context, uint32_t thread_count);

/**
 * Fills a struct with defaults: one thread, highest SIMD level, no log, the system's allocator. Pass
 * the size of the struct: `pccd_context_def_init(&def, sizeof def)`.
 *
 * Thread safety: may be called from any thread at any time.
 */
pccd_status pccd_context_def_init(pccd_context_def *def, size_t size);

/**
 * Prepares a struct for pccd_context_info_get(). Pass the size of the struct:
 * `pccd_context_info_init(&info, sizeof info)`.
 *
 * Thread safety: may be called from any thread at any time.
 */
pccd_status pccd_context_info_init(pccd_context_info *info, size_t size);

/**
 * Creates a context and its threads. If def is null, with defaults. The definition is copied; it and
 * its functions' user pointers are not touched otherwise, but the functions and what they use have to
 * work until the context is destroyed. Destroy the context with pccd_context_destroy().
 *
 * Thread safety: may be called from any thread at any time.
 */
pccd_status pccd_context_create(const pccd_context_def *def, pccd_context **out_context);

/**
 * Destroys a context and all that was created in it, ends its threads and frees its memory. While
 * another call on it has not returned, or a run was begun and not ended, this is refused with
 * PCCD_ERR_BUSY. Works for a poisoned context. Destroying it a second time is PCCD_ERR_STALE_HANDLE.
 *
 * Thread safety: may be called from any thread, not necessarily the one that created the context.
 */
pccd_status pccd_context_destroy(pccd_context *context);

/**
 * Tells how a context works and what it holds. Set the size of the struct with
 * pccd_context_info_init() before.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_context_info_get(pccd_context *context, pccd_context_info *out_info);

/**
 * Fills a struct with defaults: the exact test, times of impact to 1e-6. Pass the size of the struct:
 * `pccd_ccd_settings_init(&settings, sizeof settings)`.
 *
 * Thread safety: may be called from any thread at any time.
 */
pccd_status pccd_ccd_settings_init(pccd_ccd_settings *settings, size_t size);

/**
 * Decides for each of count pairs of primitives whether they collide while their points move linearly
 * from their positions at t = 0 to those at t = 1, and when they do so first.
 *
 * A query is eight points in a row: v f0 f1 f2 (PCCD_VERTEX_FACE) or a0 a1 b0 b1 (PCCD_EDGE_EDGE) at t
 * = 0, then the same four at t = 1. 32-bit floats are widened exactly. All coordinates have to be
 * finite. The work is shared by the threads of the context; the results do not depend on their number,
 * on the SIMD level, or on the other queries.
 *
 * @param context    the context.
 * @param kind       PCCD_VERTEX_FACE or PCCD_EDGE_EDGE.
 * @param positions  the points of all queries; at least 8 * count elements. Not written to.
 * @param count      number of queries. May be 0; then positions->data and results may be null.
 * @param settings   what to look for; null for defaults.
 * @param results    an array of count elements, which must not overlap the points. Written only on success.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
 * write to the points during the call.
 */
pccd_status pccd_ccd_batch(pccd_context *context,
                           uint32_t kind,
                           const pccd_view *positions,
                           uint64_t count,
                           const pccd_ccd_settings *settings,
                           pccd_ccd_result *results);

/**
 * Fills a struct with defaults: a mesh that meets all others and itself, without thickness. The views
 * are empty and without format. Pass the size of the struct: `pccd_mesh_def_init(&def, sizeof def)`.
 *
 * Thread safety: may be called from any thread at any time.
 */
pccd_status pccd_mesh_def_init(pccd_mesh_def *def, size_t size);

/**
 * Creates a mesh at rest: its positions at t = 0 and at t = 1 are the same. Vertices and triangles are
 * copied; the buffers may go after the call. A mesh is in no hierarchy until pccd_bvh_add(). It lives
 * until pccd_mesh_destroy() or the end of the context.
 *
 * @param context   the context.
 * @param def       vertices, triangles and how the mesh takes part in queries. May not be null.
 * @param out_mesh  receives the handle. Handles of a context compare (by id) in the order in which
 *                  the meshes were created, as long as none has been destroyed.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
 * write to the buffers during the call.
 */
pccd_status pccd_mesh_create(pccd_context *context,
                             const pccd_mesh_def *def,
                             pccd_mesh *out_mesh);

/**
 * Destroys a mesh and takes it out of all hierarchies that it is in. Objects of pipelines that have it as
 * their shape are removed. Contacts of earlier runs stay where they are: they may still have its handle in
 * them.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_mesh_destroy(pccd_context *context, pccd_mesh mesh);

/**
 * Moves a mesh on: its positions at t = 1 become those at t = 0, and the new ones those at t = 1.
 * Between them every vertex moves on a straight line with constant speed. The positions are copied.
 * Hierarchies notice at their next update. Moving to the same positions brings the mesh to rest.
 *
 * @param context    the context.
 * @param mesh       the mesh.
 * @param positions  PCCD_FORMAT_F32X3 or PCCD_FORMAT_F64X3, exactly as many as the mesh has vertices,
 *                   all coordinates finite. The format need not be that of the creation.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
 * write to the buffer during the call.
 */
pccd_status pccd_mesh_move(pccd_context *context,
                           pccd_mesh mesh,
                           const pccd_view *positions);

/**
 * Sets the positions of a mesh at t = 0 and at t = 1, whatever they were. As pccd_mesh_move() in all
 * else. Both views may be of the same buffer.
 *
 * @param context  the context.
 * @param mesh     the mesh.
 * @param start    the positions at t = 0.
 * @param end      the positions at t = 1; the format may be another than that of start.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
 * write to the buffers during the call.
 */
pccd_status pccd_mesh_set_motion(pccd_context *context,
                                 pccd_mesh mesh,
                                 const pccd_view *start,
                                 const pccd_view *end);

/**
 * Changes what a mesh is and which meshes it meets, from the next run of a query on. What the bits
 * mean is told at pccd_mesh_def. All values are allowed.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_mesh_set_filter(pccd_context *context,
                                 pccd_mesh mesh,
                                 uint64_t category,
                                 uint64_t mask);

/**
 * Prepares a struct for pccd_mesh_info_get(). Pass the size of the struct:
 * `pccd_mesh_info_init(&info, sizeof info)`.
 *
 * Thread safety: may be called from any thread at any time.
 */
pccd_status pccd_mesh_info_init(pccd_mesh_info *info, size_t size);

/**
 * Tells what a mesh is made of and how it takes part in queries. Set the size of the struct with
 * pccd_mesh_info_init() before.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_mesh_info_get(pccd_context *context,
                               pccd_mesh mesh,
                               pccd_mesh_info *out_info);

/**
 * Fills a struct with defaults. Pass the size of the struct: `pccd_bvh_def_init(&def, sizeof def)`.
 *
 * Thread safety: may be called from any thread at any time.
 */
pccd_status pccd_bvh_def_init(pccd_bvh_def *def, size_t size);

/**
 * Prepares a struct for pccd_bvh_info_get(). Pass the size of the struct:
 * `pccd_bvh_info_init(&info, sizeof info)`.
 *
 * Thread safety: may be called from any thread at any time.
 */
pccd_status pccd_bvh_info_init(pccd_bvh_info *info, size_t size);

/**
 * Creates an empty hierarchy. If def is null, with defaults. It lives until pccd_bvh_destroy() or the
 * end of the context.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_bvh_create(pccd_context *context,
                            const pccd_bvh_def *def,
                            pccd_bvh *out_bvh);

/**
 * Destroys a hierarchy. The meshes in it live on, and so do the contacts that were found with it.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_bvh_destroy(pccd_context *context, pccd_bvh bvh);

/**
 * Adds a mesh. It may be in other hierarchies as well; if it is in this one already, that is
 * PCCD_ERR_INVALID_ARGUMENT. Nothing found depends on the order in which meshes are added.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_bvh_add(pccd_context *context, pccd_bvh bvh, pccd_mesh mesh);

/**
 * Takes a mesh out; it lives on. If it is not in the hierarchy, that is PCCD_ERR_INVALID_ARGUMENT.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_bvh_remove(pccd_context *context, pccd_bvh bvh, pccd_mesh mesh);

/**
 * Takes over what has moved since the last update. pccd_query_run() and pccd_bvh_overlap() do it by
 * themselves: call it to choose when. Meshes that were not moved cost nothing.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_bvh_update(pccd_context *context, pccd_bvh bvh);

/**
 * Tells what a hierarchy is like, as of its last update. Set the size of the struct with
 * pccd_bvh_info_init() before.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_bvh_info_get(pccd_context *context,
                              pccd_bvh bvh,
                              pccd_bvh_info *out_info);

/**
 * Updates a hierarchy and finds the triangles whose swept box overlaps a given box, touching included.
 * The swept box of a triangle is the smallest one along the axes around its positions at t = 0 and at t
 * = 1. The comparison is exact. Thickness and filters play no part.
 *
 * Returns PCCD_INCOMPLETE if there are more than fit: the first of them have been written, in the order
 * of mesh id, then triangle, and out_count has the number of all.
 *
 * @param context        the context.
 * @param bvh            the hierarchy.
 * @param lower          the smallest x, y, z of the box; three finite numbers.
 * @param upper          the largest x, y, z of the box; finite, none less than that of lower.
 * @param out_triangles  an array of capacity elements; may be null if capacity is 0.
 * @param capacity       the most triangles that may be written. 0 only counts them.
 * @param out_count      receives the number of triangles found, whatever the capacity. May not be null.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 *
 */
pccd_status pccd_bvh_overlap(pccd_context *context,
                             pccd_bvh bvh,
                             const double lower[3],
                             const double upper[3],
                             pccd_triangle_ref *out_triangles,
                             uint64_t capacity,
                             uint64_t *out_count);

/**
 * Fills a struct with defaults: no parts, no copies, no new corners. Pass the size of the struct:
 * `pccd_split_def_init(&def, sizeof def)`.
 *
 * Thread safety: may be called from any thread at any time.
 */
pccd_status pccd_split_def_init(pccd_split_def *def, size_t size);

/**
 * Breaks a mesh into parts, which take its place in this hierarchy and in all others that it is in. The
 * mesh is destroyed; contacts of earlier runs may still have its handle in them. On any error nothing
 * has changed.
 *
 * Each part is a new mesh with the settings, the user data and the motion of the old one: no position
 * changes, neither at t = 0 nor at t = 1. It has the vertices that its triangles use, in the order of
 * their numbers (copies come last), and its triangles in the order they had; vertices that no triangle
 * uses are left behind. pccd_mesh_vertex_origin() tells where a vertex came from.
 *
 * The parts keep what the hierarchy knows about the order of their triangles, so nothing is built anew,
 * and other meshes do not notice. The time is in proportion to the size of the mesh.
 *
 * @param context     the context.
 * @param bvh         a hierarchy that the mesh is in; otherwise it is PCCD_ERR_INVALID_ARGUMENT.
 * @param mesh        the mesh.
 * @param def         which triangle goes where. May not be null.
 * @param out_meshes  receives def->part_count handles, that of part 0 first.
 * @param capacity    how many handles out_meshes has room for: at least def->part_count.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
 * write to the arrays of the definition during the call.
 */
pccd_status pccd_bvh_split(pccd_context *context,
                           pccd_bvh bvh,
                           pccd_mesh mesh,
                           const pccd_split_def *def,
                           pccd_mesh *out_meshes,
                           uint64_t capacity);

/**
 * Breaks many meshes at once: as pccd_bvh_split() of each, but all threads of the context take part
 * however small the meshes are, and either all of them break or, on any error, none. When many things
 * break in a frame, this takes less time than one call after the other.
 *
 * An error tells the element of the lists that it is about, and says mesh and def for what is there.
 *
 * @param context     the context.
 * @param bvh         a hierarchy that all the meshes are in; otherwise it is PCCD_ERR_INVALID_ARGUMENT.
 * @param meshes      the meshes, each of them once.
 * @param defs        which triangles go where, one for each mesh. All have the same struct_size.
 * @param count       how many elements meshes and defs have. With 0 nothing happens.
 * @param out_meshes  receives the handles of the parts of the first mesh, that of part 0 first, then those
 *                    of the second one, and so on.
 * @param capacity    how many handles out_meshes has room for: at least the sum of all part_count.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
 * write to the arrays, or to those of the definitions, during the call.
 */
pccd_status pccd_bvh_split_all(pccd_context *context,
                               pccd_bvh bvh,
                               const pccd_mesh *meshes,
                               const pccd_split_def *defs,
                               uint64_t count,
                               pccd_mesh *out_meshes,
                               uint64_t capacity);

/**
 * Fills a struct with defaults: no meshes, no weld. Pass the size of the struct:
 * `pccd_merge_def_init(&def, sizeof def)`.
 *
 * Thread safety: may be called from any thread at any time.
 */
pccd_status pccd_merge_def_init(pccd_merge_def *def, size_t size);

/**
 * Makes one mesh of several, which takes their place in this hierarchy. They are destroyed; contacts of
 * earlier runs may still have their handles in them. On any error nothing has changed.
 *
 * The new mesh has the vertices of all of them, without those that become others by the weld, and all
 * their triangles, both in the order of the list. No position changes. Settings and user data are those
 * of the first mesh. pccd_mesh_vertex_origin() tells where a vertex came from. Pieces that share a
 * vertex by the weld are no longer in contact there.
 *
 * Another hierarchy that has all of the meshes gets the new one, too. One that has some of them only is
 * an error, PCCD_ERR_INVALID_ARGUMENT: take them out first.
 *
 * @param context   the context.
 * @param bvh       a hierarchy that all the meshes are in.
 * @param def       the meshes. May not be null.
 * @param out_mesh  receives the handle of the new mesh.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
 * write to the arrays of the definition during the call.
 */
pccd_status pccd_bvh_merge(pccd_context *context,
                           pccd_bvh bvh,
                           const pccd_merge_def *def,
                           pccd_mesh *out_mesh);

/**
 * Tells where vertices of a mesh came from. For a mesh that pccd_bvh_split() or pccd_bvh_merge() has
 * made: which vertex of which mesh each was before, so the handles are those of meshes that are gone. A
 * copy comes from what it is a copy of. For a mesh of pccd_mesh_create(): the vertex itself.
 *
 * @param context      the context.
 * @param mesh         the mesh.
 * @param first        the first vertex that is asked for.
 * @param count        how many are asked for; first + count is at most the number of vertices.
 * @param out_origins  an array of count elements, which receives the origins; may be null if count is 0.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_mesh_vertex_origin(pccd_context *context,
                                    pccd_mesh mesh,
                                    uint64_t first,
                                    uint64_t count,
                                    pccd_vertex_ref *out_origins);

/**
 * Fills a struct with defaults: every contact, exactly, times of impact to 1e-6. Pass the size of the
 * struct: `pccd_query_def_init(&def, sizeof def)`.
 *
 * Thread safety: may be called from any thread at any time.
 */
pccd_status pccd_query_def_init(pccd_query_def *def, size_t size);

/**
 * Creates a query, which has no results yet. If def is null, with defaults. It lives until
 * pccd_query_destroy() or the end of the context.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_query_create(pccd_context *context,
                              const pccd_query_def *def,
                              pccd_query *out_query);

/**
 * Makes room for so many contacts, so that later runs that find no more than that ask for no memory to
 * hold them, whichever thread finds which. The memory is written to: the system has handed it out
 * before the frame in which something breaks and everything touches. Without this, room grows with
 * what runs find, and stays. If the context gets another number of threads, it has to be made again.
 *
 * A contact takes about 200 bytes; no more than the capacity of the query are counted for those that are
 * kept. The query has no results afterwards, not even if memory is refused, but works as before. For
 * queries of mode PCCD_MODE_DISCRETE it is PCCD_ERR_INVALID_ARGUMENT.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_query_reserve(pccd_context *context, pccd_query query, uint64_t contact_count);

/**
 * Destroys a query and its results: the pointers that pccd_query_contacts() and
 * pccd_query_intersections() gave are no longer valid.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_query_destroy(pccd_context *context, pccd_query query);

/**
 * Updates a hierarchy and finds the contacts of its meshes while they move from t = 0 to t = 1: every
 * vertex with every triangle, every edge with every other edge, unless they have a vertex in common.
 * Each pair is found once. Vertices that no triangle uses are left out. A hierarchy without meshes has
 * no contacts. The work is done by all threads of the context, or by tasks of the caller's job system if
 * the context has such.
 *
 * In mode PCCD_MODE_DISCRETE it finds pairs of triangles that intersect at t = 1 instead. The hierarchy is
 * updated then only if it is what they are found with.
 *
 * The results replace those of the last run. They are the same, bit for bit, for any number of threads,
 * any scheduler, any SIMD level and any state of the hierarchy. A query may be run on different
 * hierarchies in turn.
 *
 * Returns PCCD_INCOMPLETE if there were more contacts than the capacity of the query, and PCCD_CANCELLED
 * if pccd_query_cancel() has ended it. If memory is refused the query has no results, but works again; if
 * an argument is wrong it keeps those it had.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_query_run(pccd_context *context, pccd_query query, pccd_bvh bvh);

/**
 * Begins a run that threads of the caller work on, instead of those of the context: as many at once as the
 * context has threads, the one that calls pccd_query_end() included. Looks at the arguments and prepares
 * the run; the work is done by pccd_query_work() and pccd_query_end(). What that is, is told at
 * pccd_query_run().
 *
 * From now on the context is busy until pccd_query_end(): all calls but pccd_query_work(),
 * pccd_query_cancel() and pccd_query_end() return PCCD_ERR_BUSY, pccd_context_destroy() too. The results
 * of the last run are gone. If this fails no run was begun; what then becomes of the results is told at
 * pccd_query_run().
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_query_begin(pccd_context *context, pccd_query query, pccd_bvh bvh);

/**
 * Takes part in a run that was begun, until it is over. Any number of threads may call this at any time
 * after pccd_query_begin(), or none at all. Returns PCCD_OK at once if all places are taken, and if the
 * run is over or ended already; it is PCCD_ERR_INVALID_ARGUMENT for a query whose run was not the last
 * that was begun. What came of the run is told by pccd_query_end(). Failures are not logged.
 *
 * Thread safety: may be called from any thread, by several at once, between pccd_query_begin() and
 * pccd_query_end(), and while these run.
 */
pccd_status pccd_query_work(pccd_context *context, pccd_query query);

/**
 * Works on a run that was begun until it is over, waits until all threads have left pccd_query_work(), and
 * makes the results available. Returns what pccd_query_run() would have. The context is free again
 * afterwards, whatever is returned. For a query whose run was not begun it is PCCD_ERR_INVALID_ARGUMENT.
 *
 * Thread safety: may be called from any thread, not necessarily the one that began the run; if another one
 * is in it already it returns PCCD_ERR_BUSY.
 */
pccd_status pccd_query_end(pccd_context *context, pccd_query query);

/**
 * Ends the run of a query before it is done: soon, but not at once. pccd_query_run() or pccd_query_end()
 * then returns PCCD_CANCELLED, and the query has no results; it can be run again. If no run of this query
 * is in work nothing happens: a later one is not affected. A run may also be done before this takes
 * effect. Failures are not logged.
 *
 * Thread safety: may be called from any thread at any time.
 */
pccd_status pccd_query_cancel(pccd_context *context, pccd_query query);

/**
 * Gives the contacts that the last run of a query has found, sorted by mesh_a, mesh_b, kind, vertices,
 * triangles, in this order.
 *
 * @param context       the context.
 * @param query         the query.
 * @param out_contacts  receives a pointer to the contacts; null if there are none. They are the
 *                      query's, to be read only, and stay where they are until the next
 *                      pccd_query_run(), pccd_query_begin() or pccd_query_destroy() of this query, or
 *                      the end of the context. No other call touches them.
 * @param out_count     receives their number; 0 if the query has not been run.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Any number
 * of threads may read the contacts while they are valid.
 */
pccd_status pccd_query_contacts(pccd_context *context,
                                pccd_query query,
                                const pccd_contact **out_contacts,
                                uint64_t *out_count);

/**
 * Copies the contacts that the last run of a query has found, sorted as pccd_query_contacts() gives
 * them. Returns PCCD_INCOMPLETE if there are more than fit: the first of them have been written.
 *
 * @param context       the context.
 * @param query         the query.
 * @param out_contacts  an array of capacity elements; may be null if capacity is 0.
 * @param capacity      the most contacts that may be written. 0 only counts them.
 * @param out_count     receives the number of contacts that the query has, whatever the capacity. May
 *                      not be null.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_query_copy_contacts(pccd_context *context,
                                     pccd_query query,
                                     pccd_contact *out_contacts,
                                     uint64_t capacity,
                                     uint64_t *out_count);

/**
 * Gives a hash of all contacts, or intersections, that the last run has kept, every bit of them.
 * Meshes go into it by their rank among the ids, so that runs in different contexts and processes can
 * be compared.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_query_hash(pccd_context *context, pccd_query query, uint64_t *out_hash);

/**
 * Prepares a struct for pccd_query_stats_get(). Pass the size of the struct:
 * `pccd_query_stats_init(&stats, sizeof stats)`.
 *
 * Thread safety: may be called from any thread at any time.
 */
pccd_status pccd_query_stats_init(pccd_query_stats *stats, size_t size);

/**
 * Tells what the last run of a query has done; all is 0 before the first. Set the size of the struct
 * with pccd_query_stats_init() before.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_query_stats_get(pccd_context *context,
                                 pccd_query query,
                                 pccd_query_stats *out_stats);

/**
 * Prepares a struct for pccd_query_worker_stats_get(). Pass the size of the struct:
 * `pccd_query_worker_stats_init(&stats, sizeof stats)`.
 *
 * Thread safety: may be called from any thread at any time.
 */
pccd_status pccd_query_worker_stats_init(pccd_query_worker_stats *stats, size_t size);

/**
 * Tells what a worker has done in the last run of a query. Set the size of the struct with
 * pccd_query_worker_stats_init() before.
 *
 * @param context    the context.
 * @param query      the query.
 * @param worker     the number of the worker, less than worker_count of pccd_query_stats. Number 0 is the
 *                   thread that called pccd_query_run(); in a run that was begun it is any.
 * @param out_stats  receives what it did.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_query_worker_stats_get(pccd_context *context,
                                        pccd_query query,
                                        uint32_t worker,
                                        pccd_query_worker_stats *out_stats);

/**
 * Has the runs of a query recorded from the next one on (on = 1), or not (0, the default). A run that is
 * not recorded loses no time to it. One that is keeps some 48 bytes for each unit of work, and is a little
 * slower. Results do not change.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_trace_enable(pccd_context *context, pccd_query query, uint32_t on);

/**
 * Writes the units of work of the last run of a query, which must have been recorded, to a file: who did
 * what when.
 *
 * As a rule it is a trace in JSON that ui.perfetto.dev and chrome://tracing show: for each unit an event
 * with its kind as its name, its worker as its thread, and its number, the number of the unit that it came
 * out of (or null), its phase and its weight as arguments. If the path ends in ".csv" it is a table with
 * the columns number, parent, phase, worker, weight, begin, end and kind instead: times in nanoseconds
 * since the run began, nothing for no parent, and the kind as its number.
 *
 * Kinds are 0 vertices and 1 refit (boxes that are fitted to vertices that moved), 2 rebuild (parts that are
 * sorted anew), 3 self (a part of a mesh with itself), 4 pair (two parts with each other), 5 sort (of
 * contacts), 6 serial (what one worker prepared before a phase, told as worker 0's) and 7 cull (parts that
 * need no test with themselves). Weights are about proportional to triangles. Phases are numbered from 0
 * in the order in which they followed each other.
 *
 * @param context  the context.
 * @param query    the query.
 * @param path     the name of the file, in UTF-8 where the system has an opinion. A file that exists is
 *                 overwritten.
 *
 * If there is no record of the last run it is PCCD_ERR_INVALID_ARGUMENT, and no file is touched. If the
 * file cannot be written it is PCCD_ERR_IO, and the file may be there in part.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_trace_write(pccd_context *context, pccd_query query, const char *path);

/**
 * Finds the pairs of triangles of some meshes that intersect at t = 1, without a hierarchy: for meshes
 * that are new in every frame. The query has mode PCCD_MODE_DISCRETE, and its method is
 * PCCD_METHOD_AUTO or PCCD_METHOD_GRID. All else is as told at pccd_query_run().
 *
 * @param context  the context.
 * @param query    the query.
 * @param meshes   an array of mesh_count handles, in any order, each of them once. May be null if there
 *                 are none.
 * @param mesh_count  the number of meshes.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_query_run_meshes(pccd_context *context,
                                  pccd_query query,
                                  const pccd_mesh *meshes,
                                  uint64_t mesh_count);

/**
 * Prepares a struct for pccd_discrete_stats_get(). Pass the size of the struct:
 * `pccd_discrete_stats_init(&stats, sizeof stats)`.
 *
 * Thread safety: may be called from any thread at any time.
 */
pccd_status pccd_discrete_stats_init(pccd_discrete_stats *stats, size_t size);

/**
 * Tells how the last run of a query of mode PCCD_MODE_DISCRETE was done; all is 0 before the first, and of
 * queries of other modes. Set the size of the struct with pccd_discrete_stats_init() before.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_discrete_stats_get(pccd_context *context,
                                    pccd_query query,
                                    pccd_discrete_stats *out_stats);

/**
 * Gives the intersections that the last run of a query of mode PCCD_MODE_DISCRETE has found, sorted by
 * mesh_a, triangle_a, mesh_b, triangle_b, in this order.
 *
 * @param context            the context.
 * @param query              the query.
 * @param out_intersections  receives a pointer to the intersections; null if there are none. They are the
 *                           query's, to be read only, and stay where they are until the next run or the
 *                           end of the query, or the end of the context. No other call touches them.
 * @param out_count          receives their number; 0 if the query has not been run or has another mode.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Any number
 * of threads may read the intersections while they are valid.
 */
pccd_status pccd_query_intersections(pccd_context *context,
                                     pccd_query query,
                                     const pccd_intersection **out_intersections,
                                     uint64_t *out_count);

/**
 * Copies the intersections that the last run of a query has found, sorted as
 * pccd_query_intersections() gives them. Returns PCCD_INCOMPLETE if there are more than fit: the first
 * of them have been written.
 *
 * @param context            the context.
 * @param query              the query.
 * @param out_intersections  an array of capacity elements; may be null if capacity is 0.
 * @param capacity           the most intersections that may be written. 0 only counts them.
 * @param out_count          receives the number of intersections that the query has, whatever the
 *                           capacity. May not be null.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_query_copy_intersections(pccd_context *context,
                                          pccd_query query,
                                          pccd_intersection *out_intersections,
                                          uint64_t capacity,
                                          uint64_t *out_count);

/**
 * Prepares a struct for pccd_mesh_k_free(). Pass the size of the struct:
 * `pccd_k_free_report_init(&report, sizeof report)`.
 *
 * Thread safety: may be called from any thread at any time.
 */
pccd_status pccd_k_free_report_init(pccd_k_free_report *report, size_t size);

/**
 * Finds the smallest k for which triangles are k-free: each of them, and all together. Some meshes are
 * taken as one set of triangles, at t = 1. Sizes are compared exactly. Takes longer than a query, and
 * needs memory that is given back: meant for looking at models, not for every frame. The numbers are
 * the same for any number of threads.
 *
 * Returns PCCD_INCOMPLETE if there are more triangles than fit into out_triangles, which is no
 * mistake: the worst ones have been written.
 *
 * @param context        the context.
 * @param meshes         an array of mesh_count handles, each of them once. May be null if there are none.
 * @param mesh_count     the number of meshes.
 * @param out_report     receives what holds for all triangles. Set its size with
 *                       pccd_k_free_report_init() before.
 * @param out_triangles  an array of capacity elements, which receives the triangles with the largest k, the
 *                       worst first, those with the same k by mesh and number. May be null if capacity is 0.
 * @param capacity       the most triangles that may be written.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_mesh_k_free(pccd_context *context,
                             const pccd_mesh *meshes,
                             uint64_t mesh_count,
                             pccd_k_free_report *out_report,
                             pccd_triangle_k *out_triangles,
                             uint64_t capacity);

/**
 * Finds the smallest k for which polygons are k-free: each of them, and all together. Like
 * pccd_mesh_k_free(), but triangles that follow each other in a mesh are taken as one polygon, as fans of
 * triangles are into which a file of polygons was divided. A polygon has one size, the diameter of the
 * minimum enclosing sphere of all its corners, and is close to another one if one of its triangles is.
 *
 * Returns PCCD_INCOMPLETE if there are more polygons than fit into out_polygons, which is no mistake:
 * the worst ones have been written.
 *
 * @param context        the context.
 * @param meshes         an array of mesh_count handles, each of them once. May be null if there are none.
 * @param mesh_count     the number of meshes.
 * @param fans           an array of fan_count numbers: how many triangles each polygon has, at least 1. The
 *                       first fans are those of the first mesh of the array, in the order of its
 *                       triangles, and so on. All triangles have to be in a fan, and no fan may go on
 *                       from one mesh to the next. May be null if there are none.
 * @param fan_count      the number of polygons.
 * @param out_report     receives what holds for all polygons. Set its size with
 *                       pccd_k_free_report_init() before.
 * @param out_polygons   an array of capacity elements, which receives the polygons with the largest k, the
 *                       worst first, those with the same k by mesh and number. May be null if capacity is 0.
 * @param capacity       the most polygons that may be written.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_mesh_k_free_polygons(pccd_context *context,
                                      const pccd_mesh *meshes,
                                      uint64_t mesh_count,
                                      const uint32_t *fans,
                                      uint64_t fan_count,
                                      pccd_k_free_report *out_report,
                                      pccd_triangle_k *out_polygons,
                                      uint64_t capacity);

/**
 * Fills a struct with defaults: no margin, both phases at the same time, threads divided by measurement. Pass
 * the size of the struct: `pccd_pipeline_def_init(&def, sizeof def)`.
 *
 * Thread safety: may be called from any thread at any time.
 */
pccd_status pccd_pipeline_def_init(pccd_pipeline_def *def, size_t size);

/**
 * Creates a pipeline without objects. If def is null, with defaults. It lives until pccd_pipeline_destroy()
 * or the end of the context.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_pipeline_create(pccd_context *context,
                                 const pccd_pipeline_def *def,
                                 pccd_pipeline *out_pipeline);

/**
 * Destroys a pipeline with its objects and results: pointers that it gave are no longer valid.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_pipeline_destroy(pccd_context *context, pccd_pipeline pipeline);

/**
 * Fixes how many threads begin with which phase, or with 0 and 0 leaves it to the library again, which is the
 * default: it measures how long both phases take and moves threads to the longer one; see
 * pccd_pipeline_balance(). Steps then use as many threads as both numbers together; the context has to have
 * that many at a step, which checks it. Results do not depend on it.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_pipeline_set_split(pccd_context *context,
                                    pccd_pipeline pipeline,
                                    uint32_t broad_threads,
                                    uint32_t narrow_threads);

/**
 * Fills a struct with defaults: an object at the origin that meets all others, without a shape. Pass the size
 * of the struct: `pccd_object_def_init(&def, sizeof def)`.
 *
 * Thread safety: may be called from any thread at any time.
 */
pccd_status pccd_object_def_init(pccd_object_def *def, size_t size);

/**
 * Prepares a struct for pccd_object_info_get(). Pass the size of the struct:
 * `pccd_object_info_init(&info, sizeof info)`.
 *
 * Thread safety: may be called from any thread at any time.
 */
pccd_status pccd_object_info_init(pccd_object_info *info, size_t size);

/**
 * Adds an object to a pipeline. It takes part from the next step on, and stays until
 * pccd_pipeline_remove(), the end of its mesh, or that of the pipeline.
 *
 * @param context     the context.
 * @param pipeline    the pipeline.
 * @param def         its shape, where it is and what it meets. May not be null.
 * @param out_object  receives the handle.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
 * write to the points during the call.
 */
pccd_status pccd_pipeline_add(pccd_context *context,
                              pccd_pipeline pipeline,
                              const pccd_object_def *def,
                              pccd_object *out_object);

/**
 * Removes an object. Pairs that it was in have ended at the next step.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_pipeline_remove(pccd_context *context,
                                 pccd_pipeline pipeline,
                                 pccd_object object);

/**
 * Moves objects: many in one call. Either all are moved, or, if anything is wrong, none. Where an object
 * was at the last step is remembered until the next one, see PCCD_OBJECT_SWEPT.
 *
 * @param context    the context.
 * @param pipeline   the pipeline.
 * @param objects    count handles. If one is there twice, the later transform counts. May be null if count
 *                   is 0.
 * @param count      how many objects.
 * @param positions  PCCD_FORMAT_F32X3 or PCCD_FORMAT_F64X3, exactly count, all finite.
 * @param rotations  quaternions x y z w, PCCD_FORMAT_F32X4 or PCCD_FORMAT_F64X4, exactly count, all finite
 *                   and not 0. They are divided by their lengths. If null, rotations stay as they are.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
 * write to the buffers during the call.
 */
pccd_status pccd_pipeline_set_transforms(pccd_context *context,
                                         pccd_pipeline pipeline,
                                         const pccd_object *objects,
                                         uint64_t count,
                                         const pccd_view *positions,
                                         const pccd_view *rotations);

/**
 * Changes what an object is and what it meets, from the next step on. What the bits mean is told at
 * pccd_object_def. All values are allowed.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_pipeline_set_filter(pccd_context *context,
                                     pccd_pipeline pipeline,
                                     pccd_object object,
                                     uint64_t category,
                                     uint64_t mask);

/**
 * Tells about an object. Set the size of the struct with pccd_object_info_init() before.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_object_info_get(pccd_context *context,
                                 pccd_pipeline pipeline,
                                 pccd_object object,
                                 pccd_object_info *out_info);

/**
 * Finds all pairs of objects that are in contact where they are now, and how. Both phases run on the threads
 * of the context, or on tasks of the caller's job system if it has such.
 *
 * The results replace those of the last step. They are the same, bit for bit, for any number of threads,
 * however these are divided between the phases, for phases at the same time or one after the other, any broad
 * phase and any SIMD level. Where swept objects were is now where they are.
 *
 * Returns PCCD_CANCELLED if pccd_pipeline_cancel() has ended it. After that, and after any error, the results
 * of the last completed step are still there.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_pipeline_step(pccd_context *context, pccd_pipeline pipeline);

/**
 * Ends the step of a pipeline soon, which then returns PCCD_CANCELLED. Does nothing if there is no step; a
 * step that begins later is not affected. Any value of the handle is allowed.
 *
 * Thread safety: may be called from any thread at any time.
 */
pccd_status pccd_pipeline_cancel(pccd_context *context, pccd_pipeline pipeline);

/**
 * Gives the pairs of the last completed step: those in contact, and those that were so after the step before,
 * sorted by object_a, then object_b, in the order in which the pipeline keeps its objects: that in which they
 * were added, as long as none was removed; the place of one removed goes to one added later. If a place has a
 * new object, the ended pair of the old one comes first.
 *
 * @param context    the context.
 * @param pipeline   the pipeline.
 * @param out_pairs  receives a pointer to the pairs; null if there are none. They are the pipeline's, to be
 *                   read only, and stay where they are until its next step is completed, it is destroyed, or
 *                   the context ends.
 * @param out_count  receives their number.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Any number
 * of threads may read the pairs while they are valid.
 */
pccd_status pccd_pipeline_pairs(pccd_context *context,
                                pccd_pipeline pipeline,
                                const pccd_pair **out_pairs,
                                uint64_t *out_count);

/**
 * Gives the points of contact of the last completed step, in the order of their pairs.
 *
 * @param context     the context.
 * @param pipeline    the pipeline.
 * @param out_points  receives a pointer to the points; null if there are none. Valid as long as the pairs.
 * @param out_count   receives their number.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Any number
 * of threads may read the points while they are valid.
 */
pccd_status pccd_pipeline_points(pccd_context *context,
                                 pccd_pipeline pipeline,
                                 const pccd_contact_point **out_points,
                                 uint64_t *out_count);

/**
 * Gives a hash of all pairs and points of the last completed step, every bit of them. Objects go into it by
 * their places, so that pipelines in different contexts and processes can be compared.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_pipeline_hash(pccd_context *context,
                               pccd_pipeline pipeline,
                               uint64_t *out_hash);

/**
 * Gives how threads were divided between the phases at the last steps, at least 2048 of them, the oldest
 * first.
 *
 * @param context      the context.
 * @param pipeline     the pipeline.
 * @param out_records  receives a pointer to the records; null if there are none. Valid until the next step of
 *                     the pipeline, its end, or that of the context.
 * @param out_count    receives their number.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Any number
 * of threads may read the records while they are valid.
 */
pccd_status pccd_pipeline_balance(pccd_context *context,
                                  pccd_pipeline pipeline,
                                  const pccd_balance_record **out_records,
                                  uint64_t *out_count);

/**
 * Prepares a struct for pccd_pipeline_stats_get(). Pass the size of the struct:
 * `pccd_pipeline_stats_init(&stats, sizeof stats)`.
 *
 * Thread safety: may be called from any thread at any time.
 */
pccd_status pccd_pipeline_stats_init(pccd_pipeline_stats *stats, size_t size);

/**
 * Tells what the last completed step did, and how long it took. Set the size of the struct with
 * pccd_pipeline_stats_init() before.
 *
 * Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
 */
pccd_status pccd_pipeline_stats_get(pccd_context *context,
                                    pccd_pipeline pipeline,
                                    pccd_pipeline_stats *out_stats);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PCCD_H */
