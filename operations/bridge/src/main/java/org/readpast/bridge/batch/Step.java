package org.readpast.bridge.batch;

/** Between which two steps a bridge is. Tests make it fail there. */
public enum Step {
    /** The token is there, and messages have been received. */
    RECEIVED,
    /** Everything has been written on the side where messages go, and not committed. */
    WRITTEN,
    /** That is committed. */
    ARRIVED,
    /** Everything has been written on the side where messages come from, and not committed. */
    LETTING_GO,
    /** That is committed. */
    LET_GO;

    /** Told of each step. */
    public interface Listener {
        void at(Step step);
    }
}
