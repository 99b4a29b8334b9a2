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

    /** How often who is not told looks: where it never comes to that, and as often as Readpast does. */
    private static final int PAUSE_MILLIS = 1;

    private static final int POLL_MILLIS = 10;

    /** Without the driver's own delay of each notification. */
    private static final String LISTENING = "&socketFactory=" + ListeningSocketFactory.class.getName();

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

    private final FloorClients clients = new FloorClients(FloorSql.POSTGRESQL);
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
            case ONE_BY_ONE -> new FloorSender(connect(), clients.sql(), queue(queue));
            case NON_PERSISTENT -> new FloorSender(connectAsynchronous(), clients.sql(), queue(queue));
            case TO_ANOTHER_JVM -> new FloorRingingSender(connect(), queue(queue));
            case ASYNCHRONOUSLY, TRANSACTED -> new FloorBatchSender(connect(), clients.sql(), queue(queue));
        };
    }

    @Override
    public Receiver receiver(String queue, ReceiveMode mode) throws SQLException {
        AtomicLong watermark = watermarks.computeIfAbsent(queue, name -> new AtomicLong());
        int id = queue(queue);
        if (mode == ReceiveMode.FROM_ANOTHER_JVM) {
            Connection connection = connectListening();
            return clients.receiver(connection, id, mode, watermark, new Bell.Notification(connection, id));
        }
        int pause = mode == ReceiveMode.BY_POLLING ? POLL_MILLIS : PAUSE_MILLIS;
        return clients.receiver(connect(), id, mode, watermark, new Bell.Pause(pause));
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
        return new FloorPicker(connect(), clients.sql(), queue(queue));
    }

    @Override
    public Requester requester(String queue, Place place) throws SQLException {
        Connection connection = connectListening();
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
        Connection connection = connectListening();
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
    public AutoCloseable hold(String queue, int count) throws SQLException {
        return clients.hold(connect(), queue(queue), count);
    }

    @Override
    public long browse(String queue) throws SQLException {
        return clients.browse(connect(), queue(queue));
    }

    @Override
    public void takeBySuffix(String queue, String suffix) throws SQLException {
        clients.takeBySuffix(connect(), queue(queue), suffix);
    }

    @Override
    public void discard(String queue) throws SQLException {
        FloorClients.delete(connect(), queue(queue), "message", "delayed_message");
    }

    private Connection connectListening() throws SQLException {
        return DriverManager.getConnection(url + LISTENING);
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    /** Whose commits do not wait for the disk. */
    private Connection connectAsynchronous() throws SQLException {
        Connection connection = connect();
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET synchronous_commit = off");
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
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
