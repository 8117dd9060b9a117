using System;

namespace Pccd
{
    /// <summary>How a run of a query ended.</summary>
    public enum Outcome
    {
        /// <summary>All contacts are there.</summary>
        Complete = Native.PCCD_OK,

        /// <summary>There were more contacts than the capacity of the query.</summary>
        Incomplete = Native.PCCD_INCOMPLETE,

        /// <summary>It was cancelled: there are none.</summary>
        Cancelled = Native.PCCD_CANCELLED,
    }

    /// <summary>
    /// What to look for, and afterwards what was found. It lives until it or its context is disposed of.
    /// </summary>
    public sealed unsafe class Query : IDisposable
    {
        private readonly Context owner;
        private pccd_query handle;

        internal Query(Context owner, pccd_query_def* def)
        {
            this.owner = owner;
            pccd_query created;
            owner.Life.Check(Native.pccd_query_create(owner.Pointer, def, &created));
            handle = created;
        }

        public static pccd_query_def Defaults()
        {
            pccd_query_def def;
            Text.Check(Native.pccd_query_def_init(&def, (UIntPtr)sizeof(pccd_query_def)));
            return def;
        }

        /// <summary>For functions of Native.</summary>
        public pccd_query Handle
        {
            get { return handle; }
        }

        /// <summary>Finds the contacts of all meshes in a hierarchy while they move from t = 0 to t = 1.</summary>
        public Outcome Run(Bvh bvh)
        {
            if (bvh == null)
                throw new ArgumentNullException("bvh");
            owner.Life.Begin(handle);
            try
            {
                return (Outcome)owner.Life.Check(Native.pccd_query_run(owner.Pointer, handle, bvh.Handle));
            }
            finally
            {
                owner.Life.End();
            }
        }

        /// <summary>
        /// Begins a run that other threads work on: see Worker. The context is busy until End.
        /// </summary>
        public void Begin(Bvh bvh)
        {
            if (bvh == null)
                throw new ArgumentNullException("bvh");
            owner.Life.Check(Native.pccd_query_begin(owner.Pointer, handle, bvh.Handle));
            owner.Life.Begin(handle);
        }

        /// <summary>What takes part in a run between Begin and End. A struct without references, for jobs.</summary>
        public QueryWorker Worker
        {
            get { return new QueryWorker(owner.Pointer, handle); }
        }

        /// <summary>Takes part in a run that was begun, until it is over. From any thread.</summary>
        public void Work()
        {
            owner.Life.Check(Native.pccd_query_work(owner.Pointer, handle));
        }

        /// <summary>Works until the run is over and all others have left it.</summary>
        public Outcome End()
        {
            int status = Native.pccd_query_end(owner.Pointer, handle);
            if (status != Native.PCCD_ERR_BUSY && status != Native.PCCD_ERR_INVALID_ARGUMENT)
                owner.Life.End();
            return (Outcome)owner.Life.Check(status);
        }

        /// <summary>Makes room for so many contacts ahead. There are no results then.</summary>
        public void Reserve(ulong contactCount)
        {
            owner.Life.Check(Native.pccd_query_reserve(owner.Pointer, handle, contactCount));
        }

        /// <summary>Ends a run early. From any thread.</summary>
        public void Cancel()
        {
            owner.Life.Check(Native.pccd_query_cancel(owner.Pointer, handle));
        }

        /// <summary>
        /// The contacts of the last run, sorted. They are the library's, and valid until the next run, or until the query or
        /// its context is disposed of.
        /// </summary>
        public Contacts Contacts
        {
            get
            {
                pccd_contact* data;
                ulong count;
                owner.Life.Check(Native.pccd_query_contacts(owner.Pointer, handle, &data, &count));
                return new Contacts(data, (long)count);
            }
        }

        /// <summary>Copies contacts to an array, as many as fit, and returns how many there are.</summary>
        public long CopyContacts(pccd_contact[] destination)
        {
            if (destination == null)
                throw new ArgumentNullException("destination");
            ulong count;
            fixed (pccd_contact* data = destination)
                owner.Life.Check(Native.pccd_query_copy_contacts(owner.Pointer, handle, data, (ulong)destination.LongLength, &count));
            return (long)count;
        }

        /// <summary>A hash of every bit of all contacts: the same on every machine.</summary>
        public ulong Hash
        {
            get
            {
                ulong hash;
                owner.Life.Check(Native.pccd_query_hash(owner.Pointer, handle, &hash));
                return hash;
            }
        }

        public pccd_query_stats Stats
        {
            get
            {
                pccd_query_stats stats;
                Text.Check(Native.pccd_query_stats_init(&stats, (UIntPtr)sizeof(pccd_query_stats)));
                owner.Life.Check(Native.pccd_query_stats_get(owner.Pointer, handle, &stats));
                return stats;
            }
        }

        /// <summary>Destroys the query and its contacts. Does nothing if it, or its context, is gone.</summary>
        public void Dispose()
        {
            if (handle.id == 0 || owner.IsDisposed)
                return;
            owner.Life.Check(Native.pccd_query_destroy(owner.Pointer, handle));
            handle.id = 0;
        }
    }

    /// <summary>Takes part in the run of a query. Blittable: a job may have one.</summary>
    public readonly unsafe struct QueryWorker
    {
        // Numbers, since a job may not have pointers.
        private readonly ulong context;
        private readonly ulong query;

        internal QueryWorker(IntPtr context, pccd_query query)
        {
            this.context = unchecked((ulong)(long)context);
            this.query = query.id;
        }

        /// <summary>
        /// Works until the run is over; returns at once if it is over already. Returns a status instead of throwing. What came of
        /// the run is told by Query.End.
        /// </summary>
        public int Execute()
        {
            pccd_query handle;
            handle.id = query;
            return Native.pccd_query_work((IntPtr)unchecked((long)context), handle);
        }
    }

    /// <summary>Contacts in the memory of the library.</summary>
    public readonly unsafe struct Contacts
    {
        public readonly pccd_contact* Data;
        public readonly long Count;

        internal Contacts(pccd_contact* data, long count)
        {
            Data = data;
            Count = count;
        }

        public pccd_contact this[long index]
        {
            get
            {
                if (index < 0 || index >= Count)
                    throw new ArgumentOutOfRangeException("index", index, "there are " + Count + " contacts");
                return Data[index];
            }
        }
    }
}
