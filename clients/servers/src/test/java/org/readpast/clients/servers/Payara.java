package org.readpast.clients.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Payara Server, by the commands of docs/containers/payara.md. */
final class Payara extends Server {

    /** From the first port of a domain to those that it has for asadmin and for HTTP. */
    private static final int ADMIN = 48;

    private static final int HTTP = 80;

    /** How many from the first one on it may take. */
    private static final int PORTS = 100;

    private final Edition edition;
    private final Path asadmin;
    private final int adminPort;

    private Payara(Edition edition, Path asadmin, int base, Path log, Process process) {
        super(base + HTTP, log, process);
        this.edition = edition;
        this.asadmin = asadmin;
        this.adminPort = base + ADMIN;
    }

    /** @param jdbcUrl of the database, with its user */
    static Payara start(Edition edition, String jdbcUrl, String user) throws IOException, InterruptedException {
        Path asadmin =
                unpacked(edition == Edition.JAKARTA ? "payara6" : "payara5").resolve("bin/asadmin");
        Path domains = Path.of("target/payara").toAbsolutePath();
        deleteAll(domains);
        Files.createDirectories(domains);
        int base = freePorts(PORTS);
        run(
                domains,
                List.of(
                        asadmin.toString(),
                        "create-domain",
                        "--nopassword",
                        "--domaindir",
                        domains.toString(),
                        "--portbase",
                        String.valueOf(base),
                        "shop"));
        ProcessBuilder builder = new ProcessBuilder(
                        asadmin.toString(), "start-domain", "--verbose", "--domaindir", domains.toString(), "shop")
                .redirectErrorStream(true)
                .redirectOutput(Path.of("target/payara.log").toFile());
        // What is kept only as long as there is room for it is no leak.
        builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:SoftRefLRUPolicyMSPerMB=0");
        Process process = builder.start();
        Payara server = new Payara(edition, asadmin, base, domains.resolve("shop/logs/server.log"), process);
        try {
            server.awaitLog("startup time", 1);
            server.configure(jdbcUrl, user);
            server.deploy();
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
        return server;
    }

    private void configure(String jdbcUrl, String user) throws IOException, InterruptedException {
        String commands = block(edition, "payara.md", "asadmin");
        commands = replace(commands, "jdbc\\\\:postgresql\\\\://db/shop", jdbcUrl.replace(":", "\\\\:"));
        commands = replace(commands, "user=shop", "user=" + user);
        Files.writeString(FILES.resolve("readpast.asadmin"), commands);
        asadmin("multimode", "--file", "readpast.asadmin");
    }

    private void asadmin(String... command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(asadmin.toString(), "--port", String.valueOf(adminPort)));
        all.addAll(List.of(command));
        String output = run(FILES, all);
        if (output.contains("failed.")) {
            throw new IllegalStateException(output);
        }
    }

    @Override
    void deploy() throws IOException, InterruptedException {
        Path archive = Path.of("target/shop.war").toAbsolutePath();
        new Application(edition, "", "readpast-ra")
                .write(
                        archive,
                        "glassfish-ejb-jar.xml",
                        edition == Edition.JAKARTA ? withNotes(block("payara.md", "xml")) : block("payara.md", "xml"));
        asadmin("deploy", "--name", "shop", "--contextroot", "/shop", archive.toString());
    }

    /** What the page has for one bean, for the other one too. */
    private static String withNotes(String descriptor) {
        int start = descriptor.indexOf("    <ejb>");
        int end = descriptor.indexOf("  </enterprise-beans>");
        String orders = descriptor.substring(start, end);
        return descriptor.substring(0, end) + replace(orders, "Orders", "Notes") + descriptor.substring(end);
    }

    @Override
    void deployAgain() throws IOException, InterruptedException {
        asadmin("undeploy", "shop");
        deploy();
    }
}
