package org.readpast.javax;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The class files of this edition's module, as they go into its jar. */
final class ClassFiles {

    private ClassFiles() {}

    /** The bytes of each class file by its path. */
    static Map<String, byte[]> read() throws IOException {
        Path root = Path.of("target", "classes");
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(root)) {
            paths.filter(path -> path.toString().endsWith(".class"))
                    .forEach(path -> files.put(root.relativize(path).toString(), bytes(path)));
        }
        return files;
    }

    /** What class files call that an API does not have, of the owners that are asked for. */
    static Set<String> missing(Map<String, byte[]> files, Api api, Predicate<String> owners) {
        Set<String> missing = new TreeSet<>();
        for (byte[] file : files.values()) {
            References.of(file, (from, member) -> {
                if (owners.test(member.owner()) && !api.has(member)) {
                    missing.add(member + " in " + from);
                }
            });
        }
        return missing;
    }

    private static byte[] bytes(Path path) {
        try {
            return Files.readAllBytes(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
