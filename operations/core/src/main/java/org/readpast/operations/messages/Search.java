package org.readpast.operations.messages;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.readpast.operations.database.Procedures;
import org.readpast.operations.database.Product;
import org.readpast.operations.database.Row;
import org.readpast.operations.database.StatementFile;
import org.readpast.operations.messages.Repair.Action;
import org.readpast.operations.messages.StoredMessage.Place;

/** Walks through the messages of a queue behind a cursor, a chunk at a time, each by a statement of its own that locks nothing for long. */
final class Search {

    static final int CHUNK = 1000;

    private static final String HELD = "held";
    private static final String NO_QUEUE = "22023";

    private final Connection connection;
    private final Product product;
    private final String schema;
    private final Action action;
    private final Chosen chosen;
    private final int destinationId;
    private final long waiting;
    private final long delayed;
    private Cursor cursor;
    private boolean ended;

    /** A message that is meant, and where the walk is behind it. */
    private record Key(Cursor cursor, String json) {}

    /**
     * Those of a chunk that are meant.
     *
     * @param keys as the procedures take them, null where none is meant
     * @param state what the procedure is to hold them to, null for what it takes without one
     * @param count how many are meant
     * @param searched how many were looked at
     * @param unreadable of how many it could not be found out
     */
    record Chunk(String keys, String state, int count, int searched, int unreadable) {}

    Search(Connection connection, Product product, String schema, Action action, String queue, Chosen chosen)
            throws SQLException {
        this.connection = connection;
        this.product = product;
        this.schema = schema;
        this.action = action;
        this.chosen = chosen;
        StatementFile file = Procedures.file(product, schema, "find_source");
        try (PreparedStatement statement = connection.prepareStatement(file.text())) {
            file.bind(statement, product, Map.of("queue", queue));
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    throw new SQLException("There is no queue or subscription '" + queue + "'", NO_QUEUE);
                }
                destinationId = rows.getInt("destination_id");
                waiting = rows.getLong("waiting");
                delayed = rows.getLong("delayed");
            }
        }
        this.cursor = chosen.after() != null ? chosen.after() : first();
    }

    private Cursor first() {
        if (walksWaiting()) {
            return Cursor.HEAD;
        }
        return chosen.state().equals(HELD) ? Cursor.FIRST_HELD : Cursor.FIRST_DELAYED;
    }

    private boolean walksWaiting() {
        return chosen.state() == null
                || chosen.state().equals("waiting")
                || chosen.state().equals("expired");
    }

    private boolean walksDelayed() {
        return chosen.state() == null || !walksWaiting();
    }

    /** About how many messages it has to look at; more than 10,000 of either kind count as 10,001. */
    long about() {
        return (walksWaiting() ? waiting : 0) + (walksDelayed() ? delayed : 0);
    }

    /** Whether there are more than that. */
    boolean isMore() {
        return (walksWaiting() ? waiting : 0) > 10_000 || (walksDelayed() ? delayed : 0) > 10_000;
    }

    /** Behind what it goes on; null at the end. */
    Cursor cursor() {
        return ended ? null : cursor;
    }

    /**
     * The next chunk, or null at the end.
     *
     * @param most so many are taken at the most; what stands behind them comes next
     */
    Chunk next(long most) throws SQLException {
        if (ended) {
            return null;
        }
        boolean isDelayed = cursor.isDelayed();
        // What has expired is not to expire again.
        String state =
                chosen.state() != null || action != Action.EXPIRE ? chosen.state() : isDelayed ? "delayed" : "waiting";
        StatementFile file = Procedures.file(product, schema, isDelayed ? "search_delayed" : "search_waiting");
        Map<String, Object> values = new HashMap<>();
        values.put("destination_id", destinationId);
        values.put("after_priority", cursor.priorityOrder());
        values.put("after_due", Repair.time(product, cursor.dueAt()));
        values.put("after_id", cursor.messageId());
        values.put("most", CHUNK);
        Reading reading = new Reading(isDelayed, state, most);
        try (PreparedStatement statement = connection.prepareStatement(file.text())) {
            file.bind(statement, product, values);
            StatementFile.results(statement, reading::read);
        }
        move(isDelayed, reading);
        String keys = reading.keys.isEmpty()
                ? null
                : "[" + String.join(",", reading.keys.stream().map(Key::json).toList()) + "]";
        return new Chunk(keys, state, reading.keys.size(), reading.searched, reading.unreadable);
    }

    private void move(boolean isDelayed, Reading reading) {
        if (reading.last != null) {
            cursor = reading.last;
        }
        if (!reading.isFull && reading.searched < CHUNK) {
            ended = isDelayed || !walksDelayed();
            cursor = Cursor.FIRST_DELAYED;
        }
    }

    /** What is read of a chunk: not behind the last that may be taken. */
    private final class Reading {

        private final boolean isDelayed;
        private final String state;
        private final long most;
        private final List<Key> keys = new ArrayList<>();
        private Cursor last;
        private int searched;
        private int unreadable;
        private boolean isFull;

        Reading(boolean isDelayed, String state, long most) {
            this.isDelayed = isDelayed;
            this.state = state;
            this.most = most;
        }

        void read(ResultSet rows) throws SQLException {
            Row row = new Row(rows, product);
            while (!isFull && rows.next()) {
                if (isDelayed && !HELD.equals(state) && row.text("state").equals(HELD)) {
                    return;
                }
                searched++;
                last = new Cursor(
                        row.integer("priority_order"), isDelayed ? row.time("due_at") : null, row.number("message_id"));
                if (isMeant(row)) {
                    RowCondition.Answer answer = chosen.condition().of(rows);
                    if (answer == RowCondition.Answer.CHOSEN) {
                        keys.add(new Key(last, json(last, row.integer("delivery_count"), row.number("jms_timestamp"))));
                        isFull = keys.size() == most;
                    } else if (answer == RowCondition.Answer.UNREADABLE) {
                        unreadable++;
                    }
                }
            }
        }

        private boolean isMeant(Row row) throws SQLException {
            String found = row.text("state");
            boolean isInState = state == null ? !isDelayed || found.equals("delayed") : state.equals(found);
            return isInState && (action != Action.RETRY || row.integerOrNull("origin_id") != null);
        }

        private String json(Cursor key, int deliveries, long timestamp) {
            Place place = new Place(key.priorityOrder(), key.messageId(), key.dueAt());
            return new MessageKey(place, deliveries, timestamp).json(product);
        }
    }
}
