package org.readpast.operations.server;

import java.time.Instant;
import java.util.List;

/**
 * A session of the database that waits for a lock or has a transaction open.
 *
 * @param id the number by which the server ends it
 * @param login its user
 * @param program the connection's name
 * @param host the client's
 * @param loginAt when it logged in: together with the number it says which session is meant
 * @param since when its transaction began; null where it has none or the server does not tell
 * @param idleSince when its state changed last; null where it is not known
 * @param state as the server says
 * @param statement its statement, cut and without literals; null where it is not known
 * @param blockers the sessions it waits for; 0 is a prepared transaction, and -3 one that SQL Server could not
 *     recover
 * @param isClient whether a client has it, and not the server itself
 * @param keepsRows whether the database keeps deleted rows while its transaction is open
 */
public record DatabaseSession(
        int id,
        String login,
        String program,
        String host,
        Instant loginAt,
        Instant since,
        Instant idleSince,
        String state,
        String statement,
        List<Integer> blockers,
        boolean isClient,
        boolean keepsRows) {

    public DatabaseSession {
        blockers = List.copyOf(blockers);
    }

    /** The session in words: number, host, program, login. */
    public String who() {
        return "session " + id + " (" + (host == null ? "" : "host " + host + ", ")
                + (program == null || program.isBlank() ? "" : "program " + program + ", ") + "login " + login + ")";
    }

    /** Whether it does nothing and keeps its transaction open. */
    public boolean isIdleInTransaction() {
        return since != null && state != null && (state.startsWith("idle in transaction") || state.equals("sleeping"));
    }
}
