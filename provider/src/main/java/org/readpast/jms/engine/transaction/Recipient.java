package org.readpast.jms.engine.transaction;

import java.util.concurrent.TimeUnit;
import org.readpast.jms.engine.source.Source;

/**
 * For whom a session claims messages: one of its consumers, or what a connection consumer has assigned to it. Used with the session's
 * lock; not thread-safe.
 */
public final class Recipient {

    /** A listener that takes less is as quick as a commit. */
    private static final long QUICK_NANOS = TimeUnit.MICROSECONDS.toNanos(300);

    /** What takes longer counts as if it took so long. */
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** The last call counts for one in this many. */
    private static final int MEAN_OF = 4;

    private final Source source;
    private final String description;
    private long allowance;

    /** How long a listener takes, in the mean of its last calls; it has to show that it is quick. */
    private long listenerNanos = LONG_NANOS;

    /**
     * @param source where its messages wait
     * @param session the session's name, for errors and logs
     * @param allowance how many messages it may get in all
     */
    public Recipient(Source source, String session, long allowance) {
        this.source = source;
        this.description = session + " on " + source;
        this.allowance = allowance;
    }

    public Source source() {
        return source;
    }

    /** How many to claim at once, where the acknowledge mode would have this many. */
    int atMost(int wanted) {
        return (int) Math.min(wanted, allowance);
    }

    /** Whether it may get any more. */
    public boolean isAllowedMore() {
        return allowance > 0;
    }

    /** A call of its listener has taken so long. */
    public void listenerTook(long nanos) {
        listenerNanos += (Math.min(nanos, LONG_NANOS) - listenerNanos) / MEAN_OF;
    }

    /** Whether its listener returns at once, as far as its last calls tell. */
    public boolean isQuick() {
        return listenerNanos < QUICK_NANOS;
    }

    /** It gets a message. */
    void gets() {
        allowance--;
    }

    /** For errors and logs. */
    @Override
    public String toString() {
        return description;
    }
}
