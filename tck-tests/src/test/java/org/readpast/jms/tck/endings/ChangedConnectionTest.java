package org.readpast.jms.tck.endings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.session.SqlSession;
import org.readpast.jms.tck.rig.BusinessTable;
import org.readpast.jms.tck.rig.TestDatabase;

/** What an application changes on the SQL connection of a session does not come to those who get a connection after it. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChangedConnectionTest {

    private static final int POOL = 4;

    private final String queueName = "changed." + UUID.randomUUID();

    @FunctionalInterface
    private interface Change {
        void of(java.sql.Connection connection) throws SQLException;
    }

    /**
     * A setting, and a way to change it.
     *
     * @param look the SQL that reads the setting
     */
    record Setting(TestDatabase database, String way, String look, Change change) {

        @Override
        public String toString() {
            return database + ": " + way;
        }
    }

    private static Setting text(TestDatabase database, String look, String statement) {
        return new Setting(database, statement, look, connection -> execute(connection, statement));
    }

    static Stream<Setting> settings() {
        return TestDatabase.requested().flatMap(database -> switch (database) {
            case H2 ->
                Stream.of(
                        text(database, "SELECT CURRENT_SCHEMA", "SET SCHEMA INFORMATION_SCHEMA"),
                        text(database, "SELECT LOCK_TIMEOUT()", "SET LOCK_TIMEOUT 1234"),
                        text(database, "SELECT LOCK_TIMEOUT()", "  /* longer */ set lock_timeout 1234"));
            case POSTGRESQL -> {
                String path = "SELECT current_setting('search_path')";
                yield Stream.concat(
                        unwrapped(database, path, "SET search_path TO pg_catalog"),
                        Stream.of(
                                text(database, path, "SET search_path TO pg_catalog"),
                                text(database, path, "SELECT 1; SET search_path = pg_catalog"),
                                text(database, path, "SELECT set_config('search_path', 'pg_catalog', false)"),
                                text(
                                        database,
                                        "SELECT current_setting('default_transaction_isolation')",
                                        "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE")));
            }
            case SQLSERVER -> {
                String wait = "SELECT @@LOCK_TIMEOUT";
                yield Stream.concat(
                        unwrapped(database, wait, "SET LOCK_TIMEOUT 1234"),
                        Stream.of(
                                text(database, wait, "SET LOCK_TIMEOUT 1234"),
                                text(database, wait, "SELECT 1 SET LOCK_TIMEOUT 1234"),
                                text(database, "SELECT DB_NAME()", "USE master"),
                                text(database, "SELECT @@OPTIONS & 512", "SET NOCOUNT ON")));
            }
        });
    }

    /** All the ways that lead to the driver's own connection. */
    private static Stream<Setting> unwrapped(TestDatabase database, String look, String statement) {
        return Stream.of(
                new Setting(database, "unwrap", look, connection -> {
                    java.sql.Connection raw = connection.unwrap(driverType(database));
                    assertThat(raw).isInstanceOf(driverType(database));
                    execute(raw, statement);
                }),
                new Setting(database, "unwrap of a statement", look, connection -> {
                    try (Statement handle = connection.createStatement()) {
                        Statement raw = handle.unwrap(driverStatement(database));
                        execute(raw.getConnection(), statement);
                    }
                }));
    }

    private static Class<? extends java.sql.Connection> driverType(TestDatabase database) {
        return typeOf(
                database,
                java.sql.Connection.class,
                "org.postgresql.jdbc.PgConnection",
                "com.microsoft.sqlserver.jdbc.SQLServerConnection");
    }

    private static Class<? extends Statement> driverStatement(TestDatabase database) {
        return typeOf(
                database,
                Statement.class,
                "org.postgresql.jdbc.PgStatement",
                "com.microsoft.sqlserver.jdbc.SQLServerStatement");
    }

    private static <T> Class<? extends T> typeOf(
            TestDatabase database, Class<T> type, String postgres, String sqlServer) {
        try {
            return Class.forName(database == TestDatabase.POSTGRESQL ? postgres : sqlServer)
                    .asSubclass(type);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("settings")
    void setting_does_not_outlive_the_transaction_in_which_it_was_changed(Setting setting) throws Exception {
        try (Connection connection = connection(setting.database());
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            connection.start();
            String before = value(handle(session), setting.look());
            session.commit();

            setting.change().of(handle(session));
            assertThat(value(handle(session), setting.look())).as("changed").isNotEqualTo(before);
            session.commit();

            try (Session second = connection.createSession(Session.SESSION_TRANSACTED)) {
                for (Session each : List.of(session, second)) {
                    assertThat(value(handle(each), setting.look())).isEqualTo(before);
                }
                second.commit();
            }
            session.commit();
            assertMessagesComeAndGo(session);
        }
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void connection_that_was_not_changed_is_used_again(TestDatabase database) throws Exception {
        String look = switch (database) {
            case H2 -> "SELECT SESSION_ID()";
            case POSTGRESQL -> "SELECT pg_backend_pid()";
            case SQLSERVER -> "SELECT @@SPID";
        };
        try (BusinessTable table = new BusinessTable(database);
                Connection connection = connection(database);
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                Session second = connection.createSession(Session.SESSION_TRANSACTED)) {
            List<String> before = List.of(value(handle(session), look), value(handle(second), look));
            session.commit();
            second.commit();

            table.insert(handle(session), "one");
            execute(handle(session), table.updateStatement());
            assertThat(handle(session).unwrap(java.sql.Connection.class)).isNotNull();
            session.commit();

            assertThat(List.of(value(handle(session), look), value(handle(second), look)))
                    .containsExactlyInAnyOrderElementsOf(before);
            session.commit();
            second.commit();
        }
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void nothing_that_is_made_with_the_connection_leads_behind_it(TestDatabase database) throws Exception {
        try (Connection connection = connection(database);
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            java.sql.Connection handle = handle(session);
            try (PreparedStatement query = handle.prepareStatement("SELECT 1");
                    ResultSet row = query.executeQuery()) {
                assertGuarded(query.getConnection());
                assertThat(row.getStatement()).isSameAs(query);
                assertGuarded(row.getStatement().getConnection());
            }
            assertGuarded(handle.getMetaData().getConnection());
            assertGuarded(handle.unwrap(java.sql.Connection.class));
            try (Statement statement = handle.createStatement()) {
                assertGuarded(statement.unwrap(Statement.class).getConnection());
                assertThat(statement.execute("SELECT 1")).isTrue();
                assertGuarded(statement.getResultSet().getStatement().getConnection());
            }
            session.commit();
        }
    }

    private static void assertGuarded(java.sql.Connection connection) {
        assertThatThrownBy(() -> connection.setTransactionIsolation(java.sql.Connection.TRANSACTION_SERIALIZABLE))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("belongs to a JMS session");
    }

    private static Connection connection(TestDatabase database) throws JMSException {
        return new ReadpastConnectionFactory(database.readpastUrl("poolSize=" + POOL, "idleCloseMillis=0"))
                .createConnection();
    }

    private static java.sql.Connection handle(Session session) throws JMSException {
        return ((SqlSession) session).sqlConnection();
    }

    private static void execute(java.sql.Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String value(java.sql.Connection connection, String look) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(look)) {
            row.next();
            return row.getString(1);
        }
    }

    private void assertMessagesComeAndGo(Session session) throws JMSException {
        Queue queue = session.createQueue(queueName);
        session.createProducer(queue).send(session.createTextMessage("one"));
        session.commit();
        Message received = session.createConsumer(queue).receive(20_000);
        assertThat(received).isNotNull();
        session.commit();
    }
}
