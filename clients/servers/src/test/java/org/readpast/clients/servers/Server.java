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
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** An application server in a process of its own, configured by what stands in its page. */
abstract class Server implements AutoCloseable {

    /** What is copied to the server: the adapter and the driver. */
    static final Path FILES = Path.of("target/files");

    static final Path PAGES = Path.of("../../docs/containers");

    /** What a transaction of the one bean that is short of time may last, where a server has that for one bean. */
    static final int SHORT_TIMEOUT_SECONDS = 5;

    private final int port;
    private final Path log;
    private final Process process;

    /**
     * @param port of HTTP
     * @param log that of the server, with its console's lines
     */
    Server(int port, Path log, Process process) {
        this.port = port;
        this.log = log;
        this.process = process;
    }

    /** Deploys the application where it is not yet; returns when it is there. */
    abstract void deploy() throws IOException, InterruptedException;

    /** Takes the application away; returns when it is gone. */
    abstract void undeploy() throws IOException, InterruptedException;

    /** Takes the application away and deploys it again; returns when it is there. */
    void deployAgain() throws IOException, InterruptedException {
        undeploy();
        deploy();
    }

    String log() throws IOException {
        return Files.exists(log) ? Files.readString(log) : "";
    }

    /** How often the log has something. */
    int logged(String line) throws IOException {
        return log().split(Pattern.quote(line), -1).length - 1;
    }

    /** Waits until the log has something for so many times. */
    void awaitLog(String line, int times) {
        await().atMost(Duration.ofMinutes(10)).until(() -> logged(line) >= times || !process.isAlive());
        if (!process.isAlive()) {
            throw new IllegalStateException("The server has ended, see " + log);
        }
    }

    /** How many class loaders that have loaded a class are left after a garbage collection. */
    long classLoadersWith(Class<?> loaded) throws IOException, InterruptedException {
        jcmd("GC.run");
        return jcmd("VM.classloaders", "show-classes")
                .lines()
                .filter(line -> line.endsWith(" " + loaded.getName()))
                .count();
    }

    /** Whether a thread of the server's is within this method. */
    boolean isWithin(String method) throws IOException, InterruptedException {
        return jcmd("Thread.print").contains("at " + method + "(");
    }

    private static boolean isJava(ProcessHandle one) {
        return one.info().command().orElse("").endsWith("/java");
    }

    private String jcmd(String... command) throws IOException, InterruptedException {
        long java = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                // Payara's is started by another JVM, which waits for it.
                .filter(one -> isJava(one) && one.children().noneMatch(Server::isJava))
                .findFirst()
                .orElseThrow()
                .pid();
        List<String> all = new ArrayList<>();
        all.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
        all.add(String.valueOf(java));
        all.addAll(List.of(command));
        return run(FILES, all);
    }

    /** Orders something by the application's servlet. */
    void order(String order, String more) throws IOException, InterruptedException {
        get("orders?order=" + URLEncoder.encode(order, StandardCharsets.UTF_8) + more);
    }

    /** Of HTTP. */
    int port() {
        return port;
    }

    /** Asks the application for something, and returns its answer. */
    String get(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://localhost:" + port + "/shop/" + path);
        // By HTTP 2 Open Liberty ends a connection (GOAWAY) in the middle of an answer that takes it long.
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpResponse<String> response =
                client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        // Open Liberty answers 200 and nothing else where a servlet has thrown something.
        if (response.statusCode() != 200 || response.body().isEmpty()) {
            throw new IllegalStateException(uri + " answered " + response.statusCode() + ": " + response.body());
        }
        return response.body();
    }

    /** Waits for the server to die by itself. */
    void awaitDeath() {
        await().atMost(Duration.ofMinutes(1)).until(() -> !process.isAlive());
    }

    /** As a machine does that loses its power, for the server alone. */
    void kill() {
        List<ProcessHandle> all = processes();
        all.forEach(ProcessHandle::destroyForcibly);
        awaitEnd(all);
    }

    /** As whoever stops it does (SIGTERM). It ends in its own time: returns what there is of it. */
    List<ProcessHandle> terminate() {
        List<ProcessHandle> all = processes();
        all.forEach(ProcessHandle::destroy);
        return all;
    }

    static void awaitEnd(List<ProcessHandle> processes) {
        await().atMost(Duration.ofMinutes(1)).until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
    }

    /** Payara's is started by another one, which does not wait for it when both are told to end. */
    private List<ProcessHandle> processes() {
        return Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
    }

    @Override
    public void close() {
        awaitEnd(terminate());
    }

    /** The one block of a language in a server's page, with the names that it gives for the edition. */
    static String block(Edition edition, String page, String language) throws IOException {
        return edition(edition, page, block(page, language));
    }

    /** A text with the names that a server's page gives for the edition. */
    static String edition(Edition edition, String page, String text) throws IOException {
        String named = text;
        if (edition == Edition.JAVAX) {
            for (Map.Entry<String, String> row : table(page, "Java EE 8").entrySet()) {
                named = replace(named, row.getKey(), row.getValue());
            }
        }
        return named;
    }

    /** The one block of a language in a server's page. */
    static String block(String page, String language) throws IOException {
        List<String> blocks = blocks(page, language);
        if (blocks.isEmpty()) {
            throw new IllegalStateException(page + " has no block of " + language);
        }
        return blocks.get(0);
    }

    /** The blocks of a language in a server's page. */
    static List<String> blocks(String page, String language) throws IOException {
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(PAGES.resolve(page)))
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    /** The rows of the table in a part of a server's page, of two columns that are code. */
    private static Map<String, String> table(String page, String heading) throws IOException {
        String text = Files.readString(PAGES.resolve(page));
        int start = text.indexOf("\n## " + heading + "\n");
        int end = text.indexOf("\n## ", start + 1);
        String part = text.substring(start, end);
        Matcher row = Pattern.compile("^\\| `(.*?)` \\| `(.*?)` \\|$", Pattern.MULTILINE)
                .matcher(part);
        Map<String, String> rows = new LinkedHashMap<>();
        while (row.find()) {
            rows.put(row.group(1), row.group(2));
        }
        return rows;
    }

    /** Puts what is so here in the place of what the page has for an example. */
    static String replace(String text, String example, String here) {
        if (!text.contains(example)) {
            throw new IllegalStateException("No " + example + " in " + text);
        }
        return text.replace(example, here);
    }

    static Path unpacked(String name) {
        return Path.of("target/servers", name).toAbsolutePath();
    }

    /**
     * A command whose JVM does not run for long, so that its second compiler would cost more than it saves. What is kept only as long as
     * there is room for it is no leak.
     */
    static ProcessBuilder command(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:SoftRefLRUPolicyMSPerMB=0");
        return builder;
    }

    /** Runs a command to its end, and returns what it has printed. */
    static String run(Path folder, List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("command", ".log");
        ProcessBuilder builder = command(command).directory(folder.toFile());
        builder.environment().put("NOPAUSE", "true");
        Process process = builder.redirectOutput(output.toFile()).start();
        if (!process.waitFor(10, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IllegalStateException(command + " failed: " + Files.readString(output));
        }
        String printed = Files.readString(output);
        Files.delete(output);
        return printed;
    }

    /** Copies what a server is given to another folder, with the driver in the adapter's archive too: XA needs to see it. */
    static Path filesWithDriverInArchive(Edition edition, String name) throws IOException {
        Path folder = Path.of("target", name).toAbsolutePath();
        deleteAll(folder);
        Files.createDirectories(folder);
        copyAll(FILES, folder);
        Path driver = only(folder, "postgresql-.*[.]jar");
        try (FileSystem archive = FileSystems.newFileSystem(only(folder, adapter(edition)))) {
            Files.copy(driver, archive.getPath(driver.getFileName().toString()));
        }
        return folder;
    }

    /** Copies the files of a folder to another one. */
    static void copyAll(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    /** How the file of the adapter is named. */
    static String adapter(Edition edition) {
        return edition == Edition.JAKARTA ? "readpast-ra-[0-9].*[.]rar" : "readpast-ra-javax-.*[.]rar";
    }

    /** Puts a jar into the archive of an application. */
    static void addLibrary(Path archive, Path jar) throws IOException {
        try (FileSystem zip = FileSystems.newFileSystem(archive)) {
            Path libraries = zip.getPath("WEB-INF/lib");
            Files.createDirectories(libraries);
            Files.copy(jar, libraries.resolve(jar.getFileName().toString()));
        }
    }

    private static Path only(Path folder, String name) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches(name))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Deletes what an earlier run has left. */
    static void deleteAll(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(one);
                }
            }
        }
    }

    static int freePort() {
        return freePorts(1);
    }

    /** The first of so many free ports in a row, below those that a system gives to outgoing connections. */
    static int freePorts(int count) {
        while (true) {
            int first = ThreadLocalRandom.current().nextInt(10_000, 30_000);
            if (IntStream.range(first, first + count).allMatch(Server::isFree)) {
                return first;
            }
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
