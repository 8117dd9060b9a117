using System;

namespace Pccd
{
    /// <summary>How a mesh takes part in queries.</summary>
    public sealed class MeshSettings
    {
        /// <summary>0 or PCCD_MESH_NO_SELF.</summary>
        public uint Flags = 0;

        /// <summary>Added to the minimum separation of a query.</summary>
        public double Thickness = 0;

        /// <summary>Bits that tell what the mesh is.</summary>
        public ulong Category = 1;

        /// <summary>Bits that tell what the mesh meets.</summary>
        public ulong Mask = ulong.MaxValue;

        /// <summary>For you.</summary>
        public ulong UserData = 0;
    }

    /// <summary>A body made of triangles. It lives until it or its context is disposed of.</summary>
    public sealed unsafe class Mesh : IDisposable
    {
        private readonly Context owner;
        private pccd_mesh handle;

        internal Mesh(Context owner, pccd_view positions, pccd_view triangles, MeshSettings settings)
        {
            this.owner = owner;
            pccd_mesh_def def;
            Text.Check(Native.pccd_mesh_def_init(&def, (UIntPtr)sizeof(pccd_mesh_def)));
            def.positions = positions;
            def.triangles = triangles;
            def.flags = settings.Flags;
            def.thickness = settings.Thickness;
            def.category = settings.Category;
            def.mask = settings.Mask;
            def.user_data = settings.UserData;
            pccd_mesh created;
            owner.Life.Check(Native.pccd_mesh_create(owner.Pointer, &def, &created));
            handle = created;
        }

        /// <summary>For functions of Native, and to be compared with those in contacts.</summary>
        public pccd_mesh Handle
        {
            get { return handle; }
        }

        /// <summary>What was t = 1 becomes t = 0; these positions become t = 1.</summary>
        public void Move(pccd_view positions)
        {
            owner.Life.Check(Native.pccd_mesh_move(owner.Pointer, handle, &positions));
        }

        /// <summary>What was t = 1 becomes t = 0; these positions become t = 1.</summary>
        public void Move(float[] positions)
        {
            long count = View.Thirds(positions, "positions");
            fixed (float* data = positions)
                Move(View.Floats(data, count));
        }

        /// <summary>What was t = 1 becomes t = 0; these positions become t = 1.</summary>
        public void Move(double[] positions)
        {
            long count = View.Thirds(positions, "positions");
            fixed (double* data = positions)
                Move(View.Doubles(data, count));
        }

        /// <summary>Sets the positions at t = 0 and at t = 1.</summary>
        public void SetMotion(pccd_view start, pccd_view end)
        {
            owner.Life.Check(Native.pccd_mesh_set_motion(owner.Pointer, handle, &start, &end));
        }

        /// <summary>Sets the positions at t = 0 and at t = 1.</summary>
        public void SetMotion(float[] start, float[] end)
        {
            long before = View.Thirds(start, "start"), after = View.Thirds(end, "end");
            fixed (float* first = start)
            fixed (float* second = end)
                SetMotion(View.Floats(first, before), View.Floats(second, after));
        }

        /// <summary>Changes what the mesh is and which meshes it meets.</summary>
        public void SetFilter(ulong category, ulong mask)
        {
            owner.Life.Check(Native.pccd_mesh_set_filter(owner.Pointer, handle, category, mask));
        }

        public pccd_mesh_info Info
        {
            get
            {
                pccd_mesh_info info;
                Text.Check(Native.pccd_mesh_info_init(&info, (UIntPtr)sizeof(pccd_mesh_info)));
                owner.Life.Check(Native.pccd_mesh_info_get(owner.Pointer, handle, &info));
                return info;
            }
        }

        /// <summary>Destroys the mesh and takes it out of all hierarchies. Does nothing if it, or its context, is gone.</summary>
        public void Dispose()
        {
            if (handle.id == 0 || owner.IsDisposed)
                return;
            owner.Life.Check(Native.pccd_mesh_destroy(owner.Pointer, handle));
            handle.id = 0;
        }
    }
}
