package org.readpast.jms.tck.rig;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * An H2 database in files, which belongs to one JVM at a time.
 *
 * @param path where its files are, without their suffix
 */
public record H2File(Path path) {

    /** A URL with credentials in it. */
    public String jdbcUrl() {
        return "jdbc:h2:file:" + path + ";USER=sa;PASSWORD=sa";
    }

    /** Whether a JVM, this one or another, has it open. */
    public boolean isOpen() throws IOException {
        Path file = Path.of(path + ".mv.db");
        if (!Files.exists(file)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock == null;
        } catch (OverlappingFileLockException thisJvm) {
            return true;
        }
    }
}
