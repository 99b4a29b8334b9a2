package org.readpast.jms.engine.support;

import java.sql.SQLException;
import org.readpast.jms.store.ConnectionSource;

/**
 * Whether and how the sessions of a connection take part in the application's own SQL transaction.
 *
 * @param kind when they do
 * @param source where the application's connection is found; null for {@link Kind#NEVER}
 */
public record Joining(Kind kind, ConnectionSource source) {

    public static final Joining NONE = new Joining(Kind.NEVER, null);

    /** When a session joins. */
    public enum Kind {
        /** It has transactions of its own only. */
        NEVER,
        /** Whenever the calling thread has a transaction. */
        AUTO,
        /** For every operation; without a transaction it fails. */
        ALWAYS,
        /** For every operation, on one connection that the application handed over. */
        HANDED_OVER,
        /** For every operation, in the branch that a transaction manager has started on the session's own connection; without one it fails. */
        BRANCH
    }

    /** Whether an operation of the calling thread belongs to the application's transaction. */
    public boolean isActive() throws SQLException {
        return switch (kind) {
            case NEVER -> false;
            case AUTO -> source.isInTransaction();
            case ALWAYS, HANDED_OVER, BRANCH -> true;
        };
    }
}
