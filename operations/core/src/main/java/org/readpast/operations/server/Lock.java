package org.readpast.operations.server;

import java.time.Instant;

/**
 * A session that has messages of a queue in its transaction.
 *
 * @param kind of the destination
 * @param queue its name
 * @param id {@code destination_id}
 * @param session 0 for a prepared transaction
 * @param holder the connection's name
 * @param host null where it is not known
 * @param process likewise
 * @param login the session's user
 * @param messages how many of the first 10,000
 * @param since when its transaction began; null where it is not known
 */
public record Lock(
        String kind,
        String queue,
        int id,
        int session,
        String holder,
        String host,
        String process,
        String login,
        long messages,
        Instant since) {}
