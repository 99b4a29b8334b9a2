package org.readpast.cli.administration;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import javax.management.JMException;
import org.readpast.bridge.BrokerCounts;
import org.readpast.bridge.Place;
import org.readpast.bridge.Remaining;
import org.readpast.operations.database.Answer;
import org.readpast.operations.database.Look;
import org.readpast.operations.snapshot.DeadLetters;
import org.readpast.operations.snapshot.Delayed;
import org.readpast.operations.snapshot.Facts;
import org.readpast.operations.snapshot.Lease;
import org.readpast.operations.snapshot.Queue;
import org.readpast.operations.snapshot.Subscription;

/** What is left of a queue or subscription, whatever hides it: of the other broker by JMX, of Readpast as every command looks at it. */
final class Remainders {

    private Remainders() {}

    /** @param counts null where the broker's JMX address was not given */
    static List<Remaining> onBroker(BrokerCounts counts, Place source) throws IOException, JMException {
        return counts == null ? List.of(new Remaining("not known without --broker-jmx", null)) : counts.of(source);
    }

    /** Of a queue that the bridge makes when it needs it: only what there is of it, or that there is nothing. */
    static List<Remaining> ofOwn(List<Remaining> left) {
        List<Remaining> some = left.stream()
                .filter(remaining -> !remaining.isNone() && !remaining.equals(Remaining.NOT_THERE))
                .toList();
        return some.isEmpty() ? List.of(new Remaining("any", 0L)) : some;
    }

    static List<Remaining> onReadpast(Look look, Place source) throws SQLException {
        Answer<Queue> queues = Facts.queues(look);
        Optional<Queue> found = source.isTopic() ? ofSubscription(look, queues, source) : find(queues, ofName(source));
        if (found.isEmpty()) {
            return List.of(Remaining.NOT_THERE);
        }
        Queue queue = found.get();
        Answer<Delayed> delayed = Facts.delayed(look);
        Answer<Lease> leases = Facts.leases(look);
        return List.of(
                new Remaining("waiting or in a transaction", queue.depth()),
                remaining(
                        "delayed or held",
                        delayed,
                        row -> row.id() == queue.id(),
                        Remainders::later,
                        !Delayed.isDelayedMore(delayed) && !Delayed.isHeldMore(delayed)),
                remaining("claimed by lease", leases, row -> row.id() == queue.id(), row -> 1, !Lease.isMore(leases)),
                remaining(
                        "dead letters",
                        Facts.deadLetters(look),
                        row -> Objects.equals(row.origin(), queue.name()),
                        DeadLetters::messages,
                        queues.rows().stream().noneMatch(Queue::isMore)));
    }

    private static long later(Delayed row) {
        return row.delayed() + row.held();
    }

    private static Predicate<Queue> ofName(Place source) {
        return queue -> queue.kind().equals("Q") && queue.name().equals(source.name());
    }

    private static Optional<Queue> ofSubscription(Look look, Answer<Queue> queues, Place source) throws SQLException {
        Predicate<Subscription> isSource = row -> source.name().equals(row.topic())
                && source.subscription().equals(row.name())
                && Objects.equals(source.clientId(), row.clientId());
        return find(Facts.subscriptions(look), isSource)
                .flatMap(subscription -> find(queues, queue -> queue.id() == subscription.id()));
    }

    private static <T> Optional<T> find(Answer<T> answer, Predicate<T> wanted) {
        return answer.rows().stream().filter(wanted).findFirst();
    }

    private static <T> long sum(Answer<T> answer, Predicate<T> wanted, ToLongFunction<T> count) {
        return answer.rows().stream().filter(wanted).mapToLong(count).sum();
    }

    /** @param isWhole whether the look has read all; if not there may be some behind what it has read, and none is not known */
    private static <T> Remaining remaining(
            String kind, Answer<T> answer, Predicate<T> wanted, ToLongFunction<T> count, boolean isWhole) {
        long found = sum(answer, wanted, count);
        return new Remaining(kind, answer.isKnown() && (isWhole || found > 0) ? (Long) found : null);
    }
}
