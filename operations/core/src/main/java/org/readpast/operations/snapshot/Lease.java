package org.readpast.operations.snapshot;

import java.time.Instant;
import org.readpast.operations.database.Answer;
import org.readpast.operations.database.Words;

/**
 * A message that is claimed by lease.
 *
 * @param kind of the destination
 * @param queue its name
 * @param id {@code destination_id}
 * @param messageId the row's id
 * @param jmsMessageId null for a message without
 * @param worker who has it: the JVM's instance, or what a program in SQL calls itself
 * @param host of the JVM, if it is one that is connected
 * @param process likewise
 * @param attempt 1 for the first
 * @param claimedAt since when
 * @param deadline until when
 */
public record Lease(
        String kind,
        String queue,
        int id,
        long messageId,
        String jmsMessageId,
        String worker,
        String host,
        String process,
        int attempt,
        Instant claimedAt,
        Instant deadline) {

    /** As many as a look reads, of all queues together. */
    private static final int READ = 10_000;

    /** Whether there may be leases, of any queue, behind those that were read. */
    public static boolean isMore(Answer<Lease> all) {
        return all.rows().size() >= READ;
    }

    /** The worker in words. */
    public String who() {
        return Words.who(process, host, worker);
    }
}
