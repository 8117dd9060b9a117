using System;

namespace Pccd
{
    /// <summary>
    /// Views of buffers: where the numbers are, how many, and how far apart. The buffer has to stay where it is while a call
    /// uses the view. A stride, in bytes, of 0 means that elements follow each other without a gap.
    /// </summary>
    public static unsafe class View
    {
        /// <summary>Points of three floats: Vector3, or a vertex that begins with one.</summary>
        public static pccd_view Floats(void* data, long count, long stride = 0)
        {
            return Of(data, count, stride, Native.PCCD_FORMAT_F32X3);
        }

        /// <summary>Points of three doubles: double3.</summary>
        public static pccd_view Doubles(void* data, long count, long stride = 0)
        {
            return Of(data, count, stride, Native.PCCD_FORMAT_F64X3);
        }

        /// <summary>Triangles of three 32-bit indices.</summary>
        public static pccd_view Triangles(int* indices, long triangleCount, long stride = 0)
        {
            return Of(indices, triangleCount, stride, Native.PCCD_FORMAT_U32X3);
        }

        /// <summary>Triangles of three 16-bit indices.</summary>
        public static pccd_view Triangles(ushort* indices, long triangleCount, long stride = 0)
        {
            return Of(indices, triangleCount, stride, Native.PCCD_FORMAT_U16X3);
        }

        private static pccd_view Of(void* data, long count, long stride, uint format)
        {
            if (count < 0)
                throw new ArgumentOutOfRangeException("count", count, "a count is at least 0");
            if (stride < 0)
                throw new ArgumentOutOfRangeException("stride", stride, "a stride is at least 0");
            pccd_view view = new pccd_view();
            view.data = data;
            view.count = (ulong)count;
            view.stride = (ulong)stride;
            view.format = format;
            return view;
        }

        /// <summary>How many elements of three numbers an array has.</summary>
        internal static long Thirds(Array array, string name)
        {
            if (array == null)
                throw new ArgumentNullException(name);
            if (array.LongLength % 3 != 0)
                throw new ArgumentException("a length of " + array.LongLength + " is not a multiple of three", name);
            return array.LongLength / 3;
        }
    }
}
