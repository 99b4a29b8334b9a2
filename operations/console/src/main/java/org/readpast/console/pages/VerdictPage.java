package org.readpast.console.pages;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.readpast.console.http.Reply;
import org.readpast.console.view.Text;
import org.readpast.operations.database.Answer;
import org.readpast.operations.snapshot.Delayed;
import org.readpast.operations.snapshot.Lease;
import org.readpast.operations.snapshot.Snapshot;
import org.readpast.operations.verdict.Finding;
import org.readpast.operations.verdict.Silence;
import org.readpast.operations.verdict.Silences;
import org.readpast.operations.verdict.Verdict;

/** What the operations core makes of the database. */
final class VerdictPage {

    private static final int LIVE = 10;

    private final Pages pages;
    private final Path silenced;
    private final Verdict verdict = new Verdict();

    /** @param silenced the file of findings that are silenced; null for none */
    VerdictPage(Pages pages, Path silenced) {
        this.pages = pages;
        this.silenced = silenced;
    }

    Reply show(Visit visit) throws Exception {
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
                        Pages.page("Verdict", ".", visit.user(), LIVE),
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
}
