// Threads, compilation at run time, files, a mapped and locked file; then the agent plays.
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

public class Program {
    static long work(int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) sum += i * 31L ^ sum;
        return sum;
    }

    public static void main(String[] words) throws Exception {
        var threads = Executors.newFixedThreadPool(8);
        List<Future<Long>> results = new ArrayList<>();
        for (int i = 0; i < 64; i++) results.add(threads.submit(() -> work(100_000)));
        for (var result : results) result.get();
        threads.shutdown();
        IntStream.range(0, 50_000).parallel().mapToLong(i -> work(i % 100)).sum();
        Files.writeString(Path.of("own"), "x");
        Files.move(Path.of("own"), Path.of("renamed"), StandardCopyOption.ATOMIC_MOVE);
        Files.delete(Path.of("renamed"));
        var options = List.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try (var channel = FileChannel.open(Path.of("mapped"), options.toArray(new StandardOpenOption[0]))) {
            channel.map(FileChannel.MapMode.READ_WRITE, 0, 4096).put(0, (byte) 1);
            channel.lock().release();
        }
        System.gc();
        System.exit(new ProcessBuilder(words[0], "--depth", "1").inheritIO().start().waitFor());
    }
}
