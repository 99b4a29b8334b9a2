package org.readpast.operations.snapshot;

import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;

/**
 * A queue that an administrator has paused.
 *
 * @param id {@code destination_id}
 * @param queue its name
 * @param what is held back
 * @param since by the database's clock; null where somebody has set the column by hand, and no time
 */
public record Paused(int id, String queue, What what, Instant since) {

    /** What a pause holds back. */
    public enum What {
        /** Nothing is received. */
        RECEIVE,
        /** Nothing can be sent. */
        SEND,
        /** Neither. */
        BOTH;

        /** As the database has it. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }

        static What of(String code) {
            return Arrays.stream(values())
                    .filter(what -> what.code().equals(code))
                    .findFirst()
                    .orElse(BOTH);
        }

        /** In words: {@code receiving}, {@code sending} or {@code sending and receiving}. */
        public String text() {
            return switch (this) {
                case RECEIVE -> "receiving";
                case SEND -> "sending";
                case BOTH -> "sending and receiving";
            };
        }
    }

    /** As a JVM that keeps to it says so in its row. */
    String mark() {
        return id + ":" + what.code();
    }
}
