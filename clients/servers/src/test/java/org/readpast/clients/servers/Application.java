package org.readpast.clients.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.readpast.clients.servers.app.Counter;

/**
 * The application's archive: the same classes for each server, and descriptors with the server's names of what they use.
 *
 * @param prefix of the server's JNDI names
 * @param queues what stands before a queue's name in its JNDI name
 * @param adapter the name of the resource adapter in a definition of the application's
 */
record Application(Edition edition, String prefix, String queues, String adapter) {

    Application(Edition edition, String prefix, String adapter) {
        this(edition, prefix, prefix + "jms/queue/", adapter);
    }

    void write(Path archive) throws IOException {
        write(archive, null, null);
    }

    /**
     * @param descriptor the name of one of the server's own, or null
     * @param text of that descriptor
     */
    void write(Path archive, String descriptor, String text) throws IOException {
        Path classes = Path.of("target/test-classes");
        String application = Counter.class.getPackageName().replace('.', '/');
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive));
                Stream<Path> all = Files.list(classes.resolve(application))) {
            for (Path one : all.filter(this::isOfEdition).toList()) {
                add(
                        zip,
                        "WEB-INF/classes/" + application + "/" + one.getFileName(),
                        edition.classFile(Files.readAllBytes(one), prefix));
            }
            add(zip, "WEB-INF/web.xml", descriptor("web.xml"));
            add(zip, "WEB-INF/ejb-jar.xml", descriptor("ejb-jar.xml"));
            if (edition == Edition.JAKARTA) {
                add(zip, "WEB-INF/beans.xml", descriptor("beans.xml"));
            }
            if (descriptor != null) {
                add(zip, "WEB-INF/" + descriptor, text.getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    /** What the container injects, and a bean without transactions, were tried in the servers of Jakarta EE only. */
    private boolean isOfEdition(Path classFile) {
        return edition == Edition.JAKARTA
                || !classFile.getFileName().toString().matches("(InjectedCounter|Notes)[.]class");
    }

    private static void add(ZipOutputStream zip, String name, byte[] content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(content);
    }

    private byte[] descriptor(String name) throws IOException {
        String xml = Files.readString(Path.of("target/test-classes/shop", name));
        if (edition == Edition.JAVAX) {
            xml = xml.replaceAll("(?s)  <!-- What the application defines.*(?=</web-app>)", "");
        }
        return edition.descriptor(xml.replace("${prefix}", prefix)
                        .replace("${queues}", queues)
                        .replace("${adapter}", adapter))
                .getBytes(StandardCharsets.UTF_8);
    }
}
