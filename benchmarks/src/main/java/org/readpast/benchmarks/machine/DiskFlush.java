package org.readpast.benchmarks.machine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;

/**
 * How long this machine's disk takes to write a block for good.
 *
 * @param usual the median of a few hundred writes
 * @param undisturbed the fastest tenth takes no longer, whatever else the machine is doing
 */
public record DiskFlush(Duration usual, Duration undisturbed) {

    private static final int WRITES = 200;
    private static final int BLOCK = 4096;

    /** Measures writes of 4 KiB, each flushed, over blocks that a file has already. */
    public static DiskFlush measure(Path directory) throws IOException {
        Files.createDirectories(directory);
        Path file = Files.createTempFile(directory, "flush", ".tmp");
        long[] nanos = new long[WRITES];
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(WRITES * BLOCK), 0);
            channel.force(true);
            for (int i = 0; i < WRITES; i++) {
                long begin = System.nanoTime();
                channel.write(ByteBuffer.allocate(BLOCK), (long) i * BLOCK);
                channel.force(false);
                nanos[i] = System.nanoTime() - begin;
            }
        } finally {
            Files.delete(file);
        }
        Arrays.sort(nanos);
        return new DiskFlush(Duration.ofNanos(nanos[WRITES / 2]), Duration.ofNanos(nanos[WRITES / 10]));
    }

    @Override
    public String toString() {
        return micros(usual) + " microseconds (" + micros(undisturbed) + " undisturbed)";
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }
}
