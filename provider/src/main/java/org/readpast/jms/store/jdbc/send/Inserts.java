package org.readpast.jms.store.jdbc.send;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.PropertiesJson;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.jdbc.connect.SizeLimits;
import org.readpast.jms.store.jdbc.row.BodyFormat;
import org.readpast.jms.store.jdbc.row.Copies;
import org.readpast.jms.store.jdbc.row.MessageRow;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.CommitVerifier;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;

/** How one database inserts messages. It commits only where a method says so. Thread-safe. */
public abstract class Inserts {

    /** From so many bytes that further copies of a body would have it is stored once. See docs/decisions/shared-bodies.md. */
    private static final long SHARED_BYTES = 32 * 1024;

    final Statements statements;
    private final BodyFormat textFormat;
    private final SizeLimits sizes;

    /** @param textFormat the encoding that SQL can read text bodies in */
    Inserts(Statements statements, BodyFormat textFormat, SizeLimits sizes) {
        this.statements = statements;
        this.textFormat = textFormat;
        this.sizes = sizes;
    }

    final BodyFormat textFormat() {
        return textFormat;
    }

    /** How large messages may be. */
    final SizeLimits sizes() {
        return sizes;
    }

    /** Whether the body of a message is too large to come with it. */
    final boolean isLarge(NewMessage message) {
        return hasMoreBytes(message, sizes.inlineBody());
    }

    /** Whether the body of a message that so many subscriptions get is to be stored once for all of them. */
    final boolean paysToShare(NewMessage message, int copies) {
        return copies > 1 && hasMoreBytes(message, (SHARED_BYTES - 1) / (copies - 1));
    }

    /** Whether a body and its copies are committed together by an application's connection, be it without a transaction: by one statement. */
    boolean commitsTogether(Connection connection) throws SQLException {
        return true;
    }

    /** Whether a body has more than so many bytes. Text that cannot have is not measured. */
    private boolean hasMoreBytes(NewMessage message, long bytes) {
        Body body = message.message().body();
        if (body instanceof Body.Text text && text.text().length() <= bytes / BodyFormat.MOST_BYTES) {
            return false;
        }
        return BodyFormat.of(body, textFormat).length(body) > bytes;
    }

    /** Inserts within the open transaction, in order and in one round trip for those of one kind. */
    public final void insert(Connection connection, Collection<NewMessage> messages, CommitVerifier verifier)
            throws SQLException {
        long now = System.nanoTime();
        Map<Boolean, List<NewMessage>> delayed =
                messages.stream().collect(Collectors.partitioningBy(sent -> MessageRow.remainingDelay(sent, now) > 0));
        insertAll(connection, "insert_message", delayed.get(false), now, verifier);
        insertAll(connection, "insert_delayed", delayed.get(true), now, verifier);
    }

    /** Inserts messages, none or many, of one kind: by the statement for one of them. */
    void insertAll(
            Connection connection, String statement, List<NewMessage> messages, long now, CommitVerifier verifier)
            throws SQLException {
        if (messages.isEmpty()) {
            return;
        }
        try (Query insert = statements.batch(connection, statement)) {
            for (NewMessage sent : messages) {
                MessageRow.bind(insert, sent, textFormat, now);
                if (messages.size() == 1) {
                    insert.update();
                } else {
                    insert.addBatch();
                }
            }
            if (messages.size() > 1) {
                insert.batch();
            }
        }
    }

    /** Inserts one message and commits it, in one round trip; here where switching autocommit costs nothing. */
    void insertAndCommit(Connection connection, NewMessage message) throws SQLException {
        ShortTransactions.committing(connection, open -> {
            long now = System.nanoTime();
            boolean delayed = MessageRow.remainingDelay(message, now) > 0;
            try (Query insert = statements.query(open, delayed ? "insert_delayed" : "insert_message")) {
                MessageRow.bind(insert, message, textFormat, now);
                return insert.update();
            }
        });
    }

    /** Inserts one message for a queue, leaves a marker of the transaction, and commits both, in one round trip where it can. */
    public void insertMarkAndCommit(Connection connection, NewMessage message, String token) throws SQLException {
        long now = System.nanoTime();
        boolean delayed = MessageRow.remainingDelay(message, now) > 0;
        String statement = delayed ? "insert_delayed_mark_and_commit" : "insert_message_mark_and_commit";
        try (Query insert = statements.query(connection, statement)) {
            MessageRow.bind(insert, message, textFormat, now);
            insert.set("token", token).eachResult((rows, number) -> rows.close());
        }
    }

    /** Leaves a marker of the open transaction and commits, in one round trip where the database can. */
    public void markAndCommit(Connection connection, String token) throws SQLException {
        try (Query mark = statements.query(connection, "mark_and_commit")) {
            mark.set("token", token).eachResult((rows, number) -> rows.close());
        }
    }

    /** Notes the duplicate ids of messages that are being sent, and returns those that were not noted before. */
    Set<DuplicateId> noteDuplicates(Connection connection, SortedSet<DuplicateId> ids, long windowMillis)
            throws SQLException {
        Set<DuplicateId> noted = new TreeSet<>();
        String json = ids.stream()
                .map(id -> PropertiesJson.write(Map.of("d", id.destinationId(), "i", id.text())))
                .collect(Collectors.joining(",", "[", "]"));
        try (Query note = statements.query(connection, "note_duplicates")) {
            note.set("ids", json).set("window_millis", windowMillis).eachResult((rows, number) -> {
                while (rows.next()) {
                    noted.add(new DuplicateId(rows.getInt("destination_id"), rows.getString("duplicate_id")));
                }
            });
        }
        return noted;
    }

    /**
     * Publishes within the open transaction messages that are all delayed or all not; returns for how many subscriptions each was inserted.
     * In one round trip for those in a row whose bodies are shared, or are not.
     */
    final int[] publish(Connection connection, List<Copies> all, long now) throws SQLException {
        int[] inserted = new int[all.size()];
        int done = 0;
        while (done < all.size()) {
            boolean shareBody = all.get(done).shareBody();
            int end = done + 1;
            while (end < all.size() && all.get(end).shareBody() == shareBody) {
                end++;
            }
            int[] counts = publishAlike(connection, all.subList(done, end), now);
            System.arraycopy(counts, 0, inserted, done, counts.length);
            done = end;
        }
        return inserted;
    }

    private int[] publishAlike(Connection connection, List<Copies> all, long now) throws SQLException {
        if (all.size() == 1) {
            return new int[] {publish(connection, all.get(0), now)};
        }
        try (Query publish = statements.query(connection, publication(all.get(0), now))) {
            for (Copies copies : all) {
                bindCopies(publish, copies, now);
                publish.addBatch();
            }
            return publish.counts();
        }
    }

    /** The same for one message. */
    final int publish(Connection connection, Copies copies, long now) throws SQLException {
        try (Query publish = statements.query(connection, publication(copies, now))) {
            bindCopies(publish, copies, now);
            return publish.update();
        }
    }

    /** The name of the statement that publishes a message. */
    static String publication(Copies copies, long now) {
        return (copies.shareBody() ? "publish_shared_" : "publish_") + (copies.isDelayed(now) ? "delayed" : "message");
    }

    final void bindCopies(Query publish, Copies copies, long now) throws SQLException {
        publish.set("topic_id", copies.message().destinationId()).set("version", copies.version());
        statements.bindIds(publish, copies.subscriptions());
        MessageRow.bindCopies(publish, copies, textFormat, now);
    }

    /**
     * Publishes one message and commits it, in one round trip; returns for how many subscriptions it was inserted. Here where switching
     * autocommit costs nothing.
     */
    int publishAndCommit(Connection connection, Copies copies) throws SQLException {
        return ShortTransactions.committing(connection, open -> publish(open, copies, System.nanoTime()));
    }

    /** As {@link #insertAndCommit}, a message that may be lost with the server: where the database can, without waiting for its disk. */
    void insertNonPersistent(Connection connection, NewMessage message) throws SQLException {
        insertAndCommit(connection, message);
    }

    /** As {@link #publishAndCommit}, likewise. */
    int publishNonPersistent(Connection connection, Copies copies) throws SQLException {
        return publishAndCommit(connection, copies);
    }

    /** Commits the open transaction, likewise. */
    void commitNonPersistent(Connection connection) throws SQLException {
        connection.commit();
    }
}
