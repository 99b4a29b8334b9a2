package org.readpast.benchmarks.system.floor;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.readpast.benchmarks.system.Place;
import org.readpast.benchmarks.system.ReceiveMode;
import org.readpast.benchmarks.system.SendMode;
import org.readpast.benchmarks.system.SystemUnderTest;

/** Hand-written JDBC on PostgreSQL. */
public final class Floor implements SystemUnderTest {

    private static final int LAZY_BATCH = 10;

    /** A queue that seemed empty to the planner is full a moment later; the index is right for both. */
    private static final String INDEXES_ONLY =
            "-c%20enable_seqscan%3Doff%20-c%20enable_sort%3Doff%20-c%20enable_bitmapscan%3Doff";

    /** Autovacuum as Readpast's own tables have it, so that the floor is not helped or hindered by that. */
    private static final String SCHEMA = """
            CREATE TABLE IF NOT EXISTS queue (
                id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                name text NOT NULL UNIQUE);
            CREATE TABLE IF NOT EXISTS message (
                queue int NOT NULL,
                id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
                correlation_id text,
                body bytea NOT NULL,
                PRIMARY KEY (queue, id)
            ) WITH (
                autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 2000,
                autovacuum_vacuum_insert_scale_factor = 0.0, autovacuum_vacuum_insert_threshold = 10000,
                autovacuum_analyze_scale_factor = 0.0, autovacuum_analyze_threshold = 5000,
                autovacuum_vacuum_cost_delay = 0);
            ALTER TABLE message ALTER COLUMN body SET STORAGE EXTERNAL;
            CREATE INDEX IF NOT EXISTS message_correlation
                ON message (correlation_id) WHERE correlation_id IS NOT NULL;
            CREATE TABLE IF NOT EXISTS delayed_message (
                due_at timestamptz NOT NULL,
                id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
                queue int NOT NULL,
                body bytea NOT NULL,
                PRIMARY KEY (due_at, id));
            """;

    private final String url;
    private final Map<String, Integer> queues = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> watermarks = new ConcurrentHashMap<>();
    private final Map<String, Semaphore> bells = new ConcurrentHashMap<>();

    /** Makes its tables where there are none. */
    public Floor(String url) throws SQLException {
        this.url = url + "&reWriteBatchedInserts=true&prepareThreshold=1&options=" + INDEXES_ONLY;
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_lock(1)");
            statement.execute(SCHEMA);
        }
    }

    @Override
    public Sender sender(String queue, SendMode mode) throws SQLException {
        return switch (mode) {
            case ONE_BY_ONE -> new FloorSender(connect(), queue(queue));
            case TO_ANOTHER_JVM -> new FloorRingingSender(connect(), queue(queue));
            case ASYNCHRONOUSLY, TRANSACTED -> new FloorBatchSender(connect(), queue(queue));
        };
    }

    @Override
    public Receiver receiver(String queue, ReceiveMode mode) throws SQLException {
        int batch = switch (mode) {
            case ONE_BY_ONE, LISTENER, FROM_ANOTHER_JVM -> 1;
            case LAZILY -> LAZY_BATCH;
            case TRANSACTED -> SendMode.BATCH;
        };
        AtomicLong watermark = watermarks.computeIfAbsent(queue, name -> new AtomicLong());
        Connection connection = connect();
        Bell bell = mode == ReceiveMode.FROM_ANOTHER_JVM
                ? new Bell.Notification(connection, queue(queue))
                : new Bell.Pause();
        return new FloorReceiver(connection, queue(queue), batch, watermark, bell);
    }

    @Override
    public Publisher publisher(String topic, int subscriptions) throws SQLException {
        Integer[] ids = new Integer[subscriptions];
        for (int i = 0; i < subscriptions; i++) {
            ids[i] = queue(topic + "-" + i);
        }
        return new FloorPublisher(connect(), ids);
    }

    @Override
    public Picker picker(String queue) throws SQLException {
        return new FloorPicker(connect(), queue(queue));
    }

    @Override
    public Requester requester(String queue, Place place) throws SQLException {
        Connection connection = connect();
        int requests = queue(queue);
        String replies = queue + "-replies";
        return new FloorRequester(
                connection,
                requests,
                bell(connection, queue, requests, place),
                queue(replies),
                bell(connection, replies, queue(replies), place));
    }

    @Override
    public AutoCloseable responder(String queue, Place place) throws SQLException {
        Connection connection = connect();
        int requests = queue(queue);
        String replies = queue + "-replies";
        return new FloorResponder(
                connection,
                requests,
                bell(connection, queue, requests, place),
                queue(replies),
                bell(connection, replies, queue(replies), place));
    }

    private Bell bell(Connection connection, String name, int queue, Place place) {
        return switch (place) {
            case SAME_JVM -> new Bell.Local(bells.computeIfAbsent(name, any -> new Semaphore(0)));
            case OTHER_JVM -> new Bell.Notification(connection, queue);
        };
    }

    @Override
    public void discard(String queue) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("DELETE FROM message WHERE queue = " + queue(queue));
            statement.execute("DELETE FROM delayed_message WHERE queue = " + queue(queue));
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    private int queue(String name) throws SQLException {
        Integer known = queues.get(name);
        if (known != null) {
            return known;
        }
        try (Connection connection = connect();
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO queue (name) VALUES (?) ON CONFLICT DO NOTHING");
                PreparedStatement find = connection.prepareStatement("SELECT id FROM queue WHERE name = ?")) {
            insert.setString(1, name);
            insert.executeUpdate();
            find.setString(1, name);
            try (ResultSet row = find.executeQuery()) {
                row.next();
                int id = row.getInt(1);
                queues.put(name, id);
                return id;
            }
        }
    }

    @Override
    public void close() {}
}
