package org.readpast.operations.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.operations.Databases;
import org.readpast.operations.snapshot.Snapshot;

/** A PostgreSQL schema in which faults happen, and what has to be ended behind them. Used by one thread. */
final class Scene {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Databases database = new Databases(Databases.POSTGRESQL);
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Random random;

    Scene(Random random) {
        this.random = random;
    }

    Random random() {
        return random;
    }

    /** The last is closed first. */
    <T extends AutoCloseable> T keep(T closeable) {
        open.push(closeable);
        return closeable;
    }

    ReadpastConnectionFactory factory() {
        return database.factory();
    }

    JMSContext client(int acknowledgeMode) {
        return keep(factory().createContext(acknowledgeMode));
    }

    void send(String queue, int messages) {
        try (JMSContext context = factory().createContext()) {
            for (int i = 0; i < messages; i++) {
                context.createProducer().send(context.createQueue(queue), "message " + i);
            }
        }
    }

    /** Receives a message and does not acknowledge it. */
    void rollBackOne(ReadpastConnectionFactory factory, String queue) {
        try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED);
                JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
            assertThat(consumer.receive(PATIENCE.toMillis())).isNotNull();
            context.rollback();
        }
    }

    /** A program in SQL, with autocommit. */
    Connection program(String name) throws SQLException {
        return keep(DriverManager.getConnection(database.url + "&ApplicationName=" + name));
    }

    Connection connect() throws SQLException {
        return database.connect();
    }

    String schema() {
        return database.schema;
    }

    void run(String sql) throws SQLException {
        database.run(sql);
    }

    String named(String sql) {
        return database.named(sql);
    }

    /** Of which something may be given up, as on a busy machine. */
    Snapshot look() throws SQLException {
        return database.lookOnce();
    }

    void awaitNobody() {
        database.awaitNobody();
    }

    /** Until the database's clock has gone on by so much. */
    void awaitPassed(Duration duration) throws SQLException {
        var end = look().takenAt().plus(duration);
        await().atMost(duration.plus(PATIENCE))
                .pollInterval(Duration.ofMillis(200))
                .until(() -> look().takenAt().isAfter(end));
    }

    /** Ends all that goes on in it, and drops the schema. */
    void end() throws Exception {
        try (database) {
            while (!open.isEmpty()) {
                open.pop().close();
            }
        }
    }
}
