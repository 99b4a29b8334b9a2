package org.readpast.operations.server;

import java.time.Instant;

/**
 * What keeps deleted rows from being removed, beside sessions.
 *
 * @param kind {@code prepared transaction} or {@code replication slot}
 * @param name its name
 * @param since null where it is not known
 */
public record Pin(String kind, String name, Instant since) {}
