package org.readpast.verify;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What two connections do to each other. Nobody here waits for longer than two seconds. */
final class LockChecks {

    private static final String AREA = "locks";
    static final int LOCK_TIMEOUT = 1222;

    private final Server server;
    private final Report report;
    private final Map<String, SqlFile> files;

    LockChecks(Server server, Report report, List<SqlFile> files) {
        this.server = server;
        this.report = report;
        this.files = files.stream().collect(Collectors.toMap(SqlFile::name, file -> file));
    }

    private record Key(int destination, int priority, long message) {
        String json() {
            return "{\"d\":" + destination + ",\"p\":" + priority + ",\"i\":" + message + "}";
        }

        String array() {
            return "[" + destination + "," + priority + "," + message + "]";
        }
    }

    /** What happens on two connections, the second of which gives up waiting after two seconds. */
    @FunctionalInterface
    interface Between {
        String run(Connection one, Connection other) throws Exception;
    }

    void check(String what, Between between) {
        report.check(AREA, what, () -> withTwo(between));
    }

    private String withTwo(Between between) throws Exception {
        try (Connection one = server.connect();
                Connection other = server.connect()) {
            server.rows(other, "SET LOCK_TIMEOUT 2000");
            try {
                return between.run(one, other);
            } finally {
                one.rollback();
                other.rollback();
            }
        }
    }

    void run() {
        check("a claim steps over what another one holds, and does not wait", this::claimStepsOver);
        check("a claim steps over what is being sent and acknowledged, and does not wait", this::claimStepsOverChanges);
        check("a claim locks rows and nothing larger", this::claimLocksRows);
        check("10,000 claimed rows do not become a lock on the table", this::noEscalation);
        check("a look at a queue steps over what is being deleted", this::lookStepsOver);
        check("a DELETE and an UPDATE with READPAST step over what is claimed", this::changesStepOver);
        check("an acknowledgement is committed in its round trip, and says so", this::acknowledgement);
        check("an acknowledgement of what is gone is refused, and rolled back", this::refusedAcknowledgement);
        check("the next claim begins in the round trip of the commit, and holds its rows", this::acknowledgeAndClaim);
        new HousekeepingChecks(server, this).run();
        report.look(
                AREA, "an INSERT of a key that somebody has looked for by equality, just deleted", () -> ghost("="));
        report.look(AREA, "an INSERT of a key that somebody has looked for by range, just deleted", () -> ghost(">="));
        report.look(AREA, "a publisher's look at a topic that a subscriber is changing", this::publisher);
    }

    int queue(String name, int messages) throws SQLException {
        server.run("EXECUTE [readpast].create_queue @queue = N'" + name + "'");
        int id = Integer.parseInt(server.value(
                "SELECT destination_id FROM [readpast].destination WHERE kind = N'Q' AND name = N'" + name + "'"));
        server.run("DELETE FROM [readpast].message WHERE destination_id = " + id);
        server.run("WITH n AS (SELECT v FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS t (v)),"
                + " m AS (SELECT 10000 * a.v + 1000 * b.v + 100 * c.v + 10 * d.v + e.v AS i"
                + " FROM n a CROSS JOIN n b CROSS JOIN n c CROSS JOIN n d CROSS JOIN n e)"
                + " INSERT INTO [readpast].message (destination_id, priority_order, jms_message_id, jms_destination, delivery_mode,"
                + " jms_timestamp, jms_expiration, jms_delivery_time, body_kind, body_format, body_length)"
                + " SELECT " + id + ", 5, CONCAT(N'ID:', i), N'queue://" + name
                + "', 2, 0, 0, 0, 1, 0, 0 FROM m WHERE i < "
                + messages);
        return id;
    }

    /** Runs a statement with these parameters and returns the keys in its results. */
    private List<Key> keys(Connection connection, String statement, Map<String, Object> parameters)
            throws SQLException {
        List<Key> found = new ArrayList<>();
        run(connection, statement, parameters, rows -> {
            if (rows.getMetaData().getColumnCount() > 2) {
                while (rows.next()) {
                    found.add(new Key(rows.getInt(1), rows.getInt(2), rows.getLong(3)));
                }
            }
        });
        return found;
    }

    @FunctionalInterface
    interface Reader {
        void read(ResultSet rows) throws SQLException;
    }

    void run(Connection connection, String statement, Map<String, Object> parameters, Reader reader)
            throws SQLException {
        SqlFile file = files.get(statement);
        try (PreparedStatement call = connection.prepareStatement(file.asCall())) {
            int position = 0;
            for (String parameter : file.positions()) {
                position++;
                if (parameters.containsKey(parameter)) {
                    call.setObject(position, parameters.get(parameter));
                } else {
                    Values.set(call, position, parameter);
                }
            }
            boolean isRows = call.execute();
            while (isRows || call.getUpdateCount() != -1) {
                if (isRows) {
                    try (ResultSet rows = call.getResultSet()) {
                        reader.read(rows);
                    }
                }
                isRows = call.getMoreResults();
            }
        }
    }

    private List<Key> claim(Connection connection, int queue, int max) throws SQLException {
        return keys(connection, "claim", head(queue, max));
    }

    private static Map<String, Object> head(int queue, int max) {
        return Map.of(
                "destination_id",
                queue,
                "after_priority",
                Short.MIN_VALUE - 1,
                "after_id",
                0L,
                "max",
                max,
                "max_inline_body",
                1000);
    }

    private static String json(List<Key> keys) {
        return keys.stream().map(Key::json).collect(Collectors.joining(",", "[", "]"));
    }

    static void require(boolean holds, String otherwise) throws Report.NotHeld {
        if (!holds) {
            throw new Report.NotHeld(otherwise);
        }
    }

    private String claimStepsOver(Connection one, Connection other) throws Exception {
        int queue = queue("verify claims", 100);
        List<Key> first = claim(one, queue, 10);
        List<Key> second = claim(other, queue, 10);
        require(
                first.size() == 10 && second.size() == 10,
                "of 100 messages two claims got " + first.size() + " and " + second.size()
                        + " of the 10 that each asked for");
        Set<Key> both = new HashSet<>(first);
        both.retainAll(second);
        require(
                both.isEmpty(),
                both.size() + " messages were claimed twice: UPDLOCK and READPAST do not do what they are for");
        require(
                first.get(9).message() < second.get(0).message(),
                "the second claim got earlier messages than the first");
        return "";
    }

    /** With optimized locking (Azure SQL, SQL Server 2025) a changed row has no lock of its own, but its transaction's. */
    private String claimStepsOverChanges(Connection one, Connection other) throws Exception {
        int queue = queue("verify claims", 30);
        run(one, "acknowledge", Map.of("keys", json(claim(one, queue, 10))), rows -> {});
        run(
                one,
                "insert_message",
                Map.of("destination_id", queue, "priority_order", 0, "jms_destination", "queue://verify claims"),
                rows -> {});
        int free = claim(other, queue, 30).size();
        require(
                free == 20,
                "of 30 messages, 10 of them being acknowledged, and one that is being sent, a claim got " + free);
        return "";
    }

    private String claimLocksRows(Connection one, Connection other) throws Exception {
        int queue = queue("verify claims", 1_000);
        claim(one, queue, 100);
        Map<String, Integer> locks = locks(one);
        String text = locks.toString();
        require(locks.keySet().stream().noneMatch(LockChecks::isLarge), "locks beyond rows: " + text);
        // A plan that reads ahead would lock messages that it does not return, and others step over them.
        require(locks.getOrDefault("KEY U", 0) == 100, "100 claimed messages, and these locks: " + text);
        return text;
    }

    private String noEscalation(Connection one, Connection other) throws Exception {
        int queue = queue("verify claims", 12_000);
        int claimed = claim(one, queue, 10_000).size();
        require(claimed == 10_000, "a claim of 10,000 got " + claimed);
        require(claim(other, queue, 10).size() == 10, "the next claim got nothing");
        run(one, "acknowledge", Map.of("keys", json(claim(one, queue, 10))), rows -> {});
        Map<String, Integer> locks = locks(one);
        require(locks.keySet().stream().noneMatch(LockChecks::isLarge), "locks beyond rows: " + locks);
        require(locks.getOrDefault("KEY U", 0) >= 9_990, "10,000 claimed messages, and these locks: " + locks);
        return locks.toString();
    }

    private static boolean isLarge(String lock) {
        return (lock.startsWith("PAGE ") || lock.startsWith("OBJECT ")) && !lock.matches("\\w+ (I[SUX]|S[cC][hH]-S)");
    }

    /** The locks that a connection has on tables, pages and keys, and how many of each. */
    private Map<String, Integer> locks(Connection connection) throws Exception {
        Map<String, Integer> locks = new TreeMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT resource_type, request_mode, COUNT(*) FROM sys.dm_tran_locks WHERE request_session_id = @@SPID"
                                + " AND resource_type IN ('OBJECT', 'PAGE', 'KEY', 'RID', 'HOBT')"
                                + " GROUP BY resource_type, request_mode")) {
            while (rows.next()) {
                locks.put(rows.getString(1) + " " + rows.getString(2), rows.getInt(3));
            }
        } catch (SQLException e) {
            throw new Report.NotChecked(
                    "locks cannot be seen, which takes VIEW SERVER STATE or VIEW DATABASE STATE: " + Errors.text(e));
        }
        return locks;
    }

    private String lookStepsOver(Connection one, Connection other) throws Exception {
        int queue = queue("verify claims", 10);
        run(one, "acknowledge", Map.of("keys", json(claim(one, queue, 10))), rows -> {});
        boolean[] found = new boolean[1];
        run(other, "available", Map.of("destination_ids", "[" + queue + "]"), rows -> found[0] = rows.next());
        require(!found[0], "messages that are being deleted were found");
        return "";
    }

    private String changesStepOver(Connection one, Connection other) throws Exception {
        int queue = queue("verify claims", 20);
        List<Key> claimed = claim(one, queue, 10);
        try (PreparedStatement update = other.prepareStatement("UPDATE m SET delivery_count = delivery_count + 1 FROM "
                + table("message") + " AS m WITH (READPAST, ROWLOCK) WHERE m.destination_id = ?")) {
            update.setInt(1, queue);
            int updated = update.executeUpdate();
            require(updated == 10, "of 20 messages, 10 of them claimed, an UPDATE with READPAST changed " + updated);
        }
        try (PreparedStatement delete = other.prepareStatement(
                "DELETE FROM " + table("message") + " WITH (READPAST, ROWLOCK) WHERE destination_id = ?")) {
            delete.setInt(1, queue);
            int deleted = delete.executeUpdate();
            require(deleted == 10, "of 20 messages, 10 of them claimed, a DELETE with READPAST removed " + deleted);
        }
        other.commit();
        int[] acknowledged = new int[1];
        SqlFile file = files.get("acknowledge");
        try (PreparedStatement delete = one.prepareStatement(file.asCall())) {
            delete.setNString(1, json(claimed));
            acknowledged[0] = delete.executeUpdate();
        }
        require(acknowledged[0] == 10, "of the 10 claimed messages " + acknowledged[0] + " were still there");
        return "";
    }

    private String table(String name) {
        return "[" + server.schema() + "]." + name;
    }

    private void batch(Connection connection, List<Key> keys, int expected) throws SQLException {
        SqlFile file = files.get("acknowledge_and_commit");
        String array = keys.stream().map(Key::array).collect(Collectors.joining(",", "N'[", "]'"));
        try (Statement batch = connection.createStatement()) {
            Server.drain(
                    batch,
                    batch.execute(file.withLiterals(
                            parameter -> parameter.equals("keys") ? array : Integer.toString(expected))));
        }
    }

    private String acknowledgement(Connection one, Connection other) throws Exception {
        int queue = queue("verify claims", 20);
        List<Key> claimed = claim(one, queue, 10);
        batch(one, claimed, 10);
        require(server.transactions(one) == 0, "a transaction was left open");
        List<Key> rest = claim(other, queue, 20);
        require(rest.size() == 10, "10 of 20 messages were acknowledged, and then " + rest.size() + " were there");
        return "";
    }

    private String refusedAcknowledgement(Connection one, Connection other) throws Exception {
        int queue = queue("verify claims", 10);
        List<Key> claimed = claim(one, queue, 5);
        try {
            batch(one, claimed, 6);
        } catch (SQLException e) {
            require(e.getErrorCode() == 50001, "instead of 50001: " + Errors.text(e));
            require(server.transactions(one) == 0, "a transaction was left open");
            List<Key> left = claim(other, queue, 10);
            require(left.size() == 10, "of 10 messages " + left.size() + " are left");
            return "";
        }
        throw new Report.NotHeld("it was not refused");
    }

    private String acknowledgeAndClaim(Connection one, Connection other) throws Exception {
        int queue = queue("verify claims", 30);
        List<Key> first = claim(one, queue, 10);
        Map<String, Object> parameters = new TreeMap<>(head(queue, 10));
        parameters.put("keys", json(first));
        parameters.put("expected", 10);
        List<Key> second = keys(one, "acknowledge_and_claim", parameters);
        require(second.size() == 10, "it claimed " + second.size() + " instead of 10");
        List<Key> rest = claim(other, queue, 30);
        require(rest.size() == 10, "another connection claimed " + rest.size() + " of the 10 that nobody has");
        require(server.transactions(one) == 1, server.transactions(one) + " transactions are open instead of one");
        return "";
    }

    /** Whether who looks for a key that was just deleted keeps others from inserting it again. */
    private String ghost(String comparison) throws Exception {
        return withTwo((one, other) -> {
            int queue = queue("verify ghosts", 20);
            String key = "SELECT MIN(message_id) FROM [readpast].message WHERE destination_id = " + queue;
            long id = Long.parseLong(server.value(key));
            server.run("DELETE FROM [readpast].message WHERE destination_id = " + queue + " AND message_id = " + id);
            server.rows(
                    one,
                    "SELECT TOP (1) message_id FROM [readpast].message WITH (UPDLOCK, READPAST, ROWLOCK,"
                            + " FORCESEEK (message_key (destination_id, priority_order, message_id))) WHERE destination_id = "
                            + queue + " AND priority_order = 5 AND message_id " + comparison + " " + id);
            try {
                server.rows(
                        other,
                        "INSERT INTO [readpast].message (destination_id, priority_order, message_id, jms_destination, delivery_mode,"
                                + " jms_timestamp, jms_expiration, jms_delivery_time, body_kind, body_format, body_length) VALUES ("
                                + queue + ", 5, " + id + ", N'queue://verify ghosts', 2, 0, 0, 0, 1, 0, 0)");
                return "does not wait";
            } catch (SQLException e) {
                return e.getErrorCode() == LOCK_TIMEOUT ? "waits for whoever looked" : Errors.text(e);
            }
        });
    }

    int topic() throws Exception {
        server.run("INSERT INTO [readpast].destination (kind, name) SELECT N'T', N'verify topic' WHERE NOT EXISTS ("
                + "SELECT 1 FROM [readpast].destination WHERE kind = N'T' AND name = N'verify topic')");
        return Integer.parseInt(server.value(
                "SELECT destination_id FROM [readpast].destination WHERE kind = N'T' AND name = N'verify topic'"));
    }

    private String publisher() throws Exception {
        return withTwo((one, other) -> {
            int topic = topic();
            run(one, "raise_version", Map.of("destination_id", topic), rows -> {});
            try {
                run(other, "topic_version", Map.of("topic_id", topic), ResultSet::next);
                return "does not wait";
            } catch (SQLException e) {
                return e.getErrorCode() == LOCK_TIMEOUT ? "waits for the subscriber's commit" : Errors.text(e);
            }
        });
    }
}
