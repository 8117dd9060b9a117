using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;

namespace Pccd
{
    /// <summary>
    /// A task of the library for an ITaskRunner. Objects are used again and again, so that frames make no garbage: running one
    /// twice, or long after it was needed, does no harm.
    /// </summary>
    public sealed unsafe class PccdTask
    {
        private const int Idle = 0, Waiting = 1, Running = 2, Done = 3;

        private readonly object signal = new object();
        internal readonly IntPtr Handle;
        private IntPtr function, argument;
        private pccd_task_fn call;
        private int state = Idle;

        internal PccdTask()
        {
            Handle = GCHandle.ToIntPtr(GCHandle.Alloc(this));
        }

        /// <summary>Does the work, unless somebody else has begun it already.</summary>
        public void Run()
        {
            if (Interlocked.CompareExchange(ref state, Running, Waiting) != Waiting)
                return;
            call((void*)argument);
            lock (signal)
            {
                state = Done;
                Monitor.PulseAll(signal);
            }
        }

        internal void Prepare(IntPtr newFunction, IntPtr newArgument)
        {
            if (call == null || function != newFunction)
            {
                function = newFunction;
                call = (pccd_task_fn)Marshal.GetDelegateForFunctionPointer(newFunction, typeof(pccd_task_fn));
            }
            argument = newArgument;
            Thread.MemoryBarrier();
            state = Waiting;
        }

        /// <summary>Returns when the work is done.</summary>
        internal void Finish()
        {
            Run();
            lock (signal)
            {
                while (state != Done)
                    Monitor.Wait(signal);
                state = Idle;
            }
        }

        internal void Free()
        {
            GCHandle.FromIntPtr(Handle).Free();
        }
    }

    /// <summary>Tasks that wait to be used again.</summary>
    internal sealed class TaskPool
    {
        private readonly Stack<PccdTask> idle = new Stack<PccdTask>();

        internal PccdTask Take()
        {
            lock (idle)
                return idle.Count > 0 ? idle.Pop() : new PccdTask();
        }

        internal void Give(PccdTask task)
        {
            lock (idle)
                idle.Push(task);
        }

        internal void Clear()
        {
            lock (idle)
            {
                while (idle.Count > 0)
                    idle.Pop().Free();
            }
        }
    }
}
