package org.readpast.clients.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.readpast.jms.ReadpastConnectionFactory;

/**
 * What a tool that migrates databases does with the numbered scripts, also where some of them were run by hand. Each test has a database of
 * its own.
 */
abstract class MigrationsContract {

    private static final String SCRIPTS = "org/readpast/jms/sql/%s/schema/";

    private static final String SQL_SERVER_PROPERTY = "readpast.test.sqlserver.url";
    private static final String SQL_SERVER = System.getProperty(SQL_SERVER_PROPERTY, "");
    private static final Pattern BATCH_END = Pattern.compile("(?m)^GO$");

    private static EmbeddedPostgres postgres;

    @TempDir
    Path folder;

    final String database;
    private final String name = "migrations_" + Long.toString(System.nanoTime(), 36);
    String url;

    MigrationsContract(String database) {
        this.database = database;
    }

    /** Those of H2 and PostgreSQL that this run asks for, and SQL Server if {@value #SQL_SERVER_PROPERTY} says where there is one. */
    static Stream<String> databases() {
        Stream<String> embedded = Arrays.stream(System.getProperty("readpast.test.targets", "h2,postgresql")
                        .split(","))
                .filter(List.of("h2", "postgresql")::contains);
        return Stream.concat(embedded, SQL_SERVER.isEmpty() ? Stream.of() : Stream.of("sqlserver"));
    }

    @BeforeEach
    void makeDatabase() throws Exception {
        if (database.equals("h2")) {
            url = "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1;USER=sa";
        } else if (database.equals("sqlserver")) {
            run(SQL_SERVER, "CREATE DATABASE " + name);
            url = SQL_SERVER.replaceAll("(?i);databaseName=[^;]*", "") + ";databaseName=" + name;
        } else {
            run(postgres().getJdbcUrl("postgres", "postgres"), "CREATE DATABASE " + name);
            url = postgres().getJdbcUrl("postgres", name);
        }
    }

    private static synchronized EmbeddedPostgres postgres() throws IOException {
        if (postgres == null) {
            postgres = EmbeddedPostgres.builder()
                    .setPGStartupWait(Duration.ofMinutes(2))
                    .start();
        }
        return postgres;
    }

    @AfterEach
    void dropDatabase() {
        if (database.equals("sqlserver")) {
            // The server notices a moment later that the last connection is closed.
            await().atMost(Duration.ofMinutes(1))
                    .ignoreExceptionsInstanceOf(SQLException.class)
                    .untilAsserted(() -> run(SQL_SERVER, "DROP DATABASE " + name));
        }
    }

    @AfterAll
    static void stopServer() throws IOException {
        if (postgres != null) {
            postgres.close();
            postgres = null;
        }
    }

    /** Runs what is missing, and returns how many scripts it has run. */
    abstract int migrate() throws Exception;

    @Test
    void scripts_are_run_once() throws Exception {
        assertThat(migrate()).isEqualTo(scripts().size());
        assertThat(migrate()).isZero();
        assertMessagesAreMoved();
    }

    @Test
    void what_was_run_by_hand_is_recognised() throws Exception {
        runByHand(scripts().size() - 1);
        assertThat(migrate()).isEqualTo(1);
        assertMessagesAreMoved();
    }

    @Test
    void what_a_JMS_client_has_installed_is_recognised() throws Exception {
        factory(true).createContext().close();
        assertThat(migrate()).isZero();
        assertMessagesAreMoved();
    }

    String text(String file) throws IOException {
        try (InputStream in =
                MigrationsContract.class.getClassLoader().getResourceAsStream(SCRIPTS.formatted(database) + file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    List<String> scripts() throws IOException {
        return text("scripts.txt")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .toList();
    }

    void runByHand(int scripts) throws IOException, SQLException {
        for (String script : scripts().subList(0, scripts)) {
            for (String batch : batches(text(script)).toList()) {
                run(url, batch);
            }
        }
    }

    /** A script for SQL Server as sqlcmd sends it; another one whole. */
    static Stream<String> batches(String script) {
        return BATCH_END.splitAsStream(script).map(String::strip).filter(batch -> !batch.isEmpty());
    }

    static void run(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            // Errors behind the first result come with the others.
            for (boolean hasRows = statement.execute(sql); hasRows || statement.getUpdateCount() != -1; ) {
                hasRows = statement.getMoreResults();
            }
        }
    }

    /** The version of the schema; 0 where there is none. */
    int installed() throws SQLException {
        int tables = number("SELECT COUNT(*) FROM INFORMATION_SCHEMA.TABLES"
                + " WHERE LOWER(TABLE_SCHEMA) = 'readpast' AND LOWER(TABLE_NAME) = 'schema_version'");
        return tables == 0 ? 0 : number("SELECT MAX(version) FROM " + versions());
    }

    /** READPAST is a keyword of T-SQL. */
    String versions() {
        return database.equals("sqlserver") ? "[readpast].schema_version" : "readpast.schema_version";
    }

    int number(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        }
    }

    ReadpastConnectionFactory factory(boolean createSchema) throws JMSException {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url);
        factory.setProperty("createSchema", Boolean.toString(createSchema));
        factory.setProperty("idleCloseMillis", "0");
        return factory;
    }

    void assertMessagesAreMoved() throws JMSException {
        try (JMSContext context = factory(false).createContext()) {
            context.createProducer().send(context.createQueue("orders"), "one");
            assertThat(context.createConsumer(context.createQueue("orders")).receiveBody(String.class, 30_000))
                    .isEqualTo("one");
        }
    }
}
