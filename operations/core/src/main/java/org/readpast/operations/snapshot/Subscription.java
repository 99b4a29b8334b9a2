package org.readpast.operations.snapshot;

import java.time.Instant;

/**
 * A subscription of a topic, or of several by wildcards.
 *
 * @param id {@code destination_id} under which its messages wait
 * @param queue the name of that destination
 * @param topic the topic, or the wildcards
 * @param clientId null for a shared one without
 * @param name null for that of a consumer without a name
 * @param isDurable whether it outlives its consumers
 * @param isShared whether it may have several
 * @param selector null for none
 * @param consumers how many are active
 * @param createdAt since when it is there
 */
public record Subscription(
        int id,
        String queue,
        String topic,
        String clientId,
        String name,
        boolean isDurable,
        boolean isShared,
        String selector,
        long consumers,
        Instant createdAt) {}
