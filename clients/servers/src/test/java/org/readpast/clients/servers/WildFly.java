package org.readpast.clients.servers;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.readpast.clients.servers.app.Counter;

/** A WildFly of its own process, configured by what stands in its page. */
final class WildFly implements AutoCloseable {

    private static final Path PAGE = Path.of("../../docs/containers/wildfly.md");
    private static final Pattern SCRIPT = Pattern.compile("```jboss-cli\n(.*?)```", Pattern.DOTALL);
    private static final String PAGE_URL = "jdbc:postgresql://db/shop --user-name=shop --password=secret";
    private static final int HTTP_PORT = 8080;

    private final Path home;
    private final Path log;
    private final int offset;
    private final Process process;

    private WildFly(Path home, Path log, int offset, Process process) {
        this.home = home;
        this.log = log;
        this.offset = offset;
        this.process = process;
    }

    /** @param jdbcUrl of the database, with its user */
    static WildFly start(String jdbcUrl, String user) throws IOException, InterruptedException {
        Path home = freshHome();
        Path files = Path.of("target/files");
        String page = Files.readString(PAGE);
        Matcher script = SCRIPT.matcher(page);
        if (!script.find() || !page.contains(PAGE_URL)) {
            throw new IllegalStateException(PAGE + " has no script for jboss-cli with " + PAGE_URL);
        }
        Files.writeString(
                files.resolve("readpast.cli"),
                script.group(1).replace(PAGE_URL, jdbcUrl + " --user-name=" + user + " --password=secret"));
        run(files, List.of(home.resolve("bin/jboss-cli.sh").toString(), "--file=readpast.cli"));
        deploy(home);
        int offset = freePort() - HTTP_PORT;
        Path log = Path.of("target/wildfly.log").toAbsolutePath();
        Process process = new ProcessBuilder(
                        home.resolve("bin/standalone.sh").toString(),
                        "-c",
                        "standalone-full.xml",
                        "-Djboss.socket.binding.port-offset=" + offset)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        WildFly server = new WildFly(home, log, offset, process);
        await().atMost(Duration.ofMinutes(3)).until(() -> server.log().contains("WFLYSRV0025") || server.hasFailed());
        if (server.hasFailed()) {
            server.close();
            throw new IllegalStateException("WildFly started with errors, see " + log);
        }
        return server;
    }

    /** The server as it was unpacked: an earlier run may have changed its configuration. */
    private static Path freshHome() throws IOException {
        Path home;
        try (Stream<Path> unpacked = Files.list(Path.of("target/servers"))) {
            home = unpacked.findFirst().orElseThrow().toAbsolutePath();
        }
        Path kept = home.resolve("standalone-full.xml.as-it-was");
        Path configuration = home.resolve("standalone/configuration/standalone-full.xml");
        if (!Files.exists(kept)) {
            Files.copy(configuration, kept);
        }
        Files.copy(kept, configuration, StandardCopyOption.REPLACE_EXISTING);
        return home;
    }

    private static void run(Path folder, List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("command", ".log");
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("NOPAUSE", "true");
        Process process = builder.redirectOutput(output.toFile()).start();
        if (!process.waitFor(2, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IllegalStateException(command + " failed: " + Files.readString(output));
        }
        Files.delete(output);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Copies the application where the server looks for it. */
    static void deploy(Path home) throws IOException {
        Path war = home.resolve("standalone/deployments/shop.war");
        Path classes = Path.of("target/test-classes");
        String application = Counter.class.getPackageName().replace('.', '/');
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war));
                Stream<Path> all = Files.list(classes.resolve(application))) {
            for (Path one : all.toList()) {
                zip.putNextEntry(new ZipEntry("WEB-INF/classes/" + application + "/" + one.getFileName()));
                Files.copy(one, zip);
            }
        }
    }

    Path home() {
        return home;
    }

    String log() throws IOException {
        return Files.exists(log) ? Files.readString(log) : "";
    }

    private boolean hasFailed() throws IOException {
        return log().contains("WFLYSRV0026") || !process.isAlive();
    }

    /** Orders something by the application's servlet. */
    void order(String order, String more) throws IOException, InterruptedException {
        URI uri = URI.create("http://localhost:" + (HTTP_PORT + offset) + "/shop/orders?order="
                + URLEncoder.encode(order, StandardCharsets.UTF_8) + more);
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IllegalStateException(uri + " answered " + response.statusCode() + ": " + response.body());
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        await().atMost(Duration.ofMinutes(1)).until(() -> !process.isAlive());
    }
}
