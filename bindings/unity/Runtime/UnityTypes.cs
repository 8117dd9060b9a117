#if UNITY_5_3_OR_NEWER
using Unity.Collections;
using Unity.Collections.LowLevel.Unsafe;
using Unity.Jobs;
using UnityEngine;

namespace Pccd
{
    /// <summary>Native arrays of Unity as views: nothing is copied on the way to the library.</summary>
    public static unsafe class UnityTypes
    {
        public static pccd_view AsPoints(this NativeArray<Vector3> array)
        {
            return View.Floats(NativeArrayUnsafeUtility.GetUnsafeReadOnlyPtr(array), array.Length);
        }

        /// <summary>Vertices whose position is at an offset, in bytes.</summary>
        public static pccd_view AsPoints<T>(this NativeArray<T> array, int offset) where T : struct
        {
            byte* data = (byte*)NativeArrayUnsafeUtility.GetUnsafeReadOnlyPtr(array);
            return View.Floats(data + offset, array.Length, UnsafeUtility.SizeOf<T>());
        }

        public static pccd_view AsTriangles(this NativeArray<int> indices)
        {
            return View.Triangles((int*)NativeArrayUnsafeUtility.GetUnsafeReadOnlyPtr(indices), indices.Length / 3);
        }

        public static pccd_view AsTriangles(this NativeArray<ushort> indices)
        {
            return View.Triangles((ushort*)NativeArrayUnsafeUtility.GetUnsafeReadOnlyPtr(indices), indices.Length / 3);
        }

        public static void Move(this Mesh mesh, NativeArray<Vector3> positions)
        {
            mesh.Move(positions.AsPoints());
        }

        public static void Move(this Mesh mesh, Vector3[] positions)
        {
            fixed (Vector3* data = positions)
                mesh.Move(View.Floats(data, positions.Length));
        }

        /// <summary>Positions of a mesh of Unity, and all its triangles.</summary>
        public static Mesh CreateMesh(this Context context, UnityEngine.Mesh mesh, MeshSettings settings = null)
        {
            Vector3[] positions = mesh.vertices;
            int[] triangles = mesh.triangles;
            fixed (Vector3* data = positions)
            fixed (int* indices = triangles)
                return context.CreateMesh(View.Floats(data, positions.Length), View.Triangles(indices, triangles.Length / 3), settings);
        }

        /// <summary>
        /// Has threads of the job system work on a run that was begun. Complete the handle after query.End(), which works, too,
        /// and does not need the others.
        /// </summary>
        public static JobHandle Schedule(this QueryWorker worker, int threads)
        {
            return new WorkJob { Worker = worker }.Schedule(threads, 1);
        }

        private struct WorkJob : IJobParallelFor
        {
            public QueryWorker Worker;

            public void Execute(int index)
            {
                Worker.Execute();
            }
        }

#if UNITY_EDITOR
        // Before scripts are reloaded, so that nothing native calls into code that is gone.
        [UnityEditor.InitializeOnLoadMethod]
        private static void WatchReloads()
        {
            UnityEditor.AssemblyReloadEvents.beforeAssemblyReload += Context.DisposeAll;
        }
#endif
    }
}
#endif
