package org.readpast.operations.messages;

import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** When the next batch of a repair may begin, and how large it may be. Not thread-safe, but for {@link #end}. */
final class Pace {

    private static final int BATCH = 1000;
    private static final String CANCELLED = "57014";

    private final CountDownLatch ended = new CountDownLatch(1);
    private int perSecond = Integer.MAX_VALUE;

    /** When the next batch may begin, by {@link System#nanoTime()}. */
    private long turn = System.nanoTime();

    /** @param messages in a second, one at the least */
    void limit(int messages) {
        if (messages < 1) {
            throw new IllegalArgumentException("Less than one message a second is no rate");
        }
        perSecond = messages;
    }

    /** How many messages the next batch may have. */
    int batch(long left) {
        return (int) Math.min(Math.min(BATCH, perSecond), left);
    }

    /**
     * Waits for the turn of the next batch.
     *
     * @throws SQLException if it was ended, or this thread is interrupted
     */
    void awaitTurn() throws SQLException {
        try {
            boolean isEnded = ended.await(turn - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (isEnded) {
                throw cancelled();
            }
            turn = System.nanoTime();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("Interrupted", CANCELLED, e);
        }
    }

    void throwIfEnded() throws SQLException {
        if (ended.getCount() == 0) {
            throw cancelled();
        }
    }

    private static SQLException cancelled() {
        return new SQLException("It was cancelled", CANCELLED);
    }

    /** So many were done. A batch that took longer than its share is not made up for. */
    void did(long messages) {
        turn += messages * TimeUnit.SECONDS.toNanos(1) / perSecond;
    }

    /** No further batch begins. */
    void end() {
        ended.countDown();
    }
}
