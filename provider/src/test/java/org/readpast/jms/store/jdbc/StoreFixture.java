package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.selector.SelectorSyntaxException;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.ConnectionSource;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.connect.ConnectionPool;
import org.readpast.jms.store.jdbc.connect.StoreOptions;
import org.readpast.jms.store.jdbc.failure.Failures;

/** An open store in a schema of the test class's own, a queue for each test, and short words for what tests do with them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StoreFixture {

    final TestDatabase database;
    final String schema;
    final StoreOptions options;
    private final List<StoreTransaction> transactions = new ArrayList<>();

    JdbcMessageStore store;
    int queue;
    String queueName;

    StoreFixture(TestDatabase database) {
        this.database = database;
        this.schema = database.newSchema();
        this.options = StoreOptions.DEFAULTS
                .withSchema(schema)
                .withCreateSchema(true)
                .withPool(20, 5_000)
                .withMaxInlineBody(1_000);
    }

    @BeforeAll
    void openStore() throws StoreException {
        store = new JdbcMessageStore(database.connections(), options);
        store.open();
    }

    @AfterAll
    void closeStore() throws SQLException {
        store.close();
        database.dropSchema(schema);
    }

    @BeforeEach
    void createQueue() throws StoreException {
        queueName = "queue " + UUID.randomUUID();
        queue = store.destination(DestinationKind.QUEUE, queueName);
    }

    @AfterEach
    void nothingIsLeftBehind() {
        transactions.forEach(StoreTransaction::close);
        transactions.clear();
        assertThat(activeConnections(store)).as("connections not given back").isZero();
    }

    static int activeConnections(JdbcMessageStore store) {
        return ((ConnectionPool.Own) store.opened().pool())
                .source()
                .getHikariPoolMXBean()
                .getActiveConnections();
    }

    /** A transaction that is closed after the test. */
    StoreTransaction transaction() {
        return transaction(store);
    }

    StoreTransaction transaction(MessageStore of) {
        StoreTransaction transaction = of.transaction("test");
        transactions.add(transaction);
        return transaction;
    }

    /** An application's connection that it keeps. */
    static ConnectionSource source(Connection connection) {
        return new ConnectionSource() {
            @Override
            public Connection get() {
                return connection;
            }

            @Override
            public void giveBack(Connection borrowed) {
                assertThat(borrowed).isSameAs(connection);
            }
        };
    }

    // Messages

    static EncodedMessage message(String text) {
        return message(text, 4, null, null);
    }

    static EncodedMessage message(String text, int priority, String correlationId, String properties) {
        return new EncodedMessage(
                "ID:" + text,
                "queue://test",
                null,
                correlationId,
                null,
                2,
                priority,
                1_000,
                0,
                1_000,
                null,
                properties,
                BodyKind.TEXT,
                new Body.Text(text));
    }

    NewMessage to(EncodedMessage message) {
        return to(message, 0, 0);
    }

    NewMessage to(EncodedMessage message, long timeToLive, long delay) {
        return new NewMessage(queue, message, timeToLive, delay, System.nanoTime());
    }

    void send(String... texts) throws StoreException {
        for (String text : texts) {
            store.insert(List.of(to(message(text))));
        }
    }

    void sendTogether(EncodedMessage... messages) throws StoreException {
        store.insert(Arrays.stream(messages).map(this::to).toList());
    }

    /** What the database's errors mean. */
    Failures failures() {
        return database.failures();
    }

    // Claims

    ClaimRequest head(int max) {
        return ClaimRequest.fromHead(queue, max, null);
    }

    ClaimRequest matching(String selector, int max) {
        try {
            return ClaimRequest.fromHead(queue, max, Selector.parse(selector));
        } catch (SelectorSyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    static List<String> texts(List<StoredMessage> messages) {
        return messages.stream()
                .map(stored -> ((Body.Text) stored.message().body()).text())
                .toList();
    }

    static List<Claim> claims(List<StoredMessage> messages) {
        return messages.stream().map(StoredMessage::claim).toList();
    }

    /** Claims by lock of messages of which only the keys are known. */
    static List<Claim> locked(List<MessageKey> keys) {
        return keys.stream().map(key -> new Claim(key, null, System.nanoTime())).toList();
    }

    /** What a commit carries out that only sends. */
    static Settlement sending(NewMessage... messages) {
        return new Settlement(List.of(messages), List.of(), List.of());
    }

    static List<MessageKey> keys(List<StoredMessage> messages) {
        return messages.stream().map(StoredMessage::key).toList();
    }

    static Settlement acknowledging(List<StoredMessage> messages) {
        return Settlement.acknowledgement(claims(messages));
    }

    /** Takes all that can be claimed. */
    List<StoredMessage> drain() throws StoreException {
        return drain(queue);
    }

    List<StoredMessage> drain(int from) throws StoreException {
        List<StoredMessage> all = new ArrayList<>();
        try (StoreTransaction transaction = store.transaction("test")) {
            List<StoredMessage> some = transaction.claim(ClaimRequest.fromHead(from, 100, null));
            while (!some.isEmpty()) {
                all.addAll(some);
                some = transaction.commit(acknowledging(some), ClaimRequest.fromHead(from, 100, null));
            }
        }
        return all;
    }

    // SQL

    /** A table as the statements write it. */
    String table(String name) {
        return (database == TestDatabase.SQL_SERVER ? "[" + schema + "]" : schema) + "." + name;
    }

    /** The first column of the rows of a statement, in which the word readpast stands for the schema. */
    List<String> sql(String statement, Object... parameters) throws SQLException {
        try (Connection connection = database.connect()) {
            return sql(connection, statement, parameters);
        }
    }

    List<String> sql(Connection connection, String statement, Object... parameters) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (PreparedStatement prepared = connection.prepareStatement(statement.replace("readpast", schema))) {
            for (int i = 0; i < parameters.length; i++) {
                prepared.setObject(i + 1, parameters[i]);
            }
            if (prepared.execute()) {
                ResultSet result = prepared.getResultSet();
                while (result.next()) {
                    rows.add(result.getString(1));
                }
            }
        }
        return rows;
    }

    long countMessages() throws SQLException {
        return Long.parseLong(sql("SELECT count(*) FROM readpast.message WHERE destination_id = ?", queue)
                .get(0));
    }
}
