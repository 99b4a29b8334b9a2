package org.readpast.operations.snapshot;

import java.time.Duration;
import java.time.Instant;

/**
 * What a JVM has told of itself: at most every ten seconds while it changes, and every minute.
 *
 * @param at by the database's clock
 * @param clockAhead how far its clock was ahead of the database's; negative where it was behind
 * @param sqlConnections how many its own pool had open; null where it has a DataSource, as the next two
 * @param sqlConnectionsInUse how many of them were in use
 * @param threadsWaiting how many threads waited for one
 * @param waiting for how long threads have waited at each of its looks
 * @param listening for how long the listener that was at work longest had been at it; null where none was
 * @param listeningTo the name of the destination of its message; null likewise
 */
public record ClientReport(
        Instant at,
        Duration clockAhead,
        Integer sqlConnections,
        Integer sqlConnectionsInUse,
        Integer threadsWaiting,
        Duration waiting,
        Duration listening,
        String listeningTo) {

    private static final Duration CURRENT = Duration.ofSeconds(150);

    /** Whether it is not older than it may be while its JVM runs. */
    public boolean isCurrent(Instant now) {
        return Duration.between(at, now).compareTo(CURRENT) <= 0;
    }
}
