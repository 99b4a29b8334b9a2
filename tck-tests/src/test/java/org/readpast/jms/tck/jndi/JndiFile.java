package org.readpast.jms.tck.jndi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.naming.Context;
import javax.naming.InitialContext;

/**
 * A {@code jndi.properties} as an application has it on its class path, line by line. Two of its lines are changed, as
 * its owner would in an editor, and all others stay.
 */
record JndiFile(List<String> lines) {

    /** What an application does with JNDI. */
    @FunctionalInterface
    interface Use {
        void of(Context context) throws Exception;
    }

    static JndiFile of(String resource) {
        try (InputStream in = JndiFile.class.getResourceAsStream(resource)) {
            return new JndiFile(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1)
                    .lines()
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(resource, e);
        }
    }

    /** The same file with another value of one key, which must be there once. */
    JndiFile with(String key, String value) {
        List<String> changed = lines.stream()
                .map(line -> line.replaceAll("\\s*=.*", "").equals(key) ? key + " = " + value : line)
                .toList();
        if (changedLines(changed) != 1) {
            throw new IllegalArgumentException("'" + key + "' is not there once, or has this value already");
        }
        return new JndiFile(changed);
    }

    private int changedLines(List<String> others) {
        int changed = 0;
        for (int i = 0; i < lines.size(); i++) {
            changed += lines.get(i).equals(others.get(i)) ? 0 : 1;
        }
        return changed;
    }

    /** Puts the file on a class path, and opens {@code new InitialContext()} from there, as an application does. */
    void use(Path directory, Use use) throws Exception {
        Files.write(directory.resolve("jndi.properties"), lines, StandardCharsets.ISO_8859_1);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {directory.toUri().toURL()}, getClass().getClassLoader())) {
            thread.setContextClassLoader(loader);
            Context context = new InitialContext();
            try {
                use.of(context);
            } finally {
                context.close();
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
