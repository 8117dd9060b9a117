using System;
using System.Threading;
using Pccd;
using Pccd.Tests;

/// <summary>
/// The checks without Unity. Prints the contacts of all frames, the layout of all structs, or what came of the checks:
/// `Program frames`, `Program layout`, `Program checks`, `Program domains`.
/// </summary>
public static class Program
{
    public static int Main(string[] arguments)
    {
        switch (arguments.Length == 1 ? arguments[0] : "")
        {
            case "frames":
                foreach (string line in Checks.Frames(null))
                    Console.WriteLine(line);
                return 0;
            case "layout":
                Layout.Write();
                return 0;
            case "checks":
                foreach (Action check in Checks.All)
                {
                    check();
                    Console.WriteLine("ok " + check.Method.Name);
                }
                // Contexts that nobody has disposed of.
                GC.Collect();
                GC.WaitForPendingFinalizers();
                return 0;
            case "domains":
                Domains();
                return 0;
            default:
                Console.Error.WriteLine("usage: Program frames|layout|checks|domains");
                return 2;
        }
    }

    /// <summary>Lives in another domain.</summary>
    public sealed class Guest : MarshalByRefObject
    {
        // Never disposed of: all end when the domain does.
        private World idle, begun, running;

        public void Open()
        {
            idle = new World(new ContextSettings { ThreadCount = 4, Log = (level, message) => { } });
            idle.Mesh.Move(Wave.Posed(1));
            idle.Query.Run(idle.Bvh);
            begun = new World(new ContextSettings { ThreadCount = 2 });
            begun.Query.Begin(begun.Bvh);
            running = new World(new ContextSettings { ThreadCount = 3 });
            Thread thread = new Thread(() =>
            {
                try
                {
                    for (int frame = 0; ; frame = (frame + 1) % Wave.Frames)
                    {
                        running.Mesh.Move(Wave.Posed(frame));
                        running.Query.Run(running.Bvh);
                    }
                }
                catch (PccdException) { }
                catch (ObjectDisposedException) { }
            });
            thread.IsBackground = true;
            thread.Start();
            // Runs after the library's own, which was there first and makes the thread's calls fail: it ends by itself.
            // Mono 6.8 now and then aborts the process ("mono_exception_new_by_name_domain") when it has to abort a thread.
            AppDomain.CurrentDomain.DomainUnload += delegate
            {
                Checks.That(thread.Join(10000), "a thread that uses a context ends with it");
            };
        }
    }

    private static void Domains()
    {
        int threads = Threads();
        for (int round = 1; round <= 5; round++)
        {
            AppDomain domain = AppDomain.CreateDomain("guest " + round);
            Guest guest = (Guest)domain.CreateInstanceAndUnwrap(typeof(Guest).Assembly.FullName, typeof(Guest).FullName);
            guest.Open();
            Checks.That(Threads() >= threads + 3, "the guest has threads of the library");
            AppDomain.Unload(domain);
            // Threads of Mono itself come and go; those of the library are gone with their contexts.
            Checks.That(LibraryThreads() == 0, "threads of the library are left: " + LibraryThreads());
            Console.WriteLine("ok domain " + round);
        }
        foreach (string line in Checks.Frames(new ContextSettings { ThreadCount = 2 }))
            Console.WriteLine(line);
    }

    private static int Threads()
    {
        return System.IO.Directory.GetDirectories("/proc/self/task").Length;
    }

    /// <summary>Threads that the library has named.</summary>
    private static int LibraryThreads()
    {
        int count = 0;
        foreach (string task in System.IO.Directory.GetDirectories("/proc/self/task"))
        {
            try
            {
                if (System.IO.File.ReadAllText(task + "/comm").StartsWith("pccd"))
                    count++;
            }
            catch (System.IO.IOException) { } // it has just ended
        }
        return count;
    }
}
