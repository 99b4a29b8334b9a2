package org.readpast.javax;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.readpast.jms.ReadpastConnectionFactory;

/** The files of this edition, as they go into its jar. */
final class ClassFiles {

    private ClassFiles() {}

    /** The bytes of each class file by its path. */
    static Map<String, byte[]> read() throws IOException, URISyntaxException {
        Path root = Path.of(ReadpastConnectionFactory.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(root)) {
            paths.filter(path -> path.toString().endsWith(".class"))
                    .forEach(path -> files.put(root.relativize(path).toString(), bytes(path)));
        }
        return files;
    }

    private static byte[] bytes(Path path) {
        try {
            return Files.readAllBytes(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
