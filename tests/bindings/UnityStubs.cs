// The few types of Unity that bindings/unity uses, so that its code for Unity can be compiled, and run, without it.

using System;
using System.Runtime.InteropServices;

namespace UnityEngine
{
    public struct Vector3
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
    }

    public class Mesh
    {
        public Vector3[] vertices { get; set; }
        public int[] triangles { get; set; }
    }

    public class MonoBehaviour
    {
        public T GetComponent<T>() where T : class { return null; }
    }

    public class MeshFilter
    {
        public Mesh mesh { get; set; }
    }

    public static class Debug
    {
        public static void Log(object message) { Console.WriteLine(message); }
        public static void LogWarning(object message) { Console.WriteLine(message); }
    }

    public static class SystemInfo
    {
        public static int processorCount { get { return Environment.ProcessorCount; } }
    }

    [AttributeUsage(AttributeTargets.Class)]
    public class RequireComponent : Attribute
    {
        public RequireComponent(Type type) { }
    }
}

namespace Unity.Collections
{
    public struct NativeArray<T> : IDisposable where T : struct
    {
        public readonly IntPtr Buffer;
        private readonly int length;
        public NativeArray(IntPtr buffer, int length) { Buffer = buffer; this.length = length; }
        public int Length { get { return length; } }
        public void Dispose() { }
    }
}

namespace Unity.Collections.LowLevel.Unsafe
{
    public static unsafe class NativeArrayUnsafeUtility
    {
        public static void* GetUnsafeReadOnlyPtr<T>(NativeArray<T> array) where T : struct { return (void*)array.Buffer; }
    }

    public static class UnsafeUtility
    {
        public static int SizeOf<T>() where T : struct { return Marshal.SizeOf(typeof(T)); }
    }
}

namespace Unity.Jobs
{
    public interface IJobParallelFor
    {
        void Execute(int index);
    }

    public struct JobHandle
    {
        internal System.Threading.Tasks.Task Task;
        public void Complete() { if (Task != null) Task.Wait(); }
    }

    public static class IJobParallelForExtensions
    {
        public static JobHandle Schedule<T>(this T job, int length, int batch, JobHandle after = default(JobHandle)) where T : struct, IJobParallelFor
        {
            return new JobHandle { Task = System.Threading.Tasks.Task.Run(() => { for (int i = 0; i < length; i++) job.Execute(i); }) };
        }
    }
}

namespace UnityEditor
{
    [AttributeUsage(AttributeTargets.Method)]
    public class InitializeOnLoadMethodAttribute : Attribute { }

    public static class AssemblyReloadEvents
    {
        public delegate void AssemblyReloadCallback();
        public static event AssemblyReloadCallback beforeAssemblyReload;
        public static void Reload() { if (beforeAssemblyReload != null) beforeAssemblyReload(); }
    }
}
