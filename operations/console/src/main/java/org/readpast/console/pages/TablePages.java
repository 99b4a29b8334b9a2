package org.readpast.console.pages;

import static org.readpast.console.view.Table.Cell.link;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.readpast.console.http.Reply;
import org.readpast.console.view.Links;
import org.readpast.console.view.Table;
import org.readpast.console.view.Text;
import org.readpast.operations.database.Answer;
import org.readpast.operations.messages.Messages;
import org.readpast.operations.messages.StoredMessage;
import org.readpast.operations.snapshot.DeadLetters;
import org.readpast.operations.snapshot.Facts;
import org.readpast.operations.snapshot.OpenConsumers;
import org.readpast.operations.snapshot.Outcome;
import org.readpast.operations.snapshot.Timing;

/** Pages that are tables of what the operations core sees. */
final class TablePages {

    private static final int LIVE = 5;
    private static final int SHOWN = 1000;
    private static final int DEAD_QUEUES = 5;
    private static final int DEAD = 20;

    private final Pages pages;

    TablePages(Pages pages) {
        this.pages = pages;
    }

    Reply deadLetters(Visit visit) throws Exception {
        List<Table> tables = visit.user().look(look -> {
            Answer<DeadLetters> counts = Facts.deadLetters(look);
            List<Table> made = new ArrayList<>();
            made.add(counts(counts));
            Map<Integer, String> queues = new LinkedHashMap<>();
            counts.rows().forEach(row -> queues.put(row.id(), row.queue()));
            for (int queue : queues.keySet().stream().limit(DEAD_QUEUES).toList()) {
                made.add(dead(queue, queues.get(queue), Messages.waiting(look, queue, null, DEAD)));
            }
            return made;
        });
        return tables(visit, "Dead letters", "dead-letters", tables);
    }

    private static Table dead(int queue, String name, Answer<StoredMessage> first) {
        return Table.of(
                "The first dead letters in " + name,
                first.isKnown()
                        ? new Answer.Known<>(first.rows().stream()
                                .filter(StoredMessage::isDead)
                                .toList())
                        : first,
                "Among the first " + DEAD + " messages of the queue there are none.",
                List.of("Message", "Comes from", "Why", "Deliveries", "Sent (UTC)", "Died (UTC)"),
                message -> {
                    Map<String, String> properties = MessagePages.properties(message.properties());
                    return Arrays.asList(
                            link(
                                    message.jmsMessageId() == null
                                            ? "row " + message.place().id()
                                            : message.jmsMessageId(),
                                    Links.message(queue, message.place())),
                            message.origin() == null ? "a queue that is gone" : message.origin(),
                            MessagePages.cut(properties.getOrDefault(MessagePages.REASON, "not noted")),
                            properties.get(MessagePages.DELIVERIES),
                            message.sentAt(),
                            message.enqueuedAt());
                });
    }

    private static Table counts(Answer<DeadLetters> counts) {
        return Table.of(
                "By queue and origin, among the first 10,000 messages of each queue; new ones also at its end",
                counts,
                "There are no dead letters.",
                List.of("Lie in", "Come from", "Messages", "Of the last ten minutes", "First (UTC)", "Last (UTC)"),
                row -> Arrays.asList(
                        link(row.queue(), messages(row.id())),
                        row.origin() == null ? "a queue that is gone" : row.origin(),
                        row.messages(),
                        row.recent(),
                        row.oldestAt(),
                        row.newestAt()));
    }

    Reply history(Visit visit) throws Exception {
        List<Table> tables = visit.user().look(look -> {
            Answer<Timing> timing = Facts.timing(look);
            return List.of(
                    Table.of(
                            "What became of messages within the last hour, and how long they took (ms), of queues that keep a history",
                            first(Facts.outcomes(look)),
                            "No queue that keeps a history had anything to keep. The procedure keep_history lets a queue keep one.",
                            List.of(
                                    "Queue",
                                    "Kind",
                                    "Completed",
                                    "Dead letters",
                                    "Expired",
                                    "Wait, average",
                                    "Wait, p95",
                                    "Wait, p99",
                                    "Work, average",
                                    "Work, p95",
                                    "Work, p99"),
                            row -> outcome(row, timing)),
                    Table.of(
                            "What administrators did, the last first",
                            first(Facts.audit(look)),
                            "They did nothing.",
                            List.of("When (UTC)", "Login", "For", "Action", "Queue", "To", "Messages"),
                            row -> Arrays.asList(
                                    row.doneAt(),
                                    row.login(),
                                    row.claimedUser(),
                                    row.action(),
                                    row.queue(),
                                    row.target(),
                                    row.messages())));
        });
        return tables(visit, "History", "history", tables);
    }

    private static List<?> outcome(Outcome row, Answer<Timing> timing) {
        Timing took = timing.rows().stream()
                .filter(candidate -> candidate.id() == row.id())
                .findFirst()
                .orElse(new Timing(row.queue(), row.id(), 0, null, null, null, null, null, null));
        Object none = timing.isKnown() ? null : "not known";
        return Arrays.asList(
                link(row.queue(), messages(row.id())),
                Text.kind(row.kind()),
                row.completed(),
                row.deadLetters(),
                row.expired(),
                took.waitAverage() == null ? none : took.waitAverage(),
                took.waitP95() == null ? none : took.waitP95(),
                took.waitP99() == null ? none : took.waitP99(),
                took.workAverage() == null ? none : took.workAverage(),
                took.workP95() == null ? none : took.workP95(),
                took.workP99() == null ? none : took.workP99());
    }

    Reply consumers(Visit visit) throws Exception {
        List<Table> tables = visit.user()
                .look(look -> List.of(
                        Table.of(
                                "Messages in transactions",
                                Facts.locks(look),
                                "No message is in a transaction.",
                                List.of("Queue", "Messages", "Who", "Session", "Login", "Since (UTC)"),
                                row -> Arrays.asList(
                                        link(row.queue(), messages(row.id())),
                                        row.messages(),
                                        row.process() == null || row.host() == null
                                                ? row.holder()
                                                : row.process() + " on " + row.host(),
                                        row.session(),
                                        row.login(),
                                        row.since())),
                        Table.of(
                                "JVMs that have made a consumer, and how many are open there now",
                                first(Facts.consumers(look)),
                                "No connected JVM has made a consumer.",
                                List.of(
                                        "Queue",
                                        "Kind",
                                        "Open",
                                        "Not started",
                                        "With a selector",
                                        "JVM",
                                        "Connected since (UTC)",
                                        "Missing since (UTC)"),
                                row -> Arrays.asList(
                                        link(row.queue(), messages(row.id())),
                                        Text.kind(row.kind()),
                                        told(row.now(), OpenConsumers::open),
                                        told(row.now(), OpenConsumers::stopped),
                                        told(row.now(), OpenConsumers::selective),
                                        row.client().who(),
                                        row.client().startedAt(),
                                        row.client().missingSince())),
                        Table.of(
                                "Connected JVMs",
                                first(Facts.clients(look)),
                                "No JVM is connected.",
                                List.of(
                                        "JVM",
                                        "Release",
                                        "Schema version",
                                        "Connected since (UTC)",
                                        "Missing since (UTC)"),
                                row -> Arrays.asList(
                                        row.who(),
                                        row.release(),
                                        row.schemaVersion(),
                                        row.startedAt(),
                                        row.missingSince()))));
        return tables(visit, "Consumers", "consumers", tables);
    }

    /** Null while the JVM has not told. */
    private static Object told(OpenConsumers told, ToIntFunction<OpenConsumers> value) {
        return told == null ? null : value.applyAsInt(told);
    }

    /** A page of hundreds of thousands of rows is of no use to anybody. */
    private static <T> Answer<T> first(Answer<T> answer) {
        return answer.rows().size() <= SHOWN
                ? answer
                : new Answer.Known<>(answer.rows().subList(0, SHOWN));
    }

    Reply subscriptions(Visit visit) throws Exception {
        return tables(
                visit,
                "Subscriptions",
                "subscriptions",
                List.of(Table.of(
                        "Of topics; the first " + SHOWN,
                        first(visit.user().look(Facts::subscriptions)),
                        "There are no subscriptions.",
                        List.of(
                                "Name",
                                "Topic",
                                "Client id",
                                "Durable",
                                "Shared",
                                "Selector",
                                "Consumers",
                                "Since (UTC)"),
                        row -> Arrays.asList(
                                link(row.name() == null ? row.queue() : row.name(), messages(row.id())),
                                row.topic(),
                                row.clientId(),
                                row.isDurable() ? "yes" : "no",
                                row.isShared() ? "yes" : "no",
                                row.selector(),
                                row.consumers(),
                                row.createdAt()))));
    }

    Reply leases(Visit visit) throws Exception {
        return tables(
                visit,
                "Leases",
                "leases",
                List.of(Table.of(
                        "Messages that are claimed without a transaction; the first " + SHOWN + " to end",
                        first(visit.user().look(Facts::leases)),
                        "No message is claimed by lease.",
                        List.of("Queue", "Message", "Who", "Attempt", "Claimed (UTC)", "Until (UTC)"),
                        row -> Arrays.asList(
                                link(row.queue(), Links.messages(row.id(), true, "", null)),
                                row.jmsMessageId(),
                                row.who(),
                                row.attempt(),
                                row.claimedAt(),
                                row.deadline()))));
    }

    Reply groups(Visit visit) throws Exception {
        return tables(
                visit,
                "Groups",
                "groups",
                List.of(Table.of(
                        "Message groups and who gets their messages; the first " + SHOWN,
                        first(visit.user().look(Facts::groups)),
                        "Nobody has a group.",
                        List.of("Queue", "Group", "Who", "Since (UTC)", "Waiting", "Oldest came (UTC)"),
                        row -> Arrays.asList(
                                link(row.queue(), messages(row.id())),
                                row.group().isEmpty() ? "all messages of an exclusive queue" : row.group(),
                                row.owner().who(),
                                row.takenAt(),
                                row.waiting() > SHOWN ? SHOWN + "+" : (Object) row.waiting(),
                                row.oldestAt()))));
    }

    private Reply tables(Visit visit, String title, String here, List<Table> tables) {
        return Reply.html(
                200, pages.render("tables", Pages.page(title, here, visit.user(), LIVE), Map.of("tables", tables)));
    }

    private static String messages(int queue) {
        return Links.messages(queue, false, "", null);
    }
}
