package org.readpast.console.pages;

import static org.readpast.console.view.Table.Cell.link;

import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.readpast.console.http.Reply;
import org.readpast.console.view.Depths;
import org.readpast.console.view.Links;
import org.readpast.console.view.Table;
import org.readpast.console.view.Text;
import org.readpast.operations.database.Answer;
import org.readpast.operations.messages.Messages;
import org.readpast.operations.server.Lock;
import org.readpast.operations.snapshot.Delayed;
import org.readpast.operations.snapshot.Facts;
import org.readpast.operations.snapshot.Moved;
import org.readpast.operations.snapshot.Paused;
import org.readpast.operations.snapshot.Queue;

/** All queues, a hundred at a time. */
final class QueuesPage {

    private static final int LIVE = 5;
    private static final int SHOWN = 100;
    private static final Comparator<Queue> ORDER =
            Comparator.comparing(Queue::kind).thenComparing(Queue::name);

    private final Pages pages;

    QueuesPage(Pages pages) {
        this.pages = pages;
    }

    Reply show(Visit visit) throws Exception {
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
            Answer<Queue> page = Messages.queues(look, contains, after, SHOWN + 1);
            return new Seen(
                    page.isKnown() ? page : page(Facts.queues(look), contains, after),
                    Facts.delayed(look),
                    Facts.locks(look),
                    Facts.paused(look),
                    Facts.moved(look),
                    Facts.now(look));
        });
        List<Queue> rows = seen.queues().rows();
        Instant now = seen.now().rows().stream().findFirst().orElse(null);
        boolean isMore = rows.size() > SHOWN;
        Answer<Queue> shown = isMore ? new Answer.Known<>(rows.subList(0, SHOWN)) : seen.queues();
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
                    String paused = first(
                            seen.paused(),
                            row -> row.id() == queue.id(),
                            row -> row.what().text());
                    String moved = first(seen.moved(), row -> row.isOf(queue), Moved::text);
                    return Arrays.asList(
                            link(queue.name(), Links.messages(queue.id(), false, "", null)),
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
                            (paused + " " + moved).strip());
                });
        Map<String, Object> model = new LinkedHashMap<>();
        model.put("table", table);
        model.put("contains", contains);
        model.put("next", isMore ? next(contains, rows.get(SHOWN - 1)) : "");
        model.put("isFirst", after == null);
        return Reply.html(200, pages.render("queues", Pages.page("Queues", "queues", visit.user(), LIVE), model));
    }

    /** The same of what a login may see that may not see the table of names, or of a schema of before. */
    private static Answer<Queue> page(Answer<Queue> all, String contains, Queue after) {
        return all.isKnown()
                ? new Answer.Known<>(all.rows().stream()
                        .filter(queue -> queue.name().contains(contains))
                        .filter(queue -> after == null || ORDER.compare(queue, after) > 0)
                        .sorted(ORDER)
                        .limit(SHOWN + 1L)
                        .toList())
                : all;
    }

    /** @param isMore whether there may be some, of any queue, behind those that were counted */
    private static Object later(Answer<Delayed> delayed, Queue queue, ToLongFunction<Delayed> value, boolean isMore) {
        long sum = delayed.rows().stream()
                .filter(row -> row.id() == queue.id())
                .mapToLong(value)
                .sum();
        return delayed.isKnown() && (sum > 0 || !isMore) ? (Object) sum : "not known";
    }

    private static <T> String first(Answer<T> answer, Predicate<T> isOf, Function<T, String> text) {
        return answer.isKnown()
                ? answer.rows().stream().filter(isOf).map(text).findFirst().orElse("")
                : "not known";
    }

    private static String next(String contains, Queue last) {
        return "queues?kind=" + Links.encode(last.kind()) + "&name=" + Links.encode(last.name()) + "&contains="
                + Links.encode(contains);
    }
}
