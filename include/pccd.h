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
 * A required pointer is null.
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
 * Another call on the same context has not returned yet.
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
 * SIMD level: AVX-512 (F and DQ) of x86-64.
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
 * Threads, memory and log of the library, and all that is created with them. The pointer is a token:
 * it points to nothing that could be read. A context that was destroyed, or a pointer that is no
 * context, is answered with PCCD_ERR_STALE_HANDLE.
 *
 * A context is used by one thread at a time, by any. A second one gets PCCD_ERR_BUSY. Different
 * contexts do not affect each other.
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
 * of the context. Returns null to refuse. Called during calls on the context, on the calling thread or
 * on a thread of the context, but never on two at once. It must return: no exception and no longjmp
 * may leave it.
 */
typedef void *(*pccd_alloc_fn)(size_t size, size_t alignment, void *user);

/**
 * Frees memory that the alloc function of the same context returned: the memory (never null), size and
 * alignment that it was allocated with, and the memory_user of the context. Called like the alloc
 * function.
 */
typedef void (*pccd_free_fn)(void *memory, size_t size, size_t alignment, void *user);

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
     * Threads that work on a call, the calling one included: 1 to 1024, by default 1. With 1 the library
     * creates no thread. 0 is an error: the library does not guess how many it may have.
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
 * another call on it has not returned this is refused with PCCD_ERR_BUSY. Works for a poisoned
 * context. Destroying it a second time is PCCD_ERR_STALE_HANDLE.
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

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PCCD_H */
