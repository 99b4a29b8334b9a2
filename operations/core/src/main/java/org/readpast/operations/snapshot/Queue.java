package org.readpast.operations.snapshot;

import java.time.Instant;
import org.readpast.operations.database.Words;

/**
 * A queue, a topic or a subscription, and how full it is.
 *
 * @param kind Q queue, T topic, TQ and TT temporary ones, S subscription
 * @param name as {@code queue_overview} has it
 * @param id {@code destination_id}
 * @param depth messages that wait or are in somebody's transaction, counted up to 10,000; null where it is not known: where none was
 *     seen and somebody may have received and not committed
 * @param isMore whether there are more than were counted
 * @param oldestAt when the oldest of them came, by the database's clock; null where there is none
 */
public record Queue(String kind, String name, int id, Long depth, boolean isMore, Instant oldestAt) {

    /** The depth in words: {@code 12}, {@code 10000+} or {@code unknown}. */
    public String depthText() {
        return depth == null ? "unknown" : isMore ? depth + "+" : depth.toString();
    }

    /** Its name, depth and oldest message in words. */
    public String waiting(Instant now) {
        return name + ": " + depthText() + " waiting, the oldest " + Words.since(oldestAt, now);
    }
}
