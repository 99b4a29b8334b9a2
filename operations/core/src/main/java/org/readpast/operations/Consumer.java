package org.readpast.operations;

/**
 * A JVM that has made a consumer for a destination, and may have closed it since.
 *
 * @param kind of the destination
 * @param queue its name
 * @param id {@code destination_id}
 * @param client the JVM
 */
public record Consumer(String kind, String queue, int id, Client client) {}
