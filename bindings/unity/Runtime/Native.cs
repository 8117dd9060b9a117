// libpccd for C#: the C interface as it is. Pccd.Context and the classes beside it are easier to use.
//
// Generated from include/pccd.h. To change it: make header
//
// SPDX-License-Identifier: MIT OR Apache-2.0

using System;
using System.Runtime.InteropServices;

// Names are those of C, and fields of structs are not assigned here.
#pragma warning disable 0649, 1591, IDE1006

namespace Pccd
{
    /// <summary>
    /// Receives a message: a PCCD_LOG_ level, a text that is valid during the call, and the log_user of the
    /// context. Called on the thread that made the call on the context, before that call returns. A call on
    /// the same context from inside it returns PCCD_ERR_BUSY. It must return: no exception and no longjmp
    /// may leave it.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void pccd_log_fn(int level, byte* message, void* user);

    /// <summary>
    /// Allocates memory: size in bytes (never 0), alignment in bytes (a power of two), and the memory_user
    /// of the context. Returns null to refuse. Called during calls on the context, on the calling thread, on
    /// a thread of the context, or on one that runs its tasks or was donated to a run, but never on two at
    /// once. It must return: no exception and no longjmp may leave it. It must not call functions on the same
    /// context.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void* pccd_alloc_fn(UIntPtr size, UIntPtr alignment, void* user);

    /// <summary>
    /// Frees memory that the alloc function of the same context returned: the memory (never null), size and
    /// alignment that it was allocated with, and the memory_user of the context. Called like the alloc
    /// function.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void pccd_free_fn(void* memory, UIntPtr size, UIntPtr alignment, void* user);

    /// <summary>
    /// A task of the library, to be called once, with the task_context that came with it. It may be called on
    /// any thread, in any floating-point mode, and never throws.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void pccd_task_fn(void* task_context);

    /// <summary>
    /// Takes on a task for the job system of the caller: the task and its context, and the task_user of the
    /// pccd_context. Returns a handle, which is passed to finish once; or null if it has called the task
    /// already, or will never do so.
    ///
    /// Tasks may be run on any threads, in any order, at the same time or one after the other, at any time
    /// until finish has returned for them; even all of them in finish. However they are run, the work gets
    /// done, with the same results: it does not wait for tasks that have not begun. More threads only make it
    /// faster. A task that has begun returns when the call of the library it belongs to has no more work for
    /// it; it may wait meanwhile for others that have begun.
    ///
    /// Called on the thread that made the call on the context, before that call returns. It must return: no
    /// exception and no longjmp may leave it. A call on the same context from inside it returns PCCD_ERR_BUSY;
    /// pccd_query_cancel() works.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void* pccd_enqueue_fn(IntPtr task, void* task_context, void* user);

    /// <summary>
    /// Returns when the task of a handle has returned: the handle, which was not null, and the task_user of
    /// the pccd_context. It may run the task itself, or other work meanwhile. Called once for each handle,
    /// otherwise like the enqueue function.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void pccd_finish_fn(void* handle, void* user);

    /// <summary>
    /// How to create a context. Fill it with pccd_context_def_init(), then change what should differ.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_context_def
    {
        /// <summary>
        /// Size of this struct in bytes, as the caller knows it. Set by pccd_context_def_init().
        /// </summary>
        public uint struct_size;
        /// <summary>
        /// Version of the binary interface. pccd_context_def_init() sets that of the library; assign
        /// PCCD_ABI_VERSION to have the header checked against the library.
        /// </summary>
        public uint abi_version;
        /// <summary>
        /// Threads that work on a call, the calling one included: 1 to 1024, by default 1. The library creates
        /// all but the calling one, so with 1 it creates none. They sleep between calls.
        /// pccd_context_set_threads() changes it. 0 is an error: the library does not guess how many it may
        /// have. Results do not depend on it.
        /// </summary>
        public uint thread_count;
        /// <summary>
        /// One of the PCCD_SIMD_ levels, by default PCCD_SIMD_AUTO. All levels give the same results, bit for
        /// bit.
        /// </summary>
        public int simd;
        /// <summary>
        /// Receives messages; may be null, and is by default.
        /// </summary>
        public IntPtr log;
        /// <summary>
        /// Passed to log, otherwise not touched.
        /// </summary>
        public void* log_user;
        /// <summary>
        /// Allocates the memory of the context. Set alloc and free both, or neither, which is the default and
        /// means the allocator of the system. What the system needs for starting threads does not come from
        /// here.
        /// </summary>
        public IntPtr alloc;
        /// <summary>
        /// Frees what alloc allocated.
        /// </summary>
        public IntPtr free;
        /// <summary>
        /// Passed to alloc and free, otherwise not touched.
        /// </summary>
        public void* memory_user;
        /// <summary>
        /// One of the PCCD_SCHEDULER_ values: how queries hand out work to their workers. All give the same
        /// results.
        /// </summary>
        public uint scheduler;
        /// <summary>
        /// Has to be 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// Runs the work of the context on the caller's job system. Set enqueue and finish both, or neither,
        /// which is the default. With them the library creates no thread: a call enqueues thread_count - 1
        /// tasks, or fewer, and works itself as well.
        /// </summary>
        public IntPtr enqueue;
        /// <summary>
        /// Waits for what enqueue has taken on.
        /// </summary>
        public IntPtr finish;
        /// <summary>
        /// Passed to enqueue and finish, otherwise not touched.
        /// </summary>
        public void* task_user;
    }

    /// <summary>
    /// What pccd_context_info_get() tells about a context. Prepare it with pccd_context_info_init().
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_context_info
    {
        /// <summary>
        /// Size of this struct in bytes, as the caller knows it. Set by pccd_context_info_init().
        /// </summary>
        public uint struct_size;
        /// <summary>
        /// Threads that work on a call, the calling one included.
        /// </summary>
        public uint thread_count;
        /// <summary>
        /// The SIMD level in use: never PCCD_SIMD_AUTO.
        /// </summary>
        public int simd;
        /// <summary>
        /// Always 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// Bytes that the context holds now, from the alloc function or from the system.
        /// </summary>
        public ulong allocated_bytes;
        /// <summary>
        /// One of the PCCD_SCHEDULER_ values.
        /// </summary>
        public uint scheduler;
        /// <summary>
        /// 1 if the work is done by tasks of the caller's job system, 0 if by threads of the library.
        /// </summary>
        public uint uses_tasks;
    }

    /// <summary>
    /// What to look for. Fill it with pccd_ccd_settings_init(), then change what should differ.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_ccd_settings
    {
        /// <summary>
        /// Size of this struct in bytes, as the caller knows it. Set by pccd_ccd_settings_init().
        /// </summary>
        public uint struct_size;
        /// <summary>
        /// Has to be 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// Distance d at which two primitives count as colliding; at least 0, by default 0. With 0 the answer
        /// is exact: a pair is reported if and only if the exact motion of the given numbers collides.
        /// </summary>
        public double min_separation;
        /// <summary>
        /// Widest bracket of the time of impact: above 0, at most 1, by default 1e-6.
        /// </summary>
        public double toi_tolerance;
        /// <summary>
        /// Only with d above 0: no pair is missed that comes within d, and none is reported that stays
        /// farther away than d plus this times the size of the query, which is the largest difference along
        /// an axis between two of its four points, at t = 0 or at t = 1. From 1e-12 to 1, by default 1e-9.
        /// </summary>
        public double separation_tolerance;
    }

    /// <summary>
    /// A buffer of the caller's, which the library reads in place during a call: never past its last
    /// element, and without ever writing to it. The elements need not be aligned.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_view
    {
        /// <summary>
        /// The first element. May be null only if count is 0.
        /// </summary>
        public void* data;
        /// <summary>
        /// Number of elements. The last one has to be readable, padding behind it need not be.
        /// </summary>
        public ulong count;
        /// <summary>
        /// Bytes from one element to the next; 0 if there are none between them.
        /// </summary>
        public ulong stride;
        /// <summary>
        /// What an element is: one of the PCCD_FORMAT_ values.
        /// </summary>
        public uint format;
        /// <summary>
        /// Has to be 0.
        /// </summary>
        public uint reserved;
    }

    /// <summary>
    /// The answer to one query. For a pair that does not collide flags is 0, both times are +infinity, and
    /// all else is 0. No field is ever NaN.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_ccd_result
    {
        /// <summary>
        /// 0, PCCD_CCD_HIT, or PCCD_CCD_HIT and PCCD_CCD_AT_START.
        /// </summary>
        public uint flags;
        /// <summary>
        /// Always 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// There is no contact before this time.
        /// </summary>
        public double toi_lower;
        /// <summary>
        /// The first contact is not after this time; with a min_separation d above 0, the distance at this
        /// time is at most d plus the tolerance. It is at most toi_tolerance later than toi_lower, or the
        /// next double.
        /// </summary>
        public double toi_upper;
        /// <summary>
        /// The contact point on each primitive, as weights of the points in input order: 1, f0, f1, f2 for
        /// vertex and face; a0, a1, b0, b1 for two edges.
        /// </summary>
        public fixed double weights[4];
        /// <summary>
        /// Direction of the contact, of length 1, from the second primitive (face, edge b) to the first:
        /// the normal of the face or of both edges at the time of contact, on the side where the first
        /// primitive was at t = 0 (or else comes from); with a min_separation, from closest point to
        /// closest point. If the face has no area or the edges are parallel then: how the points in contact
        /// were apart at t = 0, or else how they approach each other, perpendicular to the longest edge. If
        /// they are together and stay so: any direction perpendicular to the longest edge, or the x axis if
        /// all edges are points.
        /// </summary>
        public fixed double normal[3];
    }

    /// <summary>
    /// How to create a mesh. Fill it with pccd_mesh_def_init(), then set positions and triangles and change
    /// what should differ.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_mesh_def
    {
        /// <summary>
        /// Size of this struct in bytes, as the caller knows it. Set by pccd_mesh_def_init().
        /// </summary>
        public uint struct_size;
        /// <summary>
        /// 0, which is the default, or PCCD_MESH_NO_SELF.
        /// </summary>
        public uint flags;
        /// <summary>
        /// The vertices: PCCD_FORMAT_F32X3 or PCCD_FORMAT_F64X3, at most 4294967294, all coordinates finite.
        /// Copied. The mesh rests at these positions until it is moved.
        /// </summary>
        public pccd_view positions;
        /// <summary>
        /// Three vertices for each triangle: PCCD_FORMAT_U16X3 or PCCD_FORMAT_U32X3, at most 1431655765, all
        /// indices less than the number of vertices. Copied. Any set of triangles will do: open or closed,
        /// connected or not, edges with more than two triangles, triangles without area or with a repeated
        /// vertex. Vertices that no triangle uses are no features: they are never in contact.
        /// </summary>
        public pccd_view triangles;
        /// <summary>
        /// Added to the min_separation of a query, once for each of the two meshes of a pair, so twice for a
        /// mesh with itself. Finite, at least 0, by default 0.
        /// </summary>
        public double thickness;
        /// <summary>
        /// Bits that tell what the mesh is; by default 1. Two different meshes meet only if a.mask &amp;
        /// b.category and b.mask &amp; a.category are both not 0. A mesh meets itself whatever they are.
        /// </summary>
        public ulong category;
        /// <summary>
        /// Bits that tell what the mesh meets; by default all.
        /// </summary>
        public ulong mask;
        /// <summary>
        /// For the caller; by default 0. The library gives it back in pccd_mesh_info and does nothing else
        /// with it.
        /// </summary>
        public ulong user_data;
    }

    /// <summary>
    /// The handle of a mesh: a body made of triangles. It belongs to the context it was created in; any
    /// other value of id, that of a mesh destroyed before included, is answered with PCCD_ERR_STALE_HANDLE.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_mesh
    {
        /// <summary>
        /// 0 is the null handle, which is answered with PCCD_ERR_NULL. All else is the library's.
        /// </summary>
        public ulong id;
    }

    /// <summary>
    /// What pccd_mesh_info_get() tells about a mesh. Prepare it with pccd_mesh_info_init().
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_mesh_info
    {
        /// <summary>
        /// Size of this struct in bytes, as the caller knows it. Set by pccd_mesh_info_init().
        /// </summary>
        public uint struct_size;
        /// <summary>
        /// As in the definition.
        /// </summary>
        public uint flags;
        /// <summary>
        /// Vertices, those included that no triangle uses.
        /// </summary>
        public ulong vertex_count;
        /// <summary>
        /// Triangles, those without area included.
        /// </summary>
        public ulong triangle_count;
        /// <summary>
        /// Edges: pairs of different vertices that are corners of a triangle, each counted once.
        /// </summary>
        public ulong edge_count;
        /// <summary>
        /// Triangles that have a vertex more than once, or had no area when the mesh was created.
        /// </summary>
        public ulong degenerate_triangle_count;
        /// <summary>
        /// Bytes that the library holds for this mesh, without the hierarchies it is in.
        /// </summary>
        public ulong bytes;
        /// <summary>
        /// As in the definition.
        /// </summary>
        public double thickness;
        /// <summary>
        /// As in the definition, or as pccd_mesh_set_filter() has set it.
        /// </summary>
        public ulong category;
        /// <summary>
        /// As in the definition, or as pccd_mesh_set_filter() has set it.
        /// </summary>
        public ulong mask;
        /// <summary>
        /// As in the definition.
        /// </summary>
        public ulong user_data;
    }

    /// <summary>
    /// How to create a hierarchy. Fill it with pccd_bvh_def_init(), then change what should differ.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_bvh_def
    {
        /// <summary>
        /// Size of this struct in bytes, as the caller knows it. Set by pccd_bvh_def_init().
        /// </summary>
        public uint struct_size;
        /// <summary>
        /// Has to be 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// What belongs to a mesh is built anew at an update when its quality has fallen below this: from 0
        /// (never) to 1 (whenever it has become worse at all), by default 0.5. Only speed depends on it,
        /// never a result.
        /// </summary>
        public double rebuild_quality;
        /// <summary>
        /// A part of a mesh is sorted anew during a run when its box, compared with those of its parts, has come
        /// to less than this share of what it was: from 0 (never) to 1, by default 0.9. Only speed depends on
        /// it, never a result.
        /// </summary>
        public double volume_ratio;
        /// <summary>
        /// What decides which parts of meshes are sorted anew during a run: PCCD_METRIC_VOLUME_RATIO, which is
        /// the default, or PCCD_METRIC_TRAVERSAL_COST. Only speed depends on it, never a result.
        /// </summary>
        public uint metric;
        /// <summary>
        /// Meshes of at least so many triangles are sorted by a grid when they are added or built anew, and
        /// by medians only within its cells, when these have fewer. 0, which is the default, for never; 100 to
        /// 1000 are sensible. Measure before you use it: hierarchies become worse, and on what has been measured
        /// so far no time was saved. Only speed depends on it, never a result.
        /// </summary>
        public uint grid_limit;
        /// <summary>
        /// With PCCD_METRIC_TRAVERSAL_COST, a part is sorted anew when the time that this is expected to save
        /// is more than what it is expected to take, and the latter is at most this share of the time of the
        /// last run: from 0 (never) to 1, by default 0.25. Both are estimated with constants that are measured
        /// while hierarchies are built and queries run, so what is sorted when may differ from one execution
        /// of a program to the next. Results do not.
        /// </summary>
        public double loss_limit;
    }

    /// <summary>
    /// What pccd_bvh_info_get() tells about a hierarchy. Prepare it with pccd_bvh_info_init().
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_bvh_info
    {
        /// <summary>
        /// Size of this struct in bytes, as the caller knows it. Set by pccd_bvh_info_init().
        /// </summary>
        public uint struct_size;
        /// <summary>
        /// Levels from the root to the deepest leaf.
        /// </summary>
        public uint depth;
        /// <summary>
        /// Meshes in the hierarchy.
        /// </summary>
        public ulong mesh_count;
        /// <summary>
        /// Triangles of all of them.
        /// </summary>
        public ulong triangle_count;
        /// <summary>
        /// Nodes.
        /// </summary>
        public ulong node_count;
        /// <summary>
        /// Bytes that the library holds for this hierarchy, without its meshes.
        /// </summary>
        public ulong bytes;
        /// <summary>
        /// 1 right after a build, less as the boxes grow.
        /// </summary>
        public double quality;
        /// <summary>
        /// How often the quality of a mesh had fallen so far that its part was built anew.
        /// </summary>
        public ulong rebuild_count;
        /// <summary>
        /// How often a part of a mesh was sorted anew during a run: see volume_ratio in pccd_bvh_def.
        /// </summary>
        public ulong node_rebuild_count;
        /// <summary>
        /// How many of rebuild_count were because too many parts of a mesh had no room to be sorted anew.
        /// </summary>
        public ulong crowded_count;
    }

    /// <summary>
    /// The handle of a bounding volume hierarchy over any number of meshes. It belongs to the context it was
    /// created in; any other value of id, that of a hierarchy destroyed before included, is answered with
    /// PCCD_ERR_STALE_HANDLE.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_bvh
    {
        /// <summary>
        /// 0 is the null handle, which is answered with PCCD_ERR_NULL. All else is the library's.
        /// </summary>
        public ulong id;
    }

    /// <summary>
    /// A triangle of a mesh.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_triangle_ref
    {
        /// <summary>
        /// The mesh.
        /// </summary>
        public pccd_mesh mesh;
        /// <summary>
        /// Which of its triangles: an index into the triangles it was created with.
        /// </summary>
        public uint triangle;
        /// <summary>
        /// Always 0.
        /// </summary>
        public uint reserved;
    }

    /// <summary>
    /// How a mesh breaks. Fill it with pccd_split_def_init(), then set part_count, parts and triangle_count,
    /// and the rest if the mesh tears or shows new faces.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_split_def
    {
        /// <summary>
        /// Size of this struct in bytes, as the caller knows it. Set by pccd_split_def_init().
        /// </summary>
        public uint struct_size;
        /// <summary>
        /// How many meshes come out, at least 1.
        /// </summary>
        public uint part_count;
        /// <summary>
        /// For each triangle the number of its part, less than part_count. Every part has to have a triangle.
        /// </summary>
        public uint* parts;
        /// <summary>
        /// How many elements parts has: the number of triangles of the mesh, or more if triangles are given.
        /// </summary>
        public ulong triangle_count;
        /// <summary>
        /// Vertices of the mesh that are there once more: copies[i] gets a copy, which has the number
        /// vertex_count + i. By default there are none. A vertex that several parts use needs no copy: each
        /// part gets its own anyway. Copies are for what tears without coming apart.
        /// </summary>
        public uint* copies;
        /// <summary>
        /// How many elements copies has.
        /// </summary>
        public ulong copy_count;
        /// <summary>
        /// New corners of the triangles: PCCD_FORMAT_U16X3 or PCCD_FORMAT_U32X3, triangle_count of them, or
        /// an empty view (the default) if all stay as they are. Those that the mesh has keep their shape: a
        /// corner is what it was, or a copy of that. Those beyond are new triangles, between any vertices and
        /// copies: the faces of a crack, for instance.
        /// </summary>
        public pccd_view triangles;
    }

    /// <summary>
    /// Which meshes become one. Fill it with pccd_merge_def_init(), then set meshes and mesh_count, and a
    /// weld if vertices should be shared.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_merge_def
    {
        /// <summary>
        /// Size of this struct in bytes, as the caller knows it. Set by pccd_merge_def_init().
        /// </summary>
        public uint struct_size;
        /// <summary>
        /// Has to be 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// The meshes, each once. Their vertices are numbered through, those of the first mesh first.
        /// </summary>
        public pccd_mesh* meshes;
        /// <summary>
        /// How many meshes there are, at least 1.
        /// </summary>
        public ulong mesh_count;
        /// <summary>
        /// For each vertex, numbered through, the one that it becomes: itself, or an earlier one that becomes
        /// itself and is at the same place, at t = 0 and at t = 1. By default null: all stay themselves.
        /// </summary>
        public uint* weld;
        /// <summary>
        /// How many elements weld has: the number of vertices of all meshes, or 0 if there is no weld.
        /// </summary>
        public ulong vertex_count;
    }

    /// <summary>
    /// A vertex of a mesh.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_vertex_ref
    {
        /// <summary>
        /// The mesh.
        /// </summary>
        public pccd_mesh mesh;
        /// <summary>
        /// Which of its vertices.
        /// </summary>
        public uint vertex;
        /// <summary>
        /// Always 0.
        /// </summary>
        public uint reserved;
    }

    /// <summary>
    /// What to look for. Fill it with pccd_query_def_init(), then change what should differ.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_query_def
    {
        /// <summary>
        /// Size of this struct in bytes, as the caller knows it. Set by pccd_query_def_init().
        /// </summary>
        public uint struct_size;
        /// <summary>
        /// A sum of PCCD_QUERY_ flags, by default 0.
        /// </summary>
        public uint flags;
        /// <summary>
        /// One of the PCCD_MODE_ values, by default PCCD_MODE_ALL.
        /// </summary>
        public uint mode;
        /// <summary>
        /// Has to be 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// As in pccd_ccd_settings. The distance at which a pair collides is this plus the thickness of both
        /// meshes; the sum has to be finite, which pccd_query_run() checks.
        /// </summary>
        public double min_separation;
        /// <summary>
        /// As in pccd_ccd_settings.
        /// </summary>
        public double toi_tolerance;
        /// <summary>
        /// As in pccd_ccd_settings.
        /// </summary>
        public double separation_tolerance;
        /// <summary>
        /// The most contacts that are kept, the first ones in sorted order; by default 0, which means all.
        /// How many were dropped is told by PCCD_INCOMPLETE from pccd_query_run() and in pccd_query_stats.
        /// </summary>
        public ulong capacity;
        /// <summary>
        /// With mode PCCD_MODE_DISCRETE, one of the PCCD_METHOD_ values, by default PCCD_METHOD_AUTO. Otherwise
        /// it has to be that. Results do not depend on it.
        /// </summary>
        public uint method;
        /// <summary>
        /// With mode PCCD_MODE_DISCRETE, one of the PCCD_HASHING_ values, by default PCCD_HASHING_MORTON.
        /// Otherwise it has to be that. Results do not depend on it.
        /// </summary>
        public uint hashing;
        /// <summary>
        /// One of the PCCD_CULL_ values, by default PCCD_CULL_NONE. Only contacts within a mesh at distance 0
        /// are culled: where the separation, thickness included, is more than 0, and with the modes
        /// PCCD_MODE_CANDIDATES and PCCD_MODE_DISCRETE, nothing is.
        /// </summary>
        public uint culling;
        /// <summary>
        /// Has to be 0.
        /// </summary>
        public uint reserved2;
    }

    /// <summary>
    /// The handle of a query: what to look for, and afterwards what was found. It belongs to the context it
    /// was created in; any other value of id, that of a query destroyed before included, is answered with
    /// PCCD_ERR_STALE_HANDLE.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_query
    {
        /// <summary>
        /// 0 is the null handle, which is answered with PCCD_ERR_NULL. All else is the library's.
        /// </summary>
        public ulong id;
    }

    /// <summary>
    /// Two features in contact: a vertex and a triangle, or two edges.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_contact
    {
        /// <summary>
        /// The mesh of the vertex, or of edge a. Of two edges the first one in the order of mesh and vertices
        /// is a.
        /// </summary>
        public pccd_mesh mesh_a;
        /// <summary>
        /// The mesh of the triangle, or of edge b. The same as mesh_a for a contact of a mesh with itself.
        /// </summary>
        public pccd_mesh mesh_b;
        /// <summary>
        /// PCCD_VERTEX_FACE or PCCD_EDGE_EDGE.
        /// </summary>
        public uint kind;
        /// <summary>
        /// 0 or PCCD_CONTACT_AT_START.
        /// </summary>
        public uint flags;
        /// <summary>
        /// v f0 f1 f2 for a vertex and a triangle, the latter in the order of its definition; a0 a1 b0 b1 for
        /// two edges, each with the smaller vertex first. Indices into the vertices of their meshes.
        /// </summary>
        public fixed uint vertices[4];
        /// <summary>
        /// A triangle of each feature, as indices into the triangles of their meshes: the triangle itself; for
        /// a vertex or an edge the first triangle that has it.
        /// </summary>
        public fixed uint triangles[2];
        /// <summary>
        /// There is no contact of this pair before this time.
        /// </summary>
        public double toi_lower;
        /// <summary>
        /// The first contact of this pair is not after this time; see pccd_ccd_result.
        /// </summary>
        public double toi_upper;
        /// <summary>
        /// The contact point on each feature, as weights of the four vertices: 1, f0, f1, f2 or a0, a1, b0, b1.
        /// </summary>
        public fixed double weights[4];
        /// <summary>
        /// Direction of the contact, of length 1, from the second feature to the first; see pccd_ccd_result.
        /// </summary>
        public fixed double normal[3];
    }

    /// <summary>
    /// What pccd_query_stats_get() tells about the last run of a query. Prepare it with
    /// pccd_query_stats_init(). Counts and times say how the work was done: unlike contacts, they may change
    /// with the hierarchy, the number of threads and the version of the library. After a run that was
    /// cancelled they say what had been done by then. Of a query of mode PCCD_MODE_DISCRETE,
    /// pccd_discrete_stats_get() tells more.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_query_stats
    {
        /// <summary>
        /// Size of this struct in bytes, as the caller knows it. Set by pccd_query_stats_init().
        /// </summary>
        public uint struct_size;
        /// <summary>
        /// Always 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// Triangles of all meshes in the hierarchy.
        /// </summary>
        public ulong triangle_count;
        /// <summary>
        /// Pairs of nodes whose boxes were compared.
        /// </summary>
        public ulong node_pairs;
        /// <summary>
        /// Pairs of leaves whose triangles were compared.
        /// </summary>
        public ulong leaf_pairs;
        /// <summary>
        /// Pairs of a vertex and a triangle whose boxes meet: what is left for filters and elementary tests.
        /// </summary>
        public ulong candidates_vf;
        /// <summary>
        /// Pairs of edges whose boxes meet.
        /// </summary>
        public ulong candidates_ee;
        /// <summary>
        /// Contacts of a vertex and a triangle.
        /// </summary>
        public ulong contacts_vf;
        /// <summary>
        /// Contacts of two edges.
        /// </summary>
        public ulong contacts_ee;
        /// <summary>
        /// Contacts beyond the capacity of the query.
        /// </summary>
        public ulong dropped;
        /// <summary>
        /// Pairs that needed exact arithmetic.
        /// </summary>
        public ulong exact_tests;
        /// <summary>
        /// Bytes that the library keeps for the hierarchy and its meshes, whatever is found.
        /// </summary>
        public ulong state_bytes;
        /// <summary>
        /// Milliseconds for the update of the hierarchy.
        /// </summary>
        public double ms_update;
        /// <summary>
        /// Milliseconds for finding the pairs that need an elementary test, summed over the workers.
        /// </summary>
        public double ms_traverse;
        /// <summary>
        /// Milliseconds for the elementary tests, summed over the workers.
        /// </summary>
        public double ms_elementary;
        /// <summary>
        /// Milliseconds for sorting the contacts.
        /// </summary>
        public double ms_sort;
        /// <summary>
        /// Milliseconds for the run.
        /// </summary>
        public double ms_total;
        /// <summary>
        /// state_bytes divided by triangle_count; 0 without triangles.
        /// </summary>
        public double bytes_per_triangle;
        /// <summary>
        /// Milliseconds of ms_update in which boxes were fitted to the vertices that had moved.
        /// </summary>
        public double ms_refit;
        /// <summary>
        /// Milliseconds in which parts of meshes were tested with themselves.
        /// </summary>
        public double ms_low;
        /// <summary>
        /// Milliseconds in which the pairs were tested that are left then: of large parts of a mesh, and of
        /// different meshes.
        /// </summary>
        public double ms_high;
        /// <summary>
        /// Milliseconds in which one worker prepared something while the others waited. Counted in the times
        /// above as well.
        /// </summary>
        public double ms_serial;
        /// <summary>
        /// Of the time in which all workers were there to work, the share in which they did not: 0 if all
        /// were busy to the end. Workers that did not come to a run that was begun count as idle.
        /// </summary>
        public double imbalance;
        /// <summary>
        /// The most workers that could have taken part; 0 before the first run.
        /// </summary>
        public ulong worker_count;
        /// <summary>
        /// Units of work.
        /// </summary>
        public ulong units;
        /// <summary>
        /// Times that an idle worker asked, or looked around, for work.
        /// </summary>
        public ulong requests;
        /// <summary>
        /// Units that a worker gave to another one that had asked.
        /// </summary>
        public ulong grants;
        /// <summary>
        /// Units that a worker took from the place of another one.
        /// </summary>
        public ulong steals;
        /// <summary>
        /// Parts of meshes that were sorted anew because their boxes had become bad.
        /// </summary>
        public ulong node_rebuilds;
        /// <summary>
        /// Triangles of the parts of meshes that were not tested with themselves (see culling in
        /// pccd_query_def), each counted once.
        /// </summary>
        public ulong culled_triangles;
        /// <summary>
        /// Milliseconds for finding these parts.
        /// </summary>
        public double ms_cull;
    }

    /// <summary>
    /// What pccd_query_worker_stats_get() tells about a worker in the last run of a query. Prepare it with
    /// pccd_query_worker_stats_init(). All of it may change from run to run.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_query_worker_stats
    {
        /// <summary>
        /// Size of this struct in bytes, as the caller knows it. Set by pccd_query_worker_stats_init().
        /// </summary>
        public uint struct_size;
        /// <summary>
        /// Always 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// Milliseconds in which it worked on units.
        /// </summary>
        public double ms_busy;
        /// <summary>
        /// Units that it worked on.
        /// </summary>
        public ulong units;
        /// <summary>
        /// Times that it had nothing to do and asked, or looked around, for work.
        /// </summary>
        public ulong requests;
        /// <summary>
        /// Units that it gave to others that had asked.
        /// </summary>
        public ulong grants;
        /// <summary>
        /// Units that it took from the places of others.
        /// </summary>
        public ulong steals;
        /// <summary>
        /// Parts of meshes that it sorted anew.
        /// </summary>
        public ulong node_rebuilds;
        /// <summary>
        /// Pairs of nodes whose boxes it compared.
        /// </summary>
        public ulong node_pairs;
        /// <summary>
        /// Pairs of leaves whose triangles it compared.
        /// </summary>
        public ulong leaf_pairs;
        /// <summary>
        /// Pairs of a vertex and a triangle whose boxes meet: what is left for its filters and elementary tests.
        /// </summary>
        public ulong candidates_vf;
        /// <summary>
        /// Pairs of edges whose boxes meet.
        /// </summary>
        public ulong candidates_ee;
    }

    /// <summary>
    /// What pccd_discrete_stats_get() tells about the last run of a query of mode PCCD_MODE_DISCRETE.
    /// Prepare it with pccd_discrete_stats_init(). Unlike intersections, these numbers may change with the
    /// method and the version of the library.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_discrete_stats
    {
        /// <summary>
        /// Size of this struct in bytes, as the caller knows it. Set by pccd_discrete_stats_init().
        /// </summary>
        public uint struct_size;
        /// <summary>
        /// The method that was used: PCCD_METHOD_BVH or PCCD_METHOD_GRID; PCCD_METHOD_AUTO before the first
        /// run.
        /// </summary>
        public uint method;
        /// <summary>
        /// One of the PCCD_REASON_ values: why this method.
        /// </summary>
        public uint reason;
        /// <summary>
        /// Always 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// Triangles of all meshes.
        /// </summary>
        public ulong triangle_count;
        /// <summary>
        /// Pairs that intersect, those beyond the capacity included.
        /// </summary>
        public ulong intersections;
        /// <summary>
        /// Intersections beyond the capacity of the query.
        /// </summary>
        public ulong dropped;
        /// <summary>
        /// Pairs of triangles whose boxes overlap.
        /// </summary>
        public ulong candidates;
        /// <summary>
        /// Pairs that were not decided by the filter in doubles.
        /// </summary>
        public ulong exact_tests;
        /// <summary>
        /// Pairs of boxes of the hierarchy that were looked at; 0 with the grid.
        /// </summary>
        public ulong node_pairs;
        /// <summary>
        /// Cells of the grid that have triangles; 0 with the hierarchy, as the next two.
        /// </summary>
        public ulong cells;
        /// <summary>
        /// Triangles in cells, each in all cells that it intersects.
        /// </summary>
        public ulong entries;
        /// <summary>
        /// Levels of the grid that have triangles.
        /// </summary>
        public ulong levels;
        /// <summary>
        /// Milliseconds for the population of the grid, or the update of the hierarchy.
        /// </summary>
        public double ms_update;
        /// <summary>
        /// Milliseconds for finding pairs and testing them.
        /// </summary>
        public double ms_find;
        /// <summary>
        /// Milliseconds for sorting the intersections, and for their segments.
        /// </summary>
        public double ms_sort;
        /// <summary>
        /// Milliseconds for the run.
        /// </summary>
        public double ms_total;
    }

    /// <summary>
    /// Two triangles that have a point in common at t = 1. If they share vertices, which only triangles of
    /// the same mesh can, they have one in common beyond these and the edge between them. Triangles with
    /// the same three vertices intersect. Decided exactly, for triangles of any shape, those without area
    /// included.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_intersection
    {
        /// <summary>
        /// The mesh of the first triangle: the one with the smaller id.
        /// </summary>
        public pccd_mesh mesh_a;
        /// <summary>
        /// The mesh of the second one. The same as mesh_a for triangles of one mesh.
        /// </summary>
        public pccd_mesh mesh_b;
        /// <summary>
        /// The first triangle, an index into the triangles of mesh_a; less than triangle_b in the same mesh.
        /// </summary>
        public uint triangle_a;
        /// <summary>
        /// The second triangle, an index into the triangles of mesh_b.
        /// </summary>
        public uint triangle_b;
        /// <summary>
        /// 0, or a sum of PCCD_INTERSECTION_ flags.
        /// </summary>
        public uint flags;
        /// <summary>
        /// Always 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// With PCCD_QUERY_SEGMENTS, the ends of what both have in common, x y z of one, then of the other;
        /// twice the same if that is a point. Of an area, the two corners of it that are farthest apart.
        /// Which edges and corners these are on is exact; coordinates are rounded. Without the flag all are
        /// 0.
        /// </summary>
        public fixed double segment[6];
    }

    /// <summary>
    /// What pccd_mesh_k_free() and pccd_mesh_k_free_polygons() tell about some meshes. Prepare it with
    /// pccd_k_free_report_init(). The latter speaks of polygons where the former does of triangles.
    ///
    /// The size d of a triangle is the diameter of its minimum enclosing sphere. A triangle is k-free if
    /// fewer than k others that are at least as large come as close to it as d / 4. What is told is the
    /// smallest such k, of single triangles and of all of them: the larger it is, the more triangles can
    /// intersect at one place, and the longer a query of mode PCCD_MODE_DISCRETE can take. Surfaces of even
    /// triangles have about 6 to 20.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_k_free_report
    {
        /// <summary>
        /// Size of this struct in bytes, as the caller knows it. Set by pccd_k_free_report_init().
        /// </summary>
        public uint struct_size;
        /// <summary>
        /// Always 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// Triangles of all meshes.
        /// </summary>
        public ulong triangle_count;
        /// <summary>
        /// The smallest k for which all triangles are k-free; 0 without triangles. Never too small: where
        /// rounding leaves open whether a triangle is close enough, it counts.
        /// </summary>
        public ulong k_max;
        /// <summary>
        /// The mean of the smallest k of each triangle.
        /// </summary>
        public double k_mean;
        /// <summary>
        /// The standard deviation of the smallest k of each triangle.
        /// </summary>
        public double k_deviation;
        /// <summary>
        /// The mean number of larger triangles that are counted for a triangle and share a vertex with it.
        /// </summary>
        public double neighbours_mean;
        /// <summary>
        /// Of all larger triangles that are counted, the share of those that share a vertex: what of k
        /// comes from the mere connection of the triangles.
        /// </summary>
        public double neighbour_share;
        /// <summary>
        /// The binary logarithm of the largest size divided by the smallest one that is not 0: how many
        /// levels the grid has.
        /// </summary>
        public double height;
        /// <summary>
        /// The smallest size that is not 0; 0 if there is none.
        /// </summary>
        public double diameter_min;
        /// <summary>
        /// The largest size.
        /// </summary>
        public double diameter_max;
        /// <summary>
        /// Triangles whose corners are all in one place.
        /// </summary>
        public ulong point_count;
        /// <summary>
        /// 3 n k, n being the number of triangles and k k_max: no more pairs can intersect between two sets
        /// that have n triangles together and are both k-free. A polygon of more than one triangle counts 7 k
        /// instead of 3 k, which is proved for flat ones. UINT64_MAX if it is more than that.
        /// </summary>
        public ulong bound;
        /// <summary>
        /// Polygons of all meshes; as many as triangles from pccd_mesh_k_free().
        /// </summary>
        public ulong polygon_count;
    }

    /// <summary>
    /// A triangle or a polygon, and the smallest k for which it is k-free.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_triangle_k
    {
        /// <summary>
        /// The mesh.
        /// </summary>
        public pccd_mesh mesh;
        /// <summary>
        /// The triangle, an index into the triangles of the mesh; of a polygon the first one.
        /// </summary>
        public uint triangle;
        /// <summary>
        /// One more than there are other triangles or polygons that are at least as large and as close as told at
        /// pccd_k_free_report.
        /// </summary>
        public uint k;
        /// <summary>
        /// How many of these share a vertex with it.
        /// </summary>
        public uint neighbours;
        /// <summary>
        /// The polygon, an index into the fans of pccd_mesh_k_free_polygons(); 0 from pccd_mesh_k_free().
        /// </summary>
        public uint polygon;
        /// <summary>
        /// The diameter of its minimum enclosing sphere, rounded.
        /// </summary>
        public double diameter;
    }

    /// <summary>
    /// How to create a pipeline. Fill it with pccd_pipeline_def_init(), then change what should differ.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_pipeline_def
    {
        /// <summary>
        /// Size of this struct in bytes, as the caller knows it. Set by pccd_pipeline_def_init().
        /// </summary>
        public uint struct_size;
        /// <summary>
        /// 0, which is the default, or PCCD_PIPELINE_STAY.
        /// </summary>
        public uint flags;
        /// <summary>
        /// One of the PCCD_PHASES_ values, by default PCCD_PHASES_AUTO. Only speed depends on it.
        /// </summary>
        public uint phases;
        /// <summary>
        /// One of the PCCD_BROAD_ values, by default PCCD_BROAD_AUTO. Only speed depends on it.
        /// </summary>
        public uint broad;
        /// <summary>
        /// Threads that begin with the broad phase, if narrow_threads is set, too. Both are 0 by default: the
        /// library measures and decides. See pccd_pipeline_set_split().
        /// </summary>
        public uint broad_threads;
        /// <summary>
        /// Threads that begin with the narrow phase.
        /// </summary>
        public uint narrow_threads;
        /// <summary>
        /// Objects are in contact when the gap between them is at most this. Finite, at least 0, by default 0:
        /// when they touch or overlap.
        /// </summary>
        public double margin;
    }

    /// <summary>
    /// The handle of a pipeline: rigid objects, and the contacts between them. It belongs to the context it was
    /// created in; any other value of id, that of a pipeline destroyed before included, is answered with
    /// PCCD_ERR_STALE_HANDLE.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_pipeline
    {
        /// <summary>
        /// 0 is the null handle, which is answered with PCCD_ERR_NULL. All else is the library's.
        /// </summary>
        public ulong id;
    }

    /// <summary>
    /// What to add to a pipeline. Fill it with pccd_object_def_init(), then set a shape and what belongs to it,
    /// and change what should differ.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_object_def
    {
        /// <summary>
        /// Size of this struct in bytes, as the caller knows it. Set by pccd_object_def_init().
        /// </summary>
        public uint struct_size;
        /// <summary>
        /// A sum of PCCD_OBJECT_ flags, by default 0.
        /// </summary>
        public uint flags;
        /// <summary>
        /// One of the PCCD_SHAPE_ values. There is no default.
        /// </summary>
        public uint shape;
        /// <summary>
        /// Has to be 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// Of a sphere or capsule. Finite, at least 0; a sphere's or capsule's is more than 0.
        /// </summary>
        public double radius;
        /// <summary>
        /// Of a capsule. Finite, at least 0.
        /// </summary>
        public double half_height;
        /// <summary>
        /// Of a box, along x, y and z. Finite, more than 0.
        /// </summary>
        public fixed double half_extents[3];
        /// <summary>
        /// Of a hull: PCCD_FORMAT_F32X3 or PCCD_FORMAT_F64X3, 1 to 65535, all coordinates finite. Copied. They may
        /// be anywhere, in a plane, or repeated.
        /// </summary>
        public pccd_view points;
        /// <summary>
        /// Of a mesh shape. The object follows when the mesh is moved, and is removed when it is destroyed.
        /// Thickness and filter of the mesh do not matter here.
        /// </summary>
        public pccd_mesh mesh;
        /// <summary>
        /// Where the origin of the shape is. Finite; by default 0 0 0.
        /// </summary>
        public fixed double position[3];
        /// <summary>
        /// How it is rotated: a quaternion x y z w, which is divided by its length. Finite and not 0; by default
        /// 0 0 0 1.
        /// </summary>
        public fixed double rotation[4];
        /// <summary>
        /// Bits that tell what the object is; by default 1. Two objects meet only if a.mask &amp; b.category and
        /// b.mask &amp; a.category are both not 0.
        /// </summary>
        public ulong category;
        /// <summary>
        /// Bits that tell what the object meets; by default all.
        /// </summary>
        public ulong mask;
        /// <summary>
        /// For the caller; by default 0. The library gives it back in pccd_object_info.
        /// </summary>
        public ulong user_data;
    }

    /// <summary>
    /// What pccd_object_info_get() tells about an object. Prepare it with pccd_object_info_init().
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_object_info
    {
        /// <summary>
        /// Size of this struct in bytes, as the caller knows it. Set by pccd_object_info_init().
        /// </summary>
        public uint struct_size;
        /// <summary>
        /// As in pccd_object_def.
        /// </summary>
        public uint flags;
        /// <summary>
        /// One of the PCCD_SHAPE_ values.
        /// </summary>
        public uint shape;
        /// <summary>
        /// Always 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// Where it is.
        /// </summary>
        public fixed double position[3];
        /// <summary>
        /// How it is rotated: x y z w, of length 1.
        /// </summary>
        public fixed double rotation[4];
        /// <summary>
        /// As in pccd_object_def.
        /// </summary>
        public ulong category;
        /// <summary>
        /// As in pccd_object_def.
        /// </summary>
        public ulong mask;
        /// <summary>
        /// As in pccd_object_def.
        /// </summary>
        public ulong user_data;
    }

    /// <summary>
    /// The handle of an object. It belongs to the pipeline it was added to; any other value of id, that of an
    /// object removed before included, is answered with PCCD_ERR_STALE_HANDLE.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_object
    {
        /// <summary>
        /// 0 is the null handle, which is answered with PCCD_ERR_NULL. All else is the library's.
        /// </summary>
        public ulong id;
    }

    /// <summary>
    /// Two objects that are, or were, in contact.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_pair
    {
        /// <summary>
        /// The one that comes first in the order of the pipeline. If the pair has ended, it may have been removed.
        /// </summary>
        public pccd_object object_a;
        /// <summary>
        /// The other one.
        /// </summary>
        public pccd_object object_b;
        /// <summary>
        /// One of the PCCD_PAIR_ values.
        /// </summary>
        public uint state;
        /// <summary>
        /// How many points there are: 1 to 16, or 0 if the pair has ended.
        /// </summary>
        public uint point_count;
        /// <summary>
        /// The first of them, as an index into what pccd_pipeline_points() gives.
        /// </summary>
        public ulong first_point;
        /// <summary>
        /// When the contact began on the way from the last step (0) to this one (1), if one of both is
        /// PCCD_OBJECT_SWEPT and they met on the way; otherwise 1. If it is less than 1 and they are not in
        /// contact where they are now, the points are those of that time.
        /// </summary>
        public double toi;
    }

    /// <summary>
    /// A point of contact.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_contact_point
    {
        /// <summary>
        /// Where it is, halfway between both surfaces.
        /// </summary>
        public fixed double point[3];
        /// <summary>
        /// The direction of the contact, of length 1, from object_b to object_a.
        /// </summary>
        public fixed double normal[3];
        /// <summary>
        /// How deep they overlap there along the normal; below 0 for a gap, which is at most the margin.
        /// </summary>
        public double depth;
        /// <summary>
        /// The triangle of object_a, if that is a mesh; otherwise PCCD_NO_TRIANGLE.
        /// </summary>
        public uint triangle_a;
        /// <summary>
        /// The same of object_b.
        /// </summary>
        public uint triangle_b;
    }

    /// <summary>
    /// How the threads were divided at a step, and what both phases took.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_balance_record
    {
        /// <summary>
        /// The number of the step, from 1.
        /// </summary>
        public ulong step;
        /// <summary>
        /// Threads that began with the broad phase.
        /// </summary>
        public uint broad_threads;
        /// <summary>
        /// Threads that began with the narrow phase.
        /// </summary>
        public uint narrow_threads;
        /// <summary>
        /// A sum of PCCD_BALANCE_ flags.
        /// </summary>
        public uint flags;
        /// <summary>
        /// Steps until the next control step, from 1 after a change to 32.
        /// </summary>
        public uint interval;
        /// <summary>
        /// Milliseconds that all threads together spent in the broad phase.
        /// </summary>
        public double ms_broad;
        /// <summary>
        /// Milliseconds that all threads together spent in the narrow phase.
        /// </summary>
        public double ms_narrow;
        /// <summary>
        /// Milliseconds from the beginning of both phases to their end.
        /// </summary>
        public double ms_phases;
    }

    /// <summary>
    /// What the last step of a pipeline did, and how long it took. Prepare it with pccd_pipeline_stats_init().
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct pccd_pipeline_stats
    {
        /// <summary>
        /// Size of this struct in bytes, as the caller knows it. Set by pccd_pipeline_stats_init().
        /// </summary>
        public uint struct_size;
        /// <summary>
        /// PCCD_BROAD_BRUTE_FORCE or PCCD_BROAD_SWEEP; 0 before the first step.
        /// </summary>
        public uint broad;
        /// <summary>
        /// PCCD_PHASES_SEQUENTIAL or PCCD_PHASES_SIMULTANEOUS; 0 before the first step.
        /// </summary>
        public uint phases;
        /// <summary>
        /// Threads that began with the broad phase.
        /// </summary>
        public uint broad_threads;
        /// <summary>
        /// Threads that began with the narrow phase.
        /// </summary>
        public uint narrow_threads;
        /// <summary>
        /// Always 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// Steps that were completed.
        /// </summary>
        public ulong step_count;
        /// <summary>
        /// Objects.
        /// </summary>
        public ulong object_count;
        /// <summary>
        /// Pairs of objects whose boxes overlapped and that may meet.
        /// </summary>
        public ulong candidate_count;
        /// <summary>
        /// Pairs that came into contact.
        /// </summary>
        public ulong begun_count;
        /// <summary>
        /// Pairs that stayed in contact.
        /// </summary>
        public ulong kept_count;
        /// <summary>
        /// Pairs that are in contact no more.
        /// </summary>
        public ulong ended_count;
        /// <summary>
        /// Points of contact.
        /// </summary>
        public ulong point_count;
        /// <summary>
        /// Milliseconds of the step.
        /// </summary>
        public double ms_total;
        /// <summary>
        /// Milliseconds for computing the boxes and sorting them.
        /// </summary>
        public double ms_boxes;
        /// <summary>
        /// Milliseconds that all threads together spent in the broad phase.
        /// </summary>
        public double ms_broad;
        /// <summary>
        /// Milliseconds that all threads together spent in the narrow phase.
        /// </summary>
        public double ms_narrow;
        /// <summary>
        /// Milliseconds from the beginning of both phases to their end.
        /// </summary>
        public double ms_phases;
        /// <summary>
        /// Milliseconds for bringing the results into order.
        /// </summary>
        public double ms_order;
    }

    /// <summary>Constants and functions.</summary>
    public static unsafe class Native
    {
#if UNITY_IOS && !UNITY_EDITOR
        public const string Library = "__Internal";
#else
        public const string Library = "pccd";
#endif

        /// <summary>
        /// The version of the binary interface that this header describes. A library refuses to create a
        /// context for any other.
        /// </summary>
        public const int PCCD_ABI_VERSION = 1;

        /// <summary>
        /// All went well.
        /// </summary>
        public const int PCCD_OK = 0;

        /// <summary>
        /// The results are right but not all: there was no room for the others.
        /// </summary>
        public const int PCCD_INCOMPLETE = 1;

        /// <summary>
        /// pccd_query_cancel() has ended the run: there are no results.
        /// </summary>
        public const int PCCD_CANCELLED = 2;

        /// <summary>
        /// A required pointer or handle is null.
        /// </summary>
        public const int PCCD_ERR_NULL = -1;

        /// <summary>
        /// A value is out of range, an enumeration value unknown, or a count larger than the buffer it is
        /// about.
        /// </summary>
        public const int PCCD_ERR_INVALID_ARGUMENT = -2;

        /// <summary>
        /// The struct_size of a struct is not one that this library knows: not initialised, or from a newer
        /// header.
        /// </summary>
        public const int PCCD_ERR_STRUCT_SIZE = -3;

        /// <summary>
        /// The caller was compiled for another version of the binary interface.
        /// </summary>
        public const int PCCD_ERR_VERSION = -4;

        /// <summary>
        /// A coordinate is NaN or infinite.
        /// </summary>
        public const int PCCD_ERR_NOT_FINITE = -5;

        /// <summary>
        /// A size does not fit the address space, or the allocator refused memory. Nothing has changed.
        /// </summary>
        public const int PCCD_ERR_OUT_OF_MEMORY = -6;

        /// <summary>
        /// The handle or context was destroyed, never existed, or belongs elsewhere.
        /// </summary>
        public const int PCCD_ERR_STALE_HANDLE = -7;

        /// <summary>
        /// Another call on the same context has not returned yet, or a run was begun in it and not ended.
        /// </summary>
        public const int PCCD_ERR_BUSY = -8;

        /// <summary>
        /// An earlier call on this context returned PCCD_ERR_PANIC: it can only be destroyed.
        /// </summary>
        public const int PCCD_ERR_POISONED = -9;

        /// <summary>
        /// A defect of the library showed itself. The context of this call is poisoned, others are not
        /// affected.
        /// </summary>
        public const int PCCD_ERR_PANIC = -10;

        /// <summary>
        /// This CPU lacks the SIMD level that was asked for.
        /// </summary>
        public const int PCCD_ERR_UNSUPPORTED = -11;

        /// <summary>
        /// The system refused to create a thread.
        /// </summary>
        public const int PCCD_ERR_THREAD = -12;

        /// <summary>
        /// A file could not be written.
        /// </summary>
        public const int PCCD_ERR_IO = -13;

        /// <summary>
        /// Log level: a call failed. The message is the sentence of pccd_last_error().
        /// </summary>
        public const int PCCD_LOG_ERROR = 1;

        /// <summary>
        /// Log level: something works, but not as it probably should.
        /// </summary>
        public const int PCCD_LOG_WARNING = 2;

        /// <summary>
        /// Log level: what happens once in a while, such as the creation of a context.
        /// </summary>
        public const int PCCD_LOG_INFO = 3;

        /// <summary>
        /// Scheduler: every worker has a queue of its own, and gives from it to those that are idle and ask. The
        /// default.
        /// </summary>
        public const int PCCD_SCHEDULER_ASSIGNMENT = 1;

        /// <summary>
        /// Scheduler: workers that are idle take from the queues of others.
        /// </summary>
        public const int PCCD_SCHEDULER_STEALING = 2;

        /// <summary>
        /// SIMD level: the highest that this CPU has.
        /// </summary>
        public const int PCCD_SIMD_AUTO = 0;

        /// <summary>
        /// SIMD level: none. Runs on every CPU.
        /// </summary>
        public const int PCCD_SIMD_SCALAR = 1;

        /// <summary>
        /// SIMD level: AVX2 of x86-64.
        /// </summary>
        public const int PCCD_SIMD_AVX2 = 2;

        /// <summary>
        /// SIMD level: AVX-512 (F, DQ and VL) of x86-64.
        /// </summary>
        public const int PCCD_SIMD_AVX512 = 3;

        /// <summary>
        /// Element format: three 32-bit floats, x y z.
        /// </summary>
        public const int PCCD_FORMAT_F32X3 = 1;

        /// <summary>
        /// Element format: three 64-bit floats, x y z.
        /// </summary>
        public const int PCCD_FORMAT_F64X3 = 2;

        /// <summary>
        /// Element format: three 16-bit unsigned integers, the vertices of a triangle.
        /// </summary>
        public const int PCCD_FORMAT_U16X3 = 3;

        /// <summary>
        /// Element format: three 32-bit unsigned integers, the vertices of a triangle.
        /// </summary>
        public const int PCCD_FORMAT_U32X3 = 4;

        /// <summary>
        /// Element format: four 32-bit floats, a quaternion x y z w.
        /// </summary>
        public const int PCCD_FORMAT_F32X4 = 5;

        /// <summary>
        /// Element format: four 64-bit floats, a quaternion x y z w.
        /// </summary>
        public const int PCCD_FORMAT_F64X4 = 6;

        /// <summary>
        /// Kind of query: a vertex against a triangle. Points: v f0 f1 f2.
        /// </summary>
        public const int PCCD_VERTEX_FACE = 1;

        /// <summary>
        /// Kind of query: two edges. Points: a0 a1 b0 b1.
        /// </summary>
        public const int PCCD_EDGE_EDGE = 2;

        /// <summary>
        /// Flag of a result: the pair collides.
        /// </summary>
        public const int PCCD_CCD_HIT = 1;

        /// <summary>
        /// Flag of a result, beside PCCD_CCD_HIT: it does so already at t = 0, touching or closer than
        /// min_separation.
        /// </summary>
        public const int PCCD_CCD_AT_START = 2;

        /// <summary>
        /// Flag of a mesh: no contacts of the mesh with itself.
        /// </summary>
        public const int PCCD_MESH_NO_SELF = 1;

        /// <summary>
        /// Nodes are sorted anew by their volume ratio: see volume_ratio in pccd_bvh_def.
        /// </summary>
        public const int PCCD_METRIC_VOLUME_RATIO = 0;

        /// <summary>
        /// Nodes are sorted anew by what a search below them is expected to cost: see loss_limit in pccd_bvh_def.
        /// </summary>
        public const int PCCD_METRIC_TRAVERSAL_COST = 1;

        /// <summary>
        /// Flag of a query: no contacts within a mesh.
        /// </summary>
        public const int PCCD_QUERY_NO_SELF = 1;

        /// <summary>
        /// Flag of a query: no contacts between different meshes.
        /// </summary>
        public const int PCCD_QUERY_NO_INTER = 2;

        /// <summary>
        /// Flag of a query of mode PCCD_MODE_DISCRETE: intersections come with their segments.
        /// </summary>
        public const int PCCD_QUERY_SEGMENTS = 4;

        /// <summary>
        /// Mode of a query: every contact.
        /// </summary>
        public const int PCCD_MODE_ALL = 1;

        /// <summary>
        /// Mode of a query: only the earliest contact. No pair is in contact before its toi_lower: a step that
        /// is safe for a simulation. If several are equally early, the first of them in sorted order.
        /// </summary>
        public const int PCCD_MODE_EARLIEST = 2;

        /// <summary>
        /// Mode of a query: every pair that cheap tests can't exclude, without elementary tests: their moving boxes
        /// meet, and if the separation is 0, a filter in 32-bit floats does not prove them apart either. All
        /// colliding pairs are among them. toi_lower is 0, toi_upper 1; flags, weights and normal are 0.
        /// </summary>
        public const int PCCD_MODE_CANDIDATES = 3;

        /// <summary>
        /// Mode of a query: every pair of triangles that intersect at t = 1, whatever the motion was. They are
        /// given by pccd_query_intersections(); there are no contacts. Separations, thicknesses and tolerances
        /// are not looked at.
        /// </summary>
        public const int PCCD_MODE_DISCRETE = 4;

        /// <summary>
        /// Culling of a query: none. Every part of a mesh is tested with itself.
        /// </summary>
        public const int PCCD_CULL_NONE = 0;

        /// <summary>
        /// Culling of a query: parts of a mesh are not tested with themselves if it is proved that they have no
        /// contact. Results are the same bits as without. The proof: seen from a fixed direction, the triangles of
        /// the part face the viewer throughout, and the outline of the part never crosses or touches itself. It
        /// saves time where large parts of a mesh lie in one layer, and costs some where they do not.
        /// </summary>
        public const int PCCD_CULL_EXACT = 1;

        /// <summary>
        /// Culling of a query: parts of a mesh are not tested with themselves if cones around their normals, and
        /// around the binormals of their edges at the boundary of the mesh, say so (dual cones). Contacts MAY BE
        /// MISSED: edges at which a part meets the rest of its mesh are not looked at, so a part that is
        /// almost flat but touches or penetrates itself across such an edge is left out. A pipe that is bent into
        /// itself is an example. Missed are contacts within a mesh only; nothing is reported that is no contact.
        /// What is missed depends on the hierarchy, and so on its settings and on earlier frames, but not on the
        /// number of threads, unless the hierarchy is restructured by measured times
        /// (PCCD_METRIC_TRAVERSAL_COST).
        /// </summary>
        public const int PCCD_CULL_DUAL_CONE = 2;

        /// <summary>
        /// Flag of a contact: the pair touches, or is closer than the minimum separation, already at t = 0.
        /// </summary>
        public const int PCCD_CONTACT_AT_START = 1;

        /// <summary>
        /// Method of a discrete query: what is likely to be faster, the grid or the hierarchy. pccd_discrete_stats
        /// tells which it was, and why.
        /// </summary>
        public const int PCCD_METHOD_AUTO = 0;

        /// <summary>
        /// Method of a discrete query: the boxes of the hierarchy, which is updated.
        /// </summary>
        public const int PCCD_METHOD_BVH = 1;

        /// <summary>
        /// Method of a discrete query: a hierarchical grid that is made anew in every run. The hierarchy is neither
        /// used nor updated. Takes time that is linear in the number of triangles, if k (see
        /// pccd_k_free_report) and the differences in size are bounded, whatever has changed since the last run.
        /// </summary>
        public const int PCCD_METHOD_GRID = 2;

        /// <summary>
        /// Hashing of the grid's cells: Morton codes. Cells that are close in space are close in memory.
        /// </summary>
        public const int PCCD_HASHING_MORTON = 0;

        /// <summary>
        /// Hashing of the grid's cells: DJB2, which spreads them.
        /// </summary>
        public const int PCCD_HASHING_DJB2 = 1;

        /// <summary>
        /// Why a method was used: there was no run yet.
        /// </summary>
        public const int PCCD_REASON_NONE = 0;

        /// <summary>
        /// Why a method was used: the query asks for it.
        /// </summary>
        public const int PCCD_REASON_ASKED = 1;

        /// <summary>
        /// Why the grid was used: pccd_query_run_meshes() has no hierarchy.
        /// </summary>
        public const int PCCD_REASON_NO_HIERARCHY = 2;

        /// <summary>
        /// Why the hierarchy was used: most triangles have not moved since it was updated.
        /// </summary>
        public const int PCCD_REASON_RESTS = 3;

        /// <summary>
        /// Why the grid was used: much of the hierarchy would have to be sorted anew, which takes longer.
        /// </summary>
        public const int PCCD_REASON_REBUILD = 4;

        /// <summary>
        /// Why the hierarchy was used though it has to be sorted anew: sizes differ so much that a grid would have
        /// many levels.
        /// </summary>
        public const int PCCD_REASON_HEIGHT = 5;

        /// <summary>
        /// Why the hierarchy was used though it has to be sorted anew: cells of a grid would have many triangles
        /// (k is large).
        /// </summary>
        public const int PCCD_REASON_CROWDED = 6;

        /// <summary>
        /// Why the hierarchy was used: most triangles have moved, but it does not have to be sorted anew.
        /// </summary>
        public const int PCCD_REASON_MOVES = 7;

        /// <summary>
        /// Flag of an intersection with a segment: both triangles lie in one plane. What they have in common
        /// then mostly is an area.
        /// </summary>
        public const int PCCD_INTERSECTION_COPLANAR = 1;

        /// <summary>
        /// Flag of an intersection: it comes with its segment.
        /// </summary>
        public const int PCCD_INTERSECTION_SEGMENT = 2;

        /// <summary>
        /// Flag of a pipeline: threads stay with their phase while it lasts. Otherwise who finds nothing to do in
        /// its own phase helps in the other one. Only speed depends on it.
        /// </summary>
        public const int PCCD_PIPELINE_STAY = 1;

        /// <summary>
        /// Phases of a pipeline: at the same time if the context has two threads or more, else one after the other.
        /// </summary>
        public const int PCCD_PHASES_AUTO = 1;

        /// <summary>
        /// Phases of a pipeline: first the broad phase on all threads, then the narrow one on all threads.
        /// </summary>
        public const int PCCD_PHASES_SEQUENTIAL = 2;

        /// <summary>
        /// Phases of a pipeline: both at the same time, also on one thread.
        /// </summary>
        public const int PCCD_PHASES_SIMULTANEOUS = 3;

        /// <summary>
        /// Broad phase: one of the others, by the number of objects.
        /// </summary>
        public const int PCCD_BROAD_AUTO = 1;

        /// <summary>
        /// Broad phase: every box against every other one.
        /// </summary>
        public const int PCCD_BROAD_BRUTE_FORCE = 2;

        /// <summary>
        /// Broad phase: boxes are sorted into columns and along them.
        /// </summary>
        public const int PCCD_BROAD_SWEEP = 3;

        /// <summary>
        /// Shape of an object: all within radius of its origin.
        /// </summary>
        public const int PCCD_SHAPE_SPHERE = 1;

        /// <summary>
        /// Shape of an object: all within radius of a segment along y, from -half_height to half_height.
        /// </summary>
        public const int PCCD_SHAPE_CAPSULE = 2;

        /// <summary>
        /// Shape of an object: a box around its origin, of twice the half_extents.
        /// </summary>
        public const int PCCD_SHAPE_BOX = 3;

        /// <summary>
        /// Shape of an object: the convex hull of points.
        /// </summary>
        public const int PCCD_SHAPE_HULL = 4;

        /// <summary>
        /// Shape of an object: the triangles of a mesh where they are at t = 1. Only the surface counts: what is
        /// wholly inside does not touch it.
        /// </summary>
        public const int PCCD_SHAPE_MESH = 5;

        /// <summary>
        /// Flag of an object: it does not meet other static ones.
        /// </summary>
        public const int PCCD_OBJECT_STATIC = 1;

        /// <summary>
        /// Flag of an object: contacts on its way from its transform at the last step to the new one are found, too,
        /// and pairs have a time of impact. Its origin moves on a straight line and it turns the shorter way round.
        /// The time is never late, and early by so much that the gap is at most a millionth of the size of both.
        /// Two meshes are followed triangle by triangle, which takes the longer the farther they go in a step.
        /// </summary>
        public const int PCCD_OBJECT_SWEPT = 2;

        /// <summary>
        /// State of a pair: in contact, which it was not after the step before.
        /// </summary>
        public const int PCCD_PAIR_BEGUN = 1;

        /// <summary>
        /// State of a pair: in contact, as after the step before.
        /// </summary>
        public const int PCCD_PAIR_KEPT = 2;

        /// <summary>
        /// State of a pair: was in contact after the step before, and is not any more. It has no points.
        /// </summary>
        public const int PCCD_PAIR_ENDED = 3;

        /// <summary>
        /// In place of a triangle, where an object is no mesh.
        /// </summary>
        public const uint PCCD_NO_TRIANGLE = 4294967295;

        /// <summary>
        /// Flag of a record: it was a control step, at which the split could have been changed.
        /// </summary>
        public const int PCCD_BALANCE_CONTROLLED = 1;

        /// <summary>
        /// Flag of a record: the split was changed after this step.
        /// </summary>
        public const int PCCD_BALANCE_CHANGED = 2;

        /// <summary>
        /// Flag of a record: the change took back an earlier one that had made it slower.
        /// </summary>
        public const int PCCD_BALANCE_UNDONE = 4;

        /// <summary>
        /// Flag of a record: the caller had fixed the split.
        /// </summary>
        public const int PCCD_BALANCE_FIXED = 8;

        /// <summary>
        /// Flag of a record: the phases ran one after the other, each on all threads.
        /// </summary>
        public const int PCCD_BALANCE_SEQUENTIAL = 16;

        /// <summary>
        /// The version of the library: `major &lt;&lt; 16 | minor &lt;&lt; 8 | patch`.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern uint pccd_version();

        /// <summary>
        /// The version of the binary interface that the library was built with; compare it with
        /// PCCD_ABI_VERSION of the header. pccd_context_create() does so.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern uint pccd_abi_version();

        /// <summary>
        /// The name of a status as it is written in this header, "PCCD_OK" for instance. For a number that is
        /// no status: "unknown status". The text is never null and lives as long as the library.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern byte* pccd_status_name(int status);

        /// <summary>
        /// A sentence about the last call of this thread that failed, naming the function, the argument and its
        /// value: "pccd_ccd_batch: positions-&gt;format is 7; expected PCCD_FORMAT_F32X3 (1) or PCCD_FORMAT_F64X3
        /// (2)". Calls that succeed leave it alone. Before the first failure it is empty. The text is never
        /// null, at most 511 bytes of UTF-8, and stays valid and unchanged until the next call of this thread
        /// fails, or the thread ends.
        ///
        /// Thread safety: may be called from any thread at any time; every thread has its own sentence.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern byte* pccd_last_error();

        /// <summary>
        /// Changes the thread_count of a context, 1 to 1024. Threads of the library that are new are created
        /// first, then all old ones are ended. With task hooks it is the number of workers that changes. Results
        /// do not depend on it, and those that queries have stay as they are. If it fails, for instance with
        /// PCCD_ERR_THREAD because the system refuses a thread, the context has the threads that it had.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_context_set_threads(IntPtr context, uint thread_count);

        /// <summary>
        /// Fills a struct with defaults: one thread, highest SIMD level, no log, the system's allocator. Pass
        /// the size of the struct: `pccd_context_def_init(&amp;def, sizeof def)`.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_context_def_init(pccd_context_def* def, UIntPtr size);

        /// <summary>
        /// Prepares a struct for pccd_context_info_get(). Pass the size of the struct:
        /// `pccd_context_info_init(&amp;info, sizeof info)`.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_context_info_init(pccd_context_info* info, UIntPtr size);

        /// <summary>
        /// Creates a context and its threads. If def is null, with defaults. The definition is copied; it and
        /// its functions' user pointers are not touched otherwise, but the functions and what they use have to
        /// work until the context is destroyed. Destroy the context with pccd_context_destroy().
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_context_create(pccd_context_def* def, IntPtr* out_context);

        /// <summary>
        /// Destroys a context and all that was created in it, ends its threads and frees its memory. While
        /// another call on it has not returned, or a run was begun and not ended, this is refused with
        /// PCCD_ERR_BUSY. Works for a poisoned context. Destroying it a second time is PCCD_ERR_STALE_HANDLE.
        ///
        /// Thread safety: may be called from any thread, not necessarily the one that created the context.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_context_destroy(IntPtr context);

        /// <summary>
        /// Tells how a context works and what it holds. Set the size of the struct with
        /// pccd_context_info_init() before.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_context_info_get(IntPtr context, pccd_context_info* out_info);

        /// <summary>
        /// Fills a struct with defaults: the exact test, times of impact to 1e-6. Pass the size of the struct:
        /// `pccd_ccd_settings_init(&amp;settings, sizeof settings)`.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_ccd_settings_init(pccd_ccd_settings* settings, UIntPtr size);

        /// <summary>
        /// Decides for each of count pairs of primitives whether they collide while their points move linearly
        /// from their positions at t = 0 to those at t = 1, and when they do so first.
        ///
        /// A query is eight points in a row: v f0 f1 f2 (PCCD_VERTEX_FACE) or a0 a1 b0 b1 (PCCD_EDGE_EDGE) at t
        /// = 0, then the same four at t = 1. 32-bit floats are widened exactly. All coordinates have to be
        /// finite. The work is shared by the threads of the context; the results do not depend on their number,
        /// on the SIMD level, or on the other queries.
        ///
        /// @param context    the context.
        /// @param kind       PCCD_VERTEX_FACE or PCCD_EDGE_EDGE.
        /// @param positions  the points of all queries; at least 8 * count elements. Not written to.
        /// @param count      number of queries. May be 0; then positions-&gt;data and results may be null.
        /// @param settings   what to look for; null for defaults.
        /// @param results    an array of count elements, which must not overlap the points. Written only on success.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
        /// write to the points during the call.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_ccd_batch(IntPtr context, uint kind, pccd_view* positions, ulong count, pccd_ccd_settings* settings, pccd_ccd_result* results);

        /// <summary>
        /// Fills a struct with defaults: a mesh that meets all others and itself, without thickness. The views
        /// are empty and without format. Pass the size of the struct: `pccd_mesh_def_init(&amp;def, sizeof def)`.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_mesh_def_init(pccd_mesh_def* def, UIntPtr size);

        /// <summary>
        /// Creates a mesh at rest: its positions at t = 0 and at t = 1 are the same. Vertices and triangles are
        /// copied; the buffers may go after the call. A mesh is in no hierarchy until pccd_bvh_add(). It lives
        /// until pccd_mesh_destroy() or the end of the context.
        ///
        /// @param context   the context.
        /// @param def       vertices, triangles and how the mesh takes part in queries. May not be null.
        /// @param out_mesh  receives the handle. Handles of a context compare (by id) in the order in which
        ///                  the meshes were created, as long as none has been destroyed.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
        /// write to the buffers during the call.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_mesh_create(IntPtr context, pccd_mesh_def* def, pccd_mesh* out_mesh);

        /// <summary>
        /// Destroys a mesh and takes it out of all hierarchies that it is in. Objects of pipelines that have it as
        /// their shape are removed. Contacts of earlier runs stay where they are: they may still have its handle in
        /// them.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_mesh_destroy(IntPtr context, pccd_mesh mesh);

        /// <summary>
        /// Moves a mesh on: its positions at t = 1 become those at t = 0, and the new ones those at t = 1.
        /// Between them every vertex moves on a straight line with constant speed. The positions are copied.
        /// Hierarchies notice at their next update. Moving to the same positions brings the mesh to rest.
        ///
        /// @param context    the context.
        /// @param mesh       the mesh.
        /// @param positions  PCCD_FORMAT_F32X3 or PCCD_FORMAT_F64X3, exactly as many as the mesh has vertices,
        ///                   all coordinates finite. The format need not be that of the creation.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
        /// write to the buffer during the call.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_mesh_move(IntPtr context, pccd_mesh mesh, pccd_view* positions);

        /// <summary>
        /// Sets the positions of a mesh at t = 0 and at t = 1, whatever they were. As pccd_mesh_move() in all
        /// else. Both views may be of the same buffer.
        ///
        /// @param context  the context.
        /// @param mesh     the mesh.
        /// @param start    the positions at t = 0.
        /// @param end      the positions at t = 1; the format may be another than that of start.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
        /// write to the buffers during the call.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_mesh_set_motion(IntPtr context, pccd_mesh mesh, pccd_view* start, pccd_view* end);

        /// <summary>
        /// Changes what a mesh is and which meshes it meets, from the next run of a query on. What the bits
        /// mean is told at pccd_mesh_def. All values are allowed.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_mesh_set_filter(IntPtr context, pccd_mesh mesh, ulong category, ulong mask);

        /// <summary>
        /// Prepares a struct for pccd_mesh_info_get(). Pass the size of the struct:
        /// `pccd_mesh_info_init(&amp;info, sizeof info)`.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_mesh_info_init(pccd_mesh_info* info, UIntPtr size);

        /// <summary>
        /// Tells what a mesh is made of and how it takes part in queries. Set the size of the struct with
        /// pccd_mesh_info_init() before.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_mesh_info_get(IntPtr context, pccd_mesh mesh, pccd_mesh_info* out_info);

        /// <summary>
        /// Fills a struct with defaults. Pass the size of the struct: `pccd_bvh_def_init(&amp;def, sizeof def)`.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_bvh_def_init(pccd_bvh_def* def, UIntPtr size);

        /// <summary>
        /// Prepares a struct for pccd_bvh_info_get(). Pass the size of the struct:
        /// `pccd_bvh_info_init(&amp;info, sizeof info)`.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_bvh_info_init(pccd_bvh_info* info, UIntPtr size);

        /// <summary>
        /// Creates an empty hierarchy. If def is null, with defaults. It lives until pccd_bvh_destroy() or the
        /// end of the context.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_bvh_create(IntPtr context, pccd_bvh_def* def, pccd_bvh* out_bvh);

        /// <summary>
        /// Destroys a hierarchy. The meshes in it live on, and so do the contacts that were found with it.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_bvh_destroy(IntPtr context, pccd_bvh bvh);

        /// <summary>
        /// Adds a mesh. It may be in other hierarchies as well; if it is in this one already, that is
        /// PCCD_ERR_INVALID_ARGUMENT. Nothing found depends on the order in which meshes are added.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_bvh_add(IntPtr context, pccd_bvh bvh, pccd_mesh mesh);

        /// <summary>
        /// Takes a mesh out; it lives on. If it is not in the hierarchy, that is PCCD_ERR_INVALID_ARGUMENT.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_bvh_remove(IntPtr context, pccd_bvh bvh, pccd_mesh mesh);

        /// <summary>
        /// Takes over what has moved since the last update. pccd_query_run() and pccd_bvh_overlap() do it by
        /// themselves: call it to choose when. Meshes that were not moved cost nothing.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_bvh_update(IntPtr context, pccd_bvh bvh);

        /// <summary>
        /// Tells what a hierarchy is like, as of its last update. Set the size of the struct with
        /// pccd_bvh_info_init() before.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_bvh_info_get(IntPtr context, pccd_bvh bvh, pccd_bvh_info* out_info);

        /// <summary>
        /// Updates a hierarchy and finds the triangles whose swept box overlaps a given box, touching included.
        /// The swept box of a triangle is the smallest one along the axes around its positions at t = 0 and at t
        /// = 1. The comparison is exact. Thickness and filters play no part.
        ///
        /// Returns PCCD_INCOMPLETE if there are more than fit: the first of them have been written, in the order
        /// of mesh id, then triangle, and out_count has the number of all.
        ///
        /// @param context        the context.
        /// @param bvh            the hierarchy.
        /// @param lower          the smallest x, y, z of the box; three finite numbers.
        /// @param upper          the largest x, y, z of the box; finite, none less than that of lower.
        /// @param out_triangles  an array of capacity elements; may be null if capacity is 0.
        /// @param capacity       the most triangles that may be written. 0 only counts them.
        /// @param out_count      receives the number of triangles found, whatever the capacity. May not be null.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_bvh_overlap(IntPtr context, pccd_bvh bvh, double* lower, double* upper, pccd_triangle_ref* out_triangles, ulong capacity, ulong* out_count);

        /// <summary>
        /// Fills a struct with defaults: no parts, no copies, no new corners. Pass the size of the struct:
        /// `pccd_split_def_init(&amp;def, sizeof def)`.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_split_def_init(pccd_split_def* def, UIntPtr size);

        /// <summary>
        /// Breaks a mesh into parts, which take its place in this hierarchy and in all others that it is in. The
        /// mesh is destroyed; contacts of earlier runs may still have its handle in them. On any error nothing
        /// has changed.
        ///
        /// Each part is a new mesh with the settings, the user data and the motion of the old one: no position
        /// changes, neither at t = 0 nor at t = 1. It has the vertices that its triangles use, in the order of
        /// their numbers (copies come last), and its triangles in the order they had; vertices that no triangle
        /// uses are left behind. pccd_mesh_vertex_origin() tells where a vertex came from.
        ///
        /// The parts keep what the hierarchy knows about the order of their triangles, so nothing is built anew,
        /// and other meshes do not notice. The time is in proportion to the size of the mesh.
        ///
        /// @param context     the context.
        /// @param bvh         a hierarchy that the mesh is in; otherwise it is PCCD_ERR_INVALID_ARGUMENT.
        /// @param mesh        the mesh.
        /// @param def         which triangle goes where. May not be null.
        /// @param out_meshes  receives def-&gt;part_count handles, that of part 0 first.
        /// @param capacity    how many handles out_meshes has room for: at least def-&gt;part_count.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
        /// write to the arrays of the definition during the call.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_bvh_split(IntPtr context, pccd_bvh bvh, pccd_mesh mesh, pccd_split_def* def, pccd_mesh* out_meshes, ulong capacity);

        /// <summary>
        /// Breaks many meshes at once: as pccd_bvh_split() of each, but all threads of the context take part
        /// however small the meshes are, and either all of them break or, on any error, none. When many things
        /// break in a frame, this takes less time than one call after the other.
        ///
        /// An error tells the element of the lists that it is about, and says mesh and def for what is there.
        ///
        /// @param context     the context.
        /// @param bvh         a hierarchy that all the meshes are in; otherwise it is PCCD_ERR_INVALID_ARGUMENT.
        /// @param meshes      the meshes, each of them once.
        /// @param defs        which triangles go where, one for each mesh. All have the same struct_size.
        /// @param count       how many elements meshes and defs have. With 0 nothing happens.
        /// @param out_meshes  receives the handles of the parts of the first mesh, that of part 0 first, then those
        ///                    of the second one, and so on.
        /// @param capacity    how many handles out_meshes has room for: at least the sum of all part_count.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
        /// write to the arrays, or to those of the definitions, during the call.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_bvh_split_all(IntPtr context, pccd_bvh bvh, pccd_mesh* meshes, pccd_split_def* defs, ulong count, pccd_mesh* out_meshes, ulong capacity);

        /// <summary>
        /// Fills a struct with defaults: no meshes, no weld. Pass the size of the struct:
        /// `pccd_merge_def_init(&amp;def, sizeof def)`.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_merge_def_init(pccd_merge_def* def, UIntPtr size);

        /// <summary>
        /// Makes one mesh of several, which takes their place in this hierarchy. They are destroyed; contacts of
        /// earlier runs may still have their handles in them. On any error nothing has changed.
        ///
        /// The new mesh has the vertices of all of them, without those that become others by the weld, and all
        /// their triangles, both in the order of the list. No position changes. Settings and user data are those
        /// of the first mesh. pccd_mesh_vertex_origin() tells where a vertex came from. Pieces that share a
        /// vertex by the weld are no longer in contact there.
        ///
        /// Another hierarchy that has all of the meshes gets the new one, too. One that has some of them only is
        /// an error, PCCD_ERR_INVALID_ARGUMENT: take them out first.
        ///
        /// @param context   the context.
        /// @param bvh       a hierarchy that all the meshes are in.
        /// @param def       the meshes. May not be null.
        /// @param out_mesh  receives the handle of the new mesh.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
        /// write to the arrays of the definition during the call.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_bvh_merge(IntPtr context, pccd_bvh bvh, pccd_merge_def* def, pccd_mesh* out_mesh);

        /// <summary>
        /// Tells where vertices of a mesh came from. For a mesh that pccd_bvh_split() or pccd_bvh_merge() has
        /// made: which vertex of which mesh each was before, so the handles are those of meshes that are gone. A
        /// copy comes from what it is a copy of. For a mesh of pccd_mesh_create(): the vertex itself.
        ///
        /// @param context      the context.
        /// @param mesh         the mesh.
        /// @param first        the first vertex that is asked for.
        /// @param count        how many are asked for; first + count is at most the number of vertices.
        /// @param out_origins  an array of count elements, which receives the origins; may be null if count is 0.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_mesh_vertex_origin(IntPtr context, pccd_mesh mesh, ulong first, ulong count, pccd_vertex_ref* out_origins);

        /// <summary>
        /// Fills a struct with defaults: every contact, exactly, times of impact to 1e-6. Pass the size of the
        /// struct: `pccd_query_def_init(&amp;def, sizeof def)`.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_query_def_init(pccd_query_def* def, UIntPtr size);

        /// <summary>
        /// Creates a query, which has no results yet. If def is null, with defaults. It lives until
        /// pccd_query_destroy() or the end of the context.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_query_create(IntPtr context, pccd_query_def* def, pccd_query* out_query);

        /// <summary>
        /// Makes room for so many contacts, so that later runs that find no more than that ask for no memory to
        /// hold them, whichever thread finds which. The memory is written to: the system has handed it out
        /// before the frame in which something breaks and everything touches. Without this, room grows with
        /// what runs find, and stays. If the context gets another number of threads, it has to be made again.
        ///
        /// A contact takes about 200 bytes; no more than the capacity of the query are counted for those that are
        /// kept. The query has no results afterwards, not even if memory is refused, but works as before. For
        /// queries of mode PCCD_MODE_DISCRETE it is PCCD_ERR_INVALID_ARGUMENT.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_query_reserve(IntPtr context, pccd_query query, ulong contact_count);

        /// <summary>
        /// Destroys a query and its results: the pointers that pccd_query_contacts() and
        /// pccd_query_intersections() gave are no longer valid.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_query_destroy(IntPtr context, pccd_query query);

        /// <summary>
        /// Updates a hierarchy and finds the contacts of its meshes while they move from t = 0 to t = 1: every
        /// vertex with every triangle, every edge with every other edge, unless they have a vertex in common.
        /// Each pair is found once. Vertices that no triangle uses are left out. A hierarchy without meshes has
        /// no contacts. The work is done by all threads of the context, or by tasks of the caller's job system if
        /// the context has such.
        ///
        /// In mode PCCD_MODE_DISCRETE it finds pairs of triangles that intersect at t = 1 instead. The hierarchy is
        /// updated then only if it is what they are found with.
        ///
        /// The results replace those of the last run. They are the same, bit for bit, for any number of threads,
        /// any scheduler, any SIMD level and any state of the hierarchy. A query may be run on different
        /// hierarchies in turn.
        ///
        /// Returns PCCD_INCOMPLETE if there were more contacts than the capacity of the query, and PCCD_CANCELLED
        /// if pccd_query_cancel() has ended it. If memory is refused the query has no results, but works again; if
        /// an argument is wrong it keeps those it had.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_query_run(IntPtr context, pccd_query query, pccd_bvh bvh);

        /// <summary>
        /// Begins a run that threads of the caller work on, instead of those of the context: as many at once as the
        /// context has threads, the one that calls pccd_query_end() included. Looks at the arguments and prepares
        /// the run; the work is done by pccd_query_work() and pccd_query_end(). What that is, is told at
        /// pccd_query_run().
        ///
        /// From now on the context is busy until pccd_query_end(): all calls but pccd_query_work(),
        /// pccd_query_cancel() and pccd_query_end() return PCCD_ERR_BUSY, pccd_context_destroy() too. The results
        /// of the last run are gone. If this fails no run was begun; what then becomes of the results is told at
        /// pccd_query_run().
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_query_begin(IntPtr context, pccd_query query, pccd_bvh bvh);

        /// <summary>
        /// Takes part in a run that was begun, until it is over. Any number of threads may call this at any time
        /// after pccd_query_begin(), or none at all. Returns PCCD_OK at once if all places are taken, and if the
        /// run is over or ended already; it is PCCD_ERR_INVALID_ARGUMENT for a query whose run was not the last
        /// that was begun. What came of the run is told by pccd_query_end(). Failures are not logged.
        ///
        /// Thread safety: may be called from any thread, by several at once, between pccd_query_begin() and
        /// pccd_query_end(), and while these run.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_query_work(IntPtr context, pccd_query query);

        /// <summary>
        /// Works on a run that was begun until it is over, waits until all threads have left pccd_query_work(), and
        /// makes the results available. Returns what pccd_query_run() would have. The context is free again
        /// afterwards, whatever is returned. For a query whose run was not begun it is PCCD_ERR_INVALID_ARGUMENT.
        ///
        /// Thread safety: may be called from any thread, not necessarily the one that began the run; if another one
        /// is in it already it returns PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_query_end(IntPtr context, pccd_query query);

        /// <summary>
        /// Ends the run of a query before it is done: soon, but not at once. pccd_query_run() or pccd_query_end()
        /// then returns PCCD_CANCELLED, and the query has no results; it can be run again. If no run of this query
        /// is in work nothing happens: a later one is not affected. A run may also be done before this takes
        /// effect. Failures are not logged.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_query_cancel(IntPtr context, pccd_query query);

        /// <summary>
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
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_query_contacts(IntPtr context, pccd_query query, pccd_contact** out_contacts, ulong* out_count);

        /// <summary>
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
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_query_copy_contacts(IntPtr context, pccd_query query, pccd_contact* out_contacts, ulong capacity, ulong* out_count);

        /// <summary>
        /// Gives a hash of all contacts, or intersections, that the last run has kept, every bit of them.
        /// Meshes go into it by their rank among the ids, so that runs in different contexts and processes can
        /// be compared.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_query_hash(IntPtr context, pccd_query query, ulong* out_hash);

        /// <summary>
        /// Prepares a struct for pccd_query_stats_get(). Pass the size of the struct:
        /// `pccd_query_stats_init(&amp;stats, sizeof stats)`.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_query_stats_init(pccd_query_stats* stats, UIntPtr size);

        /// <summary>
        /// Tells what the last run of a query has done; all is 0 before the first. Set the size of the struct
        /// with pccd_query_stats_init() before.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_query_stats_get(IntPtr context, pccd_query query, pccd_query_stats* out_stats);

        /// <summary>
        /// Prepares a struct for pccd_query_worker_stats_get(). Pass the size of the struct:
        /// `pccd_query_worker_stats_init(&amp;stats, sizeof stats)`.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_query_worker_stats_init(pccd_query_worker_stats* stats, UIntPtr size);

        /// <summary>
        /// Tells what a worker has done in the last run of a query. Set the size of the struct with
        /// pccd_query_worker_stats_init() before.
        ///
        /// @param context    the context.
        /// @param query      the query.
        /// @param worker     the number of the worker, less than worker_count of pccd_query_stats. Number 0 is the
        ///                   thread that called pccd_query_run(); in a run that was begun it is any.
        /// @param out_stats  receives what it did.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_query_worker_stats_get(IntPtr context, pccd_query query, uint worker, pccd_query_worker_stats* out_stats);

        /// <summary>
        /// Has the runs of a query recorded from the next one on (on = 1), or not (0, the default). A run that is
        /// not recorded loses no time to it. One that is keeps some 48 bytes for each unit of work, and is a little
        /// slower. Results do not change.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_trace_enable(IntPtr context, pccd_query query, uint on);

        /// <summary>
        /// Writes the units of work of the last run of a query, which must have been recorded, to a file: who did
        /// what when.
        ///
        /// As a rule it is a trace in JSON that ui.perfetto.dev and chrome://tracing show: for each unit an event
        /// with its kind as its name, its worker as its thread, and its number, the number of the unit that it came
        /// out of (or null), its phase and its weight as arguments. If the path ends in ".csv" it is a table with
        /// the columns number, parent, phase, worker, weight, begin, end and kind instead: times in nanoseconds
        /// since the run began, nothing for no parent, and the kind as its number.
        ///
        /// Kinds are 0 vertices and 1 refit (boxes that are fitted to vertices that moved), 2 rebuild (parts that are
        /// sorted anew), 3 self (a part of a mesh with itself), 4 pair (two parts with each other), 5 sort (of
        /// contacts), 6 serial (what one worker prepared before a phase, told as worker 0's) and 7 cull (parts that
        /// need no test with themselves). Weights are about proportional to triangles. Phases are numbered from 0
        /// in the order in which they followed each other.
        ///
        /// @param context  the context.
        /// @param query    the query.
        /// @param path     the name of the file, in UTF-8 where the system has an opinion. A file that exists is
        ///                 overwritten.
        ///
        /// If there is no record of the last run it is PCCD_ERR_INVALID_ARGUMENT, and no file is touched. If the
        /// file cannot be written it is PCCD_ERR_IO, and the file may be there in part.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_trace_write(IntPtr context, pccd_query query, byte* path);

        /// <summary>
        /// Finds the pairs of triangles of some meshes that intersect at t = 1, without a hierarchy: for meshes
        /// that are new in every frame. The query has mode PCCD_MODE_DISCRETE, and its method is
        /// PCCD_METHOD_AUTO or PCCD_METHOD_GRID. All else is as told at pccd_query_run().
        ///
        /// @param context  the context.
        /// @param query    the query.
        /// @param meshes   an array of mesh_count handles, in any order, each of them once. May be null if there
        ///                 are none.
        /// @param mesh_count  the number of meshes.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_query_run_meshes(IntPtr context, pccd_query query, pccd_mesh* meshes, ulong mesh_count);

        /// <summary>
        /// Prepares a struct for pccd_discrete_stats_get(). Pass the size of the struct:
        /// `pccd_discrete_stats_init(&amp;stats, sizeof stats)`.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_discrete_stats_init(pccd_discrete_stats* stats, UIntPtr size);

        /// <summary>
        /// Tells how the last run of a query of mode PCCD_MODE_DISCRETE was done; all is 0 before the first, and of
        /// queries of other modes. Set the size of the struct with pccd_discrete_stats_init() before.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_discrete_stats_get(IntPtr context, pccd_query query, pccd_discrete_stats* out_stats);

        /// <summary>
        /// Gives the intersections that the last run of a query of mode PCCD_MODE_DISCRETE has found, sorted by
        /// mesh_a, triangle_a, mesh_b, triangle_b, in this order.
        ///
        /// @param context            the context.
        /// @param query              the query.
        /// @param out_intersections  receives a pointer to the intersections; null if there are none. They are the
        ///                           query's, to be read only, and stay where they are until the next run or the
        ///                           end of the query, or the end of the context. No other call touches them.
        /// @param out_count          receives their number; 0 if the query has not been run or has another mode.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Any number
        /// of threads may read the intersections while they are valid.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_query_intersections(IntPtr context, pccd_query query, pccd_intersection** out_intersections, ulong* out_count);

        /// <summary>
        /// Copies the intersections that the last run of a query has found, sorted as
        /// pccd_query_intersections() gives them. Returns PCCD_INCOMPLETE if there are more than fit: the first
        /// of them have been written.
        ///
        /// @param context            the context.
        /// @param query              the query.
        /// @param out_intersections  an array of capacity elements; may be null if capacity is 0.
        /// @param capacity           the most intersections that may be written. 0 only counts them.
        /// @param out_count          receives the number of intersections that the query has, whatever the
        ///                           capacity. May not be null.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_query_copy_intersections(IntPtr context, pccd_query query, pccd_intersection* out_intersections, ulong capacity, ulong* out_count);

        /// <summary>
        /// Prepares a struct for pccd_mesh_k_free(). Pass the size of the struct:
        /// `pccd_k_free_report_init(&amp;report, sizeof report)`.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_k_free_report_init(pccd_k_free_report* report, UIntPtr size);

        /// <summary>
        /// Finds the smallest k for which triangles are k-free: each of them, and all together. Some meshes are
        /// taken as one set of triangles, at t = 1. Sizes are compared exactly. Takes longer than a query, and
        /// needs memory that is given back: meant for looking at models, not for every frame. The numbers are
        /// the same for any number of threads.
        ///
        /// Returns PCCD_INCOMPLETE if there are more triangles than fit into out_triangles, which is no
        /// mistake: the worst ones have been written.
        ///
        /// @param context        the context.
        /// @param meshes         an array of mesh_count handles, each of them once. May be null if there are none.
        /// @param mesh_count     the number of meshes.
        /// @param out_report     receives what holds for all triangles. Set its size with
        ///                       pccd_k_free_report_init() before.
        /// @param out_triangles  an array of capacity elements, which receives the triangles with the largest k, the
        ///                       worst first, those with the same k by mesh and number. May be null if capacity is 0.
        /// @param capacity       the most triangles that may be written.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_mesh_k_free(IntPtr context, pccd_mesh* meshes, ulong mesh_count, pccd_k_free_report* out_report, pccd_triangle_k* out_triangles, ulong capacity);

        /// <summary>
        /// Finds the smallest k for which polygons are k-free: each of them, and all together. Like
        /// pccd_mesh_k_free(), but triangles that follow each other in a mesh are taken as one polygon, as fans of
        /// triangles are into which a file of polygons was divided. A polygon has one size, the diameter of the
        /// minimum enclosing sphere of all its corners, and is close to another one if one of its triangles is.
        ///
        /// Returns PCCD_INCOMPLETE if there are more polygons than fit into out_polygons, which is no mistake:
        /// the worst ones have been written.
        ///
        /// @param context        the context.
        /// @param meshes         an array of mesh_count handles, each of them once. May be null if there are none.
        /// @param mesh_count     the number of meshes.
        /// @param fans           an array of fan_count numbers: how many triangles each polygon has, at least 1. The
        ///                       first fans are those of the first mesh of the array, in the order of its
        ///                       triangles, and so on. All triangles have to be in a fan, and no fan may go on
        ///                       from one mesh to the next. May be null if there are none.
        /// @param fan_count      the number of polygons.
        /// @param out_report     receives what holds for all polygons. Set its size with
        ///                       pccd_k_free_report_init() before.
        /// @param out_polygons   an array of capacity elements, which receives the polygons with the largest k, the
        ///                       worst first, those with the same k by mesh and number. May be null if capacity is 0.
        /// @param capacity       the most polygons that may be written.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_mesh_k_free_polygons(IntPtr context, pccd_mesh* meshes, ulong mesh_count, uint* fans, ulong fan_count, pccd_k_free_report* out_report, pccd_triangle_k* out_polygons, ulong capacity);

        /// <summary>
        /// Fills a struct with defaults: no margin, both phases at the same time, threads divided by measurement. Pass
        /// the size of the struct: `pccd_pipeline_def_init(&amp;def, sizeof def)`.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_pipeline_def_init(pccd_pipeline_def* def, UIntPtr size);

        /// <summary>
        /// Creates a pipeline without objects. If def is null, with defaults. It lives until pccd_pipeline_destroy()
        /// or the end of the context.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_pipeline_create(IntPtr context, pccd_pipeline_def* def, pccd_pipeline* out_pipeline);

        /// <summary>
        /// Destroys a pipeline with its objects and results: pointers that it gave are no longer valid.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_pipeline_destroy(IntPtr context, pccd_pipeline pipeline);

        /// <summary>
        /// Fixes how many threads begin with which phase, or with 0 and 0 leaves it to the library again, which is the
        /// default: it measures how long both phases take and moves threads to the longer one; see
        /// pccd_pipeline_balance(). Steps then use as many threads as both numbers together; the context has to have
        /// that many at a step, which checks it. Results do not depend on it.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_pipeline_set_split(IntPtr context, pccd_pipeline pipeline, uint broad_threads, uint narrow_threads);

        /// <summary>
        /// Fills a struct with defaults: an object at the origin that meets all others, without a shape. Pass the size
        /// of the struct: `pccd_object_def_init(&amp;def, sizeof def)`.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_object_def_init(pccd_object_def* def, UIntPtr size);

        /// <summary>
        /// Prepares a struct for pccd_object_info_get(). Pass the size of the struct:
        /// `pccd_object_info_init(&amp;info, sizeof info)`.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_object_info_init(pccd_object_info* info, UIntPtr size);

        /// <summary>
        /// Adds an object to a pipeline. It takes part from the next step on, and stays until
        /// pccd_pipeline_remove(), the end of its mesh, or that of the pipeline.
        ///
        /// @param context     the context.
        /// @param pipeline    the pipeline.
        /// @param def         its shape, where it is and what it meets. May not be null.
        /// @param out_object  receives the handle.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
        /// write to the points during the call.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_pipeline_add(IntPtr context, pccd_pipeline pipeline, pccd_object_def* def, pccd_object* out_object);

        /// <summary>
        /// Removes an object. Pairs that it was in have ended at the next step.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_pipeline_remove(IntPtr context, pccd_pipeline pipeline, pccd_object @object);

        /// <summary>
        /// Moves objects: many in one call. Either all are moved, or, if anything is wrong, none. Where an object
        /// was at the last step is remembered until the next one, see PCCD_OBJECT_SWEPT.
        ///
        /// @param context    the context.
        /// @param pipeline   the pipeline.
        /// @param objects    count handles. If one is there twice, the later transform counts. May be null if count
        ///                   is 0.
        /// @param count      how many objects.
        /// @param positions  PCCD_FORMAT_F32X3 or PCCD_FORMAT_F64X3, exactly count, all finite.
        /// @param rotations  quaternions x y z w, PCCD_FORMAT_F32X4 or PCCD_FORMAT_F64X4, exactly count, all finite
        ///                   and not 0. They are divided by their lengths. If null, rotations stay as they are.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Nobody may
        /// write to the buffers during the call.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_pipeline_set_transforms(IntPtr context, pccd_pipeline pipeline, pccd_object* objects, ulong count, pccd_view* positions, pccd_view* rotations);

        /// <summary>
        /// Changes what an object is and what it meets, from the next step on. What the bits mean is told at
        /// pccd_object_def. All values are allowed.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_pipeline_set_filter(IntPtr context, pccd_pipeline pipeline, pccd_object @object, ulong category, ulong mask);

        /// <summary>
        /// Tells about an object. Set the size of the struct with pccd_object_info_init() before.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_object_info_get(IntPtr context, pccd_pipeline pipeline, pccd_object @object, pccd_object_info* out_info);

        /// <summary>
        /// Finds all pairs of objects that are in contact where they are now, and how. Both phases run on the threads
        /// of the context, or on tasks of the caller's job system if it has such.
        ///
        /// The results replace those of the last step. They are the same, bit for bit, for any number of threads,
        /// however these are divided between the phases, for phases at the same time or one after the other, any broad
        /// phase and any SIMD level. Where swept objects were is now where they are.
        ///
        /// Returns PCCD_CANCELLED if pccd_pipeline_cancel() has ended it. After that, and after any error, the results
        /// of the last completed step are still there.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_pipeline_step(IntPtr context, pccd_pipeline pipeline);

        /// <summary>
        /// Ends the step of a pipeline soon, which then returns PCCD_CANCELLED. Does nothing if there is no step; a
        /// step that begins later is not affected. Any value of the handle is allowed.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_pipeline_cancel(IntPtr context, pccd_pipeline pipeline);

        /// <summary>
        /// Gives the pairs of the last completed step: those in contact, and those that were so after the step before,
        /// sorted by object_a, then object_b, in the order in which the pipeline keeps its objects: that in which they
        /// were added, as long as none was removed; the place of one removed goes to one added later. If a place has a
        /// new object, the ended pair of the old one comes first.
        ///
        /// @param context    the context.
        /// @param pipeline   the pipeline.
        /// @param out_pairs  receives a pointer to the pairs; null if there are none. They are the pipeline's, to be
        ///                   read only, and stay where they are until its next step is completed, it is destroyed, or
        ///                   the context ends.
        /// @param out_count  receives their number.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Any number
        /// of threads may read the pairs while they are valid.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_pipeline_pairs(IntPtr context, pccd_pipeline pipeline, pccd_pair** out_pairs, ulong* out_count);

        /// <summary>
        /// Gives the points of contact of the last completed step, in the order of their pairs.
        ///
        /// @param context     the context.
        /// @param pipeline    the pipeline.
        /// @param out_points  receives a pointer to the points; null if there are none. Valid as long as the pairs.
        /// @param out_count   receives their number.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Any number
        /// of threads may read the points while they are valid.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_pipeline_points(IntPtr context, pccd_pipeline pipeline, pccd_contact_point** out_points, ulong* out_count);

        /// <summary>
        /// Gives a hash of all pairs and points of the last completed step, every bit of them. Objects go into it by
        /// their places, so that pipelines in different contexts and processes can be compared.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_pipeline_hash(IntPtr context, pccd_pipeline pipeline, ulong* out_hash);

        /// <summary>
        /// Gives how threads were divided between the phases at the last steps, at least 2048 of them, the oldest
        /// first.
        ///
        /// @param context      the context.
        /// @param pipeline     the pipeline.
        /// @param out_records  receives a pointer to the records; null if there are none. Valid until the next step of
        ///                     the pipeline, its end, or that of the context.
        /// @param out_count    receives their number.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY. Any number
        /// of threads may read the records while they are valid.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_pipeline_balance(IntPtr context, pccd_pipeline pipeline, pccd_balance_record** out_records, ulong* out_count);

        /// <summary>
        /// Prepares a struct for pccd_pipeline_stats_get(). Pass the size of the struct:
        /// `pccd_pipeline_stats_init(&amp;stats, sizeof stats)`.
        ///
        /// Thread safety: may be called from any thread at any time.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_pipeline_stats_init(pccd_pipeline_stats* stats, UIntPtr size);

        /// <summary>
        /// Tells what the last completed step did, and how long it took. Set the size of the struct with
        /// pccd_pipeline_stats_init() before.
        ///
        /// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int pccd_pipeline_stats_get(IntPtr context, pccd_pipeline pipeline, pccd_pipeline_stats* out_stats);
    }
}
