package org.readpast.operations.verdict;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.readpast.operations.database.Words;
import org.readpast.operations.server.DatabaseSession;
import org.readpast.operations.server.Lock;
import org.readpast.operations.snapshot.DeadLetters;
import org.readpast.operations.snapshot.Group;
import org.readpast.operations.snapshot.Moved;
import org.readpast.operations.snapshot.Paused;
import org.readpast.operations.snapshot.Priority;
import org.readpast.operations.snapshot.Queue;
import org.readpast.operations.snapshot.Snapshot;
import org.readpast.operations.snapshot.Subscription;

/** Queues and subscriptions whose messages do not move, and why. */
final class QueueCases {

    /** This many times as long as any message may wait. */
    private static final int STARVES_AFTER = 10;

    private final Snapshot seen;
    private final Limits limits;
    private final Sessions sessions;
    private final Set<Integer> goingOn;
    private final Standstill standstill;

    /** @param goingOn the ids of queues whose first message was taken shortly before */
    QueueCases(Snapshot seen, Limits limits, Set<Integer> goingOn) {
        this.seen = seen;
        this.limits = limits;
        this.sessions = new Sessions(seen);
        this.goingOn = goingOn;
        this.standstill = new Standstill(seen, limits, goingOn);
    }

    void judge(List<Finding> findings) {
        Set<Integer> explained = new HashSet<>();
        for (Paused pause : seen.paused().rows()) {
            judgePause(pause, findings);
            if (pause.what() != Paused.What.SEND) {
                explained.add(pause.id());
            }
        }
        for (Moved move : seen.moved().rows()) {
            seen.queues().rows().stream()
                    .filter(move::isOf)
                    .filter(queue -> waits(queue.oldestAt()) && explained.add(queue.id()))
                    .forEach(queue -> judgeMove(move, queue, findings));
        }
        for (Lock lock : seen.locks().rows()) {
            if (judgeLock(lock, findings)) {
                explained.add(lock.id());
            }
        }
        blockedElsewhere(findings);
        Set<Integer> alreadyExplained = Set.copyOf(explained);
        for (Group group : seen.groups().rows()) {
            if (!alreadyExplained.contains(group.id()) && judgeGroup(group, findings)) {
                explained.add(group.id());
            }
        }
        Set<Integer> subscriptions = judgeSubscriptions(findings);
        for (Queue queue : seen.queues().rows()) {
            boolean isForConsumers =
                    !queue.kind().startsWith("T") || queue.kind().equals("TQ");
            if (isForConsumers
                    && waits(queue.oldestAt())
                    && !explained.contains(queue.id())
                    && !subscriptions.contains(queue.id())
                    && !hasOnlyDeadLetters(queue)) {
                judgeQueue(queue).ifPresent(findings::add);
            }
        }
    }

    /** They wait for somebody to look. A dead letter that was moved or copied to a queue with consumers is one still. */
    private boolean hasOnlyDeadLetters(Queue queue) {
        long dead = seen.deadLetters().rows().stream()
                .filter(letters -> letters.id() == queue.id())
                .mapToLong(DeadLetters::messages)
                .sum();
        return queue.depth() != null && dead >= queue.depth();
    }

    private Optional<Finding> judgeQueue(Queue queue) {
        Optional<Finding> still = standstill.of(queue);
        boolean mayMove = still.isEmpty() || still.get().cause() == Cause.STANDS_STILL;
        Optional<Finding> starves = mayMove ? starving(queue) : Optional.empty();
        return starves.isPresent() ? starves : still;
    }

    /** What is delivered next has not waited: what has is of a lower priority. */
    private Optional<Finding> starving(Queue queue) {
        List<Priority> all = seen.priorities().rows().stream()
                .filter(priority -> priority.id() == queue.id())
                .sorted(Comparator.comparing(Priority::order))
                .toList();
        if (all.isEmpty() || waits(all.get(0).since())) {
            return Optional.empty();
        }
        Instant starvesSince = seen.takenAt().minus(limits.waiting().multipliedBy(STARVES_AFTER));
        return all.stream()
                .filter(priority -> priority.since().isBefore(starvesSince))
                .findFirst()
                .map(priority -> new Finding(
                        Severity.WARNING,
                        Cause.PRIORITY_STARVES,
                        queue.name(),
                        priority.since(),
                        queue.waiting(seen.takenAt()) + ". Messages of priority " + priority.priority()
                                + " are not delivered, since those of priority "
                                + all.get(0).priority() + " keep coming",
                        all.stream()
                                .map(each -> "the first message of priority " + each.priority() + " waits "
                                        + Words.since(each.since(), seen.takenAt()))
                                .toList(),
                        "More consumers, or fewer urgent messages. A consumer of their own for the others has a selector such as JMSPriority < "
                                + all.get(0).priority() + "."));
    }

    private void judgePause(Paused pause, List<Finding> findings) {
        String messages = seen.queues().rows().stream()
                .filter(queue -> queue.id() == pause.id() && queue.oldestAt() != null)
                .findFirst()
                .map(queue -> queue.waiting(seen.takenAt()))
                .orElse(pause.queue());
        findings.add(new Finding(
                Severity.WARNING,
                Cause.PAUSED,
                pause.queue(),
                pause.since(),
                messages + ". An administrator has paused " + pause.what().text()
                        + (pause.since() == null ? "" : " " + Words.since(pause.since(), seen.takenAt())),
                List.of(),
                "If the reason is over: readpast resume " + Words.argument(pause.queue())
                        + ". readpast audit says who paused it."));
    }

    private void judgeMove(Moved move, Queue queue, List<Finding> findings) {
        findings.add(
                new Finding(
                        Severity.WARNING,
                        Cause.MOVED,
                        queue.name(),
                        queue.oldestAt(),
                        queue.waiting(seen.takenAt()) + ". It " + move.text(),
                        List.of(),
                        move.stage() == Moved.Stage.HERE
                                ? "Look at the same queue in the database '" + move.database()
                                        + "': consumers turn here when nothing is left there."
                                : "Have it consumed by a JVM whose routes have both databases: only those turn when nothing is left here."));
    }

    private boolean waits(Instant oldest) {
        return oldest != null && Duration.between(oldest, seen.takenAt()).compareTo(limits.waiting()) > 0;
    }

    private boolean isLong(Instant since) {
        return since != null && Duration.between(since, seen.takenAt()).compareTo(limits.held()) > 0;
    }

    private String state(Lock lock) {
        return seen.queues().rows().stream()
                .filter(queue -> queue.id() == lock.id() && queue.oldestAt() != null)
                .findFirst()
                .map(queue -> queue.waiting(seen.takenAt()))
                .orElse(lock.queue());
    }

    /** A lock is a claim: it is worth a word when its session waits for somebody, or when it is old. */
    private boolean judgeLock(Lock lock, List<Finding> findings) {
        List<DatabaseSession> chain =
                seen.session(lock.session()).findFirst().map(sessions::chain).orElse(List.of());
        String has = "session " + lock.session() + " (" + Words.who(pid(lock), lock.host(), lock.holder()) + ") has "
                + Words.messages(lock.messages()) + " of it in its transaction"
                + (lock.since() == null ? "" : ", open " + Words.since(lock.since(), seen.takenAt()));
        if (chain.size() > 1) {
            findings.add(blocked(lock.queue(), state(lock) + ". " + has + ", and waits for another session", chain));
            return true;
        }
        if (!isLong(lock.since())) {
            return false;
        }
        if (lock.session() == 0) {
            findings.add(
                    new Finding(
                            Severity.WARNING,
                            Cause.HELD_TOO_LONG,
                            lock.queue(),
                            lock.since(),
                            state(lock) + ". A prepared transaction has " + Words.messages(lock.messages()) + " of it",
                            List.of(),
                            "Ask the transaction manager that prepared it to commit it or to roll it back, by its name; see doctor's line about it"));
            return true;
        }
        findings.add(new Finding(
                Severity.WARNING,
                Cause.HELD_TOO_LONG,
                lock.queue(),
                lock.since(),
                state(lock) + ". " + has,
                seen.session(lock.session()).map(sessions::describe).toList(),
                sessions.toEnd(
                        lock.session(),
                        "See what the consumer does: a thread dump of that process. A consumer that works for minutes may claim by lease"
                                + " (consumer.leaseSeconds). To take the messages away from it, end its session: ",
                        " Its transaction is rolled back, and its messages are available again at once.")));
        return true;
    }

    private static String pid(Lock lock) {
        return lock.process() == null ? null : "process " + lock.process();
    }

    /** Sessions of JMS clients that wait and whose claims do not show, because there are none or one may not see them. */
    private void blockedElsewhere(List<Finding> findings) {
        Set<Integer> told = seen.locks().rows().stream().map(Lock::session).collect(Collectors.toSet());
        for (DatabaseSession session : seen.sessions().rows()) {
            boolean isReadpast = session.program() != null && session.program().startsWith("readpast ");
            List<DatabaseSession> chain = isReadpast && told.add(session.id()) ? sessions.chain(session) : List.of();
            if (chain.size() > 1) {
                findings.add(blocked(
                        session.program(), session.who() + " of a JMS client waits for another session", chain));
            }
        }
    }

    private Finding blocked(String subject, String what, List<DatabaseSession> chain) {
        DatabaseSession head = chain.get(chain.size() - 1);
        List<String> evidence = new ArrayList<>();
        chain.forEach(session -> evidence.add(sessions.describe(session)));
        return new Finding(
                Severity.CRITICAL,
                Cause.BLOCKED,
                subject,
                head.since(),
                what + ": at the head is " + head.who(),
                evidence,
                sessions.advice(head));
    }

    private boolean judgeGroup(Group group, List<Finding> findings) {
        Queue queue = seen.queues().rows().stream()
                .filter(candidate -> candidate.id() == group.id())
                .findFirst()
                .orElse(null);
        Instant oldest = group.group().isEmpty() && queue != null ? queue.oldestAt() : group.oldestAt();
        if (!waits(oldest) || !isOld(group.takenAt())) {
            return false;
        }
        boolean works =
                goingOn.contains(group.id()) || seen.locks().rows().stream().anyMatch(lock -> lock.id() == group.id());
        if (works) {
            return false;
        }
        String messages = group.group().isEmpty()
                ? "all messages of the exclusive queue " + group.queue()
                : group.queue() + ": " + Words.messages(group.waiting()) + " of the group '" + group.group() + "'";
        String owner = group.owner().who();
        boolean isGone = seen.isLost(group.owner())
                || (group.owner().host() == null
                        && group.owner().process() == null
                        && seen.clients().isKnown()
                        && seen.clients().rows().stream()
                                .noneMatch(client ->
                                        client.instance().equals(group.owner().instance())));
        findings.add(new Finding(
                Severity.CRITICAL,
                Cause.GROUP_STUCK,
                group.queue(),
                oldest,
                messages + " wait for the consumer that has the group " + Words.since(group.takenAt(), seen.takenAt())
                        + ": " + owner + (isGone ? ", which is not connected any more" : ""),
                List.of("the oldest of them waits " + Words.since(oldest, seen.takenAt())
                        + (seen.locks().isKnown()
                                ? ", and nobody has a message of the queue in a transaction"
                                : "; whether somebody works on one is not known")),
                isGone
                        ? "Start a JMS client, or look why none that runs removes what the dead one had: each does within some seconds."
                        : "See what that consumer does: a thread dump of that process. When it closes its consumer or ends, another"
                                + " one gets the group."));
        return true;
    }

    private boolean isOld(Instant moment) {
        return Duration.between(moment, seen.takenAt()).compareTo(limits.waiting()) > 0;
    }

    /** Returns whose messages wait under which id, so that they are not told of again as queues. */
    private Set<Integer> judgeSubscriptions(List<Finding> findings) {
        Set<Integer> unread = new HashSet<>();
        for (Subscription subscription : seen.subscriptions().rows()) {
            seen.queues().rows().stream()
                    .filter(queue -> queue.id() == subscription.id() && waits(queue.oldestAt()))
                    .filter(queue -> subscription.consumers() == 0)
                    .forEach(queue -> {
                        unread.add(queue.id());
                        findings.add(new Finding(
                                Severity.WARNING,
                                Cause.SUBSCRIPTION_UNREAD,
                                subscription.name(),
                                queue.oldestAt(),
                                "Nobody reads the subscription " + subscription.name()
                                        + (subscription.clientId() == null
                                                ? ""
                                                : " of the client id " + subscription.clientId())
                                        + " to the topic " + subscription.topic() + ": " + queue.depthText()
                                        + " waiting, the oldest " + Words.since(queue.oldestAt(), seen.takenAt()),
                                List.of("it has no active consumer"),
                                "Start its consumer, or, if nobody needs it any more, remove it with its messages:"
                                        + " Session.unsubscribe, or readpast drop --subscription."));
                    });
        }
        return unread;
    }
}
