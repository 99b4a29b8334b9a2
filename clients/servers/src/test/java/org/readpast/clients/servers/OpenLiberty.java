package org.readpast.clients.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/** Open Liberty, by the server.xml of docs/containers/open-liberty.md. */
final class OpenLiberty extends Server {

    private final Path configuration;
    private final Application application;
    private int deployments = 1;

    private OpenLiberty(Path configuration, Application application, int port, Process process) {
        super(port, configuration.resolve("logs/messages.log"), process);
        this.configuration = configuration;
        this.application = application;
    }

    /** @param jdbcUrl of the database, with its user */
    static OpenLiberty start(Edition edition, String jdbcUrl, String user) throws IOException {
        Path home = unpacked("wlp");
        Path configuration = home.resolve("usr/servers/shop");
        // With the classes of an adapter of the same version, which it keeps.
        deleteAll(configuration);
        Files.createDirectories(configuration.resolve("dropins"));
        int port = freePort();
        String xml = block(edition, "open-liberty.md", "xml");
        xml = replace(xml, "jdbc:postgresql://db/shop", jdbcUrl);
        xml = replace(xml, "user=\"shop\"", "user=\"" + user + "\"");
        xml = replace(xml, "9080", String.valueOf(port));
        Files.writeString(configuration.resolve("server.xml"), xml);
        try (Stream<Path> files = Files.list(FILES)) {
            for (Path file :
                    files.filter(file -> file.toString().matches(".*[.][rj]ar")).toList()) {
                Files.copy(file, configuration.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Application application = new Application(edition, "");
        application.write(configuration.resolve("dropins/shop.war"));
        Path console = Path.of("target/open-liberty.log").toAbsolutePath();
        ProcessBuilder builder = new ProcessBuilder(home.resolve("bin/server").toString(), "run", "shop")
                .redirectErrorStream(true)
                .redirectOutput(console.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        OpenLiberty server = new OpenLiberty(configuration, application, port, builder.start());
        try {
            server.awaitLog("CWWKZ0001I", 1);
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
        return server;
    }

    @Override
    void deploy() throws IOException {
        application.write(configuration.resolve("dropins/shop.war"));
        awaitLog("CWWKZ0001I", 1);
    }

    @Override
    void deployAgain() throws IOException {
        application.write(configuration.resolve("dropins/shop.war"));
        awaitLog("CWWKZ0003I", deployments++);
    }
}
