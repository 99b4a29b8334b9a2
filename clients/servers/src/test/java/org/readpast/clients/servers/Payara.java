package org.readpast.clients.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Payara Server, by the commands of docs/containers/payara.md. */
final class Payara extends Server {

    /** What XA needs in JNDI. */
    static final XaContract.Names NAMES =
            new XaContract.Names("jms/XAConnectionFactory", "jdbc/Ledger", "java:appserver/TransactionManager");

    /** From the first port of a domain to those that it has for asadmin and for HTTP. */
    private static final int ADMIN = 48;

    private static final int HTTP = 80;

    /** How many ports a domain may take. */
    private static final int PORTS = 100;

    /** The first port, of two domains. */
    private static final int BASE = freePorts(2 * PORTS);

    /** What a domain's configuration has of the application. */
    private static final String SHOP =
            "(?s)<application [^>]*name=\"shop\".*?</application>|<application-ref ref=\"shop\".*?</application-ref>";

    /**
     * What Payara says when a garbage collection has taken the class loader of a deployment, which nothing but a WeakReference holds for a
     * moment (org.glassfish.deployment.common.DeploymentContextImpl#createDeploymentClassLoader).
     */
    private static final String LOADER_COLLECTED = "\"java.lang.Thread.getContextClassLoader()\" is null";

    private final Edition edition;

    private Payara(Edition edition, Path log, Process process) {
        super(base(edition) + HTTP, log, process);
        this.edition = edition;
    }

    /** @param jdbcUrl of the database, with its user */
    static Payara start(Edition edition, String jdbcUrl, String user) throws IOException, InterruptedException {
        Payara server = create(edition);
        try {
            String page = block(edition, "payara.md", "asadmin");
            server.configure(FILES, replace(page, escaped("jdbc:postgresql://db/shop"), escaped(jdbcUrl)), user);
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
        return server.withApplication();
    }

    /** One that was started and configured before, with its application. */
    static Payara startAgain(Edition edition) throws IOException, InterruptedException {
        return start(edition).withApplication();
    }

    private Payara withApplication() throws IOException, InterruptedException {
        try {
            deploy();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
        return this;
    }

    /**
     * With the commands of docs/containers/xa.md behind those of its page.
     *
     * @param first false for one that was configured already, and knows what it has noted of its transactions
     * @param databases a JDBC URL to put a database's name behind
     */
    static Payara startWithXa(Edition edition, boolean first, String databases, String user, boolean deployed)
            throws IOException, InterruptedException {
        if (first) {
            Payara server = create(edition);
            try {
                Path files = filesWithDriverInArchive(edition, name(edition) + "-xa");
                String commands =
                        edition(edition, "payara.md", block("payara.md", "asadmin") + block("xa.md", "asadmin"));
                commands = replace(commands, escaped("jdbc:postgresql://db/"), escaped(databases));
                server.configure(files, commands, user);
            } finally {
                server.close();
            }
        }
        Payara server = start(edition);
        return deployed ? server.withApplication() : server;
    }

    /** Makes a domain, and starts it. */
    private static Payara create(Edition edition) throws IOException, InterruptedException {
        Path domains = domains(edition);
        deleteAll(domains);
        Files.createDirectories(domains);
        run(
                domains,
                List.of(
                        asadminOf(edition),
                        "create-domain",
                        "--nopassword",
                        "--domaindir",
                        domains.toString(),
                        "--portbase",
                        String.valueOf(base(edition)),
                        "shop"));
        return start(edition);
    }

    private static String asadminOf(Edition edition) {
        return unpacked(name(edition)).resolve("bin/asadmin").toString();
    }

    private static String name(Edition edition) {
        return edition == Edition.JAKARTA ? "payara6" : "payara5";
    }

    private static Path domains(Edition edition) {
        return Path.of("target", name(edition)).toAbsolutePath();
    }

    private static int base(Edition edition) {
        return edition == Edition.JAKARTA ? BASE : BASE + PORTS;
    }

    /** Starts the domain without the application. */
    private static Payara start(Edition edition) throws IOException {
        forgetApplication(domains(edition).resolve("shop/config/domain.xml"));
        Path log = domains(edition).resolve("shop/logs/server.log");
        Files.deleteIfExists(log);
        ProcessBuilder builder = command(List.of(
                        asadminOf(edition),
                        "start-domain",
                        "--verbose",
                        "--domaindir",
                        domains(edition).toString(),
                        "shop"))
                .redirectOutput(Path.of("target", name(edition) + ".log").toFile());
        Payara server = new Payara(edition, log, builder.start());
        try {
            server.awaitLog("startup time", 1);
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
        return server;
    }

    /** Takes the application out of a domain's configuration. */
    static void forgetApplication(Path configuration) throws IOException {
        Files.writeString(configuration, Files.readString(configuration).replaceAll(SHOP, ""));
    }

    /** As the page has a value in a file of commands. */
    static String escaped(String value) {
        return value.replace(":", "\\\\:");
    }

    private void configure(Path files, String commands, String user) throws IOException, InterruptedException {
        String file = name(edition) + ".asadmin";
        String all = replace(commands, "=shop:", "=" + user + ":");
        // The deployment by itself, as it may have to be done again.
        int deployment = all.indexOf("\ndeploy ") + 1;
        int behind = all.indexOf('\n', deployment) + 1;
        for (String part :
                List.of(all.substring(0, deployment), all.substring(deployment, behind), all.substring(behind))) {
            Files.writeString(files.resolve(file), part);
            asadmin(files, "multimode", "--file", file);
        }
    }

    private void asadmin(Path folder, String... command) throws IOException, InterruptedException {
        List<String> all =
                new ArrayList<>(List.of(asadminOf(edition), "--port", String.valueOf(base(edition) + ADMIN)));
        all.addAll(List.of(command));
        String output = run(folder, all);
        if (output.contains(LOADER_COLLECTED)) {
            output = run(folder, all);
        }
        if (output.contains("failed.")) {
            throw new IllegalStateException(output);
        }
    }

    @Override
    void deploy() throws IOException, InterruptedException {
        Path archive = domains(edition).resolve("shop.war");
        write(edition, archive);
        asadmin(FILES, "deploy", "--force=true", "--name", "shop", "--contextroot", "/shop", archive.toString());
    }

    /** Writes the application with the descriptor of the page for the bean with news alone, whose transactions may last for so many seconds. */
    static void write(Edition edition, Path archive) throws IOException {
        String descriptor = replace(
                block("payara.md", "xml"),
                "<ejb-name>Orders</ejb-name>",
                "<ejb-name>News</ejb-name><cmt-timeout-in-seconds>" + SHORT_TIMEOUT_SECONDS
                        + "</cmt-timeout-in-seconds>");
        new Application(edition, "", "readpast-ra").write(archive, "glassfish-ejb-jar.xml", descriptor);
    }

    @Override
    void undeploy() throws IOException, InterruptedException {
        asadmin(FILES, "undeploy", "shop");
    }
}
