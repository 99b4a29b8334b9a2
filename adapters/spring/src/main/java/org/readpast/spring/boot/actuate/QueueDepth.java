package org.readpast.spring.boot.actuate;

import java.time.Instant;

/**
 * How far behind a queue or a subscription is.
 *
 * @param kind {@code Q} for a queue, {@code S} for a subscription
 * @param depth how many messages wait or are in somebody's transaction; on the servers counted up to 10,000
 * @param atLeast whether there are more
 * @param oldest when the oldest of them was sent, by the database's clock; null if there is none
 * @param oldestSeconds how long ago that was, by the same clock; null if there is none
 */
public record QueueDepth(String kind, String name, long depth, boolean atLeast, Instant oldest, Long oldestSeconds) {}
