package org.readpast.clients.servers;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** WildFly, by the script of docs/containers/wildfly.md. */
final class WildFly extends Server {

    /** What XA needs in JNDI. */
    static final XaContract.Names NAMES =
            new XaContract.Names("java:/jms/XAConnectionFactory", "java:/jdbc/Ledger", "java:/TransactionManager");

    private static final String PAGE_URL = "jdbc:postgresql://db/shop --user-name=shop --password=secret";
    private static final int HTTP_PORT = 8080;
    private static final int MANAGEMENT_PORT = 9990;

    /** It looks for archives every five seconds otherwise, and a test has it look for dozens. */
    private static final String LOOKS_OFTEN =
            "/subsystem=deployment-scanner/scanner=default:write-attribute(name=scan-interval, value=500)\n";

    /** The one for all transactions: it begins those of message-driven beans without a look at what is said of the bean. */
    static final int TIMEOUT_SECONDS = 15;

    private static final String TIMES_OUT =
            "/subsystem=transactions:write-attribute(name=default-timeout, value=" + TIMEOUT_SECONDS + ")\n";

    private static final String END = "stop-embedded-server";

    private final Application application;
    private final Path deployment;

    private WildFly(Application application, Path deployment, int port, Path log, Process process) {
        super(port, log, process);
        this.application = application;
        this.deployment = deployment;
    }

    /** @param jdbcUrl of the database, with its user */
    static WildFly start(Edition edition, String jdbcUrl, String user) throws IOException, InterruptedException {
        Path home = freshHome(name(edition));
        String script = replace(
                block(edition, "wildfly.md", "jboss-cli"),
                PAGE_URL,
                jdbcUrl + " --user-name=" + user + " --password=secret");
        configure(home, FILES, replace(script, END, TIMES_OUT + END));
        return start(home, edition, true);
    }

    /**
     * With the script of docs/containers/xa.md behind that of its page.
     *
     * @param first false for one that was configured already, and knows what it has noted of its transactions
     * @param databases a JDBC URL to put a database's name behind
     */
    static WildFly startWithXa(Edition edition, boolean first, String databases, String user, boolean deployed)
            throws IOException, InterruptedException {
        String name = name(edition);
        if (first) {
            Path home = freshHome(name);
            deleteAll(home.resolve("standalone/data"));
            String script = block(edition, "wildfly.md", "jboss-cli") + block("xa.md", "jboss-cli");
            script = replace(script, "jdbc:postgresql://db/", databases);
            configure(home, filesWithDriverInArchive(edition, name + "-xa"), replace(script, "=shop", "=" + user));
        }
        return start(unpacked(name), edition, deployed);
    }

    /**
     * A second one beside that which {@link #startWithXa} has configured: the same, with a node identifier of its own.
     *
     * @param first false for one that knows what it has noted of its transactions
     */
    static WildFly startSecondWithXa(Edition edition, boolean first) throws IOException {
        Path home = unpacked(name(edition));
        Path second = home.resolve("second");
        if (first) {
            deleteAll(second);
            copyTree(home.resolve("standalone"), second, Set.of("log", "tmp", "tx-object-store"));
            Path configuration = second.resolve("configuration/standalone-full.xml");
            Files.writeString(
                    configuration,
                    Files.readString(configuration)
                            .replaceFirst("node-identifier=\"[^\"]*\"", "node-identifier=\"shop2\""));
        }
        return start(home, second, edition, true);
    }

    private static void copyTree(Path from, Path to, Set<String> without) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> all = Files.list(from)) {
            for (Path one : all.toList()) {
                Path copy = to.resolve(one.getFileName());
                if (without.contains(one.getFileName().toString())) {
                    continue;
                }
                if (Files.isDirectory(one)) {
                    copyTree(one, copy, without);
                } else {
                    Files.copy(one, copy);
                }
            }
        }
    }

    private static String name(Edition edition) {
        return edition == Edition.JAKARTA ? "wildfly" : "wildfly26";
    }

    private static void configure(Path home, Path files, String script) throws IOException, InterruptedException {
        String file = home.getFileName() + ".cli";
        Files.writeString(files.resolve(file), replace(script, END, LOOKS_OFTEN + END));
        run(files, List.of(home.resolve("bin/jboss-cli.sh").toString(), "--file=" + file));
    }

    private static WildFly start(Path home, Edition edition, boolean deployed) throws IOException {
        return start(home, home.resolve("standalone"), edition, deployed);
    }

    /** @param base the folder of the server, of which the home may have several */
    private static WildFly start(Path home, Path base, Edition edition, boolean deployed) throws IOException {
        Path deployment = base.resolve("deployments/shop.war");
        Application application = new Application(edition, "java:/", "readpast-ra");
        Files.deleteIfExists(deployment);
        Files.deleteIfExists(deployment.resolveSibling("shop.war.deployed"));
        if (deployed) {
            application.write(deployment, "jboss-deployment-structure.xml", block("wildfly.md", "xml"));
        }
        int port = freePort();
        Path log = Path.of("target", home.getFileName() + "-" + base.getFileName() + ".log")
                .toAbsolutePath();
        ProcessBuilder builder = command(List.of(
                        home.resolve("bin/standalone.sh").toString(),
                        "-c",
                        "standalone-full.xml",
                        "-Djboss.server.base.dir=" + base,
                        // How often it looks for what is in doubt, in seconds.
                        "-DRecoveryEnvironmentBean.periodicRecoveryPeriod=2",
                        "-DRecoveryEnvironmentBean.recoveryBackoffPeriod=1",
                        "-DJTAEnvironmentBean.orphanSafetyInterval=1000",
                        "-Djboss.socket.binding.port-offset=" + (port - HTTP_PORT)))
                .redirectOutput(log.toFile());
        Process process = builder.start();
        WildFly server = new WildFly(application, deployment, port, log, process);
        await().atMost(Duration.ofMinutes(10))
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

    /** Has its command line carry something out. */
    void command(String command) throws IOException, InterruptedException {
        Path home = deployment.getParent().getParent().getParent();
        run(
                home,
                List.of(
                        home.resolve("bin/jboss-cli.sh").toString(),
                        "--connect",
                        "--controller=localhost:" + (MANAGEMENT_PORT + port() - HTTP_PORT),
                        "--command=" + command));
    }

    @Override
    void deploy() throws IOException {
        application.write(deployment, "jboss-deployment-structure.xml", block("wildfly.md", "xml"));
        Files.createFile(deployment.resolveSibling("shop.war.dodeploy"));
        await().atMost(Duration.ofMinutes(5)).until(() -> Files.exists(deployment.resolveSibling("shop.war.deployed")));
    }

    @Override
    void undeploy() throws IOException {
        Path undeployed = deployment.resolveSibling("shop.war.undeployed");
        // The server may not have removed that of the time before yet.
        Files.deleteIfExists(undeployed);
        Files.delete(deployment.resolveSibling("shop.war.deployed"));
        await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(undeployed));
    }
}
