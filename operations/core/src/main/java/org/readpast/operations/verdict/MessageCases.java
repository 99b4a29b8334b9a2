package org.readpast.operations.verdict;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.readpast.operations.database.Words;
import org.readpast.operations.snapshot.DeadLetters;
import org.readpast.operations.snapshot.Delayed;
import org.readpast.operations.snapshot.Failing;
import org.readpast.operations.snapshot.HistoryAge;
import org.readpast.operations.snapshot.Lease;
import org.readpast.operations.snapshot.Orphaned;
import org.readpast.operations.snapshot.Outcome;
import org.readpast.operations.snapshot.Snapshot;

/** Messages that are late, come back, die or expire. */
final class MessageCases {

    private static final int LEASE_GRACE_SECONDS = 30;
    private static final Duration HISTORY_GRACE = Duration.ofHours(1);
    private static final long MOST_COUNTED = 10_000;

    private final Snapshot seen;
    private final Limits limits;

    MessageCases(Snapshot seen, Limits limits) {
        this.seen = seen;
        this.limits = limits;
    }

    void judge(List<Finding> findings) {
        overdue(findings);
        leases(findings);
        poison(findings);
        deadLetters(findings);
        expiring(findings);
        histories(findings);
        orphaned(findings);
    }

    private void overdue(List<Finding> findings) {
        for (Delayed delayed : seen.delayed().rows()) {
            if (delayed.overdue() > 0) {
                findings.add(new Finding(
                        Severity.CRITICAL,
                        Cause.DELAYED_OVERDUE,
                        delayed.queue(),
                        delayed.nextDueAt(),
                        delayed.queue() + ": " + Words.messages(delayed.overdue()) + " overdue, the first "
                                + Words.since(delayed.nextDueAt(), seen.takenAt()),
                        List.of("JMS clients move what is due every few seconds; " + Words.clients(connected())
                                + " connected"),
                        connected() == 0
                                ? "Start a JMS client: any one moves what is due, of every queue. Programs in SQL do it for the queue they receive from."
                                : "Look at the log of the JMS clients, and for sessions that wait."));
            }
        }
    }

    private long connected() {
        return seen.connected().size();
    }

    private void leases(List<Finding> findings) {
        Instant limit = seen.takenAt().minusSeconds(LEASE_GRACE_SECONDS);
        Map<String, List<Lease>> byQueue = seen.leases().rows().stream().collect(Collectors.groupingBy(Lease::queue));
        byQueue.forEach((queue, leases) -> {
            List<Lease> over = leases.stream()
                    .filter(lease -> lease.deadline().isBefore(limit))
                    .toList();
            if (!over.isEmpty()) {
                Lease first = over.get(0);
                findings.add(
                        new Finding(
                                Severity.CRITICAL,
                                Cause.LEASES_OVERDUE,
                                queue,
                                first.deadline(),
                                queue + ": the leases of " + Words.messages(over.size()) + " are over, the first "
                                        + Words.since(first.deadline(), seen.takenAt()) + ", and nobody puts them back",
                                List.of(first.who() + " claimed it at " + first.claimedAt() + "; "
                                        + Words.clients(connected()) + " connected"),
                                "Start a JMS client, or let a program in SQL receive from the queue: each puts back what is over."));
            }
            List<Lease> again =
                    leases.stream().filter(lease -> lease.attempt() > 1).toList();
            if (!again.isEmpty()) {
                Lease worst = again.stream()
                        .max(Comparator.comparingInt(Lease::attempt))
                        .orElseThrow();
                findings.add(new Finding(
                        Severity.WARNING,
                        Cause.LEASES_TOO_SHORT,
                        queue,
                        worst.claimedAt(),
                        queue + ": " + Words.messages(again.size()) + " claimed by lease and not for the first time",
                        List.of("message " + worst.jmsMessageId() + " is with " + worst.who() + " for the "
                                + worst.attempt() + ". time, until " + worst.deadline()),
                        "Either the work failed, see the consumer's log, or its lease ended before the work did: then make it longer"
                                + " (consumer.leaseSeconds, the procedure extend)."));
            }
        });
    }

    private void poison(List<Finding> findings) {
        for (Failing failing : seen.failing().rows()) {
            if (failing.attempts() >= limits.attempts()) {
                findings.add(new Finding(
                        Severity.WARNING,
                        Cause.POISON,
                        failing.queue(),
                        null,
                        failing.queue() + ": " + Words.messages(failing.messages())
                                + " delivered before and not acknowledged, one of them " + failing.attempts()
                                + " times",
                        List.of("for example " + failing.jmsMessageId()),
                        "Look at it (readpast show) and at the consumer's log. To keep it from coming back meanwhile, hold it; to be"
                                + " rid of it, move it."));
            }
        }
    }

    private void deadLetters(List<Finding> findings) {
        for (DeadLetters dead : seen.deadLetters().rows()) {
            long messages = Math.max(dead.messages(), dead.recent());
            boolean isMore = seen.queues().rows().stream().anyMatch(queue -> queue.id() == dead.id() && queue.isMore());
            findings.add(new Finding(
                    Severity.WARNING,
                    Cause.DEAD_LETTERS,
                    dead.queue(),
                    dead.oldestAt(),
                    dead.queue() + ": " + messages + (isMore ? "+" : "") + " dead "
                            + (messages == 1 && !isMore ? "letter" : "letters")
                            + " from "
                            + (dead.origin() == null ? "a destination that is gone" : dead.origin())
                            + (dead.recent() > 0
                                    ? ", and growing: " + dead.recent() + " of them within ten minutes"
                                    : ""),
                    List.of("the first at " + dead.oldestAt() + ", the last at " + dead.newestAt()),
                    "See why: readpast browse " + Words.argument(dead.queue())
                            + " shows the reason of each. When the cause is gone, readpast retry "
                            + Words.argument(dead.queue())
                            + " sends them back."));
        }
    }

    private void expiring(List<Finding> findings) {
        for (Outcome outcome : seen.outcomes().rows()) {
            if (outcome.expired() > outcome.completed()) {
                findings.add(new Finding(
                        Severity.WARNING,
                        Cause.EXPIRING,
                        outcome.queue(),
                        null,
                        outcome.queue() + ": within the last hour " + outcome.expired() + " messages expired and "
                                + outcome.completed() + " were completed",
                        List.of("by the queue's history"),
                        "More consumers, or a longer time to live."));
            }
        }
    }

    /** JMS clients remove what is too old every few seconds. */
    private void histories(List<Finding> findings) {
        for (HistoryAge history : seen.histories().rows()) {
            Instant end = history.oldestAt().plus(Duration.ofDays(history.days()));
            if (end.plus(HISTORY_GRACE).isBefore(seen.takenAt())) {
                findings.add(
                        new Finding(
                                Severity.WARNING,
                                Cause.HISTORY_BEHIND,
                                history.queue(),
                                end,
                                history.queue() + ": its history is kept for " + Words.days(history.days())
                                        + ", and it has rows "
                                        + Words.since(history.oldestAt(), seen.takenAt()),
                                List.of("JMS clients remove what is too old; " + Words.clients(connected())
                                        + " connected"),
                                connected() == 0
                                        ? "Start a JMS client, or run the procedure purge_history."
                                        : "Look at the log of the JMS clients. The procedure purge_history removes it as well."));
            }
        }
    }

    /** A row that is on its way, as one of a transaction that a look sees half of, is not old. */
    private void orphaned(List<Finding> findings) {
        for (Orphaned orphaned : seen.orphaned().rows()) {
            if (orphaned.oldestAt().plus(limits.waiting()).isBefore(seen.takenAt())) {
                findings.add(new Finding(
                        Severity.CRITICAL,
                        Cause.ORPHANED,
                        orphaned.destination(),
                        orphaned.oldestAt(),
                        orphaned.destination() + ": "
                                + (orphaned.messages() > MOST_COUNTED ? "more than " : "")
                                + Words.messages(Math.min(orphaned.messages(), MOST_COUNTED))
                                + (orphaned.isDelayed() ? " delayed, leased or held" : "")
                                + " under the destination_id "
                                + orphaned.id() + ", which has no row: no client finds them, "
                                + Words.since(orphaned.oldestAt(), seen.takenAt()),
                        List.of("the row was deleted, or the queue dropped, while somebody sent to it"),
                        "The owner of the schema gives them to the destination that has the name now, by an UPDATE of destination_id in "
                                + (orphaned.isDelayed() ? "delayed_message" : "message")
                                + "; docs/operations.md has it."));
            }
        }
    }
}
