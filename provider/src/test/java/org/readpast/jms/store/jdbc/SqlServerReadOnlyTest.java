package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Queue;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.races.Replaced;

/**
 * Connections lead to a readable secondary: what changes anything is refused with 3906, what reads succeeds, claims among it, and the
 * database says of itself that it is READ_ONLY. On a server that is none the test refuses, and turns the question around.
 */
@OnSqlServer
class SqlServerReadOnlyTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String URL = "jdbc:secondary:test";
    private static final Pattern CHANGE = Pattern.compile("\\b(INSERT|UPDATE|DELETE)\\b");

    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger aborted = new AtomicInteger();
    private volatile boolean secondary;

    private final Driver driver = Replaced.by(Driver.class, (method, arguments) -> switch (method.getName()) {
        case "acceptsURL" -> URL.equals(arguments[0]);
        case "connect" -> URL.equals(arguments[0]) ? connect((Properties) arguments[1]) : null;
        case "hashCode" -> System.identityHashCode(this);
        case "equals" -> arguments[0] instanceof Driver other && other.hashCode() == System.identityHashCode(this);
        default -> "in front of SQL Server";
    });

    @BeforeEach
    void register() throws SQLException {
        DriverManager.registerDriver(driver);
    }

    @AfterEach
    void deregister() throws SQLException {
        DriverManager.deregisterDriver(driver);
    }

    private Connection connect(Properties properties) throws SQLException {
        Connection connection = DriverManager.getConnection(TestDatabase.SQL_SERVER.url(), properties);
        return Replaced.by(Connection.class, (method, arguments) -> {
            String text = arguments != null && arguments.length > 0 && arguments[0] instanceof String sql ? sql : "";
            if (method.getName().equals("unwrap")) {
                return connection.unwrap((Class<?>) arguments[0]);
            }
            if (method.getName().equals("abort")) {
                aborted.incrementAndGet();
            }
            if (method.getName().startsWith("prepare")) {
                arguments[0] = asSecondary(text);
            }
            Object answer = Replaced.call(connection, method, arguments);
            return answer instanceof Statement statement ? wrap(statement, text) : answer;
        });
    }

    private Statement wrap(Statement statement, String prepared) {
        Class<? extends Statement> type =
                statement instanceof PreparedStatement ? PreparedStatement.class : Statement.class;
        return Replaced.by(type, (method, arguments) -> {
            if (method.getName().startsWith("execute")) {
                boolean ownText = arguments != null && arguments.length > 0 && arguments[0] instanceof String;
                String text = ownText ? (String) arguments[0] : prepared;
                if (secondary && CHANGE.matcher(text).find()) {
                    throw new SQLException(
                            "Failed to update database because the database is read-only.", "S0002", 3906);
                }
                if (ownText) {
                    arguments[0] = asSecondary(text);
                }
            }
            return Replaced.call(statement, method, arguments);
        });
    }

    private String asSecondary(String text) {
        if (!secondary || !text.contains("Updateability")) {
            return text;
        }
        asked.incrementAndGet();
        return text.replace("'READ_ONLY'", "'READ_WRITE'");
    }

    private DataSource dataSource() {
        return Replaced.by(DataSource.class, (method, arguments) -> switch (method.getName()) {
            case "getConnection" -> connect(new Properties());
            case "hashCode" -> System.identityHashCode(this);
            case "equals" ->
                arguments[0] instanceof DataSource other && other.hashCode() == System.identityHashCode(this);
            case "getLoginTimeout" -> 0;
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    private ReadpastConnectionFactory factory(boolean ownPool) {
        ReadpastConnectionFactory factory = ownPool
                ? new ReadpastConnectionFactory("readpast:" + URL)
                : new ReadpastConnectionFactory(dataSource());
        factory.setProperty("createSchema", "true");
        factory.setProperty("idleCloseMillis", "0");
        factory.setProperty("poolTimeoutMillis", "1000");
        return factory;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void listener_gets_no_message_again_from_a_secondary(boolean ownPool) throws JMSException {
        AtomicInteger delivered = new AtomicInteger();
        try (ReadpastConnectionFactory factory = factory(ownPool);
                JMSContext context = factory.createContext();
                JMSContext sending = factory.createContext()) {
            Queue queue = context.createQueue("secondary." + UUID.randomUUID());
            context.createConsumer(queue).setMessageListener(message -> {
                secondary = delivered.incrementAndGet() == 1;
            });
            sending.createProducer().send(queue, "one");

            await().atMost(PATIENCE).until(() -> asked.get() > 2 || delivered.get() > 1);
            assertThat(delivered).hasValue(1);
            assertThatThrownBy(() -> sending.createProducer().send(queue, "two"))
                    .isInstanceOf(JMSRuntimeException.class)
                    .hasStackTraceContaining("takes no changes");

            secondary = false;
            await().atMost(PATIENCE).until(() -> delivered.get() == 2);
        }
    }

    @Test
    void connection_to_a_secondary_is_refused() throws JMSException {
        secondary = true;
        try (ReadpastConnectionFactory factory = factory(true)) {
            assertThatThrownBy(factory::createContext)
                    .isInstanceOf(JMSRuntimeException.class)
                    .hasMessageContaining("takes no changes")
                    .hasMessageContaining("leads to one that cannot be used now");
        }
    }

    /** Its pool would lend it again and again, although another one leads to the primary. */
    @Test
    void connection_of_an_application_to_a_secondary_is_closed_for_good() throws JMSException {
        secondary = true;
        try (ReadpastConnectionFactory factory = factory(false)) {
            assertThatThrownBy(factory::createContext).hasMessageContaining("takes no changes");
            assertThat(aborted).hasPositiveValue();
        }
    }
}
