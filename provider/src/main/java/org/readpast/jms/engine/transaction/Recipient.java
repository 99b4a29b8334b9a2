package org.readpast.jms.engine.transaction;

import org.readpast.jms.engine.source.Source;

/**
 * For whom a session claims messages: one of its consumers, or what a connection consumer has assigned to it. Used with the session's
 * lock; not thread-safe.
 */
public final class Recipient {

    private final Source source;
    private final String description;
    private long allowance;

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
