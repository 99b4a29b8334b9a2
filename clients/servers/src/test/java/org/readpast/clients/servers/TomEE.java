package org.readpast.clients.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** TomEE 8, by the tomee.xml of docs/containers/tomee.md. */
final class TomEE extends Server {

    private static final String DEPLOYED = "Deployment of web application archive";
    private static final String RESOURCES = "java:openejb/Resource/";
    private static final Application APPLICATION = new Application(Edition.JAVAX, RESOURCES, RESOURCES, "readpast");

    private final Path archive;
    private final Path written;
    private int deployments = 1;

    private TomEE(Path base, int port, Path log, Process process) {
        super(port, log, process);
        this.archive = base.resolve("webapps/shop.war");
        this.written = base.resolve("temp/shop.war");
    }

    /** @param jdbcUrl of the database, with its user */
    static TomEE start(String jdbcUrl, String user) throws IOException {
        Path home = unpacked("tomee8");
        Path base = Path.of("target/tomee").toAbsolutePath();
        // What an earlier run has left.
        deleteAll(base);
        for (String folder : new String[] {"conf", "lib", "logs", "temp", "webapps"}) {
            Files.createDirectories(base.resolve(folder));
        }
        copyJars(base.resolve("lib"));
        int port = freePort();
        configure(home, base.resolve("conf"), port, jdbcUrl, user);
        APPLICATION.write(base.resolve("webapps/shop.war"));
        Path log = Path.of("target/tomee.log").toAbsolutePath();
        ProcessBuilder builder = new ProcessBuilder(
                        "sh", home.resolve("bin/catalina.sh").toString(), "run")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("CATALINA_BASE", base.toString());
        TomEE server = new TomEE(base, port, log, builder.start());
        try {
            server.awaitLog("Server startup in", 1);
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
        return server;
    }

    /** The driver, and the jars of the adapter but for those of SLF4J. */
    private static void copyJars(Path lib) throws IOException {
        try (Stream<Path> files = Files.list(FILES)) {
            for (Path file : files.toList()) {
                if (file.toString().endsWith(".jar")) {
                    Files.copy(file, lib.resolve(file.getFileName()));
                } else if (file.getFileName().toString().startsWith("readpast-ra-javax")) {
                    unpackJars(file, lib);
                }
            }
        }
    }

    private static void unpackJars(Path archive, Path lib) throws IOException {
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                if (entry.getName().endsWith(".jar") && !entry.getName().startsWith("slf4j-")) {
                    Files.copy(zip.getInputStream(entry), lib.resolve(entry.getName()));
                }
            }
        }
    }

    private static void configure(Path home, Path conf, int port, String jdbcUrl, String user) throws IOException {
        try (Stream<Path> files = Files.list(home.resolve("conf"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, conf.resolve(file.getFileName()));
            }
        }
        String server = Files.readString(conf.resolve("server.xml"));
        server = replace(server, "port=\"8080\"", "port=\"" + port + "\"");
        server = replace(server, "port=\"8005\"", "port=\"-1\"");
        // How often it looks for archives that have changed, in seconds.
        server = replace(server, "<Engine ", "<Engine backgroundProcessorDelay=\"1\" ");
        Files.writeString(conf.resolve("server.xml"), server);
        String xml = block("tomee.md", "xml");
        xml = replace(xml, "jdbc:postgresql://db/shop", jdbcUrl);
        xml = replace(xml, "UserName shop", "UserName " + user);
        Files.writeString(conf.resolve("tomee.xml"), xml);
    }

    @Override
    void deployAgain() throws IOException {
        deploy();
    }

    @Override
    void deploy() throws IOException {
        APPLICATION.write(written);
        Files.move(written, archive, StandardCopyOption.ATOMIC_MOVE);
        awaitLog(DEPLOYED, ++deployments);
    }
}
