package org.readpast.console.pages;

import static org.readpast.console.view.Table.Cell.link;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.readpast.console.http.Reply;
import org.readpast.console.view.Depths;
import org.readpast.console.view.Links;
import org.readpast.console.view.Table;
import org.readpast.console.view.Text;
import org.readpast.operations.database.Answer;
import org.readpast.operations.messages.Messages;
import org.readpast.operations.messages.StoredMessage;
import org.readpast.operations.server.Lock;
import org.readpast.operations.snapshot.DeadLetters;
import org.readpast.operations.snapshot.Delayed;
import org.readpast.operations.snapshot.Facts;
import org.readpast.operations.snapshot.Lease;
import org.readpast.operations.snapshot.Moved;
import org.readpast.operations.snapshot.OpenConsumers;
import org.readpast.operations.snapshot.Outcome;
import org.readpast.operations.snapshot.Paused;
import org.readpast.operations.snapshot.Queue;
import org.readpast.operations.snapshot.Snapshot;
import org.readpast.operations.snapshot.Timing;
import org.readpast.operations.verdict.Finding;
import org.readpast.operations.verdict.Silence;
import org.readpast.operations.verdict.Silences;
import org.readpast.operations.verdict.Verdict;

/** Pages that list what the operations core sees. */
final class Looks {

    private static final int QUEUES = 100;
    private static final int LIVE = 5;
    private static final int SHOWN = 1000;
    private static final int DEAD_QUEUES = 5;
    private static final int DEAD = 20;

    private final Pages pages;
    private final Path silenced;
    private final Verdict verdict = new Verdict();

    Looks(Pages pages, Path silenced) {
        this.pages = pages;
        this.silenced = silenced;
    }

    Reply verdict(Visit visit) throws Exception {
        Snapshot seen = visit.user().look(Snapshot::take);
        Silences silences = Silences.none();
        String unread = null;
        try {
            silences = Silences.read(silenced);
        } catch (IllegalArgumentException e) {
            unread = e.getMessage();
        }
        List<Finding> findings = new ArrayList<>();
        Map<Finding, Silence> quiet = new LinkedHashMap<>();
        for (Finding finding : verdict.judge(seen)) {
            silences.of(finding, seen.takenAt())
                    .ifPresentOrElse(silence -> quiet.put(finding, silence), () -> findings.add(finding));
        }
        Map<String, String> numbers = new LinkedHashMap<>();
        numbers.put("Database", seen.product().toString());
        numbers.put("Database's time", Text.of(seen.takenAt()) + " UTC");
        numbers.put("Queues", count(seen.queues(), ofKind(seen, "Q")));
        numbers.put("Subscriptions", count(seen.queues(), ofKind(seen, "S")));
        numbers.put("JVMs", count(seen.clients(), seen.connected().size()));
        Answer<Delayed> delayed = seen.delayed();
        numbers.put("Delayed", count(delayed, Delayed::delayed, Delayed.isDelayedMore(delayed)));
        numbers.put("Held", count(delayed, Delayed::held, Delayed.isHeldMore(delayed)));
        numbers.put("Leases", count(seen.leases(), lease -> 1, Lease.isMore(seen.leases())));
        return Reply.html(
                200,
                pages.render(
                        "verdict",
                        Pages.page("Verdict", ".", visit.user(), 2 * LIVE),
                        Map.of(
                                "findings",
                                findings,
                                "quiet",
                                quiet,
                                "over",
                                silences.over(seen.takenAt()),
                                "unread",
                                unread == null ? "" : unread,
                                "numbers",
                                numbers)));
    }

    private static long ofKind(Snapshot seen, String kind) {
        return seen.queues().rows().stream()
                .filter(queue -> queue.kind().equals(kind))
                .count();
    }

    private static String count(Answer<?> answer, long number) {
        return answer.isKnown() ? Long.toString(number) : "not known";
    }

    /** @param isMore whether there may be more than was counted */
    private static <T> String count(Answer<T> answer, ToLongFunction<T> value, boolean isMore) {
        return count(answer, answer.rows().stream().mapToLong(value).sum()) + (isMore ? "+" : "");
    }

    Reply queues(Visit visit) throws Exception {
        String contains = visit.text("contains");
        Queue after =
                visit.has("kind") ? new Queue(visit.text("kind"), visit.text("name"), 0, null, false, null) : null;
        record Seen(
                Answer<Queue> queues,
                Answer<Delayed> delayed,
                Answer<Lock> locks,
                Answer<Paused> paused,
                Answer<Moved> moved,
                Answer<Instant> now) {}
        Seen seen = visit.user().look(look -> {
            Answer<Queue> page = Messages.queues(look, contains, after, QUEUES + 1);
            return new Seen(
                    page.isKnown() ? page : Facts.queues(look),
                    Facts.delayed(look),
                    Facts.locks(look),
                    Facts.paused(look),
                    Facts.moved(look),
                    Facts.now(look));
        });
        List<Queue> rows = seen.queues().rows();
        Instant now = seen.now().rows().stream().findFirst().orElse(null);
        boolean isMore = rows.size() > QUEUES;
        Answer<Queue> shown = isMore ? new Answer.Known<>(rows.subList(0, QUEUES)) : seen.queues();
        Table table = Table.of(
                "Queues, subscriptions and topics",
                shown,
                contains.isEmpty() ? "There is none." : "None has this in its name.",
                List.of(
                        "Name",
                        "Kind",
                        "Messages",
                        "Messages over time",
                        "Change over time",
                        "Oldest came (UTC)",
                        "Age over time",
                        "In transactions",
                        "Delayed",
                        "Held",
                        "Paused, moved"),
                queue -> {
                    Depths.Lines lines = visit.user().note(queue, now);
                    return Arrays.asList(
                            link(queue.name(), messages(queue.id())),
                            Text.kind(queue.kind()),
                            Table.Cell.number(queue.depthText()),
                            Table.Cell.line(lines.depth()),
                            Table.Cell.line(lines.change()),
                            queue.oldestAt(),
                            Table.Cell.line(lines.age()),
                            seen.locks().isKnown()
                                    ? (Object) seen.locks().rows().stream()
                                            .filter(lock -> lock.id() == queue.id())
                                            .mapToLong(Lock::messages)
                                            .sum()
                                    : "not known",
                            later(seen.delayed(), queue, Delayed::delayed, Delayed.isDelayedMore(seen.delayed())),
                            later(seen.delayed(), queue, Delayed::held, Delayed.isHeldMore(seen.delayed())),
                            (paused(seen.paused(), queue) + " " + moved(seen.moved(), queue)).strip());
                });
        Map<String, Object> model = new LinkedHashMap<>();
        model.put("table", table);
        model.put("contains", contains);
        model.put("next", isMore ? next(contains, rows.get(QUEUES - 1)) : "");
        model.put("isFirst", after == null);
        return Reply.html(200, pages.render("queues", Pages.page("Queues", "queues", visit.user(), LIVE), model));
    }

    /** @param isMore whether there may be some, of any queue, behind those that were counted */
    private static Object later(Answer<Delayed> delayed, Queue queue, ToLongFunction<Delayed> value, boolean isMore) {
        long sum = delayed.rows().stream()
                .filter(row -> row.id() == queue.id())
                .mapToLong(value)
                .sum();
        return delayed.isKnown() && (sum > 0 || !isMore) ? (Object) sum : "not known";
    }

    private static String paused(Answer<Paused> paused, Queue queue) {
        return paused.isKnown()
                ? paused.rows().stream()
                        .filter(row -> row.id() == queue.id())
                        .map(row -> row.what().text())
                        .findFirst()
                        .orElse("")
                : "not known";
    }

    private static String moved(Answer<Moved> moved, Queue queue) {
        return moved.isKnown()
                ? moved.rows().stream()
                        .filter(row -> row.isOf(queue))
                        .map(Moved::text)
                        .findFirst()
                        .orElse("")
                : "not known";
    }

    private static String next(String contains, Queue last) {
        return "queues?kind=" + Links.encode(last.kind()) + "&name=" + Links.encode(last.name()) + "&contains="
                + Links.encode(contains);
    }

    private static String messages(int queue) {
        return Links.messages(queue, false, "", null);
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
        List<Table> tables = visit.user().look(look -> {
            List<Table> made = new ArrayList<>();
            made.add(Table.of(
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
                            row.since())));
            made.add(Table.of(
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
                            row.client().missingSince())));
            made.add(Table.of(
                    "Connected JVMs",
                    first(Facts.clients(look)),
                    "No JVM is connected.",
                    List.of("JVM", "Release", "Schema version", "Connected since (UTC)", "Missing since (UTC)"),
                    row -> Arrays.asList(
                            row.who(), row.release(), row.schemaVersion(), row.startedAt(), row.missingSince())));
            return made;
        });
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
}
