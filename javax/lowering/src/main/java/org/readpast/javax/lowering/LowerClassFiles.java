package org.readpast.javax.lowering;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;

/**
 * Reads class files of Java 17 out of a jar and writes such as Java 11 loads. The build runs it for the edition for {@code javax}; nothing
 * of it is in what is made.
 */
public final class LowerClassFiles {

    private LowerClassFiles() {}

    /** @param arguments the jar, and the folder for its class files */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[1]);
        try (ZipFile jar = new ZipFile(arguments[0])) {
            for (ZipEntry entry : Collections.list(jar.entries())) {
                if (entry.getName().endsWith(".class")) {
                    Path file = folder.resolve(entry.getName()).normalize();
                    Files.createDirectories(file.getParent());
                    try (InputStream in = jar.getInputStream(entry)) {
                        Files.write(file, lower(in.readAllBytes()));
                    }
                }
            }
        }
    }

    /** The same class for Java 11. */
    static byte[] lower(byte[] classFile) {
        // Without the reader's constants, of which some would be there for nobody.
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        new ClassReader(classFile).accept(new Lowering(writer), 0);
        return writer.toByteArray();
    }
}
