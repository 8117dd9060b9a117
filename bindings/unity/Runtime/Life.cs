using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;

namespace Pccd
{
    /// <summary>Marks what native code calls, for compilers that have to know in advance. They look at the name only.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    internal sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        internal MonoPInvokeCallbackAttribute(Type type) { }
    }

    /// <summary>
    /// A context of the library and what its callbacks need. All of them are known here, so that none is left, and no native
    /// code calls back, when the domain of this assembly is unloaded: when Unity reloads scripts, for instance.
    /// </summary>
    internal sealed unsafe class Life
    {
        private static readonly HashSet<Life> all = new HashSet<Life>();

        // One for the whole domain; the user pointer tells which context it is about.
        private static readonly pccd_log_fn logEntry = OnLog;
        private static readonly pccd_alloc_fn allocEntry = OnAlloc;
        private static readonly pccd_free_fn freeEntry = OnFree;
        private static readonly pccd_enqueue_fn enqueueEntry = OnEnqueue;
        private static readonly pccd_finish_fn finishEntry = OnFinish;

        private readonly ContextSettings settings;
        private readonly TaskPool tasks = new TaskPool();
        private GCHandle self;
        private Exception problem;
        private long running;

        internal IntPtr Pointer { get; private set; }

        static Life()
        {
            AppDomain.CurrentDomain.DomainUnload += delegate { EndAll(); };
        }

        internal Life(ContextSettings settings)
        {
            this.settings = settings;
            pccd_context_def def;
            Text.Check(Native.pccd_context_def_init(&def, (UIntPtr)sizeof(pccd_context_def)));
            def.abi_version = Native.PCCD_ABI_VERSION;
            // A negative number would be a large one, and is refused as such.
            def.thread_count = unchecked((uint)settings.ThreadCount);
            def.simd = settings.Simd;
            def.scheduler = settings.Scheduler;
            self = GCHandle.Alloc(this);
            void* user = (void*)GCHandle.ToIntPtr(self);
            if (settings.Log != null)
            {
                def.log = Marshal.GetFunctionPointerForDelegate(logEntry);
                def.log_user = user;
            }
            if (settings.Memory != null)
            {
                def.alloc = Marshal.GetFunctionPointerForDelegate(allocEntry);
                def.free = Marshal.GetFunctionPointerForDelegate(freeEntry);
                def.memory_user = user;
            }
            if (settings.Tasks != null)
            {
                def.enqueue = Marshal.GetFunctionPointerForDelegate(enqueueEntry);
                def.finish = Marshal.GetFunctionPointerForDelegate(finishEntry);
                def.task_user = user;
            }
            try
            {
                IntPtr created;
                Check(Native.pccd_context_create(&def, &created));
                Pointer = created;
            }
            catch
            {
                self.Free();
                throw;
            }
            lock (all)
                all.Add(this);
        }

        /// <summary>Throws if the call failed, or what a hook threw during it.</summary>
        internal int Check(int status)
        {
            Exception thrown = Interlocked.Exchange(ref problem, null);
            Text.Check(status);
            if (thrown != null)
                throw new InvalidOperationException("a hook of a Pccd.Context threw an exception", thrown);
            return status;
        }

        /// <summary>Remembers the query whose run is in work, in case that it has to be stopped.</summary>
        internal void Begin(pccd_query query)
        {
            Interlocked.Exchange(ref running, unchecked((long)query.id));
        }

        internal void End()
        {
            Interlocked.Exchange(ref running, 0);
        }

        /// <summary>Destroys the context. Returns the status: it may be busy.</summary>
        internal int Destroy()
        {
            IntPtr pointer = Pointer;
            if (pointer == IntPtr.Zero)
                return Native.PCCD_OK;
            int status = Native.pccd_context_destroy(pointer);
            if (status < 0 && status != Native.PCCD_ERR_STALE_HANDLE)
                return status;
            Pointer = IntPtr.Zero;
            lock (all)
                all.Remove(this);
            tasks.Clear();
            self.Free();
            return Native.PCCD_OK;
        }

        /// <summary>Destroys the context, whatever is going on in it: runs are cancelled, and those that were begun ended.</summary>
        internal void Abandon()
        {
            for (int attempt = 0; attempt < 10000 && Destroy() == Native.PCCD_ERR_BUSY; attempt++)
            {
                pccd_query query;
                query.id = unchecked((ulong)Interlocked.Read(ref running));
                if (query.id != 0)
                {
                    Native.pccd_query_cancel(Pointer, query);
                    Native.pccd_query_end(Pointer, query);
                }
                Thread.Sleep(1);
            }
        }

        /// <summary>Destroys all contexts of this domain.</summary>
        internal static void EndAll()
        {
            Life[] left;
            lock (all)
            {
                left = new Life[all.Count];
                all.CopyTo(left);
            }
            foreach (Life it in left)
                it.Abandon();
        }

        private static Life Of(void* user)
        {
            return (Life)GCHandle.FromIntPtr((IntPtr)user).Target;
        }

        // No exception may leave these.

        [MonoPInvokeCallback(typeof(pccd_log_fn))]
        private static void OnLog(int level, byte* message, void* user)
        {
            Life life = Of(user);
            try
            {
                life.settings.Log(level, Text.FromUtf8(message));
            }
            catch (Exception thrown)
            {
                life.problem = thrown;
            }
        }

        [MonoPInvokeCallback(typeof(pccd_alloc_fn))]
        private static void* OnAlloc(UIntPtr size, UIntPtr alignment, void* user)
        {
            try
            {
                return (void*)Of(user).settings.Memory.Allocate((ulong)size, (ulong)alignment);
            }
            catch (Exception)
            {
                return null;
            }
        }

        [MonoPInvokeCallback(typeof(pccd_free_fn))]
        private static void OnFree(void* memory, UIntPtr size, UIntPtr alignment, void* user)
        {
            Life life = Of(user);
            try
            {
                life.settings.Memory.Free((IntPtr)memory, (ulong)size, (ulong)alignment);
            }
            catch (Exception thrown)
            {
                life.problem = thrown;
            }
        }

        [MonoPInvokeCallback(typeof(pccd_enqueue_fn))]
        private static void* OnEnqueue(IntPtr task, void* argument, void* user)
        {
            Life life = Of(user);
            PccdTask taken = life.tasks.Take();
            taken.Prepare(task, (IntPtr)argument);
            try
            {
                life.settings.Tasks.Enqueue(taken);
            }
            catch (Exception thrown)
            {
                // Whether it was queued or not: the task is run at the latest when it is waited for.
                life.problem = thrown;
            }
            return (void*)taken.Handle;
        }

        [MonoPInvokeCallback(typeof(pccd_finish_fn))]
        private static void OnFinish(void* handle, void* user)
        {
            PccdTask task = (PccdTask)GCHandle.FromIntPtr((IntPtr)handle).Target;
            task.Finish();
            Of(user).tasks.Give(task);
        }
    }
}
