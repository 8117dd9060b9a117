#if UNITY_INCLUDE_TESTS
using NUnit.Framework;

namespace Pccd.Tests
{
    /// <summary>The checks for the test runner of Unity.</summary>
    public sealed class PccdTests
    {
        [Test] public void StridesAndPointersGiveTheSame() { Checks.StridesAndPointersGiveTheSame(); }
        [Test] public void ErrorsAreExceptions() { Checks.ErrorsAreExceptions(); }
        [Test] public void ElementaryQueries() { Checks.ElementaryQueries(); }
        [Test] public void CallbacksComeFromForeignThreads() { Checks.CallbacksComeFromForeignThreads(); }
        [Test] public void TasksOfAJobSystem() { Checks.TasksOfAJobSystem(); }
        [Test] public void DonatedThreads() { Checks.DonatedThreads(); }
        [Test] public void FramesMakeNoGarbage() { Checks.FramesMakeNoGarbage(); }
    }
}
#endif
