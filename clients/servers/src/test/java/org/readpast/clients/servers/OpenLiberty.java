package org.readpast.clients.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/** Open Liberty, by the server.xml of docs/containers/open-liberty.md. */
final class OpenLiberty extends Server {

    private static final String STARTED = "CWWKZ0001I";
    private static final String STOPPED = "CWWKZ0009I";

    private static final String NOTES =
            "<jmsActivationSpec id=\"shop/Notes\"><properties.readpast/></jmsActivationSpec>"
                    + "<jmsQueue id=\"notes\" jndiName=\"jms/queue/notes\"><properties.readpast physicalName=\"notes\"/></jmsQueue>";

    private final Path configuration;
    private final Application application;

    private OpenLiberty(Path configuration, Application application, int port, Process process) {
        super(port, configuration.resolve("logs/messages.log"), process);
        this.configuration = configuration;
        this.application = application;
    }

    static OpenLiberty start(Edition edition, String jdbcUrl, String user) throws IOException {
        return start("shop", edition, jdbcUrl, user);
    }

    /**
     * @param name of the server, beside which there may be others
     * @param jdbcUrl of the database, with its user
     */
    static OpenLiberty start(String name, Edition edition, String jdbcUrl, String user) throws IOException {
        Path home = unpacked("wlp");
        Path configuration = home.resolve("usr/servers").resolve(name);
        // With the classes of an adapter of the same version, which it keeps.
        deleteAll(configuration);
        Files.createDirectories(configuration.resolve("dropins"));
        int port = freePort();
        String xml = block(edition, "open-liberty.md", "xml");
        xml = replace(xml, "jdbc:postgresql://db/shop", jdbcUrl);
        xml = replace(xml, "user=\"shop\"", "user=\"" + user + "\"");
        xml = replace(xml, "9080", String.valueOf(port));
        if (edition == Edition.JAKARTA) {
            xml = replace(xml, "</server>", NOTES + "</server>");
        }
        Files.writeString(configuration.resolve("server.xml"), xml);
        try (Stream<Path> files = Files.list(FILES)) {
            for (Path file :
                    files.filter(file -> file.toString().matches(".*[.][rj]ar")).toList()) {
                Files.copy(file, configuration.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Application application = new Application(edition, "", "readpast");
        application.write(configuration.resolve("dropins/shop.war"));
        Path console = Path.of("target/open-liberty-" + name + ".log").toAbsolutePath();
        ProcessBuilder builder = new ProcessBuilder(home.resolve("bin/server").toString(), "run", name)
                .redirectErrorStream(true)
                .redirectOutput(console.toFile());
        // What is kept only as long as there is room for it is no leak.
        builder.environment().put("JVM_ARGS", "-XX:SoftRefLRUPolicyMSPerMB=0");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        OpenLiberty server = new OpenLiberty(configuration, application, port, builder.start());
        try {
            server.awaitLog(STARTED, 1);
            server.awaitLog("CWWKF0011I", 1);
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
        return server;
    }

    @Override
    void deploy() throws IOException {
        int before = logged(STARTED);
        Path written = configuration.resolve("shop.war");
        application.write(written);
        Files.move(written, configuration.resolve("dropins/shop.war"), StandardCopyOption.ATOMIC_MOVE);
        awaitLog(STARTED, before + 1);
    }

    @Override
    void deployAgain() throws IOException {
        int before = logged(STOPPED);
        Files.delete(configuration.resolve("dropins/shop.war"));
        awaitLog(STOPPED, before + 1);
        deploy();
    }
}
