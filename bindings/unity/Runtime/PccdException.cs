using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Pccd
{
    /// <summary>A call of the library failed. The message is the sentence that names the argument and its value.</summary>
    public sealed class PccdException : Exception
    {
        /// <summary>One of the PCCD_ERR_ constants.</summary>
        public int Status { get; private set; }

        /// <summary>Its name, "PCCD_ERR_NULL" for instance.</summary>
        public string StatusName { get; private set; }

        internal PccdException(int status, string message) : base(message)
        {
            Status = status;
            StatusName = Text.Status(status);
        }
    }

    /// <summary>Texts of the library.</summary>
    public static unsafe class Text
    {
        /// <summary>The name of a status.</summary>
        public static string Status(int status)
        {
            return FromUtf8(Native.pccd_status_name(status));
        }

        /// <summary>The sentence about the last call of this thread that failed.</summary>
        public static string LastError()
        {
            return FromUtf8(Native.pccd_last_error());
        }

        internal static string FromUtf8(byte* text)
        {
            int length = 0;
            while (text[length] != 0)
                length++;
            if (length == 0)
                return "";
            byte[] bytes = new byte[length];
            Marshal.Copy((IntPtr)text, bytes, 0, length);
            return Encoding.UTF8.GetString(bytes);
        }

        /// <summary>Throws if a status tells of an error; gives it back otherwise.</summary>
        public static int Check(int status)
        {
            if (status < 0)
                throw new PccdException(status, LastError());
            return status;
        }
    }
}
