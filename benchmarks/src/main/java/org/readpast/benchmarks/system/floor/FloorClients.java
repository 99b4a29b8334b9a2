package org.readpast.benchmarks.system.floor;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicLong;
import org.readpast.benchmarks.system.ReceiveMode;
import org.readpast.benchmarks.system.SendMode;

/** What the floor does alike on both databases, with a queue's number. */
record FloorClients(FloorSql sql) {

    private static final int LAZY_BATCH = 10;

    /** Rows that the driver keeps in memory of those that it reads through. */
    private static final int PAGE = 1000;

    static int batch(ReceiveMode mode) {
        return switch (mode) {
            case ONE_BY_ONE, LISTENER, FROM_ANOTHER_JVM, BY_POLLING -> 1;
            case LAZILY, LAZY_LISTENER -> LAZY_BATCH;
            case TRANSACTED -> SendMode.BATCH;
        };
    }

    /** A transaction that holds what is first in a queue. */
    AutoCloseable hold(Connection connection, int queue, int count) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement claim = connection.prepareStatement(sql.claim(count))) {
            claim.setInt(1, queue);
            claim.setLong(2, 0);
            try (ResultSet rows = claim.executeQuery()) {
                int held = 0;
                while (rows.next()) {
                    held++;
                }
                if (held < count) {
                    throw new IllegalStateException("Only " + held + " of " + count + " messages could be held");
                }
            }
        }
        return () -> {
            try (connection) {
                connection.rollback();
            }
        };
    }

    long browse(Connection connection, int queue) throws SQLException {
        try (connection) {
            connection.setAutoCommit(false);
            try (PreparedStatement browse = connection.prepareStatement(sql.browse)) {
                browse.setFetchSize(PAGE);
                browse.setInt(1, queue);
                long count = 0;
                try (ResultSet rows = browse.executeQuery()) {
                    for (; rows.next(); count++) {
                        FloorClient.text(rows.getBytes(1));
                    }
                }
                connection.rollback();
                return count;
            }
        }
    }

    void takeBySuffix(Connection connection, int queue, String suffix) throws SQLException {
        try (connection;
                PreparedStatement take = connection.prepareStatement(sql.takeBySuffix)) {
            take.setInt(1, queue);
            take.setString(2, "%" + suffix);
            try (ResultSet row = take.executeQuery()) {
                if (!row.next()) {
                    throw new IllegalStateException("No message has a correlation id that ends in " + suffix);
                }
            }
        }
    }

    /** Empties tables of a queue's rows. */
    static void delete(Connection connection, int queue, String... tables) throws SQLException {
        try (connection;
                Statement statement = connection.createStatement()) {
            for (String table : tables) {
                statement.execute("DELETE FROM " + table + " WHERE queue = " + queue);
            }
        }
    }

    FloorReceiver receiver(Connection connection, int queue, ReceiveMode mode, AtomicLong watermark, Bell bell)
            throws SQLException {
        return new FloorReceiver(connection, new FloorReceiver.Source(sql, queue, batch(mode), watermark, bell));
    }
}
