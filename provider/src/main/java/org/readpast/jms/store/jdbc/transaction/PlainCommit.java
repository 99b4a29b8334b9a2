package org.readpast.jms.store.jdbc.transaction;

import java.sql.Connection;

/** A commit by itself: where its answer is lost, its outcome stays unknown. */
public final class PlainCommit extends CommitVerifier {

    @Override
    boolean canTell() {
        return false;
    }

    @Override
    public boolean isPrepared() {
        return true;
    }

    @Override
    void prepare(Connection connection) {
        // There is nothing to remember.
    }

    @Override
    public Outcome ask(Connection other) {
        return Outcome.UNKNOWN;
    }
}
