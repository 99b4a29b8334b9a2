package org.readpast.jms.store.jdbc.acknowledge;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.readpast.jms.codec.PropertiesJson;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.jdbc.claim.MessageTable;
import org.readpast.jms.store.jdbc.row.MalformedRowException;
import org.readpast.jms.store.jdbc.row.MessageRow;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.sql.StorableText;

/** What becomes of messages that were delivered and not acknowledged. Thread-safe. */
public final class Redeliveries {

    private static final int REASON_LENGTH = 400;

    private final Statements statements;
    private final MessageTable table;
    private final QueueSettings settings;

    public Redeliveries(Statements statements, MessageTable table, QueueSettings settings) {
        this.statements = statements;
        this.table = table;
        this.settings = settings;
    }

    /**
     * Raises counts and moves messages, leaving alone what somebody else has claimed meanwhile.
     *
     * @param consumer with whom they have failed, a client id or the name of this JVM
     */
    public void carryOut(Connection connection, List<Redelivery> redeliveries, String consumer) throws SQLException {
        raise(connection, only(redeliveries, Redelivery.AtOnce.class));
        delay(connection, only(redeliveries, Redelivery.Delayed.class));
        for (Redelivery.DeadLetter dead : only(redeliveries, Redelivery.DeadLetter.class)) {
            deadLetter(connection, dead, consumer);
        }
    }

    private static <T extends Redelivery> List<T> only(List<Redelivery> redeliveries, Class<T> type) {
        return redeliveries.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private void raise(Connection connection, List<Redelivery.AtOnce> redeliveries) throws SQLException {
        try (Query raise = statements.batch(connection, "raise_delivery_count")) {
            for (Redelivery.AtOnce redelivery : redeliveries) {
                if (table.hold(connection, redelivery.key())) {
                    MessageRow.bindKey(raise, redelivery.key());
                    raise.addBatch();
                }
            }
            if (!redeliveries.isEmpty()) {
                raise.batch();
            }
        }
    }

    private void delay(Connection connection, List<Redelivery.Delayed> redeliveries) throws SQLException {
        try (Query delay = statements.batch(connection, "delay_message")) {
            for (Redelivery.Delayed redelivery : redeliveries) {
                if (table.hold(connection, redelivery.key())) {
                    MessageRow.bindKey(delay, redelivery.key());
                    delay.set("delay_millis", redelivery.delayMillis());
                    delay.addBatch();
                }
            }
            if (!redeliveries.isEmpty()) {
                delay.batch();
            }
        }
    }

    private void deadLetter(Connection connection, Redelivery.DeadLetter dead, String consumer) throws SQLException {
        if (!table.hold(connection, dead.key())) {
            return;
        }
        String unreadable = dead.unreadable();
        String properties = null;
        if (unreadable == null) {
            try {
                properties = withNotes(connection, dead);
            } catch (MalformedRowException e) {
                // Too long to come with the claim, and not read since, for a message without deliveries left is not
                // delivered.
                unreadable = e.getMessage();
            }
        }
        boolean history = settings.isHistoryKept(dead.key().destinationId());
        try (Query move = statements.query(connection, history ? "dead_letter_with_history" : "dead_letter")) {
            MessageRow.bindKey(move, dead.key());
            if (history) {
                move.set("deliveries", dead.deliveries())
                        .set("held_millis", dead.heldMillis())
                        .set("consumer", consumer);
            }
            move.set("target_id", dead.target().id())
                    .set("target", dead.target().name())
                    .set("properties", properties)
                    .set("keep_properties", unreadable == null ? 0 : 1);
            move.update();
        }
        if (unreadable != null) {
            note(connection, dead, unreadable);
        }
    }

    /** Its properties as they are stored, headers among them that their columns cannot hold, and the notes. */
    private String withNotes(Connection connection, Redelivery.DeadLetter dead)
            throws SQLException, MalformedRowException {
        try (Query read = statements.query(connection, "read_properties")) {
            MessageRow.bindKey(read, dead.key());
            String stored = read.value(ResultSet::getString).orElse(null);
            Map<String, Object> properties = PropertiesJson.read(MessageRow.checked(stored));
            properties.putAll(dead.notes());
            return PropertiesJson.write(properties);
        }
    }

    private void note(Connection connection, Redelivery.DeadLetter dead, String reason) throws SQLException {
        try (Query note = statements.query(connection, "note_unreadable")) {
            note.set("destination_id", dead.target().id())
                    .set("priority_order", dead.key().priorityOrder())
                    .set("message_id", dead.key().messageId())
                    .set("origin_id", dead.key().destinationId())
                    .set("reason", StorableText.fit(reason, REASON_LENGTH))
                    .set("deliveries", dead.deliveries())
                    .update();
        }
    }
}
