package org.readpast.jms.engine.routing;

import jakarta.jms.JMSException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.engine.support.Problems;

/** A session's consumers of queues, which may be moved to another database. Thread-safe. */
final class QueueConsumers {

    private final Placement placement;
    private final QueueMoves moves;
    private final Set<RoutedConsumer> consumers = ConcurrentHashMap.newKeySet();

    QueueConsumers(Placement placement, QueueMoves moves) {
        this.placement = placement;
        this.moves = moves;
    }

    void add(RoutedConsumer consumer) {
        consumers.removeIf(RoutedConsumer::isClosed);
        consumers.add(consumer);
    }

    /** Where a consumer of a queue receives; null where there is none. */
    String consumedFrom(ReadpastDestination queue) {
        return consumers.stream()
                .filter(consumer ->
                        !consumer.isClosed() && consumer.destination().equals(queue))
                .map(RoutedConsumer::database)
                .findFirst()
                .orElse(null);
    }

    /** Whether one may have to turn to another database. Costs no round trip. */
    boolean haveToTurn() {
        return consumers.stream().anyMatch(moves::mayTurn);
    }

    /**
     * Turns the consumers of queues that were moved, where nothing is left in the old place, and those that have missed this before the queue was
     * moved back. To be called by one thread at a time.
     */
    void turn() throws JMSException {
        Problems problems = new Problems();
        for (RoutedConsumer consumer : consumers) {
            if (moves.mayTurn(consumer)) {
                problems.attempt(() -> turn(consumer));
            }
        }
        problems.throwFirst();
    }

    /** Unless it would be refused there if it were made now, which is told once: the options are those of the connection. */
    private void turn(RoutedConsumer consumer) throws JMSException {
        String database = moves.receivedFrom(consumer.database(), consumer.destination());
        if (database.equals(consumer.refusedAt())) {
            return;
        }
        try {
            placement.check(consumer.destination(), database);
        } catch (JMSException e) {
            consumer.refuseAt(database);
            throw e;
        }
        consumer.turnTo(database);
    }
}
