// Threads, files and garbage collection; then the agent plays.
using System;
using System.Diagnostics;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

class Program {
    static int Main(string[] words) {
        Parallel.For(0, 64, i => { long sum = 0; for (int j = 0; j < 100000; j++) sum += j; });
        var thread = new Thread(() => Thread.Sleep(2));
        thread.Start();
        thread.Join();
        File.WriteAllText("own", "x");
        File.Move("own", "renamed");
        File.Delete("renamed");
        GC.Collect();
        var agent = Process.Start(new ProcessStartInfo(words[0], "--depth 1") { UseShellExecute = false });
        agent.WaitForExit();
        return agent.ExitCode;
    }
}
