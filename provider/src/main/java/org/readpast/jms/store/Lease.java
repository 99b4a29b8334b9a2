package org.readpast.jms.store;

import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * A claim that holds a message until its time is over, whatever becomes of the transaction and the connection that it was made on.
 *
 * @param token what the claim is known by in the database
 * @param seconds how long it lasts
 * @param sinceNanos {@link System#nanoTime()} before it began, so that it is never over before it seems to be
 */
public record Lease(UUID token, int seconds, long sinceNanos) {

    /** Whether its time is over. */
    public boolean isOver() {
        return ageMillis() >= TimeUnit.SECONDS.toMillis(seconds);
    }

    /** Whether more than half of its time is over. */
    public boolean isHalfOver() {
        return ageMillis() * 2 >= TimeUnit.SECONDS.toMillis(seconds);
    }

    private long ageMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNanos);
    }
}
