package org.readpast.bridge.batch;

/**
 * A request that has crossed, to be found by its reply.
 *
 * @param newId under which it has arrived
 * @param oldId that it had before
 * @param correlationId its own, or null
 * @param replyTo the temporary queue that its reply goes to, or null
 */
public record Crossing(String newId, String oldId, String correlationId, String replyTo) {}
