package org.readpast.clients.servers;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;

/** WildFly, by the script of docs/containers/wildfly.md. */
final class WildFly extends Server {

    private static final String PAGE_URL = "jdbc:postgresql://db/shop --user-name=shop --password=secret";
    private static final int HTTP_PORT = 8080;

    private final Application application;
    private final Path deployment;

    private WildFly(Application application, Path deployment, int port, Path log, Process process) {
        super(port, log, process);
        this.application = application;
        this.deployment = deployment;
    }

    /** @param jdbcUrl of the database, with its user */
    static WildFly start(Edition edition, String jdbcUrl, String user) throws IOException, InterruptedException {
        Path home = freshHome(edition == Edition.JAKARTA ? "wildfly" : "wildfly26");
        String script = replace(
                block(edition, "wildfly.md", "jboss-cli"),
                PAGE_URL,
                jdbcUrl + " --user-name=" + user + " --password=secret");
        Files.writeString(FILES.resolve("readpast.cli"), script);
        run(FILES, List.of(home.resolve("bin/jboss-cli.sh").toString(), "--file=readpast.cli"));
        Path deployment = home.resolve("standalone/deployments/shop.war");
        Application application = new Application(edition, "java:/");
        application.write(deployment);
        int port = freePort();
        Path log = Path.of("target", home.getFileName() + ".log").toAbsolutePath();
        Process process = new ProcessBuilder(
                        home.resolve("bin/standalone.sh").toString(),
                        "-c",
                        "standalone-full.xml",
                        "-Djboss.socket.binding.port-offset=" + (port - HTTP_PORT))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        WildFly server = new WildFly(application, deployment, port, log, process);
        await().atMost(Duration.ofMinutes(3))
                .until(() -> server.log().contains("WFLYSRV0025") || server.hasErrors() || !process.isAlive());
        if (!server.log().contains("WFLYSRV0025")) {
            server.close();
            throw new IllegalStateException("WildFly started with errors, see " + log);
        }
        return server;
    }

    /** The server as it was unpacked: an earlier run may have changed its configuration. */
    private static Path freshHome(String name) throws IOException {
        Path home = unpacked(name);
        Path kept = home.resolve("standalone-full.xml.as-it-was");
        Path configuration = home.resolve("standalone/configuration/standalone-full.xml");
        if (!Files.exists(kept)) {
            Files.copy(configuration, kept);
        }
        Files.copy(kept, configuration, StandardCopyOption.REPLACE_EXISTING);
        return home;
    }

    private boolean hasErrors() throws IOException {
        return log().contains("WFLYSRV0026");
    }

    @Override
    void deployAgain() throws IOException {
        Path marker = deployment.resolveSibling("shop.war.deployed");
        Files.delete(marker);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> Files.exists(deployment.resolveSibling("shop.war.undeployed")));
        application.write(deployment);
        Files.createFile(deployment.resolveSibling("shop.war.dodeploy"));
        await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(marker));
    }
}
