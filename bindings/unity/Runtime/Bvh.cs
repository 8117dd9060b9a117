using System;

namespace Pccd
{
    /// <summary>A bounding volume hierarchy over meshes. It lives until it or its context is disposed of.</summary>
    public sealed unsafe class Bvh : IDisposable
    {
        private readonly Context owner;
        private pccd_bvh handle;

        internal Bvh(Context owner, pccd_bvh_def* def)
        {
            this.owner = owner;
            pccd_bvh created;
            owner.Life.Check(Native.pccd_bvh_create(owner.Pointer, def, &created));
            handle = created;
        }

        public static pccd_bvh_def Defaults()
        {
            pccd_bvh_def def;
            Text.Check(Native.pccd_bvh_def_init(&def, (UIntPtr)sizeof(pccd_bvh_def)));
            return def;
        }

        /// <summary>For functions of Native.</summary>
        public pccd_bvh Handle
        {
            get { return handle; }
        }

        public void Add(Mesh mesh)
        {
            if (mesh == null)
                throw new ArgumentNullException("mesh");
            owner.Life.Check(Native.pccd_bvh_add(owner.Pointer, handle, mesh.Handle));
        }

        public void Remove(Mesh mesh)
        {
            if (mesh == null)
                throw new ArgumentNullException("mesh");
            owner.Life.Check(Native.pccd_bvh_remove(owner.Pointer, handle, mesh.Handle));
        }

        /// <summary>Takes over what has moved. Runs of queries do it by themselves.</summary>
        public void Update()
        {
            owner.Life.Check(Native.pccd_bvh_update(owner.Pointer, handle));
        }

        public pccd_bvh_info Info
        {
            get
            {
                pccd_bvh_info info;
                Text.Check(Native.pccd_bvh_info_init(&info, (UIntPtr)sizeof(pccd_bvh_info)));
                owner.Life.Check(Native.pccd_bvh_info_get(owner.Pointer, handle, &info));
                return info;
            }
        }

        /// <summary>Destroys the hierarchy; its meshes live on. Does nothing if it, or its context, is gone.</summary>
        public void Dispose()
        {
            if (handle.id == 0 || owner.IsDisposed)
                return;
            owner.Life.Check(Native.pccd_bvh_destroy(owner.Pointer, handle));
            handle.id = 0;
        }
    }
}
