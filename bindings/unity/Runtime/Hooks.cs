using System;

namespace Pccd
{
    /// <summary>An allocator of yours. Called on any thread, also on those of the library, but never on two at once.</summary>
    public interface IMemory
    {
        /// <summary>Memory of at least this size and alignment, in bytes; IntPtr.Zero to refuse. An exception refuses, too.</summary>
        IntPtr Allocate(ulong size, ulong alignment);

        /// <summary>Takes back what Allocate has given.</summary>
        void Free(IntPtr memory, ulong size, ulong alignment);
    }

    /// <summary>
    /// A job system of yours. Give every task to some thread, which calls task.Run(), soon, late or never: what nobody has
    /// begun when the library needs it is done by the thread that waits.
    /// </summary>
    public interface ITaskRunner
    {
        void Enqueue(PccdTask task);
    }

    /// <summary>How to create a context. What is left alone has the default of the library.</summary>
    public sealed class ContextSettings
    {
        /// <summary>Threads that work on a call, the calling one included.</summary>
        public int ThreadCount = 1;

        /// <summary>One of the PCCD_SIMD_ levels.</summary>
        public int Simd = Native.PCCD_SIMD_AUTO;

        /// <summary>One of the PCCD_SCHEDULER_ values.</summary>
        public uint Scheduler = Native.PCCD_SCHEDULER_ASSIGNMENT;

        /// <summary>Receives a PCCD_LOG_ level and a message, on the thread that makes a call.</summary>
        public Action<int, string> Log;

        /// <summary>Allocates the memory of the context; null for the allocator of the system.</summary>
        public IMemory Memory;

        /// <summary>Runs the work of the context; null for threads of the library.</summary>
        public ITaskRunner Tasks;
    }
}
