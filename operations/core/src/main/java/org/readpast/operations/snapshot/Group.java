package org.readpast.operations.snapshot;

import java.time.Instant;

/**
 * A message group and who gets its messages.
 *
 * @param kind of the destination
 * @param queue its name
 * @param id {@code destination_id}
 * @param group JMSXGroupID; empty for all messages of an exclusive queue
 * @param consumer the consumer within its JVM
 * @param owner the JVM; its host and process are null where it is not connected any more
 * @param takenAt since when it has the group
 * @param waiting messages of the group that wait, counted up to 1,001
 * @param oldestAt when the oldest of them came; null for none
 */
public record Group(
        String kind,
        String queue,
        int id,
        String group,
        String consumer,
        Client owner,
        Instant takenAt,
        long waiting,
        Instant oldestAt) {}
