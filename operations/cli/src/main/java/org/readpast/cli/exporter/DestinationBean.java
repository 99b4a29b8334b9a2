package org.readpast.cli.exporter;

import java.time.Duration;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.readpast.operations.database.Answer;
import org.readpast.operations.snapshot.Consumer;
import org.readpast.operations.snapshot.Delayed;
import org.readpast.operations.snapshot.Lease;
import org.readpast.operations.snapshot.Paused;
import org.readpast.operations.snapshot.Queue;
import org.readpast.operations.snapshot.Snapshot;

/** A destination as the last look saw it. Thread-safe. */
final class DestinationBean implements DestinationMXBean {

    private record Sight(Queue queue, Snapshot seen) {}

    private volatile Sight last;

    void saw(Queue queue, Snapshot seen) {
        last = new Sight(queue, seen);
    }

    /** A look could not see how full destinations are. */
    void missed(Snapshot seen) {
        Queue queue = last.queue();
        last = new Sight(new Queue(queue.kind(), queue.name(), queue.id(), null, false, null), seen);
    }

    @Override
    public Long getMessageCount() {
        return last.queue().depth();
    }

    @Override
    public boolean isMoreThanCounted() {
        return last.queue().isMore();
    }

    @Override
    public Long getFirstMessageAge() {
        Sight sight = last;
        return sight.queue().oldestAt() == null
                ? null
                : Math.max(
                        0,
                        Duration.between(sight.queue().oldestAt(), sight.seen().takenAt())
                                .toMillis());
    }

    /** Adds up what there is of this destination; null where that is not known. */
    private static <T> Long sum(Sight sight, Answer<T> answer, ToIntFunction<T> id, ToLongFunction<T> value) {
        return answer.isKnown()
                ? answer.rows().stream()
                        .filter(row -> id.applyAsInt(row) == sight.queue().id())
                        .mapToLong(value)
                        .sum()
                : null;
    }

    /**
     * Likewise, of what a look counts up to a bound.
     *
     * @param isMore whether there may be some behind it: that there is none of this destination is not known then
     */
    private static Long counted(Long sum, boolean isMore) {
        return isMore && sum != null && sum == 0 ? null : sum;
    }

    private static Long delayed(Sight sight, ToLongFunction<Delayed> value) {
        return sum(sight, sight.seen().delayed(), Delayed::id, value);
    }

    @Override
    public Long getScheduledCount() {
        Sight sight = last;
        return counted(
                delayed(sight, Delayed::delayed),
                Delayed.isDelayedMore(sight.seen().delayed()));
    }

    @Override
    public Long getHeldCount() {
        Sight sight = last;
        return counted(
                delayed(sight, Delayed::held), Delayed.isHeldMore(sight.seen().delayed()));
    }

    @Override
    public Long getOverdueCount() {
        return delayed(last, Delayed::overdue);
    }

    @Override
    public Long getLeaseCount() {
        Sight sight = last;
        return counted(
                sum(sight, sight.seen().leases(), Lease::id, lease -> 1),
                Lease.isMore(sight.seen().leases()));
    }

    @Override
    public Long getConsumerCount() {
        Sight sight = last;
        return sum(
                sight,
                sight.seen().consumers(),
                Consumer::id,
                consumer -> consumer.now() == null || sight.seen().isLost(consumer.client())
                        ? 0
                        : consumer.now().open());
    }

    @Override
    public Long getConsumingClientCount() {
        Sight sight = last;
        return sum(
                sight,
                sight.seen().consumers(),
                Consumer::id,
                consumer -> sight.seen().isLost(consumer.client()) ? 0 : 1);
    }

    @Override
    public String getPaused() {
        Sight sight = last;
        return sight.seen().paused().rows().stream()
                .filter(pause -> pause.id() == sight.queue().id())
                .map((Paused pause) -> pause.what().text())
                .findFirst()
                .orElse(null);
    }
}
