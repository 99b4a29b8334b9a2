package org.readpast.operations.verdict;

import java.time.Duration;

/**
 * From where on something is worth a finding.
 *
 * @param waiting how long the oldest message of a queue may wait
 * @param held how long a message may be in a transaction, and a transaction open
 * @param skew how far clocks may differ
 * @param attempts deliveries of a message from which on it is a poison message
 * @param deadRows deleted rows of a table that are too many, where they are also more than five times the living ones
 */
public record Limits(Duration waiting, Duration held, Duration skew, int attempts, long deadRows) {

    /** One minute of waiting, five of holding, five seconds of skew, three attempts, 50,000 dead rows. */
    public static Limits usual() {
        return new Limits(Duration.ofMinutes(1), Duration.ofMinutes(5), Duration.ofSeconds(5), 3, 50_000);
    }
}
