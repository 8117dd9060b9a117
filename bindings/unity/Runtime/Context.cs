using System;

namespace Pccd
{
    /// <summary>
    /// Threads, memory and log of the library, and all meshes, hierarchies and queries that are created with them. One thread
    /// at a time may use a context; a second one gets a PccdException with PCCD_ERR_BUSY.
    ///
    /// Dispose of it when it is not needed any more. It goes at the latest when the domain is unloaded.
    /// </summary>
    public sealed unsafe class Context : IDisposable
    {
        private readonly Life life;

        public Context(ContextSettings settings = null)
        {
            life = new Life(settings ?? new ContextSettings());
        }

        ~Context()
        {
            // There is none if the constructor threw.
            if (life != null)
                life.Abandon();
        }

        /// <summary>For functions of Native.</summary>
        public IntPtr Pointer
        {
            get
            {
                if (life.Pointer == IntPtr.Zero)
                    throw new ObjectDisposedException("Pccd.Context");
                return life.Pointer;
            }
        }

        public bool IsDisposed
        {
            get { return life.Pointer == IntPtr.Zero; }
        }

        /// <summary>
        /// Destroys the context and all that was created in it. While another thread uses it, or a run was begun and not
        /// ended, this fails with PCCD_ERR_BUSY and changes nothing.
        /// </summary>
        public void Dispose()
        {
            life.Check(life.Destroy());
            GC.SuppressFinalize(this);
        }

        internal Life Life
        {
            get { return life; }
        }

        /// <summary>
        /// Destroys all contexts of this domain, whatever is going on in them. Happens by itself when the domain is unloaded.
        /// </summary>
        public static void DisposeAll()
        {
            Life.EndAll();
        }

        public pccd_context_info Info
        {
            get
            {
                pccd_context_info info;
                Text.Check(Native.pccd_context_info_init(&info, (UIntPtr)sizeof(pccd_context_info)));
                life.Check(Native.pccd_context_info_get(Pointer, &info));
                return info;
            }
        }

        /// <summary>Changes how many threads work on a call.</summary>
        public void SetThreads(int count)
        {
            life.Check(Native.pccd_context_set_threads(Pointer, unchecked((uint)count)));
        }

        /// <summary>Three floats a vertex, three indices a triangle. Both are copied.</summary>
        public Mesh CreateMesh(float[] positions, int[] triangles, MeshSettings settings = null)
        {
            long vertices = View.Thirds(positions, "positions"), faces = View.Thirds(triangles, "triangles");
            fixed (float* data = positions)
            fixed (int* indices = triangles)
                return CreateMesh(View.Floats(data, vertices), View.Triangles(indices, faces), settings);
        }

        /// <summary>Three doubles a vertex, three indices a triangle. Both are copied.</summary>
        public Mesh CreateMesh(double[] positions, int[] triangles, MeshSettings settings = null)
        {
            long vertices = View.Thirds(positions, "positions"), faces = View.Thirds(triangles, "triangles");
            fixed (double* data = positions)
            fixed (int* indices = triangles)
                return CreateMesh(View.Doubles(data, vertices), View.Triangles(indices, faces), settings);
        }

        /// <summary>From buffers of any kind, which are copied.</summary>
        public Mesh CreateMesh(pccd_view positions, pccd_view triangles, MeshSettings settings = null)
        {
            return new Mesh(this, positions, triangles, settings ?? new MeshSettings());
        }

        /// <summary>An empty hierarchy, with defaults.</summary>
        public Bvh CreateBvh()
        {
            return new Bvh(this, null);
        }

        /// <summary>An empty hierarchy. Begin with Bvh.Defaults().</summary>
        public Bvh CreateBvh(pccd_bvh_def def)
        {
            return new Bvh(this, &def);
        }

        /// <summary>A query for all contacts, exactly.</summary>
        public Query CreateQuery()
        {
            return new Query(this, null);
        }

        /// <summary>A query. Begin with Query.Defaults().</summary>
        public Query CreateQuery(pccd_query_def def)
        {
            return new Query(this, &def);
        }

        /// <summary>
        /// Elementary queries: for each result eight points of three doubles, v f0 f1 f2 (PCCD_VERTEX_FACE) or a0 a1 b0 b1
        /// (PCCD_EDGE_EDGE) at t = 0, then at t = 1.
        /// </summary>
        public void Batch(int kind, double[] points, pccd_ccd_result[] results)
        {
            long count = View.Thirds(points, "points");
            if (results == null)
                throw new ArgumentNullException("results");
            fixed (double* data = points)
            fixed (pccd_ccd_result* answers = results)
            {
                pccd_view view = View.Doubles(data, count);
                life.Check(Native.pccd_ccd_batch(Pointer, unchecked((uint)kind), &view, (ulong)results.LongLength, null, answers));
            }
        }
    }
}
