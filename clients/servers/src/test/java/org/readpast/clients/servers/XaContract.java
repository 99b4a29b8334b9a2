package org.readpast.clients.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.readpast.jms.ReadpastConnectionFactory;

/**
 * Messages in one distributed transaction of a server with a row in another database: by a connection factory with XA, and by a
 * message-driven bean over an XA DataSource.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class XaContract {

    static final long PATIENCE = 60_000;

    private EmbeddedPostgres database;
    Server server;
    private ReadpastConnectionFactory outside;

    /** The server's names of the connection factory, the second database and the transaction manager. */
    record Names(String factory, String ledger, String manager) {}

    abstract Names names();

    /**
     * With what an earlier one has noted of its transactions, unless it is the first one.
     *
     * @param jdbcUrl of a database to put its name behind
     * @param deployed whether the application is there
     */
    abstract Server start(boolean first, String jdbcUrl, String user, boolean deployed)
            throws IOException, InterruptedException;

    Server start(boolean first, boolean deployed) throws IOException, InterruptedException {
        return start(first, "jdbc:postgresql://localhost:" + database.getPort() + "/", "postgres", deployed);
    }

    @BeforeAll
    void start() throws Exception {
        database = EmbeddedPostgres.builder()
                .setServerConfig("max_prepared_transactions", "20")
                .setPGStartupWait(Duration.ofMinutes(2))
                .start();
        sql("postgres", "CREATE DATABASE shop");
        sql("postgres", "CREATE DATABASE ledger");
        sql("shop", "CREATE TABLE shop_order (item VARCHAR(100), seen BIGINT)");
        sql("ledger", "CREATE TABLE entry (item VARCHAR(100))");
        server = start(true, true);
        outside = new ReadpastConnectionFactory(
                "readpast:" + database.getJdbcUrl("postgres", "shop") + "#createSchema=true");
    }

    @AfterAll
    void stop() throws Exception {
        // Not there where the server has not started.
        if (outside != null) {
            outside.close();
        }
        server.close();
        database.close();
    }

    /** Each branch of a transaction is committed by itself, also when the message of another one can be received already. */
    @AfterEach
    void nothing_is_in_doubt() {
        await().atMost(Duration.ofMillis(PATIENCE)).until(() -> inDoubt() == 0);
    }

    private void sql(String name, String statement) throws SQLException {
        try (Connection connection = database.getDatabase("postgres", name).getConnection();
                Statement sql = connection.createStatement()) {
            sql.execute(statement);
        }
    }

    int number(String name, String query) throws SQLException {
        try (Connection connection = database.getDatabase("postgres", name).getConnection();
                Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
    }

    int entries(String item) throws SQLException {
        return number("ledger", "SELECT COUNT(*) FROM entry WHERE item = '" + item + "'");
    }

    int inDoubt() throws SQLException {
        return number("postgres", "SELECT COUNT(*) FROM pg_prepared_xacts");
    }

    void send(String queue, String item, String... properties) throws JMSException {
        try (JMSContext context = outside.createContext()) {
            Message message = context.createTextMessage(item);
            for (int i = 0; i < properties.length; i += 2) {
                message.setStringProperty(properties[i], properties[i + 1]);
            }
            context.createProducer().send(context.createQueue(queue), message);
        }
    }

    /** The only message there, or null if there is none by then. */
    Message receive(String name, long millis) {
        try (JMSContext context = outside.createContext()) {
            Queue queue = context.createQueue(name);
            try (JMSConsumer consumer = context.createConsumer(queue)) {
                Message message = consumer.receive(millis);
                assertThat(consumer.receiveNoWait()).isNull();
                return message;
            }
        }
    }

    String moves() {
        return "moves?factory=" + names().factory() + "&ledger=" + names().ledger() + "&manager=" + names().manager();
    }

    @Test
    void messages_and_row_in_another_database_are_committed_together() throws Exception {
        send("in", "coffee");
        server.get(moves());
        assertThat(receive("out", PATIENCE).getBody(String.class)).isEqualTo("coffee");
        assertThat(receive("in", 1)).isNull();
        assertThat(entries("coffee")).isOne();
    }

    @Test
    void messages_and_row_in_another_database_are_rolled_back_together() throws Exception {
        send("in", "tea");
        server.get(moves() + "&rollback=true");
        assertThat(receive("out", 1)).isNull();
        assertThat(receive("in", PATIENCE).getBody(String.class)).isEqualTo("tea");
        assertThat(entries("tea")).isZero();
    }

    @Test
    void bean_over_an_XA_DataSource_commits_with_another_database() throws Exception {
        send("orders", "milk", "ledger", names().ledger());
        assertThat(receive("shipped", PATIENCE).getBody(String.class)).isEqualTo("milk");
        nothing_is_in_doubt();
        assertThat(entries("milk")).isOne();

        send("orders", "refused", "ledger", names().ledger());
        Message dead = receive("DLQ", PATIENCE);
        assertThat(dead.getIntProperty("JMS_READPAST_Deliveries")).isEqualTo(5);
        assertThat(receive("shipped", 1)).isNull();
        assertThat(entries("refused")).isZero();
    }
}
