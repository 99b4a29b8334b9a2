package org.readpast.operations.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.readpast.operations.database.Words;
import org.readpast.operations.snapshot.Client;
import org.readpast.operations.snapshot.Consumer;
import org.readpast.operations.snapshot.OpenConsumers;
import org.readpast.operations.snapshot.Queue;
import org.readpast.operations.snapshot.Snapshot;

/** Why messages of a queue wait, where nothing else explains it. */
final class Standstill {

    private final Snapshot seen;
    private final Limits limits;
    private final Set<Integer> goingOn;

    /** @param goingOn the ids of queues whose first message was taken shortly before */
    Standstill(Snapshot seen, Limits limits, Set<Integer> goingOn) {
        this.seen = seen;
        this.limits = limits;
        this.goingOn = goingOn;
    }

    /** Empty while somebody works on it. */
    Optional<Finding> of(Queue queue) {
        if (isWorkedOn(queue)) {
            return Optional.empty();
        }
        if (!seen.consumers().isKnown()) {
            return Optional.of(unknown(queue, "Whether anybody consumes is not known"));
        }
        List<Consumer> connected = seen.consuming().stream()
                .filter(consumer -> consumer.id() == queue.id())
                .toList();
        boolean isSubscription = queue.kind().equals("S");
        boolean isTold = connected.stream().allMatch(consumer -> consumer.now() != null);
        OpenConsumers all = connected.stream()
                .map(Consumer::now)
                .filter(now -> now != null)
                .reduce(new OpenConsumers(0, 0, 0, null), OpenConsumers::and);
        List<Consumer> lost = seen.consumers().rows().stream()
                .filter(consumer -> consumer.id() == queue.id() && seen.isLost(consumer.client()))
                .toList();
        if (isSubscription && connected.isEmpty() && lost.isEmpty()) {
            return Optional.of(finding(
                    Severity.WARNING,
                    Cause.SUBSCRIPTION_UNREAD,
                    queue,
                    "No JMS client that is connected reads the subscription",
                    List.of(Words.clients(seen.connected().size()) + " connected"),
                    "Start its consumer, or, if nobody needs it any more, remove it with its messages: Session.unsubscribe, or"
                            + " readpast drop --subscription."));
        }
        if (isSubscription && connected.isEmpty() && endsWithItsJvms(queue)) {
            return Optional.empty();
        }
        if (connected.isEmpty() && lost.isEmpty() && mayHaveOnlyDeadLetters(queue)) {
            return Optional.of(unknown(queue, "Whether it has anything but dead letters is not known"));
        }
        if (connected.isEmpty() || (!isSubscription && isTold && all.open() == 0)) {
            return Optional.of(noConsumer(queue, connected, lost));
        }
        if (isTold && all.open() > 0 && all.stopped() == all.open()) {
            return Optional.of(
                    finding(
                            Severity.CRITICAL,
                            Cause.NOT_STARTED,
                            queue,
                            "All its consumers are of connections that are not started",
                            evidence(connected),
                            "Connection.start was not called there, or Connection.stop was: look at the log and the code of that process."));
        }
        if (isTold && all.open() > 0 && all.selective() == all.open()) {
            return Optional.of(
                    finding(
                            nobodySeen(),
                            Cause.NO_SELECTOR_MATCHES,
                            queue,
                            "All its consumers have selectors, and " + nobody(),
                            evidence(connected),
                            "Compare the selectors with what readpast browse shows of these messages. Start a consumer for them, or move them away."));
        }
        return Optional.of(
                finding(
                        nobodySeen(),
                        Cause.STANDS_STILL,
                        queue,
                        upper(nobody()),
                        evidence(connected),
                        "A thread dump of these processes shows what their consumers do: a receive that nobody calls, or a listener that hangs."));
    }

    /** Dead letters need no consumer. A queue that is for them, as the one where they go by default, has this in its name. */
    private boolean mayHaveOnlyDeadLetters(Queue queue) {
        return !seen.deadLetters().isKnown()
                && queue.name().toUpperCase(Locale.ROOT).contains("DLQ");
    }

    /** One without a name always counts a consumer. Its messages go when what its JVM has left is removed. */
    private boolean endsWithItsJvms(Queue queue) {
        return seen.subscriptions().rows().stream()
                .anyMatch(subscription -> subscription.id() == queue.id() && !subscription.isDurable());
    }

    private boolean isWorkedOn(Queue queue) {
        return goingOn.contains(queue.id())
                || seen.locks().rows().stream().anyMatch(lock -> lock.id() == queue.id())
                || seen.leases().rows().stream()
                        .anyMatch(lease ->
                                lease.id() == queue.id() && lease.deadline().isAfter(seen.takenAt()))
                || seen.connected().stream()
                        .map(Client::report)
                        .anyMatch(report -> report != null
                                && queue.name().equals(report.listeningTo())
                                && report.listening().compareTo(limits.waiting()) > 0);
    }

    private Finding noConsumer(Queue queue, List<Consumer> closed, List<Consumer> lost) {
        List<String> evidence = new ArrayList<>(evidence(closed));
        lost.forEach(consumer -> evidence.add(consumer.client().who() + " had a consumer for it, and is missed"));
        evidence.add(Words.clients(seen.connected().size())
                + " connected" + (closed.isEmpty() ? ", and none has made a consumer for it" : "")
                + "; programs in SQL are not known"
                + (queue.kind().equals("S") || seen.deadLetters().isKnown()
                        ? ""
                        : ", nor whether it has anything but dead letters")
                + (seesWork() ? ", and none has a message of it at the moment" : ""));
        return finding(
                Severity.CRITICAL,
                Cause.NO_CONSUMER,
                queue,
                closed.isEmpty()
                        ? "No JMS client that is connected is known to consume from it"
                        : "The JMS clients that consumed from it have closed their consumers",
                evidence,
                "Start the application that consumes from it, and look at its log.");
    }

    private List<String> evidence(List<Consumer> connected) {
        return connected.stream()
                .map(consumer -> consumer.client().who()
                        + (consumer.now() != null
                                ? " has " + consumers(consumer.now())
                                : " has made a consumer for it; whether it has closed it since is not known"))
                .toList();
    }

    private static String consumers(OpenConsumers now) {
        if (now.open() == 0) {
            return "no consumer for it any more";
        }
        return now.open() + (now.open() == 1 ? " consumer" : " consumers") + " for it"
                + (now.stopped() == 0 ? "" : ", " + now.stopped() + " of connections that are not started")
                + (now.selective() == 0 ? "" : ", " + now.selective() + " with a selector, such as " + now.selector());
    }

    private boolean seesWork() {
        return seen.locks().isKnown() && seen.leases().isKnown();
    }

    private Severity nobodySeen() {
        return seesWork() ? Severity.WARNING : Severity.UNKNOWN;
    }

    private String nobody() {
        return seesWork() ? "nobody has a message of it in a transaction" : "whether somebody works on it is not known";
    }

    private static String upper(String sentence) {
        return Character.toUpperCase(sentence.charAt(0)) + sentence.substring(1);
    }

    private Finding unknown(Queue queue, String why) {
        return finding(
                Severity.UNKNOWN,
                Cause.STANDS_STILL,
                queue,
                why,
                List.of(),
                "See the finding below that says why it could not be read, and which right the login lacks.");
    }

    private Finding finding(
            Severity severity, Cause cause, Queue queue, String why, List<String> evidence, String next) {
        return new Finding(
                severity,
                cause,
                queue.name(),
                queue.oldestAt(),
                queue.waiting(seen.takenAt()) + ". " + why,
                evidence,
                next);
    }
}
