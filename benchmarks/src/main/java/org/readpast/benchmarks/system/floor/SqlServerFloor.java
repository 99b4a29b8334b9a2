package org.readpast.benchmarks.system.floor;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.readpast.benchmarks.system.Place;
import org.readpast.benchmarks.system.ReceiveMode;
import org.readpast.benchmarks.system.SendMode;
import org.readpast.benchmarks.system.SystemUnderTest;

/** Hand-written JDBC on SQL Server: sending and receiving. What it has not says so. */
public final class SqlServerFloor implements SystemUnderTest {

    private static final String DRIVER_SETTINGS = ";disableStatementPooling=false;statementPoolingCacheSize=256";
    private static final int PAUSE_MILLIS = 1;

    private static final String SCHEMA = """
            IF OBJECT_ID('floor_queue') IS NULL
                CREATE TABLE floor_queue (id int IDENTITY PRIMARY KEY, name nvarchar(200) NOT NULL UNIQUE);
            IF OBJECT_ID('floor_message') IS NULL
            BEGIN
                CREATE TABLE floor_message (
                    queue int NOT NULL,
                    id bigint IDENTITY NOT NULL,
                    correlation_id nvarchar(100),
                    body varbinary(max) NOT NULL,
                    CONSTRAINT floor_message_key PRIMARY KEY CLUSTERED (queue, id) WITH (ALLOW_PAGE_LOCKS = OFF));
                ALTER TABLE floor_message SET (LOCK_ESCALATION = DISABLE);
                CREATE INDEX floor_message_correlation ON floor_message (correlation_id)
                    WHERE correlation_id IS NOT NULL;
            END;
            IF OBJECT_ID('floor_delayed_message') IS NULL
                CREATE TABLE floor_delayed_message (
                    due_at datetime2(3) NOT NULL,
                    id bigint IDENTITY NOT NULL,
                    queue int NOT NULL,
                    body varbinary(max) NOT NULL,
                    CONSTRAINT floor_delayed_message_key PRIMARY KEY CLUSTERED (due_at, id));
            """;

    private final FloorClients clients = new FloorClients(FloorSql.SQL_SERVER);
    private final String url;
    private final Map<String, Integer> queues = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> watermarks = new ConcurrentHashMap<>();

    /** Makes its tables where there are none. */
    public SqlServerFloor(String url) throws SQLException {
        this.url = url + DRIVER_SETTINGS;
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(SCHEMA);
        }
    }

    @Override
    public Sender sender(String queue, SendMode mode) throws SQLException {
        return switch (mode) {
            case ONE_BY_ONE, NON_PERSISTENT, TO_ANOTHER_JVM -> new FloorSender(connect(), clients.sql(), queue(queue));
            case ASYNCHRONOUSLY, TRANSACTED -> new FloorBatchSender(connect(), clients.sql(), queue(queue));
        };
    }

    @Override
    public Receiver receiver(String queue, ReceiveMode mode) throws SQLException {
        Connection connection = connect();
        connection.setAutoCommit(false);
        AtomicLong watermark = watermarks.computeIfAbsent(queue, name -> new AtomicLong());
        return clients.receiver(connection, queue(queue), mode, watermark, new Bell.Pause(PAUSE_MILLIS));
    }

    @Override
    public Picker picker(String queue) throws SQLException {
        return new FloorPicker(connect(), clients.sql(), queue(queue));
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
        FloorClients.delete(connect(), queue(queue), "floor_message", "floor_delayed_message");
    }

    @Override
    public Publisher publisher(String topic, int subscriptions) {
        throw missing();
    }

    @Override
    public Requester requester(String queue, Place place) {
        throw missing();
    }

    @Override
    public AutoCloseable responder(String queue, Place place) {
        throw missing();
    }

    private static UnsupportedOperationException missing() {
        return new UnsupportedOperationException("the floor has no T-SQL for this");
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
                PreparedStatement insert = connection.prepareStatement(
                        "IF NOT EXISTS (SELECT 1 FROM floor_queue WHERE name = ?) INSERT INTO floor_queue (name) VALUES (?)");
                PreparedStatement find = connection.prepareStatement("SELECT id FROM floor_queue WHERE name = ?")) {
            insert.setString(1, name);
            insert.setString(2, name);
            insert.executeUpdate();
            find.setString(1, name);
            try (ResultSet row = find.executeQuery()) {
                row.next();
                queues.put(name, row.getInt(1));
                return row.getInt(1);
            }
        }
    }

    @Override
    public void close() {}
}
