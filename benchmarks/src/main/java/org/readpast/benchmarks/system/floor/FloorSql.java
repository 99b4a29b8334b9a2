package org.readpast.benchmarks.system.floor;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/** The statements that both databases have, with the same parameters in the same places, but for {@link #acknowledge}. */
enum FloorSql {
    POSTGRESQL(
            "INSERT INTO message (queue, body) VALUES (?, ?)",
            "INSERT INTO message (queue, body, correlation_id) VALUES (?, ?, ?)",
            "INSERT INTO delayed_message (queue, body, due_at) VALUES (?, ?,"
                    + " statement_timestamp() + ? * interval '1 millisecond')",
            "BEGIN;",
            "DELETE FROM message WHERE queue = ? AND id = ANY (?); COMMIT; BEGIN;",
            "DELETE FROM message WHERE correlation_id = ? AND queue = ? RETURNING body",
            "SELECT body FROM message WHERE queue = ? ORDER BY queue, id",
            "DELETE FROM message WHERE queue = ? AND correlation_id LIKE ? RETURNING body") {

        @Override
        String claim(int batch) {
            return "SELECT id, body FROM message WHERE queue = ? AND id > ? ORDER BY queue, id LIMIT " + batch
                    + " FOR UPDATE SKIP LOCKED";
        }

        @Override
        void bindAcknowledged(PreparedStatement statement, int queue, List<Long> ids) throws SQLException {
            statement.setInt(1, queue);
            statement.setObject(2, ids.toArray(Long[]::new));
        }
    },

    /** With autocommit off the claim begins the next transaction by itself. */
    SQL_SERVER(
            "INSERT INTO floor_message (queue, body) VALUES (?, ?)",
            "INSERT INTO floor_message (queue, body, correlation_id) VALUES (?, ?, ?)",
            "INSERT INTO floor_delayed_message (queue, body, due_at) VALUES (?, ?, DATEADD(MILLISECOND, ?, SYSUTCDATETIME()))",
            "",
            "DELETE m FROM OPENJSON(?) WITH (id bigint '$') AS k INNER LOOP JOIN floor_message AS m"
                    + " WITH (ROWLOCK, FORCESEEK) ON m.queue = ? AND m.id = k.id; COMMIT;",
            "DELETE FROM floor_message OUTPUT deleted.body WHERE correlation_id = ? AND queue = ?",
            "SELECT body FROM floor_message WHERE queue = ? ORDER BY queue, id",
            "DELETE FROM floor_message OUTPUT deleted.body WHERE queue = ? AND correlation_id LIKE ?") {

        @Override
        String claim(int batch) {
            return "SELECT TOP (" + batch + ") id, body FROM floor_message"
                    + " WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK) WHERE queue = ? AND id > ? ORDER BY queue, id";
        }

        @Override
        void bindAcknowledged(PreparedStatement statement, int queue, List<Long> ids) throws SQLException {
            statement.setString(1, ids.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]")));
            statement.setInt(2, queue);
        }
    };

    final String insert;
    final String insertCorrelated;
    final String insertDelayed;
    final String begin;
    final String acknowledge;
    final String take;
    final String browse;
    final String takeBySuffix;

    FloorSql(
            String insert,
            String insertCorrelated,
            String insertDelayed,
            String begin,
            String acknowledge,
            String take,
            String browse,
            String takeBySuffix) {
        this.insert = insert;
        this.insertCorrelated = insertCorrelated;
        this.insertDelayed = insertDelayed;
        this.begin = begin;
        this.acknowledge = acknowledge;
        this.take = take;
        this.browse = browse;
        this.takeBySuffix = takeBySuffix;
    }

    /** Locks up to so many messages of a queue behind an id, in order. */
    abstract String claim(int batch);

    /** Binds the two parameters of {@link #acknowledge}. */
    abstract void bindAcknowledged(PreparedStatement statement, int queue, List<Long> ids) throws SQLException;
}
