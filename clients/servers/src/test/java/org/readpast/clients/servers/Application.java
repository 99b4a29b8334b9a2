package org.readpast.clients.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.readpast.clients.servers.app.Counter;

/** The application's archive: the same classes for each server, and descriptors with the server's names of what they use. */
final class Application {

    private Application() {}

    /** @param prefix of the server's JNDI names */
    static void write(Path archive, String prefix) throws IOException {
        write(archive, prefix, null, null);
    }

    /**
     * @param descriptor the name of one of the server's own, or null
     * @param text of that descriptor
     */
    static void write(Path archive, String prefix, String descriptor, String text) throws IOException {
        Path classes = Path.of("target/test-classes");
        String application = Counter.class.getPackageName().replace('.', '/');
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive));
                Stream<Path> all = Files.list(classes.resolve(application))) {
            for (Path one : all.toList()) {
                zip.putNextEntry(new ZipEntry("WEB-INF/classes/" + application + "/" + one.getFileName()));
                Files.copy(one, zip);
            }
            add(zip, "WEB-INF/web.xml", descriptor("web.xml", prefix));
            add(zip, "WEB-INF/ejb-jar.xml", descriptor("ejb-jar.xml", prefix));
            if (descriptor != null) {
                add(zip, "WEB-INF/" + descriptor, text);
            }
        }
    }

    private static void add(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String descriptor(String name, String prefix) throws IOException {
        return Files.readString(Path.of("target/test-classes/shop", name)).replace("${prefix}", prefix);
    }
}
