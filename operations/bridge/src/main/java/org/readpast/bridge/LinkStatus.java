package org.readpast.bridge;

/**
 * How a link, which carries out one rule, is doing. Counts are of this start.
 *
 * @param rule in the words of the file of rules
 * @param state what it is doing
 * @param crossed messages that have crossed
 * @param recognized messages that came again after a failure and had crossed already
 * @param deadLetters messages that went to the dead letters of the bridge
 * @param failures how often it had to begin anew
 * @param lastFailure the last reason, or why it waits for the token; null if there was none
 */
public record LinkStatus(
        String rule, State state, long crossed, long recognized, long deadLetters, long failures, String lastFailure) {

    /** What a link is doing. */
    public enum State {
        /** It connects to both sides, or waits for one of them. */
        CONNECTING,
        /**
         * It waits until the broker gives out the token of the link: another bridge of this name runs, or the broker has not noticed yet that
         * the last one has gone.
         */
        WAITING_FOR_TOKEN,
        /** It moves messages, or waits for some. */
        RUNNING,
        /** It was closed, or cannot go on until somebody has looked. */
        STOPPED
    }
}
