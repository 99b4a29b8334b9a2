package org.readpast.operations.snapshot;

/**
 * A JVM that has made a consumer for a destination.
 *
 * @param kind of the destination
 * @param queue its name
 * @param id {@code destination_id}
 * @param client the JVM
 * @param now those that are open there; null where it has not told yet
 */
public record Consumer(String kind, String queue, int id, Client client, OpenConsumers now) {}
