using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;

namespace Pccd.Tests
{
    /// <summary>What has to hold, in Unity and without it. Everything here throws when it does not.</summary>
    public static unsafe class Checks
    {
        public static void That(bool holds, string what)
        {
            if (!holds)
                throw new Exception("does not hold: " + what);
        }

        private static void Fails(int status, string words, Action call)
        {
            try
            {
                call();
            }
            catch (PccdException error)
            {
                That(error.Status == status, error.StatusName + " instead of " + Text.Status(status));
                That(error.Message.Contains(words), "'" + error.Message + "' has '" + words + "' in it");
                return;
            }
            That(false, Text.Status(status) + " is thrown, with '" + words + "'");
        }

        private static void Throws<T>(Action call) where T : Exception
        {
            try
            {
                call();
            }
            catch (T)
            {
                return;
            }
            That(false, typeof(T).Name + " is thrown");
        }

        /// <summary>Frames with the settings; a line for each.</summary>
        public static List<string> Frames(ContextSettings settings)
        {
            List<string> lines = new List<string>();
            float[] positions = new float[3 * Wave.Vertices];
            using (World world = new World(settings))
            {
                for (int frame = 1; frame <= Wave.Frames; frame++)
                {
                    Wave.Pose(positions, frame);
                    world.Mesh.Move(positions);
                    That(world.Query.Run(world.Bvh) == Outcome.Complete, "the run is complete");
                    lines.Add(world.Found(frame));
                }
            }
            return lines;
        }

        private static void Same(List<string> found, List<string> expected, string how)
        {
            That(string.Join("; ", found.ToArray()) == string.Join("; ", expected.ToArray()), "the same contacts " + how);
        }

        public static void StridesAndPointersGiveTheSame()
        {
            List<string> lines = new List<string>();
            // Positions in the middle of vertices of 32 bytes.
            float[] vertices = new float[8 * Wave.Vertices];
            float[] positions = new float[3 * Wave.Vertices];
            using (World world = new World(null))
            {
                for (int frame = 1; frame <= Wave.Frames; frame++)
                {
                    Wave.Pose(positions, frame);
                    for (int i = 0; i < positions.Length; i++)
                        vertices[8 * (i / 3) + 2 + i % 3] = positions[i];
                    fixed (float* data = vertices)
                        world.Mesh.Move(View.Floats(data + 2, Wave.Vertices, 32));
                    world.Query.Run(world.Bvh);
                    lines.Add(world.Found(frame));
                }
                pccd_contact[] copies = new pccd_contact[world.Query.Contacts.Count];
                That(world.Query.CopyContacts(copies) == copies.Length, "all are copied");
                pccd_contact last = world.Query.Contacts[copies.Length - 1], copy = copies[copies.Length - 1];
                That(last.toi_lower == copy.toi_lower && last.vertices[3] == copy.vertices[3], "a copy is the same");
                That(last.mesh_a.id == world.Mesh.Handle.id, "contacts name the mesh");
                double sum = last.weights[0] + last.weights[1] + last.weights[2] + last.weights[3];
                That(Math.Abs(sum - 2) < 1e-9, "weights of both features sum up to one: " + sum);
                Throws<ArgumentOutOfRangeException>(() => world.Query.Contacts[copies.Length].GetHashCode());
                That(world.Mesh.Info.vertex_count == Wave.Vertices, "info of the mesh");
                That(world.Bvh.Info.mesh_count == 1, "info of the hierarchy");
                That(world.Query.Stats.contacts_vf + world.Query.Stats.contacts_ee == (ulong)copies.Length, "statistics");
            }
            Same(lines, Frames(null), "from strided vertices");
        }

        public static void ErrorsAreExceptions()
        {
            Fails(Native.PCCD_ERR_INVALID_ARGUMENT, "thread_count", () => new Context(new ContextSettings { ThreadCount = 0 }));
            Fails(Native.PCCD_ERR_INVALID_ARGUMENT, "simd", () => new Context(new ContextSettings { Simd = 77 }));
            World world = new World(null), other = new World(null);
            float[] positions = Wave.Posed(1);
            Fails(Native.PCCD_ERR_INVALID_ARGUMENT, "positions", () => world.Mesh.Move(new float[6]));
            positions[5] = float.NaN;
            Fails(Native.PCCD_ERR_NOT_FINITE, "positions", () => world.Mesh.Move(positions));
            Fails(Native.PCCD_ERR_INVALID_ARGUMENT, "triangle", () => world.Context.CreateMesh(new float[9], new int[] { 0, 1, -1 }));
            Fails(Native.PCCD_ERR_INVALID_ARGUMENT, "mesh", () => world.Bvh.Add(world.Mesh));
            Fails(Native.PCCD_ERR_INVALID_ARGUMENT, "query", () => world.Query.End());
            Throws<ArgumentException>(() => world.Mesh.Move(new float[7]));
            Throws<ArgumentNullException>(() => world.Mesh.Move((float[])null));
            Throws<ArgumentNullException>(() => world.Query.Run(null));
            Throws<ArgumentOutOfRangeException>(() => View.Floats(null, -1));
            world.Query.Begin(world.Bvh);
            Fails(Native.PCCD_ERR_BUSY, "context", () => world.Context.Dispose());
            Fails(Native.PCCD_ERR_BUSY, "context", () => world.Mesh.Dispose());
            world.Query.Cancel();
            That(world.Query.End() == Outcome.Cancelled, "a run is cancelled");
            world.Mesh.Dispose();
            world.Mesh.Dispose();
            Fails(Native.PCCD_ERR_NULL, "mesh", () => world.Mesh.Move(Wave.Posed(1)));
            world.Dispose();
            world.Dispose();
            world.Query.Dispose();
            Throws<ObjectDisposedException>(() => world.Query.Run(world.Bvh));
            // Objects of another context are unknown; what was not disposed of goes with the finalizer.
            other.Mesh.Move(Wave.Posed(1));
        }

        public static void ElementaryQueries()
        {
            using (Context context = new Context())
            {
                double[] points = { .25, .25, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, .25, .25, -3, 0, 0, 0, 1, 0, 0, 0, 1, 0 };
                pccd_ccd_result[] results = new pccd_ccd_result[1];
                context.Batch(Native.PCCD_VERTEX_FACE, points, results);
                pccd_ccd_result hit = results[0];
                That(hit.flags == Native.PCCD_CCD_HIT && hit.toi_lower <= .25 && .25 <= hit.toi_upper, "a vertex hits a face");
                That(hit.weights[0] == 1 && Math.Abs(hit.normal[2] - 1) < 1e-9, "weights and normal");
                Fails(Native.PCCD_ERR_INVALID_ARGUMENT, "positions", () => context.Batch(Native.PCCD_VERTEX_FACE, points, new pccd_ccd_result[2]));
            }
        }

        /// <summary>An allocator that counts, and knows on which threads it was called.</summary>
        private sealed class Counting : IMemory
        {
            public long Blocks, Bytes, Calls;
            public bool Refuse;
            public readonly HashSet<int> Threads = new HashSet<int>();

            public IntPtr Allocate(ulong size, ulong alignment)
            {
                Calls++;
                Threads.Add(Thread.CurrentThread.ManagedThreadId);
                if (Refuse)
                    throw new OutOfMemoryException("refused by the test");
                // The address of the block is kept before the memory that is given out.
                ulong block = (ulong)Marshal.AllocHGlobal((IntPtr)(long)(size + alignment + 8));
                ulong memory = (block + 8 + alignment - 1) / alignment * alignment;
                ((ulong*)memory)[-1] = block;
                Blocks++;
                Bytes += (long)size;
                return (IntPtr)(long)memory;
            }

            public void Free(IntPtr memory, ulong size, ulong alignment)
            {
                Threads.Add(Thread.CurrentThread.ManagedThreadId);
                Marshal.FreeHGlobal((IntPtr)(long)((ulong*)memory)[-1]);
                Blocks--;
                Bytes -= (long)size;
            }
        }

        public static void CallbacksComeFromForeignThreads()
        {
            List<string> messages = new List<string>();
            Counting memory = new Counting();
            ContextSettings settings = new ContextSettings
            {
                ThreadCount = 4,
                Memory = memory,
                Log = (level, message) => messages.Add(level + " " + message),
            };
            // Who gets to allocate first is up to the system: as often as it takes.
            for (int attempt = 0; attempt < 200 && memory.Threads.Count < 2; attempt++)
            {
                Same(Frames(settings), Frames(null), "from threads of the library");
                That(memory.Blocks == 0 && memory.Bytes == 0, "all memory was given back");
            }
            That(memory.Threads.Count > 1, "threads that Mono has not made were in the allocator");
            That(messages.Count > 0 && messages[0].StartsWith(Native.PCCD_LOG_INFO + " "), "the log has messages");

            using (World world = new World(settings))
            {
                memory.Refuse = true;
                Fails(Native.PCCD_ERR_OUT_OF_MEMORY, "", () => world.Query.Run(world.Bvh));
                memory.Refuse = false;
                That(world.Query.Run(world.Bvh) == Outcome.Complete, "it works again");
                messages.Clear();
                Fails(Native.PCCD_ERR_INVALID_ARGUMENT, "positions", () => world.Mesh.Move(new float[3]));
                That(messages.Count == 1 && messages[0].StartsWith(Native.PCCD_LOG_ERROR + " pccd_mesh_move"), "errors are logged");
            }
            That(memory.Blocks == 0, "all memory was given back");

            ContextSettings broken = new ContextSettings { Log = (level, message) => { throw new Exception("a broken log"); } };
            Throws<InvalidOperationException>(() => new Context(broken));
        }

        /// <summary>Hands every task to a new thread, to none, or fails.</summary>
        private sealed class Runner : ITaskRunner
        {
            public int Mode, Tasks;
            public readonly List<Thread> Threads = new List<Thread>();

            public void Enqueue(PccdTask task)
            {
                Tasks++;
                if (Mode == 0)
                {
                    Thread thread = new Thread(task.Run);
                    thread.Start();
                    Threads.Add(thread);
                }
                if (Mode == 2)
                    throw new Exception("no more jobs");
            }
        }

        public static void TasksOfAJobSystem()
        {
            List<string> expected = Frames(null);
            Runner runner = new Runner();
            ContextSettings settings = new ContextSettings { ThreadCount = 4, Tasks = runner };
            Same(Frames(settings), expected, "from a job system");
            That(runner.Tasks > 0, "tasks were enqueued");
            foreach (Thread thread in runner.Threads)
                thread.Join();
            runner.Mode = 1;
            Same(Frames(settings), expected, "from a job system that never runs a task");
            runner.Mode = 2;
            using (World world = new World(settings))
                Throws<InvalidOperationException>(() => world.Query.Run(world.Bvh));
        }

        public static void DonatedThreads()
        {
            List<string> lines = new List<string>();
            using (World world = new World(new ContextSettings { ThreadCount = 3 }))
            {
                for (int frame = 1; frame <= Wave.Frames; frame++)
                {
                    world.Mesh.Move(Wave.Posed(frame));
                    world.Query.Begin(world.Bvh);
                    QueryWorker worker = world.Query.Worker;
                    int failures = 0;
                    Thread[] helpers = new Thread[2];
                    for (int i = 0; i < helpers.Length; i++)
                    {
                        helpers[i] = new Thread(() => { if (worker.Execute() < 0) Interlocked.Increment(ref failures); });
                        helpers[i].Start();
                    }
                    world.Query.Work();
                    That(world.Query.End() == Outcome.Complete, "the run is complete");
                    foreach (Thread helper in helpers)
                        helper.Join();
                    That(failures == 0, "helpers help");
                    lines.Add(world.Found(frame));
                }
            }
            Same(lines, Frames(null), "with donated threads");
        }

        public static void FramesMakeNoGarbage()
        {
            using (World world = new World(new ContextSettings { ThreadCount = 2 }))
            {
                float[] positions = Wave.Posed(1);
                long before = 0, contacts = 0;
                for (int frame = 0; frame < 220; frame++)
                {
                    if (frame == 20)
                        before = GC.GetAllocatedBytesForCurrentThread();
                    positions[2] += 0.001f;
                    world.Mesh.Move(positions);
                    world.Query.Run(world.Bvh);
                    contacts += world.Query.Contacts.Count;
                }
                long made = GC.GetAllocatedBytesForCurrentThread() - before;
                That(contacts > 0 && made == 0, "200 frames make no garbage: " + made + " bytes");
            }
        }

        public static readonly Action[] All =
        {
            StridesAndPointersGiveTheSame, ErrorsAreExceptions, ElementaryQueries, CallbacksComeFromForeignThreads,
            TasksOfAJobSystem, DonatedThreads, FramesMakeNoGarbage,
        };
    }
}
