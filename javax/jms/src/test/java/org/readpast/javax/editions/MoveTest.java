package org.readpast.javax.editions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.jms.JMSContext;
import javax.jms.JMSException;
import javax.jms.Message;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.readpast.jms.ReadpastConnectionFactory;

/** The way from javax to jakarta: a JVM with the one edition ends, and another begins that has only the other edition. */
@Tag("extended")
class MoveTest {

    private static final Path JAKARTA_EDITION = Path.of("target", "jakarta-edition");

    @TempDir
    private Path folder;

    @Test
    void nothing_is_lost_on_the_way_from_javax_to_jakarta() throws Exception {
        makeQueueWithHistory();
        List<String> before = run(true, ownClassPath());
        assertThat(rows("delayed_message")).isOne();
        sql("UPDATE readpast.delayed_message SET due_at = CURRENT_TIMESTAMP");
        List<String> after = run(false, jakartaClassPath());

        int kinds = MovingApplication.HOW_MANY_KINDS;
        assertThat(before).hasSize(1 + kinds).startsWith("javax.jms");
        assertThat(after).hasSize(1 + kinds + 3).startsWith("jakarta.jms");
        assertThat(after.subList(1, 1 + kinds))
                .isEqualTo(before.subList(1, 1 + kinds))
                .anyMatch(message -> message.contains(Parcel.class.getSimpleName()));
        assertThat(after.get(1 + kinds)).contains("body=again", "JMSXDeliveryCount=2");
        assertThat(after.get(1 + kinds + 1)).contains("body=not yet");
        assertThat(after.get(1 + kinds + 2)).isEqualTo("[one, two]");
        assertThat(rows("message")).isZero();
        assertThat(rows("delayed_message")).isZero();
        assertThat(rows("message_history")).as("those of both JVMs").isEqualTo(2 * kinds);
    }

    private String jdbcUrl() {
        return "jdbc:h2:file:" + folder.resolve("database").toAbsolutePath();
    }

    private void makeQueueWithHistory() throws SQLException, JMSException {
        try (ReadpastConnectionFactory factory = new ReadpastConnectionFactory("readpast:" + jdbcUrl());
                JMSContext context = factory.createContext()) {
            context.start();
        }
        sql("INSERT INTO readpast.destination (kind, name, history) VALUES ('Q', '" + MovingApplication.KINDS
                + "', 1)");
    }

    private void sql(String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection(jdbcUrl());
                Statement sql = connection.createStatement()) {
            sql.execute(statement);
        }
    }

    private int rows(String table) throws SQLException {
        try (Connection connection = DriverManager.getConnection(jdbcUrl());
                Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery("SELECT COUNT(*) FROM readpast." + table)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    /** Runs the application to its end, and returns what it has received. */
    private List<String> run(boolean before, List<Path> classPath) throws IOException, InterruptedException {
        Path received = folder.resolve("received");
        Path printed = folder.resolve("printed");
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        String.join(
                                File.pathSeparator,
                                classPath.stream().map(Path::toString).toList()),
                        MovingApplication.class.getName(),
                        String.valueOf(before),
                        "readpast:" + jdbcUrl(),
                        received.toString())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        boolean ended = jvm.waitFor(2, TimeUnit.MINUTES);
        jvm.destroyForcibly();
        assertThat(ended && jvm.exitValue() == 0).as(Files.readString(printed)).isTrue();
        return Files.readAllLines(received);
    }

    private static List<Path> ownClassPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath())
                .toList();
    }

    /** The application by the names of jakarta.jms, and no class of the javax edition. */
    private List<Path> jakartaClassPath() throws IOException {
        Path classes = Path.of("target", "test-classes").toAbsolutePath();
        Path renamed = folder.resolve("renamed");
        Path from = classes.resolve(MoveTest.class.getPackageName().replace('.', '/'));
        Path to = renamed.resolve(classes.relativize(from).toString());
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.write(to.resolve(file.getFileName()), JakartaLoader.renamed(Files.readAllBytes(file)));
            }
        }
        Path api = Path.of(Message.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
        List<Path> all = new ArrayList<>(List.of(renamed));
        try (Stream<Path> jars = Files.list(JAKARTA_EDITION)) {
            all.addAll(jars.map(Path::toAbsolutePath).toList());
        }
        List<Path> others = List.of(classes, Path.of("target", "classes").toAbsolutePath(), api);
        all.addAll(
                ownClassPath().stream().filter(entry -> !others.contains(entry)).toList());
        return all;
    }
}
