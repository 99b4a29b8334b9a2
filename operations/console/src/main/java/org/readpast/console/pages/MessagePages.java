package org.readpast.console.pages;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.readpast.console.http.Reply;
import org.readpast.console.view.Body;
import org.readpast.console.view.Links;
import org.readpast.console.view.Text;
import org.readpast.operations.database.Answer;
import org.readpast.operations.database.Look;
import org.readpast.operations.messages.Found;
import org.readpast.operations.messages.Holder;
import org.readpast.operations.messages.MessageContent;
import org.readpast.operations.messages.Messages;
import org.readpast.operations.messages.Rights;
import org.readpast.operations.messages.RowCondition;
import org.readpast.operations.messages.StoredMessage;
import org.readpast.operations.messages.StoredMessage.Place;
import org.readpast.operations.snapshot.Client;
import org.readpast.operations.snapshot.Facts;
import org.readpast.operations.snapshot.Moved;
import org.readpast.operations.snapshot.Paused;
import org.readpast.operations.snapshot.Queue;

/** The messages of a queue, and one message. */
final class MessagePages {

    private static final int PAGE = 100;
    private static final int LIVE = 5;
    private static final int REASON_LENGTH = 300;
    static final String DELIVERIES = "JMS_READPAST_Deliveries";
    static final String REASON = "JMS_READPAST_DeadLetterReason";

    /**
     * A message in the list.
     *
     * @param message what the database has of it
     * @param link to its own page
     * @param choice what stands for it in a form; empty where it cannot be chosen
     * @param state in words, with who has it
     * @param reason why it is a dead letter; empty for none
     */
    record Row(StoredMessage message, String link, String choice, String state, String reason) {

        String name() {
            return message.jmsMessageId() == null ? "row " + message.place().id() : message.jmsMessageId();
        }
    }

    private static final Found NOTHING = new Found(List.of(), 0, null, 0, null);

    private final Pages pages;

    MessagePages(Pages pages) {
        this.pages = pages;
    }

    /** What a queue's page is made of. */
    private record Seen(Queue queue, Answer<Found> found, Answer<Holder> holders, Rights rights, String paused) {}

    Reply list(Visit visit) throws Exception {
        int id = visit.integer("queue");
        boolean isLater = visit.has("later");
        Place after = visit.place();
        if (after != null && isLater != (after.dueAt() != null)) {
            throw new Visit.Malformed("this is no place in these messages");
        }
        long before = visit.has("searched") ? visit.number("searched") : 0;
        String wrong = "";
        RowCondition condition = null;
        try {
            condition = visit.selector();
        } catch (Visit.Malformed e) {
            wrong = e.getMessage();
        }
        RowCondition asked = condition;
        boolean isWrong = !wrong.isEmpty();
        Seen seen = visit.user().look(look -> {
            Answer<Queue> queue = Messages.queue(look, id);
            if (queue.isKnown() && queue.rows().isEmpty()) {
                return null;
            }
            Queue known = queue.isKnown() ? queue.rows().get(0) : new Queue("Q", "queue " + id, id, null, false, null);
            return new Seen(
                    known,
                    isWrong
                            ? new Answer.Known<>(List.of(NOTHING))
                            : asked == null
                                    ? all(look, id, isLater, after)
                                    : Messages.search(look, known, isLater, asked, after, PAGE),
                    isLater ? new Answer.Known<>(List.of()) : Messages.holders(look, id),
                    rights(Messages.rights(look)),
                    (paused(look, id) + " " + moved(look, known)).strip());
        });
        if (seen == null) {
            return gone(visit);
        }
        Map<Long, Holder> holders = seen.holders().rows().stream()
                .collect(Collectors.toMap(Holder::messageId, Function.identity(), (one, other) -> one));
        Found found = seen.found().isKnown() ? seen.found().rows().get(0) : NOTHING;
        List<Row> rows = found.messages().stream()
                .map(message -> row(id, message, holders.get(message.place().id())))
                .toList();
        Map<String, Object> model = new HashMap<>();
        model.put("queue", seen.queue());
        model.put("paused", seen.paused());
        model.put("isLater", isLater);
        model.put("rows", rows);
        model.put("where", visit.text("where"));
        model.put("wrong", wrong);
        model.put(
                "searched",
                asked == null
                        ? ""
                        : Text.searched(before + found.searched(), found.about())
                                + (found.next() == null ? ", to the end." : ".")
                                + Text.unreadable(found.unreadable()));
        model.put("unknown", unknown(seen.found()));
        model.put("unknownHolders", unknown(seen.holders()));
        model.put("isFirst", after == null);
        model.put(
                "next",
                found.next() == null
                        ? ""
                        : Links.messages(id, isLater, visit.text("where"), found.next())
                                + (asked == null ? "" : "&searched=" + (before + found.searched())));
        model.put("isFull", rows.size() == PAGE);
        model.put("mayRepair", seen.rights().mayRepair());
        model.put("hasDead", rows.stream().anyMatch(row -> row.message().isDead()));
        return Reply.html(
                isWrong ? 400 : 200,
                pages.render(
                        "messages",
                        Pages.page(
                                "Messages of " + seen.queue().name(),
                                "queues",
                                visit.user(),
                                isWrong ? 0 : asked == null ? LIVE : 2 * LIVE),
                        model));
    }

    private static Answer<Found> all(Look look, int queue, boolean isLater, Place after) throws SQLException {
        Answer<StoredMessage> page =
                isLater ? Messages.later(look, queue, after, PAGE + 1) : Messages.waiting(look, queue, after, PAGE + 1);
        if (page instanceof Answer.Unknown<StoredMessage> unknown) {
            return unknown.ofOther();
        }
        List<StoredMessage> rows = page.rows();
        return new Answer.Known<>(List.of(
                rows.size() <= PAGE
                        ? new Found(rows, 0, null, 0, null)
                        : new Found(
                                rows.subList(0, PAGE),
                                0,
                                null,
                                0,
                                rows.get(PAGE - 1).place())));
    }

    /** That the queue is paused, and which JVMs do not keep to it yet, in words; empty where it is not. */
    private static String paused(Look look, int id) throws SQLException {
        Answer<Paused> all = Facts.paused(look);
        if (!all.isKnown()) {
            return "Whether it is paused is not known: " + unknown(all) + ".";
        }
        Optional<Paused> pause =
                all.rows().stream().filter(row -> row.id() == id).findFirst();
        if (pause.isEmpty()) {
            return "";
        }
        Answer<Client> others = Facts.notKeepingTo(look, pause.get());
        Instant since = pause.get().since();
        return "Paused " + pause.get().what().text() + (since == null ? "" : " since " + Text.of(since)) + ". "
                + (!others.isKnown()
                        ? "Which JVMs keep to it is not known: " + unknown(others) + "."
                        : others.rows().isEmpty()
                                ? "All JVMs that are connected keep to it."
                                : "Not said yet by "
                                        + others.rows().stream()
                                                .map(Client::who)
                                                .collect(Collectors.joining(", ")) + ".");
    }

    /** That the queue is moved to another database or from it, in words; empty where it is not. */
    private static String moved(Look look, Queue queue) throws SQLException {
        Answer<Moved> all = Facts.moved(look);
        return all.isKnown()
                ? all.rows().stream()
                        .filter(row -> row.isOf(queue))
                        .map(row -> "The queue " + row.text() + ".")
                        .findFirst()
                        .orElse("")
                : "Whether it is moved is not known: " + unknown(all) + ".";
    }

    private static Rights rights(Answer<Rights> answer) {
        return answer.rows().isEmpty()
                ? new Rights(false, false)
                : answer.rows().get(0);
    }

    private Reply gone(Visit visit) {
        return pages.error(
                404,
                visit.user(),
                "Not there any more",
                "The queue, subscription or message is not there any more: it was dropped, received, moved or deleted.");
    }

    /** In words; empty where everything could be read. */
    private static String unknown(Answer<?> answer) {
        return answer instanceof Answer.Unknown<?> unknown ? unknown.text() : "";
    }

    private static Row row(int queue, StoredMessage message, Holder holder) {
        String state = switch (message.state()) {
            case "waiting" -> holder == null ? "waits" : "in the transaction of " + holder.who();
            case "expired" -> "has expired";
            case "held" -> "held since " + Text.of(message.heldAt());
            case "claimed" ->
                "claimed by " + message.worker() + " until "
                        + Text.of(message.place().dueAt());
            default -> "due at " + Text.of(message.place().dueAt());
        };
        return new Row(message, Links.message(queue, message.place()), choice(message), state, reason(message));
    }

    /** What is claimed by lease is left to who has it. */
    private static String choice(StoredMessage message) {
        return message.state().equals("claimed") ? "" : Choice.of(message);
    }

    private static String reason(StoredMessage message) {
        if (!message.isDead()) {
            return "";
        }
        String reason = properties(message.properties()).get(REASON);
        return (reason == null ? "" : cut(reason) + " ") + "(from "
                + (message.origin() == null ? "a queue that is gone" : message.origin()) + ")";
    }

    static String cut(String reason) {
        return reason.length() <= REASON_LENGTH ? reason : reason.substring(0, REASON_LENGTH) + "...";
    }

    /** The properties with their values as text; none where it is no JSON, or was cut. */
    static Map<String, String> properties(String json) {
        Map<String, String> properties = new LinkedHashMap<>();
        if (json == null) {
            return properties;
        }
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Map.of();
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                if (value == JsonToken.START_OBJECT || value == JsonToken.START_ARRAY) {
                    parser.skipChildren();
                } else {
                    properties.put(name, value == JsonToken.VALUE_NULL ? "null" : parser.getText());
                }
            }
            return properties;
        } catch (IOException e) {
            return Map.of();
        }
    }

    Reply one(Visit visit) throws Exception {
        int id = visit.integer("queue");
        Place place = visit.place();
        if (place == null) {
            throw new Visit.Malformed("which message?");
        }
        record One(Queue queue, Answer<MessageContent> content, Answer<Holder> holders, Rights rights) {}
        One seen = visit.user().look(look -> {
            Answer<Queue> queue = Messages.queue(look, id);
            return queue.isKnown() && queue.rows().isEmpty()
                    ? null
                    : new One(
                            queue.isKnown()
                                    ? queue.rows().get(0)
                                    : new Queue("Q", "queue " + id, id, null, false, null),
                            Messages.message(look, id, place, Body.MOST),
                            place.dueAt() == null ? Messages.holders(look, id) : new Answer.Known<>(List.of()),
                            rights(Messages.rights(look)));
        });
        if (seen == null || (seen.content().isKnown() && seen.content().rows().isEmpty())) {
            return gone(visit);
        }
        if (!seen.content().isKnown()) {
            return pages.error(403, visit.user(), "Not shown", unknown(seen.content()));
        }
        MessageContent content = seen.content().rows().get(0);
        Holder holder = seen.holders().rows().stream()
                .filter(candidate -> candidate.messageId() == place.id())
                .findFirst()
                .orElse(null);
        StoredMessage message = content.message();
        Map<String, String> properties = properties(content.properties());
        Row row = row(id, message, holder);
        Map<String, Object> model = new HashMap<>();
        model.put("queue", seen.queue());
        model.put("row", row);
        model.put("headers", headers(content, row));
        model.put("properties", properties);
        model.put(
                "rawProperties",
                content.properties() != null
                                && properties.isEmpty()
                                && content.properties().length() > 2
                        ? content.properties()
                        : "");
        model.put("body", Body.of(content));
        model.put("bodyLength", Text.bytes(message.bodyLength()));
        model.put("history", message.isDead() ? history(content, properties) : Map.of());
        model.put("reason", message.isDead() ? reasonOf(message, properties) : "");
        model.put("mayRepair", seen.rights().mayRepair());
        return Reply.html(
                200,
                pages.render(
                        "message",
                        Pages.page(
                                "Message " + (message.jmsMessageId() == null ? place.id() : message.jmsMessageId()),
                                "queues",
                                visit.user(),
                                0),
                        model));
    }

    /** What is noted of a dead letter, in the order in which it happened. */
    private static Map<String, String> history(MessageContent content, Map<String, String> properties) {
        StoredMessage message = content.message();
        Map<String, String> history = new LinkedHashMap<>();
        history.put("Sent (UTC)", Text.of(message.sentAt()));
        history.put("To", properties.get("JMS_READPAST_OriginalDestination"));
        history.put("As", properties.get("JMS_READPAST_OriginalMessageID"));
        history.put("Delivered", properties.containsKey(DELIVERIES) ? properties.get(DELIVERIES) + " times" : null);
        history.put("Given up because", properties.get(REASON));
        history.put("Came here (UTC)", Text.of(message.enqueuedAt()));
        history.values().removeIf(value -> value == null || value.isEmpty());
        return history;
    }

    private static String reasonOf(StoredMessage message, Map<String, String> properties) {
        return properties.getOrDefault(REASON, "not noted") + " (from "
                + (message.origin() == null ? "a queue that is gone" : message.origin()) + ")";
    }

    private static Map<String, String> headers(MessageContent content, Row row) {
        StoredMessage message = content.message();
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("State", row.state());
        headers.put("JMSMessageID", message.jmsMessageId());
        headers.put("JMSDestination", content.destination());
        headers.put("JMSType", message.type());
        headers.put("JMSCorrelationID", message.correlationId());
        headers.put("JMSReplyTo", content.replyTo());
        headers.put("JMSXGroupID", message.group());
        headers.put("JMSPriority", Integer.toString(9 - message.place().priority()));
        headers.put("JMSDeliveryMode", content.isPersistent() ? "persistent" : "non-persistent");
        headers.put("JMSTimestamp (UTC)", Text.of(message.sentAt()));
        headers.put("JMSDeliveryTime (UTC)", Text.of(content.deliveryTime()));
        headers.put("JMSExpiration (UTC)", Text.of(content.expiration()));
        headers.put("Deliveries", Integer.toString(message.deliveries()));
        headers.put("Came into the queue (UTC)", Text.of(message.enqueuedAt()));
        headers.put("Kind of body", message.kind().toString().toLowerCase(java.util.Locale.ROOT));
        headers.values().removeIf(value -> value == null || value.isEmpty());
        return headers;
    }
}
