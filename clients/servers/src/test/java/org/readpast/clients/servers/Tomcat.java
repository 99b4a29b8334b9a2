package org.readpast.clients.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.ZipOutputStream;
import org.readpast.clients.servers.web.Shipping;

/** Tomcat, with an application that has the context.xml and the web.xml of docs/containers/tomcat.md. */
final class Tomcat extends Catalina {

    static final String PAGE = "tomcat.md";

    private static final Path BASE = Path.of("target/tomcat").toAbsolutePath();

    /** What the application brings along. */
    static final Path LIBRARIES = Path.of("target/libraries");

    private Tomcat(Path home, Base base, Archive application) throws IOException {
        super(home, base, application, true);
    }

    /** @param jdbcUrl of the database, with its user */
    static Tomcat start(Edition edition, String jdbcUrl, String user) throws IOException {
        Path home = unpacked(edition == Edition.JAKARTA ? "tomcat11" : "tomcat9");
        String context = replace(block(edition, PAGE, "xml"), "jdbc:postgresql://db/shop", jdbcUrl);
        String contextXml = replace(context, "username=\"shop\"", "username=\"" + user + "\"");
        String webXml = edition.descriptor(block(PAGE, "web-xml"));
        Archive application = archive -> write(edition, archive, contextXml, webXml);
        makeFolder(home, BASE);
        copyDriver(BASE.resolve("lib"));
        Tomcat server = new Tomcat(home, prepare(home, BASE, application, true), application);
        server.awaitStart();
        return server;
    }

    private static void copyDriver(Path lib) throws IOException {
        try (Stream<Path> files = Files.list(FILES)) {
            for (Path file :
                    files.filter(name -> name.toString().endsWith(".jar")).toList()) {
                Files.copy(file, lib.resolve(file.getFileName()));
            }
        }
    }

    private static void write(Edition edition, Path archive, String contextXml, String webXml) throws IOException {
        String others = edition == Edition.JAKARTA ? ".*javax.*" : "jakarta.*|readpast-jms-[0-9].*";
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive));
                Stream<Path> libraries = Files.list(LIBRARIES)) {
            Application.addPackage(zip, Shipping.class, file -> edition.classFile(file, UnaryOperator.identity()));
            Application.add(zip, "META-INF/context.xml", contextXml.getBytes(StandardCharsets.UTF_8));
            Application.add(zip, "WEB-INF/web.xml", webXml.getBytes(StandardCharsets.UTF_8));
            for (Path library : libraries.toList()) {
                String name = library.getFileName().toString();
                if (!name.matches(others)) {
                    Application.add(zip, "WEB-INF/lib/" + name, Files.readAllBytes(library));
                }
            }
        }
    }
}
