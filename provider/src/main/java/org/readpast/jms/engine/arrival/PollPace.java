package org.readpast.jms.engine.arrival;

import org.readpast.jms.config.Settings;

/**
 * How long the pauses between two looks for new messages are: at the shortest after something came, then longer by an eighth
 * each time that nothing did. So a stream of messages that are a few pauses apart is still looked for at nearly the shortest,
 * and rest is reached within some thirty looks. Not thread-safe.
 */
final class PollPace {

    private static final int PART = 8;

    private final long floor;
    private final long ceiling;
    private long pause;

    PollPace(Settings settings) {
        this(settings.pollFloorMillis(), settings.pollCeilingMillis());
    }

    /** With the shortest and the longest pause, in milliseconds. */
    PollPace(long floor, long ceiling) {
        this.floor = floor;
        this.ceiling = ceiling;
        this.pause = floor;
    }

    /** The next pause, in milliseconds. */
    long pause() {
        return pause;
    }

    /** Whether nothing has come for a while, so that the pause is the longest one. */
    boolean isAtRest() {
        return pause >= ceiling;
    }

    /** Something came. */
    void quicken() {
        pause = floor;
    }

    /** Nothing came. */
    void slowDown() {
        pause = Math.max(floor, Math.min(pause + Math.max(1, pause / PART), ceiling));
    }
}
