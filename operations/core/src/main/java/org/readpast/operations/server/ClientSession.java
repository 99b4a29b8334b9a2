package org.readpast.operations.server;

import java.time.Instant;

/**
 * A session that a client has in the database.
 *
 * @param id the number by which the server ends it; it is given to others later
 * @param loginKey when it logged in, as the server writes it: together with the number it says which session is meant; null where the login
 *     may not see it
 * @param login its user
 * @param program the connection's name
 * @param host the client's; null where it is not known
 * @param loginAt when it logged in; null where the login may not see it
 * @param since when its transaction began; null where it has none or the server does not tell
 * @param state as the server says
 */
public record ClientSession(
        int id,
        String loginKey,
        String login,
        String program,
        String host,
        Instant loginAt,
        Instant since,
        String state) {}
