package org.readpast.operations.messages;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.readpast.operations.database.Answer;
import org.readpast.operations.database.Look;
import org.readpast.operations.database.Row;
import org.readpast.operations.messages.StoredMessage.Kind;
import org.readpast.operations.messages.StoredMessage.Place;
import org.readpast.operations.snapshot.Facts;
import org.readpast.operations.snapshot.Queue;

/** Queues and their messages, page by page from a key. Nothing is kept open between two pages, and nothing is locked. */
public final class Messages {

    static final Instant LONG_AGO = Instant.parse("0001-01-01T00:00:00Z");
    private static final int PERSISTENT = 2;

    private Messages() {}

    /**
     * A page of queues, subscriptions and topics, in this order.
     *
     * @param contains a part of the name; empty for all
     * @param after the last one of the page before; null for the first page
     * @param most so many at the most
     */
    public static Answer<Queue> queues(Look look, String contains, Queue after, int most) throws SQLException {
        return look.ask(
                "queue_page",
                Map.of(
                        "contains",
                        "%" + contains.replaceAll("[!%_]", "!$0") + "%",
                        "part",
                        contains,
                        "least",
                        contains.isEmpty() ? 0 : 1,
                        "after_kind",
                        after == null ? "" : after.kind(),
                        "after_name",
                        after == null ? "" : after.name(),
                        "most",
                        most),
                Facts.queue(look));
    }

    /** The queue, topic or subscription of an id, without its depth; none where it is not there any more. */
    public static Answer<Queue> queue(Look look, int id) throws SQLException {
        return look.ask(
                "destination",
                Map.of("destination_id", id),
                row -> new Queue(row.text("kind"), row.text("name"), row.integer("destination_id"), null, false, null));
    }

    /**
     * Whether the procedures of repair, which take a name, mean this one by its name: a queue comes before a temporary queue before a
     * subscription. Not known where the login may not read messages.
     *
     * @param queue as {@link #queue} has it
     */
    public static Answer<Boolean> isMeantByName(Look look, Queue queue) throws SQLException {
        if (queue.kind().equals("Q")) {
            return new Answer.Known<>(List.of(true));
        }
        if (!queue.kind().equals("TQ") && !queue.kind().equals("S")) {
            return new Answer.Known<>(List.of(false));
        }
        return look.ask(
                "find_source", Map.of("queue", queue.name()), row -> row.integer("destination_id") == queue.id());
    }

    /**
     * A page of what waits, in the order of delivery. What somebody has in his transaction is among it: {@link #holders} says what that is.
     *
     * @param queue its {@code destination_id}
     * @param after the last one of the page before; null for the head of the queue
     * @param most so many at the most
     */
    public static Answer<StoredMessage> waiting(Look look, int queue, Place after, int most) throws SQLException {
        return look.ask(
                "message_page",
                Map.of(
                        "destination_id",
                        queue,
                        "after_priority",
                        after == null ? -1 : after.priority(),
                        "after_id",
                        after == null ? 0L : after.id(),
                        "most",
                        most),
                row -> message(row, true));
    }

    /** The same of what is delayed, held or claimed by lease, in the order in which it is due. */
    public static Answer<StoredMessage> later(Look look, int queue, Place after, int most) throws SQLException {
        return look.ask(
                "delayed_page",
                Map.of(
                        "destination_id",
                        queue,
                        "after_due",
                        Row.written(look.product(), after == null ? LONG_AGO : after.dueAt()),
                        "after_id",
                        after == null ? 0L : after.id(),
                        "most",
                        most),
                row -> message(row, true));
    }

    /**
     * A page of what a condition chooses, of what waits or of what is delayed, held or claimed by lease. Messages are looked at a thousand at a
     * time, without bodies; up to 10,000, or what goes in two seconds, since somebody waits for the page. The next one goes on behind it.
     *
     * @param queue the queue or subscription, by its id; its name is used to count it
     * @param isLater whether those that are delayed, held or claimed by lease
     * @param after the last one that was looked at before; null for the first page
     * @param most so many at the most
     * @return one row; none is known where the login may not read messages
     */
    public static Answer<Found> search(
            Look look, Queue queue, boolean isLater, RowCondition condition, Place after, int most)
            throws SQLException {
        return new PageSearch(look, queue.id(), isLater, condition).from(after, most, counted(look, queue, isLater));
    }

    /** About how many messages are to be looked at; null where it is not known. */
    private static Long counted(Look look, Queue queue, boolean isLater) throws SQLException {
        // By the name, which a subscription may have too.
        Answer<Long> counted = look.ask(
                "find_source",
                Map.of("queue", queue.name()),
                row -> row.integer("destination_id") == queue.id() ? row.number(isLater ? "delayed" : "waiting") : -1);
        return counted.rows().stream().filter(count -> count >= 0).findFirst().orElse(null);
    }

    /** Who has which of the first 10,000 messages of a queue in his transaction. */
    public static Answer<Holder> holders(Look look, int queue) throws SQLException {
        // The view is there without rows on a server that does not show locks, which must not pass for nobody.
        if (Facts.unseen(look) instanceof Answer.Unknown<Long> unseen) {
            return unseen.ofOther();
        }
        return look.ask(
                "locked_in_queue",
                Map.of("destination_id", queue),
                row -> new Holder(
                        row.number("message_id"),
                        row.integer("session_id"),
                        row.text("holder"),
                        row.text("host"),
                        row.text("process"),
                        row.text("login"),
                        row.time("since")));
    }

    /**
     * One message; none where it is not there any more.
     *
     * @param most so many characters of its properties, and bytes of its body
     */
    public static Answer<MessageContent> message(Look look, int queue, Place place, int most) throws SQLException {
        return look.ask(
                place.dueAt() == null ? "message" : "delayed_one",
                place.dueAt() == null
                        ? Map.of(
                                "destination_id",
                                queue,
                                "priority_order",
                                place.priority(),
                                "message_id",
                                place.id(),
                                "most",
                                most)
                        : Map.of(
                                "destination_id",
                                queue,
                                "due",
                                Row.written(look.product(), place.dueAt()),
                                "message_id",
                                place.id(),
                                "most",
                                most),
                row -> new MessageContent(
                        message(row, false),
                        row.text("jms_destination"),
                        row.text("reply_to"),
                        row.integer("delivery_mode") == PERSISTENT,
                        momentOf(row, "jms_delivery_time"),
                        momentOf(row, "jms_expiration"),
                        row.text("properties"),
                        row.number("properties_length"),
                        row.integer("body_format"),
                        row.bytes("body")));
    }

    /** Whether the database is known to have let the session in without asking who it is, as PostgreSQL 16 and later tell. */
    public static boolean isUnauthenticated(Look look) throws SQLException {
        Answer<Boolean> trusted = look.ask("authentication", row -> row.text("method") == null);
        return trusted.rows().contains(true);
    }

    /** What the login may do. */
    public static Answer<Rights> rights(Look look) throws SQLException {
        return look.ask("rights", row -> new Rights(row.flag("may_repair"), row.flag("may_read")));
    }

    private static StoredMessage message(Row row, boolean isOfPage) throws SQLException {
        return new StoredMessage(
                new Place(row.integer("priority_order"), row.number("message_id"), row.time("due_at")),
                row.text("state"),
                row.text("jms_message_id"),
                row.text("jms_type"),
                row.text("correlation_id"),
                row.text("group_id"),
                Instant.ofEpochMilli(row.number("jms_timestamp")),
                row.time("enqueued_at"),
                row.time("expires_at"),
                row.integer("delivery_count"),
                Kind.of(row.integer("body_kind")),
                row.number("body_length"),
                row.flag("is_dead"),
                row.text("origin"),
                isOfPage ? row.text("properties") : null,
                row.text("worker"),
                row.time("held_at"),
                row.time("claimed_at"));
    }

    private static Instant momentOf(Row row, String column) throws SQLException {
        long millis = row.number(column);
        return millis == 0 ? null : Instant.ofEpochMilli(millis);
    }
}
