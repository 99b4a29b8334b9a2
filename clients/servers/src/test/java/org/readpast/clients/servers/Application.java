package org.readpast.clients.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.readpast.clients.servers.app.Counter;

/**
 * The application's archive: the same classes for each server, and descriptors with the server's names of what they use.
 *
 * @param prefix of the server's JNDI names
 * @param queues what stands before a queue's name in its JNDI name
 * @param dataSource what a definition of the application's says of the DataSource
 * @param url what it says of that of Readpast's own
 * @param factory the name of the connection factory where a context is injected
 * @param adapter the name of the resource adapter in a definition of the application's
 */
record Application(
        Edition edition, String prefix, String queues, String dataSource, String url, String factory, String adapter) {

    Application(Edition edition, String prefix, String adapter) {
        this(
                edition,
                prefix,
                prefix + "jms/queue/",
                prefix + "jdbc/Shop",
                "readpast:" + prefix + "jdbc/ShopOwn",
                prefix + "jms/ConnectionFactory",
                adapter);
    }

    void write(Path archive) throws IOException {
        write(archive, null, null);
    }

    /**
     * @param descriptor the name of one of the server's own, or null
     * @param text of that descriptor
     */
    void write(Path archive, String descriptor, String text) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
            addPackage(zip, Counter.class, file -> edition.classFile(file, this::named));
            add(zip, "WEB-INF/web.xml", descriptor("web.xml"));
            add(zip, "WEB-INF/ejb-jar.xml", descriptor("ejb-jar.xml"));
            add(zip, "WEB-INF/beans.xml", descriptor("beans.xml"));
            if (descriptor != null) {
                add(zip, "WEB-INF/" + descriptor, text.getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    /**
     * Adds the classes of a package.
     *
     * @param one of them
     * @param files makes of a class file the one that is added
     */
    static void addPackage(ZipOutputStream zip, Class<?> one, UnaryOperator<byte[]> files) throws IOException {
        String folder = one.getPackageName().replace('.', '/');
        try (Stream<Path> all = Files.list(Path.of("target/test-classes", folder))) {
            for (Path file : all.toList()) {
                add(zip, "WEB-INF/classes/" + folder + "/" + file.getFileName(), files.apply(Files.readAllBytes(file)));
            }
        }
    }

    static void add(ZipOutputStream zip, String name, byte[] content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(content);
    }

    private byte[] descriptor(String name) throws IOException {
        String xml = Files.readString(Path.of("target/test-classes/shop", name));
        return edition.descriptor(named(xml)).getBytes(StandardCharsets.UTF_8);
    }

    private String named(String text) {
        return text.replace("${prefix}", prefix)
                .replace("${queues}", queues)
                .replace("${dataSource}", dataSource)
                .replace("${url}", url)
                .replace("${factory}", factory)
                .replace("${adapter}", adapter);
    }
}
