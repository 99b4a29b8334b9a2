package org.readpast.jms.store.jdbc.acknowledge;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.jdbc.failure.Failures;
import org.readpast.jms.store.jdbc.row.MessageRow;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;

/**
 * The messages that may have been in delivery when a JVM died. A claim is a lock, so nothing says which they were: all that wait where
 * the JVM consumed from are marked, and the deliveries of marked ones are counted as they begin, in rows of their own, since the
 * message's row is locked. Thread-safe.
 */
public final class Suspects {

    private final Statements statements;

    public Suspects(Statements statements) {
        this.statements = statements;
    }

    /**
     * Notes that an instance consumes from a destination, and returns how many rows that took: none if it was noted before.
     *
     * @param byLease whether by leases alone, so that nothing there is marked when it dies
     */
    public int noteConsumed(Connection connection, String instance, int destinationId, boolean byLease)
            throws SQLException {
        try (Query note = statements.query(connection, "note_consumed")) {
            int inserted = note.set("instance", instance)
                    .set("destination_id", destinationId)
                    .set("by_lease", byLease ? 1 : 0)
                    .update();
            return inserted > 0 || byLease ? inserted : noteLocks(connection, instance, destinationId);
        }
    }

    private int noteLocks(Connection connection, String instance, int destinationId) throws SQLException {
        try (Query note = statements.query(connection, "note_locks")) {
            return note.set("instance", instance)
                    .set("destination_id", destinationId)
                    .update();
        }
    }

    /** Marks what a dead instance may have had in its hands, once; the caller holds its lock. */
    public void mark(Connection connection, String dead) throws SQLException {
        ofInstance(connection, "mark_suspects", dead);
        forgetConsumed(connection, dead);
    }

    /** Forgets what an instance consumed from: it was shut down cleanly. */
    public void forgetConsumed(Connection connection, String instance) throws SQLException {
        ofInstance(connection, "forget_consumed", instance);
    }

    /** Forgets that an instance consumed from a destination, which has this id no more. */
    public void forgetConsumed(Connection connection, String instance, int destinationId) throws SQLException {
        try (Query forget = statements.query(connection, "forget_consumed_one")) {
            forget.set("instance", instance)
                    .set("destination_id", destinationId)
                    .update();
        }
    }

    private void ofInstance(Connection connection, String statement, String instance) throws SQLException {
        try (Query update = statements.query(connection, statement)) {
            update.set("instance", instance).update();
        }
    }

    /** Counts a delivery before it begins, and returns how many before it were counted and never ended. */
    public int countDelivery(Connection connection, MessageKey key) throws SQLException {
        try (Query count = statements.query(connection, "count_delivery")) {
            MessageRow.bindKey(count, key);
            return count.value(ResultSet::getInt)
                            .orElseThrow(
                                    () -> new SQLException("The count of a delivery was not returned", Failures.OWN))
                    - 1;
        }
    }

    /**
     * Puts what was counted before these deliveries, which end now, into the counts of the messages, and returns of how many messages
     * something was counted.
     */
    public int endDeliveries(Connection connection, Collection<MessageKey> keys) throws SQLException {
        ofMessages(connection, "add_counted", keys);
        return ofMessages(connection, "forget_counted", keys);
    }

    private int ofMessages(Connection connection, String statement, Collection<MessageKey> keys) throws SQLException {
        try (Query update = statements.query(connection, statement)) {
            for (MessageKey key : keys) {
                MessageRow.bindKey(update, key);
                update.addBatch();
            }
            return Arrays.stream(update.counts()).sum();
        }
    }

    /** Removes marks, counts and reasons that have no message any more. */
    public int sweep(Connection connection) throws SQLException {
        try (Query marks = statements.query(connection, "sweep_marks");
                Query counted = statements.query(connection, "sweep_counted");
                Query reasons = statements.query(connection, "sweep_unreadable")) {
            return marks.update() + counted.update() + reasons.removed();
        }
    }
}
