package org.readpast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.readpast.jms.ReadpastConnectionFactory;
import picocli.CommandLine;

/**
 * Commands as processes: the launcher with the one jar, as they are shipped. A command that has run so, on PostgreSQL, runs in this JVM
 * from then on, unless it is told something by the environment; on H2 all do.
 */
abstract class Commands {

    static final Path LAUNCHER = Path.of("target", "readpast", "readpast").toAbsolutePath();

    static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    String url;

    boolean inThisJvm;

    private final List<String> databases = new ArrayList<>();

    record Outcome(int code, String out, String err) {
        JsonNode json() throws IOException {
            return JSON.readTree(out);
        }
    }

    @AfterEach
    void dropDatabases() throws Exception {
        for (String database : databases) {
            TestServer.drop(database);
        }
    }

    void onPostgres() throws Exception {
        url = TestServer.newDatabase();
        databases.add(url);
    }

    void onH2() {
        inThisJvm = true;
        url = "jdbc:h2:" + folder.resolve("messages").toString().replace('\\', '/') + ";WRITE_DELAY=0;USER=sa";
        install();
    }

    ReadpastConnectionFactory factory() {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url);
        factory.setProperty("createSchema", "true");
        factory.setProperty("idleCloseMillis", "0");
        return factory;
    }

    void install() {
        factory().createContext().close();
    }

    Outcome readpast(String... arguments) throws Exception {
        return readpast(Map.of("READPAST_URL", url), "", arguments);
    }

    Outcome readpast(Map<String, String> environment, String input, String... arguments) throws Exception {
        return mayRunInThisJvm(environment, arguments)
                ? inThisJvm(input, arguments)
                : asProcess(environment, input, arguments);
    }

    boolean mayRunInThisJvm(Map<String, String> environment, String... arguments) throws IOException {
        if (inThisJvm) {
            return true;
        }
        boolean isFirst = arguments.length == 0 || isFirst(arguments[0]);
        return !isFirst && environment.equals(Map.of("READPAST_URL", url));
    }

    /** Whether a command has not run in this build yet, in whichever JVM of the tests: there is a file of its name from then on. */
    private static boolean isFirst(String command) throws IOException {
        String build = System.getProperty(
                "readpast.test.build", "" + ProcessHandle.current().pid());
        Path shown = Path.of("target", "shown", build.replace(':', '-'));
        try {
            Files.createFile(Files.createDirectories(shown).resolve(command));
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    Outcome inThisJvm(String input, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line =
                Readpast.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        try {
            int code = line.execute(
                    Stream.concat(Stream.of(arguments), Stream.of("--url", url)).toArray(String[]::new));
            return new Outcome(code, out.toString(), err.toString());
        } finally {
            System.setIn(before);
        }
    }

    Outcome asProcess(Map<String, String> environment, String input, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(LAUNCHER.toString()));
        command.addAll(List.of(arguments));
        return execute(environment, input, command.toArray(String[]::new));
    }

    Outcome execute(Map<String, String> environment, String input, String... command) throws Exception {
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("READPAST_JAVA_OPTIONS", TestServer.sharedClasses());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try (var stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    static void done(Outcome outcome) {
        assertThat(outcome.code()).as(outcome.err()).isZero();
    }

    void prepare(String database) throws Exception {
        if (database.equals("H2")) {
            onH2();
        } else {
            onPostgres();
        }
    }

    /**
     * @param errors where its errors go; null for nowhere
     */
    Process start(Path errors, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(LAUNCHER.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(
                        errors == null ? ProcessBuilder.Redirect.DISCARD : ProcessBuilder.Redirect.to(errors.toFile()));
        builder.environment().put("READPAST_URL", url);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("READPAST_JAVA_OPTIONS", TestServer.sharedClasses());
        return builder.start();
    }

    /** Texts that differ, of a queue. */
    long count(String queue) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT count(DISTINCT m.body) FROM readpast.message m JOIN readpast.destination d"
                                + " ON d.destination_id = m.destination_id WHERE d.name = '" + queue + "'")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    String one(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
