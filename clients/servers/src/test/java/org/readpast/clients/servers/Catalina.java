package org.readpast.clients.servers;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Tomcat, or a server that is made of it: a folder of its own beside the distribution's, and an archive that it looks for there. */
abstract class Catalina extends Server {

    private static final String DEPLOYED = "Deployment of web application archive";

    private final Path base;
    private final Archive application;
    private int deployments;

    /** Writes the application's archive. */
    @FunctionalInterface
    interface Archive {
        void write(Path archive) throws IOException;
    }

    /** A folder that is ready, and the port of HTTP that its configuration has. */
    record Base(Path folder, int port) {}

    /** Starts it; returns at once. */
    Catalina(Path home, Base base, Archive application, boolean deployed) throws IOException {
        super(base.port(), log(base.folder()), run(home, base.folder()));
        this.base = base.folder();
        this.application = application;
        this.deployments = deployed ? 1 : 0;
    }

    /** Makes the folder, with the distribution's configuration, in the place of what an earlier run has left. */
    static void makeFolder(Path home, Path base) throws IOException {
        deleteAll(base);
        for (String folder : new String[] {"conf", "lib", "logs", "temp", "webapps"}) {
            Files.createDirectories(base.resolve(folder));
        }
        try (Stream<Path> files = Files.list(home.resolve("conf"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, base.resolve("conf").resolve(file.getFileName()));
            }
        }
    }

    /** Gives the folder a free port, and the application where it is to be there from the start. */
    static Base prepare(Path home, Path base, Archive application, boolean deployed) throws IOException {
        int port = freePort();
        String server = Files.readString(home.resolve("conf/server.xml"));
        server = replace(server, "port=\"8080\"", "port=\"" + port + "\"");
        server = replace(server, "port=\"8005\"", "port=\"-1\"");
        // How often it looks for archives that have changed, in seconds.
        server = replace(server, "<Engine ", "<Engine backgroundProcessorDelay=\"1\" ");
        Files.writeString(base.resolve("conf/server.xml"), server);
        deleteAll(base.resolve("webapps"));
        Files.createDirectories(base.resolve("webapps"));
        if (deployed) {
            application.write(base.resolve("webapps/shop.war"));
        }
        return new Base(base, port);
    }

    private static Process run(Path home, Path base) throws IOException {
        ProcessBuilder builder = command(
                        List.of("sh", home.resolve("bin/catalina.sh").toString(), "run"))
                .redirectOutput(log(base).toFile());
        builder.environment().put("CATALINA_BASE", base.toString());
        return builder.start();
    }

    private static Path log(Path base) {
        return base.resolveSibling(base.getFileName() + ".log");
    }

    /** Returns when it has started, and the application with it. */
    void awaitStart() {
        try {
            awaitLog("Server startup in", 1);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** It does so by itself where there is another archive of the same name. */
    @Override
    void deployAgain() throws IOException {
        deploy();
    }

    @Override
    void undeploy() throws IOException {
        Files.delete(base.resolve("webapps/shop.war"));
        Path unpacked = base.resolve("webapps/shop");
        await().atMost(Duration.ofMinutes(1)).until(() -> !Files.exists(unpacked));
    }

    @Override
    void deploy() throws IOException {
        Path written = base.resolve("temp/shop.war");
        application.write(written);
        Files.move(written, base.resolve("webapps/shop.war"), StandardCopyOption.ATOMIC_MOVE);
        awaitLog(DEPLOYED, ++deployments);
    }
}
